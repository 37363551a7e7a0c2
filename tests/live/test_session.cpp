// SPDX-License-Identifier: Apache-2.0
// LiveSession: a drive by hand is that of Sim, goes back and on again to the bit, and refuses without a trace.
#include "tests/live/live.hpp"

#include <chrono>
#include <cmath>
#include <cstdio>

#include "tests/count_allocations.hpp"
#include "vdsim/config/write.hpp"

using namespace live;

TEST(LiveSession, WithoutEventsItIsSim) {
  LiveSession s = session("step_steer");
  const Scenario scene = load_scene(*catalog(), "step_steer");
  Sim sim(scene, scene.cars[0]);
  for (int i = 0; i < 30; ++i) {
    ASSERT_TRUE(s.advance(50));
    ASSERT_TRUE(sim.advance(50));
    ASSERT_TRUE(std::ranges::equal(s.values(0), sim.values()));
  }
  EXPECT_EQ(s.step(), 1500);
  EXPECT_EQ(s.time(), sim.time());
}

TEST(LiveSession, TheFirstCommandTakesTheWheelUntilAReset) {
  LiveSession s = session("step_steer");
  s.advance(100);
  EXPECT_FALSE(s.by_hand(0));
  s.command(0, pedals(0.05, 0.2, 0));
  EXPECT_TRUE(s.by_hand(0));
  EXPECT_EQ(value(s, "throttle"), std::round(0.2 * 8192) / 8192);  // at once
  s.advance(3000);                                                 // the scene would have steered by now
  EXPECT_EQ(value(s, "steer_command"), std::round(0.05 * 8192) / 8192);
  s.reset();
  EXPECT_FALSE(s.by_hand(0));
  EXPECT_EQ(value(s, "x"), 0);
  EXPECT_EQ(s.step(), 3100);
  EXPECT_DOUBLE_EQ(value(s, "t"), 3.1);  // counts on
  const LiveSession fresh = session("step_steer");
  s.advance(500);
  LiveSession again = session("step_steer");
  again.advance(500);
  EXPECT_EQ(value(s, "x"), value(again, "x"));
  EXPECT_EQ(value(s, "r"), value(again, "r"));
}

// Every number of a command, to the nearest.
TEST(LiveSession, CommandsAreMultiplesOf8192th) {
  Demand d;
  double x = 0.1;
  for (const FieldRef& field : demand_fields(d)) {
    if (field.kind == FieldRef::Kind::number) field.number() = x += 0.1;
    if (field.kind == FieldRef::Kind::list)
      for (int i = 0; i < field.count; ++i) field.list()[i] = x += 0.1;
  }
  Demand r = rounded(d);
  const StateList said = demand_fields(d), done = demand_fields(r);
  const auto check = [](double from, double to) {
    EXPECT_EQ(to * 8192, std::round(to * 8192));
    EXPECT_NEAR(to, from, 0.5 / 8192);
  };
  for (std::size_t i = 0; i < said.size(); ++i) {
    if (said[i].kind == FieldRef::Kind::number) check(said[i].number(), done[i].number());
    for (int k = 0; said[i].kind == FieldRef::Kind::list && k < said[i].count; ++k)
      check(said[i].list()[k], done[i].list()[k]);
  }
  EXPECT_TRUE(same(rounded(r), r));
  EXPECT_FALSE(std::signbit(rounded(pedals(-1e-9, 0, 0)).direct.steer));  // JSON has no -0
  EXPECT_TRUE(std::isnan(rounded(Demand{}).speed));
}

// The same command again is no event; to a car that waits for commands it is: its age starts anew.
TEST(LiveSession, ARepeatedCommandIsNoEvent) {
  LiveSession s = session("step_steer");
  for (int i = 0; i < 10; ++i) s.command(0, pedals(0.1, 0, 0)), s.advance(10);
  EXPECT_EQ(s.taped().events.size(), 1u);
  LiveSession external = session("step_steer", {"control=external"});
  for (int i = 0; i < 40; ++i) external.command(0, pedals(0, 0.2, 0)), external.advance(10);
  EXPECT_EQ(external.taped().events.size(), 40u);
  EXPECT_EQ(value(external, "stale"), 0);
  external.advance(102);
  EXPECT_EQ(value(external, "stale"), 1);
  EXPECT_EQ(value(external, "brake"), 0.3);
}

