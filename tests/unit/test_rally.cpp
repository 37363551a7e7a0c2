// SPDX-License-Identifier: Apache-2.0
// The rally tire law by law, and under the rolling law, against closed forms in libm. The numbers in the comments are the
// rows of the table of behaviours in docs/theory/23_rally_tire.md.
#include <gtest/gtest.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "tests/laws/rolling_rig.hpp"
#include "vdsim/core/tire/compile.hpp"
#include "vdsim/core/tire/tire.hpp"
#include "vdsim/engine/reflect.hpp"

#ifndef VDSIM_SOURCE_DIR
#define VDSIM_SOURCE_DIR "."
#endif

namespace {

using namespace vdsim;
using laws::Rng;
using laws::TireRig;

double mf(double B, double C, double E, double s) {
  return std::sin(C * std::atan(B * s - E * (B * s - std::atan(B * s))));
}
double peak_of(double C, double E) {  // (1 - E) x + E atan x = tan(pi/(2C)) by Newton
  double x = 1;
  for (int i = 0; i < 60; ++i)
    x -= ((1 - E) * x + E * std::atan(x) - std::tan(M_PI / (2 * C))) / ((1 - E) + E / (1 + x * x));
  return x;
}

SurfaceSpec plain_ground() { return {1, 0.8, 0.6, 0, 0.012, 1, 1, 1, 0, 0}; }
// Friction 1 whatever the load and temperature, no resistance, on plain ground.
RallySpec neutral(RallyMode mode = RallyMode::Auto) {
  RallySpec s;
  s.mode = mode;
  s.surface = plain_ground();
  s.friction.peak_friction_coefficient = 1;
  s.friction.load_sensitivity = s.friction.contact_area_grip_exponent = 0;
  s.thermal.optimal_temperature = 30;
  s.thermal.temperature_window = 100;
  s.wear.worn_grip_fraction = 1;
  s.moments.rolling_resistance_coefficient = s.moments.carcass_shear_coefficient = 0;
  return s;
}
RallySpec on(const RallySpec& s, const SurfaceSpec& ground) {
  RallySpec t = s;
  t.surface = ground;
  return t;
}

// The six surfaces as they ship.
SurfaceSpec shipped_surface(const std::string& name) {
  const YAML::Node body =
      YAML::LoadFile(std::string(VDSIM_SOURCE_DIR) + "/configs/parts/surface/" + name + ".yaml")["body"];
  SurfaceSpec s;
  std::size_t read = 0;
  for (const FieldRef& f : fields_of(s)) {
    if (!body[f.name]) continue;
    f.number() = body[f.name].as<double>();
    EXPECT_TRUE(!f.given() || f.range.holds(f.number())) << name << " " << f.name;
    ++read;
  }
  EXPECT_EQ(read, body.size()) << name;
  EXPECT_EQ(read, 10u) << name;
  return s;
}
SurfaceSpec gravel() { return {0.72, 0.50, 0.90, 0, 0.040, 0.52, 1.35, 2.30, 0.42, 0.10}; }
SurfaceSpec snow() { return {0.30, 0.20, 0.30, 0, 0.065, 0.30, 1.60, 3.10, 0.48, 0.08}; }

// The laws alone.
struct Law {
  RallyKind k;
  RallyParams<double> p;
  RallyState<double> state;
  explicit Law(const RallySpec& s) : k(rally_kind(s)), p(compile_rally(s)), state(rally_state(s)) {}
  RallyEnv<double> env(double V = 20) const { return rally_env(k, p, p.on_own, state, V); }
  RallyCurves<double> curves(double Fz = 3000, double gamma = 0, double mu = 1, double V = 20) const {
    return rally_curves(k, p, env(V), Fz, gamma, mu, mu);
  }
  double mu(double Fz, double V = 20) const { return curves(Fz, 0, 1, V).Dx / Fz; }
  double patch(double Fz) const { return 2 * rally_half_patch(p, env(), Fz); }
  double radius(double Fz) const { return rally_radius(p, env(), Fz); }
  RallyMoments<double> moments(const RallyMotion<double>& m) const {
    return rally_moments(k, p, env(m.Vx), curves(m.Fz, m.gamma, 1, m.Vx), m);
  }
  // tire in straight rolling with these forces
  RallyMoments<double> moments(double Fx, double Fy, double gamma = 0, double Vr = 20, double Fz = 3000) const {
    return moments({Vr, Vr, 1, 0, 0, 0, 0, gamma, Fz, Fx, Fy});
  }
};

TireSpec tire_of(const RallySpec& s) {
  TireSpec t;
  t.schema = TireSchema::rally_v1;
  t.rally = s;
  return t;
}
TireRig<double> rig_of(const RallySpec& s) {
  TireRig<double> rig(tire_of(s), s.radius);
  const RallyState<double> y = rally_state(s);
  rig.w.T_tread = y.T_tread;
  rig.w.T_core = y.T_core;
  rig.w.tread = y.tread;
  rig.w.roll = 1;  // has rolled forward: the patch is renewed
  return rig;
}

// Steady forces and moments under the rolling law: the bristle rests where its force is the steady one.
struct Steady {
  double Fx, Fy, Mx, My, Mz, Dx, Dy, LamX, LamY;
  double ellipse() const { return std::hypot(Fx / Dx, Fy / Dy); }
};
Steady steady(const RallySpec& s, double Vx, double Vy, double Vr, double Fz = 3000, double gamma = 0, double mu = 1) {
  TireRig<double> rig = rig_of(s);
  if (Vr < 0) rig.w.roll = -1;
  const Contact<double> c{Vx, Vy, Vr, 0, mu, mu, gamma, 1.0};
  const TireSlip<double> slip = tire_slip(rig.kind, rig.p, rig.w, c, Fz);
  const auto& r = slip.rolling;
  rig.w.zx = (r.s.dx * r.s.fx * r.Dx + r.dFx) / rig.p.sigma0_x;
  rig.w.zy = (r.s.dy * r.s.fy * r.Dy + r.dFy) / rig.p.sigma0_y;
  const TireForce<double> f = tire_force(rig.kind, rig.p, rig.w, c, slip, Fz);
  WheelAffine<double> rate{};
  const TireMoments<double> m = tire_rates(rig.kind, rig.p, rig.w, c, slip, f, Fz, rate);
  return {f.Fx, f.Fy, m.Mx, m.roll, m.Mz, f.Dx, f.Dy, f.LamX, f.LamY};
}

template <class T> std::uint64_t bits(T x) {
  std::uint64_t u = 0;
  std::memcpy(&u, &x, sizeof x);
  return u;
}

}  // namespace

// ------------------------------------------------------------------------------------------ pure slip, parameters

TEST(RallyCurve, PureForcesAreTheMagicFormula) {  // 1, 2
  const RallySpec s = neutral(RallyMode::PacejkaOnly);
  EXPECT_NEAR(steady(s, 20, 0, 22.4).Fx, 3000 * mf(12, 1.65, -0.5, 0.12), 1e-6);
  EXPECT_NEAR(steady(s, 20, 0, 22.4).Fx, 2973.0, 0.05);
  EXPECT_NEAR(steady(s, 20, 1.2, 20).Fy, -3000 * mf(10, 1.30, -0.6, 0.06), 1e-6);
  // by tan(slip angle); by the angle it would be 2012.7 N, 0.1 % less
  EXPECT_NEAR(steady(s, 20, 1.2, 20).Fy, -2012.7, 0.0015 * 2012.7);
}

TEST(RallyCurve, StiffnessFactorsFollowLoadAndCamber) {  // 3
  RallySpec s = neutral();
  s.magic_formula.lateral_load_stiffness_sensitivity = 0.12;
  s.magic_formula.lateral_load_degression = 0;
  const Law l(s);
  const double light = l.curves(0.7 * 3000).lat.B, heavy = l.curves(1.3 * 3000).lat.B;
  EXPECT_NEAR(light, 9.58, 0.005);  // 10 q^0.12
  EXPECT_NEAR(heavy, 10.32, 0.005);
  const auto leaned = l.curves(1.3 * 3000, 0.15).lat;
  EXPECT_NEAR(leaned.B / heavy, 1 + 0.35 * 0.15, 1e-12);
  EXPECT_NEAR(leaned.E, -0.6 - 0.15 * 0.15, 1e-12);
  EXPECT_EQ(bits(l.curves(3900, -0.15).lat.B), bits(leaned.B));
}

TEST(RallyCurve, CorneringStiffnessIsDegressive) {
  const Law l{RallySpec{}};
  const auto K = [&](double Fz) {
    const auto c = l.curves(Fz);
    return c.lat.B * c.lat.C * c.Dy;
  };
  for (double Fz = 100; Fz < 15000; Fz += 300) EXPECT_LT(K(Fz + 300) / (Fz + 300), K(Fz) / Fz) << Fz;
  // K = K0 q^(1 + 0.06 - 0.15 + 0.05) (1 + d)/(1 + d q^2), q levelled at 2 %
  for (double q : {0.25, 0.5, 2.0, 3.0})
    EXPECT_NEAR(K(3000 * q) / K(3000), std::pow(q, 0.96) * 1.08 / (1 + 0.08 * q * q), 2e-4 * q) << q;
  EXPECT_LT(K(6000) / K(3000), 1.6);
}

TEST(RallyCurve, SlipStiffnessBelongsToTireAndGroundNotToFriction) {
  const RallySpec s;
  const double K = Law(s).curves().lat.B * Law(s).curves().Dy;
  for (double mu : {1.0, 0.5, 0.2}) {
    const auto c = Law(s).curves(3000, 0, mu);
    EXPECT_NEAR(c.lat.B * c.Dy / K, 1, 1e-12);
    EXPECT_NEAR(c.Dy, mu * Law(s).curves().Dy, 1e-9);
  }
  SurfaceSpec ground = plain_ground();
  ground.slip_stiffness_scale = 0.5;
  const auto c = Law(on(s, ground)).curves(), d = Law(on(s, plain_ground())).curves();
  EXPECT_NEAR(c.lon.B / d.lon.B, 0.5, 1e-12);
  EXPECT_NEAR(c.lat.B / d.lat.B, 0.5, 1e-12);
}

