// SPDX-License-Identifier: Apache-2.0
// The belt in the car: every level, integrator and tire path lags by the stated length and ends in the same steady state.
// The references are linear cars with a first-order tire, written here from the theory page and solved on their own.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdio>

#include "tests/integration/cars.hpp"
#include "vdsim/engine/snapshot.hpp"

using namespace cars;

namespace {

constexpr Level kLevels[] = {Level::L1, Level::L2, Level::L3, Level::L5};
bool sprung(Level level) { return level == Level::L3 || level == Level::L5; }
constexpr Integrator kMethods[] = {Integrator::rk4, Integrator::euler, Integrator::implicit};
constexpr Law kPaths[] = {Law::mf_only, Law::fallback, Law::breakaway, Law::rolling};
constexpr double kSigma = 0.6, kDt = 1e-3;

VehicleSpec with_belt(const VehicleSpec& s, double lat = kSigma, double lon = kSigma, bool enabled = true) {
  return with_tires(s, [&](TireSpec& t) { t.belt = {enabled, lat, lon}; });
}

struct Case {
  Law law;
  Level level;
  Integrator method;
  // measured values: two of twelve
  bool shown() const { return (level == Level::L2 || level == Level::L3) && method == Integrator::rk4; }
};
template <class F> void each_case(F&& f) {
  for (Law law : kPaths)
    for (Level level : kLevels)
      for (Integrator method : kMethods) {
        SCOPED_TRACE(testing::Message() << name(law) << " " << name(level) << " " << name(method));
        f(Case{law, level, method});
      }
}

// |ay| at time t after the steering went to `steer` at once, coasting
double ay_after(const VehicleSpec& s, const Case& k, double v, double steer, double t, double dt = kDt) {
  const Commands c{.steer = steer};
  Car sim(s, flat(), k.level, k.method, {.vx0 = v});
  if (!run(sim, c, t, dt)) return NAN;
  return std::fabs(sim.outputs(c).ay);
}

// A held turn: yaw rate and side acceleration once everything has settled
std::array<double, 3> held_turn(const VehicleSpec& s, const Case& k, double v, double steer, double T) {
  Car sim(s, flat(), k.level, k.method, {.vx0 = v});
  Commands u{.steer = steer};
  for (int i = 0; i < std::lround(T / kDt); ++i) {
    u.throttle = std::clamp(0.15 + 0.5 * (v - sim.vx()), 0.0, 1.0);
    if (!sim.step(u, kDt)) return {NAN, NAN, NAN};
  }
  const CarOutputs o = sim.outputs(u);
  return {o.r, o.ay, o.vy};
}

// The car's own bytes: everything but the hash of its model.
std::vector<std::byte> state(Car& sim) { return save(sim.state(), 0); }

// throttle, brake and steer all at work, with a stop at the end
Commands drive(double t) {
  if (t < 1) return {.steer = 0.03 * std::sin(9 * t), .throttle = 0.7};
  if (t < 2) return {.steer = 0.05, .brake = 0.5};
  return {.steer = -0.1, .brake = 1};
}
std::vector<std::byte> drive_state(const VehicleSpec& s, const Case& k, double T = 3) {
  Car sim(s, slope(0.03, 0.02), k.level, k.method, {.vx0 = 15});
  for (int i = 0; i < std::lround(T / kDt); ++i)
    if (!sim.step(drive(i * kDt), drive((i + 1) * kDt), kDt)) return {};
  return state(sim);
}

// Relaxation length of one tire at its load [T21.4], [T21.5]: MF the sum; rolling C/sigma0 of the two springs in series,
// whose carcass was given at the nominal load.
double length_lat(const TireSpec& t, double Fz) {
  if (!t.lugre.enabled) return t.relaxation_length_lat + t.belt.sigma_lat;
  const double C = slip_stiffness_lat(t, Fz);
  return C / t.lugre.rolling.sigma0_lat + t.belt.sigma_lat * C / slip_stiffness_lat(t, t.Fz_nominal);
}
double length_long(const TireSpec& t, double Fz) {
  if (!t.lugre.enabled) return t.relaxation_length_long + t.belt.sigma_long;
  const double C = slip_stiffness_long(t, Fz);
  return C / t.lugre.sigma0 + t.belt.sigma_long * C / slip_stiffness_long(t, t.Fz_nominal);
}

template <std::size_t N, class F> void rk4(std::array<double, N>& y, double h, F&& f) {
  const auto at = [&](const std::array<double, N>& k, double c) {
    std::array<double, N> z = y;
    for (std::size_t i = 0; i < N; ++i) z[i] += c * k[i];
    return z;
  };
  const auto k1 = f(y), k2 = f(at(k1, h / 2)), k3 = f(at(k2, h / 2)), k4 = f(at(k3, h));
  for (std::size_t i = 0; i < N; ++i) y[i] += h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
}

// The side force of an axle for small slip. MF, rolling: the slip angle lags over distance, L alp' = V (geometry - alp).
// Breakaway [T21.3]: the bristles z take up the slip velocity, their damping sees it lagged: z' = v, sigma u' = V (v - u).
struct LinearAxle {
  bool breakaway, belt;
  double C, L, V, k, c, sigma;
  LinearAxle(const TireSpec& t, double Fz, double v)
      : breakaway(t.lugre.enabled && t.lugre.law == LugreLaw::breakaway),
        belt(t.belt.enabled),
        C(2 * slip_stiffness_lat(t, Fz)),
        L(breakaway ? 1 : length_lat(t, Fz)),
        V(v),
        k(2 * t.lugre.sigma0),
        c(2 * (2 * std::sqrt(t.lugre.sigma0 * t.lugre.m_eff) + t.lugre.sigma2)),
        sigma(t.belt.sigma_lat) {}
  // Vy: of the contact, wheel axes; y: alp, or z and u
  double force(double y, double u, double Vy) const { return breakaway ? k * y + c * (belt ? u : -Vy) : -C * y; }
  double rate(double y, double Vy) const { return breakaway ? -Vy : V / L * (Vy / V - y); }
  double belt_rate(double u, double Vy) const { return breakaway && belt ? V / sigma * (-Vy - u) : 0; }
};

// Roll of a car on springs whose wheels lean with it (camber_per_roll 1), roll centres on the road. With s the travel of the
// left wheel of an axle, -s of the right one, and f the change of the left load:
//   J p' + Jxz r' + sum m_u T s'' = sum T f + h F + m g h phi + H r,   m_u (s'' + T/2 p') = f - (k + 2 bar) s - c s'
struct LinearRoll {
  bool free;
  double h, mgh, H, J = 0, Jxz = 0, T[2], mu[2], k[2], c[2], kt[2], ct[2];
  LinearRoll(const VehicleSpec& s, Level level, double v)
      : free(sprung(level)),
        h(free ? s.chassis.cg_height : 0),
        mgh(s.chassis.mass * g * h),
        H(free ? 4 * wheel_inertia(s) * v / radius(s) : 0) {
    const ChassisSpec& q = s.chassis;
    double ms = q.mass, first[2] = {}, x[2] = {q.cg_to_front, -q.cg_to_rear};
    J = q.inertia_diag[0];
    for (std::size_t i = 0; i < 2; ++i) {
      T[i] = i == 0 ? q.track_front : q.track_rear;
      mu[i] = q.unsprung_mass[2 * i];
      k[i] = q.spring_stiffness[2 * i] + 2 * (i == 0 ? q.arb_front : q.arb_rear) / sq(T[i]);
      c[i] = q.damper_coefficient[2 * i];
      kt[i] = s.tire_fl.tire_vertical_stiffness;
      const double in = static_load(s, i == 0) / kt[i], up = radius(s) - in - h;
      ct[i] = 2 * 0.08 * std::sqrt(kt[i] * mu[i]) * in * in / (in * in + 1e-6);
      ms -= 2 * mu[i];
      first[0] += 2 * mu[i] * x[i], first[1] += 2 * mu[i] * up;
      J += 2 * mu[i] * (sq(T[i] / 2) + sq(up)), Jxz -= 2 * mu[i] * x[i] * up;
    }
    J += sq(first[1]) / ms, Jxz -= first[0] * first[1] / ms;
  }
};

// Linear single track at constant speed on such axles; a car on springs rolls as well.
struct SteerReference {
  double m, Iz, trail, V, delta, x[2];
  LinearAxle axle[2];
  LinearRoll roll;
  std::array<double, 12> y{};  // vy, r; tires: alp or z, then u; phi, p; travels, their speeds
  // L2, L3, L5: the wheels of an axle turn at different speeds, their spin adds to the yaw inertia
  SteerReference(const VehicleSpec& s, Level level, double v, double steer)
      : m(s.chassis.mass),
        Iz(s.chassis.inertia_diag[2] +
           (level == Level::L1
                ? 0
                : wheel_inertia(s) * (sq(s.chassis.track_front) + sq(s.chassis.track_rear)) / 2 / sq(radius(s)))),
        trail(s.tire_fl.pneumatic_trail),
        V(v),
        delta(steer),
        x{s.chassis.cg_to_front, -s.chassis.cg_to_rear},
        axle{{s.tire_fl, static_load(s, true), v}, {s.tire_rl, static_load(s, false), v}},
        roll(s, level, v) {}
  static double of(const CarOutputs& o) { return o.ay; }
  double Vy(const std::array<double, 12>& q, int i) const {
    return q[0] + x[i] * q[1] + roll.h * q[7] - (i == 0 ? V * delta : 0);
  }
  double force(const std::array<double, 12>& q, int i) const {
    const auto n = std::size_t(i);
    return axle[i].force(q[2 + n], q[4 + n], Vy(q, i));
  }
  double value() const { return (force(y, 0) + force(y, 1)) / m; }
  std::array<double, 12> rates(const std::array<double, 12>& q) const {
    std::array<double, 12> d{};
    double F = 0, Mz = -roll.H * q[7], Mx = roll.mgh * q[6] + roll.H * q[1], J = roll.J, Q[2];
    for (int i = 0; i < 2; ++i) {
      const auto n = std::size_t(i);
      const double f = force(q, i), T = roll.T[i], up = T / 2 * q[6] + q[8 + n], speed = T / 2 * q[7] + q[10 + n];
      F += f, Mz += (x[i] - trail) * f;
      d[2 + n] = axle[i].rate(q[2 + n], Vy(q, i));
      d[4 + n] = axle[i].belt_rate(q[4 + n], Vy(q, i));
      const double load = -(roll.kt[i] * up + roll.ct[i] * speed);
      Q[i] = load - roll.k[i] * q[8 + n] - roll.c[i] * q[10 + n];
      Mx += roll.h * f + T * (load - Q[i]), J -= roll.mu[i] * T * T / 2;
    }
    d[0] = F / m - V * q[1];
    if (!roll.free) return d[1] = Mz / Iz, d;
    const double det = J * Iz - sq(roll.Jxz);
    d[1] = (J * Mz - roll.Jxz * Mx) / det;
    d[6] = q[7], d[7] = (Iz * Mx - roll.Jxz * Mz) / det;
    for (std::size_t i = 0; i < 2; ++i) d[8 + i] = q[10 + i], d[10 + i] = Q[i] / roll.mu[i] - roll.T[i] / 2 * d[7];
    return d;
  }
  void step(double h) {
    rk4(y, h, [&](const std::array<double, 12>& q) { return rates(q); });
  }
};

// Car on four braked wheels, linear tires, slip ratios lagging over distance; neutral gear.
struct BrakeReference {
  double m, I, R, V0, C[2], L[2], T[2];
  std::array<double, 5> y{};  // loss of speed, Re w - V0 and lagged slip per axle
  BrakeReference(const VehicleSpec& s, double v, double brake)
      : m(s.chassis.mass), I(wheel_inertia(s)), R(radius(s)), V0(v) {
    for (int i = 0; i < 2; ++i) {
      const TireSpec& t = i == 0 ? s.tire_fl : s.tire_rl;
      C[i] = slip_stiffness_long(t, static_load(s, i == 0));
      L[i] = length_long(t, static_load(s, i == 0));
      T[i] =
          0.5 * brake * s.brake.max_brake_torque * (i == 0 ? s.brake.brake_bias_front : 1 - s.brake.brake_bias_front);
    }
  }
  static double of(const CarOutputs& o) { return o.ax; }
  double value() const { return 2 * (C[0] * y[3] + C[1] * y[4]) / m; }
  void step(double h) {
    rk4(y, h, [&](const std::array<double, 5>& q) {
      std::array<double, 5> d{};
      d[0] = 2 * (C[0] * q[3] + C[1] * q[4]) / m;
      for (int i = 0; i < 2; ++i) {
        d[1 + i] = R * (-T[i] - R * C[i] * q[3 + i]) / I;
        d[3 + i] = (V0 + q[0]) / L[i] * ((q[1 + i] - q[0]) / (V0 + q[0]) - q[3 + i]);
      }
      return d;
    });
  }
};

}  // namespace

