// SPDX-License-Identifier: Apache-2.0
// The brush with parabolic pressure: elastic bristles adhere from the leading edge on and slide where friction gives out.
// x = c (2a)^2/(6 mu Fz) times slip = slip over the slip of full sliding; the front share lambda = 1 - x of the patch adheres.
#pragma once
#include "vdsim/core/math/real.hpp"

namespace vdsim {

// Tread stiffness per length that gives a slip stiffness C_s [N]: c = C_s/(2 a^2) [N/m^2].
template <class R> VD_FN R brush_tread(R C_s, R a) { return C_s / (R(2.0) * a * a); }
// [T23.3]  lambda = 1 - x, x = 2 a^2 c s/(3 D)
template <class R> VD_FN R brush_adhesion(R x) { return clamp(R(1.0) - x, R(0.0), R(1.0)); }
template <class R> VD_FN R brush_adhesion(R D, R a, R c, R slip) {
  return brush_adhesion<R>(R(2.0 / 3.0) * a * a * c * abs(slip) / max(D, R(1e-3)));
}
template <class R> struct Brush {
  R lambda;  // share of the patch that adheres
  R force;   // [T23.4]  F/D = 1 - lambda^3
  R trail;   // [T23.5]  t/a = lambda^3/(1 + lambda + lambda^2): 1/3 without slip, 0 when all slides
  R rub;  // [T23.6]  share of the power F v that the sliding part rubs off: its load, s^2 (3 - 2 s), over F/D; s = 1 - lambda
};
template <class R> VD_FN Brush<R> brush(R lambda) {
  const R s = R(1.0) - lambda, l3 = lambda * lambda * lambda, w = R(1.0) / (R(1.0) + lambda + lambda * lambda);
  return {lambda, R(1.0) - l3, l3 * w, s * (R(3.0) - R(2.0) * s) * w};
}

}  // namespace vdsim
