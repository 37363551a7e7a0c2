// SPDX-License-Identifier: Apache-2.0
// Electric motor: constant torque, then constant power, then its top speed. docs/theory/13_powertrain.md.
#pragma once
#include "vdsim/core/driveline/engine.hpp"

namespace vdsim {

template <class R> struct MotorParams {
  R power;       // [W]
  R corner;      // speed where torque x speed reaches it [rad/s]
  R top;         // largest speed [rad/s]
  R ratio;       // motor speed / axle speed
  R efficiency;  // of the gears
  R inertia;     // [kg m^2]
  R regen;       // share of the torque that may brake
};

// [T13.3]  P/m(w), m = max(w, w_c) with a parabola over w_c +- 10 %: C1; times a fade over the last 5 % of the speed.
// w >= 0 at the motor; the torque of full throttle.
template <class R> VD_FN TorqueAt<R> motor_torque(const MotorParams<R>& p, R w) {
  const R d = R(0.1) * p.corner, x = w - p.corner, inv_d = R(1.0) / d;
  const mask_t<R> near_corner = abs(x) < d;
  const R m = select(near_corner, R(0.5) * (w + p.corner) + R(0.25) * (x * x + d * d) * inv_d, max(w, p.corner));
  const R dm = select(near_corner, R(0.5) + R(0.5) * x * inv_d, select(x > R(0.0), R(1.0), R(0.0)));
  const R T = p.power / m, dT = -T * dm / m, span = R(0.05) * p.top, inv = R(1.0) / span;
  const TorqueAt<R> end = ease((w - (p.top - span)) * inv);
  return {T * (R(1.0) - end.T), dT * (R(1.0) - end.T) - T * end.dT * inv};
}

inline MotorParams<double> compile_motor(const MotorSpec& s) {
  return {s.max_power, s.max_power / s.max_torque, s.max_rpm * kRpm, s.ratio, s.efficiency, s.inertia, s.regen};
}

}  // namespace vdsim
