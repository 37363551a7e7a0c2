// SPDX-License-Identifier: Apache-2.0
// What a car of one level is made of besides its state, and its hash. Made once, never changed, shared by copies.
#pragma once
#include "vdsim/core/vehicle/compile.hpp"
#include "vdsim/engine/car.hpp"
#include "vdsim/engine/car_state.hpp"
#include "vdsim/engine/hash.hpp"
#include "vdsim/engine/units.hpp"

namespace vdsim {

UnitParams compile_units(const VehicleSpec&, Level);

// Names and values of car and road as a user writes them, and every number that the road keeps outside its parameters.
std::uint64_t spec_hash(VehicleSpec, RoadSpec);

template <Level Lv> struct CarModel {
  Model<double, Lv> model;
  std::unique_ptr<const RoughTable> rough;  // model.data points to it
  UnitParams units;
  double steering_ratio;
  Integrator integrator;
  std::uint64_t hash;
};

template <class T> std::string_view bytes_view(const T& x) { return {reinterpret_cast<const char*>(&x), sizeof x}; }

template <Level Lv>
std::shared_ptr<CarModel<Lv>> make_car_model(const VehicleSpec& spec, const RoadSpec& road, Integrator integrator) {
  auto out = std::make_shared<CarModel<Lv>>();
  out->model = compile<Lv>(spec, road);
  out->hash = fnv1a(bytes_view(out->model.p), spec_hash(spec, road));
  if (out->model.kind.road.rough) {
    out->rough = std::make_unique<const RoughTable>(make_rough_table(road));
    out->model.data.rough = out->rough.get();
    out->hash = fnv1a(bytes_view(*out->rough), out->hash);
  }
  out->units = compile_units(spec, Lv);
  out->steering_ratio = spec.steering.steering_ratio;
  out->integrator = integrator;
  return out;
}

// What controllers may sense at the start of a step.
template <Level Lv> CarView<double> view_of(const CarModel<Lv>& m, const CarState<Lv>& s) {
  return view_of(m.model, s.motion, s.last.ax, s.last.ay, s.last.steer);
}

template <Level Lv> CarState<Lv> start_state(const CarModel<Lv>& m, const VehicleSpec& spec, const StartPose& pose) {
  CarState<Lv> s{};
  s.motion = start<Lv>(m.model, pose.x0, pose.y0, pose.yaw0, pose.vx0, pose.z0);
  if (has_patches(spec)) {
    s.patch.resize(kWheels<Lv>);
    start_patches<Lv>(spec, s.motion, s.patch.data());
  }
  for (int i = 0; i < kActuators; ++i)
    s.actuator[std::size_t(i)] = start_actuator(m.units.actuator_kind[i], m.units.actuator[i], 0.0);
  s.equipment = start_equipment(m.units.kind, m.units.p, view_of(m, s));
  s.last.equipped = m.units.any;
  return s;
}

}  // namespace vdsim
