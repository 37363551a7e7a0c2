// SPDX-License-Identifier: Apache-2.0
// A path through way points: twice differentiable, open or closed, with a nearest point that remembers where it was.
#pragma once
#include <array>
#include <vector>

namespace vdsim {

struct PathPoint {
  double x, y;       // on the road plane [m]
  double heading;    // direction of the path [rad]
  double curvature;  // [1/m], positive turns left
};

// Cubic spline over the chord length of the way points; `station` counts that length [m], close to the length of the
// path. An open path goes straight on beyond its ends; a closed one starts over.
class Path {
 public:
  // At least 2 points (closed: 3), neighbours apart (closed: also the last and the first).
  Path(const std::vector<std::array<double, 2>>& points, bool closed);

  double length() const { return station_.back(); }  // in stations [m]
  bool closed() const { return closed_; }
  PathPoint at(double station) const;
  // Station of the point nearest to (x, y), looked for from `from` on downhill: a path that crosses itself is not left.
  double nearest(double x, double y, double from) const;
  double nearest(double x, double y) const;  // of the whole path

 private:
  struct Local {
    double x, y, dx, dy, ddx, ddy;  // point, first and second derivative over the station
  };
  Local local(double station) const;
  std::vector<double> station_;  // of the way points; a closed path has the first one again at its end
  std::vector<std::array<double, 2>> point_, bend_;  // way points and second derivatives there
  bool closed_;
};

}  // namespace vdsim
