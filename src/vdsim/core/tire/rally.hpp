// SPDX-License-Identifier: Apache-2.0
// The rally tire: a steady law made of small ones. Theory: docs/theory/23_rally_tire.md.
//   rally_env     temperature, wear, water, pressure: what does not depend on the load
//   rally_curves  peak force and pure-slip curves at a load; rally_curve reads one, rally_weights couples the two
//   rally_camber, rally_moments, rally_rates   side thrust; Mx, My, Mz; rates of temperature and wear
// The rolling law (contact_rolling.hpp) carries these forces: it adds relaxation with distance and the hold at rest.
#pragma once
#include "vdsim/core/tire/brush.hpp"
#include "vdsim/core/tire/params.hpp"
#include "vdsim/core/tire/rally_params.hpp"
#include "vdsim/core/tire/smooth.hpp"

namespace vdsim {

template <class R> struct RallyEnv {
  R pressure;          // of the gas [Pa]
  R grip;              // friction over that of the reference
  R lift;              // share of the patch that water leaves on the road
  R stiff_x, stiff_y;  // factors on the slip stiffness
  R log_area;          // log of the grip by contact area at reference load
  R patch;             // half patch length over its largest, per load [1/N]
  R tread;             // tread stiffness [N/m]
  R dent;              // deflection over its largest, per load [1/N]
  RallyGround<R> ground;
};

// [T23.7]  p + p_a = (p_cold + p_a) T_core/T_ambient, absolute
template <class R> VD_FN R gas_pressure(const RallyParams<R>& p, R T_core) {
  return max(p.gas * (clamp(T_core, R(-100.0), R(1000.0)) + R(kKelvin)) - R(kAtmosphere), R(2e4));
}
// [T23.8]  flat top of half width `window`, 0.7 at twice that
template <class R> VD_FN R temperature_grip(const RallyParams<R>& p, R T) {
  return R(1.0) - R(0.3) * smooth_step(abs(T - p.T_opt) * p.inv_window - R(1.0));
}
// [T23.9]  aquaplaning: V_aqua ~ sqrt(pressure), less with a worn tread; from 0.7 V_aqua on the patch lifts
template <class R> VD_FN R aquaplaning_lift(const RallyParams<R>& p, const RallyGround<R>& g, R V, R root_p, R tread) {
  const R drained = R(1.0) - p.drain * (R(1.0) - tread);
  return smooth_step((V * g.inv_V_aqua / (root_p * drained) - R(0.7)) * R(1.0 / 0.3));
}

// pressure > 0 is the inflation pressure itself [Pa], else it follows from the temperature of the gas.
template <class R> VD_FN RallyEnv<R> rally_env(const RallyKind& kind, const RallyParams<R>& p, const RallyGround<R>& g,
                                               const RallyState<R>& s, R Vx, R pressure = R(0.0)) {
  const R one = R(1.0);
  RallyEnv<R> e;
  e.ground = g;
  e.pressure = select(pressure > R(0.0), max(pressure, R(2e4)), gas_pressure(p, s.T_core));
  const R inv_p = one / e.pressure, rel = e.pressure * R(1.0 / kRallyPressure), root_p = sqrt(rel);
  const R tread = clamp(s.tread, R(0.0), one);
  // [T23.10]
  const R T = clamp(s.T_core + p.T_weight * (s.T_tread - s.T_core), R(-1e4), R(1e4));
  e.grip = g.friction * temperature_grip(p, T) * (p.worn + (one - p.worn) * tread);
  e.log_area = R(0.0);
  if (kind.area) e.log_area = p.area_exp * (p.log_scale - log(rel));
  e.lift = one;
  if (kind.water) {
    const R t = aquaplaning_lift(p, g, min(abs(Vx), R(1e4)), root_p, tread);
    e.grip = e.grip * ((one - t) * g.wet_base + t * R(0.05));
    e.lift = one - R(0.95) * t;
  }
  e.patch = p.patch * inv_p;
  e.tread = p.tread * rel;
  e.dent = p.dent * inv_p;
  const bool brush = kind.mode == RallyMode::BrushOnly;
  const R k = e.tread * R(1.0 / kRallyTread);  // [T23.11]
  e.stiff_x = e.lift * (brush ? k : one);
  e.stiff_y = e.lift * (brush ? k : root_p);
  return e;
}

// Load ratio and what depends on it alone.
template <class R> struct RallyLoad {
  R q, log_q, mu;  // Fz/reference; log of the same, level below 2 %; friction factor
};
// [T23.12]
template <class R>
VD_FN RallyLoad<R> rally_load(const RallyKind& kind, const RallyParams<R>& p, const RallyEnv<R>& e, R Fz) {
  RallyLoad<R> o;
  o.q = clamp(Fz * p.inv_F0, R(0.0), R(1e6));
  const R e2 = R(0.02 * 0.02);
  o.log_q = R(0.5) * log((o.q * o.q + e2) * R(1.0 / (1.0 + 0.02 * 0.02)));
  if (kind.exponential)
    o.mu = (p.exp_full + p.exp_rest * exp(-p.exp_slope * o.q)) * exp(p.area_exp * o.log_q + e.log_area);
  else
    o.mu = exp(p.load_exp * o.log_q + e.log_area);
  return o;
}

template <class R> struct RallyCurves {
  Curve<R> lon, lat;
  R Dx, Dy;  // peak forces [N]
};
// [T23.14]  B = K/(C D), held above x_p/0.5: the peak lies at half slip at the latest
template <class R> VD_FN Curve<R> rally_axis(R B, R C, R E, R x_p, R inv_x_p, R cap) {
  Curve<R> c;
  c.inv_s_p = soft_max<R>(B * inv_x_p, R(2.0), R(0.2));
  c.B = c.inv_s_p * x_p;
  c.C = C;
  c.E = E;
  c.s_p = R(1.0) / c.inv_s_p;
  c.cap = cap;
  c.inv_fp = c.inv_f1 = R(1.0);
  return c;
}
template <class R> VD_FN RallyCurves<R> rally_curves(const RallyKind& kind, const RallyParams<R>& p,
                                                     const RallyEnv<R>& e, R Fz, R gamma, R mu_long, R mu_lat) {
  const R one = R(1.0), m_min = R(0.02), load_max = R(1e12);
  const RallyLoad<R> l = rally_load(kind, p, e, Fz);
  RallyCurves<R> o;
  // [T23.13]
  const R mx = e.grip * mu_long, my = e.grip * mu_lat, F = p.mu * l.mu * clamp(Fz, R(0.0), load_max);
  o.Dx = F * mx;
  o.Dy = F * my * p.ratio;
  const TwoInverses<R> inv_m =
      inverses(soft_max<R>(mx, m_min, R(0.01)), soft_max<R>(my, m_min, R(0.01)) * (one + p.degression * l.q * l.q));
  const R lean = min(abs(gamma), R(0.6));
  const RallyGround<R>& g = e.ground;
  const R Bx = g.Bx * e.stiff_x * exp(p.lon.load * l.log_q) * inv_m.a;
  const R By =
      g.By * e.stiff_y * exp(p.lat.load * l.log_q) * inv_m.b * (one + p.degression) * (one + p.camber_B * lean);
  const R Ey = min(p.lat.E + p.camber_E * lean, one);
  const bool brush = kind.mode == RallyMode::BrushOnly;
  const RallyAxis<R>&u = p.lon, &v = p.lat;
  o.lon = rally_axis(Bx, u.C, g.Ex, brush ? u.x_b : g.x_p, brush ? u.inv_x_b : g.inv_x_p, R(1.5));
  o.lat = rally_axis(By, v.C, Ey, brush ? v.x_b : v.x_p, brush ? v.inv_x_b : v.inv_x_p, R(1e3));
  return o;
}

// Steady force over its peak in one direction, odd in s. `lateral`: with high-slip retention.
template <class R>
VD_FN R rally_curve(const RallyKind& kind, const RallyParams<R>& p, const Curve<R>& c, R s, bool lateral) {
  if (kind.mode == RallyMode::BrushOnly) {
    const R l = brush_adhesion<R>(abs(s) * c.inv_s_p);
    return copysign(R(1.0) - l * l * l, s);
  }
  const R x = c.B * s;
  const R f = sin(c.C * atan(x - c.E * (x - atan(x))));
  if (!lateral || !kind.retention) return f;
  // [T23.15]
  const R t = smooth_step((abs(s) * c.inv_s_p - p.ret_start) * p.ret_inv_range);
  const R size = abs(f);
  return copysign(size + t * (p.retention - size), s);
}

// Loss of each force by the slip across it.
// [T23.16]  G = cos(C atan X), X = coupling |cross|/sqrt(1 + own^2), held above 0.02; C = 2: (1 - X^2)/(1 + X^2)
template <class R> struct RallyWeights { R x, y; };
template <class R>
VD_FN RallyWeights<R> rally_weights(const RallyKind& kind, const RallyParams<R>& p, R kappa, R tan_alpha) {
  const R one = R(1.0);
  if (!kind.coupled) return {one, one};
  const R k2 = sq(min(abs(kappa), R(1e3))), t2 = sq(min(abs(tan_alpha), R(1e3)));
  R gx, gy;
  if (kind.square) {
    const R nx = one + k2, ny = one + t2, cx = p.coupling2 * t2, cy = p.coupling2 * k2;
    const TwoInverses<R> inv = inverses(nx + cx, ny + cy);
    gx = (nx - cx) * inv.a;
    gy = (ny - cy) * inv.b;
  } else {
    gx = cos(p.couple_C * atan(p.coupling * sqrt(t2 / (one + k2))));
    gy = cos(p.couple_C * atan(p.coupling * sqrt(k2 / (one + t2))));
  }
  const R least = R(0.02);
  return {min(soft_max<R>(gx, least, least), one), min(soft_max<R>(gy, least, least), one)};
}

// Camber thrust [N] on top of a steady force that uses the share u = |F/D|^2 of the peak.
// [T23.17]  -(1 - u) Dy y/sqrt(1 + 4 y^2), y = C_gamma gamma Fz/Dy: at most half the peak, and never out of the ellipse
template <class R> VD_FN R rally_camber(const RallyKind& kind, const RallyParams<R>& p, R gamma, R Fz, R Dy, R u) {
  if (!kind.camber) return R(0.0);
  const R thrust = p.C_gamma * clamp(gamma, R(-1.5), R(1.5)) * max(Fz, R(0.0)), D = max(Dy, R(1e-3));
  return -max(R(1.0) - u, R(0.0)) * thrust * D / sqrt(sq(D) + R(4.0) * sq(thrust));
}

// [T23.18]  d = Fz/k_z, k_z ~ pressure;  R_e = R - d/3,  R_l = R - d
template <class R> VD_FN R rally_deflection(const RallyParams<R>& p, const RallyEnv<R>& e, R Fz) {
  return p.d_max * soft_min<R>(max(Fz, R(0.0)) * e.dent, R(1.0), R(0.2));
}
template <class R> VD_FN R rally_radius(const RallyParams<R>& p, const RallyEnv<R>& e, R Fz) {
  return p.radius - R(1.0 / 3.0) * rally_deflection(p, e, Fz);
}
template <class R> VD_FN R rally_loaded_radius(const RallyParams<R>& p, const RallyEnv<R>& e, R Fz) {
  return p.radius - rally_deflection(p, e, Fz);
}
// [T23.19]  half the patch length
template <class R> VD_FN R rally_half_patch(const RallyParams<R>& p, const RallyEnv<R>& e, R Fz) {
  return p.a_max * soft_min<R>(max(Fz, R(0.0)) * e.patch, R(1.0), R(0.2));
}

// One tire in motion at one load, as the moments and rates see it.
template <class R> struct RallyMotion {
  R Vx, Vr;            // travel, rolling speed Re w [m/s]
  R roll;              // direction of travel -1..1, 0 at rest: sgn(Vx) (1 - chi)
  R vx, vy;            // slip velocity (Vr - Vx, -Vy) [m/s]
  R kappa, tan_alpha;  // slips that belong to the forces (transient); their signs do not matter
  R gamma, Fz;
  R Fx, Fy;  // road on tire, camber thrust included [N]
};
template <class R> struct RallyMoments {
  R Mx, My, Mz;    // [N m]; My >= 0 is a resistance to the spin, whichever way it turns
  Brush<R> brush;  // the patch
  R hysteresis;    // resistance of the tire alone, as a force [N]
};

template <class R> VD_FN RallyMoments<R> rally_moments(const RallyKind&, const RallyParams<R>& p, const RallyEnv<R>& e,
                                                       const RallyCurves<R>& c, const RallyMotion<R>& m) {
  const R one = R(1.0), zero = R(0.0), Fz = max(m.Fz, zero), lean = min(abs(m.gamma), R(0.5));
  RallyMoments<R> o;
  const TwoInverses<R> inv_D = inverses(max(c.Dx, R(1e-3)), max(c.Dy, R(1e-3)));
  const R nx = m.Fx * inv_D.a, ny = m.Fy * inv_D.b;
  const R a = rally_half_patch(p, e, Fz), d = rally_deflection(p, e, Fz), Re = p.radius - R(1.0 / 3.0) * d;
  // [T23.20] the brush slides all over where the curve peaks
  o.brush = brush(brush_adhesion<R>(sqrt(sq(m.kappa * c.lon.inv_s_p) + sq(m.tan_alpha * c.lat.inv_s_p))));
  // [T23.21] trail and its rest; sideways shift of the patch
  const R trail = p.trail * a * (o.brush.trail + p.residual * R(1.0 / 3.0) * o.brush.force);
  o.Mz = -m.roll * trail * m.Fy - (p.fx_arm * ny * (one + R(0.5) * lean) + p.offset) * m.Fx;
  // [T23.22]
  const R rel = Re * p.inv_radius;
  o.Mx = m.Fy * p.couple_h * (R(0.6) + R(0.4) * rel) * (R(0.75) + R(0.25) * min(abs(ny), one)) -
         Fz * p.camber_h * rel * clamp(m.gamma, R(-0.5), R(0.5));
  // [T23.23] free rolling, standing wave, ground; carcass shear; loss by Fx
  const R wave = one + p.wave_gain * sq(min(abs(m.Vr), R(1e4))) * p.inv_V_wave2;
  const R x = a * p.inv_radius, arc = x * (one + x * x * R(1.0 / 6.0));
  const R shear = e.ground.shear * e.tread * R(1.0 / 3.0) * d * arc;
  o.hysteresis = p.crr_tire * wave * Fz + shear;
  o.My = Re * (e.ground.crr * wave * Fz + shear + p.fx_loss * abs(m.Fx) * min(abs(nx), one));
  return o;
}

template <class R> struct RallyRates { Affine<R> T_tread, T_core, tread; };
// Heat into and out of tread and core, and wear; also in the air, where Fz = 0 leaves the cooling.
template <class R> VD_FN RallyRates<R> rally_rates(const RallyKind&, const RallyParams<R>& p, const RallyGround<R>& g,
                                                   const RallyState<R>& s, const RallyMotion<R>& m,
                                                   const RallyMoments<R>& M) {
  const R one = R(1.0), zero = R(0.0);
  RallyRates<R> o;
  // [T23.24] power of sliding, split into rubbing and deforming
  const R P = clamp(m.Fx * m.vx + m.Fy * m.vy, zero, R(1e8)), rub = P * M.brush.rub;
  const R roll = min(M.hysteresis * abs(m.Vr), R(1e8)) + (P - rub);
  const R V = sqrt(R(0.5) * (sq(min(abs(m.Vx), R(1e4))) + sq(min(abs(m.Vr), R(1e4)))));
  const R air = one + V * p.inv_V_cool;
  const R hot = p.share * rub * p.inv_dT, warm = roll * p.inv_dT;
  const R h = p.h_air * air, hc = p.h_core * air, G = g.h_road * min(max(m.Fz, zero) * p.inv_F0, R(10.0));
  // [T23.25]
  o.T_tread = {(hot + p.h_link + h + G) * p.inv_m_tread,
               (hot * p.T_max + p.h_link * s.T_core + h * p.T_amb + G * g.T_road) * p.inv_m_tread};
  o.T_core = {(warm + p.h_link + hc) * p.inv_m_core,
              (warm * p.T_max + p.h_link * s.T_tread + hc * p.T_amb) * p.inv_m_core};
  // [T23.26]
  const R x = clamp((s.T_tread - p.T_opt) * p.inv_window, zero, R(3.0));
  o.tread = {g.wear * rub * (one + R(2.0) * x * x) / max(s.tread, R(0.02)), zero};
  return o;
}

// [T23.27]  friction over its mean at a point of the road [m]: waves of lengths without common measure, the same left and right
template <class R> VD_FN R parabola_wave(R u) {
  const R w = R(2.0) * (u - floor(u)) - R(1.0);
  return R(4.0) * w * (R(1.0) - abs(w));
}
template <class R> VD_FN R rally_texture(const RallyKind& kind, R noise_factor, R x, R y) {
  if (!kind.texture) return R(1.0);
  const R w = abs(y);
  const R u = R(0.6) * parabola_wave(x * R(0.371) + R(0.13)) * parabola_wave(w * R(0.217) + R(0.75)) +
              R(0.4) * parabola_wave(x * R(1.913) + R(0.57)) * parabola_wave(w * R(1.297) + R(0.75));
  return R(1.0) + R(0.08) * noise_factor * u;
}

}  // namespace vdsim
