// SPDX-License-Identifier: Apache-2.0
// LuGre off: kinematic blend with brake-hold damper, and the VLOW mode.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <map>

#include "tests/integration/cars.hpp"

using namespace cars;

namespace {
constexpr Level kLevels[] = {Level::L1, Level::L2, Level::L3, Level::L5};
constexpr Level kTwoTracks[] = {Level::L2, Level::L3, Level::L5};
bool sprung(Level level) { return level == Level::L3 || level == Level::L5; }
constexpr double kDt = 1e-3;
}  // namespace

// Published bands of this fallback: <= 2 cm/s on 8 %, <= 3 cm/s on 12 and 20 %. Every level creeps alike: what holds the car is
// linear in the slip speed, and four wheels in a row hold the same whichever of them carries the load (1 %: load sensitivity).
TEST(LowSpeed, BrakedCreepWithinThePublishedBands) {
  struct Case {
    double grade, band;
  };
  std::map<std::pair<double, double>, double> on_l1;
  for (Level level : kLevels)
    for (const Case& k : {Case{0.08, 0.02}, {0.12, 0.03}, {0.20, 0.03}, {-0.08, 0.02}, {-0.20, 0.03}})
      for (double brake : {0.3, 0.6, 1.0}) {
        SCOPED_TRACE(testing::Message() << name(level) << " grade " << k.grade << " brake " << brake);
        const Commands c{.brake = brake};
        Car sim(sedan(Law::fallback), slope(k.grade), level, Integrator::rk4, {});
        ASSERT_TRUE(run(sim, c, 5, kDt));
        const double x = sim.outputs(c).x;
        ASSERT_TRUE(run(sim, c, 5, kDt));
        const double creep = (sim.outputs(c).x - x) / 5;
        if (brake == 0.3 && k.grade > 0)
          std::printf("[ measured ] %s %2.0f %% brake %.1f: creep %.4f cm/s\n", name(level), 100 * k.grade, brake,
                      100 * creep);
        EXPECT_LE(std::fabs(creep), k.band);
        EXPECT_LE(creep * k.grade, 0);  // down, never up
        const double l1 = on_l1.try_emplace({k.grade, brake}, creep).first->second;
        EXPECT_NEAR(creep, l1, 0.01 * std::fabs(l1));
        // a viscous hold cannot hold better than all it has: 4 dampers and 4 slip stiffnesses at the 0.15 m/s floor
        double stiff = 4 * 6e4 * brake;
        for (bool front : {true, false})
          stiff += 2 * slip_stiffness_long(sedan().tire_fl, static_load(sedan(), front)) / 0.15;
        EXPECT_GE(std::fabs(creep), 0.5 * 1500 * g * std::fabs(k.grade) / std::hypot(1, k.grade) / stiff);
      }
}

TEST(LowSpeed, RollsWhenReleased) {
  for (Level level : kLevels)
    for (double grade : {0.08, -0.08, 0.20}) {
      SCOPED_TRACE(testing::Message() << name(level) << " grade " << grade);
      const VehicleSpec s = sedan(Law::fallback);
      Car sim(s, slope(grade), level, Integrator::rk4, {});
      ASSERT_TRUE(run(sim, {.brake = 0.6}, 2, kDt));
      const Commands free{.gear = 0};
      ASSERT_TRUE(run(sim, free, 1, kDt));
      const double v1 = sim.vx();
      ASSERT_TRUE(run(sim, free, 1, kDt));
      const double cosine = 1 / std::hypot(1, grade), vm = 0.5 * (v1 + sim.vx());
      const double a = -std::copysign(
          (1500 * g * std::fabs(grade) * cosine - resistance(s, std::fabs(vm), cosine)) / effective_mass(s, false),
          grade);
      EXPECT_NEAR(sim.vx() - v1, a, 0.005 * std::fabs(a));  // the blend never touches vx
    }
}

