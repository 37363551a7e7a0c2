// SPDX-License-Identifier: Apache-2.0
// A car as a linear system at its state of now: exact derivatives of its equations (core/math/dual.hpp), docs/theory/33_derivatives.md.
#pragma once
#include <string>
#include <vector>

#include "vdsim/engine/continuous.hpp"

namespace vdsim {

// Rows by columns, row after row.
struct Matrix2 {
  std::size_t rows = 0, columns = 0;
  std::vector<double> at;
  double operator()(std::size_t i, std::size_t k) const { return at[i * columns + k]; }
};

//   y' = f(y, u),  z = g(y, u):  A = df/dy, B = df/du, C = dg/dy, D = dg/du
// y: continuous_states(); u: kLinearInputs; z: signals() of the car. Dry friction, clutches and the branches of the laws stay as they
// are at this state; L5: f takes the attitude at length 1.
struct LinearCar {
  std::vector<ContinuousState> states;
  std::vector<Column> outputs;
  std::vector<double> rates;  // y'
  Matrix2 A, B, C, D;
};
inline constexpr const char* kLinearInputs[] = {"steer", "throttle", "brake", "handbrake"};  // of Commands
inline constexpr std::size_t kLinearInputCount = 4;

// Throws BadInput with every reason why a car has no such derivatives: what in it acts in steps (engine, controllers, hydraulics,
// actuators, tires with a memory of their own) or is looked up point by point (height maps, OpenCRG, ground maps). A motor is in it.
LinearCar linearize(const Car&, const Commands& now);

}  // namespace vdsim
