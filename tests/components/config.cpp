// SPDX-License-Identifier: Apache-2.0
// Component config: a car of the catalog with one value changed.
#include <cstdio>

#include <vdsim/config/catalog.hpp>
#include <vdsim/config/scenario.hpp>

int main() {
  vdsim::SceneChanges changes;
  changes.vehicle = "vehicle.fsk_formula";
  changes.set("chassis.mass=270");
  const vdsim::Catalog catalog(vdsim::Catalog::default_folder());
  std::printf("config: %g kg\n", vdsim::load_vehicle(catalog, changes).chassis.mass);
}
