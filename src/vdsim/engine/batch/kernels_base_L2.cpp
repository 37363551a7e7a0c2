#include "vdsim/engine/batch/kernels_base.hpp"

namespace vdsim {

template const Kernel<Level::L2>& kernel<Level::L2>(const char*, Numeric);
template const Kernel<Level::L2>& kernel<Level::L2>(const char*, Numeric, const Model<double, Level::L2>&, KernelLaws);

}  // namespace vdsim
