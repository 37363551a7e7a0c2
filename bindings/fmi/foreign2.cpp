// SPDX-License-Identifier: Apache-2.0
#include <cfenv>
#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>

#include "bindings/fmi/foreign.hpp"
#include "vdsim/engine/errors.hpp"

namespace vdsim::fmi {
namespace {

void keep(fmi2ComponentEnvironment to, fmi2String, fmi2Status status, fmi2String, fmi2String message, ...) {
  if (!to || !message) return;
  char text[1000];
  va_list more;
  va_start(more, message);
  std::vsnprintf(text, sizeof text, message, more);
  va_end(more);
  static_cast<FmuLog*>(to)->add(status, text);
}

class CoSimulation2 : public CoSimulation {
 public:
  CoSimulation2(const Unpacked& fmu, const Library2& library, const std::string& name) : f_(library) {
    call([&] {
      c_ = f_.fmi2Instantiate(name.c_str(), fmi2CoSimulation, fmu.attribute("guid").c_str(), fmu.resource_uri().c_str(),
                              &callbacks_, 0, 1);
      return fmi2OK;
    });
    if (!c_) throw BadInput("does not start" + log_.last());
    log_only_trouble(fmu);
  }
  CoSimulation2(const CoSimulation2&) = delete;
  CoSimulation2& operator=(const CoSimulation2&) = delete;
  ~CoSimulation2() override {
    if (!c_ || fatal()) return;
    call([&] {
      if (started_ && !log_.failed()) f_.fmi2Terminate(c_);
      f_.fmi2FreeInstance(c_);
      return fmi2OK;
    });
  }

  void set(const Port& port, const double* values) override {
    check_whole(port, values);
    const fmi2ValueReference vr = port.vr;
    const auto whole = static_cast<fmi2Integer>(*values);
    const fmi2Boolean flag = *values != 0;
    const std::string what = "setting " + port.name;
    log_.good(call([&] {
                if (port.holds == Port::Holds::number) return f_.fmi2SetReal(c_, &vr, 1, values);
                if (port.holds == Port::Holds::whole) return f_.fmi2SetInteger(c_, &vr, 1, &whole);
                return f_.fmi2SetBoolean(c_, &vr, 1, &flag);
              }),
              what.c_str());
  }
  void set_text(const Port& port, const std::string& value) override {
    const fmi2ValueReference vr = port.vr;
    const char* const text = value.c_str();
    if (!f_.fmi2SetString) throw FmuFailure("the library has no fmi2SetString");
    log_.good(call([&] { return f_.fmi2SetString(c_, &vr, 1, &text); }), ("setting " + port.name).c_str());
  }
  void get(const Port& port, double* values) override {
    const fmi2ValueReference vr = port.vr;
    fmi2Integer whole = 0;
    fmi2Boolean flag = 0;
    const std::string what = "reading " + port.name;
    log_.good(call([&] {
                if (port.holds == Port::Holds::number) return f_.fmi2GetReal(c_, &vr, 1, values);
                if (port.holds == Port::Holds::whole) return f_.fmi2GetInteger(c_, &vr, 1, &whole);
                return f_.fmi2GetBoolean(c_, &vr, 1, &flag);
              }),
              what.c_str());
    if (port.holds == Port::Holds::whole) *values = whole;
    if (port.holds == Port::Holds::flag) *values = flag != 0;
  }
  void initialize(double until, const std::function<void()>& set_inputs) override {
    log_.good(call([&] { return f_.fmi2SetupExperiment(c_, 0, 0, 0, 1, until); }), "fmi2SetupExperiment");
    log_.good(call([&] { return f_.fmi2EnterInitializationMode(c_); }), "fmi2EnterInitializationMode");
    set_inputs();
    log_.good(call([&] { return f_.fmi2ExitInitializationMode(c_); }), "fmi2ExitInitializationMode");
    started_ = true;
  }
  void step(double t, double h) override {
    log_.good(call([&] { return f_.fmi2DoStep(c_, t, h, 1); }), "fmi2DoStep");
  }

 private:
  template <class F> fmi2Status call(F&& f) const {
    std::fenv_t ours;
    std::fegetenv(&ours);
    const fmi2Status out = f();
    std::fesetenv(&ours);
    return out;
  }
  // It was told to log, or errors would have no reason; of what it can log, errors are enough.
  void log_only_trouble(const Unpacked& fmu) {
    std::vector<std::string> names;
    for (const auto category : fmu.root().child("LogCategories").children("Category"))
      if (const std::string name = category.attribute("name").as_string(); name.starts_with("logStatus"))
        names.push_back(name);
    std::vector<const char*> texts;
    for (const std::string& name : names) texts.push_back(name.c_str());
    if (f_.fmi2SetDebugLogging && !texts.empty())
      call([&] { return f_.fmi2SetDebugLogging(c_, 1, texts.size(), texts.data()); });
  }

  const Library2& f_;
  const fmi2CallbackFunctions callbacks_{keep, std::calloc, std::free, nullptr, &log_};
  fmi2Component c_ = nullptr;
  bool started_ = false;
};

}  // namespace

std::unique_ptr<CoSimulation> instantiate2(const Unpacked& fmu, const Library2& library, const std::string& name) {
  return std::make_unique<CoSimulation2>(fmu, library, name);
}

}  // namespace vdsim::fmi
