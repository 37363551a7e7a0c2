// SPDX-License-Identifier: Apache-2.0
// Field tables: actuators between commands and car.
#include "vdsim/core/actuator/actuator_spec.hpp"
#include "vdsim/engine/tables/table.hpp"

namespace vdsim {

template <> std::vector<FieldRef> fields_of(ActuatorSpec& s) {
  const Range pedal = between(0, 1), angle = between(-1.4, 1.4), time = between(0, 10);
  return table<ActuatorSpec>(
      {field("steer_deadtime_s", s.steer_deadtime_s, "s", time, "steer: dead time"),
       field("steer_lag_s", s.steer_lag_s, "s", time, "steer: time constant of the lag"),
       field("steer_rate_limit", s.steer_rate_limit, "rad/s", at_least(0), "steer: largest rate; 0 = none"),
       field("steer_min", s.steer_min, "rad", angle, "steer: lower limit; at most steer_max"),
       field("steer_max", s.steer_max, "rad", angle, "steer: upper limit"),
       field("drive_deadtime_s", s.drive_deadtime_s, "s", time, "throttle: dead time"),
       field("drive_lag_s", s.drive_lag_s, "s", time, "throttle: time constant of the lag"),
       field("drive_rate_limit", s.drive_rate_limit, "1/s", at_least(0), "throttle: largest rate; 0 = none"),
       field("drive_min", s.drive_min, "-", pedal, "throttle: lower limit; at most drive_max"),
       field("drive_max", s.drive_max, "-", pedal, "throttle: upper limit"),
       field("brake_deadtime_s", s.brake_deadtime_s, "s", time, "brake: dead time"),
       field("brake_lag_s", s.brake_lag_s, "s", time, "brake: time constant of the lag"),
       field("brake_rate_limit", s.brake_rate_limit, "1/s", at_least(0), "brake: largest rate; 0 = none"),
       field("brake_min", s.brake_min, "-", pedal, "brake: lower limit; at most brake_max"),
       field("brake_max", s.brake_max, "-", pedal, "brake: upper limit")});
}

}  // namespace vdsim
