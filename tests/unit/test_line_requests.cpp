// SPDX-License-Identifier: Apache-2.0
// What is wrong with a request is said with its path and the nearest key, and nothing changes. Beneath it: lines, and JSON.
#include <gtest/gtest.h>

#include <fstream>

#include "tests/unit/talk.hpp"
#include "vdsim/study/json.hpp"

namespace vdsim {
namespace {

namespace fs = std::filesystem;

struct Bad {
  std::string line, said;  // `said` is part of the first error
};
const Bad kBad[] = {
    // keys
    {R"({"advanse":0.1})", "advanse: unknown key, did you mean 'advance'?"},
    {R"({"Advance":0.1})", "Advance: unknown key, did you mean 'advance'?"},
    {R"({"demnd":{}})", "demnd: unknown key, did you mean 'demand'?"},
    {R"({"command":{"steer":1}})", "command: unknown key; valid: advance, cars, demand, read"},
    {R"({"car":{}})", "car: unknown key, did you mean 'cars'?"},
    {R"({"":1})", ": unknown key"},
    {R"({"t":0})", "t: unknown key"},
    {R"({"advance":0.1,"advance":0.2})", "advance: key given twice"},
    {R"({"demand":{"steer":0,"steer":1}})", "steer: key given twice"},
    {R"({"demand":{"steeer":0.1}})", "demand.steeer: unknown key, did you mean 'steer'?"},
    {R"({"demand":{"gas":0.1}})", "demand.gas: unknown key"},
    {R"({"demand":{"throtle":0.1}})", "demand.throtle: unknown key, did you mean 'throttle'?"},
    {R"({"demand":{"direct":{"steer":0.1}}})", "demand.direct: unknown key"},
    {R"({"demand":{"path":[[0,0],[1,1]]}})", "demand.path: unknown key; valid: steer, throttle"},
    {R"({"cars":{"egoo":{}}})", "cars.egoo: the scene has no such car, did you mean 'ego'?"},
    {R"({"cars":{"ego":{"demnd":{}}}})", "cars.ego.demnd: unknown key, did you mean 'demand'?"},
    {R"({"cars":{"ego":{"advance":1}}})", "cars.ego.advance: unknown key"},
    {R"({"demand":{},"cars":{"ego":{"demand":{}}}})", "cars.ego.demand: car ego has a demand already"},
    {R"({"read":["vx"],"cars":{"ego":{"read":["vx"]}}})", "cars.ego.read: given already"},
    // types
    {R"([])", "expected a block of keys, found a list"},
    {R"(5)", "expected a block of keys, found '5'"},
    {R"("advance")", "expected a block of keys"},
    {R"(null)", "expected a block of keys, found nothing"},
    {R"({"advance":"0.1"})", "advance: expected a number [s], found the text \"0.1\""},
    {R"({"advance":true})", "advance: expected a number"},
    {R"({"advance":null})", "advance: expected a number"},
    {R"({"advance":[0.1]})", "advance: expected a number"},
    {R"({"advance":{}})", "advance: expected a number"},
    {R"({"demand":5})", "demand: expected a block of keys"},
    {R"({"demand":[]})", "demand: expected a block of keys"},
    {R"({"demand":null})", "demand: expected a block of keys"},
    {R"({"demand":{"steer":"left"}})", "demand.steer: expected a number [rad]"},
    {R"({"demand":{"steer":null}})", "demand.steer: expected a number"},
    {R"({"demand":{"gear":1.5}})", "demand.gear: expected a whole number"},
    {R"({"demand":{"gear":true}})", "demand.gear: expected a number"},
    {R"({"demand":{"follow_path":1}})", "demand.follow_path: expected true or false"},
    {R"({"demand":{"torque":[1,2,3]}})", "demand.torque: expected a list of 4 numbers, found 3 values"},
    {R"({"demand":{"torque":100}})", "demand.torque: expected a list of 4 numbers"},
    {R"({"demand":{"torque":[1,2,3,"4"]}})", "demand.torque[3]: expected a number"},
    {R"({"cars":[]})", "cars: expected a block of keys"},
    {R"({"cars":{"ego":[]}})", "cars.ego: expected a block of keys"},
    {R"({"read":"vx"})", "read: expected a list"},
    {R"({"read":[5]})", "read[0]: expected the name of a signal in quotes, found '5'"},
    {R"({"read":[["vx"]]})", "read[0]: expected the name of a signal in quotes"},
    // values
    {R"({"advance":-0.1})", "advance: -0.1 is out of range"},
    {R"({"advance":1e9})", "advance: 1e9 is out of range"},
    {R"({"advance":0.0015})", "advance: 0.0015 s is no multiple of the step 0.001 s"},
    {R"({"advance":1e-9})", "advance: 1e-9 s is no multiple"},
    {R"({"advance":1e999})", "JSON syntax"},
    {R"({"advance":NaN})", "JSON syntax"},
    {R"({"demand":{"throttle":NaN}})", "JSON syntax"},
    {R"({"demand":{"throttle":Infinity}})", "JSON syntax"},
    {R"({"demand":{"throttle":1.01}})", "demand.throttle: 1.01 is out of range, expected 0 to 1"},
    {R"({"demand":{"brake":-1}})", "demand.brake: -1 is out of range"},
    {R"({"demand":{"gear":99}})", "demand.gear: 99 is out of range"},
    {R"({"demand":{"steer":1e300}})", "demand.steer: 1e300 is out of range"},
    {R"({"demand":{"speed":1000}})", "demand.speed: 1000 is out of range"},
    {R"({"demand":{"speed":10,"force":100}})", "demand.speed: give one of speed, acceleration, force"},
    {R"({"demand":{"speed":10,"throttle":0.1}})", "demand.throttle: cannot be combined with speed"},
    {R"({"demand":{"speed":10,"gear":1}})", "demand.gear: cannot be combined with speed"},
    {R"({"demand":{"acceleration":1,"brake":0.1}})", "demand.brake: cannot be combined with acceleration"},
    {R"({"demand":{"curvature":0.1,"steer":0.1}})", "demand.steer: cannot be combined with curvature"},
    {R"({"demand":{"speed_rate":1}})", "demand.speed_rate: cannot be combined with anything but speed"},
    {R"({"demand":{"follow_path":true}})", "demand.follow_path: the driver of this scene has no path"},
    {R"({"read":["vxx"]})", "read[0]: this car has no signal the text \"vxx\", did you mean 'vx'?"},
    {R"({"read":["vx","y","vx"]})", "read[2]: 'vx' is in the list already"},
    // texts that are no JSON, or none that can be shown
    {"", "JSON syntax"},
    {"   ", "JSON syntax"},
    {"{", "JSON syntax"},
    {R"({"advance":0.1)", "JSON syntax"},
    {R"({"advance":0.1}})", "JSON syntax"},
    {R"({"advance":0.1}{"advance":0.1})", "JSON syntax"},
    {R"({advance:0.1})", "JSON syntax"},
    {R"({'advance':0.1})", "JSON syntax"},
    {R"({"advance":0.1,})", "JSON syntax"},
    {R"({"advance":.1})", "JSON syntax"},
    {R"({"advance":0x10})", "JSON syntax"},
    {"advance 0.1", "JSON syntax"},
    {"{\"adv\xff\":1}", "JSON syntax"},
    {std::string("{\"advance\":0.1}\0", 16), "JSON syntax"},
    {R"({"\u001b[31m":1})", "control characters are not allowed in a key"},
    {R"({"read":["\u001b[31m"]})", "control characters are not allowed in a text"},
    {std::string(200, '['), "nested more than 64 levels deep"},
    {R"({"read":[)" + std::string(LineProtocol::kMostLine, ' ') + R"("vx"]})", "the line is longer than 65536 bytes"},
};

TEST(LineRequests, BadOnesNameThePathAndChangeNothing) {
  static_assert(std::size(kBad) >= 60);
  const fs::path folder = fs::temp_directory_path() / ("vdsim_bad_" + std::to_string(::getpid()));
  const Scenario scene = external_scene("step_steer", {"duration=1"});
  const std::string good = R"({"advance":0.005,"demand":{"steer":0.02,"speed":15},"read":["x","r","fz_fl"]})";
  std::vector<std::string> plain, mixed;
  for (const Bad& bad : kBad) plain.push_back(good), mixed.push_back(bad.line), mixed.push_back(good);
  const Talk right = say(scene, folder / "a", plain), wrong = say(scene, folder / "b", mixed);
  ASSERT_EQ(wrong.lines.size(), 1 + 2 * std::size(kBad));
  for (std::size_t i = 0; i < std::size(kBad); ++i) {
    const json reply = json::parse(wrong.lines[1 + 2 * i]);
    ASSERT_TRUE(reply.contains("error")) << kBad[i].line.substr(0, 80);
    const std::string said = reply["error"][0];
    EXPECT_TRUE(said.starts_with("request " + std::to_string(1 + 2 * i) + ": ")) << said;
    EXPECT_NE(said.find(kBad[i].said), std::string::npos) << kBad[i].line.substr(0, 80) << "\n" << said;
    EXPECT_EQ(wrong.lines[2 + 2 * i], right.lines[1 + i]);  // to the bit
  }
  std::ifstream a(folder / "a/run.csv"), b(folder / "b/run.csv");
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(a), {}), std::string(std::istreambuf_iterator<char>(b), {}));
  fs::remove_all(folder);
}

// Every error of a request at once; a list of garbage does not fill the reply.
TEST(LineRequests, AllErrorsOfALine) {
  const fs::path folder = fs::temp_directory_path() / ("vdsim_all_" + std::to_string(::getpid()));
  std::string many = R"({"read":[)";
  for (int i = 0; i < 5; ++i) many += "\"no" + std::to_string(i) + "\",";
  const Talk t = say(external_scene("step_steer", {}), folder,
                     {R"({"advance":-1,"demand":{"steer":"x","brake":2},"reed":[]})", many + "\"vx\"]}"});
  EXPECT_EQ(json::parse(t.lines[1])["error"].size(), 4u);
  EXPECT_EQ(json::parse(t.lines[2])["error"].size(), 5u);
  fs::remove_all(folder);
}

TEST(LineRequests, CarsThatAreNotMeant) {
  static const Catalog catalog(VDSIM_SOURCE_DIR "/configs");
  const fs::path folder = fs::temp_directory_path() / ("vdsim_two_" + std::to_string(::getpid()));
  Errors errors;
  const std::string text = "id: s\nfleet: [{id: a, control: external}, {id: b, control: external}, {id: c}]\n";
  const Scenario two = read_scene(catalog, text, "s.yaml", "", {}, errors);
  const Talk t = say(two, folder, {R"({"demand":{}})", R"({"read":[]})", R"({"cars":{"c":{"demand":{}}}})"});
  EXPECT_NE(t.lines[1].find("demand: the scene has several cars, say of which: cars.a.demand"), std::string::npos)
      << t.lines[1];
  EXPECT_NE(t.lines[2].find("read: the scene has several cars"), std::string::npos);
  EXPECT_NE(t.lines[3].find("cars.c.demand: car c is driven by its driver"), std::string::npos);
  fs::remove_all(folder);
}

std::vector<std::string> lines_of(const std::string& text, std::size_t most, std::size_t piece) {
  std::size_t at = 0;
  LineReader reader(
      [&](std::span<char> into) {
        const std::size_t n = std::min({into.size(), piece, text.size() - at});
        text.copy(into.data(), n, at);
        at += n;
        return n;
      },
      most);
  std::vector<std::string> out;
  while (const auto line = reader.next()) out.push_back(std::string(line->text) + (line->too_long ? "!" : ""));
  return out;
}

TEST(LineReader, LinesWhateverThePieces) {
  for (const std::size_t piece : {1, 2, 3, 7, 100}) {
    EXPECT_EQ(lines_of("a\nbc\n\nd", 8, piece), (std::vector<std::string>{"a", "bc", "", "d"})) << piece;
    EXPECT_EQ(lines_of("", 8, piece), std::vector<std::string>{});
    EXPECT_EQ(lines_of("\n", 8, piece), std::vector<std::string>{""});
    EXPECT_EQ(lines_of("12345678\n123456789\nx\n", 8, piece), (std::vector<std::string>{"12345678", "12345678!", "x"}));
    EXPECT_EQ(lines_of("a\n" + std::string(10000, 'x'), 8, piece), (std::vector<std::string>{"a", "xxxxxxxx!"}));
  }
}

TEST(Json, TheTreeThatYamlGives) {
  Errors errors;
  const auto node =
      parse_json(R"({"a": [1, -2.50e1, "x", true, null], "b": {"c": 18446744073709551615}})", "j", errors);
  ASSERT_TRUE(node);
  const YamlNode* a = node->find("a");
  ASSERT_EQ(a->items.size(), 5u);
  EXPECT_EQ(a->items[1].text, "-2.50e1");  // as written: it is read once, to the bit
  EXPECT_TRUE(a->items[2].quoted);
  EXPECT_FALSE(a->items[3].quoted);
  EXPECT_EQ(a->items[4].kind, YamlNode::Kind::null);
  EXPECT_EQ(node->find("b")->find("c")->text, "18446744073709551615");
  EXPECT_FALSE(parse_json("{} {}", "j", errors));
  EXPECT_EQ(errors.size(), 1u);
}

}  // namespace
}  // namespace vdsim
