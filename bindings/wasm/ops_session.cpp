// SPDX-License-Identifier: Apache-2.0
// Ops of the catalog and of the drive.
#include <fmt/format.h>

#include "bindings/wasm/border.hpp"
#include "bindings/wasm/memory_files.hpp"
#include "vdsim/config/document.hpp"
#include "vdsim/config/files.hpp"
#include "vdsim/config/write.hpp"
#include "vdsim/engine/hash.hpp"
#include "vdsim/formats/csv_text.hpp"
#include "vdsim/formats/files.hpp"
#include "vdsim/study/live/drive_rows.hpp"
#include "vdsim/study/run.hpp"
#include "vdsim/study/run_head.hpp"

namespace vdsim::wasm {
namespace {

constexpr const char* kFolder = "/configs";

std::string from_base64(std::string_view text) {
  std::string out;
  unsigned bits = 0, held = 0;
  for (const char c : text) {
    const auto at = std::string_view("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/").find(c);
    if (at == std::string_view::npos) continue;
    bits = bits << 6 | static_cast<unsigned>(at), held += 6;
    if (held >= 8) out += static_cast<char>(bits >> (held -= 8) & 255);
  }
  return out;
}

// {files: [[path, text or {base64}]...]}: a path without a leading / lies in the catalog.
Answer put_files(const Question& q) {
  for (const Question& file : q.at("files")) {
    const Question& content = file.at(1);
    memory_files()[whole_path(join_paths(kFolder, file.at(0).get<std::string>()))] =
        content.is_string() ? content.get<std::string>() : from_base64(content.at("base64").get<std::string>());
  }
  engine().catalog = nullptr;  // what was read stays with the scene that is open
  return {{"files", memory_files().size()}};
}

Answer about(const Question&) {
  std::uint64_t hash = kHashStart;
  for (const auto& [path, content] : memory_files()) hash = fnv1a(content, fnv1a(path, hash));
  return {{"version", version_text()}, {"git", git_text()}, {"catalog", fmt::format("{:016x}", hash)}};
}

Answer entry_answer(const CatalogEntry& entry) {
  Errors errors;
  Answer out{{"id", entry.id}, {"path", entry.path.substr(std::string(kFolder).size() + 1)}};
  const YamlNode* root = names_tir(entry.path) ? nullptr : catalog()->files().yaml(entry.path, errors);
  if (!root) return out;
  for (const char* key : {"label", "type", "schema"})
    if (const YamlNode* value = root->find(key)) out[key] = value->text;
  if (const YamlNode* tags = root->find("tags")) {
    out["tags"] = Answer::array();
    for (const YamlNode& tag : tags->items) out["tags"].push_back(tag.text);
  }
  return out;
}

Answer catalog_answer(const Question&) {
  const auto list = [](const std::vector<CatalogEntry>& entries) {
    Answer out = Answer::array();
    for (const CatalogEntry& entry : entries) out.push_back(entry_answer(entry));
    return out;
  };
  return {{"scenes", list(catalog()->scenes())},
          {"vehicles", list(catalog()->blueprints())},
          {"parts", list(catalog()->parts())},
          {"maneuvers", list(catalog()->maneuvers())}};
}

Answer columns_answer(const std::vector<Column>& columns) {
  Answer out = Answer::array();
  for (const Column& c : columns) out.push_back({{"name", c.name}, {"unit", c.unit}, {"meaning", c.meaning}});
  return out;
}

Answer geometry_answer(const ChassisSpec& c) {
  return {{"wheelbase", c.wheelbase}, {"a", c.cg_to_front},       {"b", c.cg_to_rear},
          {"track_f", c.track_front}, {"track_r", c.track_rear},  {"radius", c.wheel_radius_nominal},
          {"width", body_width(c)},   {"length", body_length(c)}, {"front", body_front(c)},
          {"h", c.cg_height}};
}

Answer marks_answer(const LiveSession& live) {
  Answer out = Answer::array();
  for (const LiveMark& mark : live.marks())
    out.push_back({{"step", mark.step}, {"time", mark.time}, {"what", mark.what}});
  return out;
}

Answer clock_answer() {
  const LiveSession& live = engine().live();
  Answer out{{"step", live.step()}, {"end", live.end()}, {"time", live.time()}, {"generation", live.generation()}};
  out["hash"] = live.hash();
  out["differs"] = live.differs() ? Answer(*live.differs()) : Answer(nullptr);
  out["marks"] = marks_answer(live);
  return out;
}

Answer open(const Question& q) {
  engine().session = std::make_unique<LiveSession>(catalog(), scene_of(q));
  return session_answer();
}
Answer session(const Question&) { return session_answer(); }

// Every value of the scene as it is, by its table.
Answer fields(const Question&) {
  const Document document = Document::of(catalog(), engine().live().scene());
  Answer out = Answer::array();
  for (const DocumentField& row : document.fields()) {
    if (row.kind == DocumentField::Kind::other) continue;
    const Range& range = row.field.range;
    Answer each{{"path", row.path},
                {"unit", row.field.unit},
                {"meaning", row.field.meaning},
                {"kind", enum_name(row.kind)},
                {"lo", range.lo},  // an infinite one is null
                {"hi", range.hi},
                {"lo_open", range.lo_open},
                {"hi_open", range.hi_open},
                {"default", row.initial},
                {"value", document.get(row.path)}};
    if (row.kind == DocumentField::Kind::choice) each["choices"] = row.field.choices();
    out.push_back(std::move(each));
  }
  return {{"fields", std::move(out)}};
}

Answer edit(const Question& q) {
  engine().live().edit(sets_of(q));
  return clock_answer();
}
Answer reset(const Question&) {
  engine().live().reset();
  return clock_answer();
}
Answer rewind(const Question& q) {
  engine().live().rewind(q.at("step"));
  return clock_answer();
}
Answer hash(const Question&) { return clock_answer(); }
Answer tape(const Question&) { return {{"tape", engine().live().tape()}}; }

// {tape, run: true}: to its end; without `run` it lies ahead.
Answer replay(const Question& q) {
  const std::string text = q.at("tape"), file = q.value("file", "tape");
  if (q.value("run", false))
    engine().session = std::make_unique<LiveSession>(replay_tape(catalog(), text, file));
  else
    engine().session = std::make_unique<LiveSession>(catalog(), load_tape(*catalog(), text, file));
  Answer out = session_answer();
  out.update(clock_answer());
  return out;
}

// {car}: run.csv as `vdsim replay` writes it, of the drive so far. The drive itself goes on where it is.
Answer csv(const Question& q) {
  const std::size_t car = q.value("car", std::size_t(0));
  if (car >= engine().live().cars()) throw bad_value("car", "there is none such");
  TapedScene taped = load_tape(*catalog(), engine().live().tape(), "tape");
  Scenario timed = taped.scene;  // a drive takes what it takes
  const std::string hash = taped.tape.config;
  DriveRows rows(catalog(), std::move(taped));
  timed.timing.duration = std::max(rows.end_time(), timed.timing.duration);
  TableHead head = run_head(timed, timed.cars[car], hash);
  head.columns = rows.columns(car);
  const CsvText lines(q.value("digits", RunOptions{}.digits), row_time_digits(timed));
  std::string text = CsvText::head(head);
  for (bool fine = true; rows.next();) {  // a car that diverged has no more rows
    const std::span<const double> row = rows.row(car);
    fine = fine && rows.session().why(car).empty() &&
           std::all_of(row.begin(), row.end(), [](double x) { return std::isfinite(x); });
    if (fine) lines.add_row(row, text);
  }
  return {{"text", std::move(text)}};
}

Answer scene_text(const Question& q) {
  const Scenario& scene = engine().live().scene();
  return {{"text", scenario_text(scene, q.value("units", false))}, {"hash", scenario_hash(scene)}};
}

}  // namespace

const std::shared_ptr<const Catalog>& catalog() {
  if (!engine().catalog) engine().catalog = std::make_shared<const Catalog>(kFolder);
  return engine().catalog;
}

std::vector<Assignment> sets_of(const Question& q) {
  std::vector<Assignment> out;
  if (!q.contains("sets")) return out;
  for (const Question& set : q["sets"]) {
    const std::string path = set.at(0), value = set.at(1);
    out.push_back({path + "=" + value, path, value});
  }
  return out;
}

SceneChanges changes_of(const Question& q) {
  return {q.value("vehicle", ""), q.value("tire", ""), q.value("surface", ""), sets_of(q)};
}

Scenario scene_of(const Question& q) {
  const Question& scene = q.at("scene");
  const SceneChanges changes = changes_of(q);
  if (scene.is_string()) return load_scene(*catalog(), scene, changes);
  Errors errors;
  const std::string file = q.value("file", "scene.yaml"), folder = q.value("folder", std::string(kFolder) + "/scenes");
  Scenario out = scene.contains("text")
                     ? read_scene(*catalog(), scene["text"].get<std::string>(), file, folder, changes, errors)
                     : read_scene(*catalog(), tree_of(scene), file, folder, changes, errors);
  errors.throw_if_any();
  out.warnings = errors.warnings();
  return out;
}

Answer session_answer() {
  LiveSession& live = engine().live();
  const Scenario& scene = live.scene();
  Answer cars = Answer::array();
  for (std::size_t i = 0; i < live.cars(); ++i) {
    const CarSpec& car = scene.cars[i];
    cars.push_back({{"id", car.id},
                    {"level", enum_name(car.level)},
                    {"control", enum_name(car.control)},
                    {"wheels", wheel_names(car.level)},
                    {"origin", car.origin},
                    {"by_hand", live.by_hand(i)},
                    {"why", live.why(i)},
                    {"signals", columns_answer(live.signals(i))},
                    {"geometry", geometry_answer(car.vehicle.chassis)}});
  }
  return {{"id", scene.id},
          {"label", scene.label},
          {"dt", live.dt()},
          {"integrator", enum_name(scene.solver.integrator)},
          {"rate", scene.timing.rate},
          {"duration", scene.timing.duration},
          {"grade", scene.road.grade},
          {"bank", scene.road.bank},
          {"mu", scene.road.mu},
          {"generation", live.generation()},
          {"step", live.step()},
          {"time", live.time()},
          {"end", live.end()},
          {"warnings", scene.warnings},
          {"notes", scene.notes},
          {"cars", std::move(cars)}};
}

std::span<const NamedOp> session_ops() {
  static constexpr NamedOp all[] = {{"files", put_files},
                                    {"about", about},
                                    {"catalog", catalog_answer},
                                    {"open", open},
                                    {"session", session},
                                    {"fields", fields},
                                    {"edit", edit},
                                    {"reset", reset},
                                    {"rewind", rewind},
                                    {"hash", hash},
                                    {"tape", tape},
                                    {"replay", replay},
                                    {"scene_text", scene_text},
                                    {"csv", csv}};
  return all;
}

}  // namespace vdsim::wasm
