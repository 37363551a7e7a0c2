// SPDX-License-Identifier: Apache-2.0
// The block `course` of a manoeuvre: lanes, cones, the path of the driver.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "vdsim/config/write.hpp"
#include "vdsim/engine/same_math.hpp"
#include "vdsim/study/maneuver/planner.hpp"

namespace vdsim {
namespace {

using Kind = YamlNode::Kind;

// A course that takes more than a second to plan, or more cones than anybody sets up, is a slip of the pen.
constexpr double kLongestCourse = 5000;  // [m]
constexpr std::size_t kMostCones = 5000;
constexpr double kFarthest = 1e6;  // of any point [m]

}  // namespace

// A number within `range`; NaN after an error.
double Planner::course_number(const YamlNode& node, const std::string& path, const Range& range, const char* unit) {
  const std::size_t before = errors_.size();
  const double value = constant(node, path);
  if (errors_.size() > before || range.holds(value)) return value;
  reader_.fail(node, path, fmt::format("{} is out of range, expected {}", number_text(value), describe(range, unit)));
  return std::nan("");
}

void Planner::read_lanes(const YamlNode& list, std::vector<Lane>& out) {
  if (list.kind != Kind::list || list.items.empty())
    return reader_.fail(list, "course.lanes",
                        fmt::format("expected a list of lanes {{from, to, right, left}}, found {}",
                                    list.kind == Kind::list ? "an empty list" : describe(list)));
  for (std::size_t i = 0; i < list.items.size(); ++i) {
    const YamlNode& item = list.items[i];
    const std::string path = fmt::format("course.lanes[{}]", i);
    if (!is_map(reader_, item, path, reader_.at(item))) continue;
    Lane lane{};
    for (const YamlEntry& e : item.entries)
      if (e.key != "from" && e.key != "to" && e.key != "right" && e.key != "left")
        unknown_key(reader_, e, path, {"from", "to", "right", "left"});
    for (const auto& [key, value] : {std::pair{"from", &lane.from}, std::pair{"to", &lane.to},
                                     std::pair{"right", &lane.right}, std::pair{"left", &lane.left}})
      if (const YamlNode* node = item.find(key))
        *value = course_number(*node, join_path(path, key), between(-kFarthest, kFarthest), "m");
      else
        reader_.fail(item, join_path(path, key), "missing key");
    out.push_back(lane);
  }
}

void Planner::read_way_points(const YamlNode& list, std::vector<std::array<double, 2>>& out) {
  if (list.kind != Kind::list || list.items.size() < 2)
    return reader_.fail(list, "course.path",
                        fmt::format("expected at least 2 way points [x, y], found {}",
                                    list.kind == Kind::list ? fmt::format("{}", list.items.size()) : describe(list)));
  for (std::size_t i = 0; i < list.items.size(); ++i) {
    const YamlNode& item = list.items[i];
    const std::string path = fmt::format("course.path[{}]", i);
    if (item.kind != Kind::list || item.items.size() != 2) {
      reader_.fail(item, path, "expected [x, y], found " + describe(item));
      continue;
    }
    const std::array<double, 2> point{course_number(item.items[0], path, between(-kFarthest, kFarthest), "m"),
                                      course_number(item.items[1], path, between(-kFarthest, kFarthest), "m")};
    if (!out.empty() && vdsim::hypot(point[0] - out.back()[0], point[1] - out.back()[1]) < 1e-6)
      reader_.fail(item, path, "repeats the point before it");
    out.push_back(point);
  }
}

void Planner::check_lanes(const YamlNode& place, const std::vector<Lane>& lanes, double spacing) {
  for (std::size_t i = 0; i < lanes.size(); ++i) {
    const Lane& lane = lanes[i];
    if (!(lane.from < lane.to) || !(lane.left - lane.right > outline_.width) || (i && lane.from < lanes[i - 1].to))
      reader_.fail(place, fmt::format("course.lanes[{}]", i),
                   "lanes must come in order of x and be wider than the car");
  }
  const double length = lanes.empty() ? 0 : lanes.back().to - lanes.front().from;
  if (length > kLongestCourse)
    reader_.fail(
        place, "course.lanes",
        fmt::format("{} m from the first to the last, at most {} m", number_text(length), number_text(kLongestCourse)));
  double cones = 0;
  for (const Lane& lane : lanes) cones += spacing > 0 ? 2 * ((lane.to - lane.from) / spacing + 1) : 0;
  if (cones > static_cast<double>(kMostCones))
    reader_.fail(place, "course.spacing",
                 fmt::format("{} m gives {:.3g} cones, at most {}", number_text(spacing), cones, kMostCones));
}

// Lanes by name or as they are written; a path through them, or as it is written.
void Planner::read_course(ManeuverPlan& out) {
  const auto keys = block("course", {"kind", "shift", "share", "lanes", "spacing", "path"}, {});
  const YamlNode* place = maneuver_.root.find("course");
  if (!place) return;
  const std::size_t before = errors_.size();
  Course& course = out.course;
  const auto number = [&](const char* key, double otherwise, const Range& range, const char* unit) {
    return keys.count(key) ? course_number(keys.at(key)->value, std::string("course.") + key, range, unit) : otherwise;
  };
  const double shift = number("shift", 0, between(-kFarthest, kFarthest), "m"),
               share = number("share", 0.6, between(0, 1), "-"),
               spacing = number("spacing", 3, between(0, kFarthest), "m");
  if (keys.count("kind")) {
    const std::vector<std::string> names(std::begin(kCourseNames), std::end(kCourseNames));
    const auto kind = read_choice(reader_, *keys.at("kind"), "course.kind", names);
    if (kind && outline_.width > 0)
      course.lanes = lanes_of_course(names[static_cast<std::size_t>(*kind)], outline_.width);
  }
  if (place->kind == Kind::map && !keys.count("kind") && !keys.count("lanes") && !keys.count("path"))
    reader_.fail(*place, "course", "needs one of kind, lanes and path");
  if (keys.count("kind") && keys.count("lanes"))
    reader_.fail(keys.at("lanes")->value, "course.lanes", "cannot be combined with kind");
  else if (keys.count("lanes"))
    read_lanes(keys.at("lanes")->value, course.lanes);
  if (keys.count("path")) read_way_points(keys.at("path")->value, course.path);
  if (errors_.size() > before || !(outline_.width > 0)) return;
  check_lanes(*place, course.lanes, spacing);
  if (errors_.size() > before) return;
  if (course.path.empty() && !course.lanes.empty()) course.path = lane_path(course.lanes, outline_, share);
  for (auto& point : course.path) point[1] += shift;
  if (spacing > 0) course.cones = cones_of(course.lanes, spacing);
  take_path(out);
}

// The driver of the manoeuvre knows the path of its course, and is as the block `human` says.
void Planner::take_path(ManeuverPlan& out) {
  DriverSpec& driver = out.scene.cars.front().driver;
  driver.path.points = out.course.path;
  driver.human.preview = 1;
  for (const YamlEntry& entry : maneuver_.root.entries)
    if (entry.key == "human") {
      YamlEntry known{entry.key, entry.line, entry.column, resolved(entry.value, "human")};
      if (is_map(reader_, known.value, "human", reader_.at(entry)))
        read_block(reader_, known.value, fields_of(driver.human), "human");
    }
}

}  // namespace vdsim
