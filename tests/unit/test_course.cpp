// SPDX-License-Identifier: Apache-2.0
// Cone courses: geometry of the standards, the path through them, and hits of the outline.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "vdsim/study/maneuver/course.hpp"
#include "vdsim/study/path.hpp"

namespace vdsim {
namespace {

const double kPi = std::acos(-1.0);
const Outline kSedan{2.1, 2.55, 1.8};

// -------------------------------------------------------------------------------------------------- geometry

TEST(Course, DoubleLaneChangeOfIso3888Part1) {
  const std::vector<Lane> l = lanes_iso3888_1(1.8);
  ASSERT_EQ(l.size(), 4u);
  const double from[] = {0, 45, 95, 110}, to[] = {15, 70, 110, 125}, width[] = {2.23, 2.41, 2.59, 2.59};
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(l[i].from, from[i], 1e-12);
    EXPECT_NEAR(l[i].to, to[i], 1e-12);
    EXPECT_NEAR(l[i].left - l[i].right, width[i], 1e-12);
  }
  EXPECT_NEAR(l[0].left, -l[0].right, 1e-12);
  EXPECT_NEAR(l[1].right - l[0].right, 3.5, 1e-12);
  EXPECT_NEAR(l[2].right, l[0].right, 1e-12);
  EXPECT_NEAR(l[3].right, l[0].right, 1e-12);
}

TEST(Course, ObstacleAvoidanceOfIso3888Part2) {
  const std::vector<Lane> l = lanes_iso3888_2(1.8);
  ASSERT_EQ(l.size(), 3u);
  const double from[] = {0, 25.5, 49}, to[] = {12, 36.5, 61}, width[] = {2.23, 2.8, 3};  // 1.3 w + 0.25 is 2.59
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(l[i].from, from[i], 1e-12);
    EXPECT_NEAR(l[i].to, to[i], 1e-12);
    EXPECT_NEAR(l[i].left - l[i].right, width[i], 1e-12);
  }
  EXPECT_NEAR(l[0].left, -l[0].right, 1e-12);
  EXPECT_NEAR(l[1].right - l[0].left, 1, 1e-12);
  EXPECT_NEAR(l[2].left, l[0].left, 1e-12);
  const Lane wide = lanes_iso3888_2(2.2)[2];
  EXPECT_NEAR(wide.left - wide.right, 1.3 * 2.2 + 0.25, 1e-12);
}

TEST(Course, Names) {
  EXPECT_EQ(lanes_of_course("iso3888_1", 1.8).size(), 4u);
  EXPECT_EQ(lanes_of_course("iso3888_2", 1.8).size(), 3u);
  EXPECT_TRUE(lanes_of_course("iso3888", 1.8).empty());
}

TEST(Course, ConesStandOutsideAtEvenSpacing) {
  const std::vector<Cone> c = cones_of({{0, 12, -1, 1.5}, {12, 15, -1, 1.5}}, 5, 0.14);
  ASSERT_EQ(c.size(), 10u);  // 0 4 8 12 and 15, on both sides; the lanes share those at 12
  for (const Cone& cone : c) {
    EXPECT_NEAR(cone.y > 0 ? cone.y - 1.5 : -1 - cone.y, 0.14, 1e-12);
    EXPECT_EQ(cone.radius, 0.14);
  }
  EXPECT_NEAR(c[2].x, 4, 1e-12);
  EXPECT_NEAR(c[8].x, 15, 1e-12);
}

// -------------------------------------------------------------------------------------------------- path

// Rolls the outline along the path, heading along it.
double clearance_along(const std::vector<std::array<double, 2>>& points, const std::vector<Cone>& cones) {
  const Path path(points, false);
  HitWatch watch(cones, kSedan);
  for (double s = 0; s < path.length(); s += 0.2) {
    const PathPoint p = path.at(s);
    watch.row(s, p.x, p.y, p.heading);
  }
  return watch.clearance();
}

