// SPDX-License-Identifier: Apache-2.0
// Car::change: another tire, law, mode, pressure, surface, road or level between two steps. The contact force goes on, energy is
// booked, and the same car goes on with the same bits.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>

#include "tests/integration/tires.hpp"
#include "vdsim/core/tire/carry.hpp"
#include "vdsim/core/tire/compile.hpp"
#include "vdsim/engine/reflect.hpp"

using namespace cars;

namespace {

constexpr Level kLevels[] = {Level::L1, Level::L2, Level::L3, Level::L5};

TireSpec pacejka(Law law, bool belt = false) {
  TireSpec t = default_pacejka();
  set_law(t, law);
  t.belt.enabled = belt;
  if (belt) t.lugre.enabled = true, t.lugre.law = LugreLaw::breakaway;
  return t;
}
// keeps: a force of any other tire; not: only what its slip or its damping lets it.
struct Named {
  std::string name;
  TireSpec tire;
  bool keeps;
};
const std::vector<Named>& tires() {
  static const std::vector<Named> all = {{"rolling", pacejka(Law::rolling), true},
                                         {"breakaway", pacejka(Law::breakaway), false},
                                         {"belt", pacejka(Law::breakaway, true), false},
                                         {"lagged", pacejka(Law::fallback), true},
                                         {"unlagged", pacejka(Law::mf_only), false},
                                         {"rally auto", rally_tire(RallyMode::Auto), true},
                                         {"rally brush", rally_tire(RallyMode::BrushOnly), true},
                                         {"rally pacejka", rally_tire(RallyMode::PacejkaOnly), true},
                                         {"tir", file_tire(), true},
                                         {"patch average", patch_tire(PatchFidelity::average), true},
                                         {"patch exact", patch_tire(PatchFidelity::exact), true},
                                         {"patch distributed", patch_tire(PatchFidelity::distributed), true}};
  return all;
}
VehicleSpec on(const TireSpec& t) {
  VehicleSpec v = sedan();
  v.tire_fl = v.tire_fr = v.tire_rl = v.tire_rr = t;
  return v;
}
CarSetup setup_of(const VehicleSpec& v, Level level = Level::L2, const RoadSpec& road = {}) {
  CarSetup s;
  s.vehicle = v, s.level = level, s.road = road;
  return s;
}
CarSetup bend(const TireSpec& t, double speed, Level level = Level::L2) {
  CarSetup s = setup_of(on(t), level);
  s.start.vx0 = speed;
  return s;
}
void drive(Car& car, const Commands& c, int steps, double dt = 1e-3) {
  for (int i = 0; i < steps; ++i) ASSERT_TRUE(car.step(c, dt));
}
// Largest change of a wheel's force in the plane, over the largest force of a wheel.
double jump(const CarOutputs& a, const CarOutputs& b) {
  double most = 0, force = 0;
  for (int i = 0; i < a.wheels; ++i) {
    most = std::max(most, std::hypot(b.wheel[i].fx - a.wheel[i].fx, b.wheel[i].fy - a.wheel[i].fy));
    force = std::max(force, std::hypot(a.wheel[i].fx, a.wheel[i].fy));
  }
  return most / force;
}
double largest(const ForceJump& j) {
  double most = 0;
  for (int i = 0; i < j.wheels; ++i) most = std::max(most, std::hypot(j.fx[std::size_t(i)], j.fy[std::size_t(i)]));
  return most;
}

VehicleSpec equipped() {
  VehicleSpec v = sedan();
  v.powertrain.enabled = true;
  v.control.abs.enabled = v.control.esc.enabled = true;
  v.actuator.steer_lag_s = 0.05, v.actuator.drive_deadtime_s = 0.02;
  v.steering.rack.steering_dynamic = true;
  return v;
}

}  // namespace

