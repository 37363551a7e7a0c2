// SPDX-License-Identifier: Apache-2.0
#include "vdsim/engine/car.hpp"

#include <cmath>
#include <stdexcept>

#include "vdsim/core/vehicle/state.hpp"
#include "vdsim/engine/errors.hpp"
#include "vdsim/engine/handover.hpp"
#include "vdsim/engine/level_car.hpp"
#include "vdsim/engine/reflect.hpp"
#include "vdsim/engine/step_limit.hpp"
#include "vdsim/engine/validate.hpp"

namespace vdsim {
namespace {

// Every fault at once; nothing is built after one.
void check(const VehicleSpec& spec, const RoadSpec& road, Level level, const StartPose& pose) {
  Faults all = validate(spec, level);
  for (const Faults& more : {validate(road), validate(pose)}) all.insert(all.end(), more.begin(), more.end());
  if (all.empty()) all = contradictions(spec, road, level);
  throw_if_any(all);
}

// Of a checked car.
std::unique_ptr<LevelCar> make(const VehicleSpec& spec, const RoadSpec& road, Level level, Integrator integrator,
                               const StartPose& pose) {
  switch (level) {
    case Level::L1: return make_level_car<Level::L1>(spec, road, integrator, pose);
    case Level::L2: return make_level_car<Level::L2>(spec, road, integrator, pose);
    case Level::L3: return make_level_car<Level::L3>(spec, road, integrator, pose);
    case Level::L5: return make_level_car<Level::L5>(spec, road, integrator, pose);
  }
  throw std::logic_error("a level without a car");
}

// Another level needs a car that is on its wheels.
void check_upright(const Handover& from, Level level) {
  const bool tilted = std::fmax(std::fabs(from.roll), std::fabs(from.pitch)) > 0.3,
             flies = from.load < 0.5 * from.weight;
  if (from.level != level && (tilted || flies))
    throw bad_value("level", std::string("cannot be changed while the car is ") +
                                 (tilted ? "tilted by more than 0.3 rad" : "in the air"));
}

}  // namespace

Car::Car(const VehicleSpec& spec, const RoadSpec& road, Level level, Integrator integrator, const StartPose& pose)
    : car_((check(spec, road, level, pose), make(spec, road, level, integrator, pose))),
      setup_(std::make_shared<const Setup>(Setup{spec, level, integrator})) {
  if (car_->no_balance)
    throw bad_value("x0", "the car finds no balance on the road at x0 = " + number_text(pose.x0) +
                              ", y0 = " + number_text(pose.y0) + ", yaw0 = " + number_text(pose.yaw0) +
                              ": start it elsewhere, or drop it (z0 above 0)");
}
Car::~Car() = default;
Car::Car(const Car& other) : car_(other.car_->clone()), setup_(other.setup_), checked_(other.checked_) {}
Car& Car::operator=(const Car& other) {
  if (this != &other) car_ = other.car_->clone(), setup_ = other.setup_, checked_ = other.checked_;
  return *this;
}
Car::Car(Car&&) noexcept = default;
Car& Car::operator=(Car&&) noexcept = default;

bool Car::step(const Commands& from, const Commands& to, double dt) {
  throw_if_any(validate(from));
  throw_if_any(validate(to));
  if (!(dt > 0 && dt <= checked_ * (1 + 1e-9))) {
    const std::string fault = step_fault(setup_->vehicle, setup_->level, setup_->integrator, dt, false);
    if (!fault.empty()) throw bad_value("dt", fault);
    checked_ = dt;
  }
  return car_->step(from, to, dt);
}
const char* Car::why() const { return car_->why; }
ForceJump Car::change(const CarSetup& to, const Commands& now) {
  throw_if_any(validate(now));
  check(to.vehicle, to.road, to.level, StartPose{});
  const Handover from = car_->hand_over(now);
  check_upright(from, to.level);
  auto next = make(to.vehicle, to.road, to.level, to.integrator, {from.x, from.y, from.psi, from.vx, 0});
  const ForceJump jump = next->take_over(from, now);
  next->evaluations += car_->evaluations;
  car_ = std::move(next);
  setup_ = std::make_shared<const Setup>(Setup{to.vehicle, to.level, to.integrator});
  checked_ = 0;
  return jump;
}
const CarOutputs& Car::outputs(const Commands& now) const { return car_->outputs(now); }
CarOutputs Car::glance(const Commands& now) const { return car_->glance(now); }
EnergyBalance Car::energy() const { return car_->energy(); }
double Car::vx() const { return car_->vx(); }
double Car::heading() const { return car_->heading(); }
double Car::time() const { return car_->time(); }
long Car::steps() const { return car_->steps(); }
long Car::evaluations() const { return car_->evaluations; }
Level Car::level() const { return car_->level(); }
int Car::wheels() const { return level() == Level::L1 ? 2 : 4; }

template <Level Lv> const State<double, Lv>& Car::motion() const {
  if (level() != Lv) throw std::logic_error("a state of another level");
  return *static_cast<const State<double, Lv>*>(car_->motion());
}
template <Level Lv> void Car::set_motion(const State<double, Lv>& s) {
  if (level() != Lv) throw std::logic_error("a state of another level");
  *static_cast<State<double, Lv>*>(car_->motion()) = s;
  car_->state_changed();
}
#define VD_MOTION(Lv)                                        \
  template const State<double, Lv>& Car::motion<Lv>() const; \
  template void Car::set_motion<Lv>(const State<double, Lv>&);
VD_MOTION(Level::L1)
VD_MOTION(Level::L2)
VD_MOTION(Level::L3)
VD_MOTION(Level::L5)
#undef VD_MOTION

std::vector<FieldRef> Car::state() { return car_->state(); }
void Car::state_changed() { car_->state_changed(); }
std::uint64_t Car::model_hash() const { return car_->model_hash(); }
std::vector<std::byte> Car::snapshot() const { return save(car_->state(), model_hash()); }
bool Car::restore(std::span<const std::byte> bytes) {
  if (!vdsim::restore(car_->state(), model_hash(), bytes)) return false;
  car_->state_changed();
  return true;
}

}  // namespace vdsim
