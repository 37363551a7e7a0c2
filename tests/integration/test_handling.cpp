// SPDX-License-Identifier: Apache-2.0
// The car at speed: linear steady state, straight line, coast down, braking, load transfer, limit handling, reverse.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>

#include "tests/integration/cars.hpp"

using namespace cars;

namespace {
constexpr Level kLevels[] = {Level::L1, Level::L2};
constexpr Law kAllLaws[] = {Law::rolling, Law::breakaway, Law::fallback, Law::mf_only};
constexpr double kDt = 1e-3;

// keeps a speed with a proportional throttle about a fixed feed-forward: roughly, and the same way for every car
Commands hold_speed(double steer, double target, double now) {
  return {.steer = steer, .throttle = std::clamp(0.15 + 0.5 * (target - now), 0.0, 1.0)};
}

struct Cornering {
  double r, ay, vx;
};
Cornering steady_corner(const VehicleSpec& s, Level level, double steer, double v, double T) {
  Car sim(s, flat(), level, Integrator::rk4, {.vx0 = v});
  Cornering c{};
  int n = 0;
  for (int i = 0; i < std::lround(T / kDt); ++i) {
    const Commands u = hold_speed(steer, v, sim.vx());
    if (!sim.step(u, kDt)) return {NAN, NAN, NAN};
    if (i * kDt > T - 1) {
      const CarOutputs o = sim.outputs(u);
      c.r += o.r, c.ay += o.ay, c.vx += o.vx, ++n;
    }
  }
  return {c.r / n, c.ay / n, c.vx / n};
}
}  // namespace

// ---- BicycleSteadyState ------------------------------------------------------------------------------------------

// Yaw gain of the linear single track with the slip stiffness B C D of MF96 and the trail, 1 % (small angle).
// The rolling law adds turn slip (c_psi L_psi/R per wheel); without it the tire is MF96 and 0.1 % must do.
TEST(BicycleSteadyState, YawGainOfTheLinearSingleTrack) {
  double worst[2] = {};
  for (Law law : {Law::rolling, Law::mf_only})
    for (bool turn_slip : {false, true})
      for (Level level : kLevels)
        for (double V : {8.0, 15.0, 22.0, 30.0}) {
          SCOPED_TRACE(testing::Message()
                       << name(law) << " " << name(level) << " V " << V << " turn slip " << turn_slip);
          VehicleSpec s = without_losses(sedan(law));
          if (!turn_slip) s = with_tires(s, [](TireSpec& t) { t.lugre.rolling.c_psi = 0; });
          const Commands c{.steer = 0.001};
          Car sim(s, flat(), level, Integrator::rk4, {.vx0 = V});
          ASSERT_TRUE(run(sim, c, 4, kDt));
          const CarOutputs o = sim.outputs(c);
          const double r = 0.001 * linear_yaw_gain(s, o.vx);
          EXPECT_NEAR(o.r, r, 0.01 * r);
          EXPECT_NEAR(o.ay, o.vx * r, 0.01 * o.vx * r);
          worst[turn_slip] = std::max(worst[turn_slip], std::fabs(o.r / r - 1));
        }
  std::printf("[ measured ] worst deviation from the linear single track %.2e, with turn slip %.2e\n", worst[0],
              worst[1]);
  EXPECT_LT(worst[0], 1e-3);
}

// Understeer with the mass in front of neutral, oversteer behind: a car with its CG moved turns as the linear car does.
TEST(BicycleSteadyState, UndersteerFollowsTheCg) {
  double gain[2];
  for (int k = 0; k < 2; ++k) {
    VehicleSpec s = without_losses(sedan());
    s.chassis.cg_to_front = k ? 1.5 : 1.2;
    s.chassis.cg_to_rear = 2.7 - s.chassis.cg_to_front;
    const Commands c{.steer = 0.001};
    Car sim(s, flat(), Level::L2, Integrator::rk4, {.vx0 = 20});
    ASSERT_TRUE(run(sim, c, 4, kDt));
    gain[k] = sim.outputs(c).r / 0.001;
    EXPECT_NEAR(gain[k], linear_yaw_gain(s, sim.vx()), 0.01 * gain[k]);
  }
  EXPECT_GT(gain[1], gain[0]);
}

