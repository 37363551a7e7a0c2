// SPDX-License-Identifier: Apache-2.0
#include "bindings/fmi/fmi3.hpp"

#include <new>

#include "bindings/fmi/door.hpp"

using namespace vdsim;
using namespace vdsim::fmi;

namespace {

// Who asked for an instance, and how.
struct Host {
  fmi3InstanceEnvironment environment = nullptr;
  fmi3LogMessageCallback log = nullptr;
  fmi3IntermediateUpdateCallback update = nullptr;
  bool event_mode = false, early_return = false;
  Kind use = Kind::cs;
};

struct Slave {
  Slave(const std::string& folder, const std::string& token, const Host& h) : car(folder, token, h.use), host(h) {}
  Instance car;
  Host host;
  LogSwitch log;
  bool in_event_mode = false, told_of_inputs = false;
  bool updating = false;         // the host looks at an internal step
  std::vector<double> discrete;  // at the end of the last internal step
};

void say(const Host& host, fmi3Status status, std::size_t category, const std::string& text) {
  if (host.log) host.log(host.environment, status, kCategories[category], text.c_str());
}
void say(const Slave& s, fmi3Status status, std::size_t category, const std::string& text) {
  if (s.log.wants(category)) say(s.host, status, category, text);
}

// kWithin: also while the host looks at an internal step.
template <bool kWithin = false, class F> fmi3Status call(fmi3Instance p, const char* function, F&& f) noexcept {
  if (!p) return fmi3Error;
  const DefaultFloats floats;
  Slave& s = *static_cast<Slave*>(p);
  try {
    if (s.updating && !kWithin) throw Refused("within a step values can be read and inputs set, nothing else");
    if constexpr (std::is_void_v<decltype(f(s))>) {
      f(s);
      return fmi3OK;
    } else {
      return f(s);
    }
  } catch (const std::exception& e) {
    try {
      tell(e, [&](const std::string& line) { say(s, fmi3Error, kStatusError, std::string(function) + ": " + line); });
    } catch (...) {  // no memory to say it
    }
  } catch (...) {
  }
  return fmi3Error;
}
fmi3Status not_there(fmi3Instance p, const char* function, const char* why) {
  return call(p, function, [&](Slave&) { throw Refused(why); });
}
constexpr const char* kDerivatives = "derivatives are not there yet";
constexpr const char* kClocks = "this FMU has no clocks";

// --- values

template <class T> constexpr bool holds(Type type) {
  if constexpr (std::is_same_v<T, double>) return type == Type::real;
  if constexpr (std::is_same_v<T, std::int32_t>) return type == Type::integer;
  if constexpr (std::is_same_v<T, std::int64_t>) return type == Type::enumeration;
  if constexpr (std::is_same_v<T, bool>) return type == Type::boolean;
  return false;
}
// An array is one variable here, its elements follow the first.
template <class T, class F>
void each_value(Slave& s, const fmi3ValueReference* vr, std::size_t n, std::size_t values, F&& f) {
  need_list(vr, n, "valueReferences");
  std::size_t k = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const Variable& first = s.car.at(vr[i]);
    if (first.index > 0) throw Refused(first.name + " is part of an array: ask for " + first.array);
    if (!holds<T>(first.type))
      throw Refused(first.name + " is " + type_word(first.type) + ": use the functions of its type");
    for (int e = 0; e < first.count; ++e, ++k) {
      if (k >= values) throw Refused("there are more values than nValues, " + std::to_string(values));
      f(*(&first + e), k);
    }
  }
  if (k != values) throw Refused("nValues is " + std::to_string(values) + ", expected " + std::to_string(k));
}
template <class T> fmi3Status get(fmi3Instance p, const char* function, const fmi3ValueReference* vr, std::size_t n,
                                  T* out, std::size_t values) {
  return call<true>(p, function, [&](Slave& s) {
    need_list(out, values, "values");
    each_value<T>(s, vr, n, values, [&](const Variable& v, std::size_t k) {
      if constexpr (std::is_arithmetic_v<T>) out[k] = static_cast<T>(s.car.get(v));
    });
  });
}
template <class T> fmi3Status set(fmi3Instance p, const char* function, const fmi3ValueReference* vr, std::size_t n,
                                  const T* in, std::size_t values) {
  return call<true>(p, function, [&](Slave& s) {
    need_list(in, values, "values");
    each_value<T>(s, vr, n, values, [&](const Variable& v, std::size_t k) {
      if (s.updating && (v.input < 0 || !v.in_steps())) throw Refused(v.name + " cannot be set within a step");
      if constexpr (std::is_arithmetic_v<T>) s.car.set(v, static_cast<double>(in[k]));
      if (v.input < 0 || s.told_of_inputs || s.car.phase() != Phase::stepping || s.car.reads_inputs()) return;
      s.told_of_inputs = true;
      say(s, fmi3Warning, kEvents, "control is internal: the driver of the scene drives, inputs are not read");
    });
  });
}

