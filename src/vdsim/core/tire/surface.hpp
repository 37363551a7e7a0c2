// What is under the tire: ten numbers per surface, their blend, and the overrides of one road section.
#pragma once
#include "vdsim/core/math/fields.hpp"

namespace vdsim {

// surface.*  The default is dry tarmac.
struct SurfaceSpec {
  double friction = 1.10, microtexture = 0.80, macrotexture = 0.60, water_depth = 0, rolling_resistance = 0.012;
  double slip_stiffness_scale = 1, relaxation_length_scale = 1, peak_slip_ratio_scale = 1, deformation = 0.02,
         noise_factor = 0.02;

  static constexpr auto fields() {
    using S = SurfaceSpec;
    return std::tuple{
        field("friction", &S::friction, "-", Range{0, 3, true, false}, "factor on the friction of the tire"),
        field("microtexture", &S::microtexture, "-", between(0, 1), "fine roughness: grip through a water film, wear"),
        field("macrotexture", &S::macrotexture, "-", between(0, 1), "coarse roughness: drainage, heat into the road"),
        field("water_depth", &S::water_depth, "m", between(0, 0.05), "standing water; 0 = dry"),
        field("rolling_resistance", &S::rolling_resistance, "-", between(0, 1),
              "of the ground; 0.012 is a hard road and adds nothing to the tire's own"),
        field("slip_stiffness_scale", &S::slip_stiffness_scale, "-", between(0.05, 2), "factor on the slip stiffness"),
        field("relaxation_length_scale", &S::relaxation_length_scale, "-", between(0.2, 5),
              "factor on both relaxation lengths"),
        field("peak_slip_ratio_scale", &S::peak_slip_ratio_scale, "-", between(0.5, 5),
              "moves the longitudinal peak to this multiple of its slip, at unchanged slip stiffness"),
        field("deformation", &S::deformation, "-", between(0, 1), "how far the ground gives way"),
        field("noise_factor", &S::noise_factor, "-", between(0, 1), "spread of the friction with position")};
  }
};
VD_COMPLETE(SurfaceSpec);

// [T23.2]  component-wise a + t (b - a); t is limited to 0..1, a t that is no number counts as 0.
inline SurfaceSpec blend(const SurfaceSpec& a, const SurfaceSpec& b, double t) {
  const double u = t > 0 ? (t < 1 ? t : (t < kInf ? 1.0 : 0.0)) : 0.0;
  SurfaceSpec s;
  for_each_field<SurfaceSpec>(
      [&](const auto& f) { s.*f.member = u == 1 ? b.*f.member : a.*f.member + u * (b.*f.member - a.*f.member); });
  return s;
}

// The ten numbers of one road section; a negative one keeps what the surface has.
struct SurfaceOverride {
  double friction = -1, microtexture = -1, macrotexture = -1, water_depth = -1, rolling_resistance = -1;
  double slip_stiffness_scale = -1, relaxation_length_scale = -1, peak_slip_ratio_scale = -1, deformation = -1,
         noise_factor = -1;

  static constexpr auto fields() {
    using S = SurfaceOverride;
    const auto f = [](const char* name, double S::*member, const char* unit) {
      return field(name, member, unit, any_finite(), "replaces the surface's value; negative = keep");
    };
    return std::tuple{f("friction", &S::friction, "-"),
                      f("microtexture", &S::microtexture, "-"),
                      f("macrotexture", &S::macrotexture, "-"),
                      f("water_depth", &S::water_depth, "m"),
                      f("rolling_resistance", &S::rolling_resistance, "-"),
                      f("slip_stiffness_scale", &S::slip_stiffness_scale, "-"),
                      f("relaxation_length_scale", &S::relaxation_length_scale, "-"),
                      f("peak_slip_ratio_scale", &S::peak_slip_ratio_scale, "-"),
                      f("deformation", &S::deformation, "-"),
                      f("noise_factor", &S::noise_factor, "-")};
  }
};
VD_COMPLETE(SurfaceOverride);

inline SurfaceSpec override_surface(SurfaceSpec s, const SurfaceOverride& o) {
  std::apply(
      [&](const auto&... to) {
        std::apply(
            [&](const auto&... from) { ((s.*to.member = o.*from.member < 0 ? s.*to.member : o.*from.member), ...); },
            SurfaceOverride::fields());
      },
      SurfaceSpec::fields());
  return s;
}

}  // namespace vdsim
