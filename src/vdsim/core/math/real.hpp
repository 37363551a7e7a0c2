// SPDX-License-Identifier: Apache-2.0
// The number type R of the kernel.
//
// Physics is written once as template<class R> and runs with R = double, R = float or
// R = Pack<T, N, Isa>, N independent vehicles in the lanes of a SIMD register.  Code over R never
// branches on a value: a condition is a mask, and select(mask, a, b) picks lane by lane.
//
// Scalars and packs go through the same sequence of IEEE operations, so with contraction off
// (-ffp-contract=off) a lane of a pack and the scalar computation agree to the last bit.
// Fast-math options that reassociate or ignore NaN break this header.
#pragma once

#include <cmath>
#include <cstdint>
#include <type_traits>

#ifdef __CUDACC__
#define VD_FN __host__ __device__ inline
#define VD_INLINE __host__ __device__ __forceinline__
#define VD_NOINLINE __host__ __device__ inline
#define VD_OUTLINE __host__ __device__ __forceinline__
// float on a GPU with fast numerics: sine, cosine and division by the processor's own approximations (2e-6)
#if defined(__CUDA_ARCH__) && defined(VDSIM_NUMERIC_FAST)
#define VD_GPU_FAST
#endif
#else
#define VD_FN inline
#define VD_INLINE inline __attribute__((always_inline))
// a law that a car may not use: kept out of line, so that it does not crowd the code of those that do not
#define VD_NOINLINE inline __attribute__((noinline))
// a template that `extern template` can leave to one file (engine/step.hpp): an inline one would be compiled everywhere
#define VD_OUTLINE
#endif

// Before a loop over wheels, axles or stages: on a GPU an array whose index is not a constant lies in memory, not in
// registers. A CPU has its arrays in the first cache and shorter code without it.
#if defined(__CUDA_ARCH__) && !defined(VD_NO_UNROLL)  // without: open laws compile in minutes, not in tens
#define VD_UNROLL _Pragma("unroll")
#else
#define VD_UNROLL
#endif

namespace vdsim {

inline constexpr double kGravity = 9.80665;  // standard gravity [m/s^2]

// Tags only.  Templates instantiated in translation units with different -m flags carry a
// different tag and so are different symbols; the linker cannot mix them up.
struct IsaBase {};
struct IsaAvx2 {};
struct IsaNeon {};
struct IsaFast {};

namespace detail {
template <class R> struct Traits;
template <class T, class B> struct ScalarTraits {
  using Scalar = T;
  using Mask = bool;
  using Bits = B;
  static constexpr int lanes = 1;
};
template <> struct Traits<double> : ScalarTraits<double, std::uint64_t> {};
template <> struct Traits<float> : ScalarTraits<float, std::uint32_t> {};
}  // namespace detail

template <class R> using scalar_t = typename detail::Traits<R>::Scalar;
template <class R> using mask_t = typename detail::Traits<R>::Mask;
template <class R> using bits_t = typename detail::Traits<R>::Bits;
template <class R> inline constexpr int lanes = detail::Traits<R>::lanes;
template <class R> inline constexpr bool is_dual = false;  // carries derivatives (dual.hpp)

template <class T>
concept Scalar = std::is_same_v<T, double> || std::is_same_v<T, float>;
template <class R>
concept Real = requires {
  typename detail::Traits<R>::Scalar;
};

// Functions of several numbers return the type of the widest argument, double < float < Pack, so
// that a literal takes the type of the variable: min(x, 1.0) with a float x stays float.
namespace detail {
template <class A> inline constexpr int rank = std::is_same_v<A, float>    ? 2
                                               : std::is_same_v<A, double> ? 1
                                               : std::is_arithmetic_v<A>   ? 0
                                               : Real<A>                   ? 3
                                                                           : -1;
template <class A, class B> using wider_t = std::conditional_t<(rank<B> > rank<A>), B, A>;
}  // namespace detail
template <class A, class B, class C = A>
requires(detail::rank<A> >= 0 && detail::rank<B> >= 0 && detail::rank<C> >= 0) using real_t =
    std::enable_if_t<Real<detail::wider_t<detail::wider_t<A, B>, C>>, detail::wider_t<detail::wider_t<A, B>, C>>;

namespace detail {
VD_INLINE double root(double x) { return ::sqrt(x); }
VD_INLINE float root(float x) { return ::sqrtf(x); }
VD_INLINE double whole(double x) { return ::floor(x); }
VD_INLINE float whole(float x) { return ::floorf(x); }
}  // namespace detail

}  // namespace vdsim

