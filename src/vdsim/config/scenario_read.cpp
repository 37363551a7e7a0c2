// SPDX-License-Identifier: Apache-2.0
#include "vdsim/config/scenario_read.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "vdsim/config/catalog.hpp"
#include "vdsim/config/write.hpp"

namespace vdsim {
namespace {

using Kind = YamlNode::Kind;

void read_value(const Reader& reader, const FieldRef& field, const YamlNode& node, const std::string& path,
                double& out) {
  const auto value = read_number(reader, node, path, field.unit, field.range);
  if (!value) return;
  out = *value;
  if (std::string_view(field.name) == "gear" && out != std::floor(out))
    reader.fail(node, path, "expected a whole number, found " + node.text);
}

void read_table(const Reader& reader, const YamlEntry& entry, const FieldRef& field, const std::string& path) {
  Table& table = *static_cast<Table*>(field.data);
  table.points.clear();
  const YamlNode& node = entry.value;
  if (node.kind == Kind::null) return;  // not given; takes a channel away again in --set
  if (node.kind == Kind::scalar) {
    table.points.push_back({0, 0});
    read_value(reader, field, node, path, table.points[0].value);
    return;
  }
  if (node.kind != Kind::list || node.items.empty()) {
    reader.fail(node, path,
                fmt::format("expected a number or a table [[t, value], ...], found {}",
                            node.kind == Kind::list ? "an empty list" : describe(node)));
    return;
  }
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    const YamlNode& row = node.items[i];
    const std::string where = fmt::format("{}[{}]", path, i);
    if (row.kind != Kind::list || row.items.size() != 2) {
      reader.fail(row, where,
                  fmt::format("expected [t, value], found {}",
                              row.kind == Kind::list ? fmt::format("{} values", row.items.size()) : describe(row)));
      continue;
    }
    Table::Point point{0, 0};
    const auto t = read_number(reader, row.items[0], where, "s", any_finite());
    point.t = t.value_or(0);
    read_value(reader, field, row.items[1], where, point.value);
    if (t && !table.points.empty() && point.t <= table.points.back().t)
      reader.fail(
          row.items[0], where,
          fmt::format("times must increase, {} follows {}", number_text(point.t), number_text(table.points.back().t)));
    table.points.push_back(point);
  }
}

double cross(const std::array<double, 2>& o, const std::array<double, 2>& a, const std::array<double, 2>& b) {
  return (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0]);
}

bool crosses_itself(const RoadPatchSpec& patch) {
  const int n = patch.count;
  const auto corner = [&](int i) { return patch.polygon[static_cast<std::size_t>(i % n)]; };
  for (int i = 0; i < n; ++i)
    for (int j = i + 2; j < n; ++j) {
      if (i == 0 && j == n - 1) continue;  // neighbours share a corner
      const auto a = corner(i), b = corner(i + 1), c = corner(j), d = corner(j + 1);
      if (cross(a, b, c) * cross(a, b, d) < 0 && cross(c, d, a) * cross(c, d, b) < 0) return true;
    }
  return false;
}

std::optional<std::array<double, 2>> read_point(const Reader& reader, const YamlNode& node, const std::string& path) {
  if (node.kind != Kind::list || node.items.size() != 2) {
    reader.fail(node, path, "expected [x, y], found " + describe(node));
    return std::nullopt;
  }
  std::array<double, 2> out{};
  for (std::size_t k = 0; k < 2; ++k) out[k] = read_number(reader, node.items[k], path, "m", any_finite()).value_or(0);
  return out;
}

void read_polygon(const Reader& reader, const YamlEntry& entry, const std::string& path, RoadPatchSpec& patch) {
  const YamlNode& node = entry.value;
  const std::size_t n = node.items.size();
  if (node.kind != Kind::list || n < 3 || n > kMaxVertices) {
    reader.errors.add(reader.at(entry), path,
                      fmt::format("expected 3 to {} corners [x, y], found {}", kMaxVertices,
                                  node.kind == Kind::list ? fmt::format("{}", n) : describe(node)));
    return;
  }
  const std::size_t before = reader.errors.size();
  for (std::size_t i = 0; i < n; ++i) {
    const YamlNode& corner = node.items[i];
    const std::string where = fmt::format("{}[{}]", path, i);
    if (const auto point = read_point(reader, corner, where)) patch.polygon[i] = *point;
  }
  patch.count = static_cast<int>(n);
  if (reader.errors.size() == before && crosses_itself(patch))
    reader.errors.add(reader.at(entry), path, "the outline crosses itself");
}