// On a plane everything settles one way. On springs the body rocks on: it pitches about its wheels with the damping
// sum c' x^2/(2 (I_y + m h^2)) = 3.5 1/s (c': damper in series with the tire), the CG goes along by h times the pitch rate, and
// r follows that speed. Rolling, it drags the contacts of steered, locked wheels along them, against the slip force at its
// floor, which slows the roll with 1/sin^2 of the steer angle: 1.8 1/s on L5 at 0.3 rad, more than 3 1/s at 0.2 rad.
TEST(LowSpeed, SettlesWithoutLeftRightOscillation) {
  for (Level level : kLevels)
    for (double steer : {0.1, 0.3})
      for (double brake : {0.3, 1.0}) {
        SCOPED_TRACE(testing::Message() << name(level) << " steer " << steer << " brake " << brake);
        const Commands c{.steer = steer, .brake = brake};
        Car sim(sedan(Law::fallback), flat(), level, Integrator::rk4, {.vx0 = 5});
        int t_stop = -1, i = 0, flips_r = 0, flips_ay = 0, trembles = 0;
        double last_r = 0, last_ay = 0, Fz = 0, slope_Fz = 0, off = 0, creep = 0;
        double rock[3] = {}, load[3] = {};  // largest yaw rate and load difference in each second after the stop
        ASSERT_TRUE(run(sim, c, 8, kDt, [&](const CarOutputs& o) {
          if (t_stop < 0 && o.vx < 0.05) t_stop = i;
          const double d = o.wheel[o.wheels == 4].fz - o.wheel[0].fz;  // of the front wheels
          if (t_stop >= 0) {
            if (std::fabs(o.r) > 1e-4) flips_r += o.r * last_r < 0, last_r = o.r;
            if (std::fabs(o.ay) > 1e-2) flips_ay += o.ay * last_ay < 0, last_ay = o.ay;
            const int second = (i - t_stop) / 1000;
            if (second < 3) {
              rock[second] = std::max(rock[second], std::fabs(o.r));
              load[second] = std::max(load[second], std::fabs(d));
            }
          }
          if (t_stop >= 0 && i > t_stop + 1000) {
            off = std::max(off, std::fabs(o.r - o.vx * std::tan(steer) / 2.7));
            creep = std::max(creep, std::fabs(o.vx));
            if (i % 100 == 0) {  // every 0.1 s
              if (Fz != 0 && std::fabs(d - Fz) > 0.01) trembles += (d - Fz) * slope_Fz < 0, slope_Fz = d - Fz;
              Fz = d;
            }
          }
          ++i;
        }));
        ASSERT_GE(t_stop, 0) << "did not stop";
        if (sprung(level)) {
          std::printf(
              "[ measured ] %s steer %.1f brake %.1f: yaw rate by second %.1e %.1e %.1e, load %.1f %.1f %.1f N\n",
              name(level), steer, brake, rock[0], rock[1], rock[2], load[0], load[1], load[2]);
          EXPECT_LT(rock[2], std::exp(-3) * rock[1]);
          EXPECT_LT(load[2], std::exp(-1.5) * load[1]);
        } else {
          EXPECT_LE(flips_r, 1);  // r follows vx through its one rebound
          EXPECT_LE(flips_ay, 1);
          EXPECT_EQ(trembles, 0);  // the loads settle one way
        }
        EXPECT_LT(off, 2e-4);    // no yaw of its own: the kinematic curve
        EXPECT_LT(creep, 0.01);  // what the lagged slips still push, cm/s at most
      }
}

