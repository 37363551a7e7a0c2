// Readers of the road and of the driver, used by scenario.cpp.
#pragma once
#include "vdsim/config/read.hpp"
#include "vdsim/config/scenario.hpp"

namespace vdsim {

void read_patches(const Reader&, const YamlEntry&, RoadSpec&);
bool has_split(const RoadSpec&);

void read_driver(const Reader&, const YamlNode& map, const std::string& path, DriverSpec&);
// What the channels must not do together, or with this car.
void check_driver(const CarSpec&, const Place&, const std::string& path, Errors&);

}  // namespace vdsim
