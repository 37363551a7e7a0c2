// SPDX-License-Identifier: Apache-2.0
// The choice of the steady law.
#pragma once
#include "vdsim/core/tire/steady_rally.hpp"
#include "vdsim/core/tire/steady_tir.hpp"

namespace vdsim {

// Calls f(law) with the steady law of this tire,
template <class K, class F> VD_INLINE decltype(auto) by_steady(const K& kind, F&& f) {
  if constexpr (K::fixed) {
    if constexpr (K::steady == SteadyLaw::tir)
      return f(SteadyTir{});
    else if constexpr (K::steady == SteadyLaw::rally)
      return f(SteadyRally{});
    else
      return f(SteadyMf{});
  } else {
    if (!kind.at_load) return f(SteadyMf{});  // one test for most cars
    if (kind.steady == SteadyLaw::tir) return f(SteadyTir{});
    return f(SteadyRally{});
  }
}
// the same of a tire that is not under the rolling law; a rally tire always is.
template <class K, class F> VD_INLINE decltype(auto) by_plain_steady(const K& kind, F&& f) {
  if constexpr (K::fixed) {
    if constexpr (K::steady == SteadyLaw::tir)
      return f(SteadyTir{});
    else
      return f(SteadyMf{});
  } else {
    if (kind.steady == SteadyLaw::tir) return f(SteadyTir{});
    return f(SteadyMf{});
  }
}

}  // namespace vdsim
