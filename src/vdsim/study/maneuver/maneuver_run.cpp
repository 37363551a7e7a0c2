// SPDX-License-Identifier: Apache-2.0
#include "vdsim/study/maneuver/maneuver_run.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cassert>
#include <cmath>

#include "vdsim/engine/hash.hpp"
#include "vdsim/engine/same_math.hpp"

namespace vdsim {
namespace {}  // namespace

ManeuverRun::ManeuverRun(const ManeuverPlan& plan)
    : plan_(plan),
      dt_(plan.scene.solver.dt),
      car_(plan.car(), plan.scene.road, plan.scene.solver.integrator),
      sensors_(plan.car().vehicle.sensors, fnv1a(plan.car().id)),
      hits_(plan.course.cones, outline_of(plan.car().vehicle.chassis)),
      began_(plan.phases.size(), std::nan("")),
      recorded_(recording_scope(plan)) {
  all_.level = plan.car().level, all_.everything = true;
  signals_ = phase_signals(all_.level).size();
  slots_.resize(2 * signals_ - 1);
  slots_.insert(slots_.end(), plan.constants.begin(), plan.constants.end());
  look();
  enter(0);
  while (status_ == Status::running && phase_over()) enter(phase() + 1);  // phases of no length
  car_.drive(demand(0), 0, 0);
  look();
  measure();
}

void ManeuverRun::measure() {
  if (sensors_.spec().enabled) sensors_.update(car_.truth(time()));
}

// Pedals and lever end at 0 and 1.
double ManeuverRun::pedal(double asked) {
  const double out = std::clamp(asked, 0.0, 1.0);
  pedal_limited_ = pedal_limited_ || std::abs(out - asked) > 1e-9;
  return out;
}

// What the phases see of the car: its motion now, forces of the last evaluation of the step.
void ManeuverRun::look() {
  const double x = now_.x, y = now_.y;
  now_ = car_.glance();
  if (step_ > 0) distance_ += vdsim::hypot(now_.x - x, now_.y - y);
  fill_slots();
  hits_.row(time(), now_.x, now_.y, now_.psi);
}

void ManeuverRun::fill_slots() {
  now_.t = time(), now_.distance = distance_, now_.phase = static_cast<double>(phase_);
  double fz_min = now_.wheel[0].fz, fz_max = fz_min;
  for (int i = 1; i < now_.wheels; ++i)
    fz_min = std::min(fz_min, now_.wheel[i].fz), fz_max = std::max(fz_max, now_.wheel[i].fz);
  values_.clear();
  signal_values(all_, now_, values_);
  // t of the run comes first there: phases have their own
  std::copy(values_.begin() + 1, values_.end(), slots_.begin() + kPhaseSlots);
  slots_[kTime] = time(), slots_[kSpeed] = vdsim::hypot(now_.vx, now_.vy), slots_[kFzMin] = fz_min,
  slots_[kFzMax] = fz_max;
}

void ManeuverRun::enter(std::size_t phase) {
  phase_ = static_cast<std::int64_t>(phase);
  if (phase >= plan_.phases.size()) {
    phase_ = static_cast<std::int64_t>(plan_.phases.size()) - 1;
    status_ = Status::done;
    return;
  }
  began_[phase] = time();
  slots_[kT] = 0;
  const auto end = slots_.begin() + static_cast<std::ptrdiff_t>(signals_);
  std::copy(slots_.begin() + 1, end, end);
}

bool ManeuverRun::phase_over() const {
  const PhasePlan& p = plan_.phases[phase()];
  const auto reached = [&](const std::optional<Expression>& limit) {
    return limit && slots_[kT] >= limit->value(plan_.constants) - 1e-9;
  };
  return reached(p.lasts) || reached(p.at_most) || (p.until && p.until->value(slots_) != 0);
}

void ManeuverRun::refuse_demand(PhasePlan::Channel c, double value) const {
  const PhasePlan& p = plan_.phases[phase()];
  throw BadInput(fmt::format("{}: phase {}, t = {:.6g} s: driver.{}: expected a finite number, found {} ({})", plan_.id,
                             p.name, slots_[kT], kChannelNames[c], std::isnan(value) ? std::abs(value) : value,
                             p.driver[c]->text()));
}

Demand ManeuverRun::demand(double ahead) {
  const PhasePlan& p = plan_.phases[phase()];
  const double t = slots_[kT], now = slots_[kTime];
  slots_[kT] = t + ahead, slots_[kTime] = now + ahead;
  const auto said = [&](PhasePlan::Channel c, double otherwise) {
    if (!p.driver[c]) return otherwise;
    const double value = p.driver[c]->value(slots_);
    if (!std::isfinite(value)) refuse_demand(c, value);
    return value;
  };
  Demand out;
  Commands& d = out.direct;
  const double most = car_.nominal_car().max_steer;
  double steer = said(PhasePlan::steer, 0);
  if (p.driver[PhasePlan::steer_wheel])
    steer = said(PhasePlan::steer_wheel, 0) / plan_.car().vehicle.steering.steering_ratio;
  d.steer = std::clamp(steer, -most, most);
  if (d.steer != steer) limited_ = true;
  d.throttle = pedal(said(PhasePlan::throttle, 0));
  d.brake = pedal(said(PhasePlan::brake, 0));
  d.handbrake = pedal(said(PhasePlan::handbrake, 0));
  d.gear = static_cast<int>(std::lround(said(PhasePlan::gear, 1)));
  out.speed = said(PhasePlan::speed, Demand::kUnsaid);
  out.acceleration = said(PhasePlan::acceleration, Demand::kUnsaid);
  out.curvature = said(PhasePlan::curvature, Demand::kUnsaid);
  out.follow_path = p.follow_path;
  if (p.driver[PhasePlan::speed]) {
    slots_[kT] += dt_, slots_[kTime] += dt_;
    out.speed_rate = (said(PhasePlan::speed, 0) - out.speed) / dt_;
  }
  slots_[kT] = t, slots_[kTime] = now;
  return out;
}

bool ManeuverRun::step() {
  assert(!done());
  if (!car_.step(demand(dt_), dt_)) {
    status_ = Status::diverged;
    return false;
  }
  ++step_;
  slots_[kT] = time() - began_[phase()];
  look();
  if (!std::isfinite(now_.x) || !std::isfinite(now_.ay)) {
    status_ = Status::diverged;
    return false;
  }
  const PhasePlan& p = plan_.phases[phase()];
  if (!phase_over() && ((p.within && slots_[kT] >= p.within->value(plan_.constants)) || time() > kLongestManeuver))
    status_ = Status::not_finished;
  while (status_ == Status::running && phase_over()) enter(phase() + 1);
  car_.drive(demand(0), time(), dt_);
  now_ = car_.glance();  // the commands are new
  fill_slots();
  measure();
  return true;
}

double ManeuverRun::progress() const {
  return (static_cast<double>(phase_) + 0.5) / static_cast<double>(plan_.phases.size());
}

std::vector<double> ManeuverRun::row() const {
  CarOutputs now = car_.outputs();
  now.t = time(), now.distance = distance_, now.phase = static_cast<double>(phase_);
  std::vector<double> out;
  signal_values(recorded_, now, out);
  sensor_values(sensors_, out);
  return out;
}

StateList ManeuverRun::state() {
  StateList out = car_.state();
  for (FieldRef& member : StateList{
           vdsim::state("step", step_, "", "of the run", Range{0, kLongestManeuver / dt_ + 1, false, false}),
           vdsim::state("phase", phase_, "", "in progress", between(0, static_cast<double>(plan_.phases.size()) - 1)),
           vdsim::state("status", status_, "", "running, done, not finished, diverged", between(0, 3)),
           vdsim::state("distance", distance_, "m", "travelled"),
           vdsim::state("limited", limited_, "", "the steer angle met its limit"),
           vdsim::state("pedal_limited", pedal_limited_, "", "a pedal met its limit"),
           vdsim::state("began", std::span(began_), "s", "start of each phase; NaN before"),
           vdsim::state("slots", std::span(slots_), "", "signals now, at the start of the phase, constants")})
    out.push_back(member);
  for (FieldRef& member : sensors_.state()) out.push_back(member);
  return out;
}
std::uint64_t ManeuverRun::identity() const {
  const std::uint64_t both[2] = {car_.model_hash(), sensors_.identity()};
  return fnv1a({reinterpret_cast<const char*>(both), sizeof both});
}
std::vector<std::byte> ManeuverRun::snapshot() const {
  return save(const_cast<ManeuverRun*>(this)->state(), identity());
}
bool ManeuverRun::restore(std::span<const std::byte> bytes) {
  if (!vdsim::restore(state(), identity(), bytes)) return false;
  car_.state_changed();
  now_ = car_.glance();  // the slots are as they were saved
  return true;
}

}  // namespace vdsim
