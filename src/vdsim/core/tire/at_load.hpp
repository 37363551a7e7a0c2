// Steady laws whose curves depend on the load, MF-Tyre (.tir) and the rally tire, under the rolling law. It needs three
// things of a steady law at a load: curves in similarity form, peak forces, and what the law has beyond that form
// (shifts, camber, weighting), which joins the bristle as an offset.  docs/theory/24_mf_tyre.md, 23_rally_tire.md.
#pragma once
#include "vdsim/core/tire/lugre_tire.hpp"
#include "vdsim/core/tire/mf_tyre.hpp"
#include "vdsim/core/tire/rolling_law.hpp"

namespace vdsim {

template <class R> struct SteadyAt : Curves<R> {
  R Dx, Dy;  // peak forces [N], 0 for a lifted wheel
};

// ---------------------------------------------------------------------------------------------------- MF-Tyre

// A car reads a file inside its ranges only; near standstill the rolling law holds, not the file's speed scaling.
constexpr TirMode tir_in_car() { return {true, false, false, true}; }

template <class R> VD_FN R inflation(const TireParams<R>& p, const Contact<R>& c) {
  return select(c.pressure > R(0.0), c.pressure, p.tir_at.pressure);
}

// Slips as our laws count them; the file's slip ratio is -1 for a wheel locked in reverse, too.
template <class R> VD_FN TirInput<R> tir_input(const TireParams<R>& p, const Contact<R>& c, R w, R kap, R alp, R Fz) {
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
VD_NOINLINE SteadyAt<R> tir_steady(const TireKind& kind, const TireParams<R>& p, const Contact<R>& c, R Fz) {
  const R load = clamp(Fz, R(1.0), p.tir.FZMAX), share = clamp(Fz, R(0.0), load) / load;
  const TirCurves<R> k = mf_tyre_curves(kind.tir_law, p.tir, load, inflation(p, c), c.mu_long, c.mu_lat);
  SteadyAt<R> q;
  q.lon = tir_curve(k.Bx, k.Cx, k.Ex, p.tir_at.x_px, p.lon.cap);
  q.lat = tir_curve(k.By, k.Cy, k.Ey, p.tir_at.x_py, p.lat.cap);
  q.s_m = sqrt(q.lon.s_p * q.lat.s_p);
  q.Dx = k.Dx * share;
  q.Dy = k.Dy * share;
  return q;
}

// Mx, Mz and rolling resistance of the file at given slips. Mz fades at rest with `still` (1 standing, 0 rolling).
template <class R> VD_NOINLINE TireMoments<R> tir_moments(const TireKind& kind, const TireParams<R>& p,
                                                       const Contact<R>& c, R w, R kap, R alp, R Fz, R still) {
  const TirForces<R> f = mf_tyre_force(kind.tir_law, p.tir, tir_in_car(), tir_input(p, c, w, kap, alp, Fz));
  const R Mz = mf_tyre_mz(kind.tir_law, p.tir, tir_in_car(), f).Mz, My = mf_tyre_my(kind.tir_law, p.tir, f);
  return {mf_tyre_mx(kind.tir_law, p.tir, f), (R(1.0) - still) * Mz, abs(My), R(0.0)};
}

// ------------------------------------------------------------------------------------------ under the rolling law

template <class R> VD_FN RallyState<R> rally_state(const WheelState<R>& w) { return {w.T_tread, w.T_core, w.tread}; }
template <class R> VD_NOINLINE RallyEnv<R> rally_env_of(const TireKind& kind, const TireParams<R>& p,
                                                     const WheelState<R>& w, const Contact<R>& c) {
  return rally_env(kind.rally_law, p.rally, rally_state(w), c.Vx, c.pressure);
}

template <class R> VD_FN SteadyAt<R> rally_steady(const TireKind& kind, const TireParams<R>& p, const RallyEnv<R>& env,
                                                  const Contact<R>& c, R Fz) {
  const RallyCurves<R> k = rally_curves(kind.rally_law, p.rally, env, Fz, c.gamma, c.mu_long, c.mu_lat);
  SteadyAt<R> q;
  q.lon = k.lon;
  q.lat = k.lat;
  q.s_m = sqrt(k.lon.s_p * k.lat.s_p);
  q.Dx = k.Dx;
  q.Dy = k.Dy;
  return q;
}

// What a law reads at a load, besides the slip of the rolling law.
template <class R> struct AtLoad {
  RallyEnv<R> env;  // rally: made once for all loads
  SteadyAt<R> q;
};

// [T24.61]  dF = F(kappa, alpha) - F_sim, read at (v_x, Vy)/max(|Vx|, 1 mm/s)
template <class R> VD_NOINLINE RollingSlip<R> slip_at_load(const TireKind& kind, const TireParams<R>& p,
                                                        const WheelState<R>& w, const Contact<R>& c, R Fz,
                                                        AtLoad<R>& at) {
  at.q = kind.rally ? rally_steady(kind, p, at.env, c, Fz) : tir_steady(kind, p, c, Fz);
  RollingSlip<R> o = rolling_slip(kind, p, at.q, w, c);
  o.Dx = at.q.Dx;
  o.Dy = at.q.Dy;
  const R nx = o.s.dx * o.s.fx, ny = o.s.dy * o.s.fy;
  if (kind.rally) {
    o.dFx = R(0.0);
    o.dFy = rally_camber(kind.rally_law, p.rally, c.gamma, Fz, o.Dy, nx * nx + ny * ny);
  } else {
    const R speed = max(abs(c.Vx), R(1e-3));
    const auto F =
        mf_tyre_force(kind.tir_law, p.tir, tir_in_car(), tir_input(p, c, w.w, o.vx / speed, atan2(c.Vy, speed), Fz));
    o.dFx = F.Fx - nx * o.Dx;
    o.dFy = F.Fy - ny * o.Dy;
  }
  return o;
}

// Moments of the rally tire at the slips its bristles remember, and the rates of temperature and wear.
template <class R> VD_NOINLINE TireMoments<R> rally_moments_and_rates(const TireKind& kind, const TireParams<R>& p,
                                                                   const WheelState<R>& w, const Contact<R>& c,
                                                                   const RollingSlip<R>& o, const AtLoad<R>& at,
                                                                   const TireForce<R>& f, R Fz, WheelAffine<R>& rate) {
  const RallyMotion<R> m{c.Vx,
                         c.Vr,
                         sign(c.Vx) * (R(1.0) - o.chi),
                         o.vx,
                         o.vy,
                         bristle_slip_x(p, c, o, f),
                         bristle_slip_y(p, c, o, f),
                         c.gamma,
                         Fz,
                         f.Fx,
                         f.Fy};
  const RallyCurves<R> k{at.q.lon, at.q.lat, at.q.Dx, at.q.Dy};
  const RallyMoments<R> M = rally_moments(kind.rally_law, p.rally, at.env, k, m);
  const RallyRates<R> r = rally_rates(kind.rally_law, p.rally, rally_state(w), m, M);
  rate.T_tread = r.T_tread;
  rate.T_core = r.T_core;
  rate.tread = r.tread;
  return {M.Mx, M.Mz, M.My, R(0.0)};
}

// Effective rolling radius at a load [m].
template <class R> VD_NOINLINE R rolling_radius(const TireKind& kind, const TireParams<R>& p, const WheelState<R>& w,
                                             const Contact<R>& c, const AtLoad<R>& at, R Fz) {
  if (kind.tir) return mf_tyre_radius(kind.tir_law, p.tir, Fz, w.w, inflation(p, c));
  if (kind.rally) return rally_radius(p.rally, at.env, Fz);
  return effective_radius(kind, p, Fz);
}

}  // namespace vdsim
