// SPDX-License-Identifier: Apache-2.0
#include "vdsim/study/run.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <deque>
#include <filesystem>
#include <memory>
#include <optional>

#include "vdsim/engine/errors.hpp"
#include "vdsim/formats/atomic_file.hpp"
#include "vdsim/formats/result_folder.hpp"
#include "vdsim/formats/table_writer.hpp"
#include "vdsim/study/energy_warnings.hpp"

namespace vdsim {
namespace {

namespace fs = std::filesystem;

constexpr double kStandSpeed = 0.05, kSettle = 1, kMoveOff = 0.5;  // [m/s], [s], [s]

// Watches the rows of one car for the figures of the summary.
class Watch {
 public:
  explicit Watch(CarResult& result) : result_(result) {}
  void row(const CarOutputs& s) {
    const double speed = std::hypot(s.vx, s.vy);
    if (result_.rows > 0) result_.distance += std::hypot(s.x - result_.last.x, s.y - result_.last.y);
    result_.max_ax = std::max(result_.max_ax, std::abs(s.ax));
    result_.max_ay = std::max(result_.max_ay, std::abs(s.ay));
    result_.max_speed = std::max(result_.max_speed, speed);
    stand(s, speed);
    bool outside = false;
    for (int i = 0; i < s.wheels; ++i) outside = outside || s.wheel[i].outside > 0;
    result_.rows_outside += outside;
    if (result_.tipped_at < 0 && std::abs(s.roll) > 1) result_.tipped_at = s.t;
    result_.last = s;
    ++result_.rows;
  }
  void end() {  // of the run: the car still stands
    while (!recent_.empty()) take();
    close();
  }

