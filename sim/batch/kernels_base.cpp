#include <cstring>

#include "sim/batch/kernels_impl.hpp"

namespace vdsim {

template <int NW> const Kernel<NW>& avx2_kernel(bool narrow);  // kernels_avx2.cpp
template <int NW> const Kernel<NW>& fast_kernel(bool narrow);  // kernels_fast.cpp

namespace {
template <int NW> const Kernel<NW>& base_kernel(const char* number) {
  static constexpr Kernel<NW> all[] = {KernelOf<double, NW>::table("double"), KernelOf<float, NW>::table("float"),
                                       KernelOf<Pack<double, 4>, NW>::table("double4"),
                                       KernelOf<Pack<float, 8>, NW>::table("float8")};
  for (const Kernel<NW>& k : all)
    if (std::strcmp(k.number, number) == 0) return k;
  return all[0];
}
}  // namespace

template <int NW> const Kernel<NW>& kernel(const char* number, [[maybe_unused]] Numeric numeric) {
#ifdef VDSIM_X86
  const bool narrow = std::strcmp(number, "double4") == 0, wide = std::strcmp(number, "float8") == 0;
  if (narrow || wide) {
    if (numeric == Numeric::fast && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
      return fast_kernel<NW>(narrow);
    if (__builtin_cpu_supports("avx2")) return avx2_kernel<NW>(narrow);
  }
#endif
  return base_kernel<NW>(number);
}
template const Kernel<2>& kernel<2>(const char*, Numeric);
template const Kernel<4>& kernel<4>(const char*, Numeric);

}  // namespace vdsim
