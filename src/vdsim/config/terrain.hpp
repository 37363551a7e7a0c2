// SPDX-License-Identifier: Apache-2.0
// What a scene's `terrain` names: a height map or an OpenCRG road, kept alive for the cars that drive on it.
#pragma once
#include <memory>

#include "vdsim/config/read.hpp"
#include "vdsim/core/road/spec.hpp"
#include "vdsim/formats/road_file.hpp"

namespace vdsim {

struct Terrain {
  RoadFile file;
  RoadGrid grid{};
  CrgView crg{};
};

// Loads road.terrain, a path beside the scene (`folder`), and lets road.grid or road.crg point into it. Contradictions
// between the keys of the road are reported too.
void read_terrain(const Reader&, const YamlNode& scene, const std::string& folder, RoadSpec& road,
                  std::shared_ptr<const Terrain>& terrain);

}  // namespace vdsim
