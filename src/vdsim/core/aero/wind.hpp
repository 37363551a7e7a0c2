// SPDX-License-Identifier: Apache-2.0
// Wind that stands still over the road: what the air does depends on where the car is. docs/theory/04_bicycle.md.
#pragma once
#include "vdsim/core/aero/wind_spec.hpp"
#include "vdsim/core/math/elementary.hpp"
#include "vdsim/core/road/height.hpp"

namespace vdsim {

template <class R> struct WindParams {
  R ex, ey;                     // where the air goes, axes of the road plane
  R speed, from, to, inv_edge;  // steady part [m/s], its stretch [m], [1/m]
  R gust, start, wave;          // gust [m/s], where it begins [m], 2 pi/length [rad/m]
};
template <class R> struct AirVelocity { R x, y; };  // [m/s]

// [T04.4]  speed between the ends, and a gust of one cosine wave
template <class R> VD_FN AirVelocity<R> wind_at(const WindParams<R>& p, R s) {
  const R half = R(0.5);
  const R steady = smootherstep((s - p.from) * p.inv_edge + half) * smootherstep((p.to - s) * p.inv_edge + half);
  R sn, cs;
  sincos(clamp((s - p.start) * p.wave, R(0.0), R(6.2831853071795865)), sn, cs);
  const R V = p.speed * steady + p.gust * (half - half * cs);
  return {p.ex * V, p.ey * V};
}

inline bool blows(const WindSpec& s) { return s.speed != 0 || (s.gust_speed != 0 && s.gust_length > 0); }
inline WindParams<double> compile_wind(const WindSpec& s) {
  WindParams<double> p{};
  sincos(s.direction, p.ey, p.ex);
  p.speed = s.speed;
  const bool everywhere = s.from == s.to;
  p.from = everywhere ? -1e9 : s.from;
  p.to = everywhere ? 1e9 : s.to;
  p.inv_edge = 1 / s.edge;
  const bool gust = s.gust_speed != 0 && s.gust_length > 0;
  p.gust = gust ? s.gust_speed : 0;
  p.start = s.gust_start;
  p.wave = gust ? 6.2831853071795865 / s.gust_length : 0;
  return p;
}

}  // namespace vdsim