// The car of another program, as `vdsim run --stdio` steps it.
TEST(LiveSession, AnExternalCarIsThatOfTheSim) {
  const Scenario scene = load_scene(*catalog(), "step_steer", [] {
    SceneChanges c;
    c.set("control=external");
    return c;
  }());
  Sim sim(scene, scene.cars[0]);
  LiveSession s(catalog(), scene);
  for (int i = 0; i < 50; ++i) {
    const Demand d = rounded(pedals(0.01 * (i % 5), 0.3, 0));
    sim.drive(d), s.command(0, d);
    sim.advance(20), s.advance(20);
    ASSERT_TRUE(std::ranges::equal(s.values(0), sim.values()));
  }
}

namespace {

// A drive that touches what a session keeps.
void drive(LiveSession& s) {
  s.advance(250);
  s.command(0, pedals(0.03, 0.4, 0));
  s.advance(333);
  s.edit(sets({"tire.lugre.enabled=false"}));
  s.edit(sets({"mu=0.6"}));
  s.advance(400);
  s.command(0, pedals(-0.02, 0, 0.2));
  s.edit(sets({"level=L5"}));
  s.advance(450);
  s.edit(sets({"solver.dt=0.0005"}));
  s.advance(617);
  s.reset();
  s.advance(300);
  s.command(0, pedals(0.05, 1, 0));
  s.advance(151);
}

}  // namespace

TEST(LiveSession, GoesBackToAnyStepAndOnAgain) {
  LiveSession s = session("step_steer", {"vx0=15"});
  std::vector<std::string> hash{s.hash()};
  LiveSession recorded = session("step_steer", {"vx0=15"});
  drive(s);
  const std::string tape = s.tape(), last = s.hash();
  const std::int64_t end = s.step();
  // every step of the drive, forwards, after the events of that step
  s.rewind(0);
  EXPECT_EQ(s.hash(), hash[0]);
  while (s.step() < end) s.advance(1), hash.push_back(s.hash());
  EXPECT_EQ(hash.back(), last);
  for (const std::int64_t step :
       {2500l, 0l, 100l, 99l, 582l, 583l, 584l, 983l, 2050l, 1433l, 1400l, 2053l, 1l, 2351l, 1983l, 250l}) {
    s.rewind(step);
    ASSERT_EQ(s.step(), step);
    EXPECT_EQ(s.hash(), hash[static_cast<std::size_t>(step)]) << step;
    EXPECT_EQ(s.tape(), tape) << "nothing new, nothing cut";
  }
  s.advance(end - s.step());
  EXPECT_EQ(s.hash(), last);
  EXPECT_FALSE(s.differs());
}

TEST(LiveSession, SomethingNewCutsTheDriveThere) {
  LiveSession s = session("step_steer", {"vx0=15"});
  drive(s);
  s.rewind(700);
  EXPECT_EQ(s.end(), 2501);
  s.command(0, pedals(0.02, 0.3, 0));  // what it does already at this step is nothing new
  s.advance(100);
  EXPECT_EQ(s.end(), 800);
  for (const TapeEvent& event : s.taped().events) EXPECT_LE(event.step, 700);
  LiveSession again = replay_tape(catalog(), s.tape(), "tape");
  EXPECT_EQ(again.hash(), s.hash());
  EXPECT_FALSE(again.differs());
  EXPECT_EQ(again.tape(), s.tape());
}

TEST(LiveSession, ARefusedEventChangesNothing) {
  LiveSession s = session("race_hold", {"driver.brake=0"});
  s.advance(500);
  s.command(0, pedals(0.1, 0.2, 0));
  const std::string before = bytes(s);
  const auto try_edit = [&](const std::vector<std::string>& texts) { return refused([&] { s.edit(sets(texts)); }); };
  EXPECT_EQ(try_edit({"mu=0.5", "chassis.mass=-1", "tire.lugre.enabled=perhaps"}).size(), 2u);
  EXPECT_EQ(try_edit({"chassis.mas=1500"}).size(), 1u);
  EXPECT_EQ(try_edit({"solver.dt=1"}).empty(), false);
  EXPECT_EQ(try_edit({"level=L4"}).size(), 1u);
  EXPECT_EQ(try_edit({"nobody.chassis.mass=1500"}).size(), 1u);
  EXPECT_EQ(try_edit({"tire=tire.ralley"}).empty(), false);
  EXPECT_EQ(refused([&] { s.edit({{"x", "mu", "0.5\n"}}); }).size(), 1u);
  EXPECT_EQ(refused([&] { s.command(0, pedals(0, 2, -1)); }).size(), 2u);
  Demand path;
  path.follow_path = true;
  EXPECT_EQ(refused([&] { s.command(1, path); }).size(), 1u);
  EXPECT_EQ(refused([&] { s.rewind(501); }).size(), 1u);
  EXPECT_EQ(bytes(s), before);
  s.rewind(400);
  s.rewind(500);
  EXPECT_EQ(bytes(s), before);
}

