// SPDX-License-Identifier: Apache-2.0
#include "vdsim/lab/paper_lugre.hpp"

#include <fmt/core.h>

#include <cmath>
#include <memory>

#include "vdsim/core/tire/patch.hpp"

namespace vdsim {
namespace {

// v = 8 m/s, wheel from 32 rad/s to standstill in 2 s, 2000 N
constexpr double kSpeed = 8, kSpin = 32, kEnd = 2, kLoad = 2000, kStep = 1e-3, kDegree = 0.017453292519943295;

struct Curves {
  std::vector<double> t, fx, fy, mz;
};
PatchSpec figure_tire(PatchFidelity fidelity, PatchLoad load, double sigma0, double kappa = 0) {
  PatchSpec s = paper_tire();
  s.fidelity = fidelity, s.load = load, s.kappa = kappa;
  s.sigma0 = {sigma0, sigma0};
  return s;
}
Curves decelerate(const PatchSpec& spec, double degrees) {
  const PatchKind kind = patch_kind(spec);
  const PatchParams<double> p = compile_patch(spec);
  const auto memory = std::make_unique<PatchMemory<double>>();
  const auto motion = [&](double t) {
    const double U = kSpin * (1 - t / kEnd) * spec.radius;
    return PatchMotion<double>{U, U - kSpeed * std::cos(degrees * kDegree), -kSpeed * std::sin(degrees * kDegree), 1};
  };
  patch_start(kind, p, motion(0), *memory);
  Curves c;
  const int steps = static_cast<int>(std::lround(kEnd / kStep));
  for (int k = 0; k <= steps; ++k) {
    const auto f = k == 0 ? patch_force(kind, p, *memory, motion(0), 0.0)
                          : patch_advance(kind, p, *memory, motion(k * kStep), kStep);
    c.t.push_back(k * kStep);
    c.fx.push_back(kLoad * f.fx), c.fy.push_back(kLoad * f.fy), c.mz.push_back(kLoad * f.mz);
  }
  return c;
}

double distance(const std::vector<double>& a, const std::vector<double>& exact) {
  double most = 0, peak = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    most = std::fmax(most, std::fabs(a[i] - exact[i]));
    peak = std::fmax(peak, std::fabs(exact[i]));
  }
  return most / peak;
}
void compare(Paper& paper, const std::string& what, const Curves& a, const Curves& exact, bool moment) {
  paper.deviations.push_back(
      {what, distance(a.fx, exact.fx), distance(a.fy, exact.fy), moment ? distance(a.mz, exact.mz) : -1});
}

struct Line {
  std::string name, column;
  Curves curves;
  Stroke stroke;
};
// One panel per channel, and its columns
void add_channels(PaperFigure& figure, const std::string& title, const std::string& suffix,
                  const std::vector<Line>& lines, bool moment) {
  using Channel = std::vector<double> Curves::*;
  struct Row {
    const char *name, *label;
    Channel channel;
  };
  std::vector<Row> rows{{"fx", "Fx [N]", &Curves::fx}, {"fy", "Fy [N]", &Curves::fy}};
  if (moment) rows.push_back({"mz", "Mz [N m]", &Curves::mz});
  for (const Row& row : rows) {
    Panel panel{title, "t [s]", row.label, {}};
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const Line& l = lines[i];
      Series line{l.name, {}, {}, l.stroke, static_cast<int>(i)};
      const std::size_t every = l.stroke == Stroke::points ? 100 : 1;  // marks would hide the lines
      for (std::size_t k = 0; k < l.curves.t.size(); k += every) {
        line.x.push_back(l.curves.t[k]);
        line.y.push_back((l.curves.*row.channel)[k]);
      }
      if (l.stroke == Stroke::points) line.width = 5;
      panel.series.push_back(std::move(line));
      figure.columns.push_back({fmt::format("{}_{}_{}", row.name, l.column, suffix), l.curves.*row.channel});
    }
    figure.chart.panels.push_back(std::move(panel));
  }
}

