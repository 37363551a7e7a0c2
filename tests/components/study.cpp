// SPDX-License-Identifier: Apache-2.0
// Component study: a car that nothing slows down keeps its speed for a second.
#include <cmath>
#include <cstdio>

#include <vdsim/study/run.hpp>

int main() {
  vdsim::CarSpec car;
  car.id = "car";
  car.start.vx0 = 15;
  car.vehicle.chassis.aero_drag_coeff = 0;
  vdsim::Scenario scene;
  scene.timing.duration = 1;
  scene.cars = {car};
  vdsim::RunOptions options;
  options.out = "study_run";
  const double distance = vdsim::run_scenario(scene, options).cars.at(0).distance;
  std::printf("study: %.6f m\n", distance);
  return std::abs(distance - 15) < 1e-9 ? 0 : 1;
}