// What carries the force already is left alone: to the last bit, at every level, with every tire and method, and whatever is fitted.
TEST(Change, TheSameCarGoesOnWithTheSameBits) {
  std::vector<CarSetup> cars;
  for (const Named& t : tires())
    for (const Level level : kLevels) cars.push_back(bend(t.tire, 18, level));
  for (const Integrator method : {Integrator::implicit, Integrator::euler}) {
    cars.push_back(bend(pacejka(Law::rolling), 18));
    cars.back().integrator = method;
  }
  for (const Level level : kLevels)
    cars.push_back(setup_of(equipped(), level, slope(0.05, 0.02))), cars.back().start.vx0 = 10;
  for (const CarSetup& s : cars) {
    SCOPED_TRACE(std::string(enum_name(s.level)) + " " + std::to_string(&s - cars.data()));
    Car a(s), b(s);
    const Commands c{.steer = 0.03, .throttle = 0.2}, brake{.steer = 0.03, .brake = 0.3};
    drive(a, c, 150), drive(b, c, 150);
    const ForceJump j = b.change(s, c);
    EXPECT_EQ(largest(j), 0);
    EXPECT_EQ(a.snapshot(), b.snapshot());
    drive(a, brake, 150), drive(b, brake, 150);
    EXPECT_EQ(a.snapshot(), b.snapshot());
    EXPECT_EQ(b.energy().changed, a.energy().changed);
    EXPECT_EQ(b.energy().changed_tires, 0);
  }
}

// Every tire after every other one, in a bend with throttle. At the change the force is the same but for the solver's tolerance; after
// that it goes its new way continuously: on the next 0.8 mm of road by less than 2 % (a contact patch of 0.14 m is the quickest). Tires
// that cannot keep every force say by how much they miss it.
TEST(Change, EveryTireCarriesTheForceOfEveryOther) {
  for (const double speed : {8.0, 20.0}) {
    const Commands c{.steer = speed < 10 ? 0.1 : 0.02, .throttle = 0.15};
    for (const Named& a : tires()) {
      Car car(bend(a.tire, speed));
      drive(car, c, 1200);
      const CarOutputs before = car.outputs(c);
      for (const Named& b : tires()) {
        SCOPED_TRACE(a.name + " -> " + b.name + " at " + std::to_string(speed));
        Car next = car;
        const ForceJump j = next.change(setup_of(on(b.tire)), c);
        const CarOutputs after = next.outputs(c);
        for (int i = 0; i < 4; ++i) {
          const std::size_t n = std::size_t(i);
          EXPECT_NEAR(after.wheel[i].fx - before.wheel[i].fx, j.fx[n], 1e-6);
          EXPECT_NEAR(after.wheel[i].fy - before.wheel[i].fy, j.fy[n], 1e-6);
        }
        if (b.keeps) {
          EXPECT_LT(jump(before, after), 1e-6);
          EXPECT_NEAR(after.ay, before.ay, 1e-5);
          ASSERT_TRUE(next.step(c, 8e-4 / speed));
          EXPECT_LT(jump(before, next.outputs(c)), 0.02);
          EXPECT_NEAR(next.outputs(c).ay, before.ay, 0.02 * before.ay);
        }
        drive(next, c, 300);
        EXPECT_LT(std::fabs(next.outputs(c).r), 1);
      }
    }
  }
}

// Between tires with relaxation lengths of 0.15 m and more a millisecond is short, too: 20 m/s is 2 cm.
TEST(Change, AMillisecondLater) {
  const Commands c{.steer = 0.1, .throttle = 0.15};
  for (const Named& a : tires()) {
    if (!a.keeps) continue;
    Car car(bend(a.tire, 8));
    drive(car, c, 1200);
    const CarOutputs before = car.outputs(c);
    for (const Named& b : tires()) {
      if (!b.keeps || b.tire.schema == TireSchema::lugre_patch_v1) continue;
      SCOPED_TRACE(a.name + " -> " + b.name);
      Car next = car;
      next.change(setup_of(on(b.tire)), c);
      drive(next, c, 1);
      EXPECT_LT(jump(before, next.outputs(c)), 0.02);
    }
  }
}

