// SPDX-License-Identifier: Apache-2.0
// Contact-patch LuGre, fidelity `exact`: the history of a steady start, and of a wheel that reverses.
#pragma once
#include "vdsim/core/tire/patch_exact.hpp"

namespace vdsim {

// [T22.15]  Constant motion for ever: z_ref = v/C0, entries one patch length back. Standing: every bristle at v/C0.
template <class R>
VD_FN void patch_exact_start(const PatchParams<R>& p, PatchHistory<R>& h, const PatchMotion<R>& m, R q, R U) {
  constexpr int parts = 16;
  const R v[2] = {m.vx, m.vy};
  h = {};
  h.base = R(-1.0), h.count = parts + 1;
  PatchNode<R> now{};
  now.U = U, now.q = q, now.level = R(64.0), now.dt = R(1.0 / parts) / max(U, R(1e-30));
  for (int i = 0; i < 2; ++i) now.z[i] = q > R(0.0) ? v[i] / (p.s0[i] * q) : R(0.0);
  if (!(U > R(0.0))) {
    now.dt = R(-1.0);
    h.count = 3;
    h.node[0].S = R(-1.0), h.node[1].dt = R(-1.0), h.node[2] = now;
    return;
  }
  patch_seed(p, now);
  for (int k = 0; k <= parts; ++k) {
    PatchNode<R>& a = h.node[k] = now;
    a.S = R(k - parts) * R(1.0 / parts);
    a.Q = a.S * q / U;
    for (int i = 0; i < 2; ++i) {
      const R c = p.s0[i] * q / U, dx = R(1.0 / parts), E = exp(-c * dx);
      if (c > R(1.0) || k == 0) continue;  // seeded
      for (int n = 0; n < kPatchMoments; ++n) a.W[i][n] = E * h.node[k - 1].W[i][n];
      patch_shift<kPatchMoments - 1>(a.W[i], dx);
      for (int g = 0; g < 4; ++g) {
        const R x = R(patch_gauss_x(g)) * dx;
        R f = R(patch_gauss_w(g)) * dx * now.z[i] * exp(-c * x);
        for (int n = 0; n < kPatchMoments; ++n) a.W[i][n] = a.W[i][n] + f, f = f * x;
      }
    }
  }
}

// Builds the history of the opposite direction node by node. What entered last leaves first, so the entries are written
// as they are now: w = z_in exp(-sigma0 (Q - Q_in)) with Q_in = Q; between entries w' = v exp(..) holds.
template <class R> struct PatchTurn {
  const PatchKind& kind;
  const PatchParams<R>& p;
  PatchHistory<R> h;
  R S, Q;  // rolled distance and Q of this moment, before

  VD_FN PatchNode<R> turned(const PatchNode<R>& a) const {
    PatchNode<R> o{};
    o.S = (S - a.S) - R(1.0), o.level = R(64.0), o.U = a.U;
    for (int i = 0; i < 2; ++i) {
      const R y = patch_fade(p.s0[i], Q - a.Q);
      o.z[i] = a.z[i] * y;
      o.zd[i] = -(a.zd[i] + p.s0[i] * a.q * a.z[i]) * y;
    }
    return o;
  }
  // The interval from b back to a of the old order. The new moments: what is there, seen from further on, plus the
  // interval itself by quadrature over its own time.
  VD_FN void add(const PatchNode<R>& a, const PatchNode<R>& b) {
    const PatchNode<R>& last = h.node[h.count - 1];
    PatchNode<R> o = turned(a);
    const R length = b.S - a.S, mean = max(R(0.5) * (a.U + b.U), R(1e-30));
    o.dt = b.dt;
    for (int i = 0; i < 2; ++i) {
      for (int n = 0; n < kPatchMoments; ++n) o.W[i][n] = last.W[i][n];
      patch_shift<kPatchMoments - 1>(o.W[i], length);
    }
    for (int g = 0; g < 4; ++g) {
      const R u = R(patch_gauss_x(g));
      const bool linear = b.dt < R(0.0);
      const PatchNode<R> e = patch_entry<0>(kind, p, a, b, u);
      const R x = length * (linear ? u : u * (a.U + R(0.5) * u * (b.U - a.U)) / mean);
      for (int i = 0; i < 2; ++i) {
        R f = R(patch_gauss_w(g)) * length * (linear ? R(1.0) : e.U / mean) * e.z[i] * patch_fade(p.s0[i], Q - e.Q);
        for (int n = 0; n < kPatchMoments; ++n) o.W[i][n] = o.W[i][n] + f, f = f * x;
      }
    }
    h.node[h.count++] = o;
  }
  // The same in parts where the entries decay within the interval.
  VD_FN void add_parts(const PatchNode<R>& a, const PatchNode<R>& b, int room) {
    int parts = 1;
    while (parts < 8 && parts <= room && p.s0_max * (b.Q - a.Q) > R(parts) && b.dt > R(0.0)) ++parts;
    PatchNode<R> to = b;
    for (int k = parts - 1; k > 0; --k) {
      const PatchNode<R> from = patch_part(a, b, R(k) / R(parts));
      to.dt = b.dt / R(parts);
      add(from, to);
      to = from;
    }
    to.dt = parts > 1 ? b.dt / R(parts) : b.dt;
    add(a, to);
  }
  // A node at the share u of an interval.
  VD_FN PatchNode<R> patch_part(const PatchNode<R>& a, const PatchNode<R>& b, R u) const {
    PatchNode<R> o = patch_entry<0>(kind, p, a, b, u);
    const R mean = max(R(0.5) * (a.U + b.U), R(1e-30));
    o.S = a.S + (b.S - a.S) * (b.dt < R(0.0) ? u : u * (a.U + R(0.5) * u * (b.U - a.U)) / mean);
    return o;
  }
};

// [T22.16]  zeta -> L - zeta. The new leading edge is the old trailing edge; its next entry is a fresh bristle.
template <class R> VD_FN void patch_exact_reverse(const PatchKind& kind, const PatchParams<R>& p, PatchHistory<R>& h) {
  while (h.count > kPatchNodes - 4) patch_make_room(p, h);
  const PatchNode<R> head = h.head();
  PatchTurn<R> t{kind, p, {}, head.S, head.Q};
  const R edge = head.S - R(1.0);
  const int k = patch_find(h, edge);  // the interval at the trailing edge
  t.h.base = R(-1.0), t.h.count = 1;
  t.h.node[0] = t.turned(head);
  int room = kPatchNodes - 2 - (h.count - k);
  for (int i = h.count - 2; i >= k; --i) {
    PatchNode<R> a = h.at(i), b = h.at(i + 1);
    if (i == k) {  // the trailing edge cuts this interval
      const R u = patch_time_share(a, b, b.S - edge);
      const PatchNode<R> cut = t.patch_part(a, b, u);
      b.dt = b.dt < R(0.0) ? b.dt : b.dt * (R(1.0) - u);
      a = cut, a.S = edge;
    }
    if (b.S - a.S <= R(0.0)) b.dt = R(-1.0);
    const int before = t.h.count;
    t.add_parts(a, b, room);
    room -= t.h.count - before - 1;
  }
  PatchNode<R> now = t.h.node[t.h.count - 1];
  now.dt = R(-1.0), now.U = R(0.0), now.q = head.q;
  for (int i = 0; i < 2; ++i) now.z[i] = head.z[i], now.zd[i] = head.zd[i];
  t.h.node[t.h.count++] = now;
  h = t.h;
}

}  // namespace vdsim
