// SPDX-License-Identifier: Apache-2.0
// Road-wheel angles from the angle of the equivalent single track. docs/theory/05_seven_dof.md.
#pragma once
#include "vdsim/core/math/real.hpp"

namespace vdsim {

// One steered wheel: direction of its plane and how fast it turns against the body.
template <class R> struct WheelAngle {
  R c, s;  // cos, sin of the road-wheel angle
  R rate;  // [rad/s]
};

// [T05.4]  tan d_i = tan d/(1 - y_i tan d/L), mixed with the parallel angle: d + p (d_i - d), p = ackerman_percent/100
// y: left position of the wheel [m]; inv_L: 1/wheelbase; rate: of the single-track angle.
template <class R> VD_FN WheelAngle<R> ackermann(R delta, R rate, R y, R inv_L, R percent) {
  const R t = tan(delta), q = R(1.0) - y * t * inv_L;
  const R turned = delta + percent * (atan(t / q) - delta);
  WheelAngle<R> o;
  sincos(turned, o.s, o.c);
  o.rate = rate * (R(1.0) + percent * ((R(1.0) + t * t) / (q * q + t * t) - R(1.0)));
  return o;
}

}  // namespace vdsim
