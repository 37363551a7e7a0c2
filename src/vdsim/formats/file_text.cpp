// SPDX-License-Identifier: Apache-2.0
#include "vdsim/formats/file_text.hpp"

#include <fmt/core.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

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
  std::error_code ec;
  if (std::filesystem::is_directory(path, ec)) {
    errors.add(place, "", name + "is a folder, not a file");
    return std::nullopt;
  }
  std::ifstream in(path, std::ios::binary);
  if (!in) {
    errors.add(place, "", fmt::format("{}cannot be read: {}", name, std::strerror(errno)));
    return std::nullopt;
  }
  std::string text(kLongestText + 1, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(in.gcount()));
  return text;
}

std::optional<std::string> read_data(const std::string& path, const Place& from, Errors& errors, std::size_t most) {
  const std::string name = from.file == path ? "" : fmt::format("'{}' ", path);
  std::error_code ec;
  const auto kind = std::filesystem::status(path, ec).type();
  using Type = std::filesystem::file_type;
  if (kind == Type::directory || kind == Type::character || kind == Type::block) {  // a device may have no end
    errors.add(from, "", fmt::format("{}is a {}, not a file", name, kind == Type::directory ? "folder" : "device"));
    return std::nullopt;
  }
  std::ifstream in(path, std::ios::binary);
  std::string text;
  if (in) {
    std::string piece(1 << 20, '\0');
    while (in && text.size() <= most) {
      in.read(piece.data(), static_cast<std::streamsize>(piece.size()));
      text.append(piece, 0, static_cast<std::size_t>(in.gcount()));
    }
  }
  if (!in.eof() || text.size() > most) {
    const bool large = text.size() > most;
    errors.add(from, "",
               fmt::format("{}{}", name,
                           large ? fmt::format("is larger than {} MB", most >> 20)
                                 : fmt::format("cannot be read: {}", std::strerror(errno))));
    return std::nullopt;
  }
  return text;
}

}  // namespace vdsim
