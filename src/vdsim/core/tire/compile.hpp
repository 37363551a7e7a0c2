// SPDX-License-Identifier: Apache-2.0
// TireSpec -> TireKind, TireParams. Solves once what the laws need: the slip of the peak.
#pragma once
#include "vdsim/core/tire/belt.hpp"
#include "vdsim/core/tire/mf_tyre.hpp"
#include "vdsim/core/tire/rally_compile.hpp"
#include "vdsim/core/tire/steady_mf.hpp"

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

inline constexpr double kTanCap = 1e3;  // largest tan(slip angle) a lateral curve is read at

// Relaxation lengths of the belt that act: none while it is switched off.
inline BeltSpec belt_of(const TireSpec& s) { return s.belt.enabled ? s.belt : BeltSpec{false, 0, 0}; }

// dF/ds at zero slip over the peak factor D
inline double slip_stiffness(const Curve<double>& c, bool linear) { return linear ? c.B : c.B * c.C; }

inline ContactLaw contact_law(const TireSpec& s) {
  if (s.schema == TireSchema::lugre_patch_v1) return ContactLaw::patch;
  if (s.schema == TireSchema::rally_v1) return ContactLaw::rolling;
  if (!s.lugre.enabled) return ContactLaw::algebraic;
  return s.lugre.law == LugreLaw::rolling ? ContactLaw::rolling : ContactLaw::breakaway;
}
inline SteadyLaw steady_law(const TireSpec& s) {
  if (s.schema == TireSchema::rally_v1) return SteadyLaw::rally;
  if (s.schema == TireSchema::lugre_patch_v1) return SteadyLaw::mf96;
  return s.backend == TireBackend::linear          ? SteadyLaw::linear
         : s.backend == TireBackend::magic_formula ? SteadyLaw::tir
                                                   : SteadyLaw::mf96;
}
inline Combined combined_slip(const TireSpec& s) {
  if (!s.combined_slip_enabled) return Combined::none;
  if (s.combined != Combined::automatic) return s.combined;
  return s.lugre.law == LugreLaw::rolling ? Combined::similarity : Combined::ellipse;
}

inline TireKind tire_kind(const TireSpec& s) {
  TireKind k{};
  k.steady = steady_law(s);
  k.contact = contact_law(s);
  if (k.contact == ContactLaw::patch) return k;
  if (k.steady == SteadyLaw::rally) {
    k.at_load = k.load_slip = k.similarity = k.roll_memory = k.pivot = true;
    k.rally_law = rally_kind(s.rally);
    k.offset = k.rally_law.camber;
    return k;
  }
  const bool plain = k.contact == ContactLaw::algebraic;
  k.mu_shrinks =
      (k.steady == SteadyLaw::mf96 || k.steady == SteadyLaw::linear) && s.mu_scaling == MuScaling::similarity;
  k.ellipse = combined_slip(s) == Combined::ellipse;
  k.similarity = combined_slip(s) == Combined::similarity;
  k.blend = plain && s.low_speed_mode == LowSpeedMode::kinematic_blend;
  k.vlow = plain && s.low_speed_mode == LowSpeedMode::tire_vlow;
  k.relax_long = plain && s.relaxation_length_long + belt_of(s).sigma_long > 0;
  k.relax_lat = plain && s.relaxation_length_lat + belt_of(s).sigma_lat > 0;
  k.belt = k.contact == ContactLaw::breakaway && s.belt.enabled;
  k.reff = s.reff_dreff != 0 || s.reff_freff != 0;
  k.camber = s.camber_stiffness != 0;
  k.offset = k.camber;
  k.load_slip = k.reff;
  if (k.steady == SteadyLaw::tir) {  // the file has its own radius, camber and combined slip
    k.at_load = k.load_slip = k.offset = true;
    k.reff = k.camber = k.ellipse = k.similarity = false;
    k.tir_law = tir_kind(s.tir, s.tir_flavour == TirFlavour::book);
  }
  k.roll_memory = s.lugre.rolling.roll_memory > 0;
  k.pivot = k.contact == ContactLaw::rolling && s.lugre.rolling.c_psi > 0;
  return k;
}

