// SPDX-License-Identifier: Apache-2.0
// What a car on springs needs besides: masses and struts. Its place at rest: rest.hpp. docs/theory/08_fourteen_dof.md.
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

inline double crown_of(const TireSpec& t, double radius) {
  return std::fmin(t.schema == TireSchema::pacejka_mf96_v1 ? t.crown_radius : 0, radius);
}
// Spring and damper of a tire below `mass` [kg].
inline void compile_tire_spring(double kt, double mass, StrutParams<double>& p) {
  p.kt = kt;
  p.ct = 2 * kTireDamping * std::sqrt(kt * mass);
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
  compile_tire_spring(kt, mu, p);
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
    q.crown = crown_of(tire_of(s, i), q.R0);
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

}  // namespace vdsim
