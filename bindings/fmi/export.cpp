// SPDX-License-Identifier: Apache-2.0
#include "bindings/fmi/export.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "bindings/fmi/description.hpp"
#include "vdsim/config/files.hpp"
#include "vdsim/config/road_map.hpp"
#include "vdsim/config/terrain.hpp"
#include "vdsim/config/write.hpp"
#include "vdsim/engine/errors.hpp"
#include "vdsim/formats/atomic_file.hpp"
#include "vdsim/study/scene_car.hpp"

namespace vdsim::fmi {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

struct Platform {
  const char *name, *folder2, *folder3, *library;  // folders of FMI 2.0 and 3.0
};
constexpr Platform kPlatforms[] = {{"linux64", "linux64", "x86_64-linux", "vdsim.so"},
                                   {"win64", "win64", "x86_64-windows", "vdsim.dll"},
                                   {"aarch64", "aarch64-linux", "aarch64-linux", "vdsim.so"}};

std::string bytes_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::string out{std::istreambuf_iterator<char>(in), {}};
  if (!in) throw FileError("cannot read " + file.string());
  return out;
}

// A file of the scene among the resources; its name there.
std::string stage(const std::string& file, const fs::path& folder) {
  const std::string bytes = bytes_of(file);
  fs::path name = fs::path(file).filename();
  for (int i = 2; fs::exists(folder / name) && bytes_of(folder / name) != bytes; ++i)
    name = fmt::format("{}_{}{}", fs::path(file).stem().string(), i, fs::path(file).extension().string());
  write_file((folder / name).string(), bytes);
  return name.string();
}

void stage_tir(TireSpec& tire, const fs::path& folder) {
  if (!tire.tir_path.empty()) tire.tir_path = stage(tire.tir_path.text, folder).c_str();
}

void stage_files(Scenario& scene, const fs::path& folder) {
  if (!scene.road.terrain.empty()) scene.road.terrain = stage(scene.road.terrain.text, folder).c_str();
  for (auto& map : scene.maps) {
    auto copy = std::make_shared<RoadMap>(*map);
    copy->path = stage(map->path, folder);
    map = copy;
  }
  for (CarSpec& car : scene.cars)
    for (TireSpec* tire : {&car.vehicle.tire_fl, &car.vehicle.tire_fr, &car.vehicle.tire_rl, &car.vehicle.tire_rr})
      stage_tir(*tire, folder);
}

// Numbers keep their digits: what is one in JSON stays as it was written.
std::string json_scalar(const YamlNode& node) {
  const std::string& t = node.text;
  const bool word = node.quoted || t.empty();
  if (!word && (t == "true" || t == "false")) return t;
  if (!word && t == "-0") return "-0.0";
  if (!word && Json::accept(t) && Json::parse(t).is_number()) return t;
  return Json(t).dump();
}

void write_json(const YamlNode& node, const std::string& pad, std::string& out) {
  using Kind = YamlNode::Kind;
  if (node.kind == Kind::null) out += "null";
  if (node.kind == Kind::scalar) out += json_scalar(node);
  if (node.kind != Kind::map && node.kind != Kind::list) return;
  const bool map = node.kind == Kind::map;
  out += map ? "{" : "[";
  const std::string inner = pad + " ";
  bool first = true;
  const auto begin = [&] {
    out += (first ? "\n" : ",\n") + inner;
    first = false;
  };
  for (const YamlEntry& entry : node.entries) {
    begin();
    out += Json(entry.key).dump() + ": ";
    write_json(entry.value, inner, out);
  }
  for (const YamlNode& item : node.items) {
    begin();
    write_json(item, inner, out);
  }
  out += first ? "" : "\n" + pad;
  out += map ? "}" : "]";
}

std::string json_of(const std::string& yaml) {
  Errors errors;
  const auto root = parse_yaml(yaml, "text", errors);
  errors.throw_if_any();
  std::string out;
  write_json(*root, "", out);
  return out + "\n";
}

// --- what is exported

enum class Source { scene, vehicle, part };

bool listed(const std::vector<CatalogEntry>& entries, const std::string& name) {
  return std::any_of(entries.begin(), entries.end(), [&](const CatalogEntry& e) { return e.id == name; });
}

Source source_of(const Catalog& catalog, const std::string& name) {
  if (names_tir(name)) return Source::part;
  if (names_file(name)) {
    Errors errors;
    const auto file = locate({name, "", {"vdsim fmu export", 0, 0}, ""}, catalog.scenes(), "scene", errors);
    const YamlNode* root = file ? catalog.files().yaml(*file, errors) : nullptr;
    errors.throw_if_any();
    if (root->find("type")) return Source::part;
    return root->find("fleet") || !root->find("parts") ? Source::scene : Source::vehicle;
  }
  if (listed(catalog.scenes(), name)) return Source::scene;
  if (listed(catalog.blueprints(), name)) return Source::vehicle;
  if (listed(catalog.parts(), name)) return Source::part;
  std::vector<std::string> all = ids_of(catalog.scenes());
  for (const auto* list : {&catalog.blueprints(), &catalog.parts()})
    for (const std::string& id : ids_of(*list)) all.push_back(id);
  throw BadInput(
      fmt::format("vdsim fmu export: no scene, vehicle or part '{}'{}", name.substr(0, 60), suggestion(name, all)));
}

