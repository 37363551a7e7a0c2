// SPDX-License-Identifier: Apache-2.0
// An own controller in the loop: hill hold on a 20 % slope. The driver lets go of the brake; the controller keeps it until the
// throttle can carry the car. Checks: the tires carry m g sin(slope), the car does not drift, and it never rolls back.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include <vdsim/engine/car.hpp>

using namespace vdsim;

static const double kGrade = 0.2, kStep = 0.002, kWeight = 1500 * 9.80665;
static const double kSlopeForce = kWeight * kGrade / std::sqrt(1 + kGrade * kGrade);  // [N]

struct HillHold {
  double kept = 0;  // brake
  Commands operator()(Commands driver, const CarOutputs& seen, const VehicleSpec& car) {
    const DrivetrainSpec& d = car.drivetrain;
    const double drive = driver.throttle * d.max_motor_torque * d.final_drive_ratio / car.chassis.wheel_radius_nominal;
    kept = std::max(kept, driver.brake);
    if (std::abs(seen.vx) > 0.1 || drive > kSlopeForce) kept = 0;
    driver.brake = std::max(driver.brake, kept);
    return driver;
  }
};

static Commands driver(double t) {
  Commands c;
  if (t < 1) c.brake = 0.8;
  if (t > 8) c.throttle = std::min(0.5 * (t - 8), 0.9);
  return c;
}

int main() {
  CarSetup setup;
  setup.road.grade = kGrade;
  Car car(setup);
  HillHold hold;
  double x2 = 0, drift = 0, force = 0, back = 0;
  while (car.time() < 12) {
    const double t = car.time();
    const Commands now = hold(driver(t), car.glance(driver(t)), setup.vehicle);
    if (!car.step(now, kStep)) return 1;
    const CarOutputs& out = car.outputs(now);
    if (t < 2) x2 = out.x;  // the bristles have settled
    if (t > 2) back = std::min(back, out.x - x2);
    if (t > 2 && t < 8) drift = std::max(drift, std::abs(out.x - x2));
    if (t < 8) force = out.wheel[0].fx + out.wheel[1].fx + out.wheel[2].fx + out.wheel[3].fx;
  }
  const double away = car.outputs({}).x - x2;
  std::printf(
      "hill_hold: tires carry %.3f N, expected %.3f; drift %.1e m in 6 s, rolled back %.1e m, then drove %.1f m\n",
      force, kSlopeForce, drift, -back, away);
  return std::abs(force - kSlopeForce) < 1e-6 * kSlopeForce && drift < 1e-6 && back > -1e-3 && away > 1 ? 0 : 1;
}
