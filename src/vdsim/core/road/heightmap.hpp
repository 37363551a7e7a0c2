// SPDX-License-Identifier: Apache-2.0
// Heights on a rectangular grid. docs/theory/06_roads.md.
#pragma once
#include "vdsim/core/road/height.hpp"

namespace vdsim {

// z[j nx + i] is the height [m] at x0 + i dx, y0 + j dy; nx, ny >= 2. Outside, the nearest border point counts.
struct RoadGrid {
  int nx, ny;
  double x0, y0, dx, dy;  // [m]
  const double* z;
};

// The functions without R are inlined into grid_height<R>: files for different processors then share none of them.

// Where a coordinate lies among n nodes: after node i, part u of the way to the next.
struct GridCell {
  int i;
  double u;
  double inside;  // 1, or 0 where the border is held
};
VD_INLINE GridCell grid_cell(double f, int n) {
  const double held = clamp(f, 0.0, double(n - 1));
  const int i = held > 0 ? (held < n - 1 ? int(held) : n - 2) : 0;  // a NaN stays in u
  return {i, held - i, f >= 0 && f <= n - 1 ? 1.0 : 0.0};
}

// [T06.8]  weights of the nodes first ... first + 5 in the value (w) and in the slope (d, per cell) at u of cell i.
struct GridWeights {
  int first, count;
  double w[6], d[6];
};

// The slope at node i: five points; three next to the border, one-sided on it.
VD_INLINE void add_node_slope(GridWeights& g, int i, int n, double w, double d) {
  const bool first = i == 0, last = i == n - 1, inner = i > 1 && i < n - 2;
  double c[5] = {1.0 / 12, -8.0 / 12, 0, 8.0 / 12, -1.0 / 12};
  int from = i - 2, count = 5;
  if (n == 2) {
    from = 0, count = 2, c[0] = -1, c[1] = 1;
  } else if (!inner) {
    from = first ? 0 : last ? n - 3 : i - 1, count = 3;
    c[0] = first ? -1.5 : last ? 0.5 : -0.5;
    c[1] = first ? 2 : last ? -2 : 0;
    c[2] = first ? -0.5 : last ? 1.5 : 0.5;
  }
  for (int k = 0; k < count; ++k) {
    g.w[from + k - g.first] += w * c[k];
    g.d[from + k - g.first] += d * c[k];
  }
}
VD_INLINE GridWeights cubic_weights(const GridCell& at, int n) {
  GridWeights g{};
  g.first = at.i < 2 ? 0 : at.i - 2;
  g.count = (at.i + 3 < n - 1 ? at.i + 3 : n - 1) - g.first + 1;
  const double u = at.u, v = 1 - u;
  g.w[at.i - g.first] = v * v * (1 + 2 * u);
  g.w[at.i + 1 - g.first] = u * u * (1 + 2 * v);
  g.d[at.i - g.first] = -6 * u * v;
  g.d[at.i + 1 - g.first] = 6 * u * v;
  add_node_slope(g, at.i, n, u * v * v, v * (v - 2 * u));
  add_node_slope(g, at.i + 1, n, -u * u * v, u * (u - 2 * v));
  return g;
}
// [T06.7]  linear in both directions
VD_INLINE GridWeights linear_weights(const GridCell& at) { return {at.i, 2, {1 - at.u, at.u}, {-1, 1}}; }

VD_INLINE RoadHeight<double> grid_point(const RoadGrid& g, bool bicubic, double x, double y) {
  const GridCell cx = grid_cell((x - g.x0) / g.dx, g.nx), cy = grid_cell((y - g.y0) / g.dy, g.ny);
  const GridWeights wx = bicubic ? cubic_weights(cx, g.nx) : linear_weights(cx),
                    wy = bicubic ? cubic_weights(cy, g.ny) : linear_weights(cy);
  RoadHeight<double> o{0, 0, 0};
  for (int j = 0; j < wy.count; ++j) {
    const double* row = g.z + std::size_t(wy.first + j) * std::size_t(g.nx) + wx.first;
    double z = 0, slope = 0;
    for (int i = 0; i < wx.count; ++i) {
      z += wx.w[i] * row[i];
      slope += wx.d[i] * row[i];
    }
    o.z += wy.w[j] * z;
    o.zx += wy.w[j] * slope;
    o.zy += wy.d[j] * z;
  }
  o.zx *= cx.inside / g.dx;
  o.zy *= cy.inside / g.dy;
  return o;
}

template <class R> VD_NOINLINE RoadHeight<R> grid_height(const RoadGrid& g, bool bicubic, R x, R y) {
  RoadHeight<R> o{R(0.0), R(0.0), R(0.0)};
  for (int i = 0; i < lanes<R>; ++i) {
    const RoadHeight<double> h = grid_point(g, bicubic, double(lane(x, i)), double(lane(y, i)));
    set_lane(o.z, i, scalar_t<R>(h.z));
    set_lane(o.zx, i, scalar_t<R>(h.zx));
    set_lane(o.zy, i, scalar_t<R>(h.zy));
  }
  return o;
}

}  // namespace vdsim
