// SPDX-License-Identifier: Apache-2.0
// VDSIM_SHORT=1, for sanitizers: the same laws and the same assertions on fewer cars and shorter runs.
#pragma once

#include <cstdlib>

namespace vdsim {

inline bool short_form() {
  static const bool on = std::getenv("VDSIM_SHORT") != nullptr;
  return on;
}
// How many: in the full test, and in the short one.
template <class T> T few(T full, T brief) { return short_form() ? brief : full; }

}  // namespace vdsim
