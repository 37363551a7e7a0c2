#include "vdsim/config/scenario.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "vdsim/config/files.hpp"
#include "vdsim/config/scenario_read.hpp"
#include "vdsim/config/terrain.hpp"
#include "vdsim/config/unread.hpp"
#include "vdsim/config/vehicle.hpp"
#include "vdsim/config/write.hpp"
#include "vdsim/engine/validate.hpp"

namespace vdsim {
namespace {

using Kind = YamlNode::Kind;

const std::vector<std::string> kLaterSceneKeys{"comms"};
const std::vector<std::string> kSceneKeys{"id",        "version", "label",    "rate",    "cmd_timeout",   "mu",
                                          "grade",     "bank",    "split_mu", "patches", "rough_amp",     "rough_wl",
                                          "iso_class", "psd",     "stunt",    "terrain", "interpolation", "duration",
                                          "solver",    "sensors", "fleet"};
const std::vector<std::string> kCarKeys{"id", "blueprint", "level", "parts", "overrides", "control", "sensors",
                                        "x0", "y0",        "z0",    "yaw0",  "vx0",       "driver"};

bool good_name(const std::string& name) {
  const auto fine = [](unsigned char c) { return std::isalnum(c) || c == '_' || c == '-' || c == '.'; };
  return !name.empty() && name.size() <= 64 && name[0] != '.' && name[0] != '-' &&
         std::all_of(name.begin(), name.end(), fine);
}

void read_name(const Reader& reader, const YamlEntry& entry, const std::string& path, std::string& out) {
  const auto word = read_word(reader, entry, path);
  if (!word) return;
  if (good_name(*word))
    out = *word;
  else
    reader.fail(entry.value, path,
                fmt::format("{} is no name: use letters, digits, '_', '-', '.'", describe(entry.value)));
}

// --- scene keys that --set can change too

bool read_timing_or_road(const Reader& reader, const YamlEntry& entry, Scenario& scene) {
  if (entry.key == "patches") {
    read_patches(reader, entry, scene.road);
    return true;
  }
  if (entry.key == "solver") {
    if (is_map(reader, entry.value, entry.key, reader.at(entry)))
      read_block(reader, entry.value, fields_of(scene.solver), entry.key);
    return true;
  }
  for (const auto& fields : {fields_of(scene.timing), fields_of(scene.road)})
    for (const FieldRef& field : fields)
      if (entry.key == field.name && field.kind != FieldRef::Kind::integer) {
        read_field(reader, entry, field, entry.key);
        return true;
      }
  return false;
}

// --- cars

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

void read_control(const Reader& reader, const YamlEntry& entry, const std::string& path) {
  const auto choice = read_choice(reader, entry, path, {"internal", "external"});
  if (choice == 1) reader.fail(entry.value, path, "external control is not there yet; use internal and a driver block");
}

struct CarDraft {
  CarSpec spec;
  CarLayers car;
  Place place, driver_place;
  std::string path;
};

// The car as the scene has it: blueprint, then parts, then overrides, whatever their order in the file.
void read_vehicle(const Catalog& catalog, const Reader& reader, const YamlNode& node, const std::string& folder,
                  CarDraft& draft) {
  Reference blueprint{"vehicle.sedan_comfort", "", draft.place, draft.path + ".blueprint"};
  for (const YamlEntry& entry : node.entries)
    if (entry.key == "blueprint") {
      const auto word = read_word(reader, entry, blueprint.path);
      if (word) blueprint = {*word, folder, reader.at(entry.value), blueprint.path};
    }
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

// `sensors: id` of a car, or of the scene for every car that has none of its own.
void read_sensors(const Catalog& catalog, const Reader& reader, const YamlEntry& entry, const std::string& folder,
                  const std::string& path, CarLayers& car) {
  const auto word = read_word(reader, entry, path);
  const auto part =
      word ? load_part(catalog, {*word, folder, reader.at(entry.value), path}, "sensors", reader.errors) : std::nullopt;
  if (!part) return;
  set_part(car.vehicle, *find_slot("sensors"), *part, reader.at(entry.value), path, reader.errors);
  car.origin.push_back("sensors " + part->id);
}

void change_vehicle(const Catalog& catalog, const SceneChanges& changes, CarLayers& car, Errors& errors) {
  if (!changes.vehicle.empty()) {
    const Place place{"--vehicle " + changes.vehicle, 0, 0};
    apply_blueprint(catalog, {changes.vehicle, "", place, ""}, car, errors);
  }
  for (const auto& [slot, name] : {std::pair{"tire", changes.tire}, std::pair{"surface", changes.surface}}) {
    if (name.empty()) continue;
    const Place place{fmt::format("--{} {}", slot, name), 0, 0};
    const auto part = load_part(catalog, {name, "", place, ""}, slot, errors);
    if (!part) continue;
    set_part(car.vehicle, *find_slot(slot), *part, place, "", errors);
    car.layers.push_back(layer_of(*find_slot(slot), *part));
    car.origin.push_back(fmt::format("{} {}", slot, part->id));
  }
}

void read_car(const Catalog& catalog, const Reader& reader, const YamlNode& node, const std::string& folder,
              const SceneChanges& changes, const YamlEntry* sensors, CarDraft& draft) {
  if (!is_map(reader, node, draft.path, reader.at(node))) return;
  for (const YamlEntry& entry : node.entries) {
    const std::string path = join_path(draft.path, entry.key);
    if (entry.key == "driver") draft.driver_place = reader.at(entry);
    if (entry.key == "id")
      read_name(reader, entry, path, draft.spec.id);
    else if (entry.key == "control")
      read_control(reader, entry, path);
    else if (entry.key == "blueprint" || entry.key == "parts" || entry.key == "overrides" || entry.key == "sensors")
      continue;
    else if (!read_car_value(reader, entry, path, draft.spec))
      unknown_key(reader, entry, draft.path, kCarKeys);
  }
  if (!node.find("id")) reader.fail(node, join_path(draft.path, "id"), "missing key");
  read_vehicle(catalog, reader, node, folder, draft);
  if (sensors && !draft.car.vehicle.sensors.enabled && !node.find("sensors"))
    read_sensors(catalog, reader, *sensors, folder, "sensors", draft.car);
  for (const YamlEntry& entry : node.entries)
    if (entry.key == "sensors")
      read_sensors(catalog, reader, entry, folder, join_path(draft.path, "sensors"), draft.car);
  change_vehicle(catalog, changes, draft.car, reader.errors);
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

bool set_on_car(const Reader& reader, const YamlEntry& entry, CarDraft& draft) {
  if (find_slot(entry.key)) {
    YamlNode map;
    map.kind = Kind::map;
    map.entries.push_back(entry);
    apply_overrides(reader, map, "", draft.car);
    return true;
  }
  if (entry.key == "driver") draft.driver_place = {reader.file, 0, 0};
  return read_car_value(reader, entry, entry.key, draft.spec);
}

std::vector<std::string> settable_names(const std::vector<CarDraft>& cars) {
  std::vector<std::string> names = slot_names();
  for (const char* name :
       {"solver", "mu",    "grade",   "bank",          "split_mu", "patches", "rough_amp",   "rough_wl", "iso_class",
        "psd",    "stunt", "terrain", "interpolation", "duration", "rate",    "cmd_timeout", "level",    "driver",
        "x0",     "y0",    "z0",      "yaw0",          "vx0"})
    names.push_back(name);
  for (const CarDraft& draft : cars) names.push_back(draft.spec.id);
  return names;
}

void apply_set(const Catalog& catalog, const ParsedSet& set, Scenario& scene, std::vector<CarDraft>& cars,
               Errors& errors) {
  const Reader reader{set.shown, errors, &catalog.files()};
  if (read_timing_or_road(reader, set.entry, scene)) return;
  bool done = false;
  for (CarDraft& draft : cars) {
    if (set.entry.key != draft.spec.id) {
      done |= set_on_car(reader, set.entry, draft);
      continue;
    }
    done = true;
    if (!is_map(reader, set.entry.value, set.entry.key, {set.shown, 0, 0})) continue;
    for (const YamlEntry& inner : set.entry.value.entries)
      if (!set_on_car(reader, inner, draft)) unknown_key(reader, inner, set.entry.key, settable_names({}));
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

void read_head(const Reader& reader, const YamlNode& root, Scenario& scene) {
  for (const YamlEntry& entry : root.entries) {
    if (entry.key == "id")
      read_name(reader, entry, "id", scene.id);
    else if (entry.key == "label")
      scene.label = read_word(reader, entry, "label").value_or("");
    else if (entry.key == "version")
      scene.version = read_integer(reader, entry, "version", at_least(1)).value_or(1);
    else if (entry.key != "fleet" && entry.key != "sensors" && !read_timing_or_road(reader, entry, scene))
      unknown_key(reader, entry, "", kSceneKeys, kLaterSceneKeys);
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
      for (const Fault& found : validate_step(car.vehicle, car.level, scene.solver.integrator, scene.solver.dt))
        errors.add(draft.place, join_path(draft.path, found.path()), found.what);
    }
    scene.cars.push_back(std::move(draft.spec));
  }
}

// Equal cars, and files that several cars name, are told of once.
std::vector<std::string> notes_of(const Catalog& catalog, const std::vector<CarDraft>& cars, const Scenario& scene) {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < cars.size(); ++i)
    for (const std::string& note : unread_notes(unread_keys(cars[i].car, scene.cars[i].level), catalog.folder()))
      if (std::find(out.begin(), out.end(), note) == out.end()) out.push_back(note);
  return out;
}

}  // namespace

void SceneChanges::set(const std::string& text) {
  Errors errors;
  const auto assignment = split_assignment("--set", text, errors);
  errors.throw_if_any();
  sets.push_back(*assignment);
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
  read_head(reader, root, scene);
  std::vector<CarDraft> cars;
  const YamlEntry* sensors = nullptr;
  for (const YamlEntry& entry : root.entries)
    if (entry.key == "sensors") sensors = &entry;
  for (const YamlEntry& entry : root.entries)
    if (entry.key == "fleet") read_fleet(catalog, reader, entry, folder, changes, sensors, cars);
  for (const ParsedSet& set : parse_sets(changes, errors)) apply_set(catalog, set, scene, cars, errors);
  if (const SplitMuSpec& split = scene.road.split_mu; !root.find("split_mu") && has_split(scene.road))
    if (split.mu_left == 0 || split.mu_right == 0)
      errors.add({"--set split_mu", 0, 0}, "split_mu", "the scene has none: set mu_left and mu_right");
  read_terrain(reader, root, folder, scene.road, scene.terrain);
  finish_cars(cars, scene, errors);
  if (errors.empty()) scene.notes = notes_of(catalog, cars, scene);
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

VehicleSpec load_vehicle(const Catalog& catalog, const SceneChanges& changes) {
  Errors errors;
  Scenario scene;
  std::vector<CarDraft> cars(1);
  cars[0].place = {"command line", 0, 0};
  SceneChanges with_vehicle = changes;
  if (with_vehicle.vehicle.empty()) with_vehicle.vehicle = "vehicle.sedan_comfort";
  change_vehicle(catalog, with_vehicle, cars[0].car, errors);
  for (const ParsedSet& set : parse_sets(changes, errors)) apply_set(catalog, set, scene, cars, errors);
  if (errors.empty()) check_vehicle(cars[0].car, Level::L2, cars[0].place, "", errors);
  errors.throw_if_any();
  return cars[0].car.vehicle;
}

}  // namespace vdsim
