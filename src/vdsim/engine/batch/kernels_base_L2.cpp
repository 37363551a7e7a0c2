#include "vdsim/engine/batch/kernels_base.hpp"

namespace vdsim {

template const Kernel<Level::L2>& kernel<Level::L2>(const char*, Numeric);

}  // namespace vdsim
