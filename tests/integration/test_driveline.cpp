// SPDX-License-Identifier: Apache-2.0
// Drive, differentials, brakes: torque at the wheels becomes acceleration as Newton says, and only where it is applied.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>

#include "tests/integration/cars.hpp"

using namespace cars;

namespace {
constexpr Level kLevels[] = {Level::L1, Level::L2};
constexpr double kDt = 1e-3;

double axle_fx(const CarOutputs& o, int axle) {
  return o.wheels == 2 ? 2 * o.wheel[axle].fx : o.wheel[2 * axle].fx + o.wheel[2 * axle + 1].fx;
}
double axle_fz(const CarOutputs& o, int axle) {
  return o.wheels == 2 ? 2 * o.wheel[axle].fz : o.wheel[2 * axle].fz + o.wheel[2 * axle + 1].fz;
}

// mean acceleration over half a second after one second of settling
double acceleration(Car& sim, const Commands& c, double& vm) {
  if (!run(sim, c, 1, kDt)) return NAN;
  const double v1 = sim.vx();
  if (!run(sim, c, 0.5, kDt)) return NAN;
  vm = 0.5 * (v1 + sim.vx());
  return (sim.vx() - v1) / 0.5;
}
}  // namespace

// m_eff a = T/R - resistances within 0.5 %, and the force stands on the driven axle.
TEST(Driveline, AccelerationFromTorque) {
  double worst = 0;
  for (Level level : kLevels)
    for (DriveType type : {DriveType::FWD, DriveType::RWD, DriveType::AWD})
      for (Differential diff : {Differential::Open, Differential::Locked, Differential::LSD})
        for (Integrator method : {Integrator::rk4, Integrator::implicit}) {
          SCOPED_TRACE(testing::Message()
                       << name(level) << " drive " << int(type) << " diff " << int(diff) << " " << name(method));
          VehicleSpec s = sedan();
          s.drivetrain.drive_type = type;
          s.drivetrain.differential = diff;
          s.drivetrain.drive_split_front = 0.3;
          const Commands c{.throttle = 0.2};
          Car sim(s, flat(), level, method, {.vx0 = 8});
          double v = 0;
          const double a = acceleration(sim, c, v), T = 0.2 * 300 * 5;
          const double expected = (T / 0.32 - resistance(s, v)) / effective_mass(s, true);
          EXPECT_NEAR(a, expected, 0.005 * expected);
          worst = std::max(worst, std::fabs(a / expected - 1));
          // each axle: Fx R = T - f Fz R - (2 I + engine share) w'
          const CarOutputs o = sim.outputs(c);
          const double front = type == DriveType::FWD ? 1 : type == DriveType::RWD ? 0 : 0.3;
          for (int axle = 0; axle < 2; ++axle) {
            const double share = axle == 0 ? front : 1 - front;
            const double F = (share * T - (2 * wheel_inertia(s) + share * engine_at_wheels(s)) * o.ax / 0.32) / 0.32 -
                             0.015 * axle_fz(o, axle);
            EXPECT_NEAR(axle_fx(o, axle), F, 0.005 * T / 0.32) << "axle " << axle;
          }
        }
  std::printf("[ measured ] worst relative error of the acceleration %.2e\n", worst);
}

// Wheels that turn as one on tires whose radius follows the load: in a turn the outer one is smaller. What the differential takes from one
// and gives to the other is no force of the road.
TEST(Driveline, JoinedWheelsOfUnlikeRadiiKeepTheEnergy) {
  for (const Level level : {Level::L2, Level::L3, Level::L5})
    for (const Differential diff : {Differential::Locked, Differential::LSD}) {
      VehicleSpec s =
          with_tires(sedan(), [](TireSpec& t) { t.reff_breff = 8, t.reff_dreff = 0.25, t.reff_freff = 0.06; });
      s.drivetrain.differential = diff;
      s.drivetrain.lsd_preload = 0.5;
      const Commands c{.steer = 0.03, .throttle = 0.15};
      Car sim(s, flat(), level, Integrator::rk4, {.vx0 = 20});
      ASSERT_TRUE(run(sim, c, 3, kDt));
      const CarOutputs o = sim.outputs(c);
      EXPECT_GT(std::fabs(o.wheel[2].re - o.wheel[3].re), 5e-4) << name(level);
      EXPECT_EQ(o.wheel[2].omega, o.wheel[3].omega) << name(level);
      EXPECT_LT(std::fabs(sim.energy().residual()), 1e-7 * sim.energy().turned()) << name(level) << " " << int(diff);
    }
}

