// SPDX-License-Identifier: Apache-2.0
// The signals of a car out of one evaluation of its equations.
#pragma once
#include <cmath>
#include <numbers>

#include "vdsim/engine/car_model.hpp"
#include "vdsim/engine/same_math.hpp"

namespace vdsim {

template <Level Lv> double heading_of(const Model<double, Lv>& m, const State<double, Lv>& s) {
  if constexpr (Lv == Level::L5) {
    const Vec3<double> ahead = frame_of(m, s).x;
    return vdsim::atan2(ahead.y, ahead.x);
  } else {
    return s.psi;
  }
}

// Position and attitude of the body: angles, and the attitude as a matrix.
template <Level Lv> void add_pose(const Model<double, Lv>& m, const CarState<Lv>& car, CarOutputs& r) {
  const State<double, Lv>& s = car.motion;
  Rotation<double> q;
  r.heading = heading_of(m, s);
  r.psi = r.heading + car.clock.turns * 2 * std::numbers::pi;
  if constexpr (Lv == Level::L5) {
    q = frame_of(m, s);
    r.roll = vdsim::atan2(q.y.z, q.z.z);
    r.pitch = vdsim::asin(std::fmax(-1.0, std::fmin(1.0, -q.x.z)));
    r.z = s.z;
  } else {
    if constexpr (Lv == Level::L3) r.roll = s.phi, r.pitch = s.theta, r.z = m.p.h + s.z;
    const double c = vdsim::cos(r.psi), d = vdsim::sin(r.psi), e = vdsim::cos(r.pitch), f = vdsim::sin(r.pitch),
                 g = vdsim::cos(r.roll), h = vdsim::sin(r.roll);
    q = {{c * e, d * e, -f},
         {c * f * h - d * g, d * f * h + c * g, e * h},
         {c * f * g + d * h, d * f * g - c * h, e * g}};
  }
  const double rows[9] = {q.x.x, q.y.x, q.z.x, q.x.y, q.y.y, q.z.y, q.x.z, q.y.z, q.z.z};
  std::copy(rows, rows + 9, r.attitude);
  r.position[0] = s.x, r.position[1] = s.y, r.position[2] = r.z;
}

// Drive and brake on wheel i, which is side k of its axle. A brake that holds takes its share of what acts on the wheel.
template <Level Lv> void add_torques(const Model<double, Lv>& m, const State<double, Lv>& s,
                                     const Evaluation<double, Lv>& now, int i, WheelOutputs& r) {
  constexpr int n = kWheels<Lv> / 2;
  const int a = i / n, k = i % n, other = a * n + n - 1;
  const Stage<double, Lv>& g = now.stage;
  const Grip<double>& grip = now.grip[a];
  const WheelOut<double>& w = now.outputs.wheel[i];
  double T = g.T[a];
  if (g.equipped) T += g.dT[a] * (0.5 * (s.wheel[std::size_t(a * n)].w + s.wheel[std::size_t(other)].w) - g.w_ref[a]);
  r.drive_torque = 0.5 * T + (g.equipped ? g.Tw[i] : 0);
  if (n == 2 && m.kind.axle[a].lsd) r.drive_torque -= (k == 0 ? 1 : -1) * grip.clutch * lsd_capacity(m.p.axle[a], T);
  const double cap = g.cap[i] + w.moment.roll, acts = r.drive_torque - w.contact.Re * w.force.Fx;
  r.held = grip.held[k];
  if (cap <= 0) return;
  // brake and rolling resistance hold the wheel together, each by its share
  const double against = -(grip.held[k] ? std::fmax(-cap, std::fmin(cap, acts)) : grip.sgn[k] * cap);
  r.brake_torque = against * g.cap[i] / cap;
  r.my = against * w.moment.roll / cap;
}

template <Level Lv> WheelOutputs wheel_outputs(const CarModel<Lv>& car, const CarState<Lv>& state,
                                               const Evaluation<double, Lv>& now, int i) {
  const WheelState<double>& s = state.motion.wheel[std::size_t(i)];
  const WheelOut<double>& w = now.outputs.wheel[i];
  const Contact<double>& c = w.contact;
  WheelOutputs r{};
  r.omega = s.w, r.kappa = slip_ratio(c.Vr, c.Vx), r.alpha = slip_angle(c.Vy, max(abs(c.Vx), kSpeedEps));
  r.fz = w.Fz, r.fx = w.Fx, r.fy = w.Fy, r.mx = w.moment.Mx, r.mz = w.moment.Mz, r.mu = w.mu;
  if (car.model.kind.road.ground)
    r.surface_friction = c.ground.friction, r.deformation = c.ground.deformation, r.water_depth = c.ground.water_depth;
  r.zx = w.force.zx, r.zy = w.force.zy, r.camber = c.gamma;
  r.t_tread = s.T_tread, r.t_core = s.T_core, r.tread = s.tread;
  r.fx_peak = w.force.Dx, r.fy_peak = w.force.Dy, r.re = c.Re;
  r.outside = outside_file(car.model.kind.tire[i], car.model.p.wheel[i].tire, s.w, w, w.Fz);
  if constexpr (kSprung<Lv>) r.travel = state.motion.travel[std::size_t(i)];
  add_torques(car.model, state.motion, now, i, r);
  // L1: the left side stands for both
  const UnitParams& units = car.units;
  const std::size_t corner = std::size_t(Lv == Level::L1 ? 2 * i : i);
  const ControlState<double>& control = state.equipment.control;
  if (units.kind.hydraulics && units.p.brake[corner / 2] > 0)
    r.brake_pressure = state.equipment.brake[corner] / units.p.brake[corner / 2];
  if (units.kind.abs) r.abs = control.since[corner] == 0;
  if (units.kind.senses) r.control_brake = control.share[corner];
  return r;
}

template <Level Lv> void add_equipment(const CarModel<Lv>& car, const CarState<Lv>& state, CarOutputs& r) {
  const UnitParams& units = car.units;
  const EquipmentState<double>& e = state.equipment;
  const DriveSource source = units.kind.powertrain.source;
  if (source == DriveSource::motor) {
    const PowertrainParams<double>& p = units.p.powertrain;
    const CarView<double> v = view_of(car, state);
    r.engine_speed = p.motor.ratio * 0.5 * (p.share[0] * (v.w[0] + v.w[1]) + p.share[1] * (v.w[2] + v.w[3]));
  } else if (source == DriveSource::engine) {
    r.engine_speed = e.powertrain.engine_speed;
    r.gear = e.powertrain.gearbox.gear;
  }
  r.v_ref = e.control.speed.v, r.r_ref = e.control.r_ref;
  r.control_throttle = units.kind.senses ? e.control.throttle : 1;
}

template <Level Lv> void add_air(const Model<double, Lv>& m, const State<double, Lv>& s, CarOutputs& r) {
  AirVelocity<double> u{s.vx, s.vy};
  if (m.kind.road.wind) {
    if constexpr (kSprung<Lv>)
      u = through_air(m, s, frame_of(m, s));
    else
      u = through_air(m, s, vdsim::cos(s.psi), vdsim::sin(s.psi));
  }
  r.air_speed = vdsim::hypot(u.x, u.y);
  r.air_angle = r.air_speed > 0.1 ? vdsim::atan2(u.y, u.x) : 0;
}

template <Level Lv> CarOutputs car_outputs(const CarModel<Lv>& car, const CarState<Lv>& state,
                                           const Evaluation<double, Lv>& now, const Commands& u) {
  const Model<double, Lv>& m = car.model;
  const State<double, Lv>& s = state.motion;
  CarOutputs r{};
  r.t = state.clock.time, r.x = s.x, r.y = s.y, r.vx = s.vx, r.vy = s.vy, r.r = s.r;
  r.ax = now.outputs.body_ax, r.ay = now.outputs.body_ay, r.wheels = kWheels<Lv>;
  add_pose(m, state, r);
  r.alpha[2] = now.rates.r;
  if constexpr (kSprung<Lv>) {
    r.vz = s.vz, r.p = s.p, r.q = s.q, r.az = now.outputs.body_az;
    r.alpha[0] = now.rates.p, r.alpha[1] = now.rates.q;
  }
  for (int i = 0; i < kWheels<Lv>; ++i) r.wheel[i] = wheel_outputs(car, state, now, i);
  r.steer = m.kind.rack ? road_wheel_angle(m.p.rack, s.rack) : state.last.equipped ? now.stage.steer : u.steer;
  r.steer_command = u.steer, r.steer_wheel = u.steer * car.steering_ratio;
  r.throttle = u.throttle, r.brake = u.brake, r.handbrake = u.handbrake, r.gear = r.gear_command = u.gear;
  const double v = vdsim::hypot(s.vx, s.vy);
  if (v > 0.1) {
    r.beta = vdsim::atan2(s.vy, std::abs(s.vx));
    r.curvature = (s.vx * r.ay - s.vy * r.ax) / (v * v * v);
  }
  add_air(m, s, r);
  add_equipment(car, state, r);
  return r;
}

}  // namespace vdsim
