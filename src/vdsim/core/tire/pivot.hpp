// SPDX-License-Identifier: Apache-2.0
// Parking torque: a standing patch that the wheel turns over. An extra of the rolling law. docs/theory/19_lugre_dynamic_tire.md.
#pragma once
#include "vdsim/core/tire/chain.hpp"

namespace vdsim {

// [T19.12]  twist of the standing patch: M = -c_psi psi, wound up by yaw, unwound by rolling and sliding
template <class R> struct Pivot {
  R psi;  // after the clamp to the friction limit [rad]
  Affine<R> rate;
  R M;  // parking torque [N m]
};
template <class R> VD_FN R pivot_limit(const RollingParams<R>& p, R Dx, R Dy) {
  return max(sqrt(Dx * Dy) * p.r_psi * p.inv_c_psi, R(1e-12));
}
template <class R> VD_FN R clamp_pivot(const RollingParams<R>& p, R psi, R Dx, R Dy) {
  const R zm = pivot_limit(p, Dx, Dy);
  return clamp(psi, -zm, zm);
}
template <class R> VD_FN Pivot<R> pivot(const RollingParams<R>& p, R psi, const Contact<R>& c, R vs, R Dx, R Dy) {
  const R tau = R(kTiny), zero = R(0.0), one = R(1.0);
  const R zm = pivot_limit(p, Dx, Dy);
  Pivot<R> o;
  o.psi = clamp(psi, -zm, zm);
  const R slide = vs * p.inv_r_psi, ws = sqrt(sq(c.psidot) + sq(slide)), inv_ws = one / max(ws, tau);
  const R x = clamp((abs(o.psi) / zm - p.beta) * p.inv_1m_beta, zero, one);
  const R S = x * x * (R(3.0) - R(2.0) * x);
  const R leak = S * max(zero, o.psi / zm * c.psidot * inv_ws) + sq(slide * inv_ws);
  o.rate = {abs(c.Vr) * p.inv_L_psi + leak * ws / zm, c.psidot};
  o.M = -p.c_psi * o.psi;
  return o;
}

}  // namespace vdsim
