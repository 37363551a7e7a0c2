// SPDX-License-Identifier: Apache-2.0
// Rolling law: a braked car stands still on any slope it can hold; a free one rolls as Newton says; beyond friction it slides.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>

#include "tests/integration/cars.hpp"
#include "tests/integration/tires.hpp"

using namespace cars;

namespace {

struct Hold {
  double drift_per_hour, speed;
};

// 5 s to settle, then `seconds` of standing: largest displacement in x or y, as if it went on for an hour
Hold stand(const VehicleSpec& s, const RoadSpec& road, Level level, Integrator method, const Commands& c,
           double seconds, double dt) {
  Car sim(s, road, level, method, {});
  if (!run(sim, c, 5, dt)) return {1e9, 1e9};
  const CarOutputs a = sim.outputs(c);
  if (!run(sim, c, seconds, dt)) return {1e9, 1e9};
  const CarOutputs b = sim.outputs(c);
  return {
      std::max(std::fabs(b.x - a.x), std::fabs(b.y - a.y)) * 3600 / seconds,
      std::max({std::fabs(b.vx), std::fabs(b.vy), std::fabs(b.r), std::fabs(a.vx), std::fabs(a.vy), std::fabs(a.r)})};
}

void expect_stands(const Hold& h) {
  EXPECT_LT(h.drift_per_hour, 1e-6);
  EXPECT_LT(h.speed, 1e-12);
}

constexpr Level kLevels[] = {Level::L1, Level::L2};
const Commands kBrake{.brake = 1}, kHandbrake{.handbrake = 1};

}  // namespace

TEST(GradeHold, EveryGradeAndSideSlope) {
  double worst = 0, fastest = 0;
  for (Level level : kLevels)
    for (const RoadSpec& road : {slope(0.08), slope(-0.08), slope(0.2), slope(-0.2), slope(0.3), slope(-0.3),
                                 slope(0, 0.2), slope(0, -0.2), slope(0.2, 0.2)})
      for (const Commands& lever : {kBrake, kHandbrake})
        for (int gear : {0, 1, -1}) {
          SCOPED_TRACE(testing::Message() << name(level) << " grade " << road.grade << " bank " << road.bank
                                          << " handbrake " << lever.handbrake << " gear " << gear);
          Commands c = lever;
          c.gear = gear;
          const Hold h = stand(sedan(), road, level, Integrator::rk4, c, 10, 2e-3);
          expect_stands(h);
          worst = std::max(worst, h.drift_per_hour);
          fastest = std::max(fastest, h.speed);
        }
  std::printf("[ measured ] worst drift %.2e m/h, largest speed %.2e m/s\n", worst, fastest);
}

TEST(GradeHold, ImplicitAndEulerHoldToo) {
  double worst = 0;
  for (Integrator method : {Integrator::implicit, Integrator::euler})
    for (Level level : kLevels)
      for (const RoadSpec& road : {slope(0.2), slope(-0.3), slope(0, 0.2)})
        for (const Commands& c : {kBrake, kHandbrake}) {
          SCOPED_TRACE(testing::Message() << name(method) << " " << name(level) << " grade " << road.grade << " bank "
                                          << road.bank << " handbrake " << c.handbrake);
          const Hold h = stand(sedan(), road, level, method, c, 20, method == Integrator::euler ? 1e-3 : 5e-3);
          expect_stands(h);
          worst = std::max(worst, h.drift_per_hour);
        }
  std::printf("[ measured ] worst drift %.2e m/h\n", worst);
}

TEST(GradeHold, TenMinutesAtOneMillisecond) {
  struct Case {
    Level level;
    RoadSpec road;
    Commands c;
  };
  for (const Case& k : {Case{Level::L2, slope(0.3), kBrake},
                        {Level::L2, slope(-0.2), kHandbrake},
                        {Level::L2, slope(0, 0.2), kHandbrake},
                        {Level::L1, slope(0.2), kHandbrake}}) {
    SCOPED_TRACE(testing::Message() << name(k.level) << " grade " << k.road.grade << " bank " << k.road.bank);
    const Hold h = stand(sedan(), k.road, k.level, Integrator::rk4, k.c, 600, 1e-3);
    std::printf("[ measured ] %s grade %.2f bank %.2f: drift %.2e m/h, speed %.2e m/s\n", name(k.level), k.road.grade,
                k.road.bank, h.drift_per_hour, h.speed);
    expect_stands(h);
  }
}

