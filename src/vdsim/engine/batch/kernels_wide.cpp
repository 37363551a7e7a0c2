// SPDX-License-Identifier: Apache-2.0
#include "vdsim/engine/batch/kernels_impl.hpp"

namespace vdsim {

template <Level Lv> const Kernel<Lv>& wide_kernel(bool in_double) {
  static constexpr Kernel<Lv> of_double = KernelOf<WideDouble, Lv>::table(kWideDouble),
                              of_float = KernelOf<WideFloat, Lv>::table(kWideFloat);
  return in_double ? of_double : of_float;
}
template const Kernel<Level::L2>& wide_kernel<Level::L2>(bool);
template const Kernel<Level::L3>& wide_kernel<Level::L3>(bool);
#ifndef VDSIM_WIDE_FEW
template const Kernel<Level::L1>& wide_kernel<Level::L1>(bool);
template const Kernel<Level::L5>& wide_kernel<Level::L5>(bool);
#endif

}  // namespace vdsim
