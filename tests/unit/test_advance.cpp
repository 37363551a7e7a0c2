// SPDX-License-Identifier: Apache-2.0
// The loop that every run is in: where rows are written and how it ends.
#include <gtest/gtest.h>

#include <vector>

#include "vdsim/study/advance.hpp"

namespace vdsim {
namespace {

struct Countdown {  // a run of 7 steps
  long at = 0, diverges_at = -1;
  bool done() const { return at == 7; }
  long step_index() const { return at; }
  double progress() const { return static_cast<double>(at) / 7; }
  bool step() {
    EXPECT_FALSE(done());
    if (at == diverges_at) return false;
    ++at;
    return true;
  }
};
using Steps = std::vector<long>;

struct Advance : ::testing::Test {
  bool go(double steps_per_row) {
    return advance(run, RowClock(1 / steps_per_row, 1), control, [&] {
      rows.push_back(run.at);
      return run.at != unwritable;
    });
  }
  Countdown run;
  RunControl control;
  Steps rows;
  long unwritable = -1;
};

TEST_F(Advance, RowsAtTheClockAndAtTheEnd) {
  EXPECT_TRUE(go(3));
  EXPECT_EQ(rows, (Steps{0, 3, 6, 7}));
}
TEST_F(Advance, EndIsWrittenOnce) {
  EXPECT_TRUE(go(3.5));
  EXPECT_EQ(rows, (Steps{0, 4, 7}));
}
TEST_F(Advance, FasterThanTheStepsIsEveryStep) {
  EXPECT_TRUE(go(0.3));
  EXPECT_EQ(rows, (Steps{0, 1, 2, 3, 4, 5, 6, 7}));
}
TEST_F(Advance, RunOfNoLengthHasOneRow) {
  run.at = 7;
  EXPECT_TRUE(go(3));
  EXPECT_EQ(rows, (Steps{7}));
}
TEST_F(Advance, DivergedStepHasNoRow) {
  run.diverges_at = 5;
  EXPECT_FALSE(go(1));
  EXPECT_EQ(rows, (Steps{0, 1, 2, 3, 4, 5}));
}
TEST_F(Advance, RowThatCannotBeWrittenEndsIt) {
  unwritable = 2;
  EXPECT_FALSE(go(1));
  EXPECT_EQ(run.at, 2);
}
TEST_F(Advance, StopEndsItAtTheNextRow) {
  std::atomic<int> stop = 0;
  std::vector<double> told;
  control = {[&](double share) { told.push_back(share), stop = share > 0.3; }, &stop};
  EXPECT_TRUE(go(3));
  EXPECT_EQ(rows, (Steps{0, 3}));
  EXPECT_EQ(told, (std::vector<double>{0, 3.0 / 7}));
}

}  // namespace
}  // namespace vdsim
