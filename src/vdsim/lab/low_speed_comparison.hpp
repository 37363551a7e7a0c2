// SPDX-License-Identifier: Apache-2.0
// One sedan, the same low-speed exercises, six tire models near standstill: what each does, in numbers.
#pragma once
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "vdsim/config/catalog.hpp"
#include "vdsim/config/scenario.hpp"

namespace vdsim {

struct LowSpeedMethod {
  std::string id, label;
  std::string idea;  // what it does near standstill, in plain words
  std::string fate;  // why it holds or fails
  VehicleSpec car;
};

// What is asked of every method, on one road by one driver. Times since the start [s].
struct LowSpeedExercise {
  std::string id, label, text;
  RoadSpec road;
  double vx0 = 0, duration = 0;  // [m/s], [s]
  DriverSpec driver;
  double stand_from = 0, stand_to = 0;  // the car ought to stand, and to have come to rest at stand_from
  double drive_from = 0, drive_to = 0;  // and here to drive as its driver asks; equal = not at all
  double steer_from = 0, steer_to = 0;  // and here to stay where it is while its wheels are turned
  double inch = 0;                      // distance it ought to have gone when it stands again [m]; 0 = not asked
  double least_slide = 0;               // distance no friction of this road can prevent [m]; 0 = it can hold
  bool circle = false;                  // the way driven is compared with a circle
};

// Measured in one exercise; NaN where the exercise does not ask for it.
struct LowSpeedFigures {
  static constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  // while it stands
  double drift = kNone, drift_per_hour = kNone;  // largest distance from where it stood at stand_from [m]; in an hour
  double speed = kNone;                          // largest of the CG [m/s]
  double ax_jitter = kNone, fx_jitter = kNone;   // standard deviations [m/s^2]; of the worst wheel [N]
  double sign_changes = kNone;                   // of Fx, seen where |Fx| > 1 N, all wheels
  double stop_way = kNone;                       // from the start to where it stands [m]
  // while it drives
  double speed_error = kNone;   // root mean square against what is asked [m/s]
  double wrong_way = kNone;     // way against the direction asked for; against 0.05 m/s and more [m]
  double placed = kNone;        // inching: where it stands less where it ought to [m]
  double radius_error = kNone;  // arc: radius of the rear axle against wheelbase/tan(steer), relative
  // while it is steered at rest
  double moved = kNone, turned = kNone;  // largest change of place [m], of heading [rad]
  double steer_work = kNone;             // done by the steering motor [J]
  // where it must slide
  double stuck = kNone;  // share of the least slide that is missing
  // always
  double residual = kNone;  // energy the balance does not explain, of all that was turned over
  double created = kNone;   // energy given by contact and fallback beyond what was stored there, likewise
};

// One measure: its name, unit, meaning, and the law if there is one: value <= limit.
struct LowSpeedMeasure {
  double LowSpeedFigures::*value;
  const char *name, *unit, *meaning;
  double limit = LowSpeedFigures::kNone;
  bool broken(const LowSpeedFigures& f) const { return f.*value > limit; }  // NaN breaks nothing
};
const std::vector<LowSpeedMeasure>& low_speed_measures();

// For the charts, some 1500 rows.
struct LowSpeedTrace {
  std::vector<double> t, x, y, psi, vx;  // [s], [m], [m], [rad], [m/s]
  std::vector<double> fx;                // of the front left wheel [N]
  std::vector<double> moved;             // distance from where it was at stand_from [m]
};

struct LowSpeedRun {
  double failed_at = LowSpeedFigures::kNone;  // when it diverged [s]
  LowSpeedFigures figures;
  LowSpeedTrace trace;
  bool failed() const { return failed_at == failed_at; }
};

// NaN where it was not asked for.
struct LowSpeedCost {
  double ns = LowSpeedFigures::kNone;     // per step of the car, RK4 at 1 ms [ns]
  double ratio = LowSpeedFigures::kNone;  // to the rolling law, measured in turns with it
  double largest_rk4 = LowSpeedFigures::kNone,
         largest_euler = LowSpeedFigures::kNone;  // steps up to which it stops cleanly, of those tried [s]; 0 = none
};

struct LowSpeedComparison {
  std::vector<LowSpeedMethod> methods;
  std::vector<LowSpeedExercise> exercises;
  std::vector<std::vector<LowSpeedRun>> runs;  // [method][exercise]
  std::vector<LowSpeedCost> cost;              // [method]

  const LowSpeedRun& run(const std::string& method, const std::string& exercise) const;  // throws std::out_of_range
  std::vector<std::string> broken(std::size_t method) const;  // laws: "grade: drift_per_hour 3.58 m/h > 1e-06"
  bool lawful(std::size_t method, std::size_t exercise) const;
};

struct LowSpeedOptions {
  double hold = 60;                        // time of holding on the slopes [s]
  bool cost = true, largest_steps = true;  // what takes the time of this machine, and what takes time
  std::function<void(double)> progress{};  // 0..1
};

std::vector<LowSpeedMethod> low_speed_methods(const Catalog&);
std::vector<LowSpeedExercise> low_speed_exercises(double hold);
LowSpeedRun run_low_speed(const LowSpeedMethod&, const LowSpeedExercise&, Integrator = Integrator::rk4,
                          double dt = 1e-3);
// The largest step of those tried up to which a stop in a curve ends below 1 mm/s; 0 = none [s].
double low_speed_largest_step(const LowSpeedMethod&, Integrator);
// Fills ns and ratio. All methods drive the same exercise in turns, so that a busy machine slows all alike.
void measure_low_speed_cost(const std::vector<LowSpeedMethod>&, std::vector<LowSpeedCost>&);
LowSpeedComparison compare_low_speed_methods(const Catalog&, const LowSpeedOptions& = {});

}  // namespace vdsim
