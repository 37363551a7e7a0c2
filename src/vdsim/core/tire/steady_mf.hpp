// SPDX-License-Identifier: Apache-2.0
// Steady laws mf96 and linear, pure and combined slip. Theory: docs/theory/03_magic_formula.md.
#pragma once
#include "vdsim/core/tire/chain.hpp"

namespace vdsim {

// [T03.1]  F/D = sin(C atan(B s - E (B s - atan(B s)))), odd in s. Linear law: B s, saturated.
template <class R> VD_INLINE R mf_curve(const Curve<R>& c, bool linear, R s) {
  const R x = c.B * s;
  if (linear) return clamp(x, R(-1.0), R(1.0));
  return sin(c.C * atan(x - c.E * (x - atan(x))));
}

// [T03.2]  mu_e = max(0.3 mu_n, mu_n [1 - k_L (Fz/Fz_n - 1)]);  D = D_i Fz mu_e mu_road
template <class R> VD_FN Peak<R> mf_peak(const MfParams<R>& p, R Fz, R mu_long, R mu_lat) {
  const R mu_e = p.mu_n * max(R(0.3), R(1.0) - p.load_sens * (Fz * p.inv_Fz_n - R(1.0)));
  const R D = max(Fz, R(0.0)) * mu_e;
  return {p.D_long * D * mu_long, p.D_lat * D * mu_lat};
}

// [T03.3]  Re = R0 - (Fz0/Cz) (D atan(B Fz/Fz0) + F Fz/Fz0)
template <class R, class K> VD_FN R effective_radius(const K& kind, const TireParams<R, K>& p, R Fz) {
  if (!kind.reff) return p.R0;
  const R q = Fz * p.mf.inv_Fz_n;
  return p.R0 - p.mf.reff_gain * (p.mf.reff_d * atan(p.mf.reff_b * q) + p.mf.reff_f * q);
}

// Pneumatic trail [m].  [T03.4]  t_p = t_0 / sqrt(1 + (alp/alp_0)^2)
template <class R> VD_FN R pneumatic_trail(const MfParams<R>& p, R alp) {
  return p.t_0 / sqrt(R(1.0) + sq(alp * p.inv_alp_0));
}

// [T03.8]  F = mu F_1(s/mu): the curve of friction 1, smaller by mu in force and in slip
template <class R, class K> VD_INLINE R inverse_mu(const K& kind, const Contact<R>& c) {
  return kind.mu_shrinks ? R(1.0) / max(c.mu_long, R(1e-6)) : R(1.0);
}

// What a combined steady law is read at: slip velocity (Vr - Vx, -Vy); |Vx|, floored where there is no static gate; speeds;
// 1/mu of a law whose slips shrink with friction.
template <class R> struct SlipMotion { R vx, vy, speed, Vx, Vr, inv_mu; };

// The combined steady law of the rolling tire and of `combined: similarity`.  [T19.2]-[T19.5]
// S: the steady law, which gives its curve values and weights; q: its curves.
template <class S, class R, class K> VD_INLINE Similarity<R> similarity(S, const K& kind, const TireParams<R, K>& p,
                                                                        const Curves<R>& q, const SlipMotion<R>& m) {
  const R tau = R(kTiny), vx = m.vx, vy = m.vy, speed = m.speed;
  Similarity<R> s;
  const R v2 = vx * vx + vy * vy;
  s.vs = sqrt(v2);
  // [T19.2]
  const R U = sqrt(sq(vx * q.lon.inv_s_p) + sq(vy * q.lat.inv_s_p));
  s.rho = min(U / max(speed, tau), R(1e6));
  R rc = max(s.rho, R(1e-6));  // the floor is that of Q below
  if (kind.mu_shrinks) s.rho *= m.inv_mu, rc *= m.inv_mu;
  const mask_t<R> past = rc > R(1.0);
  s.e = any(past) ? select(past, R(1.0) - R(1.0) / rc, R(0.0)) : R(0.0);
  // [T19.3]
  const R along = min(rc * q.lon.s_p, q.lon.cap), across = min(rc * q.lat.s_p, q.lat.cap);
  S::curves_at(kind, p, q, along, across, s);
  if constexpr (may_have_bristles<K>)
    if (has_bristles(kind) && any(s.e > R(0.0))) {
      const R gate = gauss(s.vs * p.inv_v_st) * min(R(1.0), R(4.0) * s.e);
      s.fx += (R(1.0) - s.fx) * gate;
      s.fy += (R(1.0) - s.fy) * gate;
    }
  // [T19.4]
  const R t = v2 / (v2 + max(R(0.0), m.Vx * m.Vr) + tau);
  const R fb = (sq(vx) * s.fx + sq(vy) * s.fy + tau) / (v2 + tau);
  s.fx += t * (fb - s.fx);
  s.fy += t * (fb - s.fy);
  S::weigh(kind, p, m, t, s);
  s.Sx = q.lon.s_p + t * (q.s_m - q.lon.s_p);
  s.Sy = q.lat.s_p + t * (q.s_m - q.lat.s_p);
  // [T19.5]
  const TwoInverses<R> inv_S = inverses(s.Sx, s.Sy);
  const R qx = vx * inv_S.a, qy = vy * inv_S.b;
  s.Q = max(sqrt(qx * qx + qy * qy), R(1e-6) * speed);
  const R inv_Q = R(1.0) / max(s.Q, tau);
  s.dx = qx * inv_Q;
  s.dy = qy * inv_Q;
  return s;
}

// [T03.5]  n_x = curve_x(kap), n_y = -curve_y(alp);  ellipse: divided by max(1, |n|)
template <class R, class K> VD_FN Normalised<R> mf_pure(const K& kind, const MfParams<R>& p, R kap, R alp) {
  const R nx = mf_curve(p.lon, linear(kind), kap), ny = -mf_curve(p.lat, linear(kind), alp);
  if (!kind.ellipse) return {nx, ny};
  const R inv = R(1.0) / max(R(1.0), sqrt(nx * nx + ny * ny));
  return {nx * inv, ny * inv};
}

// Without combined slip the force is kept on the friction circle.
template <class R>
VD_FN WheelForces<R> friction_circle(const MfParams<R>& p, const Contact<R>& c, WheelForces<R> F, R Fz) {
  const R limit = p.mu_n * max(c.mu_long, c.mu_lat) * Fz;
  const R inv = min(R(1.0), limit / max(sqrt(sq(F.Fx) + sq(F.Fy)), R(kTiny)));
  return {F.Fx * inv, F.Fy * inv};
}

// [T06.15]  what the ground adds to the rolling resistance of a tire, which contains that of a hard road
template <class R> VD_FN R ground_resistance(R own, const Ground<R>& g) {
  return max(own + g.rolling_resistance - R(kHardRoad), R(0.0));
}
template <class R, class K> VD_FN R rolling_resistance(const K& kind, const TireParams<R, K>& p, const Contact<R>& c) {
  return kind.ground ? ground_resistance(p.mf.rolling_resistance, c.ground) : p.mf.rolling_resistance;
}

struct SteadyMf {
  static constexpr bool apart = false;  // code kept out of line, because few cars use it

