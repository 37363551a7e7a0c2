// SPDX-License-Identifier: Apache-2.0
// What FMI 2.0 and 3.0 share on the way in: log categories, checked arguments, no exception out.
#pragma once
#include <cstring>
#include <string>

#include "bindings/default_floats.hpp"
#include "bindings/fmi/instance.hpp"
#include "vdsim/engine/errors.hpp"

namespace vdsim::fmi {

constexpr const char* kCategories[] = {"logAll", "logEvents", "logStatusError"};
constexpr std::size_t kEvents = 1, kStatusError = 2;

struct LogSwitch {
  bool all = false, events = false, errors = true;  // errors: until the importer says otherwise
  bool wants(std::size_t category) const { return all || (category == kEvents ? events : errors); }
  // categories of fmiXSetDebugLogging; none = every one. Throws Refused.
  void set(bool on, std::size_t n, const char* const* names) {
    LogSwitch next = *this;
    if (n == 0) next = {on, on, on};
    for (std::size_t i = 0; i < n; ++i) {
      const std::string name = names && names[i] ? names[i] : "";
      bool* const places[] = {&next.all, &next.events, &next.errors};
      bool known = false;
      for (std::size_t k = 0; k < 3; ++k)
        if (name == kCategories[k]) *places[k] = on, known = true;
      if (!known) throw Refused("there is no log category '" + name.substr(0, 60) + "'");
    }
    *this = next;
  }
};

template <class T> T& need(T* p, const char* name) {
  if (!p) throw Refused(std::string(name) + " is NULL");
  return *p;
}
template <class T> void need_list(const T* p, std::size_t n, const char* name) {
  if (n > 0 && !p) throw Refused(std::string(name) + " is NULL");
}

constexpr const char* type_word(Type type) {
  switch (type) {
    case Type::real: return "a real number";
    case Type::integer: return "an integer";
    case Type::boolean: return "a boolean";
    case Type::enumeration: break;
  }
  return "an enumeration";
}
inline const Variable& typed(const Instance& car, std::uint32_t vr, Type type, Type also) {
  const Variable& v = car.at(vr);
  if (v.type != type && v.type != also)
    throw Refused(v.name + " is " + type_word(v.type) + ": use the functions of its type");
  return v;
}

// Arrays of model exchange: of the right length, or Refused.
inline std::span<double> room(double* p, std::size_t n, std::size_t is, const char* of) {
  if (n != is) throw Refused("there are " + std::to_string(is) + " " + of + ", found room for " + std::to_string(n));
  need_list(p, n, of);
  return {p, n};
}
inline std::span<double> states_room(const ExchangePlant& plant, double* p, std::size_t n) {
  return room(p, n, plant.state_count(), "continuous states");
}
void set_states(ExchangePlant&, const double* x, std::size_t n);
void get_indicators(ExchangePlant&, double* out, std::size_t n);
void get_nominals(const ExchangePlant&, double* out, std::size_t n);

// The folder behind file:///tmp/x%20y, file:/tmp/x or a plain path.
std::string folder_of_uri(const char* uri);

// Every line of what went wrong, for the log.
template <class Say> void tell(const std::exception& e, Say&& say) {
  if (const auto* bad = dynamic_cast<const BadInput*>(&e))
    for (const std::string& line : bad->lines) say(line);
  else
    say(e.what());
}

}  // namespace vdsim::fmi
