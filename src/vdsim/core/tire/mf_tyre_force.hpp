// SPDX-License-Identifier: Apache-2.0
// MF-Tyre: longitudinal and lateral force. Theory: docs/theory/24_mf_tyre.md.
// Frame W of the file (ISO 8855): x forward, y left, z up; forces of the road on the tire; Fy < 0 for alpha > 0.
#pragma once
#include "vdsim/core/tire/mf_tyre_params.hpp"

namespace vdsim {

template <class R> struct TirInput {
  R Fz;               // load [N], <= 0: no contact
  R kappa;            // (omega Re - Vx)/Vx: -1 is locked in both directions
  R alpha;            // atan2(Vy, |Vx|) [rad]
  R gamma;            // inclination [rad], > 0 = top to the right
  R phit;             // turn slip [1/m]
  R Vx;               // speed of the contact point along x [m/s]
  R p;                // inflation pressure [Pa]
  R omega;            // spin [rad/s]
  R mu_long, mu_lat;  // road friction: multiplies LMUX, LMUY; 1 = as the file
};

inline constexpr double kTirEps = 1e-6;  // keeps quotients of the formulae finite

// sign with +1 at zero
template <class R> VD_INLINE R sign1(R x) { return select(x < R(0.0), R(-1.0), R(1.0)); }
// a/b that stays finite at b = 0
template <class R> VD_INLINE R tir_over(R a, R b) { return a / (b + R(kTirEps) * sign1(b)); }
// b, kept away from zero
template <class R> VD_INLINE R tir_apart(R b, R least) { return select(abs(b) > least, b, least * sign1(b)); }
// cos(atan(x))
template <class R> VD_INLINE R cos_atan(R x) { return R(1.0) / sqrt(R(1.0) + x * x); }

// [T24.1]  the argument of sine and cosine curves: C atan(Bx - E (Bx - atan Bx))
template <class R> VD_FN R tir_arc(R C, R E, R Bx) { return C * atan(Bx - E * (Bx - atan(Bx))); }

// Inputs are taken no larger than this, far outside any tire: no square of them overflows, in float either.
inline constexpr double kTirLoad = 100;   // nominal loads
inline constexpr double kTirSpeed = 1e4;  // [m/s]
inline constexpr double kTirSpin = 1e5;   // [rad/s]
inline constexpr double kTirSlip = 1e4;
template <class R> VD_INLINE R tir_within(R x, double most) { return clamp(x, R(-most), R(most)); }
template <class R> VD_INLINE R tir_some_load(const TirParams<R>& p, R Fz) {
  return clamp(Fz, R(0.0), R(kTirLoad) * p.Fz0n);
}

// Everything that depends on load, pressure and friction alone.
template <class R> struct TirLoad {
  R Fz;        // 0 .. 1000 nominal loads [N]
  R dfz, dpi;  // relative to nominal
  R lx, ly;    // friction scaling lambda*_mu
  R lxp, lyp;  // digressive lambda'_mu
};
// [T24.2]
template <class R> VD_FN R tir_dpi(const TirParams<R>& p, R pressure) {
  return clamp(pressure * p.inv_p0, R(0.01), R(100.0)) - R(1.0);
}
template <class R>
VD_FN TirLoad<R> tir_load(const TirKind& k, const TirParams<R>& p, R Fz, R pressure, R mu_long, R mu_lat) {
  const R most = R(1e3), one = R(1.0);
  TirLoad<R> l;
  l.Fz = tir_some_load(p, Fz);
  l.dfz = (l.Fz - p.Fz0n) * p.inv_Fz0n;
  l.dpi = tir_dpi(p, pressure);
  l.lx = p.LMUX * clamp(mu_long, R(0.0), most);
  l.ly = p.LMUY * clamp(mu_lat, R(0.0), most);
  l.lxp = l.lx;
  l.lyp = l.ly;
  if (k.book) {  // A_mu = 10
    l.lxp = R(10.0) * l.lx / (one + R(9.0) * l.lx);
    l.lyp = R(10.0) * l.ly / (one + R(9.0) * l.ly);
  }
  return l;
}

// [T24.4]  slip stiffness and friction along x
template <class R> VD_FN R tir_kx(const TirParams<R>& p, const TirLoad<R>& l) {
  return l.Fz * (p.PKX1 + p.PKX2 * l.dfz) * exp(clamp(p.PKX3 * l.dfz, R(-20.0), R(20.0))) *
         (R(1.0) + (p.PPX1 + p.PPX2 * l.dpi) * l.dpi);
}
template <class R> VD_FN R tir_mux(const TirParams<R>& p, const TirLoad<R>& l, R gamma) {
  return (p.PDX1 + p.PDX2 * l.dfz) * (R(1.0) + (p.PPX3 + p.PPX4 * l.dpi) * l.dpi) * (R(1.0) - p.PDX3 * gamma * gamma) *
         l.lx;
}
template <class R> VD_FN R tir_ex(const TirParams<R>& p, const TirLoad<R>& l) {
  return p.PEX1 + (p.PEX2 + p.PEX3 * l.dfz) * l.dfz;
}
// [T24.7]  cornering stiffness (negative) and friction along y; g = gamma or gamma*
template <class R> VD_FN R tir_ky(const TirParams<R>& p, const TirLoad<R>& l, R g) {
  const R top = (p.PKY2 + p.PKY5 * g * g) * (R(1.0) + p.PPY2 * l.dpi);
  const R load = l.Fz * p.inv_Fz0n / tir_apart(top, R(1e-9));
  return p.KY * (R(1.0) + p.PPY1 * l.dpi) * (R(1.0) - p.PKY3 * abs(g)) * sin(p.PKY4 * atan(load));
}
template <class R> VD_FN R tir_muy(const TirParams<R>& p, const TirLoad<R>& l, R g) {
  return (p.PDY1 + p.PDY2 * l.dfz) * (R(1.0) + (p.PPY3 + p.PPY4 * l.dpi) * l.dpi) * (R(1.0) - p.PDY3 * g * g) * l.ly;
}
template <class R> VD_FN R tir_ey(const TirParams<R>& p, const TirLoad<R>& l) { return p.PEY1 + p.PEY2 * l.dfz; }

// One operating point after limits and sign conventions.
template <class R> struct TirPoint {
  TirLoad<R> l;
  R load;          // as given, >= 0 [N]: radius, patch and rolling resistance know no limit
  R kappa, slip;   // limited; as given
  R alpha, gamma;  // limited [rad]
  R phit, Vx, omega;
  R rev;     // sign of Vx, +1 at rest
  R fade;    // 1 - W_Vlow: scales shifts and moments down below VXLOW
  R as, gs;  // alpha*, gamma*
};

// [T24.3]  limits: below VXLOW slips shrink with speed, then every input goes to its range
template <class R> VD_FN void tir_limit(const TirParams<R>& p, bool scale, TirInput<R>& in, R& fade) {
  const R one = R(1.0), speed = abs(in.Vx);
  in.phit = in.phit * cos(in.alpha);
  if (scale) {
    const R slow = min(speed * p.inv_VXLOW, one);
    const R sum = speed + abs(tan(in.alpha)) * speed;
    fade = R(0.5) * (one - cos(R(3.14159265358979323846) * slow));
    in.kappa = in.kappa * slow;
    in.phit = in.phit * slow;
    in.alpha = in.alpha * min(sum * p.inv_VXLOW, one);
  }
  in.phit = in.phit * sign1(in.Vx);
  in.kappa = clamp(in.kappa, p.KPUMIN, p.KPUMAX);
  in.alpha = clamp(in.alpha, p.ALPMIN, p.ALPMAX);
  in.gamma = clamp(in.gamma, p.CAMMIN, p.CAMMAX);
  in.Fz = min(in.Fz, p.FZMAX);
  in.p = clamp(in.p, p.PRESMIN, p.PRESMAX);
}

template <class R> VD_FN TirPoint<R> tir_point(const TirKind& k, const TirParams<R>& p, TirMode m, TirInput<R> in) {
  TirPoint<R> q;
  q.load = tir_some_load(p, in.Fz);
  q.Vx = in.Vx = tir_within(in.Vx, kTirSpeed);
  q.slip = in.kappa = tir_within(in.kappa, kTirSlip);
  q.omega = tir_within(in.omega, kTirSpin);
  in.alpha = p.side * tir_within(in.alpha, 10.0);
  in.gamma = p.side * tir_within(in.gamma, 1.5);
  in.phit = p.side * tir_within(in.phit, 1e3);
  q.fade = R(1.0);
  if (m.limits) tir_limit(p, !m.rolling, in, q.fade);
  q.kappa = in.kappa;
  q.alpha = in.alpha;
  q.gamma = in.gamma;
  q.phit = in.phit;
  q.rev = sign1(in.Vx);
  const bool star = m.star || k.book;
  q.as = star ? tir_within(tan(in.alpha), kTirSlip) * q.rev : in.alpha;
  q.gs = star ? sin(in.gamma) : in.gamma;
  q.l = tir_load(k, p, in.Fz, in.p, in.mu_long, in.mu_lat);
  if (k.slip_mu) {  // [T24.2]
    const R Vs = abs(in.Vx) * sqrt(sq(in.kappa) + sq(tir_within(tan(in.alpha), kTirSlip)));
    const R less = R(1.0) / (R(1.0) + p.LMUV * Vs * p.inv_V0);
    q.l = tir_load(k, p, in.Fz, in.p, in.mu_long * less, in.mu_lat * less);
  }
  return q;
}

// Turn slip: spin of the contact patch and what it takes from the peaks. Without it every zeta is 1.
template <class R> struct TirSpin {
  R phi;         // spin [1/m], sign of the formulae of Fy
  R turn;        // the same seen as turn slip: phit + (1 - eps) omega sin(gamma)/V [1/m]
  R eps;         // share of camber that is no spin
  R z1, z2, z3;  // zeta: peak of Fx, peak of Fy, cornering stiffness
};
template <class R> VD_FN TirSpin<R> tir_no_spin() { return {R(0.0), R(0.0), R(0.0), R(1.0), R(1.0), R(1.0)}; }
// [T24.11], [T24.12]
template <class R> VD_FN TirSpin<R> tir_spin(const TirKind& k, const TirParams<R>& p, const TirPoint<R>& q) {
  const R one = R(1.0);
  TirSpin<R> s;
  R sa, ca;
  sincos(q.alpha, sa, ca);
  ca = max(abs(ca), R(1e-6));
  s.eps = p.PECP1 * (one + p.PECP2 * q.l.dfz);
  const R V = max(abs(q.Vx) / ca, p.VXLOW);
  s.turn = q.phit + (one - s.eps) * q.omega * sin(q.gamma) / V;
  s.phi = k.book ? s.turn : -s.turn;
  const R x = p.R0 * abs(s.phi);
  s.z1 = cos_atan(p.PDXP1 * (one + p.PDXP2 * q.l.dfz) * cos_atan(p.PDXP3 * q.kappa) * x);
  s.z2 = cos_atan(p.PDYP1 * (one + p.PDYP2 * q.l.dfz) * cos_atan(p.PDYP3 * sa / ca) * (x + p.PDYP4 * sqrt(x)));
  s.z3 = cos_atan(p.PKYP1 * x * x);
  return s;
}

// [T24.4], [T24.5]
template <class R> struct TirPureX { R F, K, mu; };
template <class R>
VD_FN TirPureX<R> tir_pure_x(const TirParams<R>& p, TirMode m, const TirPoint<R>& q, const TirSpin<R>& s) {
  const TirLoad<R>& l = q.l;
  TirPureX<R> x;
  x.K = tir_kx(p, l);
  x.mu = tir_mux(p, l, q.gamma);
  const R D = x.mu * l.Fz * s.z1;
  const R kx = q.kappa + (p.PHX1 + p.PHX2 * l.dfz) * q.fade;
  const R SV = l.Fz * (p.PVX1 + p.PVX2 * l.dfz) * l.lxp * s.z1 * q.fade;
  R E = tir_ex(p, l) * (R(1.0) - p.PEX4 * sign1(kx));
  if (m.limits) E = min(E, R(1.0));
  x.F = q.rev * (D * sin(tir_arc(p.CX, E, tir_over(x.K, p.CX * D) * kx)) + SV);
  return x;
}

// [T24.13]  shift of Fy(alpha) by spin: replaces the camber shift under turn slip
template <class R>
VD_FN R tir_spin_shift(const TirParams<R>& p, TirMode m, const TirPoint<R>& q, const TirSpin<R>& s, R Kg, R K0) {
  const R D = p.PHYP2 + p.PHYP3 * q.l.dfz, E = m.limits ? min(p.PHYP4, R(1.0)) : p.PHYP4;
  const R K = tir_over(Kg, K0) / tir_apart(R(1.0) - s.eps, R(1e-6));
  return q.rev * D * sin(tir_arc(p.PHYP1, E, K * p.R0 * s.phi / tir_apart(p.PHYP1 * D, R(1e-9))));
}

// [T24.8], [T24.9]  shifts and force; g: gamma* of this evaluation (0 for the moment's reference force)
template <class R> struct TirPureY {
  R F, K, mu, B;  // force [N], stiffness [N/rad], friction, slope factor
  R SH, SV;       // shifts [rad], [N]
};
template <class R> VD_FN TirPureY<R> tir_pure_y(const TirKind& k, const TirParams<R>& p, TirMode m,
                                                const TirPoint<R>& q, const TirSpin<R>& s, R g) {
  const TirLoad<R>& l = q.l;
  const R one = R(1.0);
  TirPureY<R> y;
  y.K = tir_ky(p, l, g) * s.z3;
  const R SVg = l.Fz * (p.PVY3 + p.PVY4 * l.dfz) * g * l.lyp * s.z2;
  y.SH = p.PHY1 + p.PHY2 * l.dfz;
  if (k.version == 52) {
    y.SH += p.PHY3 * g;
  } else {
    const R Kg = l.Fz * (p.PKY6 + p.PKY7 * l.dfz) * (one + p.PPY5 * l.dpi);
    if (m.turn)
      y.SH += tir_spin_shift(p, m, q, s, Kg, tir_ky(p, l, R(0.0)) * s.z3) - tir_over(SVg, y.K);
    else
      y.SH += tir_over(Kg * g - SVg, y.K);
  }
  y.SH = y.SH * q.fade;
  y.SV = (l.Fz * (p.PVY1 + p.PVY2 * l.dfz) * l.lyp * s.z2 + SVg) * q.fade;
  const R ay = q.as + y.SH;
  y.mu = tir_muy(p, l, g);
  const R D = y.mu * l.Fz * s.z2;
  R E = tir_ey(p, l) * (one + p.PEY5 * g * g - (p.PEY3 + p.PEY4 * g) * sign1(ay));
  if (m.limits) E = min(E, one);
  y.B = tir_over(y.K, p.CY * D);
  y.F = D * sin(tir_arc(p.CY, E, y.B * ay)) + y.SV;
  if (m.star || k.book) y.F = y.F * q.rev;  // alpha* has turned with Vx
  return y;
}

// [T24.6], [T24.10]  weight of one slip on the force of the other: cos(arc(x + SH))/cos(arc(SH))
template <class R> VD_FN R tir_weight(bool shifted, R B, R C, R E, R SH, R x) {
  const R G = cos(tir_arc(C, E, B * (x + SH)));
  if (!shifted) return G;
  const R G0 = cos(tir_arc(C, E, B * SH));
  return G / tir_apart(G0, R(1e-3));
}
template <class R> VD_FN R tir_gxa(const TirKind& k, const TirParams<R>& p, TirMode m, const TirPoint<R>& q) {
  const R B = (p.RBX1 + p.RBX3 * sq(q.gs)) * cos_atan(p.RBX2 * q.kappa);
  R E = p.REX1 + p.REX2 * q.l.dfz;
  if (m.limits) E = min(E, R(1.0));
  return tir_weight(k.shift_x, B, p.RCX1, E, p.RHX1, q.as);
}
template <class R> VD_FN R tir_gyk(const TirKind& k, const TirParams<R>& p, TirMode m, const TirPoint<R>& q, R g) {
  const R B = (p.RBY1 + p.RBY4 * g * g) * cos_atan(p.RBY2 * (q.as - p.RBY3));
  R E = p.REY1 + p.REY2 * q.l.dfz;
  if (m.limits) E = min(E, R(1.0));
  return tir_weight(k.shift_y, B, p.RCY1, E, p.RHY1 + p.RHY2 * q.l.dfz, q.kappa);
}
// [T24.10]  side force by slip ratio, per unit of friction mu_y
template <class R> VD_FN R tir_svyk(const TirKind& k, const TirParams<R>& p, const TirPoint<R>& q) {
  if (!k.kappa_fy) return R(0.0);
  return q.l.Fz * (p.RVY1 + p.RVY2 * q.l.dfz + p.RVY3 * q.gs) * cos_atan(p.RVY4 * q.as) *
         sin(p.RVY5 * atan(p.RVY6 * q.kappa)) * q.fade;
}

// Fx, Fy [N] and what the moments reuse.
template <class R> struct TirForces {
  R Fx, Fy;  // road on tire, frame of the car (a mirrored tire is already turned back)
  TirPoint<R> q;
  TirSpin<R> s;
  TirPureX<R> x;
  TirPureY<R> y;
  R Gyk, svyk;  // weight of Fy0; S_Vyk / mu_y [N]
};
template <class R>
VD_FN TirForces<R> mf_tyre_force(const TirKind& k, const TirParams<R>& p, TirMode m, const TirInput<R>& in) {
  TirForces<R> f;
  f.q = tir_point(k, p, m, in);
  f.s = m.turn ? tir_spin(k, p, f.q) : tir_no_spin<R>();
  f.x = tir_pure_x(p, m, f.q, f.s);
  f.y = tir_pure_y(k, p, m, f.q, f.s, f.q.gs);
  f.Gyk = tir_gyk(k, p, m, f.q, f.q.gs);
  f.svyk = tir_svyk(k, p, f.q);
  const mask_t<R> loaded = f.q.l.Fz > R(0.0);
  f.Fx = select(loaded, tir_gxa(k, p, m, f.q) * f.x.F, R(0.0));
  f.Fy = select(loaded, p.side * (f.Gyk * f.y.F + f.y.mu * f.s.z2 * f.svyk), R(0.0));
  return f;
}

}  // namespace vdsim
