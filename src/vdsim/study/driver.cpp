// SPDX-License-Identifier: Apache-2.0
#include "vdsim/study/driver.hpp"

#include <algorithm>
#include <cmath>

#include "vdsim/core/vehicle/compile.hpp"
#include "vdsim/engine/same_math.hpp"

namespace vdsim {
namespace {

constexpr double kGain = 2;          // speed error to acceleration [1/s]
constexpr double kLimit = 5;         // what the driver asks for to close a speed error [m/s^2]
constexpr double kShiftSpeed = 0.3;  // reverse is engaged below this [m/s]

const Table::Point* next_point(const Table& table, double t) {
  const auto after = std::upper_bound(table.points.begin(), table.points.end(), t,
                                      [](double x, const Table::Point& p) { return x < p.t; });
  return table.points.data() + (after - table.points.begin());
}

}  // namespace

double table_at(const Table& table, double t) {
  if (!table.given()) return 0;
  const Table::Point* next = next_point(table, t);
  if (next == table.points.data()) return table.points.front().value;
  const Table::Point& from = next[-1];
  if (next == table.points.data() + table.points.size() || t == from.t) return from.value;
  return from.value + (next->value - from.value) * ((t - from.t) / (next->t - from.t));
}

double table_slope(const Table& table, double t) {
  if (!table.given()) return 0;
  const Table::Point* next = next_point(table, t);
  if (next == table.points.data() || next == table.points.data() + table.points.size()) return 0;
  return (next->value - next[-1].value) / (next->t - next[-1].t);
}

double table_held_at(const Table& table, double t, double absent) {
  if (!table.given()) return absent;
  const Table::Point* next = next_point(table, t);
  return next == table.points.data() ? table.points.front().value : next[-1].value;
}

PedalGain pedal_gain(const VehicleSpec& v) {
  double drive = 0, brake = 0, mass = v.chassis.mass;  // forces at the contact [N]; with wheels and motor [kg]
  for (int a = 0; a < 2; ++a) {
    const AxleParams<double> axle = compile_axle(v, a);
    const double radius = radius_of(v, 2 * a);
    drive += axle.drive / radius;
    brake += 2 * axle.brake / radius;
    mass += (2 * axle.I + axle.engine) / (radius * radius);
  }
  return {drive / mass, brake / mass};
}

double slope_gravity(const RoadSpec& road, double psi) {
  const PlaneGravity g = plane_gravity(road);
  return g.gx * vdsim::cos(psi) + g.gy * vdsim::sin(psi);
}

void SpeedHolder::choose_gear(double wanted, double vx) {
  DriverMemory& m = memory_;
  if (m.mode == DriverMemory::fresh) {
    m.gear = vx < -kShiftSpeed || (vx < kShiftSpeed && wanted < 0) ? -1 : 1;
    m.speed = m.gear * vx;
    m.mode = DriverMemory::driving;
  }
  if (wanted * m.gear < 0 && m.gear * vx < kShiftSpeed) {  // slow enough to change direction
    m.gear = -m.gear;
    m.speed = m.gear * vx;
    m.pedal = m.disturbance = 0;
  }
}

void SpeedHolder::hold(double wanted, double rate, double done, DriverView view, Commands& now) {
  DriverMemory& m = memory_;
  choose_gear(wanted, view.vx);
  // From here on along the gear's direction. A target in the other one means: stop first.
  const double v = m.gear * view.vx, gravity = m.gear * view.gravity;
  const double target = std::max(0.0, m.gear * wanted);
  const double slope = target > 0 ? m.gear * rate : 0;
  now.throttle = now.brake = 0;
  now.gear = m.gear;
  if (wanted == 0 && slow_enough(m, std::abs(v))) {
    now.brake = stand_still(m, v, gain_.brake > 0 ? std::abs(gravity) / gain_.brake : 0, done);
    return;
  }
  m.mode = DriverMemory::driving;
  observe(m, v, gravity, done);
  const double ask = std::clamp(kGain * (target - v), -kLimit, kLimit) + slope - gravity - m.disturbance;
  const Pedals pedals = press(m, ask, v, gain_);
  now.throttle = pedals.throttle;
  now.brake = pedals.brake;
}

}  // namespace vdsim
