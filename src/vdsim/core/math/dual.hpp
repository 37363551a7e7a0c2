// SPDX-License-Identifier: Apache-2.0
// Dual<T, N>: a number and its derivatives along N directions; docs/theory/33_derivatives.md.
//
// A number R like double: physics over R then computes its own derivatives, by the chain rule, to rounding. The value goes through
// the operations of T and has its bits. A comparison compares values, so a select, min, max or clamp has the derivative of the branch
// that the value takes; at a tie of min and max that of the second argument (of clamp: of the bound).
// Where a derivative does not exist: |x|' = 0 at 0 (the mean of both sides); sign, floor: 0; infinite slopes (sqrt and
// pow at 0, atan2 at the origin): 0.
#pragma once
#include "vdsim/core/math/real.hpp"

#ifndef __CUDACC__
namespace vdsim {

template <class T, int N> struct Dual {
  typedef T V __attribute__((vector_size(N * sizeof(T)), aligned(sizeof(T))));  // N: a power of two
  T v;
  V d;

  Dual() = default;
  template <class S>
  requires std::is_arithmetic_v<S> VD_INLINE Dual(S s) : v(T(s)), d(V{}) {}
  VD_INLINE Dual(T value, const V& along) : v(value), d(along) {}

  // [T33.1]  friends, found by argument: either operand may be a number
  friend VD_INLINE Dual operator+(const Dual& a, const Dual& b) { return Dual(a.v + b.v, a.d + b.d); }
  friend VD_INLINE Dual operator-(const Dual& a, const Dual& b) { return Dual(a.v - b.v, a.d - b.d); }
  friend VD_INLINE Dual operator*(const Dual& a, const Dual& b) { return Dual(a.v * b.v, a.v * b.d + b.v * a.d); }
  friend VD_INLINE Dual operator/(const Dual& a, const Dual& b) {
    const T q = a.v / b.v;
    return Dual(q, (a.d - q * b.d) / b.v);
  }
  friend VD_INLINE Dual operator-(const Dual& a) { return Dual(-a.v, -a.d); }
  friend VD_INLINE Dual operator+(const Dual& a) { return a; }
  VD_INLINE Dual& operator+=(const Dual& b) { return *this = *this + b; }
  VD_INLINE Dual& operator-=(const Dual& b) { return *this = *this - b; }
  VD_INLINE Dual& operator*=(const Dual& b) { return *this = *this * b; }
  VD_INLINE Dual& operator/=(const Dual& b) { return *this = *this / b; }
  friend VD_INLINE bool operator<(const Dual& a, const Dual& b) { return a.v < b.v; }
  friend VD_INLINE bool operator>(const Dual& a, const Dual& b) { return a.v > b.v; }
  friend VD_INLINE bool operator<=(const Dual& a, const Dual& b) { return a.v <= b.v; }
  friend VD_INLINE bool operator>=(const Dual& a, const Dual& b) { return a.v >= b.v; }
  friend VD_INLINE bool operator==(const Dual& a, const Dual& b) { return a.v == b.v; }
  friend VD_INLINE bool operator!=(const Dual& a, const Dual& b) { return a.v != b.v; }
};

namespace detail {
struct NoBits {};  // the functions that work on bit patterns are not those of a Dual
template <class T, int N> struct Traits<Dual<T, N>> {
  using Scalar = T;
  using Mask = bool;
  using Bits = NoBits;
  static constexpr int lanes = 1;
};
}  // namespace detail

template <class T, int N> inline constexpr bool is_dual<Dual<T, N>> = true;
template <class R>
concept DualReal = Real<R> && is_dual<R>;

// f(x) with its slope there.  [T33.2]
template <DualReal R> VD_INLINE R chain(const R& x, const scalar_t<R>& value, const scalar_t<R>& slope) {
  return R(value, slope * x.d);
}

template <class A, class B, class R = real_t<A, B>>
requires is_dual<R> VD_INLINE R min(const A& a, const B& b) {
  const R x = R(a), y = R(b);
  return x.v < y.v ? x : y;
}
template <class A, class B, class R = real_t<A, B>>
requires is_dual<R> VD_INLINE R max(const A& a, const B& b) {
  const R x = R(a), y = R(b);
  return x.v > y.v ? x : y;
}
// Lanes carry values alone: a law that goes lane by lane (height maps, OpenCRG, engine maps, dead times) has no derivatives.
template <DualReal R> VD_INLINE scalar_t<R> lane(const R& x, int) { return x.v; }
template <DualReal R> VD_INLINE R& set_lane(R& x, int, std::type_identity_t<scalar_t<R>> value) { return x = R(value); }

template <DualReal R> VD_INLINE R abs(const R& x) { return chain(x, abs(x.v), sign(x.v)); }
template <DualReal R> VD_INLINE R sign(const R& x) { return R(sign(x.v)); }
template <DualReal R> VD_INLINE R floor(const R& x) { return R(floor(x.v)); }
template <class A, class B, class R = real_t<A, B>>
requires is_dual<R> VD_INLINE R copysign(const A& x_, const B& s_) {
  using T = scalar_t<R>;
  const R x = R(x_), s = R(s_);
  return chain(x, copysign(x.v, s.v), sign(x.v) * copysign(T(1), s.v));
}

template <DualReal R> VD_FN R sqrt(const R& x) {
  const scalar_t<R> q = sqrt(x.v);
  return chain(x, q, x.v == 0 ? 0 : 1 / (2 * q));
}
template <DualReal R> VD_FN void sincos(const R& x, R& s, R& c) {
  scalar_t<R> sv, cv;
  sincos(x.v, sv, cv);
  const R at = x;  // x may be s or c
  s = chain(at, sv, cv);
  c = chain(at, cv, -sv);
}
template <DualReal R> VD_FN R sin(const R& x) {
  R s, c;
  sincos(x, s, c);
  return s;
}
template <DualReal R> VD_FN R cos(const R& x) {
  R s, c;
  sincos(x, s, c);
  return c;
}
template <DualReal R> VD_FN R tan(const R& x) {
  const scalar_t<R> t = tan(x.v);
  return chain(x, t, 1 + t * t);
}
template <DualReal R> VD_FN R atan(const R& x) { return chain(x, atan(x.v), 1 / (1 + x.v * x.v)); }
template <class A, class B, class R = real_t<A, B>>
requires is_dual<R> VD_FN R atan2(const A& y_, const B& x_) {
  const R y = R(y_), x = R(x_);
  const scalar_t<R> r2 = x.v * x.v + y.v * y.v, inv = r2 > 0 ? 1 / r2 : 0;
  return R(atan2(y.v, x.v), (x.v * inv) * y.d - (y.v * inv) * x.d);
}
template <DualReal R> VD_FN R exp(const R& x) {
  const scalar_t<R> e = exp(x.v);
  return chain(x, e, e);
}
template <DualReal R> VD_FN R log(const R& x) { return chain(x, log(x.v), 1 / x.v); }
// x > 0: x^y (y/x dx + log x dy). At x = 0: dx for y = 1, else 0.
template <class A, class B, class R = real_t<A, B>>
requires is_dual<R> VD_FN R pow(const A& x_, const B& y_) {
  const R x = R(x_), y = R(y_);
  const scalar_t<R> p = pow(x.v, y.v);
  if (x.v == 0) return chain(x, p, y.v == 1 ? 1 : 0);
  return R(p, (p * y.v / x.v) * x.d + (p * log(x.v)) * y.d);
}
template <DualReal R> VD_FN R tanh(const R& x) {
  const scalar_t<R> t = tanh(x.v);
  return chain(x, t, (1 - t) * (1 + t));
}

// [T33.4]  x = f(x) was solved for the values of x; here its derivatives follow: dx = df|x + J dx. f(x, out) is evaluated with x held,
// with unit derivatives in the first two directions, which shows J, and at last with dx, so that all it writes has them.
template <DualReal R, class F> VD_FN void solved(F&& f, R x[2], R out[2]) {
  using V = typename R::V;
  const scalar_t<R> at[2] = {x[0].v, x[1].v};
  V held[2], unit[2] = {V{}, V{}};
  x[0] = at[0], x[1] = at[1];
  f(x, out);
  for (int i = 0; i < 2; ++i) held[i] = out[i].d, unit[i][i] = 1, x[i] = R(at[i], unit[i]);
  f(x, out);
  const scalar_t<R> a = 1 - (out[0].d[0] - held[0][0]), b = held[0][1] - out[0].d[1], c = held[1][0] - out[1].d[0],
                    e = 1 - (out[1].d[1] - held[1][1]), inv = 1 / (a * e - b * c);
  x[0] = R(at[0], (e * held[0] - b * held[1]) * inv);
  x[1] = R(at[1], (a * held[1] - c * held[0]) * inv);
  f(x, out);
}

// A struct of R that is nothing but numbers, from the same struct of its scalar: derivatives 0.
template <DualReal R, class To, class From> void put_values(const From& from, To& to) {
  using T = scalar_t<R>;
  static_assert(sizeof(To) / sizeof(R) == sizeof(From) / sizeof(T) && sizeof(To) % sizeof(R) == 0 &&
                alignof(From) == alignof(T));
  const T* f = reinterpret_cast<const T*>(&from);
  R* t = reinterpret_cast<R*>(&to);
  for (std::size_t k = 0; k < sizeof(From) / sizeof(T); ++k) t[k] = R(f[k]);
}

}  // namespace vdsim
#endif  // __CUDACC__