TEST(GradeHold, OneHour) {
  const Hold h = stand(sedan(), slope(0.2, 0.1), Level::L2, Integrator::rk4, kHandbrake, 3600, 5e-3);
  std::printf("[ measured ] drift in an hour %.2e m, speed %.2e m/s\n", h.drift_per_hour, h.speed);
  expect_stands(h);
}

// A motor that shakes the car against its handbrake: 1 % of its weight at 1 Hz on the free axle. Plain LuGre bristles
// ratchet downhill (plain LuGre: 0.4 m/h); measured over whole periods.
TEST(GradeHold, HoldsWhileTheMotorShakesTheCar) {
  for (Level level : kLevels)
    for (const RoadSpec& road : {slope(0.2), slope(-0.2), slope(0, 0.2)}) {
      SCOPED_TRACE(testing::Message() << name(level) << " grade " << road.grade << " bank " << road.bank);
      VehicleSpec s = with_tires(
          sedan(), [](TireSpec& t) { t.rolling_resistance = 0; });  // or the free wheels would not pass it on
      s.drivetrain.drive_type = DriveType::FWD;
      const double dt = 1e-3, share = 0.01 * 1500 * g * 0.32 / 1500;  // throttle that pushes 1 % of the weight
      const auto command = [&](double t) {
        return Commands{.throttle = 0.5 * share * (1 - std::cos(2 * M_PI * t)), .handbrake = 1};
      };
      Car sim(s, road, level, Integrator::rk4, {});
      CarOutputs a{};
      double swing = 0;
      for (int i = 0; i < 50000; ++i) {  // 30 s until the memory of the settling has faded, then 20 s
        if (i == 30000) a = sim.outputs(command(30));
        ASSERT_TRUE(sim.step(command(i * dt), command((i + 1) * dt), dt));
        if (i > 30000 && i < 31000) swing = std::max(swing, std::fabs(sim.outputs(command(i * dt)).x - a.x));
      }
      const CarOutputs b = sim.outputs(command(50));
      const double drift = std::hypot(b.x - a.x, b.y - a.y) * 180;
      std::printf("[ measured ] %s grade %.1f bank %.1f: swing %.2e m, drift %.2e m/h\n", name(level), road.grade,
                  road.bank, swing, drift);
      EXPECT_GT(swing, 1e-4);                          // it does shake
      EXPECT_LT(drift, road.bank != 0 ? 1e-5 : 1e-6);  // rear braked on a side slope: 1e-5 at 1 %
    }
}

// Ten strokes of the steering at rest on 20 %: 1e-4 m and 5e-4 rad with moments and parking torque. A first one is not counted: the car
// starts held, and wheels without a brake take their rolling resistance on (0.13 mm, once).
TEST(GradeHold, HoldsWhileSteeringAtRest) {
  for (Level level : kLevels)
    for (double bias : {0.5, 1.0}) {
      SCOPED_TRACE(testing::Message() << name(level) << " bias " << bias);
      VehicleSpec s = sedan();
      s.brake.brake_bias_front = bias;
      const double dt = 1e-3;
      const auto command = [](double t) { return Commands{.steer = 0.5 * std::sin(2 * M_PI * 0.5 * t), .brake = 1}; };
      Car sim(s, slope(0.2), level, Integrator::rk4, {});
      for (int i = 0; i < 2000; ++i) ASSERT_TRUE(sim.step(command(i * dt), command((i + 1) * dt), dt));
      ASSERT_TRUE(run(sim, command(0), 5, dt));
      const CarOutputs a = sim.outputs(command(0));
      for (int i = 0; i < 20000; ++i) ASSERT_TRUE(sim.step(command(i * dt), command((i + 1) * dt), dt));
      ASSERT_TRUE(run(sim, command(0), 3, dt));
      const CarOutputs b = sim.outputs(command(0));
      std::printf("[ measured ] %s bias %.1f: moved %.2e m, turned %.2e rad\n", name(level), bias,
                  std::hypot(b.x - a.x, b.y - a.y), std::fabs(b.psi - a.psi));
      EXPECT_LT(std::hypot(b.x - a.x, b.y - a.y), 1e-4);
      EXPECT_LT(std::fabs(b.psi - a.psi), 5e-4);
    }
}

