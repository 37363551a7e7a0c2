// SPDX-License-Identifier: Apache-2.0
// What a series or a search shows: its metrics over the parameter, its runs on top of each other.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "vdsim/formats/readable.hpp"
#include "vdsim/report/run_report_parts.hpp"

namespace vdsim::run_parts {
namespace {

using nlohmann::json;

struct Point {
  double x, y;
};

// One metric over the parameter; fewer than three values are no curve.
std::vector<Point> points_of(const RunFolder& run, const std::string& parameter, const std::string& metric) {
  const double to_x = readable_unit(unit_of(run, "parameters", parameter)).factor,
               to_y = readable_unit(unit_of(run, "metrics", metric)).factor;
  std::vector<Point> out;
  for (const json& each : json_list(run.summary, "runs")) {
    const double x = json_number(member(each, "parameters"), parameter) * to_x,
                 y = json_number(member(each, "metrics"), metric) * to_y;
    if (std::isfinite(x) && std::isfinite(y)) out.push_back({x, y});
  }
  std::sort(out.begin(), out.end(), [](const Point& a, const Point& b) { return a.x < b.x; });
  return out.size() < 3 ? std::vector<Point>{} : out;
}

double limit_of(const RunFolder& run, const std::string& metric) {
  const json* each = named(json_list(run.summary, "metrics"), metric);
  const std::string limit = each ? json_text(*each, "limit") : "";
  const std::size_t space = limit.find(' ');
  if (space == std::string::npos) return NAN;
  return std::strtod(limit.c_str() + space, nullptr) * readable_unit(json_text(*each, "unit")).factor;
}

Panel metric_panel(const RunFolder& run, const std::string& parameter, const std::string& metric) {
  Panel out{metric,
            axis_label(parameter, readable_unit(unit_of(run, "parameters", parameter))),
            axis_label(metric, readable_unit(unit_of(run, "metrics", metric))),
            {}};
  const std::vector<Point> points = points_of(run, parameter, metric);
  if (points.empty()) return out;
  const double room = 0.03 * (points.back().x - points.front().x);
  out.x_min = points.front().x - room, out.x_max = points.back().x + room;
  Series line{"", {}, {}, Stroke::solid, 0}, dots{"", {}, {}, Stroke::points, 0, 6};
  for (const Point& p : points) line.x.push_back(p.x), line.y.push_back(p.y);
  dots.x = line.x, dots.y = line.y;
  out.series = {std::move(line), std::move(dots)};
  if (const double limit = limit_of(run, metric); std::isfinite(limit))
    out.series.push_back({"limit", {points.front().x, points.back().x}, {limit, limit}, Stroke::dashed, 1});
  return out;
}

Figure metric_figure(const RunFolder& run, bool several) {
  Figure out;
  out.width = 460, out.height = 300, out.columns = 3;
  const json& list = json_list(run.summary, "runs");
  const json& parameters = list.empty() ? member(json(), "") : member(list[0], "parameters");
  for (const auto& [parameter, value] : parameters.items()) {
    out.title = (several ? run.name + ": " : "") + "Metrics over " + parameter;
    for (const json& metric : json_list(run.summary, "metrics"))
      if (Panel panel = metric_panel(run, parameter, json_text(metric, "name")); !panel.series.empty())
        out.panels.push_back(std::move(panel));
  }
  return out;
}

}  // namespace

ReportBlock series_block(const Runs& runs) {
  ReportBlock out;
  out.heading = "Series";
  const bool several = runs.size() > 1;
  for (const RunFolder& run : runs) {
    if (json_list(run.summary, "runs").empty()) continue;
    if (Figure figure = metric_figure(run, several); !figure.panels.empty()) out.figures.push_back(std::move(figure));
    if (run.series.empty()) continue;
    Figure overlay = overlay_figure(run.series);
    overlay.title = several ? run.name + ": runs" : "All runs";
    if (!member(run.summary, "found").empty()) overlay.title = "The answer, and the nearest that fails";
    if (!overlay.panels.empty()) out.figures.push_back(std::move(overlay));
  }
  return out;
}

}  // namespace vdsim::run_parts
