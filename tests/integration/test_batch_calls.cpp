// SPDX-License-Identifier: Apache-2.0
// What a batch is asked for: commands, numbers of single cars, resets, signals, states in place, cars that diverge. That its cars
// are those of Car to the bit: tests/laws/test_batch.cpp.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "vdsim/engine/batch/batch.hpp"
#include "vdsim/engine/errors.hpp"

namespace {
using namespace vdsim;

constexpr double kStep = 1e-3;

CarSetup setup(Level level = Level::L2, double vx = 20) {
  CarSetup s;
  s.level = level;
  s.start.vx0 = vx;
  return s;
}
std::vector<double> ramp(std::size_t n, double from, double to) {
  std::vector<double> v(n);
  for (std::size_t i = 0; i < n; ++i) v[i] = from + (to - from) * double(i) / double(std::max<std::size_t>(n - 1, 1));
  return v;
}
std::vector<double> read(Batch& b, const std::string& name) {
  std::vector<double> v(b.size());
  b.read(name, v.data());
  return v;
}
std::string refusal(const auto& call) {
  try {
    call();
  } catch (const BadInput& e) {
    std::string all;
    for (const std::string& line : e.lines) all += line + "\n";
    return all;
  }
  return "not refused";
}

TEST(BatchCalls, EverySignalIsThatOfTheCar) {
  for (const Level level : {Level::L1, Level::L2, Level::L3, Level::L5}) {
    Batch batch(setup(level), 5);
    const std::vector<double> steer = ramp(5, -0.1, 0.1);
    batch.set_input("steer", {steer.data()});
    batch.step(kStep, 100);
    std::vector<Car> cars;
    for (std::size_t i = 0; i < 5; ++i) {
      cars.emplace_back(setup(level));
      Commands c;
      c.steer = steer[i];
      for (int k = 0; k < 100; ++k) cars[i].step(c, kStep);
    }
    const SignalScope scope = signal_scope(setup().vehicle, setup().road, level);
    const std::vector<Column> columns = batch.signals();
    for (std::size_t k = 0; k < columns.size(); ++k) {
      const std::vector<double> got = read(batch, columns[k].name);
      for (std::size_t i = 0; i < 5; ++i) {
        Commands c;
        c.steer = steer[i];
        std::vector<double> all;
        signal_values(scope, cars[i].outputs(c), all);
        EXPECT_EQ(got[i], all[k]) << columns[k].name;
      }
    }
  }
}

// Cars do not see each other: any other order and any number of threads give the same bits.
TEST(BatchCalls, OrderAndThreadsDoNotMatter) {
  constexpr std::size_t n = 37;
  const std::vector<double> mass = ramp(n, 1400, 1900), steer = ramp(n, -0.2, 0.2);
  std::vector<double> mass_back(mass.rbegin(), mass.rend()), steer_back(steer.rbegin(), steer.rend());
  std::vector<std::vector<double>> seen;
  for (const unsigned threads : {1u, 2u, 16u})
    for (const bool back : {false, true}) {
      Batch b(setup(), n, Number::f32);
      b.set_field("chassis.mass", {(back ? mass_back : mass).data()});
      b.set_input("steer", {(back ? steer_back : steer).data()});
      for (int k = 0; k < 10; ++k) b.step(kStep, 37, threads);
      std::vector<double> x = read(b, "x");
      if (back) std::reverse(x.begin(), x.end());
      seen.push_back(x);
    }
  for (const auto& each : seen) EXPECT_EQ(each, seen[0]);
}

TEST(BatchCalls, ACarThatDivergesStopsAndTheOthersGoOn) {
  for (const Number number : {Number::f32, Number::f64}) {
    Batch with(setup(), 21, number), without(setup(), 21, number);
    const double steer = 0.05;
    for (Batch* b : {&with, &without}) b->set_input("steer", {&steer, 0}), b->step(kStep, 50);
    const BatchView v = with.view("vy");
    char* const at = static_cast<char*>(v.data) + 13 / v.lanes * v.block_stride + 13 % v.lanes * v.lane_stride;
    if (v.is_float) {
      const float bad = 1e30f;
      std::memcpy(at, &bad, sizeof bad);
    } else {
      const double bad = 1e200;
      std::memcpy(at, &bad, sizeof bad);
    }
    EXPECT_EQ(with.step(kStep, 200), 1u);
    EXPECT_EQ(without.step(kStep, 200), 0u);
    EXPECT_STREQ(with.report(13).why, "a number is not finite");
    EXPECT_EQ(with.report(13).steps, 50);  // it stands as it was before the step
    EXPECT_EQ(read(with, "vy")[13], number == Number::f32 ? double(1e30f) : 1e200);
    const std::vector<double> x = read(with, "x"), y = read(without, "x");
    for (std::size_t i = 0; i < 21; ++i)
      if (i != 13) {
        EXPECT_TRUE(with.report(i).going);
        EXPECT_EQ(x[i], y[i]) << i;
      }
    std::vector<std::uint8_t> mask(21);
    mask[13] = 1;
    with.reset(mask, {});
    EXPECT_EQ(with.step(kStep, 10), 0u);
    EXPECT_EQ(with.report(13).steps, 10);
  }
}

// Energy that comes from nowhere stops a car within 64 steps; a state that somebody writes does not.
TEST(BatchCalls, EnergyIsWatched) {
  Batch b(setup(), 9);
  b.step(kStep, 100);
  const BatchView v = b.view("vx");
  *static_cast<double*>(v.data) = 40;
  EXPECT_EQ(b.step(kStep, 300), 0u);
  EXPECT_GT(read(b, "vx")[0], 35);  // its wheels have to catch up
}

// From 20 m the tires are pressed flat: that car stops, its neighbours in the register do not.
TEST(BatchCalls, ADropThatNoTireTakesStops) {
  for (const Level level : {Level::L3, Level::L5}) {
    Batch b(setup(level, 0), 5);
    std::vector<StartPose> poses(5);
    for (StartPose& p : poses) p.z0 = 0.3;
    poses[2].z0 = 20;
    b.reset({}, poses);
    EXPECT_EQ(b.step(kStep, 4000), 1u);
    EXPECT_NE(std::string(b.report(2).why).find("pressed in"), std::string::npos);
    EXPECT_EQ(b.report(1).steps, 4000);
  }
}

TEST(BatchCalls, FloatStaysWithDouble) {
  Batch f(setup(), 100, Number::f32), d(setup(), 100);
  const std::vector<double> steer = ramp(100, -0.05, 0.05);
  for (Batch* b : {&f, &d}) b->set_input("steer", {steer.data()}), b->step(kStep, 2000);
  const std::vector<double> xf = read(f, "x"), xd = read(d, "x");
  // 2000 additions of 0.02 m to 40 m, each rounded to 2^-19 m at worst: 2e-3 m if all err alike
  for (std::size_t i = 0; i < 100; ++i) EXPECT_NEAR(xf[i], xd[i], 4e-3);
}

TEST(BatchCalls, SmallMemory) {
  for (const Number number : {Number::f32, Number::f64})
    EXPECT_LE(Batch(setup(), 64, number).info().bytes_per_car, 1024u);
}

TEST(BatchCalls, OneNumberOfItsOwnIsKeptAlone) {
  Batch b(setup(), 64);
  EXPECT_EQ(b.info().varied, 0u);
  const std::vector<double> mu = ramp(64, 0.2, 1.1);
  b.set_field("mu", {mu.data()});
  EXPECT_EQ(b.info().varied, 1u);
  const double same = 0.8;
  b.set_field("mu", {&same, 0});
  EXPECT_EQ(b.info().varied, 1u);  // other than the setup's
}

TEST(BatchCalls, RefusesWithTheCarAndChangesNothing) {
  Batch b(setup(), 10), untouched(setup(), 10);
  std::vector<double> mass = ramp(10, 1400, 1500);
  mass[3] = -5, mass[7] = std::numeric_limits<double>::quiet_NaN();
  const std::string told = refusal([&] { b.set_field("chassis.mass", {mass.data()}); });
  EXPECT_NE(told.find("car 3: chassis.mass"), std::string::npos) << told;
  EXPECT_NE(told.find("car 7: chassis.mass"), std::string::npos) << told;
  const double one = 1, two = 2, half = 0.5;
  EXPECT_NE(refusal([&] { b.set_field("chassis.mas", {&one, 0}); }).find("chassis.mass"), std::string::npos);
  EXPECT_NE(refusal([&] {
              b.set_field("steering.rack.steering_dynamic", {&one, 0});
            }).find("is no number"),
            std::string::npos);
  EXPECT_NE(refusal([&] { b.set_field("split_mu.mu_left", {&half, 0}); }).find("other laws"), std::string::npos);
  EXPECT_NE(refusal([&] { b.set_field("mu", {&one, 0}, 8, 3); }).find("of 10"), std::string::npos);
  EXPECT_NE(refusal([&] { b.set_input("throttle", {&two, 0}); }).find("car 0: throttle"), std::string::npos);
  EXPECT_NE(refusal([&] { b.set_input("gear", {&half, 0}); }).find("gear"), std::string::npos);
  EXPECT_NE(refusal([&] { b.set_input("torque_fl", {&one, 0}); }).find("torque"), std::string::npos);
  EXPECT_NE(refusal([&] { b.set_input("stear", {&one, 0}); }).find("steer"), std::string::npos);
  EXPECT_NE(refusal([&] { b.step(1, 1); }).find("dt"), std::string::npos);
  EXPECT_NE(refusal([&] { b.view("vxx"); }).find("vx"), std::string::npos);
  double out[10];
  EXPECT_NE(refusal([&] { b.read("omega_fx", out); }).find("omega"), std::string::npos);
  EXPECT_NE(refusal([&] { b.commands(10); }).find("10 of 10"), std::string::npos);
  EXPECT_NE(refusal([&] { Batch(setup(), 0); }).find("at least one"), std::string::npos);
  StartPose pose;
  pose.vx0 = std::numeric_limits<double>::infinity();
  EXPECT_NE(refusal([&] { b.reset({}, {&pose, 1}); }).find("vx0"), std::string::npos);
  b.step(kStep, 70), untouched.step(kStep, 70);
  EXPECT_EQ(read(b, "x"), read(untouched, "x"));
}

// Numbers that change while driving act from then on.
TEST(BatchCalls, FieldsChangeWhileDriving) {
  Batch b(setup(), 4);
  b.step(kStep, 10);
  const std::vector<double> drag{0, 0, 3, 3};
  b.set_field("chassis.aero_drag_coeff", {drag.data()});
  b.step(kStep, 500);
  const std::vector<double> vx = read(b, "vx");
  EXPECT_EQ(vx[0], vx[1]);
  EXPECT_EQ(vx[2], vx[3]);
  EXPECT_LT(vx[2], vx[0] - 0.1);
  EXPECT_EQ(b.report(2).steps, 510);
}

// A car on a slope is held from the first step on.
TEST(BatchCalls, HoldsOnASlope) {
  CarSetup s = setup(Level::L2, 0);
  s.road.grade = 0.1;
  Batch b(s, 9);
  const double brake = 1;
  b.set_input("brake", {&brake, 0});
  b.step(kStep, 1000);
  for (const double x : read(b, "x")) EXPECT_NEAR(x, 0, 1e-6);
}

TEST(BatchCalls, SaysWhatItSteps) {
  EXPECT_EQ(Batch(setup(), 8).info().alone, "");
  CarSetup s = setup();
  for (TireSpec* t : {&s.vehicle.tire_fl, &s.vehicle.tire_fr, &s.vehicle.tire_rl, &s.vehicle.tire_rr})
    t->schema = TireSchema::lugre_patch_v1;
  Batch patch(s, 3, Number::f32);
  EXPECT_EQ(patch.info().alone, "contact-patch tires");
  EXPECT_EQ(patch.info().number, "double");
  patch.step(kStep, 20);
  EXPECT_GT(read(patch, "x")[2], 0.3);
}

}  // namespace