TEST(RallyCurve, LooseGroundIsSofterAndPeaksLater) {  // 4
  const RallySpec s;
  const auto t = Law(s).curves(), g = Law(on(s, gravel())).curves();
  EXPECT_LT(g.lon.B, t.lon.B);
  EXPECT_LT(g.lat.B, t.lat.B);
  EXPECT_GT(g.lon.s_p, 1.5 * t.lon.s_p);
  EXPECT_GT(g.lat.s_p, t.lat.s_p);
  // peak_slip_ratio_scale moves the peak and leaves the stiffness
  SurfaceSpec ground = plain_ground();
  ground.peak_slip_ratio_scale = 2.3;
  const auto c = Law(on(s, ground)).curves(), d = Law(on(s, plain_ground())).curves();
  EXPECT_NEAR(c.lon.s_p / d.lon.s_p, 2.3, 1e-9);
  EXPECT_NEAR(c.lon.B, d.lon.B, 1e-9);
  EXPECT_NEAR(mf(c.lon.B, c.lon.C, c.lon.E, c.lon.s_p), 1, 1e-12);
  EXPECT_LT(mf(c.lon.B, c.lon.C, c.lon.E, 0.95 * c.lon.s_p), 1 - 1e-5);
  EXPECT_LT(mf(c.lon.B, c.lon.C, c.lon.E, 1.05 * c.lon.s_p), 1 - 1e-5);
  // no surface pushes a peak beyond half slip, ice has it earlier than tarmac across
  for (const char* name : {"tarmac", "wet_tarmac", "gravel", "mud", "snow", "ice"}) {
    const auto q = Law(on(s, shipped_surface(name))).curves();
    EXPECT_LE(q.lon.s_p, 0.5) << name;
    EXPECT_LE(q.lat.s_p, 0.5) << name;
  }
  EXPECT_LT(Law(on(s, shipped_surface("ice"))).curves().lat.s_p, t.lat.s_p);
}

TEST(RallyCurve, PeakIsWhereTheSlipSays) {
  for (RallyMode mode : {RallyMode::Auto, RallyMode::BrushOnly, RallyMode::PacejkaOnly}) {
    RallySpec s = neutral(mode);
    const Law l(s);
    for (double Fz : {500.0, 3000.0, 8000.0}) {
      const auto c = l.curves(Fz);
      for (bool lateral : {false, true}) {
        const Curve<double>& q = lateral ? c.lat : c.lon;
        EXPECT_NEAR(q.s_p * q.inv_s_p, 1, 1e-14);
        EXPECT_NEAR(rally_curve(l.k, l.p, q, q.s_p, lateral), 1, 1e-12);
        for (double x : {0.2, 0.6, 0.97, 1.03, 2.0, 10.0})
          EXPECT_LE(rally_curve(l.k, l.p, q, x * q.s_p, lateral), 1.0) << x;
        EXPECT_NEAR(rally_curve(l.k, l.p, q, 1e-7, lateral) / 1e-7, q.B * q.C, 1e-4 * q.B * q.C);
      }
      const double x_p = mode == RallyMode::BrushOnly ? 3 / 1.30 : peak_of(1.30, -0.6);
      EXPECT_NEAR(c.lat.s_p, x_p / c.lat.B, 1e-12);
    }
  }
}

// Beyond the second angle the force is the share that is asked for, whether the curve would hold more or less; up to the
// first angle, and to the peak, the curve is what it is.
TEST(RallyCurve, RetentionIsWhatTheFarEndHolds) {
  RallySpec s = neutral();
  const Law plain(s);
  const Curve<double> q = plain.curves().lat;
  RallySpec never = s;
  never.magic_formula.high_slip_force_retention = 0;
  const Law curve(never);
  const auto deg = [](double a) { return std::tan(a * 3.141592653589793 / 180); };
  for (double a : {2.0, 8.0, 14.0})
    EXPECT_EQ(rally_curve(plain.k, plain.p, q, deg(a), true), rally_curve(curve.k, curve.p, q, deg(a), true)) << a;
  EXPECT_GT(rally_curve(curve.k, curve.p, q, deg(40.2), true), 0.9);  // C = 1.3 falls slowly
  for (double a : {40.2, 60.0, 89.0}) EXPECT_NEAR(rally_curve(plain.k, plain.p, q, deg(a), true), 0.65, 1e-12) << a;
  double before = 1;
  for (double a = 12; a < 60; a += 0.1) {
    const double f = rally_curve(plain.k, plain.p, q, deg(a), true);
    EXPECT_LE(f, before + 1e-12) << a;
    before = f;
  }
  s.magic_formula.lateral_c = 1.7;  // falls to 0.454 far out
  s.magic_formula.lateral_e = -0.2;
  RallySpec off = s;
  off.magic_formula.high_slip_force_retention = 0;
  for (double B : {10.0, 5.0}) {  // a soft tire peaks later, so does its retention
    s.magic_formula.lateral_b = off.magic_formula.lateral_b = B;
    for (double stiff : {1.0, 0.5}) {
      s.magic_formula.sidewall_stiffness = off.magic_formula.sidewall_stiffness = stiff;
      const Law l(s), o(off);
      const auto c = l.curves().lat;
      double before = 0;
      for (double x = 0; x < 60; x += 0.01) {
        const double f = rally_curve(l.k, l.p, c, x * c.s_p, true), raw = rally_curve(o.k, o.p, c, x * c.s_p, true);
        if (x <= 1) {
          EXPECT_EQ(f, raw) << x;
        }
        EXPECT_LE(f, 1.0);
        EXPECT_LT(std::fabs(f - before), 0.01 * c.B * c.C * c.s_p + 1e-12);
        before = f;
      }
      EXPECT_NEAR(rally_curve(l.k, l.p, c, 1e3, true), 0.65, 1e-9);
      EXPECT_LT(rally_curve(o.k, o.p, c, 1e3, true), 0.5);
    }
  }
}

// ------------------------------------------------------------------------------------------ patch, radius, wheel

TEST(RallyWheel, PatchLengthIsLoadOverPressureAndWidth) {  // 5, 10
  RallySpec s = neutral();
  EXPECT_NEAR(Law(s).patch(3000), 3000 / (220e3 * 0.205), 1e-12);
  EXPECT_NEAR(Law(s).patch(3000), 0.0665, 5e-5);
  EXPECT_NEAR(Law(s).patch(1500), 0.0333, 5e-5);
  s.wheel.tire_pressure = 280e3;
  EXPECT_NEAR(Law(s).patch(3000), 0.0523, 5e-5);
  s.patch.contact_patch_length_scale = 1.2;
  EXPECT_NEAR(Law(s).patch(3000), 1.2 * 3000 / (280e3 * 0.205), 1e-12);
  EXPECT_STREQ(rally_aliases[0].old_key, "patch.contact_patch_length");
  EXPECT_STREQ(rally_aliases[0].key, "patch.contact_patch_length_scale");
  EXPECT_EQ(Law(s).patch(0), 0);
  EXPECT_NEAR(Law(s).patch(1e9), s.radius, 1e-12);  // never longer than the radius
}

TEST(RallyWheel, RollingRadiusIsAThirdOfTheDeflectionShorter) {  // 6
  const Law l(neutral());
  EXPECT_EQ(l.radius(0), 0.305);
  EXPECT_EQ(l.radius(-5), 0.305);
  EXPECT_NEAR(l.radius(3000), 0.305 - 3000 / 2e5 / 3, 1e-12);
  EXPECT_NEAR(rally_loaded_radius(l.p, l.env(), 3000.0), 0.305 - 0.015, 1e-12);
  EXPECT_GT(l.radius(3000), 0.9 * 0.305);
  EXPECT_GT(l.radius(1e9), 0.85 * 0.305);
}

TEST(RallyWheel, InertiaIsEstimatedOrTaken) {  // 7
  RallySpec s;
  EXPECT_NEAR(rally_nominal(s).inertia, 1.2 * (0.05 * 3000 / 9.81) * 0.5 * (0.305 * 0.305 * (1 + 0.55 * 0.55)), 1e-12);
  const double plain = rally_nominal(s).inertia;
  s.wheel.hub_radius = 0.24;
  s.wheel.hub_width = 0.28;
  EXPECT_GT(rally_nominal(s).inertia, plain);
  EXPECT_NEAR(rally_nominal(s).inertia, 1.887, 5e-4);
  s.wheel.wheel_inertia = 0.15;  // a kart wheel
  EXPECT_EQ(rally_nominal(s).inertia, 0.15);
}

TEST(RallyWheel, TreadStiffensWithPressureAndWidth) {  // 8
  RallySpec s = neutral(RallyMode::BrushOnly);
  EXPECT_NEAR(Law(s).env().tread, 40000, 1e-8);
  RallySpec p = s, w = s;
  p.wheel.tire_pressure = 260e3;
  w.wheel.width = 0.235;
  EXPECT_NEAR(Law(p).env().tread, 47273, 0.5);
  EXPECT_NEAR(Law(w).env().tread, 45854, 0.5);
  // and BrushOnly takes its slip stiffness from it
  EXPECT_NEAR(Law(p).curves().lat.B / Law(s).curves().lat.B, 260.0 / 220, 1e-12);
  EXPECT_NEAR(Law(w).curves().lon.B / Law(s).curves().lon.B, 235.0 / 205, 1e-12);
}

