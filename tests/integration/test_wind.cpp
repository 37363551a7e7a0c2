// SPDX-License-Identifier: Apache-2.0
// Wind: forces in closed form, balance of the car at steady running, energy, lanes; no wind, no difference.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "tests/integration/cars.hpp"
#include "vdsim/core/aero/wind.hpp"
#include "vdsim/engine/batch/lanes.hpp"
#include "vdsim/engine/errors.hpp"

namespace {
using namespace vdsim;

constexpr Level kLevels[] = {Level::L1, Level::L2, Level::L3, Level::L5};

RoadSpec windy(double speed, double direction = M_PI / 2) {
  RoadSpec r;
  r.wind.speed = speed;
  r.wind.direction = direction;
  return r;
}
Car car_on(const RoadSpec& road, Level level, double v, const VehicleSpec& s = cars::sedan()) {
  return Car(s, road, level, Integrator::rk4, {0, 0, 0, v});
}
Commands roll(double steer = 0) {
  Commands c;
  c.steer = steer;
  c.gear = 0;
  return c;
}
struct Air {
  double X, Y, Mz;
};
// 1/2 rho A c U^2 from speed and angle of the flow
Air air(const ChassisSpec& c, double U, double tau) {
  const double q = 0.5 * 1.225 * c.frontal_area * U * U, Y = -q * c.aero_side_coeff * std::sin(tau);
  return {
      -q * c.aero_drag_coeff * std::cos(tau), Y,
      0.5 * (c.cg_to_front - c.cg_to_rear) * Y - q * c.aero_yaw_coeff * c.wheelbase * std::sin(tau) * std::cos(tau)};
}

// Tires that have not yet slipped give no side force: all of it is the air's. Rounding only; on springs 2 %: the body starts to
// move before its wheels, which hang on paths of their own (total mass 1500 kg, wheels 160 kg).
TEST(Wind, SideForceOnACarThatRunsStraight) {
  for (const Level level : kLevels)
    for (const double w : {3.0, -12.0, 25.0}) {
      SCOPED_TRACE(cars::name(level));
      const ChassisSpec c = cars::sedan().chassis;
      Car car = car_on(windy(std::fabs(w), w > 0 ? M_PI / 2 : -M_PI / 2), level, 30);
      const CarOutputs o = car.outputs(roll());
      const Air a = air(c, std::hypot(30, w), std::atan2(-w, 30));
      EXPECT_NEAR(o.air_speed, std::hypot(30, w), 1e-12);
      EXPECT_NEAR(o.air_angle, std::atan2(-w, 30), 1e-12);
      EXPECT_GT(o.ay * w, 0);  // the air takes the car along
      const double share = on_springs(level) ? 0.02 : 1e-9;
      EXPECT_NEAR(c.mass * o.ay, a.Y, share * std::fabs(a.Y));
      EXPECT_NEAR(c.inertia_diag[2] * o.alpha[2], a.Mz, share * std::fabs(a.Mz));
    }
}

// Held on a straight line (wind straight across it) the axles carry force and moment of the air: a Ff - b Fr + M = 0, Ff + Fr + Y = 0.
TEST(Wind, AxlesBalanceASteadyCrossWind) {
  for (const Level level : {Level::L1, Level::L2}) {
    SCOPED_TRACE(cars::name(level));
    VehicleSpec s = cars::sedan();
    s.chassis.aero_drag_coeff = 0;
    for (TireSpec* t : {&s.tire_fl, &s.tire_fr, &s.tire_rl, &s.tire_rr}) t->rolling_resistance = 0;
    Car car = car_on(windy(15), level, 30, s);
    double steer = 0;
    for (int k = 0; k < 40000; ++k) {  // a driver that steers back
      const CarOutputs o = car.glance(roll(steer));
      steer = -0.002 * o.y - 0.2 * (o.psi + o.vy / 30);
      ASSERT_TRUE(car.step(roll(steer), 1e-3));
    }
    const CarOutputs o = car.outputs(roll(steer));
    const ChassisSpec& c = s.chassis;
    const Air a = air(c, o.air_speed, o.air_angle);
    EXPECT_NEAR(o.r, 0, 1e-5);
    const int n = o.wheels / 2;
    double F[2] = {0, 0}, M = a.Mz;
    for (int i = 0; i < o.wheels; ++i) {
      const double count = 4.0 / o.wheels, d = i < n ? steer : 0;
      F[i / n] += count * (o.wheel[i].fy * std::cos(d) + o.wheel[i].fx * std::sin(d));
      M += count * o.wheel[i].mz;
    }
    const double L = c.wheelbase, tol = 2e-3 * std::fabs(a.Y);  // Ackermann angles, fx of the two sides
    EXPECT_NEAR(F[0], -(c.cg_to_rear * a.Y + M) / L, tol);
    EXPECT_NEAR(F[1], -(c.cg_to_front * a.Y - M) / L, tol);
    EXPECT_LT(steer, 0);  // against the wind
  }
}

// Along the road: (m + sum I/R^2) dv/dt = -k (v - w)|v - w|, so u = u0/(1 + |u0| k t/m'). Slower than the wind the car is pushed.
TEST(Wind, TailWindPushesAndHeadWindBrakes) {
  VehicleSpec s = cars::sedan();
  s.chassis.aero_lift_front = s.chassis.aero_lift_rear = 0;
  for (TireSpec* t : {&s.tire_fl, &s.tire_fr, &s.tire_rl, &s.tire_rr}) t->rolling_resistance = 0;
  for (const double direction : {0.0, M_PI}) {
    Car car = car_on(windy(20, direction), Level::L1, 10, s);
    for (int k = 0; k < 10000; ++k) ASSERT_TRUE(car.step(roll(), 1e-3));
    const double w = 20 * std::cos(direction), u0 = 10 - w,
                 k = 0.5 * 1.225 * s.chassis.frontal_area * s.chassis.aero_drag_coeff;
    const double R = s.chassis.wheel_radius_nominal, I = 0.5 * s.chassis.unsprung_mass[0] * R * R;
    const double u = u0 / (1 + std::fabs(u0) * k * 10 / (s.chassis.mass + 4 * I / (R * R)));
    EXPECT_NEAR(car.vx() - w, u, 1e-4 * std::fabs(u0));  // the wheels slip by what spins them up
    EXPECT_EQ(car.energy().drag < 0, direction == 0);
  }
}

// Work of the air is booked: through a gust in a turn the balance closes, to the error of the integration.
TEST(Wind, EnergyBalanceCloses) {
  for (const Level level : kLevels) {
    SCOPED_TRACE(cars::name(level));
    RoadSpec road = windy(8, 2);
    road.wind.gust_speed = 15, road.wind.gust_start = 20, road.wind.gust_length = 40;
    Car car = car_on(road, level, 25);
    for (int k = 0; k < 4000; ++k) ASSERT_TRUE(car.step(roll(0.01), 1e-3));
    const EnergyBalance e = car.energy();
    EXPECT_GT(std::fabs(e.drag), 1e4);
    EXPECT_LT(std::fabs(e.residual()), 1e-5 * std::fabs(e.drag)) << e.residual();
  }
}

TEST(Wind, GustIsOneWaveAndContinuous) {
  WindSpec s;
  s.gust_speed = 12, s.gust_start = 30, s.gust_length = 50, s.direction = 0;
  s.speed = 4, s.from = 10, s.to = 60, s.edge = 5;
  const WindParams<double> p = compile_wind(s);
  const double h = 1e-3, steepest = M_PI * 12 / 50 + 4 * 1.875 / 5;  // of the wave, and of both ends together
  double sum = 0, before = wind_at(p, -20.0).x;
  EXPECT_EQ(before, 0);
  for (double x = -20; x < 120; x += h) {
    const double now = wind_at(p, x).x;
    EXPECT_LE(std::fabs(now - before), steepest * h * 1.001) << x;
    before = now;
    sum += now * h;
  }
  EXPECT_NEAR(sum, 12 * 50 / 2.0 + 4 * 50, 1e-2);  // half of the wave; an end is odd about its place
  EXPECT_NEAR(wind_at(p, 55.0).x, 12 + 4, 1e-12);
  EXPECT_NEAR(wind_at(p, 100.0).x, 0, 1e-14);
}

template <Level Lv> void expect_lanes() {
  RoadSpec road = windy(9, 1.2);
  road.wind.gust_speed = 10, road.wind.gust_start = 5, road.wind.gust_length = 8;
  const VehicleSpec s = cars::sedan();
  const Model<double, Lv> m = compile<Lv>(s, road);
  Lanes<Lv> batch(kernel<Lv>("double4", Numeric::exact, m), m);
  for (int i = 0; i < batch.lanes(); ++i) {
    batch.set_state(i, start<Lv>(m, 0, 0, 0, 18 + i));
    batch.set_commands(i, roll(0.01 * i));
  }
  batch.run(Integrator::rk4, 1e-3, 500);
  for (int i = 0; i < batch.lanes(); ++i) {
    Car one = car_on(road, Lv, 18 + i, s);
    for (int k = 0; k < 500; ++k) one.step(roll(0.01 * i), 1e-3);
    const State<double, Lv> lane = batch.state(i), want = one.motion<Lv>();
    EXPECT_EQ(std::memcmp(&lane, &want, sizeof want), 0) << cars::name(Lv) << " lane " << i;
    EXPECT_GT(std::fabs(want.y), 0.01);
  }
}
TEST(Wind, LanesHaveTheBitsOfTheSingleCar) {
#ifndef VDSIM_NUMERIC_FAST
  expect_lanes<Level::L1>();
  expect_lanes<Level::L2>();
  expect_lanes<Level::L3>();
  expect_lanes<Level::L5>();
#endif
}

template <Level Lv> void expect_same(const RoadSpec& road, const VehicleSpec& s) {
  Car plain = car_on({}, Lv, 20), other = car_on(road, Lv, 20, s);
  for (int k = 0; k < 500; ++k) plain.step(roll(0.05), 1e-3), other.step(roll(0.05), 1e-3);
  const State<double, Lv> a = plain.motion<Lv>(), b = other.motion<Lv>();
  EXPECT_EQ(std::memcmp(&a, &b, sizeof a), 0) << cars::name(Lv);
}
// A block of wind that does not blow, and what only wind reads, change no bit.
TEST(Wind, CalmKeepsEveryBit) {
  RoadSpec road;
  road.wind.direction = 1, road.wind.from = 3, road.wind.to = 50, road.wind.gust_length = 10;
  VehicleSpec s = cars::sedan();
  s.chassis.aero_side_coeff = 9, s.chassis.aero_yaw_coeff = -3, s.chassis.aero_rise_front = 4;
  expect_same<Level::L1>(road, s);
  expect_same<Level::L2>(road, s);
  expect_same<Level::L3>(road, s);
  expect_same<Level::L5>(road, s);
}

TEST(Wind, ContradictionsAreRefused) {
  RoadSpec road = windy(5);
  road.wind.from = 10, road.wind.to = 5;
  EXPECT_THROW(car_on(road, Level::L2, 10), BadInput);
  road = windy(5);
  road.wind.gust_speed = 5;
  EXPECT_THROW(car_on(road, Level::L2, 10), BadInput);
  EXPECT_THROW(car_on(windy(500), Level::L2, 10), BadInput);
}

}  // namespace
