// SPDX-License-Identifier: Apache-2.0
// What an FMU does when it runs: that it starts, steps, and comes back to a saved state.
#include <fmt/format.h>

#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <cstring>

#include "bindings/fmi/importer.hpp"
#include "vdsim/engine/errors.hpp"

namespace vdsim::fmi {
namespace {

struct Log {
  std::vector<std::string> lines;
};
void keep(fmi2ComponentEnvironment to, fmi2String, fmi2Status status, fmi2String, fmi2String message, ...) {
  if (!to || status < fmi2Warning) return;
  char text[1000];
  va_list more;
  va_start(more, message);
  std::vsnprintf(text, sizeof text, message, more);
  va_end(more);
  static_cast<Log*>(to)->lines.emplace_back(text);
}

struct Trial {
  const Unpacked& fmu;
  const Library2& library;
  std::vector<std::string> errors;
  Log log;
  std::vector<fmi2ValueReference> outputs;

  bool good(fmi2Status status, const char* what) {
    if (status <= fmi2Warning) return true;
    errors.push_back(fmt::format("{} failed{}", what, log.lines.empty() ? "" : ": " + log.lines.back()));
    return false;
  }
  std::vector<double> read(fmi2Component c) {
    std::vector<double> out(outputs.size());
    good(library.fmi2GetReal(c, outputs.data(), outputs.size(), out.data()), "fmi2GetReal of all outputs");
    return out;
  }
};

bool same(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

bool start(Trial& t, fmi2Component c) {
  return t.good(t.library.fmi2SetupExperiment(c, 0, 0, 0, 0, 0), "fmi2SetupExperiment") &&
         t.good(t.library.fmi2EnterInitializationMode(c), "fmi2EnterInitializationMode") &&
         t.good(t.library.fmi2ExitInitializationMode(c), "fmi2ExitInitializationMode");
}

// The outputs after `steps` more steps.
std::vector<double> drive(Trial& t, fmi2Component c, int first, int steps) {
  const auto experiment = t.fmu.root().child("DefaultExperiment");
  const double h = experiment.attribute("stepSize").as_double(0.01);
  for (int k = first; k < first + steps; ++k)
    if (!t.good(t.library.fmi2DoStep(c, k * h, h, 1), "fmi2DoStep")) return {};
  return t.read(c);
}

void check_run(Trial& t, fmi2Component c) {
  constexpr int kSteps = 100;
  if (!start(t, c)) return;
  const std::vector<double> half = drive(t, c, 0, kSteps);
  for (const double x : half)
    if (!std::isfinite(x)) t.errors.emplace_back("an output is not finite after 100 steps");
  const auto sim = t.fmu.root().child("CoSimulation");
  fmi2FMUstate state = nullptr;
  const bool saves = sim.attribute("canGetAndSetFMUstate").as_bool();
  if (saves) t.good(t.library.fmi2GetFMUstate(c, &state), "fmi2GetFMUstate");
  const std::vector<double> whole = drive(t, c, kSteps, kSteps);
  if (saves && state && t.good(t.library.fmi2SetFMUstate(c, state), "fmi2SetFMUstate")) {
    if (!same(t.read(c), half)) t.errors.emplace_back("a restored state has other outputs");
    if (!same(drive(t, c, kSteps, kSteps), whole)) t.errors.emplace_back("a restored state goes on differently");
    t.good(t.library.fmi2FreeFMUstate(c, &state), "fmi2FreeFMUstate");
  }
  t.good(t.library.fmi2Terminate(c), "fmi2Terminate");
  t.good(t.library.fmi2Reset(c), "fmi2Reset");
  if (start(t, c) && !same(drive(t, c, 0, kSteps), half)) t.errors.emplace_back("after fmi2Reset it runs differently");
}

}  // namespace

std::vector<std::string> check_run2(const Unpacked& fmu) {
  const Library2 library(fmu.library());
  Trial t{fmu, library, {}, {}, {}};
  if (std::string_view(library.fmi2GetVersion()) != "2.0") t.errors.emplace_back("the library is not of FMI 2.0");
  for (const auto v : fmu.root().child("ModelVariables").children("ScalarVariable"))
    if (std::string_view(v.attribute("causality").as_string()) == "output" && v.child("Real"))
      t.outputs.push_back(v.attribute("valueReference").as_uint());
  const fmi2CallbackFunctions callbacks{keep, std::calloc, std::free, nullptr, &t.log};
  const std::string guid = fmu.attribute("guid");
  if (fmi2Component wrong = library.fmi2Instantiate("check", fmi2CoSimulation, (guid + "x").c_str(),
                                                    fmu.resource_uri().c_str(), &callbacks, 0, 0)) {
    t.errors.emplace_back("a wrong guid is taken");
    library.fmi2FreeInstance(wrong);
  }
  t.log.lines.clear();
  fmi2Component c =
      library.fmi2Instantiate("check", fmi2CoSimulation, guid.c_str(), fmu.resource_uri().c_str(), &callbacks, 0, 0);
  if (!c) {
    t.errors.push_back(fmt::format("fmi2Instantiate failed{}", t.log.lines.empty() ? "" : ": " + t.log.lines.back()));
    return t.errors;
  }
  check_run(t, c);
  library.fmi2FreeInstance(c);
  return t.errors;
}

std::vector<std::string> check_fmu(const Unpacked& fmu) {
  if (fmu.version() == 0) return {"FMI version '" + fmu.attribute("fmiVersion") + "' is not known: 2.0 and 3.0 are"};
  const bool two = fmu.version() == 2;
  std::vector<std::string> out = two ? check_description2(fmu) : check_description3(fmu);
  if (fmu.library().empty()) {
    out.emplace_back("there is no library for this machine, so it was not run");
    return out;
  }
  if (!fmu.root().child("CoSimulation")) return out;
  try {
    for (std::string& line : two ? check_run2(fmu) : check_run3(fmu)) out.push_back(std::move(line));
  } catch (const BadInput& e) {
    out.insert(out.end(), e.lines.begin(), e.lines.end());
  }
  return out;
}

}  // namespace vdsim::fmi
