// SPDX-License-Identifier: Apache-2.0
// The number types: accuracy of the elementary functions against the 80-bit libm, exact symmetry,
// special values, equality of pack lanes and scalars to the bit, masks and select.
// Compile with contraction off, or define VD_FAST where the compiler may contract.
#include "vdsim/core/math/real.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

namespace {

using vdsim::Pack;
using LD = long double;
template <class T> using Lim = std::numeric_limits<T>;

template <class T> constexpr bool is_double = std::is_same_v<T, double>;
#ifdef __aarch64__  // one register
template <class T> using PackOf = std::conditional_t<is_double<T>, Pack<double, 2>, Pack<float, 4>>;
#else
template <class T> using PackOf = std::conditional_t<is_double<T>, Pack<double, 4>, Pack<float, 8>>;
#endif
template <class T> constexpr T inf = Lim<T>::infinity();
template <class T> constexpr T nan = Lim<T>::quiet_NaN();

template <class T> bool same_bits(T a, T b) { return std::memcmp(&a, &b, sizeof a) == 0; }
template <class T> bool same(T a, T b) { return (std::isnan(a) && std::isnan(b)) || same_bits(a, b); }

// Error of a result in units of the last place of T at the exact value.
template <class T> double ulp_error(T got, LD exact) {
  if (std::isnan(got) || std::isnan(exact)) return std::isnan(got) && std::isnan(exact) ? 0 : 1e99;
  if (std::isinf(got) || std::isinf(T(exact))) return same_bits(got, T(exact)) ? 0 : 1e99;
  const int e = exact == 0 ? Lim<T>::min_exponent : std::max(std::ilogb(exact) + 1, Lim<T>::min_exponent);
  return double(std::fabs(LD(got) - exact) / std::ldexp(LD(1), e - Lim<T>::digits));
}

// ---- samples

template <class T> struct Samples : std::vector<T> {
  std::mt19937_64 rng{20240607};
  T uniform(double a, double b) { return T(std::uniform_real_distribution<double>(a, b)(rng)); }

  // Equidistant, uniform and log-uniform numbers in [a, b].
  Samples& range(double a, double b, int n = 60000) {
    for (int i = 0; i <= n; ++i) this->push_back(T(a + (b - a) * i / n));
    for (int i = 0; i < n; ++i) this->push_back(uniform(a, b));
    return *this;
  }
  Samples& scales(double a, double b, int n = 60000) {
    for (int i = 0; i < n; ++i) this->push_back(T(std::exp(double(uniform(std::log(a), std::log(b))))));
    return *this;
  }
  Samples& around(LD x, int n = 3) {
    T lo = T(x), hi = T(x);
    this->push_back(lo);
    for (int i = 0; i < n; ++i) {
      this->push_back(lo = std::nextafter(lo, -inf<T>));
      this->push_back(hi = std::nextafter(hi, inf<T>));
    }
    return *this;
  }
  Samples& mirrored() {
    const std::size_t n = this->size();
    for (std::size_t i = 0; i < n; ++i) this->push_back(-(*this)[i]);
    return *this;
  }
};

constexpr LD pi_l = 3.14159265358979323846264338327950288L;

template <class T> Samples<T> angles() {
  const double top = is_double<T> ? 1e5 : 1e3;
  Samples<T> s;
  s.range(0, 7).range(0, top).scales(1e-30, top);
  for (int k = 0; k * pi_l / 4 < top; ++k) s.around(k * pi_l / 4, 1);
  while (!s.empty() && s.back() > top) s.pop_back();
  return s.mirrored();
}
template <class T> Samples<T> atan_args() {
  Samples<T> s;
  s.range(0, 4).range(0, 100).scales(Lim<T>::min(), Lim<T>::max());
  s.around(std::sqrt(2.0L) - 1, 50).around(1, 50).around(std::sqrt(2.0L) + 1, 50);
  for (T x : {T(0), Lim<T>::denorm_min(), Lim<T>::min(), Lim<T>::max(), inf<T>}) s.push_back(x);
  return s.mirrored();
}
template <class T> Samples<T> exp_args() {
  const double lo = is_double<T> ? -760 : -110, hi = is_double<T> ? 720 : 95;
  Samples<T> s;
  s.range(lo, hi, 200000).range(-2, 2).scales(1e-30, 1);
  for (int k = -1100; k < 1100; ++k)
    if ((k + 0.5) * 0.6931 > lo && (k + 0.5) * 0.6931 < hi) s.around((k + 0.5L) * std::log(2.0L), 2);
  s.around(std::log(LD(Lim<T>::max())), 20).around(std::log(LD(Lim<T>::min())), 20);
  s.around(std::log(LD(Lim<T>::denorm_min())), 20);
  for (T x : {T(0), -T(0), inf<T>, -inf<T>, Lim<T>::max(), Lim<T>::lowest()}) s.push_back(x);
  return s;
}
template <class T> Samples<T> log_args() {
  Samples<T> s;
  s.range(1e-3, 4).range(0.5, 2).range(1, 1000).scales(Lim<T>::min(), Lim<T>::max());
  s.around(1, 500).around(std::sqrt(0.5L), 50).around(std::sqrt(2.0L), 50);
  for (T x : {Lim<T>::min(), Lim<T>::max(), inf<T>}) s.push_back(x);
  return s;
}
template <class T> Samples<T> tanh_args() {
  Samples<T> s;
  s.range(0, 3).range(0, 25).scales(Lim<T>::min(), 1);
  for (int k = 0; k < 60; ++k) s.around((k + 0.5L) * std::log(2.0L) / 2, 20);
  for (T x : {T(0), Lim<T>::denorm_min(), T(30), Lim<T>::max(), inf<T>}) s.push_back(x);
  return s.mirrored();
}

// ---- accuracy

void report(const char* name, bool dbl, double worst) {
  std::printf("[      ulp ] %-6s %-6s %.3f\n", name, dbl ? "double" : "float", worst);
}

template <class T, class F, class G> void check(const char* name, const Samples<T>& xs, F f, G ref, double bound) {
  double worst = 0;
  T at = 0;
  for (T x : xs) {
    const double e = ulp_error<T>(f(x), ref(LD(x)));
    if (e > worst) worst = e, at = x;
  }
  report(name, is_double<T>, worst);
  EXPECT_LE(worst, bound) << name << " at " << std::hexfloat << at;
}
template <class T, class F, class G>
void check2(const char* name, const Samples<T>& as, const Samples<T>& bs, F f, G ref, double bound) {
  double worst = 0;
  T at = 0, bt = 0;
  for (std::size_t i = 0; i < as.size(); ++i) {
    const T a = as[i], b = bs[i % bs.size()];
    const double e = ulp_error<T>(f(a, b), ref(LD(a), LD(b)));
    if (e > worst) worst = e, at = a, bt = b;
  }
  report(name, is_double<T>, worst);
  EXPECT_LE(worst, bound) << name << " at " << std::hexfloat << at << ", " << bt;
}

template <class T> class Real : public testing::Test {};
using Scalars = testing::Types<double, float>;
TYPED_TEST_SUITE(Real, Scalars);

#define VD_UNARY(name) [](const auto& x) { return vdsim::name(x); }
#define VD_BINARY(name) [](const auto& x, const auto& y) { return vdsim::name(x, y); }

TYPED_TEST(Real, TrigonometricAccuracy) {
  using T = TypeParam;
  const auto xs = angles<T>();
  check<T>(
      "sin", xs, VD_UNARY(sin), [](LD x) { return std::sin(x); }, 2);
  check<T>(
      "cos", xs, VD_UNARY(cos), [](LD x) { return std::cos(x); }, 2);
  check<T>(
      "tan", xs, VD_UNARY(tan), [](LD x) { return std::tan(x); }, 4);
  for (T x : xs) {
    T s, c;
    vdsim::sincos(x, s, c);
    ASSERT_LE(ulp_error<T>(s, std::sin(LD(x))), 2) << x;
    ASSERT_LE(ulp_error<T>(c, std::cos(LD(x))), 2) << x;
  }
}

TYPED_TEST(Real, AtanAccuracy) {
  using T = TypeParam;
  const auto xs = atan_args<T>();
  check<T>(
      "atan", xs, VD_UNARY(atan), [](LD x) { return std::atan(x); }, 2);
}

TYPED_TEST(Real, Atan2Accuracy) {
  using T = TypeParam;
  Samples<T> y, x;
  // Every ratio and quadrant at every scale, then pairs of comparable size.
  y.scales(Lim<T>::min(), Lim<T>::max(), 100000).mirrored();
  x.rng.seed(5);
  x.scales(Lim<T>::min(), Lim<T>::max(), 100003).mirrored();
  for (int i = 0; i < 300000; ++i) {
    const T r = T(std::exp(double(y.uniform(is_double<T> ? -700 : -80, is_double<T> ? 700 : 80))));
    y.push_back(r * y.uniform(-2, 2));
  }
  x.resize(y.size());
  for (std::size_t i = 200000; i < y.size(); ++i)
    x[i] = y[i] *
           (i % 2 ? y.uniform(-3, 3) : T(std::pow(2.4142135623730951, i % 4 - 1.0)) * y.uniform(1 - 1e-6, 1 + 1e-6));
  const T edge[] = {0,
                    Lim<T>::denorm_min(),
                    2 * Lim<T>::denorm_min(),
                    3 * Lim<T>::denorm_min(),
                    Lim<T>::min(),
                    1,
                    std::nextafter(T(1), T(2)),
                    Lim<T>::max() / 2,
                    Lim<T>::max(),
                    inf<T>};
  for (T a : edge)
    for (T b : edge)
      for (int q = 0; q < 4; ++q) {
        y.push_back(q & 1 ? -a : a);
        x.push_back(q & 2 ? -b : b);
      }
  check2<T>(
      "atan2", y, x, VD_BINARY(atan2), [](LD a, LD b) { return std::atan2(a, b); }, 4);
}

TYPED_TEST(Real, ExpLogAccuracy) {
  using T = TypeParam;
  check<T>(
      "exp", exp_args<T>(), VD_UNARY(exp), [](LD x) { return std::exp(x); }, 2);
  check<T>(
      "log", log_args<T>(), VD_UNARY(log), [](LD x) { return std::log(x); }, 2);
  check<T>(
      "tanh", tanh_args<T>(), VD_UNARY(tanh), [](LD x) { return std::tanh(x); }, 4);
}

TYPED_TEST(Real, PowAccuracy) {
  using T = TypeParam;
  Samples<T> x, y;
  x.scales(1e-3, 1e3, 400000).range(0.9, 1.1, 50000).around(1, 200);
  y.range(-20, 20, 200000);
  // Keep neither grid in step with the other.
  for (std::size_t i = 0; i < x.size(); ++i) std::swap(x[i], x[x.rng() % x.size()]);
  check2<T>(
      "pow", x, y, VD_BINARY(pow), [](LD a, LD b) { return std::pow(a, b); }, 4);
  for (T b : {T(0.001), T(0.7), T(1), T(3), T(1000)}) {
    EXPECT_EQ(vdsim::pow(b, T(0)), T(1));
    EXPECT_LE(ulp_error<T>(vdsim::pow(b, T(1)), LD(b)), 1);
  }
}

// sqrt is correctly rounded: compare with the hardware through the library.
TYPED_TEST(Real, SqrtAndFloor) {
  using T = TypeParam;
  Samples<T> s;
  s.scales(Lim<T>::min(), Lim<T>::max()).range(0, 10);
  for (T x : s) {
    ASSERT_TRUE(same_bits(vdsim::sqrt(x), std::sqrt(x)));
    ASSERT_TRUE(same_bits(vdsim::floor(x), std::floor(x)));
    ASSERT_TRUE(same_bits(vdsim::floor(-x), std::floor(-x)));
  }
  EXPECT_TRUE(std::isnan(vdsim::sqrt(T(-1))));
}

// ---- symmetry, to the bit

TYPED_TEST(Real, OddAndEven) {
  using T = TypeParam;
  auto odd = [](const char* name, const Samples<T>& xs, auto f) {
    for (T x : xs) ASSERT_TRUE(same_bits(f(T(-x)), T(-f(x)))) << name << " at " << std::hexfloat << x;
  };
  odd("sin", angles<T>(), VD_UNARY(sin));
  odd("tan", angles<T>(), VD_UNARY(tan));
  odd("atan", atan_args<T>(), VD_UNARY(atan));
  odd("tanh", tanh_args<T>(), VD_UNARY(tanh));
  for (T x : {T(2), T(1), T(0.3), T(0), -T(0), T(-0.3), T(-5), inf<T>, -inf<T>})
    odd("atan2", atan_args<T>(), [x](T y) { return vdsim::atan2(y, x); });
  for (T x : angles<T>()) ASSERT_TRUE(same_bits(vdsim::cos(T(-x)), vdsim::cos(x))) << x;
}

// ---- special values

TYPED_TEST(Real, SpecialValues) {
  using T = TypeParam;
  const T n = nan<T>, i = inf<T>, pi = T(pi_l);
  for (T x : {n, T(-n)}) {
    EXPECT_TRUE(std::isnan(vdsim::sin(x)));
    EXPECT_TRUE(std::isnan(vdsim::cos(x)));
    EXPECT_TRUE(std::isnan(vdsim::tan(x)));
    EXPECT_TRUE(std::isnan(vdsim::atan(x)));
    EXPECT_TRUE(std::isnan(vdsim::exp(x)));
    EXPECT_TRUE(std::isnan(vdsim::log(x)));
    EXPECT_TRUE(std::isnan(vdsim::tanh(x)));
    EXPECT_TRUE(std::isnan(vdsim::sqrt(x)));
    EXPECT_TRUE(std::isnan(vdsim::sign(x)));
    EXPECT_TRUE(std::isnan(vdsim::clamp(x, T(0), T(1))));
    for (T y : {T(0), T(1), T(-2), i, n}) {
      EXPECT_TRUE(std::isnan(vdsim::atan2(x, y)));
      EXPECT_TRUE(std::isnan(vdsim::atan2(y, x)));
      EXPECT_TRUE(std::isnan(vdsim::pow(x, y)));
      EXPECT_TRUE(std::isnan(vdsim::pow(y, x)));
    }
  }
  // NaNs with other payloads must not leak through the exponent arithmetic.
  typename vdsim::bits_t<T> payload = vdsim::detail::to_bits(n) | 0x2a5b7;
  const T odd_nan = vdsim::detail::from_bits<T>(payload);
  EXPECT_TRUE(std::isnan(vdsim::exp(odd_nan)) && std::isnan(vdsim::log(odd_nan)) && std::isnan(vdsim::tanh(odd_nan)));
  EXPECT_TRUE(std::isnan(vdsim::sin(i)) && std::isnan(vdsim::cos(-i)) && std::isnan(vdsim::tan(i)));

  EXPECT_TRUE(same_bits(vdsim::sin(-T(0)), -T(0)));
  EXPECT_TRUE(same_bits(vdsim::tan(-T(0)), -T(0)));
  EXPECT_TRUE(same_bits(vdsim::atan(-T(0)), -T(0)));
  EXPECT_TRUE(same_bits(vdsim::tanh(-T(0)), -T(0)));
  EXPECT_EQ(vdsim::cos(T(0)), T(1));
  EXPECT_EQ(vdsim::atan(i), pi / 2);
  EXPECT_EQ(vdsim::atan(-i), -pi / 2);
  EXPECT_EQ(vdsim::tanh(i), T(1));
  EXPECT_EQ(vdsim::tanh(-i), T(-1));

  for (T y : {T(0), -T(0), T(1), T(-1), i, -i})
    for (T x : {T(0), -T(0), T(1), T(-1), i, -i})
      EXPECT_TRUE(same_bits(vdsim::atan2(y, x), T(std::atan2(LD(y), LD(x))))) << y << ' ' << x;

  EXPECT_EQ(vdsim::exp(T(0)), T(1));
  EXPECT_EQ(vdsim::exp(i), i);
  EXPECT_TRUE(same_bits(vdsim::exp(-i), T(0)));
  EXPECT_EQ(vdsim::exp(T(is_double<T> ? 709.8 : 88.8)), i);
  EXPECT_EQ(vdsim::exp(T(is_double<T> ? -746 : -104.5)), T(0));
  const T tiny = vdsim::exp(T(is_double<T> ? -740 : -100));
  EXPECT_TRUE(tiny > 0 && tiny < Lim<T>::min()) << "underflow is gradual";

  EXPECT_TRUE(same_bits(vdsim::log(T(1)), T(0)));
  EXPECT_EQ(vdsim::log(T(0)), -i);
  EXPECT_EQ(vdsim::log(-T(0)), -i);
  EXPECT_EQ(vdsim::log(i), i);
  EXPECT_TRUE(std::isnan(vdsim::log(T(-1))));
  EXPECT_TRUE(std::isnan(vdsim::log(-i)));

  EXPECT_EQ(vdsim::pow(T(0), T(2)), T(0));
  EXPECT_EQ(vdsim::pow(T(0), T(0)), T(1));
  EXPECT_EQ(vdsim::pow(T(0), T(-1)), i);
  EXPECT_EQ(vdsim::pow(T(1000), T(20)), is_double<T> ? T(1e60) : i);
  EXPECT_TRUE(std::isnan(vdsim::pow(T(-2), T(2))));
}

TYPED_TEST(Real, SmallFunctions) {
  using T = TypeParam;
  EXPECT_TRUE(same_bits(vdsim::abs(-T(0)), T(0)));
  EXPECT_EQ(vdsim::abs(T(-2.5)), T(2.5));
  EXPECT_EQ(vdsim::abs(-inf<T>), inf<T>);
  EXPECT_TRUE(same_bits(vdsim::copysign(T(3), -T(0)), T(-3)));
  EXPECT_TRUE(same_bits(vdsim::copysign(T(-3), T(2)), T(3)));
  EXPECT_EQ(vdsim::sign(T(-7)), T(-1));
  EXPECT_EQ(vdsim::sign(T(0)), T(0));
  EXPECT_EQ(vdsim::sign(Lim<T>::denorm_min()), T(1));
  EXPECT_EQ(vdsim::clamp(T(5), T(-1), T(2)), T(2));
  EXPECT_EQ(vdsim::clamp(T(-5), T(-1), T(2)), T(-1));
  EXPECT_EQ(vdsim::clamp(T(1.5), T(-1), T(2)), T(1.5));
  EXPECT_EQ(vdsim::sq(T(-3)), T(9));
  EXPECT_EQ(vdsim::min(T(1), T(2)), T(1));
  EXPECT_EQ(vdsim::max(T(1), T(2)), T(2));
  EXPECT_EQ(vdsim::min(nan<T>, T(2)), T(2));
  EXPECT_TRUE(std::isnan(vdsim::min(T(2), nan<T>)));
  EXPECT_EQ(vdsim::max(nan<T>, T(2)), T(2));
  EXPECT_TRUE(std::isnan(vdsim::max(T(2), nan<T>)));
  EXPECT_TRUE(vdsim::is_finite(Lim<T>::max()));
  EXPECT_FALSE(vdsim::is_finite(-inf<T>));
  EXPECT_FALSE(vdsim::is_finite(nan<T>));
  EXPECT_EQ(vdsim::select(true, T(1), T(2)), T(1));
  EXPECT_EQ(vdsim::select(false, T(1), T(2)), T(2));
  T x = 1;
  vdsim::set_lane(x, 0, T(4));
  EXPECT_EQ(vdsim::lane(x, 0), T(4));
  EXPECT_TRUE(vdsim::any(true) && vdsim::all(true) && !vdsim::any(false) && !vdsim::all(false));
}

// ---- packs

template <class T> PackOf<T> load(const T* p) {
  PackOf<T> x;
  for (int i = 0; i < vdsim::lanes<PackOf<T>>; ++i) vdsim::set_lane(x, i, p[i]);
  return x;
}

#ifdef VD_FAST
// Contraction may differ between scalar and vector code: only closeness is promised.
constexpr double lane_ulp = 8;
#else
constexpr double lane_ulp = 0;
#endif

template <class T> bool lane_matches(T pack, T scalar) {
  return lane_ulp == 0 ? same(pack, scalar) : same(pack, scalar) || ulp_error<T>(pack, LD(scalar)) <= lane_ulp;
}

template <class T> Samples<T> lane_args(const Samples<T>& xs, std::size_t stride) {
  Samples<T> s;
  for (std::size_t i = 0; i < xs.size(); i += stride) s.push_back(xs[i]);
  // Special values between ordinary ones: no lane may disturb its neighbours.
  for (T x : {T(0), -T(0), inf<T>, T(0.5), -inf<T>, T(3), nan<T>, T(-1), Lim<T>::max(), Lim<T>::min(), T(1)})
    s.push_back(x);
  std::shuffle(s.begin(), s.end(), s.rng);
  s.resize(s.size() / 8 * 8);
  return s;
}

template <class T, class F> void check_lanes(const char* name, const Samples<T>& all_xs, F f) {
  constexpr int n = vdsim::lanes<PackOf<T>>;
  const Samples<T> xs = lane_args(all_xs, 7);
  for (std::size_t i = 0; i < xs.size(); i += n) {
    const PackOf<T> r = f(load(&xs[i]));
    for (int k = 0; k < n; ++k) {
      const T x = xs[i + k];
      ASSERT_TRUE(lane_matches(vdsim::lane(r, k), f(x)))
          << name << " lane " << k << " at " << std::hexfloat << x << ": " << vdsim::lane(r, k) << " vs " << f(x);
    }
  }
}
template <class T, class F> void check_lanes2(const char* name, const Samples<T>& as, const Samples<T>& bs, F f) {
  constexpr int n = vdsim::lanes<PackOf<T>>;
  Samples<T> xs = lane_args(as, 7), ys = lane_args(bs, 11);
  std::reverse(ys.begin(), ys.end());
  for (std::size_t i = 0; i + n <= std::min(xs.size(), ys.size()); i += n) {
    const PackOf<T> r = f(load(&xs[i]), load(&ys[i]));
    for (int k = 0; k < n; ++k) {
      const T x = xs[i + k], y = ys[i + k];
      ASSERT_TRUE(lane_matches(vdsim::lane(r, k), f(x, y)))
          << name << " lane " << k << " at " << std::hexfloat << x << ", " << y;
    }
  }
}

TYPED_TEST(Real, LanesEqualScalars) {
  using T = TypeParam;
#ifdef VD_FAST
  // Near its zeros and poles a contracted reduction is more accurate, not equal: stay inside.
  Samples<T> ang;
  ang.range(0.05, 1.5);
#else
  const auto ang = angles<T>();
#endif
  check_lanes("sin", ang, VD_UNARY(sin));
  check_lanes("cos", ang, VD_UNARY(cos));
  check_lanes("tan", ang, VD_UNARY(tan));
  check_lanes("atan", atan_args<T>(), VD_UNARY(atan));
  check_lanes("exp", exp_args<T>(), VD_UNARY(exp));
  check_lanes("log", log_args<T>(), VD_UNARY(log));
  check_lanes("tanh", tanh_args<T>(), VD_UNARY(tanh));
  check_lanes("sqrt", log_args<T>(), VD_UNARY(sqrt));
  check_lanes("floor", tanh_args<T>(), VD_UNARY(floor));
  check_lanes("abs", atan_args<T>(), VD_UNARY(abs));
  check_lanes("sign", atan_args<T>(), VD_UNARY(sign));
  check_lanes("sq", atan_args<T>(), VD_UNARY(sq));
  check_lanes("neg", atan_args<T>(), [](const auto& x) { return -x; });
  check_lanes2("atan2", atan_args<T>(), tanh_args<T>(), VD_BINARY(atan2));
  check_lanes2("copysign", atan_args<T>(), tanh_args<T>(), VD_BINARY(copysign));
  check_lanes2("min", tanh_args<T>(), atan_args<T>(), VD_BINARY(min));
  check_lanes2("max", tanh_args<T>(), atan_args<T>(), VD_BINARY(max));
  check_lanes2("div", tanh_args<T>(), atan_args<T>(), [](const auto& a, const auto& b) { return a / b; });
  Samples<T> base, power;
  base.scales(1e-3, 1e3);
  power.range(-20, 20);
  check_lanes2("pow", base, power, VD_BINARY(pow));
  check_lanes2("clamp", tanh_args<T>(), atan_args<T>(),
               [](const auto& a, const auto& b) { return vdsim::clamp(a, -vdsim::abs(b), vdsim::abs(b)); });
  check_lanes2("select", tanh_args<T>(), atan_args<T>(), [](const auto& a, const auto& b) {
    return vdsim::select((a < b) | !((a >= 0.25) & (b != 1.0)), a, b * 0.5);
  });
}

TYPED_TEST(Real, PackMasks) {
  using T = TypeParam;
  using P = PackOf<T>;
  constexpr int n = vdsim::lanes<P>;
  T values[n];
  for (int i = 0; i < n; ++i) values[i] = T(i);
  const P x = load(values);
  for (int i = 0; i <= n; ++i) {
    const auto below = x < T(i);
    EXPECT_EQ(any(below), i > 0);
    EXPECT_EQ(all(below), i == n);
    EXPECT_EQ(any(!below), i < n);
    for (int k = 0; k < n; ++k) {
      EXPECT_EQ(lane(below, k), k < i);
      EXPECT_EQ(lane(x <= T(i), k), k <= i);
      EXPECT_EQ(lane(x > T(i), k), k > i);
      EXPECT_EQ(lane(x >= T(i), k), k >= i);
      EXPECT_EQ(lane(x == T(i), k), k == i);
      EXPECT_EQ(lane(x != T(i), k), k != i);
      EXPECT_EQ(lane(below & (x > 0), k), k < i && k > 0);
      EXPECT_EQ(lane(below | (x > 2), k), k < i || k > 2);
      EXPECT_EQ(lane(select(below, x, -x), k), T(k < i ? k : -k));
      EXPECT_EQ(lane(select(below, 1.0, 0.0), k), T(k < i ? 1 : 0));
    }
  }
  vdsim::mask_t<P> m = false;
  EXPECT_FALSE(any(m));
  m = true;
  EXPECT_TRUE(all(m));
  P bad = x;
  set_lane(bad, n - 1, nan<T>);
  set_lane(bad, 0, inf<T>);
  for (int k = 0; k < n; ++k) EXPECT_EQ(lane(vdsim::is_finite(bad), k), k != 0 && k != n - 1);
  EXPECT_FALSE(lane(bad == bad, n - 1));
  EXPECT_TRUE(lane(bad == bad, 0));
}

TYPED_TEST(Real, PackArithmeticAndLiterals) {
  using T = TypeParam;
  using P = PackOf<T>;
  constexpr int n = vdsim::lanes<P>;
  P x = 0.1;
  const T t = T(0.1);
  for (int k = 0; k < n; ++k) {
    EXPECT_EQ(lane(x, k), t) << "a double literal is rounded to T";
    EXPECT_TRUE(same_bits(lane(P(-0.0), k), -T(0)));
    EXPECT_EQ(lane(x * 0.3, k), T(t * T(0.3)));
    EXPECT_EQ(lane(0.3 * x, k), T(t * T(0.3)));
    EXPECT_EQ(lane(x + 1, k), T(t + 1));
    EXPECT_EQ(lane(1 - x, k), T(1 - t));
    EXPECT_EQ(lane(2.0 / x, k), T(2 / t));
    EXPECT_TRUE(same_bits(lane(-P(0), k), -T(0)));
    EXPECT_EQ(lane(vdsim::min(x, 1.0), k), t);
    EXPECT_EQ(lane(vdsim::max(1, x), k), T(1));
    EXPECT_EQ(lane(vdsim::pow(P(4), 0.5), k), T(2));
  }
  P y = 3;
  y += 1;
  y *= x;
  y -= 0.25;
  y /= 2.0;
  T s = 3;
  s += 1;
  s *= t;
  s -= T(0.25);
  s /= 2;
#ifndef VD_FAST
  for (int k = 0; k < n; ++k) EXPECT_EQ(lane(y, k), s);
#endif
  EXPECT_NEAR(double(lane(y, n - 1)), double(s), 1e-7);
  set_lane(y, 1, T(9));
  EXPECT_EQ(lane(y, 1), T(9));
  EXPECT_NE(lane(y, 0), T(9));
}

template <class P> constexpr bool plain =
    std::is_trivially_copyable_v<P>&& std::is_trivially_default_constructible_v<P>;
static_assert(plain<Pack<double, 4>> && plain<Pack<float, 8>> && plain<vdsim::mask_t<Pack<float, 8>>>);
static_assert(sizeof(Pack<double, 4>) == 32 && sizeof(Pack<float, 8, vdsim::IsaAvx2>) == 32);
static_assert(!std::is_same_v<Pack<double, 4>, Pack<double, 4, vdsim::IsaAvx2>>);
static_assert(vdsim::lanes<double> == 1 && vdsim::lanes<Pack<float, 8>> == 8);
static_assert(std::is_same_v<vdsim::scalar_t<Pack<float, 8>>, float>);
static_assert(std::is_same_v<vdsim::mask_t<float>, bool>);
static_assert(std::is_same_v<decltype(vdsim::min(1.0f, 2.0)), float>);
static_assert(std::is_same_v<decltype(vdsim::pow(2.0f, 2)), float>);
static_assert(std::is_same_v<decltype(vdsim::clamp(1.0, 0, 2)), double>);
static_assert(std::is_same_v<decltype(2.0 * Pack<float, 8>()), Pack<float, 8>>);

}  // namespace
