// SPDX-License-Identifier: Apache-2.0
// What a car saves and what it shows: state lists, snapshots, signals, evaluations, refusals.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <numbers>
#include <set>

#include "tests/integration/cars.hpp"
#include "vdsim/config/catalog.hpp"
#include "vdsim/config/scenario.hpp"
#include "vdsim/core/tire/patch.hpp"
#include "vdsim/engine/car_state.hpp"
#include "vdsim/engine/step_limit.hpp"
#include "vdsim/engine/validate.hpp"
#include "vdsim/formats/road_file.hpp"
#include "vdsim/study/maneuver/maneuver_run.hpp"
#include "vdsim/study/run.hpp"

using namespace cars;

namespace {

// Bytes of `object` that no leaf of its list covers.
template <class S> std::size_t uncovered(S& object) {
  std::vector<bool> covered(sizeof object);
  const char* begin = reinterpret_cast<const char*>(&object);
  const std::function<void(const StateList&)> walk = [&](const StateList& list) {
    using Kind = FieldRef::Kind;
    for (const FieldRef& f : list) {
      if (f.kind == Kind::block || f.kind == Kind::blocks) {
        for (int i = 0; i < (f.kind == Kind::block ? 1 : f.count); ++i) walk(f.block(i));
        continue;
      }
      const std::size_t size = f.kind == Kind::list      ? sizeof(double) * std::size_t(f.count)
                               : f.kind == Kind::flag    ? sizeof(bool)
                               : f.kind == Kind::integer ? sizeof(int)
                                                         : sizeof(double);
      const std::ptrdiff_t at = static_cast<const char*>(f.data) - begin;
      for (std::size_t k = 0; k < size; ++k) {
        EXPECT_FALSE(covered.at(std::size_t(at) + k)) << f.name << " twice";
        covered.at(std::size_t(at) + k) = true;
      }
    }
  };
  walk(state_of_struct(object));
  return std::size_t(std::count(covered.begin(), covered.end(), false));
}

Car parked(const VehicleSpec& spec, Level level = Level::L2, double vx0 = 0) {
  return Car(spec, RoadSpec{}, level, Integrator::rk4, {0, 0, 0, vx0});
}

}  // namespace

// The lists name every byte of what persists; only padding after flags and counts is left out.
TEST(CarState, ListsCoverEveryByte) {
  State<double, Level::L1> l1{};
  State<double, Level::L2> l2{};
  State<double, Level::L3> l3{};
  State<double, Level::L5> l5{};
  EquipmentState<double> equipment{};
  std::array<ActuatorState<double>, 1> actuator{};
  PatchMemory<double> patch{};
  CarClock clock{};
  BalanceState balance{};
  LastStep last{};
  EXPECT_EQ(uncovered(l1), 0u);
  EXPECT_EQ(uncovered(l2), 0u);
  EXPECT_EQ(uncovered(l3), 0u);
  EXPECT_EQ(uncovered(l5), 0u);
  EXPECT_EQ(uncovered(equipment), 0u);
  EXPECT_EQ(uncovered(actuator[0]), 0u);
  EXPECT_EQ(uncovered(patch), 0u);
  EXPECT_EQ(uncovered(clock), 0u);
  EXPECT_EQ(uncovered(balance), 0u);
  EXPECT_EQ(uncovered(last), sizeof(double) - sizeof(bool));
}

TEST(CarState, LayoutIsNamesKindsAndUnits) {
  double a = 1, b = 2;
  const auto hash = [&](const char* name, const char* unit) { return layout_hash({state(name, a, unit, "x")}); };
  EXPECT_EQ(hash("v", "m/s"), layout_hash({state("v", b, "m/s", "another meaning")}));
  EXPECT_NE(hash("v", "m/s"), hash("w", "m/s"));
  EXPECT_NE(hash("v", "m/s"), hash("v", "m"));
  int i = 0;
  EXPECT_NE(hash("v", "m/s"), layout_hash({state("v", i, "m/s", "x")}));
}

