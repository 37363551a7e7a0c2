// SPDX-License-Identifier: Apache-2.0
// CRC-32 of IEEE 802.3, as in zlib, MCAP and VDS1: polynomial 0xEDB88320 (reflected), start and end inverted.
#pragma once
#include <array>
#include <cstdint>
#include <string_view>

namespace vdsim {

namespace crc_detail {
constexpr std::array<std::uint32_t, 256> table() {
  std::array<std::uint32_t, 256> out{};
  for (std::uint32_t i = 0; i < 256; ++i) {
    std::uint32_t c = i;
    for (int bit = 0; bit < 8; ++bit) c = (c & 1) ? 0xEDB88320u ^ (c >> 1) : c >> 1;
    out[i] = c;
  }
  return out;
}
inline constexpr std::array<std::uint32_t, 256> kTable = table();
}  // namespace crc_detail

// `before`: the CRC of what stands in front of these bytes.
constexpr std::uint32_t crc32(std::string_view bytes, std::uint32_t before = 0) {
  std::uint32_t c = ~before;
  for (const char byte : bytes) c = crc_detail::kTable[(c ^ static_cast<unsigned char>(byte)) & 0xFF] ^ (c >> 8);
  return ~c;
}
static_assert(crc32("123456789") == 0xCBF43926u);  // the check value of the standard

}  // namespace vdsim
