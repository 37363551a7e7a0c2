#include <cstring>

#include "vdsim/engine/batch/kernels_impl.hpp"
#include "vdsim/engine/step.hpp"

namespace vdsim {

VDSIM_STEP(float, L1);
VDSIM_STEP(float, L2);
VDSIM_STEP(float, L3);
VDSIM_STEP(float, L5);

// kernels_avx2.cpp, kernels_fixed_avx2.cpp or, with fast numerics, kernels_fast.cpp, kernels_fixed_fast.cpp
template <Level Lv> const Kernel<Lv>& avx2_kernel(bool narrow);
template <Level Lv> const Kernel<Lv>& fast_kernel(bool narrow);
const Kernel<kFixedLevel>& fixed_avx2_kernel(bool narrow);
const Kernel<kFixedLevel>& fixed_fast_kernel(bool narrow);
// kernels_fixed.cpp
const Kernel<kFixedLevel>& fixed_base_kernel(const char* number);

namespace {
#ifdef VDSIM_WIDE_FEW  // sanitizers: one planar and one sprung level, the others one car at a time
template <Level Lv> constexpr bool kWide = Lv == Level::L2 || Lv == Level::L3;
#else
template <Level Lv> constexpr bool kWide = true;
#endif

// Packs that any compiler can do, only of the planar levels and only where there is no set for the machine: a processor with
// AVX2 never asks for them, and all others step one car at a time.
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

enum class Set { base, avx2, fast };
Set set_for([[maybe_unused]] const char* number, [[maybe_unused]] Numeric numeric) {
#ifdef VDSIM_X86
  if (std::strcmp(number, "double4") != 0 && std::strcmp(number, "float8") != 0) return Set::base;
#ifdef VDSIM_NUMERIC_FAST
  if (numeric == Numeric::fast && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return Set::fast;
#else
  if (__builtin_cpu_supports("avx2")) return Set::avx2;
#endif
#endif
  return Set::base;
}

const Kernel<kFixedLevel>& fixed_kernel(const char* number, [[maybe_unused]] Set set) {
#ifdef VDSIM_X86
  [[maybe_unused]] const bool narrow = std::strcmp(number, "double4") == 0;
#ifdef VDSIM_NUMERIC_FAST
  if (set == Set::fast) return fixed_fast_kernel(narrow);
#else
  if (set == Set::avx2) return fixed_avx2_kernel(narrow);
#endif
#endif
  return fixed_base_kernel(number);
}
}  // namespace

template <Level Lv> const Kernel<Lv>& kernel(const char* number, Numeric numeric) {
  [[maybe_unused]] const Set set = set_for(number, numeric);
#ifdef VDSIM_X86
  [[maybe_unused]] const bool narrow = std::strcmp(number, "double4") == 0;
#ifdef VDSIM_NUMERIC_FAST
  if (set == Set::fast) return fast_kernel<Lv>(narrow);
#else
  if constexpr (kWide<Lv>)
    if (set == Set::avx2) return avx2_kernel<Lv>(narrow);
#endif
#endif
  return base_kernel<Lv>(number);
}
template <Level Lv>
const Kernel<Lv>& kernel(const char* number, Numeric numeric, const Model<double, Lv>& car, KernelLaws laws) {
  if constexpr (Lv == kFixedLevel)
    if (laws == KernelLaws::fixed && follows<Mf96Rolling>(car.kind))
      return fixed_kernel(number, set_for(number, numeric));
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