// Wheels that are never inclined have no camber thrust to add: the same forces, and the kernels of fixed laws serve the tire.
inline void stand_upright(TireKind& k) {
  if (k.steady == SteadyLaw::mf96 || k.steady == SteadyLaw::linear) k.camber = k.offset = false;
}

// What the numbers of a tire are made from: its spec and kind.
struct TireSource {
  const TireSpec& s;
  TireKind k;
  bool rolls() const { return k.contact == ContactLaw::rolling; }
};

// Bristles; a damping of 0 is critical for the mass m_eff.
struct Bristles {
  double sigma0_x, sigma0_y, sigma1_x, sigma1_y, m_eff;
};
inline void compile_bristles(const Bristles& b, bool rolls, TireParams<double>& p) {
  p.sigma0_x = b.sigma0_x;
  p.sigma0_y = b.sigma0_y;
  p.sigma1_x = b.sigma1_x > 0 ? b.sigma1_x : 2 * sqrt(b.sigma0_x * b.m_eff);
  p.sigma1_y = b.sigma1_y > 0 ? b.sigma1_y : 2 * sqrt(b.sigma0_y * b.m_eff);
  if (!rolls) return;
  p.rolling.inv_sigma0_x = 1 / p.sigma0_x;
  p.rolling.inv_sigma0_y = 1 / p.sigma0_y;
  p.rolling.decay_x = 0.5 * p.sigma1_x / p.sigma0_x;
  p.rolling.decay_y = 0.5 * p.sigma1_y / p.sigma0_y;
}

// Bristles of a tire with MF96 or linear curves. A tire without bristles gets their numbers as well; it never reads them.
inline Bristles mf_bristles(const TireSource& t, const MfParams<double>& p) {
  const TireSpec& s = t.s;
  const BeltSpec belt = belt_of(s);
  const bool law = s.lugre.law == LugreLaw::rolling;
  const double peak = s.mu_nominal * s.Fz_nominal;
  double x = s.lugre.sigma0, y = law ? s.lugre.rolling.sigma0_lat : s.lugre.sigma0;  // breakaway has one for both
  if (t.rolls() && s.belt.enabled) {
    x = belt_in_series(x, belt.sigma_long, slip_stiffness(p.lon, linear(t.k)) * s.D_long * peak);
    y = belt_in_series(y, belt.sigma_lat, slip_stiffness(p.lat, linear(t.k)) * s.D_lat * peak);
  }
  return {x, y, s.lugre.sigma1, s.lugre.sigma1, law ? s.lugre.rolling.m_eff : s.lugre.m_eff};
}

inline MfParams<double> compile_mf(const TireSource& t) {
  const TireSpec& s = t.s;
  const bool lin = linear(t.k);
  MfParams<double> p{};
  // the linear law rises with its slip stiffness at nominal load and then stays at the peak
  const double peak = s.mu_nominal * s.Fz_nominal;
  const double B_long = lin ? s.B_long * s.C_long : s.B_long;
  const double B_lat = lin ? s.cornering_stiffness / (s.D_lat * peak) : s.B_lat;
  p.lon = compile_curve(lin, B_long, s.C_long, s.E_long, s.lugre.rolling.kappa_cap);
  p.lat = compile_curve(lin, B_lat, s.C_lat, s.E_lat, kTanCap);
  // the similarity law is written on the true peak, the others on D
  const bool true_peak = t.k.similarity || t.rolls();
  p.D_long = s.D_long / (true_peak ? p.lon.inv_fp : 1);
  p.D_lat = s.D_lat / (true_peak ? p.lat.inv_fp : 1);
  p.mu_n = s.mu_nominal;
  p.load_sens = s.load_sensitivity;
  p.inv_Fz_n = 1 / s.Fz_nominal;
  p.C_gamma = s.camber_stiffness;
  p.rolling_resistance = s.rolling_resistance;
  p.t_0 = s.pneumatic_trail;
  p.inv_alp_0 = 1 / s.trail_falloff_alpha;
  p.reff_b = s.reff_breff;
  p.reff_d = s.reff_dreff;
  p.reff_f = s.reff_freff;
  p.reff_gain = s.Fz_nominal / s.tire_vertical_stiffness;
  p.s_m = sqrt(p.lon.s_p * p.lat.s_p);
  return p;
}

