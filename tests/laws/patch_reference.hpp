// SPDX-License-Identifier: Apache-2.0
// The contact-patch LuGre equation solved bristle by bristle, for comparison: every bristle is traced back to where it entered
// the patch, and its deflection is integrated along that way with RK4. Works in a frame fixed to the wheel: xi = 0 is the front
// edge of the patch, xi = L the rear edge, bristles run from front to rear with the speed w r of either sign, so that a wheel
// that turns back needs no special rule. Slow and plain on purpose; shares no code with the models.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "vdsim/core/tire/patch_spec.hpp"

namespace laws {

struct PatchRow {
  double t, U, vx, vy, mu = 1;  // U = w r; v = slip velocity
};
struct PatchResult {
  double fx = 0, fy = 0, mz = 0;
};

class PatchReference {
 public:
  PatchReference(const vdsim::PatchSpec& spec, std::vector<PatchRow> rows) : s(spec), rows(std::move(rows)) {
    for (const PatchRow& r : this->rows) rolled.push_back(r.t), events.push_back(r.t);
    double sum = 0;
    for (std::size_t i = 0; i < this->rows.size(); ++i) {
      if (i > 0) {
        const PatchRow &a = this->rows[i - 1], &b = this->rows[i];
        sum += 0.5 * (a.U + b.U) * (b.t - a.t);
        if (a.U * b.U < 0) events.push_back(a.t + (b.t - a.t) * a.U / (a.U - b.U));
      }
      rolled[i] = sum;
    }
    std::sort(events.begin(), events.end());
  }

  PatchRow at(double t) const {
    if (t <= rows.front().t) return {t, rows.front().U, rows.front().vx, rows.front().vy, rows.front().mu};
    if (t >= rows.back().t) return {t, rows.back().U, rows.back().vx, rows.back().vy, rows.back().mu};
    const PatchRow &a = rows[find(t)], &b = rows[find(t) + 1];
    const double u = (t - a.t) / (b.t - a.t);
    const auto mix = [u](double p, double q) { return p + (q - p) * u; };
    return {t, mix(a.U, b.U), mix(a.vx, b.vx), mix(a.vy, b.vy), mix(a.mu, b.mu)};
  }
  // force per newton of load
  PatchResult force(double t) const {
    const double d = 2e-6;
    const PatchRow m = at(t);
    const auto now = sums(t, direction(t), {}), later = sums(t + d, direction(t), {}),
               before = sums(t - d, direction(t), {});
    std::array<double, 3> total{};  // x, y, and zeta-weighted y
    const double v[3] = {m.vx, m.vy, m.vy};
    for (int k = 0; k < 3; ++k) {
      const int i = k > 0;
      const double share = k == 2 ? centroid() : 1;
      total[k] = s.sigma0[i] * now[k] + s.sigma1[i] * (later[k] - before[k]) / (2 * d) + s.sigma2[i] * v[k] * share;
    }
    return {total[0], total[1], direction(t) * (0.5 * s.length * total[1] - total[2])};
  }
  // normalised load [1/m]
  double load(double zeta) const {
    const double L = s.length;
    if (s.load == vdsim::PatchLoad::uniform) return 1 / L;
    if (s.load == vdsim::PatchLoad::trapezoidal) {
      const double top = 2 / (L + s.load_b - s.load_a);
      if (zeta < s.load_a) return top * zeta / s.load_a;
      return zeta < s.load_b ? top : top * (L - zeta) / (L - s.load_b);
    }
    if (s.load == vdsim::PatchLoad::polynomial) {  // scaled by its own sum over 1000 strips, two Gauss points each
      const auto f = [&](double x) {
        double sum = 0;
        for (int k = 0; k < s.load_poly.count; ++k) sum += s.load_poly.v[k] * std::pow(x, k);
        return sum;
      };
      if (total == 0)
        for (int i = 0; i < 1000; ++i)
          for (const double g : {0.5 - 0.28867513459481287, 0.5 + 0.28867513459481287})
            total += f((i + g) / 1000) / 2000;
      return f(zeta / L) / (L * total);
    }
    // c1 zeta + c2 zeta^2 + c3 zeta^3: f(L) = 0, total 1, centroid; solved by Cramer's rule
    const double L2 = L * L, L3 = L2 * L, L4 = L3 * L, L5 = L4 * L;
    const double A[3][3] = {{L, L2, L3}, {L2 / 2, L3 / 3, L4 / 4}, {L3 / 3, L4 / 4, L5 / 5}};
    const double rhs[3] = {0, 1, s.load_centroid};
    double c[3];
    for (int k = 0; k < 3; ++k) {
      double B[3][3];
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) B[i][j] = j == k ? rhs[i] : A[i][j];
      c[k] = det(B) / det(A);
    }
    return zeta * (c[0] + zeta * (c[1] + zeta * c[2]));
  }
  double centroid() const {
    double sum = 0;
    for (int i = 0; i < 4000; ++i) {
      const double zeta = s.length * (i + 0.5) / 4000;
      sum += load(zeta) * zeta * s.length / 4000;
    }
    return sum;
  }

