// SPDX-License-Identifier: Apache-2.0
// Brake hydraulics in closed form, and anti-lock brakes, traction and yaw control on small cars.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "tests/unit/straight_car.hpp"

namespace vdsim {
namespace {

using namespace straight;

// ------------------------------------------------------------------------------------------ hydraulics

struct Command {
  double p0, c0, c1;
};
constexpr Command kCommands[] = {{0, 0, 0},      {0, 1, 1},     {0, 10, 10},  {10, 0, 0},  {3, 3, 3},      {0, 0, 0.3},
                                 {0, 0, 5},      {5, 5, 0},     {5, 5, 4.9},  {2, 2.1, 8}, {2, 2.05, 1.9}, {6, 5.8, 0},
                                 {1, 1.2, -0.2}, {4, 3.3, 4.4}, {0, 20, -15}, {8, -12, 25}};
constexpr LineParams<double> kLine{0.02, 30, 80};

TEST(BrakeLine, LagAloneIsTheExponential) {
  const LineParams<double> p{0.02, 1e9, 1e9};
  for (const Command& c : kCommands)
    for (const double h : {1e-3, 1e-2, 0.1}) {
      double torque = c.p0, out[3];
      line_step(p, torque, c.c0, c.c1, h, out);
      const double rate = (c.c1 - c.c0) / h;
      for (int k = 0; k < 3; ++k) {
        const double t = 0.5 * h * k;
        EXPECT_NEAR(out[k], c.c0 + rate * (t - 0.02) + (c.p0 - c.c0 + rate * 0.02) * std::exp(-t / 0.02), 1e-11);
      }
    }
}

TEST(BrakeLine, FarFromItsCommandItMovesAtItsLimits) {
  double torque = 0, out[3];
  line_step(kLine, torque, 100.0, 100.0, 0.01, out);
  EXPECT_NEAR(out[1], 0.15, 1e-12);
  EXPECT_NEAR(out[2], 0.3, 1e-12);
  torque = 50;
  line_step(kLine, torque, 0.0, 0.0, 0.01, out);
  EXPECT_NEAR(out[1], 49.6, 1e-12);
  EXPECT_NEAR(torque, 49.2, 1e-12);
}

// Through every range and every edge between them: thousands of small steps of the definition agree.
TEST(BrakeLine, EveryPassThroughTheLimitsIsExact) {
  for (const Command& c : kCommands)
    for (const double h : {5e-3, 0.05, 0.4}) {
      double torque = c.p0, out[3];
      line_step(kLine, torque, c.c0, c.c1, h, out);
      const int n = 4000;
      double p = c.p0, middle = 0;
      for (int k = 0; k < n; ++k) {
        const auto rate = [&](double x, double t) {
          return std::clamp((c.c0 + (c.c1 - c.c0) * t / h - x) / 0.02, -80.0, 30.0);
        };
        const double dt = h / n, t = k * dt, k1 = rate(p, t), k2 = rate(p + dt / 2 * k1, t + dt / 2),
                     k3 = rate(p + dt / 2 * k2, t + dt / 2), k4 = rate(p + dt * k3, t + dt);
        p += dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
        if (k + 1 == n / 2) middle = p;
      }
      // the reference is second order where it crosses an edge: (h/n)^2 times the jump 1/tau of the rate
      EXPECT_NEAR(out[1], middle, 2e-6 * (h / 0.05) * (h / 0.05) + 1e-9) << c.p0 << c.c0 << c.c1 << " " << h;
      EXPECT_NEAR(out[2], p, 2e-6 * (h / 0.05) * (h / 0.05) + 1e-9) << c.p0 << c.c0 << c.c1 << " " << h;
    }
}

TEST(BrakeLine, OneStepIsTwoHalfSteps) {
  for (const Command& c : kCommands) {
    double once = c.p0, twice = c.p0, out[3], half[3];
    line_step(kLine, once, c.c0, c.c1, 0.06, out);
    const double cm = 0.5 * (c.c0 + c.c1);
    line_step(kLine, twice, c.c0, cm, 0.03, half);
    EXPECT_NEAR(half[2], out[1], 1e-11);
    line_step(kLine, twice, cm, c.c1, 0.03, half);
    EXPECT_NEAR(twice, once, 1e-11);
  }
}

TEST(BrakeLine, HeldCommandHoldsToTheBit) {
  double torque = 1234.5678901, out[3];
  for (int k = 0; k < 1000; ++k) line_step(kLine, torque, torque, torque, 1e-3, out);
  EXPECT_EQ(torque, 1234.5678901);
}

TEST(Abs, KeepsTheSlipNearThePeakAndStopsShorterThanLocked) {
  for (const double mu : {1.0, 0.6, 0.3}) {
    const auto road = [&](Straight& c) { std::fill(c.mu, c.mu + 4, mu); };
    const Stop locked = stop(road);
    const Stop abs = stop([&](Straight& c) { road(c), c.control.abs.enabled = true; });
    EXPECT_GT(locked.mean[0], 0.9);
    EXPECT_LT(abs.distance, 0.93 * locked.distance) << mu;
    EXPECT_GT(abs.distance, 0.99 * 30 * 30 / (2 * mu * kGravity))
        << mu;  // nothing stops shorter than the friction allows
    EXPECT_LT(abs.distance, 1.15 * 30 * 30 / (2 * mu * kGravity)) << mu;
    EXPECT_EQ(abs.locked, 0) << mu;
    for (int i = 0; i < 4; ++i) {
      EXPECT_GT(abs.mean[i], 0.07) << mu << " " << i;
      EXPECT_LT(abs.mean[i], 0.2) << mu << " " << i;
      EXPECT_LT(abs.deepest[i], 0.5) << mu << " " << i;
    }
  }
}

// Sensor and wheels tell the speed through a whole stop, all of them slipping. Allowed: what the 20 ms of the pitching
// body hide of the first change of acceleration, 0.02 s x 10 m/s^2, and the 3 % that a wheel may still slip when it is
// taken for rolling.
TEST(Abs, ReferenceSpeedFollowsTheCarWithoutKnowingIt) {
  for (const double mu : {1.0, 0.3}) {
    Straight car;
    std::fill(car.mu, car.mu + 4, mu);
    car.control.abs.enabled = true;
    car.start(30);
    double worst = 0;
    while (car.v > 5) {
      car.step(0, 1);
      worst = std::max(worst, std::abs(car.s.control.speed.v - car.v) - 0.03 * car.v);
    }
    EXPECT_LT(worst, 0.2) << mu;
  }
}

TEST(Abs, BrakesEvenWithASensorThatIsOff) {
  for (const double bias : {-1.5, 1.5}) {  // a slope that the unit does not know of
    const Stop off = stop([&](Straight& c) { c.control.abs.enabled = true, c.bias = bias; });
    EXPECT_LT(off.distance, 75) << bias;  // degraded, but never without brakes: ideal is 46 m
  }
}

// In a turn the wheels roll at speeds of their own; moved to the CG they agree, forwards and backwards.
TEST(Abs, ATurnIsNotSlip) {
  ControlSpec spec;
  ChassisSpec chassis;
  chassis.track_front = 1.5, chassis.track_rear = 1.6;
  const AbsParams<double> p = compile_abs(spec, chassis);
  const bool easy[4] = {};
  for (const double v : {20.0, -20.0})
    for (const mask_t<double> braked : {true, false}) {
      CarView<double> view{};
      view.r = 0.5;
      for (int i = 0; i < 4; ++i) {
        const double y = (i < 2 ? 0.75 : 0.8) * (i % 2 == 0 ? 1 : -1);
        view.radius[i] = kRadius, view.w[i] = (v - view.r * y) / kRadius;
      }
      SpeedState<double> s{20, 0, 0, 0, 0, {20, 20, 20, 20}};
      const Sensed<double> o = sense(p.half_track, p.dive, s, view, braked, easy, 0.005);
      EXPECT_NEAR(o.v, 20, 1e-12);
      for (const double slip : o.slip) EXPECT_NEAR(slip, 0, 1e-12);
      for (const double gain : o.gain) EXPECT_NEAR(gain, 0, 1e-10);
    }
}

TEST(Ebd, HoldsAtTheDifferenceAndReleasesAtTwice) {
  ControlSpec spec;
  const AbsParams<double> p = compile_abs(spec, ChassisSpec{});
  const double d = spec.ebd.slip_difference;
  Sensed<double> o{};
  o.v = 20;
  o.slip[0] = 0.02, o.slip[1] = 0.04;  // mean 0.03
  for (const auto& [more, valve] : {std::pair{0.9, 2.0}, {1.1, 0.0}, {1.9, 0.0}, {2.1, -1.0}}) {
    o.slip[2] = o.slip[3] = 0.03 + more * d;
    EXPECT_EQ(ebd_valve(p, o, 2), valve) << more;
    EXPECT_EQ(ebd_valve(p, o, 3), valve) << more;
    EXPECT_EQ(ebd_valve(p, o, 0), 2);
  }
  o.v = 1;
  EXPECT_EQ(ebd_valve(p, o, 2), 2);
}

TEST(Abs, ALimitedBrakeKeepsItsTorqueButNeverMoreThanThePedalAsks) {
  Straight car;
  car.control.abs.enabled = true;
  car.start(20);
  ControlState<double> s = car.s.control;
  s.limit[1] = 500;
  double torque = 500, cap[3];
  const double more[3] = {900, 950, 1000}, less[3] = {300, 300, 300};
  brake_wheel(car.kind, car.p, s, 1, more, 1e-3, torque, cap);
  EXPECT_EQ(torque, 500);
  for (int k = 0; k < 200; ++k) brake_wheel(car.kind, car.p, s, 1, less, 1e-3, torque, cap);
  EXPECT_NEAR(torque, 300, 0.1);
}

TEST(Abs, LetsThePedalThroughWhenNothingSlips) {
  Straight car, plain;
  car.control.abs.enabled = true;
  plain.control.hydraulics.enabled = true;
  car.start(30);
  plain.start(30);
  while (car.t < 2) car.step(0, 0.2), plain.step(0, 0.2);
  EXPECT_EQ(car.v, plain.v);  // to the bit
}

TEST(Abs, IsOffBelowItsSpeedSoThatTheCarStands) {
  Straight car;
  car.control.abs.enabled = true;
  car.start(10);
  while (car.t < 4) car.step(0, 1);
  for (int i = 0; i < 4; ++i) {
    EXPECT_NEAR(car.w[i], 0, 1e-12);
    EXPECT_NEAR(car.out[2].cap[i], car.p.brake[i / 2], 1e-9 * 9000);
  }
}

TEST(Abs, ReleasedPedalReleasesTheBrakesAlsoWhileHolding) {
  Straight car;
  std::fill(car.mu, car.mu + 4, 0.3);
  car.control.abs.enabled = true;
  car.start(30);
  while (car.t < 1) car.step(0, 1);
  while (car.t < 1.3) car.step(0, 0);
  for (const double torque : car.s.brake) EXPECT_LT(torque, 1e-3 * 9000);
}

TEST(Abs, StopsShorterOnSplitFrictionToo) {
  const auto road = [](Straight& c) { c.mu[0] = c.mu[2] = 0.2; };
  const Stop locked = stop(road), abs = stop([&](Straight&c) { road(c), c.control.abs.enabled = true; });
  EXPECT_LT(abs.distance, 0.95 * locked.distance);
  EXPECT_EQ(abs.locked, 0);
}

TEST(Ebd, KeepsTheRearWheelsFromSlippingMore) {
  const auto set = [](Straight& c) { c.brake = {6500, 0.45, 0}; };  // far too much at the rear
  const Stop without = stop([&](Straight& c) { set(c), c.control.hydraulics.enabled = true; }, 30, 0.75);
  const Stop with = stop([&](Straight& c) { set(c), c.control.ebd.enabled = true; }, 30, 0.75);
  EXPECT_GT(without.mean[2], 0.9);  // rear axle locks first: the car would spin
  EXPECT_LT(with.mean[2] - with.mean[0], 0.03);
  EXPECT_LT(with.deepest[2], 0.3);
}

// ------------------------------------------------------------------------------------------- traction

struct Pull {
  double v, worst, slip;  // speed at the end, deepest drive slip after 1 s above 2 m/s, mean of it
};
Pull pull(bool tc, double left, double right) {
  Straight car;
  car.mu[0] = car.mu[2] = left;
  car.mu[1] = car.mu[3] = right;
  car.control.tc.enabled = tc;
  car.start(0.5);
  Pull r{};
  int n = 0;
  while (car.t < 4) {
    car.step(1, 0);
    if (car.t < 1 || car.v < 2) continue;
    const double worst = std::max(kRadius * car.w[2], kRadius * car.w[3]) / car.v - 1;
    r.worst = std::max(r.worst, worst);
    r.slip += worst;
    ++n;
  }
  r.slip /= std::max(n, 1);
  r.v = car.v;
  return r;
}
TEST(Traction, HoldsTheDriveSlipOnIceAndGainsSpeed) {
  const Pull without = pull(false, 0.25, 0.25), with = pull(true, 0.25, 0.25);
  EXPECT_GT(without.slip, 1);
  EXPECT_LT(with.slip, 0.2);
  EXPECT_GT(with.slip, 0.03);
  EXPECT_GT(with.v, 1.1 * without.v);
}
TEST(Traction, BrakesTheSpinningWheelOfAnOpenAxle) {
  const Pull without = pull(false, 0.1, 1), with = pull(true, 0.1, 1);
  EXPECT_GT(without.slip, 2);
  EXPECT_LT(with.slip, 0.5 * without.slip);
  EXPECT_GT(with.v, 1.1 * without.v);
}
TEST(Traction, LeavesTheThrottleAloneOnDryRoad) {
  Straight car;
  car.control.tc.enabled = true;
  car.start(5);
  while (car.t < 3) {
    car.step(0.6, 0);
    EXPECT_EQ(car.s.control.throttle, 1) << car.t;
  }
}

// ----------------------------------------------------------------------------------------- yaw control

const YawParams<double> kYaw = compile_yaw({}, 2.7, 1.5);

TEST(YawReference, IsTheLinearBicycleWithinFriction) {
  EXPECT_DOUBLE_EQ(yaw_reference(kYaw, 20.0, 0.02, 4.0, 8.5), 20 * 0.02 / (2.7 + 0.001 * 400));
  EXPECT_DOUBLE_EQ(yaw_reference(kYaw, 30.0, 0.3, 9.0, 8.5), 8.5 / 30);    // what the car has shown to have
  EXPECT_DOUBLE_EQ(yaw_reference(kYaw, 30.0, -0.3, 1.0, 8.5), -3.5 / 30);  // on ice: what is measured, and the margin
}

RearAxle<double> rear_axle(double slip, double rate, double lateral) { return {slip, rate, lateral, 0, 0, 0, 8.5}; }
// One sample of the rear axle at 20 m/s.
constexpr double kSpeed = 20;  // [m/s]
void watch(RearAxle<double>& s, double ay, double r, double r_ref = 0, double dt = 0.005) {
  Sensed<double> o{};
  o.v = kSpeed;
  CarView<double> view{};
  view.ay = ay, view.r = r;
  watch_rear(kYaw, o, view, r_ref, dt, s);
}

TEST(YawControl, BrakesTheWheelThatTurnsTheCarBack) {
  const double v = 20;
  for (const double side : {1.0, -1.0}) {  // left turn, right turn
    const int outer_front = side > 0 ? 1 : 0, inner_rear = side > 0 ? 2 : 3;
    const YawAction<double> over = yaw_action(kYaw, v, side * 0.3, side * 0.38, rear_axle(0, 0, 0));
    const YawAction<double> under = yaw_action(kYaw, v, side * 0.5, side * 0.1, rear_axle(0, 0, 0));
    for (int i = 0; i < 4; ++i) {
      EXPECT_EQ(over.brake[i] > 0, i == outer_front);
      EXPECT_EQ(under.brake[i] > 0, i == inner_rear);
    }
    EXPECT_NEAR(over.brake[outer_front], kYaw.gain * (0.08 - kYaw.oversteer), 1e-12);
    const double least = 0.5 * (2.7 + kYaw.K * v * v) / (2.7 + kYaw.K_under * v * v);
    EXPECT_NEAR(under.brake[inner_rear], kYaw.gain * (least - 0.1 - kYaw.understeer), 1e-12);
    EXPECT_LT(over.throttle, 1);
    // a rear axle at the end of what it may slip gets no brake
    const double end = slip_allowed(kYaw, v, 0.0);
    EXPECT_EQ(yaw_action(kYaw, v, side * 0.5, side * 0.1, rear_axle(-side * end, 0, 0)).brake[inner_rear], 0);
  }
  const YawAction<double> calm = yaw_action(kYaw, v, 0.3, 0.32, rear_axle(-0.03, 0, 5));
  for (const double each : calm.brake) EXPECT_EQ(each, 0);
  EXPECT_EQ(calm.throttle, 1);
}

TEST(YawControl, BrakesTheSideTheRearAxleSlidesTo) {
  YawParams<double> p = kYaw;
  p.slip_allowed = 0.005, p.slip_per_lateral = 0.006, p.slip_gain = 20, p.slip_lead = 0.1;
  for (const double side : {1.0, -1.0}) {  // left turn: the rear slides to the right, s < 0
    const YawAction<double> a =
        yaw_action(p, 40.0, side * 0.3, side * 0.3, rear_axle(-side * 0.03, -side * 0.1, side * 3.0));
    EXPECT_NEAR(a.brake[side > 0 ? 1 : 0], 20 * (0.03 + 0.1 * 0.1 - 0.005 - 0.006 * 3), 1e-12);
    for (const int i : {side > 0 ? 0 : 1, 2, 3}) EXPECT_EQ(a.brake[i], 0);
    EXPECT_LT(a.throttle, 1);
  }
}

// A steady turn on tires that do not slide, f = v r, shows the slip that their force explains, -c f, and nothing else.
TEST(RearAxle, SteadyTurnHasTheSlipOfItsForce) {
  RearAxle<double> s = rear_axle(0, 0, 0);
  for (int i = 0; i < 4000; ++i) watch(s, 4, 0.2);
  EXPECT_NEAR(s.slip, -kYaw.slip_per_lateral * 4, 1e-9);
}

// The rear axle breaks away: its lateral acceleration stays at f0 < v r while the car turns on. Beside the force of its
// tires, s + c f0 = (f0/v - r) tau (1 - exp(-t/tau)); the steps are 5 ms, so 0.5 % of it after 0.5 s.
TEST(RearAxle, SlideIsTheSumOfItsRateForgottenSlowly) {
  const double v = 20, f0 = 4, r = 0.5, tau = kYaw.slip_fade, c = kYaw.slip_per_lateral;
  RearAxle<double> s = rear_axle(-c * f0, 0, f0);
  s.r = r;  // turns steadily: no yaw acceleration
  for (int i = 0; i < 100; ++i) watch(s, f0, r);
  const double slid = (f0 / v - r) * tau * (1 - std::exp(-0.5 / tau));
  EXPECT_NEAR(s.slip + c * f0, slid, 5e-3 * std::abs(slid));
}

// A car that turns in about its front axle: a_y = 0 at the CG, the rear axle swings out by b r' to the right.
TEST(RearAxle, YawAccelerationMovesTheAxle) {
  RearAxle<double> s = rear_axle(0, 0, 0);
  for (int i = 0; i < 40; ++i) watch(s, 0, 0.005 * (i + 1) * 2);
  EXPECT_NEAR(s.turn, 2, 1e-3);
  EXPECT_NEAR(s.lateral, -kYaw.b * 2, 2e-3);
}

// A straight road that is banked by 5 %: the sensor reads 0.49 m/s^2 and the car does not turn. Learned, it is no slide; on
// the way there the slip stays below what is allowed.
TEST(RearAxle, BankOfTheRoadIsNoSlide) {
  RearAxle<double> s = rear_axle(0, 0, 0);
  for (int i = 0; i < 2000; ++i) {
    watch(s, 0.05 * kGravity, 0, 0.01);
    EXPECT_LT(std::abs(s.slip), slip_allowed(kYaw, kSpeed, s.lateral) + 0.005) << i;
  }
  EXPECT_NEAR(s.bank, 0.05 * kGravity, 1e-3);
  EXPECT_NEAR(s.slip, 0, 1e-3);
}

// [T14.13]
TEST(RearAxle, MarginOfTheSlipAngleIsOneOfVelocityInASlowCar) {
  EXPECT_DOUBLE_EQ(slip_allowed(kYaw, 5.0, 0.0) * 5, kYaw.slip_allowed * 80 / 3.6);
  EXPECT_DOUBLE_EQ(slip_allowed(kYaw, 20.0, 0.0) * 20, kYaw.slip_allowed * 80 / 3.6);
  EXPECT_DOUBLE_EQ(slip_allowed(kYaw, 40.0, 0.0), kYaw.slip_allowed);
  EXPECT_DOUBLE_EQ(slip_allowed(kYaw, 40.0, -2.0), kYaw.slip_allowed + 2 * kYaw.slip_per_lateral);
}

TEST(RearAxle, GripIsWhatTheCarHadWhenItBeganToSlide) {
  const auto grip = [](double before, double slip, double ay, double dt) {
    RearAxle<double> s = rear_axle(slip, 0, ay);
    s.grip = before, s.r = ay / 20;  // steady
    watch(s, ay, ay / 20, 0, dt);
    return s.grip;
  };
  EXPECT_NEAR(grip(8.5, -0.04, 4, 1e-6), 8.5, 2e-6);                    // no slide: 0.01 + 0.009 * 4 are allowed
  EXPECT_EQ(grip(8.5, 0.06, -3, 1e-6), 3.0);                            // slides
  EXPECT_EQ(grip(3.0, 0.3, -6, 1e-6), 3.0);                             // the front axle pushes on: not more grip
  EXPECT_EQ(grip(8.5, 0.1, 0.2, 1e-6), kLeastGrip);                     // never none
  EXPECT_DOUBLE_EQ(grip(3.0, 0.0, 1.0, 0.5), 3 + 0.5 * kGripRecovery);  // trusted again, slowly
}

// Single-track car with four wheels' worth of brakes and a friction limit: sine with dwell at 22 m/s.
struct Turning {
  ControlSpec control;
  double v = 22, vy = 0, r = 0, psi = 0, t = 0, h = 1e-3, ay = 0, ax = 0, mu = 0.9, most = 0, front = 9, rear = 8;
  EquipmentKind kind{};
  EquipmentParams<double> p{};
  EquipmentState<double> s{};
  Actuation<double> out[3];