// Half the width of the first lane less half the car is 0.215 m. The path is made for a flank whose points do not come
// nearer by the yaw angle: 3.5 cm less. No bend is as sharp as that of the smoothest step (10 u^3 - 15 u^4 + 6 u^5) from
// lane to lane, 5.77 h/l^2.
TEST(LanePath, LeavesRoomAndBendsLittle) {
  for (const char* name : {"iso3888_1", "iso3888_2"})
    for (const double share : {0.3, 0.5, 0.6, 0.7}) {
      const std::vector<Lane> lanes = lanes_of_course(name, kSedan.width);
      const auto points = lane_path(lanes, kSedan, share);
      EXPECT_GT(clearance_along(points, cones_of(lanes, 3)), 0.215 * share - 0.035) << name << share;
      EXPECT_NEAR(points.front()[1], 0, 1e-4);
      EXPECT_NEAR(points.back()[1], (lanes.back().left + lanes.back().right) / 2, 1e-4);
      const Path path(points, false);
      double most = 0;
      for (double s = 0; s < path.length(); s += 0.1) most = std::max(most, std::abs(path.at(s).curvature));
      const double gap = lanes[1].from - lanes[0].to, shift = (lanes[1].left + lanes[1].right) / 2;
      EXPECT_LT(most, (share < 0.65 ? 0.65 : 0.8) * 5.77 * shift / (gap * gap)) << name << share;
    }
}

TEST(LanePath, OneStraightLaneIsItsMiddle) {
  for (const auto& p : lane_path({{0, 20, 1, 4}}, kSedan)) EXPECT_NEAR(p[1], 2.5, 1e-9);
}

TEST(LanePath, Mirror) {
  std::vector<Lane> lanes = lanes_iso3888_2(1.8), other = lanes;
  for (Lane& l : other) l = {l.from, l.to, -l.left, -l.right};
  const auto a = lane_path(lanes, kSedan), b = lane_path(other, kSedan);
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i][1], -b[i][1], 1e-9);
}

// -------------------------------------------------------------------------------------------------- hits

// Straight past a row of cones, `gap` between flank and cones.
HitWatch pass(double gap, double turn, double row = 1e-3, double v = 20) {
  const double side = kSedan.width / 2 + gap + 0.14, co = std::cos(turn), si = std::sin(turn);
  std::vector<Cone> cones;
  for (double x = 0; x <= 10; x += 2.5) cones.push_back({co * x - si * side, si * x + co * side, 0.14});
  HitWatch watch(cones, kSedan);
  for (double t = 0; t < 1.5; t += row) {
    const double x = -10 + v * t;
    watch.row(t, co * x, si * x, turn);
  }
  return watch;
}

TEST(HitWatch, AMillimetreDecides) {
  for (const double turn : {0.0, 0.7, kPi / 2, 3.0, -2.0}) {  // in any direction
    EXPECT_TRUE(pass(1e-3, turn).hits().empty()) << turn;
    EXPECT_NEAR(pass(1e-3, turn).clearance(), 1e-3, 1e-9) << turn;
    EXPECT_EQ(pass(-1e-3, turn).hits().size(), 5u) << turn;  // each once
    EXPECT_NEAR(pass(-1e-3, turn).clearance(), -1e-3, 1e-9) << turn;
  }
}

// The front left corner (2.1, 0.9) meets the edge of a foot whose centre stands 0.139 m beside the flank, at
// x = -sqrt(0.14^2 - 0.139^2) before the centre; from -10 m at 20 m/s.
TEST(HitWatch, TimeAndCorner) {
  for (const double row : {1e-3, 7e-3, 0.02, 0.3}) {
    const HitWatch watch = pass(-1e-3, 0.7, row);
    ASSERT_EQ(watch.hits().size(), 5u);
    for (std::size_t i = 0; i < 5; ++i) {
      const Hit& h = watch.hits()[i];
      EXPECT_EQ(h.cone, int(i));
      EXPECT_NEAR(h.t, (10 + 2.5 * double(i) - 2.1 - std::sqrt(0.14 * 0.14 - 0.139 * 0.139)) / 20, 1e-5) << row;
      EXPECT_STREQ(h.corner, "front left");
      EXPECT_NEAR(std::hypot(h.x - watch.cones()[i].x, h.y - watch.cones()[i].y), 0.14, 1e-4);
    }
  }
}

TEST(HitWatch, EachCornerHasItsName) {
  const struct {
    double x, y;
    const char* corner;
  } cases[] = {
      {2.15, 0.95, "front left"}, {2.15, -0.95, "front right"}, {-2.6, 0.95, "rear left"}, {-2.6, -0.95, "rear right"}};
  for (const auto& c : cases)
    for (const double turn : {0.0, 1.0, 2.5, -1.0}) {
      const double co = std::cos(turn), si = std::sin(turn);
      HitWatch watch({{3 + co * c.x - si * c.y, 4 + si * c.x + co * c.y}}, kSedan);
      watch.row(0, 3, 4, turn);
      ASSERT_EQ(watch.hits().size(), 1u) << c.corner;
      EXPECT_STREQ(watch.hits()[0].corner, c.corner);
    }
}