// ---- the published checks --------------------------------------------------------------------------------------------

namespace {
// breakaway: only the damping of the bristle lags, the spring follows the rim; on springs see MoreLagAtLowerSpeed
void expect_lags_then_converges(Law law, Level level, double tolerance) {
  for (Integrator method : kMethods) {
    SCOPED_TRACE(testing::Message() << name(law) << " " << name(level) << " " << name(method));
    const Case k{law, level, method};
    const VehicleSpec off = sedan(law), on = with_belt(off);
    const double early = law == Law::breakaway && sprung(level) ? 0.01 : 0.02;
    const double early_off = ay_after(off, k, 20, 0.04, early), early_on = ay_after(on, k, 20, 0.04, early),
                 late_off = ay_after(off, k, 20, 0.04, 0.8), late_on = ay_after(on, k, 20, 0.04, 0.8);
    EXPECT_LT(early_on, early_off);
    EXPECT_LT(early_on, (law == Law::breakaway ? 0.98 : 0.8) * early_off);
    EXPECT_GT(early_on, 0);
    EXPECT_NEAR(late_on, late_off, tolerance * late_off);
    if (method == Integrator::rk4)
      std::printf("[ measured ] %s %s: ay at %.0f ms %.3f -> %.3f, at 0.8 s %.3f -> %.3f\n", name(law), name(level),
                  1e3 * early, early_off, early_on, late_off, late_on);
  }
}
}  // namespace