TEST(RallyWheel, BadValuesAreRefused) {  // 17
  RallyFrictionSpec friction;
  for (const FieldRef& f : fields_of(friction)) {
    if (std::string(f.name) == "reference_load") {
      EXPECT_FALSE(f.range.holds(0));
    }
  }
  const auto faults = [](const RallySpec& s) {
    std::vector<std::string> at;
    check_rally(s, [&](const char* path, const char*) { at.push_back(path); });
    return at;
  };
  RallySpec s;
  EXPECT_TRUE(faults(s).empty());
  s.magic_formula.longitudinal_b = 2;
  s.magic_formula.lateral_b = 3;
  s.magic_formula.high_slip_transition_end = 0.2;
  s.friction.beamng_load_sensitivity_slope = 1e-4;
  s.wheel.hub_radius = 0.4;
  EXPECT_EQ(faults(s).size(), 5u);
  // the exponential load law: all three numbers, or none
  for (int given = 0; given < 8; ++given) {
    RallySpec load;
    if (given & 1) load.friction.beamng_no_load_friction_coefficient = 1.6;
    if (given & 2) load.friction.beamng_full_load_friction_coefficient = 0.5;
    if (given & 4) load.friction.beamng_load_sensitivity_slope = 1e-4;
    EXPECT_EQ(faults(load).empty(), given == 0 || given == 7) << given;
  }
  // every default lies in its range
  const auto walk = [](const auto& self, const std::vector<FieldRef>& block) -> void {
    for (const FieldRef& f : block) {
      if (f.kind == FieldRef::Kind::block) {
        self(self, f.block());
      } else if (f.kind == FieldRef::Kind::number) {
        EXPECT_TRUE(!f.given() || f.range.holds(f.number())) << f.name;
      }
    }
  };
  RallySpec plain;
  walk(walk, fields_of(plain));
}

// ------------------------------------------------------------------------------------------ relaxation

TEST(RallyRelaxation, LooseGroundLengthensIt) {  // 11, 13
  RallySpec s = neutral();
  const RallyNominal ref = rally_nominal(s), g = rally_nominal(on(s, gravel())), w = rally_nominal(on(s, snow()));
  EXPECT_NEAR(ref.sigma_y, 0.300, 1e-12);
  EXPECT_NEAR(ref.sigma_x, 0.280, 1e-12);
  EXPECT_NEAR(g.sigma_y, 0.566, 5e-4);
  EXPECT_NEAR(g.sigma_x, 0.583, 5e-4);
  EXPECT_NEAR(w.sigma_y, 0.780, 5e-4);
  EXPECT_NEAR(ref.Cx, 12 * 1.65 * 3000, 1e-6);
  EXPECT_NEAR(ref.Cy, 10 * 1.30 * 3000, 1e-6);
  EXPECT_NEAR(ref.sigma0_x * ref.sigma_x, ref.Cx, 1e-6);
  for (double scale : {0.2, 1.0, 1.5}) {
    RallySpec t = s;
    t.patch.relaxation_length = scale * 0.30;
    EXPECT_NEAR(rally_nominal(t).sigma_y, scale * 0.30, 1e-12);
    // a delay: the steady force does not know it
    EXPECT_NEAR(steady(t, 20, 1.2, 20.5).Fy, steady(s, 20, 1.2, 20.5).Fy, 1e-9);
    t.patch.carcass_stiffness = 2;
    EXPECT_NEAR(rally_nominal(t).sigma_y, scale * 0.15, 1e-12);
  }
  EXPECT_EQ(rally_nominal(neutral(RallyMode::PacejkaOnly)).sigma_y, 0.15);
}

TEST(RallyRelaxation, ShortensWithSlipAsTheSecant) {  // 12
  RallySpec s = neutral();
  s.friction.combined_slip_coupling = 0;
  const auto length = [&](double slip, bool lateral) {
    const Steady f = lateral ? steady(s, 20, -20 * slip, 20) : steady(s, 20, 0, 20 * (1 + slip));
    return 20 / (lateral ? f.LamY : f.LamX);
  };
  for (bool lateral : {false, true}) {
    const double near = length(0.03, lateral), far = length(0.35, lateral), base = lateral ? 0.30 : 0.28;
    EXPECT_LT(far, 0.5 * near);
    EXPECT_NEAR(near / base,
                lateral ? mf(10, 1.30, -0.6, 0.03) / (13 * 0.03) : mf(12, 1.65, -0.5, 0.03) / (19.8 * 0.03), 1e-9);
    EXPECT_LT(near, base);
    EXPECT_GT(far, 0);
  }
}

TEST(RallyRelaxation, StepOfSlipFollowsDistanceAndPressure) {  // 25
  RallySpec s = neutral();
  const auto after = [&](double pressure, double time) {
    RallySpec t = s;
    t.wheel.tire_pressure = pressure;
    TireRig<double> rig = rig_of(t);
    return std::fabs(rig.run({20, 1.4, 20, 0, 3000, 1, 0}, time, 0.01).Fy);
  };
  EXPECT_GT(after(280e3, 0.01), 1.1 * after(180e3, 0.01));  // stiffer: more force after one step
  EXPECT_GT(after(280e3, 1), after(180e3, 1));              // and when it has settled
  // small slip: 1 - exp(-x/sigma); the rolling law damps a little at 20 m/s
  TireRig<double> rig = rig_of(s);
  const double F = 39000 * 1e-3;
  const auto half = rig.run({20, 0.02, 20, 0, 3000, 1, 0}, 0.015, 0.0005);
  EXPECT_NEAR(-half.Fy / F, 1 - std::exp(-1.0), 0.01);
}

TEST(RallyRelaxation, SixtyHertzAgreesWithOneKilohertz) {
  // slip angle and slip ratio swing to the peak and back at 1 Hz, with the load; forces over the peak force
  for (RallyMode mode : {RallyMode::Auto, RallyMode::BrushOnly, RallyMode::PacejkaOnly}) {
    RallySpec s = neutral(mode);
    const auto drum = [](double t) {
      const double a = 0.15 * std::sin(2 * M_PI * t), k = 0.06 * std::sin(2 * M_PI * 0.7 * t + 0.4);
      return laws::Drum<double>{20, 20 * a, 20 * (1 + k), 0, 3000 + 600 * std::sin(5 * t), 1, 0};
    };
    TireRig<double> slow = rig_of(s), fast = rig_of(s);
    const int sub = 20;  // 1200 Hz
    double worst = 0;
    for (int i = 0; i < 180; ++i) {
      slow.step(drum, i / 60.0, 1 / 60.0);
      for (int j = 0; j < sub; ++j) fast.step(drum, i / 60.0 + j / (60.0 * sub), 1 / (60.0 * sub));
      const auto a = slow.eval(drum((i + 1) / 60.0)), b = fast.eval(drum((i + 1) / 60.0));
      worst = std::max(worst, std::hypot(a.Fx - b.Fx, a.Fy - b.Fy) / b.force.Dx);
    }
    laws::measured("rally 60 Hz against 1200 Hz, mode " + std::to_string(int(mode)), worst, 0.01);
    EXPECT_LT(worst, 0.01) << int(mode);
  }
}

TEST(RallyRelaxation, BristleWindsUpUnderBrakingAndIsGoneInTheAir) {  // 40, 41
  RallySpec s = neutral();
  TireRig<double> rig = rig_of(s);
  rig.free = true;
  rig.I = 1.2;
  rig.torque = -3000;
  rig.w.w = 20 / 0.305;
  double before = 0;
  for (int i = 0; i < 5; ++i) {
    rig.step([](double) { return laws::Drum<double>{20, 0, 0, 0, 3000, 1, 0}; }, 0, 1e-3);
    EXPECT_LT(rig.w.zx, before);
    before = rig.w.zx;
  }
  EXPECT_EQ(rig.eval({20, 0, 0, 0, 0, 1, 0}).force.zx, 0);
  EXPECT_EQ(rig.eval({20, 0, 0, 0, 0, 1, 0}).Fx, 0);
}

// ------------------------------------------------------------------------------------------ friction

TEST(RallyFriction, FallsWithLoadByThePowerLaw) {  // 14
  RallySpec s = neutral();
  s.friction.load_sensitivity = 0.15;
  const Law l(s);
  EXPECT_NEAR(l.mu(3000), 1, 1e-12);
  EXPECT_NEAR(l.mu(3300), 0.9858, 5e-5);
  EXPECT_NEAR(l.mu(6000), 0.9013, 5e-5);
  EXPECT_LT(l.mu(6000) / l.mu(3300), l.mu(3300) / l.mu(3000));
  EXPECT_LT(l.mu(1e-6), 1.9);  // level below 2 % of the reference load: no infinite friction of a wheel that lifts
}

TEST(RallyFriction, OrByTheExponential) {  // 15
  RallySpec s = neutral();
  s.friction.load_sensitivity = 0.4;
  s.friction.beamng_no_load_friction_coefficient = 1.6;
  s.friction.beamng_full_load_friction_coefficient = 0.5;
  s.friction.beamng_load_sensitivity_slope = 1.65e-4;
  s.friction.peak_friction_coefficient = 0.5 + 1.1 * std::exp(-1.65e-4 * 3000);
  const Law l(s);
  for (double F : {300.0, 3000.0, 6000.0}) EXPECT_NEAR(l.mu(F), 0.5 + 1.1 * std::exp(-1.65e-4 * F), 1e-12) << F;
  EXPECT_NEAR(l.mu(3000), 1.1705, 5e-5);
  EXPECT_NEAR(l.mu(6000), 0.9087, 5e-5);
}

TEST(RallyFriction, GrowsWithContactArea) {  // 16
  RallySpec s = neutral();
  s.friction.contact_area_grip_exponent = 0.05;
  RallySpec low = s, high = s, longer = s;
  low.wheel.tire_pressure = 180e3;
  high.wheel.tire_pressure = 280e3;
  longer.patch.contact_patch_length_scale = 1.5;
  EXPECT_NEAR(Law(low).mu(3000), 1.0101, 5e-5);
  EXPECT_NEAR(Law(high).mu(3000), 0.9880, 5e-5);
  EXPECT_NEAR(Law(longer).mu(3000), std::pow(1.5, 0.05), 1e-12);
}

