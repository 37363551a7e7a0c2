// SPDX-License-Identifier: Apache-2.0
// `control: {fmu: FILE}`: an FMU of somebody else drives a car.
#include <cmath>

#include "tests/fmi/controller_fmu.hpp"
#include "tests/fmi/controller_law.h"
#include "vdsim/study/line_protocol.hpp"

namespace {

using Lines = std::vector<std::string>;

double column(const Recording& rows, const std::string& name, std::size_t row) {
  for (std::size_t i = 0; i < rows.columns.size(); ++i)
    if (rows.columns[i].name == name) return rows.data[i][row];
  ADD_FAILURE() << "no column " << name;
  return 0;
}
bool same_rows(const Recording& a, const Recording& b) {
  if (a.data.size() != b.data.size() || a.data.empty() || a.data[0].size() < 100) return false;
  for (std::size_t i = 0; i < a.data.size(); ++i)
    if (!same_bits(a.data[i], b.data[i])) return false;
  return true;
}

TEST_F(ControllerTest, GivesTheBitsOfTheSameLawInCpp) {
  for (const int version : {2, 3})
    for (const int n : {1, 10, 7}) {
      SCOPED_TRACE("FMI " + std::to_string(version) + ", every " + std::to_string(n) + " steps");
      Describe d;
      d.version = version, d.step = n == 1 ? "" : n == 10 ? "0.01" : "0.02";
      make(d);
      const std::string step = n == 7 ? ", step: 0.007" : "";
      const Ran by_fmu = run(scene_text(car("a", "{fmu: controller.fmu" + step + ", parameters: {target: 18}}")));
      // the same law, in C++
      const Scenario scene = read(scene_text(car("a", "external")));
      Law law{18, 0.3, 0};
      std::vector<Recording> rows;
      RunOptions options;
      options.recordings = &rows;
      long last = -1;
      options.control = [&](Fleet& fleet) -> long {
        if (fleet.runs_out()) return 0;
        Fleet::Member& m = fleet.members()[0];
        const CarOutputs s = m.run.outputs();
        const LawOutput out = law_step(&law, {s.vx, s.y, s.psi, s.r, s.wheel[0].fz, s.wheel[1].fz},
                                       last < 0 ? 0 : static_cast<double>(n) * scene.solver.dt);
        last = fleet.step_index();
        Demand demand;
        demand.direct.throttle = out.throttle, demand.direct.brake = out.brake, demand.direct.steer = out.steer;
        fleet.command(m, demand);
        return n;
      };
      run_scenario(scene, options);
      ASSERT_EQ(by_fmu.rows.size(), 1u);
      EXPECT_TRUE(same_rows(by_fmu.rows[0], rows[0]));
      const std::size_t end = rows[0].data[0].size() - 1;
      EXPECT_GT(column(rows[0], "vx", end), 11);             // it drove,
      EXPECT_LT(std::abs(column(rows[0], "y", end)), 0.99);  // and steered
      EXPECT_EQ(by_fmu.notes, Lines{"s.yaml: fleet[0].control: outputs that are no commands: load"});
    }
}

// A delay of one exchange would be a different controller: its command is that of the signals in the same row.
TEST_F(ControllerTest, AnswersWithoutDelay) {
  make();
  const Ran ran = run(scene_text(car("a", "{fmu: controller.fmu, parameters: {target: 11}}")));
  const Recording& rows = ran.rows[0];
  const double error = 11 - column(rows, "vx", 10), throttle = 0.3 * error + 0.05 * 0.01 * error;
  EXPECT_NEAR(column(rows, "throttle", 10), throttle, 1e-15);  // rounding
  EXPECT_NE(column(rows, "throttle", 9), column(rows, "throttle", 10));
  EXPECT_EQ(column(rows, "throttle", 10), column(rows, "throttle", 19));  // held
}

TEST_F(ControllerTest, WiringByHandIsTheSame) {
  make();
  const Ran plain = run(scene_text(car("a", "{fmu: controller.fmu}")));
  const Ran wired = run(scene_text(car(
      "a",
      "\n      fmu: controller.fmu\n      step: 0.01\n      inputs: {vx: vx, yaw: psi, wheel: {'fz[1]': "
      "'wheel.fz[1]'}}\n"
      "      outputs: {throttle: throttle, brake: brake, steer_angle_wheel: steer}\n      parameters: {label: 'it'}")));
  EXPECT_TRUE(same_rows(plain.rows[0], wired.rows[0]));
  // a number instead of a signal: it believes to stand still
  const Ran blind = run(scene_text(car("a", "{fmu: controller.fmu, inputs: {vx: 0}}")));
  EXPECT_EQ(column(blind.rows[0], "throttle", 900), 1);
  // an output that is not among `outputs` is no command
  const Ran pedals = run(scene_text(car("a", "{fmu: controller.fmu, outputs: {throttle: throttle}}")));
  EXPECT_EQ(column(pedals.rows[0], "y", 900), 1);
}

TEST_F(ControllerTest, TwoCarsHaveTwoOfThem) {
  make();
  Describe three;
  three.version = 3, three.file = "three.fmu";
  make(three);
  const std::string cars = car("a", "{fmu: controller.fmu}") +
                           car("b", "{fmu: controller.fmu, parameters: {target: 5}}") +
                           car("c", "{fmu: three.fmu, step: 0.015}") + car("d", "internal");
  const Ran all = run(scene_text(cars));
  ASSERT_EQ(all.rows.size(), 4u);
  EXPECT_TRUE(same_rows(all.rows[0], run(scene_text(car("a", "{fmu: controller.fmu}"))).rows[0]));
  EXPECT_TRUE(
      same_rows(all.rows[1], run(scene_text(car("b", "{fmu: controller.fmu, parameters: {target: 5}}"))).rows[0]));
  EXPECT_TRUE(same_rows(all.rows[2], run(scene_text(car("c", "{fmu: three.fmu, step: 0.015}"))).rows[0]));
  EXPECT_FALSE(same_rows(all.rows[0], all.rows[1]));
}

// Somebody else commands another car at other times, and neither disturbs the other.
TEST_F(ControllerTest, GoesBesideAProgramThatCommandsAnotherCar) {
  make();
  const auto drive = [&](const std::string& cars, std::size_t which) {
    const Scenario scene = read(scene_text(cars));
    std::vector<Recording> rows;
    std::vector<std::string> notes;
    RunOptions options;
    options.recordings = &rows;
    if (cars.find("fmu") != cars.npos) options.controllers = controllers(scene, notes);
    options.control = [which](Fleet& fleet) -> long {
      Demand demand;
      demand.direct.throttle = 0.3, demand.direct.steer = 0.001 * static_cast<double>(fleet.step_index() / 7);
      fleet.command(fleet.members()[which], demand);
      return fleet.runs_out() ? 0 : 7;
    };
    run_scenario(scene, options);
    return rows;
  };
  const std::string fmu = car("a", "{fmu: controller.fmu}"), external = car("b", "external");
  const auto both = drive(fmu + external, 1);
  EXPECT_TRUE(same_rows(both[0], run(scene_text(fmu)).rows[0]));
  EXPECT_TRUE(same_rows(both[1], drive(external, 0)[0]));
}

TEST_F(ControllerTest, TheLineProtocolReadsItAndDoesNotCommandIt) {
  make();
  const Scenario scene = read(scene_text(car("a", "{fmu: controller.fmu}") + car("b", "external")));
  std::string requests =
      "{\"cars\": {\"a\": {\"demand\": {\"throttle\": 1}}}}\n"
      "{\"cars\": {\"a\": {\"read\": [\"vx\"]}}, \"advance\": 0.005}\n";
  Lines replies;
  LineProtocol protocol(
      scene,
      [&](std::span<char> into) {
        const std::size_t n = requests.copy(into.data(), into.size());
        requests.erase(0, n);
        return n;
      },
      [&](std::string_view line) {
        replies.emplace_back(line);
        return true;
      });
  RunOptions options;
  std::vector<std::string> notes;
  options.controllers = controllers(scene, notes);
  options.control = [&](Fleet& fleet) { return protocol(fleet); };
  run_scenario(scene, options);
  ASSERT_EQ(replies.size(), 3u);
  EXPECT_NE(replies[0].find("\"a\":{\"control\":\"fmu\""), std::string::npos) << replies[0].substr(0, 300);
  EXPECT_NE(replies[1].find("car a is driven by an FMU"), std::string::npos) << replies[1];
  EXPECT_NE(replies[2].find("\"a\":{\"read\":{\"vx\":"), std::string::npos) << replies[2];
}

TEST_F(ControllerTest, AnArrayOfOutputsIsTheTorquesOfTheWheels) {
  Describe d;
  d.version = 3;
  d.more = "<Float64 name=\"torque\" valueReference=\"16\" causality=\"output\"><Dimension start=\"4\"/></Float64>";
  make(d);
  const Ran ran = run(scene_text(car("a", "{fmu: controller.fmu, outputs: {torque: torque}}")));
  const Scenario scene = read(scene_text(car("a", "external")));
  std::vector<Recording> rows;
  RunOptions options;
  options.recordings = &rows;
  options.control = [](Fleet& fleet) -> long {
    Demand demand;
    demand.direct.torque = {100, 100, 200, 200}, demand.wheel_torques = true;
    fleet.command(fleet.members()[0], demand);
    return fleet.runs_out() ? 0 : 10;
  };
  run_scenario(scene, options);
  EXPECT_TRUE(same_rows(ran.rows[0], rows[0]));
}

// An FMU of our own: the car in it drives ahead by the driver of its scene, and this one holds its speed.
TEST_F(ControllerTest, OurOwnFmuLeads) {
  std::vector<Recording> rows;
  for (const int version : {2, 3}) {
    Request request = Exported::of("accel_brake");
    request.version = version;
    const Exported lead(request);
    const Ran ran = run(scene_text(
        car("a", "{fmu: " + lead.file +
                     ", step: 0.01, outputs: {vx: speed}, inputs: {steer_angle_wheel: 0, throttle: 0, brake: 0, "
                     "handbrake: 0, gear: 1}}"),
        "cmd_timeout: 0.2\n"));
    ASSERT_FALSE(ran.result.failed()) << ran.result.cars[0].why;
    rows.push_back(ran.rows[0]);
  }
  EXPECT_TRUE(same_rows(rows[0], rows[1]));
  const Ran alone = run(scene_text(car("a", "internal")));
  EXPECT_FALSE(same_rows(rows[0], alone.rows[0]));
}

TEST_F(ControllerTest, RoundingOfTheFmuStaysInTheFmu) {
  for (const int version : {2, 3}) {
    Describe d;
    d.version = version;
    make(d);
    const Ran plain = run(scene_text(car("a", "{fmu: controller.fmu}")));
    const Ran rough = run(scene_text(car("a", "{fmu: controller.fmu, parameters: {rough: true}}")));
    EXPECT_TRUE(same_rows(plain.rows[0], rough.rows[0]));
  }
}

TEST_F(ControllerTest, FailuresEndTheCarAndTellWhy) {
  struct Case {
    const char *parameters, *why;
    int version;
    std::size_t rows;  // until then
  };
  const Case cases[] = {
      {"fail: {at: 30}, label: me", "its controller controller.fmu: fmi2DoStep returned Error: me: gives up at step 30",
       2, 310},
      {"fail: {at: 30}", "its controller controller.fmu: fmi3DoStep returned Error: no name: gives up at step 30", 3,
       310},
      {"fail: {at: 30, with: 2}",
       "its controller controller.fmu: fmi2DoStep returned Discard: no name: gives up at step 30", 2, 310},
      {"fail: {at: 30, with: 4}",
       "its controller controller.fmu: fmi3DoStep returned Fatal: no name: gives up at step 30", 3, 310},
      {"fail: {at: 30, with: -1}", "its controller controller.fmu: it asks to end the run", 3, 310},
      {"nan_at: 5", "its controller controller.fmu: steer is not finite", 2, 50},
      {"want_step: 0.02", "its controller controller.fmu: fmi2DoStep returned Error: no name: wants steps of 0.02", 2,
       10},
      {"gain: -1, target: 30", "", 2, 1001}};
  for (const Case& each : cases) {
    SCOPED_TRACE(each.parameters);
    Describe d;
    d.version = each.version;
    make(d);
    const Ran ran = run(scene_text(
        car("a", std::string("{fmu: controller.fmu, parameters: {") + each.parameters + "}}") + car("b", "internal")));
    EXPECT_EQ(ran.result.cars[0].why, each.why);
    EXPECT_EQ(ran.result.cars[0].refused, *each.why != 0);
    EXPECT_EQ(ran.result.failed(), *each.why != 0);
    EXPECT_EQ(ran.rows[0].data[0].size(), each.rows);
    EXPECT_EQ(ran.rows[1].data[0].size(), 1001u);  // the other one goes on
  }
}

// Fatal ends every instance of an FMU, and none is called after it.
TEST_F(ControllerTest, FatalIsTheEndOfAllOfThem) {
  make();
  Describe other;
  other.step = "0.02", other.file = "other.fmu";
  make(other);
  const Ran ran = run(scene_text(car("a", "{fmu: controller.fmu}") +
                                 car("b", "{fmu: controller.fmu, step: 0.02, parameters: {fail: {at: 10, with: 4}}}") +
                                 car("c", "{fmu: controller.fmu}") + car("d", "{fmu: other.fmu}")));
  for (const std::size_t i : {0, 1, 2}) {
    EXPECT_EQ(ran.result.cars[i].why,
              "its controller controller.fmu: fmi2DoStep returned Fatal: no name: gives up at step 10");
    EXPECT_EQ(ran.result.cars[i].end_time, 0.22);
  }
  EXPECT_EQ(ran.result.cars[3].why, "");
}

TEST_F(ControllerTest, BadFmusAreRefused) {
  const auto one = [&](const Describe& d) {
    make(d);
    return refused(scene_text(car("a", "{fmu: controller.fmu}")));
  };
  const std::string at = "s.yaml:9:5: fleet[0].control.fmu: ";
  Describe d;
  d.co_simulation = false;
  EXPECT_EQ(one(d), Lines{at + "is not made for co-simulation"});
  d = {}, d.token = "{another}";
  EXPECT_EQ(one(d), Lines{at + "does not start: wrong guid {another}"});
  d.version = 3;
  EXPECT_EQ(one(d), Lines{at + "does not start: wrong token"});
  d = {}, d.machine = "win64";
  EXPECT_EQ(one(d), Lines{at + "has no library for this machine; there is: win64"});
  d = {}, d.step = "0.0105";
  EXPECT_EQ(one(d), Lines{"s.yaml:9:5: fleet[0].control.step: 0.0105 s, which the FMU prefers, is no multiple of "
                          "solver.dt 0.001 s: give control.step, or another solver.dt"});
  d = {}, d.flags = "canBeInstantiatedOnlyOncePerProcess=\"true\"";
  EXPECT_EQ(one(d), Lines{"not refused"});
  EXPECT_EQ(
      refused(scene_text(car("a", "{fmu: controller.fmu}") + car("b", "{fmu: controller.fmu}"))),
      Lines{"s.yaml:14:5: fleet[1].control.fmu: can be instantiated once per process only, and drives a already"});
  d = {}, d.more = "<ScalarVariable name=\"speed\" valueReference=\"99\" causality=\"input\"><Real/></ScalarVariable>";
  EXPECT_EQ(one(d),
            Lines{"s.yaml:9:5: fleet[0].control.inputs: nobody wires the input 'speed' (Real): name a signal or "
                  "give a number"});
  d.more = "<ScalarVariable name=\"note\" valueReference=\"99\" causality=\"input\"><String/></ScalarVariable>";
  make(d);
  EXPECT_EQ(run(scene_text(car("a", "{fmu: controller.fmu}"))).notes.front(),
            "s.yaml: fleet[0].control: input note of type String keeps its start value");

  const std::string file = (folder / "controller.fmu").string();
  write("controller.fmu", "this is no archive");
  EXPECT_EQ(refused(scene_text(car("a", "{fmu: controller.fmu}"))), Lines{at + file + ": no FMU: Not a zip archive"});
  write("controller.fmu", zipped({{"a.txt", "a"}}));
  EXPECT_EQ(refused(scene_text(car("a", "{fmu: controller.fmu}"))),
            Lines{at + file + ": no FMU: it has no modelDescription.xml"});
  const Exported ours("step_steer");
  EXPECT_EQ(refused(scene_text(car("a", "{fmu: " + ours.file + "}")))[0].substr(0, 41),
            "s.yaml:9:5: fleet[0].control.inputs: nobo");
}

TEST_F(ControllerTest, BadWiringIsToldAllAtOnce) {
  make();
  const std::string control =
      "\n"
      "      fmu: controller.fmu\n"
      "      step: 0.2\n"
      "      inputs: {vxx: vx, yaw: heding, r: wheel.fx}\n"
      "      outputs: {throtle: throttle, brake: braking, gear: follow_path, steer_angle_wheel: curvature,\n"
      "                load: curvature}\n"
      "      parameters: {targget: 1, gain: high, shift: 1.5, rough: maybe}";
  EXPECT_EQ(
      refused(scene_text(car("a", control))),
      (Lines{
          "s.yaml:9:5: fleet[0].control.step: 0.2 s is longer than cmd_timeout 0.1 s: commands would get stale",
          "s.yaml:12:21: fleet[0].control.inputs.vxx: the FMU has no input 'vxx', did you mean 'vx'?",
          "s.yaml:12:30: fleet[0].control.inputs.yaw: car a has no signal 'heding', nearest is 'engine'",
          "s.yaml:12:41: fleet[0].control.inputs.r: 'wheel.fx' cannot go to an input of Real",
          "s.yaml:13:26: fleet[0].control.outputs.throtle: the FMU has no output 'throtle', did you mean 'throttle'?",
          "s.yaml:13:43: fleet[0].control.outputs.brake: no command 'braking', nearest is 'brake'",
          "s.yaml:14:23: fleet[0].control.outputs.load: curvature comes from 'steer_angle_wheel' already",
          "s.yaml:15:29: fleet[0].control.parameters.targget: the FMU has no parameter 'targget', did you mean "
          "'target'?",
          "s.yaml:15:38: fleet[0].control.parameters.gain: expected a number, found 'high'",
          "s.yaml:15:51: fleet[0].control.parameters.shift: expected a whole number, found '1.5'",
          "s.yaml:15:63: fleet[0].control.parameters.rough: expected true or false, found 'maybe'"}));
  const std::string at = "s.yaml:9:5: fleet[0].control.outputs: ";
  EXPECT_EQ(refused(scene_text(car("a", "{fmu: controller.fmu, outputs: {load: speed, throttle: throttle}}"))),
            Lines{at + "throttle: cannot be combined with speed, which works it"});
  EXPECT_EQ(refused(scene_text(car("a", "{fmu: controller.fmu, outputs: {load: force, throttle: torque_fl}}"))).size(),
            2u);
  EXPECT_EQ(refused(scene_text(car("a", "{fmu: controller.fmu, outputs: {gear: follow_path}}"))),
            Lines{at + "follow_path: the driver of this scene has no path"});
}

TEST_F(ControllerTest, BadBlocksAreRefusedWithTheirLine) {
  make();
  EXPECT_EQ(refused(scene_text(car("a", "{fmu: none.fmu}"))),
            Lines{"s.yaml:9:20: fleet[0].control.fmu: no such file: " + (folder / "none.fmu").string()});
  EXPECT_EQ(refused(scene_text(car("a", "{fmu: .}"))),
            Lines{"s.yaml:9:20: fleet[0].control.fmu: is no file: " + folder.string() + "/"});
  EXPECT_EQ(refused(scene_text(car("a", "{step: 0.01}"))),
            Lines{"s.yaml:9:5: fleet[0].control.fmu: missing key: the FMU that commands the car"});
  EXPECT_EQ(refused(scene_text(car("a", "{fmu: controller.fmu, stp: 0.01, step: -1, inputs: 5}"))),
            (Lines{"s.yaml:9:36: fleet[0].control.stp: unknown key, did you mean 'step'?",
                   "s.yaml:9:53: fleet[0].control.step: -1 is out of range, expected above 0 s",
                   "s.yaml:9:65: fleet[0].control.inputs: expected a block of keys, found '5'"}));
}

TEST_F(ControllerTest, AnFmuIsNoTireOfACar) {
  make();
  EXPECT_EQ(
      refused(scene_text(car("a", "internal\n    parts: {tire: ./controller.fmu}"))),
      Lines{
          "s.yaml:10:19: fleet[0].parts.tire: './controller.fmu' is an FMU, which cannot be a tire of a car: name the "
          "part that it was made of (docs/FMI.md)"});
}

// What cannot start has driven nothing: bad input, not a car that failed.
TEST_F(ControllerTest, AStartThatFailsIsBadInput) {
  make();
  EXPECT_EQ(refused(scene_text(car("a", "{fmu: controller.fmu, parameters: {fail: {at: -2}}}"))),
            Lines{"fleet[0].control: controller.fmu at the start: fmi2ExitInitializationMode returned Error: no name: "
                  "does not start 0"});
  EXPECT_EQ(refused(scene_text(car("a", "{fmu: controller.fmu, parameters: {nan_at: 0}}"))),
            Lines{"fleet[0].control: controller.fmu at the start: steer is not finite"});
  EXPECT_EQ(refused(scene_text(car("a", "{fmu: controller.fmu, parameters: {shift: 2000}}"))),
            Lines{"fleet[0].control: controller.fmu at the start: gear: 2000 is no gear"});
}

TEST_F(ControllerTest, SceneTextReadsBackAndTheHashGoesByContent) {
  make();
  const Scenario scene =
      read(scene_text(car("a",
                          "{fmu: controller.fmu, step: 0.005, inputs: {'fz_fr': fz_rr, wheel: {'fz[1]': 3}}, "
                          "outputs: {throttle: throttle}, parameters: {target: 12}}")));
  const std::string text = scenario_text(scene);
  const Scenario again = read(text);
  EXPECT_EQ(scenario_text(again), text);
  EXPECT_EQ(scenario_hash(again), scenario_hash(scene));
  EXPECT_TRUE(same_rows(run(text).rows[0],
                        run(scene_text(car("a",
                                           "{fmu: controller.fmu, step: 0.005, inputs: {'fz_fr': fz_rr, wheel: "
                                           "{'fz[1]': 3}}, outputs: {throttle: throttle}, parameters: {target: 12}}")))
                            .rows[0]));
  // elsewhere it is the same, another one in its place is not
  std::filesystem::create_directory(folder / "b");
  std::filesystem::copy(folder / "controller.fmu", folder / "b" / "other.fmu");
  const std::string plain = scene_text(car("a", "{fmu: controller.fmu}"));
  EXPECT_EQ(scenario_hash(read(scene_text(car("a", "{fmu: b/other.fmu}")))), scenario_hash(read(plain)));
  const std::string before = scenario_hash(read(plain));
  Describe d;
  d.step = "0.02";
  make(d);
  EXPECT_NE(scenario_hash(read(plain)), before);
}

TEST_F(ControllerTest, SetsChangeIt) {
  make();
  const auto with = [&](std::initializer_list<std::string> sets) {
    SceneChanges changes;
    for (const std::string& set : sets) changes.set(set);
    Errors errors;
    Scenario out = read_scene(catalog(), scene_text(car("a", "internal")), "s.yaml", folder.string(), changes, errors);
    errors.throw_if_any();
    return out;
  };
  const std::string fmu = "control.fmu=" + (folder / "controller.fmu").string();
  const Scenario scene =
      with({fmu, "control.parameters.target=5", "control.inputs.wheel.fz[1]=3", "a.control.step=0.002"});
  const ControllerSpec& c = scene.cars[0].controller;
  EXPECT_EQ(scene.cars[0].control, Control::external);
  EXPECT_EQ(c.step, 0.002);
  ASSERT_EQ(c.inputs.size(), 1u);
  EXPECT_EQ(c.inputs[0].name, "wheel.fz[1]");
  EXPECT_FALSE(with({fmu, "control=external"}).cars[0].controller.given());
  EXPECT_THROW(with({"control.step=0.01"}), BadInput);
  EXPECT_EQ(with({"control.abs.enabled=true"}).cars[0].vehicle.control.abs.enabled, true);  // the part
}

// What cannot have an FMU at the wheel says so.
TEST_F(ControllerTest, OtherDoorsRefuseIt) {
  make();
  const Scenario scene = read(scene_text(car("a", "{fmu: controller.fmu}")));
  EXPECT_THROW(Sim(scene, scene.cars[0]), BadInput);
  EXPECT_THROW(run_scenario(scene, {}), BadInput);
  const std::string file = (folder / "s.yaml").string();
  write("s.yaml", scene_text(car("a", "{fmu: controller.fmu}")));
  Request request = Exported::of(file);
  request.libraries = VDSIM_FMU_LIBRARIES, request.platforms = {"linux64"};
  try {
    make_fmu(catalog(), request);
    ADD_FAILURE();
  } catch (const BadInput& e) {
    EXPECT_NE(e.lines[0].find("an FMU does not hold another one"), std::string::npos) << e.lines[0];
  }
}

#ifdef VDSIM_WHOLE_BIN
struct Shell {
  int code;
  std::string text;
};
Shell shell(const std::string& command) {
  Shell out{-1, ""};
  FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) out.text += static_cast<char>(c);
  out.code = WEXITSTATUS(pclose(pipe));
  return out;
}

