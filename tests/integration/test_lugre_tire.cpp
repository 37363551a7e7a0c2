// SPDX-License-Identifier: Apache-2.0
// LuGre tires on a car: the thresholds of VDSim 0.7, and stronger laws beside them. Where breakaway does not keep to one, its test says so.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>

#include "tests/integration/cars.hpp"

using namespace cars;

namespace {
constexpr Law kLaws[] = {Law::rolling, Law::breakaway};
constexpr double kDt = 1e-3;
}  // namespace

TEST(LuGreTire, BreakawayFloorMuFzAtZeroSlip) {
  const auto rest = lugre_breakaway(0.0, 0.0, 0.0, 1.0, 4000.0);
  EXPECT_NEAR(rest.y, 4000, 1);
  EXPECT_NEAR(rest.x, 1, 1);
  EXPECT_LT(lugre_breakaway(0.0, 0.0, 0.08, 1.0, 4000.0).y, 0.35 * 4000);
  // the law itself, to rounding: floor mu Fz exp(-(alp/0.03)^2), 1 N along x whatever the load, MF where it is larger
  EXPECT_EQ(rest.y, 4000);
  EXPECT_EQ(rest.x, 1);
  for (double alp : {0.0, 0.01, -0.03, 0.06, 0.2})
    for (double mu : {1.0, 0.3}) {
      const double floor = std::max(1.0, mu * 4000 * std::exp(-alp * alp / 9e-4));
      EXPECT_NEAR(lugre_breakaway(0.0, 0.0, alp, mu, 4000.0).y, floor, 1e-11 * 4000) << alp;
      EXPECT_NEAR(lugre_breakaway(-1500.0, -700.0, alp, mu, 4000.0).y, std::max(700.0, floor), 1e-11 * 4000);
      EXPECT_EQ(lugre_breakaway(-1500.0, -700.0, alp, mu, 4000.0).x, 1500);
    }
  // the rolling law: a standing patch holds exactly D in every direction, no more
  TireSpec t = default_pacejka();
  t.load_sensitivity = 0;
  const Wheel w(t);
  for (int deg = 0; deg < 360; deg += 15) {
    const double c = std::cos(deg * M_PI / 180), s = std::sin(deg * M_PI / 180);
    WheelState<double> z{};
    z.zx = 2 * 4000 * c / t.lugre.sigma0;
    z.zy = 2 * 4000 * s / t.lugre.rolling.sigma0_lat;
    const auto F = w.force(z, Wheel::rolling_at(0, 0, 0), 4000);
    EXPECT_NEAR(std::hypot(F.Fx, F.Fy), 4000, 1e-9) << deg;
    EXPECT_NEAR(F.Fx, 4000 * c, 1e-9) << deg;
  }
}

TEST(LuGreTire, LateralForceOpposesSlipIso8855) {
  for (Law law : kLaws)
    for (double alp : {0.04, -0.04, 0.12}) {
      SCOPED_TRACE(testing::Message() << name(law) << " alp " << alp);
      TireSpec t = default_pacejka();
      t.load_sensitivity = 0;
      set_law(t, law);
      t.lugre.sigma0 = t.lugre.rolling.sigma0_lat = 2e5;
      t.lugre.sigma2 = 0;
      const double V = 12, Fz = 4000, Fmf = mf_lat(t, alp, Fz), Vy = V * std::tan(alp);
      const double level =
          law == Law::breakaway ? std::max(std::fabs(Fmf), std::exp(-alp * alp / 9e-4) * Fz) : std::fabs(Fmf);
      WheelState<double> w{};
      w.roll = 0.03;
      w.zy = -std::copysign(0.5 * level / 2e5, alp);
      const auto half = Wheel(t).force(w, Wheel::rolling_at(V, Vy, V), Fz);
      EXPECT_LT(half.Fy * alp, 0);
      EXPECT_GT(half.Fy * Fmf, 0);
      EXPECT_LE(std::fabs(half.Fy), 1.01 * Fz);
      EXPECT_GE(std::fabs(half.Fy), 0.5 * level * (1 - 1e-9));  // the bristle is still being loaded
      // in steady state the force is the level itself: breakaway g, rolling MF at tan(alp)
      w.zy *= 2;
      if (law == Law::rolling) w.zy = mf_lat(t, std::tan(alp), Fz) / 2e5;
      const auto full = Wheel(t).force(w, Wheel::rolling_at(V, Vy, V), Fz);
      EXPECT_NEAR(full.Fy, w.zy * 2e5, 1e-9 * Fz);
      if (law == Law::rolling) {
        WheelState<double> next = w;
        Wheel(t).advance(next, Wheel::rolling_at(V, Vy, V), Fz, 1e-3);
        EXPECT_NEAR(next.zy, w.zy, 1e-12);
      }
    }
}

