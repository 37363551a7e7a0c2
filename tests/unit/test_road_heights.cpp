// SPDX-License-Identifier: Apache-2.0
// Height fields, the loop and the reader of height maps against closed forms.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <cstring>
#include <functional>
#include <numbers>
#include <string>
#include <vector>

#include "vdsim/core/road/road.hpp"
#include "vdsim/formats/heightmap_read.hpp"

namespace {

using namespace vdsim;
constexpr double pi = std::numbers::pi;

// A road ready to be asked; the spec stays editable until then.
struct Built {
  explicit Built(const RoadSpec& s) : kind(road_kind(s)), road(compile_road(s)), table(make_rough_table(s)) {
    data = {s.grid, s.crg, &table};
  }
  Built(const Built&) = delete;
  RoadHeight<double> at(double x, double y) const { return road_height(kind, data, road, x, y); }
  RoadHeight<double> mean(double x, double y, double psi, double a, double b) const {
    return road_height_patch(kind, data, road, x, y, std::cos(psi), std::sin(psi), a, b);
  }
  RoadPoint<double> surface(double x, double y, double z) const {
    return road_surface(kind, data, road, x, y, z, 1.0, 0.0, 0.0, 0.0);
  }
  RoadKind kind;
  Road<double> road;
  RoughTable table;
  RoadData data;
};

RoadSpec iso(IsoClass c, int seed = 1) {
  RoadSpec s;
  s.iso_class = c;
  s.psd.seed = seed;
  return s;
}

// --- spectrum of a profile

void fft(std::vector<std::complex<double>>& a) {
  const std::size_t n = a.size();
  for (std::size_t i = 1, j = 0; i < n; ++i) {
    std::size_t bit = n >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) std::swap(a[i], a[j]);
  }
  for (std::size_t len = 2; len <= n; len <<= 1) {
    const std::complex<double> w = std::polar(1.0, -2 * pi / double(len));
    for (std::size_t i = 0; i < n; i += len) {
      std::complex<double> f = 1;
      for (std::size_t k = 0; k < len / 2; ++k, f *= w) {
        const auto u = a[i + k], v = a[i + k + len / 2] * f;
        a[i + k] = u + v, a[i + k + len / 2] = u - v;
      }
    }
  }
}

// One-sided spectrum [m^3] of the height along a line y = const, by a Hann window over 8192 m in steps of 1/8 m.
struct Spectrum {
  explicit Spectrum(const std::function<double(double)>& height) {
    constexpr std::size_t N = 1 << 16;
    std::vector<std::complex<double>> a(N);
    for (std::size_t i = 0; i < N; ++i) {
      const double z = height(double(i) * 0.125);
      square += z * z / N;
      a[i] = z * (1 - std::cos(2 * pi * double(i) / N));
    }
    fft(a);
    for (std::size_t i = 0; i < N / 2; ++i) power.push_back(2 * std::norm(a[i]) / (1.5 * double(N) * double(N)));
  }
  double band(double lo, double hi) const {  // variance in it [m^2]
    double sum = 0;
    for (std::size_t i = 0; i < power.size(); ++i)
      if (const double n = double(i) / 8192; n >= lo && n < hi) sum += power[i];
    return sum;
  }
  double square = 0;
  std::vector<double> power;
};
double law_band(double level, double w, double lo, double hi) {  // integral of level (n/0.1)^-w
  return level * std::pow(0.1, w) * (std::pow(hi, 1 - w) - std::pow(lo, 1 - w)) / (1 - w);
}
const double kThird = std::cbrt(2.0);

// --- slopes

void expect_slopes(const std::function<RoadHeight<double>(double, double)>& h, double x, double y, double tol) {
  const double e = 1e-5;
  const RoadHeight<double> o = h(x, y);
  EXPECT_NEAR(o.zx, (h(x + e, y).z - h(x - e, y).z) / (2 * e), tol) << "at " << x << ", " << y;
  EXPECT_NEAR(o.zy, (h(x, y + e).z - h(x, y - e).z) / (2 * e), tol) << "at " << x << ", " << y;
}

// Mean over the patch by Simpson's rule on 32 x 32 intervals: error (kappa d)^4/180 of a wave, 5e-7 of it at most here.
RoadHeight<double> simpson_mean(const Built& b, double x, double y, double psi, double a, double w) {
  RoadHeight<double> o{0, 0, 0};
  const int N = 32;
  const double c = std::cos(psi), s = std::sin(psi);
  const auto weight = [](int i) { return (i == 0 || i == N ? 1.0 : i % 2 ? 4.0 : 2.0) / (3.0 * N); };
  for (int i = 0; i <= N; ++i)
    for (int j = 0; j <= N; ++j) {
      const double u = a * (2.0 * i / N - 1), v = w * (2.0 * j / N - 1);
      add_height(o, b.at(x + c * u - s * v, y + s * u + c * v), weight(i) * weight(j));
    }
  return o;
}

struct GridOf {
  GridOf(int nx, int ny, double x0, double y0, double dx, double dy, const std::function<double(double, double)>& f) {
    for (int j = 0; j < ny; ++j)
      for (int i = 0; i < nx; ++i) z.push_back(f(x0 + i * dx, y0 + j * dy));
    grid = {nx, ny, x0, y0, dx, dy, z.data()};
  }
  RoadSpec spec(Interpolation how) const {
    RoadSpec s;
    s.grid = &grid;
    s.interpolation = how;
    return s;
  }
  std::vector<double> z;
  RoadGrid grid;
};

