// SPDX-License-Identifier: Apache-2.0
// A car and its derivatives with respect to numbers of its spec, its road or its start, stepped together. docs/theory/33_derivatives.md.
#pragma once
#include <array>
#include <memory>
#include <vector>

#include "vdsim/engine/car.hpp"

namespace vdsim {

// [T33.5] (theory)  One number x of a setup: the same setup with x - 2h, x - h, x + h, x + 2h. compile() is differenced, the motion is not.
struct SetupSlope {
  std::array<CarSetup, 4> at;
  double h;
};
inline constexpr std::size_t kSlopesAtOnce = 8;

class TangentCar {
 public:
  virtual ~TangentCar() = default;
  // As Car::step, without its checks; the commands do not depend on the numbers.
  virtual void step(const Commands& from, const Commands& to, double dt) = 0;
  // Signals now, and their derivatives with respect to each number: one evaluation.
  virtual CarOutputs outputs(const Commands& now, std::vector<CarOutputs>& slopes) = 0;
};

// At most kSlopesAtOnce numbers, none of which turns a law on or off. L2. Throws BadInput where linearize() would, for another level, and for
// a start at rest on a slope, where the tires are made to hold the car.
std::unique_ptr<TangentCar> tangent_car(const CarSetup&, const std::vector<SetupSlope>&);

}  // namespace vdsim
