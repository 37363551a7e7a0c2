// SPDX-License-Identifier: Apache-2.0
#include "vdsim/config/files.hpp"

namespace vdsim {

const YamlNode* Files::yaml(const std::string& path, Errors& errors, const Place* from) {
  const MutexLock lock(busy_);
  auto found = yaml_.find(path);
  if (found == yaml_.end()) {
    const auto text = read_text(path, errors, from);
    auto root = text ? parse_yaml(*text, path, errors) : std::nullopt;
    if (!root) return nullptr;
    found = yaml_.emplace(path, std::move(*root)).first;
  }
  return &found->second;
}

const TirSpec* Files::tir(const std::string& path, Errors& errors, Warnings& warnings, const Place* from) {
  const MutexLock lock(busy_);
  auto found = tir_.find(path);
  if (found == tir_.end()) {
    const auto spec = read_tir_file(path, errors, warnings, from);
    if (!spec) return nullptr;
    found = tir_.emplace(path, std::pair{*spec, warnings}).first;
  }
  warnings = found->second.second;
  return &found->second.first;
}

std::shared_ptr<const Terrain> Files::terrain(const std::string& path, Errors& errors, Warnings& warnings) {
  const MutexLock lock(busy_);
  auto found = terrain_.find(path);
  if (found == terrain_.end()) {
    auto file = load_road(path, errors, warnings);
    if (!file) return nullptr;
    auto out = std::make_shared<Terrain>();
    out->file = std::move(*file);
    if (out->file.map)
      out->grid = out->file.map->view();
    else
      out->crg = out->file.crg->view();
    found = terrain_.emplace(path, std::pair{std::move(out), warnings}).first;
  }
  warnings = found->second.second;
  return found->second.first;
}

}  // namespace vdsim
