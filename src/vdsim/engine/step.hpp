// SPDX-License-Identifier: Apache-2.0
// The step of one car in double or float is compiled once per level: car_l1.cpp ... (double), batch/kernels_base.cpp (float).
// Who includes this calls that one, and does not compile the laws of every tire again.
#pragma once
#include "vdsim/core/integrate.hpp"

#define VDSIM_STEP(R, LV)                                                                                     \
  template Power<R> integrate(Integrator, const Model<R, Level::LV>&, State<R, Level::LV>&, const Inputs<R>&, \
                              const Inputs<R>&, R, PatchTire<R>*, const Actuation<R>*, Evaluation<R, Level::LV>*)

namespace vdsim {

extern VDSIM_STEP(double, L1);
extern VDSIM_STEP(double, L2);
extern VDSIM_STEP(double, L3);
extern VDSIM_STEP(double, L5);
extern VDSIM_STEP(float, L1);
extern VDSIM_STEP(float, L2);
extern VDSIM_STEP(float, L3);
extern VDSIM_STEP(float, L5);

}  // namespace vdsim
