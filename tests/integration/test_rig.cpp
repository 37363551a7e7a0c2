// SPDX-License-Identifier: Apache-2.0
// The tire test rig: steady forces, relaxation, order, inputs between rows, and every error of its input.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "tests/reference_data.hpp"
#include "vdsim/config/tire_argument.hpp"
#include "vdsim/lab/rig.hpp"
#include "vdsim/lab/tire_eval.hpp"

namespace vdsim {
namespace {

using Rows = std::vector<std::vector<double>>;
enum Out { t, fx, fy, fz, mx, my, mz, kappa, alpha, first_state };

TireSpec plain_tire() {
  TireSpec spec;
  spec.load_sensitivity = 0.15;
  spec.rolling_resistance = 0.015;
  return spec;
}

RigMotion motion_of(const std::string& text) {
  Errors errors;
  auto motion = RigMotion::read(text, "in.csv", errors);
  EXPECT_TRUE(motion) << (errors.empty() ? "" : errors.lines()[0]);
  return std::move(*motion);
}

Rows run(const TireSpec& spec, const std::string& text, double dt, bool states = false) {
  TireRig rig(spec);
  const RigMotion motion = motion_of(text);
  RigOptions options;
  options.dt = dt;
  options.states = states;
  Rows rows;
  EXPECT_EQ(run_rig(rig, motion, options, [&](std::span<const double> r) { rows.emplace_back(r.begin(), r.end()); }),
            RigEnd::done);
  return rows;
}

std::vector<std::string> refused(const std::string& text) {
  Errors errors;
  EXPECT_FALSE(RigMotion::read(text, "in.csv", errors));
  return errors.lines();
}

// The magic formula as the book writes it, with libm.
double mf(double B, double C, double E, double s) {
  return std::sin(C * std::atan(B * s - E * (B * s - std::atan(B * s))));
}
double peak_factor(const TireSpec& s, double load) {
  return s.mu_nominal * (1 - s.load_sensitivity * (load / s.Fz_nominal - 1)) * load;
}

RigOutput steady(const TireSpec& spec, double slip_ratio, double slip_angle, double load, double speed = 20) {
  TireRig rig(spec);
  RigInput in;
  in.vx = speed;
  in.fz = load;
  in = rig.at_slip(in, slip_ratio, slip_angle);
  rig.start(in);
  return rig.output(in);
}

// Pure slip at rest of all states is the magic formula. Tolerance: rounding of some 50 operations.
TEST(Rig, SteadyForceIsTheMagicFormula) {
  const TireSpec s = plain_tire();
  for (const double load : {500.0, 4000.0, 9000.0}) {
    const double D = peak_factor(s, load);
    for (double slip = -0.95; slip < 1; slip += 0.0501) {
      const RigOutput o = steady(s, slip, 0, load);
      EXPECT_NEAR(o.fx, s.D_long * D * mf(s.B_long, s.C_long, s.E_long, slip), 1e-12 * D) << slip;
      EXPECT_NEAR(o.fy, 0, 1e-12 * D);
      EXPECT_NEAR(o.kappa, slip, 1e-14);
      EXPECT_NEAR(o.my, -0.015 * load * 0.32, 1e-9);
    }
    for (double angle = -0.6; angle < 0.61; angle += 0.0301) {
      const RigOutput o = steady(s, 0, angle, load);
      const double Fy = -s.D_lat * D * mf(s.B_lat, s.C_lat, s.E_lat, std::tan(angle));
      EXPECT_NEAR(o.fy, Fy, 1e-12 * D) << angle;
      const double trail = s.pneumatic_trail / std::sqrt(1 + std::pow(angle / s.trail_falloff_alpha, 2));
      EXPECT_NEAR(o.mz, -trail * Fy, 1e-10 * D * trail) << angle;
      EXPECT_NEAR(o.alpha, angle, 1e-14);
    }
  }
}

// The start is a rest point of the integration, in every direction of slip, rolling, locked, spinning, reversing.
TEST(Rig, SteadyStateStaysWhereItIs) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> u(-1, 1);
  for (const LugreLaw law : {LugreLaw::rolling, LugreLaw::breakaway}) {
    TireSpec s = plain_tire();
    s.lugre.law = law;
    s.camber_stiffness = 0.8;
    for (int i = 0; i < 200; ++i) {
      TireRig rig(s);
      RigInput in;
      in.vx = 30 * u(random);
      in.vy = 5 * u(random);
      in.omega = i % 4 == 0 ? 0 : i % 4 == 1 ? in.vx / 0.32 : 100 * u(random);
      in.fz = 4000 * (1 + u(random));
      in.gamma = 0.1 * u(random);
      rig.start(in);
      const RigOutput a = rig.output(in);
      for (int k = 0; k < 100; ++k) rig.step(in, in, 0.01);
      const RigOutput b = rig.output(in);
      EXPECT_NEAR(a.fx, b.fx, 1e-9 * in.fz + 1e-9) << i;
      EXPECT_NEAR(a.fy, b.fy, 1e-9 * in.fz + 1e-9) << i;
      EXPECT_NEAR(a.mz, b.mz, 1e-9 * in.fz + 1e-9) << i;
    }
  }
}

// After a small step of the slip angle the side force follows 1 - exp(-x/L), L = C_alpha/sigma0: 63 % after L.
// Tolerance 0.5 %: at this speed bristle damping adds 0.3 % of the force at once.
TEST(Rig, RelaxesWithDistance) {
  const TireSpec s = plain_tire();
  const double load = s.Fz_nominal, C = s.B_lat * s.C_lat * s.D_lat * load, L = C / s.lugre.rolling.sigma0_lat;
  for (const double speed : {10.0, 40.0}) {
    TireRig rig(s);
    RigInput straight;
    straight.vx = speed;
    straight.fz = load;
    straight.omega = speed / rig.radius();
    RigInput turned = straight;
    turned.vy = 1e-3 * speed;
    rig.start(straight);
    const int n = 100;
    for (int i = 0; i < n; ++i) rig.step(turned, turned, L / speed / n);
    EXPECT_NEAR(rig.output(turned).fy / (-C * 1e-3), 1 - std::exp(-1.0), 0.005) << speed;
  }
}

// A standing tire that is pushed aside is a spring of stiffness sigma0: below its elastic limit nothing leaks.
TEST(Rig, StandingTireIsASpring) {
  const TireSpec s = plain_tire();
  TireRig rig(s);
  RigInput rest, push;
  rest.fz = push.fz = 4000;
  push.vy = 1e-3;
  rig.start(rest);
  for (int i = 0; i < 100; ++i) rig.step(push, push, 1e-2);
  for (int i = 0; i < 1000; ++i) rig.step(rest, rest, 1e-2);
  EXPECT_NEAR(rig.output(rest).fy, -s.lugre.rolling.sigma0_lat * 1e-3, 1e-6);
}

// The known defect of the breakaway law: at 0.01 rad it carries exp(-1/9) = 90 % of mu Fz where the magic formula has 10 %.
TEST(Rig, BreakawayLawRunsOnRails) {
  TireSpec s = plain_tire();
  s.load_sensitivity = 0;
  s.lugre.law = LugreLaw::breakaway;
  const double speed = 20, load = 4000, angle = 0.01;
  const double viscous = s.lugre.sigma2 * speed * std::tan(angle);
  EXPECT_NEAR(steady(s, 0, angle, load, speed).fy, -std::exp(-1.0 / 9) * load - viscous, 1e-9 * load);
}

// Pushed aside by d the standing tire of this law holds g/sigma0 (1 - exp(-sigma0 d/g)); 1 %: steps are first order.
TEST(Rig, BreakawayLawIsASpringAtRest) {
  TireSpec s = plain_tire();
  s.load_sensitivity = 0;
  s.lugre.law = LugreLaw::breakaway;
  const double g = 4000 * mf(s.B_lat, s.C_lat, s.E_lat, 1.5707963267948966), d = 2e-3;
  const Rows rows = run(s, "t,omega,vx,vy,fz\n0,0,0,0,4000\n0.1,0,0,0.02,4000\n0.2,0,0,0,4000\n1,0,0,0,4000\n", 1e-3);
  EXPECT_NEAR(rows.back()[fy], -g * (1 - std::exp(-s.lugre.sigma0 * d / g)), 0.01 * g);
}

// What a tire held beyond the friction of a moment is lost: the load comes back, the force does not.
TEST(Rig, ForceIsLostWithTheLoad) {
  TireSpec s = plain_tire();
  s.load_sensitivity = 0;
  const Rows rows =
      run(s, "t,omega,vx,vy,fz\n0,0,0,0,4000\n0.1,0,0,0.4,4000\n0.2,0,0,0,4000\n0.3,0,0,0,500\n0.4,0,0,0,4000\n", 1e-2);
  EXPECT_LT(rows[20][fy], -2000);
  EXPECT_NEAR(rows.back()[fy], -500, 1e-6);
}

const std::string kManoeuvre =
    "t,omega,vx,vy,fz\n0,62.5,20,0,4000\n0.1,62.5,20,0,4000\n0.3,62,20,0.6,4500\n0.6,60,19.6,-0.8,3500\n"
    "0.8,50,19,-0.8,5000\n1.1,58,18.5,0.5,4200\n1.5,57.8,18.5,0,4000\n";

// What a step of 1/60 s says is what a step of 1 ms says, to 1 % of the channel's peak.
TEST(Rig, StepHardlyMatters) {
  for (const bool enabled : {true, false}) {
    TireSpec s = plain_tire();
    s.lugre.enabled = enabled;
    s.relaxation_length_lat = s.relaxation_length_long = 0.3;
    const Rows fine = run(s, kManoeuvre, 1.0 / 960), coarse = run(s, kManoeuvre, 1.0 / 60);
    ASSERT_EQ(coarse.size(), 91u);
    for (const Out column : {fx, fy, mz}) {
      double peak = 0, worst = 0;
      for (std::size_t i = 0; i < coarse.size(); ++i) {
        ASSERT_NEAR(coarse[i][t], fine[16 * i][t], 1e-12);
        peak = std::fmax(peak, std::abs(fine[16 * i][column]));
        worst = std::fmax(worst, std::abs(fine[16 * i][column] - coarse[i][column]));
      }
      EXPECT_LT(worst, 0.01 * peak) << column;
    }
  }
}

// Inputs are taken at the stage times: on a ramp of slip, speed and load halving the step cuts the error by 2^4. Inputs
// held over the step would give 2. Tolerance: order at least 3.7 on the way down, as usual for observed orders.
TEST(Rig, FourthOrderOnARamp) {
  const TireSpec s = plain_tire();
  const std::string ramp = "t,omega,vx,vy,fz\n0,62.5,20,0.2,4000\n0.32,59,19,0.6,5200\n";
  const auto end = [&](double h) { return run(s, ramp, h).back(); };
  const auto exact = end(0.32 / 4096);
  for (const Out column : {fx, fy}) {
    const double e1 = std::abs(end(0.005)[column] - exact[column]), e2 = std::abs(end(0.0025)[column] - exact[column]);
    EXPECT_GT(std::log2(e1 / e2), 3.7) << e1 << " " << e2;
  }
}

// A row of the input inside a step is met exactly: same order as with rows on the grid.
TEST(Rig, RowsBetweenStepsAreMet) {
  const TireSpec s = plain_tire();
  const std::string kinked = "t,omega,vx,vy,fz\n0,62.5,20,0.2,4000\n0.3137,62,20,0.8,5000\n0.32,62,20,0.3,4200\n";
  const auto end = [&](double h) { return run(s, kinked, h).back(); };
  const auto exact = end(0.32 / 4096);
  for (const Out column : {fx, fy})
    EXPECT_GT(std::log2(std::abs(end(0.0025)[column] - exact[column]) / std::abs(end(0.00125)[column] - exact[column])),
              3.5);
}

// Left is the mirror image of right, to the bit.
TEST(Rig, MirrorSymmetric) {
  TireSpec s = plain_tire();
  s.camber_stiffness = 0.7;
  const Rows a =
      run(s, "t,omega,vx,vy,fz,gamma,psidot\n0,60,20,0,4000,0.02,0\n0.5,50,20,2,5000,0.1,0.3\n1,0,0,0,4000,0,0.2\n",
          0.005, true);
  const Rows b = run(
      s, "t,omega,vx,vy,fz,gamma,psidot\n0,60,20,0,4000,-0.02,0\n0.5,50,20,-2,5000,-0.1,-0.3\n1,0,0,0,4000,0,-0.2\n",
      0.005, true);
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (const Out same : {t, fx, fz, my, kappa}) EXPECT_EQ(a[i][same], b[i][same]);
    for (const Out turned : {fy, mx, mz, alpha}) EXPECT_EQ(a[i][turned], -b[i][turned]);
  }
}

