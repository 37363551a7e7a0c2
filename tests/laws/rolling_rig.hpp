// SPDX-License-Identifier: Apache-2.0
// Test rigs: one tire on a drum (slip prescribed, spin prescribed or free), and one car whose road can be tilted step by step.
#pragma once
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>

#include "tests/short_form.hpp"
#include "vdsim/engine/energy.hpp"

namespace laws {
using namespace vdsim;

inline constexpr double kPi = 3.14159265358979323846;

// VDSIM_RESIDUALS=1 prints what a law measured, next to its tolerance.
inline void measured(const std::string& what, double value, double tolerance) {
  if (std::getenv("VDSIM_RESIDUALS"))
    std::printf("    %-58s %11.3e   tolerance %.3g\n", what.c_str(), value, tolerance);
}

// The magic formula as the book writes it, with libm: the reference of every "steady force = MF" test.
inline double mf(double B, double C, double D, double E, double s) {
  return D * std::sin(C * std::atan(B * s - E * (B * s - std::atan(B * s))));
}
inline double mf_long(const TireSpec& t, double s) { return mf(t.B_long, t.C_long, t.D_long, t.E_long, s); }
inline double mf_lat(const TireSpec& t, double s) { return mf(t.B_lat, t.C_lat, t.D_lat, t.E_lat, s); }

// Slip of the peak: (1 - E) x + E atan x = tan(pi/(2 C)), s = x/B; for curves with a peak (C > 1).
inline double peak_of(double B, double C, double E) {
  double lo = 0, hi = 1e6;
  for (int i = 0; i < 200; ++i) {
    const double x = 0.5 * (lo + hi);
    ((1 - E) * x + E * std::atan(x) < std::tan(kPi / (2 * C)) ? lo : hi) = x;
  }
  return 0.5 * (lo + hi) / B;
}

struct Rng {
  std::mt19937_64 g;
  explicit Rng(unsigned seed) : g(seed) {}
  double operator()(double lo, double hi) { return lo + (hi - lo) * double(g() >> 11) * 0x1p-53; }
  double log(double lo, double hi) { return lo * std::pow(hi / lo, (*this)(0, 1)); }
  double sign() { return (*this)(0, 1) < 0.5 ? -1 : 1; }
};

// Double parameters to any R; all of them are plain arrays of numbers.
template <class To, class From, class R> To convert(const From& from) {
  static_assert(sizeof(To) / sizeof(R) == sizeof(From) / sizeof(double));
  To to;
  auto* q = reinterpret_cast<R*>(&to);
  auto* p = reinterpret_cast<const double*>(&from);
  for (std::size_t i = 0; i < sizeof(From) / sizeof(double); ++i) q[i] = R(p[i]);
  return to;
}

// ------------------------------------------------------------------------------------------------ one tire

// What the drum does to the tire at one instant.
template <class R> struct Drum { R Vx = 0, Vy = 0, Vr = 0, psidot = 0, Fz = 4000, mu = 1, gamma = 0; };

// Bristles, roll memory and pivot follow the drum; with `free` the spin follows too (drum.Vr is then not read).
template <class R> struct TireRig {
  TireKind kind;
  TireParams<R> p;
  WheelState<R> w{};
  bool free = false;
  R I = 1, torque = 0;

  explicit TireRig(const TireSpec& s, double radius = 0.32)
      : kind(tire_kind(s)), p(convert<TireParams<R>, TireParams<double>, R>(compile_tire(s, radius))) {}

  struct Out {
    R Fx, Fy, Mz, Dx, Dy;
    TireForce<R> force;
    WheelAffine<R> rate;
    R zdot_x, zdot_y;
  };
  Out eval(const Drum<R>& d) const { return eval(w, d); }
  Out eval(const WheelState<R>& s, const Drum<R>& d) const {
    const Contact<R> c{d.Vx, d.Vy, free ? p.R0 * s.w : d.Vr, d.psidot, d.mu, d.mu, d.gamma, R(1.0)};
    const TireSlip<R> slip = tire_slip(kind, p, s, c, d.Fz);
    Out o{};
    o.force = tire_force(kind, p, s, c, slip, d.Fz);
    o.Mz = tire_rates(kind, p, s, c, slip, o.force, d.Fz, o.rate).Mz;
    o.Fx = o.force.Fx;
    o.Fy = o.force.Fy;
    const Peak<R> peak = mf_peak(p.mf, d.Fz, d.mu, d.mu);
    o.Dx = peak.Dx;
    o.Dy = peak.Dy;
    o.zdot_x = o.rate.zx.v - o.rate.zx.L * o.force.zx;
    o.zdot_y = o.rate.zy.v - o.rate.zy.L * o.force.zy;
    // spin: I w' = T - R Fx, with the bristle damping taken implicitly
    const R L = sq(p.R0) * o.force.slope / I;
    o.rate.w = {L, (torque - p.R0 * o.force.Fx) / I + L * s.w};
    return o;
  }

  // One RKMK4 step over drum(t); returns the forces at its start.
  template <class F> Out step(F&& drum, double t, double h) {
    const Out first = eval(w, drum(t));
    w.zx = first.force.zx;  // the return map acts on the stored bristle
    w.zy = first.force.zy;
    const WheelState<R> y0 = w;
    WheelAffine<R> a[4] = {first.rate, {}, {}, {}};
    const double at[3] = {t + h / 2, t + h / 2, t + h};
    for (int stage = 1; stage <= 4; ++stage) {
      const auto go = [&](auto s, auto r) { w.*s = rkmk4(stage, y0.*s, a[0].*r, a[1].*r, a[2].*r, a[3].*r, R(h)); };
      using S = WheelState<R>;
      using A = WheelAffine<R>;
      if (free) go(&S::w, &A::w);
      go(&S::zx, &A::zx);
      go(&S::zy, &A::zy);
      if (kind.roll_memory) go(&S::roll, &A::roll);
      if (kind.pivot) go(&S::pivot, &A::pivot);
      if (stage < 4) a[stage] = eval(w, drum(at[stage - 1])).rate;
    }
    return first;
  }
  // Hold the drum for a time.
  Out run(const Drum<R>& d, double time, double h) {
    const long n = std::lround(time / h);
    for (long i = 0; i < n; ++i) step([&](double) { return d; }, 0, h);
    return eval(d);
  }
};

// MF96 defaults, no load sensitivity, no rolling resistance: pure physics of the law.
inline TireSpec standard_tire() {
  TireSpec t;
  t.load_sensitivity = 0;
  t.rolling_resistance = 0;
  return t;
}

// ------------------------------------------------------------------------------------------------- one car

template <class F> void each_tire(VehicleSpec& s, F&& f) {
  for (TireSpec* t : {&s.tire_fl, &s.tire_fr, &s.tire_rl, &s.tire_rr}) f(*t);
}

// 1500 kg, I_w 1.2 kg m^2, R 0.32 m, no air, no engine inertia, no rolling resistance.
inline VehicleSpec standard_car() {
  VehicleSpec s;
  s.chassis.wheel_inertia = 1.2;
  s.chassis.wheel_radius_nominal = 0.32;
  s.chassis.aero_drag_coeff = 0;
  s.drivetrain.engine_rotational_inertia = 0;
  each_tire(s, [](TireSpec& t) { t = standard_tire(); });
  return s;
}

template <class R = double, Level Lv = Level::L2> struct CarRig {
  Model<R, Lv> m;
  State<R, Lv> s;
  Integrator method;

  CarRig(const VehicleSpec& spec, const RoadSpec& road, double vx0 = 0, Integrator how = Integrator::rk4,
         double yaw0 = 0)
      : method(how) {
    const Model<double, Lv> md = compile<Lv>(spec, road);
    const State<double, Lv> sd = start<Lv>(md, 0, 0, yaw0, vx0);
    m.kind = md.kind;
    m.p = convert<VehicleParams<R, Lv>, VehicleParams<double, Lv>, R>(md.p);
    s = convert<State<R, Lv>, State<double, Lv>, R>(sd);
  }
  Power<R> step(const Inputs<R>& from, const Inputs<R>& to, double h) {
    return integrate(method, m, s, from, to, R(h));
  }
  Power<R> step(const Inputs<R>& held, double h) { return step(held, held, h); }
  double speed() const { return std::hypot(double(s.vx), double(s.vy)); }
  Outputs<R, Lv> out(const Inputs<R>& u) const {
    Outputs<R, Lv> o;
    Rates<R, Lv> d;
    Grip<R> grip[2];
    deriv(m, s, make_stage(m, u, R(0)), true, grip, o, d);
    return o;
  }
  // Total contact force along the body x axis [N].
  double contact_Fx(const Inputs<R>& u) const {
    Rates<R, Lv> d;
    Outputs<R, Lv> o;
    Grip<R> grip[2];
    deriv(m, s, make_stage(m, u, R(0)), true, grip, o, d);
    return double(d.ax) * double(m.p.m);
  }
};

template <class T> bool same_bits(const T& a, const T& b) { return std::memcmp(&a, &b, sizeof(T)) == 0; }

// How far the CG goes in `time` seconds after `settle` seconds, and how fast it goes at the end.
// The step is a function of the state, and position acts only through the friction map, which is flat under the wheels here: a
// state that repeats bit for bit, position aside, has been run to any length, with the cycle's own displacement per cycle.
struct Drift {
  double distance, speed;  // [m] of the CG in the plane; [m/s]
  bool repeats;            // proven by repetition, else run to the end
};
template <class R, Level Lv> Drift hold(CarRig<R, Lv>& car, const Inputs<R>& u, double h, double settle, double time) {
  for (long i = 0, n = std::lround(settle / h); i < n; ++i) car.step(u, h);
  const State<R, Lv> from = car.s;
  State<R, Lv> mark = car.s;
  double far = 0;
  const auto distance = [&](const State<R, Lv>& a) {
    return std::hypot(double(car.s.x) - double(a.x), double(car.s.y) - double(a.y));
  };
  for (long i = 1, begun = 0, n = std::lround(time / h); i <= n; ++i) {
    car.step(u, h);
    far = std::fmax(far, distance(from));
    State<R, Lv> there = mark;
    there.x = car.s.x;
    there.y = car.s.y;
    if (same_bits(car.s, there)) return {far + distance(mark) * double(n - i) / double(i - begun), car.speed(), true};
    if ((i & (i - 1)) == 0) mark = car.s, begun = i;  // Brent: the mark moves at powers of two, so every cycle is found
  }
  return {far, car.speed(), false};
}

// Drift [m/h] under one oscillating component of gravity, constant within a step, the same numbers in every period.
enum class Axis { x, y, n };
template <class R, Level Lv> double drift_per_hour(CarRig<R, Lv>& car, const Inputs<R>& u, Axis axis, double amplitude,
                                                   double hz, double h, double settle, double time) {
  const long per = std::lround(1 / (hz * h));
  R& g = axis == Axis::x ? car.m.p.road.gx : axis == Axis::y ? car.m.p.road.gy : car.m.p.road.gn;
  const R g0 = g;
  const auto period = [&] {
    for (long i = 0; i < per; ++i) {
      g = g0 + R(amplitude * kGravity * std::sin(2 * kPi * (double(i) + 0.5) / double(per)));
      car.step(u, h);
    }
    g = g0;
  };
  for (long i = 0, n = std::lround(settle * hz); i < n; ++i) period();
  const State<R, Lv> from = car.s;
  const long n = std::lround(time * hz);
  for (long i = 0; i < n; ++i) {
    const State<R, Lv> last = car.s;
    period();
    if (same_bits(car.s, last)) return 0;
  }
  return std::hypot(double(car.s.x) - double(from.x), double(car.s.y) - double(from.y)) / time * 3600;
}

}  // namespace laws