// With half the engine's work in its own inertia the launch slows by m_eff(0)/m_eff(I_e).
TEST(Driveline, EngineInertiaSlowsTheLaunch) {
  for (Level level : kLevels) {
    double a[2], v, m[2];
    for (int k = 0; k < 2; ++k) {
      VehicleSpec s = with_tires(sedan(), [](TireSpec& t) { t.rolling_resistance = 0; });
      s.chassis.aero_drag_coeff = 0;
      s.drivetrain.engine_rotational_inertia = k ? 2.0 : 0;
      Car sim(s, flat(), level, Integrator::rk4, {});
      a[k] = acceleration(sim, {.throttle = 0.2}, v);
      m[k] = effective_mass(s, true);
    }
    EXPECT_GT(m[1] / m[0], 1.2);
    EXPECT_NEAR(a[1] / a[0], m[0] / m[1], 0.003 * m[0] / m[1]);
  }
}

TEST(Driveline, NeutralCoastsAndHidesTheEngine) {
  for (Level level : kLevels) {
    const VehicleSpec s = sedan();
    double v;
    Car sim(s, flat(), level, Integrator::rk4, {.vx0 = 15});
    const double a = acceleration(sim, {.throttle = 1, .gear = 0}, v);  // throttle in neutral does nothing
    EXPECT_NEAR(a, -resistance(s, v) / effective_mass(s, false), 0.005 * std::fabs(a));
    Car in_gear(s, flat(), level, Integrator::rk4, {.vx0 = 15});
    const double b = acceleration(in_gear, {}, v);
    EXPECT_NEAR(b, -resistance(s, v) / effective_mass(s, true), 0.005 * std::fabs(b));
    EXPECT_GT(b, a);
  }
}

TEST(Driveline, ReverseGearIsTheMirrorOfForward) {
  for (Level level : kLevels)
    for (DriveType type : {DriveType::FWD, DriveType::RWD}) {
      // the mirror image of a rear-drive car is a front-drive car with a and b exchanged
      VehicleSpec s = sedan(), m = s;
      s.drivetrain.drive_type = type;
      m.drivetrain.drive_type = type == DriveType::RWD ? DriveType::FWD : DriveType::RWD;
      std::swap(m.chassis.cg_to_front, m.chassis.cg_to_rear);
      Car back(s, flat(), level, Integrator::rk4, {}), forth(m, flat(), level, Integrator::rk4, {});
      ASSERT_TRUE(run(back, {.throttle = 0.4, .gear = -1}, 3, kDt) && run(forth, {.throttle = 0.4, .gear = 1}, 3, kDt));
      EXPECT_LT(back.vx(), -1);
      EXPECT_NEAR(back.vx(), -forth.vx(), 1e-10);
    }
}

// ---- differentials -----------------------------------------------------------------------------------------------

namespace {
RoadSpec split(double left, double right) {
  RoadSpec r;
  r.split_mu.mu_left = left, r.split_mu.mu_right = right, r.split_mu.width = 0.2;
  return r;
}
CarOutputs launch(Differential diff, const RoadSpec& road, double throttle, double v0, double T) {
  VehicleSpec s = sedan();
  s.drivetrain.differential = diff;
  s.drivetrain.lsd_preload = 0.03,
  s.drivetrain.lsd_ramp = 0.1;  // c = 45 + 75 N m at throttle 0.5: less than the 217 that would lock it
  Car sim(s, road, Level::L2, Integrator::rk4, {.vx0 = v0});
  const Commands c{.throttle = throttle};
  EXPECT_TRUE(run(sim, c, T, kDt));
  return sim.outputs(c);
}
}  // namespace

