// SPDX-License-Identifier: Apache-2.0
#include "vdsim/config/write.hpp"

#include <fmt/core.h>

#include <cstdint>

#include "vdsim/engine/hash.hpp"
#include "vdsim/engine/readers.hpp"

namespace vdsim {

std::string quoted_text(std::string_view value) {
  std::string out = "\"";
  for (char c : value) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') out += '\\';
    if (byte < 32 || byte == 127)
      out += fmt::format("\\x{:02x}", byte);
    else
      out += c;
  }
  return out + '"';
}

std::string value_text(const FieldRef& field) {
  switch (field.kind) {
    case FieldRef::Kind::number: return field.given() ? number_text(field.number()) : "";
    case FieldRef::Kind::integer: return fmt::format("{}", field.integer());
    case FieldRef::Kind::flag: return field.flag() ? "true" : "false";
    case FieldRef::Kind::choice: return field.names[static_cast<std::size_t>(field.get_choice(field.data))];
    case FieldRef::Kind::text: return quoted_text(field.text().text);
    case FieldRef::Kind::list: {
      std::string out = "[";
      for (int i = 0; i < field.length(); ++i) out += (i ? ", " : "") + number_text(field.list()[i]);
      return out + "]";
    }
    default: return "";
  }
}

std::string block_text(const std::vector<FieldRef>& fields, int indent, Units units, const Readers& block) {
  std::string out;
  const std::string pad(static_cast<std::size_t>(indent), ' ');
  for (const FieldRef& field : fields) {
    if (field.kind == FieldRef::Kind::other || !field.given()) continue;
    if (field.kind == FieldRef::Kind::block) {
      const std::string inside = block_text(field.block(), indent + 2, units, within(block, field));
      if (!inside.empty()) out += fmt::format("{}{}:\n", pad, field.name) + inside;
      continue;
    }
    std::string line = fmt::format("{}{}: {}", pad, field.name, value_text(field));
    if (units == Units::as_comments) {
      const std::string unit = *field.unit ? fmt::format("[{}] ", field.unit) : "";
      const std::string readers = readers_text(within(block, field));
      line =
          fmt::format("{:<44}  # {}{}{}", line, unit, field.meaning, readers.empty() ? "" : "; read with " + readers);
    }
    out += line + "\n";
  }
  return out;
}

std::string hash_text(std::string_view text) { return fmt::format("{:016x}", fnv1a(text)); }

}  // namespace vdsim
