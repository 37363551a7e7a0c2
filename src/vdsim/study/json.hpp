// SPDX-License-Identifier: Apache-2.0
// JSON text as the tree that YAML gives: the readers of values (config/read.hpp) serve both.
#pragma once
#include "vdsim/config/yaml.hpp"

namespace vdsim {

// Exactly one value. Refused: syntax errors, equal keys, more than 64 levels, texts with control characters. Nothing is returned after
// an error. Nodes have no line and column.
std::optional<YamlNode> parse_json(std::string_view text, const std::string& file, Errors& errors);

// A number as it was written: the parser of JSON keeps it with the decimal point of the host's locale.
std::string json_number(std::string kept);

}  // namespace vdsim
