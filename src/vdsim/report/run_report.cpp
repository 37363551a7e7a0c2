// SPDX-License-Identifier: Apache-2.0
#include "vdsim/report/run_report.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include "vdsim/report/run_report_parts.hpp"
#include "vdsim/report/thinned.hpp"

namespace vdsim {
namespace run_parts {

using nlohmann::json;

const json& member(const json& object, const char* key) {
  static const json nothing = json::object();
  return object.is_object() && object.contains(key) && object[key].is_object() ? object[key] : nothing;
}

const json& car_of(const RunFolder& run) {
  static const json nothing = json::object();
  const json& cars = json_list(run.summary, "cars");
  return cars.empty() ? nothing : cars[0];
}

std::string first_of(std::initializer_list<std::string> words) {
  for (const std::string& word : words)
    if (!word.empty()) return word;
  return "";
}

int verdict_mark(const std::string& verdict) { return verdict == "pass" ? 1 : verdict == "fail" ? 0 : -1; }

}  // namespace run_parts

namespace {

using namespace run_parts;
using nlohmann::json;
using Signals = std::function<std::vector<double>(const RunFolder&)>;

// ---- words about a run

std::string note(const RunFolder& run, std::string_view key) {
  for (const auto& [name, value] : run.head.notes)
    if (name == key) return value;
  return "";
}

// "# from tire tire.rally" in the resolved scene
std::string origin(const RunFolder& run, const std::string& part) {
  const std::string mark = "# from " + part + " ";
  const std::size_t at = run.resolved.find(mark);
  if (at == std::string::npos) return "";
  const std::size_t from = at + mark.size();
  return run.resolved.substr(from, std::min(run.resolved.find('\n', from), run.resolved.size()) - from);
}

std::string label_of(const RunFolder& run) {
  return first_of({json_text(run.summary, "label"), json_text(run.summary, "id"), note(run, "scene"),
                   note(run, "maneuver"), run.name});
}
std::string vehicle_of(const RunFolder& run) {
  return first_of({json_text(run.summary, "vehicle"), origin(run, "blueprint")});
}
std::string tire_of(const RunFolder& run) { return first_of({json_text(run.summary, "tire"), origin(run, "tire")}); }
std::string level_of(const RunFolder& run) {
  return first_of({json_text(run.summary, "level"), json_text(car_of(run), "level")});
}
std::string config_of(const RunFolder& run) {
  return first_of({json_text(run.summary, "config"), note(run, "config")});
}
std::string version_of(const RunFolder& run) {
  const std::string version = first_of({json_text(run.summary, "vdsim"), note(run, "vdsim")});
  const std::string git = json_text(run.summary, "git");
  return version + (git.empty() ? "" : " (" + git + ")");
}

using Facts = std::vector<std::pair<std::string, std::string>>;

Facts facts_of(const RunFolder& run) {
  Facts all{{"manoeuvre", json_text(run.summary, "id")},
            {"standard", json_text(run.summary, "standard")},
            {"vehicle", vehicle_of(run)},
            {"tire", tire_of(run)},
            {"level", level_of(run)},
            {"integrator", json_text(run.summary, "integrator")}};
  if (json_text(run.summary, "kind") != "maneuver") all[0].first = "scene";
  if (run.rows.rows() > 0) {
    const std::vector<double>& t = *run.find("t");
    all.emplace_back("length", fmt::format("{} s, {} rows", report_number(t.back() - t.front()), t.size()));
  }
  if (const json& found = member(run.summary, "found"); !found.empty())
    all.emplace_back("found " + json_text(found, "parameter"), report_number(json_number(found, "value")));
  all.emplace_back("configuration", config_of(run));
  all.emplace_back("VDSim", version_of(run));
  Facts out;
  for (auto& fact : all)
    if (!fact.second.empty()) out.push_back(std::move(fact));
  return out;
}

ReportBlock head_block(const Runs& runs) {
  ReportBlock out;
  out.heading = runs.size() == 1 ? "Result" : "Runs";
  if (runs.size() == 1) {
    out.verdict = json_text(runs[0].summary, "verdict");
    out.facts = facts_of(runs[0]);
    for (const json& line : json_list(runs[0].summary, "notes"))
      if (line.is_string()) out.text += (out.text.empty() ? "" : "\n\n") + line.get<std::string>();
    return out;
  }
  ReportTable table;
  table.rows = {{"run", "label", "vehicle", "tire", "level", "configuration", "VDSim"}};
  for (const RunFolder& run : runs) {
    table.rows.push_back(
        {run.name, label_of(run), vehicle_of(run), tire_of(run), level_of(run), config_of(run), version_of(run)});
    table.marks.push_back(verdict_mark(json_text(run.summary, "verdict")));
  }
  if (std::find(table.marks.begin(), table.marks.end(), -1) != table.marks.end()) {  // a run that is not judged
    table.rows[0].emplace_back("outcome");
    for (std::size_t i = 0; i < runs.size(); ++i) table.rows[i + 1].push_back(json_text(runs[i].summary, "verdict"));
  }
  out.tables.push_back(std::move(table));
  return out;
}

// ---- charts

struct Signal {
  const char *column, *title, *label;
};
constexpr Signal kMotion[] = {{"vx", "Speed", "speed [m/s]"},
                              {"steer_wheel", "Steering wheel", "angle [rad]"},
                              {"steer", "Road wheel angle", "angle [rad]"},
                              {"r", "Yaw rate", "yaw rate [rad/s]"},
                              {"ay", "Lateral acceleration", "lateral acceleration [m/s²]"},
                              {"ax", "Longitudinal acceleration", "longitudinal acceleration [m/s²]"},
                              {"beta", "Side slip angle", "side slip angle [rad]"},
                              {"roll", "Roll", "roll, left side up [rad]"},
                              {"pitch", "Pitch", "pitch, nose down [rad]"},
                              {"z", "Height of the CG", "height [m]"},
                              {"engine", "Engine speed", "engine speed [rad/s]"},
                              {"gear", "Gear", "gear [-]"}};
constexpr Signal kWheel[] = {{"fz", "Load Fz", "Fz [N]"},
                             {"fy", "Lateral force Fy", "Fy [N]"},
                             {"fx", "Longitudinal force Fx", "Fx [N]"},
                             {"use", "Utilisation", "utilisation [-]"},
                             {"alpha", "Slip angle", "slip angle [rad]"},
                             {"kappa", "Slip ratio", "slip ratio [-]"},
                             {"omega", "Wheel spin", "spin [rad/s]"},
                             {"travel", "Suspension travel", "travel, up [m]"},
                             {"camber", "Inclination", "inclination [rad]"},
                             {"t_tread", "Tread temperature", "temperature [degC]"},
                             {"tread", "Tread life", "tread [-]"}};

std::vector<double> signal(const RunFolder& run, const std::string& name) {
  if (name == "beta") return side_slip(run);
  if (name.starts_with("use_")) return utilisation(run, name.substr(4));
  const std::vector<double>* values = run.find(name);
  return values ? *values : std::vector<double>{};
}

std::string run_name(const Runs& runs, std::size_t i) { return runs.size() == 1 ? "" : runs[i].name; }

// One signal of every run; no series if none has it.
Panel time_panel(const Runs& runs, const std::string& name, const char* title, const char* label) {
  Panel out{title, "time [s]", label, {}};
  for (std::size_t i = 0; i < runs.size(); ++i) {
    std::vector<double> y = signal(runs[i], name);
    if (!y.empty())
      out.series.push_back({run_name(runs, i), *runs[i].find("t"), std::move(y), Stroke::solid, static_cast<int>(i)});
  }
  return out;
}

Panel pedal_panel(const Runs& runs) {
  Panel out{"Pedals", "time [s]", "pedal [-]", {}};
  int color = 0;
  for (std::size_t i = 0; i < runs.size(); ++i)
    for (const char* name : {"throttle", "brake"}) {
      std::vector<double> y = signal(runs[i], name);
      const std::string legend = runs.size() == 1 ? name : runs[i].name + ", " + name;
      const bool brake = name[0] == 'b';
      if (!y.empty())
        out.series.push_back({legend, *runs[i].find("t"), std::move(y),
                              runs.size() > 1 && brake ? Stroke::dashed : Stroke::solid,
                              runs.size() == 1 ? color++ : static_cast<int>(i)});
    }
  return out;
}

Figure time_figure(std::string title) {
  Figure out;
  out.title = std::move(title);
  out.width = 560;
  out.height = 300;
  return out;
}

std::vector<ReportBand> bands_of(const Runs& runs) {
  std::vector<ReportBand> out;
  for (const json& phase : json_list(runs[0].summary, "phases")) {
    const double from = json_number(phase, "from"), to = json_number(phase, "to");
    if (from < to) out.push_back({json_text(phase, "name"), from, to});
  }
  return out;
}

ReportBlock motion_block(const Runs& runs) {
  ReportBlock out;
  out.heading = "Motion";
  out.sync = "time";
  out.bands = bands_of(runs);
  Figure figure = time_figure("");
  const auto add = [&](Panel panel) {
    if (!panel.series.empty()) figure.panels.push_back(std::move(panel));
  };
  for (const Signal& each : kMotion) {
    add(time_panel(runs, each.column, each.title, each.label));
    if (std::string_view(each.column) == "steer") add(pedal_panel(runs));
  }
  if (!figure.panels.empty()) out.figures.push_back(std::move(figure));
  return out;
}

std::vector<std::string> wheels_of(const Runs& runs) {
  std::vector<std::string> out;
  for (const char* wheel : {"fl", "fr", "rl", "rr", "f", "r"})
    if (std::any_of(runs.begin(), runs.end(),
                    [&](const RunFolder& run) { return run.find(std::string("fz_") + wheel); }))
      out.emplace_back(wheel);
  return out;
}

std::string wheel_title(const std::string& wheel) {
  if (wheel.size() == 1) return wheel == "f" ? "front axle" : "rear axle";
  return std::string(wheel[0] == 'f' ? "front" : "rear") + (wheel[1] == 'l' ? " left" : " right");
}

// One run: a panel per signal, a curve per wheel. Several: a figure per signal, a panel per wheel, a curve per run.
ReportBlock wheel_block(const Runs& runs) {
  ReportBlock out;
  out.heading = "Wheels";
  out.sync = "time";
  out.bands = bands_of(runs);
  out.text =
      "Forces of the road on the tire in its own plane. Utilisation is sqrt(Fx² + Fy²) over road friction times "
      "load.";
  const std::vector<std::string> wheels = wheels_of(runs);
  Figure together = time_figure("");
  for (const Signal& each : kWheel) {
    Figure figure = time_figure(each.title);
    Panel panel{each.title, "time [s]", each.label, {}};
    for (std::size_t w = 0; w < wheels.size(); ++w) {
      const std::string title = wheel_title(wheels[w]);
      Panel one = time_panel(runs, std::string(each.column) + "_" + wheels[w], title.c_str(), each.label);
      if (one.series.empty()) continue;
      if (runs.size() == 1) {
        one.series[0].name = title;
        one.series[0].color = static_cast<int>(w);
        panel.series.push_back(std::move(one.series[0]));
      } else {
        figure.panels.push_back(std::move(one));
      }
    }
    if (!panel.series.empty()) together.panels.push_back(std::move(panel));
    if (!figure.panels.empty()) out.figures.push_back(std::move(figure));
  }
  if (!together.panels.empty()) out.figures.push_back(std::move(together));
  return out;
}

// The circle mu g, where the run comes near enough to it to be read.
void add_grip_circle(const Runs& runs, Panel& panel) {
  double mu = NAN, largest = 0;
  for (const RunFolder& run : runs)
    for (const char* column : {"mu_fl", "mu_f"})
      if (const std::vector<double>* values = run.find(column); values && !values->empty() && !std::isfinite(mu))
        mu = values->front();
  for (const Series& s : panel.series)
    for (std::size_t i = 0; i < s.x.size(); ++i) largest = std::max(largest, std::hypot(s.x[i], s.y[i]));
  const double radius = mu * 9.81;
  if (!(largest > 0.25 * radius)) return;
  Series circle{"mu g", {}, {}, Stroke::dotted, 6};
  for (int i = 0; i <= 180; ++i) {
    circle.x.push_back(radius * std::cos(i * std::numbers::pi / 90));
    circle.y.push_back(radius * std::sin(i * std::numbers::pi / 90));
  }
  panel.series.push_back(std::move(circle));
}

ReportBlock plane_block(const Runs& runs) {
  ReportBlock out;
  out.heading = "Grip";
  Panel gg{"g-g diagram", "ax [m/s²]", "ay [m/s²]", {}};
  gg.equal_aspect = true;
  Panel stability{"Yaw rate over side slip", "side slip angle [rad]", "yaw rate [rad/s]", {}};
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const std::string name = runs.size() == 1 ? "" : runs[i].name;
    const std::vector<double>*ax = runs[i].find("ax"), *ay = runs[i].find("ay"), *r = runs[i].find("r");
    if (ax && ay) gg.series.push_back({name, *ax, *ay, Stroke::solid, static_cast<int>(i), 1.4});
    std::vector<double> beta = side_slip(runs[i]);
    if (r && !beta.empty())
      stability.series.push_back({name, std::move(beta), *r, Stroke::solid, static_cast<int>(i), 1.4});
  }
  add_grip_circle(runs, gg);
  Figure figure = time_figure("");
  figure.height = 520;
  for (Panel* panel : {&gg, &stability})
    if (!panel->series.empty()) figure.panels.push_back(std::move(*panel));
  if (!figure.panels.empty()) out.figures.push_back(std::move(figure));
  return out;
}

std::vector<double> numbers(const json& object, const char* key) {
  std::vector<double> out;
  for (const json& each : json_list(object, key)) out.push_back(each.is_number() ? each.get<double>() : NAN);
  return out;
}

// Where input and output have little in common, an estimate of gain or phase is noise.
std::vector<double> trusted(std::vector<double> values, const std::vector<double>& coherence) {
  for (std::size_t i = 0; i < std::min(values.size(), coherence.size()); ++i)
    if (!(coherence[i] >= 0.5)) values[i] = NAN;
  return values;
}

ReportBlock spectra_block(const Runs& runs) {
  ReportBlock out;
  out.heading = "Frequency response";
  out.log_x = true;
  out.text = "Gain and phase are left out where the coherence is below 0.5.";
  std::vector<std::string> names = names_in(runs, "spectra");
  for (const std::string& name : names) {
    Panel gain{"Gain", "frequency [Hz]", "gain", {}}, phase{"Phase", "frequency [Hz]", "phase [deg]", {}},
        coherence{"Coherence", "frequency [Hz]", "coherence [-]", {}};
    coherence.y_min = 0;
    coherence.y_max = 1.05;
    for (std::size_t i = 0; i < runs.size(); ++i) {
      const json* each = named(json_list(runs[i].summary, "spectra"), name);
      if (!each) continue;
      const std::string unit = json_text(*each, "gain_unit");
      if (!unit.empty()) gain.y_label = "gain [" + report_unit(unit) + "]";
      std::vector<double> degrees = numbers(*each, "phase");
      for (double& v : degrees) v *= 180 / std::numbers::pi;
      const std::vector<double> f = numbers(*each, "f");
      const auto add = [&](Panel& panel, std::vector<double> y) {
        if (!y.empty())
          panel.series.push_back({run_name(runs, i), f, std::move(y), Stroke::solid, static_cast<int>(i)});
      };
      const std::vector<double> trust = numbers(*each, "coherence");
      add(gain, trusted(numbers(*each, "gain"), trust));
      add(phase, trusted(std::move(degrees), trust));
      add(coherence, trust);
    }
    Figure figure = time_figure(name);
    figure.columns = 3;
    for (Panel* panel : {&gain, &phase, &coherence})
      if (!panel->series.empty()) figure.panels.push_back(std::move(*panel));
    if (!figure.panels.empty()) out.figures.push_back(std::move(figure));
  }
  return out;
}

ReportBlock view_block(const Runs& runs) {
  ReportBlock out;
  out.heading = "Bird's-eye view";
  out.svg = birds_eye_svg(runs);
  if (out.svg.empty()) return out;
  for (const RunFolder& run : runs)
    if (run.find("x") && run.find("y") && run.find("psi"))
      out.followers.push_back({*run.find("t"), *run.find("x"), *run.find("y"), *run.find("psi")});
  return out;
}

ReportBlock table_block(std::string heading, std::vector<ReportTable> tables) {
  ReportBlock out;
  out.heading = std::move(heading);
  for (ReportTable& table : tables)
    if (table.rows.size() > 1) out.tables.push_back(std::move(table));
  return out;
}

void add_configurations(const Runs& runs, std::vector<ReportBlock>& out) {
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (runs[i].resolved.empty()) continue;
    const bool shown = std::any_of(runs.begin(), runs.begin() + static_cast<std::ptrdiff_t>(i),
                                   [&](const RunFolder& other) { return other.resolved == runs[i].resolved; });
    if (shown) continue;  // cars of one scene
    ReportBlock block;
    block.heading = runs.size() == 1 ? "Configuration" : "Configuration of " + runs[i].name;
    block.text = "Hash " + config_of(runs[i]);
    block.preformatted = runs[i].resolved;
    block.folded = true;
    out.push_back(std::move(block));
  }
}

}  // namespace