TEST(Rig, BristlesHaveTheSignOfTheForce) {
  for (const LugreLaw law : {LugreLaw::rolling, LugreLaw::breakaway}) {
    TireSpec s = plain_tire();
    s.lugre.law = law;
    const TireRig rig(s);
    EXPECT_EQ(rig.state_columns()[0].name, "zx");
    EXPECT_EQ(rig.state_columns()[1].name, "zy");
    const auto row = run(s, "t,omega,vx,vy,fz\n0,55,20,1,4000\n1,55,20,1,4000\n", 0.1, true).back();
    EXPECT_LT(row[fx], 0);
    EXPECT_LT(row[first_state], 0);
    EXPECT_LT(row[fy], 0);
    EXPECT_LT(row[first_state + 1], 0);
  }
}

TEST(Rig, NoLoadNoForce) {
  for (const auto& row : run(plain_tire(), "t,omega,vx,vy,fz\n0,30,20,3,4000\n0.1,30,20,3,0\n0.2,30,20,3,0\n", 1e-3)) {
    EXPECT_LE(std::hypot(row[fx], row[fy]), 1.2 * row[fz] + 1e-9);
  }
}

TEST(Rig, RowsFromFirstToLastInstant) {
  const std::string two = "t,omega,vx,vy,fz\n1,60,20,0,4000\n2,60,20,0,4000\n";
  EXPECT_EQ(run(plain_tire(), two, 0.1).size(), 11u);
  EXPECT_EQ(run(plain_tire(), two, 0.1).back()[t], 2);
  EXPECT_EQ(run(plain_tire(), two, 0.3).size(), 4u);  // the last instant is not on the grid
  EXPECT_EQ(run(plain_tire(), two, 5).size(), 1u);
  EXPECT_EQ(run(plain_tire(), "t,omega,vx,vy,fz\n3,60,20,0,4000\n", 1e-3).size(), 1u);
}