Scenario load(const Catalog& catalog, const Request& request, Source source) {
  if (request.scene) return *request.scene;
  SceneChanges changes;
  for (const std::string& set : request.sets) changes.set(set);
  if (source == Source::scene) return load_scene(catalog, request.source, changes);
  Errors errors;
  const std::string id = names_file(request.source) ? fs::path(request.source).stem().string() : request.source;
  const std::string text =
      fmt::format("{{id: {}, fleet: [{{id: car, blueprint: {}}}]}}", quoted_text(id), quoted_text(request.source));
  Scenario out = read_scene(catalog, text, "vdsim fmu export", "", changes, errors);
  errors.throw_if_any();
  out.warnings = errors.warnings();
  return out;
}

bool has_driver(DriverSpec driver) {
  if (driver.path.given()) return true;
  for (const FieldRef& field : fields_of(driver))
    if (field.kind == FieldRef::Kind::other && field.data != &driver.path)
      if (static_cast<const Table*>(field.data)->given()) return true;
  return false;
}

// --- libraries

void add_libraries(const Request& request, Made& out) {
  const fs::path folder = request.libraries.empty() ? libraries_folder() : request.libraries;
  std::vector<std::string> wanted = request.platforms;
  if (wanted.empty()) wanted = platform_names();
  for (const std::string& name : wanted) {
    const auto platform =
        std::find_if(std::begin(kPlatforms), std::end(kPlatforms), [&](const Platform& p) { return name == p.name; });
    if (platform == std::end(kPlatforms))
      throw BadInput(
          fmt::format("--platforms: unknown platform '{}'{}", name.substr(0, 60), suggestion(name, platform_names())));
    const fs::path library = folder / platform->name / platform->library;
    if (!fs::exists(library)) {
      if (!request.platforms.empty())
        throw BadInput(
            fmt::format("--platforms {}: there is no {}: tools/fmu_library.sh builds it", name, library.string()));
      out.notes.push_back(
          fmt::format("no library for {} was built (tools/fmu_library.sh): the FMU runs on the other machines", name));
      continue;
    }
    out.platforms.push_back(name);
    out.files.push_back(
        {fmt::format("binaries/{}/{}", request.version == 2 ? platform->folder2 : platform->folder3, platform->library),
         bytes_of(library)});
  }
  if (out.platforms.empty()) throw FileError("no library for FMUs in " + folder.string());
  for (const char* licence : {"LICENSE", "THIRD_PARTY_NOTICES.md"})
    out.files.push_back({fmt::format("documentation/licenses/{}", licence), bytes_of(folder / licence)});
  out.files.push_back(
      {request.version == 2 ? "model.png" : "terminalsAndIcons/icon.png", bytes_of(folder / "icon.png")});
}

// Model exchange where it is asked for and possible: `me` refuses, `both` then gives co-simulation.
Kind kind_of(Kind asked, const std::vector<std::string>& against, std::vector<std::string>& notes) {
  if (asked == Kind::cs || against.empty()) return asked;
  const std::string why = fmt::format("{} act{} in steps", fmt::join(against, ", "), against.size() == 1 ? "s" : "");
  if (asked == Kind::me) throw BadInput(fmt::format("--kind me: no model exchange, {}; use cs", why));
  notes.push_back(fmt::format("no model exchange, {}: the FMU is for co-simulation", why));
  return Kind::cs;
}

}  // namespace

const std::vector<std::string>& platform_names() {
  static const std::vector<std::string> all = [] {
    std::vector<std::string> out;
    for (const Platform& platform : kPlatforms) out.emplace_back(platform.name);
    return out;
  }();
  return all;
}

std::string libraries_folder() {
  std::error_code ec;
  const fs::path program = fs::read_symlink("/proc/self/exe", ec).parent_path();
  const fs::path installed = program.parent_path() / "lib" / "vdsim" / "fmu";
  return (fs::exists(program / "fmu", ec) ? program / "fmu" : installed).string();
}

