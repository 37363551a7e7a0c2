// SPDX-License-Identifier: Apache-2.0
#include "vdsim/config/scenario.hpp"
#include "vdsim/config/plausible.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "vdsim/config/files.hpp"
#include "vdsim/config/road_map.hpp"
#include "vdsim/config/scenario_read.hpp"
#include "vdsim/config/terrain.hpp"
#include "vdsim/config/unread.hpp"
#include "vdsim/config/vehicle.hpp"
#include "vdsim/config/write.hpp"
#include "vdsim/engine/validate.hpp"

namespace vdsim {
namespace {

using Kind = YamlNode::Kind;

using Names = std::vector<std::string>;
const Names kLaterSceneKeys{"comms"};

Names joined(Names first, const Names& then) {
  first.insert(first.end(), then.begin(), then.end());
  return first;
}

// --- scene keys that --set can change too: those of scene_value_names()

bool is_count(const FieldRef& field) {
  return field.kind == FieldRef::Kind::integer;
}  // patches in use: not the user's

bool read_timing_or_road(const PartSource& parts, const Reader& reader, const YamlEntry& entry, Scenario& scene) {
  if (entry.key == "surface") {
    read_surface(parts, reader, entry, entry.key, scene.road.surface);
    return true;
  }
  if (entry.key == "sections" || entry.key == "patches") {
    (entry.key == "sections" ? read_sections : read_patches)(parts, reader, entry, scene.road);
    return true;
  }
  if (entry.key == "solver") {
    if (is_map(reader, entry.value, entry.key, reader.at(entry)))
      read_block(reader, entry.value, fields_of(scene.solver), entry.key);
    return true;
  }
  for (const auto& fields : {fields_of(scene.timing), fields_of(scene.road)})
    for (const FieldRef& field : fields)
      if (entry.key == field.name && !is_count(field)) {
        read_field(reader, entry, field, entry.key);
        return true;
      }
  return false;
}

// --- cars: keys that --set can change too, those of car_value_names()

bool read_car_value(const Reader& reader, const YamlEntry& entry, const std::string& path, CarSpec& car) {
  if (entry.key == "level") {
    const std::vector<std::string> names = enum_names<Level>();
    const std::string& text = entry.value.text;
    if (text == "L0" || text == "L4")
      reader.errors.add(reader.at(entry.value), path,
                        fmt::format("level {} is not there yet; valid: {}", text, fmt::join(names, ", ")));
    else if (const auto choice = read_choice(reader, entry, path, names))
      car.level = static_cast<Level>(*choice);
    return true;
  }
  if (entry.key == "driver") {
    if (is_map(reader, entry.value, path, reader.at(entry))) read_driver(reader, entry.value, path, car.driver);
    return true;
  }
  for (const FieldRef& field : fields_of(car.start))
    if (entry.key == field.name) {
      read_field(reader, entry, field, path);
      return true;
    }
  return false;
}

void read_control(const Reader& reader, const YamlEntry& entry, const std::string& path, const std::string& folder,
                  CarSpec& car) {
  if (entry.value.kind == Kind::map) {
    read_controller(reader, entry, path, folder, car.controller);
    car.control = Control::external;
  } else if (const auto choice = read_choice(reader, entry, path, enum_names<Control>())) {
    car.control = static_cast<Control>(*choice), car.controller = {};
  }
}

struct CarDraft {
  CarSpec spec;
  CarLayers car;
  Place place, driver_place;
  std::string path;
};

// Rally tires have their ground with them; what is under other tires lies on the road.
bool on_rally_tires(const CarLayers& car) { return car.vehicle.tire_fl.schema == TireSchema::rally_v1; }

// The car as the scene has it: blueprint, then parts, then overrides, whatever their order in the file.
void read_vehicle(const Catalog& catalog, const Reader& reader, const YamlNode& node, const std::string& folder,
                  CarDraft& draft) {
  Reference blueprint{"vehicle.sedan_comfort", "", draft.place, draft.path + ".blueprint"};
  for (const YamlEntry& entry : node.entries)
    if (entry.key == "blueprint") {
      const auto word = read_word(reader, entry, blueprint.path);
      if (word) blueprint = {*word, folder, reader.at(entry.value), blueprint.path};
    }
  // without a catalog there is no usual car: what the overrides do not say is as in the tables
  if (node.find("blueprint") || !catalog.blueprints().empty())
    apply_blueprint(catalog, blueprint, draft.car, reader.errors);
  for (const char* key : {"parts", "overrides"})
    for (const YamlEntry& entry : node.entries) {
      const std::string path = join_path(draft.path, key);
      if (entry.key != key || !is_map(reader, entry.value, path, reader.at(entry))) continue;
      if (entry.key == "parts")
        apply_parts(catalog, reader, entry.value, folder, path, draft.car);
      else
        apply_overrides(reader, entry.value, path, draft.car);
    }
}

// `start: {tire: {...}}`: the block `start` of every tire of the car.
void read_start(const Reader& reader, const YamlEntry& entry, const std::string& path, CarLayers& car) {
  if (!is_map(reader, entry.value, path, reader.at(entry))) return;
  for (const YamlEntry& inner : entry.value.entries) {
    const std::string where = join_path(path, inner.key);
    if (inner.key != "tire") {
      unknown_key(reader, inner, path, {"tire"});
    } else if (!on_rally_tires(car)) {
      reader.errors.add(reader.at(inner), where, "rally tires have temperature, wear and pressure, this car has none");
    } else if (is_map(reader, inner.value, where, reader.at(inner))) {
      VehicleSpec& v = car.vehicle;
      read_block(reader, inner.value, fields_of(v.tire_fl.rally.start), where);
      v.tire_fr.rally.start = v.tire_rl.rally.start = v.tire_rr.rally.start = v.tire_fl.rally.start;
    }
  }
}

// `sensors: id` of a car, or of the scene for every car that has none of its own.
void read_sensors(const Catalog& catalog, const Reader& reader, const YamlEntry& entry, const std::string& folder,
                  const std::string& path, CarLayers& car) {
  const auto word = read_word(reader, entry, path);
  const Slot& slot = *find_slot("sensors");
  if (word) apply_part(catalog, slot, {*word, folder, reader.at(entry.value), path}, car, reader.errors);
}

void change_vehicle(const Catalog& catalog, const SceneChanges& changes, CarLayers& car, Errors& errors) {
  if (!changes.vehicle.empty()) {
    const Place place{"--vehicle " + changes.vehicle, 0, 0};
    apply_blueprint(catalog, {changes.vehicle, "", place, ""}, car, errors);
  }
  apply_part_option(catalog, "tire", changes.tire, car, errors);
  if (on_rally_tires(car)) apply_part_option(catalog, "surface", changes.surface, car, errors);
}

void read_car(const Catalog& catalog, const Reader& reader, const YamlNode& node, const std::string& folder,
              const SceneChanges& changes, const YamlEntry* sensors, CarDraft& draft) {
  static const Names own{"id", "blueprint", "parts", "overrides", "start", "control", "sensors"};
  static const Names keys = joined(own, car_value_names());
  if (!is_map(reader, node, draft.path, reader.at(node))) return;
  for (const YamlEntry& entry : node.entries) {
    const std::string path = join_path(draft.path, entry.key);
    if (entry.key == "driver") draft.driver_place = reader.at(entry);
    if (entry.key == "id")
      read_name(reader, entry, path, draft.spec.id);
    else if (entry.key == "control")
      read_control(reader, entry, path, folder, draft.spec);
    else if (std::find(own.begin(), own.end(), entry.key) == own.end() &&
             !read_car_value(reader, entry, path, draft.spec))
      unknown_key(reader, entry, draft.path, keys);
  }
  if (!node.find("id")) reader.fail(node, join_path(draft.path, "id"), "missing key");
  read_vehicle(catalog, reader, node, folder, draft);
  if (sensors && !draft.car.vehicle.sensors.enabled && !node.find("sensors"))
    read_sensors(catalog, reader, *sensors, folder, "sensors", draft.car);
  for (const YamlEntry& entry : node.entries)
    if (entry.key == "sensors")
      read_sensors(catalog, reader, entry, folder, join_path(draft.path, "sensors"), draft.car);
  change_vehicle(catalog, changes, draft.car, reader.errors);
  for (const YamlEntry& entry : node.entries)
    if (entry.key == "start") read_start(reader, entry, join_path(draft.path, "start"), draft.car);
}

// --- sets

struct ParsedSet {
  std::string shown;
  YamlEntry entry;  // path a.b = v as a: {b: v}
};

int rank_of(const ParsedSet& set) {
  const Slot* slot = find_slot(set.entry.key);
  return slot ? slot->rank : 0;
}

std::vector<ParsedSet> parse_sets(const SceneChanges& changes, Errors& errors) {
  std::vector<ParsedSet> out;
  for (const Assignment& set : changes.sets)
    if (auto entry = nest(set, errors)) out.push_back({set.shown, std::move(*entry)});
  std::stable_sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return rank_of(a) < rank_of(b); });
  return out;
}