// Without yaw and sideslip a steered wheel's slip angle is its road-wheel angle: tan d_i = t/(1 -+ t T/(2L)), mixed by percent.
TEST(BicycleSteadyState, AckermannWheelAngles) {
  for (double percent : {0.0, 60.0, 100.0})
    for (double steer : {0.05, -0.3, 0.45}) {
      VehicleSpec s = sedan();
      s.steering.ackerman_percent = percent;
      const Car l2(s, flat(), Level::L2, Integrator::rk4, {.vx0 = 10}),
          l1(s, flat(), Level::L1, Integrator::rk4, {.vx0 = 10});
      const CarOutputs o = l2.outputs({.steer = steer});
      for (int i = 0; i < 2; ++i) {
        const double y = i == 0 ? 0.775 : -0.775, t = std::tan(steer), full = std::atan(t / (1 - y * t / 2.7));
        EXPECT_NEAR(-o.wheel[i].alpha, steer + percent / 100 * (full - steer), 1e-14);
        EXPECT_EQ(o.wheel[2 + i].alpha, 0);
      }
      EXPECT_NEAR(-l1.outputs({.steer = steer}).wheel[0].alpha, steer, 1e-14);
      const double inner = std::fabs(o.wheel[steer > 0 ? 0 : 1].alpha),
                   outer = std::fabs(o.wheel[steer > 0 ? 1 : 0].alpha);
      EXPECT_GE(inner, outer);
      if (percent == 100) {  // all wheels turn about one point
        EXPECT_NEAR(1 / std::tan(outer) - 1 / std::tan(inner), 1.55 / 2.7, 1e-12);
      }
    }
  // beyond the stop the wheel stays at the stop
  const Car sim(sedan(), flat(), Level::L1, Integrator::rk4, {.vx0 = 10});
  EXPECT_NEAR(-sim.outputs({.steer = 0.9}).wheel[0].alpha, 0.5, 1e-14);
}

// ---- ZeroSteerStraightLine ---------------------------------------------------------------------------------------

TEST(ZeroSteerStraightLine, StaysOnTheLineToTheBit) {
  for (Law law : kAllLaws)
    for (Level level : kLevels)
      for (Integrator method : {Integrator::rk4, Integrator::euler, Integrator::implicit})
        for (Differential diff : {Differential::Open, Differential::Locked, Differential::LSD}) {
          SCOPED_TRACE(testing::Message()
                       << name(law) << " " << name(level) << " " << name(method) << " diff " << int(diff));
          VehicleSpec s = sedan(law);
          s.drivetrain.differential = diff;
          Car sim(s, slope(0.05), level, method, {.vx0 = 15});
          for (int i = 0; i < 4000; ++i)
            ASSERT_TRUE(sim.step(i < 1500 ? Commands{.throttle = 0.8} : Commands{.brake = 0.7}, kDt));
          const CarOutputs o = sim.outputs({.brake = 0.7});
          EXPECT_GT(o.x, 20);
          EXPECT_EQ(o.y, 0);
          EXPECT_EQ(o.psi, 0);
          EXPECT_EQ(o.vy, 0);
          EXPECT_EQ(o.r, 0);
        }
}

// ---- DragCoastMatchesAnalytical ----------------------------------------------------------------------------------

// v = v0/(1 + k v0 t/m_eff); the loss of speed within 0.1 %.
TEST(DragCoastMatchesAnalytical, HyperbolicDecay) {
  double worst = 0;
  for (Law law : {Law::rolling, Law::mf_only, Law::fallback})
    for (Level level : kLevels)
      for (int gear : {0, 1})
        for (Integrator method : {Integrator::rk4, Integrator::implicit}) {
          SCOPED_TRACE(testing::Message()
                       << name(law) << " " << name(level) << " gear " << gear << " " << name(method));
          VehicleSpec s = with_tires(sedan(law), [](TireSpec& t) { t.rolling_resistance = 0; });
          const double v0 = 40, k = 0.5 * 1.225 * 0.30 * 2.2, T = 20;
          Car sim(s, flat(), level, method, {.vx0 = v0});
          ASSERT_TRUE(run(sim, {.gear = gear}, T, 2e-3));
          const double v = v0 / (1 + k * v0 * T / effective_mass(s, gear != 0));
          EXPECT_NEAR(v0 - sim.vx(), v0 - v, 1e-3 * (v0 - v));
          worst = std::max(worst, std::fabs((v0 - sim.vx()) / (v0 - v) - 1));
        }
  std::printf("[ measured ] worst relative error of the lost speed %.2e\n", worst);
}