inline TirTireParams<double> compile_tir_tire(const TireSource& t) {
  TirTireParams<double> p{};
  p.law = compile_tir(t.s.tir);
  p.pressure = t.s.tir.operating.INFLPRES;
  p.cap_x = t.s.lugre.rolling.kappa_cap;
  p.cap_y = kTanCap;
  const TirCurves<double> c = mf_tyre_curves(tir_kind(t.s.tir), p.law, p.law.Fz0n, p.law.p_ref, 1.0, 1.0);
  p.x_px = peak_slip(1, c.Cx, c.Ex).slip;
  p.x_py = peak_slip(1, c.Cy, c.Ey).slip;
  return p;
}
inline Bristles tir_bristles(const TireSpec& s, double Fz0) {
  const BeltSpec belt = belt_of(s);
  const TirNominal n = tir_nominal(s.tir);
  return {belt_in_series(n.sigma0_x, belt.sigma_long, n.Kx), belt_in_series(n.sigma0_y, belt.sigma_lat, n.Ky),
          s.lugre.sigma1, s.lugre.sigma1, 0.5 * Fz0 / kGravity};
}

inline void compile_contact(const TireSource& t, TireParams<double>& p) {
  const RollingSpec& q = t.s.lugre.rolling;
  const BeltSpec belt = belt_of(t.s);
  p.inv_v_st = 1 / q.v_st;
  p.inv_b = t.k.roll_memory ? 1 / q.roll_memory : 0;
  switch (t.k.contact) {
    case ContactLaw::rolling:
      p.rolling.v_st = q.v_st;
      p.rolling.inv_v_d = 1 / q.v_d;
      p.rolling.beta = q.beta;
      p.rolling.inv_1m_beta = 1 / (1 - q.beta);
      p.rolling.r_psi = q.r_psi;
      p.rolling.inv_r_psi = 1 / q.r_psi;
      p.rolling.c_psi = q.c_psi;
      p.rolling.inv_c_psi = t.k.pivot ? 1 / q.c_psi : 0;
      p.rolling.inv_L_psi = 1 / q.L_psi;
      break;
    case ContactLaw::breakaway: p.breakaway = {t.s.lugre.sigma2, belt.sigma_long, belt.sigma_lat}; break;
    case ContactLaw::algebraic:
      // springs in series: their relaxation lengths add  [T21.4]
      p.algebraic = {t.k.relax_long ? 1 / (t.s.relaxation_length_long + belt.sigma_long) : 0,
                     t.k.relax_lat ? 1 / (t.s.relaxation_length_lat + belt.sigma_lat) : 0, t.s.vlow_speed_eps,
                     t.s.vlow_damping};
      break;
    case ContactLaw::patch: break;  // its numbers are its own
  }
}

inline TireParams<double> compile_tire(const TireSpec& s, double radius) {
  const TireSource t{s, tire_kind(s)};
  TireParams<double> p{};
  p.R0 = radius;
  compile_contact(t, p);
  const MfParams<double> mf = compile_mf(t);
  if (t.k.steady == SteadyLaw::tir) {
    p.tir = compile_tir_tire(t);
    compile_bristles(t.rolls() ? tir_bristles(s, p.tir.law.Fz0) : mf_bristles(t, mf), t.rolls(), p);
  } else if (t.k.steady == SteadyLaw::rally) {
    const RallyNominal n = rally_nominal(s.rally);
    p.rally = compile_rally(s.rally);
    compile_bristles({n.sigma0_x, n.sigma0_y, n.sigma1_x, n.sigma1_y, 0.5 * n.Fz_n / kGravity}, true, p);
  } else {
    p.mf = mf;
    compile_bristles(mf_bristles(t, mf), t.rolls(), p);
  }
  if (t.k.contact == ContactLaw::patch) p.sigma0_x = p.sigma0_y = 0;  // its bristles are its own
  return p;
}

}  // namespace vdsim