bool set_on_car(const Catalog& catalog, const Reader& reader, const YamlEntry& entry, CarDraft& draft) {
  // a word, or an FMU: who drives; any other block: the part
  if (entry.key == "control" && (entry.value.kind == Kind::scalar || is_controller(entry.value))) {
    read_control(reader, entry, entry.key, "", draft.spec);
    return true;
  }
  const Slot* slot = find_slot(entry.key);
  if (slot && entry.value.kind == Kind::scalar) {  // a word: another part
    if (const auto name = read_word(reader, entry, entry.key))
      apply_part(catalog, *slot, {*name, "", {reader.file, 0, 0}, entry.key}, draft.car, reader.errors);
    return true;
  }
  if (slot) {
    YamlNode map;
    map.kind = Kind::map;
    map.entries.push_back(entry);
    apply_overrides(reader, map, "", draft.car);
    return true;
  }
  if (entry.key == "driver") draft.driver_place = {reader.file, 0, 0};
  return read_car_value(reader, entry, entry.key, draft.spec);
}

Names settable_names(const std::vector<CarDraft>& cars) {
  Names names = joined(slot_names(), joined(scene_value_names(), car_value_names()));
  for (const CarDraft& draft : cars) names.push_back(draft.spec.id);
  return names;
}

bool all_on_rally_tires(const std::vector<CarDraft>& cars) {
  return std::all_of(cars.begin(), cars.end(), [](const CarDraft& draft) { return on_rally_tires(draft.car); });
}
// --surface of a scene in which some car has other tires: it lies on the road.
void change_road(const Catalog& catalog, const SceneChanges& changes, const std::vector<CarDraft>& cars, RoadSpec& road,
                 Errors& errors) {
  if (changes.surface.empty() || all_on_rally_tires(cars)) return;
  const Place place{"--surface " + changes.surface, 0, 0};
  if (const auto part = load_part(catalog, {changes.surface, "", place, ""}, "surface", errors))
    road.surface = all_of(part->surface);
}

