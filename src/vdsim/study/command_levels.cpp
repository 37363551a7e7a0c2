// SPDX-License-Identifier: Apache-2.0
#include "vdsim/study/command_levels.hpp"

#include <algorithm>
#include <cmath>

#include "vdsim/core/vehicle/compile.hpp"
#include "vdsim/engine/same_math.hpp"
#include "vdsim/engine/steady_tire.hpp"

namespace vdsim {
namespace {

constexpr double kYawLag = 0.15;   // after which a car follows its steer angle [s]
constexpr double kTrimRate = 0.8;  // how fast the steer angle is corrected [1/s]
constexpr double kPreview = 0.03;  // the curvature is read this far ahead of where the steady car needs it [s]
constexpr double kFollow = 0.4;    // share of the front axle's course that the wheels are turned with, from 15 m/s on
constexpr double kLead = 2;        // offset is measured this many radii of percussion ahead of the CG
constexpr double kMostAcross = 9;  // lateral acceleration a path asks for at most [m/s^2]

struct SteadyNumbers {
  double cornering, rolling;  // [N/rad], [-]
};
SteadyNumbers steady_numbers(const TireSpec& spec, double fz, double radius) {
  const SteadyTire tire(spec);
  const double small = 0.002;
  SteadyPoint p;
  p.fz = fz;
  p.alpha = small;
  const double right = tire(p)[1];
  p.alpha = -small;
  const double left = tire(p)[1];
  p.alpha = 0;
  double rolling = spec.rolling_resistance;
  if (spec.schema != TireSchema::pacejka_mf96_v1 || is_tir(spec)) rolling = std::abs(tire(p)[3]) / (fz * radius);
  return {(left - right) / (2 * small), rolling};
}

double rolling_force(const NominalCar& c, int i, const CommandView& view, double towards) {
  const double way = view.w[i] != 0 ? view.w[i] : towards;
  return c.rolling[i] * view.fz[i] * (way > 0 ? 1 : way < 0 ? -1 : 0);
}
double drag_force(const NominalCar& c, double vx) { return c.drag * vx * std::abs(vx); }
// What the steered wheels take along the car in a turn.
double turn_drag(const NominalCar& c, const CommandView& v) {
  return c.mass * c.b / c.wheelbase * v.vx * v.r * vdsim::sin(v.steer);
}

// Slip of the car in a steady turn, atan(vy/vx), per curvature: the rear axle runs at b k less its slip angle.
double drift_per_curvature(const NominalCar& c, double vx) {
  return c.b - c.mass * c.a * vx * std::abs(vx) / (c.wheelbase * c.cornering_rear);
}

}  // namespace

NominalCar nominal_car(const VehicleSpec& s) {
  const ChassisSpec& ch = s.chassis;
  NominalCar c{};
  c.mass = ch.mass;
  c.yaw_inertia = ch.inertia_diag[2];
  c.wheelbase = ch.wheelbase;
  c.a = ch.cg_to_front;
  c.b = ch.cg_to_rear;
  c.drag = 0.5 * kAirDensity * ch.frontal_area * ch.aero_drag_coeff;
  c.max_steer = s.steering.max_steer_angle_wheel;
  c.powertrain = s.powertrain.enabled;
  const AxleParams<double> axle[2] = {compile_axle(s, 0), compile_axle(s, 1)};
  c.max_drive = axle[0].drive + axle[1].drive;
  c.max_brake = 2 * (axle[0].brake + axle[1].brake);
  c.effective_mass = c.mass;
  double cornering[2] = {};
  for (int i = 0; i < 4; ++i) {
    const AxleParams<double>& p = axle[i / 2];
    const double fz = c.mass * kGravity * (i < 2 ? c.b : c.a) / c.wheelbase / 2;
    c.radius[i] = radius_of(s, i);
    c.inertia[i] = p.I;
    c.motor[i] = p.engine / 2;  // the wheels of an axle turn alike
    c.drive_share[i] = c.max_drive > 0 ? p.drive / 2 / c.max_drive : 0.25;
    c.brake_share[i] = c.max_brake > 0 ? p.brake / c.max_brake : 0.25;
    const SteadyNumbers n = steady_numbers(tire_of(s, i), fz, c.radius[i]);
    c.rolling[i] = n.rolling;
    cornering[i / 2] += n.cornering;
    c.effective_mass += (c.inertia[i] + c.motor[i]) / (c.radius[i] * c.radius[i]);
    c.gain.throttle += c.drive_share[i] * c.max_drive / c.radius[i];
    c.gain.brake += c.brake_share[i] * c.max_brake / c.radius[i];
  }
  c.gain.throttle /= c.effective_mass;
  c.gain.brake /= c.effective_mass;
  c.cornering_front = cornering[0];
  c.cornering_rear = cornering[1];
  c.understeer = c.mass / c.wheelbase * (c.b / cornering[0] - c.a / cornering[1]);
  return c;
}

WheelTorques axle_torques(double front, double rear) { return {{front / 2, front / 2, rear / 2, rear / 2}}; }

double force_for_acceleration(const NominalCar& c, double acceleration, const CommandView& v) {
  return c.mass * (acceleration - v.gravity - v.r * v.vy) + drag_force(c, v.vx) + turn_drag(c, v);
}

// Wheel i: I w' = T - R F - roll, with w' of a wheel that rolls with the car. Sum over F = force gives the sum of T/R.
ForceSplit split_force(const NominalCar& c, double force, const CommandView& v) {
  const double along = (force - drag_force(c, v.vx) - turn_drag(c, v)) / c.mass + v.gravity + v.r * v.vy;
  ForceSplit o{};
  double own[4], spin[4], all = 0,
                          sum = force;  // own: what each wheel takes for itself [N]; spin: its inertia as a mass [kg]
  for (int i = 0; i < 4; ++i) {
    // a driven wheel turns faster by its slip, and accelerates so
    const double roll = v.w[i] * c.radius[i], slip = std::abs(v.vx) > 1 ? std::clamp(roll / v.vx, 0.7, 1.4) : 1;
    spin[i] = (c.inertia[i] + (v.in_gear ? c.motor[i] : 0)) * slip / (c.radius[i] * c.radius[i]);
    own[i] = spin[i] * along + rolling_force(c, i, v, force);
    sum += own[i];
    all += spin[i];
  }
  const double* share = sum >= 0 ? c.drive_share : c.brake_share;
  double per_torque = 0;
  for (int i = 0; i < 4; ++i) per_torque += share[i] / c.radius[i];
  const double wanted = sum / per_torque, total = std::clamp(wanted, -c.max_brake, c.max_drive);
  o.limited = total != wanted;
  // With less torque the car accelerates less too, and its wheels take less.
  const double less = (wanted - total) * per_torque / (c.mass + all);  // [m/s^2]
  for (int i = 0; i < 4; ++i) {
    o.torque[i] = share[i] * total;
    o.force[i] = o.torque[i] / c.radius[i] - (own[i] - spin[i] * less);
  }
  return o;
}

// v' = pedal + known + d;  known: slope, drag, rolling resistance over the effective mass
Pedals hold_acceleration(const NominalCar& c, PedalMemory& m, double wanted, int gear, double done,
                         const CommandView& view) {
  const double v = gear * view.vx;
  double known = gear * (c.mass * (view.gravity + view.r * view.vy) - turn_drag(c, view)) - drag_force(c, v);
  for (int i = 0; i < 4; ++i) known -= gear * rolling_force(c, i, view, gear);
  known /= c.effective_mass;
  if (m.mode == PedalMemory::fresh) {
    m.speed = v;
    m.mode = PedalMemory::driving;
  }
  if (wanted <= 0 && slow_enough(m, v)) {
    const double needed = c.gain.brake > 0 ? std::abs(view.gravity) * c.mass / c.effective_mass / c.gain.brake : 0;
    return {0, stand_still(m, v, needed, done)};
  }
  m.mode = PedalMemory::driving;
  observe(m, v, known, done);
  return press(m, wanted - known - m.disturbance, v, c.gain);
}

// tan(steer) = L/R_rear with the rear axle on the radius sqrt(1/k^2 - b^2), and understeer times ay = k vx^2. In
// reverse the steered axle trails and understeer turns round.
double steer_for_curvature(const NominalCar& c, double curvature, double vx) {
  const double inside = std::max(1 - std::pow(c.b * curvature, 2), 1e-6);
  const double steer =
      vdsim::atan(c.wheelbase * curvature / std::sqrt(inside)) + c.understeer * curvature * vx * std::abs(vx);
  return std::clamp(steer, -c.max_steer, c.max_steer);
}

double hold_curvature(const NominalCar& c, CurvatureMemory& m, double curvature, double done, const CommandView& v) {
  const double plain = steer_for_curvature(c, curvature, v.vx);
  m.expected += (curvature - m.expected) * -std::expm1(-done / kYawLag);
  double follow = 0;
  if (v.vx > 5) {
    const double share = kFollow * std::min(1.0, (v.vx - 5) / 10);
    const double steady = (drift_per_curvature(c, v.vx) + c.a) * curvature;
    follow = share * std::clamp((v.vy + c.a * v.r) / v.vx - steady, -0.3, 0.3);
  }
  const double speed = std::abs(v.vx);
  if (speed > 2) {
    const double fade = std::min(1.0, (speed - 2) / 2), error = m.expected - v.r / v.vx;
    const double bound = 0.05 + 0.3 * std::abs(plain), before = m.trim;
    m.trim = std::clamp(m.trim + done * kTrimRate * fade * c.wheelbase * error, -bound, bound);
    if (std::abs(plain + m.trim) > c.max_steer && std::abs(m.trim) > std::abs(before)) m.trim = before;
  }
  return std::clamp(plain + follow + m.trim, -c.max_steer, c.max_steer);
}

// Over the distance s along the path, offset' = sin(course) and course' = k - k_path. With
// k = k_path - 2/D (offset' + offset/D) an error swings out with the length D/sqrt(2) and the damping ratio 0.7.
// Offset and its slope are taken at a point ahead of the CG, less what they are there in the steady turn: that is the
// lead which makes up for the yaw lag of the car.
PathDemand follow_path(const Path& path, const NominalCar& c, PathMemory& m, double lookahead, const CommandView& v) {
  m.station = m.found ? path.nearest(v.x, v.y, m.station) : path.nearest(v.x, v.y);
  m.found = 1;
  const PathPoint here = path.at(m.station);
  const double speed = vdsim::hypot(v.vx, v.vy), distance = std::max(lookahead, kPathTime * speed);
  PathDemand d{};
  d.offset = vdsim::cos(here.heading) * (v.y - here.y) - vdsim::sin(here.heading) * (v.x - here.x);
  // direction of travel; of a car that hardly moves: as its wheels would roll
  const double rolls = speed * speed / (speed * speed + 0.25), drift = vdsim::atan2(v.vy, std::max(v.vx, 1e-3));
  const double steady = drift_per_curvature(c, v.vx) * here.curvature;
  d.course = std::remainder(v.psi + rolls * drift + (1 - rolls) * steady - here.heading, 2 * std::acos(-1.0));
  d.left = path.closed() ? INFINITY : path.length() - m.station;
  // more than 90 degrees off: steer as hard as possible
  const double turn = std::abs(d.course) < std::acos(0.0) ? vdsim::sin(d.course) : std::copysign(1.0, d.course);
  const double lead = kLead * c.yaw_inertia / (c.mass * c.b), aside = vdsim::sin(v.psi - here.heading) + steady;
  const double offset = d.offset + lead * aside;
  // heading = direction of the path - drift_per_curvature k(s): the yaw rate over the speed is k(s) -
  // drift_per_curvature k'(s), the curvature of another place: behind, where the rear axle is, at low speed, ahead at
  // high speed
  const double apart = -drift_per_curvature(c, v.vx), yaw = path.at(m.station + apart).curvature;
  const double slope = turn + lead * rolls * (v.r / std::max(speed, 0.1) - yaw);
  const double ahead = path.at(m.station + apart + kPreview * speed).curvature;
  d.curvature = ahead - 2 / distance * (slope + std::clamp(offset / distance, -0.7, 0.7));
  const double most = kMostAcross / std::max(speed * speed, 1.0);
  d.curvature = std::clamp(d.curvature, -most, most);
  return d;
}

}  // namespace vdsim
