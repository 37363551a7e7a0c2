// TireSpec -> TireParams, TireKind. Solves once what the laws need: the slip of the peak.
#pragma once
#include "vdsim/core/tire/belt.hpp"
#include "vdsim/core/tire/magic_formula.hpp"
#include "vdsim/core/tire/mf_tyre.hpp"
#include "vdsim/core/tire/rally_compile.hpp"

namespace vdsim {

// [T03.7]  Slip of the peak: (1 - E) x + E atan x = tan(pi/(2 C)), s_p = x/B. Where the curve has no peak: 99 % of its supremum.
struct PeakSlip {
  double slip;
  bool interior;  // a true maximum
};
inline PeakSlip peak_slip(double B, double C, double E) {
  const double half_pi = 1.5707963267948966;
  const auto phi = [&](double x) { return (1 - E) * x + E * atan(x); };
  const double top = C > 1 ? tan(half_pi / C) : 1e300;  // phi at the peak
  const double reach = E < 1 ? 1e300 : half_pi;         // supremum of phi
  const bool interior = top < reach;
  double target = top;
  if (!interior) {
    const double f = 0.99 * sin(C * atan(reach));
    target = tan(atan2(f, sqrt(1 - f * f)) / C);
  }
  double lo = 0, hi = 1;
  while (phi(hi) < target && hi < 1e12) hi *= 2;
  for (int i = 0; i < 200; ++i) {
    const double mid = 0.5 * (lo + hi);
    (phi(mid) < target ? lo : hi) = mid;
  }
  return {0.5 * (lo + hi) / B, interior};
}

inline Curve<double> compile_curve(bool linear, double B, double C, double E, double cap) {
  Curve<double> c{B, C, E, 0, 0, cap, 1, 1};
  const PeakSlip peak = linear ? PeakSlip{1 / B, true} : peak_slip(B, C, E);
  const double fp =
      mf_curve(c, linear, peak.interior && peak.slip < cap ? peak.slip : cap);  // largest value on (0, cap]
  c.s_p = peak.slip < 0.5 ? peak.slip : 0.5;
  c.inv_s_p = 1 / c.s_p;
  c.inv_fp = 1 / fp;
  c.inv_f1 = fp / mf_curve(c, linear, c.s_p);
  return c;
}

// Relaxation lengths of the belt that act: none while it is switched off.
inline BeltSpec belt_of(const TireSpec& s) { return s.belt.enabled ? s.belt : BeltSpec{false, 0, 0}; }

// dF/ds at zero slip over the peak factor D
inline double slip_stiffness(const Curve<double>& c, bool linear) { return linear ? c.B : c.B * c.C; }

inline TireKind tire_kind(const TireSpec& s) {
  TireKind k{};
  if (s.schema == TireSchema::lugre_patch_v1) {
    k.patch = true;
    return k;
  }
  if (s.schema == TireSchema::rally_v1) {
    k.rally = k.at_load = k.load_slip = k.lugre = k.rolling = k.similarity = k.roll_memory = k.pivot = true;
    k.rally_law = rally_kind(s.rally);
    k.offset = k.rally_law.camber;
    return k;
  }
  k.linear = s.backend == TireBackend::linear;
  k.lugre = s.lugre.enabled;
  k.rolling = s.lugre.law == LugreLaw::rolling;
  Combined c = s.combined;
  if (c == Combined::automatic) c = k.rolling ? Combined::similarity : Combined::ellipse;
  if (!s.combined_slip_enabled) c = Combined::none;
  k.ellipse = c == Combined::ellipse;
  k.similarity = c == Combined::similarity;
  k.blend = !k.lugre && s.low_speed_mode == LowSpeedMode::kinematic_blend;
  k.vlow = !k.lugre && s.low_speed_mode == LowSpeedMode::tire_vlow;
  k.relax_long = !k.lugre && s.relaxation_length_long + belt_of(s).sigma_long > 0;
  k.relax_lat = !k.lugre && s.relaxation_length_lat + belt_of(s).sigma_lat > 0;
  k.belt = k.lugre && !k.rolling && s.belt.enabled;
  k.reff = s.reff_dreff != 0 || s.reff_freff != 0;
  k.camber = s.camber_stiffness != 0;
  k.offset = k.camber;
  k.load_slip = k.reff;
  if (s.backend == TireBackend::magic_formula) {  // the file has its own radius, camber and combined slip
    k.tir = k.at_load = k.load_slip = k.offset = true;
    k.reff = k.camber = k.ellipse = k.similarity = false;
    k.tir_law = tir_kind(s.tir, s.tir_flavour == TirFlavour::book);
  }
  k.roll_memory = s.lugre.rolling.roll_memory > 0;
  k.pivot = k.lugre && k.rolling && s.lugre.rolling.c_psi > 0;
  return k;
}

// Bristle constants; a damping of 0 is critical for the mass m_eff.
inline void compile_bristles(double sigma0_x, double sigma0_y, double sigma1_x, double sigma1_y, double m_eff,
                             TireParams<double>& p) {
  p.sigma0_x = sigma0_x;
  p.sigma0_y = sigma0_y;
  p.sigma1_x = sigma1_x > 0 ? sigma1_x : 2 * sqrt(sigma0_x * m_eff);
  p.sigma1_y = sigma1_y > 0 ? sigma1_y : 2 * sqrt(sigma0_y * m_eff);
  p.inv_sigma0_x = 1 / p.sigma0_x;
  p.inv_sigma0_y = 1 / p.sigma0_y;
  p.decay_x = 0.5 * p.sigma1_x / p.sigma0_x;
  p.decay_y = 0.5 * p.sigma1_y / p.sigma0_y;
}

inline void compile_mf96_bristles(const TireSpec& s, const TireKind& k, double peak, TireParams<double>& p) {
  const BeltSpec belt = belt_of(s);
  double x = s.lugre.sigma0, y = k.rolling ? s.lugre.rolling.sigma0_lat : s.lugre.sigma0;  // breakaway has one for both
  if (k.lugre && k.rolling && s.belt.enabled) {
    x = belt_in_series(x, belt.sigma_long, slip_stiffness(p.lon, k.linear) * s.D_long * peak);
    y = belt_in_series(y, belt.sigma_lat, slip_stiffness(p.lat, k.linear) * s.D_lat * peak);
  }
  compile_bristles(x, y, s.lugre.sigma1, s.lugre.sigma1, k.rolling ? s.lugre.rolling.m_eff : s.lugre.m_eff, p);
}

inline void compile_tir_tire(const TireSpec& s, TireParams<double>& p) {
  const BeltSpec belt = belt_of(s);
  const TirNominal n = tir_nominal(s.tir);
  p.tir = compile_tir(s.tir);
  p.tir_at.pressure = s.tir.operating.INFLPRES;
  const TirCurves<double> c = mf_tyre_curves(tir_kind(s.tir), p.tir, p.tir.Fz0n, p.tir.p_ref, 1.0, 1.0);
  p.tir_at.x_px = peak_slip(1, c.Cx, c.Ex).slip;
  p.tir_at.x_py = peak_slip(1, c.Cy, c.Ey).slip;
  if (s.lugre.enabled && s.lugre.law == LugreLaw::rolling)
    compile_bristles(belt_in_series(n.sigma0_x, belt.sigma_long, n.Kx),
                     belt_in_series(n.sigma0_y, belt.sigma_lat, n.Ky), s.lugre.sigma1, s.lugre.sigma1,
                     0.5 * p.tir.Fz0 / kGravity, p);
}

inline TireParams<double> compile_tire(const TireSpec& s, double radius) {
  const TireKind k = tire_kind(s);
  const RollingSpec& q = s.lugre.rolling;
  const BeltSpec belt = belt_of(s);
  TireParams<double> p{};
  // the linear backend rises with its slip stiffness at nominal load and then stays at the peak
  const double peak = s.mu_nominal * s.Fz_nominal;
  const double B_long = k.linear ? s.B_long * s.C_long : s.B_long;
  const double B_lat = k.linear ? s.cornering_stiffness / (s.D_lat * peak) : s.B_lat;
  p.lon = compile_curve(k.linear, B_long, s.C_long, s.E_long, q.kappa_cap);
  p.lat = compile_curve(k.linear, B_lat, s.C_lat, s.E_lat, 1e3);
  // the similarity law is written on the true peak, the others on D
  const bool true_peak = k.similarity || (k.lugre && k.rolling);
  p.D_long = s.D_long / (true_peak ? p.lon.inv_fp : 1);
  p.D_lat = s.D_lat / (true_peak ? p.lat.inv_fp : 1);
  p.mu_n = s.mu_nominal;
  p.load_sens = s.load_sensitivity;
  p.inv_Fz_n = 1 / s.Fz_nominal;
  p.C_gamma = s.camber_stiffness;
  p.rolling_resistance = s.rolling_resistance;
  p.t_0 = s.pneumatic_trail;
  p.inv_alp_0 = 1 / s.trail_falloff_alpha;
  p.R0 = radius;
  p.reff_b = s.reff_breff;
  p.reff_d = s.reff_dreff;
  p.reff_f = s.reff_freff;
  p.reff_gain = s.Fz_nominal / s.tire_vertical_stiffness;
  compile_mf96_bristles(s, k, peak, p);
  p.sigma2 = s.lugre.sigma2;
  p.s_m = sqrt(p.lon.s_p * p.lat.s_p);
  p.v_st = q.v_st;
  p.inv_v_st = 1 / q.v_st;
  p.inv_v_d = 1 / q.v_d;
  p.beta = q.beta;
  p.inv_1m_beta = 1 / (1 - q.beta);
  p.inv_b = k.roll_memory ? 1 / q.roll_memory : 0;
  p.r_psi = q.r_psi;
  p.inv_r_psi = 1 / q.r_psi;
  p.c_psi = q.c_psi;
  p.inv_c_psi = k.pivot ? 1 / q.c_psi : 0;
  p.inv_L_psi = 1 / q.L_psi;
  // springs in series: their relaxation lengths add  [T21.4]
  p.inv_relax_long = k.relax_long ? 1 / (s.relaxation_length_long + belt.sigma_long) : 0;
  p.inv_relax_lat = k.relax_lat ? 1 / (s.relaxation_length_lat + belt.sigma_lat) : 0;
  p.belt_long = belt.sigma_long;
  p.belt_lat = belt.sigma_lat;
  p.vlow_eps = s.vlow_speed_eps;
  p.vlow_k0 = s.vlow_damping;
  if (k.tir) compile_tir_tire(s, p);
  if (k.rally) {
    const RallyNominal n = rally_nominal(s.rally);
    p.rally = compile_rally(s.rally);
    compile_bristles(n.sigma0_x, n.sigma0_y, n.sigma1_x, n.sigma1_y, 0.5 * n.Fz_n / kGravity, p);
  }
  if (k.patch) p.sigma0_x = p.sigma0_y = 0;  // its bristles are its own
  return p;
}

}  // namespace vdsim
