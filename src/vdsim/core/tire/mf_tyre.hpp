// SPDX-License-Identifier: Apache-2.0
// MF-Tyre from a property file (.tir): versions 5.2, 6.1, 6.2, flavours "program" and "book".
//   mf_tyre_force          Fx, Fy                                    (all that a car evaluates)
//   mf_tyre_mz, _mx, _my   moments, from the result of mf_tyre_force
//   mf_tyre_radius         effective rolling radius;  mf_tyre_spin: spin that belongs to a slip ratio
//   mf_tyre_curves         offset-free pure curves for laws that build on B, C, D, E
//   mf_tyre                all of it, and deflection, patch and carcass stiffness
// Theory: docs/theory/24_mf_tyre.md.
#pragma once
#include "vdsim/core/tire/mf_tyre_moments.hpp"

namespace vdsim {

template <class R> struct TirOutput {
  R Fx, Fy, Mx, My, Mz;  // [N], [N m]
  R Re;                  // effective rolling radius [m]
  R rho;                 // deflection [m]
  R a, b;                // half length, half width of the contact patch [m]
  R trail;               // pneumatic trail [m], negative in reverse
  R mux, muy;            // peak friction
  R Rl;                  // loaded radius [m]
  R Mzr;                 // residual part of Mz [N m]
  R Cx, Cy, Cz;          // carcass stiffness [N/m]; Cz = Fz/rho
  R Kya, Kxk;            // cornering stiffness (< 0) [N/rad], slip stiffness [N]
  R sigmax, sigmay;      // relaxation lengths [m]
  R clamped;             // how many of load, slip, angles, pressure, speed the limits have changed (0 without limits)
};

// Pressure-corrected vertical stiffness [N/m]
template <class R> VD_FN R tir_cz(const TirParams<R>& p, R dpi) { return p.Cz0 * max(R(1.0) + p.PFZ1 * dpi, R(0.05)); }
// [T24.23]  radius of the spinning, unloaded tire
template <class R> VD_FN R tir_free_radius(const TirParams<R>& p, R omega) {
  return p.R0 * (p.Q_RE0 + p.Q_V1 * sq(tir_within(omega, kTirSpin) * p.R0 * p.inv_V0));
}
// [T24.24]  what the load takes from it
template <class R> VD_FN R tir_radius_loss(const TirParams<R>& p, R Fz, R dpi) {
  const R q = tir_some_load(p, Fz) * p.inv_Fz0;
  return p.Fz0 / tir_cz(p, dpi) * (p.DREFF * atan(p.BREFF * q) + p.FREFF * q);
}
template <class R> VD_FN R mf_tyre_radius(const TirKind&, const TirParams<R>& p, R Fz, R omega, R pressure) {
  return tir_free_radius(p, omega) - tir_radius_loss(p, Fz, tir_dpi(p, pressure));
}

// [T24.25]  omega with omega Re(omega) = (1 + kappa) Vx: Re^3 - A Re^2 - G = 0, G = growth at Re = 1.
// Newton from above; f is convex there, so ten steps reach rounding from any start of the right size.
template <class R> VD_FN R mf_tyre_spin(const TirKind&, const TirParams<R>& p, R Fz, R kappa, R Vx, R pressure) {
  const R least = R(0.1) * p.R0,
          roll = tir_within((R(1.0) + tir_within(kappa, kTirSlip)) * tir_within(Vx, kTirSpeed), kTirSpin);
  const R A = max(p.R0 * p.Q_RE0 - tir_radius_loss(p, Fz, tir_dpi(p, pressure)), least);
  const R G = p.R0 * p.Q_V1 * sq(roll * p.R0 * p.inv_V0);
  R Re = A + min(max(G, R(0.0)) / (A * A), pow(max(G, R(0.0)), R(1.0 / 3.0)));
  for (int i = 0; i < 10; ++i)
    Re = max(Re - (Re * Re * (Re - A) - G) / (Re * max(R(3.0) * Re - R(2.0) * A, least)), least);
  return roll / Re;
}

template <class R> struct TirDeflection {
  R rho, Rl, Cz;  // [m], [m], [N/m]
};
// [T24.26]  5.2, 6.1: Fz = c (Q1 x + Q2 x^2), x = rho/R0, by the root that stays valid at Q2 = 0
template <class R> VD_FN TirDeflection<R> tir_deflection61(const TirParams<R>& p, const TirForces<R>& f, R Fz) {
  const R one = R(1.0), zero = R(0.0);
  const R part = one + p.Q_V2 * p.R0 * p.inv_V0 * abs(f.q.omega) - sq(p.Q_FCX * f.Fx) - sq(p.Q_FCY * f.Fy);
  const R c = max(part, R(0.05)) * tir_cz(p, f.q.l.dpi) / p.Cz0 * p.Fz0;
  const R Q1 = p.Q_FZ1 + p.Q_FZ3 * sq(f.q.gamma), q = Fz / c;
  const R root = sqrt(max(Q1 * Q1 + R(4.0) * p.Q_FZ2 * q, zero));
  const R x = R(2.0) * q / max(Q1 + root, R(1e-6));
  const R rho = x * p.R0;
  return {rho, max(tir_free_radius(p, f.q.omega) - rho, zero), c * (Q1 + p.Q_FZ2 * x) * p.inv_R0};
}

// [T24.27]  6.2: vertical force at a loaded radius, Rw = radius of the spinning tire
template <class R> struct TirSpring { R Fz, rho; };
template <class R> VD_FN TirSpring<R> tir_spring62(const TirParams<R>& p, const TirForces<R>& f, R Rw, R Rl) {
  const R one = R(1.0), g = p.side * f.q.gamma, e = R(kTirEps);
  const R drop = max(Rw - Rl, R(0.0)), r = Rl / Rw;
  const R lean = (p.Q_CAM1 * Rl + p.Q_CAM2 * Rl * Rl) / tir_apart(p.Q_CAM1 * Rw + p.Q_CAM2 * Rw * Rw, e);
  const R rho = max(drop + sq(lean) * p.tread * abs(tan(g)) - p.Q_CAM3 * drop * abs(g), R(0.0));
  const R x = rho * p.inv_R0, S = (p.Q_FYS1 + (p.Q_FYS2 + p.Q_FYS3 * r) * r) * g;
  const R side = pow(max(x, e), p.Q_FCY2) * p.Q_FCY * (f.Fy - S);
  const R part = one + p.Q_V2 * p.R0 * p.inv_V0 * abs(f.q.omega) - sq(p.Q_FCX * f.Fx) - sq(side);
  return {part * tir_cz(p, f.q.l.dpi) / p.Cz0 * (p.Q_FZ1 + p.Q_FZ2 * x) * x * p.Fz0, rho};
}
// Regula falsi (Anderson, Bjoerck) on the loaded radius after a few bisections; the count is fixed, a found root stays.
template <class R> VD_FN TirDeflection<R> tir_deflection62(const TirParams<R>& p, const TirForces<R>& f, R Fz) {
  const R one = R(1.0), zero = R(0.0), tiny = R(1e-30), Rw = max(tir_free_radius(p, f.q.omega), R(0.1) * p.R0);
  R soft = Rw, hard = R(0.05) * Rw;  // radius where the load is too small, too large
  R fs = tir_spring62(p, f, Rw, soft).Fz - Fz, fh = tir_spring62(p, f, Rw, hard).Fz - Fz;
  R Rl = soft, last = zero;
  for (int i = 0; i < 14; ++i) {
    const R chord = soft + (hard - soft) * fs / min(fs - fh, -tiny);
    Rl = i < 3 ? R(0.5) * (hard + soft) : clamp(chord, hard, soft);
    const R fx = tir_spring62(p, f, Rw, Rl).Fz - Fz;
    const mask_t<R> over = fx > zero;
    const R now = select(over, one, -one), ratio = fx / select(over, max(fh, tiny), min(fs, -tiny));
    const R less = select(now == last, select(ratio < one, one - ratio, R(0.5)), one);
    fs = select(over, fs * less, fx);
    fh = select(over, fx, fh * less);
    soft = select(over, soft, Rl);
    hard = select(over, Rl, hard);
    last = now;
  }
  const TirSpring<R> s = tir_spring62(p, f, Rw, Rl);
  return {s.rho, Rl, Fz / max(s.rho, R(kTirEps))};
}

// [T24.28]  half length, half width of the contact patch; no more grows once the rim is reached
template <class R> VD_FN void tir_patch(const TirKind& k, const TirParams<R>& p, R Fz, R dpi, R& a, R& b) {
  const R Cz = tir_cz(p, dpi), F = min(Fz, max(p.bottom, R(0.0)) * Cz);
  const R q = k.version == 52 ? F * p.inv_Fz0 : F / (Cz * p.R0);
  a = p.patch_a2 * q + p.patch_a1 * sqrt(q);
  b = k.version == 52 ? p.patch_b1 : p.patch_b2 * q + p.patch_b1 * pow(q, R(1.0 / 3.0));
}

// [T24.29], [T24.30]  carcass stiffness and relaxation length; one follows from the other and the slip stiffness
template <class R> struct TirCarcass { R Cx, Cy, sigmax, sigmay; };
template <class R>
VD_FN TirCarcass<R> tir_carcass(const TirKind& k, const TirParams<R>& p, const TirLoad<R>& l, R gamma, R Kx, R Ky) {
  const R one = R(1.0), zero = R(0.0), tiny = R(kTirEps);
  TirCarcass<R> c;
  c.Cx = p.Cx0 * (one + (p.PCFX1 + p.PCFX2 * l.dfz) * l.dfz) * (one + p.PCFX3 * l.dpi);
  c.Cy = p.Cy0 * (one + (p.PCFY1 + p.PCFY2 * l.dfz) * l.dfz) * (one + p.PCFY3 * l.dpi);
  if (k.version == 52) {
    c.sigmax = (p.PTX1 + p.PTX2 * l.dfz) * exp(clamp(-p.PTX3 * l.dfz, R(-20.0), R(20.0))) * l.Fz;
    c.sigmay = p.PTY1 * sin(R(2.0) * atan(l.Fz * p.inv_PTY2)) * (one - p.PKY3 * abs(gamma));
    c.Cx = select(p.Cx0 > zero, c.Cx, select(c.sigmax > tiny, abs(Kx) / max(c.sigmax, tiny), zero));
    c.Cy = select(p.Cy0 > zero, c.Cy, select(c.sigmay > tiny, abs(Ky) / max(c.sigmay, tiny), zero));
  } else {
    c.sigmax = select(abs(c.Cx) > zero, abs(Kx / (c.Cx + tiny * sign1(c.Cx))), zero);
    c.sigmay = select(abs(c.Cy) > zero, abs(Ky / (c.Cy + tiny * sign1(c.Cy))), zero);
  }
  return c;
}

// How many inputs lie outside the ranges of the file; the sixth is the speed (below VXLOW).
template <class R> VD_FN R tir_outside(const TirParams<R>& p, const TirInput<R>& in) {
  const R one = R(1.0), zero = R(0.0);
  const R g = p.side * in.gamma, a = p.side * in.alpha;
  return select((in.Fz < p.FZMIN) | (in.Fz > p.FZMAX), one, zero) +
         select((in.kappa < p.KPUMIN) | (in.kappa > p.KPUMAX), one, zero) +
         select((a < p.ALPMIN) | (a > p.ALPMAX), one, zero) + select((g < p.CAMMIN) | (g > p.CAMMAX), one, zero) +
         select((in.p < p.PRESMIN) | (in.p > p.PRESMAX), one, zero) + select(abs(in.Vx) < p.VXLOW, one, zero);
}

template <class R>
VD_FN TirOutput<R> mf_tyre(const TirKind& k, const TirParams<R>& p, TirMode m, const TirInput<R>& in) {
  const R zero = R(0.0);
  const TirForces<R> f = mf_tyre_force(k, p, m, in);
  const TirLoad<R>& l = f.q.l;
  const mask_t<R> loaded = l.Fz > zero;
  const TirAlign<R> z = mf_tyre_mz(k, p, m, f);
  TirOutput<R> o;
  o.Fx = f.Fx;
  o.Fy = f.Fy;
  o.Mx = select(loaded, mf_tyre_mx(k, p, f), zero);
  o.My = mf_tyre_my(k, p, f);
  o.Mz = z.Mz;
  o.trail = z.trail;
  o.Mzr = z.Mzr;
  o.mux = select(loaded, f.x.mu, zero);
  o.muy = select(loaded, m.limits ? abs(f.y.mu) : f.y.mu, zero);
  o.Kxk = f.x.K;
  o.Kya = f.y.K;
  o.Re = tir_free_radius(p, f.q.omega) - tir_radius_loss(p, f.q.load, l.dpi);
  const R low = m.limits ? select(loaded, max(l.Fz, p.FZMIN), zero) : l.Fz;
  const TirDeflection<R> d = k.version == 62 ? tir_deflection62(p, f, l.Fz) : tir_deflection61(p, f, low);
  o.rho = d.rho;
  o.Rl = d.Rl;
  o.Cz = d.Cz;
  tir_patch(k, p, f.q.load, l.dpi, o.a, o.b);
  const TirCarcass<R> c = tir_carcass(k, p, l, f.q.gamma, f.x.K, f.y.K);
  o.Cx = c.Cx;
  o.Cy = c.Cy;
  o.sigmax = c.sigmax;
  o.sigmay = c.sigmay;
  o.clamped = m.limits ? tir_outside(p, in) : zero;
  return o;
}

// F = D sin(C atan(B s - E (B s - atan B s))): upright, without shifts and without difference between signs of slip.
// [T24.31]  D > 0, 0 < C <= 2, E <= 1, B > 0, whatever the file holds.
template <class R> struct TirCurves { R Bx, Cx, Dx, Ex, By, Cy, Dy, Ey; };
template <class R>
VD_FN TirCurves<R> mf_tyre_curves(const TirKind& k, const TirParams<R>& p, R Fz, R pressure, R mu_long, R mu_lat) {
  const TirLoad<R> l = tir_load(k, p, Fz, pressure, mu_long, mu_lat);
  const R least = R(1e-3), one = R(1.0), two = R(2.0), zero = R(0.0);
  TirCurves<R> c;
  c.Cx = clamp(p.CX, R(0.01), two);
  c.Cy = clamp(p.CY, R(0.01), two);
  c.Dx = max(abs(tir_mux(p, l, zero)) * l.Fz, least);
  c.Dy = max(abs(tir_muy(p, l, zero)) * l.Fz, least);
  c.Ex = min(tir_ex(p, l), one);
  c.Ey = min(tir_ey(p, l), one);
  c.Bx = max(abs(tir_kx(p, l)), least) / (c.Cx * c.Dx);
  c.By = max(abs(tir_ky(p, l, zero)), least) / (c.Cy * c.Dy);
  return c;
}

// What a bristle law takes from the file: at nominal load and pressure, upright, mu 1.
struct TirNominal {
  double Kx, Ky;              // slip stiffness [N], cornering stiffness (> 0) [N/rad]
  double sigma_x, sigma_y;    // relaxation lengths [m]
  double sigma0_x, sigma0_y;  // carcass stiffness [N/m]: K = sigma0 sigma
};
// [T24.32]  stiffness of the file (6.x) or K/relaxation length (5.2); neither given: 0.22 m and 0.42 m
inline TirNominal tir_nominal(const TirSpec& s) {
  const TirKind k = tir_kind(s);
  const TirParams<double> p = compile_tir(s);
  const TirLoad<double> l = tir_load(k, p, p.Fz0n, p.p_ref, 1.0, 1.0);
  TirNominal n;
  n.Kx = max(abs(tir_kx(p, l)), 1.0);
  n.Ky = max(abs(tir_ky(p, l, 0.0)), 1.0);
  const TirKind tabled{52, false, false, false, false, false};
  const TirCarcass<double> c = tir_carcass(tabled, p, l, 0.0, n.Kx, n.Ky);  // lengths from PTX, PTY
  const auto stiffness = [&](double given, double length, double K, double usual) {
    if (k.version != 52 && given > 0) return given;
    if (length > 1e-3) return K / length;
    return given > 0 ? given : K / usual;
  };
  n.sigma0_x = stiffness(p.Cx0, c.sigmax, n.Kx, 0.22);
  n.sigma0_y = stiffness(p.Cy0, c.sigmay, n.Ky, 0.42);
  n.sigma_x = n.Kx / n.sigma0_x;
  n.sigma_y = n.Ky / n.sigma0_y;
  return n;
}

}  // namespace vdsim
