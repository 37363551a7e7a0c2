// SPDX-License-Identifier: Apache-2.0
// Model exchange as an importer does it: an instance of either version behind the same few functions, and an RK4 of fixed steps.
#pragma once
#include "tests/fmi/fmus3.hpp"

// What an integrator sees of an instance.
class Equations {
 public:
  virtual ~Equations() = default;
  virtual void time(double t) = 0;
  virtual void set(const double* y) = 0;
  virtual void get(double* y) = 0;
  virtual bool rates(double* out) = 0;  // false: try a smaller step
  virtual void indicators(double* out) = 0;
  virtual void nominals(double* out) = 0;
  virtual bool completed() = 0;  // an event is due
  virtual void event() = 0;      // event mode and back; the states may have changed
  virtual void input(const std::string& name, double value) = 0;
  virtual double output(const std::string& name) = 0;
  std::size_t states = 0, margins = 0;
  std::function<void(Equations&, double t)> drive = [](Equations&, double) {};
};

class Exchange2 : public Equations {
 public:
  Exchange2(const Unpacked& fmu, const Library2& library, const std::map<std::string, double>& first = {})
      : i(fmu, library, "car", false, fmi2ModelExchange), f(library) {
    EXPECT_TRUE(i.c) << i.text();
    if (!i.c) return;
    for (const auto& [name, value] : first) EXPECT_EQ(i.set(name, value), fmi2OK) << i.text();
    i.start();
    for (const auto d : fmu.root().child("ModelStructure").child("Derivatives").children()) states += d.type() != 0;
    margins = fmu.root().attribute("numberOfEventIndicators").as_uint();
    settle();
  }
  void time(double t) override { EXPECT_EQ(f.fmi2SetTime(i.c, t), fmi2OK) << i.text(); }
  void set(const double* y) override { EXPECT_EQ(f.fmi2SetContinuousStates(i.c, y, states), fmi2OK) << i.text(); }
  void get(double* y) override { EXPECT_EQ(f.fmi2GetContinuousStates(i.c, y, states), fmi2OK) << i.text(); }
  bool rates(double* out) override { return f.fmi2GetDerivatives(i.c, out, states) == fmi2OK; }
  void indicators(double* out) override { EXPECT_EQ(f.fmi2GetEventIndicators(i.c, out, margins), fmi2OK) << i.text(); }
  void nominals(double* out) override { EXPECT_EQ(f.fmi2GetNominalsOfContinuousStates(i.c, out, states), fmi2OK); }
  bool completed() override {
    fmi2Boolean due = 0, end = 0;
    EXPECT_EQ(f.fmi2CompletedIntegratorStep(i.c, 1, &due, &end), fmi2OK) << i.text();
    return due != 0;
  }
  void event() override {
    EXPECT_EQ(f.fmi2EnterEventMode(i.c), fmi2OK) << i.text();
    settle();
  }
  void input(const std::string& name, double value) override { EXPECT_EQ(i.set(name, value), fmi2OK) << i.text(); }
  double output(const std::string& name) override { return i.get(name); }
  Instance2 i;

 private:
  void settle() {
    fmi2EventInfo info{1, 0, 0, 0, 0, 0};
    for (int k = 0; k < 10 && info.newDiscreteStatesNeeded; ++k)
      ASSERT_EQ(f.fmi2NewDiscreteStates(i.c, &info), fmi2OK) << i.text();
    ASSERT_EQ(f.fmi2EnterContinuousTimeMode(i.c), fmi2OK) << i.text();
  }
  const Library2& f;
};

class Exchange3 : public Equations {
 public:
  Exchange3(const Unpacked& fmu, const Library3& library, const std::map<std::string, double>& first = {})
      : i(fmu, library, fmi2ModelExchange), f(library) {
    EXPECT_TRUE(i.c) << i.text();
    if (!i.c) return;
    for (const auto& [name, value] : first) input(name, value);
    i.start();
    EXPECT_EQ(f.fmi3GetNumberOfContinuousStates(i.c, &states), fmi3OK);
    EXPECT_EQ(f.fmi3GetNumberOfEventIndicators(i.c, &margins), fmi3OK);
    settle();
  }
  void time(double t) override { EXPECT_EQ(f.fmi3SetTime(i.c, t), fmi3OK) << i.text(); }
  void set(const double* y) override { EXPECT_EQ(f.fmi3SetContinuousStates(i.c, y, states), fmi3OK) << i.text(); }
  void get(double* y) override { EXPECT_EQ(f.fmi3GetContinuousStates(i.c, y, states), fmi3OK) << i.text(); }
  bool rates(double* out) override { return f.fmi3GetContinuousStateDerivatives(i.c, out, states) == fmi3OK; }
  void indicators(double* out) override { EXPECT_EQ(f.fmi3GetEventIndicators(i.c, out, margins), fmi3OK) << i.text(); }
  void nominals(double* out) override { EXPECT_EQ(f.fmi3GetNominalsOfContinuousStates(i.c, out, states), fmi3OK); }
  bool completed() override {
    bool due = false, end = false;
    EXPECT_EQ(f.fmi3CompletedIntegratorStep(i.c, true, &due, &end), fmi3OK) << i.text();
    return due;
  }
  void event() override {
    EXPECT_EQ(f.fmi3EnterEventMode(i.c), fmi3OK) << i.text();
    settle();
  }
  void input(const std::string& name, double value) override {
    const fmi3ValueReference vr = i.names.at(name);
    EXPECT_EQ(f.fmi3SetFloat64(i.c, &vr, 1, &value, 1), fmi3OK) << i.text();
  }
  double output(const std::string& name) override { return i.get(name)[0]; }
  Instance3 i;

 private:
  void settle() {
    bool again = true, end = false, nominals_changed = false, changed = false, defined = false;
    double next = 0;
    for (int k = 0; k < 10 && again; ++k)
      ASSERT_EQ(f.fmi3UpdateDiscreteStates(i.c, &again, &end, &nominals_changed, &changed, &defined, &next), fmi3OK);
    ASSERT_EQ(f.fmi3EnterContinuousTimeMode(i.c), fmi3OK) << i.text();
  }
  const Library3& f;
};

// Fixed steps; an indicator that crosses zero is an event at the end of its step. Returns the number of events.
inline int rk4(Equations& e, double until, double h) {
  const std::size_t n = e.states;
  std::vector<double> y(n), at(n), k[4], before(e.margins), now(e.margins);
  for (auto& each : k) each.resize(n);
  int events = 0;
  e.get(y.data());
  const long steps = std::lround(until / h);
  for (long s = 0; s < steps; ++s) {
    const double t = static_cast<double>(s) * h, share[4] = {0, 0.5, 0.5, 1};
    e.indicators(before.data());
    for (int stage = 0; stage < 4; ++stage) {
      for (std::size_t j = 0; j < n; ++j) at[j] = y[j] + (stage ? h * share[stage] * k[stage - 1][j] : 0);
      e.time(t + share[stage] * h), e.drive(e, t + share[stage] * h), e.set(at.data());
      EXPECT_TRUE(e.rates(k[stage].data()));
    }
    for (std::size_t j = 0; j < n; ++j) y[j] += h / 6 * (k[0][j] + 2 * (k[1][j] + k[2][j]) + k[3][j]);
    e.time(t + h), e.drive(e, t + h), e.set(y.data());
    e.indicators(now.data());
    bool due = e.completed();
    for (std::size_t j = 0; j < e.margins; ++j) due = due || (before[j] > 0) != (now[j] > 0);
    if (!due) continue;
    ++events;
    e.event();
    e.get(y.data());
  }
  return events;
}
