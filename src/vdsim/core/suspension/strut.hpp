// SPDX-License-Identifier: Apache-2.0
// Spring, damper and stops of one wheel, the bar between two, and the tire as a spring on the road.
// Travel s [m]: the wheel moves up against the body, 0 at rest on a level road. docs/theory/08_fourteen_dof.md.
#pragma once
#include "vdsim/core/math/real.hpp"

namespace vdsim {

inline constexpr double kStopSoft = 0.01;     // [m]   over which a stop reaches its stiffness
inline constexpr double kDamperTurn = 0.05;   // [m/s] over which a damper changes from bump to rebound
inline constexpr double kTouchDown = 1e-3;    // [m]   of deflection over which the tire's damping sets in
inline constexpr double kTireDamping = 0.08;  // damping ratio of a tire with its unsprung mass

template <class R> struct StrutParams {
  R preload;            // at s = 0 [N]
  R k, c_mean, c_half;  // spring [N/m]; damper: mean and half difference of bump and rebound [N s/m]
  R bump, droop;        // travel at which the stops begin, >= 0 [m]
  R stop;               // their stiffness [N/m]
  R bar;                // anti-roll bar: force per difference of the two travels [N/m]
  R kt, ct;             // tire, radial [N/m], [N s/m]
};

// [T08.2]  a stop: 0 until p = 0, then stop p^2/(p + w), whose slope goes from 0 to `stop`
template <class R> VD_FN R stop_force(R stop, R past) {
  const R p = max(past, R(0.0));
  return stop * p * p / (p + R(kStopSoft));
}

// [T08.1]  S = S_0 + k s + c(s') s' + stops + bar (s - s_other): pushes the wheel down and the body up [N]
template <class R> struct StrutForce { R S, damper; };  // all of it; its part that takes energy out
template <class R> VD_FN StrutForce<R> strut_force(const StrutParams<R>& p, R s, R rate, R other) {
  const R c = p.c_mean + p.c_half * rate / sqrt(rate * rate + R(kDamperTurn * kDamperTurn)), damper = c * rate;
  const R stops = stop_force(p.stop, s - p.bump) - stop_force(p.stop, -p.droop - s);
  return {p.preload + p.k * s + stops + p.bar * (s - other) + damper, damper};
}

// [T08.3]  load of a tire pressed in by `in` at the speed `rate`; never pulls, and sets in without a jump
template <class R> VD_FN R tire_load(const StrutParams<R>& p, R in, R rate) {
  const R grip = in * in / (in * in + R(kTouchDown * kTouchDown));
  return select(in > R(0.0), max(p.kt * in + p.ct * rate * grip, R(0.0)), R(0.0));
}

// Energy held by a strut and its tire [J]; the bar's half of both wheels is counted with the left one.
template <class R> VD_FN R strut_energy(const StrutParams<R>& p, R s, R other, R in, bool with_bar) {
  const auto stop = [&](R past) {  // integral of [T08.2]: w^2 log(1 + p/w) + p^2/2 - w p
    const R q = max(past, R(0.0)), w = R(kStopSoft);
    return p.stop * (w * w * log(R(1.0) + q / w) + R(0.5) * q * q - w * q);
  };
  const R pressed = max(in, R(0.0)), twist = with_bar ? R(0.5) * p.bar * sq(s - other) : R(0.0);
  return p.preload * s + R(0.5) * p.k * s * s + stop(s - p.bump) + stop(-p.droop - s) + twist +
         R(0.5) * p.kt * pressed * pressed;
}

}  // namespace vdsim
