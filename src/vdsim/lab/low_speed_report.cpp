// SPDX-License-Identifier: Apache-2.0
#include "vdsim/lab/low_speed_report.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>

#include "vdsim/study/run.hpp"

namespace vdsim {
namespace {

std::string unit_brackets(const LowSpeedMeasure& m) {
  return std::string(m.unit) == "-" ? "" : std::string(" [") + m.unit + "]";
}

std::string shown(double x) {
  if (std::isnan(x)) return "-";
  return x == 0                                       ? "0"
         : std::fabs(x) < 1e-2 || std::fabs(x) >= 1e5 ? fmt::format("{:.1e}", x)
                                                      : fmt::format("{:.3g}", x);
}

std::string milliseconds(double s) { return std::isnan(s) ? "-" : s == 0 ? "none" : fmt::format("{:g} ms", 1e3 * s); }

bool asked(const LowSpeedComparison& c, std::size_t exercise, const LowSpeedMeasure& m) {
  return std::any_of(c.runs.begin(), c.runs.end(),
                     [&](const auto& runs) { return !std::isnan(runs[exercise].figures.*m.value); });
}

// Head and one row per method: what the exercise asks for, the drift per hour only; `mark` follows a broken law.
std::vector<std::vector<std::string>> figure_rows(const LowSpeedComparison& c, std::size_t exercise, const char* mark) {
  std::vector<std::vector<std::string>> rows(c.methods.size() + 1);
  rows[0] = {"method"};
  for (std::size_t i = 0; i < c.methods.size(); ++i) rows[i + 1] = {c.methods[i].label};
  for (const LowSpeedMeasure& m : low_speed_measures()) {
    if (!asked(c, exercise, m) || m.value == &LowSpeedFigures::drift) continue;
    std::string head = m.name;
    std::replace(head.begin(), head.end(), '_', ' ');
    rows[0].push_back(head + unit_brackets(m));
    for (std::size_t i = 0; i < c.methods.size(); ++i) {
      const LowSpeedFigures& f = c.runs[i][exercise].figures;
      rows[i + 1].push_back(shown(f.*m.value) + (m.broken(f) ? mark : ""));
    }
  }
  return rows;
}

double worst(const std::vector<LowSpeedRun>& runs, double LowSpeedFigures::*value) {
  double out = LowSpeedFigures::kNone;
  for (const LowSpeedRun& run : runs) out = std::fmax(out, run.figures.*value);
  return out;
}

std::vector<std::vector<std::string>> summary_rows(const LowSpeedComparison& c) {
  std::vector<std::vector<std::string>> rows = {{"method", "12 % grade [m/h]", "side slope [m/h]", "after a stop [m/s]",
                                                 "flips", "slides on ice", "energy created", "steer work [J]",
                                                 "laws broken"}};
  for (std::size_t i = 0; i < c.methods.size(); ++i) {
    const auto figures = [&](const char* id) -> const LowSpeedFigures& { return c.run(c.methods[i].id, id).figures; };
    double after_stop = LowSpeedFigures::kNone;
    for (const char* id : {"stop", "creep", "arc"}) after_stop = std::fmax(after_stop, figures(id).speed);
    rows.push_back({c.methods[i].label, shown(figures("grade").drift_per_hour),
                    shown(figures("side_slope").drift_per_hour), shown(after_stop),
                    shown(worst(c.runs[i], &LowSpeedFigures::sign_changes)), figures("ice").stuck > 0 ? "no" : "yes",
                    shown(worst(c.runs[i], &LowSpeedFigures::created)), shown(figures("lock_to_lock").steer_work),
                    std::to_string(c.broken(i).size())});
  }
  return rows;
}

std::vector<std::vector<std::string>> cost_rows(const LowSpeedComparison& c) {
  std::vector<std::vector<std::string>> rows = {
      {"method", "time of a step", "per step", "largest step, RK4", "largest step, Euler"}};
  for (std::size_t i = 0; i < c.methods.size(); ++i)
    rows.push_back({c.methods[i].label,
                    std::isnan(c.cost[i].ratio) ? "-" : fmt::format("{:.2f} x rolling", c.cost[i].ratio),
                    std::isnan(c.cost[i].ns) ? "-" : fmt::format("{:.1f} us", 1e-3 * c.cost[i].ns),
                    milliseconds(c.cost[i].largest_rk4), milliseconds(c.cost[i].largest_euler)});
  return rows;
}

}  // namespace

std::string low_speed_table(const LowSpeedComparison& c) {
  std::string out = "Low speed: one sedan (L2, RK4, 1 ms), " + std::to_string(c.methods.size()) +
                    " methods, the same exercises. '!' breaks a law.\n";
  for (std::size_t k = 0; k < c.exercises.size(); ++k)
    out += "\n" + c.exercises[k].id + ": " + c.exercises[k].label + "\n" + text_table(figure_rows(c, k, "!"));
  out += "\nsummary\n" + text_table(summary_rows(c)) + "\ncost\n" + text_table(cost_rows(c));
  return out;
}

std::string low_speed_json(const LowSpeedComparison& c, const std::vector<std::string>& files) {
  using json = nlohmann::ordered_json;
  const auto number = [](double x) { return std::isfinite(x) ? json(x) : json(nullptr); };
  json out = {{"kind", "low_speed_comparison"}, {"vdsim", version_text()}, {"git", git_text()}};
  for (const LowSpeedMeasure& m : low_speed_measures())
    out["measures"].push_back({{"name", m.name}, {"unit", m.unit}, {"meaning", m.meaning}, {"limit", number(m.limit)}});
  for (const LowSpeedExercise& e : c.exercises)
    out["exercises"].push_back({{"id", e.id}, {"label", e.label}, {"duration", e.duration}});
  for (std::size_t i = 0; i < c.methods.size(); ++i) {
    json method = {{"id", c.methods[i].id}, {"label", c.methods[i].label}, {"broken", c.broken(i)}};
    const LowSpeedCost& cost = c.cost[i];
    method["cost"] = {{"ns_per_step", number(cost.ns)},
                      {"ratio", number(cost.ratio)},
                      {"largest_rk4", number(cost.largest_rk4)},
                      {"largest_euler", number(cost.largest_euler)}};
    for (std::size_t k = 0; k < c.exercises.size(); ++k) {
      const LowSpeedRun& run = c.runs[i][k];
      json figures;
      for (const LowSpeedMeasure& m : low_speed_measures()) figures[m.name] = number(run.figures.*m.value);
      method["exercises"][c.exercises[k].id] = {
          {"lawful", c.lawful(i, k)}, {"failed_at", number(run.failed_at)}, {"figures", figures}};
    }
    out["methods"].push_back(method);
  }
  out["files"] = files;
  return out.dump(2) + "\n";
}

namespace {

// One line per method over time; `y` makes a row's value from the trace and its index.
template <class F>
Panel over_time(const LowSpeedComparison& c, std::size_t exercise, const char* title, const char* y_label, F&& y) {
  Panel p;
  p.title = title, p.x_label = "time [s]", p.y_label = y_label;
  for (std::size_t i = 0; i < c.methods.size(); ++i) {
    const LowSpeedTrace& r = c.runs[i][exercise].trace;
    Series s;
    s.name = c.methods[i].label, s.color = static_cast<int>(i), s.x = r.t;
    for (std::size_t k = 0; k < r.t.size(); ++k) s.y.push_back(y(r, k));
    p.series.push_back(std::move(s));
  }
  return p;
}

double log_of(double x) { return std::log10(std::max(x, 1e-18)); }

Panel speed_panel(const LowSpeedComparison& c, std::size_t k) {
  Panel p = over_time(c, k, "Speed", "vx [m/s]", [](const LowSpeedTrace& r, std::size_t j) { return r.vx[j]; });
  Series asked;
  asked.name = "asked", asked.stroke = Stroke::dashed, asked.color = kPaletteSize - 1;
  for (const Table::Point& point : c.exercises[k].driver.speed.points)
    asked.x.push_back(point.t), asked.y.push_back(point.value);
  if (!asked.x.empty()) p.series.push_back(asked);
  return p;
}

// Path of the rear axle, and the circle of wheels that do not slip.
Panel arc_panel(const LowSpeedComparison& c, std::size_t exercise) {
  Panel p;
  p.title = "Path of the rear axle", p.x_label = "x [m]", p.y_label = "y [m]", p.equal_aspect = true;
  const ChassisSpec& chassis = c.methods[0].car.chassis;
  const double b = chassis.cg_to_rear, R = chassis.wheelbase / std::tan(0.45);
  for (std::size_t i = 0; i < c.methods.size(); ++i) {
    const LowSpeedTrace& r = c.runs[i][exercise].trace;
    Series s;
    s.name = c.methods[i].label, s.color = static_cast<int>(i);
    for (std::size_t k = 0; k < r.t.size(); ++k)
      s.x.push_back(r.x[k] - b * std::cos(r.psi[k])), s.y.push_back(r.y[k] - b * std::sin(r.psi[k]));
    p.series.push_back(std::move(s));
  }
  Series circle;
  circle.name = "no slip", circle.stroke = Stroke::dashed, circle.color = kPaletteSize - 1;
  for (int k = 0; k <= 90; ++k) {
    const double turn = -k * std::numbers::pi / 180;  // reverse with left lock turns the nose to the right
    circle.x.push_back(-b + R * std::sin(turn)), circle.y.push_back(R - R * std::cos(turn));
  }
  p.series.push_back(std::move(circle));
  return p;
}

Figure exercise_figure(const LowSpeedComparison& c, std::size_t k) {
  using Trace = LowSpeedTrace;
  const std::string& id = c.exercises[k].id;
  const auto moved = [&] {
    return over_time(c, k, "Distance from where it stood (flat line: rounding)", "log10 of the distance [m]",
                     [](const Trace& r, std::size_t j) { return log_of(r.moved[j]); });
  };
  Figure f;
  f.shared_legend = true;
  if (id == "stop") {
    Panel near = speed_panel(c, k);
    near.title = "Speed around the stop", near.x_min = 1.2, near.x_max = 5, near.y_min = -0.03, near.y_max = 0.06;
    Panel force = over_time(c, k, "Longitudinal force, front left", "Fx [N]",
                            [](const Trace& r, std::size_t j) { return r.fx[j]; });
    force.x_min = 1.2, force.x_max = 5;
    f.panels = {near, force,
                over_time(c, k, "Speed, every decade", "log10 of |vx| [m/s]",
                          [](const Trace& r, std::size_t j) { return log_of(std::fabs(r.vx[j])); })};
  } else if (id == "grade" || id == "side_slope") {
    Panel linear = over_time(c, k, "Distance from where it stood", "[mm]",
                             [](const Trace& r, std::size_t j) { return 1e3 * r.moved[j]; });
    Panel decades = moved();
    linear.x_min = decades.x_min = c.exercises[k].stand_from;
    f.panels = {linear, decades};
  } else if (id == "ice") {
    f.panels = {
        over_time(c, k, "Distance across the slope", "y [m]", [](const Trace& r, std::size_t j) { return r.y[j]; })};
  } else if (id == "inch") {
    f.panels = {speed_panel(c, k), over_time(c, k, "Way up the grade", "x [mm]",
                                             [](const Trace& r, std::size_t j) { return 1e3 * (r.x[j] - r.x[0]); })};
  } else if (id == "lock_to_lock") {
    f.panels = {over_time(c, k, "Heading", "[mrad]", [](const Trace& r, std::size_t j) { return 1e3 * r.psi[j]; }),
                over_time(c, k, "Longitudinal force, front left", "Fx [N]",
                          [](const Trace& r, std::size_t j) { return r.fx[j]; })};
  } else if (id == "arc") {
    f.panels = {arc_panel(c, k), moved()};
  } else {
    f.panels = {speed_panel(c, k), moved()};
  }
  return f;
}

ReportBlock summary_block(const LowSpeedComparison& c) {
  ReportBlock b;
  b.heading = "In one table";
  b.text =
      "The same sedan does the same exercises at walking pace and at rest. Only the tire model near standstill "
      "differs. Algebraic tires divide by the speed; near zero they must be replaced by a damper or by geometry, and "
      "both fail somewhere. Friction at rest needs a memory of where the contact stands. The rolling law, the default "
      "of VDSim, has one and obeys every law below.\n\nA row passes if no law is broken in any exercise. Cost is the "
      "time of a step against the rolling law, measured in turns on one machine. The largest step is that of a clean "
      "stop in a curve.";
  ReportTable t;
  t.caption = "Drift as if it went on for an hour; zero is zero in double precision";
  t.rows = summary_rows(c);
  for (std::size_t i = 0; i < c.methods.size(); ++i) t.marks.push_back(c.broken(i).empty());
  b.tables = {t, {"What it costs; steps tried: 0.5, 1, 2, 5, 10, 20 ms", cost_rows(c), {}}};
  return b;
}

// Broken laws of one method, short: "grade (drift_per_hour, speed); ice (stuck)".
std::string broken_text(const LowSpeedComparison& c, std::size_t method) {
  std::string out;
  for (std::size_t k = 0; k < c.exercises.size(); ++k) {
    std::string names;
    const LowSpeedRun& run = c.runs[method][k];
    if (run.failed()) names = "diverged";
    for (const LowSpeedMeasure& m : low_speed_measures())
      if (m.broken(run.figures)) names += (names.empty() ? "" : ", ") + std::string(m.name);
    if (!names.empty()) out += (out.empty() ? "" : "; ") + c.exercises[k].id + " (" + names + ")";
  }
  return out.empty() ? "none" : out;
}

ReportBlock methods_block(const LowSpeedComparison& c) {
  ReportBlock b;
  b.heading = "What each method does";
  ReportTable t;
  t.rows = {{"method", "idea", "what comes of it", "laws it breaks"}};
  for (std::size_t i = 0; i < c.methods.size(); ++i) {
    t.rows.push_back({c.methods[i].label, c.methods[i].idea, c.methods[i].fate, broken_text(c, i)});
    t.marks.push_back(c.broken(i).empty());
  }
  b.tables = {t};
  return b;
}

ReportBlock laws_block() {
  ReportBlock b;
  b.heading = "Measures and laws";
  b.text =
      "RK4 at 1 ms, level L2. Created energy: what contact and fallback took must never fall. In a "
      "contact patch bristles roll into more load unpaid; for that tire only a weaker law is checked: never more back "
      "than was put in.";
  b.folded = true;
  ReportTable t;
  t.rows = {{"measure", "unit", "meaning", "law"}};
  for (const LowSpeedMeasure& m : low_speed_measures())
    t.rows.push_back({m.name, m.unit, m.meaning, std::isnan(m.limit) ? "" : fmt::format("<= {:g}", m.limit)});
  b.tables = {t};
  return b;
}

}  // namespace

std::vector<ReportBlock> low_speed_report(const LowSpeedComparison& c) {
  std::vector<ReportBlock> out = {summary_block(c), methods_block(c)};
  for (std::size_t k = 0; k < c.exercises.size(); ++k) {
    ReportBlock b;
    b.heading = c.exercises[k].label, b.text = c.exercises[k].text;
    ReportTable t;
    t.rows = figure_rows(c, k, "");
    for (const LowSpeedMeasure& m : low_speed_measures())
      if (asked(c, k, m) && !std::isnan(m.limit))
        t.caption +=
            fmt::format("{}{} <= {:g}{}", t.caption.empty() ? "Laws: " : ", ", m.name, m.limit, unit_after(m.unit));
    for (std::size_t i = 0; i < c.methods.size(); ++i) t.marks.push_back(c.lawful(i, k));
    b.tables = {t};
    b.figures = {exercise_figure(c, k)};
    out.push_back(std::move(b));
  }
  out.push_back(laws_block());
  return with_powers(std::move(out));
}

}  // namespace vdsim
