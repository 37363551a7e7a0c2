// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "vdsim/config/files.hpp"
#include "vdsim/config/yaml.hpp"
#include "vdsim/core/road/ground_map.hpp"
#include "vdsim/report/run_report.hpp"

namespace vdsim {
namespace {

using nlohmann::json;

constexpr double kWidth = 1240, kMostHeight = 620;                  // of the ground that is shown [px]
constexpr double kLeft = 46, kRight = 12, kTop = 12, kBottom = 34;  // around it [px]
constexpr double kAround = 3;                                       // free ground on each side [m]
constexpr double kLeastHeight = 10;  // of the ground [m]: a straight run is more than a line
constexpr const char* kColors[] = {"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                   "#E69F00", "#56B4E9", "#555555", "#8C6D1F"};

struct Bounds {
  double x0 = INFINITY, x1 = -INFINITY, y0 = INFINITY, y1 = -INFINITY;  // [m]
  void add(double x, double y) {
    if (!std::isfinite(x) || !std::isfinite(y)) return;
    x0 = std::min(x0, x), x1 = std::max(x1, x), y0 = std::min(y0, y), y1 = std::max(y1, y);
  }
};

struct View {
  Bounds bounds;
  double scale;                                                 // [px/m]
  double x(double v) const { return (v - bounds.x0) * scale; }  // [px], from the upper left of the ground
  double y(double v) const { return (bounds.y1 - v) * scale; }
  double width() const { return x(bounds.x1); }
  double height() const { return y(bounds.y0); }
};

struct Outline {
  double length = 4.5, width = 1.8, front = 2.1;  // [m]; front: CG to the bumper
};

double at(const json& list, std::size_t i) {
  return list.is_array() && i < list.size() && list[i].is_number() ? list[i].get<double>() : NAN;
}

const json& course_of(const std::vector<RunFolder>& runs) {
  static const json nothing = json::object();
  for (const RunFolder& run : runs)
    if (run.summary.contains("course") && run.summary["course"].is_object()) return run.summary["course"];
  return nothing;
}

// The first number after "key:" in the resolved scene; NaN if there is none.
double resolved_number(const RunFolder& run, const std::string& key) {
  const std::size_t place = run.resolved.find(" " + key + ": ");
  return place == std::string::npos ? NAN : std::strtod(run.resolved.c_str() + place + key.size() + 3, nullptr);
}

Outline outline_of(const RunFolder& run) {
  Outline out;
  const json car = run.summary.contains("car") ? run.summary["car"] : json::object();
  const double length = json_number(car, "length"), width = json_number(car, "width"),
               front = json_number(car, "front");
  const double a = resolved_number(run, "cg_to_front"), wheelbase = resolved_number(run, "wheelbase");
  const double track = resolved_number(run, "track_front"), overhang = resolved_number(run, "front_overhang");
  if (a > 0 && wheelbase > a) out.length = wheelbase + 1.75, out.front = a + 0.85;  // usual overhangs
  if (track > 0) out.width = track + 0.25;
  if (overhang >= 0 && a > 0) {  // a scene that knows the body
    out.front = a + overhang;
    if (const double whole = resolved_number(run, "length"); whole > out.front) out.length = whole;
    if (const double wide = resolved_number(run, "width"); wide > 0) out.width = wide;
  }
  if (length > 0) out.length = length;
  if (width > 0) out.width = width;
  if (front > 0) out.front = front;
  return out;
}

std::optional<Bounds> bounds_of(const std::vector<RunFolder>& runs, const json& course) {
  Bounds out;
  for (const RunFolder& run : runs) {
    const std::vector<double>*x = run.find("x"), *y = run.find("y");
    if (!x || !y) continue;
    for (std::size_t i = 0; i < x->size(); ++i) out.add((*x)[i], (*y)[i]);
  }
  if (!(out.x0 <= out.x1)) return std::nullopt;
  const Bounds driven = out;
  for (const json& cone : json_list(course, "cones")) out.add(at(cone, 0), at(cone, 1));
  for (const json& lane : json_list(course, "lanes")) {
    out.add(json_number(lane, "from"), json_number(lane, "right"));
    out.add(json_number(lane, "to"), json_number(lane, "left"));
  }
  // a planned path may go on for kilometres; it is cut where nothing else is
  out.x0 = std::min(out.x0, driven.x0) - kAround, out.x1 = std::max(out.x1, driven.x1) + kAround;
  out.y0 -= kAround, out.y1 += kAround;
  const double lack = kLeastHeight - (out.y1 - out.y0), narrow = 4 * kLeastHeight - (out.x1 - out.x0);
  if (lack > 0) out.y0 -= lack / 2, out.y1 += lack / 2;
  if (narrow > 0) out.x0 -= narrow / 2, out.x1 += narrow / 2;
  return out;
}

View view_of(Bounds bounds) {
  double scale = std::min(kWidth / (bounds.x1 - bounds.x0), kMostHeight / (bounds.y1 - bounds.y0));
  // the ground fills the width: show more of it on both sides
  const double spare = kWidth / scale - (bounds.x1 - bounds.x0);
  if (spare > 0) bounds.x0 -= spare / 2, bounds.x1 += spare / 2;
  return {bounds, scale};
}

std::string grid_text(const View& view) {
  const Bounds& b = view.bounds;
  const int most_x = 14, most_y = std::clamp(static_cast<int>(view.height() / 40), 2, 12);
  std::string lines, words;
  const Ticks xs = nice_ticks(b.x0, b.x1, most_x), ys = nice_ticks(b.y0, b.y1, most_y);
  for (std::size_t i = 0; i < xs.at.size(); ++i) {
    lines += fmt::format("M{:.1f} 0V{:.1f}", view.x(xs.at[i]), view.height());
    words += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>", view.x(xs.at[i]),
                         view.height() + 15, xs.text[i]);
  }
  for (std::size_t i = 0; i < ys.at.size(); ++i) {
    lines += fmt::format("M0 {:.1f}H{:.1f}", view.y(ys.at[i]), view.width());
    words += fmt::format("<text x=\"-6\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>", view.y(ys.at[i]) + 4, ys.text[i]);
  }
  words +=
      fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">x [m]</text>", view.width(), view.height() + 29);
  words += "<text x=\"-34\" y=\"12\" transform=\"rotate(-90 -34 12)\" text-anchor=\"end\">y [m]</text>";
  return fmt::format(
      "<path class=\"soft\" stroke=\"#e6e9ed\" fill=\"none\" d=\"{}\"/>\n"
      "<g class=\"words\" fill=\"#5c6570\">{}</g>\n",
      lines, words);
}

double number_at(const YamlNode* map, const char* key, double otherwise) {
  const YamlNode* node = map ? map->find(key) : nullptr;
  return node ? std::strtod(node->text.c_str(), nullptr) : otherwise;
}

// What lies on the road, as one would paint it: water, snow and ice, loose ground, hard road; darker the less it grips.
struct Paint {
  const char *name, *fill;
};
constexpr Paint kWater = {"water", "#a9cdea"};
constexpr double kWet = 2e-4;  // [m]
Paint paint_of(const YamlNode* s, double mu) {
  const double friction = number_at(s, "friction", 1) * mu;
  if (number_at(s, "water_depth", 0) > kWet) return kWater;
  if (friction < 0.4) return {"slippery", "#cfe3ee"};
  if (number_at(s, "deformation", 0) > 0.2) return {"loose", "#e2d3b5"};
  return {"hard", "#d9dce1"};
}
Paint paint_of(const YamlNode& place) { return paint_of(place.find("surface"), number_at(&place, "mu", 1)); }
std::string paint_text(const YamlNode& place) {
  const YamlNode* s = place.find("surface");
  std::string out = paint_of(place).name;
  if (place.find("mu")) out += fmt::format(", mu {}", place.find("mu")->text);
  for (const char* key : {"friction", "deformation", "water_depth"})
    if (s && s->find(key)) out += fmt::format(", {} {}", key, s->find(key)->text);
  return out;
}
std::string polygon_path(const View& view, const YamlNode& polygon) {
  std::string out;
  for (const YamlNode& corner : polygon.items)
    if (corner.items.size() == 2)
      out += fmt::format("{}{:.1f} {:.1f}", out.empty() ? 'M' : 'L',
                         view.x(std::strtod(corner.items[0].text.c_str(), nullptr)),
                         view.y(std::strtod(corner.items[1].text.c_str(), nullptr)));
  return out + "Z";
}
// A raster of the scene, sampled on a lattice of the view; nothing if its file is no longer there.
std::string map_text(const View& view, const YamlNode& raster) {
  Errors errors;
  Warnings warnings;
  const YamlNode *file = raster.find("file"), *surfaces = raster.find("surfaces"), *number = raster.find("number");
  const auto terrain = Files().terrain(file ? file->text : "", errors, warnings);
  if (!terrain) return "";
  const bool grid = terrain->file.map.has_value();
  const auto paint_at = [&](double x, double y) -> const char* {
    const MapCell cell = grid ? map_cell(terrain->grid, x, y) : map_cell(terrain->crg, x, y);
    const double value = cell.value[(cell.u > 0.5 ? 1 : 0) + (cell.v > 0.5 ? 2 : 0)];
    if (!cell.there) return "";
    if (surfaces)
      return value < double(surfaces->items.size()) ? paint_of(&surfaces->items[std::size_t(value)], 1).fill : "";
    if (number && number->text == "water_depth") return value > kWet ? kWater.fill : "";
    return "";
  };
  constexpr double kCell = 5;  // [px]
  std::string out;
  for (double y = 0; y < view.height(); y += kCell)
    for (double x = 0, from = 0; x < view.width(); from = x) {
      const auto here = [&] {
        return paint_at(view.bounds.x0 + (x + kCell / 2) / view.scale, view.bounds.y1 - (y + kCell / 2) / view.scale);
      };
      const std::string_view fill = here();
      while ((x += kCell) < view.width() && here() == fill) {
      }
      if (!fill.empty())
        out += fmt::format("<path class=\"cover\" fill=\"{}\" d=\"M{:.0f} {:.0f}h{:.0f}v{}h{:.0f}z\"/>", fill, from, y,
                           x - from, kCell, from - x);
    }
  return out + "\n";
}
// Maps, sections and patches of the road, as the resolved scene has them. On an OpenCRG road sections follow its line: not drawn.
std::string ground_text(const View& view, const RunFolder& run) {
  Errors errors;
  const auto file = parse_yaml(run.resolved, "resolved.yaml", errors);
  if (!file) return "";
  const YamlNode* of_maneuver = file->find("scene");
  const YamlNode* root = of_maneuver ? of_maneuver : &*file;
  std::string out;
  const auto add = [&](const YamlNode& place, const std::string& path) {
    out += fmt::format("<path class=\"cover\" fill=\"{}\" d=\"{}\"><title>{}</title></path>\n", paint_of(place).fill,
                       path, xml_escaped(paint_text(place)));
  };
  if (const YamlNode* list = root->find("maps"))
    for (const YamlNode& raster : list->items) out += map_text(view, raster);
  const YamlNode* terrain = root->find("terrain");
  if (const YamlNode* list = root->find("sections"); list && !(terrain && terrain->text.ends_with(".crg")))
    for (const YamlNode& place : list->items) {
      const double from = std::max(number_at(&place, "from", 0), view.bounds.x0),
                   to = std::min(number_at(&place, "to", 0), view.bounds.x1);
      if (from < to)
        add(place,
            fmt::format("M{:.1f} 0H{:.1f}V{:.1f}H{:.1f}Z", view.x(from), view.x(to), view.height(), view.x(from)));
    }
  if (const YamlNode* list = root->find("patches"))
    for (const YamlNode& place : list->items)
      if (const YamlNode* polygon = place.find("polygon")) add(place, polygon_path(view, *polygon));
  return out;
}

std::string course_text(const View& view, const json& course) {
  std::string out;
  for (const json& lane : json_list(course, "lanes")) {
    const double from = json_number(lane, "from"), to = json_number(lane, "to"), right = json_number(lane, "right"),
                 left = json_number(lane, "left");
    if (!(from < to) || !(right < left)) continue;
    const double x = view.x(from), y = view.y(left), w = (to - from) * view.scale, h = (left - right) * view.scale;
    out += fmt::format(
        "<rect class=\"road\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"#eceef1\"/>"
        "<path class=\"lane\" d=\"M{:.1f} {:.1f}h{:.1f}M{:.1f} {:.1f}h{:.1f}\" stroke=\"#b3bac2\" "
        "stroke-dasharray=\"8 5\" fill=\"none\" vector-effect=\"non-scaling-stroke\"/>\n",
        x, y, w, h, x, y, w, x, y + h, w);
  }
  std::string plan;
  for (const json& point : json_list(course, "path"))
    if (std::isfinite(at(point, 0)) && std::isfinite(at(point, 1)))
      plan += fmt::format("{}{:.1f} {:.1f}", plan.empty() ? 'M' : 'L', view.x(at(point, 0)), view.y(at(point, 1)));
  if (!plan.empty())
    out += fmt::format(
        "<path class=\"plan\" d=\"{}\" stroke=\"#5c6570\" stroke-width=\"1.2\" stroke-dasharray=\"5 4\" "
        "fill=\"none\" vector-effect=\"non-scaling-stroke\"/>\n",
        plan);
  return out;
}

std::string cones_text(const View& view, const std::vector<RunFolder>& runs, const json& course) {
  std::string out;
  const double radius = std::max(0.2 * view.scale, 2.6);
  for (const json& cone : json_list(course, "cones")) {
    const double x = view.x(at(cone, 0)), y = view.y(at(cone, 1));
    if (!std::isfinite(x) || !std::isfinite(y)) continue;
    out +=
        fmt::format("<circle class=\"cone\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.1f}\" fill=\"#e06a00\"/>", x, y, radius);
    if (at(cone, 2) > 0)
      out += fmt::format("<circle class=\"hit\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.1f}\" fill=\"#b3261e\"/>", x, y,
                         radius);
  }
  const double arm = radius + 3;
  for (const RunFolder& run : runs)
    for (const json& hit : json_list(run.summary, "hits")) {
      const json& cone = json_list(hit, "cone");
      const double x = view.x(at(cone, 0)), y = view.y(at(cone, 1));
      if (!std::isfinite(x) || !std::isfinite(y)) continue;
      out += fmt::format(
          "<g><title>{} s, {}</title><path class=\"hit\" d=\"M{:.1f} {:.1f}l{} {}m0 {}l{} {}\" stroke=\"#b3261e\" "
          "stroke-width=\"2\" fill=\"none\"/></g>\n",
          report_number(json_number(hit, "t")), xml_escaped(json_text(hit, "corner")), x - arm, y - arm, 2 * arm,
          2 * arm, -2 * arm, -2 * arm, 2 * arm);
    }
  return out;
}

// The car about its CG, nose to +x of the drawing, with a line at the windscreen so that front and rear differ.
std::string outline_path(const Outline& car, double scale) {
  const double front = car.front * scale, rear = (car.front - car.length) * scale, half = car.width / 2 * scale;
  const double r = 0.25 * half, nose = front - 1.6 * r, screen = rear + 0.66 * (front - rear);
  return fmt::format(
      "M{:.1f} {:.1f}H{:.1f}Q{:.1f} {:.1f} {:.1f} {:.1f}V{:.1f}Q{:.1f} {:.1f} {:.1f} {:.1f}H{:.1f}Z"
      "M{:.1f} {:.1f}V{:.1f}",
      rear, -half, nose, front, -half, front, -half + 1.6 * r, half - 1.6 * r, front, half, nose, half, rear, screen,
      -half, half);
}

std::string path_text(const View& view, const std::vector<double>& x, const std::vector<double>& y) {
  std::string out;
  double last_x = INFINITY, last_y = INFINITY;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double px = view.x(x[i]), py = view.y(y[i]);
    if (std::hypot(px - last_x, py - last_y) < 0.8 && i + 1 < x.size()) continue;
    out += fmt::format("{}{:.1f} {:.1f}", out.empty() ? 'M' : 'L', px, py);
    last_x = px, last_y = py;
  }
  return out;
}

