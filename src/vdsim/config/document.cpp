// SPDX-License-Identifier: Apache-2.0
#include "vdsim/config/document.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "vdsim/config/files.hpp"
#include "vdsim/config/tire_part.hpp"
#include "vdsim/config/vehicle.hpp"
#include "vdsim/config/write.hpp"
#include "vdsim/engine/tables/table.hpp"
#include "vdsim/formats/files.hpp"

namespace vdsim {
namespace {

using Rows = std::vector<DocumentField>;
using Fields = std::vector<FieldRef>;
using RowKind = DocumentField::Kind;

RowKind row_kind(const FieldRef& field) {
  switch (field.kind) {
    case FieldRef::Kind::number: return RowKind::number;
    case FieldRef::Kind::integer: return RowKind::integer;
    case FieldRef::Kind::flag: return RowKind::flag;
    case FieldRef::Kind::choice: return RowKind::choice;
    case FieldRef::Kind::text: return RowKind::text;
    case FieldRef::Kind::list: return RowKind::list;
    default: return RowKind::other;
  }
}

// `plain`: the same table of an object that has its defaults.
void add_rows(const Fields& fields, const Fields& plain, const std::string& prefix, Rows& out) {
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const FieldRef& field = fields[i];
    if (field.kind == FieldRef::Kind::block)
      add_rows(field.block(), plain[i].block(), prefix + field.name + ".", out);
    else
      out.push_back({prefix + field.name, row_kind(field), field, value_text(plain[i])});
  }
}

void add_driver(DriverSpec& driver, const std::string& prefix, Rows& out) {
  DriverSpec plain;
  const std::size_t first = out.size();
  add_rows(fields_of(driver), fields_of(plain), prefix, out);
  for (std::size_t i = first; i < out.size(); ++i)
    if (out[i].kind == RowKind::other && out[i].field.data != &driver.path) out[i].kind = RowKind::table;
}

void add_tire(TireSpec& tire, const std::string& prefix, Rows& out) {
  TireSpec plain;
  plain.schema = tire.schema;
  add_rows(tire_fields(tire), tire_fields(plain), prefix, out);
}

bool of_tires(const Slot& slot) { return std::string_view(slot.type) == "tire"; }

// Slots as slots() has them. Equal tires are named once, as `tire`; others one by one.
void add_vehicle(VehicleSpec& v, const std::string& prefix, Rows& out) {
  VehicleSpec plain;
  const bool alike = same(v.tire_fl, v.tire_fr) && same(v.tire_rl, v.tire_rr) && same(v.tire_fl, v.tire_rl);
  for (const Slot& slot : slots()) {
    if (of_tires(slot) && slot.tires.size() == (alike ? 4 : 1))
      add_tire(v.*slot.tires[0], prefix + slot.name + ".", out);
    if (slot.tires.empty()) add_rows(slot_fields(v, slot), slot_fields(plain, slot), prefix + slot.name + ".", out);
  }
}

void add_scene(Scenario& scene, Rows& out) {
  Scenario plain;
  const auto countless = [](Fields fields) {  // how many sections and patches there are is not the user's
    std::erase_if(fields, [](const FieldRef& f) { return f.kind == FieldRef::Kind::integer; });
    return fields;
  };
  add_rows(fields_of(scene.timing), fields_of(plain.timing), "", out);
  add_rows(fields_of(scene.solver), fields_of(plain.solver), "solver.", out);
  add_rows(countless(fields_of(scene.road)), countless(fields_of(plain.road)), "", out);
  for (CarSpec& car : scene.cars) {
    CarSpec plain_car;
    const std::string prefix = scene.cars.size() > 1 ? car.id + "." : "";
    add_rows({field("level", car.level, "vehicle model"), field("control", car.control, "who drives")},
             {field("level", plain_car.level, ""), field("control", plain_car.control, "")}, prefix, out);
    add_rows(fields_of(car.start), fields_of(plain_car.start), prefix, out);
    add_driver(car.driver, prefix + "driver.", out);
    add_vehicle(car.vehicle, prefix, out);
  }
}

std::string row_text(const DocumentField& row) {
  if (!row.said()) return "";
  if (row.kind != RowKind::table) return value_text(row.field);
  const Table& table = *static_cast<const Table*>(row.field.data);
  return table.given() ? table_text(table) : "";
}

[[noreturn]] void refuse(const std::string& path, const std::string& what) { throw bad_value(path, what); }

YamlNode map_of(YamlEntry entry) {
  YamlNode map;
  map.kind = YamlNode::Kind::map;
  map.entries.push_back(std::move(entry));
  return map;
}

// A key that begins no path of the document; where it is known below, that is named.
void refuse_key(const Reader& reader, const YamlEntry& entry, const Fields& fields, const std::string& prefix,
                const std::vector<std::string>& valid) {
  std::string below = find_below(entry.key, fields);
  for (const FieldRef& field : fields)
    if (below.empty() && entry.key == field.name) below = field.name;
  if (below.starts_with("tire_fl.")) below.replace(0, 8, "tire.");
  if (below.empty() || below == "tire_fl")
    unknown_key(reader, entry, "", valid);
  else
    reader.errors.add(reader.at(entry), entry.key, fmt::format("unknown key, did you mean '{}{}'?", prefix, below));
}

void change_car(const Catalog& catalog, const std::vector<Assignment>& sets, VehicleSpec& vehicle, Errors& errors) {
  CarLayers car;
  car.vehicle = vehicle;
  for (const Assignment& set : sets) {
    const auto entry = nest(set, errors);
    if (!entry) continue;
    const Reader reader{set.shown, errors, &catalog.files()};
    if (find_slot(entry->key))
      apply_overrides(reader, map_of(*entry), "", car);
    else
      refuse_key(reader, *entry, fields_of(vehicle), "", slot_names());
  }
  if (errors.empty()) check_vehicle(car, Level::L2, {sets.back().shown, 0, 0}, "", errors);
  vehicle = car.vehicle;
}

void change_part(const Catalog& catalog, const std::vector<Assignment>& sets, Part& part, Errors& errors) {
  YamlNode written;  // all of it, for check_part to point at
  written.kind = YamlNode::Kind::map;
  for (const Assignment& set : sets) {
    const auto entry = nest(set, errors);
    if (!entry) continue;
    const Reader reader{set.shown, errors, &catalog.files()};
    if (entry->key != part.type) {
      refuse_key(reader, *entry, part.body(), part.type + ".", {part.type});
      continue;
    }
    if (!is_map(reader, entry->value, part.type, {set.shown, 0, 0})) continue;
    if (part.type == "tire")
      read_tire(reader, entry->value, part.tire, part.type);
    else
      read_block(reader, entry->value, part.body(), part.type);
    written.entries.insert(written.entries.end(), entry->value.entries.begin(), entry->value.entries.end());
  }
  part.schema = part.type == "tire" ? schema_name(part.tire) : part.schema;
  if (errors.empty()) check_part(part, {sets.back().shown, errors, &catalog.files()}, written);
}

const std::vector<CatalogEntry>& entries_of(const Catalog& catalog, DocumentKind kind) {
  switch (kind) {
    case DocumentKind::part: return catalog.parts();
    case DocumentKind::vehicle: return catalog.blueprints();
    case DocumentKind::scene: break;
  }
  return catalog.scenes();
}

}  // namespace

