// SPDX-License-Identifier: Apache-2.0
// FMUs of FMI 3.0: the bits of FMI 2.0, arrays, what happens between communication points, events.
#include <thread>

#include "tests/fmi/fmus3.hpp"
#include "vdsim/config/scenario.hpp"

namespace {

Request three(const std::string& source) {
  Request out = Exported::of(source);
  out.version = 3;
  const Scenario scene = load_scene(catalog(), source);
  out.car = scene.cars[0].id;
  return out;
}

struct Fixture3 {
  explicit Fixture3(const Request& request) : exported(request), fmu(exported.file), library(fmu.library()) {}
  explicit Fixture3(const std::string& source) : Fixture3(three(source)) {}
  Exported exported;
  Unpacked fmu;
  Library3 library;
};

TEST(Fmi3, SameBitsAsFmi2AndArraysAreItsElements) {
  for (const char* id : {"step_steer", "lugre_grade_demo", "banked_oval"}) {
    SCOPED_TRACE(id);
    const Fixture3 f(id);
    Request request = three(id);
    request.version = 2;
    const Exported other(request);
    const Unpacked fmu2(other.file);
    const Library2 library2(fmu2.library());
    Instance3 a(f.fmu, f.library);
    Instance2 b(fmu2, library2);
    a.start(), b.start();
    for (int k = 0; k < 200; ++k) {
      ASSERT_EQ(a.step(k * 0.01, 0.01), fmi3OK) << a.text();
      ASSERT_EQ(b.step(k * 0.01, 0.01), fmi2OK) << b.text();
    }
    EXPECT_DOUBLE_EQ(a.reached, 2);
    EXPECT_FALSE(a.early || a.end || a.event);
    int arrays = 0, scalars = 0;
    for (const auto v : f.fmu.root().child("ModelVariables").children("Float64")) {
      const std::string name = v.attribute("name").as_string();
      if (std::string_view(v.attribute("causality").as_string()) != "output") continue;
      const std::size_t n = v.child("Dimension") ? v.child("Dimension").attribute("start").as_uint() : 1;
      (n > 1 ? arrays : scalars) += 1;
      std::vector<double> elements;
      for (std::size_t i = 0; i < n; ++i)
        elements.push_back(b.get(n > 1 ? name + "[" + std::to_string(i + 1) + "]" : name));
      EXPECT_TRUE(same_bits(a.get(name, n), elements)) << name;
    }
    EXPECT_GT(arrays, 15);
    EXPECT_GE(scalars, 20);
  }
}

TEST(Fmi3, IntermediateUpdateAtEveryInternalStep) {
  const Fixture3 f("step_steer");
  Instance3 watched(f.fmu, f.library, false, false, true), plain(f.fmu, f.library);
  watched.start(), plain.start();
  for (int k = 0; k < 20; ++k) {
    ASSERT_EQ(watched.step(k * 0.01, 0.01), fmi3OK);
    ASSERT_EQ(plain.step(k * 0.01, 0.01), fmi3OK);
  }
  ASSERT_EQ(watched.calls.times.size(), 200u);
  for (std::size_t k = 0; k < 200; ++k) EXPECT_NEAR(watched.calls.times[k], 0.001 * static_cast<double>(k + 1), 1e-12);
  EXPECT_EQ(watched.get("x"), plain.get("x"));
}

// Inputs that are set between internal steps act from there on: long communication steps have the bits of short ones.
TEST(Fmi3, InputsSetWithinAStepAreThoseOfShortSteps) {
  Request request = three("step_steer");
  request.options.control = Control::external, request.control_given = true;
  const Fixture3 f(request);
  Instance3 within(f.fmu, f.library, false, false, true), shorter(f.fmu, f.library), held(f.fmu, f.library);
  const auto steer = [](Instance3& i, double t) {
    const fmi3ValueReference vr = 1;
    const double value = 0.05 * std::sin(7 * t);
    ASSERT_EQ(i.f.fmi3SetFloat64(i.c, &vr, 1, &value, 1), fmi3OK) << i.text();
  };
  within.calls.sets = true;
  within.calls.at_step = [&](double t) { steer(within, t); };
  within.start(), shorter.start(), held.start();
  for (int k = 0; k < 100; ++k) {
    steer(held, k * 0.01);
    ASSERT_EQ(held.step(k * 0.01, 0.01), fmi3OK);
    if (k == 0) steer(within, 0);
    ASSERT_EQ(within.step(k * 0.01, 0.01), fmi3OK) << within.text();
  }
  for (int k = 0; k < 1000; ++k) {
    // the time that the callback is told, to the bit
    steer(shorter, k == 0 ? 0 : within.calls.times[static_cast<std::size_t>(k - 1)]);
    ASSERT_EQ(shorter.step(k * 0.001, 0.001), fmi3OK);
  }
  for (const char* name : {"x", "y", "psi", "vy", "r"}) EXPECT_EQ(within.get(name), shorter.get(name)) << name;
  EXPECT_NE(within.get("r"), held.get("r"));
}

// Within a step nothing else can be done, and what is refused changes nothing.
TEST(Fmi3, NothingElseWithinAStep) {
  Request request = three("step_steer");
  request.options.control = Control::external, request.control_given = true;
  const Fixture3 f(request);
  const Library3& l = f.library;
  Instance3 i(f.fmu, l, false, false, true), alone(f.fmu, l);
  i.calls.sets = true;
  i.start(), alone.start();
  int refused = 0;
  i.calls.at_step = [&](double t) {
    const fmi3ValueReference gear = 5, mu = i.names.at("mu");
    const std::int32_t second = 2;
    const double low = 0.1;
    fmi3FMUState state = nullptr;
    EXPECT_EQ(l.fmi3SetInt32(i.c, &gear, 1, &second, 1), fmi3Error);
    EXPECT_NE(i.text().find("gear cannot be set within a step"), std::string::npos) << i.text();
    EXPECT_EQ(l.fmi3SetFloat64(i.c, &mu, 1, &low, 1), fmi3Error);
    bool e[3];
    double reached = 0;
    for (const fmi3Status status : {l.fmi3DoStep(i.c, t, 0.01, true, &e[0], &e[1], &e[2], &reached), l.fmi3Reset(i.c),
                                    l.fmi3Terminate(i.c), l.fmi3GetFMUState(i.c, &state)}) {
      EXPECT_EQ(status, fmi3Error);
      EXPECT_NE(i.text().find("within a step values can be read and inputs set"), std::string::npos) << i.text();
      ++refused;
    }
  };
  ASSERT_EQ(i.step(0, 0.01), fmi3OK) << i.text();
  ASSERT_EQ(alone.step(0, 0.01), fmi3OK);
  EXPECT_EQ(refused, 40);
  EXPECT_EQ(i.get("x"), alone.get("x"));
  Calls calls;
  const fmi3ValueReference wrong[] = {i.names.at("gear"), i.names.at("mu"), 77};
  for (const fmi3ValueReference& vr : wrong)
    EXPECT_EQ(l.fmi3InstantiateCoSimulation("car", f.fmu.attribute("instantiationToken").c_str(),
                                            f.fmu.resource_path().c_str(), false, false, false, false, &vr, 1, &calls,
                                            keep3, update),
              nullptr);
  EXPECT_EQ(calls.log.size(), 3u);
  const auto declared = [&](const char* name) {
    for (const auto v : f.fmu.root().child("ModelVariables").children())
      if (std::string_view(v.attribute("name").as_string()) == name) return v.attribute("intermediateUpdate").as_bool();
    return false;
  };
  EXPECT_TRUE(declared("steer_angle_wheel") && declared("x") && declared("wheel.fx"));
  EXPECT_FALSE(declared("gear") || declared("mu") || declared("time"));
}

TEST(Fmi3, EarlyReturnEndsAtTheStepThatAskedForIt) {
  const Fixture3 f("step_steer");
  Instance3 i(f.fmu, f.library, false, true, true);
  i.start();
  i.calls.stop = 0.004;
  ASSERT_EQ(i.step(0, 0.01), fmi3OK);
  EXPECT_TRUE(i.early);
  EXPECT_DOUBLE_EQ(i.reached, 0.004);
  i.calls.stop = 1e9;
  ASSERT_EQ(i.step(0.004, 0.006), fmi3OK) << i.text();
  EXPECT_FALSE(i.early);
  Instance3 plain(f.fmu, f.library);
  plain.start();
  ASSERT_EQ(plain.step(0, 0.01), fmi3OK);
  EXPECT_EQ(i.get("x"), plain.get("x"));
  Instance3 never(f.fmu, f.library, false, false, true);  // early return not allowed
  never.start();
  never.calls.stop = 0.004;
  ASSERT_EQ(never.step(0, 0.01), fmi3OK);
  EXPECT_FALSE(never.early);
}

// A car that stops: its wheels are held from then on, which is an event; so is every change of what ABS does.
void changes_are_events(const std::string& scene, const std::string& signal, double stop) {
  const Fixture3 f(three(scene));
  Instance3 i(f.fmu, f.library, true, true);
  i.start();
  EXPECT_EQ(i.step(0, 0.01), fmi3Error) << "still in event mode";
  bool more = true, e[4];
  double next = 0;
  ASSERT_EQ(i.f.fmi3UpdateDiscreteStates(i.c, &more, &e[0], &e[1], &e[2], &e[3], &next), fmi3OK) << i.text();
  EXPECT_FALSE(more);
  ASSERT_EQ(i.f.fmi3EnterStepMode(i.c), fmi3OK);
  const auto discrete = [&] {  // every output that jumps
    std::vector<double> out;
    for (const auto v : f.fmu.root().child("ModelVariables").children("Float64"))
      if (std::string_view(v.attribute("variability").as_string()) == "discrete")
        for (const double x : i.get(v.attribute("name").as_string(), v.child("Dimension") ? 4 : 1)) out.push_back(x);
    return out;
  };
  int events = 0, seen = 0;
  std::vector<double> before = discrete(), own = i.get(signal, 4);
  for (double t = 0; t < stop - 1e-6; t = i.reached) {
    ASSERT_EQ(i.step(t, std::min(0.01, stop - t)), fmi3OK) << i.text();
    const std::vector<double> now = discrete();
    EXPECT_EQ(i.event, now != before) << t;
    seen += i.get(signal, 4) != own;
    before = now, own = i.get(signal, 4);
    if (!i.event) continue;
    ++events;
    ASSERT_EQ(i.f.fmi3EnterEventMode(i.c), fmi3OK) << i.text();
    ASSERT_EQ(i.f.fmi3EnterStepMode(i.c), fmi3OK);
  }
  EXPECT_GT(seen, 0);
  EXPECT_GE(events, seen);
  Instance3 plain(f.fmu, f.library);
  plain.start();
  const int n = static_cast<int>(stop / 0.01 + 0.5);
  for (int k = 0; k < n; ++k) ASSERT_EQ(plain.step(k * 0.01, 0.01), fmi3OK);
  EXPECT_EQ(i.get("x"), plain.get("x"));
}
TEST(Fmi3, HeldWheelsAreEvents) {
  changes_are_events("accel_brake", "wheel.held", load_scene(catalog(), "accel_brake").timing.duration);
}
TEST(Fmi3, WhatAbsDoesIsAnEvent) { changes_are_events("abs_stop", "wheel.abs", 3); }

TEST(Fmi3, MisuseIsRefusedAndSaysWhy) {
  const Fixture3 f("step_steer");
  Instance3 i(f.fmu, f.library);
  const Library3& l = f.library;
  const auto refused = [&](fmi3Status status, const std::string& why) {
    EXPECT_EQ(status, fmi3Error) << why;
    EXPECT_NE(i.text().find(why), std::string::npos) << i.text();
  };
  double x[4] = {};
  std::int32_t n = 0;
  const fmi3ValueReference none = 77, fx = i.names.at("wheel.fx"), element = fx + 1, throttle = 2, gear = 5;
  i.start();
  refused(l.fmi3GetFloat64(i.c, &none, 1, x, 1), "no variable with the value reference 77");
  refused(l.fmi3GetFloat64(i.c, &fx, 1, x, 3), "more values than nValues");
  refused(l.fmi3GetFloat64(i.c, &throttle, 1, x, 2), "nValues is 2, expected 1");
  refused(l.fmi3GetFloat64(i.c, &element, 1, x, 1), "part of an array: ask for wheel.fx");
  refused(l.fmi3GetInt32(i.c, &fx, 1, &n, 1), "is a real number");
  refused(l.fmi3GetFloat64(i.c, &gear, 1, x, 1), "gear is an integer");
  x[0] = std::numeric_limits<double>::quiet_NaN();
  refused(l.fmi3SetFloat64(i.c, &throttle, 1, x, 1), "throttle: expected a finite number");
  refused(l.fmi3SetTime(i.c, 0), "model exchange");
  refused(l.fmi3EnterEventMode(i.c), "without event mode");
  refused(l.fmi3EnterConfigurationMode(i.c), "no structural parameters");
  EXPECT_EQ(l.fmi3GetFloat64(nullptr, &fx, 1, x, 4), fmi3Error);
  Calls calls;
  EXPECT_EQ(l.fmi3InstantiateModelExchange("a", "b", "c", false, false, &calls, keep3), nullptr);
  EXPECT_NE(calls.log.at(0).find("fmi3Instantiate"), std::string::npos);
}

// FMI 2.0 and 3.0 of two cars, eight instances in four threads of one process: each as if alone.
TEST(Fmi3, BothVersionsOfTwoCarsAtOnce) {
  const std::vector<std::string> names{"x", "y", "psi", "vx", "r"}, scenes{"step_steer", "accel_brake"};
  std::vector<std::vector<double>> alone;
  std::vector<std::function<std::vector<double>()>> runs;
  std::vector<std::unique_ptr<Fixture3>> threes;
  std::vector<std::unique_ptr<Exported>> files;
  std::vector<std::unique_ptr<Unpacked>> unpacked;
  std::vector<std::unique_ptr<Library2>> twos;
  for (const std::string& scene : scenes) {
    const Fixture3& f = *threes.emplace_back(std::make_unique<Fixture3>(scene));
    Request request = three(scene);
    request.version = 2;
    const Exported& file = *files.emplace_back(std::make_unique<Exported>(request));
    const Unpacked& fmu = *unpacked.emplace_back(std::make_unique<Unpacked>(file.file));
    const Library2& library = *twos.emplace_back(std::make_unique<Library2>(fmu.library()));
    runs.emplace_back([&] {
      Instance3 i(f.fmu, f.library);
      i.start();
      for (int k = 0; k < 200; ++k) EXPECT_EQ(i.step(k * 0.01, 0.01), fmi3OK);
      std::vector<double> out;
      for (const std::string& name : names) out.push_back(i.get(name)[0]);
      return out;
    });
    runs.emplace_back([&] {
      Instance2 i(fmu, library);
      i.start();
      for (int k = 0; k < 200; ++k) EXPECT_EQ(i.step(k * 0.01, 0.01), fmi2OK);
      return i.outputs(names);
    });
  }
  for (const auto& run : runs) alone.push_back(run());
  std::vector<std::vector<double>> ends(8);
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < 4; ++t)
    threads.emplace_back([&, t] { ends[2 * t] = runs[t](), ends[2 * t + 1] = runs[3 - t](); });
  for (std::thread& thread : threads) thread.join();
  for (std::size_t t = 0; t < 4; ++t) {
    EXPECT_TRUE(same_bits(ends[2 * t], alone[t])) << t;
    EXPECT_TRUE(same_bits(ends[2 * t + 1], alone[3 - t])) << t;
  }
  EXPECT_TRUE(same_bits(alone[0], alone[1]) && same_bits(alone[2], alone[3])) << "2.0 and 3.0";
}

