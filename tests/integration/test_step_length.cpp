// SPDX-License-Identifier: Apache-2.0
// What docs/CATALOG_AND_PHYSICS.md and theory page 02 say of RK4 with long steps, for every shipped car.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "vdsim/config/catalog.hpp"
#include "vdsim/config/vehicle.hpp"
#include "vdsim/engine/car.hpp"

namespace {

using namespace vdsim;

VehicleSpec shipped(const std::string& id) {
  static const Catalog catalog(Catalog::default_folder());
  CarLayers car;
  Errors errors;
  EXPECT_TRUE(apply_blueprint(catalog, Reference{id, "", {}, "blueprint"}, car, errors)) << id;
  return car.vehicle;
}

// Yaw rate and speed every 5 ms of a step steer at 80 km/h, coasting.
struct History {
  std::vector<double> r, vx;
};
History step_steer(const VehicleSpec& car, Level level, double dt) {
  Car sim(car, RoadSpec{}, level, Integrator::rk4, {.vx0 = 80 / 3.6});
  const auto at = [](double t) { return Commands{.steer = 0.0277 * std::clamp((t - 0.5) / 0.1, 0.0, 1.0)}; };
  const long per = std::lround(5e-3 / dt);
  History out;
  for (long i = 1; i <= 500 * per; ++i) {
    EXPECT_TRUE(sim.step(at((i - 1) * dt), at(i * dt), dt));
    if (i % per != 0) continue;
    const CarOutputs o = sim.outputs(at(i * dt));
    out.r.push_back(o.r), out.vx.push_back(o.vx);
  }
  return out;
}
// Largest difference over the largest value.
double apart(const std::vector<double>& a, const std::vector<double>& b) {
  double most = 0, size = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    most = std::max(most, std::fabs(a[i] - b[i])), size = std::max(size, std::fabs(b[i]));
  return most / size;
}

}  // namespace

// 5 ms against 0.5 ms: within 1e-4 of the yaw rate at any time, and not 1e-6 as the docs once said; settled within 1e-6.
TEST(StepLength, FiveMillisecondsInAStepSteer) {
  double worst = 0;
  for (const char* id :
       {"vehicle.sedan_comfort", "vehicle.sports_aggressive", "vehicle.race_gt", "vehicle.fsk_formula"})
    for (const Level level : {Level::L2, Level::L5}) {
      const VehicleSpec car = shipped(id);
      const History a = step_steer(car, level, 5e-3), b = step_steer(car, level, 5e-4);
      const double r = apart(a.r, b.r), vx = apart(a.vx, b.vx), end = std::fabs(a.r.back() / b.r.back() - 1);
      std::printf("[ measured ] %-26s %s: yaw rate %.1e, settled %.1e, speed %.1e\n", id,
                  level == Level::L2 ? "L2" : "L5", r, end, vx);
      EXPECT_LT(std::max(r, vx), 1e-4) << id;
      EXPECT_LT(end, 1e-6) << id;
      worst = std::max(worst, r);
    }
  EXPECT_GT(worst, 1e-6);  // or the docs may promise more again
}
