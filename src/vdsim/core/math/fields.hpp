// SPDX-License-Identifier: Apache-2.0
// What a field table is made of: ranges, names of enums, paths of files, and the count that proves a table complete.
// The tables of specs stand in engine/tables; those of states beside their structs:
//
//   struct ClutchState {
//     R slip;
//     static constexpr auto fields() { return std::tuple{field("slip", &ClutchState::slip, "rad/s", any_finite(), "...")}; }
//   };
//   VD_COMPLETE(ClutchState<double>);     // the list names every member, or it does not compile
#pragma once
#include <array>
#include <cstddef>
#include <limits>
#include <tuple>
#include <type_traits>
#include <utility>

namespace vdsim {

struct Range {
  double lo, hi;
  bool lo_open, hi_open;  // open: the bound itself is refused
  constexpr bool holds(double x) const { return (lo_open ? x > lo : x >= lo) && (hi_open ? x < hi : x <= hi); }
};
inline constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr Range any_finite() { return {-kInf, kInf, true, true}; }
constexpr Range at_least(double lo) { return {lo, kInf, false, true}; }
constexpr Range above(double lo) { return {lo, kInf, true, true}; }
constexpr Range between(double lo, double hi) { return {lo, hi, false, false}; }

template <class S, class T> struct Field {
  using type = T;
  const char* name;
  T S::*member;
  const char* unit;
  Range range;
  const char* meaning;
};
template <class S, class T>
constexpr Field<S, T> field(const char* name, T S::*member, const char* unit, Range range, const char* meaning) {
  return {name, member, unit, range, meaning};
}
// switches, enums and nested blocks have no unit and no range
template <class S, class T> constexpr Field<S, T> field(const char* name, T S::*member, const char* meaning) {
  return {name, member, "", any_finite(), meaning};
}

// The path of a file in a spec: plain memory, so that a spec stays a plain struct. Longer paths are refused on reading.
struct PathText {
  static constexpr int kMost = 1000;
  char text[kMost + 1] = {};
  constexpr PathText() = default;
  constexpr PathText(const char* from) {
    for (int i = 0; i < kMost && from[i]; ++i) text[i] = from[i];
  }
  constexpr bool empty() const { return text[0] == 0; }
};

// An enum that users write by name specialises this: `static constexpr std::array names{"rk4", ...}` in enumerator order.
template <class E> struct EnumNames;

template <class T>
concept HasFields = requires {
  T::fields();
};
template <class S, class F> constexpr void for_each_field(F&& f) {
  std::apply([&](const auto&... each) { (f(each), ...); }, S::fields());
}

// Number of members of an aggregate: the largest n for which S{any, any, ... n times} compiles.
struct AnyMember {
  template <class T> constexpr operator T() const noexcept;
};
template <class S, std::size_t... I> constexpr bool braces_take(std::index_sequence<I...>) {
  return requires { S{(static_cast<void>(I), AnyMember{})...}; };
}
template <class S, std::size_t N = 0> constexpr std::size_t member_count() {
  if constexpr (braces_take<S>(std::make_index_sequence<N + 1>{}))
    return member_count<S, N + 1>();
  else
    return N;
}
#define VD_COMPLETE(S) VD_COMPLETE_BUT(S, 0)
// n members stand outside the list, for a reason given at their declaration
#define VD_COMPLETE_BUT(S, n)                                                                 \
  static_assert(::vdsim::member_count<S>() == std::tuple_size_v<decltype(S::fields())> + (n), \
                #S "::fields() must list every member")

}  // namespace vdsim