std::string report_number(double v) {
  if (!std::isfinite(v)) return "–";
  if (v == 0) return "0";
  const double size = std::abs(v);
  if (size == std::round(size) && size < 1e9) return fmt::format("{}", v);
  return fmt::format("{:.5g}", v);
}

std::string report_unit(const std::string& unit) {
  if (unit == "-" || unit == "1") return "";
  std::string out;
  for (std::size_t i = 0; i < unit.size(); ++i) {
    const bool power = unit[i] == '^' && i + 1 < unit.size() && (unit[i + 1] == '2' || unit[i + 1] == '3');
    out += power ? (unit[++i] == '2' ? "²" : "³") : unit.substr(i, 1);
  }
  return out;
}

std::vector<double> side_slip(const RunFolder& run) {
  if (const std::vector<double>* beta = run.find("beta")) return *beta;
  const std::vector<double>*vx = run.find("vx"), *vy = run.find("vy");
  std::vector<double> out;
  if (!vx || !vy) return out;
  for (std::size_t i = 0; i < vx->size(); ++i)
    out.push_back(std::hypot((*vx)[i], (*vy)[i]) < 0.5 ? NAN : std::atan2((*vy)[i], std::abs((*vx)[i])));
  return out;
}

std::vector<double> utilisation(const RunFolder& run, const std::string& wheel) {
  if (const std::vector<double>* use = run.find("use_" + wheel)) return *use;  // of a thinned run
  const std::vector<double>*fx = run.find("fx_" + wheel), *fy = run.find("fy_" + wheel), *fz = run.find("fz_" + wheel),
        *mu = run.find("mu_" + wheel);
  std::vector<double> out;
  if (!fx || !fy || !fz || !mu) return out;
  for (std::size_t i = 0; i < fz->size(); ++i)
    out.push_back((*fz)[i] > 1 && (*mu)[i] > 0 ? std::hypot((*fx)[i], (*fy)[i]) / ((*mu)[i] * (*fz)[i]) : NAN);
  return out;
}

