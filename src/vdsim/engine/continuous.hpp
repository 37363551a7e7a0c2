// SPDX-License-Identifier: Apache-2.0
// A plain car as ordinary differential equations with events, for the integrators of others (model exchange of FMI).
//   y' = f(y, commands, mode),  y = body, wheels, tires, rack;  mode = what dry friction and the LSD clutches do
// The mode is kept until an event: an indicator below 0, or bristles beyond the limit.  docs/theory/02_integration.md, section 7
#pragma once
#include <array>
#include <span>
#include <string>
#include <vector>

#include "vdsim/engine/car.hpp"

namespace vdsim {

struct ContinuousState {
  std::string name, unit, meaning;
  double nominal;  // usual size
};

// What dry friction does, as numbers, so that it can be saved: of every wheel slip direction, dry, held; of every axle lock, clutch.
using GripMode = std::array<double, 16>;

// Why a car is no set of such equations: what in it acts in steps. None: it is one.
std::vector<std::string> not_continuous(const VehicleSpec&, Level);

// Of a car at any time: its states and their rates, each of ContinuousCar::states().
std::vector<ContinuousState> continuous_states(const Car&);
void read_continuous(const Car&, const Commands& now, std::span<double> y, std::span<double> rates);

// A view on a car of which not_continuous() has nothing to say; the car must not be stepped meanwhile.
class ContinuousCar {
 public:
  explicit ContinuousCar(Car& car) : ContinuousCar(static_cast<const Car&>(car)) {}

  const std::vector<ContinuousState>& states() const { return states_; }
  std::size_t indicators() const;
  void get(std::span<double> y) const;
  void set(std::span<const double> y);
  void rates(const Commands&, std::span<double> out);       // y'
  void indicators(const Commands&, std::span<double> out);  // above 0 while the mode holds
  // After a step of the integrator: true where an event is due.
  bool accept(const Commands&);
  // The event: bristles return to the limit, wheels stop or start, the mode of now is decided. True if y changed.
  bool settle(const Commands&);
  GripMode mode() const;
  void set_mode(const GripMode&);

 private:
  friend std::vector<ContinuousState> continuous_states(const Car&);
  friend void read_continuous(const Car&, const Commands&, std::span<double>, std::span<double>);
  explicit ContinuousCar(const Car&);
  LevelCar& car_;
  std::vector<ContinuousState> states_;
};

}  // namespace vdsim