RoadSpec ramp_spec(double lip = 0, double width = 0) {
  RoadSpec s;
  s.stunt.ramp = {20, 10, 1.5, lip, width};
  return s;
}
RoadSpec oval_spec() {
  RoadSpec s;
  s.stunt.oval = {60, 120, 12, 0.35};
  return s;
}
RoadSpec loop_spec(double drift) {
  RoadSpec s;
  s.stunt.loop = {40, 8, 5, drift};
  return s;
}

}  // namespace

TEST(RoadHeights, NothingThereByDefault) {
  const Built b{RoadSpec{}};
  EXPECT_TRUE(b.kind.flat);
  EXPECT_FALSE(b.kind.loop);
  const RoadHeight<double> h = b.at(12, -3), m = b.mean(12, -3, 0.4, 0.1, 0.1);
  EXPECT_EQ(h.z, 0);
  EXPECT_EQ(h.zx, 0);
  EXPECT_EQ(h.zy, 0);
  EXPECT_EQ(m.z, 0);
  EXPECT_EQ(m.zx, 0);
  EXPECT_EQ(m.zy, 0);
  const RoadPoint<double> p = b.surface(12, -3, 0.7);
  EXPECT_EQ(p.gap, 0.7);
  EXPECT_EQ(p.nx, 0);
  EXPECT_EQ(p.ny, 0);
  EXPECT_EQ(p.nz, 1);
}

// --- unevenness

TEST(RoadHeights, RmsOfTheClasses) {
  // integral of Gd from 0.0131 to 2.83 cycles/m; the table holds it exactly, a stretch of 8 km its mean to some percent
  const double mm[] = {3.5, 7, 14, 28};
  for (int c = 0; c < 4; ++c) {
    const Built b{iso(IsoClass(int(IsoClass::A) + c))};
    const double exact = std::sqrt(law_band(16e-6 * std::pow(4, c), 2, 0.0131, 2.83));
    EXPECT_NEAR(exact, mm[c] * 1e-3, 0.01 * mm[c] * 1e-3);
    double sum = 0;
    for (int j = 0; j < kRoughOctaves; ++j)
      for (int k = 0; k < kRoughFamilies; ++k) sum += 0.5 * (sq(b.table.a[j][k]) + sq(b.table.b[j][k]));
    EXPECT_NEAR(std::sqrt(sum), exact, 1e-13);
    const Spectrum s([&](double x) { return b.at(x, 0).z; });
    EXPECT_NEAR(std::sqrt(s.square), exact, 0.05 * exact);
  }
}

// Bands of the standard: octaves to 0.0312 cycles/m, thirds to 0.25, twelfths above; then thirds from n_min on, and
// tenths of the decade. A third holds four waves wherever it begins, each 1/48 octave off the middle of a band (1.5 %);
// the first and the last wave of the table stand for up to 1/24 octave more (6 % of a third); a band that begins on a
// wave takes what the window leaves of it.
TEST(RoadHeights, SpectrumInBands) {
  for (int seed : {1, 7}) {
    const Built b{iso(IsoClass::C, seed)};
    const Spectrum s([&](double x) { return b.at(x, 1.5 * seed).z; });
    const auto check = [&](double lo, double hi, double tol) {
      EXPECT_NEAR(s.band(lo, hi) / law_band(256e-6, 2, lo, hi), 1, tol)
          << "seed " << seed << ", " << lo << " to " << hi;
    };
    check(0.03125 / std::sqrt(2), 0.03125 * std::sqrt(2), 0.03);
    for (int k = -13; k <= -6; ++k) check(std::exp2((k - 0.5) / 3), std::exp2((k + 0.5) / 3), 0.03);
    for (int k = -23; k <= 16; ++k) check(std::exp2((k - 0.5) / 12), std::exp2((k + 0.5) / 12), 0.03);
    for (double lo = 0.0131; lo * kThird <= 2.83; lo *= kThird) check(lo, lo * kThird, 0.07);
    for (int k = -18; k <= 4; ++k) check(std::pow(10, (k - 0.5) / 10), std::pow(10, (k + 0.5) / 10), 0.12);
    EXPECT_LT(s.band(2.83 * 1.01, 4), 1e-6 * s.band(0.01, 2.83));  // nothing above n_max
    EXPECT_LT(s.band(0, 0.0128), 1e-3 * s.band(0.01, 2.83));       // nor below n_min
  }
}

TEST(RoadHeights, TwoSlopesMeetAtTheBreak) {
  RoadSpec r;
  r.psd = {64e-6, 3, 0.2, 1.5, 0.02, 2.5, 3};
  const Built b{r};
  const Spectrum s([&](double x) { return b.at(x, 0).z; });
  const double upper = 64e-6 * std::pow(0.2 / 0.1, -3 + 1.5);  // the upper line, referred to n0 = 0.1
  for (int k = -16; k <= 3; ++k) {
    const double lo = std::exp2((k - 0.5) / 3), hi = std::exp2((k + 0.5) / 3);
    const double want = law_band(64e-6, 3, std::min(lo, 0.2), std::min(hi, 0.2)) +
                        law_band(upper, 1.5, std::max(lo, 0.2), std::max(hi, 0.2));
    EXPECT_NEAR(s.band(lo, hi) / want, 1, 0.07) << lo << " to " << hi;
  }
}

