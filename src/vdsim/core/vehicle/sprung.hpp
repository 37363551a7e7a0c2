// SPDX-License-Identifier: Apache-2.0
// A car on springs: what L3 and L5 share. Loads follow from the state, so no equation is solved for them.
// One step, top to bottom: kinematics -> road -> load -> tire -> brakes, drive, spin -> struts -> body.
// docs/theory/08_fourteen_dof.md, 09_free_3d.md.
#pragma once
#include "vdsim/core/suspension/hub.hpp"
#include "vdsim/core/wheel/wheel_force.hpp"

namespace vdsim {

// One wheel on the road. Body axes (L3: heading axes), points from the CG.
template <class R> struct Corner {
  Vec3<R> at;          // contact point [m]
  Vec3<R> ex, ey, n;   // wheel frame on the road: forward, left, normal
  Vec3<R> V;           // velocity of the wheel carrier at the contact point [m/s],
  Vec3<R> steered;     // and the part of it that the steering makes (L5)
  Vec3<R> spin;        // axis of the wheel
  Vec3<R> own, other;  // way of the contact point per travel of this wheel, of the other one (L5) [-]
  R in, in_rate;       // deflection of the tire [m], [m/s]
  R gamma, turn;       // inclination [rad], turn rate of the wheel frame about n [rad/s]
  R x, y;              // place on the plane [m]
};

// Generalised force: on the car at its CG, about its CG, and along each travel.
template <class R> struct Wrench {
  Vec3<R> F, M;
  R Q[4];
};
template <class R> struct Response {
  Vec3<R> a, alpha;  // of the CG [m/s^2], of the body [rad/s^2]
  R travel[4];       // [m/s^2]
};

template <class R> struct SprungOutputs {
  WheelOut<R> wheel[4];
  Corner<R> corner[4];
  R body_ax, body_ay, body_az;  // acceleration of the CG, body axes [m/s^2]
};
template <class R> struct Outputs<R, Level::L3> : SprungOutputs<R> {};
template <class R> struct Outputs<R, Level::L5> : SprungOutputs<R> {
  BodyMass<R> mass;  // at this attitude of the struts
};

// [T08.5]  The travels are eliminated: M (a, alpha) = f - sum g_j q_j, q = K^-1 Q per axle, and then
// s_j'' = q_j - (K^-1 g . (a, alpha))_j.
template <class R> VD_FN Response<R> answer(const BodyMass<R>& mass, const Wrench<R>& w, R extra_pitch) {
  Vec3<R> F[4], M[4];
  R q[4], back[4];
  for (int j = 0; j < 4; ++j) {
    q[j] = mass.own[j] * w.Q[j] + mass.across[j / 2] * w.Q[j ^ 1];
    F[j] = q[j] * mass.push[j];
    M[j] = q[j] * mass.turn[j];
  }
  const Vec3<R> f = w.F - sum4(F), m = w.M - sum4(M);
  R x[6] = {f.x, f.y, f.z, m.x, m.y, m.z};
  solve6(mass.factor, x);
  // [T08.7] wheels that turn with the body, or drag an engine along, weigh on its pitch
  if (any(extra_pitch != R(0.0))) {
    R e[6] = {R(0.0), R(0.0), R(0.0), R(0.0), R(1.0), R(0.0)};
    solve6(mass.factor, e);
    const R k = extra_pitch * x[4] / (R(1.0) + extra_pitch * e[4]);
    for (int i = 0; i < 6; ++i) x[i] -= k * e[i];
  }
  Response<R> o{{x[0], x[1], x[2]}, {x[3], x[4], x[5]}, {}};
  for (int j = 0; j < 4; ++j) back[j] = dot(mass.push[j], o.a) + dot(mass.turn[j], o.alpha);
  for (int j = 0; j < 4; ++j) o.travel[j] = q[j] - (mass.own[j] * back[j] + mass.across[j / 2] * back[j ^ 1]);
  return o;
}

// The contact as the tire sees it.
template <class R, Level Lv, class Laws> VD_FN void sprung_contact(const Model<R, Lv, Laws>& m, const State<R, Lv>& s,
                                                                   const Stage<R, Lv>& g, int i, R lam,
                                                                   const Corner<R>& k, Contact<R>& c) {
  c.Vx = dot(k.V, k.ex);
  c.Vy = dot(k.V, k.ey);
  c.psidot = k.turn;
  c.gamma = k.gamma;
  contact_on_road(m, s, i, k.x, k.y, c);
  c.lag = lam;
  c.patch = g.patch ? g.patch + i : nullptr;
  c.since = g.since;
}

template <class R, Level Lv, class Laws>
requires(kSprung<Lv>) VD_FN
    void contacts(const Model<R, Lv, Laws>& m, const State<R, Lv>& s, const Stage<R, Lv>& g, Contact<R> c[4]) {
  const auto frame = frame_of(m, s);
  for (int i = 0; i < 4; ++i) {
    Corner<R> k;
    corner_of(m, s, g, frame, i, k);
    sprung_contact(m, s, g, i, R(1.0), k, c[i]);
  }
}

// Load, force and moments of one wheel; what they do to the car.
template <class R, Level Lv, class Laws>
VD_FN void sprung_wheel(const Model<R, Lv, Laws>& m, const State<R, Lv>& s, const Stage<R, Lv>& g, int i, R lam, R hold,
                        Outputs<R, Lv>& o, Rates<R, Lv>& d, Vec3<R>& F, Vec3<R>& M, R& Q, R& across) {
  const CornerParams<R>& q = m.p.corner[i];
  const Corner<R>& k = o.corner[i];
  WheelOut<R>& w = o.wheel[i];
  sprung_contact(m, s, g, i, lam, k, w.contact);
  w.mu = w.contact.mu_long;
  w.Fz = tire_load(q.strut, k.in, k.in_rate);
  slip_free(m.kind.tire[i], m.p.wheel[i].tire, s.wheel[i], w.contact, w.slip);
  wheel_force(m, s, g, i, lam, hold, w.Fz, w);
  w.moment = tire_rates(m.kind.tire[i], m.p.wheel[i].tire, s.wheel[i], w.contact, w.slip, w.force, w.Fz, d.wheel[i]);
  F = w.Fx * k.ex + w.Fy * k.ey + w.Fz * k.n;
  M = cross(k.at, F) + w.moment.Mz * k.n + w.moment.Mx * k.ex;
  const StrutForce<R> strut = strut_force(q.strut, s.travel[i], s.speed[i], s.travel[i ^ 1]);
  // the overturning moment turns the carrier as it tilts
  Q = dot(k.own, F) - strut.S + q.tilt * w.moment.Mx;
  across = q.tilt_other * w.moment.Mx;
  if constexpr (Lv == Level::L5) across += dot(k.other, F);
  // [T08.8] where the power of this wheel goes
  const Vec3<R> omega{s.p, s.q, s.r};
  d.power.contact += w.force.Fx * (w.contact.Vr - w.contact.Vx) - w.force.Fy * w.contact.Vy -
                     w.moment.Mz * w.contact.psidot -
                     w.moment.Mx * (dot(omega, k.ex) + q.tilt * s.speed[i] + q.tilt_other * s.speed[i ^ 1]);
  d.power.steer -= w.moment.Mz * (k.turn - dot(omega, k.n));
  if constexpr (Lv == Level::L5) d.power.steer -= dot(F, k.steered);
  d.power.damper += strut.damper * s.speed[i] + (w.Fz - q.strut.kt * max(k.in, R(0.0))) * k.in_rate;
}

// [T04.5]  velocity of the car through the air, along its axes; the level gives in_axes()
template <class R, Level Lv, class Laws, class Frame>
VD_FN AirVelocity<R> through_air(const Model<R, Lv, Laws>& m, const State<R, Lv>& s, const Frame& frame) {
  const AirVelocity<R> w = road_wind(m.kind.road, m.data, m.p.road, s.x, s.y);
  const Vec3<R> b = in_axes(frame, Vec3<R>{w.x, w.y, R(0.0)});
  return {s.vx - b.x, s.vy - b.y};
}

// Rates of all states; the level gives frame(), corner(), and body().
template <class R, Level Lv, class Laws>
requires(kSprung<Lv>) VD_FN void deriv(const Model<R, Lv, Laws>& m, const State<R, Lv>& s, const Stage<R, Lv>& g,
                                       bool decide, Grip<R> grip[2], Outputs<R, Lv>& o, Rates<R, Lv>& d) {
  const R zero = R(0.0);
  const auto frame = frame_of(m, s);
  R lam = R(1.0), hold = zero;
  if (m.kind.blend) {  // [T20.1]
    lam = blend_share(s.vx, s.vy);
    hold = (R(1.0) - lam) * g.hold;
  }
  d.power = Power<R>{zero, zero, zero, zero, zero, zero, zero, zero, zero};
  Vec3<R> F[4], M[4];
  Wrench<R> w;
  R across[4];
  for (int i = 0; i < 4; ++i) {
    corner_of(m, s, g, frame, i, o.corner[i]);
    sprung_wheel(m, s, g, i, lam, hold, o, d, F[i], M[i], w.Q[i], across[i]);
  }
  for (int i = 0; i < 4; ++i) w.Q[i] += across[i ^ 1];
  AxleSpin<R> spin[2];
  for (int a = 0; a < 2; ++a) spin[a] = spin_axle(m, s, g, a, decide, o, grip[a], d);
  AeroOut<R> air = aero(m.p.aero, s.vx);
  if (m.kind.road.wind) {
    const AirVelocity<R> u = through_air(m, s, frame);
    air = aero_in_wind(m.p.aero, u.x, u.y);
  }
  w.F = sum4(F) + Vec3<R>{air.Fx, zero, -(air.down_front + air.down_rear)};
  w.M = sum4(M) + Vec3<R>{zero, air.down_front * m.p.wheel[0].x + air.down_rear * m.p.wheel[2].x, zero};
  d.power.drag = -air.Fx * s.vx + (air.down_front + air.down_rear) * s.vz -
                 (air.down_front * m.p.wheel[0].x + air.down_rear * m.p.wheel[2].x) * s.q;
  if (m.kind.road.wind) {
    w.F.y += air.Fy;
    w.M.z += air.Mz;
    d.power.drag -= air.Fy * s.vy + air.Mz * s.r;
  }
  const Response<R> acc = body_of(m, s, g, frame, spin, grip, w, o, d);
  pose_rates(m, s, frame, acc, d);
  o.body_ax = acc.a.x;
  o.body_ay = acc.a.y;
  o.body_az = acc.a.z;
  for (int i = 0; i < 4; ++i) {
    d.travel[i] = s.speed[i];
    d.speed[i] = acc.travel[i];
  }
  if (m.kind.rack) turn_rack(m, s, g, o, d);
  if (m.kind.blend) kinematic_blend(m, s, g, lam, o, d);
}

// [T09.5]  The spins as the body turns: W_i = (u_i . omega)'. The road's part stays implicit as it is.
template <class R, Level Lv, class Laws>
VD_FN void turn_spins(const Model<R, Lv, Laws>& m, const R W[4], const R b[2][2][2], Rates<R, Lv>& d) {
  for (int a = 0; a < 2; ++a)
    for (int k = 0; k < 2; ++k) {
      const int i = 2 * a + k, j = 2 * a + 1 - k;
      d.wheel[i].w.v -= b[a][k][k] * W[i] + b[a][k][1 - k] * W[j];
      d.torque[i] -= m.p.axle[a].I * W[i];
    }
}

// Forces along and across the wheels act on the car for a time h: what an integrator adds to a step.
template <class R, Level Lv, class Laws>
requires(kSprung<Lv>) VD_FN void push_body(const Model<R, Lv, Laws>& m, const Stage<R, Lv>&, const Outputs<R, Lv>& o,
                                           const R along[4], const R across[4], R h, State<R, Lv>& s) {
  Vec3<R> F[4], M[4];
  Wrench<R> w;
  for (int i = 0; i < 4; ++i) {
    F[i] = along[i] * o.corner[i].ex + across[i] * o.corner[i].ey;
    M[i] = cross(o.corner[i].at, F[i]);
    w.Q[i] = dot(o.corner[i].own, F[i]);
  }
  if constexpr (Lv == Level::L5)
    for (int i = 0; i < 4; ++i) w.Q[i] += dot(o.corner[i ^ 1].other, F[i ^ 1]);
  w.F = sum4(F);
  w.M = sum4(M);
  const Response<R> acc = answer(mass_of(m, o), w, R(0.0));
  s.vx += h * acc.a.x;
  s.vy += h * acc.a.y;
  s.vz += h * acc.a.z;
  s.p += h * acc.alpha.x;
  s.q += h * acc.alpha.y;
  s.r += h * acc.alpha.z;
  for (int i = 0; i < 4; ++i) s.speed[i] += h * acc.travel[i];
}

// [T07.7]  Dry friction stopped wheels within the step. The body has had the reaction to their going on to the spin `lost`: it gets
// that back, with all wheels turning as the body does in that instant.
template <class R, Level Lv, class Laws>
requires(kSprung<Lv>) VD_FN
    void return_spin(const Model<R, Lv, Laws>& m, const Outputs<R, Lv>& o, const R lost[4], State<R, Lv>& s) {
  mask_t<R> stopped(false);
  for (int i = 0; i < 4; ++i) stopped = stopped | (lost[i] != R(0.0));
  if (!any(stopped)) return;
  Vec3<R> M[4];
  for (int i = 0; i < 4; ++i) M[i] = (m.p.axle[i / 2].I * lost[i]) * o.corner[i].spin;
  const Response<R> acc = answer_held(m, s, o, sum4(M));
  const auto add = [&](R& to, R more) { to = select(stopped, to + more, to); };
  add(s.vx, acc.a.x), add(s.vy, acc.a.y), add(s.vz, acc.a.z);
  add(s.p, acc.alpha.x), add(s.q, acc.alpha.y), add(s.r, acc.alpha.z);
  for (int i = 0; i < 4; ++i) add(s.speed[i], acc.travel[i]);
}

}  // namespace vdsim
