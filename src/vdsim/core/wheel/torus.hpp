// SPDX-License-Identifier: Apache-2.0
// A wheel as a torus on the tangent plane of the road. docs/theory/09_free_3d.md.
#pragma once
#include "vdsim/core/math/real.hpp"
#include "vdsim/core/math/vec.hpp"

namespace vdsim {

template <class R> struct TorusContact {
  Vec3<R> at, ex, ey;  // contact point [m]; wheel frame on the road: forward, left
  R in, gamma;         // deflection [m], inclination [rad]
};

// [T09.2]  A torus of radius R0 and crown rho reaches (R0 - rho) |n_p| + rho below its centre, n_p the part of the normal in
// the wheel plane; what the gap leaves of that is the deflection.
template <class R> VD_FN TorusContact<R> torus_contact(const Vec3<R>& centre, const Vec3<R>& spin, const Vec3<R>& n,
                                                       R gap, R R0, R crown) {
  const R one = R(1.0);
  const R up = dot(spin, n), flat = sqrt(max(one - up * up, R(1e-6))), reach = R0 - crown;
  TorusContact<R> o;
  o.in = reach * flat + crown - gap;
  o.at = centre - (reach / flat) * (n - up * spin) + (o.in - crown) * n;
  o.ex = (one / flat) * cross(spin, n);
  o.ey = cross(n, o.ex);
  o.gamma = atan(up / flat);
  return o;
}

}  // namespace vdsim
