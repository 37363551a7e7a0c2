// SPDX-License-Identifier: Apache-2.0
#include "vdsim/lab/tire_plot.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "vdsim/lab/rig.hpp"
#include "vdsim/lab/tire_eval.hpp"

namespace vdsim {
namespace {

constexpr double kDegree = std::numbers::pi / 180;
constexpr int kCurve = 201, kGrid = 61;  // points of a curve; of each direction of the envelope
enum Column { fx = 0, fy = 1, mz = 4 };  // of SteadyTire

struct Place2 {
  double x, y;
};

SteadyPoint point(const TirePlotOptions& o, double fz, double kappa, double alpha) {
  SteadyPoint out;
  out.fz = fz;
  out.kappa = kappa;
  out.alpha = alpha;
  out.vx = o.speed;
  out.mu = o.mu;
  return out;
}

// -1 .. 1, closer together around 0 where the curves bend
double spread(int i, int n) {
  const double u = 2.0 * i / (n - 1) - 1;
  return 0.3 * u + 0.7 * u * u * u;
}

Series slip_curve(const SteadyTire& tire, const TirePlotOptions& o, double fz, bool longitudinal, Column column) {
  Series out;
  for (int i = 0; i < kCurve; ++i) {
    const double kappa = longitudinal ? o.largest_kappa * spread(i, kCurve) : 0;
    const double alpha = longitudinal ? 0 : o.largest_alpha * spread(i, kCurve);
    out.x.push_back(longitudinal ? kappa : alpha / kDegree);
    out.y.push_back(tire(point(o, fz, kappa, alpha))[column]);
  }
  return out;
}

double turn(const Place2& o, const Place2& a, const Place2& b) {
  return (a.x - o.x) * (b.y - o.y) - (a.y - o.y) * (b.x - o.x);
}

// Convex outline by Andrew's monotone chain, closed.
std::vector<Place2> outline(std::vector<Place2> points) {
  std::sort(points.begin(), points.end(),
            [](const Place2& a, const Place2& b) { return a.x != b.x ? a.x < b.x : a.y < b.y; });
  std::vector<Place2> out;
  for (int side = 0; side < 2; ++side) {
    const std::size_t base = out.size();
    for (const Place2& p : points) {
      while (out.size() >= base + 2 && turn(out[out.size() - 2], out.back(), p) <= 0) out.pop_back();
      out.push_back(p);
    }
    if (side == 0) out.pop_back();
    std::reverse(points.begin(), points.end());
  }
  return out;
}

Series envelope(const SteadyTire& tire, const TirePlotOptions& o, double fz) {
  std::vector<Place2> points;
  for (int i = 0; i < kGrid; ++i)
    for (int j = 0; j < kGrid; ++j) {
      const auto F = tire(point(o, fz, o.largest_kappa * spread(i, kGrid), o.largest_alpha * spread(j, kGrid)));
      if (std::isfinite(F[fx]) && std::isfinite(F[fy])) points.push_back({F[fx], F[fy]});
    }
  Series out;
  for (const Place2& p : outline(std::move(points))) {
    out.x.push_back(p.x);
    out.y.push_back(p.y);
  }
  return out;
}

Series step_response(const TireSpec& spec, const TirePlotOptions& o, double fz) {
  TireRig rig(spec);
  RigInput rest;
  rest.vx = o.speed;
  rest.fz = fz;
  rest.mu = o.mu;
  const RigInput straight = rig.at_slip(rest, 0, 0);
  RigInput turned = straight;
  turned.vy = std::tan(o.step_alpha) * o.speed;
  rig.start(straight);
  Series out{"", {-0.1 * o.step_distance, 0}, {rig.output(straight).fy, rig.output(straight).fy}};
  constexpr int steps = 300;
  const double dt = o.step_distance / o.speed / steps;
  for (int i = 0; i <= steps; ++i) {
    out.x.push_back(o.speed * dt * i);
    out.y.push_back(rig.output(turned).fy);
    rig.step(turned, turned, dt);
  }
  return out;
}

// Several tires: a colour each, loads told apart by the stroke. One tire: a colour per load.
void dress(Series& s, const std::vector<PlotTire>& tires, std::size_t tire, const std::vector<double>& loads,
           std::size_t load) {
  constexpr Stroke strokes[] = {Stroke::solid, Stroke::dashed, Stroke::dotted};
  s.name = loads.size() == 1 ? tires[tire].name : fmt::format("{}, {:g} N", tires[tire].name, loads[load]);
  s.color = static_cast<int>(tires.size() == 1 ? load : tire);
  s.stroke = tires.size() == 1 ? Stroke::solid : strokes[load % 3];
}

}  // namespace

Figure tire_figure(const std::vector<PlotTire>& tires, const TirePlotOptions& o) {
  Figure out;
  for (const PlotTire& tire : tires) out.title += (out.title.empty() ? "" : ", ") + tire.name;
  if (o.mu != 1) out.title += fmt::format(", road friction {:g}", o.mu);
  out.columns = 3;
  out.shared_legend = true;
  out.panels = {{"Longitudinal force, no slip angle", "slip ratio [-]", "Fx [N]", {}},
                {"Lateral force, free rolling", "slip angle [deg]", "Fy [N]", {}},
                {"Aligning moment, free rolling", "slip angle [deg]", "Mz [N m]", {}},
                {"Combined forces: outline", "Fx [N]", "Fy [N]", {}},
                {fmt::format("Step of the slip angle by {:.3g} deg at {:g} m/s", o.step_alpha / kDegree, o.speed),
                 fmt::format("distance [m] (1 m = {:g} ms)", 1000 / o.speed),
                 "Fy [N]",
                 {}}};
  out.panels[3].equal_aspect = true;
  for (std::size_t t = 0; t < tires.size(); ++t) {
    const SteadyTire steady(tires[t].spec);
    for (std::size_t l = 0; l < o.loads.size(); ++l) {
      Series series[] = {slip_curve(steady, o, o.loads[l], true, fx), slip_curve(steady, o, o.loads[l], false, fy),
                         slip_curve(steady, o, o.loads[l], false, mz), envelope(steady, o, o.loads[l]),
                         step_response(tires[t].spec, o, o.loads[l])};
      for (std::size_t k = 0; k < out.panels.size(); ++k) {
        dress(series[k], tires, t, o.loads, l);
        out.panels[k].series.push_back(std::move(series[k]));
      }
    }
  }
  return out;
}

}  // namespace vdsim
