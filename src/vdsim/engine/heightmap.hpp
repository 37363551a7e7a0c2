// SPDX-License-Identifier: Apache-2.0
// Heights of a terrain: read from a file (formats/heightmap_read.hpp), or sampled from a function. RoadSpec::grid points to its
// view(); map and view must outlive the cars on it.
#pragma once
#include <vector>

#include "vdsim/core/road/heightmap.hpp"

namespace vdsim {

struct Heightmap {
  int nx = 0, ny = 0;
  double x0 = 0, y0 = 0, dx = 0, dy = 0;  // [m]
  std::vector<double> z{};                // z[j nx + i] at x0 + i dx, y0 + j dy [m]

  RoadGrid view() const { return {nx, ny, x0, y0, dx, dy, z.data()}; }  // valid as long as the map stays where it is
};

// `nodes` filled with height(x, y) [m].
template <class F> Heightmap sample_heights(Heightmap nodes, F&& height) {
  nodes.z.clear();
  for (int j = 0; j < nodes.ny; ++j)
    for (int i = 0; i < nodes.nx; ++i) nodes.z.push_back(height(nodes.x0 + i * nodes.dx, nodes.y0 + j * nodes.dy));
  return nodes;
}

}  // namespace vdsim
