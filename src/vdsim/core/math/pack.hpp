// SPDX-License-Identifier: Apache-2.0
// Pack<T, N, Isa>: N numbers in the lanes of a SIMD register, on the vector types of g++ and clang; included by real.hpp.
#pragma once

#ifndef VD_INLINE
#error "include vdsim/core/math/real.hpp"
#endif
#ifndef __CUDACC__
#ifdef __SSE2__
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

namespace vdsim {

namespace detail {

// The few operations for which the vector extension of the compilers has no good expression.
// Arguments and results go by reference: a vector wider than the target's registers has no
// stable calling convention (-Wpsabi).
template <class T, int Bytes> struct GenericVec {
  static constexpr int N = Bytes / int(sizeof(T));
  using I = std::conditional_t<sizeof(T) == 8, std::int64_t, std::int32_t>;
  typedef T V __attribute__((vector_size(Bytes)));
  typedef I M __attribute__((vector_size(Bytes)));

  static VD_INLINE void sqrt(V& r, const V& a) {
    for (int i = 0; i < N; ++i) r[i] = root(T(a[i]));
  }
  static VD_INLINE void floor(V& r, const V& a) {
    for (int i = 0; i < N; ++i) r[i] = whole(T(a[i]));
  }
  static VD_INLINE void select(V& r, const M& m, const V& a, const V& b) { r = (V)((m & (M)a) | (~m & (M)b)); }
  static VD_INLINE void min(V& r, const V& a, const V& b) { select(r, (M)(a < b), a, b); }
  static VD_INLINE void max(V& r, const V& a, const V& b) { select(r, (M)(a > b), a, b); }
  static VD_INLINE bool any(const M& m) {
    I s = 0;
    for (int i = 0; i < N; ++i) s |= m[i];
    return s != 0;
  }
  static VD_INLINE bool all(const M& m) {
    I s = -1;
    for (int i = 0; i < N; ++i) s &= m[i];
    return s != 0;
  }
};
template <class T, int Bytes, class Isa> struct Vec : GenericVec<T, Bytes> {};

#ifdef __SSE4_1__
#define VD_VEC41(P, S)                                                    \
  static VD_INLINE void floor(V& r, const V& a) { r = P##_floor_##S(a); } \
  static VD_INLINE void select(V& r, const M& m, const V& a, const V& b) { r = P##_blendv_##S(b, a, (V)m); }
#else
#define VD_VEC41(P, S)
#endif
#define VD_VEC(T, BYTES, P, S)                                                                                 \
  template <class Isa> struct Vec<T, BYTES, Isa> : GenericVec<T, BYTES> {                                      \
    using typename GenericVec<T, BYTES>::V, typename GenericVec<T, BYTES>::M;                                  \
    static VD_INLINE void sqrt(V& r, const V& a) { r = P##_sqrt_##S(a); }                                      \
    static VD_INLINE void min(V& r, const V& a, const V& b) { r = P##_min_##S(a, b); }                         \
    static VD_INLINE void max(V& r, const V& a, const V& b) { r = P##_max_##S(a, b); }                         \
    static VD_INLINE bool any(const M& m) { return P##_movemask_##S((V)m) != 0; }                              \
    static VD_INLINE bool all(const M& m) { return P##_movemask_##S((V)m) == (1 << (BYTES) / sizeof(T)) - 1; } \
    VD_VEC41(P, S)                                                                                             \
  };
#ifdef __SSE2__
VD_VEC(double, 16, _mm, pd)
VD_VEC(float, 16, _mm, ps)
#endif
#ifdef __AVX__
VD_VEC(double, 32, _mm256, pd)
VD_VEC(float, 32, _mm256, ps)
#endif
#undef VD_VEC
#undef VD_VEC41

// min and max of NEON would make NaN of a number and NaN, and order -0 before 0: comparisons give the bits of the others.
#define VD_NEON(T, S)                                                                \
  template <class Isa> struct Vec<T, 16, Isa> : GenericVec<T, 16> {                  \
    using typename GenericVec<T, 16>::V, typename GenericVec<T, 16>::M;              \
    static VD_INLINE void sqrt(V& r, const V& a) { r = (V)vsqrtq_##S(a); }           \
    static VD_INLINE void floor(V& r, const V& a) { r = (V)vrndmq_##S(a); }          \
    static VD_INLINE bool any(const M& m) { return vmaxvq_u32((uint32x4_t)m) != 0; } \
    static VD_INLINE bool all(const M& m) { return vminvq_u32((uint32x4_t)m) != 0; } \
  };
#ifdef __aarch64__
VD_NEON(double, f64)
VD_NEON(float, f32)
#endif
#undef VD_NEON

// The bit patterns of a pack, for the sign and exponent work of the elementary functions.
template <class T, int N, class Isa> struct PackBits {
  using U = bits_t<T>;
  typedef U V __attribute__((vector_size(N * sizeof(T))));
  V v;

  PackBits() = default;
  VD_INLINE PackBits(U s) : v(V{} + s) {}
  VD_INLINE explicit PackBits(const V& x) : v(x) {}
  friend VD_INLINE PackBits operator+(const PackBits& a, const PackBits& b) { return PackBits(a.v + b.v); }
  friend VD_INLINE PackBits operator-(const PackBits& a, const PackBits& b) { return PackBits(a.v - b.v); }
  friend VD_INLINE PackBits operator&(const PackBits& a, const PackBits& b) { return PackBits(a.v & b.v); }
  friend VD_INLINE PackBits operator|(const PackBits& a, const PackBits& b) { return PackBits(a.v | b.v); }
  friend VD_INLINE PackBits operator^(const PackBits& a, const PackBits& b) { return PackBits(a.v ^ b.v); }
  friend VD_INLINE PackBits operator<<(const PackBits& a, int n) { return PackBits(a.v << U(n)); }
  friend VD_INLINE PackBits operator>>(const PackBits& a, int n) { return PackBits(a.v >> U(n)); }
};
}  // namespace detail

// One truth value per lane of P, all bits of the lane set or clear.
template <class P> struct Mask {
  using Op = typename P::Op;
  using V = typename Op::M;
  V v;

  Mask() = default;
  VD_INLINE Mask(bool b) : v(V{} - typename Op::I(b)) {}
  VD_INLINE explicit Mask(const V& x) : v(x) {}
  friend VD_INLINE Mask operator&(const Mask& a, const Mask& b) { return Mask(a.v & b.v); }
  friend VD_INLINE Mask operator|(const Mask& a, const Mask& b) { return Mask(a.v | b.v); }
  friend VD_INLINE Mask operator!(const Mask& a) { return Mask(~a.v); }
};

template <class T, int N, class Isa = IsaBase> struct Pack {
  using Op = detail::Vec<T, N* int(sizeof(T)), Isa>;
  using V = typename Op::V;
  using M = Mask<Pack>;
  V v;

  Pack() = default;
  // Broadcast of any number, rounded to T first.  s - 0 and not s + 0: it keeps -0.0.
  template <class S>
  requires std::is_arithmetic_v<S> VD_INLINE Pack(S s) : v(T(s) - V{}) {}
  VD_INLINE explicit Pack(const V& x) : v(x) {}

  // Friends, found by argument: both operands may be numbers that convert to a Pack.
  friend VD_INLINE Pack operator+(const Pack& a, const Pack& b) { return Pack(a.v + b.v); }
  friend VD_INLINE Pack operator-(const Pack& a, const Pack& b) { return Pack(a.v - b.v); }
  friend VD_INLINE Pack operator*(const Pack& a, const Pack& b) { return Pack(a.v * b.v); }
  friend VD_INLINE Pack operator/(const Pack& a, const Pack& b) { return Pack(a.v / b.v); }
  friend VD_INLINE Pack operator-(const Pack& a) { return Pack(-a.v); }
  friend VD_INLINE Pack operator+(const Pack& a) { return a; }
  VD_INLINE Pack& operator+=(const Pack& b) { return *this = *this + b; }
  VD_INLINE Pack& operator-=(const Pack& b) { return *this = *this - b; }
  VD_INLINE Pack& operator*=(const Pack& b) { return *this = *this * b; }
  VD_INLINE Pack& operator/=(const Pack& b) { return *this = *this / b; }
  friend VD_INLINE M operator<(const Pack& a, const Pack& b) { return M((typename M::V)(a.v < b.v)); }
  friend VD_INLINE M operator>(const Pack& a, const Pack& b) { return M((typename M::V)(a.v > b.v)); }
  friend VD_INLINE M operator<=(const Pack& a, const Pack& b) { return M((typename M::V)(a.v <= b.v)); }
  friend VD_INLINE M operator>=(const Pack& a, const Pack& b) { return M((typename M::V)(a.v >= b.v)); }
  friend VD_INLINE M operator==(const Pack& a, const Pack& b) { return M((typename M::V)(a.v == b.v)); }
  friend VD_INLINE M operator!=(const Pack& a, const Pack& b) { return M((typename M::V)(a.v != b.v)); }

  // Here as well, for select(mask, 1.0, 0.0).
  friend VD_INLINE Pack select(const M& m, const Pack& a, const Pack& b) {
    Pack r;
    Op::select(r.v, m.v, a.v, b.v);
    return r;
  }
};

namespace detail {
template <class T, int N, class Isa> struct Traits<Pack<T, N, Isa>> {
  using Scalar = T;
  using Mask = vdsim::Mask<Pack<T, N, Isa>>;
  using Bits = PackBits<T, N, Isa>;
  static constexpr int lanes = N;
};
}  // namespace detail

}  // namespace vdsim
#endif  // __CUDACC__
