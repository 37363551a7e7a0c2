// SPDX-License-Identifier: Apache-2.0
// Readers of the road and of the driver, used by scenario.cpp.
#pragma once
#include "vdsim/config/read.hpp"
#include "vdsim/config/scenario.hpp"

namespace vdsim {

// Where a scene finds the parts that it names.
struct PartSource {
  const Catalog& catalog;
  std::string folder;  // of the file that names them
};
// What lies on the road: `surface: surface.gravel` or `surface: {part: surface.gravel, water_depth: 0.003}`.
void read_surface(const PartSource&, const Reader&, const YamlEntry&, const std::string& path, SurfaceOverride&);
void read_sections(const PartSource&, const Reader&, const YamlEntry&, RoadSpec&);
void read_patches(const PartSource&, const Reader&, const YamlEntry&, RoadSpec&);
bool has_split(const RoadSpec&);

bool is_channel(const FieldRef&);  // of a driver: a Table
void read_driver(const Reader&, const YamlNode& map, const std::string& path, DriverSpec&);
// What the channels must not do together, or with this car.
void check_driver(const CarSpec&, const Place&, const std::string& path, Errors&);

}  // namespace vdsim
