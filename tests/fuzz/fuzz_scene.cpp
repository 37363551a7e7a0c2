// SPDX-License-Identifier: Apache-2.0
// Any bytes as a scene, or after a line "--set" as a setting: errors or a scene, never a crash; a scene survives a round trip.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "vdsim/config/catalog.hpp"
#include "vdsim/config/scenario.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace vdsim;
  static const Catalog catalog(VDSIM_SOURCE_DIR "/configs");
  std::string text(reinterpret_cast<const char*>(data), size);
  SceneChanges changes;
  if (const std::size_t at = text.find("\n--set "); at != std::string::npos) {
    try {
      changes.set(text.substr(at + 7));
    } catch (const BadInput&) {
    }
    text.resize(at);
  }
  Errors errors;
  const Scenario scene = read_scene(catalog, text, "fuzz.yaml", "", changes, errors);
  if (!errors.empty()) return 0;
  Errors none;
  const Scenario again = read_scene(catalog, scenario_text(scene, true), "again.yaml", "", {}, none);
  if (!none.empty() || scenario_hash(again) != scenario_hash(scene)) std::abort();
  return 0;
}
