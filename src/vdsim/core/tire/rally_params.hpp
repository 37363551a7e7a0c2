// SPDX-License-Identifier: Apache-2.0
// Compiled rally tire: constants of type R, switches that are the same for every lane, and the state between steps.
#pragma once
#include "vdsim/core/math/real.hpp"
#include "vdsim/core/tire/rally_spec.hpp"

namespace vdsim {

inline constexpr double kRallyPressure = 220e3;  // [Pa]  at which the stiffnesses are given
inline constexpr double kRallyWidth = 0.205;     // [m]   the same
inline constexpr double kRallyTread = 4e4;   // [N/m] contact_patch_stiffness that leaves the slip stiffness as it is
inline constexpr double kRallyShort = 0.15;  // [m]   relaxation of PacejkaOnly: short, yet good at 60 Hz
inline constexpr double kAtmosphere = 101325.0;  // [Pa]

struct RallyKind {
  RallyMode mode;
  bool water, camber, texture, coupled, square;  // square: combined-slip exponent is 2
  bool exponential, area, retention;             // load law; grip by contact area; high-slip retention
  constexpr bool operator==(const RallyKind&) const = default;
};

// One direction of the pure-slip law, on hard ground; B at reference load on a surface of friction 1.
template <class R> struct RallyAxis {
  R B, C, E;
  R x_p, x_b, inv_x_p, inv_x_b;  // B s at the peak: magic formula; brush, 3/C
  R load;                        // exponent of the load ratio
  R sigma, q;                    // relaxation length [m], its surface sensitivity
};

// What a ground makes of a tire.
template <class R> struct RallyGround {
  R Bx, By, Ex, x_p, inv_x_p;          // slip stiffness; curvature and peak of the longitudinal curve
  R friction, wet_base, inv_V_aqua;    // 1 - loss; s/m
  R crr, shear, h_road, T_road, wear;  // rolling resistance, heat [W/K], [degC], wear
  R sigma0_x, sigma0_y;                // bristle stiffness at the reference load, new, at ambient [N/m]
};

template <class R> struct RallyParams {
  RallyAxis<R> lon, lat;
  R degression, camber_B, camber_E;                      // lateral curve by load and camber
  R retention, ret_start, ret_inv_range;                 // in slip over the slip of the peak
  R mu, ratio, F0, inv_F0, load_exp;                     // peak friction; lateral/longitudinal; [N], 1/N
  R exp_full, exp_rest, exp_slope;                       // exponential load law over its value at the reference load
  R area_exp, log_scale, coupling, coupling2, couple_C;  // coupling2: its square
  R p_cold, gas, worn, T_amb, T_opt, inv_window,
      T_weight;           // gas: absolute cold pressure / absolute ambient temperature
  R depth, drain;         // drainage of the new tread; part of it that a worn tire loses
  R patch, a_max, tread;  // half patch length over a_max, times pressure over load [Pa/N]; [m]; tread stiffness [N/m]
  R radius, inv_radius, d_max, dent;  // [m], [1/m], [m]; deflection over d_max, times pressure over load [Pa/N]
  R C_gamma, trail, residual, fx_arm, offset;  // trail: pneumatic trail over a third of the patch, at reference
  R couple_h, camber_h;                        // overturning [m]
  R crr, crr_tire, crr_factor, fx_loss, shear, inv_V_wave2, wave_gain;
  R inv_m_tread, inv_m_core, h_air, h_core, h_link, h_road, h_water, inv_V_cool, share, inv_dT, T_max;
  R wear;
  R top, carcass;               // longitudinal: tan(pi/(2 C)); carcass stiffness
  R T_tread0, T_core0, tread0;  // at the start of a run
  Ground<R> own;                // the ground where the road names none,
  RallyGround<R> on_own;        // and what it makes of the tire
};

// What the tire remembers besides its bristles.
template <class R> struct RallyState {
  R T_tread, T_core;  // [degC]
  R tread;            // tread life, 1 new, 0 bald
};
// At the start of a run.
inline RallyState<double> rally_state(const RallySpec& s) {
  const auto or_ambient = [&](double T) { return T < -kKelvin ? s.thermal.ambient_temperature : T; };
  return {or_ambient(s.start.tread_temperature), or_ambient(s.start.core_temperature), s.start.tread};
}
// [T23.7] solved for the amount of gas: absolute pressure over absolute temperature
inline double rally_gas(const RallySpec& s) {
  if (s.start.pressure > 0) return (s.start.pressure + kAtmosphere) / (rally_state(s).T_core + kKelvin);
  return (s.wheel.tire_pressure + kAtmosphere) / (s.thermal.ambient_temperature + kKelvin);
}
// [T23.18]  at the pressure of the start
inline double rally_vertical_stiffness(const RallySpec& s) {
  const double p = rally_gas(s) * (rally_state(s).T_core + kKelvin) - kAtmosphere;
  return s.wheel.vertical_stiffness * (p > 2e4 ? p : 2e4) / kRallyPressure;
}

}  // namespace vdsim
