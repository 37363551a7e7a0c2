// SPDX-License-Identifier: Apache-2.0
// Wheel loads from the contact forces: a rigid body on four (or two) springs without travel.
// Input is the contact force per mass ("felt" acceleration), so that gravity on a slope shifts load correctly.
// docs/theory/05_seven_dof.md.
#pragma once
#include "vdsim/core/math/real.hpp"

namespace vdsim {

template <class R> struct LoadParams {
  R front_share, rear_share;  // b/L, a/L
  R m, h_over_L;              // mass [kg]; CG height / wheelbase
  R kF, kR;                   // load moved across an axle per lateral acceleration [kg]; kF Tf + kR Tr = m h
  R Tf, Tr, inv_Tf, inv_Tr;   // tracks [m]
};

// [T05.1]  N_f = m g_n b/L + lift_f - m ax h/L, kept within [0, N]: an axle in the air carries nothing, the other one all.
template <class R> struct AxleLoads { R front, rear; };
template <class R> VD_FN AxleLoads<R> axle_loads(const LoadParams<R>& p, R gn, R lift_f, R lift_r, R ax) {
  const R weight = p.m * gn, N = max(weight + lift_f + lift_r, R(0.0));
  const R front = clamp(weight * p.front_share + lift_f - p.m * ax * p.h_over_L, R(0.0), N);
  return {front, N - front};
}

// [T05.2]  d_F = k_F ay, d_R = k_R ay move from left to right; a lifted inner wheel carries 0 and its share of the roll
// moment k_F Tf + k_R Tr goes to the other axle, as far as that one can take it.
template <class R> VD_FN void wheel_loads(const LoadParams<R>& p, const AxleLoads<R>& N, R ay, R Fz[4]) {
  const R half_f = R(0.5) * N.front, half_r = R(0.5) * N.rear;
  const R moment = ay * (p.kF * p.Tf + p.kR * p.Tr);
  const R dF1 = clamp(p.kF * ay, -half_f, half_f);
  const R dR = clamp((moment - dF1 * p.Tf) * p.inv_Tr, -half_r, half_r);
  const R dF = clamp((moment - dR * p.Tr) * p.inv_Tf, -half_f, half_f);
  Fz[0] = half_f - dF;
  Fz[1] = half_f + dF;
  Fz[2] = half_r - dR;
  Fz[3] = half_r + dR;
}

}  // namespace vdsim