TEST(Fmi3, StatesOfBothVersionsAreTheSameBytes) {
  const Fixture3 f("step_steer");
  Request request = three("step_steer");
  request.version = 2;
  const Exported other(request);
  const Unpacked fmu2(other.file);
  const Library2 library2(fmu2.library());
  Instance3 a(f.fmu, f.library);
  Instance2 b(fmu2, library2);
  a.start(), b.start();
  for (int k = 0; k < 100; ++k) {
    ASSERT_EQ(a.step(k * 0.01, 0.01), fmi3OK);
    ASSERT_EQ(b.step(k * 0.01, 0.01), fmi2OK);
  }
  const auto bytes = b.state();
  fmi3FMUState state = nullptr;
  ASSERT_EQ(
      f.library.fmi3DeserializeFMUState(a.c, reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size(), &state),
      fmi3OK)
      << a.text();
  ASSERT_EQ(f.library.fmi3SetFMUState(a.c, state), fmi3OK) << a.text();
  EXPECT_EQ(f.library.fmi3FreeFMUState(a.c, &state), fmi3OK);
  for (int k = 100; k < 300; ++k) {
    ASSERT_EQ(a.step(k * 0.01, 0.01), fmi3OK);
    ASSERT_EQ(b.step(k * 0.01, 0.01), fmi2OK);
  }
  EXPECT_EQ(a.get("psi")[0], b.get("psi"));
}

}  // namespace