// A locked wheel stays locked while the pedal is down: nothing but the road turns it, and the road stands still.
TEST(LowSpeed, BrakedWheelsStayLockedAfterTheStop) {
  for (Level level : kTwoTracks)
    for (double relaxation : {0.0, 0.15})
      for (double brake : {0.3, 0.6, 1.0}) {
        SCOPED_TRACE(testing::Message() << name(level) << " relaxation_length_long " << relaxation << " brake "
                                        << brake);
        const VehicleSpec s =
            with_tires(sedan(Law::fallback), [&](TireSpec& t) { t.relaxation_length_long = relaxation; });
        const Commands c{.steer = 0.1, .brake = brake};
        Car sim(s, flat(), level, Integrator::rk4, {.vx0 = 5});
        double spin = 0;
        bool stopped = false;
        ASSERT_TRUE(run(sim, c, 4, kDt, [&](const CarOutputs& o) {
          const double ground = o.vx - s.chassis.cg_height * o.q;  // a body that pitches takes its CG along
          stopped = stopped || ground < 0.05;
          if (stopped)
            for (int w = 0; w < 4; ++w) spin = std::max(spin, std::fabs(o.wheel[w].omega * 0.32 - ground));
        }));
        std::printf(
            "[ measured ] %s relaxation %.2f m, brake %.1f: fastest wheel against the road after the stop %.3f m/s\n",
            name(level), relaxation, brake, spin);
        EXPECT_LT(spin, 0.2);  // 0.05 m/s is left at that moment, the rebound is as fast
      }
}

// Runs that stay above 3 m/s give the bits of a car without the blend.
// Tire and brake-hold damper share one grip: a full brake below the blend speed slows the car by mu g at most (load
// sensitivity raises mu by 2 % on the light axle).
TEST(LowSpeed, BrakeHoldStaysWithinTheGrip) {
  for (double mu : {1.0, 0.3})
    for (Level level : kLevels) {
      SCOPED_TRACE(testing::Message() << name(level) << " mu " << mu);
      const VehicleSpec s = with_tires(sedan(Law::fallback), [&](TireSpec& t) { t.mu_nominal = mu; });
      Car sim(s, flat(), level, Integrator::rk4, {.vx0 = 3});
      double hardest = 0;
      ASSERT_TRUE(run(sim, {.brake = 1}, 3, kDt, [&](const CarOutputs& o) { hardest = std::max(hardest, -o.ax); }));
      EXPECT_LT(hardest, 1.05 * mu * kGravity);
      EXPECT_GT(hardest, 0.7 * mu * kGravity);  // and it does brake
    }
}

TEST(LowSpeed, InactiveAboveBlendSpeed) {
  for (Level level : kLevels)
    for (Integrator method : {Integrator::rk4, Integrator::euler, Integrator::implicit}) {
      SCOPED_TRACE(testing::Message() << name(level) << " " << name(method));
      const VehicleSpec with = sedan(Law::fallback);
      const VehicleSpec without = with_tires(with, [](TireSpec& t) { t.low_speed_mode = LowSpeedMode::none; });
      Car a(with, flat(), level, method, {.vx0 = 8}), b(without, flat(), level, method, {.vx0 = 8});
      double slowest = 1e9, below = 0;
      for (int i = 0; i < 6000; ++i) {
        const double t = i * kDt;
        Commands c{.steer = 0.08 * std::sin(2 * t), .throttle = t < 2 ? 0.3 : 0, .brake = t > 2 && t < 4 ? 0.25 : 0};
        ASSERT_TRUE(a.step(c, kDt) && b.step(c, kDt));
        slowest = std::min(slowest, a.vx());
        const CarOutputs p = a.outputs(c), q = b.outputs(c);
        for (auto [u, v] :
             {std::pair{p.x, q.x}, {p.y, q.y}, {p.psi, q.psi}, {p.vx, q.vx}, {p.vy, q.vy}, {p.r, q.r}, {p.ay, q.ay}})
          ASSERT_EQ(std::memcmp(&u, &v, sizeof u), 0) << "at " << t << " s, " << u << " " << v;
        for (int w = 0; w < p.wheels; ++w)
          ASSERT_EQ(std::memcmp(&p.wheel[w], &q.wheel[w], sizeof p.wheel[w]), 0) << "wheel " << w << " at " << t;
      }
      ASSERT_GT(slowest, 3) << "the run must stay above the blend speed";
      // and the control: below 3 m/s the two differ
      for (int i = 0; i < 4000; ++i) {
        const Commands c{.steer = 0.05, .brake = 0.2};
        ASSERT_TRUE(a.step(c, kDt) && b.step(c, kDt));
        below = std::max(below, std::fabs(a.outputs(c).r - b.outputs(c).r));
      }
      EXPECT_GT(below, 1e-6);
    }
}

