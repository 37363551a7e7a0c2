#include "vdsim/engine/batch/kernels_base.hpp"

namespace vdsim {

template const Kernel<Level::L3>& kernel<Level::L3>(const char*, Numeric);
template const Kernel<Level::L3>& kernel<Level::L3>(const char*, Numeric, const Model<double, Level::L3>&, KernelLaws);

}  // namespace vdsim
