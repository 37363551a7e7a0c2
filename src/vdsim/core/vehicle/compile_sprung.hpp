// SPDX-License-Identifier: Apache-2.0
// What a car on springs needs besides: masses, struts, and its place at rest on the road. docs/theory/08_fourteen_dof.md.
#pragma once
#include "vdsim/core/vehicle/body_states.hpp"
#include "vdsim/core/vehicle/spec.hpp"

namespace vdsim {

inline const TireSpec& tire_of(const VehicleSpec& s, int corner) {
  return corner == 0 ? s.tire_fl : corner == 1 ? s.tire_fr : corner == 2 ? s.tire_rl : s.tire_rr;
}
inline double radius_of(const VehicleSpec& s, int corner) {
  const TireSpec& t = tire_of(s, corner);
  if (t.schema == TireSchema::rally_v1) return t.rally.radius;
  if (t.schema == TireSchema::lugre_patch_v1) return t.patch.radius;
  if (t.backend == TireBackend::magic_formula) return t.tir.dimension.UNLOADED_RADIUS;
  return t.radius > 0 ? t.radius : s.chassis.wheel_radius_nominal;
}

inline double vertical_stiffness_of(const TireSpec& t) {
  if (t.schema == TireSchema::rally_v1) return rally_vertical_stiffness(t.rally);
  if (t.schema == TireSchema::pacejka_mf96_v1 && t.backend == TireBackend::magic_formula)
    return t.tir.vertical.VERTICAL_STIFFNESS;
  return t.tire_vertical_stiffness;
}

inline StrutParams<double> compile_strut(const ChassisSpec& c, int i, double kt, double load) {
  const double T = i < 2 ? c.track_front : c.track_rear, bar = i < 2 ? c.arb_front : c.arb_rear;
  const double d = c.damper_coefficient[std::size_t(i)], mu = c.unsprung_mass[std::size_t(i)];
  StrutParams<double> p{};
  p.preload = load - mu * kGravity;
  p.k = c.spring_stiffness[std::size_t(i)];
  p.c_mean = 0.5 * d * (1 + c.damper_rebound_ratio);
  p.c_half = 0.5 * d * (1 - c.damper_rebound_ratio);
  p.bump = c.bump_travel;
  p.droop = c.droop_travel;
  p.stop = c.bump_stop_stiffness;
  p.bar = bar / (T * T);
  p.kt = kt;
  p.ct = 2 * kTireDamping * std::sqrt(kt * mu);
  return p;
}

// Path of the contact point per travel: roll centres [T08.10], anti-dive and anti-squat [T08.11].
inline void compile_paths(const VehicleSpec& s, int i, CornerParams<double>& q) {
  const ChassisSpec& c = s.chassis;
  const double side = i % 2 == 0 ? 1 : -1, half = 0.5 * (i < 2 ? c.track_front : c.track_rear);
  const double share = i < 2 ? s.brake.brake_bias_front : 1 - front_drive_share(s.drivetrain);
  const double anti = i < 2 ? c.anti_dive_front : -c.anti_squat_rear;
  const double along = share > 0 ? anti * c.cg_height / (c.wheelbase * share) : 0;
  const double rc = i < 2 ? c.roll_center_front : c.roll_center_rear;
  q.path = {along, side * rc / half, 1};
}

template <Level Lv>
requires(kSprung<Lv>) void compile_sprung(const VehicleSpec& s, Model<double, Lv>& m) {
  const ChassisSpec& c = s.chassis;
  SprungParams<double>& p = m.p;
  p.h = c.cg_height;
  p.ms = c.mass;
  double first[2] = {0, 0}, yaw = 0;  // moments of the unsprung masses: along, up; about the vertical
  for (int i = 0; i < 4; ++i) {
    CornerParams<double>& q = p.corner[i];
    const double share = i < 2 ? c.cg_to_rear : c.cg_to_front, load = 0.5 * c.mass * kGravity * share / c.wheelbase;
    const double kt = vertical_stiffness_of(tire_of(s, i)), T = i < 2 ? c.track_front : c.track_rear;
    q.R0 = radius_of(s, i);
    q.mass = c.unsprung_mass[std::size_t(i)];
    q.inv_mass = 1 / q.mass;
    q.in_rest = load / kt;
    q.hub = {m.p.wheel[i].x, m.p.wheel[i].y, q.R0 - q.in_rest - c.cg_height};
    q.crown = std::fmin(tire_of(s, i).schema == TireSchema::pacejka_mf96_v1 ? tire_of(s, i).crown_radius : 0, q.R0);
    // [T08.4] what keeps the wheels of an axle from leaning with the body acts on the difference of their travels
    q.arm = q.R0 - q.in_rest;
    q.tilt_other = (i % 2 == 0 ? -1 : 1) * (1 - c.camber_per_roll) / T;
    q.tilt = -q.tilt_other - (i % 2 == 0 ? 1 : -1) * c.camber_per_travel;
    q.half_length = std::sqrt(q.R0 * q.in_rest);
    q.half_width = 0.08;
    q.strut = compile_strut(c, i, kt, load);
    compile_paths(s, i, q);
    p.ms -= q.mass;
    first[0] += q.mass * q.hub.x;
    first[1] += q.mass * q.hub.z;
    yaw += q.mass * (q.hub.x * q.hub.x + q.hub.y * q.hub.y);
  }
  p.cs = {-first[0] / p.ms, 0, -first[1] / p.ms};
  p.Js = {c.inertia_diag[0], c.inertia_diag[1], c.inertia_diag[2] - yaw - p.ms * p.cs.x * p.cs.x};
  const std::array<double, 4> rest{};
  p.rest = body_mass(p, c.mass, masses_of(p, rest), Inertia<double>{0, 0, 0, 0, 0, 0});
}

// --- the place at rest  [T08.12]

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
template <Level Lv> void rest_forces(const Model<double, Lv>& m, const State<double, Lv>& s, double r[7]) {
  const auto frame = frame_of(m, s);
  const Stage<double, Lv> g = make_stage(m, Inputs<double>{0, 0, 0, 0, 1}, 0.0);
  Corner<double> k[4];
  const Vec3<double> gr = gravity_of(m, frame);
  Vec3<double> F = m.p.m * gr, M{0, 0, 0}, n{0, 0, 0};
  double Fz[4], total = 1e-9;
  for (int i = 0; i < 4; ++i) {
    corner_of(m, s, g, frame, i, k[i]);
    Fz[i] = m.p.corner[i].strut.kt * k[i].in;  // may pull while the search is on
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

// Newton's method with differences; steps are kept within 5 cm and 0.05 rad.
template <Level Lv> void settle(const Model<double, Lv>& m, State<double, Lv>& s) {
  for (int round = 0; round < 60; ++round) {
    double r[7], a[7][8], size = 0;
    rest_forces(m, s, r);
    for (int j = 0; j < 7; ++j) {
      double u[7] = {}, moved[7];
      u[j] = 1e-6;
      State<double, Lv> t = s;
      shift_pose(u, t);
      rest_forces(m, t, moved);
      for (int i = 0; i < 7; ++i) a[i][j] = (moved[i] - r[i]) * 1e6;
    }
    for (int i = 0; i < 7; ++i) a[i][7] = -r[i];
    solve7(a);
    double u[7];
    for (int i = 0; i < 7; ++i) u[i] = a[i][7], size = std::fmax(size, std::fabs(u[i]));
    if (!(size < 1e3)) return;  // nothing to stand on
    const double k = size > 0.05 ? 0.05 / size : 1;
    for (double& x : u) x *= k;
    shift_pose(u, s);
    if (size < 1e-13) return;
  }
}

// At rest on the road at (x0, y0), heading yaw0; or z0 > 0: that much higher, level, the struts as at rest.
template <Level Lv>
requires(kSprung<Lv>) void place(const Model<double, Lv>& m, double x0, double y0, double yaw0, double z0,
                                 State<double, Lv>& s) {
  s.x = x0;
  s.y = y0;
  RoadHeight<double> h{0, 0, 0};
  if (!m.kind.road.flat) h = road_height(m.kind.road, m.data, m.p.road, x0, y0);
  if constexpr (Lv == Level::L3) {
    s.psi = yaw0;
    s.z = h.z + z0;
    if (z0 > 0) return;
  } else {
    double c, sn;
    sincos(0.5 * yaw0, sn, c);
    s.e0 = c;
    s.ez = sn;
    s.z = h.z + m.p.h + z0;
    if (z0 > 0) return;
    double cy, sy;
    sincos(yaw0, sy, cy);
    const double tilt[7] = {0, std::atan(h.zy * cy - h.zx * sy), -std::atan(h.zx * cy + h.zy * sy), 0, 0, 0, 0};
    shift_pose(tilt, s);
  }
  settle(m, s);
}

}  // namespace vdsim