// ---- BrakeStep ---------------------------------------------------------------------------------------------------

// Below the limit: m_eff a = -(T/R + rolling resistance + drag); at least the 2 m/s2 that VDSim 0.7 asked for.
TEST(BrakeStep, DecelerationFromTorque) {
  double worst = 0;
  for (Law law : {Law::rolling, Law::breakaway, Law::fallback})
    for (Level level : kLevels)
      for (double brake : {0.2, 0.3, 0.45}) {
        SCOPED_TRACE(testing::Message() << name(law) << " " << name(level) << " brake " << brake);
        const VehicleSpec s = sedan(law);
        const Commands c{.brake = brake};
        Car sim(s, flat(), level, Integrator::rk4, {.vx0 = 25});
        ASSERT_TRUE(run(sim, c, 1, kDt));
        const double v1 = sim.vx();
        ASSERT_TRUE(run(sim, c, 0.5, kDt));
        const double a = (v1 - sim.vx()) / 0.5, vm = 0.5 * (v1 + sim.vx());
        const double expected = (brake * 5000 / 0.32 + resistance(s, vm)) / effective_mass(s, true);
        EXPECT_GE(a, 2);
        EXPECT_NEAR(a, expected, 0.01 * expected);
        if (law == Law::rolling) {  // spinning slip costs wheel speed: 0.5 %
          EXPECT_NEAR(a, expected, 0.005 * expected);
          worst = std::max(worst, std::fabs(a / expected - 1));
        }
      }
  std::printf("[ measured ] worst relative error of the deceleration %.2e\n", worst);
}

// Full pedal on a dry road: 5000 N m locks the rear wheels, and the car decelerates at what its tires give.
TEST(BrakeStep, FullPedalLocksAndStaysWithinFriction) {
  for (Law law : {Law::rolling, Law::breakaway}) {
    SCOPED_TRACE(name(law));
    const Commands c{.brake = 1, .gear = 0};  // out of gear: the engine would keep the rear wheels turning for 1.4 s
    Car sim(sedan(law), flat(), Level::L2, Integrator::rk4, {.vx0 = 25});
    ASSERT_TRUE(run(sim, c, 1, kDt));
    const CarOutputs o = sim.outputs(c);
    EXPECT_EQ(o.wheel[2].omega, 0);
    EXPECT_EQ(o.wheel[3].omega, 0);
    EXPECT_GT(o.wheel[0].omega, 0);
    double Fx = 0, most = 0;
    for (const WheelOutputs& w : o.wheel) Fx += w.fx, most += w.fz * mu_e(default_pacejka(), w.fz);
    EXPECT_LE(-Fx, most * (1 + 1e-9));
    EXPECT_GT(-Fx, 0.9 * most);
    EXPECT_NEAR(o.ax, (Fx - drag(sedan(), o.vx)) / 1500, 1e-9);
    // locked: the steady law at slip 1; breakaway adds its sigma2 v and stops at the peak
    EXPECT_NEAR(o.wheel[2].fx, mf_long(default_pacejka(), -1, o.wheel[2].fz),
                (law == Law::rolling ? 1e-3 : 0.02) * o.wheel[2].fz);
  }
}

// ---- WeightTransfer ----------------------------------------------------------------------------------------------

