// SPDX-License-Identifier: Apache-2.0
// What stands above the rows of a run.
#pragma once
#include <string>

#include "vdsim/config/scenario.hpp"
#include "vdsim/formats/table_writer.hpp"

namespace vdsim {

TableHead run_head(const Scenario&, const CarSpec&, const std::string& hash);
int row_time_digits(const Scenario&);  // that tell the times of its rows apart

}  // namespace vdsim
