// SPDX-License-Identifier: Apache-2.0
#include "bindings/fmi/wiring.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include "bindings/fmi/variables.hpp"
#include "vdsim/engine/errors.hpp"
#include "vdsim/formats/shown.hpp"
#include "vdsim/study/command_levels.hpp"
#include "vdsim/study/scene_car.hpp"

namespace vdsim::fmi {

using FieldKind = FieldRef::Kind;
using Wire = ControllerSpec::Wire;
using NameList = std::vector<std::string>;

// --- commands

DemandSlots::DemandSlots() {
  const auto add = [&](const std::string& name, const FieldRef& field, int element) {
    by_name_[name] = {slots_.size()};
    slots_.push_back({name, field, element});
  };
  for (const FieldRef& field : demand_fields(demand_)) {
    if (std::string_view(field.name) == "wheel_torques") continue;  // follows from the others
    if (field.kind != FieldKind::list) {
      add(field.name, field, -1);
      continue;
    }
    for (int i = 0; const std::string& wheel : wheel_names(Level::L2)) {
      add(fmt::format("{}_{}", field.name, wheel), field, i);
      by_name_[field.name].push_back(slots_.size() - 1);
      by_name_[fmt::format("{}[{}]", field.name, ++i)] = {slots_.size() - 1};
    }
    add("torque_front", field, 4), add("torque_rear", field, 5);
  }
  for (const Input& input : inputs())
    if (const auto found = by_name_.find(input.driver); found != by_name_.end()) by_name_[input.name] = found->second;
}

NameList DemandSlots::names() const {
  NameList out;
  for (const Slot& slot : slots_) out.push_back(slot.name);
  return out;
}

const std::vector<std::size_t>* DemandSlots::find(const std::string& name) const {
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? nullptr : &found->second;
}

void DemandSlots::put(std::size_t at, double value) {
  const Slot& slot = slots_[at];
  if (!std::isfinite(value)) throw FmuFailure(fmt::format("{} is not finite", slot.name));
  if (is_axle(at)) {
    axles_[static_cast<std::size_t>(slot.element - 4)] = value;
    const WheelTorques torques = axle_torques(axles_[0], axles_[1]);
    std::copy(torques.torque, torques.torque + 4, demand_.direct.torque.begin());
  } else if (is_torque(at)) {
    slot.field.list()[slot.element] = value;
  } else if (slot.field.kind == FieldKind::flag) {
    slot.field.flag() = value != 0;
  } else if (slot.field.kind == FieldKind::integer) {
    if (value != std::floor(value) || std::abs(value) > 1000)
      throw FmuFailure(fmt::format("{}: {} is no gear", slot.name, number_text(value)));
    slot.field.integer() = static_cast<int>(value);
  } else {
    slot.field.number() = value;
  }
  if (is_torque(at)) demand_.wheel_torques = true;
}

namespace {

std::optional<double> number_in(const std::string& text) {
  double out = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(out)) return std::nullopt;
  return out;
}

// The signals of a car by every name they have: columns of run.csv, and those of our FMUs.
class SignalNames {
 public:
  SignalNames(const CarSpec& car, const RoadSpec& road) {
    const std::vector<Column> columns = row_columns(car, road);
    for (const Variable& v : signal_variables(car, road)) {
      const auto at = static_cast<std::size_t>(v.column);
      for (const std::string& name : {columns[at].name, v.name, v.alias})
        if (!name.empty() && of_.try_emplace(name, std::vector{at}).second) names_.push_back(name);
      if (!v.array.empty()) of_[v.array].push_back(at);
    }
  }
  const std::vector<std::size_t>* find(const std::string& name) const {
    const auto found = of_.find(name);
    return found == of_.end() ? nullptr : &found->second;
  }
  const NameList& names() const { return names_; }

 private:
  std::map<std::string, std::vector<std::size_t>> of_;
  NameList names_;
};

class Wirer {
 public:
  Wirer(const CarSpec& car, const RoadSpec& road, const ForeignFmu& fmu, DemandSlots& slots, Errors& errors,
        NameList& notes)
      : car_(car),
        spec_(car.controller),
        signals_(car, road),
        fmu_(fmu),
        slots_(slots),
        errors_(errors),
        notes_(notes) {}

