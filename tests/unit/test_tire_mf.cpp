// SPDX-License-Identifier: Apache-2.0
// MF96, its combined laws, radius, trail, the linear backend and the functions of the breakaway law, against closed forms in libm.
#include <gtest/gtest.h>

#include <cmath>

#include "vdsim/core/tire/compile.hpp"
#include "vdsim/core/tire/tire.hpp"

namespace {

using namespace vdsim;

struct Shape {
  double B, C, E;
};
constexpr Shape kShapes[] = {{10, 1.65, 0.97}, {8, 1.30, -1}, {12, 1.9, 0.5}, {25, 1.2, -3}, {6, 1.55, 0}};

double curve(const Shape& s, double x) {
  return std::sin(s.C * std::atan(s.B * x - s.E * (s.B * x - std::atan(s.B * x))));
}

TireSpec mf_spec(Combined combined) {
  TireSpec t;
  t.lugre.enabled = false;
  t.low_speed_mode = LowSpeedMode::none;
  t.combined = combined;
  return t;
}
struct Force {
  double Fx, Fy;
};
Force force(const TireSpec& t, double kap, double alp, double Fz, double mu = 1, double V = 20) {
  const TireKind k = tire_kind(t);
  const TireParams<double> p = compile_tire(t, 0.32);
  const Contact<double> c{V, std::fabs(V) * std::tan(alp), V + kap * std::fabs(V), 0, mu, mu, 0};
  const WheelState<double> w{};
  const auto f = tire_force(k, p, w, c, tire_slip(k, p, w, c, Fz), Fz);
  return {f.Fx, f.Fy};
}

}  // namespace

TEST(TireMf, PeakSlipIsWhereTheCurveIsOne) {
  for (const Shape& s : kShapes) {
    const double sp = peak_slip(s.B, s.C, s.E).slip;
    SCOPED_TRACE(testing::Message() << "B " << s.B << " C " << s.C << " E " << s.E << " peak " << sp);
    EXPECT_TRUE(peak_slip(s.B, s.C, s.E).interior);
    EXPECT_NEAR(curve(s, sp), 1, 1e-14);
    EXPECT_LT(curve(s, 0.98 * sp), 1 - 1e-6);
    EXPECT_LT(curve(s, 1.02 * sp), 1 - 1e-6);
    EXPECT_NEAR((1 - s.E) * s.B * sp + s.E * std::atan(s.B * sp), std::tan(M_PI / (2 * s.C)), 1e-9);
  }
  EXPECT_NEAR(peak_slip(8, 1.30, -1).slip, 0.2238, 0.02);  // the lateral defaults: about 12 deg
  // no peak: the slip of 99 % of the supremum
  const Shape flat{10, 0.9, 0};
  EXPECT_NEAR(curve(flat, peak_slip(10, 0.9, 0).slip), 0.99 * std::sin(0.9 * M_PI / 2), 1e-9);
  EXPECT_FALSE(peak_slip(10, 0.9, 0).interior);
  const Shape e1{10, 1.4, 1};
  EXPECT_NEAR(curve(e1, peak_slip(10, 1.4, 1).slip), 0.99 * std::sin(1.4 * std::atan(M_PI / 2)), 1e-9);
}

TEST(TireMf, CurveAndForcesAgainstLibm) {
  const TireSpec t = mf_spec(Combined::none);
  const Shape lon{10, 1.65, 0.97}, lat{8, 1.30, -1};
  for (double s : {1e-6, 0.003, 0.02, 0.1, 0.2, 0.5, 1.2}) {
    EXPECT_NEAR(force(t, s, 0, 4000).Fx, 4000 * curve(lon, s), 1e-9);
    EXPECT_NEAR(force(t, -s, 0, 4000).Fx, -4000 * curve(lon, s), 1e-9);
    EXPECT_NEAR(force(t, 0, s, 4000).Fy, -4000 * curve(lat, s), 1e-9);  // positive slip angle, force to the right
    EXPECT_NEAR(force(t, 0, -s, 4000).Fy, 4000 * curve(lat, s), 1e-9);
  }
}