 private:
  static double det(const double (&a)[3][3]) {
    return a[0][0] * (a[1][1] * a[2][2] - a[1][2] * a[2][1]) - a[0][1] * (a[1][0] * a[2][2] - a[1][2] * a[2][0]) +
           a[0][2] * (a[1][0] * a[2][1] - a[1][1] * a[2][0]);
  }
  std::size_t find(double t) const {
    std::size_t i = 0;
    while (i + 2 < rows.size() && t >= rows[i + 1].t) ++i;
    return i;
  }
  // distance rolled since the first row, signed
  double path(double t) const {
    if (t <= rows.front().t) return (t - rows.front().t) * rows.front().U;
    if (t >= rows.back().t) return rolled.back() + (t - rows.back().t) * rows.back().U;
    const std::size_t i = find(t);
    const double dt = t - rows[i].t;
    return rolled[i] + dt * 0.5 * (rows[i].U + at(t).U);
  }
  double direction(double t) const {  // of the last motion
    if (at(t).U != 0) return at(t).U > 0 ? 1 : -1;
    for (std::size_t i = rows.size(); i-- > 0;)
      if (rows[i].t <= t && rows[i].U != 0) return rows[i].U > 0 ? 1 : -1;
    return 1;
  }
  double leak(const PatchRow& m) const {  // |v|/g
    const double speed = std::hypot(m.vx, m.vy);
    return speed / (m.mu * (s.mu_k + (s.mu_s - s.mu_k) * std::exp(-std::pow(speed / s.v_s, s.gamma))));
  }
  // When the bristle that is at xi at time t came in; before the first row: that row's time.
  double entry(double xi, double t) const {
    const double L = s.length, here = path(t), first = events.front();
    const auto inside = [&](double when) {
      const double x = xi - (here - path(when));
      return x > 0 && x < L;
    };
    double hi = t;
    for (std::size_t i = events.size(); i-- > 0;) {
      if (events[i] >= t) continue;
      if (inside(events[i])) {
        hi = events[i];
        continue;
      }
      double lo = events[i];
      for (int k = 0; k < 60; ++k) {
        const double mid = 0.5 * (lo + hi);
        (inside(mid) ? hi : lo) = mid;
      }
      return hi;
    }
    return first;
  }
  // steady deflection of the first row at xi
  std::array<double, 2> steady(double xi) const {
    const PatchRow& m = rows.front();
    const double zeta = m.U < 0 ? s.length - xi : xi, v[2] = {m.vx, m.vy}, q = leak(m);
    std::array<double, 2> z{};
    for (int i = 0; i < 2; ++i) {
      const double C = s.sigma0[i] * q, c = m.U == 0 ? 1e9 : C * zeta / std::fabs(m.U);
      z[i] = C == 0 ? 0 : c < 1e-9 ? v[i] * zeta / std::fabs(m.U) : v[i] / C * -std::expm1(-c);
    }
    return z;
  }
  std::array<double, 2> bristle(double xi, double t) const {
    const double from = entry(xi, t);
    std::array<double, 2> z{};
    if (from <= events.front()) z = steady(std::clamp(xi - path(t), 0.0, s.length));
    std::vector<double> stops{std::max(from, events.front())};
    for (double e : events)
      if (e > stops.back() && e < t) stops.push_back(e);
    stops.push_back(t);
    for (std::size_t k = 0; k + 1 < stops.size(); ++k) integrate(z, stops[k], stops[k + 1]);
    return z;
  }
  void integrate(std::array<double, 2>& z, double from, double to) const {
    const double most = std::max(s.sigma0[0], s.sigma0[1]);
    const double C = most * std::max({leak(at(from)), leak(at(to)), leak(at(0.5 * (from + to)))});
    if (C * (to - from) > 400 && most * std::min(leak(at(from)), leak(at(to))) > 0.2 * C)
      from = to - 400 / C;  // forgotten
    const int n = std::clamp(static_cast<int>(std::ceil(C * (to - from) / 0.2)), 12, 4000);
    const double h = (to - from) / n;
    for (int k = 0; k < n; ++k) {
      const double t = from + k * h;
      const PatchRow m[3] = {at(t), at(t + 0.5 * h), at(t + h)};
      const double q[3] = {leak(m[0]), leak(m[1]), leak(m[2])};
      for (int i = 0; i < 2; ++i) {
        const auto rate = [&](int j, double x) { return (i == 0 ? m[j].vx : m[j].vy) - s.sigma0[i] * q[j] * x; };
        const double a = rate(0, z[i]), b = rate(1, z[i] + 0.5 * h * a), c = rate(1, z[i] + 0.5 * h * b),
                     d = rate(2, z[i] + h * c);
        z[i] += h / 6 * (a + 2 * b + 2 * c + d);
      }
    }
  }
  // int f z_x, int f z_y, int f zeta z_y at time t; the load lies as for rolling in direction dir
  std::array<double, 3> sums(double t, double dir, std::vector<double> cuts) const {
    const double L = s.length;
    for (double c :
         {0.0, 2e-5, 1e-4, 2.5e-4, 5e-4, 1e-3, 2e-3, 4e-3, 8e-3, 0.016, 0.03, 0.06, 0.12, 0.25, 0.5, 0.75, 1.0})
      cuts.push_back(c * L), cuts.push_back(L - c * L);
    for (double c : {s.load_a, s.load_b}) cuts.push_back(dir > 0 ? c : L - c);
    for (double e : events)  // bristles that entered at an event, at either edge: there the profile jumps or has a root
      for (double edge : {0.0, L})
        for (double c : {0.0, 1e-5, 1e-4, 1e-3, 5e-3, 0.02, 0.06})
          if (e < t) {
            cuts.push_back(edge + path(t) - path(e) + c * L);
            cuts.push_back(edge + path(t) - path(e) - c * L);
          }
    std::sort(cuts.begin(), cuts.end());
    constexpr double x[3] = {0.5 - 0.3872983346207417, 0.5, 0.5 + 0.3872983346207417},
                     w[3] = {5. / 18, 8. / 18, 5. / 18};
    std::array<double, 3> sum{};
    for (std::size_t k = 0; k + 1 < cuts.size(); ++k) {
      const double a = std::max(0.0, cuts[k]), b = std::min(L, cuts[k + 1]);
      if (b <= a) continue;
      for (int g = 0; g < 3; ++g) {
        const double xi = a + (b - a) * x[g], zeta = dir > 0 ? xi : L - xi, f = load(zeta) * w[g] * (b - a);
        const auto z = bristle(xi, t);
        sum[0] += f * z[0], sum[1] += f * z[1], sum[2] += f * zeta * z[1];
      }
    }
    return sum;
  }

  vdsim::PatchSpec s;
  std::vector<PatchRow> rows;
  std::vector<double> rolled, events;
  mutable double total = 0;  // of a polynomial load
};

}  // namespace laws
