// SPDX-License-Identifier: Apache-2.0
// Steady law of a .tir file (MF-Tyre). Contact laws need three things of it at a load: curves in similarity form, peak
// forces, and what the file has beyond that form (shifts, camber, weighting), which joins the bristle as an offset.
// docs/theory/24_mf_tyre.md.
#pragma once
#include "vdsim/core/tire/mf_tyre.hpp"
#include "vdsim/core/tire/slip.hpp"
#include "vdsim/core/tire/steady_mf.hpp"

namespace vdsim {

// A car reads a file inside its ranges only; near standstill the rolling law holds, not the file's speed scaling.
constexpr TirMode tir_in_car() { return {true, false, false, true}; }

template <class R> VD_FN R inflation(const TirTireParams<R>& p, const Contact<R>& c) {
  return select(c.pressure > R(0.0), c.pressure, p.pressure);
}

// Slips as our laws count them; the file's slip ratio is -1 for a wheel locked in reverse, too.
template <class R>
VD_FN TirInput<R> tir_input(const TirTireParams<R>& p, const Contact<R>& c, R w, R kap, R alp, R Fz) {
  return {Fz, select(c.Vx < R(0.0), -kap, kap), alp, c.gamma, R(0.0), c.Vx, inflation(p, c), w, c.mu_long, c.mu_lat};
}

// [T24.60]  similarity form of a file: pure curves without offsets. Slip of the peak: x_p/B(Fz), x_p of the nominal load.
template <class R> VD_FN Curve<R> tir_curve(R B, R C, R E, R x_p, R cap) {
  Curve<R> c;
  c.B = B;
  c.C = C;
  c.E = E;
  c.s_p = min(x_p / B, R(0.5));
  c.inv_s_p = R(1.0) / c.s_p;
  c.cap = cap;
  c.inv_fp = R(1.0);
  c.inv_f1 = R(1.0) / mf_curve(c, false, c.s_p);
  return c;
}
template <class R>
VD_NOINLINE SteadyAt<R> tir_steady(const TirKind& kind, const TirTireParams<R>& p, const Contact<R>& c, R Fz) {
  const R load = clamp(Fz, R(1.0), p.law.FZMAX), share = clamp(Fz, R(0.0), load) / load;
  const TirCurves<R> k = mf_tyre_curves(kind, p.law, load, inflation(p, c), c.mu_long, c.mu_lat);
  SteadyAt<R> q;
  q.lon = tir_curve(k.Bx, k.Cx, k.Ex, p.x_px, p.cap_x);
  q.lat = tir_curve(k.By, k.Cy, k.Ey, p.x_py, p.cap_y);
  q.s_m = sqrt(q.lon.s_p * q.lat.s_p);
  q.Dx = k.Dx * share;
  q.Dy = k.Dy * share;
  return q;
}

// Mx, Mz and rolling resistance of the file at given slips. Mz fades at rest with `still` (1 standing, 0 rolling).
template <class R, class K> VD_NOINLINE TireMoments<R> tir_moments(const K& tire, const TirTireParams<R>& p,
                                                                   const Contact<R>& c, R w, R kap, R alp, R Fz,
                                                                   R still) {
  const TirKind& kind = tire.tir_law;
  const TirForces<R> f = mf_tyre_force(kind, p.law, tir_in_car(), tir_input(p, c, w, kap, alp, Fz));
  const R Mz = mf_tyre_mz(kind, p.law, tir_in_car(), f).Mz, My = mf_tyre_dry(kind, p.law, f);
  const R more = tire.ground ? (c.ground.rolling_resistance - R(kHardRoad)) * Fz * c.Re : R(0.0);
  return {mf_tyre_mx(kind, p.law, f), (R(1.0) - still) * Mz, max(My + more, R(0.0)), R(0.0)};
}

// The curves in similarity form are those of the magic formula, read at the load.
struct SteadyTir : SteadyMf {
  static constexpr bool apart = true;

  template <class R, class K>
  VD_FN static void read(const K& kind, const TireParams<R, K>& p, const Contact<R>& c, R Fz, AtLoad<R>& at) {
    at.q = tir_steady(kind.tir_law, p.tir, c, Fz);
  }
  template <class R, class K> VD_INLINE static const Curves<R>& curves(const TireParams<R, K>&, const AtLoad<R>& at) {
    return at.q;
  }
  template <class R, class K>
  VD_INLINE static Peak<R> peak(const TireParams<R, K>&, const Contact<R>&, const AtLoad<R>& at, R) {
    return {at.q.Dx, at.q.Dy};
  }
  template <class R, class K> VD_NOINLINE static R radius(const K& kind, const TireParams<R, K>& p,
                                                          const WheelState<R>& w, const Contact<R>& c, const AtLoad<R>&,
                                                          R Fz) {
    return mf_tyre_radius(kind.tir_law, p.tir.law, Fz, w.w, inflation(p.tir, c));
  }