void apply_set(const Catalog& catalog, const ParsedSet& set, Scenario& scene, std::vector<CarDraft>& cars,
               Errors& errors) {
  const Reader reader{set.shown, errors, &catalog.files()};
  const bool of_cars = set.entry.key == "surface" && all_on_rally_tires(cars);
  if (!of_cars && read_timing_or_road({catalog, ""}, reader, set.entry, scene)) return;
  bool done = false;
  for (CarDraft& draft : cars) {
    if (set.entry.key != draft.spec.id) {
      done |= set_on_car(catalog, reader, set.entry, draft);
      continue;
    }
    done = true;
    if (!is_map(reader, set.entry.value, set.entry.key, {set.shown, 0, 0})) continue;
    for (const YamlEntry& inner : set.entry.value.entries)
      if (!set_on_car(catalog, reader, inner, draft)) unknown_key(reader, inner, set.entry.key, settable_names({}));
  }
  if (done) return;
  Scenario blank;
  CarSpec car;
  std::string below = find_below(set.entry.key, fields_of(car.vehicle));
  if (below.empty()) below = find_below(set.entry.key, fields_of(blank.road));
  if (below.starts_with("tire_fl.")) below.replace(0, 8, "tire.");
  if (set.entry.key == "dt" || set.entry.key == "integrator") below = "solver." + set.entry.key;
  if (below.empty())
    unknown_key(reader, set.entry, "", settable_names(cars), kLaterSceneKeys);
  else
    errors.add({set.shown, 0, 0}, set.entry.key, fmt::format("unknown key, did you mean '{}'?", below));
}

