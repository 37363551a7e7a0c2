// SPDX-License-Identifier: Apache-2.0
// Of vdsim_daily, which ./vdsim builds when one of these is asked for and there is no whole vdsim yet.
#include "apps/vdsim/commands.hpp"
#include "vdsim/engine/errors.hpp"

namespace vdsim::cli {

void add_verbs(Verb app, Action& chosen) {
  add_run(app, chosen);
  add_maneuver(app, chosen);
  add_report(app, chosen);
}

Fleet::Control fmu_controllers(const Scenario&, std::vector<std::string>&) { throw BadInput(kNoControllers); }

}  // namespace vdsim::cli
