// SPDX-License-Identifier: Apache-2.0
#include "vdsim/study/maneuver/course.hpp"

#include <algorithm>

#include "vdsim/engine/same_math.hpp"

namespace vdsim {
namespace {

constexpr double kStep = 1e-3;   // way of any point of the outline between two looks [m]
constexpr double kExact = 1e-6;  // of the time of a hit [s]
constexpr double kGrid = 0.5;    // of the path through lanes [m]
constexpr double kRunUp = 10;    // straight before the first lane and after the last [m]
constexpr double kBend = 0.01;   // bends beyond that count more: fourth power [1/m]
constexpr double kStiff = 1e4;   // penalty on leaving a lane, against bending [1/m^4]
constexpr int kAlong = 6;        // points of a flank that are kept off the boundaries

double square(double x) { return x * x; }

// Symmetric, five diagonals: [i][0] the diagonal, [i][1], [i][2] to its right.
using Band = std::vector<std::array<double, 3>>;

void add(Band& H, std::size_t first, const std::array<double, 3>& row, double weight) {
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = i; j < 3; ++j) H[first + i][j - i] += weight * row[i] * row[j];
}

// Gauss, no pivots: H is positive definite.
std::vector<double> solve(Band H, std::vector<double> f) {
  const std::size_t n = f.size();
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = 1; k <= 2 && i + k < n; ++k) {
      const double w = H[i][k] / H[i][0];
      for (std::size_t j = k; j <= 2; ++j) H[i + k][j - k] -= w * H[i][j];
      f[i + k] -= w * f[i];
    }
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t k = 1; k <= 2 && i + k < n; ++k) f[i] -= H[i][k] * f[i + k];
    f[i] /= H[i][0];
  }
  return f;
}

// low <= row . (y[first], y[first + 1], y[first + 2]) <= high
struct Bound {
  std::size_t first;
  std::array<double, 3> row;
  double low, high;
  double value(const std::vector<double>& y) const {
    return row[0] * y[first] + row[1] * y[first + 1] + row[2] * y[first + 2];
  }
  double excess(const std::vector<double>& y) const {
    const double v = value(y);
    return v - std::clamp(v, low, high);
  }
};

// A point l ahead of the CG is at y + l y' while it is inside the lane. The ends of the path are fixed.
std::vector<Bound> bounds_of(const std::vector<Lane>& lanes, const Outline& o, double share, double x0, std::size_t n) {
  std::vector<Bound> bounds;
  for (const Lane& lane : lanes) {
    const double middle = (lane.left + lane.right) / 2, room = (1 - share) * (lane.left - lane.right - o.width) / 2;
    for (std::size_t i = 1; i + 1 < n; ++i)
      for (int k = 0; k <= kAlong; ++k) {
        const double l = -o.rear + (o.front + o.rear) * k / kAlong, x = x0 + kGrid * double(i), slope = l / (2 * kGrid);
        if (x + l > lane.from - 1e-9 && x + l < lane.to + 1e-9)
          bounds.push_back({i - 1, {-slope, 1, slope}, middle - room, middle + room});
      }
  }
  for (std::size_t i = 0; i + 2 < n; ++i) {
    const double x = x0 + kGrid * double(i + 1);
    const Lane* at = x <= lanes.front().from ? &lanes.front() : x >= lanes.back().to ? &lanes.back() : nullptr;
    if (!at) continue;
    const double middle = (at->left + at->right) / 2;
    bounds.push_back({i, {0, 1, 0}, middle, middle});
    if (i == 0) bounds.push_back({0, {1, 0, 0}, middle, middle});
    if (i + 3 == n) bounds.push_back({i, {0, 0, 1}, middle, middle});
  }
  return bounds;
}

// Sum of y''^2 with a penalty on broken bounds: convex, made of parabolas.
struct Bending {
  std::vector<Bound> bounds;

