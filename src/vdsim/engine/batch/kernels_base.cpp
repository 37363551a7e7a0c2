#include <cstring>

#include "vdsim/engine/batch/kernels_impl.hpp"

namespace vdsim {

// kernels_avx2.cpp or, with fast numerics, kernels_fast.cpp
template <Level Lv> const Kernel<Lv>& avx2_kernel(bool narrow);
template <Level Lv> const Kernel<Lv>& fast_kernel(bool narrow);

namespace {
// Packs for any instruction set only of the planar levels: those on springs fall back to one car at a time.
template <Level Lv> const Kernel<Lv>& base_kernel(const char* number) {
  static constexpr Kernel<Lv> wide = KernelOf<double, Lv>::table("double"),
                              narrow = KernelOf<float, Lv>::table("float");
#ifndef VDSIM_NARROW
  if constexpr (!kSprung<Lv>) {
    static constexpr Kernel<Lv> four = KernelOf<Pack<double, 4>, Lv>::table("double4"),
                                eight = KernelOf<Pack<float, 8>, Lv>::table("float8");
    if (std::strcmp(number, "double4") == 0) return four;
    if (std::strcmp(number, "float8") == 0) return eight;
  }
#endif
  return number[0] == 'f' ? narrow : wide;
}
}  // namespace

template <Level Lv> const Kernel<Lv>& kernel(const char* number, [[maybe_unused]] Numeric numeric) {
#ifdef VDSIM_X86
  const bool narrow = std::strcmp(number, "double4") == 0, wide = std::strcmp(number, "float8") == 0;
#ifdef VDSIM_NUMERIC_FAST
  if ((narrow || wide) && numeric == Numeric::fast && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    return fast_kernel<Lv>(narrow);
#else
  if ((narrow || wide) && __builtin_cpu_supports("avx2")) return avx2_kernel<Lv>(narrow);
#endif
#endif
  return base_kernel<Lv>(number);
}
template const Kernel<Level::L1>& kernel<Level::L1>(const char*, Numeric);
template const Kernel<Level::L2>& kernel<Level::L2>(const char*, Numeric);
template const Kernel<Level::L3>& kernel<Level::L3>(const char*, Numeric);
template const Kernel<Level::L5>& kernel<Level::L5>(const char*, Numeric);

}  // namespace vdsim
