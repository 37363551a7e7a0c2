// SPDX-License-Identifier: Apache-2.0
// A plan written out as a manoeuvre file that repeats the run.
#include <fmt/core.h>

#include <algorithm>

#include "vdsim/config/write.hpp"
#include "vdsim/study/maneuver/plan.hpp"

namespace vdsim {
namespace {

using Kind = YamlNode::Kind;

bool plain(const std::string& text) {
  return !text.empty() && text.find_first_of(":#[]{},\"'\n&*!|>%@`") == std::string::npos && text.front() != ' ' &&
         text.back() != ' ' && text.front() != '?' && text != "-" && !text.starts_with("- ");
}
std::string scalar_text(const YamlNode& node) {
  if (node.kind == Kind::null) return "null";
  return node.quoted || !plain(node.text) ? quoted_text(node.text) : node.text;
}

std::string flow_text(const YamlNode& node) {
  std::string out;
  if (node.kind == Kind::list) {
    for (const YamlNode& item : node.items) out += (out.empty() ? "" : ", ") + flow_text(item);
    return fmt::format("[{}]", out);
  }
  if (node.kind != Kind::map) return scalar_text(node);
  for (const YamlEntry& e : node.entries) out += (out.empty() ? "" : ", ") + e.key + ": " + flow_text(e.value);
  return fmt::format("{{{}}}", out);
}

bool simple(const YamlNode& node) {
  const auto leaf = [](const YamlNode& n) { return n.kind == Kind::scalar || n.kind == Kind::null; };
  if (leaf(node)) return true;
  if (node.kind == Kind::list) return std::all_of(node.items.begin(), node.items.end(), simple);
  return node.entries.empty();
}

// As lines after `indent` spaces.
std::string tree_text(const YamlNode& map, int indent) {
  std::string out;
  for (const YamlEntry& e : map.entries) {
    out += fmt::format("{:{}}{}:", "", indent, e.key);
    if (simple(e.value))
      out += " " + flow_text(e.value) + "\n";
    else if (e.value.kind == Kind::map)
      out += "\n" + tree_text(e.value, indent + 2);
    else {
      out += "\n";
      for (const YamlNode& item : e.value.items) {
        std::string lines = item.kind == Kind::map ? tree_text(item, indent + 4)
                                                   : std::string(indent + 4, ' ') + flow_text(item) + "\n";
        lines[static_cast<std::size_t>(indent) + 2] = '-';
        out += lines;
      }
    }
  }
  return out;
}

std::string parameters_text(const ManeuverPlan& plan) {
  std::string out = plan.parameters.empty() ? "" : "parameters:\n";
  for (const ManeuverParameter& p : plan.parameters)
    out += fmt::format("  {}: {{value: {}, unit: {}, meaning: {}}}\n", p.name, number_text(plan.parameter(p.name)),
                       quoted_text(p.unit), quoted_text(p.meaning));
  return out;
}

}  // namespace

std::string plan_text(const Maneuver& maneuver, const ManeuverPlan& plan) {
  Scenario scene = plan.scene;
  scene.cars.front().driver = {};
  Errors errors;
  const auto tree = parse_yaml(scenario_text(scene), "resolved", errors);
  YamlNode head = maneuver.root, rest = head, road = *tree, car = tree->find("fleet")->items.front();
  const auto drop = [](YamlNode& node, std::initializer_list<std::string_view> keys, bool keep) {
    std::erase_if(node.entries, [&](const YamlEntry& e) {
      return (std::find(keys.begin(), keys.end(), e.key) != keys.end()) != keep;
    });
  };
  drop(head, {"id", "version", "label", "standard", "purpose"}, true);
  drop(rest,
       {"id", "version", "label", "standard", "purpose", "levels", "scene", "car", "parameters", "first", "solve"},
       false);
  drop(road, {"id", "version", "label", "fleet", "duration", "cmd_timeout"}, false);
  drop(car, {"id", "level", "driver"}, false);
  std::string out = tree_text(head, 0) + fmt::format("levels: [{}]\n", enum_name(plan.car().level));
  out += parameters_text(plan) + "scene:\n" + tree_text(road, 2) + "car:\n" + tree_text(car, 2) + tree_text(rest, 0);
  return out;
}

}  // namespace vdsim
