// SPDX-License-Identifier: Apache-2.0
// The field tables as data: reading, writing, docs and --set are ordinary functions over FieldRef.
// The table of a spec stands in one .cpp (engine/tables, config/tables.cpp), so that its header stays a plain struct.
#pragma once
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "vdsim/core/math/fields.hpp"

namespace vdsim {

// Who reads a field (engine/readers.hpp): a bit per value of a choice, a bit per switch. Any of the alternatives; each: one of the
// named values of every choice, and every named switch. All 0: everybody.
using ReaderBits = std::uint64_t;
struct Readers {
  static constexpr int kMost = 2;
  ReaderBits any[kMost] = {};
};

struct FieldRef {
  enum class Kind { number, integer, whole, flag, choice, text, list, block, blocks, other };
  Kind kind = Kind::other;
  const char *name = "", *unit = "", *meaning = "";
  Range range = any_finite();
  void* data = nullptr;    // the member itself; NumberList: its numbers
  int count = 0;           // list: number of doubles; NumberList: the most; blocks: how many
  std::size_t stride = 0;  // blocks: bytes from one to the next
  int* used = nullptr;     // NumberList: how many are in use
  double none = std::numeric_limits<double>::quiet_NaN();  // number: stands for "not given"
  std::span<const char* const> names;                      // choice: as a user writes them
  int (*get_choice)(const void*) = nullptr;                // choice: index into names
  void (*set_choice)(void*, int) = nullptr;                // choice
  std::vector<FieldRef> (*children)(void*) = nullptr;      // block, blocks
  Readers readers;                                         // a block: of all its fields

  double& number() const { return *static_cast<double*>(data); }
  int& integer() const { return *static_cast<int*>(data); }
  std::int64_t& whole() const { return *static_cast<std::int64_t*>(data); }
  bool& flag() const { return *static_cast<bool*>(data); }
  PathText& text() const { return *static_cast<PathText*>(data); }
  double* list() const { return static_cast<double*>(data); }
  bool given() const { return kind != Kind::number || number() != none; }
  int length() const { return used ? *used : count; }  // list
  std::vector<FieldRef> block(int i = 0) const {
    return children(static_cast<char*>(data) + static_cast<std::size_t>(i) * stride);
  }
  std::vector<std::string> choices() const { return {names.begin(), names.end()}; }
  FieldRef read_by(Readers who) const {
    FieldRef out = *this;
    out.readers = who;
    return out;
  }
};

// Whether the enum has an enumerator of this value: the compilers print any other as a cast, "(Level)4".
template <class E, E value> constexpr bool is_enumerator() {
  constexpr std::string_view text = __PRETTY_FUNCTION__;
  return text[text.rfind('=') + 2] != '(';
}
// The words for an enum, in enumerator order, and one for each.
template <class E> constexpr const auto& enum_words() {
  constexpr int n = static_cast<int>(EnumNames<E>::names.size());
  static_assert(is_enumerator<E, E(n - 1)>() && !is_enumerator<E, E(n)>(), "EnumNames must name every enumerator");
  return EnumNames<E>::names;
}
// An enum as a user writes it, and all words for it.
template <class E> std::string enum_name(E value) { return enum_words<E>()[static_cast<std::size_t>(value)]; }
template <class E> std::vector<std::string> enum_names() { return {enum_words<E>().begin(), enum_words<E>().end()}; }

// Every member in the order of its table. Specialised where the table stands; a struct without one does not link.
template <class S> std::vector<FieldRef> fields_of(S& object);

std::string number_text(double value);  // the shortest text that reads back to the same bits
std::string number_text(double value, int significant);
std::string unit_after(std::string_view unit);         // a number: " km/h"; "" where there is none
std::string describe(const Range&, const char* unit);  // "above 0 kg", "0 to 1"
std::uint64_t hash_values(const std::vector<FieldRef>&,
                          std::uint64_t hash);  // of names and values; `other` is left out

}  // namespace vdsim
