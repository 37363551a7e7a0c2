// SPDX-License-Identifier: Apache-2.0
// Dual numbers: every function against its closed form, values with the bits of double, the rules where no derivative exists.
#include "vdsim/core/math/dual.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <functional>
#include <random>
#include <vector>

namespace {

using namespace vdsim;
using D = Dual<double, 4>;
using LD = long double;

D seed(double v, int k) {
  D x(v);
  x.d[k] = 1;
  return x;
}
bool same_bits(double a, double b) { return std::memcmp(&a, &b, sizeof a) == 0; }

struct Function {
  const char* name;
  std::function<D(const D&)> f;
  std::function<double(double)> value;
  std::function<LD(LD)> slope;  // closed form, by the 80-bit libm
  double from, to;
};
const std::vector<Function> kFunctions{
    {"sqrt", [](const D& x) { return sqrt(x); }, [](double x) { return vdsim::sqrt(x); },
     [](LD x) { return 1 / (2 * std::sqrt(x)); }, 1e-6, 1e6},
    {"sin", [](const D& x) { return sin(x); }, [](double x) { return vdsim::sin(x); }, [](LD x) { return std::cos(x); },
     -20, 20},
    {"cos", [](const D& x) { return cos(x); }, [](double x) { return vdsim::cos(x); },
     [](LD x) { return -std::sin(x); }, -20, 20},
    {"tan", [](const D& x) { return tan(x); }, [](double x) { return vdsim::tan(x); },
     [](LD x) { return 1 / (std::cos(x) * std::cos(x)); }, -1.5, 1.5},
    {"atan", [](const D& x) { return atan(x); }, [](double x) { return vdsim::atan(x); },
     [](LD x) { return 1 / (1 + x * x); }, -50, 50},
    {"exp", [](const D& x) { return exp(x); }, [](double x) { return vdsim::exp(x); }, [](LD x) { return std::exp(x); },
     -30, 30},
    {"log", [](const D& x) { return log(x); }, [](double x) { return vdsim::log(x); }, [](LD x) { return 1 / x; }, 1e-8,
     1e8},
    {"tanh", [](const D& x) { return tanh(x); }, [](double x) { return vdsim::tanh(x); },
     [](LD x) { return 1 / (std::cosh(x) * std::cosh(x)); }, -5, 5},
    {"abs", [](const D& x) { return abs(x); }, [](double x) { return vdsim::abs(x); },
     [](LD x) { return x < 0 ? -1 : 1; }, -3, 3},
    {"1/x", [](const D& x) { return 1.0 / x; }, [](double x) { return 1.0 / x; }, [](LD x) { return -1 / (x * x); },
     0.1, 9},
    {"x^2.3", [](const D& x) { return pow(x, 2.3); }, [](double x) { return vdsim::pow(x, 2.3); },
     [](LD x) { return LD(2.3) * std::pow(x, LD(2.3) - 1); }, 1e-3, 1e3},
    {"1.7^x", [](const D& x) { return pow(1.7, x); }, [](double x) { return vdsim::pow(1.7, x); },
     [](LD x) { return std::log(LD(1.7)) * std::pow(LD(1.7), x); }, -20, 20},
    {"atan2(x, 2)", [](const D& x) { return atan2(x, 2.0); }, [](double x) { return vdsim::atan2(x, 2.0); },
     [](LD x) { return 2 / (4 + x * x); }, -9, 9},
    {"atan2(2, x)", [](const D& x) { return atan2(2.0, x); }, [](double x) { return vdsim::atan2(2.0, x); },
     [](LD x) { return -2 / (4 + x * x); }, -9, 9}};

// The slope is made of a few rounded operations on values that are good to 2 units in the last place: 8 eps relative. cos and
// sin near their zeros keep the absolute accuracy of their value, and so does 1 - tanh^2: a few eps over the 0.01 below.
TEST(Dual, EveryFunctionHasItsClosedFormSlopeAndTheBitsOfDouble) {
  std::mt19937_64 random(7);
  for (const Function& each : kFunctions) {
    double worst = 0;
    for (int i = 0; i < 20000; ++i) {
      const double x = std::uniform_real_distribution<double>(each.from, each.to)(random);
      const D y = each.f(seed(x, 2));
      ASSERT_TRUE(same_bits(y.v, each.value(x))) << each.name << " at " << x;
      const LD want = each.slope(LD(x));
      worst = std::fmax(worst, double(std::fabs(y.d[2] - want) / (std::fabs(want) + LD(0.01))));
      ASSERT_EQ(y.d[0], 0) << each.name;
    }
    EXPECT_LT(worst, 5e-14) << each.name;
  }
}

TEST(Dual, ProductQuotientAndChainOverTwoDirections) {
  const D x = seed(1.3, 0), y = seed(-0.7, 3);
  const D f = x * x * y / (x - 2.0 * y) + sin(x * y);
  // f = x^2 y/(x - 2y) + sin(xy)
  const LD a = 1.3L, b = -0.7L, q = a - 2 * b;
  const LD fx = 2 * a * b / q - a * a * b / (q * q) + b * std::cos(a * b),
           fy = a * a / q + 2 * a * a * b / (q * q) + a * std::cos(a * b);
  EXPECT_NEAR(f.d[0], double(fx), 1e-15);
  EXPECT_NEAR(f.d[3], double(fy), 1e-15);
  EXPECT_EQ(f.d[1], 0);
}

TEST(Dual, BranchesHaveTheSlopeOfWhatIsTaken) {
  const D x = seed(2, 0), y = seed(3, 1);
  EXPECT_EQ(min(x, y).d[0], 1);
  EXPECT_EQ(max(x, y).d[1], 1);
  EXPECT_EQ(max(x, y).d[0], 0);
  EXPECT_EQ(select(x < y, x, y).d[0], 1);
  EXPECT_EQ(select(x > y, x, 5.0).v, 5);
  EXPECT_EQ(clamp(x, -1.0, 1.0).d[0], 0);
  EXPECT_EQ(clamp(x, -5.0, 5.0).d[0], 1);
  // ties: the second argument
  const D same = seed(2, 1);
  EXPECT_EQ(min(x, same).d[1], 1);
  EXPECT_EQ(max(x, same).d[0], 0);
}

TEST(Dual, SlopesThatDoNotExistAreZeroAndFinite) {
  const D zero = seed(0, 0);
  for (const D& f :
       {abs(zero), sqrt(zero), atan2(zero, zero), pow(zero, 0.5), sqrt(zero * zero + zero * zero), sign(zero)})
    EXPECT_EQ(f.d[0], 0);
  EXPECT_EQ(pow(zero, 1.0).d[0], 1);
  EXPECT_EQ(pow(zero, 2.0).d[0], 0);
  EXPECT_EQ(sign(seed(3, 0)).d[0], 0);
  EXPECT_EQ(floor(seed(3.4, 0)).v, 3);
  EXPECT_EQ(copysign(seed(3, 0), D(-1.0)).d[0], -1);
  EXPECT_EQ(copysign(seed(-3, 0), D(-1.0)).d[0], 1);
}

// Odd functions have even slopes, to the bit: what the mirror symmetry of cars needs.
TEST(Dual, MirrorImagesHaveTheSameSlopes) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 2000; ++i) {
    const double v = std::uniform_real_distribution<double>(0, 4)(random);
    const D x = seed(v, 0), m = -x;
    EXPECT_TRUE(same_bits(sin(x).d[0], -sin(m).d[0]));
    EXPECT_TRUE(same_bits(atan(x).d[0], -atan(m).d[0]));
    EXPECT_TRUE(same_bits(tanh(x).d[0], -tanh(m).d[0]));
    EXPECT_TRUE(same_bits(abs(x).d[0], abs(m).d[0]));
  }
}

