// SPDX-License-Identifier: Apache-2.0
// A batch of random cars against as many single cars: every state of every car to the bit, whatever the threads, with resets, restored
// snapshots and numbers of their own.
#include <algorithm>

#include "tests/laws/random_cars.hpp"
#include "vdsim/engine/batch/batch.hpp"
#include "vdsim/engine/hash.hpp"
#include "vdsim/engine/reflect.hpp"
#include "vdsim/engine/snapshot.hpp"

using namespace laws;

namespace {

// All that a car carries on. A plain car has no use for the state of equipment.
std::uint64_t state_hash(Car& car, bool equipped) {
  StateList list = car.state();
  if (!equipped) std::erase_if(list, [](const FieldRef& f) { return std::string(f.name) == "equipment"; });
  return hash_values(list, kHashStart);
}
bool is_equipped(const VehicleSpec& s) {
  const ControlSpec& c = s.control;
  return s.powertrain.enabled || c.hydraulics.enabled || c.abs.enabled || c.ebd.enabled || c.tc.enabled ||
         c.esc.enabled || c.vectoring.enabled;
}

Commands random_commands(Rng& r) {
  Commands c;
  c.steer = chance(r, 0.2) ? 0 : r(-0.3, 0.3);
  c.throttle = chance(r, 0.5) ? r(0, 1) : 0;
  c.brake = chance(r, 0.3) ? r(0, 1) : 0;
  c.handbrake = chance(r, 0.1) ? 1 : 0;
  c.gear = chance(r, 0.8) ? 1 : chance(r, 0.5) ? 0 : -1;
  return c;
}

// The batch and its cars one by one.
struct Both {
  Case c;
  Rng r;
  CarSetup setup;
  std::size_t n;
  Batch batch;
  std::vector<CarSetup> own;
  std::vector<Car> cars;
  std::vector<Commands> commands;
  std::vector<char> stopped;

