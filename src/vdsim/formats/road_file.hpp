// SPDX-License-Identifier: Apache-2.0
// A road from a file of either kind: OpenCRG or a height map.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "vdsim/formats/crg_road.hpp"
#include "vdsim/formats/heightmap_read.hpp"

namespace vdsim {

// A .crg file, or a height map.
struct RoadFile {
  std::string path;
  CrgFile file;                // of a .crg, with its grid moved into `crg`
  std::optional<CrgRoad> crg;  // one of the two
  std::optional<Heightmap> map;
};
bool is_road(std::string_view file);  // by its ending, in any case
std::optional<RoadFile> load_road(const std::string& path, Errors&, Warnings&);

}  // namespace vdsim