// x = f(x, p) with f = (0.3 sin(x1) + p, 0.2 x0 x1 + 0.5 p^2): against central differences of the solved x, whose error is h^2 and
// eps/h: 1e-10.
TEST(Dual, SolvedFixedPointHasTheSlopesOfTheImplicitFunction) {
  const auto fixed = [](double p, double x[2]) {
    x[0] = x[1] = 0;
    for (int i = 0; i < 200; ++i) {
      const double a = 0.3 * std::sin(x[1]) + p, b = 0.2 * x[0] * x[1] + 0.5 * p * p;
      x[0] = a, x[1] = b;
    }
  };
  const double p = 0.8, h = 1e-5;
  double at[2], up[2], down[2];
  fixed(p, at), fixed(p + h, up), fixed(p - h, down);
  const D dp = seed(p, 1);
  D x[2] = {at[0], at[1]}, out[2];
  solved([&](const D y[2], D to[2]) { to[0] = 0.3 * sin(y[1]) + dp, to[1] = 0.2 * y[0] * y[1] + 0.5 * dp * dp; }, x,
         out);
  for (int i = 0; i < 2; ++i) {
    EXPECT_NEAR(x[i].d[1], (up[i] - down[i]) / (2 * h), 1e-9);
    EXPECT_NEAR(out[i].d[1], x[i].d[1], 1e-14);
    EXPECT_EQ(out[i].d[0], 0);
  }
}

}  // namespace