  static double bend(const std::vector<double>& y, std::size_t i) {
    return (y[i] - 2 * y[i + 1] + y[i + 2]) / square(kGrid);
  }
  // The least of the parabola that holds at y.
  std::vector<double> newton(const std::vector<double>& y) const {
    Band H(y.size(), {0, 0, 0});
    std::vector<double> f(y.size(), 0.0);
    for (std::size_t i = 0; i + 2 < y.size(); ++i) {
      const double q = bend(y, i), w = 1 / square(kGrid), more = square(q / kBend);
      const std::array<double, 3> row = {w, -2 * w, w};
      add(H, i, row, 1 + 3 * more);
      for (std::size_t k = 0; k < 3; ++k) f[i + k] += row[k] * 2 * more * q;
    }
    for (const Bound& b : bounds) {
      if (b.excess(y) == 0 && b.low < b.high) continue;
      add(H, b.first, b.row, kStiff);
      for (std::size_t k = 0; k < 3; ++k) f[b.first + k] += kStiff * b.row[k] * (b.value(y) - b.excess(y));
    }
    return solve(std::move(H), std::move(f));
  }
  // Half the derivative along `way` at y + s way.
  double slope(std::vector<double> y, const std::vector<double>& way, double s) const {
    for (std::size_t i = 0; i < y.size(); ++i) y[i] += s * way[i];
    double sum = 0;
    for (std::size_t i = 0; i + 2 < y.size(); ++i) {
      const double q = bend(y, i);
      sum += q * (1 + square(q / kBend)) * bend(way, i);
    }
    for (const Bound& b : bounds) sum += kStiff * b.excess(y) * b.value(way);
    return sum;
  }
  double best(const std::vector<double>& y, const std::vector<double>& way) const {
    double low = 0, high = 1;
    for (int i = 0; i < 30; ++i) (slope(y, way, (low + high) / 2) < 0 ? low : high) = (low + high) / 2;
    return (low + high) / 2;
  }
};

Lane lane(double from, double length, double right, double width) {
  return {from, from + length, right, right + width};
}

}  // namespace

std::vector<Cone> cones_of(const std::vector<Lane>& lanes, double spacing, double radius) {
  std::vector<Cone> cones;
  for (const Lane& lane : lanes) {
    const int n = std::max(1, int(std::ceil((lane.to - lane.from) / spacing - 1e-9)));
    for (int i = 0; i <= n; ++i)
      for (const double y : {lane.right - radius, lane.left + radius}) {
        const double x = lane.from + (lane.to - lane.from) * i / n;
        const auto same = [&](const Cone& c) { return vdsim::hypot(c.x - x, c.y - y) < 1e-9; };
        const auto before = [&](const Cone& c) { return c.x < x - 1e-9; };  // lanes come in order of x
        const auto near = std::find_if(cones.rbegin(), cones.rend(), before).base();
        if (std::none_of(near, cones.end(), same)) cones.push_back({x, y, radius});
      }
  }
  return cones;
}

std::vector<Lane> lanes_iso3888_1(double width) {
  const double b1 = 1.1 * width + 0.25, b3 = 1.2 * width + 0.25, b5 = 1.3 * width + 0.25, base = -b1 / 2;
  return {lane(0, 15, base, b1), lane(45, 25, base + 3.5, b3), lane(95, 15, base, b5), lane(110, 15, base, b5)};
}

std::vector<Lane> lanes_iso3888_2(double width) {
  const double b1 = 1.1 * width + 0.25, b3 = width + 1, b5 = std::max(1.3 * width + 0.25, 3.0), base = b1 / 2;
  return {lane(0, 12, base - b1, b1), lane(25.5, 11, base + 1, b3), lane(49, 12, base - b5, b5)};
}

std::vector<Lane> lanes_of_course(const std::string& name, double width) {
  if (name == kCourseNames[0]) return lanes_iso3888_1(width);
  if (name == kCourseNames[1]) return lanes_iso3888_2(width);
  return {};
}

std::vector<std::array<double, 2>> lane_path(const std::vector<Lane>& lanes, const Outline& outline, double share) {
  const double x0 = lanes.front().from - kRunUp;
  const std::size_t n = 2 * std::size_t(std::ceil((lanes.back().to + kRunUp - x0) / (2 * kGrid))) + 1;
  const Bending bending{bounds_of(lanes, outline, share, x0, n)};
  std::vector<double> y(n, (lanes.front().left + lanes.front().right) / 2);
  for (int round = 0; round < 200; ++round) {
    std::vector<double> way = bending.newton(y);
    double most = 0;
    for (std::size_t i = 0; i < n; ++i) most = std::max(most, std::abs(way[i] -= y[i]));
    if (most < 1e-9) break;
    const double part = bending.slope(y, way, 1) <= 0 ? 1 : bending.best(y, way);
    for (std::size_t i = 0; i < n; ++i) y[i] += part * way[i];
  }
  std::vector<std::array<double, 2>> points;
  for (std::size_t i = 0; i < n; i += 2) points.push_back({x0 + kGrid * double(i), y[i]});
  return points;
}

