// SPDX-License-Identifier: Apache-2.0
// Compiled contact-patch LuGre tire: constants, Stribeck friction, the load shape and its Laplace transform.
// Lengths along the patch are counted in patch lengths: x = zeta/L, rolling rate U = |w| r/L [1/s], load f(x) with integral 1.
#pragma once
#include "vdsim/core/math/real.hpp"
#include "vdsim/core/tire/patch_spec.hpp"

namespace vdsim {

inline constexpr int kPatchSeries = 24;    // terms of the load's Laplace transform about 0
inline constexpr double kPatchFast = 1e5;  // [m/s] speeds are read up to here: squares and powers stay finite in float
inline constexpr double kPatchLong = 1e6;  // [s] longest step that is read
inline constexpr double kPatchStanding =
    1e-7;  // [m/s] a wheel that rolls slower than this stands: no transport, no reversal

struct PatchKind {
  PatchFidelity fidelity;
  PatchLoad load;
  bool steady_kappa;  // average: kappa from the steady state
  bool isotropic;     // sigma0 equal in x and y
  int elements;
};

template <class R> struct PatchParams {
  R radius, L, inv_L;                     // [m], [m], [1/m]
  R s0[2], s1[2], s2[2], s0_max;          // [1/m], [s/m], [s/m]
  R mu_k, mu_drop, inv_v_s2, half_gamma;  // mu_drop = mu_s - mu_k; 1/v_s^2; gamma/2
  R inv_mu_k, inv_mu_s, kappa;
  // f(x) = sum over pieces j of [x < edge_j] sum_p poly_jp x^p: nested windows that all begin at the leading edge
  R edge[3], poly[3][kPatchDegree + 1], end[3];  // end_j: value of piece j at its edge
  R g1;                                          // centroid of the load, int f x
  R series[kPatchSeries];                        // int f exp(-c x) = sum series_k c^k
  R rise, fall;                                  // trapezoidal: slopes of f
  R f_cell[kPatchElements], fx_cell[kPatchElements],
      f_node[kPatchElements + 1];  // int f, int f x per element; f between
};

// Motion of the tire over the road. U = w r [m/s]; v = (U - Vx, -Vy): slip velocity [m/s], sign of the force it causes.
template <class R> struct PatchMotion { R U, vx, vy, mu; /* mu: road friction factor on mu_s, mu_k */ };

// Force of the road on the tire per newton of load, in the wheel frame; mz [m]; slope = d fx / d U >= 0 [s/m]
template <class R> struct PatchForce { R fx, fy, mz, slope, zx, zy; /* zx, zy: mean deflection [m] */ };

// [T22.7]  All a load sees of a profile: z = int f z, K = int f z', zh = int x f z, Kh = int x f z' (the last two for y).
template <class R> struct PatchSums { R z[2], K[2], zh, Kh; };

inline PatchKind patch_kind(const PatchSpec& s) {
  return {s.fidelity, s.load, s.kappa == 0, s.sigma0[0] == s.sigma0[1], static_cast<int>(s.elements)};
}

// -------------------------------------------------------------------------------------------- load

// [T22.3], [T22.4], [T22.19]  pieces of the normalised load
inline void patch_load(const PatchSpec& s, PatchParams<double>& p) {
  for (int j = 0; j < 3; ++j) p.edge[j] = 1;
  if (s.load == PatchLoad::uniform) p.poly[0][0] = 1;
  if (s.load == PatchLoad::trapezoidal) {
    const double a = s.load_a / s.length, b = s.load_b / s.length, top = 2 / (1 + b - a);
    p.rise = top / a, p.fall = top / (1 - b);
    p.edge[1] = b, p.edge[2] = a;
    p.poly[0][0] = p.fall, p.poly[0][1] = -p.fall;
    p.poly[1][0] = top - p.fall, p.poly[1][1] = p.fall;
    p.poly[2][0] = -top, p.poly[2][1] = p.rise;
  }
  if (s.load == PatchLoad::cubic) {  // x (1 - x)(A + B x)
    const double off = s.load_centroid / s.length - 0.5, B = 120 * off, A = 6 - 60 * off;
    p.poly[0][1] = A, p.poly[0][2] = B - A, p.poly[0][3] = -B;
  }
  // these end at 0 by construction (uniform: at 1); the sum of the pieces would only leave rounding
  p.end[0] = s.load == PatchLoad::uniform ? 1 : 0;
  if (s.load == PatchLoad::polynomial) {
    const double scale = 1 / patch_poly_total(s);
    for (int k = 0; k < s.load_poly.count; ++k) p.poly[0][k] = scale * s.load_poly.v[k];
    p.end[0] = scale * patch_poly_at(s, 1);
  }
}
// int_0^x f s^n ds of the sum of all pieces
inline double patch_load_moment(const PatchParams<double>& p, int n, double x) {
  double sum = 0;
  for (int j = 0; j < 3; ++j) {
    const double to = x < p.edge[j] ? x : p.edge[j];
    for (int k = 0; k <= kPatchDegree; ++k) {
      double power = to;
      for (int i = 0; i < n + k; ++i) power *= to;
      sum += p.poly[j][k] * power / (n + k + 1);
    }
  }
  return sum;
}
template <class R> VD_FN R patch_load_at(const PatchParams<R>& p, R x) {
  R f = R(0.0);
  for (int j = 0; j < 3; ++j) {
    R piece = R(0.0);
    for (int k = kPatchDegree; k >= 0; --k) piece = piece * x + p.poly[j][k];
    f = f + select(x < p.edge[j], piece, R(0.0));
  }
  return f;
}

inline PatchParams<double> compile_patch(const PatchSpec& s) {
  PatchParams<double> p{};
  p.radius = s.radius, p.L = s.length, p.inv_L = 1 / s.length;
  for (int i = 0; i < 2; ++i) p.s0[i] = s.sigma0[i], p.s1[i] = s.sigma1[i], p.s2[i] = s.sigma2[i];
  p.s0_max = p.s0[0] > p.s0[1] ? p.s0[0] : p.s0[1];
  p.mu_k = s.mu_k, p.mu_drop = s.mu_s - s.mu_k, p.inv_v_s2 = 1 / (s.v_s * s.v_s), p.half_gamma = 0.5 * s.gamma,
  p.kappa = s.kappa;
  p.inv_mu_k = 1 / s.mu_k, p.inv_mu_s = 1 / s.mu_s;
  patch_load(s, p);
  p.g1 = patch_load_moment(p, 1, 1);
  double factor = 1;
  for (int k = 0; k < kPatchSeries; ++k) {
    p.series[k] = factor * patch_load_moment(p, k, 1);
    factor /= -(k + 1);
  }
  const int n = static_cast<int>(s.elements);
  for (int i = 0; i < n; ++i) {
    const double from = i / s.elements, to = (i + 1) / s.elements;
    p.f_cell[i] = patch_load_moment(p, 0, to) - patch_load_moment(p, 0, from);
    p.fx_cell[i] = patch_load_moment(p, 1, to) - patch_load_moment(p, 1, from);
    p.f_node[i] = patch_load_at(p, from);
  }
  p.f_node[n] = p.end[0];
  return p;
}

// [T22.14]  F_n(c) = int f x^n exp(-c x), D0 = (1 - F0)/c, D1 = (g1 - F1)/c without cancellation as c -> 0
template <class R> struct PatchTransform { R F0, F1, D0, D1; };
template <class R> VD_FN PatchTransform<R> patch_transform(const PatchKind& kind, const PatchParams<R>& p, R c) {
  const R one = R(1.0);
  if (c < R(2.0)) {  // F1 = -F0'
    R f = R(0.0), df = R(0.0);
    for (int k = kPatchSeries - 1; k > 1; --k) {
      df = f + c * df;
      f = p.series[k] + c * f;
    }
    const R D0 = p.g1 - c * f, D1 = R(2.0) * f + c * df;
    return {one - c * D0, p.g1 - c * D1, D0, D1};
  }
  const R inv = one / c, e = exp(-c);
  const int top = kind.load == PatchLoad::cubic ? 3 : kPatchDegree;
  R F0 = R(0.0), F1 = R(0.0);
  if (kind.load == PatchLoad::uniform) {
    F0 = (one - e) * inv;
    F1 = (F0 - e) * inv;
  } else if (kind.load == PatchLoad::trapezoidal) {
    const R a = p.edge[2], b = p.edge[1], ea = exp(-c * a), eb = exp(-c * b);
    F0 = (p.rise * (one - ea) - p.fall * (eb - e)) * inv * inv;
    F1 = (R(2.0) * F0 - (p.rise * a * ea + p.fall * (b * eb - e)) * inv) * inv;
  } else {
    R G = (one - e) * inv;  // int x^n exp(-c x)
    for (int n = 0; n <= top; ++n) {
      F0 = F0 + p.poly[0][n] * G;
      G = (R(n + 1) * G - e) * inv;
      F1 = F1 + p.poly[0][n] * G;
    }
  }
  return {F0, F1, (one - F0) * inv, (p.g1 - F1) * inv};
}

}  // namespace vdsim
