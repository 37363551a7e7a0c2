// The tire chain: one function per phase, one switch over the law.
//   tire_slip   what does not depend on the load (once per stage)
//   tire_force  Fx, Fy at a load (iterated until load and force agree)
//   tire_rates  Mz and the rates of the tire's own states
#pragma once
#include "vdsim/tire/lugre_tire.hpp"
#include "vdsim/tire/rolling_law.hpp"
#include "vdsim/tire/slip.hpp"

namespace vdsim {

template <class R> struct TireSlip {
  R vx, vy;         // slip velocity [m/s], sign of the force
  R kap, alp;       // slips the steady law is read at
  Normalised<R> n;  // steady force / peak (MF path, breakaway)
  R vlow;           // tire_vlow damping [N s/m]
  RollingSlip<R> rolling;
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
  if (kind.similarity) {
    const R vy = kind.relax_lat ? -tan(o.alp) * den : o.vy;
    const Similarity<R> s = similarity(kind, p, o.kap * den, vy, den, c.Vx, c.Vr);
    o.n = {s.dx * s.fx, s.dy * s.fy};
  } else {
    o.n = mf_pure(kind, p, o.kap, o.alp);
  }
}

template <class R>
VD_FN TireSlip<R> tire_slip(const TireKind& kind, const TireParams<R>& p, const WheelState<R>& w, const Contact<R>& c) {
  TireSlip<R> o;
  o.vx = c.Vr - c.Vx;
  o.vy = -c.Vy;
  if (kind.lugre && kind.rolling)
    o.rolling = rolling_slip(kind, p, w, c);
  else
    mf_slip(kind, p, w, c, o);
  return o;
}

// Steady force of the MF path with camber thrust, tire_vlow damping and the limits that go with `combined`.
template <class R> VD_FN WheelForces<R> mf_force(const TireKind& kind, const TireParams<R>& p, const Contact<R>& c,
                                                 const TireSlip<R>& o, const Peak<R>& peak, R Fz) {
  WheelForces<R> F{peak.Dx * o.n.x, peak.Dy * o.n.y};
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
                                                 const Contact<R>& c, const TireSlip<R>& o, R Fz) {
  if (kind.lugre && kind.rolling) return rolling_force(kind, p, w, c, o.rolling, Fz);
  TireForce<R> f;
  const Peak<R> peak = mf_peak(p, Fz, c.mu_long, c.mu_lat);
  WheelForces<R> F = mf_force(kind, p, c, o, peak, Fz);
  f.zx = w.zx;
  f.zy = w.zy;
  f.slope = R(0.0);
  if (kind.lugre) {
    const Breakaway<R> g = lugre_breakaway(F.Fx, F.Fy, o.alp, c.mu_lat, Fz);
    f.gx = g.x;
    f.gy = g.y;
    F = lugre_wheel_forces(p, w.zx, w.zy, o.vx, o.vy, g);
    if (kind.ellipse || kind.similarity) F = lugre_friction_ellipse(F, peak);
  } else {
    // secant of Fx over the slip velocity, at most the slip stiffness
    const R den = max(abs(c.Vx), kind.vlow ? p.vlow_eps : R(kSpeedEps)),
            most = peak.Dx * p.lon.B * (kind.linear ? R(1.0) : p.lon.C) / den + o.vlow;
    f.slope = min(abs(F.Fx) / max(abs(o.vx), R(1e-6) * den), most);
    f.slope = select(abs(o.vx) > R(1e-6) * den, f.slope, most);
    if (kind.relax_long) f.slope = f.slope * (R(1.0) - c.lag);
  }
  if (!kind.ellipse && !kind.similarity) F = friction_circle(p, c, F, Fz);
  f.Fx = F.Fx;
  f.Fy = F.Fy;
  return f;
}

// Aligning moment + parking torque [N m]; `rate` gets the rates of the tire states, `pivot0` the patch twist after its clamp.
template <class R> VD_FN R tire_rates(const TireKind& kind, const TireParams<R>& p, const WheelState<R>& w,
                                      const Contact<R>& c, const TireSlip<R>& o, const TireForce<R>& f,
                                      WheelAffine<R>& rate, R& pivot0) {
  if (kind.lugre && kind.rolling) {
    const R turn = o.rolling.chi_w * c.psidot;  // a standing patch stays where it is while the wheel turns over it
    R Mz = rolling_moment(p, c, o.rolling, f);
    rate.zx = {f.LamX, o.vx + turn * f.zy};
    rate.zy = {f.LamY, o.vy + f.LamY * f.dFy * p.inv_sigma0_y - turn * f.zx};
    rate.roll = {abs(c.Vr) * p.inv_b, c.Vr};
    if (kind.pivot) {
      const Pivot<R> v = pivot(p, w.pivot, c, o.rolling.s.vs, f.Dx, f.Dy);
      Mz += v.M;
      rate.pivot = v.rate;
      pivot0 = v.psi;
    }
    return Mz;
  }
  const R speed = abs(c.Vx), den = max(speed, kind.vlow ? p.vlow_eps : R(kSpeedEps));
  if (kind.relax_long) rate.kap = {speed * p.inv_relax_long, speed * p.inv_relax_long * o.vx / den};
  if (kind.relax_lat) rate.alp = {speed * p.inv_relax_lat, speed * p.inv_relax_lat * slip_angle(c.Vy, den)};
  return -pneumatic_trail(p, o.alp) * f.Fy * c.Vx / sqrt(sq(c.Vx) + R(kSpeedEps * kSpeedEps));  // [T03.6]
}

// The breakaway law advances its bristles itself, a quarter step after each RK4 stage.
template <class R>
VD_FN void breakaway_advance(const TireParams<R>& p, const TireSlip<R>& o, const TireForce<R>& f, R dt, R& zx, R& zy) {
  zx = lugre_advance_z(zx, o.vx, f.gx, p.sigma0_x, dt);
  zy = lugre_advance_z(zy, o.vy, f.gy, p.sigma0_y, dt);
}

}  // namespace vdsim