TEST(RallyFriction, TemperatureWindowIsFlat) {
  RallySpec s = neutral();
  s.thermal.optimal_temperature = 85;
  s.thermal.temperature_window = 40;
  Law l(s);
  const auto at = [&](double T) {
    l.state.T_tread = l.state.T_core = T;
    return rally_env(l.k, l.p, l.p.on_own, l.state, 20.0).grip;
  };
  for (double T : {45.0, 60.0, 85.0, 110.0, 125.0}) EXPECT_NEAR(at(T), 1, 1e-12) << T;
  EXPECT_NEAR(at(30), 1 - 0.3 * 0.375 * 0.375 * (3 - 0.75), 1e-12);  // a cold start keeps 90 %
  for (double T : {5.0, 165.0, 300.0, -40.0, 1e6, -1e6}) EXPECT_NEAR(at(T), 0.7, 1e-12) << T;
  // weight of tread and core
  l.state = {105 + 40 / 0.7, 105, 1};  // weighted: 145, half way down
  EXPECT_NEAR(rally_env(l.k, l.p, l.p.on_own, l.state, 20.0).grip, 0.85, 1e-12);
  // a worn tire
  s.wear.worn_grip_fraction = 0.65;
  Law w(s);
  w.state = {85, 85, 0.4};
  EXPECT_NEAR(w.env().grip, 0.65 + 0.35 * 0.4, 1e-12);
}

TEST(RallyFriction, PeakForceIsTheProductOfItsFactors) {
  RallySpec s;  // wet, worn, cold, overloaded, on a slippery road
  s.surface = shipped_surface("wet_tarmac");
  s.friction.friction_ellipse_ratio = 0.9;
  s.wheel.tire_pressure = 180e3;
  Law l(s);
  l.state.tread = 0.3;
  const auto c = rally_curves(l.k, l.p, l.env(10), 6000.0, 0.0, 0.8, 0.7);
  const double film = 0.001 * 0.96 / 0.004, wet = 1 - 0.6 * film * (1 - 0.5 * 0.6),
               cold = 1 - 0.3 * 0.375 * 0.375 * 2.25;
  const double q = std::sqrt((4 + 4e-4) / (1 + 4e-4)), load = std::pow(q, -0.15) * std::pow(q * 220 / 180, 0.05);
  const double mu = 1.05 * 0.72 * wet * cold * (0.65 + 0.35 * 0.3) * load;
  EXPECT_NEAR(c.Dx, mu * 0.8 * 6000, 1e-8);
  EXPECT_NEAR(c.Dy, mu * 0.9 * 0.7 * 6000, 1e-8);
}

// ------------------------------------------------------------------------------------------ combined slip

TEST(RallyCombined, ForceStaysInTheEllipse) {  // 18, 19, 20
  RallySpec s = neutral();
  RallySpec flat = s;
  flat.friction.friction_ellipse_ratio = 0.9;
  const Steady a = steady(s, 20, 10, 23.6), b = steady(flat, 20, 10, 23.6);
  EXPECT_LT(std::fabs(b.Fy), std::fabs(a.Fy));
  EXPECT_LE(std::fabs(b.Fy), 0.9 * 3000);
  EXPECT_NEAR(b.Dy, 0.9 * b.Dx, 1e-9);
  EXPECT_LE(b.ellipse(), 1 + 1e-12);
  EXPECT_LE(steady(s, 20, 7.3, 23.6, 0.25).ellipse(), 1 + 1e-12);
  RallySpec lean = s;
  lean.moments.camber_thrust_coefficient = 0.25;
  lean.moments.rolling_resistance_coefficient = 0.08;
  Rng rnd(3);
  for (int i = 0; i < 3000; ++i) {
    lean.moments.camber_thrust_coefficient = i % 2 ? 0.25 : rnd(0, 4);
    lean.mode = RallyMode(i % 3);
    const Steady f = steady(lean, 20, rnd(-15, 15), 20 * rnd(0, 2), rnd(10, 9000), i % 5 ? rnd(-0.5, 0.5) : 0.35,
                            rnd.log(0.05, 1.2));
    EXPECT_LE(f.ellipse(), 1 + 1e-9);
  }
}

TEST(RallyCombined, WeightsOnlyKnowCrossSlip) {  // 22, 23
  RallySpec s = neutral();
  s.friction.combined_slip_coupling = 1.2;
  for (double C : {2.0, 1.6, 1.0}) {
    s.friction.combined_slip_exponent = C;
    const Law l(s);
    const auto G = [&](double kappa, double t) { return rally_weights(l.k, l.p, kappa, t); };
    for (double x : {-0.8, 0.0, 0.3, 5.0}) {
      EXPECT_NEAR(G(x, 0).x, 1, 1e-12);
      EXPECT_NEAR(G(0, x).y, 1, 1e-12);
      EXPECT_EQ(bits(G(x, 0.4).x), bits(G(-x, -0.4).x));
      EXPECT_EQ(bits(G(x, 0.4).y), bits(G(-x, -0.4).y));
    }
    EXPECT_LT(G(0, std::tan(0.35)).x, G(0, std::tan(0.15)).x);
    EXPECT_LT(G(0.18, 0).y, G(0.08, 0).y);
    for (double x : {0.1, 1.0, 10.0, 1e9})
      for (double y : {0.0, 0.2, 1e9}) {
        EXPECT_GT(G(x, y).x, 0);
        EXPECT_LE(G(x, y).x, 1);
        EXPECT_GT(G(y, x).y, 0);
        EXPECT_LE(G(y, x).y, 1);
      }
    // cos(C atan X)
    const double X = 1.2 * std::tan(0.35) / std::sqrt(1 + 0.04);
    EXPECT_NEAR(G(0.2, std::tan(0.35)).x, std::cos(C * std::atan(X)), 1e-12);
  }
}

TEST(RallyCombined, CouplingCostsForce) {  // 21, 24
  RallySpec s = neutral();
  s.friction.friction_ellipse_ratio = 4;
  RallySpec coupled = s, free = s;
  coupled.friction.combined_slip_coupling = 1.2;
  free.friction.combined_slip_coupling = 0;
  const Steady a = steady(coupled, 20, 6, 22.4), b = steady(free, 20, 6, 22.4);
  EXPECT_LT(std::fabs(a.Fx), std::fabs(b.Fx));
  EXPECT_GT(std::fabs(a.Fy), 100);
  coupled.friction.friction_ellipse_ratio = free.friction.friction_ellipse_ratio = 1;
  EXPECT_LT(std::fabs(steady(coupled, 20, 3, 23.6).Fy), std::fabs(steady(free, 20, 3, 23.6).Fy));
}

TEST(RallyCombined, LockedWheelPullsAgainstItsMotion) {
  for (RallyMode mode : {RallyMode::Auto, RallyMode::BrushOnly, RallyMode::PacejkaOnly})
    for (const SurfaceSpec& ground : {plain_ground(), gravel(), snow()}) {
      RallySpec s = neutral(mode);
      s.surface = ground;
      for (double deg = -90; deg <= 90; deg += 7.5) {
        const double V = 15, a = deg * M_PI / 180;
        const Steady f = steady(s, V * std::cos(a), V * std::sin(a), 0);
        const double off = std::remainder(std::atan2(-f.Fy, -f.Fx) - a, 2 * M_PI);
        EXPECT_LT(std::fabs(off) * 180 / M_PI, 0.01) << deg;
        EXPECT_GT(std::hypot(f.Fx, f.Fy), 0.3 * f.Dx);
      }
    }
}

TEST(RallyCombined, TireHoldsOnASlopeWithoutCreep) {
  // a locked wheel with 300 kg on a slope of 20 deg, along and across; shaken by 5 % of its weight
  for (RallyMode mode : {RallyMode::Auto, RallyMode::BrushOnly, RallyMode::PacejkaOnly})
    for (bool across : {false, true}) {
      TireRig<double> rig = rig_of(neutral(mode));
      const double m = 300, h = 1e-3, g = 9.81, slope = 20 * M_PI / 180, Fz = m * g * std::cos(slope);
      double v = 0, x = 0, x1 = 0;
      for (int i = 0; i < 12000; ++i) {
        const laws::Drum<double> d{across ? 0 : v, across ? v : 0, 0, 0, Fz, 1, 0};
        const auto o = rig.step([&](double) { return d; }, 0, h);
        v += h * ((across ? o.Fy : o.Fx) / m - g * std::sin(slope) * (1 + 0.05 * std::sin(2 * M_PI * 2 * i * h)));
        x += h * v;
        if (i == 2000) x1 = x;
      }
      EXPECT_LT(std::fabs(v), 0.02) << int(mode) << across;
      EXPECT_LT(std::fabs(x - x1), 2e-3) << int(mode) << across;  // elastic swing only: no drift in 10 s
    }
}

// ------------------------------------------------------------------------------------------ brush and moments

TEST(RallyBrush, TrailFollowsAdhesion) {  // 27, 28, 29
  EXPECT_NEAR(0.09 * brush(1.0).trail, 0.030, 1e-15);
  EXPECT_EQ(brush(0.0).trail, 0);
  EXPECT_LT(brush(0.2).trail, brush(0.6).trail);
  EXPECT_LT(brush(0.6).trail, brush(1.0).trail);
}

// Force, moment and rubbed power of the brush are the integrals over the patch: x from the leading edge, pressure 6 x (1 - x) D/(2a).
TEST(RallyBrush, IsTheIntegralOverTheParabolicPatch) {
  for (double slip : {0.1, 0.4, 0.75, 0.999, 1.0, 3.0}) {  // over the slip of full sliding
    const int n = 200000;
    double F = 0, M = 0, slide = 0;
    for (int i = 0; i < n; ++i) {
      const double x = (i + 0.5) / n, p = 6 * x * (1 - x);
      const double stick = 6 * slip * x, q = std::min(stick, p);  // c (2a)^2 s = 6 D s/s_sl
      F += q / n;
      M += q * (x - 0.5) / n;
      if (stick > p) slide += p / n;
    }
    const Brush<double> b = brush(brush_adhesion(slip));
    EXPECT_NEAR(b.force, F, 1e-6) << slip;
    EXPECT_NEAR(2 * 0.5 * b.trail * b.force, 2 * M, 1e-6) << slip;  // t/a with a = 1/2
    EXPECT_NEAR(b.rub * b.force, slide, 1e-5) << slip;
  }
}