  Both(const Case& random, unsigned seed)
      : c(random),
        r(seed + 1000003),
        setup{c.car, c.road, c.level, c.method, c.pose},
        n(1 + std::size_t(r(0, 19))),
        batch(setup, n),
        own(n, setup),
        commands(n),
        stopped(n) {
    for (std::size_t i = 0; i < n; ++i) cars.emplace_back(setup);
  }
  void vary() {
    const struct {
      const char* path;
      double lo, hi;
      void (*set)(CarSetup&, double);
    } fields[] = {
        {"chassis.aero_drag_coeff", 0.2, 0.6, [](CarSetup& s, double v) { s.vehicle.chassis.aero_drag_coeff = v; }},
        {"mu", 0.1, 1.2, [](CarSetup& s, double v) { s.road.mu = v; }},
        {"brake.max_brake_torque", 3000, 9000, [](CarSetup& s, double v) { s.vehicle.brake.max_brake_torque = v; }},
        {"chassis.cg_height", 0.3, 0.6, [](CarSetup& s, double v) { s.vehicle.chassis.cg_height = v; }},
        {"control.hydraulics.lag", 0.01, 0.1, [](CarSetup& s, double v) { s.vehicle.control.hydraulics.lag = v; }}};
    // three kinds, mixed: the length of a step is checked for every kind of car, which takes longer than all its steps here
    std::vector<std::size_t> kind(n);
    for (std::size_t& k : kind) k = std::size_t(r(0, 3));
    for (const auto& f : fields) {
      if (chance(r, 0.4)) continue;
      const double of_kind[3] = {r(f.lo, f.hi), r(f.lo, f.hi), r(f.lo, f.hi)};
      std::vector<double> v(n);
      for (std::size_t i = 0; i < n; ++i) f.set(own[i], v[i] = of_kind[kind[i]]);
      batch.set_field(f.path, {v.data()});
    }
    for (std::size_t i = 0; i < n; ++i) cars[i] = Car(own[i]);
  }
  void reset_some() {
    std::vector<std::uint8_t> mask(n);
    std::vector<StartPose> poses(n);
    for (std::size_t i = 0; i < n; ++i) {
      mask[i] = chance(r, 0.3);
      poses[i] = c.pose;
      poses[i].vx0 = chance(r, 0.3) ? 0 : r(0, 30);
      if (!mask[i]) continue;
      own[i].start = poses[i];
      cars[i] = Car(own[i]);
      stopped[i] = 0;
    }
    batch.reset(mask, poses);
  }
  void step(int steps, unsigned threads) {
    for (std::size_t i = 0; i < n; ++i) {
      if (chance(r, 0.7)) commands[i] = random_commands(r);
      batch.set_commands(i, commands[i]);
    }
    batch.step(c.h, std::size_t(steps), threads);
    for (std::size_t i = 0; i < n; ++i)
      for (int k = 0; k < steps && !stopped[i]; ++k) stopped[i] = !cars[i].step(commands[i], c.h);
  }
  void expect_same(const char* when) {
    const bool equipped = is_equipped(c.car);
    for (std::size_t i = 0; i < n; ++i) {
      Car lane = batch.car(i);
      ASSERT_EQ(batch.report(i).going, !stopped[i])
          << c.what << " car " << i << " " << when << ": " << batch.report(i).why;
      if (stopped[i]) {
        EXPECT_STREQ(batch.report(i).why, cars[i].why());
      }
      ASSERT_EQ(state_hash(lane, equipped), state_hash(cars[i], equipped))
          << c.what << ", car " << i << " of " << n << " " << when << " at " << cars[i].time() << " s, x "
          << lane.outputs({}).x << " " << cars[i].outputs({}).x;
    }
  }
};

// False: there is no such car, or its step is too long.
bool run_case(unsigned seed) {
  const Case c = random_case(seed);
  try {
    Car(c.car, c.road, c.level, c.method, c.pose);
  } catch (const BadInput&) {
    return false;  // no place to stand there
  }
  Both b(c, seed);
  try {
    b.batch.step(c.h, 0);
  } catch (const BadInput&) {
    return false;  // the step is too long for this car
  }
  if (chance(b.r, 0.4)) {
    try {
      b.vary();
      b.batch.step(c.h, 0);
    } catch (const BadInput&) {
      return false;
    }
  }
  constexpr unsigned kThreads[] = {1, 2, 16};
  for (int part = 0; part < 4; ++part) {
    b.step(1 + int(b.r(0, 100)), kThreads[(seed + unsigned(part)) % 3]);
    b.expect_same("after steps");
    if (testing::Test::HasFatalFailure()) return true;
    if (part == 1) b.reset_some(), b.expect_same("after a reset");
    if (testing::Test::HasFatalFailure()) return true;
  }
  // a lane's snapshot goes on in a single car, and back
  const std::size_t i = std::size_t(b.r(0, 1) * double(b.n)) % b.n;
  EXPECT_TRUE(b.cars[i].restore(b.batch.snapshot(i))) << c.what;
  EXPECT_TRUE(b.batch.restore(i, b.cars[i].snapshot())) << c.what;
  b.stopped[i] = 0;
  b.step(70, 2);
  b.expect_same("after a snapshot");
  return true;
}

void run_cases(unsigned first, unsigned last) {
  unsigned done = 0;
  for (unsigned seed = first; seed < last; ++seed) {
    done += run_case(seed);
    ASSERT_FALSE(testing::Test::HasFailure()) << "case " << seed;
  }
  EXPECT_GT(done, (last - first) / 2);
}

#ifndef VDSIM_NUMERIC_FAST  // which rounds otherwise in lanes
TEST(Batch, EqualsSingleCars) { run_cases(0, 44); }
TEST(Batch, EqualsSingleCarsOften) { run_cases(44, 300); }
TEST(Batch, EqualsSingleCarsManyTimes) { run_cases(300, 1300); }
#endif

}  // namespace
