// The rally tire as a user edits it: one block per component law. SI units; temperatures in degC.
// Laws and the list of all properties: docs/theory/23_rally_tire.md.
#pragma once
#include "vdsim/core/math/fields.hpp"
#include "vdsim/core/tire/surface.hpp"

namespace vdsim {

enum class RallyMode { Auto, BrushOnly, PacejkaOnly };
template <> struct EnumNames<RallyMode> { static constexpr std::array names{"Auto", "BrushOnly", "PacejkaOnly"}; };

// Old key -> key: the length was always a factor, never metres.
struct RallyAlias {
  const char *old_key, *key;
};
inline constexpr std::array rally_aliases{RallyAlias{"patch.contact_patch_length", "patch.contact_patch_length_scale"}};

// tire.*: rally.wheel
struct RallyWheelSpec {
  double width = 0.205, tire_pressure = 220e3, vertical_stiffness = 2e5;
  double wheel_inertia = 0, hub_radius = 0, hub_width = 0, wheel_offset = 0;

  static constexpr auto fields() {
    using S = RallyWheelSpec;
    return std::tuple{
        field("width", &S::width, "m", between(0.02, 1), "of the tread: patch length, tread stiffness, overturning"),
        field("tire_pressure", &S::tire_pressure, "Pa", between(5e4, 1e6), "cold inflation pressure over ambient"),
        field("vertical_stiffness", &S::vertical_stiffness, "N/m", between(1e4, 1e7), "radial, at 220 kPa"),
        field("wheel_inertia", &S::wheel_inertia, "kg m^2", at_least(0), "about the axle; 0 = estimate"),
        field("hub_radius", &S::hub_radius, "m", at_least(0), "of the rim, for that estimate; 0 = 0.55 radius"),
        field("hub_width", &S::hub_width, "m", at_least(0), "of the rim, for that estimate and Mx; 0 = width"),
        field("wheel_offset", &S::wheel_offset, "m", between(-0.5, 0.5),
              "wheel plane outboard of the hub: lever of Fx about the hub, with its sign")};
  }
};
VD_COMPLETE(RallyWheelSpec);

// tire.*: rally.magic_formula
struct RallyCurveSpec {
  double longitudinal_b = 12, longitudinal_c = 1.65, longitudinal_e = -0.5,
         longitudinal_load_stiffness_sensitivity = 0.04;
  double lateral_b = 10, lateral_c = 1.30, lateral_e = -0.6, lateral_load_stiffness_sensitivity = 0.06;
  double lateral_load_degression = 0.08, lateral_camber_stiffness_sensitivity = 0.35,
         lateral_camber_curvature_sensitivity = -0.15, sidewall_stiffness = 1;
  double high_slip_force_retention = 0.65, high_slip_transition_start = 0.26, high_slip_transition_end = 0.70;

