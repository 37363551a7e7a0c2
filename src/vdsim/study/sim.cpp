// SPDX-License-Identifier: Apache-2.0
#include "vdsim/study/sim.hpp"

#include <cmath>

#include "vdsim/engine/errors.hpp"
#include "vdsim/engine/validate.hpp"

namespace vdsim {
namespace {

constexpr double kSameTime = 1e-9;                 // of a step
constexpr double kSideSpeed = 150, kYawRate = 20;  // of a start [m/s], [rad/s]

const CarSpec& without_controller(const CarSpec& car) {
  if (car.controller.given())
    throw bad_value("control", "an FMU drives " + car.id +
                                   " in `vdsim run` alone: set control to external to command it from here, or to "
                                   "internal for its driver");
  return car;
}

}  // namespace

Sim::Setup::Setup(Scenario of, CarSpec which, std::unique_ptr<SceneCar> made, Clock& clock)
    : scene(std::move(of)), spec(std::move(which)), car(std::move(made)) {
  scene.cars.clear();
  scope = car_scope(spec, scene.road);
  signals = row_columns(spec, scene.road);
  values.reserve(signals.size());
  StateList list = car->car_state();
  for (FieldRef& member : car->driven_state()) list.push_back(member);
  list.push_back(vdsim::state("base", clock.base, "s", "where the grid of steps begins"));
  list.push_back(vdsim::state("steps", clock.steps, "", "since then", at_least(0)));
  for (FieldRef& member : car->sensor_state()) list.push_back(member);
  image = StateImage(list, car->identity());
  undo.resize(image.size());
}

Sim::Sim(const Scenario& scene, const CarSpec& car)
    : now_(scene, without_controller(car), std::make_unique<SceneCar>(scene, car), clock_) {
  values();  // a car that starts on a slope is held by its tires from here on, also in a snapshot
}

void Sim::become(Setup next, const Clock& clock) {
  now_ = std::move(next);
  clock_ = clock;
  valued_ = false;
  values();
}

double Sim::time_at(std::int64_t steps) const {
  const double dt = now_.scene.solver.dt, t = clock_.base + static_cast<double>(steps) * dt;
  return std::abs(t - now_.scene.timing.duration) <= kSameTime * dt ? now_.scene.timing.duration : t;
}

Sim::Clock Sim::after(double h) const {
  if (h == now_.scene.solver.dt) return {clock_.base, clock_.steps + 1};
  return {time() + h, 0};
}

bool Sim::keep(bool stepped, const Clock& next) {
  if (!stepped) return false;
  clock_ = next;
  valued_ = false;
  return true;
}

bool Sim::step(const Commands& from, const Commands& to, double h) {
  const Clock next = after(h);
  return keep(now_.car->step(from, to, next.steps > 0 ? time_at(next.steps) : next.base, h), next);
}

bool Sim::step(const Demand& now, const Demand& then, double h) {
  check_demands(now, then, now_.spec.driver.path.given());
  const Clock next = after(h);
  const bool other = !same(now, now_.car->driven());
  if (other) {
    now_.image.save(now_.undo);
    now_.car->drive(now, time());
  }
  const auto undo = [&] {
    if (other) restore(now_.undo);
  };
  try {
    const bool done = now_.car->step(then, next.steps > 0 ? time_at(next.steps) : next.base, h);
    if (!done) undo();
    return keep(done, next);
  } catch (...) {
    undo();
    throw;
  }
}

bool Sim::run(double until) {
  const double dt = now_.scene.solver.dt, slack = kSameTime * dt;
  if (!std::isfinite(until)) throw bad_value("until", "expected a finite time");
  if (until < time() - slack)
    throw bad_value("until", number_text(until) + " s is past: the time is " + number_text(time()) + " s");
  while (until - time() > slack) {
    const double to = time_at(clock_.steps + 1);
    if (to <= until + slack) {
      if (!keep(now_.car->step(to, dt), {clock_.base, clock_.steps + 1})) return false;
    } else if (!keep(now_.car->step(until, until - time()), {until, 0})) {
      return false;
    }
  }
  return true;
}

bool Sim::advance(std::int64_t steps) {
  for (; steps > 0; --steps)
    if (!keep(now_.car->step(time_at(clock_.steps + 1), dt()), {clock_.base, clock_.steps + 1})) return false;
  return true;
}

void Sim::drive(const Demand& now) {
  check_demands(now, now, now_.spec.driver.path.given());
  if (same(now, now_.car->driven())) return;
  now_.car->drive(now, time());
  valued_ = false;
}

void Sim::change(const Scenario& scene, const CarSpec& car) {
  CarSpec spec = without_controller(car);
  spec.id = now_.spec.id;
  const double t = time();
  auto next = std::make_unique<SceneCar>(*now_.car);
  next->change(scene, spec, t);
  const Clock clock = scene.solver.dt == now_.scene.solver.dt ? clock_ : Clock{t, 0};
  become({scene, std::move(spec), std::move(next), clock_}, clock);
}

void Sim::change(const VehicleSpec& vehicle) {
  CarSpec spec = now_.spec;
  spec.vehicle = vehicle;
  change(now_.scene, spec);
}

void Sim::reset() { reset(now_.spec.start); }
void Sim::reset(const StartSpec& start, const SideMotion& side) {
  if (!(std::abs(side.vy) <= kSideSpeed))
    throw bad_value("vy", number_text(side.vy) + " m/s is out of range, expected -150 to 150");
  if (!(std::abs(side.r) <= kYawRate))
    throw bad_value("r", number_text(side.r) + " rad/s is out of range, expected -20 to 20");
  CarSpec spec = now_.spec;
  spec.start = start;
  auto car = std::make_unique<SceneCar>(now_.scene, spec, side);
  become({now_.scene, now_.spec, std::move(car), clock_}, {});
}

std::span<const double> Sim::values() {
  if (!valued_) {
    now_.values.clear();
    signal_values(now_.scope, now_.car->outputs(time()), now_.values);
    sensor_values(now_.car->sensors(), now_.values);
    valued_ = true;
  }
  return now_.values;
}

bool Sim::restore(std::span<const std::byte> bytes) {
  if (!now_.image.restore(bytes)) return false;
  now_.car->state_changed();
  valued_ = false;
  return true;
}

}  // namespace vdsim
