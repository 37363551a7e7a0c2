#include <cmath>
#include <cstring>

#include "sim/run.hpp"

namespace vdsim {
namespace {

// Everything a CarRun remembers besides the car itself. Doubles only: no padding, so equal runs give equal bytes.
struct RunMemory {
  double magic = 0x5644'5349'4D01;  // "VDSIM", layout 1
  double step, speed, disturbance, pedal, hold, gear, mode;
  double steer, throttle, brake, handbrake, gear_now;
};

long step_count(double duration, double dt) { return std::max(1L, static_cast<long>(std::ceil(duration / dt - 1e-9))); }

StartPose pose(const StartSpec& s) { return {s.x0, s.y0, s.yaw0, s.vx0}; }

}  // namespace

CarRun::CarRun(const Scenario& scene, const CarSpec& car)
    : road_(scene.road),
      dt_(scene.solver.dt),
      duration_(scene.timing.duration),
      steps_(step_count(duration_, dt_)),
      simulation_(car.vehicle, scene.road, car.level, scene.solver.integrator, pose(car.start)),
      driver_(car.driver, car.vehicle) {
  drive(0);
}

void CarRun::drive(double done) {
  now_ = driver_.table_commands(time());
  if (!driver_.holds_speed()) return;
  driver_.hold_speed(time(), done, {simulation_.vx(), slope_gravity(road_, simulation_.psi())}, now_);
}

bool CarRun::step() {
  Commands next = driver_.table_commands(time_at(step_ + 1));
  if (driver_.holds_speed()) {
    next.throttle = now_.throttle;
    next.brake = now_.brake;
    next.gear = now_.gear;
  }
  // Only a shortened last step differs from dt: k dt rounds, and a step must not depend on its number.
  double h = dt_;
  if (step_ + 1 == steps_ && std::abs(static_cast<double>(steps_) * dt_ - duration_) > 1e-9 * dt_)
    h = duration_ - time();
  if (!simulation_.step(now_, next, h)) return false;
  ++step_;
  drive(h);
  return true;
}

Sample CarRun::sample() const {
  Sample out = simulation_.sample(now_);
  out.t = time();
  return out;
}

std::vector<std::byte> CarRun::snapshot() const {
  const DriverMemory& d = driver_.memory();
  RunMemory memory;
  memory.step = static_cast<double>(step_);
  memory.speed = d.speed, memory.disturbance = d.disturbance, memory.pedal = d.pedal, memory.hold = d.hold;
  memory.gear = d.gear, memory.mode = d.mode;
  memory.steer = now_.steer, memory.throttle = now_.throttle, memory.brake = now_.brake,
  memory.handbrake = now_.handbrake;
  memory.gear_now = now_.gear;
  std::vector<std::byte> out(sizeof memory);
  std::memcpy(out.data(), &memory, sizeof memory);
  const std::vector<std::byte> car = simulation_.snapshot();
  out.insert(out.end(), car.begin(), car.end());
  return out;
}

bool CarRun::restore(std::span<const std::byte> bytes) {
  RunMemory memory;
  const double magic = memory.magic;
  if (bytes.size() < sizeof memory) return false;
  std::memcpy(&memory, bytes.data(), sizeof memory);
  if (memory.magic != magic || !(memory.step >= 0 && memory.step <= static_cast<double>(steps_))) return false;
  if (!simulation_.restore(bytes.subspan(sizeof memory))) return false;
  DriverMemory d{memory.speed,       memory.disturbance, memory.pedal, memory.hold, static_cast<int>(memory.gear),
                 DriverMemory::fresh};
  d.mode = static_cast<DriverMemory::Mode>(static_cast<int>(memory.mode));
  driver_.set_memory(d);
  now_ = {memory.steer, memory.throttle, memory.brake, memory.handbrake, static_cast<int>(memory.gear_now)};
  step_ = static_cast<long>(memory.step);
  return true;
}

}  // namespace vdsim
