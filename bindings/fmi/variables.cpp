// SPDX-License-Identifier: Apache-2.0
#include "bindings/fmi/variables.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "vdsim/config/write.hpp"
#include "vdsim/engine/continuous.hpp"
#include "vdsim/engine/errors.hpp"
#include "vdsim/engine/tables/table.hpp"
#include "vdsim/engine/tire_rig.hpp"
#include "vdsim/study/scene_car.hpp"

namespace vdsim::fmi {
namespace {

// Value references. 1 to 3 and 10 to 17 are those of FMUs of VDSim 0.7, with their names.
constexpr std::uint32_t kFirstSignal = 100, kFirstParameter = 1000, kFirstState = 10000, kFirstRate = 11000,
                        kFirstIndicator = 12000;
struct OldName {
  const char *signal, *name;
  std::uint32_t vr;
};
constexpr OldName kOldNames[] = {{"x", "x_world", 10},  {"y", "y_world", 11}, {"psi", "yaw", 12},
                                 {"vx", "", 13},        {"vy", "", 14},       {"r", "yaw_rate", 15},
                                 {"ax", "ax_body", 16}, {"ay", "ay_body", 17}};

// Signals that jump: gears, and per wheel what is held and where ABS acts.
constexpr const char* kJump[] = {"gear", "held", "abs"};

Variable time_variable() {
  Variable out;
  out.name = "time", out.vr = 0, out.unit = "s", out.meaning = "of the simulation";
  out.causality = Causality::independent;
  return out;
}

void add_inputs(const Options& options, std::vector<Variable>& out) {
  DriverSpec driver;
  for (int i = 0; const Input& input : inputs()) {
    const int number = i++;
    if (std::find(input.levels.begin(), input.levels.end(), options.command_level) == input.levels.end()) continue;
    Variable v;
    v.name = input.name, v.vr = input.vr, v.input = number;
    v.causality = Causality::input;
    for (const FieldRef& field : fields_of(driver))
      if (std::string_view(field.name) == input.driver)
        v.unit = field.unit, v.meaning = field.meaning, v.range = field.range;
    if (v.name == "gear") v.type = Type::integer, v.variability = Variability::discrete, v.start = 1;
    out.push_back(std::move(v));
  }
}

void add_control(const Options& options, std::vector<Variable>& out) {
  Variable v;
  v.name = "control", v.vr = kControlReference;
  v.meaning = "who drives: the driver of the scene (the inputs are not read), or the inputs";
  v.type = Type::enumeration, v.items = enum_names<Control>();
  v.causality = Causality::parameter, v.variability = Variability::fixed;
  v.start = 1 + static_cast<int>(options.control);
  out.push_back(std::move(v));
}

// fx_fl and its likes become wheel.fx[1], ...; an output that an input has the name of becomes gear_applied.
void name_output(const std::string& column, const std::vector<std::string>& wheels, const std::set<std::string>& taken,
                 Variable& v) {
  v.name = taken.count(column) ? column + "_applied" : column;
  for (std::size_t i = 0; i < wheels.size(); ++i) {
    const std::string ending = "_" + wheels[i];
    if (!column.ends_with(ending) || column.size() == ending.size()) continue;
    const std::string stem = column.substr(0, column.size() - ending.size());
    v.array = stem.starts_with("m_") ? stem : "wheel." + stem;
    v.index = static_cast<int>(i), v.count = static_cast<int>(wheels.size());
    v.name = v.array + "[" + std::to_string(i + 1) + "]";
  }
}

void add_outputs(const CarSpec& car, const RoadSpec& road, std::vector<Variable>& out) {
  const std::vector<Variable> made = signal_variables(car, road);
  // the elements of an array stand together
  std::map<std::string, std::vector<Variable>> arrays;
  for (const Variable& v : made)
    if (!v.array.empty()) arrays[v.array].push_back(v);
  std::uint32_t next = kFirstSignal;
  for (const Variable& v : made) {
    if (v.index > 0) continue;
    const std::vector<Variable> group = v.array.empty() ? std::vector{v} : arrays[v.array];
    for (Variable each : group) {
      if (each.vr == 0) each.vr = next++;
      out.push_back(std::move(each));
    }
  }
  if (next > kFirstParameter) throw BadInput("the car has more signals than an FMU has references for");
}

// A tire alone: what the rig does to it, what comes out, its states as `vdsim rig --states` names them.
void add_rig(const TireSpec& tire, std::vector<Variable>& out) {
  const RigInput start;
  std::set<std::string> taken;
  for_each_field<RigInput>([&](const auto& field) {
    Variable v;
    v.name = field.name, v.unit = field.unit, v.meaning = field.meaning, v.range = field.range;
    v.input = static_cast<int>(taken.size()), v.vr = static_cast<std::uint32_t>(v.input + 1);
    v.causality = Causality::input, v.start = start.*field.member;
    taken.insert(v.name);
    out.push_back(std::move(v));
  });
  std::vector<Column> columns;
  for_each_field<RigOutput>([&](const auto& field) { columns.push_back({field.name, field.unit, field.meaning}); });
  for (Column& state : TireRig(tire).state_columns()) columns.push_back(std::move(state));
  for (int i = 0; const Column& column : columns) {
    Variable v;
    name_output(column.name, {}, taken, v);
    v.unit = column.unit, v.meaning = column.meaning, v.column = i++;
    v.vr = kFirstSignal + static_cast<std::uint32_t>(v.column);
    out.push_back(std::move(v));
  }
}

std::string unit_per_second(const std::string& unit) {
  if (unit.ends_with("/s")) return unit + "^2";
  return unit == "-" ? "1/s" : unit == "degC" ? "K/s" : unit + "/s";
}

// Model exchange: states, their rates, event indicators.
void add_continuous(const Scenario& scene, std::vector<Variable>& out) {
  const CarSpec& car = scene.cars.at(0);
  Car built(car.vehicle, scene.road, car.level, scene.solver.integrator, {});
  const ContinuousCar view(built);
  const auto add = [&](std::uint32_t vr, const std::string& name, const std::string& unit, const std::string& meaning) {
    Variable v;
    v.vr = vr, v.name = name, v.unit = unit, v.meaning = meaning, v.causality = Causality::local;
    out.push_back(std::move(v));
  };
  for (int i = 0; const ContinuousState& s : view.states()) {
    const auto at = static_cast<std::uint32_t>(i);
    add(kFirstState + at, "state." + s.name, s.unit, s.meaning);
    out.back().state = i, out.back().nominal = s.nominal;
    add(kFirstRate + at, "der(state." + s.name + ")", unit_per_second(s.unit), "rate of state." + s.name);
    out.back().rate = i++;
  }
  for (int i = 0; i < static_cast<int>(view.indicators()); ++i) {
    const bool wheel = i < built.wheels();
    add(kFirstIndicator + static_cast<std::uint32_t>(i), "event[" + std::to_string(i + 1) + "]", "-",
        wheel ? "wheel " + std::to_string(i + 1) + ": above 0 while it turns on, or is held"
              : "LSD clutch: above 0 while it slips on, or is locked");
    out.back().indicator = i;
  }
}

bool tunable(const std::string& path, DocumentKind of) {
  if (of == DocumentKind::part) return false;  // the road friction of a tire alone is an input
  return path == "mu" || (path.starts_with("tire") && path.ends_with(".mu_nominal"));
}

// Which signals there are follows from these, so they cannot change any more.
bool frozen(const DocumentField& row) {
  using Kind = DocumentField::Kind;
  return row.path == "level" || row.kind == Kind::choice || (row.kind == Kind::flag && row.path.ends_with("enabled"));
}

void add_parameters(const Document& document, const Options& options, std::vector<Variable>& out) {
  using Kind = DocumentField::Kind;
  std::uint32_t vr = kFirstParameter;
  for (const DocumentField& row : document.fields()) {
    const std::uint32_t own = vr++;  // of every field: --parameters changes no reference
    if (row.path == "control" || row.path == "cmd_timeout") continue;  // add_control(); inputs never get stale
    const bool plain =
        row.kind == Kind::number || row.kind == Kind::integer || row.kind == Kind::flag || row.kind == Kind::choice;
    if (!plain || !row.said() || !matches(options.parameters, row.path)) continue;
    Variable v;
    v.name = v.path = row.path, v.vr = own;
    v.unit = row.field.unit, v.meaning = row.field.meaning, v.range = row.field.range;
    v.causality = frozen(row) ? Causality::local : Causality::parameter;
    v.variability = frozen(row)                          ? Variability::constant
                    : tunable(row.path, document.kind()) ? Variability::tunable
                                                         : Variability::fixed;
    if (row.kind == Kind::number) v.start = row.field.number();
    if (row.kind == Kind::integer) v.type = Type::integer, v.start = row.field.integer();
    if (row.kind == Kind::flag) v.type = Type::boolean, v.start = row.field.flag();
    if (row.kind == Kind::choice) {
      v.type = Type::enumeration, v.items = row.field.choices();
      v.start = 1 + row.field.get_choice(row.field.data);
    }
    out.push_back(std::move(v));
  }
}

}  // namespace

std::vector<Variable> signal_variables(const CarSpec& car, const RoadSpec& road) {
  std::set<std::string> taken;
  for (const Input& input : inputs()) taken.insert(input.name);
  const std::vector<std::string> wheels = wheel_names(car.level);
  const std::vector<Column> columns = row_columns(car, road);
  std::vector<Variable> out;
  for (int i = 0; const Column& column : columns) {
    Variable v;
    v.unit = column.unit, v.meaning = column.meaning, v.column = i++;
    for (const char* jumps : kJump)
      if (column.name == jumps || column.name.starts_with(std::string(jumps) + "_"))
        v.variability = Variability::discrete;
    name_output(column.name, wheels, taken, v);
    for (const OldName& old : kOldNames)
      if (column.name == old.signal) v.vr = old.vr, v.alias = old.name;
    out.push_back(std::move(v));
  }
  return out;
}

const std::vector<Input>& inputs() {
  static const std::vector<Input> all{{"steer_angle_wheel", "steer", 1, {1, 2, 3, 4, 5, 6}},
                                      {"throttle", "throttle", 2, {4}},
                                      {"brake", "brake", 3, {4}},
                                      {"handbrake", "handbrake", 4, {4}},
                                      {"gear", "gear", 5, {4, 5}},
                                      {"torque_fl", "torque_fl", 6, {1}},
                                      {"torque_fr", "torque_fr", 7, {1}},
                                      {"torque_rl", "torque_rl", 8, {1}},
                                      {"torque_rr", "torque_rr", 9, {1}},
                                      {"torque_front", "torque_front", 20, {2}},
                                      {"torque_rear", "torque_rear", 21, {2}},
                                      {"force", "force", 22, {3}},
                                      {"acceleration", "acceleration", 23, {5}},
                                      {"speed", "speed", 24, {6, 7, 8}},
                                      {"curvature", "curvature", 25, {7}}};
  return all;
}

Demand demand_of(const std::vector<double>& in, int level) {
  Demand out;
  Commands& c = out.direct;
  c.steer = in[0], c.throttle = in[1], c.brake = in[2], c.handbrake = in[3], c.gear = static_cast<int>(in[4]);
  for (std::size_t i = 0; i < 4; ++i)
    c.torque[i] = level == 1 ? in[5 + i] : level == 2 ? axle_torques(in[9], in[10]).torque[i] : 0;
  out.wheel_torques = level == 1 || level == 2;
  if (level == 3) out.force = in[11];
  if (level == 5) out.acceleration = in[12];
  if (level >= 6) out.speed = in[13];
  if (level == 7) out.curvature = in[14];
  out.follow_path = level == 8;
  return out;
}

std::vector<Variable> fmu_variables(const Document& document, const Options& options) {
  std::vector<Variable> out{time_variable()};
  if (const Part* part = document.part()) {
    add_rig(part->tire, out);
    add_parameters(document, options, out);
    return out;
  }
  const Scenario& scene = *document.scene();
  const CarSpec& car = scene.cars.at(0);
  if (options.command_level == 8 && !car.driver.path.given())
    throw bad_value("command level 8", "the driver of this scene has no path to follow");
  add_inputs(options, out);
  add_control(options, out);
  add_outputs(car, scene.road, out);
  if (options.kind != Kind::cs) add_continuous(scene, out);
  add_parameters(document, options, out);
  if (!out.back().path.empty() && out.back().vr >= kFirstState)
    throw BadInput("the scene has more values than an FMU has references for");
  return out;
}

std::vector<std::string> not_exchangeable(const CarSpec& car, const Options& options) {
  std::vector<std::string> out = not_continuous(car.vehicle, car.level);
  if (car.driver.path.given()) out.emplace_back("driver.path");
  if (options.control == Control::internal)
    out.emplace_back("control internal (--control external lets the inputs drive)");
  if (options.command_level != 4) out.emplace_back("command level " + std::to_string(options.command_level));
  return out;
}

bool matches(const std::string& globs, const std::string& text) {
  const auto one = [](auto& self, std::string_view glob, std::string_view word) -> bool {
    if (glob.empty()) return word.empty();
    if (glob[0] == '*') return self(self, glob.substr(1), word) || (!word.empty() && self(self, glob, word.substr(1)));
    return !word.empty() && (glob[0] == '?' || glob[0] == word[0]) && self(self, glob.substr(1), word.substr(1));
  };
  for (std::size_t from = 0; from <= globs.size();) {
    const std::size_t comma = std::min(globs.find(',', from), globs.size());
    if (one(one, std::string_view(globs).substr(from, comma - from), text)) return true;
    from = comma + 1;
  }
  return false;
}

std::string Options::text() const {
  return "{\"holds\": \"" + enum_name(holds) + "\", \"kind\": \"" + enum_name(kind) +
         "\", \"command_level\": " + std::to_string(command_level) + ", \"control\": \"" + enum_name(control) +
         "\", \"parameters\": " + quoted_text(parameters) + "}\n";
}

Options Options::read(const YamlNode& root, const std::string& file, Errors& errors) {
  Options out;
  const Reader reader{file, errors};
  if (!is_map(reader, root, "", {file, 1, 1})) return out;
  for (const YamlEntry& entry : root.entries) {
    if (entry.key == "holds")
      out.holds =
          static_cast<DocumentKind>(read_choice(reader, entry, entry.key, enum_names<DocumentKind>()).value_or(0));
    else if (entry.key == "kind")
      out.kind = static_cast<Kind>(read_choice(reader, entry, entry.key, enum_names<Kind>()).value_or(0));
    else if (entry.key == "command_level")
      out.command_level = read_integer(reader, entry, entry.key, between(1, 8)).value_or(4);
    else if (entry.key == "control")
      out.control = static_cast<Control>(read_choice(reader, entry, entry.key, enum_names<Control>()).value_or(0));
    else if (entry.key == "parameters")
      out.parameters = read_word(reader, entry, entry.key).value_or("*");
    else
      unknown_key(reader, entry, "", {"holds", "kind", "command_level", "control", "parameters"});
  }
  return out;
}

std::string token_of(const std::string& scene_text, const Options& options, const std::vector<Variable>& variables) {
  std::string list = options.text();
  for (const Variable& v : variables)
    list += v.name + " " + std::to_string(v.vr) + " " + std::to_string(static_cast<int>(v.type)) + " " +
            number_text(v.start) + "\n";
  return "{" + hash_text(scene_text) + "-" + hash_text(list) + "}";
}

}  // namespace vdsim::fmi