// Split mu: the wheel on ice runs away with an open differential, less with a clutch pack, not at all when locked.
TEST(Driveline, SplitMuSpeedDifference) {
  const RoadSpec road = split(1, 0.15);
  const CarOutputs open = launch(Differential::Open, road, 0.5, 5, 1), lsd = launch(Differential::LSD, road, 0.5, 5, 1),
                   locked = launch(Differential::Locked, road, 0.5, 5, 1);
  const auto delta = [](const CarOutputs& o) { return o.wheel[3].omega - o.wheel[2].omega; };
  std::printf("[ measured ] split mu, delta omega: open %.3f, LSD %.3f, locked %.3g rad/s; vx %.3f %.3f %.3f\n",
              delta(open), delta(lsd), delta(locked), open.vx, lsd.vx, locked.vx);
  EXPECT_GT(delta(open), 1.2 * delta(lsd));
  EXPECT_GT(delta(lsd), 0.1);
  EXPECT_EQ(delta(locked), 0);
  // and the car gains what the spinning wheel no longer wastes
  EXPECT_GT(lsd.vx, open.vx);
  EXPECT_GT(locked.vx, open.vx);
  // open: both wheels get the same torque, T/2 = Fx R + I w' + engine: the gripping side cannot pull more than the slipping one spins away
  EXPECT_GT(locked.wheel[2].fx, 1.3 * open.wheel[2].fx);
}

// While its clutch slips, an LSD moves preload + ramp |T| from the fast to the slow wheel: Fx differs by 2 c/R, less I w'/R.
TEST(Driveline, LsdTransfersItsClutchTorque) {
  VehicleSpec s = sedan();
  s.drivetrain.differential = Differential::LSD;
  s.drivetrain.engine_rotational_inertia = 0;
  s.drivetrain.lsd_preload = 0.03, s.drivetrain.lsd_ramp = 0.1;
  Car sim(s, split(1, 0.1), Level::L2, Integrator::rk4, {.vx0 = 5});
  const Commands c{.throttle = 0.5};
  ASSERT_TRUE(run(sim, c, 1, kDt));
  const CarOutputs a = sim.outputs(c);
  ASSERT_TRUE(sim.step(c, kDt));
  const CarOutputs b = sim.outputs(c);
  ASSERT_GT(b.wheel[3].omega, b.wheel[2].omega);
  const double clutch = 0.03 * 1500 + 0.1 * 0.5 * 1500;
  double torque[2];
  for (int k = 0; k < 2; ++k) {
    const WheelOutputs &p = a.wheel[2 + k], &q = b.wheel[2 + k];
    torque[k] = wheel_inertia(s) * (q.omega - p.omega) / kDt + 0.5 * (p.fx + q.fx) * 0.32 +
                0.015 * q.fz * 0.32;  // what reaches the wheel
  }
  EXPECT_NEAR(torque[0] + torque[1], 0.5 * 1500, 0.01 * 750);
  EXPECT_NEAR(torque[0] - torque[1], 2 * clutch, 0.01 * 2 * clutch);
}

// A locked axle transfers torque in a curve although nobody drives it.
TEST(Driveline, LockedTransfersAtZeroAxleTorque) {
  for (int gear : {0, 1}) {
    CarOutputs o[3];
    int k = 0;
    for (Differential diff : {Differential::Open, Differential::Locked, Differential::LSD}) {
      VehicleSpec s = sedan();
      s.drivetrain.differential = diff;
      const Commands c{.steer = 0.15, .gear = gear};
      Car sim(s, flat(), Level::L2, Integrator::rk4, {.vx0 = 6});
      ASSERT_TRUE(run(sim, c, 1.5, kDt));
      o[k++] = sim.outputs(c);
    }
    // open: outer (right) wheel faster by r T, forces equal; locked: same speed, the inner wheel drives, the outer brakes
    EXPECT_NEAR((o[0].wheel[3].omega - o[0].wheel[2].omega) * 0.32, o[0].r * 1.55, 0.02 * o[0].r * 1.55);
    EXPECT_LT(std::fabs(o[0].wheel[2].fx - o[0].wheel[3].fx), 20);
    EXPECT_EQ(o[1].wheel[2].omega, o[1].wheel[3].omega);
    EXPECT_GT(o[1].wheel[2].fx - o[1].wheel[3].fx, 1000);
    EXPECT_LT(o[1].r, o[0].r);  // and pushes the nose out
    // LSD: no more than its preload, 2 c/R
    EXPECT_NEAR(o[2].wheel[2].fx - o[2].wheel[3].fx, 2 * 150 / 0.32, 0.05 * 2 * 150 / 0.32);
  }
}

