// SPDX-License-Identifier: Apache-2.0
// LuGre `law: breakaway`: classic LuGre bristles whose breakaway force is the present MF96 force.
// Theory and measured defects: docs/theory/19_lugre_dynamic_tire.md. The default law is tire/contact_rolling.hpp.
#pragma once
#include "vdsim/core/tire/belt.hpp"
#include "vdsim/core/tire/contact_rolling.hpp"

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

// [T19.23]  F = sigma0 z + sigma1 zdot + sigma2 v per direction; z and v have the sign of the force (v = (Vr - Vx, -Vy)).
template <class R, class K>
VD_FN WheelForces<R> lugre_wheel_forces(const TireParams<R, K>& p, R zx, R zy, R vx, R vy, const Breakaway<R>& g) {
  return {p.sigma0_x * zx + p.sigma1_x * lugre_z_dot(zx, vx, g.x, p.sigma0_x) + p.breakaway.sigma2 * vx,
          p.sigma0_y * zy + p.sigma1_y * lugre_z_dot(zy, vy, g.y, p.sigma0_y) + p.breakaway.sigma2 * vy};
}

// The slip velocities that the force sees follow those of the rim; the bristles follow the rim itself.  [T21.3]
template <class R> VD_FN void belt_advance(const BreakawayParams<R>& p, const Contact<R>& c, R dt, WheelState<R>& w) {
  const R speed = max(abs(c.Vx), abs(c.Vr));  // a spinning wheel winds its belt on, also on the spot
  w.belt_vx = belt_relax(w.belt_vx, c.Vr - c.Vx, speed, p.belt_long, dt);
  w.belt_vy = belt_relax(w.belt_vy, -c.Vy, speed, p.belt_lat, dt);
}