// Breakaway: carries a force below its breakaway force as long as sigma1 |v| is less than that; with a belt at any speed.
TEST(Change, BreakawayCarriesBelowItsDamping) {
  for (const double speed : {6.0, 20.0})
    for (const bool belt : {false, true}) {
      const Commands c{.steer = speed < 10 ? 0.1 : 0.02, .throttle = 0.05};
      Car car(bend(pacejka(Law::rolling), speed));
      drive(car, c, 1200);
      const CarOutputs before = car.outputs(c);
      car.change(setup_of(on(pacejka(Law::breakaway, belt))), c);
      if (belt || speed < 10)
        EXPECT_LT(jump(before, car.outputs(c)), 0.02);
      else
        EXPECT_GT(jump(before, car.outputs(c)), 0.5);
    }
}

// The law without lag has nothing to keep a force in: it is that of the slip at once. What it misses is the difference of the steady laws.
TEST(Change, WithoutALagTheForceFollowsTheSlip) {
  const Commands c{.steer = 0.02, .throttle = 0.15};
  Car car(bend(rally_tire(RallyMode::Auto), 20));
  drive(car, c, 1200);
  Car next = car;
  const ForceJump j = next.change(setup_of(on(pacejka(Law::mf_only))), c);
  const CarOutputs after = next.outputs(c);
  const WheelOutputs& w = after.wheel[0];
  EXPECT_GT(largest(j), 100);
  EXPECT_NEAR(w.fy, mf_lat(default_pacejka(), w.alpha, w.fz), 0.02 * std::fabs(w.fy));
}

// Deflections in closed form: z_new = z_old sigma0_old/sigma0_new, all that is needed where damping plays no part.
TEST(Change, BristlesAreScaledByTheirStiffness) {
  const Commands c{.steer = 0.02, .throttle = 0.15};
  for (const double sigma0 : {1e5, 1e6}) {
    Car car(bend(pacejka(Law::rolling), 20));
    drive(car, c, 1200);
    const State<double, Level::L2> before = car.motion<Level::L2>();
    car.change(setup_of(with_sigma0(on(pacejka(Law::rolling)), sigma0)), c);
    const State<double, Level::L2> after = car.motion<Level::L2>();
    for (std::size_t i = 0; i < 4; ++i) {
      EXPECT_NEAR(after.wheel[i].zx, before.wheel[i].zx * 3e5 / sigma0, 1e-3 * std::fabs(after.wheel[i].zx) + 1e-9);
      EXPECT_NEAR(after.wheel[i].zy, before.wheel[i].zy * 3e5 / sigma0, 1e-3 * std::fabs(after.wheel[i].zy));
      EXPECT_EQ(after.wheel[i].w, before.wheel[i].w);
    }
    EXPECT_EQ(after.vx, before.vx);
  }
}

// The same of one tire alone, to the last bit where the factor is a power of two; the parking torque and the roll memory likewise.
TEST(Change, StatesOfOneTireAreHandedOn) {
  TireSpec from = pacejka(Law::rolling), to = from;
  to.lugre.sigma0 *= 2, to.lugre.rolling.sigma0_lat /= 4, to.lugre.rolling.c_psi *= 2,
      to.lugre.rolling.roll_memory *= 2;
  const TireKind kind = tire_kind(from);
  const TireParams<double> old = compile_tire(from, 0.3), p = compile_tire(to, 0.3);
  WheelState<double> w{};
  w.zx = 3e-3, w.zy = -5e-3, w.pivot = 0.01, w.roll = 0.02;
  hand_states(kind, old, kind, p, Contact<double>{}, w);
  EXPECT_DOUBLE_EQ(w.zx, 1.5e-3);
  EXPECT_DOUBLE_EQ(w.zy, -2e-2);
  EXPECT_DOUBLE_EQ(w.pivot, 0.005);
  EXPECT_DOUBLE_EQ(w.roll, 0.04);
}

