// SPDX-License-Identifier: Apache-2.0
// What an edit keeps and what it makes anew, seen by the driver; and the races of the page.
#include <cmath>
#include <cstdio>

#include "tests/live/live.hpp"

using namespace live;

namespace {

const char* const kMotion[] = {"x", "y", "psi", "vx", "vy", "r"};
std::vector<double> motion(LiveSession& s, std::size_t car = 0) {
  std::vector<double> out;
  for (const char* name : kMotion) out.push_back(value(s, name, car));
  return out;
}

}  // namespace

// LuGre, tire, friction, method, step and ground switched at 30 m/s in a turn. Pose, velocity and spins are untouched (the same bits);
// the side acceleration is that of the same contact forces (1e-6). Then it goes to that of the new tire over a relaxation length:
// at most 10 % in the first 3 cm, 6 % for the stiffest tire here.
TEST(LiveEdits, NoJumpAt30MetersPerSecondInATurn) {
  for (const char* edit : {"tire.lugre.enabled=false", "tire=tire.sport_grip", "mu=0.9", "solver.integrator=implicit",
                           "solver.dt=0.0005", "surface=surface.wet_tarmac"}) {
    SCOPED_TRACE(edit);
    LiveSession s = session("step_steer", {"vx0=30"});
    s.command(0, pedals(0.02, 0.15, 0));
    s.advance(1500);
    for (const char* each : {edit, "tire.lugre.enabled=false", "tire.lugre.enabled=true"}) {
      const std::vector<double> before = motion(s);
      const double ay = value(s, "ay"), spin = value(s, "omega_fl");
      ASSERT_GT(std::abs(ay), 2);
      s.edit(sets({each}));
      EXPECT_EQ(motion(s), before);
      EXPECT_NEAR(value(s, "omega_fl"), spin, 1e-9 * spin);
      EXPECT_NEAR(value(s, "ay"), ay, 1e-6 * std::abs(ay));
      const double dt = s.dt();
      s.advance(1);
      EXPECT_NEAR(value(s, "ay"), ay, 0.1 * std::abs(ay));
      const double vx = before[3] * std::cos(before[2]) - before[4] * std::sin(before[2]);
      EXPECT_NEAR(value(s, "x"), before[0] + dt * vx, 1e-4);
      s.advance(300);
    }
  }
}

// From a plane to springs: planar pose, velocities and slip stay, the attitude is the one in which the forces hold the car.
TEST(LiveEdits, AnotherLevelKeepsThePlanarMotion) {
  for (const char* to : {"level=L1", "level=L3", "level=L5"}) {
    SCOPED_TRACE(to);
    LiveSession s = session("step_steer", {"vx0=20"});
    s.command(0, pedals(0.02, 0.1, 0));
    s.advance(1500);
    const std::vector<double> before = motion(s);
    const double ay = value(s, "ay");
    s.edit(sets({to}));
    const std::vector<double> after = motion(s);
    // L5: velocities in body axes, which lean by up to 0.05 rad
    const double lean = std::string(to) == "level=L5" ? 2e-3 : 1e-12;
    for (std::size_t i = 0; i < before.size(); ++i) EXPECT_NEAR(after[i], before[i], lean * (1 + std::abs(before[i])));
    EXPECT_NEAR(value(s, "ay"), ay, 0.02 * std::abs(ay));
    ASSERT_TRUE(s.advance(500));
    EXPECT_NEAR(value(s, "ay"), ay, 0.1 * std::abs(ay));
  }
}

TEST(LiveEdits, AnotherLevelIsRefusedInTheAirAndOnItsSide) {
  LiveSession s = session("step_steer", {"level=L5", "z0=1"});
  s.advance(100);
  EXPECT_FALSE(refused([&] { s.edit(sets({"level=L2", "z0=0"})); }).empty());
  s.edit(sets({"chassis.mass=1600"}));  // all else works there too
  s.advance(2000);
  EXPECT_TRUE(refused([&] { s.edit(sets({"level=L2", "z0=0"})); }).empty());
}

// At rest on 20 % with a light brake: the blend creeps at the speed that its damper allows (20 % of the weight through its damping:
// 1.7 mm/s). Switched to bristles the car stands within a second, then for good.
TEST(LiveEdits, LuGreSwitchedOnHoldsTheCarOnAHill) {
  LiveSession s = session("race_hold");
  s.advance(2000);
  const double creep = std::abs(value(s, "vx", 1));
  EXPECT_GT(creep, 1.6e-3);
  EXPECT_LT(creep, 2.0e-3);
  EXPECT_LT(std::abs(value(s, "vx", 0)), 1e-9);
  s.edit(sets({"blend.tire.lugre.enabled=true"}));
  s.advance(1000);
  const double x = value(s, "x", 1);
  EXPECT_LT(std::abs(value(s, "vx", 1)), 1e-9);
  s.advance(60000);  // a minute; 1e-6 m/h is 1.7e-8 m of it
  EXPECT_LT(std::abs(value(s, "x", 1) - x), 1e-6 / 60);
  // and off again: it creeps again
  s.edit(sets({"blend.tire.lugre.enabled=false"}));
  s.advance(2000);
  EXPECT_GT(std::abs(value(s, "vx", 1)), 1.6e-3);
  EXPECT_LT(std::abs(value(s, "vx", 1)), 2.0e-3);
}

// The races of the page: figures of docs/LIVE.md.
TEST(LiveRaces, HoldOnAHill) {
  LiveSession s = session("race_hold");
  const double x0 = value(s, "x", 0), x1 = value(s, "x", 1);
  s.advance(10000);
  EXPECT_LT(std::abs(value(s, "x", 0) - x0), 1e-9);
  EXPECT_NEAR(x1 - value(s, "x", 1), 17e-3, 1e-3);
}
TEST(LiveRaces, Stop) {
  LiveSession s = session("race_stop");
  s.advance(6000);
  EXPECT_NEAR(value(s, "x", 0), 4.18, 0.01);
  EXPECT_NEAR(value(s, "x", 1), 3.29, 0.01);
}
// g (0.0995 - 0.05 0.995) for 10 s: the rolling car has slid 24 m; the blend has not moved.
TEST(LiveRaces, Ice) {
  LiveSession s = session("race_ice");
  const double y0 = value(s, "y", 0), y1 = value(s, "y", 1);
  s.advance(10000);
  EXPECT_GT(std::abs(value(s, "y", 0) - y0), 10);
  EXPECT_LT(std::abs(value(s, "y", 1) - y1), 1e-3);
}
TEST(LiveRaces, ThePageBeginsWithACarThatStands) {
  LiveSession s = session("page_start");
  const double x0 = value(s, "x", 0), x1 = value(s, "x", 1);
  EXPECT_EQ(x0, x1);
  s.advance(5000);
  EXPECT_LT(std::abs(value(s, "x", 0) - x0), 1e-9);
  EXPECT_GT(x1 - value(s, "x", 1), 1e-3);
}
