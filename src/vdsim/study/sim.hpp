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
  Sim(const Sim&) = delete;  // its image points into it
  Sim& operator=(const Sim&) = delete;

  // Advance by h. False, and nothing changed, if the step diverged; why() says how. Throws BadInput, and nothing changes.
  bool step(const Commands& from, const Commands& to, double h);
  bool step(const Demand& now, const Demand& next, double h);
  // The scene's driver drives until this time: steps of dt, the last one shortened. False where a step diverged: the time reached is
  // that of the step before.
  bool run(double until);
  bool advance(std::int64_t steps);  // the same for so many steps of dt
  // Somebody else takes the wheel at this instant: the signals of now follow. Throws BadInput.
  void drive(const Demand&);
  const char* why() const { return now_.car->car().car().why(); }
  double time() const { return time_at(clock_.steps); }

  // While driving: the car, its road and its driver become those of another scene; or the vehicle alone.
  void change(const Scenario&, const CarSpec&);
  void change(const VehicleSpec&);
  void reset();                                          // to the start of the scene, or
  void reset(const StartSpec&, const SideMotion& = {});  // throws BadInput, and nothing changes

  const std::vector<Column>& signals() const { return now_.signals; }  // the columns of run.csv
  std::span<const double> values();                                    // of all of them, now
  const CarSpec& spec() const { return now_.spec; }
  double dt() const { return now_.scene.solver.dt; }
  const Car& car() const { return now_.car->car().car(); }
  const Commands& commands() const { return now_.car->car().commands(); }  // in effect

  std::size_t snapshot_size() const { return now_.image.size(); }
  void snapshot(std::span<std::byte> out) const { now_.image.save(out); }
  bool restore(std::span<const std::byte>);  // false, and nothing changed, if it is of another car, level or road

 private:
  struct Clock {
    double base = 0;  // where the grid begins [s]
    std::int64_t steps = 0;
  };
  // What depends on which car it is. Made as a whole before anything of the old one goes.
  struct Setup {
    Setup(Scenario, CarSpec, std::unique_ptr<SceneCar>, Clock&);
    Scenario scene;  // without its cars
    CarSpec spec;
    std::unique_ptr<SceneCar> car;
    SignalScope scope;
    std::vector<Column> signals;
    std::vector<double> values;
    StateImage image;
    std::vector<std::byte> undo;
  };
  double time_at(std::int64_t steps) const;
  Clock after(double h) const;
  bool keep(bool stepped, const Clock&);
  void become(Setup, const Clock&);

  Clock clock_;
  Setup now_;
  bool valued_ = false;  // now_.values are of now
};

}  // namespace vdsim
