// SPDX-License-Identifier: Apache-2.0
// The low-speed comparison as text, JSON and blocks of a report.
#pragma once
#include <string>
#include <vector>

#include "vdsim/lab/low_speed_comparison.hpp"
#include "vdsim/report/report.hpp"

namespace vdsim {

std::string low_speed_table(const LowSpeedComparison&);  // plain text
std::string low_speed_json(const LowSpeedComparison&, const std::vector<std::string>& files);
std::vector<ReportBlock> low_speed_report(const LowSpeedComparison&);

}  // namespace vdsim
