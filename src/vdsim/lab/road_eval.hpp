// SPDX-License-Identifier: Apache-2.0
// Road files for the command line: evaluated at points, described, drawn.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "vdsim/formats/road_file.hpp"
#include "vdsim/formats/svg_chart.hpp"

namespace vdsim {

struct RoadQuery {
  bool xy;      // else road coordinates u, v
  double a, b;  // [m]
};
// "1.5,-0.2" into a query. `from` names the option in messages.
std::optional<RoadQuery> road_query(const std::string& text, bool xy, const std::string& from, Errors&);
// A table with the columns u and v, or else x and y; others are not looked at.
std::vector<RoadQuery> read_road_points(std::string_view text, const std::string& file, Errors&);

// .crg: u,v,x,y,z,phi,curv,u_back,v_back,z_xy. Height map: x,y,z,zx,zy. No height: NaN.
std::vector<std::string> road_columns(const RoadFile&);
std::vector<double> road_row(const RoadFile&, const RoadQuery&);

std::vector<std::pair<std::string, std::string>> road_info(const RoadFile&);  // what, value with its unit
Figure road_figure(const RoadFile&);                                          // from above, along, across

}  // namespace vdsim
