// SPDX-License-Identifier: Apache-2.0
// One instance of FMI 3.0 driven as an importer does.
#pragma once
#include "tests/fmi/fmus.hpp"

struct Calls {
  std::vector<double> times;
  double stop = 1e9;
  bool sets = false;                         // inputs are read
  std::function<void(double)> at_step = {};  // what else is done there
  std::vector<std::string> log;
};
inline void update(fmi3InstanceEnvironment to, fmi3Float64 time, fmi3Boolean set, fmi3Boolean get, fmi3Boolean finished,
                   fmi3Boolean can_return, fmi3Boolean* early, fmi3Float64* at) {
  auto& calls = *static_cast<Calls*>(to);
  EXPECT_EQ(set, calls.sets);
  EXPECT_TRUE(get);
  EXPECT_TRUE(finished);
  calls.times.push_back(time);
  if (calls.at_step) calls.at_step(time);
  *early = can_return && time >= calls.stop - 1e-9, *at = time;
}
inline void keep3(fmi3InstanceEnvironment to, fmi3Status, fmi3String category, fmi3String message) {
  static_cast<Calls*>(to)->log.push_back(std::string(category) + ": " + message);
}

class Instance3 {
 public:
  Instance3(const Unpacked& fmu, const Library3& library, bool events = false, bool early = false, bool watch = false)
      : f(library) {
    for (const auto v : fmu.root().child("ModelVariables").children())
      names[v.attribute("name").as_string()] = v.attribute("valueReference").as_uint();
    c = f.fmi3InstantiateCoSimulation("car", fmu.attribute("instantiationToken").c_str(), fmu.resource_path().c_str(),
                                      false, false, events, early, nullptr, 0, &calls, keep3, watch ? update : nullptr);
  }
  Instance3(const Unpacked& fmu, const Library3& library, fmi2Type /*model exchange*/) : f(library) {
    for (const auto v : fmu.root().child("ModelVariables").children())
      names[v.attribute("name").as_string()] = v.attribute("valueReference").as_uint();
    c = f.fmi3InstantiateModelExchange("car", fmu.attribute("instantiationToken").c_str(), fmu.resource_path().c_str(),
                                       false, false, &calls, keep3);
  }
  ~Instance3() { f.fmi3FreeInstance(c); }
  void start() {
    ASSERT_TRUE(c) << text();
    ASSERT_EQ(f.fmi3EnterInitializationMode(c, false, 0, 0, false, 0), fmi3OK) << text();
    ASSERT_EQ(f.fmi3ExitInitializationMode(c), fmi3OK) << text();
  }
  fmi3Status step(double t, double h) { return f.fmi3DoStep(c, t, h, true, &event, &end, &early, &reached); }
  std::vector<double> get(const std::string& name, std::size_t n = 1) {
    std::vector<double> out(n);
    const fmi3ValueReference vr = names.at(name);
    EXPECT_EQ(f.fmi3GetFloat64(c, &vr, 1, out.data(), n), fmi3OK) << text();
    return out;
  }
  std::string text() const { return calls.log.empty() ? "" : calls.log.back(); }
  const Library3& f;
  Calls calls;
  std::map<std::string, fmi3ValueReference> names;
  fmi3Instance c;
  bool event = false, end = false, early = false;
  double reached = -1;
};
