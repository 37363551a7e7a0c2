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

  static constexpr auto fields() {
    using S = ChassisSpec;
    return std::tuple{
        field("mass", &S::mass, "kg", above(0), "whole car"),
        field("mass_sprung", &S::mass_sprung, "kg", above(0), "body without wheels and axles; at most mass"),
        field("inertia_diag", &S::inertia_diag, "kg m^2", above(0),
              "roll and pitch of the body on its springs (L3, L5), yaw of the whole car"),
        field("wheelbase", &S::wheelbase, "m", above(0), "must equal cg_to_front + cg_to_rear"),
        field("cg_to_front", &S::cg_to_front, "m", above(0), "CG to front axle"),
        field("cg_to_rear", &S::cg_to_rear, "m", above(0), "CG to rear axle"),
        field("track_front", &S::track_front, "m", above(0), "front track"),
        field("track_rear", &S::track_rear, "m", above(0), "rear track"),
        field("cg_height", &S::cg_height, "m", at_least(0), "CG of the whole car above the road"),
        field("wheel_radius_nominal", &S::wheel_radius_nominal, "m", above(0),
              "wheel radius where the tire part gives none"),
        field("wheel_inertia", &S::wheel_inertia, "kg m^2", at_least(0),
              "spin inertia per wheel; 0 = m_unsprung R^2 / 2"),
        field("spring_stiffness", &S::spring_stiffness, "N/m", above(0), "per wheel; sets the roll stiffness split"),
        field("damper_coefficient", &S::damper_coefficient, "N s/m", at_least(0), "per wheel, in bump (L3, L5)"),
        field("damper_rebound_ratio", &S::damper_rebound_ratio, "-", at_least(0),
              "rebound damping / bump damping (L3, L5)"),
        field("bump_travel", &S::bump_travel, "m", at_least(0), "upward travel at which the bump stop begins (L3, L5)"),
        field("droop_travel", &S::droop_travel, "m", at_least(0),
              "downward travel at which the rebound stop begins (L3, L5)"),
        field("bump_stop_stiffness", &S::bump_stop_stiffness, "N/m", at_least(0), "of both stops, per wheel (L3, L5)"),
        field("unsprung_mass", &S::unsprung_mass, "kg", above(0), "per wheel"),
        field("arb_front", &S::arb_front, "N m/rad", at_least(0), "front anti-roll bar, roll stiffness of the axle"),
        field("arb_rear", &S::arb_rear, "N m/rad", at_least(0), "rear anti-roll bar, roll stiffness of the axle"),
        field("roll_center_front", &S::roll_center_front, "m", any_finite(), "front roll centre above the road"),
        field("roll_center_rear", &S::roll_center_rear, "m", any_finite(), "rear roll centre above the road"),
        field("anti_dive_front", &S::anti_dive_front, "-", between(-1, 2),
              "share of the front axle's load change under its braking that the links carry (L3, L5)"),
        field("anti_squat_rear", &S::anti_squat_rear, "-", between(-1, 2),
              "share of the rear axle's load change under its drive that the links carry (L3, L5)"),
        field("camber_per_roll", &S::camber_per_roll, "-", between(-1, 2),
              "inclination of the wheels per roll angle of the body: 0 stay upright, 1 lean with it (L3, L5)"),
        field("camber_per_travel", &S::camber_per_travel, "rad/m", between(-5, 5),
              "camber per upward travel, positive leans the top outwards (L3, L5)"),
        field("width", &S::width, "m", at_least(0),
              "of the body without mirrors, for cones and pictures; 0 = widest track + 0.25 m"),
        field("length", &S::length, "m", at_least(0), "of the body; 0 = wheelbase + 1.9 m"),
        field("front_overhang", &S::front_overhang, "m", at_least(0), "front axle to bumper; 0 = 0.9 m"),
        field("aero_drag_coeff", &S::aero_drag_coeff, "-", at_least(0), "drag coefficient"),
        field("frontal_area", &S::frontal_area, "m^2", at_least(0), "reference area of drag and lift"),
        field("aero_lift_front", &S::aero_lift_front, "-", any_finite(),
              "front lift coefficient, positive = down-force"),
        field("aero_lift_rear", &S::aero_lift_rear, "-", any_finite(), "rear lift coefficient, positive = down-force")};
  }
};
VD_COMPLETE(ChassisSpec);

inline double body_width(const ChassisSpec& c) {
  return c.width > 0 ? c.width : (c.track_front > c.track_rear ? c.track_front : c.track_rear) + 0.25;
}
inline double body_length(const ChassisSpec& c) { return c.length > 0 ? c.length : c.wheelbase + 1.9; }
// CG to the front bumper
inline double body_front(const ChassisSpec& c) {
  return c.cg_to_front + (c.front_overhang > 0 ? c.front_overhang : 0.9);
}

}  // namespace vdsim
