// SPDX-License-Identifier: Apache-2.0
// The primitives of the belt: a first-order lag in rolled distance, exact over any step, and a carcass spring in series.
// Closed forms with libm; tolerances are roundings of the numbers involved unless said otherwise.
#include "vdsim/core/tire/belt.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>

namespace {

using vdsim::belt_in_series;
using vdsim::belt_relax;
using vdsim::Pack;

constexpr double kSigma = 0.6, kV = 20, kTau = kSigma / kV;

struct Rng {
  std::mt19937_64 g{21};
  double operator()(double lo, double hi) { return lo + (hi - lo) * double(g() >> 11) * 0x1p-53; }
  // numbers of very different size: sums and differences of them round
  double slip() { return std::ldexp((*this)(-1, 1), int((*this)(-30, 0))) / 3; }
};

}  // namespace

TEST(BeltTire, InstantWhenSigmaZero) {
  Rng rnd;
  for (int i = 0; i < 1000; ++i) {
    const double s = rnd.slip(), target = rnd.slip();
    EXPECT_EQ(belt_relax(s, target, rnd(-50, 50), 0.0, rnd(0, 0.1)), target);
    EXPECT_EQ(belt_relax(s, target, 0.0, 0.0, 1e-3), target);  // even at rest: a rigid belt has no memory
  }
}

// The slip is kept bit for bit, so no number of steps at rest moves it.
TEST(BeltTire, FrozenAtStandstill) {
  Rng rnd;
  for (int i = 0; i < 1000; ++i) {
    const double s = rnd.slip(), target = rnd.slip();
    EXPECT_EQ(belt_relax(s, target, 0.0, kSigma, 1e-3), s);
    EXPECT_EQ(belt_relax(s, target, kV, kSigma, 0.0), s);  // no time, no change
  }
}

TEST(BeltTire, SingleStepMatchesAnalytic) {
  Rng rnd;
  for (int i = 0; i < 10000; ++i) {
    const double s = rnd.slip(), target = rnd.slip(), V = rnd(-60, 60), sigma = rnd(0.01, 2), dt = rnd(1e-5, 0.1);
    const double exact = target + (s - target) * std::exp(-std::fabs(V) * dt / sigma);
    EXPECT_NEAR(belt_relax(s, target, V, sigma, dt), exact, 2e-15);  // 1e-12 asked; a few roundings of numbers up to 2
    EXPECT_EQ(belt_relax(s, target, V, sigma, dt), belt_relax(s, target, -V, sigma, dt));    // reversing relaxes too
    EXPECT_EQ(belt_relax(-s, -target, V, sigma, dt), -belt_relax(s, target, V, sigma, dt));  // left and right
  }
}

// 63 % at tau, steady after 5 tau, whatever the number of steps: the update is exact, n steps are one long step.
TEST(BeltTire, StepResponseReachesTauAndSteady) {
  for (int n : {1, 3, 30, 1000, 30000}) {
    const double h = kTau / n;
    double s = 0;
    for (int i = 1; i <= 5 * n; ++i) {
      s = belt_relax(s, 1.0, kV, kSigma, h);
      if (i == n) {
        EXPECT_NEAR(s, 1 - std::exp(-1), 0.005);
        EXPECT_NEAR(s, 1 - std::exp(-1), n * 2.3e-16);  // one rounding per step
      }
    }
    EXPECT_NEAR(s, 1, 0.007);  // e^-5 = 0.0067
    EXPECT_NEAR(s, 1 - std::exp(-5), 5 * n * 2.3e-16);
  }
}

TEST(BeltTire, MonotoneNoOvershoot) {
  for (double h : {1e-4, 1e-3, 0.03, 1.0, 1e3})  // however long the step
    for (double target : {1.0, -0.3, 0.1 + 0.2}) {
      double s = 0;
      for (int i = 0; i < 2000; ++i) {
        const double next = belt_relax(s, target, kV, kSigma, h);
        EXPECT_GE((next - s) * target, 0);
        EXPECT_LE(std::fabs(next), std::fabs(target));
        s = next;
      }
    }
}