TEST(WeightTransfer, Longitudinal) {
  for (Law law : kAllLaws)
    for (Level level : kLevels)
      for (const Commands& c : {Commands{.brake = 0.3}, Commands{.throttle = 0.6}}) {
        SCOPED_TRACE(testing::Message() << name(law) << " " << name(level) << " brake " << c.brake);
        VehicleSpec s = sedan(law);
        s.chassis.aero_drag_coeff = s.chassis.aero_lift_front = s.chassis.aero_lift_rear = 0;
        Car sim(s, flat(), level, Integrator::rk4, {.vx0 = 20});
        ASSERT_TRUE(run(sim, c, 1, kDt));
        const CarOutputs o = sim.outputs(c);
        const double front = level == Level::L1 ? 2 * o.wheel[0].fz : o.wheel[0].fz + o.wheel[1].fz;
        const double rear = level == Level::L1 ? 2 * o.wheel[1].fz : o.wheel[2].fz + o.wheel[3].fz;
        const double d = 1500 * o.ax * 0.55 / 2.7;
        EXPECT_GT(std::fabs(d), 200);
        EXPECT_NEAR(front - 2 * static_load(s, true), -d, 1e-3 * std::fabs(d));
        EXPECT_NEAR(rear - 2 * static_load(s, false), d, 1e-3 * std::fabs(d));
      }
}

TEST(WeightTransfer, LateralMomentAndRollStiffnessSplit) {
  double share[2];
  for (int k = 0; k < 2; ++k) {
    VehicleSpec s = sedan();
    s.chassis.aero_lift_front = s.chassis.aero_lift_rear = 0;
    s.chassis.track_rear = 1.50;
    s.chassis.mass_sprung = s.chassis.mass;  // all load through the springs: the split is K_f/(K_f + K_r)
    s.chassis.arb_front = k ? 30000 : 0;
    const Commands c{.steer = 0.03};
    Car sim(s, flat(), Level::L2, Integrator::rk4, {.vx0 = 20});
    ASSERT_TRUE(run(sim, c, 2, kDt));
    const CarOutputs o = sim.outputs(c);
    const double f = 0.5 * (o.wheel[1].fz - o.wheel[0].fz) * 1.55, r = 0.5 * (o.wheel[3].fz - o.wheel[2].fz) * 1.50,
                 M = 1500 * o.ay * 0.55;
    EXPECT_GT(o.ay, 2);
    EXPECT_NEAR(f + r, M, 1e-3 * M);
    double sum = 0;
    for (const WheelOutputs& w : o.wheel) sum += w.fz;
    EXPECT_NEAR(sum, 1500 * g, 1e-6);
    const double Kf = 60000 * 1.55 * 1.55 / 4 + s.chassis.arb_front, Kr = 60000 * 1.5 * 1.5 / 4;
    share[k] = f / (f + r);
    EXPECT_NEAR(share[k], Kf / (Kf + Kr), 1e-3);
  }
  EXPECT_GT(share[1], share[0] + 0.1);
}

TEST(WeightTransfer, LiftedWheelCarriesNothingAndTheSumHolds) {
  VehicleSpec s = sedan();
  s.chassis.cg_height = 1.2;
  s.chassis.aero_lift_front = s.chassis.aero_lift_rear = 0;
  const Commands c{.steer = 0.1};
  Car sim(s, flat(), Level::L2, Integrator::rk4, {.vx0 = 22});
  bool lifted = false;
  ASSERT_TRUE(run(sim, c, 2, kDt, [&](const CarOutputs& o) {
    double sum = 0, least = 1e9;
    for (const WheelOutputs& w : o.wheel) sum += w.fz, least = std::min(least, w.fz);
    ASSERT_GE(least, 0);
    ASSERT_NEAR(sum, 1500 * g, 1e-6);
    lifted = lifted || least == 0;
    for (const WheelOutputs& w : o.wheel)
      if (w.fz == 0) {
        ASSERT_EQ(std::hypot(w.fx, w.fy), 0);
      }
  }));
  EXPECT_TRUE(lifted);
}

