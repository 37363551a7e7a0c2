// SPDX-License-Identifier: Apache-2.0
// The rally tire as a user edits it: one block per component law. SI units; temperatures in degC.
// Laws and the list of all properties: docs/theory/23_rally_tire.md.
#pragma once
#include "vdsim/core/math/fields.hpp"
#include "vdsim/core/road/surface.hpp"

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
};

// tire.*: rally.magic_formula
struct RallyCurveSpec {
  double longitudinal_b = 12, longitudinal_c = 1.65, longitudinal_e = -0.5,
         longitudinal_load_stiffness_sensitivity = 0.04;
  double lateral_b = 10, lateral_c = 1.30, lateral_e = -0.6, lateral_load_stiffness_sensitivity = 0.06;
  double lateral_load_degression = 0.08, lateral_camber_stiffness_sensitivity = 0.35,
         lateral_camber_curvature_sensitivity = -0.15, sidewall_stiffness = 1;
  double high_slip_force_retention = 0.65, high_slip_transition_start = 0.26, high_slip_transition_end = 0.70;
};

// tire.*: rally.friction
struct RallyFrictionSpec {
  double peak_friction_coefficient = 1.05, friction_ellipse_ratio = 1, load_sensitivity = 0.15, reference_load = 3000;
  double beamng_no_load_friction_coefficient = 0, beamng_full_load_friction_coefficient = 0,
         beamng_load_sensitivity_slope = 0;
  double contact_area_grip_exponent = 0.05, combined_slip_coupling = 0.6, combined_slip_exponent = 2;
};

// tire.*: rally.patch
struct RallyPatchSpec {
  double contact_patch_length_scale = 1, contact_patch_stiffness = 4e4, contact_patch_damping = 4500;
  double relaxation_length = 0.30, longitudinal_relaxation_length = 0.28, lateral_surface_relaxation_sensitivity = 0.6,
         longitudinal_surface_relaxation_sensitivity = 0.85, carcass_stiffness = 1;
};

// tire.*: rally.moments
struct RallyMomentSpec {
  double camber_thrust_coefficient = 0.8, pneumatic_trail = 0.025, aligning_torque_residual_factor = 0.08,
         aligning_torque_fx_moment_arm = 0.008, overturning_couple_factor = 0.015, overturning_camber_factor = 0.35;
  double rolling_resistance_coefficient = 0.012, rolling_resistance_moment_factor = 1,
         rolling_resistance_moment_fx_factor = 0.08, standing_wave_critical_speed = 65,
         standing_wave_resistance_gain = 1, carcass_shear_coefficient = 0.5;
};

// tire.*: rally.thermal
struct RallyThermalSpec {
  double thermal_mass = 8000, core_thermal_mass = 24000, cooling_rate = 15, core_cooling_rate = 4,
         surface_to_core_conductance = 55, road_heat_transfer_rate = 25, water_cooling_gain = 400;
  double grip_temperature_surface_weight = 0.7, ambient_temperature = 30, optimal_temperature = 85,
         temperature_window = 40;
  double tread_heat_share = 0.5, cooling_speed = 20, temperature_limit = 350;
};

// tire.*: rally.wear
struct RallyWearSpec {
  double wear_rate = 1e-9, worn_grip_fraction = 0.65, tread_depth = 0.008;
};

// tire.*: rally.start  A tire that is warm, worn or blown up when the run begins.
struct RallyStartSpec {
  double tread_temperature = kKeepTemperature, core_temperature = kKeepTemperature;  // without: ambient
  double tread = 1, pressure = 0;                                                    // 0: tire_pressure at ambient
};

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
  RallyStartSpec start;
  SurfaceSpec surface;
};

}  // namespace vdsim