TEST(TireMf, SlopeAtZeroIsBCD) {
  for (Combined combined : {Combined::none, Combined::ellipse, Combined::similarity}) {
    const TireSpec t = mf_spec(combined);
    for (double mu : {1.0, 0.4}) {  // whatever the friction of the road
      const double h = 1e-5;
      EXPECT_NEAR((force(t, h, 0, 4000, mu).Fx - force(t, -h, 0, 4000, mu).Fx) / (2 * h), 10 * 1.65 * 4000,
                  1e-4 * 66000);
      EXPECT_NEAR((force(t, 0, h, 4000, mu).Fy - force(t, 0, -h, 4000, mu).Fy) / (2 * h), -8 * 1.30 * 4000,
                  1e-4 * 41600);
    }
  }
}

TEST(TireMf, LoadSensitivity) {
  TireSpec t = mf_spec(Combined::ellipse);  // `none` is clipped to the circle mu Fz, which knows no load sensitivity
  t.load_sensitivity = 0.15;
  const double sp = peak_slip(10, 1.65, 0.97).slip;
  EXPECT_NEAR(force(t, sp, 0, 4000).Fx, 4000, 1e-9);
  EXPECT_NEAR(force(t, sp, 0, 8000).Fx, 8000 * 0.85, 1e-8);
  EXPECT_NEAR(force(t, sp, 0, 2000).Fx, 2000 * 1.075, 1e-9);
  EXPECT_NEAR(force(t, 0.5 * sp, 0, 8000, 0.5).Fx, 4000 * 0.85, 1e-8);
  t.load_sensitivity = 1.0;
  EXPECT_NEAR(force(t, sp, 0, 12000).Fx, 12000 * 0.3, 1e-8);  // never below 0.3 mu_n
  EXPECT_EQ(force(t, sp, 0.1, 0).Fx, 0);
  EXPECT_EQ(force(t, sp, 0.1, 0).Fy, 0);
  t.load_sensitivity = 0, t.mu_nominal = 1.3, t.D_long = 0.9;
  EXPECT_NEAR(force(t, sp, 0, 4000).Fx, 4000 * 1.3 * 0.9, 1e-8);
}

TEST(TireMf, EllipseBoundsAndTouchesNothingInside) {
  TireSpec t = mf_spec(Combined::ellipse), pure = mf_spec(Combined::none);
  t.D_lat = pure.D_lat = 0.8;
  t.mu_nominal = pure.mu_nominal = 1;
  for (double kap : {-0.6, -0.05, 0.0, 0.01, 0.1, 0.4})
    for (double alp : {-0.3, -0.02, 0.0, 0.005, 0.1, 0.5}) {
      const Force F = force(t, kap, alp, 4000);
      const double fx = 4000 * curve({10, 1.65, 0.97}, kap), fy = -3200 * curve({8, 1.30, -1}, alp);
      const double rho = std::max(1.0, std::hypot(fx / 4000, fy / 3200));
      EXPECT_NEAR(F.Fx, fx / rho, 1e-9);
      EXPECT_NEAR(F.Fy, fy / rho, 1e-9);
      EXPECT_LE(std::hypot(F.Fx / 4000, F.Fy / 3200), 1 + 1e-12);
    }
}

// Without combined slip the host keeps the force within the circle mu Fz.
TEST(TireMf, NoneIsClippedToTheFrictionCircle) {
  TireSpec t = mf_spec(Combined::automatic);
  t.combined_slip_enabled = false;
  const double kp = peak_slip(10, 1.65, 0.97).slip, ap = peak_slip(8, 1.30, -1).slip;
  const Force F = force(t, 0.5 * kp, 0.5 * ap, 4000, 0.5);
  EXPECT_NEAR(std::hypot(F.Fx, F.Fy), 2000, 1e-6);
  EXPECT_NEAR(F.Fx, -F.Fy, 1e-6);
  const Force small = force(t, 0.01, 0.01, 4000);
  EXPECT_NEAR(small.Fx, 4000 * curve({10, 1.65, 0.97}, 0.01), 1e-9);
}