TEST(LuGreTire, CoastFlatNoPhantomLongitudinal) {
  for (Law law : kLaws) {
    SCOPED_TRACE(name(law));
    const VehicleSpec s = sedan(law);
    Car sim(s, flat(), Level::L2, Integrator::rk4, {.vx0 = 8});
    double most = 0, spin = 0, after = 0;
    ASSERT_TRUE(run(sim, {}, 6, kDt, [&](const CarOutputs& o) {
      for (int i = 0; i < 4; ++i) {
        most = std::max(most, std::fabs(o.wheel[i].fx));
        spin = std::max(spin, std::fabs(o.wheel[i].omega));
        if (o.t > 1) after = std::max(after, std::fabs(o.wheel[i].fx));
      }
    }));
    std::printf("[ measured ] %s: max |Fx| %.2f N, after 1 s %.2f N\n", name(law), most, after);
    EXPECT_LT(most, 800);
    EXPECT_LT(spin, 80);
    EXPECT_LE(spin, 8 / 0.32 * (1 + 1e-3));  // nothing spins a wheel up
    // A free wheel takes its rolling resistance f Fz, less what its own spin gives back. It acts at once on relaxed bristles:
    // a spring loaded by a step swings to at most twice the load.
    EXPECT_LT(most, 2 * 0.015 * static_load(s, true));
    EXPECT_LT(after, 0.015 * static_load(s, true));
    // and in the end exactly that: I w' = -f Fz R - Fx R
    const CarOutputs o = sim.outputs({});
    for (int i = 0; i < 2; ++i)
      EXPECT_NEAR(o.wheel[i].fx, -0.015 * o.wheel[i].fz - wheel_inertia(s) * o.ax / (0.32 * 0.32), 0.5);
  }
}

namespace {
// speed after T on flat road under constant drive torque: m_eff v' = T/R - resistance(v)
double driven_speed(const VehicleSpec& s, double v, double throttle, double T) {
  const double F = throttle * s.drivetrain.max_motor_torque * s.drivetrain.final_drive_ratio / radius(s), h = 1e-4;
  for (double t = 0; t < T - 0.5 * h; t += h) v += h * (F - resistance(s, v)) / effective_mass(s, true);
  return v;
}
}  // namespace

TEST(LuGreTire, LongitudinalWithSmallSteer) {
  for (Law law : kLaws) {
    SCOPED_TRACE(name(law));
    const VehicleSpec s = sedan(law);
    double v[2];
    for (int k = 0; k < 2; ++k) {
      Car sim(s, flat(), Level::L2, Integrator::rk4, {.vx0 = 10});
      ASSERT_TRUE(run(sim, {.steer = 0.06 * k, .throttle = 0.35}, 4, kDt));
      v[k] = sim.vx();
    }
    std::printf("[ measured ] %s: straight %.4f, steered %.4f, closed form straight %.4f m/s\n", name(law), v[0], v[1],
                driven_speed(s, 10, 0.35, 4));
    EXPECT_GT(v[0], 12);
    EXPECT_GT(v[1], 0.65 * v[0]);
    EXPECT_LT(v[1], v[0]);  // cornering costs speed
    if (law == Law::rolling) {
      EXPECT_NEAR(v[0] - 10, driven_speed(s, 10, 0.35, 4) - 10, 0.01 * (v[0] - 10));  // slip takes its share: 1 %
      EXPECT_GT(v[1], 0.95 * v[0]);
    }
  }
}

