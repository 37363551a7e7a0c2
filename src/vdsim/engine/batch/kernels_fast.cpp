#include "vdsim/engine/batch/kernels_impl.hpp"

namespace vdsim {

template <Level Lv> const Kernel<Lv>& fast_kernel(bool narrow) {
  static constexpr Kernel<Lv> four = KernelOf<Pack<double, 4, IsaFast>, Lv>::table("double4"),
                              eight = KernelOf<Pack<float, 8, IsaFast>, Lv>::table("float8");
  return narrow ? four : eight;
}
template const Kernel<Level::L1>& fast_kernel<Level::L1>(bool);
template const Kernel<Level::L2>& fast_kernel<Level::L2>(bool);
template const Kernel<Level::L3>& fast_kernel<Level::L3>(bool);
template const Kernel<Level::L5>& fast_kernel<Level::L5>(bool);

}  // namespace vdsim
