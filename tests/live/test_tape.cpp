// SPDX-License-Identifier: Apache-2.0
// vdsim.tape.v1: what is written reads back, and what is wrong is refused, all of it at once.
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>

#include "tests/live/live.hpp"

using namespace live;
using nlohmann::json;

namespace {

// A short drive with an event of each kind.
std::string good() {
  LiveSession s = session("race_hold");
  s.advance(40);
  Demand d = pedals(0.1, 0.25, 0);
  d.direct.gear = -1, d.direct.torque = {1, 2, 3.5, -4};
  s.command(1, d);
  s.edit(sets({"mu=0.5", "rolling.tire.lugre.enabled=false"}));
  s.advance(30);
  Demand speed;
  speed.speed = 12.5, speed.speed_rate = 0.5, speed.curvature = -0.125;
  s.command(0, speed);
  s.advance(10);
  s.reset();
  s.advance(1000);
  return s.tape();
}

struct Bad {
  const char* what;  // of the test
  std::function<void(json&)> spoil;
  std::vector<std::string> expected;  // one in each line, in any order
};

const std::vector<Bad>& bad_tapes() {
  static const std::vector<Bad> all{
      {"another schema",
       [](json& t) { t["schema"] = "vdsim.tape.v2"; },
       {"schema: is 'vdsim.tape.v2', expected vdsim.tape.v1"}},
      {"no schema", [](json& t) { t.erase("schema"); }, {"schema: missing key"}},
      {"unknown key", [](json& t) { t["event"] = json::array(); }, {"did you mean 'events'"}},
      {"config is no hash", [](json& t) { t["config"] = "0123"; }, {"config: expected 16 hex digits"}},
      {"config of another scene",
       [](json& t) { t["config"] = "0123456789abcdef"; },
       {"config: is 0123456789abcdef, but the scene has"}},
      {"dt is a text", [](json& t) { t["dt"] = "fast"; }, {"dt: expected a number"}},
      {"dt is not that of the scene",
       [](json& t) { t["dt"] = 0.002; },
       {"dt: is 0.002, but solver.dt of the scene is 0.001"}},
      {"no car", [](json& t) { t["cars"] = json::array(); }, {"cars: is empty"}},
      {"a car twice",
       [](json& t) {
         t["cars"] = {"rolling", "rolling"};
       },
       {"cars[1]: 'rolling' is in the list already"}},
      {"other cars",
       [](json& t) {
         t["cars"] = {"rolling", "blend", "third"};
       },
       {"cars: are not those of the scene"}},
      {"scene is no list", [](json& t) { t["scene"] = "id: x"; }, {"scene: expected a list"}},
      {"a line of the scene is a number", [](json& t) { t["scene"][1] = 7; }, {"scene[1]: expected a line of YAML"}},
      {"scene has errors",
       [](json& t) {
         t["scene"].push_back("grad: 3");
         t["scene"].push_back("bnk: x");
       },
       {"grad", "bnk"}},
      {"scene is no YAML", [](json& t) { t["scene"][3] = "\"a: [b"; }, {"YAML"}},
      {"an event is no list", [](json& t) { t["events"][1] = 3; }, {"events[1]: expected a list"}},
      {"an event has two values",
       [](json& t) { t["events"][0].erase(2); },
       {"events[0]: expected [step, car, command, edit or reset], found 2 values"}},
      {"step is negative", [](json& t) { t["events"][0][0] = -1; }, {"events[0][0]"}},
      {"step is no whole number", [](json& t) { t["events"][0][0] = 40.5; }, {"events[0][0]: expected a whole number"}},
      {"steps go back", [](json& t) { t["events"][2][0] = 39; }, {"events[2][0]: step 39 after step 40"}},
      {"step after the end",
       [](json& t) { t["events"][3][0] = 5000; },
       {"events[3][0]: step 5000 is after the end, 1080"}},
      {"unknown car",
       [](json& t) { t["events"][0][1] = "blen"; },
       {"events[0][1]: the drive has no car 'blen', did you mean 'blend'?"}},
      {"an edit of a car", [](json& t) { t["events"][1][1] = "blend"; }, {"events[1][1]: expected null"}},
      {"unknown event", [](json& t) { t["events"][3][2] = "restart"; }, {"events[3][2]: expected"}},
      {"a command for a reset",
       [](json& t) {
         t["events"][3][2] = {{"comand", json::object()}};
       },
       {"did you mean 'command'"}},
      {"unknown pedal", [](json& t) { t["events"][0][2]["command"]["throtle"] = 0.5; }, {"did you mean 'throttle'"}},
      {"brake out of range",
       [](json& t) { t["events"][0][2]["command"]["brake"] = 2; },
       {"events[0][2].command.brake"}},
      {"off the grid",
       [](json& t) { t["events"][0][2]["command"]["steer"] = 0.1; },
       {"events[0][2].command: has a number that is no multiple of 1/8192"}},
      {"two wishes",
       [](json& t) { t["events"][2][2]["command"]["acceleration"] = 1; },
       {"give one of speed, acceleration, force"}},
      {"no path to follow", [](json& t) { t["events"][0][2]["command"]["follow_path"] = true; }, {"has no path"}},
      {"an empty edit", [](json& t) { t["events"][1][2]["edit"] = json::array(); }, {"events[1][2].edit: is empty"}},
      {"an edit of one text",
       [](json& t) { t["events"][1][2]["edit"][0] = {"mu=0.5"}; },
       {"events[1][2].edit[0]: expected [path, value]"}},
      {"a value that is no text",
       [](json& t) { t["events"][1][2]["edit"][0][1] = 0.5; },
       {"events[1][2].edit[0][1]: expected a text"}},
      {"too few hashes", [](json& t) { t["hashes"].erase(0); }, {"hashes: are 1, but 1080 steps have 2"}},
      {"a hash is none", [](json& t) { t["hashes"][1] = "xyz"; }, {"hashes[1]: expected 16 hex digits"}},
      {"end is a text", [](json& t) { t["end"] = "1080"; }, {"end: expected a number"}},
      {"no hash at the end", [](json& t) { t.erase("hash"); }, {"hash: missing key"}},
  };
  return all;
}

std::vector<std::string> errors_of(const std::string& text) {
  return refused([&] { load_tape(*catalog(), text, "drive.json"); });
}
bool has(const std::vector<std::string>& lines, const std::string& text) {
  return std::any_of(lines.begin(), lines.end(),
                     [&](const std::string& l) { return l.find(text) != std::string::npos; });
}
std::string all(const std::vector<std::string>& lines) {
  std::string out;
  for (const std::string& line : lines) out += line + "\n";
  return out;
}

}  // namespace

