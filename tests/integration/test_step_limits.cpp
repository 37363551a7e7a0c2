// SPDX-License-Identifier: Apache-2.0
// Steps that are too long are refused, with one that works; what is not refused is right.  [T02.12], [T02.13], [T02.14]
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "tests/integration/cars.hpp"
#include "tests/short_form.hpp"
#include "vdsim/config/catalog.hpp"
#include "vdsim/config/scenario.hpp"
#include "vdsim/core/vehicle/compile.hpp"
#include "vdsim/engine/errors.hpp"
#include "vdsim/engine/reflect.hpp"
#include "vdsim/engine/step_limit.hpp"
#include "vdsim/study/run.hpp"

using namespace vdsim;

namespace {

const Catalog& catalog() {
  static const Catalog all(Catalog::default_folder());
  return all;
}
VehicleSpec shipped(const std::string& vehicle, const std::vector<std::string>& sets = {}) {
  SceneChanges changes;
  changes.vehicle = vehicle;
  for (const std::string& each : sets) changes.set(each);
  return load_vehicle(catalog(), changes);
}

// One run, seen ten times a second; nothing where it was refused, `failed` where it stopped with an error.
struct Seen {
  std::vector<CarOutputs> rows;
  bool failed = false;
  std::string doubt;  // that the finer run leaves
};
std::optional<Seen> drive(const std::string& scene, const std::string& vehicle, Level level, Integrator method,
                          double dt, const std::vector<std::string>& sets) {
  SceneChanges changes;
  if (!vehicle.empty()) changes.vehicle = vehicle;
  changes.set(std::string("level=") + enum_name(level));
  changes.set(std::string("solver.integrator=") + enum_name(method));
  changes.set("solver.dt=" + number_text(dt));
  for (const std::string& each : sets) changes.set(each);
  Scenario s;
  try {
    s = load_scene(catalog(), scene, changes);
  } catch (const BadInput&) {
    return {};
  }
  Seen out;
  CarRun run(s, s.cars[0]);
  FinerRun<CarRun> finer = finer_run(s, s.cars[0]);
  out.rows.push_back(run.outputs());
  while (!run.done() && !out.failed) {
    out.failed = !run.step();
    if (run.time() < 0.1 * static_cast<double>(out.rows.size()) - 1e-9) continue;
    out.rows.push_back(run.outputs());
    finer.row(run);
  }
  out.doubt = finer.doubt();
  out.failed = out.failed || !finer.fault().empty();
  return out;
}

// Largest differences over the run: of the place over the way, of speed and yaw rate over their largest values.
double error_of(const Seen& run, const Seen& truth) {
  double way = 0.1, speed = 0.1, yaw = 0.01, place = 0, dv = 0, dr = 0;
  for (std::size_t i = 0; i < truth.rows.size(); ++i) {
    const CarOutputs &a = run.rows.at(i), &b = truth.rows[i];
    if (i > 0) way += std::hypot(b.x - truth.rows[i - 1].x, b.y - truth.rows[i - 1].y);
    speed = std::fmax(speed, std::fabs(b.vx)), yaw = std::fmax(yaw, std::fabs(b.r));
    place = std::fmax(place, std::hypot(a.x - b.x, a.y - b.y));
    dv = std::fmax(dv, std::fabs(a.vx - b.vx)), dr = std::fmax(dr, std::fabs(a.r - b.r));
  }
  return std::fmax(place / way, std::fmax(dv / speed, dr / yaw));
}

struct Scene {
  const char* name;
  std::vector<std::string> sets;
};

// Every combination is within 1 % of RK4 at 0.25 ms, or refused, or stopped with an error.
void scan(const std::vector<const char*>& vehicles, const std::vector<Scene>& scenes) {
  int right = 0, refused = 0;
  for (const Scene& scene : scenes)
    for (const char* vehicle : vehicles)
      for (const Level level : {Level::L1, Level::L2, Level::L3, Level::L5}) {
        if (short_form() && (level == Level::L1 || level == Level::L5 || vehicle != vehicles.front())) continue;
        const auto truth = drive(scene.name, vehicle, level, Integrator::rk4, 2.5e-4, scene.sets);
        ASSERT_TRUE(truth && !truth->failed) << scene.name << " " << vehicle;
        for (const Integrator method : {Integrator::rk4, Integrator::euler, Integrator::implicit})
          for (const double dt : {1e-3, 2e-3, 5e-3, 1e-2, 2e-2}) {
            const auto run = drive(scene.name, vehicle, level, method, dt, scene.sets);
            if (!run || run->failed) {
              ++refused;
              continue;
            }
            ++right;
            EXPECT_LT(error_of(*run, *truth), 0.01)
                << scene.name << " " << vehicle << " " << enum_name(level) << " " << enum_name(method) << " " << dt;
          }
      }
  std::printf("[ measured ] %d runs right to 1 %%, %d refused\n", right, refused);
  EXPECT_GT(right, refused);
}

}  // namespace

