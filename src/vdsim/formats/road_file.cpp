// SPDX-License-Identifier: Apache-2.0
#include "vdsim/formats/road_file.hpp"

#include <strings.h>

namespace vdsim {

bool is_road(std::string_view file) {
  return is_heightmap(file) || (file.size() > 4 && strncasecmp(file.data() + file.size() - 4, ".crg", 4) == 0);
}

std::optional<RoadFile> load_road(const std::string& path, Errors& errors, Warnings& warnings) {
  RoadFile out;
  out.path = path;
  if (is_heightmap(path)) {
    out.map = load_heightmap(path, {path, 0, 0}, errors);
    if (!out.map) return std::nullopt;
    return out;
  }
  auto file = read_crg_file(path, errors, warnings);
  if (!file) return std::nullopt;
  out.crg = build_crg(*file, errors, warnings);
  if (!out.crg) return std::nullopt;
  out.file = std::move(*file);
  out.file.grid32.clear();
  out.file.grid64.clear();
  return out;
}

}  // namespace vdsim
