// SPDX-License-Identifier: Apache-2.0
// The reference sedan of the catalog, its tire laws, and closed forms the tests compare with.
// The closed forms are written from the theory with libm, not with the functions under test.
#pragma once
#include <cmath>
#include <functional>
#include <vector>

#include "vdsim/engine/car.hpp"
#include "vdsim/engine/energy.hpp"

namespace cars {

using namespace vdsim;

enum class Law { rolling, breakaway, fallback, mf_only };
inline const char* name(Law l) {
  return l == Law::rolling     ? "rolling"
         : l == Law::breakaway ? "breakaway"
         : l == Law::fallback  ? "fallback"
                               : "mf_only";
}
inline const char* name(Level l) {
  return l == Level::L1 ? "L1" : l == Level::L2 ? "L2" : l == Level::L3 ? "L3" : "L5";
}
inline const char* name(Integrator i) {
  return i == Integrator::rk4 ? "rk4" : i == Integrator::euler ? "euler" : "implicit";
}

template <class F> VehicleSpec with_tires(VehicleSpec s, F&& f) {
  for (TireSpec* t : {&s.tire_fl, &s.tire_fr, &s.tire_rl, &s.tire_rr}) f(*t);
  return s;
}

inline TireSpec default_pacejka() {
  TireSpec t;
  t.B_long = 10, t.C_long = 1.65, t.D_long = 1, t.E_long = 0.97;
  t.B_lat = 8, t.C_lat = 1.30, t.D_lat = 1, t.E_lat = -1;
  t.mu_nominal = 1, t.Fz_nominal = 4000, t.load_sensitivity = 0.15, t.rolling_resistance = 0.015;
  t.relaxation_length_lat = 0.6, t.relaxation_length_long = 0.15;
  return t;
}

inline void set_law(TireSpec& t, Law l) {
  t.lugre.enabled = l == Law::rolling || l == Law::breakaway;
  t.lugre.law = l == Law::breakaway ? LugreLaw::breakaway : LugreLaw::rolling;
  t.combined = l == Law::fallback ? Combined::ellipse : Combined::automatic;
  if (l == Law::mf_only) {  // the same combined law as `rolling`, nothing else
    t.combined = Combined::similarity;
    t.relaxation_length_lat = t.relaxation_length_long = 0;
    t.low_speed_mode = LowSpeedMode::none;
  }
}

inline VehicleSpec sedan(Law law = Law::rolling) {
  VehicleSpec s;
  s.chassis.aero_lift_front = s.chassis.aero_lift_rear = 0.05;
  s.brake.max_brake_torque = 5000;
  s.brake.brake_bias_front = 0.62;
  s.steering.ackerman_percent = 60;
  s.tire_fl = s.tire_fr = s.tire_rl = s.tire_rr = default_pacejka();
  return with_tires(s, [&](TireSpec& t) { set_law(t, law); });
}

// sigma0 of both directions, in the ratio of the defaults (3e5 : 1e5)
inline VehicleSpec with_sigma0(VehicleSpec s, double sigma0) {
  return with_tires(s, [&](TireSpec& t) {
    t.lugre.sigma0 = sigma0;
    t.lugre.rolling.sigma0_lat = sigma0 / 3;
  });
}

inline RoadSpec flat(double mu = 1) {
  RoadSpec r;
  r.mu = mu;
  return r;
}
inline RoadSpec slope(double grade, double bank = 0, double mu = 1) {
  RoadSpec r;
  r.mu = mu, r.grade = grade, r.bank = bank;
  return r;
}

inline VehicleSpec without_losses(VehicleSpec s) {
  s.chassis.aero_drag_coeff = s.chassis.aero_lift_front = s.chassis.aero_lift_rear = 0;
  return with_tires(s, [](TireSpec& t) { t.rolling_resistance = 0; });
}

// Runs for T seconds; each(sample) after every step when given. False if the step diverged.
inline bool run(Car& sim, const Commands& c, double T, double dt,
                const std::function<void(const CarOutputs&)>& each = {}) {
  const long n = std::lround(T / dt);
  for (long i = 0; i < n; ++i) {
    if (!sim.step(c, dt)) return false;
    if (each) each(sim.outputs(c));
  }
  return true;
}

// ---- closed forms ------------------------------------------------------------------------------------------------

inline double mf(double B, double C, double E, double s) {
  return std::sin(C * std::atan(B * s - E * (B * s - std::atan(B * s))));
}
inline double mu_e(const TireSpec& t, double Fz) {
  return std::max(0.3 * t.mu_nominal, t.mu_nominal * (1 - t.load_sensitivity * (Fz / t.Fz_nominal - 1)));
}
inline double mf_long(const TireSpec& t, double kap, double Fz, double mu = 1) {
  return t.D_long * Fz * mu_e(t, Fz) * mu * mf(t.B_long, t.C_long, t.E_long, kap);
}
inline double mf_lat(const TireSpec& t, double alp, double Fz, double mu = 1) {
  return -t.D_lat * Fz * mu_e(t, Fz) * mu * mf(t.B_lat, t.C_lat, t.E_lat, alp);
}
inline double slip_stiffness_long(const TireSpec& t, double Fz, double mu = 1) {
  return t.B_long * t.C_long * t.D_long * Fz * mu_e(t, Fz) * mu;
}
inline double slip_stiffness_lat(const TireSpec& t, double Fz, double mu = 1) {
  return t.B_lat * t.C_lat * t.D_lat * Fz * mu_e(t, Fz) * mu;
}

constexpr double g = 9.80665, rho = 1.225;
inline double radius(const VehicleSpec& s) { return s.chassis.wheel_radius_nominal; }
inline double wheel_inertia(const VehicleSpec& s) {
  return s.chassis.wheel_inertia > 0 ? s.chassis.wheel_inertia
                                     : 0.5 * s.chassis.unsprung_mass[0] * radius(s) * radius(s);
}
inline double engine_at_wheels(const VehicleSpec& s) {
  return s.drivetrain.engine_rotational_inertia * s.drivetrain.final_drive_ratio * s.drivetrain.final_drive_ratio;
}
// What the car feels like to a force along x: m + sum I/R^2, the engine in gear
inline double effective_mass(const VehicleSpec& s, bool in_gear) {
  return s.chassis.mass + (4 * wheel_inertia(s) + (in_gear ? engine_at_wheels(s) : 0)) / (radius(s) * radius(s));
}
inline double drag(const VehicleSpec& s, double v) {
  return 0.5 * rho * s.chassis.aero_drag_coeff * s.chassis.frontal_area * v * std::fabs(v);
}
inline double load(const VehicleSpec& s, double v, double cosine = 1) {
  return s.chassis.mass * g * cosine +
         0.5 * rho * s.chassis.frontal_area * (s.chassis.aero_lift_front + s.chassis.aero_lift_rear) * v * v;
}
// Rolling resistance and drag at forward speed v [N], against the motion
inline double resistance(const VehicleSpec& s, double v, double cosine = 1) {
  return s.tire_fl.rolling_resistance * load(s, v, cosine) + drag(s, v);
}

inline double static_load(const VehicleSpec& s, bool front) {  // of one wheel
  return 0.5 * s.chassis.mass * g * (front ? s.chassis.cg_to_rear : s.chassis.cg_to_front) / s.chassis.wheelbase;
}

// Steady state of the linear single track with trail: yaw rate per steer angle at speed V (negative = reverse).
// alp_i = V_y,i/|V|, F_i = -C_i alp_i at x_i - sgn(V) t;  sum F = m V r, sum (x_i - sgn(V) t) F_i = 0.
inline double linear_yaw_gain(const VehicleSpec& s, double V) {
  const double a = s.chassis.cg_to_front, b = s.chassis.cg_to_rear, sg = V > 0 ? 1 : -1,
               t = sg * s.tire_fl.pneumatic_trail, A = std::fabs(V);
  const double Cf = 2 * slip_stiffness_lat(s.tire_fl, static_load(s, true)),
               Cr = 2 * slip_stiffness_lat(s.tire_rl, static_load(s, false));
  // unknowns vy, r (delta = 1):  F_f = -Cf (vy + a r - V)/A,  F_r = -Cr (vy - b r)/A
  const double m11 = -(Cf + Cr) / A, m12 = -(Cf * a - Cr * b) / A - s.chassis.mass * V, q1 = -Cf * V / A;
  const double m21 = -((a - t) * Cf - (b + t) * Cr) / A, m22 = -((a - t) * a * Cf + (b + t) * b * Cr) / A,
               q2 = -(a - t) * Cf * V / A;
  return (m11 * q2 - m21 * q1) / (m11 * m22 - m12 * m21);
}

// ---- one wheel on its own ----------------------------------------------------------------------------------------

struct Wheel {
  TireKind kind;
  TireParams<double> p;
  explicit Wheel(const TireSpec& t, double R = 0.32) : kind(tire_kind(t)), p(compile_tire(t, R)) {}
  static Contact<double> rolling_at(double Vx, double Vy, double Vr, double mu = 1) {
    return {Vx, Vy, Vr, 0, mu, mu, 0};
  }
  TireForce<double> force(const WheelState<double>& w, const Contact<double>& c, double Fz) const {
    return tire_force(kind, p, w, c, tire_slip(kind, p, w, c, Fz), Fz);
  }
  double moment(const WheelState<double>& w, const Contact<double>& c, double Fz) const {
    const TireSlip<double> o = tire_slip(kind, p, w, c, Fz);
    WheelAffine<double> rate{};
    return tire_rates(kind, p, w, c, o, tire_force(kind, p, w, c, o, Fz), Fz, rate).Mz;
  }
  // the tire's own states over dt at frozen contact velocities
  void advance(WheelState<double>& w, const Contact<double>& c, double Fz, double dt) const {
    const TireSlip<double> o = tire_slip(kind, p, w, c, Fz);
    const TireForce<double> f = tire_force(kind, p, w, c, o, Fz);
    if (kind.contact == ContactLaw::breakaway) return tire_advance(kind, p, TireOut<double>{c, o, f, {}}, dt, w);
    WheelAffine<double> rate{};
    tire_rates(kind, p, w, c, o, f, Fz, rate);
    each_affine<double>(kind, [&](auto state, auto r) {
      if (state != &WheelState<double>::w) w.*state = (w.*state) + dt * ((rate.*r).v - (rate.*r).L * (w.*state));
    });
  }
};

}  // namespace cars