// One inner wheel in the air: its share of the roll moment goes to the other axle, whichever lifts first.
TEST(WeightTransfer, RollMomentHoldsWithOneWheelInTheAir) {
  for (bool rear : {false, true}) {
    VehicleSpec s = sedan();
    s.chassis.cg_height = 0.75;
    s.chassis.aero_lift_front = s.chassis.aero_lift_rear = 0;
    (rear ? s.chassis.arb_rear : s.chassis.arb_front) = 80000;
    const Commands c{.steer = 6 * M_PI / 180};
    Car sim(s, flat(), Level::L2, Integrator::rk4, {.vx0 = 22});
    int one = 0;
    double off = 0;
    ASSERT_TRUE(run(sim, c, 2, kDt, [&](const CarOutputs& o) {
      const bool front_up = o.wheel[0].fz == 0, rear_up = o.wheel[2].fz == 0;
      if (front_up && rear_up) return;
      one += rear ? rear_up : front_up;
      const double M = 0.775 * (o.wheel[1].fz - o.wheel[0].fz + o.wheel[3].fz - o.wheel[2].fz);
      off = std::max(off, std::fabs(M - 1500 * o.ay * 0.75));
    }));
    std::printf("[ measured ] %s wheel in the air for %d ms, roll moment off by %.1e N m\n", rear ? "rear" : "front",
                one, off);
    EXPECT_LT(off, 1e-3);  // 1e-7 of it: what the load iteration leaves
    EXPECT_GT(one, 50) << (rear ? "rear" : "front");
  }
}

// ---- SteadyStateIndependentOfSigma0 ------------------------------------------------------------------------------

TEST(SteadyStateIndependentOfSigma0, StepSteerAt80KmhEqualsMfOnly) {
  const double v = 80 / 3.6;
  for (Level level : kLevels) {
    SCOPED_TRACE(name(level));
    const double steer = 4 / (v * linear_yaw_gain(sedan(), v)) * 1.03;  // about 4 m/s2
    const Cornering mf = steady_corner(sedan(Law::mf_only), level, steer, v, 8);
    EXPECT_NEAR(mf.ay, 4, 0.2);
    EXPECT_NEAR(mf.vx, v, 0.3);
    double worst = 0;
    for (double sigma0 : {5e4, 1e5, 3e5, 1e6}) {
      const Cornering c = steady_corner(with_sigma0(sedan(), sigma0), level, steer, v, 8);
      EXPECT_NEAR(c.r, mf.r, 0.005 * mf.r) << sigma0;
      EXPECT_NEAR(c.ay, mf.ay, 0.005 * mf.ay) << sigma0;
      worst = std::max({worst, std::fabs(c.r / mf.r - 1), std::fabs(c.ay / mf.ay - 1)});
    }
    std::printf("[ measured ] %s: ay %.4f, r %.5f (MF); largest deviation over sigma0 5e4..1e6 %.2e\n", name(level),
                mf.ay, mf.r, worst);
  }
}

// ---- RelaxationLength --------------------------------------------------------------------------------------------

// A wheel that rolls at V gets a small slip angle at once: Fy = Fy_ss (1 - exp(-x/L)), L = C/sigma0_lat within 2 %.
TEST(RelaxationLength, IsSlipStiffnessOverSigma0) {
  double worst = 0;
  for (double V : {10.0, 20.0, 40.0, 70.0, -20.0})
    for (double Fz : {2000.0, 4000.0, 6000.0})
      for (double sigma0 : {5e4, 1e5, 3e5}) {
        SCOPED_TRACE(testing::Message() << "V " << V << " Fz " << Fz << " sigma0_lat " << sigma0);
        TireSpec t = default_pacejka();
        t.lugre.rolling.sigma0_lat = sigma0;
        const Wheel w(t);
        WheelState<double> s{};
        s.roll = std::copysign(0.03, V);
        const double alp = 1e-3, L = slip_stiffness_lat(t, Fz) / sigma0, dx = L / 4000, h = dx / std::fabs(V);
        const Contact<double> c = Wheel::rolling_at(V, std::fabs(V) * alp, V);
        const double Fss = mf_lat(t, std::tan(alp), Fz);
        double area = 0, x63 = -1;  // integral of 1 - F/Fss over distance: the relaxation length
        for (int i = 0; i < 48000; ++i) {
          const double q = w.force(s, c, Fz).Fy / Fss;
          if (x63 < 0 && q > 1 - std::exp(-1)) x63 = i * dx;
          area += (1 - q) * dx;
          w.advance(s, c, Fz, h);
        }
        EXPECT_NEAR(area, L, 0.02 * L);
        EXPECT_NEAR(x63, L, 0.02 * L);
        EXPECT_NEAR(w.force(s, c, Fz).Fy, Fss, 1e-4 * std::fabs(Fss));
        worst = std::max({worst, std::fabs(area / L - 1), std::fabs(x63 / L - 1)});
      }
  std::printf("[ measured ] worst deviation from C/sigma0 %.2e\n", worst);
}

