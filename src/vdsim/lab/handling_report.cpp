// SPDX-License-Identifier: Apache-2.0
#include "vdsim/lab/handling_report.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>

#include "vdsim/formats/readable.hpp"
#include "vdsim/study/run.hpp"

namespace vdsim {
namespace {

using Json = nlohmann::ordered_json;
using Rows = std::vector<std::vector<std::string>>;

constexpr double kDeg = 180 / std::numbers::pi, kG = 9.80665;  // [deg/rad], [m/s^2]
constexpr double kDegPerG = kDeg * kG, kKmh = 3.6;

std::string number(double x, int digits) {
  if (!std::isfinite(x)) return "none";
  return fmt::format("{:.{}f}", std::abs(x) < 0.5 * std::pow(10, -digits) ? 0 : x, digits);  // no "-0.00"
}

std::string speed(double v) { return fmt::format("{} km/h", number(v * kKmh, 1)); }

Rows linear_rows(const Handling& h) {
  const LinearRange& o = h.at_speed;
  const auto pair = [](const double v[2], double by, int digits) {
    return number(v[0] * by, digits) + " / " + number(v[1] * by, digits);
  };
  return {{"quantity", "value", "unit"},
          {"understeer gradient K", number(o.K * 1e3, 4), "1e-3 rad s^2/m"},
          {"", number(o.K * kDegPerG, 3), "deg/g"},
          {"characteristic speed", number(h.characteristic * kKmh, 1), "km/h"},
          {"critical speed", number(h.critical * kKmh, 1), "km/h"},
          {"static margin", number(o.static_margin * 100, 2), "% of the wheelbase"},
          {"cornering stiffness, front / rear axle", pair(o.cornering_stiffness, 1e-3, 2), "kN/rad"},
          {"trail, front / rear", pair(o.trail, 1e3, 1), "mm"},
          {"relaxation length, front / rear", pair(o.relaxation, 1, 3), "m"},
          {"yaw gain", number(o.yaw_gain, 3), "1/s"},
          {"lateral acceleration gain", number(o.ay_gain / kDeg, 3), "m/s^2 per deg"},
          {"side slip gain", number(o.beta_gain, 3), "-"},
          {"natural frequency, all states", number(o.modes.frequency / (2 * std::numbers::pi), 3), "Hz"},
          {"damping ratio, all states", number(o.modes.damping, 3), "-"},
          {"Y_beta, Y_r, Y_delta", fmt::format("{:.0f}, {:.1f}, {:.0f}", o.Y_beta, o.Y_r, o.Y_delta),
           "N/rad, N s/rad, N/rad"},
          {"N_beta, N_r, N_delta", fmt::format("{:.0f}, {:.0f}, {:.0f}", o.N_beta, o.N_r, o.N_delta),
           "N m/rad, N m s/rad, N m/rad"}};
}

Rows budget_rows(const UndersteerBudget& b) {
  Rows rows{{"part of the understeer gradient", "deg/g", "1e-3 rad s^2/m"}};
  for (const BudgetRow& row : b.rows) rows.push_back({row.name, number(row.K * kDegPerG, 3), number(row.K * 1e3, 4)});
  rows.push_back({"total", number(b.total * kDegPerG, 3), number(b.total * 1e3, 4)});
  return rows;
}

Rows diagram_rows(const HandlingDiagram& d, double L) {
  Rows rows{{"ay [m/s^2]", "V [km/h]", "steer [deg]", "steer - L/R [deg]", "alpha front [deg]", "alpha rear [deg]",
             "beta [deg]", "Fz fl fr rl rr [kN]"}};
  double next = 0;
  for (std::size_t k = 0; k < d.points.size(); ++k) {
    const DiagramPoint& p = d.points[k];
    if (p.ay < next && k + 1 < d.points.size()) continue;
    next = p.ay + d.limit_ay / 10;
    rows.push_back(
        {number(p.ay, 2), number(p.V * kKmh, 1), number(p.steer * kDeg, 3),
         number((p.steer - L * p.curvature) * kDeg, 3), number(p.alpha[0] * kDeg, 2), number(p.alpha[1] * kDeg, 2),
         number(p.beta * kDeg, 2),
         fmt::format("{:.2f} {:.2f} {:.2f} {:.2f}", p.fz[0] / 1e3, p.fz[1] / 1e3, p.fz[2] / 1e3, p.fz[3] / 1e3)});
  }
  return rows;
}

std::string diagram_sentence(const HandlingDiagram& d) {
  const char* axle = d.limit == "understeer"  ? "the front axle gives way (understeer)"
                     : d.limit == "oversteer" ? "the rear axle gives way (oversteer)"
                                              : "both axles give way together";
  std::string out =
      fmt::format("{} {}: {:.2f} m/s^2 at most, ended by: {}; there {}", d.constant_radius ? "Radius" : "Speed",
                  d.constant_radius ? number(d.held, 0) + " m" : speed(d.held), d.limit_ay, d.end, axle);
  if (!d.constant_radius && std::isfinite(d.unstable_from))
    out += fmt::format("; from {:.2f} m/s^2 on less steer makes more turn (unstable)", d.unstable_from);
  return out + ".";
}

std::string complex_text(std::complex<double> s) {
  return std::abs(s.imag()) < 1e-9 ? number(s.real(), 3) : fmt::format("{:.3f} {:+.3f}i", s.real(), s.imag());
}

Rows speed_rows(const Handling& h, std::size_t every) {
  Rows rows{{"V [km/h]", "K [deg/g]", "yaw gain [1/s]", "ay gain [m/s^2/deg]", "beta gain [-]", "s1 [1/s]", "s2 [1/s]",
             "f [Hz]", "damping [-]", "f, damping of the single track"}};
  for (std::size_t k = 0; k < h.over_speed.size(); k += every) {
    const LinearRange& o = h.over_speed[k];
    const double hertz = 1 / (2 * std::numbers::pi);
    rows.push_back({number(o.V * kKmh, 1), number(o.K * kDegPerG, 3), number(o.yaw_gain, 3),
                    number(o.ay_gain / kDeg, 3), number(o.beta_gain, 3), complex_text(o.modes.first),
                    complex_text(o.modes.second), number(o.modes.frequency * hertz, 2), number(o.modes.damping, 3),
                    number(o.single_track.frequency * hertz, 2) + ", " + number(o.single_track.damping, 3)});
  }
  return rows;
}

Rows envelope_rows(const Handling& h) {
  Rows rows{{"V [km/h]", "ax drive [m/s^2]", "ends by", "ay left [m/s^2]", "ends by", "ax brakes [m/s^2]", "ends by",
             "largest |a| [m/s^2]"}};
  for (const Envelope& e : h.envelope) {
    const EnvelopePoint &ahead = e.points.front(), &back = e.points.back();
    const auto by_ay = [](const EnvelopePoint& a, const EnvelopePoint& b) { return a.ay < b.ay; };
    const auto by_size = [](const EnvelopePoint& a, const EnvelopePoint& b) {
      return std::hypot(a.ax, a.ay) < std::hypot(b.ax, b.ay);
    };
    const EnvelopePoint &side = *std::max_element(e.points.begin(), e.points.end(), by_ay),
                        &most = *std::max_element(e.points.begin(), e.points.end(), by_size);
    rows.push_back({number(e.V * kKmh, 0), number(ahead.ax, 2), ahead.end, number(side.ay, 2), side.end,
                    number(back.ax, 2), back.end, number(std::hypot(most.ax, most.ay), 2)});
  }
  return rows;
}

Json json_of(const LateralModes& m) {
  const auto pair = [](std::complex<double> s) { return Json::array({s.real(), s.imag()}); };
  return {{"values", Json::array({pair(m.first), pair(m.second)})}, {"frequency", m.frequency}, {"damping", m.damping}};
}
Json json_of(const LinearRange& o) {
  const auto pair = [](const double v[2]) { return Json::array({v[0], v[1]}); };
  return {{"V", o.V},
          {"K", o.K},
          {"K_deg_per_g", o.K * kDegPerG},
          {"cornering_stiffness", pair(o.cornering_stiffness)},
          {"trail", pair(o.trail)},
          {"relaxation_length", pair(o.relaxation)},
          {"Y_beta", o.Y_beta},
          {"Y_r", o.Y_r},
          {"Y_delta", o.Y_delta},
          {"N_beta", o.N_beta},
          {"N_r", o.N_r},
          {"N_delta", o.N_delta},
          {"static_margin", o.static_margin},
          {"yaw_gain", o.yaw_gain},
          {"ay_gain", o.ay_gain},
          {"beta_gain", o.beta_gain},
          {"modes", json_of(o.modes)},
          {"single_track", json_of(o.single_track)},
          {"largest_real", o.largest_real}};
}
Json json_of(const HandlingDiagram& d, double L) {
  Json points = Json::array();
  for (const DiagramPoint& p : d.points)
    points.push_back({{"ay", p.ay},
                      {"V", p.V},
                      {"curvature", p.curvature},
                      {"steer", p.steer},
                      {"steer_minus_LR", p.steer - L * p.curvature},
                      {"beta", p.beta},
                      {"alpha_front", p.alpha[0]},
                      {"alpha_rear", p.alpha[1]},
                      {"torque", p.torque},
                      {"fz", p.fz}});
  return {{d.constant_radius ? "radius" : "speed", d.held},
          {"limit_ay", d.limit_ay},
          {"end", d.end},
          {"limit", d.limit},
          {"unstable_from", d.unstable_from},
          {"points", points}};
}

}  // namespace

std::string handling_text(const HandlingTitle& t, const Handling& h) {
  std::string out = fmt::format("{}{}, {}, road friction {:g}\n", t.vehicle, t.tire.empty() ? "" : " on " + t.tire,
                                enum_name(t.level), t.mu);
  out += fmt::format("\nLinear range at {}\n{}", in_both_units(h.at_speed.V, "m/s"), text_table(linear_rows(h)));
  out += fmt::format("\nUndersteer budget at {}, ay {:.2f} m/s^2\n", in_both_units(h.budget.V, "m/s"), h.budget.ay);
  out += h.budget.rows.empty() ? "  none: the car, or the car without one of its parts, does not reach this turn\n"
                               : text_table(budget_rows(h.budget));
  for (const HandlingDiagram* d : {&h.constant_speed, &h.constant_radius})
    out += "\n" + diagram_sentence(*d) + "\n" + text_table(diagram_rows(*d, t.wheelbase));
  const std::size_t every = std::max<std::size_t>(1, h.over_speed.size() / 8);
  out += "\nGains and eigenvalues over speed\n" + text_table(speed_rows(h, every));
  out += fmt::format("\nLargest accelerations (top speed {})\n{}", speed(h.top), text_table(envelope_rows(h)));
  return out;
}

std::string handling_json(const HandlingTitle& t, const Handling& h) {
  Json rows = Json::array(), speeds = Json::array(), envelope = Json::array();
  for (const BudgetRow& row : h.budget.rows)
    rows.push_back({{"name", row.name}, {"K", row.K}, {"K_deg_per_g", row.K * kDegPerG}});
  for (const LinearRange& o : h.over_speed) speeds.push_back(json_of(o));
  for (const Envelope& e : h.envelope) {
    Json points = Json::array();
    for (const EnvelopePoint& p : e.points)
      points.push_back({{"angle", p.angle}, {"ax", p.ax}, {"ay", p.ay}, {"end", p.end}});
    envelope.push_back({{"V", e.V}, {"points", points}});
  }
  const Json out{{"kind", "handling"},
                 {"vehicle", t.vehicle},
                 {"tire", t.tire},
                 {"level", enum_name(t.level)},
                 {"mu", t.mu},
                 {"vdsim", version_text()},
                 {"characteristic_speed", h.characteristic},
                 {"critical_speed", h.critical},
                 {"top_speed", h.top},
                 {"at_speed", json_of(h.at_speed)},
                 {"budget", {{"V", h.budget.V}, {"ay", h.budget.ay}, {"total", h.budget.total}, {"rows", rows}}},
                 {"constant_speed", json_of(h.constant_speed, t.wheelbase)},
                 {"constant_radius", json_of(h.constant_radius, t.wheelbase)},
                 {"over_speed", speeds},
                 {"envelope", envelope}};
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string handling_csv(const HandlingTitle& t, const Handling& h) {
  std::string out = fmt::format(
      "# steady turns of {}, {}, to the left\n"
      "# units: -,m/s,m/s^2,1/m,rad,rad,rad,rad,rad,N m,N,N,N,N,N,N,N,N,N,N,N,N\n"
      "held,V,ay,curvature,steer,steer_minus_LR,beta,alpha_front,alpha_rear,torque,fz_fl,fz_fr,fz_rl,fz_rr,fx_fl,fx_fr,"
      "fx_rl,fx_rr,fy_fl,fy_fr,fy_rl,fy_rr\n",
      t.vehicle, enum_name(t.level));
  for (const HandlingDiagram* d : {&h.constant_speed, &h.constant_radius})
    for (const DiagramPoint& p : d->points) {
      out += fmt::format("{},{:.9g},{:.9g},{:.9g},{:.9g},{:.9g},{:.9g},{:.9g},{:.9g},{:.9g}",
                         d->constant_radius ? "radius" : "speed", p.V, p.ay, p.curvature, p.steer,
                         p.steer - t.wheelbase * p.curvature, p.beta, p.alpha[0], p.alpha[1], p.torque);
      for (const auto* f : {&p.fz, &p.fx, &p.fy})
        for (const double x : *f) out += fmt::format(",{:.9g}", x);
      out += '\n';
    }
  return out;
}

namespace {

// One bar per row from 0 to its value; colours follow the text of the page.
std::string budget_svg(const UndersteerBudget& b) {
  double low = 0, high = 0;
  Rows rows = budget_rows(b);
  std::vector<double> K;
  for (const BudgetRow& row : b.rows) K.push_back(row.K * kDegPerG);
  K.push_back(b.total * kDegPerG);
  for (const double k : K) low = std::min(low, k), high = std::max(high, k);
  const double left = 250, width = 420, line = 24, per = width / std::max(high - low, 1e-9), zero = left - low * per;
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 740 {0:.0f}\" width=\"740\" height=\"{0:.0f}\" "
      "role=\"img\" font-family=\"sans-serif\" font-size=\"13\" style=\"max-width:100%;height:auto\">"
      "<title>Understeer budget</title>",
      line * double(K.size()) + 12);
  for (std::size_t i = 0; i < K.size(); ++i) {
    const double y = 6 + line * double(i), x = zero + std::min(K[i], 0.0) * per;
    const bool total = i + 1 == K.size();
    out += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\" fill=\"currentColor\"{}>{}</text>",
                       left - 12, y + 16, total ? " font-weight=\"bold\"" : "", xml_escaped(rows[i + 1][0]));
    out += fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"{}\"/>", x, y + 4,
                       std::max(std::abs(K[i]) * per, 0.5), line - 8,
                       total       ? "#777"
                       : K[i] >= 0 ? "#0072b2"
                                   : "#d55e00");
    out += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" fill=\"currentColor\">{}</text>",
                       zero + std::max(K[i], 0.0) * per + 6, y + 16, rows[i + 1][1]);
  }
  return out +
         fmt::format("<line x1=\"{0:.1f}\" y1=\"4\" x2=\"{0:.1f}\" y2=\"{1:.1f}\" stroke=\"currentColor\"/></svg>",
                     zero, line * double(K.size()) + 8);
}

