// SPDX-License-Identifier: Apache-2.0
// Traction control: reduces throttle when driven wheels spin, and brakes the faster wheel of a driven axle.
// docs/theory/14_brakes_and_control.md.
#pragma once
#include "vdsim/core/brake/abs.hpp"

namespace vdsim {

template <class R> struct TractionParams {
  R slip;                    // allowed [-]
  R gain, damping, recover;  // [1/s], [-], [1/s]
  R brake_gain, most;        // [s/m], share of the full brake torque
  R driven[2];               // 1: the axle is driven
};

// Drive slip of one wheel beyond what is allowed; below 3 m/s the speed difference counts as at 3 m/s.
template <class R> VD_FN R excess_slip(const TractionParams<R>& p, const Sensed<R>& o, int i) {
  return p.driven[i / 2] * ((o.rim[i] - o.v) / max(o.v, R(3.0)) - p.slip);
}

// [T14.5]  q' = -k (s - s_max) while a driven axle spins, +recover otherwise; throttle left = q - d (s - s_max)+.
// s is mostly the slip of the slower wheel of the axle: the faster one is for the brake.
// `left` is the integral q, 0..1; returns the throttle left.
template <class R> VD_FN R traction_throttle(const TractionParams<R>& p, const Sensed<R>& o, R& left, R dt) {
  const R zero = R(0.0), one = R(1.0);
  R excess = -one;
  for (int a = 0; a < 2; ++a) {
    const R l = excess_slip(p, o, 2 * a), r = excess_slip(p, o, 2 * a + 1);
    excess = max(excess, select(p.driven[a] > zero, R(0.9) * min(l, r) + R(0.1) * max(l, r), -one));
  }
  const mask_t<R> spins = excess > zero;
  left = clamp(left + dt * select(spins, -p.gain * excess, p.recover), zero, one);
  return clamp(left - p.damping * max(excess, zero), zero, one);
}

// [T14.6]  Share of the brake on the faster wheel of a driven axle: k (difference - allowed), 0..most.
template <class R> VD_FN R traction_brake(const TractionParams<R>& p, const Sensed<R>& o, int i) {
  const int other = i ^ 1;
  const R allowed = p.slip * max(o.v, R(3.0));
  const R ahead = min(o.rim[i] - o.rim[other], o.rim[i] - o.v) - allowed;
  return p.driven[i / 2] * clamp(p.brake_gain * ahead, R(0.0), p.most);
}

inline TractionParams<double> compile_traction(const TcSpec& s, const double share[2]) {
  return {s.slip,
          s.gain,
          s.damping,
          s.recover,
          s.brake_gain,
          s.max_brake,
          {share[0] > 0 ? 1.0 : 0.0, share[1] > 0 ? 1.0 : 0.0}};
}

}  // namespace vdsim
