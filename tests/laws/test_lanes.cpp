// SPDX-License-Identifier: Apache-2.0
// Cars in the lanes of a register: on every machine each lane has the bits of the single car.
#include <gtest/gtest.h>

#include <string>

#include "vdsim/engine/batch/bench.hpp"

namespace {
using namespace vdsim;

// exact numerics; the kernels of this machine, whatever it is
TEST(Lanes, SameBitsOnThisMachine) {
  if (std::string(bench_numerics()) != "exact") GTEST_SKIP() << "fast numerics round otherwise";
  for (const Level level : {Level::L1, Level::L2, Level::L3, Level::L5})
    for (const Integrator method : {Integrator::rk4, Integrator::implicit}) {
      BenchOptions o;
      o.check = true;
      o.level = level;
      o.integrator = method;
      for (const BenchResult& r : bench(o))
        EXPECT_TRUE(r.same) << EnumNames<Level>::names[std::size_t(level)] << " " << r.number << " " << r.laws
                            << ": worst " << r.worst;
    }
}

}  // namespace