  static constexpr auto fields() {
    using S = RallyCurveSpec;
    return std::tuple{
        field("longitudinal_b", &S::longitudinal_b, "-", between(1, 60), "stiffness factor, longitudinal"),
        field("longitudinal_c", &S::longitudinal_c, "-", between(1.05, 2), "shape factor, longitudinal"),
        field("longitudinal_e", &S::longitudinal_e, "-", between(-20, 0.99), "curvature factor, longitudinal"),
        field("longitudinal_load_stiffness_sensitivity", &S::longitudinal_load_stiffness_sensitivity, "-",
              between(-0.5, 0.5), "exponent of the load ratio in the longitudinal stiffness"),
        field("lateral_b", &S::lateral_b, "-", between(1, 60), "stiffness factor, lateral, on tan(slip angle)"),
        field("lateral_c", &S::lateral_c, "-", between(1.05, 2), "shape factor, lateral"),
        field("lateral_e", &S::lateral_e, "-", between(-20, 0.99), "curvature factor, lateral"),
        field("lateral_load_stiffness_sensitivity", &S::lateral_load_stiffness_sensitivity, "-", between(-0.5, 0.5),
              "exponent of the load ratio in the lateral stiffness"),
        field("lateral_load_degression", &S::lateral_load_degression, "-", between(0, 2),
              "d: cornering stiffness over load falls as 1/(1 + d (Fz/reference)^2)"),
        field("lateral_camber_stiffness_sensitivity", &S::lateral_camber_stiffness_sensitivity, "1/rad",
              between(0, 1.5), "rise of the lateral stiffness with camber"),
        field("lateral_camber_curvature_sensitivity", &S::lateral_camber_curvature_sensitivity, "1/rad", between(-1, 1),
              "change of the lateral curvature factor with camber"),
        field("sidewall_stiffness", &S::sidewall_stiffness, "-", between(0.1, 5), "factor on the lateral stiffness"),
        field("high_slip_force_retention", &S::high_slip_force_retention, "-", between(0, 1),
              "lateral force kept at large slip angles, over the peak"),
        field("high_slip_transition_start", &S::high_slip_transition_start, "rad", between(0.01, 1.4),
              "slip angle at which retention begins; not before the peak"),
        field("high_slip_transition_end", &S::high_slip_transition_end, "rad", between(0.02, 1.5),
              "slip angle at which retention is complete")};
  }
};
VD_COMPLETE(RallyCurveSpec);

// tire.*: rally.friction
struct RallyFrictionSpec {
  double peak_friction_coefficient = 1.05, friction_ellipse_ratio = 1, load_sensitivity = 0.15, reference_load = 3000;
  double beamng_no_load_friction_coefficient = 0, beamng_full_load_friction_coefficient = 0,
         beamng_load_sensitivity_slope = 0;
  double contact_area_grip_exponent = 0.05, combined_slip_coupling = 0.6, combined_slip_exponent = 2;

  static constexpr auto fields() {
    using S = RallyFrictionSpec;
    return std::tuple{
        field("peak_friction_coefficient", &S::peak_friction_coefficient, "-", between(0.05, 4),
              "longitudinal, at the reference load, warm and new, on a surface of friction 1"),
        field("friction_ellipse_ratio", &S::friction_ellipse_ratio, "-", between(0.1, 4),
              "lateral over longitudinal peak"),
        field("load_sensitivity", &S::load_sensitivity, "-", between(0, 1), "friction falls as (Fz/reference)^-this"),
        field("reference_load", &S::reference_load, "N", between(10, 1e6), "load at which all factors of load are 1"),
        field("beamng_no_load_friction_coefficient", &S::beamng_no_load_friction_coefficient, "-", between(0, 10),
              "exponential load sensitivity in place of the power law: friction at no load; 0 = power law"),
        field("beamng_full_load_friction_coefficient", &S::beamng_full_load_friction_coefficient, "-", between(0, 10),
              "friction at infinite load; 0 = power law"),
        field("beamng_load_sensitivity_slope", &S::beamng_load_sensitivity_slope, "1/N", between(0, 1),
              "rate of that exponential"),
        field("contact_area_grip_exponent", &S::contact_area_grip_exponent, "-", between(0, 0.5),
              "friction grows as (contact area)^this"),
        field("combined_slip_coupling", &S::combined_slip_coupling, "-", between(0, 20),
              "how fast cross slip lowers a force, beyond the shared peak; 0 = not at all"),
        field("combined_slip_exponent", &S::combined_slip_exponent, "-", between(1, 2), "shape of that loss")};
  }
};
VD_COMPLETE(RallyFrictionSpec);

// tire.*: rally.patch
struct RallyPatchSpec {
  double contact_patch_length_scale = 1, contact_patch_stiffness = 4e4, contact_patch_damping = 4500;
  double relaxation_length = 0.30, longitudinal_relaxation_length = 0.28, lateral_surface_relaxation_sensitivity = 0.6,
         longitudinal_surface_relaxation_sensitivity = 0.85, carcass_stiffness = 1;

