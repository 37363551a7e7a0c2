// SPDX-License-Identifier: Apache-2.0
// A car in a bend gets rally tires, then springs, then ice under its wheels. The forces go on, as far as the ice can carry them.
#include <cmath>
#include <cstdio>

#include <vdsim/engine/car.hpp>

using namespace vdsim;

int main() {
  CarSetup setup;
  setup.start.vx0 = 20;
  Car car(setup);
  const Commands now{.steer = 0.02, .throttle = 0.15};
  double most = 0;  // jump of the side acceleration [m/s^2]
  const auto change = [&] {
    for (int i = 0; i < 2000; ++i)
      if (!car.step(now, 1e-3)) return ForceJump{};
    const double before = car.outputs(now).ay;
    const ForceJump lost = car.change(setup, now);
    most = std::fmax(most, std::fabs(car.outputs(now).ay - before));
    return lost;
  };

  for (TireSpec* tire :
       {&setup.vehicle.tire_fl, &setup.vehicle.tire_fr, &setup.vehicle.tire_rl, &setup.vehicle.tire_rr})
    tire->schema = TireSchema::rally_v1;
  change();
  setup.level = Level::L5;
  change();
  const double jump = most;
  setup.road.mu = 0.1;
  const ForceJump lost = change();

  const EnergyBalance e = car.energy();
  std::printf(
      "change_car: side acceleration jumps by %.1e m/s^2, ice takes %.0f N from the front left wheel; "
      "changes added %.1f J, residual %.1e J\n",
      jump, std::fabs(lost.fy[0]), e.changed + e.changed_tires, e.residual());
  return jump < 0.01 && std::fabs(lost.fy[0]) > 100 && std::fabs(e.residual()) < 1e-6 * e.kinetic ? 0 : 1;
}
