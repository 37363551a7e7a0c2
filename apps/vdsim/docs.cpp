// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>

#include "apps/vdsim/commands.hpp"
#include "vdsim/config/files.hpp"
#include "vdsim/config/vehicle.hpp"
#include "vdsim/config/write.hpp"
#include "vdsim/core/road/ground_map.hpp"
#include "vdsim/engine/readers.hpp"
#include "vdsim/study/run.hpp"

namespace vdsim::cli {
namespace {

constexpr const char* kNote =
    "<!-- Written by `vdsim catalog docs` from the field tables. Edit those, not this page. -->\n\n";
constexpr const char* kHead = "| key | default | unit | range | meaning |\n|---|---|---|---|---|\n";
constexpr const char* kPartHead = "| key | default | unit | range | meaning | read with |\n|---|---|---|---|---|---|\n";

std::string range_of(const FieldRef& field) {
  if (field.kind == FieldRef::Kind::choice) return fmt::format("{}", fmt::join(field.names, ", "));
  if (field.kind == FieldRef::Kind::flag) return "true, false";
  const bool bounded = field.range.lo > -kInf || field.range.hi < kInf;
  return bounded ? describe(field.range, "") : "any";
}

// `block`: who reads the fields of a part; without, their rows have no such column.
std::string rows(const std::vector<FieldRef>& fields, const std::string& prefix,
                 const std::optional<Readers>& block = std::nullopt) {
  std::string out;
  for (const FieldRef& field : fields) {
    const std::string key = prefix + field.name;
    const auto readers = block ? std::optional(within(*block, field)) : std::nullopt;
    if (field.kind == FieldRef::Kind::block) {
      out += rows(field.block(), key + ".", readers);
      continue;
    }
    out +=
        fmt::format("| `{}` | {} | {} | {} | {} |", key, value_text(field), field.unit, range_of(field), field.meaning);
    out += readers ? fmt::format(" {} |\n", readers_text(*readers)) : "\n";
  }
  return out;
}

std::string part_tables() {
  std::string out;
  for (const PartType& type : part_types()) {
    Part part;
    set_type(part, type);
    out += fmt::format("## {} (`{}`, schema `{}`)\n\n{}{}\n", type.title, type.name, type.schema, kPartHead,
                       rows(part.body(), "", Readers{}));
  }
  return out;
}

std::string driver_rows() {
  DriverSpec driver;
  std::string out;
  for (const FieldRef& field : fields_of(driver))
    out += fmt::format("| `{}` | not given | {} | {} | {} |\n", field.name, field.unit, range_of(field), field.meaning);
  return out;
}

// Keys of the road, of a section or of a patch; the numbers of a surface stand with its part.
template <class S> std::string road_rows(const std::string& prefix) {
  using Kind = FieldRef::Kind;
  S blank;
  std::vector<FieldRef> fields = fields_of(blank);
  const auto surface =
      std::find_if(fields.begin(), fields.end(), [](const FieldRef& f) { return f.name == std::string("surface"); });
  const std::string one =
      fmt::format("| `{}surface` | | | id, file, or {{part: id, key: value, ...}} | {} |\n", prefix, surface->meaning);
  fields.erase(surface);
  std::erase_if(fields, [](const FieldRef& f) { return f.kind == Kind::integer || f.kind == Kind::other; });
  return rows(fields, prefix) + one;
}

std::string scene_tables() {
  Scenario scene;
  StartSpec start;
  std::string out = "## Scene\n\nOnly `id` and `fleet` are required.\n\n";
  out += kHead;
  out +=
      "| `id` | | | letters, digits, `_ - .` | names the default output folder |\n| `version` | 1 | | at least 1 | of "
      "the file |\n"
      "| `label` | | | text | for the reader |\n";
  out += rows(fields_of(scene.timing), "") + rows(fields_of(scene.solver), "solver.");
  out += road_rows<RoadSpec>("") + road_rows<RoadSectionSpec>("sections[].") + road_rows<RoadPatchSpec>("patches[].");
  out += fmt::format(
      "| `maps[].file` | required | | file | raster of what lies on the road, .asc, .csv or .crg; at most {} maps |\n"
      "| `maps[].surfaces` | | | up to {} ids, files or blocks | what its values 0, 1, ... stand for, or |\n"
      "| `maps[].number` | | | number of a surface, temperature | what its values are |\n",
      kMaxMaps, kMaxMapSurfaces);
  out += fmt::format(
      "| `patches[].polygon` | required | m | 3 to {} corners | [[x, y], ...], either sense of rotation; at most {} "
      "patches, "
      "the last one named wins |\n",
      kMaxVertices, kMaxPatches);
  out += std::string(
             "\n### Car: `fleet[]`\n\nCars of one scene share the road and the clock; they do not touch or see each "
             "other.\n\n") +
         kHead;
  out +=
      "| `id` | required | | letters, digits, `_ - .` | names the output folder when there are several cars |\n"
      "| `blueprint` | vehicle.sedan_comfort | | id or file | the vehicle |\n| `level` | L2 | | " +
      fmt::format("{} | vehicle model |\n", fmt::join(enum_names<Level>(), ", ")) +
      "| `parts` | | | slot: id or file | parts instead of the blueprint's |\n"
      "| `overrides` | | | slot: {key: value} | single values instead of the parts' |\n"
      "| `start` | | | tire: {key: value} | rally tires: keys of their block `start`, for all four |\n"
      "| `sensors` | | | id or file | sensors of the car; at the top of the scene: of every car |\n"
      "| `control` | internal | | internal, external | who drives: the driver block, or a program (docs/STDIO.md) |\n";
  out += rows(fields_of(start), "");
  out += std::string(
             "\n### Driver: `fleet[].driver`\n\nEach a number or a table `[[t, value], ...]`, linear between the "
             "points and held outside. "
             "`speed` operates throttle, brake and gear itself and cannot be combined with them. Give one of pedals, "
             "torques, force, acceleration, speed, and one of steer, curvature, path.\n\n") +
         kHead;
  return out + driver_rows() + "\n";
}

// Columns of every level, the wheels' once.
std::vector<Column> docs_columns() {
  std::vector<Column> out;
  SignalScope all;
  all.level = Level::L3, all.everything = true;
  for (const Column& column : signals(all))
    if (!column.name.ends_with("_fr") && !column.name.ends_with("_rl") && !column.name.ends_with("_rr"))
      out.push_back(column);
  SensorSuiteSpec sensors;
  sensors.enabled = true;
  for (const Column& column : sensor_columns(sensors, 4))
    if (!column.name.ends_with("_fr") && !column.name.ends_with("_rl") && !column.name.ends_with("_rr"))
      out.push_back({column.name, column.unit, column.meaning + " (cars with sensors)"});
  return out;
}

std::string output_tables() {
  std::string out =
      "## Output\n\n`run.csv` (`#` lines are comments) or `run.h5` (one dataset per column, attribute `units`), "
      "`resolved.yaml` (a scene "
      "that repeats the run) and `summary.json`. Several cars: `<car id>/run.csv`.\n\n"
      "Steps: t = k dt; the last step is shortened so that the run ends exactly at `duration`. Rows: at t = 0, at the "
      "steps nearest to "
      "multiples of 1/`rate`, and at the end; one row per step if the rate exceeds 1/dt. HDF5 rows are kept in memory "
      "until the end of the "
      "run. Wheels: `f`, `r` (one tire of the axle) in L1, `fl`, `fr`, `rl`, `rr` in the other levels.\n\n| column | "
      "unit | meaning "
      "|\n|---|---|---|\n";
  for (const Column& column : docs_columns()) {
    const std::string name =
        column.name.ends_with("_fl") ? column.name.substr(0, column.name.size() - 2) + "<wheel>" : column.name;
    out += fmt::format("| `{}` | {} | {} |\n", name, column.unit, column.meaning);
  }
  return out +
         "\nExit codes: 0 done, 1 verdict failed, 2 bad input, 3 diverged (the rows so far and `failed.snapshot` "
         "are left), "
         "4 file system.\n";
}

std::string parameters_page() {
  const std::string slots = fmt::format("`{}`", fmt::join(slot_names(), "`, `"));
  return std::string(kNote) +
         "# Parameters\n\nSI units everywhere. Axes: x forward, y left, z up (ISO 8855). Wheels: fl, fr, rl, rr.\n\n"
         "Slots of a vehicle: " +
         slots +
         ". `tire` stands for all four; tire slots go from general to specific whatever their order in the file. "
         "Priority: part, then blueprint, then scene (`parts`, `overrides`), then `--set`.\n\n"
         "The default is that of the code, used where a part does not name the key. `read with`: what a car must have "
         "for the "
         "key to count; empty: nothing. `vdsim run` and `vdsim catalog show` name keys that are written and not "
         "read.\n\n" +
         part_tables() + scene_tables() + output_tables();
}

std::string relative_to_root(const std::string& file) {
  return std::filesystem::path(file)
      .lexically_relative(std::filesystem::path(Catalog::default_folder()).parent_path())
      .generic_string();
}

const YamlNode& yaml_of(const Catalog& catalog, const CatalogEntry& entry) {
  Errors errors;
  const YamlNode* root = catalog.files().yaml(entry.path, errors);
  errors.throw_if_any();
  return *root;
}

std::string entry_row(const CatalogEntry& entry, const std::string& label) {
  const std::string file = relative_to_root(entry.path);
  return fmt::format("| `{}` | {} | [{}](../../{}) |\n", entry.id, label, file, file);
}

std::string entry_rows(const Catalog& catalog, const std::vector<CatalogEntry>& entries) {
  std::string out;
  for (const CatalogEntry& entry : entries) {
    const YamlNode* label = yaml_of(catalog, entry).find("label");
    out += entry_row(entry, label ? label->text : "");
  }
  return out;
}

// Every part below the title of its type and schema.
std::string part_rows(const Catalog& catalog, const char* head) {
  std::map<std::string, std::string> by_schema;
  for (const CatalogEntry& entry : catalog.parts()) {
    Errors errors;
    const auto part = read_part({entry.path, errors, &catalog.files()}, yaml_of(catalog, entry));
    errors.throw_if_any();
    by_schema[part->schema] += entry_row(entry, part->label);
  }
  std::string out;
  for (const PartType& type : part_types())
    out += fmt::format("\n## {}\n\n{}{}", type.title, head, by_schema[type.schema]);
  return out;
}

std::string catalog_page() {
  const Catalog catalog(Catalog::default_folder());
  constexpr const char* head = "| id | label | file |\n|---|---|---|\n";
  return std::string(kNote) + "# Catalog\n\nA comment in each file says where its values come from.\n\n## Scenes\n\n" +
         head + entry_rows(catalog, catalog.scenes()) + "\n## Vehicles\n\n" + head +
         entry_rows(catalog, catalog.blueprints()) + part_rows(catalog, head);
}

}  // namespace

std::vector<Page> reference_pages() { return {{"parameters.md", parameters_page()}, {"catalog.md", catalog_page()}}; }

}  // namespace vdsim::cli
