// SPDX-License-Identifier: Apache-2.0
// The preview driver on a bicycle with linear tires, integrated here by RK4.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <functional>
#include <type_traits>

#include "vdsim/study/preview_driver.hpp"

namespace vdsim {
namespace {

const double kPi = std::acos(-1.0);
using Points = std::vector<std::array<double, 2>>;

NominalCar sedan() {
  NominalCar c{};
  c.mass = 1500, c.yaw_inertia = 2500, c.a = 1.2, c.b = 1.5, c.wheelbase = 2.7;
  c.cornering_front = 80000, c.cornering_rear = 90000, c.max_steer = 0.5;
  c.understeer = c.mass / c.wheelbase * (c.b / c.cornering_front - c.a / c.cornering_rear);
  return c;
}

Path straight() { return Path({{0, 0}, {50, 0}, {100, 0}}, false); }
Path circle(double R, double side = 1) {
  Points p;
  for (int i = 0; i < 72; ++i)
    p.push_back({R * std::sin(2 * kPi * i / 72), side * (R - R * std::cos(2 * kPi * i / 72))});
  return Path(p, true);
}
Path lane_change(double shift, double length, double side = 1) {
  Points p;
  for (int i = 0; i <= 40; ++i) {
    const double u = std::clamp((i * 5 - 50) / length, 0.0, 1.0);
    p.push_back({i * 5.0, side * shift * u * u * u * (10 - 15 * u + 6 * u * u)});
  }
  return Path(p, false);
}

// State: x, y, psi, vy, r. Below 3 m/s it rolls without slip.
struct Plant {
  NominalCar car;
  double v;
  std::array<double, 5> s{};
  double steer = 0, t = 0;

  std::array<double, 5> rates(const std::array<double, 5>& q) const {
    const double m = car.mass, I = car.yaw_inertia, Ff = car.cornering_front * (steer - (q[3] + car.a * q[4]) / v),
                 Fr = -car.cornering_rear * (q[3] - car.b * q[4]) / v;
    return {v * std::cos(q[2]) - q[3] * std::sin(q[2]), v * std::sin(q[2]) + q[3] * std::cos(q[2]), q[4],
            (Ff + Fr) / m - v * q[4], (car.a * Ff - car.b * Fr) / I};
  }
  void step(double h) {
    t += h;
    if (std::abs(v) < 3) {
      s[4] = v * std::tan(steer) / car.wheelbase, s[3] = car.b * s[4];
      const double mid = s[2] + h / 2 * s[4];
      s[0] += h * (v * std::cos(mid) - s[3] * std::sin(mid));
      s[1] += h * (v * std::sin(mid) + s[3] * std::cos(mid));
      s[2] += h * s[4];
      return;
    }
    const auto plus = [](const std::array<double, 5>& a, const std::array<double, 5>& b, double w) {
      std::array<double, 5> o;
      for (std::size_t i = 0; i < 5; ++i) o[i] = a[i] + w * b[i];
      return o;
    };
    const auto k1 = rates(s), k2 = rates(plus(s, k1, h / 2)), k3 = rates(plus(s, k2, h / 2)),
               k4 = rates(plus(s, k3, h));
    for (std::size_t i = 0; i < 5; ++i) s[i] += h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
  }
  CommandView view() const {
    CommandView o;
    o.t = t, o.vx = v, o.vy = s[3], o.r = s[4], o.psi = s[2], o.x = s[0], o.y = s[1], o.steer = steer;
    return o;
  }
};

// Drives, and tells each step (time, signed offset from the path, steer).
struct Drive {
  Path path;
  NominalCar nominal;
  HumanSpec human;
  Plant plant;
  double h = 1e-3;
  PreviewMemory memory{};
  long k = 0;

