// SPDX-License-Identifier: Apache-2.0
// Values that are in their range, so that they can be computed, but that no car or road has: a slip of the keyboard or of a unit.
#pragma once
#include "vdsim/config/scenario.hpp"

namespace vdsim {

void warn_of_implausible(const Scenario&, const std::string& file, Errors&);

}  // namespace vdsim
