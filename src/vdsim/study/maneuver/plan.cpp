// SPDX-License-Identifier: Apache-2.0
#include "vdsim/study/maneuver/plan.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "vdsim/config/write.hpp"
#include "vdsim/study/command_levels.hpp"
#include "vdsim/study/maneuver/planner.hpp"
#include "vdsim/study/run.hpp"

namespace vdsim {
namespace {

using Kind = YamlNode::Kind;

constexpr const char* kCarNames[] = {"mass",           "wheelbase",   "cg_to_front", "cg_to_rear",
                                     "cg_height",      "yaw_inertia", "track_front", "track_rear",
                                     "width",          "length",      "front",       "wheel_radius",
                                     "steering_ratio", "max_steer",   "understeer",  "rolling_mass"};
constexpr std::size_t kCarCount = std::size(kCarNames);

// Keys of the block `car`.
std::vector<std::string> plan_car_keys() {
  StartSpec start;
  std::vector<std::string> out = names_of(fields_of(start));
  out.insert(out.begin(), {"blueprint", "parts", "overrides"});
  return out;
}

// The wheels spin, an engine out of gear does not.
double rolling_mass(const NominalCar& car) {
  double out = car.mass;
  for (int i = 0; i < 4; ++i) out += car.inertia[i] / (car.radius[i] * car.radius[i]);
  return out;
}

// Speeds, times and frequencies; lengths and angles may point to either side.
bool never_negative(const std::string& unit) { return unit == "m/s" || unit == "s" || unit == "Hz"; }

YamlEntry entry_of(const std::string& key, YamlNode value) { return {key, value.line, value.column, std::move(value)}; }
YamlNode scalar(const YamlNode& place, std::string text) {
  YamlNode out;
  out.kind = Kind::scalar, out.line = place.line, out.column = place.column, out.text = std::move(text);
  return out;
}

}  // namespace

Planner::Planner(const Catalog& catalog, const Maneuver& maneuver, const ManeuverChanges& changes, Errors& errors)
    : catalog_(catalog), maneuver_(maneuver), changes_(changes), errors_(errors), reader_{maneuver.file, errors} {
  std::vector<Assignment> rest;
  for (const Assignment& set : changes.scene.sets)
    if (is_parameter(set.path))
      parameter_sets_.push_back({set.path, set});
    else if (set.path == "level")
      changes_.level = set.value;
    else
      rest.push_back(set);
  changes_.scene.sets = rest;
  for (const char* name : kCarNames) constants_scope_.names.push_back({name, constants_scope_.names.size()});
  for (const ManeuverParameter& p : maneuver.parameters) {
    for (const ExpressionName& name : constants_scope_.names)
      if (name.name == p.name)
        reader_.fail(p.value, "parameters." + p.name, "this name is taken: it is a value of the car or another one");
    constants_scope_.names.push_back({p.name, constants_scope_.names.size()});
  }
  constants_.assign(constants_scope_.names.size(), std::nan(""));
}

bool Planner::is_parameter(const std::string& name) const {
  return std::any_of(maneuver_.parameters.begin(), maneuver_.parameters.end(),
                     [&](const ManeuverParameter& p) { return p.name == name; });
}

bool Planner::is_set(const std::string& parameter) const {
  return std::any_of(parameter_sets_.begin(), parameter_sets_.end(),
                     [&](const auto& set) { return set.first == parameter; });
}

std::optional<Expression> Planner::expression(const YamlNode& node, const ExpressionScope& scope,
                                              const std::string& path) {
  if (node.kind != Kind::scalar) {
    reader_.fail(node, path, "expected a number or an expression, found " + describe(node));
    return std::nullopt;
  }
  Place place = reader_.at(node);
  place.column += node.quoted;
  return Expression::parse(node.text, scope, place, path, errors_);
}

double Planner::constant(const YamlNode& node, const std::string& path) {
  const auto e = expression(node, constants_scope_, path);
  return e ? e->value(constants_) : std::nan("");
}

double Planner::finite_constant(const YamlNode& node, const std::string& path) {
  const std::size_t before = errors_.size();
  const double value = constant(node, path);
  if (errors_.size() == before && !std::isfinite(value))
    reader_.fail(node, path, "expected a finite number, found " + number_text(value));
  return value;
}

Level Planner::level() {
  const std::vector<Level>& levels = maneuver_.levels;
  if (changes_.level.empty()) return levels.front();
  for (const Level level : levels)
    if (enum_name(level) == changes_.level) return level;
  errors_.add({"--level " + changes_.level, 0, 0}, "", fmt::format("{} is for {}", maneuver_.id, level_names(levels)));
  return levels.front();
}

YamlNode Planner::resolved(const YamlNode& node, const std::string& path) {
  YamlNode out = node;
  if (node.kind == Kind::scalar && !node.quoted && node.text.starts_with("=")) {
    YamlNode formula = scalar(node, node.text.substr(1));
    ++formula.column;
    const std::size_t before = errors_.size();
    const double value = constant(formula, path);
    if (errors_.size() == before && !std::isfinite(value))
      reader_.fail(node, path, "has no value here: it needs a parameter that depends on the car, or divides by zero");
    out.text = number_text(std::isfinite(value) ? value : 0);
  }
  for (YamlNode& item : out.items) item = resolved(item, path);
  for (YamlEntry& entry : out.entries) entry.value = resolved(entry.value, join_path(path, entry.key));
  return out;
}

// The scene of the manoeuvre as a scene file would say it; not whole: only what makes the car.
YamlNode Planner::scene_tree(bool whole) {
  YamlNode root, car, fleet;
  root.kind = car.kind = Kind::map;
  fleet.kind = Kind::list;
  const auto find_map = [&](const char* key) {
    const YamlNode* node = maneuver_.root.find(key);
    return node && is_map(reader_, *node, key, reader_.at(*node)) ? node : nullptr;
  };
  const YamlNode *scene_block = find_map("scene"), *car_block = find_map("car");
  const YamlNode& here = maneuver_.root;
  const std::vector<std::string> keys = plan_car_keys();
  root.line = car.line = here.line, root.column = car.column = here.column;
  root.entries.push_back(entry_of("id", scalar(here, maneuver_.id)));
  root.entries.push_back(entry_of("label", scalar(here, maneuver_.label)));
  if (whole && scene_block)
    for (const YamlEntry& e : scene_block->entries)
      root.entries.push_back({e.key, e.line, e.column, resolved(e.value, "scene." + e.key)});
  car.entries.push_back(entry_of("id", scalar(here, "ego")));
  car.entries.push_back(entry_of("level", scalar(here, enum_name(level()))));
  if (car_block)
    for (const YamlEntry& e : car_block->entries) {
      const bool makes_car = e.key == "blueprint" || e.key == "parts" || e.key == "overrides";
      if (std::find(keys.begin(), keys.end(), e.key) == keys.end())
        unknown_key(reader_, e, "car", keys);
      else if (whole || makes_car)
        car.entries.push_back({e.key, e.line, e.column, resolved(e.value, "car." + e.key)});
    }
  fleet.items.push_back(std::move(car));
  root.entries.push_back(entry_of("fleet", std::move(fleet)));
  return root;
}

// A --set that neither the scene nor the car knows may be a mistyped parameter.
std::string Planner::with_parameters(const InputError& e) const {
  std::vector<std::string> names;
  for (const ManeuverParameter& p : maneuver_.parameters) names.push_back(p.name);
  const std::string meant = nearest(e.path, names);
  if (!e.place.file.starts_with("--set") || !e.what.starts_with("unknown key") || meant.empty()) return e.what;
  return fmt::format("unknown key, did you mean the parameter '{}'?", meant);
}

// The path in this file of what read_scene() found in the tree made from it.
std::string Planner::path_here(const InputError& e) const {
  static constexpr std::string_view kCar = "fleet[0]";
  if (e.place.file != maneuver_.file || e.path.starts_with("car.")) return e.path;
  return e.path.starts_with(kCar) ? "car" + e.path.substr(kCar.size()) : join_path("scene", e.path);
}

std::optional<Scenario> Planner::scene(bool whole) {
  Errors found;  // of both passes only once
  const std::size_t before = errors_.size();
  const YamlNode tree = scene_tree(whole);
  Scenario out = read_scene(catalog_, tree, maneuver_.file, maneuver_.folder, changes_.scene, found);
  for (const CarSpec& car : out.cars)
    if (car.control == Control::external)
      found.add({maneuver_.file, 0, 0}, "car.control",
                "a manoeuvre drives its car itself, external is for vdsim run --stdio");
  const std::vector<InputError> known = errors_.list();
  for (const InputError& e : found.list()) {
    const std::string path = path_here(e);
    const bool told = std::any_of(known.begin() + static_cast<std::ptrdiff_t>(before), known.end(),
                                  [&](const InputError& k) { return k.path == path; });
    if (!told) errors_.add(e.place, path, with_parameters(e));
  }
  if (errors_.size() > before) return std::nullopt;
  out.warnings = found.warnings();
  return out;
}

void Planner::take_car(const CarSpec& car) {
  const ChassisSpec& c = car.vehicle.chassis;
  const NominalCar known = nominal_car(car.vehicle);
  const double values[kCarCount] = {c.mass,
                                    c.wheelbase,
                                    c.cg_to_front,
                                    c.cg_to_rear,
                                    c.cg_height,
                                    c.inertia_diag[2],
                                    c.track_front,
                                    c.track_rear,
                                    body_width(c),
                                    body_length(c),
                                    body_front(c),
                                    known.radius[0],
                                    car.vehicle.steering.steering_ratio,
                                    known.max_steer,
                                    known.understeer,
                                    rolling_mass(known)};
  std::copy(values, values + kCarCount, constants_.begin());
  outline_ = outline_of(c);
}

// In the order of the file: each may use the ones before it. Before the car is known, those that need it wait.
void Planner::read_parameters(bool with_car) {
  for (std::size_t i = 0; i < maneuver_.parameters.size(); ++i) {
    const ManeuverParameter& p = maneuver_.parameters[i];
    double& value = constants_[kCarCount + i];
    const std::string path = "parameters." + p.name;
    ExpressionScope scope = constants_scope_;
    scope.names.resize(kCarCount + i);
    Errors ignored;
    Errors& errors = with_car ? errors_ : ignored;
    Place place = reader_.at(p.value);
    place.column += p.value.quoted;
    std::string text = p.value.text;
    for (const auto& [name, set] : parameter_sets_)
      if (name == p.name) text = set.value, place = {set.shown, 0, 0};
    const auto e = Expression::parse(text, scope, place, path, errors);
    value = e ? e->value(constants_) : std::nan("");
    if (const auto found = changes_.parameters.find(p.name); found != changes_.parameters.end()) value = found->second;
    if (with_car && e && value < 0 && is_set(p.name) && never_negative(p.unit)) {
      const auto usual = Expression::parse(p.value.text, scope, place, path, ignored);
      if (usual && usual->value(constants_) >= 0)
        errors_.add(place, path, fmt::format("expected 0 {} or more, found {}", p.unit, number_text(value)));
    }
    if (with_car && e && !std::isfinite(value))
      errors_.add(place, path, "expected a finite number, found " + number_text(value));
  }
}

std::map<std::string, const YamlEntry*> Planner::block(const char* name, const std::vector<std::string>& keys,
                                                       const std::vector<std::string>& needed) {
  std::map<std::string, const YamlEntry*> out;
  for (const YamlEntry& entry : maneuver_.root.entries) {
    if (entry.key != name || !is_map(reader_, entry.value, name, reader_.at(entry))) continue;
    for (const YamlEntry& e : entry.value.entries)
      if (std::find(keys.begin(), keys.end(), e.key) == keys.end())
        unknown_key(reader_, e, name, keys);
      else
        out[e.key] = &e;
    const std::size_t before = errors_.size();
    for (const std::string& key : needed)
      if (!out.count(key)) reader_.fail(entry.value, join_path(name, key), "missing key");
    if (errors_.size() > before) return {};
  }
  return out;
}

std::optional<FirstPlan> Planner::first() {
  if (!maneuver_.root.find("first")) return std::nullopt;
  read_parameters(false);
  if (const auto car = scene(false)) take_car(car->cars.front());
  read_parameters(false);
  FirstPlan out;
  const auto keys = block("first", {"maneuver", "take", "set"}, {"maneuver", "take"});
  if (keys.count("maneuver")) out.maneuver = read_word(reader_, *keys.at("maneuver"), "first.maneuver").value_or("");
  if (keys.count("take") && is_map(reader_, keys.at("take")->value, "first.take", reader_.at(*keys.at("take"))))
    for (const YamlEntry& e : keys.at("take")->value.entries) {
      if (!is_parameter(e.key))
        reader_.errors.add(reader_.at(e), "first.take." + e.key, "is no parameter of this file");
      out.take[e.key] = read_word(reader_, e, "first.take." + e.key).value_or("");
    }
  if (keys.count("set") && is_map(reader_, keys.at("set")->value, "first.set", reader_.at(*keys.at("set"))))
    for (const YamlEntry& e : keys.at("set")->value.entries)
      out.parameters[e.key] = constant(e.value, "first.set." + e.key);
  return out;
}

ManeuverPlan Planner::plan() {
  ManeuverPlan out;
  out.id = maneuver_.id, out.label = maneuver_.label, out.standard = maneuver_.standard;
  out.parameters = maneuver_.parameters;
  read_parameters(false);
  const auto car = scene(false);
  take_car(car ? car->cars.front() : CarSpec{});  // a usual one finds the errors of the rest
  const std::size_t before = errors_.size();
  read_parameters(true);
  out.constants = constants_;
  for (const ExpressionName& name : constants_scope_.names) out.constant_names.push_back(name.name);
  if (errors_.size() == before)
    if (auto whole = scene(true)) out.scene = std::move(*whole);
  if (out.scene.cars.empty()) out.scene.cars.resize(1);
  level_ = out.car().level;
  read_course(out);
  read_phases(out);
  read_metrics(out);
  read_series(out);
  read_solve(out);
  read_search(out);
  return out;
}

double ManeuverPlan::parameter(const std::string& name) const {
  for (std::size_t i = 0; i < parameters.size(); ++i)
    if (parameters[i].name == name) return constants[constants.size() - parameters.size() + i];
  return std::nan("");
}

Outline outline_of(const ChassisSpec& c) { return {body_front(c), body_length(c) - body_front(c), body_width(c)}; }

std::optional<FirstPlan> first_of(const Catalog& catalog, const Maneuver& maneuver, const ManeuverChanges& changes) {
  Errors errors;
  auto out = Planner(catalog, maneuver, changes, errors).first();
  errors.throw_if_any();
  return out;
}

ManeuverPlan plan_maneuver(const Catalog& catalog, const Maneuver& maneuver, const ManeuverChanges& changes) {
  Errors errors;
  ManeuverPlan out = Planner(catalog, maneuver, changes, errors).plan();
  errors.throw_if_any();
  return out;
}

SignalScope recording_scope(const ManeuverPlan& plan) {
  SignalScope out = car_scope(plan.car(), plan.scene.road);
  out.maneuver = true;
  for (const PhasePlan& phase : plan.phases) {
    out.speed = out.speed || phase.driver[PhasePlan::speed];
    out.path = out.path || phase.follow_path;
  }
  return out;
}

std::vector<Column> recording_columns(const ManeuverPlan& plan) {
  std::vector<Column> out = signals(recording_scope(plan));
  for (Column& column : sensor_columns(plan.car().vehicle.sensors, plan.car().level == Level::L1 ? 2 : 4))
    out.push_back(std::move(column));
  return out;
}

}  // namespace vdsim
