// SPDX-License-Identifier: Apache-2.0
#include "vdsim/engine/batch/kernels_impl.hpp"

namespace vdsim {

const Kernel<kFixedLevel>& fixed_wide_kernel(bool in_double) {
  using L = FixedMf96Rolling;
  static constexpr Kernel<kFixedLevel> of_double = KernelOf<WideDouble, kFixedLevel, L>::table(kWideDouble),
                                       of_float = KernelOf<WideFloat, kFixedLevel, L>::table(kWideFloat);
  return in_double ? of_double : of_float;
}

}  // namespace vdsim
