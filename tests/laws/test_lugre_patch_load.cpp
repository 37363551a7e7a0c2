// SPDX-License-Identifier: Apache-2.0
// The laws of the contact-patch LuGre tire that hold for constant motion at every step, for every polynomial load, and for
// the energy in the bristles (docs/theory/22_lugre_patch.md). Forces per newton of load.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "vdsim/core/tire/patch_energy.hpp"

using namespace vdsim;

namespace {

using Motion = PatchMotion<double>;

struct Wheel {
  explicit Wheel(const PatchSpec& s)
      : kind(patch_kind(s)), p(compile_patch(s)), memory(std::make_unique<PatchMemory<double>>()) {}
  void start(const Motion& m) { patch_start(kind, p, m, *memory); }
  PatchForce<double> now(const Motion& m) const { return patch_force(kind, p, *memory, m, 0.0); }
  PatchForce<double> advance(const Motion& m, double h) { return patch_advance(kind, p, *memory, m, h); }
  PatchHeld<double> held() const { return patch_squares(kind, p, *memory); }

  PatchKind kind;
  PatchParams<double> p;
  std::unique_ptr<PatchMemory<double>> memory;
};

PatchSpec with_poly(PatchSpec s, const std::vector<double>& c) {
  s.load = PatchLoad::polynomial;
  s.load_poly = {};
  for (const double x : c) s.load_poly.v[s.load_poly.count++] = x;
  return s;
}
PatchSpec sedan(PatchFidelity fidelity, PatchLoad load) {
  PatchSpec s;
  s.fidelity = fidelity, s.load = load;
  s.length = 0.14, s.sigma0 = {400, 280}, s.sigma1 = {0.4, 0.4}, s.sigma2 = {0.0005, 0.0005};
  s.mu_k = 0.85, s.v_s = 6, s.gamma = 0.8, s.load_a = 0.03, s.load_b = 0.11, s.load_centroid = 0.065;
  return load == PatchLoad::polynomial ? with_poly(s, {0.2, 3, 1, -5, 1.2, 0.5, -0.3}) : s;
}
constexpr PatchLoad kShapes[] = {PatchLoad::uniform, PatchLoad::trapezoidal, PatchLoad::cubic, PatchLoad::polynomial};
constexpr PatchFidelity kFidelities[] = {PatchFidelity::average, PatchFidelity::exact, PatchFidelity::distributed};

// 3 to 40 m/s, free rolling to half locked, 0.6 to 17 deg
std::vector<Motion> motions() {
  std::vector<Motion> all;
  for (const double V : {3.0, 10.0, 20.0, 40.0})
    for (const double slip : {0.0, -0.02, 0.1, -0.5})
      for (const double side : {0.01, 0.07, 0.3}) all.push_back({V * (1 + slip), V * slip, -V * side, 1});
  return all;
}
Motion smooth(double t) {  // rolls forward, slips in all directions
  return {6 + 2 * std::sin(5 * t), 0.6 * std::sin(9 * t) + 0.1, 0.5 * std::cos(7 * t), 1};
}
Motion rocking(double t) { return {3 * std::cos(2 * t), 0.4 * std::sin(11 * t), 0.3 * std::cos(7 * t), 1}; }

double apart(const PatchForce<double>& a, const PatchForce<double>& b, double L) {
  return std::max({std::fabs(a.fx - b.fx), std::fabs(a.fy - b.fy), std::fabs(a.mz - b.mz) / L});
}

}  // namespace

// ------------------------------------------------------------------------------------------- constant motion

// [T22.9]  J_n = int t^n exp(-c t): against the integral itself, 400 strips of three Gauss points; on both sides of every
// change of method. Rounding: two digits are lost where the recursion starts.
TEST(LugrePatchConstant, PowersOfADecayAreTheirIntegral) {
  const double gx[3] = {0.5 - 0.3872983346207417, 0.5, 0.5 + 0.3872983346207417}, gw[3] = {5. / 18, 8. / 18, 5. / 18};
  for (const double c :
       {0.0, 1e-9, 0.0999, 0.1001, 0.299, 0.301, 0.499, 0.501, 0.999, 1.001, 1.999, 2.001, 9.0, 30.0}) {
    double J[9], few[3];
    patch_powers<8>(c, std::exp(-c), J);
    patch_powers<2>(c, std::exp(-c), few);
    for (int n = 0; n < 9; ++n) {
      double sum = 0;
      for (int i = 0; i < 400; ++i)
        for (int g = 0; g < 3; ++g) {
          const double t = (i + gx[g]) / 400;
          sum += gw[g] / 400 * std::pow(t, n) * std::exp(-c * t);
        }
      EXPECT_NEAR(J[n] / sum, 1, 2e-11) << n << " " << c;
      EXPECT_NEAR(n < 3 ? few[n] / sum : 1, 1, 2e-11) << n << " " << c;
    }
  }
}

