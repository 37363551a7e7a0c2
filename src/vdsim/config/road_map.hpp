// SPDX-License-Identifier: Apache-2.0
// Rasters of what lies on the road: `maps` of a scene.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "vdsim/config/scenario_read.hpp"
#include "vdsim/config/terrain.hpp"
#include "vdsim/core/road/ground_map.hpp"

namespace vdsim {

struct RoadMap {
  std::string path;                   // absolute
  std::vector<SurfaceSpec> surfaces;  // what the values 0, 1, ... stand for; none: they are `number`
  std::string number;
  std::shared_ptr<const Terrain> file;
  GroundMap map;  // points into file
};
using RoadMaps = std::vector<std::shared_ptr<const RoadMap>>;

void read_maps(const PartSource&, const Reader&, const YamlEntry&, RoadMaps&, RoadSpec&);
std::string maps_text(const RoadMaps&);  // as in a scene

}  // namespace vdsim