TEST(RoadHeights, WavinessOneIsNoSpecialCase) {  // the integral of 1/n is a logarithm
  RoadSpec a, b, c;
  a.psd.gd_n0 = b.psd.gd_n0 = c.psd.gd_n0 = 1e-5;
  a.psd.waviness = 1 - 1e-6, b.psd.waviness = 1, c.psd.waviness = 1 + 1e-6;
  const double za = Built(a).at(3, 1).z, zb = Built(b).at(3, 1).z, zc = Built(c).at(3, 1).z;
  EXPECT_NEAR(zb, 0.5 * (za + zc), 1e-9 * std::abs(zb));
}

TEST(RoadHeights, ClassSetsTheLevelUnlessPsdDoes) {
  RoadSpec s = iso(IsoClass::H);
  EXPECT_DOUBLE_EQ(rough_level(s), 262144e-6);
  s.psd.gd_n0 = 1e-4;
  EXPECT_EQ(rough_level(s), 1e-4);
}

TEST(RoadHeights, SameSeedSameBitsOtherSeedOtherRoad) {
  const RoughTable a = make_rough_table(iso(IsoClass::B, 5)), b = make_rough_table(iso(IsoClass::B, 5));
  EXPECT_EQ(std::memcmp(&a, &b, sizeof a), 0);
  const Built one{iso(IsoClass::B, 5)}, two{iso(IsoClass::B, 6)};
  double same = 0, mixed = 0;
  for (int i = 0; i < 4000; ++i) same += sq(one.at(i, 0).z), mixed += one.at(i, 0).z * two.at(i, 0).z;
  EXPECT_LT(std::abs(mixed), 0.7 * same);  // a dozen long waves hold half the variance: chance is 0.2 or so
  // directions fill (-1, 1) evenly: the left and the right track see the same road, apart from chance
  double mean = 0;
  for (double t : a.t) {
    EXPECT_LT(std::abs(t), 1);
    mean += t / kRoughFamilies;
  }
  EXPECT_LT(std::abs(mean), 0.1);
  // numbers of all machines and compilers
  EXPECT_EQ(one.at(123.25, -4.5).z, 0x1.02f6efdbcb5a1p-7);
  EXPECT_EQ(road_height_patch(one.kind, one.data, one.road, 123.25, -4.5, 0.8, 0.6, 0.08, 0.1).zx,
            0x1.113f6e6e639fp-10);
}

TEST(RoadHeights, TracksOfOneCarDifferMoreTheShorterTheWave) {
  const Built b{iso(IsoClass::C)};
  const Spectrum mean([&](double x) { return 0.5 * (b.at(x, 0).z + b.at(x, 1.5).z); });
  const Spectrum left([&](double x) { return b.at(x, 1.5).z; });
  EXPECT_GT(mean.band(0.013, 0.03) / left.band(0.013, 0.03), 0.98);  // long waves lift both sides
  EXPECT_LT(mean.band(0.5, 2.8) / left.band(0.5, 2.8), 0.75);        // short ones are nearly independent: 1/2
}

TEST(RoadHeights, SineRoad) {
  RoadSpec s;
  s.rough_amp = 0.03, s.rough_wl = 4;
  const Built b{s};
  for (double x : {0.0, 0.7, 1.0, 3.0, 101.0}) {
    EXPECT_NEAR(b.at(x, 9).z, 0.03 * std::sin(2 * pi * x / 4), 1e-15);
    EXPECT_NEAR(b.at(x, 9).zx, 0.03 * pi / 2 * std::cos(2 * pi * x / 4), 1e-15);
  }
  // a patch as long as the wave feels nothing, half as long 2/pi of it
  EXPECT_NEAR(b.mean(1, 0, 0, 2, 0.1).z, 0, 1e-16);
  EXPECT_NEAR(b.mean(1, 0, 0, 1, 0.1).z, 0.03 * 2 / pi, 1e-16);
  EXPECT_NEAR(b.mean(1, 0, pi / 2, 0.1, 1).z, 0.03 * 2 / pi, 1e-16);  // across
}

// Central differences over 2e-5 m: truncation h^2/6 of the third derivative, rounding 1e-16/1e-5.
TEST(RoadHeights, SlopesAreDerivatives) {
  RoadSpec all = iso(IsoClass::D, 3);
  all.rough_amp = 0.02;
  const Built rough(all), ramp(ramp_spec(2, 4)), oval(oval_spec());
  const GridOf g(12, 9, -3, -2, 0.7, 0.9, [](double x, double y) { return 0.2 * std::sin(x) * std::cos(0.8 * y); });
  const Built linear(g.spec(Interpolation::bilinear)), cubic(g.spec(Interpolation::bicubic));
  for (int i = 0; i < 60; ++i) {
    const double x = 17.123 * i - 300, y = 3.77 * std::sin(1.7 * i);
    expect_slopes([&](double u, double v) { return rough.at(u, v); }, x, y, 1e-6);
    expect_slopes([&](double u, double v) { return rough.mean(u, v, 0.3 * i, 0.09, 0.11); }, x, y, 1e-6);
    expect_slopes([&](double u, double v) { return ramp.at(u, v); }, 18.01 + 0.25 * i, 0.65 * y, 1e-5);
    const double phi = 0.21 * i, r = 60 + 7 * std::sin(3.1 * i);
    expect_slopes([&](double u, double v) { return oval.at(u, v); },
                  std::copysign(60, std::cos(phi)) + r * std::cos(phi), 60 + r * std::sin(phi), 1e-6);
    expect_slopes([&](double u, double v) { return oval.at(u, v); }, 4.1 * i - 121, 60 - r, 1e-6);
    const double gx = -4.031 + 0.171 * i, gy = 1.5 + 4.3 * std::sin(2.2 * i);
    expect_slopes([&](double u, double v) { return linear.at(u, v); }, gx, gy, 1e-6);
    expect_slopes([&](double u, double v) { return cubic.at(u, v); }, gx, gy, 1e-6);
  }
}

