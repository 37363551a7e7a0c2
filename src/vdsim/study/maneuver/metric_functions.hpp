// SPDX-License-Identifier: Apache-2.0
// The functions a metric may call on a recording: signal_metrics.hpp under the names of the language.
#pragma once
#include "vdsim/config/expression.hpp"

namespace vdsim {

const std::vector<Reducer>& metric_functions();

}  // namespace vdsim
