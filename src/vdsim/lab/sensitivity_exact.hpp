// SPDX-License-Identifier: Apache-2.0
// Exact derivatives of the metrics of a manoeuvre whose commands do not depend on the number: the motion in duals. docs/theory/33_derivatives.md
#pragma once
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "vdsim/study/maneuver/maneuver_run.hpp"

namespace vdsim {

// The manoeuvre with one number moved by -2h, -h, h, 2h.
struct MovedPlans {
  std::array<ManeuverPlan, 4> at;
  double h;
};
struct ExactSlope {
  double value, error;  // NaN: this metric has none by this way
};

// Why there are no exact derivatives of this manoeuvre; "" = there are.
std::string no_exact_slopes(const ManeuverPlan&);
// The commands of the run are the same, to the bit, on both sides of the number.
bool same_commands(const ManeuverPlan&, const MovedPlans&);
// Of every metric, by number; numbers that have same_commands(). Throws BadInput.
std::vector<std::vector<ExactSlope>> exact_slopes(const ManeuverPlan&, const std::vector<MovedPlans>&);

}  // namespace vdsim
