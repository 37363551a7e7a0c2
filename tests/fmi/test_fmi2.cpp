// SPDX-License-Identifier: Apache-2.0
// FMUs of FMI 2.0 through the importer: to the bits of the command line, and refused where they must be.
#include <algorithm>
#include <cfenv>
#include <cmath>
#include <limits>
#include <thread>

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

#include "tests/c/rows.hpp"
#include "tests/comma_locale.hpp"
#include "tests/fmi/fmus.hpp"
#include "vdsim/config/scenario.hpp"

namespace {

// The name in the FMU of a column of run.csv.
std::string fmu_name(const std::string& column, const Names& names) {
  const auto wheel = column.rfind('_');
  const std::string ending = wheel == std::string::npos ? "" : column.substr(wheel + 1);
  const std::map<std::string, int> wheels{{"fl", 1}, {"fr", 2}, {"rl", 3}, {"rr", 4}, {"f", 1}, {"r", 2}};
  if (const auto at = wheels.find(ending); at != wheels.end())
    for (const std::string prefix : {"wheel.", ""})
      if (const std::string name = prefix + column.substr(0, wheel) + "[" + std::to_string(at->second) + "]";
          names.of.count(name))
        return name;
  const std::string applied = column + "_applied";
  return names.of.count(applied) ? applied : column;
}

void expect_rows(const std::string& scene, const std::string& car, const Rows& rows, double h) {
  Request request = Exported::of(scene);
  request.car = car;
  const Exported exported(request);
  const Unpacked fmu(exported.file);
  const Library2 library(fmu.library());
  Instance2 i(fmu, library);
  ASSERT_TRUE(i.c) << i.text();
  i.start();
  std::vector<fmi2ValueReference> vr;
  for (const std::string& column : rows.names) {
    ASSERT_TRUE(i.names.of.count(fmu_name(column, i.names))) << column;
    vr.push_back(i.names.at(fmu_name(column, i.names)));
  }
  std::vector<double> now(vr.size());
  long done = 0;
  int compared = 0;
  for (const std::vector<double>& row : rows.rows) {
    if (std::fmod(row[0] + 1e-9, h) > 2e-9) continue;  // the end of a run may lie between
    for (; (static_cast<double>(done) + 0.5) * h < row[0]; ++done)
      ASSERT_EQ(i.step(static_cast<double>(done) * h, h), fmi2OK) << i.text();
    ASSERT_EQ(library.fmi2GetReal(i.c, vr.data(), vr.size(), now.data()), fmi2OK) << i.text();
    for (std::size_t k = 0; k < now.size(); ++k)
      ASSERT_TRUE(same_bits({now[k] + 0.0}, {row[k] + 0.0}))
          << rows.names[k] << " at t = " << row[0] << ": " << now[k] << ", " << row[k];
    ++compared;
  }
  EXPECT_GT(compared, 10);
}

// The same state after 1 s, whatever the communication step.
void expect_alike(const std::string& scene, const std::string& car, double dt) {
  Request request = Exported::of(scene);
  request.car = car;
  const Exported exported(request);
  const Unpacked fmu(exported.file);
  const Library2 library(fmu.library());
  std::vector<std::byte> first;
  for (const double h : {0.001, 0.002, 0.005, 0.01}) {
    if (std::abs(std::remainder(h, dt)) > 1e-12) continue;
    Instance2 i(fmu, library);
    i.start();
    for (int k = 0; k < std::lround(1 / h); ++k) ASSERT_EQ(i.step(k * h, h), fmi2OK) << i.text();
    if (first.empty()) first = i.state();
    EXPECT_EQ(i.state(), first) << "H = " << h;
  }
  EXPECT_FALSE(first.empty());
}

TEST(Fmi2, EverySceneToTheBitsOfTheCommandLine) {
  each_car_of_every_scene([](const Scenario& scene, const std::string& car, const Rows& rows) {
    expect_rows(scene.id, car, rows, 0.005);
    expect_alike(scene.id, car, scene.solver.dt);
  });
}

TEST(Fmi2, CommunicationStepChangesNoBits) {
  for (const char* id : {"step_steer", "lugre_grade_demo"}) {
    const CommandLine run(id);
    ASSERT_EQ(run.status, 0);
    const std::string car = load_scene(catalog(), id).cars[0].id;
    for (const double h : {0.001, 0.002, 0.005, 0.01}) {
      SCOPED_TRACE(std::string(id) + ", H = " + std::to_string(h));
      expect_rows(id, car, run.rows(car), h);
    }
  }
}

struct Fixture {
  explicit Fixture(const Request& request) : exported(request), fmu(exported.file), library(fmu.library()) {}
  explicit Fixture(const std::string& source) : Fixture(Exported::of(source)) {}
  Exported exported;
  Unpacked fmu;
  Library2 library;
};

// The driver of the scene as inputs: linear between steps, as its tables are.
TEST(Fmi2, InputsDriveToTheSameBits) {
  const Scenario scene = load_scene(catalog(), "accel_brake");
  const DriverSpec& driver = scene.cars[0].driver;
  Request request = Exported::of("accel_brake");
  request.options.control = Control::external, request.control_given = true;
  const Fixture outside(request), inside("accel_brake");
  Instance2 a(outside.fmu, outside.library), b(inside.fmu, inside.library);
  const double h = 0.01;
  const auto put = [&](double t, bool rates) {
    const Demand now = demand_at(driver, t), next = demand_at(driver, t + h);
    const std::pair<const char*, double Commands::*> each[] = {
        {"steer_angle_wheel", &Commands::steer}, {"throttle", &Commands::throttle}, {"brake", &Commands::brake}};
    for (const auto& [name, member] : each) {
      ASSERT_EQ(a.set(name, now.direct.*member), fmi2OK) << a.text();
      const auto vr = a.names.at(name);
      const int order = 1;
      const double rate = (next.direct.*member - now.direct.*member) / h;
      if (rates) {
        ASSERT_EQ(a.f.fmi2SetRealInputDerivatives(a.c, &vr, 1, &order, &rate), fmi2OK) << a.text();
      }
    }
  };
  put(0, false);
  a.start(), b.start();
  ASSERT_EQ(a.get("wheel.fx[3]"), b.get("wheel.fx[3]"));
  for (int k = 0; k < 400; ++k) {
    put(k * h, true);
    ASSERT_EQ(a.step(k * h, h), fmi2OK) << a.text();
    ASSERT_EQ(b.step(k * h, h), fmi2OK) << b.text();
    // slopes are divided and multiplied again, so not to the bit
    ASSERT_NEAR(a.get("vx"), b.get("vx"), 1e-9) << k;
  }
  EXPECT_GT(std::abs(a.get("vx") - scene.cars[0].start.vx0), 1);
}

TEST(Fmi2, HeldInputsAreTheOriginalThree) {
  Request request = Exported::of("vehicle.sedan_comfort");
  const Fixture f(request);
  Instance2 i(f.fmu, f.library);
  const fmi2ValueReference vr[] = {1, 2, 3}, out[] = {10, 11, 12, 13, 14, 15, 16, 17};
  const double in[] = {0.02, 0.5, 0};
  ASSERT_EQ(f.library.fmi2SetReal(i.c, vr, 3, in), fmi2OK);
  i.start();
  for (int k = 0; k < 100; ++k) ASSERT_EQ(i.step(k * 0.01, 0.01), fmi2OK) << i.text();
  double now[8];
  ASSERT_EQ(f.library.fmi2GetReal(i.c, out, 8, now), fmi2OK);
  EXPECT_GT(now[3], 1);  // it drives
  EXPECT_GT(now[2], 0);  // to the left
  const std::vector<std::string> names{"x_world", "y_world", "yaw", "vx", "vy", "yaw_rate", "ax_body", "ay_body"};
  EXPECT_TRUE(same_bits(i.outputs(names), {now, now + 8}));
  EXPECT_TRUE(same_bits(i.outputs({"x", "y", "psi", "vx", "vy", "r", "ax", "ay"}), {now, now + 8}));
}

// 7 ms are seven steps of 1 ms; 2.5 ms are two and a half.
TEST(Fmi2, LastStepOfAnOddStepIsShortened) {
  const Fixture f("step_steer");
  Instance2 i(f.fmu, f.library);
  i.start();
  ASSERT_EQ(i.step(0, 0.0025), fmi2OK);
  EXPECT_EQ(i.get("t"), 0.0025);
  ASSERT_EQ(i.step(0.0025, 0.007), fmi2OK);
  EXPECT_DOUBLE_EQ(i.get("t"), 0.0095);
  EXPECT_EQ(i.step(0.02, 0.001), fmi2Error);  // a gap
  EXPECT_EQ(i.step(0.0095, 0), fmi2Error);
  EXPECT_EQ(i.step(0.0095, -1), fmi2Error);
}

TEST(Fmi2, StartTimeShiftsTheClock) {
  const Fixture f("step_steer");
  Instance2 a(f.fmu, f.library), b(f.fmu, f.library);
  a.start(), b.start(100);
  for (int k = 0; k < 300; ++k) ASSERT_EQ(a.step(k * 0.01, 0.01), fmi2OK);
  for (int k = 0; k < 300; ++k) ASSERT_EQ(b.step(100 + k * 0.01, 0.01), fmi2OK) << b.text();
  EXPECT_EQ(a.get("psi"), b.get("psi"));
  EXPECT_DOUBLE_EQ(b.get("time"), 103);
}

// An importer that adds up its steps drifts by rounding; the steps must not.
TEST(Fmi2, ImportersRoundingBreaksNoStep) {
  const Fixture f("step_steer");
  Instance2 i(f.fmu, f.library);
  i.start();
  double t = 0;
  for (int k = 0; k < 100000; ++k, t += 0.001) ASSERT_EQ(i.step(t, 0.001), fmi2OK) << i.text();
  EXPECT_NE(t, 100.0);
  EXPECT_EQ(i.get("t"), 100.0);
}

TEST(Fmi2, StateGoesOnToTheSameBytes) {
  for (const char* id : {"step_steer", "lugre_grade_demo", "banked_oval", "engine_launch"}) {
    SCOPED_TRACE(id);
    Request request = Exported::of(id);
    request.car = load_scene(catalog(), id).cars[0].id;
    const Fixture f(request);
    Instance2 i(f.fmu, f.library), other(f.fmu, f.library);
    i.start();
    for (int k = 0; k < 50; ++k) ASSERT_EQ(i.step(k * 0.01, 0.01), fmi2OK);
    const auto saved = i.state();
    for (int k = 50; k < 90; ++k) ASSERT_EQ(i.step(k * 0.01, 0.01), fmi2OK);
    const auto end = i.state();
    ASSERT_EQ(i.restore(saved), fmi2OK) << i.text();
    EXPECT_EQ(i.state(), saved);
    ASSERT_EQ(other.restore(saved), fmi2OK) << other.text();
    for (int k = 50; k < 90; ++k) {
      ASSERT_EQ(i.step(k * 0.01, 0.01), fmi2OK) << i.text();
      ASSERT_EQ(other.step(k * 0.01, 0.01), fmi2OK) << other.text();
    }
    EXPECT_EQ(i.state(), end);
    EXPECT_EQ(other.state(), end);
  }
}

TEST(Fmi2, StateOfOtherParametersComesWithThem) {
  const Fixture f("step_steer");
  Instance2 i(f.fmu, f.library), other(f.fmu, f.library);
  ASSERT_EQ(i.set("chassis.mass", i.get("chassis.mass") + 100), fmi2OK);
  i.start(), other.start();
  for (int k = 0; k < 100; ++k) ASSERT_EQ(i.step(k * 0.01, 0.01), fmi2OK);
  ASSERT_EQ(i.set("mu", 0.5), fmi2OK);
  for (int k = 100; k < 150; ++k) ASSERT_EQ(i.step(k * 0.01, 0.01), fmi2OK);
  const auto saved = i.state();
  ASSERT_EQ(other.restore(saved), fmi2OK) << other.text();
  EXPECT_EQ(other.get("chassis.mass"), i.get("chassis.mass"));
  for (int k = 150; k < 300; ++k) {
    ASSERT_EQ(i.step(k * 0.01, 0.01), fmi2OK);
    ASSERT_EQ(other.step(k * 0.01, 0.01), fmi2OK);
  }
  EXPECT_EQ(i.state(), other.state());
}

TEST(Fmi2, StateHoldsTheInputsAndWhoDrives) {
  const Fixture f("step_steer");
  Instance2 i(f.fmu, f.library), other(f.fmu, f.library);
  ASSERT_EQ(i.set_integer("control", 2), fmi2OK);
  ASSERT_EQ(i.set("steer_angle_wheel", 0.01), fmi2OK);
  i.start(), other.start();
  for (int k = 0; k < 50; ++k) ASSERT_EQ(i.step(k * 0.01, 0.01), fmi2OK);
  ASSERT_EQ(other.restore(i.state()), fmi2OK) << other.text();
  for (int k = 50; k < 100; ++k) {
    ASSERT_EQ(i.step(k * 0.01, 0.01), fmi2OK);
    ASSERT_EQ(other.step(k * 0.01, 0.01), fmi2OK) << other.text();
  }
  EXPECT_EQ(i.state(), other.state());
  EXPECT_GT(std::abs(i.get("psi")), 0.01);
}

TEST(Fmi2, ForeignCutAndDamagedStatesAreRefused) {
  const Fixture f("step_steer"), g("accel_brake");
  Instance2 i(f.fmu, f.library), foreign(g.fmu, g.library);
  i.start(), foreign.start();
  ASSERT_EQ(i.step(0, 0.01), fmi2OK);
  ASSERT_EQ(foreign.step(0, 0.01), fmi2OK);
  const auto before = i.state();
  EXPECT_EQ(i.restore(foreign.state()), fmi2Error);
  EXPECT_NE(i.text().find("another FMU"), std::string::npos) << i.text();
  for (std::size_t n = 0; n < before.size(); n += 97)
    EXPECT_EQ(i.restore({before.begin(), before.begin() + static_cast<long>(n)}), fmi2Error) << n;
  for (std::size_t at = 0; at < before.size(); at += 53) {
    auto damaged = before;
    damaged[at] ^= std::byte{0x10};
    EXPECT_EQ(i.restore(damaged), fmi2Error) << at;
  }
  EXPECT_EQ(i.state(), before);
}

TEST(Fmi2, ParametersActAndAreRefused) {
  const Fixture f("step_steer");
  const auto end = [&](const char* name, double value) {
    Instance2 i(f.fmu, f.library);
    if (name) {
      EXPECT_EQ(i.set(name, value), fmi2OK) << i.text();
    }
    i.start();
    for (int k = 0; k < 300; ++k) EXPECT_EQ(i.step(k * 0.01, 0.01), fmi2OK);
    return i.get("psi");
  };
  const double plain = end(nullptr, 0);
  EXPECT_NE(end("chassis.cg_height", 0.3), plain);
  EXPECT_NE(end("mu", 0.3), plain);
  EXPECT_NE(end("vx0", 10), plain);
  Instance2 i(f.fmu, f.library);
  EXPECT_EQ(i.set("chassis.mass", -5), fmi2Error);
  EXPECT_NE(i.text().find("chassis.mass: -5 is out of range"), std::string::npos) << i.text();
  EXPECT_EQ(i.set("vx", 3), fmi2Error);  // an output
  EXPECT_EQ(i.set_integer("level", 1), fmi2Error);
  EXPECT_EQ(i.set("chassis.mass", 100), fmi2OK);  // less than its sprung mass: found with the other parameters
  EXPECT_EQ(f.library.fmi2SetupExperiment(i.c, 0, 0, 0, 0, 0), fmi2OK);
  EXPECT_EQ(f.library.fmi2EnterInitializationMode(i.c), fmi2OK);
  EXPECT_EQ(f.library.fmi2ExitInitializationMode(i.c), fmi2Error);
  EXPECT_NE(i.text().find("mass"), std::string::npos) << i.text();
  Instance2 late(f.fmu, f.library);
  late.start();
  EXPECT_EQ(late.set("chassis.mass", 1400), fmi2Error);
  EXPECT_NE(late.text().find("fixed"), std::string::npos) << late.text();
}

// Less grip while driving: the motion goes on, the forces follow.
TEST(Fmi2, TunableGripActsAtTheNextStep) {
  const Fixture f("step_steer");
  Instance2 i(f.fmu, f.library);
  i.start();
  for (int k = 0; k < 400; ++k) ASSERT_EQ(i.step(k * 0.01, 0.01), fmi2OK);
  const double before = std::abs(i.get("ay"));
  ASSERT_EQ(i.set("mu", 0.1), fmi2OK) << i.text();
  for (int k = 400; k < 500; ++k) ASSERT_EQ(i.step(k * 0.01, 0.01), fmi2OK) << i.text();
  Instance2 plain(f.fmu, f.library);
  plain.start();
  for (int k = 0; k < 500; ++k) ASSERT_EQ(plain.step(k * 0.01, 0.01), fmi2OK);
  EXPECT_GT(std::abs(i.get("psi") - plain.get("psi")), 0.01) << "it drove on as before";
  EXPECT_EQ(i.get("wheel.mu[1]"), 0.1);
  EXPECT_LT(std::abs(i.get("ay")), 0.1 * 9.81);
  EXPECT_GT(before, 0.1 * 9.81);
}

TEST(Fmi2, ControlGoesFromDriverToInputs) {
  const Fixture f("step_steer");
  Instance2 i(f.fmu, f.library);
  EXPECT_EQ(i.set_integer("control", 3), fmi2Error);
  ASSERT_EQ(i.set_integer("control", 2), fmi2OK);
  ASSERT_EQ(i.set("steer_angle_wheel", 0), fmi2OK);
  i.start();
  for (int k = 0; k < 300; ++k) ASSERT_EQ(i.step(k * 0.01, 0.01), fmi2OK);
  EXPECT_NEAR(i.get("psi"), 0, 1e-9);  // nobody steps on it
  Instance2 inside(f.fmu, f.library, "inside", true);
  inside.start();
  ASSERT_EQ(inside.set("steer_angle_wheel", 0.1), fmi2OK);
  EXPECT_NE(inside.text().find("inputs are not read"), std::string::npos);
}

TEST(Fmi2, MisuseIsRefusedAndSaysWhy) {
  const Fixture f("step_steer");
  const Library2& l = f.library;
  Instance2 i(f.fmu, l);
  const auto refused = [&](fmi2Status status, const std::string& why) {
    EXPECT_EQ(status, fmi2Error) << why;
    EXPECT_NE(i.text().find(why), std::string::npos) << i.text();
  };
  double x = 0;
  int n = 0;
  fmi2String text = nullptr;
  const fmi2ValueReference none = 77, vx = 13, gear = 5;
  refused(i.step(0, 0.01), "initialization");
  refused(l.fmi2GetReal(i.c, &none, 1, &x), "no variable with the value reference 77");
  refused(l.fmi2GetReal(i.c, nullptr, 1, &x), "vr is NULL");
  refused(l.fmi2GetReal(i.c, &vx, 1, nullptr), "value is NULL");
  refused(l.fmi2GetInteger(i.c, &vx, 1, &n), "vx is a real number");
  refused(l.fmi2SetReal(i.c, &gear, 1, &x), "gear is an integer");
  refused(l.fmi2GetString(i.c, &vx, 1, &text), "no variables of text");
  refused(i.set("throttle", std::numeric_limits<double>::quiet_NaN()), "throttle: expected a finite number");
  refused(i.set("throttle", std::numeric_limits<double>::infinity()), "throttle: expected a finite number");
  refused(l.fmi2SetTime(i.c, 1), "model exchange");
  refused(l.fmi2GetDirectionalDerivative(i.c, &vx, 1, &vx, 1, &x, &x), "not there yet");
  const char* categories[] = {"logNothing"};
  refused(l.fmi2SetDebugLogging(i.c, 1, 1, categories), "no log category 'logNothing'");
  EXPECT_EQ(l.fmi2GetReal(nullptr, &vx, 1, &x), fmi2Error);
  EXPECT_EQ(l.fmi2DoStep(nullptr, 0, 1, 1), fmi2Error);
  l.fmi2FreeInstance(nullptr);
  const char* errors[] = {"logStatusError"};
  ASSERT_EQ(l.fmi2SetDebugLogging(i.c, 0, 1, errors), fmi2OK);
  const std::size_t lines = i.log.size();
  EXPECT_EQ(l.fmi2GetReal(i.c, &none, 1, &x), fmi2Error);
  EXPECT_EQ(i.log.size(), lines) << "errors were switched off";
}

TEST(Fmi2, InstantiationNeedsItsOwnParts) {
  const Fixture f("step_steer");
  std::vector<std::string> log;
  const fmi2CallbackFunctions callbacks{keep_line, std::calloc, std::free, nullptr, &log};
  const std::string guid = f.fmu.attribute("guid"), at = f.fmu.resource_uri();
  const auto made = [&](const char* name, fmi2Type type, const char* token, const char* uri) {
    return f.library.fmi2Instantiate(name, type, token, uri, &callbacks, 0, 0);
  };
  EXPECT_EQ(made("a", fmi2CoSimulation, "{other}", at.c_str()), nullptr);
  ASSERT_FALSE(log.empty());
  EXPECT_NE(log.back().find("not from one export"), std::string::npos) << log.back();
  EXPECT_EQ(made("a", fmi2CoSimulation, nullptr, at.c_str()), nullptr);
  EXPECT_EQ(made("", fmi2CoSimulation, guid.c_str(), at.c_str()), nullptr);
  EXPECT_EQ(made(nullptr, fmi2CoSimulation, guid.c_str(), at.c_str()), nullptr);
  EXPECT_EQ(made("a", fmi2CoSimulation, guid.c_str(), nullptr), nullptr);
  EXPECT_EQ(made("a", fmi2CoSimulation, guid.c_str(), "file:///nowhere/at/all"), nullptr);
  EXPECT_EQ(made("a", fmi2CoSimulation, guid.c_str(), "https://example.org/x"), nullptr);
  EXPECT_EQ(made("a", fmi2ModelExchange, guid.c_str(), at.c_str()), nullptr);
  EXPECT_NE(log.back().find("for co-simulation"), std::string::npos) << log.back();
  EXPECT_EQ(f.library.fmi2Instantiate("a", fmi2CoSimulation, guid.c_str(), at.c_str(), nullptr, 0, 0), nullptr);
  fmi2Component good = made("a", fmi2CoSimulation, guid.c_str(), ("file:" + f.fmu.folder() + "/%72esources").c_str());
  EXPECT_NE(good, nullptr) << log.back();
  f.library.fmi2FreeInstance(good);
  std::ofstream(f.fmu.folder() + "/resources/scene.json", std::ios::app) << " ";
  EXPECT_EQ(made("a", fmi2CoSimulation, guid.c_str(), at.c_str()), nullptr) << "the scene was changed";
}

TEST(Fmi2, DivergedIsDiscardedWithItsTime) {
  Request request = Exported::of("step_steer");
  request.options.control = Control::external, request.control_given = true;
  request.options.command_level = 1;
  const Fixture f(request);
  Instance2 i(f.fmu, f.library);
  i.start();
  ASSERT_EQ(i.set("torque_fl", 1e300), fmi2OK);
  fmi2Status status = fmi2OK;
  int k = 0;
  for (; k < 100 && status == fmi2OK; ++k) status = i.step(k * 0.01, 0.01);
  ASSERT_EQ(status, fmi2Discard) << i.text();
  double reached = -1;
  fmi2Boolean ended = 0;
  EXPECT_EQ(f.library.fmi2GetRealStatus(i.c, fmi2LastSuccessfulTime, &reached), fmi2OK);
  EXPECT_LT(reached, k * 0.01);
  EXPECT_GE(reached, (k - 1) * 0.01 - 1e-12);
  EXPECT_EQ(f.library.fmi2GetBooleanStatus(i.c, fmi2Terminated, &ended), fmi2OK);
  EXPECT_TRUE(ended);
  EXPECT_NE(i.text().find("diverged"), std::string::npos) << i.text();
}

// The host rounds down, flushes to zero and writes 1,5: the same bits, and its own settings afterwards.
TEST(Fmi2, HostsFloatingPointAndLocaleChangeNothing) {
  const Fixture f("lugre_grade_demo");
  const auto run = [&] {
    Instance2 i(f.fmu, f.library);
    EXPECT_EQ(i.set("chassis.cg_height", 0.5125), fmi2OK) << i.text();
    i.start();
    for (int k = 0; k < 100; ++k) EXPECT_EQ(i.step(k * 0.01, 0.01), fmi2OK) << i.text();
    return i.state();
  };
  // so small a steer angle that the yaw rate is no normal number: a host that flushes to zero would have none
  Request request = Exported::of("step_steer");
  request.options.control = Control::external, request.control_given = true;
  const Fixture g(request);
  const auto steer_a_little = [&] {
    Instance2 i(g.fmu, g.library);
    EXPECT_EQ(i.set("steer_angle_wheel", 1e-310), fmi2OK);
    i.start();
    for (int k = 0; k < 2; ++k) EXPECT_EQ(i.step(k * 0.01, 0.01), fmi2OK) << i.text();
    return i.outputs({"r", "vy", "y"});
  };
  const auto plain = run();
  const auto little = steer_a_little();
  EXPECT_TRUE(std::any_of(little.begin(), little.end(), [](double x) { return std::fpclassify(x) == FP_SUBNORMAL; }));
  {
    const CommaLocale comma;
    EXPECT_EQ(comma.in_c(), comma.can_be_made());
    EXPECT_EQ(run(), plain);
  }
  std::fesetround(FE_DOWNWARD);
  const auto rounded = run();
  EXPECT_EQ(std::fegetround(), FE_DOWNWARD);
  std::fesetround(FE_TONEAREST);
  EXPECT_EQ(rounded, plain);
#if defined(__x86_64__)
  const unsigned usual = _mm_getcsr();
  _mm_setcsr(usual | 0x8040);
  const auto flushed = run();
  const auto flushed_little = steer_a_little();
  const unsigned after = _mm_getcsr();
  _mm_setcsr(usual);
  EXPECT_EQ(flushed, plain);
  EXPECT_TRUE(same_bits(flushed_little, little));
  EXPECT_EQ(after & 0x8040u, 0x8040u);
#endif
}

// Eight instances of two cars in four threads: the bits of separate runs.
TEST(Fmi2, ManyInstancesAtOnce) {
  const Fixture f("step_steer"), g("accel_brake");
  const auto run = [](const Fixture& from) {
    Instance2 i(from.fmu, from.library);
    i.start();
    for (int k = 0; k < 200; ++k) EXPECT_EQ(i.step(k * 0.01, 0.01), fmi2OK);
    return i.state();
  };
  const auto one = run(f), two = run(g);
  std::vector<std::vector<std::byte>> ends(8);
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      ends[2 * t] = run(f);
      ends[2 * t + 1] = run(g);
    });
  for (std::thread& thread : threads) thread.join();
  for (std::size_t k = 0; k < 8; ++k) EXPECT_EQ(ends[k], k % 2 ? two : one) << k;
  // and in turns
  Instance2 a(f.fmu, f.library), b(f.fmu, f.library), c(g.fmu, g.library);
  a.start(), b.start(), c.start();
  for (int k = 0; k < 200; ++k)
    for (Instance2* each : {&a, &b, &c}) ASSERT_EQ(each->step(k * 0.01, 0.01), fmi2OK);
  EXPECT_EQ(a.state(), one);
  EXPECT_EQ(b.state(), one);
  EXPECT_EQ(c.state(), two);
}

}  // namespace
