// SPDX-License-Identifier: Apache-2.0
// Where the hubs are, how they tilt and how they move: the kinematics of an axle. docs/theory/08_fourteen_dof.md.
#pragma once
#include <array>

#include "vdsim/core/suspension/sprung_params.hpp"

namespace vdsim {

// [T08.4]  inclination against the body: gamma_i = tilt s_i + tilt_other s_other. The contact point keeps to its path, so the hub
// moves sideways by -arm gamma and, on an arc, down by arm gamma^2/2.
template <class R> struct Hub {
  Vec3<R> at;          // [m]
  Vec3<R> own, other;  // its way per own travel, per that of the other wheel [-]
  R gamma;             // [rad]
};
template <class R> VD_FN Hub<R> hub_at(const CornerParams<R>& q, R s, R other) {
  const R zero = R(0.0), gamma = q.tilt * s + q.tilt_other * other, side = -q.arm * gamma;
  Hub<R> o;
  o.gamma = gamma;
  o.at = q.hub + s * q.path + Vec3<R>{zero, side, R(0.5) * side * gamma};
  const Vec3<R> lean{zero, -q.arm, side};
  o.own = q.path + q.tilt * lean;
  o.other = q.tilt_other * lean;
  return o;
}

// The unsprung masses of a car: places, ways, first moment [kg m] and inertia [kg m^2] of the whole about the CG at rest, the
// spin of the wheels left out.
template <class R> struct Inertia { R xx, xy, yy, xz, yz, zz; };
template <class R> VD_FN Inertia<R> point_inertia(R m, const Vec3<R>& a) {
  return {m * (a.y * a.y + a.z * a.z), -m * a.x * a.y, m * (a.x * a.x + a.z * a.z), -m * a.x * a.z, -m * a.y * a.z,
          m * (a.x * a.x + a.y * a.y)};
}
template <class R> VD_FN Inertia<R> operator+(const Inertia<R>& a, const Inertia<R>& b) {
  return {a.xx + b.xx, a.xy + b.xy, a.yy + b.yy, a.xz + b.xz, a.yz + b.yz, a.zz + b.zz};
}
template <class R> VD_FN Vec3<R> operator*(const Inertia<R>& J, const Vec3<R>& v) {
  return {J.xx * v.x + J.xy * v.y + J.xz * v.z, J.xy * v.x + J.yy * v.y + J.yz * v.z,
          J.xz * v.x + J.yz * v.y + J.zz * v.z};
}
template <class R> struct Masses {
  Hub<R> hub[4];
  Vec3<R> first;
  Inertia<R> J;
};
template <class R> VD_FN Masses<R> masses_of(const SprungParams<R>& p, const std::array<R, 4>& travel) {
  Masses<R> o;
  Vec3<R> first[4];
  Inertia<R> J[4];
  for (int i = 0; i < 4; ++i) {
    o.hub[i] = hub_at(p.corner[i], travel[i], travel[i ^ 1]);
    first[i] = p.corner[i].mass * o.hub[i].at;
    J[i] = point_inertia(p.corner[i].mass, o.hub[i].at);
  }
  o.first = p.ms * p.cs + sum4(first);
  o.J = Inertia<R>{p.Js.x, R(0.0), p.Js.y, R(0.0), R(0.0), p.Js.z} + point_inertia(p.ms, p.cs) +
        ((J[0] + J[1]) + (J[2] + J[3]));
  return o;
}

// [T09.4]  M = (m 1, -S x; S x, J) - sum over axles (g_l g_r) K^-1 (g_l g_r)', factorised. `wheels`: what the spins add to J.
template <class R>
VD_FN BodyMass<R> body_mass(const SprungParams<R>& p, R m, const Masses<R>& at, const Inertia<R>& wheels) {
  BodyMass<R> o;
  R g[4][6];
  for (int j = 0; j < 4; ++j) {
    const int k = j ^ 1;
    const Hub<R>&a = at.hub[j], &b = at.hub[k];
    const R ma = p.corner[j].mass, mb = p.corner[k].mass;
    o.push[j] = ma * a.own + mb * b.other;
    o.turn[j] = ma * cross(a.at, a.own) + mb * cross(b.at, b.other);
    o.own[k] = ma * dot(a.own, a.own) + mb * dot(b.other, b.other);  // K_jj, where 1/K has it after the division
    g[j][0] = o.push[j].x, g[j][1] = o.push[j].y, g[j][2] = o.push[j].z;
    g[j][3] = o.turn[j].x, g[j][4] = o.turn[j].y, g[j][5] = o.turn[j].z;
  }
  for (int a = 0; a < 2; ++a) {
    const Hub<R>&l = at.hub[2 * a], &r = at.hub[2 * a + 1];
    const R both = p.corner[2 * a].mass * dot(l.own, l.other) + p.corner[2 * a + 1].mass * dot(r.own, r.other);
    const R inv = R(1.0) / (o.own[2 * a] * o.own[2 * a + 1] - both * both);
    o.own[2 * a] *= inv;
    o.own[2 * a + 1] *= inv;
    o.across[a] = -both * inv;
  }
  const R zero = R(0.0);
  const Vec3<R> S = at.first;
  const Inertia<R> J = at.J + wheels;
  const R full[21] = {m,    zero, m,    zero, zero, m,   zero, -S.z, S.y,  J.xx, S.z,
                      zero, -S.x, J.xy, J.yy, -S.y, S.x, zero, J.xz, J.yz, J.zz};
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j <= i; ++j) {
      R x[4], y[2];
      for (int k = 0; k < 4; ++k) x[k] = o.own[k] * (g[k][i] * g[k][j]);
      for (int a = 0; a < 2; ++a) y[a] = o.across[a] * (g[2 * a][i] * g[2 * a + 1][j] + g[2 * a + 1][i] * g[2 * a][j]);
      o.factor.a[Sym6<R>::at(i, j)] = full[Sym6<R>::at(i, j)] - (sum4(x[0], x[1], x[2], x[3]) + (y[0] + y[1]));
    }
  factor6(o.factor);
  return o;
}

}  // namespace vdsim
