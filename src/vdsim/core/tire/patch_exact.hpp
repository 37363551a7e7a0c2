// SPDX-License-Identifier: Apache-2.0
// Contact-patch LuGre, fidelity `exact`: moments of the bristle profile with the characteristic closure. Constant cost per
// step, no element grid. The history behind it: tire/patch_history.hpp.
#pragma once
#include "vdsim/core/tire/patch_history.hpp"

namespace vdsim {

// [T22.21]  T_1 .. T_(top), and one more for y. The motion of the end, held, is taken out,
// T_n = v h (U h)^n J_n, and only the change of motion is left to the quadrature.
template <int top, class R>
VD_FN void patch_fresh(const PatchPiece<R>& m, const PatchDecay<R, top + 1>& d, const R* x, int i, R* T) {
  const R step = m.h * m.U1;
  R scale = m.h * m.v1[i];
  for (int n = 1; n <= top + i; ++n) {
    scale = scale * step;
    T[n] = scale * d.J[n];
  }
  for (int k = 0; k < 4; ++k) {
    const R t = R(patch_gauss_x(k)), w = R(patch_gauss_w(k)) * m.h;
    R f = w * (m.v1[i] + t * (m.v0[i] - m.v1[i])) * d.y[k], g = w * m.v1[i] * d.held[k];
    for (int n = 1; n <= top + i; ++n) {
      f = f * x[k];
      g = g * (step * t);
      T[n] = T[n] + (f - g);
    }
  }
}

// [T22.9]  The reference bristle and the cumulated moments at the end of a piece. By parts, the moments need only
//   T_n = int v exp(-sigma0 (Q_end - Q)) x^n dt,  x = distance rolled until the end,
//   z_ref = E z_ref + T_0,   W_p = E shift(W)_p + (z_ref E x^(p+1) + T_(p+1))/(p+1) of the old values on the right.
template <int degree, class R> VD_FN PatchNode<R> patch_roll(const PatchKind& kind, const PatchParams<R>& p,
                                                             const PatchNode<R>& a, const PatchPiece<R>& m) {
  PatchNode<R> o = a;
  o.S = a.S + m.roll, o.dt = m.h, o.level = R(0.0), o.U = m.U1, o.Q = a.Q + m.Q, o.q = m.q1;
  R x[4];
  for (int k = 0; k < 4; ++k) {
    const R t = R(patch_gauss_x(k));
    x[k] = m.h * t * (m.U1 + R(0.5) * t * (m.U0 - m.U1));
  }
  using Decay = PatchDecay<R, degree + 2>;
  Decay d(m.h, p.s0[0] * m.q0, p.s0[0] * m.qm, p.s0[0] * m.q1);
  for (int i = 0; i < 2; ++i) {
    if (i == 1 && !kind.isotropic) d = Decay(m.h, p.s0[1] * m.q0, p.s0[1] * m.qm, p.s0[1] * m.q1);
    R T[degree + 3] = {};
    patch_fresh<degree + 1>(m, d, x, i, T);
    const R z0 = d.E * a.z[i];
    o.z[i] = d.end(a.z[i], m.v0[i], R(0.5) * (m.v0[i] + m.v1[i]), m.v1[i]);
    o.zd[i] = m.v1[i] - p.s0[i] * m.q1 * o.z[i];
    if (i == 0)
      patch_shift<degree>(o.W[0], m.roll);
    else
      patch_shift<degree + 1>(o.W[1], m.roll);
    R in = z0;
    for (int n = 0; n <= degree + i; ++n) {
      in = in * m.roll;
      o.W[i][n] = d.E * o.W[i][n] + (in + T[n + 1]) * R(1.0 / (n + 1));
    }
  }
  return o;
}

// Cumulated moments at e from those at a, the interval in between by quadrature: exact in powers of the distance, which
// a cubic in time is not. w = z exp(-sigma0 (Q_e - Q)) is a cubic through its values and rates w' = v exp(..) at both ends.
template <int degree, class R> VD_FN void patch_carry(const PatchKind& kind, const PatchParams<R>& p,
                                                      const PatchNode<R>& a, R time, R far, PatchNode<R>& e) {
  R x[4], share[4], E = R(0.0);
  PatchBlend<R> m[4];
  const R scale = R(2.0) * far / max(a.U + e.U, R(1e-30));  // the time, but for what merging changed
  for (int g = 0; g < 4; ++g) {
    const R t = R(patch_gauss_x(g));
    x[g] = scale * t * (e.U + R(0.5) * t * (a.U - e.U));
    share[g] = R(patch_gauss_w(g)) * scale * (e.U + t * (a.U - e.U));
    m[g] = patch_blend(time, R(1.0) - t);
  }
  for (int i = 0; i < 2; ++i) {
    if (i == 0 || !kind.isotropic) E = patch_fade(p.s0[i], e.Q - a.Q);
    const R va = (a.zd[i] + p.s0[i] * a.q * a.z[i]) * E, ve = e.zd[i] + p.s0[i] * e.q * e.z[i];
    for (int n = 0; n <= degree + i; ++n) e.W[i][n] = a.W[i][n] * E;
    if (i == 0)
      patch_shift<degree>(e.W[0], far);
    else
      patch_shift<degree + 1>(e.W[1], far);
    for (int g = 0; g < 4; ++g) {
      R f = share[g] * patch_mix(m[g], a.z[i] * E, e.z[i], va, ve);
      for (int n = 0; n <= degree + i; ++n) e.W[i][n] = e.W[i][n] + f, f = f * x[g];
    }
  }
}

// [T22.10]  The reference at the share u of the time from node a to node b.
// The motion of the interval again: v linear in time, q quadratic with its values at both ends and its integral; the way
// of a merged interval differs from what its ends say, its rolling rates are scaled. Rolling from a then gives e as the
// step itself would have: for constant motion exactly.
template <int degree, class R> VD_FN PatchNode<R> patch_entry_rolled(const PatchKind& kind, const PatchParams<R>& p,
                                                                     const PatchNode<R>& a, const PatchNode<R>& b,
                                                                     R u) {
  const R dt = b.dt, way = R(2.0) * (b.S - a.S) / max(dt * (a.U + b.U), R(1e-30)), tiny = R(1e-15);
  PatchPiece<R> m{};
  R vb[2];
  for (int i = 0; i < 2; ++i) {
    m.v0[i] = a.zd[i] + p.s0[i] * a.q * a.z[i], vb[i] = b.zd[i] + p.s0[i] * b.q * b.z[i];
    m.v1[i] = m.v0[i] + (vb[i] - m.v0[i]) * u;
  }
  // 1/g and the road lie between those of the ends, but for the change of g with speed
  const R speed_a = sqrt(sq(m.v0[0]) + sq(m.v0[1])), speed_b = sqrt(sq(vb[0]) + sq(vb[1]));
  const R ra = speed_a > tiny ? a.q / speed_a : b.q / max(speed_b, tiny), rb = speed_b > tiny ? b.q / speed_b : ra;
  const R least = min(ra, rb) * p.mu_k * p.inv_mu_s, most = max(ra, rb) * (p.mu_k + p.mu_drop) * p.inv_mu_k;
  const auto leak = [&](R q, R share) {
    const R speed = sqrt(sq(m.v0[0] + (vb[0] - m.v0[0]) * share) + sq(m.v0[1] + (vb[1] - m.v0[1]) * share));
    return clamp(q, speed * least, speed * most);
  };
  const R half = R(0.5);
  const PatchQuad<R> q(a.q, leak(R(0.25) * (R(6.0) * (b.Q - a.Q) / max(dt, R(1e-30)) - a.q - b.q), half), b.q);
  m.h = dt * u, m.U0 = a.U * way, m.U1 = (a.U + (b.U - a.U) * u) * way;
  m.roll = half * m.h * (m.U0 + m.U1);
  m.q0 = a.q, m.qm = leak(q.at(R(1.0) - half * u), half * u), m.q1 = leak(q.at(R(1.0) - u), u);
  m.Q = m.h * (m.q0 + R(4.0) * m.qm + m.q1) * R(1.0 / 6.0);
  PatchNode<R> o = patch_roll<degree>(kind, p, a, m);
  o.U = a.U + (b.U - a.U) * u;
  return o;
}
template <int degree, class R> VD_FN PatchNode<R> patch_entry(const PatchKind& kind, const PatchParams<R>& p,
                                                              const PatchNode<R>& a, const PatchNode<R>& b, R u) {
  if (b.dt > R(0.0) && b.Q > a.Q) return patch_entry_rolled<degree>(kind, p, a, b, u);
  const PatchBlend<R> m = patch_blend(b.dt, u);
  PatchNode<R> o{};
  o.U = a.U + (b.U - a.U) * u, o.q = a.q + (b.q - a.q) * u;
  o.Q = patch_mix(m, a.Q, b.Q, a.q, b.q);
  for (int i = 0; i < 2; ++i) {
    const R va = a.zd[i] + p.s0[i] * a.q * a.z[i], vb = b.zd[i] + p.s0[i] * b.q * b.z[i];
    o.z[i] = patch_mix(m, a.z[i], b.z[i], a.zd[i], b.zd[i]);
    o.zd[i] = va + (vb - va) * u - p.s0[i] * o.q * o.z[i];
  }
  if (b.dt > R(0.0)) {
    const R far = (b.S - a.S) * u * (a.U + o.U) / max(a.U + b.U, R(1e-30));
    patch_carry<degree>(kind, p, a, b.dt * u, far, o);
    return o;
  }
  for (int i = 0; i < 2; ++i)
    for (int n = 0; n <= degree + i; ++n)
      o.W[i][n] = patch_mix(m, a.W[i][n], b.W[i][n], patch_W_rate(p, a, i, n), patch_W_rate(p, b, i, n));
  return o;
}

// [T22.6], [T22.7]  What the load sees: window moments M_p = z_ref x^(p+1)/(p+1) - (W_p - shifted W_p of the entry).
// `now` is the state of this moment, the interval before it begins at the head of the history (now itself at rest).
template <int degree, int windows, class R>
VD_FN PatchSums<R> patch_window_sums(const PatchKind& kind, const PatchParams<R>& p, const PatchHistory<R>& h,
                                     const PatchNode<R>& from, const PatchNode<R>& now, R rolled) {
  PatchSums<R> s{};
  for (int j = 0; j < windows; ++j) {
    const R x = p.edge[j], older = x - rolled;
    const bool inside = older <= R(0.0);
    const int k = inside ? 0 : patch_find(h, from.S - older);
    const PatchNode<R>&a = inside ? from : h.at(k), &b = inside ? now : h.at(k + 1);
    const PatchNode<R> entry =
        patch_entry<degree>(kind, p, a, b, patch_time_share(a, b, inside ? x : older - (from.S - b.S)));
    R E = R(0.0);
    for (int i = 0; i < 2; ++i) {
      if (i == 0 || !kind.isotropic) E = patch_fade(p.s0[i], now.Q - entry.Q);
      R M[degree + 2], W[degree + 2], power = now.z[i];
      for (int n = 0; n < degree + 2; ++n) W[n] = entry.W[i][n];
      patch_shift<degree + 1>(W, x);
      for (int n = 0; n <= degree + i; ++n) {
        power = power * x;
        M[n] = power * R(1.0 / (n + 1)) - (now.W[i][n] - E * W[n]);
      }
      const R edge = p.end[j] * (now.z[i] - E * entry.z[i]);
      s.K[i] = s.K[i] + edge;
      for (int n = 0; n <= degree; ++n) {
        const R c = p.poly[j][n];
        s.z[i] = s.z[i] + c * M[n];
        if (n > 0) s.K[i] = s.K[i] - R(n) * c * M[n - 1];
        if (i == 1) s.zh = s.zh + c * M[n + 1], s.Kh = s.Kh - R(n + 1) * c * M[n];
      }
      if (i == 1) s.Kh = s.Kh + x * edge;
    }
  }
  return s;
}

template <class R> struct PatchTrial {
  PatchNode<R> from, now;
  PatchSums<R> sums;
  bool afresh;  // rolled so far that nothing older counts
};

// Cumulated moments of an endless steady past, or none where the past leaks too slowly for that to be a good number.
template <class R> VD_FN void patch_seed(const PatchParams<R>& p, PatchNode<R>& a) {
  for (int i = 0; i < 2; ++i) {
    const bool endless = p.s0[i] * a.q > a.U;
    R W = a.z[i];
    for (int n = 0; n < kPatchMoments; ++n) {
      W = endless ? W * R(n == 0 ? 1 : n) * a.U / max(p.s0[i] * a.q, R(1e-30)) : R(0.0);
      a.W[i][n] = W;
    }
  }
}

// The end of a piece of motion, without keeping it.
template <int degree, int windows, class R>
VD_FN PatchTrial<R> patch_exact_try(const PatchKind& kind, const PatchParams<R>& p, const PatchHistory<R>& h,
                                    const PatchPiece<R>& m, R dir) {
  PatchTrial<R> o;
  o.from = h.head();
  o.afresh = m.roll > R(2.0 * kPatchBase);
  if (o.afresh) {  // only the last part matters: move the reference there and begin anew
    PatchNode<R> begin = o.from, end = o.from;
    begin.S = R(0.0), end.S = m.roll, end.dt = m.h, begin.U = m.U0, end.U = m.U1;
    const R u = patch_time_share(begin, end, R(kPatchBase));
    const PatchMotion<R> mid = patch_between(m.m0, m.m1, u);
    const PatchPiece<R> skip = patch_piece(p, m.m0, m.begin, mid, dir, m.h * u);
    o.from = patch_roll<0>(kind, p, o.from, skip);
    o.from.S = R(0.0), o.from.Q = R(0.0);
    patch_seed(p, o.from);
    PatchPiece<R> rest = patch_piece(p, mid, skip.end, m.m1, dir, m.h * (R(1.0) - u));
    o.now = patch_roll<degree>(kind, p, o.from, rest);
    o.sums = patch_window_sums<degree, windows>(kind, p, h, o.from, o.now, rest.roll);
    return o;
  }
  o.now = patch_roll<degree>(kind, p, o.from, m);
  o.sums = patch_window_sums<degree, windows>(kind, p, h, o.from, o.now, m.roll);
  return o;
}
template <class R> VD_FN PatchTrial<R> patch_exact_move(const PatchKind& kind, const PatchParams<R>& p,
                                                        const PatchHistory<R>& h, const PatchPiece<R>& m, R dir) {
  switch (kind.load) {
    case PatchLoad::uniform: return patch_exact_try<0, 1>(kind, p, h, m, dir);
    case PatchLoad::trapezoidal: return patch_exact_try<1, 3>(kind, p, h, m, dir);
    case PatchLoad::cubic: return patch_exact_try<3, 1>(kind, p, h, m, dir);
    default: return patch_exact_try<kPatchDegree, 1>(kind, p, h, m, dir);
  }
}
template <class R> VD_FN void patch_exact_keep(const PatchParams<R>& p, PatchHistory<R>& h, const PatchTrial<R>& t) {
  if (t.afresh) {
    h.first = 0, h.count = 1, h.base = R(0.0);
    h.node[0] = t.from;
    h.node[1] = t.now;
    h.count = 2;
    patch_rebase(p, h);
    return;
  }
  patch_push(p, h, t.now);
}

}  // namespace vdsim
