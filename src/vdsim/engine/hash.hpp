// SPDX-License-Identifier: Apache-2.0
// FNV-1a, 64 bit: of configurations, models and state layouts. Not for secrets.
#pragma once
#include <cstdint>
#include <string_view>

namespace vdsim {

inline constexpr std::uint64_t kHashStart = 0xcbf29ce484222325u;
inline std::uint64_t fnv1a(std::string_view bytes, std::uint64_t hash = kHashStart) {
  for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return hash;
}

}  // namespace vdsim