// Panels were added column by column; the chart takes them row by row.
void transpose(Figure& chart, std::size_t columns) {
  const std::size_t rows = chart.panels.size() / columns;
  std::vector<Panel> sorted;
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t c = 0; c < columns; ++c) sorted.push_back(chart.panels[c * rows + r]);
  chart.panels = std::move(sorted);
}

// [T22.3], [T22.4], [T22.19]  The loads, per newton and patch length
PaperFigure figure3() {
  PaperFigure f{"figure3", {}, {"Distribution of the load along the patch", {}, 1, 620, 340, true}};
  PaperColumn zeta{"zeta", {}};
  const double L = paper_tire().length;
  for (int k = 0; k <= 300; ++k) zeta.values.push_back(L * k / 300);
  Panel panel{"same load, same centroid", "zeta [m], from the leading edge", "f L / Fn [-]", {}};
  f.columns.push_back(zeta);
  struct Shape {
    const char *name, *column;
    PatchLoad load;
    Stroke stroke;
  };
  for (const Shape& shape :
       {Shape{"trapezoidal", "trapezoidal", PatchLoad::trapezoidal, Stroke::solid},
        Shape{"cubic", "cubic", PatchLoad::cubic, Stroke::dotted},
        Shape{"polynomial of degree 4 (ours)", "polynomial", PatchLoad::polynomial, Stroke::dashed}}) {
    const PatchParams<double> p = compile_patch(figure_tire(PatchFidelity::exact, shape.load, 500));
    PaperColumn column{shape.column, {}};
    for (const double x : zeta.values) column.values.push_back(x < L ? patch_load_at(p, x / L) : p.end[0]);
    panel.series.push_back({shape.name, zeta.values, column.values, shape.stroke});
    f.columns.push_back(std::move(column));
  }
  f.chart.panels.push_back(std::move(panel));
  return f;
}

PaperFigure figure4(Paper& paper) {
  PaperFigure f{"figure4", {}, {"Uniform load: forces while the wheel slows down", {}, 2, 460, 300, true}};
  for (const double sigma0 : {150.0, 500.0}) {
    const auto run = [&](PatchFidelity fidelity, double kappa) {
      return decelerate(figure_tire(fidelity, PatchLoad::uniform, sigma0, kappa), 4);
    };
    const std::vector<Line> lines{
        {"average, kappa = 1.2", "kappa1.2", run(PatchFidelity::average, 1.2), Stroke::dotted},
        {"average, kappa_ss", "kappass", run(PatchFidelity::average, 0), Stroke::dashed},
        {"exact", "exact", run(PatchFidelity::exact, 0), Stroke::solid},
        {"distributed, 32 elements", "distributed", run(PatchFidelity::distributed, 0), Stroke::points}};
    if (f.columns.empty()) f.columns.push_back({"t", lines[0].curves.t});
    add_channels(f, fmt::format("sigma0 = {:.0f} 1/m", sigma0), fmt::format("s{:.0f}", sigma0), lines, false);
    for (const int i : {0, 1, 3})
      compare(paper, fmt::format("figure 4, sigma0 = {:.0f} 1/m, {}", sigma0, lines[i].name), lines[i].curves,
              lines[2].curves, false);
  }
  transpose(f.chart, 2);
  return f;
}

