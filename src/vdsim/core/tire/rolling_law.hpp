// LuGre `law: rolling`, the default: the steady law exactly at speed, relaxation with distance, true static hold at rest.
// One bristle per direction leaks at the secant rate lam = sigma0 v / F_steady; derivation, equation by equation:
// docs/theory/19_lugre_dynamic_tire.md. Split in two so that the load can be iterated cheaply: rolling_slip() holds all
// that does not depend on the load (the transcendental part), rolling_force() the rest.
// `if (any(...))` skips work that no lane needs; the lanes that did not ask get the value they would have got without it.
#pragma once
#include "vdsim/core/tire/magic_formula.hpp"

namespace vdsim {

template <class R> struct RollingSlip {
  R vx, vy;  // slip velocity (Vr - Vx, -Vy) [m/s]; a force has its sign            [T19.1]
  Similarity<R> s;
  R wDx, wDy, lamDx, lamDy;  // leak w_i, lam_i times the peak force D_i                          [T19.5]
  R inv_fAx, inv_fAy;        // 1 / force level at which the bristle yields, over D                  [T19.8]
  R chi, chi_w;              // 1 standing still, 0 rolling: by travel, by wheel speed               [T19.6]
  R c, sub;                  // share of the leak that rolling drives; min(1, rho)^2                 [T19.8]
  R fade;                    // 1 + (Vx/v_d)^2                                                       [T19.10]
  R Dx, Dy, dFx, dFy;        // only of a law read at a load (tire/at_load.hpp): peak forces, offset beyond F_sim [N]
};

template <class R> VD_FN RollingSlip<R> rolling_slip(const TireKind& kind, const TireParams<R>& p, const Curves<R>& q,
                                                     const WheelState<R>& w, const Contact<R>& c) {
  const R tau = R(kTiny), one = R(1.0);
  RollingSlip<R> o;
  o.vx = c.Vr - c.Vx;
  o.vy = -c.Vy;
  const R speed = abs(c.Vx), aVr = abs(c.Vr);
  o.s = similarity(kind, p, q, o.vx, o.vy, speed, c.Vx, c.Vr);
  const TwoInverses<R> inv_f = inverses(o.s.fx, o.s.fy);
  o.wDx = p.sigma0_x * o.s.Sx * inv_f.a;
  o.wDy = p.sigma0_y * o.s.Sy * inv_f.b;
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
  o.fade = one + sq(c.Vx * p.inv_v_d);
  return o;
}

// [T19.7]  factor that brings a bristle force p (over the peak) back to size lim
template <class R> VD_FN R return_map(R px, R py, R lim) {
  const R p2 = px * px + py * py;
  const mask_t<R> over = p2 > lim * lim;
  return any(over) ? select(over, lim / sqrt(p2), R(1.0)) : R(1.0);
}

template <class R> VD_FN TireForce<R> rolling_force(const TireKind& kind, const TireParams<R>& p,
                                                    const WheelState<R>& w, const Contact<R>& c,
                                                    const RollingSlip<R>& o, R Fz) {
  const R tau = R(kTiny), one = R(1.0), zero = R(0.0);
  TireForce<R> f;
  const Peak<R> peak = kind.at_load ? Peak<R>{o.Dx, o.Dy} : mf_peak(p, Fz, c.mu_long, c.mu_lat);
  f.Dx = max(peak.Dx, R(1e-3));
  f.Dy = max(peak.Dy, R(1e-3));
  const TwoInverses<R> inv_D = inverses(f.Dx, f.Dy);
  const R iDx = inv_D.a, iDy = inv_D.b;
  // [T19.6] offset of the steady law, faded at rest    [T19.7] return map: the bristle never holds more than lim
  f.dFx = f.dFy = zero;
  R lim = one;
  if (kind.offset) {
    f.dFy = kind.at_load ? (one - o.chi) * o.dFy : -(one - o.chi) * p.C_gamma * c.gamma * Fz * c.mu_lat;
    if (kind.at_load) f.dFx = (one - o.chi) * o.dFx;
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
  if (any(A2 > sq(p.beta))) {
    const R A = sqrt(A2), x = clamp((A - p.beta) * p.inv_1m_beta, zero, one),
            S = x * x * x * (x * (R(6.0) * x - R(15.0)) + R(10.0));
    const R wx = o.wDx * iDx, wy = o.wDy * iDy;
    alpha = S * A * max(zero, wx * Ax * o.s.dx + wy * Ay * o.s.dy) / (wx * Ax * Ax + wy * Ay * Ay + tau);
  }
  const R a = o.c + (one - o.c) * alpha * o.sub;
  // [T19.9]
  f.lim = lim;
  f.LamX = a * o.lamDx * iDx;
  f.LamY = a * o.lamDy * iDy;
  const R zox = o.vx - f.LamX * (kind.at_load ? f.zx - f.dFx * p.inv_sigma0_x : f.zx),
          zoy = o.vy - f.LamY * (f.zy - f.dFy * p.inv_sigma0_y);
  // [T19.10] damping, limited so that the force stays within lim
  const TwoInverses<R> inv_s = inverses(o.fade + p.decay_x * f.LamX, o.fade + p.decay_y * f.LamY);
  const R s1x = p.sigma1_x * inv_s.a, s1y = p.sigma1_y * inv_s.b;
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
template <class R>
VD_FN R bristle_slip_x(const TireParams<R>& p, const Contact<R>& c, const RollingSlip<R>& o, const TireForce<R>& f) {
  return o.lamDx * (f.zx - f.dFx * p.inv_sigma0_x) / (f.Dx * max(abs(c.Vx), p.v_st));
}
template <class R>
VD_FN R bristle_slip_y(const TireParams<R>& p, const Contact<R>& c, const RollingSlip<R>& o, const TireForce<R>& f) {
  return o.lamDy * (f.zy - f.dFy * p.inv_sigma0_y) / (f.Dy * max(abs(c.Vx), p.v_st));
}
// The standing patch: the couple of unequal stiffness.
template <class R> VD_FN R bristle_couple(const TireParams<R>& p, const RollingSlip<R>& o, const TireForce<R>& f) {
  return -((p.sigma0_x - p.sigma0_y) * f.zx * f.zy * o.chi_w);
}
// Aligning moment: trail at the slip the bristle remembers, none at rest.
template <class R>
VD_FN R rolling_moment(const TireParams<R>& p, const Contact<R>& c, const RollingSlip<R>& o, const TireForce<R>& f) {
  const R tan_alp = bristle_slip_y(p, c, o, f);
  return -sign(c.Vx) * pneumatic_trail(p, atan(tan_alp)) * f.Fy * (R(1.0) - o.chi) + bristle_couple(p, o, f);
}

// [T19.12]  twist of the standing patch: M = -c_psi psi, wound up by yaw, unwound by rolling and sliding
template <class R> struct Pivot {
  R psi;  // after the clamp to the friction limit [rad]
  Affine<R> rate;
  R M;  // parking torque [N m]
};
template <class R> VD_FN R pivot_limit(const TireParams<R>& p, R Dx, R Dy) {
  return max(sqrt(Dx * Dy) * p.r_psi * p.inv_c_psi, R(1e-12));
}
template <class R> VD_FN R clamp_pivot(const TireParams<R>& p, R psi, R Dx, R Dy) {
  const R zm = pivot_limit(p, Dx, Dy);
  return clamp(psi, -zm, zm);
}
template <class R> VD_FN Pivot<R> pivot(const TireParams<R>& p, R psi, const Contact<R>& c, R vs, R Dx, R Dy) {
  const R tau = R(kTiny), zero = R(0.0), one = R(1.0);
  const R zm = pivot_limit(p, Dx, Dy);
  Pivot<R> o;
  o.psi = clamp(psi, -zm, zm);
  const R slide = vs * p.inv_r_psi, ws = sqrt(sq(c.psidot) + sq(slide)), inv_ws = one / max(ws, tau);
  const R x = clamp((abs(o.psi) / zm - p.beta) * p.inv_1m_beta, zero, one);
  const R S = x * x * (R(3.0) - R(2.0) * x);
  const R leak = S * max(zero, o.psi / zm * c.psidot * inv_ws) + sq(slide * inv_ws);
  o.rate = {abs(c.Vr) * p.inv_L_psi + leak * ws / zm, c.psidot};
  o.M = -p.c_psi * o.psi;
  return o;
}

}  // namespace vdsim
