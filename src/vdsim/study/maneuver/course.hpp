// SPDX-License-Identifier: Apache-2.0
// Cone courses: lanes, the cones beside them, a path through them, and which cones the car's outline touches.
// Axes of the road plane: x along the course, y left [m].
#pragma once
#include <array>
#include <cmath>
#include <string>
#include <vector>

namespace vdsim {

struct Cone {
  double x, y;           // centre of the foot [m]
  double radius = 0.14;  // of the foot [m]
};

// Section along x, free between its side boundaries [m].
struct Lane {
  double from, to, right, left;
};

// Seen from above; all positive [m].
struct Outline {
  double front, rear, width;  // CG to the bumpers; overall width
};

// Cones on both sides of each lane, outside: the foot touches the boundary. The largest even spacing up to `spacing`,
// with cones at both ends; lanes that meet share theirs.
std::vector<Cone> cones_of(const std::vector<Lane>&, double spacing, double radius = 0.14);

// ISO 3888-1, double lane change to the left and back, for a car of this width. x = 0: entry; y = 0: middle of section 1.
// Read as: sections 1, 5 and 6 have their right boundary on one line, section 3 has its right boundary 3.5 m left of it.
std::vector<Lane> lanes_iso3888_1(double width);
// ISO 3888-2, obstacle avoidance. Read as: the gap between the left boundary of section 1 and the right boundary of
// section 3 is 1 m wide, and sections 1 and 5 have their left boundary on one line, so that the gap is as wide on the
// way back.
std::vector<Lane> lanes_iso3888_2(double width);
// By name: "iso3888_1", "iso3888_2"; none of these: empty.
std::vector<Lane> lanes_of_course(const std::string& name, double width);
inline constexpr const char* kCourseNames[] = {"iso3888_1", "iso3888_2"};

// Way points for the CG every metre, along the middle of the first lane up to its entry and of the last one from its
// exit on; between them the line of least bending that keeps the outline, as it rolls along the line, away from the
// boundaries by `share` of the room on each side. Lanes in order of x, wider than the outline.
std::vector<std::array<double, 2>> lane_path(const std::vector<Lane>&, const Outline&, double share = 0.6);

struct Hit {
  double t;            // first contact [s]
  int cone;            // index
  const char* corner;  // nearest to the cone: "front left", "front right", "rear left", "rear right"
  double x, y;         // where the outline touches the cone [m]
};

// Follows the outline from row to row, the pose linear in time between them. A cone counts as hit when the outline
// covers any of its foot, once.
class HitWatch {
 public:
  HitWatch(std::vector<Cone> cones, const Outline& outline)
      : cones_(std::move(cones)), outline_(outline), hit_(cones_.size(), false) {}
  void row(double t, double x, double y, double psi);  // t [s] increasing; CG [m], heading [rad]
  const std::vector<Cone>& cones() const { return cones_; }
  const std::vector<Hit>& hits() const { return hits_; }  // in order of time
  bool hit(std::size_t cone) const { return hit_[cone]; }
  // Smallest distance between outline and cones so far; negative: how deep it went. No row or no cone: infinite [m].
  double clearance() const { return clearance_; }

 private:
  struct Pose {
    double t, x, y, psi;
  };
  static Pose between(const Pose&, const Pose&, double s);
  double distance(const Pose&, const Cone&) const;
  void touch(const Pose&, std::size_t cone);
  void sweep(const Pose& from, const Pose& to, std::size_t cone, double way);

  std::vector<Cone> cones_;
  Outline outline_;
  std::vector<bool> hit_;
  std::vector<Hit> hits_;
  double clearance_ = INFINITY;
  Pose last_{};
  bool any_ = false;
};

}  // namespace vdsim