TEST(BeltTransient, LateralResponseLagsThenConverges) {
  for (Level level : {Level::L2, Level::L3, Level::L5})
    for (Law law : {Law::mf_only, Law::fallback}) expect_lags_then_converges(law, level, 0.15);
}
TEST(BeltTransient, LuGrePathAlsoLagsThenConverges) {
  for (Level level : {Level::L2, Level::L3, Level::L5})
    for (Law law : {Law::breakaway, Law::rolling}) expect_lags_then_converges(law, level, 0.20);
}
TEST(BeltTransient, L1LateralResponseLagsThenConverges) {
  for (Law law : {Law::mf_only, Law::fallback}) expect_lags_then_converges(law, Level::L1, 0.15);
}
TEST(BeltTransient, L1LuGrePathAlsoLagsThenConverges) {
  for (Law law : {Law::breakaway, Law::rolling}) expect_lags_then_converges(law, Level::L1, 0.20);
}

// The published limit is 8 %. The steady force does not know the belt, so both cars end in the same turn.
TEST(BeltValidation, SteadyStateUnchanged) {
  double worst[4] = {};
  each_case([&](const Case& k) {
    const auto off = held_turn(sedan(k.law), k, 20, 0.03, 15), on = held_turn(with_belt(sedan(k.law)), k, 20, 0.03, 15);
    for (int i = 0; i < 3; ++i) {
      EXPECT_NEAR(on[i], off[i], 0.08 * std::fabs(off[i]));
      // on its plateau the breakaway law hardly damps the turn: 15 s leave 2e-5
      EXPECT_NEAR(on[i], off[i], (k.law == Law::breakaway ? 1e-3 : 1e-6) * std::fabs(off[i]));
      double& w = worst[std::find(kPaths, kPaths + 4, k.law) - kPaths];
      w = std::max(w, std::fabs(on[i] / off[i] - 1));
    }
  });
  for (int i = 0; i < 4; ++i)
    std::printf("[ measured ] %s: worst change of a held turn %.2e\n", name(kPaths[i]), worst[i]);
}