// A parked car with turned wheels keeps its parking torque.
TEST(Change, ParkingTorqueGoesOn) {
  const Commands c{.steer = 0.3, .brake = 1};
  Car car(setup_of(on(pacejka(Law::rolling))));
  for (int i = 0; i < 500; ++i)
    ASSERT_TRUE(car.step({.steer = 6e-4 * i, .brake = 1}, {.steer = 6e-4 * (i + 1), .brake = 1}, 1e-3));
  drive(car, c, 1000);
  const CarOutputs before = car.outputs(c);
  ASSERT_GT(std::fabs(before.wheel[0].mz), 50);
  TireSpec soft = pacejka(Law::rolling);
  soft.lugre.rolling.c_psi *= 0.6;
  car.change(setup_of(on(soft)), c);
  EXPECT_NEAR(car.outputs(c).wheel[0].mz, before.wheel[0].mz, 1e-3 * std::fabs(before.wheel[0].mz));
  EXPECT_LT(jump(before, car.outputs(c)), 1e-6);
}

// The recipe of page 23: mode, pressure and surface of a rally tire in a bend. Without it, the state kept as it is, the force jumps.
TEST(Change, RallyModePressureAndSurface) {
  const Commands c{.steer = 0.02, .throttle = 0.1};
  std::vector<TireSpec> others;
  for (const RallyMode mode : {RallyMode::BrushOnly, RallyMode::PacejkaOnly}) others.push_back(rally_tire(mode));
  for (const double kPa : {140.0, 300.0}) {
    others.push_back(rally_tire(RallyMode::Auto));
    others.back().rally.wheel.tire_pressure = kPa * 1e3;
  }
  others.push_back(rally_tire(RallyMode::Auto));
  others.back().rally.surface.friction = 0.8, others.back().rally.surface.deformation = 0.4;
  double worst = 0;
  for (const TireSpec& t : others) {
    Car car(bend(rally_tire(RallyMode::Auto), 20));
    drive(car, c, 1200);
    const CarOutputs before = car.outputs(c);
    Car kept(bend(t, 20));
    kept.set_motion<Level::L2>(car.motion<Level::L2>());
    worst = std::max(worst, jump(before, kept.outputs(c)));
    EXPECT_LT(largest(car.change(setup_of(on(t)), c)), 1e-3);
    const CarOutputs after = car.outputs(c);
    EXPECT_LT(jump(before, after), 1e-6);
    for (int i = 0; i < 4; ++i) EXPECT_EQ(after.wheel[i].t_tread, before.wheel[i].t_tread);
    drive(car, c, 1);
    EXPECT_LT(jump(before, car.outputs(c)), 0.02);
  }
  EXPECT_GT(worst, 0.2);
}

// Heat and wear stay on a rally tire, and begin anew on one that was not there.
TEST(Change, HeatBelongsToARallyTire) {
  const Commands c{.steer = 0.05, .throttle = 0.3};
  Car car(bend(rally_tire(RallyMode::Auto), 20));
  drive(car, c, 3000);
  const double warm = car.outputs(c).wheel[0].t_tread,
               fresh = Car(bend(rally_tire(RallyMode::Auto), 20)).outputs(c).wheel[0].t_tread;
  ASSERT_GT(warm, fresh + 0.1);
  car.change(setup_of(on(rally_tire(RallyMode::BrushOnly))), c);
  EXPECT_EQ(car.outputs(c).wheel[0].t_tread, warm);
  car.change(setup_of(on(pacejka(Law::rolling))), c);
  EXPECT_EQ(car.outputs(c).wheel[0].t_tread, 0);
  car.change(setup_of(on(rally_tire(RallyMode::Auto))), c);
  EXPECT_EQ(car.outputs(c).wheel[0].t_tread, fresh);
}

