// SPDX-License-Identifier: Apache-2.0
// Measured steady points of a tire, from CSV or TYDEX files. SI units, ISO 8855: Fx rises with kappa, Fy falls with alpha.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "vdsim/engine/errors.hpp"

namespace vdsim {

struct FitPoint {
  double fz, kappa, alpha;                    // [N], [-], [rad]
  double gamma = 0, vx = 16.7, pressure = 0;  // [rad], [m/s], [Pa], 0 = the tire's own
  double fx = 0, fy = 0, mz = 0;              // measured [N], [N m]
};

struct FitData {
  std::vector<std::string> files;
  std::vector<FitPoint> points;
  bool has_mz = false, has_gamma = false, has_vx = false, has_pressure = false;  // columns given in every file
};

// Columns fz,kappa,alpha[,gamma,vx,pressure],fx,fy[,mz]; other columns of a CSV are refused.
std::optional<FitData> read_fit_csv(std::string_view text, const std::string& file, Errors&);
// TYDEX: constants and channels LONGSLIP, SLIPANGL, FZW, FXW, FYW (or H, C axes: FZH ...), INCLANGL, INFLPRES, MZW, speed.
// Units as the file names them. Other channels are skipped.
std::optional<FitData> read_fit_tydex(std::string_view text, const std::string& file, Errors&);

// Every file, as one set; .tdx by name, all else CSV.
std::optional<FitData> load_fit_data(const std::vector<std::string>& paths, Errors&);

// What a fit needs: enough points, both directions excited, signs as above. One error per fault.
void check_fit_data(const FitData&, Errors&);

}  // namespace vdsim
