// The tire chain: one function per phase, one switch over the law.
//   tire_slip   what does not depend on the load (once per stage), and for laws read at a load the rest of it
//   tire_force  Fx, Fy at a load (iterated until load and force agree)
//   tire_rates  Mz and the rates of the tire's own states
#pragma once
#include "vdsim/core/tire/at_load.hpp"
#include "vdsim/core/tire/belt.hpp"
#include "vdsim/core/tire/patch_tire.hpp"
#include "vdsim/core/tire/slip.hpp"

namespace vdsim {

template <class R> struct TireSlip {
  R vx, vy;         // slip velocity [m/s], sign of the force
  R kap, alp;       // slips the steady law is read at
  Normalised<R> n;  // steady force / peak (MF path, breakaway)
  R vlow;           // tire_vlow damping [N s/m]
  RollingSlip<R> rolling;
  AtLoad<R> at;         // laws read at a load
  PatchForce<R> patch;  // contact-patch LuGre, per newton of load
};

// MF path: geometric or lagged slip, then the steady law at it.
template <class R> VD_FN void mf_slip(const TireKind& kind, const TireParams<R>& p, const WheelState<R>& w,
                                      const Contact<R>& c, TireSlip<R>& o) {
  const R den = max(abs(c.Vx), kind.vlow ? p.vlow_eps : R(kSpeedEps));
  o.kap = o.vx / den;
  // a lag in distance freezes at rest and would go on turning a braked wheel: the blend fades it out  [T20.7]
  if (kind.relax_long) o.kap = select(c.lag < R(1.0), c.lag * w.kap + (R(1.0) - c.lag) * o.kap, w.kap);
  o.alp = kind.relax_lat ? w.alp : slip_angle(c.Vy, kind.lugre ? abs(c.Vx) : den);
  o.vlow = R(0.0);
  if (kind.vlow) {  // [T20.6]
    const R q = min(abs(c.Vx) / p.vlow_eps, R(1.0));
    o.vlow = p.vlow_k0 * R(0.5) * (R(1.0) + cos(R(3.14159265358979323846) * q));
  }
  if (kind.tir) return;
  if (kind.similarity) {
    const R vy = kind.relax_lat ? -tan(o.alp) * den : o.vy;
    const Similarity<R> s = similarity(kind, p, p, o.kap * den, vy, den, c.Vx, c.Vr);
    o.n = {s.dx * s.fx, s.dy * s.fy};
  } else {
    o.n = mf_pure(kind, p, o.kap, o.alp);
  }
}

template <class R> VD_FN void slip_at(const TireKind& kind, const TireParams<R>& p, const WheelState<R>& w,
                                      const Contact<R>& c, R Fz, TireSlip<R>& o) {
  o.vx = c.Vr - c.Vx;
  o.vy = -c.Vy;
  if (kind.patch) {
    o.patch = patch_now(c);
  } else if (kind.lugre && kind.rolling) {
    o.rolling = kind.at_load ? slip_at_load(kind, p, w, c, Fz, o.at) : rolling_slip(kind, p, p, w, c);
  } else {
    mf_slip(kind, p, w, c, o);
    if (kind.at_load) o.at.q = tir_steady(kind, p, c, Fz);
  }
}
// Once for all loads: everything, or (kind.load_slip) what does not depend on the load.
template <class R> VD_FN void slip_free(const TireKind& kind, const TireParams<R>& p, const WheelState<R>& w,
                                        const Contact<R>& c, TireSlip<R>& o) {
  if (kind.rally) o.at.env = rally_env_of(kind, p, w, c);
  if (!kind.load_slip) slip_at(kind, p, w, c, R(0.0), o);
}
// At one load: effective radius and rolling speed of the contact, then the slip.
template <class R> VD_FN void slip_loaded(const TireKind& kind, const TireParams<R>& p, const WheelState<R>& w, R Fz,
                                          Contact<R>& c, TireSlip<R>& o) {
  if (!kind.load_slip) return;
  c.Re = rolling_radius(kind, p, w, c, o.at, Fz);
  c.Vr = c.Re * w.w;
  slip_at(kind, p, w, c, Fz, o);
}
// One tire at a given load, of a contact that has the rolling speed Vr of this load.
template <class R> VD_FN TireSlip<R> tire_slip(const TireKind& kind, const TireParams<R>& p, const WheelState<R>& w,
                                               const Contact<R>& c, R Fz) {
  TireSlip<R> o;
  slip_free(kind, p, w, c, o);
  if (kind.load_slip) slip_at(kind, p, w, c, Fz, o);
  return o;
}

// Steady force of the MF path with camber thrust, tire_vlow damping and the limits that go with `combined`.
template <class R> VD_FN WheelForces<R> mf_force(const TireKind& kind, const TireParams<R>& p, const WheelState<R>& w,
                                                 const Contact<R>& c, const TireSlip<R>& o, const Peak<R>& peak, R Fz) {
  WheelForces<R> F;
  if (kind.tir) {
    const auto f = mf_tyre_force(kind.tir_law, p.tir, tir_in_car(), tir_input(p, c, w.w, o.kap, o.alp, Fz));
    F = {f.Fx, f.Fy};
  } else {
    F = {peak.Dx * o.n.x, peak.Dy * o.n.y};
  }
  if (kind.camber) F.Fy -= p.C_gamma * c.gamma * Fz * c.mu_lat;
  if (kind.vlow) F = {F.Fx + o.vlow * o.vx, F.Fy + o.vlow * o.vy};
  if (kind.vlow || kind.ellipse) F = lugre_friction_ellipse(F, peak);
  return F;
}

// Without combined slip the force is kept on the friction circle.
template <class R>
VD_FN WheelForces<R> friction_circle(const TireParams<R>& p, const Contact<R>& c, WheelForces<R> F, R Fz) {
  const R limit = p.mu_n * max(c.mu_long, c.mu_lat) * Fz;
  const R inv = min(R(1.0), limit / max(sqrt(sq(F.Fx) + sq(F.Fy)), R(kTiny)));
  return {F.Fx * inv, F.Fy * inv};
}

template <class R> VD_FN TireForce<R> tire_force(const TireKind& kind, const TireParams<R>& p, const WheelState<R>& w,
                                                 const Contact<R>& c, const TireSlip<R>& o, R load) {
  const R Fz = max(load, R(0.0));
  if (kind.lugre && kind.rolling) return rolling_force(kind, p, w, c, o.rolling, Fz);
  if (kind.patch) return patch_tire_force(w, c, o.patch, Fz);
  TireForce<R> f;
  const Peak<R> peak = kind.tir ? Peak<R>{o.at.q.Dx, o.at.q.Dy} : mf_peak(p, Fz, c.mu_long, c.mu_lat);
  WheelForces<R> F = mf_force(kind, p, w, c, o, peak, Fz);
  f.Dx = peak.Dx;
  f.Dy = peak.Dy;
  f.zx = w.zx;
  f.zy = w.zy;
  f.slope = R(0.0);
  if (kind.lugre) {
    const Breakaway<R> g = lugre_breakaway(F.Fx, F.Fy, o.alp, c.mu_lat, Fz);
    f.gx = g.x;
    f.gy = g.y;
    F = lugre_wheel_forces(p, w.zx, w.zy, kind.belt ? w.kap : o.vx, kind.belt ? w.alp : o.vy, g);
    if (kind.ellipse || kind.similarity || kind.tir) F = lugre_friction_ellipse(F, peak);
  } else {
    // secant of Fx over the slip velocity, at most the slip stiffness
    const R den = max(abs(c.Vx), kind.vlow ? p.vlow_eps : R(kSpeedEps)), B = kind.tir ? o.at.q.lon.B : p.lon.B,
            C = kind.tir ? o.at.q.lon.C : p.lon.C, most = peak.Dx * B * (kind.linear ? R(1.0) : C) / den + o.vlow;
    f.slope = min(abs(F.Fx) / max(abs(o.vx), R(1e-6) * den), most);
    f.slope = select(abs(o.vx) > R(1e-6) * den, f.slope, most);
    if (kind.relax_long) f.slope = f.slope * (R(1.0) - c.lag);
  }
  if (!kind.ellipse && !kind.similarity && !kind.tir) F = friction_circle(p, c, F, Fz);
  f.Fx = F.Fx;
  f.Fy = F.Fy;
  return f;
}

// Moments under the rolling law, without the twist of the patch.
template <class R> VD_FN TireMoments<R> rolling_moments(const TireKind& kind, const TireParams<R>& p,
                                                        const WheelState<R>& w, const Contact<R>& c,
                                                        const TireSlip<R>& o, const TireForce<R>& f, R Fz,
                                                        WheelAffine<R>& rate) {
  TireMoments<R> m{R(0.0), R(0.0), p.rolling_resistance * Fz * c.Re, w.pivot};
  if (kind.rally)
    m = rally_moments_and_rates(kind, p, w, c, o.rolling, o.at, f, Fz, rate);
  else if (kind.tir)
    m = tir_moments(kind, p, c, w.w, bristle_slip_x(p, c, o.rolling, f), -atan(bristle_slip_y(p, c, o.rolling, f)), Fz,
                    o.rolling.chi);
  else
    m.Mz = rolling_moment(p, c, o.rolling, f);
  if (kind.at_load) m.Mz += bristle_couple(p, o.rolling, f);
  return m;
}

// Moments; `rate` gets the rates of the tire states.
template <class R> VD_FN TireMoments<R> tire_rates(const TireKind& kind, const TireParams<R>& p, const WheelState<R>& w,
                                                   const Contact<R>& c, const TireSlip<R>& o, const TireForce<R>& f,
                                                   R Fz, WheelAffine<R>& rate) {
  TireMoments<R> m{R(0.0), R(0.0), p.rolling_resistance * Fz * c.Re, w.pivot};
  if (kind.lugre && kind.rolling) {
    const R turn = o.rolling.chi_w * c.psidot;  // a standing patch stays where it is while the wheel turns over it
    m = rolling_moments(kind, p, w, c, o, f, Fz, rate);
    rate.zx = {f.LamX, (kind.at_load ? o.vx + f.LamX * f.dFx * p.inv_sigma0_x : o.vx) + turn * f.zy};
    rate.zy = {f.LamY, o.vy + f.LamY * f.dFy * p.inv_sigma0_y - turn * f.zx};
    rate.roll = {abs(c.Vr) * p.inv_b, c.Vr};
    if (kind.pivot) {
      const Pivot<R> v = pivot(p, w.pivot, c, o.rolling.s.vs, f.Dx, f.Dy);
      m.Mz += v.M;
      rate.pivot = v.rate;
      m.pivot = v.psi;
    }
    return m;
  }
  if (kind.patch) return {R(0.0), max(Fz, R(0.0)) * o.patch.mz, R(0.0), R(0.0)};
  const R speed = abs(c.Vx), den = max(speed, kind.vlow ? p.vlow_eps : R(kSpeedEps));
  if (kind.relax_long) rate.kap = {speed * p.inv_relax_long, speed * p.inv_relax_long * o.vx / den};
  if (kind.relax_lat) rate.alp = {speed * p.inv_relax_lat, speed * p.inv_relax_lat * slip_angle(c.Vy, den)};
  if (kind.tir)
    return tir_moments(kind, p, c, w.w, o.kap, o.alp, Fz,
                       R(1.0) - abs(c.Vx) / sqrt(sq(c.Vx) + R(kSpeedEps * kSpeedEps)));
  m.Mz = -pneumatic_trail(p, o.alp) * f.Fy * c.Vx / sqrt(sq(c.Vx) + R(kSpeedEps * kSpeedEps));  // [T03.6]
  return m;
}

// Breakaway law: the slip velocities that its force sees follow those of the rim; the bristles follow the rim itself.  [T21.3]
template <class R> VD_FN void belt_advance(const TireParams<R>& p, const Contact<R>& c, R dt, WheelState<R>& w) {
  const R speed = max(abs(c.Vx), abs(c.Vr));  // a spinning wheel winds its belt on, also on the spot
  w.kap = belt_relax(w.kap, c.Vr - c.Vx, speed, p.belt_long, dt);
  w.alp = belt_relax(w.alp, -c.Vy, speed, p.belt_lat, dt);
}

// The breakaway law advances its own states, belt and bristles, a quarter step after each RK4 stage.
template <class R> VD_FN void breakaway_advance(const TireKind& kind, const TireParams<R>& p, const Contact<R>& c,
                                                const TireSlip<R>& o, const TireForce<R>& f, R dt, WheelState<R>& w) {
  if (kind.belt) belt_advance(p, c, dt, w);
  w.zx = lugre_advance_z(w.zx, o.vx, f.gx, p.sigma0_x, dt);
  w.zy = lugre_advance_z(w.zy, o.vy, f.gy, p.sigma0_y, dt);
}

}  // namespace vdsim
