// SPDX-License-Identifier: Apache-2.0
// Component lab: in the linear range, V / yaw gain = L + K V^2.
#include <cmath>
#include <cstdio>

#include <vdsim/lab/handling.hpp>

int main() {
  const vdsim::HandlingCar car;
  const vdsim::LinearRange at = vdsim::linear_range(car, 20);
  const double wheelbase = at.V / at.yaw_gain - at.K * at.V * at.V;
  std::printf("lab: %.6f m\n", wheelbase);
  return std::abs(wheelbase - car.vehicle.chassis.wheelbase) < 1e-6 ? 0 : 1;
}
