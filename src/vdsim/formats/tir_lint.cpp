// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "vdsim/core/tire/mf_tyre.hpp"
#include "vdsim/formats/tir.hpp"

namespace vdsim {
namespace {

struct Point {
  double Fz, gamma, pressure;
};

struct Check {
  const char* rule;
  double value;
  double excess;  // above 0: broken; the larger, the worse
  int slip_sign;
};

// [T24.5], [T24.8], [T24.14]: the curvature factors for one sign of slip, and the slope of the trail
double curvature_x(const TirParams<double>& p, const TirLoad<double>& l, int sign) {
  return tir_ex(p, l) * (1 - p.PEX4 * sign);
}
double curvature_y(const TirParams<double>& p, const TirLoad<double>& l, double g, int sign) {
  return tir_ey(p, l) * (1 + p.PEY5 * g * g - (p.PEY3 + p.PEY4 * g) * sign);
}
double slope_t(const TirKind& k, const TirParams<double>& p, const TirLoad<double>& l, double g) {
  const double camber = k.book ? 1 + p.QBZ5 * std::abs(g) + p.QBZ6 * g * g : 1 + p.QBZ4 * g + p.QBZ5 * std::abs(g);
  return (p.QBZ1 + (p.QBZ2 + p.QBZ3 * l.dfz) * l.dfz) * camber / std::max(l.ly, kTirEps);
}
double curvature_t(const TirParams<double>& p, const TirLoad<double>& l, double g, double B, double alpha) {
  const double at = alpha + p.QHZ1 + p.QHZ2 * l.dfz + (p.QHZ3 + p.QHZ4 * l.dfz) * g;
  return (p.QEZ1 + (p.QEZ2 + p.QEZ3 * l.dfz) * l.dfz) *
         (1 + (p.QEZ4 + p.QEZ5 * g) * 0.63661977236758134 * std::atan(B * p.QCZ1 * at));
}

template <class F> void check_at(const TirKind& k, const TirParams<double>& p, const Point& at, bool trail, F&& each) {
  const TirLoad<double> l = tir_load(k, p, at.Fz, at.pressure, 1.0, 1.0);
  const double g = k.book ? std::sin(at.gamma) : at.gamma;
  const auto positive = [&](const char* rule, double value, double right) {  // right: the value in the good sign
    each(Check{rule, value, right > 0 ? -1 : 1 - right, 0});
  };
  positive("Cx > 0", p.CX, p.CX);
  positive("Cy > 0", p.CY, p.CY);
  const double mux = tir_mux(p, l, at.gamma), muy = tir_muy(p, l, g), Kx = tir_kx(p, l), Ky = tir_ky(p, l, g);
  positive("mux > 0", mux, mux);
  positive("muy > 0", muy, muy);
  positive("Kxk > 0", Kx, Kx);
  positive("Kya < 0", Ky, -Ky);
  const double Bt = slope_t(k, p, l, g);
  if (trail) positive("Ct > 0", p.QCZ1, p.QCZ1);
  if (trail) positive("Bt > 0", Bt, Bt);
  for (const int sign : {1, -1}) {
    const double Ex = curvature_x(p, l, sign), Ey = curvature_y(p, l, g, sign);
    each(Check{"Ex <= 1", Ex, Ex - 1, sign});
    each(Check{"Ey <= 1", Ey, Ey - 1, sign});
    if (!trail) continue;
    const double Et = curvature_t(p, l, g, Bt, sign > 0 ? p.ALPMAX : p.ALPMIN);
    each(Check{"Et <= 1", Et, Et - 1, sign});
  }
}

// n values from lo to hi, both included, and `usual`, the ones near it first: of equal findings the plainest is named
std::vector<double> spread(double lo, double hi, int n, double usual) {
  std::vector<double> out{std::clamp(usual, lo, hi)};
  for (int i = 0; i < n; ++i) out.push_back(lo + (hi - lo) * i / (n - 1));
  std::stable_sort(out.begin(), out.end(),
                   [&](double a, double b) { return std::abs(a - usual) < std::abs(b - usual); });
  return out;
}

std::vector<Point> range_points(const TirSpec& s) {
  const TirRanges& r = s.ranges;
  const double Fz0 = s.vertical.FNOMIN;
  // at no load everything is 0; where the file sets no limit, three times the nominal load is far enough
  const double least = std::max(r.FZMIN, 0.01 * Fz0), most = r.FZMAX < TirRanges{}.FZMAX ? r.FZMAX : 3 * Fz0;
  const double p0 = s.operating.NOMPRES;
  const bool by_pressure = s.model.FITTYP != 52;
  std::vector<Point> out;
  for (const double pressure : by_pressure ? spread(r.PRESMIN, r.PRESMAX, 5, p0) : std::vector{p0})
    for (const double gamma : spread(r.CAMMIN, r.CAMMAX, 5, 0))
      for (const double Fz : spread(std::min(least, most), most, 13, Fz0)) out.push_back({Fz, gamma, pressure});
  return out;
}

// The worst of each rule; of equals the first.
class Worst {
 public:
  void note(const Check& check, const Point& at) {
    const double excess = std::isfinite(check.value) ? check.excess : kInf;
    if (excess <= 0) return;
    for (Entry& entry : list_)
      if (std::string_view(entry.check.rule) == check.rule) {
        if (excess > entry.excess) entry = {check, at, excess};
        return;
      }
    list_.push_back({check, at, excess});
  }
  void report(bool error, std::vector<LintFinding>& out) const {
    for (const Entry& e : list_) {
      const auto said = [&](const LintFinding& f) { return f.rule == e.check.rule; };
      if (std::none_of(out.begin(), out.end(), said))
        out.push_back({error, e.check.rule, e.check.value, e.at.Fz, e.at.gamma, e.at.pressure, e.check.slip_sign});
    }
  }

 private:
  struct Entry {
    Check check;
    Point at;
    double excess;
  };
  std::vector<Entry> list_;
};

}  // namespace

std::string LintFinding::text() const {
  const std::string name = rule.substr(0, rule.find(' '));
  std::string where = fmt::format("Fz = {:.6g} N, camber = {:.4g} rad, p = {:.6g} Pa", Fz, gamma, pressure);
  if (slip_sign != 0) where += slip_sign > 0 ? ", positive slip" : ", negative slip";
  return fmt::format("{}: {} = {:.6g}, must be {} at {}", error ? "error" : "warning", name, value,
                     rule.substr(name.size() + 1), where);
}

std::vector<LintFinding> lint_tir(const TirSpec& spec, bool book) {
  const TirKind k = tir_kind(spec, book);
  const TirParams<double> p = compile_tir(spec);
  const TirAligning& z = spec.aligning;
  const bool trail =
      z.QDZ1 != 0 || z.QDZ2 != 0 || z.QBZ1 != 0 || z.QCZ1 != 0;  // a file without Mz has no trail to check
  const auto gather = [&](Worst& worst, const Point& at) {
    check_at(k, p, at, trail, [&](const Check& check) { worst.note(check, at); });
  };
  Worst nominal, elsewhere;
  gather(nominal, {p.Fz0n, 0, spec.operating.NOMPRES});
  for (const Point& at : range_points(spec)) gather(elsewhere, at);
  std::vector<LintFinding> out;
  nominal.report(true, out);
  elsewhere.report(false, out);
  return out;
}

}  // namespace vdsim
