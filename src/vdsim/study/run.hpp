// SPDX-License-Identifier: Apache-2.0
// A scenario, run: fixed steps, rows at the scene's rate, files that appear whole or not at all.
//
// Steps: t_k = k dt; the last one is shortened so that the run ends exactly at `duration`. Rows: at t = 0, at the steps
// nearest to j / rate, and at the end; if the rate exceeds 1/dt there is one row per step. The driver is read at every step,
// its commands go linearly from step to step; throttle and brake of the speed controller are held over a step.
#pragma once
#include <string>
#include <vector>

#include "vdsim/study/advance.hpp"
#include "vdsim/study/fleet.hpp"
#include "vdsim/study/recording.hpp"

namespace vdsim {

enum class Format { csv, hdf5 };

const char* table_name(Format);  // "run.csv", "run.h5"

struct RunOptions : RunControl {  // stopped, it leaves no files
  std::string out;                // folder; replaced as a whole, see formats/result_folder.hpp; "": no files
  Format format = Format::csv;
  int digits = 9;                                         // significant, csv
  std::function<void(const std::string& folder)> finish;  // writes report.html of the results in this folder
  Fleet::Control control;                                 // who commands external cars; all cars then go in step
  Fleet::Control controllers;                    // likewise those that an FMU drives (bindings/fmi/controllers.hpp)
  std::vector<Recording>* recordings = nullptr;  // the rows of each car, kept
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
  std::string why;                   // it failed
  bool refused = false;              // by who commands it, not by its numbers
  std::string doubt;                 // in what depends on the step by more than 1 %; "" = none
  std::vector<std::byte> failed_at;  // snapshot of the step before
  double end_time = 0;               // [s]
  long steps = 0, rows = 0;
  long rows_outside = 0;  // in which a tire file was read outside its ranges
  double tipped_at = -1;  // first time of more than 1 rad of roll (L3, L5) [s]; -1 = never
  CarOutputs last{};
  EnergyBalance energy{};
  double distance = 0, max_ax = 0, max_ay = 0, max_speed = 0;  // [m], [m/s^2], [m/s]; from the rows
  std::vector<Standing> standing;
};

// What to know about a car that has not failed.
std::vector<std::string> warnings_of(const CarResult&);

struct RunResult {
  std::string hash;
  std::vector<CarResult> cars;
  std::vector<std::string> files;
  double wall_s = 0;
  bool stopped = false;
  bool failed() const;
};

// Throws FileError, and BadInput where nobody commands an external car. Numbers that fail end that car: its rows so far are kept and a failed.snapshot of the step before is left.
RunResult run_scenario(const Scenario&, const RunOptions&);

std::string version_text();  // VDSIM_VERSION
std::string git_text();
std::string summary_json(const Scenario&, const RunResult&);

}  // namespace vdsim
