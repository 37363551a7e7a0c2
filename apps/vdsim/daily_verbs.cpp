// SPDX-License-Identifier: Apache-2.0
// Of vdsim_daily, which ./vdsim builds when one of these is asked for and there is no whole vdsim yet.
#include "apps/vdsim/commands.hpp"

namespace vdsim::cli {

void add_verbs(Verb app, Action& chosen) {
  add_run(app, chosen);
  add_maneuver(app, chosen);
  add_report(app, chosen);
}

}  // namespace vdsim::cli
