// SPDX-License-Identifier: Apache-2.0
#include "vdsim/formats/files.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace vdsim {
namespace fs = std::filesystem;

FileKind file_kind(const std::string& path) {
  std::error_code ec;
  switch (fs::status(path, ec).type()) {
    case fs::file_type::none:
    case fs::file_type::not_found: return FileKind::none;
    case fs::file_type::regular: return FileKind::file;
    case fs::file_type::directory: return FileKind::folder;
    case fs::file_type::character:
    case fs::file_type::block: return FileKind::device;
    default: return FileKind::other;
  }
}

FileBytes read_bytes(const std::string& path, std::size_t most) {
  FileBytes out;
  std::ifstream in(path, std::ios::binary);
  std::string piece(1 << 20, '\0');
  while (in && out.text.size() <= most) {
    const std::size_t wanted = std::min(piece.size(), most + 1 - out.text.size());
    in.read(piece.data(), static_cast<std::streamsize>(wanted));
    out.text.append(piece, 0, static_cast<std::size_t>(in.gcount()));
  }
  if (!in.eof() && out.text.size() <= most) out.why = std::strerror(errno);
  return out;
}

bool is_absolute(const std::string& path) { return fs::path(path).is_absolute(); }
std::string join_paths(const std::string& folder, const std::string& name) {
  return (fs::path(folder) / name).string();
}
std::string parent_folder(const std::string& path) { return fs::path(path).parent_path().string(); }
std::string file_stem(const std::string& path) { return fs::path(path).stem().string(); }
std::string normal_path(const std::string& path) { return fs::path(path).lexically_normal().string(); }
std::string whole_path(const std::string& path) { return fs::absolute(path).lexically_normal().string(); }
std::string real_path(const std::string& path) {
  std::error_code ec;
  const fs::path real = fs::weakly_canonical(path, ec);
  return ec ? path : real.string();
}

}  // namespace vdsim
