// SPDX-License-Identifier: Apache-2.0
#include "vdsim/study/sim.hpp"

#include <cmath>

#include "vdsim/engine/errors.hpp"
#include "vdsim/engine/validate.hpp"

namespace vdsim {
namespace {

constexpr double kSameTime = 1e-9;  // of a step

struct DemandLevel {
  const char* name;
  double Demand::*value;
  Range range;
};
constexpr DemandLevel kLevels[] = {{"speed", &Demand::speed, between(-150, 150)},
                                   {"acceleration", &Demand::acceleration, any_finite()},
                                   {"force", &Demand::force, any_finite()},
                                   {"curvature", &Demand::curvature, any_finite()}};

bool same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }
bool same(const Demand& a, const Demand& b) {
  bool out = a.direct == b.direct && a.speed_rate == b.speed_rate && a.follow_path == b.follow_path &&
             a.wheel_torques == b.wheel_torques;
  for (const DemandLevel& level : kLevels) out = out && same(a.*level.value, b.*level.value);
  return out;
}

Faults faults_of(const Demand& d, bool has_path) {
  Faults out = validate(d.direct);
  for (const DemandLevel& level : kLevels)
    if (const double x = d.*level.value; !std::isnan(x) && !level.range.holds(x))
      out.push_back({"", {level.name}, number_text(x) + " is out of range, expected " + describe(level.range, "")});
  if (!std::isfinite(d.speed_rate)) out.push_back({"", {"speed_rate"}, "expected a finite number"});
  if (d.follow_path && !has_path) out.push_back({"", {"follow_path"}, "the driver of this scene has no path"});
  const int along = !std::isnan(d.speed) + !std::isnan(d.acceleration) + !std::isnan(d.force) + d.wheel_torques;
  if (along > 1) out.push_back({"", {"speed"}, "give one of speed, acceleration, force, wheel torques"});
  if (d.follow_path && !std::isnan(d.curvature))
    out.push_back({"", {"curvature"}, "give one of curvature, follow_path"});
  return out;
}

}  // namespace

void check_demands(const Demand& now, const Demand& next, bool has_path) {
  throw_if_any(faults_of(now, has_path));
  throw_if_any(faults_of(next, has_path));
  bool alike = now.follow_path == next.follow_path && now.wheel_torques == next.wheel_torques;
  for (const DemandLevel& level : kLevels)
    alike = alike && std::isnan(now.*level.value) == std::isnan(next.*level.value);
  if (!alike) throw bad_value("next", "speaks at another command level than the demand of now");
}

Sim::Sim(const Scenario& scene, const CarSpec& car)
    : scene_(scene), spec_(car), car_(std::make_unique<SceneCar>(scene, car)) {
  scene_.cars.clear();
  begin();
}

// After the car has become another one: its signals and its state.
void Sim::begin() {
  scope_ = car_scope(spec_, scene_.road);
  signals_ = vdsim::signals(scope_);
  for (Column& column : sensor_columns(spec_.vehicle.sensors, car_->car().car().wheels()))
    signals_.push_back(std::move(column));
  values_.reserve(signals_.size());
  valued_ = false;
  StateList list = car_->car_state();
  list.push_back(car_->driven_state());
  list.push_back(vdsim::state("base", clock_.base, "s", "where the grid of steps begins"));
  list.push_back(vdsim::state("steps", clock_.steps, "", "since then", at_least(0)));
  for (FieldRef& member : car_->sensor_state()) list.push_back(member);
  image_ = StateImage(list, car_->identity());
  undo_.resize(image_.size());
  values();  // a car that starts on a slope is held by its tires from here on, also in a snapshot
}

double Sim::time_at(std::int64_t steps) const {
  const double dt = scene_.solver.dt, t = clock_.base + static_cast<double>(steps) * dt;
  return std::abs(t - scene_.timing.duration) <= kSameTime * dt ? scene_.timing.duration : t;
}

Sim::Clock Sim::after(double h) const {
  if (h == scene_.solver.dt) return {clock_.base, clock_.steps + 1};
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
  return keep(car_->step(from, to, next.steps > 0 ? time_at(next.steps) : next.base, h), next);
}

bool Sim::step(const Demand& now, const Demand& then, double h) {
  check_demands(now, then, spec_.driver.path.given());
  const Clock next = after(h);
  const bool other = !same(now, car_->driven());
  if (other) {
    image_.save(undo_);
    car_->drive(now, time());
  }
  const auto undo = [&] {
    if (other) restore(undo_);
  };
  try {
    const bool done = car_->step(then, next.steps > 0 ? time_at(next.steps) : next.base, h);
    if (!done) undo();
    return keep(done, next);
  } catch (...) {
    undo();
    throw;
  }
}

bool Sim::run(double until) {
  const double dt = scene_.solver.dt, slack = kSameTime * dt;
  if (!std::isfinite(until)) throw bad_value("until", "expected a finite time");
  if (until < time() - slack)
    throw bad_value("until", number_text(until) + " s is past: the time is " + number_text(time()) + " s");
  while (until - time() > slack) {
    const double to = time_at(clock_.steps + 1);
    if (to <= until + slack) {
      if (!keep(car_->step(to, dt), {clock_.base, clock_.steps + 1})) return false;
    } else if (!keep(car_->step(until, until - time()), {until, 0})) {
      return false;
    }
  }
  return true;
}

void Sim::change(const Scenario& scene, const CarSpec& car) {
  Scenario next = scene;
  CarSpec spec = car;
  next.cars.clear();
  spec.id = spec_.id;  // the noise of its sensors depends on it
  const double t = time();
  car_->change(next, spec, t);
  if (next.solver.dt != scene_.solver.dt) clock_ = {t, 0};
  scene_ = std::move(next);
  spec_ = std::move(spec);
  begin();
}

void Sim::change(const VehicleSpec& vehicle) {
  CarSpec spec = spec_;
  spec.vehicle = vehicle;
  change(scene_, spec);
}

void Sim::reset() { reset(spec_.start); }
void Sim::reset(const StartSpec& start) {
  CarSpec spec = spec_;
  spec.start = start;
  auto car = std::make_unique<SceneCar>(scene_, spec);
  car_ = std::move(car);
  clock_ = {};
  begin();
}

std::span<const double> Sim::values() {
  if (!valued_) {
    values_.clear();
    signal_values(scope_, car_->outputs(time()), values_);
    sensor_values(car_->sensors(), values_);
    valued_ = true;
  }
  return values_;
}

bool Sim::restore(std::span<const std::byte> bytes) {
  if (!image_.restore(bytes)) return false;
  car_->state_changed();
  valued_ = false;
  return true;
}

}  // namespace vdsim
