// SPDX-License-Identifier: Apache-2.0
// Which signal of a car goes to which input of an FMU, and which of its outputs is which command.
#pragma once
#include <array>
#include <map>
#include <string>
#include <vector>

#include "bindings/fmi/foreign.hpp"
#include "vdsim/config/scenario.hpp"
#include "vdsim/study/demand.hpp"

namespace vdsim::fmi {

// A demand as the outputs of an FMU write it: by the fields of Demand, torque_fl .. torque_rr, torque_front, torque_rear, and the
// names of the inputs that our own FMUs have.
class DemandSlots {
 public:
  DemandSlots();
  DemandSlots(const DemandSlots&) = delete;  // fields point into it
  DemandSlots& operator=(const DemandSlots&) = delete;

  std::vector<std::string> names() const;
  // The slots of a name; none: there is no such command; several: an array.
  const std::vector<std::size_t>* find(const std::string& name) const;
  const std::string& name(std::size_t slot) const { return slots_[slot].name; }
  bool is_flag(std::size_t slot) const { return slots_[slot].field.kind == FieldRef::Kind::flag; }
  bool is_torque(std::size_t slot) const { return slots_[slot].element >= 0; }
  bool is_axle(std::size_t slot) const { return slots_[slot].element >= 4; }
  void put(std::size_t slot, double value);  // throws FmuFailure for what is no command
  Demand& demand() { return demand_; }

 private:
  struct Slot {
    std::string name;
    FieldRef field;
    int element = -1;  // of the torques: wheels 0 to 3, front 4, rear 5
  };
  Demand demand_;
  std::vector<Slot> slots_;
  std::map<std::string, std::vector<std::size_t>> by_name_;
  std::array<double, 2> axles_{};
};

struct Wiring {
  struct In {
    const Port* port;
    std::vector<std::size_t> columns;  // signals, of row_columns(); none: `number`
    double number;
  };
  struct Out {
    const Port* port;
    std::vector<std::size_t> slots;
  };
  struct Parameter {
    const Port* port;
    double number;
    std::string text;
    const ControllerSpec::Wire* wire;
  };
  std::vector<In> inputs;
  std::vector<Out> outputs;
  std::vector<Parameter> parameters;
};

// Every error at its place; `notes`: what is left as it is.
Wiring wire(const CarSpec&, const RoadSpec&, const ForeignFmu&, DemandSlots&, Errors&, std::vector<std::string>& notes);

}  // namespace vdsim::fmi
