// SPDX-License-Identifier: Apache-2.0
// A scenario, run: fixed steps, rows at the scene's rate, files that appear whole or not at all.
//
// Steps: t_k = k dt; the last one is shortened so that the run ends exactly at `duration`. Rows: at t = 0, at the steps
// nearest to j / rate, and at the end; if the rate exceeds 1/dt there is one row per step. The driver is read at every step,
// its commands go linearly from step to step; throttle and brake of the speed controller are held over a step.
#pragma once
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "vdsim/config/scenario.hpp"
#include "vdsim/formats/table_writer.hpp"
#include "vdsim/study/advance.hpp"
#include "vdsim/study/driven_car.hpp"
#include "vdsim/study/finer_run.hpp"
#include "vdsim/study/scene_car.hpp"
#include "vdsim/study/sensors.hpp"

namespace vdsim {

// One car with its driver and clock.
class CarRun {
 public:
  CarRun(const Scenario&, const CarSpec&);
  bool done() const { return step_ == steps_; }
  bool step();  // false, and nothing changed, if the step diverged
  long step_index() const { return step_; }
  long steps() const { return steps_; }
  double progress() const { return static_cast<double>(step_) / static_cast<double>(steps_); }  // 0..1
  double time() const { return time_at(step_); }
  CarOutputs outputs() const { return car_.outputs(time()); }
  const Commands& commands() const { return car_.car().commands(); }
  const Car& car() const { return car_.car().car(); }
  const SensorSuite& sensors() const { return car_.sensors(); }

  StateList state();                                  // step, car, driver, sensors
  std::vector<std::byte> snapshot() const;            // of state()
  bool restore(std::span<const std::byte> snapshot);  // false, and nothing changed, if it does not fit

 private:
  double time_at(long step) const { return step == steps_ ? duration_ : static_cast<double>(step) * dt_; }

  double dt_, duration_;
  std::int64_t step_ = 0, steps_;
  SceneCar car_;
};

FinerRun<CarRun> finer_run(const Scenario&, const CarSpec&);

enum class Format { csv, hdf5 };

const char* table_name(Format);  // "run.csv", "run.h5"

struct RunOptions : RunControl {  // stopped, it leaves no files
  std::string out;                // folder; replaced as a whole, see formats/result_folder.hpp
  Format format = Format::csv;
  int digits = 9;                                         // significant, csv
  std::function<void(const std::string& folder)> finish;  // writes report.html of the results in this folder
};

// A time in which the car stood (|v| < 0.05 m/s for 1 s or more). Drift and speed leave out its first second, the settling,
// and the last half second before it moves off.
struct Standing {
  double from, to;   // [s]
  double drift;      // largest distance from where it stood after settling [m]
  double max_speed;  // [m/s]
};

struct CarResult {
  std::string id;
  Level level = Level::L2;
  bool failed = false;
  std::string why;      // it failed
  double end_time = 0;  // [s]
  long steps = 0, rows = 0;
  long rows_outside = 0;  // in which a tire file was read outside its ranges
  double tipped_at = -1;  // first time of more than 1 rad of roll (L3, L5) [s]; -1 = never
  CarOutputs last{};
  EnergyBalance energy{};
  double distance = 0, max_ax = 0, max_ay = 0, max_speed = 0;  // [m], [m/s^2], [m/s]; from the rows
  std::vector<Standing> standing;
};

struct RunResult {
  std::string hash;
  std::vector<CarResult> cars;
  std::vector<std::string> files;
  double wall_s = 0;
  bool stopped = false;
  bool failed() const;
};

// Throws FileError. Numbers that fail end that car: its rows so far are kept and a failed.snapshot of the step before is left.
RunResult run_scenario(const Scenario&, const RunOptions&);

std::string version_text();  // VDSIM_VERSION
std::string git_text();
std::string summary_json(const Scenario&, const RunResult&);

}  // namespace vdsim