namespace {

// What is exported: its document as text, and how the description names it. Files that it names lie in a folder.
struct Content {
  Options options;
  std::string text, readable;  // as the FMU reads it; with units, for people
  std::string hash;            // of the document as it was loaded
  Described described;
  std::vector<std::string> notes;
};

Content tire_content(const Catalog& catalog, const Request& request, const fs::path& folder) {
  const std::shared_ptr<const Catalog> all(std::shared_ptr<void>(), &catalog);
  Document document = Document::load(all, DocumentKind::part, request.source);
  if (document.part()->type != "tire")
    throw BadInput(fmt::format("{} is a {} part: there are FMUs of scenes, vehicles and tires", request.source,
                               document.part()->type));
  Errors errors;
  const auto of_cars = [&](bool given, const char* option) {
    if (given) errors.add({option, 0, 0}, "", "of cars, " + request.source + " is a tire");
  };
  of_cars(!request.car.empty(), "--car");
  of_cars(request.control_given, "--control");
  of_cars(request.options.command_level != Options{}.command_level, "--command-level");
  std::vector<Assignment> sets;
  for (const std::string& text : request.sets)
    if (const auto set = split_assignment("--set", text, errors)) sets.push_back(*set);
  errors.throw_if_any();
  document.set(sets);
  Part part = *document.part();
  Content out;
  out.options.holds = DocumentKind::part, out.options.parameters = request.options.parameters;
  out.options.kind = kind_of(request.options.kind, {"the rig"}, out.notes);
  out.hash = document.hash();
  stage_tir(part.tire, folder);
  out.text = json_of(part_text(part)), out.readable = part_text(part, true);
  out.described.name = part.id, out.described.description = part.label.empty() ? part.id : part.label;
  return out;
}

Content car_content(const Catalog& catalog, const Request& request, Source source, const fs::path& folder) {
  Scenario scene = load(catalog, request, source);
  CarSpec car = request.car.empty() ? only_car(scene) : car_by_id(scene, request.car);
  if (car.controller.given())
    throw bad_value("control", "an FMU drives " + car.id +
                                   ", and an FMU does not hold another one: --set control=external, and wire the two "
                                   "in your tool");
  Content out;
  out.options = request.options;
  if (!request.control_given) out.options.control = has_driver(car.driver) ? car.control : Control::external;
  if (out.options.command_level < 1 || out.options.command_level > 8)
    throw BadInput(fmt::format("--command-level {}: expected 1 to 8", out.options.command_level));
  out.options.kind = kind_of(request.options.kind, not_exchangeable(car, out.options), out.notes);
  car.control = Control::internal;  // the parameter `control` decides, and inputs never get stale
  scene.cars = {car};
  out.hash = scenario_hash(scene);
  stage_files(scene, folder);
  out.text = json_of(scenario_text(scene)), out.readable = scenario_text(scene, true);
  out.notes.insert(out.notes.end(), scene.warnings.begin(), scene.warnings.end());
  Described& d = out.described;
  d.name = scene.id, d.duration = scene.timing.duration, d.dt = scene.solver.dt;
  d.description =
      (scene.label.empty() ? scene.id : scene.label) + ", car " + car.id + ", level " + enum_name(car.level);
  return out;
}

}  // namespace

Made make_fmu(const Catalog& catalog, const Request& request) {
  Made out;
  const ScratchFolder staging("vdsim_fmu");  // for what the document names
  const Source source = request.scene ? Source::scene : source_of(catalog, request.source);
  if (request.tire_only && source != Source::part)
    throw BadInput("--tire-only: " + request.source + " is no tire part; `vdsim catalog list` names them");
  Content content = source == Source::part ? tire_content(catalog, request, staging.path())
                                           : car_content(catalog, request, source, staging.path());
  const Options& options = content.options;
  const Document document =
      Document::read(std::make_shared<const Catalog>(), options.holds, content.text, staging.path());
  if (document.hash() != content.hash) throw std::logic_error("the document reads back as another one");
  Described& described = content.described;
  const std::vector<Variable>& variables = described.variables = fmu_variables(document, options);
  if (std::none_of(variables.begin(), variables.end(), [](const Variable& v) { return !v.path.empty(); }) &&
      !options.parameters.empty())
    throw BadInput(fmt::format("--parameters {}: no path of this {} matches", options.parameters.substr(0, 60),
                               enum_name(options.holds)));
  described.kind = out.kind = options.kind;
  described.token = out.token = token_of(content.text, options, variables);
  const bool two = request.version == 2;
  const std::string name = "resources/" + enum_name(options.holds);
  out.files = {{"modelDescription.xml", two ? description2(described) : description3(described)},
               {name + ".json", content.text},
               {name + ".yaml", content.readable},
               {"resources/fmu.json", options.text()}};
  for (const auto& entry : fs::directory_iterator(staging.path()))
    out.files.push_back({"resources/" + entry.path().filename().string(), bytes_of(entry.path())});
  if (!two)
    out.files.push_back({"terminalsAndIcons/terminalsAndIcons.xml", terminals3(variables, source == Source::part)});
  add_libraries(request, out);
  out.notes.insert(out.notes.end(), content.notes.begin(), content.notes.end());
  std::sort(out.files.begin(), out.files.end(),
            [](const ArchiveFile& a, const ArchiveFile& b) { return a.name < b.name; });
  return out;
}

}  // namespace vdsim::fmi
