// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cfenv>
#include <cmath>

#include "bindings/fmi/foreign.hpp"
#include "vdsim/engine/errors.hpp"

namespace vdsim::fmi {
namespace {

void keep(fmi3InstanceEnvironment to, fmi3Status status, fmi3String, fmi3String message) {
  if (to) static_cast<FmuLog*>(to)->add(status, message);
}

class CoSimulation3 : public CoSimulation {
 public:
  CoSimulation3(const Unpacked& fmu, const Library3& library, const std::string& name) : f_(library) {
    call([&] {
      c_ = f_.fmi3InstantiateCoSimulation(name.c_str(), fmu.attribute("instantiationToken").c_str(),
                                          fmu.resource_path().c_str(), false, true, false, false, nullptr, 0, &log_,
                                          keep, nullptr);
      return fmi3OK;
    });
    if (!c_) throw BadInput("does not start" + log_.last());
  }
  CoSimulation3(const CoSimulation3&) = delete;
  CoSimulation3& operator=(const CoSimulation3&) = delete;
  ~CoSimulation3() override {
    if (!c_ || fatal()) return;
    call([&] {
      if (started_ && !log_.failed()) f_.fmi3Terminate(c_);
      f_.fmi3FreeInstance(c_);
      return fmi3OK;
    });
  }

  void set(const Port& port, const double* values) override {
    const std::string what = "setting " + port.name;
    check_whole(port, values);
    const auto as = [&]<class T>(T, auto function) {
      T numbers[Port::kMost] = {};
      std::transform(values, values + port.count, numbers, [](double x) { return static_cast<T>(x); });
      return function ? call([&] { return function(c_, &port.vr, 1, numbers, port.count); }) : fmi3Error;
    };
#define VDSIM_SET(name, number) \
  if (port.type == #name) return log_.good(as(number{}, f_.fmi3Set##name), what.c_str());  // NOLINT
    VDSIM_FMI3_NUMBERS(VDSIM_SET)
    log_.good(as(std::int64_t{}, f_.fmi3SetInt64), what.c_str());  // Enumeration
  }
  void set_text(const Port& port, const std::string& value) override {
    const char* const text = value.c_str();
    if (!f_.fmi3SetString) throw FmuFailure("the library has no fmi3SetString");
    log_.good(call([&] { return f_.fmi3SetString(c_, &port.vr, 1, &text, 1); }), ("setting " + port.name).c_str());
  }
  void get(const Port& port, double* values) override {
    const std::string what = "reading " + port.name;
    const auto as = [&]<class T>(T, auto function) {
      T numbers[Port::kMost] = {};
      const fmi3Status out =
          function ? call([&] { return function(c_, &port.vr, 1, numbers, port.count); }) : fmi3Error;
      std::transform(numbers, numbers + port.count, values, [](T x) { return static_cast<double>(x); });
      return out;
    };
#define VDSIM_GET(name, number) \
  if (port.type == #name) return log_.good(as(number{}, f_.fmi3Get##name), what.c_str());  // NOLINT
    VDSIM_FMI3_NUMBERS(VDSIM_GET)
    log_.good(as(std::int64_t{}, f_.fmi3GetInt64), what.c_str());  // Enumeration
  }
  void initialize(double until, const std::function<void()>& set_inputs) override {
    log_.good(call([&] { return f_.fmi3EnterInitializationMode(c_, false, 0, 0, true, until); }),
              "fmi3EnterInitializationMode");
    set_inputs();
    log_.good(call([&] { return f_.fmi3ExitInitializationMode(c_); }), "fmi3ExitInitializationMode");
    started_ = true;
  }
  void step(double t, double h) override {
    bool event = false, end = false, early = false;
    double reached = t + h;
    log_.good(call([&] { return f_.fmi3DoStep(c_, t, h, true, &event, &end, &early, &reached); }), "fmi3DoStep");
    if (end) throw FmuFailure("it asks to end the run");
    if (early) throw FmuFailure("it returned early, which it was not allowed to");
  }

 private:
  template <class F> fmi3Status call(F&& f) const {
    std::fenv_t ours;
    std::fegetenv(&ours);
    const fmi3Status out = f();
    std::fesetenv(&ours);
    return out;
  }

  const Library3& f_;
  fmi3Instance c_ = nullptr;
  bool started_ = false;
};

}  // namespace

std::unique_ptr<CoSimulation> instantiate3(const Unpacked& fmu, const Library3& library, const std::string& name) {
  return std::make_unique<CoSimulation3>(fmu, library, name);
}

}  // namespace vdsim::fmi