PaperFigure figure5(Paper& paper) {
  PaperFigure f{"figure5", {}, {"Trapezoidal and cubic load, sigma0 = 500 1/m", {}, 2, 460, 300, true}};
  for (const double alpha : {4.0, 15.0}) {
    const auto run = [&](PatchFidelity fidelity, PatchLoad load) {
      return decelerate(figure_tire(fidelity, load, 500), alpha);
    };
    const std::vector<Line> lines{
        {"exact, trapezoidal", "exact_trapezoidal", run(PatchFidelity::exact, PatchLoad::trapezoidal), Stroke::solid},
        {"exact, cubic", "exact_cubic", run(PatchFidelity::exact, PatchLoad::cubic), Stroke::dotted},
        {"average, trapezoidal", "average_trapezoidal", run(PatchFidelity::average, PatchLoad::trapezoidal),
         Stroke::dashed},
        {"distributed, trapezoidal", "distributed_trapezoidal", run(PatchFidelity::distributed, PatchLoad::trapezoidal),
         Stroke::points}};
    if (f.columns.empty()) f.columns.push_back({"t", lines[0].curves.t});
    add_channels(f, fmt::format("slip angle {:.0f} deg", alpha), fmt::format("a{:.0f}", alpha), lines, true);
    compare(paper, fmt::format("figure 5, slip angle {:.0f} deg, average", alpha), lines[2].curves, lines[0].curves,
            true);
    compare(paper, fmt::format("figure 5, slip angle {:.0f} deg, distributed", alpha), lines[3].curves, lines[0].curves,
            true);
    compare(paper, fmt::format("figure 5, slip angle {:.0f} deg, cubic against trapezoidal", alpha), lines[1].curves,
            lines[0].curves, true);
    compare(paper, fmt::format("figure 5, slip angle {:.0f} deg, polynomial against trapezoidal", alpha),
            run(PatchFidelity::exact, PatchLoad::polynomial), lines[0].curves, true);
  }
  transpose(f.chart, 2);
  return f;
}

// z_ss = v/C0 (1 - exp(-C0 zeta/|w r|)), the steady lateral deflection along the patch
PaperFigure figure6() {
  PaperFigure f{"figure6", {}, {"Steady lateral deflection along the patch, sigma0 = 500 1/m", {}, 2, 460, 300, false}};
  const PatchSpec spec = figure_tire(PatchFidelity::exact, PatchLoad::uniform, 500);
  const PatchParams<double> p = compile_patch(spec);
  PaperColumn zeta{"zeta", {}};
  for (int k = 0; k <= 150; ++k) zeta.values.push_back(spec.length * k / 150);
  f.columns.push_back(zeta);
  for (const double alpha : {4.0, 15.0}) {
    Panel panel{fmt::format("slip angle {:.0f} deg", alpha), "zeta [m]", "z_y [mm]", {}};
    for (const double w : {32.0, 20.0}) {
      const double U = w * spec.radius, vx = U - kSpeed * std::cos(alpha * kDegree),
                   vy = -kSpeed * std::sin(alpha * kDegree);
      const double C = spec.sigma0[1] * patch_leak(p, PatchMotion<double>{U, vx, vy, 1}).q;
      PaperColumn column{fmt::format("zy_w{:.0f}_a{:.0f}", w, alpha), {}};
      Series line{fmt::format("w = {:.0f} rad/s", w), zeta.values, {}};
      for (const double x : zeta.values) {
        column.values.push_back(-vy / C * std::expm1(-C * x / U));
        line.y.push_back(1000 * column.values.back());
      }
      panel.series.push_back(std::move(line));
      f.columns.push_back(std::move(column));
    }
    f.chart.panels.push_back(std::move(panel));
  }
  return f;
}

}  // namespace

PatchSpec paper_tire() {
  PatchSpec s;
  s.fidelity = PatchFidelity::exact, s.kappa = 0, s.elements = 32;
  s.radius = 0.25, s.length = 0.15;
  s.sigma0 = {500, 500}, s.sigma1 = {0.05, 0.05}, s.sigma2 = {0.001, 0.001};
  s.mu_s = 1.1, s.mu_k = 0.8, s.v_s = 5.5, s.gamma = 0.6;
  s.load = PatchLoad::trapezoidal, s.load_a = 0.02, s.load_b = 0.08;
  s.load_centroid = 0.9 / 14;  // that of the trapezoid
  // least squares to the trapezoid with its total, its centroid and zero at both ends
  s.load_poly = {5, {0, 12.59416, -32.70781, 31.65587, -11.54222}};
  return s;
}

