// SPDX-License-Identifier: Apache-2.0
// User settings of the actuators between commands and car: dead time, lag, rate limit, saturation.
#pragma once
#include "vdsim/core/math/fields.hpp"

namespace vdsim {

// actuator.*  (schema actuator_v1, docs/theory/15_steering_and_actuators.md)
struct ActuatorSpec {
  double steer_deadtime_s = 0, steer_lag_s = 0, steer_rate_limit = 0, steer_min = -1.4, steer_max = 1.4;
  double drive_deadtime_s = 0, drive_lag_s = 0, drive_rate_limit = 0, drive_min = 0, drive_max = 1;
  double brake_deadtime_s = 0, brake_lag_s = 0, brake_rate_limit = 0, brake_min = 0, brake_max = 1;
};

}  // namespace vdsim
