// SPDX-License-Identifier: Apache-2.0
// Units as FMI writes them: powers of the SI base units.
#pragma once
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace vdsim::fmi {

constexpr std::array<const char*, 8> kBaseUnits{"kg", "m", "s", "A", "K", "mol", "cd", "rad"};
struct BaseUnit {
  std::array<int, 8> power{};
  double factor = 1, offset = 0;  // value in base units = factor value + offset
};
// Of "N m/rad", "m/s^2", "degC"; nothing for what whole powers cannot say, such as "m/s^2/sqrt(s)".
std::optional<BaseUnit> base_unit(std::string_view unit);

// How people read it: displayed = factor value.
struct DisplayUnit {
  const char *unit, *name;
  double factor;
};
std::vector<DisplayUnit> display_units(std::string_view unit);

// <UnitDefinitions>, the same in FMI 2.0 and 3.0; `units`: those in use, each once.
std::string unit_definitions(const std::vector<std::string>& units);

}  // namespace vdsim::fmi
