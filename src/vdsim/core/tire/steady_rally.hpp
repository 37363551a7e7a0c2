// SPDX-License-Identifier: Apache-2.0
// Steady law of the rally tire, under the rolling law: curves of its own that depend on load, camber and temperature.
// docs/theory/23_rally_tire.md.
#pragma once
#include "vdsim/core/tire/rally_ground.hpp"
#include "vdsim/core/tire/steady_mf.hpp"

namespace vdsim {

template <class R> VD_FN RallyState<R> rally_state(const WheelState<R>& w) { return {w.T_tread, w.T_core, w.tread}; }
template <class R> VD_NOINLINE RallyEnv<R> rally_env_of(const RallyKind& kind, const RallyParams<R>& p, bool ground,
                                                        const WheelState<R>& w, const Contact<R>& c) {
  return rally_env(kind, p, ground ? rally_ground(kind, p, c.ground) : p.on_own, rally_state(w), c.Vx, c.pressure);
}
template <class R> VD_FN SteadyAt<R> rally_steady(const RallyKind& kind, const RallyParams<R>& p,
                                                  const RallyEnv<R>& env, const Contact<R>& c, R Fz) {
  const RallyCurves<R> k = rally_curves(kind, p, env, Fz, c.gamma, c.mu_long, c.mu_lat);
  SteadyAt<R> q;
  q.lon = k.lon;
  q.lat = k.lat;
  q.s_m = sqrt(k.lon.s_p * k.lat.s_p);
  q.Dx = k.Dx;
  q.Dy = k.Dy;
  return q;
}
// The curves,
template <class R> VD_NOINLINE void rally_pair(const RallyKind& kind, const RallyParams<R>& p, const Curves<R>& q,
                                               R along, R across, Similarity<R>& s) {
  s.fx = rally_curve(kind, p, q.lon, along, false);
  s.fy = rally_curve(kind, p, q.lat, across, true);
}
// and weights for the other slip; none (t = 1) where the tire slides, its direction is exact there.
template <class R> VD_NOINLINE void rally_couple(const RallyKind& kind, const RallyParams<R>& p, const SlipMotion<R>& m,
                                                 R t, Similarity<R>& s) {
  const R inv = R(1.0) / max(m.speed, R(1e-3));
  const RallyWeights<R> g = rally_weights(kind, p, m.vx * inv, m.vy * inv);
  s.fx = s.fx * (g.x + t * (R(1.0) - g.x));
  s.fy = s.fy * (g.y + t * (R(1.0) - g.y));
}
// Moments at the slips the bristles remember, and the rates of temperature and wear.
template <class R> VD_NOINLINE TireMoments<R> rally_moments_and_rates(const RallyKind& kind, const RallyParams<R>& p,
                                                                      const RallyState<R>& w, const RallyMotion<R>& m,
                                                                      const AtLoad<R>& at, WheelAffine<R>& rate) {
  const RallyCurves<R> k{at.q.lon, at.q.lat, at.q.Dx, at.q.Dy};
  const RallyMoments<R> M = rally_moments(kind, p, at.env, k, m);
  const RallyRates<R> r = rally_rates(kind, p, at.env.ground, w, m, M);
  rate.T_tread = r.T_tread;
  rate.T_core = r.T_core;
  rate.tread = r.tread;
  return {M.Mx, M.Mz, M.My, R(0.0)};
}

struct SteadyRally {
  static constexpr bool apart = true;