  Wiring wire() {
    for (const Wire& w : spec_.inputs) input(w);
    for (const Port& port : fmu_.ports())
      if (port.causality == "input" && !wired(out_.inputs, port)) input_by_name(port);
    for (const Wire& w : spec_.outputs) output(w);
    for (const Port& port : fmu_.ports())
      if (port.causality == "output" && !wired(out_.outputs, port)) output_by_name(port);
    for (const Wire& w : spec_.parameters) parameter(w);
    if (errors_.empty()) check_commands();
    return std::move(out_);
  }

 private:
  void fail(const Wire& w, std::string what) { errors_.add(w.place, w.path, std::move(what)); }
  void fail(const char* key, std::string what) {
    errors_.add(spec_.place, fmt::format("{}.{}", spec_.path, key), std::move(what));
  }
  template <class List> static bool wired(const List& list, const Port& port) {
    return std::any_of(list.begin(), list.end(), [&](const auto& each) { return each.port == &port; });
  }

  // The port a wire names, if numbers go through it.
  const Port* port_of(const Wire& w, const char* causality) {
    NameList names;
    for (const Port& port : fmu_.ports())
      if (port.causality == causality) {
        if (port.name == w.name) return &port;
        names.push_back(printable(port.name));
      }
    fail(w, fmt::format("the FMU has no {} {}{}", causality, shown(w.name), suggestion(w.name, names)));
    return nullptr;
  }
  bool fits(const Port& port, std::size_t count) const {
    return port.holds != Port::Holds::text && port.holds != Port::Holds::other && port.count == count &&
           count <= Port::kMost;
  }
  static std::string shape(const Port& port) {
    return port.count == 1 ? port.type : fmt::format("{}[{}]", port.type, port.count);
  }

  void input(const Wire& w) {
    const Port* port = port_of(w, "input");
    const auto number = number_in(w.to);
    const auto* columns = number ? nullptr : signals_.find(w.to);
    if (!number && !columns)
      return fail(w,
                  fmt::format("car {} has no signal {}{}", car_.id, shown(w.to), suggestion(w.to, signals_.names())));
    if (!port) return;
    if (!fits(*port, number ? 1 : columns->size()))
      return fail(w, fmt::format("{} cannot go to an input of {}", shown(w.to), shape(*port)));
    out_.inputs.push_back({port, columns ? *columns : std::vector<std::size_t>{}, number.value_or(0)});
  }
  void input_by_name(const Port& port) {
    if (std::any_of(spec_.inputs.begin(), spec_.inputs.end(), [&](const Wire& w) { return w.name == port.name; }))
      return;  // told already
    const auto* columns = signals_.find(port.name);
    if (columns && fits(port, columns->size()))
      out_.inputs.push_back({&port, *columns, 0});
    else if (port.holds == Port::Holds::text || port.holds == Port::Holds::other)
      note(fmt::format("input {} of type {} keeps its start value", printable(port.name), port.type));
    else
      fail("inputs", fmt::format("nobody wires the input {} ({}): name a signal or give a number{}", shown(port.name),
                                 shape(port), near(port.name, signals_.names())));
  }
  static std::string near(const std::string& word, const NameList& names) {
    const std::string found = nearest(word, names);
    return found.empty() ? "" : fmt::format(", perhaps '{}'", found);
  }

