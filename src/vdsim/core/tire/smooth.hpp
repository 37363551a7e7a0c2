// SPDX-License-Identifier: Apache-2.0
// Steps and limits without corners: exactly the hard ones outside a band of width w, once differentiable inside.
#pragma once
#include "vdsim/core/math/real.hpp"

namespace vdsim {

// 0 below 0, 1 above 1, x^2 (3 - 2x) between.
template <class R> VD_FN R smooth_step(R x) {
  const R t = clamp(x, R(0.0), R(1.0));
  return t * t * (R(3.0) - R(2.0) * t);
}

// [T23.1]  max(a, b) + (w - |a - b|)_+^2 / (4 w): max(a, b) itself where the two are further apart than w.
template <class R> VD_FN R soft_max(R a, R b, R w) {
  const R d = max(w - abs(a - b), R(0.0));
  return max(a, b) + d * d * (R(0.25) / w);
}
template <class R> VD_FN R soft_min(R a, R b, R w) { return -soft_max(-a, -b, w); }

}  // namespace vdsim
