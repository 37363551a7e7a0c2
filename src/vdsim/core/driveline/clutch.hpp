// SPDX-License-Identifier: Apache-2.0
// Automatic clutch between engine and gearbox: dry friction whose capacity grows with the speed of the engine.
// docs/theory/13_powertrain.md.
#pragma once
#include "vdsim/core/driveline/engine.hpp"

namespace vdsim {

template <class R> struct ClutchParams {
  R capacity;        // fully closed [N m]
  R open, inv_span;  // engine speed at which it begins to close [rad/s], 1/(speed from there to fully closed)
  R close_rate;      // after a shift [1/s]
};
template <class R> struct ClutchState {
  R closed;  // 0 open .. 1 closed by the actuator
  R locked;  // 1: both sides turned as one in the last step

  static constexpr auto fields() {
    using S = ClutchState;
    return std::tuple{field("closed", &S::closed, "-", any_finite(), "0 open, 1 closed by the actuator"),
                      field("locked", &S::locked, "-", any_finite(), "1: both sides turn as one")};
  }
};
VD_COMPLETE(ClutchState<double>);

// [T13.5]  cap = c C clamp((w - w_idle)/(w_launch - w_idle), 0, 1): it opens at idle, so the engine cannot stall.
template <class R> VD_FN R clutch_capacity(const ClutchParams<R>& p, R closed, R w) {
  return closed * p.capacity * clamp((w - p.open) * p.inv_span, R(0.0), R(1.0));
}

// Stick or slip over one step, decided at its start.
template <class R> struct ClutchGrip {
  mask_t<R> lock;
  R direction;  // of the friction on the gearbox, 0 if locked or open
  R kick;       // momentum that the engine brings along when it locks [N m s]
};

// [T13.6]  To turn as one from now on, the clutch must carry T_e - I_e w_in' and, within the step, take the
// slip away:
// need = T_e - I_e w_in' + I_e (w_e - w_in)/h.  Locked if cap can do that; else friction slips in the
// direction of need.
// need0: T_e - I_e w_in' [N m]; w: engine speed, w_in: gearbox input [rad/s]; in_gear: a gear is engaged.
template <class R> VD_FN ClutchGrip<R> decide_clutch(const ClutchParams<R>& p, const ClutchState<R>& s,
                                                     mask_t<R> in_gear, R w, R w_in, R need0, R inertia, R h) {
  const R zero = R(0.0), kick = inertia * (w - w_in), need = need0 + kick / h;
  ClutchGrip<R> g;
  g.lock = in_gear & (s.closed > zero) & (abs(need) <= clutch_capacity(p, s.closed, w_in));
  g.direction = select(g.lock | !in_gear, zero, sign(need));
  g.kick = select(g.lock, kick, zero);
  return g;
}

inline ClutchParams<double> compile_clutch(const PowertrainSpec& s) {
  const double idle = s.engine.idle_rpm * kRpm;
  return {s.clutch.capacity, idle, 1 / (s.clutch.launch_rpm * kRpm - idle), 1 / s.clutch.engage_time};
}

}  // namespace vdsim
