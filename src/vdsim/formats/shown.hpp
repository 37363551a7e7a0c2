// Text of a file as an error message shows it: quoted, short and printable.
#pragma once
#include <string>
#include <string_view>

namespace vdsim {

inline std::string shown(std::string_view text) {
  if (text.empty()) return "nothing";
  std::string out = "'";
  for (const char c : text.substr(0, 40)) out += static_cast<unsigned char>(c) < 32 || c == 127 ? '?' : c;
  return out + (text.size() > 40 ? "'..." : "'");
}

}  // namespace vdsim
