// What a user says of the road: a plane, a friction map on it, and what stands above the plane.
#pragma once
#include "vdsim/core/math/fields.hpp"

namespace vdsim {

inline constexpr int kMaxPatches = 8, kMaxVertices = 16;

struct RoadGrid;  // road/heightmap.hpp
struct CrgView;   // road/crg.hpp

struct SplitMuSpec {
  double mu_left = 0, mu_right = 0, boundary_y = 0, width = 0.1;  // mu 0, 0 = no split

  static constexpr auto fields() {
    using S = SplitMuSpec;
    return std::tuple{field("mu_left", &S::mu_left, "-", at_least(0), "friction for y above boundary_y"),
                      field("mu_right", &S::mu_right, "-", at_least(0), "friction for y below boundary_y"),
                      field("boundary_y", &S::boundary_y, "m", any_finite(), "the line between them"),
                      field("width", &S::width, "m", above(0), "width of the smooth edge")};
  }
};
VD_COMPLETE(SplitMuSpec);

struct RoadPatchSpec {
  double mu = 1, edge = 0.1;
  int count = 0;  // vertices in use
  std::array<std::array<double, 2>, kMaxVertices>
      polygon{};  // corners [x, y], either sense of rotation, not self-crossing

  static constexpr auto fields() {
    using S = RoadPatchSpec;
    return std::tuple{field("mu", &S::mu, "-", at_least(0), "friction inside"),
                      field("edge", &S::edge, "m", above(0), "width of the smooth edge"),
                      field("count", &S::count, "vertices in use"), field("polygon", &S::polygon, "corners [x, y]")};
  }
};
VD_COMPLETE(RoadPatchSpec);

enum class IsoClass { none, A, B, C, D, E, F, G, H };
template <> struct EnumNames<IsoClass> {
  static constexpr std::array names{"none", "A", "B", "C", "D", "E", "F", "G", "H"};
};
enum class Interpolation { bilinear, bicubic };
template <> struct EnumNames<Interpolation> { static constexpr std::array names{"bilinear", "bicubic"}; };

// Displacement spectrum Gd = gd_n0 (n/0.1)^-waviness, from n_break on with waviness_high; wave numbers n in cycles/m.
struct PsdSpec {
  double gd_n0 = 0, waviness = 2, n_break = 0, waviness_high = 2, n_min = 0.0131, n_max = 2.83;
  int seed = 1;

  static constexpr auto fields() {
    using S = PsdSpec;
    return std::tuple{
        field("gd_n0", &S::gd_n0, "m^3", at_least(0), "spectrum at 0.1 cycles/m; 0 = from iso_class"),
        field("waviness", &S::waviness, "-", between(0, 5), "falling exponent of the spectrum"),
        field("n_break", &S::n_break, "1/m", at_least(0), "wave number from which waviness_high holds; 0 = none"),
        field("waviness_high", &S::waviness_high, "-", between(0, 5), "falling exponent above n_break"),
        field("n_min", &S::n_min, "1/m", above(0), "lowest wave number, also of iso_class"),
        field("n_max", &S::n_max, "1/m", above(0), "highest wave number, also of iso_class"),
        field("seed", &S::seed, "-", between(0, 2147483647), "another seed, another road of the same spectrum")};
  }
};
VD_COMPLETE(PsdSpec);

// Climbs along +x, symmetric about y = 0.
struct RampSpec {
  double x0 = 20, length = 10, height = 0, lip = 0, width = 0;

  static constexpr auto fields() {
    using S = RampSpec;
    return std::tuple{
        field("x0", &S::x0, "m", any_finite(), "where the ramp begins"),
        field("length", &S::length, "m", above(0), "of the climb along x"),
        field("height", &S::height, "m", at_least(0), "at the end of the climb; 0 = no ramp"),
        field("lip", &S::lip, "m", at_least(0), "flat top after the climb; 0 = the incline ends in the air"),
        field("width", &S::width, "m", at_least(0), "across; 0 = endless")};
  }
};
VD_COMPLETE(RampSpec);

struct LoopSpec {
  double x0 = 40, radius = 0, width = 6, drift = 0;

