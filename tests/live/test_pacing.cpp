// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "vdsim/study/live/pacing.hpp"

namespace vdsim {
namespace {

constexpr double kPeriod = 0.005;

TEST(Pacer, DeadlinesDoNotDrift) {  // woken 0.1 to 0.9 ms late each time, it makes 200 ticks in every second
  Pacer pacer(100, kPeriod, 1);
  double now = 100;
  for (int i = 1; i <= 10000; ++i) {
    EXPECT_FALSE(pacer.due(now)) << i;
    now = pacer.deadline() + 1e-4 * (1 + i % 9);
    ASSERT_TRUE(pacer.due(now)) << i;
  }
  EXPECT_NEAR(pacer.deadline(), 100 + 10001 * kPeriod, 1e-9);
  EXPECT_EQ(pacer.statistics().slips, 0u);
  EXPECT_EQ(pacer.statistics().ticks, 10000u);
  EXPECT_NEAR(pacer.late(0.99), 9e-4, 2e-5);  // two buckets of 0.01 ms
  EXPECT_NEAR(pacer.late(0.5), 5e-4, 2e-5);
  EXPECT_NEAR(pacer.statistics().largest, 9e-4, 1e-9);
}

TEST(Pacer, CatchesUpFiftyMilliseconds) {
  Pacer pacer(0, kPeriod, 1);
  int made = 0;
  while (pacer.due(0.0549)) ++made;  // the first was due at 0.005: 49.9 ms late
  EXPECT_EQ(made, 10);
  EXPECT_EQ(pacer.statistics().slips, 0u);
  EXPECT_NEAR(pacer.deadline(), 0.055, 1e-12);
}

TEST(Pacer, SlipsWhenLater) {
  Pacer pacer(0, kPeriod, 1);
  EXPECT_TRUE(pacer.due(0.06));  // 55 ms late: one tick, and on from here
  EXPECT_FALSE(pacer.due(0.0649));
  EXPECT_TRUE(pacer.due(0.06501));
  EXPECT_EQ(pacer.statistics().slips, 1u);
  EXPECT_NEAR(pacer.statistics().lost, 0.055, 1e-12);
}

TEST(Pacer, ScaleStretchesTime) {
  Pacer pacer(0, kPeriod, 0.5);
  EXPECT_FALSE(pacer.due(0.0099));
  EXPECT_TRUE(pacer.due(0.0101));
  pacer.set_scale(1, 10);  // from now on, without a debt
  EXPECT_FALSE(pacer.due(1.0004));
  EXPECT_TRUE(pacer.due(1.0006));
  pacer.set_scale(2, 0);
  for (int i = 0; i < 100; ++i) EXPECT_TRUE(pacer.due(2));
  EXPECT_EQ(pacer.statistics().slips, 0u);
}

TEST(Pacer, APauseIsNoLateness) {
  Pacer pacer(0, kPeriod, 1);
  pacer.restart(3600);
  EXPECT_FALSE(pacer.due(3600.004));
  EXPECT_TRUE(pacer.due(3600.0051));
  EXPECT_EQ(pacer.statistics().slips, 0u);
}

}  // namespace
}  // namespace vdsim
