// SPDX-License-Identifier: Apache-2.0
// What a ground makes of a rally tire. docs/theory/23_rally_tire.md, sections 1 and 9.
#pragma once
#include "vdsim/core/tire/rally.hpp"

namespace vdsim {

// [T23.28]  the curvature that puts the peak of a shape C at x; top = tan(pi/(2 C))
template <class R> VD_FN R peak_curvature(R top, R x) { return (x - top) / (x - atan(x)); }

// What of the ground does not need the curves.
template <class R> VD_FN RallyGround<R> rally_ground_plain(const RallyParams<R>& p, const Ground<R>& g) {
  const R one = R(1.0), half = R(0.5), full = R(0.004);
  RallyGround<R> o;
  // [T23.11] ground that is soft or gives way
  o.Bx = p.lon.B * g.slip_stiffness_scale * (one - R(0.3) * g.deformation);
  o.By = p.lat.B * g.slip_stiffness_scale * (one - R(0.2) * g.deformation);
  o.x_p = p.lon.x_p * g.peak_slip_ratio_scale;
  o.inv_x_p = one / o.x_p;
  o.Ex = select(g.peak_slip_ratio_scale == one, p.lon.E, peak_curvature(p.top, o.x_p));
  // [T23.9] a ground that gives way keeps no film of water
  const R h = g.water_depth * (one - g.deformation), film = select(h < full, h / full, one);
  o.friction = g.friction;
  o.wet_base = one - R(0.6) * film * (one - half * g.macrotexture) * (R(1.4) - half * g.microtexture);
  o.inv_V_aqua = sqrt(h) / (R(1.1) * (one + R(0.3) * g.macrotexture)) / p.depth;
  o.crr = p.crr_factor * max(p.crr + g.rolling_resistance - R(kHardRoad), R(0.0));
  o.shear = p.shear * g.slip_stiffness_scale * (one - R(0.15) * g.deformation);
  o.h_road = p.h_road * (one + half * g.macrotexture + p.h_water * g.water_depth);
  o.T_road = (one - g.told) * p.T_amb + g.T - min(R(5000.0) * g.water_depth, R(12.0));
  const R wet = select(g.water_depth < full, g.water_depth / full, one);
  o.wear = p.wear * (R(0.4) + R(0.75) * g.microtexture) * (one - half * wet);
  return o;
}
// [T23.29]  sigma = base rl (1 + de q) (1 + (1 - mu)_+ (0.2 + 0.25 q)) (1 + noise (0.1 + 0.1 q))/carcass
template <class R>
VD_FN R rally_relaxation(const RallyKind& kind, const RallyParams<R>& p, const RallyAxis<R>& a, const Ground<R>& g) {
  if (kind.mode == RallyMode::PacejkaOnly) return R(kRallyShort);
  const R one = R(1.0), mu = clamp(g.friction, R(0.1), one);
  return a.sigma * g.relaxation_length_scale * (one + g.deformation * a.q) *
         (one + (one - mu) * (R(0.2) + R(0.25) * a.q)) * (one + g.noise_factor * (R(0.1) + R(0.1) * a.q)) / p.carcass;
}
// At the reference load on a ground, new, at ambient, at rest: slip stiffness [N], relaxation lengths [m].
template <class R> struct RallyStiffness { R Cx, Cy, sigma_x, sigma_y; };
template <class R> VD_NOINLINE RallyStiffness<R> rally_stiffness(const RallyKind& kind, const RallyParams<R>& p,
                                                                 const Ground<R>& g, const RallyGround<R>& on) {
  const R zero = R(0.0), one = R(1.0);
  const RallyEnv<R> e = rally_env(kind, p, on, RallyState<R>{p.T_amb, p.T_amb, one}, zero);
  const RallyCurves<R> c = rally_curves(kind, p, e, p.F0, zero, one, one);
  return {c.lon.B * c.lon.C * c.Dx, c.lat.B * c.lat.C * c.Dy, rally_relaxation(kind, p, p.lon, g),
          rally_relaxation(kind, p, p.lat, g)};
}
template <class R>
VD_NOINLINE RallyGround<R> rally_ground(const RallyKind& kind, const RallyParams<R>& p, const Ground<R>& g) {
  RallyGround<R> o = rally_ground_plain(p, g);
  const RallyStiffness<R> k = rally_stiffness(kind, p, g, o);
  o.sigma0_x = k.Cx / k.sigma_x;
  o.sigma0_y = k.Cy / k.sigma_y;
  return o;
}

}  // namespace vdsim
