// SPDX-License-Identifier: Apache-2.0
// The tables of other, independent codes in tests/reference (its README says how each was made).
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

namespace vdsim {

// The folder of one kind: the repository's, and a larger set of the same layout where VDSIM_REFERENCE names one.
inline std::vector<std::filesystem::path> reference_folders(const char* kind) {
  std::vector<std::filesystem::path> out{std::filesystem::path(VDSIM_SOURCE_DIR "/tests/reference") / kind};
  const char* more = std::getenv("VDSIM_REFERENCE");
  if (more && std::filesystem::is_directory(std::filesystem::path(more) / kind))
    out.push_back(std::filesystem::path(more) / kind);
  return out;
}

inline std::vector<std::filesystem::path> files_ending(const std::filesystem::path& folder, const std::string& tail) {
  std::vector<std::filesystem::path> out;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().filename().string().ends_with(tail)) out.push_back(entry.path());
  return out;
}

inline std::vector<std::filesystem::path> reference_files(const char* kind, const std::string& tail) {
  std::vector<std::filesystem::path> out;
  for (const auto& folder : reference_folders(kind))
    for (const auto& path : files_ending(folder, tail)) out.push_back(path);
  return out;
}

}  // namespace vdsim
