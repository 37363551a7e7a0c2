// SPDX-License-Identifier: Apache-2.0
// One actuator: command -> dead time -> lag -> rate limit -> saturation. docs/theory/15_steering_and_actuators.md.
// The command is linear over a step; the output is given at its start, middle and end.
#pragma once
#include "vdsim/core/actuator/actuator_spec.hpp"
#include "vdsim/core/math/real.hpp"

namespace vdsim {

inline constexpr int kActuatorRing = 64;                     // past commands that are kept
enum Actuator : int { kSteer, kDrive, kBrake, kActuators };  // channels of a car

// Which stages act at all; the same for every lane.
struct ActuatorKind {
  bool dead, lag, rate;
  bool limits;  // saturation
  VD_INLINE constexpr bool acts() const { return dead || lag || rate || limits; }
  bool operator==(const ActuatorKind&) const = default;
};
template <class R> struct ActuatorParams {
  R dead;    // dead time [s], >= 0
  R grid;    // spacing of the kept commands [s], > 0; dead <= 62 grid
  R lag;     // time constant [s], 0 = none
  R rate;    // largest rate [unit/s], 0 = none
  R lo, hi;  // saturation [unit]
};
template <class R> struct ActuatorState {
  R since;                            // time since the newest kept command [s], 0 .. grid
  R newest;                           // its place in the ring
  R lagged;                           // after the lag [unit]
  R out;                              // after rate limit and saturation [unit]
  std::array<R, kActuatorRing> ring;  // commands, one per grid time [unit]

  static constexpr auto fields() {
    using S = ActuatorState;
    return std::tuple{field("since", &S::since, "s", any_finite(), "time since the newest kept command"),
                      field("newest", &S::newest, "-", any_finite(), "its place in the ring"),
                      field("lagged", &S::lagged, "", any_finite(), "after the lag"),
                      field("out", &S::out, "", any_finite(), "after rate limit and saturation"),
                      field("ring", &S::ring, "", any_finite(), "past commands")};
  }
};
VD_COMPLETE(ActuatorState<double>);

// One lane of the ring, as plain numbers.
template <class R> struct ActuatorLane {
  using T = scalar_t<R>;
  ActuatorState<R>& s;
  int i;
  T u0, slope;  // command at the start of the step, and its rate
  VD_FN T kept(int back) const {
    const int at = (int(lane(s.newest, i)) - back + 2 * kActuatorRing) % kActuatorRing;
    return lane(s.ring[std::size_t(at)], i);
  }
  // [T15.7]  The command `age` ago, counted from the start of the step: within the step it is the command itself,
  // before it the straight line between the kept ones.
  VD_FN T past(T age, T grid) const {
    if (age <= T(0)) return u0 - age * slope;
    const T since = lane(s.since, i);
    if (age < since) return u0 + (kept(0) - u0) * (age / since);
    const T place = (age - since) / grid;
    int back = int(place);
    if (back > kActuatorRing - 2) back = kActuatorRing - 2;
    const T part = place - T(back);
    return kept(back) + (kept(back + 1) - kept(back)) * (part < T(1) ? part : T(1));
  }
  // Keeps the commands of the grid times within the step.
  VD_FN void keep(T h, T grid) {
    T since = lane(s.since, i) + h;
    const T close = T(1e-5) * grid;  // rounding: a grid time at the end of the step belongs to it
    for (int n = 0; n < kActuatorRing && since >= grid - close; ++n) {
      since -= grid;
      if (since < close) since = T(0);
      const int at = (int(lane(s.newest, i)) + 1) % kActuatorRing;
      set_lane(s.newest, i, T(at));
      set_lane(s.ring[std::size_t(at)], i, u0 + slope * (h - since));
    }
    set_lane(s.since, i, since);
  }
};
template <class R>
VD_NOINLINE void dead_time(const ActuatorParams<R>& p, ActuatorState<R>& s, R u0, R u1, R h, R w[3]) {
  using T = scalar_t<R>;
  for (int i = 0; i < lanes<R>; ++i) {
    const T step = lane(h, i), dead = lane(p.dead, i), grid = lane(p.grid, i);
    ActuatorLane<R> l{s, i, lane(u0, i), (lane(u1, i) - lane(u0, i)) / step};
    set_lane(w[0], i, l.past(dead, grid));
    set_lane(w[1], i, l.past(dead - T(0.5) * step, grid));
    set_lane(w[2], i, dead > T(0) ? l.past(dead - step, grid) : lane(u1, i));
    l.keep(step, grid);
  }
}

// [T15.8]  lag y' = w - y with w linear from w0 to w1 over t, exact:
//   y(t) = y0 e + w0 (1 - e) + (w1 - w0)(1 - (1 - e) lag/t),  e = exp(-t/lag)
template <class R> VD_FN R lag_linear(R y0, R w0, R w1, R lag, R t) {
  const mask_t<R> none = lag <= R(0.0);
  const R q = select(none, R(1.0), lag), e = exp(-t / q), rise = R(1.0) - e;
  return select(none, w1, y0 * e + w0 * rise + (w1 - w0) * (R(1.0) - rise * q / t));
}

// [T15.9]  The output moves towards its input by at most rate t and never past it, and stays within its limits.
template <class R> VD_FN R approach(const ActuatorKind& kind, const ActuatorParams<R>& p, R from, R to, R t) {
  R y = to;
  if (kind.rate) {
    const R most = select(p.rate > R(0.0), p.rate * t, abs(to - from));
    y = select(abs(to - from) <= most, to, from + copysign(most, to - from));
  }
  return kind.limits ? clamp(y, p.lo, p.hi) : y;
}

// Advances the actuator by h > 0; out: at the start, middle and end of the step.
template <class R> VD_NOINLINE void actuator_step(const ActuatorKind& kind, const ActuatorParams<R>& p,
                                                  ActuatorState<R>& s, R u0, R u1, R h, R out[3]) {
  R w[3] = {u0, R(0.5) * (u0 + u1), u1};
  const R half = R(0.5) * h;
  if (kind.dead) dead_time(p, s, u0, u1, h, w);
  if (kind.lag) {
    const R mid = lag_linear(s.lagged, w[0], w[1], p.lag, half), end = lag_linear(mid, w[1], w[2], p.lag, half);
    w[0] = select(p.lag > R(0.0), s.lagged, w[0]);
    w[1] = mid;
    w[2] = s.lagged = end;
  }
  // with a rate limit the output starts where it was; else it follows a jump of the command at once
  const mask_t<R> limited = mask_t<R>(kind.rate) & (p.rate > R(0.0));
  out[0] = select(limited, s.out, kind.limits ? clamp(w[0], p.lo, p.hi) : w[0]);
  out[1] = approach(kind, p, out[0], w[1], half);
  out[2] = approach(kind, p, out[1], w[2], half);
  s.out = out[2];
}

inline ActuatorKind actuator_kind(const ActuatorSpec& s, int channel) {
  const ActuatorSpec d;
  if (channel == kSteer)
    return {s.steer_deadtime_s > 0, s.steer_lag_s > 0, s.steer_rate_limit > 0,
            s.steer_min != d.steer_min || s.steer_max != d.steer_max};
  if (channel == kDrive)
    return {s.drive_deadtime_s > 0, s.drive_lag_s > 0, s.drive_rate_limit > 0,
            s.drive_min != d.drive_min || s.drive_max != d.drive_max};
  return {s.brake_deadtime_s > 0, s.brake_lag_s > 0, s.brake_rate_limit > 0,
          s.brake_min != d.brake_min || s.brake_max != d.brake_max};
}

// dt: the step of the run. The kept commands then fall on its steps: a dead time is exact for commands that are
// linear over each step (up to 62 dt; longer ones are kept every second step, third ...). Other steps work, rounded
// at corners.
inline ActuatorParams<double> compile_actuator(const ActuatorSpec& s, int channel, double dt) {
  ActuatorParams<double> p{};
  if (channel == kSteer)
    p = {s.steer_deadtime_s, 0, s.steer_lag_s, s.steer_rate_limit, s.steer_min, s.steer_max};
  else if (channel == kDrive)
    p = {s.drive_deadtime_s, 0, s.drive_lag_s, s.drive_rate_limit, s.drive_min, s.drive_max};
  else
    p = {s.brake_deadtime_s, 0, s.brake_lag_s, s.brake_rate_limit, s.brake_min, s.brake_max};
  const double every = ceil(p.dead / dt / (kActuatorRing - 2) - 1e-9);
  p.grid = dt * (every > 1 ? every : 1);
  return p;
}

// At rest at command u.
template <class R> VD_FN ActuatorState<R> start_actuator(const ActuatorKind& kind, const ActuatorParams<R>& p, R u) {
  ActuatorState<R> s;
  s.since = R(0.0);
  s.newest = R(0.0);
  s.lagged = u;
  s.out = kind.limits ? clamp(u, p.lo, p.hi) : u;
  for (int i = 0; i < kActuatorRing; ++i) s.ring[std::size_t(i)] = u;
  return s;
}

}  // namespace vdsim