// A sweep of slips is the steady law at every instant, at the rows of the table or on a grid.
TEST(Rig, SweepIsSteady) {
  const TireSpec s = plain_tire();
  const std::string text = "t,kappa,alpha,fz,vx\n0,-0.2,0.1,4000,30\n1,0.2,-0.1,5000,10\n";
  const Rows rows = run(s, text, 0), grid = run(s, text, 0.25);
  ASSERT_EQ(rows.size(), 2u);
  ASSERT_EQ(grid.size(), 5u);
  EXPECT_EQ(rows[0], grid[0]);
  EXPECT_EQ(rows[1], grid[4]);
  EXPECT_NEAR(grid[1][kappa], -0.1, 1e-14);
  EXPECT_NEAR(grid[1][alpha], 0.05, 1e-14);
  const RigOutput o = steady(s, -0.1, 0.05, 4250, 25);
  EXPECT_NEAR(grid[1][fx], o.fx, 1e-9);
  EXPECT_NEAR(grid[1][fy], o.fy, 1e-9);
  // the mirror image front to back: slip velocity and force along turn round, those across do not
  const auto back = run(s, "t,kappa,alpha,fz,vx\n0,-0.05,0.03,4000,-15\n", 0)[0];
  const auto ahead = run(s, "t,kappa,alpha,fz,vx\n0,0.05,0.03,4000,15\n", 0)[0];
  EXPECT_NEAR(back[fx], -ahead[fx], 1e-9);
  EXPECT_NEAR(back[fy], ahead[fy], 1e-9);
  EXPECT_NEAR(back[mz], -ahead[mz], 1e-9);
}

