#include "vdsim/config/tire_argument.hpp"

#include "vdsim/config/assignment.hpp"
#include "vdsim/config/vehicle.hpp"

namespace vdsim {
namespace {

std::optional<TireSpec> load_unchanged(const Catalog& catalog, const std::string& argument, Errors& errors) {
  const Place place{"--tire " + argument, 0, 0};
  auto part = load_part(catalog, {argument, "", place, ""}, "tire", errors);
  if (!part) return std::nullopt;
  return part->tire;
}

}  // namespace

std::optional<TireSpec> load_tire(const Catalog& catalog, const std::string& argument,
                                  const std::vector<std::string>& sets, Errors& errors) {
  const std::size_t before = errors.size();
  CarLayers car;  // four equal tires on the default chassis: overrides and their checks work as in a car
  const Slot& slot = *find_slot("tire");
  const auto tire = load_unchanged(catalog, argument, errors);
  if (tire)
    for (auto member : slot.tires) car.vehicle.*member = *tire;
  for (const std::string& text : sets) {
    const auto set = split_assignment("--set", text, errors);
    auto entry = set ? nest(*set, errors) : std::nullopt;
    if (!entry) continue;
    const Reader reader{set->shown, errors, &catalog.files()};
    if (entry->key != slot.name) {
      const std::string below = find_below(entry->key, fields_of(car.vehicle));
      if (below.starts_with("tire_fl."))
        errors.add({set->shown, 0, 0}, entry->key, "unknown key, did you mean 'tire." + below.substr(8) + "'?");
      else
        unknown_key(reader, *entry, "", {slot.name});
      continue;
    }
    YamlNode map;
    map.kind = YamlNode::Kind::map;
    map.entries.push_back(std::move(*entry));
    apply_overrides(reader, map, "", car);
  }
  if (tire && errors.size() == before) check_vehicle(car, Level::L2, {"--tire " + argument, 0, 0}, "", errors);
  if (errors.size() != before) return std::nullopt;
  return car.vehicle.tire_fl;
}

}  // namespace vdsim