  // A law without temperatures has nothing to prepare, and curves that do not depend on the load need not be read at one.
  template <class R, class K> VD_INLINE static void prepare(const K&, const TireParams<R, K>&, const WheelState<R>&,
                                                            const Contact<R>&, AtLoad<R>&) {}
  template <class R, class K>
  VD_INLINE static void read(const K&, const TireParams<R, K>&, const Contact<R>&, R, AtLoad<R>&) {}
  template <class R, class K> VD_INLINE static const Curves<R>& curves(const TireParams<R, K>& p, const AtLoad<R>&) {
    return p.mf;
  }
  template <class R, class K>
  VD_INLINE static Peak<R> peak(const TireParams<R, K>& p, const Contact<R>& c, const AtLoad<R>&, R Fz) {
    return mf_peak(p.mf, Fz, c.mu_long, c.mu_lat);
  }
  template <class R, class K> VD_INLINE static void curves_at(const K& kind, const TireParams<R, K>&,
                                                              const Curves<R>& q, R along, R across, Similarity<R>& s) {
    s.fx = mf_curve(q.lon, linear(kind), along) * q.lon.inv_fp;
    s.fy = mf_curve(q.lat, linear(kind), across) * q.lat.inv_fp;
  }
  template <class R, class K>
  VD_INLINE static void weigh(const K&, const TireParams<R, K>&, const SlipMotion<R>&, R, Similarity<R>&) {}
  template <class R, class K> VD_FN static R radius(const K& kind, const TireParams<R, K>& p, const WheelState<R>&,
                                                    const Contact<R>&, const AtLoad<R>&, R Fz) {
    return effective_radius(kind, p, Fz);
  }
  // A tire without numbers of its own for the ground takes friction and rolling resistance of it; friction 1 is the road it was
  // measured on.
  template <class R, class K> VD_FN static void own_ground(const TireParams<R, K>&, Ground<R>& g) {
    g = Ground<R>{};
    g.friction = g.slip_stiffness_scale = g.relaxation_length_scale = g.peak_slip_ratio_scale = R(1.0);
    g.rolling_resistance = R(kHardRoad);
  }
  template <class R, class K> VD_FN static Slips<R> bristles(const K&, const TireParams<R, K>&, const Ground<R>&) {
    return {R(1.0), R(1.0)};
  }
  template <class R, class K>
  VD_INLINE static R road(const K& kind, const TireParams<R, K>&, const Ground<R>& ground, R mu, R, R) {
    return kind.ground ? mu * ground.friction : mu;
  }

