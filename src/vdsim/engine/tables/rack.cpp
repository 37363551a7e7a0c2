// SPDX-License-Identifier: Apache-2.0
// Field tables: rack and steering column.
#include "vdsim/core/steering/rack_spec.hpp"
#include "vdsim/engine/tables/table.hpp"

namespace vdsim {

template <> std::vector<FieldRef> fields_of(ColumnFrictionSpec& s) {
  return table<ColumnFrictionSpec>(
      {field("friction", s.friction, "N", at_least(0), "force when sliding; 0 = none"),
       field("static_ratio", s.static_ratio, "-", between(1, 3), "force that breaks it loose / sliding force"),
       field("v_stribeck", s.v_stribeck, "m/s", above(0), "rack speed below which friction is static"),
       field("sigma0", s.sigma0, "N/m", above(0), "stiffness before it slides"),
       field("sigma1", s.sigma1, "N s/m", at_least(0), "damping before it slides"),
       field("sigma2", s.sigma2, "N s/m", at_least(0), "viscous part when sliding")});
}

template <> std::vector<FieldRef> fields_of(RackSpec& s) {
  return table<RackSpec>(
      {field("steering_dynamic", s.steering_dynamic, "the rack has its own dynamics; off = it follows the command"),
       field("rack_mass", s.rack_mass, "kg", above(0), "rack, tie rods and steered wheels, as seen at the rack")
           .read_by(when(Switch::rack)),
       field("rack_damping", s.rack_damping, "N s/m", at_least(0), "viscous damping of the rack")
           .read_by(when(Switch::rack)),
       field("pinion_radius", s.pinion_radius, "m", above(0), "rack travel per pinion angle")
           .read_by(when(Switch::rack)),
       field("caster_trail", s.caster_trail, "m", any_finite(), "steering axis ahead of the contact point")
           .read_by(when(Switch::rack)),
       field("rack_per_rad", s.rack_per_rad, "m/rad", above(0), "rack travel per road-wheel angle")
           .read_by(when(Switch::rack)),
       field("column_stiffness", s.column_stiffness, "N m/rad", at_least(0), "torsion bar; 0 = hands off")
           .read_by(when(Switch::rack)),
       field("column_damping", s.column_damping, "N m s/rad", at_least(0), "of the torsion bar")
           .read_by(when(Switch::rack)),
       field("assist_gain", s.assist_gain, "-", at_least(0), "assist torque / torsion bar torque")
           .read_by(when(Switch::rack)),
       block("column_friction", s.column_friction, "dry friction that sticks").read_by(when(Switch::rack))});
}

}  // namespace vdsim
