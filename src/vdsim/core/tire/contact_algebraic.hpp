// SPDX-License-Identifier: Apache-2.0
// No bristles: the force is that of the steady law at the slip of the moment, geometric or lagged. The low-speed modes
// belong here: without bristles nothing holds at rest. docs/theory/03_magic_formula.md, 20_low_speed_fallback.md.
#pragma once
#include "vdsim/core/tire/affine.hpp"
#include "vdsim/core/tire/steady.hpp"

namespace vdsim {

// [T19.24]  limited to the ellipse of the peaks: divided by max(1, |(Fx/Fx_max, Fy/Fy_max)|)
template <class R> VD_FN WheelForces<R> friction_ellipse(WheelForces<R> F, const Peak<R>& peak) {
  const R rho = sqrt(sq(F.Fx / max(peak.Dx, R(1e-3))) + sq(F.Fy / max(peak.Dy, R(1e-3))));
  const R inv = R(1.0) / max(R(1.0), rho);
  return {F.Fx * inv, F.Fy * inv};
}

// |Vx| that slips are counted by, floored.
template <class R, class K> VD_FN R slip_speed(const K& kind, [[maybe_unused]] const TireParams<R, K>& p, R Vx) {
  if constexpr (may_be<ContactLaw::algebraic, K>())
    return max(abs(Vx), kind.vlow ? p.algebraic.vlow_eps : R(kSpeedEps));
  return max(abs(Vx), R(kSpeedEps));
}

// Present steady force, with tire_vlow damping and the limits that go with `combined`.
template <class R, class K> VD_FN WheelForces<R> plain_force(const K& kind, const TireParams<R, K>& p,
                                                             const WheelState<R>& w, const Contact<R>& c,
                                                             const TireSlip<R>& o, const Peak<R>& peak, R Fz) {
  WheelForces<R> F = by_plain_steady(kind, [&](auto law) { return law.plain_force(kind, p, w, c, o, peak, Fz); });
  if (kind.vlow) F = {F.Fx + o.vlow * o.vx, F.Fy + o.vlow * o.vy};
  if (kind.vlow || kind.ellipse) F = friction_ellipse(F, peak);
  return F;
}

struct ContactAlgebraic {
  template <class R, class K> VD_NOINLINE static void slip(const K& kind, const TireParams<R, K>& p,
                                                           const WheelState<R>& w, const Contact<R>& c, R Fz,
                                                           TireSlip<R>& o) {
    const R den = slip_speed(kind, p, c.Vx);
    o.kap = o.vx / den;
    // a lag in distance freezes at rest and would go on turning a braked wheel: the blend fades it out  [T20.7]
    if (kind.relax_long) o.kap = select(c.lag < R(1.0), c.lag * w.kap + (R(1.0) - c.lag) * o.kap, w.kap);
    o.alp = kind.relax_lat ? w.alp : slip_angle(c.Vy, den);
    o.vlow = R(0.0);
    if (kind.vlow) {  // [T20.6]
      const R q = min(abs(c.Vx) / p.algebraic.vlow_eps, R(1.0));
      o.vlow = p.algebraic.vlow_k0 * R(0.5) * (R(1.0) + cos(R(3.14159265358979323846) * q));
    }
    by_plain_steady(kind, [&](auto law) { law.read_plain(kind, p, c, den, Fz, o); });
  }
  template <class R, class K> VD_NOINLINE static TireForce<R> force(const K& kind, const TireParams<R, K>& p,
                                                                    const WheelState<R>& w, const Contact<R>& c,
                                                                    const TireSlip<R>& o, R Fz) {
    TireForce<R> f;
    const Peak<R> peak = by_plain_steady(kind, [&](auto law) { return law.peak(p, c, o.at, Fz); });
    const WheelForces<R> F = plain_force(kind, p, w, c, o, peak, Fz);
    f.Dx = peak.Dx;
    f.Dy = peak.Dy;
    f.zx = w.zx;
    f.zy = w.zy;
    // secant of Fx over the slip velocity, at most the slip stiffness
    const Curve<R> lon = by_plain_steady(kind, [&](auto law) { return law.curves(p, o.at).lon; });
    R stiffness = peak.Dx * lon.B * (linear(kind) ? R(1.0) : lon.C);
    if (kind.mu_shrinks) stiffness *= o.inv_mu;
    const R den = slip_speed(kind, p, c.Vx), most = stiffness / den + o.vlow;
    f.slope = min(abs(F.Fx) / max(abs(o.vx), R(1e-6) * den), most);
    f.slope = select(abs(o.vx) > R(1e-6) * den, f.slope, most);
    if (kind.relax_long) f.slope = f.slope * (R(1.0) - c.lag);
    const WheelForces<R> within = by_plain_steady(kind, [&](auto law) { return law.clip(kind, p, c, F, Fz); });
    f.Fx = within.Fx;
    f.Fy = within.Fy;
    return f;
  }
  template <class R, class K> VD_NOINLINE static TireMoments<R> rates(const K& kind, const TireParams<R, K>& p,
                                                                      const WheelState<R>& w, const Contact<R>& c,
                                                                      const TireSlip<R>& o, const TireForce<R>& f, R Fz,
                                                                      WheelAffine<R>& rate) {
    const R speed = abs(c.Vx), den = slip_speed(kind, p, c.Vx), lx = p.algebraic.inv_relax_long,
            ly = p.algebraic.inv_relax_lat;
    if (kind.relax_long) rate.kap = {speed * lx, speed * lx * o.vx / den};
    if (kind.relax_lat) rate.alp = {speed * ly, speed * ly * slip_angle(c.Vy, den)};
    return by_plain_steady(kind, [&](auto law) { return law.plain_moments(kind, p, w, c, o, f, Fz); });
  }
  template <class R, class K>
  VD_FN static void advance(const K&, const TireParams<R, K>&, const TireOut<R>&, R, WheelState<R>&) {}
  template <class R, class K>
  VD_FN static void limit(const K&, const TireParams<R, K>&, const TireForce<R>&, WheelState<R>&) {}
  template <class R, class K> VD_FN static ForceLine<R> line(const K&, const TireParams<R, K>&, const WheelState<R>&,
                                                             const TireOut<R>& o, const WheelAffine<R>&, R) {
    return {o.force.Fx - o.force.slope * o.contact.Vr, o.force.slope, R(0.0), R(0.0)};
  }
  template <class R> VD_FN static bool saturate(const TireOut<R>&, R, ForceLine<R>&) { return false; }
  template <class R> VD_FN static void turned(const ForceLine<R>&, R, WheelState<R>&) {}
  template <class R, class K> VD_FN static void finish(const K& kind, const TireParams<R, K>&, const TireOut<R>&,
                                                       const WheelAffine<R>& rate, R, R h, WheelState<R>& w,
                                                       WheelForces<R>&) {
    if (kind.relax_long) w.kap = backward(w.kap, rate.kap, h);
    if (kind.relax_lat) w.alp = backward(w.alp, rate.alp, h);
  }
  template <class R, class K>
  VD_FN static WheelForces<R> gained(const TireParams<R, K>&, const TireForce<R>&, const WheelState<R>&) {
    return {R(0.0), R(0.0)};
  }
  template <class R, class K>
  VD_FN static void energy(const K&, const TireParams<R, K>&, const WheelState<R>&, const Ground<R>&, R, R&) {}
};

}  // namespace vdsim
