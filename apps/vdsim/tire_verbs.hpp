// SPDX-License-Identifier: Apache-2.0
// The verbs below `vdsim tire` that have files of their own.
#pragma once
#include "apps/vdsim/commands.hpp"

namespace vdsim::cli {

void add_tire_plot(Verb tire, Action& chosen);
void add_tire_fit(Verb tire, Action& chosen);

}  // namespace vdsim::cli