TEST(StepLimits, ScanOfShippedCars) {
  scan({"vehicle.sedan_comfort", "vehicle.sports_aggressive", "vehicle.race_gt", "vehicle.fsk_formula"},
       {{"step_steer", {"duration=4"}}, {"accel_brake", {"duration=6"}}, {"lugre_grade_demo", {"duration=4"}}});
}
TEST(StepLimits, ScanOfTheHardestCar) { scan({"vehicle.fsk_formula"}, {{"step_steer", {"duration=2.5"}}}); }

// [T02.15]  What no limit of the car knows: the controller, the ground. The run is off by more than 1 %, and says so.
TEST(StepLimits, ALongStepIsHeldAgainstHalfOfIt) {
  for (const char* scene : {"rough_road", "split_mu_brake"}) {
    const auto truth = drive(scene, "", Level::L3, Integrator::rk4, 2.5e-4, {"duration=5"}),
               wrong = drive(scene, "", Level::L3, Integrator::rk4, 0.01, {"duration=5"}),
               usual = drive(scene, "", Level::L3, Integrator::rk4, 1e-3, {"duration=5"});
    ASSERT_TRUE(truth && wrong && usual);
    EXPECT_TRUE(wrong->failed) << scene;
    EXPECT_GT(error_of(*wrong, *truth), 0.01) << scene;
    EXPECT_FALSE(usual->failed || truth->failed) << scene;
    EXPECT_LT(error_of(*usual, *truth), 0.01) << scene;
  }
}

// The usual step is held against half of it as well: a car that leaves a ramp and lands with its wheels turned.
TEST(StepLimits, TheUsualStepIsHeldAgainstHalfOfIt) {
  const std::vector<std::string> sets = {"vx0=10",
                                         "duration=3",
                                         "stunt={ramp: {x0: 12, length: 3, height: 0.12, lip: 3, width: 10}}",
                                         "driver.speed=null",
                                         "driver.gear=0",
                                         "driver.steer=[[1.5, 0], [1.8, 0.02]]"};
  const char* const car = "vehicle.sedan_split_powertrain";
  const auto truth = drive("step_steer", car, Level::L5, Integrator::rk4, 1e-4, sets),
             usual = drive("step_steer", car, Level::L5, Integrator::rk4, 1e-3, sets),
             advised = drive("step_steer", car, Level::L5, Integrator::rk4, 2e-4, sets);
  ASSERT_TRUE(truth && usual && advised);
  EXPECT_FALSE(truth->failed || usual->failed || advised->failed);
  EXPECT_EQ(usual->doubt, "the yaw rate depends on the step (2 %): try solver.dt 0.0002");
  EXPECT_GT(error_of(*usual, *truth), 0.01);
  EXPECT_EQ(advised->doubt, "");
  EXPECT_LT(error_of(*advised, *truth), 0.01);
}

// A light car brakes in a bend until its wheels lock: with first order they do so a little later, and the yaw rate is off by 4 % for a
// moment, at 0.5 ms too. So is a car that stops with its wheels turned, by what half the step shows nothing of.
TEST(StepLimits, FirstOrderIsHeldAgainstRk4AtAnyStep) {
  const std::vector<std::string> sets = {"vx0=20",
                                         "duration=2",
                                         "driver.speed=null",
                                         "driver.gear=0",
                                         "driver.brake=[[1, 0], [1.15, 0.45]]",
                                         "driver.steer=[[0.2, 0], [0.5, 0.035]]"};
  const char* const car = "vehicle.fsk_formula";
  const auto truth = drive("step_steer", car, Level::L2, Integrator::rk4, 2.5e-4, sets),
             usual = drive("step_steer", car, Level::L2, Integrator::rk4, 1e-3, sets);
  ASSERT_TRUE(truth && usual);
  EXPECT_FALSE(truth->failed || usual->failed);
  EXPECT_LT(error_of(*usual, *truth), 0.01);
  for (const double dt : {5e-4, 1e-3}) {
    const auto wrong = drive("step_steer", car, Level::L2, Integrator::implicit, dt, sets);
    ASSERT_TRUE(wrong);
    EXPECT_TRUE(wrong->failed) << dt;
    EXPECT_GT(error_of(*wrong, *truth), 0.01) << dt;
  }
}

