// SPDX-License-Identifier: Apache-2.0
// Contact-patch LuGre, fidelity `average`: one mean bristle per direction and the mean of x z for the moment.
#pragma once
#include "vdsim/core/tire/patch_friction.hpp"

namespace vdsim {

template <class R> struct PatchOutflow { R kappa[2], nu; };
template <class R> struct PatchAverage {
  R z[2], zh;            // mean deflections int f z, int x f z [m]
  PatchOutflow<R> flow;  // of the last motion
};

// [T22.14]  kappa_i and nu that make the steady state exact; a given kappa replaces the first
template <class R> VD_FN PatchOutflow<R> patch_outflow(const PatchKind& kind, const PatchParams<R>& p, R q, R U) {
  const R scale = q / max(U, R(1e-12));
  const R most = R(1e6);
  const PatchTransform<R> y = patch_transform(kind, p, min(most, p.s0[1] * scale));
  PatchOutflow<R> o{{p.kappa, p.kappa}, (y.F1 + y.D0) / y.D1};
  if (kind.steady_kappa) {
    o.kappa[1] = y.F0 / y.D0;
    const PatchTransform<R> x = kind.isotropic ? y : patch_transform(kind, p, min(most, p.s0[0] * scale));
    o.kappa[0] = x.F0 / x.D0;
  }
  return o;
}

// K = kappa z and Kh = nu zh - z put the outflow into the common form [T22.8].
template <class R> VD_FN PatchSums<R> patch_average_sums(const PatchAverage<R>& a, const PatchOutflow<R>& o) {
  return {{a.z[0], a.z[1]}, {o.kappa[0] * a.z[0], o.kappa[1] * a.z[1]}, a.zh, o.nu * a.zh - a.z[1]};
}

// [T22.11], [T22.12]  dz/dt = v - (C0 + kappa U) z,  dzh/dt = g1 v - (C0 + nu U) zh + U z
template <class R> VD_FN PatchAverage<R> patch_average_move(const PatchKind& kind, const PatchParams<R>& p,
                                                            const PatchAverage<R>& a, const PatchPiece<R>& m) {
  const R half = R(0.5), Um = half * (m.U0 + m.U1);
  const PatchOutflow<R> o0 = a.flow, om = patch_outflow(kind, p, m.qm, Um), o1 = patch_outflow(kind, p, m.q1, m.U1);
  PatchAverage<R> r = a;
  r.flow = o1;
  const auto decay = [&](R f0, R fm, R f1, int i) {
    return PatchDecay<R>(m.h, p.s0[i] * m.q0 + f0 * m.U0, p.s0[i] * m.qm + fm * Um, p.s0[i] * m.q1 + f1 * m.U1);
  };
  const R vm = half * (m.v0[1] + m.v1[1]);
  const PatchDecay<R> y = decay(o0.kappa[1], om.kappa[1], o1.kappa[1], 1);
  const PatchDecay<R> x = kind.isotropic ? y : decay(o0.kappa[0], om.kappa[0], o1.kappa[0], 0);
  r.z[0] = x.end(a.z[0], m.v0[0], half * (m.v0[0] + m.v1[0]), m.v1[0]);
  r.z[1] = y.end(a.z[1], m.v0[1], vm, m.v1[1]);
  // the mean bristle half way, from its values and rates at both ends; where it settles within the step: its steady value
  const R rate0 = m.v0[1] - y.l0 * a.z[1], rate1 = m.v1[1] - y.l1 * r.z[1];
  const R zm = y.stiff ? vm / max(y.lm, R(1e-30)) : half * (a.z[1] + r.z[1]) + R(0.125) * m.h * (rate0 - rate1);
  r.zh = decay(o0.nu, om.nu, o1.nu, 1)
             .end(a.zh, p.g1 * m.v0[1] + m.U0 * a.z[1], p.g1 * vm + Um * zm, p.g1 * m.v1[1] + m.U1 * r.z[1]);
  return r;
}

// Steady state of constant motion; standing still the bristle sits at v/C0, or relaxed where nothing moves.
template <class R> VD_FN PatchAverage<R> patch_average_start(const PatchKind& kind, const PatchParams<R>& p,
                                                             const PatchMotion<R>& m, R q, R U) {
  const PatchOutflow<R> o = patch_outflow(kind, p, q, U);
  const R v[2] = {m.vx, m.vy}, tiny = R(1e-30);
  PatchAverage<R> a{};
  a.flow = o;
  for (int i = 0; i < 2; ++i) a.z[i] = v[i] / max(p.s0[i] * q + o.kappa[i] * U, tiny);
  a.zh = (p.g1 * m.vy + U * a.z[1]) / max(p.s0[1] * q + o.nu * U, tiny);
  return a;
}
// The wheel reverses: x -> 1 - x
template <class R> VD_FN void patch_average_reverse(PatchAverage<R>& a) { a.zh = a.z[1] - a.zh; }

}  // namespace vdsim
