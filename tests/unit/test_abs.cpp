// SPDX-License-Identifier: Apache-2.0
// Anti-lock brakes find the peak of a tire that they do not know. A car whose four wheels have one slip s on one friction
// slows by mu g c(s) whatever its loads, so the best stop at constant slip is v^2/(2 (mu g c_max - slope)), from the first
// instant on and without the time in which pressure builds.
#include <gtest/gtest.h>

#include "tests/unit/straight_car.hpp"

namespace vdsim {
namespace {

using namespace straight;

struct Tire {
  const char* name;
  FrictionCurve curve;
  bool hard;  // loses friction when locked
};
constexpr Tire kTires[] = {{"peak 0.05", {39, 1.65}, true},
                           {"peak 0.10", {19.5, 1.65}, true},
                           {"peak 0.15, 77 % locked", {13, 1.65}, true},
                           {"peak 0.15, 60 % locked", {11, 1.85}, true},
                           {"peak 0.30", {6.5, 1.65}, true},
                           {"gravel: most when locked", {9, 1.15}, false}};

double largest(const FrictionCurve& c) {
  double most = 0;
  for (int i = 1; i <= 1000; ++i) most = std::max(most, c(0.001 * i));
  return most;
}

// [T14.23]  A body under a constant deceleration a from rest: its sensor reads a + g0 m h/K q(t), and
// q = a (1 - e^(-dt/2) (cos wt + d/(2w) sin wt)). The control unit finds a and the load that is on the wheels.
TEST(AbsSenses, ADivingBodyDoesNotDeceiveTheSensor) {
  const DiveParams<double> body{0.08, 90, 8, 8.0 / 90};
  const double a = -8, w = std::sqrt(body.stiffness - 0.25 * body.damping * body.damping), h = 1e-3,
               half_track[2] = {0.75, 0.75};
  const bool easy[4] = {};
  SpeedState<double> s{30, 0, 0, 0, 0, {30, 30, 30, 30}};
  CarView<double> view{};
  double worst_force = 0, worst_load = 0, worst_speed = 0;
  for (int k = 0; k < 2000; ++k) {
    const double t = k * h, fade = std::exp(-0.5 * body.damping * t);
    const double q = a * (1 - fade * (std::cos(w * t) + 0.5 * body.damping / w * std::sin(w * t)));
    const double rate = a * fade * body.stiffness / w * std::sin(w * t);
    view.ax = a + body.gravity * q;
    for (int i = 0; i < 4; ++i) view.radius[i] = kRadius, view.w[i] = 0.8 * (30 + a * t) / kRadius;
    const Sensed<double> o = sense(half_track, body, s, view, true, easy, h);
    worst_force = std::max(worst_force, std::fabs(o.force - a));
    worst_load = std::max(worst_load, std::fabs(o.shifted - (q + body.lead * rate)));
    worst_speed = std::max(worst_speed, std::fabs(o.v - (30 + a * (t + h))));
  }
  std::printf("[ measured ] off by %.3f m/s^2, load %.3f m/s^2, speed %.4f m/s\n", worst_force, worst_load,
              worst_speed);
  EXPECT_LT(worst_force, 0.002 * 8);
  EXPECT_LT(worst_load, 0.03 * 8);
  EXPECT_LT(worst_speed, 0.02);  // 1.3 m/s without
}

struct Case {
  double mu, slope;
};
void expect_good(const Tire& tire, const Case& on) {
  const auto road = [&](Straight& c) {
    c.grip = tire.curve, c.slope = on.slope, c.roll = 0.5;
    c.control.hydraulics.enabled = true;
    std::fill(c.mu, c.mu + 4, on.mu);
  };
  const double best = 30 * 30 / (2 * (on.mu * kGravity * largest(tire.curve) - on.slope));
  const double x = stop([&](Straight&c) { road(c), c.control.abs.enabled = c.control.ebd.enabled = true; }).distance,
               locked = stop(road).distance;
  std::printf("[ measured ] %s, friction %.1f, slope %.1f m/s^2: %.1f m, best %.1f m (%.2f), locked %.1f m\n",
              tire.name, on.mu, on.slope, x, best, best / x, locked);
  EXPECT_GT(best / x, 0.85) << tire.name << " " << on.mu;
  EXPECT_LT(best / x, 1.01) << tire.name << " " << on.mu;
  if (tire.hard) {
    EXPECT_LT(x, locked) << tire.name << " " << on.mu;
  }
}

TEST(AbsSearch, FindsThePeakOfAnyTireOnAnyFriction) {
  for (const Tire& tire : kTires)
    for (const double mu : {1.0, 0.6, 0.3, 0.1}) expect_good(tire, {mu, 0});
}

// 15 %: the accelerometer does not tell it from less braking, the rolling wheels before the stop did.
TEST(AbsSearch, FindsItOnASlopeItWasNotToldOf) {
  for (const Tire& tire : kTires)
    for (const double slope : {1.455, -1.455}) expect_good(tire, {0.8, slope});
}

// The friction jumps under the car: 0.7 s later no wheel is near locking and 85 % of the friction are in use.
TEST(AbsSearch, FollowsJumpsOfTheFriction) {
  Straight car;
  car.control.abs.enabled = car.control.ebd.enabled = true;
  car.start(30);
  double low = 0, high = 0;
  for (const auto& [until, mu] : {std::pair{1.0, 1.0}, {2.0, 0.2}, {3.0, 1.0}}) {
    std::fill(car.mu, car.mu + 4, mu);
    const double from = car.t;
    while (car.t < until) {
      car.step(0, 1);
      if (car.t < from + 0.7) continue;
      (mu < 0.5 ? low : high) = -car.ax;
      for (const double s : car.slip) EXPECT_LT(s, 0.5) << car.t;
      EXPECT_GT(-car.ax, 0.85 * mu * kGravity) << car.t;
    }
  }
  EXPECT_GT(high, 4 * low);
}

// [T14.17]  Select low: when the stop begins, the rear wheels have the torque of the one with less grip, the front wheels
// a fifth of the full torque more at most; later the rear wheel with more grip may have half of what was allowed to grow.
TEST(AbsSides, TheWheelWithLessGripLeadsItsAxle) {
  Straight car;
  car.control.abs.enabled = true;
  car.start(25);
  Sensed<double> o{};
  o.v = 25;
  BrakeView<double> b{};
  for (int i = 0; i < 4; ++i) b.demand[i] = b.full[i / 2] = car.p.brake[i / 2];
  const auto shared = [&](double side, double yaw_rate) {
    AbsState<double> s = car.s.control.abs;
    s.limit = {1500, 300, 800, 200}, s.side = side;
    CarView<double> view = car.view();
    view.r = yaw_rate;
    share_sides(car.p.abs, o, view, b, 0.005, s);
    return s;
  };
  const double grown = 0.005 * car.control.abs.side_rate, full[2] = {b.full[0], b.full[1]};
  const AbsState<double> first = shared(0, 0), later = shared(0.4, 0), turning = shared(0.4, 2 * kYawCalm);
  EXPECT_DOUBLE_EQ(first.limit[2], 200 + 0.5 * grown * full[1]);
  EXPECT_EQ(first.limit[3], 200);
  EXPECT_DOUBLE_EQ(first.limit[0], 300 + (kFrontSide + grown) * full[0]);
  EXPECT_EQ(first.limit[1], 300);
  EXPECT_EQ(first.led[2], 1);
  EXPECT_EQ(first.led[3], 0);
  EXPECT_DOUBLE_EQ(later.limit[2], 200 + 0.5 * (0.4 + grown) * full[1]);
  EXPECT_LT(turning.side, 0.4);  // the car turns away: less again
}

}  // namespace
}  // namespace vdsim
