// SPDX-License-Identifier: Apache-2.0
// A car from parts, blueprint and overrides. Later layers win: part < blueprint < scene < command line.
// Tire keys go from general to specific whatever their order: tire (all four), tire_front/_rear, tire_fl ... tire_rr.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "vdsim/config/catalog.hpp"

namespace vdsim {

// A key of a car that takes a part: chassis, tire, tire_front, ...; slots() has them all.
struct Slot {
  const char *name, *type;
  int rank;                                    // 0 general ... 2 one corner
  std::vector<TireSpec VehicleSpec::*> tires;  // which of the four; empty for other types
};
const std::vector<Slot>& slots();
const Slot* find_slot(const std::string& name);
std::vector<std::string> slot_names();
std::vector<FieldRef> slot_fields(VehicleSpec&, const Slot&);  // of its first tire, where it has several
bool same(const TireSpec&, const TireSpec&);                   // in every value a user can write

// Where keys were written, so that a contradiction between two of them, or a key without effect, can be pointed at.
struct Layer {
  std::string file;
  YamlNode map;       // slot: {key: value}
  bool part = false;  // replaces what its slot had
};

struct CarLayers {
  VehicleSpec vehicle;
  std::vector<Layer> layers;
  std::vector<std::string> origin;  // "blueprint vehicle.sedan_comfort", "tire tire.lugre_on", in order
};

// One part into its slot; false after an error.
bool apply_part(const Catalog&, const Slot&, const Reference&, CarLayers&, Errors&);
// The same from the command line, --tire tire.rally; "" changes nothing.
bool apply_part_option(const Catalog&, const char* slot, const std::string& name, CarLayers&, Errors&);
void apply_parts(const Catalog&, const Reader&, const YamlNode& map, const std::string& folder, const std::string& path,
                 CarLayers&);
void apply_overrides(const Reader&, const YamlNode& map, const std::string& path, CarLayers&);
// Replaces the car, whatever it was; false after an error.
bool apply_blueprint(const Catalog&, const Reference&, CarLayers&, Errors&);
bool read_blueprint(const Catalog&, const std::string& file, CarLayers&, Errors&);
// `folder`: where relative paths start.
bool read_blueprint(const Catalog&, const Reader&, const YamlNode& root, const std::string& folder, CarLayers&);

// Contradictions between keys that are each in range.
void check_part(const Part&, const Reader&, const YamlNode& body);
void check_vehicle(const CarLayers&, Level, const Place& fallback, const std::string& path, Errors&);

// Of CarLayers::origin, for the reader: "vehicle.sedan_comfort"; "tire.rally", or where wheels differ
// "front tire.sport_grip, rear tire.rally". "" where a file wrote the values out.
std::string vehicle_name(const std::vector<std::string>& origin);
std::string tire_name(const std::vector<std::string>& origin);

// The resolved car as YAML; equal tires are written once.
std::string vehicle_text(const VehicleSpec&, int indent, bool with_units = false);
std::string absent_blocks_text();  // the values of the blocks that it leaves out where a car has none of them

}  // namespace vdsim
