// SPDX-License-Identifier: Apache-2.0
// The cars and tires of the catalog hold the figures of their classes, the controllers theirs on every one of them: the rows
// of groups `cars` and `control` of `vdsim validate`.
#include <gtest/gtest.h>

#include <string>

#include "vdsim/config/catalog.hpp"
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
                         testing::Values("sedan", "sports", "gt", "fsk", "hatch", "suv", "truck", "roadster", "touring",
                                         "sport", "race"),
                         [](const auto& info) { return std::string(info.param); });

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
