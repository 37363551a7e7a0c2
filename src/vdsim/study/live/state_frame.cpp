// SPDX-License-Identifier: Apache-2.0
#include "vdsim/study/live/state_frame.hpp"

#include <cmath>
#include <string>

#include "vdsim/core/steering/ackermann.hpp"
#include "vdsim/core/vehicle/compile_sprung.hpp"
#include "vdsim/engine/outputs.hpp"

namespace vdsim {
namespace {

class SignalFinder {
 public:
  SignalFinder(const std::vector<Column>& signals, std::size_t none) : signals_(signals), none_(none) {}
  std::size_t operator()(std::string_view name, std::string_view instead = {}) const {
    for (std::size_t i = 0; i < signals_.size(); ++i)
      if (signals_[i].name == name) return i;
    return instead.empty() ? none_ : (*this)(instead);
  }

 private:
  const std::vector<Column>& signals_;
  std::size_t none_;
};

}  // namespace

StateReader::StateReader(const CarSpec& car, const std::vector<Column>& signals) {
  const SignalFinder find(signals, kNone);
  car_ = {find("x"),
          find("y"),
          find("z"),
          find("roll"),
          find("pitch"),
          find("psi"),
          find("vx"),
          find("vy"),
          find("vz"),
          find("p"),
          find("q"),
          find("r"),
          find("ax"),
          find("ay"),
          find("steer"),
          find("throttle"),
          find("brake"),
          find("m_ax", "ax"),
          find("m_ay", "ay"),
          find("m_gz", "r"),
          find("m_steer", "steer"),
          find("m_gnss_x", "x"),
          find("m_gnss_y", "y")};
  const std::vector<std::string> names = wheel_names(car.level);
  const ChassisSpec& c = car.vehicle.chassis;
  const bool single = names.size() == 2;
  for (std::size_t i = 0; i < 4; ++i) {
    const std::string of = "_" + names[single ? i / 2 : i];
    wheel_[i] = {find("omega" + of),  find("fz" + of), find("kappa" + of), find("alpha" + of),
                 find("travel" + of), find("fx" + of), find("fy" + of),    find("mz" + of)};
    left_[i] = single ? 0 : (i % 2 == 0 ? 0.5 : -0.5) * (i < 2 ? c.track_front : c.track_rear);
  }
  wheelbase_ = c.wheelbase, radius_ = radius_of(car.vehicle, 0);
  ackermann_ = car.vehicle.steering.ackerman_percent / 100;
}

StateBody StateReader::read(std::span<const double> values) const {
  const auto at = [&](std::size_t place) { return place == kNone ? 0.0 : values[place]; };
  StateBody out;
  const auto fill = [&](double* to, std::initializer_list<std::size_t> places) {
    for (const std::size_t place : places) *to++ = at(place);
  };
  fill(out.position, {car_.x, car_.y, car_.z});
  fill(out.attitude, {car_.roll, car_.pitch, car_.yaw});
  fill(out.velocity, {car_.vx, car_.vy, car_.vz});
  fill(out.rates, {car_.p, car_.q, car_.r});
  fill(out.acceleration, {car_.ax, car_.ay});
  out.steer_applied = at(car_.steer), out.wheel_radius = radius_;
  out.throttle_applied = at(car_.throttle), out.brake_applied = at(car_.brake);
  fill(&out.measured_ax, {car_.m_ax});
  out.measured_ay = at(car_.m_ay), out.measured_wz = at(car_.m_wz), out.measured_steer = at(car_.m_steer);
  fill(out.gnss, {car_.m_x, car_.m_y});
  for (std::size_t i = 0; i < 4; ++i) {
    const Wheel& w = wheel_[i];
    out.wheel_spin[i] = at(w.omega), out.fz[i] = at(w.fz), out.suspension[i] = at(w.travel);
    out.slip_ratio[i] = at(w.kappa), out.slip_angle[i] = at(w.alpha);
    // the front wheels are turned against the body
    WheelAngle<double> turned{1, 0, 0};
    if (i < 2) {
      turned = ackermann(out.steer_applied, 0.0, left_[i], 1 / wheelbase_, ackermann_);
      out.rack_torque += at(w.mz);
    }
    out.fx[i] = turned.c * at(w.fx) - turned.s * at(w.fy);
    out.fy[i] = turned.s * at(w.fx) + turned.c * at(w.fy);
  }
  return out;
}

}  // namespace vdsim
