// SPDX-License-Identifier: Apache-2.0
// STATE of a car out of its signals.
#pragma once
#include <span>
#include <string_view>
#include <vector>

#include "vdsim/config/scenario.hpp"
#include "vdsim/engine/column.hpp"
#include "vdsim/study/live/frames.hpp"

namespace vdsim {

// Where signals stand in a row, found by name once.
class StateReader {
 public:
  StateReader(const CarSpec&, const std::vector<Column>& signals);
  StateBody read(std::span<const double> values) const;

 private:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);  // the car has no such signal: 0
  struct Car {
    std::size_t x, y, z, roll, pitch, yaw, vx, vy, vz, p, q, r, ax, ay, steer, throttle, brake;
    std::size_t m_ax, m_ay, m_wz, m_steer, m_x, m_y;
  } car_;
  struct Wheel {
    std::size_t omega, fz, kappa, alpha, travel, fx, fy, mz;
  } wheel_[4];
  double left_[4], wheelbase_, ackermann_, radius_;  // of the wheels: to the left [m]
};

}  // namespace vdsim
