// SPDX-License-Identifier: Apache-2.0
// Model exchange against co-simulation of the same FMU.
#include <cmath>

#include "tests/fmi/exchange.hpp"
#if VDSIM_HAS_CVODE
#include "tests/fmi/cvode.hpp"
#endif

namespace {

Request both(const std::string& source, const std::vector<std::string>& sets = {}, int version = 2) {
  Request out = Exported::of(source);
  out.version = version, out.sets = sets;
  if (source == "step_steer") out.sets.push_back("powertrain.enabled=false");
  out.options.kind = Kind::both, out.options.control = Control::external, out.control_given = true;
  return out;
}

// The step steer of the scene of that name, at a held throttle.
double steer_at(double t) { return 0.0415 * std::clamp((t - 1) / 0.1, 0.0, 1.0); }
void step_steer(Equations& e, double t) { e.input("steer_angle_wheel", steer_at(t)); }
const std::vector<std::string> kPlaces{"x", "y", "psi", "vx", "vy", "r", "wheel.fy[1]", "wheel.omega[2]"};

std::vector<double> stepped(const Unpacked& fmu, const Library2& library, double until) {
  Instance2 i(fmu, library);
  i.set("throttle", 0.1);
  i.start();
  const auto vr = i.names.at("steer_angle_wheel");
  const int order = 1;
  for (int k = 0; k < std::lround(until / 0.001); ++k) {
    const double t = k * 0.001, rate = (steer_at(t + 0.001) - steer_at(t)) / 0.001;
    i.set("steer_angle_wheel", steer_at(t));
    EXPECT_EQ(library.fmi2SetRealInputDerivatives(i.c, &vr, 1, &order, &rate), fmi2OK);
    EXPECT_EQ(i.step(t, 0.001), fmi2OK) << i.text();
  }
  return i.outputs(kPlaces);
}
// Places over the way, everything else over itself. The rate of the steering, which co-simulation knows and model exchange does not,
// twists the patches while the wheels are turned: 2e-5 rad of heading.
void expect_near(const std::vector<double>& a, const std::vector<double>& b, double share) {
  const double way = std::hypot(b[0], b[1]);
  for (std::size_t k = 0; k < a.size(); ++k)
    EXPECT_NEAR(a[k], b[k], share * (k < 2 ? way : std::abs(b[k]))) << kPlaces[k];
}

// The states of both, in the order of their descriptions, and the rates of the first instant are the same bits in both versions.
TEST(Exchange, VersionsHaveTheSameBits) {
  for (const char* level : {"L1", "L2", "L3", "L5"}) {
    SCOPED_TRACE(level);
    const std::vector<std::string> sets{std::string("level=") + level};
    const Exported two(both("step_steer", sets)), three(both("step_steer", sets, 3));
    const Unpacked fmu2(two.file), fmu3(three.file);
    for (const Unpacked* fmu : {&fmu2, &fmu3})
      for (const std::string& line : check_fmu(*fmu)) ADD_FAILURE() << line;
    const Library2 l2(fmu2.library());
    const Library3 l3(fmu3.library());
    Exchange2 a(fmu2, l2, {{"throttle", 0.3}, {"steer_angle_wheel", 0.01}});
    Exchange3 b(fmu3, l3, {{"throttle", 0.3}, {"steer_angle_wheel", 0.01}});
    ASSERT_EQ(a.states, b.states);
    ASSERT_EQ(a.margins, b.margins);
    EXPECT_EQ(rk4(a, 0.05, 0.0005), rk4(b, 0.05, 0.0005));
    std::vector<double> ya(a.states), yb(a.states), da(a.states), db(a.states);
    a.get(ya.data()), b.get(yb.data());
    EXPECT_TRUE(same_bits(ya, yb));
    ASSERT_TRUE(a.rates(da.data()) && b.rates(db.data()));
    EXPECT_TRUE(same_bits(da, db));
    EXPECT_GT(std::abs(a.output("r")), 1e-3);
  }
}

// Every rate is the slope of its state: along a smooth motion, against differences of the states over time.
TEST(Exchange, RatesAreSlopesOfTheStates) {
  for (const char* level : {"L1", "L2", "L3", "L5"}) {
    SCOPED_TRACE(level);
    const Exported exported(both("step_steer", {std::string("level=") + level}));
    const Unpacked fmu(exported.file);
    const Library2 library(fmu.library());
    Exchange2 e(fmu, library, {{"throttle", 0.2}, {"steer_angle_wheel", 0.01}});
    const std::size_t n = e.states;
    std::vector<double> before(n), after(n), rate(n), size(n);
    rk4(e, 0.3, 0.0005);
    e.nominals(size.data());
    e.get(before.data());
    ASSERT_TRUE(e.rates(rate.data()));
    constexpr double h =
        1e-5;  // differences are off by h/2 of the second derivative, whose size is that of the first times 1e3/s
    for (std::size_t k = 0; k < n; ++k) after[k] = before[k] + h * rate[k];
    e.set(after.data());
    std::vector<double> later(n);
    ASSERT_TRUE(e.rates(later.data()));
    for (std::size_t k = 0; k < n; ++k)
      EXPECT_NEAR(later[k], rate[k], 0.02 * std::abs(rate[k]) + 10 * size[k] * h * 1e3) << "state " << k;
  }
}

TEST(Exchange, RungeKuttaOfFixedStepsGoesWhereCoSimulationGoes) {
  const Exported exported(both("step_steer"));
  const Unpacked fmu(exported.file);
  const Library2 library(fmu.library());
  const std::vector<double> want = stepped(fmu, library, 6);
  Exchange2 e(fmu, library, {{"throttle", 0.1}});
  e.drive = step_steer;
  EXPECT_EQ(rk4(e, 6, 0.0005), 0);
  expect_near(e.i.outputs(kPlaces), want, 1e-4);
  EXPECT_GT(std::abs(e.output("r")), 0.1);
}

// A state saved in continuous time goes on to the same bits.
TEST(Exchange, SavedStateGoesOn) {
  const Exported exported(both("step_steer", {"level=L3"}));
  const Unpacked fmu(exported.file);
  const Library2 library(fmu.library());
  Exchange2 a(fmu, library, {{"brake", 0.5}}), b(fmu, library);
  rk4(a, 0.2, 0.001);
  const auto half = a.i.state();
  rk4(a, 0.2, 0.001);
  ASSERT_EQ(b.i.restore(half), fmi2OK) << b.i.text();
  rk4(b, 0.2, 0.001);
  EXPECT_EQ(a.i.state(), b.i.state());
  Instance2 other(fmu, library);  // co-simulation
  EXPECT_EQ(other.restore(half), fmi2Error);
  EXPECT_NE(other.text().find("of another FMU"), std::string::npos) << other.text();
}

TEST(Exchange, ExportRefusesWhatActsInSteps) {
  const auto told = [](const Request& from, const std::string& why) {
    Request request = from;
    request.options.kind = Kind::me, request.libraries = VDSIM_FMU_LIBRARIES;
    try {
      make_fmu(catalog(), request);
      ADD_FAILURE() << "taken: " << why;
    } catch (const BadInput& e) {
      EXPECT_NE(std::string(e.what()).find(why), std::string::npos) << e.what();
    }
    request.options.kind = Kind::both, request.platforms = {"linux64"};
    const Made made = make_fmu(catalog(), request);
    EXPECT_EQ(made.kind, Kind::cs);
    ASSERT_FALSE(made.notes.empty());
    EXPECT_NE(made.notes[0].find(why), std::string::npos) << made.notes[0];
  };
  told(Exported::of("step_steer"), "control internal");
  told(both("engine_launch"), "powertrain");
  told(both("step_steer", {"tire.lugre.law=breakaway"}), "breakaway");
  told(Exported::of("tire.suv"), "the rig");
  Request request = both("step_steer");
  request.options.command_level = 6;
  told(request, "command level 6");
}

TEST(Exchange, MisuseIsRefusedAndSaysWhy) {
  Request request = both("step_steer");
  request.options.kind = Kind::me;
  const Exported only(request), exported(both("step_steer"));
  const Unpacked fmu_only(only.file), fmu(exported.file);
  const Library2 l(fmu.library()), l_only(fmu_only.library());
  EXPECT_FALSE(fmu_only.root().child("CoSimulation"));
  Instance2 none(fmu_only, l_only);
  EXPECT_FALSE(none.c);
  EXPECT_NE(none.text().find("for model exchange"), std::string::npos) << none.text();
  Instance2 cs(fmu, l), me(fmu, l, "car", false, fmi2ModelExchange);
  const auto refused = [](const Instance2& i, fmi2Status status, const std::string& why) {
    EXPECT_EQ(status, fmi2Error) << why;
    EXPECT_NE(i.text().find(why), std::string::npos) << i.text();
  };
  double x[100] = {};
  fmi2EventInfo info;
  refused(cs, l.fmi2SetTime(cs.c, 1), "this instance is for co-simulation");
  refused(me, l.fmi2SetTime(me.c, 1), "needs the initialization");
  me.start();
  refused(me, l.fmi2EnterEventMode(me.c), "comes in continuous-time mode");
  ASSERT_EQ(l.fmi2EnterContinuousTimeMode(me.c), fmi2OK);
  refused(me, l.fmi2NewDiscreteStates(me.c, &info), "comes in event mode");
  refused(me, me.step(0, 0.01), "of co-simulation");
  refused(me, l.fmi2GetDerivatives(me.c, x, 3), "continuous states, found room for 3");
  refused(me, l.fmi2GetEventIndicators(me.c, x, 99), "event indicators, found room for 99");
  refused(me, l.fmi2SetTime(me.c, NAN), "not finite");
  refused(me, me.set("mu", 0.5), "event mode");
  std::size_t n = 0;
  for (const auto d : fmu.root().child("ModelStructure").child("Derivatives").children()) n += d.type() != 0;
  std::vector<double> y(n, NAN);
  refused(me, l.fmi2SetContinuousStates(me.c, y.data(), n), "state.x is not finite");
  refused(me, l.fmi2SetContinuousStates(me.c, nullptr, n), "x is NULL");
  refused(me, l.fmi2GetContinuousStates(me.c, nullptr, n), "continuous states is NULL");
  Instance2 internal(fmu, l, "car", false, fmi2ModelExchange);
  ASSERT_EQ(internal.set_integer("control", 1), fmi2OK);
  ASSERT_EQ(l.fmi2EnterInitializationMode(internal.c), fmi2OK);
  refused(internal, l.fmi2ExitInitializationMode(internal.c), "control internal");
}

#if VDSIM_HAS_CVODE

TEST(Exchange, CvodeGoesWhereCoSimulationGoes) {
  for (const char* level : {"L1", "L2", "L3", "L5"}) {
    SCOPED_TRACE(level);
    const Exported exported(both("step_steer", {std::string("level=") + level}));
    const Unpacked fmu(exported.file);
    const Library2 library(fmu.library());
    const std::vector<double> want = stepped(fmu, library, 6);
    Exchange2 e(fmu, library, {{"throttle", 0.1}});
    e.drive = step_steer;
    Cvode cvode(e);
    for (const double kink : {1.0, 1.1, 6.0}) cvode.run(kink);
    EXPECT_LT(cvode.events, 5);
    expect_near(e.i.outputs(kPlaces), want, 1e-4);
    if (std::getenv("VDSIM_SHOW")) std::printf("%s: %d steps, %d events\n", level, cvode.steps, cvode.events);
  }
}

// Braked on a grade of 20 %: the bristles hold, for 60 s after the first 5 s, in which a car on springs settles.
TEST(Exchange, CvodeHoldsOnAGrade) {
  for (const char* level : {"L1", "L2", "L3", "L5"}) {
    SCOPED_TRACE(level);
    const Exported exported(both("step_steer", {std::string("level=") + level, "grade=0.2", "vx0=0"}));
    const Unpacked fmu(exported.file);
    const Library2 library(fmu.library());
    Exchange2 e(fmu, library, {{"brake", 0.6}});
    Cvode cvode(e);
    cvode.run(5);
    const double x = e.output("x");
    EXPECT_LT(std::abs(x), 1e-4);
    cvode.run(65);
    EXPECT_LT(std::abs(e.output("x") - x), 1e-6);
    EXPECT_LT(cvode.events, 100);
    EXPECT_EQ(e.output("wheel.held[1]"), 1);
    EXPECT_LT(e.output("ax"), 1e-3);
    if (std::getenv("VDSIM_SHOW"))
      std::printf("%s: moved %g m, %d steps, %d events\n", level, e.output("x") - x, cvode.steps, cvode.events);
  }
}

// Braked to a stop on the grade, held there; let go, it rolls back. Distances as in co-simulation.
TEST(Exchange, CvodeStopsHoldsAndRollsBack) {
  const Exported exported(both("step_steer", {"grade=0.2", "vx0=5"}));
  const Unpacked fmu(exported.file);
  const Library2 library(fmu.library());
  const auto brake = [](double t) { return t < 6 ? 0.5 : 0; };
  Instance2 i(fmu, library);
  i.set("brake", 0.5);
  i.start();
  double stop = 0;
  for (int k = 0; k < 8000; ++k) {
    if (k == 6000) stop = i.get("x");
    i.set("brake", brake(k * 0.001 + 1e-9));
    ASSERT_EQ(i.step(k * 0.001, 0.001), fmi2OK) << i.text();
  }
  Exchange2 e(fmu, library, {{"brake", 0.5}});
  Cvode cvode(e);
  cvode.run(3);
  const double stopped = e.output("x");
  EXPECT_EQ(e.output("wheel.held[1]"), 1);
  cvode.run(6);
  EXPECT_NEAR(e.output("x"), stopped, 1e-6);
  EXPECT_NEAR(e.output("x"), stop, 1e-3);
  e.input("brake", 0);
  e.event();
  cvode.run(8);
  EXPECT_NEAR(e.output("x"), i.get("x"), 2e-3);
  EXPECT_LT(e.output("x"), stopped - 1);
  EXPECT_LT(cvode.events, 100);
  if (std::getenv("VDSIM_SHOW"))
    std::printf("stop %g, %g; back %g, %g; %d steps, %d events\n", stopped, stop, e.output("x"), i.get("x"),
                cvode.steps, cvode.events);
}

#else

TEST(Exchange, LeftOutCvode) {
  GTEST_SKIP() << "left out: CVode, since there is no libsundials-dev (packages.txt, fmu)";
}

#endif

}  // namespace