TEST(RoadHeights, PatchMeanOfWavesIsExact) {
  RoadSpec s = iso(IsoClass::D, 9);
  s.rough_amp = 0.01, s.rough_wl = 0.5;
  const Built b{s};
  for (int i = 0; i < 12; ++i) {
    const double x = 31.7 * i, y = 2.3 * i - 9, psi = 0.6 * i;
    const RoadHeight<double> got = b.mean(x, y, psi, 0.12, 0.1), want = simpson_mean(b, x, y, psi, 0.12, 0.1);
    EXPECT_NEAR(got.z, want.z, 5e-9);    // 5e-7 of 0.01 m
    EXPECT_NEAR(got.zx, want.zx, 1e-7);  // of slopes of 0.2
    EXPECT_NEAR(got.zy, want.zy, 1e-7);
    const RoadHeight<double> point = b.at(x, y), small = b.mean(x, y, psi, 1e-9, 1e-9);
    EXPECT_NEAR(small.z, point.z, 1e-15);
    EXPECT_NEAR(small.zx, point.zx, 1e-14);
  }
}

TEST(RoadHeights, PatchMeanOfAShapeIsExactToCubics) {
  const auto f = [](double x, double y) { return 0.1 * x * x * x - 0.05 * x * y * y + 0.2 * y * y - 0.3 * x * y; };
  const GridOf g(9, 9, -4, -4, 1, 1, f);
  const Built b{g.spec(Interpolation::bicubic)};
  for (double psi : {0.0, 0.5, 2.0}) {
    const RoadHeight<double> got = b.mean(0.5, 0.5, psi, 0.12, 0.1), want = simpson_mean(b, 0.5, 0.5, psi, 0.12, 0.1);
    EXPECT_NEAR(got.z, want.z, 1e-14);
    EXPECT_NEAR(got.zx, want.zx, 1e-13);
    EXPECT_NEAR(got.zy, want.zy, 1e-13);
  }
}

// --- height maps

TEST(RoadHeights, BilinearIsExactOnBilinearData) {
  const auto f = [](double x, double y) { return 0.3 + 0.2 * x - 0.1 * y + 0.05 * x * y; };
  const GridOf g(6, 5, -1, 2, 0.5, 0.8, f);
  const Built b{g.spec(Interpolation::bilinear)};
  for (double x = -1; x <= 1.5; x += 0.13)
    for (double y = 2; y <= 5.2; y += 0.17) {
      EXPECT_NEAR(b.at(x, y).z, f(x, y), 1e-15 * 4);
      EXPECT_NEAR(b.at(x, y).zx, 0.2 + 0.05 * y, 1e-14);
      EXPECT_NEAR(b.at(x, y).zy, -0.1 + 0.05 * x, 1e-14);
    }
}

TEST(RoadHeights, BicubicIsExactOnCubicDataAwayFromTheBorder) {
  const auto f = [](double x, double y) { return x * x * x - 2 * x * x * y + y * y * y + 0.5 * x * y * y - x; };
  const GridOf g(9, 8, -1, -1, 0.4, 0.5, f);
  const Built b{g.spec(Interpolation::bicubic)};
  for (double x = -1 + 2 * 0.4; x <= -1 + 6 * 0.4; x += 0.073)
    for (double y = -1 + 2 * 0.5; y <= -1 + 5 * 0.5; y += 0.061) {
      EXPECT_NEAR(b.at(x, y).z, f(x, y), 2e-14);
      EXPECT_NEAR(b.at(x, y).zx, 3 * x * x - 4 * x * y + 0.5 * y * y - 1, 2e-13);
      EXPECT_NEAR(b.at(x, y).zy, -2 * x * x + 3 * y * y + x * y, 2e-13);
    }
  // up to the border on quadratic data; two nodes are enough for a straight line
  const auto q = [](double x, double y) { return x * x - x * y + 2 * y * y; };
  const GridOf g2(5, 4, -1, -1, 0.4, 0.5, q);
  const Built b2{g2.spec(Interpolation::bicubic)};
  for (double x = -1; x <= 0.6; x += 0.05)
    for (double y = -1; y <= 0.5; y += 0.05) EXPECT_NEAR(b2.at(x, y).z, q(x, y), 2e-14);
  const GridOf g3(2, 2, 0, 0, 1, 1, [](double x, double y) { return x + 2 * y; });
  EXPECT_NEAR(Built(g3.spec(Interpolation::bicubic)).at(0.3, 0.6).z, 1.5, 1e-15);
}

