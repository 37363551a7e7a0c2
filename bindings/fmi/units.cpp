// SPDX-License-Identifier: Apache-2.0
#include "bindings/fmi/units.hpp"

#include <cmath>
#include <numbers>

#include "bindings/fmi/xml.hpp"

namespace vdsim::fmi {
namespace {

struct Known {
  const char* name;
  BaseUnit is;  // powers: kg m s A K mol cd rad
};
constexpr double kRpm = std::numbers::pi / 30;
constexpr Known kKnown[] = {{"kg", {{1}}},
                            {"m", {{0, 1}}},
                            {"s", {{0, 0, 1}}},
                            {"K", {{0, 0, 0, 0, 1}}},
                            {"rad", {{0, 0, 0, 0, 0, 0, 0, 1}}},
                            {"N", {{1, 1, -2}}},
                            {"J", {{1, 2, -2}}},
                            {"W", {{1, 2, -3}}},
                            {"Pa", {{1, -1, -2}}},
                            {"Hz", {{0, 0, -1}}},
                            {"rpm", {{0, 0, -1, 0, 0, 0, 0, 1}, kRpm}},
                            {"turn", {{0, 0, 0, 0, 0, 0, 0, 1}, 2 * std::numbers::pi}},
                            {"%", {{}, 0.01}},
                            {"1", {{}}},
                            {"1000", {{}, 1000}}};
constexpr DisplayUnit kDisplay[] = {{"rad", "deg", 180 / std::numbers::pi},
                                    {"rad/s", "deg/s", 180 / std::numbers::pi},
                                    {"rad/s", "1/min", 1 / kRpm},
                                    {"m/s", "km/h", 3.6},
                                    {"Pa", "bar", 1e-5},
                                    {"N", "kN", 1e-3},
                                    {"m", "m", 1},  // shown so: most are places on the road
                                    {"m", "mm", 1e3}};

// "m^2": the unit and its power, times `sign`
bool multiply(std::string_view word, int sign, BaseUnit& out) {
  const std::size_t hat = word.find('^');
  const int power = hat == std::string_view::npos ? 1 : word.size() == hat + 2 ? word[hat + 1] - '0' : 0;
  if (power < 1 || power > 9) return false;
  for (const Known& known : kKnown) {
    if (word.substr(0, hat) != known.name) continue;
    for (std::size_t i = 0; i < kBaseUnits.size(); ++i) out.power[i] += sign * power * known.is.power[i];
    out.factor *= std::pow(known.is.factor, sign * power);
    return true;
  }
  return false;
}

}  // namespace

std::optional<BaseUnit> base_unit(std::string_view unit) {
  BaseUnit out;
  if (unit == "degC") {
    out.power[4] = 1, out.offset = 273.15;
    return out;
  }
  int sign = 1;
  for (std::size_t from = 0; from <= unit.size();) {
    const std::size_t end = std::min(unit.find_first_of(" /", from), unit.size());
    if (!multiply(unit.substr(from, end - from), sign, out)) return std::nullopt;
    if (end < unit.size() && unit[end] == '/') {
      if (sign < 0) return std::nullopt;
      sign = -1;
    }
    from = end + 1;
  }
  return out;
}

std::vector<DisplayUnit> display_units(std::string_view unit) {
  std::vector<DisplayUnit> out;
  for (const DisplayUnit& each : kDisplay)
    if (unit == each.unit) out.push_back(each);
  return out;
}

std::string unit_definitions(const std::vector<std::string>& units) {
  std::string out = "  <UnitDefinitions>\n";
  for (const std::string& unit : units) {
    out += "    <Unit" + xml_attribute("name", unit) + ">\n";
    if (const auto base = base_unit(unit)) {
      out += "      <BaseUnit";
      for (std::size_t i = 0; i < kBaseUnits.size(); ++i)
        if (base->power[i] != 0) out += xml_attribute(kBaseUnits[i], std::to_string(base->power[i]));
      if (base->factor != 1) out += xml_number("factor", base->factor);
      if (base->offset != 0) out += xml_number("offset", base->offset);
      out += "/>\n";
    }
    for (const DisplayUnit& shown : display_units(unit))
      out += "      <DisplayUnit" + xml_attribute("name", shown.name) + xml_number("factor", shown.factor) + "/>\n";
    out += "    </Unit>\n";
  }
  return out + "  </UnitDefinitions>\n";
}

}  // namespace vdsim::fmi