TEST(CarState, DamagedOrForeignSnapshotChangesNothing) {
  Car car = parked(sedan(Law::rolling), Level::L2, 10);
  const auto before = car.snapshot();
  for (int k = 0; k < 50; ++k) ASSERT_TRUE(car.step({.steer = 0.02}, 1e-3));
  const auto now = car.snapshot();
  for (std::size_t at : {std::size_t(3), std::size_t(9), std::size_t(20), before.size() / 2, before.size() - 1}) {
    auto bad = before;
    bad[at] ^= std::byte{4};
    EXPECT_FALSE(car.restore(bad)) << at;
  }
  EXPECT_FALSE(car.restore(std::span(before).first(before.size() - 8)));
  VehicleSpec heavier = sedan(Law::rolling);
  heavier.chassis.mass += 1, heavier.chassis.mass_sprung += 1;
  EXPECT_FALSE(parked(heavier).restore(before));
  EXPECT_EQ(car.snapshot(), now);
  EXPECT_TRUE(car.restore(before));
  EXPECT_EQ(car.snapshot(), before);
}

// A snapshot belongs to the road it was made on, to the last height of its file.
TEST(CarState, AnotherOpenCrgFileIsRefused) {
  Errors errors;
  Warnings warnings;
  const std::string folder = std::string(VDSIM_SOURCE_DIR) + "/configs/roads/";
  auto ring = load_road(folder + "s_bend.crg", errors, warnings);
  ASSERT_TRUE(ring && errors.empty());
  CrgView view = ring->crg->view();
  RoadSpec road;
  road.crg = &view;
  const Car car(sedan(Law::rolling), road, Level::L3, Integrator::rk4, {});
  EXPECT_TRUE(Car(sedan(Law::rolling), road, Level::L3, Integrator::rk4, {}).restore(car.snapshot()));
  std::vector<float> z32;
  std::vector<double> z64;
  const std::size_t count = std::size_t(view.nu) * std::size_t(view.nv);
  CrgView other = view;
  if (view.z32) {
    z32.assign(view.z32, view.z32 + count), z32.back() += 1e-3f;
    other.z32 = z32.data();
  } else {
    z64.assign(view.z64, view.z64 + count), z64.back() += 1e-3;
    other.z64 = z64.data();
  }
  road.crg = &other;
  EXPECT_FALSE(Car(sedan(Law::rolling), road, Level::L3, Integrator::rk4, {}).restore(car.snapshot()));
}

TEST(CarState, ACopyGoesItsOwnWay) {
  for (const Level level : {Level::L1, Level::L2, Level::L3, Level::L5}) {
    Car a = parked(sedan(Law::rolling), level, 15);
    for (int k = 0; k < 100; ++k) ASSERT_TRUE(a.step({.steer = 0.03, .throttle = 0.2}, 1e-3));
    Car b = a, c = a;
    const auto before = a.snapshot();
    for (int k = 0; k < 100; ++k) ASSERT_TRUE(b.step({.steer = -0.01, .brake = 0.3}, 1e-3));
    EXPECT_EQ(a.snapshot(), before);
    EXPECT_NE(b.snapshot(), before);
    for (int k = 0; k < 100; ++k) ASSERT_TRUE(c.step({.steer = -0.01, .brake = 0.3}, 1e-3));
    EXPECT_EQ(b.snapshot(), c.snapshot());
  }
}

// Whoever looks does not change what happens.
TEST(CarOutputs, LookingChangesNoBit) {
  Car plain = parked(sedan(Law::rolling), Level::L2, 12), seen = plain;
  for (int k = 0; k < 200; ++k) {
    const Commands u{.steer = 0.04 * std::sin(0.05 * k), .throttle = 0.3};
    ASSERT_TRUE(plain.step(u, 1e-3));
    seen.glance(u), seen.outputs(u);
    ASSERT_TRUE(seen.step(u, 1e-3));
  }
  EXPECT_EQ(plain.snapshot(), seen.snapshot());
}

// One evaluation serves the recorder and begins the step: 4 per step of RK4, with every row recorded and a driver on a path.
TEST(CarOutputs, FourEvaluationsPerStepOnAPath) {
  const Catalog catalog(Catalog::default_folder());
  ManeuverChanges changes;
  changes.scene.vehicle = "vehicle.sedan_vdsim07";  // without equipment, which costs an evaluation of its own
  ManeuverPlan plan = plan_maneuver(catalog, load_maneuver(catalog, "iso3888_1"), changes);
  ManeuverRun run(plan);
  for (int k = 0; k < 100; ++k) {
    run.row();
    ASSERT_TRUE(run.step());
  }
  const long before = run.car().car().evaluations();
  for (int k = 0; k < 400; ++k) {
    run.row();
    ASSERT_TRUE(run.step());
  }
  EXPECT_EQ(run.car().car().evaluations() - before, 4 * 400);
}

