// L2 seven_dof: x, y, psi and four wheels; load moves along and across the car. docs/theory/05_seven_dof.md.
#pragma once
#include "vdsim/vehicle/model.hpp"

namespace vdsim {

template <class R> VD_FN void vertical_loads(const Model<R, 4>& m, const AeroOut<R>& air, R ax, R ay, R Fz[4]) {
  wheel_loads(m.p.load, axle_loads(m.p.load, m.p.road.gn, air.down_front, air.down_rear, ax), ay, Fz);
}

}  // namespace vdsim
