// SPDX-License-Identifier: Apache-2.0
// Numbers of a car and its road that may differ from car to car of a batch, by path.
#pragma once
#include <string>
#include <vector>

#include "vdsim/engine/car.hpp"
#include "vdsim/engine/reflect.hpp"

namespace vdsim {

// Where a number stands in a VehicleSpec or a RoadSpec; "tire.x" stands in four places.
struct CarField {
  std::string path, unit;
  bool of_road = false;
  std::vector<std::size_t> places;  // bytes from the start of the spec
  Range range = any_finite();
  double value = 0;  // of the setup

  void set(VehicleSpec&, RoadSpec&, double) const;
};
// "chassis.mass", "tire.lugre.sigma0", "tire_fl.lugre.sigma0", "chassis.spring_stiffness[0]", "mu". Throws BadInput with the nearest.
CarField find_field(const CarSetup&, const std::string& path);

}  // namespace vdsim
