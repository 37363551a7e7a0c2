// SPDX-License-Identifier: Apache-2.0
// Field tables: what is under the tire.
#include "vdsim/core/road/surface.hpp"
#include "vdsim/engine/tables/table.hpp"

namespace vdsim {

template <> std::vector<FieldRef> fields_of(SurfaceSpec& s) {
  return table<SurfaceSpec>(
      {field("friction", s.friction, "-", Range{0, 3, true, false}, "factor on the friction of the tire"),
       field("microtexture", s.microtexture, "-", between(0, 1), "fine roughness: grip through a water film, wear"),
       field("macrotexture", s.macrotexture, "-", between(0, 1), "coarse roughness: drainage, heat into the road"),
       field("water_depth", s.water_depth, "m", between(0, 0.05), "standing water; 0 = dry"),
       field("rolling_resistance", s.rolling_resistance, "-", between(0, 1),
             "of the ground; 0.012 is a hard road and adds nothing to the tire's own"),
       field("slip_stiffness_scale", s.slip_stiffness_scale, "-", between(0.05, 2), "factor on the slip stiffness"),
       field("relaxation_length_scale", s.relaxation_length_scale, "-", between(0.2, 5),
             "factor on both relaxation lengths")
           .read_by(when(RallyMode::Auto, RallyMode::BrushOnly)),
       field("peak_slip_ratio_scale", s.peak_slip_ratio_scale, "-", between(0.5, 5),
             "moves the longitudinal peak to this multiple of its slip, at unchanged slip stiffness")
           .read_by(when(RallyMode::Auto, RallyMode::PacejkaOnly)),
       field("deformation", s.deformation, "-", between(0, 1), "how far the ground gives way"),
       field("noise_factor", s.noise_factor, "-", between(0, 1), "spread of the friction with position")});
}

// As above, none of them required.
template <> std::vector<FieldRef> fields_of(SurfaceOverride& s) {
  SurfaceSpec whole;
  const std::vector<FieldRef> of_surface = fields_of(whole);
  std::vector<FieldRef> out;
  each_number<double>([&](auto n) {
    FieldRef f = of_surface[out.size()];
    f.data = &(s.*n.instead);
    f.none = -1;
    out.push_back(f);
  });
  return out;
}

}  // namespace vdsim
