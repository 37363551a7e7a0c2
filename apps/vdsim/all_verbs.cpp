// SPDX-License-Identifier: Apache-2.0
#include "apps/vdsim/commands.hpp"

namespace vdsim::cli {

void add_verbs(Verb app, Action& chosen) {
  add_run(app, chosen);
  add_maneuver(app, chosen);
  add_replay(app, chosen);
  add_catalog(app, chosen);
  add_rig(app, chosen);
  add_tire(app, chosen);
  add_road(app, chosen);
  add_paper(app, chosen);
  add_handling(app, chosen);
  add_sensitivity(app, chosen);
  add_validate(app, chosen);
  add_report(app, chosen);
  add_compare(app, chosen, compare_low_speed);
  add_bench(app, chosen);
  add_fmu(app, chosen);
  add_serve(app, chosen);
  add_page(app, chosen);
  add_completion(app, chosen);
}

}  // namespace vdsim::cli
