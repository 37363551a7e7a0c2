// SPDX-License-Identifier: Apache-2.0
// Field tables: the road.
#include "vdsim/core/road/spec.hpp"
#include "vdsim/engine/tables/table.hpp"

namespace vdsim {
namespace {

FieldRef road_temperature(double& value) {
  return optional(
      field("temperature", value, "degC", between(-60, 100), "of the road, for rally tires; without: that of the air"),
      kKeepTemperature);
}

}  // namespace

template <> std::vector<FieldRef> fields_of(SplitMuSpec& s) {
  return table<SplitMuSpec>({field("mu_left", s.mu_left, "-", at_least(0), "friction for y above boundary_y"),
                             field("mu_right", s.mu_right, "-", at_least(0), "friction for y below boundary_y"),
                             field("boundary_y", s.boundary_y, "m", any_finite(), "the line between them"),
                             field("width", s.width, "m", above(0), "width of the smooth edge")});
}

template <> std::vector<FieldRef> fields_of(RoadSectionSpec& s) {
  return table<RoadSectionSpec>(
      {field("from", s.from, "m", any_finite(), "where it begins: x, on an OpenCRG road the station"),
       field("to", s.to, "m", any_finite(), "where it ends"),
       optional(field("mu", s.mu, "-", at_least(0), "friction on it; without: that of the road"), -1),
       field("edge", s.edge, "m", above(0), "length of the smooth change at both ends"),
       block("surface", s.surface, "what lies there: a surface part, or single numbers of one"),
       road_temperature(s.temperature)});
}

template <> std::vector<FieldRef> fields_of(RoadPatchSpec& s) {
  return table<RoadPatchSpec>(
      {optional(field("mu", s.mu, "-", at_least(0), "friction inside; without: that of the road"), -1),
       field("edge", s.edge, "m", above(0), "width of the smooth edge"),
       block("surface", s.surface, "what lies there: a surface part, or single numbers of one"),
       road_temperature(s.temperature), field("count", s.count, "vertices in use"),
       other("polygon", s.polygon, "corners [x, y]")});
}

template <> std::vector<FieldRef> fields_of(PsdSpec& s) {
  return table<PsdSpec>(
      {field("gd_n0", s.gd_n0, "m^3", at_least(0), "spectrum at 0.1 cycles/m; 0 = from iso_class"),
       field("waviness", s.waviness, "-", between(0, 5), "falling exponent of the spectrum"),
       field("n_break", s.n_break, "1/m", at_least(0), "wave number from which waviness_high holds; 0 = none"),
       field("waviness_high", s.waviness_high, "-", between(0, 5), "falling exponent above n_break"),
       field("n_min", s.n_min, "1/m", above(0), "lowest wave number, also of iso_class"),
       field("n_max", s.n_max, "1/m", above(0), "highest wave number, also of iso_class"),
       field("seed", s.seed, "-", between(0, 2147483647), "another seed, another road of the same spectrum")});
}

template <> std::vector<FieldRef> fields_of(RampSpec& s) {
  return table<RampSpec>(
      {field("x0", s.x0, "m", any_finite(), "where the ramp begins"),
       field("length", s.length, "m", above(0), "of the climb along x"),
       field("height", s.height, "m", at_least(0), "at the end of the climb; 0 = no ramp"),
       field("lip", s.lip, "m", at_least(0), "flat top after the climb; 0 = the incline ends in the air"),
       field("width", s.width, "m", at_least(0), "across; 0 = endless")});
}

template <> std::vector<FieldRef> fields_of(LoopSpec& s) {
  return table<LoopSpec>({field("x0", s.x0, "m", any_finite(), "where the flat meets the circle"),
                          field("radius", s.radius, "m", at_least(0), "of the circle; 0 = no loop"),
                          field("width", s.width, "m", above(0), "of the lane; it enters about y = 0"),
                          field("drift", s.drift, "m", any_finite(),
                                "the lane leaves that far left of where it enters; 0 = where it enters")});
}

template <> std::vector<FieldRef> fields_of(OvalSpec& s) {
  return table<OvalSpec>({field("radius", s.radius, "m", at_least(0), "of the turns, centre line; 0 = no oval"),
                          field("straight", s.straight, "m", at_least(0), "length of each straight"),
                          field("width", s.width, "m", above(0), "of the track"),
                          field("bank", s.bank, "rad", between(-1.2, 1.2), "of the turns, positive rises outwards")});
}

template <> std::vector<FieldRef> fields_of(StuntSpec& s) {
  return table<StuntSpec>({block("ramp", s.ramp, "jump ramp"), block("loop", s.loop, "vertical loop"),
                           block("oval", s.oval, "banked oval")});
}

template <> std::vector<FieldRef> fields_of(WindSpec& s) {
  return table<WindSpec>(
      {field("speed", s.speed, "m/s", between(0, 100), "of the air over the road; 0 = no steady wind"),
       field("direction", s.direction, "rad", any_finite(), "where the air goes: 0 = +x, pi/2 = +y, to the left"),
       field("from", s.from, "m", any_finite(), "where the steady wind begins: x, on an OpenCRG road the station"),
       field("to", s.to, "m", any_finite(), "where it ends; equal to from: it is everywhere"),
       field("edge", s.edge, "m", above(0), "length of the smooth change at both ends"),
       field("gust_speed", s.gust_speed, "m/s", between(-100, 100), "largest speed that a gust adds; 0 = none"),
       field("gust_start", s.gust_start, "m", any_finite(), "where the gust begins"),
       field("gust_length", s.gust_length, "m", at_least(0), "of the gust, one wave of 1 - cosine")});
}

template <> std::vector<FieldRef> fields_of(RoadSpec& s) {
  return table<RoadSpec, 3>(
      {field("mu", s.mu, "-", at_least(0), "friction of the road; multiplies the tire's own"),
       field("grade", s.grade, "-", between(-10, 10), "tangent of the slope along +x, positive climbs"),
       field("bank", s.bank, "-", between(-10, 10), "tangent of the slope along +y, positive rises to the left"),
       block("split_mu", s.split_mu, "left and right friction"),
       block("surface", s.surface, "what lies on all of it: a surface part, or single numbers of one"),
       road_temperature(s.temperature), field("section_count", s.section_count, "sections in use"),
       other("sections", s.sections, "stretches of another friction or surface; the last one named wins"),
       field("patch_count", s.patch_count, "patches in use"),
       other("patches", s.patches,
             "patches of another friction or surface, over the sections; the last one named wins"),
       field("rough_amp", s.rough_amp, "m", at_least(0), "amplitude of a sine road along x; 0 = none"),
       field("rough_wl", s.rough_wl, "m", above(0), "wavelength of the sine road"),
       field("iso_class", s.iso_class, "unevenness by ISO 8608, A smooth to H broken"),
       block("psd", s.psd, "unevenness by its spectrum"), block("stunt", s.stunt, "ramp, loop, oval"),
       block("wind", s.wind, "over the road"), field("terrain", s.terrain, "file of heights; empty = none"),
       field("interpolation", s.interpolation, "between the heights of a grid")});
}

}  // namespace vdsim
