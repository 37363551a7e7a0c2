// SPDX-License-Identifier: Apache-2.0
// Six ways to carry a car near standstill: what each must do by its own equations, and what the comparison says of it.
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "tests/integration/cars.hpp"
#include "vdsim/lab/low_speed_report.hpp"
#include "vdsim/study/driver.hpp"

using namespace cars;

namespace {

constexpr double kHold = 5;

const LowSpeedMethod& method(const std::string& id) {
  static const std::vector<LowSpeedMethod> all = low_speed_methods(Catalog(Catalog::default_folder()));
  for (const LowSpeedMethod& m : all)
    if (m.id == id) return m;
  throw std::out_of_range(id);
}
LowSpeedExercise exercise(const std::string& id) {
  for (const LowSpeedExercise& e : low_speed_exercises(kHold))
    if (e.id == id) return e;
  throw std::out_of_range(id);
}
LowSpeedRun measured(const std::string& who, const std::string& what) {
  return run_low_speed(method(who), exercise(what));
}

// Slip stiffness of the four tires of the standing sedan over the floor of the slip, 0.15 m/s: a damper [N s/m]
double viscous(double (*stiffness)(const TireSpec&, double, double), double cosine) {
  const VehicleSpec s = sedan();
  return 2 *
         (stiffness(s.tire_fl, cosine * static_load(s, true), 1) +
          stiffness(s.tire_rl, cosine * static_load(s, false), 1)) /
         0.15;
}

}  // namespace

// Every law in every exercise: this is what the default is for.
TEST(LowSpeedComparison, RollingLawBreaksNoLaw) {
  for (const LowSpeedExercise& e : low_speed_exercises(kHold)) {
    SCOPED_TRACE(e.id);
    const LowSpeedRun run = run_low_speed(method("rolling"), e);
    ASSERT_FALSE(run.failed());
    for (const LowSpeedMeasure& m : low_speed_measures())
      EXPECT_FALSE(m.broken(run.figures)) << m.name << " " << run.figures.*m.value;
    if (e.stand_to > e.stand_from) {
      EXPECT_LT(run.figures.drift_per_hour, 1e-9);
      EXPECT_LT(run.figures.ax_jitter, 1e-12);  // rounding
      EXPECT_LT(run.figures.fx_jitter, 1e-9);
    }
  }
}

TEST(LowSpeedComparison, RallyTireHoldsLikeTheRollingLaw) {
  EXPECT_LT(measured("rally", "grade").figures.drift_per_hour, 1e-6);
  EXPECT_LT(measured("rally", "stop").figures.speed, 1e-6);
}

// Locked wheels on a floored slip are a damper C/0.15 m/s each; the blend adds 6e4 N s/m times the pedal, VLOW 2000.
// The car creeps where the damper carries the slope. 2 %: load transfer shifts the load-sensitive stiffness.
TEST(LowSpeedComparison, DampersCreepAsTheirEquationsSay) {
  const double cosine = 1 / std::hypot(1, 0.12), weight = 1500 * g * 0.12 * cosine,
               along = viscous(slip_stiffness_long, cosine);
  const double blend = measured("blend", "grade").figures.speed, vlow = measured("vlow", "grade").figures.speed;
  EXPECT_NEAR(blend, weight / (along + 4 * 6e4 * 0.6), 0.02 * blend);
  EXPECT_NEAR(vlow, weight / (along + 4 * 2000), 0.02 * vlow);
  EXPECT_LT(blend, vlow);
  const double across = 1 / std::hypot(1, 0.10), side = measured("vlow", "side_slope").figures.speed;
  EXPECT_NEAR(side, 1500 * g * 0.10 * across / (viscous(slip_stiffness_lat, across) + 4 * 2000), 0.02 * side);
}

