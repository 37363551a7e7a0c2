// SPDX-License-Identifier: Apache-2.0
// Two resolved configurations, value by value.
#pragma once
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace vdsim {

// Values of a resolved.yaml by the path that --set takes: "control.abs.slip_start", "mu", "speed" (a parameter of a
// manoeuvre), "driver.brake". Of a scene of several cars those of `car`; of all, after "<id>.", if `car` is empty. Tires
// stand by wheel: "tire_fl.B_lat". Nothing if it cannot be read.
using ConfigValues = std::vector<std::pair<std::string, std::string>>;
std::optional<ConfigValues> config_values(const std::string& resolved, const std::string& car);

struct ConfigDifference {
  std::string path, a, b;  // "" where only the other has it
};
// In the order of a, then what only b has. What all wheels, or both of an axle, have in common is one: "tire.B_lat".
std::vector<ConfigDifference> config_differences(const ConfigValues& a, const ConfigValues& b);

std::string text_of(const ConfigDifference&);  // "path: old -> new"

}  // namespace vdsim
