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
  R locked;  // 0: slips; both sides turn as one: 1 since the last step, 2 for longer

  static constexpr auto fields() {
    using S = ClutchState;
    return std::tuple{
        field("closed", &S::closed, "-", any_finite(), "0 open, 1 closed by the actuator"),
        field("locked", &S::locked, "-", any_finite(), "0 slips; locked: 1 since the last step, 2 for longer")};
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

// The two sides at the start of a step.
template <class R> struct ClutchSides {
  R w, w_in;  // engine, gearbox input [rad/s]
  R need;     // T_e - I_e w_in' [N m], w_in' that of the last step
  R inertia;  // I_e [kg m^2]
  R lighter;  // i^2 I_e / J: how much lighter than the engine the driven wheels are, seen from it
};

// [T13.6], [T13.10]  To turn as one from now on, the clutch must carry T_e - I_e w_in' and, within the step, take the slip away:
// need = T_e - I_e w_in' + I_e (w_e - w_in)/h.  Locked if cap can do that; else friction slips in the direction of need.
// A clutch that slips has made w_in' what it is: wheels that spin are accelerated by it alone, and cease to be when it lets go. So
// against the slip need may be as much larger as they are lighter. The step in which it locks tells nothing of w_in'.
template <class R> VD_FN ClutchGrip<R> decide_clutch(const ClutchParams<R>& p, const ClutchState<R>& s,
                                                     mask_t<R> in_gear, const ClutchSides<R>& at, R h) {
  const R zero = R(0.0), one = R(1.0), slip = at.w - at.w_in, kick = at.inertia * slip, need = at.need + kick / h;
  const R cap = clutch_capacity(p, s.closed, at.w_in);
  const mask_t<R> slips = (s.locked < R(0.5)) & !(slip == zero), against = slips & (need * slip < zero);
  const mask_t<R> holds = abs(need) <= select(against, one + R(2.0) * at.lighter, one) * cap;
  ClutchGrip<R> g;
  g.lock = in_gear & (s.closed > zero) & (holds | (s.locked == one));
  g.direction = select(g.lock | !in_gear, zero, sign(need));
  g.kick = select(g.lock, kick, zero);
  return g;
}

inline ClutchParams<double> compile_clutch(const PowertrainSpec& s) {
  const double idle = s.engine.idle_rpm * kRpm;
  return {s.clutch.capacity, idle, 1 / (s.clutch.launch_rpm * kRpm - idle), 1 / s.clutch.engage_time};
}

}  // namespace vdsim
