// SPDX-License-Identifier: Apache-2.0
// MF-Tyre: aligning, overturning and rolling resistance moment. Theory: docs/theory/24_mf_tyre.md.
#pragma once
#include "vdsim/core/tire/mf_tyre_force.hpp"

namespace vdsim {

// Turn slip in the residual moment. [T24.19]
template <class R> struct TirSpinMoment {
  R Dr;  // moment of the spin itself, zeta8 - 1 [N m]
  R Cr;  // zeta7
};
template <class R>
VD_FN TirSpinMoment<R> tir_spin_moment(const TirParams<R>& p, const TirForces<R>& f, R Fz, R camber) {
  const R one = R(1.0), two_pi = R(0.63661977236758134), tiny = R(kTirEps);
  const R M = max(p.QCRP1 * abs(f.y.mu) * p.R0 * Fz * sqrt(Fz * p.inv_Fz0n) * p.LMP, tiny);
  const R D = M * p.inv_sin_QDRP1;
  const R B = Fz * camber / (p.QDRP1 * D * tir_apart(one - f.s.eps, tiny));
  TirSpinMoment<R> z;
  z.Dr = D * sin(p.QDRP1 * atan(B * p.R0 * f.s.turn));
  // zeta7 needs the ratio of two moments that vanish together with the spin: taken at no less than 1e-4
  const R x = max(p.R0 * abs(f.s.turn), R(1e-4));
  const R M90 = M * two_pi * atan(p.QCRP2 * x) * abs(f.Gyk);
  const R r = min(M90 / max(abs(D * sin(p.QDRP1 * atan(B * x))), tiny * M), one);
  z.Cr = two_pi * atan2(sqrt(max(one - r * r, R(0.0))), r);
  return z;
}

// [T24.16]  slip angle with the share of slip ratio; the sign is kept
template <class R> VD_FN R tir_equivalent(const TirKind& k, R a, R slip) {
  if (k.book) return sqrt(a * a + slip * slip) * sign1(a);
  const R t = tir_within(tan(tir_within(a, 10.0)), kTirSlip);
  return atan(sqrt(t * t + slip * slip)) * sign1(a);
}

template <class R> struct TirAlign {
  R Mz, trail, Mzr;  // moment [N m]; pneumatic trail [m], negative in reverse; residual moment [N m]
};

// [T24.14]  pneumatic trail without its cos'(alpha)
template <class R>
VD_FN R tir_trail(const TirKind& k, const TirParams<R>& p, TirMode m, const TirForces<R>& f, R Fz, R slip) {
  const TirPoint<R>& q = f.q;
  const TirLoad<R>& l = q.l;
  const R one = R(1.0), g = q.gs;
  const R at = q.as + p.QHZ1 + p.QHZ2 * l.dfz + (p.QHZ3 + p.QHZ4 * l.dfz) * g;
  const R camber_B = k.book ? one + p.QBZ5 * abs(g) + p.QBZ6 * g * g : one + p.QBZ4 * g + p.QBZ5 * abs(g);
  const R B = (p.QBZ1 + (p.QBZ2 + p.QBZ3 * l.dfz) * l.dfz) * camber_B / max(l.ly, R(kTirEps));
  R E = (p.QEZ1 + (p.QEZ2 + p.QEZ3 * l.dfz) * l.dfz) *
        (one + (p.QEZ4 + p.QEZ5 * g) * R(0.63661977236758134) * atan(B * p.QCZ1 * at));
  if (m.limits) E = min(E, one);
  R D =
      Fz * (p.QDZ1 + p.QDZ2 * l.dfz) * (one - p.PPZ1 * l.dpi) * (one + p.QDZ3 * (k.book ? abs(g) : g) + p.QDZ4 * g * g);
  if (!k.book) D = D * p.LFZO;
  if (m.turn) D = D * cos_atan(p.QDTP1 * p.R0 * f.s.phi);
  return D * cos(tir_arc(p.QCZ1, E, B * tir_equivalent(k, at, slip)));
}

// [T24.15]  residual moment; cosa: cos(alpha) (program) or cos'(alpha) (book)
template <class R>
VD_FN R tir_residual(const TirKind& k, const TirParams<R>& p, TirMode m, const TirForces<R>& f, R Fz, R slip, R cosa) {
  const TirPoint<R>& q = f.q;
  const TirLoad<R>& l = q.l;
  const R one = R(1.0), g = q.gs;
  const R ar = q.as + f.y.SH + tir_over(f.y.SV, f.y.K);
  const R camber = (p.QDZ8 + p.QDZ9 * l.dfz) * (one + p.PPZ2 * l.dpi) + (p.QDZ10 + p.QDZ11 * l.dfz) * abs(g);
  R D = (p.QDZ6 + p.QDZ7 * l.dfz) * f.s.z2, C = one, spin = R(0.0);
  R B = p.QBZ9 / max(l.ly, R(kTirEps)) + p.QBZ10 * f.y.B * p.CY;
  if (m.turn) {
    const TirSpinMoment<R> z = tir_spin_moment(p, f, Fz, camber);
    B = B * cos_atan(p.QBRP1 * p.R0 * f.s.phi);
    C = z.Cr;
    spin = z.Dr;
  } else {
    D += camber * g;
  }
  D = Fz * D * l.ly * sign(q.Vx) * cosa + spin;  // none at rest
  return D * cos(C * atan(B * tir_equivalent(k, ar, slip)));
}

// [T24.17]  Mz = -t F'y + Mzr + s Fx
template <class R>
VD_FN TirAlign<R> mf_tyre_mz(const TirKind& k, const TirParams<R>& p, TirMode m, const TirForces<R>& f) {
  const TirPoint<R>& q = f.q;
  const R zero = R(0.0), Fy = p.side * f.Fy;
  const mask_t<R> loaded = q.l.Fz > zero;
  const R Fz = m.limits ? select(loaded, max(q.l.Fz, p.FZMIN), zero) : q.l.Fz;
  const R slip = tir_within(tir_over(f.x.K, f.y.K) * q.kappa, 1e8);
  const R ca = cos(q.alpha), along = abs(ca), speed = abs(q.Vx);
  const R cosv = q.Vx * along / (speed + R(kTirEps) * along);  // [T24.14]  cos'(alpha), negative in reverse
  const R t = tir_trail(k, p, m, f, Fz, slip) * cosv * q.fade;
  const R Mzr = tir_residual(k, p, m, f, Fz, slip, k.book ? abs(cosv) : ca) * q.fade;
  // [T24.18]  reference force: upright, without turn slip
  TirPureY<R> y0 = f.y;
  TirMode upright = m;
  upright.turn = false;
  if (m.turn || any(q.gs != zero)) y0 = tir_pure_y(k, p, upright, q, tir_no_spin<R>(), zero);
  R Fp;
  if (k.version == 52)
    Fp = Fy - y0.mu * f.svyk;
  else
    Fp = y0.F * (k.book ? tir_gyk(k, p, m, q, zero) : f.Gyk);
  const R g = k.book ? q.gs : q.gamma;
  const R s = p.SSZ1 + (k.book ? p.SSZ2n : p.SSZ2) * Fy + (p.SSZ3 + p.SSZ4 * q.l.dfz) * g;
  TirAlign<R> a;
  a.Mzr = select(loaded, p.side * Mzr, zero);
  a.trail = select(loaded, t, zero);
  a.Mz = select(loaded, p.side * (Mzr - t * Fp + s * f.Fx), zero);
  return a;
}

// [T24.20]  below FZMIN the program takes loads smaller than they are: Fz (Fz/FZMIN)^n
template <class R> VD_FN R tir_faint(const TirParams<R>& p, R Fz) {
  return select(Fz < p.FZMIN, Fz * p.inv_FZMIN, R(1.0));
}

// [T24.21]  overturning moment
template <class R> VD_FN R mf_tyre_mx(const TirKind& k, const TirParams<R>& p, const TirForces<R>& f) {
  const R g = f.q.gamma, Fy = p.side * f.Fy;
  const R Fz = k.book ? f.q.l.Fz : f.q.l.Fz * sq(tir_faint(p, f.q.l.Fz));
  R M = p.QSX1 - p.QSX2 * g * (R(1.0) + p.PPMX1 * f.q.l.dpi) + p.QSX3 * Fy;
  if (k.version == 52) return p.side * Fz * M;
  M += p.QSX4 * cos(p.QSX5 * atan(sq(p.QSX6 * Fz))) * sin(p.QSX7 * g + p.QSX8 * atan(p.QSX9 * Fy)) +
       p.QSX10 * atan(p.QSX11 * Fz) * g;
  if (k.book) return p.side * Fz * M;
  return p.side * (Fz * (M - p.QSX12 * g * abs(g)) + Fy * (p.QSX13 + p.QSX14 * abs(g)));
}

// [T24.22]  rolling resistance of a wheel that turns, before its sign
template <class R> VD_FN R mf_tyre_resistance(const TirKind& k, const TirParams<R>& p, const TirForces<R>& f) {
  const TirPoint<R>& q = f.q;
  const R one = R(1.0), v = abs(q.Vx) * p.inv_V0;
  const R Fz = k.book ? q.load : q.load * tir_faint(p, q.load);
  const R M = p.QSY1 + p.QSY2 * f.Fx + p.QSY3 * v + p.QSY4 * sq(v * v);
  if (k.version == 52) return M * Fz;
  const R load = max(Fz * p.inv_Fz0, R(1e-9));
  return (M + (p.QSY5 + p.QSY6 * Fz) * sq(q.gamma)) * pow(load, p.QSY7) * pow(one + q.l.dpi, p.QSY8) *
         (k.book ? Fz : p.Fz0);
}
// Against the rotation: fades when the wheel turns slower than VXLOW.
template <class R> VD_FN R mf_tyre_my(const TirKind& k, const TirParams<R>& p, const TirForces<R>& f) {
  const TirPoint<R>& q = f.q;
  const R turning = clamp(abs(q.Vx) * (R(1.0) + q.slip) * p.inv_VXLOW, R(-1.0), R(1.0));
  const R M = mf_tyre_resistance(k, p, f);
  return select(q.load > R(0.0), -q.rev * M * sin(R(1.5707963267948966) * turning), R(0.0));
}
// [T24.62]  The same as dry friction, >= 0: it does not fade, it holds the wheel at rest.
template <class R> VD_FN R mf_tyre_dry(const TirKind& k, const TirParams<R>& p, const TirForces<R>& f) {
  return select(f.q.load > R(0.0), abs(mf_tyre_resistance(k, p, f)), R(0.0));
}

}  // namespace vdsim
