// SPDX-License-Identifier: Apache-2.0
// Text of a file as a terminal may show it: without control characters, which could move the cursor or forge lines.
#pragma once
#include <algorithm>
#include <string>
#include <string_view>

#include "vdsim/formats/file_text.hpp"

namespace vdsim {

// Control characters, also those of two bytes (U+0080 to U+009F), and bytes that are not UTF-8 as '?'.
inline std::string printable(std::string_view bytes) {
  std::string text(bytes), out;
  for (std::size_t at = 0, bad; (bad = broken_utf8(std::string_view(text).substr(at))) != text.npos; at += bad + 1)
    text[at + bad] = '?';
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]),
               next = static_cast<unsigned char>(text[std::min(i + 1, text.size() - 1)]);
    const bool wide = c == 0xc2 && next >= 0x80 && next < 0xa0;
    out += wide || (c < 32 && c != '\t') || c == 127 ? '?' : text[i];
    i += wide;
  }
  return out;
}

// As an error message shows it: quoted, short and printable.
inline std::string shown(std::string_view text) {
  if (text.empty()) return "nothing";
  std::size_t size = std::min<std::size_t>(text.size(), 40);
  while (size > 0 && size < text.size() && (text[size] & 0xC0) == 0x80) --size;  // whole characters
  return "'" + printable(text.substr(0, size)) + (size < text.size() ? "'..." : "'");
}

}  // namespace vdsim
