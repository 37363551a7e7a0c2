// SPDX-License-Identifier: Apache-2.0
#include "vdsim/study/scene_car.hpp"

#include "vdsim/engine/errors.hpp"
#include "vdsim/engine/hash.hpp"

namespace vdsim {
namespace {

constexpr double kFailSafeBrake = 0.3;  // pedal of a car whose commands are stale
constexpr double kSameAge = 1e-9;       // [s]

// A program gives the commands of an external car; its driver block has the path for follow_path.
DriverSpec driver_of(const CarSpec& car) {
  if (car.control == Control::internal) return car.driver;
  DriverSpec out;
  out.path = car.driver.path, out.path_closed = car.driver.path_closed;
  out.lookahead = car.driver.lookahead, out.human = car.driver.human;
  return out;
}
Demand first_demand(const CarSpec& car) {
  return car.control == Control::internal ? demand_at(car.driver, 0) : Demand{};
}

std::vector<std::string> car_ids(const Scenario& scene) {
  std::vector<std::string> out;
  for (const CarSpec& car : scene.cars) out.push_back(car.id);
  return out;
}

}  // namespace

const CarSpec& only_car(const Scenario& scene) {
  if (scene.cars.size() == 1) return scene.cars[0];
  std::string all;
  for (const std::string& id : car_ids(scene)) all += (all.empty() ? "" : ", ") + id;
  throw bad_value("car", "the scene has several, name one of " + all);
}

const CarSpec& car_by_id(const Scenario& scene, const std::string& id) {
  for (const CarSpec& car : scene.cars)
    if (car.id == id) return car;
  throw bad_value("car", "no '" + id.substr(0, 60) + "' in this scene" + suggestion(id, car_ids(scene)));
}

SignalScope car_scope(const CarSpec& car, const RoadSpec& road) {
  SignalScope out = signal_scope(car.vehicle, road, car.level);
  out.external = car.control == Control::external;
  out.speed = car.driver.speed.given() || out.external;
  out.path = car.driver.path.given();
  return out;
}

std::vector<Column> row_columns(const CarSpec& car, const RoadSpec& road) {
  std::vector<Column> out = signals(car_scope(car, road));
  for (Column& column : sensor_columns(car.vehicle.sensors, car.level == Level::L1 ? 2 : 4))
    out.push_back(std::move(column));
  return out;
}

SceneCar::SceneCar(const Scenario& scene, const CarSpec& car, const SideMotion& side)
    : terrain_(scene.terrain),
      maps_(scene.maps),
      car_(car, scene.road, scene.solver.integrator, side),
      seed_(fnv1a(car.id)),
      sensors_(car.vehicle.sensors, seed_),
      control_(car.control),
      cmd_timeout_(scene.timing.cmd_timeout),
      driver_(driver_of(car)),
      driven_(first_demand(car)) {
  car_.drive(driven_, 0, 0);
  measure(0);
}

SceneCar::SceneCar(const SceneCar& other)
    : terrain_(other.terrain_),
      maps_(other.maps_),
      car_(other.car_),
      seed_(other.seed_),
      sensors_(other.sensors_.spec(), seed_),
      control_(other.control_),
      cmd_timeout_(other.cmd_timeout_),
      driver_(other.driver_),
      driven_(other.driven_),
      heard_(other.heard_) {
  sensors_.restore(other.sensors_.snapshot());
}

void SceneCar::measure(double t) {
  if (sensors_.spec().enabled) sensors_.update(car_.truth(t));
}

bool SceneCar::stale(double t) const { return control_ == Control::external && t - heard_ > cmd_timeout_ + kSameAge; }

// Wheels stay where they point, and it slows down.
Demand SceneCar::fail_safe() const {
  Demand out;
  out.direct = car_.commands();
  out.direct.throttle = 0, out.direct.brake = kFailSafeBrake, out.direct.torque = {};
  return out;
}

void SceneCar::drive(const Demand& now, double t) {
  heard_ = t;
  if (!same(now, driven_)) car_.drive(driven_ = now, t, 0);
}

bool SceneCar::step(double to, double h) {
  if (control_ == Control::internal) return step(demand_at(driver_, to), to, h);
  if (!car_.step(driven_, h)) return false;
  if (stale(to)) driven_ = fail_safe();
  car_.drive(driven_, to, h);
  measure(to);
  return true;
}

bool SceneCar::step(const Demand& next, double to, double h) {
  if (!car_.step(next, h)) return false;
  car_.drive(driven_ = next, to, h);
  heard_ = to;
  measure(to);
  return true;
}

bool SceneCar::step(const Commands& from, const Commands& end, double to, double h) {
  if (!car_.step(from, end, h)) return false;
  driven_ = Demand{end};
  heard_ = to;
  measure(to);
  return true;
}

void SceneCar::change(const Scenario& scene, const CarSpec& car, double t) {
  SensorSuite sensors(car.vehicle.sensors, seed_);
  DriverSpec driver = driver_of(car);
  auto maps = scene.maps;
  car_.change(car, scene.road, scene.solver.integrator);
  driver_ = std::move(driver);
  control_ = car.control, cmd_timeout_ = scene.timing.cmd_timeout;
  terrain_ = scene.terrain, maps_ = std::move(maps);
  if (sensors.identity() == sensors_.identity()) return;
  sensors_ = std::move(sensors);
  measure(t);
}

CarOutputs SceneCar::outputs(double t) const {
  CarOutputs out = car_.outputs();
  out.t = t;
  out.stale = stale(t);
  return out;
}

StateList SceneCar::driven_state() {
  return {vdsim::state("driven", driven_, "", "what the commands are made of"),
          vdsim::state("heard", heard_, "s", "when that came from outside")};
}

std::uint64_t SceneCar::identity() const {
  const std::uint64_t both[2] = {car_.model_hash(), sensors_.identity()};
  return fnv1a({reinterpret_cast<const char*>(both), sizeof both});
}

}  // namespace vdsim