TEST(RoadHeights, BicubicHasNoKinks) {
  const GridOf g(20, 3, 0, 0, 1, 1, [](double x, double) { return std::sin(2.1 * x * x); });  // ragged
  const Built b{g.spec(Interpolation::bicubic)}, l{g.spec(Interpolation::bilinear)};
  double kink = 0, bend = 0;
  for (int i = 1; i < 19; ++i) {
    kink = std::max(kink, std::abs(b.at(i + 1e-9, 1).zx - b.at(i - 1e-9, 1).zx));
    bend = std::max(bend, std::abs(l.at(i + 1e-9, 1).zx - l.at(i - 1e-9, 1).zx));
    EXPECT_NEAR(b.at(i, 1).z, g.z[std::size_t(i + 20)], 1e-15);  // passes through the data
  }
  EXPECT_LT(kink, 1e-6);
  EXPECT_GT(bend, 1);
}

TEST(RoadHeights, BorderOfAMapIsHeld) {
  const GridOf g(5, 4, 0, 0, 1, 1, [](double x, double y) { return x + 10 * y; });
  for (const Interpolation how : {Interpolation::bilinear, Interpolation::bicubic}) {
    const Built b{g.spec(how)};
    EXPECT_NEAR(b.at(100, 1.5).z, 4 + 15, 1e-12);
    EXPECT_EQ(b.at(100, 1.5).zx, 0);
    EXPECT_NEAR(b.at(100, 1.5).zy, 10, 1e-12);  // along the border it goes on
    EXPECT_NEAR(b.at(-7, -9).z, 0, 1e-12);
    EXPECT_EQ(b.at(-7, -9).zy, 0);
    EXPECT_NEAR(b.at(4, 3).z, 34, 1e-12);
    EXPECT_TRUE(std::isnan(b.at(NAN, 1).z));  // and is not read outside the data
  }
}

// --- ramp, oval, loop

TEST(RoadHeights, RampEntersSmoothlyAndEndsInTheAir) {
  const Built b{ramp_spec()};
  const auto z = [&](double x) { return b.at(x, 0).z; };
  const auto bend = [&](double x) { return (b.at(x + 1e-4, 0).zx - b.at(x - 1e-4, 0).zx) / 2e-4; };
  EXPECT_EQ(z(19.9), 0);
  EXPECT_EQ(b.at(20, 0).zx, 0);
  for (double joint : {20.0, 23.0}) {  // where the entry begins and ends: curvature 0 and continuous
    EXPECT_NEAR(bend(joint - 2e-3), 0, 1e-5);
    EXPECT_NEAR(bend(joint + 2e-3), 0, 1e-5);
  }
  EXPECT_GT(bend(21.5), 0.1);
  for (double x = 23; x < 30; x += 0.5) EXPECT_NEAR(b.at(x, 0).zx, 1.5 / 8.5, 1e-14);  // straight
  EXPECT_NEAR(z(30), 1.5, 1e-14);
  EXPECT_EQ(z(30.1), 0);  // and gone
  EXPECT_EQ(b.at(35, 0).zx, 0);
  EXPECT_EQ(b.at(25, 1e6).z, z(25));  // endless across
}

TEST(RoadHeights, RampWithALipIsFlatOnTop) {
  const Built b{ramp_spec(4, 6)};
  for (double x = 30; x < 34; x += 0.3) {
    EXPECT_NEAR(b.at(x, 0).z, 1.5, 1e-14);
    EXPECT_NEAR(b.at(x, 0).zx, 0, 1e-15);
  }
  EXPECT_EQ(b.at(34.1, 0).z, 0);
  EXPECT_EQ(b.at(32, 2.99).z, b.at(32, 0).z);
  EXPECT_EQ(b.at(32, -3.11).z, 0);
  EXPECT_EQ(b.at(32, 1).z, b.at(32, -1).z);
}

TEST(RoadHeights, OvalIsBankedInTheTurnsAndFlatOnTheStraights) {
  const Built b{oval_spec()};
  for (double x = -30; x <= 30; x += 5)
    for (double y : {-5.0, 0.0, 5.0, 115.0, 120.0, 125.0}) {
      EXPECT_EQ(b.at(x, y).z, 0);
      EXPECT_EQ(b.at(x, y).zy, 0);
    }
  // turns: the angle between the normal and the vertical is the bank, and the surface rises outwards
  for (double phi : {-0.9, -0.4, 0.0, 0.7, 0.9})
    for (double r : {-5.0, 0.0, 5.0})
      for (int side : {-1, 1}) {
        const double x = side * (60 + (60 + r) * std::cos(phi)), y = 60 + (60 + r) * std::sin(phi);
        const RoadHeight<double> h = b.at(x, y);
        const RoadPoint<double> p = b.surface(x, y, h.z);
        EXPECT_NEAR(std::acos(p.nz), 0.35, 1e-12);
        EXPECT_NEAR(p.gap, 0, 1e-13);
        EXPECT_NEAR(h.zx * side * std::cos(phi) + h.zy * std::sin(phi), std::tan(0.35), 1e-12);
        EXPECT_NEAR(h.z, std::tan(0.35) * (r + 6), 1e-12);
      }
  EXPECT_EQ(b.at(0, 60).z, 0);                               // infield
  EXPECT_EQ(b.at(62, 60).z, 0);                              // the centre of a turn is no singularity
  EXPECT_NEAR(b.at(140, 60).z, 12 * std::tan(0.35), 1e-12);  // outside it stays as high as the edge
}

