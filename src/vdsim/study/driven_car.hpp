// SPDX-License-Identifier: Apache-2.0
// A car and what turns a driver's demands into its commands: the speed controller, the command levels, the preview driver.
#pragma once
#include <optional>

#include "vdsim/config/scenario.hpp"
#include "vdsim/engine/car.hpp"
#include "vdsim/engine/snapshot.hpp"
#include "vdsim/study/command_levels.hpp"
#include "vdsim/study/demand.hpp"
#include "vdsim/study/driver.hpp"
#include "vdsim/study/preview_driver.hpp"
#include "vdsim/study/sensors.hpp"

namespace vdsim {

// Motion beside that of a scene's start, which is straight: speed to the left [m/s], yaw rate [rad/s]. Every wheel rolls as its hub
// goes (on a locked axle as its middle does), bristles are relaxed.
struct SideMotion {
  double vy = 0, r = 0;
};

class DrivenCar {
 public:
  DrivenCar(const CarSpec&, const RoadSpec&, Integrator, const SideMotion& = {});

  // Once per step, before it: turns the demand into commands(). `done`: length of the step just done [s], 0 at the start.
  void drive(const Demand&, double t, double done);
  // Advance by h: what the demand gives directly goes linearly to `next`, which speaks at the same command levels as the one driven
  // by; what a controller works is held. False, and nothing changed, if the step diverged.
  bool step(const Demand& next, double h);
  bool step(const Commands& from, const Commands& to, double h);  // without a driver
  // Car::change, and the driver knows the new car; a path that stays is followed on.
  void change(const CarSpec&, const RoadSpec&, Integrator);

  // Every signal now, those of the driver too; glance(): without an evaluation (Car::glance).
  CarOutputs outputs() const { return with_driver(car_.outputs(now_)); }
  CarOutputs glance() const { return with_driver(car_.glance(now_)); }
  SensorTruth truth(double t) const;  // what sensors could see of it now
  const Commands& commands() const { return now_; }
  const Commands& ended() const { return ended_; }  // with what the last step of a demand ended
  const Car& car() const { return car_; }
  const NominalCar& nominal_car() const { return nominal_car_; }

  StateList state();  // car, drivers and commands
  void state_changed() { car_.state_changed(); }
  std::uint64_t model_hash() const { return car_.model_hash(); }

 private:
  void climb_down(const Demand&, double t, double done);
  CarOutputs with_driver(CarOutputs) const;

  RoadSpec road_;
  Car car_;
  SpeedHolder speed_;
  NominalCar nominal_car_;
  std::optional<Path> path_;
  std::vector<std::array<double, 2>> path_points_;
  bool path_closed_;
  double lookahead_;
  HumanSpec human_;
  PedalMemory acceleration_;
  CurvatureMemory curvature_;
  PathMemory path_memory_;
  PreviewMemory preview_;
  Commands now_, ended_;
  double set_speed_ = Demand::kUnsaid;  // [m/s]
};

}  // namespace vdsim
