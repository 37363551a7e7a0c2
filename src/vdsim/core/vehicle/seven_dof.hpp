// SPDX-License-Identifier: Apache-2.0
// L2 seven_dof: x, y, psi and four wheels; load moves along and across the car. docs/theory/05_seven_dof.md.
#pragma once
#include "vdsim/core/vehicle/model.hpp"

namespace vdsim {

template <class R, class Laws>
VD_FN void vertical_loads(const Model<R, Level::L2, Laws>& m, R gn, const AeroOut<R>& air, R ax, R ay, R Fz[4]) {
  wheel_loads(m.p.load, axle_loads(m.p.load, gn, air.down_front, air.down_rear, ax), ay, Fz);
}

}  // namespace vdsim
