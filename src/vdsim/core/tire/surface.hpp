// What is under the tire: ten numbers per surface, their blend, and the overrides of one road section.
#pragma once
#include "vdsim/core/math/fields.hpp"

namespace vdsim {

// surface.*  The default is dry tarmac.
struct SurfaceSpec {
  double friction = 1.10, microtexture = 0.80, macrotexture = 0.60, water_depth = 0, rolling_resistance = 0.012;
  double slip_stiffness_scale = 1, relaxation_length_scale = 1, peak_slip_ratio_scale = 1, deformation = 0.02,
         noise_factor = 0.02;
};

// The ten numbers of one road section; a negative one keeps what the surface has.
struct SurfaceOverride {
  double friction = -1, microtexture = -1, macrotexture = -1, water_depth = -1, rolling_resistance = -1;
  double slip_stiffness_scale = -1, relaxation_length_scale = -1, peak_slip_ratio_scale = -1, deformation = -1,
         noise_factor = -1;
};

// Each number of a surface beside the one that replaces it.
struct SurfaceNumber {
  double SurfaceSpec::*value;
  double SurfaceOverride::*instead;
};
inline constexpr SurfaceNumber kSurfaceNumbers[] = {
    {&SurfaceSpec::friction, &SurfaceOverride::friction},
    {&SurfaceSpec::microtexture, &SurfaceOverride::microtexture},
    {&SurfaceSpec::macrotexture, &SurfaceOverride::macrotexture},
    {&SurfaceSpec::water_depth, &SurfaceOverride::water_depth},
    {&SurfaceSpec::rolling_resistance, &SurfaceOverride::rolling_resistance},
    {&SurfaceSpec::slip_stiffness_scale, &SurfaceOverride::slip_stiffness_scale},
    {&SurfaceSpec::relaxation_length_scale, &SurfaceOverride::relaxation_length_scale},
    {&SurfaceSpec::peak_slip_ratio_scale, &SurfaceOverride::peak_slip_ratio_scale},
    {&SurfaceSpec::deformation, &SurfaceOverride::deformation},
    {&SurfaceSpec::noise_factor, &SurfaceOverride::noise_factor}};
static_assert(sizeof(kSurfaceNumbers) / sizeof(SurfaceNumber) * sizeof(double) == sizeof(SurfaceSpec) &&
                  sizeof(SurfaceOverride) == sizeof(SurfaceSpec),
              "kSurfaceNumbers must list every number");

// [T23.2]  component-wise a + t (b - a); t is limited to 0..1, a t that is no number counts as 0.
inline SurfaceSpec blend(const SurfaceSpec& a, const SurfaceSpec& b, double t) {
  const double u = t > 0 ? (t < 1 ? t : (t < kInf ? 1.0 : 0.0)) : 0.0;
  SurfaceSpec s;
  for (const SurfaceNumber& n : kSurfaceNumbers)
    s.*n.value = u == 1 ? b.*n.value : a.*n.value + u * (b.*n.value - a.*n.value);
  return s;
}

inline SurfaceSpec override_surface(SurfaceSpec s, const SurfaceOverride& o) {
  for (const SurfaceNumber& n : kSurfaceNumbers) s.*n.value = o.*n.instead < 0 ? s.*n.value : o.*n.instead;
  return s;
}

}  // namespace vdsim
