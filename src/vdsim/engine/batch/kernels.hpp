// SPDX-License-Identifier: Apache-2.0
// Batches: many cars in the lanes of one register. A kernel set is one number type at one level, compiled for one
// instruction set; the right one is chosen at run time. Only plain memory crosses this border.
#pragma once
#include <cstddef>

#include "vdsim/core/vehicle/model.hpp"

namespace vdsim {

template <Level Lv> struct Kernel {
  const char* number;  // "double4"; its width is that of the machine's registers
  const char* laws;    // "open": any car; else the laws that are constants in it
  int lanes;
  std::size_t model_bytes, state_bytes, input_bytes, alignment;
  // one lane in, one lane out, rounded to the kernel's number
  void (*set_model)(void* model, int lane, const Model<double, Lv>&);
  void (*set_state)(void* state, int lane, const State<double, Lv>&);
  void (*set_input)(void* input, int lane, const Inputs<double>&);
  void (*get_state)(const void* state, int lane, State<double, Lv>&);
  // `steps` steps of h with held commands
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
