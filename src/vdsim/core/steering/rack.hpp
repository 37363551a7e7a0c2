// SPDX-License-Identifier: Apache-2.0
// A steering rack with its own dynamics: torsion bar with power assist, dry friction that sticks, tires that push back.
// docs/theory/15_steering_and_actuators.md.
// Signs: rack position, road-wheel angle and torques are positive where they turn the wheels to the left.
#pragma once
#include "vdsim/core/steering/rack_spec.hpp"
#include "vdsim/core/tire/params.hpp"

namespace vdsim {

inline constexpr double kRackStop = 2e6;  // [N/m] stiffness of the end stops
inline constexpr double kElasticShare =
    0.75;  // of the static friction: below it the bristle is a spring, nothing slides

template <class R> struct RackParams {
  R inv_mass, mass;            // [1/kg], [kg]
  R damping;                   // of the rack [N s/m]
  R K, D;                      // torsion bar with assist, seen at the rack [N/m], [N s/m]
  R bar;                       // torsion bar torque / its force at the rack, without assist [m]
  R per_rad, inv_per_rad;      // rack travel per road-wheel angle [m/rad] and 1/that
  R caster_trail;              // [m]
  R travel;                    // where the end stops begin [m]
  R slide, more;               // sliding friction; what the static one has more [N]
  R inv_v_st;                  // 1/Stribeck speed [s/m]
  R sigma0, sigma1, sigma2;    // bristle [N/m], [N s/m], [N s/m]
  R inv_sigma0, inv_4_sigma0;  // [m/N]
};

template <class R> struct RackState {
  R x;  // rack position [m]
  R v;  // rack speed [m/s]
  R z;  // deflection of the friction bristle [m], sign of the speed that makes it

  static constexpr auto fields() {
    using S = RackState;
    return std::tuple{field("x", &S::x, "m", any_finite(), "rack position, positive left"),
                      field("v", &S::v, "m/s", any_finite(), "rack speed"),
                      field("z", &S::z, "m", any_finite(), "friction bristle")};
  }
};
VD_COMPLETE(RackState<double>);

// Rates, and what a recorder or the energy balance reads.
template <class R> struct RackRates {
  R dx, dv;     // [m/s], [m/s^2]
  Affine<R> z;  // z' = v - L z
  R L_v;        // -d(dv)/dv >= 0 [1/s]: an integrator may take v as affine, v' = (dv + L_v v) - L_v v
  R T;          // of the tires, as given [N m]
  R torque;  // of the torsion bar at the pinion [N m]: what the driver feels, times the ratio of pinion to hand wheel
  R hand;    // power of driver and assist into the steering [W]
  R loss;    // power that dampers and friction take, >= 0 [W]
};

// [T15.1]  Torque about the steering axis of one wheel; a contact point behind the axis turns the wheel back.
template <class R> VD_FN R steering_axis_torque(const RackParams<R>& p, R Mz, R Fy) { return Mz - p.caster_trail * Fy; }

template <class R> VD_FN R road_wheel_angle(const RackParams<R>& p, const RackState<R>& s) {
  return s.x * p.inv_per_rad;
}
template <class R> VD_FN R road_wheel_rate(const RackParams<R>& p, const RackState<R>& s) {
  return s.v * p.inv_per_rad;
}

// Column friction F = sigma0 z + s1 (v - L z) + sigma2 v at one bristle state.
template <class R> struct ColumnFriction {
  R L;   // leak of the bristle [1/s]
  R s1;  // damping in effect [N s/m]
};
// [T15.3]  g = slide + more exp(-(v/v_st)^2),  L = a(z) sigma0 |v|/g.  a = 0 up to kElasticShare of the deflection at
// which it slides, and on the way back: there the bristle is a spring and holds for ever; a = 1 where it slides.
// [T15.4]  s1 = sigma1/(1 + sigma1 L/(4 sigma0)): then friction takes energy in every state.
template <class R> VD_FN ColumnFriction<R> column_friction(const RackParams<R>& p, R v, R z) {
  const R g = p.slide + p.more * gauss(v * p.inv_v_st);
  const R pull = p.sigma0 * abs(z) / max(g, R(kTiny));  // 1: slides
  const R q = clamp((pull - R(kElasticShare)) * R(1.0 / (1.0 - kElasticShare)), R(0.0), R(1.0));
  const R a = select(z * v > R(0.0), q * q * (R(3.0) - R(2.0) * q), R(0.0));
  ColumnFriction<R> o;
  o.L = a * p.sigma0 * abs(v) / max(g, R(kTiny));
  o.s1 = p.sigma1 / (R(1.0) + p.sigma1 * o.L * p.inv_4_sigma0);
  return o;
}
// Force of the end stops.
template <class R> VD_FN R rack_stop(const RackParams<R>& p, R x) {
  return -R(kRackStop) * (x - clamp(x, -p.travel, p.travel));
}

// [T15.2]  m v' = K e + D e' - d v - F_f + F_stop + T/i,  e = i hand - x
// hand: commanded single-track road-wheel angle [rad] and its rate; T: of the tires about the steering axes, all
// wheels [N m].
template <class R>
VD_NOINLINE RackRates<R> rack_rates(const RackParams<R>& p, const RackState<R>& s, R hand, R hand_rate, R T) {
  const ColumnFriction<R> f = column_friction(p, s.v, s.z);
  const R e = p.per_rad * hand - s.x, in = p.per_rad * hand_rate, de = in - s.v;
  const R column = p.K * e + p.D * de, dz = s.v - f.L * s.z;
  const R friction = p.sigma0 * s.z + f.s1 * dz + p.sigma2 * s.v;
  RackRates<R> r;
  r.T = T;
  r.dx = s.v;
  r.dv = (column - p.damping * s.v - friction + rack_stop(p, s.x) + T * p.inv_per_rad) * p.inv_mass;
  r.z = {f.L, select(p.sigma0 > R(0.0), s.v, R(0.0))};  // no friction, no bristle
  r.L_v = (p.D + p.damping + f.s1 + p.sigma2) * p.inv_mass;
  r.torque = column * p.bar;
  r.hand = column * in;
  r.loss = p.D * de * de + p.damping * s.v * s.v + friction * s.v - p.sigma0 * s.z * dz;
  return r;
}

// [T15.5]  Kinetic energy, torsion bar with assist, bristle, end stops: E' = hand + T v/i - loss.
template <class R> VD_NOINLINE R rack_energy(const RackParams<R>& p, const RackState<R>& s, R hand) {
  const R e = p.per_rad * hand - s.x, over = s.x - clamp(s.x, -p.travel, p.travel);
  return R(0.5) * (p.mass * s.v * s.v + p.K * e * e + p.sigma0 * s.z * s.z + R(kRackStop) * over * over);
}

// [T15.6]  Backward Euler over h, for integrators whose step is longer than the rack is fast: x1 = x + h v1,
// z1 = (z + h v1)/(1 + h L), and the balance of T15.2 at the end of the step, linear in v1. The leak is taken at the
// v1, z1 of a first pass.  hand, hand_rate: at the end of the step.
template <class R>
VD_NOINLINE RackState<R> rack_implicit(const RackParams<R>& p, const RackState<R>& s, R hand, R hand_rate, R T, R h) {
  const R zero = R(0.0), one = R(1.0), stop = select(abs(s.x) > p.travel, R(kRackStop), zero);
  const R known = p.K * (p.per_rad * hand - s.x) + p.D * p.per_rad * hand_rate + rack_stop(p, s.x) + T * p.inv_per_rad;
  const R lin = h * (p.K + stop) + p.D + p.damping + p.sigma2;
  RackState<R> n = s;
  for (int pass = 0; pass < 2; ++pass) {
    const ColumnFriction<R> f = column_friction(p, n.v, n.z);
    const R keep = one / (one + h * f.L), k = p.sigma0 - f.s1 * f.L;  // F_f = k z1 + (s1 + sigma2) v1
    n.v = (p.mass * s.v + h * (known - k * keep * s.z)) / (p.mass + h * (lin + f.s1 + k * keep * h));
    n.z = (s.z + h * n.v) * keep;
  }
  const R most = (p.slide + p.more) * p.inv_sigma0;
  n.x = s.x + h * n.v;
  n.z = clamp(n.z, -most, most);
  return n;
}

// max_steer: limit of the road-wheel angle [rad], where the end stops begin.
inline RackParams<double> compile_rack(const RackSpec& s, double max_steer) {
  const ColumnFrictionSpec& f = s.column_friction;
  const double r = s.pinion_radius, gain = (1 + s.assist_gain) / (r * r);
  RackParams<double> p{};
  p.mass = s.rack_mass;
  p.inv_mass = 1 / s.rack_mass;
  p.damping = s.rack_damping;
  p.K = gain * s.column_stiffness;
  p.D = s.column_stiffness > 0 ? gain * s.column_damping : 0;  // hands off: nothing to damp against
  p.bar = r / (1 + s.assist_gain);
  p.per_rad = s.rack_per_rad;
  p.inv_per_rad = 1 / s.rack_per_rad;
  p.caster_trail = s.caster_trail;
  p.travel = s.rack_per_rad * max_steer;
  p.slide = f.friction;
  p.more = f.friction * (f.static_ratio - 1);
  p.inv_v_st = 1 / f.v_stribeck;
  // without friction there is no bristle: its spring would remain
  p.sigma0 = f.friction > 0 ? f.sigma0 : 0;
  p.sigma1 = f.friction > 0 ? f.sigma1 : 0;
  p.sigma2 = f.sigma2;
  p.inv_sigma0 = 1 / f.sigma0;
  p.inv_4_sigma0 = 0.25 / f.sigma0;
  return p;
}

// The rack stands where the command is.
template <class R> VD_FN RackState<R> start_rack(const RackParams<R>& p, R hand) {
  return {p.per_rad * hand, R(0.0), R(0.0)};
}

}  // namespace vdsim