TEST_F(ControllerTest, TheCommandLineRunsIt) {
  make();
  write("s.yaml", scene_text(car("a", "{fmu: controller.fmu}")));
  std::filesystem::create_directory(folder / "tmp");
  const auto vdsim = [&](const char* program, const std::string& more) {
    return shell("cd " + folder.string() + " && TMPDIR=" + (folder / "tmp").string() + " " + program + " run s.yaml " +
                 more);
  };
  const Shell good = vdsim(VDSIM_WHOLE_BIN, "--precision 17");
  EXPECT_EQ(good.code, 0) << good.text;
  EXPECT_NE(good.text.find("outputs that are no commands: load"), std::string::npos) << good.text;
  const Rows rows = read_rows(folder / "results" / "s" / "run.csv");
  const Ran ran = run(scene_text(car("a", "{fmu: controller.fmu}")));
  ASSERT_EQ(rows.rows.size(), ran.rows[0].data[0].size());
  for (std::size_t i = 0; i < rows.names.size(); ++i) EXPECT_EQ(rows.rows[500][i], ran.rows[0].data[i][500]);

  const Shell failed = vdsim(VDSIM_WHOLE_BIN, "--set control.parameters.fail.at=30");
  EXPECT_EQ(failed.code, 3) << failed.text;
  EXPECT_NE(failed.text.find("ended: car a after t = 0.31 s: its controller controller.fmu: fmi2DoStep returned Error"),
            std::string::npos)
      << failed.text;
  EXPECT_EQ(vdsim(VDSIM_WHOLE_BIN, "--set control.inputs.vx=nowhere").code, 2);
  EXPECT_EQ(vdsim(VDSIM_WHOLE_BIN, "--set control=internal").code, 0);
  EXPECT_TRUE(std::filesystem::is_empty(folder / "tmp"));

  const Shell daily = vdsim(VDSIM_BIN, "");
  EXPECT_EQ(daily.code, 2);
  EXPECT_NE(daily.text.find("./vdsim fmu"), std::string::npos) << daily.text;
}

// Ctrl-C takes the folder of the FMU with it.
TEST_F(ControllerTest, AStopLeavesNothing) {
  make();
  write("s.yaml", scene_text(car("a", "{fmu: controller.fmu}"), "").replace(6, 11, "\nduration: 1000000"));
  std::filesystem::create_directory(folder / "tmp");
  const Shell stopped = shell("cd " + folder.string() + " && TMPDIR=" + (folder / "tmp").string() +
                              " timeout --preserve-status -s INT 1 " VDSIM_WHOLE_BIN " run s.yaml");
  EXPECT_EQ(stopped.code, 130) << stopped.text;
  EXPECT_TRUE(std::filesystem::is_empty(folder / "tmp"));
  EXPECT_FALSE(std::filesystem::exists(folder / "results"));
}
#endif

}  // namespace