TEST(BeltValidation, EarlyResponseSuppressedByBelt) {
  each_case([&](const Case& k) {
    const double ratio =
        ay_after(with_belt(sedan(k.law)), k, 20, 0.03, 0.03) / ay_after(sedan(k.law), k, 20, 0.03, 0.03);
    EXPECT_GT(ratio, 0.15);
    EXPECT_LT(ratio, 0.95);
    if (k.shown()) std::printf("[ measured ] %s %s: on/off at tau %.3f\n", name(k.law), name(k.level), ratio);
  });
}

// Measured at 25 ms. A car on the bristles of the breakaway law answers within a time of its own, at every speed, and earlier
// where it may roll [T21.6]: there the ratios cross at 22 ms (L2: 35 ms). 25 ms shows the car, 10 ms still the tire.
TEST(BeltValidation, MoreLagAtLowerSpeed) {
  each_case([&](const Case& k) {
    const double t = k.law == Law::breakaway && sprung(k.level) ? 0.010 : 0.025;
    const auto ratio = [&](double v) {
      return ay_after(with_belt(sedan(k.law)), k, v, 0.03, t) / ay_after(sedan(k.law), k, v, 0.03, t);
    };
    const double slow = ratio(12), fast = ratio(34);
    EXPECT_LT(slow, fast);
    if (k.shown())
      std::printf("[ measured ] %s %s: on/off at %.0f ms, 12 m/s %.3f, 34 m/s %.3f\n", name(k.law), name(k.level),
                  1e3 * t, slow, fast);
  });
}

// It is the roll, nothing else of a car on springs: a body that does not roll has the ratio of L2 at 25 ms too. L2 shifts its
// loads at once, such a body not at all: 0.003 at 34 m/s.
TEST(BeltValidation, BreakawayOnSpringsWithoutRollIsL2) {
  const VehicleSpec s = sedan(Law::breakaway);
  VehicleSpec stiff = s;
  stiff.chassis.inertia_diag[0] *= 1e4;
  for (double v : {12.0, 34.0}) {
    const auto ratio = [&](const VehicleSpec& car, Level level) {
      const Case k{Law::breakaway, level, Integrator::rk4};
      return ay_after(with_belt(car), k, v, 0.03, 0.025) / ay_after(car, k, v, 0.03, 0.025);
    };
    const double plane = ratio(s, Level::L2);
    for (Level level : {Level::L3, Level::L5}) {
      std::printf("[ measured ] %s %.0f m/s: L2 %.4f, on springs %.4f, without roll %.4f\n", name(level), v, plane,
                  ratio(s, level), ratio(stiff, level));
      EXPECT_NEAR(ratio(stiff, level), plane, 0.005);
      EXPECT_GT(ratio(s, level), plane + 0.04);
    }
  }
}

// ---- the whole response ----------------------------------------------------------------------------------------------

namespace {
// largest distance of a channel from the reference over T seconds, over the largest value of the reference
template <class Ref>
double deviation(const VehicleSpec& s, const Case& k, double V, const Commands& c, Ref ref, double T, double dt) {
  Car sim(s, flat(), k.level, k.method, {.vx0 = V});
  double worst = 0, size = 0;
  for (int i = 0; i < std::lround(T / dt); ++i) {
    if (!sim.step(c, dt)) return NAN;
    ref.step(dt);
    worst = std::max(worst, std::fabs(ref.of(sim.outputs(c)) - ref.value()));
    size = std::max(size, std::fabs(ref.value()));
  }
  return worst / size;
}
// what the linear car does not have: turn slip, wheels that stay upright while the car rolls
VehicleSpec linear_car(const VehicleSpec& s) {
  VehicleSpec o = with_tires(without_losses(s), [](TireSpec& t) { t.lugre.rolling.c_psi = 0; });
  o.chassis.camber_per_roll = 1;
  return o;
}
template <class F> void each_linear_case(F&& f) {
  for (Law law : {Law::mf_only, Law::fallback, Law::rolling}) {
    double worst = 0;
    for (Integrator method : kMethods)
      for (Level level : kLevels)
        for (double V : {16.0, 30.0}) {
          SCOPED_TRACE(testing::Message() << name(law) << " " << name(level) << " " << name(method) << " V " << V);
          worst = std::max(worst, f(Case{law, level, method}, V));
        }
    std::printf("[ measured ] %s: worst %.2e of the peak\n", name(law), worst);
  }
}
}  // namespace

// Step steer of 1 mrad against the linear car with first-order tires, over the first second.
TEST(BeltValidation, StepSteerFollowsTheLinearCar) {
  each_linear_case([](const Case& k, double V) {
    const VehicleSpec s = linear_car(with_belt(sedan(k.law), 0.4, 0.3));
    const double e = deviation(s, k, V, {.steer = 1e-3}, SteerReference(s, k.level, V, 1e-3), 1,
                               k.method == Integrator::rk4 ? 1e-3 : 2.5e-4);
    EXPECT_LT(e, 0.005);
    return e;
  });
}

