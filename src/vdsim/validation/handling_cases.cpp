// SPDX-License-Identifier: Apache-2.0
// Linear range of the handling analysis, and runs, against the closed forms of the single track with trail.
#include <cmath>

#include "vdsim/lab/handling.hpp"
#include "vdsim/validation/cases.hpp"

namespace vdsim::validation {
namespace {

constexpr auto kHandling = ValidationGroup::analytic;
constexpr double kSpeed = 25;  // [m/s]

struct SingleTrack {
  double m, L, a, b, t, Iz, Cf, Cr;
  explicit SingleTrack(const VehicleSpec& s)
      : m(s.chassis.mass),
        L(s.chassis.wheelbase),
        a(s.chassis.cg_to_front),
        b(s.chassis.cg_to_rear),
        t(s.tire_fl.pneumatic_trail),
        Iz(s.chassis.inertia_diag[2]),
        Cf(axle_stiffness(s, true)),
        Cr(axle_stiffness(s, false)) {}
  double K() const { return m / L * ((b + t) / Cf - (a - t) / Cr); }
  double yaw_gain(double V) const { return V / (L + K() * V * V); }
  double frequency2(double V) const { return a11(V) * a22(V) - a12(V) * a21(); }  // squared [1/s^2]
  double damping(double V) const { return -(a11(V) + a22(V)) / 2 / std::sqrt(frequency2(V)); }

 private:
  double a11(double V) const { return -(Cf + Cr) / (m * V); }
  double a12(double V) const { return (b * Cr - a * Cf) / (m * V * V) - 1; }
  double a21() const { return ((b + t) * Cr - (a - t) * Cf) / Iz; }
  double a22(double V) const { return -((b + t) * b * Cr + (a - t) * a * Cf) / (Iz * V); }
};

double run_yaw_gain(const VehicleSpec& s, Level level) {
  const Commands c{.steer = 1e-3};
  Car sim(s, {}, level, Integrator::rk4, {.vx0 = kSpeed});
  drive(sim, c, 4);
  return sim.outputs(c).r / c.steer;
}

}  // namespace

void add_handling_cases(const Catalog& catalog, Cases& all) {
  const auto no_pivot = [](VehicleSpec s) {
    return with_tires(lossless(s), [](TireSpec& t) { t.lugre.rolling.c_psi = 0; });  // the single track has none
  };
  const VehicleSpec s = no_pivot(sedan(catalog)), quick = no_pivot(sedan(catalog, TireLaw::steady));
  VehicleSpec loose = with_tires(s, [](TireSpec& t) { t.pneumatic_trail = 0; });
  loose.chassis.cg_to_front = 1.5, loose.chassis.cg_to_rear = 1.2;
  const SingleTrack car(s), tail(loose);
  const auto add = [&](const char* id, const char* what, const char* unit, const char* how, double limit,
                       const char* reason, double expected, const std::function<double()>& measure) {
    all.push_back({id, kHandling, what, unit, "", how, limit, true, reason, [measure, expected] {
                     return Measurement{measure(), expected};
                   }});
  };
  const auto linear = [](const VehicleSpec& v, Level level = Level::L2) {
    return linear_range({v, {}, level}, kSpeed);
  };
  add("understeer_gradient", "understeer gradient of the linear range", "rad s^2/m",
      "m/L ((b + t)/Cf - (a - t)/Cr); `vdsim handling`", 1e-5,
      "finite differences; a small difference of large numbers", car.K(), [=] { return linear(s).K; });
  add("yaw_gain_linear", "yaw gain of the linear range at 25 m/s", "1/s", "V/(L + K V^2); `vdsim handling`", 1e-6,
      "finite differences", car.yaw_gain(kSpeed), [=] { return linear(s).yaw_gain; });
  for (const Level level : {Level::L1, Level::L2})
    add(level == Level::L1 ? "yaw_gain_run_l1" : "yaw_gain_run_l2",
        level == Level::L1 ? "yaw gain of a run at 25 m/s, L1" : "yaw gain of a run at 25 m/s, L2", "1/s",
        "V/(L + K V^2), 1 mrad of steer, 4 s", 1e-3, "1 mrad is not quite small; the car slows down",
        car.yaw_gain(kSpeed), [=] { return run_yaw_gain(s, level); });
  add("yaw_frequency", "undamped frequency of the lateral motion at 25 m/s, L1", "rad/s",
      "sqrt(det A) of the two-state car; `vdsim handling`", 1e-5, "finite differences",
      std::sqrt(car.frequency2(kSpeed)), [=] { return linear(quick, Level::L1).modes.frequency; });
  add("yaw_damping", "its damping ratio", "", "-tr A/(2 sqrt(det A)); `vdsim handling`", 1e-5, "finite differences",
      car.damping(kSpeed), [=] { return linear(quick, Level::L1).modes.damping; });
  add("characteristic_speed", "characteristic speed, L1", "m/s", "sqrt(L/K); `vdsim handling`", 1e-3,
      "search for the peak of the gain", std::sqrt(car.L / car.K()), [=] {
        return characteristic_speed({s, {}, Level::L1});
      });
  add("critical_speed", "critical speed of a tail-heavy car without trail", "m/s", "sqrt(-L/K); `vdsim handling`", 1e-4,
      "search for the eigenvalue 0", std::sqrt(-tail.L / tail.K()), [=] {
        return critical_speed({loose, {}, Level::L2});
      });
}

}  // namespace vdsim::validation
