// SPDX-License-Identifier: Apache-2.0
// Body of car_l1.cpp ... car_l5.cpp: one step of one car, and its signals. Each compiles one level.
#pragma once
#include <cmath>
#include <cstring>
#include <numbers>

#include "vdsim/engine/accelerometer.hpp"
#include "vdsim/engine/batch/kernels_impl.hpp"
#include "vdsim/engine/car_model.hpp"
#include "vdsim/engine/car_outputs.hpp"
#include "vdsim/engine/change.hpp"
#include "vdsim/engine/continuous_of.hpp"
#include "vdsim/engine/energy.hpp"
#include "vdsim/engine/hold_at_rest.hpp"
#include "vdsim/engine/level_car.hpp"

namespace vdsim {

template <Level Lv> class LevelCarOf final : public LevelCar {
 public:
  LevelCarOf(const VehicleSpec& spec, const RoadSpec& road, Integrator integrator, const StartPose& pose)
      : model_(make_car_model<Lv>(spec, road, integrator)), state_(start_state(*model_, spec, pose)) {
    patch_before_ = state_.patch;
    begin_balance(model_->model, state_);
    resting_ = rests(model_->model, pose);
    if constexpr (kSprung<Lv>) no_balance = !(pose.z0 > 0) && !(rest_left(model_->model, state_.motion) < kRestLeft);
  }

  std::unique_ptr<LevelCar> clone() const override { return std::make_unique<LevelCarOf>(*this); }
  double vx() const override { return state_.motion.vx; }
  double heading() const override { return heading_of(model_->model, state_.motion); }
  double time() const override { return state_.clock.time; }
  long steps() const override { return static_cast<long>(state_.clock.steps); }
  Level level() const override { return Lv; }
  void* motion() override { return &state_.motion; }
  void* whole() override { return &state_; }
  StateList state() override { return state_list(state_); }
  void state_changed() override { evaluated_ = stepped_ = watched_ = resting_ = false; }
  void wait_on_slope() override { resting_ = true; }
  std::uint64_t model_hash() const override { return model_->hash; }

  EnergyBalance energy() const override {
    const BalanceState& b = state_.balance;
    Energy e = energy_of(model_->model, state_.motion, b.engine, state_.last.steer);
    e.stored += patch_energy(state_.patch, Model<double, Lv>::count);
    const Power<double>& w = b.work;
    return {e.kinetic, e.stored, b.kinetic0, b.stored0, w.drive,   w.gravity,  w.brake,   w.rolling,      w.drag,
            w.contact, w.steer,  w.hold,     w.damper,  e.springs, b.springs0, b.changed, b.changed_tires};
  }

  const CarOutputs& outputs(const Commands& now) override {
    if (evaluated_ && now == now_) return outputs_;
    evaluate(now);
    outputs_ = car_outputs(*model_, state_, evaluation_, now);
    return outputs_;
  }
  CarOutputs glance(const Commands& now) override {
    if (state_.clock.steps == 0 || !stepped_) return outputs(now);
    return car_outputs(*model_, state_, evaluation_, now);
  }

  bool step(const Commands& from, const Commands& to, double dt) override;

  Handover hand_over(const Commands& now) override {
    if (!evaluated_ || !(now == now_)) evaluate(now), evaluated_ = false;  // the outputs are not made
    return vdsim::hand_over(*model_, state_, evaluation_);
  }
  ForceJump take_over(const Handover& from, const Commands& now) override;

  std::vector<ContinuousState> continuous_states() const override { return vdsim::continuous_states(model_->model); }
  std::size_t indicator_count() const override { return std::size_t(kWheels<Lv> + clutch_count(model_->model)); }
  void get_continuous(std::span<double> y) const override;
  void set_continuous(std::span<const double> y) override;
  void continuous_rates(const Commands&, std::span<double>) override;
  void indicators(const Commands&, std::span<double>) override;
  bool accept(const Commands&) override;
  bool settle(const Commands&) override;
  EquationsNow equations(const Commands& now) override {
    outputs(now);
    return {model_.get(), &state_, &evaluation_};
  }

 private:
  void evaluate(const Commands& now);
  void hold(const Commands& now);
  bool balanced();
  bool stands(const State<double, Lv>& next);
  void couple_engine(const double engine[2]);
  void book_turn(const Orders<double>& u, double dt, const State<double, Lv>& next, Power<double>& p);

  std::shared_ptr<const CarModel<Lv>> model_;
  CarState<Lv> state_;
  std::vector<PatchTire<double>> patch_before_;  // the step, for one that diverges: it changes nothing
  bool evaluated_ = false;                       // evaluation_ and outputs_ are of this state with the commands now_,
  bool stepped_ = false;                         // or evaluation_ is the last one of the step before
  bool resting_ = false;                         // not moved yet, on a slope
  bool watched_ = true;          // the balance began with this state; not so after a state from elsewhere,
  double accepted_heading_ = 0;  // of the last step that an integrator outside has made [rad]
  double unexplained_ = 0;       // which brings this residual along [J]
  Commands now_;
  Evaluation<double, Lv> evaluation_;
  CarOutputs outputs_{};
};

// On a slope, before the first step: the tires hold the car as far as these commands let them.
template <Level Lv> void LevelCarOf<Lv>::hold(const Commands& now) {
  const long asked = evaluations;
  resting_ = false;
  for (WheelState<double>& w : state_.motion.wheel) w.zx = w.zy = 0;
  hold_at_rest(model_->model, state_, [&]() -> const Evaluation<double, Lv>& {
    evaluate(now);
    return evaluation_;
  });
  state_.balance.stored0 = energy().stored;
  evaluations = asked;
  evaluated_ = false;
  resting_ = true;
}

// The equations of motion at this instant. An equipped car: what its equipment gave last; before the first step, what it will.
template <Level Lv> void LevelCarOf<Lv>::evaluate(const Commands& now) {
  if (resting_) hold(now);
  const Model<double, Lv>& m = model_->model;
  const PatchTire<double>* patch = state_.patch.empty() ? nullptr : state_.patch.data();
  Inputs<double> u0 = inputs(now), u1 = u0;
  Stage<double, Lv>& g = evaluation_.stage;
  g = make_stage(m, u0, 0.0, patch);
  if (state_.last.equipped) {
    Actuation<double> act[3]{state_.last.act};
    if (state_.clock.steps == 0) {  // its state stays
      EquipmentState<double> equipment = state_.equipment;
      auto actuator = state_.actuator;
      const UnitParams& units = model_->units;
      actuate(units, units, view_of(*model_, state_), u0, u1, 1e-6, equipment, actuator, act);
    }
    g = equipped_stage(m, u0, act[0], patch, 0.0);
  }
  point_wheels(m, state_.motion, g);
  if (keeps_mode) read_mode(mode, evaluation_.grip);
  deriv(m, state_.motion, g, !keeps_mode, evaluation_.grip, evaluation_.outputs, evaluation_.rates);
  ++evaluations;
  now_ = now;
  evaluated_ = true;
}

// Coupling or freeing an engine adds or removes its energy.
template <Level Lv> void LevelCarOf<Lv>::couple_engine(const double engine[2]) {
  BalanceState& b = state_.balance;
  if (engine[0] == b.engine[0] && engine[1] == b.engine[1]) return;
  const Model<double, Lv>& m = model_->model;
  b.changed += energy_of(m, state_.motion, engine, state_.last.steer).kinetic -
               energy_of(m, state_.motion, b.engine, state_.last.steer).kinetic;
  for (int a = 0; a < 2; ++a) b.engine[a] = engine[a];
}

// [T02.16]  Steering that jumps is booked with the moments at the end of the step.
template <Level Lv>
void LevelCarOf<Lv>::book_turn(const Orders<double>& u, double dt, const State<double, Lv>& next, Power<double>& p) {
  const Model<double, Lv>& m = model_->model;
  Stage<double, Lv> g = stage_at(m, u, 2, dt, 0.0);
  if (m.kind.rack || !(std::abs(g.angle[0].rate) * dt > kJump)) return;
  Evaluation<double, Lv> end;
  deriv(m, next, g, true, end.grip, end.outputs, end.rates);
  ++evaluations;
  const double later = end.rates.power.steer - p.steer;
  p.steer += later;
  p.contact += later;
}

template <Level Lv> ForceJump LevelCarOf<Lv>::take_over(const Handover& from, const Commands& now) {
  resting_ = false;
  const auto look = [&]() -> const Evaluation<double, Lv>& {
    evaluate(now);
    return evaluation_;
  };
  const double command[kActuators] = {now.steer, now.throttle, now.brake};
  vdsim::take_over(*model_, from, command, state_, look);
  const ForceJump jump = force_jump(from, look());
  state_changed();
  return jump;
}

// [T02.14]  Every 64 steps: a residual that is not small against what went through the balance is divergence.
template <Level Lv> bool LevelCarOf<Lv>::balanced() {
  if (state_.clock.steps % 64 != 0) return true;
  const EnergyBalance e = energy();
  if (!watched_) unexplained_ = e.residual(), watched_ = true;
  const bool ok = std::abs(e.residual() - unexplained_) <= 0.1 * e.turned() + model_->model.p.m;
  if (!ok) why = "the energy balance has a residual of more than a tenth of what went through it: the step is too long";
  return ok;
}
// Of the state after a step.
template <Level Lv> bool LevelCarOf<Lv>::stands(const State<double, Lv>& next) {
  if (!finite(next)) {
    why = "a number is not finite";
    return false;
  }
  if constexpr (kSprung<Lv>)
    for (int i = 0; i < 4; ++i)
      if (evaluation_.outputs.corner[i].in > model_->model.p.corner[i].R0) {
        why = "a tire is pressed in by more than its radius: no law holds there";
        return false;
      }
  return true;
}

template <Level Lv> bool LevelCarOf<Lv>::step(const Commands& from, const Commands& to, double dt) {
  if (resting_ && !(evaluated_ && now_ == from)) hold(from);
  resting_ = false;
  if (!balanced()) return false;
  const Model<double, Lv>& m = model_->model;
  // a plain car takes no wheel torques: for this step it counts as equipped, with nothing fitted
  const bool torques = from.torque != to.torque || from.torque != std::array<double, 4>{},
             equipped = model_->units.any || torques;
  for (std::size_t i = 0; i < patch_before_.size(); ++i) patch_before_[i].memory = state_.patch[i].memory;
  Inputs<double> u0 = inputs(from), u1 = inputs(to);
  Actuation<double> act[3];
  EquipmentState<double> equipment = state_.equipment;
  auto actuator = state_.actuator;
  const UnitParams& units = model_->units;
  if (equipped) actuate(units, units, view_of(*model_, state_), u0, u1, dt, equipment, actuator, act);
  State<double, Lv> next = state_.motion;
  const bool rk4 = model_->integrator == Integrator::rk4;
  evaluation_.at_start =
      evaluated_ && rk4 && !equipped && !state_.last.equipped && now_ == from && from.steer == to.steer;
  evaluations += rk4 ? 4 - evaluation_.at_start : 1;
  evaluated_ = stepped_ = false;
  PatchTire<double>* const patch = state_.patch.empty() ? nullptr : state_.patch.data();
  const Actuation<double>* const given = equipped ? act : nullptr;
  Power<double> p = integrate(model_->integrator, m, next, u0, u1, dt, patch, given, &evaluation_);
  if (!stands(next)) {
    for (std::size_t i = 0; i < patch_before_.size(); ++i) state_.patch[i].memory = patch_before_[i].memory;
    return false;
  }
  book_turn({u0, u1, patch, given}, dt, next, p);
  double engine[2];
  for (int a = 0; a < 2; ++a) engine[a] = equipped ? act[0].engine[a] : m.p.axle[a].engine * std::abs(u0.gear);
  couple_engine(engine);
  add_power(state_.balance.work, dt, p);
  const State<double, Lv>& before = state_.motion;
  if (equipped) {
    const SpecificForce<double> f = specific_force(m, before, next, dt);
    state_.last.ax = f.x, state_.last.ay = f.y;
    state_.last.act = act[2];
    state_.equipment = equipment;
    state_.actuator = actuator;
  }
  state_.last.equipped = equipped;
  state_.last.steer = m.kind.rack ? road_wheel_angle(m.p.rack, next.rack) : equipped ? act[2].steer : u1.steer;
  if constexpr (Lv == Level::L5)
    state_.clock.turns += std::round((heading() - heading_of(m, next)) / (2 * std::numbers::pi));
  state_.motion = next;
  state_.clock.time += dt;
  ++state_.clock.steps;
  stepped_ = true;
  return true;
}

template <Level Lv> std::unique_ptr<LevelCar> make_level_car(const VehicleSpec& spec, const RoadSpec& road,
                                                             Integrator integrator, const StartPose& pose) {
  return std::make_unique<LevelCarOf<Lv>>(spec, road, integrator, pose);
}

template <Level Lv> const Kernel<Lv>& double_kernel() {
  static constexpr Kernel<Lv> kernel = KernelOf<double, Lv>::table("double");
  return kernel;
}

}  // namespace vdsim

#include "vdsim/engine/continuous_car.hpp"
