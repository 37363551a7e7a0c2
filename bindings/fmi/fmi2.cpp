// SPDX-License-Identifier: Apache-2.0
#include "bindings/fmi/fmi2.hpp"

#include <new>

#include "bindings/fmi/door.hpp"

using namespace vdsim;
using namespace vdsim::fmi;

namespace {

struct Component {
  Component(const std::string& folder, const std::string& token, Kind use) : car(folder, token, use) {}
  Instance car;
  std::string name;
  fmi2CallbackFunctions callbacks{};
  LogSwitch log;
  double start = 0;
  bool discarded = false, told_of_inputs = false;
};

void say(const fmi2CallbackFunctions& to, const std::string& name, fmi2Status status, std::size_t category,
         const std::string& text) {
  if (to.logger) to.logger(to.componentEnvironment, name.c_str(), status, kCategories[category], "%s", text.c_str());
}
void say(const Component& c, fmi2Status status, std::size_t category, const std::string& text) {
  if (c.log.wants(category)) say(c.callbacks, c.name, status, category, text);
}

template <class F> fmi2Status call(fmi2Component p, const char* function, F&& f) noexcept {
  if (!p) return fmi2Error;
  const DefaultFloats floats;
  Component& c = *static_cast<Component*>(p);
  try {
    if constexpr (std::is_void_v<decltype(f(c))>) {
      f(c);
      return fmi2OK;
    } else {
      return f(c);
    }
  } catch (const std::exception& e) {
    try {
      tell(e, [&](const std::string& line) { say(c, fmi2Error, kStatusError, std::string(function) + ": " + line); });
    } catch (...) {  // no memory to say it
    }
  } catch (...) {
  }
  return fmi2Error;
}

fmi2Status not_there(fmi2Component p, const char* function, const char* why) {
  return call(p, function, [&](Component&) { throw Refused(why); });
}
constexpr const char* kDerivatives = "derivatives are not there yet";
constexpr const char* kAtOnce = "every step is done when fmi2DoStep returns";

template <class T>
fmi2Status get(fmi2Component p, const char* function, Type type, const fmi2ValueReference* vr, std::size_t n, T* out) {
  return call(p, function, [&](Component& c) {
    need_list(vr, n, "vr"), need_list(out, n, "value");
    const Type also = type == Type::integer ? Type::enumeration : type;
    for (std::size_t i = 0; i < n; ++i) out[i] = static_cast<T>(c.car.get(typed(c.car, vr[i], type, also)));
  });
}
template <class T> fmi2Status set(fmi2Component p, const char* function, Type type, const fmi2ValueReference* vr,
                                  std::size_t n, const T* in) {
  return call(p, function, [&](Component& c) {
    need_list(vr, n, "vr"), need_list(in, n, "value");
    const Type also = type == Type::integer ? Type::enumeration : type;
    for (std::size_t i = 0; i < n; ++i) {
      const Variable& v = typed(c.car, vr[i], type, also);
      c.car.set(v, static_cast<double>(in[i]));
      if (v.input < 0 || c.told_of_inputs || c.car.phase() != Phase::stepping || c.car.reads_inputs()) continue;
      c.told_of_inputs = true;
      say(c, fmi2Warning, kEvents, "control is internal: the driver of the scene drives, inputs are not read");
    }
  });
}

std::unique_ptr<Component> made(fmi2Type type, fmi2String guid, fmi2String resources) {
  const DefaultFloats floats;
  need(guid, "fmuGUID");
  return std::make_unique<Component>(folder_of_uri(resources), guid, type == fmi2ModelExchange ? Kind::me : Kind::cs);
}

}  // namespace

const char* fmi2GetTypesPlatform() { return "default"; }
const char* fmi2GetVersion() { return "2.0"; }

fmi2Component fmi2Instantiate(fmi2String name, fmi2Type type, fmi2String guid, fmi2String resources,
                              const fmi2CallbackFunctions* callbacks, fmi2Boolean /*visible*/, fmi2Boolean logging) {
  if (!callbacks) return nullptr;
  const std::string who = name ? name : "";
  try {
    if (who.empty()) throw Refused("the instance has no name");
    auto out = made(type, guid, resources);
    out->name = who, out->callbacks = *callbacks;
    if (logging) out->log = {true, true, true};
    return out.release();
  } catch (const std::exception& e) {
    try {
      tell(e,
           [&](const std::string& line) { say(*callbacks, who, fmi2Error, kStatusError, "fmi2Instantiate: " + line); });
    } catch (...) {  // no memory to say it
    }
  } catch (...) {
  }
  return nullptr;
}
void fmi2FreeInstance(fmi2Component p) { delete static_cast<Component*>(p); }