// A wheel that keeps its motion keeps its force, at every step from 0.5 to 50 ms (which renews the patch 14 times), Mz too.
// Rounding: the moments of a load of degree 6 reach 5^7 over up to five patch lengths, 1e-11 of the force.
// The elements see their own grid, not the step: 1e-3.
TEST(LugrePatchConstant, SteadyForceStaysAtEveryStep) {
  for (const PatchFidelity fidelity : kFidelities)
    for (const PatchLoad load : kShapes) {
      const double tolerance = fidelity == PatchFidelity::distributed ? 1e-3 : 1e-10;
      for (const Motion& m : motions())
        for (const double h : {5e-4, 1e-3, 5e-3, 2e-2, 5e-2}) {
          const PatchSpec s = sedan(fidelity, load);
          Wheel w(s);
          w.start(m);
          const PatchForce<double> first = w.now(m);
          double off = 0;
          for (int k = 0; k < 60; ++k) off = std::max(off, apart(w.advance(m, h), first, s.length));
          ASSERT_LE(off, tolerance * std::hypot(first.fx, first.fy))
              << EnumNames<PatchFidelity>::names[int(fidelity)] << " " << EnumNames<PatchLoad>::names[int(load)]
              << " U " << m.U << " v " << m.vx << " " << m.vy << " step " << h;
        }
    }
}

// After a jump to another motion, which then stays: steps of 4 ms and of 0.5 ms give the same force all the way, while the
// old bristles leave. (The mean bristle: its forces; the source of its moment, the mean bristle itself, is a parabola there.)
TEST(LugrePatchConstant, TransientDoesNotSeeTheStep) {
  for (const PatchFidelity fidelity : {PatchFidelity::average, PatchFidelity::exact})
    for (const PatchLoad load : kShapes)
      for (const Motion& m : motions()) {
        const PatchSpec s = sedan(fidelity, load);
        Wheel wide(s), narrow(s);
        const Motion before{0.9 * m.U, 0.3 * m.vx, -m.vy, 1};
        wide.start(before), narrow.start(before);
        wide.advance(m, 1e-9), narrow.advance(m, 1e-9);
        for (int k = 0; k < 12; ++k) {
          PatchForce<double> a = wide.advance(m, 4e-3), b{};
          for (int i = 0; i < 8; ++i) b = narrow.advance(m, 5e-4);
          if (fidelity == PatchFidelity::average) a.mz = b.mz = 0;
          ASSERT_LE(apart(a, b, s.length), 1e-10) << EnumNames<PatchLoad>::names[int(load)] << " U " << m.U << " " << k;
        }
      }
}

// ------------------------------------------------------------------------------------------- polynomial loads

// The same load written as a polynomial, at any scale: uniform is [1], cubic its four coefficients. Rounding only, over
// reversals too.
TEST(LugrePatchLoad, PolynomialContainsUniformAndCubic) {
  for (const PatchFidelity fidelity : kFidelities)
    for (const PatchLoad load : {PatchLoad::uniform, PatchLoad::cubic}) {
      const PatchSpec given = sedan(fidelity, load);
      const double off = given.load_centroid / given.length - 0.5, B = 120 * off, A = 6 - 60 * off;
      const PatchSpec poly =
          load == PatchLoad::uniform ? with_poly(given, {0.3}) : with_poly(given, {0, 7 * A, 7 * (B - A), -7 * B});
      Wheel a(given), b(poly);
      a.start(rocking(0)), b.start(rocking(0));
      double most = 0;
      for (int k = 1; k < 3000; ++k)
        most = std::max(most, apart(a.advance(rocking(k * 1e-3), 1e-3), b.advance(rocking(k * 1e-3), 1e-3), 0.14));
      EXPECT_LT(most, 1e-11) << EnumNames<PatchFidelity>::names[int(fidelity)];
    }
}

