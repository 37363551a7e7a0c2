// SPDX-License-Identifier: Apache-2.0
// OpenCRG: closed forms of simple roads, border modes, search, formats and errors; tables of ASAM's own code.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <numbers>
#include <sstream>
#include <string>
#include <vector>

#include "tests/reference_data.hpp"
#include "vdsim/core/road/ground_map.hpp"
#include "vdsim/formats/crg_road.hpp"
#include "vdsim/formats/crg_write.hpp"
#include "vdsim/formats/table_read.hpp"

namespace {

using namespace vdsim;
constexpr double kPi = std::numbers::pi;
constexpr double kEps = 1e-12;  // lengths of up to 100 m through a few sums and products: some 1e-14 each

// Numbers in [low, high), the same on every machine.
class Hash {
  std::uint64_t n_ = 0;

 public:
  double operator()(double low, double high) {
    std::uint64_t x = ++n_ * 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return low + (high - low) * double((x ^ x >> 31) >> 11) * 0x1p-53;
  }
};

// A straight road of 11 rows and 4 cuts with heights of no symmetry; nothing is moved.
CrgFile plain(bool listed = false) {
  CrgFile f;
  f.name = "test.crg";
  f.format = {true, false};
  f.has_modifiers = true;
  f.v_listed = listed;
  f.v = {-2, -1, 0, 1};
  f.rows = 11;
  f.road.increment = 0.5;
  f.road.v_right = -2;
  f.road.v_left = 1;
  f.road.v_increment = 1;
  Hash h;
  for (int k = 0; k < 44; ++k) f.grid64.push_back(double(float(h(-0.2, 0.2))));
  return f;
}
CrgFile flat() {
  CrgFile f = plain();
  f.grid64.assign(44, 0);
  return f;
}
// Headings of a polygon inscribed in a circle.
CrgFile arc(double turn, std::size_t rows) {
  CrgFile f = flat();
  f.rows = rows;
  f.grid64.assign(4 * rows, 0);
  for (std::size_t i = 0; i < rows; ++i) f.phi.push_back(turn * double(i));
  f.road.start_phi = turn / 2;
  f.road.end_phi = turn * (double(rows) - 0.5);
  return f;
}

CrgRoad road_of(const CrgFile& f) {
  Errors errors;
  Warnings warnings;
  auto out = build_crg(f, errors, warnings);
  EXPECT_TRUE(out) << (errors.empty() ? "" : errors.lines()[0]);
  return out.value_or(CrgRoad{});
}
CrgRoad shipped(const std::string& name) {
  Errors errors;
  Warnings warnings;
  auto out = load_crg(VDSIM_SOURCE_DIR "/configs/roads/" + name, errors, warnings);
  EXPECT_TRUE(out && errors.empty() && warnings.empty()) << name;
  return out.value_or(CrgRoad{});
}
std::string error_of(const std::string& text) {
  Errors errors;
  Warnings warnings;
  EXPECT_FALSE(read_crg(text, "t.crg", errors, warnings));
  std::string out;
  for (const std::string& line : errors.lines()) out += line + "\n";
  return out;
}

// ------------------------------------------------------------------------------------------------ closed forms

TEST(Crg, PlaneWithSlopeAndBank) {  // z = z0 + s u + b v, and its gradient turned by the heading
  CrgFile f = flat();
  f.road.start_z = 3;
  f.road.start_s = 0.04;
  f.road.start_b = -0.03;
  f.road.start_phi = 0.7;
  f.road.start_x = 5;
  f.road.start_y = -2;
  const CrgRoad road = road_of(f);
  const CrgView c = road.view();
  Hash h;
  for (int i = 0; i < 200; ++i) {
    const double u = h(0, 5), v = h(-2, 1), co = std::cos(0.7), si = std::sin(0.7);
    const CrgXy p = crg_uv_to_xy(c, u, v);
    EXPECT_NEAR(p.x, 5 + u * co - v * si, kEps);
    EXPECT_NEAR(p.y, -2 + u * si + v * co, kEps);
    const RoadHeight<double> z = crg_height_at(c, p.x, p.y);
    EXPECT_NEAR(z.z, 3 + 0.04 * u - 0.03 * v, kEps);
    EXPECT_NEAR(z.zx, 0.04 * co + 0.03 * si, kEps);
    EXPECT_NEAR(z.zy, 0.04 * si - 0.03 * co, kEps);
  }
  EXPECT_EQ(crg_uv_to_pk(c, 2, 0).phi, 0.7);
  EXPECT_EQ(crg_uv_to_pk(c, 2, 0).curvature, 0);
}

// The values of a file as numbers of surfaces, along its line; a lift of the road does not change them.
TEST(Crg, RasterOfSurfaces) {
  CrgFile f = plain();
  f.road.start_phi = 0.7;
  for (std::size_t k = 0; k < 44; ++k) f.grid64[k] = double(k % 3);
  f.modifiers.refline_offset_z = 2.5;
  const CrgRoad road = road_of(f);
  const CrgView c = road.view();
  GroundMap map;
  map.crg = &c;
  map.surfaces = 3;
  for (int k = 0; k < 3; ++k) map.surface[k].friction = 0.2 + 0.3 * k;
  for (int i = 0; i < 10; ++i)
    for (int j = 1; j < 3; ++j) {  // inside: the edge itself is on either side of rounding
      const auto friction = [&](double u, double v) {
        const CrgXy p = crg_uv_to_xy(c, 0.5 * u, v - 2);
        Ground<double> g{};
        lay_map(map, p.x, p.y, g);
        return g.friction;
      };
      EXPECT_NEAR(friction(i, j), 0.2 + 0.3 * ((4 * i + j) % 3), 1e-9);
      const double a = 0.2 + 0.3 * ((4 * i + j) % 3), b = 0.2 + 0.3 * ((4 * i + 4 + j) % 3);
      EXPECT_NEAR(friction(i + 0.5, j), (a + b) / 2, 1e-9);
      EXPECT_EQ(friction(11 + i, j), 0);  // beyond its end: as it was
    }
}

TEST(Crg, SlopeAndBankColumnsAreIntegratedAndInterpolated) {
  CrgFile f = flat();
  for (int i = 0; i < 11; ++i) f.slope.push_back(0.01 * i), f.bank.push_back(0.02 * i);
  f.slope[0] = 99;  // no segment ends at the first row
  const CrgRoad road = road_of(f);
  const CrgView c = road.view();
  for (int i = 0; i < 11; ++i)  // z_i = du sum of the slopes up to i
    EXPECT_NEAR(crg_uv_to_z(c, 0.5 * i, 0), 0.5 * 0.01 * i * (i + 1) / 2, 1e-15);
  EXPECT_NEAR(crg_uv_to_z(c, 1.25, 0.8) - crg_uv_to_z(c, 1.25, 0), 0.8 * 0.05, 1e-15);
}

TEST(Crg, ArcIsAPolygonInACircle) {
  const double turn = 0.05, du = 0.5, r = du / 2 / std::sin(turn / 2);
  const CrgRoad road = road_of(arc(turn, 60));
  const CrgView c = road.view();
  // Chord i has the heading turn * i, so the centre lies on the left normal of the tangent at the start, turn/2.
  const double cx = -r * std::sin(turn / 2), cy = r * std::cos(turn / 2);
  for (int i = 1; i < 58; ++i)  // the first and the last segment end at their own normals
    for (const double v : {-2.0, 0.0, 1.0}) {
      const CrgXy node = crg_uv_to_xy(c, du * i, v), mid = crg_uv_to_xy(c, du * (i + 0.5), v);
      EXPECT_NEAR(std::hypot(node.x - cx, node.y - cy), r - v / std::cos(turn / 2), kEps);
      EXPECT_NEAR(std::hypot(mid.x - cx, mid.y - cy), r * std::cos(turn / 2) - v, kEps);
      // the cross product of two chords: sin(turn) / du on the line, 1/(1/k - v) beside it
      const double k = std::sin(turn) / du;
      EXPECT_NEAR(crg_uv_to_pk(c, du * (i + 0.5), v).curvature, 1 / (1 / k - v), kEps);
      EXPECT_NEAR(crg_uv_to_pk(c, du * (i + 0.5), v).phi, turn * i, kEps);
    }
}

TEST(Crg, ThereAndBack) {  // (u, v) -> (x, y) -> (u, v), inside and straight beyond the ends
  const CrgRoad road = shipped("s_bend.crg");
  const CrgView c = road.view();
  Hash h;
  for (int i = 0; i < 3000; ++i) {
    const double u = h(-20, 180), v = h(-5, 5);
    const CrgXy p = crg_uv_to_xy(c, u, v);
    const CrgUv back = crg_xy_to_uv(c, p.x, p.y);
    EXPECT_NEAR(back.u, u, 1e-11) << u << " " << v;
    EXPECT_NEAR(back.v, v, 1e-11) << u << " " << v;
    EXPECT_NEAR(crg_xy_to_z(c, p.x, p.y), crg_uv_to_z(c, u, v), 1e-11);
  }
}

TEST(Crg, ThereAndBackBeyondEndsThatTurnAway) {  // the heading of an end need not be that of its chord
  const CrgRoad road = road_of(arc(0.1, 21));
  const CrgView c = road.view();
  for (const double u : {-30.0, -1.0, 11.0, 40.0})
    for (const double v : {-2.0, 0.0, 1.0}) {
      const CrgXy p = crg_uv_to_xy(c, u, v);
      EXPECT_NEAR(crg_xy_to_uv(c, p.x, p.y).u, u, kEps);
      EXPECT_NEAR(crg_xy_to_uv(c, p.x, p.y).v, v, kEps);
    }
}

TEST(Crg, NodesAreMetAndTheMiddleIsTheirMean) {
  const CrgFile f = plain();
  const CrgRoad road = road_of(f);
  const CrgView c = road.view();
  for (int i = 0; i < 10; ++i)
    for (int j = 0; j < 3; ++j) {
      const auto z = [&](int a, int b) { return f.grid64[std::size_t(4 * (i + a) + j + b)]; };
      EXPECT_NEAR(crg_uv_to_z(c, 0.5 * i, -2 + j), z(0, 0), 1e-16);
      EXPECT_NEAR(crg_uv_to_z(c, 0.5 * i + 0.25, -1.5 + j), (z(0, 0) + z(0, 1) + z(1, 0) + z(1, 1)) / 4, 1e-16);
    }
}

// A bend with everything: slope, banking that changes, heights, fading at both ends.
CrgFile rich() {
  CrgFile f = arc(0.03, 41);
  Hash h;
  for (double& z : f.grid64) z = double(float(h(-0.2, 0.2)));
  for (int i = 0; i < 41; ++i) f.slope.push_back(h(-0.1, 0.1)), f.bank.push_back(h(-0.3, 0.3));
  f.options.border_smooth_ubeg = 6;
  f.options.border_smooth_uend = 7;
  return f;
}

TEST(Crg, SlopesAreTheDerivativesOfTheHeight) {
  // central differences over 2e-6 m: rounding 1e-16/1e-6, and 1e-12/1e-6 from u and v of coordinates of 100 m
  Hash h;
  for (const char* name : {"", "s_bend.crg", "banked_ring.crg", "cobbles.crg"}) {
    const CrgRoad road = *name ? shipped(name) : road_of(rich());
    const CrgView c = road.view();
    const double e = 1e-6;
    int seen = 0;
    for (int i = 0; i < 500; ++i) {
      const double u = h(c.u0 - 3, c.u1 + 3), v = h(c.v0 - 0.5, c.v1 + 0.5);
      const CrgXy p = crg_uv_to_xy(c, u, v);
      const RoadHeight<double> z = crg_height_at(c, p.x, p.y);
      const double right = crg_xy_to_z(c, p.x + e, p.y), left = crg_xy_to_z(c, p.x - e, p.y), here = z.z;
      if (std::abs(right + left - 2 * here) > 1e-11) continue;  // a kink between
      const double up = crg_xy_to_z(c, p.x, p.y + e), down = crg_xy_to_z(c, p.x, p.y - e);
      if (std::abs(up + down - 2 * here) > 1e-11) continue;
      ++seen;
      EXPECT_NEAR(z.zx, (right - left) / (2 * e), 1e-7) << name << " " << u << " " << v;
      EXPECT_NEAR(z.zy, (up - down) / (2 * e), 1e-7) << name << " " << u << " " << v;
    }
    EXPECT_GT(seen, 450) << name;
  }
}

TEST(Crg, LanesAgreeWithOnePoint) {
  const CrgRoad road = shipped("banked_ring.crg");
  const CrgView c = road.view();
  using P = Pack<float, 8, IsaBase>;
  P x(0.f), y(0.f);
  Hash h;
  for (int i = 0; i < 8; ++i) set_lane(x, i, float(h(-60, 60))), set_lane(y, i, float(h(-10, 110)));
  const RoadHeight<P> all = crg_height(c, x, y);
  for (int i = 0; i < 8; ++i) {
    const RoadHeight<double> one = crg_height(c, double(lane(x, i)), double(lane(y, i)));
    EXPECT_EQ(lane(all.z, i), float(one.z));
    EXPECT_EQ(lane(all.zx, i), float(one.zx));
    EXPECT_EQ(lane(all.zy, i), float(one.zy));
    EXPECT_EQ(crg_height(c, lane(x, i), lane(y, i)).z, float(one.z));
  }
}

// ------------------------------------------------------------------------------------------------ search

TEST(Crg, TreeFindsTheNearestPoint) {
  for (const std::size_t rows : {2u, 7u, 8u, 9u, 130u, 1000u}) {
    const CrgRoad road = road_of(arc(0.013, rows));
    const CrgView c = road.view();
    Hash h;
    for (int i = 0; i < 200; ++i) {
      const double size = i % 2 ? 60 : 1e4, x = h(-size, size), y = h(-size, size);
      int best = 0;
      for (int k = 1; k < c.nu; ++k)
        if (sq(x - c.x[k]) + sq(y - c.y[k]) < sq(x - c.x[best]) + sq(y - c.y[best])) best = k;
      EXPECT_EQ(crg_nearest(c, x, y), best) << rows;
    }
  }
}

TEST(Crg, AHintKeepsTheBranchWhereTheRoadCrossesItself) {
  // one and a quarter turns of a narrowing spiral: the end crosses the start
  CrgFile f = flat();
  f.rows = 200;
  f.grid64.assign(800, 0);
  for (int i = 0; i < 200; ++i) f.phi.push_back(kPi * std::sin(kPi * i / 199) * 1.2);
  const CrgRoad road = road_of(f);
  const CrgView c = road.view();
  int hint = -1;
  for (double u = 0; u <= 99.5; u += 0.1) {
    const CrgXy p = crg_uv_to_xy(c, u, 0.1);
    const CrgUv at = crg_xy_to_uv(c, p.x, p.y, hint);
    EXPECT_NEAR(at.u, u, 1e-10);
    hint = at.segment;
    const CrgUv alone = crg_xy_to_uv(c, p.x, p.y);  // some point of the road there, the same each time
    const CrgXy again = crg_uv_to_xy(c, alone.u, alone.v);
    EXPECT_NEAR(again.x, p.x, 1e-9);
    EXPECT_NEAR(again.y, p.y, 1e-9);
  }
  const CrgUv lost = crg_xy_to_uv(c, c.x[150], c.y[150], 3);  // a hint far away is no hint
  EXPECT_NEAR(lost.v, 0, 1e-9);
}

TEST(Crg, ClosedTrackGoesAround) {
  const CrgRoad road = shipped("banked_ring.crg");
  const CrgView c = road.view();
  ASSERT_TRUE(c.close_track);
  const double around = c.close_max - c.close_min;
  EXPECT_NEAR(around, 2 * kPi * 50, 0.05);
  for (const double u : {0.5, 100.0, 311.0, 313.0})
    for (const double v : {-3.0, 4.0}) {
      EXPECT_NEAR(crg_uv_to_z(c, u + 3 * around, v), crg_uv_to_z(c, u, v), 1e-11);
      EXPECT_NEAR(crg_uv_to_xy(c, u - 2 * around, v).x, crg_uv_to_xy(c, u, v).x, 1e-11);
    }
  // Around the circle of the points, 3 m outside. At the seam the normals of two chords meet at 0.01 rad: u jumps
  // there by 3 m x 0.01, v by a quarter of a chord x 0.01, which the banking turns into less than 3e-4 m.
  double z = 0, u = 0, total = 0;
  for (int i = 0; i <= 6284; ++i) {
    const double a = 2 * kPi * i / 6284 - kPi / 2;
    const CrgUv at = crg_xy_to_uv(c, 53 * std::cos(a), 50 + 53 * std::sin(a));
    const double now = crg_uv_to_z(c, at.u, at.v);
    if (i > 0) {
      EXPECT_NEAR(now, z, 3e-4) << i;
      const double step = at.u - u < -around / 2 ? at.u - u + around : at.u - u;
      EXPECT_GT(step, -0.03);
      EXPECT_LT(step, 0.1);
      total += step;
    }
    z = now, u = at.u;
  }
  EXPECT_NEAR(total, around, 0.05);
}

TEST(Crg, HeightsBeyondEveryMountainAreRefused) {
  CrgFile f = plain();
  f.grid64[7] = -2e5;
  Errors errors;
  Warnings warnings;
  EXPECT_FALSE(build_crg(f, errors, warnings));
  EXPECT_EQ(errors.lines(), std::vector<std::string>{"test.crg: a height of -2e+05 m, expected -1e5 to 1e5 m"});
}

TEST(Crg, NoNumberGivesNoHeight) {
  const CrgRoad road = shipped("s_bend.crg");
  const CrgView c = road.view();
  for (const double bad : {double(NAN), double(INFINITY), -1e200}) {
    EXPECT_TRUE(std::isnan(crg_xy_to_z(c, bad, 0)));
    EXPECT_TRUE(std::isnan(crg_height_at(c, 0, bad).z));
    EXPECT_TRUE(std::isnan(crg_uv_to_z(c, bad, 0)));
  }
}

// ------------------------------------------------------------------------------------------------ borders

class CrgBorders : public testing::TestWithParam<bool> {
 protected:
  CrgRoad with(CrgBorder u, CrgBorder v, double offset_u = 0, double offset_v = 0) const {
    CrgFile f = plain(GetParam());
    f.options.border_mode_u = double(int(u));
    f.options.border_mode_v = double(int(v));
    f.options.border_offset_u = offset_u;
    f.options.border_offset_v = offset_v;
    return road_of(f);
  }
};
INSTANTIATE_TEST_SUITE_P(Cuts, CrgBorders, testing::Bool(),
                         [](const auto& each) { return each.param ? "listed" : "numbered"; });

TEST_P(CrgBorders, NoneHasNoHeight) {
  const CrgRoad road = with(CrgBorder::none, CrgBorder::none);
  const CrgView c = road.view();
  for (const auto& [u, v] : {std::pair{-0.1, 0.0}, {5.1, 0.0}, {2.0, -2.1}, {2.0, 1.1}})
    EXPECT_TRUE(std::isnan(crg_uv_to_z(c, u, v)));
  EXPECT_TRUE(std::isfinite(crg_uv_to_z(c, 0, -2)));
  EXPECT_TRUE(std::isfinite(crg_uv_to_z(c, 5, 1)));
}

TEST_P(CrgBorders, ZeroIsTheOffset) {
  const CrgRoad road = with(CrgBorder::zero, CrgBorder::zero, 0.25, 0.5);
  const CrgView c = road.view();
  EXPECT_EQ(crg_uv_to_z(c, -0.1, 0), 0.25);
  EXPECT_EQ(crg_uv_to_z(c, 5.1, 0), 0.25);
  EXPECT_EQ(crg_uv_to_z(c, 2, -2.1), 0.5);
  EXPECT_EQ(crg_uv_to_z(c, 2, 1.1), 0.5);
  EXPECT_EQ(crg_uv_to_z(c, 6, 2), 0.75);
  EXPECT_EQ(crg_surface(c, 6, 0).zv, 0);
}

TEST_P(CrgBorders, KeepHoldsTheBorder) {
  const CrgRoad road = with(CrgBorder::keep, CrgBorder::keep, 0.25, 0.5);
  const CrgView c = road.view();
  EXPECT_NEAR(crg_uv_to_z(c, -3, 0.3), crg_uv_to_z(c, 0, 0.3) + 0.25, 1e-15);
  EXPECT_NEAR(crg_uv_to_z(c, 9, 0.3), crg_uv_to_z(c, 5, 0.3) + 0.25, 1e-15);
  EXPECT_NEAR(crg_uv_to_z(c, 1.3, -7), crg_uv_to_z(c, 1.3, -2) + 0.5, 1e-15);
  EXPECT_NEAR(crg_uv_to_z(c, 1.3, 7), crg_uv_to_z(c, 1.3, 1) + 0.5, 1e-15);
  EXPECT_NEAR(crg_uv_to_z(c, 9, 7), crg_uv_to_z(c, 5, 1) + 0.75, 1e-15);
  EXPECT_EQ(crg_surface(c, 9, 0.3).zu, 0);
  EXPECT_EQ(crg_surface(c, 1.3, 7).zv, 0);
}

TEST_P(CrgBorders, RepeatHasThePeriodOfTheData) {
  const CrgRoad road = with(CrgBorder::repeat, CrgBorder::repeat, 0.25, 0.5);  // offsets are for zero and keep
  const CrgView c = road.view();
  for (const double u : {0.2, 2.6, 4.9})
    for (const double v : {-1.9, 0.4})
      for (const int k : {-7, -1, 1, 4}) {
        EXPECT_NEAR(crg_uv_to_z(c, u + 5 * k, v), crg_uv_to_z(c, u, v), 1e-13);
        EXPECT_NEAR(crg_uv_to_z(c, u, v + 3 * k), crg_uv_to_z(c, u, v), 1e-13);
        EXPECT_NEAR(crg_surface(c, u + 5 * k, v).zu, crg_surface(c, u, v).zu, 1e-12);
      }
}

TEST_P(CrgBorders, ReflectMirrorsAtBothEnds) {
  const CrgRoad road = with(CrgBorder::reflect, CrgBorder::reflect);
  const CrgView c = road.view();
  for (const double d : {0.1, 2.3, 4.8, 7.7, 12.4})
    for (const double v : {-1.9, 0.4}) {
      EXPECT_NEAR(crg_uv_to_z(c, -d, v), crg_uv_to_z(c, d, v), 1e-13);
      EXPECT_NEAR(crg_uv_to_z(c, 5 + d, v), crg_uv_to_z(c, 5 - d, v), 1e-13);
      EXPECT_NEAR(crg_surface(c, -d, v).zu, -crg_surface(c, d, v).zu, 1e-12);
      EXPECT_NEAR(crg_uv_to_z(c, 1.1, -2 - d), crg_uv_to_z(c, 1.1, -2 + d), 1e-13);
      EXPECT_NEAR(crg_uv_to_z(c, 1.1, 1 + d), crg_uv_to_z(c, 1.1, 1 - d), 1e-13);
      EXPECT_NEAR(crg_surface(c, 1.1, 1 + d).zv, -crg_surface(c, 1.1, 1 - d).zv, 1e-12);
    }
}

TEST_P(CrgBorders, ListedAndNumberedCutsAreTheSameRoad) {
  const CrgRoad road = with(CrgBorder::keep, CrgBorder::reflect), other = road_of([] {
                                                                    CrgFile f = plain(false);
                                                                    f.options.border_mode_v = 4;
                                                                    return f;
                                                                  }());
  Hash h;
  for (int i = 0; i < 300; ++i) {
    const double u = h(-2, 7), v = h(-6, 5);
    EXPECT_NEAR(crg_uv_to_z(road.view(), u, v), crg_uv_to_z(other.view(), u, v), 1e-14);
  }
}

TEST(Crg, BankIsHeldBeyondTheSides) {
  CrgFile f = flat();
  f.road.start_b = 0.1;
  const CrgRoad road = road_of(f);
  EXPECT_NEAR(crg_uv_to_z(road.view(), 1, 30), 0.1, 1e-15);
  EXPECT_NEAR(crg_uv_to_z(road.view(), 1, -30), -0.2, 1e-15);
}

TEST(Crg, FadesToTheLineAtTheEnds) {
  CrgFile f = plain();
  f.road.start_z = 2;
  f.options.border_smooth_ubeg = 2;
  f.options.border_smooth_uend = 1;
  const CrgRoad road = road_of(f), sharp = road_of([&] {
                                     CrgFile g = f;
                                     g.options.border_smooth_ubeg = g.options.border_smooth_uend = 0;
                                     return g;
                                   }());
  const CrgView c = road.view(), s = sharp.view();
  EXPECT_EQ(crg_uv_to_z(c, 0, 0.5), 2);
  EXPECT_EQ(crg_uv_to_z(c, -1, 0.5), 2);
  EXPECT_EQ(crg_uv_to_z(c, 5, 0.5), 2);
  EXPECT_NEAR(crg_uv_to_z(c, 0.7, 0.5) - 2, 0.35 * (crg_uv_to_z(s, 0.7, 0.5) - 2), 1e-15);
  EXPECT_NEAR(crg_uv_to_z(c, 4.6, 0.5) - 2, 0.4 * (crg_uv_to_z(s, 4.6, 0.5) - 2), 1e-15);
  EXPECT_EQ(crg_uv_to_z(c, 3, 0.5), crg_uv_to_z(s, 3, 0.5));
}

// ------------------------------------------------------------------------------------------------ modifiers

TEST(Crg, WithoutModifiersTheRightBorderComesToTheOrigin) {
  CrgFile f = arc(0.05, 11);
  f.grid64 = plain().grid64;
  f.has_modifiers = false;
  f.road.start_x = 100;
  f.road.start_y = -50;
  f.road.start_z = 7;
  const CrgRoad road = road_of(f);
  const CrgView c = road.view();
  const CrgXy p = crg_uv_to_xy(c, 0, -2);
  EXPECT_NEAR(p.x, 0, kEps);
  EXPECT_NEAR(p.y, 0, kEps);
  EXPECT_NEAR(crg_uv_to_z(c, 0, -2), 0, kEps);
  EXPECT_NEAR(crg_uv_to_pk(c, 0, -2).phi, 0, kEps);
}

TEST(Crg, ReferencePointLandsWhereItIsSent) {
  CrgFile f = arc(0.05, 11);
  f.grid64 = plain().grid64;
  f.modifiers.refpoint_u_fraction = 0.5;
  f.modifiers.refpoint_u_offset = 0.2;
  f.modifiers.refpoint_v = -0.7;
  f.modifiers.refpoint_x = 11;
  f.modifiers.refpoint_y = 12;
  f.modifiers.refpoint_z = 13;
  f.modifiers.refpoint_phi = -2;
  const CrgRoad road = road_of(f), before = road_of(arc(0.05, 11));
  const CrgView c = road.view();
  const CrgXy p = crg_uv_to_xy(c, 2.7, -0.7);
  EXPECT_NEAR(p.x, 11, kEps);
  EXPECT_NEAR(p.y, 12, kEps);
  EXPECT_NEAR(crg_uv_to_z(c, 2.7, -0.7), 13, kEps);
  EXPECT_NEAR(crg_uv_to_pk(c, 2.7, -0.7).phi, -2, kEps);
  for (int i = 1; i < 11; ++i)  // a rigid motion
    EXPECT_NEAR(std::hypot(c.x[i] - c.x[0], c.y[i] - c.y[0]),
                std::hypot(before.x[i] - before.x[0], before.y[i] - before.y[0]), kEps);
}

TEST(Crg, OffsetTurnsAboutACentreAndShifts) {
  CrgFile f = plain();
  f.modifiers.refline_rotcenter_x = 5;
  f.modifiers.refline_rotcenter_y = 0;
  f.modifiers.refline_offset_phi = kPi / 2;
  f.modifiers.refline_offset_x = 1;
  f.modifiers.refline_offset_z = 3;
  const CrgRoad road = road_of(f), before = road_of(plain());
  const CrgXy start = crg_uv_to_xy(road.view(), 0, 0), end = crg_uv_to_xy(road.view(), 5, 0);
  EXPECT_NEAR(start.x, 6, kEps);
  EXPECT_NEAR(start.y, -5, kEps);
  EXPECT_NEAR(end.x, 6, kEps);
  EXPECT_NEAR(end.y, 0, kEps);
  EXPECT_NEAR(crg_uv_to_z(road.view(), 1.3, 0.2), crg_uv_to_z(before.view(), 1.3, 0.2) + 3, kEps);
}

TEST(Crg, Scales) {
  CrgFile f = arc(0.04, 11);
  f.grid64 = plain().grid64;
  f.road.start_phi = 0;
  for (int i = 0; i < 11; ++i) f.slope.push_back(0.1), f.bank.push_back(0.2);
  const CrgRoad before = road_of(f);
  f.modifiers = {2, 3, 4, 5, 6, 0.5};
  const CrgRoad road = road_of(f);
  const CrgView a = before.view(), b = road.view();
  const auto grid = [](const CrgView& c, double u, double v, double slope, double bank) {
    return crg_uv_to_z(c, u, v) - slope * u - bank * v;
  };
  EXPECT_NEAR(grid(b, 5 * 1.3, 6 * 0.4, 0.3, 0.8), 2 * grid(a, 1.3, 0.4, 0.1, 0.2), kEps);
  EXPECT_NEAR(b.u1, 25, kEps);
  EXPECT_NEAR(b.v0, -12, kEps);
  EXPECT_NEAR(crg_uv_to_pk(b, 15, 0).phi, 0.5 * crg_uv_to_pk(a, 3, 0).phi, kEps);
}

TEST(Crg, MissingHeights) {
  CrgFile f = plain();
  for (const std::size_t k : {8, 10, 15}) f.grid64[k] = NAN;  // row 2: right border and v = 0; row 3: left border
  const auto node = [](const CrgFile& file, int i, int j) {
    const CrgRoad road = road_of(file);
    return crg_node(road.view(), i, j);
  };
  EXPECT_TRUE(std::isnan(node(f, 2, 0)));
  f.modifiers.grid_nan_mode = 2;
  f.modifiers.grid_nan_offset = 0.125;
  EXPECT_EQ(node(f, 2, 0), double(float(f.grid64[9] + 0.125)));
  EXPECT_EQ(node(f, 2, 2), double(float(f.grid64[9] + 0.125)));
  EXPECT_EQ(node(f, 2, 3), f.grid64[11]);
  EXPECT_EQ(node(f, 3, 3), double(float(f.grid64[14] + 0.125)));
  f.modifiers.grid_nan_mode = 1;
  EXPECT_EQ(node(f, 2, 0), 0.125);
  EXPECT_EQ(node(f, 3, 3), 0.125);
}

TEST(Crg, GivenEndSpreadsTheErrorOfTheHeadings) {
  CrgFile f = arc(0.02, 101);
  const CrgRoad exact = road_of(f);
  for (double& phi : f.phi) phi = std::round(phi * 1e3) / 1e3 + 4e-4;  // coarse, and off to one side
  f.road.start_phi = 0.01;
  const CrgRoad drift = road_of(f);
  f.road.end_x = exact.x.back();
  f.road.end_y = exact.y.back();
  const CrgRoad tied = road_of(f);
  EXPECT_EQ(tied.x[0], 0);
  EXPECT_EQ(tied.x.back(), exact.x.back());
  EXPECT_EQ(tied.y.back(), exact.y.back());
  double free_error = 0, tied_error = 0;
  for (std::size_t i = 0; i < 101; ++i) {
    free_error = std::max(free_error, std::hypot(drift.x[i] - exact.x[i], drift.y[i] - exact.y[i]));
    tied_error = std::max(tied_error, std::hypot(tied.x[i] - exact.x[i], tied.y[i] - exact.y[i]));
  }
  EXPECT_LT(tied_error, free_error);
}

TEST(Crg, PointsOfTheLineMayBeGiven) {  // columns x, y in place of headings
  const CrgFile f = arc(0.05, 40);
  const CrgRoad by_phi = road_of(f);
  CrgFile g = f;
  g.phi.clear();
  g.x = by_phi.x;
  g.y = by_phi.y;
  const CrgRoad by_points = road_of(g);
  for (const double u : {-1.0, 0.3, 7.7, 21.0}) {
    EXPECT_NEAR(crg_uv_to_xy(by_points.view(), u, 0.6).x, crg_uv_to_xy(by_phi.view(), u, 0.6).x, kEps);
    EXPECT_NEAR(crg_uv_to_xy(by_points.view(), u, 0.6).y, crg_uv_to_xy(by_phi.view(), u, 0.6).y, kEps);
    EXPECT_NEAR(crg_uv_to_pk(by_points.view(), u, 0).phi, crg_uv_to_pk(by_phi.view(), u, 0).phi, kEps);
  }
}

// ------------------------------------------------------------------------------------------------ files

const std::string kText =
    "$CT\nfirst\n$!***\n$ROAD_CRG ! inline\nreference_line_increment = 1.0D0\nLONG_SECTION_V_RIGHT=-1\n"
    "* LONG_SECTION_V_RIGHT = 77\nLONG_SECTION_V_INCREMENT = 1\n$\n$KD_Definition\n#:LRFI\nU:reference line u,m,0,1\n"
    "D:reference line slope,m/m\nD:long section 2,m\nD:long section 1,m ! the right one\nD:Long Section "
    "3,m\n$\n$$$$$$10\n"
    "**unused** 0.9999999 0.1000000*missing* \n 0.0100000       0.5       0.2      -0.3\n\n";

TEST(CrgFileText, ReadsWhatIsThere) {
  Errors errors;
  Warnings warnings;
  const auto f = read_crg(kText, "t.crg", errors, warnings);
  ASSERT_TRUE(f) << errors.lines()[0];
  EXPECT_TRUE(warnings.empty()) << warnings.lines()[0];
  EXPECT_EQ(f->rows, 2u);
  EXPECT_EQ(f->v, (std::vector<double>{-1, 0, 1}));
  EXPECT_EQ(f->slope, (std::vector<double>{0, 0.01}));  // along the line text is read in full
  EXPECT_EQ(f->grid(0), double(0.1f));                  // the grid of a real format has 4-byte numbers
  EXPECT_EQ(f->grid(1), double(0.9999999f));
  EXPECT_TRUE(std::isnan(f->grid(2)));
  EXPECT_EQ(f->grid(5), double(-0.3f));
  EXPECT_EQ(f->comment, std::vector<std::string>{"first"});
  EXPECT_FALSE(f->has_modifiers);
}

std::vector<std::uint64_t> bits_of(const CrgFile& f) {
  std::vector<std::uint64_t> out;
  const auto add = [&](double x) {
    std::uint64_t b;
    std::memcpy(&b, &x, 8);
    out.push_back(x != x ? 1 : b);
  };
  for (const auto* column : {&f.x, &f.y, &f.z, &f.phi, &f.slope, &f.bank, &f.v})
    for (const double each : *column) add(each);
  for (std::size_t k = 0; k < f.rows * f.v.size(); ++k) add(f.grid(k));
  for (const auto& key : crg_parameter_keys()) add(f.road.*(key.member));
  for (const auto& key : crg_option_keys()) add(f.options.*(key.member));
  for (const auto& key : crg_modifier_keys()) add(f.modifiers.*(key.member));
  return out;
}
CrgFile again(const CrgFile& f, CrgFormat format) {
  Errors errors;
  Warnings warnings;
  const auto out = read_crg(crg_text(f, format), "t.crg", errors, warnings);
  EXPECT_TRUE(out) << errors.lines()[0];
  EXPECT_EQ(out ? crg_format_name(out->format) : "", crg_format_name(format));
  return out.value_or(CrgFile{});
}

TEST(CrgFileText, BinaryAndTextHoldTheSameBits) {
  for (const int cuts : {2, 7, 8, 9, 20, 41}) {  // rows that end before, at and behind the end of a record
    CrgFile f;
    f.format = {true, true};
    f.rows = 5;
    f.v_listed = cuts % 2;
    f.road.increment = 0.25;
    f.road.end_u = 1;
    f.road.v_right = -1;
    f.road.v_increment = 0.5;
    f.has_options = f.has_modifiers = true;
    f.options.border_mode_u = 3;
    f.options.others = {{"check_eps", 1e-6}};
    f.modifiers.scale_width = 1.0 / 3;
    Hash h;
    for (int j = 0; j < cuts; ++j) f.v.push_back(-1 + 0.5 * j);
    for (int k = 0; k < 5 * cuts; ++k) f.grid32.push_back(k == 3 ? NAN : float(h(-1, 1)));
    for (int i = 0; i < 5; ++i) f.phi.push_back(double(float(h(-3, 3)))), f.bank.push_back(double(float(h(-1, 1))));
    EXPECT_EQ(crg_format_name(crg_exact_format(f, true)), "KRBI");
    EXPECT_EQ(crg_format_name(crg_exact_format(f, false)), "LDFI");  // 9 digits do not fit into 10 characters
    EXPECT_EQ(bits_of(again(f, {true, true})), bits_of(f));
    EXPECT_EQ(bits_of(again(again(f, {false, false}), {true, true})), bits_of(f));
    EXPECT_EQ(again(f, {true, true}).options.others, f.options.others);
    for (float& z : f.grid32) z = std::round(z * 1e4f) / 1e4f;
    for (double& x : f.phi) x = 0.1;  // no 4-byte number
    f.bank.clear();
    EXPECT_EQ(crg_format_name(crg_exact_format(f, true)), "KDBI");
    EXPECT_EQ(crg_format_name(crg_exact_format(f, false)), "LRFI");
    EXPECT_EQ(bits_of(again(f, {false, true})), bits_of(f));
    EXPECT_EQ(bits_of(again(f, {true, false})), bits_of(f));
  }
}

TEST(CrgFileText, TextKeepsTheDigitsThatFit) {
  CrgFile f = plain();
  Hash h;
  for (double& z : f.grid64) z = h(-1, 1) * std::pow(10, h(-12, 6));
  const CrgFile real = again(f, {false, true}), full = again(f, {false, false});
  for (std::size_t k = 0; k < f.grid64.size(); ++k) {
    const double z = f.grid64[k], size = std::abs(z);
    EXPECT_NEAR(real.grid(k), z, std::max(size * 6e-4, 0.0)) << z;  // -1.23e-12 has 10 characters
    EXPECT_NEAR(full.grid(k), z, size * 6e-13) << z;
  }
}

TEST(CrgFileText, BinaryWithoutAnEndDropsThePadding) {  // KRBI fills the last 80 bytes with NaN
  CrgFile f;
  f.format = {true, true};
  f.rows = 3;
  f.v = {0, 1};
  f.road.increment = 1;
  f.road.v_increment = 1;
  f.road.v_right = 0;
  f.grid32 = {1, 2, 3, 4, 5, 6};
  std::string text = crg_text(f, {true, true});
  EXPECT_EQ((text.size() - text.find("$$$$") - 81) % 80, 0u);
  const std::size_t end = text.find("REFERENCE_LINE_END_U");
  text.erase(end, text.find('\n', end) + 1 - end);
  Errors errors;
  Warnings warnings;
  const auto g = read_crg(text, "t.crg", errors, warnings);
  ASSERT_TRUE(g);
  EXPECT_EQ(g->rows, 3u);
  f.grid32.back() = f.grid32[4] = NAN;  // a last row without any height is a row all the same
  EXPECT_EQ(again(f, {true, true}).rows, 3u);
  f.road.end_u = 20;
  EXPECT_NE(error_of(crg_text(f, {true, true})).find("21 rows of data expected"), std::string::npos);
}

TEST(CrgFileText, ShippedFilesAreSmallAndClean) {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(VDSIM_SOURCE_DIR "/configs/roads")) {
    if (entry.path().extension() != ".crg") continue;
    EXPECT_LT(entry.file_size(), 100'000u);
    shipped(entry.path().filename().string());
    ++count;
  }
  EXPECT_GE(count, 3);
}

TEST(CrgFileText, EveryErrorAtItsPlace) {
  const auto swapped = [](std::string from, const std::string& to) {
    std::string text = kText;
    return text.replace(text.find(from), from.size(), to);
  };
  std::string two = swapped("= 1.0D0", "= x1");
  two.replace(two.find("V_INCREMENT = 1"), 15, "V_INCREMENT");
  const std::string found = error_of(two);
  EXPECT_NE(found.find("t.crg:5:1: reference_line_increment: expected a finite number, not 'x1'"), std::string::npos)
      << found;
  EXPECT_NE(found.find("t.crg:8:1: expected KEY = value"), std::string::npos) << found;
  const auto expect = [&](const std::string& text, const char* part) {
    const std::string all = error_of(text);
    EXPECT_NE(all.find(part), std::string::npos) << part << "\n" << all;
  };
  expect(swapped("= 1.0D0", "= -1"), "t.crg:5:1: reference_line_increment: expected at least 1e-6 m");
  expect(swapped("reference_line_increment = 1.0D0", "* nothing"), "REFERENCE_LINE_INCREMENT is missing");
  expect(swapped("       0.5", "       O.5"), "t.crg:20:11: expected one number in 10 characters, not '       O.5'");
  expect(swapped("      -0.3", ""), "t.crg:20:31: a number of row 2 is missing");
  expect(swapped("#:LRFI", "#:LRFX"), "t.crg:11:1: expected the format LRFI, LDFI, KRBI or KDBI, not 'lrfx'");
  expect(swapped("D:Long Section 3,m", "D:Long Section 4,m"), "t.crg:16:1: long sections must be numbered 1 to 3");
  expect(swapped("D:Long Section 3,m", "D:Long Section at v = 3,m"), "all given by v or all by number");
  expect(swapped("slope,m/m", "slope,%"), "t.crg:13:1: expected the unit m/m of slope");
  expect(swapped("1\n$\n$KD", "1\n$KD"), "block $ROAD_CRG must end with a line '$'");
  expect(swapped("$$$$$$10", "$ end"), "no data");
  expect("", "no data");
  expect("$ROAD_CRG_OPTS\nBORDER_MODE_U = 5\nREFLINE_CONTINUATION = 0.5\n" + kText, "must end");
  expect("$ROAD_CRG_OPTS\nBORDER_MODE_U = 5\n$\n" + kText, "t.crg:2:1: border_mode_u: expected 0, 1, 2, 3 or 4, not 5");
  expect("$ROAD_CRG_MODS\nSCALE_LENGTH = 0\n$\n" + kText, "scale_length: expected a factor above 0");
  expect("$ROAD_CRG_MODS\nREFPOINT_U = 0\nREFPOINT_U_FRACTION = 0\n$\n" + kText, "only one can be");
  expect("$ROAD_CRG_FILE\n/no/such\n file.crg\n$\n",
         "t.crg:4:1: refers to '/no/suchfile.crg', which is neither beside");
  expect("$ROAD_CRG_FILE\n$\n", "names no file");
  expect("$ROAD_CRG_FILE\n $VDSIM_NO_SUCH_NAME/a.crg\n$\n", "environment variable 'VDSIM_NO_SUCH_NAME' is not set");
}

TEST(CrgFileText, WarnsOfWhatIsNotRead) {
  Errors errors;
  Warnings warnings;
  const std::string text = "$ROAD_CRG_OPTS\nBORDER_MOD_U = 3\nBORDER_MODE_V = 3.0+e00\n$\n$MINE\nx\n$\n" + kText;
  const auto f = read_crg(text, "t.crg", errors, warnings);
  ASSERT_TRUE(f);
  EXPECT_EQ(f->options.border_mode_v, 3);
  const auto lines = warnings.lines();
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(lines[0], "t.crg:2:1: border_mod_u: is not known and not read, did you mean 'border_mode_u'?");
  EXPECT_EQ(lines[1], "t.crg:3:1: border_mode_v: '3.0+e00' is read as 3");
  EXPECT_NE(lines[2].find("t.crg:5:1: block $MINE is not known and not read"), std::string::npos);
}

TEST(CrgFileText, AReferenceBringsDataAndTheNearerOptionsWin) {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "vdsim_crg_reference";
  std::filesystem::create_directories(folder);
  const auto write = [&](const char* name, const std::string& text) { std::ofstream(folder / name) << text; };
  write("data.crg",
        "$ROAD_CRG_OPTS\nBORDER_MODE_U = 3\nBORDER_MODE_V = 3\n$\n$ROAD_CRG_MODS\nGRID_NAN_MODE = 1\n$\n" + kText);
  write("own.crg", "$CT\nown\n$\n$ROAD_CRG_FILE ! split\n  da\n  ta.crg\n$\n$ROAD_CRG_OPTS\nBORDER_MODE_U = 4\n$\n");
  write("loop.crg", "$ROAD_CRG_FILE\nloop.crg\n$\n");
  Errors errors;
  Warnings warnings;
  const auto f = read_crg_file((folder / "own.crg").string(), errors, warnings);
  ASSERT_TRUE(f) << errors.lines()[0];
  EXPECT_EQ(f->rows, 2u);
  EXPECT_EQ(f->options.border_mode_u, 4);
  EXPECT_EQ(f->options.border_mode_v, 2);  // the whole block, not key by key
  EXPECT_EQ(f->modifiers.grid_nan_mode, 1);
  write("before.crg", "$ROAD_CRG_OPTS\nBORDER_MODE_U = 1\n$\n$ROAD_CRG_FILE\ndata.crg\n$\n");
  const auto g = read_crg_file((folder / "before.crg").string(), errors, warnings);
  ASSERT_TRUE(g);
  EXPECT_EQ(g->options.border_mode_u, 1);
  EXPECT_EQ(g->options.border_mode_v, 2);
  EXPECT_FALSE(read_crg_file((folder / "loop.crg").string(), errors, warnings));
  EXPECT_NE(errors.lines()[0].find("does a file refer to itself?"), std::string::npos);
  write("lost.crg", "$ROAD_CRG_FILE\n../crg-txt/not_there.crg\n$\n$ROAD_CRG_OPTS\nBORDER_OFFSET_U = 1\n$\n");
  Errors lost;
  EXPECT_FALSE(read_crg_file((folder / "lost.crg").string(), lost, warnings));
  EXPECT_NE(lost.lines()[0].find("not_there.crg"), std::string::npos) << lost.lines()[0];
  std::filesystem::remove_all(folder);
}

// ------------------------------------------------------------------------------------------------ reference

TEST(CrgReference, AgreesWithAsam) {
  const auto tables = reference_files("opencrg", "_ref.csv");
  EXPECT_GE(tables.size(), 8u);
  for (const auto& path : tables) {
    const std::string name = path.filename().string();
    Errors errors;
    Warnings warnings;
    const std::string crg = name.substr(0, name.size() - 8) + ".crg";
    const auto beside = path.parent_path() / crg, below = path.parent_path() / "crg" / crg;
    const auto road = load_crg((std::filesystem::exists(beside) ? beside : below).string(), errors, warnings);
    ASSERT_TRUE(road) << errors.lines()[0];
    const CrgView c = road->view();
    const auto text = read_data(path.string(), {}, errors);
    const auto table = read_table(
        *text, name,
        [](const std::vector<std::string>& names) {
          ColumnRules rules;
          for (const std::string& each : names) rules.push_back(optional_column(each, ""));
          return rules;
        },
        errors);
    ASSERT_TRUE(table);
    ASSERT_GE(table->rows(), 300u) << name;
    for (std::size_t i = 0; i < table->rows(); ++i) {
      const auto at = [&](const char* column) { return table->at(column, i, NAN); };
      const double u = at("u"), v = at("v");
      const CrgXy p = crg_uv_to_xy(c, u, v);
      const CrgHeading h = crg_uv_to_pk(c, u, v);
      const CrgUv back = crg_xy_to_uv(c, p.x, p.y);
      // the tables have 10 digits
      EXPECT_NEAR(p.x, at("x"), 1e-9) << name << " row " << i;
      EXPECT_NEAR(p.y, at("y"), 1e-9) << name << " row " << i;
      EXPECT_NEAR(crg_uv_to_z(c, u, v), at("z"), 6e-10) << name << " row " << i;
      EXPECT_NEAR(h.phi, at("phi"), 1e-9) << name << " row " << i;
      EXPECT_NEAR(h.curvature, at("curv"), 1e-9) << name << " row " << i;
      EXPECT_NEAR(back.u, at("u_back"), 1e-9) << name << " row " << i;
      EXPECT_NEAR(back.v, at("v_back"), 1e-9) << name << " row " << i;
      EXPECT_NEAR(crg_uv_to_z(c, back.u, back.v), at("z_xy"), 6e-10) << name << " row " << i;
      if (HasFailure()) return;
    }
  }
}

}  // namespace
