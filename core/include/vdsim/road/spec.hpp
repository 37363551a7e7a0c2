// What a user says of the road: a plane, and a friction map on it.
#pragma once
#include "vdsim/math/fields.hpp"

namespace vdsim {

inline constexpr int kMaxPatches = 8, kMaxVertices = 16;

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

struct RoadSpec {
  double mu = 1, grade = 0, bank = 0;
  SplitMuSpec split_mu;
  int patch_count = 0;
  std::array<RoadPatchSpec, kMaxPatches> patches{};

  static constexpr auto fields() {
    using S = RoadSpec;
    return std::tuple{
        field("mu", &S::mu, "-", at_least(0), "friction of the road; multiplies the tire's own"),
        field("grade", &S::grade, "-", any_finite(), "tangent of the slope along +x, positive climbs"),
        field("bank", &S::bank, "-", any_finite(), "tangent of the slope along +y, positive rises to the left"),
        field("split_mu", &S::split_mu, "left and right friction"),
        field("patch_count", &S::patch_count, "patches in use"),
        field("patches", &S::patches, "friction patches; the last one named wins")};
  }
};
VD_COMPLETE(RoadSpec);

}  // namespace vdsim
