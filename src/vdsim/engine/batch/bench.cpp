// SPDX-License-Identifier: Apache-2.0
#include "vdsim/engine/batch/bench.hpp"

#include <chrono>
#include <cmath>
#include <cstring>
#include <stdexcept>
#include <vector>

#include "vdsim/engine/batch/lanes.hpp"

namespace vdsim {
namespace {

#ifdef VDSIM_NUMERIC_FAST
constexpr Numeric kNumeric = Numeric::fast;
#else
constexpr Numeric kNumeric = Numeric::exact;
#endif
constexpr double kStep = kBenchStep;

// Lanes differ in speed and steer, so that a mixed-up lane shows.
double lane_speed(int i) { return 15 + 1.25 * i; }
Commands lane_commands(int i) { return {0.02 + 0.004 * i, 0.2, 0, 0, 1}; }

// One register full of cars.
template <Level Lv> Lanes<Lv> full(const Kernel<Lv>& k, const Model<double, Lv>& car) {
  Lanes<Lv> batch(k, car);
  for (int i = 0; i < k.lanes; ++i) {
    batch.set_state(i, start<Lv>(car, 0, 0, 0, lane_speed(i)));
    batch.set_commands(i, lane_commands(i));
  }
  return batch;
}

template <Level Lv> double measure(const BenchOptions& o, const Kernel<Lv>& k, const Model<double, Lv>& car) {
  using clock = std::chrono::steady_clock;
  Lanes<Lv> batch = full(k, car);
  const auto run = [&] {
    if (o.wheel)
      batch.run_wheel(kStep, 200);
    else
      batch.run(o.integrator, kStep, 200);
  };
  batch.run(o.integrator, kStep, 200);  // past the start, caches warm
  double best = 1e300;
  const auto end = clock::now() + std::chrono::duration<double>(o.seconds);
  do {  // the best of many short runs: other load on the machine only ever adds time
    const auto t0 = clock::now();
    run();
    best = std::min(best, std::chrono::duration<double>(clock::now() - t0).count());
  } while (clock::now() < end);
  return best / 200 / k.lanes * 1e9;
}

// After 1000 steps every lane against the step of `run`: double against Car, float against the scalar float kernel.
template <Level Lv>
void compare(const BenchOptions& o, const Kernel<Lv>& k, const Model<double, Lv>& car, BenchResult& r) {
  constexpr int steps = 1000;
  Lanes<Lv> batch = full(k, car);
  batch.run(o.integrator, kStep, steps);
  r.checked = r.same = true;
  for (int i = 0; i < k.lanes; ++i) {
    State<double, Lv> want;
    if (k.number[0] == 'd') {
      Car one(o.vehicle, RoadSpec{}, o.level, o.integrator, {0, 0, 0, lane_speed(i)});
      for (int n = 0; n < steps; ++n) one.step(lane_commands(i), kStep);
      want = one.motion<Lv>();
    } else {
      Lanes<Lv> one(kernel<Lv>("float", Numeric::exact), car);
      one.set_state(0, start<Lv>(car, 0, 0, 0, lane_speed(i)));
      one.set_commands(0, lane_commands(i));
      one.run(o.integrator, kStep, steps);
      want = one.state(0);
    }
    const State<double, Lv> got = batch.state(i);
    r.same = r.same && std::memcmp(&got, &want, sizeof got) == 0;
    const double* a = reinterpret_cast<const double*>(&got);
    const double* b = reinterpret_cast<const double*>(&want);
    for (std::size_t n = 0; n < sizeof got / sizeof(double); ++n)
      r.worst =
          std::max(r.worst, std::isfinite(a[n]) ? std::abs(a[n] - b[n]) / std::max(1.0, std::abs(b[n])) : INFINITY);
  }
}

template <Level Lv> std::vector<BenchResult> bench_level(const BenchOptions& o) {
  const Model<double, Lv> car = compile<Lv>(o.vehicle, RoadSpec{});
  std::vector<BenchResult> results;
  for (const char* number : {"float", "float8", "double", "double4"}) {
    const auto add = [&](const Kernel<Lv>& k) {
      BenchResult r{k.number, k.laws, k.lanes, 0, false, false, 0};
      if (o.check)
        compare(o, k, car, r);
      else
        r.ns_per_step = measure(o, k, car);
      results.push_back(r);
    };
    const Kernel<Lv>&open = kernel<Lv>(number, kNumeric), &own = kernel<Lv>(number, kNumeric, car);
    add(open);
    if (&own != &open) add(own);
  }
  return results;
}

}  // namespace

std::vector<BenchResult> bench(const BenchOptions& o) {
  switch (o.level) {
    case Level::L1: return bench_level<Level::L1>(o);
    case Level::L2: return bench_level<Level::L2>(o);
    case Level::L3: return bench_level<Level::L3>(o);
    case Level::L5: return bench_level<Level::L5>(o);
  }
  throw std::logic_error("a level without kernels");
}
bool passed(const BenchResult& r) { return !r.checked || (kNumeric == Numeric::exact ? r.same : r.worst <= 1e-4); }
const char* bench_numerics() { return kNumeric == Numeric::exact ? "exact" : "fast"; }

}  // namespace vdsim
