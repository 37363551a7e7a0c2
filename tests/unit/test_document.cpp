// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "vdsim/config/document.hpp"
#include "vdsim/engine/errors.hpp"

namespace vdsim {
namespace {

Document sedan() {
  static const auto catalog = std::make_shared<const Catalog>(std::string(VDSIM_SOURCE_DIR) + "/configs");
  return Document::load(catalog, DocumentKind::vehicle, "vehicle.sedan_comfort");
}
Assignment set(const std::string& path, const std::string& value) { return {path + "=" + value, path, value}; }

TEST(Document, SeveralSetsAreOneChange) {
  Document car = sedan();
  EXPECT_THROW(car.set("chassis.wheelbase", "2.8"), BadInput);  // must equal cg_to_front + cg_to_rear
  car.set({set("chassis.wheelbase", "2.8"), set("chassis.cg_to_front", "1.3")});
  EXPECT_EQ(car.number("chassis.wheelbase"), 2.8);
  EXPECT_EQ(car.number("chassis.cg_to_front"), 1.3);
}

TEST(Document, EveryErrorOfSeveralSetsIsToldAndNothingChanges) {
  Document car = sedan();
  const std::string before = car.text();
  try {
    car.set({set("chassis.mass", "1600"), set("chassis.mas", "1"), set("brake.brake_bias_front", "7"),
             set("chasis.mass", "1")});
    FAIL() << "accepted";
  } catch (const BadInput& e) {
    ASSERT_EQ(e.items.size(), 3u);
    EXPECT_EQ(e.items[0].path, "chassis.mas");
    EXPECT_EQ(e.items[1].path, "brake.brake_bias_front");
    EXPECT_EQ(e.items[2].path, "chasis");
  }
  EXPECT_EQ(car.text(), before);
}

}  // namespace
}  // namespace vdsim
