// SPDX-License-Identifier: Apache-2.0
// Tables over time, and a speed controller that operates throttle, brake and gear.
#pragma once
#include "vdsim/config/scenario.hpp"
#include "vdsim/engine/car.hpp"
#include "vdsim/study/pedals.hpp"

namespace vdsim {

double table_at(const Table&, double t);                      // linear between, held outside; 0 if not given
double table_slope(const Table&, double t);                   // to the right of t; 0 outside and if not given
double table_held_at(const Table&, double t, double absent);  // the value of the last point at or before t

// What the speed controller remembers between steps; part of a run's snapshot.
struct DriverMemory : PedalMemory {
  int gear = 1;
};

// What the driver perceives.
struct DriverView {
  double vx;       // [m/s]
  double gravity;  // acceleration by the slope along the car's x axis, positive pushes forward [m/s^2]
};

PedalGain pedal_gain(const VehicleSpec&);
double slope_gravity(const RoadSpec&, double psi);

// Speed control: u = target' + kp (target - v) - gravity - disturbance. Reverse is engaged below 0.3 m/s; a target of 0
// brakes to a stop and holds.
class SpeedHolder {
 public:
  explicit SpeedHolder(const VehicleSpec& vehicle) : gain_(pedal_gain(vehicle)) {}

  // Overwrites throttle, brake, gear. `wanted` [m/s], its rate [m/s^2]. Call once per step; `done`: length of the step
  // just done [s], 0 at the start.
  void hold(double wanted, double rate, double done, DriverView, Commands& now);

  DriverMemory& memory() { return memory_; }

 private:
  void choose_gear(double wanted, double vx);
  PedalGain gain_;
  DriverMemory memory_;
};

}  // namespace vdsim
