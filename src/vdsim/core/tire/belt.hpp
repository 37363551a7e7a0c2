// SPDX-License-Identifier: Apache-2.0
// Carcass (belt) relaxation: the contact patch sees a slip that follows the rim's after a rolled distance sigma.
// docs/theory/21_belt_transient.md. The MF path hands the same equation to the integrator as an affine state, the rolling
// law takes the carcass as a spring in series with the bristle (tire/compile.hpp).
#pragma once
#include "vdsim/core/math/real.hpp"

namespace vdsim {

// [T21.2]  sigma/|Vx| ds/dt = s_geom - s, solved exactly over dt at frozen Vx; Vx = 0 freezes, sigma = 0 is instant.
template <class R> VD_FN R belt_relax(R s_eff, R s_geom, R Vx, R sigma, R dt) {
  const mask_t<R> rigid = sigma <= R(0.0);
  const R x = abs(Vx) * dt / select(rigid, R(1.0), sigma);
  return select(rigid, s_geom, select(x > R(0.0), s_geom + (s_eff - s_geom) * exp(-x), s_eff));
}

// [T21.5]  A spring of stiffness sigma0 in series with a carcass that adds the relaxation length sigma to C/sigma0.
template <class R> VD_FN R belt_in_series(R sigma0, R sigma, R slip_stiffness) {
  return R(1.0) / (R(1.0) / sigma0 + sigma / slip_stiffness);
}

}  // namespace vdsim
