// The verbs below `vdsim tire` that have files of their own.
#pragma once
#include "apps/vdsim/commands.hpp"

namespace vdsim::cli {

void add_tire_plot(CLI::App& tire, Action& chosen);
void add_tire_fit(CLI::App& tire, Action& chosen);

}  // namespace vdsim::cli
