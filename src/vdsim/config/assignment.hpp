// SPDX-License-Identifier: Apache-2.0
// "PATH=VALUE" as the command line gives it.
#pragma once
#include <optional>
#include <string>

#include "vdsim/config/yaml.hpp"

namespace vdsim {

struct Assignment {
  std::string shown;  // as the user wrote it, for messages: "--set tire.mu_nominal=0.9"
  std::string path, value;
};

// Splits at the first '='; without one an error.
std::optional<Assignment> split_assignment(const std::string& option, const std::string& text, Errors&);
// a.b = v as the entry a: {b: v}, without places; an error for a value that is no YAML or a path with empty names.
std::optional<YamlEntry> nest(const Assignment&, Errors&);

}  // namespace vdsim
