// SPDX-License-Identifier: Apache-2.0
// What the controllers sense, and their estimate of the speed and of the slope.
// docs/theory/14_brakes_and_control.md.
#pragma once
#include "vdsim/core/math/fields.hpp"
#include "vdsim/core/math/real.hpp"

namespace vdsim {

// What controllers may sense, at the start of a step. Wheels FL 0, FR 1, RL 2, RR 3; the bicycle copies each
// axle to both sides.
template <class R> struct CarView {
  R vx, vy;     // true speed [m/s]: for the record, no controller reads it
  R r;          // yaw rate [rad/s]
  R ax, ay;     // specific force at the CG, body axes: acceleration less gravity, as an accelerometer has it [m/s^2]
  R w[4];       // spin [rad/s]
  R radius[4];  // rolling radius [m]
  R Fz[4];      // load [N]: no controller reads it
  R steer;      // single-track road-wheel angle [rad]
};

// [T14.23]  A body on springs dives: q'' = w^2 (a - q) - d q', q the acceleration that its springs hold.
template <class R> struct DiveParams {
  R gravity;             // along the body, per q [-]
  R stiffness, damping;  // w^2 [1/s^2], d [1/s]; 0: rigid
  R lead;                // of the load: q + lead q' [s]
};

// Speed of the car and slope of the road, estimated.
template <class R> struct SpeedState {
  R v;                   // [m/s], in the direction the wheels turn
  R dive, dive_rate;     // acceleration that the springs hold [m/s^2], and its change [m/s^3]
  R slope;               // gravity along the car, in the direction the wheels turn [m/s^2]
  R roll;                // for so long a wheel with little brake torque has rolled along [s]
  std::array<R, 4> rim;  // rim speeds of the last sample, at the CG [m/s]

  static constexpr auto fields() {
    using S = SpeedState;
    return std::tuple{field("v", &S::v, "m/s", any_finite(), "reference speed"),
                      field("dive", &S::dive, "m/s^2", any_finite(), "acceleration that the springs hold"),
                      field("dive_rate", &S::dive_rate, "m/s^3", any_finite(), "its change"),
                      field("slope", &S::slope, "m/s^2", any_finite(), "gravity along the car"),
                      field("roll", &S::roll, "s", any_finite(), "time that a wheel has rolled along"),
                      field("rim", &S::rim, "m/s", any_finite(), "rim speeds of the last sample")};
  }
};
VD_COMPLETE(SpeedState<double>);

template <class R> struct Sensed {
  R v;        // reference speed [m/s], >= 0
  R forward;  // +1, or -1 rolling backwards
  R along;    // acceleration of the car along its way: sensor and slope [m/s^2]
  R force;    // specific force along its way: sensor without the dive of the body [m/s^2]
  R shifted;  // acceleration whose load transfer is on the wheels [m/s^2]
  R rim[4];   // rim speed, moved to the CG by the yaw rate [m/s]
  R slip[4];  // (v - rim)/v: braked above 0, driven below 0
  R rate[4];  // acceleration of the rim [m/s^2]
  R gain[4];  // the same beyond that of the car [m/s^2]
};

inline constexpr double kSpeedDrift = 0.3;  // how much the reference may exceed the measured acceleration [m/s^2]
inline constexpr double kSpeedFall = 2;  // and fall short of it, driven: engine braking slips a wheel, but not for long
inline constexpr double kSameRate = 1;   // wheels that roll gain speed alike [m/s^2]
inline constexpr double kSlopeTime = 0.2;  // in which the slope is learned while the wheels roll [s]
inline constexpr double kMostSlope = 4;    // gravity along the car, 45 % [m/s^2]
inline constexpr double kRollTime = 0.03;  // so long a wheel must roll along to correct the speed [s]

// The body dives for dt under the specific force f. Returns the acceleration whose load transfer is on the wheels.
template <class R> VD_FN R dive(const DiveParams<R>& p, R f, R dt, SpeedState<R>& s) {
  const mask_t<R> rigid = p.stiffness <= R(0.0);
  const R pull = p.stiffness * dt, rate = (s.dive_rate + pull * (f - s.dive)) / (R(1.0) + (p.damping + pull) * dt);
  s.dive_rate = select(rigid, R(0.0), rate);
  s.dive = select(rigid, f, s.dive + s.dive_rate * dt);
  return s.dive + p.lead * s.dive_rate;
}

// [T14.2]  v follows the fastest rim when braked and the slowest when driven, in between sensor and slope:
// v + (f + g + drift) dt.  [T14.14] the slope g is what the rims say beyond the sensor while nothing brakes.
// A braked car gains no speed that its rims do not show: one that stands uphill has a sensor that says otherwise.
// `easy[i]`: wheel i carries little brake torque: if it does not speed up it rolls, and v is its rim speed.
template <class R> VD_FN Sensed<R> sense(const R half_track[2], const DiveParams<R>& body, SpeedState<R>& s,
                                         const CarView<R>& view, mask_t<R> braked, const mask_t<R> easy[4], R dt) {
  const R zero = R(0.0), one = R(1.0), inv_dt = one / dt;
  Sensed<R> o;
  const R sum = (view.w[0] + view.w[1]) + (view.w[2] + view.w[3]);
  o.forward = select(sum < zero, -one, one);
  R mean = zero;
  for (int i = 0; i < 4; ++i) {
    const R y = i % 2 == 0 ? half_track[i / 2] : -half_track[i / 2];
    o.rim[i] = o.forward * (view.w[i] * view.radius[i] + view.r * y);
    o.rate[i] = (o.rim[i] - s.rim[i]) * inv_dt;
    mean = mean + R(0.25) * o.rate[i];
  }
  const R fast = max(max(o.rim[0], o.rim[1]), max(o.rim[2], o.rim[3]));
  const R slow = min(min(o.rim[0], o.rim[1]), min(o.rim[2], o.rim[3]));
  o.force = o.forward * view.ax - body.gravity * s.dive;
  o.shifted = dive(body, o.force, dt, s);
  const R beyond = mean - (o.force + s.slope), agree = R(0.1) + R(0.02) * max(fast, zero);
  R apart = zero;
  for (int i = 0; i < 4; ++i) apart = max(apart, abs(o.rate[i] - mean));
  const mask_t<R> rolls = (!braked) & (fast - slow < agree) & (apart < R(kSameRate)) & (abs(beyond) < R(kMostSlope));
  s.slope = select(rolls, clamp(s.slope + beyond * dt / (R(kSlopeTime) + dt), R(-kMostSlope), R(kMostSlope)), s.slope);
  o.along = o.force + s.slope;
  const R least = s.v + (o.along - R(kSpeedFall)) * dt, most = s.v + (o.along + R(kSpeedDrift)) * dt;
  const R driven = max(min(slow, most), min(least, fast));
  o.v = max(select(braked, max(fast, s.v + min(o.along, zero) * dt), driven), zero);
  R free = zero;
  for (int i = 0; i < 4; ++i) free = max(free, select(easy[i] & (abs(o.rate[i] - o.along) < R(2.0)), o.rim[i], zero));
  s.roll = select(free > zero, s.roll + dt, zero);
  o.v = select(braked & (s.roll > R(kRollTime)), max(free, fast), o.v);
  const R inv_v = one / max(o.v, one);
  for (int i = 0; i < 4; ++i) {
    o.slip[i] = (o.v - o.rim[i]) * inv_v;
    o.gain[i] = o.rate[i] - o.along;
    s.rim[i] = o.rim[i];
  }
  s.v = o.v;
  return o;
}

}  // namespace vdsim
