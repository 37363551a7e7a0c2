// SPDX-License-Identifier: Apache-2.0
// The user page of manoeuvres names every function, channel and signal there is.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "vdsim/config/catalog.hpp"
#include "vdsim/study/maneuver/metric_functions.hpp"
#include "vdsim/study/maneuver/plan.hpp"

namespace vdsim {
namespace {

std::string page() {
  std::ifstream file(std::string(VDSIM_SOURCE_DIR) + "/docs/MANEUVERS.md");
  std::ostringstream out;
  out << file.rdbuf();
  return out.str();
}

TEST(ManeuverDocs, NameEveryFunctionSignalAndManeuver) {
  const std::string text = page();
  const auto has = [&](const std::string& word) { EXPECT_TRUE(text.find(word) != std::string::npos) << word; };
  for (const Reducer& f : metric_functions()) has("| `" + f.signature + "` |");
  for (const char* name : kPhaseSlotNames) has(name);
  for (const char* name : kChannelNames) has("`" + std::string(name) + "`");
  const Catalog catalog(Catalog::default_folder());
  for (const CatalogEntry& m : catalog.maneuvers()) has("`" + m.id + "`");
}

}  // namespace
}  // namespace vdsim
