// SPDX-License-Identifier: Apache-2.0
// L5 free_3d: a rigid body at any attitude, four wheels on struts that move in it, contact in the tangent plane of the road.
// Everything in body axes; the full mass matrix, all gyroscopic terms. docs/theory/09_free_3d.md.
#pragma once
#include "vdsim/core/vehicle/sprung.hpp"
#include "vdsim/core/wheel/torus.hpp"

namespace vdsim {

template <class R> struct Rates<R, Level::L5> {
  R x, y, z, e0, ex, ey, ez, vx, vy, vz, p, q, r;
  std::array<R, 4> travel, speed;
  WheelAffine<R> wheel[4];
  R torque[4];  // net on each wheel: drive, friction, road [N m]
  RackRates<R> rack;
  Power<R> power;
};

// [T09.1]  columns of the rotation matrix of a unit quaternion
template <class R, class Laws>
VD_FN Rotation<R> frame_of(const Model<R, Level::L5, Laws>&, const State<R, Level::L5>& s) {
  const R two = R(2.0), one = R(1.0);
  return {
      {one - two * (s.ey * s.ey + s.ez * s.ez), two * (s.ex * s.ey + s.e0 * s.ez), two * (s.ex * s.ez - s.e0 * s.ey)},
      {two * (s.ex * s.ey - s.e0 * s.ez), one - two * (s.ex * s.ex + s.ez * s.ez), two * (s.ey * s.ez + s.e0 * s.ex)},
      {two * (s.ex * s.ez + s.e0 * s.ey), two * (s.ey * s.ez - s.e0 * s.ex), one - two * (s.ex * s.ex + s.ey * s.ey)}};
}

template <class R> VD_FN Vec3<R> in_axes(const Rotation<R>& f, const Vec3<R>& v) { return to_body(f, v); }

// Gravity in body axes [m/s^2].
template <class R, class Laws> VD_FN Vec3<R> gravity_of(const Model<R, Level::L5, Laws>& m, const Rotation<R>& f) {
  return to_body(f, Vec3<R>{m.p.road.gx, m.p.road.gy, -m.p.road.gn});
}

template <class R, class Laws> VD_FN void corner_of(const Model<R, Level::L5, Laws>& m, const State<R, Level::L5>& s,
                                                    const Stage<R, Level::L5>& g, const Rotation<R>& f, int i,
                                                    Corner<R>& k) {
  const R one = R(1.0);
  const CornerParams<R>& q = m.p.corner[i];
  const WheelAngle<R>& a = g.angle[i];
  const Hub<R> hub = hub_at(q, s.travel[i], s.travel[i ^ 1]);
  const Vec3<R> centre = Vec3<R>{s.x, s.y, s.z} + to_world(f, hub.at);
  const Vec3<R> ahead = to_world(f, Vec3<R>{a.c, a.s, R(0.0)});
  const R inv = one / sqrt(ahead.x * ahead.x + ahead.y * ahead.y + R(1e-12));
  const RoadPoint<R> road = road_surface(m.kind.road, m.data, m.p.road, centre.x, centre.y, centre.z, ahead.x * inv,
                                         ahead.y * inv, q.half_length, q.half_width);
  k.n = to_body(f, Vec3<R>{road.nx, road.ny, road.nz});
  R sg, cg;
  sincos(hub.gamma, sg, cg);
  k.spin = {-a.s * cg, a.c * cg, sg};
  const TorusContact<R> touch = torus_contact(hub.at, k.spin, k.n, road.gap, q.R0, q.crown);
  k.in = touch.in;
  k.at = touch.at;
  k.ex = touch.ex;
  k.ey = touch.ey;
  const Vec3<R> omega{s.p, s.q, s.r};
  // the carrier tilts about the wheel's heading
  const Vec3<R> lean = cross(Vec3<R>{a.c, a.s, R(0.0)}, k.at - hub.at);
  k.own = hub.own + q.tilt * lean;
  k.other = hub.other + q.tilt_other * lean;
  k.steered = a.rate * cross(Vec3<R>{R(0.0), R(0.0), one}, k.at - hub.at);
  k.V = Vec3<R>{s.vx, s.vy, s.vz} + cross(omega, k.at) + s.speed[i] * k.own + s.speed[i ^ 1] * k.other + k.steered;
  k.in_rate = -dot(k.n, k.V);
  k.gamma = touch.gamma;
  k.turn = dot(omega, k.n) + a.rate * k.n.z;
  k.x = centre.x;
  k.y = centre.y;
}

template <class R, class Laws>
VD_FN const BodyMass<R>& mass_of(const Model<R, Level::L5, Laws>&, const Outputs<R, Level::L5>& o) {
  return o.mass;
}

// The wheels turn with the body, as far as they are not free to stay behind: J += I (1 - b_ik) u_i u_k'.  [T09.5]
template <class R, class Laws> VD_FN void spin_inertia(const Model<R, Level::L5, Laws>& m,
                                                       const Outputs<R, Level::L5>& o, const R b[2][2][2],
                                                       Inertia<R>& J) {
  J = {R(0.0), R(0.0), R(0.0), R(0.0), R(0.0), R(0.0)};
  for (int a = 0; a < 2; ++a) {
    const Vec3<R>&u = o.corner[2 * a].spin, &v = o.corner[2 * a + 1].spin;
    const R I = m.p.axle[a].I, own[2] = {I * (R(1.0) - b[a][0][0]), I * (R(1.0) - b[a][1][1])},
            both = -I * R(0.5) * (b[a][0][1] + b[a][1][0]);
    const auto add = [&](R p, R q, R s, R t) {  // entry of own_0 p q + own_1 s t + both (p t + s q)
      return (own[0] * (p * q) + own[1] * (s * t)) + both * (p * t + s * q);
    };
    J = J + Inertia<R>{add(u.x, u.x, v.x, v.x), add(u.x, u.y, v.x, v.y), add(u.y, u.y, v.y, v.y),
                       add(u.x, u.z, v.x, v.z), add(u.y, u.z, v.y, v.z), add(u.z, u.z, v.z, v.z)};
  }
}

// What one wheel does to the body besides its contact: weight and inertia of its mass, its spin as a gyroscope.
template <class R> struct WheelInertia {
  Vec3<R> bias, lever;  // acceleration of the mass that M does not have, times mass [N], and its moment [N m]
  Vec3<R> drift;        // momentum by the travels [kg m/s]
  Vec3<R> H, reaction;  // angular momentum of the spin [N m s]; what its change takes from the body [N m]
  R own, other;         // on the travels of this wheel and of the other one [N]
  R swing;              // u' . omega: spin rate by the turning axis [rad/s^2]
};
template <class R> VD_FN WheelInertia<R> wheel_inertia(const CornerParams<R>& c, const Hub<R>& hub,
                                                       const WheelAngle<R>& angle, const Vec3<R>& u, R I, R w, R wdot,
                                                       R roll, R speed, R other, const Vec3<R>& omega,
                                                       const Vec3<R>& gr) {
  const R rate = c.tilt * speed + c.tilt_other * other, spins = I * (w + dot(u, omega));
  const Vec3<R> goes = speed * hub.own + other * hub.other;
  // [T09.7] centripetal, Coriolis, the bend of the path
  const Vec3<R> extra =
      cross(omega, cross(omega, hub.at)) + R(2.0) * cross(omega, goes) - Vec3<R>{R(0.0), R(0.0), c.arm * rate * rate};
  const Vec3<R> fall = c.mass * (gr - extra);
  // the axis turns with the steering, and as the wheel tilts with the travels: the travels do that work
  const Vec3<R> tilt = cross(Vec3<R>{angle.c, angle.s, R(0.0)}, u);
  const Vec3<R> du = angle.rate * Vec3<R>{-u.y, u.x, R(0.0)} + rate * tilt;
  const R twist = spins * dot(tilt, omega);
  WheelInertia<R> o;
  o.bias = c.mass * extra;
  o.lever = cross(hub.at, o.bias);
  o.drift = c.mass * goes;
  o.H = spins * u;
  o.reaction = (I * wdot + roll) * u + spins * du;
  o.own = dot(hub.own, fall) + c.tilt * twist;
  o.other = dot(hub.other, fall) + c.tilt_other * twist;
  o.swing = dot(du, omega);
  return o;
}

// [T09.3]  Newton and Euler for body and struts, wheels as gyroscopes
template <class R, class Laws>
VD_FN Response<R> body_of(const Model<R, Level::L5, Laws>& m, const State<R, Level::L5>& s,
                          const Stage<R, Level::L5>& g, const Rotation<R>& f, const AxleSpin<R> spin[2],
                          const Grip<R> grip[2], Wrench<R>& w, Outputs<R, Level::L5>& o, Rates<R, Level::L5>& d) {
  const Vec3<R> omega{s.p, s.q, s.r}, v{s.vx, s.vy, s.vz};
  const Vec3<R> gr = gravity_of(m, f);
  const Masses<R> at = masses_of(m.p, s.travel);
  R b[2][2][2], W[4];
  Vec3<R> bias[4], moment[4], H[4], drift[4];
  WheelInertia<R> k[4];
  for (int a = 0; a < 2; ++a) spin_answer(m.p.axle[a], spin[a].e, grip[a], b[a]);
  for (int i = 0; i < 4; ++i)
    k[i] = wheel_inertia(m.p.corner[i], at.hub[i], g.angle[i], o.corner[i].spin, m.p.axle[i / 2].I, s.wheel[i].w,
                         spin[i / 2].wdot[i & 1], spin[i / 2].roll[i & 1], s.speed[i], s.speed[i ^ 1], omega, gr);
  for (int i = 0; i < 4; ++i) {
    const Vec3<R>& u = o.corner[i].spin;
    const R(&q)[2][2] = b[i / 2];
    const int n = i & 1;
    // the wheels take the part of the rotation they are free to follow
    const R rest = m.p.axle[i / 2].I * (k[i].swing - (q[n][n] * k[i].swing + q[n][1 - n] * k[i ^ 1].swing));
    bias[i] = k[i].bias;
    moment[i] = k[i].lever + k[i].reaction + rest * u;
    H[i] = k[i].H;
    drift[i] = k[i].drift;
    w.Q[i] += k[i].own + k[i ^ 1].other;
    d.power.rolling += spin[i / 2].roll[n] * dot(u, omega);
    d.power.steer -= dot(k[i].H, u) * g.angle[i].rate * (u.x * s.q - u.y * s.p);
  }
  const Vec3<R> sprung = m.p.ms * cross(omega, cross(omega, m.p.cs)),
                Jw{m.p.Js.x * s.p, m.p.Js.y * s.q, m.p.Js.z * s.r};
  w.F = w.F + m.p.m * gr - sprung - sum4(bias);
  w.M = w.M + cross(at.first, gr) - cross(m.p.cs, sprung) - cross(omega, Jw + sum4(H)) - sum4(moment);
  Inertia<R> wheels;
  spin_inertia(m, o, b, wheels);
  o.mass = body_mass(m.p, m.p.m, at, wheels);
  const Response<R> acc = answer(o.mass, w, R(0.0));
  for (int i = 0; i < 4; ++i) W[i] = dot(o.corner[i].spin, acc.alpha) + k[i].swing;
  turn_spins(m, W, b, d);
  d.power.gravity = dot(gr, m.p.m * v + cross(omega, at.first) + sum4(drift));
  return acc;
}

// The impulse M on a car whose wheels turn with its body.  [T07.7]
template <class R, class Laws> VD_FN Response<R> answer_held(const Model<R, Level::L5, Laws>& m,
                                                             const State<R, Level::L5>& s,
                                                             const Outputs<R, Level::L5>& o, const Vec3<R>& M) {
  const R zero = R(0.0), none[2][2][2] = {{{zero, zero}, {zero, zero}}, {{zero, zero}, {zero, zero}}};
  Inertia<R> wheels;
  spin_inertia(m, o, none, wheels);
  return answer(body_mass(m.p, m.p.m, masses_of(m.p, s.travel), wheels),
                Wrench<R>{{zero, zero, zero}, M, {zero, zero, zero, zero}}, zero);
}

// [T09.1]  q' = q (0, omega)/2,  p' = R v,  v' = a - omega x v
template <class R, class Laws> VD_FN void pose_rates(const Model<R, Level::L5, Laws>&, const State<R, Level::L5>& s,
                                                     const Rotation<R>& f, const Response<R>& acc,
                                                     Rates<R, Level::L5>& d) {
  const R half = R(0.5);
  const Vec3<R> go = to_world(f, Vec3<R>{s.vx, s.vy, s.vz});
  d.x = go.x;
  d.y = go.y;
  d.z = go.z;
  d.e0 = -half * (s.ex * s.p + s.ey * s.q + s.ez * s.r);
  d.ex = half * (s.e0 * s.p + s.ey * s.r - s.ez * s.q);
  d.ey = half * (s.e0 * s.q + s.ez * s.p - s.ex * s.r);
  d.ez = half * (s.e0 * s.r + s.ex * s.q - s.ey * s.p);
  const Vec3<R> dv = acc.a - cross(Vec3<R>{s.p, s.q, s.r}, Vec3<R>{s.vx, s.vy, s.vz});
  d.vx = dv.x;
  d.vy = dv.y;
  d.vz = dv.z;
  d.p = acc.alpha.x;
  d.q = acc.alpha.y;
  d.r = acc.alpha.z;
}

}  // namespace vdsim
