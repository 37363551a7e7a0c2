// SPDX-License-Identifier: Apache-2.0
// L3 fourteen_dof: the planar motion of L2 with heave, roll, pitch and four wheels on struts, in one state.
// Angles are small and the mass matrix is that of the car at rest; the road is a plane with heights on it.
// docs/theory/08_fourteen_dof.md.
#pragma once
#include "vdsim/core/vehicle/sprung.hpp"

namespace vdsim {

template <class R> struct Rates<R, Level::L3> {
  R x, y, psi, z, phi, theta, vx, vy, vz, p, q, r;
  std::array<R, 4> travel, speed;
  WheelAffine<R> wheel[4];
  R torque[4];  // net on each wheel: drive, friction, road [N m]
  RackRates<R> rack;
  Power<R> power;
};

// Heading.
template <class R> struct HeadingFrame { R c, s; };
template <class R, class Laws>
VD_FN HeadingFrame<R> frame_of(const Model<R, Level::L3, Laws>&, const State<R, Level::L3>& s) {
  HeadingFrame<R> f;
  sincos(s.psi, f.s, f.c);
  return f;
}

template <class R> VD_FN Vec3<R> in_axes(const HeadingFrame<R>& f, const Vec3<R>& v) {
  return {v.x * f.c + v.y * f.s, v.y * f.c - v.x * f.s, v.z};
}

// Gravity in heading axes [m/s^2].
template <class R, class Laws> VD_FN Vec3<R> gravity_of(const Model<R, Level::L3, Laws>& m, const HeadingFrame<R>& f) {
  return {m.p.road.gx * f.c + m.p.road.gy * f.s, m.p.road.gy * f.c - m.p.road.gx * f.s, -m.p.road.gn};
}

// [T08.6]  Contact point (x - theta (h - arm) - arm n_x, y + phi h, -(h + z) + road): under the hub along the road, a wheel has no
// foot that turns with the body; across it leans with the body, and tilt puts it upright. The load has its true lever.
// Deflection in = in_0 + road - (z + y phi - x theta + (h phi^2 + (h - arm) theta^2)/2 + s), whose rate is -n . V.
template <class R, class Laws> VD_FN void corner_of(const Model<R, Level::L3, Laws>& m, const State<R, Level::L3>& s,
                                                    const Stage<R, Level::L3>& g, const HeadingFrame<R>& f, int i,
                                                    Corner<R>& k) {
  const R zero = R(0.0), one = R(1.0), h = m.p.h;
  const CornerParams<R>& q = m.p.corner[i];
  const WheelAngle<R>& a = g.angle[i];
  // the path of the contact point, turned with the body; to second order along z, where the load acts
  const R up = s.travel[i], low = h - up, lean = R(0.5) * (s.phi * s.phi + s.theta * s.theta);
  k.own = {q.path.x + s.theta, q.path.y - s.phi, one + q.path.y * s.phi - q.path.x * s.theta - lean};
  k.at = {q.hub.x - s.theta * (low - q.arm) + up * q.path.x, q.hub.y + s.phi * low + up * q.path.y, -(h + s.z)};
  k.x = s.x + f.c * k.at.x - f.s * k.at.y;
  k.y = s.y + f.s * k.at.x + f.c * k.at.y;
  RoadHeight<R> road{zero, zero, zero};
  if (!m.kind.road.flat)
    road = road_height_patch(m.kind.road, m.data, m.p.road, k.x, k.y, f.c * a.c - f.s * a.s, f.s * a.c + f.c * a.s,
                             q.half_length, q.half_width);
  k.at.z += road.z;
  k.n = {-(road.zx * f.c + road.zy * f.s), road.zx * f.s - road.zy * f.c, one};
  k.at.x -= q.arm * k.n.x;
  k.ex = {a.c, a.s, zero};
  k.ey = {-a.s, a.c, zero};
  k.spin = {zero, one, zero};
  k.V = Vec3<R>{s.vx, s.vy, s.vz} + cross(Vec3<R>{s.p, s.q, s.r}, k.at) + s.speed[i] * k.own;
  k.in = q.in_rest + road.z -
         (s.z + q.hub.y * s.phi - q.hub.x * s.theta + (h * lean - R(0.5) * q.arm * s.theta * s.theta) + up * k.own.z);
  k.in_rate = -dot(k.n, k.V);
  k.gamma = s.phi + (q.tilt * s.travel[i] + q.tilt_other * s.travel[i ^ 1]) + k.n.y;
  k.turn = dot(Vec3<R>{s.p, s.q, s.r}, k.n) + a.rate;
}

template <class R, class Laws>
VD_FN const BodyMass<R>& mass_of(const Model<R, Level::L3, Laws>& m, const Outputs<R, Level::L3>&) {
  return m.p.rest;
}

// [T08.9]  The weight of a wheel whose body leans and whose travels have moved it: on its own travel, on that of the other wheel,
// and its moments. A wheel that leans by phi + gamma over its contact point topples with m g arm (phi + gamma).
template <class R> struct WheelWeight { R own, other, Mx, My; };
template <class R>
VD_FN WheelWeight<R> wheel_weight(const CornerParams<R>& c, const Vec3<R>& gr, R phi, R theta, R s, R other) {
  const R gamma = c.tilt * s + c.tilt_other * other, G = -c.mass * gr.z, topple = G * c.arm * (phi + gamma);
  return {G * (c.path.x * theta - c.path.y * phi) + c.mass * (gr.x * theta - gr.y * phi) + c.tilt * topple,
          c.tilt_other * topple, G * (c.arm * gamma - c.path.y * s) - c.mass * gr.y * s,
          G * c.path.x * s + c.mass * gr.x * s};
}

// [T08.5]  the body: gravity, gyroscopic moments of the wheels, reaction of their spin
template <class R, class Laws>
VD_FN Response<R> body_of(const Model<R, Level::L3, Laws>& m, const State<R, Level::L3>& s, const Stage<R, Level::L3>&,
                          const HeadingFrame<R>& f, const AxleSpin<R> spin[2], const Grip<R> grip[2], Wrench<R>& w,
                          Outputs<R, Level::L3>&, Rates<R, Level::L3>& d) {
  const Vec3<R> gr = gravity_of(m, f);
  w.F = w.F + m.p.m * gr;
  R mx[4], my[4], up[4], b[2][2][2], H[2], reaction[2], tilting[4], extra = R(0.0);
  WheelWeight<R> leaned[4];
  for (int i = 0; i < 4; ++i) leaned[i] = wheel_weight(m.p.corner[i], gr, s.phi, s.theta, s.travel[i], s.travel[i ^ 1]);
  for (int i = 0; i < 4; ++i) {
    const CornerParams<R>&c = m.p.corner[i], &o = m.p.corner[i ^ 1];
    // the wheels as gyroscopes that tilt with the travels: what yaw does to these, they do to yaw
    const R spins = m.p.axle[i / 2].I * s.wheel[i].w, other = m.p.axle[i / 2].I * s.wheel[i ^ 1].w;
    const R weight = dot(m.p.rest.push[i], gr) + (leaned[i].own + leaned[i ^ 1].other);
    w.Q[i] += weight + (c.tilt * spins + o.tilt_other * other) * s.r;
    tilting[i] = spins * (c.tilt * s.speed[i] + c.tilt_other * s.speed[i ^ 1]);
    mx[i] = m.p.rest.push[i].x * s.speed[i];
    my[i] = m.p.rest.push[i].y * s.speed[i];
    up[i] = s.speed[i] * weight;
  }
  for (int a = 0; a < 2; ++a) {
    const R I = m.p.axle[a].I;
    spin_answer(m.p.axle[a], spin[a].e, grip[a], b[a]);
    H[a] = I * (s.wheel[2 * a].w + s.wheel[2 * a + 1].w);
    reaction[a] = I * (spin[a].wdot[0] + spin[a].wdot[1]) + (spin[a].roll[0] + spin[a].roll[1]);
    extra += I * ((R(1.0) - b[a][0][0] - b[a][0][1]) + (R(1.0) - b[a][1][0] - b[a][1][1]));
    d.power.rolling += (spin[a].roll[0] + spin[a].roll[1]) * s.q;
  }
  // momentum of the travels in the turning frame
  const R spin_H = H[0] + H[1], Px = sum4(mx[0], mx[1], mx[2], mx[3]), Py = sum4(my[0], my[1], my[2], my[3]);
  w.F = w.F + Vec3<R>{s.r * Py, -(s.r * Px), R(0.0)};
  const R Mx = sum4(leaned[0].Mx, leaned[1].Mx, leaned[2].Mx, leaned[3].Mx),
          My = sum4(leaned[0].My, leaned[1].My, leaned[2].My, leaned[3].My);
  w.M = w.M + Vec3<R>{s.r * spin_H + Mx, My - (reaction[0] + reaction[1]),
                      -(s.p * spin_H + sum4(tilting[0], tilting[1], tilting[2], tilting[3]))};
  const Response<R> acc = answer(m.p.rest, w, extra);
  const R W[4] = {acc.alpha.y, acc.alpha.y, acc.alpha.y, acc.alpha.y};
  turn_spins(m, W, b, d);
  d.power.gravity =
      m.p.m * (gr.x * s.vx + gr.y * s.vy + gr.z * s.vz) + sum4(up[0], up[1], up[2], up[3]) + (Mx * s.p + My * s.q);
  return acc;
}

// The impulse M on a car whose wheels turn with its body.  [T07.7]
template <class R, class Laws> VD_FN Response<R> answer_held(const Model<R, Level::L3, Laws>& m,
                                                             const State<R, Level::L3>&, const Outputs<R, Level::L3>&,
                                                             const Vec3<R>& M) {
  const R zero = R(0.0);
  return answer(m.p.rest, Wrench<R>{{zero, zero, zero}, M, {zero, zero, zero, zero}},
                R(2.0) * (m.p.axle[0].I + m.p.axle[1].I));
}

template <class R, class Laws> VD_FN void pose_rates(const Model<R, Level::L3, Laws>&, const State<R, Level::L3>& s,
                                                     const HeadingFrame<R>& f, const Response<R>& acc,
                                                     Rates<R, Level::L3>& d) {
  d.x = s.vx * f.c - s.vy * f.s;
  d.y = s.vx * f.s + s.vy * f.c;
  d.psi = s.r;
  d.z = s.vz;
  d.phi = s.p;
  d.theta = s.q;
  d.vx = acc.a.x + s.r * s.vy;
  d.vy = acc.a.y - s.r * s.vx;
  d.vz = acc.a.z;
  d.p = acc.alpha.x;
  d.q = acc.alpha.y;
  d.r = acc.alpha.z;
}

}  // namespace vdsim
