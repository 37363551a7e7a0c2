// SPDX-License-Identifier: Apache-2.0
// The controllers of a car put together: what they sense, decide and keep, once per sample.
// docs/theory/14_brakes_and_control.md.
#pragma once
#include "vdsim/core/brake/abs.hpp"
#include "vdsim/core/control/traction.hpp"
#include "vdsim/core/control/yaw_control.hpp"
#include "vdsim/core/driveline/powertrain.hpp"
#include "vdsim/core/driveline/vectoring.hpp"

namespace vdsim {

struct EquipmentKind {
  PowertrainKind powertrain;
  bool hydraulics, abs, ebd, tc, esc, vectoring;
  bool senses;  // any controller
  bool any;     // anything beyond pedal x constant
  bool operator==(const EquipmentKind&) const = default;
};
template <class R> struct EquipmentParams {
  PowertrainParams<R> powertrain;
  R brake[2], handbrake[2];  // capacity of one wheel at pedal / lever 1, front and rear [N m]
  R lag, build, release;     // hydraulics: [s], full brake torques per second
  R sample_time;             // [s]
  AbsParams<R> abs;
  TractionParams<R> traction;
  YawParams<R> yaw;
  VectoringParams<R> vectoring;
};

// What the controllers decided at their last sample.
template <class R> struct ControlState {
  R clock;  // time since the last sample [s]
  SpeedState<R> speed;
  AbsState<R> abs;
  std::array<R, 2> engine;  // inertia that turns with each axle [kg m^2]
  R r_ref;                  // yaw rate the driver expects [rad/s]
  RearAxle<R> rear;         // slip angle and grip as the yaw control sees them
  PeakSearch<R> tc_search;  // of the drive slip with the most acceleration
  R tc_left;                // integral of traction control, 0..1
  R throttle;               // share of the throttle that is left
  R vectoring;              // torque to the right side [N m]
  std::array<R, 4> limit;   // brake torque that the valves let in [N m]
  std::array<R, 4> since;   // time since they last limited it [s]
  std::array<R, 4> share;   // brake of the controllers, share of the full torque

  static constexpr auto fields() {
    using S = ControlState;
    return std::tuple{field("clock", &S::clock, "s", any_finite(), "time since the last sample"),
                      field("speed", &S::speed, "reference speed"),
                      field("abs", &S::abs, "search of the peak"),
                      field("engine", &S::engine, "kg m^2", any_finite(), "inertia that turns with each axle"),
                      field("r_ref", &S::r_ref, "rad/s", any_finite(), "yaw rate the driver expects"),
                      field("rear", &S::rear, "rear axle of yaw control"),
                      field("tc_search", &S::tc_search, "drive slip with the most acceleration"),
                      field("tc_left", &S::tc_left, "-", any_finite(), "integral of traction control"),
                      field("throttle", &S::throttle, "-", any_finite(), "share of the throttle that is left"),
                      field("vectoring", &S::vectoring, "N m", any_finite(), "torque to the right side"),
                      field("limit", &S::limit, "N m", any_finite(), "brake torque that the valves let in"),
                      field("since", &S::since, "s", any_finite(), "time since they last limited it"),
                      field("share", &S::share, "-", any_finite(), "brake of the controllers")};
  }
};
VD_COMPLETE(ControlState<double>);

inline constexpr double kAbsMemory = 0.5;   // for so long a limited brake is remembered [s]
inline constexpr double kHardBrake = 0.1;   // of the full torque, by yaw control
inline constexpr double kEasyShare = 0.25;  // of its peak: so much brake torque lets a wheel roll

// State of plain numbers: `to` becomes `from` where the mask is set.
template <class R, class S> VD_FN void take_where(mask_t<R> set, const S& from, S& to) {
  R* t = reinterpret_cast<R*>(&to);
  const R* f = reinterpret_cast<const R*>(&from);
  for (std::size_t k = 0; k < sizeof(S) / sizeof(R); ++k) t[k] = select(set, f[k], t[k]);
}

// Yaw control and vectoring of one sample; `brake` and `throttle` come back changed by it.
template <class R> VD_NOINLINE void control_yaw(const EquipmentKind& kind, const EquipmentParams<R>& p,
                                                const CarView<R>& view, const Sensed<R>& o, R dt, ControlState<R>& s,
                                                R brake[4], R& throttle) {
  const R zero = R(0.0);
  const mask_t<R> on = (o.v > p.yaw.min_speed) & (o.forward > zero);
  const R v = max(o.v, p.yaw.min_speed);
  if (kind.esc) {
    RearAxle<R> rear = s.rear;
    watch_rear(p.yaw, o, view, s.r_ref, dt, rear);
    s.rear = select_axle<R>(on, rear, {zero, zero, zero, zero, view.r, zero, p.yaw.max_lateral});
  }
  const R target = yaw_reference(p.yaw, o.v, view.steer, view.ay, s.rear.grip);
  s.r_ref = select(on, s.r_ref + (target - s.r_ref) * dt / (p.yaw.lag + dt), view.r);
  if (kind.esc) {
    const YawAction<R> a = yaw_action(p.yaw, v, s.r_ref, view.r, s.rear);
    for (int i = 0; i < 4; ++i) brake[i] = select(on, max(brake[i], a.brake[i]), brake[i]);
    throttle = select(on, min(throttle, a.throttle), throttle);
  }
  if (kind.vectoring) s.vectoring = select(on, vectoring_torque(p.vectoring, s.r_ref, view.r), zero);
}

// Valves of one sample: what anti-lock brakes and brake force distribution let in.
template <class R> VD_NOINLINE void control_valves(const EquipmentKind& kind, const EquipmentParams<R>& p,
                                                   const CarView<R>& view, const Sensed<R>& o, BrakeView<R>& b, R dt,
                                                   ControlState<R>& s) {
  const R zero = R(0.0), one = R(1.0);
  for (int i = 0; i < 4; ++i) {
    // a front wheel braked by yaw control may slip more: its side force falls, too
    b.least[i] = kind.esc && i < 2 ? p.yaw.brake_slip * min(s.share[std::size_t(i)], one) : zero;
    s.limit[std::size_t(i)] = R(kNoLimit);
  }
  if (kind.abs) {
    abs_sample(p.abs, o, view, b, dt, s.abs);
    s.limit = s.abs.limit;
  }
  const mask_t<R> front = (s.limit[0] < b.demand[0]) | (s.limit[1] < b.demand[1]);
  for (int i = 0; i < 4; ++i) {
    const std::size_t k = std::size_t(i);
    if (kind.ebd && i > 1) {
      const R valve = ebd_valve(p.abs, o, i);
      const R held = select(valve < zero, zero, select(valve == zero, b.torque[i], R(kNoLimit)));
      s.limit[k] = select(front, s.limit[k], min(s.limit[k], held));
    }
    s.since[k] = select(s.limit[k] < b.demand[i], zero, s.since[k]);
  }
}

// One sample of all controllers.
template <class R> VD_NOINLINE void control_sample(const EquipmentKind& kind, const EquipmentParams<R>& p,
                                                   const CarView<R>& view, R pedal, const std::array<R, 4>& torque,
                                                   R dt, ControlState<R>& s) {
  const R zero = R(0.0), one = R(1.0);
  // where yaw control brakes hard the fastest rim tells the speed; else the slowest one, as the driven wheels may slip
  mask_t<R> slides(false), easy[4];
  if (kind.esc)
    for (int i = 0; i < 4; ++i) slides = slides | (s.share[i] > R(kHardBrake));
  // traction control brakes a wheel that spins: then the slow wheels tell the speed
  if (kind.tc) slides = slides & (s.tc_left >= one);
  BrakeView<R> b;
  for (int i = 0; i < 4; ++i) {
    const std::size_t k = std::size_t(i);
    b.torque[i] = torque[k];
    b.full[i / 2] = p.brake[i / 2];
    b.engine[i / 2] = s.engine[k / 2];
    easy[i] = torque[k] < R(kEasyShare) * s.abs.search[k].peak * p.abs.load[i / 2] * view.radius[i];
  }
  const Sensed<R> o = sense(p.abs.half_track, p.abs.dive, s.speed, view, (pedal > zero) | slides, easy, dt);
  R brake[4] = {zero, zero, zero, zero}, throttle = one;
  if (kind.tc) {
    throttle = traction_throttle(p.traction, o, s.tc_search, s.tc_left, dt);
    for (int i = 0; i < 4; ++i) brake[i] = select(pedal > zero, zero, traction_brake(p.traction, o, i));
  }
  if (kind.esc || kind.vectoring) control_yaw(kind, p, view, o, dt, s, brake, throttle);
  s.throttle = throttle;
  for (int i = 0; i < 4; ++i) {
    s.share[std::size_t(i)] = brake[i];
    b.demand[i] = (pedal + brake[i]) * p.brake[i / 2];
  }
  control_valves(kind, p, view, o, b, dt, s);
}

template <class R> VD_FN void control_step(const EquipmentKind& kind, const EquipmentParams<R>& p,
                                           const CarView<R>& view, R pedal, const std::array<R, 4>& torque, R h,
                                           ControlState<R>& s) {
  const mask_t<R> due = s.clock + R(1e-3) * h >= p.sample_time;
  if (any(due)) {
    ControlState<R> next = s;
    control_sample(kind, p, view, pedal, torque, max(s.clock, h), next);
    next.clock = R(0.0);
    take_where<R>(due, next, s);
  }
  s.clock = s.clock + h;
  for (int i = 0; i < 4; ++i) s.since[i] = min(s.since[i] + h, R(2.0 * kAbsMemory));
}

}  // namespace vdsim