  void output(const Wire& w) {
    const Port* port = port_of(w, "output");
    const auto* slots = slots_.find(w.to);
    if (!slots) return fail(w, fmt::format("no command {}{}", shown(w.to), suggestion(w.to, slots_.names())));
    if (!port) return;
    if (!fits(*port, slots->size()) || (slots_.is_flag(slots->front()) && port->holds == Port::Holds::number))
      return fail(w, fmt::format("an output of {} cannot be {}", shape(*port), shown(w.to)));
    for (const Wiring::Out& other : out_.outputs)
      for (const std::size_t slot : other.slots)
        if (std::find(slots->begin(), slots->end(), slot) != slots->end())
          return fail(w, fmt::format("{} comes from {} already", slots_.name(slot), shown(other.port->name)));
    out_.outputs.push_back({port, *slots});
  }
  // A block `outputs` says all of them: an output may have the name of a command and be none.
  void output_by_name(const Port& port) {
    const auto* slots = spec_.outputs.empty() ? slots_.find(port.name) : nullptr;
    const bool flag = slots && slots_.is_flag(slots->front()) && port.holds == Port::Holds::number;
    if (slots && fits(port, slots->size()) && !flag)
      out_.outputs.push_back({&port, *slots});
    else
      unused_.push_back(printable(port.name));
  }

  void parameter(const Wire& w) {
    const Port* port = port_of(w, "parameter");
    if (!port) return;
    using Holds = Port::Holds;
    std::optional<double> number = number_in(w.to);
    if (port->holds == Holds::flag && !number)
      number = w.to == "true" ? std::optional(1.) : w.to == "false" ? std::optional(0.) : std::nullopt;
    for (std::size_t i = 0; i < port->items.size(); ++i)
      if (port->items[i] == w.to) number = static_cast<double>(port->item_values[i]);
    if (port->holds == Holds::text) number = 0;
    if (port->count != 1 || port->holds == Holds::other)
      return fail(w, fmt::format("a parameter of {} cannot be set", shape(*port)));
    if (!number || (port->holds == Holds::whole && *number != std::floor(*number)))
      return fail(w, fmt::format("expected {}, found {}",
                                 port->holds == Holds::number  ? "a number"
                                 : port->holds == Holds::whole ? "a whole number"
                                                               : "true or false",
                                 shown(w.to)) +
                         (port->items.empty() ? "" : suggestion(w.to, port->items)));
    out_.parameters.push_back({port, *number, w.to, &w});
  }

  // What the commands must not be together, or for this car.
  void check_commands() {
    if (out_.outputs.empty())
      return fail("outputs", fmt::format("none of the FMU's outputs ({}) is a command: say which is which of {}",
                                         unused_.empty() ? "it has none" : fmt::format("{}", fmt::join(unused_, ", ")),
                                         fmt::join(slots_.names(), ", ")));
    if (!unused_.empty()) note(fmt::format("outputs that are no commands: {}", fmt::join(unused_, ", ")));
    NameList given;
    bool axles = false, wheels = false, steers = false;
    for (const Wiring::Out& out : out_.outputs)
      for (const std::size_t slot : out.slots) {
        slots_.put(slot, 0);
        const std::string& name = slots_.name(slot);
        given.push_back(slots_.is_torque(slot) ? "torque" : name);
        axles |= slots_.is_axle(slot), wheels |= slots_.is_torque(slot) && !slots_.is_axle(slot);
        steers |= name == "steer" || name == "curvature" || name == "follow_path";
      }
    if (axles && wheels) fail("outputs", "torques of axles and of wheels cannot be combined");
    Demand& demand = slots_.demand();
    const bool path = car_.driver.path.given();
    demand.follow_path = path && !steers;
    for (const Faults& faults : {overwritten(demand, given), validate(demand, path)})
      for (const Fault& fault : faults) fail("outputs", fault.text());
    if (!path && std::find(given.begin(), given.end(), "follow_path") != given.end())
      fail("outputs", "follow_path: the driver of this scene has no path");
  }
  void note(const std::string& text) {
    notes_.push_back(fmt::format("{}: {}: {}", spec_.place.file, spec_.path, text));
  }

  const CarSpec& car_;
  const ControllerSpec& spec_;
  const SignalNames signals_;
  const ForeignFmu& fmu_;
  DemandSlots& slots_;
  Errors& errors_;
  NameList& notes_;
  NameList unused_;
  Wiring out_;
};

}  // namespace

Wiring wire(const CarSpec& car, const RoadSpec& road, const ForeignFmu& fmu, DemandSlots& slots, Errors& errors,
            NameList& notes) {
  return Wirer(car, road, fmu, slots, errors, notes).wire();
}

}  // namespace vdsim::fmi
