// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "apps/vdsim/commands.hpp"
#include "vdsim/config/files.hpp"
#include "vdsim/config/scenario.hpp"
#include "vdsim/config/unread.hpp"
#include "vdsim/config/vehicle.hpp"
#include "vdsim/config/write.hpp"
#include "vdsim/formats/atomic_file.hpp"
#include "vdsim/formats/road_file.hpp"
#include "vdsim/formats/tir.hpp"
#include "vdsim/lab/road_eval.hpp"
#include "vdsim/study/maneuver/plan.hpp"

namespace vdsim::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

struct CatalogArguments {
  std::string filter, id, out;
  std::vector<std::string> files;
  bool json = false, ids = false, check = false;
};

enum class FileKind { part, blueprint, scene, maneuver };

struct Group {
  const char *name, *title;
  const std::vector<CatalogEntry>& entries;
};

std::vector<Group> groups(const Catalog& catalog) {
  return {{"scenes", "Scenes", catalog.scenes()},
          {"blueprints", "Vehicles", catalog.blueprints()},
          {"parts", "Parts", catalog.parts()},
          {"maneuvers", "Manoeuvres", catalog.maneuvers()}};
}

std::string label_of(const Catalog& catalog, const std::string& file) {
  Errors ignored;
  const YamlNode* root = catalog.files().yaml(file, ignored);
  const YamlNode* label = root ? root->find("label") : nullptr;
  return label ? label->text : "";
}

int list(const CatalogArguments& in) {
  if (in.ids && in.filter == "set") {  // for completion
    for (const std::string& path : settable_paths()) fmt::print("{}\n", path);
    return done;
  }
  const Catalog catalog(Catalog::default_folder());
  Json document;
  std::string text;
  bool any = false;
  for (const Group& group : groups(catalog)) {
    std::string lines;
    for (const CatalogEntry& entry : group.entries) {
      if (!in.filter.empty() && in.filter != group.name && !entry.id.starts_with(in.filter)) continue;
      any = true;
      if (in.ids) {
        fmt::print("{}\n", entry.id);
        continue;
      }
      document[group.name].push_back(
          {{"id", entry.id}, {"label", label_of(catalog, entry.path)}, {"file", entry.path}});
      if (!in.json) lines += fmt::format("  {:<30} {}\n", entry.id, label_of(catalog, entry.path));
    }
    if (!lines.empty()) text += fmt::format("{}{}\n{}", text.empty() ? "" : "\n", group.title, lines);
  }
  if (!any)
    throw BadInput(fmt::format(
        "vdsim catalog list: nothing matches '{}'; try scenes, blueprints, parts, maneuvers, tire", in.filter));
  if (in.json)
    fmt::print("{}\n", document.dump(2));
  else
    fmt::print("{}", text);
  return done;
}

FileKind kind_of(const YamlNode& root) {
  if (root.find("fleet")) return FileKind::scene;
  if (root.find("phases")) return FileKind::maneuver;
  return root.find("parts") && !root.find("body") ? FileKind::blueprint : FileKind::part;
}

struct Resolved {
  std::string id, text;  // text: "" after errors
  std::vector<std::string> notes;
};

Resolved resolve_tir(const std::string& file, Errors& errors) {
  Warnings warnings;
  const auto tir = read_tir_file(file, errors, warnings);
  if (!tir) return {};
  return {fs::path(file).stem().string(), tir_text(*tir, fs::path(file).filename().string()), warnings.lines()};
}

Resolved resolve_road(const std::string& file, Errors& errors) {
  Warnings warnings;
  const auto road = load_road(file, errors, warnings);
  Resolved out{fs::path(file).stem().string(), "", warnings.lines()};
  if (!road) return {};
  for (const auto& [what, value] : road_info(*road)) out.text += fmt::format("{:<20}{}\n", what, value);
  return out;
}

// For the default car; a value that comes from a run before is not known yet.
Resolved resolve_maneuver(const Catalog& catalog, const std::string& file, const std::string& id) {
  const Maneuver maneuver = load_maneuver(catalog, file);
  ManeuverChanges changes;
  if (const auto first = first_of(catalog, maneuver, {}))
    for (const auto& [parameter, metric] : first->take) changes.parameters[parameter] = 1;
  const ManeuverPlan plan = plan_maneuver(catalog, maneuver, changes);
  return {id, plan_text(maneuver, plan), plan.scene.notes};
}

// Reads a file as what it is.
Resolved resolve_file(const Catalog& catalog, const std::string& file, Errors& errors) {
  const std::size_t before = errors.size();
  Resolved out;
  if (names_tir(file)) return resolve_tir(file, errors);
  if (is_road(file)) return resolve_road(file, errors);
  const YamlNode* root = catalog.files().yaml(file, errors);
  if (!root) return out;
  if (const YamlNode* name = root->find("id")) out.id = name->text;
  switch (kind_of(*root)) {
    case FileKind::scene: {
      const Scenario scene = read_scene(catalog, *root, file, folder_of(file), {}, errors);
      if (errors.size() == before) out.text = scenario_text(scene, true), out.notes = scene.notes;
      return out;
    }
    case FileKind::blueprint: {
      CarLayers car;
      if (read_blueprint(catalog, file, car, errors)) check_vehicle(car, Level::L2, {file, 1, 1}, "", errors);
      if (errors.size() != before) return out;
      out.text = vehicle_text(car.vehicle, 0, true);
      out.notes = unread_notes(unread_keys(car, std::nullopt));
      return out;
    }
    case FileKind::maneuver: return resolve_maneuver(catalog, file, out.id);
    case FileKind::part: break;
  }
  auto part = read_part({file, errors, &catalog.files()}, *root);
  if (!part) return out;
  out.notes = unread_notes(unread_keys(*part));
  out.text = part_text(*part, true);
  return out;
}

