// SPDX-License-Identifier: Apache-2.0
// What the energy balance of a run says against it.
#pragma once
#include <string>
#include <vector>

#include "vdsim/engine/car.hpp"

namespace vdsim {

// One sentence each, for a reader of the results; empty: nothing to tell.
std::vector<std::string> energy_warnings(const EnergyBalance&);

}  // namespace vdsim