// Breakaway, steered so little that no bristle slips, with and without belt: the linear car on bristles, for 0.3 s.
TEST(BeltValidation, BreakawayStepSteerFollowsTheLinearCar) {
  for (Level level : kLevels) {
    double worst = 0;
    for (Integrator method : kMethods)
      for (double V : {12.0, 34.0})
        for (bool belt : {false, true}) {
          SCOPED_TRACE(testing::Message() << name(level) << " " << name(method) << " V " << V << " belt " << belt);
          const VehicleSpec s = linear_car(with_belt(sedan(Law::breakaway), kSigma, kSigma, belt));
          const double e = deviation(s, Case{Law::breakaway, level, method}, V, {.steer = 1e-6},
                                     SteerReference(s, level, V, 1e-6), 0.3, method == Integrator::rk4 ? 1e-4 : 5e-5);
          EXPECT_LT(e, 0.01);
          worst = std::max(worst, e);
        }
    std::printf("[ measured ] %s: worst %.2e of the peak\n", name(level), worst);
  }
}

// Brake step of 1 % against the linear braked car. Wheel and carcass are a damped oscillator, so the phase must be right too.
// The bristle damping that is left at 16 m/s, sigma1/1025, is half a percent of its spring there. A body on springs must not
// pitch: the linear car does not.
TEST(BeltValidation, BrakeStepFollowsTheLinearCar) {
  each_linear_case([](const Case& k, double V) {
    VehicleSpec s = without_losses(with_belt(sedan(k.law), 0.3, 0.4));
    s.chassis.inertia_diag[1] *= 1e6;
    const double e = deviation(s, k, V, {.brake = 0.01, .gear = 0}, BrakeReference(s, V, 0.01), 0.5,
                               k.method == Integrator::rk4 ? 1e-3 : 1e-4);
    EXPECT_LT(e, 0.015);
    return e;
  });
}

// The brake force comes later with the belt and is the same in the end: the torque sets it, not the tire.
TEST(BeltValidation, BrakeForceIsDelayed) {
  each_case([&](const Case& k) {
    double early[2], late[2];
    for (int belt = 0; belt < 2; ++belt) {
      const VehicleSpec s = belt ? with_belt(sedan(k.law)) : sedan(k.law);
      const Commands c{.brake = 0.3, .gear = 0};
      Car sim(s, flat(), k.level, k.method, {.vx0 = 25});
      ASSERT_TRUE(run(sim, c, 0.01, kDt));
      early[belt] = -sim.outputs(c).ax;
      ASSERT_TRUE(run(sim, c, 0.49, kDt));
      const double v = sim.vx();
      ASSERT_TRUE(run(sim, c, 0.5, kDt));
      late[belt] = 2 * (v - sim.vx());
    }
    if (k.shown())
      std::printf("[ measured ] %s %s: brake at 10 ms %.3f -> %.3f, from 0.5 to 1 s %.4f -> %.4f m/s^2\n", name(k.law),
                  name(k.level), early[0], early[1], late[0], late[1]);
    EXPECT_LT(early[1], (k.law == Law::breakaway ? 0.95 : 0.8) * early[0]);
    EXPECT_GT(early[1], 0);
    EXPECT_NEAR(late[1], late[0], 0.005 * late[0]);
  });
}

// ---- off is off ------------------------------------------------------------------------------------------------------

TEST(BeltValidation, OffLeavesEveryBit) {
  each_case([&](const Case& k) {
    const auto plain = drive_state(sedan(k.law), k);
    ASSERT_FALSE(plain.empty());
    for (double sigma : {0.6, 0.0, 5.0}) {
      EXPECT_EQ(drive_state(with_belt(sedan(k.law), sigma, 2 * sigma, false), k), plain) << sigma;
      if (sprung(k.level)) break;  // the tire is compiled as for L2; saves seconds
    }
    EXPECT_NE(drive_state(with_belt(sedan(k.law), 0.1, 0.1), k), plain);
    EXPECT_NE(drive_state(with_belt(sedan(k.law), 0.1, 0), k), drive_state(with_belt(sedan(k.law), 0, 0), k));
    EXPECT_NE(drive_state(with_belt(sedan(k.law), 0, 0.1), k), drive_state(with_belt(sedan(k.law), 0, 0), k));
  });
}

// MF and rolling: a rigid belt is no belt. (Breakaway sees the slip velocity one stage late.)
TEST(BeltValidation, RigidBeltIsNoBelt) {
  for (Law law : {Law::mf_only, Law::fallback, Law::rolling})
    for (Level level : kLevels) {
      const Case k{law, level, Integrator::rk4};
      EXPECT_NEAR(ay_after(with_belt(sedan(law), 0, 0), k, 20, 0.04, 0.1), ay_after(sedan(law), k, 20, 0.04, 0.1),
                  1e-12);
    }
}

TEST(BeltValidation, LeftAndRightAreMirrorImages) {
  each_case([&](const Case& k) {
    CarOutputs o[2];
    for (int side = 0; side < 2; ++side) {
      Car sim(with_belt(sedan(k.law)), flat(), k.level, k.method, {.vx0 = 15});
      for (int i = 0; i < 2500; ++i) {
        Commands c = drive(i * kDt);
        c.steer = side ? -c.steer : c.steer;
        ASSERT_TRUE(sim.step(c, kDt));
      }
      o[side] = sim.outputs({.brake = 1});
    }
    EXPECT_EQ(o[0].x, o[1].x);
    EXPECT_EQ(o[0].vx, o[1].vx);
    EXPECT_EQ(o[0].y, -o[1].y);
    EXPECT_EQ(o[0].psi, -o[1].psi);
    EXPECT_EQ(o[0].vy, -o[1].vy);
    EXPECT_EQ(o[0].r, -o[1].r);
    EXPECT_NE(o[0].y, 0);
  });
}