// A road that grips less cannot carry the force: the tires are then at its limit, and the miss is told. More grip changes nothing.
TEST(Change, LessGripCarriesWhatItCan) {
  const Commands c{.steer = 0.06};
  for (const Named& t : tires()) {
    if (!t.keeps || t.tire.schema == TireSchema::rally_v1) continue;
    SCOPED_TRACE(t.name);
    Car car(bend(t.tire, 15));
    drive(car, c, 1500);
    const CarOutputs before = car.outputs(c);
    Car icy = car;
    const ForceJump j = icy.change(setup_of(on(t.tire), Level::L2, flat(0.1)), c);
    const CarOutputs after = icy.outputs(c);
    EXPECT_GT(largest(j), 500);
    for (int i = 0; i < 4; ++i) {
      const double F = std::hypot(after.wheel[i].fx, after.wheel[i].fy),
                   most = std::hypot(before.wheel[i].fx, before.wheel[i].fy);
      EXPECT_LT(F, std::max(0.14 * after.wheel[i].fz, 1.001 * most)) << i;
      EXPECT_GT(F, std::min(0.07 * after.wheel[i].fz, 0.99 * most)) << i;
    }
    drive(icy, c, 500);
    EXPECT_LT(largest(car.change(setup_of(on(t.tire), Level::L2, flat(1.3)), c)), 1e-3);
    EXPECT_LT(jump(before, car.outputs(c)), 1e-6);
  }
}

// A car that bristles hold on a slope stands on when they become softer, stiffer or those of another tire, and at another level.
TEST(Change, ACarHeldOnASlopeStands) {
  const Commands c{.brake = 1};
  const RoadSpec hill = slope(0.2);
  std::vector<std::pair<std::string, CarSetup>> others;
  for (const double sigma0 : {1e5, 1e6})
    others.push_back({"sigma0", setup_of(with_sigma0(on(pacejka(Law::rolling)), sigma0), Level::L2, hill)});
  others.push_back({"rally", setup_of(on(rally_tire(RallyMode::Auto)), Level::L2, hill)});
  others.push_back({"tir", setup_of(on(file_tire()), Level::L2, hill)});
  others.push_back({"L1", setup_of(on(pacejka(Law::rolling)), Level::L1, hill)});
  others.push_back({"L3", setup_of(on(pacejka(Law::rolling)), Level::L3, hill)});
  others.push_back({"L5", setup_of(on(pacejka(Law::rolling)), Level::L5, hill)});
  Car car(setup_of(on(pacejka(Law::rolling)), Level::L2, hill));
  drive(car, c, 5000);
  const CarOutputs before = car.outputs(c);
  for (const auto& [name, to] : others) {
    SCOPED_TRACE(name);
    Car next = car;
    EXPECT_LT(largest(next.change(to, c)), 1e-3);
    drive(next, c, 2000);
    const CarOutputs after = next.outputs(c);
    EXPECT_LT(std::hypot(after.x - before.x, after.y - before.y), on_springs(to.level) ? 1e-4 : 1e-8);
    EXPECT_LT(std::hypot(after.vx, after.vy), on_springs(to.level) ? 1e-6 : 1e-8);
  }
}

// Bristles take over what the low-speed fallback held: a car that crept stands.
TEST(Change, BristlesTakeOverFromTheFallback) {
  const Commands c{.brake = 1};
  Car car(setup_of(sedan(Law::fallback), Level::L2, slope(0.2)));
  drive(car, c, 3000);
  const CarOutputs before = car.outputs(c);
  ASSERT_GT(std::fabs(before.vx), 1e-4);
  EXPECT_LT(largest(car.change(setup_of(sedan(Law::rolling), Level::L2, slope(0.2)), c)), 1e-3);
  EXPECT_LT(jump(before, car.outputs(c)), 1e-6);
  drive(car, c, 3000);
  EXPECT_LT(std::fabs(car.vx()), 1e-9);
  EXPECT_NEAR(car.outputs(c).x, before.x, 1e-3);
}

// Energy: what the change adds is booked, so the balance is as closed after it as before.
TEST(Change, EnergyIsBooked) {
  const Commands c{.steer = 0.02, .throttle = 0.15};
  for (const Named& a : tires()) {
    if (!a.keeps) continue;
    Car begun(bend(a.tire, 15));
    drive(begun, c, 500);
    const EnergyBalance before = begun.energy();
    for (const Named& b : tires()) {
      if (!b.keeps) continue;
      SCOPED_TRACE(a.name + " -> " + b.name);
      Car car = begun;
      car.change(setup_of(on(b.tire), &a == &b ? Level::L2 : Level::L3), c);
      const EnergyBalance after = car.energy();
      EXPECT_NEAR(after.residual(), before.residual(), 1e-9 * before.kinetic);
      EXPECT_NEAR(after.slip(), before.slip(), 1e-9 * before.kinetic);
      EXPECT_NEAR(after.changed, after.kinetic + after.springs - before.kinetic - before.springs,
                  1e-9 * before.kinetic);
      EXPECT_NEAR(after.changed_tires, after.stored - before.stored, 1e-9 * before.kinetic);
      drive(car, c, 300);
      // RK4 of 1 ms keeps the balance of every tire to 1e-6 of what moves
      EXPECT_NEAR(car.energy().residual(), before.residual(), 1e-6 * before.kinetic);
    }
  }
}

