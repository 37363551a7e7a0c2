// SPDX-License-Identifier: Apache-2.0
// The [UNITS] of a .tir file.
#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace vdsim {

// value in the file * times / over = value in SI; kept apart because 313.5 / 1000 rounds better than 313.5 * 0.001
struct UnitScale {
  double times = 1, over = 1;
  double si(double value) const { return times == over ? value : value * times / over; }
};

// quantity: LENGTH, FORCE, ANGLE, MASS, TIME, PRESSURE. False if the name is not known.
bool find_unit(const std::string& quantity, const std::string& name, UnitScale& scale);
std::vector<std::string> unit_names(const std::string& quantity);

struct TirUnits {
  std::map<std::string, UnitScale> base;  // by quantity; what is absent is SI
  bool has_pressure = false;              // otherwise force / length^2

  UnitScale scale(std::string_view unit) const;  // of a field: "N s/m", "kg m^2"
};

}  // namespace vdsim
