// SPDX-License-Identifier: Apache-2.0
// What is under the tire: ten numbers per surface, their blend, the overrides of one place on the road, and its temperature.
#pragma once
#include "vdsim/core/math/fields.hpp"
#include "vdsim/core/math/real.hpp"

namespace vdsim {

// surface.*  The default is dry tarmac.
struct SurfaceSpec {
  double friction = 1.10, microtexture = 0.80, macrotexture = 0.60, water_depth = 0, rolling_resistance = 0.012;
  double slip_stiffness_scale = 1, relaxation_length_scale = 1, peak_slip_ratio_scale = 1, deformation = 0.02,
         noise_factor = 0.02;
};

// The ten numbers where something lies on the road; a negative one keeps what is there.
struct SurfaceOverride {
  double friction = -1, microtexture = -1, macrotexture = -1, water_depth = -1, rolling_resistance = -1;
  double slip_stiffness_scale = -1, relaxation_length_scale = -1, peak_slip_ratio_scale = -1, deformation = -1,
         noise_factor = -1;
};

// The ground under one contact. Temperature: T + (1 - told) times that of the air [degC]; told: share of it that the road tells.
struct Unset {};
template <class R> struct Ground {
  Ground() = default;
  VD_INLINE explicit Ground(Unset) {}  // its numbers have no value: what most cars never read need not be written
  R friction, microtexture, macrotexture, water_depth, rolling_resistance;
  R slip_stiffness_scale, relaxation_length_scale, peak_slip_ratio_scale, deformation, noise_factor;
  R told, T;
};

// The three names of each number.
template <class R> struct SurfaceNumber {
  double SurfaceSpec::*spec;
  double SurfaceOverride::*instead;
  R Ground<R>::*ground;
};
template <class R, class F> VD_INLINE constexpr void each_number(F&& f) {
  using S = SurfaceSpec;
  using O = SurfaceOverride;
  using G = Ground<R>;
  using N = SurfaceNumber<R>;
  f(N{&S::friction, &O::friction, &G::friction});
  f(N{&S::microtexture, &O::microtexture, &G::microtexture});
  f(N{&S::macrotexture, &O::macrotexture, &G::macrotexture});
  f(N{&S::water_depth, &O::water_depth, &G::water_depth});
  f(N{&S::rolling_resistance, &O::rolling_resistance, &G::rolling_resistance});
  f(N{&S::slip_stiffness_scale, &O::slip_stiffness_scale, &G::slip_stiffness_scale});
  f(N{&S::relaxation_length_scale, &O::relaxation_length_scale, &G::relaxation_length_scale});
  f(N{&S::peak_slip_ratio_scale, &O::peak_slip_ratio_scale, &G::peak_slip_ratio_scale});
  f(N{&S::deformation, &O::deformation, &G::deformation});
  f(N{&S::noise_factor, &O::noise_factor, &G::noise_factor});
}
constexpr std::size_t numbers_named() {
  std::size_t n = 0;
  each_number<double>([&](auto) { ++n; });
  return n;
}
static_assert(numbers_named() * sizeof(double) == sizeof(SurfaceSpec) &&
                  sizeof(SurfaceOverride) == sizeof(SurfaceSpec) &&
                  sizeof(Ground<double>) == sizeof(SurfaceSpec) + 2 * sizeof(double),
              "each_number() must name every number");

// [T23.2]  component-wise a + t (b - a); t is limited to 0..1, a t that is no number counts as 0.
inline SurfaceSpec blend(const SurfaceSpec& a, const SurfaceSpec& b, double t) {
  const double u = t > 0 ? (t < 1 ? t : (t < kInf ? 1.0 : 0.0)) : 0.0;
  SurfaceSpec s;
  each_number<double>([&](auto n) { s.*n.spec = u == 1 ? b.*n.spec : a.*n.spec + u * (b.*n.spec - a.*n.spec); });
  return s;
}

inline SurfaceSpec override_surface(SurfaceSpec s, const SurfaceOverride& o) {
  each_number<double>([&](auto n) { s.*n.spec = o.*n.instead < 0 ? s.*n.spec : o.*n.instead; });
  return s;
}
// An override by all ten numbers of a surface.
inline SurfaceOverride all_of(const SurfaceSpec& s) {
  SurfaceOverride o;
  each_number<double>([&](auto n) { o.*n.instead = s.*n.spec; });
  return o;
}
inline Ground<double> ground_of(const SurfaceSpec& s) {
  Ground<double> g{};
  each_number<double>([&](auto n) { g.*n.ground = s.*n.spec; });
  return g;
}

inline constexpr double kHardRoad =
    0.012;                                 // rolling resistance of a hard road, which the figures of every tire contain
inline constexpr double kKelvin = 273.15;  // 0 degC
inline constexpr double kKeepTemperature = -1000;

// What lies at one place of the road: a number below 0 keeps what is there, and so does a temperature T below -273.15 degC.
template <class R> struct Cover {
  R mu;
  Ground<R> ground;
};
inline Cover<double> compile_cover(double mu, const SurfaceOverride& o, double temperature) {
  Cover<double> c{mu, {}};
  each_number<double>([&](auto n) { c.ground.*n.ground = o.*n.instead; });
  c.ground.T = temperature;
  return c;
}
inline bool covers(const SurfaceOverride& o, double temperature) {
  bool any = temperature >= -kKelvin;
  each_number<double>([&](auto n) { any = any || o.*n.instead >= 0; });
  return any;
}
// [T06.13]  g + w (cover - g), number by number; w: 1 on the cover, 0 beside it
template <class R> VD_INLINE R covered(R g, R cover, R w) {
  return g + select(cover < R(0.0), R(0.0), w * (cover - g));
}
template <class R> VD_FN void lay(const Ground<R>& cover, R w, Ground<R>& g) {
  each_number<R>([&](auto n) { g.*n.ground = covered(g.*n.ground, cover.*n.ground, w); });
  const R v = select(cover.T < R(-kKelvin), R(0.0), w);
  g.told += v * (R(1.0) - g.told);
  g.T += v * (cover.T - g.T);
}

}  // namespace vdsim