// --- the whole

void read_fleet(const Catalog& catalog, const Reader& reader, const YamlEntry& entry, const std::string& folder,
                const SceneChanges& changes, const YamlEntry* sensors, std::vector<CarDraft>& cars) {
  const std::size_t n = entry.value.items.size();
  if (entry.value.kind != Kind::list || n == 0 || n > 1000) {
    reader.errors.add(reader.at(entry), "fleet",
                      fmt::format("expected a list of 1 to 1000 cars, found {}",
                                  entry.value.kind == Kind::list ? fmt::format("{}", n) : describe(entry.value)));
    return;
  }
  for (std::size_t i = 0; i < n; ++i) {
    const YamlNode& node = entry.value.items[i];
    CarDraft draft;
    draft.place = draft.driver_place = reader.at(node);
    draft.path = fmt::format("fleet[{}]", i);
    read_car(catalog, reader, node, folder, changes, sensors, draft);
    for (const CarDraft& other : cars)
      if (!draft.spec.id.empty() && other.spec.id == draft.spec.id)
        reader.fail(node, draft.path + ".id", fmt::format("'{}' is taken by {}", draft.spec.id, other.path));
    cars.push_back(std::move(draft));
  }
}

void read_head(const PartSource& parts, const Reader& reader, const YamlNode& root, Scenario& scene) {
  static const Names keys = joined({"id", "version", "label", "maps", "sensors", "fleet"}, scene_value_names());
  for (const YamlEntry& entry : root.entries) {
    if (entry.key == "id")
      read_name(reader, entry, "id", scene.id);
    else if (entry.key == "label")
      scene.label = read_word(reader, entry, "label").value_or("");
    else if (entry.key == "version")
      scene.version = read_integer(reader, entry, "version", at_least(1)).value_or(1);
    else if (entry.key == "maps")
      read_maps(parts, reader, entry, scene.maps, scene.road);
    else if (entry.key != "fleet" && entry.key != "sensors" && !read_timing_or_road(parts, reader, entry, scene))
      unknown_key(reader, entry, "", keys, kLaterSceneKeys);
  }
  for (const char* key : {"id", "fleet"})
    if (!root.find(key)) reader.errors.add(reader.at(root), key, "missing key");
  if (const YamlNode* split = root.find("split_mu"))
    for (const char* key : {"mu_left", "mu_right"})
      if (split->kind == Kind::map && !split->find(key))
        reader.fail(*split, std::string("split_mu.") + key, "missing key");
  if (const YamlNode* split = root.find("split_mu"); split && split->kind == Kind::map && !has_split(scene.road))
    reader.fail(*split, "split_mu", "one of mu_left and mu_right must be above 0");
}

