// SPDX-License-Identifier: Apache-2.0
// The command levels against small models: wheels on a point mass, and a bicycle with linear tires.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "vdsim/core/math/real.hpp"
#include "vdsim/study/command_levels.hpp"

namespace vdsim {
namespace {

const double kPi = std::acos(-1.0);
using Points = std::vector<std::array<double, 2>>;

VehicleSpec spec(DriveType drive = DriveType::RWD) {
  VehicleSpec s;
  s.brake.max_brake_torque = 6000;
  s.brake.brake_bias_front = 0.62;
  s.drivetrain.max_motor_torque = 600;
  s.drivetrain.drive_type = drive;
  s.drivetrain.drive_split_front = 0.4;
  for (TireSpec* t : {&s.tire_fl, &s.tire_fr, &s.tire_rl, &s.tire_rr}) t->rolling_resistance = 0.015;
  return s;
}

// ------------------------------------------------------------------------------------------------ path

Points circle(double R, int n) {
  Points p;
  for (int i = 0; i < n; ++i) p.push_back({R * std::sin(2 * kPi * i / n), R - R * std::cos(2 * kPi * i / n)});
  return p;
}

TEST(Path, PassesThroughItsPointsWithContinuousCurvature) {
  const Points way{{0, 0}, {10, 1}, {18, 6}, {30, 4}, {33, -5}};
  for (const bool closed : {false, true}) {
    const Path path(way, closed);
    double s = 0;
    for (std::size_t i = 0; i < way.size(); ++i) {
      if (i > 0) s += std::hypot(way[i][0] - way[i - 1][0], way[i][1] - way[i - 1][1]);
      EXPECT_NEAR(path.at(s).x, way[i][0], 1e-12);
      EXPECT_NEAR(path.at(s).y, way[i][1], 1e-12);
      const PathPoint before = path.at(s - 1e-7), after = path.at(s + 1e-7);
      EXPECT_NEAR(before.heading, after.heading, 1e-6);
      EXPECT_NEAR(before.curvature, after.curvature, 1e-6);  // changes by about 0.1/m per m
    }
  }
}

// The periodic spline of a circle: fourth order in the spacing, the seam as good as any other place.
TEST(Path, CircleHasItsCurvatureEverywhere) {
  const auto worst = [](int n) {
    const Path path(circle(30, n), true);
    double e = 0;
    for (int i = 0; i < 1000; ++i) {
      const PathPoint p = path.at(path.length() * i / 1000);
      e = std::max(e, std::abs(std::hypot(p.x, p.y - 30) - 30));
    }
    return e;
  };
  EXPECT_LT(worst(36), 2e-4);  // (2 pi/36)^4/384 of the radius is 7e-5
  EXPECT_NEAR(std::log2(worst(36) / worst(72)), 4, 0.2);
  const Path path(circle(30, 72), true);
  for (int i = 0; i < 100; ++i) EXPECT_NEAR(path.at(path.length() * i / 100).curvature, 1.0 / 30, 1e-4);
}

TEST(Path, StraightOnBeyondItsEnds) {
  const Path path({{0, 0}, {3, 4}}, false);
  EXPECT_NEAR(path.at(10).x, 6, 1e-12);
  EXPECT_NEAR(path.at(10).y, 8, 1e-12);
  EXPECT_NEAR(path.at(-5).x, -3, 1e-12);
  EXPECT_EQ(path.at(10).curvature, 0);
  EXPECT_NEAR(path.nearest(6, 8), 10, 1e-9);
}

// On a path that crosses itself the nearest point stays on the branch it is on.
TEST(Path, NearestPointRemembersItsBranch) {
  Points eight;
  for (int i = 0; i < 80; ++i) {
    const double q = 2 * kPi * i / 80;
    eight.push_back({40 * std::sin(q), 20 * std::sin(2 * q)});
  }
  const Path path(eight, true);
  const PathPoint begin = path.at(path.length() * 2 / 80);
  double s = path.nearest(begin.x, begin.y), gone = 0;
  for (int i = 0; i < 2000; ++i) {
    const double want = path.length() * (2.0 / 80 + double(i + 1) / 2000), off = 0.5 * std::sin(0.05 * i);
    const PathPoint p = path.at(want);
    const double next = path.nearest(p.x - off * std::sin(p.heading), p.y + off * std::cos(p.heading), s);
    const double step = std::remainder(next - s, path.length());
    ASSERT_LT(std::abs(step), 0.5) << i;
    gone += step;
    s = next;
  }
  EXPECT_NEAR(gone, path.length(), 0.5);
}

// ---------------------------------------------------------------------------------------------- torques

// Point mass on four wheels whose tires push with the slip speed; brakes and rolling resistance are dry friction.
struct MassOnWheels {
  NominalCar car;
  double gravity = 0, v = 0, w[4] = {}, fz[4] = {}, force = 0;