  CarView<double> view(double steer) const {
    CarView<double> c{};
    c.vx = v, c.vy = vy, c.r = r, c.ax = ax, c.ay = ay, c.steer = steer;
    for (int i = 0; i < 4; ++i) c.w[i] = (v - r * (i % 2 == 0 ? 0.775 : -0.775)) / kRadius, c.radius[i] = kRadius;
    return c;
  }
  void start() {
    kind = equipment_kind({}, control);
    p = compile_equipment({}, {9000, 0.62, 0}, {}, {}, control);
    s = start_equipment(kind, p, view(0));
  }
  void step(double steer) {
    equipment_step(kind, p, s, {steer, 0.0, 0.0, 0.0, 1.0}, {steer, 0.0, 0.0, 0.0, 1.0}, view(steer), h, out);
    double Fx = 0, Fy = 0, M = 0;
    for (int i = 0; i < 4; ++i) {
      const double x = i < 2 ? 1.2 : -1.5, y = i % 2 == 0 ? 0.775 : -0.775, d = i < 2 ? steer : 0;
      const double Fz =
          0.5 * kMass * kGravity * (i < 2 ? 1.5 : 1.2) / 2.7 * (1 + (y > 0 ? -1 : 1) * ay * 0.55 / 1.55 / kGravity);
      const double alpha = std::atan2(vy + r * x, v - r * y) - d;
      const double fx = std::clamp(-out[1].cap[i] / kRadius + out[1].Tw[i] / kRadius, -mu * Fz, mu * Fz);
      const double fy = -std::sqrt(std::max(mu * mu * Fz * Fz - fx * fx, 0.0)) *
                        std::sin(1.3 * std::atan((i < 2 ? front : rear) * alpha));
      const double bx = fx * std::cos(d) - fy * std::sin(d), by = fx * std::sin(d) + fy * std::cos(d);
      Fx += bx, Fy += by, M += x * by - y * bx;
    }
    ax = Fx / kMass, ay = Fy / kMass;
    v += h * (ax + vy * r), vy += h * (ay - v * r), r += h * M / 2500, psi += h * r, t += h;
    most = std::max(most, std::abs(std::atan2(vy, v)));
  }
};
double dwell(double t, double amplitude) {  // 0.7 Hz, half a second at the second peak
  const double T = 1 / 0.7;
  if (t < 0.75 * T) return amplitude * std::sin(2 * 3.14159265358979 * t / T);
  if (t < 0.75 * T + 0.5) return -amplitude;
  if (t < T + 0.5) return amplitude * std::sin(2 * 3.14159265358979 * (t - 0.5) / T);
  return 0;
}
Turning swerve(const std::function<void(Turning&)>& set, double amplitude) {
  Turning car;
  set(car);
  car.start();
  while (car.t < 4 && car.v > 1) car.step(dwell(car.t, amplitude));
  return car;
}
TEST(YawControl, HoldsACarThatSpinsWithoutIt) {
  for (const double side : {0.12, -0.12}) {
    const Turning without = swerve([](Turning&) {}, side);
    const Turning with = swerve([](Turning& c) { c.control.esc.enabled = true; }, side);
    EXPECT_GT(without.most, 0.6) << "not a test: it holds by itself";
    EXPECT_LT(with.most, 0.25);
    EXPECT_LT(std::abs(with.r), 0.02);  // 1.6 s after the steering is straight again
  }
}
TEST(YawControl, MirrorsLeftAndRight) {
  const auto set = [](Turning& c) {
    c.control.esc.enabled = c.control.vectoring.enabled = c.control.abs.enabled = true;
  };
  const Turning left = swerve(set, 0.1), right = swerve(set, -0.1);
  EXPECT_NEAR(left.psi, -right.psi, 1e-9);  // the toy car adds its wheels in one order
  EXPECT_NEAR(left.v, right.v, 1e-9);
}
TEST(YawControl, KeepsOutOfACalmBend) {
  Turning car;
  car.rear = 10;  // as cars on the road: it does not oversteer
  car.control.esc.enabled = true;
  car.control.reference.understeer_gradient = 0.0002;
  car.start();
  while (car.t < 3) {
    car.step(std::min(car.t, 1.0) * 0.02);
    for (const double each : car.s.control.share) ASSERT_EQ(each, 0) << car.t;
  }
}

TEST(Vectoring, SumIsZeroAndItTurnsTheCar) {
  Turning car;
  car.control.vectoring.enabled = true;
  car.control.vectoring.front_share = 0.3;
  car.start();
  car.step(0.05);
  const auto& T = car.out[0].Tw;
  EXPECT_EQ(T[0] + T[1], 0);
  EXPECT_EQ(T[2] + T[3], 0);
  EXPECT_GT(T[3], 0);  // steered to the left, not yet turning: right wheels push
  EXPECT_NEAR(T[1] / T[3], 3.0 / 7, 1e-12);
  car.control.vectoring.max_torque = 5;
  car.start();
  for (int k = 0; k < 100; ++k) car.step(0.1);
  EXPECT_LE(std::abs(car.out[2].Tw[3]), 5 * 0.7 + 1e-12);
}
TEST(Vectoring, QuickensTheTurn) {
  const auto yaw = [](bool on) {
    Turning car;
    car.control.vectoring.enabled = on;
    car.control.reference.lag = 0;
    car.start();
    while (car.t < 0.15) car.step(0.04);
    return car.r;
  };
  EXPECT_GT(yaw(true), 1.02 * yaw(false));
}

// --------------------------------------------------------------------------------------------- the whole

TEST(Equipment, ControllersSampleAtTheirOwnTime) {
  Straight car;
  std::fill(car.mu, car.mu + 4, 0.3);
  car.control.abs.enabled = true;
  car.start(30);
  double last = -1, before = car.s.control.speed.v;
  while (car.t < 1) {
    car.step(0, 1);
    if (car.s.control.speed.v == before) continue;
    if (last >= 0) {
      EXPECT_NEAR(car.t - last, 0.005, 1e-9);
    }
    last = car.t;
    before = car.s.control.speed.v;
  }
  EXPECT_GT(last, 0.9);
}

TEST(Equipment, HandbrakeAndDirectTorqueGoPastTheControllers) {
  Straight car;
  car.control.abs.enabled = true;
  car.start(20);
  Inputs<double> u0{0.1, 0.0, 0.0, 0.5, 1.0}, u1{0.3, 0.0, 0.0, 1.0, 1.0};
  u0.torque[1] = 10, u1.torque[1] = 30;
  equipment_step(car.kind, car.p, car.s, u0, u1, car.view(), 1e-3, car.out);
  for (int k = 0; k < 3; ++k) {
    EXPECT_DOUBLE_EQ(car.out[k].cap[2], 1250 * (0.5 + 0.25 * k));
    EXPECT_EQ(car.out[k].cap[0], 0);
    EXPECT_DOUBLE_EQ(car.out[k].Tw[1], 10 + 10 * k);
    EXPECT_EQ(car.out[k].Tw[0], 0);
    EXPECT_DOUBLE_EQ(car.out[k].steer, 0.1 + 0.1 * k);
    EXPECT_NEAR(car.out[k].steer_rate, 200, 1e-9);
  }
}

TEST(Equipment, StateIsPlainNumbers) {
  static_assert(std::is_trivially_copyable_v<EquipmentState<double>>);
  static_assert(sizeof(EquipmentState<double>) % sizeof(double) == 0);
  static_assert(sizeof(EquipmentState<float>) * 2 == sizeof(EquipmentState<double>));
}

}  // namespace
}  // namespace vdsim