fmi2Status fmi2SetDebugLogging(fmi2Component p, fmi2Boolean on, std::size_t n, const fmi2String names[]) {
  return call(p, __func__, [&](Component& c) { c.log.set(on != 0, n, names); });
}
fmi2Status fmi2SetupExperiment(fmi2Component p, fmi2Boolean, fmi2Real, fmi2Real start, fmi2Boolean, fmi2Real) {
  return call(p, __func__, [&](Component& c) {
    if (c.car.phase() != Phase::instantiated) throw Refused("comes before the initialization");
    c.start = start;
  });
}
fmi2Status fmi2EnterInitializationMode(fmi2Component p) {
  return call(p, __func__, [&](Component& c) { c.car.enter_initialization(c.start); });
}
fmi2Status fmi2ExitInitializationMode(fmi2Component p) {
  return call(p, __func__, [&](Component& c) { c.car.exit_initialization(); });
}
fmi2Status fmi2Terminate(fmi2Component p) {
  return call(p, __func__, [&](Component& c) { c.car.terminate(); });
}
fmi2Status fmi2Reset(fmi2Component p) {
  return call(p, __func__, [&](Component& c) {
    c.car.reset();
    c.start = 0, c.discarded = c.told_of_inputs = false;
  });
}

fmi2Status fmi2GetReal(fmi2Component p, const fmi2ValueReference vr[], std::size_t n, fmi2Real out[]) {
  return get(p, __func__, Type::real, vr, n, out);
}
fmi2Status fmi2GetInteger(fmi2Component p, const fmi2ValueReference vr[], std::size_t n, fmi2Integer out[]) {
  return get(p, __func__, Type::integer, vr, n, out);
}
fmi2Status fmi2GetBoolean(fmi2Component p, const fmi2ValueReference vr[], std::size_t n, fmi2Boolean out[]) {
  return get(p, __func__, Type::boolean, vr, n, out);
}
fmi2Status fmi2SetReal(fmi2Component p, const fmi2ValueReference vr[], std::size_t n, const fmi2Real in[]) {
  return set(p, __func__, Type::real, vr, n, in);
}
fmi2Status fmi2SetInteger(fmi2Component p, const fmi2ValueReference vr[], std::size_t n, const fmi2Integer in[]) {
  return set(p, __func__, Type::integer, vr, n, in);
}
fmi2Status fmi2SetBoolean(fmi2Component p, const fmi2ValueReference vr[], std::size_t n, const fmi2Boolean in[]) {
  return set(p, __func__, Type::boolean, vr, n, in);
}
static fmi2Status no_texts(fmi2Component p, const char* function, std::size_t n) {
  return call(p, function, [&](Component&) {
    if (n > 0) throw Refused("this FMU has no variables of text");
  });
}
fmi2Status fmi2GetString(fmi2Component p, const fmi2ValueReference[], std::size_t n, fmi2String[]) {
  return no_texts(p, __func__, n);
}
fmi2Status fmi2SetString(fmi2Component p, const fmi2ValueReference[], std::size_t n, const fmi2String[]) {
  return no_texts(p, __func__, n);
}

fmi2Status fmi2GetFMUstate(fmi2Component p, fmi2FMUstate* out) {
  return call(p, __func__, [&](Component& c) {
    if (!need(out, "FMUstate")) *out = new SavedState;
    *static_cast<SavedState*>(*out) = c.car.save();
  });
}
fmi2Status fmi2SetFMUstate(fmi2Component p, fmi2FMUstate s) {
  return call(p, __func__, [&](Component& c) {
    c.car.restore(need(static_cast<SavedState*>(s), "FMUstate"));
    c.discarded = false;
  });
}
fmi2Status fmi2FreeFMUstate(fmi2Component p, fmi2FMUstate* s) {
  return call(p, __func__, [&](Component&) {
    if (!s) return;
    delete static_cast<SavedState*>(*s);
    *s = nullptr;
  });
}
fmi2Status fmi2SerializedFMUstateSize(fmi2Component p, fmi2FMUstate s, std::size_t* size) {
  return call(p, __func__, [&](Component& c) {
    need(size, "size") = c.car.bytes_of(need(static_cast<SavedState*>(s), "FMUstate")).size();
  });
}
fmi2Status fmi2SerializeFMUstate(fmi2Component p, fmi2FMUstate s, fmi2Byte out[], std::size_t size) {
  return call(p, __func__, [&](Component& c) {
    const std::vector<std::byte> bytes = c.car.bytes_of(need(static_cast<SavedState*>(s), "FMUstate"));
    if (size < bytes.size())
      throw Refused("there is room for " + std::to_string(size) + " bytes, " + std::to_string(bytes.size()) +
                    " are needed");
    std::memcpy(&need(out, "serializedState"), bytes.data(), bytes.size());
  });
}
fmi2Status fmi2DeSerializeFMUstate(fmi2Component p, const fmi2Byte in[], std::size_t size, fmi2FMUstate* out) {
  return call(p, __func__, [&](Component& c) {
    need(out, "FMUstate");
    const auto* bytes = reinterpret_cast<const std::byte*>(&need(in, "serializedState"));
    SavedState state = c.car.read_bytes({bytes, size});
    if (!*out) *out = new SavedState;
    *static_cast<SavedState*>(*out) = std::move(state);
  });
}