TEST(Tape, ReadsBackAsItWasWritten) {
  const std::string text = good();
  const TapedScene taped = load_tape(*catalog(), text, "drive.json");
  EXPECT_EQ(tape_text(taped.tape), text);
  ASSERT_EQ(taped.tape.events.size(), 4u);
  EXPECT_EQ(taped.tape.events[0].demand.direct.gear, -1);
  EXPECT_EQ(taped.tape.events[0].demand.direct.torque[2], 3.5);
  EXPECT_EQ(taped.tape.events[2].demand.curvature, -0.125);
  EXPECT_TRUE(std::isnan(taped.tape.events[2].demand.force));
  LiveSession again = replay_tape(catalog(), text, "drive.json");
  EXPECT_FALSE(again.differs());
  EXPECT_EQ(again.tape(), text);
}

// Another machine has its catalog elsewhere; the drive is the same.
TEST(Tape, FilesOfTheCatalogAreFoundElsewhere) {
  LiveSession s = session("terrain_hill_demo", {"tire=tire.ioniq5"});
  s.advance(50);
  s.edit(sets({"tire.tir_path=" + catalog()->folder() + "/tir/book_205_60R15.tir"}));
  s.advance(50);
  const std::string text = s.tape();
  EXPECT_EQ(text.find(catalog()->folder()), std::string::npos);
  EXPECT_NE(text.find("catalog:roads/hill.asc"), std::string::npos);
  EXPECT_NE(text.find("\"catalog:tir/book_205_60R15.tir\""), std::string::npos);
  const std::string elsewhere = ::testing::TempDir() + "catalog_elsewhere";
  std::filesystem::remove(elsewhere);
  std::filesystem::create_directory_symlink(catalog()->folder(), elsewhere);
  LiveSession again = replay_tape(std::make_shared<const Catalog>(elsewhere), text, "drive.json");
  EXPECT_EQ(again.hash(), s.hash());
  EXPECT_EQ(again.tape(), text);
  std::filesystem::remove(elsewhere);
}

TEST(Tape, EveryKindOfErrorIsNamed) {
  const json tape = json::parse(good());
  EXPECT_GE(bad_tapes().size(), 20u);
  for (const Bad& bad : bad_tapes()) {
    SCOPED_TRACE(bad.what);
    json spoilt = tape;
    bad.spoil(spoilt);
    const std::vector<std::string> lines = errors_of(spoilt.dump());
    EXPECT_EQ(lines.size(), bad.expected.size()) << all(lines);
    for (const std::string& text : bad.expected) EXPECT_TRUE(has(lines, text)) << text << "\n" << all(lines);
    for (const std::string& line : lines) EXPECT_EQ(line.rfind("drive.json", 0), 0u) << line;
  }
}

TEST(Tape, AllErrorsComeAtOnce) {
  json tape = json::parse(good());
  tape["schema"] = "tape", tape["dt"] = -1, tape["hash"] = 5;
  tape["scene"].push_back("grad: 3");
  tape["events"][0][1] = "nobody", tape["events"][3][2] = "resett", tape["events"][1][2]["edit"][0][1] = 0.5;
  const std::vector<std::string> lines = errors_of(tape.dump());
  EXPECT_EQ(lines.size(), 7u) << all(lines);
}

TEST(Tape, WhatIsNoJsonIsRefused) {
  for (const char* text : {"", "[]", "3", "{", "{\"schema\": \"vdsim.tape.v1\"", "null", "\"tape\"", "{} {}"})
    EXPECT_FALSE(errors_of(text).empty()) << text;
  EXPECT_TRUE(has(errors_of(std::string(Tape::kMostBytes + 1, ' ')), "at most"));
  EXPECT_TRUE(has(errors_of(good().substr(0, 2000)), "JSON syntax"));
}

// An edit that was fine when it was made and is none now: the replay stops before it, and says where.
TEST(Tape, AnEditThatIsRefusedStopsTheReplay) {
  json tape = json::parse(good());
  tape["events"][1][2]["edit"][0] = {"mu", "-3"};
  const std::string text = tape.dump();
  LiveSession s(catalog(), load_tape(*catalog(), text, "drive.json"));
  const auto lines = refused([&] { s.advance(1080); });
  EXPECT_TRUE(has(lines, "mu")) << all(lines);
  EXPECT_EQ(s.step(), 40);
  const std::string before = bytes(s);
  EXPECT_FALSE(refused([&] { s.advance(1); }).empty());
  EXPECT_EQ(bytes(s), before);
}
