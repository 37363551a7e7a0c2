// SPDX-License-Identifier: Apache-2.0
// A plan, run: phase by phase, recorded, measured.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "vdsim/study/advance.hpp"
#include "vdsim/study/driven_car.hpp"
#include "vdsim/study/maneuver/frequency.hpp"
#include "vdsim/study/maneuver/plan.hpp"
#include "vdsim/study/recording.hpp"

namespace vdsim {

// The car in its manoeuvre, step by step. Its snapshot holds all its states.
class ManeuverRun {
 public:
  explicit ManeuverRun(const ManeuverPlan&);  // the plan must outlive it
  enum class Status : int { running, done, not_finished, diverged };

  bool done() const { return status_ != Status::running; }
  bool step();  // not when it is done; false if the step diverged
  Status status() const { return status_; }
  long step_index() const { return step_; }
  double progress() const;  // 0..1
  double time() const { return static_cast<double>(step_) * dt_; }
  std::size_t phase() const { return static_cast<std::size_t>(phase_); }
  double phase_start(std::size_t phase) const { return began_[phase]; }  // [s]; NaN before it began
  double phase_time() const { return time() - began_[phase()]; }         // [s]
  bool steer_limited() const { return limited_; }
  std::vector<double> row() const;  // of recording_columns()
  bool pedal_limited() const { return pedal_limited_; }
  const CarOutputs& outputs() const { return now_; }
  const HitWatch& hits() const { return hits_; }
  const DrivenCar& car() const { return car_; }

  StateList state();
  std::vector<std::byte> snapshot() const;   // of state()
  bool restore(std::span<const std::byte>);  // hits are counted anew from there

 private:
  void enter(std::size_t phase);
  void look();
  void measure();
  double pedal(double asked);
  std::uint64_t identity() const;
  void fill_slots();
  bool phase_over() const;
  Demand demand(double ahead);  // `ahead` of now [s]; throws BadInput
  [[noreturn]] void refuse_demand(PhasePlan::Channel, double value) const;

  const ManeuverPlan& plan_;
  double dt_;
  DrivenCar car_;
  SensorSuite sensors_;
  HitWatch hits_;
  std::int64_t step_ = 0, phase_ = 0;
  double distance_ = 0;
  bool limited_ = false, pedal_limited_ = false;
  std::vector<double> began_;
  SignalScope recorded_, all_;
  std::size_t signals_;  // that a phase may look at
  std::vector<double> values_;
  std::vector<double> slots_;  // signals, signals at the start of the phase, constants
  CarOutputs now_{};
  Status status_ = Status::running;
};

struct PhaseTime {
  std::string name;
  double from, to;  // [s]
};
struct MetricValue {
  double value;  // NaN: does not exist
  double limit;  // NaN: none
  int pass;      // 1, 0; -1 = no limit
};

struct ManeuverResult {
  Recording recording;
  std::vector<PhaseTime> phases;
  std::vector<MetricValue> metrics;  // as in the plan
  std::vector<FrequencyResponse> spectra;
  std::vector<Hit> hits;
  std::vector<std::string> notes;  // what a reader should know: a phase that did not end, steer at its stop
  ManeuverRun::Status status = ManeuverRun::Status::done;
  std::vector<std::byte> failed;  // snapshot of the step before it diverged
  EnergyBalance energy{};
  bool passed() const;     // finished, and no limit broken
  bool has_limit() const;  // there is a verdict
  double metric(const ManeuverPlan&, const std::string& name) const;
};

ManeuverResult run_plan(const ManeuverPlan&, const RunControl& = {});
// The metrics of a result whose recording was changed, phases as they were; NaN for what needs the cones' clearance.
void measure_again(const ManeuverPlan&, ManeuverResult&);

// What a metric may name: constants, columns, phase times, what the run counted.
ExpressionScope metric_scope(const ManeuverPlan&);

}  // namespace vdsim