  // [T24.61]  dF = F(kappa, alpha) - F_sim, read at (v_x, Vy)/max(|Vx|, 1 mm/s)
  template <class R, class K> VD_FN static void beyond(const K& kind, const TireParams<R, K>& p, const WheelState<R>& w,
                                                       const Contact<R>& c, R Fz, const AtLoad<R>& at,
                                                       RollingSlip<R>& o) {
    const R speed = max(abs(c.Vx), R(1e-3));
    const auto F = mf_tyre_force(kind.tir_law, p.tir.law, tir_in_car(),
                                 tir_input(p.tir, c, w.w, o.vx / speed, atan2(c.Vy, speed), Fz));
    o.Dx = at.q.Dx;
    o.Dy = at.q.Dy;
    o.dFx = F.Fx - o.s.dx * o.s.fx * o.Dx;
    o.dFy = F.Fy - o.s.dy * o.s.fy * o.Dy;
  }
  template <class R, class K>
  VD_INLINE static WheelForces<R> offset(const TireParams<R, K>&, const Contact<R>&, const RollingSlip<R>& o, R) {
    return {(R(1.0) - o.chi) * o.dFx, (R(1.0) - o.chi) * o.dFy};
  }
  template <class R, class K> VD_FN static TireMoments<R> rolling_moments(const K& kind, const TireParams<R, K>& p,
                                                                          const WheelState<R>& w, const Contact<R>& c,
                                                                          const TireSlip<R>& o, const TireForce<R>&,
                                                                          const Slips<R>& slip, R Fz, WheelAffine<R>&) {
    return tir_moments(kind, p.tir, c, w.w, slip.x, -atan(slip.y), Fz, o.rolling.chi);
  }

  template <class R, class K>
  VD_FN static void read_plain(const K& kind, const TireParams<R, K>& p, const Contact<R>& c, R, R Fz, TireSlip<R>& o) {
    o.at.q = tir_steady(kind.tir_law, p.tir, c, Fz);
  }
  template <class R, class K> VD_FN static WheelForces<R> plain_force(const K& kind, const TireParams<R, K>& p,
                                                                      const WheelState<R>& w, const Contact<R>& c,
                                                                      const TireSlip<R>& o, const Peak<R>&, R Fz) {
    const auto f = mf_tyre_force(kind.tir_law, p.tir.law, tir_in_car(), tir_input(p.tir, c, w.w, o.kap, o.alp, Fz));
    return {f.Fx, f.Fy};
  }
  template <class R, class K>
  VD_INLINE static WheelForces<R> clip(const K&, const TireParams<R, K>&, const Contact<R>&, WheelForces<R> F, R) {
    return F;
  }
  template <class R, class K>
  VD_FN static TireMoments<R> plain_moments(const K& kind, const TireParams<R, K>& p, const WheelState<R>& w,
                                            const Contact<R>& c, const TireSlip<R>& o, const TireForce<R>&, R Fz) {
    return tir_moments(kind, p.tir, c, w.w, o.kap, o.alp, Fz,
                       R(1.0) - abs(c.Vx) / sqrt(sq(c.Vx) + R(kSpeedEps * kSpeedEps)));
  }
  // The radius of a file depends on the spin.
  template <class R, class K>
  VD_FN static R free_spin(const K& kind, const TireParams<R, K>& p, const WheelState<R>&, R vx, R Fz) {
    return mf_tyre_spin(kind.tir_law, p.tir.law, Fz, R(0.0), vx, p.tir.pressure);
  }
  // The file was read outside its ranges.
  template <class R, class K> VD_FN static bool outside(const TireParams<R, K>& p, R spin, const TireOut<R>& o, R Fz) {
    const Contact<R>& c = o.contact;
    TirInput<R> in =
        tir_input(p.tir, c, spin, slip_ratio(c.Vr, c.Vx), slip_angle(c.Vy, max(abs(c.Vx), R(kSpeedEps))), Fz);
    in.Vx = p.tir.law.VXLOW;  // low speed is no reason: there the bristles hold
    return tir_outside(p.tir.law, in) > 0;
  }
};

}  // namespace vdsim
