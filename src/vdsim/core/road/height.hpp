// SPDX-License-Identifier: Apache-2.0
// What a height field answers, and the small functions that height fields share. docs/theory/06_roads.md.
// Axes of the road plane: x up the grade, y to the left in the plane, z normal to it. Heights count from the plane.
#pragma once
#include "vdsim/core/math/real.hpp"

namespace vdsim {

template <class R> struct RoadHeight {
  R z, zx, zy;  // height above the plane [m], slopes along x and y [-]
};
template <class R> struct RoadPoint {
  R gap;         // signed distance of the point from the surface [m], positive above it
  R nx, ny, nz;  // unit normal of the surface, axes of the plane
};

template <class R> VD_FN void add_height(RoadHeight<R>& sum, const RoadHeight<R>& h, R weight = R(1.0)) {
  sum.z += weight * h.z;
  sum.zx += weight * h.zx;
  sum.zy += weight * h.zy;
}

// C2 step from 0 to 1 on [0, 1], its derivative, and its integral from 0 (q - 1/2 beyond 1).
template <class R> VD_FN R smootherstep(R q) {
  const R x = clamp(q, R(0.0), R(1.0));
  return x * x * x * (x * (R(6.0) * x - R(15.0)) + R(10.0));
}
template <class R> VD_FN R smootherstep_slope(R q) {
  const R x = clamp(q, R(0.0), R(1.0));
  return R(30.0) * sq(x * (R(1.0) - x));
}
template <class R> VD_FN R smootherstep_integral(R q) {
  const R x = clamp(q, R(0.0), R(1.0));
  return sq(sq(x)) * (x * (x - R(3.0)) + R(2.5)) + max(q - R(1.0), R(0.0));
}

// sin(u)/u, given s = sin(u)
template <class R> VD_INLINE R sinc(const R& u, const R& s) {
  const mask_t<R> small = abs(u) < R(1e-4);
  return select(small, R(1.0) - u * u * R(1.0 / 6), s / select(small, R(1.0), u));
}

}  // namespace vdsim
