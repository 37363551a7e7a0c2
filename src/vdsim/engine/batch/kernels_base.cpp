// SPDX-License-Identifier: Apache-2.0
#include <cstring>

#include "vdsim/engine/batch/kernels_impl.hpp"
#include "vdsim/engine/step.hpp"

namespace vdsim {

VDSIM_STEP(float, L1);
VDSIM_STEP(float, L2);
VDSIM_STEP(float, L3);
VDSIM_STEP(float, L5);

template <Level Lv> const Kernel<Lv>& wide_kernel(bool in_double);  // kernels_wide.cpp
const Kernel<kFixedLevel>& fixed_wide_kernel(bool in_double);       // kernels_fixed_wide.cpp
const Kernel<kFixedLevel>& fixed_base_kernel(const char* number);   // kernels_fixed.cpp

namespace {
#ifdef VDSIM_WIDE_FEW  // sanitizers: one planar and one sprung level, the others one car at a time
template <Level Lv> constexpr bool kWide = Lv == Level::L2 || Lv == Level::L3;
#else
template <Level Lv> constexpr bool kWide = true;
#endif

// Packs that any compiler can do, only of the planar levels and only where there is no set for the machine: a processor with
// AVX2 or NEON never asks for them, and an older x86 steps one car at a time.
template <Level Lv> const Kernel<Lv>& base_kernel(const char* number) {
#ifdef VDSIM_PORTABLE_PACKS
  if constexpr (!kSprung<Lv>) {
    static constexpr Kernel<Lv> four = KernelOf<Pack<double, 4>, Lv>::table("double4"),
                                eight = KernelOf<Pack<float, 8>, Lv>::table("float8");
    if (std::strcmp(number, "double4") == 0) return four;
    if (std::strcmp(number, "float8") == 0) return eight;
  }
#endif
  static constexpr Kernel<Lv> narrow = KernelOf<float, Lv>::table("float");
  return number[0] == 'f' ? narrow : double_kernel<Lv>();
}

#if defined(VDSIM_X86) || defined(VDSIM_NEON)
#define VDSIM_WIDE_SET
bool of_double(const char* number) { return std::strcmp(number, "double4") == 0; }

// Whether this processor runs the kernels of the *_wide.cpp files.
bool runs_wide(const char* number, [[maybe_unused]] Numeric numeric) {
  if (!of_double(number) && std::strcmp(number, "float8") != 0) return false;
#if defined(VDSIM_NEON)  // every such processor has it, and fused multiply-add
#ifdef VDSIM_NUMERIC_FAST
  return numeric == Numeric::fast;
#else
  return true;
#endif
#elif defined(VDSIM_NUMERIC_FAST)
  return numeric == Numeric::fast && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#else
  return __builtin_cpu_supports("avx2");
#endif
}
#endif

const Kernel<kFixedLevel>& fixed_kernel(const char* number, [[maybe_unused]] Numeric numeric) {
#ifdef VDSIM_WIDE_SET
  if (runs_wide(number, numeric)) return fixed_wide_kernel(of_double(number));
#endif
  return fixed_base_kernel(number);
}
}  // namespace

template <Level Lv> const Kernel<Lv>& kernel(const char* number, [[maybe_unused]] Numeric numeric) {
#ifdef VDSIM_WIDE_SET
  if constexpr (kWide<Lv>)
    if (runs_wide(number, numeric)) return wide_kernel<Lv>(of_double(number));
#endif
  return base_kernel<Lv>(number);
}
template <Level Lv>
const Kernel<Lv>& kernel(const char* number, Numeric numeric, const Model<double, Lv>& car, KernelLaws laws) {
  if constexpr (Lv == kFixedLevel)
    if (laws == KernelLaws::fixed && follows<Mf96Rolling>(car.kind)) return fixed_kernel(number, numeric);
  return kernel<Lv>(number, numeric);
}

#define VDSIM_KERNEL(LV)                                                                                     \
  template const Kernel<Level::LV>& kernel<Level::LV>(const char*, Numeric);                                 \
  template const Kernel<Level::LV>& kernel<Level::LV>(const char*, Numeric, const Model<double, Level::LV>&, \
                                                      KernelLaws);
VDSIM_KERNEL(L1)
VDSIM_KERNEL(L2)
VDSIM_KERNEL(L3)
VDSIM_KERNEL(L5)
#undef VDSIM_KERNEL

}  // namespace vdsim