// At parking speed the car follows the steering geometry: r = vx tan(delta)/L, vy = r l_r.
TEST(LowSpeed, KinematicCurveAtParkingSpeed) {
  for (Level level : kLevels)
    for (double v : {0.5, 1.0, -0.8})
      for (double steer : {0.1, 0.3, -0.45}) {
        SCOPED_TRACE(testing::Message() << name(level) << " v " << v << " steer " << steer);
        const VehicleSpec s = with_tires(sedan(Law::fallback), [](TireSpec& t) { t.rolling_resistance = 0; });
        const Commands c{.steer = steer, .gear = 0};
        Car sim(s, flat(), level, Integrator::rk4, {.vx0 = v});
        ASSERT_TRUE(run(sim, c, 1, kDt));
        const CarOutputs o = sim.outputs(c);
        ASSERT_GT(std::fabs(o.vx), 0.3 * std::fabs(v));
        const double r = o.vx * std::tan(steer) / 2.7;
        EXPECT_NEAR(o.r, r, 0.02 * std::fabs(r));
        EXPECT_NEAR(o.vy, r * 1.5, 0.02 * std::fabs(r) * 1.5);
      }
}

// ---- low_speed_mode: tire_vlow -----------------------------------------------------------------------------------

namespace {
VehicleSpec vlow(double eps_front, double eps_rear, double damping) {
  VehicleSpec s = with_tires(sedan(Law::fallback), [&](TireSpec& t) {
    t.low_speed_mode = LowSpeedMode::tire_vlow;
    t.relaxation_length_lat = t.relaxation_length_long = 0;
    t.vlow_damping = damping;
  });
  s.tire_fl.vlow_speed_eps = s.tire_fr.vlow_speed_eps = eps_front;
  s.tire_rl.vlow_speed_eps = s.tire_rr.vlow_speed_eps = eps_rear;
  return s;
}
}  // namespace

// The blend follows the road wheels, not the command: hands off, a free steering column leaves them where they are.
TEST(LowSpeed, FreeSteeringColumnTurnsNoCar) {
  for (const Law law : {Law::fallback, Law::rolling, Law::breakaway})
    for (const Level level : kTwoTracks) {
      SCOPED_TRACE(testing::Message() << name(law) << " " << name(level));
      VehicleSpec s = sedan(law);
      s.steering.rack.steering_dynamic = true;
      s.steering.rack.column_stiffness = 0;
      Car sim(s, flat(), level, Integrator::rk4, {.vx0 = 0.8});
      ASSERT_TRUE(run(sim, {.steer = 0.3, .throttle = 0.02}, 3, 1e-3));
      EXPECT_LT(std::fabs(sim.heading()), 1e-9);
      EXPECT_GT(sim.outputs({}).x, 1);
    }
}

