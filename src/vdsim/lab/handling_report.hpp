// SPDX-License-Identifier: Apache-2.0
// The handling of a car as text, JSON, CSV and blocks of a report.
#pragma once
#include <string>
#include <vector>

#include "vdsim/lab/handling.hpp"
#include "vdsim/report/report.hpp"

namespace vdsim {

struct HandlingTitle {
  std::string vehicle, tire;  // as they were asked for; tire may be empty
  Level level = Level::L2;
  double mu = 1, wheelbase = 0;  // [-], [m]
};

std::string handling_text(const HandlingTitle&, const Handling&);
std::string handling_json(const HandlingTitle&, const Handling&);  // numbers that do not exist are null
std::string handling_csv(const HandlingTitle&, const Handling&);   // points of both diagrams
std::vector<ReportBlock> handling_blocks(const HandlingTitle&, const Handling&);

}  // namespace vdsim
