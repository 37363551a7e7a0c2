#include <cmath>
#include <cstring>

#include "io/hash.hpp"
#include "sim/run.hpp"
#include "vdsim/road/road.hpp"

namespace vdsim {
namespace {

// Everything a CarRun remembers besides the car itself. Doubles only: no padding, so equal runs give equal bytes.
struct RunMemory {
  double magic = 0x5644'5349'4D02;  // "VDSIM", layout 2
  double step, speed, disturbance, pedal, hold, gear, mode;
  double steer, throttle, brake, handbrake, gear_now, torque[4];
  double ladder[4], ladder_mode, expected, trim, station, found;
  double sensor_bytes;
};

long step_count(double duration, double dt) { return std::max(1L, static_cast<long>(std::ceil(duration / dt - 1e-9))); }

StartPose pose(const StartSpec& s) { return {s.x0, s.y0, s.yaw0, s.vx0, s.z0}; }

}  // namespace

CarRun::CarRun(const Scenario& scene, const CarSpec& car)
    : terrain_(scene.terrain),
      road_(scene.road),
      dt_(scene.solver.dt),
      duration_(scene.timing.duration),
      steps_(step_count(duration_, dt_)),
      simulation_(car.vehicle, scene.road, car.level, scene.solver.integrator, pose(car.start)),
      driver_(car.driver, car.vehicle),
      sensors_(car.vehicle.sensors, fnv1a(car.id)),
      spec_(car.driver),
      ladder_car_(ladder_car(car.vehicle)) {
  if (spec_.path.given()) path_.emplace(spec_.path.points, spec_.path_closed);
  drive(0);
  measure();
}

void CarRun::drive(double done) {
  now_ = driver_.table_commands(time());
  // torque at the wheels: the engine stays out of it
  const bool torques = spec_.force.given() || spec_.torque_front.given() || spec_.torque_rear.given() ||
                       spec_.torque_fl.given() || spec_.torque_fr.given() || spec_.torque_rl.given() ||
                       spec_.torque_rr.given();
  if (torques && ladder_car_.powertrain) now_.gear = 0;
  if (driver_.holds_speed())
    driver_.hold_speed(time(), done, {simulation_.vx(), slope_gravity(road_, simulation_.psi())}, now_);
  if (spec_.force.given() || spec_.acceleration.given() || spec_.curvature.given() || spec_.path.given())
    drive_by_ladder(done);
  const auto torque = [&](const Table& t) { return table_at(t, time()); };
  if (spec_.torque_front.given() || spec_.torque_rear.given()) {
    const WheelTorques w = axle_torques(torque(spec_.torque_front), torque(spec_.torque_rear));
    std::copy(w.torque, w.torque + 4, now_.torque.begin());
  }
  const Table* wheels[4] = {&spec_.torque_fl, &spec_.torque_fr, &spec_.torque_rl, &spec_.torque_rr};
  for (std::size_t i = 0; i < 4; ++i)
    if (wheels[i]->given()) now_.torque[i] = torque(*wheels[i]);
}

// The rungs above the pedals and the steering angle.  docs/theory/16_commands.md
void CarRun::drive_by_ladder(double done) {
  const Sample s = simulation_.sample(now_);
  LadderView view;
  view.t = time(), view.vx = s.vx, view.vy = s.vy, view.r = s.r, view.psi = s.psi, view.x = s.x, view.y = s.y;
  view.ax = s.ax, view.gravity = slope_gravity(road_, s.psi), view.steer = s.steer, view.in_gear = now_.gear != 0;
  for (int i = 0; i < 4; ++i) {
    const WheelSample& w = s.wheel[s.wheels == 2 ? i / 2 : i];
    view.fz[i] = w.fz, view.w[i] = w.omega;
  }
  if (spec_.curvature.given() || path_) {
    double curvature = table_at(spec_.curvature, time());
    if (path_) curvature = follow_path(*path_, ladder_car_, ladder_.path, spec_.lookahead, view).curvature;
    now_.steer = hold_curvature(ladder_car_, ladder_.curvature, curvature, done, view);
  }
  if (spec_.acceleration.given()) {
    const Pedals p = hold_acceleration(ladder_car_, ladder_.acceleration, table_at(spec_.acceleration, time()),
                                       now_.gear < 0 ? -1 : 1, done, view);
    now_.throttle = p.throttle, now_.brake = p.brake;
  }
  if (spec_.force.given()) {
    const ForceSplit f = split_force(ladder_car_, table_at(spec_.force, time()), view);
    std::copy(f.torque, f.torque + 4, now_.torque.begin());
  }
}

void CarRun::measure() {
  if (!sensors_.spec().enabled) return;
  const Sample s = simulation_.sample(now_);
  const PlaneGravity g = plane_gravity(road_);
  SensorTruth t{};
  t.t = time();
  const double v[3] = {s.vx, s.vy, s.vz}, a[3] = {s.ax, s.ay, s.az};
  // L1 to L3 give velocities in the heading frame, L5 in body axes
  const double c = std::cos(s.psi), d = std::sin(s.psi);
  const double heading[9] = {c, -d, 0, d, c, 0, 0, 0, 1};
  const double* frame = simulation_.level() == Level::L5 ? s.attitude : heading;
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
  sensors_.update(t);
}

bool CarRun::step() {
  Commands next = driver_.table_commands(time_at(step_ + 1));
  if (driver_.holds_speed() || spec_.acceleration.given()) {
    next.throttle = now_.throttle;
    next.brake = now_.brake;
    next.gear = now_.gear;
  }
  if (spec_.curvature.given() || path_) next.steer = now_.steer;
  next.torque = now_.torque;
  // Only a shortened last step differs from dt: k dt rounds, and a step must not depend on its number.
  double h = dt_;
  if (step_ + 1 == steps_ && std::abs(static_cast<double>(steps_) * dt_ - duration_) > 1e-9 * dt_)
    h = duration_ - time();
  if (!simulation_.step(now_, next, h)) return false;
  ++step_;
  drive(h);
  measure();
  return true;
}

Sample CarRun::sample() const {
  Sample out = simulation_.sample(now_);
  out.t = time();
  return out;
}

std::vector<std::byte> CarRun::snapshot() const {
  const DriverMemory& d = driver_.memory();
  RunMemory memory{};
  memory.step = static_cast<double>(step_);
  memory.speed = d.speed, memory.disturbance = d.disturbance, memory.pedal = d.pedal, memory.hold = d.hold;
  memory.gear = d.gear, memory.mode = d.mode;
  memory.steer = now_.steer, memory.throttle = now_.throttle, memory.brake = now_.brake,
  memory.handbrake = now_.handbrake;
  memory.gear_now = now_.gear;
  std::copy(now_.torque.begin(), now_.torque.end(), memory.torque);
  const PedalMemory& a = ladder_.acceleration;
  memory.ladder[0] = a.speed, memory.ladder[1] = a.disturbance, memory.ladder[2] = a.pedal, memory.ladder[3] = a.hold;
  memory.ladder_mode = a.mode;
  memory.expected = ladder_.curvature.expected, memory.trim = ladder_.curvature.trim;
  memory.station = ladder_.path.station, memory.found = ladder_.path.found;
  const std::vector<std::byte> car = simulation_.snapshot(), sensors = sensors_.snapshot();
  memory.sensor_bytes = static_cast<double>(sensors.size());
  std::vector<std::byte> out(sizeof memory);
  std::memcpy(out.data(), &memory, sizeof memory);
  out.insert(out.end(), sensors.begin(), sensors.end());
  out.insert(out.end(), car.begin(), car.end());
  return out;
}

bool CarRun::restore(std::span<const std::byte> bytes) {
  RunMemory memory{};
  if (bytes.size() < sizeof memory) return false;
  std::memcpy(&memory, bytes.data(), sizeof memory);
  if (memory.magic != RunMemory{}.magic || !(memory.step >= 0 && memory.step <= static_cast<double>(steps_)))
    return false;
  const std::size_t left = bytes.size() - sizeof memory;
  if (!(memory.sensor_bytes >= 0 && memory.sensor_bytes <= static_cast<double>(left))) return false;
  const std::size_t sensors = static_cast<std::size_t>(memory.sensor_bytes);
  const std::vector<std::byte> before = sensors_.snapshot();
  if (!sensors_.restore(bytes.subspan(sizeof memory, sensors))) return false;
  if (!simulation_.restore(bytes.subspan(sizeof memory + sensors))) {
    sensors_.restore(before);
    return false;
  }
  DriverMemory d;
  d.speed = memory.speed, d.disturbance = memory.disturbance, d.pedal = memory.pedal, d.hold = memory.hold;
  d.mode = static_cast<DriverMemory::Mode>(static_cast<int>(memory.mode));
  d.gear = static_cast<int>(memory.gear);
  driver_.set_memory(d);
  now_ = {memory.steer, memory.throttle, memory.brake, memory.handbrake, static_cast<int>(memory.gear_now), {}};
  std::copy(memory.torque, memory.torque + 4, now_.torque.begin());
  PedalMemory& a = ladder_.acceleration;
  a.speed = memory.ladder[0], a.disturbance = memory.ladder[1], a.pedal = memory.ladder[2], a.hold = memory.ladder[3];
  a.mode = static_cast<PedalMemory::Mode>(static_cast<int>(memory.ladder_mode));
  ladder_.curvature.expected = memory.expected, ladder_.curvature.trim = memory.trim;
  ladder_.path.station = memory.station, ladder_.path.found = static_cast<int>(memory.found);
  step_ = static_cast<long>(memory.step);
  return true;
}

}  // namespace vdsim