  MassOnWheels(const NominalCar& c, double speed, double slope = 0) : car(c), gravity(slope), v(speed) {
    for (int i = 0; i < 4; ++i) {
      w[i] = v / car.radius[i];
      fz[i] = car.mass * kGravity * (i < 2 ? car.b : car.a) / car.wheelbase / 2;
    }
  }
  CommandView view() const {
    CommandView o;
    o.vx = v;
    o.gravity = gravity;
    for (int i = 0; i < 4; ++i) o.w[i] = w[i], o.fz[i] = fz[i];
    return o;
  }
  void step(const double torque[4], const double brake[4], double h) {
    force = 0;
    for (int i = 0; i < 4; ++i) {
      const double R = car.radius[i],
                   slope = 20 * fz[i] / std::max(std::abs(v), 0.3);  // dF/d(slip speed), slip stiffness 20 Fz
      // implicit in the spin, with dry friction that can only stop it
      const double A = (car.inertia[i] + car.motor[i]) / h + R * R * slope,
                   b = (car.inertia[i] + car.motor[i]) / h * w[i] + torque[i] + R * slope * v;
      const double cap = car.rolling[i] * fz[i] * R + brake[i];
      w[i] = (b - std::clamp(b, -cap, cap)) / A;
      force += slope * (R * w[i] - v);
    }
    v += h * (force / car.mass + gravity - car.drag * v * std::abs(v) / car.mass);
  }
};

// Delivered = commanded within 0.1 %, while the car speeds up or slows down, on a slope, for every drive.
TEST(CommandLevels, ForceIsDeliveredWhileAccelerating) {
  for (const DriveType drive : {DriveType::RWD, DriveType::FWD, DriveType::AWD})
    for (const double slope : {0.0, 0.8, -0.8})
      for (const double force : {4500.0, 1200.0, 150.0, -150.0, -2000.0, -7000.0}) {
        MassOnWheels m(nominal_car(spec(drive)), 25, slope);
        const double none[4] = {};
        for (int k = 0; k < 1500; ++k) {
          const ForceSplit f = split_force(m.car, force, m.view());
          ASSERT_FALSE(f.limited);
          m.step(f.torque, none, 1e-3);
          if (k > 200) {
            ASSERT_NEAR(m.force, force, 1e-3 * std::abs(force) + 0.1) << int(drive) << ' ' << slope << " at " << m.v;
          }
        }
      }
}

// From rest the force is there too, as soon as the slip is.
TEST(CommandLevels, ForceIsDeliveredFromRest) {
  MassOnWheels m(nominal_car(spec()), 0);
  const double none[4] = {};
  for (int k = 0; k < 3000; ++k) {
    const ForceSplit f = split_force(m.car, 2000, m.view());
    m.step(f.torque, none, 1e-3);
    if (k > 1500) {
      ASSERT_NEAR(m.force, 2000, 2) << m.v;
    }
  }
  EXPECT_NEAR(m.v, 3 * 2000 / 1500.0, 0.05);
}

TEST(CommandLevels, SplitFollowsLayoutAndBias) {
  const NominalCar car = nominal_car(spec(DriveType::AWD));
  MassOnWheels m(car, 20);
  const ForceSplit d = split_force(car, 3000, m.view()), b = split_force(car, -3000, m.view());
  EXPECT_NEAR((d.torque[0] + d.torque[1]) / (d.torque[0] + d.torque[1] + d.torque[2] + d.torque[3]), 0.4, 1e-12);
  EXPECT_NEAR((b.torque[0] + b.torque[1]) / (b.torque[0] + b.torque[1] + b.torque[2] + b.torque[3]), 0.62, 1e-12);
  for (const ForceSplit& f : {d, b}) {
    EXPECT_EQ(f.torque[0], f.torque[1]);
    EXPECT_EQ(f.torque[2], f.torque[3]);
  }
  EXPECT_NEAR(d.force[0] + d.force[1] + d.force[2] + d.force[3], 3000, 1e-9);
  EXPECT_NEAR(b.force[0] + b.force[1] + b.force[2] + b.force[3], -3000, 1e-9);
  // rear drive: the front wheels are dragged along by their contact force, the rear ones pay for it
  const NominalCar rear = nominal_car(spec());
  const ForceSplit r = split_force(rear, 3000, m.view());
  EXPECT_EQ(r.torque[0], 0);
  EXPECT_LT(r.force[0], 0);
  EXPECT_GT(r.force[2], 1500);
}

// Beyond the motor the split says so, and reports the force that comes.
TEST(CommandLevels, LimitIsReportedAndTrue) {
  MassOnWheels m(nominal_car(spec()), 20);
  const double none[4] = {};
  ForceSplit f{};
  for (int k = 0; k < 500; ++k) {
    f = split_force(m.car, 20000, m.view());
    m.step(f.torque, none, 1e-3);
  }
  EXPECT_TRUE(f.limited);
  EXPECT_NEAR(f.torque[2] + f.torque[3], m.car.max_drive, 1e-9);
  EXPECT_NEAR(f.force[0] + f.force[1] + f.force[2] + f.force[3], m.force, 5e-3 * m.force);
}

TEST(CommandLevels, NumbersOfTheCar) {
  const NominalCar c = nominal_car(spec());
  EXPECT_NEAR(c.inertia[0], 2.048, 1e-12);
  EXPECT_NEAR(c.inertia[2], 2.048, 1e-12);
  EXPECT_NEAR(c.motor[2], 0.25 * 25 / 2, 1e-12);
  // cornering stiffness of the magic formula: B C D Fz per tire
  EXPECT_NEAR(c.cornering_front, 8 * 1.3 * 1500 * kGravity * 1.5 / 2.7, 2e-3 * c.cornering_front);
  EXPECT_NEAR(c.understeer, 0, 1e-4);  // proportional to the load: neutral
  EXPECT_NEAR(c.rolling[3], 0.015, 1e-15);
  double drive = 0, brake = 0;
  for (int i = 0; i < 4; ++i) drive += c.drive_share[i], brake += c.brake_share[i];
  EXPECT_NEAR(drive, 1, 1e-15);
  EXPECT_NEAR(brake, 1, 1e-15);
}

// ----------------------------------------------------------------------------------------- acceleration

struct Ride {
  std::vector<double> v;
  MassOnWheels end;
};
Ride accelerate(MassOnWheels m, const NominalCar& nominal, const std::function<double(double)>& wanted, double T,
                double h = 5e-3) {
  PedalMemory memory;
  std::vector<double> v;
  for (long k = 0; k < std::lround(T / h); ++k) {
    const Pedals p = hold_acceleration(nominal, memory, wanted(double(k) * h), 1, k > 0 ? h : 0, m.view());
    EXPECT_TRUE(p.throttle == 0 || p.brake == 0);
    EXPECT_TRUE(p.throttle >= 0 && p.throttle <= 1 && p.brake >= 0 && p.brake <= 1);
    double torque[4], brake[4];
    for (int i = 0; i < 4; ++i) {
      torque[i] = p.throttle * m.car.max_drive * m.car.drive_share[i];
      brake[i] = p.brake * m.car.max_brake * m.car.brake_share[i];
    }
    for (int j = 0; j < 5; ++j) m.step(torque, brake, h / 5);
    v.push_back(m.v);
  }
  return {v, m};
}

// The acceleration is the commanded one, with the right model at once, with a wrong one (a third more mass) after the
// observer settled.
TEST(CommandLevels, AccelerationIsHeld) {
  const NominalCar car = nominal_car(spec());
  NominalCar heavy = car;
  heavy.mass += 500;
  heavy.effective_mass += 500;
  for (const double slope : {0.0, -0.8, 0.8})
    for (const double a : {2.0, 0.5, 0.0, -1.0, -4.0}) {
      const auto right = accelerate(
                             MassOnWheels(car, 20, slope), car, [&](double) { return a; }, 2)
                             .v;
      EXPECT_NEAR((right[399] - right[99]) / 1.5, a, 0.01) << slope;  // the slip settles with the speed
      const auto wrong = accelerate(
                             MassOnWheels(heavy, 20, slope), car, [&](double) { return a; }, 3)
                             .v;
      EXPECT_NEAR((wrong[599] - wrong[299]) / 1.5, a, 0.03 + 0.02 * std::abs(a)) << slope;
    }
}

// The same backward: in gear -1 a positive demand speeds up in reverse, a negative one stops there and holds.
TEST(CommandLevels, AccelerationInReverse) {
  const NominalCar car = nominal_car(spec());
  for (const double slope : {0.0, 1.0, -1.0}) {
    MassOnWheels m(car, 0, slope);
    PedalMemory memory;
    double most = -1, at3 = 0;
    for (int k = 0; k < 8000; ++k) {
      const double wanted = k < 3000 ? 1 : -1.5;
      const Pedals p = hold_acceleration(car, memory, wanted, -1, k > 0 ? 1e-3 : 0, m.view());
      double torque[4], brake[4];
      for (int i = 0; i < 4; ++i) {
        torque[i] = -p.throttle * car.max_drive * car.drive_share[i];
        brake[i] = p.brake * car.max_brake * car.brake_share[i];
      }
      m.step(torque, brake, 1e-3);
      if (k == 2999) at3 = m.v;
      most = std::max(most, m.v);
    }
    EXPECT_NEAR(at3, -3, 0.1) << slope;
    EXPECT_LT(most, slope > 0 ? 0.03 : 2.5e-3) << slope;  // uphill it rolls back until the motor has taken over
    EXPECT_LT(std::abs(m.v), 2.5e-3) << slope;
  }
}

// A car that rolls through a tight bend without slip keeps its speed by itself: what the steered wheels take along the car,
// r vy gives back, forward and backward.
TEST(CommandLevels, ATurnWithoutSlipNeedsNoForce) {
  NominalCar car = nominal_car(spec());
  car.drag = 0;
  for (double& c : car.rolling) c = 0;
  for (const double vx : {2.0, -2.0}) {
    CommandView v;
    v.vx = vx;
    v.steer = 0.1;
    v.r = vx * std::tan(0.1) / car.wheelbase;
    v.vy = car.b * v.r;
    EXPECT_NEAR(force_for_acceleration(car, 0, v), 0, 0.01 * car.mass * std::abs(v.r * v.vy)) << vx;
    PedalMemory m;
    const Pedals p = hold_acceleration(car, m, 1, vx > 0 ? 1 : -1, 0, v);
    EXPECT_NEAR(p.throttle * car.gain.throttle, 1, 1e-4) << vx;
  }
}

// Asked for more than the motor has for five seconds: as soon as the demand is back the car follows it, nothing was
// wound up.
TEST(CommandLevels, AccelerationDoesNotWindUp) {
  const NominalCar car = nominal_car(spec());
  const auto v = accelerate(
                     MassOnWheels(car, 5), car, [](double t) { return t < 5 ? 30.0 : 0.0; }, 8)
                     .v;
  EXPECT_GT(v[999] - 5, 20);
  EXPECT_NEAR(v[1199], v[1049], 0.1);  // what the slip of full throttle had taken is unlearnt
  EXPECT_NEAR(v[1599], v[1199], 0.02);
}

// A negative demand stops the car and holds it there: no overshoot, no creep, on the flat and on slopes.
TEST(CommandLevels, StopsWithoutOvershootAndHolds) {
  const NominalCar car = nominal_car(spec());
  for (const double slope : {0.0, 1.5, -1.5})
    for (const double a : {-0.5, -3.0, -6.0}) {
      const auto ride = accelerate(
          MassOnWheels(car, 8, slope), car, [&](double) { return a; }, 8 / -a + 4);
      double least = 1;
      for (const double v : ride.v) least = std::min(least, v);
      EXPECT_GT(least, -2.5e-3) << slope << ' '
                                << a;  // the tire of this model creeps under load by 1.5 m Fz/(20 Fz/0.3): 2.3 mm/s
      EXPECT_LT(std::abs(ride.v.back()), 2.5e-3);
      EXPECT_EQ(ride.end.w[0], 0);
      EXPECT_EQ(ride.end.w[2], 0);
    }
}

// ------------------------------------------------------------------------------------------- curvature, path

// Bicycle with linear tires at a held speed; all its angles are exact, so the path is the true one.
struct Bicycle {
  NominalCar car;
  double Iz = 2500, vx, x = 0, y = 0, psi = 0, vy = 0, r = 0, most = 1e9;
  Bicycle(const NominalCar& c, double speed) : car(c), vx(speed) {}

