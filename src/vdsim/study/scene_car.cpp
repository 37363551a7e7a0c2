// SPDX-License-Identifier: Apache-2.0
#include "vdsim/study/scene_car.hpp"

#include "vdsim/engine/hash.hpp"

namespace vdsim {

SignalScope car_scope(const CarSpec& car, const RoadSpec& road) {
  SignalScope out = signal_scope(car.vehicle, road, car.level);
  out.speed = car.driver.speed.given();
  out.path = car.driver.path.given();
  return out;
}

SceneCar::SceneCar(const Scenario& scene, const CarSpec& car)
    : terrain_(scene.terrain),
      maps_(scene.maps),
      car_(car, scene.road, scene.solver.integrator),
      seed_(fnv1a(car.id)),
      sensors_(car.vehicle.sensors, seed_),
      driver_(car.driver),
      driven_(demand_at(driver_, 0)) {
  car_.drive(driven_, 0, 0);
  measure(0);
}

SceneCar::SceneCar(const SceneCar& other)
    : terrain_(other.terrain_),
      maps_(other.maps_),
      car_(other.car_),
      seed_(other.seed_),
      sensors_(other.sensors_.spec(), seed_),
      driver_(other.driver_),
      driven_(other.driven_) {
  sensors_.restore(other.sensors_.snapshot());
}

void SceneCar::measure(double t) {
  if (sensors_.spec().enabled) sensors_.update(car_.truth(t));
}

bool SceneCar::step(double to, double h) { return step(demand_at(driver_, to), to, h); }

bool SceneCar::step(const Demand& next, double to, double h) {
  if (!car_.step(next, h)) return false;
  car_.drive(driven_ = next, to, h);
  measure(to);
  return true;
}

bool SceneCar::step(const Commands& from, const Commands& end, double to, double h) {
  if (!car_.step(from, end, h)) return false;
  driven_ = Demand{end};
  measure(to);
  return true;
}

void SceneCar::change(const Scenario& scene, const CarSpec& car, double t) {
  SensorSuite sensors(car.vehicle.sensors, seed_);
  DriverSpec driver = car.driver;
  auto maps = scene.maps;
  car_.change(car, scene.road, scene.solver.integrator);
  driver_ = std::move(driver);
  terrain_ = scene.terrain, maps_ = std::move(maps);
  if (sensors.identity() == sensors_.identity()) return;
  sensors_ = std::move(sensors);
  measure(t);
}

CarOutputs SceneCar::outputs(double t) const {
  CarOutputs out = car_.outputs();
  out.t = t;
  return out;
}

template <> StateList state_of_struct(Commands& s);  // driven_car.cpp
template <> StateList state_of_struct(Demand& s) {
  return {state("direct", s.direct, "", "commands as they are"),
          state("speed", s.speed, "m/s", "NaN: not said, as below"),
          state("speed_rate", s.speed_rate, "m/s^2", "of the speed"),
          state("acceleration", s.acceleration, "m/s^2", "along the gear's direction"),
          state("force", s.force, "N", "sum of the longitudinal contact forces"),
          state("curvature", s.curvature, "1/m", "of the path driven"),
          state("follow_path", s.follow_path, "", "steer along the path"),
          state("wheel_torques", s.wheel_torques, "", "torques come from the wheels")};
}
FieldRef SceneCar::driven_state() { return vdsim::state("driven", driven_, "", "what the commands are made of"); }

std::uint64_t SceneCar::identity() const {
  const std::uint64_t both[2] = {car_.model_hash(), sensors_.identity()};
  return fnv1a({reinterpret_cast<const char*>(both), sizeof both});
}

}  // namespace vdsim