// --- instances and steps

fmi3Instance made(fmi3String name, fmi3String token, fmi3String resources, bool logging, const Host& host,
                  std::span<const fmi3ValueReference> looked_at = {}) {
  try {
    const DefaultFloats floats;
    if (!name || !*name) throw Refused("the instance has no name");
    need(token, "instantiationToken");
    auto out = std::make_unique<Slave>(folder_of_uri(resources), token, host);
    if (logging) out->log = {true, true, true};
    for (const fmi3ValueReference vr : looked_at)
      if (const Variable& v = out->car.at(vr); !v.in_steps()) throw Refused(v.name + " has no values within a step");
    return out.release();
  } catch (const std::exception& e) {
    try {
      tell(e, [&](const std::string& line) { say(host, fmi3Error, kStatusError, "fmi3Instantiate: " + line); });
    } catch (...) {  // no memory to say it
    }
  } catch (...) {
  }
  return nullptr;
}

// True where a discrete output, such as a gear or a wheel that is held, has another value than before.
bool event(Slave& s) {
  if (!s.host.event_mode) return false;
  bool out = false;
  std::size_t k = 0;
  for (const Variable& v : s.car.variables()) {
    if (v.column < 0 || v.variability != Variability::discrete) continue;
    const double now = s.car.get(v);
    if (k == s.discrete.size()) s.discrete.push_back(now);
    out = out || s.discrete[k] != now;
    s.discrete[k++] = now;
  }
  return out;
}

// After an internal step: the host looks at it, may set inputs, which act from there on, and may end the step there.
bool intermediate(Slave& s) {
  if (!s.host.update) return false;
  bool ask = false;
  double at = s.car.time();
  s.updating = true;
  s.host.update(s.host.environment, s.car.time(), s.car.reads_inputs(), true, true, s.host.early_return, &ask, &at);
  s.updating = false;
  return s.host.early_return && ask && s.car.time() >= at - 1e-9;
}

}  // namespace

const char* fmi3GetVersion() { return "3.0"; }

// budget: the standard has so many
fmi3Instance fmi3InstantiateCoSimulation(fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean,
                                         fmi3Boolean logging, fmi3Boolean event_mode, fmi3Boolean early_return,
                                         const fmi3ValueReference looked_at[], std::size_t n,
                                         fmi3InstanceEnvironment environment, fmi3LogMessageCallback log,
                                         fmi3IntermediateUpdateCallback update) {
  return made(name, token, resources, logging, {environment, log, update, event_mode, early_return, Kind::cs},
              {looked_at, looked_at ? n : 0});
}
fmi3Instance fmi3InstantiateModelExchange(fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean,
                                          fmi3Boolean logging, fmi3InstanceEnvironment environment,
                                          fmi3LogMessageCallback log) {
  return made(name, token, resources, logging, {environment, log, nullptr, false, false, Kind::me});
}
// budget: the standard has so many
fmi3Instance fmi3InstantiateScheduledExecution(fmi3String, fmi3String, fmi3String, fmi3Boolean, fmi3Boolean,
                                               fmi3InstanceEnvironment environment, fmi3LogMessageCallback log,
                                               fmi3ClockUpdateCallback, fmi3LockPreemptionCallback,
                                               fmi3UnlockPreemptionCallback) {
  say({environment, log}, fmi3Error, kStatusError, "scheduled execution is not there");
  return nullptr;
}
void fmi3FreeInstance(fmi3Instance p) { delete static_cast<Slave*>(p); }

