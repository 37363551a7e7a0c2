// Which kernels a level has, and the choice among them. One file per level (kernels_base_*.cpp): a level alone compiles for
// many seconds.
#pragma once
#include <cstring>

#include "vdsim/engine/batch/kernels_impl.hpp"

namespace vdsim {

// kernels_avx2.cpp or, with fast numerics, kernels_fast.cpp
template <Level Lv> const Kernel<Lv>& avx2_kernel(bool narrow);
template <Level Lv> const Kernel<Lv>& fast_kernel(bool narrow);

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

}  // namespace vdsim
