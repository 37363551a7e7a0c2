// SPDX-License-Identifier: Apache-2.0
// Field tables: the rally tire.
#include "vdsim/core/tire/rally_spec.hpp"
#include "vdsim/engine/tables/table.hpp"

namespace vdsim {

template <> std::vector<FieldRef> fields_of(RallyWheelSpec& s) {
  return table<RallyWheelSpec>(
      {field("width", s.width, "m", between(0.02, 1), "of the tread: patch length, tread stiffness, overturning"),
       field("tire_pressure", s.tire_pressure, "Pa", between(5e4, 1e6), "cold inflation pressure over ambient"),
       field("vertical_stiffness", s.vertical_stiffness, "N/m", between(1e4, 1e7), "radial, at 220 kPa"),
       field("wheel_inertia", s.wheel_inertia, "kg m^2", at_least(0), "about the axle; 0 = estimate"),
       field("hub_radius", s.hub_radius, "m", at_least(0), "of the rim, for that estimate; 0 = 0.55 radius")
           .read_by(when(Switch::estimated_inertia)),
       field("hub_width", s.hub_width, "m", at_least(0), "of the rim, for that estimate and Mx; 0 = width"),
       field("wheel_offset", s.wheel_offset, "m", between(-0.5, 0.5),
             "wheel plane outboard of the hub: lever of Fx about the hub, with its sign")
           .read_by(kTwoTracks)});
}

template <> std::vector<FieldRef> fields_of(RallyCurveSpec& s) {
  return table<RallyCurveSpec>(
      {field("longitudinal_b", s.longitudinal_b, "-", between(1, 60), "stiffness factor, longitudinal"),
       field("longitudinal_c", s.longitudinal_c, "-", between(1.05, 2), "shape factor, longitudinal"),
       field("longitudinal_e", s.longitudinal_e, "-", between(-20, 0.99), "curvature factor, longitudinal")
           .read_by(when(RallyMode::Auto, RallyMode::PacejkaOnly)),
       field("longitudinal_load_stiffness_sensitivity", s.longitudinal_load_stiffness_sensitivity, "-",
             between(-0.5, 0.5), "exponent of the load ratio in the longitudinal stiffness"),
       field("lateral_b", s.lateral_b, "-", between(1, 60), "stiffness factor, lateral, on tan(slip angle)"),
       field("lateral_c", s.lateral_c, "-", between(1.05, 2), "shape factor, lateral"),
       field("lateral_e", s.lateral_e, "-", between(-20, 0.99), "curvature factor, lateral")
           .read_by(when(RallyMode::Auto, RallyMode::PacejkaOnly)),
       field("lateral_load_stiffness_sensitivity", s.lateral_load_stiffness_sensitivity, "-", between(-0.5, 0.5),
             "exponent of the load ratio in the lateral stiffness"),
       field("lateral_load_degression", s.lateral_load_degression, "-", between(0, 2),
             "d: cornering stiffness over load falls as 1/(1 + d (Fz/reference)^2)"),
       field("lateral_camber_stiffness_sensitivity", s.lateral_camber_stiffness_sensitivity, "1/rad", between(0, 1.5),
             "rise of the lateral stiffness with camber")
           .read_by(kOnSprings),
       field("lateral_camber_curvature_sensitivity", s.lateral_camber_curvature_sensitivity, "1/rad", between(-1, 1),
             "change of the lateral curvature factor with camber")
           .read_by(kOnSprings & when(RallyMode::Auto, RallyMode::PacejkaOnly)),
       field("sidewall_stiffness", s.sidewall_stiffness, "-", between(0.1, 5), "factor on the lateral stiffness"),
       field("high_slip_force_retention", s.high_slip_force_retention, "-", between(0, 1),
             "lateral force kept at large slip angles, over the peak")
           .read_by(when(RallyMode::Auto, RallyMode::PacejkaOnly)),
       field("high_slip_transition_start", s.high_slip_transition_start, "rad", between(0.01, 1.4),
             "slip angle at which retention begins; not before the peak")
           .read_by(when(RallyMode::Auto, RallyMode::PacejkaOnly) & when(Switch::retention)),
       field("high_slip_transition_end", s.high_slip_transition_end, "rad", between(0.02, 1.5),
             "slip angle at which retention is complete")
           .read_by(when(RallyMode::Auto, RallyMode::PacejkaOnly) & when(Switch::retention))});
}

template <> std::vector<FieldRef> fields_of(RallyFrictionSpec& s) {
  return table<RallyFrictionSpec>(
      {field("peak_friction_coefficient", s.peak_friction_coefficient, "-", between(0.05, 4),
             "longitudinal, at the reference load, warm and new, on a surface of friction 1"),
       field("friction_ellipse_ratio", s.friction_ellipse_ratio, "-", between(0.1, 4),
             "lateral over longitudinal peak"),
       field("load_sensitivity", s.load_sensitivity, "-", between(0, 1), "friction falls as (Fz/reference)^-this")
           .read_by(when(Switch::power_law)),
       field("reference_load", s.reference_load, "N", between(10, 1e6), "load at which all factors of load are 1"),
       field("beamng_no_load_friction_coefficient", s.beamng_no_load_friction_coefficient, "-", between(0, 10),
             "exponential load sensitivity in place of the power law: friction at no load; 0 = power law"),
       field("beamng_full_load_friction_coefficient", s.beamng_full_load_friction_coefficient, "-", between(0, 10),
             "friction at infinite load; 0 = power law"),
       field("beamng_load_sensitivity_slope", s.beamng_load_sensitivity_slope, "1/N", between(0, 1),
             "rate of that exponential"),
       field("contact_area_grip_exponent", s.contact_area_grip_exponent, "-", between(0, 0.5),
             "friction grows as (contact area)^this"),
       field("combined_slip_coupling", s.combined_slip_coupling, "-", between(0, 20),
             "how fast cross slip lowers a force, beyond the shared peak; 0 = not at all"),
       field("combined_slip_exponent", s.combined_slip_exponent, "-", between(1, 2), "shape of that loss")
           .read_by(when(Switch::coupling))});
}

template <> std::vector<FieldRef> fields_of(RallyPatchSpec& s) {
  return table<RallyPatchSpec>(
      {field("contact_patch_length_scale", s.contact_patch_length_scale, "-", between(0.1, 5),
             "factor on the patch length Fz/(pressure width)"),
       field("contact_patch_stiffness", s.contact_patch_stiffness, "N/m", between(1e3, 1e6),
             "of the tread at 220 kPa and 205 mm: slip stiffness in BrushOnly, carcass shear"),
       field("contact_patch_damping", s.contact_patch_damping, "N s/m", at_least(0),
             "lateral bristle damping near rest; 0 = the rolling law's own"),
       field("relaxation_length", s.relaxation_length, "m", between(0.01, 5), "lateral, small slip, hard road")
           .read_by(when(RallyMode::Auto, RallyMode::BrushOnly)),
       field("longitudinal_relaxation_length", s.longitudinal_relaxation_length, "m", between(0.01, 5),
             "longitudinal, small slip, hard road")
           .read_by(when(RallyMode::Auto, RallyMode::BrushOnly)),
       field("lateral_surface_relaxation_sensitivity", s.lateral_surface_relaxation_sensitivity, "-", between(0, 5),
             "how much loose ground lengthens the lateral one")
           .read_by(when(RallyMode::Auto, RallyMode::BrushOnly)),
       field("longitudinal_surface_relaxation_sensitivity", s.longitudinal_surface_relaxation_sensitivity, "-",
             between(0, 5), "how much loose ground lengthens the longitudinal one")
           .read_by(when(RallyMode::Auto, RallyMode::BrushOnly)),
       field("carcass_stiffness", s.carcass_stiffness, "-", between(0.1, 10), "divides both relaxation lengths")
           .read_by(when(RallyMode::Auto, RallyMode::BrushOnly))});
}

template <> std::vector<FieldRef> fields_of(RallyMomentSpec& s) {
  return table<RallyMomentSpec>(
      {field("camber_thrust_coefficient", s.camber_thrust_coefficient, "1/rad", between(0, 5),
             "side force per load and inclination")
           .read_by(kOnSprings),
       field("pneumatic_trail", s.pneumatic_trail, "m", between(0, 0.3), "at zero slip and reference load"),
       field("aligning_torque_residual_factor", s.aligning_torque_residual_factor, "-", between(0, 1),
             "share of that trail left when the whole patch slides"),
       field("aligning_torque_fx_moment_arm", s.aligning_torque_fx_moment_arm, "m", between(0, 0.1),
             "sideways shift of the patch at full side force: lever of Fx"),
       field("overturning_couple_factor", s.overturning_couple_factor, "-", between(0, 0.5),
             "Mx per side force and half width"),
       field("overturning_camber_factor", s.overturning_camber_factor, "1/rad", between(0, 5),
             "Mx per load, inclination and half width")
           .read_by(kOnSprings),
       field("rolling_resistance_coefficient", s.rolling_resistance_coefficient, "-", between(0, 0.5),
             "of the tire on a hard road"),
       field("rolling_resistance_moment_factor", s.rolling_resistance_moment_factor, "-", between(0, 5),
             "factor on the whole rolling-resistance moment"),
       field("rolling_resistance_moment_fx_factor", s.rolling_resistance_moment_fx_factor, "-", between(0, 2),
             "loss by driving and braking: a tenth of this times Fx^2/Dx"),
       field("standing_wave_critical_speed", s.standing_wave_critical_speed, "m/s", between(1, 1000),
             "speed at which the gain doubles the resistance"),
       field("standing_wave_resistance_gain", s.standing_wave_resistance_gain, "-", between(0, 100),
             "rise of the resistance with speed squared"),
       field("carcass_shear_coefficient", s.carcass_shear_coefficient, "-", between(0, 10),
             "resistance of the tread squeezed through the patch")});
}

template <> std::vector<FieldRef> fields_of(RallyThermalSpec& s) {
  return table<RallyThermalSpec>(
      {field("thermal_mass", s.thermal_mass, "J/K", between(10, 1e7), "of the tread"),
       field("core_thermal_mass", s.core_thermal_mass, "J/K", between(10, 1e7), "of carcass and gas"),
       field("cooling_rate", s.cooling_rate, "W/K", between(0, 1e4), "tread to air, at rest"),
       field("core_cooling_rate", s.core_cooling_rate, "W/K", between(0, 1e4), "core to air, at rest"),
       field("surface_to_core_conductance", s.surface_to_core_conductance, "W/K", between(0, 1e4), "tread to core"),
       field("road_heat_transfer_rate", s.road_heat_transfer_rate, "W/K", between(0, 1e4),
             "tread to road at reference load"),
       field("water_cooling_gain", s.water_cooling_gain, "1/m", between(0, 1e5), "rise of that per depth of water")
           .read_by(when(Switch::water)),
       field("grip_temperature_surface_weight", s.grip_temperature_surface_weight, "-", between(0, 1),
             "share of the tread in the temperature that sets the grip"),
       field("ambient_temperature", s.ambient_temperature, "degC", between(-60, 70), "air, road, start of the tire"),
       field("optimal_temperature", s.optimal_temperature, "degC", between(-60, 250), "middle of the window"),
       field("temperature_window", s.temperature_window, "K", between(1, 500),
             "full grip this far to either side, 0.7 at twice that"),
       field("tread_heat_share", s.tread_heat_share, "-", between(0, 1),
             "of the sliding power; the road takes the rest"),
       field("cooling_speed", s.cooling_speed, "m/s", between(0.1, 1e4), "speed that doubles the cooling by air"),
       field("temperature_limit", s.temperature_limit, "degC", between(100, 2000),
             "above which sliding and rolling no longer heat the tire")});
}

template <> std::vector<FieldRef> fields_of(RallyWearSpec& s) {
  return table<RallyWearSpec>(
      {field("wear_rate", s.wear_rate, "1/J", between(0, 1e-3), "tread life lost per sliding energy"),
       field("worn_grip_fraction", s.worn_grip_fraction, "-", Range{0, 1, true, false}, "friction left without tread"),
       field("tread_depth", s.tread_depth, "m", between(0, 0.03), "new; drains water").read_by(when(Switch::water))});
}

template <> std::vector<FieldRef> fields_of(RallyStartSpec& s) {
  const auto temperature = [](const char* name, double& value, const char* meaning) {
    return optional(field(name, value, "degC", between(-60, 400), meaning), kKeepTemperature);
  };
  return table<RallyStartSpec>(
      {temperature("tread_temperature", s.tread_temperature, "of the tread; without: ambient"),
       temperature("core_temperature", s.core_temperature, "of carcass and gas; without: ambient"),
       field("tread", s.tread, "-", between(0, 1), "tread life, 1 new, 0 bald"),
       field("pressure", s.pressure, "Pa", between(0, 1e6),
             "inflation pressure at the core temperature of the start; 0 = tire_pressure at ambient")});
}

template <> std::vector<FieldRef> fields_of(RallySpec& s) {
  return table<RallySpec>(
      {field("mode", s.mode, "Auto: magic formula and brush; BrushOnly; PacejkaOnly: hardly any lag"),
       field("radius", s.radius, "m", between(0.05, 2), "free radius"),
       block("wheel", s.wheel, "size, pressure, inertia"), block("magic_formula", s.magic_formula, "pure slip"),
       block("friction", s.friction, "peak, load, combined slip"),
       block("patch", s.patch, "contact patch and relaxation"), block("moments", s.moments, "camber, Mx, My, Mz"),
       block("thermal", s.thermal, "tread and core temperature"), block("wear", s.wear, "tread life"),
       block("start", s.start, "state at the start of a run"), block("surface", s.surface, "ground")});
}

}  // namespace vdsim
