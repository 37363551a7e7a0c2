// SPDX-License-Identifier: Apache-2.0
// The tire that a command line names: --tire tire.sport_grip | my_tire.yaml | my_tire.tir, on the ground of --surface (rally
// tires), changed by --set tire.PATH=VALUE, warm, worn or at a pressure (rally tires).
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "vdsim/config/catalog.hpp"

namespace vdsim {

struct TireArgument {
  std::string tire, surface;  // id or file; surface "": that of the tire
  std::vector<std::string> sets;
  std::optional<double> temperature{}, wear{}, pressure{};  // [degC] of tread and core; 0 new .. 1 bald; [Pa]
};
// `notes`: keys without effect that the user wrote, if wanted.
std::optional<TireSpec> load_tire(const Catalog&, const TireArgument&, Errors&,
                                  std::vector<std::string>* notes = nullptr);

}  // namespace vdsim
