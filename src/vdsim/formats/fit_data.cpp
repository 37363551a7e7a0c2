// SPDX-License-Identifier: Apache-2.0
#include "vdsim/formats/fit_data.hpp"

#include <fmt/core.h>
#include <strings.h>

#include <algorithm>
#include <cmath>

#include "vdsim/formats/table_read.hpp"

namespace vdsim {
namespace {

constexpr std::size_t kFewest = 30;                       // points in all
constexpr double kLeastKappa = 0.03, kLeastAlpha = 0.03;  // slip that must be passed for a curve to show [-], [rad]
constexpr std::size_t kFewestSlipping = 8;                // points beyond it

bool is_tydex(const std::string& path) {
  return path.size() > 4 && ::strcasecmp(path.c_str() + path.size() - 4, ".tdx") == 0;
}

std::string names_of(const FitData& data) {
  std::string out;
  for (const std::string& file : data.files) out += (out.empty() ? "" : ", ") + file;
  return out;
}

void append(FitData& all, FitData more) {
  if (all.files.empty()) {
    all = std::move(more);
    return;
  }
  all.files.insert(all.files.end(), more.files.begin(), more.files.end());
  all.points.insert(all.points.end(), more.points.begin(), more.points.end());
  all.has_mz &= more.has_mz;
  all.has_gamma |= more.has_gamma;
  all.has_vx |= more.has_vx;
  all.has_pressure |= more.has_pressure;
}

// Slope of the force over the slip where the slip is small against what is covered: the sign tells the convention.
double slope(const FitData& data, double FitPoint::*slip, double FitPoint::*force, double most) {
  double sum = 0;
  for (const FitPoint& p : data.points)
    if (std::abs(p.*slip) < most) sum += p.*slip * p.*force / std::max(p.fz, 1.0);
  return sum;
}

}  // namespace

std::optional<FitData> read_fit_csv(std::string_view text, const std::string& file, Errors& errors) {
  const ColumnRules rules{{"fz", "N", at_least(0)},
                          {"kappa", "-", between(-10, 10)},
                          {"alpha", "rad", between(-1.6, 1.6)},
                          optional_column("gamma", "rad", between(-1.6, 1.6)),
                          optional_column("vx", "m/s", above(0)),
                          optional_column("pressure", "Pa", above(0)),
                          {"fx", "N"},
                          {"fy", "N"},
                          optional_column("mz", "N m")};
  const auto table = read_table(text, file, rules, errors);
  if (!table) return std::nullopt;
  FitData out;
  out.files = {file};
  out.has_mz = table->has("mz");
  out.has_gamma = table->has("gamma");
  out.has_vx = table->has("vx");
  out.has_pressure = table->has("pressure");
  for (std::size_t i = 0; i < table->rows(); ++i)
    out.points.push_back({table->at("fz", i, 0), table->at("kappa", i, 0), table->at("alpha", i, 0),
                          table->at("gamma", i, 0), table->at("vx", i, 16.7), table->at("pressure", i, 0),
                          table->at("fx", i, 0), table->at("fy", i, 0), table->at("mz", i, 0)});
  return out;
}

std::optional<FitData> load_fit_data(const std::vector<std::string>& paths, Errors& errors) {
  const std::size_t before = errors.size();
  FitData all;
  for (const std::string& path : paths) {
    const auto text = read_data(path, {"--data " + path, 0, 0}, errors);
    if (!text) continue;
    auto data = is_tydex(path) ? read_fit_tydex(*text, path, errors) : read_fit_csv(*text, path, errors);
    if (data) append(all, std::move(*data));
  }
  if (errors.size() != before) return std::nullopt;
  // a tire in the air says nothing about its coefficients
  std::erase_if(all.points, [](const FitPoint& p) { return p.fz <= 0; });
  return all;
}

void check_fit_data(const FitData& data, Errors& errors) {
  const Place place{names_of(data), 0, 0};
  if (data.points.size() < kFewest) {
    errors.add(place, "", fmt::format("{} points under load, a fit needs at least {}", data.points.size(), kFewest));
    return;
  }
  const auto direction = [&](const char* name, const char* unit, double FitPoint::*slip, double least,
                             double FitPoint::*force, const char* force_name, double sign) {
    const auto beyond = static_cast<std::size_t>(std::count_if(
        data.points.begin(), data.points.end(), [&](const FitPoint& p) { return std::abs(p.*slip) > least; }));
    if (beyond < kFewestSlipping) {
      errors.add(place, name,
                 fmt::format("{} points beyond {}{}, at least {} are needed to see {} saturate", beyond, least, unit,
                             kFewestSlipping, force_name));
    } else if (sign * slope(data, slip, force, 4 * least) < 0) {
      errors.add(
          place, force_name,
          fmt::format("{} {} with {}: expected the signs of ISO 8855, Fx > 0 for kappa > 0 and Fy < 0 for alpha > 0",
                      force_name, sign > 0 ? "falls" : "rises", name));
    }
  };
  direction("kappa", "", &FitPoint::kappa, kLeastKappa, &FitPoint::fx, "fx", 1);
  direction("alpha", " rad", &FitPoint::alpha, kLeastAlpha, &FitPoint::fy, "fy", -1);
}

}  // namespace vdsim