// -------------------------------------------------------------------------------------------- other laws

// A small MF 6.1 file: every group has something in it, offsets too.
TireSpec tir_tire() {
  TireSpec spec;
  spec.backend = TireBackend::magic_formula;
  TirSpec& f = spec.tir;
  f.model.FITTYP = 61;
  f.dimension.UNLOADED_RADIUS = 0.3135;
  f.vertical.FNOMIN = 4000;
  f.vertical.VERTICAL_STIFFNESS = 2.1e5;
  f.vertical.BREFF = 8, f.vertical.DREFF = 0.24, f.vertical.FREFF = 0.07;
  f.longitudinal.PCX1 = 1.6, f.longitudinal.PDX1 = 1.1, f.longitudinal.PKX1 = 21, f.longitudinal.PEX1 = 0.3;
  f.longitudinal.RBX1 = 12, f.longitudinal.RBX2 = 9, f.longitudinal.RCX1 = 1.1;
  f.lateral.PCY1 = 1.3, f.lateral.PDY1 = 1.0, f.lateral.PEY1 = -0.8, f.lateral.PKY1 = -16, f.lateral.PKY2 = 1.8;
  f.lateral.PKY4 = 2, f.lateral.PHY1 = 0.003, f.lateral.PVY1 = 0.02, f.lateral.PKY6 = -0.9;
  f.lateral.RBY1 = 7, f.lateral.RBY2 = 2.5, f.lateral.RCY1 = 1.05;
  f.aligning.QBZ1 = 10, f.aligning.QCZ1 = 1.2, f.aligning.QDZ1 = 0.1;
  f.rolling.QSY1 = 0.01;
  return spec;
}

