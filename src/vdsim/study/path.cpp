// SPDX-License-Identifier: Apache-2.0
#include "vdsim/study/path.hpp"

#include <algorithm>
#include <cmath>

#include "vdsim/engine/same_math.hpp"

namespace vdsim {
namespace {

// a_i x_{i-1} + b_i x_i + c_i x_{i+1} = d_i, for several right-hand sides.
template <std::size_t N> void solve_tridiagonal(const std::vector<double>& a, std::vector<double> b,
                                                const std::vector<double>& c, std::vector<std::array<double, N>>& d) {
  const std::size_t n = b.size();
  for (std::size_t i = 1; i < n; ++i) {
    const double w = a[i] / b[i - 1];
    b[i] -= w * c[i - 1];
    for (std::size_t k = 0; k < N; ++k) d[i][k] -= w * d[i - 1][k];
  }
  for (std::size_t i = n; i-- > 0;)
    for (std::size_t k = 0; k < N; ++k) d[i][k] = (d[i][k] - (i + 1 < n ? c[i] * d[i + 1][k] : 0)) / b[i];
}

using Pair = std::array<double, 2>;

Pair slope(const std::vector<Pair>& p, const std::vector<double>& u, std::size_t i) {
  const double h = u[i + 1] - u[i];
  return {(p[i + 1][0] - p[i][0]) / h, (p[i + 1][1] - p[i][1]) / h};
}

// Natural spline: no curvature at the ends.
std::vector<Pair> open_bends(const std::vector<Pair>& p, const std::vector<double>& u) {
  const std::size_t n = p.size();
  std::vector<double> a(n), b(n, 1), c(n);
  std::vector<Pair> d(n, Pair{0, 0});
  for (std::size_t i = 1; i + 1 < n; ++i) {
    a[i] = u[i] - u[i - 1];
    c[i] = u[i + 1] - u[i];
    b[i] = 2 * (a[i] + c[i]);
    for (std::size_t k = 0; k < 2; ++k) d[i][k] = 6 * (slope(p, u, i)[k] - slope(p, u, i - 1)[k]);
  }
  solve_tridiagonal(a, b, c, d);
  return d;
}

// Periodic spline: the last point is the first. The corner elements of the matrix by Sherman and Morrison:
// M = T + w v', with x = y - q (v'y)/(1 + v'q), T y = d, T q = w.
std::vector<Pair> closed_bends(const std::vector<Pair>& p, const std::vector<double>& u) {
  const std::size_t n = p.size() - 1;
  std::vector<double> a(n), b(n), c(n);
  std::vector<std::array<double, 3>> d(n, {0, 0, 0});  // x, y, and w
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t before = i == 0 ? n - 1 : i - 1;
    a[i] = u[before + 1] - u[before];
    c[i] = u[i + 1] - u[i];
    b[i] = 2 * (a[i] + c[i]);
    for (std::size_t k = 0; k < 2; ++k) d[i][k] = 6 * (slope(p, u, i)[k] - slope(p, u, before)[k]);
  }
  const double gamma = -b[0], corner = a[0];  // a[0] = c[n - 1]: both corners are the closing chord
  b[0] -= gamma;
  b[n - 1] -= corner * corner / gamma;
  d[0][2] = gamma;
  d[n - 1][2] = corner;
  solve_tridiagonal(a, b, c, d);
  const double tail = corner / gamma;
  std::vector<Pair> bends(n + 1);
  for (std::size_t k = 0; k < 2; ++k) {
    const double f = (d[0][k] + tail * d[n - 1][k]) / (1 + d[0][2] + tail * d[n - 1][2]);
    for (std::size_t i = 0; i < n; ++i) bends[i][k] = d[i][k] - f * d[i][2];
  }
  bends[n] = bends[0];
  return bends;
}

}  // namespace

Path::Path(const std::vector<std::array<double, 2>>& points, bool closed) : point_(points), closed_(closed) {
  if (closed) point_.push_back(point_.front());
  station_.assign(1, 0.0);
  for (std::size_t i = 1; i < point_.size(); ++i)
    station_.push_back(station_.back() +
                       vdsim::hypot(point_[i][0] - point_[i - 1][0], point_[i][1] - point_[i - 1][1]));
  bend_ = closed ? closed_bends(point_, station_) : open_bends(point_, station_);
}

Path::Local Path::local(double s) const {
  if (closed_) s -= length() * std::floor(s / length());
  const double inside = std::clamp(s, 0.0, length());
  const auto after = std::upper_bound(station_.begin() + 1, station_.end() - 1, inside);
  const std::size_t i = std::size_t(after - station_.begin()) - 1;
  const double h = station_[i + 1] - station_[i], q = (inside - station_[i]) / h, r = 1 - q, on = s - inside;
  double p[2], d[2], dd[2];
  for (std::size_t k = 0; k < 2; ++k) {
    const double p0 = point_[i][k], p1 = point_[i + 1][k], b0 = bend_[i][k], b1 = bend_[i + 1][k];
    p[k] = r * p0 + q * p1 + h * h / 6 * ((r * r * r - r) * b0 + (q * q * q - q) * b1);
    d[k] = (p1 - p0) / h + h / 6 * ((1 - 3 * r * r) * b0 + (3 * q * q - 1) * b1);
    dd[k] = r * b0 + q * b1;
    p[k] += on * d[k];
    if (on != 0) dd[k] = 0;
  }
  return {p[0], p[1], d[0], d[1], dd[0], dd[1]};
}

PathPoint Path::at(double station) const {
  const Local l = local(station);
  const double v = vdsim::hypot(l.dx, l.dy);
  return {l.x, l.y, vdsim::atan2(l.dy, l.dx), (l.dx * l.ddy - l.dy * l.ddx) / (v * v * v)};
}

// Newton's method for the zero of (P - p).P', with steps of at most 2 m.
double Path::nearest(double x, double y, double from) const {
  double s = from;
  for (int round = 0; round < 50; ++round) {
    const Local l = local(s);
    const double ex = l.x - x, ey = l.y - y, v2 = l.dx * l.dx + l.dy * l.dy;
    const double f = ex * l.dx + ey * l.dy, df = v2 + ex * l.ddx + ey * l.ddy;
    const double step = std::clamp(-f / std::max(df, 0.3 * v2), -2.0, 2.0);
    s += step;
    if (std::abs(step) < 1e-10 * (1 + std::abs(s))) break;
  }
  if (closed_) s -= length() * std::floor(s / length());
  return s;
}

double Path::nearest(double x, double y) const {
  double best = 0, least = INFINITY;
  for (std::size_t i = 0; i + 1 < station_.size(); ++i)
    for (int k = 0; k <= 16; ++k) {
      const double s = station_[i] + (station_[i + 1] - station_[i]) * k / 16;
      const Local l = local(s);
      const double d = vdsim::hypot(l.x - x, l.y - y);
      if (d < least) least = d, best = s;
    }
  return nearest(x, y, best);
}

}  // namespace vdsim
