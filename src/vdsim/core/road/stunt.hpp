// SPDX-License-Identifier: Apache-2.0
// Built shapes: a jump ramp, a banked oval (both height fields) and a vertical loop. docs/theory/06_roads.md.
#pragma once
#include "vdsim/core/road/height.hpp"
#include "vdsim/core/road/spec.hpp"

namespace vdsim {

inline constexpr double kNever = 1e30;      // a length that is not there [m]
inline constexpr double kRampEntry = 0.3;   // part of the ramp over which its slope grows
inline constexpr double kLoopGround = 0.5;  // [m]
inline constexpr double kRampEdge = 0.1;    // length over which its end and its sides fall to the ground [m]

template <class R> struct RampParams {
  R x0, entry, inv_entry, slope;  // [m], [m], [1/m], of the straight incline [-]
  R crest, end, half_width;       // from x0: where the slope fades, where the ramp falls off; kNever = nowhere [m]
};
template <class R> struct OvalParams {
  R radius, half_straight, half_width, tan_bank;  // of the centre line [m], [m], [m], [-]
  R soft, inv_soft, ease_from, inv_ease;  // rounding of the edges; where the bank begins in |x|, 1/length of its growth
};
template <class R> struct LoopParams {
  R x0, radius, half_width, drift, depth;  // [m]; depth: how far outside the circle a point still belongs to it
};

inline RampParams<double> compile_ramp(const RampSpec& s) {
  const double entry = kRampEntry * s.length, run = s.length - (s.lip > 0 ? 1.0 : 0.5) * entry;
  return {s.x0,
          entry,
          1 / entry,
          s.height / run,
          s.lip > 0 ? s.length - entry : kNever,
          s.length + s.lip,
          s.width > 0 ? s.width / 2 : kNever};
}
inline OvalParams<double> compile_oval(const OvalSpec& s) {
  const double soft = s.width / 8, tan_bank = tan(s.bank);
  OvalParams<double> p{s.radius, s.straight / 2, s.width / 2, tan_bank,
                       soft,     1 / soft,       -1,          1};  // a circle: banked all round
  if (s.straight > 0) {
    const double ease = s.straight / 2 < s.radius ? s.straight / 2 : s.radius;
    p.ease_from = s.straight / 2 - ease / 2;
    p.inv_ease = 1 / ease;
  }
  return p;
}
inline LoopParams<double> compile_loop(const LoopSpec& s) {
  return {s.x0, s.radius, s.width / 2, s.drift, s.radius < 2 ? 0.25 * s.radius : 0.5};
}

// [T06.9]  slope S s(u/e), with a flat top S (s(u/e) - s((u - c)/e)); it falls to the ground at its end and its sides.
template <class R> VD_NOINLINE RoadHeight<R> ramp_height(const RampParams<R>& p, R x, R y) {
  const R one = R(1.0), inv_edge = R(1 / kRampEdge), u = x - p.x0;
  const R q = u * p.inv_entry, qc = (u - p.crest) * p.inv_entry;
  const R z = p.slope * p.entry * (smootherstep_integral(q) - smootherstep_integral(qc));
  const R zx = p.slope * (smootherstep(q) - smootherstep(qc));
  const R qe = (u - p.end) * inv_edge, qs = (abs(y) - p.half_width) * inv_edge;
  const R along = one - smootherstep(qe), across = one - smootherstep(qs);
  return {z * along * across, (zx * along - z * smootherstep_slope(qe) * inv_edge) * across,
          -z * along * smootherstep_slope(qs) * inv_edge * sign(y)};
}

// [T06.10]  e = distance from the line between the centres of the turns - radius, positive outwards;
//   h = tan(bank) B(|x|) P(e), P = 0 inside the track, e + width/2 on it, width outside it, edges rounded.
template <class R> VD_NOINLINE RoadHeight<R> oval_height(const OvalParams<R>& p, R x, R y) {
  const R zero = R(0.0), half = R(0.5);
  const R dx = max(abs(x) - p.half_straight, zero), dy = y - p.radius, rho = sqrt(dx * dx + dy * dy);
  const R inv_rho = R(1.0) / max(rho, R(1e-9)), e = rho - p.radius;
  const R in = (e + p.half_width) * p.inv_soft + half, out = (e - p.half_width) * p.inv_soft + half;
  const R P = p.soft * (smootherstep_integral(in) - smootherstep_integral(out));
  const R Pe = smootherstep(in) - smootherstep(out);
  const R q = (abs(x) - p.ease_from) * p.inv_ease, B = smootherstep(q), Bx = smootherstep_slope(q) * p.inv_ease;
  return {p.tan_bank * B * P, p.tan_bank * sign(x) * (Bx * P + B * Pe * dx * inv_rho),
          p.tan_bank * B * Pe * dy * inv_rho};
}

// [T06.11]  phi = angle round the axis (x0, z = radius), 0 at the bottom, growing forwards and up; the lane at phi is
//   |y - drift phi/(2 pi)| <= width/2. A point in it belongs to the circle unless it is more than `depth` outside.
//   On the way down over the entry lane both overlap; what is less than kLoopGround above the ground belongs to it.
template <class R>
VD_NOINLINE RoadPoint<R> loop_point(const LoopParams<R>& p, R x, R y, R z, const RoadPoint<R>& ground) {
  const R zero = R(0.0), pi = R(3.1415926535897932);
  const R dx = x - p.x0, dz = p.radius - z, rho = sqrt(dx * dx + dz * dz), inv_rho = R(1.0) / max(rho, R(1e-9));
  const R gap = p.radius - rho, turned = atan2(dx, dz), phi = select(turned < zero, turned + R(2.0) * pi, turned);
  const mask_t<R> in_lane = abs(y - p.drift * phi / (R(2.0) * pi)) <= p.half_width;
  const mask_t<R> shared = (phi > pi) & (abs(y) <= p.half_width) & (z < R(kLoopGround));
  const mask_t<R> on = in_lane & (gap > -p.depth) & (!shared);
  return {select(on, gap, ground.gap), select(on, -dx * inv_rho, ground.nx), select(on, zero, ground.ny),
          select(on, dz * inv_rho, ground.nz)};
}

}  // namespace vdsim