// The MF path with relaxation_length_lat: the slip angle lags by exactly that distance.
TEST(RelaxationLength, OfTheMfPath) {
  TireSpec t = default_pacejka();
  set_law(t, Law::fallback);
  const Wheel w(t);
  for (double V : {5.0, 30.0}) {
    WheelState<double> s{};
    const double alp = 0.01, h = 0.6 / V / 20000;
    const Contact<double> c = Wheel::rolling_at(V, V * std::tan(alp), V);
    for (int i = 0; i < 20000; ++i) w.advance(s, c, 4000, h);
    EXPECT_NEAR(s.alp, alp * (1 - std::exp(-1)), 1e-4 * alp);
    EXPECT_NEAR(w.force(s, c, 4000).Fy, mf_lat(t, s.alp, 4000), 1e-9 * 4000);
  }
}

// ---- LimitHandling -----------------------------------------------------------------------------------------------

namespace {
struct Limit {
  double r = NAN, rise = 0, gain = 0;  // largest rise of the energy in a step; most the contact gave back, both of E0
  bool lifted = false, finite = false;
};
Limit six_degree_step(VehicleSpec s, double dt) {
  s.chassis.cg_height = 0.85;
  const Commands c{.steer = 6 * M_PI / 180};
  Car sim(s, flat(), Level::L2, Integrator::rk4, {.vx0 = 80 / 3.6});
  const EnergyBalance e0 = sim.energy();
  double E = e0.kinetic + e0.stored, slip = 0;
  const double E0 = E;
  Limit out;
  for (long i = 0, n = std::lround(4 / dt); i < n; ++i) {
    if (!sim.step(c, dt)) return out;
    const EnergyBalance e = sim.energy();
    out.rise = std::max(out.rise, (e.kinetic + e.stored - E) / E0);
    E = e.kinetic + e.stored;
    out.gain = std::max(out.gain, (slip - e.slip()) / E0);
    slip = std::max(slip, e.slip());
    if (i % 10 == 0)
      for (const WheelOutputs& w : sim.outputs(c).wheel) out.lifted = out.lifted || w.fz == 0;
  }
  out.r = sim.outputs(c).r;
  out.finite = true;
  return out;
}
}  // namespace

TEST(LimitHandling, SixDegreeStepWithLiftedWheels) {
  for (double sigma0 : {5e4, 1e5, 3e5, 1e6}) {
    const VehicleSpec s = with_sigma0(sedan(), sigma0);
    const Limit ref = six_degree_step(s, 2e-4);
    ASSERT_TRUE(ref.finite);
    EXPECT_TRUE(ref.lifted);
    EXPECT_LT(ref.rise, 1e-9);
    EXPECT_LT(ref.gain, 1e-9);
    double worst = 0, rise = ref.rise, gain = ref.gain;
    for (double dt : {1e-3, 2e-3, 5e-3}) {
      SCOPED_TRACE(testing::Message() << "sigma0 " << sigma0 << " dt " << dt);
      const Limit l = six_degree_step(s, dt);
      ASSERT_TRUE(l.finite);
      EXPECT_TRUE(l.lifted);
      EXPECT_LT(l.rise, 1e-9);
      EXPECT_LT(l.gain, 1e-9);
      gain = std::max(gain, l.gain);
      EXPECT_NEAR(l.r, ref.r, 0.01 * std::fabs(ref.r));
      worst = std::max(worst, std::fabs(l.r / ref.r - 1));
      rise = std::max(rise, l.rise);
    }
    std::printf(
        "[ measured ] sigma0 %.0e: r %.5f rad/s, deviation %.2e, largest energy rise in a step %.2e of E0, by the "
        "contact %.2e\n",
        sigma0, ref.r, worst, rise, gain);
  }
}

