// SPDX-License-Identifier: Apache-2.0
// L1 and L2 on height fields: they drive in the tangent plane, and their place goes on in the plane of the road.  [T06.17]
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tests/integration/cars.hpp"
#include "vdsim/engine/car.hpp"

using namespace cars;

namespace {

constexpr Level kPlanar[] = {Level::L1, Level::L2};

// The plane z = a x + b y as a height map.
struct PlaneMap {
  std::vector<double> z;
  RoadGrid grid;
  PlaneMap(double a, double b) : grid{2, 2, -500, -500, 1000, 1000, nullptr} {
    for (double y : {-500.0, 500.0})
      for (double x : {-500.0, 500.0}) z.push_back(a * x + b * y);
    grid.z = z.data();
  }
};

}  // namespace

// What gravity does is the height that was won, whatever the tires do: over waves of 19 %, ahead and at an angle, turning,
// with each integrator. Tolerances: the order of the method.
TEST(PlanarHeights, GravityDoesTheWorkOfTheHeight) {
  RoadSpec road = flat();
  road.rough_amp = 2, road.rough_wl = 66;
  for (const Level level : kPlanar)
    for (const double yaw : {0.0, 0.7})
      for (const Integrator method : {Integrator::rk4, Integrator::implicit}) {
        const VehicleSpec s = sedan();
        Car sim(s, road, level, method, {.yaw0 = yaw, .vx0 = 20});
        const double most = s.chassis.mass * 9.80665 * 2;
        double worst = 0;
        ASSERT_TRUE(run(sim, {.steer = 0.02, .gear = 0}, 4, 1e-3, [&](const CarOutputs& o) {
          const double height = 2 * std::sin(2 * M_PI * o.x / 66);
          worst = std::max(worst, std::fabs(sim.energy().gravity + s.chassis.mass * 9.80665 * height) / most);
        }));
        EXPECT_LT(worst, method == Integrator::rk4 ? 1e-9 : 2e-3) << name(level) << ' ' << name(method) << ' ' << yaw;
      }
}

// A slope is a slope: a height map of even slope or grade and bank of the plane itself, the car does the same. Where it is: the
// plane measures along itself, the map from above.
TEST(PlanarHeights, EvenSlopeIsGradeAndBank) {
  const double G = 0.19, B = 0.12, S = std::sqrt(1 + G * G), N = std::sqrt(1 + G * G + B * B);
  PlaneMap map(G, B);
  RoadSpec over = flat();
  over.grid = &map.grid;
  for (const Level level : kPlanar) {
    // heading along x in both: the x axis of the plane is (1, 0, G)
    Car a(sedan(), slope(G, B), level, Integrator::rk4, {.vx0 = 15}),
        b(sedan(), over, level, Integrator::rk4, {.vx0 = 15});
    double worst = 0, place = 0;
    for (int i = 0; i < 4000; ++i) {
      const Commands c{.steer = 0.05 * std::sin(2e-3 * i), .throttle = 0.3};
      ASSERT_TRUE(a.step(c, 1e-3) && b.step(c, 1e-3));
      const CarOutputs p = a.outputs(c), q = b.outputs(c);
      worst = std::max({worst, std::fabs(p.vx - q.vx), std::fabs(p.vy - q.vy), std::fabs(p.r - q.r)});
      // axes of the plane, seen from above: x (1, 0)/S, y (-B G, S^2)/(N S)
      const double x = p.x / S - p.y * B * G / (N * S), y = p.y * S / N;
      place = std::max(place, std::hypot(x - q.x, y - q.y));
    }
    EXPECT_LT(worst, 1e-9) << name(level);  // rounding, over 4000 steps
    EXPECT_LT(place, 1e-8) << name(level);
  }
}

// From one level to another and back on a slope: the car keeps its speed along the road.
TEST(PlanarHeights, ChangeOfLevelKeepsTheSpeed) {
  PlaneMap map(0.1, 0.06);
  RoadSpec road = flat();
  road.grid = &map.grid;
  CarSetup to{.vehicle = sedan(), .road = road, .level = Level::L5};
  Car sim(to.vehicle, road, Level::L2, Integrator::rk4, {.yaw0 = 0.5, .vx0 = 15});
  ASSERT_TRUE(run(sim, {.gear = 0}, 0.5, 1e-3));
  const Commands c{.gear = 0};
  const double before = std::hypot(sim.outputs(c).vx, sim.outputs(c).vy), r = sim.outputs(c).r;
  sim.change(to, c);
  const CarOutputs o = sim.outputs(c);
  EXPECT_NEAR(std::hypot(o.vx, o.vy, o.vz), before, 1e-9);
  to.level = Level::L2;
  sim.change(to, c);
  EXPECT_NEAR(std::hypot(sim.outputs(c).vx, sim.outputs(c).vy), before, 1e-6);
  EXPECT_NEAR(sim.outputs(c).r, r, 1e-3 + 1e-2 * std::fabs(r));
}