// Rows at which the car is drawn: the moments of the summary, else about ten along the way, a car's length apart.
std::vector<std::size_t> moments_of(const RunFolder& run, double apart) {
  const std::vector<double>&t = *run.find("t"), &x = *run.find("x"), &y = *run.find("y");
  std::vector<std::size_t> out;
  for (const json& moment : json_list(run.summary, "moments"))
    if (moment.is_number() && out.size() < 60)
      out.push_back(
          std::min(static_cast<std::size_t>(std::lower_bound(t.begin(), t.end(), moment.get<double>()) - t.begin()),
                   t.size() - 1));
  if (!out.empty()) return out;
  double length = 0, since = INFINITY;
  for (std::size_t i = 1; i < x.size(); ++i) length += std::hypot(x[i] - x[i - 1], y[i] - y[i - 1]);
  const double step = std::max(length / 10, 1.4 * apart);
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (i > 0) since += std::hypot(x[i] - x[i - 1], y[i] - y[i - 1]);
    if (since < step) continue;
    out.push_back(i);
    since = 0;
  }
  return out;
}

std::string run_text(const View& view, const RunFolder& run, std::size_t index) {
  const std::vector<double>*x = run.find("x"), *y = run.find("y"), *psi = run.find("psi");
  if (!x || !y || x->empty()) return "";
  const std::size_t color = index % std::size(kColors);
  const Outline car = outline_of(run);
  const std::string shape = outline_path(car, view.scale);
  std::string out =
      fmt::format("<g class=\"s{}\" color=\"{}\" fill=\"none\" stroke=\"currentColor\">\n<title>{}</title>\n", color,
                  kColors[color], xml_escaped(run.name));
  if (psi)
    for (const std::size_t i : moments_of(run, car.length))
      out += fmt::format(
          "<path transform=\"translate({:.1f} {:.1f}) rotate({:.2f})\" d=\"{}\" fill=\"currentColor\" "
          "fill-opacity=\"0.16\" stroke-opacity=\"0.75\" vector-effect=\"non-scaling-stroke\"/>\n",
          view.x((*x)[i]), view.y((*y)[i]), -(*psi)[i] * 180 / std::numbers::pi, shape);
  return out + fmt::format(
                   "<path d=\"{}\" stroke-width=\"2\" stroke-linejoin=\"round\" "
                   "vector-effect=\"non-scaling-stroke\"/>\n</g>\n",
                   path_text(view, *x, *y));
}