// The second car cannot change its level in the air; the first one, which could, has not changed either.
TEST(LiveSession, AnEditIsOfAllCarsOrOfNone) {
  LiveSession s = session("race_hold", {"level=L5", "grade=0", "blend.z0=2"});
  s.advance(50);
  const std::string before = bytes(s);
  const auto lines = refused([&] { s.edit(sets({"level=L2", "blend.z0=0"})); });
  ASSERT_FALSE(lines.empty());
  EXPECT_NE(lines[0].find("air"), std::string::npos) << lines[0];
  EXPECT_EQ(bytes(s), before);
  s.edit(sets({"rolling.level=L2"}));
  EXPECT_EQ(s.sim(0).car().level(), Level::L2);
  EXPECT_EQ(s.sim(1).car().level(), Level::L5);
}

TEST(LiveSession, AnEditOfOneCarLeavesTheOthersAlone) {
  LiveSession s = session("race_hold"), alone = session("race_hold");
  s.advance(300), alone.advance(300);
  const Sim* other = &s.sim(1);
  s.edit(sets({"rolling.chassis.mass=2000"}));
  EXPECT_EQ(&s.sim(1), other);
  EXPECT_EQ(s.scene().cars[0].vehicle.chassis.mass, 2000);
  s.advance(300), alone.advance(300);
  EXPECT_TRUE(std::ranges::equal(s.values(1), alone.values(1)));
  EXPECT_FALSE(std::ranges::equal(s.values(0), alone.values(0)));
}

// A car that diverges stands (from 20 m no tire takes the landing); the others go on with their bits. It starts again with a reset.
TEST(LiveSession, ACarThatDivergesIsReportedAndTheOthersGoOn) {
  const std::vector<std::string> texts{"level=L3", "rolling.z0=20", "grade=0"};
  LiveSession s = session("race_hold", texts), alone = session("race_hold", {"level=L3", "grade=0"});
  EXPECT_TRUE(s.advance(1000));
  EXPECT_FALSE(s.advance(2000));
  EXPECT_FALSE(s.why(0).empty());
  EXPECT_EQ(s.why(1), "");
  EXPECT_EQ(s.step(), 3000);
  alone.advance(3000);
  EXPECT_EQ(value(s, "fz_fl", 1), value(alone, "fz_fl", 1));
  const double z = value(s, "z", 0);
  EXPECT_TRUE(std::isfinite(z));
  EXPECT_TRUE(s.advance(100)) << "told once";
  EXPECT_EQ(value(s, "z", 0), z);
  EXPECT_DOUBLE_EQ(value(s, "t", 0), 3.1);
  s.command(0, pedals(0, 1, 0));  // events pass
  s.edit(sets({"chassis.mass=1600"}));
  s.advance(10);
  EXPECT_FALSE(s.why(0).empty());
  const std::string hash = s.hash();
  LiveSession again = replay_tape(catalog(), s.tape(), "tape");
  EXPECT_EQ(again.hash(), hash);
  EXPECT_EQ(again.why(0), s.why(0));
  s.rewind(500);
  EXPECT_EQ(s.why(0), "");
  s.rewind(3110);
  EXPECT_EQ(s.hash(), hash);
  EXPECT_FALSE(s.why(0).empty());
  s.edit(sets({"rolling.z0=0"}));
  s.reset();
  EXPECT_EQ(s.why(0), "");
  EXPECT_TRUE(s.advance(500));
}

TEST(LiveSession, MarksSayWhatWasDoneWhen) {
  LiveSession s = session("step_steer");
  s.advance(100);
  s.edit(sets({"mu=0.5", "tire.lugre.enabled=false"}));
  s.command(0, pedals(0, 0.5, 0));
  s.advance(100);
  s.reset();
  s.advance(50);
  const auto check = [&] {
    const std::vector<LiveMark> marks = s.marks();
    ASSERT_EQ(marks.size(), 2u);
    EXPECT_EQ(marks[0].step, 100);
    EXPECT_DOUBLE_EQ(marks[0].time, 0.1);
    EXPECT_EQ(marks[0].what, "mu=0.5 tire.lugre.enabled=false");
    EXPECT_EQ(marks[1].what, "reset");
    EXPECT_DOUBLE_EQ(marks[1].time, 0.2);
  };
  check();
  s.rewind(20);
  check();
}

