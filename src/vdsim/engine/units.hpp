// SPDX-License-Identifier: Apache-2.0
// What lies between the commands and the car, compiled: actuators and equipment, and one step of them. One car or a register full of
// cars, which share the switches.
#pragma once
#include "vdsim/core/actuator/actuator.hpp"
#include "vdsim/core/vehicle/equipment.hpp"
#include "vdsim/core/vehicle/model.hpp"

namespace vdsim {

template <class R> struct UnitNumbers {
  EquipmentParams<R> p;
  ActuatorParams<R> actuator[kActuators];
};
struct UnitKinds {
  bool any = false, actuators = false;
  EquipmentKind kind;
  ActuatorKind actuator_kind[kActuators];
  bool operator==(const UnitKinds&) const = default;
};
struct UnitParams : UnitNumbers<double>, UnitKinds {};

// What controllers may sense at the start of a step; ax, ay, steer: of the step before.
template <class R, Level Lv, class Laws>
CarView<R> view_of(const Model<R, Lv, Laws>& m, const State<R, Lv>& s, const R& ax, const R& ay, const R& steer) {
  CarView<R> v{};
  v.vx = s.vx, v.vy = s.vy, v.r = s.r;
  v.ax = ax, v.ay = ay, v.steer = steer;
  for (int i = 0; i < 4; ++i) {
    const int w = Lv == Level::L1 ? i / 2 : i;
    v.w[i] = s.wheel[std::size_t(w)].w;
    v.radius[i] = m.p.wheel[w].tire.R0;
  }
  return v;
}

// budget: commands, what they go through, and what comes out.
// Commands through actuators and equipment, which move on: what acts at start, middle and end of the step.
template <class R> void actuate(const UnitKinds& units, const UnitNumbers<R>& p, const CarView<R>& view, Inputs<R>& u0,
                                Inputs<R>& u1, std::type_identity_t<R> h, EquipmentState<R>& equipment,
                                std::array<ActuatorState<R>, kActuators>& actuator, Actuation<R> act[3]) {
  R steer_mid = R(0.5) * (u0.steer + u1.steer);
  if (units.actuators) {
    R* from[kActuators] = {&u0.steer, &u0.throttle, &u0.brake};
    R* to[kActuators] = {&u1.steer, &u1.throttle, &u1.brake};
    for (int i = 0; i < kActuators; ++i) {
      if (!units.actuator_kind[i].acts()) continue;
      R out[3];
      actuator_step(units.actuator_kind[i], p.actuator[i], actuator[std::size_t(i)], *from[i], *to[i], h, out);
      *from[i] = out[0];
      *to[i] = out[2];
      if (i == kSteer) steer_mid = out[1];
    }
  }
  equipment_step(units.kind, p.p, equipment, u0, u1, view, h, act);
  act[1].steer = steer_mid;
}

}  // namespace vdsim
