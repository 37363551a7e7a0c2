// SPDX-License-Identifier: Apache-2.0
// How every function of vdsim.h is made: arguments checked, floating point as the simulation needs it, no exception out.
#pragma once
#include <cstring>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "bindings/c/include/vdsim.h"
#include "bindings/default_floats.hpp"

namespace vdsim::c {

// The caller's mistake: status 5.
struct Misuse : std::logic_error {
  using std::logic_error::logic_error;
};

int told() noexcept;  // the status of the exception in flight; its lines become the error of this thread
int diverged(double t, const char* why);  // status 3, likewise
template <class F> int call(F&& f) noexcept {
  const DefaultFloats floats;
  try {
    if constexpr (std::is_void_v<decltype(f())>) {
      f();
      return VDSIM_OK;
    } else {
      return f();
    }
  } catch (...) {
    return told();
  }
}

template <class T> T& need(T* p, const char* name) {
  if (!p) throw Misuse(std::string(name) + " is NULL");
  return *p;
}

// A struct of the caller: its first `size` bytes, the rest as in `plain`.
template <class T> T taken(const T* in, const T& plain, const char* name) {
  const std::size_t size = need(in, name).size;
  if (size < 2 * sizeof(std::uint32_t) || size > sizeof(T))
    throw Misuse(std::string(name) + ".size is " + std::to_string(size) + ": expected sizeof, " +
                 std::to_string(sizeof(T)) + " in this version; use its INIT macro");
  T out = plain;
  std::memcpy(&out, in, size);
  return out;
}
// The other way: as many bytes as the caller's struct has; its size stays.
template <class T> void give(T from, T* out, const char* name) {
  const T checked = taken(out, from, name);
  from.size = checked.size;
  std::memcpy(out, &from, checked.size);
}

void put_text(const std::string&, char* buf, std::size_t cap, std::size_t* need);
// What `need` and `cap` mean, for anything that is counted.
void check_room(std::size_t needed, const void* buf, std::size_t cap, std::size_t* need, const char* what);

}  // namespace vdsim::c
