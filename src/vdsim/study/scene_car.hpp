// SPDX-License-Identifier: Apache-2.0
// A car of a scene with its driver and sensors: what runs to a schedule (CarRun) and what is stepped from outside (Sim).
#pragma once
#include <memory>
#include <vector>

#include "vdsim/config/scenario.hpp"
#include "vdsim/study/driven_car.hpp"
#include "vdsim/study/sensors.hpp"

namespace vdsim {

// A car of a scene; BadInput where there is none such, or several.
const CarSpec& only_car(const Scenario&);
const CarSpec& car_by_id(const Scenario&, const std::string& id);

SignalScope car_scope(const CarSpec&, const RoadSpec&);            // signals that a car's rows have
std::vector<Column> row_columns(const CarSpec&, const RoadSpec&);  // those, and its sensors

class SceneCar {
 public:
  SceneCar(const Scenario&, const CarSpec&, const SideMotion& = {});  // at t = 0; the scene's driver has spoken
  SceneCar(const SceneCar&);
  SceneCar& operator=(const SceneCar&) = delete;

  // One step of length h that ends at the time `to`. False, and nothing changed, if it diverged.
  bool step(double to, double h);  // by the scene's driver; an external car: by the last demand, until it is stale
  bool step(const Demand& next, double to, double h);
  bool step(const Commands& from, const Commands& end, double to, double h);
  void drive(const Demand& now,
             double t);  // this demand from this instant on; the same once more: nothing new but its age
  // The car, its road and its driver become those of another scene; what goes on: Car::change. Throws BadInput, and nothing changes.
  void change(const Scenario&, const CarSpec&, double t);

  CarOutputs outputs(double t) const;
  const DrivenCar& car() const { return car_; }
  const SensorSuite& sensors() const { return sensors_; }
  const Demand& driven() const { return driven_; }  // what the commands of now were made of

  StateList car_state() { return car_.state(); }
  StateList sensor_state() { return sensors_.state(); }
  StateList driven_state();
  bool stale(double t) const;      // an external car: its demand is older than cmd_timeout
  std::uint64_t identity() const;  // of car and sensors
  void state_changed() { car_.state_changed(); }

 private:
  void measure(double t);
  Demand fail_safe() const;

  std::shared_ptr<const Terrain> terrain_;            // the road may point into it,
  std::vector<std::shared_ptr<const RoadMap>> maps_;  // and into these
  DrivenCar car_;
  std::uint64_t seed_;  // of the noise of its sensors
  SensorSuite sensors_;
  Control control_;
  double cmd_timeout_;
  DriverSpec driver_;
  Demand driven_;
  double heard_ = 0;  // when driven_ came from outside [s]
};

}  // namespace vdsim