// Equations (11), (12) of the paper, of every order a load can have: M_p = int z x^p,
//   dM_p/dt = v/(p + 1) - C0 M_p - U z(1) + p U M_(p-1).
// The load x^p shows (p + 1) M_p as its mean deflection, and the load 1 shows z(1) as the mean slope K. Rates by central
// difference over 2 x 0.1 ms: 1e-6 of the slip speed.
TEST(LugrePatchLoad, MomentsObeyTheEquationsOfThePaper) {
  const double h = 1e-4;
  std::vector<Wheel> wheels;
  for (int p = 0; p <= kPatchDegree; ++p) {
    std::vector<double> c(std::size_t(p) + 1);
    c.back() = 1;
    wheels.emplace_back(with_poly(sedan(PatchFidelity::exact, PatchLoad::uniform), c));
    wheels.back().start(smooth(0));
  }
  std::vector<double> before(wheels.size()), middle(wheels.size());
  double edge = 0;
  for (int k = 1; k < 3000; ++k) {
    const Motion m = smooth((k - 1) * h);
    const double q = patch_leak(wheels[0].p, m).q, U = m.U / 0.14, C0 = 280 * q;
    for (std::size_t p = 0; p < wheels.size(); ++p) {
      const double M = wheels[p].advance(smooth(k * h), h).zy / double(p + 1);
      const double rate =
          m.vy / double(p + 1) - C0 * middle[p] - U * edge + (p > 0 ? double(p) * U * middle[p - 1] : 0);
      ASSERT_NEAR(k > 2 ? (M - before[p]) / (2 * h) : rate, rate, 3e-5) << "M_" << p << " step " << k;
      before[p] = M;
    }
    std::swap(before, middle);
    edge = wheels[0].memory->sums.K[1];
  }
}

// [T22.14]  kappa_ss = c F_0/(1 - F_0), F_0 = int f exp(-c x), of a polynomial load: by midpoints between the two limits, where
// bristles do not leak (kappa = 1/g1) and where all slide.
TEST(LugrePatchLoad, SteadyOutflowHasItsLimits) {
  const PatchSpec s = sedan(PatchFidelity::average, PatchLoad::polynomial);
  const Wheel w(s);
  const PatchOutflow<double> rolls = patch_outflow(w.kind, w.p, 1e-9, 100.0),
                             slides = patch_outflow(w.kind, w.p, 1e4, 1.0);
  EXPECT_NEAR(rolls.kappa[0] * w.p.g1, 1, 1e-9);
  EXPECT_NEAR(rolls.kappa[1] * w.p.g1, 1, 1e-9);
  for (const double c : {0.5, 5.0, 40.0}) {
    double F0 = 0;
    for (int i = 0; i < 20000; ++i)
      F0 += patch_load_at(w.p, (i + 0.5) / 20000) * std::exp(-c * (i + 0.5) / 20000) / 20000;
    EXPECT_NEAR(patch_outflow(w.kind, w.p, c / 280, 1.0).kappa[1] / (c * F0 / (1 - F0)), 1, 1e-6) << c;
  }
  // F_0 -> f(0)/c as c grows: kappa = c F_0/(1 - F_0) -> f(0), the load of the leading edge
  EXPECT_NEAR(slides.kappa[0] / patch_load_at(w.p, 0.0), 1, 1e-4);
}

TEST(LugrePatchLoad, LoadsThatPullOrCarryNothingAreRefused) {
  const PatchSpec s = sedan(PatchFidelity::exact, PatchLoad::uniform);
  const auto fault = [&](const std::vector<double>& c) { return patch_poly_fault(with_poly(s, c)); };
  for (const std::vector<double>& good :
       std::vector<std::vector<double>>{{1}, {0, 1, -1}, {1, -2, 1}, {1, -4, 4}, {0, 0, 0, 0, 0, 0, 5}, {0, 1e-9}})
    EXPECT_EQ(fault(good), PatchPolyFault::none);
  EXPECT_EQ(fault({}), PatchPolyFault::empty);
  EXPECT_EQ(fault({1, -4, 3.9}), PatchPolyFault::pulls);  // in the middle
  EXPECT_EQ(fault({1, -1.5}), PatchPolyFault::pulls);     // at the trailing edge
  EXPECT_EQ(fault({-0.1, 2}), PatchPolyFault::pulls);     // at the leading edge
  EXPECT_EQ(fault({1, -4, 3.9999}), PatchPolyFault::pulls);
  EXPECT_EQ(fault({-1, 2}), PatchPolyFault::idle);
  EXPECT_EQ(fault({-2}), PatchPolyFault::idle);
  EXPECT_EQ(fault({0, 0}), PatchPolyFault::idle);
}

// ------------------------------------------------------------------------------------------- energy of the bristles

