// The field tables without their types: reading, writing, docs and --set are then ordinary functions over FieldRef.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "vdsim/core/math/fields.hpp"
#include "vdsim/core/math/number_list.hpp"

namespace vdsim {

struct FieldRef {
  enum class Kind { number, integer, whole, flag, choice, text, list, block, blocks, other };
  Kind kind = Kind::other;
  const char *name = "", *unit = "", *meaning = "";
  Range range = any_finite();
  void* data = nullptr;                                // the member itself; NumberList: its numbers
  int count = 0;                                       // list: number of doubles; NumberList: the most; blocks: how many
  std::size_t stride = 0;                              // blocks: bytes from one to the next
  int* used = nullptr;                                 // NumberList: how many are in use
  std::vector<std::string> names;                      // choice: as a user writes them
  int (*get_choice)(const void*) = nullptr;            // choice: index into names
  void (*set_choice)(void*, int) = nullptr;            // choice
  std::vector<FieldRef> (*children)(void*) = nullptr;  // block, blocks

  double& number() const { return *static_cast<double*>(data); }
  int& integer() const { return *static_cast<int*>(data); }
  std::int64_t& whole() const { return *static_cast<std::int64_t*>(data); }
  bool& flag() const { return *static_cast<bool*>(data); }
  PathText& text() const { return *static_cast<PathText*>(data); }
  double* list() const { return static_cast<double*>(data); }
  int length() const { return used ? *used : count; }  // list
  std::vector<FieldRef> block(int i = 0) const {
    return children(static_cast<char*>(data) + static_cast<std::size_t>(i) * stride);
  }
};

template <class S> std::vector<FieldRef> fields_of(S& object);

std::string number_text(double value);                    // the shortest text that reads back to the same bits
std::string describe(const Range&, const char* unit);     // "above 0 kg", "0 to 1"
std::uint64_t hash_values(const std::vector<FieldRef>&, std::uint64_t hash);  // of names and values; `other` is left out

template <class T> struct ListLength { static constexpr int value = 0; };
template <std::size_t N> struct ListLength<std::array<double, N>> { static constexpr int value = N; };
template <class T> struct NumberListSize { static constexpr int value = 0; };
template <int N> struct NumberListSize<NumberList<N>> { static constexpr int value = N; };

template <class T> void set_kind(FieldRef& ref) {
  using Kind = FieldRef::Kind;
  if constexpr (std::is_same_v<T, double>) {
    ref.kind = Kind::number;
  } else if constexpr (std::is_same_v<T, int>) {
    ref.kind = Kind::integer;
  } else if constexpr (std::is_same_v<T, bool>) {
    ref.kind = Kind::flag;
  } else if constexpr (std::is_same_v<T, PathText>) {
    ref.kind = Kind::text;
  } else if constexpr (std::is_enum_v<T>) {
    ref.kind = Kind::choice;
    ref.names.assign(EnumNames<T>::names.begin(), EnumNames<T>::names.end());
    ref.get_choice = [](const void* p) { return static_cast<int>(*static_cast<const T*>(p)); };
    ref.set_choice = [](void* p, int i) { *static_cast<T*>(p) = static_cast<T>(i); };
  } else if constexpr (ListLength<T>::value > 0) {
    ref.kind = Kind::list;
    ref.count = ListLength<T>::value;
  } else if constexpr (NumberListSize<T>::value > 0) {
    T& list = *static_cast<T*>(ref.data);
    ref.kind = Kind::list;
    ref.count = NumberListSize<T>::value;
    ref.used = &list.count;
    ref.data = list.v;
  } else if constexpr (HasFields<T>) {
    ref.kind = Kind::block;
    ref.children = [](void* p) { return fields_of(*static_cast<T*>(p)); };
  }
}

template <class S> std::vector<FieldRef> fields_of(S& object) {
  std::vector<FieldRef> out;
  for_each_field<S>([&](const auto& field) {
    FieldRef ref;
    ref.name = field.name;
    ref.unit = field.unit;
    ref.meaning = field.meaning;
    ref.range = field.range;
    ref.data = &(object.*(field.member));
    set_kind<typename std::remove_cvref_t<decltype(field)>::type>(ref);
    out.push_back(std::move(ref));
  });
  return out;
}

}  // namespace vdsim
