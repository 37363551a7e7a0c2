#include "vdsim/study/maneuver/maneuver_run.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numbers>

#include "vdsim/engine/bytes.hpp"
#include "vdsim/study/run.hpp"

namespace vdsim {
namespace {

constexpr double kLongest = 3600;  // of a manoeuvre [s]
constexpr double kTwoPi = 2 * std::numbers::pi;

double side_slip(const CarOutputs& s) { return std::hypot(s.vx, s.vy) > 0.1 ? std::atan2(s.vy, std::abs(s.vx)) : 0; }

}  // namespace

std::vector<Column> recording_columns(const CarSpec& car) {
  std::vector<Column> out = car_columns(car);
  const auto after = std::find_if(out.begin(), out.end(), [](const Column& c) { return c.name == "ay"; }) + 1;
  out.insert(after, {{"steer", "rad", "where the front wheels point, single track"},
                     {"steer_wheel", "rad", "hand wheel"},
                     {"throttle", "-", "pedal"},
                     {"brake", "-", "pedal"},
                     {"beta", "rad", "side slip angle of the CG"},
                     {"distance", "m", "travelled"},
                     {"phase", "-", "number of the phase, from 0"}});
  return out;
}

ManeuverRun::ManeuverRun(const ManeuverPlan& plan)
    : plan_(plan),
      dt_(plan.scene.solver.dt),
      car_(plan.car(), plan.scene.road, plan.scene.solver.integrator),
      hits_(plan.course.cones, outline_of(plan.car().vehicle.chassis)),
      began_(plan.phases.size(), std::nan("")),
      slots_(2 * kPhaseSignals - 1) {
  slots_.insert(slots_.end(), plan.constants.begin(), plan.constants.end());
  look();
  enter(0);
  while (status_ == Status::running && phase_over()) enter(phase_ + 1);  // phases of no length
  car_.drive(demand(0), 0, 0);
  look();
}

void ManeuverRun::look() {
  const double psi_before = slots_[kPsi];
  now_ = car_.sample();
  now_.t = time();
  if (step_ > 0) turns_ += std::round((psi_before - (now_.psi + turns_ * kTwoPi)) / kTwoPi);
  now_.psi += turns_ * kTwoPi;
  double fz_min = now_.wheel[0].fz, fz_max = fz_min;
  for (int i = 1; i < now_.wheels; ++i)
    fz_min = std::min(fz_min, now_.wheel[i].fz), fz_max = std::max(fz_max, now_.wheel[i].fz);
  const Commands& c = car_.commands();
  const double t = slots_[kT];
  const double values[kPhaseSignals] = {t,
                                        time(),
                                        now_.x,
                                        now_.y,
                                        now_.z,
                                        now_.psi,
                                        now_.vx,
                                        now_.vy,
                                        std::hypot(now_.vx, now_.vy),
                                        now_.r,
                                        now_.ax,
                                        now_.ay,
                                        side_slip(now_),
                                        now_.roll,
                                        now_.pitch,
                                        c.steer,
                                        c.throttle,
                                        c.brake,
                                        distance_,
                                        fz_min,
                                        fz_max};
  std::copy(values, values + kPhaseSignals, slots_.begin());
  hits_.row(time(), now_.x, now_.y, now_.psi);
}

void ManeuverRun::enter(std::size_t phase) {
  phase_ = phase;
  if (phase >= plan_.phases.size()) {
    phase_ = plan_.phases.size() - 1;
    status_ = Status::done;
    return;
  }
  began_[phase] = time();
  slots_[kT] = 0;
  std::copy(slots_.begin() + 1, slots_.begin() + kPhaseSignals, slots_.begin() + kPhaseSignals);
}

bool ManeuverRun::phase_over() const {
  const PhasePlan& p = plan_.phases[phase_];
  const auto reached = [&](const std::optional<Expression>& limit) {
    return limit && slots_[kT] >= limit->value(plan_.constants) - 1e-9;
  };
  return reached(p.lasts) || reached(p.at_most) || (p.until && p.until->value(slots_) != 0);
}

Demand ManeuverRun::demand(double ahead) {
  const PhasePlan& p = plan_.phases[phase_];
  const double t = slots_[kT], now = slots_[kTime];
  slots_[kT] = t + ahead, slots_[kTime] = now + ahead;
  const auto said = [&](PhasePlan::Channel c, double otherwise) {
    return p.driver[c] ? p.driver[c]->value(slots_) : otherwise;
  };
  Demand out;
  Commands& d = out.direct;
  const double most = car_.nominal_car().max_steer;
  double steer = said(PhasePlan::steer, 0);
  if (p.driver[PhasePlan::steer_wheel])
    steer = said(PhasePlan::steer_wheel, 0) / plan_.car().vehicle.steering.steering_ratio;
  d.steer = std::clamp(steer, -most, most);
  if (d.steer != steer) limited_ = 1;
  d.throttle = std::clamp(said(PhasePlan::throttle, 0), 0.0, 1.0);
  d.brake = std::clamp(said(PhasePlan::brake, 0), 0.0, 1.0);
  d.handbrake = std::clamp(said(PhasePlan::handbrake, 0), 0.0, 1.0);
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
  if (status_ != Status::running) return false;
  const double x = now_.x, y = now_.y;
  if (!car_.step(demand(dt_), dt_)) {
    status_ = Status::diverged;
    return false;
  }
  ++step_;
  slots_[kT] = time() - began_[phase_];
  look();
  if (!std::isfinite(now_.x) || !std::isfinite(now_.ay)) {
    status_ = Status::diverged;
    return false;
  }
  distance_ += std::hypot(now_.x - x, now_.y - y);
  slots_[kDistance] = distance_;
  const PhasePlan& p = plan_.phases[phase_];
  if (!phase_over() && ((p.within && slots_[kT] >= p.within->value(plan_.constants)) || time() > kLongest))
    status_ = Status::not_finished;
  while (status_ == Status::running && phase_over()) enter(phase_ + 1);
  car_.drive(demand(0), time(), dt_);
  const Commands& c = car_.commands();
  slots_[kSteer] = c.steer, slots_[kThrottle] = c.throttle, slots_[kBrake] = c.brake;
  return status_ == Status::running;
}

std::vector<double> ManeuverRun::row() const {
  CarOutputs now = car_.sample();  // belongs to the commands of now, which now_ was seen before
  now.t = time(), now.psi = now_.psi;
  std::vector<double> out = car_row(now, plan_.car());
  const Commands& c = car_.commands();
  const double ratio = plan_.car().vehicle.steering.steering_ratio;
  out.insert(out.begin() + 9,
             {now.steer, c.steer * ratio, c.throttle, c.brake, slots_[kBeta], distance_, static_cast<double>(phase_)});
  return out;
}

namespace {
struct RunBytes {
  double step, phase, status, distance, limited, turns;
};
}  // namespace

std::vector<std::byte> ManeuverRun::snapshot() const {
  const RunBytes bytes{static_cast<double>(step_),
                       static_cast<double>(phase_),
                       static_cast<double>(status_),
                       distance_,
                       limited_,
                       turns_};
  return joined({bytes_of(bytes), std::as_bytes(std::span(began_)), std::as_bytes(std::span(slots_)), car_.snapshot()});
}

bool ManeuverRun::restore(std::span<const std::byte> from) {
  const std::size_t began = began_.size() * sizeof(double), slots = slots_.size() * sizeof(double);
  RunBytes bytes{};
  if (from.size() < sizeof bytes + began + slots) return false;
  std::memcpy(&bytes, from.data(), sizeof bytes);
  if (!(bytes.step >= 0 && bytes.step <= kLongest / dt_ + 1 && bytes.phase >= 0 &&
        bytes.phase < static_cast<double>(plan_.phases.size())))
    return false;
  if (!car_.restore(from.subspan(sizeof bytes + began + slots))) return false;
  std::memcpy(began_.data(), from.data() + sizeof bytes, began);
  std::memcpy(slots_.data(), from.data() + sizeof bytes + began, slots);
  step_ = static_cast<long>(bytes.step), phase_ = static_cast<std::size_t>(bytes.phase);
  status_ = static_cast<Status>(static_cast<int>(bytes.status));
  distance_ = bytes.distance, limited_ = bytes.limited, turns_ = bytes.turns;
  now_ = car_.sample();
  now_.t = time();
  now_.psi += turns_ * kTwoPi;
  return true;
}

}  // namespace vdsim