// ---- brakes ------------------------------------------------------------------------------------------------------

TEST(Driveline, HandbrakeActsOnTheRearAxleOnly) {
  for (Level level : kLevels) {
    const VehicleSpec s = sedan();
    const Commands c{.handbrake = 0.4, .gear = 0};
    Car sim(s, flat(), level, Integrator::rk4, {.vx0 = 15});
    ASSERT_TRUE(run(sim, c, 1, kDt));
    const CarOutputs o = sim.outputs(c);
    const double front = -0.015 * axle_fz(o, 0) - 2 * wheel_inertia(s) * o.ax / (0.32 * 0.32);
    const double rear = -0.4 * 2500 / 0.32 - 0.015 * axle_fz(o, 1) - 2 * wheel_inertia(s) * o.ax / (0.32 * 0.32);
    EXPECT_NEAR(axle_fx(o, 0), front, 5);
    EXPECT_NEAR(axle_fx(o, 1), rear, 0.01 * std::fabs(rear));
    const Commands full{.handbrake = 1, .gear = 0};
    ASSERT_TRUE(run(sim, full, 0.6, kDt));
    const CarOutputs l = sim.outputs(full);
    EXPECT_EQ(l.wheel[l.wheels - 1].omega, 0);
    EXPECT_NEAR(l.wheel[0].omega * 0.32, l.vx, 0.01 * l.vx);
  }
}

TEST(Driveline, BiasSplitsThePedal) {
  for (Level level : kLevels)
    for (double bias : {0.0, 0.5, 0.62, 1.0}) {
      VehicleSpec s = sedan();
      s.brake.brake_bias_front = bias;
      const Commands c{.brake = 0.2, .gear = 0};
      Car sim(s, flat(), level, Integrator::rk4, {.vx0 = 15});
      ASSERT_TRUE(run(sim, c, 0.8, kDt));
      const CarOutputs o = sim.outputs(c);
      for (int axle = 0; axle < 2; ++axle) {
        const double T = 0.2 * 5000 * (axle == 0 ? bias : 1 - bias);
        const double F = -T / 0.32 - 0.015 * axle_fz(o, axle) - 2 * wheel_inertia(s) * o.ax / (0.32 * 0.32);
        EXPECT_NEAR(axle_fx(o, axle), F, 0.005 * 0.2 * 5000 / 0.32) << "bias " << bias << " axle " << axle;
      }
    }
}

// Dry friction: a brake never turns a wheel round and never pushes; a pedal on a standing car makes no force.
TEST(Driveline, BrakeOnAStandingCarDoesNothing) {
  for (Level level : kLevels)
    for (Law law : {Law::rolling, Law::breakaway, Law::fallback}) {
      Car sim(sedan(law), flat(), level, Integrator::rk4, {});
      ASSERT_TRUE(run(sim, {.brake = 1, .handbrake = 1}, 2, kDt));
      const CarOutputs o = sim.outputs({.brake = 1, .handbrake = 1});
      EXPECT_EQ(o.x, 0);
      EXPECT_EQ(o.vx, 0);
      for (int i = 0; i < o.wheels; ++i) EXPECT_EQ(o.wheel[i].fx, 0);
    }
}

// Held against the brake: drive torque below its capacity does not move the car, above it does.
TEST(Driveline, BrakeHoldsAgainstTheMotorUpToItsCapacity) {
  for (Level level : kLevels) {
    VehicleSpec s = sedan();
    s.brake.brake_bias_front = 0;  // rear brake against rear drive: 0.2 x 5000 = 1000 N m
    Car holds(s, flat(), level, Integrator::rk4, {}), moves(s, flat(), level, Integrator::rk4, {});
    ASSERT_TRUE(run(holds, {.throttle = 0.66, .brake = 0.2}, 3, kDt) &&
                run(moves, {.throttle = 0.8, .brake = 0.2}, 3, kDt));
    EXPECT_LT(std::fabs(holds.vx()), 1e-12);
    EXPECT_EQ(holds.outputs({.throttle = 0.66, .brake = 0.2}).wheel[1].omega, 0);
    EXPECT_NEAR(moves.vx(), 3 * (200 / 0.32 - 0.015 * 1500 * g) / effective_mass(s, true), 0.05);
  }
}
