// SPDX-License-Identifier: Apache-2.0
// The signals of a car out of one evaluation of its equations.
#pragma once
#include <cmath>
#include <numbers>

#include "vdsim/engine/car_model.hpp"
#include "vdsim/engine/energy.hpp"

namespace vdsim {

template <class R> R length_of(const R& x, const R& y) { return sqrt(x * x + y * y); }
// asin, its argument cut to -1 .. 1
template <class R> R asin_of(const R& x) { return atan2(x, sqrt(max(R(0.0), (R(1.0) - x) * (R(1.0) + x)))); }

// What signals are made of. What has no derivatives, the equipment, is in double.
template <class R, Level Lv> struct SignalSource {
  const CarModel<Lv>& car;
  const CarState<Lv>& state;
  const Model<R, Lv>& m;
  const State<R, Lv>& s;
  const Evaluation<R, Lv>& now;
  const Inputs<R>& u;
};

template <class R, Level Lv> R heading_of(const Model<R, Lv>& m, const State<R, Lv>& s) {
  if constexpr (Lv == Level::L5) {
    const Vec3<R> ahead = frame_of(m, s).x;
    return atan2(ahead.y, ahead.x);
  } else {
    return s.psi;
  }
}

// Position and attitude of the body: angles, and the attitude as a matrix.
template <class R, Level Lv>
void add_pose(const Model<R, Lv>& m, const State<R, Lv>& s, double turns, CarNumbers<R>& r) {
  Rotation<R> q;
  r.heading = heading_of(m, s);
  r.psi = r.heading + R(turns * 2 * std::numbers::pi);
  if constexpr (Lv == Level::L5) {
    q = frame_of(m, s);
    r.roll = atan2(q.y.z, q.z.z);
    r.pitch = asin_of(-q.x.z);
    r.z = s.z;
  } else {
    if constexpr (Lv == Level::L3) r.roll = s.phi, r.pitch = s.theta, r.z = m.p.h + s.z;
    const R c = cos(r.psi), d = sin(r.psi), e = cos(r.pitch), f = sin(r.pitch), g = cos(r.roll), h = sin(r.roll);
    q = {{c * e, d * e, -f},
         {c * f * h - d * g, d * f * h + c * g, e * h},
         {c * f * g + d * h, d * f * g - c * h, e * g}};
  }
  const R rows[9] = {q.x.x, q.y.x, q.z.x, q.x.y, q.y.y, q.z.y, q.x.z, q.y.z, q.z.z};
  std::copy(rows, rows + 9, r.attitude);
  r.position[0] = s.x, r.position[1] = s.y, r.position[2] = r.z;
}

// Drive and brake on wheel i, which is side k of its axle. A brake that holds takes its share of what acts on the wheel.
template <class R, Level Lv> void add_torques(const SignalSource<R, Lv>& from, int i, WheelNumbers<R>& r) {
  constexpr int n = kWheels<Lv> / 2;
  const int a = i / n, k = i % n, other = a * n + n - 1;
  const Model<R, Lv>& m = from.m;
  const State<R, Lv>& s = from.s;
  const Stage<R, Lv>& g = from.now.stage;
  const Grip<R>& grip = from.now.grip[a];
  const WheelOut<R>& w = from.now.outputs.wheel[i];
  R T = g.T[a];
  if (g.equipped)
    T += g.dT[a] * (R(0.5) * (s.wheel[std::size_t(a * n)].w + s.wheel[std::size_t(other)].w) - g.w_ref[a]);
  r.drive_torque = R(0.5) * T + (g.equipped ? g.Tw[i] : R(0.0));
  if (n == 2 && m.kind.axle[a].lsd)
    r.drive_torque -= R(k == 0 ? 1.0 : -1.0) * grip.clutch * lsd_capacity(m.p.axle[a], T);
  const R cap = g.cap[i] + w.moment.roll, acts = r.drive_torque - w.contact.Re * w.force.Fx;
  r.held = R(grip.held[k] ? 1.0 : 0.0);
  if (cap <= R(0.0)) return;
  // brake and rolling resistance hold the wheel together, each by its share
  const R against = -(grip.held[k] ? max(-cap, min(cap, acts)) : grip.sgn[k] * cap);
  r.brake_torque = against * g.cap[i] / cap;
  r.my = against * w.moment.roll / cap;
}

// Of its equipment; L1: the left side stands for both.
template <class R, Level Lv> void add_brake(const SignalSource<R, Lv>& from, int i, WheelNumbers<R>& r) {
  const UnitParams& units = from.car.units;
  const std::size_t corner = std::size_t(Lv == Level::L1 ? 2 * i : i);
  const ControlState<double>& control = from.state.equipment.control;
  if (units.kind.hydraulics && units.p.brake[corner / 2] > 0)
    r.brake_pressure = R(from.state.equipment.brake[corner] / units.p.brake[corner / 2]);
  if (units.kind.abs) r.abs = R(control.since[corner] <= control.clock ? 1.0 : 0.0);  // as of the last sample
  if (units.kind.senses) r.control_brake = R(control.share[corner]);
}

template <class R, Level Lv> WheelNumbers<R> wheel_outputs(const SignalSource<R, Lv>& from, int i) {
  const Model<R, Lv>& m = from.m;
  const WheelState<R>& s = from.s.wheel[std::size_t(i)];
  const WheelOut<R>& w = from.now.outputs.wheel[i];
  const Contact<R>& c = w.contact;
  WheelNumbers<R> r{};
  r.omega = s.w, r.kappa = slip_ratio(c.Vr, c.Vx), r.alpha = slip_angle(c.Vy, max(abs(c.Vx), R(kSpeedEps)));
  r.fz = w.Fz, r.fx = w.Fx, r.fy = w.Fy, r.mx = w.moment.Mx, r.mz = w.moment.Mz, r.mu = w.mu;
  if (m.kind.road.ground)
    r.surface_friction = c.ground.friction, r.deformation = c.ground.deformation, r.water_depth = c.ground.water_depth;
  r.zx = w.force.zx, r.zy = w.force.zy, r.camber = c.gamma;
  r.t_tread = s.T_tread, r.t_core = s.T_core, r.tread = s.tread;
  r.fx_peak = w.force.Dx, r.fy_peak = w.force.Dy, r.re = c.Re;
  r.outside = R(outside_file(m.kind.tire[i], m.p.wheel[i].tire, s.w, w, w.Fz) ? 1.0 : 0.0);
  if constexpr (kSprung<Lv>) r.travel = from.s.travel[std::size_t(i)];
  add_torques(from, i, r);
  add_brake(from, i, r);
  return r;
}

template <class R, Level Lv> void add_equipment(const SignalSource<R, Lv>& from, CarNumbers<R>& r) {
  const UnitParams& units = from.car.units;
  const EquipmentState<double>& e = from.state.equipment;
  const DriveSource source = units.kind.powertrain.source;
  if (source == DriveSource::motor) {
    const PowertrainParams<double>& p = units.p.powertrain;
    const auto w = [&](int corner) { return from.s.wheel[std::size_t(Lv == Level::L1 ? corner / 2 : corner)].w; };
    r.engine_speed = R(p.motor.ratio * 0.5) * (R(p.share[0]) * (w(0) + w(1)) + R(p.share[1]) * (w(2) + w(3)));
  } else if (source == DriveSource::engine) {
    r.engine_speed = R(e.powertrain.engine_speed);
    r.gear = R(e.powertrain.gearbox.gear);
  }
  r.v_ref = R(e.control.speed.v), r.r_ref = R(e.control.r_ref);
  r.control_throttle = R(units.kind.senses ? e.control.throttle : 1);
}

template <class R, Level Lv> void add_air(const Model<R, Lv>& m, const State<R, Lv>& s, CarNumbers<R>& r) {
  AirVelocity<R> u{s.vx, s.vy};
  if (m.kind.road.wind) {
    if constexpr (kSprung<Lv>)
      u = through_air(m, s, frame_of(m, s));
    else
      u = through_air(m, s, cos(s.psi), sin(s.psi));
  }
  r.air_speed = length_of(u.x, u.y);
  r.air_angle = r.air_speed > R(0.1) ? atan2(u.y, u.x) : R(0.0);
}

template <class R, Level Lv> void add_signals(const SignalSource<R, Lv>& from, CarNumbers<R>& r) {
  const Model<R, Lv>& m = from.m;
  const State<R, Lv>& s = from.s;
  const Evaluation<R, Lv>& now = from.now;
  const Inputs<R>& u = from.u;
  r.t = R(from.state.clock.time), r.x = s.x, r.y = s.y, r.vx = s.vx, r.vy = s.vy, r.r = s.r;
  r.ax = now.outputs.body_ax, r.ay = now.outputs.body_ay;
  add_pose(m, s, from.state.clock.turns, r);
  r.alpha[2] = now.rates.r;
  if constexpr (kSprung<Lv>) {
    r.vz = s.vz, r.p = s.p, r.q = s.q, r.az = now.outputs.body_az;
    r.alpha[0] = now.rates.p, r.alpha[1] = now.rates.q;
  }
  for (int i = 0; i < kWheels<Lv>; ++i) r.wheel[i] = wheel_outputs(from, i);
  r.steer = m.kind.rack ? road_wheel_angle(m.p.rack, s.rack) : from.state.last.equipped ? now.stage.steer : u.steer;
  r.steer_command = u.steer, r.steer_wheel = u.steer * R(from.car.steering_ratio);
  r.throttle = u.throttle, r.brake = u.brake, r.handbrake = u.handbrake, r.gear = r.gear_command = u.gear;
  const R v = length_of(s.vx, s.vy);
  if (v > R(0.1)) {
    r.beta = atan2(s.vy, abs(s.vx));
    r.curvature = (s.vx * r.ay - s.vy * r.ax) / (v * v * v);
  }
  add_air(m, s, r);
  add_equipment(from, r);
}

template <Level Lv> CarOutputs car_outputs(const CarModel<Lv>& car, const CarState<Lv>& state,
                                           const Evaluation<double, Lv>& now, const Commands& u) {
  const Inputs<double> in = inputs(u);
  CarOutputs r{};
  add_signals(SignalSource<double, Lv>{car, state, car.model, state.motion, now, in}, r);
  r.wheels = kWheels<Lv>;
  return r;
}

}  // namespace vdsim
