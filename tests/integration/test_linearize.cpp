// SPDX-License-Identifier: Apache-2.0
// A car as a linear system: its matrices against differences of its own equations, against the linear bicycle, and what is refused.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "tests/integration/cars.hpp"
#include "vdsim/core/vehicle/state.hpp"
#include "vdsim/engine/errors.hpp"
#include "vdsim/engine/linear/linearize.hpp"
#include "vdsim/engine/reflect.hpp"

using namespace cars;

namespace {

struct Random {
  std::mt19937_64 g;
  double operator()(double lo, double hi) { return std::uniform_real_distribution<double>(lo, hi)(g); }
};

// A car that was driven there by changing commands: every state is one that a run can have.
Car driven(Random& r, const VehicleSpec& spec, Level level, Commands& now) {
  RoadSpec road;
  road.mu = r(0.7, 1.1);
  road.grade = r(-0.05, 0.05);
  Car car(spec, road, level, Integrator::rk4, {0, 0, 0, r(8, 35)});
  now.steer = r(-0.04, 0.04), now.throttle = r(0, 0.6);
  if (r(0, 1) < 0.4) now.throttle = 0, now.brake = r(0.02, 0.3);
  const int steps = int(r(50, 500));
  for (int i = 0; i < steps; ++i) EXPECT_TRUE(car.step(now, 1e-3)) << car.why();
  return car;
}

// y' and every signal at (y, u), in double, by the functions that runs use: independent of the duals.
struct Equations {
  Car car;
  SignalScope scope;
  ContinuousCar view{car};
  std::vector<double> y;
  Commands u;
  Equations(const Car& from, const SignalScope& s, const Commands& now)
      : car(from), scope(s), y(view.states().size()), u(now) {
    view.settle(u);  // the mode of now, kept from here on
    view.get(y);
  }
  std::vector<double> operator()(std::size_t k, double by) {
    std::vector<double> at = y, out(y.size());
    Commands c = u;
    double* const input[] = {&c.steer, &c.throttle, &c.brake, &c.handbrake};
    (k < y.size() ? at[k] : *input[k - y.size()]) += by;
    view.set(at);
    view.rates(c, out);
    signal_values(scope, car.outputs(c), out);
    return out;
  }
};

struct Compared {
  double worst = 0;
  int entries = 0, kinks = 0;
};

// Differences of fourth order with two steps. At a kink (the roll memory of a rolling tire lies on its bound, ends of a law's range)
// they disagree, or the two sides do not come together with h: such entries are counted. Sizes: an entry counts against the
// largest of its row, per nominal size of its column.
void compare(const LinearCar& linear, Equations& f, Compared& all) {
  const std::size_t n = linear.states.size(), rows = n + linear.outputs.size();
  std::vector<double> largest(rows, 0);
  using Columns = std::vector<std::vector<double>>;
  Columns exact(n + kLinearInputCount), fine = exact, coarse = exact, apart[2] = {exact, exact};
  const auto here = f(0, 0);
  for (std::size_t k = 0; k < n + kLinearInputCount; ++k) {
    const double size = k < n ? linear.states[k].nominal : 0.1;
    for (int pass = 0; pass < 2; ++pass) {
      const double h = size * (pass ? 2.5e-4 : 1e-3);
      const auto p1 = f(k, h), m1 = f(k, -h), p2 = f(k, 2 * h), m2 = f(k, -2 * h);
      auto& out = pass ? fine[k] : coarse[k];
      for (std::size_t i = 0; i < rows; ++i) {
        out.push_back(size * (8 * (p1[i] - m1[i]) - (p2[i] - m2[i])) / (12 * h));
        apart[pass][k].push_back(size * std::fabs(p1[i] - 2 * here[i] + m1[i]) / h);
      }
    }
    for (std::size_t i = 0; i < rows; ++i) {
      const Matrix2& m = i < n ? (k < n ? linear.A : linear.B) : (k < n ? linear.C : linear.D);
      exact[k].push_back(size * m(i < n ? i : i - n, k < n ? k : k - n));
      largest[i] = std::fmax(largest[i], std::fabs(exact[k][i]));
    }
  }
  for (std::size_t k = 0; k < exact.size(); ++k)
    for (std::size_t i = 0; i < rows; ++i) {
      const double scale = largest[i] + 1e-9;
      const bool sides = apart[1][k][i] > 0.5 * apart[0][k][i] && apart[1][k][i] > 1e-7 * scale;
      if (sides || std::fabs(fine[k][i] - coarse[k][i]) > 1e-7 * scale) {
        ++all.kinks;
        continue;
      }
      ++all.entries;
      const double off = std::fabs(exact[k][i] - fine[k][i]) / scale;
      if (off > 1e-6 && off > all.worst)
        ADD_FAILURE() << (i < n ? linear.states[i].name + "'" : linear.outputs[i - n].name) << " over "
                      << (k < n ? linear.states[k].name : kLinearInputs[k - n]) << ": " << exact[k][i]
                      << ", by differences " << fine[k][i];
      all.worst = std::fmax(all.worst, off);
    }
}

VehicleSpec with_rack(VehicleSpec s) {
  s.steering.rack.steering_dynamic = true;
  return s;
}

}  // namespace

