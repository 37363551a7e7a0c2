// SPDX-License-Identifier: Apache-2.0
// Metrics of the standard manoeuvres against signals whose figures are known in closed form.
// Tolerances: 1e-12 and the like are rounding. A curve sampled every h and joined by straight lines is off by up to
// h^2/8 times its second derivative; where that is the limit it is worked out beside the test.
#include "vdsim/study/maneuver/signal_metrics.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>
#include <random>

#include "vdsim/study/maneuver/frequency.hpp"

namespace vdsim {
namespace {

constexpr double kPi = std::numbers::pi, kG = 9.80665;
constexpr double kInf = kEndOfRecord, kNaN = std::numeric_limits<double>::quiet_NaN();
using Values = std::vector<double>;

Values even(double dt, double to) {
  Values t;
  for (int i = 0; i * dt <= to + 0.5 * dt; ++i) t.push_back(i * dt);
  return t;
}

// Spacings between 0.4 and 1.6 of dt.
Values uneven(double dt, double to) {
  Values t = even(dt, to);
  for (std::size_t i = 1; i + 1 < t.size(); ++i) t[i] += 0.3 * dt * std::sin(1.7 * static_cast<double>(i * i));
  return t;
}

Values of(const Values& t, const std::function<double(double)>& f) {
  Values x;
  for (const double time : t) x.push_back(f(time));
  return x;
}

Values minus(Values x) {
  for (double& value : x) value = -value;
  return x;
}

// ------------------------------------------------------------------------------------------------ values and windows

TEST(SignalValue, IsLinearBetweenSamplesAndHeldOutside) {
  const Values t{0, 1, 4}, x{2, 4, -2};
  EXPECT_EQ(value_at({t, x}, 0.5), 3);
  EXPECT_EQ(value_at({t, x}, 1), 4);
  EXPECT_EQ(value_at({t, x}, 2.5), 1);
  EXPECT_EQ(value_at({t, x}, -7), 2);
  EXPECT_EQ(value_at({t, x}, 7), -2);
  EXPECT_TRUE(std::isnan(value_at({t, x}, kNaN)));
  EXPECT_TRUE(recorded({t, x}, 4) && !recorded({t, x}, 4.1) && !recorded({t, x}, -0.1) && !recorded({t, x}, kNaN));
  const Values one{3}, value{5};
  EXPECT_EQ(value_at({one, value}, 0), 5);
  EXPECT_EQ(mean({one, value}, 0, 10), 5);
  EXPECT_THROW(value_at({t, one}, 0), std::invalid_argument);
  EXPECT_THROW(mean({Values{}, Values{}}, 0, 1), std::invalid_argument);
}

TEST(SignalWindow, FiguresOfARampAreThoseOfAUniformDistribution) {
  const Values t = uneven(0.1, 3), x = of(t, [](double s) { return 2 - 3 * s; });
  for (const auto& [a, b] : {std::pair{0.0, 3.0}, {0.123, 2.777}, {1.01, 1.02}, {0.2, 0.3}}) {
    const double p = 2 - 3 * a, q = 2 - 3 * b;
    EXPECT_NEAR(integral({t, x}, a, b), 0.5 * (p + q) * (b - a), 1e-13);
    EXPECT_NEAR(mean({t, x}, a, b), 0.5 * (p + q), 1e-12);
    EXPECT_NEAR(rms({t, x}, a, b), std::sqrt((p * p + p * q + q * q) / 3), 1e-12);
    EXPECT_NEAR(deviation({t, x}, a, b), 3 * (b - a) / std::sqrt(12.0), 1e-12);
    EXPECT_NEAR(maximum({t, x}, a, b), p, 1e-13);
    EXPECT_NEAR(minimum({t, x}, a, b), q, 1e-13);
  }
}

TEST(SignalWindow, AddsUpAtAnyCut) {
  const Values t = uneven(0.05, 5), x = of(t, [](double s) { return std::sin(3 * s) + 0.2 * s; });
  for (const double cut : {0.0, 0.5, 1.234, 3.9, 5.0})
    EXPECT_NEAR(integral({t, x}, 0, cut) + integral({t, x}, cut, 5), integral({t, x}, 0, 5), 1e-13);
}

TEST(SignalWindow, OfOneInstantIsTheValueThere) {
  const Values t{0, 1, 4}, x{2, 4, -2};
  for (const double at : {0.0, 0.5, 1.0, 3.0, 4.0}) {
    const double value = value_at({t, x}, at);
    EXPECT_EQ(mean({t, x}, at, at), value);
    EXPECT_EQ(rms({t, x}, at, at), std::abs(value));
    EXPECT_EQ(deviation({t, x}, at, at), 0);
    EXPECT_EQ(integral({t, x}, at, at), 0);
    EXPECT_EQ(peak({t, x}, at, at), value);
    EXPECT_EQ(time_of_peak({t, x}, at, at), at);
  }
}

TEST(SignalWindow, IsCutToTheRecordAndNaNIfNothingIsLeft) {
  const Values t{1, 2, 3}, x{4, 8, 6};
  using Figure = double (*)(Signal, double, double);
  for (const Figure figure : {Figure(integral), Figure(mean), Figure(rms), Figure(deviation), Figure(maximum),
                              Figure(minimum), Figure(peak), Figure(time_of_peak)}) {
    EXPECT_EQ(figure({t, x}, -kInf, kInf), figure({t, x}, 1, 3));
    EXPECT_EQ(figure({t, x}, 0, 2.5), figure({t, x}, 1, 2.5));
    for (const auto& [a, b] : {std::pair{3.1, 4.0}, {0.0, 0.9}, {2.0, 1.5}, {kNaN, 2.0}, {2.0, kNaN}})
      EXPECT_TRUE(std::isnan(figure({t, x}, a, b))) << a << ' ' << b;
  }
}

TEST(SignalWindow, PeakHasTheLargestMagnitudeAndItsSign) {
  const Values t{0, 1, 2, 3, 4, 5}, x{0, 3, 0, -5, 0, -5};
  EXPECT_EQ(peak({t, x}, 0, 5), -5);
  EXPECT_EQ(time_of_peak({t, x}, 0, 5), 3);  // the first of two
  EXPECT_EQ(peak({t, x}, 0, 2.5), 3);
  EXPECT_EQ(peak({t, x}, 0, 2.75), -3.75);  // the end of the window, between samples
  EXPECT_EQ(maximum({t, x}, 2, 5), 0);
  EXPECT_EQ(minimum({t, x}, 0, 2), 0);
}

TEST(SignalWindow, MeanRatio) {
  const Values t = even(0.1, 10), x = of(t, [](double s) { return s < 5 ? 0.4 : 0.3; });
  EXPECT_NEAR(mean_ratio({t, x}, 2, 4, 6, 8), 0.75, 1e-14);
  const Values right = minus(x);
  EXPECT_EQ(mean_ratio({t, right}, 2, 4, 6, 8), mean_ratio({t, x}, 2, 4, 6, 8));
  EXPECT_TRUE(std::isnan(mean_ratio({t, Values(t.size(), 0.0)}, 2, 4, 6, 8)));
  EXPECT_TRUE(std::isnan(mean_ratio({t, x}, 2, 4, 16, 18)));
}

TEST(SignalWindow, ResampledRampIsTheRamp) {
  const Values t = uneven(0.1, 2), x = of(t, [](double s) { return 1 + s; });
  const Values y = resampled({t, x}, 0.3, 1.1, 0.2);
  ASSERT_EQ(y.size(), 5u);
  for (std::size_t i = 0; i < y.size(); ++i) EXPECT_NEAR(y[i], 1.3 + 0.2 * static_cast<double>(i), 1e-14);
  EXPECT_EQ(resampled({t, x}, 0, 0.3, 0.1).size(), 4u);  // 0.3/0.1 < 3
  EXPECT_TRUE(resampled({t, x}, 3, 4, 0.1).empty());
  EXPECT_TRUE(resampled({t, x}, 0, 1, 0).empty());
  EXPECT_TRUE(resampled({t, x}, kNaN, 1, 0.1).empty());
}

// ------------------------------------------------------------------------------------------------ reaching a level

TEST(Crossing, IsInterpolatedAndCountsTouching) {
  const Values t{0, 1, 2, 3, 4, 5}, x{0, 2, 0, 0, -1, 1};
  EXPECT_EQ(crossing({t, x}, 0.5, 0), 0.25);
  EXPECT_EQ(crossing({t, x}, 0.5, 0.5), 1.75);  // falling
  EXPECT_EQ(crossing({t, x}, 0.5, 2), 4.75);
  EXPECT_EQ(crossing({t, x}, 2, 0), 1);      // touched
  EXPECT_EQ(crossing({t, x}, 0, 0), 0);      // there at once
  EXPECT_EQ(crossing({t, x}, 0, 0.1), 2);    // reached and kept
  EXPECT_EQ(crossing({t, x}, 0, 2.5), 2.5);  // lies on it
  EXPECT_EQ(crossing({t, x}, 1.5, -9), 0.75);
  EXPECT_EQ(last_crossing({t, x}, 0, 0), 4.5);
  EXPECT_EQ(last_crossing({t, x}, 0.5, 0), 4.75);
  EXPECT_EQ(last_crossing({t, x}, 2, 0), 1);
  const Values rest{1, 0, 0};
  EXPECT_EQ(last_crossing({Values{0, 1, 2}, rest}, 0, 0), 2);  // still on it
  for (const auto f : {crossing, last_crossing}) {
    EXPECT_TRUE(std::isnan(f({t, x}, 2.1, 0)));
    EXPECT_TRUE(std::isnan(f({t, x}, 2, 1.5)));
    EXPECT_TRUE(std::isnan(f({t, x}, 0, 5.5)));
    EXPECT_TRUE(std::isnan(f({t, x}, 0, kNaN)));
    EXPECT_TRUE(std::isnan(f({t, x}, kNaN, 0)));
  }
}

TEST(Crossing, AccelerationTimesOfAConstantAcceleration) {
  const double a = 4.3, h = 0.01;
  const Values t = uneven(h, 30), v = of(t, [&](double s) { return a * s; });
  const Values way = of(t, [&](double s) { return 0.5 * a * s * s; });
  EXPECT_NEAR(crossing({t, v}, 100 / 3.6, 0), 100 / 3.6 / a, 1e-12);
  const double quarter_mile = crossing({t, way}, 402.336, 0), exact = std::sqrt(2 * 402.336 / a);
  // The chord of the parabola is off by a (1.6 h)^2/8 in way, that over the speed in time.
  EXPECT_NEAR(quarter_mile, exact, a * 2.56 * h * h / 8 / (a * exact));
  EXPECT_NEAR(value_at({t, v}, quarter_mile), a * quarter_mile, 1e-12);
}

// ------------------------------------------------------------------------------------------------ step response

TEST(StepResponse, OfAFirstOrderSystem) {
  const double tau = 0.2, h = 1e-3, t0 = 0.5, chord = h * h / (8 * tau);  // x''/x' = 1/tau
  for (const double steady : {0.3, -0.3}) {
    for (const Values& t : {even(h, 4), uneven(h, 4)}) {
      const double off = t == even(h, 4) ? chord : 2.56 * chord;
      const Values x = of(t, [&](double s) { return s < t0 ? 0 : steady * (1 - std::exp(-(s - t0) / tau)); });
      for (const double share : {0.1, 0.5, 0.632, 0.9})
        EXPECT_NEAR(response_time({t, x}, share, steady, t0), -tau * std::log(1 - share), off);
      EXPECT_NEAR(settling_time({t, x}, 0.05, steady, t0), tau * std::log(20), off);
      EXPECT_NEAR(settling_time({t, x}, 0.02, steady, t0), tau * std::log(50), off);
      EXPECT_NEAR(overshoot({t, x}, steady, t0, kInf), 1 - std::exp(-3.5 / tau), 1e-12);
      EXPECT_TRUE(std::isnan(response_time({t, x}, 1.1, steady, t0)));
      EXPECT_TRUE(std::isnan(response_time({t, x}, 0.5, -steady, t0)));
    }
  }
}

// 1 - exp(-d s) (cos w s + d/w sin w s), d = zeta w0, w = w0 sqrt(1 - zeta^2): extremes at s = k pi / w.
struct SecondOrder {
  double zeta, w0;
  double d() const { return zeta * w0; }
  double w() const { return w0 * std::sqrt(1 - zeta * zeta); }
  double step(double s) const {
    return s < 0 ? 0 : 1 - std::exp(-d() * s) * (std::cos(w() * s) + d() / w() * std::sin(w() * s));
  }
  double top(int k) const { return 1 - std::cos(kPi * k) * std::exp(-d() * kPi * k / w()); }  // k-th extreme
};

TEST(StepResponse, OvershootOfASecondOrderSystem) {
  const double h = 1e-3, t0 = 0.25;
  const Values t = uneven(h, 6);
  for (const double zeta : {0.2, 0.5, 0.7}) {
    const SecondOrder system{zeta, 7};
    const Values x = of(t, [&](double s) { return 0.528 * system.step(s - t0); });
    const double expected = 1 + std::exp(-kPi * zeta / std::sqrt(1 - zeta * zeta));
    const double chord = 0.64 * h * h / 2 * 49;  // a sample lies within 0.8 h of the peak; curvature at most w0^2
    EXPECT_NEAR(overshoot({t, x}, 0.528, t0, kInf), expected, chord);
    EXPECT_NEAR(overshoot_share({t, x}, 0.528, t0, kInf), expected - 1, chord);
    EXPECT_NEAR(peak_response_time({t, x}, 0.528, t0, kInf), kPi / system.w(), 0.8 * h);
    EXPECT_NEAR(tb_factor(peak_response_time({t, x}, 0.528, t0, kInf), -2 * kPi / 180), 2 * kPi / system.w(), 1.6 * h);
    const Values right = minus(x);
    EXPECT_EQ(overshoot({t, right}, -0.528, t0, kInf), overshoot({t, x}, 0.528, t0, kInf));
    EXPECT_EQ(peak_response_time({t, right}, -0.528, t0, kInf), peak_response_time({t, x}, 0.528, t0, kInf));
    EXPECT_EQ(settling_time({t, right}, 0.05, -0.528, t0), settling_time({t, x}, 0.05, 0.528, t0));
    EXPECT_EQ(response_time({t, right}, 0.9, -0.528, t0), response_time({t, x}, 0.9, 0.528, t0));
  }
}

// Creeping up, or overdamped, a signal has no peak: not the end of the record. Neither has one whose window ends while it rises.
TEST(StepResponse, WithoutOvershootHasNoPeak) {
  const Values t = even(1e-3, 6);
  for (const double steady : {0.3, -0.3}) {
    const Values creeps = of(t, [&](double s) { return steady * (1 - std::exp(-s / 0.8)); });
    EXPECT_TRUE(std::isnan(peak_response_time({t, creeps}, steady, 0, kInf)));
    // the mean over the last 1.5 s lies below the last value, by 0.11 %
    EXPECT_TRUE(std::isnan(peak_response_time({t, creeps}, mean({t, creeps}, 4.5, 6), 0, kInf)));
    EXPECT_TRUE(std::isnan(tb_factor(peak_response_time({t, creeps}, steady, 0, kInf), 0.03)));
    const SecondOrder system{0.5, 7};
    const Values swings = of(t, [&](double s) { return steady * system.step(s); });
    const double top = kPi / system.w();
    EXPECT_NEAR(peak_response_time({t, swings}, steady, 0, kInf), top, 1e-3);
    EXPECT_TRUE(std::isnan(peak_response_time({t, swings}, steady, 0, top)));  // not back yet
  }
}

TEST(StepResponse, SettlesAfterTheLastSwingOutOfTheBand) {
  const double h = 1e-3;
  const Values t = even(h, 10);
  const SecondOrder system{0.2, 7};
  const Values x = of(t, [&](double s) { return system.step(s); });
  int k = 1;  // the last extreme outside the band
  while (std::abs(system.top(k + 1) - 1) > 0.05) ++k;
  ASSERT_GE(k, 3);
  double low = k * kPi / system.w(), high = (k + 1) * kPi / system.w();
  for (int i = 0; i < 60; ++i) (std::abs(system.step((low + high) / 2) - 1) > 0.05 ? low : high) = (low + high) / 2;
  EXPECT_NEAR(settling_time({t, x}, 0.05, 1, 0), low, 1e-5);  // chord: h^2/8 w0^2 / (0.05 w0)
}

TEST(StepResponse, WithoutAnAnswerIsNaN) {
  const Values t{0, 1, 2, 3}, x{0, 1, 1, 1.2};
  EXPECT_TRUE(std::isnan(settling_time({t, x}, 0.05, 1, 0)));  // outside at the end
  EXPECT_EQ(settling_time({t, x}, 0.25, 1, 0), 0.75);
  EXPECT_EQ(settling_time({t, x}, 0.25, 1, 1.5), 0);  // never outside
  EXPECT_EQ(settling_time({t, x}, 0.25, 1, 0.5), 0.25);
  EXPECT_TRUE(std::isnan(settling_time({t, x}, 0.25, 1, 4)));
  EXPECT_EQ(response_time({t, x}, 0.9, 1, 2), 0);  // beyond it already
  EXPECT_TRUE(std::isnan(response_time({t, x}, 0.9, 1, kNaN)));
  for (const double steady : {0.0, kNaN}) {
    EXPECT_TRUE(std::isnan(settling_time({t, x}, 0.05, steady, 0)));
    EXPECT_TRUE(std::isnan(response_time({t, x}, 0.9, steady, 0)));
    EXPECT_TRUE(std::isnan(overshoot({t, x}, steady, 0, 3)));
  }
  EXPECT_TRUE(std::isnan(settling_time({t, x}, kNaN, 1, 0)));
  EXPECT_TRUE(std::isnan(overshoot({t, x}, 1, 4, 5)));
  const Values swing{0, 2, 0, 2, 1, 1};  // from outside on one side to outside on the other within one interval
  EXPECT_EQ(settling_time({Values{0, 1, 2, 3, 4, 5}, swing}, 0.25, 1, 0), 3.75);
}

// ------------------------------------------------------------------------------------------------ steady turn

TEST(Slope, ForgetsWhatFallsBackIntoTheWindowAfterBreakingAway) {
  // ay rises to 9 while the steer rises by 0.009 rad per m/s^2; then the car slides, ay falls through the window at
  // large steer, and in one of the cases rises again above all it had before.
  for (const double again : {0.0, 12.0}) {
    Values ay, steer;
    for (int i = 0; i <= 900; ++i) ay.push_back(0.01 * i), steer.push_back(0.02 + 0.009 * 0.01 * i);
    for (int i = 0; i <= 500; ++i) ay.push_back(9 - 0.018 * i), steer.push_back(0.3 + 1e-4 * i);
    for (int i = 0; i <= 500; ++i) ay.push_back(again / 500 * i), steer.push_back(0.6);
    EXPECT_NEAR(slope(ay, steer, 1, 4), 0.009, 1e-15);
    EXPECT_NEAR(line(ay, steer, 1, 4).intercept, 0.02, 1e-15);
    EXPECT_NEAR(slope(minus(ay), minus(steer), -4, -1), 0.009, 1e-15);
    EXPECT_NEAR(line(minus(ay), minus(steer), -4, -1).intercept, -0.02, 1e-15);
    EXPECT_NEAR(understeer_gradient_radius(minus(ay), minus(steer), 1, 4), 0.009, 1e-15);
    if (again == 0) {
      EXPECT_NEAR(slope(ay, steer, 1, 20), 0.009, 1e-15);  // to the maximum
    }
  }
}

TEST(Slope, IsThatOfLeastSquares) {
  // x = u^2 at n + 1 even points of [a, a + w]: the best line has the slope 2a + w, whatever n.
  Values u, x;
  for (int i = 0; i <= 30; ++i) u.push_back(1 + 0.1 * i), x.push_back(u.back() * u.back());
  EXPECT_NEAR(slope(u, x, 0.999, 4.001), 5, 1e-13);
  EXPECT_TRUE(std::isnan(slope(u, x, 5, 6)));        // nothing there
  EXPECT_TRUE(std::isnan(slope(u, x, 1.99, 2.01)));  // one sample
  EXPECT_TRUE(std::isnan(slope(Values{2, 2, 2}, Values{1, 2, 3}, 1, 4)));
  EXPECT_TRUE(std::isnan(slope(Values{}, Values{}, 1, 4)));
  EXPECT_TRUE(std::isnan(understeer_gradient_radius(Values{}, Values{}, 1, 4)));
  EXPECT_THROW(slope(u, Values{1}, 1, 4), std::invalid_argument);
}

TEST(UndersteerGradient, OfTheLinearBicycleIsTheSameByBothMethods) {
  const double L = 2.7, v = 22.2, R = 40;
  for (const double K : {0.003, 0.0, -0.001}) {
    Values ay, at_radius, at_speed;
    for (int i = 0; i <= 400; ++i) {
      ay.push_back(0.015 * i);
      at_radius.push_back(L / R + K * ay.back());         // delta = L/R + K ay
      at_speed.push_back((L / (v * v) + K) * ay.back());  // 1/R = ay/v^2
    }
    EXPECT_NEAR(understeer_gradient_radius(ay, at_radius, 0.5, 4), K, 1e-15);
    EXPECT_NEAR(understeer_gradient_speed(ay, at_speed, 0.5, 4, L, v), K, 1e-15);
    EXPECT_NEAR(understeer_gradient_speed(minus(ay), minus(at_speed), 0.5, 4, L, v), K, 1e-15);
  }
}

TEST(UndersteerGradient, CharacteristicSpeedHasHalfTheNeutralGainAndCriticalSpeedNone) {
  const double L = 2.7, K = 0.002, v = characteristic_speed(L, K);
  EXPECT_NEAR(v / (L + K * v * v), 0.5 * v / L, 1e-14);
  const double c = critical_speed(L, -K);
  EXPECT_NEAR(L - K * c * c, 0, 1e-14);
  EXPECT_TRUE(std::isnan(characteristic_speed(L, -K)) && std::isnan(characteristic_speed(L, 0)));
  EXPECT_TRUE(std::isnan(critical_speed(L, K)) && std::isnan(critical_speed(L, 0)));
  EXPECT_TRUE(std::isnan(characteristic_speed(L, kNaN)) && std::isnan(critical_speed(L, kNaN)));
}

// ------------------------------------------------------------------------------------------------ braking

// v0 until 1 s (pedal) + 0.25 s (dead time), then a constant deceleration to rest; corners on samples.
struct Stop {
  double v0 = 30, a = 7.5;
  Values t = even(0.01, 8);
  Values v = of(t, [this](double s) { return std::max(0.0, v0 - a * std::max(0.0, s - 1.25)); });
};

TEST(Stopping, ConstantDecelerationAfterADeadTime) {
  const Stop stop;
  const Signal speed{stop.t, stop.v};
  const double exact = 0.25 * 30 + 30 * 30 / (2 * 7.5);
  EXPECT_NEAR(stopping_distance(speed, 1, 0), exact, 1e-11);
  EXPECT_NEAR(stop_time(speed, 1, 0), 1.25 + 30 / 7.5, 1e-12);
  EXPECT_NEAR(stopping_distance(speed, 1), exact - kStandstill * kStandstill / (2 * 7.5), 1e-11);
  EXPECT_NEAR(mfdd(speed, 1), 7.5, 1e-11);  // the dead time lies before 0.8 v0
  EXPECT_NEAR(corrected_distance(60, 30, 100 / 3.6), 60 * std::pow(100 / 3.6 / 30, 2), 1e-12);
  const Values back = minus(stop.v);
  EXPECT_EQ(stopping_distance({stop.t, back}, 1), stopping_distance(speed, 1));
  EXPECT_EQ(mfdd({stop.t, back}, 1), mfdd(speed, 1));
}

TEST(Stopping, DecelerationFromARecordedDistance) {
  const Stop stop;
  Values way{0};
  for (std::size_t i = 1; i < stop.t.size(); ++i)
    way.push_back(way.back() + (stop.t[i] - stop.t[i - 1]) * 0.5 * (stop.v[i] + stop.v[i - 1]));
  // Both ends fall on samples (0.8 s and 3.6 s after the deceleration began), so nothing is interpolated.
  EXPECT_NEAR(mfdd({stop.t, stop.v}, {stop.t, way}, 1), 7.5, 1e-11);
  const Values back = minus(stop.v), way_back = minus(way);
  EXPECT_EQ(mfdd({stop.t, back}, {stop.t, way_back}, 1), mfdd({stop.t, stop.v}, {stop.t, way}, 1));
}

TEST(Stopping, DecelerationIsAMeanOverTheWay) {
  // v' = -(a + c v^2): v^2 falls exponentially over the way, so s = ln((a + c vb^2)/(a + c ve^2)) / (2 c).
  const double a = 5, c = 0.002, v0 = 50, q = std::sqrt(a / c), h = 0.005;
  const double phi = std::atan(v0 / q);
  const Values t = uneven(h, 8), v = of(t, [&](double s) { return q * std::tan(phi - std::sqrt(a * c) * s); });
  const double vb = 0.8 * v0, ve = 0.1 * v0;
  const double way = std::log((a + c * vb * vb) / (a + c * ve * ve)) / (2 * c);
  // Chords: v'' <= 2 c v |v'| = 2, so the area is off by at most h^2/12 * 2 * 8 s of about 130 m.
  EXPECT_NEAR(mfdd({t, v}, 0), (vb * vb - ve * ve) / (2 * way), 1e-5);
  const Values s = of(t, [&](double time) {
    return std::log(std::cos(phi - std::sqrt(a * c) * time) / std::cos(phi)) / c;  // v = q tan(...) integrated
  });
  EXPECT_NEAR(mfdd({t, v}, {t, s}, 0), (vb * vb - ve * ve) / (2 * way), 1e-5);  // chords of the way: v' h^2/8
}

TEST(Stopping, NeverIsNaN) {
  const Values t = even(0.1, 5), v = of(t, [](double s) { return 20 - 3 * s; });
  EXPECT_TRUE(std::isnan(stopping_distance({t, v}, 0)));
  EXPECT_TRUE(std::isnan(stop_time({t, v}, 0)));
  EXPECT_TRUE(std::isnan(mfdd({t, v}, 0)));  // 5 m/s at the end, not 2
  EXPECT_TRUE(std::isnan(mfdd({t, v}, {t, v}, 0)));
  EXPECT_TRUE(std::isnan(stopping_distance({t, v}, 6)));
  EXPECT_TRUE(std::isnan(stopping_distance({t, v}, kNaN)));
  const Values rest(t.size(), 0.0);
  EXPECT_EQ(stopping_distance({t, rest}, 1), 0);
  EXPECT_TRUE(std::isnan(mfdd({t, rest}, 1)));
}

// ------------------------------------------------------------------------------------------------ sine with dwell

constexpr double kStart = 1, kF = 0.7, kDwell = 0.5;

// Amplitude [rad] and side (+1 left first) of a sine with 0.5 s dwell at its second peak.
double sine_with_dwell(double s, double amplitude) {
  const double tau = s - kStart, third = 0.75 / kF;
  if (tau < 0 || tau > 1 / kF + kDwell) return 0;
  const double phase = tau < third ? tau : std::max(third, tau - kDwell);
  return amplitude * std::sin(2 * kPi * kF * phase);
}

// A yaw rate with known figures: half a sine in phase with the steer, then -peak (s/rise) exp(1 - s/rise) from 0.1 s
// after the reversal on, which is highest at s = rise.
double yaw_response(double time, double peak_rate, double rise) {
  const double s = time - kStart - 0.5 / kF - 0.1, q = s / rise;
  return s < 0 ? std::max(0.0, 0.4 * std::sin(kPi * (time - kStart) / (0.5 / kF + 0.1))) * (time > kStart)
               : -peak_rate * q * std::exp(1 - q);
}

TEST(SineWithDwell, BeginningReversalAndCompletionOfSteer) {
  const double h = 0.001;
  const Values t = uneven(h, 8);
  for (const double amplitude : {0.8, -0.8, 4.5}) {
    const Values steer = of(t, [&](double s) { return sine_with_dwell(s, amplitude); });
    const double w = 2 * kPi * kF, begin = kStart + std::asin(kSteerThreshold / std::abs(amplitude)) / w;
    // Samples miss the corners at the beginning and the end: there up to (1.6 h) off, elsewhere a chord.
    EXPECT_NEAR(beginning_of_steer({t, steer}), begin, 1e-5);
    EXPECT_NEAR(reversal_of_steer({t, steer}), kStart + 0.5 / kF, 1e-5);
    EXPECT_NEAR(completion_of_steer({t, steer}), kStart + 1 / kF + kDwell, 1.6 * h);
  }
  const Values small = of(t, [](double s) { return sine_with_dwell(s, 0.08); });
  EXPECT_TRUE(std::isnan(beginning_of_steer({t, small})));
  EXPECT_TRUE(std::isnan(reversal_of_steer({t, small})));
  EXPECT_TRUE(std::isnan(completion_of_steer({t, small})));
  const Values held = of(t, [](double s) { return s > 1 ? 1.0 : 0.0; });  // never comes back
  EXPECT_TRUE(std::isnan(completion_of_steer({t, held})));
  EXPECT_TRUE(std::isnan(second_yaw_peak({t, held}, {t, held})));
}

TEST(SineWithDwell, YawRateRatios) {
  const Values t = even(0.001, 8), steer = of(t, [](double s) { return sine_with_dwell(s, 2.0); });
  const double begin_of_second = kStart + 0.5 / kF + 0.1, rise = 0.6, done = kStart + 1 / kF + kDwell;
  const Values yaw = of(t, [&](double s) { return yaw_response(s, 0.7, rise); });
  EXPECT_NEAR(second_yaw_peak({t, yaw}, {t, steer}), -0.7, 1e-6);  // 0.7 (h/2)^2 / (2 rise^2)
  EXPECT_NEAR(second_yaw_peak_time({t, yaw}, {t, steer}), begin_of_second + rise, 5.1e-4);
  for (const double after : {1.0, 1.75}) {
    const double q = (done + after - begin_of_second) / rise;
    // The end of the steer is found within the sample after it: slope of the share about 1 per s.
    EXPECT_NEAR(yaw_rate_ratio({t, yaw}, {t, steer}, after), q * std::exp(1 - q), 1.1e-3);
  }
  const Values right = minus(steer), yaw_right = minus(yaw);
  EXPECT_EQ(yaw_rate_ratio({t, yaw_right}, {t, right}, 1), yaw_rate_ratio({t, yaw}, {t, steer}, 1));
  EXPECT_EQ(second_yaw_peak({t, yaw_right}, {t, right}), -second_yaw_peak({t, yaw}, {t, steer}));
  EXPECT_TRUE(std::isnan(yaw_rate_ratio({t, yaw}, {t, steer}, 5.1)));  // the record ends before
}

TEST(SineWithDwell, SecondPeakIsTheFirstAfterTheReversalAndNoRipple) {
  const Values t = even(0.001, 8), steer = of(t, [](double s) { return sine_with_dwell(s, 2.0); });
  const double first = kStart + 0.5 / kF + 0.7;
  // a higher one 2 s after the first does not count
  const Values twice =
      of(t, [&](double s) { return yaw_response(s, 0.7, 0.6) - 1.5 * std::exp(-20 * std::pow(s - first - 2, 2)); });
  EXPECT_NEAR(second_yaw_peak({t, twice}, {t, steer}), -0.7, 1e-6);
  // a 25 Hz ripple of 0.5 % moves the peak by no more than itself
  const Values ripple = of(t, [&](double s) { return yaw_response(s, 0.7, 0.6) * (1 + 0.005 * std::sin(160 * s)); });
  EXPECT_NEAR(second_yaw_peak({t, ripple}, {t, steer}), -0.7, 0.0036);
  EXPECT_GT(second_yaw_peak({t, ripple}, {t, steer}, 0), -0.5);  // the bare first local peak is a ripple
  // a car that spins on has no peak; it must not pass
  const Values spin = of(t, [](double s) { return s < kStart + 0.5 / kF ? 0 : -2 * (1 - std::exp(-s)); });
  EXPECT_NEAR(second_yaw_peak({t, spin}, {t, steer}), spin.back(), 0);
  EXPECT_GT(yaw_rate_ratio({t, spin}, {t, steer}, 1), 0.9);
}

TEST(SineWithDwell, LateralDisplacementOfACircle) {
  // A circle from the beginning of steer on, in any world heading, to either side.
  const double R = 60, v = 22, heading = 2.2, begin = 0.5;
  const Values t = even(0.005, 3);
  for (const double side : {1.0, -1.0}) {
    const auto turn = [&](double s) { return v * std::max(0.0, s - begin) / R; };
    const auto along = [&](double s) { return s < begin ? v * (s - begin) : R * std::sin(turn(s)); };
    const auto across = [&](double s) { return side * R * (1 - std::cos(turn(s))); };
    const Values x = of(t, [&](double s) { return along(s) * std::cos(heading) - across(s) * std::sin(heading); });
    const Values y = of(t, [&](double s) { return along(s) * std::sin(heading) + across(s) * std::cos(heading); });
    const Values yaw = of(t, [&](double s) { return heading + side * turn(s); });
    const Values steer = of(t, [&](double s) { return side * (s < begin ? 0.0 : kSteerThreshold * 2); });
    // the threshold lies half way to the sample `begin`, so it begins 2.5 ms earlier
    const double expected = R * (1 - std::cos(turn(begin - 0.0025 + 1.07)));
    EXPECT_NEAR(lateral_displacement({t, x}, {t, y}, {t, yaw}, {t, steer}), expected, 3e-5);  // chord: v^2/R h^2/8
    EXPECT_TRUE(std::isnan(lateral_displacement({t, x}, {t, y}, {t, yaw}, {t, steer}, 2.6)));
    EXPECT_NEAR(path_displacement({t, x}, {t, y}, heading, 0.5, 2), across(2), 1e-12);
    EXPECT_TRUE(std::isnan(path_displacement({t, x}, {t, y}, heading, kNaN, 2)));
  }
}

TEST(SineWithDwell, DisplacementByAccelerationIsTheDoubleIntegral) {
  const Values t = uneven(0.1, 3), ay = of(t, [](double s) { return 1.5 - 2 * s; });
  for (const auto& [a, b] : {std::pair{0.0, 3.0}, {0.43, 1.5}}) {
    const double T = b - a, a0 = 1.5 - 2 * a;
    EXPECT_NEAR(displacement_by_acceleration({t, ay}, a, b), a0 * T * T / 2 - 2 * T * T * T / 6, 1e-13);
  }
  EXPECT_TRUE(std::isnan(displacement_by_acceleration({t, ay}, 1, 3.1)));
  EXPECT_TRUE(std::isnan(displacement_by_acceleration({t, ay}, 2, 1)));
}

TEST(SineWithDwell, SteerAtThreeTenthsOfG) {
  // The hand wheel angle is a line of ay with an offset within the window and bends outside of it.
  Values ay, steer;
  for (int i = 0; i <= 600; ++i) {
    ay.push_back(0.001 * i * kG);
    const double share = 0.001 * i;
    steer.push_back(0.03 + 1.4 * share + (share > 0.375 ? share - 0.375 : 0) + (share < 0.1 ? share - 0.1 : 0));
  }
  EXPECT_NEAR(steer_at_acceleration(ay, steer), 0.03 + 1.4 * 0.3, 1e-12);
  EXPECT_NEAR(steer_at_acceleration(minus(ay), minus(steer)), 0.03 + 1.4 * 0.3, 1e-12);
  EXPECT_NEAR(steer_at_acceleration(ay, steer, 0.1 * kG, 0.25 * kG), 0.03 + 1.4 * 0.3, 1e-12);  // extrapolated
  EXPECT_TRUE(std::isnan(
      steer_at_acceleration(Values(ay.begin(), ay.begin() + 90), Values(steer.begin(), steer.begin() + 90))));
}

// ------------------------------------------------------------------------------------------------ coast-down

// m v' = -(f0 + f1 v + f2 v^2): with w = v + f1/(2 f2), w = q tan(phi - f2 q t/m), q^2 = f0/f2 - (f1/(2 f2))^2.
Values coasting(const Values& t, double m, double v0, double f0, double f1, double f2) {
  const double shift = f1 / (2 * f2), q = std::sqrt(f0 / f2 - shift * shift), phi = std::atan((v0 + shift) / q);
  return of(t, [&](double s) { return q * std::tan(phi - f2 * q / m * s) - shift; });
}

TEST(CoastDown, FindsTheRoadLoadOfAnExactRollOut) {
  const double m = 1560, f0 = 180, f1 = 2.0, f2 = 0.42, h = 0.1;
  for (const Values& t : {even(h, 90), uneven(h, 90)}) {
    const Values v = coasting(t, m, 35, f0, f1, f2);
    ASSERT_GT(v.back(), 5);
    const RoadLoad load = coast_down({t, v}, m, 0, kInf);
    // Chords: the way is off by h^2/12 (v'(end) - v'(0)) = 3e-4 m of 1500 m.
    EXPECT_NEAR(load.f0, f0, 1e-5 * f0);
    EXPECT_NEAR(load.f1, f1, 1e-4 * f1);
    EXPECT_NEAR(load.f2, f2, 1e-5 * f2);
    EXPECT_LT(load.residual, 1e-6);
    const RoadLoad part = coast_down({t, v}, m, 10.03, 70.01);  // a window, partial intervals
    EXPECT_NEAR(part.f0 + part.f1 * 20 + part.f2 * 400, f0 + f1 * 20 + f2 * 400, 1e-5 * 390);
  }
}

TEST(CoastDown, NoiseOfTheSpeedAveragesOut) {
  const double m = 1560, f0 = 180, f1 = 2.0, f2 = 0.42, noise = 0.02;
  const Values t = even(0.02, 90);
  Values v = coasting(t, m, 35, f0, f1, f2);
  std::mt19937 random(7);
  std::normal_distribution<double> normal(0, noise);
  for (double& value : v) value += normal(random);
  const RoadLoad load = coast_down({t, v}, m, 0, kInf);
  EXPECT_NEAR(load.residual, noise, 0.05 * noise);  // 4500 samples: 1 % is one standard deviation
  for (const double speed : {10.0, 20.0, 30.0}) {
    const double exact = f0 + f1 * speed + f2 * speed * speed;
    EXPECT_NEAR(load.f0 + load.f1 * speed + load.f2 * speed * speed, exact, 0.005 * exact) << speed;
  }
}

TEST(CoastDown, NaNWhereTheTermsCannotBeToldApart) {
  const Values t = even(0.1, 10), constant(t.size(), 20.0);
  EXPECT_TRUE(std::isnan(coast_down({t, constant}, 1500, 0, 10).f0));
  const Values v = coasting(t, 1500, 30, 150, 1, 0.4);
  EXPECT_TRUE(std::isnan(coast_down({t, v}, 1500, 1, 1.3).f2));  // 4 samples
  EXPECT_TRUE(std::isnan(coast_down({t, v}, 1500, 11, 12).residual));
}

TEST(LeastSquares, ReproducesAPolynomialAndRefusesDependentColumns) {
  std::vector<Values> columns(4);
  Values y;
  for (int i = 0; i < 40; ++i) {
    const double u = 100 + 0.1 * i;
    for (int k = 0; k < 4; ++k) columns[k].push_back(std::pow(u - 101, k));
    y.push_back(3 - 2 * (u - 101) + 0.5 * std::pow(u - 101, 2) + 0.25 * std::pow(u - 101, 3));
  }
  const Values c = least_squares(columns, y);
  const Values exact{3, -2, 0.5, 0.25};
  for (int k = 0; k < 4; ++k) EXPECT_NEAR(c[k], exact[k], 1e-12);
  // Powers of u itself are nearly dependent, so the coefficients are poor; the curve is not.
  for (double& value : y) value += 1000;
  for (int i = 0; i < 40; ++i)
    for (int k = 0; k < 4; ++k) columns[k][i] = std::pow(100 + 0.1 * i, k);
  const Values poor = least_squares(columns, y);
  for (int i = 0; i < 40; ++i) {
    double value = 0;
    for (int k = 0; k < 4; ++k) value += poor[k] * columns[k][i];
    EXPECT_NEAR(value, y[i], 1e-8);  // 1e6 poor[3] rounds at 1e-10 each time
  }
  columns[3] = columns[1];
  for (const double value : least_squares(columns, y)) EXPECT_TRUE(std::isnan(value));
}

// ------------------------------------------------------------------------------------------------ frequency

using Complex = std::complex<double>;

Values white(std::size_t n, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal(0, 1);
  Values x(n);
  for (double& value : x) value = normal(random);
  return x;
}

TEST(Fft, IsTheSumItStandsForAtAnyLength) {
  for (const std::size_t n : {1, 2, 3, 4, 5, 7, 8, 12, 16, 31, 60, 64, 97, 128}) {
    const Values x = white(n, static_cast<unsigned>(n));
    const std::vector<Complex> X = real_fft(x);
    ASSERT_EQ(X.size(), n / 2 + 1);
    for (std::size_t k = 0; k < X.size(); ++k) {
      Complex sum = 0;
      for (std::size_t i = 0; i < n; ++i)
        sum += x[i] * std::polar(1.0, -2 * kPi * static_cast<double>(k * i % n) / static_cast<double>(n));
      EXPECT_NEAR(std::abs(X[k] - sum), 0, 1e-13 * static_cast<double>(n)) << n << ' ' << k;
    }
  }
  EXPECT_THROW(real_fft({}), std::invalid_argument);
}

TEST(Fft, KeepsTheEnergyOfALongRecord) {  // Parseval
  for (const std::size_t n : {4096, 5000, 4999}) {
    const Values x = white(n, 3);
    const std::vector<Complex> X = real_fft(x);
    double energy = 0, sum = 0;
    for (const double value : x) energy += value * value;
    for (std::size_t k = 0; k < X.size(); ++k) sum += (k == 0 || 2 * k == n ? 1 : 2) * std::norm(X[k]);
    EXPECT_NEAR(sum / static_cast<double>(n) / energy, 1, 1e-13);
  }
}

Complex second_order(double f, double f0, double zeta) {
  return 1.0 / Complex(1 - f * f / (f0 * f0), 2 * zeta * f / f0);
}

TEST(FrequencyResponse, OfAPeriodicSignalIsExact) {
  // Lines every 4 bins: the Hann window spreads each over its two neighbours only, so every fourth bin is clean.
  const double dt = 0.01, f0 = 1.1, zeta = 0.4;
  for (const std::size_t segment : {2048, 2000}) {  // a power of 2, and not
    const double df = 1 / (static_cast<double>(segment) * dt);
    const std::size_t n = segment * 3;
    Values u(n, 0.7), y(n, -0.2);  // offsets are taken off
    for (int k = 4; k <= 80; k += 4)
      for (std::size_t i = 0; i < n; ++i) {
        const double angle = 2 * kPi * k * df * dt * static_cast<double>(i) + 0.1 * k * k;
        const Complex h = 5.0 * second_order(k * df, f0, zeta);
        u[i] += std::cos(angle);
        y[i] += std::abs(h) * std::cos(angle + std::arg(h));
      }
    const FrequencyResponse r = frequency_response(u, y, dt, segment);
    EXPECT_EQ(r.segments, 5u);
    ASSERT_EQ(r.f.size(), segment / 2);
    for (int k = 4; k <= 80; k += 4) {
      const Complex h = 5.0 * second_order(k * df, f0, zeta);
      EXPECT_NEAR(r.f[k - 1], k * df, 1e-12);
      EXPECT_NEAR(gain_at(r, k * df), std::abs(h), 1e-9);
      EXPECT_NEAR(phase_at(r, k * df), std::arg(h), 1e-9);  // -pi < arg < 0
      EXPECT_NEAR(coherence_at(r, k * df), 1, 1e-9);
    }
    const FrequencyResponse mirrored = frequency_response(minus(u), minus(y), dt, segment);
    EXPECT_EQ(mirrored.gain, r.gain);
    EXPECT_EQ(mirrored.phase, r.phase);
  }
}

// y_k = 2 rho cos(w) y_(k-1) - rho^2 y_(k-2) + u_k
Values resonator(const Values& u, double rho, double w) {
  Values y(u.size(), 0.0);
  for (std::size_t k = 0; k < u.size(); ++k)
    y[k] = u[k] + (k > 0 ? 2 * rho * std::cos(w) * y[k - 1] : 0) - (k > 1 ? rho * rho * y[k - 2] : 0);
  return y;
}
Complex resonator_at(double angle, double rho, double w) {
  const Complex z = std::polar(1.0, -angle);
  return 1.0 / (1.0 - 2 * rho * std::cos(w) * z + rho * rho * z * z);
}

TEST(FrequencyResponse, OfADiscreteSystemUnderRandomInput) {
  const double dt = 0.02, rho = 0.9, w = 0.4;
  const Values u = white(60000, 11), y = resonator(u, rho, w);
  const FrequencyResponse r = frequency_response(u, y, dt, 1024);
  EXPECT_EQ(r.segments, 116u);
  double mean_error = 0;
  for (std::size_t k = 2; k < r.f.size(); ++k) {
    const Complex h = resonator_at(2 * kPi * r.f[k] * dt, rho, w);
    // The memory of 10 samples reaches over the ends of a segment of 1024: 1 - coherence is about (10/1024)^2 times
    // ten, so the gain scatters by sqrt(1e-3 / 116) and is off by some 1e-3 at the resonance.
    EXPECT_NEAR(r.gain[k] / std::abs(h), 1, 0.02);
    EXPECT_NEAR(std::remainder(r.phase[k] - std::arg(h), 2 * kPi), 0, 0.02);
    EXPECT_GT(r.coherence[k], 0.99);
    mean_error += (r.gain[k] / std::abs(h) - 1) / static_cast<double>(r.f.size());
  }
  EXPECT_NEAR(mean_error, 0, 1e-3);
}

TEST(FrequencyResponse, CoherenceIsTheShareOfTheOutputThatComesFromTheInput) {
  const std::size_t n = 128 * 600;
  const Values u = white(n, 1), noise = white(n, 2);
  for (const double ratio : {0.25, 1.0, 4.0}) {  // noise power over signal power
    Values y(n);
    for (std::size_t i = 0; i < n; ++i) y[i] = 3 * u[i] + 3 * std::sqrt(ratio) * noise[i];
    const FrequencyResponse r = frequency_response(u, y, 0.01, 128);
    double coherence = 0, gain = 0;
    for (std::size_t k = 1; k + 1 < r.f.size(); ++k) {
      coherence += r.coherence[k] / static_cast<double>(r.f.size() - 2);
      gain += r.gain[k] / static_cast<double>(r.f.size() - 2);
    }
    const double exact = 1 / (1 + ratio);
    // 1199 overlapping segments count as 1135, 62 neighbouring bins as 32 (Hann). A bin scatters by
    // sqrt(2 c) (1 - c)/sqrt(1135) and its gain by sqrt((1/c - 1)/(2 * 1135)); four times the scatter of the means.
    EXPECT_NEAR(coherence, exact, 0.011);
    EXPECT_NEAR(gain, 3, 0.045 * std::sqrt(ratio));  // H1: noise of the output does not bias the gain
  }
}

TEST(FrequencyResponse, PhaseOfADelayIsUnwrapped) {
  const double dt = 0.01;
  const int delay = 12;
  const Values u = white(20000, 5);
  Values y(u.size(), 0.0);
  for (std::size_t i = delay; i < u.size(); ++i) y[i] = u[i - delay];
  const FrequencyResponse r = frequency_response(u, y, dt, 1000);
  for (const double f : {1.0, 5.0, 20.0, 45.0}) EXPECT_NEAR(equivalent_time(r, f), 0.12, 0.02 / f);  // phase to 0.1 rad
  EXPECT_LT(phase_at(r, 45), -10 * kPi);
  const FrequencyResponse inverted = frequency_response(u, minus(u), dt, 1000);
  for (std::size_t k = 0; k < inverted.f.size(); ++k) {
    EXPECT_NEAR(std::abs(inverted.phase[k]), kPi, 1e-12);
    EXPECT_NEAR(inverted.phase[k], inverted.phase[0], 1e-12);
    EXPECT_NEAR(inverted.gain[k], 1, 1e-12);
    EXPECT_NEAR(inverted.coherence[k], 1, 1e-12);
  }
}

TEST(FrequencyResponse, PhaseDoesNotDependOnFrequenciesThatTheInputLeavesOut) {
  // Lines from 1 Hz on; below there is only faint noise, whose phases wander through many turns.
  const double dt = 0.01;
  const std::size_t segment = 2000, n = 3 * segment;
  for (const unsigned seed : {1u, 2u, 3u, 4u, 5u}) {
    Values u = white(n, seed), y = white(n, seed + 50);
    for (std::size_t i = 0; i < n; ++i) {
      u[i] *= 1e-6, y[i] *= 1e-6;
      for (int k = 20; k <= 60; k += 4) {
        const double angle = 2 * kPi * k * 0.05 * dt * static_cast<double>(i) + 0.1 * k * k;
        u[i] += std::cos(angle), y[i] += std::cos(angle - 0.5);
      }
    }
    const FrequencyResponse r = frequency_response(u, y, dt, segment);
    for (int k = 20; k <= 60; k += 4) EXPECT_NEAR(phase_at(r, k * 0.05), -0.5, 1e-5);
  }
}

TEST(FrequencyResponse, OfAPulseThatDiesOutIsExact) {
  const double dt = 0.02, rho = 0.9, w = 0.4;
  Values u(700, 0.0);
  u[50] = 1, u[51] = 0.5;                                                       // its spectrum has no zero
  const FrequencyResponse r = transient_response(u, resonator(u, rho, w), dt);  // rho^600 = 3e-28 is left
  ASSERT_EQ(r.f.size(), 350u);
  for (std::size_t k = 0; k < r.f.size(); ++k) {
    const Complex h = resonator_at(2 * kPi * r.f[k] * dt, rho, w);
    EXPECT_NEAR(r.gain[k] / std::abs(h), 1, 1e-10);
    EXPECT_NEAR(r.phase[k], std::arg(h), 1e-10);  // -pi < arg < 0.5
    EXPECT_TRUE(std::isnan(r.coherence[k]));
  }
}

TEST(FrequencyResponse, WithoutDataIsEmptyAndWithoutInputNaN) {
  const Values u = white(100, 1), zero(100, 0.0);
  EXPECT_TRUE(frequency_response(u, u, 0.01, 101).f.empty());
  EXPECT_TRUE(frequency_response(u, u, 0.01, 1).f.empty());
  EXPECT_TRUE(transient_response(Values{1}, Values{1}, 0.01).f.empty());
  EXPECT_TRUE(std::isnan(gain_at({}, 1)));
  const FrequencyResponse r = frequency_response(zero, u, 0.01, 50);
  for (std::size_t k = 0; k < r.f.size(); ++k)
    EXPECT_TRUE(std::isnan(r.gain[k]) && std::isnan(r.phase[k]) && std::isnan(r.coherence[k]));
  EXPECT_THROW(frequency_response(u, Values{1}, 0.01, 50), std::invalid_argument);
  EXPECT_THROW(frequency_response(u, u, 0.01, 50, 1), std::invalid_argument);
}

FrequencyResponse sampled(double f0, double zeta, double df, double to) {
  FrequencyResponse r;
  for (int k = 1; k * df <= to; ++k) {
    r.f.push_back(k * df);
    r.gain.push_back(4 * std::abs(second_order(k * df, f0, zeta)));
    r.phase.push_back(std::arg(second_order(k * df, f0, zeta)));
    r.coherence.push_back(1);
  }
  return r;
}

TEST(FrequencyFigures, OfASecondOrderSystem) {
  const double f0 = 1.3, df = 0.02;
  for (const double zeta : {0.2, 0.4, 0.6}) {
    const FrequencyResponse r = sampled(f0, zeta, df, 5);
    const double b = 1 - 2 * zeta * zeta;
    // Chords and parabola: relative df^2/f0^2 = 2.4e-4 times factors of the order 1/zeta^2 for the sharp peak.
    EXPECT_NEAR(bandwidth(r, 4), f0 * std::sqrt(b + std::sqrt(b * b + 1)), 2e-4);
    EXPECT_NEAR(resonance(r, 4).f, f0 * std::sqrt(b), 1e-3);
    EXPECT_NEAR(resonance(r, 4).ratio, 1 / (2 * zeta * std::sqrt(1 - zeta * zeta)), 1e-4);
    EXPECT_NEAR(equivalent_time(r, f0), 0.25 / f0, 1e-6);  // -90 deg at f0: a quarter of a period
    EXPECT_NEAR(gain_at(r, f0), 4 / (2 * zeta), 1e-12);
  }
}

TEST(FrequencyFigures, WithoutAnAnswerAreNaN) {
  const FrequencyResponse r = sampled(1.3, 0.4, 0.02, 5);
  EXPECT_TRUE(std::isnan(gain_at(r, 0.01)) && std::isnan(phase_at(r, 5.1)) && std::isnan(coherence_at(r, kNaN)));
  EXPECT_TRUE(std::isnan(bandwidth(band(r, 0, 1), 4)));                     // not reached
  EXPECT_TRUE(std::isnan(bandwidth(band(r, 3, 5), 4)));                     // below from the start
  EXPECT_TRUE(std::isnan(bandwidth(r, 6)));                                 // the same, although the resonance is above
  EXPECT_TRUE(std::isnan(resonance(band(r, 0, 1), 4).f));                   // still rising
  EXPECT_TRUE(std::isnan(resonance(sampled(1.3, 0.9, 0.02, 5), 4).ratio));  // falls from the start
  EXPECT_TRUE(std::isnan(bandwidth({}, 1)) && std::isnan(resonance({}, 1).f));
  const FrequencyResponse part = band(r, 0.99, 2.01);
  EXPECT_EQ(part.f.size(), 51u);
  EXPECT_EQ(gain_at(part, 1.5), gain_at(r, 1.5));
}

TEST(SineFit, FindsASineOnAnyStretchOfIt) {
  const double f = 0.7;
  const Values t = uneven(0.02, 6);
  const Values x = of(t, [&](double s) { return 0.3 + 2 * std::sin(2 * kPi * f * s + 2.5); });
  for (const auto& [a, b] : {std::pair{0.0, 6.0}, {1.0, 3.3}, {2.0, 2.9}}) {  // 4.2, 1.6 and 0.6 periods
    const SineFit fit = fit_sine({t, x}, f, a, b);
    EXPECT_NEAR(fit.amplitude, 2, 1e-12);
    EXPECT_NEAR(fit.phase, 2.5, 1e-12);
    EXPECT_NEAR(fit.offset, 0.3, 1e-12);
    EXPECT_LT(fit.residual, 1e-12);
  }
  const Values harmonic = of(t, [&](double s) { return std::sin(2 * kPi * f * s) + 0.1 * std::sin(6 * kPi * f * s); });
  EXPECT_NEAR(fit_sine({t, harmonic}, f, 0, 2 / f).residual, 0.1 / std::sqrt(2.0), 0.005);  // 143 samples
  EXPECT_TRUE(std::isnan(fit_sine({t, x}, f, 7, 8).amplitude));
  EXPECT_TRUE(std::isnan(fit_sine({t, x}, 0, 0, 6).amplitude));
}

TEST(SineFit, ResponseOfASecondOrderSystemToOneFrequency) {
  const Values t = uneven(0.01, 10);
  for (const double f : {0.2, 1.0, 3.0}) {
    const Complex h = 1.7 * second_order(f, 1.3, 0.4);
    const Values u = of(t, [&](double s) { return 0.1 * std::sin(2 * kPi * f * s - 3); });
    const Values y =
        of(t, [&](double s) { return 0.02 + 0.1 * std::abs(h) * std::sin(2 * kPi * f * s - 3 + std::arg(h)); });
    const SineResponse r = sine_response({t, u}, {t, y}, f, 1.3, 9.7);
    EXPECT_NEAR(r.gain, std::abs(h), 1e-12);
    EXPECT_NEAR(r.phase, std::arg(h), 1e-12);
    const Values none(t.size(), 0.0);
    EXPECT_TRUE(std::isnan(sine_response({t, none}, {t, y}, f, 1, 9).gain));
  }
}

}  // namespace
}  // namespace vdsim