// A point that keeps its distance, along the whole way: flat, once round, flat. The helix leaves `drift` to the left.
TEST(RoadHeights, LoopIsEnteredRoundAndLeft) {
  for (double drift : {6.0, -7.0})
    for (double gap : {0.0, -0.02, 0.3})
      for (double beside : {-1.0, 0.0, 1.0}) {  // wheels left and right of the lane's centre
        const Built b{loop_spec(drift)};
        const auto check = [&](double x, double y, double z, double nx, double nz) {
          const RoadPoint<double> p = b.surface(x, y, z);
          ASSERT_NEAR(p.gap, gap, 1e-13) << x << ", " << y << ", " << z;
          ASSERT_NEAR(p.nx, nx, 1e-13) << x << ", " << y << ", " << z;
          ASSERT_NEAR(p.nz, nz, 1e-13);
          ASSERT_EQ(p.ny, 0);
        };
        for (double x = 0; x <= 40; x += 0.05) check(x, beside, gap, 0, 1);
        for (int i = 1; i < 1000; ++i) {
          const double phi = 2 * pi * i / 1000, r = 8 - gap;
          check(40 + r * std::sin(phi), beside + drift * phi / (2 * pi), 8 - r * std::cos(phi), -std::sin(phi),
                std::cos(phi));
        }
        for (double x = 40; x <= 80; x += 0.05) check(x, drift + beside, gap, 0, 1);
      }
}

TEST(RoadHeights, LoopIsNotThereBesideItsLane) {
  const Built b{loop_spec(6)};
  EXPECT_EQ(b.surface(42, -2.6, 0).gap, 0);     // right of the entry lane
  EXPECT_LT(b.surface(42, -2.2, 0).gap, -0.2);  // in it the circle has begun to rise
  EXPECT_EQ(b.surface(40, 3, 16).gap, 0);       // the top, half way over
  EXPECT_EQ(b.surface(40, 3, 16).nz, -1);       // hangs upside down
  EXPECT_EQ(b.surface(40, -0.1, 16).gap, 16);   // right of it there is only the ground
  EXPECT_EQ(b.surface(60, 0, 0.25).gap, 0.25);  // beyond
  EXPECT_EQ(b.surface(44, 0, 0).gap, 0);        // on the ground below the sheet
}

// Without drift the way up is the way in, and a car goes round until it is too slow. Low over the entry the ground
// counts: for the lowest point of a wheel and for its centre.
TEST(RoadHeights, LoopWithoutDriftGoesRoundAndRound) {
  const Built b{loop_spec(0)};
  for (double gap : {-0.01, 0.0, 0.33}) {
    for (double x = 30; x <= 40; x += 0.01) EXPECT_EQ(b.surface(x, 0, gap).gap, gap);
    for (int i = 0; i < 2000; ++i) {
      const double phi = 2 * pi * i / 1000, r = 8 - gap, x = 40 + r * std::sin(phi), z = 8 - r * std::cos(phi);
      if (x > 40 || z > 0.5) {
        EXPECT_NEAR(b.surface(x, 0, z).gap, gap, 2e-14) << phi;
      }
    }
  }
}

// --- distance from a surface

TEST(RoadHeights, DistanceFromAPlaneIsExact) {
  const GridOf g(3, 3, -50, -50, 50, 50, [](double x, double y) { return 0.3 * x - 0.2 * y + 1; });
  const Built b{g.spec(Interpolation::bilinear)};
  const double N = std::sqrt(1 + 0.09 + 0.04);
  for (double d : {-0.1, 0.0, 0.3, 4.0}) {
    const double x = 3, y = 7, z = 0.3 * x - 0.2 * y + 1;
    const RoadPoint<double> p = b.surface(x - 0.3 * d / N, y + 0.2 * d / N, z + d / N);
    EXPECT_NEAR(p.gap, d, 1e-14);
    EXPECT_NEAR(p.nx, -0.3 / N, 1e-14);
    EXPECT_NEAR(p.ny, 0.2 / N, 1e-14);
    EXPECT_NEAR(p.nz, 1 / N, 1e-14);
  }
}

// Parabola z = x^2/20: the tangent plane at the foot, after one Newton step, errs by the square of what is left to go.
TEST(RoadHeights, DistanceFromACurvedSurface) {
  const GridOf g(41, 3, -10, -1, 0.5, 1, [](double x, double) { return x * x / 20; });
  const Built b{g.spec(Interpolation::bicubic)};
  for (double foot : {-4.0, 1.0, 3.0})
    for (double d : {-0.02, 0.1, 0.3}) {
      const double zx = foot / 10, N = std::sqrt(1 + zx * zx), x = foot - zx * d / N, z = foot * foot / 20 + d / N;
      const RoadPoint<double> p = b.surface(x, 0, z);
      EXPECT_NEAR(p.gap, d, 4e-6);
      EXPECT_NEAR(p.nx, -zx / N, 5e-4);
      const double without = (z - x * x / 20) / std::sqrt(1 + x * x / 100);
      EXPECT_LE(std::abs(p.gap - d), 0.2 * std::abs(without - d) + 1e-14);
    }
}

// --- packs

