// SPDX-License-Identifier: Apache-2.0
// Masses, geometry, springs and aerodynamics of a car.
#pragma once
#include "vdsim/core/math/fields.hpp"

namespace vdsim {

// chassis.*  (schema vehicle_params_v1)
struct ChassisSpec {
  double mass = 1500, mass_sprung = 1350;
  std::array<double, 3> inertia_diag{500, 2000, 2500};
  double wheelbase = 2.7, cg_to_front = 1.2, cg_to_rear = 1.5, track_front = 1.55, track_rear = 1.55, cg_height = 0.55;
  double wheel_radius_nominal = 0.32, wheel_inertia = 0;
  std::array<double, 4> spring_stiffness{30000, 30000, 30000, 30000}, damper_coefficient{3000, 3000, 3000, 3000},
      unsprung_mass{40, 40, 40, 40};
  double damper_rebound_ratio = 1, bump_travel = 0.08, droop_travel = 0.08, bump_stop_stiffness = 2e5;
  double arb_front = 0, arb_rear = 0, roll_center_front = 0, roll_center_rear = 0;
  double anti_dive_front = 0, anti_squat_rear = 0, camber_per_roll = 0, camber_per_travel = 0;
  double width = 0, length = 0, front_overhang = 0;
  double aero_drag_coeff = 0.30, frontal_area = 2.2, aero_lift_front = 0, aero_lift_rear = 0;
  // in wind; of the usual size of a sedan
  double aero_side_coeff = 2.2, aero_yaw_coeff = 0.6, aero_rise_front = 1.2, aero_rise_rear = 1.2;
};

inline double body_width(const ChassisSpec& c) {
  return c.width > 0 ? c.width : (c.track_front > c.track_rear ? c.track_front : c.track_rear) + 0.25;
}
inline double body_length(const ChassisSpec& c) { return c.length > 0 ? c.length : c.wheelbase + 1.9; }
// CG to the front bumper
inline double body_front(const ChassisSpec& c) {
  return c.cg_to_front + (c.front_overhang > 0 ? c.front_overhang : 0.9);
}

}  // namespace vdsim
