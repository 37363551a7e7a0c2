// SPDX-License-Identifier: Apache-2.0
// Contact-patch LuGre, fidelity `distributed`: the profile itself, as means over elements of tread that move with it along the
// characteristics: no numerical diffusion. What the load sees is interpolated onto elements at rest in the patch.
#pragma once
#include "vdsim/core/tire/patch_friction.hpp"

namespace vdsim {

// Elements from the leading edge on: the one that is entering, `lead` long so far, then whole ones; the last two reach
// beyond the trailing edge.
template <class R> struct PatchProfile {
  R lead, part[2];                // [patch lengths]; int z over the entering element [m]
  R mean[2][kPatchElements + 2];  // mean deflection of the whole elements [m]
  R z[2], zd[2];                  // the bristle that is never carried out (tire/patch_history.hpp) and its rate
};

// z between the elements from their means, fourth order; at the leading edge a fresh bristle, z = 0.
template <class R> VD_FN void patch_borders(const R* z, int n, R* edge) {
  edge[0] = R(0.0);
  edge[1] = (R(2.0) * z[0] + R(5.0) * z[1] - z[2]) * R(1.0 / 6.0);
  for (int k = 2; k < n - 1; ++k) edge[k] = (R(7.0) * (z[k - 1] + z[k]) - (z[k - 2] + z[k + 1])) * R(1.0 / 12.0);
  edge[n - 1] = (R(2.0) * z[n - 1] + R(5.0) * z[n - 2] - z[n - 3]) * R(1.0 / 6.0);
  edge[n] = (R(11.0) * z[n - 1] - R(7.0) * z[n - 2] + R(2.0) * z[n - 3]) * R(1.0 / 6.0);
}
// [T22.17]  int_0^x of the bristles that entered during the piece; t is the time since, in parts of the piece. By parts:
// int w = w(t) x + int v exp(..) x dt, see [T22.9].
template <class R>
VD_FN R patch_entered(const PatchPiece<R>& m, const PatchQuad<R>& q, R s0, int i, R z, R zd, R z_end, R x) {
  // the time at which x was still to be rolled: x = h t (U1 + t (U0 - U1)/2)
  const R root = sqrt(max(R(0.0), m.U1 * m.U1 + R(2.0) * (m.U0 - m.U1) * x / m.h));
  const R t = min(R(1.0), R(2.0) * x / (m.h * max(m.U1 + root, R(1e-30))));
  const R u = R(1.0) - t, zd_end = m.v1[i] - s0 * m.q1 * z_end;
  const R entry = z + (z_end - z) * u * u * (R(3.0) - R(2.0) * u) + m.h * u * t * (t * zd - u * zd_end);
  // [T22.21]  the motion of the end, held, in closed form; with little leak the quadrature alone is exact to rounding
  const R c = s0 * m.h * m.q1 * t, step = m.h * m.U1 * t, v = m.h * t;
  const bool leaks = c > R(0.2);
  R sum = entry * patch_fade(s0 * m.h, q.sum(t)) * x;
  if (leaks) {
    R J[2];
    patch_powers<1>(c, exp(-c), J);
    sum = sum + v * m.v1[i] * step * J[1];
  }
  for (int g = 0; g < 4; ++g) {
    const R part = R(patch_gauss_x(g)), at = part * t, to_go = m.h * at * (m.U1 + R(0.5) * at * (m.U0 - m.U1));
    const R held = leaks ? m.v1[i] * exp(-c * part) * step * part : R(0.0);
    const R moved = (m.v1[i] + at * (m.v0[i] - m.v1[i])) * patch_fade(s0 * m.h, q.sum(at)) * to_go;
    sum = sum + R(patch_gauss_w(g)) * v * (moved - held);
  }
  return z_end * x - sum;
}

// [T22.18]  Elements inside keep their means up to z <- E z + (z_ref - E z_ref before); the leading edge adds fresh ones.
template <class R> VD_FN PatchProfile<R> patch_distributed_move(const PatchKind& kind, const PatchParams<R>& p,
                                                                const PatchProfile<R>& a, const PatchPiece<R>& m) {
  const int n = kind.elements + 2;
  const R N = R(kind.elements), dx = R(1.0) / N, full = min((a.lead + m.roll) * N, R(4 * kPatchElements));
  const int in = static_cast<int>(full);  // elements completed
  const PatchQuad<R> q(m.q0, m.qm, m.q1);
  PatchProfile<R> o = a;
  o.lead = clamp(a.lead + m.roll - R(in) * dx, R(0.0), dx);
  for (int i = 0; i < 2; ++i) {
    const R s0 = p.s0[i];
    const PatchDecay<R> d(m.h, s0 * m.q0, s0 * m.qm, s0 * m.q1);
    o.z[i] = d.end(a.z[i], m.v0[i], R(0.5) * (m.v0[i] + m.v1[i]), m.v1[i]);
    o.zd[i] = m.v1[i] - s0 * m.q1 * o.z[i];
    const R drift = o.z[i] - d.E * a.z[i];
    const auto fresh = [&](R x) {
      return x > R(0.0) ? patch_entered(m, q, s0, i, a.z[i], a.zd[i], o.z[i], x) : R(0.0);
    };
    const R before = d.E * a.part[i] + drift * a.lead;  // the element that was entering
    for (int k = n - 1; k >= in; --k) o.mean[i][k] = d.E * a.mean[i][k - in] + drift;
    if (in == 0) {
      o.part[i] = before + fresh(m.roll);
      continue;
    }
    R near = o.part[i] = fresh(o.lead);
    for (int k = 0; k < in && k < n; ++k) {
      const R far = k == in - 1 ? before + fresh(m.roll) : fresh(o.lead + R(k + 1) * dx);
      o.mean[i][k] = (far - near) * N;
      near = far;
    }
  }
  return o;
}

// Means over elements at rest: P(x) = int_0^x z is known where the moving elements meet; between, a cubic.
template <class R> VD_FN void patch_at_rest(const PatchProfile<R>& a, int n, int i, R* mean) {
  const R dx = R(1.0) / R(n), s = R(1.0) - a.lead * R(n);
  R P[kPatchElements + 4];
  P[0] = R(0.0), P[1] = a.part[i];
  for (int k = 0; k < n + 2; ++k) P[k + 2] = P[k + 1] + dx * a.mean[i][k];
  const auto cubic = [&](int at, R t) {  // through P[at - 1] .. P[at + 2], t elements behind P[at]
    const R u = t + R(1.0), v = t - R(1.0), w = t - R(2.0);
    return R(-1.0 / 6.0) * t * v * w * P[at - 1] + R(0.5) * u * v * w * P[at] - R(0.5) * u * t * w * P[at + 1] +
           R(1.0 / 6.0) * u * t * v * P[at + 2];
  };
  R before = R(0.0);
  for (int k = 1; k <= n; ++k) {
    const R here = k == 1 ? cubic(2, s - R(1.0)) : cubic(k, s);
    mean[k - 1] = (here - before) * R(n);
    before = here;
  }
}

template <class R>
VD_FN PatchSums<R> patch_distributed_sums(const PatchKind& kind, const PatchParams<R>& p, const PatchProfile<R>& a) {
  const int n = kind.elements;
  const R dx = R(1.0) / R(n), N = R(n);
  PatchSums<R> s{};
  for (int i = 0; i < 2; ++i) {
    R edge[kPatchElements + 1] = {}, z[kPatchElements] = {};
    patch_at_rest(a, n, i, z);
    patch_borders(z, n, edge);
    for (int k = 0; k < n; ++k) {
      // z = mean + rise (x - centre) within an element; lean: first moment of its load about the centre
      const R rise = (edge[k + 1] - edge[k]) * N;
      const R centre = (R(k) + R(0.5)) * dx, f = p.f_cell[k], fx = p.fx_cell[k], lean = fx - centre * f;
      // in the first element the rise may be a thin layer at the leading edge, `part` of the element long
      const R part = k == 0 ? R(2.0) * (R(1.0) - z[0] / select(edge[1] == R(0.0), R(1.0), edge[1])) : R(1.0);
      const bool thin = part >= R(0.0) && part < R(1.0);
      const R inner = thin ? rise * part * (R(3.0) - R(2.0) * part) : k > 0 ? rise : (z[1] - z[0]) * N;
      const R ahead = thin ? R(0.5) * (part - R(1.0)) * dx : R(0.0);  // of its middle from that of the element
      s.z[i] = s.z[i] + f * z[k] + lean * inner;
      s.K[i] = s.K[i] + (f + R(12.0) * lean * N * N * ahead) * rise;
      if (i == 1) {
        s.zh = s.zh + fx * z[k] + (centre * lean + f * dx * dx * R(1.0 / 12.0)) * inner;
        s.Kh = s.Kh + (fx + p.f_node[1] * dx * ahead) * rise;
      }
    }
  }
  return s;
}

// [T22.15]  the steady profile v/C0 (1 - exp(-C0 x/U)), element means by its integral
template <class R> VD_FN void patch_distributed_start(const PatchKind& kind, const PatchParams<R>& p,
                                                      PatchProfile<R>& a, const PatchMotion<R>& m, R q, R U) {
  const int n = kind.elements + 2;
  const R v[2] = {m.vx, m.vy}, N = R(kind.elements);
  a = {};
  for (int i = 0; i < 2; ++i) {
    a.z[i] = q > R(0.0) ? v[i] / (p.s0[i] * q) : R(0.0);
    if (!(U > R(0.0))) {
      for (int k = 0; k < n; ++k) a.mean[i][k] = a.z[i];
      continue;
    }
    const R c = p.s0[i] * q / U;
    for (int k = 0; k < n; ++k) {  // mean of (1 - exp(-c x))/c over the element; slow leak by quadrature
      R g = R(0.0);
      for (int j = 0; j < 4; ++j) {
        const R x = (R(k) + R(patch_gauss_x(j))) / N;
        g = g + R(patch_gauss_w(j)) * (c * x > R(1e-3) ? (R(1.0) - exp(-c * x)) / c : x * (R(1.0) - R(0.5) * c * x));
      }
      const R exact =
          (R(1.0) - (exp(-c * R(k) / N) - exp(-c * R(k + 1) / N)) * N / max(c, R(1e-30))) / max(c, R(1e-30));
      a.mean[i][k] = c > R(8.0) ? a.z[i] * exact * c : v[i] / U * g;
    }
  }
}
// [T22.16]  The trailing edge cuts an element; its inner part is the one that enters now.
template <class R> VD_FN void patch_distributed_reverse(const PatchKind& kind, PatchProfile<R>& a) {
  const int n = kind.elements;
  const R dx = R(1.0) / R(n);
  PatchProfile<R> o = a;
  o.lead = dx - a.lead;
  for (int i = 0; i < 2; ++i) {
    R at_rest[kPatchElements] = {}, inside = a.part[i], total = R(0.0);
    patch_at_rest(a, n, i, at_rest);
    for (int k = 0; k < n; ++k) total = total + dx * at_rest[k];
    for (int k = 0; k < n - 1; ++k) {
      inside = inside + dx * a.mean[i][k];
      o.mean[i][n - 2 - k] = a.mean[i][k];
    }
    o.part[i] = total - inside;
    const R first = a.lead * R(n) > R(1e-3) ? a.part[i] / a.lead : a.mean[i][0];
    for (int k = n - 1; k < n + 2; ++k) o.mean[i][k] = first;
  }
  a = o;
}

}  // namespace vdsim
