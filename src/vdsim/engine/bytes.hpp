// Snapshots are made of pieces, one after another.
#pragma once
#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <span>
#include <vector>

namespace vdsim {

template <class T> std::span<const std::byte> bytes_of(const T& value) { return std::as_bytes(std::span(&value, 1)); }

inline std::vector<std::byte> joined(std::initializer_list<std::span<const std::byte>> pieces) {
  std::size_t size = 0;
  for (const auto& piece : pieces) size += piece.size();
  std::vector<std::byte> out(size);
  auto at = out.begin();
  for (const auto& piece : pieces) at = std::copy(piece.begin(), piece.end(), at);
  return out;
}

}  // namespace vdsim
