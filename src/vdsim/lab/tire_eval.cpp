// SPDX-License-Identifier: Apache-2.0
#include "vdsim/lab/tire_eval.hpp"

#include <fmt/core.h>

#include "vdsim/core/tire/mf_tyre.hpp"
#include "vdsim/lab/rig.hpp"

namespace vdsim {

std::optional<SteadyTable> read_steady_points(std::string_view text, const std::string& file, const TireSpec& spec,
                                              const EvalOptions& options, Errors& errors) {
  const bool tir = is_tir(spec), limits = tir && tir_mode(options.use_mode).limits;
  const Range angle = tir ? any_finite() : kTireAngle;
  const ColumnRules rules{{"fz", "N", limits ? any_finite() : at_least(0)},
                          {"kappa", "-"},
                          {"alpha", "rad", angle},
                          optional_column("gamma", "rad", angle),
                          optional_column("phit", "1/m"),
                          optional_column("vx", "m/s"),
                          optional_column("pressure", "Pa", above(0)),
                          optional_column("omega", "rad/s"),
                          optional_column("mu", "-", at_least(0))};
  auto table = read_table(text, file, rules, errors);
  if (!table) return std::nullopt;
  std::vector<SteadyPoint> out(table->rows());
  for (std::size_t i = 0; i < out.size(); ++i) {
    SteadyPoint& at = out[i];
    at.fz = table->at("fz", i, 0);
    at.kappa = table->at("kappa", i, 0);
    at.alpha = table->at("alpha", i, 0);
    at.gamma = table->at("gamma", i, 0);
    at.phit = table->at("phit", i, 0);
    at.mu = table->at("mu", i, 1);
    if (table->has("vx")) at.vx = table->at("vx", i, 0);
    if (table->has("pressure")) at.pressure = table->at("pressure", i, 0);
    if (table->has("omega")) at.omega = table->at("omega", i, 0);
  }
  return SteadyTable{std::move(*table), std::move(out)};
}

bool check_use_mode(int use_mode, Errors& errors) {
  for (int digits = use_mode, i = 0; i < 3; ++i, digits /= 10)
    if (use_mode < 100 || use_mode > 999 || digits % 10 < 1 || digits % 10 > 2) {
      errors.add({fmt::format("--use-mode {}", use_mode), 0, 0}, "", "expected three digits, each 1 or 2, such as 211");
      return false;
    }
  return true;
}

}  // namespace vdsim
