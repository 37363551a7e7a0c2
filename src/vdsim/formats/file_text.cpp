// SPDX-License-Identifier: Apache-2.0
#include "vdsim/formats/file_text.hpp"

#include <fmt/core.h>

#include "vdsim/formats/files.hpp"

namespace vdsim {
namespace {

constexpr std::size_t kLongestText = 1 << 20;  // [bytes]

}  // namespace

std::size_t broken_utf8(std::string_view text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  for (std::size_t i = 0; i < text.size();) {
    const unsigned first = byte(i);
    const std::size_t more = first < 0x80   ? 0
                             : first < 0xC2 ? 4
                             : first < 0xE0 ? 1
                             : first < 0xF0 ? 2
                             : first < 0xF5 ? 3
                                            : 4;
    if (more == 4) return i;
    for (std::size_t k = 1; k <= more; ++k)
      if ((byte(i + k) & 0xC0) != 0x80) return i;
    const unsigned second = byte(i + 1);
    if ((first == 0xE0 && second < 0xA0) || (first == 0xED && second > 0x9F) || (first == 0xF0 && second < 0x90) ||
        (first == 0xF4 && second > 0x8F))
      return i;
    i += more + 1;
  }
  return std::string_view::npos;
}

std::optional<std::string> read_text(const std::string& path, Errors& errors, const Place* from) {
  const Place place = from ? *from : Place{path, 0, 0};
  const std::string name = from ? fmt::format("'{}' ", path) : "";
  if (file_kind(path) == FileKind::folder) {
    errors.add(place, "", name + "is a folder, not a file");
    return std::nullopt;
  }
  FileBytes bytes = read_bytes(path, kLongestText);
  if (bytes.why.empty()) return std::move(bytes.text);
  errors.add(place, "", fmt::format("{}cannot be read: {}", name, bytes.why));
  return std::nullopt;
}

std::optional<std::string> read_data(const std::string& path, const Place& from, Errors& errors, std::size_t most) {
  const std::string name = from.file == path ? "" : fmt::format("'{}' ", path);
  const FileKind kind = file_kind(path);
  if (kind == FileKind::folder || kind == FileKind::device) {  // a device may have no end
    errors.add(from, "", fmt::format("{}is a {}, not a file", name, kind == FileKind::folder ? "folder" : "device"));
    return std::nullopt;
  }
  FileBytes bytes = read_bytes(path, most);
  const bool large = bytes.text.size() > most;
  if (bytes.why.empty() && !large) return std::move(bytes.text);
  errors.add(from, "",
             fmt::format("{}{}", name,
                         large ? fmt::format("is larger than {} MB", most >> 20)
                               : fmt::format("cannot be read: {}", bytes.why)));
  return std::nullopt;
}

}  // namespace vdsim
