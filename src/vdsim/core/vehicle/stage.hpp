// SPDX-License-Identifier: Apache-2.0
// One evaluation of a car, seen from outside: what acts on it (Stage), what it does (Rates), what a recorder reads (Outputs).
#pragma once
#include "vdsim/core/vehicle/model.hpp"

namespace vdsim {

// Commands turned into geometry and torque; made once per distinct stage time.
template <class R, Level Lv> struct Stage {
  WheelAngle<R> angle[kWheels<Lv>];
  R T[2];               // drive torque per axle [N m]
  R engine[2];          // inertia behind it that turns with the axle now [kg m^2]
  R cap[kWheels<Lv>];   // brake capacity of each wheel [N m]
  R tan_delta, hold;    // fallback: kinematic steer, brake-hold gate
  R steer, steer_rate;  // single-track angle that is asked for [rad], [rad/s]
  // torques and brakes come out of the car's equipment, not straight from the pedals; then also
  bool equipped;
  // the slope of T over the mean spin of the axle, where T is taken; torque of single wheels
  R dT[2], w_ref[2], Tw[kWheels<Lv>];
  // contact-patch LuGre: tires of the car, null if it has none; time since they were written [s]
  const PatchTire<scalar_t<R>>* patch;
  R since;
};

// Road wheels at the single-track angle `steer`.
template <class R, Level Lv, class Laws>
VD_FN void turn_wheels(const Model<R, Lv, Laws>& m, R steer, R steer_rate, WheelAngle<R> angle[kWheels<Lv>]) {
  const R delta = clamp(steer, -m.p.max_steer, m.p.max_steer);
  const R rate = select(abs(steer) <= m.p.max_steer, steer_rate, R(0.0));
  constexpr int n = kWheels<Lv> / 2;
  VD_UNROLL for (int i = 0; i < n; ++i) angle[i] = ackermann(delta, rate, m.p.wheel[i].y, m.p.inv_L, m.p.ackermann);
  VD_UNROLL for (int i = n; i < kWheels<Lv>; ++i) angle[i] = {R(1.0), R(0.0), R(0.0)};
}

// Of the same angle, what the fallback needs; 0 for a car without it.
template <class R, Level Lv, class Laws> VD_FN R steer_tangent(const Model<R, Lv, Laws>& m, R steer) {
  return m.kind.blend ? tan(clamp(steer, -m.p.max_steer, m.p.max_steer)) : R(0.0);
}

// A car without equipment: pedals act at once.
template <class R, Level Lv, class Laws>
VD_FN Stage<R, Lv> make_stage(const Model<R, Lv, Laws>& m, const Inputs<R>& in, R steer_rate,
                              const PatchTire<scalar_t<R>>* patch = nullptr, R since = R(0.0)) {
  Stage<R, Lv> g;
  g.equipped = false;
  g.patch = patch;
  g.since = since;
  g.steer = in.steer;
  g.steer_rate = steer_rate;
  turn_wheels(m, in.steer, steer_rate, g.angle);
  constexpr int n = kWheels<Lv> / 2;
  VD_UNROLL for (int a = 0; a < 2; ++a) {
    g.T[a] = in.throttle * in.gear * m.p.axle[a].drive;
    g.engine[a] = m.p.axle[a].engine * abs(in.gear);
    const R cap = in.brake * m.p.axle[a].brake + in.handbrake * m.p.axle[a].handbrake;
    VD_UNROLL for (int k = 0; k < n; ++k) g.cap[a * n + k] = cap;
  }
  g.tan_delta = steer_tangent(m, in.steer);
  g.hold = clamp(max(in.brake, in.handbrake) - in.throttle, R(0.0), R(1.0));
  return g;
}

// With a dynamic rack the wheels point where the state says.
template <class R, Level Lv, class Laws>
VD_FN void point_wheels(const Model<R, Lv, Laws>& m, const State<R, Lv>& s, Stage<R, Lv>& g) {
  if (!m.kind.rack) return;
  const R delta = road_wheel_angle(m.p.rack, s.rack);
  turn_wheels(m, delta, road_wheel_rate(m.p.rack, s.rack), g.angle);
  g.tan_delta = steer_tangent(m, delta);
}

// A car with equipment: what came out of it. L1: one wheel stands for both sides.
template <class R> struct Actuation;  // vehicle/equipment.hpp
template <class R, Level Lv, class Laws>
VD_FN Stage<R, Lv> equipped_stage(const Model<R, Lv, Laws>& m, const Inputs<R>& in, const Actuation<R>& act,
                                  const PatchTire<scalar_t<R>>* patch, R since) {
  Inputs<R> steered = in;
  steered.steer = act.steer;
  Stage<R, Lv> g = make_stage(m, steered, act.steer_rate, patch, since);
  g.equipped = true;
  constexpr int n = kWheels<Lv> / 2;
  VD_UNROLL for (int a = 0; a < 2; ++a) {
    g.T[a] = act.T[a];
    g.dT[a] = act.dT[a];
    g.w_ref[a] = act.w_ref[a];
    g.engine[a] = act.engine[a];
    VD_UNROLL for (int k = 0; k < n; ++k) {
      g.cap[a * n + k] = n == 2 ? act.cap[2 * a + k] : R(0.5) * (act.cap[2 * a] + act.cap[2 * a + 1]);
      g.Tw[a * n + k] = n == 2 ? act.Tw[2 * a + k] : R(0.5) * (act.Tw[2 * a] + act.Tw[2 * a + 1]);
    }
  }
  return g;
}

// Inputs of a car during one step. Commands go linearly from u0 to u1.
template <class R> struct Orders {
  const Inputs<R>&u0, &u1;
  const PatchTire<scalar_t<R>>* patch = nullptr;  // contact-patch tires of the car, if it has them
  const Actuation<R>* act =
      nullptr;  // what its equipment makes of the commands at start, middle and end, if it has any
};
template <class R> VD_FN Inputs<R> middle(const Inputs<R>& u0, const Inputs<R>& u1) {
  const R half = R(0.5);
  return {half * (u0.steer + u1.steer), half * (u0.throttle + u1.throttle), half * (u0.brake + u1.brake),
          half * (u0.handbrake + u1.handbrake), u0.gear};
}
// at: 0 start, 1 middle, 2 end of a step of length h; the patch is `since` older than at its start.
template <class R, Level Lv, class Laws>
VD_FN Stage<R, Lv> stage_at(const Model<R, Lv, Laws>& m, const Orders<R>& u, int at, R h, R since) {
  const Inputs<R> in = at == 0   ? u.u0
                       : at == 1 ? middle(u.u0, u.u1)
                                 : Inputs<R>{u.u1.steer, u.u1.throttle, u.u1.brake, u.u1.handbrake, u.u0.gear};
  if (m.kind.equipment && u.act) return equipped_stage(m, in, u.act[at], u.patch, since);
  return make_stage(m, in, (u.u1.steer - u.u0.steer) / h, u.patch, since);
}

// Power [W] by where it goes; an integrator adds them up to the energy balance.
template <class R> struct Power { R drive, gravity, brake, rolling, drag, contact, steer, hold, damper; };

// One evaluation, wheel by wheel: what a recorder reads, and what the evaluation itself passes on.
template <class R> struct WheelOut : TireOut<R> {
  R Fx, Fy, Fz;  // that act on the car, wheel frame: tire, and the brake-hold damper of the fallback
  R mu;
};
// Speeds of a car on the tangent plane of a height field, seen in the plane of the road under it.  [T06.17]
template <class R> struct RoadWay { R along, aside, across, turn; };
template <class R, Level Lv> struct Outputs {
  WheelOut<R> wheel[kWheels<Lv>];
  R body_ax, body_ay;  // acceleration of the CG, body axes [m/s^2]
  RoadWay<R> way;      // only on a road with heights
};

// What an integrator needs from one evaluation.
template <class R, Level Lv> struct Rates {
  R x, y, psi, vx, vy, r;
  R ax, ay;  // contact force / mass: start of the next load solution
  WheelAffine<R> wheel[kWheels<Lv>];
  R torque[kWheels<Lv>];  // net on each wheel: drive, friction, road [N m]
  RackRates<R> rack;
  Power<R> power;
};

}  // namespace vdsim
