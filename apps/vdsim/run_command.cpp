// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "apps/vdsim/commands.hpp"
#include "vdsim/config/catalog.hpp"
#include "vdsim/config/vehicle.hpp"
#include "vdsim/config/write.hpp"
#include "vdsim/formats/readable.hpp"
#include "vdsim/study/run.hpp"

namespace vdsim::cli {
namespace {

constexpr const char* kRunExamples = R"(Examples:
  vdsim run lugre_grade_demo
  vdsim run step_steer --level L1 --integrator implicit --dt 0.005
  vdsim run step_steer --set chassis.mass=1700 --set tire_rear.D_lat=0.9
  vdsim run lugre_grade_demo --no-lugre --set grade=0.12 --out results/creep
  vdsim run accel_brake --set "driver.steer=[[2, 0], [2.1, 0.05]]"
  vdsim run my_scene.yaml --tire my_tire.yaml --format hdf5
  vdsim run step_steer --set control=external --stdio     your program drives: docs/STDIO.md
  vdsim run step_steer --set control.fmu=cruise.fmu       an FMU drives: docs/FMI.md

--set acts last, on every car (or with <car id>.PATH on one). Paths (tire is all four):
{},
{},
{}.
All keys: docs/reference/parameters.md. --vehicle replaces the car of the scene, its parts and overrides too.)";

struct RunArguments {
  std::string scene, out, format = "csv", level, duration;
  std::vector<std::string> sets;
  SceneChanges changes;
  int precision = 9;
  SolverOptions solver;
  LugreSwitch lugre;
  bool quiet = false, json = false, no_report = false, stdio = false;
};

SceneChanges changes_of(const RunArguments& in) {
  SceneChanges out = in.changes;
  const auto option = [&](const char* name, const char* path, const std::string& value) {
    if (!value.empty()) out.sets.push_back({fmt::format("{} {}", name, value), path, value});
  };
  option("--level", "level", in.level);
  option("--duration", "duration", in.duration);
  in.solver.change(out);
  in.lugre.change(out);
  for (const std::string& assignment : in.sets) out.set(assignment);
  return out;
}

void print_car(const CarResult& car) {
  const CarOutputs& s = car.last;
  fmt::print("\n{} ({}){}\n", car.id, enum_name(car.level),
             car.failed ? fmt::format("  {} at {:.6g} s", car.refused ? "ended" : "diverged", car.end_time) : "");
  fmt::print("  final speed      {}\n", in_both_units(s.vx, "m/s"));
  fmt::print("  final position   x {}, y {}, heading {}\n", readable(s.x, "m"), readable(s.y, "m"),
             readable(s.psi, "rad"));
  fmt::print("  distance         {}\n", readable(car.distance, "m"));
  fmt::print("  largest |ax|     {}\n", readable(car.max_ax, "m/s^2"));
  fmt::print("  largest |ay|     {}\n", readable(car.max_ay, "m/s^2"));
  for (const Standing& each : car.standing)
    fmt::print("  stood            {:.1f} to {:.1f} s, drift {}\n", each.from, each.to, readable(each.drift, "m", 3));
}

void print_result(const Scenario& scene, const std::string& folder, const RunResult& result) {
  fmt::print("{}{}\n", scene.id, scene.label.empty() ? "" : ": " + scene.label);
  fmt::print("{}, dt {} s, {} s simulated in {:.2f} s, config {}\n", enum_name(scene.solver.integrator),
             number_text(scene.solver.dt), number_text(scene.timing.duration), result.wall_s, result.hash);
  for (const CarResult& car : result.cars) print_car(car);
  fmt::print("\n");
  print_files(folder, result.files);
}

void warn_of_open_book(const CarResult& car) {
  if (car.tipped_at >= 0 && car.level == Level::L3)
    tell("warning: car {}: rolled over at {:.2f} s; L3 is for small angles, use --level L5\n", car.id, car.tipped_at);
  for (const std::string& line : warnings_of(car)) tell("warning: car {}: {}\n", car.id, line);
}

// What a program that drives must not find between the lines of the protocol.
void report_end(const Scenario& scene, const std::string& folder, const RunResult& result) {
  double end = 0;
  for (const CarResult& car : result.cars) end = std::max(end, car.end_time);
  fmt::print(stderr, "{}: ended at {} of {} s; results in {}\n", scene.id, number_text(end),
             number_text(scene.timing.duration), folder);
}

RunOptions options_of(const RunArguments& in, const Scenario& scene) {
  RunOptions out;
  out.format = format_of(in.format);
  if (in.precision < 1 || in.precision > 17)
    throw BadInput(fmt::format("--precision {}: expected 1 to 17 digits", in.precision));
  out.out = in.out.empty() ? "results/" + scene.id : in.out;
  out.digits = in.precision;
  out.stop = &stop_signal();
  if (!in.no_report && out.format == Format::csv)
    out.finish = [folder = out.out](const std::string& staging) { write_run_page(staging, folder); };
  return out;
}

int run(const RunArguments& in) {
  if (in.stdio && in.json)
    throw BadInput("--json: cannot be combined with --stdio, which has standard output to itself");
  const Catalog catalog(Catalog::default_folder());
  const Scenario scene = load_scene(catalog, in.scene, changes_of(in));
  print_warnings(scene.warnings, false);
  print_notes(scene.notes, in.quiet);
  RunOptions options = options_of(in, scene);
  if (std::any_of(scene.cars.begin(), scene.cars.end(), [](const CarSpec& car) { return car.controller.given(); })) {
    std::vector<std::string> notes;
    options.controllers = fmu_controllers(scene, notes);
    print_notes(notes, in.quiet);
  }
  if (in.stdio) options.control = stdio_control(scene);
  RunResult result;
  {
    Progress progress(in.quiet || in.stdio);
    options.progress = [&](double fraction) { progress(fraction); };
    result = run_scenario(scene, options);
  }
  if (result.stopped) return report_stop(in.json);
  if (in.json)
    fmt::print("{}", summary_json(scene, result));
  else if (!in.quiet && !in.stdio)
    print_result(scene, options.out, result);
  if (in.stdio && !in.quiet) report_end(scene, options.out, result);
  for (const CarResult& car : result.cars) {
    warn_of_open_book(car);
    if (car.rows_outside > 0)
      tell(
          "warning: car {}: in {} of {} rows a tire was outside the ranges of its .tir file, which was read at "
          "its limits\n",
          car.id, car.rows_outside, car.rows);
  }
  for (const CarResult& car : result.cars)
    if (car.failed)
      tell("{}: car {} after t = {:.9g} s: {}; the rows so far and failed.snapshot are in {}\n",
           car.refused ? "ended" : "diverged", car.id, car.end_time, car.why, options.out);
  return result.failed() ? diverged : done;
}

}  // namespace

