// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "vdsim/config/write.hpp"
#include "vdsim/study/maneuver/planner.hpp"

namespace vdsim {
namespace {

using Kind = YamlNode::Kind;
const std::vector<std::string> kPhaseKeys{"name", "driver", "lasts", "until", "within", "at_most"};

ExpressionScope phase_scope(const ExpressionScope& constants, Level level) {
  ExpressionScope out;
  const std::vector<std::string> signals = phase_signals(level);
  for (const std::string& name : signals) out.names.push_back({name, out.names.size()});
  for (const std::string& name : signals)
    if (name != "t") out.names.push_back({"start." + name, out.names.size()});
  for (const ExpressionName& name : constants.names) out.names.push_back({name.name, out.names.size()});
  return out;
}

}  // namespace

std::vector<std::string> phase_signals(Level level) {
  std::vector<std::string> out(std::begin(kPhaseSlotNames), std::end(kPhaseSlotNames));
  SignalScope all;
  all.level = level, all.everything = true;
  for (const Column& signal : signals(all))
    if (signal.name != "t") out.push_back(signal.name);
  return out;
}

void Planner::read_phase_driver(const YamlNode& map, const std::string& path, PhasePlan& phase) {
  const ExpressionScope scope = phase_scope(constants_scope_, level_);
  std::vector<std::string> names(std::begin(kChannelNames), std::end(kChannelNames));
  names.push_back("path");
  for (const YamlEntry& e : map.entries) {
    const std::string where = join_path(path, e.key);
    const auto found = std::find(names.begin(), names.end(), e.key);
    if (found == names.end() && e.value.kind == Kind::null)
      reader_.errors.add(reader_.at(e), where, "unknown key; an expression with a comma inside { } needs quotes");
    else if (found == names.end())
      unknown_key(reader_, e, path, names);
    else if (e.key == "path")
      phase.follow_path = read_flag(reader_, e, where).value_or(false);
    else {
      phase.driver[static_cast<std::size_t>(found - names.begin())] = expression(e.value, scope, where);
      check_pedal(e, where);
    }
  }
}

// Of a pedal that does not change with time. One that does may meet its end: the run then says so.
void Planner::check_pedal(const YamlEntry& e, const std::string& path) {
  if (e.key != "throttle" && e.key != "brake" && e.key != "handbrake") return;
  if (e.value.kind != Kind::scalar) return;
  Errors ignored;
  const auto fixed = Expression::parse(e.value.text, constants_scope_, reader_.at(e.value), path, ignored);
  const double value = fixed && ignored.empty() ? fixed->value(constants_) : 0;
  if (value < 0 || value > 1) reader_.fail(e.value, path, "expected 0 to 1, found " + number_text(value));
}

void Planner::check_phase(const YamlNode& node, const std::string& path, const PhasePlan& p) {
  const auto clash = [&](bool both, const char* key, const char* with) {
    if (both) reader_.fail(node, join_path(path, key), fmt::format("cannot be combined with {}", with));
  };
  const auto& d = p.driver;
  const bool lasts = node.find("lasts"), until = node.find("until"), within = node.find("within"),
             at_most = node.find("at_most");
  const bool pedals = d[PhasePlan::throttle] || d[PhasePlan::brake];
  clash(d[PhasePlan::speed] && (pedals || d[PhasePlan::gear]), "driver.speed", "throttle, brake or gear");
  clash(d[PhasePlan::acceleration] && pedals, "driver.acceleration", "throttle or brake");
  clash(d[PhasePlan::acceleration] && d[PhasePlan::speed], "driver.acceleration", "speed");
  const int steering = !!d[PhasePlan::steer] + !!d[PhasePlan::steer_wheel] + !!d[PhasePlan::curvature] + p.follow_path;
  clash(steering > 1, "driver", "itself: one of steer, steer_wheel, curvature, path");
  clash(lasts && until, "lasts", "until");
  clash(within && at_most, "within", "at_most");
  if (!lasts && !until) reader_.fail(node, path, "needs one of lasts [s] and until (a condition)");
  if (until && !within && !at_most)
    reader_.fail(node, path, "until needs one of within [s] (else it fails) and at_most [s] (then it goes on)");
  if (lasts && (within || at_most)) reader_.fail(node, path, "lasts needs no within or at_most");
}

// A length of time; while parameters have no value yet it is not known.
std::optional<Expression> Planner::phase_time(const YamlNode& node, const std::string& path) {
  auto out = expression(node, constants_scope_, path);
  const bool known = std::none_of(constants_.begin(), constants_.end(), [](double x) { return std::isnan(x); });
  const Range range = between(0, kLongestManeuver);
  if (const double value = out && known ? out->value(constants_) : 0; !range.holds(value))
    reader_.fail(node, path, fmt::format("{} is out of range, expected {}", number_text(value), describe(range, "s")));
  return out;
}

void Planner::read_phase(const YamlNode& node, const std::string& path, PhasePlan& phase) {
  if (!is_map(reader_, node, path, reader_.at(node))) return;
  const ExpressionScope scope = phase_scope(constants_scope_, level_);
  for (const YamlEntry& e : node.entries) {
    const std::string where = join_path(path, e.key);
    if (e.key == "name")
      phase.name = read_word(reader_, e, where).value_or("");
    else if (e.key == "driver") {
      if (is_map(reader_, e.value, where, reader_.at(e))) read_phase_driver(e.value, where, phase);
    } else if (e.key == "lasts")
      phase.lasts = phase_time(e.value, where);
    else if (e.key == "until")
      phase.until = expression(e.value, scope, where);
    else if (e.key == "within")
      phase.within = phase_time(e.value, where);
    else if (e.key == "at_most")
      phase.at_most = phase_time(e.value, where);
    else
      unknown_key(reader_, e, path, kPhaseKeys);
  }
  if (!node.find("name"))
    reader_.fail(node, join_path(path, "name"), "missing key");
  else if (const std::string problem = expression_name_problem(phase.name); !problem.empty())
    reader_.fail(node, join_path(path, "name"), problem);
  check_phase(node, path, phase);
}

void Planner::read_phases(ManeuverPlan& out) {
  const YamlNode& list = *maneuver_.root.find("phases");
  if (list.kind != Kind::list || list.items.empty())
    return reader_.fail(list, "phases", "expected a list of phases, found " + describe(list));
  for (std::size_t i = 0; i < list.items.size(); ++i) {
    const std::string path = fmt::format("phases[{}]", i);
    PhasePlan phase;
    read_phase(list.items[i], path, phase);
    for (const PhasePlan& other : out.phases)
      if (other.name == phase.name) reader_.fail(list.items[i], path + ".name", "is taken by an earlier phase");
    if (phase.follow_path && out.course.path.empty() && !maneuver_.root.find("course"))
      reader_.fail(list.items[i], path + ".driver.path", "there is no path: the file needs a course");
    out.phases.push_back(std::move(phase));
  }
}

}  // namespace vdsim
