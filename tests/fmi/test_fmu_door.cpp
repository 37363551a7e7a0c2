// SPDX-License-Identifier: Apache-2.0
// What comes through the door of an FMU: nothing is allocated in a step, states go to another process, bad inputs are refused and
// change nothing.
#include <atomic>
#include <cmath>
#include <limits>

#include "tests/c/rows.hpp"
#include "tests/fmi/fmus3.hpp"
#include "vdsim/config/scenario.hpp"

// The library in an FMU has its own operator new, but the malloc of this program, which sanitizers take for themselves.
#if defined(__has_feature)
#if __has_feature(address_sanitizer)  // as clang says it
#define __SANITIZE_ADDRESS__ 1
#endif
#endif
#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__)
#define VDSIM_COUNTS_MALLOC 1
static std::atomic<long> g_mallocs{0};
extern "C" {
void* __libc_malloc(std::size_t);  // NOLINT(bugprone-reserved-identifier)
void* malloc(std::size_t n) {
  ++g_mallocs;
  return __libc_malloc(n);
}
}
#else
#define VDSIM_COUNTS_MALLOC 0
#endif

namespace {

const double kNan = std::numeric_limits<double>::quiet_NaN(), kInf = std::numeric_limits<double>::infinity();

Request external(const std::string& source, int version = 2) {
  Request out = Exported::of(source);
  out.version = version, out.options.control = Control::external, out.control_given = true;
  return out;
}

#if VDSIM_COUNTS_MALLOC
TEST(FmuDoor, StepsAllocateNothing) {
  for (const char* source : {"step_steer", "tire.lugre_on", "tire.lugre_patch"}) {
    SCOPED_TRACE(source);
    const bool tire = std::string(source).starts_with("tire.");
    const Exported exported(tire ? Exported::of(source) : external(source));
    const Unpacked fmu(exported.file);
    const Library2 library(fmu.library());
    Instance2 i(fmu, library);
    i.start();
    const fmi2ValueReference in = i.names.at(tire ? "vy" : "steer_angle_wheel"), out = i.names.at(tire ? "fy" : "vy");
    double x = 0.01, y = 0;
    const int order = 1;
    const auto once = [&](int k) {
      library.fmi2SetReal(i.c, &in, 1, &x);
      library.fmi2SetRealInputDerivatives(i.c, &in, 1, &order, &x);
      const fmi2Status done = library.fmi2DoStep(i.c, k * 0.01, 0.01, 1);
      if (!tire) library.fmi2GetReal(i.c, &out, 1, &y);
      return done;
    };
    for (int k = 0; k < 10; ++k) ASSERT_EQ(once(k), fmi2OK) << i.text();
    const long before = g_mallocs;
    for (int k = 10; k < 100; ++k)
      if (once(k) != fmi2OK) break;
    EXPECT_EQ(g_mallocs - before, 0);
    EXPECT_EQ(once(100), fmi2OK) << i.text();
    const long then = g_mallocs;
    fmi2FMUstate state = nullptr;
    ASSERT_EQ(library.fmi2GetFMUstate(i.c, &state), fmi2OK);
    EXPECT_GT(g_mallocs - then, 0) << "what the library allocates is not counted";
    library.fmi2FreeFMUstate(i.c, &state);
  }
}
#endif

// A car and a tire, loaded, stepped, freed in a process that valgrind watches: no error, nothing lost.
TEST(FmuDoor, ValgrindFindsNothing) {
  if (!VDSIM_COUNTS_MALLOC) GTEST_SKIP() << "valgrind and sanitizers do not go together";
  if (std::system("command -v valgrind >/dev/null") != 0) GTEST_SKIP() << "no valgrind (packages.txt, languages)";
  for (const char* source : {"lugre_grade_demo", "tire.lugre_on"}) {
    SCOPED_TRACE(source);
    const Exported exported(source);
    const Unpacked fmu(exported.file);
    const std::string out = exported.file + ".log";
    const std::string command =
        "valgrind --error-exitcode=9 --leak-check=full "
        "--errors-for-leak-kinds=definite,indirect,possible " VDSIM_DRIVE_FMU " " +
        fmu.library() + " '" + fmu.attribute("guid") + "' " + fmu.resource_uri() + " 20 " +
        (std::string(source).starts_with("tire.") ? "100" : "13") + " >" + out + " 2>&1";
    EXPECT_EQ(std::system(command.c_str()), 0) << std::ifstream(out).rdbuf();
    std::filesystem::remove(out);
  }
}

TEST(FmuDoor, StateGoesOnInAnotherProcess) {
  for (const char* source : {"step_steer", "tire.lugre_on"}) {
    SCOPED_TRACE(source);
    const Exported exported(source);
    const Unpacked fmu(exported.file);
    const Library2 library(fmu.library());
    Instance2 i(fmu, library);
    const bool tire = std::string(source) == "tire.lugre_on";
    if (tire) i.set("omega", 40), i.set("vx", 12), i.set("fz", 3000);
    i.start();
    if (tire) i.set("vy", 0.7);
    const std::vector<std::string> names =
        tire ? std::vector<std::string>{"fx", "fy", "zy"} : std::vector<std::string>{"x", "y", "r"};
    std::string refs, want;
    for (const std::string& name : names) refs += " " + std::to_string(i.names.at(name));
    const std::string file = exported.file + ".state";
    for (int k = 0; k < 150; ++k) {
      if (k == 50) {
        const auto bytes = i.state();
        std::ofstream(file, std::ios::binary)
            .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
      }
      ASSERT_EQ(i.step(k * 0.01, 0.01), fmi2OK) << i.text();
      if (k < 50 || k % 10 != 9) continue;
      for (const double x : i.outputs(names)) {
        unsigned long long bits = 0;
        char text[20];
        std::memcpy(&bits, &x, sizeof bits);
        std::snprintf(text, sizeof text, "%016llx ", bits);
        want += text;
      }
      want += "\n";
    }
    const std::string command = "VDSIM_DONE=50 VDSIM_STATE=" + file + " " VDSIM_DRIVE_FMU " " + fmu.library() + " '" +
                                fmu.attribute("guid") + "' " + fmu.resource_uri() + " 150" + refs;
    std::string found;
    FILE* pipe = popen(command.c_str(), "r");
    for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) found += static_cast<char>(c);
    EXPECT_EQ(pclose(pipe), 0);
    EXPECT_EQ(found, want);
    std::filesystem::remove(file);
  }
}