// ---- one tire --------------------------------------------------------------------------------------------------------

namespace {

struct Step {
  double length;  // rolled distance at which the force has 1 - 1/e of its final value [m]
  double steady;  // final force [N]
};

// A tire that rolls straight at V, then gets the slip at once; force in that direction.
Step slip_step(const TireSpec& t, bool lateral, double slip, double V, double Fz, double far) {
  const Wheel tire(t);
  WheelState<double> w{};
  const Contact<double> straight = Wheel::rolling_at(V, 0, V);
  const Contact<double> c = lateral ? Wheel::rolling_at(V, -V * slip, V) : Wheel::rolling_at(V, 0, V * (1 + slip));
  const double dx = 2e-4, dt = dx / V;
  for (int i = 0; i < 2500; ++i) tire.advance(w, straight, Fz, dt);  // fills the roll memory
  std::vector<double> F;
  for (int i = 0; i < std::lround(far / dx); ++i) {
    tire.advance(w, c, Fz, dt);
    const TireForce<double> f = tire.force(w, c, Fz);
    F.push_back(lateral ? f.Fy : f.Fx);
  }
  const double level = (1 - std::exp(-1)) * F.back();
  const auto at = std::find_if(F.begin(), F.end(), [&](double x) { return x >= level; });
  return {dx * double(at - F.begin() + 1), F.back()};
}

TireSpec one_tire(Law law, double lat, double lon) {
  TireSpec t = default_pacejka();
  set_law(t, law);
  t.belt = {true, lat, lon};
  return t;
}

}  // namespace

// Rolling law: C/sigma0 + sigma at the nominal load, in both directions, at every speed; the steady force stays the magic formula's.
TEST(BeltValidation, RollingRelaxationLengthsAdd) {
  double worst = 0;
  for (double sigma : {0.0, 0.2, 0.6, 1.5})
    for (double V : {10.0, 20.0, 60.0})
      for (bool lateral : {false, true}) {
        SCOPED_TRACE(testing::Message() << "sigma " << sigma << " V " << V << " lateral " << lateral);
        const TireSpec t = one_tire(Law::rolling, lateral ? sigma : 0.3, lateral ? 0.3 : sigma);
        const double C = lateral ? slip_stiffness_lat(t, 4000) : slip_stiffness_long(t, 4000),
                     length = C / (lateral ? t.lugre.rolling.sigma0_lat : t.lugre.sigma0) + sigma;
        const Step s = slip_step(t, lateral, 1e-3, V, 4000, 25 * length);
        EXPECT_NEAR(s.length, length, 0.02 * length);
        const double steady = lateral ? -mf_lat(t, std::atan(1e-3), 4000) : mf_long(t, 1e-3, 4000);
        EXPECT_NEAR(s.steady, steady, 1e-6 * steady);
        worst = std::max(worst, std::fabs(s.length / length - 1));
      }
  std::printf("[ measured ] worst deviation from C/sigma0 + sigma %.2e\n", worst);
}

// and with the load, as the slip stiffness does: the carcass is a spring, its length is given at the nominal load
TEST(BeltValidation, RollingRelaxationLengthGrowsWithLoad) {
  for (double Fz : {2000.0, 6000.0}) {
    const TireSpec t = one_tire(Law::rolling, 0.6, 0.6);
    const double length = length_lat(t, Fz);
    EXPECT_NEAR(slip_step(t, true, 1e-3, 20, Fz, 25 * length).length, length, 0.02 * length);
  }
}

// MF path: relaxation_length + sigma at every load, and the steady force of the magic formula.
TEST(BeltValidation, MfRelaxationLengthsAdd) {
  double worst = 0;
  for (double own : {0.0, 0.35})
    for (double sigma : {0.2, 0.6})
      for (double Fz : {2000.0, 4000.0})
        for (bool lateral : {false, true}) {
          SCOPED_TRACE(testing::Message() << own << " + " << sigma << " Fz " << Fz << " lateral " << lateral);
          TireSpec t = one_tire(Law::fallback, lateral ? sigma : 0.3, lateral ? 0.3 : sigma);
          t.relaxation_length_lat = t.relaxation_length_long = own;
          const double length = own + sigma;
          const Step s = slip_step(t, lateral, 1e-3, 20, Fz, 25 * length);
          EXPECT_NEAR(s.length, length, 0.002 * length);  // two steps of the table
          const double steady = lateral ? -mf_lat(t, std::atan(1e-3), Fz) : mf_long(t, 1e-3, Fz);
          EXPECT_NEAR(s.steady, steady, 1e-6 * steady);
          worst = std::max(worst, std::fabs(s.length / length - 1));
        }
  std::printf("[ measured ] worst deviation from the sum of the lengths %.2e\n", worst);
}