TEST(RallyBrush, AdhesionEndsWhereAllSlides) {  // 38, 39
  const auto lambda = [](double slip) { return brush_adhesion(3000.0, 0.09, 3e5, slip); };
  EXPECT_GT(lambda(0.01), 0.95);
  EXPECT_LT(lambda(1.0), lambda(0.1));
  for (double s : {0.0, 0.01, 1.0, 3.0, 1e9}) {
    EXPECT_GE(lambda(s), 0);
    EXPECT_LE(lambda(s), 1);
    EXPECT_EQ(lambda(s), lambda(-s));
  }
  EXPECT_NEAR(lambda(3 * 3000 / (2 * 0.09 * 0.09 * 3e5)), 0, 1e-12);  // tan alpha = 3 mu Fz/C
  EXPECT_NEAR(brush_tread(4860.0, 0.09), 3e5, 1e-6);
}

TEST(RallyMoment, AligningMomentCollapsesAtThePeak) {  // 30, 35
  for (RallyMode mode : {RallyMode::Auto, RallyMode::BrushOnly, RallyMode::PacejkaOnly}) {
    RallySpec s = neutral(mode);
    const double peak = Law(s).curves().lat.s_p, t0 = 0.025;
    double most = 0, arg = 0;
    for (double t = 0.001; t < 1.2 * peak; t += 0.001) {
      const Steady f = steady(s, 20, 20 * t, 20);
      EXPECT_GT(f.Mz, 0);
      if (f.Mz > most) most = f.Mz, arg = t;
    }
    EXPECT_GT(arg, 0.15 * peak);
    EXPECT_LT(arg, 0.45 * peak);
    const Steady small = steady(s, 20, 20 * 1e-4, 20), top = steady(s, 20, 20 * peak, 20), far = steady(s, 20, 20, 20);
    EXPECT_NEAR(-small.Mz / small.Fy, t0, 2e-4 * t0 + 1e-4);  // all of the trail
    EXPECT_LT(top.Mz, 0.3 * most);
    EXPECT_NEAR(-top.Mz / top.Fy, 0.08 * t0, 1e-3 * t0);  // what is left is the residual
    EXPECT_NEAR(-far.Mz / far.Fy, 0.08 * t0, 1e-3 * t0);
    // slip along counts too
    const auto lam = [&](double kappa) {
      return Law(s).moments({20, 20, 1, 0, 0, kappa, 0.02, 0, 3000, 0, 0}).brush.lambda;
    };
    EXPECT_LT(lam(0.08), lam(0.02));
    EXPECT_EQ(lam(0.08), lam(-0.08));
  }
}

TEST(RallyMoment, TrailGrowsWithThePatch) {
  RallySpec s = neutral();
  const auto trail = [&](double Fz) {
    const Steady f = steady(s, 20, 20 * 1e-4, 20, Fz);
    return -f.Mz / f.Fy;
  };
  EXPECT_NEAR(trail(6000) / trail(3000), 2, 2e-3);
}

TEST(RallyMoment, SlipAlongLowersIt) {  // 36
  RallySpec s = neutral();
  s.moments.aligning_torque_residual_factor = s.moments.aligning_torque_fx_moment_arm = 0;
  const double pure = steady(s, 20, 1, 20).Mz;
  EXPECT_GT(pure, 10);
  EXPECT_LT(steady(s, 20, 1, 23.2).Mz, 0.5 * pure);
  EXPECT_LT(steady(s, 20, 1, 16.8).Mz, 0.5 * pure);
}

TEST(RallyMoment, LongitudinalForceHasAnArm) {  // 31, 32, 37
  RallySpec s = neutral();
  s.moments.aligning_torque_fx_moment_arm = 0.015;
  const Law l(s);
  EXPECT_EQ(l.moments(1000, 0).Mz, 0);  // no side force: the patch is not shifted
  // Fy > 0 shifts the patch to the left, braking then turns it back
  const double with = l.moments(-1000, 1500).Mz, without = Law(neutral()).moments(-1000, 1500).Mz;
  EXPECT_NEAR(with - without, (0.015 - 0.008) * 0.5 * 1000, 1e-9);
  RallySpec o = s;
  o.wheel.wheel_offset = 0.02;
  EXPECT_NEAR(Law(o).moments(1000, 0).Mz, -20, 1e-12);
  o.wheel.wheel_offset = -0.02;
  EXPECT_NEAR(Law(o).moments(1000, 0).Mz, 20, 1e-12);
  const double corner = steady(s, 20, 1, 18.8).Mz;
  s.moments.aligning_torque_fx_moment_arm = 0;
  EXPECT_GT(std::fabs(corner - steady(s, 20, 1, 18.8).Mz), 5);
}

TEST(RallyMoment, ReversesWithTravel) {
  const RallySpec s = neutral();
  const Steady a = steady(s, 20, 1, 20), b = steady(s, -20, 1, -20);
  EXPECT_GT(a.Mz, 0);
  EXPECT_NEAR(b.Fy, a.Fy, 1e-9);
  EXPECT_NEAR(b.Mz, -a.Mz, 1e-9);
}

TEST(RallyMoment, OverturningFollowsSideForceAndLean) {  // 33
  const Law l(neutral());
  const double one = l.moments(0, -900).Mx, two = l.moments(0, -1800).Mx, lean = l.moments(0, -1800, 0.12).Mx;
  EXPECT_LT(one, 0);  // the road pushes to the right, so does the patch
  EXPECT_LT(two, 2 * one);
  EXPECT_LT(lean, two);  // leaned to the right
  const double rel = (0.305 - 0.005) / 0.305, h = 0.1025;
  EXPECT_NEAR(one, -900 * h * 0.015 * (0.6 + 0.4 * rel) * (0.75 + 0.25 * 0.3), 1e-9);
  EXPECT_NEAR(lean - two, -3000 * h * 0.35 * rel * 0.12, 1e-9);
}

TEST(RallyMoment, RollingResistanceCountsOnce) {  // 9, 34
  RallySpec s = neutral();
  s.moments.rolling_resistance_coefficient = 0.012;
  const double Re = 0.3;
  const auto My = [&](const RallySpec& t, double V, double Fx = 0) { return Law(t).moments(Fx, 0, 0, V).My; };
  EXPECT_NEAR(My(s, 1e-9), 0.012 * 3000 * Re, 1e-9);  // not tire + road
  EXPECT_NEAR(My(s, 10) / My(s, 0), 1.024, 5e-4);
  EXPECT_NEAR(My(s, 80) / My(s, 0), 2.515, 5e-4);
  EXPECT_EQ(My(s, -35), My(s, 35));  // a resistance, whichever way it turns
  EXPECT_GT(My(s, 35), My(s, 5));
  RallySpec g = s;
  g.surface.rolling_resistance = 0.040;
  EXPECT_NEAR(My(g, 0), 0.040 * 3000 * Re, 1e-9);
  s.moments.rolling_resistance_moment_factor = 0.5;
  EXPECT_NEAR(My(s, 0), 0.006 * 3000 * Re, 1e-9);
  s.moments.rolling_resistance_moment_factor = 1;
  EXPECT_NEAR(My(s, 0, 1500) - My(s, 0), 0.008 * 1500 * 0.5 * Re, 1e-9);
  EXPECT_EQ(Law(s).moments(0, 0, 0, 20, 0).My, 0);
}

TEST(RallyMoment, CarcassShearGrowsWithTheDeflection) {  // 42, 43, 44
  RallySpec s = neutral();
  s.moments.carcass_shear_coefficient = 0.5;
  const auto shear = [&](const RallySpec& t, double Fz) {
    return Law(t).moments(0, 0, 0, 10, Fz).My / Law(t).radius(Fz);
  };
  EXPECT_EQ(shear(s, 0), 0);
  const double a = 0.5 * 3000 / (220e3 * 0.205);
  EXPECT_NEAR(shear(s, 3000), 0.5 * 40000 * 0.005 * std::asin(a / 0.305), 2e-4);
  RallySpec soft = s;
  soft.wheel.vertical_stiffness = 1e5;
  EXPECT_NEAR(shear(soft, 3000) / shear(s, 3000), 2, 1e-9);
  s.moments.carcass_shear_coefficient = 0;
  EXPECT_EQ(shear(s, 3000), 0);
}

TEST(RallyMoment, CamberThrustIsOfRealSizeAndLeansTheRightWay) {
  const RallySpec s = neutral();
  const double F = steady(s, 20, 0, 20, 3000, 0.05).Fy;
  EXPECT_NEAR(F, -0.8 * 0.05 * 3000 / std::sqrt(1 + 4 * 0.04 * 0.04), 1e-6);
  EXPECT_NEAR(steady(s, 20, 0, 20, 3000, -0.05).Fy, -F, 1e-9);
  RallySpec none = s;
  none.moments.camber_thrust_coefficient = 0;
  EXPECT_EQ(steady(none, 20, 0, 20, 3000, 0.05).Fy, 0);
  // on ice it is limited by friction
  EXPECT_LT(std::fabs(steady(s, 20, 0, 20, 3000, 0.4, 0.1).Fy), 0.5 * 300);
}

// ------------------------------------------------------------------------------------------ heat and wear

