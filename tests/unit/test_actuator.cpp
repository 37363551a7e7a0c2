// SPDX-License-Identifier: Apache-2.0
// Actuators against closed forms: dead time, lag, rate limit, saturation, and their chain.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "vdsim/core/actuator/actuator.hpp"

namespace vdsim {
namespace {

using Of = std::function<double(double)>;
struct Point {
  double t, y;
};

// All values at starts, middles and ends of the steps; the command is straight over each step.
std::vector<Point> drive(const ActuatorSpec& spec, int channel, const Of& u, double T, double h, double hint = 0) {
  const auto kind = actuator_kind(spec, channel);
  const auto p = compile_actuator(spec, channel, hint > 0 ? hint : h);
  auto s = start_actuator(kind, p, u(0));
  std::vector<Point> all;
  const long n = std::lround(T / h);
  for (long k = 0; k < n; ++k) {
    const double t = double(k) * h;
    double out[3];
    actuator_step(kind, p, s, u(t), u(double(k + 1) * h), h, out);
    all.push_back({t, out[0]});
    all.push_back({t + h / 2, out[1]});
    all.push_back({t + h, out[2]});
  }
  return all;
}
ActuatorSpec steer(double dead, double lag = 0, double rate = 0) {
  ActuatorSpec s;
  s.steer_deadtime_s = dead;
  s.steer_lag_s = lag;
  s.steer_rate_limit = rate;
  return s;
}
// Straight between points 4 ms apart: corners on every grid the tests use.
double zigzag(double t) {
  const double k = std::floor(t / 0.004 + 1e-9), f = t / 0.004 - k;
  const auto corner = [](double n) { return n <= 0 ? 0 : std::sin(3 * n) + 0.1 * std::cos(n * n); };
  return corner(k) + (corner(k + 1) - corner(k)) * f;
}
Of delayed(Of u, double dead) {
  return [=](double t) { return t > dead ? u(t - dead) : u(0); };
}

TEST(Actuator, NothingToDoPassesTheCommandBitForBit) {
  EXPECT_FALSE(actuator_kind(ActuatorSpec{}, kSteer).acts());
  EXPECT_FALSE(actuator_kind(ActuatorSpec{}, kDrive).acts());
  EXPECT_FALSE(actuator_kind(ActuatorSpec{}, kBrake).acts());
  const ActuatorKind all{true, true, true, true};
  const ActuatorParams<double> p{0, 1e-3, 0, 0, -10, 10};
  auto s = start_actuator(all, p, 0.0);
  for (int k = 0; k < 100; ++k) {
    double out[3];
    const double u0 = zigzag(k * 1e-3), u1 = zigzag(k * 1e-3 + 1e-3);
    actuator_step(all, p, s, u0, u1, 1e-3, out);
    EXPECT_EQ(out[0], u0);
    EXPECT_NEAR(out[1], 0.5 * (u0 + u1), 1e-15);
    EXPECT_EQ(out[2], u1);
  }
}

// Kept commands fall on the corners: exact at every instant, also when the dead time is no multiple of the step.
TEST(Actuator, DeadTimeIsExactForPiecewiseStraightCommands) {
  struct Case {
    double dead, h;
  };
  for (const Case c : {Case{0.05, 1e-3}, Case{0.02, 4e-3}, Case{0.0213, 1e-3}, Case{0.003, 4e-3}, Case{0.1, 1e-3},
                       Case{0.2, 1e-3}, Case{0.0005, 1e-3}, Case{0.062, 1e-3}})
    for (const Point& q : drive(steer(c.dead), kSteer, zigzag, 0.6, c.h))
      ASSERT_NEAR(q.y, delayed(zigzag, c.dead)(q.t), 1e-11)
          << c.dead << ' ' << c.h << " at " << q.t;  // rounding of times over 4 ms
}

// A command faster than the ring can hold is rounded at its corners by at most the change over one grid spacing.
TEST(Actuator, DeadTimeOfOtherStepsIsWithinOneSpacing) {
  const Of ramp = [](double t) { return t < 0.01 ? 0 : std::min(1.0, (t - 0.01) / 0.05); };
  for (const double h : {1e-3, 7e-4, 2.3e-3}) {
    const double grid = compile_actuator(steer(0.3), kSteer, 1e-3).grid;
    for (const Point& q : drive(steer(0.3), kSteer, ramp, 0.6, h, 1e-3))
      ASSERT_NEAR(q.y, delayed(ramp, 0.3)(q.t), (grid + h) / 0.05 / 4) << h << " at " << q.t;
  }
}

// y(t) = t - tau + tau exp(-t/tau) for a ramp, at each of the three instants, for any step.
TEST(Actuator, LagIsExactForARamp) {
  for (const double h : {1e-3, 1e-2, 0.1})
    for (const double lag : {1e-3, 0.05, 2.0})
      for (const Point& q : drive(
               steer(0, lag), kSteer, [](double t) { return 0.3 * t; }, 1, h))
        ASSERT_NEAR(q.y, 0.3 * (q.t + lag * std::expm1(-q.t / lag)), 1e-13 * std::max(1.0, lag / h)) << h << ' ' << lag;
}

// A jump of the command between two steps: 1 - exp(-t/tau) to rounding.
TEST(Actuator, LagIsExactForAStep) {
  const auto kind = actuator_kind(steer(0, 0.05), kSteer);
  const auto p = compile_actuator(steer(0, 0.05), kSteer, 5e-3);
  auto s = start_actuator(kind, p, 0.0);
  for (int k = 0; k < 100; ++k) {
    double out[3];
    actuator_step(kind, p, s, 1.0, 1.0, 5e-3, out);
    for (int i = 0; i < 3; ++i) ASSERT_NEAR(out[i], -std::expm1(-(k + 0.5 * i) * 5e-3 / 0.05), 1e-14);
  }
}

// Dead time and lag together: the response of the lag, later.
TEST(Actuator, ChainOfDeadTimeAndLag) {
  const double dead = 0.04, lag = 0.03;
  for (const Point& q : drive(
           steer(dead, lag), kSteer, [](double t) { return 0.5 * t; }, 0.5, 2e-3)) {
    const double t = std::max(0.0, q.t - dead);
    ASSERT_NEAR(q.y, 0.5 * (t + lag * std::expm1(-t / lag)), 1e-13);
  }
}

// Rate limit: a jump becomes a ramp of exactly that rate, arrives at the time it takes, and goes no further.
TEST(Actuator, RateLimitArrivesOnTimeWithoutOvershoot) {
  const Of jump = [](double t) { return t < 0.0105 ? 0.0 : 0.4; };
  double last = 0;
  for (const Point& q : drive(steer(0, 0, 2), kSteer, jump, 0.5, 1e-3)) {
    EXPECT_LE(q.y, 0.4);
    EXPECT_GE(q.y, last - 1e-16);
    EXPECT_LE(q.y - last, 2 * 5e-4 + 1e-12);
    if (q.t > 0.0105 + 0.2 + 1e-3) {
      EXPECT_EQ(q.y, 0.4);
    }
    if (q.t < 0.0105 + 0.2 - 1e-3) {
      EXPECT_LT(q.y, 0.4);
    }
    last = q.y;
  }
  // a command slower than the limit is not touched
  for (const Point& q : drive(
           steer(0, 0, 2), kSteer, [](double t) { return std::sin(1.9 * t); }, 1, 1e-3))
    EXPECT_NEAR(q.y, std::sin(1.9 * q.t), 1e-6);
}

// At its limit an actuator does not wind up: it leaves at once when the command comes back.
TEST(Actuator, SaturationHoldsAndLeavesAtOnce) {
  ActuatorSpec spec = steer(0, 0, 1);
  spec.steer_min = -0.2;
  spec.steer_max = 0.3;
  const Of u = [](double t) { return t < 1 ? 5.0 * t : t < 2 ? 0.0 : -5.0; };
  for (const Point& q : drive(spec, kSteer, u, 3, 1e-3)) {
    ASSERT_LE(q.y, 0.3);
    ASSERT_GE(q.y, -0.2);
    if (q.t > 0.31 && q.t < 0.99) {
      EXPECT_EQ(q.y, 0.3);
    }
    if (q.t > 1.001 && q.t < 1.3) {
      EXPECT_NEAR(q.y, 0.3 - (q.t - 1.0), 1.1e-3);
    }
    if (q.t > 2.21) {
      EXPECT_EQ(q.y, -0.2);
    }
  }
}

TEST(Actuator, MirrorImageHasTheSameBits) {
  const auto a = drive(steer(0.013, 0.02, 30), kSteer, zigzag, 0.3, 1e-3);
  const auto b = drive(
      steer(0.013, 0.02, 30), kSteer, [](double t) { return -zigzag(t); }, 0.3, 1e-3);
  for (std::size_t i = 0; i < a.size(); ++i) ASSERT_EQ(a[i].y, -b[i].y);
}

// What is at the end of a step is at the start of the next, and a step in two halves gives the same.
TEST(Actuator, ContinuousFromStepToStepAndIndependentOfTheStep) {
  const auto a = drive(steer(0.02, 0.05), kSteer, zigzag, 0.4, 4e-3),
             b = drive(steer(0.02, 0.05), kSteer, zigzag, 0.4, 2e-3, 4e-3);
  for (std::size_t i = 3; i < a.size(); i += 3) ASSERT_NEAR(a[i].y, a[i - 1].y, 1e-12);
  for (std::size_t k = 0; k < a.size() / 3; ++k) ASSERT_NEAR(a[3 * k + 1].y, b[6 * k + 2].y, 1e-12);
}

// An RK4 step that reads the three instants keeps its order with the lag in front: y' = -3 y^2 + out, out = lag of a
// line.
TEST(Actuator, FourthOrderWithLag) {
  const auto end = [](double h) {
    const auto spec = steer(0, 0.08);
    const auto kind = actuator_kind(spec, kSteer);
    const auto p = compile_actuator(spec, kSteer, h);
    auto s = start_actuator(kind, p, 1.0);
    double y = 0.2;
    const auto f = [](double y, double u) { return -3 * y * y + u; };
    for (long k = 0; k < std::lround(0.4 / h); ++k) {
      double o[3];
      actuator_step(kind, p, s, 1 + 2 * h * double(k), 1 + 2 * h * double(k + 1), h, o);
      const double k1 = f(y, o[0]), k2 = f(y + h / 2 * k1, o[1]), k3 = f(y + h / 2 * k2, o[1]),
                   k4 = f(y + h * k3, o[2]);
      y += h / 6 * (k1 + 2 * (k2 + k3) + k4);
    }
    return y;
  };
  const double a = end(0.01), b = end(0.005), c = end(0.0025);
  EXPECT_GT(std::log2(std::abs((a - b) / (b - c))), 3.8);
}

// A shortened last step, a paused start: nothing is lost, and the state alone carries on.
TEST(Actuator, StateCarriesTheWholeMemory) {
  const auto spec = steer(0.05, 0.01);
  const auto kind = actuator_kind(spec, kSteer);
  const auto p = compile_actuator(spec, kSteer, 1e-3);
  auto s = start_actuator(kind, p, 0.0);
  double out[3];
  for (int k = 0; k < 77; ++k) actuator_step(kind, p, s, zigzag(k * 1e-3), zigzag(k * 1e-3 + 1e-3), 1e-3, out);
  ActuatorState<double> copy = s;
  for (int k = 77; k < 200; ++k) {
    double other[3];
    actuator_step(kind, p, s, zigzag(k * 1e-3), zigzag(k * 1e-3 + 1e-3), 1e-3, out);
    actuator_step(kind, p, copy, zigzag(k * 1e-3), zigzag(k * 1e-3 + 1e-3), 1e-3, other);
    for (int i = 0; i < 3; ++i) ASSERT_EQ(out[i], other[i]);
  }
}

// Lanes with different dead times, lags and rates: the bits of the single actuator.
TEST(Actuator, LanesAreIndependent) {
  using P = Pack<float, 8, IsaBase>;
  const ActuatorKind kind{true, true, true, true};
  ActuatorParams<float> one[8];
  ActuatorParams<P> p{};
  ActuatorState<float> s1[8];
  for (int i = 0; i < 8; ++i) {
    one[i] = {0.004f * float(i), 1e-3f, 0.01f * float(i % 3), 20.f * float(i % 4), -0.8f, 0.9f};
    set_lane(p.dead, i, one[i].dead);
    set_lane(p.grid, i, one[i].grid);
    set_lane(p.lag, i, one[i].lag);
    set_lane(p.rate, i, one[i].rate);
    set_lane(p.lo, i, one[i].lo);
    set_lane(p.hi, i, one[i].hi);
    s1[i] = start_actuator(kind, one[i], 0.f);
  }
  auto s = start_actuator(kind, p, P(0.0));
  for (int k = 0; k < 200; ++k) {
    const float u0 = float(zigzag(k * 1e-3)), u1 = float(zigzag(k * 1e-3 + 1e-3));
    P out[3];
    actuator_step(kind, p, s, P(u0), P(u1), P(1e-3f), out);
    for (int i = 0; i < 8; ++i) {
      float o[3];
      actuator_step(kind, one[i], s1[i], u0, u1, 1e-3f, o);
      for (int j = 0; j < 3; ++j) ASSERT_EQ(lane(out[j], i), o[j]) << k << ' ' << i;
    }
  }
}

}  // namespace
}  // namespace vdsim