// Contradictions are looked for only in values that are each right.
void finish_cars(std::vector<CarDraft>& cars, Scenario& scene, Errors& errors) {
  const bool clean = errors.empty();
  for (CarDraft& draft : cars) {
    draft.spec.vehicle = draft.car.vehicle;
    draft.spec.origin = draft.car.origin;
    if (clean) {
      check_vehicle(draft.car, draft.spec.level, draft.place, draft.path, errors);
      check_driver(draft.spec, draft.driver_place, draft.path, errors);
      const CarSpec& car = draft.spec;
      for (const Fault& found : contradictions(car.vehicle, scene.road, car.level))
        errors.add(draft.place, join_path(draft.path, found.path()), found.what);
      for (const Fault& found : validate_step(car.vehicle, car.level, scene.solver.integrator, scene.solver.dt))
        errors.add(draft.place, join_path(draft.path, found.path()), found.what);
    }
    scene.cars.push_back(std::move(draft.spec));
  }
}

// Channels of the driver of an external car: they are for `control: internal`.
void note_channels(const CarDraft& draft, const CarSpec& car, std::vector<std::string>& notes) {
  DriverSpec driver = car.driver;
  for (const FieldRef& field : fields_of(driver))
    if (car.control == Control::external && is_channel(field) && static_cast<const Table*>(field.data)->given())
      notes.push_back(fmt::format("{}: {}.driver.{}: has no effect with control {}", draft.place.file, draft.path,
                                  field.name, car.controller.given() ? "fmu" : "external"));
}

// Equal cars, and files that several cars name, are told of once.
std::vector<std::string> notes_of(const Catalog& catalog, const std::vector<CarDraft>& cars, const Scenario& scene) {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < cars.size(); ++i) note_channels(cars[i], scene.cars[i], out);
  for (std::size_t i = 0; i < cars.size(); ++i)
    for (const std::string& note : unread_notes(unread_keys(cars[i].car, scene.cars[i].level), catalog.folder()))
      if (std::find(out.begin(), out.end(), note) == out.end()) out.push_back(note);
  return out;
}

}  // namespace

std::vector<std::string> scene_value_names() {
  Scenario blank;
  std::vector<FieldRef> road = fields_of(blank.road);
  std::erase_if(road, is_count);
  return joined(joined({"solver"}, names_of(road)), names_of(fields_of(blank.timing)));
}

static void add_paths(const std::vector<FieldRef>& fields, const std::string& prefix, Names& out) {
  for (const FieldRef& field : fields)
    if (field.kind == FieldRef::Kind::block)
      add_paths(field.block(), prefix + field.name + ".", out);
    else
      out.push_back(prefix + field.name);
}

