// SPDX-License-Identifier: Apache-2.0
// What lies between the driver's commands and the car: powertrain, brake hydraulics, controllers.
// docs/theory/13_powertrain.md, 14_brakes_and_control.md.
#pragma once
#include "vdsim/core/brake/hydraulics.hpp"
#include "vdsim/core/control/traction.hpp"
#include "vdsim/core/control/yaw_control.hpp"
#include "vdsim/core/driveline/powertrain.hpp"
#include "vdsim/core/driveline/vectoring.hpp"
#include "vdsim/core/vehicle/spec.hpp"

namespace vdsim {

template <class R> struct Inputs;

// What acts on the car at one instant, after the driver's commands went through the equipment.
template <class R> struct Actuation {
  R steer, steer_rate;  // single-track road-wheel angle [rad], [rad/s]
  R T[2];               // drive torque into each axle's differential at the spin w_ref [N m]
  R dT[2], w_ref[2];    // its slope over the mean spin of the axle's wheels [N m s/rad], [rad/s]
  R engine[2];          // inertia that turns with the axle [kg m^2]; 0 with the clutch open
  R Tw[4];              // torque at single wheels: vectoring, wheel motors [N m]
  R cap[4];             // dry friction capacity of each brake: pedal, lever, controllers [N m]
};

struct EquipmentKind {
  PowertrainKind powertrain;
  bool hydraulics, abs, ebd, tc, esc, vectoring;
  bool senses;  // any controller
  bool any;     // anything beyond pedal x constant
};
template <class R> struct EquipmentParams {
  PowertrainParams<R> powertrain;
  R brake[2], handbrake[2];  // capacity of one wheel at pedal / lever 1, front and rear [N m]
  R lag, build, release;     // hydraulics: [s], full brake torques per second
  R abs_build;               // relative rise of the torque after a release [1/s]
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
  R r_ref;                 // yaw rate the driver expects [rad/s]
  R slip, grip;            // estimated side slip angle [rad], lateral acceleration there is [m/s^2]
  R tc_left;               // integral of traction control, 0..1
  R throttle;              // share of the throttle that is left
  R vectoring;             // torque to the right side [N m]
  std::array<R, 4> valve;  // +2 build fast, +1 build, 0 hold, -1 release
  std::array<R, 4> since;  // time since the last release [s]
  std::array<R, 4> share;  // brake of the controllers, share of the full torque

  static constexpr auto fields() {
    using S = ControlState;
    return std::tuple{field("clock", &S::clock, "s", any_finite(), "time since the last sample"),
                      field("speed", &S::speed, "reference speed"),
                      field("r_ref", &S::r_ref, "rad/s", any_finite(), "yaw rate the driver expects"),
                      field("slip", &S::slip, "rad", any_finite(), "estimated side slip angle"),
                      field("grip", &S::grip, "m/s^2", any_finite(), "lateral acceleration there is"),
                      field("tc_left", &S::tc_left, "-", any_finite(), "integral of traction control"),
                      field("throttle", &S::throttle, "-", any_finite(), "share of the throttle that is left"),
                      field("vectoring", &S::vectoring, "N m", any_finite(), "torque to the right side"),
                      field("valve", &S::valve, "-", any_finite(), "+2 build fast, +1 build, 0 hold, -1 release"),
                      field("since", &S::since, "s", any_finite(), "time since the last release"),
                      field("share", &S::share, "-", any_finite(), "brake of the controllers")};
  }
};
VD_COMPLETE(ControlState<double>);

template <class R> struct EquipmentState {
  PowertrainState<R> powertrain;
  ControlState<R> control;
  std::array<R, 4> brake;  // torque of the hydraulics [N m]

  static constexpr auto fields() {
    using S = EquipmentState;
    return std::tuple{field("powertrain", &S::powertrain, "engine, clutch, gear"),
                      field("control", &S::control, "controllers"),
                      field("brake", &S::brake, "N m", any_finite(), "torque of the hydraulics")};
  }
};
VD_COMPLETE(EquipmentState<double>);

inline constexpr double kAbsMemory = 0.5;  // for so long a release is remembered [s]

// Yaw control and vectoring of one sample; `brake` and `throttle` come back changed by it.
template <class R> VD_NOINLINE void control_yaw(const EquipmentKind& kind, const EquipmentParams<R>& p,
                                                const CarView<R>& view, const Sensed<R>& o, R dt, ControlState<R>& s,
                                                R brake[4], R& throttle) {
  const R zero = R(0.0);
  const mask_t<R> on = (o.v > p.yaw.min_speed) & (o.forward > zero);
  const R v = max(o.v, p.yaw.min_speed);
  s.slip = select(on, slip_estimate(p.yaw, s.slip, v, view.ay, view.r, dt), zero);
  s.grip = select(on, grip_estimate(p.yaw, s.grip, s.slip, view.ay, dt), p.yaw.max_lateral);
  const R target = yaw_reference(p.yaw, o.v, view.steer, view.ay, s.grip);
  s.r_ref = select(on, s.r_ref + (target - s.r_ref) * dt / (p.yaw.lag + dt), view.r);
  if (kind.esc) {
    const YawAction<R> a = yaw_action(p.yaw, s.r_ref, view.r, s.slip, view.ay / v - view.r, view.ay);
    for (int i = 0; i < 4; ++i) brake[i] = select(on, max(brake[i], a.brake[i]), brake[i]);
    throttle = select(on, min(throttle, a.throttle), throttle);
  }
  if (kind.vectoring) s.vectoring = select(on, vectoring_torque(p.vectoring, s.r_ref, view.r), zero);
}

// One sample of all controllers.
template <class R> VD_NOINLINE void control_sample(const EquipmentKind& kind, const EquipmentParams<R>& p,
                                                   const CarView<R>& view, R pedal, R dt, ControlState<R>& s) {
  const R zero = R(0.0), one = R(1.0);
  mask_t<R> yaw_brakes(false);
  if (kind.esc)
    for (int i = 0; i < 4; ++i) yaw_brakes = yaw_brakes | (s.share[i] > zero);
  // traction control brakes a wheel that spins: then the slow wheels tell the speed
  if (kind.tc) yaw_brakes = yaw_brakes & (s.tc_left >= one);
  const Sensed<R> o = sense(p.abs, s.speed, view, (pedal > zero) | yaw_brakes, dt);
  R brake[4] = {zero, zero, zero, zero}, throttle = one;
  if (kind.tc) {
    throttle = traction_throttle(p.traction, o, s.tc_left, dt);
    for (int i = 0; i < 4; ++i) brake[i] = select(pedal > zero, zero, traction_brake(p.traction, o, i));
  }
  if (kind.esc || kind.vectoring) control_yaw(kind, p, view, o, dt, s, brake, throttle);
  s.throttle = throttle;
  for (int i = 0; i < 4; ++i) {
    R valve = R(2.0);
    if (kind.ebd) valve = min(valve, ebd_valve(p.abs, o, i));
    // a front wheel braked by yaw control may slip more: its side force falls, too
    const R more = kind.esc && i < 2 ? one + (p.yaw.brake_slip / p.abs.slip_high - one) * min(brake[i], one) : one;
    if (kind.abs) valve = min(valve, abs_valve(p.abs, o, i, max(more, one)));
    s.valve[i] = select((pedal > zero) | (brake[i] > zero), valve, R(2.0));
    s.since[i] = select(s.valve[i] < zero, zero, s.since[i]);
    s.share[i] = brake[i];
  }
}

template <class R> VD_FN void control_step(const EquipmentKind& kind, const EquipmentParams<R>& p,
                                           const CarView<R>& view, R pedal, R h, ControlState<R>& s) {
  const mask_t<R> due = s.clock + R(1e-3) * h >= p.sample_time;
  if (any(due)) {
    ControlState<R> next = s;
    control_sample(kind, p, view, pedal, max(s.clock, h), next);
    next.clock = R(0.0);
    constexpr int n = int(sizeof(ControlState<R>) / sizeof(R));
    R* to = reinterpret_cast<R*>(&s);
    const R* from = reinterpret_cast<const R*>(&next);
    for (int k = 0; k < n; ++k) to[k] = select(due, from[k], to[k]);
  }
  s.clock = s.clock + h;
  for (int i = 0; i < 4; ++i) s.since[i] = min(s.since[i] + h, R(2.0 * kAbsMemory));
}

// Brake capacity of one wheel at the three instants; d: what is asked of it there [N m].
template <class R> VD_FN void brake_wheel(const EquipmentKind& kind, const EquipmentParams<R>& p,
                                          const ControlState<R>& s, int i, const R d[3], R h, R& torque, R cap[3]) {
  if (!kind.hydraulics) {
    for (int k = 0; k < 3; ++k) cap[k] = d[k];
    return;
  }
  const R zero = R(0.0), full = p.brake[i / 2];
  const R since = s.since[i], valve = s.valve[i];
  const mask_t<R> careful = (since < R(kAbsMemory)) & (valve < R(1.5));
  const R slow = p.abs_build * (torque + R(0.1) * full);
  const LineParams<R> line{p.lag, select(careful, slow, full * p.build), full * p.release};
  const mask_t<R> build = valve > zero, hold = valve == zero;
  const R c0 = select(build, d[0], select(hold, min(torque, d[0]), zero)),
          c1 = select(build, d[2], select(hold, min(torque, d[2]), zero));
  line_step(line, torque, c0, c1, h, cap);
}

// Brake torque that the motor may take over, so that no axle gets more than the driver asks. None while valves work.
template <class R>
VD_FN void regen_room(const EquipmentParams<R>& p, const ControlState<R>& s, const R pedal[3], R room[3]) {
  const R zero = R(0.0);
  const R since = min(min(s.since[0], s.since[1]), min(s.since[2], s.since[3]));
  const mask_t<R> calm = since >= R(kAbsMemory);
  R most = R(1e30);
  for (int a = 0; a < 2; ++a) {
    const R share = p.powertrain.share[a];
    most = select(share > zero, min(most, R(2.0) * p.brake[a] / max(share, R(1e-9))), most);
  }
  for (int k = 0; k < 3; ++k) room[k] = select(calm, pedal[k] * most, zero);
}

// Advances the equipment by h. Commands go linearly from u0 to u1; out: start, middle, end of the step. Gear,
// clutch and controllers
// decide at the start.
template <class R> VD_FN void equipment_step(const EquipmentKind& kind, const EquipmentParams<R>& p,
                                             EquipmentState<R>& s, const Inputs<R>& u0, const Inputs<R>& u1,
                                             const CarView<R>& view, R h, Actuation<R> out[3]) {
  const R half = R(0.5), steer_rate = (u1.steer - u0.steer) / h;
  if (kind.senses) control_step(kind, p, view, u0.brake, h, s.control);
  const R pedal[3] = {u0.brake, half * (u0.brake + u1.brake), u1.brake};
  const R lever[3] = {u0.handbrake, half * (u0.handbrake + u1.handbrake), u1.handbrake};
  const R left = s.control.throttle;
  DriveCommand<R> c{{u0.throttle * left, half * (u0.throttle + u1.throttle) * left, u1.throttle * left},
                    {R(0.0), R(0.0), R(0.0)},
                    u0.gear,
                    {half * (view.w[0] + view.w[1]), half * (view.w[2] + view.w[3])}};
  regen_room(p, s.control, pedal, c.brake);
  DriveTorque<R> drive[3];
  R regen[3];
  powertrain_step(kind.powertrain, p.powertrain, s.powertrain, c, h, drive, regen);
  R cap[4][3];
  for (int i = 0; i < 4; ++i) {
    R d[3];
    for (int k = 0; k < 3; ++k)
      d[k] = (pedal[k] + s.control.share[i]) * p.brake[i / 2] - half * p.powertrain.share[i / 2] * regen[k];
    brake_wheel(kind, p, s.control, i, d, h, s.brake[i], cap[i]);
  }
  const R steer[3] = {u0.steer, half * (u0.steer + u1.steer), u1.steer};
  for (int k = 0; k < 3; ++k) {
    Actuation<R>& o = out[k];
    o.steer = steer[k];
    o.steer_rate = steer_rate;
    for (int a = 0; a < 2; ++a) {
      o.T[a] = drive[k].T[a];
      o.dT[a] = drive[k].dT[a];
      o.w_ref[a] = c.w[a];
      o.engine[a] = drive[k].engine[a];
    }
    for (int i = 0; i < 4; ++i) {
      const R command = k == 0 ? u0.torque[i] : k == 2 ? u1.torque[i] : half * (u0.torque[i] + u1.torque[i]);
      const R across = p.vectoring.share[i / 2] * s.control.vectoring;
      o.Tw[i] = command + (i % 2 == 0 ? -across : across);
      o.cap[i] = cap[i][k] + lever[k] * p.handbrake[i / 2];
    }
  }
}

inline EquipmentKind equipment_kind(const PowertrainSpec& powertrain, const ControlSpec& c) {
  EquipmentKind k{powertrain_kind(powertrain), false, c.abs.enabled, c.ebd.enabled, c.tc.enabled, c.esc.enabled,
                  c.vectoring.enabled,         false, false};
  k.hydraulics = c.hydraulics.enabled || k.abs || k.ebd || k.tc || k.esc;
  k.senses = k.abs || k.ebd || k.tc || k.esc || k.vectoring;
  k.any = k.hydraulics || k.senses || k.powertrain.source != DriveSource::plain;
  return k;
}
inline EquipmentParams<double> compile_equipment(const ChassisSpec& chassis, const BrakeSpec& b,
                                                 const DrivetrainSpec& d, const PowertrainSpec& powertrain,
                                                 const ControlSpec& c) {
  const double front = front_drive_share(d);
  const double i = d.final_drive_ratio, rear = 1 - b.brake_bias_front;
  EquipmentParams<double> p{};
  p.powertrain = compile_powertrain(powertrain, front, d.max_motor_torque * i, d.engine_rotational_inertia * i * i);
  p.brake[0] = 0.5 * b.max_brake_torque * b.brake_bias_front;
  p.brake[1] = 0.5 * b.max_brake_torque * rear;
  p.handbrake[1] = 0.5 * b.max_handbrake_torque;
  p.lag = c.hydraulics.lag;
  p.build = c.hydraulics.build_rate;
  p.release = c.hydraulics.release_rate;
  p.abs_build = c.abs.build_rate;
  p.sample_time = c.sample_time;
  p.abs = compile_abs(c, chassis.track_front, chassis.track_rear);
  p.traction = compile_traction(c.tc, p.powertrain.share);
  p.yaw = compile_yaw(c, chassis.wheelbase);
  p.vectoring = compile_vectoring(c.vectoring);
  return p;
}
// Car: a VehicleSpec
template <class Car> EquipmentKind equipment_kind(const Car& s) { return equipment_kind(s.powertrain, s.control); }
template <class Car> EquipmentParams<double> compile_equipment(const Car& s) {
  return compile_equipment(s.chassis, s.brake, s.drivetrain, s.powertrain, s.control);
}

// The equipment of a car that rolls as `view` says, brakes open.
inline EquipmentState<double> start_equipment(const EquipmentKind& kind, const EquipmentParams<double>& p,
                                              const CarView<double>& view) {
  EquipmentState<double> s{};
  const double front = 0.5 * (view.w[0] + view.w[1]), rear = 0.5 * (view.w[2] + view.w[3]);
  s.powertrain =
      start_powertrain(kind.powertrain, p.powertrain, p.powertrain.share[0] * front + p.powertrain.share[1] * rear);
  ControlState<double>& c = s.control;
  c.clock = p.sample_time;
  c.r_ref = view.r;
  c.grip = p.yaw.max_lateral;
  c.tc_left = c.throttle = 1;
  double fast = 0, slow = 1e30;
  for (std::size_t i = 0; i < 4; ++i) {
    const double rim = view.w[i] * view.radius[i], speed = rim < 0 ? -rim : rim;
    c.speed.rim[i] = speed;
    c.valve[i] = 2;
    c.since[i] = 2 * kAbsMemory;
    fast = speed > fast ? speed : fast;
    slow = speed < slow ? speed : slow;
  }
  c.speed.v = 0.5 * (fast + slow);
  return s;
}

}  // namespace vdsim