std::string run_report_title(const std::vector<RunFolder>& runs) {
  const std::string label = label_of(runs[0]);
  const bool same = std::all_of(runs.begin(), runs.end(), [&](const RunFolder& run) { return label_of(run) == label; });
  return same ? label : fmt::format("{} runs", runs.size());
}

std::string run_report_subtitle(const std::vector<RunFolder>& runs) {
  if (runs.size() > 1) return fmt::format("{} runs compared", runs.size());
  std::string out;
  for (const std::string& word : {json_text(runs[0].summary, "standard"), vehicle_of(runs[0]), level_of(runs[0])})
    if (!word.empty()) out += (out.empty() ? "" : " · ") + word;
  return out;
}

std::vector<ReportBlock> run_report(const std::vector<RunFolder>& runs) {
  std::vector<ReportBlock> all, out;
  ReportTable metrics = metrics_table(runs);
  const bool measured = metrics.rows.size() > 1;
  ReportBlock series = table_block("Series", {});
  for (const RunFolder& run : runs)
    if (!json_list(run.summary, "runs").empty()) series.tables.push_back(series_table(run, runs.size() > 1));
  ReportBlock hits = table_block("Cones hit", {});
  for (const RunFolder& run : runs)
    if (!json_list(run.summary, "hits").empty()) hits.tables.push_back(hits_table(run, runs.size() > 1));
  all.push_back(head_block(runs));
  all.push_back(table_block(measured ? "Metrics" : "Outcome", {measured ? std::move(metrics) : outcome_table(runs)}));
  all.push_back(view_block(runs));
  all.push_back(std::move(hits));
  const std::vector<RunFolder> shown = thinned(runs);
  all.push_back(motion_block(shown));
  all.back().text = thinning_text(runs, shown);
  all.push_back(wheel_block(shown));
  all.push_back(plane_block(runs));
  all.push_back(spectra_block(runs));
  all.push_back(std::move(series));
  all.push_back(table_block("Parameters", {parameter_table(runs)}));
  for (ReportBlock& block : all)
    if (!block.tables.empty() || !block.figures.empty() || !block.svg.empty() || !block.facts.empty())
      out.push_back(std::move(block));
  add_configurations(runs, out);
  return out;
}

std::string run_report_page(const std::string& folder, const std::string& name) {
  Errors errors;
  const std::vector<RunFolder> runs = read_run_folder(folder, errors, name);
  errors.throw_if_any();
  return report_page(run_report_title(runs), run_report_subtitle(runs), run_report(runs));
}

}  // namespace vdsim