namespace {
// Two bodies, advanced exactly enough: 1 ms steps of the affine rates.
void heat(Law& l, const RallyMotion<double>& m, double time) {
  const RallyMoments<double> M = l.moments(m);
  for (int i = 0; i < int(time * 1000); ++i) {
    const RallyRates<double> r = rally_rates(l.k, l.p, l.p.on_own, l.state, m, M);
    const auto go = [](double y, Affine<double> a) { return y + 1e-3 * (a.v - a.L * y); };
    l.state = {go(l.state.T_tread, r.T_tread), go(l.state.T_core, r.T_core), go(l.state.tread, r.tread)};
  }
}
const RallyMotion<double> kParked{0, 0, 0, 0, 0, 0, 0, 0, 3000, 0, 0};
RallyMotion<double> sliding(const RallySpec& s, double Vx, double Vy, double Vr, double Fz = 3000) {
  const Steady f = steady(s, Vx, Vy, Vr, Fz);
  return {Vx, Vr, 1, Vr - Vx, -Vy, (Vr - Vx) / Vx, -Vy / Vx, 0, Fz, f.Fx, f.Fy};
}
}  // namespace

TEST(RallyHeat, TreadHeatsFirstAndCoolsFirst) {  // 26
  RallySpec s = neutral();
  s.thermal.cooling_rate = 18;
  s.thermal.core_cooling_rate = 3.5;
  s.thermal.road_heat_transfer_rate = 25;
  s.thermal.surface_to_core_conductance = 45;
  s.thermal.thermal_mass = 7000;
  s.thermal.core_thermal_mass = 28000;
  Law l(s);
  heat(l, sliding(s, 20, 6, 25), 8);
  const RallyState<double> hot = l.state;
  EXPECT_GT(hot.T_tread, hot.T_core);
  EXPECT_GT(hot.T_core, 30);
  heat(l, kParked, 12);
  const RallyState<double> later = l.state;
  EXPECT_GT(hot.T_tread - later.T_tread, std::fabs(hot.T_core - later.T_core));
  heat(l, kParked, 40);
  EXPECT_LT(l.state.T_tread, later.T_tread);
  EXPECT_GT(l.state.T_tread, 30);
  heat(l, kParked, 20000);
  EXPECT_NEAR(l.state.T_tread, 30, 0.01);
  EXPECT_NEAR(l.state.T_core, 30, 0.01);
}

TEST(RallyHeat, RollingWarmsTheCoreAndThePressureFollows) {
  const RallySpec s;
  Law l(s);
  EXPECT_NEAR(l.env().pressure, 220e3, 1e-6);
  heat(l, {30, 30, 1, 0, 0, 0, 0, 0, 3000, 0, 0}, 3000);
  EXPECT_GT(l.state.T_core, 45);
  EXPECT_LT(l.state.T_core, 90);
  EXPECT_GT(l.state.T_core, l.state.T_tread);
  EXPECT_NEAR(l.env().pressure, (220e3 + 101325) * (l.state.T_core + 273.15) / 303.15 - 101325, 1e-6);
  EXPECT_GT(l.env().pressure, 230e3);
  EXPECT_EQ(l.state.tread, 1);
  EXPECT_EQ(rally_env(l.k, l.p, l.p.on_own, l.state, 20.0, 300e3).pressure, 300e3);
}

// What goes in comes out: sliding power = tread + road + core at ambient temperature.
TEST(RallyHeat, PowerIsShared) {
  RallySpec s = neutral();
  const Law l(s);
  const RallyMotion<double> m = sliding(s, 20, 1.2, 20.4);
  const RallyMoments<double> M = l.moments(m);
  const RallyRates<double> r = rally_rates(l.k, l.p, l.p.on_own, l.state, m, M);
  const double P = m.Fx * m.vx + m.Fy * m.vy;
  const double tread = 8000 * (r.T_tread.v - r.T_tread.L * 30), core = 24000 * (r.T_core.v - r.T_core.L * 30);
  EXPECT_GT(P, 1000);
  EXPECT_GT(tread, 0);
  EXPECT_NEAR(tread / 0.5 + core, P, 1e-6 * P);  // the tread has half of the rubbing, the core the rest of the work
  // all of the patch slides: nothing is left for the core
  const RallyMotion<double> locked = sliding(s, 20, 0, 0);
  const RallyRates<double> q = rally_rates(l.k, l.p, l.p.on_own, l.state, locked, l.moments(locked));
  EXPECT_NEAR(24000 * (q.T_core.v - q.T_core.L * 30), 0, 1e-6);
  EXPECT_NEAR(8000 * (q.T_tread.v - q.T_tread.L * 30), 0.5 * 20 * -locked.Fx, 1e-3);
}

TEST(RallyHeat, AirCoolsMoreWithSpeedAndAlsoInFlight) {
  const RallySpec s = neutral();
  Law l(s);
  l.state = {120, 90, 1};
  const auto slope = [&](double V, double Fz) {
    const RallyMotion<double> m{V, V, 1, 0, 0, 0, 0, 0, Fz, 0, 0};
    const RallyRates<double> r = rally_rates(l.k, l.p, l.p.on_own, l.state, m, l.moments(m));
    return 8000 * (r.T_tread.v - r.T_tread.L * 120);
  };
  EXPECT_NEAR(slope(0, 0), -15 * 90 - 55 * 30, 1e-6);
  EXPECT_NEAR(slope(20, 0), -30 * 90 - 55 * 30, 1e-6);
  EXPECT_NEAR(slope(0, 3000) - slope(0, 0), -25 * 1.3 * 90, 1e-6);  // the road takes its part through the patch
}

TEST(RallyHeat, TemperaturesAreBounded) {
  const RallySpec s;
  Law l(s);
  heat(l, {80, 0, 1, -80, 0, -1, 0, 0, 8000, -8000, 0}, 600);  // ten minutes of a locked wheel at 80 m/s
  EXPECT_LT(l.state.T_tread, 350);
  EXPECT_GT(l.state.T_tread, 150);
  EXPECT_GE(l.state.tread, 0);
  EXPECT_LT(l.state.tread, 1);
  Law f(s);
  heat(f, {300, 300, 1, 0, 0, 0, 0, 0, 8000, 0, 0}, 600);
  EXPECT_LT(f.state.T_core, 350);
}

TEST(RallyHeat, WearCountsSlidingEnergy) {
  RallySpec s = neutral();
  const Law l(s);
  const auto rate = [](const Law& q, const RallyMotion<double>& m) {
    const RallyRates<double> r = rally_rates(q.k, q.p, q.p.on_own, q.state, m, q.moments(m));
    return r.tread.L * q.state.tread - r.tread.v;
  };
  const RallyMotion<double> locked = sliding(s, 20, 0, 0);
  EXPECT_NEAR(rate(l, locked), 1e-9 * 20 * -locked.Fx, 1e-15);
  EXPECT_EQ(rate(l, {20, 20, 1, 0, 0, 0, 0, 0, 3000, 0, 0}), 0);
  Law hot(s);
  hot.state.T_tread = 30 + 200;  // two windows above the optimum: 1 + 2 * 4
  EXPECT_NEAR(rate(hot, locked) / rate(l, locked), 9, 1e-9);
  Law half(s);
  half.state.tread = 0.5;
  EXPECT_NEAR(rate(half, locked) / rate(l, locked), 1, 1e-12);
  SurfaceSpec ice = plain_ground();
  ice.microtexture = 0.05;
  EXPECT_NEAR(rate(Law(on(s, ice)), locked) / rate(l, locked), 0.4375, 1e-9);
}

// ------------------------------------------------------------------------------------------ water, texture, surfaces

namespace {
double wet(double depth, double macro, double V, double pressure = 220e3, double tread = 1, double micro = 0.8) {
  RallySpec s = neutral();
  s.surface.water_depth = depth;
  s.surface.macrotexture = macro;
  s.surface.microtexture = micro;
  s.wheel.tire_pressure = pressure;
  Law l(s);
  l.state.tread = tread;
  return l.env(V).grip;
}
}  // namespace

TEST(RallyWater, CostsGripAndFloatsTheTire) {  // 45 to 51
  EXPECT_EQ(wet(0, 0.6, 30), 1);
  EXPECT_NEAR(wet(0.0005, 0.6, 10), 0.9475, 1e-12);
  EXPECT_NEAR(wet(0.003, 0.6, 10), 0.685, 1e-12);
  EXPECT_NEAR(wet(0.002, 0.9, 10), 0.835, 1e-12);
  EXPECT_NEAR(wet(0.002, 0.2, 10), 0.730, 1e-12);
  EXPECT_NEAR(wet(0.003, 0.6, 30), 0.05, 1e-12);
  EXPECT_LT(wet(0.004, 0.3, 40), 0.2);
  EXPECT_GE(wet(0.004, 0.3, 40), 0.05);
  EXPECT_GE(wet(0.010, 0, 100), 0.05);
  EXPECT_GT(wet(0.002, 0.9, 15), wet(0.002, 0.2, 15));
  EXPECT_LT(wet(0.002, 0.6, 10, 220e3, 1, 0.2), wet(0.002, 0.6, 10));  // smooth stones are slippery when wet
}

TEST(RallyWater, AquaplaningSpeedKnowsPressureAndTread) {
  // speed at which half of the patch has lifted: 0.85 V, V = 1.1/sqrt(h) (1 + 0.3 macro) sqrt(p/220 kPa) (0.65 + 0.35 tread)
  const auto half = [](double p, double tread) {
    double lo = 0, hi = 200;
    const double dry = wet(0.003, 0.6, 0, p, tread);
    for (int i = 0; i < 60; ++i) {
      const double V = 0.5 * (lo + hi);
      (wet(0.003, 0.6, V, p, tread) > 0.5 * (dry + 0.05) ? lo : hi) = V;
    }
    return lo;
  };
  const double V = 1.1 / std::sqrt(0.003) * 1.18;
  EXPECT_NEAR(half(220e3, 1), 0.85 * V, 1e-6);
  EXPECT_NEAR(half(330e3, 1), 0.85 * V * std::sqrt(1.5), 1e-6);
  EXPECT_NEAR(half(220e3, 0), 0.85 * V * 0.65, 1e-6);
  // ground that gives way keeps no film
  RallySpec s = neutral();
  s.surface = shipped_surface("mud");
  const Law l(s);
  EXPECT_GT(l.env(25).grip, 0.99 * l.env(0).grip);
}

