#include "sim/batch/kernels_impl.hpp"

namespace vdsim {

template <int NW> const Kernel<NW>& avx2_kernel(bool narrow) {
  static constexpr Kernel<NW> four = KernelOf<Pack<double, 4, IsaAvx2>, NW>::table("double4"),
                              eight = KernelOf<Pack<float, 8, IsaAvx2>, NW>::table("float8");
  return narrow ? four : eight;
}
template const Kernel<2>& avx2_kernel<2>(bool);
template const Kernel<4>& avx2_kernel<4>(bool);

}  // namespace vdsim