fmi3Status fmi3SetDebugLogging(fmi3Instance p, fmi3Boolean on, std::size_t n, const fmi3String names[]) {
  return call(p, __func__, [&](Slave& s) { s.log.set(on, n, names); });
}
fmi3Status fmi3EnterInitializationMode(fmi3Instance p, fmi3Boolean, fmi3Float64, fmi3Float64 start, fmi3Boolean,
                                       fmi3Float64) {
  return call(p, __func__, [&](Slave& s) { s.car.enter_initialization(start); });
}
fmi3Status fmi3ExitInitializationMode(fmi3Instance p) {
  return call(p, __func__, [&](Slave& s) {
    s.car.exit_initialization();
    s.in_event_mode = s.host.event_mode;
    event(s);
  });
}
fmi3Status fmi3EnterEventMode(fmi3Instance p) {
  return call(p, __func__, [&](Slave& s) {
    if (s.host.use == Kind::me) return s.car.enter_events();
    if (!s.host.event_mode) throw Refused("the instance was made without event mode");
    if (s.car.phase() != Phase::stepping || s.in_event_mode) throw Refused("comes between two steps");
    s.in_event_mode = true;
  });
}
fmi3Status fmi3UpdateDiscreteStates(fmi3Instance p, fmi3Boolean* again, fmi3Boolean* end, fmi3Boolean* nominals,
                                    fmi3Boolean* states, fmi3Boolean* next_defined, fmi3Float64* next) {
  return call(p, __func__, [&](Slave& s) {
    if (s.host.use == Kind::cs && !s.in_event_mode) throw Refused("comes in event mode");
    const bool changed = s.host.use == Kind::me && s.car.settle();
    const auto no = [](bool* to) {
      if (to) *to = false;
    };
    no(again), no(end), no(nominals), no(states), no(next_defined);
    if (states) *states = changed;
    if (next) *next = 0;
  });
}
fmi3Status fmi3EnterStepMode(fmi3Instance p) {
  return call(p, __func__, [&](Slave& s) {
    if (!s.in_event_mode) throw Refused("comes in event mode");
    s.in_event_mode = false;
  });
}
fmi3Status fmi3Terminate(fmi3Instance p) {
  return call(p, __func__, [&](Slave& s) { s.car.terminate(); });
}
fmi3Status fmi3Reset(fmi3Instance p) {
  return call(p, __func__, [&](Slave& s) {
    s.car.reset();
    s.in_event_mode = s.told_of_inputs = false;
    s.discrete.clear();
  });
}
// budget: the standard has so many
fmi3Status fmi3DoStep(fmi3Instance p, fmi3Float64 t, fmi3Float64 h, fmi3Boolean, fmi3Boolean* event_needed,
                      fmi3Boolean* terminate, fmi3Boolean* early, fmi3Float64* reached) {
  return call(p, __func__, [&](Slave& s) {
    if (s.in_event_mode) throw Refused("the instance is in event mode");
    bool happened = false, ended = false;
    const auto between = [&] {
      const bool asked = intermediate(s);
      happened = event(s) || happened;
      ended = asked || (happened && s.host.early_return);
      return ended;
    };
    const bool whole = s.host.update || s.host.event_mode ? s.car.step(t, h, between) : s.car.step(t, h);
    need(event_needed, "eventHandlingNeeded") = happened;
    need(terminate, "terminateSimulation") = !whole;
    need(reached, "lastSuccessfulTime") = s.car.time();
    need(early, "earlyReturn") = !whole || (ended && s.car.time() < t + h - 1e-9);
    if (whole) return fmi3OK;
    say(s, fmi3Discard, kStatusError,
        "fmi3DoStep: diverged after t = " + number_text(s.car.time()) + " s: " + s.car.why());
    return fmi3Discard;
  });
}

#define VDSIM_VALUES(name, type)                                                                                      \
  fmi3Status fmi3Get##name(fmi3Instance p, const fmi3ValueReference vr[], std::size_t n, type out[], std::size_t m) { \
    return get(p, __func__, vr, n, out, m);                                                                           \
  }                                                                                                                   \
  fmi3Status fmi3Set##name(fmi3Instance p, const fmi3ValueReference vr[], std::size_t n, type const in[],             \
                           std::size_t m) {                                                                           \
    return set(p, __func__, vr, n, in, m);                                                                            \
  }
VDSIM_FMI3_TYPES(VDSIM_VALUES)

