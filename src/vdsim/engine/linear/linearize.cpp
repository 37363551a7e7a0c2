// SPDX-License-Identifier: Apache-2.0
#include "vdsim/engine/linear/linearize.hpp"

#include "vdsim/engine/car_model.hpp"
#include "vdsim/engine/errors.hpp"
#include "vdsim/engine/level_car.hpp"
#include "vdsim/engine/validate.hpp"

namespace vdsim {

// Compiled once per level, in linear_l1.cpp, ...
template <Level Lv> void linear_of(LevelCar&, const SignalScope&, const Commands&, LinearCar&);

namespace {

template <Level Lv> std::vector<std::string> not_linear(const CarModel<Lv>& car, const CarState<Lv>& state) {
  const UnitParams& units = car.units;
  const RoadKind& road = car.model.kind.road;
  std::vector<std::string> out;
  if (units.kind.powertrain.source == DriveSource::engine) out.emplace_back("powertrain: an engine with its gearbox");
  if (units.kind.senses) out.emplace_back("control: its controllers");
  if (units.kind.hydraulics) out.emplace_back("brake: its hydraulics");
  if (units.actuators) out.emplace_back("actuator: its actuators");
  if (state.last.equipped && !units.any) out.emplace_back("torque: asked of single wheels in the last step");
  if (road.grid || road.crg || road.maps > 0) out.emplace_back("road: a height map, OpenCRG road or map of the ground");
  for (const TireKind& tire : car.model.kind.tire) {
    if (tire.contact == ContactLaw::rolling || tire.contact == ContactLaw::algebraic) continue;
    out.emplace_back(tire.contact == ContactLaw::patch ? "tire: contact-patch LuGre" : "tire: lugre.law breakaway");
    break;
  }
  return out;
}

template <Level Lv> void linear_car(LevelCar& car, SignalScope scope, const Commands& now, LinearCar& out) {
  const EquationsNow at = car.equations(now);
  const auto& model = *static_cast<const CarModel<Lv>*>(at.model);
  std::vector<std::string> why = not_linear(model, *static_cast<const CarState<Lv>*>(at.state));
  for (std::string& line : why) line += " has no derivatives: linearize a car without it";
  if (!why.empty()) throw BadInput(why);
  scope.wind = model.model.kind.road.wind, scope.ground = model.model.kind.road.ground;
  out.states = car.continuous_states();
  out.outputs = signals(scope);
  linear_of<Lv>(car, scope, now, out);
}

}  // namespace

LinearCar linearize(const Car& car, const Commands& now) {
  throw_if_any(validate(now));
  const SignalScope scope = signal_scope(car.setup_->vehicle, RoadSpec{}, car.level());
  LinearCar out;
  switch (car.level()) {
    case Level::L1: linear_car<Level::L1>(*car.car_, scope, now, out); break;
    case Level::L2: linear_car<Level::L2>(*car.car_, scope, now, out); break;
    case Level::L3: linear_car<Level::L3>(*car.car_, scope, now, out); break;
    case Level::L5: linear_car<Level::L5>(*car.car_, scope, now, out); break;
  }
  return out;
}

}  // namespace vdsim
