// SPDX-License-Identifier: Apache-2.0
// Points at which `vdsim tire eval` asks for the steady law of a tire.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "vdsim/engine/steady_tire.hpp"
#include "vdsim/formats/table_read.hpp"

namespace vdsim {

// Rows of fz,kappa,alpha[,gamma,phit,vx,pressure,omega,mu]. A .tir is defined for any slip angle, and with limits for any
// load (none below 0); other tires for |alpha| < pi/2.
struct SteadyTable {
  DataTable given;  // as read
  std::vector<SteadyPoint> points;
};
std::optional<SteadyTable> read_steady_points(std::string_view text, const std::string& file, const TireSpec&,
                                              const EvalOptions&, Errors&);
// 1 or 2 in each of three digits, else an error.
bool check_use_mode(int use_mode, Errors&);

}  // namespace vdsim
