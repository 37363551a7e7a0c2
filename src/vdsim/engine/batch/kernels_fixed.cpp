// SPDX-License-Identifier: Apache-2.0
#include <cstring>

#include "vdsim/engine/batch/kernels_impl.hpp"

namespace vdsim {

// Fixed laws for any instruction set.
const Kernel<kFixedLevel>& fixed_base_kernel(const char* number) {
  using L = FixedMf96Rolling;
  static_assert(sizeof(Model<double, Level::L2, L>) <= 4096);  // 14.4 kB when a tire carried the numbers of every law
  static constexpr Kernel<kFixedLevel> wide = KernelOf<double, kFixedLevel, L>::table("double"),
                                       narrow = KernelOf<float, kFixedLevel, L>::table("float");
#ifdef VDSIM_PORTABLE_PACKS
  static constexpr Kernel<kFixedLevel> four = KernelOf<Pack<double, 4>, kFixedLevel, L>::table("double4"),
                                       eight = KernelOf<Pack<float, 8>, kFixedLevel, L>::table("float8");
  if (std::strcmp(number, "double4") == 0) return four;
  if (std::strcmp(number, "float8") == 0) return eight;
#endif
  return number[0] == 'f' ? narrow : wide;
}

}  // namespace vdsim