// Every call is refused with Error, says why, and the car goes on to the bits of one that was left alone.
TEST(FmuDoor, BadCallsAreRefusedAndChangeNothing) {
  const Exported exported(external("step_steer"));
  const Unpacked fmu(exported.file);
  const Library2 l(fmu.library());
  Instance2 i(fmu, l), alone(fmu, l);
  int count = 0;
  const auto refused = [&](fmi2Status status, const std::string& why) {
    ++count;
    EXPECT_EQ(status, fmi2Error) << why;
    EXPECT_NE(i.text().find(why), std::string::npos) << why << ": " << i.text();
  };
  double x = 0;
  int n = 0, order = 2;
  std::size_t size = 0;
  fmi2String text = "";
  fmi2EventInfo info;
  fmi2FMUstate none = nullptr;
  const fmi2ValueReference unknown[] = {7, 77, 99, 999, 9999, 4294967295u}, vx = 13, gear = 5, steer = 1, brake = 3;
  refused(l.fmi2ExitInitializationMode(i.c), "has not been entered");
  refused(l.fmi2Terminate(i.c), "no simulation to end");
  refused(i.step(0, 0.01), "end of the initialization");
  for (Instance2* each : {&i, &alone}) each->start();
  refused(l.fmi2EnterInitializationMode(i.c), "entered before");
  refused(l.fmi2SetupExperiment(i.c, 0, 0, 0, 0, 0), "before the initialization");
  refused(l.fmi2ExitInitializationMode(i.c), "has not been entered");
  for (const fmi2ValueReference vr : unknown) {
    refused(l.fmi2GetReal(i.c, &vr, 1, &x), "no variable with the value reference " + std::to_string(vr));
    refused(l.fmi2SetReal(i.c, &vr, 1, &x), "no variable with the value reference " + std::to_string(vr));
    refused(l.fmi2GetInteger(i.c, &vr, 1, &n), "no variable with the value reference " + std::to_string(vr));
  }
  refused(l.fmi2GetReal(i.c, nullptr, 1, &x), "vr is NULL");
  refused(l.fmi2GetReal(i.c, &vx, 1, nullptr), "value is NULL");
  refused(l.fmi2SetReal(i.c, nullptr, 1, &x), "vr is NULL");
  refused(l.fmi2SetReal(i.c, &steer, 1, nullptr), "value is NULL");
  refused(l.fmi2GetInteger(i.c, &vx, 1, &n), "vx is a real number");
  refused(l.fmi2SetInteger(i.c, &vx, 1, &n), "vx is a real number");
  refused(l.fmi2GetBoolean(i.c, &vx, 1, &n), "vx is a real number");
  refused(l.fmi2SetBoolean(i.c, &gear, 1, &n), "gear is an integer");
  refused(l.fmi2GetReal(i.c, &gear, 1, &x), "gear is an integer");
  refused(l.fmi2SetReal(i.c, &gear, 1, &x), "gear is an integer");
  refused(l.fmi2GetString(i.c, &vx, 1, &text), "no variables of text");
  refused(l.fmi2SetString(i.c, &vx, 1, &text), "no variables of text");
  refused(l.fmi2SetReal(i.c, &vx, 1, &x), "vx is no input and no parameter");
  for (const char* name : {"steer_angle_wheel", "throttle", "brake", "handbrake"})
    for (const double bad : {kNan, kInf, -kInf})
      refused(i.set(name, bad), std::string(name) + ": expected a finite number");
  refused(i.set("mu", -1), "mu: -1 is out of range");
  refused(i.set("mu", kNan), "mu: expected a finite number");
  refused(i.set("chassis.mass", 1500), "chassis.mass is fixed");
  refused(i.set("solver.dt", 0.002), "solver.dt is fixed");
  refused(i.set_integer("control", 3), "control is fixed");
  refused(l.fmi2SetRealInputDerivatives(i.c, &steer, 1, &order, &x), "order 1, found 2");
  order = 1;
  refused(l.fmi2SetRealInputDerivatives(i.c, &steer, 1, nullptr, &x), "order is NULL");
  refused(l.fmi2SetRealInputDerivatives(i.c, &vx, 1, &order, &x), "vx is no continuous input");
  refused(l.fmi2SetRealInputDerivatives(i.c, &gear, 1, &order, &x), "gear is no continuous input");
  refused(l.fmi2SetRealInputDerivatives(i.c, &steer, 1, &order, &kNan), "expected a finite rate");
  for (const double h : {0.0, -0.01, kNan, kInf}) refused(i.step(0, h), "expected a step above 0 s");
  for (const double t : {0.5, -1.0, kNan}) refused(i.step(t, 0.01), "the time is 0 s");
  refused(l.fmi2GetFMUstate(i.c, nullptr), "FMUstate is NULL");
  refused(l.fmi2SetFMUstate(i.c, nullptr), "FMUstate is NULL");
  refused(l.fmi2SerializedFMUstateSize(i.c, nullptr, &size), "FMUstate is NULL");
  refused(l.fmi2DeSerializeFMUstate(i.c, nullptr, 10, &none), "serializedState is NULL");
  refused(l.fmi2DeSerializeFMUstate(i.c, "nothing", 7, &none), "cut, damaged, or none of VDSim");
  const auto whole = i.state();
  for (const std::size_t cut : {std::size_t(0), std::size_t(8), whole.size() / 2, whole.size() - 1}) {
    const std::vector<std::byte> part(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(cut));
    refused(cut ? i.restore(part) : l.fmi2DeSerializeFMUstate(i.c, "", 0, &none), "cut, damaged");
  }
  for (const std::size_t at : {std::size_t(0), std::size_t(20), whole.size() / 2, whole.size() - 1}) {
    auto flipped = whole;
    flipped[at] ^= std::byte{1};
    refused(i.restore(flipped), "cut, damaged");
  }
  refused(l.fmi2EnterEventMode(i.c), "of model exchange");
  refused(l.fmi2NewDiscreteStates(i.c, &info), "of model exchange");
  refused(l.fmi2GetDerivatives(i.c, &x, 1), "of model exchange");
  refused(l.fmi2GetDirectionalDerivative(i.c, &vx, 1, &steer, 1, &x, &x), "not there yet");
  refused(l.fmi2GetRealStatus(i.c, fmi2Terminated, &x), "fmi2LastSuccessfulTime");
  const char* categories[] = {"logNothing"};
  refused(l.fmi2SetDebugLogging(i.c, 1, 1, categories), "no log category");
  EXPECT_GE(count, 60);
  EXPECT_EQ(i.state(), alone.state());
  x = 2;  // taken by the setter, refused by the step: pedals go from 0 to 1
  ASSERT_EQ(l.fmi2SetReal(i.c, &brake, 1, &x), fmi2OK);
  refused(i.step(0, 0.01), "brake");
  x = 0;
  ASSERT_EQ(l.fmi2SetReal(i.c, &brake, 1, &x), fmi2OK);
  for (Instance2* each : {&i, &alone})
    for (int k = 0; k < 10; ++k) ASSERT_EQ(each->step(k * 0.01, 0.01), fmi2OK) << each->text();
  EXPECT_EQ(i.state(), alone.state());
}

