// SPDX-License-Identifier: Apache-2.0
// What persists between steps, as a list of named members: saved, restored, hashed and checked by walking it.
// Whoever owns a state gives its list (Car::state(), DrivenCar::state(), ...); lists nest, so a run saves its car, its driver
// and its sensors in one piece.
#pragma once
#include <cstddef>
#include <span>
#include <type_traits>

#include "vdsim/engine/reflect.hpp"

namespace vdsim {

using StateList = std::vector<FieldRef>;

// Members of a state struct; specialised beside the struct, or made of its fields().
template <class S> StateList state_of_struct(S& object);

namespace detail {
template <class T> struct Elements {  // of an array of numbers or structs, C or std
  using type = T;
  static constexpr int count = 0;
};
template <class T, std::size_t N> struct Elements<std::array<T, N>> {
  using type = T;
  static constexpr int count = N;
};
template <class T, std::size_t N> struct Elements<T[N]> {
  using inner = Elements<T>;
  using type = typename inner::type;
  static constexpr int count = int(N) * (inner::count > 0 ? inner::count : 1);
};
template <class T> StateList children(void* p) { return state_of_struct(*static_cast<T*>(p)); }
}  // namespace detail

// One member of a state. `range`: refused on restore if outside; give one to whatever is used as an index.
template <class T>
FieldRef state(const char* name, T& member, const char* unit, const char* meaning, Range range = any_finite()) {
  using E = typename detail::Elements<T>::type;
  using Kind = FieldRef::Kind;
  FieldRef ref;
  ref.name = name, ref.unit = unit, ref.meaning = meaning, ref.range = range, ref.data = &member;
  ref.count = detail::Elements<T>::count;
  if constexpr (std::is_same_v<E, double>) {
    ref.kind = ref.count > 0 ? Kind::list : Kind::number;
  } else if constexpr (std::is_class_v<E>) {
    ref.kind = ref.count > 0 ? Kind::blocks : Kind::block;
    ref.stride = sizeof(E);
    ref.children = detail::children<E>;
  } else if constexpr (std::is_same_v<E, bool>) {
    ref.kind = Kind::flag;
  } else if constexpr (sizeof(E) == sizeof(int)) {  // enums too
    ref.kind = Kind::integer;
  } else {
    static_assert(sizeof(E) == sizeof(std::int64_t) && std::is_integral_v<E>);
    ref.kind = Kind::whole;
  }
  return ref;
}
// Numbers whose count is fixed by the model.
inline FieldRef state(const char* name, std::span<double> numbers, const char* unit, const char* meaning) {
  FieldRef ref;
  ref.kind = FieldRef::Kind::list;
  ref.name = name, ref.unit = unit, ref.meaning = meaning, ref.data = numbers.data();
  ref.count = static_cast<int>(numbers.size());
  return ref;
}

template <class S> StateList state_of_struct(S& object) {
  StateList out;
  for_each_field<S>([&](const auto& f) { out.push_back(state(f.name, object.*(f.member), f.unit, f.meaning)); });
  return out;
}

// Names, kinds, counts and units: two lists of the same layout hold the same things.
std::uint64_t layout_hash(const StateList&);
bool all_finite(const StateList&);

// A list walked once: it saves into the caller's memory and restores without allocating, as long as the members stay where they are.
// `model`: hash of what the state belongs to; a snapshot of another layout or model is refused.
class StateImage {
 public:
  StateImage() = default;
  StateImage(const StateList&, std::uint64_t model);
  std::size_t size() const { return size_; }                // of a snapshot, bytes
  void save(std::span<std::byte> out) const;                // of size() bytes
  bool restore(std::span<const std::byte> snapshot) const;  // false, and nothing changed, if refused

 private:
  StateList leaves_;
  std::uint64_t layout_ = 0, model_ = 0;
  std::size_t size_ = 0;
};

std::uint64_t snapshot_content(std::span<const std::byte> snapshot);  // hash of its numbers alone; 0 if it is none

// The same once.
std::vector<std::byte> save(const StateList&, std::uint64_t model);
bool restore(const StateList&, std::uint64_t model,
             std::span<const std::byte>);  // false, and nothing changed, if refused

}  // namespace vdsim
