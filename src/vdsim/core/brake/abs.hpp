// SPDX-License-Identifier: Apache-2.0
// What the controllers sense, their estimate of the speed, and the valves of anti-lock brakes and brake force
// distribution.
// docs/theory/14_brakes_and_control.md.
#pragma once
#include "vdsim/core/control/control_spec.hpp"
#include "vdsim/core/math/real.hpp"

namespace vdsim {

// What controllers may sense, at the start of a step. Wheels FL 0, FR 1, RL 2, RR 3; the bicycle copies each
// axle to both sides.
template <class R> struct CarView {
  R vx, vy;     // true speed [m/s]: for the record, no controller reads it
  R r;          // yaw rate [rad/s]
  R ax, ay;     // acceleration of the CG in the road plane, body axes [m/s^2]
  R w[4];       // spin [rad/s]
  R radius[4];  // rolling radius [m]
  R Fz[4];      // load [N]: no controller reads it
  R steer;      // single-track road-wheel angle [rad]
};

template <class R> struct AbsParams {
  R slip_low, slip_high;        // [-]
  R lock_decel, recover_accel;  // [m/s^2]
  R min_speed;                  // [m/s]
  R ebd;                        // rear slip above front slip [-]
  R half_track[2];              // front, rear [m]
};

// Speed of the car, estimated from the wheels.
template <class R> struct SpeedState {
  R v;                   // [m/s], in the direction the wheels turn
  R blind;               // time since a rim last told it [s]
  std::array<R, 4> rim;  // rim speeds of the last sample, at the CG [m/s]

  static constexpr auto fields() {
    using S = SpeedState;
    return std::tuple{field("v", &S::v, "m/s", any_finite(), "reference speed"),
                      field("blind", &S::blind, "s", any_finite(), "time since a rim last told it"),
                      field("rim", &S::rim, "m/s", any_finite(), "rim speeds of the last sample")};
  }
};
VD_COMPLETE(SpeedState<double>);

template <class R> struct Sensed {
  R v;        // reference speed [m/s], >= 0
  R blind;    // time since a rim last told it [s]
  R forward;  // +1, or -1 rolling backwards
  R rim[4];   // rim speed, moved to the CG by the yaw rate [m/s]
  R slip[4];  // (v - rim)/v: braked above 0, driven below 0
  R gain[4];  // acceleration of the rim beyond that of the car [m/s^2]
};

inline constexpr double kSpeedDrift = 0.3;  // how much the reference may leave the measured acceleration [m/s^2]
inline constexpr double kMostBlind = 0.6;   // then the rear wheels are released until they roll and tell the speed [s]
inline constexpr double kLeastLook = 0.1, kMostLook = 0.5;  // shortest and longest such release [s]

// [T14.2]  v follows the fastest rim when braked and the slowest when driven, and in between the measured
// acceleration:
// v + (a -+ drift) dt.  braked: pedal or yaw control; dt: since the last sample.
template <class R>
VD_FN Sensed<R> sense(const AbsParams<R>& p, SpeedState<R>& s, const CarView<R>& view, mask_t<R> braked, R dt) {
  const R zero = R(0.0), one = R(1.0);
  Sensed<R> o;
  const R sum = (view.w[0] + view.w[1]) + (view.w[2] + view.w[3]);
  o.forward = select(sum < zero, -one, one);
  for (int i = 0; i < 4; ++i) {
    const R y = i % 2 == 0 ? p.half_track[i / 2] : -p.half_track[i / 2];
    o.rim[i] = o.forward * (view.w[i] * view.radius[i] + view.r * y);
  }
  const R fast = max(max(o.rim[0], o.rim[1]), max(o.rim[2], o.rim[3]));
  const R slow = min(min(o.rim[0], o.rim[1]), min(o.rim[2], o.rim[3]));
  const R along = o.forward * view.ax;
  const R least = s.v + (along - R(kSpeedDrift)) * dt, most = s.v + (along + R(kSpeedDrift)) * dt;
  o.v = max(select(braked, max(fast, least), min(slow, most)), zero);
  o.v = select(braked, min(o.v, max(most, slow)), max(o.v, min(least, fast)));
  // A rim gives the speed once it no longer speeds up. A released wheel that does not speed up is rolling:
  // the reference was wrong.
  const R was = max(max(s.rim[0], s.rim[1]), max(s.rim[2], s.rim[3])), look = s.blind - R(kMostBlind);
  const mask_t<R> catches_up = (fast - was) / dt - along > one;
  const mask_t<R> rolls = (look > R(kLeastLook)) & ((!catches_up) | (look > R(kMostLook)));
  o.v = select(braked & rolls, fast, o.v);
  const mask_t<R> slips = o.v - slow > R(0.5) * p.slip_low * o.v;
  o.blind = s.blind =
      select((!braked) | rolls | ((fast >= least) & !catches_up), zero, select(slips, s.blind + dt, s.blind));
  const R inv_v = one / max(o.v, one), inv_dt = one / dt;
  for (int i = 0; i < 4; ++i) {
    o.slip[i] = (o.v - o.rim[i]) * inv_v;
    o.gain[i] = (o.rim[i] - s.rim[i]) * inv_dt - along;
    s.rim[i] = o.rim[i];
  }
  s.v = o.v;
  return o;
}

// [T14.3]  Valve of one wheel: +2 build fast, +1 build, 0 hold, -1 release. `more`: factor of the slips, 1 and above.
template <class R> VD_FN R abs_valve(const AbsParams<R>& p, const Sensed<R>& o, int i, R more = R(1.0)) {
  const R zero = R(0.0), one = R(1.0);
  const mask_t<R> hold = o.slip[i] > more * p.slip_low;
  const mask_t<R> release =
      ((o.slip[i] > more * p.slip_high) & (o.gain[i] < p.recover_accel)) | (hold & (o.gain[i] < -p.lock_decel));
  const R build = select(o.slip[i] < R(1.0 / 3.0) * p.slip_low, R(2.0), one);
  const R valve = select(release, -one, select(hold, zero, build));
  const mask_t<R> look = o.blind > R(i < 2 ? 1e9 : kMostBlind);
  return select(o.v < p.min_speed, R(2.0), select(look, -one, valve));
}
// [T14.4]  A rear wheel that slips more than the front ones by d holds, by 2 d releases.
template <class R> VD_FN R ebd_valve(const AbsParams<R>& p, const Sensed<R>& o, int i) {
  const R zero = R(0.0), one = R(1.0);
  if (i < 2) return R(2.0);
  const R more = o.slip[i] - R(0.5) * (o.slip[0] + o.slip[1]);
  const R valve = select(more > R(2.0) * p.ebd, -one, select(more > p.ebd, zero, R(2.0)));
  return select(o.v < p.min_speed, R(2.0), valve);
}

inline AbsParams<double> compile_abs(const ControlSpec& s, double track_front, double track_rear) {
  const AbsSpec& a = s.abs;
  return {a.slip_low,
          a.slip_high,
          a.lock_decel,
          a.recover_accel,
          a.min_speed,
          s.ebd.slip_difference,
          {0.5 * track_front, 0.5 * track_rear}};
}

}  // namespace vdsim
