// SPDX-License-Identifier: Apache-2.0
// modelDescription.xml, of the one list of variables.
#pragma once
#include "bindings/fmi/variables.hpp"

namespace vdsim::fmi {

constexpr const char* kModelIdentifier = "vdsim";  // and so the name of the library in the FMU

struct Described {
  std::string name, description, token;
  double duration = 10, dt = kRigStep;  // of a usual experiment [s]
  std::vector<Variable> variables;
  Kind kind = Kind::cs;
};
std::string description2(const Described&);                       // FMI 2.0
std::string description3(const Described&);                       // FMI 3.0: wheels are arrays; no other names
std::string terminals3(const std::vector<Variable>&, bool tire);  // terminalsAndIcons.xml

// Shared by the versions.
std::vector<std::string> units_in_use(const std::vector<Variable>&);
std::string type_name(const Variable&);        // of an enumeration
std::string type_attributes(const Variable&);  // declared type, unit, range
std::string initial_of(const Variable&);       // attribute
bool has_start(const Variable&);
std::string log_categories(const char* element);

}  // namespace vdsim::fmi
