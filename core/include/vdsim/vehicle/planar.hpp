// The planar car: rates of all states from one instant, for L1 (NW = 2) and L2 (NW = 4) alike; a level adds its loads.
// One step, top to bottom: kinematics -> road -> loads and tire forces (solved together) -> brakes, drive, spin -> body.
// docs/theory/04_bicycle.md, 05_seven_dof.md, 07_wheels_brakes_drive.md.
#pragma once
#include "vdsim/vehicle/bicycle.hpp"
#include "vdsim/vehicle/seven_dof.hpp"

namespace vdsim {

// Commands turned into geometry and torque; made once per distinct stage time.
template <class R, int NW> struct Stage {
  WheelAngle<R> angle[NW];
  R T[2];             // drive torque per axle [N m]
  R cap[2];           // brake capacity of one wheel per axle [N m]
  R in_gear;          // 1, or 0 in neutral
  R tan_delta, hold;  // fallback: kinematic steer, brake-hold gate
  // contact-patch LuGre: tires of the car, null if it has none; time since they were written [s]
  const PatchTire<scalar_t<R>>* patch;
  R since;
};

template <class R, int NW> VD_FN Stage<R, NW> make_stage(const Model<R, NW>& m, const Inputs<R>& in, R steer_rate,
                                                         const PatchTire<scalar_t<R>>* patch = nullptr,
                                                         R since = R(0.0)) {
  Stage<R, NW> g;
  g.patch = patch;
  g.since = since;
  const R delta = clamp(in.steer, -m.p.max_steer, m.p.max_steer);
  const R rate = select(abs(in.steer) <= m.p.max_steer, steer_rate, R(0.0));
  constexpr int n = NW / 2;
  for (int i = 0; i < n; ++i) g.angle[i] = ackermann(delta, rate, m.p.wheel[i].y, m.p.inv_L, m.p.ackermann);
  for (int i = n; i < NW; ++i) g.angle[i] = {R(1.0), R(0.0), R(0.0)};
  for (int a = 0; a < 2; ++a) {
    g.T[a] = in.throttle * in.gear * m.p.axle[a].drive;
    g.cap[a] = in.brake * m.p.axle[a].brake + in.handbrake * m.p.axle[a].handbrake;
  }
  g.in_gear = abs(in.gear);
  g.tan_delta = m.kind.blend ? tan(delta) : R(0.0);
  g.hold = clamp(max(in.brake, in.handbrake) - in.throttle, R(0.0), R(1.0));
  return g;
}

// Power [W] by where it goes; an integrator adds them up to the energy book.
template <class R> struct Power { R drive, gravity, brake, rolling, drag, contact, steer, hold; };

// One evaluation, wheel by wheel: what a recorder reads, and what the evaluation itself passes on.
template <class R> struct WheelOut {
  Contact<R> contact;
  TireSlip<R> slip;
  TireForce<R> force;  // of the tire
  TireMoments<R> moment;
  R Fx, Fy, Fz;  // that act on the car, wheel frame: tire, and the brake-hold damper of the fallback
  R mu;
};
template <class R, int NW> struct Outputs {
  WheelOut<R> wheel[NW];
  R body_ax, body_ay;  // acceleration of the CG, body axes [m/s^2]
};

// What an integrator needs from one evaluation.
template <class R, int NW> struct Rates {
  R x, y, psi, vx, vy, r;
  R ax, ay;  // contact force / mass: start of the next load solution
  WheelAffine<R> wheel[NW];
  R torque[NW];  // net on each wheel: drive, friction, road [N m]
  Power<R> power;
};

// [T04.1]  velocity of a contact point in its wheel frame, and the friction of the road there
template <class R, int NW> VD_FN void contact_point(const Model<R, NW>& m, const State<R, NW>& s, const Stage<R, NW>& g,
                                                    int i, R cp, R sp, Contact<R>& c) {
  const WheelParams<R>& q = m.p.wheel[i];
  const R vx = s.vx - s.r * q.y, vy = s.vy + s.r * q.x;
  c.Vx = g.angle[i].c * vx + g.angle[i].s * vy;
  c.Vy = g.angle[i].c * vy - g.angle[i].s * vx;
  c.psidot = s.r + g.angle[i].rate;
  c.gamma = R(0.0);
  c.Re = q.tire.R0;
  c.Vr = q.tire.R0 * s.wheel[i].w;
  c.pressure = R(0.0);
  const R x = s.x + cp * q.x - sp * q.y, y = s.y + sp * q.x + cp * q.y;
  R mu = road_mu(m.kind.road, m.p.road, x, y);
  if (m.kind.tire[i].rally) mu = mu * rally_texture(m.kind.tire[i].rally_law, q.tire.rally, x, y);
  c.mu_long = mu;
  c.mu_lat = mu;
}
template <class R, int NW> VD_FN void kinematics(const Model<R, NW>& m, const State<R, NW>& s, const Stage<R, NW>& g,
                                                 R cp, R sp, R lam, Outputs<R, NW>& o) {
  for (int i = 0; i < NW; ++i) {
    Contact<R>& c = o.wheel[i].contact;
    contact_point(m, s, g, i, cp, sp, c);
    c.lag = lam;
    c.patch = g.patch ? g.patch + i : nullptr;
    c.since = g.since;
    o.wheel[i].mu = c.mu_long;
    slip_free(m.kind.tire[i], m.p.wheel[i].tire, s.wheel[i], c, o.wheel[i].slip);
  }
}

// Contact forces of all wheels at given loads, in body axes. Left and right are added first: mirror images keep their bits.
template <class R> struct BodyForce { R Fx, Fy, Mz; };
template <class R, int NW> VD_FN BodyForce<R> sum_forces(const Model<R, NW>& m, const R fx[NW], const R fy[NW]) {
  const WheelParams<R>* w = m.p.wheel;
  if constexpr (NW == 2) {
    const R N = R(Model<R, NW>::count);
    return {N * (fx[0] + fx[1]), N * (fy[0] + fy[1]), N * (fy[0] * w[0].x + fy[1] * w[1].x)};
  } else {
    const R f = fy[0] + fy[1], r = fy[2] + fy[3];
    return {(fx[0] + fx[1]) + (fx[2] + fx[3]), f + r,
            (f * w[0].x + (fx[1] - fx[0]) * w[0].y) + (r * w[2].x + (fx[3] - fx[2]) * w[2].y)};
  }
}
template <class R, int NW> VD_FN BodyForce<R> contact_forces(const Model<R, NW>& m, const State<R, NW>& s,
                                                             const Stage<R, NW>& g, R fade, R hold, const R Fz[NW],
                                                             Outputs<R, NW>& o) {
  R fx[NW], fy[NW];
  for (int i = 0; i < NW; ++i) {
    WheelOut<R>& w = o.wheel[i];
    const TireParams<R>& tire = m.p.wheel[i].tire;
    w.Fz = Fz[i];
    slip_loaded(m.kind.tire[i], tire, s.wheel[i], Fz[i], w.contact, w.slip);
    w.force = tire_force(m.kind.tire[i], tire, s.wheel[i], w.contact, w.slip, Fz[i]);
    w.Fx = w.force.Fx;
    w.Fy = w.force.Fy;
    if (m.kind.blend) {
      w.Fy = w.force.Fy = w.force.Fy * fade;
      // [T20.3] along the body, within the grip the tire leaves
      const R most = max(w.force.Dx - abs(w.force.Fx), R(0.0));
      const R damper = clamp(-R(kStickC) * s.vx * hold, -most, most);
      w.Fx = select(hold > R(0.0), w.Fx + g.angle[i].c * damper, w.Fx);
      w.Fy = select(hold > R(0.0), w.Fy - g.angle[i].s * damper, w.Fy);
    }
    fx[i] = g.angle[i].c * w.Fx - g.angle[i].s * w.Fy;
    fy[i] = g.angle[i].s * w.Fx + g.angle[i].c * w.Fy;
  }
  return sum_forces(m, fx, fy);
}

// [T05.3]  Loads need the forces and the forces need the loads: find a = F(a)/m by Broyden's method from a close guess,
// to rounding (a few ulp of the forces over the mass). Each lane stops for itself, so a batch gives the bits of the single car.
template <class R, int NW> VD_FN BodyForce<R> solve_loads(const Model<R, NW>& m, const State<R, NW>& s,
                                                          const Stage<R, NW>& g, const AeroOut<R>& air, R fade, R hold,
                                                          Outputs<R, NW>& o, Rates<R, NW>& d) {
  const R zero = R(0.0), tol = R(sizeof(scalar_t<R>) == 8 ? 4e-12 : 2e-5);  // [m/s^2]
  R ax = s.ax, ay = s.ay, rx = zero, ry = zero, sx = zero, sy = zero;
  R h00 = R(1.0), h01 = zero, h10 = zero, h11 = R(1.0);
  mask_t<R> done(false);
  BodyForce<R> F;
  for (int round = 0; round < 24; ++round) {
    R Fz[NW];
    vertical_loads(m, air, ax, ay, Fz);
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
  d.ax = F.Fx * m.p.inv_m;
  d.ay = F.Fy * m.p.inv_m;
  return F;
}

// Dry friction, drive and road on the wheels of one axle; `grip` is decided by the first evaluation of a step and kept.
template <class R, int NW> VD_FN void spin_axle(const Model<R, NW>& m, const State<R, NW>& s, const Stage<R, NW>& g,
                                                int a, bool decide, const Outputs<R, NW>& o, Grip<R>& grip,
                                                Rates<R, NW>& d) {
  constexpr int n = NW / 2;
  const int side[2] = {a * n, a * n + n - 1};
  const AxleParams<R>& p = m.p.axle[a];
  AxleTorque<R> t;
  R k2[2], w[2], N[2], wdot[2];
  t.T = g.T[a];
  t.e = R(0.25) * p.engine * g.in_gear;
  for (int k = 0; k < 2; ++k) {
    const WheelOut<R>& q = o.wheel[side[k]];
    w[k] = s.wheel[side[k]].w;
    k2[k] = sq(q.contact.Re) * q.force.slope;
    t.f[k] = R(0.5) * t.T - q.contact.Re * q.force.Fx;
    t.cap[k] = g.cap[a] + q.moment.roll;
  }
  if (decide) grip = decide_grip(m.kind.axle[a], p, t, w[0], w[1]);
  net_torque(m.kind.axle[a], p, t, grip, N);
  spin_rates(p, t.e, grip, N, wdot);
  const R pair = (k2[0] + k2[1]) / (R(2.0) * p.I + R(4.0) * t.e), inv_I = R(1.0) / p.I;
  const R count = R(Model<R, NW>::count);
  for (int k = 0; k < n; ++k) {
    const int i = side[k];
    const R L = select(grip.held[k], R(0.0), select(grip.lock, pair, k2[k] * inv_I));
    d.wheel[i].w = {L, wdot[k] + L * w[k]};
    d.torque[i] = N[k];
    d.power.drive += count * R(0.5) * t.T * w[k];
    d.power.brake += count * grip.sgn[k] * g.cap[a] * w[k];
    d.power.rolling += count * grip.sgn[k] * o.wheel[i].moment.roll * w[k];
  }
  if (n == 2 && m.kind.axle[a].lsd) d.power.brake += grip.clutch * lsd_capacity(p, t.T) * (w[0] - w[1]);
}

// [T20.2]  fallback: below 3 m/s the lateral states are pulled onto the curve the steering geometry describes
template <class R, int NW> VD_FN void kinematic_blend(const Model<R, NW>& m, const State<R, NW>& s,
                                                      const Stage<R, NW>& g, R lam, Outputs<R, NW>& o,
                                                      Rates<R, NW>& d) {
  const R r_kin = s.vx * g.tan_delta * m.p.inv_L, vy_kin = r_kin * m.p.cg_to_rear, rest = R(1.0) - lam;
  const mask_t<R> acts = rest > R(0.0);  // above the blend speed every bit stays as it is
  const R vy = select(acts, lam * d.vy + rest * (vy_kin - s.vy) * R(1.0 / kKinTau), d.vy);
  const R r = select(acts, lam * d.r + rest * (r_kin - s.r) * R(1.0 / kKinTau), d.r);
  d.power.hold = m.p.m * (vy - d.vy) * s.vy + m.p.Iz * (r - d.r) * s.r;
  for (int i = 0; i < NW; ++i) {
    const WheelOut<R>& w = o.wheel[i];
    d.power.hold += R(Model<R, NW>::count) * ((w.Fx - w.force.Fx) * w.contact.Vx + (w.Fy - w.force.Fy) * w.contact.Vy);
  }
  o.body_ay = select(acts, o.body_ay + (vy - d.vy), o.body_ay);
  d.vy = vy;
  d.r = r;
}

// Rates of all states. `decide`: first evaluation of a step, brakes choose between stick and slip; else `grip` is given.
template <class R, int NW> VD_FN void deriv(const Model<R, NW>& m, const State<R, NW>& s, const Stage<R, NW>& g,
                                            bool decide, Grip<R> grip[2], Outputs<R, NW>& o, Rates<R, NW>& d) {
  const R zero = R(0.0), count = R(Model<R, NW>::count);
  R cp, sp;
  sincos(s.psi, sp, cp);
  const AeroOut<R> air = aero(m.p.aero, s.vx);
  R lam = R(1.0), hold = zero;
  if (m.kind.blend) {  // [T20.1]
    const R q = min(sqrt(s.vx * s.vx + s.vy * s.vy) * R(1.0 / kStickBlend), R(1.0));
    lam = q * q * (R(3.0) - R(2.0) * q);
    hold = (R(1.0) - lam) * g.hold;
  }
  kinematics(m, s, g, cp, sp, lam, o);
  BodyForce<R> F = solve_loads(m, s, g, air, lam, hold, o, d);
  d.power = {zero, zero, zero, zero, zero, zero, zero, zero};
  for (int i = 0; i < NW; ++i) {
    WheelOut<R>& w = o.wheel[i];
    w.moment = tire_rates(m.kind.tire[i], m.p.wheel[i].tire, s.wheel[i], w.contact, w.slip, w.force, w.Fz, d.wheel[i]);
    d.power.contact += count * (w.force.Fx * (w.contact.Vr - w.contact.Vx) - w.force.Fy * w.contact.Vy -
                                w.moment.Mz * w.contact.psidot);
    d.power.steer -= count * w.moment.Mz * g.angle[i].rate;
  }
  if constexpr (NW == 2)
    F.Mz += count * (o.wheel[0].moment.Mz + o.wheel[1].moment.Mz);
  else
    F.Mz += (o.wheel[0].moment.Mz + o.wheel[1].moment.Mz) + (o.wheel[2].moment.Mz + o.wheel[3].moment.Mz);
  for (int a = 0; a < 2; ++a) spin_axle(m, s, g, a, decide, o, grip[a], d);
  // [T04.2] body
  const R gx = m.p.road.gx * cp + m.p.road.gy * sp, gy = m.p.road.gy * cp - m.p.road.gx * sp;
  o.body_ax = F.Fx * m.p.inv_m + air.Fx * m.p.inv_m + gx;
  o.body_ay = F.Fy * m.p.inv_m + gy;
  d.x = s.vx * cp - s.vy * sp;
  d.y = s.vx * sp + s.vy * cp;
  d.psi = s.r;
  d.vx = o.body_ax + s.r * s.vy;
  d.vy = o.body_ay - s.r * s.vx;
  d.r = F.Mz * m.p.inv_Iz;
  d.power.gravity = m.p.m * (gx * s.vx + gy * s.vy);
  d.power.drag = -air.Fx * s.vx;
  if (m.kind.blend) kinematic_blend(m, s, g, lam, o, d);
}

}  // namespace vdsim
