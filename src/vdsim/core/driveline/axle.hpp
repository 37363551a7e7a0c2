// SPDX-License-Identifier: Apache-2.0
// One axle: two wheels, their dry friction (brake, rolling resistance), the differential between them and the inertia
// of the engine behind it. docs/theory/07_wheels_brakes_drive.md.
#pragma once
#include "vdsim/core/math/real.hpp"

namespace vdsim {

template <class R> struct AxleParams {
  R I;                 // spin inertia of one wheel [kg m^2]
  R engine;            // engine inertia at the axle, in gear [kg m^2]
  R lsd_preload;       // [N m]
  R lsd_ramp;          // [-]
  R drive;             // torque of the axle at throttle 1 [N m]
  R brake, handbrake;  // capacity of one wheel at pedal / lever 1 [N m]
};
struct AxleKind {
  bool locked, lsd;
  constexpr bool operator==(const AxleKind&) const = default;
};

// How dry friction acts during one step, decided at its start and kept over the stages.
template <class R> struct Grip {
  R sgn[2];           // direction of wheel slip against its brake: -1, 0 (held), +1
  mask_t<R> dry[2];   // there is dry friction on the wheel at all
  mask_t<R> held[2];  // wheel sticks in it for this step
  mask_t<R> lock;     // differential turns as one piece for this step
  R clutch;           // direction of the LSD clutch's slip
};

// What acts on the two wheels besides dry friction, and how much of that there is.
template <class R> struct AxleTorque {
  R f[2];    // drive - road [N m]
  R cap[2];  // dry friction capacity: brake + handbrake + rolling resistance [N m]
  R T;       // drive torque of the axle [N m]
  R e;       // engine/4 in gear, 0 in neutral [kg m^2]
};

template <class R> VD_FN R lsd_capacity(const AxleParams<R>& p, R T) { return p.lsd_preload + p.lsd_ramp * abs(T); }

// [T07.3]  A standing wheel is held when the brake can hold the torque on it, the pull of the other wheel through the engine included.
template <class R, class A>
VD_FN Grip<R> decide_grip(const A& kind, const AxleParams<R>& p, const AxleTorque<R>& t, R wl, R wr) {
  const R zero = R(0.0), w[2] = {wl, wr};
  Grip<R> g;
  VD_UNROLL for (int i = 0; i < 2; ++i) g.dry[i] = t.cap[i] > zero;
  if (kind.locked) {
    const R f = t.f[0] + t.f[1], cap = t.cap[0] + t.cap[1];
    const mask_t<R> rest = (wl == zero), hold = rest & (abs(f) <= cap) & (cap > zero);
    g.held[0] = g.held[1] = hold;
    g.sgn[0] = g.sgn[1] = select(hold, zero, select(rest, sign(f), sign(wl)));
    g.lock = mask_t<R>(true);
    g.clutch = zero;
    return g;
  }
  const R free = R(1.0) / (p.I + t.e);
  mask_t<R> first[2];
  VD_UNROLL for (int i = 0; i < 2; ++i) first[i] = g.dry[i] & (w[i] == zero) & (abs(t.f[i]) <= t.cap[i]);
  VD_UNROLL for (int i = 0; i < 2; ++i) {
    const int o = 1 - i;
    const R turn = select(w[o] == zero, sign(t.f[o]), sign(w[o]));
    const R pull = select(first[o], zero, t.e * (t.f[o] - turn * t.cap[o]) * free);
    const R f = t.f[i] - pull;
    const mask_t<R> rest = (w[i] == zero);
    g.held[i] = g.dry[i] & rest & (abs(f) <= t.cap[i]);
    g.sgn[i] = select(g.held[i], zero, select(rest, sign(f), sign(w[i])));
  }
  g.lock = mask_t<R>(false);
  g.clutch = sign(wl - wr);
  if (kind.lsd) {
    const R need = R(0.5) * abs((t.f[0] - g.sgn[0] * t.cap[0]) - (t.f[1] - g.sgn[1] * t.cap[1]));
    const mask_t<R> same = (wl == wr);
    g.lock = same & (need <= lsd_capacity(p, t.T)) & !(g.held[0] | g.held[1]);
    g.clutch = select(g.lock, zero, select(same, sign(t.f[0] - t.f[1]), g.clutch));
  }
  return g;
}

// [T07.1]  Torque on each wheel with its dry friction and the clutch.
template <class R, class A>
VD_FN void net_torque(const A& kind, const AxleParams<R>& p, const AxleTorque<R>& t, const Grip<R>& g, R N[2]) {
  const R c = kind.lsd ? g.clutch * lsd_capacity(p, t.T) : R(0.0);
  N[0] = t.f[0] - g.sgn[0] * t.cap[0] - c;
  N[1] = t.f[1] - g.sgn[1] * t.cap[1] + c;
}

// [T07.2]  (I + e) w_l' + e w_r' = N_l and mirrored, e = engine/4; locked: (2 I + 4 e) w' = N_l + N_r; a held wheel stays.
template <class R> VD_FN void spin_rates(const AxleParams<R>& p, R e, const Grip<R>& g, const R N[2], R wdot[2]) {
  const R inv_det = R(1.0) / (p.I * (p.I + R(2.0) * e)), single = R(1.0) / (p.I + e);
  const R pair = (N[0] + N[1]) / (R(2.0) * p.I + R(4.0) * e);
  VD_UNROLL for (int i = 0; i < 2; ++i) {
    const int o = 1 - i;
    const R open = select(g.held[o], N[i] * single, ((p.I + e) * N[i] - e * N[o]) * inv_det);
    wdot[i] = select(g.held[i], R(0.0), select(g.lock, pair, open));
  }
}

}  // namespace vdsim
