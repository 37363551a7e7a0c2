// Heights on a rectangular grid from a file: ESRI ASCII grid (.asc) or a plain table (.csv).
//
// .asc: ncols, nrows, xllcorner or xllcenter, yllcorner or yllcenter, cellsize (or dx and dy), nodata_value if any;
//       then nrows x ncols heights [m], the northern row (largest y) first. A corner is half a cell outside the first
//       height.
// .csv: a line of the names x0,y0,dx,dy (dy may be left out: dx), a line of their values [m], then one line of heights
//       [m] per y, from y0 upwards, along x from x0. '#' starts a comment.
// A grid must be whole: a missing height (nodata) is refused.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "vdsim/engine/errors.hpp"
#include "vdsim/core/road/heightmap.hpp"

namespace vdsim {

struct Heightmap {
  int nx = 0, ny = 0;
  double x0 = 0, y0 = 0, dx = 0, dy = 0;  // [m]
  std::vector<double> z;                  // z[j nx + i] at x0 + i dx, y0 + j dy [m]

  RoadGrid view() const { return {nx, ny, x0, y0, dx, dy, z.data()}; }  // valid as long as the map stays where it is
};

// The format follows the ending of `file`. Nothing is returned after an error.
std::optional<Heightmap> read_heightmap(std::string_view text, const std::string& file, Errors&);
// The same from a file on disk. An error of reading it is placed at `from`.
std::optional<Heightmap> load_heightmap(const std::string& path, const Place& from, Errors&);
bool is_heightmap(std::string_view file);  // by its ending

}  // namespace vdsim
