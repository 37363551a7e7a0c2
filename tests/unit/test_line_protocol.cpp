// SPDX-License-Identifier: Apache-2.0
// A run that another program drives: the bits of the same controller in C++, stale commands, several cars, the end of either side.
#include "tests/unit/talk.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <fstream>
#include <map>
#include <sstream>

#include "vdsim/study/sim.hpp"

namespace vdsim {
namespace {

namespace fs = std::filesystem;

class External : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("vdsim_line_" + std::to_string(::getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  fs::path folder_;
};

std::string text_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

// Columns of a csv by name, as text: equal text is equal bits at 17 digits.
std::map<std::string, std::vector<std::string>> columns_of(const fs::path& file) {
  std::map<std::string, std::vector<std::string>> out;
  std::vector<std::string> names;
  std::istringstream in(text_of(file));
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("#")) continue;
    std::istringstream cells(line);
    std::size_t i = 0;
    const bool head = names.empty();
    for (std::string cell; std::getline(cells, cell, ',');)
      if (head)
        names.push_back(cell);
      else
        out[names[i++]].push_back(cell);
  }
  return out;
}

// A controller: holds 15 m/s and a lane by what it sees, every 10 ms.
Demand control(double vx, double y, double psi, double r) {
  Demand d;
  d.direct.steer = std::clamp(-0.02 * (y - 1) - 0.3 * psi - 0.05 * r, -0.3, 0.3);
  const double pull = 0.4 * (15 - vx);
  d.direct.throttle = std::clamp(pull, 0.0, 1.0);
  d.direct.brake = std::clamp(-pull, 0.0, 1.0);
  return d;
}
constexpr const char* kSeen[] = {"vx", "y", "psi", "r"};
json request_of(const Demand& d) {
  return {{"advance", 0.01},
          {"demand", {{"steer", d.direct.steer}, {"throttle", d.direct.throttle}, {"brake", d.direct.brake}}}};
}

TEST_F(External, LoopGivesTheBitsOfTheSameControllerInCpp) {
  for (const char* set : {"level=L1", "level=L2", "level=L3", "level=L5", "powertrain.enabled=true"}) {
    const Scenario scene =
        external_scene("step_steer", {set, "duration=2", "driver.speed=null", "sensors.enabled=true"});
    Sim sim(scene, scene.cars[0]);
    std::vector<std::size_t> seen;
    json names;
    for (std::size_t i = 0; i < sim.signals().size(); ++i) names.push_back(sim.signals()[i].name);
    for (const char* name : kSeen)
      seen.push_back(static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin()));
    int exchanges = 0;
    const Talk t = talk(scene, folder_ / "a", [&](const std::string& line) -> std::optional<std::string> {
      json now = json::parse(line);
      if (now.contains("protocol")) return json{{"read", names}}.dump();
      if (exchanges++ > 0) {  // the same in C++
        const std::span<const double> v = sim.values();
        const Demand d = control(v[seen[0]], v[seen[1]], v[seen[2]], v[seen[3]]);
        for (int i = 0; i < 10; ++i) EXPECT_TRUE(sim.step(d, d, scene.solver.dt));
      }
      const json& read = now["read"];
      const std::span<const double> v = sim.values();
      for (std::size_t i = 0; i < v.size(); ++i)
        EXPECT_EQ(std::bit_cast<std::uint64_t>(read[sim.signals()[i].name].get<double>()),
                  std::bit_cast<std::uint64_t>(v[i]))
            << set << " " << sim.signals()[i].name << " at " << now["t"];
      if (testing::Test::HasFailure()) return std::nullopt;
      return request_of(control(read["vx"], read["y"], read["psi"], read["r"])).dump();
    });
    EXPECT_EQ(exchanges, 200) << set;
    EXPECT_EQ(t.last()["done"], true);
    EXPECT_EQ(t.last()["t"], 2.0);
  }
}

