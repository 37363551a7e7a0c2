// SPDX-License-Identifier: Apache-2.0
#include "vdsim/engine/reflect.hpp"

#include <charconv>
#include <cmath>

#include "vdsim/engine/hash.hpp"

namespace vdsim {
namespace {

template <class T> std::uint64_t hash_of(const T& value, std::uint64_t h) {
  return fnv1a({reinterpret_cast<const char*>(&value), sizeof value}, h);
}

}  // namespace

std::string unit_after(std::string_view unit) { return unit.empty() || unit == "-" ? "" : " " + std::string(unit); }

std::string number_text(double value) {
  char text[64];
  // plain digits from 1e-4 up to 1e16, as people write them
  const double size = std::abs(value);
  const bool plain = size == 0 || (size >= 1e-4 && size < 1e16);
  const auto end =
      std::to_chars(text, text + sizeof text, value, plain ? std::chars_format::fixed : std::chars_format::scientific);
  return {text, end.ptr};
}
std::string number_text(double value, int significant) {
  char text[64];
  return {text, std::to_chars(text, text + sizeof text, value, std::chars_format::general, significant).ptr};
}

std::string describe(const Range& range, const char* unit) {
  const std::string suffix = unit_after(unit);
  const bool low = std::isfinite(range.lo), high = std::isfinite(range.hi);
  const std::string lo = number_text(range.lo), hi = number_text(range.hi);
  if (low && high) return (range.lo_open ? "above " : "") + lo + " to " + (range.hi_open ? "below " : "") + hi + suffix;
  if (low) return (range.lo_open ? "above " : "at least ") + lo + suffix;
  if (high) return (range.hi_open ? "below " : "at most ") + hi + suffix;
  return suffix.empty() ? "any finite number" : "any finite number [" + std::string(unit) + "]";
}

std::uint64_t hash_values(const std::vector<FieldRef>& fields, std::uint64_t h) {
  for (const FieldRef& field : fields) {
    h = fnv1a(field.name, h);
    switch (field.kind) {
      case FieldRef::Kind::number: h = hash_of(field.number(), h); break;
      case FieldRef::Kind::integer: h = hash_of(field.integer(), h); break;
      case FieldRef::Kind::flag: h = hash_of(field.flag(), h); break;
      case FieldRef::Kind::choice: h = hash_of(field.get_choice(field.data), h); break;
      case FieldRef::Kind::text: h = fnv1a(field.text().text, h); break;
      case FieldRef::Kind::list:
        for (int i = 0; i < field.length(); ++i) h = hash_of(field.list()[i], h);
        break;
      case FieldRef::Kind::whole: h = hash_of(field.whole(), h); break;
      case FieldRef::Kind::block: h = hash_values(field.block(), h); break;
      case FieldRef::Kind::blocks:
        for (int i = 0; i < field.count; ++i) h = hash_values(field.block(i), h);
        break;
      case FieldRef::Kind::other: break;
    }
  }
  return h;
}

}  // namespace vdsim