// Under the bristle law the steady state of a file is the file. Tolerance: rounding; the fixed point is exact.
TEST(Rig, SteadyForceIsTheTirFile) {
  const TireSpec spec = tir_tire();
  const SteadyTire file(spec);
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> u(-1, 1);
  for (int i = 0; i < 300; ++i) {
    SteadyPoint at;
    at.fz = 4000 + 2500 * u(random);
    at.kappa = 0.4 * u(random);
    at.alpha = 0.3 * u(random);
    at.gamma = 0.08 * u(random);
    at.vx = 20 + 10 * u(random);
    const std::vector<double> o = file(at);
    TireRig rig(spec);
    RigInput in;
    in.vx = *at.vx;
    in.fz = at.fz;
    in.gamma = at.gamma;
    in = rig.at_slip(in, at.kappa, at.alpha);
    rig.start(in);
    const RigOutput r = rig.output(in);
    EXPECT_NEAR(r.fx, o[0], 1e-9 * at.fz) << i;
    EXPECT_NEAR(r.fy, o[1], 1e-9 * at.fz) << i;
    EXPECT_NEAR(r.mz, o[4], 1e-9 * at.fz) << i;
    EXPECT_NEAR(r.kappa, at.kappa, 1e-12);
    EXPECT_NEAR(rig.rolling_radius(in), o[5], 1e-14);
    EXPECT_LT(o[5], 0.313);
  }
}

TEST(Rig, UsualSpeedAndRadiusOfAFile) {
  TireSpec spec = tir_tire();
  spec.tir.model.LONGVL = 22;
  EXPECT_EQ(TireRig(spec).usual_speed(), 22);
  EXPECT_EQ(TireRig(spec).radius(), 0.3135);
  EXPECT_EQ(TireRig(plain_tire()).radius(), 0.32);
  EXPECT_EQ(TireRig(plain_tire()).usual_speed(), 16.7);
}

TireSpec rally_tire() {
  TireSpec spec;
  spec.schema = TireSchema::rally_v1;
  return spec;
}

// A loaded tire rolls on less than its free radius, less so with more pressure.
TEST(Rig, RadiusOfTheLoadedRallyTire) {
  const TireRig rig(rally_tire());
  RigInput light, heavy;
  light.vx = heavy.vx = 20;
  light.fz = 1000, heavy.fz = 6000;
  EXPECT_LT(rig.rolling_radius(heavy), rig.rolling_radius(light));
  EXPECT_LT(rig.rolling_radius(light), rig.radius());
  RigInput hard = heavy;
  hard.pressure = 350e3;
  EXPECT_GT(rig.rolling_radius(hard), rig.rolling_radius(heavy));
}

// A tire that slides warms up and wears; the force follows, and the step hardly matters.
TEST(Rig, RallyTireWarmsAndWears) {
  const std::string slide = "t,omega,vx,vy,fz\n0,50,20,1,4000\n5,50,20,3,4000\n";
  const auto states = TireRig(rally_tire()).state_columns();
  const auto column = [&](const char* name) {
    return first_state + (std::find_if(states.begin(), states.end(), [&](const Column& c) { return c.name == name; }) -
                          states.begin());
  };
  const Rows rows = run(rally_tire(), slide, 1.0 / 60, true);
  EXPECT_GT(rows.back()[column("T_tread")], rows.front()[column("T_tread")] + 5);
  EXPECT_LT(rows.back()[column("tread")], 1);
  EXPECT_GT(rows.back()[column("tread")], 0.5);
  const Rows fine = run(rally_tire(), kManoeuvre, 1.0 / 960), coarse = run(rally_tire(), kManoeuvre, 1.0 / 60);
  for (const Out channel : {fx, fy, mz}) {
    double peak = 0, worst = 0;
    for (std::size_t i = 0; i < coarse.size(); ++i) {
      peak = std::fmax(peak, std::abs(fine[16 * i][channel]));
      worst = std::fmax(worst, std::abs(fine[16 * i][channel] - coarse[i][channel]));
    }
    EXPECT_LT(worst, 0.01 * peak) << channel;
  }
}

TireSpec patch_tire() {
  TireSpec spec;
  spec.schema = TireSchema::lugre_patch_v1;
  spec.patch.radius = 0.25;
  spec.patch.sigma0 = {500, 500};
  return spec;
}

