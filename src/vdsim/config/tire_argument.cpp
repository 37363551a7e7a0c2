// SPDX-License-Identifier: Apache-2.0
#include "vdsim/config/tire_argument.hpp"

#include "vdsim/config/assignment.hpp"
#include "vdsim/config/unread.hpp"
#include "vdsim/config/vehicle.hpp"
#include "vdsim/engine/reflect.hpp"

namespace vdsim {

namespace {

// --set and the options that stand for one, in the order in which they act.
std::vector<Assignment> assignments(const TireArgument& in, const CarLayers& car, Errors& errors) {
  std::vector<Assignment> out;
  const bool rally = car.vehicle.tire_fl.schema == TireSchema::rally_v1;
  const auto add = [&](const char* option, const std::optional<double>& value, const char* key, double set) {
    if (value && rally) out.push_back({option + (" " + number_text(*value)), key, number_text(set)});
  };
  add("--temperature", in.temperature, "tire.start.tread_temperature", in.temperature.value_or(0));
  add("--temperature", in.temperature, "tire.start.core_temperature", in.temperature.value_or(0));
  add("--wear", in.wear, "tire.start.tread", 1 - in.wear.value_or(0));
  add("--pressure", in.pressure, "tire.start.pressure", in.pressure.value_or(0));
  for (const std::string& text : in.sets)
    if (const auto set = split_assignment("--set", text, errors)) out.push_back(*set);
  return out;
}

// One assignment onto the tire of `car`.
void apply_assignment(const Catalog& catalog, const Assignment& set, CarLayers& car, Errors& errors) {
  const Slot& slot = *find_slot("tire");
  auto entry = nest(set, errors);
  if (!entry) return;
  const Reader reader{set.shown, errors, &catalog.files()};
  if (entry->key != slot.name) {
    const std::string below = find_below(entry->key, fields_of(car.vehicle));
    if (below.starts_with("tire_fl."))
      errors.add({set.shown, 0, 0}, entry->key, "unknown key, did you mean 'tire." + below.substr(8) + "'?");
    else
      unknown_key(reader, *entry, "", {slot.name});
    return;
  }
  YamlNode map;
  map.kind = YamlNode::Kind::map;
  map.entries.push_back(std::move(*entry));
  apply_overrides(reader, map, "", car);
}

}  // namespace

std::optional<TireSpec> load_tire(const Catalog& catalog, const TireArgument& in, Errors& errors,
                                  std::vector<std::string>* notes) {
  const std::size_t before = errors.size();
  CarLayers car;  // four equal tires on the default chassis: overrides and their checks work as in a car
  if (apply_part_option(catalog, "tire", in.tire, car, errors))
    apply_part_option(catalog, "surface", in.surface, car, errors);
  const bool used = in.temperature || in.wear || in.pressure;
  if (used && errors.size() == before && car.vehicle.tire_fl.schema != TireSchema::rally_v1)
    errors.add({"--tire " + in.tire, 0, 0}, "",
               "--temperature, --wear and --pressure are of rally tires; a .tir file takes pressure row by row");
  for (const Assignment& set : assignments(in, car, errors)) apply_assignment(catalog, set, car, errors);
  if (errors.size() == before) check_vehicle(car, Level::L2, {"--tire " + in.tire, 0, 0}, "", errors);
  if (errors.size() != before) return std::nullopt;
  if (notes) *notes = unread_notes(unread_keys(car, std::nullopt), catalog.folder());
  return car.vehicle.tire_fl;
}

}  // namespace vdsim
