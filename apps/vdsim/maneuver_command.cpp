// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include <cmath>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "apps/vdsim/commands.hpp"
#include "vdsim/config/catalog.hpp"
#include "vdsim/formats/atomic_file.hpp"
#include "vdsim/formats/readable.hpp"
#include "vdsim/formats/result_folder.hpp"
#include "vdsim/report/run_folder.hpp"
#include "vdsim/report/run_report.hpp"
#include "vdsim/study/maneuver/study.hpp"
#include "vdsim/study/run.hpp"

namespace vdsim::cli {
namespace {

constexpr const char* kManeuverExamples = R"(Examples:
  vdsim maneuver list
  vdsim maneuver show iso7401
  vdsim maneuver run iso7401 --vehicle vehicle.sports_aggressive --level L3
  vdsim maneuver run iso3888_2 --find-max-speed
  vdsim maneuver run sine_with_dwell --set tire_rear.mu_nominal=0.8
  vdsim maneuver run my_maneuver.yaml --set speed=30 --out results/mine

--set changes a parameter of the manoeuvre (`show` lists them with units; expressions such as 'kmh(60)' work), or any
value of the scene and the car, as in `vdsim run`. Exit code 1: a limit is exceeded. Write your own: docs/MANEUVERS.md.)";

struct Arguments {
  std::string name, out, format = "csv";
  SolverOptions solver;
  std::vector<std::string> sets;
  ManeuverChanges changes;
  LugreSwitch lugre;
  bool find_max = false, quiet = false, json = false, no_report = false;
};

void print_metrics(const StudyRun& run) {
  for (std::size_t i = 0; i < run.plan.metrics.size(); ++i) {
    const MetricPlan& m = run.plan.metrics[i];
    const MetricValue& v = run.result.metrics[i];
    const std::string limit =
        m.limit ? fmt::format("   {} {} {}", m.comparison, readable(v.limit, m.unit, 4), v.pass ? "pass" : "FAIL") : "";
    const std::string reference =
        m.reference ? fmt::format("   {}: {}", m.reference_label.empty() ? "reference" : m.reference_label,
                                  readable(*m.reference, m.unit, 4))
                    : "";
    fmt::print("  {:<26} {:<28}{}{}  {}\n", m.name, in_both_units(v.value, m.unit), limit, reference, m.meaning);
  }
}

void print_runs(const Study& study) {
  if (study.runs.size() < 2) return;
  fmt::print("\n  {} runs\n", study.runs.size());
  for (const StudyRun& run : study.runs) {
    fmt::print("  {:<36} {}", run.name, run.result.passed() ? "pass" : "FAIL");
    for (std::size_t i = 0; i < run.plan.metrics.size(); ++i)
      if (run.plan.metrics[i].limit)
        fmt::print("  {} {}{}", run.plan.metrics[i].name,
                   readable(run.result.metrics[i].value, run.plan.metrics[i].unit, 4),
                   run.result.metrics[i].pass ? "" : " !");
    fmt::print("\n");
  }
}

void print_study(const Study& study, const std::string& folder, const std::vector<std::string>& files) {
  const StudyRun& run = study.runs[study.main];
  const double end = run.result.phases.empty() ? 0 : run.result.phases.back().to;
  fmt::print("{}: {}{}\n", run.plan.id, run.plan.label,
             run.plan.standard.empty() ? "" : " (" + run.plan.standard + ")");
  fmt::print("{}, {}, {} s simulated, {:.2f} s computed\n\n",
             run.plan.car().origin.empty() ? "" : run.plan.car().origin.front(), enum_name(run.plan.car().level),
             readable_number(end, 4), study.wall_s);
  for (const ManeuverParameter& p : run.plan.parameters)
    fmt::print("  {:<26} {:<28}  {}\n", p.name, in_both_units(run.plan.parameter(p.name), p.unit), p.meaning);
  fmt::print("\n");
  print_metrics(run);
  print_runs(study);
  for (const Hit& h : run.result.hits) {
    const Cone& cone = run.plan.course.cones[static_cast<std::size_t>(h.cone)];
    fmt::print("  cone at x {:.2f} m, y {:.2f} m hit by the {} corner at {:.3f} s\n", cone.x, cone.y, h.corner, h.t);
  }
  for (const std::string& note : run.result.notes) fmt::print("  note: {}\n", note);
  if (study.searched)
    fmt::print("\nlargest {} that passes: {}\n", study.parameter,
               std::isfinite(study.found) ? in_both_units(study.found, study.parameter_unit()) : "none");
  fmt::print("\nverdict: {}\n", study.verdict());
  print_files(folder, files);
}

int run(Arguments in) {
  const Catalog catalog(Catalog::default_folder());
  const Format format = format_of(in.format);
  in.lugre.change(in.changes.scene);
  in.solver.change(in.changes.scene);
  for (const std::string& set : in.sets) in.changes.scene.set(set);
  const Maneuver maneuver = load_maneuver(catalog, in.name);
  StudyOptions options;
  options.stop = &stop_signal();
  options.find_max = in.find_max;
  options.spool = true;
  Study study;
  ResultFolder results(in.out.empty() ? "results/" + maneuver.id : in.out);
  {
    Progress progress(in.quiet);
    options.progress = [&](double fraction) { progress(fraction); };
    study = run_study(catalog, maneuver, in.changes, options);
  }
  if (study.stopped) return report_stop(in.json);
  print_warnings(study.runs[study.main].plan.scene.warnings, false);
  print_notes(study.runs[study.main].plan.scene.notes, in.quiet);
  const bool with_page = !in.no_report && !study.failed() && format == Format::csv;
  write_study(study, results, with_page, format);
  if (with_page) write_run_page(results.staging(), results.path());
  results.commit();
  if (in.json)
    fmt::print("{}", study_json(study, results.files()));
  else if (!in.quiet)
    print_study(study, results.path(), results.files());
  if (study.failed()) return diverged;
  return study.passed() ? done : verdict_failed;
}

nlohmann::ordered_json head_json(const Maneuver& m) {
  nlohmann::ordered_json levels = nlohmann::ordered_json::array();
  for (const Level level : m.levels) levels.push_back(enum_name(level));
  return {{"id", m.id}, {"label", m.label}, {"standard", m.standard}, {"levels", levels}};
}

int list_ids() {
  for (const std::string& id : ids_of(Catalog(Catalog::default_folder()).maneuvers())) fmt::print("{}\n", id);
  return done;
}

int list(bool json) {
  const Catalog catalog(Catalog::default_folder());
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (const CatalogEntry& entry : catalog.maneuvers()) {
    const Maneuver m = load_maneuver(catalog, entry.id);
    all.push_back(head_json(m));
    if (!json) fmt::print("{:<26} {:<16} {:<28} {}\n", m.id, level_names(m.levels), m.standard, m.label);
  }
  if (json) fmt::print("{}\n", all.dump(2));
  return done;
}

int show(const std::string& name, bool json) {
  const Catalog catalog(Catalog::default_folder());
  const Maneuver m = load_maneuver(catalog, name);
  const auto first = first_of(catalog, m, {});
  ManeuverChanges changes;
  if (first)
    for (const auto& [parameter, metric] : first->take) changes.parameters[parameter] = 1;
  const ManeuverPlan plan = plan_maneuver(catalog, m, changes);
  const auto value = [&](const ManeuverParameter& p) {
    if (first && first->take.count(p.name)) return fmt::format("from {}", first->maneuver);
    if (plan.solve && plan.solve->parameter == p.name)
      return fmt::format("solved for {} = {}", plan.solve->metric, readable_number(plan.solve->target, 4));
    if (plan.series && plan.series->parameter == p.name)
      return fmt::format("series of {} runs", plan.series->values.size());
    return in_both_units(plan.parameter(p.name), p.unit);
  };
  if (json) {
    nlohmann::ordered_json out = head_json(m);
    out["purpose"] = m.purpose, out["file"] = m.file;
    for (const ManeuverParameter& p : plan.parameters)
      out["parameters"].push_back(
          {{"name", p.name}, {"value", plan.parameter(p.name)}, {"unit", p.unit}, {"meaning", p.meaning}});
    for (const PhasePlan& p : plan.phases) out["phases"].push_back(p.name);
    for (const MetricPlan& x : plan.metrics)
      out["metrics"].push_back({{"name", x.name},
                                {"unit", x.unit},
                                {"meaning", x.meaning},
                                {"value", x.value->text()},
                                {"limit", x.limit ? x.comparison + " " + x.limit->text() : ""}});
    fmt::print("{}\n", out.dump(2));
    return done;
  }
  fmt::print("{}: {}{}\n{}\nlevels: {}\nfile: {}\n\nparameters (values for vehicle.sedan_comfort)\n", m.id, m.label,
             m.standard.empty() ? "" : " (" + m.standard + ")", m.purpose, level_names(m.levels), m.file);
  for (const ManeuverParameter& p : plan.parameters) fmt::print("  {:<20} {:<30} {}\n", p.name, value(p), p.meaning);
  fmt::print("\nphases\n");
  for (const PhasePlan& p : plan.phases)
    fmt::print("  {:<20} {}\n", p.name, p.lasts ? "lasts " + p.lasts->text() + " s" : "until " + p.until->text());
  fmt::print("\nmetrics\n");
  for (const MetricPlan& x : plan.metrics)
    fmt::print("  {:<26} {:<12} {:<18} {}\n", x.name, x.unit, x.limit ? x.comparison + x.limit->text() : "", x.meaning);
  return done;
}

}  // namespace

