// SPDX-License-Identifier: Apache-2.0
// How long a step may be: asked of the step itself, at the car it is to move. docs/theory/02_integration.md, section 6.
#pragma once
#include <string>

#include "vdsim/engine/car.hpp"

namespace vdsim {

// What a step of this length does to a car on a level road. Each is told where it is worst.
struct StepCheck {
  double growth = 1;    // of a small disturbance over one step, beyond what the car itself does  [T02.12]
  double at_speed = 0;  // [m/s]
  double error = 0;     // of the yaw rate in a step steer, over its largest value; 0 for RK4  [T02.13]
  bool stable() const { return growth <= kMostGrowth; }
  bool works() const { return stable() && error <= kMostError; }
  // at kUsualStep and below first order is taken as it is
  static constexpr double kMostGrowth = 1.01, kMostError = 0.01, kUsualStep = 1e-3;
};
inline bool is_long_step(double dt) { return dt > StepCheck::kUsualStep * (1 + 1e-9); }
// Not to be taken on trust where no finer run stands beside it (a Sim): of first order no step is short enough.
inline bool is_doubtful_step(Integrator method, double dt) { return method != Integrator::rk4 || is_long_step(dt); }
StepCheck check_step(const VehicleSpec&, Level, Integrator, double dt, bool accuracy = true);  // or stability alone

inline constexpr double kLongestStep = 0.02;  // [s]
// The longest step of a list of round numbers that works [s], at most kLongestStep; 0 if none does.
double longest_step(const VehicleSpec&, Level, Integrator);

// What is wrong with a step of this length, and which one works; "" if nothing is. Equal cars are asked once.
std::string step_fault(const VehicleSpec&, Level, Integrator, double dt, bool accuracy);

}  // namespace vdsim
