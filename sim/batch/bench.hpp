// vdsim bench: time per car-step of every number type, and proof that all lanes compute what `run` computes.
#pragma once
#include <string>

#include "vdsim/vehicle/spec.hpp"

namespace vdsim {

struct BenchOptions {
  bool json = false, check = false;
  bool wheel = false;  // one tire instead of a car
  std::string backend = "cpu";
  int threads = 1;
  double seconds = 1;  // per measurement
  Level level = Level::L2;
  Integrator integrator = Integrator::rk4;
  VehicleSpec vehicle;
};

int bench_command(const BenchOptions&);  // exit code

}  // namespace vdsim