TEST(LowSpeedComparison, BreakawayCreepsAlongAndSticksAcross) {
  const LowSpeedFigures along = measured("breakaway", "grade").figures,
                        across = measured("breakaway", "side_slope").figures;
  EXPECT_NEAR(along.drift, along.speed * kHold, 0.01 * along.drift);  // steady
  EXPECT_NEAR(along.drift_per_hour, along.drift * 3600 / kHold, 1e-12);
  EXPECT_GT(along.speed, 5e-4);
  EXPECT_LT(across.drift_per_hour, 1e-6);
}

// tan of the slope is twice the friction: who stands there does not stand by friction.
TEST(LowSpeedComparison, OnlyTheBlendStandsOnIce) {
  EXPECT_EQ(measured("blend", "ice").figures.stuck, 1);
  EXPECT_LT(measured("blend", "side_slope").figures.drift_per_hour, 1e-6);
  for (const char* id : {"vlow", "breakaway", "rolling", "patch", "rally"}) {
    SCOPED_TRACE(id);
    const LowSpeedRun run = measured(id, "ice");
    EXPECT_EQ(run.figures.stuck, 0);
    EXPECT_GT(run.trace.y.back(), -0.5 * g * 0.10 * 16);  // and friction brakes the fall
  }
}

TEST(LowSpeedComparison, OnlyTheBlendCreatesEnergy) {
  EXPECT_GT(measured("blend", "arc").figures.created, 1e-3);
  for (const char* id : {"vlow", "breakaway", "patch", "rally"})
    for (const char* what : {"stop", "inch"}) {
      SCOPED_TRACE(std::string(id) + " " + what);
      const LowSpeedFigures f = measured(id, what).figures;
      EXPECT_LE(f.created, 1e-9);
      EXPECT_LE(f.residual, 1e-3);
    }
}

// m v' = -sigma1 Fz v - sigma0 Fz x: from 4..5 s to 8..9 s the rocking falls by exp(-sigma1 g 4 s/2). 0.1 of the
// logarithm: rows 6 ms apart meet the peaks of a swing of 100 ms to 2 %, and a swing takes 18 % off.
TEST(LowSpeedComparison, PatchRocksWithTheDampingOfItsBristles) {
  const LowSpeedRun run = measured("patch", "stop");
  double early = 0, late = 0;
  for (std::size_t i = 0; i < run.trace.t.size(); ++i) {
    if (run.trace.t[i] >= 4 && run.trace.t[i] < 5) early = std::max(early, std::fabs(run.trace.vx[i]));
    if (run.trace.t[i] >= 8) late = std::max(late, std::fabs(run.trace.vx[i]));
  }
  EXPECT_NEAR(std::log(late / early), -0.4 * g * 4 / 2, 0.1);
  EXPECT_GT(run.figures.sign_changes, 0);
  EXPECT_LT(measured("patch", "grade").figures.drift_per_hour, 1e-6);
}

// The kinetic energy goes into brake and rolling resistance. 3 %: the braked tires slip, the air helps.
TEST(LowSpeedComparison, StopsWithinTheWayOfTheBrake) {
  const VehicleSpec s = sedan();
  const double way = 0.5 * effective_mass(s, true) * 25 / (0.3 * 5000 / 0.32 + resistance(s, 0));
  EXPECT_NEAR(measured("rolling", "stop").figures.stop_way, way, 0.03 * way);
  EXPECT_NEAR(measured("vlow", "stop").figures.stop_way, way, 0.03 * way);
  EXPECT_LT(measured("blend", "stop").figures.stop_way, 0.9 * way);  // its damper brakes along
}

TEST(LowSpeedComparison, SteeringAtRestCostsWork) {
  const LowSpeedFigures rolling = measured("rolling", "lock_to_lock").figures;
  EXPECT_GT(rolling.steer_work, 100);  // 2 rad of each front wheel against some hundred N m
  EXPECT_LT(rolling.steer_work, 2000);
  EXPECT_GT(rolling.turned, 0);
  EXPECT_EQ(measured("blend", "lock_to_lock").figures.steer_work, 0);
}

