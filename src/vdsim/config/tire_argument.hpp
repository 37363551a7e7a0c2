// The tire that a command line names: --tire tire.sport_grip | my_tire.yaml | my_tire.tir, changed by --set tire.PATH=VALUE.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "vdsim/config/catalog.hpp"

namespace vdsim {

std::optional<TireSpec> load_tire(const Catalog&, const std::string& argument, const std::vector<std::string>& sets,
                                  Errors&);

}  // namespace vdsim
