#include "vdsim/engine/batch/kernels_base.hpp"

namespace vdsim {

template const Kernel<Level::L5>& kernel<Level::L5>(const char*, Numeric);
template const Kernel<Level::L5>& kernel<Level::L5>(const char*, Numeric, const Model<double, Level::L5>&, KernelLaws);

}  // namespace vdsim