  CommandView view(double steer) const {
    CommandView o;
    o.vx = vx, o.vy = vy, o.r = r, o.psi = psi, o.x = x, o.y = y, o.steer = steer;
    return o;
  }
  struct Rates {
    double x, y, psi, vy, r;
  };
  Rates rates(double steer) const {
    const double u = std::abs(vx);
    const double vf = vy + car.a * r, sf = std::sin(steer), cf = std::cos(steer);
    const double af = std::atan2(cf * vf - sf * vx, std::abs(cf * vx + sf * vf)), ar = std::atan2(vy - car.b * r, u);
    const double F = -std::clamp(car.cornering_front * af, -most, most) * cf,
                 Q = -std::clamp(car.cornering_rear * ar, -most, most);
    return {vx * std::cos(psi) - vy * std::sin(psi), vx * std::sin(psi) + vy * std::cos(psi), r,
            (F + Q) / car.mass - vx * r, (car.a * F - car.b * Q) / Iz};
  }
  void step(double steer, double h) {
    const Bicycle y0 = *this;
    const auto go = [&](const Rates& k, double t) {
      x = y0.x + t * k.x, y = y0.y + t * k.y, psi = y0.psi + t * k.psi, vy = y0.vy + t * k.vy, r = y0.r + t * k.r;
    };
    const Rates a = rates(steer);
    go(a, h / 2);
    const Rates b = rates(steer);
    go(b, h / 2);
    const Rates c = rates(steer);
    go(c, h);
    const Rates d = rates(steer);
    const auto mean = [](double p, double q, double s, double t) { return (p + 2 * (q + s) + t) / 6; };
    go({mean(a.x, b.x, c.x, d.x), mean(a.y, b.y, c.y, d.y), mean(a.psi, b.psi, c.psi, d.psi),
        mean(a.vy, b.vy, c.vy, d.vy), mean(a.r, b.r, c.r, d.r)},
       h);
  }
};

NominalCar softer_front(double factor) {
  NominalCar c = nominal_car(spec());
  c.cornering_front *= factor;
  c.understeer = c.mass / c.wheelbase * (c.b / c.cornering_front - c.a / c.cornering_rear);
  return c;
}

// Open loop: the steady turn of a bicycle has the curvature that was asked for, forward and backward.
TEST(CommandLevels, SteerGivesTheCurvatureOfALinearCar) {
  const NominalCar car = softer_front(0.8);
  ASSERT_GT(car.understeer, 1e-3);
  for (const double v : {0.5, 3.0, 15.0, 30.0, -0.5, -3.0})
    for (const double ay : {0.1, 1.5}) {
      Bicycle b(car, v);
      const double k = std::min(ay / (v * v), 0.12), steer = steer_for_curvature(car, k, v);
      for (int i = 0; i < 8000; ++i) b.step(steer, 1e-3);
      const double got = b.r / std::hypot(b.vx, b.vy) * (v < 0 ? -1 : 1);
      EXPECT_NEAR(got, k, 0.01 * k) << v << ' ' << ay;  // slip angles of up to 0.05 rad, squared
    }
  EXPECT_EQ(steer_for_curvature(car, -0.05, 10), -steer_for_curvature(car, 0.05, 10));
  EXPECT_EQ(steer_for_curvature(car, 5, 10), car.max_steer);
}

// Closed loop: a car that understeers a lot more than the nominal model says ends up on the curvature all the same.
TEST(CommandLevels, CurvatureIsLearnt) {
  const NominalCar nominal = softer_front(1), real = softer_front(0.7);
  for (const double v : {8.0, 20.0, 35.0}) {
    Bicycle b(real, v);
    CurvatureMemory m;
    const double k = 2 / (v * v);
    double steer = 0, most = 0;
    for (int i = 0; i < 25000; ++i) {
      steer = hold_curvature(nominal, m, k, i > 0 ? 1e-3 : 0, b.view(steer));
      b.step(steer, 1e-3);
      most = std::max(most, b.r / v);
    }
    EXPECT_NEAR(b.r / v, k, 0.01 * k) << v;
    EXPECT_LT(most, 1.15 * k) << v;
  }
}

struct Track {
  double most, end, swing;  // largest offset after the run-in; offset at the end; largest offset in the last quarter
};
Track follow(const Path& path, Bicycle b, const NominalCar& nominal, double run_in, double T, double h = 1e-3) {
  PathMemory m;
  CurvatureMemory c;
  Track o{0, 0, 0};
  double steer = 0;
  for (long i = 0; i < std::lround(T / h); ++i) {
    const PathDemand d = follow_path(path, nominal, m, 8, b.view(steer));
    steer = hold_curvature(nominal, c, d.curvature, i > 0 ? h : 0, b.view(steer));
    b.step(steer, h);
    if (double(i) * h > run_in) o.most = std::max(o.most, std::abs(d.offset));
    if (double(i) * h > 0.75 * T) o.swing = std::max(o.swing, std::abs(d.offset));
    o.end = d.offset;
  }
  return o;
}

// One metre beside a straight path, from walking speed to 40 m/s: the car goes back onto it and stays, also when it
// understeers or oversteers more than the nominal model says.
TEST(CommandLevels, ReturnsToAStraightPathAtEverySpeed) {
  const Path line({{0, 0}, {5000, 0}}, false);
  const NominalCar nominal = softer_front(1);
  for (const double front : {1.0, 0.75, 1.1})
    for (const double v : {1.0, 3.0, 8.0, 15.0, 25.0, 40.0}) {
      Bicycle b(softer_front(front), v);
      b.y = 1;
      double low = 0;
      PathMemory m;
      CurvatureMemory c;
      double steer = 0, offset = 1;
      const double T = 6 * std::max(8.0, kPathTime * v) / v;  // six times the distance of the law
      for (long i = 0; i < std::lround(T / 1e-3); ++i) {
        const PathDemand d = follow_path(line, nominal, m, 8, b.view(steer));
        steer = hold_curvature(nominal, c, d.curvature, i > 0 ? 1e-3 : 0, b.view(steer));
        b.step(steer, 1e-3);
        offset = d.offset;
        low = std::min(low, offset);
      }
      EXPECT_LT(std::abs(offset), front == 0.75 ? 0.06 : 0.03)
          << v << ' ' << front;                   // wrong model: the trim is unlearnt slowly
      EXPECT_GT(low, -0.2) << v << ' ' << front;  // the law overshoots by 4 %, the yaw lag of the car adds
    }
}

TEST(CommandLevels, FollowsACircle) {
  struct Case {
    double R, v;
  };
  for (const double front : {1.0, 0.8})
    for (const Case q : {Case{8, 1}, Case{12, 5}, Case{30, 10}, Case{100, 20}, Case{400, 40}}) {
      Bicycle b(softer_front(front), q.v);
      const Path path(circle(q.R, 72), true);
      const Track t = follow(path, b, softer_front(1), 0, std::max(20.0, 60 / q.v));
      EXPECT_LT(std::abs(t.end), 0.02) << q.R << ' ' << front;
      // it starts straight ahead, as if the circle began with a kink, and has to learn a wrong model
      EXPECT_LT(t.most, front == 1 ? 0.45 : 1.2) << q.R << ' ' << front;
    }
}

// Sine of 3.5 m to each side; the lateral acceleration peaks at 4.1 m/s^2 or less.
TEST(CommandLevels, FollowsASlalom) {
  struct Case {
    double v, wave, bound;
  };
  for (const Case q :
       {Case{3, 30, 0.1}, Case{10, 60, 0.2}, Case{20, 120, 0.2}, Case{30, 180, 0.3}, Case{40, 240, 0.55}}) {
    Points way;
    for (int i = 0; i < 400; ++i) {
      const double x = q.wave * i / 24, in = std::min(1.0, x / q.wave);
      way.push_back({x, 3.5 * in * in * (3 - 2 * in) * std::sin(2 * kPi * x / q.wave) * (q.wave < 60 ? 0.6 : 1)});
    }
    const Track t = follow(Path(way, false), Bicycle(softer_front(1), q.v), softer_front(1), 0, 4 * q.wave / q.v);
    EXPECT_LT(t.most, q.bound) << q.v;
  }
}

// Two straights of 100 m and two half circles of 40 m, way points 5 m apart.
TEST(CommandLevels, FollowsAnOval) {
  Points way;
  const int n = 20, arc = 25;
  for (int side = 0; side < 2; ++side) {
    const double sx = side == 0 ? 1 : -1;
    for (int i = 0; i < n; ++i) way.push_back({sx * (-50 + 100.0 * i / n), -40 * sx});
    for (int i = 0; i < arc; ++i) {
      const double q = kPi * i / arc;
      way.push_back({sx * (50 + 40 * std::sin(q)), sx * (-40 * std::cos(q))});
    }
  }
  for (const double front : {1.0, 0.8})
    for (const double v : {5.0, 10.0, 15.0}) {
      Bicycle b(softer_front(front), v);
      b.x = -50, b.y = -40;
      const Track t = follow(Path(way, true), b, softer_front(1), 0, 900 / v);
      const Track slow = follow(Path(way, true), b, softer_front(1), 0, 900 / v, 5e-3);
      EXPECT_NEAR(slow.most, t.most, 0.03) << v;  // commands every 5 ms do as well
      EXPECT_LT(t.most, front == 1 ? 0.2 : 0.5) << v << ' ' << front;
    }
}

// The way back is found from anywhere, and a car that faces the wrong way turns round.
TEST(CommandLevels, FindsItsWayBack) {
  const Path line({{0, 0}, {5000, 0}}, false);
  Bicycle b(softer_front(1), 5);
  b.y = 25;
  b.psi = 2.9;
  b.x = 200;
  const Track t = follow(line, b, softer_front(1), 0, 60);
  EXPECT_LT(t.swing, 0.05);
}

TEST(CommandLevels, MirrorImageOfAPath) {
  Points way, other;
  for (int i = 0; i < 60; ++i) {
    way.push_back({5.0 * i, 4 * std::sin(0.3 * i)});
    other.push_back({way.back()[0], -way.back()[1]});
  }
  const Path p(way, false), q(other, false);
  Bicycle b(softer_front(1), 12), e = b;
  b.y = 0.7, e.y = -0.7;
  const Track s = follow(p, b, softer_front(0.9), 0, 10), t = follow(q, e, softer_front(0.9), 0, 10);
  EXPECT_EQ(s.most, t.most);
  EXPECT_EQ(s.end, -t.end);
}

TEST(CommandLevels, EndOfAnOpenPath) {
  const Path line({{0, 0}, {100, 0}}, false);
  const NominalCar car = nominal_car(spec());
  PathMemory m;
  CommandView v;
  v.vx = 10;
  v.x = 30;
  EXPECT_NEAR(follow_path(line, car, m, 8, v).left, 70, 1e-9);
  v.x = 110;
  EXPECT_NEAR(follow_path(line, car, m, 8, v).left, -10, 1e-9);
  PathMemory n;
  EXPECT_EQ(follow_path(Path(circle(20, 30), true), car, n, 8, v).left, INFINITY);
}

}  // namespace
}  // namespace vdsim
