// SPDX-License-Identifier: Apache-2.0
#include "vdsim/report/config_differences.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <map>

#include "vdsim/config/vehicle.hpp"
#include "vdsim/config/yaml.hpp"

namespace vdsim {
namespace {

struct Group {
  const char* name;
  std::vector<const char*> wheels;
};
// Slots of several wheels, the widest first, and the slots of their wheels.
const std::vector<Group>& tire_groups() {
  static const std::vector<Group> all = [] {
    std::vector<Group> out;
    for (const Slot& group : slots()) {
      if (std::string_view(group.type) != "tire" || group.tires.size() < 2) continue;
      out.push_back({group.name, {}});
      for (const Slot& wheel : slots())
        if (wheel.tires.size() == 1 && std::count(group.tires.begin(), group.tires.end(), wheel.tires[0]))
          out.back().wheels.push_back(wheel.name);
    }
    return out;
  }();
  return all;
}

std::string joined(const std::string& path, const std::string& key) { return path.empty() ? key : path + "." + key; }

bool holds_maps(const YamlNode& node) {
  if (node.kind == YamlNode::Kind::map) return true;
  return std::any_of(node.items.begin(), node.items.end(), holds_maps);
}

std::string scalar_text(const YamlNode& node) {  // of a scalar or of lists of scalars
  if (node.kind != YamlNode::Kind::list) return node.text;
  std::string out;
  for (const YamlNode& item : node.items) out += (out.empty() ? "" : ", ") + scalar_text(item);
  return "[" + out + "]";
}

std::string name_of(const YamlNode& node, std::size_t i) {
  for (const char* key : {"id", "name"})
    if (const YamlNode* name = node.find(key); name && !name->text.empty()) return name->text;
  return fmt::format("{}", i);
}

const YamlNode& absent_blocks() {
  Errors errors;
  static const YamlNode root = parse_yaml(absent_blocks_text(), "", errors).value_or(YamlNode{});
  return root;
}

class Flattening {
 public:
  explicit Flattening(std::string car) : car_(std::move(car)) {}

  void top(const YamlNode& root) {
    for (const YamlEntry& entry : root.entries) {
      if (entry.key == "fleet" && entry.value.kind == YamlNode::Kind::list)
        fleet(entry.value);
      else if (entry.key == "scene")  // of a manoeuvre: --set names its values directly
        map(entry.value, "");
      else if (entry.key == "car")
        car(entry.value, "");
      else if (entry.key == "parameters")
        parameters(entry.value);
      else
        add(entry.value, entry.key);
    }
  }
  ConfigValues take() { return std::move(out_); }

 private:
  void fleet(const YamlNode& cars) {
    for (std::size_t i = 0; i < cars.items.size(); ++i) {
      const std::string id = name_of(cars.items[i], i);
      if (!car_.empty() && id != car_ && cars.items.size() > 1) continue;
      car(cars.items[i], car_.empty() && cars.items.size() > 1 ? id : "");
    }
  }

  void car(const YamlNode& node, const std::string& path) {
    const std::size_t before = out_.size();
    for (const YamlEntry& entry : node.entries)
      if (entry.key == "overrides")
        map(entry.value, path);
      else if (entry.key != "id")
        add(entry.value, joined(path, entry.key));
    const YamlNode* parts = node.find("overrides");
    if (!parts || !parts->find("chassis")) return;  // not a resolved car
    const auto is_below = [](const std::string& block) {
      return [=](const auto& value) { return value.first.starts_with(block + "."); };
    };
    for (const YamlEntry& entry : absent_blocks().entries)
      if (const std::string block = joined(path, entry.key);
          std::none_of(out_.begin() + static_cast<std::ptrdiff_t>(before), out_.end(), is_below(block)))
        map(entry.value, block);
  }

  void parameters(const YamlNode& node) {
    for (const YamlEntry& entry : node.entries) {
      const YamlNode* value = entry.value.find("value");
      add(value ? *value : entry.value, entry.key);
    }
  }

  void map(const YamlNode& node, const std::string& path) {
    for (const YamlEntry& entry : node.entries) {
      const std::vector<Group>& groups = tire_groups();
      if (const auto tires =
              std::find_if(groups.begin(), groups.end(), [&](const Group& g) { return entry.key == g.name; });
          tires != groups.end())
        for (const char* wheel : tires->wheels) add(entry.value, joined(path, wheel));
      else
        add(entry.value, joined(path, entry.key));
    }
  }

  void add(const YamlNode& node, const std::string& path) {
    if (node.kind == YamlNode::Kind::map) return map(node, path);
    if (node.kind == YamlNode::Kind::list && holds_maps(node)) {
      for (std::size_t i = 0; i < node.items.size(); ++i) add(node.items[i], joined(path, name_of(node.items[i], i)));
      return;
    }
    out_.emplace_back(path, scalar_text(node));
  }

  std::string car_;
  ConfigValues out_;
};

// "tire_fl.B_lat" for "tire": "tire.B_lat"; "" if the path has none of the group's wheels
std::string folded_path(const std::string& path, const Group& group) {
  for (const std::string wheel : group.wheels) {
    const std::size_t at = path.starts_with(wheel + ".") ? 0 : path.find("." + wheel + ".");
    if (at == std::string::npos) continue;
    const std::size_t from = at == 0 ? 0 : at + 1;
    return path.substr(0, from) + group.name + path.substr(from + wheel.size());
  }
  return "";
}

std::vector<ConfigDifference> folded(const std::vector<ConfigDifference>& all, const Group& group) {
  std::map<std::array<std::string, 3>, std::size_t> alike;
  for (const ConfigDifference& d : all) ++alike[{folded_path(d.path, group), d.a, d.b}];
  std::vector<ConfigDifference> out;
  for (const ConfigDifference& d : all) {
    const std::string path = folded_path(d.path, group);
    std::size_t& n = alike[{path, d.a, d.b}];
    if (path.empty() || n < group.wheels.size()) {
      if (n > 0) out.push_back(d);
      continue;
    }
    out.push_back({path, d.a, d.b});
    n = 0;  // the other wheels are said with it
  }
  return out;
}

}  // namespace

std::optional<ConfigValues> config_values(const std::string& resolved, const std::string& car) {
  Errors errors;
  const auto root = parse_yaml(resolved, "resolved.yaml", errors);
  if (!root || root->kind != YamlNode::Kind::map) return std::nullopt;
  Flattening out(car);
  out.top(*root);
  return out.take();
}

std::vector<ConfigDifference> config_differences(const ConfigValues& a, const ConfigValues& b) {
  const std::map<std::string, std::string> in_a(a.begin(), a.end()), in_b(b.begin(), b.end());
  std::vector<ConfigDifference> out;
  for (const auto& [path, value] : a) {
    const auto at = in_b.find(path);
    if (at == in_b.end() || at->second != value) out.push_back({path, value, at == in_b.end() ? "" : at->second});
  }
  for (const auto& [path, value] : b)
    if (!in_a.contains(path)) out.push_back({path, "", value});
  for (const Group& group : tire_groups()) out = folded(out, group);
  return out;
}

std::string text_of(const ConfigDifference& d) {
  const auto shown = [](const std::string& value) { return value.empty() ? std::string("none") : value; };
  return fmt::format("{}: {} -> {}", d.path, shown(d.a), shown(d.b));
}

}  // namespace vdsim