TEST(TireMf, SimilarityPureLimitsAndBound) {
  const TireSpec t = mf_spec(Combined::similarity);
  const Shape lon{10, 1.65, 0.97}, lat{8, 1.30, -1};
  for (double V : {1.0, 20.0, -20.0})
    for (double s : {1e-4, 0.01, 0.08, 0.2, 0.6}) {
      EXPECT_NEAR(force(t, s, 0, 4000, 1, V).Fx, 4000 * curve(lon, s), 1e-8) << V;
      EXPECT_EQ(force(t, s, 0, 4000, 1, V).Fy, 0);
      EXPECT_NEAR(force(t, 0, std::atan(s), 4000, 1, V).Fy, -4000 * curve(lat, s), 1e-8) << V;  // measured by tan(alp)
      EXPECT_EQ(force(t, 0, std::atan(s), 4000, 1, V).Fx, 0);
    }
  for (double kap = -2.5; kap < 3; kap += 0.11)
    for (double alp = -1.5; alp < 1.5; alp += 0.13) {
      const Force F = force(t, kap, alp, 4000);
      ASSERT_LE(std::hypot(F.Fx, F.Fy), 4000 * (1 + 1e-9)) << kap << " " << alp;
      ASSERT_GE(F.Fx * kap, 0);
      ASSERT_LE(F.Fy * alp, 0);
      const Force m = force(t, kap, -alp, 4000);
      ASSERT_EQ(m.Fx, F.Fx);  // mirror, to the bit
      ASSERT_EQ(m.Fy, -F.Fy);
    }
  // small combined slip: the two linear laws, each undisturbed by the other (order slip^2)
  const Force F = force(t, 1e-3, 1e-3, 4000);
  EXPECT_NEAR(F.Fx, 66000 * 1e-3, 0.02 * 66);
  EXPECT_NEAR(F.Fy, -41600 * 1e-3, 0.02 * 41.6);
}

// A locked wheel slides: force against its velocity at any angle, as large as the curves say.
TEST(TireMf, LockedWheelForceOpposesItsVelocity) {
  const TireSpec t = mf_spec(Combined::similarity);
  const TireKind k = tire_kind(t);
  const TireParams<double> p = compile_tire(t, 0.32);
  for (int deg = 0; deg <= 90; deg += 5) {
    const double c = std::cos(deg * M_PI / 180), s = std::sin(deg * M_PI / 180);
    const Contact<double> at{15 * c, 15 * s, 0, 0, 1, 1, 0};
    const WheelState<double> w{};
    const auto F = tire_force(k, p, w, at, tire_slip(k, p, w, at, 4000.0), 4000.0);
    EXPECT_NEAR(F.Fx * s - F.Fy * c, 0, 1e-8) << deg;  // parallel
    EXPECT_LT(F.Fx * c + F.Fy * s, -0.5 * 4000) << deg;
  }
}

// [T03.8]  F at friction mu is mu F(s/mu) at friction 1, for each combined law and curve: the slip stiffness stays, the slip of
// the peak shrinks. peak_only scales the force alone.
TEST(TireMf, RoadFrictionShrinksTheCurve) {
  for (const TireBackend backend : {TireBackend::mf96, TireBackend::linear})
    for (const Combined combined : {Combined::similarity, Combined::ellipse, Combined::none})
      for (const double mu : {1.0, 0.8, 0.3, 0.1}) {
        TireSpec t = mf_spec(combined), old = t;
        t.backend = old.backend = backend;
        old.mu_scaling = MuScaling::peak_only;
        const bool by_tan = combined == Combined::similarity;  // lateral slip is tan(alpha) there
        for (const double s : {1e-5, 0.003, 0.02, 0.09}) {
          const double alp = by_tan ? std::atan(s / mu) : s / mu;
          const Force x = force(t, s, 0, 4000, mu), X = force(t, s / mu, 0, 4000);
          const Force y = force(t, 0, by_tan ? std::atan(s) : s, 4000, mu), Y = force(t, 0, alp, 4000);
          EXPECT_NEAR(x.Fx, mu * X.Fx, 1e-9) << mu << ' ' << s;
          EXPECT_NEAR(y.Fy, mu * Y.Fy, 1e-9) << mu << ' ' << s;
          EXPECT_NEAR(force(old, s, s, 4000, mu).Fx, mu * force(old, s, s, 4000).Fx, 1e-9);
          EXPECT_NEAR(force(old, s, s, 4000, mu).Fy, mu * force(old, s, s, 4000).Fy, 1e-9);
        }
        const double s = 1e-5;  // the curve bends with (s/mu)^2
        EXPECT_NEAR(force(t, s, 0, 4000, mu).Fx / force(t, s, 0, 4000).Fx, 1, 1e-5);
        EXPECT_NEAR(force(t, 0, s, 4000, mu).Fy / force(t, 0, s, 4000).Fy, 1, 1e-5);
        EXPECT_EQ(force(t, 0.1, 0.1, 4000).Fx, force(old, 0.1, 0.1, 4000).Fx);  // at 1: the same bits
        EXPECT_EQ(force(t, 0.1, 0.1, 4000).Fy, force(old, 0.1, 0.1, 4000).Fy);
      }
}

