// SPDX-License-Identifier: Apache-2.0
// A game's terrain: its height function sampled into a grid, and a car in space (L5) that rolls through a valley in neutral.
// Check: what it falls becomes speed, (m + sum of I/R^2) v^2/2 = m g drop; the dampers take less than 1 %.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include <vdsim/engine/car.hpp>
#include <vdsim/engine/heightmap.hpp>

using namespace vdsim;

static double height(double x, double) { return 1.5 * (1 - std::cos(x / 15)); }  // what the game knows [m]

int main() {
  const Heightmap map = sample_heights({.nx = 121, .ny = 21, .x0 = -60, .y0 = -10, .dx = 1, .dy = 1}, height);
  const RoadGrid grid = map.view();  // map and grid must outlive the cars on them

  CarSetup setup;
  setup.road.grid = &grid;
  setup.road.interpolation = Interpolation::bicubic;  // no kinks at the nodes
  setup.level = Level::L5;
  setup.vehicle.chassis.aero_drag_coeff = 0;
  setup.start.x0 = -25;  // on the slope, nose down
  Car car(setup);

  Commands neutral;
  neutral.gear = 0;
  const double z0 = car.outputs(neutral).z;
  double worst = 0;  // of the CG above the terrain
  while (car.outputs(neutral).x < 0) {
    if (car.time() > 60 || !car.step(neutral, 1.0 / 240)) return 1;
    const CarOutputs& now = car.outputs(neutral);
    worst = std::max(worst, std::abs(now.z - height(now.x, now.y) - setup.vehicle.chassis.cg_height));
  }
  const CarOutputs& low = car.outputs(neutral);
  const ChassisSpec& c = setup.vehicle.chassis;
  double mass = c.mass;
  for (const double wheel : c.unsprung_mass) mass += 0.5 * wheel;  // I/R^2 of each wheel
  const double expected = std::sqrt(2 * c.mass * 9.80665 * (z0 - low.z) / mass);
  std::printf("terrain: %.3f m/s after a drop of %.3f m, expected %.3f; CG within %.3f m of %.2f m above the road\n",
              low.vx, z0 - low.z, expected, worst, c.cg_height);
  return std::abs(low.vx - expected) < 0.01 * expected && worst < 0.05 ? 0 : 1;
}
