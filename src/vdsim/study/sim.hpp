// SPDX-License-Identifier: Apache-2.0
// One car of a scene, stepped from outside or by the scene's driver, in any order. Nothing is allocated in a step, in values() or in
// a snapshot.
// Clock: steps of the scene's dt stay on its grid, t = base + k dt, and have the times and bits of `vdsim run`; any other step starts
// a new grid where it ends.
#pragma once
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "vdsim/study/scene_car.hpp"

namespace vdsim {

class Sim {
 public:
  Sim(const Scenario&, const CarSpec&);
  Sim(const Sim&) = delete;  // image_ points into it
  Sim& operator=(const Sim&) = delete;

  // Advance by h. False, and nothing changed, if the step diverged; why() says how. Throws BadInput, and nothing changes.
  bool step(const Commands& from, const Commands& to, double h);
  bool step(const Demand& now, const Demand& next, double h);
  // The scene's driver drives until this time: steps of dt, the last one shortened. False where a step diverged: the time reached is
  // that of the step before.
  bool run(double until);
  const char* why() const { return car_->car().car().why(); }
  double time() const { return time_at(clock_.steps); }

  // While driving: the car, its road and its driver become those of another scene; or the vehicle alone.
  void change(const Scenario&, const CarSpec&);
  void change(const VehicleSpec&);
  void reset();  // to the start of the scene, or
  void reset(const StartSpec&);

  const std::vector<Column>& signals() const { return signals_; }  // the columns of run.csv
  std::span<const double> values();                                // of all of them, now
  const CarSpec& spec() const { return spec_; }
  const Car& car() const { return car_->car().car(); }

  std::size_t snapshot_size() const { return image_.size(); }
  void snapshot(std::span<std::byte> out) const { image_.save(out); }
  bool restore(std::span<const std::byte>);  // false, and nothing changed, if it is of another car, level or road

 private:
  struct Clock {
    double base = 0;  // where the grid begins [s]
    std::int64_t steps = 0;
  };
  double time_at(std::int64_t steps) const;
  Clock after(double h) const;
  bool keep(bool stepped, const Clock&);
  void begin();

  Scenario scene_;  // without its cars
  CarSpec spec_;
  std::unique_ptr<SceneCar> car_;
  Clock clock_;
  SignalScope scope_;
  std::vector<Column> signals_;
  std::vector<double> values_;
  bool valued_ = false;  // values_ are of now
  StateImage image_;
  std::vector<std::byte> undo_;
};

// What a demand asks for is finite, in range, at one command level each, and can be done by this car; `next` speaks as `now` does.
void check_demands(const Demand& now, const Demand& next, bool has_path);

}  // namespace vdsim