template <class P> void expect_lanes(const RoadSpec& s, double x0, double dx, double z) {
  using T = scalar_t<P>;
  const Built b{s};
  Road<P> road{};
  Road<T> one{};
  constexpr int n = int(sizeof(Road<double>) / sizeof(double));
  for (int i = 0; i < n; ++i) {
    const double v = reinterpret_cast<const double*>(&b.road)[i];
    reinterpret_cast<P*>(&road)[i] = P(v), reinterpret_cast<T*>(&one)[i] = T(v);
  }
  const auto bits = [](T got, T want, int i) { EXPECT_EQ(std::memcmp(&got, &want, sizeof got), 0) << "lane " << i; };
  for (int k = 0; k < 40; ++k) {
    P x, y, h, c, r;
    for (int i = 0; i < lanes<P>; ++i) {
      const double at = x0 + dx * (k * lanes<P> + i), psi = 0.1 * i + k;
      set_lane(x, i, T(at)), set_lane(y, i, T(4 * std::sin(0.37 * at))), set_lane(h, i, T(z + 0.1 * i));
      set_lane(c, i, T(std::cos(psi))), set_lane(r, i, T(std::sin(psi)));
    }
    const P a = P(0.08), w = P(0.1);
    const RoadHeight<P> p = road_height(b.kind, b.data, road, x, y);
    const RoadPoint<P> q = road_surface(b.kind, b.data, road, x, y, h, c, r, a, w);
    for (int i = 0; i < lanes<P>; ++i) {
      const T xi = lane(x, i), yi = lane(y, i);
      const RoadHeight<T> p1 = road_height(b.kind, b.data, one, xi, yi);
      const RoadPoint<T> q1 =
          road_surface(b.kind, b.data, one, xi, yi, lane(h, i), lane(c, i), lane(r, i), T(0.08), T(0.1));
      bits(lane(p.z, i), p1.z, i), bits(lane(p.zx, i), p1.zx, i), bits(lane(p.zy, i), p1.zy, i);
      bits(lane(q.gap, i), q1.gap, i), bits(lane(q.nx, i), q1.nx, i), bits(lane(q.nz, i), q1.nz, i);
    }
  }
}

TEST(RoadHeights, LanesOfAPackHaveTheBitsOfOneCar) {
  const GridOf g(9, 7, 0, -3, 6, 1, [](double x, double y) { return 0.1 * std::sin(x + y); });
  RoadSpec s = iso(IsoClass::C);
  s.rough_amp = 0.02;
  s.stunt = ramp_spec(1, 5).stunt;
  s.stunt.oval = oval_spec().stunt.oval;
  s.grid = &g.grid;
  s.interpolation = Interpolation::bicubic;
  expect_lanes<Pack<double, 4, IsaBase>>(s, -20, 0.9, 0.2);
  expect_lanes<Pack<float, 8, IsaBase>>(s, -20, 0.45, 0.2);
  expect_lanes<Pack<float, 8, IsaBase>>(loop_spec(6), 30, 0.07, 1);
}

TEST(RoadHeights, FloatFeelsTheSameRoad) {
  const Built b{iso(IsoClass::C)};
  const Road<float> road{};
  double worst = 0;
  for (int i = 0; i < 500; ++i) {
    const float x = float(4.1 * i), y = float(0.01 * i);
    worst = std::max(worst, std::abs(double(road_height(b.kind, b.data, road, x, y).z) - b.at(x, y).z));
  }
  // phases round to 6e-8 of the turns made: up to 6e-3 rad in the shortest waves, of some 0.5 mm each
  EXPECT_LT(worst, 1.5e-5);
}

// --- what a user writes

TEST(RoadHeights, ContradictionsAreNamed) {
  const auto faults = [](const RoadSpec& s) {
    std::string out;
    road_faults(s, [&](const char* path, const char*) { out += std::string(path) + " "; });
    return out;
  };
  EXPECT_EQ(faults(RoadSpec{}), "");
  EXPECT_EQ(faults(iso(IsoClass::A)), "");
  RoadSpec s = iso(IsoClass::A);
  s.psd.n_max = 0.01;
  s.stunt.loop = {40, 8, 5, 3};
  s.stunt.oval = {5, 100, 12, 0.1};
  EXPECT_EQ(faults(s), "psd.n_max stunt.loop.drift stunt.loop stunt.oval.radius ");
  s = RoadSpec{};
  s.psd.n_max = 0.01;  // of no effect on an even road
  EXPECT_EQ(faults(s), "");
}

TEST(HeightmapFile, AscHasNorthFirstAndCorners) {
  Errors e;
  const auto m = read_heightmap(
      "NCOLS 3\r\nnrows 2\nxllcorner 10\nyllcenter -4\ncellsize 2\nNODATA_value -9999\n"
      "1 2 3\n  4 5.5 6e0\n",
      "hill.ASC", e);
  ASSERT_TRUE(e.empty()) << e.lines()[0];
  EXPECT_EQ(m->nx, 3);
  EXPECT_EQ(m->ny, 2);
  EXPECT_EQ(m->x0, 11);
  EXPECT_EQ(m->y0, -4);
  EXPECT_EQ(m->dx, 2);
  EXPECT_EQ(m->dy, 2);
  EXPECT_EQ(m->z, (std::vector<double>{4, 5.5, 6, 1, 2, 3}));
  const RoadGrid g = m->view();
  EXPECT_EQ(grid_point(g, false, 11, -2).z, 1);  // north-west corner
  // heights may be broken into lines anywhere; cells need not be square
  const auto n = read_heightmap("nrows 2\nncols 2\nxllcenter 0\nyllcenter 0\ndx 1\ndy 3\n1 2 3\n4", "a.asc", e);
  ASSERT_TRUE(n);
  EXPECT_EQ(n->dy, 3);
  EXPECT_EQ(n->z, (std::vector<double>{3, 4, 1, 2}));
}

