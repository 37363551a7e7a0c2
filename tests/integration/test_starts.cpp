// SPDX-License-Identifier: Apache-2.0
// A run starts in balance: on rough roads, on slopes at speed, and at rest up to the friction limit.  [T08.12], [T19.35]
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "tests/integration/cars.hpp"
#include "tests/integration/tires.hpp"
#include "tests/short_form.hpp"
#include "vdsim/core/road/heightmap.hpp"
#include "vdsim/engine/errors.hpp"

using namespace vdsim;
using cars::name;
using cars::sedan;

namespace {

constexpr double kSlope = 0.1;
// z = kSlope x
struct Hill {
  std::vector<double> z;
  RoadGrid grid;
  Hill() : z(401 * 21), grid{401, 21, -200, -20, 1, 2, nullptr} {
    for (int j = 0; j < 21; ++j)
      for (int i = 0; i < 401; ++i) z[std::size_t(j * 401 + i)] = kSlope * (i - 200);
    grid.z = z.data();
  }
};

double drift(const VehicleSpec& s, const RoadSpec& road, Level level, Integrator method, double seconds) {
  const Commands brake{.brake = 1};
  Car car(s, road, level, method, {});
  const double x = car.outputs(brake).x, y = car.outputs(brake).y;
  double far = 0;
  for (int i = 0; i < int(seconds * 1e3); ++i) {
    if (!car.step(brake, 1e-3)) return 1e9;
    const CarOutputs o = car.glance(brake);
    far = std::fmax(far, std::hypot(o.x - x, o.y - y));
  }
  return far;
}

// Limit analysis: a car slides where some motion of it as a rigid body takes more work from gravity than friction costs. Least ratio of the
// two, over directions and turns; `pull` [N] acts in the direction phi, and what holds is against it.
double reserve(const CarOutputs& o, const ChassisSpec& c, double pull, double phi) {
  const auto ratio = [&](double way, double turn) {
    double cost = 0;
    for (int i = 0; i < o.wheels; ++i) {
      const bool single = o.wheels == 2, front = i < o.wheels / 2;
      const double x = front ? c.cg_to_front : -c.cg_to_rear,
                   y = single ? 0 : (i % 2 == 0 ? 0.5 : -0.5) * (front ? c.track_front : c.track_rear);
      cost += (single ? 2 : 1) * std::hypot(o.wheel[i].fx_peak * (std::cos(way) - turn * y),
                                            o.wheel[i].fy_peak * (std::sin(way) + turn * x));
    }
    const double work = pull * std::cos(way - phi);
    return work > 0 ? cost / work : HUGE_VAL;
  };
  double least = HUGE_VAL, way = phi, turn = 0;
  for (double size = 1; size > 1e-4; size *= 0.6) {
    const double way0 = way, turn0 = turn;
    for (int i = -5; i <= 5; ++i)
      for (int j = -5; j <= 5; ++j)
        if (const double r = ratio(way0 + 0.2 * i * size, turn0 + 0.2 * j * size); r < least)
          least = r, way = way0 + 0.2 * i * size, turn = turn0 + 0.2 * j * size;
  }
  return least;
}

}  // namespace

// Parked on roads of class E to H: in balance from the first instant, or refused with the place of the start. On H some wheels stand on
// slopes that no friction holds, and slide.
TEST(Start, BalancesOnRoughRoadsOrSaysSo) {
  int stood = 0, refused = 0;
  for (const IsoClass c : {IsoClass::E, IsoClass::F, IsoClass::G, IsoClass::H})
    for (int seed = 1; seed <= few(40, 4); ++seed)
      for (const Level level : {Level::L3, Level::L5}) {
        RoadSpec road;
        road.iso_class = c, road.psd.seed = seed;
        const Commands brake{.brake = 1};
        try {
          Car car(sedan(), road, level, Integrator::rk4, {});
          const CarOutputs start = car.outputs(brake);
          EXPECT_LT(std::fabs(start.az), c == IsoClass::H ? 1 : 0.02) << int(c) << " " << seed << " " << name(level);
          bool ok = true;
          for (int i = 0; i < 500 && ok; ++i) ok = car.step(brake, 1e-3);
          EXPECT_TRUE(ok) << int(c) << " " << seed << " " << name(level) << " " << car.time() << " " << car.why();
          const CarOutputs end = car.outputs(brake);
          EXPECT_LT(std::fabs(end.pitch - start.pitch), c == IsoClass::H ? 0.1 : 0.01)
              << int(c) << " " << seed << " " << name(level);
          EXPECT_LT(std::fabs(end.roll - start.roll), c == IsoClass::H ? 0.1 : 0.01)
              << int(c) << " " << seed << " " << name(level);
          ++stood;
        } catch (const BadInput& e) {
          EXPECT_NE(std::string(e.what()).find("finds no balance"), std::string::npos) << e.what();
          ++refused;
        }
      }
  std::printf("[ measured ] %d starts in balance, %d refused\n", stood, refused);
  EXPECT_GT(stood, 9 * refused);
}