TEST(LuGreTire, RearSlipBoundedUnderThrottle) {
  double kap[3] = {}, last[3] = {};
  for (Law law : {Law::fallback, Law::rolling, Law::breakaway}) {
    SCOPED_TRACE(name(law));
    const VehicleSpec s = sedan(law);
    Car sim(s, flat(), Level::L2, Integrator::rk4, {.vx0 = 6});
    double most = 0;
    ASSERT_TRUE(run(sim, {.throttle = 0.3}, 4, kDt, [&](const CarOutputs& o) {
      most = std::max({most, o.wheel[2].kappa, o.wheel[3].kappa});
    }));
    const int k = int(law == Law::rolling) + 2 * int(law == Law::breakaway);
    kap[k] = most;
    last[k] = sim.outputs({.throttle = 0.3}).wheel[2].kappa;
    std::printf("[ measured ] %s: largest rear kappa %.5f\n", name(law), most);
    EXPECT_LT(most, 0.55);
    // the slip the steady law needs for this force
    const CarOutputs o = sim.outputs({.throttle = 0.3});
    const double C = slip_stiffness_long(s.tire_rl, o.wheel[2].fz);
    EXPECT_GT(o.wheel[2].kappa, 0);
    if (law != Law::breakaway) {
      EXPECT_NEAR(o.wheel[2].fx, mf_long(s.tire_rl, o.wheel[2].kappa, o.wheel[2].fz), 0.01 * C * o.wheel[2].kappa);
    }
  }
  EXPECT_LT(kap[1], 2.5 * kap[0]);
  EXPECT_LT(kap[2], 2.5 * kap[0]);
  EXPECT_NEAR(last[1], last[0], 0.01 * last[0]);  // rolling: MF at speed
  EXPECT_LT(kap[1], 3 * last[1]);  // and no more than the swing of a step on a spring (6 m/s: kappa 8 % larger too)
}

TEST(LuGreTire, ThrottleProducesForwardMotion) {
  for (Law law : kLaws) {
    SCOPED_TRACE(name(law));
    const VehicleSpec s = sedan(law);
    Car sim(s, flat(), Level::L2, Integrator::rk4, {});
    int flips = 0;
    double last = 0, back = 0;
    ASSERT_TRUE(run(sim, {.throttle = 0.35}, 6, kDt, [&](const CarOutputs& o) {
      const double k = o.wheel[2].kappa;
      if (std::fabs(k) > 0.05) {
        if (k * last < 0) ++flips;
        last = k;
      }
      back = std::min(back, o.vx);
    }));
    std::printf("[ measured ] %s: vx %.4f (closed form %.4f), kappa flips %d\n", name(law), sim.vx(),
                driven_speed(s, 0, 0.35, 6), flips);
    EXPECT_GT(sim.vx(), 3);
    EXPECT_LT(flips, 80);
    EXPECT_EQ(flips, 0);
    EXPECT_EQ(back, 0);  // never rolls back
    if (law == Law::rolling) {
      EXPECT_NEAR(sim.vx(), driven_speed(s, 0, 0.35, 6), 0.01 * sim.vx());
    }
  }
}

TEST(LuGreTire, LowSpeedYawDoesNotRunaway) {
  for (Law law : kLaws) {
    SCOPED_TRACE(name(law));
    const Model<double, Level::L2> m = compile<Level::L2>(sedan(law), flat());
    State<double, Level::L2> s = start<Level::L2>(m, 0, 0, 0, 0.5);
    s.r = 0.15;
    const double E0 = energy_of(m, s, true).kinetic;
    const Inputs<double> u{0, 0, 0, 0, 1};
    double most = 0, late = 0, E = 0;
    for (int i = 0; i < 4000; ++i) {
      integrate(Integrator::rk4, m, s, u, u, kDt);
      most = std::max(most, std::fabs(s.r));
      if (i > 2000) late = std::max(late, std::fabs(s.r));
      const Energy e = energy_of(m, s, true);
      E = std::max(E, e.kinetic + e.stored);
    }
    std::printf("[ measured ] %s: max |r| %.4f, after 2 s %.2e rad/s, energy max/start %.6f\n", name(law), most, late,
                E / E0);
    EXPECT_LT(most, 2.0);
    EXPECT_LE(most, 0.15);  // straight wheels can only take yaw away (first swing included)
    EXPECT_LT(late, 1e-3);
    if (law == Law::rolling) {
      EXPECT_LT(E, E0 * (1 + 1e-9));
    }
  }
}

