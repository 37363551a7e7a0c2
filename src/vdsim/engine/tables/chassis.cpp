// SPDX-License-Identifier: Apache-2.0
// Field tables: masses, geometry, springs and aerodynamics.
#include "vdsim/core/vehicle/chassis_spec.hpp"
#include "vdsim/engine/tables/table.hpp"

namespace vdsim {

// budget: a line or two per key
template <> std::vector<FieldRef> fields_of(ChassisSpec& s) {
  return table<ChassisSpec>(
      {field("mass", s.mass, "kg", above(0), "whole car"),
       field("mass_sprung", s.mass_sprung, "kg", above(0), "body without wheels and axles; at most mass")
           .read_by(when(Level::L2)),
       field("inertia_diag", s.inertia_diag, "kg m^2", above(0),
             "roll and pitch of the body on its springs (L3, L5), yaw of the whole car"),
       field("wheelbase", s.wheelbase, "m", above(0), "must equal cg_to_front + cg_to_rear"),
       field("cg_to_front", s.cg_to_front, "m", above(0), "CG to front axle"),
       field("cg_to_rear", s.cg_to_rear, "m", above(0), "CG to rear axle"),
       field("track_front", s.track_front, "m", above(0), "front track").read_by(kTwoTracks),
       field("track_rear", s.track_rear, "m", above(0), "rear track").read_by(kTwoTracks),
       field("cg_height", s.cg_height, "m", at_least(0), "CG of the whole car above the road"),
       field("wheel_radius_nominal", s.wheel_radius_nominal, "m", above(0),
             "wheel radius where the tire part gives none")
           .read_by(when(Switch::nominal_radius)),
       field("wheel_inertia", s.wheel_inertia, "kg m^2", at_least(0), "spin inertia per wheel; 0 = m_unsprung R^2 / 2")
           .read_by(when(Switch::chassis_inertia)),
       field("spring_stiffness", s.spring_stiffness, "N/m", above(0), "per wheel; sets the roll stiffness split")
           .read_by(kTwoTracks),
       field("damper_coefficient", s.damper_coefficient, "N s/m", at_least(0), "per wheel, in bump")
           .read_by(kOnSprings),
       field("damper_rebound_ratio", s.damper_rebound_ratio, "-", at_least(0), "rebound damping / bump damping")
           .read_by(kOnSprings),
       field("bump_travel", s.bump_travel, "m", at_least(0), "upward travel at which the bump stop begins")
           .read_by(kOnSprings),
       field("droop_travel", s.droop_travel, "m", at_least(0), "downward travel at which the rebound stop begins")
           .read_by(kOnSprings),
       field("bump_stop_stiffness", s.bump_stop_stiffness, "N/m", at_least(0), "of both stops, per wheel")
           .read_by(kOnSprings),
       field("unsprung_mass", s.unsprung_mass, "kg", above(0), "per wheel")
           .read_by(kTwoTracks | when(Switch::wheel_estimate)),
       field("arb_front", s.arb_front, "N m/rad", at_least(0), "front anti-roll bar, roll stiffness of the axle")
           .read_by(kTwoTracks),
       field("arb_rear", s.arb_rear, "N m/rad", at_least(0), "rear anti-roll bar, roll stiffness of the axle")
           .read_by(kTwoTracks),
       field("roll_center_front", s.roll_center_front, "m", any_finite(), "front roll centre above the road")
           .read_by(kTwoTracks),
       field("roll_center_rear", s.roll_center_rear, "m", any_finite(), "rear roll centre above the road")
           .read_by(kTwoTracks),
       field("anti_dive_front", s.anti_dive_front, "-", between(-1, 2),
             "share of the front axle's load change under its braking that the links carry")
           .read_by(kOnSprings),
       field("anti_squat_rear", s.anti_squat_rear, "-", between(-1, 2),
             "share of the rear axle's load change under its drive that the links carry")
           .read_by(kOnSprings),
       field("camber_per_roll", s.camber_per_roll, "-", between(-1, 2),
             "inclination of the wheels per roll angle of the body: 0 stay upright, 1 lean with it")
           .read_by(kOnSprings),
       field("camber_per_travel", s.camber_per_travel, "rad/m", between(-5, 5),
             "camber per upward travel, positive leans the top outwards")
           .read_by(kOnSprings),
       field("width", s.width, "m", at_least(0),
             "of the body without mirrors, for cones and pictures; 0 = widest track + 0.25 m"),
       field("length", s.length, "m", at_least(0), "of the body; 0 = wheelbase + 1.9 m"),
       field("front_overhang", s.front_overhang, "m", at_least(0), "front axle to bumper; 0 = 0.9 m"),
       field("aero_drag_coeff", s.aero_drag_coeff, "-", at_least(0), "drag coefficient"),
       field("frontal_area", s.frontal_area, "m^2", at_least(0), "reference area of drag and lift"),
       field("aero_lift_front", s.aero_lift_front, "-", any_finite(), "front lift coefficient, positive = down-force"),
       field("aero_lift_rear", s.aero_lift_rear, "-", any_finite(), "rear lift coefficient, positive = down-force"),
       field("aero_side_coeff", s.aero_side_coeff, "-", at_least(0), "in wind: side force per sine of the flow angle"),
       field("aero_yaw_coeff", s.aero_yaw_coeff, "-", any_finite(),
             "in wind: yaw moment about the middle of the wheelbase per sine times cosine of the flow angle, over the "
             "wheelbase, positive turns the nose out of the wind"),
       field("aero_rise_front", s.aero_rise_front, "-", any_finite(),
             "in wind: front lift per squared sine of the flow angle, positive lifts"),
       field("aero_rise_rear", s.aero_rise_rear, "-", any_finite(), "the same at the rear")});
}

}  // namespace vdsim
