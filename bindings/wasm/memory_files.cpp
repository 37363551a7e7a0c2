// SPDX-License-Identifier: Apache-2.0
// formats/files.hpp without a disk. Paths are as on Linux, and the working folder is "/".
#include "bindings/wasm/memory_files.hpp"

#include <vector>

#include "vdsim/formats/files.hpp"

namespace vdsim {

std::map<std::string, std::string>& wasm::memory_files() {
  static std::map<std::string, std::string> all;
  return all;
}

FileKind file_kind(const std::string& path) {
  const auto& files = wasm::memory_files();
  const std::string whole = whole_path(path), inside = whole.ends_with('/') ? whole : whole + "/";
  if (files.contains(whole)) return FileKind::file;
  const auto next = files.lower_bound(inside);
  return next != files.end() && next->first.starts_with(inside) ? FileKind::folder : FileKind::none;
}

FileBytes read_bytes(const std::string& path, std::size_t most) {
  const auto& files = wasm::memory_files();
  const auto found = files.find(whole_path(path));
  if (found == files.end()) return {"", "No such file or directory"};
  return {found->second.substr(0, most + 1), ""};
}

bool is_absolute(const std::string& path) { return path.starts_with('/'); }

std::string join_paths(const std::string& folder, const std::string& name) {
  if (folder.empty() || is_absolute(name)) return name;
  return folder.ends_with('/') ? folder + name : folder + "/" + name;
}

std::string parent_folder(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == path.npos ? "" : path.substr(0, slash == 0 ? 1 : slash);
}

std::string file_stem(const std::string& path) {
  const std::string name = path.substr(path.rfind('/') + 1);
  const std::size_t dot = name.rfind('.');
  return dot == name.npos || dot == 0 ? name : name.substr(0, dot);
}

std::string normal_path(const std::string& path) {
  std::vector<std::string> names;
  const bool rooted = is_absolute(path);
  for (std::size_t from = 0; from <= path.size();) {
    const std::size_t end = std::min(path.find('/', from), path.size());
    const std::string name = path.substr(from, end - from);
    if (name == ".." && !names.empty() && names.back() != "..")
      names.pop_back();
    else if (!name.empty() && name != "." && !(name == ".." && rooted))
      names.push_back(name);
    from = end + 1;
  }
  std::string out = rooted ? "/" : "";
  for (std::size_t i = 0; i < names.size(); ++i) out += (i ? "/" : "") + names[i];
  return out.empty() ? "." : out;
}

std::string whole_path(const std::string& path) { return normal_path(is_absolute(path) ? path : "/" + path); }
std::string real_path(const std::string& path) { return whole_path(path); }

}  // namespace vdsim