// Uniform load: the steady profile z = v/C0 (1 - exp(-C0 zeta/|U|)) integrates to a closed form.
TEST(Rig, SteadyPatchIsTheClosedForm) {
  const PatchSpec& p = patch_tire().patch;
  for (const PatchFidelity fidelity : {PatchFidelity::exact, PatchFidelity::average}) {
    TireSpec spec = patch_tire();
    spec.patch.fidelity = fidelity;
    for (const double omega : {32.0, 20.0, 5.0, -12.0}) {
      TireRig rig(spec);
      EXPECT_EQ(rig.radius(), 0.25);
      RigInput in;
      in.vx = 8, in.vy = 0.56, in.fz = 2000, in.omega = omega;
      rig.start(in);
      const double U = omega * 0.25, v[2] = {U - in.vx, -in.vy}, speed = std::hypot(v[0], v[1]);
      const double g = p.mu_k + (p.mu_s - p.mu_k) * std::exp(-std::pow(speed / p.v_s, p.gamma));
      const RigOutput o = rig.output(in);
      for (int i = 0; i < 2; ++i) {
        const double C0 = p.sigma0[i] * speed / g, Z = std::abs(U) / C0, e = std::exp(-p.length / Z);
        const double F = in.fz * (p.sigma0[i] * v[i] / C0 * (1 - Z / p.length * (1 - e)) + p.sigma2[i] * v[i]);
        EXPECT_NEAR(i == 0 ? o.fx : o.fy, F, 1e-9 * in.fz) << omega;
      }
    }
  }
}

// A jump of the motion between two steps is a jump, not a ramp over the step before or after.
TEST(Rig, MotionMayJump) {
  const std::string jump = "t,omega,vx,vy,fz\n0,32,8,0,2000\n1e-7,30,8,0.4,2000\n0.005,30,8,0.4,2000\n";
  for (const TireSpec& spec : {patch_tire(), plain_tire()}) {
    TireRig rig(spec);
    RigInput a, b;
    a.omega = 32, a.vx = 8, a.fz = 2000;
    b = a, b.omega = 30, b.vy = 0.4;
    rig.start(a);
    for (int i = 0; i < 5; ++i) rig.step(b, b, 1e-3);
    const RigOutput o = rig.output(b);
    const auto row = run(spec, jump, 1e-3).back();
    EXPECT_NEAR(o.fx, row[fx], 1e-4 * std::abs(row[fx]));
    EXPECT_NEAR(o.fy, row[fy], 1e-4 * std::abs(row[fy]));
  }
}

// Braked to a stop and held, the patch is a spring: no force is lost while it stands.
TEST(Rig, StandingPatchHolds) {
  const Rows rows =
      run(patch_tire(),
          "t,omega,vx,vy,fz\n0,0,0,0,2000\n1,0,0,0,2000\n1.1,0,0.001,0,2000\n1.2,0,0,0,2000\n60,0,0,0,2000\n", 0.01);
  // pushed by d at a crawl: z = mu_s/sigma0 (1 - exp(-sigma0 d/mu_s)); 0.1 %: the crawl is not quite slow
  const double d = 1e-4, F = -2000 * 1.1 * (1 - std::exp(-500 * d / 1.1));
  EXPECT_NEAR(rows[130][fx], F, 1e-3 * std::abs(F));
  EXPECT_NEAR(rows.back()[fx], rows[130][fx], 1e-9 * std::abs(F));
}

// Steady points without a car. Both laws of the states end in the same steady law, so both must obey all of these.
std::vector<TireSpec> steady_tires() {
  std::vector<TireSpec> out(2, plain_tire());
  out[1].lugre.law = LugreLaw::breakaway;
  return out;
}
double steady_fx(const TireSpec& spec, double slip_ratio, double load, double road = 1, double speed = 16.7) {
  SteadyPoint at;
  at.fz = load, at.kappa = slip_ratio, at.mu = road, at.vx = speed;
  return SteadyTire(spec)(at)[0];
}
// Lateral slip is tan(alpha) in the rolling law, alpha in the breakaway law.
double steady_fy(const TireSpec& spec, double slip, double load, double road = 1) {
  SteadyPoint at;
  at.fz = load, at.alpha = spec.lugre.law == LugreLaw::rolling ? std::atan(slip) : slip, at.mu = road;
  return SteadyTire(spec)(at)[1];
}

// Fx is odd in the slip ratio, Fy in the slip angle: an MF96 tire has no shifts. Fx acts on the road the other way in
// reverse, where the file's slip ratio (-1: locked) changes its sign too.
TEST(Eval, Mf96IsOdd) {
  for (const TireSpec& s : steady_tires())
    for (const double slip : {0.003, 0.08, 0.15, 0.9}) {
      const double F = steady_fx(s, slip, 5000);
      EXPECT_GT(F, 0) << slip;
      EXPECT_NEAR(steady_fx(s, -slip, 5000), -F, 1e-12 * F) << slip;
      EXPECT_NEAR(steady_fx(s, slip, 5000, 1, -16.7), -F, 1e-12 * F) << slip;
      EXPECT_LT(steady_fy(s, slip, 5000), 0) << slip;
      EXPECT_NEAR(steady_fy(s, -slip, 5000), -steady_fy(s, slip, 5000), 1e-12 * F) << slip;
    }
}