// The balance of the epoch closes by itself: to the residual of the whole run, and nothing of what came before is in it.
TEST(LiveSession, TheEnergyBalanceRestartsAtAnEdit) {
  LiveSession s = session("step_steer", {"vx0=20"});
  s.command(0, pedals(0.02, 0.3, 0));
  s.advance(2000);
  const EnergyBalance before = s.energy(0);
  EXPECT_GT(before.drive, 1e3);
  s.edit(sets({"tire.lugre.enabled=false"}));
  const EnergyBalance at = s.energy(0);
  for (const double x : {at.drive, at.gravity, at.brake, at.rolling, at.drag, at.contact, at.changed, at.changed_tires})
    EXPECT_EQ(x, 0);
  EXPECT_EQ(at.kinetic, at.kinetic0);
  s.advance(1000);
  const EnergyBalance e = s.energy(0);
  EXPECT_GT(e.drive, 1e2);
  EXPECT_LT(std::abs(e.residual()), 1e-6 * e.turned());
}

TEST(LiveSession, StepsAndValuesAllocateNothing) {
  LiveSession s = session("step_steer", {"vx0=20"});
  s.command(0, pedals(0.02, 0.3, 0));
  s.advance(201);
  const Demand d = pedals(0.02, 0.3, 0);
  const long before = g_allocations;
  for (int i = 0; i < 98; ++i) {
    s.command(0, d);
    s.advance(1);
    s.values(0);
  }
  EXPECT_EQ(g_allocations, before);
  // a snapshot: its bytes, and its place in the list
  s.advance(1);
  EXPECT_LE(g_allocations - before, 4);
}

TEST(LiveSession, TheTimeCountsOnOverEditsOfTheStep) {
  LiveSession s = session("step_steer");
  s.advance(100);
  s.edit(sets({"solver.dt=0.0005"}));
  EXPECT_EQ(s.time(), 0.1);
  s.advance(100);
  EXPECT_DOUBLE_EQ(s.time(), 0.15);
  EXPECT_EQ(s.time(), s.sim(0).time());
  s.rewind(50);
  EXPECT_EQ(s.time(), 0.05);
  s.rewind(200);
  EXPECT_DOUBLE_EQ(value(s, "t"), 0.15);
}

TEST(LiveSession, OldSnapshotsAreThinnedAndEveryStepStaysInReach) {
  LiveSession s = session("step_steer", {"solver.dt=0.01", "solver.integrator=implicit", "level=L1"});
  s.command(0, pedals(0.01, 0.1, 0));
  s.advance(60000);  // 600 s: five times as long as snapshots are dense
  const std::string last = s.hash();
  EXPECT_LE(s.snapshots(), 130u + 50u);
  s.rewind(12345);
  LiveSession again = session("step_steer", {"solver.dt=0.01", "solver.integrator=implicit", "level=L1"});
  again.command(0, pedals(0.01, 0.1, 0));
  again.advance(12345);
  EXPECT_EQ(s.hash(), again.hash());
  s.rewind(60000);
  EXPECT_EQ(s.hash(), last);
}

// Command, step and values against the bare step, best of many: an average would tell of the machine. 5 % is the aim; the bound
// leaves room for a busy machine.
TEST(LiveSession, CostsLittleMoreThanSim) {
  SceneChanges changes;
  changes.sets = sets({"vx0=20", "driver={throttle: 0.2, brake: 0, steer: 0.01}"});
  Scenario scene = load_scene(*catalog(), "accel_brake", changes);
  scene.cars.resize(1);
  LiveSession s(catalog(), scene);
  Sim sim(scene, scene.cars[0]);
  const Demand d = pedals(0.01, 0.2, 0);
  using Clock = std::chrono::steady_clock;
  double bare = 1e9, live = 1e9;
  for (int round = 0; round < 60; ++round) {
    const auto a = Clock::now();
    sim.advance(500);
    const auto b = Clock::now();
    for (int i = 0; i < 100; ++i) s.command(0, d), s.advance(5), s.values(0);  // 200 Hz
    const auto c = Clock::now();
    bare = std::min(bare, std::chrono::duration<double>(b - a).count());
    live = std::min(live, std::chrono::duration<double>(c - b).count());
  }
  std::printf("step %.3f us, live %.3f us: %+.1f %%\n", bare * 2e3, live * 2e3, 100 * (live / bare - 1));
  EXPECT_LT(live, 1.15 * bare);
}
