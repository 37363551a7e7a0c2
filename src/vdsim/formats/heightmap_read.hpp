// SPDX-License-Identifier: Apache-2.0
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

#include "vdsim/engine/errors.hpp"
#include "vdsim/engine/heightmap.hpp"

namespace vdsim {

inline constexpr double kHighestRoad = 1e5;  // [m], up or down; more is a broken file

// The format follows the ending of `file`. Nothing is returned after an error.
std::optional<Heightmap> read_heightmap(std::string_view text, const std::string& file, Errors&);
// The same from a file on disk. An error of reading it is placed at `from`.
std::optional<Heightmap> load_heightmap(const std::string& path, const Place& from, Errors&);
bool is_heightmap(std::string_view file);  // by its ending

}  // namespace vdsim