// Every level to every other in a bend: place, heading, velocities, force per wheel (L1: per axle) and accelerations go on.
TEST(Change, EveryLevelCarriesTheForceOfEveryOther) {
  for (const Law law : {Law::rolling, Law::fallback})
    for (const Level from : kLevels)
      for (const Level to : kLevels) {
        SCOPED_TRACE(std::string(enum_name(from)) + " -> " + enum_name(to) + " " + name(law));
        const Commands c{.steer = 0.02, .throttle = 0.15};
        Car car(bend(pacejka(law), 20, from));
        drive(car, c, 3000);
        const CarOutputs before = car.outputs(c);
        EXPECT_LT(largest(car.change(setup_of(on(pacejka(law)), to), c)), 1e-4);
        EXPECT_EQ(car.level(), to);
        const CarOutputs after = car.outputs(c);
        EXPECT_NEAR(after.x, before.x, 1e-9);
        EXPECT_NEAR(after.y, before.y, 1e-9);
        EXPECT_NEAR(after.psi, before.psi, 1e-9);
        EXPECT_EQ(after.t, before.t);
        EXPECT_NEAR(after.vx, before.vx, 1e-3 * before.vx);
        EXPECT_NEAR(after.r, before.r, 1e-3 * before.r);
        // forces on the body, and then a millisecond later
        for (int later = 0; later < 2; ++later) {
          const CarOutputs o = car.outputs(c);
          EXPECT_NEAR(o.ay, before.ay, (later ? 2e-3 : 1e-3) * before.ay);
          EXPECT_NEAR(o.ax, before.ax, (later ? 2e-3 : 1e-3) * before.ay);
          for (int axle = 0; axle < 2; ++axle) {
            const auto of = [&](const CarOutputs& q, auto member) {
              return q.wheels == 2 ? 2 * q.wheel[axle].*member
                                   : q.wheel[2 * axle].*member + q.wheel[2 * axle + 1].*member;
            };
            for (const auto member : {&WheelOutputs::fx, &WheelOutputs::fy})
              EXPECT_NEAR(of(o, member), of(before, member), 0.02 * of(before, &WheelOutputs::fy));
            EXPECT_NEAR(of(o, &WheelOutputs::fz), of(before, &WheelOutputs::fz), 0.01 * of(before, &WheelOutputs::fz));
          }
          drive(car, c, 1);
        }
        // springs do not swing: no rates beyond those of the manoeuvre
        const CarOutputs calm = car.outputs(c);
        EXPECT_LT(std::fabs(calm.p) + std::fabs(calm.q), 0.006);
        drive(car, c, 1000);
        Car own(bend(pacejka(law), 20, to));
        drive(own, c, 4002);
        EXPECT_NEAR(car.outputs(c).r, own.outputs(c).r, 2e-3 * before.r);
      }
}