// ------------------------------------------------------------------------------------------------ hits

HitWatch::Pose HitWatch::between(const Pose& a, const Pose& b, double s) {
  const double turn = std::remainder(b.psi - a.psi, 2 * std::acos(-1.0));
  return {a.t + s * (b.t - a.t), a.x + s * (b.x - a.x), a.y + s * (b.y - a.y), a.psi + s * turn};
}

namespace {
struct Local {
  double x, y;
};
// Body axes, origin in the middle of the outline.
Local local(const Outline& o, double x, double y, double psi, const Cone& c) {
  const double dx = c.x - x, dy = c.y - y, co = vdsim::cos(psi), si = vdsim::sin(psi);
  return {co * dx + si * dy - (o.front - o.rear) / 2, co * dy - si * dx};
}
}  // namespace

// Of a rectangle and a point, less the radius; inside: less the way to the nearest side.
double HitWatch::distance(const Pose& p, const Cone& c) const {
  const Local l = local(outline_, p.x, p.y, p.psi, c);
  const double ox = std::abs(l.x) - (outline_.front + outline_.rear) / 2, oy = std::abs(l.y) - outline_.width / 2;
  const double outside = vdsim::hypot(std::max(ox, 0.0), std::max(oy, 0.0));
  return outside + std::min(std::max(ox, oy), 0.0) - c.radius;
}

void HitWatch::touch(const Pose& p, std::size_t i) {
  static const char* const kCorner[2][2] = {{"rear right", "rear left"}, {"front right", "front left"}};
  const Local l = local(outline_, p.x, p.y, p.psi, cones_[i]);
  const double half = (outline_.front + outline_.rear) / 2, side = outline_.width / 2;
  const double bx = std::clamp(l.x, -half, half) + (outline_.front - outline_.rear) / 2,
               by = std::clamp(l.y, -side, side);
  const double co = vdsim::cos(p.psi), si = vdsim::sin(p.psi);
  hits_.push_back({p.t, int(i), kCorner[l.x >= 0][l.y >= 0], p.x + co * bx - si * by, p.y + si * bx + co * by});
  hit_[i] = true;
}

// way: no point of the outline, nor the cone seen from it, moves further [m]
void HitWatch::sweep(const Pose& from, const Pose& to, std::size_t i, double way) {
  const Cone& c = cones_[i];
  const int parts = std::max(1, int(std::ceil(way / kStep)));
  for (int k = 1; k <= parts; ++k) {
    const double d = distance(between(from, to, double(k) / parts), c);
    clearance_ = std::min(clearance_, d);
    if (d >= 0 || hit_[i]) continue;
    double free = double(k - 1) / parts, in = double(k) / parts;
    while ((in - free) * (to.t - from.t) > kExact) {
      const double s = (free + in) / 2;
      (distance(between(from, to, s), c) < 0 ? in : free) = s;
    }
    touch(between(from, to, in), i);
  }
}

void HitWatch::row(double t, double x, double y, double psi) {
  const Pose now{t, x, y, psi};
  const std::size_t before = hits_.size();
  const double reach =
      vdsim::hypot(outline_.front + outline_.rear, outline_.width);  // no corner is further from the CG
  const double moved = any_ ? vdsim::hypot(x - last_.x, y - last_.y) : 0;
  for (std::size_t i = 0; i < cones_.size(); ++i) {
    // Further away than the nearest one so far, even on the way from the row before: nothing to learn.
    const double apart = std::abs(x - cones_[i].x) - reach - cones_[i].radius - 2 * moved;
    if (apart > std::max(clearance_, 0.0) + 1) continue;
    const double d = distance(now, cones_[i]);
    if (any_) {
      const double far = vdsim::hypot(x - cones_[i].x, y - cones_[i].y) + vdsim::hypot(x - last_.x, y - last_.y);
      const double turn = std::abs(std::remainder(psi - last_.psi, 2 * std::acos(-1.0)));
      const double way = vdsim::hypot(x - last_.x, y - last_.y) + turn * far;
      if (d - way < std::max(clearance_, 0.0)) sweep(last_, now, i, way);
    } else if (d < 0) {
      touch(now, i);
    }
    clearance_ = std::min(clearance_, d);
  }
  std::stable_sort(hits_.begin() + std::ptrdiff_t(before), hits_.end(),
                   [](const Hit& a, const Hit& b) { return a.t < b.t; });
  last_ = now;
  any_ = true;
}

}  // namespace vdsim