// A demand that never changes is a driver block with one number, to the last digit of every row.
TEST_F(External, AConstantDemandIsThatOfADriver) {
  const char* const asked[][2] = {
      {R"({"speed":15,"steer":0.02})", "driver={speed: 15, steer: 0.02}"},
      {R"({"acceleration":1,"curvature":0.01})", "driver={acceleration: 1, curvature: 0.01}"},
      {R"({"throttle":0.4,"steer":0.05,"gear":1})", "driver={throttle: 0.4, steer: 0.05, gear: 1}"},
      {R"({"force":2000})", "driver={force: 2000}"},
      {R"({"torque":[0,0,300,300],"wheel_torques":true})", "driver={torque_rear: 600}"}};
  for (const auto& [demand, driver] : asked) {
    const char* plain = "driver={steer: null, speed: null}";
    const Scenario inside = external_scene("step_steer", {"control=internal", plain, driver, "duration=1"}),
                   outside = external_scene("step_steer", {plain, "duration=1", "cmd_timeout=10"});
    RunOptions options;
    options.out = (folder_ / "in").string(), options.digits = 17;
    run_scenario(inside, options);
    say(outside, folder_ / "out", {R"({"advance":0.25,"demand":)" + std::string(demand) + "}", R"({"advance":1e3})"});
    auto a = columns_of(folder_ / "in/run.csv"), b = columns_of(folder_ / "out/run.csv");
    EXPECT_GT(a["t"].size(), 100u);
    for (const auto& [name, column] : a) EXPECT_EQ(column, b[name]) << demand << " " << name;
    EXPECT_EQ(b["stale"], std::vector<std::string>(b["t"].size(), "0"));
  }
}

// cmd_timeout: brake 0.3, throttle 0, steer kept, flagged, from the first step on at which the demand is older.
TEST_F(External, OldCommandsBrake) {
  const Scenario scene = external_scene("step_steer", {"duration=2", "rate=1000", "cmd_timeout=0.1", "vx0=20"});
  const Talk t = say(scene, folder_ / "a",
                     {R"({"advance":0.1,"demand":{"throttle":0.5,"steer":0.03,"torque":[1,2,3,4]},"read":["vx"]})",
                      R"({"advance":0.001})", R"({"advance":0.2})", R"({"advance":0.1,"demand":{"throttle":0.5}})",
                      R"({"advance":0.5,"demand":{"curvature":0.01,"throttle":0.2}})"});
  const auto stale = [&](std::size_t i) { return json::parse(t.lines[i]).contains("stale"); };
  EXPECT_FALSE(stale(1));  // as old as cmd_timeout: not older
  EXPECT_TRUE(stale(2));
  EXPECT_TRUE(stale(3));
  EXPECT_FALSE(stale(4));
  EXPECT_TRUE(stale(5));
  auto rows = columns_of(folder_ / "a/run.csv");
  const auto at = [&](const char* name, int step) { return std::stod(rows[name][static_cast<std::size_t>(step)]); };
  EXPECT_EQ(at("throttle", 100), 0.5);
  EXPECT_EQ(at("stale", 100), 0);
  for (const int step : {101, 200, 300}) {
    EXPECT_EQ(at("stale", step), 1);
    EXPECT_EQ(at("throttle", step), 0);
    EXPECT_EQ(at("brake", step), 0.3);
    EXPECT_EQ(at("steer_command", step), 0.03);
    EXPECT_EQ(at("gear_command", step), 1);
  }
  EXPECT_EQ(at("throttle", 301), 0.5);
  EXPECT_EQ(at("brake", 301), 0);
  EXPECT_NE(at("steer_command", 600), 0);  // where the curvature had it
  EXPECT_EQ(at("steer_command", 600), at("steer_command", 800));
  EXPECT_LT(at("vx", 900), at("vx", 600) - 0.5);
}

// The same from C++ (and C): a sim that nobody commands any more brakes too.
TEST_F(External, ASimThatIsLeftAloneBrakes) {
  const Scenario scene = external_scene("step_steer", {"vx0=20"});
  Sim sim(scene, scene.cars[0]);
  Demand d;
  d.direct.throttle = 1;
  ASSERT_TRUE(sim.step(d, d, 0.001));
  const auto brake = [&] {
    for (std::size_t i = 0; i < sim.signals().size(); ++i)
      if (sim.signals()[i].name == "brake") return sim.values()[i];
    return -1.0;
  };
  ASSERT_TRUE(sim.run(0.1));
  EXPECT_EQ(brake(), 0);
  std::vector<std::byte> bytes(sim.snapshot_size());
  sim.snapshot(bytes);
  ASSERT_TRUE(sim.run(0.11));
  EXPECT_EQ(brake(), 0.3);
  ASSERT_TRUE(sim.restore(bytes));  // the age is part of a snapshot
  ASSERT_TRUE(sim.run(0.11));
  EXPECT_EQ(brake(), 0.3);
}

