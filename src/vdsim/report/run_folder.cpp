// SPDX-License-Identifier: Apache-2.0
#include "vdsim/report/run_folder.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>
#include <set>

#include "vdsim/formats/readable.hpp"
#include "vdsim/formats/shown.hpp"

namespace vdsim {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::size_t kLongestSummary = std::size_t(16) << 20;  // a tree of it in memory is ten times as large

bool is_file(const fs::path& path) {
  std::error_code ec;
  return fs::is_regular_file(path, ec);
}
bool is_folder(const fs::path& path) {
  std::error_code ec;
  return fs::is_directory(path, ec);
}

std::vector<std::string> split(std::string_view text) {
  std::vector<std::string> out;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    out.emplace_back(text.substr(at, end - at));
    at = end + 1;
  }
  return out;
}

// "# key: value" lines above the header; "units" names the units of the columns.
std::vector<std::pair<std::string, std::string>> notes_of(std::string_view text) {
  std::vector<std::pair<std::string, std::string>> out;
  while (text.starts_with('#')) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(1, end - 1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.starts_with(' ')) line.remove_prefix(1);
    const std::size_t colon = line.find(": ");
    if (colon != std::string_view::npos) out.emplace_back(line.substr(0, colon), line.substr(colon + 2));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

void read_rows(const std::string& path, RunFolder& run, Errors& errors) {
  const auto rules = [](const std::vector<std::string>& names) {
    ColumnRules out;
    for (const std::string& name : names) out.push_back({name, "", any_finite(), true, name == "t"});
    if (std::find(names.begin(), names.end(), "t") == names.end()) out.push_back({"t", "s", any_finite(), true, true});
    return out;
  };
  std::shared_ptr<ColumnSpool> spool;
  const auto keep = [&](const std::vector<std::string>& names, std::span<const double> values) {
    if (!spool) spool = std::make_shared<ColumnSpool>(names.size());
    spool->row(values);
  };
  std::string head;
  auto table = read_table_file(path, rules, keep, head, errors);
  if (!table) return;
  run.spool = spool;
  std::vector<std::string> units;
  for (auto& [key, value] : notes_of(head)) {
    if (key == "units")
      units = split(value);
    else
      run.head.notes.emplace_back(std::move(key), std::move(value));
  }
  if (!units.empty() && units.size() != table->names.size())
    errors.add({path, 0, 0}, "", fmt::format("{} units for {} columns", units.size(), table->names.size()));
  for (std::size_t i = 0; i < table->names.size(); ++i)
    run.head.columns.push_back({table->names[i], i < units.size() ? units[i] : "", ""});
  run.rows = std::move(*table);
}

Place place_of(const std::string& file, std::string_view text, std::size_t byte) {
  const std::string_view before = text.substr(0, std::min(byte, text.size()));
  const std::size_t line_start = before.rfind('\n') + 1;  // npos + 1 is 0
  return {file, static_cast<int>(std::count(before.begin(), before.end(), '\n')) + 1,
          static_cast<int>(before.size() - line_start) + 1};
}

json read_summary(const std::string& path, Errors& errors) {
  if (!is_file(path)) return json::object();
  const auto text = read_data(path, {path, 0, 0}, errors, kLongestSummary);
  return text ? parse_summary(*text, path, errors) : json::object();
}

std::string plain_name(const fs::path& folder) {
  const fs::path path = fs::absolute(folder).lexically_normal();
  return (path.has_filename() ? path.filename() : path.parent_path().filename()).string();
}

// Folders below with rows of their own: those the series names, else one per car.
std::vector<fs::path> parts_of(const fs::path& folder, const json& summary) {
  std::vector<fs::path> out;
  const json& runs = json_list(summary, "runs");
  const json& cars = json_list(summary, "cars");
  for (const json& run : runs)
    if (const std::string name = json_text(run, "folder"); !name.empty() && is_file(folder / name / "run.csv"))
      out.push_back(folder / name);
  for (const json& car : cars)
    if (const std::string name = json_text(car, "id"); !name.empty() && is_file(folder / name / "run.csv"))
      out.push_back(folder / name);
  if (!out.empty()) return out;
  std::error_code ec;
  for (const auto& each : fs::directory_iterator(folder, ec))
    if (is_file(each.path() / "run.csv")) out.push_back(each.path());
  std::sort(out.begin(), out.end());
  return out;
}

// One car of a scene: its own part of the summary stands at the top, as if it were alone.
json summary_of_car(const json& summary, const std::string& car) {
  json out = summary;
  for (const json& each : json_list(summary, "cars"))
    if (json_text(each, "id") == car) {
      out["cars"] = json::array({each});
      out["verdict"] = json_text(each, "verdict");
    }
  return out;
}

void no_rows(const fs::path& folder, Errors& errors) {
  const std::string h5 = (folder / "run.h5").string();
  if (is_file(h5))
    errors.add({h5, 0, 0}, "", "reports read run.csv; run again without --format hdf5");
  else
    errors.add({folder.string(), 0, 0}, "", "no run.csv in this folder: it is not the --out of a run");
}

RunFolder read_one(const fs::path& folder, const fs::path& table, Errors& errors) {
  RunFolder out;
  out.folder = folder.string();
  out.name = plain_name(folder);
  if (is_file(table)) read_rows(table.string(), out, errors);
  out.summary = read_summary((folder / "summary.json").string(), errors);
  if (const fs::path path = folder / "resolved.yaml"; is_file(path))
    out.resolved = read_data(path.string(), {path.string(), 0, 0}, errors, kLongestSummary).value_or("");
  return out;
}

std::string config_of(const std::string& resolved) {
  for (const auto& [key, value] : notes_of(resolved))
    if (key == "config") return value;
  return "";
}
// Rows, summary and resolved.yaml name the configuration that they are of.
void check_one_run(const RunFolder& rows, const RunFolder& whole, Errors& errors) {
  const std::string of_rows = rows.note("config");
  for (const auto& [file, config] : {std::pair{"summary.json", json_text(whole.summary, "config")},
                                     std::pair{"resolved.yaml", config_of(whole.resolved)}})
    if (!of_rows.empty() && !config.empty() && config != of_rows)
      errors.add({rows.folder, 0, 0}, "",
                 fmt::format("run.csv is of configuration {}, {} of {}: files of different runs; run it again", of_rows,
                             file, config));
}

// Of one car of several: summary and configuration stand in the folder above, beside those of the other cars.
void add_scene(const fs::path& folder, RunFolder& run, Errors& errors) {
  if (!run.summary.empty() || !run.resolved.empty()) return;
  const fs::path above = fs::absolute(folder).lexically_normal() / "..";
  RunFolder scene;
  scene.summary = read_summary((above / "summary.json").string(), errors);
  const json& cars = json_list(scene.summary, "cars");
  const std::string car = run.car();
  if (car.empty() || std::none_of(cars.begin(), cars.end(), [&](const json& c) { return json_text(c, "id") == car; }))
    return;
  scene = read_one(above, "", errors);
  run.summary = summary_of_car(scene.summary, car);
  run.resolved = scene.resolved;
  check_one_run(run, scene, errors);
}

// The columns that an overlay shows; the rest of long tables would be kept for nothing.
RunFolder in_short(const RunFolder& run, const std::string& name) {
  RunFolder out;
  out.name = name;
  for (const char* column : {"t", "x", "y", "vx", "vy", "r", "ay", "beta", "steer_wheel"})
    if (const std::vector<double>* values = run.find(column)) {
      out.rows.names.emplace_back(column);
      out.rows.columns.push_back(*values);
      out.head.columns.push_back({column, run.unit(column), ""});
    }
  return out;
}

// "41.6 deg", by the parameter of the series; "pedal 0.4" if it has no unit
std::string name_in_series(const RunFolder& main, const json& run) {
  if (!run.is_object() || !run.contains("parameters") || !run["parameters"].is_object()) return json_text(run, "name");
  for (const auto& [name, value] : run["parameters"].items())
    for (const json& parameter : json_list(main.summary, "parameters"))
      if (json_text(parameter, "name") == name && value.is_number()) {
        const std::string unit = json_text(parameter, "unit"), text = readable(value.get<double>(), unit, 4);
        return unit.empty() || unit == "-" ? name + " " + text : text;
      }
  return json_text(run, "name");
}

std::vector<RunFolder> series_of(const fs::path& folder, const RunFolder& main, Errors& errors) {
  std::vector<RunFolder> out;
  for (const json& run : json_list(main.summary, "runs")) {
    const std::string name = json_text(run, "folder");
    const auto at = run.is_object() ? run.find("main") : run.end();
    if (run.is_object() && at != run.end() && *at == true)
      out.push_back(in_short(main, name_in_series(main, run)));
    else if (!name.empty() && is_file(folder / name / "run.csv"))
      out.push_back(in_short(read_one(folder / name, folder / name / "run.csv", errors), name_in_series(main, run)));
  }
  return out.size() > 1 ? std::move(out) : std::vector<RunFolder>{};
}

}  // namespace