std::vector<CatalogEntry> everything(const Catalog& catalog) {
  std::vector<CatalogEntry> out;
  for (const Group& group : groups(catalog)) out.insert(out.end(), group.entries.begin(), group.entries.end());
  return out;
}

int show(const CatalogArguments& in) {
  const Catalog catalog(Catalog::default_folder());
  Errors errors;
  Resolved found;
  const Place place{"vdsim catalog show", 0, 0};
  if (const auto file = locate({in.id, "", place, ""}, everything(catalog), "id", errors))
    found = resolve_file(catalog, *file, errors);
  errors.throw_if_any();
  if (in.json)
    fmt::print("{}\n", Json{{"id", found.id}, {"yaml", found.text}, {"notes", found.notes}}.dump(
                           2, ' ', false, Json::error_handler_t::replace));
  else
    fmt::print("{}", found.text);
  print_notes(found.notes, in.json);
  return done;
}

int validate(const CatalogArguments& in) {
  const Catalog catalog(Catalog::default_folder());
  Errors errors;
  std::vector<CatalogEntry> entries;
  std::vector<std::string> refused;
  for (const std::string& file : in.files) entries.push_back({"", file});
  if (in.files.empty()) entries = everything(catalog);
  for (const CatalogEntry& entry : entries) {
    const std::size_t before = errors.size();
    std::string id;
    try {
      id = resolve_file(catalog, entry.path, errors).id;
    } catch (const BadInput& e) {  // of a manoeuvre, whose plan tells all its errors
      refused.insert(refused.end(), e.lines.begin(), e.lines.end());
      continue;
    }
    if (errors.size() == before && !entry.id.empty() && entry.id != id)
      errors.add({entry.path, 0, 0}, "id", fmt::format("'{}' here, but '{}' in the manifest", id, entry.id));
  }
  const std::vector<std::string> lines = errors.lines();
  refused.insert(refused.end(), lines.begin(), lines.end());
  if (!refused.empty()) throw BadInput(refused);
  if (in.json)
    fmt::print("{}\n", Json{{"verdict", "valid"}, {"files", entries.size()}}.dump(2));
  else
    fmt::print("{} {} valid\n", entries.size(), entries.size() == 1 ? "file is" : "files are");
  return done;
}

int docs(const CatalogArguments& in) {
  const std::string folder = in.out.empty() ? VDSIM_SOURCE_DIR "/docs/reference" : in.out;
  std::vector<std::string> stale;
  std::vector<NamedText> written;
  for (const Page& page : reference_pages()) {
    const std::string file = (fs::path(folder) / page.name).string();
    Errors unread;
    const auto there = read_text(file, unread);
    if (there && *there == page.text) continue;
    stale.push_back(file);
    if (!in.check) written.push_back({file, page.text});
  }
  write_together(written);
  if (in.json)
    fmt::print("{}\n", Json{{"verdict", in.check && !stale.empty() ? "stale" : "current"}, {"changed", stale}}.dump(2));
  for (const std::string& file : stale)
    if (!in.json)
      fmt::print(in.check ? stderr : stdout, "{} {}\n",
                 in.check ? "not current, run vdsim catalog docs:" : "written:", file);
  return in.check && !stale.empty() ? verdict_failed : done;
}

}  // namespace

void add_catalog(Verb app, Action& chosen) {
  auto in = std::make_shared<CatalogArguments>();
  Verb catalog = add_group(app, "catalog", "List, show and check scenes, vehicles and parts",
                           "list, show, validate or docs", chosen);
  catalog.footer(
      "Examples:\n  vdsim catalog list tire\n  vdsim catalog show tire.lugre_on\n  vdsim catalog validate "
      "my_scene.yaml my_tire.yaml\n"
      "  vdsim catalog docs --check");
  const auto verb = [&](const char* name, const char* help, const char* examples,
                        int (*action)(const CatalogArguments&)) {
    Verb sub = catalog.add_subcommand(name, help);
    sub.footer(std::string("Examples:\n") + examples);
    sub.add_flag("--json", in->json, "print one JSON document");
    sub.callback([in, action, &chosen] { chosen = [in, action] { return action(*in); }; });
    return sub;
  };
  Verb sub = verb("list", "List ids with their labels",
                  "  vdsim catalog list\n  vdsim catalog list scenes\n  vdsim catalog list tire", list);
  sub.add_option("filter", in->filter, "scenes, blueprints, parts, maneuvers, or the start of an id");
  sub.add_flag("--ids", in->ids, "ids only, one per line");
  sub = verb("show", "Print every resolved value with its unit",
             "  vdsim catalog show tire.lugre_on\n  vdsim catalog show vehicle.race_gt\n  vdsim catalog show my.tir",
             show);
  sub.add_option("id", in->id, "id or file").required().type_name("ID|FILE");
  sub = verb("validate", "Check files, or the whole catalog",
             "  vdsim catalog validate\n  vdsim catalog validate my_tire.yaml", validate);
  sub.add_option("files", in->files, "parts, vehicles, scenes, manoeuvres, .tir files or roads").type_name("FILE");
  sub =
      verb("docs", "Write the parameter and catalog pages", "  vdsim catalog docs\n  vdsim catalog docs --check", docs);
  sub.add_flag("--check", in->check, "write nothing; exit code 1 if a page is not current");
  sub.add_option("--out", in->out, "folder [docs/reference of the source tree]").type_name("DIR");
}

}  // namespace vdsim::cli
