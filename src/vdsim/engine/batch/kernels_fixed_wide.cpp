#include "vdsim/engine/batch/kernels_impl.hpp"

namespace vdsim {

const Kernel<kFixedLevel>& fixed_wide_kernel(bool narrow) {
  static constexpr Kernel<kFixedLevel> four = KernelOf<Pack<double, 4, IsaWide>, kFixedLevel, FixedMf96Rolling>::table(
                                           "double4"),
                                       eight = KernelOf<Pack<float, 8, IsaWide>, kFixedLevel, FixedMf96Rolling>::table(
                                           "float8");
  return narrow ? four : eight;
}

}  // namespace vdsim
