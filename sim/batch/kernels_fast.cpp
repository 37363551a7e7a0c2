#include "sim/batch/kernels_impl.hpp"

namespace vdsim {

template <int NW> const Kernel<NW>& fast_kernel(bool narrow) {
  static constexpr Kernel<NW> four = KernelOf<Pack<double, 4, IsaFast>, NW>::table("double4"),
                              eight = KernelOf<Pack<float, 8, IsaFast>, NW>::table("float8");
  return narrow ? four : eight;
}
template const Kernel<2>& fast_kernel<2>(bool);
template const Kernel<4>& fast_kernel<4>(bool);

}  // namespace vdsim