constexpr const char* kThree = R"(
id: three
duration: 1
fleet:
  - {id: a, control: external, vx0: 20}
  - {id: lead, vx0: 15, y0: 4, driver: {speed: 18}}
  - {id: b, control: external, level: L1, vx0: 10, y0: -4}
)";
Scenario three() {
  static const Catalog catalog(VDSIM_SOURCE_DIR "/configs");
  Errors errors;
  Scenario out = read_scene(catalog, kThree, "three.yaml", "", {}, errors);
  errors.throw_if_any();
  return out;
}

TEST_F(External, CarsByTheirIdsInsideOnesByTheirDrivers) {
  const Scenario scene = three();
  const std::string first =
      R"({"advance":0.05,"cars":{"a":{"demand":{"steer":0.02},"read":["x"]},"b":{"demand":{"speed":12},"read":["vx"]},"lead":{"read":["vx","x"]}}})";
  const std::string swapped =
      R"({"cars":{"lead":{"read":["vx","x"]},"b":{"read":["vx"],"demand":{"speed":12}},"a":{"read":["x"],"demand":{"steer":0.02}}},"advance":0.05})";
  std::vector<std::string> one(20, first), other(20, swapped);
  const Talk t = say(scene, folder_ / "t", one), u = say(scene, folder_ / "u", other);
  EXPECT_EQ(t.lines, u.lines);
  for (const char* file : {"a/run.csv", "b/run.csv", "lead/run.csv"})
    EXPECT_EQ(text_of(folder_ / "t" / file), text_of(folder_ / "u" / file)) << file;
  const json last = t.last();
  EXPECT_EQ(last["done"], true);
  EXPECT_EQ(last["cars"]["lead"]["read"].size(), 2u);
  EXPECT_GT(last["cars"]["b"]["read"]["vx"].get<double>(), 10.5);
  // the one inside goes as in a scene of its own
  Scenario alone = scene;
  alone.cars = {scene.cars[1]};
  RunOptions options;
  options.out = (folder_ / "alone").string(), options.digits = 17;
  run_scenario(alone, options);
  EXPECT_EQ(columns_of(folder_ / "alone/run.csv"), columns_of(folder_ / "t/lead/run.csv"));
}

TEST_F(External, FirstLineTellsWhatThereIs) {
  const Scenario scene = three();
  const Talk t = say(scene, folder_ / "t", {});
  ASSERT_EQ(t.lines.size(), 1u);
  const json hello = json::parse(t.lines[0]);
  EXPECT_EQ(hello["protocol"], 1);
  EXPECT_EQ(hello["dt"], 0.001);
  EXPECT_EQ(hello["duration"], 1.0);
  EXPECT_EQ(hello["cmd_timeout"], 0.1);
  EXPECT_EQ(hello["demand"]["steer"], "rad");
  Demand d;
  EXPECT_EQ(hello["demand"].size(), demand_fields(d).size());
  EXPECT_EQ(hello["cars"]["lead"]["control"], "internal");
  EXPECT_EQ(hello["cars"]["b"]["level"], "L1");
  for (const CarSpec& car : scene.cars)
    for (const Column& column : row_columns(car, scene.road))
      EXPECT_EQ(hello["cars"][car.id]["signals"][column.name], column.unit);
}

TEST_F(External, EndOfInputEndsTheRunWithItsFiles) {
  const Scenario scene = external_scene("step_steer", {"rate=100"});
  const Talk t = say(scene, folder_ / "a", {R"({"advance":0.055})"});
  EXPECT_EQ(t.last()["t"], 0.055);
  EXPECT_FALSE(t.last().contains("done"));
  EXPECT_FALSE(t.result.failed());
  EXPECT_EQ(t.result.cars[0].end_time, 0.055);
  const auto rows = columns_of(folder_ / "a/run.csv");
  ASSERT_EQ(rows.at("t").size(), 7u);  // 0, 10 .. 50 ms and the end
  EXPECT_EQ(std::stod(rows.at("t").back()), 0.055);
  EXPECT_TRUE(fs::exists(folder_ / "a/summary.json"));
}

