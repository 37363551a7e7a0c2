// Yaw control: the yaw rate of the car the driver expects, and single brakes that bring it back.
// docs/theory/14_brakes_and_control.md.
#pragma once
#include "vdsim/brake/abs.hpp"

namespace vdsim {

template <class R> struct YawParams {
  R L, K;                         // wheelbase [m], understeer gradient [rad s^2/m]
  R max_lateral, lateral_margin;  // [m/s^2]
  R lag, min_speed;               // [s], [m/s]
  R oversteer, understeer;        // allowed errors of the yaw rate [rad/s]
  R gain, most, throttle_gain;    // [s/rad], share of the full brake torque, [s/rad]
};

// [T14.7]  r_ref = v d/(L + K v^2), at most min(a_max, |a_y| + margin)/v: no road gives more than that.
template <class R> VD_FN R yaw_reference(const YawParams<R>& p, R v, R steer, R ay) {
  const R linear = v * steer / (p.L + p.K * v * v);
  const R most = min(p.max_lateral, abs(ay) + p.lateral_margin) / max(v, R(1.0));
  return clamp(linear, -most, most);
}

// Share of the brake of each wheel, and the throttle left.
template <class R> struct YawAction { R brake[4], throttle; };

// [T14.9]  Too much yaw: outer front brake; too little: inner rear. Share k (error - allowed), throttle 1 -
// k_u (error - allowed).
// Left turn: r > 0, right is outside.
template <class R> VD_FN YawAction<R> yaw_action(const YawParams<R>& p, R r_ref, R r) {
  const R zero = R(0.0), one = R(1.0);
  const R turn = select(abs(r) > abs(r_ref), sign(r), sign(r_ref)), error = turn * (r - r_ref);
  const R over = max(error - p.oversteer, zero), under = max(-error - p.understeer, zero);
  const R front = clamp(p.gain * over, zero, p.most), rear = clamp(p.gain * under, zero, p.most);
  const mask_t<R> left = turn > zero;
  YawAction<R> a;
  a.brake[0] = select(left, zero, front);
  a.brake[1] = select(left, front, zero);
  a.brake[2] = select(left, rear, zero);
  a.brake[3] = select(left, zero, rear);
  a.throttle = clamp(one - p.throttle_gain * (over + under), zero, one);
  return a;
}

inline YawParams<double> compile_yaw(const ControlSpec& s, double wheelbase) {
  const YawReferenceSpec& r = s.reference;
  const EscSpec& e = s.esc;
  return {wheelbase,   r.understeer_gradient, r.max_lateral, r.lateral_margin, r.lag,          r.min_speed,
          e.oversteer, e.understeer,          e.brake_gain,  e.max_brake,      e.throttle_gain};
}

}  // namespace vdsim
