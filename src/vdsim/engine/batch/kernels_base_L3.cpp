#include "vdsim/engine/batch/kernels_base.hpp"

namespace vdsim {

template const Kernel<Level::L3>& kernel<Level::L3>(const char*, Numeric);

}  // namespace vdsim
