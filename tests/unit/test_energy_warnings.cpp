// SPDX-License-Identifier: Apache-2.0
// What the energy balance of a run says against it.
#include "vdsim/study/energy_warnings.hpp"

#include <gtest/gtest.h>

namespace vdsim {
namespace {

// 100 kJ of motion, `slip` lost in the tires, and a balance that closes.
EnergyBalance balance(double slip) {
  EnergyBalance e{};
  e.kinetic0 = 1e5;
  e.contact = slip;
  e.kinetic = e.kinetic0 - slip;
  return e;
}

TEST(EnergyWarnings, ATireThatTakesEnergyIsFine) {
  EXPECT_TRUE(energy_warnings(balance(3e4)).empty());
  EXPECT_TRUE(energy_warnings(balance(0)).empty());
  EXPECT_TRUE(energy_warnings(balance(-1e3)).empty());  // 1 %: rounding of the method
  EXPECT_TRUE(energy_warnings(EnergyBalance{}).empty());
}

TEST(EnergyWarnings, ATireThatCreatesEnergyIsNamed) {
  const EnergyBalance e = balance(-5e3);
  EXPECT_NEAR(e.residual(), 0, 1e-9);  // the balance alone would not tell
  const auto lines = energy_warnings(e);
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_NE(lines[0].find("the tires created 5e+03 J"), std::string::npos) << lines[0];
}

TEST(EnergyWarnings, BristlesMayGiveBackWhatTheyHeld) {
  EnergyBalance e = balance(-5e3);
  e.stored0 = 5e3, e.stored = 0;  // slip() = 0
  EXPECT_TRUE(energy_warnings(e).empty());
}

TEST(EnergyWarnings, AnOpenBalanceAndANegativeStartAreNamed) {
  EnergyBalance e = balance(0);
  e.kinetic *= 0.5;
  ASSERT_EQ(energy_warnings(e).size(), 1u);
  EXPECT_NE(energy_warnings(e)[0].find("residual"), std::string::npos);
  e = balance(0);
  e.kinetic0 = e.kinetic = -10;
  ASSERT_EQ(energy_warnings(e).size(), 1u);
  EXPECT_NE(energy_warnings(e)[0].find("began with a kinetic energy of -10 J"), std::string::npos);
}

}  // namespace
}  // namespace vdsim