const std::vector<double>* RunFolder::find(std::string_view column) const {
  if (!spool) return rows.find(column);
  const auto at = std::find(rows.names.begin(), rows.names.end(), column);
  return at == rows.names.end() ? nullptr : &spool->kept(static_cast<std::size_t>(at - rows.names.begin()));
}

json parse_summary(const std::string& text, const std::string& file, Errors& errors) {
  try {
    json out = json::parse(text);
    if (out.is_object()) return out;
    errors.add({file, 1, 1}, "", "expected an object in braces");
  } catch (const json::parse_error& e) {
    errors.add(place_of(file, text, e.byte > 0 ? e.byte - 1 : 0), "", "this is not JSON");
  } catch (const json::exception&) {
    errors.add({file, 0, 0}, "", "a number in it is too large");
  }
  return json::object();
}

std::string RunFolder::unit(std::string_view column) const {
  for (const Column& each : head.columns)
    if (each.name == column) return each.unit;
  return "";
}

std::string RunFolder::note(std::string_view key) const {
  for (const auto& [name, value] : head.notes)
    if (name == key) return value;
  return "";
}

std::vector<RunFolder> read_run_folder(const std::string& path, Errors& errors, const std::string& name) {
  const std::size_t before = errors.size();
  const fs::path given(path);
  if (is_file(given)) {
    if (given.extension() == ".h5") no_rows(given.parent_path(), errors);
    std::vector<RunFolder> out;
    const fs::path folder = given.has_parent_path() ? given.parent_path() : fs::path(".");
    if (errors.size() == before) out.push_back(read_one(folder, given, errors));
    if (errors.size() == before) add_scene(folder, out[0], errors);
    return errors.size() == before ? std::move(out) : std::vector<RunFolder>{};
  }
  if (!is_folder(given)) {
    errors.add({path, 0, 0}, "", "no such run folder or run.csv");
    return {};
  }
  RunFolder whole = read_one(given, given / "run.csv", errors);
  if (!name.empty()) whole.name = name;
  std::vector<RunFolder> out;
  if (is_file(given / "run.csv")) {
    check_one_run(whole, whole, errors);
    whole.series = series_of(given, whole, errors);
    out.push_back(std::move(whole));
  } else {
    for (const fs::path& part : parts_of(given, whole.summary)) {
      RunFolder run = read_one(part, part / "run.csv", errors);
      if (run.summary.empty()) run.summary = summary_of_car(whole.summary, plain_name(part));
      if (run.resolved.empty()) run.resolved = whole.resolved;
      check_one_run(run, whole, errors);
      run.name = whole.name + "/" + run.name;
      out.push_back(std::move(run));
    }
    if (out.empty() && json_text(whole.summary, "kind") == "maneuver" && !json_list(whole.summary, "runs").empty())
      out.push_back(std::move(whole));
    if (out.empty()) no_rows(given, errors);
  }
  return errors.size() == before ? std::move(out) : std::vector<RunFolder>{};
}