TEST(RallyWater, WetTarmacGripsLess) {  // 52
  const RallySpec s = neutral();
  const double F = std::fabs(steady(on(s, shipped_surface("wet_tarmac")), 20, 3, 20).Fy);
  EXPECT_LT(F, 0.8 * std::fabs(steady(s, 20, 3, 20).Fy));
}

TEST(RallyTexture, IsAFunctionOfPosition) {  // 53, 54, 55
  RallySpec s = neutral();
  const auto at = [&](double noise, double x, double y) {
    s.surface.noise_factor = noise;
    const Law l(s);
    return rally_texture(l.k, l.p.own.noise_factor, x, y);
  };
  double lo = 2, hi = 0, sum = 0, before = at(1, 0, 1.5);
  const int n = 200000;
  for (int i = 0; i < n; ++i) {
    const double x = i * 0.013, f = at(1, x, 1.5);
    lo = std::min(lo, f);
    hi = std::max(hi, f);
    sum += f;
    EXPECT_LT(std::fabs(f - before), 0.013 * 0.08 * 8 * (0.6 * 0.371 + 0.4 * 1.913));
    before = f;
  }
  EXPECT_GE(lo, 0.92);
  EXPECT_LE(hi, 1.08);
  EXPECT_GT(hi - lo, 0.04);
  EXPECT_NEAR(sum / n, 1, 1e-3);
  EXPECT_EQ(at(0, 12.3, 4.5), 1);
  EXPECT_GT(at(0.01, 12.3, 4.5), 0.999);
  EXPECT_LT(at(0.01, 12.3, 4.5), 1.001);
  for (double y = 0.01; y < 9; y += 0.0371) EXPECT_EQ(bits(at(1, 12.3, y)), bits(at(1, 12.3, -y))) << y;  // mirror
  EXPECT_EQ(bits(at(1, 12.3, 4.5)), bits(at(1, 12.3, 4.5)));  // standing still nothing changes
  s.surface.noise_factor = 1;
  const Law l(s);
  RallyParams<float> p = laws::convert<RallyParams<float>, RallyParams<double>, float>(l.p);
  EXPECT_NEAR(rally_texture(l.k, p.own.noise_factor, 12.3f, 4.5f), at(1, 12.3, 4.5), 1e-5);
}

TEST(RallySurface, TheSixShip) {  // 56 to 60
  std::map<std::string, SurfaceSpec> s;
  for (const char* name : {"tarmac", "wet_tarmac", "gravel", "mud", "snow", "ice"}) s[name] = shipped_surface(name);
  EXPECT_GT(s["wet_tarmac"].water_depth, 0);
  EXPECT_EQ(s["tarmac"].water_depth, 0);
  EXPECT_LT(s["wet_tarmac"].friction, s["tarmac"].friction);
  for (const auto& [name, g] : s) EXPECT_TRUE(g.microtexture >= 0 && g.macrotexture >= 0) << name;
  EXPECT_LE(std::max(s["ice"].microtexture, s["ice"].macrotexture), 0.1);
  EXPECT_GE(s["gravel"].macrotexture, 0.8);
  EXPECT_GE(s["tarmac"].friction, 1.05);
  EXPECT_GT(s["tarmac"].slip_stiffness_scale, s["gravel"].slip_stiffness_scale);
  EXPECT_GT(s["gravel"].slip_stiffness_scale, s["snow"].slip_stiffness_scale);
  EXPECT_LT(s["tarmac"].peak_slip_ratio_scale, s["gravel"].peak_slip_ratio_scale);
  EXPECT_LT(s["gravel"].peak_slip_ratio_scale, s["snow"].peak_slip_ratio_scale);
  EXPECT_LT(s["tarmac"].rolling_resistance, s["gravel"].rolling_resistance);
  EXPECT_LT(s["gravel"].rolling_resistance, s["snow"].rolling_resistance);
  EXPECT_GT(s["gravel"].relaxation_length_scale, s["tarmac"].relaxation_length_scale);
  int i = 0;
  each_number<double>([&](auto n) {
    EXPECT_EQ(s["tarmac"].*n.spec, SurfaceSpec{}.*n.spec) << i;
    EXPECT_EQ(s["gravel"].*n.spec, gravel().*n.spec) << i;
    EXPECT_EQ(s["snow"].*n.spec, snow().*n.spec) << i++;
  });
}

namespace {
void read(const YAML::Node& node, const std::vector<FieldRef>& block) {
  std::size_t known = 0;
  for (const FieldRef& f : block) {
    const YAML::Node value = node[f.name];
    if (!value) continue;
    ++known;
    if (f.kind == FieldRef::Kind::block) {
      read(value, f.block());
    } else if (f.kind == FieldRef::Kind::number) {
      f.number() = value.as<double>();
      EXPECT_TRUE(f.range.holds(f.number())) << f.name;
    }
  }
  EXPECT_EQ(known, node.size());  // no key that nobody reads
}
}  // namespace

TEST(RallySurface, TheThreeTiresShip) {
  std::map<std::string, RallySpec> tires;
  for (const char* name : {"rally", "rally_gravel", "rally_snow"}) {
    RallySpec& s = tires[name];
    read(YAML::LoadFile(std::string(VDSIM_SOURCE_DIR) + "/configs/parts/tire/" + name + ".yaml")["body"], fields_of(s));
    check_rally(s, [&](const char* path, const char* text) { ADD_FAILURE() << name << " " << path << ": " << text; });
    const auto c = Law(s).curves(s.friction.reference_load);
    EXPECT_LT(std::max(c.lon.s_p, c.lat.s_p), 0.5) << name;  // no peak is held back
    const RallyNominal n = rally_nominal(s);
    EXPECT_GT(n.sigma0_x, 2e4) << name;
    EXPECT_LT(n.sigma0_x, 5e5) << name;
  }
  EXPECT_EQ(tires["rally"].radius, 0.305);
  // each is best on its own ground
  const auto grip = [&](const char* name, const char* ground) {
    const Law l(on(tires[name], shipped_surface(ground)));
    return l.mu(3000);
  };
  EXPECT_GT(grip("rally_gravel", "gravel"), 0.7);
  EXPECT_GT(grip("rally_snow", "snow"), grip("rally", "snow"));
}

TEST(RallySurface, BlendAndOverride) {
  const SurfaceSpec a, b = gravel();
  int i = 0;
  each_number<double>([&](auto n) {
    EXPECT_NEAR(blend(a, b, 0.25).*n.spec, 0.75 * a.*n.spec + 0.25 * b.*n.spec, 1e-15) << i;
    for (double t : {1.0, 1.5}) EXPECT_EQ(blend(a, b, t).*n.spec, b.*n.spec) << i;
    for (double t : {0.0, -3.0, double(NAN), kInf, -kInf}) EXPECT_EQ(blend(a, b, t).*n.spec, a.*n.spec) << i;
    EXPECT_EQ(override_surface(b, {}).*n.spec, b.*n.spec) << i++;
  });
  SurfaceOverride o;
  o.friction = 0.5;
  o.water_depth = 0;
  const SurfaceSpec c = override_surface(b, o);
  EXPECT_EQ(c.friction, 0.5);
  EXPECT_EQ(c.water_depth, 0);
  EXPECT_EQ(c.deformation, b.deformation);
}

// ------------------------------------------------------------------------------------------ laws of the whole

namespace {
RallySpec random_rally(Rng& r) {
  RallySpec s;
  s.mode = RallyMode(int(r(0, 3)) % 3);
  const char* ground[] = {"tarmac", "wet_tarmac", "gravel", "mud", "snow", "ice"};
  s.surface = shipped_surface(ground[int(r(0, 6)) % 6]);
  auto& c = s.magic_formula;
  c.longitudinal_b = r(8, 25), c.longitudinal_c = r(1.3, 1.9), c.longitudinal_e = r(-2, 0.5);
  c.lateral_b = r(8, 25), c.lateral_c = r(1.2, 1.8), c.lateral_e = r(-2, 0.3);
  c.high_slip_force_retention = r(0, 1);
  s.friction.peak_friction_coefficient = r(0.6, 1.8);
  s.friction.friction_ellipse_ratio = r(0.7, 1.3);
  s.friction.load_sensitivity = r(0, 0.3);
  s.friction.reference_load = r(800, 6000);
  s.friction.combined_slip_coupling = r(0, 2);
  s.friction.combined_slip_exponent = r(0, 1) < 0.5 ? 2 : r(1, 2);
  s.wheel.tire_pressure = r(120e3, 350e3);
  s.moments.camber_thrust_coefficient = r(0, 1.5);
  return s;
}
}  // namespace

TEST(RallyLaws, SlopeAtZeroSlipIsTheStatedStiffness) {
  Rng r(11);
  for (int i = 0; i < 50; ++i) {
    RallySpec s = random_rally(r);
    s.surface.water_depth = 0;
    const RallyNominal n = rally_nominal(s);
    const double h = 1e-7, Fz = s.friction.reference_load;
    EXPECT_NEAR(steady(s, 20, 0, 20 * (1 + h), Fz).Fx / h / n.Cx, 1, 1e-4) << i;
    EXPECT_NEAR(steady(s, 20, -20 * h, 20, Fz).Fy / h / n.Cy, 1, 1e-4) << i;
  }
}

