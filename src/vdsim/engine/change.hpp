// SPDX-License-Identifier: Apache-2.0
// A change while driving, the new car: how it takes over from the old one. Its state is that of a car at rest at the same place.
// docs/theory/19_lugre_dynamic_tire.md, section 8. What carries the force already keeps its bits.
#pragma once
#include <cmath>
#include <numbers>

#include "vdsim/core/tire/carry.hpp"
#include "vdsim/engine/handover.hpp"
#include "vdsim/engine/same_math.hpp"

namespace vdsim {

// Units that stay what they were keep their state, new ones start at the commands of now.
void take_units(const Handover&, const UnitParams&, const double command[kActuators], EquipmentState<double>&,
                std::array<ActuatorState<double>, kActuators>&);

// L5: turned about the normal of the plane until it heads for psi; leaning has turned it a little.
inline void turn_to(const Model<double, Level::L5>& m, double psi, State<double, Level::L5>& s) {
  const double half = 0.5 * std::remainder(psi - heading_of(m, s), 2 * std::numbers::pi);
  const double c = vdsim::cos(half), d = vdsim::sin(half), e0 = s.e0, ex = s.ex, ey = s.ey, ez = s.ez;
  s.e0 = c * e0 - d * ez, s.ex = c * ex - d * ey, s.ey = c * ey + d * ex, s.ez = c * ez + d * e0;
}

// Velocities of a car that follows its road, level or on springs; s has its pose.
template <Level Lv> void move_along(const Model<double, Lv>& m, const Handover& from, State<double, Lv>& s) {
  s.vx = from.vx, s.vy = from.vy, s.r = from.r;
  if constexpr (!kSprung<Lv>) {
    const RoadWay<double> way = way_under(m, s);
    s.vy /= way.across, s.vx = (s.vx - way.aside * s.vy) / way.along, s.r /= way.turn;
  } else {
    const double c = vdsim::cos(from.psi), d = vdsim::sin(from.psi);
    Vec3<double> v{c * from.vx - d * from.vy, d * from.vx + c * from.vy, 0};
    if (!m.kind.road.flat) {
      const RoadHeight<double> h = road_height(m.kind.road, m.data, m.p.road, s.x, s.y);
      v.z = h.zx * v.x + h.zy * v.y;
    }
    s.vz = v.z, s.p = s.q = 0;
    if constexpr (Lv == Level::L5) {
      const auto f = frame_of(m, s);
      const Vec3<double> u = to_body(f, v), w = to_body(f, Vec3<double>{0, 0, from.r});
      s.vx = u.x, s.vy = u.y, s.vz = u.z, s.p = w.x, s.q = w.y, s.r = w.z;
    }
    s.speed = {};
  }
}

// From springs to springs of another level: lean, travels and their rates in its terms.
template <Level Lv>
requires(kSprung<Lv>) void ride_on(const Model<double, Lv>& m, const Handover& from, State<double, Lv>& s) {
  s.travel = from.travel, s.speed = from.speed;
  const double z = from.z + (road_under(m, s.x, s.y) - from.road_z);
  if constexpr (Lv == Level::L3) {
    s.z = z - m.p.h, s.phi = from.roll, s.theta = from.pitch;
    s.vx = from.vx, s.vy = from.vy, s.vz = from.vz, s.p = from.p, s.q = from.q, s.r = from.r;
  } else {
    const double a = 0.5 * from.roll, b = 0.5 * from.pitch, e = 0.5 * from.psi;
    const double ca = vdsim::cos(a), sa = vdsim::sin(a), cb = vdsim::cos(b), sb = vdsim::sin(b), ce = vdsim::cos(e),
                 se = vdsim::sin(e);
    s.z = z;
    s.e0 = ca * cb * ce + sa * sb * se, s.ex = sa * cb * ce - ca * sb * se;
    s.ey = ca * sb * ce + sa * cb * se, s.ez = ca * cb * se - sa * sb * ce;
    const double c = vdsim::cos(from.psi), d = vdsim::sin(from.psi);
    const auto f = frame_of(m, s);
    const auto seen = [&](double x, double y, double up) {
      return to_body(f, Vec3<double>{c * x - d * y, d * x + c * y, up});
    };
    const Vec3<double> v = seen(from.vx, from.vy, from.vz), w = seen(from.p, from.q, from.r);
    s.vx = v.x, s.vy = v.y, s.vz = v.z, s.p = w.x, s.q = w.y, s.r = w.z;
  }
}

// Spins: the rolling speed stays, or at another level the slip, since its contact points move otherwise.
template <Level Lv> void take_spins(const Model<double, Lv>& m, const Handover& from, const Evaluation<double, Lv>& now,
                                    State<double, Lv>& s) {
  for (int i = 0; i < kWheels<Lv>; ++i) {
    const HandedWheel w = handed_wheel<Lv>(from, i);
    double& spin = s.wheel[std::size_t(i)].w;
    const double Re = rolling_radius(m.kind.tire[i], m.p.wheel[i].tire, w.state, w.contact, w.Fz);
    if (from.level == Lv) {
      spin *= ratio_of(w.contact.Re, Re);
      continue;
    }
    const double V = now.outputs.wheel[i].contact.Vx, eps = kSpeedEps;
    const double slip = (w.contact.Vr - w.contact.Vx) / std::fmax(std::fabs(w.contact.Vx), eps);
    spin = (V + slip * std::fmax(std::fabs(V), eps)) / Re;
  }
  for (int a = 0; a < 2; ++a)
    if (Lv != Level::L1 && m.kind.axle[a].locked && s.wheel[2 * a].w != s.wheel[2 * a + 1].w)
      s.wheel[2 * a].w = s.wheel[2 * a + 1].w = 0.5 * (s.wheel[2 * a].w + s.wheel[2 * a + 1].w);
}

// One round: tires that do not carry the force are set anew at the loads of `now`. Returns the largest miss, as a share of the load.
template <Level Lv> double carry_forces(const Model<double, Lv>& m, const Handover& from,
                                        const Evaluation<double, Lv>& now, CarState<Lv>& s) {
  double worst = 0;
  for (int i = 0; i < kWheels<Lv>; ++i) {
    const WheelOut<double>& w = now.outputs.wheel[i];
    const WheelForces<double> F = wanted_force(from, now, i);
    const double miss = vdsim::hypot(F.Fx - w.Fx, F.Fy - w.Fy) / std::fmax(w.Fz, 1.0);
    worst = std::fmax(worst, miss);
    if (!(miss > 1e-9)) continue;
    const std::size_t n = std::size_t(i);
    carry_force(m.kind.tire[i], m.p.wheel[i].tire, w.contact, w.Fz, F, s.motion.wheel[n],
                s.patch.empty() ? nullptr : &s.patch[n]);
  }
  return worst;
}

// Unknowns of a car on springs: as shift_pose() has them, or the travels alone.
inline constexpr int kSprungUnknowns = 7;

// What is left of a quasi-static attitude: accelerations along the normal, about both axes of the road, of each travel.
template <Level Lv> void attitude_left(const Model<double, Lv>& m, const Handover& from, const State<double, Lv>& s,
                                       const Evaluation<double, Lv>& now, double r[kSprungUnknowns]) {
  const auto& o = now.outputs;
  const auto& d = now.rates;
  if constexpr (Lv == Level::L5) {
    const auto f = frame_of(m, s);
    const double c = vdsim::cos(from.psi), e = vdsim::sin(from.psi);
    const Vec3<double> turn{d.p, d.q, d.r};
    r[0] = dot(to_body(f, Vec3<double>{0, 0, 1}), Vec3<double>{o.body_ax, o.body_ay, o.body_az});
    r[1] = dot(to_body(f, Vec3<double>{c, e, 0}), turn);
    r[2] = dot(to_body(f, Vec3<double>{-e, c, 0}), turn);
  } else {
    r[0] = d.vz, r[1] = d.p, r[2] = d.q;
  }
  for (std::size_t i = 0; i < 4; ++i) r[3 + i] = d.speed[i];
}
// What is left of the loads, if only the travels move; the body stays.
template <Level Lv>
void loads_left(const Handover& from, const Evaluation<double, Lv>& now, double r[kSprungUnknowns]) {
  for (int i = 0; i < 3; ++i) r[i] = 0;
  for (int i = 0; i < 4; ++i) r[3 + i] = now.outputs.wheel[i].Fz - from.wheel[std::size_t(i)].Fz;
}

// One step of Newton's method with differences, kept within 5 cm and 0.05 rad. first: 0 pose and travels, 3 travels alone.
// Returns its size.
template <Level Lv, class Shift, class Left>
double shift_springs(int first, State<double, Lv>& s, Shift&& shift, Left&& left) {
  double r[7], a[7][8] = {}, size = 0;
  const State<double, Lv> at = s;
  left(r);
  for (int j = 0; j < 7; ++j) {
    double u[7] = {}, moved[7] = {};
    u[j] = 1e-6;
    if (j >= first) shift(u), left(moved);
    for (int i = 0; i < 7; ++i) a[i][j] = j < first || i < first ? i == j : (moved[i] - r[i]) * 1e6;
    s = at;
  }
  for (int i = 0; i < 7; ++i) a[i][7] = -r[i];
  solve7(a);
  double u[7];
  for (int i = 0; i < 7; ++i) u[i] = a[i][7], size = std::fmax(size, std::fabs(u[i]));
  if (!(size < 1e3)) return 0;  // nothing to stand on
  const double k = size > 0.05 ? 0.05 / size : 1;
  for (double& x : u) x *= k;
  shift(u);
  return size;
}

// Body and struts. From springs to springs the travels carry the loads; a car that had none takes the attitude in which the forces
// hold it.
template <Level Lv, class Look>
requires(kSprung<Lv>) void take_springs(const Model<double, Lv>& m, const Handover& from, CarState<Lv>& s,
                                        Look&& look) {
  const bool stays = on_springs(from.level);
  const auto shift = [&](const double u[7]) {
    shift_pose(u, s.motion);
    if constexpr (Lv == Level::L5) turn_to(m, from.psi, s.motion);
    move_along(m, from, s.motion);
  };
  const auto travels = [&](const double u[7]) {
    for (std::size_t i = 0; i < 4; ++i) s.motion.travel[i] += u[3 + i];
  };
  for (int round = 0; round < 30; ++round) {
    double size = 0;
    if (stays) {
      double r[7], most = 0;
      loads_left(from, look(), r);
      for (const double x : r) most = std::fmax(most, std::fabs(x));
      if (!(most > 1e-9 * from.weight)) return;
      size = shift_springs(3, s.motion, travels, [&](double x[7]) { loads_left(from, look(), x); });
    } else {
      carry_forces(m, from, look(), s);
      size = shift_springs(0, s.motion, shift, [&](double x[7]) { attitude_left(m, from, s.motion, look(), x); });
    }
    if (size < 1e-12) return;
  }
}

// The state of motion without the tires' forces: as it is; from springs to springs in the terms of the level; else the plane, and
// springs at rest.
template <Level Lv> void take_motion(const CarModel<Lv>& car, const Handover& from, CarState<Lv>& s) {
  const Model<double, Lv>& m = car.model;
  if (from.level == Lv) {
    s.motion = *static_cast<const State<double, Lv>*>(from.motion);
    if constexpr (kSprung<Lv>) s.motion.z += road_under(m, s.motion.x, s.motion.y) - from.road_z;
  } else {
    move_along(m, from, s.motion);
    if constexpr (kSprung<Lv>)
      if (on_springs(from.level)) ride_on(m, from, s.motion);
    s.clock.turns = Lv == Level::L5 ? std::round((from.psi - heading_of(m, s.motion)) / (2 * std::numbers::pi)) : 0;
  }
  if (m.kind.rack)
    s.motion.rack = from.has_rack ? from.rack : RackState<double>{from.steer * m.p.rack.per_rad, 0, 0};
  else
    s.motion.rack = {};
  for (int i = 0; i < kWheels<Lv>; ++i) {
    const std::size_t n = std::size_t(i);
    const HandedWheel w = handed_wheel<Lv>(from, i);
    s.motion.wheel[n] = w.state;
    hand_states(*w.kind, *w.p, m.kind.tire[i], m.p.wheel[i].tire, w.contact, s.motion.wheel[n]);
    if (m.kind.tire[i].contact != ContactLaw::patch || !w.patch || !same_patch(*w.patch, s.patch[n])) continue;
    s.patch[n].memory = w.patch->memory;
    s.motion.wheel[n].zx = w.state.zx, s.motion.wheel[n].zy = w.state.zy;
  }
}

// s: of a new car at rest at the same place. look(): its equations of motion at this instant.
template <Level Lv, class Look> void take_over(const CarModel<Lv>& car, const Handover& from,
                                               const double command[kActuators], CarState<Lv>& s, Look&& look) {
  const Model<double, Lv>& m = car.model;
  s.clock = from.clock, s.balance = from.balance, s.last = from.last;
  if (s.clock.steps == 0) s.last.equipped = car.units.any;
  take_motion(car, from, s);
  take_units(from, car.units, command, s.equipment, s.actuator);
  take_spins(m, from, look(), s.motion);
  if constexpr (kSprung<Lv>) take_springs(m, from, s, look);
  double before = 1e30;
  for (int round = 0; round < 20; ++round) {
    const double miss = carry_forces(m, from, look(), s);
    if (miss <= 1e-9 || miss > 0.999 * before) break;
    before = miss;
  }
  Energy e = energy_of(m, s.motion, s.balance.engine, s.last.steer);
  e.stored += patch_energy(s.patch, Model<double, Lv>::count);
  s.balance.changed += (e.kinetic - from.energy.kinetic) + (e.springs - from.energy.springs);
  s.balance.changed_tires += e.stored - from.energy.stored;
}

}  // namespace vdsim
