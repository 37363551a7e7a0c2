// SPDX-License-Identifier: Apache-2.0
// User settings of a steering with its own dynamics: rack, torsion bar, power assist, column friction.
#pragma once
#include "vdsim/core/math/fields.hpp"

namespace vdsim {

// Dry friction of rack and column, taken at the rack.
struct ColumnFrictionSpec {
  double friction = 100, static_ratio = 1.2, v_stribeck = 0.005;
  double sigma0 = 1e6, sigma1 = 2000, sigma2 = 0;
};

// steering.*: rack  (docs/theory/15_steering_and_actuators.md)
struct RackSpec {
  bool steering_dynamic = false;
  double rack_mass = 30, rack_damping = 800, pinion_radius = 0.0075, caster_trail = 0.03, rack_per_rad = 0.08;
  double column_stiffness = 80, column_damping = 0.15, assist_gain = 3;
  ColumnFrictionSpec column_friction;
};

}  // namespace vdsim
