// SPDX-License-Identifier: Apache-2.0
// Torque vectoring: a torque from the wheel on one side to the one on the other, against the error of the yaw rate.
// docs/theory/14_brakes_and_control.md.
#pragma once
#include "vdsim/core/control/control_spec.hpp"
#include "vdsim/core/math/real.hpp"

namespace vdsim {

template <class R> struct VectoringParams {
  R gain;      // [N m s/rad]
  R most;      // at one wheel, both axles together [N m]
  R share[2];  // of the axles
};

// [T14.8]  dT = clamp(k (r_ref - r), -T_max, T_max): left wheels -dT, right wheels +dT; their sum is zero
template <class R> VD_FN R vectoring_torque(const VectoringParams<R>& p, R r_ref, R r) {
  return clamp(p.gain * (r_ref - r), -p.most, p.most);
}

inline VectoringParams<double> compile_vectoring(const VectoringSpec& s) {
  return {s.gain, s.max_torque, {s.front_share, 1 - s.front_share}};
}

}  // namespace vdsim
