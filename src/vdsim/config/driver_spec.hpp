// SPDX-License-Identifier: Apache-2.0
// Commands of a driver, as written in a scene.
#pragma once
#include <array>
#include <vector>

#include "vdsim/core/math/fields.hpp"

namespace vdsim {

// A value over time: linear between the points, held outside. No points = not given.
struct Table {
  struct Point {
    double t, value;  // t [s], strictly increasing
  };
  std::vector<Point> points;
  bool given() const { return !points.empty(); }
};

// Way points to follow.
struct PathSpec {
  std::vector<std::array<double, 2>> points;  // [x, y] on the road plane [m]
  bool given() const { return !points.empty(); }
};

// 0 = ideal, except preview.
struct HumanSpec {
  double preview = 1.0;
  double delay = 0, bandwidth = 0, steer_rate = 0, noise = 0;
  int seed = 1;
};

// What the driver does, at any command level: one of pedals, wheel torques, axle torques, force, acceleration, speed;
// and one of steer, curvature, path.
struct DriverSpec {
  Table steer, throttle, brake, handbrake, gear, speed;
  Table torque_fl, torque_fr, torque_rl, torque_rr, torque_front, torque_rear, force, acceleration, curvature;
  PathSpec path;
  double lookahead = 8;
  bool path_closed = false;
  HumanSpec human{0};  // preview 0: nobody looks ahead, `lookahead` decides
};

}  // namespace vdsim
