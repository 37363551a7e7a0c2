#include "vdsim/config/tire_argument.hpp"

#include "vdsim/config/assignment.hpp"
#include "vdsim/config/unread.hpp"
#include "vdsim/config/vehicle.hpp"

namespace vdsim {
namespace {

// Puts the part `name` on every wheel; "" puts none.
bool put_part(const Catalog& catalog, const char* slot, const std::string& name, CarLayers& car, Errors& errors) {
  if (name.empty()) return true;
  const std::size_t before = errors.size();
  const Place place{std::string("--") + slot + " " + name, 0, 0};
  const auto part = load_part(catalog, {name, "", place, ""}, slot, errors);
  if (part) set_part(car.vehicle, *find_slot(slot), *part, place, "", errors);
  if (part) car.layers.push_back(layer_of(*find_slot(slot), *part));
  return errors.size() == before;
}

}  // namespace

std::optional<TireSpec> load_tire(const Catalog& catalog, const TireArgument& in, Errors& errors,
                                  std::vector<std::string>* notes) {
  const std::size_t before = errors.size();
  CarLayers car;  // four equal tires on the default chassis: overrides and their checks work as in a car
  const Slot& slot = *find_slot("tire");
  if (put_part(catalog, "tire", in.tire, car, errors)) put_part(catalog, "surface", in.surface, car, errors);
  for (const std::string& text : in.sets) {
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
  if (errors.size() == before) check_vehicle(car, Level::L2, {"--tire " + in.tire, 0, 0}, "", errors);
  if (errors.size() != before) return std::nullopt;
  if (notes) *notes = unread_notes(unread_keys(car, std::nullopt), catalog.folder());
  return car.vehicle.tire_fl;
}

}  // namespace vdsim
