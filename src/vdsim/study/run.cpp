// SPDX-License-Identifier: Apache-2.0
#include "vdsim/study/run.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <memory>
#include <optional>

#include "vdsim/engine/errors.hpp"
#include "vdsim/formats/atomic_file.hpp"
#include "vdsim/study/car_watch.hpp"
#include "vdsim/study/energy_warnings.hpp"
#include "vdsim/study/run_files.hpp"

namespace vdsim {
namespace {

namespace fs = std::filesystem;

struct Job {
  const CarSpec* car;
  SignalScope scope;
  std::string folder;                  // of its rows, below the results
  std::unique_ptr<TableWriter> table;  // if there are files
  Recording* recording;                // if rows are kept
};

bool write_row(const CarRun& run, Job& job, Watch& watch) {
  const CarOutputs now = run.outputs();
  std::vector<double> row;
  signal_values(job.scope, now, row);
  sensor_values(run.sensors(), row);
  if (!std::all_of(row.begin(), row.end(), [](double x) { return std::isfinite(x); })) return false;
  if (job.table) job.table->row(row);
  if (job.recording) job.recording->add(row);
  watch.row(now);
  return true;
}

// What is left to say when a car has run to its end, to a failure, or to a stop.
void conclude(const Fleet::Member& member, CarResult& result) {
  const CarRun& run = member.run;
  result.why = member.failed() ? member.why : member.finer.fault();
  result.failed = !result.why.empty();
  if (!result.failed) result.doubt = member.finer.doubt();
  if (result.failed) result.failed_at = run.snapshot();
  result.end_time = run.time();
  result.steps = run.step_index();
  result.energy = run.car().energy();
}

// Runs cars in step.
std::vector<CarResult> run_cars(const Scenario& scene, std::span<Job> jobs, const RunOptions& options,
                                const RunControl& control) {
  std::vector<CarResult> results(jobs.size());
  std::vector<Watch> watches;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    results[i].id = jobs[i].car->id, results[i].level = jobs[i].car->level;
    watches.emplace_back(results[i]);
  }
  Fleet fleet(scene, {jobs[0].car, jobs.size()}, options.control);
  advance(fleet, RowClock(scene.timing.rate, scene.solver.dt), control, [&] {
    bool any = false;
    for (std::size_t i = 0; i < jobs.size(); ++i) {
      Fleet::Member& member = fleet.members()[i];
      if (member.failed()) continue;
      member.finer.row(member.run);
      if (write_row(member.run, jobs[i], watches[i]))
        any = true;
      else
        member.why = "a number of the row is not finite";
    }
    return any;
  });
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    watches[i].end();
    conclude(fleet.members()[i], results[i]);
  }
  return results;
}

void write_files(const Scenario& scene, std::vector<Job>& jobs, const RunOptions& options, ResultFolder& results,
                 RunResult& result) {
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    jobs[i].table->commit();
    add_failed_state(result.cars[i], jobs[i].folder, results);
  }
  results.add("resolved.yaml",
              resolved_text(scene, result.hash, "This file is a scene: vdsim run resolved.yaml repeats the run."));
  finish_files(scene, options, results, result);
}

}  // namespace

std::string car_folder(const Scenario& scene, const CarSpec& car) { return scene.cars.size() == 1 ? "" : car.id; }

std::unique_ptr<TableWriter> open_run_table(const Scenario& scene, const TableHead& head, const std::string& folder,
                                            ResultFolder& results, const RunOptions& options) {
  make_folder((fs::path(results.staging()) / folder).string());
  const std::string path = results.place((fs::path(folder) / table_name(options.format)).string());
  return options.format == Format::csv ? open_csv(path, head, options.digits, row_time_digits(scene))
                                       : open_hdf5(path, head);
}

void add_failed_state(const CarResult& car, const std::string& folder, ResultFolder& results) {
  if (!car.failed_at.empty())
    results.add((fs::path(folder) / "failed.snapshot").string(),
                {reinterpret_cast<const char*>(car.failed_at.data()), car.failed_at.size()});
}

std::string resolved_text(const Scenario& scene, const std::string& hash, const char* use) {
  return fmt::format("# vdsim: {}\n# config: {}\n# {}\n", version_text(), hash, use) + scenario_text(scene, true);
}

void finish_files(const Scenario& scene, const RunOptions& options, ResultFolder& results, RunResult& result) {
  const std::string summary = results.place("summary.json");
  if (options.finish) results.place("report.html");
  result.files = results.files();
  write_file(summary, summary_json(scene, result));
  if (options.finish) options.finish(results.staging());
}

std::vector<std::string> warnings_of(const CarResult& car) {
  if (car.failed) return {};
  std::vector<std::string> out = energy_warnings(car.energy);
  if (!car.doubt.empty()) out.push_back(car.doubt);
  return out;
}

const char* table_name(Format format) { return format == Format::csv ? "run.csv" : "run.h5"; }

bool RunResult::failed() const {
  return std::any_of(cars.begin(), cars.end(), [](const CarResult& car) { return car.failed; });
}

static void refuse_external(const Scenario& scene) {
  for (std::size_t i = 0; i < scene.cars.size(); ++i)
    if (scene.cars[i].control == Control::external)
      throw bad_value(
          fmt::format("fleet[{}].control", i),
          fmt::format("nobody commands {}, an external car: give --stdio and command it by lines (docs/STDIO.md), "
                      "step it from C (docs/C_API.md) or Python (docs/PYTHON.md), or --set control=internal",
                      scene.cars[i].id));
}

RunResult run_scenario(const Scenario& scene, const RunOptions& options) {
  if (!options.control) refuse_external(scene);
  const auto start = std::chrono::steady_clock::now();
  RunResult result;
  result.hash = scenario_hash(scene);
  // Folders and files first: what cannot be written should not be computed.
  std::optional<ResultFolder> results;
  if (!options.out.empty()) results.emplace(options.out);
  if (options.recordings) options.recordings->assign(scene.cars.size(), {});
  std::vector<Job> jobs;
  for (const CarSpec& car : scene.cars) {
    Job job{&car, car_scope(car, scene.road), car_folder(scene, car), nullptr, nullptr};
    const TableHead head = run_head(scene, car, result.hash);
    if (results) job.table = open_run_table(scene, head, job.folder, *results, options);
    if (options.recordings) {
      job.recording = &(*options.recordings)[jobs.size()];
      job.recording->columns = head.columns;
    }
    jobs.push_back(std::move(job));
  }
  // Cars do not meet: each goes to its end by itself, unless one who commands them sees them all at one time.
  const std::size_t together = options.control ? jobs.size() : 1;
  RunControl control = options;
  if (options.progress)
    control.progress = [&](double of_these) {
      options.progress((static_cast<double>(result.cars.size()) + static_cast<double>(together) * of_these) /
                       static_cast<double>(jobs.size()));
    };
  for (std::size_t i = 0; i < jobs.size(); i += together) {
    for (CarResult& car : run_cars(scene, std::span(jobs).subspan(i, together), options, control))
      result.cars.push_back(std::move(car));
    result.stopped = options.stop && *options.stop;
    if (result.stopped) return result;
  }
  result.wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (results) {
    write_files(scene, jobs, options, *results, result);
    results->commit();
  }
  return result;
}

}  // namespace vdsim
