// SPDX-License-Identifier: Apache-2.0
// One picture of one or several tires: pure slip curves, aligning moment, combined envelope, response to a step.
#pragma once
#include <string>
#include <vector>

#include "vdsim/core/vehicle/spec.hpp"
#include "vdsim/formats/svg_chart.hpp"

namespace vdsim {

struct PlotTire {
  std::string name;
  TireSpec spec;
};

struct TirePlotOptions {
  std::vector<double> loads{2000, 4000, 6000};                  // [N]
  double mu = 1;                                                // road friction factor
  double speed = 20;                                            // [m/s]
  double largest_kappa = 1;                                     // range of the curves [-]
  double largest_alpha = 0.45;                                  // [rad]
  double step_alpha = 0.017453292519943295, step_distance = 3;  // slip angle applied at once, 1 deg [rad]; shown [m]
};

// Panels: Fx(kappa), Fy(alpha), Mz(alpha), the outline of all (Fx, Fy), Fy over the distance after a step of the slip angle.
Figure tire_figure(const std::vector<PlotTire>&, const TirePlotOptions&);

}  // namespace vdsim