fmi3Status fmi3GetFMUState(fmi3Instance p, fmi3FMUState* out) {
  return call(p, __func__, [&](Slave& s) {
    if (!need(out, "FMUState")) *out = new SavedState;
    *static_cast<SavedState*>(*out) = s.car.save();
  });
}
fmi3Status fmi3SetFMUState(fmi3Instance p, fmi3FMUState from) {
  return call(p, __func__, [&](Slave& s) {
    s.car.restore(need(static_cast<SavedState*>(from), "FMUState"));
    s.in_event_mode = false;
    s.discrete.clear();
    if (s.car.phase() == Phase::stepping) event(s);
  });
}
fmi3Status fmi3FreeFMUState(fmi3Instance p, fmi3FMUState* state) {
  return call(p, __func__, [&](Slave&) {
    if (!state) return;
    delete static_cast<SavedState*>(*state);
    *state = nullptr;
  });
}
fmi3Status fmi3SerializedFMUStateSize(fmi3Instance p, fmi3FMUState state, std::size_t* size) {
  return call(p, __func__, [&](Slave& s) {
    need(size, "size") = s.car.bytes_of(need(static_cast<SavedState*>(state), "FMUState")).size();
  });
}
fmi3Status fmi3SerializeFMUState(fmi3Instance p, fmi3FMUState state, fmi3Byte out[], std::size_t size) {
  return call(p, __func__, [&](Slave& s) {
    const std::vector<std::byte> bytes = s.car.bytes_of(need(static_cast<SavedState*>(state), "FMUState"));
    if (size < bytes.size())
      throw Refused("there is room for " + std::to_string(size) + " bytes, " + std::to_string(bytes.size()) +
                    " are needed");
    std::memcpy(&need(out, "serializedState"), bytes.data(), bytes.size());
  });
}
fmi3Status fmi3DeserializeFMUState(fmi3Instance p, const fmi3Byte in[], std::size_t size, fmi3FMUState* out) {
  return call(p, __func__, [&](Slave& s) {
    need(out, "FMUState");
    SavedState state = s.car.read_bytes({reinterpret_cast<const std::byte*>(&need(in, "serializedState")), size});
    if (!*out) *out = new SavedState;
    *static_cast<SavedState*>(*out) = std::move(state);
  });
}

// --- what this FMU says it does not have

#define VDSIM_REFUSED(name, arguments, why) \
  fmi3Status name arguments { return not_there(p, __func__, why); }
using Refs = const fmi3ValueReference[];
using Size = std::size_t;
VDSIM_REFUSED(fmi3GetBinary, (fmi3Instance p, Refs, Size, Size[], fmi3Binary[], Size), "this FMU has no binaries")
VDSIM_REFUSED(fmi3SetBinary, (fmi3Instance p, Refs, Size, const Size[], const fmi3Binary[], Size),
              "this FMU has no binaries")
VDSIM_REFUSED(fmi3GetClock, (fmi3Instance p, Refs, Size, fmi3Clock[]), kClocks)
VDSIM_REFUSED(fmi3SetClock, (fmi3Instance p, Refs, Size, const fmi3Clock[]), kClocks)
VDSIM_REFUSED(fmi3GetIntervalDecimal, (fmi3Instance p, Refs, Size, fmi3Float64[], fmi3IntervalQualifier[]), kClocks)
VDSIM_REFUSED(fmi3GetIntervalFraction,
              (fmi3Instance p, Refs, Size, std::uint64_t[], std::uint64_t[], fmi3IntervalQualifier[]), kClocks)
VDSIM_REFUSED(fmi3GetShiftDecimal, (fmi3Instance p, Refs, Size, fmi3Float64[]), kClocks)
VDSIM_REFUSED(fmi3GetShiftFraction, (fmi3Instance p, Refs, Size, std::uint64_t[], std::uint64_t[]), kClocks)
VDSIM_REFUSED(fmi3SetIntervalDecimal, (fmi3Instance p, Refs, Size, const fmi3Float64[]), kClocks)
VDSIM_REFUSED(fmi3SetIntervalFraction, (fmi3Instance p, Refs, Size, const std::uint64_t[], const std::uint64_t[]),
              kClocks)
