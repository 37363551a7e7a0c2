// SPDX-License-Identifier: Apache-2.0
// A long drive with many edits is the same drive whenever it is repeated.
#include <cctype>
#include <cstdlib>
#include <fstream>
#include <random>
#include <set>

#include "tests/live/live.hpp"

using namespace live;

namespace {

std::string one_of(std::mt19937& random, const std::vector<std::string>& texts) {
  return texts[random() % texts.size()];
}
double share(std::mt19937& random) { return static_cast<double>(random() % 1000) / 1000; }

// What a user turns and clicks; some of it is refused, since not everything fits everything.
std::vector<std::string> random_edit(std::mt19937& random) {
  const std::string who = one_of(random, {"", "", "rolling.", "blend."});
  const auto number = [&](const char* path, double lo, double hi) {
    return std::string(path) + "=" + std::to_string(lo + (hi - lo) * share(random));
  };
  switch (random() % 11) {
    case 0: return {who + number("chassis.mass", 1300, 1900), who + number("tire.mu_nominal", 0.6, 1.1)};
    case 1: return {who + "tire.lugre.enabled=" + one_of(random, {"true", "false"})};
    case 2: return {who + "tire.lugre.law=" + one_of(random, {"rolling", "breakaway"})};
    case 3:
      return {
          who + "tire=" +
          one_of(random, {"tire.vdsim07_pacejka", "tire.sport_grip", "tire.rally", "tire.lugre_patch", "tire.ioniq5"})};
    case 4: return {who + "level=" + one_of(random, {"L1", "L2", "L3", "L5"})};
    case 5: return {"solver.integrator=" + one_of(random, {"rk4", "implicit", "euler"})};
    case 6: return {"solver.dt=" + one_of(random, {"0.0005", "0.001", "0.001", "0.002"})};
    case 7: return {number("mu", 0.3, 1)};
    case 8: return {number("grade", -0.05, 0.12)};
    case 9: return {"surface=" + one_of(random, {"surface.tarmac", "surface.gravel", "surface.wet_tarmac"})};
    default: return {number("bank", -0.05, 0.05), number("cmd_timeout", 0.05, 0.2)};
  }
}

// Hash before the events of each hundredth step is not kept: the states at these steps, after their events, are.
struct Drive {
  LiveSession session;
  std::vector<std::pair<std::int64_t, std::string>> hash;
  int edits = 0, refused = 0;
  std::set<std::string> done;  // "level=L5", of numbers the path alone
};
std::string kind_of(const std::string& set) {
  std::string out = set;
  for (const char* car : {"rolling.", "blend."})
    if (out.starts_with(car)) out.erase(0, std::string(car).size());
  const std::size_t value = out.find('=') + 1;
  const bool number = std::isdigit(static_cast<unsigned char>(out[value])) || out[value] == '-';
  return number && !out.starts_with("solver.dt") ? out.substr(0, value - 1) : out;
}
Drive random_drive(int edits, unsigned seed) {
  std::mt19937 random(seed);
  Drive out{session("race_stop", {"vx0=12", "duration=600"}), {}, 0, 0, {}};
  LiveSession& s = out.session;
  while (out.edits < edits) {
    s.advance(static_cast<std::int64_t>(random() % 400));
    const double steer = 0.1 * share(random) - 0.05, pedal = share(random);
    if (random() % 2) s.command(steer > 0, pedals(steer, 0.5 * pedal, 0));
    if (random() % 8 == 0) s.command(steer < 0, pedals(0, 0, pedal));
    if (random() % 25 == 0) s.reset();
    const std::string before = bytes(s);
    const std::vector<std::string> edit = random_edit(random);
    if (refused([&] { s.edit(sets(edit)); }).empty()) {
      ++out.edits;
      for (const std::string& each : edit) out.done.insert(kind_of(each));
    } else {
      ++out.refused;
      EXPECT_EQ(bytes(s), before);
    }
    out.hash.emplace_back(s.step(), s.hash());
  }
  s.advance(300);
  out.hash.emplace_back(s.step(), s.hash());
  return out;
}

// For who repeats it by the command line (tests/scripts/cli_replay.sh).
void leave(const std::string& name, const std::string& tape) {
  if (const char* folder = std::getenv("VDSIM_TAPES"))
    std::ofstream(std::string(folder) + "/" + name + ".json") << tape;
}

}  // namespace