// Breakaway: the bristle is driven by the rim, the velocity in its force is the belt's.
//   z' = v - sigma0 |v| z/g,  u' = |V|/sigma (v - u),  F = sigma0 z + sigma1 (u - sigma0 |u| z/g) + sigma2 u
TEST(BeltValidation, BreakawayForceSeesTheBelt) {
  const TireSpec t = one_tire(Law::breakaway, 0.6, 0.3);
  const double V = 20, Fz = 4000, alp = 0.004, v = V * alp, g = std::exp(-(alp / 0.03) * (alp / 0.03)) * Fz,
               s0 = t.lugre.sigma0, s1 = 2 * std::sqrt(s0 * t.lugre.m_eff), s2 = t.lugre.sigma2, dt = 1e-5;
  const Wheel tire(t);
  WheelState<double> w{};
  const Contact<double> c = Wheel::rolling_at(V, -V * std::tan(alp), V);
  std::array<double, 2> y{};  // z, u
  double worst = 0;
  for (int i = 0; i < 10000; ++i) {
    tire.advance(w, c, Fz, dt);
    rk4(y, dt, [&](const std::array<double, 2>& q) -> std::array<double, 2> {
      return {v - s0 * v * q[0] / g, V / 0.6 * (v - q[1])};
    });
    const double F = s0 * y[0] + s1 * (y[1] - s0 * y[1] * y[0] / g) + s2 * y[1];
    worst = std::max(worst, std::fabs(tire.force(w, c, Fz).Fy - F));
  }
  EXPECT_LT(worst, 1e-3 * g);  // the bristle advances at first order in dt
  std::printf("[ measured ] breakaway with belt: worst deviation %.2e of g\n", worst / g);
}

// ---- at rest ---------------------------------------------------------------------------------------------------------

// MF path: a lag in distance keeps what it has. Rolling law: a spring, stiffness 1/(1/sigma0 + sigma/C).
TEST(BeltValidation, AtRestMfFreezesAndRollingIsASpring) {
  const Wheel mf(one_tire(Law::mf_only, 0.6, 0.6));
  WheelState<double> w{};
  w.kap = 0.02, w.alp = -0.01;
  for (int i = 0; i < 1000; ++i) mf.advance(w, Wheel::rolling_at(0, 0.3, 0.2), 4000, 1e-3);
  EXPECT_EQ(w.kap, 0.02);
  EXPECT_EQ(w.alp, -0.01);

  const TireSpec t = one_tire(Law::rolling, 0.6, 0.4);
  const Wheel tire(t);
  w = {};
  for (int i = 0; i < 1000; ++i) tire.advance(w, Wheel::rolling_at(-2e-4, -1e-4, 0), 4000, 1e-3);
  const TireForce<double> f = tire.force(w, Wheel::rolling_at(0, 0, 0), 4000);
  EXPECT_NEAR(f.Fx, 2e-4 / (1 / t.lugre.sigma0 + 0.4 / slip_stiffness_long(t, 4000)), 1e-9);
  EXPECT_NEAR(f.Fy, 1e-4 / (1 / t.lugre.rolling.sigma0_lat + 0.6 / slip_stiffness_lat(t, 4000)), 1e-9);
}

// Rolling law: brakes from 5 m/s to a stop on the slope and stays there.
TEST(BeltValidation, StopsAndHoldsOnAGrade) {
  double worst = 0, fastest = 0;
  for (Level level : kLevels)
    for (Integrator method : kMethods)
      for (const RoadSpec& road : {slope(0.08), slope(-0.08), slope(0.2), slope(-0.2), slope(0, 0.2)})
        for (double sigma : {0.5, 1.0}) {
          // on springs only the harder cases, the softer carcass on the steeper slope: saves seconds
          if (sprung(level) && (sigma < 1 || std::fabs(road.grade) == 0.08)) continue;
          SCOPED_TRACE(testing::Message() << name(level) << " " << name(method) << " grade " << road.grade << " bank "
                                          << road.bank << " sigma " << sigma);
          const Commands c{.brake = 1};
          Car sim(with_belt(sedan(), sigma, sigma), road, level, method, {.vx0 = 5});
          ASSERT_TRUE(run(sim, c, 8, kDt));
          const CarOutputs a = sim.outputs(c);
          ASSERT_TRUE(run(sim, c, 10, kDt));
          const CarOutputs b = sim.outputs(c);
          const double drift = 360 * std::max(std::fabs(b.x - a.x), std::fabs(b.y - a.y)),
                       speed = std::max({std::fabs(b.vx), std::fabs(b.vy), std::fabs(b.r)});
          EXPECT_GT(a.x, 0.5);  // it did roll
          EXPECT_LT(drift, 1e-6);
          EXPECT_LT(speed, 1e-12);
          worst = std::max(worst, drift);
          fastest = std::max(fastest, speed);
        }
  std::printf("[ measured ] worst drift %.2e m/h, largest speed %.2e m/s\n", worst, fastest);
}

