// SPDX-License-Identifier: Apache-2.0
// FMUs of controller.c, in a folder that goes with the test, and scenes that they drive.
#pragma once
#include <cstdio>

#include "bindings/fmi/archive.hpp"
#include "bindings/fmi/controllers.hpp"
#include "tests/fmi/fmus.hpp"
#include "vdsim/study/run.hpp"
#include "vdsim/study/sim.hpp"

// What the description of the FMU says; a test changes it.
struct Describe {
  int version = 2;
  std::string token = "{controller-of-the-tests}", step = "0.01", flags, more, file = "controller.fmu";
  bool co_simulation = true;
  std::string machine;  // "" = this one
};

inline std::string description(const Describe& d) {
  const bool two = d.version == 2;
  std::string vars;
  const auto add = [&](const char* name, int vr, const char* causality, const char* variability, const char* type2,
                       const char* type3, const char* inside3 = "") {
    const std::string head = std::string(" name=\"") + name + "\" valueReference=\"" + std::to_string(vr) +
                             "\" causality=\"" + causality + "\" variability=\"" + variability + "\"";
    vars += two ? "<ScalarVariable" + head + "><" + type2 + "/></ScalarVariable>\n"
                : std::string("<") + type3 + head + ">" + inside3 + "</" + type3 + ">\n";
  };
  const auto real = [&](const char* name, int vr, const char* causality, const char* variability = "continuous") {
    add(name, vr, causality, variability, "Real start=\"0\"", "Float64");
  };
  real("vx", 1, "input"), real("yaw", 2, "input"), real("r", 3, "input"), real("y", 6, "input");
  if (two)
    real("wheel.fz[1]", 4, "input"), real("fz_fr", 5, "input");
  else
    add("wheel.fz", 4, "input", "continuous", "", "Float64", "<Dimension start=\"4\"/>");
  real("throttle", 10, "output"), real("brake", 11, "output"), real("steer_angle_wheel", 12, "output");
  add("gear", 13, "output", "discrete", "Integer", "Int32"), real("load", 14, "output");
  real("target", 20, "parameter", "fixed"), real("gain", 21, "parameter", "tunable");
  for (const auto& [name, vr] : {std::pair{"fail.at", 22}, {"fail.with", 23}, {"nan_at", 24}, {"shift", 28}})
    add(name, vr, "parameter", "fixed", "Integer", "Int32");
  real("want_step", 25, "parameter", "fixed");
  add("label", 26, "parameter", "fixed", "String", "String");
  add("rough", 27, "parameter", "fixed", "Boolean", "Boolean");
  return std::string("<?xml version=\"1.0\"?>\n<fmiModelDescription fmiVersion=\"") + (two ? "2.0" : "3.0") +
         "\" modelName=\"controller\" " + (two ? "guid" : "instantiationToken") + "=\"" + d.token + "\">\n<" +
         (d.co_simulation ? "CoSimulation" : "ModelExchange") + " modelIdentifier=\"controller\" " + d.flags + "/>\n" +
         (d.step.empty() ? "" : "<DefaultExperiment stepSize=\"" + d.step + "\"/>\n") + "<ModelVariables>\n" + vars +
         d.more + "</ModelVariables>\n</fmiModelDescription>\n";
}

class ControllerTest : public testing::Test {
 protected:
  ControllerTest() {
    std::string name = (std::filesystem::temp_directory_path() / "vdsim_test_XXXXXX").string();
    folder = mkdtemp(name.data());
  }
  ~ControllerTest() override { std::filesystem::remove_all(folder); }

  void make(const Describe& d = {}) const {
#if defined(__aarch64__)
    const char* machine = "aarch64-linux";
#else
    const char* machine = d.version == 2 ? "linux64" : "x86_64-linux";
#endif
    std::ifstream library(VDSIM_FMU_CONTROLLER, std::ios::binary);
    std::ostringstream bytes;
    bytes << library.rdbuf();
    write(d.file, zipped({{"modelDescription.xml", description(d)},
                          {"binaries/" + (d.machine.empty() ? machine : d.machine) + "/controller.so", bytes.str()}}));
  }
  void write(const std::string& name, const std::string& bytes) const {
    std::ofstream(folder / name, std::ios::binary) << bytes;
  }
  static std::string car(const std::string& id, const std::string& control) {
    return "  - id: " + id + "\n    vx0: 10\n    y0: 1\n    level: L2\n    control: " + control + "\n";
  }
  static std::string scene_text(const std::string& cars, const std::string& head = "") {
    return "id: s\nduration: 1\nrate: 1000\n" + head + "fleet:\n" + cars;
  }
  Scenario read(const std::string& text) const {
    Errors errors;
    Scenario out = read_scene(catalog(), text, "s.yaml", folder.string(), {}, errors);
    errors.throw_if_any();
    return out;
  }
  struct Ran {
    RunResult result;
    std::vector<Recording> rows;
    std::vector<std::string> notes;
  };
  Ran run(const std::string& text) const {
    Ran out;
    const Scenario scene = read(text);
    RunOptions options;
    options.recordings = &out.rows;
    options.controllers = controllers(scene, out.notes);
    out.result = run_scenario(scene, options);
    return out;
  }
  // What is wrong, line by line.
  std::vector<std::string> refused(const std::string& text) const {
    try {
      run(text);
    } catch (const BadInput& e) {
      return e.lines;
    }
    return {"not refused"};
  }
  std::filesystem::path folder;
};