void add_run(Verb app, Action& chosen) {
  auto in = std::make_shared<RunArguments>();
  Verb sub = app.add_subcommand("run", "Run a scene and write its results");
  sub.footer(fmt::format(kRunExamples, fmt::join(slot_names(), ", "), fmt::join(scene_value_names(), ", "),
                         fmt::join(car_value_names(), ", ")));
  sub.add_option("scene", in->scene, "id of a scene, or a YAML file").required().type_name("SCENE|FILE");
  sub.add_option("--vehicle", in->changes.vehicle, "vehicle instead of the scene's").type_name("ID|FILE");
  sub.add_option("--tire", in->changes.tire, "tire part for all four wheels").type_name("ID|FILE");
  sub.add_option("--surface", in->changes.surface, "surface part under rally tires").type_name("ID|FILE");
  sub.add_option("--level", in->level, "vehicle model").type_name(words_of<Level>());
  in->lugre.add(sub);
  in->solver.add(sub);
  sub.add_option("--duration", in->duration, "length of the run [s]").type_name("S");
  add_sets(sub, in->sets);
  sub.add_option("--out", in->out, "folder for the results [results/<scene id>]").type_name("DIR");
  sub.add_option("--format", in->format, "of the rows [csv]").type_name("csv|hdf5");
  sub.add_option("--precision", in->precision, "significant digits in csv [9]").type_name("N");
  sub.add_flag("--no-report", in->no_report, "no report.html");
  sub.add_flag("--stdio", in->stdio, "another program drives, by lines of JSON on standard input and output");
  sub.add_flag("--quiet", in->quiet, "print nothing but errors");
  sub.add_flag("--json", in->json, "print the summary as one JSON document");
  sub.callback([in, &chosen] { chosen = [in] { return run(*in); }; });
}

}  // namespace vdsim::cli
