// SPDX-License-Identifier: Apache-2.0
#include "vdsim/config/vehicle.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "vdsim/config/files.hpp"
#include "vdsim/config/tire_part.hpp"
#include "vdsim/config/write.hpp"
#include "vdsim/engine/validate.hpp"

namespace vdsim {
namespace {

using V = VehicleSpec;

Faults contradictions(const Part& part) {
  if (part.type == "chassis") return contradictions(part.chassis);
  if (part.type == "tire") return contradictions(part.tire);
  if (part.type == "powertrain") return contradictions(part.powertrain);
  if (part.type == "control") return contradictions(part.control);
  if (part.type == "actuator") return contradictions(part.actuator);
  return {};
}

// The last override that wrote one of the keys of `slot`.
Place find_place(const CarLayers& car, const std::string& slot, const std::vector<std::string>& keys,
                 const Place& fallback) {
  for (auto layer = car.layers.rbegin(); layer != car.layers.rend(); ++layer)
    for (const YamlEntry& block : layer->map.entries) {
      if (layer->part) continue;
      if (block.key != slot && !(slot == "tire" && block.key.starts_with("tire"))) continue;
      for (const std::string& key : keys)
        for (const YamlEntry& entry : block.value.entries)
          if (entry.key == key) return {layer->file, entry.line, entry.column};
    }
  return fallback;
}

const std::vector<std::string>& later_keys(const char* type) {
  static const std::vector<std::string> none;
  for (const PartType& each : part_types())
    if (std::string(each.name) == type) return each.later;
  return none;
}

// Entries of a map that name a slot, general ones first.
std::vector<const YamlEntry*> by_rank(const YamlNode& map) {
  std::vector<const YamlEntry*> out;
  for (const YamlEntry& entry : map.entries)
    if (find_slot(entry.key)) out.push_back(&entry);
  std::stable_sort(out.begin(), out.end(),
                   [](auto* a, auto* b) { return find_slot(a->key)->rank < find_slot(b->key)->rank; });
  return out;
}

void refuse_others(const Reader& reader, const YamlNode& map, const std::string& path) {
  for (const YamlEntry& entry : map.entries)
    if (!find_slot(entry.key))
      unknown_key(reader, entry, path, slot_names(), {"suspension", "susp", "body", "aero", "ride", "kinematics"});
}

void set_part(VehicleSpec& vehicle, const Slot& slot, const Part& part, const Place& place, const std::string& path,
              Errors& errors) {
  if (part.type == "surface" && vehicle.tire_fl.schema != TireSchema::rally_v1)
    errors.add(place, path, "a surface lies under rally tires, this car has none: use tire.rally");
  for (auto member : slot.tires) {
    if (part.type == "tire") vehicle.*member = part.tire;
    if (part.type == "surface") (vehicle.*member).rally.surface = part.surface;
  }
  if (part.type == "chassis") vehicle.chassis = part.chassis;
  if (part.type == "brake") vehicle.brake = part.brake;
  if (part.type == "steering") vehicle.steering = part.steering;
  if (part.type == "drivetrain") vehicle.drivetrain = part.drivetrain;
  if (part.type == "powertrain") vehicle.powertrain = part.powertrain;
  if (part.type == "control") vehicle.control = part.control;
  if (part.type == "actuator") vehicle.actuator = part.actuator;
  if (part.type == "sensors") vehicle.sensors = part.sensors;
}

}  // namespace

std::vector<FieldRef> slot_fields(VehicleSpec& vehicle, const Slot& slot) {
  if (std::string(slot.type) == "surface") return fields_of((vehicle.*slot.tires[0]).rally.surface);
  if (!slot.tires.empty()) return tire_fields(vehicle.*slot.tires[0]);
  for (const FieldRef& field : fields_of(vehicle))
    if (std::string(field.name) == slot.name) return field.block();
  return {};
}

bool same(const TireSpec& a, const TireSpec& b) {
  TireSpec left = a, right = b;
  return a.schema == b.schema && block_text(tire_fields(left), 0) == block_text(tire_fields(right), 0);
}

const std::vector<Slot>& slots() {
  static const std::vector<Slot> all{{"chassis", "chassis", 0, {}},
                                     {"tire", "tire", 0, {&V::tire_fl, &V::tire_fr, &V::tire_rl, &V::tire_rr}},
                                     {"tire_front", "tire", 1, {&V::tire_fl, &V::tire_fr}},
                                     {"tire_rear", "tire", 1, {&V::tire_rl, &V::tire_rr}},
                                     {"tire_fl", "tire", 2, {&V::tire_fl}},
                                     {"tire_fr", "tire", 2, {&V::tire_fr}},
                                     {"tire_rl", "tire", 2, {&V::tire_rl}},
                                     {"tire_rr", "tire", 2, {&V::tire_rr}},
                                     {"surface", "surface", 3, {&V::tire_fl, &V::tire_fr, &V::tire_rl, &V::tire_rr}},
                                     {"brake", "brake", 0, {}},
                                     {"steering", "steering", 0, {}},
                                     {"drivetrain", "drivetrain", 0, {}},
                                     {"powertrain", "powertrain", 0, {}},
                                     {"control", "control", 0, {}},
                                     {"actuator", "actuator", 0, {}},
                                     {"sensors", "sensors", 0, {}}};
  return all;
}

const Slot* find_slot(const std::string& name) {
  for (const Slot& slot : slots())
    if (name == slot.name) return &slot;
  return nullptr;
}

std::vector<std::string> slot_names() {
  std::vector<std::string> out;
  for (const Slot& slot : slots()) out.push_back(slot.name);
  return out;
}

static Layer layer_of(const Slot& slot, const Part& part) {
  Layer out{part.file, {}, true};
  out.map.kind = YamlNode::Kind::map;
  out.map.entries.push_back({slot.name, 0, 0, part.written});
  return out;
}

bool apply_part(const Catalog& catalog, const Slot& slot, const Reference& reference, CarLayers& car, Errors& errors) {
  const std::size_t before = errors.size();
  const auto part = load_part(catalog, reference, slot.type, errors);
  if (!part) return false;
  set_part(car.vehicle, slot, *part, reference.place, reference.path, errors);
  car.layers.push_back(layer_of(slot, *part));
  car.origin.push_back(fmt::format("{} {}", slot.name, part->id));
  return errors.size() == before;
}

bool apply_part_option(const Catalog& catalog, const char* slot, const std::string& name, CarLayers& car,
                       Errors& errors) {
  const Place place{fmt::format("--{} {}", slot, name), 0, 0};
  return name.empty() || apply_part(catalog, *find_slot(slot), {name, "", place, ""}, car, errors);
}

void apply_parts(const Catalog& catalog, const Reader& reader, const YamlNode& map, const std::string& folder,
                 const std::string& path, CarLayers& car) {
  refuse_others(reader, map, path);
  for (const YamlEntry* entry : by_rank(map)) {
    const std::string where = join_path(path, entry->key);
    const auto name = read_word(reader, *entry, where);
    if (!name) continue;
    apply_part(catalog, *find_slot(entry->key), {*name, folder, reader.at(entry->value), where}, car, reader.errors);
  }
}

void apply_overrides(const Reader& reader, const YamlNode& map, const std::string& path, CarLayers& car) {
  refuse_others(reader, map, path);
  for (const YamlEntry* entry : by_rank(map)) {
    const std::string where = join_path(path, entry->key);
    if (!is_map(reader, entry->value, where, reader.at(*entry))) continue;
    const Slot& slot = *find_slot(entry->key);
    VehicleSpec trial = car.vehicle;  // one pass that reports; then each tire gets the same keys in silence
    const bool tire = std::string(slot.type) == "tire";
    if (tire)
      read_tire(reader, entry->value, trial.*slot.tires[0], where);
    else
      read_block(reader, entry->value, slot_fields(trial, slot), where, later_keys(slot.type));
    if (slot.tires.empty()) {
      car.vehicle = trial;
      continue;
    }
    Errors silent;
    for (auto member : slot.tires) {
      if (tire)
        read_tire({reader.file, silent, reader.files}, entry->value, car.vehicle.*member, where);
      else
        read_block({reader.file, silent}, entry->value, fields_of((car.vehicle.*member).rally.surface), where);
    }
  }
  car.layers.push_back({reader.file, map});
}

bool read_blueprint(const Catalog& catalog, const std::string& file, CarLayers& car, Errors& errors) {
  const YamlNode* root = catalog.files().yaml(file, errors);
  return root && read_blueprint(catalog, {file, errors, &catalog.files()}, *root, folder_of(file), car);
}

bool read_blueprint(const Catalog& catalog, const Reader& reader, const YamlNode& root, const std::string& folder,
                    CarLayers& car) {
  const std::size_t before = reader.errors.size();
  if (!is_map(reader, root, "", {reader.file, 1, 1})) return false;
  car = {};
  std::string id;
  for (const YamlEntry& entry : root.entries) {
    if (entry.key == "id") {
      read_name(reader, entry, entry.key, id);
    } else if (entry.key == "label") {
      read_word(reader, entry, entry.key);
    } else if (entry.key == "version") {
      read_integer(reader, entry, "version", at_least(1));
    } else if (entry.key == "parts" || entry.key == "overrides") {
      is_map(reader, entry.value, entry.key, reader.at(entry));
    } else if (entry.key != "tags") {
      unknown_key(reader, entry, "", {"id", "version", "label", "tags", "parts", "overrides"});
    }
  }
  car.origin.push_back("blueprint " + id);
  for (const char* key : {"id", "parts"})
    if (!root.find(key)) reader.fail(root, key, "missing key");
  if (const YamlNode* parts = root.find("parts")) apply_parts(catalog, reader, *parts, folder, "parts", car);
  if (const YamlNode* overrides = root.find("overrides")) apply_overrides(reader, *overrides, "overrides", car);
  return reader.errors.size() == before;
}

bool apply_blueprint(const Catalog& catalog, const Reference& reference, CarLayers& car, Errors& errors) {
  const auto file = locate(reference, catalog.blueprints(), "blueprint", errors);
  return file && read_blueprint(catalog, *file, car, errors);
}

void check_part(const Part& part, const Reader& reader, const YamlNode& body) {
  for (const Fault& found : contradictions(part)) {
    Place place = reader.at(body);
    for (auto key = found.keys.rbegin(); key != found.keys.rend(); ++key)
      for (const YamlEntry& entry : body.entries)
        if (entry.key == *key) place = reader.at(entry);
    reader.errors.add(place, join_path(part.type, found.keys[0]), found.what);
  }
}

void check_vehicle(const CarLayers& car, Level level, const Place& fallback, const std::string& path, Errors& errors) {
  for (const Fault& found : contradictions(car.vehicle, level))
    errors.add(found.slot.empty() ? fallback : find_place(car, found.slot, found.keys, fallback),
               join_path(path, found.path()), found.what);
}

std::string vehicle_name(const std::vector<std::string>& origin) {
  std::string out;
  for (const std::string& line : origin)
    if (line.starts_with("blueprint ")) out = line.substr(line.find(' ') + 1);
  return out;
}

std::string tire_name(const std::vector<std::string>& origin) {
  constexpr TireSpec V::*wheels[4] = {&V::tire_fl, &V::tire_fr, &V::tire_rl, &V::tire_rr};
  std::string names[4];
  for (const std::string& line : origin) {
    const std::size_t space = line.find(' ');
    const Slot* slot = find_slot(line.substr(0, space));
    for (std::size_t i = 0; i < 4; ++i)
      if (slot && std::string_view(slot->type) == "tire" &&
          std::find(slot->tires.begin(), slot->tires.end(), wheels[i]) != slot->tires.end())
        names[i] = line.substr(space + 1);
  }
  const bool front = names[0] == names[1], rear = names[2] == names[3];
  if (front && rear && names[0] == names[2]) return names[0];
  const auto axle = [&](const char* name, std::size_t i, bool one) {
    return one ? fmt::format("{} {}", name, names[i]) : fmt::format("{} {} | {}", name, names[i], names[i + 1]);
  };
  return axle("front", 0, front) + ", " + axle("rear", 2, rear);
}

// Written only where present.
static std::vector<std::pair<const char*, std::vector<FieldRef>>> optional_blocks(VehicleSpec& v) {
  return {{"powertrain", fields_of(v.powertrain)},
          {"control", fields_of(v.control)},
          {"actuator", fields_of(v.actuator)},
          {"sensors", fields_of(v.sensors)}};
}

std::string vehicle_text(const VehicleSpec& spec, int indent, bool with_units) {
  VehicleSpec v = spec;
  const std::string pad(static_cast<std::size_t>(indent), ' ');
  const Units units = with_units ? Units::as_comments : Units::none;
  std::string out;
  const auto block = [&](const char* name, const std::vector<FieldRef>& fields) {
    out += fmt::format("{}{}:\n", pad, name) + block_text(fields, indent + 2, units);
  };
  const auto tire = [&](const char* name, TireSpec& t) {
    out += fmt::format("{}{}:\n", pad, name);
    if (t.schema != TireSchema::pacejka_mf96_v1) out += fmt::format("{}  schema: {}\n", pad, schema_name(t));
    out += block_text(tire_fields(t), indent + 2, units);
  };
  block("chassis", fields_of(v.chassis));
  const bool front = same(v.tire_fl, v.tire_fr), rear = same(v.tire_rl, v.tire_rr);
  if (front && rear && same(v.tire_fl, v.tire_rl)) {
    tire("tire", v.tire_fl);
  } else {
    if (front) tire("tire_front", v.tire_fl);
    if (rear) tire("tire_rear", v.tire_rl);
    if (!front) tire("tire_fl", v.tire_fl), tire("tire_fr", v.tire_fr);
    if (!rear) tire("tire_rl", v.tire_rl), tire("tire_rr", v.tire_rr);
  }
  block("brake", fields_of(v.brake));
  block("steering", fields_of(v.steering));
  block("drivetrain", fields_of(v.drivetrain));
  VehicleSpec plain;
  const auto none = optional_blocks(plain);
  for (std::size_t i = 0; const auto& [name, fields] : optional_blocks(v))
    if (const bool other = block_text(fields, 0) != block_text(none[i++].second, 0);
        other || name == std::string_view("powertrain"))  // the usual car, which this is read over, has one
      block(name, fields);
  return out;
}

std::string absent_blocks_text() {
  VehicleSpec plain;
  std::string out;
  for (const auto& [name, fields] : optional_blocks(plain)) out += fmt::format("{}:\n", name) + block_text(fields, 2);
  return out;
}

}  // namespace vdsim
