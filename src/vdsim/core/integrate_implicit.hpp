// SPDX-License-Identifier: Apache-2.0
// Linearly implicit Euler: one evaluation per step, for steps of 5 to 10 ms and for batches. docs/theory/02_integration.md.
// Bristle, spin and dry friction of an axle are solved together at the end of the step; the body follows.
#pragma once
#include "vdsim/core/integrate_rk4.hpp"

namespace vdsim {

template <class R> VD_FN R beyond(R x, R cap) { return x - clamp(x, -cap, cap); }

// [T02.7]  A w' + friction = b, |friction| <= cap, opposing w': exact where no wheel changes between stick and slip,
// settled by projected sweeps where one does. Sticking follows from the clamp.
template <class R, class Axle> VD_FN void solve_axle(const Axle& kind, const R A[2], R ee, const R b_in[2],
                                                     const R cap[2], R clutch_cap, const R w0[2], R w[2]) {
  if (kind.locked) {
    w[0] = w[1] = beyond(b_in[0] + b_in[1], cap[0] + cap[1]) / (A[0] + A[1] + R(4.0) * ee);
    return;
  }
  const R a0 = A[0] + ee, a1 = A[1] + ee, inv = R(1.0) / (a0 * a1 - ee * ee);
  R b[2] = {b_in[0], b_in[1]};
  R tau[2];
  VD_UNROLL for (int i = 0; i < 2; ++i) tau[i] = sign(w0[i]) * cap[i];
  if (kind.lsd) {
    const R l = ((b[0] - tau[0]) * a1 - (b[1] - tau[1]) * ee) * inv,
            r = ((b[1] - tau[1]) * a0 - (b[0] - tau[0]) * ee) * inv;
    const R c = clamp((l - r) / ((a0 + a1 + R(2.0) * ee) * inv), -clutch_cap, clutch_cap);
    b[0] -= c;
    b[1] += c;
  }
  w[0] = ((b[0] - tau[0]) * a1 - (b[1] - tau[1]) * ee) * inv;
  w[1] = ((b[1] - tau[1]) * a0 - (b[0] - tau[0]) * ee) * inv;
  for (int sweep = 0; sweep < 4; ++sweep) {  // both from the same start: mirror images keep their bits
    const R l = beyond(b[0] - ee * w[1], cap[0]) / a0, r = beyond(b[1] - ee * w[0], cap[1]) / a1;
    w[0] = l;
    w[1] = r;
  }
}

// Spins at the end of the step and the forces that go with them.
template <class R, Level Lv, class Laws>
VD_FN void implicit_axle(const Model<R, Lv, Laws>& m, int a, const Stage<R, Lv>& g, const State<R, Lv>& y0,
                         const Outputs<R, Lv>& o, const Rates<R, Lv>& d, R h, State<R, Lv>& s, R Fx[kWheels<Lv>]) {
  constexpr int n = kWheels<Lv> / 2;
  const AxleParams<R>& p = m.p.axle[a];
  const R inv_h = R(1.0) / h, e = R(0.25) * g.engine[a];
  const int side[2] = {a * n, a * n + n - 1};
  ForceLine<R> line[2];
  R A[2], b[2], cap[2], w0[2], w[2];
  VD_UNROLL for (int k = 0; k < 2; ++k) w0[k] = y0.wheel[side[k]].w;
  const R T = m.kind.equipment && g.equipped ? g.T[a] + g.dT[a] * (R(0.5) * (w0[0] + w0[1]) - g.w_ref[a]) : g.T[a];
  VD_UNROLL for (int k = 0; k < 2; ++k) {
    const int i = side[k];
    line[k] = force_line(m.kind.tire[i], m.p.wheel[i].tire, y0.wheel[i], o.wheel[i], d.wheel[i], h);
    const mask_t<R> lifted = !(o.wheel[i].Fz > R(0.0));  // its bristles touch nothing
    line[k].F0 = select(lifted, R(0.0), line[k].F0);
    line[k].slope = select(lifted, R(0.0), line[k].slope);
    cap[k] = g.cap[i] + o.wheel[i].moment.roll;
  }
  const auto solve = [&] {
    VD_UNROLL for (int k = 0; k < 2; ++k) {
      const R Re = o.wheel[side[k]].contact.Re;
      A[k] = p.I * inv_h + sq(Re) * line[k].slope;
      b[k] = (p.I * w0[k] + e * (w0[0] + w0[1])) * inv_h + R(0.5) * T - Re * line[k].F0;
      if (m.kind.equipment && g.equipped) b[k] += g.Tw[side[k]];
    }
    solve_axle(m.kind.axle[a], A, e * inv_h, b, cap, lsd_capacity(p, T), w0, w);
  };
  solve();
  bool flat = false;  // beyond the peak some laws have a flat line, for the wheel as for the body
  VD_UNROLL for (int k = 0; k < 2; ++k) flat = saturate(m.kind.tire[side[k]], o.wheel[side[k]], w[k], line[k]) || flat;
  if (flat) {
    solve();
  }
  VD_UNROLL for (int k = 0; k < n; ++k) {
    const int i = side[k];
    const R u = o.wheel[i].contact.Re * w[k];
    s.wheel[i].w = w[k];
    Fx[i] = line[k].F0 + line[k].slope * u;
    tire_turned(m.kind.tire[i], line[k], u, s.wheel[i]);
  }
}

// The remaining tire states, and the force at the end of the step; with the fallback also its brake-hold damper.
template <class R, Level Lv, class Laws>
VD_FN WheelForces<R> implicit_tire(const Model<R, Lv, Laws>& m, int i, const WheelOut<R>& o, const WheelAffine<R>& rate,
                                   R h, R Fx, WheelState<R>& w) {
  WheelForces<R> F{Fx, o.Fy};
  tire_finish(m.kind.tire[i], m.p.wheel[i].tire, o, rate, o.Fz, h, w, F);
  if (m.kind.blend) F.Fx += o.Fx - o.force.Fx;
  return F;
}

// [T02.8]  Across, the bristles see the velocity of the middle of the step and the body the mean of the forces at both ends
// (velocity Verlet: second order, neither damped nor growing where the tire is a spring). Along, wheel and body must
// get the same impulse: the force at the end, all of it.
template <class R, Level Lv, class Laws> VD_FN void side_speed_at_mid(const Model<R, Lv, Laws>& m,
                                                                      const Stage<R, Lv>& g, R h, Outputs<R, Lv>& o,
                                                                      Rates<R, Lv>& d) {
  VD_UNROLL for (int i = 0; i < kWheels<Lv>; ++i) {
    const auto& q = m.p.wheel[i];
    R ax = d.vx - d.r * q.y, ay = d.vy + d.r * q.x;
    if constexpr (kSprung<Lv>) ay -= d.p * o.corner[i].at.z, ax += d.q * o.corner[i].at.z;
    const R dVy = R(0.5) * h * (g.angle[i].c * ay - g.angle[i].s * ax);
    add_slip_y(m.kind.tire[i], -dVy, o.wheel[i].slip, d.wheel[i]);
  }
}

// The body gets, beyond the forces at the start of the step, what the tires give more. Places by the mean of old and new
// speeds: little depends on them.
template <class R, Level Lv, class Laws>
requires(!kSprung<Lv>) VD_FN
    void implicit_body(const Model<R, Lv, Laws>& m, const Stage<R, Lv>& g, const Outputs<R, Lv>& o,
                       const Rates<R, Lv>& d, const R along[kWheels<Lv>], const R across[kWheels<Lv>],
                       const State<R, Lv>& y0, R h, State<R, Lv>& s) {
  const R half = R(0.5);
  const BodyForce<R> F = sum_forces(m, g, along, across);
  s.vx = y0.vx + h * (d.vx + F.Fx * m.p.inv_m);
  s.vy = y0.vy + h * (d.vy + F.Fy * m.p.inv_m);
  s.r = y0.r + h * (d.r + F.Mz * m.p.inv_Iz);
  turn_velocity(y0, h, s);
  s.ax = d.ax + F.Fx * m.p.inv_m;
  s.ay = d.ay + F.Fy * m.p.inv_m;
  R vx = half * (y0.vx + s.vx), vy = half * (y0.vy + s.vy), turn = half * (y0.r + s.r);
  plane_speeds(m, o.way, vx, vy);
  if (!m.kind.road.flat) turn = o.way.turn * turn;
  s.psi = y0.psi + h * turn;
  R cp, sp;
  sincos(half * (y0.psi + s.psi), sp, cp);
  s.x = y0.x + h * (vx * cp - vy * sp);
  s.y = y0.y + h * (vx * sp + vy * cp);
}
template <class R, Level Lv, class Laws>
requires(kSprung<Lv>) VD_FN void implicit_body(const Model<R, Lv, Laws>& m, const Stage<R, Lv>& g,
                                               const Outputs<R, Lv>& o, const Rates<R, Lv>& d, const R along[4],
                                               const R across[4], const State<R, Lv>& y0, R h, State<R, Lv>& s) {
  move_body(s, y0, d, h);
  turn_velocity(y0, h, s);
  push_body(m, g, o, along, across, h, s);
  move_places(m, y0, h, s);
}

template <class R, Level Lv, class Laws> VD_FN Power<R> step_implicit(const Model<R, Lv, Laws>& m, State<R, Lv>& s,
                                                                      const Orders<R>& u, R h,
                                                                      Evaluation<R, Lv>* eval = nullptr) {
  // the force of a contact patch is that at the end of the step, where its slope over the wheel speed holds
  Stage<R, Lv> g = stage_at(m, u, 1, h, h);
  point_wheels(m, s, g);
  Outputs<R, Lv> o;
  Rates<R, Lv> d;
  Grip<R> grip[2];
  deriv(m, s, g, true, grip, o, d);
  keep_evaluation(g, o, d, grip, eval);
  keep_limits(m, s, o);
  const State<R, Lv> y0 = s;
  side_speed_at_mid(m, g, h, o, d);
  R Fx[kWheels<Lv>], Fy[kWheels<Lv>];
  VD_UNROLL for (int a = 0; a < 2; ++a) implicit_axle(m, a, g, y0, o, d, h, s, Fx);
  VD_UNROLL for (int i = 0; i < kWheels<Lv>; ++i) {
    const WheelForces<R> F = implicit_tire(m, i, o.wheel[i], d.wheel[i], h, Fx[i], s.wheel[i]);
    Fx[i] = F.Fx;
    Fy[i] = F.Fy;
  }
  apply_limits(m, s, o);
  // body: what the tires give more or less than at the start of the step
  R along[kWheels<Lv>], across[kWheels<Lv>];
  VD_UNROLL for (int i = 0; i < kWheels<Lv>; ++i) {
    along[i] = Fx[i] - o.wheel[i].Fx;
    across[i] = R(0.5) * (Fy[i] - o.wheel[i].Fy);
  }
  implicit_body(m, g, o, d, along, across, y0, h, s);
  if constexpr (kSprung<Lv>) {  // [T07.7]
    R lost[4];
    for (int i = 0; i < 4; ++i) {
      const Affine<R>& spin = d.wheel[i].w;
      const R w0 = y0.wheel[i].w;
      lost[i] = select((s.wheel[i].w == R(0.0)) & (w0 != R(0.0)), w0 + h * (spin.v - spin.L * w0), R(0.0));
    }
    return_spin(m, o, lost, s);
  }
  rack_at_end(m, u, d, y0, h, s);
  return d.power;
}

}  // namespace vdsim
