// SPDX-License-Identifier: Apache-2.0
// Everything of a car that must be saved. Nothing else persists between steps. Names, units and meanings: car_state.cpp.
#pragma once
#include "vdsim/core/actuator/actuator.hpp"
#include "vdsim/engine/snapshot.hpp"
#include "vdsim/engine/step.hpp"

namespace vdsim {

struct CarClock {
  double time;         // [s]
  std::int64_t steps;  // taken
  double turns;        // whole turns of the heading
};

// The energy balance so far.
struct BalanceState {
  Power<double> work;                  // integrals of the powers [J]
  double kinetic0, stored0, springs0;  // energy at the start [J]
  double engine[2];                    // inertia that turned with the axles in the last step [kg m^2]
  double changed, changed_tires;       // by changes of the car, gears too: kinetic + springs; stored in the tires [J]
};

// What the last step left for controllers and outputs.
struct LastStep {
  double steer;           // where the wheels point [rad]
  double ax, ay;          // specific force at the CG, mean of the step [m/s^2]
  Actuation<double> act;  // what the equipment gave at its end
  bool equipped;          // the commands went through equipment
};

template <Level Lv> struct CarState {
  State<double, Lv> motion;              // body, wheels, tires, rack
  std::vector<PatchTire<double>> patch;  // contact-patch LuGre tires, one per wheel or none: their memory
  EquipmentState<double> equipment;
  std::array<ActuatorState<double>, kActuators> actuator;
  CarClock clock;
  BalanceState balance;
  LastStep last;
};
template <Level Lv> StateList state_list(CarState<Lv>&);

template <> StateList state_of_struct(Power<double>&);
template <> StateList state_of_struct(Actuation<double>&);
template <> StateList state_of_struct(PatchMemory<double>&);
template <> StateList state_of_struct(PatchTire<double>&);
template <> StateList state_of_struct(CarClock&);
template <> StateList state_of_struct(BalanceState&);
template <> StateList state_of_struct(LastStep&);

}  // namespace vdsim
