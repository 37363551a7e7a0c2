// SPDX-License-Identifier: Apache-2.0
// Drag and side force at the CG, lift at the axles. docs/theory/04_bicycle.md.
#pragma once
#include "vdsim/core/math/real.hpp"

namespace vdsim {

inline constexpr double kAirDensity = 1.225;  // [kg/m^3]

template <class R> struct AeroParams {
  R drag, lift_front, lift_rear;  // rho c A/2 [kg/m]
  R side, rise_front, rise_rear;  // the same of side force, and of the lift that a cross flow adds
  R yaw, mid;                     // rho c A L/2 [kg]; middle of the wheelbase ahead of the CG [m]
};
template <class R> struct AeroOut {
  R Fx;                     // along body x [N]
  R down_front, down_rear;  // onto the axles [N]
  R Fy, Mz;                 // in wind: to the left [N], about the CG [N m]
};
// [T04.3]  F = -rho/2 c_d A vx |vx|,  N_axle = rho/2 c_l A vx^2
template <class R> VD_FN AeroOut<R> aero(const AeroParams<R>& p, R vx) {
  return {-p.drag * vx * abs(vx), p.lift_front * vx * vx, p.lift_rear * vx * vx, R(0.0), R(0.0)};
}
// [T04.6]  (ux, uy): velocity of the car through the air, body axes
template <class R> VD_FN AeroOut<R> aero_in_wind(const AeroParams<R>& p, R ux, R uy) {
  const R U = sqrt(ux * ux + uy * uy), Fy = -p.side * U * uy, xx = ux * ux, yy = uy * uy;
  return {-p.drag * U * ux, p.lift_front * xx - p.rise_front * yy, p.lift_rear * xx - p.rise_rear * yy, Fy,
          p.mid * Fy - p.yaw * ux * uy};
}

}  // namespace vdsim
