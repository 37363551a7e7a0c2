// SPDX-License-Identifier: Apache-2.0
// What the controllers' accelerometer reads. docs/theory/14_brakes_and_control.md.
#pragma once
#include "vdsim/core/vehicle/fourteen_dof.hpp"
#include "vdsim/core/vehicle/free_3d.hpp"
#include "vdsim/core/vehicle/planar.hpp"

namespace vdsim {

// What an accelerometer at the CG has measured over a step: acceleration less gravity, along and across the body [m/s^2].
template <class R> struct SpecificForce { R x, y; };
template <class R, Level Lv, class Laws>
SpecificForce<R> specific_force(const Model<R, Lv, Laws>& m, const State<R, Lv>& before, const State<R, Lv>& next,
                                std::type_identity_t<R> h) {
  const R ax = (next.vx - before.vx) / h - before.r * before.vy, ay = (next.vy - before.vy) / h + before.r * before.vx;
  R s, c;
  if constexpr (Lv == Level::L5) {
    const Vec3<R> g = gravity_of(m, frame_of(m, before));
    return {ax + before.q * before.vz - g.x, ay - before.p * before.vz - g.y};
  } else if constexpr (Lv == Level::L3) {  // axes of the heading; the body leans in them
    const Vec3<R> g = gravity_of(m, frame_of(m, before));
    sincos(before.theta, s, c);
    const R along = (ax - g.x) * c + g.z * s;
    sincos(before.phi, s, c);
    return {along, (ay - g.y) * c - g.z * s};
  } else {
    sincos(before.psi, s, c);
    RoadWay<R> way{R(1.0), R(0.0), R(1.0), R(1.0)};
    const RoadGravity<R> g = road_gravity(m, before, c, s, way);
    return {ax - g.x, ay - g.y};
  }
}

}  // namespace vdsim