  // Under the rolling law: what is beyond the similarity form is camber thrust.  [T19.6]
  template <class R, class K> VD_INLINE static void beyond(const K&, const TireParams<R, K>&, const WheelState<R>&,
                                                           const Contact<R>&, R, const AtLoad<R>&, RollingSlip<R>&) {}
  template <class R, class K> VD_INLINE static WheelForces<R> offset(const TireParams<R, K>& p, const Contact<R>& c,
                                                                     const RollingSlip<R>& o, R Fz) {
    return {R(0.0), -(R(1.0) - o.chi) * p.mf.C_gamma * c.gamma * Fz * c.mu_lat};
  }
  // Aligning moment: trail at the slip the bristle remembers, none at rest.
  template <class R, class K> VD_FN static TireMoments<R> rolling_moments(const K& kind, const TireParams<R, K>& p,
                                                                          const WheelState<R>& w, const Contact<R>& c,
                                                                          const TireSlip<R>& o, const TireForce<R>& f,
                                                                          const Slips<R>& slip, R Fz, WheelAffine<R>&) {
    const R alp = kind.mu_shrinks ? atan(slip.y) * o.rolling.inv_mu : atan(slip.y);
    const R Mz = -sign(c.Vx) * pneumatic_trail(p.mf, alp) * f.Fy * (R(1.0) - o.rolling.chi);
    return {R(0.0), Mz, rolling_resistance(kind, p, c) * Fz * c.Re, w.pivot};
  }

  // Under the algebraic and the breakaway law.
  template <class R, class K> VD_FN static void read_plain(const K& kind, const TireParams<R, K>& p,
                                                           const Contact<R>& c, R den, R, TireSlip<R>& o) {
    o.inv_mu = inverse_mu(kind, c);
    if (kind.similarity) {
      const R vy = kind.relax_lat ? -tan(o.alp) * den : o.vy;
      const Similarity<R> s = similarity(SteadyMf{}, kind, p, p.mf, {o.kap * den, vy, den, c.Vx, c.Vr, o.inv_mu});
      o.n = {s.dx * s.fx, s.dy * s.fy};
    } else {
      o.n = mf_pure(kind, p.mf, o.kap * o.inv_mu, o.alp * o.inv_mu);
    }
  }
  template <class R, class K> VD_FN static WheelForces<R> plain_force(const K& kind, const TireParams<R, K>& p,
                                                                      const WheelState<R>&, const Contact<R>& c,
                                                                      const TireSlip<R>& o, const Peak<R>& peak, R Fz) {
    WheelForces<R> F = {peak.Dx * o.n.x, peak.Dy * o.n.y};
    if (kind.camber) F.Fy -= p.mf.C_gamma * c.gamma * Fz * c.mu_lat;
    return F;
  }
  template <class R, class K> VD_FN static WheelForces<R> clip(const K& kind, const TireParams<R, K>& p,
                                                               const Contact<R>& c, WheelForces<R> F, R Fz) {
    return kind.ellipse || kind.similarity ? F : friction_circle(p.mf, c, F, Fz);
  }
  template <class R, class K>
  VD_FN static TireMoments<R> plain_moments(const K& kind, const TireParams<R, K>& p, const WheelState<R>& w,
                                            const Contact<R>& c, const TireSlip<R>& o, const TireForce<R>& f, R Fz) {
    // [T03.6]
    const R Mz = -pneumatic_trail(p.mf, o.alp * o.inv_mu) * f.Fy * c.Vx / sqrt(sq(c.Vx) + R(kSpeedEps * kSpeedEps));
    return {R(0.0), Mz, rolling_resistance(kind, p, c) * Fz * c.Re, w.pivot};
  }
  // A fresh tire; spin of a wheel that rolls without slip.
  template <class R, class K> VD_FN static void fresh(const TireParams<R, K>&, WheelState<R>&) {}
  template <class R, class K>
  VD_FN static R free_spin(const K& kind, const TireParams<R, K>& p, const WheelState<R>&, R vx, R Fz) {
    return vx / effective_radius(kind, p, Fz);
  }
  template <class R, class K> VD_FN static bool outside(const TireParams<R, K>&, R, const TireOut<R>&, R) {
    return false;
  }
};

}  // namespace vdsim