  static constexpr auto fields() {
    using S = RallyPatchSpec;
    return std::tuple{
        field("contact_patch_length_scale", &S::contact_patch_length_scale, "-", between(0.1, 5),
              "factor on the patch length Fz/(pressure width)"),
        field("contact_patch_stiffness", &S::contact_patch_stiffness, "N/m", between(1e3, 1e6),
              "of the tread at 220 kPa and 205 mm: slip stiffness in BrushOnly, carcass shear"),
        field("contact_patch_damping", &S::contact_patch_damping, "N s/m", at_least(0),
              "lateral bristle damping near rest; 0 = the rolling law's own"),
        field("relaxation_length", &S::relaxation_length, "m", between(0.01, 5), "lateral, small slip, hard road"),
        field("longitudinal_relaxation_length", &S::longitudinal_relaxation_length, "m", between(0.01, 5),
              "longitudinal, small slip, hard road"),
        field("lateral_surface_relaxation_sensitivity", &S::lateral_surface_relaxation_sensitivity, "-", between(0, 5),
              "how much loose ground lengthens the lateral one"),
        field("longitudinal_surface_relaxation_sensitivity", &S::longitudinal_surface_relaxation_sensitivity, "-",
              between(0, 5), "how much loose ground lengthens the longitudinal one"),
        field("carcass_stiffness", &S::carcass_stiffness, "-", between(0.1, 10), "divides both relaxation lengths")};
  }
};
VD_COMPLETE(RallyPatchSpec);

// tire.*: rally.moments
struct RallyMomentSpec {
  double camber_thrust_coefficient = 0.8, pneumatic_trail = 0.025, aligning_torque_residual_factor = 0.08,
         aligning_torque_fx_moment_arm = 0.008, overturning_couple_factor = 0.015, overturning_camber_factor = 0.35;
  double rolling_resistance_coefficient = 0.012, rolling_resistance_moment_factor = 1,
         rolling_resistance_moment_fx_factor = 0.08, standing_wave_critical_speed = 65,
         standing_wave_resistance_gain = 1, carcass_shear_coefficient = 0.5;

  static constexpr auto fields() {
    using S = RallyMomentSpec;
    return std::tuple{
        field("camber_thrust_coefficient", &S::camber_thrust_coefficient, "1/rad", between(0, 5),
              "side force per load and inclination"),
        field("pneumatic_trail", &S::pneumatic_trail, "m", between(0, 0.3), "at zero slip and reference load"),
        field("aligning_torque_residual_factor", &S::aligning_torque_residual_factor, "-", between(0, 1),
              "share of that trail left when the whole patch slides"),
        field("aligning_torque_fx_moment_arm", &S::aligning_torque_fx_moment_arm, "m", between(0, 0.1),
              "sideways shift of the patch at full side force: lever of Fx"),
        field("overturning_couple_factor", &S::overturning_couple_factor, "-", between(0, 0.5),
              "Mx per side force and half width"),
        field("overturning_camber_factor", &S::overturning_camber_factor, "1/rad", between(0, 5),
              "Mx per load, inclination and half width"),
        field("rolling_resistance_coefficient", &S::rolling_resistance_coefficient, "-", between(0, 0.5),
              "of the tire on a hard road"),
        field("rolling_resistance_moment_factor", &S::rolling_resistance_moment_factor, "-", between(0, 5),
              "factor on the whole rolling-resistance moment"),
        field("rolling_resistance_moment_fx_factor", &S::rolling_resistance_moment_fx_factor, "-", between(0, 2),
              "loss by driving and braking: a tenth of this times Fx^2/Dx"),
        field("standing_wave_critical_speed", &S::standing_wave_critical_speed, "m/s", between(1, 1000),
              "speed at which the gain doubles the resistance"),
        field("standing_wave_resistance_gain", &S::standing_wave_resistance_gain, "-", between(0, 100),
              "rise of the resistance with speed squared"),
        field("carcass_shear_coefficient", &S::carcass_shear_coefficient, "-", between(0, 10),
              "resistance of the tread squeezed through the patch")};
  }
};
VD_COMPLETE(RallyMomentSpec);

// tire.*: rally.thermal
struct RallyThermalSpec {
  double thermal_mass = 8000, core_thermal_mass = 24000, cooling_rate = 15, core_cooling_rate = 4,
         surface_to_core_conductance = 55, road_heat_transfer_rate = 25, water_cooling_gain = 400;
  double grip_temperature_surface_weight = 0.7, ambient_temperature = 30, optimal_temperature = 85,
         temperature_window = 40;
  double tread_heat_share = 0.5, cooling_speed = 20, temperature_limit = 350;

