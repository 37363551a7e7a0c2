// What a user says of a steering that moves by itself: rack, torsion bar, power assist, column friction.
#pragma once
#include "vdsim/core/math/fields.hpp"

namespace vdsim {

// Dry friction of rack and column, taken at the rack.
struct ColumnFrictionSpec {
  double friction = 100, static_ratio = 1.2, v_stribeck = 0.005;
  double sigma0 = 1e6, sigma1 = 2000, sigma2 = 0;

  static constexpr auto fields() {
    using S = ColumnFrictionSpec;
    return std::tuple{
        field("friction", &S::friction, "N", at_least(0), "force when sliding; 0 = none"),
        field("static_ratio", &S::static_ratio, "-", between(1, 3), "force that breaks it loose / sliding force"),
        field("v_stribeck", &S::v_stribeck, "m/s", above(0), "rack speed below which friction is static"),
        field("sigma0", &S::sigma0, "N/m", above(0), "stiffness before it slides"),
        field("sigma1", &S::sigma1, "N s/m", at_least(0), "damping before it slides"),
        field("sigma2", &S::sigma2, "N s/m", at_least(0), "viscous part when sliding")};
  }
};
VD_COMPLETE(ColumnFrictionSpec);

// steering.*: rack  (docs/theory/15_steering_and_actuators.md)
struct RackSpec {
  bool steering_dynamic = false;
  double rack_mass = 30, rack_damping = 800, pinion_radius = 0.0075, caster_trail = 0.03, rack_per_rad = 0.08;
  double column_stiffness = 80, column_damping = 0.15, assist_gain = 3;
  ColumnFrictionSpec column_friction;

  static constexpr auto fields() {
    using S = RackSpec;
    return std::tuple{
        field("steering_dynamic", &S::steering_dynamic, "the rack moves by its own law; off = it follows the command"),
        field("rack_mass", &S::rack_mass, "kg", above(0), "rack, tie rods and steered wheels, as seen at the rack"),
        field("rack_damping", &S::rack_damping, "N s/m", at_least(0), "viscous damping of the rack"),
        field("pinion_radius", &S::pinion_radius, "m", above(0), "rack travel per pinion angle"),
        field("caster_trail", &S::caster_trail, "m", any_finite(), "steering axis ahead of the contact point"),
        field("rack_per_rad", &S::rack_per_rad, "m/rad", above(0), "rack travel per road-wheel angle"),
        field("column_stiffness", &S::column_stiffness, "N m/rad", at_least(0), "torsion bar; 0 = hands off"),
        field("column_damping", &S::column_damping, "N m s/rad", at_least(0), "of the torsion bar"),
        field("assist_gain", &S::assist_gain, "-", at_least(0), "assist torque / torsion bar torque"),
        field("column_friction", &S::column_friction, "dry friction with stick")};
  }
};
VD_COMPLETE(RackSpec);

}  // namespace vdsim
