// SPDX-License-Identifier: Apache-2.0
// LuGre `law: rolling`, the default: the steady law exactly at speed, relaxation with distance, true static hold at rest.
// One bristle per direction leaks at the secant rate lam = sigma0 v / F_steady; derivation, equation by equation:
// docs/theory/19_lugre_dynamic_tire.md. Split in two so that the load can be iterated cheaply: rolling_slip() holds all
// that does not depend on the load (the transcendental part), rolling_force() the rest.
// `if (any(...))` skips work that no lane needs; the lanes that did not ask get the value they would have got without it.
#pragma once
#include "vdsim/core/tire/contact_algebraic.hpp"
#include "vdsim/core/tire/pivot.hpp"

namespace vdsim {

template <class S, class R, class K> VD_FN RollingSlip<R> rolling_slip(S law, const K& kind, const TireParams<R, K>& p,
                                                                       const AtLoad<R>& at, const WheelState<R>& w,
                                                                       const Contact<R>& c) {
  const R tau = R(kTiny), one = R(1.0);
  const Curves<R>& q = law.curves(p, at);
  RollingSlip<R> o;
  o.vx = c.Vr - c.Vx;
  o.vy = -c.Vy;
  const R speed = abs(c.Vx), aVr = abs(c.Vr);
  o.inv_mu = inverse_mu(kind, c);
  o.s = similarity(law, kind, p, q, SlipMotion<R>{o.vx, o.vy, speed, c.Vx, c.Vr, o.inv_mu});
  const TwoInverses<R> inv_f = inverses(o.s.fx, o.s.fy);
  o.wDx = p.sigma0_x * o.s.Sx * inv_f.a;
  o.wDy = p.sigma0_y * o.s.Sy * inv_f.b;
  if (kind.ground_bristles) {
    o.gx = at.env.ground.sigma0_x * p.rolling.inv_sigma0_x;
    o.gy = at.env.ground.sigma0_y * p.rolling.inv_sigma0_y;
    o.wDx *= o.gx;
    o.wDy *= o.gy;
  }
  o.lamDx = o.wDx * o.s.Q;
  o.lamDy = o.wDy * o.s.Q;
  const mask_t<R> past = o.s.rho > one;
  o.inv_fAx = select(past, inv_f.a, q.lon.inv_f1);
  o.inv_fAy = select(past, inv_f.b, q.lat.inv_f1);
  o.chi = gauss(c.Vx * p.inv_v_st);
  o.chi_w = gauss(c.Vr * p.inv_v_st);
  // roll memory: the leak by rolling opens only after the patch has rolled one way for a while
  const R k = kind.roll_memory ? clamp(w.roll * c.Vr * p.inv_b / (aVr + tau), R(0.0), one) : one;
  o.c = k * k * (aVr + tau) / (aVr + o.s.vs * sq(o.s.e) + tau);
  o.sub = sq(min(one, o.s.rho));
  o.fade = one + sq(c.Vx * p.rolling.inv_v_d);
  return o;
}

// [T19.7]  factor that brings a bristle force p (over the peak) back to size lim
template <class R> VD_FN R return_map(R px, R py, R lim) {
  const R p2 = px * px + py * py;
  const mask_t<R> over = p2 > lim * lim;
  return any(over) ? select(over, lim / sqrt(p2), R(1.0)) : R(1.0);
}

// [T23.31]  the bristles as they are on this ground: deflection z/g, damping as their stiffness
template <class R> struct BristlesHere { R leak_x, leak_y, sigma1_x, decay_x; };
template <class R, class K> VD_INLINE BristlesHere<R> bristles_here(const K& kind, const TireParams<R, K>& p,
                                                                    const RollingSlip<R>& o, R LamX, R LamY) {
  if (!kind.ground_bristles) return {LamX, LamY, p.sigma1_x, p.rolling.decay_x};
  const R ratio = sqrt(o.gx / o.gy);
  return {LamX / o.gx, LamY / o.gy, p.sigma1_x * ratio, p.rolling.decay_x * ratio};
}

template <class R, class K> VD_FN TireForce<R> rolling_force(const K& kind, const TireParams<R, K>& p,
                                                             const WheelState<R>& w, const Contact<R>& c,
                                                             const RollingSlip<R>& o, const AtLoad<R>& at, R Fz) {
  const R tau = R(kTiny), one = R(1.0), zero = R(0.0);
  TireForce<R> f;
  const RollingParams<R>& r = p.rolling;
  const Peak<R> peak = by_steady(kind, [&](auto law) { return law.peak(p, c, at, Fz); });
  f.Dx = max(peak.Dx, R(1e-3));
  f.Dy = max(peak.Dy, R(1e-3));
  const TwoInverses<R> inv_D = inverses(f.Dx, f.Dy);
  const R iDx = inv_D.a, iDy = inv_D.b;
  // [T19.6] offset of the steady law, faded at rest    [T19.7] return map: the bristle never holds more than lim
  f.dFx = f.dFy = zero;
  R lim = one;
  if (kind.offset) {
    const WheelForces<R> more = by_steady(kind, [&](auto law) { return law.offset(p, c, o, Fz); });
    f.dFx = more.Fx;
    f.dFy = more.Fy;
    lim = max(one, sqrt(sq(o.s.dx * o.s.fx + f.dFx * iDx) + sq(o.s.dy * o.s.fy + f.dFy * iDy)));
  }
  const R ax = p.sigma0_x * iDx, ay = p.sigma0_y * iDy, lim2 = lim * lim;
  const R back = return_map(ax * w.zx, ay * w.zy, lim);
  const mask_t<R> loaded = (peak.Dx > zero) & (peak.Dy > zero);
  f.zx = select(loaded, w.zx * back, zero);
  f.zy = select(loaded, w.zy * back, zero);
  const R px = ax * f.zx, py = ay * f.zy;
  // [T19.8] share of the sliding leak: 0 below the elastic limit beta, 1 at breakaway
  const R Ax = (kind.at_load ? px - f.dFx * iDx : px) * o.inv_fAx, Ay = (py - f.dFy * iDy) * o.inv_fAy;
  const R A2 = Ax * Ax + Ay * Ay;
  R alpha = zero;
  if (any(A2 > sq(r.beta))) {
    const R A = sqrt(A2), x = clamp((A - r.beta) * r.inv_1m_beta, zero, one),
            S = x * x * x * (x * (R(6.0) * x - R(15.0)) + R(10.0));
    const R wx = o.wDx * iDx, wy = o.wDy * iDy;
    alpha = S * A * max(zero, wx * Ax * o.s.dx + wy * Ay * o.s.dy) / (wx * Ax * Ax + wy * Ay * Ay + tau);
  }
  const R a = o.c + (one - o.c) * alpha * o.sub;
  // [T19.9]
  f.lim = lim;
  f.LamX = a * o.lamDx * iDx;
  f.LamY = a * o.lamDy * iDy;
  const BristlesHere<R> here = bristles_here(kind, p, o, f.LamX, f.LamY);
  const R zox = o.vx - here.leak_x * (kind.at_load ? f.zx - f.dFx * r.inv_sigma0_x : f.zx),
          zoy = o.vy - here.leak_y * (f.zy - f.dFy * r.inv_sigma0_y);
  // [T19.10] damping, limited so that the force stays within lim
  const TwoInverses<R> inv_s = inverses(o.fade + here.decay_x * here.leak_x, o.fade + r.decay_y * here.leak_y);
  const R s1x = here.sigma1_x * inv_s.a, s1y = p.sigma1_y * inv_s.b;
  const R bx = s1x * zox * iDx, by = s1y * zoy * iDy;
  const mask_t<R> beyond = sq(px + bx) + sq(py + by) > lim2;
  R th = one;
  if (any(beyond)) {
    const R pb = px * bx + py * by, b2 = bx * bx + by * by, room = max(zero, lim2 - (px * px + py * py));
    th = select(beyond, min(one, (max(zero, sqrt(pb * pb + b2 * room) - pb) + tau) / (b2 + tau)), one);
  }
  f.slope = select(loaded, th * s1x, zero);
  f.damp_y = select(loaded, th * s1y, zero);
  f.Fx = select(loaded, p.sigma0_x * f.zx + f.slope * zox, zero);
  f.Fy = select(loaded, p.sigma0_y * f.zy + f.damp_y * zoy, zero);
  return f;
}

// [T19.11]  the slips the bristles remember: those of the rim in steady state; sign of the force
template <class R, class K> VD_INLINE Slips<R> bristle_slips(const K& kind, const RollingParams<R>& p,
                                                             const Contact<R>& c, const RollingSlip<R>& o,
                                                             const TireForce<R>& f) {
  const R speed = max(abs(c.Vx), p.v_st);
  Slips<R> s{o.lamDx * (f.zx - f.dFx * p.inv_sigma0_x) / (f.Dx * speed),
             o.lamDy * (f.zy - f.dFy * p.inv_sigma0_y) / (f.Dy * speed)};
  if (kind.ground_bristles) s = {s.x / o.gx, s.y / o.gy};
  return s;
}
// The standing patch: the couple of unequal stiffness.
template <class R, class K>
VD_FN R bristle_couple(const K& kind, const BristleParams<R>& p, const RollingSlip<R>& o, const TireForce<R>& f) {
  if (kind.ground_bristles) return -((p.sigma0_x / o.gy - p.sigma0_y / o.gx) * f.zx * f.zy * o.chi_w);
  return -((p.sigma0_x - p.sigma0_y) * f.zx * f.zy * o.chi_w);
}
// z' = (z + h v')/(1 + h Lam),  F = k z' + damp v',  k = sigma0 - damp Lam,  v' = u - Vx    [T02.6]
template <class R> VD_FN ForceLine<R> bristle_line(R z, R turn, R Vx, R Lam, R sigma0, R damp, R viscous, R h) {
  const R inv = R(1.0) / (R(1.0) + h * Lam), k = sigma0 - damp * Lam, d = damp + viscous;
  ForceLine<R> o;
  o.gain = h * inv;
  o.A0 = (z + h * (turn - Vx)) * inv;
  o.F0 = k * o.A0 - d * Vx;
  o.slope = k * o.gain + d;
  return o;
}

// [T23.31]  Bristles whose stiffness is g sigma0 on this ground: z stays F/sigma0, so that a new ground does not change the force.
//   z' = g v - Lam z;  the standing patch turns the deflections z/g
template <class R, class K> VD_FN void feed_bristles(const TireParams<R, K>& p, const RollingSlip<R>& o,
                                                     const TireForce<R>& f, R turn, WheelAffine<R>& rate) {
  const RollingParams<R>& r = p.rolling;
  rate.zx = {f.LamX, o.gx * (o.vx + turn * f.zy / o.gy) + f.LamX * f.dFx * r.inv_sigma0_x};
  rate.zy = {f.LamY, o.gy * (o.vy - turn * f.zx / o.gx) + f.LamY * f.dFy * r.inv_sigma0_y};
}

// The slip under one steady law: its curves, the slip, and what the law has beyond its similarity form.
template <class S, class R, class K> VD_FN void rolling_slip_of(S law, const K& kind, const TireParams<R, K>& p,
                                                                const WheelState<R>& w, const Contact<R>& c, R Fz,
                                                                TireSlip<R>& o) {
  law.read(kind, p, c, Fz, o.at);
  o.rolling = rolling_slip(law, kind, p, o.at, w, c);
  law.beyond(kind, p, w, c, Fz, o.at, o.rolling);
}
template <class S, class R, class K>
VD_NOINLINE void rolling_slip_apart(S law, const K& kind, const TireParams<R, K>& p, const WheelState<R>& w,
                                    const Contact<R>& c, R Fz, TireSlip<R>& o) {
  rolling_slip_of(law, kind, p, w, c, Fz, o);
}

struct ContactRolling {
  template <class R, class K> VD_FN static void slip(const K& kind, const TireParams<R, K>& p, const WheelState<R>& w,
                                                     const Contact<R>& c, R Fz, TireSlip<R>& o) {
    by_steady(kind, [&](auto law) {
      if constexpr (decltype(law)::apart)
        rolling_slip_apart(law, kind, p, w, c, Fz, o);
      else
        rolling_slip_of(law, kind, p, w, c, Fz, o);
    });
  }
  template <class R, class K> VD_FN static TireForce<R> force(const K& kind, const TireParams<R, K>& p,
                                                              const WheelState<R>& w, const Contact<R>& c,
                                                              const TireSlip<R>& o, R Fz) {
    return rolling_force(kind, p, w, c, o.rolling, o.at, Fz);
  }
  template <class R, class K> VD_FN static TireMoments<R> rates(const K& kind, const TireParams<R, K>& p,
                                                                const WheelState<R>& w, const Contact<R>& c,
                                                                const TireSlip<R>& o, const TireForce<R>& f, R Fz,
                                                                WheelAffine<R>& rate) {
    const RollingParams<R>& r = p.rolling;
    const R turn = o.rolling.chi_w * c.psidot;  // a standing patch stays where it is while the wheel turns over it
    TireMoments<R> m = by_steady(kind, [&](auto law) {
      const Slips<R> slip = bristle_slips(kind, r, c, o.rolling, f);
      return law.rolling_moments(kind, p, w, c, o, f, slip, Fz, rate);
    });
    m.Mz += bristle_couple(kind, p, o.rolling, f);
    if (kind.ground_bristles) {
      feed_bristles(p, o.rolling, f, turn, rate);
    } else {
      rate.zx = {f.LamX, (kind.at_load ? o.vx + f.LamX * f.dFx * r.inv_sigma0_x : o.vx) + turn * f.zy};
      rate.zy = {f.LamY, o.vy + f.LamY * f.dFy * r.inv_sigma0_y - turn * f.zx};
    }
    rate.roll = {abs(c.Vr) * p.inv_b, c.Vr};
    if (kind.pivot) {
      const Pivot<R> v = pivot(r, w.pivot, c, o.rolling.s.vs, f.Dx, f.Dy);
      m.Mz += v.M;
      rate.pivot = v.rate;
      m.pivot = v.psi;
    }
    return m;
  }
  template <class R, class K>
  VD_FN static void advance(const K&, const TireParams<R, K>&, const TireOut<R>&, R, WheelState<R>&) {}
  template <class R, class K>
  VD_FN static void limit(const K& kind, const TireParams<R, K>& p, const TireForce<R>& f, WheelState<R>& w) {
    const TwoInverses<R> inv_D = inverses(f.Dx, f.Dy);
    const R back = return_map(p.sigma0_x * w.zx * inv_D.a, p.sigma0_y * w.zy * inv_D.b, f.lim);
    w.zx = w.zx * back;
    w.zy = w.zy * back;
    if (kind.pivot) w.pivot = clamp_pivot(p.rolling, w.pivot, f.Dx, f.Dy);
  }
  template <class R, class K> VD_FN static ForceLine<R> line(const K& kind, const TireParams<R, K>& p,
                                                             const WheelState<R>& w, const TireOut<R>& o,
                                                             const WheelAffine<R>& rate, R h) {
    if (kind.ground_bristles) {
      const R g = o.slip.rolling.gx;
      ForceLine<R> line = bristle_line(w.zx / g, rate.zx.v / g - o.slip.vx, o.contact.Vx, rate.zx.L, p.sigma0_x * g,
                                       o.force.slope, R(0.0), h);
      line.A0 *= g;
      line.gain *= g;
      return line;
    }
    return bristle_line(w.zx, rate.zx.v - o.slip.vx, o.contact.Vx, rate.zx.L, p.sigma0_x, o.force.slope, R(0.0), h);
  }
  template <class R> VD_FN static bool saturate(const TireOut<R>&, R, ForceLine<R>&) { return false; }
  template <class R> VD_FN static void turned(const ForceLine<R>& line, R u, WheelState<R>& w) {
    w.zx = line.A0 + line.gain * u;
  }
  template <class R, class K> VD_FN static void finish(const K& kind, const TireParams<R, K>& p, const TireOut<R>& o,
                                                       const WheelAffine<R>& rate, R, R h, WheelState<R>& w,
                                                       WheelForces<R>& F) {
    w.zy = adv(w.zy, rate.zy.L, rate.zy.v, h);
    R turned = rate.zy.v - rate.zy.L * w.zy;
    if (kind.ground_bristles) turned = turned / o.slip.rolling.gy;
    F.Fy = p.sigma0_y * w.zy + o.force.damp_y * turned;
    if (kind.roll_memory) w.roll = backward(w.roll, rate.roll, h);
    if (kind.pivot) w.pivot = backward(w.pivot, rate.pivot, h);
    if (kind.steady == SteadyLaw::rally) {
      w.T_tread = backward(w.T_tread, rate.T_tread, h);
      w.T_core = backward(w.T_core, rate.T_core, h);
      w.tread = backward(w.tread, rate.tread, h);
    }
    F = friction_ellipse(F, Peak<R>{o.force.Dx, o.force.Dy});
  }
  template <class R, class K>
  VD_FN static WheelForces<R> gained(const TireParams<R, K>& p, const TireForce<R>& f, const WheelState<R>& w) {
    return {p.sigma0_x * (w.zx - f.zx), p.sigma0_y * (w.zy - f.zy)};
  }
  template <class R, class K> VD_FN static void energy(const K& kind, const TireParams<R, K>& p, const WheelState<R>& w,
                                                       const Ground<R>& ground, R count, R& sum) {
    Slips<R> g{R(1.0), R(1.0)};
    if (kind.ground_bristles) g = by_steady(kind, [&](auto law) { return law.bristles(kind, p, ground); });
    sum += count * R(0.5) * (p.sigma0_x * w.zx * w.zx / g.x + p.sigma0_y * w.zy * w.zy / g.y);
    if (kind.pivot) sum += count * R(0.5) * p.rolling.c_psi * w.pivot * w.pivot;
  }
};

}  // namespace vdsim
