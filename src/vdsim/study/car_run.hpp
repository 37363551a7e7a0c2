// SPDX-License-Identifier: Apache-2.0
// One car of a scene with its driver and the clock of a run.
//
// Steps: t_k = k dt; the last one is shortened so that the run ends exactly at `duration`.
#pragma once
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "vdsim/study/finer_run.hpp"
#include "vdsim/study/scene_car.hpp"

namespace vdsim {

class CarRun {
 public:
  CarRun(const Scenario&, const CarSpec&);
  bool done() const { return step_ == steps_; }
  bool step();                      // false, and nothing changed, if the step diverged
  void command(const Demand& now);  // an external car, from now on
  bool stale() const { return car_.stale(time()); }
  long step_index() const { return step_; }
  long steps() const { return steps_; }
  double progress() const { return static_cast<double>(step_) / static_cast<double>(steps_); }  // 0..1
  double time() const { return time_at(step_); }
  static std::size_t phase() { return 0; }  // as of a ManeuverRun
  double phase_time() const { return time(); }
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
  bool external_;
  SceneCar car_;
};

FinerRun<CarRun> finer_run(const Scenario&, const CarSpec&);

}  // namespace vdsim