// Runs that went wrong and said nothing: each is refused now, and what is recommended instead is right.
TEST(StepLimits, RunsThatWentWrongAreRefused) {
  struct Wrong {
    VehicleSpec vehicle;
    Level level;
    Integrator method;
    double dt;
  };
  const VehicleSpec fsk = shipped("vehicle.fsk_formula");
  for (const Wrong& w :
       {Wrong{fsk, Level::L3, Integrator::implicit, 0.01}, Wrong{fsk, Level::L2, Integrator::rk4, 0.02},
        Wrong{shipped("vehicle.race_gt"), Level::L5, Integrator::implicit, 0.02},
        Wrong{shipped("vehicle.sedan_comfort", {"chassis.wheel_inertia=1e-3"}), Level::L2, Integrator::rk4, 1e-3}}) {
    const std::string fault = step_fault(w.vehicle, w.level, w.method, w.dt, true);
    EXPECT_NE(fault.find("too long for this car"), std::string::npos) << fault;
    Car car(w.vehicle, RoadSpec{}, w.level, w.method, {});
    EXPECT_THROW(car.step({}, w.dt), BadInput);
    const double longest = longest_step(w.vehicle, w.level, w.method);
    EXPECT_GT(longest, 0);
    EXPECT_LT(longest, w.dt);
    EXPECT_EQ(step_fault(w.vehicle, w.level, w.method, longest, true), "");
    EXPECT_TRUE(car.step({}, longest));
  }
}
// The table of docs/theory/02_integration.md: a row per car, a cell per level, `rk4, implicit, euler` in ms.
TEST(StepLimits, TableOfTheTheoryPage) {
  std::ifstream page(VDSIM_SOURCE_DIR "/docs/theory/02_integration.md");
  int rows = 0;
  for (std::string line; std::getline(page, line);) {
    if (!line.starts_with("| `vehicle.") || rows == few(100, 1)) continue;
    std::istringstream cells(line);
    std::string bar, vehicle, comma;
    cells >> bar >> vehicle >> bar;
    const VehicleSpec spec = shipped(vehicle.substr(1, vehicle.size() - 2));
    for (const Level level : {Level::L1, Level::L2, Level::L3, Level::L5}) {
      for (const Integrator method : {Integrator::rk4, Integrator::implicit, Integrator::euler}) {
        double ms = 0;
        cells >> ms >> comma;
        EXPECT_NEAR(1e3 * longest_step(spec, level, method), ms, 1e-9)
            << vehicle << " " << enum_name(level) << " " << enum_name(method);
      }
    }
    ++rows;
  }
  EXPECT_GE(rows, few(8, 1));
}
TEST(StepLimits, RecommendsOnlyWhatWorks) {
  const VehicleSpec fsk = shipped("vehicle.fsk_formula");
  for (const Level level : {Level::L2, Level::L3})
    for (const Integrator method : {Integrator::rk4, Integrator::euler, Integrator::implicit}) {
      const std::string fault = step_fault(fsk, level, method, 0.02, true);
      ASSERT_NE(fault, "");
      for (const Integrator other : {Integrator::rk4, Integrator::implicit})
        EXPECT_EQ(fault.find(std::string("solver.integrator ") + enum_name(other)) != std::string::npos,
                  other != method && check_step(fsk, level, other, 0.02).works())
            << fault;
    }
}
// Light wheels: spin against bristle is an oscillator of frequency w = sqrt(sigma0 R^2/I), and RK4 follows one while h w < 2 sqrt(2).
// The step is watched at 1.1 times its length. What damping is left moves the limit by some percent.
TEST(StepLimits, SpinLimitIsThatOfRk4OnAnOscillator) {
  for (const double I : {0.1, 1e-2, 1e-3, 1e-4}) {
    VehicleSpec s = cars::sedan();
    s.chassis.wheel_inertia = I;
    const auto m = compile<Level::L2>(s, RoadSpec{});
    const double w = std::sqrt(m.p.wheel[0].tire.sigma0_x / I) * m.p.wheel[0].tire.R0;
    double lo = 1e-6, hi = 0.02;
    while (hi / lo > 1.01) {
      const double mid = std::sqrt(lo * hi);
      (check_step(s, Level::L2, Integrator::rk4, mid).growth <= StepCheck::kMostGrowth ? lo : hi) = mid;
    }
    EXPECT_NEAR(1.1 * lo * w / std::sqrt(8), 1, 0.05) << I;
  }
}

// [T02.14]  Energy from nowhere stops the run within 64 steps; a state that the user sets does not.
TEST(StepLimits, EnergyFromNowhereStopsTheCar) {
  for (const bool told : {true, false}) {
    Car car(cars::sedan(), RoadSpec{}, Level::L2, Integrator::rk4, {.vx0 = 20});
    for (int i = 0; i < 100; ++i) ASSERT_TRUE(car.step({}, 1e-3));
    State<double, Level::L2> s = car.motion<Level::L2>();
    s.vx += 10;
    if (told)
      car.set_motion(s);
    else
      std::memcpy(const_cast<State<double, Level::L2>*>(&car.motion<Level::L2>()), &s, sizeof s);
    bool ok = true;
    for (int i = 0; i < 64 && ok; ++i) ok = car.step({}, 1e-3);
    EXPECT_EQ(ok, told);
    EXPECT_EQ(std::string(car.why()).find("energy") != std::string::npos, !told);
  }
}
// From 20 m the tires are pressed flat: L3 went through the road.
TEST(StepLimits, ADropThatNoTireTakesStops) {
  for (const Level level : {Level::L3, Level::L5})
    for (const double z0 : {0.3, 20.0}) {
      Car car(cars::sedan(), RoadSpec{}, level, Integrator::rk4, {.z0 = z0});
      bool ok = true;
      for (int i = 0; i < 4000 && ok; ++i) ok = car.step({.brake = 1}, 1e-3);
      EXPECT_EQ(ok, z0 < 1) << cars::name(level) << " " << car.why();
      if (!ok) {
        EXPECT_NE(std::string(car.why()).find("pressed in"), std::string::npos);
      }
    }
}
