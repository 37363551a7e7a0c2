// SPDX-License-Identifier: Apache-2.0
// Combustion engine: torque map, drag, idle controller, limiter. docs/theory/13_powertrain.md.
#pragma once
#include "vdsim/core/driveline/powertrain_spec.hpp"
#include "vdsim/core/math/real.hpp"

namespace vdsim {

inline constexpr double kRpm = 0.10471975511965978;  // 2 pi / 60 [rad/s per rpm]

template <class R> struct EngineParams {
  R idle, redline;                          // [rad/s]
  R inertia;                                // [kg m^2]
  R drag, drag_slope;                       // [N m], [N m s/rad]
  R idle_torque, idle_gain;                 // [N m], [N m s/rad]
  R speed[kMaxEngineSpeeds];                // breaks of the map [rad/s]
  R throttle[kMaxThrottles];                // [-]
  R map[kMaxEngineSpeeds * kMaxThrottles];  // row per throttle, `speeds` numbers each [N m]
};
struct EngineKind {
  int speeds, throttles;  // breaks in use, at least 2 each
  bool operator==(const EngineKind&) const = default;
};

// A torque and its slope over speed.
template <class R> struct TorqueAt {
  R T;   // [N m]
  R dT;  // [N m s/rad]
};
template <class R> struct MapPoint {
  R T, over_w, over_u;  // torque [N m], its slopes over speed [N m s/rad] and throttle [N m]
};

template <class S> struct Cell {
  int i;       // between breaks i and i + 1
  S at, rate;  // position in it, 0..1, and its slope; 0 outside the breaks
};
template <class R> VD_FN Cell<scalar_t<R>> find_cell(const R* breaks, int count, int l, scalar_t<R> x) {
  using S = scalar_t<R>;
  int i = 0;
  while (i + 2 < count && x >= lane(breaks[i + 1], l)) ++i;
  const S inv = S(1) / (lane(breaks[i + 1], l) - lane(breaks[i], l)), at = (x - lane(breaks[i], l)) * inv;
  const bool inside = at >= S(0) && at <= S(1);
  return {i, clamp(at, S(0), S(1)), inside ? inv : S(0)};
}

// [T13.1]  bilinear between the breaks, held outside
template <class R> VD_FN MapPoint<R> engine_map(const EngineKind& kind, const EngineParams<R>& p, R w, R u) {
  using S = scalar_t<R>;
  MapPoint<R> o{};
  for (int l = 0; l < lanes<R>; ++l) {
    const Cell<S> x = find_cell(p.speed, kind.speeds, l, lane(w, l)),
                  y = find_cell(p.throttle, kind.throttles, l, lane(u, l));
    const R* row = p.map + y.i * kind.speeds + x.i;
    const S a = lane(row[0], l), b = lane(row[1], l), c = lane(row[kind.speeds], l), d = lane(row[kind.speeds + 1], l);
    const S low = a + x.at * (b - a), high = c + x.at * (d - c);
    set_lane(o.T, l, low + y.at * (high - low));
    set_lane(o.over_w, l, x.rate * ((b - a) + y.at * ((d - c) - (b - a))));
    set_lane(o.over_u, l, y.rate * (high - low));
  }
  return o;
}

// C1 step from 0 to 1 on [0, 1], and its slope.
template <class R> VD_FN TorqueAt<R> ease(R q) {
  const R x = clamp(q, R(0.0), R(1.0));
  return {x * x * (R(3.0) - R(2.0) * x), R(6.0) * x * (R(1.0) - x)};
}

// [T13.2]  T = max(map(f u, w) - (1 - f u) drag(w), idle(w)): the limiter f closes the throttle, the idle controller
// k (w_idle - w) <= T_idle takes over where it asks for more torque. w_idle is an equilibrium of the unloaded engine.
template <class R> VD_FN TorqueAt<R> engine_torque(const EngineKind& kind, const EngineParams<R>& p, R w, R u) {
  const R zero = R(0.0), one = R(1.0), inv = R(1.0 / 0.03) / p.redline;
  const TorqueAt<R> cut = ease((w - p.redline) * inv);
  const R open = clamp(u, zero, one), f = open * (one - cut.T), df = -open * cut.dT * inv;
  const MapPoint<R> m = engine_map(kind, p, w, f);
  // drag vanishes towards standstill
  const R turn = w * R(2.0) / p.idle, ramp = clamp(turn, zero, one), line = p.drag + p.drag_slope * w;
  const R slope = ramp * p.drag_slope + select((turn > zero) & (turn < one), line * R(2.0) / p.idle, zero);
  const R drag = line * ramp, base = m.T - (one - f) * drag;
  const R dbase = m.over_w + m.over_u * df + df * drag - (one - f) * slope;
  const R wish = p.idle_gain * (p.idle - w), idle = min(wish, p.idle_torque);
  const R didle = select(wish < p.idle_torque, -p.idle_gain, zero);
  return {max(base, idle), select(base >= idle, dbase, didle)};
}

inline EngineKind engine_kind(const EngineSpec& s) { return {s.rpm_breaks.count, s.throttle_breaks.count}; }
inline EngineParams<double> compile_engine(const EngineSpec& s) {
  EngineParams<double> p{};
  p.idle = s.idle_rpm * kRpm;
  p.redline = s.redline_rpm * kRpm;
  p.inertia = s.inertia;
  p.drag = s.drag_torque;
  p.drag_slope = s.drag_slope / (1000 * kRpm);
  p.idle_torque = s.idle_torque;
  p.idle_gain = s.idle_torque / (0.3 * p.idle);  // all of it 30 % below idle
  for (int i = 0; i < s.rpm_breaks.count; ++i) p.speed[i] = s.rpm_breaks.v[i] * kRpm;
  for (int i = 0; i < s.throttle_breaks.count; ++i) p.throttle[i] = s.throttle_breaks.v[i];
  for (int i = 0; i < s.torque_map.count; ++i) p.map[i] = s.torque_map.v[i];
  return p;
}

}  // namespace vdsim
