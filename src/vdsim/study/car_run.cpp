// SPDX-License-Identifier: Apache-2.0
#include "vdsim/study/car_run.hpp"

#include <cmath>

namespace vdsim {
namespace {

long step_count(double duration, double dt) { return std::max(1L, static_cast<long>(std::ceil(duration / dt - 1e-9))); }

}  // namespace

CarRun::CarRun(const Scenario& scene, const CarSpec& car)
    : dt_(scene.solver.dt),
      duration_(scene.timing.duration),
      steps_(step_count(duration_, dt_)),
      external_(car.control == Control::external),
      car_(scene, car) {}

void CarRun::command(const Demand& now) { car_.drive(now, time()); }

bool CarRun::step() {
  // Only a shortened last step differs from dt: k dt rounds, and a step must not depend on its number.
  double h = dt_;
  if (step_ + 1 == steps_ && std::abs(static_cast<double>(steps_) * dt_ - duration_) > 1e-9 * dt_)
    h = duration_ - time();
  if (!car_.step(time_at(step_ + 1), h)) return false;
  ++step_;
  return true;
}

FinerRun<CarRun> finer_run(const Scenario& scene, const CarSpec& car) {
  if (!needs_finer(scene.solver)) return {nullptr, scene.solver};
  Scenario finer = scene;
  finer.solver = finer_solver(scene.solver, car.vehicle, car.level);
  return {std::make_unique<CarRun>(finer, car), scene.solver};
}

StateList CarRun::state() {
  StateList out = car_.car_state();
  out.push_back(vdsim::state("step", step_, "", "of the run", between(0, static_cast<double>(steps_))));
  for (FieldRef& member : car_.sensor_state()) out.push_back(member);
  if (external_)
    for (FieldRef& member : car_.driven_state()) out.push_back(member);
  return out;
}
std::vector<std::byte> CarRun::snapshot() const { return save(const_cast<CarRun*>(this)->state(), car_.identity()); }
bool CarRun::restore(std::span<const std::byte> bytes) {
  if (!vdsim::restore(state(), car_.identity(), bytes)) return false;
  car_.state_changed();
  return true;
}

}  // namespace vdsim
