// SPDX-License-Identifier: Apache-2.0
#include "vdsim/formats/readable.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "vdsim/formats/shown.hpp"

namespace vdsim {
namespace {

TEST(Readable, UnitsThatPeopleSpeakOf) {
  EXPECT_EQ(readable(22.2222222, "m/s"), "80 km/h");
  EXPECT_EQ(readable(0.5, "rad"), "28.648 deg");
  EXPECT_EQ(readable(4123, "N"), "4.123 kN");
  EXPECT_EQ(readable(3, "-"), "3");
  EXPECT_EQ(readable(2.5, "m/s^2"), "2.5 m/s^2");
  EXPECT_EQ(in_both_units(23.472, "m/s"), "23.47 m/s (84.5 km/h)");
  EXPECT_EQ(in_both_units(1.5, "s"), "1.5 s");
}

TEST(Readable, RoundingIsZeroAndNoNumberIsEndless) {
  EXPECT_EQ(readable(-2.4e-17, "m/s"), "0 km/h");
  EXPECT_EQ(in_both_units(-2.4e-17, "m/s"), "0 m/s (0 km/h)");
  EXPECT_EQ(readable(1.2345678e91, "m/s^2"), "1.2346e+91 m/s^2");
  EXPECT_EQ(readable_number(-0.0), "0");
  EXPECT_EQ(readable_number(NAN), "–");
  EXPECT_EQ(readable_number(INFINITY), "–");
}

TEST(Shown, OnlyWhatATerminalMayPrint) {
  EXPECT_EQ(printable("\x1b[31m\x7f\xc2\x9b\t\xc3\xa4"), "?[31m??\t\xc3\xa4");
  EXPECT_EQ(printable("\xff"
                      "9\x9b"
                      "31m\xc3"),
            "?9?31m?");  // a lone 0x9b begins a command on old terminals
  EXPECT_EQ(shown(std::string(39, 'x') + "\xc3\xa4"), "'" + std::string(39, 'x') + "'...");  // whole characters
  EXPECT_EQ(shown(std::string(38, 'x') + "\xc3\xa4"), "'" + std::string(38, 'x') + "\xc3\xa4'");
}

TEST(Readable, SpinsHaveTheirOwnUnits) {
  EXPECT_EQ(readable_column_unit("engine", "rad/s").unit, "rpm");
  EXPECT_NEAR(readable_column_unit("engine", "rad/s").factor * 2 * M_PI, 60, 1e-12);
  EXPECT_EQ(readable_column_unit("omega_fl", "rad/s").unit, "rad/s");
  EXPECT_EQ(readable_column_unit("r", "rad/s").unit, "deg/s");
}

}  // namespace
}  // namespace vdsim
