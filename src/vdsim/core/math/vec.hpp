// SPDX-License-Identifier: Apache-2.0
// Vectors in space.
#pragma once
#include "vdsim/core/math/real.hpp"

namespace vdsim {

template <class R> struct Vec3 { R x, y, z; };

template <class R> VD_INLINE Vec3<R> operator+(const Vec3<R>& a, const Vec3<R>& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class R> VD_INLINE Vec3<R> operator-(const Vec3<R>& a, const Vec3<R>& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class R> VD_INLINE Vec3<R> operator*(const R& k, const Vec3<R>& a) { return {k * a.x, k * a.y, k * a.z}; }
template <class R> VD_INLINE R dot(const Vec3<R>& a, const Vec3<R>& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
template <class R> VD_INLINE Vec3<R> cross(const Vec3<R>& a, const Vec3<R>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
// Left and right are added first: mirror images keep their bits.
template <class R> VD_INLINE R sum4(const R& fl, const R& fr, const R& rl, const R& rr) {
  return (fl + fr) + (rl + rr);
}
template <class R> VD_INLINE Vec3<R> sum4(const Vec3<R> v[4]) { return (v[0] + v[1]) + (v[2] + v[3]); }

// Attitude: columns are the body axes in world axes.
template <class R> struct Rotation { Vec3<R> x, y, z; };
template <class R> VD_INLINE Vec3<R> to_world(const Rotation<R>& q, const Vec3<R>& v) {
  return v.x * q.x + v.y * q.y + v.z * q.z;
}
template <class R> VD_INLINE Vec3<R> to_body(const Rotation<R>& q, const Vec3<R>& v) {
  return {dot(q.x, v), dot(q.y, v), dot(q.z, v)};
}

}  // namespace vdsim
