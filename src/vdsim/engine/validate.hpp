// SPDX-License-Identifier: Apache-2.0
// What is wrong with a car, a road, a start, a step or a command. Every door asks here: the YAML reader adds file and line,
// Car refuses to be built or stepped.
#pragma once
#include <string>
#include <vector>

#include "vdsim/engine/car.hpp"
#include "vdsim/engine/reflect.hpp"

namespace vdsim {

struct RigInput;  // engine/tire_rig.hpp

std::vector<FieldRef> tire_fields(TireSpec&);  // of the schema the tire has

struct Fault {
  std::string slot;               // "chassis", "tire", ...; may be empty
  std::vector<std::string> keys;  // any of them may be the culprit, the first is named
  std::string what;
  std::string path() const;  // "chassis.mass"
  std::string text() const;  // "chassis.mass: what"
};
using Faults = std::vector<Fault>;

// Contradictions between values that are each in range.
Faults contradictions(const ChassisSpec&);
Faults contradictions(const TireSpec&);
Faults contradictions(const PowertrainSpec&);
Faults contradictions(const ControlSpec&);
Faults contradictions(const ActuatorSpec&);
Faults contradictions(const VehicleSpec&, Level);
Faults contradictions(const RoadSpec&);
Faults contradictions(const VehicleSpec&, const RoadSpec&,
                      Level);  // a tire on what lies there, a level on a road it cannot see

// Ranges of every value, and then contradictions.
Faults validate(const VehicleSpec&, Level);
Faults validate(const RoadSpec&);
Faults validate(const GroundMap&);  // path: file
Faults validate(const StartPose&);
Faults validate(const Commands&);
Faults validate(const RigInput&);
Faults validate_step(const VehicleSpec&, Level, Integrator, double dt);

void throw_if_any(const Faults&);  // BadInput with a line each

}  // namespace vdsim
