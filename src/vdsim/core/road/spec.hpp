// SPDX-License-Identifier: Apache-2.0
// User settings of the road: a plane, a friction map on it, and what stands above the plane.
#pragma once
#include "vdsim/core/aero/wind_spec.hpp"
#include "vdsim/core/road/surface.hpp"

namespace vdsim {

inline constexpr int kMaxPatches = 8, kMaxVertices = 16, kMaxSections = 16, kMaxMaps = 4;

struct RoadGrid;   // road/heightmap.hpp
struct CrgView;    // road/crg.hpp
struct GroundMap;  // road/ground_map.hpp

struct SplitMuSpec {
  double mu_left = 0, mu_right = 0, boundary_y = 0, width = 0.1;  // mu 0, 0 = no split
};

// A stretch of the road: by x, on an OpenCRG road by the station along its reference line. A negative number keeps what is there.
struct RoadSectionSpec {
  double from = 0, to = 0, mu = -1, edge = 3;
  SurfaceOverride surface{};
  double temperature = kKeepTemperature;
};

struct RoadPatchSpec {
  double mu = -1, edge = 0.1;
  SurfaceOverride surface{};
  double temperature = kKeepTemperature;
  int count = 0;  // vertices in use
  std::array<std::array<double, 2>, kMaxVertices>
      polygon{};  // corners [x, y], either sense of rotation, not self-crossing
};

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
};

// Climbs along +x, symmetric about y = 0.
struct RampSpec {
  double x0 = 20, length = 10, height = 0, lip = 0, width = 0;
};

struct LoopSpec {
  double x0 = 40, radius = 0, width = 6, drift = 0;
};

// Driven counter-clockwise: one straight on y = 0 about x = 0, the other on y = 2 radius.
struct OvalSpec {
  double radius = 0, straight = 100, width = 12, bank = 0.2;
};

struct StuntSpec {
  RampSpec ramp;
  LoopSpec loop;
  OvalSpec oval;
};

struct RoadSpec {
  double mu = 1, grade = 0, bank = 0;
  SplitMuSpec split_mu;
  SurfaceOverride surface{};
  double temperature = kKeepTemperature;
  int section_count = 0;
  std::array<RoadSectionSpec, kMaxSections> sections{};
  int patch_count = 0;
  std::array<RoadPatchSpec, kMaxPatches> patches{};
  double rough_amp = 0, rough_wl = 5;
  IsoClass iso_class = IsoClass::none;
  PsdSpec psd;
  StuntSpec stunt;
  WindSpec wind;
  PathText terrain;
  Interpolation interpolation = Interpolation::bilinear;
  // What was read from `terrain`, owned by the reader; outside the list because a user names the file.
  const RoadGrid* grid = nullptr;
  const CrgView* crg = nullptr;
  std::array<const GroundMap*, kMaxMaps> maps{};  // in use: the first ones that are not null
};

// What no single range can refuse: calls fault(path, what) for each contradiction.
template <class F> constexpr void road_faults(const RoadSpec& s, F&& fault) {
  const PsdSpec& p = s.psd;
  const bool rough = p.gd_n0 > 0 || s.iso_class != IsoClass::none;
  const LoopSpec& loop = s.stunt.loop;
  const OvalSpec& oval = s.stunt.oval;
  for (int i = 0; i < s.section_count && i < kMaxSections; ++i)
    if (!(s.sections[std::size_t(i)].to > s.sections[std::size_t(i)].from))
      fault("sections", "each must end (to) beyond where it begins (from)");
  if (s.wind.to < s.wind.from) fault("wind.to", "must be beyond from; equal: everywhere");
  if (s.wind.gust_speed != 0 && s.wind.gust_length == 0) fault("wind.gust_length", "a gust needs a length above 0");
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
