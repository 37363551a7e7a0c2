// SPDX-License-Identifier: Apache-2.0
// Yaw control: the yaw rate of the car the driver expects, and single brakes that bring it back.
// docs/theory/14_brakes_and_control.md.
#pragma once
#include "vdsim/core/brake/abs.hpp"

namespace vdsim {

inline constexpr double kLeastGrip = 1;     // ice has that much [m/s^2]
inline constexpr double kGripRecovery = 1;  // how fast a car that no longer slides is trusted again [m/s^3]

template <class R> struct YawParams {
  R L, K;                         // wheelbase [m], understeer gradient [rad s^2/m]
  R max_lateral, lateral_margin;  // [m/s^2]
  R lag, min_speed;               // [s], [m/s]
  R oversteer, understeer;        // allowed errors of the yaw rate [rad/s]
  R gain, most, throttle_gain;    // [s/rad], share of the full brake torque, [s/rad]
  R slip_allowed, slip_gain;      // side slip angle [rad], share of the full brake torque per rad
  R slip_per_lateral;             // [rad s^2/m]
  R slip_lead, slip_fade;         // [s]
  R brake_slip;                   // slip of a front wheel at full yaw control
};

// [T14.7]  r_ref = v d/(L + K v^2), at most min(grip, |a_y| + margin)/v: more is not to be had.
template <class R> VD_FN R yaw_reference(const YawParams<R>& p, R v, R steer, R ay, R grip) {
  const R linear = v * steer / (p.L + p.K * v * v);
  const R most = min(grip, abs(ay) + p.lateral_margin) / max(v, R(1.0));
  return clamp(linear, -most, most);
}

// [T14.10]  b' = a_y/v - r - b/tau: side slip angle, which decays over tau because its errors accumulate.
template <class R> VD_FN R slip_estimate(const YawParams<R>& p, R b, R v, R ay, R r, R dt) {
  return (b + dt * (ay / v - r)) / (R(1.0) + dt / p.slip_fade);
}

// [T14.13]  A car in a turn has a side slip angle without sliding; it grows with the lateral acceleration.
template <class R> VD_FN R slip_allowed(const YawParams<R>& p, R ay) {
  return p.slip_allowed + p.slip_per_lateral * abs(ay);
}

// [T14.12]  Lateral acceleration the car may be asked for: that at which it begins to slide, recovering
// slowly.
template <class R> VD_FN R grip_estimate(const YawParams<R>& p, R grip, R b, R ay, R dt) {
  const R again = min(grip + R(kGripRecovery) * dt, p.max_lateral);
  return select(abs(b) > slip_allowed(p, ay), min(grip, max(abs(ay), R(kLeastGrip))), again);
}

// Share of the brake of each wheel, and the throttle left.
template <class R> struct YawAction { R brake[4], throttle; };

// [T14.9]  Too much yaw: outer front brake; too little: inner rear. Share k (error - allowed), throttle 1 -
// k_u (error - allowed).
// Left turn: r > 0, right is outside.
// [T14.11]  A slide b + T b' beyond what is allowed is countered by the front brake on the side the car slides to.
template <class R> VD_FN YawAction<R> yaw_action(const YawParams<R>& p, R r_ref, R r, R b, R b_rate, R ay) {
  const R zero = R(0.0), one = R(1.0);
  const R turn = select(abs(r) > abs(r_ref), sign(r), sign(r_ref)), error = turn * (r - r_ref);
  const R over = max(error - p.oversteer, zero), under = max(-error - p.understeer, zero);
  const R front = clamp(p.gain * over, zero, p.most), rear = clamp(p.gain * under, zero, p.most);
  const R slide = b + p.slip_lead * b_rate;  // below zero: to the right
  const R allowed = slip_allowed(p, ay);
  const R to_left = max(slide - allowed, zero), to_right = max(-slide - allowed, zero);
  const mask_t<R> left = turn > zero;
  YawAction<R> a;
  a.brake[0] = min(select(left, zero, front) + p.slip_gain * to_left, p.most);
  a.brake[1] = min(select(left, front, zero) + p.slip_gain * to_right, p.most);
  a.brake[2] = select(left, rear, zero);
  a.brake[3] = select(left, zero, rear);
  a.throttle = clamp(one - p.throttle_gain * (over + under + to_left + to_right), zero, one);
  return a;
}

inline YawParams<double> compile_yaw(const ControlSpec& s, double wheelbase) {
  const YawReferenceSpec& r = s.reference;
  const EscSpec& e = s.esc;
  return {wheelbase,   r.understeer_gradient, r.max_lateral, r.lateral_margin, r.lag,           r.min_speed,
          e.oversteer, e.understeer,          e.brake_gain,  e.max_brake,      e.throttle_gain, e.slip_allowed,
          e.slip_gain, e.slip_per_lateral,    e.slip_lead,   e.slip_fade,      e.brake_slip};
}

}  // namespace vdsim