// VDSim 0.7 says that LuGre creeps less than the blend. The rolling law stands, to rounding. Breakaway, the law of VDSim 0.7, creeps
// as much as the blend: a locked wheel at rest has no slip, so its level along is 1 N and the car must move to be held (page 19).
TEST(LuGreTire, LessGradeCreepThanKinematicBlend) {
  const Commands hold{.brake = 0.3};
  double v[3], drift[3];
  const Law laws[] = {Law::rolling, Law::breakaway, Law::fallback};
  for (int k = 0; k < 3; ++k) {
    SCOPED_TRACE(name(laws[k]));
    Car sim(sedan(laws[k]), slope(0.08), Level::L2, Integrator::rk4, {});
    ASSERT_TRUE(run(sim, hold, 3, kDt));
    v[k] = sim.vx();
    const double x = sim.outputs(hold).x;
    ASSERT_TRUE(run(sim, hold, 3, kDt));
    drift[k] = sim.outputs(hold).x - x;
    std::printf("[ measured ] %s: vx after 3 s %.3e m/s, drift in the next 3 s %.3e m\n", name(laws[k]), v[k],
                drift[k]);
  }
  EXPECT_LT(std::fabs(v[0]), std::fabs(v[2]));
  EXPECT_LT(std::fabs(v[0]), 1e-9);
  EXPECT_LT(std::fabs(drift[0]), 1e-9);
  EXPECT_LT(v[2], -1e-5);  // the control: the damper must creep, or the comparison says nothing
  EXPECT_NEAR(v[1] / v[2], 1, 0.2);
}

// Without combined slip the host keeps the force on the circle of its friction, whatever the peak of the curve; with every method.
TEST(LuGreTire, BreakawayWithoutCombinedSlipStaysOnTheCircle) {
  const VehicleSpec s = with_tires(sedan(Law::breakaway), [](TireSpec& t) {
    t.combined_slip_enabled = false;
    t.D_long = t.D_lat = 1.5;
    t.load_sensitivity = 0;
  });
  for (const Integrator method : {Integrator::rk4, Integrator::euler, Integrator::implicit}) {
    SCOPED_TRACE(name(method));
    Car sim(s, flat(0.5), Level::L2, method, {.vx0 = 25});
    ASSERT_TRUE(run(sim, {.brake = 1}, 1, kDt));
    const double braking = 25 - sim.vx(), grip = 0.5 * load(s, 20) / s.chassis.mass,
                 air = drag(s, 22.5) / s.chassis.mass;
    std::printf("[ measured ] %s: %.4f m/s in a second, the circle allows %.4f\n", name(method), braking, grip + air);
    EXPECT_NEAR(braking, grip + air, 0.02 * grip);
  }
}

TEST(LuGreTire, HighSpeedLongitudinalNearPacejka) {
  const Commands c{.throttle = 0.35};
  double mean[3];
  const Law laws[] = {Law::mf_only, Law::rolling, Law::breakaway};
  for (int k = 0; k < 3; ++k) {
    Car sim(sedan(laws[k]), flat(), Level::L1, Integrator::rk4, {.vx0 = 15});
    double sum = 0;
    int n = 0;
    ASSERT_TRUE(run(sim, c, 6, kDt, [&](const CarOutputs& o) { sum += 2 * (o.wheel[0].fx + o.wheel[1].fx), ++n; }));
    mean[k] = sum / n;
    std::printf("[ measured ] %s: mean Fx %.3f N\n", name(laws[k]), mean[k]);
  }
  // Newton: the mean force is what changed the speed and what drag took, so the control itself must be right
  EXPECT_NEAR(mean[0], 1500 * (driven_speed(sedan(), 15, 0.35, 6) - 15) / 6 + drag(sedan(), 17.4), 0.02 * mean[0]);
  EXPECT_NEAR(mean[1], mean[0], 0.01 * mean[0]);
  EXPECT_NEAR(mean[2], mean[0], 0.35 * mean[0]);
}