TEST(LimitHandling, BreakawayStaysFinite) {
  for (double sigma0 : {5e4, 9e4, 3e5, 1e6})
    for (double dt : {2e-4, 1e-3})
      EXPECT_TRUE(six_degree_step(with_sigma0(sedan(Law::breakaway), sigma0), dt).finite) << sigma0 << " " << dt;
}

// ---- BreakawayDefects: the numbers that are why the rolling law exists ---------------------------------------------

TEST(BreakawayDefects, CorneringStiffnessNineTimesTooLarge) {
  TireSpec t = default_pacejka();
  t.load_sensitivity = 0;
  double F[2];
  for (Law law : {Law::breakaway, Law::rolling}) {
    set_law(t, law);
    const Wheel w(t);
    WheelState<double> s{};
    s.roll = 0.03;
    const Contact<double> c = Wheel::rolling_at(20, 20 * std::tan(0.01), 20);
    for (int i = 0; i < 20000; ++i) w.advance(s, c, 4000, 1e-4);
    F[law == Law::rolling] = std::fabs(w.force(s, c, 4000).Fy) / 4000;
  }
  std::printf("[ measured ] steady Fy at alp 0.01: breakaway %.3f mu Fz, rolling %.4f mu Fz\n", F[0], F[1]);
  EXPECT_GT(F[0], 0.85);
  EXPECT_LT(F[0], 0.95);
  EXPECT_NEAR(F[1], -mf_lat(t, std::tan(0.01), 4000) / 4000, 1e-6);
  EXPECT_NEAR(F[1], 0.10, 0.005);
}

TEST(BreakawayDefects, RunsOnRails) {
  // as if it had no slip at all: ay = V^2 delta/L.
  for (double v : {20.0, 30.0}) {
    const Cornering rails = steady_corner(sedan(Law::breakaway), Level::L2, 0.02, v, 6),
                    mf = steady_corner(sedan(Law::mf_only), Level::L2, 0.02, v, 6);
    std::printf("[ measured ] %.0f m/s: ay %.3f breakaway, %.3f MF: %+.0f %%\n", v, rails.ay, mf.ay,
                100 * (rails.ay / mf.ay - 1));
    EXPECT_NEAR(rails.ay, rails.vx * rails.vx * 0.02 / 2.7, 0.02 * rails.ay);
    EXPECT_GT(rails.ay, 1.15 * mf.ay);
  }
}

TEST(BreakawayDefects, SteadyStateDependsOnSigma0) {
  double r[2];
  for (int k = 0; k < 2; ++k) {
    VehicleSpec s = with_tires(sedan(Law::breakaway), [&](TireSpec& t) {
      t.lugre.sigma0 = k ? 3e5 : 9e4;
      t.lugre.sigma2 = k ? 120 : 75;
    });
    const Commands c{.steer = 6 * M_PI / 180};
    Car sim(s, flat(), Level::L2, Integrator::rk4, {.vx0 = 80 / 3.6});
    ASSERT_TRUE(run(sim, c, 4, kDt));
    r[k] = sim.outputs(c).r;
  }
  std::printf("[ measured ] 6 deg step: r %.4f at sigma0 9e4, %.4f at 3e5\n", r[0], r[1]);
  EXPECT_GT(std::fabs(r[0] / r[1] - 1), 0.10);
}

// ---- ReverseDriving ----------------------------------------------------------------------------------------------

