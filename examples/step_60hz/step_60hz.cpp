// SPDX-License-Identifier: Apache-2.0
// A game loop: 60 frames a second, the player's keys as commands, four steps per frame.
// Check: in neutral only the air slows the car, m v' = -k v^2, so that v falls from v0 to v0/(1 + k v0 t/m).
#include <cmath>
#include <cstdio>

#include <vdsim/engine/car.hpp>

using namespace vdsim;

// What the player does at time t: full throttle, a swerve, then the gear out.
static Commands keys(double t) {
  Commands c;
  if (t < 4) c.throttle = 1;
  if (t > 1 && t < 2) c.steer = t < 1.5 ? 0.02 : -0.02;
  if (t >= 4) c.gear = 0;
  return c;
}

int main() {
  CarSetup setup;
  setup.vehicle.chassis.mass = 1400;
  setup.vehicle.chassis.mass_sprung = 1250;
  setup.start.vx0 = 15;
  Car car(setup);

  constexpr double kFrame = 1.0 / 60;
  constexpr int kSteps = 4;  // per frame: a step of RK4 is at most 0.02 s, and shorter ones follow the tires better
  const auto frame = [&] {
    const Commands now = keys(car.time() + 1e-9);
    for (int i = 0; i < kSteps; ++i)
      if (!car.step(now, kFrame / kSteps)) return false;
    return true;  // here a game would draw the car at outputs(now).x, y, psi
  };
  const auto play = [&](double seconds) {
    for (int i = 0; i < std::lround(seconds / kFrame); ++i)
      if (!frame()) return false;
    return true;
  };
  if (!play(6)) return 1;
  const double v0 = car.vx();
  if (!play(10)) return 1;

  const ChassisSpec& c = setup.vehicle.chassis;
  const double k = 0.5 * 1.225 * c.aero_drag_coeff * c.frontal_area;
  // a wheel is half as heavy at its rim as its mass: I/R^2 = m/2
  double mass = c.mass;
  for (const double wheel : c.unsprung_mass) mass += 0.5 * wheel;
  const double expected = v0 / (1 + k * v0 * 10 / mass);
  std::printf("step_60hz: %.4f m/s after 10 s of coasting from %.4f, expected %.4f\n", car.vx(), v0, expected);
  return std::abs(car.vx() - expected) < 1e-4 * v0 ? 0 : 1;
}
