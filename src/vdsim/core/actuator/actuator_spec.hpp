// What a user says of the actuators between commands and car: dead time, lag, rate limit, saturation.
#pragma once
#include "vdsim/core/math/fields.hpp"

namespace vdsim {

// actuator.*  (schema actuator_v1, docs/theory/15_steering_and_actuators.md)
struct ActuatorSpec {
  double steer_deadtime_s = 0, steer_lag_s = 0, steer_rate_limit = 0, steer_min = -1.4, steer_max = 1.4;
  double drive_deadtime_s = 0, drive_lag_s = 0, drive_rate_limit = 0, drive_min = 0, drive_max = 1;
  double brake_deadtime_s = 0, brake_lag_s = 0, brake_rate_limit = 0, brake_min = 0, brake_max = 1;

  static constexpr auto fields() {
    using S = ActuatorSpec;
    const Range pedal = between(0, 1), angle = between(-1.4, 1.4), time = between(0, 10);
    return std::tuple{
        field("steer_deadtime_s", &S::steer_deadtime_s, "s", time, "steer: dead time"),
        field("steer_lag_s", &S::steer_lag_s, "s", time, "steer: time constant of the lag"),
        field("steer_rate_limit", &S::steer_rate_limit, "rad/s", at_least(0), "steer: largest rate; 0 = none"),
        field("steer_min", &S::steer_min, "rad", angle, "steer: lower limit; at most steer_max"),
        field("steer_max", &S::steer_max, "rad", angle, "steer: upper limit"),
        field("drive_deadtime_s", &S::drive_deadtime_s, "s", time, "throttle: dead time"),
        field("drive_lag_s", &S::drive_lag_s, "s", time, "throttle: time constant of the lag"),
        field("drive_rate_limit", &S::drive_rate_limit, "1/s", at_least(0), "throttle: largest rate; 0 = none"),
        field("drive_min", &S::drive_min, "-", pedal, "throttle: lower limit; at most drive_max"),
        field("drive_max", &S::drive_max, "-", pedal, "throttle: upper limit"),
        field("brake_deadtime_s", &S::brake_deadtime_s, "s", time, "brake: dead time"),
        field("brake_lag_s", &S::brake_lag_s, "s", time, "brake: time constant of the lag"),
        field("brake_rate_limit", &S::brake_rate_limit, "1/s", at_least(0), "brake: largest rate; 0 = none"),
        field("brake_min", &S::brake_min, "-", pedal, "brake: lower limit; at most brake_max"),
        field("brake_max", &S::brake_max, "-", pedal, "brake: upper limit")};
  }
};
VD_COMPLETE(ActuatorSpec);

}  // namespace vdsim
