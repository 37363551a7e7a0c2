// SPDX-License-Identifier: Apache-2.0
// Traction control: reduces throttle when the driven wheels spin, and brakes those that spin faster than the others.
// docs/theory/14_brakes_and_control.md.
#pragma once
#include "vdsim/core/brake/peak_search.hpp"
#include "vdsim/core/brake/speed.hpp"
#include "vdsim/core/control/control_spec.hpp"

namespace vdsim {

inline constexpr double kMostDriveSlip = 0.6;                 // the search goes no farther
inline constexpr double kDriveSearch = 1, kDriveDrop = 0.02;  // relative change of the target [1/s], loss at its turn

template <class R> struct TractionParams {
  R slip;                    // allowed [-]
  R gain, damping, recover;  // [1/s], [-], [1/s]
  R brake_gain, most;        // [s/m], share of the full brake torque
  R driven[2];               // 1: the axle is driven
  SearchParams<R> search;    // of the slip with the most acceleration
};

// Drive slip of one wheel beyond what is allowed; below 3 m/s the speed difference counts as at 3 m/s.
template <class R> VD_FN R excess_slip(const TractionParams<R>& p, const Sensed<R>& o, int i) {
  return (o.rim[i] - o.v) / max(o.v, R(3.0)) - p.slip;
}

// [T14.5]  q' = -k (s - s_max) while the driven wheels spin, +recover otherwise; throttle left = q - d (s - s_max)+.
// s is mostly the slip of the slowest driven wheel: the faster ones are for the brake.
// `left` is the integral q, 0..1; returns the throttle left.
template <class R>
VD_FN R traction_throttle(const TractionParams<R>& p, const Sensed<R>& o, PeakSearch<R>& search, R& left, R dt) {
  const R zero = R(0.0), one = R(1.0), none = R(1e9);
  R slow = none, fast = -none;
  for (int i = 0; i < 4; ++i) {
    const R s = excess_slip(p, o, i);
    const mask_t<R> driven = p.driven[i / 2] > zero;
    slow = select(driven, min(slow, s), slow);
    fast = select(driven, max(fast, s), fast);
  }
  R excess = select(slow < none, R(0.9) * slow + R(0.1) * fast, -one);
  // [T14.18]  where more slip accelerates the car more, more is allowed
  search_peak(p.search, search, excess + p.slip, o.force * R(1.0 / kGravity), left < one, mask_t<R>(true), dt);
  excess = excess - max(search.target - p.slip, zero);
  const mask_t<R> spins = excess > zero;
  left = clamp(left + dt * select(spins, -p.gain * excess, p.recover), zero, one);
  return clamp(left - p.damping * max(excess, zero), zero, one);
}

// [T14.6]  Share of the brake on a driven wheel that is faster than the slowest of the others: k (difference - allowed),
// 0..most.
template <class R> VD_FN R traction_brake(const TractionParams<R>& p, const Sensed<R>& o, int i) {
  const R allowed = p.slip * max(o.v, R(3.0));
  R slow = R(1e9);
  for (int j = 0; j < 4; ++j)
    if (j != i) slow = select(p.driven[j / 2] > R(0.0), min(slow, o.rim[j]), slow);
  const R ahead = min(o.rim[i] - slow, o.rim[i] - o.v) - allowed;
  return p.driven[i / 2] * clamp(p.brake_gain * ahead, R(0.0), p.most);
}

inline TractionParams<double> compile_traction(const TcSpec& s, const double share[2]) {
  return {s.slip,
          s.gain,
          s.damping,
          s.recover,
          s.brake_gain,
          s.max_brake,
          {share[0] > 0 ? 1.0 : 0.0, share[1] > 0 ? 1.0 : 0.0},
          {s.slip, kMostDriveSlip, kDriveSearch, kDriveDrop}};
}

}  // namespace vdsim
