// SPDX-License-Identifier: Apache-2.0
#include "vdsim/engine/linear/linear_of.hpp"

namespace vdsim {

template void linear_of<Level::L2>(LevelCar&, const SignalScope&, const Commands&, LinearCar&);

}  // namespace vdsim
