// SPDX-License-Identifier: Apache-2.0
// Anti-lock brakes: each wheel searches the slip with the most braking force and keeps to it; brake force distribution.
// docs/theory/14_brakes_and_control.md.
#pragma once
#include "vdsim/core/brake/peak_search.hpp"
#include "vdsim/core/brake/speed.hpp"
#include "vdsim/core/control/control_spec.hpp"
#include "vdsim/core/vehicle/chassis_spec.hpp"

namespace vdsim {

template <class R> struct AbsParams {
  SearchParams<R> search;
  R response;       // in which a slip reaches its target [s]
  R side_rate;      // growth of the torque that a rear wheel may have beyond the other one [1/s]
  R min_speed;      // [m/s]
  R ebd;            // rear slip above front slip [-]
  R half_track[2];  // front, rear [m]
  DiveParams<R> dive;
  R rim_mass[2];        // spin inertia of one wheel / radius^2 [kg]
  R load[2], transfer;  // of one wheel at rest [N]; kg that a specific force moves to each front wheel
};

template <class R> struct AbsState {
  std::array<PeakSearch<R>, 4> search;  // of each wheel
  std::array<R, 4> line;                // brake torque of the last sample [N m]
  std::array<R, 4> limit;               // brake torque that is let in [N m]
  std::array<R, 4> led;                 // 1: the other wheel of the axle limits it
  R side;                               // torque allowed beyond that of the other side, share of the full one

  static constexpr auto fields() {
    using S = AbsState;
    return std::tuple{field("search", &S::search, "search of the peak"),
                      field("line", &S::line, "N m", any_finite(), "brake torque of the last sample"),
                      field("limit", &S::limit, "N m", any_finite(), "brake torque that is let in"),
                      field("led", &S::led, "-", any_finite(), "1: the other wheel of the axle limits it"),
                      field("side", &S::side, "-", any_finite(), "torque allowed beyond that of the other side")};
  }
};
VD_COMPLETE(AbsState<double>);

inline constexpr double kYawCalm = 0.1;     // yaw rate at which a braked car is kept from turning more [rad/s]
inline constexpr double kFrontSide = 0.2;   // the front axle starts with: share of the full torque
inline constexpr double kSteerFull = 0.05;  // road-wheel angle from which the slip is reduced most [rad]
inline constexpr double kNoLimit = 1e9;     // brake torque of an open valve [N m]
inline constexpr double kClimb = 0.2;       // torque beyond the friction at slip 0, share of it

// [T14.15]  Force on the rim from the torque of the line and the spin: F = T/R + m_w u', over the load that the
// specific force leaves on the wheel: friction in use.
template <class R> VD_FN R wheel_load(const AbsParams<R>& p, const Sensed<R>& o, int axle) {
  const R moved = p.transfer * o.shifted;
  return max(axle == 0 ? p.load[0] - moved : p.load[1] + moved, R(0.1) * p.load[axle]);
}

// [T14.3]  Torque that brings the slip to its target: T = F R - m_w R (a (1 - s*) + v (s - s*)/tau).
// m_w: what turns with the wheel, over R^2.
template <class R>
VD_FN R slip_torque(const AbsParams<R>& p, const Sensed<R>& o, int i, R target, R force, R mass, R radius) {
  const R v = max(o.v, R(3.0));
  const R rim_rate = o.along * (R(1.0) - target) + v * (o.slip[i] - target) / p.response;
  const R spin = -mass * rim_rate, climb = R(kClimb) * force * (R(1.0) - o.slip[i] / target);
  return max((force + select(climb > R(0.0), max(climb, spin), spin)) * radius, R(0.0));
}

// [T14.4]  A rear wheel that slips more than the front ones by d holds, by 2 d releases. Valve: +2 open, 0, -1.
template <class R> VD_FN R ebd_valve(const AbsParams<R>& p, const Sensed<R>& o, int i) {
  const R zero = R(0.0), one = R(1.0);
  if (i < 2) return R(2.0);
  const R more = o.slip[i] - R(0.5) * (o.slip[0] + o.slip[1]);
  const R valve = select(more > R(2.0) * p.ebd, -one, select(more > p.ebd, zero, R(2.0)));
  return select(o.v < p.min_speed, R(2.0), valve);
}

// What the brakes are doing, and what is asked of them.
template <class R> struct BrakeView {
  R torque[4];  // of the lines [N m]
  R demand[4];  // by driver and controllers [N m]
  R least[4];   // slip that a wheel may have whatever the search says
  R full[2];    // torque of one wheel at pedal 1 [N m]
  R engine[2];  // inertia that turns with the axle [kg m^2]
};

// [T14.17]  The wheel of an axle with less grip leads; the other one may go beyond it by a torque that grows while the
// car does not turn: the driver has time to steer against it.
template <class R> VD_FN void share_sides(const AbsParams<R>& p, const Sensed<R>& o, const CarView<R>& view,
                                          const BrakeView<R>& b, R dt, AbsState<R>& s) {
  const R zero = R(0.0), one = R(1.0);
  mask_t<R> limited(false);
  for (int i = 0; i < 4; ++i) limited = limited | (s.limit[std::size_t(i)] < b.demand[i]);
  const R calm = one - abs(view.r) * R(1.0 / kYawCalm);
  s.side = select(limited, clamp(s.side + p.side_rate * calm * dt, zero, one), zero);
  for (std::size_t a = 0; a < 2; ++a) {
    R& l = s.limit[2 * a];
    R& r = s.limit[2 * a + 1];
    // what the road gives to a wheel counts, not a short release of its brake
    const R grip = wheel_load(p, o, int(a)) * view.radius[2 * a];
    const R most = min(max(l, s.search[2 * a].use * grip), max(r, s.search[2 * a + 1].use * grip)) +
                   (a == 0 ? s.side + R(kFrontSide) : R(0.5) * s.side) * b.full[a];
    s.led[2 * a] = select(l > most, one, zero);
    s.led[2 * a + 1] = select(r > most, one, zero);
    l = min(l, most);
    r = min(r, most);
  }
}

// One sample of all wheels.
template <class R> VD_NOINLINE void abs_sample(const AbsParams<R>& p, const Sensed<R>& o, const CarView<R>& view,
                                               const BrakeView<R>& b, R dt, AbsState<R>& s) {
  const R zero = R(0.0), one = R(1.0);
  // [T14.19]  a driver who steers needs side force: less slip than the search found
  const R steered = one - R(0.7) * min(abs(view.steer) * R(1.0 / kSteerFull), one);
  for (int i = 0; i < 4; ++i) {
    const std::size_t k = std::size_t(i);
    const R radius = view.radius[i], inv = one / radius;
    const R mass = p.rim_mass[i / 2] + R(0.5) * b.engine[i / 2] * inv * inv;
    const R force = R(0.5) * (s.line[k] + b.torque[i]) * inv + mass * o.rate[i];
    const mask_t<R> asked = (b.demand[i] > zero) & (o.v > p.min_speed);
    search_peak(p.search, s.search[k], o.slip[i], force / wheel_load(p, o, i / 2), asked, s.led[k] < R(0.5), dt);
    const R target = max(s.search[k].target * steered, b.least[i]);
    const mask_t<R> on = asked & (o.slip[i] > R(0.3) * target);
    s.limit[k] = select(on, slip_torque(p, o, i, target, force, mass, radius), R(kNoLimit));
    s.line[k] = b.torque[i];
  }
  share_sides(p, o, view, b, dt, s);
}

inline AbsParams<double> compile_abs(const ControlSpec& s, const ChassisSpec& c) {
  const AbsSpec& a = s.abs;
  AbsParams<double> p{};
  p.search = {a.slip_start, a.slip_most, a.search_rate, a.drop};
  p.response = a.response, p.side_rate = a.side_rate, p.min_speed = a.min_speed;
  p.ebd = s.ebd.slip_difference;
  p.half_track[0] = 0.5 * c.track_front, p.half_track[1] = 0.5 * c.track_rear;
  const double L = c.wheelbase, R = c.wheel_radius_nominal;
  for (std::size_t k = 0; k < 2; ++k) {
    p.rim_mass[k] =
        c.wheel_inertia > 0 ? c.wheel_inertia / (R * R) : 0.25 * (c.unsprung_mass[2 * k] + c.unsprung_mass[2 * k + 1]);
    p.load[k] = 0.5 * c.mass * kGravity * (k == 0 ? c.cg_to_rear : c.cg_to_front) / L;
  }
  p.transfer = 0.5 * c.mass * c.cg_height / L;
  return p;
}

}  // namespace vdsim
