// Drag at the CG, lift at the axles. docs/theory/04_bicycle.md.
#pragma once
#include "vdsim/core/math/real.hpp"

namespace vdsim {

inline constexpr double kAirDensity = 1.225;  // [kg/m^3]

template <class R> struct AeroParams {
  R drag, lift_front, lift_rear;  // rho c A/2 [kg/m]
};
template <class R> struct AeroOut {
  R Fx;                     // along body x [N]
  R down_front, down_rear;  // onto the axles [N]
};
// [T04.3]  F = -rho/2 c_d A vx |vx|,  N_axle = rho/2 c_l A vx^2
template <class R> VD_FN AeroOut<R> aero(const AeroParams<R>& p, R vx) {
  return {-p.drag * vx * abs(vx), p.lift_front * vx * vx, p.lift_rear * vx * vx};
}

}  // namespace vdsim
