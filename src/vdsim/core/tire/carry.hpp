// SPDX-License-Identifier: Apache-2.0
// A tire takes over from another one while the wheel rolls or stands: its states are set so that the contact force goes on.
// Once per change, one tire at a time. docs/theory/19_lugre_dynamic_tire.md, section 8.
#pragma once
#include <cstring>

#include "vdsim/core/tire/tire.hpp"

namespace vdsim {

// a/b, exactly 1 where they are equal: what is scaled by it keeps its bits.
inline double ratio_of(double a, double b) { return a == b ? 1 : a / b; }

inline bool same_patch(const PatchTire<double>& a, const PatchTire<double>& b) {
  return a.kind.fidelity == b.kind.fidelity && a.kind.load == b.kind.load &&
         a.kind.steady_kappa == b.kind.steady_kappa && a.kind.elements == b.kind.elements &&
         std::memcmp(&a.p, &b.p, sizeof a.p) == 0;
}

// Effective rolling radius under a load [m].
inline double rolling_radius(const TireKind& kind, const TireParams<double>& p, const WheelState<double>& w,
                             const Contact<double>& c, double Fz) {
  if (!kind.load_slip) return p.R0;
  AtLoad<double> at{};
  return by_steady(kind, [&](auto law) {
    law.prepare(kind, p, w, c, at);
    return law.radius(kind, p, w, c, at, Fz);
  });
}

// What the states of the old tire mean to the new one, at the contact c.  [T19.30]
//   z sigma0, psi c_psi  the force of the bristles, the parking torque      r/b  share of the roll memory
// Heat and wear belong to a rally tire; a lag or a belt that was not there starts at the slip of now.
inline void hand_states(const TireKind& was, const TireParams<double>& old, const TireKind& kind,
                        const TireParams<double>& p, const Contact<double>& c, WheelState<double>& w) {
  const bool bristles = has_bristles(was) && has_bristles(kind);
  w.zx *= bristles ? ratio_of(old.sigma0_x, p.sigma0_x) : 0;
  w.zy *= bristles ? ratio_of(old.sigma0_y, p.sigma0_y) : 0;
  w.pivot *= was.pivot && kind.pivot ? ratio_of(old.rolling.c_psi, p.rolling.c_psi) : 0;
  if (was.roll_memory && kind.roll_memory)
    w.roll *= ratio_of(old.inv_b, p.inv_b);
  else
    w.roll = kind.roll_memory ? sign(c.Vr) / p.inv_b : 0;
  if (was.steady != SteadyLaw::rally || kind.steady != SteadyLaw::rally) {
    w.T_tread = w.T_core = w.tread = 0;
    fresh_tire(kind, p, w);
  }
  const double den = slip_speed(kind, p, c.Vx);
  if (!kind.relax_long || !was.relax_long) w.kap = kind.relax_long ? (c.Vr - c.Vx) / den : 0;
  if (!kind.relax_lat || !was.relax_lat) w.alp = kind.relax_lat ? slip_angle(c.Vy, den) : 0;
  if (!kind.belt || !was.belt) {
    w.belt_vx = kind.belt ? c.Vr - c.Vx : 0;
    w.belt_vy = kind.belt ? -c.Vy : 0;
  }
}

// Two unknowns u for the force `want`, by Newton's method with differences `small`, starting where u is. A step that does not help is
// halved; where none does the force is out of reach, and u is as close as the law comes. free: which unknowns the law has.
template <class ForceAt> void meet_force(ForceAt&& force_at, const WheelForces<double>& want, const bool free[2],
                                         const double small[2], double u[2]) {
  const auto miss = [&](const double at[2], double m[2]) {
    const WheelForces<double> F = force_at(at);
    m[0] = free[0] ? want.Fx - F.Fx : 0;
    m[1] = free[1] ? want.Fy - F.Fy : 0;
    return sqrt(sq(m[0]) + sq(m[1]));
  };
  double m[2], size = miss(u, m);
  const double enough = 1e-12 * (1 + sqrt(sq(want.Fx) + sq(want.Fy)));
  for (int round = 0; round < 60 && size > enough; ++round) {
    double a[2][2];  // -dm/du
    for (int j = 0; j < 2; ++j) {
      double up[2] = {u[0], u[1]}, down[2] = {u[0], u[1]}, mu[2], md[2];
      up[j] += small[j], down[j] -= small[j];
      miss(up, mu), miss(down, md);
      for (int i = 0; i < 2; ++i) a[i][j] = free[i] && free[j] ? (md[i] - mu[i]) / (2 * small[j]) : i == j ? 1 : 0;
    }
    const double det = a[0][0] * a[1][1] - a[0][1] * a[1][0];
    double d[2] = {(m[0] * a[1][1] - m[1] * a[0][1]) / det, (m[1] * a[0][0] - m[0] * a[1][0]) / det};
    bool better = false;
    for (int half = 0; half < 12 && !better; ++half) {
      double next[2] = {u[0] + d[0], u[1] + d[1]}, left[2];
      const double rest = miss(next, left);
      better = rest < size;  // not so where det is 0
      if (better)
        for (int i = 0; i < 2; ++i) u[i] = next[i], m[i] = left[i], size = rest;
      d[0] *= 0.5, d[1] *= 0.5;
    }
    if (!better) return;
  }
}

inline WheelForces<double> force_of(const TireKind& kind, const TireParams<double>& p, const WheelState<double>& w,
                                    const Contact<double>& c, double Fz, TireForce<double>& f) {
  f = tire_force(kind, p, w, c, tire_slip(kind, p, w, c, Fz), Fz);
  return {f.Fx, f.Fy};
}

// --- one function per contact law: its states so that it makes the force F at this contact and load

// [T19.31]  F = sigma0 z + damping(z): begin at z = F/sigma0
inline void carry_by_bristles(const TireKind& kind, const TireParams<double>& p, const Contact<double>& c, double Fz,
                              const WheelForces<double>& F, WheelState<double>& w) {
  double z[2] = {F.Fx / p.sigma0_x, F.Fy / p.sigma0_y};
  const bool free[2] = {true, true};
  const double small[2] = {1e-7, 1e-7};
  TireForce<double> f;
  const auto at = [&](const double u[2]) {
    w.zx = u[0], w.zy = u[1];
    return force_of(kind, p, w, c, Fz, f);
  };
  meet_force(at, F, free, small, z);
  at(z);
}
inline void carry(ContactRolling, const TireKind& kind, const TireParams<double>& p, const Contact<double>& c,
                  double Fz, const WheelForces<double>& F, WheelState<double>& w, PatchTire<double>*) {
  carry_by_bristles(kind, p, c, Fz, F, w);
  TireForce<double> f;
  force_of(kind, p, w, c, Fz, f);
  w.zx = f.zx, w.zy = f.zy;  // what is beyond the friction limit is not held  [T19.7]
}
// [T19.21]  |z| <= g/sigma0. The damping of slip velocity v puts a force out of reach where sigma1 |v| > g; that of a belt begins at
// rest, so that z alone carries the force.
inline void carry(ContactBreakaway, const TireKind& kind, const TireParams<double>& p, const Contact<double>& c,
                  double Fz, const WheelForces<double>& F, WheelState<double>& w, PatchTire<double>*) {
  w.belt_vx = w.belt_vy = 0;
  carry_by_bristles(kind, p, c, Fz, F, w);
  TireForce<double> f;
  force_of(kind, p, w, c, Fz, f);
  w.zx = clamp(w.zx, -f.gx / p.sigma0_x, f.gx / p.sigma0_x);
  w.zy = clamp(w.zy, -f.gy / p.sigma0_y, f.gy / p.sigma0_y);
}
// [T19.32]  the slips at which the steady law gives F, on the near side of its peak: begin at none.
// Without a lag there is no state: the force is that of the slip of now.
inline void carry(ContactAlgebraic, const TireKind& kind, const TireParams<double>& p, const Contact<double>& c,
                  double Fz, const WheelForces<double>& F, WheelState<double>& w, PatchTire<double>*) {
  const bool free[2] = {kind.relax_long, kind.relax_lat};
  if (!free[0] && !free[1]) return;
  double s[2] = {0, 0};
  const double small[2] = {1e-6, 1e-6};
  const auto at = [&](const double u[2]) {
    if (free[0]) w.kap = u[0];
    if (free[1]) w.alp = u[1];
    TireForce<double> f;
    return force_of(kind, p, w, c, Fz, f);
  };
  meet_force(at, F, free, small, s);
  at(s);
}
// [T19.33]  the patch of steady rolling at another slip velocity, seen from the motion of now. A patch that stands is laid as if it
// had rolled in at 1 m/s.
inline void carry(ContactPatch, const TireKind&, const TireParams<double>&, const Contact<double>& c, double Fz,
                  const WheelForces<double>& F, WheelState<double>& w, PatchTire<double>* tire) {
  if (!(Fz > 0)) return;
  const PatchMotion<double> now = patch_bounded(patch_motion(c));
  const double U = std::copysign(std::fmax(std::fabs(now.U), 1.0), now.U);
  const bool free[2] = {true, true};
  const double small[2] = {1e-6 * std::fabs(U), 1e-6 * std::fabs(U)};
  PatchForce<double> f{};
  const auto at = [&](const double u[2]) {
    patch_start(tire->kind, tire->p, PatchMotion<double>{U, u[0], u[1], now.mu}, tire->memory);
    tire->memory.motion = now;
    tire->memory.leak = patch_leak(tire->p, now);
    f = patch_force_now(tire->kind, tire->p, tire->memory, now);
    return WheelForces<double>{Fz * f.fx, Fz * f.fy};
  };
  // begin without slip, which leads to the near side of the peak; and where that fails at the slip of now
  double v[2] = {0, 0}, other[2] = {now.vx, now.vy};
  meet_force(at, F, free, small, v);
  const auto miss = [&](const double u[2]) {
    const WheelForces<double> G = at(u);
    return sqrt(sq(G.Fx - F.Fx) + sq(G.Fy - F.Fy));
  };
  const double left = miss(v);
  if (left > 1e-9 * Fz) {
    meet_force(at, F, free, small, other);
    if (miss(other) < left) v[0] = other[0], v[1] = other[1];
  }
  at(v);
  tire->memory.load = Fz;
  w.zx = f.zx, w.zy = f.zy;
}

// Where the law cannot make the force (less grip, no memory) it comes as close as it can.
inline void carry_force(const TireKind& kind, const TireParams<double>& p, const Contact<double>& c, double Fz,
                        const WheelForces<double>& F, WheelState<double>& w, PatchTire<double>* patch) {
  by_contact(kind, [&](auto law) { carry(law, kind, p, c, Fz, F, w, patch); });
}

}  // namespace vdsim