#include "vdsim/core/math/pack.hpp"

namespace vdsim {

// --------------------------------------------------------------- functions of scalars and packs

namespace detail {
// Packs are cast, not copied: g++ sends memcpy of a vector through the stack.
template <Real R> VD_INLINE bits_t<R> to_bits(const R& x) {
  if constexpr (Scalar<R>) {
    bits_t<R> b;
    __builtin_memcpy(&b, &x, sizeof b);
    return b;
  } else {
    return bits_t<R>((typename bits_t<R>::V)x.v);
  }
}
template <Real R> VD_INLINE R from_bits(const bits_t<R>& b) {
  if constexpr (Scalar<R>) {
    R x;
    __builtin_memcpy(&x, &b, sizeof x);
    return x;
  } else {
    return R((typename R::V)b.v);
  }
}
// Bit 0 as a mask.
template <Real R> VD_INLINE mask_t<R> odd(const bits_t<R>& b) {
  if constexpr (Scalar<R>) {
    return (b & 1) != 0;
  } else {
    using M = mask_t<R>;
    return M(-(typename M::V)(b & bits_t<R>(1)).v);
  }
}
}  // namespace detail

template <class A, class B, class R = real_t<A, B>>
VD_INLINE R select(const std::type_identity_t<mask_t<R>>& m, const A& a, const B& b) {
  const R x = R(a), y = R(b);
  if constexpr (Scalar<R> || is_dual<R>) {
    return m ? x : y;
  } else {
    R r;
    R::Op::select(r.v, m.v, x.v, y.v);
    return r;
  }
}
// If either argument is NaN, min and max return the second one (the rule of minpd and maxpd).
template <class A, class B, class R = real_t<A, B>> VD_INLINE R min(const A& a, const B& b) {
  const R x = R(a), y = R(b);
  if constexpr (Scalar<R>) {
    return x < y ? x : y;
  } else {
    R r;
    R::Op::min(r.v, x.v, y.v);
    return r;
  }
}
template <class A, class B, class R = real_t<A, B>> VD_INLINE R max(const A& a, const B& b) {
  const R x = R(a), y = R(b);
  if constexpr (Scalar<R>) {
    return x > y ? x : y;
  } else {
    R r;
    R::Op::max(r.v, x.v, y.v);
    return r;
  }
}
template <Real R> VD_INLINE R sqrt(const R& x) {
  if constexpr (Scalar<R>) {
    return detail::root(x);
  } else {
    R r;
    R::Op::sqrt(r.v, x.v);
    return r;
  }
}
template <Real R> VD_INLINE R floor(const R& x) {
  if constexpr (Scalar<R>) {
    return detail::whole(x);
  } else {
    R r;
    R::Op::floor(r.v, x.v);
    return r;
  }
}
template <Real R> VD_INLINE scalar_t<R> lane(const R& x, [[maybe_unused]] int i) {
  if constexpr (Scalar<R>)
    return x;
  else
    return x.v[i];
}
template <Real R> VD_INLINE R& set_lane(R& x, [[maybe_unused]] int i, std::type_identity_t<scalar_t<R>> value) {
  if constexpr (Scalar<R>)
    x = value;
  else
    x.v[i] = value;
  return x;
}
// The mask of a scalar is a plain bool.
VD_INLINE bool any(bool m) { return m; }
VD_INLINE bool all(bool m) { return m; }
VD_INLINE bool lane(bool m, int) { return m; }
#ifndef __CUDACC__
template <class P> VD_INLINE bool any(const Mask<P>& m) { return P::Op::any(m.v); }
template <class P> VD_INLINE bool all(const Mask<P>& m) { return P::Op::all(m.v); }
template <class P> VD_INLINE bool lane(const Mask<P>& m, int i) { return m.v[i] != 0; }
#endif

}  // namespace vdsim

#include "vdsim/core/math/elementary.hpp"
