// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "vdsim/engine/hash.hpp"
#include "vdsim/study/run.hpp"

namespace vdsim {
namespace {

long step_count(double duration, double dt) { return std::max(1L, static_cast<long>(std::ceil(duration / dt - 1e-9))); }

}  // namespace

CarRun::CarRun(const Scenario& scene, const CarSpec& car)
    : terrain_(scene.terrain),
      maps_(scene.maps),
      road_(scene.road),
      dt_(scene.solver.dt),
      duration_(scene.timing.duration),
      steps_(step_count(duration_, dt_)),
      car_(car, scene.road, scene.solver.integrator),
      sensors_(car.vehicle.sensors, fnv1a(car.id)),
      driver_(car.driver) {
  car_.drive(demand_at(driver_, 0), 0, 0);
  measure();
}

void CarRun::measure() {
  if (sensors_.spec().enabled) sensors_.update(car_.truth(time()));
}

bool CarRun::step() {
  const Demand next = demand_at(driver_, time_at(step_ + 1));
  // Only a shortened last step differs from dt: k dt rounds, and a step must not depend on its number.
  double h = dt_;
  if (step_ + 1 == steps_ && std::abs(static_cast<double>(steps_) * dt_ - duration_) > 1e-9 * dt_)
    h = duration_ - time();
  if (!car_.step(next, h)) return false;
  ++step_;
  car_.drive(next, time(), h);
  measure();
  return true;
}

CarOutputs CarRun::outputs() const {
  CarOutputs out = car_.outputs();
  out.t = time();
  return out;
}

StateList CarRun::state() {
  StateList out = car_.state();
  out.push_back(vdsim::state("step", step_, "", "of the run", between(0, static_cast<double>(steps_))));
  for (FieldRef& member : sensors_.state()) out.push_back(member);
  return out;
}
std::uint64_t CarRun::identity() const {
  const std::uint64_t both[2] = {car_.model_hash(), sensors_.identity()};
  return fnv1a({reinterpret_cast<const char*>(both), sizeof both});
}
std::vector<std::byte> CarRun::snapshot() const { return save(const_cast<CarRun*>(this)->state(), identity()); }
bool CarRun::restore(std::span<const std::byte> bytes) {
  if (!vdsim::restore(state(), identity(), bytes)) return false;
  car_.state_changed();
  return true;
}

}  // namespace vdsim
