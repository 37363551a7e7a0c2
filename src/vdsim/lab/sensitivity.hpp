// SPDX-License-Identifier: Apache-2.0
// How much the results of a run change with the numbers of its car, road and manoeuvre. docs/theory/33_derivatives.md, section 5.
#pragma once
#include <string>
#include <vector>

#include "vdsim/config/catalog.hpp"
#include "vdsim/study/advance.hpp"
#include "vdsim/study/maneuver/plan.hpp"

namespace vdsim {

struct SensitivityQuestion {
  std::string name;  // of a manoeuvre (a metric of it is asked for) or of a scene with one car (a signal, at its end)
  ManeuverChanges changes;       // of both; the level of a scene: by a set
  std::vector<std::string> wrt;  // PATH of --set, PATH[i] of a list (first: 1), a parameter of the manoeuvre
  std::vector<std::string> of;   // none: all metrics; of a scene: needed
  double step = 1e-3;            // of differences: share of the value, of one that is 0 of 1
};

struct SensitiveNumber {
  std::string path, unit;
  double value;
};
struct SensitiveResult {
  std::string name, unit, meaning;
  double value;
};
// d(result)/d(number), SI.
struct Derivative {
  double value;
  double error;     // estimated
  bool kink;        // both sides differ by more than that: there is no derivative, this is the mean of both
  std::string how;  // "exact", "differences", "one-sided differences"
};
struct Sensitivity {
  std::string title, level;
  std::vector<SensitiveNumber> wrt;
  std::vector<SensitiveResult> of;
  std::vector<std::vector<Derivative>> at;  // at[i][k]: of result i with respect to number k
  std::vector<std::string> notes;
  // Share of the result that 1 % of the number makes, in percent; NaN where the result is 0.
  double elasticity(std::size_t result, std::size_t number) const;
  // Change of the result where the number grows by a tenth, or by 1 of its unit where it is 0.
  double swing(std::size_t result, std::size_t number) const;
};

// Throws BadInput with every fault: unknown paths and metrics, numbers that cannot be moved by themselves.
Sensitivity sensitivity(const Catalog&, const SensitivityQuestion&, const RunControl& = {});

std::string sensitivity_text(const Sensitivity&);  // tables
std::string sensitivity_json(const Sensitivity&);
std::string tornado_svg(const Sensitivity&, std::size_t result);  // one bar per number, the largest on top
std::string sensitivity_page(const Sensitivity&);

}  // namespace vdsim
