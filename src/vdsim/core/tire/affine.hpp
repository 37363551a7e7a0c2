// SPDX-License-Identifier: Apache-2.0
// y' = v - L y: one step of a state that is handed to the integrator in this form.
#pragma once
#include "vdsim/core/tire/params.hpp"

namespace vdsim {

// [T02.1]  y' = v - L y over h:  x = L h, n = 1 + x/2 + x^2/6 + x^3/24,  y1 = (y + v h n)/(1 + x n)  = exact + O(x^5)
template <class R> VD_FN R adv(R y, R L, R v, R h) {
  const R x =
      min(L * h, R(1e8));  // only an unloaded tire leaks faster, and it holds nothing; keeps float from overflow
  const R n = R(1.0) + x * (R(0.5) + x * (R(1.0 / 6.0) + x * R(1.0 / 24.0)));
  return (y + v * h * n) / (R(1.0) + x * n);
}
// Backward Euler.
template <class R> VD_FN R backward(R y, const Affine<R>& a, R h) { return (y + h * a.v) / (R(1.0) + h * a.L); }

}  // namespace vdsim
