// SPDX-License-Identifier: Apache-2.0
// The planar car: rates of all states from one instant, for L1 and L2 alike; a level adds its loads.
// One step, top to bottom: kinematics -> road -> loads and tire forces (solved together) -> brakes, drive, spin -> body.
// docs/theory/04_bicycle.md, 05_seven_dof.md, 07_wheels_brakes_drive.md.
#pragma once
#include "vdsim/core/vehicle/bicycle.hpp"
#include "vdsim/core/vehicle/seven_dof.hpp"
#include "vdsim/core/wheel/wheel_force.hpp"

namespace vdsim {

// [T04.1]  velocity of a contact point in its wheel frame, and the friction of the road there
template <class R, Level Lv, class Laws> VD_FN void contact_point(const Model<R, Lv, Laws>& m, const State<R, Lv>& s,
                                                                  const Stage<R, Lv>& g, int i, R cp, R sp,
                                                                  Contact<R>& c) {
  const auto& q = m.p.wheel[i];
  const R vx = s.vx - s.r * q.y, vy = s.vy + s.r * q.x;
  c.Vx = g.angle[i].c * vx + g.angle[i].s * vy;
  c.Vy = g.angle[i].c * vy - g.angle[i].s * vx;
  c.psidot = s.r + g.angle[i].rate;
  c.gamma = R(0.0);
  const R x = s.x + cp * q.x - sp * q.y, y = s.y + sp * q.x + cp * q.y;
  contact_on_road(m, s, i, x, y, c);
}
template <class R, Level Lv, class Laws> VD_FN void kinematics(const Model<R, Lv, Laws>& m, const State<R, Lv>& s,
                                                               const Stage<R, Lv>& g, R cp, R sp, R lam,
                                                               Outputs<R, Lv>& o) {
  VD_UNROLL for (int i = 0; i < kWheels<Lv>; ++i) {
    Contact<R>& c = o.wheel[i].contact;
    contact_point(m, s, g, i, cp, sp, c);
    c.lag = lam;
    c.patch = g.patch ? g.patch + i : nullptr;
    c.since = g.since;
    o.wheel[i].mu = c.mu_long;
    slip_free(m.kind.tire[i], m.p.wheel[i].tire, s.wheel[i], c, o.wheel[i].slip);
  }
}

// Gravity along the car, to its left, and against the road [m/s^2]; on a height field in the tangent plane under the CG.  [T06.4]
// `way` is left as it is on a road without heights.
template <class R> struct RoadGravity { R x, y, n; };
template <class R, Level Lv, class Laws>
VD_FN RoadGravity<R> road_gravity(const Model<R, Lv, Laws>& m, const State<R, Lv>& s, R cp, R sp, RoadWay<R>& way) {
  const auto& q = m.p.road;
  RoadGravity<R> g{q.gx * cp + q.gy * sp, q.gy * cp - q.gx * sp, q.gn};
  if (m.kind.road.flat) return g;
  const RoadHeight<R> h = road_height(m.kind.road, m.data, q, s.x, s.y);
  const R a = h.zx * cp + h.zy * sp, b = h.zy * cp - h.zx * sp, one = R(1.0);
  const R ia = one / sqrt(one + a * a), in = one / sqrt(one + a * a + b * b);
  // axes: (1, 0, a)/|.|, the normal (-a, -b, 1)/|.|, and the left one across both: (-a b, 1 + a^2, b)/|.|
  const R left = (one + a * a) * ia * in;
  way = {ia, -a * b * ia * in, left, (one + a * a) * in};
  return {(g.x - g.n * a) * ia, (g.y * (one + a * a) - b * (g.x * a + g.n)) * ia * in, (g.n + g.x * a + g.y * b) * in};
}
// [T06.17]  what the car goes along its heading and across it, as the plane of the road has it
template <class R, Level Lv, class Laws>
VD_FN void plane_speeds(const Model<R, Lv, Laws>& m, const RoadWay<R>& way, R& vx, R& vy) {
  if (m.kind.road.flat) return;
  vx = way.along * vx + way.aside * vy;
  vy = way.across * vy;
}

// [T04.5]  velocity of the car through the air, body axes
template <class R, Level Lv, class Laws>
VD_FN AirVelocity<R> through_air(const Model<R, Lv, Laws>& m, const State<R, Lv>& s, R cp, R sp) {
  const AirVelocity<R> w = road_wind(m.kind.road, m.data, m.p.road, s.x, s.y);
  return {s.vx - (w.x * cp + w.y * sp), s.vy - (w.y * cp - w.x * sp)};
}

template <class R, Level Lv, class Laws>
requires(!kSprung<Lv>) VD_FN void contacts(const Model<R, Lv, Laws>& m, const State<R, Lv>& s, const Stage<R, Lv>& g,
                                           Contact<R> c[kWheels<Lv>]) {
  R cp, sp;
  sincos(s.psi, sp, cp);
  VD_UNROLL for (int i = 0; i < kWheels<Lv>; ++i) contact_point(m, s, g, i, cp, sp, c[i]);
}

// Contact forces of all wheels at given loads, in body axes. Left and right are added first: mirror images keep their bits.
template <class R> struct BodyForce { R Fx, Fy, Mz; };
template <class R, Level Lv, class Laws>
VD_FN BodyForce<R> sum_forces(const Model<R, Lv, Laws>& m, const R fx[kWheels<Lv>], const R fy[kWheels<Lv>]) {
  const auto* w = m.p.wheel;
  if constexpr (Lv == Level::L1) {
    const R N = R(kCount<Lv>);
    return {N * (fx[0] + fx[1]), N * (fy[0] + fy[1]), N * (fy[0] * w[0].x + fy[1] * w[1].x)};
  } else {
    const R f = fy[0] + fy[1], r = fy[2] + fy[3];
    return {(fx[0] + fx[1]) + (fx[2] + fx[3]), f + r,
            (f * w[0].x + (fx[1] - fx[0]) * w[0].y) + (r * w[2].x + (fx[3] - fx[2]) * w[2].y)};
  }
}
template <class R, Level Lv, class Laws>
VD_FN BodyForce<R> contact_forces(const Model<R, Lv, Laws>& m, const State<R, Lv>& s, const Stage<R, Lv>& g, R fade,
                                  R hold, const R Fz[kWheels<Lv>], Outputs<R, Lv>& o) {
  R fx[kWheels<Lv>], fy[kWheels<Lv>];
  VD_UNROLL for (int i = 0; i < kWheels<Lv>; ++i) {
    WheelOut<R>& w = o.wheel[i];
    w.Fz = Fz[i];
    wheel_force(m, s, g, i, fade, hold, Fz[i], w);
    fx[i] = g.angle[i].c * w.Fx - g.angle[i].s * w.Fy;
    fy[i] = g.angle[i].s * w.Fx + g.angle[i].c * w.Fy;
  }
  return sum_forces(m, fx, fy);
}

// [T05.3]  Loads need the forces and the forces need the loads: find a = F(a)/m by Broyden's method from a close guess,
// to rounding (a few ulp of the forces over the mass). Each lane stops for itself, so a batch gives the bits of the single car.
template <class R, Level Lv, class Laws>
VD_FN BodyForce<R> solve_loads(const Model<R, Lv, Laws>& m, const State<R, Lv>& s, const Stage<R, Lv>& g,
                               const AeroOut<R>& air, R gn, R fade, R hold, Outputs<R, Lv>& o, Rates<R, Lv>& d) {
  const R zero = R(0.0), tol = R(sizeof(scalar_t<R>) == 8 ? 4e-12 : 2e-5);  // [m/s^2]
  R ax = s.ax, ay = s.ay, rx = zero, ry = zero, sx = zero, sy = zero;
  R h00 = R(1.0), h01 = zero, h10 = zero, h11 = R(1.0);
  mask_t<R> done(false);
  BodyForce<R> F;
  for (int round = 0; round < 24; ++round) {
    R Fz[kWheels<Lv>];
    vertical_loads(m, gn, air, ax, ay, Fz);
    F = contact_forces(m, s, g, fade, hold, Fz, o);
    const R nx = F.Fx * m.p.inv_m - ax, ny = F.Fy * m.p.inv_m - ay;
    done = done | (max(abs(nx), abs(ny)) <= tol);
    if (all(done)) break;
    if (round > 0) {  // H <- H - (s + H y) s'H/(s'H y)
      const R yx = nx - rx, yy = ny - ry;
      const R ux = sx + h00 * yx + h01 * yy, uy = sy + h10 * yx + h11 * yy;
      const R tx = sx * h00 + sy * h10, ty = sx * h01 + sy * h11, den = tx * yx + ty * yy;
      const R inv = select(abs(den) > R(kTiny), R(1.0) / den, zero);
      h00 -= ux * tx * inv;
      h01 -= ux * ty * inv;
      h10 -= uy * tx * inv;
      h11 -= uy * ty * inv;
    }
    rx = nx;
    ry = ny;
    sx = select(done, zero, h00 * rx + h01 * ry);
    sy = select(done, zero, h10 * rx + h11 * ry);
    ax += sx;
    ay += sy;
  }
  if constexpr (is_dual<R>) {  // the loop has found the values
    R a[2] = {ax, ay}, to[2];
    solved(
        [&](const R at[2], R out[2]) {
          R Fz[kWheels<Lv>];
          vertical_loads(m, gn, air, at[0], at[1], Fz);
          F = contact_forces(m, s, g, fade, hold, Fz, o);
          out[0] = F.Fx * m.p.inv_m, out[1] = F.Fy * m.p.inv_m;
        },
        a, to);
  }
  d.ax = F.Fx * m.p.inv_m;
  d.ay = F.Fy * m.p.inv_m;
  return F;
}

// The same of forces along and across the wheels.
template <class R, Level Lv, class Laws>
VD_FN BodyForce<R> sum_forces(const Model<R, Lv, Laws>& m, const Stage<R, Lv>& g, const R along[kWheels<Lv>],
                              const R across[kWheels<Lv>]) {
  R bx[kWheels<Lv>], by[kWheels<Lv>];
  VD_UNROLL for (int i = 0; i < kWheels<Lv>; ++i) {
    bx[i] = g.angle[i].c * along[i] - g.angle[i].s * across[i];
    by[i] = g.angle[i].s * along[i] + g.angle[i].c * across[i];
  }
  return sum_forces(m, bx, by);
}
// Forces along and across the wheels act on the car for a time h: what an integrator adds to a step.
template <class R, Level Lv, class Laws>
requires(!kSprung<Lv>) VD_FN
    void push_body(const Model<R, Lv, Laws>& m, const Stage<R, Lv>& g, const Outputs<R, Lv>&,
                   const R along[kWheels<Lv>], const R across[kWheels<Lv>], R h, State<R, Lv>& s) {
  const BodyForce<R> F = sum_forces(m, g, along, across);
  s.vx += h * F.Fx * m.p.inv_m;
  s.vy += h * F.Fy * m.p.inv_m;
  s.r += h * F.Mz * m.p.inv_Iz;
}

// Rates of all states. `decide`: first evaluation of a step, brakes choose between stick and slip; else `grip` is given.
template <class R, Level Lv, class Laws>
requires(!kSprung<Lv>) VD_FN void deriv(const Model<R, Lv, Laws>& m, const State<R, Lv>& s, const Stage<R, Lv>& g,
                                        bool decide, Grip<R> grip[2], Outputs<R, Lv>& o, Rates<R, Lv>& d) {
  const R zero = R(0.0), count = R(kCount<Lv>);
  R cp, sp;
  sincos(s.psi, sp, cp);
  AeroOut<R> air = aero(m.p.aero, s.vx);
  if (m.kind.road.wind) {
    const AirVelocity<R> u = through_air(m, s, cp, sp);
    air = aero_in_wind(m.p.aero, u.x, u.y);
  }
  R lam = R(1.0), hold = zero;
  if (m.kind.blend) {  // [T20.1]
    lam = blend_share(s.vx, s.vy);
    hold = (R(1.0) - lam) * g.hold;
  }
  kinematics(m, s, g, cp, sp, lam, o);
  const RoadGravity<R> gravity = road_gravity(m, s, cp, sp, o.way);
  BodyForce<R> F = solve_loads(m, s, g, air, gravity.n, lam, hold, o, d);
  d.power = {zero, zero, zero, zero, zero, zero, zero, zero, zero};
  VD_UNROLL for (int i = 0; i < kWheels<Lv>; ++i) {
    WheelOut<R>& w = o.wheel[i];
    w.moment = tire_rates(m.kind.tire[i], m.p.wheel[i].tire, s.wheel[i], w.contact, w.slip, w.force, w.Fz, d.wheel[i]);
    d.power.contact += count * (w.force.Fx * (w.contact.Vr - w.contact.Vx) - w.force.Fy * w.contact.Vy -
                                w.moment.Mz * w.contact.psidot);
    d.power.steer -= count * w.moment.Mz * g.angle[i].rate;
  }
  if constexpr (Lv == Level::L1)
    F.Mz += count * (o.wheel[0].moment.Mz + o.wheel[1].moment.Mz);
  else
    F.Mz += (o.wheel[0].moment.Mz + o.wheel[1].moment.Mz) + (o.wheel[2].moment.Mz + o.wheel[3].moment.Mz);
  VD_UNROLL for (int a = 0; a < 2; ++a) spin_axle(m, s, g, a, decide, o, grip[a], d);
  // [T04.2] body
  const R gx = gravity.x, gy = gravity.y;
  o.body_ax = F.Fx * m.p.inv_m + air.Fx * m.p.inv_m + gx;
  o.body_ay = F.Fy * m.p.inv_m + gy;
  R ahead = s.vx, left = s.vy;
  plane_speeds(m, o.way, ahead, left);
  d.x = ahead * cp - left * sp;
  d.y = ahead * sp + left * cp;
  d.psi = m.kind.road.flat ? s.r : o.way.turn * s.r;
  if (m.kind.road.wind) {
    o.body_ay += air.Fy * m.p.inv_m;
    F.Mz += air.Mz;
  }
  d.vx = o.body_ax + s.r * s.vy;
  d.vy = o.body_ay - s.r * s.vx;
  d.r = F.Mz * m.p.inv_Iz;
  d.power.gravity = m.p.m * (gx * s.vx + gy * s.vy);
  d.power.drag = -air.Fx * s.vx;
  if (m.kind.road.wind) d.power.drag -= air.Fy * s.vy + air.Mz * s.r;
  if (m.kind.rack) turn_rack(m, s, g, o, d);
  if (m.kind.blend) kinematic_blend(m, s, g, lam, o, d);
}

}  // namespace vdsim