// Backward with the wheels to the left: the nose turns right, the rear axle goes left of where it came from.
TEST(LowSpeedComparison, ReverseArcFollowsTheCircle) {
  const LowSpeedRun blend = measured("blend", "arc"), rolling = measured("rolling", "arc");
  EXPECT_NEAR(blend.figures.radius_error, 0, 0.005);  // geometry by construction
  EXPECT_NEAR(rolling.figures.radius_error, 0, 0.04);
  // what is left is the scrub of wheels that are not turned by Ackermann
  LowSpeedMethod geometric = method("rolling");
  geometric.car.steering.ackerman_percent = 100;
  const double error = run_low_speed(geometric, exercise("arc")).figures.radius_error;
  EXPECT_LT(std::fabs(error), 0.3 * std::fabs(rolling.figures.radius_error));
  EXPECT_LT(rolling.trace.psi.back(), -1);
  EXPECT_LT(rolling.trace.vx[rolling.trace.vx.size() / 2], -0.45);
}

// The figures of the drive, again from the rows.
TEST(LowSpeedComparison, DriveFiguresFollowFromTheRows) {
  for (const char* id : {"inch", "reverse"}) {
    SCOPED_TRACE(id);
    const LowSpeedExercise e = exercise(id);
    const LowSpeedRun run = run_low_speed(method("rolling"), e);
    const LowSpeedTrace& r = run.trace;
    double sum = 0, n = 0, begin = 0, end = 0;
    for (std::size_t i = 0; i < r.t.size(); ++i) {
      if (r.t[i] <= e.drive_from) begin = r.x[i];
      if (r.t[i] <= e.stand_from) end = r.x[i];
      if (r.t[i] < e.drive_from || r.t[i] > e.drive_to) continue;
      const double d = r.vx[i] - table_at(e.driver.speed, r.t[i]);
      sum += d * d, ++n;
    }
    EXPECT_NEAR(run.figures.speed_error, std::sqrt(sum / n),
                0.02 * std::sqrt(sum / n));  // rows are 8 or 17 steps apart
    EXPECT_LT(run.figures.speed_error, 0.02);
    EXPECT_EQ(run.figures.wrong_way, 0);
    if (e.inch != 0) {
      EXPECT_NEAR(run.figures.placed, end - begin - 0.2, 1e-6);
    }
  }
  // a car that is asked to go the other way
  LowSpeedExercise e = exercise("creep");
  e.vx0 = -0.5, e.driver.speed = {{{0, 0.3}}}, e.drive_from = 0;
  EXPECT_GT(run_low_speed(method("rolling"), e).figures.wrong_way, 0.01);
}

// Locked wheels at the floor of the slip damp the blend's car with B C g/0.15 + 4 C_s u/m = 1127 1/s at this pedal.
// RK4 is stable to 2.78 over that (2.5 ms), Euler to 2 (1.8 ms). Bristles are integrated as stiff states.
TEST(LowSpeedComparison, LargestStepsOfBlendAndRolling) {
  EXPECT_EQ(low_speed_largest_step(method("blend"), Integrator::rk4), 2e-3);
  EXPECT_EQ(low_speed_largest_step(method("blend"), Integrator::euler), 1e-3);
  EXPECT_EQ(low_speed_largest_step(method("rolling"), Integrator::rk4), 2e-2);
}

TEST(LowSpeedComparison, CostIsToldAgainstTheRollingLaw) {
  const std::vector<LowSpeedMethod> two = {method("blend"), method("rolling")};
  std::vector<LowSpeedCost> cost(2);
  measure_low_speed_cost(two, cost);
  EXPECT_EQ(cost[1].ratio, 1);
  EXPECT_GT(cost[0].ratio, 0.05);  // no law: machines differ
  EXPECT_GT(cost[0].ns, 0);
}