// [T22.20]  Uniform load, steady: 1/2 int z^2 = 1/2 (v/C0)^2 (1 - 2 (1 - e)/c + (1 - e^2)/(2 c)). Quadrature 1e-8; 32 elements
// see the mean of each: 3e-3. The mean bristle holds less (Jensen).
TEST(LugrePatchEnergy, SteadyStateIsTheClosedForm) {
  for (const Motion& m : motions()) {
    Wheel exact(sedan(PatchFidelity::exact, PatchLoad::uniform)),
        elements(sedan(PatchFidelity::distributed, PatchLoad::uniform)),
        mean(sedan(PatchFidelity::average, PatchLoad::uniform));
    for (Wheel* w : {&exact, &elements, &mean}) {
      w->start(m);
      for (int k = 0; k < 20; ++k) w->advance(m, 3e-3);
    }
    const double v[2] = {m.vx, m.vy}, q = patch_leak(exact.p, m).q;
    for (int i = 0; i < 2; ++i) {
      const double C0 = exact.p.s0[i] * q, c = C0 * 0.14 / m.U, e = std::exp(-c);
      const double law = 0.5 * v[i] * v[i] / (C0 * C0) * (1 - 2 * (1 - e) / c + (1 - e * e) / (2 * c));
      const auto of = [i](const Wheel& w) { return i == 0 ? w.held().x : w.held().y; };
      ASSERT_NEAR(of(exact), law, 2e-8 * v[i] * v[i] / (C0 * C0)) << m.U << " " << m.vx << " " << m.vy;
      ASSERT_NEAR(of(elements), law, 3e-3 * law) << m.U << " " << m.vx << " " << m.vy;
      ASSERT_LE(of(mean), law);
    }
  }
}

// [T22.22]  Work of the elastic force goes into the bristles, is lost by their leak, or leaves with them at the trailing edge; uniform
// load, per direction: d/dt 1/2 int z^2 = v int z - C0 int z^2 - 1/2 U z(1)^2. With another load bristles move into more or
// less of it: + 1/2 U int f' z^2, seen here as the difference of two loads, f = 2 x and f = 1: f' = 2.
TEST(LugrePatchEnergy, WorkIsStoredLostOrCarriedOut) {
  const double h = 1e-4, L = 0.14;
  Wheel one(sedan(PatchFidelity::exact, PatchLoad::uniform)),
      ramp(with_poly(sedan(PatchFidelity::exact, PatchLoad::uniform), {0, 1}));
  one.start(smooth(0)), ramp.start(smooth(0));
  double now = 0, ramp_now = 0, work = 0, ramp_work = 0, size = 0;
  const auto power = [&](const Motion& m, double& uniform, double& rising) {
    const double C0 = 280 * patch_leak(one.p, m).q, U = m.U / L, edge = one.memory->sums.K[1];
    uniform = m.vy * one.memory->sums.z[1] - 2 * C0 * one.held().y - 0.5 * U * edge * edge;
    rising = m.vy * ramp.memory->sums.z[1] - 2 * C0 * ramp.held().y - U * edge * edge + 2 * U * one.held().y;
  };
  now = one.held().y, ramp_now = ramp.held().y;
  double p0, r0, p1, r1;
  power(smooth(0), p0, r0);
  for (int k = 1; k <= 4000; ++k) {
    one.advance(smooth(k * h), h), ramp.advance(smooth(k * h), h);
    power(smooth(k * h), p1, r1);
    work += 0.5 * h * (p0 + p1), ramp_work += 0.5 * h * (r0 + r1);
    size = std::max(size, one.held().y);
    p0 = p1, r0 = r1;
    // trapezoids of 0.1 ms
    ASSERT_NEAR(one.held().y - now, work, 1e-4 * size + 1e-12) << k;
    ASSERT_NEAR(ramp.held().y - ramp_now, ramp_work, 2e-4 * size + 1e-12) << k;
  }
}

// A wheel that stands, pushed within friction: every bristle has the same deflection, 1/2 z^2; also after it rolled back.
TEST(LugrePatchEnergy, StandingWheelHoldsOneDeflection) {
  for (const PatchFidelity fidelity : kFidelities)
    for (const PatchLoad load : kShapes) {
      Wheel w(sedan(fidelity, load));
      w.start({0, 0, 0, 1});
      for (int k = 0; k < 50; ++k) w.advance({0, 0.01, -0.02, 1}, 1e-3);
      const auto f = w.now({0, 0, 0, 1});
      EXPECT_NEAR(w.held().x, 0.5 * f.zx * f.zx, 1e-12);
      EXPECT_NEAR(w.held().y, 0.5 * f.zy * f.zy, 1e-12);
      EXPECT_GT(w.held().x, 1e-8);
    }
}
