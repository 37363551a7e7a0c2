// LuGre `law: breakaway`: classic LuGre bristles whose breakaway force is the MF96 force of the moment.
// Theory and measured defects: docs/theory/19_lugre_dynamic_tire.md. The default law is tire/rolling_law.hpp.
#pragma once
#include "vdsim/core/tire/magic_formula.hpp"

namespace vdsim {

// Breakaway force per direction [N], > 0.
template <class R> struct Breakaway { R x, y; };
// [T19.20]  g_x = max(|Fx_MF|, 1 N),  g_y = max(|Fy_MF|, exp(-(alp/0.03)^2) mu Fz, 1 N)
template <class R> VD_FN Breakaway<R> lugre_breakaway(R Fx_mf, R Fy_mf, R alp, R mu_lat, R Fz) {
  const R presliding = exp(-sq(alp * R(1.0 / kPresliding))) * mu_lat * Fz;
  return {max(abs(Fx_mf), R(1.0)), max(max(abs(Fy_mf), presliding), R(1.0))};
}

// [T19.21]  z <- clamp((z + dt v)/(1 + dt sigma0 |v|/g), +-g/sigma0)
template <class R> VD_FN R lugre_advance_z(R z, R v, R g, R sigma0, R dt) {
  const R limit = g / sigma0;
  return clamp((z + dt * v) / (R(1.0) + dt * sigma0 * abs(v) / g), -limit, limit);
}

// [T19.22]  zdot = v - sigma0 |v| z/g
template <class R> VD_FN R lugre_z_dot(R z, R v, R g, R sigma0) { return v - sigma0 * abs(v) * z / g; }

template <class R> struct WheelForces { R Fx, Fy; };
// [T19.23]  F = sigma0 z + sigma1 zdot + sigma2 v per direction; z and v have the sign of the force (v = (Vr - Vx, -Vy)).
template <class R>
VD_FN WheelForces<R> lugre_wheel_forces(const TireParams<R>& p, R zx, R zy, R vx, R vy, const Breakaway<R>& g) {
  return {p.sigma0_x * zx + p.sigma1_x * lugre_z_dot(zx, vx, g.x, p.sigma0_x) + p.sigma2 * vx,
          p.sigma0_y * zy + p.sigma1_y * lugre_z_dot(zy, vy, g.y, p.sigma0_y) + p.sigma2 * vy};
}

// [T19.24]  onto the peak ellipse: divided by max(1, |(Fx/Fx_max, Fy/Fy_max)|)
template <class R> VD_FN WheelForces<R> lugre_friction_ellipse(WheelForces<R> F, const Peak<R>& peak) {
  const R rho = sqrt(sq(F.Fx / max(peak.Dx, R(1e-3))) + sq(F.Fy / max(peak.Dy, R(1e-3))));
  const R inv = R(1.0) / max(R(1.0), rho);
  return {F.Fx * inv, F.Fy * inv};
}

}  // namespace vdsim
