// SPDX-License-Identifier: Apache-2.0
// Pieces of XML text.
#pragma once
#include <string>
#include <string_view>

#include "vdsim/engine/reflect.hpp"

namespace vdsim::fmi {

inline std::string xml_text(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      default: out += static_cast<unsigned char>(c) < 32 ? ' ' : c;
    }
  }
  return out;
}
inline std::string xml_attribute(std::string_view name, std::string_view value) {
  return " " + std::string(name) + "=\"" + xml_text(value) + "\"";
}
inline std::string xml_number(std::string_view name, double value) { return xml_attribute(name, number_text(value)); }

}  // namespace vdsim::fmi