TEST(ReverseDriving, SlipAnglesStaySmall) {
  for (Law law : kAllLaws)
    for (Level level : kLevels) {
      SCOPED_TRACE(testing::Message() << name(law) << " " << name(level));
      const Commands c{.steer = 0.1};
      Car sim(sedan(law), flat(), level, Integrator::rk4, {.vx0 = -4});
      ASSERT_TRUE(run(sim, c, 1.5, kDt));
      const CarOutputs o = sim.outputs(c);
      ASSERT_LT(o.vx, -3);
      for (int i = 0; i < o.wheels; ++i) {
        EXPECT_LT(std::fabs(o.wheel[i].alpha), 0.03);
        EXPECT_LT(std::fabs(o.wheel[i].fy),
                  (law == Law::breakaway ? 0.6 : 0.25) * o.wheel[i].fz);  // breakaway: rails, Ackermann 60 %
        EXPECT_LT(std::fabs(o.wheel[i].kappa), 0.02);
      }
      EXPECT_NEAR(o.r, o.vx * std::tan(0.1) / 2.7,
                  0.03 * std::fabs(o.r));  // the same circle as forward, the other way round
    }
}

TEST(ReverseDriving, YawGainOfTheLinearSingleTrack) {
  double worst = 0;
  for (Level level : kLevels)
    for (double V : {-3.0, -6.0, -10.0}) {
      SCOPED_TRACE(testing::Message() << name(level) << " V " << V);
      const VehicleSpec s = without_losses(sedan());
      const Commands c{.steer = 0.002};
      Car sim(s, flat(), level, Integrator::rk4, {.vx0 = V});
      ASSERT_TRUE(run(sim, c, 4, kDt));
      const double r = 0.002 * linear_yaw_gain(s, sim.vx());
      EXPECT_LT(r, 0);
      EXPECT_NEAR(sim.outputs(c).r, r, 0.01 * std::fabs(r));
      worst = std::max(worst, std::fabs(sim.outputs(c).r / r - 1));
    }
  std::printf("[ measured ] worst deviation in reverse %.2e\n", worst);
}

// A slow circle backwards lies on the circle forwards.
TEST(ReverseDriving, CircleIsTheMirrorOfForward) {
  for (Law law : {Law::rolling, Law::fallback}) {
    SCOPED_TRACE(name(law));
    double radius[2], y[2];
    for (int k = 0; k < 2; ++k) {
      const VehicleSpec s = without_losses(sedan(law));
      const Commands c{.steer = 0.2, .gear = 0};
      Car sim(s, flat(), Level::L2, Integrator::rk4, {.vx0 = k ? -1.5 : 1.5});
      ASSERT_TRUE(run(sim, c, 6, kDt));
      const CarOutputs o = sim.outputs(c);
      radius[k] = o.vx / o.r;
      y[k] = o.y;
      EXPECT_GT(o.vx * (k ? -1 : 1), 1.3);
    }
    EXPECT_GT(y[0], 1);
    EXPECT_GT(y[1], 1);  // both to the left
    EXPECT_NEAR(radius[1], radius[0], 0.005 * radius[0]);
    EXPECT_NEAR(radius[0], 2.7 / std::tan(0.2), 0.02 * radius[0]);
  }
}

// A car that is its own mirror image (front = rear): braking backwards is braking forwards, to rounding.
TEST(ReverseDriving, SymmetricCarBrakesTheSameBothWays) {
  for (Law law : {Law::rolling, Law::breakaway, Law::fallback})
    for (Level level : kLevels) {
      SCOPED_TRACE(testing::Message() << name(law) << " " << name(level));
      VehicleSpec s = sedan(law);
      s.chassis.cg_to_front = s.chassis.cg_to_rear = 1.35;
      s.brake.brake_bias_front = 0.5;
      s.drivetrain.drive_type = DriveType::AWD;
      Car a(s, flat(), level, Integrator::rk4, {.vx0 = 12}), b(s, flat(), level, Integrator::rk4, {.vx0 = -12});
      const Commands c{.brake = 0.8};
      for (int i = 0; i < 3000; ++i) {
        ASSERT_TRUE(a.step(c, kDt) && b.step(c, kDt));
        ASSERT_NEAR(a.vx(), -b.vx(),
                    1e-10);  // rear load = sum - front load: mirrored to rounding, and the stop amplifies that
      }
      EXPECT_NEAR(a.outputs(c).x, -b.outputs(c).x, 1e-9);
      EXPECT_NEAR(a.outputs(c).wheel[0].fz, b.outputs(c).wheel[level == Level::L1 ? 1 : 2].fz, 1e-6);
    }
}
