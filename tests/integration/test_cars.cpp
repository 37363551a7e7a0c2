// SPDX-License-Identifier: Apache-2.0
// The cars and tires of the catalog hold the figures of their classes, the controllers theirs on every one of them: the rows
// of groups `cars` and `control` of `vdsim validate`.
#include <gtest/gtest.h>

#include <string>

#include "vdsim/config/catalog.hpp"
#include "vdsim/config/scenario.hpp"
#include "vdsim/lab/handling.hpp"
#include "vdsim/validation/validation.hpp"

namespace {

using namespace vdsim;

const std::vector<ValidationCase>& cases() {
  static const Catalog catalog(VDSIM_SOURCE_DIR "/configs");
  static const std::vector<ValidationCase> all = validation_cases(catalog);
  return all;
}

class Cars : public testing::TestWithParam<const char*> {};

TEST_P(Cars, LieInTheBandsOfTheirClass) {
  int rows = 0;
  for (const ValidationCase& c : cases()) {
    if (c.group != ValidationGroup::cars || !c.id.starts_with(std::string(GetParam()) + "_")) continue;
    const ValidationRow row = validate(c);
    EXPECT_TRUE(row.pass) << c.what << ": " << row.got.value << " " << c.unit << ", band " << c.reason;
    ++rows;
  }
  EXPECT_GE(rows, 5);
}
INSTANTIATE_TEST_SUITE_P(Catalog, Cars,
                         testing::Values("sedan", "sports", "gt", "fsk", "hatch", "suv", "truck", "roadster",
                                         "crossover", "touring", "sport", "race"),
                         [](const auto& info) { return std::string(info.param); });

// 218 and 159 kN/rad at the loads of rest, to what the coefficients of its .tir file were rounded to. Its speed is low: drag and
// drive move the loads by 0.1 % at most.
TEST(Crossover, AxlesHaveTheStiffnessAsked) {
  const Catalog catalog(VDSIM_SOURCE_DIR "/configs");
  SceneChanges changes;
  changes.vehicle = "vehicle.ioniq5_awd";
  const VehicleSpec s = load_vehicle(catalog, changes);
  EXPECT_EQ(s.chassis.mass, 2359);
  EXPECT_EQ(s.chassis.inertia_diag[2], 3400);
  EXPECT_EQ(s.chassis.cg_to_front, 1.17);
  EXPECT_EQ(s.chassis.cg_to_rear, 1.80);
  EXPECT_EQ(s.drivetrain.drive_type, DriveType::AWD);
  for (const Level level : {Level::L1, Level::L2}) {
    const LinearRange at = linear_range({s, {}, level}, 5);
    EXPECT_NEAR(at.cornering_stiffness[0], 218e3, 0.001 * 218e3);
    EXPECT_NEAR(at.cornering_stiffness[1], 159e3, 0.001 * 159e3);
  }
}

// Controllers: the rows of group `control`, all of a kind in one test. A car or tire that is added has its rows by itself.
class Controllers : public testing::TestWithParam<const char*> {};

TEST_P(Controllers, KeepTheirPromiseOnEveryCar) {
  int rows = 0;
  for (const ValidationCase& c : cases()) {
    if (c.group != ValidationGroup::control || !c.id.starts_with(std::string(GetParam()) + "_")) continue;
    const ValidationRow row = validate(c);
    EXPECT_TRUE(row.pass) << c.what << ": " << row.got.value << " " << c.unit << ", " << c.reason;
    ++rows;
  }
  EXPECT_GE(rows, 9);
}
INSTANTIATE_TEST_SUITE_P(Catalog, Controllers, testing::Values("abs", "tc", "esc", "bend"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