struct ContactBreakaway {
  template <class R, class K> VD_NOINLINE static void slip(const K& kind, const TireParams<R, K>& p,
                                                           const WheelState<R>&, const Contact<R>& c, R Fz,
                                                           TireSlip<R>& o) {
    const R den = max(abs(c.Vx), R(kSpeedEps));
    o.kap = o.vx / den;
    o.alp = slip_angle(c.Vy, abs(c.Vx));
    o.vlow = R(0.0);
    by_plain_steady(kind, [&](auto law) { law.read_plain(kind, p, c, den, Fz, o); });
  }
  // The bristles know no combined slip: on the ellipse, or without it (combined: none) on the circle.
  template <class R, class K> VD_FN static WheelForces<R> within_friction(const K& kind, const TireParams<R, K>& p,
                                                                          const Contact<R>& c, WheelForces<R> F,
                                                                          const Peak<R>& peak, R Fz) {
    if (kind.ellipse || kind.similarity || kind.steady == SteadyLaw::tir) F = friction_ellipse(F, peak);
    return by_plain_steady(kind, [&](auto law) { return law.clip(kind, p, c, F, Fz); });
  }
  template <class R, class K> VD_NOINLINE static TireForce<R> force(const K& kind, const TireParams<R, K>& p,
                                                                    const WheelState<R>& w, const Contact<R>& c,
                                                                    const TireSlip<R>& o, R Fz) {
    TireForce<R> f;
    const Peak<R> peak = by_plain_steady(kind, [&](auto law) { return law.peak(p, c, o.at, Fz); });
    WheelForces<R> F = plain_force(kind, p, w, c, o, peak, Fz);
    f.Dx = peak.Dx;
    f.Dy = peak.Dy;
    f.zx = w.zx;
    f.zy = w.zy;
    f.slope = R(0.0);
    const Breakaway<R> g = lugre_breakaway(F.Fx, F.Fy, o.alp, c.mu_lat, Fz);
    f.gx = g.x;
    f.gy = g.y;
    F = lugre_wheel_forces(p, w.zx, w.zy, kind.belt ? w.belt_vx : o.vx, kind.belt ? w.belt_vy : o.vy, g);
    F = within_friction(kind, p, c, F, peak, Fz);
    f.Fx = F.Fx;
    f.Fy = F.Fy;
    return f;
  }
  template <class R, class K> VD_NOINLINE static TireMoments<R> rates(const K& kind, const TireParams<R, K>& p,
                                                                      const WheelState<R>& w, const Contact<R>& c,
                                                                      const TireSlip<R>& o, const TireForce<R>& f, R Fz,
                                                                      WheelAffine<R>&) {
    return by_plain_steady(kind, [&](auto law) { return law.plain_moments(kind, p, w, c, o, f, Fz); });
  }
  // Belt and bristles, a quarter step after each RK4 stage.
  template <class R, class K>
  VD_FN static void advance(const K& kind, const TireParams<R, K>& p, const TireOut<R>& o, R dt, WheelState<R>& w) {
    if (kind.belt) belt_advance(p.breakaway, o.contact, dt, w);
    w.zx = lugre_advance_z(w.zx, o.slip.vx, o.force.gx, p.sigma0_x, dt);
    w.zy = lugre_advance_z(w.zy, o.slip.vy, o.force.gy, p.sigma0_y, dt);
  }
  template <class R, class K>
  VD_FN static void limit(const K&, const TireParams<R, K>&, const TireForce<R>&, WheelState<R>&) {}
  template <class R, class K> VD_NOINLINE static ForceLine<R> line(const K& kind, const TireParams<R, K>& p,
                                                                   const WheelState<R>& w, const TireOut<R>& o,
                                                                   const WheelAffine<R>&, R h) {
    const R Lam = p.sigma0_x * abs(o.slip.vx) / o.force.gx, sigma2 = p.breakaway.sigma2;
    if (!kind.belt) return bristle_line(w.zx, R(0.0), o.contact.Vx, Lam, p.sigma0_x, p.sigma1_x, sigma2, h);
    // the damping sees the belt's slip velocity, which does not know the wheel speed of this step yet
    const R k = p.sigma0_x * (R(1.0) - p.sigma1_x * abs(w.belt_vx) / o.force.gx);
    ForceLine<R> line = bristle_line(w.zx, R(0.0), o.contact.Vx, Lam, k, R(0.0), R(0.0), h);
    line.F0 += (p.sigma1_x + sigma2) * w.belt_vx + min(line.slope, R(0.0)) * o.contact.Vr;
    line.slope = max(line.slope, R(0.0));
    return line;
  }
  // Where the law would exceed the peak force, its line becomes that force. True if any lane did.
  template <class R> VD_FN static bool saturate(const TireOut<R>& o, R w, ForceLine<R>& line) {
    const R most = o.force.Dx, F = line.F0 + line.slope * o.contact.Re * w;
    const mask_t<R> over = abs(F) > most;
    line.F0 = select(over, copysign(most, F), line.F0);
    line.slope = select(over, R(0.0), line.slope);
    return any(over);
  }
  template <class R> VD_FN static void turned(const ForceLine<R>& line, R u, WheelState<R>& w) {
    w.zx = line.A0 + line.gain * u;
  }
  template <class R, class K> VD_NOINLINE static void finish(const K& kind, const TireParams<R, K>& p,
                                                             const TireOut<R>& o, const WheelAffine<R>&, R Fz, R h,
                                                             WheelState<R>& w, WheelForces<R>& F) {
    if (kind.belt) belt_advance(p.breakaway, o.contact, h, w);
    w.zy = lugre_advance_z(w.zy, o.slip.vy, o.force.gy, p.sigma0_y, h);
    const R vy = kind.belt ? w.belt_vy : o.slip.vy;
    F.Fy = p.sigma0_y * w.zy + p.sigma1_y * lugre_z_dot(w.zy, vy, o.force.gy, p.sigma0_y) + p.breakaway.sigma2 * vy;
    const R most = o.force.gx / p.sigma0_x;
    w.zx = clamp(w.zx, -most, most);
    F = within_friction(kind, p, o.contact, F, Peak<R>{o.force.Dx, o.force.Dy}, Fz);
  }
  template <class R, class K>
  VD_FN static WheelForces<R> gained(const TireParams<R, K>& p, const TireForce<R>& f, const WheelState<R>& w) {
    return {p.sigma0_x * (w.zx - f.zx), p.sigma0_y * (w.zy - f.zy)};
  }
  template <class R, class K> VD_FN static void energy(const K&, const TireParams<R, K>& p, const WheelState<R>& w,
                                                       const Ground<R>&, R count, R& sum) {
    sum += count * R(0.5) * (p.sigma0_x * w.zx * w.zx + p.sigma0_y * w.zy * w.zy);
  }
};

}  // namespace vdsim
