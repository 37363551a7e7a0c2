#include "vdsim/study/driven_car.hpp"

#include <cstring>

#include "vdsim/engine/bytes.hpp"

namespace vdsim {
namespace {

// What the drivers remember and command. Doubles only: no padding, so equal runs give equal bytes.
struct DriverBytes {
  double magic = 0x5644'5349'4D04;  // "VDSIM", layout 4
  double speed[4], speed_mode, speed_gear;
  double acceleration[4], acceleration_mode;
  double expected, trim, station, found;
  double steer, throttle, brake, handbrake, gear, torque[4];
};

void pack(const PedalMemory& m, double (&out)[4], double& mode) {
  out[0] = m.speed, out[1] = m.disturbance, out[2] = m.pedal, out[3] = m.hold;
  mode = m.mode;
}
void unpack(const double (&in)[4], double mode, PedalMemory& m) {
  m.speed = in[0], m.disturbance = in[1], m.pedal = in[2], m.hold = in[3];
  m.mode = static_cast<PedalMemory::Mode>(static_cast<int>(mode));
}

StartPose pose(const StartSpec& s) { return {s.x0, s.y0, s.yaw0, s.vx0, s.z0}; }

double said(const Table& table, double t) { return table.given() ? table_at(table, t) : Demand::kUnsaid; }

}  // namespace

Demand demand_at(const DriverSpec& d, double t) {
  Demand out;
  Commands& now = out.direct;
  now.steer = table_at(d.steer, t);
  now.throttle = table_at(d.throttle, t);
  now.brake = table_at(d.brake, t);
  now.handbrake = table_at(d.handbrake, t);
  now.gear = static_cast<int>(table_held_at(d.gear, t, 1));
  out.speed = said(d.speed, t), out.speed_rate = table_slope(d.speed, t);
  out.acceleration = said(d.acceleration, t);
  out.force = said(d.force, t);
  out.curvature = said(d.curvature, t);
  out.follow_path = d.path.given();
  if (d.torque_front.given() || d.torque_rear.given()) {
    const WheelTorques w = axle_torques(table_at(d.torque_front, t), table_at(d.torque_rear, t));
    std::copy(w.torque, w.torque + 4, now.torque.begin());
    out.wheel_torques = true;
  }
  const Table* wheels[4] = {&d.torque_fl, &d.torque_fr, &d.torque_rl, &d.torque_rr};
  for (std::size_t i = 0; i < 4; ++i)
    if (wheels[i]->given()) now.torque[i] = table_at(*wheels[i], t), out.wheel_torques = true;
  return out;
}

DrivenCar::DrivenCar(const CarSpec& car, const RoadSpec& road, Integrator integrator)
    : road_(road),
      simulation_(car.vehicle, road, car.level, integrator, pose(car.start)),
      speed_(car.vehicle),
      nominal_car_(vdsim::nominal_car(car.vehicle)),
      lookahead_(car.driver.lookahead),
      human_(car.driver.human) {
  if (car.driver.path.given()) path_.emplace(car.driver.path.points, car.driver.path_closed);
}

void DrivenCar::drive(const Demand& wanted, double t, double done) {
  now_ = wanted.direct;
  if ((wanted.wheel_torques || !std::isnan(wanted.force)) && nominal_car_.powertrain) now_.gear = 0;
  if (!std::isnan(wanted.speed))
    speed_.hold(wanted.speed, wanted.speed_rate, done, {simulation_.vx(), slope_gravity(road_, simulation_.psi())},
                now_);
  if (!std::isnan(wanted.force) || !std::isnan(wanted.acceleration) || wanted.holds_steer())
    climb_down(wanted, t, done);
}

// The command levels above the pedals and the steering angle.  docs/theory/16_commands.md
void DrivenCar::climb_down(const Demand& wanted, double t, double done) {
  const CarOutputs s = simulation_.sample(now_);
  CommandView view;
  view.t = t, view.vx = s.vx, view.vy = s.vy, view.r = s.r, view.psi = s.psi, view.x = s.x, view.y = s.y;
  view.ax = s.ax, view.gravity = slope_gravity(road_, s.psi), view.steer = s.steer, view.in_gear = now_.gear != 0;
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
  return simulation_.step(now_, to, h);
}

std::vector<std::byte> DrivenCar::snapshot() const {
  DriverBytes d{};
  pack(speed_.memory(), d.speed, d.speed_mode);
  d.speed_gear = speed_.memory().gear;
  pack(acceleration_, d.acceleration, d.acceleration_mode);
  d.expected = curvature_.expected, d.trim = curvature_.trim;
  d.station = path_memory_.station, d.found = path_memory_.found;
  d.steer = now_.steer, d.throttle = now_.throttle, d.brake = now_.brake, d.handbrake = now_.handbrake;
  d.gear = now_.gear;
  std::copy(now_.torque.begin(), now_.torque.end(), d.torque);
  return joined({bytes_of(d), bytes_of(preview_), simulation_.snapshot()});
}

bool DrivenCar::restore(std::span<const std::byte> bytes) {
  DriverBytes d{};
  if (bytes.size() < sizeof d + sizeof preview_) return false;
  std::memcpy(&d, bytes.data(), sizeof d);
  if (d.magic != DriverBytes{}.magic || !simulation_.restore(bytes.subspan(sizeof d + sizeof preview_))) return false;
  std::memcpy(&preview_, bytes.data() + sizeof d, sizeof preview_);
  DriverMemory speed;
  unpack(d.speed, d.speed_mode, speed);
  speed.gear = static_cast<int>(d.speed_gear);
  speed_.set_memory(speed);
  unpack(d.acceleration, d.acceleration_mode, acceleration_);
  curvature_.expected = d.expected, curvature_.trim = d.trim;
  path_memory_.station = d.station, path_memory_.found = static_cast<int>(d.found);
  now_ = {d.steer, d.throttle, d.brake, d.handbrake, static_cast<int>(d.gear), {}};
  std::copy(d.torque, d.torque + 4, now_.torque.begin());
  return true;
}

}  // namespace vdsim
