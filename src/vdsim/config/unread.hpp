// SPDX-License-Identifier: Apache-2.0
// Keys without effect: written in a file or by --set, in range, and read by nothing in the car they end up in. The field tables
// know who reads what (engine/readers.hpp).
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "vdsim/config/vehicle.hpp"

namespace vdsim {

struct UnreadKey {
  Place place;
  std::string path;  // "tire.lugre.sigma2"
  std::string why;   // "with lugre rolling, only with breakaway"
};

// Without a level: keys that no level reads. A block that names every key of its part, as resolved.yaml does, is a list and
// not a wish: its keys are left out.
std::vector<UnreadKey> unread_keys(const CarLayers&, std::optional<Level>);
std::vector<UnreadKey> unread_keys(const Part&);  // by whatever car

// A line per file and reason. Files below `but` (a catalog: its parts serve many laws and levels) are left out; "" = none.
std::vector<std::string> unread_notes(const std::vector<UnreadKey>&, const std::string& but = "");

}  // namespace vdsim
