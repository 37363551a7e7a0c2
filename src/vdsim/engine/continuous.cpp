// SPDX-License-Identifier: Apache-2.0
#include "vdsim/engine/continuous.hpp"

#include "vdsim/engine/car_model.hpp"
#include "vdsim/engine/level_car.hpp"

namespace vdsim {

std::vector<std::string> not_continuous(const VehicleSpec& spec, Level level) {
  std::vector<std::string> out;
  const UnitParams units = compile_units(spec, level);
  if (units.kind.powertrain.source != DriveSource::plain) out.emplace_back("powertrain");
  if (units.kind.senses) out.emplace_back("control");
  if (units.kind.hydraulics) out.emplace_back("brake.hydraulics");
  if (units.actuators) out.emplace_back("actuator");
  if (spec.sensors.enabled) out.emplace_back("sensors");
  for (const TireSpec* tire : {&spec.tire_fl, &spec.tire_fr, &spec.tire_rl, &spec.tire_rr}) {
    const ContactLaw law = tire_kind(*tire).contact;
    if (law == ContactLaw::rolling || law == ContactLaw::algebraic) continue;
    out.emplace_back(law == ContactLaw::patch ? "tire (contact-patch LuGre)" : "tire (lugre.law breakaway)");
    break;
  }
  return out;
}

std::vector<ContinuousState> continuous_states(const Car& car) { return ContinuousCar(car).states(); }
void read_continuous(const Car& car, const Commands& now, std::span<double> y, std::span<double> rates) {
  ContinuousCar view(car);
  view.rates(now, rates);
  view.get(y);
}

ContinuousCar::ContinuousCar(const Car& car) : car_(*car.car_), states_(car_.continuous_states()) {}
std::size_t ContinuousCar::indicators() const { return car_.indicator_count(); }
void ContinuousCar::get(std::span<double> y) const { car_.get_continuous(y); }
void ContinuousCar::set(std::span<const double> y) { car_.set_continuous(y); }
void ContinuousCar::rates(const Commands& now, std::span<double> out) { car_.continuous_rates(now, out); }
void ContinuousCar::indicators(const Commands& now, std::span<double> out) { car_.indicators(now, out); }
bool ContinuousCar::accept(const Commands& now) { return car_.accept(now); }
bool ContinuousCar::settle(const Commands& now) { return car_.settle(now); }
GripMode ContinuousCar::mode() const { return car_.mode; }
void ContinuousCar::set_mode(const GripMode& mode) {
  car_.mode = mode, car_.keeps_mode = true;
  car_.state_changed();
}

}  // namespace vdsim