  // Temperature and pressure, once for all loads.
  template <class R, class K> VD_FN static void prepare(const K& kind, const TireParams<R, K>& p,
                                                        const WheelState<R>& w, const Contact<R>& c, AtLoad<R>& at) {
    at.env = rally_env_of(kind.rally_law, p.rally, kind.ground, w, c);
  }
  template <class R, class K>
  VD_FN static void read(const K& kind, const TireParams<R, K>& p, const Contact<R>& c, R Fz, AtLoad<R>& at) {
    at.q = rally_steady(kind.rally_law, p.rally, at.env, c, Fz);
  }
  template <class R, class K> VD_INLINE static const Curves<R>& curves(const TireParams<R, K>&, const AtLoad<R>& at) {
    return at.q;
  }
  template <class R, class K>
  VD_INLINE static Peak<R> peak(const TireParams<R, K>&, const Contact<R>&, const AtLoad<R>& at, R) {
    return {at.q.Dx, at.q.Dy};
  }
  template <class R, class K> VD_FN static void curves_at(const K& kind, const TireParams<R, K>& p, const Curves<R>& q,
                                                          R along, R across, Similarity<R>& s) {
    rally_pair(kind.rally_law, p.rally, q, along, across, s);
  }
  template <class R, class K>
  VD_FN static void weigh(const K& kind, const TireParams<R, K>& p, const SlipMotion<R>& m, R t, Similarity<R>& s) {
    if (kind.rally_law.coupled) rally_couple(kind.rally_law, p.rally, m, t, s);
  }
  template <class R, class K> VD_NOINLINE static R radius(const K&, const TireParams<R, K>& p, const WheelState<R>&,
                                                          const Contact<R>&, const AtLoad<R>& at, R Fz) {
    return rally_radius(p.rally, at.env, Fz);
  }
  template <class R, class K> VD_FN static void own_ground(const TireParams<R, K>& p, Ground<R>& g) { g = p.rally.own; }
  template <class R, class K>
  VD_FN static Slips<R> bristles(const K& kind, const TireParams<R, K>& p, const Ground<R>& ground) {
    const RallyGround<R> g = rally_ground(kind.rally_law, p.rally, ground);
    return {g.sigma0_x * p.rolling.inv_sigma0_x, g.sigma0_y * p.rolling.inv_sigma0_y};
  }
  template <class R, class K>
  VD_FN static R road(const K& kind, const TireParams<R, K>& p, const Ground<R>& ground, R mu, R x, R y) {
    return mu * rally_texture(kind.rally_law, kind.ground ? ground.noise_factor : p.rally.own.noise_factor, x, y);
  }

  template <class R, class K> VD_FN static void beyond(const K& kind, const TireParams<R, K>& p, const WheelState<R>&,
                                                       const Contact<R>& c, R Fz, const AtLoad<R>& at,
                                                       RollingSlip<R>& o) {
    const R nx = o.s.dx * o.s.fx, ny = o.s.dy * o.s.fy;
    o.Dx = at.q.Dx;
    o.Dy = at.q.Dy;
    o.dFx = R(0.0);
    o.dFy = rally_camber(kind.rally_law, p.rally, c.gamma, Fz, o.Dy, nx * nx + ny * ny);
  }
  template <class R, class K>
  VD_INLINE static WheelForces<R> offset(const TireParams<R, K>&, const Contact<R>&, const RollingSlip<R>& o, R) {
    return {(R(1.0) - o.chi) * o.dFx, (R(1.0) - o.chi) * o.dFy};
  }
  template <class R, class K>
  VD_FN static TireMoments<R> rolling_moments(const K& kind, const TireParams<R, K>& p, const WheelState<R>& w,
                                              const Contact<R>& c, const TireSlip<R>& o, const TireForce<R>& f,
                                              const Slips<R>& slip, R Fz, WheelAffine<R>& rate) {
    const RallyMotion<R> m{
        c.Vx, c.Vr, sign(c.Vx) * (R(1.0) - o.rolling.chi), o.rolling.vx, o.rolling.vy, slip.x, slip.y, c.gamma, Fz,
        f.Fx, f.Fy};
    return rally_moments_and_rates(kind.rally_law, p.rally, rally_state(w), m, o.at, rate);
  }

  template <class R, class K> VD_FN static void fresh(const TireParams<R, K>& p, WheelState<R>& w) {
    w.T_tread = p.rally.T_tread0;
    w.T_core = p.rally.T_core0;
    w.tread = p.rally.tread0;
  }
  template <class R, class K>
  VD_FN static R free_spin(const K& kind, const TireParams<R, K>& p, const WheelState<R>& w, R vx, R Fz) {
    return vx / rally_radius(p.rally, rally_env(kind.rally_law, p.rally, p.rally.on_own, rally_state(w), vx), Fz);
  }
  template <class R, class K> VD_FN static bool outside(const TireParams<R, K>&, R, const TireOut<R>&, R) {
    return false;
  }
};

}  // namespace vdsim