TEST(LuGreTire, RearLateralDuringSteer) {
  for (Law law : kLaws) {
    SCOPED_TRACE(name(law));
    const VehicleSpec s = sedan(law);
    const Commands c{.steer = 0.08};
    Car sim(s, flat(), Level::L2, Integrator::rk4, {.vx0 = 12});
    ASSERT_TRUE(run(sim, c, 2, kDt));
    const CarOutputs before = sim.outputs(c);
    ASSERT_TRUE(sim.step(c, kDt));
    const CarOutputs o = sim.outputs(c);
    const double rear = o.wheel[2].fy + o.wheel[3].fy;
    EXPECT_GT(std::fabs(rear), 400);
    EXPECT_GT(rear, 0);  // left turn: force to the left
    // moments about the front axle: L Fyr = m a ay - Iz r' + sum Mz + sum over axles (Fx right - Fx left) T/2, body axes
    double Mz = 0;
    for (const WheelOutputs& w : {o.wheel[0], o.wheel[1], o.wheel[2], o.wheel[3]}) Mz += w.mz;
    const auto along = [&](int i) {
      const double y = i == 0 ? 0.775 : -0.775, t = std::tan(0.08),
                   d = 0.08 + 0.6 * (std::atan(t / (1 - y * t / 2.7)) - 0.08);
      return std::cos(d) * o.wheel[i].fx - std::sin(d) * o.wheel[i].fy;
    };
    const double rdot = (o.r - before.r) / kDt, couple = 0.775 * (along(1) - along(0) + o.wheel[3].fx - o.wheel[2].fx);
    const double expected = (1500 * 1.2 * o.ay - 2500 * rdot + Mz + couple) / 2.7;
    std::printf("[ measured ] %s: rear Fy %.1f N, from moments %.1f N, ay %.3f\n", name(law), rear, expected, o.ay);
    EXPECT_NEAR(rear, expected, 0.002 * rear);  // rdot is a difference quotient
  }
}

TEST(LuGreTire, SteadyDeflectionMatchesBreakaway) {
  for (double alp : {0.0, 0.02, 0.1})
    for (double sigma0 : {5e4, 2e5, 1e6}) {
      TireSpec t = default_pacejka();
      set_law(t, Law::breakaway);
      t.lugre.sigma0 = sigma0;
      const Wheel w(t);
      const auto g = lugre_breakaway(900.0, mf_lat(t, alp, 4000), alp, 1.0, 4000.0);
      const auto F = lugre_wheel_forces(w.p, g.x / sigma0, -g.y / sigma0, 0.0, 0.0, g);
      EXPECT_NEAR(F.Fx, g.x, 0.05 * g.x);
      EXPECT_NEAR(F.Fx, g.x, 1e-12 * g.x);
      EXPECT_NEAR(F.Fy, -g.y, 1e-12 * g.y);
      // that deflection is the fixed point of the update, from any start, and its clamp
      EXPECT_NEAR(lugre_advance_z(g.y / sigma0, 0.7, g.y, sigma0, 1e-3), g.y / sigma0, 1e-15);
      EXPECT_EQ(lugre_advance_z(5 * g.y / sigma0, 0.0, g.y, sigma0, 1e-3), g.y / sigma0);
      EXPECT_EQ(lugre_z_dot(g.y / sigma0, 0.7, g.y, sigma0), 0.7 - sigma0 * 0.7 * (g.y / sigma0) / g.y);
      double z = -0.5 * g.y / sigma0;
      for (int i = 0; i < 10000; ++i) z = lugre_advance_z(z, 1.0, g.y, sigma0, 1e-3);
      EXPECT_NEAR(z * sigma0, g.y, 1e-6 * g.y);
    }
}