std::vector<std::string> settable_paths() {
  Names out = joined(scene_value_names(), car_value_names());
  for (const Slot& slot : slots()) {
    if (slot.rank > 1) continue;
    const std::string prefix = std::string(slot.name) + ".";
    for (const PartType& type : part_types()) {
      if (std::string_view(type.name) != slot.type) continue;
      Part part;
      set_type(part, type);
      add_paths(part.body(), prefix, out);
    }
  }
  DriverSpec driver;
  SolverSpec solver;
  add_paths(fields_of(driver), "driver.", out);
  add_paths(fields_of(solver), "solver.", out);
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

std::vector<std::string> car_value_names() {
  StartSpec start;
  return joined({"level", "driver"}, names_of(fields_of(start)));
}

Scenario read_scene(const Catalog& catalog, std::string_view text, const std::string& file, const std::string& folder,
                    const SceneChanges& changes, Errors& errors) {
  const auto root = parse_yaml(text, file, errors);
  return root ? read_scene(catalog, *root, file, folder, changes, errors) : Scenario{};
}

Scenario read_scene(const Catalog& catalog, const YamlNode& root, const std::string& file, const std::string& folder,
                    const SceneChanges& changes, Errors& errors) {
  Scenario scene;
  const Reader reader{file, errors, &catalog.files()};
  if (!is_map(reader, root, "", {file, 1, 1})) return scene;
  read_head({catalog, folder}, reader, root, scene);
  std::vector<CarDraft> cars;
  const YamlEntry* sensors = nullptr;
  for (const YamlEntry& entry : root.entries)
    if (entry.key == "sensors") sensors = &entry;
  for (const YamlEntry& entry : root.entries)
    if (entry.key == "fleet") read_fleet(catalog, reader, entry, folder, changes, sensors, cars);
  change_road(catalog, changes, cars, scene.road, errors);
  for (const ParsedSet& set : parse_sets(changes, errors)) apply_set(catalog, set, scene, cars, errors);
  if (const SplitMuSpec& split = scene.road.split_mu; !root.find("split_mu") && has_split(scene.road))
    if (split.mu_left == 0 || split.mu_right == 0)
      errors.add({"--set split_mu", 0, 0}, "split_mu", "the scene has none: set mu_left and mu_right");
  read_terrain(reader, root, folder, scene.road, scene.terrain);
  finish_cars(cars, scene, errors);
  if (errors.empty()) scene.notes = notes_of(catalog, cars, scene);
  if (errors.empty()) warn_of_implausible(scene, file, errors);
  return scene;
}

Scenario load_scene(const Catalog& catalog, const std::string& name, const SceneChanges& changes) {
  Errors errors;
  Scenario scene;
  const Place place{"vdsim run", 0, 0};
  const auto file = locate({name, "", place, ""}, catalog.scenes(), "scene", errors);
  if (const YamlNode* root = file ? catalog.files().yaml(*file, errors) : nullptr)
    scene = read_scene(catalog, *root, *file, folder_of(*file), changes, errors);
  errors.throw_if_any();
  scene.warnings = errors.warnings();
  return scene;
}

void change_scene(const Catalog& catalog, const std::vector<Assignment>& sets, Scenario& scene) {
  Errors errors;
  const Place place{sets.empty() ? "" : sets.front().shown, 0, 0};
  Scenario next = scene;
  std::vector<CarDraft> cars;
  for (std::size_t i = 0; i < scene.cars.size(); ++i) {
    CarDraft draft{scene.cars[i], {}, place, place, fmt::format("fleet[{}]", i)};
    draft.car.vehicle = scene.cars[i].vehicle, draft.car.origin = scene.cars[i].origin;
    cars.push_back(std::move(draft));
  }
  next.cars.clear();
  SceneChanges changes;
  changes.sets = sets;
  for (const ParsedSet& set : parse_sets(changes, errors)) apply_set(catalog, set, next, cars, errors);
  if (const SplitMuSpec& split = next.road.split_mu; !has_split(scene.road) && has_split(next.road))
    if (split.mu_left == 0 || split.mu_right == 0)
      errors.add(place, "split_mu", "the scene has none: set mu_left and mu_right together");
  next.road.grid = nullptr, next.road.crg = nullptr, next.terrain = nullptr;
  read_terrain({place.file, errors, &catalog.files()}, {}, "", next.road, next.terrain);
  finish_cars(cars, next, errors);
  if (errors.empty()) warn_of_implausible(next, place.file, errors);
  errors.throw_if_any();
  next.warnings = errors.warnings();
  scene = std::move(next);
}

VehicleSpec load_vehicle(const Catalog& catalog, const SceneChanges& changes) {
  Errors errors;
  Scenario scene;
  std::vector<CarDraft> cars(1);
  cars[0].place = {"command line", 0, 0};
  SceneChanges with_vehicle = changes;
  if (with_vehicle.vehicle.empty()) with_vehicle.vehicle = "vehicle.sedan_comfort";
  change_vehicle(catalog, with_vehicle, cars[0].car, errors);
  if (!changes.surface.empty() && !on_rally_tires(cars[0].car))
    errors.add({"--surface " + changes.surface, 0, 0}, "", "lies under rally tires, this car has none: use tire.rally");
  for (const ParsedSet& set : parse_sets(changes, errors)) apply_set(catalog, set, scene, cars, errors);
  if (cars[0].spec.control == Control::external)
    errors.add({"--set control=external", 0, 0}, "control", "is for a car of a scene that vdsim run drives");
  if (errors.empty()) check_vehicle(cars[0].car, Level::L2, cars[0].place, "", errors);
  errors.throw_if_any();
  return cars[0].car.vehicle;
}

}  // namespace vdsim