template <class F> Series series(const std::string& name, const HandlingDiagram& d, F&& y, Stroke stroke, int color) {
  Series s{name, {}, {}, stroke, color};
  for (const DiagramPoint& p : d.points) {
    s.x.push_back(p.ay / kG);
    s.y.push_back(y(p));
  }
  return s;
}

Figure diagram_figure(const Handling& h, double L) {
  const HandlingDiagram &v = h.constant_speed, &r = h.constant_radius;
  const std::string at = speed(v.held), on = number(r.held, 0) + " m";
  const auto extra = [&](const DiagramPoint& p) { return (p.steer - L * p.curvature) * kDeg; };
  Panel steer{"Handling diagram", "ay [g]", "steer - L/R [deg]", {}};
  steer.series = {series(at, v, extra, Stroke::solid, 0), series("radius " + on, r, extra, Stroke::dashed, 1)};
  Series line{"linear range, " + at, {0, 0.5 * v.limit_ay / kG}, {0, 0}, Stroke::dotted, 2};
  line.y[1] = h.at_speed.K * kDegPerG * line.x[1];
  steer.series.push_back(line);
  Panel slip{"Slip angles at " + at, "ay [g]", "[deg]", {}};
  slip.series = {series(
                     "front axle", v, [](const DiagramPoint& p) { return p.alpha[0] * kDeg; }, Stroke::solid, 0),
                 series(
                     "rear axle", v, [](const DiagramPoint& p) { return p.alpha[1] * kDeg; }, Stroke::solid, 1),
                 series(
                     "car (beta)", v, [](const DiagramPoint& p) { return p.beta * kDeg; }, Stroke::dashed, 2)};
  Panel load{"Wheel loads at " + at, "ay [g]", "Fz [kN]", {}},
      drive{"Torque that holds the speed", "ay [g]", "[N m]", {}};
  const char* names[] = {"front left", "front right", "rear left", "rear right"};
  for (int i = 0; i < 4; ++i)
    load.series.push_back(series(
        names[i], v, [i](const DiagramPoint& p) { return p.fz[std::size_t(i)] / 1e3; },
        i % 2 ? Stroke::solid : Stroke::dashed, i / 2));
  const auto torque = [](const DiagramPoint& p) { return p.torque; };
  drive.series = {series(at, v, torque, Stroke::solid, 0), series("radius " + on, r, torque, Stroke::dashed, 1)};
  return {"", {steer, slip, load, drive}, 2};
}