 private:
  struct Glance {
    double t, drift, speed;
  };
  void take() {
    now_.drift = std::max(now_.drift, recent_.front().drift);
    now_.max_speed = std::max(now_.max_speed, recent_.front().speed);
    recent_.pop_front();
  }
  void close() {
    if (now_.from >= 0 && now_.to - now_.from >= kSettle) result_.standing.push_back(now_);
    now_.from = -1;
    settled_ = false;
    recent_.clear();
  }
  void stand(const CarOutputs& s, double speed) {
    if (speed >= kStandSpeed) return close();
    if (now_.from < 0) now_ = {s.t, s.t, 0, 0};
    now_.to = s.t;
    if (s.t - now_.from < kSettle) return;
    if (!settled_) x_ = s.x, y_ = s.y, settled_ = true;
    recent_.push_back({s.t, std::hypot(s.x - x_, s.y - y_), speed});
    while (recent_.front().t <= s.t - kMoveOff) take();
  }
  CarResult& result_;
  Standing now_{-1, 0, 0, 0};
  bool settled_ = false;
  double x_ = 0, y_ = 0;
  std::deque<Glance> recent_;  // not counted yet: the car may be moving off
};

int row_digits(const Scenario& scene) {
  return time_digits(scene.timing.duration, std::max(scene.solver.dt, 1 / scene.timing.rate));
}

TableHead head_of(const Scenario& scene, const CarSpec& car, const std::string& hash) {
  TableHead head;
  head.notes = {{"vdsim", version_text()}, {"scene", scene.id}, {"car", car.id}, {"config", hash}};
  head.columns = row_columns(car, scene.road);
  return head;
}

std::unique_ptr<TableWriter> open_table(const Scenario& scene, const TableHead& head, const std::string& folder,
                                        ResultFolder& results, const RunOptions& options) {
  make_folder((fs::path(results.staging()) / folder).string());
  const std::string path = results.place((fs::path(folder) / table_name(options.format)).string());
  return options.format == Format::csv ? open_csv(path, head, options.digits, row_digits(scene))
                                       : open_hdf5(path, head);
}

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
  result.refused = member.refused;
  if (!result.failed) result.doubt = member.finer.doubt();
  if (result.failed) result.failed_at = run.snapshot();
  result.end_time = run.time();
  result.steps = run.step_index();
  result.energy = run.car().energy();
}

// Runs cars in step.
std::vector<CarResult> run_cars(const Scenario& scene, std::span<Job> jobs, const Fleet::Control& commands,
                                const RunControl& control) {
  std::vector<CarResult> results(jobs.size());
  std::vector<Watch> watches;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    results[i].id = jobs[i].car->id, results[i].level = jobs[i].car->level;
    watches.emplace_back(results[i]);
  }
  Fleet fleet(scene, {jobs[0].car, jobs.size()}, commands);
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

std::string resolved_text(const Scenario& scene, const std::string& hash) {
  return fmt::format("# vdsim: {}\n# config: {}\n# This file is a scene: vdsim run resolved.yaml repeats the run.\n",
                     version_text(), hash) +
         scenario_text(scene, true);
}

void write_files(const Scenario& scene, std::vector<Job>& jobs, const RunOptions& options, ResultFolder& results,
                 RunResult& result) {
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    jobs[i].table->commit();
    if (const auto& bytes = result.cars[i].failed_at; !bytes.empty())
      results.add((fs::path(jobs[i].folder) / "failed.snapshot").string(),
                  {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  }
  results.add("resolved.yaml", resolved_text(scene, result.hash));
  const std::string summary = results.place("summary.json");
  if (options.finish) results.place("report.html");
  result.files = results.files();
  write_file(summary, summary_json(scene, result));
  if (options.finish) options.finish(results.staging());
}

}  // namespace

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

static void refuse_external(const Scenario& scene, const RunOptions& options) {
  for (std::size_t i = 0; i < scene.cars.size(); ++i) {
    const CarSpec& car = scene.cars[i];
    const std::string path = fmt::format("fleet[{}].control", i);
    if (car.controller.given() && !options.controllers)
      throw bad_value(path, fmt::format("an FMU drives {}: `vdsim run` does that (docs/FMI.md); or --set "
                                        "control=internal or control=external",
                                        car.id));
    if (car.control == Control::external && !car.controller.given() && !options.control)
      throw bad_value(
          path,
          fmt::format("nobody commands {}, an external car: give --stdio and command it by lines (docs/STDIO.md), "
                      "step it from C (docs/C_API.md) or Python (docs/PYTHON.md), or --set control=internal",
                      car.id));
  }
}

RunResult run_scenario(const Scenario& scene, const RunOptions& options) {
  refuse_external(scene, options);
  const Fleet::Control commands = Fleet::in_turn(options.controllers, options.control);
  const auto start = std::chrono::steady_clock::now();
  RunResult result;
  result.hash = scenario_hash(scene);
  // Folders and files first: what cannot be written should not be computed.
  std::optional<ResultFolder> results;
  if (!options.out.empty()) results.emplace(options.out);
  if (options.recordings) options.recordings->assign(scene.cars.size(), {});
  std::vector<Job> jobs;
  for (const CarSpec& car : scene.cars) {
    Job job{&car, car_scope(car, scene.road), scene.cars.size() == 1 ? "" : car.id, nullptr, nullptr};
    const TableHead head = head_of(scene, car, result.hash);
    if (results) job.table = open_table(scene, head, job.folder, *results, options);
    if (options.recordings) {
      job.recording = &(*options.recordings)[jobs.size()];
      job.recording->columns = head.columns;
    }
    jobs.push_back(std::move(job));
  }
  // Cars do not meet: each goes to its end by itself, unless one who commands them sees them all at one time.
  const std::size_t together = commands ? jobs.size() : 1;
  RunControl control = options;
  if (options.progress)
    control.progress = [&](double of_these) {
      options.progress((static_cast<double>(result.cars.size()) + static_cast<double>(together) * of_these) /
                       static_cast<double>(jobs.size()));
    };
  for (std::size_t i = 0; i < jobs.size(); i += together) {
    for (CarResult& car : run_cars(scene, std::span(jobs).subspan(i, together), commands, control))
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