// The tail of a turning car swings out: rear right on the outer side of a left turn about the CG.
TEST(HitWatch, TurningCarHitsWithItsTail) {
  const double reach = std::hypot(2.55, 0.9), at = std::atan2(-0.9, -2.55) + 0.2;
  for (const double gap : {-1e-3, 1e-3}) {
    HitWatch watch({{(reach + 0.14 + gap) * std::cos(at), (reach + 0.14 + gap) * std::sin(at)}}, kSedan);
    watch.row(0, 0, 0, 0);
    watch.row(1, 0, 0, 0.4);  // one long row
    ASSERT_EQ(watch.hits().size(), gap < 0 ? 1u : 0u);
    EXPECT_NEAR(watch.clearance(), gap, 1e-6);
    EXPECT_STREQ(gap < 0 ? watch.hits()[0].corner : "rear right", "rear right");
  }
}

// 200 m/s, 10 rows per second: 20 m from row to row, and through the turn of the angle at pi.
TEST(HitWatch, AFastCarCannotJumpACone) {
  HitWatch watch({{0, 0.5}, {7, -0.9}, {13, 1.05}}, kSedan);
  for (int i = 0; i < 4; ++i) watch.row(0.1 * i, -37 + 20 * i, 0, i % 2 ? 1e-9 : 2 * kPi);
  ASSERT_EQ(watch.hits().size(), 2u);  // the third stands 1 cm free
  EXPECT_EQ(watch.hits()[0].cone, 0);
  EXPECT_NEAR(watch.hits()[0].t, (37 - 2.1 - 0.14) / 200, 1e-5);
  EXPECT_FALSE(watch.hit(2));
  HitWatch turning({{-3, 0}}, kSedan);  // from 179 to -179 degrees: not the long way round
  turning.row(0, 3.5, 2.5, kPi - 0.02);
  turning.row(0.1, 3.5, 2.5, -kPi + 0.02);
  EXPECT_TRUE(turning.hits().empty());
}

// How deep: the way to the nearest side, and the foot. A graze after that is still a hit.
TEST(HitWatch, DepthDoesNotHideAGraze) {
  HitWatch watch({{0, 0.5}, {20, 0.9 + 0.139}}, kSedan);
  watch.row(0, -10, 0, 0);
  watch.row(0.5, 10, 0, 0);
  EXPECT_NEAR(watch.clearance(), -(0.9 - 0.5) - 0.14, 1e-9);
  for (int i = 1; i < 1500; ++i) watch.row(0.5 + 1e-3 * i, 10 + 0.02 * i, 0, 0);
  EXPECT_EQ(watch.hits().size(), 2u);
}

TEST(HitWatch, Mirror) {
  HitWatch left({{0, 1.0}, {6, 2.2}}, kSedan), right({{0, -1.0}, {6, -2.2}}, kSedan);
  for (int i = 0; i < 200; ++i) {
    const double t = 0.01 * i, x = -10 + 12 * t, y = 0.4 * t, psi = 0.05 * std::sin(3 * t);
    left.row(t, x, y, psi), right.row(t, x, -y, -psi);
  }
  ASSERT_EQ(left.hits().size(), right.hits().size());
  EXPECT_EQ(left.clearance(), right.clearance());
  for (std::size_t i = 0; i < left.hits().size(); ++i) {
    EXPECT_EQ(left.hits()[i].t, right.hits()[i].t);
    EXPECT_EQ(left.hits()[i].y, -right.hits()[i].y);
    EXPECT_NE(std::strcmp(left.hits()[i].corner, right.hits()[i].corner), 0);
  }
}

TEST(HitWatch, NothingToHit) {
  HitWatch none({}, kSedan);
  none.row(0, 0, 0, 0);
  EXPECT_EQ(none.clearance(), INFINITY);
  EXPECT_EQ(HitWatch({{0, 0}}, kSedan).clearance(), INFINITY);
}

// The path shifted sideways by the clearance and 1 cm more hits, by 1 cm less does not.
TEST(HitWatch, ClearanceIsWhatTheCourseAllows) {
  const std::vector<Lane> lanes = lanes_iso3888_2(kSedan.width);
  std::vector<Cone> left;
  for (const Cone& c : cones_of(lanes, 3))
    if (c.x < 13 && c.y > 0) left.push_back(c);
  const auto shifted = [&](double by) {
    auto points = lane_path(lanes, kSedan);
    for (auto& p : points) p[1] += by;
    return clearance_along(points, left);
  };
  const double room = shifted(0);
  EXPECT_GT(room, 0.05);
  EXPECT_LT(shifted(room + 0.01), 0);
  EXPECT_GT(shifted(room - 0.01), 0);
}

}  // namespace
}  // namespace vdsim