const std::vector<PaperValue>& paper_values() {
  static const std::vector<PaperValue> all{
      {"speed, spin, slip angle", "8 m/s; 32 to 0 rad/s in 2 s; 4 and 15 deg", "same"},
      {"sigma0", "150 and 500 1/m, both directions", "same"},
      {"kappa", "1.2 in figure 4, 1.1 to 1.4 in the text; or steady", "1.2; or steady"},
      {"patch length", "the axis of figure 6 ends at 0.15 m", "0.15 m"},
      {"radius", "not given", "0.25 m: our choice, 32 rad/s then is free rolling"},
      {"load", "not given", "2000 N: our choice"},
      {"sigma1, sigma2", "not given", "0.05 s/m, 0.001 s/m: our choice"},
      {"mu_s, mu_k, v_s, gamma", "not given", "1.1, 0.8, 5.5 m/s, 0.6: our choice"},
      {"trapezoid", "not given", "rises to 0.02 m, falls from 0.08 m: our choice"},
      {"cubic", "same load and centroid as the trapezoid", "same rule: 0.0643 m"},
      {"polynomial", "(13), of any degree; no example", "degree 4, closest to the trapezoid: our choice"}};
  return all;
}

Paper paper_lugre2004() {
  Paper paper;
  paper.figures.push_back(figure3());
  paper.figures.push_back(figure4(paper));
  paper.figures.push_back(figure5(paper));
  paper.figures.push_back(figure6());
  return paper;
}

std::string paper_csv(const PaperFigure& figure) {
  std::string text;
  for (const PaperColumn& c : figure.columns) text += (text.empty() ? "" : ",") + c.name;
  text += '\n';
  for (std::size_t i = 0; i < figure.columns.front().values.size(); ++i)
    for (std::size_t k = 0; k < figure.columns.size(); ++k)
      text += fmt::format("{:.10g}{}", figure.columns[k].values[i], k + 1 < figure.columns.size() ? ',' : '\n');
  return text;
}

std::string paper_page(const Paper& paper) {
  std::vector<std::string> blocks{
      html_text(fmt::format("{}. Drawn with the models of VDSim; where the paper gives no value, it is our choice.",
                            kPaperName)),
      html_text("Wheel at 8 m/s and a constant slip angle, spin from 32 rad/s to standstill in 2 s, 2000 N. Forces of "
                "the road on the "
                "tire, ISO 8855: braking is negative, and so is the side force at a positive slip angle.")};
  for (const PaperFigure& f : paper.figures) {
    blocks.push_back(html_text(fmt::format("Figure {}", f.name.substr(6))));
    blocks.push_back(svg_text(f.chart));
  }
  std::vector<std::vector<std::string>> rows{{"model", "Fx", "Fy", "Mz"}};
  const auto percent = [](double x) { return x < 0 ? std::string("-") : fmt::format("{:.2f} %", 100 * x); };
  for (const PaperDeviation& d : paper.deviations)
    rows.push_back({d.what, percent(d.fx), percent(d.fy), percent(d.mz)});
  blocks.push_back(html_table("Largest distance from the exact solution, relative to its peak", rows));
  blocks.push_back(html_text(
      "The paper reports significant differences in the transients of the three models of figure 5 at 4 deg. Here the "
      "averaged trapezoid stays within 0.3 % of the exact one: bristles settle within 3 ms, the wheel slows down over "
      "2 s, "
      "so both follow one steady state. Cubic and trapezoid do differ, most at the start, but in their steady "
      "states."));
  std::vector<std::vector<std::string>> values{{"value", "paper", "here (part tire.lugre_2004)"}};
  for (const PaperValue& v : paper_values()) values.push_back({v.what, v.paper, v.here});
  blocks.push_back(html_table("What the paper gives, and what is our choice", values));
  return html_page("Contact-patch LuGre, figures 3 to 6", blocks);
}

}  // namespace vdsim
