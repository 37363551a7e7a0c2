// SPDX-License-Identifier: Apache-2.0
// L1 bicycle: one wheel per axle on the centre line, at half the axle load, standing for two. docs/theory/04_bicycle.md.
#pragma once
#include "vdsim/core/vehicle/model.hpp"

namespace vdsim {

template <class R, class Laws>
VD_FN void vertical_loads(const Model<R, Level::L1, Laws>& m, R gn, const AeroOut<R>& air, R ax, R /*ay*/, R Fz[2]) {
  const AxleLoads<R> N = axle_loads(m.p.load, gn, air.down_front, air.down_rear, ax);
  Fz[0] = R(0.5) * N.front;
  Fz[1] = R(0.5) * N.rear;
}

}  // namespace vdsim
