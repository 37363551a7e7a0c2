// The road: a plane with a friction map. docs/theory/06_roads.md.
// Plane axes: x up the grade, y to the left in the plane, z normal. Positions on the road are in these axes.
#pragma once
#include "vdsim/math/real.hpp"
#include "vdsim/road/spec.hpp"

namespace vdsim {

template <class R> struct Patch {
  R mu, inv_edge;
  R x[kMaxVertices], y[kMaxVertices];  // unused corners repeat the last one: their edges have no length
};

template <class R> struct Road {
  R mu;
  R gx, gy, gn;  // gravity along +x, +y and against the normal [m/s^2]
  R mu_left, mu_right, boundary_y, inv_width;
  Patch<R> patch[kMaxPatches];
};
struct RoadKind {
  bool split;
  int patches;
  int corners[kMaxPatches];
};

// C2 step from 0 to 1 on [0, 1].
template <class R> VD_FN R smootherstep(R q) {
  const R x = clamp(q, R(0.0), R(1.0));
  return x * x * x * (x * (R(6.0) * x - R(15.0)) + R(10.0));
}

// [T06.3]  1 inside, 0 outside, 1/2 on the edge. Inside = odd number of crossings; distance = nearest point of any edge.
template <class R> VD_FN R patch_weight(const Patch<R>& p, int corners, R x, R y) {
  R d2 = R(1e30), winding = R(1.0);  // +1 outside, -1 inside
  for (int i = 0, j = corners - 1; i < corners; j = i++) {
    const R ex = p.x[j] - p.x[i], ey = p.y[j] - p.y[i], wx = x - p.x[i], wy = y - p.y[i];
    const R u = clamp((wx * ex + wy * ey) / max(ex * ex + ey * ey, R(1e-30)), R(0.0), R(1.0));
    d2 = min(d2, sq(wx - ex * u) + sq(wy - ey * u));
    // upward and downward crossings of the horizontal ray through (x, y), the half-open rule
    const mask_t<R> below = p.y[i] <= y, above_j = p.y[j] > y;
    const R side = ex * wy - ey * wx;
    const mask_t<R> cross = (below & above_j & (side > R(0.0))) | ((!below) & (!above_j) & (side < R(0.0)));
    winding = select(cross, -winding, winding);
  }
  return smootherstep(R(0.5) - winding * sqrt(d2) * p.inv_edge);
}

// Friction under a point of the road.
template <class R> VD_FN R road_mu(const RoadKind& kind, const Road<R>& road, R x, R y) {
  R mu = road.mu;
  if (kind.split)
    mu = road.mu_right +
         (road.mu_left - road.mu_right) * smootherstep((y - road.boundary_y) * road.inv_width + R(0.5));  // [T06.2]
  for (int i = 0; i < kind.patches; ++i) {
    const R w = patch_weight(road.patch[i], kind.corners[i], x, y);
    mu += w * (road.patch[i].mu - mu);
  }
  return mu;
}

inline RoadKind road_kind(const RoadSpec& s) {
  RoadKind k{s.split_mu.mu_left > 0 || s.split_mu.mu_right > 0, s.patch_count, {}};
  for (int i = 0; i < s.patch_count; ++i) k.corners[i] = s.patches[i].count;
  return k;
}

// [T06.1]  gravity in the plane: g (-G/S, -B/(N S), -1/N) with grade G, bank B, S = sqrt(1 + G^2), N = sqrt(1 + G^2 + B^2)
struct PlaneGravity {
  double gx, gy, gn;  // along +x, +y and against the normal [m/s^2]
};
inline PlaneGravity plane_gravity(const RoadSpec& s) {
  const double G = s.grade, B = s.bank, N = sqrt(1 + G * G + B * B), S = sqrt(1 + G * G);
  return {-kGravity * G / S, -kGravity * B / (N * S), kGravity / N};
}

inline Road<double> compile_road(const RoadSpec& s) {
  const PlaneGravity g = plane_gravity(s);
  Road<double> r{};
  r.mu = s.mu;
  r.gx = g.gx;
  r.gy = g.gy;
  r.gn = g.gn;
  r.mu_left = s.split_mu.mu_left;
  r.mu_right = s.split_mu.mu_right;
  r.boundary_y = s.split_mu.boundary_y;
  r.inv_width = 1 / s.split_mu.width;
  for (int i = 0; i < s.patch_count; ++i) {
    const RoadPatchSpec& q = s.patches[i];
    r.patch[i].mu = q.mu;
    r.patch[i].inv_edge = 1 / q.edge;
    const int last = q.count > 0 ? q.count - 1 : 0;
    for (int k = 0; k < kMaxVertices; ++k) {
      const auto& corner = q.polygon[std::size_t(k < last ? k : last)];
      r.patch[i].x[k] = corner[0];
      r.patch[i].y[k] = corner[1];
    }
  }
  return r;
}

}  // namespace vdsim