// From springs to springs a car goes on swinging: in the middle of a step steer loads, lean and rates go on.
TEST(Change, SpringsGoOnSwinging) {
  const Commands c{.steer = 0.12};
  for (const Level from : {Level::L3, Level::L5}) {
    const Level to = from == Level::L3 ? Level::L5 : Level::L3;
    Car car(bend(pacejka(Law::rolling), 12, from));
    drive(car, c, 250);
    const CarOutputs before = car.outputs(c);
    ASSERT_GT(std::fabs(before.p), 0.05);
    EXPECT_LT(largest(car.change(setup_of(on(pacejka(Law::rolling)), to), c)), 1e-3);
    for (int later = 0; later < 2; ++later) {
      const CarOutputs after = car.outputs(c);
      for (int i = 0; i < 4; ++i)
        EXPECT_NEAR(after.wheel[i].fz, before.wheel[i].fz, later ? 0.02 * before.wheel[i].fz : 1e-3);
      EXPECT_NEAR(after.roll, before.roll, 1e-3);
      EXPECT_NEAR(after.p, before.p, 0.05 * std::fabs(before.p));
      EXPECT_NEAR(after.ay, before.ay, 0.02 * before.ay);
      drive(car, c, 1);
    }
  }
}

// Travels carry the loads on where the tire has another vertical stiffness, or the road another height.
TEST(Change, LoadsGoOnAtTheSameLevel) {
  const Commands c{.steer = 0.03, .throttle = 0.1};
  for (const Level level : {Level::L3, Level::L5}) {
    Car car(bend(pacejka(Law::rolling), 18, level));
    drive(car, c, 700);
    const CarOutputs before = car.outputs(c);
    TireSpec soft = pacejka(Law::rolling);
    soft.tire_vertical_stiffness *= 0.7;
    EXPECT_LT(largest(car.change(setup_of(on(soft), level), c)), 1e-3);
    const CarOutputs after = car.outputs(c);
    for (int i = 0; i < 4; ++i) EXPECT_NEAR(after.wheel[i].fz, before.wheel[i].fz, 1e-3);
    drive(car, c, 1);
    for (int i = 0; i < 4; ++i) EXPECT_NEAR(car.outputs(c).wheel[i].fz, before.wheel[i].fz, 0.02 * before.wheel[i].fz);
  }
}

// Another radius: the rolling speed goes on, not the spin, or the wheels would slip by the difference.
TEST(Change, RollingSpeedGoesOn) {
  const Commands c{.throttle = 0.1};
  Car car(bend(pacejka(Law::rolling), 20));
  drive(car, c, 500);
  const CarOutputs before = car.outputs(c);
  TireSpec large = pacejka(Law::rolling);
  large.radius = 1.1 * sedan().chassis.wheel_radius_nominal;
  car.change(setup_of(on(large)), c);
  const CarOutputs after = car.outputs(c);
  for (int i = 0; i < 4; ++i) {
    EXPECT_NEAR(after.wheel[i].omega * 1.1, before.wheel[i].omega, 1e-9 * before.wheel[i].omega);
    EXPECT_NEAR(after.wheel[i].kappa, before.wheel[i].kappa, 1e-9);
  }
}

// Equipment and actuators go on; a new actuator starts at the command, a new rack at the angle of the wheels.
TEST(Change, EquipmentGoesOn) {
  Car car(setup_of(equipped()));
  const Commands c{.steer = 0.03, .throttle = 0.5};
  drive(car, c, 3000);
  const CarOutputs before = car.outputs(c);
  VehicleSpec other = equipped();
  for (TireSpec* t : {&other.tire_fl, &other.tire_fr, &other.tire_rl, &other.tire_rr}) *t = rally_tire(RallyMode::Auto);
  car.change(setup_of(other), c);
  const CarOutputs after = car.outputs(c);
  EXPECT_EQ(after.engine_speed, before.engine_speed);
  EXPECT_EQ(after.gear, before.gear);
  EXPECT_EQ(after.steer, before.steer);

  Car plain(bend(pacejka(Law::rolling), 15));
  drive(plain, c, 500);
  const CarOutputs straight = plain.outputs(c);
  VehicleSpec fitted = on(pacejka(Law::rolling));
  fitted.steering.rack.steering_dynamic = true;
  fitted.actuator.steer_lag_s = 0.2, fitted.actuator.drive_lag_s = 0.3;
  plain.change(setup_of(fitted), c);
  drive(plain, c, 1);
  // the torsion bar takes up the aligning moment: 2 %
  EXPECT_NEAR(plain.outputs(c).steer, straight.steer, 0.02 * straight.steer);
  EXPECT_NEAR(plain.outputs(c).ax, straight.ax, 0.02);
}

