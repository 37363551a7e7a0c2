// SPDX-License-Identifier: Apache-2.0
// A car on springs at rest on the road.  [T08.12]  docs/theory/08_fourteen_dof.md.
#pragma once
#include <cmath>

#include "vdsim/core/vehicle/body_states.hpp"

namespace vdsim {

// Unknowns of the place at rest: height, roll, pitch, four travels. L5: height and small turns of the attitude `s` has.
template <Level Lv> void shift_pose(const double u[7], State<double, Lv>& s) {
  s.z += u[0];
  if constexpr (Lv == Level::L3) {
    s.phi += u[1];
    s.theta += u[2];
  } else {
    const double a = 0.5 * u[1], b = 0.5 * u[2], e0 = s.e0, ex = s.ex, ey = s.ey, ez = s.ez;
    s.e0 = e0 - a * ex - b * ey;
    s.ex = ex + a * e0 - b * ez;
    s.ey = ey + b * e0 + a * ez;
    s.ez = ez + b * ex - a * ey;
    keep_unit(s);
  }
  for (std::size_t i = 0; i < 4; ++i) s.travel[i] += u[3 + i];
}

// Forces that are left of a standing car: along the normal, about both axes of the road, along each travel. Friction holds it in the plane.
// `soft` [m]: over which a tire leaves the road while the search is on; kPulls: it never does, it pulls.
inline constexpr double kPulls = -1;
template <Level Lv> void rest_forces(const Model<double, Lv>& m, const State<double, Lv>& s, double soft, double r[7]) {
  const auto frame = frame_of(m, s);
  const Stage<double, Lv> g = make_stage(m, Inputs<double>{0, 0, 0, 0, 1}, 0.0);
  Corner<double> k[4];
  const Vec3<double> gr = gravity_of(m, frame);
  Vec3<double> F = m.p.m * gr, M{0, 0, 0}, n{0, 0, 0};
  double Fz[4], total = 1e-9;
  for (int i = 0; i < 4; ++i) {
    corner_of(m, s, g, frame, i, k[i]);
    Fz[i] = m.p.corner[i].strut.kt *
            (soft == kPulls ? k[i].in : 0.5 * (k[i].in + std::sqrt(k[i].in * k[i].in + soft * soft)));
    F = F + Fz[i] * k[i].n;
    n = n + 0.25 * k[i].n;
    total += Fz[i];
  }
  const std::array<double, 4> none{};
  const Masses<double> at = masses_of(m.p, Lv == Level::L5 ? s.travel : none);
  if constexpr (Lv == Level::L5) M = cross(at.first, gr);
  const Vec3<double> slide = F - (dot(F, n) / dot(n, n)) * n;
  for (int i = 0; i < 4; ++i) r[3 + i] = 0;
  if constexpr (Lv == Level::L3)
    for (int i = 0; i < 4; ++i) {
      const WheelWeight<double> l =
          wheel_weight(m.p.corner[i], gr, s.phi, s.theta, s.travel[std::size_t(i)], s.travel[std::size_t(i ^ 1)]);
      M = M + Vec3<double>{l.Mx, l.My, 0};
      r[3 + i] += l.own;
      r[3 + (i ^ 1)] += l.other;
    }
  for (int i = 0; i < 4; ++i) {
    const Vec3<double> f = Fz[i] * k[i].n - (Fz[i] / total) * slide;
    const CornerParams<double>& c = m.p.corner[i];
    M = M + cross(k[i].at, f);
    const double S = strut_force(c.strut, s.travel[std::size_t(i)], 0.0, s.travel[std::size_t(i ^ 1)]).S;
    r[3 + i] += dot(k[i].own, f) + c.mass * dot(at.hub[i].own, gr) - S;
    r[3 + (i ^ 1)] += (Lv == Level::L5 ? dot(k[i].other, f) : 0) + c.mass * dot(at.hub[i].other, gr);
  }
  r[0] = dot(F, n);
  r[1] = M.x;
  r[2] = M.y;
}

// Gaussian elimination with pivoting, 7 unknowns.
inline void solve7(double a[7][8]) {
  for (int j = 0; j < 7; ++j) {
    int best = j;
    for (int i = j + 1; i < 7; ++i)
      if (std::fabs(a[i][j]) > std::fabs(a[best][j])) best = i;
    for (int k = 0; k < 8; ++k) std::swap(a[j][k], a[best][k]);
    for (int i = 0; i < 7; ++i) {
      if (i == j) continue;
      const double f = a[i][j] / a[j][j];
      for (int k = j; k < 8; ++k) a[i][k] -= f * a[j][k];
    }
  }
  for (int j = 0; j < 7; ++j) a[j][7] /= a[j][j];
}

// Largest of what is left, over the weight (moments: times 1 m).
inline double largest(const double r[7], double weight) {
  double most = 0;
  for (int i = 0; i < 7; ++i) most = std::fabs(r[i]) <= most ? most : std::fabs(r[i]);
  return most / weight;
}
// Of a car that was placed; a place with more than kRestLeft is no balance.
inline constexpr double kRestLeft = 1e-6;
template <Level Lv> double rest_left(const Model<double, Lv>& m, const State<double, Lv>& s) {
  double r[7];
  rest_forces(m, s, 0.0, r);
  return largest(r, m.p.m * kGravity);
}

// One step of Newton's method, by differences.
template <Level Lv>
void rest_step(const Model<double, Lv>& m, const State<double, Lv>& s, double soft, const double r[7], double u[7]) {
  double a[7][8];
  for (int j = 0; j < 7; ++j) {
    double small[7] = {}, moved[7];
    small[j] = 1e-6;
    State<double, Lv> t = s;
    shift_pose(small, t);
    rest_forces(m, t, soft, moved);
    for (int i = 0; i < 7; ++i) a[i][j] = (moved[i] - r[i]) * 1e6;
  }
  for (int i = 0; i < 7; ++i) a[i][7] = -r[i];
  solve7(a);
  for (int i = 0; i < 7; ++i) u[i] = a[i][7];
}

// Newton's method, steps within 5 cm and 0.05 rad; one that does not help is halved. False where none does.
template <Level Lv> bool settle(const Model<double, Lv>& m, double soft, State<double, Lv>& s) {
  const double weight = m.p.m * kGravity;
  double r[7];
  for (int round = 0; round < 60; ++round) {
    double u[7], part[7], left[7], size = 0;
    rest_forces(m, s, soft, r);
    rest_step(m, s, soft, r, u);
    for (const double x : u) size = std::fmax(size, std::fabs(x));
    if (!(size < 1e3)) return false;  // nothing to stand on
    double k = size > 0.05 ? 0.05 / size : 1;
    const double least = 1e-4 * k;
    State<double, Lv> t;
    do {
      if (k < least) return false;
      for (int i = 0; i < 7; ++i) part[i] = k * u[i];
      t = s;
      shift_pose(part, t);
      rest_forces(m, t, soft, left);
      k *= 0.5;
    } while (size > 1e-9 && !(largest(left, weight) < largest(r, weight)));  // below that rounding decides
    s = t;
    if (size < 1e-13) return true;
  }
  return largest(r, weight) < 1e-9;
}
// First with tires that pull; where one would, they leave the road, ever more sharply.
template <Level Lv> bool stand(const Model<double, Lv>& m, State<double, Lv>& s) {
  settle(m, kPulls, s);
  if (rest_left(m, s) < 1e-9) return true;
  for (double soft = 0.1; soft > 1e-7; soft *= 0.3)
    if (!settle(m, soft, s)) return false;
  return settle(m, 0.0, s);
}

// [T08.13]  The plane through the road under the four wheels: height under the CG, slope along the car and to its left.
struct Stance {
  double z, along, left;
};
template <Level Lv> Stance stance_at(const Model<double, Lv>& m, double x, double y, double yaw) {
  double c, s, z[4];
  sincos(yaw, s, c);
  for (int i = 0; i < 4; ++i) {
    const CornerParams<double>& q = m.p.corner[i];
    z[i] = road_height_patch(m.kind.road, m.data, m.p.road, x + c * q.hub.x - s * q.hub.y,
                             y + s * q.hub.x + c * q.hub.y, c, s, q.half_length, q.half_width)
               .z;
  }
  const auto* q = m.p.corner;
  const double front = 0.5 * (z[0] + z[1]), rear = 0.5 * (z[2] + z[3]), L = q[0].hub.x - q[2].hub.x;
  return {(q[0].hub.x * rear - q[2].hub.x * front) / L, (front - rear) / L,
          0.5 * ((z[0] - z[1]) / (q[0].hub.y - q[1].hub.y) + (z[2] - z[3]) / (q[2].hub.y - q[3].hub.y))};
}

// Upright on a plane through (x0, y0), heading yaw0.
template <Level Lv> State<double, Lv> put_on(const Model<double, Lv>& m, double x0, double y0, double yaw0, double lift,
                                             const Stance& plane) {
  State<double, Lv> s{};
  s.x = x0;
  s.y = y0;
  if constexpr (Lv == Level::L3) {
    s.psi = yaw0;
    s.z = plane.z + lift;
    s.phi = plane.left;
    s.theta = -plane.along;
  } else {
    double c, sn;
    sincos(0.5 * yaw0, sn, c);
    s.e0 = c;
    s.ez = sn;
    s.z = plane.z + m.p.h + lift;
    const double tilt[7] = {0, std::atan(plane.left), -std::atan(plane.along), 0, 0, 0, 0};
    if (plane.left != 0 || plane.along != 0) shift_pose(tilt, s);
  }
  return s;
}

// Waves and spectrum grow from nothing to what they are, and the car with them.
template <Level Lv>
void rise_with_road(const Model<double, Lv>& m, double x0, double y0, double yaw0, State<double, Lv>& s) {
  Model<double, Lv> part = m;
  RoughTable table{};
  if (m.data.rough) table = *m.data.rough, part.data.rough = &table;
  const auto scale = [&](double share) {
    part.p.road.wave_amp = share * m.p.road.wave_amp;
    if (!m.data.rough) return;
    for (int j = 0; j < table.octaves; ++j)
      for (int k = 0; k < kRoughFamilies; ++k)
        table.a[j][k] = share * m.data.rough->a[j][k], table.b[j][k] = share * m.data.rough->b[j][k];
  };
  scale(0);
  s = put_on(part, x0, y0, yaw0, 0, stance_at(part, x0, y0, yaw0));
  double share = 0, by = 0.125;
  while (share < 1 && by > 1e-3) {
    State<double, Lv> t = s;
    scale(std::fmin(1.0, share + by));
    if (stand(part, t))
      s = t, share += by, by *= 1.5;
    else
      by *= 0.5;
  }
}

// At rest on the road at (x0, y0), heading yaw0; or z0 > 0: that much higher, level, the struts as at rest.
// rest_left() says whether there is a balance.
template <Level Lv>
requires(kSprung<Lv>) void place(const Model<double, Lv>& m, double x0, double y0, double yaw0, double z0,
                                 State<double, Lv>& s) {
  RoadHeight<double> h{0, 0, 0};
  if (!m.kind.road.flat) h = road_height(m.kind.road, m.data, m.p.road, x0, y0);
  const Stance level{h.z, 0, 0};
  s = put_on(m, x0, y0, yaw0, z0, level);
  if (z0 > 0) return;
  if (m.kind.road.flat) {
    settle(m, kPulls, s);
    return;
  }
  s = put_on(m, x0, y0, yaw0, 0, stance_at(m, x0, y0, yaw0));
  if (stand(m, s)) return;
  rise_with_road(m, x0, y0, yaw0, s);
}

// A car that moves off at v along the road under its wheels.
template <Level Lv>
requires(kSprung<Lv>) void move_off(const Model<double, Lv>& m, double yaw0, double v, State<double, Lv>& s) {
  s.vx = v;
  if (m.kind.road.flat || v == 0) return;
  const Stance at = stance_at(m, s.x, s.y, yaw0);
  if constexpr (Lv == Level::L3) {
    s.vz = at.along * v;
  } else {
    double c, sn;
    sincos(yaw0, sn, c);
    const double k = v / std::sqrt(1 + at.along * at.along);
    const Vec3<double> u = to_body(frame_of(m, s), Vec3<double>{k * c, k * sn, k * at.along});
    s.vx = u.x, s.vy = u.y, s.vz = u.z;
  }
}

}  // namespace vdsim
