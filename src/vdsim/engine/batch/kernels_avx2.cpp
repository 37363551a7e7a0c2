#include "vdsim/engine/batch/kernels_impl.hpp"

namespace vdsim {

template <Level Lv> const Kernel<Lv>& avx2_kernel(bool narrow) {
  static constexpr Kernel<Lv> four = KernelOf<Pack<double, 4, IsaAvx2>, Lv>::table("double4"),
                              eight = KernelOf<Pack<float, 8, IsaAvx2>, Lv>::table("float8");
  return narrow ? four : eight;
}
template const Kernel<Level::L2>& avx2_kernel<Level::L2>(bool);
template const Kernel<Level::L3>& avx2_kernel<Level::L3>(bool);
#ifndef VDSIM_WIDE_FEW
template const Kernel<Level::L1>& avx2_kernel<Level::L1>(bool);
template const Kernel<Level::L5>& avx2_kernel<Level::L5>(bool);
#endif

}  // namespace vdsim
