// SPDX-License-Identifier: Apache-2.0
// The rally tire on a driven and braked wheel: what its wheel does near standstill, at the long steps of a game.
#include <gtest/gtest.h>

#include <cmath>

#include "vdsim/core/vehicle/compile.hpp"
#include "vdsim/engine/step.hpp"

namespace {
using namespace vdsim;

VehicleSpec rally_car(RallyMode mode) {
  VehicleSpec v;
  for (TireSpec* t : {&v.tire_fl, &v.tire_fr, &v.tire_rl, &v.tire_rr}) {
    t->schema = TireSchema::rally_v1;
    t->rally.mode = mode;
    t->rally.moments.carcass_shear_coefficient = 0;
  }
  v.brake = {1600, 0.5, 0};             // 400 N m per wheel
  v.drivetrain.max_motor_torque = 240;  // 120 N m per rear wheel
  v.drivetrain.final_drive_ratio = 1;
  v.drivetrain.engine_rotational_inertia = 0;
  return v;
}

constexpr RallyMode kModes[] = {RallyMode::Auto, RallyMode::BrushOnly, RallyMode::PacejkaOnly};
constexpr Integrator kMethods[] = {Integrator::rk4, Integrator::euler, Integrator::implicit};

// 1 rad/s at 0.2 m/s under 400 N m, one step of 20 ms and more of 5 ms: the wheel comes to rest with the car; the brake never turns it round.
TEST(RallyWheel, BrakeStopsTheWheelAndNeverTurnsIt) {
  for (const RallyMode mode : kModes)
    for (const Integrator method : kMethods) {
      const Model<double, Level::L2> m = compile<Level::L2>(rally_car(mode), RoadSpec{});
      State<double, Level::L2> s = start<Level::L2>(m, 0, 0, 0, 0.2);
      for (auto& w : s.wheel) w.w = 1;
      const Inputs<double> brake{0, 0, 1, 0, 1};
      for (int i = 0; i < 200; ++i) {
        integrate(method, m, s, brake, brake, i == 0 ? 0.02 : 0.005);
        for (std::size_t k = 0; k < 4; ++k) {
          EXPECT_GE(s.wheel[k].w, 0) << int(mode) << int(method) << i;
          EXPECT_LE(s.wheel[k].w, 1) << int(mode) << int(method) << i;
        }
      }
      EXPECT_EQ(s.wheel[0].w, 0) << int(mode) << int(method);
      EXPECT_LT(std::fabs(s.vx), 1e-3) << int(mode) << int(method);
    }
}

// From rest under 120 N m: the driven wheels turn forward, with positive slip, and push the car forward.
TEST(RallyWheel, DriveTorqueTurnsTheWheelForward) {
  for (const RallyMode mode : kModes)
    for (const Integrator method : kMethods) {
      const Model<double, Level::L2> m = compile<Level::L2>(rally_car(mode), RoadSpec{});
      State<double, Level::L2> s = start<Level::L2>(m, 0, 0, 0, 0);
      const Inputs<double> u{0, 1, 0, 0, 1};
      double v_half = 0;
      for (int i = 0; i < 200; ++i) {
        if (i == 100) v_half = s.vx;
        integrate(method, m, s, u, u, 0.01);
        EXPECT_GT(s.wheel[2].w * m.p.wheel[2].tire.R0, 0) << int(mode) << int(method) << i;
      }
      EXPECT_GT(s.wheel[2].zx, 0);
      // two wheels of 120 N m, less rolling resistance, on the car and its four wheels; 3 % for the loss by Fx
      const double r = 0.305 - 1500 * 9.80665 / 4 / 2e5 / 3;
      const double I = m.p.axle[0].I, roll = 0.012 * 1500 * 9.80665;
      const double a = (240 / r - roll) / (1500 + 4 * I / (r * r));
      EXPECT_NEAR((s.vx - v_half) / 1.0, a, 0.03 * a) << int(mode) << int(method);
    }
}

}  // namespace
