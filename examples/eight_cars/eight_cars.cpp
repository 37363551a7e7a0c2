// SPDX-License-Identifier: Apache-2.0
// Eight cars in one register of floats, each with its own speed and steer. Check: every lane has the bits of one car stepped
// alone in float, and stays with the car in double to the precision of float.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>

#include <vdsim/engine/batch/lanes.hpp>

using namespace vdsim;

static constexpr Level kLevel = Level::L2;
static constexpr double kStep = 0.005;
static constexpr int kSteps = 1000;

static double speed(int i) { return 10 + 2 * i; }
static Commands commands(int i) {
  Commands c;
  c.steer = 0.01 + 0.002 * i;
  c.throttle = 0.2;
  return c;
}

int main() {
  const CarSetup setup;
  const Model<double, kLevel> model = compile<kLevel>(setup.vehicle, setup.road);
  // the best this processor has; "float8" in place of "double4": eight cars, half the digits
  Lanes<kLevel> cars(kernel<kLevel>("float8", Numeric::exact, model), model);
  for (int i = 0; i < cars.lanes(); ++i) {
    cars.set_state(i, start<kLevel>(model, 0, 0, 0, speed(i)));
    cars.set_commands(i, commands(i));
  }
  cars.run(Integrator::rk4, kStep, kSteps);

  bool same = cars.lanes() == 8;
  double worst = 0;  // [m]
  for (int i = 0; i < cars.lanes(); ++i) {
    Lanes<kLevel> one(kernel<kLevel>("float", Numeric::exact), model);
    one.set_state(0, start<kLevel>(model, 0, 0, 0, speed(i)));
    one.set_commands(0, commands(i));
    one.run(Integrator::rk4, kStep, kSteps);
    const State<double, kLevel> lane = cars.state(i), alone = one.state(0);
    same = same && std::memcmp(&lane, &alone, sizeof lane) == 0;

    Car car(setup.vehicle, setup.road, kLevel, Integrator::rk4, {.vx0 = speed(i)});
    for (int n = 0; n < kSteps; ++n) car.step(commands(i), kStep);
    const CarOutputs& exact = car.outputs(commands(i));
    worst = std::max(worst, std::hypot(lane.x - exact.x, lane.y - exact.y));
  }
  std::printf("eight_cars: %d lanes, %s as one car; within %.1e m of double after %.0f s\n", cars.lanes(),
              same ? "same bits" : "NOT THE SAME", worst, kStep * kSteps);
  return same && worst < 1e-3 ? 0 : 1;
}
