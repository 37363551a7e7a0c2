// SPDX-License-Identifier: Apache-2.0
// `control: {fmu: FILE, ...}` of a car: an FMU commands it. What its names mean is known where FMUs are read (bindings/fmi).
#pragma once
#include <string>
#include <vector>

#include "vdsim/engine/errors.hpp"

namespace vdsim {

struct Reader;
struct YamlEntry;
struct YamlNode;

struct ControllerSpec {
  struct Wire {
    std::string name, to;  // of the FMU; a signal or a number, a command, or the value of a parameter
    Place place;           // where it stands,
    std::string path;      // for messages
  };
  std::string file;     // absolute; "" = none
  std::string content;  // hash of its bytes
  double step = 0;      // between two exchanges [s]; 0 = as the FMU prefers
  std::vector<Wire> inputs, outputs, parameters;
  Place place;
  std::string path;
  bool given() const { return !file.empty(); }
};

bool is_controller(const YamlNode&);  // a block with keys of it
// What the block says; the rest stays. `folder`: where a relative path starts.
void read_controller(const Reader&, const YamlEntry&, const std::string& path, const std::string& folder,
                     ControllerSpec&);
std::string controller_text(const ControllerSpec&, int indent);  // reads back to the same

}  // namespace vdsim
