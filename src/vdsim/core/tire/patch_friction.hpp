// SPDX-License-Identifier: Apache-2.0
// Contact-patch LuGre: friction, one linear piece of motion, and the linear relaxation that all fidelities are made of.
// Scalar code (R = double or float): a history of events cannot run in step over the lanes of a pack.
#pragma once
#include "vdsim/core/tire/patch_params.hpp"

namespace vdsim {

// [T22.2]  q = |v|/g(|v|), so that C0_i = sigma0_i q; dq = dq/d|v|
template <class R> struct PatchLeak { R q, dq, speed; };
template <class R> VD_FN PatchLeak<R> patch_leak(const PatchParams<R>& p, const PatchMotion<R>& m) {
  const R square = sq(m.vx) + sq(m.vy), speed = sqrt(square);
  const R s = exp(p.half_gamma * log(max(square * p.inv_v_s2, R(1e-36))));
  const R drop = p.mu_drop * exp(-s), g = p.mu_k + drop, inv = R(1.0) / (g * g * m.mu);
  return {speed * g * inv, inv * (g + R(2.0) * p.half_gamma * s * drop), speed};
}

// Speeds and friction as far as they are read: every finite input gives a finite force.
template <class R> VD_FN PatchMotion<R> patch_bounded(const PatchMotion<R>& m) {
  const R fast = R(kPatchFast);
  return {clamp(m.U, -fast, fast), clamp(m.vx, -fast, fast), clamp(m.vy, -fast, fast), clamp(m.mu, R(1e-6), R(1e4))};
}
template <class R> VD_FN PatchMotion<R> patch_between(const PatchMotion<R>& a, const PatchMotion<R>& b, R u) {
  const R w = R(1.0) - u;  // weights: exact at both ends also where the two are of very different size
  return {w * a.U + u * b.U, w * a.vx + u * b.vx, w * a.vy + u * b.vy, w * a.mu + u * b.mu};
}
// Rolling rate [1/s] in the direction dir; a standing wheel does not roll.
template <class R> VD_FN R patch_rolling(const PatchParams<R>& p, R U, R dir) {
  return select(abs(U) < R(kPatchStanding), R(0.0), max(R(0.0), dir * U) * p.inv_L);
}

// A piece of motion of duration h, all inputs linear in time; leak at its begin, middle and end.
template <class R> struct PatchPiece {
  PatchMotion<R> m0, m1;
  PatchLeak<R> begin, end;
  R h, U0, U1, roll;  // duration [s]; rolling rates [1/s]; patch lengths rolled
  R q0, qm, q1, Q;    // Q = int q dt
  R v0[2], v1[2];
};
// The middle of q from its values and rates at both ends, which saves a third of the cost and is as exact as Simpson's rule.
template <class R> VD_FN PatchPiece<R> patch_piece(const PatchParams<R>& p, const PatchMotion<R>& m0,
                                                   const PatchLeak<R>& begin, const PatchMotion<R>& m1, R dir, R h) {
  PatchPiece<R> o;
  o.m0 = m0, o.m1 = m1, o.h = h, o.begin = begin, o.end = patch_leak(p, m1);
  o.U0 = patch_rolling(p, m0.U, dir), o.U1 = patch_rolling(p, m1.U, dir);
  o.roll = R(0.5) * h * (o.U0 + o.U1);
  const R dx = m1.vx - m0.vx, dy = m1.vy - m0.vy, dmu = m1.mu - m0.mu, change = sqrt(sq(dx) + sq(dy)), tiny = R(1e-15);
  const R a0 = begin.speed > tiny ? (m0.vx * dx + m0.vy * dy) / begin.speed : change;
  const R a1 = o.end.speed > tiny ? (m1.vx * dx + m1.vy * dy) / o.end.speed : -change;
  const R r0 = begin.dq * a0 - begin.q * dmu / m0.mu, r1 = o.end.dq * a1 - o.end.q * dmu / m1.mu;
  const R vm = R(0.5) * sqrt(sq(m0.vx + m1.vx) + sq(m0.vy + m1.vy)), sliding = R(2.0) * vm / (m0.mu + m1.mu);
  o.q0 = begin.q, o.q1 = o.end.q;
  // g lies between mu_k and mu_s, also where the rates at the ends say little about the middle
  o.qm = clamp(R(0.5) * (o.q0 + o.q1) + R(0.125) * (r0 - r1), sliding * p.inv_mu_s, sliding * p.inv_mu_k);
  o.Q = h * (o.q0 + R(4.0) * o.qm + o.q1) * R(1.0 / 6.0);
  o.v0[0] = m0.vx, o.v0[1] = m0.vy, o.v1[0] = m1.vx, o.v1[1] = m1.vy;
  return o;
}

// Gauss-Legendre on [0, 1]
VD_FN constexpr double patch_gauss_x(int i) {
  constexpr double x[4] = {0.069431844202973714, 0.33000947820757187, 0.66999052179242813, 0.93056815579702629};
  return x[i];
}
VD_FN constexpr double patch_gauss_w(int i) {
  constexpr double w[4] = {0.17392742256872693, 0.32607257743127307, 0.32607257743127307, 0.17392742256872693};
  return w[i];
}
inline constexpr double kPatchStiff = 3;  // leak per step above which sources are split off their quasi-steady value

// A quadratic in time through begin, middle and end, counted back from the end: a(t) = a1 + t (b + t c), t = 1 - u
template <class R> struct PatchQuad {
  R a, b, c;
  VD_FN PatchQuad(R a0, R am, R a1) : a(a1), b(R(4.0) * am - R(3.0) * a1 - a0), c(R(2.0) * (a0 - R(2.0) * am + a1)) {}
  VD_FN R at(R t) const { return a + t * (b + t * c); }
  VD_FN R sum(R t) const { return t * (a + t * (R(0.5) * b + t * R(1.0 / 3.0) * c)); }  // integral over the last t
  VD_FN R rate(R t) const { return -(b + R(2.0) * t * c); }                             // per duration of the piece
};

// exp(-rate time), never growing: a polynomial of a leak may dip below zero
template <class R> VD_FN R patch_fade(R rate, R time) { return exp(-rate * max(time, R(0.0))); }

// [T22.21]  J_n = int_0^1 t^n exp(-c t) dt, n = 0 .. N, for every c >= 0: upwards, c J_n = n J_(n-1) - exp(-c), where that
// costs at most two digits, N!/c^(N+1) < 120; else the series of J_N and downwards. e = exp(-c).
template <int N, class R> VD_FN void patch_powers(R c, R e, R* J) {
  const R one = R(1.0);
  if (c > R(N > 5 ? 2 : N > 3 ? 1 : N > 2 ? 0.5 : N > 1 ? 0.3 : 0.1)) {
    const R inv_c = one / c;
    J[0] = (one - e) * inv_c;
    for (int n = 1; n <= N; ++n) J[n] = (R(n) * J[n - 1] - e) * inv_c;
    return;
  }
  R sum = one;  // of c^k (N + 1)!/(N + 1 + k)!, as many terms as reach rounding
  for (int k = c < R(0.1) ? 8 : c < R(0.5) ? 12 : 18; k > 0; --k) sum = one + sum * c * R(1.0 / (N + 1 + k));
  J[N] = sum * e * R(1.0 / (N + 1));
  for (int n = N; n > 0; --n) J[n - 1] = (e + c * J[n]) * R(1.0 / n);
}

// [T22.13]  z' = s(t) - l(t) z over a piece, s and l quadratic in time: Gauss where the leak is mild; else about the
// quasi-steady value s/l, whose own change is the only source left. One decay serves every z with the same leak.
// Source and leak at the end of the piece, held, are integrated in closed form, and only the change from them is left to
// the quadrature: constant motion is exact at every leak, also where exp(..) is a thin layer at the end of the piece.
template <class R, int N = 1> struct PatchDecay {
  R h, l0, lm, l1, E, y[4];  // E, y: exp(-int l) from the begin and from the Gauss points to the end
  R held[4], J[N + 1];       // with the leak held, c = h l1: exp(-c t) at the Gauss points, int t^n exp(-c t)
  bool stiff;
  VD_FN PatchDecay(R h_, R l0_, R lm_, R l1_) : h(h_), l0(l0_), lm(lm_), l1(l1_) {
    const PatchQuad<R> leak(l0, lm, l1);
    const R all = h * leak.sum(R(1.0)), c = h * l1;
    E = exp(-all), stiff = all > R(kPatchStiff);
    for (int i = 0; i < 4; ++i) {
      y[i] = patch_fade(h, leak.sum(R(patch_gauss_x(i))));
      held[i] = exp(-c * R(patch_gauss_x(i)));
    }
    patch_powers<N>(c, exp(-c), J);
  }
  VD_FN R end(R z, R s0, R sm, R s1) const {
    R sum = R(0.0);
    if (!stiff) {
      const PatchQuad<R> source(s0, sm, s1);
      for (int i = 0; i < 4; ++i)
        sum = sum + R(patch_gauss_w(i)) * (source.at(R(patch_gauss_x(i))) * y[i] - s1 * held[i]);
      return E * z + h * (s1 * J[0] + sum);
    }
    const R tiny = R(1e-30), a0 = s0 / max(l0, tiny), a1 = s1 / max(l1, tiny);
    const PatchQuad<R> steady(a0, sm / max(lm, tiny), a1);
    for (int i = 0; i < 4; ++i) sum = sum - R(patch_gauss_w(i)) * steady.rate(R(patch_gauss_x(i))) * (y[i] - held[i]);
    return a1 + E * (z - a0) + sum + (steady.b * J[0] + R(2.0) * steady.c * J[1]);
  }
};

// [T22.8]  Force per newton of load from what the load sees of the profile, at the motion of this moment.
// dz/dt = v - C0 z - U K: the partial derivative in time, from the equation.
template <class R> VD_FN PatchForce<R> patch_load_force(const PatchParams<R>& p, const PatchSums<R>& a,
                                                        const PatchMotion<R>& m, const PatchLeak<R>& leak, R dir,
                                                        R since) {
  const R U = patch_rolling(p, m.U, dir), v[2] = {m.vx, m.vy};
  R f[2];
  for (int i = 0; i < 2; ++i)
    f[i] = p.s0[i] * a.z[i] + p.s1[i] * (v[i] - p.s0[i] * leak.q * a.z[i] - U * a.K[i]) + p.s2[i] * v[i];
  const R dzh = p.g1 * m.vy - p.s0[1] * leak.q * a.zh - U * a.Kh;
  const R mz = dir * p.L * (R(0.5) * f[1] - p.s0[1] * a.zh - p.s1[1] * dzh - p.s2[1] * m.vy * p.g1);
  // slope: a change of U grows linearly over the step and leaks at C0 + U
  const R leak_v = p.s0[0] * a.z[0] * leak.dq * m.vx / max(leak.speed, R(1e-18));
  const R gain = max(R(0.0), R(1.0) - leak_v - dir * p.inv_L * a.K[0]);
  const R reach = R(0.5) * since / (R(1.0) + R(0.5) * since * (p.s0[0] * leak.q + U));
  const R lost = min(R(1.0), reach * p.s0[0] * leak.q);
  const R slope = gain * (p.s0[0] * reach + p.s1[0] * (R(1.0) - lost)) + p.s2[0];
  return {f[0], f[1], mz, slope, a.z[0], a.z[1]};
}

}  // namespace vdsim