Document::Document(std::shared_ptr<const Catalog> catalog, Content content)
    : catalog_(std::move(catalog)), content_(std::move(content)) {
  list_fields();
}
Document::Document(const Document& other) : Document(other.catalog_, other.content_) {}

Document Document::load(const std::shared_ptr<const Catalog>& catalog, DocumentKind kind, const std::string& name) {
  Errors errors;
  const Reference reference{name, "", {"load", 0, 0}, ""};
  const auto file = locate(reference, entries_of(*catalog, kind), enum_name(kind).c_str(), errors);
  errors.throw_if_any();
  if (kind == DocumentKind::part && names_tir(*file)) {
    auto part = load_part(*catalog, reference, "tire", errors);
    errors.throw_if_any();
    return {catalog, std::move(*part)};
  }
  const YamlNode* root = catalog->files().yaml(*file, errors);
  errors.throw_if_any();
  Content content = resolve(*catalog, kind, {*file, errors, &catalog->files()}, *root, folder_of(*file));
  return {catalog, std::move(content)};
}

Document Document::read(const std::shared_ptr<const Catalog>& catalog, DocumentKind kind, std::string_view text,
                        const std::string& folder) {
  Errors errors;
  const std::string file = join_paths(folder, "text");  // paths in it start beside it
  const auto root = parse_yaml(text, file, errors);
  errors.throw_if_any();
  return {catalog, resolve(*catalog, kind, {file, errors, &catalog->files()}, *root, folder)};
}

Document Document::of(const std::shared_ptr<const Catalog>& catalog, Scenario scene) {
  return {catalog, std::move(scene)};
}

Document::Content Document::resolve(const Catalog& catalog, DocumentKind kind, const Reader& reader,
                                    const YamlNode& root, const std::string& folder) {
  Errors& errors = reader.errors;
  Content out;
  if (kind == DocumentKind::scene) {
    Scenario scene = read_scene(catalog, root, reader.file, folder, {}, errors);
    scene.warnings = errors.warnings();
    out = std::move(scene);
  } else if (kind == DocumentKind::vehicle) {
    CarLayers car;
    if (read_blueprint(catalog, reader, root, folder, car))
      check_vehicle(car, Level::L2, {reader.file, 1, 1}, "", errors);
    out = Vehicle{vehicle_name(car.origin), car.vehicle};
  } else if (auto part = read_part(reader, root)) {
    out = std::move(*part);
  }
  errors.throw_if_any();
  return out;
}