// 1e-6 of the largest entry of the row: the error of the differences is 1e-9 where two steps agree to 1e-7.
TEST(Linearize, EqualsDifferencesAtRandomStates) {
  Random r{std::mt19937_64(17)};
  for (const Level level : {Level::L1, Level::L2, Level::L3, Level::L5}) {
    Compared all;
    for (int i = 0; i < 25; ++i) {
      const Law law = i % 3 == 2 ? Law::mf_only : Law::rolling;
      const VehicleSpec spec = i % 5 == 4 ? with_rack(sedan(law)) : sedan(law);
      Commands now;
      const Car car = driven(r, spec, level, now);
      SignalScope scope = signal_scope(spec, RoadSpec{}, level);
      Equations f(car, scope, now);
      const LinearCar linear = linearize(f.car, now);
      compare(linear, f, all);
    }
    std::printf("    %s: %d entries, worst %.1e, %d at kinks\n", name(level), all.entries, all.worst, all.kinks);
    EXPECT_LT(all.worst, 1e-6) << name(level);
    EXPECT_LT(all.kinks, all.entries / 15) << name(level);  // the columns of the roll memories
  }
}

// Straight on at 25 m/s.
TEST(Linearize, StraightRunningIsSymmetric) {
  for (const Level level : {Level::L2, Level::L3, Level::L5}) {
    Car car(sedan(), RoadSpec{}, level, Integrator::rk4, {0, 0, 0, 25});
    Commands now;
    for (int i = 0; i < 500; ++i) ASSERT_TRUE(car.step(now, 1e-3));
    const LinearCar linear = linearize(car, now);
    const auto at = [&](const std::string& name) {
      for (std::size_t i = 0; i < linear.states.size(); ++i)
        if (linear.states[i].name == name) return i;
      throw std::logic_error(name);
    };
    // across does not change along and along not across: nothing but what is left of the settling, squared
    EXPECT_NEAR(linear.A(at("r"), at("vx")), 0, 1e-25) << name(level);
    EXPECT_NEAR(linear.A(at("vx"), at("vy")), 0, 1e-25) << name(level);
    EXPECT_NEAR(linear.A(at("vx"), at("r")), 0, 1e-25) << name(level);
    EXPECT_NEAR(linear.B(at("r"), 1), 0, 1e-25) << name(level);
    // left and right alike
    EXPECT_EQ(linear.A(at("r"), at("wheel[1].zy")), linear.A(at("r"), at("wheel[2].zy"))) << name(level);
    EXPECT_EQ(linear.A(at("r"), at("wheel[3].zx")), -linear.A(at("r"), at("wheel[4].zx"))) << name(level);
    EXPECT_GT(linear.A(at("r"), at("wheel[1].zy")), 0) << name(level);
  }
}

// y' of linearize() is that of the car, to the bit: the same source, the same operations.
TEST(Linearize, RatesAreThoseOfTheCar) {
  for (const Level level : {Level::L1, Level::L2, Level::L3, Level::L5}) {
    Car car(sedan(), RoadSpec{}, level, Integrator::rk4, {0, 0, 0, 20});
    Commands now;
    now.steer = 0.02, now.throttle = 0.3;
    for (int i = 0; i < 300; ++i) ASSERT_TRUE(car.step(now, 1e-3));
    const LinearCar linear = linearize(car, now);
    std::vector<double> y(linear.states.size()), rates(y);
    read_continuous(car, now, y, rates);
    for (std::size_t i = 0; i < y.size(); ++i) EXPECT_EQ(linear.rates[i], rates[i]) << linear.states[i].name;
  }
}

// Constant power, P = T w: the torque falls with the speed, which coasting does not do.
TEST(Linearize, MotorAtConstantPowerBrakesItsOwnSpeed) {
  VehicleSpec spec = sedan();
  spec.powertrain.enabled = true;
  spec.powertrain.type = PowertrainType::motor;
  Car with(spec, RoadSpec{}, Level::L2, Integrator::rk4, {0, 0, 0, 40}), without(with);
  Commands full, coast;
  full.throttle = 1;
  const LinearCar a = linearize(with, full), b = linearize(without, coast);
  double sum = 0;
  for (std::size_t i = 0; i < a.states.size(); ++i)
    for (std::size_t k = 0; k < a.states.size(); ++k)
      if (a.states[i].name.ends_with(".w") && a.states[k].name.ends_with(".w")) sum += a.A(i, k) - b.A(i, k);
  EXPECT_LT(sum, -1e-3);
}

TEST(Linearize, SaysWhatHasNoDerivatives) {
  VehicleSpec spec = sedan(Law::breakaway);
  spec.control.abs.enabled = true;
  spec.actuator.steer_lag_s = 0.02;
  const Car car(spec, RoadSpec{}, Level::L2, Integrator::rk4, {0, 0, 0, 20});
  try {
    linearize(car, {});
    FAIL() << "not refused";
  } catch (const BadInput& e) {
    std::string text;
    for (const std::string& line : e.lines) text += line + "\n";
    for (const char* word : {"control", "hydraulics", "actuator", "breakaway"})
      EXPECT_NE(text.find(word), std::string::npos) << word << ": " << text;
  }
}
