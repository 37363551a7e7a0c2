// SPDX-License-Identifier: Apache-2.0
// The road: a plane, what lies on it (friction, surfaces), and the height fields on top of it. docs/theory/06_roads.md.
// Plane axes: x up the grade, y to the left in the plane, z normal. Positions on the road are in these axes.
#pragma once
#include "vdsim/core/aero/wind.hpp"
#include "vdsim/core/road/crg.hpp"
#include "vdsim/core/road/ground_map.hpp"
#include "vdsim/core/road/height.hpp"
#include "vdsim/core/road/heightmap.hpp"
#include "vdsim/core/road/roughness.hpp"
#include "vdsim/core/road/spec.hpp"
#include "vdsim/core/road/stunt.hpp"

namespace vdsim {

// What lies on a stretch of the road, and inside a polygon.
template <class R> struct Section : Cover<R> { R from, to, inv_edge; };
template <class R> struct Patch : Cover<R> {
  R inv_edge;
  R x[kMaxVertices], y[kMaxVertices];  // unused corners repeat the last one: their edges have no length
};

template <class R> struct PlaneRoad {
  R mu;
  R gx, gy, gn;  // gravity along +x, +y and against the normal [m/s^2]
};
template <class R> struct Road : PlaneRoad<R> {
  R mu_left, mu_right, boundary_y, inv_width;
  Ground<R> all;  // lies everywhere
  Section<R> section[kMaxSections];
  Patch<R> patch[kMaxPatches];
  R wave_amp, wave_number;  // sine road along x [m], [rad/m]
  RampParams<R> ramp;
  OvalParams<R> oval;
  LoopParams<R> loop;
  WindParams<R> wind;
};
struct RoadKind {
  bool split;
  bool ground;  // somewhere it says what lies on it, more than its friction
  int maps, sections, patches;
  int corners[kMaxPatches];
  bool flat;  // no height field: road_height is 0 everywhere; a loop may still stand on the plane
  bool wave, rough, ramp, oval, grid, bicubic, crg, loop;
  bool wind;  // somewhere the air moves
  bool operator==(const RoadKind&) const = default;
};
// A road known to be a plane of one friction while compiling.
struct PlaneKind {
  static constexpr bool flat = true, ground = false, wind = false;
};
inline bool is_plane(const RoadKind& k) {
  return k.flat && !k.loop && !k.wind && !k.split && !k.ground && k.sections == 0 && k.patches == 0;
}
// What all lanes of a batch share by reference. Owned by the caller; a pointer that the kind does not use may be null.
struct RoadData {
  const RoadGrid* grid = nullptr;
  const CrgView* crg = nullptr;
  const RoughTable* rough = nullptr;
  const GroundMap* map[kMaxMaps] = {};
};

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

// [T06.14]  1 between the ends, 0 outside, 1/2 at an end
template <class R> VD_FN R section_weight(const Section<R>& q, R s) {
  return smootherstep((s - q.from) * q.inv_edge + R(0.5)) * smootherstep((q.to - s) * q.inv_edge + R(0.5));
}

// Friction under a point of the road. `ground` comes as the tire has it and leaves as the road has it (kind.ground).
template <class R>
VD_FN R road_mu(const RoadKind& kind, const RoadData& data, const Road<R>& road, R x, R y, Ground<R>& ground) {
  R mu = road.mu;
  if (kind.split)
    mu = road.mu_right +
         (road.mu_left - road.mu_right) * smootherstep((y - road.boundary_y) * road.inv_width + R(0.5));  // [T06.2]
  const auto cover = [&](const Cover<R>& c, R w) {
    mu = covered(mu, c.mu, w);
    if (kind.ground) lay(c.ground, w, ground);
  };
  if (kind.ground) lay(road.all, R(1.0), ground);
  for (int i = 0; i < kind.maps; ++i) lay_map(*data.map[i], x, y, ground);
  if (kind.sections > 0) {
    const R s = kind.crg ? crg_station(*data.crg, x, y) : x;
    for (int i = 0; i < kind.sections; ++i) cover(road.section[i], section_weight(road.section[i], s));
  }
  for (int i = 0; i < kind.patches; ++i) cover(road.patch[i], patch_weight(road.patch[i], kind.corners[i], x, y));
  return mu;
}

// The wind over a point of the road, in the axes of the plane.
template <class R>
VD_FN AirVelocity<R> road_wind(const RoadKind& kind, const RoadData& data, const Road<R>& road, R x, R y) {
  return wind_at(road.wind, kind.crg ? crg_station(*data.crg, x, y) : x);
}

// Height fields with edges or data: ramp, oval, grid, OpenCRG.
template <class R>
VD_FN RoadHeight<R> solid_height(const RoadKind& kind, const RoadData& data, const Road<R>& road, R x, R y) {
  RoadHeight<R> o{R(0.0), R(0.0), R(0.0)};
  if (kind.ramp) add_height(o, ramp_height(road.ramp, x, y));
  if (kind.oval) add_height(o, oval_height(road.oval, x, y));
  if (kind.grid) add_height(o, grid_height(*data.grid, kind.bicubic, x, y));
  if (kind.crg) add_height(o, crg_height(*data.crg, x, y));
  return o;
}

// Waves: the sine road and the spectrum, as a point feels them or (Patch) as the mean over the contact patch.
template <bool Patch, class R> VD_FN RoadHeight<R> wave_height(const RoadKind& kind, const RoadData& data,
                                                               const Road<R>& road, R x, R y, R cx, R sx, R a, R b) {
  RoadHeight<R> o{R(0.0), R(0.0), R(0.0)};
  if (kind.wave) {
    R s, c;
    sincos(road.wave_number * x, s, c);
    R amp = road.wave_amp;
    if constexpr (Patch)
      amp *= wave_mean(road.wave_number * cx * a).factor * wave_mean(road.wave_number * sx * b).factor;
    o = {amp * s, amp * road.wave_number * c, R(0.0)};
  }
  if (kind.rough) add_height(o, rough_height<Patch>(*data.rough, x, y, cx, sx, a, b));
  return o;
}

// Height and slopes under a point: everything that is a height field, summed.
template <class R>
VD_FN RoadHeight<R> road_height(const RoadKind& kind, const RoadData& data, const Road<R>& road, R x, R y) {
  const R zero = R(0.0);
  RoadHeight<R> o = solid_height(kind, data, road, x, y);
  add_height(o, wave_height<false>(kind, data, road, x, y, R(1.0), zero, zero, zero));
  return o;
}

// [T06.6]  mean over the contact patch, half length a along the heading (cx, sx), half width b across it [m]:
//   waves exactly, the rest by Gauss points, three along (exact to degree 5) and two across (degree 3).
//   A cliff carries no wheel: from a slope of 1 (on an oval 3) on it counts with its height alone.
template <class R> VD_FN RoadHeight<R> road_height_patch(const RoadKind& kind, const RoadData& data,
                                                         const Road<R>& road, R x, R y, R cx, R sx, R a, R b) {
  RoadHeight<R> o = wave_height<true>(kind, data, road, x, y, cx, sx, a, b);
  if (!(kind.ramp || kind.oval || kind.grid || kind.crg)) return o;
  const R one = R(1.0), inv_steep = R(kind.oval ? 1.0 / 9 : 1.0);
  for (int i = -1; i <= 1; ++i)
    for (int j = -1; j <= 1; j += 2) {
      const R u = a * R(i * 0.77459666924148338), v = b * R(j * 0.57735026918962576);
      RoadHeight<R> h = solid_height(kind, data, road, x + cx * u - sx * v, y + sx * u + cx * v);
      const R cliff = smootherstep((h.zx * h.zx + h.zy * h.zy) * inv_steep - one);
      h.zx -= cliff * h.zx;
      h.zy -= cliff * h.zy;
      add_height(o, h, R(i == 0 ? 2.0 / 9 : 5.0 / 36));
    }
  return o;
}

// [T06.12]  distance from the tangent plane at the foot of the point. The foot is one Newton step from (x, y), on the
//   fields without the waves; no step at an edge (slope from 0.7 to 1 on), where it would leave the neighbourhood.
template <class R> VD_FN RoadPoint<R> road_surface(const RoadKind& kind, const RoadData& data, const Road<R>& road, R x,
                                                   R y, R z, R cx, R sx, R a, R b) {
  const R zero = R(0.0), one = R(1.0);
  RoadPoint<R> o{z, zero, zero, one};
  if (!kind.flat) {
    R fx = x, fy = y;
    if (kind.ramp || kind.oval || kind.grid || kind.crg) {
      const RoadHeight<R> h = solid_height(kind, data, road, x, y);
      const R steep = h.zx * h.zx + h.zy * h.zy;
      const R step = (z - h.z) / (one + steep) * (one - smootherstep(R(2.0) * steep - one));
      fx = x + h.zx * step;
      fy = y + h.zy * step;
    }
    const RoadHeight<R> h = road_height_patch(kind, data, road, fx, fy, cx, sx, a, b);
    const R nz = one / sqrt(one + h.zx * h.zx + h.zy * h.zy);
    o = {((z - h.z) - h.zx * (x - fx) - h.zy * (y - fy)) * nz, -h.zx * nz, -h.zy * nz, nz};
  }
  return kind.loop ? loop_point(road.loop, x, y, z, o) : o;
}

// The same of a plane.
template <class R> VD_INLINE R road_mu(const PlaneKind&, const RoadData&, const PlaneRoad<R>& road, R, R, Ground<R>&) {
  return road.mu;
}
template <class R> VD_INLINE AirVelocity<R> road_wind(const PlaneKind&, const RoadData&, const PlaneRoad<R>&, R, R) {
  return {R(0.0), R(0.0)};
}
template <class R> VD_INLINE RoadHeight<R> road_height(const PlaneKind&, const RoadData&, const PlaneRoad<R>&, R, R) {
  return {R(0.0), R(0.0), R(0.0)};
}
template <class R>
VD_INLINE RoadHeight<R> road_height_patch(const PlaneKind&, const RoadData&, const PlaneRoad<R>&, R, R, R, R, R, R) {
  return {R(0.0), R(0.0), R(0.0)};
}
template <class R>
VD_INLINE RoadPoint<R> road_surface(const PlaneKind&, const RoadData&, const PlaneRoad<R>&, R, R, R z, R, R, R, R) {
  return {z, R(0.0), R(0.0), R(1.0)};
}

// Calls f(override, temperature) for everything that lies on the road.
template <class F> void each_cover(const RoadSpec& s, F&& f) {
  f(s.surface, s.temperature);
  for (const GroundMap* map : s.maps)
    if (map) each_cover(*map, f);
  for (int i = 0; i < s.section_count; ++i)
    f(s.sections[std::size_t(i)].surface, s.sections[std::size_t(i)].temperature);
  for (int i = 0; i < s.patch_count; ++i) f(s.patches[std::size_t(i)].surface, s.patches[std::size_t(i)].temperature);
}

inline RoadKind road_kind(const RoadSpec& s) {
  RoadKind k{};
  each_cover(s, [&](const SurfaceOverride& o, double temperature) { k.ground = k.ground || covers(o, temperature); });
  k.sections = s.section_count;
  for (const GroundMap* map : s.maps) k.maps += map != nullptr;
  k.ground = k.ground || k.maps > 0;
  k.split = s.split_mu.mu_left > 0 || s.split_mu.mu_right > 0;
  k.patches = s.patch_count;
  for (int i = 0; i < s.patch_count; ++i) k.corners[i] = s.patches[i].count;
  k.wave = s.rough_amp > 0;
  k.rough = rough_level(s) > 0;
  k.ramp = s.stunt.ramp.height > 0;
  k.oval = s.stunt.oval.radius > 0;
  k.grid = s.grid != nullptr;
  k.bicubic = s.interpolation == Interpolation::bicubic;
  k.crg = s.crg != nullptr;
  k.loop = s.stunt.loop.radius > 0;
  k.wind = blows(s.wind);
  k.flat = !(k.wave || k.rough || k.ramp || k.oval || k.grid || k.crg);
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
  r.wave_amp = s.rough_amp;
  r.wave_number = 6.2831853071795865 / s.rough_wl;
  if (s.stunt.ramp.height > 0) r.ramp = compile_ramp(s.stunt.ramp);
  if (s.stunt.oval.radius > 0) r.oval = compile_oval(s.stunt.oval);
  if (s.stunt.loop.radius > 0) r.loop = compile_loop(s.stunt.loop);
  if (blows(s.wind)) r.wind = compile_wind(s.wind);
  r.all = compile_cover(-1, s.surface, s.temperature).ground;
  for (int i = 0; i < s.section_count; ++i) {
    const RoadSectionSpec& q = s.sections[std::size_t(i)];
    r.section[i] = {compile_cover(q.mu, q.surface, q.temperature), q.from, q.to, 1 / q.edge};
  }
  for (int i = 0; i < s.patch_count; ++i) {
    const RoadPatchSpec& q = s.patches[i];
    static_cast<Cover<double>&>(r.patch[i]) = compile_cover(q.mu, q.surface, q.temperature);
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