  double offset() const {
    const PathPoint p = path.at(path.nearest(plant.s[0], plant.s[1], memory.station));
    return std::cos(p.heading) * (plant.s[1] - p.y) - std::sin(p.heading) * (plant.s[0] - p.x);
  }
  void run(double duration, const std::function<void(double, double)>& tell = {}) {
    for (const double end = plant.t + duration - h / 2; plant.t < end; ++k) {
      plant.steer = preview_steer(path, nominal, human, memory, k ? h : 0, plant.view());
      if (tell) tell(plant.t, offset());
      plant.step(h);
    }
  }
};
Drive drive(Path path, double v, HumanSpec human = {}, double h = 1e-3) {
  return {std::move(path), sedan(), human, {sedan(), v, {}, 0, 0}, h};
}
HumanSpec slow_human(double preview = 1) {
  HumanSpec h;
  h.preview = preview, h.delay = 0.2, h.bandwidth = 3, h.steer_rate = 1;
  return h;
}

// ------------------------------------------------------------------------------------------------ the law

// A car on rails (stiff tires): a unit of steer moves it by G = v^2 t^2/(2 L) + v b t/L, so an offset e is answered by
// -e int(w G)/int(w G^2), w = (1 - t/T)^2. Integrals of x^n (1 - x)^2 are 2/((n + 1)(n + 2)(n + 3)). Tolerance: 24
// points instead of the integral.
TEST(PreviewDriver, OffsetIsAnsweredByTheLeastSquares) {
  NominalCar c = sedan();
  c.cornering_front = 1e9, c.cornering_rear = 1e9, c.understeer = 0;
  for (const double v : {7.0, 12.0, 20.0})
    for (const double T : {0.8, 1.5}) {
      const auto moment = [](int n) { return 2.0 / ((n + 1) * (n + 2) * (n + 3)); };
      const double p = v * v * T * T / (2 * c.wheelbase), q = v * c.b * T / c.wheelbase;  // G = p x^2 + q x
      const double G1 = p * moment(2) + q * moment(1);
      const double G2 = p * p * moment(4) + 2 * p * q * moment(3) + q * q * moment(2);
      HumanSpec h;
      h.preview = T;
      PreviewMemory m;
      CommandView view;
      view.vx = v, view.x = 10, view.y = 0.1;
      EXPECT_NEAR(preview_steer(straight(), c, h, m, 0, view) / (-0.1 * G1 / G2), 1, 0.01) << v << " " << T;
    }
}

// In the steady turn of a linear car the angle is that of the turn, at once: the preview has no bias. Tolerance: the
// spline of the circle, and the sine of the car's small slip.
TEST(PreviewDriver, SteadyTurnIsItsOwnAnswer) {
  const NominalCar c = sedan();
  for (const double v : {1.0, 8.0, 15.0, 30.0})
    for (const double side : {1.0, -1.0}) {
      const double R = std::max(v * v / 3, 15.0), k = side / R,
                   slip = (c.b - c.mass * c.a * v * v / (c.wheelbase * c.cornering_rear)) * k;
      CommandView view;
      view.vx = v, view.vy = v * slip, view.r = v * k, view.psi = -slip;
      view.steer = steer_for_curvature(c, k, v);
      PreviewMemory m;
      EXPECT_NEAR(preview_steer(circle(R, side), c, {}, m, 0, view) / view.steer, 1, 2e-3) << v << " " << side;
    }
}

TEST(PreviewDriver, OffsetDecaysWithoutMuchOvershoot) {
  for (const double v : {2.0, 5.0, 10.0, 20.0}) {
    Drive d = drive(straight(), v, {}, 2e-3);
    d.plant.s[1] = 1;
    double least = 1, last = 1;
    d.run(12, [&](double, double e) { least = std::min(least, last = e); });
    EXPECT_GT(least, -0.1) << v;
    EXPECT_LT(std::abs(last), 0.01) << v;
  }
}

TEST(PreviewDriver, CircleIsTrackedToTwoCentimetres) {
  for (const double v : {1.5, 5.0, 15.0, 35.0})
    for (const double side : {1.0, -1.0}) {
      Drive d = drive(circle(std::max(12.0, v * v / 5), side), v, {}, 4e-3);
      d.run(15);
      double worst = 0;
      d.run(2, [&](double, double e) { worst = std::max(worst, std::abs(e)); });
      EXPECT_LT(worst, 0.02) << v << " " << side;
    }
}

// The driver believes in front tires a quarter stiffer than they are. Without learning he runs 0.13 m wide.
TEST(PreviewDriver, LearnsTheCar) {
  Drive d = drive(circle(80), 20, {}, 4e-3);
  d.plant.car.cornering_front *= 0.8;
  d.run(20);
  EXPECT_LT(std::abs(d.offset()), 0.02);
  EXPECT_GT(std::abs(d.memory.trim), 0.005);
}

TEST(PreviewDriver, LaneChangeIsFollowed) {
  for (const double v : {5.0, 15.0, 30.0}) {
    Drive d = drive(lane_change(3, std::max(25.0, 2 * v)), v, {}, 2e-3);
    double worst = 0;
    d.run(170 / v, [&](double, double e) { worst = std::max(worst, std::abs(e)); });
    EXPECT_LT(worst, 0.05) << v;
  }
}

// The path ends at 200 m, 3 m to the left: he goes straight on.
TEST(PreviewDriver, GoesStraightOnAtTheEnd) {
  Drive d = drive(lane_change(3, 100), 20, {}, 4e-3);
  d.run(20);
  EXPECT_GT(d.plant.s[0], 390);
  EXPECT_NEAR(d.plant.s[1], 3, 0.01);
  EXPECT_NEAR(d.plant.s[2], 0, 1e-3);
}

TEST(PreviewDriver, StandsStillWithoutLearning) {
  PreviewMemory m;
  CommandView view;
  view.x = 10, view.y = 0.2;
  double steer = 0;
  for (int i = 0; i < 500; ++i) steer = preview_steer(straight(), sedan(), {}, m, i ? 1e-3 : 0, view);
  EXPECT_EQ(m.trim, 0);
  EXPECT_LT(steer, -0.01);  // to the right, and finite
  EXPECT_GT(steer, -0.5);
}

// Above its critical speed an oversteering car is unstable by itself.
TEST(PreviewDriver, HoldsAnOversteeringCar) {
  NominalCar c = sedan();
  c.cornering_rear = 55000;
  c.understeer = c.mass / c.wheelbase * (c.b / c.cornering_front - c.a / c.cornering_rear);
  const double critical = std::sqrt(-c.wheelbase / c.understeer);
  for (const double v : {0.999 * critical, critical, 1.2 * critical}) {
    Drive d{straight(), c, {}, {c, v, {}, 0, 0}, 2e-3};
    d.plant.s[1] = 0.5;
    d.run(12);
    EXPECT_LT(std::abs(d.offset()), 0.02) << v;
  }
}

// Parking: the car points against the path and backs along it, its rear axle on the path.
TEST(PreviewDriver, BacksAlongAPath) {
  for (const Path& path : {straight(), circle(8)}) {
    Drive d = drive(path, -1.5, {}, 4e-3);
    d.plant.s = {10, 0.5, kPi, 0, 0};
    if (path.closed()) d.plant.s = {0, 0.3, kPi, 0, 0};
    d.run(20);
    const NominalCar c = sedan();
    const double x = d.plant.s[0] - c.b * std::cos(d.plant.s[2]), y = d.plant.s[1] - c.b * std::sin(d.plant.s[2]);
    const PathPoint p = path.at(path.nearest(x, y));
    EXPECT_LT(std::hypot(x - p.x, y - p.y), 0.02);
    EXPECT_NEAR(std::cos(d.plant.s[2] - p.heading), -1, 1e-3);
    EXPECT_TRUE(path.closed() || d.plant.s[0] > 35);
  }
}

TEST(PreviewDriver, MirrorSymmetric) {
  Drive left = drive(lane_change(3, 40, 1), 20, slow_human()), right = drive(lane_change(3, 40, -1), 20, slow_human());
  for (int i = 0; i < 60; ++i) {
    left.run(0.1), right.run(0.1);
    ASSERT_EQ(left.plant.steer, -right.plant.steer) << i;
    ASSERT_EQ(left.plant.s[1], -right.plant.s[1]) << i;
  }
}

// ------------------------------------------------------------------------------------------------ the human

TEST(PreviewDriver, SlowHumanIsStable) {
  for (const double preview : {0.8, 1.0, 2.0}) {
    Drive d = drive(straight(), 30, slow_human(preview), 2e-3);
    d.plant.s[1] = 0.5;
    d.run(14);
    double worst = 0;
    d.run(2, [&](double, double e) { worst = std::max(worst, std::abs(e)); });
    EXPECT_LT(worst, 0.01) << preview;
  }
}

// He reckons with what his hands still do: without it half a second of delay is unstable.
TEST(PreviewDriver, LongDelayIsReckonedWith) {
  HumanSpec h;
  h.delay = 0.5;
  Drive d = drive(straight(), 25, h, 2e-3);
  d.plant.s[1] = 0.5;
  d.run(12);
  EXPECT_LT(std::abs(d.offset()), 0.02);
}

// A demand that does not change: far off the path the front wheels are turned by the slip they bear, 0.12 rad.
double far_off(const HumanSpec& h, PreviewMemory& m, double done, double side = 1) {
  CommandView view;
  view.vx = 20, view.y = 50 * side;
  return preview_steer(straight(), sedan(), h, m, done, view);
}

TEST(PreviewDriver, DelayIsADelay) {
  for (const double step : {1e-3, 2.5e-3, 7e-3}) {
    HumanSpec h;
    h.delay = 0.1;
    PreviewMemory m;
    for (double t = 0; t < 0.5; t += step) {
      const double steer = far_off(h, m, t > 0 ? step : 0);
      if (t > 0.1 - 1e-9 && t < 0.1 + m.kSample + step) continue;
      EXPECT_NEAR(steer, t < 0.1 ? 0 : -0.12, 1e-12) << step << " " << t;
    }
  }
}

// Step response of a second-order Butterworth filter: half the power comes through at its bandwidth. The step of the
// demand is a ramp over the first time step, in the mean half a step late.
TEST(PreviewDriver, MuscleIsASecondOrderLag) {
  for (const double step : {1e-3, 4e-3}) {
    HumanSpec h;
    h.bandwidth = 3;
    PreviewMemory m;
    far_off(h, m, 0);
    const double s = 2 * kPi * h.bandwidth / std::sqrt(2.0);
    for (int i = 1; i * step < 0.6; ++i) {
      const double steer = far_off(h, m, step), t = (i - 0.5) * step;
      EXPECT_NEAR(steer / -0.12, 1 - std::exp(-s * t) * (std::cos(s * t) + std::sin(s * t)), s * s * step * step) << t;
    }
  }
}

TEST(PreviewDriver, HandIsNotFasterThanItCan) {
  HumanSpec h;
  h.steer_rate = 0.4;
  PreviewMemory left, right;
  for (int i = 0; i < 400; ++i) {
    EXPECT_NEAR(far_off(h, left, i ? 1e-3 : 0), -std::min(0.12, 0.4 * i * 1e-3), 1e-12) << i;
    EXPECT_NEAR(far_off(h, right, i ? 1e-3 : 0, -1), std::min(0.12, 0.4 * i * 1e-3), 1e-12) << i;
  }
}

TEST(PreviewDriver, DoesNotDependOnTheStep) {
  const auto steers = [](double step) {
    HumanSpec h = slow_human();
    h.noise = 2e-3;
    Drive d = drive(lane_change(3, 50), 20, h, step);
    std::vector<double> out;
    for (int i = 0; i < 50; ++i) d.run(0.1), out.push_back(d.plant.steer);
    return out;
  };
  const auto apart = [](const std::vector<double>& a, const std::vector<double>& b) {
    double worst = 0;
    for (std::size_t i = 0; i < a.size(); ++i) worst = std::max(worst, std::abs(a[i] - b[i]));
    return worst;
  };
  const auto a = steers(4e-3), b = steers(2e-3), c = steers(1e-3);
  EXPECT_LT(apart(a, b), 2e-3);               // of 0.06 rad
  EXPECT_LT(apart(b, c), 0.7 * apart(a, b));  // first order
}

static_assert(std::is_trivially_copyable_v<PreviewMemory> && sizeof(PreviewMemory) % sizeof(double) == 0);

TEST(PreviewDriver, MemoryIsTheWholeState) {
  HumanSpec h = slow_human();
  h.noise = 3e-3;
  Drive a = drive(lane_change(3, 50), 20, h);
  a.run(2.3456);
  Drive b = drive(lane_change(3, 50), 20, h);
  std::memcpy(&b.memory, &a.memory, sizeof a.memory);
  b.plant = a.plant, b.k = a.k;
  a.run(2), b.run(2);
  EXPECT_EQ(std::memcmp(&a.memory, &b.memory, sizeof a.memory), 0);
  EXPECT_EQ(a.plant.s, b.plant.s);
}

// ------------------------------------------------------------------------------------------------ noise

// 20000 knots: the variance is known to 1 %, the correlation to 0.7 %; four times that. At the knots, between them, and
// over all.
TEST(HandNoise, HasVarianceOneAtAnyTime) {
  const int n = 20000;
  for (const double shift : {0.0, 0.05, 0.11}) {
    double sum = 0, squares = 0, other = 0;
    for (int i = 0; i < n; ++i) {
      const double x = hand_noise(1, 0.15 * i + shift);
      sum += x, squares += x * x, other += x * hand_noise(2, 0.15 * i + shift);
    }
    EXPECT_NEAR(sum / n, 0, 4 * 1.4 / std::sqrt(n)) << shift;
    EXPECT_NEAR(squares / n, 1, 4 * std::sqrt(2.0 * 2 / n)) << shift;
    EXPECT_NEAR(other / n, 0, 4 * 1.4 / std::sqrt(n)) << shift;  // another seed, another hand
  }
}

// Smooth: it rests at its knots, every 0.15 s, and changes little over 1 ms between; white noise would jump by 1.4.
TEST(HandNoise, IsBandLimited) {
  double worst = 0;
  for (int i = 0; i < 20000; ++i)
    worst = std::max(worst, std::abs(hand_noise(3, i * 1e-3 + 1e-3) - hand_noise(3, i * 1e-3)));
  EXPECT_LT(worst, 0.1);
  for (int i = 1; i < 100; ++i) EXPECT_NEAR(hand_noise(3, 0.15 * i + 1e-4), hand_noise(3, 0.15 * i - 1e-4), 2e-5) << i;
}

// On the path, straight ahead, the hand is the noise alone: the same at any step, of the RMS asked for.
TEST(HandNoise, IsTheSameAtAnyStep) {
  HumanSpec h;
  h.noise = 0.01, h.seed = 7;
  for (const double step : {1e-3, 5e-3}) {
    PreviewMemory m;
    CommandView view;
    view.vx = 20, view.x = 10;
    for (int i = 0; i * step < 1; ++i) {
      const double steer = preview_steer(straight(), sedan(), h, m, i ? step : 0, view);
      EXPECT_NEAR(steer, 0.01 * hand_noise(7, i * step), 1e-12);
    }
  }
}

}  // namespace
}  // namespace vdsim
