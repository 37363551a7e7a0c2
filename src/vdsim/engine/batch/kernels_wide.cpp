#include "vdsim/engine/batch/kernels_impl.hpp"

namespace vdsim {

template <Level Lv> const Kernel<Lv>& wide_kernel(bool narrow) {
  static constexpr Kernel<Lv> four = KernelOf<Pack<double, 4, IsaWide>, Lv>::table("double4"),
                              eight = KernelOf<Pack<float, 8, IsaWide>, Lv>::table("float8");
  return narrow ? four : eight;
}
template const Kernel<Level::L2>& wide_kernel<Level::L2>(bool);
template const Kernel<Level::L3>& wide_kernel<Level::L3>(bool);
#ifndef VDSIM_WIDE_FEW
template const Kernel<Level::L1>& wide_kernel<Level::L1>(bool);
template const Kernel<Level::L5>& wide_kernel<Level::L5>(bool);
#endif

}  // namespace vdsim
