// SPDX-License-Identifier: Apache-2.0
#include "vdsim/report/run_report.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "vdsim/formats/readable.hpp"
#include "vdsim/report/run_report_parts.hpp"
#include "vdsim/report/thinned.hpp"

namespace vdsim {
namespace run_parts {

using nlohmann::json;

const json& member(const json& object, const char* key) {
  static const json nothing = json::object();
  return object.is_object() && object.contains(key) && object[key].is_object() ? object[key] : nothing;
}

const json& car_of(const RunFolder& run) {
  static const json nothing = json::object();
  const json& cars = json_list(run.summary, "cars");
  return cars.empty() ? nothing : cars[0];
}

std::string first_of(std::initializer_list<std::string> words) {
  for (const std::string& word : words)
    if (!word.empty()) return word;
  return "";
}

int verdict_mark(const std::string& verdict) { return verdict == "pass" ? 1 : verdict == "fail" ? 0 : -1; }

}  // namespace run_parts

namespace {

using namespace run_parts;
using nlohmann::json;

// ---- words about a run

std::string label_of(const RunFolder& run) {
  return first_of({json_text(run.summary, "label"), json_text(run.summary, "id"), run.note("scene"),
                   run.note("maneuver"), run.name});
}
std::string vehicle_of(const RunFolder& run) {
  return first_of({json_text(run.summary, "vehicle"), json_text(car_of(run), "vehicle")});
}
std::string tire_of(const RunFolder& run) {
  return first_of({json_text(run.summary, "tire"), json_text(car_of(run), "tire")});
}
std::string level_of(const RunFolder& run) {
  return first_of({json_text(run.summary, "level"), json_text(car_of(run), "level")});
}
std::string config_of(const RunFolder& run) { return first_of({json_text(run.summary, "config"), run.note("config")}); }
std::string version_of(const RunFolder& run) {
  const std::string version = first_of({json_text(run.summary, "vdsim"), run.note("vdsim")});
  const std::string git = json_text(run.summary, "git");
  return version + (git.empty() ? "" : " (" + git + ")");
}

using Facts = std::vector<std::pair<std::string, std::string>>;

Facts facts_of(const RunFolder& run) {
  Facts all{{"manoeuvre", json_text(run.summary, "id")},
            {"standard", json_text(run.summary, "standard")},
            {"vehicle", vehicle_of(run)},
            {"tire", tire_of(run)},
            {"level", level_of(run)},
            {"integrator", json_text(run.summary, "integrator")}};
  if (json_text(run.summary, "kind") != "maneuver") all[0].first = "scene";
  if (run.rows.rows() > 0) {
    const std::vector<double>& t = *run.find("t");
    all.emplace_back("length", fmt::format("{} s, {} rows", report_number(t.back() - t.front()), t.size()));
  }
  if (const json& found = member(run.summary, "found"); !found.empty())
    all.emplace_back("found " + json_text(found, "parameter"),
                     in_both_units(json_number(found, "value"), json_text(found, "unit")));
  all.emplace_back("configuration", config_of(run));
  all.emplace_back("VDSim", version_of(run));
  Facts out;
  for (auto& fact : all)
    if (!fact.second.empty()) out.push_back(std::move(fact));
  return out;
}

ReportBlock head_block(const Runs& runs) {
  ReportBlock out;
  out.heading = runs.size() == 1 ? "Result" : "Runs";
  if (runs.size() == 1) {
    out.verdict = json_text(runs[0].summary, "verdict");
    out.facts = facts_of(runs[0]);
    for (const json& line : json_list(runs[0].summary, "notes"))
      if (line.is_string()) out.text += (out.text.empty() ? "" : "\n\n") + line.get<std::string>();
    return out;
  }
  ReportTable table;
  table.rows = {{"run", "label", "vehicle", "tire", "level", "configuration", "VDSim"}};
  for (const RunFolder& run : runs) {
    table.rows.push_back(
        {run.name, label_of(run), vehicle_of(run), tire_of(run), level_of(run), config_of(run), version_of(run)});
    table.marks.push_back(verdict_mark(json_text(run.summary, "verdict")));
  }
  if (std::find(table.marks.begin(), table.marks.end(), -1) != table.marks.end()) {  // a run that is not judged
    table.rows[0].emplace_back("outcome");
    for (std::size_t i = 0; i < runs.size(); ++i) table.rows[i + 1].push_back(json_text(runs[i].summary, "verdict"));
  }
  out.tables.push_back(std::move(table));
  return out;
}

ReportBlock view_block(const Runs& runs) {
  ReportBlock out;
  out.heading = "Bird's-eye view";
  out.svg = birds_eye_svg(runs);
  if (out.svg.empty()) return out;
  for (const RunFolder& run : runs)
    if (run.find("x") && run.find("y") && run.find("psi"))
      out.followers.push_back({*run.find("t"), *run.find("x"), *run.find("y"), *run.find("psi")});
  return out;
}

ReportBlock table_block(std::string heading, std::vector<ReportTable> tables) {
  ReportBlock out;
  out.heading = std::move(heading);
  for (ReportTable& table : tables)
    if (table.rows.size() > 1) out.tables.push_back(std::move(table));
  return out;
}

void add_configurations(const Runs& runs, std::vector<ReportBlock>& out) {
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (runs[i].resolved.empty()) continue;
    const bool shown = std::any_of(runs.begin(), runs.begin() + static_cast<std::ptrdiff_t>(i),
                                   [&](const RunFolder& other) { return other.resolved == runs[i].resolved; });
    if (shown) continue;  // cars of one scene
    ReportBlock block;
    block.heading = runs.size() == 1 ? "Configuration" : "Configuration of " + runs[i].name;
    block.text = "Hash " + config_of(runs[i]);
    block.preformatted = runs[i].resolved;
    block.folded = true;
    out.push_back(std::move(block));
  }
}

}  // namespace