// Steered stops on the flat, as without the belt: at rest two seconds later for every step size. A body on springs rocks on
// after the stop and takes the bristles with it; its slowest motion, heave, dies as exp(-sum c/(2 m) t), 4 1/s: e-9 in 5 s.
TEST(BeltValidation, SteeredStopsAreClean) {
  struct Scheme {
    Integrator method;
    double dt;
  };
  double worst = 0;
  for (Level level : kLevels)
    for (const Scheme& k : {Scheme{Integrator::rk4, 1e-3},
                            {Integrator::rk4, 5e-3},
                            {Integrator::rk4, 1e-2},
                            {Integrator::euler, 1e-3},
                            {Integrator::implicit, 1e-3},
                            {Integrator::implicit, 1e-2}})
      for (double brake : {0.3, 1.0}) {
        SCOPED_TRACE(testing::Message() << name(level) << " " << name(k.method) << " " << k.dt << " brake " << brake);
        const Commands c{.steer = 0.1, .brake = brake};
        Car sim(with_belt(sedan()), flat(), level, k.method, {.vx0 = 10});
        double t_stop = 0;
        for (; sim.vx() > 0 && t_stop < 9; t_stop += k.dt) ASSERT_TRUE(sim.step(c, k.dt));
        ASSERT_LT(t_stop, 5);
        ASSERT_TRUE(run(sim, c, sprung(level) ? 5 : 2, k.dt));
        const CarOutputs o = sim.outputs(c);
        EXPECT_LT(std::max(std::hypot(o.vx, o.vy), std::fabs(o.r)), 1e-6);
        worst = std::max(worst, std::hypot(o.vx, o.vy));
      }
  std::printf("[ measured ] largest speed 2 s (on springs 5 s) after the stop %.2e m/s\n", worst);
}

// The fallback fades the lag out below 3 m/s: it stops and creeps as it does without the belt.
TEST(BeltValidation, FallbackStopsAsWithoutBelt) {
  for (Level level : kLevels)
    for (Integrator method : kMethods)
      for (double grade : {0.0, 0.08, 0.2}) {
        SCOPED_TRACE(testing::Message() << name(level) << " " << name(method) << " grade " << grade);
        const Commands c{.brake = 0.6};
        double v[2];
        for (int belt = 0; belt < 2; ++belt) {
          Car sim(with_belt(sedan(Law::fallback), 0.6, 0.6, belt == 1), slope(grade), level, method, {.vx0 = 5});
          ASSERT_TRUE(run(sim, c, 6, kDt));
          v[belt] = sim.vx();
        }
        EXPECT_NEAR(v[1], v[0], 1e-7);  // what is left of the stop, up to 2 mm/s of creep
        EXPECT_LE(std::fabs(v[1]), 2e-3);
      }
}

// ---- the integrator --------------------------------------------------------------------------------------------------

// Smooth steering, whole car: the lag is a state of RK4 like any other, fourth order.
TEST(BeltValidation, ConvergesAtFourthOrder) {
  for (Law law : {Law::mf_only, Law::rolling})
    for (Level level : kLevels) {
      SCOPED_TRACE(testing::Message() << name(law) << " " << name(level));
      const auto end = [&](int n) {
        VehicleSpec s = with_belt(sedan(law));
        s = with_tires(s, [](TireSpec& t) { t.lugre.rolling.c_psi = 0; });  // its own length is 6 cm
        Car sim(s, flat(), level, Integrator::rk4, {.vx0 = 20});
        const double h = 0.4 / n;
        const auto u = [](double t) { return Commands{.steer = 0.02 * (1 - std::cos(8 * t))}; };
        CarOutputs o{};
        // commands are linear within a step: the same polygon for every step size
        const auto polygon = [&](double t) {
          const double q = 0.01, i = std::floor(t / q + 1e-9), w = (t - i * q) / q;
          return Commands{.steer = (1 - w) * u(i * q).steer + w * u((i + 1) * q).steer};
        };
        for (int i = 0; i < n; ++i)
          if (!sim.step(polygon(i * h), polygon((i + 1) * h), h)) return o;
        return sim.outputs(u(0.4));
      };
      const CarOutputs ref = end(1600), a = end(40), b = end(80);
      const auto error = [&](const CarOutputs& o) { return std::fabs(o.vy - ref.vy) + std::fabs(o.r - ref.r); };
      const double order = std::log2(error(a) / error(b));
      std::printf("[ measured ] %s %s: error at 10 ms %.2e, order %.2f\n", name(law), name(level), error(a), order);
      EXPECT_GT(order, 3.5);
    }
}

// Breakaway: every integrator gives wheel and body the force that the belt lets through. Yaw rate 10 ms after a step steer,
// loss of speed 10 ms after a brake step; first-order methods at 0.1 ms.
TEST(BeltValidation, BreakawayIntegratorsAgree) {
  for (Level level : kLevels)
    for (const Commands& c : {Commands{.steer = 0.03}, Commands{.brake = 0.3, .gear = 0}}) {
      double off = 0, on[3];
      for (int i = -1; i < 3; ++i) {
        const VehicleSpec s = with_belt(sedan(Law::breakaway), kSigma, kSigma, i >= 0);
        Car sim(s, flat(), level, kMethods[std::max(i, 0)], {.vx0 = 20});
        ASSERT_TRUE(run(sim, c, 0.01, 1e-4));
        (i < 0 ? off : on[i]) = c.steer > 0 ? sim.outputs(c).r : 20 - sim.vx();
      }
      EXPECT_NEAR(on[1], on[0], 0.03 * on[0]) << name(level) << " euler";
      EXPECT_NEAR(on[2], on[0], 0.03 * on[0]) << name(level) << " implicit";
      EXPECT_LT(on[0], 0.9 * off);
      std::printf("[ measured ] %s %s: off %.5f, on %.5f, euler %+.2e, implicit %+.2e\n", name(level),
                  c.steer > 0 ? "steer" : "brake", off, on[0], on[1] / on[0] - 1, on[2] / on[0] - 1);
    }
}
