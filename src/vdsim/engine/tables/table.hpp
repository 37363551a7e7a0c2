// SPDX-License-Identifier: Apache-2.0
// What the field tables are written with. Only the .cpp files that hold a table include this.
//
//   template <> std::vector<FieldRef> fields_of(BrakeSpec& s) {
//     return table<BrakeSpec>({field("max_brake_torque", s.max_brake_torque, "N m", at_least(0), "sum over four wheels"),
//                              ...});   // names every member, or it does not compile
//   }
//
// The default of a field is its member initialiser. `.read_by(...)` behind a line says which cars read it (engine/readers.hpp).
#pragma once
#include "vdsim/core/math/number_list.hpp"
#include "vdsim/engine/readers.hpp"

namespace vdsim {

FieldRef field(const char* name, double& value, const char* unit, Range range, const char* meaning);
FieldRef field(const char* name, int& value, const char* unit, Range range, const char* meaning);
FieldRef field_list(const char* name, std::span<double> values, const char* unit, Range range, const char* meaning);
// switches, counts, names and nested blocks have no unit and no range
FieldRef field(const char* name, int& value, const char* meaning);
FieldRef field(const char* name, bool& value, const char* meaning);
FieldRef field(const char* name, PathText& value, const char* meaning);

template <std::size_t N>
FieldRef field(const char* name, std::array<double, N>& values, const char* unit, Range range, const char* meaning) {
  return field_list(name, values, unit, range, meaning);
}
template <int N>
FieldRef field(const char* name, NumberList<N>& list, const char* unit, Range range, const char* meaning) {
  FieldRef out = field_list(name, list.v, unit, range, meaning);
  out.used = &list.count;
  return out;
}
// A number that need not be given; `none` stands for that.
inline FieldRef optional(FieldRef number, double none) {
  number.none = none;
  return number;
}
// What its reader knows how to fill: tables over time, way points, polygons.
template <class T> FieldRef other(const char* name, T& value, const char* unit, Range range, const char* meaning) {
  FieldRef out;
  out.name = name;
  out.unit = unit;
  out.range = range;
  out.meaning = meaning;
  out.data = &value;
  return out;
}
template <class T> FieldRef other(const char* name, T& value, const char* meaning) {
  return other(name, value, "", any_finite(), meaning);
}
template <class E>
requires std::is_enum_v<E> FieldRef field(const char* name, E& value, const char* meaning) {
  FieldRef out = other(name, value, meaning);
  out.kind = FieldRef::Kind::choice;
  out.names = enum_words<E>();
  out.get_choice = [](const void* p) { return static_cast<int>(*static_cast<const E*>(p)); };
  out.set_choice = [](void* p, int i) { *static_cast<E*>(p) = static_cast<E>(i); };
  return out;
}
template <class T> FieldRef block(const char* name, T& value, const char* meaning) {
  FieldRef out = other(name, value, meaning);
  out.kind = FieldRef::Kind::block;
  out.children = [](void* p) { return fields_of(*static_cast<T*>(p)); };
  return out;
}

// `outside`: members that stand outside the table, for a reason given at their declaration.
template <class S, std::size_t outside = 0, std::size_t N> std::vector<FieldRef> table(const FieldRef (&fields)[N]) {
  static_assert(member_count<S>() == N + outside, "the table must name every member");
  return {fields, fields + N};
}

}  // namespace vdsim
