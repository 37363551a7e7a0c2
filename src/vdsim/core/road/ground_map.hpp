// SPDX-License-Identifier: Apache-2.0
// A raster that says what lies where: surfaces by their number, or one number of the ground; a grid, or along an OpenCRG line.
// docs/theory/06_roads.md.
#pragma once
#include "vdsim/core/road/crg.hpp"
#include "vdsim/core/road/heightmap.hpp"
#include "vdsim/core/road/surface.hpp"

namespace vdsim {

inline constexpr int kMaxMapSurfaces = 16, kMapTemperature = int(numbers_named());

// Owned by the caller. One of grid and crg. surface[k] is what the value k stands for; with no surfaces the values are a number of
// the ground: in the order of each_number(), then the temperature [degC].
struct GroundMap {
  const RoadGrid* grid = nullptr;
  const CrgView* crg = nullptr;
  int surfaces = 0, number = 0;
  Ground<double> surface[kMaxMapSurfaces] = {};
};

// The four nodes around a point, at (0, 0), (1, 0), (0, 1), (1, 1) of its cell, and its place in the cell.
struct MapCell {
  bool there;  // else the point lies outside of the raster
  double value[4], u, v;
};
VD_INLINE MapCell map_cell(const RoadGrid& g, double x, double y) {
  const GridCell a = grid_cell((x - g.x0) / g.dx, g.nx), b = grid_cell((y - g.y0) / g.dy, g.ny);
  const double* row = g.z + std::size_t(b.i) * std::size_t(g.nx) + a.i;
  return {a.inside > 0 && b.inside > 0, {row[0], row[1], row[g.nx], row[g.nx + 1]}, a.u, b.u};
}
VD_INLINE MapCell map_cell(const CrgView& c, double x, double y) {
  const CrgUv at = crg_xy_to_uv(c, x, y);
  const double u = crg_track_u(c, at.u);
  if (!(u >= c.u0 && u <= c.u1 && at.v >= c.v0 && at.v <= c.v1)) return {false, {}, 0, 0};
  const CrgCell a = crg_cell((u - c.u0) / c.du, c.nu), b = crg_across(c, at.v).cell;
  return {true,  // values as the file has them: a lift of the road is not part of them
          {crg_node(c, a.i, b.i), crg_node(c, a.i + 1, b.i), crg_node(c, a.i, b.i + 1), crg_node(c, a.i + 1, b.i + 1)},
          a.f,
          b.f};
}

// No lambdas from here to lay_map(): the compilers may keep them as functions, which files of different kernels would share.
VD_INLINE void set_number(int number, double value, Ground<double>& g) {
  if (number == kMapTemperature)
    g.told = 1, g.T = value;
  else
    reinterpret_cast<double*>(&g)[number] = value;  // a struct of numbers alone, in the order of each_number()
}

// [T06.16]  sum of w_ij n_ij over the nodes of the cell; w of surfaces by the quintic step, of a number linear
VD_INLINE void lay_map_at(const GroundMap& m, double x, double y, Ground<double>& g) {
  const MapCell c = m.grid ? map_cell(*m.grid, x, y) : map_cell(*m.crg, x, y);
  if (!c.there) return;
  const bool kinds = m.surfaces > 0;
  const double u = kinds ? smootherstep(c.u) : c.u, v = kinds ? smootherstep(c.v) : c.v;
  const double w[4] = {(1 - u) * (1 - v), u * (1 - v), (1 - u) * v, u * v};
  if (!kinds)
    return set_number(m.number, w[0] * c.value[0] + w[1] * c.value[1] + w[2] * c.value[2] + w[3] * c.value[3], g);
  const double* s[4];
  for (int k = 0; k < 4; ++k)
    s[k] = reinterpret_cast<const double*>(&m.surface[int(c.value[k])]);  // validate() has seen that there is one
  for (int n = 0; n < kMapTemperature; ++n)
    reinterpret_cast<double*>(&g)[n] = w[0] * s[0][n] + w[1] * s[1][n] + w[2] * s[2][n] + w[3] * s[3][n];
}

// Calls f(value) for every node.
template <class F> void each_node(const GroundMap& m, F&& f) {
  if (m.grid)
    for (std::size_t k = 0; k < std::size_t(m.grid->nx) * std::size_t(m.grid->ny); ++k) f(m.grid->z[k]);
  else
    for (int i = 0; i < m.crg->nu; ++i)
      for (int j = 0; j < m.crg->nv; ++j) f(crg_node(*m.crg, i, j));
}
// Calls f(override, temperature) for each surface, or for the largest number of the raster.
template <class F> void each_cover(const GroundMap& m, F&& f) {
  for (int k = 0; k < m.surfaces; ++k) {
    SurfaceOverride o;
    each_number<double>([&](auto n) { o.*n.instead = m.surface[k].*n.ground; });
    f(o, kKeepTemperature);
  }
  if (m.surfaces > 0) return;
  double most = -1e300;
  each_node(m, [&](double value) { most = value > most ? value : most; });
  Ground<double> g{};
  set_number(m.number, most, g);
  SurfaceOverride o;
  int k = 0;
  each_number<double>([&](auto n) { o.*n.instead = k++ == m.number ? g.*n.ground : -1; });
  f(o, m.number == kMapTemperature ? most : kKeepTemperature);
}

template <class R> VD_NOINLINE void lay_map(const GroundMap& m, R x, R y, Ground<R>& g) {
  using T = scalar_t<R>;
  R* const all = reinterpret_cast<R*>(&g);  // a struct of R alone
  constexpr int n = int(sizeof(Ground<R>) / sizeof(R));
  for (int i = 0; i < lanes<R>; ++i) {
    Ground<double> one{};
    double* const numbers = reinterpret_cast<double*>(&one);
    for (int k = 0; k < n; ++k) numbers[k] = double(lane(all[k], i));
    lay_map_at(m, double(lane(x, i)), double(lane(y, i)), one);
    for (int k = 0; k < n; ++k) set_lane(all[k], i, T(numbers[k]));
  }
}

}  // namespace vdsim
