// SPDX-License-Identifier: Apache-2.0
// What a column of numbers is: in tables of files, and in the list of a car's signals.
#pragma once
#include <string>

namespace vdsim {

struct Column {
  std::string name, unit, meaning;
};

}  // namespace vdsim