TEST(TireVlow, SlipDenomUsesPerTireEps) {
  const Commands c{.steer = 0.1};
  double fy[3], eps[] = {0.15, 0.6, 1.5};
  for (int k = 0; k < 3; ++k) {
    // front wheels at vx 0.3 m/s, steered: Vy/max(|Vx|, eps_front); the rear tires have another eps and no slip
    Car sim(vlow(eps[k], 0.9, 0), flat(), Level::L1, Integrator::rk4, {.vx0 = 0.3});
    const CarOutputs o = sim.outputs(c);
    const double Vx = 0.3 * std::cos(0.1), Vy = -0.3 * std::sin(0.1), alp = std::atan2(Vy, std::max(Vx, eps[k]));
    const double kap = (0.3 - Vx) / std::max(Vx, eps[k]);
    const TireSpec t = default_pacejka();
    const double nx = mf(t.B_long, t.C_long, t.E_long, kap), ny = -mf(t.B_lat, t.C_lat, t.E_lat, alp),
                 rho = std::max(1.0, std::hypot(nx, ny));
    const double D = o.wheel[0].fz * mu_e(t, o.wheel[0].fz);
    EXPECT_NEAR(o.wheel[0].fy, D * ny / rho, 1e-9 * D) << eps[k];
    EXPECT_NEAR(o.wheel[0].fx, D * nx / rho, 1e-9 * D) << eps[k];
    EXPECT_EQ(o.wheel[1].fy, 0);
    fy[k] = o.wheel[0].fy;
  }
  EXPECT_GT(fy[0], fy[1]);
  EXPECT_GT(fy[1], fy[2]);
  // rear slip reads the rear tires' eps: a turning car without steer
  for (double rear : {0.15, 0.9}) {
    const Model<double, Level::L1> m = compile<Level::L1>(vlow(0.4, rear, 0), flat());
    WheelState<double> w{};
    const Contact<double> at{0.3, 0.05, 0.3, 0, 1, 1, 0};
    const double F = tire_force(m.kind.tire[1], m.p.wheel[1].tire, w, at,
                                tire_slip(m.kind.tire[1], m.p.wheel[1].tire, w, at, 4000.0), 4000.0)
                         .Fy;
    EXPECT_NEAR(F, mf_lat(default_pacejka(), std::atan2(0.05, std::max(0.3, rear)), 4000), 1e-8);
  }
}

// k = k0 (1 + cos(pi |Vx|/eps))/2 below eps, added to the slip force before the ellipse
TEST(TireVlow, DampingBelowEps) {
  TireSpec t = vlow(0.6, 0.6, 2000).tire_fl;
  const Wheel w(t);
  for (double Vx : {0.0, 0.15, 0.3, 0.59, 0.6, 2.0, -0.3}) {
    const double v = 0.01, k = std::fabs(Vx) < 0.6 ? 1000 * (1 + std::cos(M_PI * std::fabs(Vx) / 0.6)) : 0;
    const auto F = w.force({}, Wheel::rolling_at(Vx, 0, Vx + v), 4000);
    EXPECT_NEAR(F.Fx, mf_long(t, v / std::max(0.6, std::fabs(Vx)), 4000) + k * v, 1e-8) << Vx;
    EXPECT_LE(std::fabs(w.force({}, Wheel::rolling_at(Vx, 5, Vx + 8), 4000).Fx), 4000 * (1 + 1e-12));
  }
}

TEST(TireVlow, ParkingSteerDiffersFromKinematicBlend) {
  const Commands c{.steer = 0.3, .throttle = 0.06};
  for (Level level : kTwoTracks) {
    SCOPED_TRACE(name(level));
    double r[2], kin[2];
    for (int k = 0; k < 2; ++k) {
      Car sim(k ? vlow(0.15, 0.15, 2000) : sedan(Law::fallback), flat(), level, Integrator::rk4, {.vx0 = 1});
      ASSERT_TRUE(run(sim, c, 1, kDt));
      r[k] = sim.outputs(c).r;
      kin[k] = sim.vx() * std::tan(0.3) / 2.7;
    }
    std::printf("[ measured ] %s: blend r %.5f (kinematic %.5f), vlow r %.5f (kinematic %.5f)\n", name(level), r[0],
                kin[0], r[1], kin[1]);
    EXPECT_GT(std::fabs(r[0] - r[1]), 1e-4);
    EXPECT_NEAR(r[0], kin[0], 0.02 * kin[0]);
    EXPECT_NEAR(r[1], kin[1], 0.10 * kin[1]);  // tires that slip a little, not another car
    EXPECT_LT(r[1], kin[1]);
  }
}
