// SPDX-License-Identifier: Apache-2.0
// Engine, clutch, gearbox and motor on a car that is one inertia: energy, momentum, order, and what a driver expects.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <vector>

#include "vdsim/core/vehicle/equipment.hpp"
#include "vdsim/core/vehicle/model.hpp"

namespace vdsim {
namespace {

constexpr double kRadius = 0.32;

// A car that never slips: J w' = T - load(w), integrated with RK4 from the three instants of each step.
struct Rig {
  PowertrainSpec spec;
  DrivetrainSpec drivetrain;
  BrakeSpec brake;
  ControlSpec control;
  double J = 1500 * kRadius * kRadius, w = 0, h = 1e-3, t = 0;
  std::function<double(double)> load = [](double) { return 0.0; };
  EquipmentKind kind{};
  EquipmentParams<double> p{};
  EquipmentState<double> s{};
  Actuation<double> out[3];

  Rig() { spec.enabled = true; }
  CarView<double> view() const {
    CarView<double> v{};
    v.vx = w * kRadius;
    for (int i = 0; i < 4; ++i) v.w[i] = w, v.radius[i] = kRadius;
    return v;
  }
  void start(double speed = 0) {
    w = speed;
    t = 0;
    kind = equipment_kind(spec, control);
    p = compile_equipment({}, brake, drivetrain, spec, control);
    s = start_equipment(kind, p, view());
  }
  double ratio() const { return gear_ratio(kind.powertrain.gearbox, p.powertrain.gearbox, gear()); }
  double gear() const { return s.powertrain.gearbox.gear; }
  // now, after the step
  double engine() const { return locked() ? ratio() * w : s.powertrain.engine_speed; }
  bool locked() const { return s.powertrain.clutch.locked > 0.5; }
  double energy() const { return 0.5 * J * w * w + 0.5 * p.powertrain.engine.inertia * engine() * engine(); }
  double engine_torque_at(double speed, double u) const {
    return engine_torque(kind.powertrain.engine, p.powertrain.engine, speed, u).T;
  }
  void step(double u0, double u1, double g) {
    equipment_step(kind, p, s, {0.0, u0, 0.0, 0.0, g}, {0.0, u1, 0.0, 0.0, g}, view(), h, out);
    const auto rate = [&](int k, double x) {
      double T = 0, I = J;
      for (int a = 0; a < 2; ++a) T += out[k].T[a] + out[k].dT[a] * (x - out[k].w_ref[a]), I += out[k].engine[a];
      return (T - load(x)) / I;
    };
    const double k1 = rate(0, w), k2 = rate(1, w + h / 2 * k1), k3 = rate(1, w + h / 2 * k2), k4 = rate(2, w + h * k3);
    w += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    t += h;
  }
  void step(double u, double g) { step(u, u, g); }
  void run(double until, double u, double g) {
    while (t < until - 0.5 * h) step(u, g);
  }
};

double rpm(double w) { return w / kRpm; }

TEST(Engine, MapIsMetAtItsBreaksAndLinearBetween) {
  const EngineSpec s;
  const EngineKind kind = engine_kind(s);
  const EngineParams<double> p = compile_engine(s);
  for (int j = 0; j < 5; ++j)
    for (int i = 0; i < 7; ++i) {
      const auto at = [&](double di, double dj) {
        const double w = p.speed[i] + di * (i < 6 ? p.speed[i + 1] - p.speed[i] : 0);
        const double u = p.throttle[j] + dj * (j < 4 ? p.throttle[j + 1] - p.throttle[j] : 0);
        return engine_map(kind, p, w, u).T;
      };
      const double here = s.torque_map.v[7 * j + i];
      EXPECT_NEAR(at(0, 0), here, 1e-12 * 200);
      EXPECT_NEAR(at(0.5, 0), i < 6 ? 0.5 * (here + s.torque_map.v[7 * j + i + 1]) : here, 1e-12 * 200);
      EXPECT_NEAR(at(0, 0.25), j < 4 ? here + 0.25 * (s.torque_map.v[7 * (j + 1) + i] - here) : here, 1e-12 * 200);
    }
  EXPECT_EQ(engine_map(kind, p, 2000.0, 1.0).T, 160);  // held beyond the last break
  EXPECT_EQ(engine_map(kind, p, 10.0, 1.0).T, 110);
  EXPECT_EQ(engine_map(kind, p, 10.0, 1.0).over_w, 0);
}

TEST(Engine, SlopeIsTheDerivative) {
  const EngineSpec s;
  const EngineParams<double> p = compile_engine(s);
  int checked = 0;
  for (double u = 0.03; u < 1; u += 0.0471)
    for (double w = 10; w < 720; w += 3.137) {
      const auto T = [&](double x) { return engine_torque(engine_kind(s), p, x, u).T; };
      const double d = 1e-4, left = (T(w) - T(w - d)) / d, right = (T(w + d) - T(w)) / d;
      if (std::abs(left - right) > 0.01) continue;  // a kink of the map
      ++checked;
      EXPECT_NEAR(engine_torque(engine_kind(s), p, w, u).dT, 0.5 * (left + right), 0.011) << w << " " << u;
    }
  EXPECT_GT(checked, 4000);  // of 4746: kinks are rare
}

TEST(Engine, IdleIsItsRestPointFromAboveAndBelow) {
  for (const double from : {300.0, 780.0, 3000.0}) {
    Rig rig;
    rig.start();
    rig.s.powertrain.engine_speed = from * kRpm;
    rig.run(6, 0, 0);
    EXPECT_NEAR(rpm(rig.engine()), 800, 1e-6);
    EXPECT_EQ(rig.w, 0);
  }
}

TEST(Engine, LimiterHoldsTheSpeed) {
  Rig rig;
  rig.start();
  double most = 0;
  while (rig.t < 5) rig.step(1, 0), most = std::max(most, rpm(rig.engine()));
  EXPECT_LT(most, 6500 * 1.03);
  EXPECT_GT(rpm(rig.engine()), 6500);
  const double before = rig.engine();
  rig.run(6, 1, 0);
  EXPECT_NEAR(rig.engine(), before, 1e-6);  // steady, no hunting
}

TEST(Gearbox, LaunchSlipsThenLocksAndNeverStalls) {
  for (const double u : {0.15, 0.4, 1.0}) {
    Rig rig;
    rig.load = [](double) { return 60.0; };
    rig.start();
    double slowest = 1e9, locked_at = -1, before = 0;
    while (rig.t < 6) {
      rig.step(u, 1);
      slowest = std::min(slowest, rpm(rig.engine()));
      if (locked_at < 0 && rig.locked()) locked_at = rig.t;
      EXPECT_GE(rig.w, before - 1e-3) << rig.t;  // forward all the way; shifts cost a little
      before = rig.w;
    }
    EXPECT_GE(slowest, 800 - 1e-9) << u;
    EXPECT_GT(locked_at, 0.1) << u;
    EXPECT_LT(locked_at, 3.5) << u;
  }
}

TEST(Gearbox, LockedTorqueIsMapTimesRatioTimesEfficiency) {
  Rig rig;
  rig.start(40);  // first gear would turn at 5480 rpm
  rig.step(0.6, 1);
  ASSERT_TRUE(rig.locked());
  const double i = 3.5 * 4.1, T = rig.engine_torque_at(i * 40, 0.6);
  EXPECT_NEAR(rig.out[0].T[1], 0.92 * i * T, 1e-9 * i * T);
  EXPECT_EQ(rig.out[0].T[0], 0);  // RWD
  EXPECT_NEAR(rig.out[0].engine[1], 0.25 * i * i, 1e-12 * i * i);
  rig.step(0, 1);
  const double drag = rig.engine_torque_at(rig.out[0].w_ref[1] * i, 0);
  ASSERT_LT(drag, 0);
  EXPECT_NEAR(rig.out[0].T[1], i * drag / 0.92, 1e-9 * i * std::abs(drag));  // losses brake too
}

TEST(Gearbox, AllWheelDriveSplitsAsTheDrivetrainSays) {
  Rig rig;
  rig.drivetrain.drive_type = DriveType::AWD;
  rig.drivetrain.drive_split_front = 0.3;
  rig.start(40);
  rig.step(0.6, 1);
  EXPECT_NEAR(rig.out[1].T[0] * 7, rig.out[1].T[1] * 3, 1e-9);
  EXPECT_NEAR(rig.out[1].engine[0] + rig.out[1].engine[1], 0.25 * 3.5 * 4.1 * 3.5 * 4.1, 1e-9);
}

// Two discs meet: with no torque from outside and no losses the momentum is that of the start to rounding,
// whenever and
// wherever inside a step they meet; the energy lost is that of the inelastic stroke.
TEST(Clutch, MeetingConservesMomentumAndOnlyLosesEnergy) {
  for (const double h : {1e-3, 2.3e-3, 5e-3})
    for (const double from : {2500.0, 5200.0}) {
      Rig rig;
      rig.spec.gearbox.efficiency = 1;
      rig.spec.engine.drag_torque = rig.spec.engine.drag_slope = 0;
      rig.h = h;
      rig.start(18);
      const double i = rig.ratio(), I = 0.25;
      rig.s.powertrain.engine_speed = from * kRpm;
      rig.s.powertrain.clutch.locked = 0;
      const double P0 = rig.J * 18 + i * I * from * kRpm, E0 = rig.energy();
      double E = E0;
      while (rig.t < 1.5) {
        rig.step(0, 1);
        EXPECT_LE(rig.energy(), E * (1 + 1e-12)) << "creates energy at " << rig.t;
        E = rig.energy();
        EXPECT_NEAR(rig.J * rig.w + i * I * (rig.locked() ? 0 : rig.engine()) + (rig.locked() ? i * i * I * rig.w : 0),
                    P0, rig.locked() ? 1e-10 * P0 : 1e-6 * P0);
      }
      ASSERT_TRUE(rig.locked());
      EXPECT_NEAR(rig.w, P0 / (rig.J + i * i * I), 1e-10 * rig.w);  // closed form
    }
}

// Work of the engine = gain of kinetic energy + losses, step by step, and the losses are never negative: wide
// open from
// rest through the gears. The shifts themselves are left out, there the gearbox holds the throttle.
TEST(Clutch, NeverCreatesEnergyInALaunchThroughTheGears) {
  Rig rig;
  rig.start();
  double lost = 0, work = 0, clutch = 0;
  while (rig.t < 12) {
    const double we = rig.engine(), E = rig.energy(), slip = we - rig.ratio() * rig.w,
                 closed = rig.s.powertrain.clutch.closed;
    rig.step(1, 1);
    if (closed < 1 || rig.s.powertrain.clutch.closed < 1) continue;
    const double T = 0.5 * (rig.engine_torque_at(we, 1) + rig.engine_torque_at(rig.engine(), 1));
    const double in = T * 0.5 * (we + rig.engine()) * rig.h, loss = in - (rig.energy() - E);
    EXPECT_GT(loss, -1e-3 * in) << rig.t;  // trapezoidal book: (h T'/T)^2
    lost += loss;
    work += in;
    if (!rig.locked()) clutch += std::abs(slip) * std::abs(rig.out[1].T[1]) / (0.92 * rig.ratio()) * rig.h;
  }
  EXPECT_EQ(rig.gear(), 3);
  // what is lost is the slip of the clutch and 8 % of what goes through the gears
  EXPECT_NEAR(lost, clutch + 0.08 * (work - clutch), 0.02 * lost);
}

// Wheels that spin on ice are far lighter than the engine behind its gears. The clutch closes once and stays so, and the launch
// does not depend on the step; it closed and let go in turn, with the torque to and fro by the kN m.
TEST(Clutch, LocksOnceOnWheelsThatSpin) {
  double speed = 0;
  for (const double h : {1e-4, 2e-4, 5e-4, 1e-3, 2e-3}) {
    Rig rig;
    rig.J = 2.5, rig.h = h;
    rig.load = [](double w) { return std::clamp(10 * w, -350.0, 350.0); };
    rig.start();
    rig.p.powertrain.inv_wheels = 1 / rig.J;
    int opened = 0;
    while (rig.t < 1.5 - 0.5 * h) {
      const bool before = rig.locked();
      rig.step(std::min(0.5, 1.5 * rig.t), 1);
      opened += before && !rig.locked() && rig.s.powertrain.gearbox.shift_left <= 0;
      EXPECT_GE(rig.out[1].T[0] + rig.out[1].T[1], 0) << h << " " << rig.t;
    }
    EXPECT_TRUE(rig.locked()) << h;
    EXPECT_EQ(opened, 0) << h;
    if (speed == 0) speed = rig.w;
    EXPECT_NEAR(rig.w, speed, 0.01 * speed) << h;
  }
}

TEST(Gearbox, AutoGoesUpThroughAllGearsWithoutHunting) {
  Rig rig;
  rig.load = [](double w) { return 30 + 0.013 * w * std::abs(w); };
  rig.start();
  double gear = rig.gear();
  std::vector<double> gears{gear};
  while (rig.t < 40) {
    const double before = rig.w;
    rig.step(1, 1);
    if (rig.gear() != gear) {
      EXPECT_GT(rpm(before * 4.1 * rig.spec.gearbox.gear_ratios.v[int(gear) - 1]), 5500);
      gear = rig.gear();
      gears.push_back(gear);
    }
    if (rig.s.powertrain.gearbox.shift_left > 0) {
      EXPECT_EQ(rig.out[1].T[1], 0);
      EXPECT_EQ(rig.out[1].engine[1], 0);
    }
  }
  EXPECT_EQ(gears, (std::vector<double>{1, 2, 3, 4, 5}));
  rig.load = [](double) { return 1500.0; };
  while (rig.w > 1) {
    rig.step(0, 1);
    if (rig.gear() != gear) gears.push_back(gear = rig.gear());
    EXPECT_GT(rpm(rig.engine()), 0.9 * 800);
  }
  EXPECT_EQ(gears, (std::vector<double>{1, 2, 3, 4, 5, 4, 3, 2, 1}));
}

TEST(Gearbox, ShiftTakesItsTime) {
  Rig rig;
  rig.spec.shift.mode = ShiftMode::manual;
  rig.start(30);
  rig.run(0.5, 0.3, 2);
  const double from = rig.t;
  rig.step(0.3, 3);
  while (rig.out[2].T[1] == 0) rig.step(0.3, 3);
  EXPECT_NEAR(rig.t - from, 0.3, 2.1e-3);
  EXPECT_EQ(rig.gear(), 3);
}

TEST(Gearbox, ManualRefusesAGearThatWouldOverRev) {
  Rig rig;
  rig.spec.shift.mode = ShiftMode::manual;
  rig.start(100);
  const double gear = rig.gear();
  rig.run(0.2, 0, 1);
  EXPECT_EQ(rig.gear(), gear);
  rig.load = [](double) { return 4000.0; };
  while (rig.gear() != 1) rig.step(0, 1);
  EXPECT_NEAR(rpm(rig.w * 3.5 * 4.1), 6500, 30);
}

TEST(Gearbox, ReverseIsTheMirrorOfForwardAtEqualRatio) {
  Rig forward, back;
  forward.spec.gearbox.reverse_ratio = back.spec.gearbox.reverse_ratio = 3.5;
  forward.spec.gearbox.shift_time = back.spec.gearbox.shift_time = 0;
  forward.start();
  back.start();
  back.s.powertrain.gearbox.gear = -1;
  while (forward.t < 2) {
    forward.step(0.5, 1);
    back.step(0.5, -1);
    ASSERT_EQ(forward.w, -back.w);  // to the bit
  }
  EXPECT_GT(forward.w, 10);
}

TEST(Gearbox, NeutralGivesNothing) {
  Rig rig;
  rig.start(40);
  rig.run(1, 0.5, 0);
  EXPECT_EQ(rig.w, 40);
  EXPECT_EQ(rig.out[2].engine[1], 0);
  EXPECT_GT(rpm(rig.engine()), 6000);  // the engine revs alone
}

TEST(Gearbox, HardStopInGearDoesNotStall) {
  Rig rig;
  rig.start(60);
  rig.load = [](double w) { return w > 0 ? 5000.0 : 0.0; };
  double slowest = 1e9;
  while (rig.t < 4) {
    rig.step(0, 1);
    if (rig.w < 0) rig.w = 0;
    slowest = std::min(slowest, rpm(rig.engine()));
  }
  EXPECT_GT(slowest, 0.9 * 800);
  EXPECT_NEAR(rig.w, 0, 1e-9);
  EXPECT_NEAR(rig.out[2].T[1], 0, 1e-3);  // no creep at idle
}

// Locked, inside one cell of the map, commands linear in each step: the linear torque is exact and RK4 keeps
// its order.
double locked_run(double h) {
  Rig rig;
  rig.spec.shift.mode = ShiftMode::manual;
  rig.spec.engine.rpm_breaks = {2, {0, 7000}};
  rig.spec.engine.throttle_breaks = {2, {0, 1}};
  rig.spec.engine.torque_map = {4, {0, 0, 180, 120}};
  rig.load = [](double w) { return 100 + 4 * w + 0.1 * w * w; };
  rig.h = h;
  rig.start(20);
  const auto u = [](double t) { return 0.6 + 0.2 * std::sin(3 * t); };
  while (rig.t < 1 - 0.5 * h) {  // parabola through the three instants is not asked for: the command is linear per step
    rig.step(u(rig.t), u(rig.t + h), 1);
  }
  EXPECT_TRUE(rig.locked());
  return rig.w;
}
TEST(Powertrain, LockedDriveConvergesAsItsLinearCommandDoes) {
  // sampling sin(3 t) by straight lines is second order; the powertrain adds nothing to it
  const double e1 = locked_run(0.02) - locked_run(0.01), e2 = locked_run(0.01) - locked_run(0.005);
  EXPECT_NEAR(std::log2(e1 / e2), 2, 0.1);
  // with a command that is linear over the whole run nothing is sampled: fourth order
  const auto ramp = [](double h) {
    Rig rig;
    rig.spec.shift.mode = ShiftMode::manual;
    rig.spec.engine.rpm_breaks = {2, {0, 7000}};
    rig.spec.engine.throttle_breaks = {2, {0, 1}};
    rig.spec.engine.torque_map = {4, {0, 0, 180, 120}};
    rig.load = [](double w) { return 100 + 4 * w + 0.1 * w * w; };
    rig.J = 10;
    rig.h = h;
    rig.start(20);
    while (rig.t < 1 - 0.5 * h) rig.step(0.4 + 0.5 * rig.t, 0.4 + 0.5 * (rig.t + h), 1);
    EXPECT_TRUE(rig.locked());
    return rig.w;
  };
  const double d1 = ramp(0.1) - ramp(0.05), d2 = ramp(0.05) - ramp(0.025);
  EXPECT_GT(std::log2(std::abs(d1 / d2)), 3.7);
}

// Slip phase: the middle and the end of the engine's speed against a step a hundred times finer.
TEST(Powertrain, SlippingEngineIsFourthOrderAtMiddleAndEnd) {
  PowertrainSpec spec;
  spec.enabled = true;
  spec.engine.rpm_breaks = {2, {0, 7000}};
  spec.engine.throttle_breaks = {2, {0, 1}};
  spec.engine.torque_map = {4, {0, 0, 180, 120}};
  const PowertrainKind kind = powertrain_kind(spec);
  const PowertrainParams<double> p = compile_powertrain(spec, 0, 0, 0);
  const auto advance = [&](double h, int n, double out[2]) {
    double w[3] = {1400 * kRpm, 0, 0};
    for (int k = 0; k < n; ++k) {
      const double a = 0.3 + 5 * h * k / n, b = 0.3 + 5 * h * (k + 1) / n;
      slip_engine(kind, p, SlipStep<double>{20.0, 1.0, {a, (a + b) / 2, b}, {1.0, 1.0, 1.0}, {1.0, 1.0, 1.0}}, h / n,
                  w);
      if (2 * k + 2 == n) out[0] = w[2];
      if (n == 1) out[0] = w[1];
      w[0] = w[2];
    }
    out[1] = w[2];
  };
  double error[2][2];
  for (int j = 0; j < 2; ++j) {
    const double h = j == 0 ? 0.08 : 0.04;
    double fine[2], one[2];
    advance(h, 128, fine);
    advance(h, 1, one);
    for (int k = 0; k < 2; ++k) error[j][k] = std::abs(one[k] - fine[k]);
  }
  EXPECT_GT(std::log2(error[0][0] / error[1][0]), 3.7);  // interpolation: h^4
  EXPECT_GT(std::log2(error[0][1] / error[1][1]), 4.5);  // one step: h^5
}

Rig motor_rig() {
  Rig rig;
  rig.spec.type = PowertrainType::motor;
  return rig;
}
TEST(Motor, ConstantTorqueThenConstantPowerThenNothing) {
  const MotorParams<double> p = compile_motor({});
  const double corner = 150e3 / 310;
  EXPECT_NEAR(motor_torque(p, 0.0).T, 310, 1e-10);
  EXPECT_NEAR(motor_torque(p, 0.89 * corner).T, 310, 1e-10);
  for (double w = 1.11 * corner; w < 0.95 * p.top; w += 20) EXPECT_NEAR(motor_torque(p, w).T * w, 150e3, 1e-6);
  EXPECT_EQ(motor_torque(p, p.top).T, 0);
  EXPECT_EQ(motor_torque(p, 1.2 * p.top).T, 0);
  double last = 311;
  for (double w = 0; w < 1.1 * p.top; w += 0.7) {  // continuous slope, never rising
    const double d = 1e-3, s = (motor_torque(p, w + d).T - motor_torque(p, w - d).T) / (2 * d);
    EXPECT_NEAR(motor_torque(p, w).dT, s, 2e-4) << w;
    EXPECT_LE(motor_torque(p, w).T, last + 1e-12);
    last = motor_torque(p, w).T;
  }
}

TEST(Motor, DrivesBothWaysAndTurnsWithTheAxle) {
  Rig rig = motor_rig();
  rig.start(10);
  rig.step(1, 1);
  EXPECT_NEAR(rig.out[0].T[1], 310 * 9 * 0.95, 1e-9);
  EXPECT_NEAR(rig.out[0].engine[1], 0.03 * 81, 1e-12);
  rig.start(-10);
  rig.step(1, -1);
  EXPECT_NEAR(rig.out[0].T[1], -310 * 9 * 0.95, 1e-9);
}

TEST(Motor, RegenAndFrictionTogetherGiveWhatThePedalAsks) {
  for (const double pedal : {0.05, 0.3, 1.0})
    for (const double speed : {0.0, 2.0, 30.0, 90.0, -30.0}) {
      Rig rig = motor_rig();
      rig.spec.motor.regen = 0.5;
      rig.start(speed);
      equipment_step(rig.kind, rig.p, rig.s, {0.0, 0.0, pedal, 0.0, 1.0}, {0.0, 0.0, pedal, 0.0, 1.0}, rig.view(), 1e-3,
                     rig.out);
      for (const auto& o : rig.out) {
        EXPECT_LE(o.T[1] * speed, 0);
        for (const double cap : o.cap) EXPECT_GE(cap, 0);
        const double total = std::abs(o.T[1]) + o.cap[2] + o.cap[3];
        EXPECT_NEAR(total, pedal * 5000 * 0.5, 1e-9 * 5000);
        EXPECT_NEAR(o.cap[0] + o.cap[1], pedal * 5000 * 0.5, 1e-9 * 5000);
        EXPECT_EQ(o.T[1] == 0, speed == 0);
        if (speed == 30) {
          EXPECT_NEAR(o.T[1], -std::min(pedal * 2500, 0.5 * 9 * 310.0), 1e-6);
        }
      }
    }
}

TEST(Powertrain, OffIsThePlainDrivetrain) {
  Rig rig;
  rig.spec.enabled = false;
  rig.start(20);
  EXPECT_FALSE(rig.kind.any);
  rig.step(0.5, 0.7, -1);
  EXPECT_EQ(rig.out[0].T[1], -0.5 * 300 * 5);
  EXPECT_DOUBLE_EQ(rig.out[1].T[1], -0.6 * 300 * 5);
  EXPECT_EQ(rig.out[2].engine[1], 0.25 * 25);
}

// Eight cars in the lanes of a pack do what one car does, to the bit, each in its own gear and grip.
TEST(Powertrain, LanesAreSingleCarsToTheBit) {
  using P = Pack<float, 8, IsaBase>;
  Rig rig;
  rig.control.abs.enabled = rig.control.ebd.enabled = rig.control.tc.enabled = true;
  rig.control.esc.enabled = rig.control.vectoring.enabled = true;
  rig.start();
  constexpr int params = number_count<double, EquipmentParams<double>>,
                states = number_count<double, EquipmentState<double>>;
  EquipmentParams<float> p1;
  EquipmentParams<P> p8;
  const double* from = reinterpret_cast<const double*>(&rig.p);
  for (int k = 0; k < params; ++k) {
    reinterpret_cast<float*>(&p1)[k] = float(from[k]);
    reinterpret_cast<P*>(&p8)[k] = P(float(from[k]));
  }
  EquipmentState<float> s1[8];
  EquipmentState<P> s8;
  CarView<P> v8{};
  CarView<float> v1[8] = {};
  Inputs<P> u8{};
  Inputs<float> u1[8] = {};
  for (int l = 0; l < 8; ++l) {
    for (int k = 0; k < states; ++k) {
      const float x = float(reinterpret_cast<const double*>(&rig.s)[k]);
      reinterpret_cast<float*>(&s1[l])[k] = x;
      set_lane(reinterpret_cast<P*>(&s8)[k], l, x);
    }
    u1[l].throttle = float(l) / 8;
    u1[l].gear = l == 5 ? -1.0f : 1.0f;
    set_lane(u8.throttle, l, u1[l].throttle);
    set_lane(u8.gear, l, u1[l].gear);
    v1[l].r = 0.05f * float(l - 3);
    v1[l].steer = l == 2 ? 0.1f : 0.0f;
    set_lane(v8.r, l, v1[l].r);
    set_lane(v8.steer, l, v1[l].steer);
    for (int i = 0; i < 4; ++i) {
      v1[l].radius[i] = float(kRadius) * (i == l % 4 ? 0.8f : 1.0f);  // wheels that disagree
      set_lane(v8.radius[i], l, v1[l].radius[i]);
    }
  }
  int braked = 0;
  for (int n = 0; n < 3000; ++n) {
    if (n == 2000) {
      u1[6].brake = 0.8f;
      set_lane(u8.brake, 6, 0.8f);
    }
    Actuation<P> o8[3];
    equipment_step(rig.kind, p8, s8, u8, u8, v8, P(1e-3f), o8);
    for (int l = 0; l < 8; ++l) {
      Actuation<float> o1[3];
      equipment_step(rig.kind, p1, s1[l], u1[l], u1[l], v1[l], 1e-3f, o1);
      for (int k = 0; k < 3; ++k) {
        ASSERT_EQ(lane(o8[k].T[1], l), o1[k].T[1]) << n << " " << l;
        for (int i = 0; i < 4; ++i) {
          ASSERT_EQ(lane(o8[k].cap[i], l), o1[k].cap[i]) << n << " " << l;
          ASSERT_EQ(lane(o8[k].Tw[i], l), o1[k].Tw[i]) << n << " " << l;
        }
        braked += o1[k].cap[0] > 0 || o1[k].cap[1] > 0;
      }
      const float dw = (o1[1].T[1] - 20.0f) * 1e-3f / (153.6f + o1[1].engine[1]);
      for (int i = 0; i < 4; ++i) v1[l].w[i] += dw, set_lane(v8.w[i], l, v1[l].w[i]);
    }
  }
  EXPECT_GT(v1[7].w[0], 5.0f);  // it drives: traction control takes the wheel of another radius for one that spins
  EXPECT_GT(braked, 1000);
}

TEST(PowertrainSpec, DefaultsAreFineAndContradictionsAreNamed) {
  Complaint out[kMaxComplaints];
  PowertrainSpec s;
  EXPECT_EQ(powertrain_complaints(s, out), 0);
  s.engine.torque_map.count = 34;
  s.engine.rpm_breaks.v[2] = 100;
  s.engine.throttle_breaks.count = 1;
  s.engine.redline_rpm = 700;
  s.clutch.launch_rpm = 800;
  s.gearbox.gear_ratios = {2, {2, 3}};
  s.shift.start_gear = 3;
  s.shift.downshift_rpm = 9000;
  EXPECT_EQ(powertrain_complaints(s, out), 8);
}

}  // namespace
}  // namespace vdsim
