// SPDX-License-Identifier: Apache-2.0
// Unevenness by its spectrum: a sum of waves, the same everywhere and always for one seed. docs/theory/06_roads.md.
#pragma once
#include "vdsim/core/road/height.hpp"
#include "vdsim/core/road/spec.hpp"

namespace vdsim {

inline constexpr int kRoughFamilies = 12, kRoughOctaves = 12;  // waves per octave, octaves at most

// Family k holds the wave numbers n[k] 2^j, all of one direction.
struct RoughTable {
  int octaves;
  double n[kRoughFamilies];                                                   // lowest wave number along x [1/m]
  double t[kRoughFamilies];                                                   // wave number along y / along x [-]
  double a[kRoughOctaves][kRoughFamilies], b[kRoughOctaves][kRoughFamilies];  // of cos and sin [m]
};

// One seed and one index give one number in [0, 1): a 64-bit mixer, the same on every machine.
inline double rough_hash(int seed, int index) {
  std::uint64_t z = (std::uint64_t(std::uint32_t(seed)) << 32) + std::uint64_t(std::uint32_t(index));
  z = (z + 0x9e3779b97f4a7c15u) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  z = (z ^ (z >> 31)) * 0xd6e8feb86659fd93u;
  return double((z ^ (z >> 32)) >> 11) * 0x1p-53;
}

// Gd(n0) of the road [m^3], 0 = even. Classes: geometric means, a factor of 4 from one to the next.
inline double rough_level(const RoadSpec& s) {
  if (s.psd.gd_n0 > 0 || s.iso_class == IsoClass::none) return s.psd.gd_n0;
  double level = 16e-6;
  for (int i = int(IsoClass::A); i < int(s.iso_class); ++i) level *= 4;
  return level;
}

// Integral of level (n/at)^-w from lo to hi.
inline double rough_power_law(double level, double at, double w, double lo, double hi) {
  const double e = 1 - w;
  if (e < 1e-9 && e > -1e-9) return level * at * log(hi / lo);
  return level * at * (pow(hi / at, e) - pow(lo / at, e)) / e;
}
// [T06.5]  variance that a band of wave numbers holds [m^2]: Gd = Gd(n0) (n/n0)^-w, from n_break on with w_high.
inline double rough_band(const RoadSpec& s, double lo, double hi) {
  const PsdSpec& p = s.psd;
  const double n0 = 0.1, level = rough_level(s), edge = p.n_break > 0 ? p.n_break : hi;
  double sum = 0;
  if (lo < edge) sum += rough_power_law(level, n0, p.waviness, lo, edge < hi ? edge : hi);
  if (hi > edge)
    sum += rough_power_law(level * pow(edge / n0, -p.waviness), edge, p.waviness_high, lo > edge ? lo : edge, hi);
  return sum;
}

// 2^(p/12): wave numbers lie on the scale of ISO 8608, whose bands have their middles at whole p.
inline double rough_scale(double p) { return pow(2.0, p / kRoughFamilies); }

// [T06.13]  one wave per 1/12 octave at p = i + 1/4, well inside any band of that scale, for i - 1/4 ... i + 3/4;
//   the first band begins at n_min and the last one ends at n_max, half as wide at least.
inline RoughTable make_rough_table(const RoadSpec& s) {
  RoughTable t{};
  const PsdSpec& c = s.psd;
  if (!(rough_level(s) > 0)) return t;
  const double per_log = kRoughFamilies / 0.69314718055994531;
  const int first = int(floor(per_log * log(c.n_min) + 0.75)), end = int(floor(per_log * log(c.n_max) + 0.75));
  const int most = kRoughFamilies * kRoughOctaves, count = end - first < 1      ? 1
                                                           : end - first > most ? most
                                                                                : end - first;
  t.octaves = (count + kRoughFamilies - 1) / kRoughFamilies;
  const int turn = int(kRoughFamilies * rough_hash(c.seed, -1));
  for (int k = 0; k < kRoughFamilies; ++k) {
    t.n[k] = rough_scale(first + k + 0.25);
    // one direction in each twelfth of (-1, 1), in mixed order
    t.t[k] = 2 * ((5 * k + turn) % kRoughFamilies + rough_hash(c.seed, -2 - k)) / kRoughFamilies - 1;
  }
  for (int i = 0; i < count; ++i) {
    const double lo = i == 0 ? c.n_min : rough_scale(first + i - 0.25);
    const double hi = i == count - 1 ? c.n_max : rough_scale(first + i + 0.75);
    const double A = sqrt(2 * rough_band(s, lo, hi)), phase = 6.2831853071795865 * rough_hash(c.seed, i);
    t.a[i / kRoughFamilies][i % kRoughFamilies] = A * cos(phase);
    t.b[i / kRoughFamilies][i % kRoughFamilies] = -A * sin(phase);
  }
  return t;
}

// [T06.6]  mean of a wave over a width 2w: factor sinc(u), u = wave number x w. Next octave: sinc(2u) = sinc(u) cos(u);
//   v = 1 - cos(u) is carried, because 1 - cos(2u) = 2 v (2 - v) loses no digits near u = 0.
template <class R> struct WaveMean { R factor, v; };
template <class R> VD_INLINE WaveMean<R> wave_mean(const R& u) {
  R s, c;
  const R h = R(0.5) * u;
  sincos(h, s, c);
  return {sinc(h, s) * c, R(2.0) * s * s};
}
template <class R> VD_INLINE void octave_up(WaveMean<R>& m) {
  m.factor *= R(1.0) - m.v;
  m.v *= R(4.0) - R(2.0) * m.v;
}

// Numbers of the families k, k + 1, ...: one per lane (Wide), or that of k for all lanes.
template <bool Wide, class W> VD_INLINE W rough_load(const double* from) {
  W w = W(*from);
  if constexpr (Wide)
    for (int i = 1; i < lanes<W>; ++i) set_lane(w, i, scalar_t<W>(from[i]));
  return w;
}

// [T06.13]  h = sum a cos(2^j th) + b sin(2^j th), th = 2 pi n (x + t y): one sine per family, octaves by doubling.
// Patch: the mean over a rectangle, half length ax along the heading (cx, sx), half width by across it [m].
template <bool Patch, bool Wide, class W>
VD_INLINE RoadHeight<W> rough_families(const RoughTable& table, int k, const W& x, const W& y, const W& cx, const W& sx,
                                       const W& ax, const W& by) {
  const W two = W(2.0), two_pi = W(6.2831853071795865);
  const W n = rough_load<Wide, W>(table.n + k), t = rough_load<Wide, W>(table.t + k), kappa = two_pi * n;
  W turns = n * (x + t * y), s, c;
  turns = turns - floor(turns + W(0.5));
  sincos(two_pi * turns, s, c);
  WaveMean<W> along{}, across{};
  if constexpr (Patch) {
    along = wave_mean(kappa * (cx + t * sx) * ax);
    across = wave_mean(kappa * (t * cx - sx) * by);
  }
  W h = W(0.0), d = W(0.0), scale = W(1.0);  // height, and its derivative by the angle of the family
  for (int j = 0; j < table.octaves; ++j) {
    W felt_c = c, felt_s = s;
    if constexpr (Patch) {
      const W felt = along.factor * across.factor;
      felt_c *= felt;
      felt_s *= felt;
      octave_up(along);
      octave_up(across);
    }
    const W a = rough_load<Wide, W>(table.a[j] + k), b = rough_load<Wide, W>(table.b[j] + k);
    h += a * felt_c + b * felt_s;
    d += scale * (b * felt_c - a * felt_s);
    scale *= two;
    const W s2 = two * s * c;
    c = c * c - s * s;
    s = s2;
  }
  return {h, kappa * d, kappa * t * d};
}

// For one car the families fill the lanes of a register, for a pack of cars the cars do: same operations, same sums.
template <bool Patch, class R> VD_NOINLINE RoadHeight<R> rough_height(const RoughTable& t, const R& x, const R& y,
                                                                      const R& cx, const R& sx, const R& ax,
                                                                      const R& by) {
  RoadHeight<R> o{R(0.0), R(0.0), R(0.0)};
#ifndef __CUDACC__
  if constexpr (Scalar<R>) {
    using W = Pack<R, 4, IsaBase>;
    for (int k = 0; k < kRoughFamilies; k += 4) {
      const RoadHeight<W> h = rough_families<Patch, true, W>(t, k, x, y, cx, sx, ax, by);
      for (int i = 0; i < 4; ++i) add_height(o, RoadHeight<R>{lane(h.z, i), lane(h.zx, i), lane(h.zy, i)});
    }
    return o;
  }
#endif
  for (int k = 0; k < kRoughFamilies; ++k) add_height(o, rough_families<Patch, false, R>(t, k, x, y, cx, sx, ax, by));
  return o;
}

}  // namespace vdsim
