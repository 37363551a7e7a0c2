// SPDX-License-Identifier: Apache-2.0
// Numbers and units as people read them, on terminals and pages; files keep SI.
#pragma once
#include <string>
#include <string_view>

namespace vdsim {

struct ReadableUnit {
  std::string unit;  // the unit itself where people speak of it
  double factor;     // of a value in SI
};
ReadableUnit readable_unit(std::string_view si);  // "m/s" is km/h, "rad" deg, "N" kN, ...
// of a column of run.csv: engine speed in rpm, wheel spin in rad/s
ReadableUnit readable_column_unit(std::string_view column, std::string_view si);

// Significant digits; what is below 1e-9 is rounding and shown as 0; "–" where there is no number.
std::string readable_number(double, int digits = 5);
std::string readable_value(double value, const ReadableUnit&, int digits = 5);
std::string readable_value(double value, std::string_view si, int digits = 5);  // in that unit: "80"
std::string readable(double value, std::string_view si, int digits = 5);        // with it: "80 km/h"
std::string in_both_units(double value, std::string_view si, int digits = 4);   // "22.22 m/s (80 km/h)"

}  // namespace vdsim