fmi2Status fmi2SetRealInputDerivatives(fmi2Component p, const fmi2ValueReference vr[], std::size_t n,
                                       const fmi2Integer order[], const fmi2Real value[]) {
  return call(p, __func__, [&](Component& c) {
    need_list(vr, n, "vr"), need_list(order, n, "order"), need_list(value, n, "value");
    for (std::size_t i = 0; i < n; ++i) {
      if (order[i] != 1) throw Refused("inputs are linear over a step: order 1, found " + std::to_string(order[i]));
      c.car.set_rate(c.car.at(vr[i]), value[i]);
    }
  });
}
fmi2Status fmi2DoStep(fmi2Component p, fmi2Real t, fmi2Real h, fmi2Boolean) {
  return call(p, __func__, [&](Component& c) {
    c.discarded = !c.car.step(t, h);
    if (!c.discarded) return fmi2OK;
    say(c, fmi2Discard, kStatusError,
        "fmi2DoStep: diverged after t = " + number_text(c.car.time()) + " s: " + c.car.why());
    return fmi2Discard;
  });
}
fmi2Status fmi2GetRealStatus(fmi2Component p, fmi2StatusKind kind, fmi2Real* out) {
  return call(p, __func__, [&](Component& c) {
    if (kind != fmi2LastSuccessfulTime) throw Refused("of the numbers there is fmi2LastSuccessfulTime");
    need(out, "value") = c.car.time();
  });
}
fmi2Status fmi2GetBooleanStatus(fmi2Component p, fmi2StatusKind kind, fmi2Boolean* out) {
  return call(p, __func__, [&](Component& c) {
    if (kind != fmi2Terminated) throw Refused("of the booleans there is fmi2Terminated");
    need(out, "value") = c.discarded;
  });
}

fmi2Status fmi2GetStatus(fmi2Component p, fmi2StatusKind, fmi2Status*) { return not_there(p, __func__, kAtOnce); }
fmi2Status fmi2GetIntegerStatus(fmi2Component p, fmi2StatusKind, fmi2Integer*) {
  return not_there(p, __func__, "there is no status that is an integer");
}
fmi2Status fmi2GetStringStatus(fmi2Component p, fmi2StatusKind, fmi2String*) { return not_there(p, __func__, kAtOnce); }
fmi2Status fmi2CancelStep(fmi2Component p) { return not_there(p, __func__, kAtOnce); }
fmi2Status fmi2GetDirectionalDerivative(fmi2Component p, const fmi2ValueReference[], std::size_t,
                                        const fmi2ValueReference[], std::size_t, const fmi2Real[], fmi2Real[]) {
  return not_there(p, __func__, kDerivatives);
}
fmi2Status fmi2GetRealOutputDerivatives(fmi2Component p, const fmi2ValueReference[], std::size_t, const fmi2Integer[],
                                        fmi2Real[]) {
  return not_there(p, __func__, kDerivatives);
}

// --- model exchange

fmi2Status fmi2EnterEventMode(fmi2Component p) {
  return call(p, __func__, [&](Component& c) { c.car.enter_events(); });
}
fmi2Status fmi2NewDiscreteStates(fmi2Component p, fmi2EventInfo* out) {
  return call(p, __func__, [&](Component& c) {
    need(out, "eventInfo");
    *out = {0, 0, 0, c.car.settle(), 0, 0};
  });
}
fmi2Status fmi2EnterContinuousTimeMode(fmi2Component p) {
  return call(p, __func__, [&](Component& c) { c.car.leave_events(); });
}
fmi2Status fmi2CompletedIntegratorStep(fmi2Component p, fmi2Boolean, fmi2Boolean* events, fmi2Boolean* end) {
  return call(p, __func__, [&](Component& c) {
    need(events, "enterEventMode"), need(end, "terminateSimulation");
    *events = c.car.exchange().accept();
    *end = 0;
  });
}
fmi2Status fmi2SetTime(fmi2Component p, fmi2Real t) {
  return call(p, __func__, [&](Component& c) { c.car.set_time(t); });
}
fmi2Status fmi2SetContinuousStates(fmi2Component p, const fmi2Real x[], std::size_t n) {
  return call(p, __func__, [&](Component& c) { set_states(c.car.exchange(), x, n); });
}
fmi2Status fmi2GetDerivatives(fmi2Component p, fmi2Real out[], std::size_t n) {
  return call(p, __func__, [&](Component& c) {
    if (c.car.exchange().rates(states_room(c.car.exchange(), out, n))) return fmi2OK;
    say(c, fmi2Discard, kStatusError, "fmi2GetDerivatives: a rate is not finite");
    return fmi2Discard;
  });
}
fmi2Status fmi2GetEventIndicators(fmi2Component p, fmi2Real out[], std::size_t n) {
  return call(p, __func__, [&](Component& c) { get_indicators(c.car.exchange(), out, n); });
}
fmi2Status fmi2GetContinuousStates(fmi2Component p, fmi2Real out[], std::size_t n) {
  return call(p, __func__, [&](Component& c) { c.car.exchange().get_states(states_room(c.car.exchange(), out, n)); });
}
fmi2Status fmi2GetNominalsOfContinuousStates(fmi2Component p, fmi2Real out[], std::size_t n) {
  return call(p, __func__, [&](Component& c) { get_nominals(c.car.exchange(), out, n); });
}