// The forces that a driver glances at are those of the end of the step, to the error of one stage.
TEST(CarOutputs, AGlanceIsCloseToTheWholeTruth) {
  Car car = parked(sedan(Law::rolling), Level::L2, 20);
  const Commands u{.steer = 0.05};
  for (int k = 0; k < 300; ++k) ASSERT_TRUE(car.step(u, 1e-3));
  const CarOutputs near = car.glance(u), exact = car.outputs(u);
  EXPECT_EQ(near.x, exact.x);
  EXPECT_EQ(near.r, exact.r);
  EXPECT_NEAR(near.ay, exact.ay, 1e-5 * std::abs(exact.ay));
  EXPECT_NEAR(near.wheel[0].fz, exact.wheel[0].fz, 1e-5 * exact.wheel[0].fz);
}

TEST(CarOutputs, TorquesAndPeaksByTheirLaws) {
  const VehicleSpec spec = sedan(Law::rolling);
  Car car = parked(spec, Level::L2, 20);
  // drive: half of the axle's torque each, RWD
  const CarOutputs drive = car.outputs({.throttle = 0.4});
  const double axle = 0.4 * spec.drivetrain.max_motor_torque * spec.drivetrain.final_drive_ratio;
  const double rear = axle * (1 - front_drive_share(spec.drivetrain));
  EXPECT_NEAR(drive.wheel[2].drive_torque, rear / 2, 1e-9 * axle);
  EXPECT_NEAR(drive.wheel[0].drive_torque, (axle - rear) / 2, 1e-9 * axle);
  EXPECT_EQ(drive.wheel[2].brake_torque, 0);
  // rolling resistance against the spin, and alone when nobody brakes
  for (const WheelOutputs& w : drive.wheel)
    EXPECT_NEAR(w.my, -spec.tire_fl.rolling_resistance * w.fz * w.re, 1e-6 * w.fz);
  // brake: the whole capacity against the spin
  const CarOutputs brake = car.outputs({.brake = 0.5});
  EXPECT_NEAR(brake.wheel[0].brake_torque, -0.25 * spec.brake.max_brake_torque * spec.brake.brake_bias_front,
              1e-9 * spec.brake.max_brake_torque);
  EXPECT_EQ(brake.throttle, 0);
  EXPECT_EQ(brake.brake, 0.5);
  // peak: mu Fz D of the magic formula at its nominal friction, load sensitivity included
  const TireSpec& t = spec.tire_fl;
  const double fz = brake.wheel[0].fz,
               mu = t.mu_nominal * std::max(0.3, 1 - t.load_sensitivity * (fz / t.Fz_nominal - 1));
  EXPECT_NEAR(brake.wheel[0].fy_peak, t.D_lat * mu * fz, 1e-6 * fz);
}

TEST(CarOutputs, ABrakedWheelOnASlopeIsHeldByWhatActsOnIt) {
  const VehicleSpec spec = sedan(Law::rolling);
  RoadSpec road;
  road.grade = 0.1;
  Car car(spec, road, Level::L2, Integrator::rk4, {});
  const Commands u{.brake = 1};
  for (int k = 0; k < 3000; ++k) ASSERT_TRUE(car.step(u, 1e-3));
  const CarOutputs o = car.outputs(u);
  double torque = 0, force = 0;
  for (const WheelOutputs& w : o.wheel) {
    EXPECT_EQ(w.held, 1);
    EXPECT_EQ(w.omega, 0);
    torque += w.brake_torque + w.my, force += w.fx * w.re;
  }
  // brake and rolling resistance balance the road
  EXPECT_NEAR(torque, force, 1e-9 * std::abs(force));
}

// Curvature: change of the course over the way, here by central differences; side slip angle atan(vy/vx).
TEST(CarOutputs, CurvatureAndSideSlipOfATurn) {
  Car car = parked(sedan(Law::rolling), Level::L2, 10);
  const Commands u{.steer = 0.05};
  for (int k = 0; k < 2000; ++k) ASSERT_TRUE(car.step(u, 1e-3));
  const CarOutputs before = car.outputs(u);
  ASSERT_TRUE(car.step(u, 1e-3));
  const CarOutputs now = car.outputs(u);
  ASSERT_TRUE(car.step(u, 1e-3));
  const CarOutputs after = car.outputs(u);
  const double way = std::hypot(after.x - before.x, after.y - before.y),
               turned = after.psi + after.beta - before.psi - before.beta;
  EXPECT_NEAR(now.curvature, turned / way, 1e-5 * now.curvature);
  EXPECT_GT(now.curvature, 0.01);
  EXPECT_DOUBLE_EQ(now.beta, std::atan2(now.vy, now.vx));
}