std::string follower_text(const View& view, const RunFolder& run, std::size_t index) {
  if (!run.find("x") || !run.find("y") || !run.find("psi")) return "";
  const std::size_t color = index % std::size(kColors);
  return fmt::format(
      "<g class=\"follow s{}\" color=\"{}\" display=\"none\"><path d=\"{}\" fill=\"currentColor\" "
      "fill-opacity=\"0.75\" "
      "stroke=\"currentColor\" stroke-width=\"1.5\" vector-effect=\"non-scaling-stroke\"/></g>\n",
      color, kColors[color], outline_path(outline_of(run), view.scale));
}

std::string legend_text(const std::vector<RunFolder>& runs) {
  if (runs.size() < 2) return "";
  std::string out;
  double x = 8;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    out += fmt::format(
        "<path class=\"s{0}\" color=\"{1}\" stroke=\"currentColor\" stroke-width=\"3\" d=\"M{2:.0f} 14h18\"/>"
        "<text class=\"ink\" fill=\"#16191d\" x=\"{3:.0f}\" y=\"18\">{4}</text>",
        i % std::size(kColors), kColors[i % std::size(kColors)], x, x + 23, xml_escaped(runs[i].name));
    x += 40 + 7 * static_cast<double>(runs[i].name.size());
  }
  return out;
}

}  // namespace

