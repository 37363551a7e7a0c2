// SPDX-License-Identifier: Apache-2.0
// RK4 and Euler, the generic parts of every step: affine wheel states, dry friction, impulse match. docs/theory/02_integration.md.
// budget: RK4 and Euler share every piece but the last function.
// Body states advance as usual. Tire states and spin are handed over as y' = v - L y with L up to 1e6 1/s, and one
// primitive, adv(), carries them all: exact fixed point, L-stable, fourth order, no exp.
#pragma once
#include "vdsim/core/vehicle/body_states.hpp"

namespace vdsim {

// [T02.3]  bounds the commutators for L h >> 1 without costing order
template <class R> VD_FN R bound(R x) { return R(1.0) / (R(1.0) + x * x * R(1.0 / 36.0)); }

template <class R> VD_FN void add_power(Power<R>& sum, R weight, const Power<R>& p) {
  sum.drive += weight * p.drive;
  sum.gravity += weight * p.gravity;
  sum.brake += weight * p.brake;
  sum.rolling += weight * p.rolling;
  sum.drag += weight * p.drag;
  sum.contact += weight * p.contact;
  sum.steer += weight * p.steer;
  sum.hold += weight * p.hold;
  sum.damper += weight * p.damper;
}

// Where the next load solution starts: the last one, plus what the bristles have gained since. On springs there is none.
template <class R, Level Lv, class Laws>
requires(kSprung<Lv>) VD_FN void guess_loads(const Model<R, Lv, Laws>&, const Stage<R, Lv>&, const Outputs<R, Lv>&,
                                             const Rates<R, Lv>&, State<R, Lv>&) {}
template <class R, Level Lv, class Laws>
requires(!kSprung<Lv>) VD_FN void guess_loads(const Model<R, Lv, Laws>& m, const Stage<R, Lv>& g,
                                              const Outputs<R, Lv>& o, const Rates<R, Lv>& d, State<R, Lv>& s) {
  R fx[kWheels<Lv>], fy[kWheels<Lv>];
  VD_UNROLL for (int i = 0; i < kWheels<Lv>; ++i) {
    const WheelForces<R> d = force_gained(m.kind.tire[i], m.p.wheel[i].tire, o.wheel[i].force, s.wheel[i]);
    fx[i] = g.angle[i].c * d.Fx - g.angle[i].s * d.Fy;
    fy[i] = g.angle[i].s * d.Fx + g.angle[i].c * d.Fy;
  }
  const BodyForce<R> F = sum_forces(m, fx, fy);
  s.ax = d.ax + F.Fx * m.p.inv_m;
  s.ay = d.ay + F.Fy * m.p.inv_m;
}

template <class R, Level Lv, class Laws>
VD_FN void keep_limits(const Model<R, Lv, Laws>& m, State<R, Lv>& s, const Outputs<R, Lv>& o) {
  VD_UNROLL for (int i = 0; i < kWheels<Lv>; ++i) keep_limit(m.kind.tire[i], o.wheel[i], s.wheel[i]);
}
template <class R, Level Lv, class Laws>
VD_FN void apply_limits(const Model<R, Lv, Laws>& m, State<R, Lv>& s, const Outputs<R, Lv>& o) {
  VD_UNROLL for (int i = 0; i < kWheels<Lv>; ++i)
      apply_limit(m.kind.tire[i], m.p.wheel[i].tire, o.wheel[i].force, s.wheel[i]);
}

// Dry friction stops a wheel, it never reverses it; a clutch joins two wheels, it never lets one overtake the other.  [T07.4]
template <class R, Level Lv, class Laws>
VD_FN void stop_at_zero(const Model<R, Lv, Laws>& m, const Grip<R> grip[2], State<R, Lv>& s) {
  constexpr int n = kWheels<Lv> / 2;
  VD_UNROLL for (int a = 0; a < 2; ++a) {
    if (n == 2 && m.kind.axle[a].lsd) {
      R &l = s.wheel[2 * a].w, &r = s.wheel[2 * a + 1].w;
      const mask_t<R> crossed = (l - r) * grip[a].clutch < R(0.0);
      const R mean = R(0.5) * (l + r);
      l = select(crossed, mean, l);
      r = select(crossed, mean, r);
    }
    VD_UNROLL for (int k = 0; k < n; ++k) {
      R& w = s.wheel[a * n + k].w;
      w = select(grip[a].held[k] | (grip[a].dry[k] & (w * grip[a].sgn[k] < R(0.0))), R(0.0), w);
    }
  }
}

// At the end of a step on springs the body gets back what the wheels that were stopped did not take: it has their reaction as if
// they had gone on to the spin they are given here with.  [T07.7]
template <class R, Level Lv, class Laws>
VD_FN void stop_wheels(const Model<R, Lv, Laws>& m, const Grip<R> grip[2], const Outputs<R, Lv>& o, State<R, Lv>& s) {
  if constexpr (kSprung<Lv>) {
    R lost[4];
    for (int i = 0; i < 4; ++i) lost[i] = s.wheel[i].w;
    stop_at_zero(m, grip, s);
    for (int i = 0; i < 4; ++i) lost[i] = select(s.wheel[i].w == R(0.0), lost[i], R(0.0));
    return_spin(m, o, lost, s);
  } else {
    stop_at_zero(m, grip, s);
  }
}

// [T02.4]  Impulse match: what the road took from each wheel over the step, by its change of spin, is what the body must get.
// O(h^5) in smooth motion; restores momentum when the spin is much faster than the step.
template <class R, Level Lv, class Laws> VD_FN void impulse_match(const Model<R, Lv, Laws>& m, const State<R, Lv>& from,
                                                                  const Stage<R, Lv>& g, const R torque[kWheels<Lv>],
                                                                  const Outputs<R, Lv>& o, R h, State<R, Lv>& s) {
  constexpr int n = kWheels<Lv> / 2;
  const R zero = R(0.0), inv_h = R(1.0) / h;
  R along[kWheels<Lv>], across[kWheels<Lv>];
  VD_UNROLL for (int a = 0; a < 2; ++a) {
    const int side[2] = {a * n, a * n + n - 1};
    const R e = R(0.25) * g.engine[a], I = m.p.axle[a].I;
    R dw[2], dN[2], dF[2], Re[2];
    VD_UNROLL for (int k = 0; k < 2; ++k) dw[k] = (s.wheel[side[k]].w - from.wheel[side[k]].w) * inv_h;
    VD_UNROLL for (int k = 0; k < 2; ++k) {
      Re[k] = o.wheel[side[k]].contact.Re;
      dN[k] = torque[side[k]] - (I * dw[k] + e * (dw[0] + dw[1]));
      dF[k] = dN[k] / Re[k];
    }
    // wheels that turn as one, or that the clutch joined in this step: only the sum of dN is known. Their difference is what goes
    // from one to the other, and no part of a force of the road, whatever their radii.
    R shared = R(0.5) * (dF[0] + dF[1]);
    mask_t<R> joined(false);
    if (m.kind.axle[a].locked || m.kind.axle[a].lsd) {
      joined = s.wheel[side[0]].w == s.wheel[side[1]].w;
      shared = shared - R(0.25) * (dN[0] - dN[1]) * (Re[1] - Re[0]) / (Re[0] * Re[1]);
    }
    VD_UNROLL for (int k = 0; k < n; ++k) {
      const int i = side[k];
      along[i] = select(s.wheel[i].w == zero, zero, select(joined, shared, dF[k]));
      across[i] = zero;
    }
  }
  push_body(m, g, o, along, across, h, s);
}

// Commands at the start, middle and end of a step; equal commands share their geometry.
template <class R, Level Lv> struct Stages { Stage<R, Lv> at[3]; };
template <class R, Level Lv, class Laws>
VD_FN void make_stages(const Model<R, Lv, Laws>& m, const Orders<R>& u, R h, Stages<R, Lv>& g) {
  const R half = R(0.5) * h;
  g.at[0] = stage_at(m, u, 0, h, R(0.0));
  // one object for both is known while compiling
  const bool held = &u.u0 == &u.u1 || all((u.u0.steer == u.u1.steer) & (u.u0.throttle == u.u1.throttle) &
                                          (u.u0.brake == u.u1.brake) & (u.u0.handbrake == u.u1.handbrake));
  if (held && !(m.kind.equipment && u.act)) {
    g.at[1] = g.at[2] = g.at[0];
    g.at[1].since = half;
    g.at[2].since = h;
    return;
  }
  g.at[1] = stage_at(m, u, 1, h, half);
  g.at[2] = stage_at(m, u, 2, h, h);
}

// The four stages of a step, held as three, so that fewer numbers live at once. Of the affine states, once the third stage
// has been used, mid is second + third; of the body first + 2 (second + third).
template <class R, Level Lv> struct StageRates { Rates<R, Lv> first, mid, last; };

template <class R> VD_INLINE R plus(const R& a, const R& b) { return a + b; }
template <class R> VD_INLINE Affine<R> plus(const Affine<R>& a, const Affine<R>& b) { return {a.L + b.L, a.v + b.v}; }
// (1, 2, 2, 1)/6 mean; bc: sum of the middle two; abc: a + 2 bc
template <class R> VD_INLINE R sum3(const R& a, const R& b, const R& c) { return a + R(2.0) * (b + c); }
template <class R>
VD_INLINE std::array<R, 4> sum3(const std::array<R, 4>& a, const std::array<R, 4>& b, const std::array<R, 4>& c) {
  return {sum3(a[0], b[0], c[0]), sum3(a[1], b[1], c[1]), sum3(a[2], b[2], c[2]), sum3(a[3], b[3], c[3])};
}
template <class R> VD_INLINE R mean(const R& abc, const R& d) { return (abc + d) * R(1.0 / 6.0); }
template <class R> VD_INLINE std::array<R, 4> mean(const std::array<R, 4>& abc, const std::array<R, 4>& d) {
  return {mean(abc[0], d[0]), mean(abc[1], d[1]), mean(abc[2], d[2]), mean(abc[3], d[3])};
}
template <class R> VD_INLINE R mean(const R& a, const R& bc, const R& d) { return mean(a + R(2.0) * bc, d); }
// The affine states after each RK4 stage, always from the start value y0.  [T02.2], RKMK4 on the affine group:
//   y2 = adv(y0, L1, v1, h/2)                                      y3 = adv(y0, L2, v2 - h/4 (L2 v1 - L1 v2) g(L2 h), h/2)
//   y4 = adv(y0, L3, v3, h)                                        y  = adv(y0, Lm, vm - h/12 (L4 v1 - L1 v4) g(Lm h), h)
template <class R> VD_FN R rkmk4_end(R y0, const Affine<R>& a1, const Affine<R>& a23, const Affine<R>& a4, R h) {
  const R Lm = mean(a1.L, a23.L, a4.L), vm = mean(a1.v, a23.v, a4.v);
  return adv(y0, Lm, vm - h * R(1.0 / 12.0) * (a4.L * a1.v - a1.L * a4.v) * bound(Lm * h), h);
}
template <class R> VD_FN R rkmk4(int stage, R y0, const Affine<R>& a1, const Affine<R>& a2, const Affine<R>& a3,
                                 const Affine<R>& a4, R h) {
  const R half = R(0.5) * h;
  if (stage == 1) return adv(y0, a1.L, a1.v, half);
  if (stage == 2) return adv(y0, a2.L, a2.v - R(0.25) * h * (a2.L * a1.v - a1.L * a2.v) * bound(a2.L * h), half);
  if (stage == 3) return adv(y0, a3.L, a3.v, h);
  return rkmk4_end(y0, a1, plus(a2, a3), a4, h);
}
// The same on StageRates.
template <class R>
VD_FN R rkmk4(int stage, R y0, const Affine<R>& first, const Affine<R>& mid, const Affine<R>& last, R h) {
  return stage == 4 ? rkmk4_end(y0, first, mid, last, h) : rkmk4(stage, y0, first, mid, last, last, h);
}

template <class R, Level Lv, class Laws> VD_FN void advance_wheels(const Model<R, Lv, Laws>& m, int stage,
                                                                   const State<R, Lv>& y0, const StageRates<R, Lv>& d,
                                                                   R h, State<R, Lv>& s) {
  VD_UNROLL for (int i = 0; i < kWheels<Lv>; ++i) each_affine<R>(m.kind.tire[i], [&](auto state, auto rate) {
    s.wheel[i].*state =
        rkmk4(stage, y0.wheel[i].*state, d.first.wheel[i].*rate, d.mid.wheel[i].*rate, d.last.wheel[i].*rate, h);
  });
}

// The rack: place and speed as the body, its friction as a bristle.  [T15.2]
template <class R, Level Lv, class Laws> VD_FN void advance_rack(const Model<R, Lv, Laws>& m, int stage,
                                                                 const State<R, Lv>& y0, const StageRates<R, Lv>& d,
                                                                 R h, State<R, Lv>& s) {
  if (!m.kind.rack) return;
  const R dt = stage < 3 ? R(0.5) * h : h;
  const RackRates<R>&a = d.first.rack, &b = d.mid.rack, &c = d.last.rack, &k = stage == 1 ? a : stage == 2 ? b : c;
  s.rack.x = y0.rack.x + dt * (stage < 4 ? k.dx : mean(a.dx, b.dx, c.dx));
  s.rack.v = y0.rack.v + dt * (stage < 4 ? k.dv : mean(a.dv, b.dv, c.dv));
  s.rack.z = rkmk4(stage, y0.rack.z, a.z, b.z, c.z, h);
}

// States that a tire law advances itself.
template <class R, Level Lv, class Laws>
VD_FN void advance_own(const Model<R, Lv, Laws>& m, const Outputs<R, Lv>& o, R dt, State<R, Lv>& s) {
  VD_UNROLL for (int i = 0; i < kWheels<Lv>; ++i)
      tire_advance(m.kind.tire[i], m.p.wheel[i].tire, o.wheel[i], dt, s.wheel[i]);
}

// After the third stage.
template <class R, Level Lv, class Laws> VD_FN void join_stages(const Model<R, Lv, Laws>& m, StageRates<R, Lv>& d) {
  each_body<R, Lv>([&](auto, auto rate) { d.mid.*rate = sum3(d.first.*rate, d.mid.*rate, d.last.*rate); });
  VD_UNROLL for (int i = 0; i < kWheels<Lv>; ++i) {
    each_affine<R>(m.kind.tire[i],
                   [&](auto, auto rate) { d.mid.wheel[i].*rate = plus(d.mid.wheel[i].*rate, d.last.wheel[i].*rate); });
    d.mid.torque[i] = sum3(d.first.torque[i], d.mid.torque[i], d.last.torque[i]);
  }
  if (!m.kind.rack) return;
  RackRates<R>& k = d.mid.rack;
  k.dx = plus(k.dx, d.last.rack.dx);
  k.dv = plus(k.dv, d.last.rack.dv);
  k.z = plus(k.z, d.last.rack.z);
}
// (1, 2, 2, 1)/6 mean of the stages: body, net torques.
template <class R, Level Lv> VD_FN void mean_rates(const StageRates<R, Lv>& d, Rates<R, Lv>& k) {
  each_body<R, Lv>([&](auto, auto rate) { k.*rate = mean(d.mid.*rate, d.last.*rate); });
  VD_UNROLL for (int i = 0; i < kWheels<Lv>; ++i) k.torque[i] = mean(d.mid.torque[i], d.last.torque[i]);
}

template <class R, Level Lv> VD_FN void keep_evaluation(const Stage<R, Lv>& g, const Outputs<R, Lv>& o,
                                                        const Rates<R, Lv>& d, const Grip<R> grip[2],
                                                        Evaluation<R, Lv>* eval) {
  if (!eval) return;
  eval->stage = g, eval->outputs = o, eval->rates = d, eval->at_start = false;
  for (int a = 0; a < 2; ++a) eval->grip[a] = grip[a];
}

// Classical RK4 for the body, RKMK4 for the wheels; commands run linearly from u0 to u1. Returns the mean power of the step.
template <class R, Level Lv, class Laws> VD_FN Power<R> step_rk4(const Model<R, Lv, Laws>& m, State<R, Lv>& s,
                                                                 const Orders<R>& u, R h,
                                                                 Evaluation<R, Lv>* eval = nullptr) {
  Stages<R, Lv> g;
  make_stages(m, u, h, g);
  const R sixth = R(1.0 / 6.0), third = R(1.0 / 3.0);
  Outputs<R, Lv> o;
  StageRates<R, Lv> d;
  Power<R> power{};
  Grip<R> grip[2];
  point_wheels(m, s, g.at[0]);
  if (eval && eval->at_start) {
    o = eval->outputs, d.first = eval->rates;
    for (int a = 0; a < 2; ++a) grip[a] = eval->grip[a];
  } else {
    deriv(m, s, g.at[0], true, grip, o, d.first);
  }
  add_power(power, sixth, d.first.power);
  keep_limits(m, s, o);
  const State<R, Lv> y0 = s;
  VD_UNROLL for (int stage = 1; stage <= 3; ++stage) {
    const Rates<R, Lv>& from = stage == 1 ? d.first : stage == 2 ? d.mid : d.last;
    advance_own(m, o, R(0.25) * h, s);
    move_body(s, y0, from, stage == 3 ? h : R(0.5) * h);
    advance_wheels(m, stage, y0, d, h, s);
    advance_rack(m, stage, y0, d, h, s);
    stop_at_zero(m, grip, s);
    guess_loads(m, g.at[1], o, from, s);
    if (stage == 3) join_stages(m, d);
    Stage<R, Lv>& now = g.at[stage == 3 ? 2 : 1];
    Rates<R, Lv>& to = stage == 1 ? d.mid : d.last;
    point_wheels(m, s, now);
    deriv(m, s, now, false, grip, o, to);
    add_power(power, stage == 3 ? sixth : third, to.power);
  }
  advance_own(m, o, R(0.25) * h, s);
  Rates<R, Lv> k;
  mean_rates(d, k);
  move_body(s, y0, k, h);
  advance_wheels(m, 4, y0, d, h, s);
  advance_rack(m, 4, y0, d, h, s);
  apply_limits(m, s, o);
  stop_wheels(m, grip, o, s);
  guess_loads(m, g.at[2], o, d.last, s);
  impulse_match(m, y0, g.at[1], k.torque, o, h, s);
  keep_unit(s);
  keep_evaluation(g.at[2], o, d.last, grip, eval);
  return power;
}

// Long steps: the rack by backward Euler, with the torque of the start.  [T15.6]
template <class R, Level Lv, class Laws> VD_FN void rack_at_end(const Model<R, Lv, Laws>& m, const Orders<R>& u,
                                                                const Rates<R, Lv>& d, const State<R, Lv>& y0, R h,
                                                                State<R, Lv>& s) {
  if (!m.kind.rack) return;
  const R hand = u.act ? u.act[2].steer : u.u1.steer,
          rate = u.act ? u.act[2].steer_rate : (u.u1.steer - u.u0.steer) / h;
  s.rack = rack_implicit(m.p.rack, y0.rack, hand, rate, d.rack.T, h);
}

// Forward Euler for the body, adv() for the wheels; spin first, so that the bristle sees the new wheel speed: taken both
// from the start, wheel and bristle would excite each other.  [T02.9]
template <class R, Level Lv, class Laws> VD_FN Power<R> step_euler(const Model<R, Lv, Laws>& m, State<R, Lv>& s,
                                                                   const Orders<R>& u, R h,
                                                                   Evaluation<R, Lv>* eval = nullptr) {
  Stage<R, Lv> g = stage_at(m, u, 0, h, R(0.0));
  point_wheels(m, s, g);
  Outputs<R, Lv> o;
  Rates<R, Lv> d;
  Grip<R> grip[2];
  deriv(m, s, g, true, grip, o, d);
  keep_evaluation(g, o, d, grip, eval);
  keep_limits(m, s, o);
  const State<R, Lv> y0 = s;
  advance_own(m, o, h, s);
  move_body(s, y0, d, h);
  turn_velocity(y0, h, s);
  if constexpr (kSprung<Lv>) {
    move_places(m, y0, h, s);
  } else {
    s.ax = d.ax;
    s.ay = d.ay;
  }
  VD_UNROLL for (int i = 0; i < kWheels<Lv>; ++i) s.wheel[i].w = adv(y0.wheel[i].w, d.wheel[i].w.L, d.wheel[i].w.v, h);
  stop_at_zero(m, grip, s);
  VD_UNROLL for (int i = 0; i < kWheels<Lv>; ++i)
      add_slip_x(m.kind.tire[i], o.wheel[i].slip, o.wheel[i].contact.Re * (s.wheel[i].w - y0.wheel[i].w), d.wheel[i]);
  VD_UNROLL for (int i = 0; i < kWheels<Lv>; ++i) each_affine<R>(m.kind.tire[i], [&](auto state, auto rate) {
    s.wheel[i].*state = adv(y0.wheel[i].*state, (d.wheel[i].*rate).L, (d.wheel[i].*rate).v, h);
  });
  apply_limits(m, s, o);
  stop_wheels(m, grip, o, s);
  impulse_match(m, y0, g, d.torque, o, h, s);
  rack_at_end(m, u, d, y0, h, s);
  return d.power;
}

}  // namespace vdsim
