// MF96 steady law, pure and combined slip. Theory: docs/theory/03_magic_formula.md.
#pragma once
#include "vdsim/core/tire/params.hpp"
#include "vdsim/core/tire/rally.hpp"

namespace vdsim {

// [T03.1]  F/D = sin(C atan(B s - E (B s - atan(B s)))), odd in s. Linear backend: B s, saturated.
template <class R> VD_INLINE R mf_curve(const Curve<R>& c, bool linear, R s) {
  const R x = c.B * s;
  if (linear) return clamp(x, R(-1.0), R(1.0));
  return sin(c.C * atan(x - c.E * (x - atan(x))));
}

// [T03.2]  mu_e = max(0.3 mu_n, mu_n [1 - k_L (Fz/Fz_n - 1)]);  D = D_i Fz mu_e mu_road
template <class R> struct Peak {
  R Dx, Dy;  // largest force [N] on this road at this load, >= 0
};
template <class R> VD_FN Peak<R> mf_peak(const TireParams<R>& p, R Fz, R mu_long, R mu_lat) {
  const R mu_e = p.mu_n * max(R(0.3), R(1.0) - p.load_sens * (Fz * p.inv_Fz_n - R(1.0)));
  const R D = max(Fz, R(0.0)) * mu_e;
  return {p.D_long * D * mu_long, p.D_lat * D * mu_lat};
}

// [T03.3]  Re = R0 - (Fz0/Cz) (D atan(B Fz/Fz0) + F Fz/Fz0)
template <class R> VD_FN R effective_radius(const TireKind& kind, const TireParams<R>& p, R Fz) {
  if (!kind.reff) return p.R0;
  const R q = Fz * p.inv_Fz_n;
  return p.R0 - p.reff_gain * (p.reff_d * atan(p.reff_b * q) + p.reff_f * q);
}

// Pneumatic trail [m].  [T03.4]  t_p = t_0 / sqrt(1 + (alp/alp_0)^2)
template <class R> VD_FN R pneumatic_trail(const TireParams<R>& p, R alp) {
  return p.t_0 / sqrt(R(1.0) + sq(alp * p.inv_alp_0));
}

// The combined steady law of the rolling tire and of the MF path with `combined: similarity`.
// v: slip velocity (Vr - Vx, -Vy); the force points along d, its size over the peak is f.  |d| = 1.
template <class R> struct Similarity {
  R vs, rho, e;      // |v| [m/s]; slip over the slip of the peak; sliding excess max(0, 1 - 1/rho)
  R fx, fy, dx, dy;  // F_i = d_i f_i D_i
  R Sx, Sy, Q;       // scales of the slip directions; |(v_x/S_x, v_y/S_y)| [m/s]
};

// The rally tire has curves of its own,
template <class R> VD_NOINLINE void rally_pair(const TireKind& kind, const TireParams<R>& p, const Curves<R>& q, R along,
                                            R across, Similarity<R>& s) {
  s.fx = rally_curve(kind.rally_law, p.rally, q.lon, along, false);
  s.fy = rally_curve(kind.rally_law, p.rally, q.lat, across, true);
}
// and weights for the other slip; none (t = 1) where the tire slides, its direction is exact there.
template <class R>
VD_NOINLINE void rally_couple(const TireKind& kind, const TireParams<R>& p, R vx, R vy, R speed, R t, Similarity<R>& s) {
  const R inv = R(1.0) / max(speed, R(1e-3));
  const RallyWeights<R> g = rally_weights(kind.rally_law, p.rally, vx * inv, vy * inv);
  s.fx = s.fx * (g.x + t * (R(1.0) - g.x));
  s.fy = s.fy * (g.y + t * (R(1.0) - g.y));
}

// [T19.2]-[T19.5].  speed: |Vx|, floored by the MF path, which has no static gate either. q: the curves, p itself for MF96.
template <class R> VD_INLINE Similarity<R> similarity(const TireKind& kind, const TireParams<R>& p, const Curves<R>& q,
                                                      R vx, R vy, R speed, R Vx, R Vr) {
  const R tau = R(kTiny);
  Similarity<R> s;
  const R v2 = vx * vx + vy * vy;
  s.vs = sqrt(v2);
  // [T19.2]
  const R U = sqrt(sq(vx * q.lon.inv_s_p) + sq(vy * q.lat.inv_s_p));
  s.rho = min(U / max(speed, tau), R(1e6));
  const R rc = max(s.rho, R(1e-6));
  const mask_t<R> past = rc > R(1.0);
  s.e = any(past) ? select(past, R(1.0) - R(1.0) / rc, R(0.0)) : R(0.0);
  // [T19.3]
  const R along = min(rc * q.lon.s_p, q.lon.cap), across = min(rc * q.lat.s_p, q.lat.cap);
  if (kind.rally) {
    rally_pair(kind, p, q, along, across, s);
  } else {
    s.fx = mf_curve(q.lon, kind.linear, along) * q.lon.inv_fp;
    s.fy = mf_curve(q.lat, kind.linear, across) * q.lat.inv_fp;
  }
  if (kind.lugre && any(s.e > R(0.0))) {
    const R gate = gauss(s.vs * p.inv_v_st) * min(R(1.0), R(4.0) * s.e);
    s.fx += (R(1.0) - s.fx) * gate;
    s.fy += (R(1.0) - s.fy) * gate;
  }
  // [T19.4]
  const R t = v2 / (v2 + max(R(0.0), Vx * Vr) + tau);
  const R fb = (sq(vx) * s.fx + sq(vy) * s.fy + tau) / (v2 + tau);
  s.fx += t * (fb - s.fx);
  s.fy += t * (fb - s.fy);
  if (kind.rally && kind.rally_law.coupled) rally_couple(kind, p, vx, vy, speed, t, s);
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

// Steady force over the peak force, n = (Fx/Dx, Fy/Dy), for `combined: ellipse` and `none`.
template <class R> struct Normalised { R x, y; };
// [T03.5]  n_x = curve_x(kap), n_y = -curve_y(alp);  ellipse: divided by max(1, |n|)
template <class R> VD_FN Normalised<R> mf_pure(const TireKind& kind, const TireParams<R>& p, R kap, R alp) {
  const R nx = mf_curve(p.lon, kind.linear, kap), ny = -mf_curve(p.lat, kind.linear, alp);
  if (!kind.ellipse) return {nx, ny};
  const R inv = R(1.0) / max(R(1.0), sqrt(nx * nx + ny * ny));
  return {nx * inv, ny * inv};
}

}  // namespace vdsim
