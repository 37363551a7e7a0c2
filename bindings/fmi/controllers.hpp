// SPDX-License-Identifier: Apache-2.0
// FMUs that drive the cars of a scene: `control: {fmu: FILE}`, docs/FMI.md.
//
// Exchange at t_k = k H, H a whole number of solver steps: the FMU gets the signals of t_k, goes from t_k - H to t_k with them, and its
// outputs command the car until t_k + H. At t = 0 it is initialised with the signals of the start. So a controller answers to what the
// car does without delay, and the two are never further apart than one exchange.
#pragma once
#include <string>
#include <vector>

#include "vdsim/study/fleet.hpp"

namespace vdsim::fmi {

// Loads, wires and instantiates them. Throws BadInput with every error at its place. What it gives has the FMUs unpacked in folders that
// go with it.
Fleet::Control controllers(const Scenario&, std::vector<std::string>& notes);

}  // namespace vdsim::fmi