void name_apart(std::vector<RunFolder>& runs) {
  const auto twice = [&](const std::string& name) {
    return std::count_if(runs.begin(), runs.end(), [&](const RunFolder& r) { return r.name == name; }) > 1;
  };
  std::vector<std::string> names;
  for (const RunFolder& run : runs) {
    const std::string parent = plain_name(fs::absolute(run.folder).lexically_normal() / "..");
    names.push_back(twice(run.name) ? parent + "/" + run.name : run.name);
  }
  std::set<std::string> taken;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    std::string name = names[i];
    for (int n = 2; !taken.insert(name).second; ++n) name = fmt::format("{} #{}", names[i], n);
    runs[i].name = name;
  }
}

double json_number(const json& object, std::string_view key) {
  if (!object.is_object()) return NAN;
  const auto at = object.find(key);
  return at != object.end() && at->is_number() ? at->get<double>() : NAN;
}

std::string json_text(const json& object, std::string_view key) {
  if (!object.is_object()) return "";
  const auto at = object.find(key);
  return at != object.end() && at->is_string() ? printable(at->get<std::string>()) : "";
}

const json& json_list(const json& object, std::string_view key) {
  static const json nothing = json::array();
  if (!object.is_object()) return nothing;
  const auto at = object.find(key);
  return at != object.end() && at->is_array() ? *at : nothing;
}

}  // namespace vdsim
