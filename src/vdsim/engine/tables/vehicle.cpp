// SPDX-License-Identifier: Apache-2.0
// Field tables: tires of schema pacejka_mf96_v1, brakes, steering, drivetrain, and the car that holds all parts.
#include "vdsim/core/vehicle/spec.hpp"
#include "vdsim/engine/tables/table.hpp"

namespace vdsim {
namespace {

constexpr Readers kRolling = when(ContactLaw::rolling);
// MF96 and linear curves; a file has its own
constexpr Readers kCurves = when(TireBackend::mf96, TireBackend::linear), kFile = when(TireBackend::magic_formula);

}  // namespace

template <> std::vector<FieldRef> fields_of(RollingSpec& s) {
  return table<RollingSpec>(
      {field("sigma0_lat", s.sigma0_lat, "N/m", above(0),
             "lateral bristle stiffness; relaxation length = slip stiffness / sigma0")
           .read_by(kRolling & kCurves),
       field("m_eff", s.m_eff, "kg", above(0), "mass per wheel that the automatic sigma1 damps critically")
           .read_by(kRolling & kCurves & when(Switch::automatic_sigma1)),
       field("v_st", s.v_st, "m/s", above(0), "speed below which friction is static")
           .read_by(kRolling | (when(ContactLaw::breakaway) & when(Combined::similarity) & kCurves)),
       field("v_d", s.v_d, "m/s", above(0), "speed above which bristle damping fades").read_by(kRolling),
       field("beta", s.beta, "-", Range{0, 1, false, true}, "share of the peak force that is purely elastic at rest")
           .read_by(kRolling),
       field("roll_memory", s.roll_memory, "m", at_least(0),
             "distance of rolling that renews the contact patch; 0 = none")
           .read_by(kRolling),
       field("kappa_cap", s.kappa_cap, "-", Range{0.5, kInf, false, true},
             "largest slip ratio the steady curve is read at")
           .read_by(kRolling | (when(Combined::similarity) & kCurves)),
       field("r_psi", s.r_psi, "m", above(0), "radius of the parking torque: M_max = D r_psi")
           .read_by(kRolling & when(Switch::parking_torque)),
       field("c_psi", s.c_psi, "N m/rad", at_least(0), "twist stiffness of the standing patch; 0 = no parking torque")
           .read_by(kRolling),
       field("L_psi", s.L_psi, "m", above(0), "rolling distance over which the twist unwinds")
           .read_by(kRolling & when(Switch::parking_torque))});
}

template <> std::vector<FieldRef> fields_of(BeltSpec& s) {
  return table<BeltSpec>(
      {field("enabled", s.enabled, "carcass compliance: the force follows the slip after a rolled distance"),
       field("sigma_lat", s.sigma_lat, "m", at_least(0), "lateral relaxation length of the carcass; 0 = rigid"),
       field("sigma_long", s.sigma_long, "m", at_least(0),
             "longitudinal relaxation length of the carcass; 0 = rigid")});
}

template <> std::vector<FieldRef> fields_of(LugreSpec& s) {
  return table<LugreSpec>(
      {field("enabled", s.enabled, "bristle states on; off = kinematic fallback"),
       field("law", s.law, "rolling: steady law at speed, true hold at rest; breakaway: classic LuGre on MF96"),
       field("sigma0", s.sigma0, "N/m", above(0), "bristle stiffness (rolling: longitudinal)")
           .read_by((kRolling & kCurves) | when(ContactLaw::breakaway)),
       field("sigma1", s.sigma1, "N s/m", at_least(0), "bristle damping; 0 = 2 sqrt(sigma0 m_eff)")
           .read_by(when(ContactLaw::rolling, ContactLaw::breakaway)),
       field("sigma2", s.sigma2, "N s/m", at_least(0), "viscous friction").read_by(when(ContactLaw::breakaway)),
       field("m_eff", s.m_eff, "kg", above(0), "mass for the automatic sigma1")
           .read_by(when(ContactLaw::breakaway) & when(Switch::automatic_sigma1)),
       block("rolling", s.rolling, "parameters of law: rolling")});
}

template <> std::vector<FieldRef> fields_of(TireSpec& s) {
  return table<TireSpec, 4>(
      {field("backend", s.backend,
             "steady law: mf96; linear (saturated at the peak); magic_formula (from a .tir file)"),
       field("tir_path", s.tir_path, "backend magic_formula: MF-Tyre property file, relative to this file")
           .read_by(kFile),
       field("tir_flavour", s.tir_flavour, "where the MF-Tyre program (tno) and Pacejka's book differ").read_by(kFile),
       field("B_long", s.B_long, "-", above(0), "stiffness factor, longitudinal").read_by(kCurves),
       field("C_long", s.C_long, "-", Range{0, 2, true, false}, "shape factor, longitudinal").read_by(kCurves),
       field("D_long", s.D_long, "-", above(0), "peak factor, longitudinal").read_by(kCurves),
       field("E_long", s.E_long, "-", Range{-kInf, 1, true, false}, "curvature factor, longitudinal")
           .read_by(when(TireBackend::mf96)),
       field("B_lat", s.B_lat, "1/rad", above(0), "stiffness factor, lateral").read_by(when(TireBackend::mf96)),
       field("C_lat", s.C_lat, "-", Range{0, 2, true, false}, "shape factor, lateral").read_by(when(TireBackend::mf96)),
       field("D_lat", s.D_lat, "-", above(0), "peak factor, lateral").read_by(kCurves),
       field("E_lat", s.E_lat, "-", Range{-kInf, 1, true, false}, "curvature factor, lateral")
           .read_by(when(TireBackend::mf96)),
       field("mu_nominal", s.mu_nominal, "-", above(0), "friction at the nominal load").read_by(kCurves),
       field("Fz_nominal", s.Fz_nominal, "N", above(0), "nominal load").read_by(kCurves),
       field("load_sensitivity", s.load_sensitivity, "-", between(0, 2),
             "loss of friction per unit of relative overload")
           .read_by(kCurves),
       field("rolling_resistance", s.rolling_resistance, "-", between(0, 1),
             "moment on the wheel / (Fz Re), dry at rest")
           .read_by(kCurves),
       field("relaxation_length_lat", s.relaxation_length_lat, "m", at_least(0), "slip angle lag")
           .read_by(when(ContactLaw::algebraic)),
       field("relaxation_length_long", s.relaxation_length_long, "m", at_least(0), "slip ratio lag")
           .read_by(when(ContactLaw::algebraic)),
       field("cornering_stiffness", s.cornering_stiffness, "N/rad", above(0), "at the nominal load")
           .read_by(when(TireBackend::linear)),
       field("combined_slip_enabled", s.combined_slip_enabled, "false = combined: none").read_by(kCurves),
       field("combined", s.combined, "combined slip; auto = similarity (law rolling) or ellipse (law breakaway)")
           .read_by(kCurves & when(ContactLaw::algebraic, ContactLaw::breakaway)),
       field("mu_scaling", s.mu_scaling, "road friction shrinks force and slip alike, or the force alone")
           .read_by(kCurves),
       field("pneumatic_trail", s.pneumatic_trail, "m", at_least(0), "trail at zero slip angle").read_by(kCurves),
       field("trail_falloff_alpha", s.trail_falloff_alpha, "rad", above(0),
             "slip angle where the trail is down to 71 %")
           .read_by(kCurves),
       field("camber_stiffness", s.camber_stiffness, "1/rad", at_least(0), "camber thrust per load and camber angle")
           .read_by(kCurves & kOnSprings),
       field("crown_radius", s.crown_radius, "m", at_least(0), "tread crown radius").read_by(when(Level::L5)),
       field("tire_vertical_stiffness", s.tire_vertical_stiffness, "N/m", above(0), "radial stiffness")
           .read_by((kCurves & kOnSprings) | (kCurves & when(Switch::vertical_radius))),
       field("radius", s.radius, "m", at_least(0), "free rolling radius; 0 = the chassis' wheel_radius_nominal")
           .read_by(kCurves),
       field("reff_breff", s.reff_breff, "-", at_least(0), "effective radius: low load stiffness")
           .read_by(kCurves & when(Switch::vertical_radius)),
       field("reff_dreff", s.reff_dreff, "-", at_least(0), "effective radius: peak value").read_by(kCurves),
       field("reff_freff", s.reff_freff, "-", at_least(0), "effective radius: high load stiffness").read_by(kCurves),
       block("lugre", s.lugre, "bristle dynamics"),
       block("belt", s.belt, "carcass relaxation").read_by(when(Switch::belt)),
       field("low_speed_mode", s.low_speed_mode, "model near standstill when LuGre is off")
           .read_by(when(ContactLaw::algebraic)),
       field("vlow_speed_eps", s.vlow_speed_eps, "m/s", above(0), "tire_vlow: slip denominator floor")
           .read_by(when(ContactLaw::algebraic) & when(LowSpeedMode::tire_vlow)),
       field("vlow_damping", s.vlow_damping, "N s/m", at_least(0), "tire_vlow: damping at rest")
           .read_by(when(ContactLaw::algebraic) & when(LowSpeedMode::tire_vlow))});
}

template <> std::vector<FieldRef> fields_of(BrakeSpec& s) {
  return table<BrakeSpec>(
      {field("max_brake_torque", s.max_brake_torque, "N m", at_least(0), "pedal 1, sum over four wheels"),
       field("brake_bias_front", s.brake_bias_front, "-", between(0, 1), "share of the front axle"),
       field("max_handbrake_torque", s.max_handbrake_torque, "N m", at_least(0), "lever 1, sum over the rear wheels")});
}

template <> std::vector<FieldRef> fields_of(SteeringSpec& s) {
  return table<SteeringSpec>(
      {field("steering_ratio", s.steering_ratio, "-", above(0), "hand wheel angle / road wheel angle"),
       field("max_steer_angle_wheel", s.max_steer_angle_wheel, "rad", Range{0, 1.4, true, false},
             "limit of the road wheel angle"),
       field("ackerman_percent", s.ackerman_percent, "%", between(-100, 200), "0 = parallel wheels, 100 = Ackermann")
           .read_by(kTwoTracks),
       block("rack", s.rack, "rack with its own dynamics")});
}

template <> std::vector<FieldRef> fields_of(DrivetrainSpec& s) {
  return table<DrivetrainSpec>(
      {field("drive_type", s.drive_type, "driven wheels"),
       field("differential", s.differential, "of every driven axle"),
       field("max_motor_torque", s.max_motor_torque, "N m", at_least(0), "throttle 1, at the motor")
           .read_by(when(Switch::plain_torque) | (when(Differential::LSD) & kTwoTracks)),
       field("final_drive_ratio", s.final_drive_ratio, "-", above(0), "motor speed / axle speed")
           .read_by(when(Switch::plain_torque) | (when(Differential::LSD) & kTwoTracks)),
       field("engine_rotational_inertia", s.engine_rotational_inertia, "kg m^2", at_least(0), "at the motor, in gear")
           .read_by(when(Switch::plain_torque)),
       field("lsd_preload", s.lsd_preload, "-", between(0, 1), "LSD lock at zero torque / largest axle torque")
           .read_by(when(Differential::LSD) & kTwoTracks),
       field("lsd_ramp", s.lsd_ramp, "-", between(0, 1), "LSD lock per axle torque")
           .read_by(when(Differential::LSD) & kTwoTracks),
       field("drive_split_front", s.drive_split_front, "-", between(0, 1), "AWD: share of the front axle")
           .read_by(when(DriveType::AWD))});
}

template <> std::vector<FieldRef> fields_of(VehicleSpec& s) {
  return table<VehicleSpec>(
      {block("chassis", s.chassis, "masses, geometry, aero"), block("tire_fl", s.tire_fl, "front left tire"),
       block("tire_fr", s.tire_fr, "front right tire"), block("tire_rl", s.tire_rl, "rear left tire"),
       block("tire_rr", s.tire_rr, "rear right tire"), block("brake", s.brake, "brakes"),
       block("steering", s.steering, "steering"), block("drivetrain", s.drivetrain, "motor and differential"),
       block("powertrain", s.powertrain, "engine and gearbox, or a motor with its limits"),
       block("control", s.control, "brake hydraulics, ABS, traction and yaw control"),
       block("actuator", s.actuator, "dead time, lag, rate and limits of the commands"),
       block("sensors", s.sensors, "what is measured")});
}

}  // namespace vdsim