TEST(RallyLaws, OnceDifferentiableInSlipLoadAndSpeed) {
  // second differences of a C1 function are O(h^2); a corner of slope jump J leaves J h
  Rng r(12);
  for (int i = 0; i < 50; ++i) {
    const RallySpec s = random_rally(r);
    const double F0 = s.friction.reference_load, V = r(5, 35), k = r(-0.3, 0.3), t = r(-0.5, 0.5), g = r(-0.1, 0.1);
    const auto worst = [&](auto f, double lo, double hi, double scale) {
      const int n = 4000;
      const double h = (hi - lo) / n;
      double w = 0, a = f(lo), b = f(lo + h);
      for (int j = 2; j <= n; ++j) {
        const double c = f(lo + j * h);
        w = std::max(w, std::fabs(c - 2 * b + a) / (h * scale));  // jump of the slope over a typical slope
        a = b, b = c;
      }
      return w;
    };
    const double D = s.friction.peak_friction_coefficient * F0;
    const auto F = [&](double x, bool y) {
      return [&, x, y](double u) {
        return y ? steady(s, V, V * u, V * (1 + x), F0, g).Fy : steady(s, V, V * x, V * (1 + u), F0, g).Fx;
      };
    };
    EXPECT_LT(worst(F(k, true), 0.02, 0.8, 10 * D), 0.02) << i;
    EXPECT_LT(worst(F(t, false), 0.02, 0.45, 10 * D), 0.02) << i;
    const auto load = [&](double Fz) { return steady(s, V, V * t, V * (1 + k), Fz, g).Fy; };
    EXPECT_LT(worst(load, 0.05 * F0, 4 * F0, 1.0), 0.02) << i;
    const auto speed = [&](double v) { return steady(s, v, v * t, v * (1 + k), F0, g).Fy; };
    EXPECT_LT(worst(speed, 2, 60, 0.1 * D), 0.02) << i;
    const auto moment = [&](double u) { return steady(s, V, V * u, V * (1 + k), F0, g).Mz; };
    EXPECT_LT(worst(moment, 0.02, 0.8, 0.3 * D), 0.02) << i;
  }
}

TEST(RallyLaws, MirrorsToTheBit) {
  Rng r(13);
  for (int i = 0; i < 2000; ++i) {
    const RallySpec s = random_rally(r);
    const double Vx = r(-30, 30), Vy = r(-10, 10), Vr = r(-40, 40), Fz = r(0, 9000), g = r(-0.3, 0.3);
    const Steady a = steady(s, Vx, Vy, Vr, Fz, g), b = steady(s, Vx, -Vy, Vr, Fz, -g);
    EXPECT_EQ(bits(a.Fx), bits(b.Fx));
    EXPECT_EQ(bits(a.Fy), bits(0.0 - b.Fy)) << a.Fy;
    EXPECT_EQ(bits(a.My), bits(b.My));
    EXPECT_EQ(a.Mx, -b.Mx);
    EXPECT_EQ(a.Mz, -b.Mz);
  }
}

TEST(RallyLaws, LanesEqualScalars) {
  using P = Pack<float, 8>;
  Rng r(14);
  for (int i = 0; i < 200; ++i) {
    const RallySpec s = random_rally(r);
    const RallyKind k = rally_kind(s);
    const RallyParams<double> pd = compile_rally(s);
    const auto pf = laws::convert<RallyParams<float>, RallyParams<double>, float>(pd);
    const auto pp = laws::convert<RallyParams<P>, RallyParams<double>, P>(pd);
    P in[10];
    for (P& x : in)
      for (int l = 0; l < 8; ++l) set_lane(x, l, float(r(-1, 1)));
    const auto all = [&]<class R>(const RallyParams<R>& p, const R* u, R* out) {
      const RallyState<R> y{R(60) + R(100) * u[0], R(50) + R(60) * u[1], R(0.5) + R(0.5) * u[2]};
      const RallyEnv<R> e = rally_env(k, p, p.on_own, y, R(40) * u[3]);
      const R Fz = R(4000) + R(5000) * u[4];
      const RallyCurves<R> c = rally_curves(k, p, e, Fz, R(0.3) * u[5], R(1), R(0.8));
      const RallyMotion<R> m{R(40) * u[3], R(40) * u[6],  u[7], R(5) * u[7], R(5) * u[8], u[8],
                             u[9],         R(0.3) * u[5], Fz,   c.Dx * u[7], c.Dy * u[8]};
      const RallyMoments<R> M = rally_moments(k, p, e, c, m);
      const RallyRates<R> q = rally_rates(k, p, p.on_own, y, m, M);
      const RallyWeights<R> w = rally_weights(k, p, u[8], u[9]);
      const R o[] = {c.Dx,
                     c.lon.B,
                     c.lat.s_p,
                     rally_curve(k, p, c.lon, u[8], false),
                     rally_curve(k, p, c.lat, u[9], true),
                     w.x,
                     w.y,
                     rally_camber(k, p, R(0.3) * u[5], Fz, c.Dy, u[9] * u[9]),
                     M.Mx,
                     M.My,
                     M.Mz,
                     q.T_tread.v,
                     q.T_core.L,
                     q.tread.L,
                     rally_radius(p, e, Fz),
                     rally_texture(k, p.own.noise_factor, R(1e3) * u[0], R(10) * u[1])};
      std::copy(std::begin(o), std::end(o), out);
    };
    P packed[16];
    all(pp, in, packed);
    for (int l = 0; l < 8; ++l) {
      float u[10], out[16];
      for (int j = 0; j < 10; ++j) u[j] = lane(in[j], l);
      all(pf, u, out);
      for (int j = 0; j < 16; ++j) EXPECT_EQ(bits(out[j]), bits(lane(packed[j], l))) << j;
    }
  }
}

template <class R> void finite_everywhere(unsigned seed) {
  Rng r(seed);
  const auto wild = [&](double big) {
    const double u = r(0, 1);
    return u < 0.1 ? 0.0 : r.sign() * r.log(1e-12, big);
  };
  for (int i = 0; i < 20000; ++i) {
    static RallySpec s;
    if (i % 100 == 0) s = random_rally(r);
    const RallyKind k = rally_kind(s);
    const auto p = laws::convert<RallyParams<R>, RallyParams<double>, R>(compile_rally(s));
    const RallyState<R> y{R(wild(1e9)), R(wild(1e9)), R(wild(10))};
    const R Vx = R(wild(1e9)), Fz = R(wild(1e9));
    const RallyEnv<R> e = rally_env(k, p, p.on_own, y, Vx);
    const RallyCurves<R> c = rally_curves(k, p, e, Fz, R(wild(100)), R(std::fabs(wild(2))), R(std::fabs(wild(2))));
    const RallyMotion<R> m{Vx,           R(wild(1e9)), R(r(-1, 1)), R(wild(1e9)), R(wild(1e9)), R(wild(1e9)),
                           R(wild(1e9)), R(wild(100)), Fz,          R(wild(1e9)), R(wild(1e9))};
    const RallyMoments<R> M = rally_moments(k, p, e, c, m);
    const RallyRates<R> q = rally_rates(k, p, p.on_own, y, m, M);
    const RallyWeights<R> w = rally_weights(k, p, R(wild(1e12)), R(wild(1e12)));
    const R out[] = {e.grip,
                     e.pressure,
                     e.stiff_x,
                     e.stiff_y,
                     c.Dx,
                     c.Dy,
                     c.lon.B,
                     c.lat.B,
                     c.lon.s_p,
                     c.lat.s_p,
                     rally_curve(k, p, c.lon, R(wild(1e9)), false),
                     rally_curve(k, p, c.lat, R(wild(1e9)), true),
                     w.x,
                     w.y,
                     rally_camber(k, p, R(wild(100)), Fz, c.Dy, R(r(0, 1))),
                     M.Mx,
                     M.My,
                     M.Mz,
                     q.T_tread.v,
                     q.T_tread.L,
                     q.T_core.v,
                     q.T_core.L,
                     q.tread.L,
                     rally_radius(p, e, Fz),
                     rally_loaded_radius(p, e, Fz),
                     rally_texture(k, p.own.noise_factor, R(wild(1e7)), R(wild(1e7)))};
    for (std::size_t j = 0; j < std::size(out); ++j) ASSERT_TRUE(std::isfinite(double(out[j]))) << i << " output " << j;
    EXPECT_GE(q.T_tread.L, 0);
    EXPECT_GE(q.T_core.L, 0);
    EXPECT_GE(q.tread.L, 0);
    EXPECT_GE(M.My, 0);
    EXPECT_GE(c.Dx, 0);
    EXPECT_LE(c.lon.s_p, R(0.5001));
    EXPECT_LE(c.lat.s_p, R(0.5001));
    EXPECT_GT(rally_loaded_radius(p, e, Fz), 0);
  }
}
TEST(RallyLaws, FiniteForEveryFiniteInput) {
  finite_everywhere<double>(15);
  finite_everywhere<float>(16);
}

TEST(RallyLaws, DrivenWheelTurnsForward) {  // 61
  RallySpec s = neutral(RallyMode::PacejkaOnly);
  s.wheel.wheel_inertia = 1;
  TireRig<double> rig = rig_of(s);
  rig.free = true;
  rig.I = rally_nominal(s).inertia;
  rig.torque = 120;
  rig.w.roll = 0;
  for (int i = 0; i < 20; ++i) {
    rig.step([](double) { return laws::Drum<double>{0, 0, 0, 0, 3000, 1, 0}; }, 0, 1e-3);
    EXPECT_GT(rig.w.zx, 0) << i;
  }
  EXPECT_GT(rig.eval({0, 0, 0, 0, 3000, 1, 0}).Fx, 0);
  // it has turned forward by what the bristle holds, and rests there: T = R Fx
  for (int i = 0; i < 2000; ++i) rig.step([](double) { return laws::Drum<double>{0, 0, 0, 0, 3000, 1, 0}; }, 0, 1e-3);
  EXPECT_NEAR(rig.eval({0, 0, 0, 0, 3000, 1, 0}).Fx, 120 / 0.305, 0.5);
  EXPECT_NEAR(rig.w.w, 0, 1e-3);
}