  static constexpr auto fields() {
    using S = RallyThermalSpec;
    return std::tuple{
        field("thermal_mass", &S::thermal_mass, "J/K", between(10, 1e7), "of the tread"),
        field("core_thermal_mass", &S::core_thermal_mass, "J/K", between(10, 1e7), "of carcass and gas"),
        field("cooling_rate", &S::cooling_rate, "W/K", between(0, 1e4), "tread to air, at rest"),
        field("core_cooling_rate", &S::core_cooling_rate, "W/K", between(0, 1e4), "core to air, at rest"),
        field("surface_to_core_conductance", &S::surface_to_core_conductance, "W/K", between(0, 1e4), "tread to core"),
        field("road_heat_transfer_rate", &S::road_heat_transfer_rate, "W/K", between(0, 1e4),
              "tread to road at reference load"),
        field("water_cooling_gain", &S::water_cooling_gain, "1/m", between(0, 1e5), "rise of that per depth of water"),
        field("grip_temperature_surface_weight", &S::grip_temperature_surface_weight, "-", between(0, 1),
              "share of the tread in the temperature that sets the grip"),
        field("ambient_temperature", &S::ambient_temperature, "degC", between(-60, 70), "air, road, start of the tire"),
        field("optimal_temperature", &S::optimal_temperature, "degC", between(-60, 250), "middle of the window"),
        field("temperature_window", &S::temperature_window, "K", between(1, 500),
              "full grip this far to either side, 0.7 at twice that"),
        field("tread_heat_share", &S::tread_heat_share, "-", between(0, 1),
              "of the sliding power; the road takes the rest"),
        field("cooling_speed", &S::cooling_speed, "m/s", between(0.1, 1e4), "speed that doubles the cooling by air"),
        field("temperature_limit", &S::temperature_limit, "degC", between(100, 2000),
              "at which sliding and rolling heat the tire no more")};
  }
};
VD_COMPLETE(RallyThermalSpec);

// tire.*: rally.wear
struct RallyWearSpec {
  double wear_rate = 1e-9, worn_grip_fraction = 0.65, tread_depth = 0.008;

  static constexpr auto fields() {
    using S = RallyWearSpec;
    return std::tuple{field("wear_rate", &S::wear_rate, "1/J", between(0, 1e-3), "tread life lost per sliding energy"),
                      field("worn_grip_fraction", &S::worn_grip_fraction, "-", Range{0, 1, true, false},
                            "friction left without tread"),
                      field("tread_depth", &S::tread_depth, "m", between(0, 0.03), "new; drains water")};
  }
};
VD_COMPLETE(RallyWearSpec);

// tire.*: rally
struct RallySpec {
  RallyMode mode = RallyMode::Auto;
  double radius = 0.305;
  RallyWheelSpec wheel;
  RallyCurveSpec magic_formula;
  RallyFrictionSpec friction;
  RallyPatchSpec patch;
  RallyMomentSpec moments;
  RallyThermalSpec thermal;
  RallyWearSpec wear;
  SurfaceSpec surface;

  static constexpr auto fields() {
    using S = RallySpec;
    return std::tuple{field("mode", &S::mode, "Auto: magic formula and brush; BrushOnly; PacejkaOnly: hardly any lag"),
                      field("radius", &S::radius, "m", between(0.05, 2), "free radius"),
                      field("wheel", &S::wheel, "size, pressure, inertia"),
                      field("magic_formula", &S::magic_formula, "pure slip"),
                      field("friction", &S::friction, "peak, load, combined slip"),
                      field("patch", &S::patch, "contact patch and relaxation"),
                      field("moments", &S::moments, "camber, Mx, My, Mz"),
                      field("thermal", &S::thermal, "tread and core temperature"),
                      field("wear", &S::wear, "tread life"),
                      field("surface", &S::surface, "ground")};
  }
};
VD_COMPLETE(RallySpec);

}  // namespace vdsim