TEST(LowSpeedComparison, SameNumbersTwice) {
  for (const char* id : {"rolling", "patch"}) {
    const LowSpeedRun a = measured(id, "inch"), b = measured(id, "inch");
    for (const LowSpeedMeasure& m : low_speed_measures())
      EXPECT_TRUE(a.figures.*m.value == b.figures.*m.value || std::isnan(a.figures.*m.value)) << m.name;
    EXPECT_EQ(a.trace.x, b.trace.x);
    EXPECT_EQ(a.trace.fx, b.trace.fx);
  }
}

TEST(LowSpeedComparison, EveryFigureIsAMeasureOnce) {
  LowSpeedFigures f;
  EXPECT_EQ(low_speed_measures().size() * sizeof(double), sizeof f);
  for (const LowSpeedMeasure& m : low_speed_measures()) {
    EXPECT_TRUE(std::isnan(f.*m.value)) << m.name;
    f.*m.value = 1;
  }
}

namespace {
// Two methods, two exercises, numbers by hand; the second method failed in the second exercise.
LowSpeedComparison by_hand() {
  LowSpeedComparison c;
  c.methods = low_speed_methods(Catalog(Catalog::default_folder()));
  c.exercises = low_speed_exercises(kHold);
  c.runs.assign(c.methods.size(), std::vector<LowSpeedRun>(c.exercises.size()));
  c.cost.resize(c.methods.size());
  for (auto& runs : c.runs) runs[1].figures.drift_per_hour = 1e-6;  // at the limit: not broken
  c.runs[0][1].figures.drift_per_hour = 3.5;
  c.runs[1][2].failed_at = 1.25;
  return c;
}
}  // namespace

TEST(LowSpeedComparison, SaysWhichLawIsBroken) {
  const LowSpeedComparison c = by_hand();
  EXPECT_EQ(c.broken(0), std::vector<std::string>{"grade: drift_per_hour 3.5 m/h > 1e-06"});
  EXPECT_EQ(c.broken(1), std::vector<std::string>{"side_slope: diverged at 1.25 s"});
  EXPECT_TRUE(c.broken(2).empty());
  EXPECT_FALSE(c.lawful(0, 1));
  EXPECT_FALSE(c.lawful(1, 2));
  EXPECT_TRUE(c.lawful(1, 1));
  EXPECT_EQ(&c.run("vlow", "side_slope"), &c.runs[1][2]);
  EXPECT_THROW(c.run("vlow", "hovering"), std::out_of_range);
}

TEST(LowSpeedComparison, TableJsonAndReportTellTheSame) {
  const LowSpeedComparison c = by_hand();
  EXPECT_NE(low_speed_table(c).find("3.5!"), std::string::npos);
  const nlohmann::json json = nlohmann::json::parse(low_speed_json(c, {"report.html"}));
  EXPECT_EQ(json["methods"][0]["exercises"]["grade"]["figures"]["drift_per_hour"], 3.5);
  EXPECT_TRUE(json["methods"][1]["exercises"]["grade"]["lawful"]);
  EXPECT_EQ(json["methods"][1]["exercises"]["side_slope"]["failed_at"], 1.25);
  EXPECT_TRUE(json["methods"][2]["cost"]["ratio"].is_null());
  EXPECT_EQ(json["files"][0], "report.html");
  const std::vector<ReportBlock> blocks = low_speed_report(c);
  ASSERT_EQ(blocks.size(), c.exercises.size() + 3);
  EXPECT_EQ(blocks[0].tables[0].marks, (std::vector<int>{0, 0, 1, 1, 1, 1}));
  EXPECT_EQ(blocks[3].tables[0].marks, (std::vector<int>{0, 1, 1, 1, 1, 1}));  // grade
  EXPECT_EQ(blocks[4].tables[0].marks, (std::vector<int>{1, 0, 1, 1, 1, 1}));  // side slope
}
