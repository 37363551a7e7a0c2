// SPDX-License-Identifier: Apache-2.0
// What lies between the driver's commands and the car: powertrain, brake hydraulics, controllers.
// docs/theory/13_powertrain.md, 14_brakes_and_control.md.
#pragma once
#include "vdsim/core/brake/hydraulics.hpp"
#include "vdsim/core/vehicle/controllers.hpp"
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

// Brake capacity of one wheel at the three instants; d: what is asked of it there [N m].
template <class R> VD_FN void brake_wheel(const EquipmentKind& kind, const EquipmentParams<R>& p,
                                          const ControlState<R>& s, int i, const R d[3], R h, R& torque, R cap[3]) {
  if (!kind.hydraulics) {
    for (int k = 0; k < 3; ++k) cap[k] = d[k];
    return;
  }
  const R full = p.brake[i / 2], most = s.limit[std::size_t(i)];
  const LineParams<R> line{p.lag, full * p.build, full * p.release};
  const R c0 = min(d[0], most), c1 = min(d[2], most);
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
  if (kind.senses) control_step(kind, p, view, u0.brake, s.brake, h, s.control);
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
  for (std::size_t a = 0; a < 2; ++a) s.control.engine[a] = drive[2].engine[a];
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
  p.sample_time = c.sample_time;
  p.abs = compile_abs(c, chassis);
  p.traction = compile_traction(c.tc, p.powertrain.share);
  p.yaw = compile_yaw(c, chassis.wheelbase, chassis.cg_to_rear);
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
  c.rear.grip = p.yaw.max_lateral;
  c.rear.r = view.r;
  c.tc_search = start_search(p.traction.search);
  c.tc_left = c.throttle = 1;
  double fast = 0, slow = 1e30;
  for (std::size_t i = 0; i < 4; ++i) {
    const double rim = view.w[i] * view.radius[i], speed = rim < 0 ? -rim : rim;
    c.speed.rim[i] = speed;
    c.limit[i] = c.abs.limit[i] = kNoLimit;
    c.abs.search[i] = start_search(p.abs.search);
    c.since[i] = 2 * kAbsMemory;
    fast = speed > fast ? speed : fast;
    slow = speed < slow ? speed : slow;
  }
  c.speed.v = 0.5 * (fast + slow);
  return s;
}

}  // namespace vdsim