void add_maneuver(Verb app, Action& chosen) {
  Verb sub = app.add_subcommand("maneuver", "Standard manoeuvres: metrics, verdict, report");
  sub.footer(kManeuverExamples);
  sub.require_subcommand();
  auto json = std::make_shared<bool>(false), ids = std::make_shared<bool>(false);
  Verb list_verb = sub.add_subcommand("list", "List all manoeuvres");
  list_verb.add_flag("--json", *json, "print one JSON document");
  list_verb.add_flag("--ids", *ids, "ids only, one per line");
  list_verb.callback([json, ids, &chosen] { chosen = [json, ids] { return *ids ? list_ids() : list(*json); }; });

  auto in = std::make_shared<Arguments>();
  Verb show_verb = sub.add_subcommand("show", "Show parameters, phases, metrics and limits of one");
  show_verb.add_option("name", in->name, "id, or a YAML file").required().type_name("NAME|FILE");
  show_verb.add_flag("--json", *json, "print one JSON document");
  show_verb.callback([in, json, &chosen] { chosen = [in, json] { return show(in->name, *json); }; });

  Verb verb = sub.add_subcommand("run", "Run one and write its results and report");
  verb.footer(kManeuverExamples);
  verb.add_option("name", in->name, "id, or a YAML file").required().type_name("NAME|FILE");
  verb.add_option("--vehicle", in->changes.scene.vehicle, "vehicle").type_name("ID|FILE");
  verb.add_option("--tire", in->changes.scene.tire, "tire part for all four wheels").type_name("ID|FILE");
  verb.add_option("--surface", in->changes.scene.surface, "surface part under rally tires").type_name("ID|FILE");
  verb.add_option("--level", in->changes.level, "vehicle model").type_name(words_of<Level>());
  in->lugre.add(verb);
  in->solver.add(verb);
  verb.add_option("--set", in->sets, "set one value, repeatable").type_name("NAME=VALUE").allow_extra_args(false);
  verb.add_option("--out", in->out, "folder for the results [results/<id>]").type_name("DIR");
  verb.add_option("--format", in->format, "of the rows [csv]; reports read csv").type_name("csv|hdf5");
  verb.add_flag("--find-max-speed", in->find_max, "search for the highest speed that passes");
  verb.add_flag("--no-report", in->no_report, "write no report.html");
  verb.add_flag("--quiet", in->quiet, "print nothing but errors");
  verb.add_flag("--json", in->json, "print the summary as one JSON document");
  verb.callback([in, &chosen] { chosen = [in] { return run(*in); }; });
}

}  // namespace vdsim::cli
