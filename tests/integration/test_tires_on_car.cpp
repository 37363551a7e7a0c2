// SPDX-License-Identifier: Apache-2.0
// Tires that differ between axles and corners, and the effective rolling radius, on a whole car.
#include <gtest/gtest.h>

#include "tests/integration/cars.hpp"

using namespace cars;

// The linear single track with its own cornering stiffness on each axle, within 1 %.
TEST(PerAxleTire, YawGainFollowsTheAxles) {
  for (double B_rear : {6.0, 8.0, 12.0})
    for (Level level : {Level::L1, Level::L2}) {
      SCOPED_TRACE(testing::Message() << name(level) << " B_lat rear " << B_rear);
      VehicleSpec s = without_losses(sedan());
      s.tire_rl.B_lat = s.tire_rr.B_lat = B_rear;
      const Commands c{.steer = 0.001};
      Car sim(s, flat(), level, Integrator::rk4, {.vx0 = 15});
      ASSERT_TRUE(run(sim, c, 4, 1e-3));
      const double r = 0.001 * linear_yaw_gain(s, sim.vx());
      EXPECT_NEAR(sim.outputs(c).r, r, 0.01 * r);
    }
}

// Full brake with one front tire of half the grip: the locked wheel of that side pulls half as hard and the car turns away.
TEST(PerWheelTire, WeakTirePullsTheCarToTheOtherSide) {
  double yaw[2];
  for (int side = 0; side < 2; ++side) {
    VehicleSpec s = without_losses(sedan());
    TireSpec& weak = side == 0 ? s.tire_fl : s.tire_fr;
    weak.mu_nominal = 0.5;
    const Commands c{.brake = 1};
    Car sim(s, flat(), Level::L2, Integrator::rk4, {.vx0 = 15});
    ASSERT_TRUE(run(sim, c, 0.5, 1e-3));
    const CarOutputs o = sim.outputs(c);
    yaw[side] = o.r;
    const WheelOutputs& w = o.wheel[side];
    const double grip = w.fx / w.fz, other = o.wheel[1 - side].fx / o.wheel[1 - side].fz;
    EXPECT_NEAR(grip / other, 0.5, 0.1)
        << "front wheels, force over load";  // load sensitivity and yaw shift it a little
  }
  EXPECT_LT(yaw[0], -0.02);  // weak on the left: to the right
  EXPECT_EQ(yaw[0], -yaw[1]) << "mirror images";
}

// A free wheel rolls at its effective radius: no slip, no force, and a faster spin than the free radius would give.
TEST(EffectiveRollingRadius, NoPhantom) {
  VehicleSpec s = without_losses(sedan());
  s = with_tires(s, [](TireSpec& t) { t.reff_breff = 8, t.reff_dreff = 0.24, t.reff_freff = 0.01; });
  for (Integrator method : {Integrator::rk4, Integrator::euler, Integrator::implicit}) {
    SCOPED_TRACE(name(method));
    Car sim(s, flat(), Level::L2, method, {.vx0 = 20});
    ASSERT_TRUE(run(sim, {}, 3, 1e-3));
    const CarOutputs o = sim.outputs({});
    EXPECT_NEAR(o.vx, 20, 1e-6);
    for (const WheelOutputs& w : o.wheel) {
      EXPECT_LT(std::fabs(w.kappa), 1e-9);
      EXPECT_LT(std::fabs(w.fx), 1e-3);
      const double q = w.fz / 4000, Re = 0.32 - 4000 / 220000.0 * (0.24 * std::atan(8 * q) + 0.01 * q);
      EXPECT_NEAR(w.omega, 20 / Re, 1e-6 * w.omega);
    }
  }
}

// Torque and slip use the same radius, so the energy balance closes with a radius that moves with the load.
TEST(EffectiveRollingRadius, EnergyBalanceCloses) {
  VehicleSpec s = sedan();
  s = with_tires(s, [](TireSpec& t) { t.reff_breff = 8, t.reff_dreff = 0.24, t.reff_freff = 0.01; });
  Car sim(s, flat(), Level::L2, Integrator::rk4, {.vx0 = 20});
  ASSERT_TRUE(run(sim, {.steer = 0.02, .throttle = 0.2}, 1, 1e-3));
  const auto balance = [&] { return sim.energy().residual(); };
  const double before = balance();
  for (int i = 0; i < 100; ++i) ASSERT_TRUE(sim.step({.steer = 0.02, .brake = 0.2}, 1e-3));
  EXPECT_NEAR(balance(), before, 100 * 1e-9 * sim.energy().kinetic);
}