VDSIM_REFUSED(fmi3SetShiftDecimal, (fmi3Instance p, Refs, Size, const fmi3Float64[]), kClocks)
VDSIM_REFUSED(fmi3SetShiftFraction, (fmi3Instance p, Refs, Size, const std::uint64_t[], const std::uint64_t[]), kClocks)
VDSIM_REFUSED(fmi3ActivateModelPartition, (fmi3Instance p, fmi3ValueReference, fmi3Float64), kClocks)
VDSIM_REFUSED(fmi3GetNumberOfVariableDependencies, (fmi3Instance p, fmi3ValueReference, Size*),
              "dependencies of single elements are not provided")
VDSIM_REFUSED(fmi3GetVariableDependencies,
              (fmi3Instance p, fmi3ValueReference, Size[], fmi3ValueReference[], Size[], fmi3DependencyKind[], Size),
              "dependencies of single elements are not provided")
// budget: the standard has so many
VDSIM_REFUSED(fmi3GetDirectionalDerivative,
              (fmi3Instance p, Refs, Size, Refs, Size, const fmi3Float64[], Size, fmi3Float64[], Size), kDerivatives)
// budget: the standard has so many
VDSIM_REFUSED(fmi3GetAdjointDerivative,
              (fmi3Instance p, Refs, Size, Refs, Size, const fmi3Float64[], Size, fmi3Float64[], Size), kDerivatives)
VDSIM_REFUSED(fmi3GetOutputDerivatives, (fmi3Instance p, Refs, Size, const std::int32_t[], fmi3Float64[], Size),
              kDerivatives)
VDSIM_REFUSED(fmi3EnterConfigurationMode, (fmi3Instance p), "this FMU has no structural parameters")
VDSIM_REFUSED(fmi3ExitConfigurationMode, (fmi3Instance p), "this FMU has no structural parameters")
VDSIM_REFUSED(fmi3EvaluateDiscreteStates, (fmi3Instance p), "this FMU does not provide it")

// --- model exchange

fmi3Status fmi3EnterContinuousTimeMode(fmi3Instance p) {
  return call(p, __func__, [&](Slave& s) { s.car.leave_events(); });
}
fmi3Status fmi3CompletedIntegratorStep(fmi3Instance p, fmi3Boolean, fmi3Boolean* events, fmi3Boolean* end) {
  return call(p, __func__, [&](Slave& s) {
    need(events, "enterEventMode"), need(end, "terminateSimulation");
    *events = s.car.exchange().accept();
    *end = false;
  });
}
fmi3Status fmi3SetTime(fmi3Instance p, fmi3Float64 t) {
  return call(p, __func__, [&](Slave& s) { s.car.set_time(t); });
}
fmi3Status fmi3SetContinuousStates(fmi3Instance p, const fmi3Float64 x[], Size n) {
  return call(p, __func__, [&](Slave& s) { set_states(s.car.exchange(), x, n); });
}
fmi3Status fmi3GetContinuousStateDerivatives(fmi3Instance p, fmi3Float64 out[], Size n) {
  return call(p, __func__, [&](Slave& s) {
    if (s.car.exchange().rates(states_room(s.car.exchange(), out, n))) return fmi3OK;
    say(s, fmi3Discard, kStatusError, "fmi3GetContinuousStateDerivatives: a rate is not finite");
    return fmi3Discard;
  });
}
fmi3Status fmi3GetEventIndicators(fmi3Instance p, fmi3Float64 out[], Size n) {
  return call(p, __func__, [&](Slave& s) { get_indicators(s.car.exchange(), out, n); });
}
fmi3Status fmi3GetContinuousStates(fmi3Instance p, fmi3Float64 out[], Size n) {
  return call(p, __func__, [&](Slave& s) { s.car.exchange().get_states(states_room(s.car.exchange(), out, n)); });
}
fmi3Status fmi3GetNominalsOfContinuousStates(fmi3Instance p, fmi3Float64 out[], Size n) {
  return call(p, __func__, [&](Slave& s) { get_nominals(s.car.exchange(), out, n); });
}
fmi3Status fmi3GetNumberOfEventIndicators(fmi3Instance p, Size* n) {
  return call(p, __func__, [&](Slave& s) { need(n, "nEventIndicators") = s.car.exchange().indicator_count(); });
}
fmi3Status fmi3GetNumberOfContinuousStates(fmi3Instance p, Size* n) {
  return call(p, __func__, [&](Slave& s) { need(n, "nContinuousStates") = s.car.exchange().state_count(); });
}