void read_path(const Reader& reader, const YamlEntry& entry, const std::string& path, PathSpec& out) {
  const YamlNode& node = entry.value;
  out.points.clear();
  if (node.kind == Kind::null) return;
  if (node.kind != Kind::list || node.items.size() < 2) {
    reader.fail(node, path,
                fmt::format("expected at least 2 way points [x, y], found {}",
                            node.kind == Kind::list ? fmt::format("{}", node.items.size()) : describe(node)));
    return;
  }
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    const YamlNode& row = node.items[i];
    const std::string where = fmt::format("{}[{}]", path, i);
    const auto point = read_point(reader, row, where);
    if (!point) continue;
    if (!out.points.empty() && out.points.back() == *point) reader.fail(row, where, "repeats the point before it");
    out.points.push_back(*point);
  }
}

// One section or patch: its numbers, and its surface. `polygon`: how to read that.
template <class Place> void read_place(const PartSource& parts, const Reader& reader, const YamlNode& node,
                                       const std::string& path, Place& place) {
  if (!is_map(reader, node, path, reader.at(node))) return;
  constexpr bool patch = std::is_same_v<Place, RoadPatchSpec>;
  std::vector<FieldRef> fields = fields_of(place);
  std::vector<std::string> names;
  if (patch) names.push_back("polygon");
  for (const FieldRef& field : fields)
    if (field.kind == FieldRef::Kind::number || field.kind == FieldRef::Kind::block) names.push_back(field.name);
  for (const YamlEntry& entry : node.entries) {
    const std::string where = join_path(path, entry.key);
    if (std::find(names.begin(), names.end(), entry.key) == names.end()) unknown_key(reader, entry, path, names);
    if constexpr (patch)
      if (entry.key == "polygon") read_polygon(reader, entry, where, place);
    if (entry.key == "surface") {
      read_surface(parts, reader, entry, where, place.surface);
      continue;
    }
    for (const FieldRef& field : fields)
      if (entry.key == field.name && field.kind == FieldRef::Kind::number) read_field(reader, entry, field, where);
  }
  const std::vector<const char*> required =
      patch ? std::vector<const char*>{"polygon"} : std::vector<const char*>{"from", "to"};
  for (const char* key : required)
    if (!node.find(key)) reader.fail(node, join_path(path, key), "missing key");
  if (!node.find("mu") && !node.find("surface") && !node.find("temperature"))
    reader.fail(node, join_path(path, "mu"), "missing key; or give surface or temperature");
}

// A list of sections or patches.
template <class Place, std::size_t N> void read_places(const PartSource& parts, const Reader& reader,
                                                       const YamlEntry& entry, std::array<Place, N>& out, int& count) {
  const YamlNode& list = entry.value;
  if (list.kind != Kind::list || list.items.size() > N) {
    reader.errors.add(reader.at(entry), entry.key,
                      fmt::format("expected a list of at most {} {}, found {}", N, entry.key,
                                  list.kind == Kind::list ? fmt::format("{}", list.items.size()) : describe(list)));
    return;
  }
  count = static_cast<int>(list.items.size());
  for (std::size_t i = 0; i < list.items.size(); ++i) {
    out[i] = {};
    read_place(parts, reader, list.items[i], fmt::format("{}[{}]", entry.key, i), out[i]);
  }
}

}  // namespace

void read_surface(const PartSource& parts, const Reader& reader, const YamlEntry& entry, const std::string& path,
                  SurfaceOverride& out) {
  const auto take_part = [&](const YamlEntry& named, const std::string& where) {
    const auto word = read_word(reader, named, where);
    if (!word) return;
    const auto part =
        load_part(parts.catalog, {*word, parts.folder, reader.at(named.value), where}, "surface", reader.errors);
    if (part) out = all_of(part->surface);
  };
  if (entry.value.kind != Kind::map) return take_part(entry, path);
  YamlNode numbers = entry.value;
  for (const YamlEntry& each : entry.value.entries)
    if (each.key == "part") take_part(each, join_path(path, each.key));
  std::erase_if(numbers.entries, [](const YamlEntry& each) { return each.key == "part"; });
  read_block(reader, numbers, fields_of(out), path);
}

