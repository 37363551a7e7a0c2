// SPDX-License-Identifier: Apache-2.0
// What a driver wants at one instant, at any command level.
#pragma once
#include <cmath>
#include <limits>

#include "vdsim/config/driver_spec.hpp"
#include "vdsim/engine/car.hpp"
#include "vdsim/engine/snapshot.hpp"
#include "vdsim/engine/validate.hpp"

namespace vdsim {

// Of the command levels above the pedals and the steering at most one each is given.
struct Demand {
  static constexpr double kUnsaid = std::numeric_limits<double>::quiet_NaN();
  Commands direct;                         // steer, pedals, lever, gear, wheel torques as they are
  double speed = kUnsaid, speed_rate = 0;  // hold this speed [m/s], which changes at this rate [m/s^2]
  double acceleration = kUnsaid;           // along the gear's direction [m/s^2]
  double force = kUnsaid;                  // sum of the longitudinal contact forces [N]
  double curvature = kUnsaid;              // of the path driven, positive left [1/m]
  bool follow_path = false;                // steer along the path
  bool wheel_torques = false;              // torques come from the wheels: an engine stays out of it
  bool holds_pedals() const { return !std::isnan(speed) || !std::isnan(acceleration); }
  bool holds_steer() const { return !std::isnan(curvature) || follow_path; }
};

Demand demand_at(const DriverSpec&, double t);  // of the tables
bool same(const Demand&, const Demand&);        // to the bit; what neither says is the same
StateList demand_fields(Demand&);               // its members as users write them; those of `direct` stand among them
template <> StateList state_of_struct(Commands&);
template <> StateList state_of_struct(Demand&);

// What a demand asks for is finite, in range, at one command level each, and can be done by a car that has a path or none.
Faults validate(const Demand&, bool has_path);
// Of these fields, those without effect beside another one.
Faults overwritten(const Demand&, const std::vector<std::string>& given);
void check_demands(const Demand& now, const Demand& next,
                   bool has_path);  // throws BadInput; `next` speaks as `now` does

}  // namespace vdsim
