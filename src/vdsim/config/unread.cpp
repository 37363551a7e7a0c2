// SPDX-License-Identifier: Apache-2.0
#include "vdsim/config/unread.hpp"

#include <algorithm>
#include <map>

#include "vdsim/engine/readers.hpp"
#include "vdsim/engine/validate.hpp"

namespace vdsim {
namespace {

struct WrittenKey {
  Place place;
  std::string slot, key;  // as written: "tire_front", "lugre.sigma2"
};
// Keys below one part of the car, the last writer of each. Tires: by corner.
using WrittenPart = std::map<std::string, WrittenKey>;
using FieldReaders = std::map<std::string, Readers>;

void collect_readers(const std::vector<FieldRef>& fields, const std::string& prefix, const Readers& block,
                     FieldReaders& out) {
  for (const FieldRef& field : fields) {
    const Readers readers = within(block, field);
    if (field.kind == FieldRef::Kind::block)
      collect_readers(field.block(), prefix + field.name + ".", readers, out);
    else
      out[prefix + field.name] = readers;
  }
}
FieldReaders readers_of(const std::vector<FieldRef>& fields) {
  FieldReaders out;
  collect_readers(fields, "", {}, out);
  return out;
}

void collect_written(const YamlNode& map, const WrittenKey& at, const std::string& prefix, WrittenPart& out) {
  for (const YamlEntry& entry : map.entries) {
    if (entry.value.kind == YamlNode::Kind::map) {
      collect_written(entry.value, {at.place, at.slot, at.key + entry.key + "."}, prefix + entry.key + ".", out);
      continue;
    }
    out[prefix + entry.key] = {{at.place.file, entry.line, entry.column}, at.slot, at.key + entry.key};
  }
}

bool is_list_of_all(const YamlNode& map, const std::vector<FieldRef>& fields) {
  return !fields.empty() && std::all_of(fields.begin(), fields.end(), [&](const FieldRef& field) {
    return field.kind == FieldRef::Kind::other || map.find(field.name);
  });
}

std::vector<FieldRef> part_fields(VehicleSpec& vehicle, const std::string& name) {
  for (const FieldRef& field : fields_of(vehicle))
    if (name == field.name)
      return name.starts_with("tire_") ? tire_fields(*static_cast<TireSpec*>(field.data)) : field.block();
  return {};
}

// The parts of a car that a slot fills, by their names in VehicleSpec.
std::vector<std::string> parts_behind(const Slot& slot) {
  if (slot.tires.empty()) return {slot.name};
  std::vector<std::string> out;
  for (const Slot& corner : slots())
    if (corner.rank == 2 && std::count(slot.tires.begin(), slot.tires.end(), corner.tires[0]))
      out.push_back(corner.name);
  return out;
}

void write_layer(const Layer& layer, VehicleSpec& vehicle, std::map<std::string, WrittenPart>& car) {
  for (const YamlEntry& entry : layer.map.entries) {
    const Slot* slot = find_slot(entry.key);
    if (!slot) continue;
    const std::string prefix = std::string(slot->type) == "surface" ? "surface." : "";
    for (const std::string& name : parts_behind(*slot)) {
      WrittenPart& part = car[name];
      if (layer.part) std::erase_if(part, [&](const auto& each) { return each.first.starts_with(prefix); });
      if (!is_list_of_all(entry.value, part_fields(vehicle, name)))
        collect_written(entry.value, {{layer.file, 0, 0}, entry.key, ""}, prefix, part);
    }
  }
}

ReaderBits chosen_by(const Part& part) {
  if (part.type == "tire") return chosen(part.tire);
  if (part.type == "steering") return chosen(part.steering);
  if (part.type == "drivetrain") return chosen(part.drivetrain);
  if (part.type == "powertrain") return chosen(part.powertrain);
  if (part.type == "control") return chosen(part.control);
  return ~ReaderBits{0};
}

}  // namespace

std::vector<UnreadKey> unread_keys(const CarLayers& layers, std::optional<Level> level) {
  VehicleSpec vehicle = layers.vehicle;
  std::map<std::string, WrittenPart> written;
  for (const Layer& layer : layers.layers) write_layer(layer, vehicle, written);
  const ReaderBits car = chosen(vehicle) & (level ? chosen(*level) : ~ReaderBits{0});
  std::map<std::pair<std::string, std::string>, UnreadKey> out;  // by file and path
  std::vector<std::pair<std::string, std::string>> read;         // by another tire of the same slot
  for (const FieldRef& block : fields_of(vehicle)) {
    const std::string name = block.name;
    const ReaderBits here = name.starts_with("tire_") ? car & chosen(*static_cast<TireSpec*>(block.data)) : car;
    const FieldReaders readers = readers_of(part_fields(vehicle, name));
    for (const auto& [key, by] : written[name]) {
      const auto field = readers.find(key);
      if (field == readers.end()) continue;
      const std::pair<std::string, std::string> id{by.place.file, by.slot + "." + by.key};
      if (reads(field->second, here))
        read.push_back(id);
      else
        out[id] = {by.place, id.second, why_unread(field->second, here)};
    }
  }
  for (const auto& id : read) out.erase(id);
  std::vector<UnreadKey> keys;
  for (const auto& [id, key] : out) keys.push_back(key);
  return keys;
}

std::vector<UnreadKey> unread_keys(const Part& from) {
  Part part = from;
  const ReaderBits car = chosen_by(part);
  std::vector<UnreadKey> out;
  if (is_list_of_all(part.written, part.body())) return out;
  WrittenPart written;
  collect_written(part.written, {{part.file, 0, 0}, part.type, ""}, "", written);
  const FieldReaders readers = readers_of(part.body());
  for (const auto& [key, by] : written) {
    const auto field = readers.find(key);
    if (field != readers.end() && !reads(field->second, car))
      out.push_back({by.place, part.type + "." + key, why_unread(field->second, car)});
  }
  return out;
}

std::vector<std::string> unread_notes(const std::vector<UnreadKey>& keys, const std::string& but) {
  struct Group {
    const UnreadKey* first;
    std::string paths;
    int count;
  };
  std::vector<Group> groups;
  for (const UnreadKey& key : keys) {
    if (!but.empty() && key.place.file.starts_with(but + "/")) continue;
    const auto found = std::find_if(groups.begin(), groups.end(), [&](const Group& group) {
      return group.first->place.file == key.place.file && group.first->why == key.why;
    });
    if (found == groups.end())
      groups.push_back({&key, key.path, 1});
    else
      found->paths += ", " + key.path, ++found->count;
  }
  std::vector<std::string> out;
  for (const Group& group : groups) {
    const Place& place = group.first->place;
    const InputError line{place, group.paths,
                          (group.count > 1 ? "have no effect " : "has no effect ") + group.first->why};
    out.push_back(line.text());
  }
  return out;
}

}  // namespace vdsim
