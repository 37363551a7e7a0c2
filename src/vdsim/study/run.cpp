// SPDX-License-Identifier: Apache-2.0
#include "vdsim/study/run.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <deque>
#include <filesystem>
#include <memory>

#include "vdsim/formats/atomic_file.hpp"
#include "vdsim/formats/result_folder.hpp"
#include "vdsim/formats/table_writer.hpp"

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

std::unique_ptr<TableWriter> open_table(const Scenario& scene, const CarSpec& car, const std::string& hash,
                                        const std::string& path, const RunOptions& options) {
  TableHead head;
  head.notes = {{"vdsim", version_text()}, {"scene", scene.id}, {"car", car.id}, {"config", hash}};
  head.columns = signals(car_scope(car, scene.road));
  for (Column& column : sensor_columns(car.vehicle.sensors, car.level == Level::L1 ? 2 : 4))
    head.columns.push_back(std::move(column));
  return options.format == Format::csv ? open_csv(path, head, options.digits, row_digits(scene))
                                       : open_hdf5(path, head);
}

struct Job {
  const CarSpec* car;
  SignalScope scope;
  std::string folder;  // of its rows, below the results
  std::unique_ptr<TableWriter> table;
  std::vector<std::byte> failed;  // snapshot, if the step diverged
};

bool write_row(const CarRun& run, Job& job, Watch& watch) {
  const CarOutputs now = run.outputs();
  std::vector<double> row;
  signal_values(job.scope, now, row);
  sensor_values(run.sensors(), row);
  if (!std::all_of(row.begin(), row.end(), [](double x) { return std::isfinite(x); })) return false;
  job.table->row(row);
  watch.row(now);
  return true;
}

// Runs one car to its end, to a failure, or to a stop.
CarResult run_car(const Scenario& scene, Job& job, const RunControl& control) {
  CarResult result;
  result.id = job.car->id;
  result.level = job.car->level;
  Watch watch(result);
  CarRun run(scene, *job.car);
  const RowClock rows(scene.timing.rate, scene.solver.dt);
  FinerRun<CarRun> finer = finer_run(scene, *job.car);
  result.failed = !advance(run, rows, control, [&] {
    finer.row(run);
    return write_row(run, job, watch);
  });
  watch.end();
  if (result.failed)
    result.why = *run.car().why() ? run.car().why() : "a number of the row is not finite";
  else
    result.why = finer.fault();
  result.failed = !result.why.empty();
  if (result.failed) job.failed = run.snapshot();
  result.end_time = run.time();
  result.steps = run.step_index();
  result.energy = run.car().energy();
  return result;
}

std::string resolved_text(const Scenario& scene, const std::string& hash) {
  return fmt::format("# vdsim: {}\n# config: {}\n# This file is a scene: vdsim run resolved.yaml repeats the run.\n",
                     version_text(), hash) +
         scenario_text(scene, true);
}

void write_files(const Scenario& scene, std::vector<Job>& jobs, const RunOptions& options, ResultFolder& results,
                 RunResult& result) {
  for (Job& job : jobs) {
    job.table->commit();
    if (!job.failed.empty())
      results.add((fs::path(job.folder) / "failed.snapshot").string(),
                  {reinterpret_cast<const char*>(job.failed.data()), job.failed.size()});
  }
  results.add("resolved.yaml", resolved_text(scene, result.hash));
  const std::string summary = results.place("summary.json");
  if (options.finish) results.place("report.html");
  result.files = results.files();
  write_file(summary, summary_json(scene, result));
  if (options.finish) options.finish(results.staging());
}

}  // namespace

FinerRun<CarRun> finer_run(const Scenario& scene, const CarSpec& car) {
  if (!is_doubtful_step(scene.solver.integrator, scene.solver.dt)) return {nullptr, scene.solver.integrator};
  Scenario finer = scene;
  finer.solver = finer_solver(scene.solver, car.vehicle, car.level);
  return {std::make_unique<CarRun>(finer, car), scene.solver.integrator};
}

const char* table_name(Format format) { return format == Format::csv ? "run.csv" : "run.h5"; }

bool RunResult::failed() const {
  return std::any_of(cars.begin(), cars.end(), [](const CarResult& car) { return car.failed; });
}

RunResult run_scenario(const Scenario& scene, const RunOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  RunResult result;
  result.hash = scenario_hash(scene);
  // Folders and files first: what cannot be written should not be computed.
  ResultFolder results(options.out);
  const fs::path staging = results.staging();
  std::vector<Job> jobs;
  for (const CarSpec& car : scene.cars) {
    Job job{&car, car_scope(car, scene.road), scene.cars.size() == 1 ? "" : car.id, nullptr, {}};
    make_folder((staging / job.folder).string());
    job.table = open_table(scene, car, result.hash,
                           results.place((fs::path(job.folder) / table_name(options.format)).string()), options);
    jobs.push_back(std::move(job));
  }
  RunControl control = options;
  if (options.progress)
    control.progress = [&](double of_car) {
      options.progress((static_cast<double>(result.cars.size()) + of_car) / static_cast<double>(jobs.size()));
    };
  for (Job& job : jobs) {
    result.cars.push_back(run_car(scene, job, control));
    result.stopped = options.stop && *options.stop;
    if (result.stopped) return result;
  }
  result.wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  write_files(scene, jobs, options, results, result);
  results.commit();
  return result;
}

}  // namespace vdsim