std::string report_number(double v) { return readable_number(v); }

std::string report_unit(const std::string& unit) { return unit == "-" || unit == "1" ? "" : with_powers(unit); }

std::string run_report_title(const std::vector<RunFolder>& runs) {
  const std::string label = label_of(runs[0]);
  const bool same = std::all_of(runs.begin(), runs.end(), [&](const RunFolder& run) { return label_of(run) == label; });
  return same ? label : fmt::format("{} runs", runs.size());
}

std::string run_report_subtitle(const std::vector<RunFolder>& runs) {
  if (runs.size() > 1) return fmt::format("{} runs compared", runs.size());
  std::string out;
  for (const std::string& word : {json_text(runs[0].summary, "standard"), vehicle_of(runs[0]), level_of(runs[0])})
    if (!word.empty()) out += (out.empty() ? "" : " · ") + word;
  return out;
}

std::vector<ReportBlock> run_report(const std::vector<RunFolder>& runs) {
  std::vector<ReportBlock> all, out;
  ReportTable metrics = metrics_table(runs);
  const bool measured = metrics.rows.size() > 1;
  ReportBlock series = table_block("Runs of the series", {});
  for (const RunFolder& run : runs)
    if (!json_list(run.summary, "runs").empty()) series.tables.push_back(series_table(run, runs.size() > 1));
  ReportBlock hits = table_block("Cones hit", {});
  for (const RunFolder& run : runs)
    if (!json_list(run.summary, "hits").empty()) hits.tables.push_back(hits_table(run, runs.size() > 1));
  all.push_back(head_block(runs));
  all.push_back(table_block(measured ? "Metrics" : "Outcome", {measured ? std::move(metrics) : outcome_table(runs)}));
  all.push_back(spectra_block(runs));
  all.push_back(series_block(runs));
  all.push_back(std::move(series));
  all.push_back(view_block(runs));
  all.push_back(std::move(hits));
  const std::vector<RunFolder> shown = thinned(runs);
  all.push_back(motion_block(shown));
  all.back().text = thinning_text(runs, shown);
  all.push_back(wheel_block(shown));
  all.push_back(plane_block(runs));
  all.push_back(table_block("Parameters", {parameter_table(runs)}));
  for (ReportBlock& block : all)
    if (!block.tables.empty() || !block.figures.empty() || !block.svg.empty() || !block.facts.empty())
      out.push_back(std::move(block));
  add_configurations(runs, out);
  return out;
}

std::string run_report_page(const std::string& folder, const std::string& name) {
  Errors errors;
  const std::vector<RunFolder> runs = read_run_folder(folder, errors, name);
  errors.throw_if_any();
  return report_page(run_report_title(runs), run_report_subtitle(runs), run_report(runs));
}

}  // namespace vdsim