TEST(LiveDrive, FiftyEditsAreTheSameDriveAgain) {
  std::set<std::string> done;
  for (const unsigned seed : {1u, 2u, 5u}) {
    SCOPED_TRACE(seed);
    Drive drive = random_drive(50, seed);
    LiveSession& s = drive.session;
    const std::string tape = s.tape(), hash = s.hash();
    EXPECT_GT(s.step(), 5000);
    EXPECT_LT(drive.refused, 40);

    LiveSession again = replay_tape(catalog(), tape, "tape");
    EXPECT_EQ(again.hash(), hash);
    EXPECT_FALSE(again.differs()) << "step " << *again.differs();
    EXPECT_EQ(again.tape(), tape);

    // back to any of them, in any order, and on again
    std::mt19937 random(seed);
    for (int i = 0; i < 15; ++i) {
      const std::int64_t step = drive.hash[random() % drive.hash.size()].first;
      std::string wanted;  // after the last event of that step
      for (const auto& [at, is] : drive.hash)
        if (at == step) wanted = is;
      s.rewind(step);
      EXPECT_EQ(s.hash(), wanted) << "step " << step;
      if (i % 3) continue;
      s.advance(s.end() - s.step());
      EXPECT_EQ(s.hash(), hash) << "from step " << step;
    }
    EXPECT_FALSE(s.differs());
    EXPECT_EQ(s.tape(), tape);
    if (seed == 1) leave("edits", tape);
    done.insert(drive.done.begin(), drive.done.end());
  }
  std::string all;
  for (const std::string& each : done) all += each + "\n";
  EXPECT_GE(done.size(), 26u) << all;  // of 28 that random_edit() knows
}

// What `vdsim run` does, driven by nobody.
TEST(LiveDrive, ARunIsADrive) {
  for (const char* scene : {"step_steer", "race_stop"}) {
    LiveSession s = session(scene, {"duration=2"});
    s.advance(2000);
    leave(scene, s.tape());
    EXPECT_TRUE(s.taped().events.empty());
  }
  LiveSession s = session("race_hold", {"level=L3", "rolling.z0=20", "grade=0"});
  EXPECT_FALSE(s.advance(3000));
  leave("diverged", s.tape());
}

// One bit of one command, and the replay says where it noticed.
TEST(LiveDrive, AnotherDriveIsFoundOut) {
  LiveSession s = session("step_steer", {"vx0=15"});
  s.advance(1500);
  s.command(0, pedals(0.03, 0, 0));
  s.advance(2000);
  Tape tape = s.taped();
  tape.events[0].demand.direct.steer += 1.0 / 8192;
  const LiveSession other = replay_tape(catalog(), tape_text(tape), "tape");
  ASSERT_TRUE(other.differs());
  EXPECT_EQ(*other.differs(), 2000);
  tape = s.taped();
  tape.hash.back() = tape.hash.back() == '0' ? '1' : '0';
  EXPECT_EQ(replay_tape(catalog(), tape_text(tape), "tape").differs(), 3500);
}

// Many short drives, to the end and back: every pair of edits in a row once.
TEST(LiveDrive, AnyTwoEditsInARow) {
  const std::vector<std::vector<std::string>> edits{
      {"tire.lugre.enabled=false"}, {"tire.lugre.law=breakaway"},   {"level=L5"},        {"level=L1"},
      {"solver.dt=0.0005"},         {"solver.integrator=implicit"}, {"tire=tire.rally"}, {"surface=surface.gravel"},
      {"grade=0.1", "mu=0.5"}};
  for (const auto& first : edits)
    for (const auto& second : edits) {
      SCOPED_TRACE(first[0] + " " + second[0]);
      LiveSession s = session("step_steer", {"vx0=10"});
      s.command(0, pedals(0.03, 0.2, 0));
      s.advance(130);
      if (!refused([&] { s.edit(sets(first)); }).empty()) continue;
      s.advance(70);
      if (!refused([&] { s.edit(sets(second)); }).empty()) continue;
      s.advance(60);
      const std::string hash = s.hash();
      EXPECT_EQ(replay_tape(catalog(), s.tape(), "tape").hash(), hash);
      s.rewind(150);
      s.rewind(260);
      EXPECT_EQ(s.hash(), hash);
      s.rewind(0);
      s.advance(260);
      EXPECT_EQ(s.hash(), hash);
    }
}