// On every level the heading counts on over whole turns.
TEST(CarOutputs, HeadingCountsOn) {
  for (const Level level : {Level::L1, Level::L2, Level::L3, Level::L5}) {
    Car car = parked(sedan(Law::rolling), level, 5);
    double before = 0;
    for (int k = 0; k < 20000; ++k) {
      ASSERT_TRUE(car.step({.steer = 0.4, .throttle = 0.12}, 1e-3));
      const double psi = car.glance({.steer = 0.4, .throttle = 0.12}).psi;
      ASSERT_LT(std::abs(psi - before), 0.1) << k;
      before = psi;
    }
    EXPECT_GT(before, 2 * std::numbers::pi) << int(level);
    EXPECT_NEAR(std::remainder(before - car.heading(), 2 * std::numbers::pi), 0, 1e-9);
  }
}

// One number that is not finite, wherever in the state, is seen.
template <Level Lv> void expect_every_number_checked() {
  State<double, Lv> s{};
  EXPECT_TRUE(finite(s));
  for (std::size_t at = 0; at < sizeof s; at += sizeof(double)) {
    State<double, Lv> bad = s;
    const double nan = std::nan("");
    std::memcpy(reinterpret_cast<char*>(&bad) + at, &nan, sizeof nan);
    EXPECT_FALSE(finite(bad)) << "byte " << at;
  }
}
TEST(CarState, FiniteCheckSeesEveryNumber) {
  expect_every_number_checked<Level::L1>();
  expect_every_number_checked<Level::L2>();
  expect_every_number_checked<Level::L3>();
  expect_every_number_checked<Level::L5>();
}

// Every signal of the table has a name of its own, a unit and a meaning, and its values come in the same order.
TEST(CarOutputs, TableAndValuesAgree) {
  for (const Level level : {Level::L1, Level::L2, Level::L3, Level::L5}) {
    const VehicleSpec spec = sedan(Law::rolling);
    const SignalScope scope = signal_scope(spec, RoadSpec{}, level);
    const std::vector<Column> columns = signals(scope);
    std::set<std::string> names;
    for (const Column& c : columns) {
      EXPECT_TRUE(names.insert(c.name).second) << c.name;
      EXPECT_FALSE(c.unit.empty()) << c.name;
      EXPECT_FALSE(c.meaning.empty()) << c.name;
    }
    Car car = parked(spec, level, 8);
    const Commands u{.steer = 0.1, .throttle = 0.25};
    std::vector<double> values;
    signal_values(scope, car.outputs(u), values);
    ASSERT_EQ(values.size(), columns.size());
    const auto value = [&](const char* name) {
      for (std::size_t i = 0; i < columns.size(); ++i)
        if (columns[i].name == name) return values[i];
      ADD_FAILURE() << "no signal " << name;
      return 0.0;
    };
    EXPECT_EQ(value("vx"), 8);
    EXPECT_EQ(value("throttle"), 0.25);
    EXPECT_EQ(value("steer_command"), 0.1);
    if (level != Level::L1) {
      EXPECT_GT(value("fz_fl"), 1000);
    }
  }
}

// Every signal of a wheel shows a number of its own: with all members different, so are all values.
TEST(CarOutputs, NoTwoSignalsShowOneMember) {
  const SignalScope scope = signal_scope(sedan(Law::rolling), RoadSpec{}, Level::L2);
  CarOutputs o{};
  static_assert(sizeof(WheelOutputs) % sizeof(double) == 0);
  double next = 1000;
  for (WheelOutputs& w : o.wheel) {
    std::vector<double> distinct(sizeof w / sizeof(double));
    for (double& x : distinct) x = ++next;
    std::memcpy(&w, distinct.data(), sizeof w);
  }
  o.wheels = 4;
  std::vector<double> values;
  signal_values(scope, o, values);
  std::set<double> seen;
  int of_wheels = 0;
  for (const double v : values)
    if (v > 1000) {
      ++of_wheels;
      EXPECT_TRUE(seen.insert(v).second) << v;
    }
  EXPECT_GE(of_wheels, 4 * 17);
}

// ----------------------------------------------------------------------------------------------------- refusals

