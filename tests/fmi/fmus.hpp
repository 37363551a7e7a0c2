// SPDX-License-Identifier: Apache-2.0
// FMUs made for a test, and one instance driven as an importer does.
#pragma once
#include <gtest/gtest.h>

#include <cmath>
#include <cstdarg>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>

#include "bindings/fmi/export.hpp"
#include "bindings/fmi/importer.hpp"
#include "tests/c/rows.hpp"
#include "vdsim/config/scenario.hpp"
#include "vdsim/engine/errors.hpp"

using namespace vdsim;
using namespace vdsim::fmi;

inline const Catalog& catalog() {
  static const Catalog all(VDSIM_SOURCE_DIR "/configs");
  return all;
}

// Every car of every scene, with its rows as the command line writes them: f(scene, car, rows).
template <class F> void each_car_of_every_scene(F&& f) {
  for (const CatalogEntry& entry : catalog().scenes()) {
    SCOPED_TRACE(entry.id);
    const CommandLine run(entry.id);
    ASSERT_EQ(run.status, 0);
    const Scenario scene = load_scene(catalog(), entry.id);
    for (const CarSpec& car : scene.cars) {
      SCOPED_TRACE(car.id);
      f(scene, car.id, run.rows(car.id));
    }
  }
}

// An FMU in a file that goes with it.
class Exported {
 public:
  explicit Exported(Request request) {
    request.libraries = VDSIM_FMU_LIBRARIES;
    request.platforms = {"linux64"};
    made = make_fmu(catalog(), request);
    file = (std::filesystem::temp_directory_path() / "vdsim_test_XXXXXX.fmu").string();
    close(mkstemps(file.data(), 4));
    write(made.files);
  }
  explicit Exported(const std::string& source) : Exported(of(source)) {}
  ~Exported() { std::filesystem::remove(file); }
  static Request of(const std::string& source) {
    Request out;
    out.source = source;
    return out;
  }
  void write(const std::vector<ArchiveFile>& files) const { std::ofstream(file, std::ios::binary) << zipped(files); }
  Made made;
  std::string file;
};

inline void keep_line(fmi2ComponentEnvironment to, fmi2String, fmi2Status, fmi2String category, fmi2String message,
                      ...) {
  char text[2000];
  va_list more;
  va_start(more, message);
  std::vsnprintf(text, sizeof text, message, more);
  va_end(more);
  static_cast<std::vector<std::string>*>(to)->push_back(std::string(category) + ": " + text);
}

struct Names {
  explicit Names(const Unpacked& fmu) {
    for (const auto v : fmu.root().child("ModelVariables").children("ScalarVariable"))
      of[v.attribute("name").as_string()] = v.attribute("valueReference").as_uint();
  }
  fmi2ValueReference at(const std::string& name) const { return of.at(name); }
  std::map<std::string, fmi2ValueReference> of;
};

// One instance of FMI 2.0.
class Instance2 {
 public:
  Instance2(const Unpacked& fmu, const Library2& library, const std::string& name = "car", bool logging = false,
            fmi2Type type = fmi2CoSimulation)
      : f(library), names(fmu) {
    const fmi2CallbackFunctions callbacks{keep_line, std::calloc, std::free, nullptr, &log};
    c = f.fmi2Instantiate(name.c_str(), type, fmu.attribute("guid").c_str(), fmu.resource_uri().c_str(), &callbacks, 0,
                          logging);
  }
  ~Instance2() {
    if (c) f.fmi2FreeInstance(c);
  }
  void start(double t = 0) {
    ASSERT_EQ(f.fmi2SetupExperiment(c, 0, 0, t, 0, 0), fmi2OK) << text();
    ASSERT_EQ(f.fmi2EnterInitializationMode(c), fmi2OK) << text();
    ASSERT_EQ(f.fmi2ExitInitializationMode(c), fmi2OK) << text();
  }
  double get(const std::string& name) {
    double out = -1e300;
    const auto vr = names.at(name);
    EXPECT_EQ(f.fmi2GetReal(c, &vr, 1, &out), fmi2OK) << name << ": " << text();
    return out;
  }
  fmi2Status set(const std::string& name, double value) {
    const auto vr = names.at(name);
    return f.fmi2SetReal(c, &vr, 1, &value);
  }
  fmi2Status set_integer(const std::string& name, int value) {
    const auto vr = names.at(name);
    return f.fmi2SetInteger(c, &vr, 1, &value);
  }
  fmi2Status step(double t, double h) { return f.fmi2DoStep(c, t, h, 1); }
  std::vector<std::byte> state() {
    fmi2FMUstate s = nullptr;
    std::size_t n = 0;
    EXPECT_EQ(f.fmi2GetFMUstate(c, &s), fmi2OK) << text();
    EXPECT_EQ(f.fmi2SerializedFMUstateSize(c, s, &n), fmi2OK);
    std::vector<std::byte> out(n);
    EXPECT_EQ(f.fmi2SerializeFMUstate(c, s, reinterpret_cast<char*>(out.data()), n), fmi2OK);
    EXPECT_EQ(f.fmi2FreeFMUstate(c, &s), fmi2OK);
    return out;
  }
  fmi2Status restore(const std::vector<std::byte>& bytes) {
    fmi2FMUstate s = nullptr;
    const fmi2Status read = f.fmi2DeSerializeFMUstate(c, reinterpret_cast<const char*>(bytes.data()), bytes.size(), &s);
    if (read != fmi2OK) return read;
    const fmi2Status set = f.fmi2SetFMUstate(c, s);
    f.fmi2FreeFMUstate(c, &s);
    return set;
  }
  std::vector<double> outputs(const std::vector<std::string>& of) {
    std::vector<double> out;
    for (const std::string& name : of) out.push_back(get(name));
    return out;
  }
  std::string text() const { return log.empty() ? "" : log.back(); }

  const Library2& f;
  Names names;
  std::vector<std::string> log;
  fmi2Component c;
};

inline bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}