// The trail shrinks with the slip.
TEST(TireMf, RoadFrictionShrinksTheTrail) {
  const TireSpec t = mf_spec(Combined::ellipse);
  const auto moment = [&](double alp, double mu) {
    const TireKind k = tire_kind(t);
    const TireParams<double> p = compile_tire(t, 0.32);
    const Contact<double> c{20, 20 * std::tan(alp), 20, 0, mu, mu, 0};
    const WheelState<double> w{};
    const TireSlip<double> slip = tire_slip(k, p, w, c, 4000.0);
    WheelAffine<double> rate;
    return tire_rates(k, p, w, c, slip, tire_force(k, p, w, c, slip, 4000.0), 4000.0, rate).Mz;
  };
  for (const double mu : {0.8, 0.3}) EXPECT_NEAR(moment(0.05 * mu, mu), mu * moment(0.05, 1), 1e-9);
}

TEST(TireMf, EffectiveRadius) {
  TireSpec t;
  EXPECT_EQ(effective_radius(tire_kind(t), compile_tire(t, 0.32), 5000.0), 0.32);
  t.reff_breff = 8, t.reff_dreff = 0.24, t.reff_freff = 0.01;
  for (double Fz : {0.0, 1000.0, 4000.0, 9000.0}) {
    const double q = Fz / 4000, expected = 0.32 - 4000.0 / 220000 * (0.24 * std::atan(8 * q) + 0.01 * q);
    EXPECT_NEAR(effective_radius(tire_kind(t), compile_tire(t, 0.32), Fz), expected, 1e-15);
  }
}

TEST(TireMf, TrailAndAligningMoment) {
  TireSpec t = mf_spec(Combined::similarity);
  const TireParams<double> p = compile_tire(t, 0.32);
  EXPECT_EQ(pneumatic_trail(p.mf, 0.0), 0.05);
  EXPECT_NEAR(pneumatic_trail(p.mf, 0.20), 0.05 / std::sqrt(2), 1e-16);
  EXPECT_EQ(pneumatic_trail(p.mf, -0.1), pneumatic_trail(p.mf, 0.1));
  const TireKind k = tire_kind(t);
  for (double V : {20.0, -20.0, 0.1}) {
    const double alp = 0.05;
    const Contact<double> c{V, std::fabs(V) * std::tan(alp), V, 0, 1, 1, 0};
    const WheelState<double> w{};
    const auto slip = tire_slip(k, p, w, c, 4000.0);
    const auto F = tire_force(k, p, w, c, slip, 4000.0);
    WheelAffine<double> rate{};
    const double Mz = tire_rates(k, p, w, c, slip, F, 4000.0, rate).Mz;
    const double a = std::atan2(std::fabs(V) * std::tan(alp), std::max(std::fabs(V), 0.15));
    EXPECT_NEAR(Mz, -0.05 / std::sqrt(1 + a * a / 0.04) * F.Fy * V / std::hypot(V, 0.15), 1e-10) << V;
  }
}

TEST(TireMf, CamberThrust) {
  TireSpec t = mf_spec(Combined::none);
  t.camber_stiffness = 0.6;
  const TireKind k = tire_kind(t);
  const TireParams<double> p = compile_tire(t, 0.32);
  const Contact<double> c{20, 0, 20, 0, 0.8, 0.8, 0.05};  // top to the right
  const WheelState<double> w{};
  EXPECT_NEAR(tire_force(k, p, w, c, tire_slip(k, p, w, c, 4000.0), 4000.0).Fy, -0.6 * 0.05 * 4000 * 0.8, 1e-9);
}

