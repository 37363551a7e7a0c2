// SPDX-License-Identifier: Apache-2.0
// The driver: tables exactly, and the speed controller in closed loop with the real car.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "vdsim/config/catalog.hpp"
#include "vdsim/study/run.hpp"

namespace vdsim {
namespace {

TEST(Table, LinearBetweenHeldOutsideExactAtCorners) {
  const Table t{{{1, 10}, {2, 20}, {4, 0}}};
  EXPECT_EQ(table_at(t, -5), 10);
  EXPECT_EQ(table_at(t, 1), 10);
  EXPECT_EQ(table_at(t, 1.5), 15);
  EXPECT_EQ(table_at(t, 2), 20);
  EXPECT_EQ(table_at(t, 3), 10);
  EXPECT_EQ(table_at(t, 4), 0);
  EXPECT_EQ(table_at(t, 99), 0);
  EXPECT_EQ(table_at({}, 3), 0);
  EXPECT_EQ(table_slope(t, 0), 0);
  EXPECT_EQ(table_slope(t, 1), 10);
  EXPECT_EQ(table_slope(t, 2), -10);
  EXPECT_EQ(table_slope(t, 4), 0);
}

TEST(Table, GearIsHeldBetweenItsPoints) {
  const Table t{{{1, 1}, {2, -1}}};
  EXPECT_EQ(table_held_at(t, 0, 7), 1);
  EXPECT_EQ(table_held_at(t, 1.99, 7), 1);
  EXPECT_EQ(table_held_at(t, 2, 7), -1);
  EXPECT_EQ(table_held_at({}, 2, 7), 7);
}

TEST(Driver, SlopeGravityOfAPlane) {
  RoadSpec road;
  road.grade = 0.75;  // 3-4-5 triangle
  EXPECT_NEAR(slope_gravity(road, 0), -9.80665 * 0.6, 1e-12);
  EXPECT_NEAR(slope_gravity(road, std::acos(-1.0)), 9.80665 * 0.6, 1e-12);
  road.grade = 0;
  road.bank = 0.75;
  EXPECT_NEAR(slope_gravity(road, 0), 0, 1e-12);
  EXPECT_NEAR(slope_gravity(road, std::acos(-1.0) / 2), -9.80665 * 0.6, 1e-12);  // heading left, uphill
}

struct Row {
  double t, vx;
  Commands commands;
};

Scenario speed_scene(const char* vehicle, Level level, double grade, Table speed, double duration, double vx0) {
  static const Catalog catalog(VDSIM_SOURCE_DIR "/configs");
  SceneChanges changes;
  changes.vehicle = vehicle;
  Scenario scene;
  scene.road.grade = grade;
  scene.timing.duration = duration;
  CarSpec car;
  car.id = "ego";
  car.level = level;
  car.vehicle = load_vehicle(catalog, changes);
  car.start.vx0 = vx0;
  car.driver.speed = std::move(speed);
  scene.cars.push_back(car);
  return scene;
}

std::vector<Row> drive(const Scenario& scene) {
  CarRun run(scene, scene.cars[0]);
  std::vector<Row> rows{{0, run.car().vx(), run.commands()}};
  while (!run.done()) {
    EXPECT_TRUE(run.step()) << "diverged at " << run.time();
    rows.push_back({run.time(), run.car().vx(), run.commands()});
    if (::testing::Test::HasFailure()) break;
  }
  return rows;
}

// Issue: error < 0.01 m/s in steady state, also on grades, forward and in reverse.
TEST(SpeedHolder, NoSteadyErrorOnAnyGradeForwardAndReverse) {
  for (const char* vehicle : {"vehicle.sedan_comfort", "vehicle.race_gt", "vehicle.fsk_formula"})
    for (const double grade : {-0.15, 0.0, 0.1})
      for (const double target : {20.0, 1.0, -2.0}) {
        const auto rows = drive(speed_scene(vehicle, Level::L1, grade, {{{0, target}}}, 15, target));
        for (const Row& row : rows)
          if (row.t > 12) {
            ASSERT_LT(std::abs(row.vx - target), 0.01)
                << vehicle << " grade " << grade << " target " << target << " t " << row.t;
          }
      }
}

TEST(SpeedHolder, StepIsReachedWithoutOvershoot) {
  const auto rows = drive(speed_scene("vehicle.sedan_comfort", Level::L2, 0, {{{0, 15}}}, 20, 0));
  double most = 0;
  for (const Row& row : rows) most = std::max(most, row.vx);
  EXPECT_LT(most, 15.15);
  EXPECT_NEAR(rows.back().vx, 15, 0.01);
}

TEST(SpeedHolder, FollowsARampOnAGrade) {  // feed-forward: the error stays small during the ramp, not only after it
  const auto rows = drive(speed_scene("vehicle.sedan_comfort", Level::L2, 0.05, {{{1, 5}, {9, 13}}}, 12, 5));
  for (const Row& row : rows)
    if (row.t > 4) {
      ASSERT_NEAR(row.vx, std::min(13.0, 4 + row.t), 0.05) << row.t;
    }
}

TEST(SpeedHolder, ThrottleAndBrakeDoNotAlternateOnTheFlat) {
  const auto rows = drive(speed_scene("vehicle.sedan_comfort", Level::L2, 0, {{{0, 10}}}, 20, 10));
  for (const Row& row : rows) {
    EXPECT_FALSE(row.commands.throttle > 0 && row.commands.brake > 0);
    if (row.t > 5) {
      ASSERT_EQ(row.commands.brake, 0) << row.t;
    }
  }
  double lo = 1, hi = 0;  // and the throttle is steady
  for (const Row& row : rows)
    if (row.t > 15) lo = std::min(lo, row.commands.throttle), hi = std::max(hi, row.commands.throttle);
  EXPECT_GT(lo, 0);
  EXPECT_LT(hi - lo, 1e-4);
}

TEST(SpeedHolder, StopsAndHoldsOnAGrade) {
  const Scenario scene = speed_scene("vehicle.sedan_comfort", Level::L2, 0.2, {{{0, 8}, {2, 8}, {5, 0}}}, 12, 8);
  CarRun run(scene, scene.cars[0]);
  while (run.time() < 8) ASSERT_TRUE(run.step());
  const CarOutputs then = run.outputs();
  EXPECT_LT(std::abs(then.vx), 1e-3);
  while (!run.done()) ASSERT_TRUE(run.step());
  EXPECT_NEAR(run.outputs().x, then.x, 1e-6);
  EXPECT_GT(run.commands().brake, 0.9);
}

TEST(SpeedHolder, ReverseIsEngagedOnlyWhenNearlyStopped) {
  const auto rows = drive(speed_scene("vehicle.sedan_comfort", Level::L2, 0, {{{0, 10}, {1, 10}, {1.1, -3}}}, 14, 10));
  for (const Row& row : rows) {
    if (row.commands.gear == -1) {
      ASSERT_LT(row.vx, 0.31) << row.t;
    }
    if (row.t > 1.1 && row.vx > 0.5) {  // brakes first
      ASSERT_EQ(row.commands.throttle, 0) << row.t;
    }
  }
  EXPECT_NEAR(rows.back().vx, -3, 0.01);
}

TEST(SpeedHolder, StartsUphillWithoutRollingBack) {
  const auto rows = drive(speed_scene("vehicle.sedan_comfort", Level::L2, 0.12, {{{0, 0}, {2, 0}, {6, 8}}}, 10, 0));
  double least = 0;
  for (const Row& row : rows) least = std::min(least, row.vx);
  EXPECT_GT(least, -0.05);  // bristles load up in the first instant: a few cm/s at most
  EXPECT_NEAR(rows.back().vx, 8, 0.05);
}

}  // namespace
}  // namespace vdsim