// dF/ds = B C D at no slip. Central difference: (B h)^2 of truncation, 1e-16/(B h) of rounding.
TEST(Eval, Mf96StartsWithSlopeBCD) {
  for (const TireSpec& s : steady_tires()) {
    const double h = 1e-6, D = s.mu_nominal * s.Fz_nominal, B = s.B_long * s.C_long * s.D_long * D,
                 A = s.B_lat * s.C_lat * s.D_lat * D;
    EXPECT_NEAR((steady_fx(s, h, s.Fz_nominal) - steady_fx(s, -h, s.Fz_nominal)) / (2 * h), B, 1e-8 * B);
    EXPECT_NEAR((steady_fy(s, h, s.Fz_nominal) - steady_fy(s, -h, s.Fz_nominal)) / (2 * h), -A, 1e-8 * A);
  }
}

// The largest force is D and stands where B s (1 - E) + E atan(B s) = tan(pi/(2 C)). Beyond it the force falls, to
// D sin(pi C/2) for endless slip.
TEST(Eval, Mf96PeaksAtDAndSaturates) {
  for (const TireSpec& s : steady_tires()) {
    const auto slip_of_peak = [](double B, double C, double E) {
      double lo = 0, hi = 100;  // of B s; the left side grows with it for E < 1
      for (int i = 0; i < 100; ++i) {
        const double x = (lo + hi) / 2;
        (x * (1 - E) + E * std::atan(x) < std::tan(std::acos(-1.0) / (2 * C)) ? lo : hi) = x;
      }
      return lo / B;
    };
    const double D = s.mu_nominal * s.Fz_nominal, kx = slip_of_peak(s.B_long, s.C_long, s.E_long),
                 ky = slip_of_peak(s.B_lat, s.C_lat, s.E_lat);
    EXPECT_NEAR(steady_fx(s, kx, s.Fz_nominal), s.D_long * D, 1e-12 * D);
    EXPECT_NEAR(steady_fy(s, ky, s.Fz_nominal), -s.D_lat * D, 1e-12 * D);
    for (const double factor : {0.5, 0.98, 1.02, 2.0}) {
      EXPECT_LT(steady_fx(s, factor * kx, s.Fz_nominal), s.D_long * D * (1 - 1e-6)) << factor;
      EXPECT_GT(steady_fy(s, factor * ky, s.Fz_nominal), -s.D_lat * D * (1 - 1e-6)) << factor;
    }
    // how far from the limit: C/(B s (1 - E)), a bound on C (pi/2 - atan(..))
    const double far = s.lugre.law == LugreLaw::rolling ? 400 : 1.5,
                 rest = s.C_lat / (s.B_lat * far * (1 - s.E_lat) - 2);
    const double end = s.D_lat * D * std::sin(std::acos(-1.0) / 2 * s.C_lat);
    EXPECT_NEAR(steady_fy(s, far, s.Fz_nominal), -end, rest * s.D_lat * D);
    EXPECT_LT(std::abs(end), 0.9 * s.D_lat * D);
  }
}

// The road scales force and slip alike, the load the force, and does so less than in proportion: mu falls by k_L per nominal load.
TEST(Eval, Mf96ScalesWithRoadAndLoad) {
  for (const TireSpec& s : steady_tires())
    for (const double slip : {0.02, 0.12, 0.6}) {
      const double F = steady_fx(s, slip, s.Fz_nominal), G = steady_fy(s, slip, s.Fz_nominal);
      for (const double road : {0.1, 0.5}) {
        EXPECT_NEAR(steady_fx(s, road * slip, s.Fz_nominal, road), road * F, 1e-12 * F) << slip << " " << road;
        EXPECT_NEAR(steady_fy(s, road * slip, s.Fz_nominal, road), road * G, 1e-12 * F) << slip << " " << road;
      }
      EXPECT_NEAR(steady_fx(s, slip, 2 * s.Fz_nominal), 2 * (1 - s.load_sensitivity) * F, 1e-12 * F) << slip;
    }
}

