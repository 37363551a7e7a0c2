// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <chrono>
#include <ctime>

#include "vdsim/engine/batch/batch.hpp"
#include "vdsim/engine/batch/bench.hpp"

namespace vdsim {
namespace {

// Every car at its own speed, in a turn of its own. `own`: mass, friction and tire stiffness differ from car to car.
Batch moving(const BenchOptions& o, std::size_t cars, Number number) {
  Batch batch({o.vehicle, RoadSpec{}, o.level, o.integrator, {}}, cars, number);
  std::vector<StartPose> poses(cars);
  std::vector<double> steer(cars), part(cars);
  for (std::size_t i = 0; i < cars; ++i) {
    part[i] = double(i % 97) / 97;
    poses[i].vx0 = 15 + 10 * part[i];
    steer[i] = 0.02 + 0.03 * part[i];
  }
  const double throttle = 0.2;
  batch.set_input("steer", {steer.data()});
  batch.set_input("throttle", {&throttle, 0});
  const auto vary = [&](const char* path, double from, double to) {
    std::vector<double> v(cars);
    for (std::size_t i = 0; i < cars; ++i) v[i] = from + (to - from) * part[(i * 7) % cars];
    batch.set_field(path, {v.data()});
  };
  if (o.own) {
    const double mass = o.vehicle.chassis.mass, sigma0 = o.vehicle.tire_fl.lugre.sigma0;
    vary("chassis.mass", mass, 1.2 * mass), vary("mu", 0.6, 1.1), vary("tire.lugre.sigma0", sigma0, 1.3 * sigma0);
  }
  batch.reset({}, poses);
  return batch;
}

}  // namespace

std::vector<BatchResult> bench_batch(const BenchOptions& o) {
  using clock = std::chrono::steady_clock;
  std::vector<BatchResult> out;
  for (const Number number : {Number::f32, Number::f64})
    for (const std::size_t cars : o.cars) {
      Batch batch = moving(o, cars, number);
      const BatchInfo info = batch.info();
      // short runs, the best of many: other load on the machine only ever adds time
      const std::size_t steps = std::clamp<std::size_t>(16'000 / cars, 10, 200);
      for (const unsigned threads : o.threads) {
        batch.step(kBenchStep, steps, threads);
        double best = 1e300, busy = 1e300;
        const auto end = clock::now() + std::chrono::duration<double>(o.seconds);
        do {
          const auto t0 = clock::now();
          const std::clock_t c0 = std::clock();
          batch.step(kBenchStep, steps, threads);
          best = std::min(best, std::chrono::duration<double>(clock::now() - t0).count());
          busy = std::min(busy, double(std::clock() - c0) / CLOCKS_PER_SEC);
        } while (clock::now() < end);
        const double per_step = 1e9 / double(steps) / double(cars);
        out.push_back({info.number, info.laws, cars, threads, info.bytes_per_car, info.varied, best * per_step,
                       busy * per_step, batch.standing()});
      }
    }
  return out;
}

}  // namespace vdsim
