// SPDX-License-Identifier: Apache-2.0
#include "vdsim/config/catalog.hpp"

#include <fmt/format.h>

#include <strings.h>
#include <algorithm>
#include <cstdlib>

#include "vdsim/config/files.hpp"
#include "vdsim/config/tire_part.hpp"
#include "vdsim/config/vehicle.hpp"
#include "vdsim/config/write.hpp"
#include "vdsim/formats/files.hpp"
#include "vdsim/formats/road_file.hpp"
#include "vdsim/formats/shown.hpp"

namespace vdsim {
namespace {

void read_entries(const Reader& reader, const YamlEntry& list, const std::string& folder,
                  std::vector<CatalogEntry>& out) {
  if (!is_map(reader, list.value, list.key, reader.at(list))) return;
  for (const YamlEntry& entry : list.value.entries)
    if (!good_name(entry.key))
      reader.errors.add(reader.at(entry), list.key,
                        fmt::format("{} is no name: use letters, digits, '_', '-', '.'", shown(entry.key)));
    else if (const auto path = read_word(reader, entry, join_path(list.key, entry.key)))
      out.push_back({entry.key, join_paths(folder, *path)});
}

void read_tags(const Reader& reader, const YamlEntry& entry, std::vector<std::string>& tags) {
  if (entry.value.kind != YamlNode::Kind::list) {
    reader.errors.add(reader.at(entry), entry.key,
                      fmt::format("expected a list of words, found {}", describe(entry.value)));
    return;
  }
  for (const YamlNode& item : entry.value.items) {
    if (item.kind == YamlNode::Kind::scalar)
      tags.push_back(item.text);
    else
      reader.fail(item, entry.key, fmt::format("expected a word, found {}", describe(item)));
  }
}

void read_type(const Reader& reader, const YamlEntry& entry, Part& part) {
  const std::vector<std::string> names = part_type_names();
  if (const auto choice = read_choice(reader, entry, entry.key, names))
    part.type = names[static_cast<std::size_t>(*choice)];
}

// The schema the part names, or the first of its type; nothing if it has no such schema.
const PartType* type_of(const Part& part) {
  for (const PartType& type : part_types())
    if (part.type == type.name && (part.schema.empty() || part.schema == type.schema)) return &type;
  return nullptr;
}
std::vector<std::string> schemas_of(const std::string& type) {
  std::vector<std::string> out;
  for (const PartType& each : part_types())
    if (type == each.name) out.push_back(each.schema);
  return out;
}

void read_head(const Reader& reader, const YamlNode& root, Part& part) {
  const std::vector<std::string> keys{"id", "type", "version", "schema", "label", "tags", "body"};
  for (const YamlEntry& entry : root.entries) {
    if (entry.key == "id")
      read_name(reader, entry, "id", part.id);
    else if (entry.key == "type")
      read_type(reader, entry, part);
    else if (entry.key == "version")
      part.version = read_integer(reader, entry, "version", at_least(1)).value_or(1);
    else if (entry.key == "schema")
      part.schema = read_word(reader, entry, "schema").value_or("");
    else if (entry.key == "label")
      part.label = read_word(reader, entry, "label").value_or("");
    else if (entry.key == "tags")
      read_tags(reader, entry, part.tags);
    else if (entry.key != "body")
      unknown_key(reader, entry, "", keys);
  }
  for (const char* key : {"id", "type", "body"})
    if (!root.find(key)) reader.errors.add({reader.file, root.line, root.column}, key, "missing key");
}

}  // namespace

std::vector<FieldRef> Part::body() {
  if (type == "chassis") return fields_of(chassis);
  if (type == "tire") return tire_fields(tire);
  if (type == "brake") return fields_of(brake);
  if (type == "steering") return fields_of(steering);
  if (type == "drivetrain") return fields_of(drivetrain);
  if (type == "surface") return fields_of(surface);
  if (type == "powertrain") return fields_of(powertrain);
  if (type == "control") return fields_of(control);
  if (type == "actuator") return fields_of(actuator);
  if (type == "sensors") return fields_of(sensors);
  return {};
}

const std::vector<PartType>& part_types() {
  static const std::vector<PartType> types{
      {"chassis", "vehicle_params_v1", "Chassis", {"spring_bump_ratio", "spring_droop_ratio", "plant_path"}},
      {"tire", "pacejka_mf96_v1", "Tire", {}},
      {"tire", "rally_v1", "Rally tire", {}},
      {"tire", "lugre_patch_v1", "Contact-patch LuGre tire", {}},
      {"brake", "brake_subsystem_v1", "Brake", {}},
      {"steering", "steering_subsystem_v1", "Steering", {}},
      {"drivetrain", "drivetrain_v1", "Drivetrain", {}},
      {"surface", "surface_v1", "Surface", {}},
      {"powertrain", "powertrain_v1", "Powertrain", {}},
      {"control", "control_v1", "Brake and stability control", {}},
      {"actuator", "actuator_v1", "Actuators", {}},
      {"sensors", "sensor_suite_v1", "Sensors", {}}};
  return types;
}

void set_type(Part& part, const PartType& type) {
  part.type = type.name;
  part.schema = type.schema;
  const std::vector<std::string> tires = enum_names<TireSchema>();
  const auto tire = std::find(tires.begin(), tires.end(), part.schema);
  if (tire != tires.end()) part.tire.schema = static_cast<TireSchema>(tire - tires.begin());
}

std::vector<std::string> part_type_names() {
  std::vector<std::string> out;
  for (const PartType& type : part_types())
    if (out.empty() || out.back() != type.name) out.push_back(type.name);
  return out;
}

Catalog::Catalog() : files_(std::make_shared<Files>()) {}

Catalog::Catalog(const std::string& folder) : folder_(folder), files_(std::make_shared<Files>()) {
  Errors errors;
  const std::string file = join_paths(folder, "catalog/manifest.yaml");
  const Reader reader{file, errors};
  if (!is_file(file))
    throw BadInput(
        fmt::format("{}: no such file, so {} is no catalog; VDSIM_CONFIGS names another folder", file, folder));
  const YamlNode* root = files_->yaml(file, errors);
  if (root && is_map(reader, *root, "", {file, 1, 1})) {
    for (const YamlEntry& entry : root->entries) {
      if (entry.key == "parts")
        read_entries(reader, entry, folder, parts_);
      else if (entry.key == "blueprints")
        read_entries(reader, entry, folder, blueprints_);
      else if (entry.key == "scenes")
        read_entries(reader, entry, folder, scenes_);
      else if (entry.key == "maneuvers")
        read_entries(reader, entry, folder, maneuvers_);
      else if (entry.key != "catalog_id" && entry.key != "version")
        unknown_key(reader, entry, "", {"catalog_id", "version", "parts", "blueprints", "scenes", "maneuvers"});
    }
  }
  errors.throw_if_any();
}

bool names_tir(const std::string& name) {
  return name.size() > 4 && strcasecmp(name.c_str() + name.size() - 4, ".tir") == 0;
}

bool names_file(const std::string& reference) {
  return reference.ends_with(".yaml") || reference.ends_with(".yml") || names_tir(reference) || is_road(reference) ||
         reference.find('/') != std::string::npos;
}

std::string folder_of(const std::string& file) { return parent_folder(file); }

std::vector<std::string> ids_of(const std::vector<CatalogEntry>& entries, const std::string& prefix) {
  std::vector<std::string> out;
  for (const CatalogEntry& entry : entries)
    if (entry.id.starts_with(prefix)) out.push_back(entry.id);
  return out;
}

std::optional<std::string> locate(const Reference& reference, const std::vector<CatalogEntry>& entries,
                                  const char* noun, Errors& errors) {
  if (names_file(reference.name)) {
    const std::string file = join_paths(reference.folder, reference.name);
    if (is_file(file)) return file;
    errors.add(reference.place, reference.path, fmt::format("no such file: {}", file));
    return std::nullopt;
  }
  for (const CatalogEntry& entry : entries)
    if (entry.id == reference.name) return entry.path;
  errors.add(reference.place, reference.path,
             fmt::format("unknown {} '{}'{}", noun, reference.name.substr(0, 60),
                         suggestion(reference.name, ids_of(entries))));
  return std::nullopt;
}

std::optional<Part> read_part(std::string_view text, const std::string& file, Errors& errors) {
  Files files;
  const auto root = parse_yaml(text, file, errors);
  return root ? read_part({file, errors, &files}, *root) : std::nullopt;
}

std::optional<Part> read_part(const Reader& reader, const YamlNode& root) {
  Errors& errors = reader.errors;
  const std::size_t before = errors.size();
  if (!is_map(reader, root, "", {reader.file, 1, 1})) return std::nullopt;
  Part part;
  read_head(reader, root, part);
  if (part.type.empty()) return std::nullopt;
  const PartType* type = type_of(part);
  if (!type) {
    reader.fail(*root.find("schema"), "schema",
                fmt::format("a {} has the schema {}, found '{}'", part.type, fmt::join(schemas_of(part.type), " or "),
                            part.schema));
    return std::nullopt;
  }
  set_type(part, *type);
  const YamlNode* body = root.find("body");
  if (body && is_map(reader, *body, "body", reader.at(*body))) {
    if (part.type == "tire")
      read_tire(reader, *body, part.tire, part.type);
    else
      read_block(reader, *body, part.body(), part.type, type->later);
    if (errors.size() == before) check_part(part, reader, *body);
    part.file = reader.file;
    part.written = *body;
  }
  if (errors.size() != before) return std::nullopt;
  return part;
}

std::string part_text(Part& part, bool with_units) {
  std::vector<std::string> tags;
  for (const std::string& tag : part.tags) tags.push_back(quoted_text(tag));
  return fmt::format("id: {}\ntype: {}\nversion: {}\nschema: {}\nlabel: {}\ntags: [{}]\nbody:\n{}",
                     quoted_text(part.id), part.type, part.version, part.schema, quoted_text(part.label),
                     fmt::join(tags, ", "), block_text(part.body(), 2, with_units ? Units::as_comments : Units::none));
}

// An MF-Tyre file where a tire part is expected.
static std::optional<Part> tir_part(const Catalog& catalog, const Reference& reference, const std::string& file,
                                    Errors& errors) {
  const std::size_t before = errors.size();
  Part part;
  part.id = file_stem(file);
  part.type = "tire";
  part.schema = part_types()[1].schema;
  part.tire.backend = TireBackend::magic_formula;
  read_tir_into({reference.place.file, errors, &catalog.files()}, reference.place, reference.path, file, part.tire);
  if (errors.size() != before) return std::nullopt;
  return part;
}

std::optional<Part> load_part(const Catalog& catalog, const Reference& reference, const std::string& type,
                              Errors& errors) {
  // Offer the parts of the wanted type first: 'tire.lowmu' must not suggest a brake.
  std::vector<CatalogEntry> same_type = catalog.parts();
  std::erase_if(same_type, [&](const CatalogEntry& entry) {
    return !entry.id.starts_with(type + ".") && entry.id != reference.name;
  });
  const auto file = locate(reference, same_type, "part", errors);
  if (file && file->ends_with(".fmu")) {
    errors.add(
        reference.place, reference.path,
        fmt::format("'{}' is an FMU, which cannot be a {} of a car: name the part that it was made of (docs/FMI.md)",
                    reference.name, type));
    return std::nullopt;
  }
  if (file && type == "tire" && names_tir(*file)) return tir_part(catalog, reference, *file, errors);
  const YamlNode* root =
      file ? catalog.files().yaml(*file, errors, names_file(reference.name) ? &reference.place : nullptr) : nullptr;
  auto part = root ? read_part({*file, errors, &catalog.files()}, *root) : std::nullopt;
  if (part && part->type != type) {
    errors.add(reference.place, reference.path,
               fmt::format("'{}' is a {}, expected a {}", reference.name, part->type, type));
    return std::nullopt;
  }
  return part;
}

}  // namespace vdsim