namespace {
std::vector<std::string> refused(const VehicleSpec& spec, const RoadSpec& road = {}, Level level = Level::L2,
                                 const StartPose& pose = {}) {
  try {
    Car(spec, road, level, Integrator::rk4, pose);
  } catch (const BadInput& bad) {
    return bad.lines;
  }
  return {};
}
}  // namespace

TEST(Validate, EveryFaultAtOnceWithPathAndRange) {
  VehicleSpec s = sedan(Law::rolling);
  s.chassis.mass = -1;
  s.brake.brake_bias_front = 1.5;
  s.tire_rl.B_lat = std::nan("");
  RoadSpec road;
  road.mu = -0.5;
  EXPECT_EQ(refused(s, road, Level::L2, {.vx0 = 200}),
            (std::vector<std::string>{"chassis.mass: -1 is out of range, expected above 0 kg",
                                      "brake.brake_bias_front: 1.5 is out of range, expected 0 to 1",
                                      "tire_rl.B_lat: expected a finite number, found nan",
                                      "mu: -0.5 is out of range, expected at least 0",
                                      "vx0: 200 is out of range, expected -150 to 150 m/s"}));
}

// What YAML refuses, the API refuses with the same words.
TEST(Validate, SameWordsAsTheReader) {
  const Catalog catalog(Catalog::default_folder());
  const struct {
    const char* set;
    void (*change)(VehicleSpec&);
  } cases[] = {{"chassis.mass=0", [](VehicleSpec& s) { s.chassis.mass = 0; }},
               {"chassis.wheelbase=9", [](VehicleSpec& s) { s.chassis.wheelbase = 9; }},
               {"tire.C_lat=3",
                [](VehicleSpec& s) { s.tire_fl.C_lat = s.tire_fr.C_lat = s.tire_rl.C_lat = s.tire_rr.C_lat = 3; }},
               {"tire.combined=ellipse",
                [](VehicleSpec& s) {
                  s.tire_fl.combined = s.tire_fr.combined = s.tire_rl.combined = s.tire_rr.combined = Combined::ellipse;
                }},
               {"control.abs.slip_most=0.01", [](VehicleSpec& s) { s.control.abs.slip_most = 0.01; }}};
  for (const auto& c : cases) {
    SceneChanges changes;
    changes.set(c.set);
    std::string words;
    try {
      load_vehicle(catalog, changes);
    } catch (const BadInput& bad) {
      words = bad.lines.front();
    }
    ASSERT_FALSE(words.empty()) << c.set;
    VehicleSpec spec = load_vehicle(catalog, {});
    c.change(spec);
    const auto lines = refused(spec);
    ASSERT_FALSE(lines.empty()) << c.set;
    const std::string what = lines.front().substr(lines.front().find(": ") + 2);
    EXPECT_TRUE(words.ends_with(what)) << words << "\n" << lines.front();
  }
}

TEST(Validate, CommandsAndStepsOutOfRangeChangeNothing) {
  Car car = parked(sedan(Law::rolling), Level::L2, 10);
  const auto before = car.snapshot();
  EXPECT_THROW(car.step({.throttle = 1.6}, 1e-3), BadInput);
  EXPECT_THROW(car.step({}, {.brake = -0.1}, 1e-3), BadInput);
  EXPECT_THROW(car.step({.steer = std::nan("")}, 1e-3), BadInput);
  EXPECT_THROW(car.step({}, 0), BadInput);
  EXPECT_THROW(car.step({}, -1e-3), BadInput);
  EXPECT_THROW(car.step({}, 0.05), BadInput);
  EXPECT_EQ(car.snapshot(), before);
}

// A step too long for wheels and struts: accelerations passed 1e7 while it stepped on.
TEST(Validate, StepTooLongForTheCar) {
  VehicleSpec spec = sedan(Law::rolling);
  spec.chassis.wheel_inertia = 0.2;
  Car car(spec, RoadSpec{}, Level::L3, Integrator::rk4, {});
  const double longest = longest_step(spec, Level::L3, Integrator::rk4);
  EXPECT_LT(longest, 0.02);
  EXPECT_THROW(car.step({}, 0.02), BadInput);
  EXPECT_TRUE(car.step({}, longest));
  EXPECT_TRUE(Car(spec, RoadSpec{}, Level::L3, Integrator::implicit, {}).step({}, 0.01));
}

TEST(Validate, ATerrainThatWasNotReadIsRefused) {
  RoadSpec road;
  road.terrain = "hill.asc";
  ASSERT_EQ(refused(sedan(Law::rolling), road).size(), 1u);
}
