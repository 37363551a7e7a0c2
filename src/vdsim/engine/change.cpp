// SPDX-License-Identifier: Apache-2.0
#include "vdsim/engine/change.hpp"

namespace vdsim {
namespace {

bool same_actuator(const UnitParams& a, const UnitParams& b, int i) {
  const ActuatorKind &p = a.actuator_kind[i], &q = b.actuator_kind[i];
  return p.dead == q.dead && p.lag == q.lag && p.rate == q.rate && p.limits == q.limits &&
         a.actuator[i].grid == b.actuator[i].grid;
}
bool same_powertrain(const PowertrainKind& a, const PowertrainKind& b) {
  return a.source == b.source && a.gearbox.gears == b.gearbox.gears && a.gearbox.automatic == b.gearbox.automatic;
}

}  // namespace

void take_units(const Handover& from, const UnitParams& units, const double command[kActuators],
                EquipmentState<double>& equipment, std::array<ActuatorState<double>, kActuators>& actuator) {
  const UnitParams& old = *from.units;
  if (same_powertrain(old.kind.powertrain, units.kind.powertrain)) equipment.powertrain = from.equipment.powertrain;
  if (old.kind.senses == units.kind.senses) equipment.control = from.equipment.control;
  if (old.kind.hydraulics == units.kind.hydraulics) equipment.brake = from.equipment.brake;
  for (int i = 0; i < kActuators; ++i) {
    const std::size_t n = std::size_t(i);
    if (same_actuator(old, units, i)) {
      actuator[n] = from.actuator[n];
    } else {
      const double at = old.actuator_kind[i].acts() ? from.actuator[n].out : command[i];
      actuator[n] = start_actuator(units.actuator_kind[i], units.actuator[i], at);
    }
  }
}

}  // namespace vdsim
