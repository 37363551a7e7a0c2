// SPDX-License-Identifier: Apache-2.0
// A manoeuvre as its YAML file has it: a scene, phases with what the driver does, metrics. docs/MANEUVERS.md.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "vdsim/config/yaml.hpp"
#include "vdsim/core/vehicle/level.hpp"

namespace vdsim {

class Catalog;

struct ManeuverParameter {
  std::string name, unit, meaning;
  YamlNode value;  // a number or an expression of earlier parameters and of the car
};

// Checked: keys, names, levels. The expressions are checked when the car and its level are known (study/maneuver/plan.hpp).
struct Maneuver {
  std::string file, folder;
  std::string id, label, standard, purpose;
  std::vector<Level> levels;  // on which it means something; the first is the default
  std::vector<ManeuverParameter> parameters;
  YamlNode root;  // the whole file
};

Maneuver read_maneuver(YamlNode root, const std::string& file, const std::string& folder, Errors&);
Maneuver read_maneuver(std::string_view text, const std::string& file, const std::string& folder, Errors&);
// `name`: id of the catalog or a file. Throws BadInput with every error.
Maneuver load_maneuver(const Catalog&, const std::string& name);

std::string level_names(const std::vector<Level>&);  // "L2, L3"

}  // namespace vdsim
