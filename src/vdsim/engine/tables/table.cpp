// SPDX-License-Identifier: Apache-2.0
#include "vdsim/engine/tables/table.hpp"

namespace vdsim {
namespace {

FieldRef of_kind(FieldRef::Kind kind, FieldRef field) {
  field.kind = kind;
  return field;
}

}  // namespace

using Kind = FieldRef::Kind;

FieldRef field(const char* name, double& value, const char* unit, Range range, const char* meaning) {
  return of_kind(Kind::number, other(name, value, unit, range, meaning));
}
FieldRef field(const char* name, int& value, const char* unit, Range range, const char* meaning) {
  return of_kind(Kind::integer, other(name, value, unit, range, meaning));
}
FieldRef field(const char* name, int& value, const char* meaning) {
  return of_kind(Kind::integer, other(name, value, meaning));
}
FieldRef field(const char* name, bool& value, const char* meaning) {
  return of_kind(Kind::flag, other(name, value, meaning));
}
FieldRef field(const char* name, PathText& value, const char* meaning) {
  return of_kind(Kind::text, other(name, value, meaning));
}
FieldRef field_list(const char* name, std::span<double> values, const char* unit, Range range, const char* meaning) {
  FieldRef out = of_kind(Kind::list, other(name, values.front(), unit, range, meaning));
  out.count = static_cast<int>(values.size());
  return out;
}

}  // namespace vdsim