// tau = sigma/|V|: what counts is the distance. Twice the speed for half the time is the same.
TEST(BeltTire, FasterRelaxAtHigherSpeed) {
  double last = 0;
  for (double V : {1.0, 5.0, 10.0, 20.0, 40.0, 80.0}) {
    const double s = belt_relax(0.0, 1.0, V, kSigma, 5e-3);
    EXPECT_GT(s, last);
    EXPECT_EQ(s, belt_relax(0.0, 1.0, 2 * V, kSigma, 2.5e-3));
    last = s;
  }
  EXPECT_GT(belt_relax(0.0, 1.0, kV, 0.3, 5e-3), belt_relax(0.0, 1.0, kV, 0.6, 5e-3));  // and a shorter length
}

// Between start and target for every finite input, and exactly one of them at the ends of the number range.
TEST(BeltTire, FiniteForEveryFiniteInput) {
  for (double V : {0.0, 5e-324, 1e-300, 1.0, 1e300})
    for (double sigma : {5e-324, 1e-300, 1.0, 1e300})
      for (double dt : {0.0, 5e-324, 1e-3, 1e6}) {
        const double s = belt_relax(0.2, -0.1, V, sigma, dt);
        EXPECT_LE(s, 0.2 + 1e-16) << V << " " << sigma << " " << dt;  // one rounding
        EXPECT_GE(s, -0.1) << V << " " << sigma << " " << dt;
      }
  EXPECT_EQ(belt_relax(0.2, -0.1, 1e300, 1e-300, 1e6), -0.1);
}

// Every lane decides for itself: rigid, standing and rolling wheels in one pack, same bits as alone.
TEST(BeltTire, LanesEqualScalars) {
  const float sigma[8] = {0, 0.5F, 0.5F, 2, 0, 0.01F, 0.3F, 1}, V[8] = {20, 0, -20, 7, 0, 60, 1e-6F, 33};
  Pack<float, 8> s, target, pV, psigma;
  const auto set = [](Pack<float, 8>& p, int i, float x) { std::memcpy(reinterpret_cast<char*>(&p) + 4 * i, &x, 4); };
  for (int i = 0; i < 8; ++i) {
    set(s, i, 0.1F * float(i));
    set(target, i, 0.5F - 0.2F * float(i));
    set(pV, i, V[i]);
    set(psigma, i, sigma[i]);
  }
  const Pack<float, 8> out = belt_relax(s, target, pV, psigma, Pack<float, 8>(1e-3F));
  for (int i = 0; i < 8; ++i) {
    float lane;
    std::memcpy(&lane, reinterpret_cast<const char*>(&out) + 4 * i, 4);
    EXPECT_EQ(lane, belt_relax(0.1F * float(i), 0.5F - 0.2F * float(i), V[i], sigma[i], 1e-3F)) << i;
  }
}

// Compliances add: 1/k = 1/sigma0 + sigma/C, so C/k = C/sigma0 + sigma. No carcass, no change; soft carcass, its own stiffness.
TEST(BeltTire, SeriesSpringAddsLengths) {
  Rng rnd;
  for (int i = 0; i < 1000; ++i) {
    const double sigma0 = rnd(5e4, 1e6), C = rnd(1e4, 2e5), sigma = rnd(0, 2), k = belt_in_series(sigma0, sigma, C);
    EXPECT_NEAR(C / k, C / sigma0 + sigma, 4e-16 * (C / sigma0 + sigma) * 2);
    EXPECT_NEAR(belt_in_series(sigma0, 0.0, C), sigma0, 3e-16 * sigma0);
    EXPECT_LE(k, sigma0 * (1 + 3e-16));
    if (sigma > 0) {
      EXPECT_LE(k, C / sigma * (1 + 3e-16));
    }
  }
}