bool is_channel(const FieldRef& field) {
  return field.kind == FieldRef::Kind::other && std::string_view(field.name) != "path";
}

void read_driver(const Reader& reader, const YamlNode& map, const std::string& path, DriverSpec& driver) {
  const std::vector<FieldRef> channels = fields_of(driver);
  std::vector<std::string> names;
  for (const FieldRef& channel : channels) names.push_back(channel.name);
  for (const YamlEntry& entry : map.entries) {
    const auto found = std::find(names.begin(), names.end(), entry.key);
    if (found == names.end())
      unknown_key(reader, entry, path, names);
    else if (entry.key == "path")
      read_path(reader, entry, join_path(path, entry.key), driver.path);
    else if (entry.key == "lookahead" || entry.key == "path_closed" || entry.key == "human")
      read_field(reader, entry, channels[static_cast<std::size_t>(found - names.begin())], join_path(path, entry.key));
    else
      read_table(reader, entry, channels[static_cast<std::size_t>(found - names.begin())], join_path(path, entry.key));
  }
}

namespace {
// Names of the command levels that are given; more than one of a side contradict each other.
template <class... T> std::vector<std::string> given_levels(const T&... pairs) {
  std::vector<std::string> out;
  ((pairs.second ? out.push_back(pairs.first) : void()), ...);
  return out;
}
void check_command_levels(const std::vector<std::string>& given, const Place& place, const std::string& path,
                          Errors& errors) {
  if (given.size() > 1)
    errors.add(place, path + "." + given.back(), fmt::format("cannot be combined with {}", given.front()));
}
}  // namespace

void check_driver(const CarSpec& car, const Place& place, const std::string& path, Errors& errors) {
  const DriverSpec& d = car.driver;
  if (d.speed.given() && (d.throttle.given() || d.brake.given() || d.gear.given()))
    errors.add(place, path + ".driver.speed", "cannot be combined with throttle, brake or gear: it works them itself");
  using P = std::pair<const char*, bool>;
  const bool wheels = d.torque_fl.given() || d.torque_fr.given() || d.torque_rl.given() || d.torque_rr.given();
  check_command_levels(
      given_levels(P{"torque_fl", wheels}, P{"torque_front", d.torque_front.given() || d.torque_rear.given()},
                   P{"force", d.force.given()}, P{"acceleration", d.acceleration.given()}, P{"speed", d.speed.given()}),
      place, path + ".driver", errors);
  check_command_levels(
      given_levels(P{"throttle", d.throttle.given() || d.brake.given()}, P{"acceleration", d.acceleration.given()}),
      place, path + ".driver", errors);
  check_command_levels(
      given_levels(P{"steer", d.steer.given()}, P{"curvature", d.curvature.given()}, P{"path", d.path.given()}), place,
      path + ".driver", errors);
  if (d.path_closed && d.path.points.size() == 2)
    errors.add(place, path + ".driver.path", "a closed path needs at least 3 way points");
  const double limit = car.vehicle.steering.max_steer_angle_wheel;
  for (const Table::Point& point : d.steer.points)
    if (std::abs(point.value) > limit) {
      errors.add(place, path + ".driver.steer",
                 fmt::format("{} rad is beyond steering.max_steer_angle_wheel = {} rad", number_text(point.value),
                             number_text(limit)));
      break;
    }
  for (const Table::Point& point : d.gear.points)
    if (point.value > 1 && !car.vehicle.powertrain.enabled) {
      errors.add(place, path + ".driver.gear", "a car without a gearbox has -1, 0 and 1");
      break;
    }
}

void read_sections(const PartSource& parts, const Reader& reader, const YamlEntry& entry, RoadSpec& road) {
  read_places(parts, reader, entry, road.sections, road.section_count);
}
void read_patches(const PartSource& parts, const Reader& reader, const YamlEntry& entry, RoadSpec& road) {
  read_places(parts, reader, entry, road.patches, road.patch_count);
}

bool has_split(const RoadSpec& road) { return road.split_mu.mu_left != 0 || road.split_mu.mu_right != 0; }

void SceneChanges::set(const std::string& text) {
  Errors errors;
  const auto assignment = split_assignment("--set", text, errors);
  errors.throw_if_any();
  sets.push_back(*assignment);
}

}  // namespace vdsim