// The bits of `vdsim run`, every scene, through FMI 3.0.
TEST(FmuDoor, EverySceneThroughFmi3ToTheBitsOfTheCommandLine) {
  each_car_of_every_scene([](const Scenario& scene, const std::string& car, const Rows& rows) {
    Request request = Exported::of(scene.id);
    request.version = 3, request.car = car;
    const Exported exported(request);
    const Unpacked fmu(exported.file);
    const Library3 library(fmu.library());
    Instance3 i(fmu, library);
    i.start();
    std::vector<std::pair<std::size_t, std::string>> compared;
    for (std::size_t k = 0; k < rows.names.size(); ++k)
      if (i.names.count(rows.names[k]) && i.names.at(rows.names[k]) >= 10) compared.emplace_back(k, rows.names[k]);
    EXPECT_GT(compared.size(), 8u);
    long done = 0;
    int seen = 0;
    for (const std::vector<double>& row : rows.rows) {
      if (std::fmod(row[0] + 1e-9, 0.05) > 2e-9) continue;
      for (; (static_cast<double>(done) + 0.5) * 0.01 < row[0]; ++done)
        ASSERT_EQ(i.step(static_cast<double>(done) * 0.01, 0.01), fmi3OK) << i.text();
      for (const auto& [k, name] : compared)
        ASSERT_TRUE(same_bits({i.get(name)[0] + 0.0}, {row[k] + 0.0})) << name << " at t = " << row[0];
      ++seen;
    }
    EXPECT_GT(seen, 10);
  });
}

}  // namespace
