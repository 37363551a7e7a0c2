// SPDX-License-Identifier: Apache-2.0
// Numbers as bytes, least significant first, whatever the machine.
#pragma once
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

namespace vdsim {

template <class T> using BitsOf = std::conditional_t<
    sizeof(T) == 8, std::uint64_t,
    std::conditional_t<sizeof(T) == 4, std::uint32_t, std::conditional_t<sizeof(T) == 2, std::uint16_t, std::uint8_t>>>;

template <class T> void put_le(std::string& out, T value) {
  static_assert(std::is_arithmetic_v<T>);
  const auto bits = std::bit_cast<BitsOf<T>>(value);
  for (std::size_t i = 0; i < sizeof(T); ++i) out.push_back(static_cast<char>(bits >> (8 * i)));
}

// The caller has checked that the bytes are there.
template <class T> T get_le(std::string_view bytes, std::size_t at) {
  BitsOf<T> bits = 0;
  for (std::size_t i = 0; i < sizeof(T); ++i)
    bits = static_cast<BitsOf<T>>(bits | BitsOf<T>{static_cast<unsigned char>(bytes[at + i])} << (8 * i));
  return std::bit_cast<T>(bits);
}

}  // namespace vdsim