// The book's 205/60R15 tire at its nominal load has no shifts and no curvature: K = 16 Fz and 12 Fz (15 Fz sin(2 atan 1/2)),
// C 1.6 and 1.3, D = Fz. Values of MFeval 4.0 (tests/reference/mf_tyre); 1e-6: its guards against division by 0.
TEST(Eval, Mf96MeetsTheBookTireInPureSlip) {
  for (TireSpec s : steady_tires()) {
    s.Fz_nominal = 4000, s.mu_nominal = 1;
    s.B_long = 16 / 1.6, s.C_long = 1.6, s.D_long = 1, s.E_long = 0;
    s.B_lat = 12 / 1.3, s.C_lat = 1.3, s.D_lat = 1, s.E_lat = 0;
    EXPECT_NEAR(steady_fx(s, -0.75, 4000), -2979.64280385, 3e-3);
    EXPECT_NEAR(steady_fx(s, -0.25, 4000), -3779.39010266, 4e-3);
    EXPECT_NEAR(steady_fy(s, -0.475, 4000), 3935.56531851, 4e-3);
    EXPECT_NEAR(steady_fy(s, -0.325, 4000), 3994.39111502, 4e-3);
  }
}

TEST(Eval, UseModesThatExist) {
  Errors errors;
  EXPECT_TRUE(check_use_mode(122, errors));
  EXPECT_FALSE(check_use_mode(311, errors));
  EXPECT_FALSE(check_use_mode(21, errors));
}

// The reference runs of the contact patch: exact within 0.1 % of the peak at 1 ms.
TEST(Rig, PatchReferenceRuns) {
  const Catalog catalog(Catalog::default_folder());
  const auto files = reference_files("lugre_patch", ".yaml");
  EXPECT_GE(files.size(), 6u);
  for (const std::string file : files) {
    const std::string stem = file.substr(0, file.size() - 5);
    Errors errors;
    TireArgument argument;
    argument.tire = file;
    const auto spec = load_tire(catalog, argument, errors);
    ASSERT_TRUE(spec) << errors.lines()[0];
    const auto input = read_data(stem + ".input.csv", {}, errors),
               output = read_data(stem + ".expected.csv", {}, errors);
    ASSERT_TRUE(input && output);
    const auto expected =
        read_table(*output, "expected", ColumnRules{{"t", ""}, {"fx", ""}, {"fy", ""}, {"mz", ""}}, errors);
    ASSERT_TRUE(expected);
    const Rows rows = run(*spec, *input, 1e-3);
    for (const auto& [name, channel] : {std::pair{"fx", fx}, {"fy", fy}, {"mz", mz}}) {
      double peak = 0, worst = 0;
      for (std::size_t i = 0; i < expected->rows(); ++i) {
        const double value = expected->at(name, i, 0);
        const auto row = static_cast<std::size_t>(std::lround(expected->at("t", i, 0) * 1e3));
        peak = std::fmax(peak, std::abs(value));
        worst = std::fmax(worst, std::abs(value - rows.at(row)[channel]));
      }
      EXPECT_LT(worst, 1e-3 * peak) << stem << " " << name;
    }
  }
}

using Lines = std::vector<std::string>;

TEST(Rig, InputErrors) {
  EXPECT_EQ(refused("t,omega,vx,fz\n0,1,2,3\n"), (Lines{"in.csv:1:1: missing column 'vy'"}));
  EXPECT_EQ(refused("t,kappa,fz\n0,1,2\n"), (Lines{"in.csv:1:1: missing column 'alpha'"}));
  EXPECT_EQ(refused("t,omega,vx,vy,fz\n0,1,1,0,-5\n"),
            (Lines{"in.csv:2:9: fz: -5 is out of range, expected at least 0 N"}));
  EXPECT_EQ(refused("t,omega,vx,vy,fz\n0,nan,1,0,5\n"),
            (Lines{"in.csv:2:3: omega: expected a finite number, found 'nan'"}));
  EXPECT_EQ(refused("t,omega,vx,vy,fz\n0,1,1,0,5\n0,1,1,0,5\n"),
            (Lines{"in.csv:3:1: t: 0 is not above the value of the row before, 0"}));
  EXPECT_EQ(refused("t,omega,vx,vy,fz,presure\n0,1,1,0,5,2e5\n"),
            (Lines{"in.csv:1:18: unknown column 'presure', did you mean 'pressure'?"}));
  EXPECT_EQ(refused("t,kappa,alpha,fz,vx\n0,1,0,5,0\n").size(), 1u);
}

TEST(Rig, StepsThatCannotBe) {
  TireRig rig(plain_tire());
  const RigMotion motion = motion_of("t,omega,vx,vy,fz\n0,1,1,0,5\n10,1,1,0,5\n");
  for (const double dt : {0.0, -1e-3, double(NAN), double(INFINITY), 1e-12}) {
    RigOptions options;
    options.dt = dt;
    EXPECT_THROW(run_rig(rig, motion, options, [](auto) {}), BadInput) << dt;
  }
}

}  // namespace
}  // namespace vdsim