  static constexpr auto fields() {
    using S = LoopSpec;
    return std::tuple{field("x0", &S::x0, "m", any_finite(), "where the flat meets the circle"),
                      field("radius", &S::radius, "m", at_least(0), "of the circle; 0 = no loop"),
                      field("width", &S::width, "m", above(0), "of the lane; it enters about y = 0"),
                      field("drift", &S::drift, "m", any_finite(),
                            "the lane leaves that far left of where it enters; 0 = round and round")};
  }
};
VD_COMPLETE(LoopSpec);

// Driven counter-clockwise: one straight on y = 0 about x = 0, the other on y = 2 radius.
struct OvalSpec {
  double radius = 0, straight = 100, width = 12, bank = 0.2;

  static constexpr auto fields() {
    using S = OvalSpec;
    return std::tuple{field("radius", &S::radius, "m", at_least(0), "of the turns, centre line; 0 = no oval"),
                      field("straight", &S::straight, "m", at_least(0), "length of each straight"),
                      field("width", &S::width, "m", above(0), "of the track"),
                      field("bank", &S::bank, "rad", between(-1.2, 1.2), "of the turns, positive rises outwards")};
  }
};
VD_COMPLETE(OvalSpec);

struct StuntSpec {
  RampSpec ramp;
  LoopSpec loop;
  OvalSpec oval;

  static constexpr auto fields() {
    using S = StuntSpec;
    return std::tuple{field("ramp", &S::ramp, "jump ramp"), field("loop", &S::loop, "vertical loop"),
                      field("oval", &S::oval, "banked oval")};
  }
};
VD_COMPLETE(StuntSpec);

struct RoadSpec {
  double mu = 1, grade = 0, bank = 0;
  SplitMuSpec split_mu;
  int patch_count = 0;
  std::array<RoadPatchSpec, kMaxPatches> patches{};
  double rough_amp = 0, rough_wl = 5;
  IsoClass iso_class = IsoClass::none;
  PsdSpec psd;
  StuntSpec stunt;
  PathText terrain;
  Interpolation interpolation = Interpolation::bilinear;
  // What was read from `terrain`, owned by the reader; outside the list because a user names the file.
  const RoadGrid* grid = nullptr;
  const CrgView* crg = nullptr;

  static constexpr auto fields() {
    using S = RoadSpec;
    return std::tuple{
        field("mu", &S::mu, "-", at_least(0), "friction of the road; multiplies the tire's own"),
        field("grade", &S::grade, "-", any_finite(), "tangent of the slope along +x, positive climbs"),
        field("bank", &S::bank, "-", any_finite(), "tangent of the slope along +y, positive rises to the left"),
        field("split_mu", &S::split_mu, "left and right friction"),
        field("patch_count", &S::patch_count, "patches in use"),
        field("patches", &S::patches, "friction patches; the last one named wins"),
        field("rough_amp", &S::rough_amp, "m", at_least(0), "amplitude of a sine road along x; 0 = none"),
        field("rough_wl", &S::rough_wl, "m", above(0), "wavelength of the sine road"),
        field("iso_class", &S::iso_class, "unevenness by ISO 8608, A smooth to H broken"),
        field("psd", &S::psd, "unevenness by its spectrum"),
        field("stunt", &S::stunt, "ramp, loop, oval"),
        field("terrain", &S::terrain, "file of heights; empty = none"),
        field("interpolation", &S::interpolation, "between the heights of a grid")};
  }
};
VD_COMPLETE_BUT(RoadSpec, 2);

// What no single range can refuse: calls fault(path, what) for each contradiction.
template <class F> constexpr void road_faults(const RoadSpec& s, F&& fault) {
  const PsdSpec& p = s.psd;
  const bool rough = p.gd_n0 > 0 || s.iso_class != IsoClass::none;
  const LoopSpec& loop = s.stunt.loop;
  const OvalSpec& oval = s.stunt.oval;
  if (rough && !(p.n_max > p.n_min && p.n_max <= 4096 * p.n_min))
    fault("psd.n_max", "must be above n_min, at most 4096 times");
  if (loop.radius > 0 && loop.drift != 0 && loop.drift < loop.width && -loop.drift < loop.width)
    fault("stunt.loop.drift", "must be 0 or at least the width, or the lane would cross itself");
  if (loop.radius > 0 && (rough || s.rough_amp > 0 || s.stunt.ramp.height > 0 || oval.radius > 0 || !s.terrain.empty()))
    fault("stunt.loop", "needs an even road: no unevenness, ramp, oval or terrain beside it");
  if (oval.radius > 0 && !(oval.radius > 0.6 * oval.width))
    fault("stunt.oval.radius", "must be above 0.6 width, or the inner edges of a turn would meet");
}

}  // namespace vdsim
