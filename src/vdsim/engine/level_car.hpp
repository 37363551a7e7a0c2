// SPDX-License-Identifier: Apache-2.0
// A car of one level behind Car: the model is shared and const, state and outputs are its own.
#pragma once
#include "vdsim/engine/continuous.hpp"
#include "vdsim/engine/snapshot.hpp"

namespace vdsim {

struct Handover;

// The equations of motion at one instant, for who knows the level: CarModel, CarState, Evaluation<double>.
struct EquationsNow {
  const void *model, *state, *evaluation;
};

class LevelCar {
 public:
  virtual ~LevelCar() = default;
  virtual std::unique_ptr<LevelCar> clone() const = 0;
  virtual bool step(const Commands& from, const Commands& to, double dt) = 0;
  virtual const CarOutputs& outputs(const Commands& now) = 0;
  virtual CarOutputs glance(const Commands& now) = 0;
  virtual EnergyBalance energy() const = 0;
  virtual double vx() const = 0;
  virtual double heading() const = 0;
  virtual double time() const = 0;
  virtual long steps() const = 0;
  virtual Level level() const = 0;
  virtual void* motion() = 0;  // State<double, level()>
  virtual void* whole() = 0;   // CarState<level()>
  virtual StateList state() = 0;
  virtual void state_changed() = 0;
  virtual void wait_on_slope() = 0;  // as at a start there: the first commands decide how its tires hold it
  virtual std::uint64_t model_hash() const = 0;
  virtual Handover hand_over(const Commands& now) = 0;  // engine/handover.hpp, change.hpp
  virtual ForceJump take_over(const Handover& from, const Commands& now) = 0;
  // ContinuousCar, with a mode that is kept
  virtual std::vector<ContinuousState> continuous_states() const = 0;
  virtual std::size_t indicator_count() const = 0;
  virtual void get_continuous(std::span<double> y) const = 0;
  virtual void set_continuous(std::span<const double> y) = 0;
  virtual void continuous_rates(const Commands&, std::span<double>) = 0;
  virtual void indicators(const Commands&, std::span<double>) = 0;
  virtual bool accept(const Commands&) = 0;
  virtual bool settle(const Commands&) = 0;
  virtual EquationsNow equations(const Commands& now) = 0;
  GripMode mode{};          // of ContinuousCar,
  bool keeps_mode = false;  // which evaluations then keep
  long evaluations = 0;
  bool no_balance = false;  // L3, L5: the start is no place to stand
  const char* why = "";     // of the last step that was not made
};

// Compiled once per level, in car_l1.cpp, ...
template <Level Lv>
std::unique_ptr<LevelCar> make_level_car(const VehicleSpec&, const RoadSpec&, Integrator, const StartPose&);

}  // namespace vdsim
