// SPDX-License-Identifier: Apache-2.0
// From the pedal to the differentials: plain torque, electric motor, or engine - clutch - gearbox.
// docs/theory/13_powertrain.md. Spin and torque are positive forward.
#pragma once
#include "vdsim/core/driveline/clutch.hpp"
#include "vdsim/core/driveline/gearbox.hpp"
#include "vdsim/core/driveline/motor.hpp"

namespace vdsim {

enum class DriveSource { plain, motor, engine };

template <class R> struct PowertrainParams {
  R share[2];              // of the torque, front and rear axle
  R plain, plain_inertia;  // plain: torque at throttle 1 [N m] and inertia in gear [kg m^2], at the axles
  R inv_wheels;            // 1/J, J: inertia of the driven wheels alone against the torque of the gearbox [1/(kg m^2)]
  EngineParams<R> engine;
  ClutchParams<R> clutch;
  GearboxParams<R> gearbox;
  MotorParams<R> motor;
};
struct PowertrainKind {
  DriveSource source;
  EngineKind engine;
  GearboxKind gearbox;
  bool operator==(const PowertrainKind&) const = default;
};
template <class R> struct PowertrainState {
  R engine_speed;  // [rad/s]; locked: at the start of the last step
  R axle_speed;    // at the start of the last step, mean over the driven axles [rad/s]
  GearboxState<R> gearbox;
  ClutchState<R> clutch;

  static constexpr auto fields() {
    using S = PowertrainState;
    return std::tuple{field("engine_speed", &S::engine_speed, "rad/s", any_finite(), "engine"),
                      field("axle_speed", &S::axle_speed, "rad/s", any_finite(), "mean of the driven axles, last step"),
                      field("gearbox", &S::gearbox, "gear"), field("clutch", &S::clutch, "clutch")};
  }
};
VD_COMPLETE(PowertrainState<double>);

// What the differentials get at one instant. The torque at axle speed w is T + dT (w - w_start).
template <class R> struct DriveTorque {
  R T[2];       // [N m]
  R dT[2];      // [N m s/rad]
  R engine[2];  // inertia that turns with the axle [kg m^2]
};
// Commands of one step.
template <class R> struct DriveCommand {
  R throttle[3];  // start, middle, end, 0..1
  R brake[3];     // brake torque that a motor may take over, both axles together [N m]
  R gear;
  R w[2];  // speed of each axle at the start [rad/s]
};

template <class R> VD_FN void split_torque(const PowertrainParams<R>& p, R T, R dT, R inertia, DriveTorque<R>& out) {
  for (int a = 0; a < 2; ++a) {
    out.T[a] = p.share[a] * T;
    out.dT[a] = p.share[a] * dT;
    out.engine[a] = p.share[a] * inertia;
  }
}

template <class R>
VD_FN void plain_drive(const PowertrainParams<R>& p, const DriveCommand<R>& c, DriveTorque<R> out[3]) {
  for (int k = 0; k < 3; ++k)
    split_torque(p, c.throttle[k] * c.gear * p.plain, R(0.0), abs(c.gear) * p.plain_inertia, out[k]);
}

// [T13.7]  T = i eta (u T_max(|i w|) gear) - regen: the motor brakes with min(brake asked, regen i T_max),
// faded near rest.
template <class R> VD_NOINLINE void motor_drive(const PowertrainParams<R>& p, const DriveCommand<R>& c,
                                                DriveTorque<R> out[3], R braking[3]) {
  const MotorParams<R>& m = p.motor;
  const R w = p.share[0] * c.w[0] + p.share[1] * c.w[1], zero = R(0.0), one = R(1.0), rest = R(0.2);  // 1/(5 rad/s)
  const TorqueAt<R> at = motor_torque(m, abs(m.ratio * w));
  const R gain = m.ratio * gear_factor(m.efficiency, c.gear, w), turn = m.ratio * sign(w),
          inertia = m.inertia * sq(m.ratio);
  const R fade = clamp(w * rest, -one, one), dfade = select(abs(w) * rest < one, rest, zero);
  for (int k = 0; k < 3; ++k) {
    const R pull = clamp(c.throttle[k], zero, one) * c.gear * gain;
    const R hold = min(c.brake[k], m.regen * m.ratio * at.T) * abs(c.gear);
    braking[k] = hold * abs(fade);
    split_torque(p, pull * at.T - hold * fade, pull * at.dT * turn - hold * dfade, inertia * abs(c.gear), out[k]);
  }
}

// One step of an engine whose clutch slips or is open.
template <class R> struct SlipStep {
  R w_in;       // gearbox input, at the start [rad/s]
  R direction;  // of the slip; 0: clutch open
  R throttle[3], closed[3];
  R driver[3];  // share of the driver in the throttle
};
// During a shift the engine is brought to the speed of the next gear; the driver regains it as the
// clutch closes.
template <class R> VD_FN R matched_throttle(const EngineParams<R>& e, const SlipStep<R>& g, R w, int k) {
  const R wish = clamp((max(g.w_in, e.idle) - w) * R(0.02), R(0.0), R(1.0));
  return g.driver[k] * g.throttle[k] + (R(1.0) - g.driver[k]) * wish;
}
// [T13.8]  I_e w_e' = T_e - s cap(w_e), direction s fixed: RK4 over the step, the middle by the Hermite cubic.
template <class R>
VD_FN R slip_rate(const PowertrainKind& kind, const PowertrainParams<R>& p, const SlipStep<R>& g, R w, int k) {
  const R T = engine_torque(kind.engine, p.engine, w, matched_throttle(p.engine, g, w, k)).T;
  return (T - g.direction * clutch_capacity(p.clutch, g.closed[k], w)) / p.engine.inertia;
}
template <class R> VD_NOINLINE void slip_engine(const PowertrainKind& kind, const PowertrainParams<R>& p,
                                                const SlipStep<R>& g, R h, R w[3]) {
  const R half = R(0.5) * h;
  const R k1 = slip_rate(kind, p, g, w[0], 0), k2 = slip_rate(kind, p, g, w[0] + half * k1, 1),
          k3 = slip_rate(kind, p, g, w[0] + half * k2, 1), k4 = slip_rate(kind, p, g, w[0] + h * k3, 2);
  w[2] = w[0] + h * R(1.0 / 6.0) * ((k1 + k4) + R(2.0) * (k2 + k3));
  w[1] = R(0.5) * (w[0] + w[2]) + R(0.125) * h * (k1 - slip_rate(kind, p, g, w[2], 2));
}

// [T13.9]  Locked: the axles feel i eta T_e(i w), its slope i^2 eta T_e' and the inertia i^2 I_e.
// Slipping: i eta s cap, no inertia.
template <class R> VD_NOINLINE void engine_drive(const PowertrainKind& kind, const PowertrainParams<R>& p,
                                                 PowertrainState<R>& s, const DriveCommand<R>& c, R h,
                                                 DriveTorque<R> out[3]) {
  const R zero = R(0.0), one = R(1.0), inv_h = one / h, w = p.share[0] * c.w[0] + p.share[1] * c.w[1];
  const R before = gear_ratio(kind.gearbox, p.gearbox, s.gearbox.gear) * w;
  s.engine_speed = select(s.clutch.locked > R(0.5), before, s.engine_speed);  // it has turned with the axles
  gearbox_decide(kind.gearbox, p.gearbox, s.gearbox, c.gear, w, s.clutch.closed >= one);
  const R i = gear_ratio(kind.gearbox, p.gearbox, s.gearbox.gear), w_in = i * w;
  const mask_t<R> neutral = s.gearbox.gear == zero, in_gear = (s.gearbox.shift_left <= zero) & !neutral;
  s.clutch.closed = select(in_gear, s.clutch.closed, zero);
  const R c0 = s.clutch.closed, c1 = select(in_gear, min(c0 + h * p.clutch.close_rate, one), zero);
  const R Ie = p.engine.inertia,
          need = engine_torque(kind.engine, p.engine, w_in, c.throttle[0]).T - Ie * i * (w - s.axle_speed) * inv_h;
  const ClutchSides<R> sides{s.engine_speed, w_in, need, Ie, i * i * Ie * p.inv_wheels};
  const ClutchGrip<R> grip = decide_clutch(p.clutch, s.clutch, in_gear, sides, h);
  SlipStep<R> g{w_in, grip.direction, {}, {c0, R(0.5) * (c0 + c1), c1}, {}};
  for (int k = 0; k < 3; ++k) {
    g.throttle[k] = c.throttle[k];
    g.driver[k] = select(neutral, one, g.closed[k]);
  }
  R we[3] = {s.engine_speed, zero, zero};
  if (!all(grip.lock)) slip_engine(kind, p, g, h, we);
  for (int k = 0; k < 3; ++k) {
    TorqueAt<R> e{zero, zero};
    if (any(grip.lock)) e = engine_torque(kind.engine, p.engine, w_in, c.throttle[k]);
    const R slipping = grip.direction * clutch_capacity(p.clutch, g.closed[k], we[k]);
    const R T = select(grip.lock, e.T, slipping), gain = i * gear_factor(p.gearbox.efficiency, T, w_in);
    split_torque(p, gain * T + i * grip.kick * inv_h, select(grip.lock, gain * i * e.dT, zero),
                 select(grip.lock, i * i * Ie, zero), out[k]);
  }
  s.engine_speed = select(grip.lock, w_in, we[2]);
  s.axle_speed = w;
  s.clutch = {c1, select(grip.lock, select(s.clutch.locked > R(0.5), R(2.0), one), zero)};
  s.gearbox.shift_left = max(s.gearbox.shift_left - h, zero);
}

// Torques at the start, middle and end of a step; `braking`: what a motor brakes with, over both axles [N m].
template <class R> VD_FN void powertrain_step(const PowertrainKind& kind, const PowertrainParams<R>& p,
                                              PowertrainState<R>& s, const DriveCommand<R>& c, R h,
                                              DriveTorque<R> out[3], R braking[3]) {
  for (int k = 0; k < 3; ++k) braking[k] = R(0.0);
  if (kind.source == DriveSource::engine)
    engine_drive(kind, p, s, c, h, out);
  else if (kind.source == DriveSource::motor)
    motor_drive(p, c, out, braking);
  else
    plain_drive(p, c, out);
}

inline PowertrainKind powertrain_kind(const PowertrainSpec& s) {
  const DriveSource from = s.type == PowertrainType::motor ? DriveSource::motor : DriveSource::engine;
  return {s.enabled ? from : DriveSource::plain, engine_kind(s.engine), gearbox_kind(s)};
}
// front: share of the front axle; plain torque and inertia are those of the drivetrain at its axles
inline PowertrainParams<double> compile_powertrain(const PowertrainSpec& s, double front, double plain,
                                                   double plain_inertia) {
  return {
      {front, 1 - front},    plain, plain_inertia, 0, compile_engine(s.engine), compile_clutch(s), compile_gearbox(s),
      compile_motor(s.motor)};
}
// w: speed of the driven axles. The clutch is locked if the car rolls fast enough, else the engine idles.
inline PowertrainState<double> start_powertrain(const PowertrainKind& kind, const PowertrainParams<double>& p,
                                                double w) {
  PowertrainState<double> s{};
  if (kind.source != DriveSource::engine) return s;
  s.gearbox.gear = fitting_gear(kind.gearbox, p.gearbox, w);
  const double w_in = gear_ratio(kind.gearbox, p.gearbox, s.gearbox.gear) * w;
  const bool rolls = w_in > p.engine.idle;
  s.engine_speed = rolls ? w_in : p.engine.idle;
  s.axle_speed = w;
  s.clutch = {1, rolls ? 2.0 : 0.0};
  return s;
}

}  // namespace vdsim
