// SPDX-License-Identifier: Apache-2.0
// Any bytes as a manoeuvre, or after a byte 'C' as the course of one: errors or a plan, never a crash; what is planned can
// be driven, and its own text plans the same.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "vdsim/config/catalog.hpp"
#include "vdsim/study/maneuver/maneuver_run.hpp"

namespace {

using namespace vdsim;

void drive(const ManeuverPlan& plan) {
  try {
    ManeuverRun run(plan);
    for (int i = 0; i < 20 && !run.done(); ++i)
      if (!run.step()) return;
    if (run.row().size() != signals(recording_scope(plan)).size()) std::abort();
  } catch (const BadInput& e) {  // a demand that is no number, or beyond what the car takes
    if (e.lines.empty() || e.lines.front().empty()) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Catalog catalog(VDSIM_SOURCE_DIR "/configs");
  std::string text(reinterpret_cast<const char*>(data), size);
  if (text.starts_with('C'))
    text = "id: m\nlevels: [L2]\nphases:\n  - {name: a, driver: {path: true, speed: 10}, lasts: 1}\ncourse: {" +
           text.substr(1) + "}\n";
  Errors errors;
  const Maneuver maneuver = read_maneuver(text, "fuzz.yaml", "", errors);
  for (const std::string& line : errors.lines())
    if (line.empty()) std::abort();
  if (!errors.empty()) return 0;
  try {
    first_of(catalog, maneuver, {});
    const ManeuverPlan plan = plan_maneuver(catalog, maneuver, {});
    drive(plan);
    Errors none;
    const std::string again = plan_text(maneuver, plan);
    const Maneuver same = read_maneuver(again, "again.yaml", "", none);
    if (!none.empty()) std::abort();
    const ManeuverPlan planned = plan_maneuver(catalog, same, {});
    if (planned.course.path.size() != plan.course.path.size() ||
        planned.course.cones.size() != plan.course.cones.size())
      std::abort();
  } catch (const BadInput& e) {
    if (e.lines.empty()) std::abort();
  }
  return 0;
}