// The forces of a standing car carry its weight along the slope; the loads carry the rest.
TEST(GradeHold, StandingForcesBalanceGravity) {
  for (Level level : kLevels)
    for (const RoadSpec& road : {slope(0.3), slope(-0.2), slope(0, 0.2), slope(0.15, -0.1)}) {
      SCOPED_TRACE(testing::Message() << name(level) << " grade " << road.grade << " bank " << road.bank);
      Car sim(sedan(), road, level, Integrator::rk4, {});
      ASSERT_TRUE(run(sim, kBrake, 8, 1e-3));
      const CarOutputs o = sim.outputs(kBrake);
      double Fx = 0, Fy = 0, Fz = 0;
      for (int i = 0; i < o.wheels; ++i) Fx += o.wheel[i].fx, Fy += o.wheel[i].fy, Fz += o.wheel[i].fz;
      // settling turned the car a little: forces in road axes
      const double c = std::cos(o.psi), sn = std::sin(o.psi), bx = Fx, by = Fy;
      Fx = c * bx - sn * by, Fy = sn * bx + c * by;
      EXPECT_LT(std::fabs(o.psi), 2e-3);
      const double n = 4.0 / o.wheels, N = std::sqrt(1 + road.grade * road.grade + road.bank * road.bank),
                   S = std::hypot(1, road.grade);
      EXPECT_NEAR(n * Fx, 1500 * g * road.grade / S, 1e-6);
      EXPECT_NEAR(n * Fy, 1500 * g * road.bank / (N * S), 1e-6);
      EXPECT_NEAR(n * Fz, 1500 * g / N, 1e-6);
    }
}

// (m g sin - rolling resistance - drag)/(m + sum I/Re^2), the engine in gear, within 0.5 %.
TEST(GradeHold, UnbrakedRollsAsNewtonSays) {
  double worst = 0;
  for (Level level : kLevels)
    for (double grade : {0.08, 0.2, 0.3, -0.08, -0.2, -0.3})
      for (int gear : {0, 1, -1})
        for (Integrator method : {Integrator::rk4, Integrator::implicit}) {
          SCOPED_TRACE(testing::Message()
                       << name(level) << " grade " << grade << " gear " << gear << " " << name(method));
          const VehicleSpec s = sedan();
          Car sim(s, slope(grade), level, method, {});
          ASSERT_TRUE(run(sim, {.brake = 1, .gear = gear}, 2, 1e-3));
          ASSERT_TRUE(run(sim, {.gear = gear}, 1, 1e-3));
          const double v1 = sim.vx(), cosine = 1 / std::hypot(1, grade);
          ASSERT_TRUE(run(sim, {.gear = gear}, 1, 1e-3));
          const double vm = std::fabs(0.5 * (v1 + sim.vx()));
          const double a = -std::copysign(
              (1500 * g * std::fabs(grade) * cosine - resistance(s, vm, cosine)) / effective_mass(s, gear != 0), grade);
          EXPECT_NEAR(sim.vx() - v1, a, 0.005 * std::fabs(a));
          worst = std::max(worst, std::fabs((sim.vx() - v1) / a - 1));
        }
  std::printf("[ measured ] worst relative error of the acceleration %.2e\n", worst);
}

TEST(GradeHold, RollingResistanceHoldsBelowItsOwnAngle) {
  // f = 0.015: a free car stands on 1 %, rolls on 2 %
  for (Level level : kLevels) {
    Car stands(sedan(), slope(0.01), level, Integrator::rk4, {}),
        rolls(sedan(), slope(0.02), level, Integrator::rk4, {});
    ASSERT_TRUE(run(stands, {.gear = 0}, 10, 1e-3) && run(rolls, {.gear = 0}, 10, 1e-3));
    EXPECT_LT(std::fabs(stands.vx()), 1e-9);
    EXPECT_NEAR(rolls.vx(),
                -10 * (1500 * g * 0.02 / std::hypot(1, 0.02) - 0.015 * 1500 * g) / effective_mass(sedan(), false),
                0.02);
  }
}

// The same with the tire of a .tir file, whose own formula has no resistance at rest (QSY1 = 0.01): [T24.62].
TEST(GradeHold, RollingResistanceOfAFileHoldsToo) {
  const TireSpec book = file_tire();
  const VehicleSpec s = with_tires(sedan(), [&](TireSpec& t) { t = book; });
  ASSERT_NEAR(book.tir.rolling.QSY1, 0.01, 1e-12);
  for (Level level : {Level::L1, Level::L2, Level::L3, Level::L5}) {
    Car stands(s, slope(0.003), level, Integrator::rk4, {}), rolls(s, slope(0.02), level, Integrator::rk4, {});
    ASSERT_TRUE(run(stands, {.gear = 0}, 10, 1e-3) && run(rolls, {.gear = 0}, 10, 1e-3));
    EXPECT_LT(std::fabs(stands.vx()), 1e-9) << name(level);
    EXPECT_LT(std::fabs(stands.outputs({.gear = 0}).x), 1e-3) << name(level);
    EXPECT_NEAR(rolls.vx(), -10 * g * (0.02 - 0.01) * 1500 / effective_mass(s, false), 0.05) << name(level);
  }
}

