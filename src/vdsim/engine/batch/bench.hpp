// SPDX-License-Identifier: Apache-2.0
// vdsim bench: time per car-step of every number type, and proof that all lanes compute what `run` computes.
#pragma once
#include <string>
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
  // of whole batches
  std::vector<std::size_t> cars;
  std::vector<unsigned> threads{1};
  bool own = false;  // mass, friction and tire stiffness of their own
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

// A batch of cars instead of one register.
struct BatchResult {
  std::string number, laws;
  std::size_t cars;
  unsigned threads;
  std::size_t bytes_per_car, varied;
  double ns_per_step, cpu_ns_per_step;  // wall time; processor time of all threads; per car and step
  std::size_t standing;                 // cars that diverged
};
std::vector<BatchResult> bench_batch(const BenchOptions&);

inline constexpr double kBenchStep = 1e-3;  // [s]
const char* bench_numerics();               // "exact", "fast"
std::vector<BenchResult> bench(const BenchOptions&);

}  // namespace vdsim