template <class F> Series over_speed(const std::string& name, const Handling& h, F&& y, Stroke stroke, int color) {
  Series s{name, {}, {}, stroke, color};
  for (const LinearRange& o : h.over_speed) {
    s.x.push_back(o.V * kKmh);
    s.y.push_back(y(o));
  }
  return s;
}

Figure gain_figure(const Handling& h, double L) {
  using O = const LinearRange&;
  Panel yaw{"Yaw gain", "V [km/h]", "r/steer [1/s]", {}},
      ay{"Lateral acceleration gain", "V [km/h]", "[m/s^2 per deg]", {}},
      beta{"Side slip gain", "V [km/h]", "beta/steer [-]", {}}, K{"Understeer gradient", "V [km/h]", "K [deg/g]", {}};
  yaw.series = {over_speed(
                    "car", h, [](O o) { return o.yaw_gain; }, Stroke::solid, 0),
                over_speed(
                    "neutral V/L", h, [L](O o) { return o.V / L; }, Stroke::dotted, 1)};
  double most = 0;
  for (O o : h.over_speed) most = std::max(most, std::abs(o.yaw_gain));
  yaw.y_max = 1.15 * most;
  ay.series = {over_speed(
      "", h, [](O o) { return o.ay_gain / kDeg; }, Stroke::solid, 0)};
  beta.series = {over_speed(
      "", h, [](O o) { return o.beta_gain; }, Stroke::solid, 0)};
  K.series = {over_speed(
      "", h, [](O o) { return o.K * kDegPerG; }, Stroke::solid, 0)};
  return {"", {yaw, ay, beta, K}, 2};
}

