// SPDX-License-Identifier: Apache-2.0
// RallySpec -> RallyKind, RallyParams, and what the rolling law needs to carry the forces.
#pragma once
#include "vdsim/core/tire/rally_ground.hpp"

namespace vdsim {

// B s at the peak of the magic formula: (1 - E) x + E atan x = tan(pi/(2 C)); rises for E < 1.
inline double peak_argument(double C, double E) {
  const double top = tan(1.5707963267948966 / C);
  double lo = 0, hi = 1;
  const auto left = [&](double x) { return (1 - E) * x + E * atan(x); };
  while (left(hi) < top) hi *= 2;
  for (int i = 0; i < 100; ++i) {
    const double mid = 0.5 * (lo + hi);
    (left(mid) < top ? lo : hi) = mid;
  }
  return 0.5 * (lo + hi);
}
inline double peak_top(double C) { return tan(1.5707963267948966 / C); }

// No curve of this shape has its peak there: it would need E > 1.
inline constexpr const char* kTurnsOver =
    "moves the peak so far that the curve would turn over; lower it or longitudinal_c";
inline bool turns_over(const RallyCurveSpec& c, double peak_slip_ratio_scale) {
  const double x_p = peak_argument(c.longitudinal_c, c.longitudinal_e) * peak_slip_ratio_scale;
  return peak_slip_ratio_scale != 1 && peak_curvature(peak_top(c.longitudinal_c), x_p) > 1;
}

// What the field table cannot say. complain(path, text) for every fault.
template <class F> void check_rally(const RallySpec& s, F&& complain) {
  const RallyCurveSpec& c = s.magic_formula;
  const RallyFrictionSpec& f = s.friction;
  if (peak_argument(c.longitudinal_c, c.longitudinal_e) > 0.5 * c.longitudinal_b)
    complain("magic_formula.longitudinal_b", "the curve peaks beyond a slip of 0.5; raise b, c or lower e");
  if (peak_argument(c.lateral_c, c.lateral_e) > 0.5 * c.lateral_b)
    complain("magic_formula.lateral_b", "the curve peaks beyond tan(slip angle) = 0.5; raise b, c or lower e");
  if (turns_over(c, s.surface.peak_slip_ratio_scale)) complain("surface.peak_slip_ratio_scale", kTurnsOver);
  if (c.high_slip_transition_end <= c.high_slip_transition_start)
    complain("magic_formula.high_slip_transition_end", "must lie above high_slip_transition_start");
  const int given = (f.beamng_no_load_friction_coefficient > 0) + (f.beamng_full_load_friction_coefficient > 0) +
                    (f.beamng_load_sensitivity_slope > 0);
  if (given != 0 && given != 3)
    complain("friction.beamng_no_load_friction_coefficient",
             "the exponential load law needs no-load friction, full-load friction and slope together");
  if (s.wheel.hub_radius >= s.radius) complain("wheel.hub_radius", "must be smaller than radius");
}

inline RallyKind rally_kind(const RallySpec& s) {
  RallyKind k{};
  k.mode = s.mode;
  k.water = s.surface.water_depth > 0 && s.surface.deformation < 1;
  k.camber = s.moments.camber_thrust_coefficient > 0;
  k.texture = s.surface.noise_factor > 0;
  k.coupled = s.friction.combined_slip_coupling > 0;
  k.square = s.friction.combined_slip_exponent == 2;
  k.exponential = s.friction.beamng_no_load_friction_coefficient > 0;
  k.area = s.friction.contact_area_grip_exponent > 0;
  k.retention = s.magic_formula.high_slip_force_retention > 0;
  return k;
}

inline void compile_rally_curves(const RallySpec& s, RallyParams<double>& p) {
  const RallyCurveSpec& c = s.magic_formula;
  p.lon.B = c.longitudinal_b;
  p.lon.C = c.longitudinal_c;
  p.lon.E = c.longitudinal_e;
  p.lon.x_p = peak_argument(p.lon.C, p.lon.E);
  p.top = peak_top(p.lon.C);
  p.lon.load = c.longitudinal_load_stiffness_sensitivity;
  p.lat.B = c.lateral_b * c.sidewall_stiffness;
  p.lat.C = c.lateral_c;
  p.lat.E = c.lateral_e;
  p.lat.x_p = peak_argument(p.lat.C, p.lat.E);
  p.lat.load = c.lateral_load_stiffness_sensitivity;
  for (RallyAxis<double>* a : {&p.lon, &p.lat}) {
    a->x_b = 3 / a->C;
    a->inv_x_p = 1 / a->x_p;
    a->inv_x_b = 1 / a->x_b;
  }
  p.degression = c.lateral_load_degression;
  p.camber_B = c.lateral_camber_stiffness_sensitivity;
  p.camber_E = c.lateral_camber_curvature_sensitivity;
  // the two angles of the retention, over the slip of the peak of the tire on the reference surface
  const double s_p = p.lat.x_p / c.lateral_b, start = tan(c.high_slip_transition_start) / s_p;
  p.retention = c.high_slip_force_retention;
  p.ret_start = start > 1 ? start : 1;
  const double end = tan(c.high_slip_transition_end) / s_p;
  p.ret_inv_range = 1 / (end > p.ret_start + 0.1 ? end - p.ret_start : 0.1);
}

inline void compile_rally_friction(const RallySpec& s, RallyParams<double>& p) {
  const RallyFrictionSpec& f = s.friction;
  const RallyKind k = rally_kind(s);
  p.mu = f.peak_friction_coefficient;
  p.ratio = f.friction_ellipse_ratio;
  p.F0 = f.reference_load;
  p.inv_F0 = 1 / f.reference_load;
  p.area_exp = f.contact_area_grip_exponent;
  p.log_scale = log(s.patch.contact_patch_length_scale);
  p.load_exp = p.area_exp - f.load_sensitivity;
  if (k.exponential) {
    const double full = f.beamng_full_load_friction_coefficient, rest = f.beamng_no_load_friction_coefficient - full;
    const double slope = f.beamng_load_sensitivity_slope * f.reference_load, c0 = full + rest * exp(-slope);
    p.exp_full = full / c0;
    p.exp_rest = rest / c0;
    p.exp_slope = slope;
  }
  p.coupling = f.combined_slip_coupling;
  p.couple_C = f.combined_slip_exponent;
  p.coupling2 = p.coupling * p.coupling;
  const double depth = s.wear.tread_depth / 0.008;
  p.depth = 0.65 + 0.35 * depth;
  p.drain = 0.35 * depth / p.depth;
}

inline void compile_rally_body(const RallySpec& s, RallyParams<double>& p) {
  const RallyWheelSpec& w = s.wheel;
  const RallyMomentSpec& m = s.moments;
  p.p_cold = w.tire_pressure;
  p.gas = rally_gas(s);
  p.a_max = 0.5 * s.radius;
  p.patch = 0.5 * s.patch.contact_patch_length_scale / (w.width * p.a_max);
  p.tread = s.patch.contact_patch_stiffness * (w.width / kRallyWidth);
  p.radius = s.radius;
  p.d_max = 0.35 * s.radius;
  p.dent = kRallyPressure / (w.vertical_stiffness * p.d_max);
  p.inv_radius = 1 / s.radius;
  p.C_gamma = m.camber_thrust_coefficient;
  p.trail = m.pneumatic_trail * 3 * (2 * w.tire_pressure * w.width) / s.friction.reference_load;
  p.residual = m.aligning_torque_residual_factor;
  p.fx_arm = m.aligning_torque_fx_moment_arm;
  p.offset = w.wheel_offset;
  const double half = 0.5 * (w.hub_width > w.width ? w.hub_width : w.width);
  p.couple_h = half * m.overturning_couple_factor;
  p.camber_h = half * m.overturning_camber_factor;
  p.crr = m.rolling_resistance_coefficient;
  p.crr_tire = m.rolling_resistance_moment_factor * p.crr;
  p.crr_factor = m.rolling_resistance_moment_factor;
  p.fx_loss = 0.1 * m.rolling_resistance_moment_fx_factor;
  p.shear = m.rolling_resistance_moment_factor * m.carcass_shear_coefficient;
  p.inv_V_wave2 = 1 / (m.standing_wave_critical_speed * m.standing_wave_critical_speed);
  p.wave_gain = m.standing_wave_resistance_gain;
}

inline void compile_rally_heat(const RallySpec& s, RallyParams<double>& p) {
  const RallyThermalSpec& t = s.thermal;
  p.T_amb = t.ambient_temperature;
  p.T_opt = t.optimal_temperature;
  p.inv_window = 1 / t.temperature_window;
  p.T_weight = t.grip_temperature_surface_weight;
  p.worn = s.wear.worn_grip_fraction;
  p.inv_m_tread = 1 / t.thermal_mass;
  p.inv_m_core = 1 / t.core_thermal_mass;
  p.h_air = t.cooling_rate;
  p.h_core = t.core_cooling_rate;
  p.h_link = t.surface_to_core_conductance;
  p.h_road = t.road_heat_transfer_rate;
  p.h_water = t.water_cooling_gain;
  p.inv_V_cool = 1 / t.cooling_speed;
  p.share = t.tread_heat_share;
  p.inv_dT = 1 / (t.temperature_limit - t.ambient_temperature);
  p.T_max = t.temperature_limit;
  p.wear = s.wear.wear_rate;
}

inline RallyParams<double> compile_rally(const RallySpec& s) {
  RallyParams<double> p{};
  compile_rally_curves(s, p);
  compile_rally_friction(s, p);
  compile_rally_body(s, p);
  compile_rally_heat(s, p);
  const RallyPatchSpec& q = s.patch;
  p.lon.sigma = q.longitudinal_relaxation_length;
  p.lon.q = q.longitudinal_surface_relaxation_sensitivity;
  p.lat.sigma = q.relaxation_length;
  p.lat.q = q.lateral_surface_relaxation_sensitivity;
  p.carcass = q.carcass_stiffness;
  p.own = ground_of(s.surface);
  const RallyState<double> at = rally_state(s);
  p.T_tread0 = at.T_tread;
  p.T_core0 = at.T_core;
  p.tread0 = at.tread;
  p.on_own = rally_ground(rally_kind(s), p, p.own);
  return p;
}

// On its own ground.
struct RallyNominal : RallyStiffness<double> {
  double sigma0_x, sigma0_y;     // bristle stiffness C/sigma [N/m]
  double sigma1_x, sigma1_y;     // bristle damping [N s/m]; 0 = automatic
  double Fz_n, radius, inertia;  // reference load [N], free radius [m], of the wheel about its axle [kg m^2]
};
// [T23.30]  I = 1.2 m (R^2 + r^2)/2 times rim width over width, m = 5 % of the reference load
inline double rally_inertia(const RallySpec& s) {
  const RallyWheelSpec& w = s.wheel;
  if (w.wheel_inertia > 0) return w.wheel_inertia;
  const double r = w.hub_radius > 0 ? w.hub_radius : 0.55 * s.radius,
               wide = w.hub_width > 0 ? w.hub_width / w.width : 1;
  const double ratio = wide < 0.6 ? 0.6 : wide > 1.5 ? 1.5 : wide;
  return 1.2 * 0.05 * s.friction.reference_load / 9.81 * 0.5 * (s.radius * s.radius + r * r) * ratio;
}
inline RallyNominal rally_nominal(const RallySpec& s) {
  RallyNominal n{};
  const RallyKind k = rally_kind(s);
  const RallyParams<double> p = compile_rally(s);
  n.Fz_n = s.friction.reference_load;
  n.radius = s.radius;
  n.inertia = rally_inertia(s);
  static_cast<RallyStiffness<double>&>(n) = rally_stiffness(k, p, p.own, p.on_own);
  n.sigma0_x = p.on_own.sigma0_x;
  n.sigma0_y = p.on_own.sigma0_y;
  n.sigma1_y = s.patch.contact_patch_damping;
  n.sigma1_x = s.patch.contact_patch_damping * sqrt(n.sigma0_x / n.sigma0_y);
  return n;
}

}  // namespace vdsim