// A refused change changes nothing.
TEST(Change, RefusedChangesNothing) {
  const Commands c{.steer = 0.02};
  Car car(bend(pacejka(Law::rolling), 20));
  drive(car, c, 300);
  const auto before = car.snapshot();
  CarSetup bad = bend(pacejka(Law::rolling), 20);
  bad.vehicle.chassis.mass = -1, bad.road.mu = -2;
  try {
    car.change(bad, c);
    FAIL();
  } catch (const BadInput& e) {
    EXPECT_GE(e.lines.size(), 2u);  // every fault
  }
  EXPECT_THROW(car.change(bend(pacejka(Law::rolling), 20), {.throttle = 2}), BadInput);
  EXPECT_EQ(car.snapshot(), before);

  CarSetup flies = bend(pacejka(Law::rolling), 20, Level::L5);
  flies.start.z0 = 1;
  Car high(flies);
  drive(high, c, 100);
  const auto above = high.snapshot();
  EXPECT_THROW(high.change(setup_of(flies.vehicle, Level::L2), c), BadInput);
  EXPECT_EQ(high.snapshot(), above);
  high.change(setup_of(on(rally_tire(RallyMode::Auto)), Level::L5), c);  // at the same level it may fly
  drive(high, c, 500);
}

// A snapshot after a change is one of the new car; one before it is refused. The order of looking does not matter.
TEST(Change, SnapshotsAreOfTheNewCar) {
  const Commands c{.steer = 0.02, .throttle = 0.2};
  const CarSetup a = bend(pacejka(Law::rolling), 20), b = bend(rally_tire(RallyMode::Auto), 20),
                 l3 = bend(pacejka(Law::rolling), 20, Level::L3);
  for (const CarSetup& to : {b, l3}) {
    Car car(a), looked(a);
    drive(car, c, 300), drive(looked, c, 300);
    const auto old = car.snapshot();
    looked.outputs(c), looked.glance({});
    car.change(to, c), looked.change(to, c);
    EXPECT_EQ(car.snapshot(), looked.snapshot());
    EXPECT_EQ(car.model_hash(), Car(to).model_hash());
    EXPECT_FALSE(car.restore(old));
    const auto saved = car.snapshot();
    Car other(to);
    ASSERT_TRUE(other.restore(saved));
    drive(car, c, 200), drive(other, c, 200);
    EXPECT_EQ(car.snapshot(), other.snapshot());
    EXPECT_EQ(other.energy().changed, car.energy().changed);
    EXPECT_NEAR(car.time(), 0.5, 1e-9);
    EXPECT_EQ(car.steps(), 500);
  }
}

// Anything at any moment: parked, spinning wheels, locked wheels, reversing, levels and tires at random. Numbers stay finite.
TEST(Change, AtAnyMoment) {
  std::mt19937 random(7);
  const auto pick = [&](int n) { return int(random() % unsigned(n)); };
  for (int run = 0; run < 40; ++run) {
    SCOPED_TRACE(run);
    CarSetup s =
        setup_of(on(tires()[std::size_t(pick(12))].tire), kLevels[pick(4)], slope(0.1 * pick(2), 0.05 * pick(2)));
    s.start.vx0 = 12.0 * pick(3) - 4;
    Car car(s);
    for (int k = 0; k < 8; ++k) {
      Commands c{.steer = 0.1 * (pick(5) - 2), .throttle = 0.5 * pick(3), .brake = 0.5 * pick(3)};
      c.gear = pick(4) ? 1 : -1;
      drive(car, c, 40 + pick(200));
      s.vehicle = on(tires()[std::size_t(pick(12))].tire);
      s.level = kLevels[pick(4)];
      s.road.mu = 0.2 + 0.4 * pick(3);
      s.integrator = pick(3) ? Integrator::rk4 : Integrator::implicit;
      ASSERT_NO_THROW(car.change(s, c));
      ASSERT_TRUE(std::isfinite(car.outputs(c).ay));
      ASSERT_LT(std::fabs(car.outputs(c).ay), 40);
    }
  }
}