// Driving up a hill: the velocity lies in the road. With vz = 0 the first metre pressed a front wheel with 11 kN.
TEST(Start, MovesAlongTheSlope) {
  const Hill hill;
  RoadSpec road;
  road.terrain = "hill", road.grid = &hill.grid;
  for (const Level level : {Level::L3, Level::L5})
    for (const double v : {20.0, -10.0}) {
      VehicleSpec s = sedan();
      Car car(s, road, level, Integrator::rk4, {.vx0 = v});
      const CarOutputs start = car.outputs({});
      double least = 1e9, most = 0;
      for (int i = 0; i < 500; ++i) {
        const CarOutputs o = car.glance({});
        for (const WheelOutputs& w : o.wheel) least = std::fmin(least, w.fz), most = std::fmax(most, w.fz);
        ASSERT_TRUE(car.step({}, 1e-3));
      }
      EXPECT_LT(std::fabs(start.az), 0.3) << name(level);  // placed as if held, and aerodynamic lift; vz = 0 gave 40
      EXPECT_GT(least, 0.75 * 0.25 * s.chassis.mass * 9.81) << name(level) << " " << v;
      EXPECT_LT(most, 1.35 * 0.25 * s.chassis.mass * 9.81) << name(level) << " " << v;
    }
}

// mu 0.3 (times 1.01 at these loads) holds a car on a slope of 0.29, along, across and between, and not on one of 0.33.
TEST(Start, HoldsAtRestToTheFrictionLimit) {
  struct Slope {
    double grade, bank;
    bool holds;
  };
  const auto all = [](const TireSpec& t) { return cars::with_tires(sedan(), [&](TireSpec& each) { each = t; }); };
  const VehicleSpec vehicles[] = {sedan(), all(cars::rally_tire()), all(cars::file_tire())};
  for (const VehicleSpec& s : vehicles)
    for (const Level level : {Level::L1, Level::L2, Level::L3, Level::L5})
      for (const Integrator method : {Integrator::rk4, Integrator::implicit})
        for (const Slope& at : {Slope{0, 0.29, true}, Slope{0.29, 0, true}, Slope{-0.29, 0, true},
                                Slope{0.2, 0.2, true}, Slope{0, 0.33, false}, Slope{0.33, 0, false}}) {
          RoadSpec road;
          road.mu = 0.3, road.grade = at.grade, road.bank = at.bank;
          const double far = drift(s, road, level, method, 3);
          EXPECT_EQ(far < 1e-3, at.holds) << name(level) << " " << name(method) << " grade " << at.grade << " bank "
                                          << at.bank << ": " << far << " m";
        }
}
// Across and along at once, on tires that grip better along: the wheels come to their limits together, within 1 %.  [T19.36]
TEST(Start, HoldsToTheLimitOfTheWholeCar) {
  VehicleSpec s = cars::with_tires(sedan(), [](TireSpec& t) { t.D_long = 1.2, t.D_lat = 0.95; });
  s.brake.max_brake_torque = 9e4;
  for (const Level level : {Level::L1, Level::L2})
    for (const auto& at : {std::pair{0.3, 1.0}, std::pair{0.5, -1.2}}) {
      const double mu = at.first, phi = at.second;
      RoadSpec road;
      const auto tilt = [&](double slope) {
        road.mu = mu, road.grade = slope * std::cos(phi), road.bank = slope * std::sin(phi);
      };
      double limit = mu;
      for (int k = 0; k < 10; ++k) {
        tilt(limit);
        const CarOutputs o = Car(s, road, level, Integrator::rk4, {}).outputs({.brake = 1});
        limit *= 1 + 0.8 * (reserve(o, s.chassis, s.chassis.mass * cars::g * limit / std::hypot(1, limit), phi) - 1);
      }
      tilt(0.99 * limit);
      EXPECT_LT(drift(s, road, level, Integrator::rk4, 3), 1e-3) << name(level) << " " << mu << " " << limit;
      tilt(1.01 * limit);
      EXPECT_GT(drift(s, road, level, Integrator::rk4, 3), 1e-2) << name(level) << " " << mu << " " << limit;
    }
}
// Without its brakes the car rolls off at once, by the slope; only its side is held. Rolling, it drifts by its slip angle, 0.1/(B C) of
// the half metre it makes in a second: 4.6 mm.
TEST(Start, RollsWhereNoBrakeHoldsIt) {
  for (const Level level : {Level::L1, Level::L2, Level::L3, Level::L5}) {
    RoadSpec road;
    road.grade = 0.1, road.bank = 0.1;
    VehicleSpec s = cars::with_tires(sedan(), [](TireSpec& t) { t.rolling_resistance = 0; });
    Car car(s, road, level, Integrator::rk4, {});
    const Commands neutral{.gear = 0};
    for (int i = 0; i < 1000; ++i) ASSERT_TRUE(car.step(neutral, 1e-3));
    const CarOutputs o = car.outputs(neutral);
    EXPECT_LT(o.vx, -0.85) << name(level);
    EXPECT_LT(std::fabs(o.y), 4.6e-3) << name(level);
  }
}
// A brake that is too weak does not hold; the handbrake alone holds by the rear wheels.
TEST(Start, HoldsByTheWheelsThatAreBraked) {
  for (const Level level : {Level::L2, Level::L5}) {
    RoadSpec road;
    road.grade = 0.15;
    const auto way = [&](const Commands& c) {
      Car car(sedan(), road, level, Integrator::rk4, {});
      for (int i = 0; i < 2000; ++i) EXPECT_TRUE(car.step(c, 1e-3));
      return std::fabs(car.outputs(c).x);
    };
    EXPECT_LT(way({.handbrake = 1}), 1e-3) << name(level);
    EXPECT_GT(way({.brake = 0.05}), 0.5) << name(level);
  }
}
