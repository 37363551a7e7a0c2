// SPDX-License-Identifier: Apache-2.0
// What the readers ask of files: of the disk (files.cpp), or of texts in memory where there is no disk (bindings/wasm/memory_files.cpp).
#pragma once
#include <string>

namespace vdsim {

enum class FileKind { none, file, folder, device, other };
FileKind file_kind(const std::string& path);
inline bool is_file(const std::string& path) { return file_kind(path) == FileKind::file; }

struct FileBytes {
  std::string text;
  std::string why;  // it could not be read; "" = it was
};
// At most `most` + 1 bytes: one more than that says that the file is longer.
FileBytes read_bytes(const std::string& path, std::size_t most);

// Paths, as std::filesystem::path has them.
bool is_absolute(const std::string& path);
std::string join_paths(const std::string& folder, const std::string& name);  // an absolute name stands for itself
std::string parent_folder(const std::string& path);
std::string file_stem(const std::string& path);
std::string normal_path(const std::string& path);  // without . and .., as text
std::string whole_path(const std::string& path);   // that, from the root on
std::string real_path(const std::string& path);    // that, behind symbolic links

}  // namespace vdsim