TEST_F(External, AReaderThatGoesAwayEndsTheRunWithItsFiles) {
  const Scenario scene = external_scene("step_steer", {});
  int lines = 0;
  LineProtocol protocol(
      scene,
      [](std::span<char> into) {
        const std::string text = "{\"advance\":0.01}\n";
        return text.copy(into.data(), into.size());
      },
      [&](std::string_view) { return ++lines < 4; });
  RunOptions options;
  options.out = (folder_ / "a").string();
  options.control = [&](Fleet& fleet) { return protocol(fleet); };
  const RunResult result = run_scenario(scene, options);
  EXPECT_NEAR(result.cars[0].end_time, 0.03, 1e-12);
  EXPECT_TRUE(fs::exists(folder_ / "a/run.csv"));
}

TEST_F(External, ACarThatDivergesIsTold) {
  const Scenario scene = external_scene("accel_brake", {"duration=4", "level=L3", "z0=20"});
  const Talk t = say(scene, folder_ / "a", std::vector<std::string>(100, R"({"advance":0.1,"read":["z"]})"));
  EXPECT_TRUE(t.result.failed());
  EXPECT_TRUE(t.last()["failed"].is_string());
  EXPECT_EQ(t.last()["done"], true);
  EXPECT_TRUE(fs::exists(folder_ / "a/failed.snapshot"));
}

// Steps above 1 ms are held against half the step, which hears the same commands: on a smooth road they are good, on a rough one not.
TEST_F(External, LongStepsAreWatched) {
  const auto fault = [&](const char* solver, const char* road) {
    const Scenario scene = external_scene("step_steer", {"level=L3", solver, road, "duration=2", "cmd_timeout=1"});
    std::vector<std::string> requests;
    for (int i = 0; i < 20; ++i)
      requests.push_back(json{{"advance", 0.1}, {"demand", {{"steer", i % 2 ? 0.01 : -0.01}, {"speed", 20}}}}.dump());
    return say(scene, folder_ / "a", requests).result.cars[0].why;
  };
  EXPECT_EQ(fault("solver={dt: 0.002}", "iso_class=none"), "");
  EXPECT_NE(fault("solver={integrator: implicit, dt: 0.004}", "iso_class=D")
                .find("use solver.integrator rk4 with solver.dt 0.001"),
            std::string::npos);
}

TEST_F(External, SnapshotGoesOnWithTheSameDemand) {
  const Scenario scene = external_scene("step_steer", {"duration=1"});
  CarRun whole(scene, scene.cars[0]), rest(scene, scene.cars[0]);
  Demand d;
  d.speed = 15, d.direct.steer = 0.02;
  whole.command(d);
  for (int i = 0; i < 50; ++i) ASSERT_TRUE(whole.step());
  ASSERT_TRUE(rest.restore(whole.snapshot()));
  while (!whole.done()) ASSERT_TRUE(whole.step() && rest.step());
  EXPECT_TRUE(whole.stale());
  EXPECT_EQ(whole.snapshot(), rest.snapshot());
}

TEST_F(External, NobodyWhoCommandsIsRefused) {
  RunOptions options;
  options.out = (folder_ / "a").string();
  try {
    run_scenario(three(), options);
    FAIL();
  } catch (const BadInput& e) {
    EXPECT_NE(std::string(e.what()).find("fleet[0].control: nobody commands a, an external car: give --stdio"),
              std::string::npos)
        << e.what();
  }
  EXPECT_FALSE(fs::exists(folder_ / "a"));
}

TEST_F(External, ADriverBlockBesideIsNoted) {
  const Scenario scene = external_scene("step_steer", {});
  EXPECT_FALSE(scene.notes.empty());
  for (const std::string& note : scene.notes)
    EXPECT_NE(note.find("has no effect with control external"), std::string::npos);
  EXPECT_NE(scenario_text(scene).find("    control: external\n"), std::string::npos);
}

}  // namespace
}  // namespace vdsim
