#include "vdsim/engine/batch/kernels_base.hpp"

namespace vdsim {

template const Kernel<Level::L1>& kernel<Level::L1>(const char*, Numeric);
template const Kernel<Level::L1>& kernel<Level::L1>(const char*, Numeric, const Model<double, Level::L1>&, KernelLaws);

}  // namespace vdsim
