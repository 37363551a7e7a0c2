// SPDX-License-Identifier: Apache-2.0
// Contact-patch LuGre, fidelity `exact`: what the patch remembers of the bristles' way in.
//
// A bristle that is never carried out follows z_ref' = v - C0 z_ref, Q' = q. Both equations are linear, so the bristle that
// entered the patch when the reference was (Q_in, z_in) has now
//     z = z_ref - z_in exp(-sigma0 (Q - Q_in))                                                                  [T22.5]
// and only the entries have to be kept: nodes over the rolled distance S. With them the cumulated moments of the second
// term, W_p(S) = int z_in exp(-sigma0 (Q - Q_in)) (S - s)^p ds, which turn every window moment into a difference [T22.6].
#pragma once
#include <cstdint>

#include "vdsim/core/tire/patch_friction.hpp"

namespace vdsim {

inline constexpr int kPatchNodes = 64;       // a power of two
inline constexpr double kPatchTie = 1e-7;    // [patch lengths] two intervals shorter than this together are one
inline constexpr double kPatchSpan = 0.125;  // [patch lengths] longest merged interval
inline constexpr double kPatchBase = 4;      // [patch lengths] the cumulated moments reach back at most this far
inline constexpr int kPatchMoments = kPatchDegree + 2;  // moments a load can ask for; Mz needs one more than Fx
template <class R> inline constexpr double kPatchMerge =
    std::is_same_v<R, float> ? 2e-5 : 1e-6;  // merging error, in mu

// State of the reference bristle at one moment. The interval before a node lasts dt; dt < 0: interpolate linearly.
template <class R> struct PatchNode {
  R S, dt, level;         // rolled distance [patch lengths]; [s]; the interval is a merger of 2^level steps
  R U, Q, q;              // rolling rate [1/s], int q dt [m], q [m/s]
  R z[2], zd[2];          // z_ref [m] and its rate [m/s]
  R W[2][kPatchMoments];  // [m]
};

// Moments of degree 0..n seen from d further on: W_p <- sum_r binom(p, r) d^(p-r) W_r
template <int n, class R> VD_FN void patch_shift(R* W, R d) {
  for (int k = n - 1; k >= 0; --k)
    for (int j = k; j < n; ++j) W[j + 1] = W[j + 1] + d * W[j];
}

// Between two nodes, u = share of the time: cubic Hermite in time
template <class R> struct PatchBlend { R step, k0, k1; };
template <class R> VD_FN PatchBlend<R> patch_blend(R dt, R u) {
  const R one = R(1.0), w = one - u;
  const bool linear = dt < R(0.0);
  return {linear ? u : u * u * (R(3.0) - R(2.0) * u), linear ? R(0.0) : dt * u * w * w,
          linear ? R(0.0) : -dt * u * u * w};
}
template <class R> VD_FN R patch_mix(const PatchBlend<R>& b, R a0, R a1, R r0, R r1) {
  return a0 + (a1 - a0) * b.step + b.k0 * r0 + b.k1 * r1;
}
// rate of W_p: -C0 W_p + p U W_(p-1), the newest entry feeding p = 0
template <class R> VD_FN R patch_W_rate(const PatchParams<R>& p, const PatchNode<R>& a, int i, int n) {
  const R in = n == 0 ? a.z[i] : R(n) * a.W[i][n - 1];
  return a.U * in - p.s0[i] * a.q * a.W[i][n];
}
// The share of the time at which the distance `back` before node b is passed; U is linear in time, so the distance is
// quadratic: exact also where the wheel stops or starts.
template <class R> VD_FN R patch_time_share(const PatchNode<R>& a, const PatchNode<R>& b, R back) {
  const R length = b.S - a.S, tiny = R(1e-30);
  const R y = clamp(back / max(length, tiny), R(0.0), R(1.0));
  if (b.dt < R(0.0)) return R(1.0) - y;
  const R root = sqrt(max(R(0.0), b.U * b.U + (a.U * a.U - b.U * b.U) * y));
  return R(1.0) - min(R(1.0), (a.U + b.U) * y / max(b.U + root, tiny));
}

template <class R> struct PatchHistory {
  PatchNode<R> node[kPatchNodes];  // ring, oldest first; the newest is the state of this moment
  std::int32_t first, count;
  R base;  // where the cumulated moments begin

  VD_FN PatchNode<R>& at(int i) { return node[(first + i) & (kPatchNodes - 1)]; }
  VD_FN const PatchNode<R>& at(int i) const { return node[(first + i) & (kPatchNodes - 1)]; }
  VD_FN PatchNode<R>& head() { return at(count - 1); }
  VD_FN const PatchNode<R>& head() const { return at(count - 1); }
};
// The interval that holds S: the last i with S_i <= S, at most count - 2
template <class R> VD_FN int patch_find(const PatchHistory<R>& h, R S) {
  int lo = 0, hi = h.count - 1;
  if (h.count > 2 && S < h.at(1).S) return 0;
  if (h.count > 3 && S < h.at(2).S) return 1;
  while (hi - lo > 1) {
    const int mid = (lo + hi) / 2;
    if (h.at(mid).S <= S)
      lo = mid;
    else
      hi = mid;
  }
  return lo;
}

// -------------------------------------------------------------------------------- keeping it short

// Could b be left out between a and c? The interval without it must give back b within the tolerance.
template <class R> VD_FN bool patch_redundant(const PatchParams<R>& p, const PatchNode<R>& a, const PatchNode<R>& b,
                                              const PatchNode<R>& c, R tol) {
  if (b.dt <= R(0.0) || c.dt <= R(0.0) || c.S - a.S > R(kPatchSpan)) return false;
  const R dt = b.dt + c.dt, u = b.dt / dt, sum = a.U + c.U;
  if (!(abs((c.S - a.S) * u * (R(2.0) * a.U + (c.U - a.U) * u) - (b.S - a.S) * sum) <= tol * sum)) return false;
  const PatchBlend<R> m = patch_blend(dt, u);
  bool ok = abs(patch_mix(m, a.Q, c.Q, a.q, c.q) - b.Q) * p.s0_max <= tol;
  for (int i = 0; i < 2; ++i) {
    ok = ok && abs(patch_mix(m, a.z[i], c.z[i], a.zd[i], c.zd[i]) - b.z[i]) * p.s0[i] <= tol;
    const R W = patch_mix(m, a.W[i][0], c.W[i][0], patch_W_rate(p, a, i, 0), patch_W_rate(p, c, i, 0));
    ok = ok && abs(W - b.W[i][0]) * p.s0[i] <= tol;
    const R va = a.zd[i] + p.s0[i] * a.q * a.z[i], vb = b.zd[i] + p.s0[i] * b.q * b.z[i],
            vc = c.zd[i] + p.s0[i] * c.q * c.z[i];
    ok = ok && abs(va + (vc - va) * u - vb) * dt * p.s0[i] <= R(10.0) * tol;
  }
  return ok;
}
template <class R> VD_FN void patch_drop(PatchHistory<R>& h, int i) {
  for (int k = i; k + 1 < h.count; ++k) h.at(k) = h.at(k + 1);
  --h.count;
}
// Full: the node whose neighbours are closest goes; where it was needed its interval becomes a straight line.
template <class R> VD_FN void patch_make_room(const PatchParams<R>& p, PatchHistory<R>& h) {
  int k = 1;
  for (int i = 2; i + 1 < h.count; ++i)
    if (h.at(i + 1).S - h.at(i - 1).S < h.at(k + 1).S - h.at(k - 1).S) k = i;
  PatchNode<R>& c = h.at(k + 1);
  c.dt = patch_redundant(p, h.at(k - 1), h.at(k), c, R(1e-2)) ? h.at(k).dt + c.dt : R(-1.0);
  patch_drop(h, k);
}
// The fuller the history, the more readily intervals merge.
template <class R> VD_FN R patch_tolerance(int count) {
  return R(kPatchMerge<R>) * R(count < kPatchNodes / 2 ? 1.0 : count < 3 * kPatchNodes / 4 ? 10.0 : 100.0);
}
// Cumulated moments begin anew at the oldest node; distances and Q are counted from there and from now.
template <class R> VD_FN void patch_rebase(const PatchParams<R>& p, PatchHistory<R>& h) {
  const PatchNode<R> old = h.at(0);
  const R Q = h.head().Q;
  for (int k = 0; k < h.count; ++k) {
    PatchNode<R>& a = h.at(k);
    for (int i = 0; i < 2; ++i) {
      const R E = exp(-p.s0[i] * (a.Q - old.Q));
      R W[kPatchMoments];
      for (int n = 0; n < kPatchMoments; ++n) W[n] = old.W[i][n];
      patch_shift<kPatchMoments - 1>(W, a.S - old.S);
      for (int n = 0; n < kPatchMoments; ++n) a.W[i][n] = a.W[i][n] - E * W[n];
    }
    a.S = a.S - old.S;
    a.Q = a.Q - Q;
  }
  h.base = R(0.0);
}
template <class R> VD_FN void patch_recount(PatchHistory<R>& h) {
  const R Q = h.head().Q;
  for (int k = 0; k < h.count; ++k) h.at(k).Q = h.at(k).Q - Q;
}

// A new state of this moment. [T22.9]  Its interval is joined with the one before where they are alike; while the wheel
// stands only the latest state counts.
template <class R> VD_FN void patch_push(const PatchParams<R>& p, PatchHistory<R>& h, const PatchNode<R>& now) {
  if (now.S - h.at(h.count - 2).S <= R(kPatchTie)) {
    h.head() = now;
    h.head().dt = R(-1.0);
  } else {
    if (h.count == kPatchNodes) patch_make_room(p, h);
    ++h.count;
    h.head() = now;
    while (h.count > 3) {
      PatchNode<R>&b = h.at(h.count - 2), &c = h.head();
      if (b.level != c.level || !patch_redundant(p, h.at(h.count - 3), b, c, patch_tolerance<R>(h.count))) break;
      const R dt = b.dt + c.dt;
      b = c;
      b.dt = dt, b.level = b.level + R(1.0);
      --h.count;
    }
  }
  while (h.count > 2 && h.at(1).S <= now.S - R(1.0)) {
    h.first = (h.first + 1) & (kPatchNodes - 1);
    --h.count;
  }
  if (now.S - h.base > R(kPatchBase)) patch_rebase(p, h);
  if (p.s0_max * h.head().Q > R(64.0)) patch_recount(h);
}

}  // namespace vdsim
