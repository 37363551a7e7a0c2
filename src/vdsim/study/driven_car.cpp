// SPDX-License-Identifier: Apache-2.0
#include "vdsim/study/driven_car.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "vdsim/core/road/road.hpp"
#include "vdsim/core/vehicle/state.hpp"
#include "vdsim/engine/reflect.hpp"
#include "vdsim/engine/same_math.hpp"

namespace vdsim {
namespace {

StartPose pose(const StartSpec& s) { return {s.x0, s.y0, s.yaw0, s.vx0, s.z0}; }

// How fast the hub of wheel i goes forward.
double hub_speed(const CarSpec& car, const SideMotion& side, int i) {
  const VehicleSpec& v = car.vehicle;
  const double share = front_drive_share(v.drivetrain);
  const bool driven = i < 2 ? share > 0 : share < 1;
  if (car.level == Level::L1 || (driven && v.drivetrain.differential == Differential::Locked)) return car.start.vx0;
  const double y = (i % 2 ? -0.5 : 0.5) * (i < 2 ? v.chassis.track_front : v.chassis.track_rear);
  return car.start.vx0 - side.r * y;
}

template <Level Lv>
void move(Car& car, const CarSpec& spec, const RoadSpec& road, Integrator integrator, const SideMotion& side) {
  State<double, Lv> s = car.motion<Lv>();
  s.vy = side.vy, s.r = side.r;
  for (int i = 0; i < kWheels<Lv>; ++i) {
    StartPose rolls = pose(spec.start);
    rolls.vx0 = hub_speed(spec, side, i);
    if (rolls.vx0 == spec.start.vx0) continue;
    const auto w = static_cast<std::size_t>(i);
    s.wheel[w].w = Car(spec.vehicle, road, Lv, integrator, rolls).motion<Lv>().wheel[w].w;
  }
  car.set_motion<Lv>(s);
}

void move(Car& car, const CarSpec& spec, const RoadSpec& road, Integrator integrator, const SideMotion& side) {
  switch (spec.level) {
    case Level::L1: return move<Level::L1>(car, spec, road, integrator, side);
    case Level::L2: return move<Level::L2>(car, spec, road, integrator, side);
    case Level::L3: return move<Level::L3>(car, spec, road, integrator, side);
    case Level::L5: return move<Level::L5>(car, spec, road, integrator, side);
  }
}

// The energy balance begins with the motion of now.
void begin_balance(Car& car) {
  const double kinetic = car.energy().kinetic;
  for (const FieldRef& member : car.state())
    if (std::string_view(member.name) == "balance")
      for (const FieldRef& field : member.block())
        if (std::string_view(field.name) == "kinetic0") field.number() = kinetic;
  car.state_changed();
}

}  // namespace

DrivenCar::DrivenCar(const CarSpec& car, const RoadSpec& road, Integrator integrator, const SideMotion& side)
    : road_(road),
      car_(car.vehicle, road, car.level, integrator, pose(car.start)),
      speed_(car.vehicle),
      nominal_car_(vdsim::nominal_car(car.vehicle)),
      path_points_(car.driver.path.points),
      path_closed_(car.driver.path_closed),
      lookahead_(car.driver.lookahead),
      human_(car.driver.human) {
  if (car.driver.path.given()) path_.emplace(car.driver.path.points, car.driver.path_closed);
  if (side.vy == 0 && side.r == 0) return;
  move(car_, car, road, integrator, side);
  begin_balance(car_);
}

void DrivenCar::drive(const Demand& wanted, double t, double done) {
  now_ = wanted.direct;
  set_speed_ = wanted.speed;
  if ((wanted.wheel_torques || !std::isnan(wanted.force)) && nominal_car_.powertrain) now_.gear = 0;
  if (!std::isnan(wanted.speed))
    speed_.hold(wanted.speed, wanted.speed_rate, done, {car_.vx(), slope_gravity(road_, car_.heading())}, now_);
  if (!std::isnan(wanted.force) || !std::isnan(wanted.acceleration) || wanted.holds_steer())
    climb_down(wanted, t, done);
}

// The command levels above the pedals and the steering angle.  docs/theory/16_commands.md
void DrivenCar::climb_down(const Demand& wanted, double t, double done) {
  const CarOutputs s = car_.glance(now_);
  CommandView view;
  view.t = t, view.vx = s.vx, view.vy = s.vy, view.r = s.r, view.psi = s.heading, view.x = s.x, view.y = s.y;
  view.gravity = slope_gravity(road_, s.heading), view.steer = s.steer, view.in_gear = now_.gear != 0;
  for (int i = 0; i < 4; ++i) {
    const WheelOutputs& w = s.wheel[s.wheels == 2 ? i / 2 : i];
    view.fz[i] = w.fz, view.w[i] = w.omega;
  }
  if (wanted.follow_path && human_.preview > 0) {
    now_.steer = preview_steer(*path_, nominal_car_, human_, preview_, done, view);
  } else if (wanted.holds_steer()) {
    double curvature = wanted.curvature;
    if (wanted.follow_path) curvature = follow_path(*path_, nominal_car_, path_memory_, lookahead_, view).curvature;
    now_.steer = hold_curvature(nominal_car_, curvature_, curvature, done, view);
  }
  if (!std::isnan(wanted.acceleration)) {
    const Pedals p =
        hold_acceleration(nominal_car_, acceleration_, wanted.acceleration, now_.gear < 0 ? -1 : 1, done, view);
    now_.throttle = p.throttle, now_.brake = p.brake;
  }
  if (!std::isnan(wanted.force)) {
    const ForceSplit f = split_force(nominal_car_, wanted.force, view);
    std::copy(f.torque, f.torque + 4, now_.torque.begin());
  }
}

bool DrivenCar::step(const Demand& next, double h) {
  Commands to = next.direct;
  if (next.holds_pedals()) to.throttle = now_.throttle, to.brake = now_.brake, to.gear = now_.gear;
  if (next.holds_steer()) to.steer = now_.steer;
  to.torque = now_.torque;
  ended_ = to;
  return car_.step(now_, to, h);
}

bool DrivenCar::step(const Commands& from, const Commands& to, double h) {
  if (!car_.step(from, to, h)) return false;
  now_ = to;
  set_speed_ = Demand::kUnsaid;
  return true;
}

void DrivenCar::change(const CarSpec& car, const RoadSpec& road, Integrator integrator) {
  const NominalCar nominal = vdsim::nominal_car(car.vehicle);
  SpeedHolder speed(car.vehicle);
  std::optional<Path> path;
  if (car.driver.path.given()) path.emplace(car.driver.path.points, car.driver.path_closed);
  car_.change({car.vehicle, road, car.level, integrator, {}}, now_);
  speed.memory() = speed_.memory();
  road_ = road, speed_ = speed, nominal_car_ = nominal;
  const bool other = path_points_ != car.driver.path.points || path_closed_ != car.driver.path_closed;
  if (other) path_memory_ = {}, preview_ = {};
  path_ = std::move(path);
  path_points_ = car.driver.path.points, path_closed_ = car.driver.path_closed;
  lookahead_ = car.driver.lookahead, human_ = car.driver.human;
}

CarOutputs DrivenCar::with_driver(CarOutputs o) const {
  if (!std::isnan(set_speed_)) o.speed_error = set_speed_ - o.vx;
  if (path_) {
    const PathPoint p = path_->at(human_.preview > 0 ? preview_.station : path_memory_.station);
    const double c = vdsim::cos(p.heading), s = vdsim::sin(p.heading);
    o.path_offset = (o.y - p.y) * c - (o.x - p.x) * s;
    o.path_course = std::remainder(o.heading + o.beta - p.heading, 2 * std::numbers::pi);
  }
  return o;
}

SensorTruth DrivenCar::truth(double at) const {
  const CarOutputs s = outputs();
  const PlaneGravity g = plane_gravity(road_);
  SensorTruth t{};
  t.t = at;
  const double v[3] = {s.vx, s.vy, s.vz}, a[3] = {s.ax, s.ay, s.az};
  // L1 to L3 give velocities in the heading frame, L5 in body axes
  const double c = vdsim::cos(s.psi), d = vdsim::sin(s.psi);
  const double heading[9] = {c, -d, 0, d, c, 0, 0, 0, 1};
  const double* frame = car_.level() == Level::L5 ? s.attitude : heading;
  for (int i = 0; i < 3; ++i) {
    t.p[i] = s.position[i];
    for (int k = 0; k < 3; ++k) t.v[i] += frame[3 * i + k] * v[k], t.a[i] += frame[3 * i + k] * a[k];
    t.alpha[i] = s.alpha[i];
  }
  std::copy(s.attitude, s.attitude + 9, t.R);
  t.w[0] = s.p, t.w[1] = s.q, t.w[2] = s.r;
  t.g[0] = g.gx, t.g[1] = g.gy, t.g[2] = -g.gn;
  t.wheels = s.wheels;
  for (int i = 0; i < s.wheels; ++i) t.wheel[i] = s.wheel[i].omega;
  t.steer = s.steer;
  return t;
}

// --- what persists
template <> StateList state_of_struct(PedalMemory& s) {
  return {state("speed", s.speed, "m/s", "estimated, along the gear's direction"),
          state("disturbance", s.disturbance, "m/s^2", "estimated"),
          state("pedal", s.pedal, "m/s^2", "last demand, as the acceleration it should give"),
          state("hold", s.hold, "-", "brake pedal while standing"),
          state("mode", s.mode, "", "fresh, driving, standing", between(0, 2))};
}
template <> StateList state_of_struct(DriverMemory& s) {
  StateList out = state_of_struct<PedalMemory>(s);
  out.push_back(state("gear", s.gear, "", "engaged", between(-1, 100)));
  return out;
}
template <> StateList state_of_struct(CurvatureMemory& s) {
  return {state("expected", s.expected, "1/m", "curvature the car should have by now"),
          state("trim", s.trim, "rad", "learnt correction of the steer angle")};
}
template <> StateList state_of_struct(PathMemory& s) {
  return {state("station", s.station, "m", "of the nearest point"), state("found", s.found, "", "0: look everywhere")};
}
template <> StateList state_of_struct(PreviewMemory& s) {
  return {state("started", s.started, "-", "0: look everywhere"),
          state("time", s.time, "s", "since the start"),
          state("station", s.station, "m", "of the nearest point"),
          state("trim", s.trim, "rad", "learnt correction of the steer angle"),
          state("demand", s.demand, "rad", "the newest"),
          state("past", s.past, "rad", "earlier demands, a ring"),
          state("kept", s.kept, "-", "number of the newest", Range{0, 1e15, false, false}),
          state("told", s.told, "rad", "input of the muscle lag"),
          state("muscle", s.muscle, "rad", "its state"),
          state("muscle_rate", s.muscle_rate, "rad/s", "its rate"),
          state("hand", s.hand, "rad", "angle given out last")};
}
StateList DrivenCar::state() {
  StateList out = car_.state();
  for (FieldRef& member : StateList{vdsim::state("speed", speed_.memory(), "", "speed controller"),
                                    vdsim::state("acceleration", acceleration_, "", "acceleration level"),
                                    vdsim::state("curvature", curvature_, "", "curvature level"),
                                    vdsim::state("path", path_memory_, "", "path level"),
                                    vdsim::state("preview", preview_, "", "preview driver"),
                                    vdsim::state("commands", now_, "", "in effect"),
                                    vdsim::state("set_speed", set_speed_, "m/s", "NaN: none")})
    out.push_back(member);
  return out;
}

}  // namespace vdsim