Series locus(const std::string& name, const Handling& h, LateralModes LinearRange::*which, Stroke stroke, int color) {
  Series s{name, {}, {}, stroke, color, 5};
  for (const LinearRange& o : h.over_speed)
    for (const std::complex<double> z : {(o.*which).first, (o.*which).second}) {
      s.x.push_back(z.real());
      s.y.push_back(z.imag());
    }
  return s;
}
Figure mode_figure(const Handling& h) {
  using O = const LinearRange&;
  Panel plane{"Root locus over speed", "Re s [1/s]", "Im s [1/s]", {}}, f{"Natural frequency", "V [km/h]", "[Hz]", {}},
      damping{"Damping ratio", "V [km/h]", "[-]", {}};
  plane.series = {locus("all states", h, &LinearRange::modes, Stroke::points, 0),
                  locus("single track", h, &LinearRange::single_track, Stroke::points, 1)};
  const double hertz = 1 / (2 * std::numbers::pi);
  f.series = {over_speed(
                  "all states", h, [=](O o) { return o.modes.frequency * hertz; }, Stroke::solid, 0),
              over_speed(
                  "single track", h, [=](O o) { return o.single_track.frequency * hertz; }, Stroke::dashed, 1)};
  damping.series = {over_speed(
                        "all states", h, [](O o) { return o.modes.damping; }, Stroke::solid, 0),
                    over_speed(
                        "single track", h, [](O o) { return o.single_track.damping; }, Stroke::dashed, 1)};
  return {"", {plane, f, damping}, 2};
}

