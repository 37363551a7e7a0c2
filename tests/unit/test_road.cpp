// SPDX-License-Identifier: Apache-2.0
// The road plane and its friction map against closed forms.
#include "vdsim/core/road/road.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace {

using namespace vdsim;
constexpr double g = 9.80665;

double mu_at(const RoadSpec& s, double x, double y) {
  Ground<double> ground{};
  return road_mu(road_kind(s), RoadData{}, compile_road(s), x, y, ground);
}

RoadPatchSpec polygon(std::vector<std::array<double, 2>> corners, double mu, double edge = 1e-3, bool reverse = false) {
  RoadPatchSpec p;
  p.mu = mu, p.edge = edge, p.count = int(corners.size());
  for (int i = 0; i < p.count; ++i) p.polygon[i] = corners[reverse ? p.count - 1 - i : i];
  return p;
}
RoadSpec with(std::vector<RoadPatchSpec> patches, double mu = 1) {
  RoadSpec s;
  s.mu = mu, s.patch_count = int(patches.size());
  for (int i = 0; i < s.patch_count; ++i) s.patches[i] = patches[i];
  return s;
}

}  // namespace

// Gravity on the plane z = G x + B y, by vectors: n = (-G, -B, 1)/N, e_x = (1, 0, G)/S, e_y = n x e_x.
TEST(Road, GravityComponents) {
  for (double G : {0.0, 0.08, -0.3, 1.2})
    for (double B : {0.0, 0.2, -0.1, -0.9}) {
      SCOPED_TRACE(testing::Message() << "grade " << G << " bank " << B);
      RoadSpec s;
      s.grade = G, s.bank = B;
      const Road<double> r = compile_road(s);
      const double N = std::sqrt(1 + G * G + B * B), S = std::hypot(1, G);
      const double n[3] = {-G / N, -B / N, 1 / N}, ex[3] = {1 / S, 0, G / S};
      const double ey_z = n[0] * ex[1] - n[1] * ex[0];
      EXPECT_NEAR(r.gx, -g * ex[2], 1e-14 * g);
      EXPECT_NEAR(r.gy, -g * ey_z, 1e-14 * g);
      EXPECT_NEAR(r.gn, g * n[2], 1e-14 * g);
      EXPECT_NEAR(std::sqrt(r.gx * r.gx + r.gy * r.gy + r.gn * r.gn), g, 1e-14 * g);
    }
}

TEST(Road, GradeClimbsForwardBankRisesLeft) {
  RoadSpec s;
  s.grade = 0.08;
  EXPECT_NEAR(compile_road(s).gx, -g * std::sin(std::atan(0.08)), 1e-14);  // pulls back
  EXPECT_EQ(compile_road(s).gy, 0);
  s.grade = 0, s.bank = 0.2;
  EXPECT_NEAR(compile_road(s).gy, -g * std::sin(std::atan(0.2)), 1e-14);  // pulls right
  EXPECT_NEAR(compile_road(s).gn, g * std::cos(std::atan(0.2)), 1e-14);
}

TEST(Road, FlatIsUniform) {
  RoadSpec s;
  s.mu = 0.7;
  for (double x : {-1e4, 0.0, 3.0}) EXPECT_EQ(mu_at(s, x, -x), 0.7);
  EXPECT_EQ(compile_road(s).gn, g);
}

TEST(Road, SplitMuEdge) {
  RoadSpec s;
  s.split_mu = {0.9, 0.2, 1.5, 0.4};
  // exact outside the edge, whatever x is; left (y above the line) is mu_left
  for (double x : {-100.0, 0.0, 7.0}) {
    EXPECT_DOUBLE_EQ(mu_at(s, x, 1.5 + 0.2 + 1e-9), 0.9);
    EXPECT_DOUBLE_EQ(mu_at(s, x, 50), 0.9);
    EXPECT_DOUBLE_EQ(mu_at(s, x, 1.5 - 0.2 - 1e-9), 0.2);
    EXPECT_DOUBLE_EQ(mu_at(s, x, -50), 0.2);
    EXPECT_NEAR(mu_at(s, x, 1.5), 0.55, 1e-15);
  }
  // monotone, odd about the middle, and smooth: no slope and no curvature where it begins and ends
  double last = 0;
  for (int i = 0; i <= 400; ++i) {
    const double y = 1.3 + 0.001 * i, m = mu_at(s, 0, y);
    EXPECT_GE(m, last - 1e-14);
    EXPECT_NEAR(m + mu_at(s, 0, 3.0 - y), 1.1, 1e-14);
    last = m;
  }
  for (double end : {1.3, 1.7}) {
    const double h = 1e-4, in = end < 1.5 ? h : -h;
    EXPECT_LT(std::fabs(mu_at(s, 0, end + in) - mu_at(s, 0, end)), 0.7 * 11 * std::pow(h / 0.4, 3));  // cubic contact
  }
}

