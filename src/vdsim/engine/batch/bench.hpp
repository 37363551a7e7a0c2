// SPDX-License-Identifier: Apache-2.0
// vdsim bench: time per car-step of every number type, and proof that all lanes compute what `run` computes.
#pragma once
#include <vector>

#include "vdsim/core/vehicle/spec.hpp"

namespace vdsim {

struct BenchOptions {
  bool check = false;  // compare with `run` instead of measuring
  bool wheel = false;  // one tire instead of a car
  double seconds = 1;  // per measurement
  Level level = Level::L2;
  Integrator integrator = Integrator::rk4;
  VehicleSpec vehicle;
};

struct BenchResult {
  const char* number;  // "float8"
  const char* laws;    // "open": read at run time; else the laws that are constants in the kernel
  int lanes;
  double ns_per_step;
  bool checked, same;  // same: to the bit
  double worst;        // largest relative deviation of a lane from the single car
};
bool passed(const BenchResult&);

inline constexpr double kBenchStep = 1e-3;  // [s]
const char* bench_numerics();               // "exact", "fast"
std::vector<BenchResult> bench(const BenchOptions&);

}  // namespace vdsim
