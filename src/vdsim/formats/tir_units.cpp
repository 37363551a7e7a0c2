// SPDX-License-Identifier: Apache-2.0
#include "vdsim/formats/tir_units.hpp"

#include <algorithm>

#include "vdsim/core/math/real.hpp"
#include "vdsim/formats/tir_keys.hpp"

namespace vdsim {
namespace {

constexpr double kPi = 3.14159265358979323846, kPound = 4.4482216152605, kPoundMass = 0.45359237;
using Units = std::map<std::string, UnitScale>;

// budget: a table, one unit per line
const std::map<std::string, Units>& all_units() {
  static const std::map<std::string, Units> units{
      {"LENGTH",
       {{"METER", {1, 1}},
        {"M", {1, 1}},
        {"METRE", {1, 1}},
        {"MM", {1, 1000}},
        {"MILLIMETER", {1, 1000}},
        {"MILLIMETRE", {1, 1000}},
        {"CM", {1, 100}},
        {"CENTIMETER", {1, 100}},
        {"KM", {1000, 1}},
        {"KILOMETER", {1000, 1}},
        {"INCH", {254, 10000}},
        {"INCHE", {254, 10000}},  // "inches"
        {"IN", {254, 10000}},
        {"FOOT", {3048, 10000}},
        {"FEET", {3048, 10000}},
        {"FT", {3048, 10000}}}},
      {"FORCE",
       {{"NEWTON", {1, 1}},
        {"N", {1, 1}},
        {"KN", {1000, 1}},
        {"KILONEWTON", {1000, 1}},
        {"KNEWTON", {1000, 1}},
        {"DAN", {10, 1}},
        {"KGF", {kGravity, 1}},
        {"KG_FORCE", {kGravity, 1}},
        {"KILOGRAM_FORCE", {kGravity, 1}},
        {"LBF", {kPound, 1}},
        {"LB", {kPound, 1}},
        {"POUND", {kPound, 1}},
        {"POUND_FORCE", {kPound, 1}},
        {"KPOUND_FORCE", {1000 * kPound, 1}}}},
      {"ANGLE",
       {{"RADIAN", {1, 1}}, {"RAD", {1, 1}}, {"DEGREE", {kPi, 180}}, {"DEG", {kPi, 180}}, {"GRAD", {kPi, 200}}}},
      {"MASS",
       {{"KG", {1, 1}},
        {"KILOGRAM", {1, 1}},
        {"GRAM", {1, 1000}},
        {"G", {1, 1000}},
        {"TONNE", {1000, 1}},
        {"MEGAGRAM", {1000, 1}},
        {"LB", {kPoundMass, 1}},
        {"LBM", {kPoundMass, 1}},
        {"POUND", {kPoundMass, 1}},
        {"POUND_MASS", {kPoundMass, 1}},
        {"SLUG", {kPound * 10000, 3048}}}},
      {"TIME",
       {{"SECOND", {1, 1}},
        {"SEC", {1, 1}},
        {"S", {1, 1}},
        {"MS", {1, 1000}},
        {"MILLISECOND", {1, 1000}},
        {"MINUTE", {60, 1}},
        {"MIN", {60, 1}},
        {"HOUR", {3600, 1}},
        {"H", {3600, 1}}}},
      {"PRESSURE",
       {{"PASCAL", {1, 1}},
        {"PA", {1, 1}},
        {"KPA", {1000, 1}},
        {"KILOPASCAL", {1000, 1}},
        {"MPA", {1e6, 1}},
        {"MEGAPASCAL", {1e6, 1}},
        {"N/M^2", {1, 1}},
        {"N/MM^2", {1e6, 1}},
        {"BAR", {1e5, 1}},
        {"MBAR", {100, 1}},
        {"PSI", {kPound * 1e8, 254.0 * 254.0}}}}};
  return units;
}

UnitScale power(const UnitScale& a, int n) {
  UnitScale out;
  for (int i = 0; i < n; ++i) out = {out.times * a.times, out.over * a.over};
  for (int i = 0; i > n; --i) out = {out.times * a.over, out.over * a.times};
  return out;
}

}  // namespace

bool find_unit(const std::string& quantity, const std::string& name, UnitScale& scale) {
  const Units& units = all_units().at(quantity);
  std::string key = tir_upper(name);
  auto found = units.find(key);
  if (found == units.end() && key.ends_with('S')) {  // plural
    key.pop_back();
    found = units.find(key);
  }
  if (found == units.end()) return false;
  scale = found->second;
  return true;
}

std::vector<std::string> unit_names(const std::string& quantity) {
  std::vector<std::string> out;
  for (const auto& [name, scale] : all_units().at(quantity)) out.push_back(name);
  return out;
}

// "N m/rad" = force length / angle: words multiply, those after '/' divide, ^2 is a square.
UnitScale TirUnits::scale(std::string_view unit) const {
  static const std::map<std::string, std::pair<const char*, int>, std::less<>> symbols{
      {"m", {"LENGTH", 1}}, {"N", {"FORCE", 1}},   {"kg", {"MASS", 1}},
      {"s", {"TIME", 1}},   {"rad", {"ANGLE", 1}}, {"Hz", {"TIME", -1}}};
  if (unit == "Pa" && !has_pressure) return scale("N/m^2");
  if (unit == "Pa") return base.at("PRESSURE");
  UnitScale out;
  int sign = 1;
  while (!unit.empty()) {
    const std::size_t end = std::min(unit.find_first_of(" /"), unit.size());
    std::string_view word = unit.substr(0, end);
    int n = sign;
    if (word.ends_with("^2")) {
      n *= 2;
      word.remove_suffix(2);
    }
    if (const auto symbol = symbols.find(word); symbol != symbols.end())
      if (const auto factor = base.find(symbol->second.first); factor != base.end()) {
        const UnitScale part = power(factor->second, n * symbol->second.second);
        out = {out.times * part.times, out.over * part.over};
      }
    if (end < unit.size() && unit[end] == '/') sign = -1;
    unit.remove_prefix(std::min(end + 1, unit.size()));
  }
  return out;
}

}  // namespace vdsim