void Document::set(const std::string& path, const std::string& value) {
  set({{fmt::format("--set {}={}", path, value), path, value}});
}

void Document::set(const std::vector<Assignment>& sets) {
  if (sets.empty()) return;
  Content next = content_;
  Errors errors;
  if (Scenario* scene = std::get_if<Scenario>(&next))
    change_scene(*catalog_, sets, *scene);
  else if (Vehicle* car = std::get_if<Vehicle>(&next))
    change_car(*catalog_, sets, car->spec, errors);
  else
    change_part(*catalog_, sets, std::get<Part>(next), errors);
  errors.throw_if_any();
  content_ = std::move(next);
  list_fields();
}

void Document::list_fields() {
  Rows rows;
  if (Scenario* scene = std::get_if<Scenario>(&content_)) {
    add_scene(*scene, rows);
  } else if (Vehicle* car = std::get_if<Vehicle>(&content_)) {
    add_vehicle(car->spec, "", rows);
  } else if (Part& part = std::get<Part>(content_); part.type == "tire") {
    add_tire(part.tire, "tire.", rows);
  } else {
    Part plain;
    plain.type = part.type;
    add_rows(part.body(), plain.body(), part.type + ".", rows);
  }
  fields_ = std::move(rows);
}

DocumentField Document::field(const std::string& path) const {
  const auto named = [&](const std::string& name) {
    return std::find_if(fields_.begin(), fields_.end(), [&](const DocumentField& row) { return row.path == name; });
  };
  if (const auto row = named(path); row != fields_.end()) return *row;
  for (const Slot& slot : slots()) {
    if (!of_tires(slot)) continue;
    const std::string key = std::string(slot.name) + ".";
    const std::size_t at = path.starts_with(key) ? 0 : path.find("." + key) + 1;
    if (at == 0 && !path.starts_with(key)) continue;
    const auto with = [&](const char* other) {
      return named(path.substr(0, at) + other + path.substr(at + key.size() - 1));
    };
    if (const auto row = with("tire"); row != fields_.end()) return *row;
    std::string differ;
    auto first = fields_.end();
    for (const Slot& one : slots()) {
      if (!of_tires(one) || one.tires.size() != 1) continue;
      if (std::find(slot.tires.begin(), slot.tires.end(), one.tires[0]) == slot.tires.end()) continue;
      const auto row = with(one.name);
      if (row == fields_.end()) continue;
      if (first == fields_.end()) first = row;
      if (row_text(*row) != row_text(*first)) differ = row->path;
    }
    if (!differ.empty()) refuse(path, fmt::format("the wheels differ: ask for {} and {}", first->path, differ));
    if (first != fields_.end()) return *first;
  }
  std::vector<std::string> names;
  for (const DocumentField& row : fields_) names.push_back(row.path);
  refuse(path.substr(0, 100), "unknown key" + suggestion(path, names));
}

std::string Document::get(const std::string& path) const {
  const DocumentField row = field(path);
  if (row.kind == RowKind::other) refuse(path, "is more than one value: the text of the document has it");
  return row.kind == RowKind::text ? row.field.text().text : row_text(row);
}

double Document::number(const std::string& path) const {
  const DocumentField row = field(path);
  if (row.kind == RowKind::integer) return row.field.integer();
  if (row.kind == RowKind::flag) return row.field.flag();
  if (row.kind == RowKind::number && row.said()) return row.field.number();
  if (row.kind == RowKind::table)
    if (const Table& table = *static_cast<const Table*>(row.field.data); table.points.size() == 1)
      return table.points[0].value;
  const bool missing = row_text(row).empty();
  refuse(path, missing ? "is not given" : fmt::format("is no number, but {}", get(path).substr(0, 60)));
}

std::vector<double> Document::list(const std::string& path) const {
  const DocumentField row = field(path);
  if (row.kind != RowKind::list) refuse(path, fmt::format("is no list of numbers, but a {}", enum_name(row.kind)));
  return {row.field.list(), row.field.list() + row.field.length()};
}

std::string Document::text() const {
  if (const Scenario* s = scene()) return scenario_text(*s);
  if (const Vehicle* car = std::get_if<Vehicle>(&content_))
    return fmt::format("id: {}\nparts: {{}}\noverrides:\n", quoted_text(car->id)) + vehicle_text(car->spec, 2);
  Part copy = *part();
  return part_text(copy);
}

std::string Document::hash() const {
  if (const Scenario* s = scene()) return scenario_hash(*s);
  Document copy = *this;
  if (Vehicle* car = std::get_if<Vehicle>(&copy.content_))
    for (TireSpec* tire : {&car->spec.tire_fl, &car->spec.tire_fr, &car->spec.tire_rl, &car->spec.tire_rr})
      name_by_content(*tire);
  else
    name_by_content(std::get<Part>(copy.content_).tire);
  return hash_text(copy.text());
}

}  // namespace vdsim