TEST(TireMf, LinearBackend) {
  TireSpec t = mf_spec(Combined::none);
  t.backend = TireBackend::linear;
  EXPECT_NEAR(force(t, 0, 0.01, 4000).Fy, -80000 * 0.01, 1e-9);
  EXPECT_NEAR(force(t, 0, 0.2, 4000).Fy, -4000, 1e-9);  // saturated at the peak
  EXPECT_NEAR(force(t, 0.01, 0, 4000).Fx, 10 * 1.65 * 4000 * 0.01, 1e-9);
  EXPECT_NEAR(force(t, 0.9, 0, 4000).Fx, 4000, 1e-9);
  EXPECT_NEAR(force(t, 0, 0.01, 2000).Fy, -400, 1e-9);  // with the load
  t.combined = Combined::similarity;
  EXPECT_NEAR(force(t, 0, std::atan(0.01), 4000).Fy, -800, 1e-8);
}

// ---- the functions of the breakaway law (docs/theory/19) ------------------------------------------------

TEST(TireBreakaway, AdvanceIsTheSemiImplicitUpdateWithItsClamp) {
  for (double z : {-0.004, 0.0, 0.002})
    for (double v : {-2.0, -0.01, 0.0, 0.3, 50.0})
      for (double g : {1.0, 900.0, 4000.0}) {
        const double limit = g / 3e5, raw = (z + 1e-3 * v) / (1 + 1e-3 * 3e5 * std::fabs(v) / g);
        EXPECT_NEAR(lugre_advance_z(z, v, g, 3e5, 1e-3), std::fmin(std::fmax(raw, -limit), limit), 1e-18);
      }
}

TEST(TireBreakaway, ForceLaw) {
  TireSpec t;
  t.lugre.law = LugreLaw::breakaway;
  const TireParams<double> p = compile_tire(t, 0.32);
  EXPECT_NEAR(p.sigma1_x, 2 * std::sqrt(3e5 * 40), 1e-9);  // sigma1 0: critical from m_eff
  t.lugre.sigma1 = 500;
  EXPECT_EQ(compile_tire(t, 0.32).sigma1_x, 500);
  const Breakaway<double> g{1500, 2500};
  const double zx = 0.002, zy = -0.003, vx = 0.4, vy = -0.2, s1 = p.sigma1_x;
  const auto F = lugre_wheel_forces(p, zx, zy, vx, vy, g);
  EXPECT_NEAR(F.Fx, 3e5 * zx + s1 * (vx - 3e5 * 0.4 * zx / 1500) + 120 * vx, 1e-9);
  EXPECT_NEAR(F.Fy, 3e5 * zy + s1 * (vy - 3e5 * 0.2 * zy / 2500) + 120 * vy, 1e-9);
}

TEST(TireBreakaway, Ellipse) {
  const Peak<double> peak{4000, 3000};
  auto F = friction_ellipse(WheelForces<double>{2000.0, 1000.0}, peak);
  EXPECT_EQ(F.Fx, 2000);
  EXPECT_EQ(F.Fy, 1000);
  F = friction_ellipse(WheelForces<double>{8000.0, -9000.0}, peak);
  EXPECT_NEAR(std::hypot(F.Fx / 4000, F.Fy / 3000), 1, 1e-14);
  EXPECT_NEAR(F.Fy / F.Fx, -9.0 / 8, 1e-14);
}

// The whole law through the tire chain: steady sliding gives g + sigma2 v within the ellipse, in both directions of travel.
TEST(TireBreakaway, SteadyForceThroughTheChain) {
  TireSpec t;
  t.lugre.law = LugreLaw::breakaway;
  const TireKind k = tire_kind(t);
  const TireParams<double> p = compile_tire(t, 0.32);
  for (double V : {15.0, -15.0})
    for (double kap : {0.02, -0.05}) {
      const Contact<double> c{V, 0, V + kap * std::fabs(V), 0, 1, 1, 0};
      WheelState<double> w{};
      for (int i = 0; i < 5000; ++i) {
        const auto slip = tire_slip(k, p, w, c, 4000.0);
        tire_advance(k, p, TireOut<double>{c, slip, tire_force(k, p, w, c, slip, 4000.0), {}}, 1e-3, w);
      }
      const double g = 4000 * curve({10, 1.65, 0.97}, std::fabs(kap)),
                   expected = std::copysign(std::min(4000.0, g + 120 * std::fabs(kap * V)), kap);
      EXPECT_NEAR(tire_force(k, p, w, c, tire_slip(k, p, w, c, 4000.0), 4000.0).Fx, expected, 1e-6 * 4000)
          << V << " " << kap;
    }
}
