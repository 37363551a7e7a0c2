// SPDX-License-Identifier: Apache-2.0
// A change while driving, the old car: what passes to the new one, in terms that every level understands.
#pragma once
#include "vdsim/engine/car_model.hpp"
#include "vdsim/engine/car_outputs.hpp"
#include "vdsim/engine/energy.hpp"
#include "vdsim/engine/same_math.hpp"

namespace vdsim {

// One wheel of the old car, where it is now. L1: it stands for both sides.
struct HandedWheel {
  const TireKind* kind;
  const TireParams<double>* p;
  const PatchTire<double>* patch;  // null: another law
  WheelState<double> state;
  Contact<double> contact;
  double Fx, Fy, Fz;  // that act on the car, wheel frame [N]
};

// The old car: it must live until the new one has taken over.
struct Handover {
  Level level;
  const void* motion;  // State<double, level>
  // in the plane of the road: place, heading with whole turns; velocity ahead and to the left, yaw rate
  double x, y, psi, vx, vy, r;
  // on springs, else 0: CG above the plane, its speed; lean against the plane, rates about ahead and left; the struts
  double z, vz, roll, pitch, p, q;
  std::array<double, 4> travel, speed;
  double road_z;        // height of the road under the car [m]
  double load, weight;  // of all wheels; m g [N]
  double steer;         // where the wheels point [rad]
  std::array<HandedWheel, 4> wheel;
  bool has_rack;
  RackState<double> rack;
  const UnitParams* units;
  EquipmentState<double> equipment;
  std::array<ActuatorState<double>, kActuators> actuator;
  CarClock clock;
  BalanceState balance;
  LastStep last;
  Energy energy;
};

template <Level Lv> double road_under(const Model<double, Lv>& m, double x, double y) {
  return m.kind.road.flat ? 0 : road_height(m.kind.road, m.data, m.p.road, x, y).z;
}

// [T06.17]  Speeds along the road of a car without springs, as the plane has them.
template <Level Lv>
requires(!kSprung<Lv>) RoadWay<double> way_under(const Model<double, Lv>& m, const State<double, Lv>& s) {
  RoadWay<double> way{1, 0, 1, 1};
  road_gravity(m, s, vdsim::cos(s.psi), vdsim::sin(s.psi), way);
  return way;
}

// Motion in axes of the plane and the heading. L5: the velocities of the body, seen from there.
template <Level Lv> void hand_plane(const Model<double, Lv>& m, const CarState<Lv>& car, Handover& o) {
  const State<double, Lv>& s = car.motion;
  CarOutputs pose{};
  add_pose(m, car, pose);
  o.x = s.x, o.y = s.y, o.psi = pose.psi, o.vx = s.vx, o.vy = s.vy, o.r = s.r;
  o.z = pose.z, o.roll = pose.roll, o.pitch = pose.pitch;
  if constexpr (!kSprung<Lv>) {
    const RoadWay<double> way = way_under(m, s);
    plane_speeds(m, way, o.vx, o.vy);
    o.r *= way.turn;
  }
  if constexpr (kSprung<Lv>) o.vz = s.vz, o.p = s.p, o.q = s.q, o.travel = s.travel, o.speed = s.speed;
  if constexpr (Lv == Level::L5) {
    const Rotation<double> f = frame_of(m, s);
    const Vec3<double> v = to_world(f, Vec3<double>{s.vx, s.vy, s.vz}), w = to_world(f, Vec3<double>{s.p, s.q, s.r});
    const double c = vdsim::cos(o.psi), d = vdsim::sin(o.psi);
    o.vx = c * v.x + d * v.y, o.vy = c * v.y - d * v.x, o.vz = v.z;
    o.p = c * w.x + d * w.y, o.q = c * w.y - d * w.x, o.r = w.z;
  }
}

// `now`: the equations of motion of the old car at this instant.
template <Level Lv>
Handover hand_over(const CarModel<Lv>& car, const CarState<Lv>& s, const Evaluation<double, Lv>& now) {
  const Model<double, Lv>& m = car.model;
  Handover o{};
  o.level = Lv, o.motion = &s.motion;
  hand_plane(m, s, o);
  o.road_z = road_under(m, s.motion.x, s.motion.y);
  o.weight = m.p.m * kGravity;
  o.steer = m.kind.rack ? road_wheel_angle(m.p.rack, s.motion.rack) : now.stage.steer;
  for (int k = 0; k < 4; ++k) {
    const int i = Lv == Level::L1 ? k / 2 : k;
    const std::size_t n = std::size_t(i);
    const WheelOut<double>& w = now.outputs.wheel[i];
    const bool patch = m.kind.tire[i].contact == ContactLaw::patch;
    o.wheel[std::size_t(k)] = {&m.kind.tire[i],
                               &m.p.wheel[i].tire,
                               patch ? &s.patch[n] : nullptr,
                               s.motion.wheel[n],
                               w.contact,
                               w.Fx,
                               w.Fy,
                               w.Fz};
    o.load += w.Fz;
  }
  o.has_rack = m.kind.rack, o.rack = s.motion.rack;
  o.units = &car.units, o.equipment = s.equipment, o.actuator = s.actuator;
  o.clock = s.clock, o.balance = s.balance, o.last = s.last;
  o.energy = energy_of(m, s.motion, s.balance.engine, s.last.steer);
  o.energy.stored += patch_energy(s.patch, Model<double, Lv>::count);
  return o;
}

// The wheel i of the new car: L1 takes the mean of both sides.
template <Level Lv> HandedWheel handed_wheel(const Handover& from, int i) {
  if constexpr (Lv != Level::L1) {
    return from.wheel[std::size_t(i)];
  } else {
    const HandedWheel &a = from.wheel[std::size_t(2 * i)], &b = from.wheel[std::size_t(2 * i + 1)];
    HandedWheel o = a;
    const auto mean = [](double p, double q) { return p == q ? p : 0.5 * (p + q); };
    for_each_field<WheelState<double>>(
        [&](const auto& field) { o.state.*field.member = mean(a.state.*field.member, b.state.*field.member); });
    o.contact.Vx = mean(a.contact.Vx, b.contact.Vx), o.contact.Vr = mean(a.contact.Vr, b.contact.Vr);
    o.contact.Vy = mean(a.contact.Vy, b.contact.Vy);
    o.Fx = mean(a.Fx, b.Fx), o.Fy = mean(a.Fy, b.Fy), o.Fz = mean(a.Fz, b.Fz);
    return o;
  }
}

// Force that wheel i of the new car is to carry on; from L1 both sides share it by their loads.
template <Level Lv> WheelForces<double> wanted_force(const Handover& from, const Evaluation<double, Lv>& now, int i) {
  const HandedWheel w = handed_wheel<Lv>(from, i);
  if (from.level != Level::L1 || Lv == Level::L1) return {w.Fx, w.Fy};
  const double own = now.outputs.wheel[i].Fz, both = own + now.outputs.wheel[i ^ 1].Fz;
  const double share = both > 0 ? 2 * own / both : 1;
  return {share * w.Fx, share * w.Fy};
}

// What was not carried on.
template <Level Lv> ForceJump force_jump(const Handover& from, const Evaluation<double, Lv>& now) {
  ForceJump o;
  o.wheels = kWheels<Lv>;
  for (int i = 0; i < kWheels<Lv>; ++i) {
    const WheelForces<double> F = wanted_force(from, now, i);
    o.fx[std::size_t(i)] = now.outputs.wheel[i].Fx - F.Fx;
    o.fy[std::size_t(i)] = now.outputs.wheel[i].Fy - F.Fy;
  }
  return o;
}

}  // namespace vdsim
