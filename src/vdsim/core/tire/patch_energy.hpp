// SPDX-License-Identifier: Apache-2.0
// Contact-patch LuGre: energy held by the bristles, for the energy balance. On demand only: it walks the history.
#pragma once
#include "vdsim/core/tire/patch.hpp"

namespace vdsim {

// exact:  z = z_ref - w, so int f z^2 = z_ref (2 int f z - z_ref) + int f w^2, and the first term is known. w^2 decays at
// twice the leak: beyond kPatchGone it is zero to rounding, within it parts of the patch with a leak of 1 are smooth.
inline constexpr double kPatchGone = 20;
template <class R> struct PatchSquares {
  const PatchKind& kind;
  const PatchParams<R>& p;
  const PatchHistory<R>& h;
  R sum[2];  // int f w^2 [m^2]

  // shares u0 to u1 of the time between two nodes, the load smooth in between
  VD_FN void add(const PatchNode<R>& a, const PatchNode<R>& b, R u0, R u1) {
    const PatchNode<R>& now = h.head();
    const R mean = max(R(0.5) * (a.U + b.U), R(1e-30)), length = b.S - a.S;
    const bool linear = b.dt < R(0.0);
    for (int g = 0; g < 4; ++g) {
      const R u = u0 + (u1 - u0) * R(patch_gauss_x(g));
      const PatchNode<R> e = patch_entry<0>(kind, p, a, b, u);
      const R way = linear ? u : u * (a.U + R(0.5) * u * (b.U - a.U)) / mean;
      const R rate = linear ? R(1.0) : (a.U + u * (b.U - a.U)) / mean, x = now.S - (a.S + length * way);
      const R f = R(patch_gauss_w(g)) * (u1 - u0) * length * rate * patch_load_at(p, x);
      for (int i = 0; i < 2; ++i) sum[i] = sum[i] + f * sq(e.z[i] * patch_fade(p.s0[i], now.Q - e.Q));
    }
  }
  VD_FN void add_interval(const PatchNode<R>& a, const PatchNode<R>& b) {
    const PatchNode<R>& now = h.head();
    R cut[5] = {R(0.0)};  // trailing edge and kinks of the load, as shares of the time, rising
    int cuts = 1;
    for (int j = 0; j < 3; ++j) {
      const R at = now.S - p.edge[j];
      const bool inside = at > a.S && at<b.S, again = j> 0 && p.edge[j] == p.edge[j - 1];
      if (inside && !again) cut[cuts++] = patch_time_share(a, b, b.S - at);
    }
    cut[cuts] = R(1.0);
    const int first = now.S - a.S > R(1.0) && cuts > 1 ? 1 : 0;  // before the first cut lies what has left the patch
    for (int k = first; k < cuts; ++k) {
      const R leak = p.s0_max * (b.Q - a.Q) * (cut[k + 1] - cut[k]);
      const int parts = 1 + static_cast<int>(min(leak, R(31.0)));
      for (int n = 0; n < parts; ++n) {
        const R w = (cut[k + 1] - cut[k]) / R(parts);
        add(a, b, cut[k] + R(n) * w, cut[k] + R(n + 1) * w);
      }
    }
  }
};

// [T22.20], [T22.22]  1/2 int f z^2 of both directions [m^2]. The mean bristle holds that of its mean.
template <class R> struct PatchHeld { R x, y; };
template <class R>
VD_FN PatchHeld<R> patch_squares(const PatchKind& kind, const PatchParams<R>& p, const PatchMemory<R>& mem) {
  R sum[2] = {R(0.0), R(0.0)};
  if (kind.fidelity == PatchFidelity::average)
    for (int i = 0; i < 2; ++i) sum[i] = sq(mem.average.z[i]);
  if (kind.fidelity == PatchFidelity::distributed)
    for (int i = 0; i < 2; ++i) {
      R z[kPatchElements] = {};
      patch_at_rest(mem.profile, kind.elements, i, z);
      for (int k = 0; k < kind.elements; ++k) sum[i] = sum[i] + p.f_cell[k] * sq(z[k]);
    }
  if (kind.fidelity == PatchFidelity::exact) {
    const PatchHistory<R>& h = mem.history;
    PatchSquares<R> squares{kind, p, h, {R(0.0), R(0.0)}};
    const R s0_min = min(p.s0[0], p.s0[1]);
    for (int k = h.count - 2; k >= 0; --k) {
      if (h.at(k + 1).S <= h.head().S - R(1.0) || s0_min * (h.head().Q - h.at(k + 1).Q) > R(kPatchGone)) break;
      if (h.at(k + 1).S > h.at(k).S) squares.add_interval(h.at(k), h.at(k + 1));
    }
    for (int i = 0; i < 2; ++i) {
      const R z = h.head().z[i];
      sum[i] = z * (R(2.0) * mem.sums.z[i] - z) + squares.sum[i];
    }
  }
  return {R(0.5) * sum[0], R(0.5) * sum[1]};
}
// Energy per newton of load [J/N]
template <class R> VD_FN R patch_stored(const PatchKind& kind, const PatchParams<R>& p, const PatchMemory<R>& mem) {
  const PatchHeld<R> half = patch_squares(kind, p, mem);
  return max(R(0.0), p.s0[0] * half.x + p.s0[1] * half.y);
}

}  // namespace vdsim
