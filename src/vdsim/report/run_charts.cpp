// SPDX-License-Identifier: Apache-2.0
// The charts of a run report.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "vdsim/core/math/real.hpp"
#include "vdsim/engine/outputs.hpp"
#include "vdsim/report/run_report_parts.hpp"

namespace vdsim {
namespace run_parts {
namespace {

using nlohmann::json;

struct Signal {
  const char *column, *title, *quantity;
};
constexpr Signal kMotion[] = {{"vx", "Speed", "speed"},
                              {"v_ref", "Speed the controllers go by", "speed"},
                              {"steer_wheel", "Steering wheel", "angle"},
                              {"steer", "Road wheel angle", "angle"},
                              {"r", "Yaw rate", "yaw rate"},
                              {"ay", "Lateral acceleration", "lateral acceleration"},
                              {"ax", "Longitudinal acceleration", "longitudinal acceleration"},
                              {"beta", "Side slip angle", "side slip angle"},
                              {"roll", "Roll", "roll, left side up"},
                              {"pitch", "Pitch", "pitch, nose down"},
                              {"z", "Height of the CG", "height"},
                              {"engine", "Engine speed", "engine speed"},
                              {"gear", "Gear", "gear"},
                              {"control_throttle", "Throttle that the controllers leave", "share"}};
constexpr Signal kWheel[] = {{"fz", "Load Fz", "Fz"},
                             {"fy", "Lateral force Fy", "Fy"},
                             {"fx", "Longitudinal force Fx", "Fx"},
                             {"use", "Utilisation", "utilisation"},
                             {"alpha", "Slip angle", "slip angle"},
                             {"kappa", "Slip ratio", "slip ratio"},
                             {"abs", "ABS: 1 where it holds or releases the brake", "ABS"},
                             {"brake_pressure", "Brake pressure, 1 = pedal 1", "pressure"},
                             {"control_brake", "Brake by traction or yaw control", "share of the full torque"},
                             {"omega", "Wheel spin", "spin"},
                             {"travel", "Suspension travel", "travel, up"},
                             {"camber", "Inclination", "inclination"},
                             {"t_tread", "Tread temperature", "temperature"},
                             {"tread", "Tread life", "tread"}};

// Curves are told apart without colour, too.
Stroke stroke_of(std::size_t i) {
  constexpr Stroke kStrokes[] = {Stroke::solid, Stroke::dashed, Stroke::dotted, Stroke::dash_dot};
  return kStrokes[i % std::size(kStrokes)];
}

std::vector<double> scaled(std::vector<double> values, double factor) {
  for (double& v : values) v *= factor;
  return values;
}

std::vector<double> signal(const RunFolder& run, const std::string& name) {
  if (name == "beta") return side_slip(run);
  if (name.starts_with("use_")) return utilisation(run, name.substr(4));
  const std::vector<double>* values = run.find(name);
  return values ? *values : std::vector<double>{};
}

std::string run_name(const Runs& runs, std::size_t i) { return runs.size() == 1 ? "" : runs[i].name; }

// As people read it. A table without units is taken to be in those of the signals; what is made here has none.
ReadableUnit unit_in(const Runs& runs, const std::string& name) {
  for (const RunFolder& run : runs)
    if (const std::string unit = run.unit(name); !unit.empty()) return readable_column_unit(name, unit);
  for (const Level level : {Level::L1, Level::L5})
    for (const Column& signal : signals({.level = level, .everything = true}))
      if (signal.name == name) return readable_column_unit(name, signal.unit);
  return {"-", 1};
}

// One signal of every run, of a wheel if it has one; no series if none has it.
Panel time_panel(const Runs& runs, const Signal& of, const std::string& wheel = "", const std::string& title = "") {
  const std::string name = wheel.empty() ? of.column : std::string(of.column) + "_" + wheel;
  const ReadableUnit to = unit_in(runs, name);
  Panel out{title.empty() ? of.title : title, "time [s]", axis_label(of.quantity, to), {}};
  for (std::size_t i = 0; i < runs.size(); ++i)
    if (std::vector<double> y = signal(runs[i], name); !y.empty())
      out.series.push_back(
          {run_name(runs, i), *runs[i].find("t"), scaled(std::move(y), to.factor), stroke_of(i), static_cast<int>(i)});
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
        out.series.push_back({legend, *runs[i].find("t"), std::move(y), brake ? Stroke::dashed : Stroke::solid,
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

std::vector<std::string> wheels_of(const Runs& runs) {
  std::vector<std::string> out;
  for (const std::string& wheel : every_wheel_name())
    if (std::any_of(runs.begin(), runs.end(), [&](const RunFolder& run) { return run.find("fz_" + wheel); }))
      out.push_back(wheel);
  return out;
}

std::string wheel_title(const std::string& wheel) {
  if (wheel.size() == 1) return wheel == "f" ? "front axle" : "rear axle";
  return std::string(wheel[0] == 'f' ? "front" : "rear") + (wheel[1] == 'l' ? " left" : " right");
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
  const double radius = mu * kGravity;
  if (!(largest > 0.25 * radius)) return;
  Series circle{"mu g", {}, {}, Stroke::dotted, 6};
  for (int i = 0; i <= 180; ++i) {
    circle.x.push_back(radius * std::cos(i * std::numbers::pi / 90));
    circle.y.push_back(radius * std::sin(i * std::numbers::pi / 90));
  }
  panel.series.push_back(std::move(circle));
}

std::vector<double> numbers(const json& object, const char* key) {
  std::vector<double> out;
  for (const json& each : json_list(object, key)) out.push_back(each.is_number() ? each.get<double>() : NAN);
  return out;
}

// An estimate of gain or phase is noise where the input has no power, or input and output have little in common.
constexpr double kExcited = 1e-3, kCoherent = 0.5;
std::vector<double> trusted(std::vector<double> values, const json& spectrum) {
  const std::vector<double> coherence = numbers(spectrum, "coherence");
  for (std::size_t i = 0; i < std::min(values.size(), coherence.size()); ++i)
    if (!(coherence[i] >= kCoherent)) values[i] = NAN;
  return values;
}

// "(rad/s)/(rad)" as people read it: "(deg/s)/deg"
ReadableUnit gain_unit(const std::string& unit) {
  const std::size_t middle = unit.find(")/(");
  if (!unit.starts_with("(") || !unit.ends_with(")") || middle == std::string::npos) return {unit, 1};
  const ReadableUnit out = readable_unit(unit.substr(1, middle - 1)),
                     in = readable_unit(unit.substr(middle + 3, unit.size() - middle - 4));
  return {fmt::format("({})/{}", out.unit, in.unit), out.factor / in.factor};
}

Figure spectrum_figure(const Runs& runs, const std::string& name) {
  Panel gain{"Gain", "frequency [Hz]", "gain", {}}, phase{"Phase", "frequency [Hz]", "phase [deg]", {}},
      coherence{"Coherence", "frequency [Hz]", "coherence [-]", {}};
  gain.log_y = true;
  coherence.y_min = 0;
  coherence.y_max = 1.05;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const json* each = named(json_list(runs[i].summary, "spectra"), name);
    if (!each) continue;
    const ReadableUnit unit = gain_unit(json_text(*each, "gain_unit"));
    if (!unit.unit.empty()) gain.y_label = "gain [" + report_unit(unit.unit) + "]";
    std::vector<double> f = numbers(*each, "f");
    const std::vector<double> power = numbers(*each, "excitation");
    for (std::size_t k = 0; k < std::min(f.size(), power.size()); ++k)
      if (!(power[k] >= kExcited)) f[k] = NAN;
    const auto add = [&](Panel& panel, std::vector<double> y) {
      if (!y.empty()) panel.series.push_back({run_name(runs, i), f, std::move(y), stroke_of(i), static_cast<int>(i)});
    };
    add(gain, scaled(trusted(numbers(*each, "gain"), *each), unit.factor));
    add(phase, scaled(trusted(numbers(*each, "phase"), *each), 180 / std::numbers::pi));
    add(coherence, numbers(*each, "coherence"));
  }
  Figure out = time_figure(name);
  out.columns = 3;
  for (Panel* panel : {&gain, &phase, &coherence})
    if (!panel->series.empty()) out.panels.push_back(std::move(*panel));
  return out;
}

}  // namespace

std::string axis_label(const std::string& quantity, const ReadableUnit& to) {
  const std::string shown = report_unit(to.unit);
  return fmt::format("{} [{}]", quantity, shown.empty() ? "-" : shown);
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
    add(time_panel(runs, each));
    if (std::string_view(each.column) == "steer") add(pedal_panel(runs));
  }
  if (!figure.panels.empty()) out.figures.push_back(std::move(figure));
  return out;
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
    Panel panel{each.title, "time [s]", "", {}};
    for (std::size_t w = 0; w < wheels.size(); ++w) {
      const std::string title = wheel_title(wheels[w]);
      Panel one = time_panel(runs, each, wheels[w], title);
      if (one.series.empty()) continue;
      if (runs.size() == 1) {
        one.series[0].name = title;
        one.series[0].color = static_cast<int>(w);
        one.series[0].stroke = stroke_of(w);
        panel.y_label = one.y_label;
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

ReportBlock plane_block(const Runs& runs) {
  ReportBlock out;
  out.heading = "Grip";
  Panel gg{"g-g diagram", "ax [m/s²]", "ay [m/s²]", {}};
  gg.equal_aspect = true;
  Panel stability{"Yaw rate over side slip", "side slip angle [deg]", "yaw rate [deg/s]", {}};
  constexpr double kDegrees = 180 / std::numbers::pi;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const std::string name = run_name(runs, i);
    const std::vector<double>*ax = runs[i].find("ax"), *ay = runs[i].find("ay"), *r = runs[i].find("r");
    if (ax && ay) gg.series.push_back({name, *ax, *ay, stroke_of(i), static_cast<int>(i), 1.4});
    std::vector<double> beta = side_slip(runs[i]);
    if (r && !beta.empty())
      stability.series.push_back(
          {name, scaled(std::move(beta), kDegrees), scaled(*r, kDegrees), stroke_of(i), static_cast<int>(i), 1.4});
  }
  add_grip_circle(runs, gg);
  Figure figure = time_figure("");
  figure.height = 520;
  for (Panel* panel : {&gg, &stability})
    if (!panel->series.empty()) figure.panels.push_back(std::move(*panel));
  if (!figure.panels.empty()) out.figures.push_back(std::move(figure));
  return out;
}

Figure overlay_figure(const Runs& runs) {
  Figure out = time_figure("");
  for (const Signal& each : kMotion)
    if (Panel panel = time_panel(runs, each); !panel.series.empty()) out.panels.push_back(std::move(panel));
  Panel path{"Path", "x [m]", "y, left [m]", {}};
  for (std::size_t i = 0; i < runs.size(); ++i)
    if (runs[i].find("x") && runs[i].find("y"))
      path.series.push_back({runs[i].name, *runs[i].find("x"), *runs[i].find("y"), stroke_of(i), static_cast<int>(i)});
  if (!path.series.empty()) out.panels.push_back(std::move(path));
  return out;
}

ReportBlock spectra_block(const Runs& runs) {
  ReportBlock out;
  out.heading = "Frequency response";
  out.log_x = true;
  out.text = "Left out: frequencies that the input does not excite; gain and phase where the coherence is below 0.5.";
  for (const std::string& name : names_in(runs, "spectra"))
    if (Figure figure = spectrum_figure(runs, name); !figure.panels.empty()) out.figures.push_back(std::move(figure));
  return out;
}

}  // namespace run_parts

std::vector<std::string> every_wheel_name() {
  std::vector<std::string> out = wheel_names(Level::L2);
  for (const std::string& axle : wheel_names(Level::L1)) out.push_back(axle);
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

}  // namespace vdsim