std::string birds_eye_svg(const std::vector<RunFolder>& runs) {
  const json& course = course_of(runs);
  const std::optional<Bounds> bounds = bounds_of(runs, course);
  if (!bounds) return "";
  const View view = view_of(*bounds);
  const double legend = runs.size() > 1 ? 22 : 0;
  const double width = view.width() + kLeft + kRight, height = view.height() + kTop + kBottom + legend;
  std::string out = fmt::format(
      "<svg class=\"view\" xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" viewBox=\"0 0 "
      "{0:.0f} {1:.0f}\" "
      "role=\"img\" font-family=\"Helvetica, Arial, 'DejaVu Sans', sans-serif\" font-size=\"11\" data-x0=\"{2}\" "
      "data-y1=\"{3}\" "
      "data-scale=\"{4}\">\n<title>Bird's-eye view</title>\n<rect class=\"paper\" width=\"100%\" height=\"100%\" "
      "fill=\"#ffffff\"/>\n"
      "{5}<g transform=\"translate({6} {7})\">\n<rect class=\"ground\" width=\"{8:.1f}\" height=\"{9:.1f}\" "
      "fill=\"#f6f7f9\"/>\n",
      width, height, view.bounds.x0, view.bounds.y1, view.scale, legend_text(runs), kLeft, kTop + legend, view.width(),
      view.height());
  out += grid_text(view) + "<svg width=\"" + fmt::format("{:.1f}\" height=\"{:.1f}", view.width(), view.height()) +
         "\">\n";
  out += ground_text(view, runs.front()) + course_text(view, course);
  for (std::size_t i = 0; i < runs.size(); ++i) out += run_text(view, runs[i], i);
  out += cones_text(view, runs, course);
  for (std::size_t i = 0; i < runs.size(); ++i) out += follower_text(view, runs[i], i);
  return out + "</svg></g></svg>\n";
}

}  // namespace vdsim
