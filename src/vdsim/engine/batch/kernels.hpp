// SPDX-License-Identifier: Apache-2.0
// Batches: many cars in the lanes of one register. A kernel set is one number type at one level, compiled for one
// instruction set; the right one is chosen at run time. Only plain memory crosses this border.
#pragma once
#include <cstddef>

#include "vdsim/core/vehicle/stage.hpp"
#include "vdsim/engine/units.hpp"

namespace vdsim {

// What a batch keeps of the cars in one register. These structs hold nothing but R: seen as an array, number k of lane i is at
// k lanes + i.
template <class R, Level Lv> struct LaneState {
  State<R, Lv> motion;
  Power<R> work;  // integrals of the powers [J]
  R engine[2];    // inertia that turned with the axles in the last step [kg m^2]
  R changed;      // energy by engines coupled or freed [J]
  R steer;        // where the wheels point [rad]
};
// The same of cars with equipment; actuators only where one acts.
template <class R> struct LaneUnits {
  EquipmentState<R> equipment;
  Actuation<R> act;  // at the end of the last step
  R ax, ay;          // specific force at the CG, mean of the last step [m/s^2]
};
template <class R> using LaneActuators = std::array<ActuatorState<R>, kActuators>;

// Some steps of all cars in one register, commands held.
struct LaneRun {
  Integrator method;
  double h;  // [s]
  int steps;
  const void* model;
  void* state;                       // LaneState
  const void* input;                 // Inputs
  const UnitKinds* units = nullptr;  // null: commands go straight to the car, else
  const void* unit_numbers = nullptr;
  void *unit_state = nullptr, *actuators = nullptr;
  double* turns = nullptr;  // L5: of each lane, counted on
};
// A bit per lane in which that happened in any of the steps; what the lane holds then is no state of the car.
struct LaneFaults {
  unsigned not_finite = 0, pressed_in = 0;
};

template <Level Lv> struct Kernel {
  const char* number;  // "double4"; its width is that of the machine's registers
  const char* laws;    // "open": any car; else the laws that are constants in it
  int lanes;
  std::size_t number_bytes;  // of one lane: 4, 8
  std::size_t model_bytes, state_bytes, input_bytes, alignment;
  std::size_t numbers;              // constants of a model, of each lane
  void* (*constants)(void* model);  // where they are
  // one lane in, one lane out, rounded to the kernel's number
  void (*set_model)(void* model, int lane, const Model<double, Lv>&);
  void (*set_state)(void* state, int lane, const State<double, Lv>&);
  void (*set_input)(void* input, int lane, const Inputs<double>&);
  void (*get_state)(const void* state, int lane, State<double, Lv>&);
  LaneFaults (*advance)(const LaneRun&);
  // of every lane, one after the other: kinetic, stored, springs [J]
  void (*energy)(const void* model, const void* state, double* of_lanes);
  // `steps` steps of h with held commands, of a plain car
  void (*run)(Integrator, const void* model, void* state, const void* input, double h, int steps);
  // the front left tire alone, at the speed and spin of the state, 4000 N: one evaluation and one update per step
  void (*run_wheel)(const void* model, void* state, double h, int steps);
};

enum class Numeric { exact, fast };  // fast: FMA; lanes agree with the single car to rounding, not to the bit

// number: "double", "float", "double4", "float8". The best this machine can run: with NEON, whose registers are half as wide,
// a kernel of two or four cars; without any of these one car at a time.
// A kernel that takes this car; `laws`: the one for its laws, if there is one, else the one for any car.
enum class KernelLaws { open, fixed };
template <Level Lv>
const Kernel<Lv>& kernel(const char* number, Numeric, const Model<double, Lv>& car, KernelLaws = KernelLaws::fixed);
template <Level Lv> const Kernel<Lv>& kernel(const char* number, Numeric);  // for any car

// One car at a time, beside its Car in car_l1.cpp ...: both run the same compiled step.
template <Level Lv> const Kernel<Lv>& double_kernel();

// The level that has kernels of fixed laws: each costs as much to compile as a level.
inline constexpr Level kFixedLevel = Level::L2;

}  // namespace vdsim
