// SPDX-License-Identifier: Apache-2.0
// Runs for charts over time: long ones with fewer rows, but with every peak.
#pragma once
#include <string>
#include <vector>

#include "vdsim/report/run_folder.hpp"

namespace vdsim {

// Each column by itself, as keep_extremes() does: values of one row need not be of one time. What charts derive from several
// columns (side slip, utilisation) is therefore among them, made of all rows.
std::vector<RunFolder> thinned(const std::vector<RunFolder>&);
// What a reader of the charts should know of it; "" if all rows are there.
std::string thinning_text(const std::vector<RunFolder>& all, const std::vector<RunFolder>& shown);

}  // namespace vdsim
