// SPDX-License-Identifier: Apache-2.0
// Text of a file as a terminal may show it: without control characters, which could move the cursor or forge lines.
#pragma once
#include <algorithm>
#include <string>
#include <string_view>

namespace vdsim {

// Control characters, also those of two bytes (U+0080 to U+009F), as '?'.
inline std::string printable(std::string_view text) {
  std::string out;
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
  return "'" + printable(text.substr(0, 40)) + (text.size() > 40 ? "'..." : "'");
}

}  // namespace vdsim
