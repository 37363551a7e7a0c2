// Anti-lock brakes find the peak of a tire that they do not know. A car whose four wheels have one slip s on one friction
// slows by mu g c(s) whatever its loads, so the best stop at constant slip is v^2/(2 (mu g c_max - slope)), from the first
// instant on and without the time in which pressure builds.
#include <gtest/gtest.h>

#include "unit/straight_car.hpp"

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

}  // namespace
}  // namespace vdsim