// Convex and concave polygons in both senses of rotation: 1 inside, 0 outside, 1/2 on the edge.
TEST(Road, PolygonPatches) {
  const std::vector<std::array<double, 2>> square{{0, 0}, {4, 0}, {4, 2}, {0, 2}};
  const std::vector<std::array<double, 2>> triangle{{0, 0}, {3, 0}, {0, 3}};
  const std::vector<std::array<double, 2>> L{{0, 0}, {4, 0}, {4, 1}, {1, 1}, {1, 4}, {0, 4}};  // concave
  const std::vector<std::array<double, 2>> U{{0, 0}, {5, 0}, {5, 4}, {4, 4}, {4, 1}, {1, 1}, {1, 4}, {0, 4}};
  for (bool reverse : {false, true}) {
    SCOPED_TRACE(reverse ? "clockwise" : "counter-clockwise");
    const auto mu = [&](const auto& c, double x, double y) {
      return mu_at(with({polygon(c, 0.3, 1e-3, reverse)}), x, y);
    };
    for (auto [x, y] : {std::pair{2.0, 1.0}, {0.1, 0.1}, {3.9, 1.9}, {0.01, 1.99}})
      EXPECT_DOUBLE_EQ(mu(square, x, y), 0.3) << x << " " << y;
    for (auto [x, y] :
         {std::pair{-0.1, 1.0}, {4.1, 1.0}, {2.0, 2.1}, {2.0, -0.1}, {-1.0, 0.0}, {5.0, 2.0}, {-1.0, 2.0}, {9.0, 0.0}})
      EXPECT_EQ(mu(square, x, y), 1.0) << x << " " << y;
    EXPECT_NEAR(mu(square, 4.0, 1.0), 0.65, 1e-12);
    EXPECT_NEAR(mu(triangle, 1.5, 1.5), 0.65, 1e-9);
    EXPECT_DOUBLE_EQ(mu(triangle, 1.4, 1.4), 0.3);
    EXPECT_EQ(mu(triangle, 1.6, 1.6), 1.0);
    EXPECT_DOUBLE_EQ(mu(L, 0.5, 3.0), 0.3);
    EXPECT_DOUBLE_EQ(mu(L, 3.0, 0.5), 0.3);
    EXPECT_EQ(mu(L, 2.0, 2.0), 1.0);   // in the notch
    EXPECT_EQ(mu(L, -1.0, 1.0), 1.0);  // a ray along an edge
    EXPECT_EQ(mu(L, 5.0, 1.0), 1.0);
    EXPECT_DOUBLE_EQ(mu(U, 0.5, 3.0), 0.3);
    EXPECT_DOUBLE_EQ(mu(U, 4.5, 3.0), 0.3);
    EXPECT_EQ(mu(U, 2.5, 3.0), 1.0);  // between the arms
    EXPECT_DOUBLE_EQ(mu(U, 2.5, 0.5), 0.3);
  }
  // area by counting agrees with the polygon: a wrong crossing rule shows here
  const RoadSpec s = with({polygon(U, 0, 1e-6)});
  int inside = 0;
  for (int i = 0; i < 600; ++i)
    for (int k = 0; k < 500; ++k) inside += mu_at(s, -0.5 + (i + 0.5) * 0.01, -0.5 + (k + 0.5) * 0.01) < 0.5;
  EXPECT_NEAR(inside * 1e-4, 5 * 4 - 3 * 3, 1e-9);
}

TEST(Road, PatchEdgeIsSmoothAndMonotone) {
  const RoadSpec s = with({polygon({{0, -10}, {10, -10}, {10, 10}, {0, 10}}, 0.2, 0.5)});
  double last = 1;
  for (int i = 0; i <= 700; ++i) {
    const double x = -0.35 + 0.001 * i, m = mu_at(s, x, 0);
    EXPECT_LE(m, last + 1e-14);
    last = m;
    if (x <= -0.25) {
      EXPECT_EQ(m, 1);
    }
    if (x >= 0.25) {
      EXPECT_DOUBLE_EQ(m, 0.2);
    }
    EXPECT_NEAR(m + mu_at(s, -x, 0), 1.2, 1e-12);
  }
  EXPECT_NEAR(mu_at(s, 0, 0), 0.6, 1e-15);
}

TEST(Road, LastPatchWins) {
  const auto square = [](double c, double mu) {
    return polygon({{c - 1, -1}, {c + 1, -1}, {c + 1, 1}, {c - 1, 1}}, mu);
  };
  const RoadSpec s = with({square(0, 0.3), square(0.5, 0.7)});
  EXPECT_NEAR(mu_at(s, 0.0, 0), 0.7, 1e-15);   // both
  EXPECT_NEAR(mu_at(s, -0.8, 0), 0.3, 1e-15);  // first only
  EXPECT_NEAR(mu_at(s, 1.3, 0), 0.7, 1e-15);   // second only
  EXPECT_EQ(mu_at(s, 3, 0), 1);
  const RoadSpec t = with({square(0.5, 0.7), square(0, 0.3)});
  EXPECT_NEAR(mu_at(t, 0.0, 0), 0.3, 1e-15);
  // a patch lies on top of the split
  RoadSpec u = with({square(0, 0.05)});
  u.split_mu = {0.9, 0.4, 0, 0.1};
  EXPECT_NEAR(mu_at(u, 0, 0.5), 0.05, 1e-15);
  EXPECT_DOUBLE_EQ(mu_at(u, 5, 0.5), 0.9);
  EXPECT_DOUBLE_EQ(mu_at(u, 5, -0.5), 0.4);
}

TEST(Road, EightPatchesOfSixteenCorners) {
  std::vector<RoadPatchSpec> all;
  for (int k = 0; k < kMaxPatches; ++k) {
    std::vector<std::array<double, 2>> c;
    for (int i = 0; i < kMaxVertices; ++i)
      c.push_back({10 * k + std::cos(2 * M_PI * i / kMaxVertices), std::sin(2 * M_PI * i / kMaxVertices)});
    all.push_back(polygon(c, 0.1 * (k + 1)));
  }
  const RoadSpec s = with(all);
  for (int k = 0; k < kMaxPatches; ++k) {
    EXPECT_NEAR(mu_at(s, 10 * k + 0.9, 0), 0.1 * (k + 1), 1e-14);
    EXPECT_EQ(mu_at(s, 10 * k + 1.1, 0), 1);
    EXPECT_EQ(mu_at(s, 10 * k + 0.99 * std::cos(M_PI / 16), 0.99 * std::sin(M_PI / 16)),
              1);  // beyond the chord, inside the circle
  }
}