Figure envelope_figure(const Handling& h) {
  Panel p{"g-g-V: trimmed accelerations", "ay [g]", "ax [g]", {}};
  p.equal_aspect = true;
  for (std::size_t k = 0; k < h.envelope.size(); ++k) {
    const Envelope& e = h.envelope[k];
    Series s{number(e.V * kKmh, 0) + " km/h", {}, {}, Stroke::solid, int(k) % kPaletteSize};
    for (const EnvelopePoint& q : e.points) s.x.push_back(q.ay / kG), s.y.push_back(q.ax / kG);
    for (auto q = e.points.rbegin(); q != e.points.rend(); ++q) s.x.push_back(-q->ay / kG), s.y.push_back(q->ax / kG);
    p.series.push_back(s);
  }
  return {"", {p}, 1, 640, 560};
}

}  // namespace

std::vector<ReportBlock> handling_blocks(const HandlingTitle& t, const Handling& h) {
  std::vector<ReportBlock> out;
  const auto block = [&](const std::string& heading, const std::string& text) -> ReportBlock& {
    out.emplace_back();
    out.back().heading = heading;
    out.back().text = text;
    return out.back();
  };
  block("Linear range at " + speed(h.at_speed.V),
        "Slopes of the forces of the simulated car about straight running, tires in balance.")
      .tables = {{"", linear_rows(h), {}}};
  ReportBlock& budget =
      block(fmt::format("Understeer budget at {} and {:.2f} m/s²", speed(h.budget.V), h.budget.ay),
            "Each part: the mean of what changes when it is taken out of the whole car and when it is "
            "added to the bare one. The remainder is what three or more parts do to each other.");
  if (!h.budget.rows.empty()) {
    budget.tables = {{"", budget_rows(h.budget), {}}};
    budget.svg = budget_svg(h.budget);
  }
  ReportBlock& diagram =
      block("Handling diagram", diagram_sentence(h.constant_speed) + " " + diagram_sentence(h.constant_radius));
  diagram.figures = {diagram_figure(h, t.wheelbase)};
  diagram.tables = {{"Constant speed", diagram_rows(h.constant_speed, t.wheelbase), {}},
                    {"Constant radius", diagram_rows(h.constant_radius, t.wheelbase), {}}};
  block("Gains over speed", "Linear range; the steer angle is that of the equivalent single track.").figures = {
      gain_figure(h, t.wheelbase)};
  ReportBlock& modes = block("Eigenvalues of the lateral motion",
                             "All states: body, wheels and tires. Single track: two states with the slopes above.");
  modes.figures = {mode_figure(h)};
  modes.tables = {{"", speed_rows(h, 1), {}}};
  ReportBlock& envelope = block(
      "Largest accelerations",
      "Quasi-steady and trimmed: yaw and wheels in balance, drive and brakes shared as in the car; an outline ends "
      "where the first wheel would lock or spin, or drive or brakes are exhausted.");
  envelope.figures = {envelope_figure(h)};
  envelope.tables = {{"", envelope_rows(h), {}}};
  return with_powers(std::move(out));
}

}  // namespace vdsim
