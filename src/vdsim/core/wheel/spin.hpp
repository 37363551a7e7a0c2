// SPDX-License-Identifier: Apache-2.0
// The wheels of one axle turn: drive, dry friction and road. Every level uses this. docs/theory/07_wheels_brakes_drive.md.
#pragma once
#include "vdsim/core/vehicle/stage.hpp"

namespace vdsim {

// What the body of a sprung level needs to know of an axle.
template <class R> struct AxleSpin {
  R wdot[2];  // spin rate if the body did not pitch [rad/s^2]
  R roll[2];  // rolling resistance in effect, against forward spin [N m]
  R e;        // engine/4 [kg m^2]
};

// What acts on the wheels of an axle besides dry friction, and the capacity of that.
template <class R, Level Lv, class Laws> VD_FN AxleTorque<R> axle_torque(const Model<R, Lv, Laws>& m,
                                                                         const State<R, Lv>& s, const Stage<R, Lv>& g,
                                                                         int a, const Outputs<R, Lv>& o) {
  constexpr int n = kWheels<Lv> / 2;
  const int side[2] = {a * n, a * n + n - 1};
  AxleTorque<R> t;
  t.T = g.T[a];
  if (m.kind.equipment && g.equipped)
    t.T += g.dT[a] * (R(0.5) * (s.wheel[side[0]].w + s.wheel[side[1]].w) - g.w_ref[a]);
  t.e = R(0.25) * g.engine[a];
  VD_UNROLL for (int k = 0; k < 2; ++k) {
    const WheelOut<R>& q = o.wheel[side[k]];
    t.f[k] = R(0.5) * t.T - q.contact.Re * q.force.Fx;
    if (m.kind.equipment && g.equipped) t.f[k] += g.Tw[side[k]];
    t.cap[k] = g.cap[side[k]] + q.moment.roll;
  }
  return t;
}

// Dry friction, drive and road on the wheels of one axle; `grip` is decided by the first evaluation of a step and kept.
template <class R, Level Lv, class Laws>
VD_FN AxleSpin<R> spin_axle(const Model<R, Lv, Laws>& m, const State<R, Lv>& s, const Stage<R, Lv>& g, int a,
                            bool decide, const Outputs<R, Lv>& o, Grip<R>& grip, Rates<R, Lv>& d) {
  constexpr int n = kWheels<Lv> / 2;
  const int side[2] = {a * n, a * n + n - 1};
  const AxleParams<R>& p = m.p.axle[a];
  const AxleTorque<R> t = axle_torque(m, s, g, a, o);
  AxleSpin<R> out;
  R k2[2], w[2], N[2];
  out.e = t.e;
  VD_UNROLL for (int k = 0; k < 2; ++k) {
    const WheelOut<R>& q = o.wheel[side[k]];
    w[k] = s.wheel[side[k]].w;
    k2[k] = sq(q.contact.Re) * q.force.slope;
  }
  if (decide) grip = decide_grip(m.kind.axle[a], p, t, w[0], w[1]);
  net_torque(m.kind.axle[a], p, t, grip, N);
  spin_rates(p, t.e, grip, N, out.wdot);
  const R pair = (k2[0] + k2[1]) / (R(2.0) * p.I + R(4.0) * t.e), inv_I = R(1.0) / p.I;
  const R count = R(kCount<Lv>);
  VD_UNROLL for (int k = 0; k < n; ++k) {
    const int i = side[k];
    const R L = select(grip.held[k], R(0.0), select(grip.lock, pair, k2[k] * inv_I));
    d.wheel[i].w = {L, out.wdot[k] + L * w[k]};
    d.torque[i] = N[k];
    d.power.drive += count * R(0.5) * t.T * w[k];
    if (m.kind.equipment && g.equipped) d.power.drive += count * g.Tw[i] * w[k];
    d.power.brake += count * grip.sgn[k] * g.cap[i] * w[k];
    d.power.rolling += count * grip.sgn[k] * o.wheel[i].moment.roll * w[k];
    if constexpr (kSprung<Lv>) {
      const R roll = o.wheel[i].moment.roll, share = clamp(t.f[k] / max(t.cap[k], R(kTiny)), R(-1.0), R(1.0));
      out.roll[k] = select(grip.held[k], share, grip.sgn[k]) * roll;
    }
  }
  if (n == 2 && m.kind.axle[a].lsd) d.power.brake += grip.clutch * lsd_capacity(p, t.T) * (w[0] - w[1]);
  return out;
}

// What the front tires do to the steering.  [T15.1]
template <class R, Level Lv, class Laws> VD_FN void turn_rack(const Model<R, Lv, Laws>& m, const State<R, Lv>& s,
                                                              const Stage<R, Lv>& g, const Outputs<R, Lv>& o,
                                                              Rates<R, Lv>& d) {
  const auto torque = [&](int i) { return steering_axis_torque(m.p.rack, o.wheel[i].moment.Mz, o.wheel[i].Fy); };
  const R T = Lv == Level::L1 ? R(2.0) * torque(0) : torque(0) + torque(kWheels<Lv> / 2 - 1);
  d.rack = rack_rates(m.p.rack, s.rack, g.steer, g.steer_rate, T);
}

// [T09.5]  w_i' = (G N)_i - sum_k b_ik (u_k . omega)', b = G I: how the wheels of an axle answer when the body turns about them
template <class R> VD_FN void spin_answer(const AxleParams<R>& p, R e, const Grip<R>& g, R b[2][2]) {
  const R zero = R(0.0), I = p.I, inv_det = R(1.0) / (I * (I + R(2.0) * e));
  const R pair = I / (R(2.0) * I + R(4.0) * e), own = I * (I + e) * inv_det, cross = -I * e * inv_det,
          single = I / (I + e);
  VD_UNROLL for (int i = 0; i < 2; ++i) {
    const int o = 1 - i;
    b[i][i] = select(g.held[i], zero, select(g.lock, pair, select(g.held[o], single, own)));
    b[i][o] = select(g.held[i] | g.held[o], zero, select(g.lock, pair, cross));
  }
}

}  // namespace vdsim
