// SPDX-License-Identifier: Apache-2.0
#include "vdsim/formats/readable.hpp"

#include <fmt/core.h>

#include <cmath>
#include <numbers>

#include "vdsim/core/math/real.hpp"
#include "vdsim/engine/reflect.hpp"

namespace vdsim {
namespace {

constexpr double kNoise = 1e-9;  // of any quantity in SI: rounding of a run
constexpr double kDegrees = 180 / std::numbers::pi;

}  // namespace

ReadableUnit readable_unit(std::string_view si) {
  static const struct {
    const char *si, *unit;
    double factor;
  } kUnits[] = {{"m/s", "km/h", 3.6},
                {"rad", "deg", kDegrees},
                {"rad/s", "deg/s", kDegrees},
                {"rad s^2/m", "deg/g", kDegrees * kGravity},
                {"N", "kN", 1e-3},
                {"J", "kJ", 1e-3},
                {"W", "kW", 1e-3},
                {"Pa", "kPa", 1e-3}};
  for (const auto& each : kUnits)
    if (si == each.si) return {each.unit, each.factor};
  return {std::string(si), 1};
}

ReadableUnit readable_column_unit(std::string_view column, std::string_view si) {
  if (si == "rad/s" && column == "engine") return {"rpm", 30 / std::numbers::pi};
  if (si == "rad/s" && column.starts_with("omega")) return {"rad/s", 1};
  return readable_unit(si);
}

std::string readable_number(double x, int digits) {
  if (!std::isfinite(x)) return "–";
  if (std::abs(x) < kNoise) return "0";
  if (x == std::round(x) && std::abs(x) < 1e9) return fmt::format("{:.0f}", x);
  return fmt::format("{:.{}g}", x, digits);
}

std::string readable_value(double value, const ReadableUnit& to, int digits) {
  return readable_number(std::abs(value) < kNoise ? 0 : value * to.factor, digits);
}
std::string readable_value(double value, std::string_view si, int digits) {
  return readable_value(value, readable_unit(si), digits);
}

std::string readable(double value, std::string_view si, int digits) {
  return readable_value(value, si, digits) + unit_after(readable_unit(si).unit);
}

std::string in_both_units(double value, std::string_view si, int digits) {
  if (!std::isfinite(value)) return "–";
  std::string out = readable_number(value, digits) + unit_after(si);
  if (readable_unit(si).unit != si) out += " (" + readable(value, si, digits) + ")";
  return out;
}

}  // namespace vdsim
