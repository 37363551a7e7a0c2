// SPDX-License-Identifier: Apache-2.0
// What a fit leaves behind: a tire part, a table, a picture of the residuals.
#pragma once
#include <string>
#include <vector>

#include "vdsim/formats/svg_chart.hpp"
#include "vdsim/lab/fit/fit.hpp"

namespace vdsim {

struct FitFiles {
  std::string part, tir;  // texts; tir is empty unless the part refers to a .tir file
};
// `output`: path of the part; a .tir stands beside it under the same name.
FitFiles fit_files(const FitModel&, const FitData&, const FitResult&, const std::string& output);
std::string fit_tir_path(const std::string& output);

// Head first: parameter, unit, start, fitted, standard error, note; then channel, noise, rms, peak, ...
std::vector<std::vector<std::string>> parameter_table(const FitResult&);
std::vector<std::vector<std::string>> channel_table(const FitResult&);
std::string fit_summary(const FitModel&, const FitData&, const FitResult&);  // for a terminal

// Measured points, fitted curve and residuals of each channel.
Figure fit_figure(const FitModel&, const FitData&, const FitResult&);

}  // namespace vdsim
