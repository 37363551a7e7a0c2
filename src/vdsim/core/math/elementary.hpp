// SPDX-License-Identifier: Apache-2.0
// Sign, rounding and elementary functions over R; included by real.hpp.
// budget: ten functions with their constants for two number types; apart they would share the same helpers.
//
// One template per function serves double, float and packs of both; only the constants differ.
// There is no table, no branch and no explicit FMA.  Every product whose rounding error would
// matter is exact by construction (short constants, split factors), so that contraction of a*b+c
// to an FMA does no harm.
// NaN in gives NaN out.  Errors are in units of the last place of the result.
#pragma once

#include "vdsim/core/math/real.hpp"

namespace vdsim {

namespace detail {

// Type constants.  magic = 1.5 * 2^mant: adding it rounds a small number to the nearest integer,
// which then sits in the low mantissa bits of the sum.  ln 2 = ln2_hi + ln2_lo, the product of
// ln2_hi and a binary exponent being exact.  pi_fix: (pi - R(pi)) / pi, the same for pi/2 and pi/4.
template <class T> struct Fp;
template <> struct Fp<double> {
  static constexpr int mant = 52, bias = 1023;
  static constexpr std::uint64_t sign = 0x8000000000000000u;
  static constexpr std::uint64_t half_mask = 0xfffffffff8000000u;  // keeps 26 significant bits
  static constexpr double magic = 0x1.8p52, max = 0x1.fffffffffffffp1023;
  static constexpr double ln2_hi = 0x1.62e42fefa4p-1, ln2_lo = -0x1.8432a1b0e2634p-43;
  static constexpr double pi_fix = 3.8981718325193755e-17;
};
template <> struct Fp<float> {
  static constexpr int mant = 23, bias = 127;
  static constexpr std::uint32_t sign = 0x80000000u;
  static constexpr std::uint32_t half_mask = 0xfffff000u;  // keeps 12 significant bits
  static constexpr float magic = 0x1.8p23f, max = 0x1.fffffep127f;
  static constexpr float ln2_hi = 0x1.62e4p-1f, ln2_lo = 0x1.7f7d1cp-20f;
  static constexpr float pi_fix = -2.7827534e-08f;
};

template <class R> inline constexpr bool is_double = std::is_same_v<scalar_t<R>, double>;

template <Real R> VD_INLINE R inf() { return R(scalar_t<R>(INFINITY)); }
template <Real R> VD_INLINE R nan() { return R(scalar_t<R>(NAN)); }
// The sign bit of x alone, and a with its sign flipped where that bit is set.
template <Real R> VD_INLINE bits_t<R> sign_bit(const R& x) { return to_bits(x) & bits_t<R>(Fp<scalar_t<R>>::sign); }
template <Real R> VD_INLINE R flip(const R& a, const bits_t<R>& s) { return from_bits<R>(to_bits(a) ^ s); }
// The leading half of the significant bits; products of two such numbers are exact.
template <Real R> VD_INLINE R upper(const R& x) {
  return from_bits<R>(to_bits(x) & bits_t<R>(Fp<scalar_t<R>>::half_mask));
}

// Horner's rule: c0 + z (c1 + z (...)); the second takes every other coefficient.
template <Real R> VD_INLINE R horner(const R&, double c) { return R(c); }
template <Real R, class... C> VD_INLINE R horner(const R& z, double c, C... rest) {
  return R(c) + z * horner(z, rest...);
}
template <Real R> VD_INLINE R horner2(const R&, double c, double = 0) { return R(c); }
template <Real R, class... C> VD_INLINE R horner2(const R& z, double c, double, double next, C... rest) {
  return R(c) + z * horner2(z, next, rest...);
}
// c0 + c1 z + c2 z^2 + ...; a long one as even + z odd in z^2, two chains that run side by side.
template <Real R, class... C> VD_INLINE R poly(const R& z, double c, C... rest) {
  if constexpr (sizeof...(rest) < 5) {
    return horner(z, c, rest...);
  } else {
    const R zz = z * z;
    return horner2(zz, c, rest...) + z * horner2(zz, rest...);
  }
}
}  // namespace detail

// ------------------------------------------------------------------------- sign and rounding

template <Real R> VD_INLINE R abs(const R& x) {
  using K = detail::Fp<scalar_t<R>>;
  return detail::from_bits<R>(detail::to_bits(x) & bits_t<R>(K::sign - 1));
}
template <class A, class B, class R = real_t<A, B>> VD_INLINE R copysign(const A& x, const B& s) {
  return detail::from_bits<R>(detail::to_bits(abs(R(x))) | detail::sign_bit(R(s)));
}
// -1, 0, +1; a zero keeps its sign, NaN stays NaN.
template <Real R> VD_INLINE R sign(const R& x) { return select(x > R(0), R(1), select(x < R(0), R(-1), x)); }
// NaN stays NaN (see min, max).
template <class A, class B, class C, class R = real_t<A, B, C>>
VD_INLINE R clamp(const A& x, const B& lo, const C& hi) {
  return min(R(hi), max(R(lo), R(x)));
}
template <Real R> VD_INLINE R sq(const R& x) { return x * x; }
template <Real R> VD_INLINE mask_t<R> is_finite(const R& x) { return abs(x) <= R(detail::Fp<scalar_t<R>>::max); }

// ------------------------------------------------------------------------------ sin, cos, tan

// |x| = k pi/2 + r, |r| <= pi/4.  pi/2 = P1 + P2 + P3, P1 and P2 short enough that k P1 and k P2
// are exact for |x| <= 1e5 (float: 1e3); |x| - k P1 is exact, the rest is carried as hi + lo:
//   sin(hi + lo) = hi + (hi^3 S(hi^2) + lo),  cos(hi + lo) = 1 - hi^2/2 + (hi^4 C(hi^2) - hi lo).
// Beyond that range the result loses accuracy and finally all meaning.
template <Real R> VD_INLINE void sincos(const R& x, R& s, R& c) {
#ifdef VD_GPU_FAST
  if constexpr (std::is_same_v<R, float>) {
    s = __sinf(x), c = __cosf(x);
    return;
  }
#endif
  using K = detail::Fp<scalar_t<R>>;
  const R a = abs(x);
  const R t = a * R(0.63661977236758134) + R(K::magic);
  const R k = t - R(K::magic);
  R u, w, lo;
  if constexpr (detail::is_double<R>) {
    u = a - k * R(0x1.921fb5444p+0);
    w = k * R(0x1.68c234c4cp-39);
    lo = k * R(0x1.98a2e03707345p-77);
  } else {
    u = a - k * R(0x1.922p+0);
    w = k * R(-0x1.2afp-18);
    lo = k * R(0x1.0b4612p-34);
  }
  const R r = u - w;
  lo = ((u - r) - w) - lo;
  const R z = r * r;
  R ps, pc;
  if constexpr (detail::is_double<R>) {
    ps = detail::poly(z, -0.1666666666666663, 0.0083333333333221078, -0.00019841269829580144, 2.7557313618009411e-06,
                      -2.5050747216932026e-08, 1.5896197562930153e-10);
    pc = detail::poly(z, 0.041666666666666595, -0.0013888888888873041, 2.4801587288841407e-05, -2.7557314176242773e-07,
                      2.0875700416476187e-09, -1.1358513971784218e-11);
  } else {
    ps = detail::poly(z, -0.166666552, 0.0083321603, -0.000195152184);
    pc = detail::poly(z, 0.0416666456, -0.00138873153, 2.44330822e-05);
  }
  const R sr = r + (r * z * ps + lo);
  const R h = R(0.5) * z;
  const R g = R(1) - h;
  const R cr = g + (((R(1) - g) - h) + (z * z * pc - r * lo));
  // Quarter turns: odd k swaps the two, bit 1 of k flips sin, bit 1 of k + 1 flips cos.
  const bits_t<R> q = detail::to_bits(t);
  const bits_t<R> top(K::sign);
  const mask_t<R> swap = detail::odd<R>(q);
  const int up = K::mant + (detail::is_double<R> ? 10 : 7);
  s = detail::flip<R>(select(swap, cr, sr), ((q << up) & top) ^ detail::sign_bit(x));
  c = detail::flip<R>(select(swap, sr, cr), ((q + bits_t<R>(1)) << up) & top);
}
template <Real R> VD_INLINE R sin(const R& x) {
  R s, c;
  sincos(x, s, c);
  return s;
}
template <Real R> VD_INLINE R cos(const R& x) {
  R s, c;
  sincos(x, s, c);
  return c;
}
template <Real R> VD_INLINE R tan(const R& x) {
  R s, c;
  sincos(x, s, c);
  return s / c;
}

// ------------------------------------------------------------------------------- atan, atan2

namespace detail {
// atan(y/x) = off + atan(n/d) for y, x >= 0 with one division: off = 0, pi/4 or pi/2 and
// n/d = y/x, (y-x)/(y+x) or -x/y, |n/d| <= 1/2.  From y/x = 1/2 to 2 the difference is exact.
template <Real R> VD_INLINE R atan_reduce(const R& y, const R& x, R& off) {
  const mask_t<R> mid = y > R(0.5) * x;
  const mask_t<R> high = R(0.41421356237309503) * y > x;  // y/x > tan(3/8 pi)
  const R n = select(high, -x, select(mid, y - x, y));
  const R d = select(high, y, select(mid, y + x, x));
  const R pi4 = R(0.78539816339744828);
  off = select(high, pi4 + pi4, select(mid, pi4, R(0)));
  return n / d;
}
#ifdef VD_GPU_FAST
// One division by the processor's own reciprocal, one polynomial from 0 to 1: 2e-7.
VD_INLINE float atan_gpu(float x) {
  const float a = ::fabsf(x), t = __fdividef(::fminf(a, 1.0f), ::fmaxf(a, 1.0f)), z = t * t;
  const float p = horner(z, -0.333331734, 0.199940413, -0.142123312, 0.106681079, -0.0755120367, 0.0431365333,
                         -0.0162911230, 0.00289394325);
  const float y = t + t * z * p;
  return ::copysignf(a > 1.0f ? 1.57079637f - y : y, x);
}
#endif
// off + atan(t).  The last term is what off, rounded, lacks of its multiple of pi/4.
template <Real R> VD_INLINE R atan_sum(const R& off, const R& t) {
  const R z = t * t;
  R p;
  if constexpr (is_double<R>)
    p = poly(z, -0.33333333333332982, 0.19999999999902787, -0.14285714276357508, 0.11111110658401765,
             -0.090908962137004556, 0.076920734246211417, -0.066638056160393255, 0.05858264974466254,
             -0.051218545183361205, 0.041860787858674364, -0.027428100470263644, 0.010112040853352261);
  else
    p = poly(z, -0.33333233, 0.199942186, -0.141749009, 0.101594254, -0.0513152033);
  return off + (t + (t * z * p + off * R(Fp<scalar_t<R>>::pi_fix)));
}
}  // namespace detail

template <Real R> VD_INLINE R atan(const R& x) {
#ifdef VD_GPU_FAST
  if constexpr (std::is_same_v<R, float>) return detail::atan_gpu(x);
#endif
  R off;
  const R t = detail::atan_reduce<R>(abs(x), R(1), off);
  return detail::flip<R>(detail::atan_sum(off, t), detail::sign_bit(x));
}
// Quadrants, zeros and infinities as in IEEE 754: atan2(0, 0) = 0, atan2(0, -0.0) = pi.
template <class A, class B, class R = real_t<A, B>> VD_INLINE R atan2(const A& y_, const B& x_) {
  const R y = R(y_), x = R(x_), ay = abs(y), ax = abs(x);
  // A power of two keeps the sum of both below overflow and denormals off the thresholds.
  const R f = select(max(ay, ax) > R(1), R(0.5), R(detail::is_double<R> ? 0x1p60 : 0x1p30));
  R off;
  R t = detail::atan_reduce<R>(ay * f, ax * f, off);
  // Equal arguments are the only way to 0/0 and inf/inf.
  const mask_t<R> same = ay == ax;
  t = select(same, R(0), t);
  off = select(same, select(ay > R(0), R(0.78539816339744828), R(0)), off);
  // Left half plane: pi - angle.  The first difference is 0 or pi.
  const bits_t<R> left = detail::sign_bit(x);
  const R pi2 = R(1.5707963267948966);
  off = (pi2 - detail::flip<R>(pi2, left)) + detail::flip<R>(off, left);
  return detail::flip<R>(detail::atan_sum<R>(off, detail::flip<R>(t, left)), detail::sign_bit(y));
}

// ----------------------------------------------------------------------------- exp, log, tanh

namespace detail {
// x + lo = k ln 2 + r, |r| <= ln 2 / 2, x - k ln2_hi exact.  Gives
// exp(r) - 1 = r + r^2 Q(r) and t, whose low bits are k + 2 bias.
template <Real R> VD_INLINE R exp_core(const R& x, const R& lo, R& t) {
  using K = Fp<scalar_t<R>>;
  const R magic = R(K::magic + 2 * K::bias);
  t = x * R(1.4426950408889634) + magic;
  const R k = t - magic;
  const R r = (x - k * R(K::ln2_hi)) - (k * R(K::ln2_lo) - lo);
  R q;
  if constexpr (is_double<R>)
    q = poly(r, 0.50000000000000056, 0.16666666666666588, 0.041666666666576466, 0.0083333333333897308,
             0.0013888888931667116, 0.00019841269718714959, 2.4801505142658475e-05, 2.755740768456814e-06,
             2.7626092851758043e-07, 2.5053775611693702e-08);
  else
    q = poly(r, 0.49999997, 0.166665435, 0.0416672006, 0.00836654752, 0.00138825143);
  return r + r * r * q;
}
// 2^k p in two steps, the first exact, so that large k overflows to inf and small k underflows gradually.
template <Real R> VD_INLINE R exp_sum(const R& x, const R& lo) {
  using K = Fp<scalar_t<R>>;
  R t;
  const R p = R(1) + exp_core<R>(x, lo, t);
  const bits_t<R> n = to_bits(t), n1 = n >> 1;
  return p * from_bits<R>(n1 << K::mant) * from_bits<R>((n - n1) << K::mant);
}
template <Real R> VD_INLINE R exp_clamp(const R& x) {
  return detail::is_double<R> ? clamp(x, R(-750), R(712)) : clamp(x, R(-106), R(90));
}

// x = 2^e (1 + f), 1 + f in [sqrt(1/2), sqrt(2)).  With s = f / (2 + f):
//   log(1 + f) = log((1 + s)/(1 - s)) = 2 s + s^3 P(s^2) = f - f^2/2 + s (f^2/2 + s^2 P(s^2)).
// Returns the last product; f and e come back exact.
template <Real R> VD_INLINE R log_core(const R& x, R& f, R& e) {
  using K = Fp<scalar_t<R>>;
  using B = bits_t<R>;
  using U = bits_t<scalar_t<R>>;
  // Exponent of x / sqrt(1/2), kept positive by a bias that the conversion to R removes.
  const U root = is_double<R> ? U(0x3fe6a09e667f3bcd) : U(0x3f3504f3);
  const U one = U(1) << K::mant;
  const B n = to_bits(x) + B(U(K::bias + 1) * one - root);
  const B k = n >> K::mant;
  const U exp2m = U(K::bias + K::mant) * one;  // the bits of 2^mant
  e = from_bits<R>(k | B(exp2m)) - R(scalar_t<R>(one) + scalar_t<R>(K::bias + 1));
  f = from_bits<R>(to_bits(x) - (k << K::mant) + B(U(K::bias + 1) * one)) - R(1);
  const R s = f / (R(2) + f);
  const R z = s * s;
  R p;
  if constexpr (is_double<R>)
    p = poly(z, 0.66666666666667351, 0.39999999999412889, 0.28571428742824578, 0.22222198524626494, 0.18183567031649076,
             0.15313976912035041, 0.14796728796922146);
  else
    p = poly(z, 0.666667759, 0.399775177, 0.298723996);
  return s * (R(0.5) * f * f + z * p);
}
}  // namespace detail

template <Real R> VD_INLINE R exp(const R& x) { return detail::exp_sum<R>(detail::exp_clamp<R>(x), R(0)); }

// Normal x > 0; log(0) = -inf, log(inf) = inf, log(x < 0) = NaN.
template <Real R> VD_INLINE R log(const R& x) {
  using K = detail::Fp<scalar_t<R>>;
  R f, e;
  const R w = detail::log_core<R>(x, f, e);
  const R h = R(0.5) * f * f;
  const R r = e * R(K::ln2_hi) + (f - (h - (w + e * R(K::ln2_lo))));
  const R edge = select(x == R(0), -detail::inf<R>(), select(x > R(0), x, detail::nan<R>()));
  return select((x > R(0)) & (x < detail::inf<R>()), r, edge);
}

// Finite x >= 0.  exp(y log x) with log x and the product carried to about 10 bits beyond R.
template <class A, class B, class R = real_t<A, B>> VD_INLINE R pow(const A& x_, const B& y_) {
  using K = detail::Fp<scalar_t<R>>;
  const R x = R(x_), y = R(y_);
  R f, e;
  const R w = detail::log_core<R>(x, f, e);
  // f^2/2 = h + hl, h exact; then e ln2_hi + f - h as an exact sum of two.
  const R fu = detail::upper(f);
  const R h = R(0.5) * fu * fu, hl = R(0.5) * (f - fu) * (f + fu);
  const R a = e * R(K::ln2_hi), b = e * R(K::ln2_lo);
  const R s1 = a + f, s2 = s1 - h;
  const R l2 = ((f - (s1 - a)) + ((s1 - s2) - h)) + (w - hl + b);
  const R hi = s2 + l2, lo = (s2 - hi) + l2;
  // y hi = yu hu + (the rest), the first product exact.
  const R yu = detail::upper<R>(y), hu = detail::upper(hi);
  const R p = yu * hu;
  const R rest = yu * (hi - hu) + (y - yu) * hi + y * lo;
  const R r = detail::exp_sum<R>(detail::exp_clamp<R>(p), rest);
  const R zero = select(y > R(0), R(0), select(y < R(0), detail::inf<R>(), y + R(1)));
  const R edge = select(x == R(0), zero, detail::nan<R>());
  return select((x > R(0)) & (x < detail::inf<R>()), r, edge);
}

// With E = exp(2|x|) - 1 = 2^k (exp(r) - 1) + (2^k - 1):  tanh|x| = E / (E + 2).
template <Real R> VD_INLINE R tanh(const R& x) {
  using K = detail::Fp<scalar_t<R>>;
  const R a = min(R(detail::is_double<R> ? 20 : 10), abs(x));
  R t;
  const R p = detail::exp_core<R>(a + a, R(0), t);
  const bits_t<R> k = detail::to_bits(t) - bits_t<R>(K::bias);
  const R two_k = detail::from_bits<R>(k << K::mant);
  const R m = two_k * p + (two_k - R(1));
  return detail::flip<R>(m / (m + R(2)), detail::sign_bit(x));
}

}  // namespace vdsim
