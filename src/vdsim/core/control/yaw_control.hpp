// SPDX-License-Identifier: Apache-2.0
// Yaw control: the yaw rate of the car the driver expects, and single brakes that bring it back.
// docs/theory/14_brakes_and_control.md.
#pragma once
#include "vdsim/core/brake/speed.hpp"
#include "vdsim/core/control/control_spec.hpp"
#include "vdsim/core/math/real.hpp"

namespace vdsim {

inline constexpr double kLeastGrip = 1;     // ice has that much [m/s^2]
inline constexpr double kGripRecovery = 1;  // how fast a car that no longer slides is trusted again [m/s^3]
inline constexpr double kYawFilter = 0.02;  // of the yaw acceleration [s]
inline constexpr double kBankTime = 1, kBankRate = 1.5, kMostBank = 3;  // learning of gravity: [s], [m/s^3], [m/s^2]
inline constexpr double kBankTurn = 1;                                  // and only nearly straight on [m/s^2]
inline constexpr double kSlipSpeed = 80 / 3.6;                          // below it more slip is allowed [m/s]
inline constexpr double kBankYaw = 0.01;  // not while the car turns that much more than expected [rad/s]

template <class R> struct YawParams {
  R L, b, K;                      // wheelbase, CG to rear axle [m]; understeer gradient [rad s^2/m]
  R max_lateral, lateral_margin;  // [m/s^2]
  R lag, min_speed;               // [s], [m/s]
  R oversteer, understeer;        // allowed errors of the yaw rate [rad/s]
  R K_under;                      // gradient beyond which a car understeers [rad s^2/m]
  R gain, most, throttle_gain;    // [s/rad], share of the full brake torque, [s/rad]
  R slip_allowed, slip_gain;      // slip angle of the rear axle [rad], share of the full brake torque per rad
  R slip_per_lateral;             // [rad s^2/m]
  R slip_lead, slip_fade;         // [s]
  R brake_slip;                   // slip of a front wheel at full yaw control
};

// The rear axle as the yaw control sees it.
template <class R> struct RearAxle {
  R slip;     // slip angle, estimated [rad]: below zero in a left turn
  R rate;     // its rate [rad/s]
  R lateral;  // lateral acceleration there [m/s^2]
  R bank;     // gravity in it: bank of the road, roll of the body [m/s^2]
  R r, turn;  // yaw rate of the last sample [rad/s], yaw acceleration [rad/s^2]
  R grip;     // lateral acceleration there is [m/s^2]

  static constexpr auto fields() {
    using S = RearAxle;
    return std::tuple{field("slip", &S::slip, "rad", any_finite(), "estimated slip angle of the rear axle"),
                      field("rate", &S::rate, "rad/s", any_finite(), "its rate"),
                      field("lateral", &S::lateral, "m/s^2", any_finite(), "lateral acceleration of the rear axle"),
                      field("bank", &S::bank, "m/s^2", any_finite(), "gravity across the car"),
                      field("r", &S::r, "rad/s", any_finite(), "yaw rate of the last sample"),
                      field("turn", &S::turn, "rad/s^2", any_finite(), "yaw acceleration"),
                      field("grip", &S::grip, "m/s^2", any_finite(), "lateral acceleration there is")};
  }
};
VD_COMPLETE(RearAxle<double>);

template <class R> VD_FN RearAxle<R> select_axle(mask_t<R> which, const RearAxle<R>& a, const RearAxle<R>& b) {
  return {select(which, a.slip, b.slip), select(which, a.rate, b.rate), select(which, a.lateral, b.lateral),
          select(which, a.bank, b.bank), select(which, a.r, b.r),       select(which, a.turn, b.turn),
          select(which, a.grip, b.grip)};
}

// [T14.7]  r_ref = v d/(L + K v^2), at most min(grip, |a_y| + margin)/v: more is not to be had.
template <class R> VD_FN R yaw_reference(const YawParams<R>& p, R v, R steer, R ay, R grip) {
  const R linear = v * steer / (p.L + p.K * v * v);
  const R most = min(grip, abs(ay) + p.lateral_margin) / max(v, R(1.0));
  return clamp(linear, -most, most);
}

// [T14.13]  An axle in a turn has a slip angle without sliding; it grows with the lateral acceleration. What is not known
// of gravity across the car makes a side velocity, which is a larger angle in a slow car.
template <class R> VD_FN R slip_allowed(const YawParams<R>& p, R v, R lateral) {
  return p.slip_allowed * max(R(kSlipSpeed) / v, R(1.0)) + p.slip_per_lateral * abs(lateral);
}

// [T14.10]  Rear axle: f = f_y - b r' - g, s' = f/v - r - s v'/v + (-c f - s)/tau: integrated, and drawn to what the force
// of tires that do not slide explains.
// [T14.22]  Gravity g across the car is what the sensor reads beyond v r, while the axle holds and the car does not turn
// more than expected.
// [T14.12]  Lateral acceleration the car may be asked for: that at which it begins to slide, recovering slowly.
template <class R> VD_FN void watch_rear(const YawParams<R>& p, const Sensed<R>& o, const CarView<R>& view, R r_ref,
                                         R dt, RearAxle<R>& s) {
  const R one = R(1.0), v = max(o.v, p.min_speed), r = view.r;
  s.turn = s.turn + ((r - s.r) / dt - s.turn) * dt / (R(kYawFilter) + dt);
  s.r = r;
  const R read = view.ay - p.b * s.turn;
  s.lateral = read - s.bank;
  s.rate = s.lateral / v - r;
  const R fade = one / p.slip_fade, drawn = -p.slip_per_lateral * s.lateral;
  s.slip = (s.slip + dt * (s.rate + drawn * fade)) / (one + dt * (fade + o.along / v));
  const mask_t<R> slides = abs(s.slip) > slip_allowed(p, v, s.lateral);
  const mask_t<R> straight =
      (abs(r) < abs(r_ref) + R(kBankYaw)) & (abs(v * r) < R(kBankTurn)) & (abs(v * s.turn) < R(kBankTurn * kBankTurn));
  const R learned = clamp((read - v * r - s.bank) * R(1.0 / kBankTime), R(-kBankRate), R(kBankRate));
  s.bank = select(straight, clamp(s.bank + learned * dt, R(-kMostBank), R(kMostBank)), s.bank);
  const R again = min(s.grip + R(kGripRecovery) * dt, p.max_lateral);
  s.grip = select(slides, min(s.grip, max(abs(s.lateral), R(kLeastGrip))), again);
}

// Share of the brake of each wheel, and the throttle left.
template <class R> struct YawAction { R brake[4], throttle; };

// [T14.9]  Too much yaw: outer front brake; too little, while the rear axle holds: inner rear. Share k (error - allowed),
// throttle 1 - k_u (error - allowed). Left turn: r > 0, right is outside.
// [T14.11]  A rear axle that slides, s + T s' beyond what is allowed: front brake on the side it slides to.
template <class R> VD_FN YawAction<R> yaw_action(const YawParams<R>& p, R v, R r_ref, R r, const RearAxle<R>& rear) {
  const R zero = R(0.0), one = R(1.0);
  const R slide = rear.slip + p.slip_lead * rear.rate;  // below zero: to the right
  const R allowed = slip_allowed(p, v, rear.lateral);
  const R to_left = max(slide - allowed, zero), to_right = max(-slide - allowed, zero);
  const R holds = clamp(R(2.0) * (one - abs(slide) / allowed), zero, one);
  const R turn = select(abs(r) > abs(r_ref), sign(r), sign(r_ref));
  const R least = r_ref * (p.L + p.K * v * v) / (p.L + p.K_under * v * v);
  const R over = max(turn * (r - r_ref) - p.oversteer, zero),
          under = max(turn * (least - r) - p.understeer, zero) * holds;
  const R front = clamp(p.gain * over, zero, p.most), inner = clamp(p.gain * under, zero, p.most);
  const mask_t<R> left = turn > zero;
  YawAction<R> a;
  a.brake[0] = min(select(left, zero, front) + p.slip_gain * to_left, p.most);
  a.brake[1] = min(select(left, front, zero) + p.slip_gain * to_right, p.most);
  a.brake[2] = select(left, inner, zero);
  a.brake[3] = select(left, zero, inner);
  a.throttle = clamp(one - p.throttle_gain * (over + under + to_left + to_right), zero, one);
  return a;
}

inline YawParams<double> compile_yaw(const ControlSpec& s, double wheelbase, double cg_to_rear) {
  const YawReferenceSpec& r = s.reference;
  const EscSpec& e = s.esc;
  return {wheelbase,       cg_to_rear,     r.understeer_gradient, r.max_lateral,         r.lateral_margin, r.lag,
          r.min_speed,     e.oversteer,    e.understeer,          e.understeer_gradient, e.brake_gain,     e.max_brake,
          e.throttle_gain, e.slip_allowed, e.slip_gain,           e.slip_per_lateral,    e.slip_lead,      e.slip_fade,
          e.brake_slip};
}

}  // namespace vdsim