// Strokes of the steering at rest on the level, nobody brakes: rolling resistance alone keeps the car in place.
TEST(GradeHold, SteeringAtRestMovesNoCar) {
  const TireSpec book = file_tire();
  for (const bool file : {false, true})
    for (Level level : {Level::L1, Level::L2, Level::L3, Level::L5}) {
      const VehicleSpec s = file ? with_tires(sedan(), [&](TireSpec& t) { t = book; }) : sedan();
      Car sim(s, flat(), level, Integrator::rk4, {});
      const auto command = [](double t) { return Commands{.steer = 0.4 * std::sin(M_PI * t), .gear = 0}; };
      for (int i = 0; i < 8000; ++i) ASSERT_TRUE(sim.step(command(i * 1e-3), command((i + 1) * 1e-3), 1e-3));
      const CarOutputs o = sim.outputs(command(8));
      std::printf("[ measured ] %s %s: moved %.2e m, %.2e m/s\n", file ? "file" : "mf96", name(level),
                  std::hypot(o.x, o.y), std::fabs(o.vx));
      EXPECT_LT(std::hypot(o.x, o.y), 0.005) << name(level) << file;
    }
}

TEST(GradeHold, ReverseUpTheSlope) {
  for (Level level : kLevels)
    for (double grade : {-0.08, -0.2}) {
      SCOPED_TRACE(testing::Message() << name(level) << " grade " << grade);
      const VehicleSpec s = sedan();
      const Commands c{.throttle = 0.8, .gear = -1};
      Car sim(s, slope(grade), level, Integrator::rk4, {});
      ASSERT_TRUE(run(sim, kBrake, 2, 1e-3));
      ASSERT_TRUE(run(sim, c, 1, 1e-3));
      const double v1 = sim.vx(), cosine = 1 / std::hypot(1, grade);
      ASSERT_TRUE(run(sim, c, 1, 1e-3));
      const double vm = std::fabs(0.5 * (v1 + sim.vx()));
      const double a =
          (0.8 * 1500 / 0.32 + 1500 * g * grade * cosine - resistance(s, vm, cosine)) / effective_mass(s, true);
      ASSERT_GT(a, 0);
      EXPECT_NEAR(sim.vx() - v1, -a, 0.01 * a);  // the driven wheels slip by up to 2 %, the engine turns with them
      // and stops there
      ASSERT_TRUE(run(sim, kBrake, 4, 1e-3));
      EXPECT_LT(std::fabs(sim.vx()), 1e-9);
    }
}

// tan > mu: locked wheels slide at g (sin - mu_slide cos), mu_slide the steady law at slip 1, read at 1/mu.
TEST(GradeHold, SlidesBeyondFriction) {
  for (Level level : kLevels)
    for (double mu : {0.1, 0.25})
      for (double over : {1.1, 1.5}) {
        SCOPED_TRACE(testing::Message() << name(level) << " mu " << mu << " over " << over);
        const double grade = mu * over, cosine = 1 / std::hypot(1, grade);
        const VehicleSpec s = with_tires(sedan(), [](TireSpec& t) { t.load_sensitivity = 0; });
        Car sim(s, slope(grade, 0, mu), level, Integrator::rk4, {});
        ASSERT_TRUE(run(sim, kBrake, 3, 1e-3));
        const double v1 = sim.vx();
        ASSERT_TRUE(run(sim, kBrake, 1, 1e-3));
        const double vm = 0.5 * (v1 + sim.vx());
        const double F1 = mf(10, 1.65, 0.97, std::min(1 / mu, 1.5));  // [T03.8], kappa_cap 1.5
        const double a = -g * cosine * grade + mu * F1 * load(s, vm, cosine) / 1500 - drag(s, vm) / 1500;
        ASSERT_LT(a, 0);
        EXPECT_NEAR(sim.vx() - v1, a, 0.01 * std::fabs(a));
        const CarOutputs o = sim.outputs(kBrake);
        for (int i = 0; i < o.wheels; ++i) EXPECT_EQ(o.wheel[i].omega, 0);
      }
  // and it does hold just below: all wheels braked, capacity and loads proportional
  for (Level level : kLevels) {
    const VehicleSpec s = with_tires(sedan(), [](TireSpec& t) { t.load_sensitivity = 0; });
    expect_stands(stand(s, slope(0.24, 0, 0.25), level, Integrator::rk4, kBrake, 10, 1e-3));
  }
}