TEST(HeightmapFile, CsvRunsAlongXFromTheFirstY) {
  Errors e;
  const auto m =
      read_heightmap("\xef\xbb\xbf# a bump\nx0,y0,dx\n-1, 2, 0.5\n0,0.1,0.2 # first row\n1,1.1,+1.2\n", "b.csv", e);
  ASSERT_TRUE(e.empty()) << e.lines()[0];
  EXPECT_EQ(m->nx, 3);
  EXPECT_EQ(m->ny, 2);
  EXPECT_EQ(m->x0, -1);
  EXPECT_EQ(m->y0, 2);
  EXPECT_EQ(m->dx, 0.5);
  EXPECT_EQ(m->dy, 0.5);
  EXPECT_EQ(m->z, (std::vector<double>{0, 0.1, 0.2, 1, 1.1, 1.2}));
}

TEST(HeightmapFile, EveryErrorAtOnceWithItsPlace) {
  Errors e;
  EXPECT_FALSE(read_heightmap("ncols 2.5\nnrow 2\nxllcorner zero\ncellsize -1\n1 2\nx nan\n", "h.asc", e));
  const std::vector<std::string> want{"h.asc: missing key 'nrows'",
                                      "h.asc: missing key 'yllcorner' or 'yllcenter'",
                                      "h.asc:1:7: ncols: expected a whole number from 2 on, found '2.5'",
                                      "h.asc:2:1: unknown key 'nrow', did you mean 'nrows'?",
                                      "h.asc:3:11: xllcorner: expected a number, found 'zero'",
                                      "h.asc:4:10: cellsize: -1 is out of range, expected above 0 m",
                                      "h.asc:6:1: expected a number, found 'x'",
                                      "h.asc:6:3: expected a finite number, found 'nan'"};
  EXPECT_EQ(e.lines(), want);

  Errors c;
  EXPECT_FALSE(read_heightmap("x0,y0,dz\n0,0,0\n1,2,3\n1,,3\n1,2\n", "h.csv", c));
  const std::vector<std::string> want_csv{
      "h.csv:1:1: missing name 'dx'", "h.csv:1:7: unknown name 'dz', did you mean 'dx'?",
      "h.csv:4:3: expected a number, found nothing", "h.csv:5:1: 2 heights in this line, 3 in the first"};
  EXPECT_EQ(c.lines(), want_csv);
}

TEST(HeightmapFile, RefusesWhatIsNotAWholeGrid) {
  const std::string head = "ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 1\n";
  const auto first = [](const std::string& text, const std::string& file) {
    Errors e;
    EXPECT_FALSE(read_heightmap(text, file, e)) << text;
    return e.empty() ? "" : e.lines()[0];
  };
  EXPECT_EQ(first(head + "1 2\n3\n", "h.asc"), "h.asc:7:1: the file ends after 3 heights, expected ncols x nrows = 4");
  EXPECT_EQ(first(head + "1 2\n3 4 5\n", "h.asc"), "h.asc:7:5: more heights than ncols x nrows = 4");
  EXPECT_EQ(first(head + "nodata_value -9\n1 2\n3 -9.0\n", "h.asc"),
            "h.asc:8:3: no height here ('-9.0' is nodata_value): a road must be whole");
  EXPECT_EQ(first(head + "1 2\n3 -1e30\n", "h.asc"), "h.asc:7:3: '-1e30' is out of range, expected -1e5 to 1e5 m");
  EXPECT_EQ(first("x0,y0,dx\n0,0,1\n1,2\n", "h.csv"), "h.csv: 2 x 1 heights, at least 2 x 2 are needed");
  EXPECT_EQ(first("", "h.csv"), "h.csv: the file is empty: expected the line x0,y0,dx,dy");
  EXPECT_EQ(first("x0,y0,dx\n", "h.csv"), "h.csv:1:1: expected 3 values for the names above, found 0");
  EXPECT_EQ(first("ncols 1000000000\nnrows 1000000000\nxllcorner 0\nyllcorner 0\ncellsize 1\n", "h.asc"),
            "h.asc:1:7: ncols: expected a whole number from 2 on, found '1000000000'");
  EXPECT_NE(first("1 2", "h.tif").find("valid: .asc"), std::string::npos);
  Errors e;
  EXPECT_FALSE(load_heightmap("/nowhere/h.asc", {"scene.yaml", 4, 10}, e));
  ASSERT_EQ(e.size(), 1u);
  EXPECT_EQ(e.lines()[0].rfind("scene.yaml:4:10: '/nowhere/h.asc' cannot be read", 0), 0u);
  Errors device;
  EXPECT_FALSE(load_heightmap("/dev/zero", {"/dev/zero", 0, 0}, device));  // it has no end
  EXPECT_EQ(device.lines()[0], "/dev/zero: is a device, not a file");
}

TEST(HeightmapFile, ExamplesAreRoads) {
  for (const char* name : {"hill.asc", "speed_bump.csv"}) {
    Errors e;
    const auto map = load_heightmap(std::string(VDSIM_SOURCE_DIR "/configs/roads/") + name, {name, 0, 0}, e);
    ASSERT_TRUE(map) << e.lines()[0];
    double low = 1, high = 0;
    for (double z : map->z) low = std::min(low, z), high = std::max(high, z);
    EXPECT_EQ(low, 0) << name;  // stands on the plane
    EXPECT_GT(high, 0.05) << name;
    EXPECT_EQ(grid_point(map->view(), true, map->x0 - 100, 0).z, 0) << name;  // and begins level
  }
}
