// SPDX-License-Identifier: Apache-2.0
// A tire on a hub that the caller moves through space.  [T09.2], [T09.8]
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <string>

#include <vdsim.hpp>

extern std::atomic<long> g_allocations;  // tests/count_allocations.hpp, in test_c_calls.cpp

namespace {

namespace vd = vdsim::abi;
using V = std::array<double, 3>;

vd::Tire tire(const char* part = "tire.lugre_on") {
  static const vd::Catalog catalog(VDSIM_SOURCE_DIR "/configs");
  return vd::Tire(vd::Spec(catalog, VDSIM_PART, part));
}

V cross(const V& a, const V& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
double dot(const V& a, const V& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

// About a unit axis.
V turned(const V& v, const V& axis, double angle) {
  const V c = cross(axis, v);
  V out;
  for (int i = 0; i < 3; ++i)
    out[i] = v[i] * std::cos(angle) + c[i] * std::sin(angle) + axis[i] * dot(axis, v) * (1 - std::cos(angle));
  return out;
}

constexpr double kHeight = 0.30, kSpeed = 20;

// Rolls along x with 2 % of slip, a slip angle and a camber, on a road z = 0.
vdsim_sti rolling(double slip_angle = 0.03, double camber = 0.02) {
  vdsim_sti s = VDSIM_STI_INIT;
  const V ahead = turned({1, 0, 0}, {0, 0, 1}, slip_angle);
  const V left = turned(turned({0, 1, 0}, {0, 0, 1}, slip_angle), ahead, camber), up = cross(ahead, left);
  const V v{kSpeed, 0, 0};
  for (int i = 0; i < 3; ++i) s.tramat[i] = ahead[i], s.tramat[3 + i] = left[i], s.tramat[6 + i] = up[i];
  s.dis[2] = kHeight;
  s.vel[0] = dot(v, ahead), s.vel[1] = dot(v, left), s.vel[2] = dot(v, up);
  s.omegar = 1.02 * kSpeed / kHeight;
  return s;
}

struct Plane {
  V through, n;
  double mu;
};
int on_plane(void* user, double, double x, double y, vdsim_road_spot* spot) {
  const Plane& p = *static_cast<Plane*>(user);
  spot->z = p.through[2] - (p.n[0] * (x - p.through[0]) + p.n[1] * (y - p.through[1])) / p.n[2];
  std::copy(p.n.begin(), p.n.end(), spot->normal);
  spot->mu = p.mu;
  return 0;
}

void moved(vdsim_sti& s, double time) {
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k) s.dis[i] += s.tramat[3 * k + i] * s.vel[k] * (time - s.time);
  s.time = time;
}

}  // namespace

// Upright: the load is that of the spring, the rest that of the rig with the same motion, to the bit.
TEST(Sti, UprightWheelIsTheWheelOfTheRig) {
  for (const char* part : {"tire.lugre_on", "tire.default_pacejka", "tire.rally", "tire.book_205_60R15"}) {
    vd::Tire hub = tire(part), rig = tire(part);
    vdsim_sti s = rolling(0.03, 0);
    ASSERT_EQ(vdsim_tire_sti(hub.get(), &s), 0) << vdsim_error();
    vdsim_rig_input in = VDSIM_RIG_INPUT_INIT, now = in;
    in.omega = s.omegar, in.vx = s.varinf[9], in.vy = s.varinf[10], in.fz = s.varinf[2];
    in.gamma = s.varinf[8];
    EXPECT_NEAR(in.vx, kSpeed * std::cos(0.03), 1e-12);
    EXPECT_NEAR(in.vy, -kSpeed * std::sin(0.03), 1e-12);
    EXPECT_EQ(in.gamma, 0);
    EXPECT_GT(in.fz, 1000) << part;
    rig.start(in);
    for (int i = 1; i <= 50; ++i) {
      const double t = 1e-3 * i;
      s.jobflg = VDSIM_STI_STEP, s.omegar = (1.02 - 0.002 * i) * kSpeed / kHeight;
      moved(s, t);
      ASSERT_EQ(vdsim_tire_sti(hub.get(), &s), 0) << vdsim_error();
      now = in, now.omega = s.omegar;
      const vdsim_rig_output o = rig.step(in, now, 1e-3 * i - 1e-3 * (i - 1));
      in = now;
      const double expected[] = {o.fx, o.fy, o.fz, o.mx, o.my, o.mz, o.kappa, o.alpha};
      for (int k = 0; k < 8; ++k) EXPECT_EQ(s.varinf[k], expected[k]) << part << " " << k << " " << i;
      // upright: axes of the wheel and of the contact are the same, the lever is the loaded radius
      EXPECT_NEAR(s.force[0], o.fx, 1e-9);
      EXPECT_NEAR(s.force[1], o.fy, 1e-9);
      EXPECT_NEAR(s.force[2], o.fz, 1e-9);
      EXPECT_NEAR(s.torque[0], o.mx + kHeight * o.fy, 1e-8);
      EXPECT_NEAR(s.torque[1], o.my - kHeight * o.fx, 1e-8);
      EXPECT_NEAR(s.torque[2], o.mz, 1e-8);
    }
  }
}

TEST(Sti, LoadIsThatOfTheSpring) {
  vd::Tire t = tire();
  vdsim_sti s = VDSIM_STI_INIT;
  double load[3];
  for (int i = 0; i < 3; ++i) {
    s.dis[2] = kHeight - 0.002 * i;
    ASSERT_EQ(vdsim_tire_sti(t.get(), &s), 0) << vdsim_error();
    load[i] = s.force[2];
  }
  EXPECT_NEAR(load[2] - load[1], load[1] - load[0], 1e-9 * load[0]);
  const double k = (load[1] - load[0]) / 0.002;
  EXPECT_NEAR(load[0], k * s.varinf[11] - k * 0.004, 1e-6 * load[0]);
  s.vel[2] = -0.5, s.wheel_mass = 40;  // it goes down: the damper adds
  ASSERT_EQ(vdsim_tire_sti(t.get(), &s), 0) << vdsim_error();
  EXPECT_GT(s.force[2], load[2] + 50);
  s.dis[2] = 1;  // in the air
  ASSERT_EQ(vdsim_tire_sti(t.get(), &s), 0) << vdsim_error();
  for (int i = 0; i < 3; ++i) EXPECT_EQ(s.force[i], 0);
}

// The contact point lies below the centre: a carrier that rolls or pitches moves it.
TEST(Sti, ATurningCarrierMovesTheContactPoint) {
  vd::Tire t = tire();
  vdsim_sti s = rolling(0, 0);
  s.omega[0] = 0.3, s.omega[1] = 0.2, s.omega[2] = 0.5;
  t.sti(s);
  EXPECT_NEAR(s.varinf[9], kSpeed - 0.2 * kHeight, 1e-12);
  EXPECT_NEAR(s.varinf[10], 0.3 * kHeight, 1e-12);
}

// On a round hill of 10 m the distance to the road is that along its radius.
TEST(Sti, CurvedRoadIsMetAtTheFootOfTheHub) {
  vd::Tire t = tire();
  vdsim_sti s = rolling(0, 0);
  s.road = [](void*, double, double x, double y, vdsim_road_spot* spot) {
    spot->z = std::sqrt(100 - x * x - y * y) - 10;
    spot->normal[0] = x, spot->normal[1] = y, spot->normal[2] = spot->z + 10;
    return 0;
  };
  s.dis[0] = 3, s.dis[2] = std::sqrt(91) - 10 + 0.31;
  t.sti(s);
  const double gap = std::hypot(3, std::sqrt(91) + 0.31) - 10, upright = s.varinf[11] + gap;
  s.dis[0] = 0, s.dis[2] = 0.3;
  t.sti(s);
  EXPECT_NEAR(upright, s.varinf[11] + 0.3, 1e-6);
}

// Road and wheel turned and moved together: the forces in the axes of the carrier stay.
TEST(Sti, TurningTheWorldChangesNothing) {
  for (const double angle : {0.4, -1.1}) {
    const V axis{0.48, -0.6, 0.64}, shift{30, -20, 5};
    vd::Tire a = tire(), b = tire();
    vdsim_sti s = rolling();
    Plane flat{{0, 0, 0}, {0, 0, 1}, 0.8}, tilted{shift, turned({0, 0, 1}, axis, angle), 0.8};
    s.road = on_plane, s.user = &flat;
    for (int i = 0; i <= 100; ++i) {
      s.jobflg = i == 0 ? VDSIM_STI_START : VDSIM_STI_STEP;
      s.omegar = (1.02 - 0.003 * i) * kSpeed / kHeight;
      moved(s, 2e-3 * i);
      ASSERT_EQ(vdsim_tire_sti(a.get(), &s), 0) << vdsim_error();
      vdsim_sti w = s;
      w.user = &tilted;
      const V at = turned({s.dis[0], s.dis[1], s.dis[2]}, axis, angle);
      for (int k = 0; k < 3; ++k) {
        w.dis[k] = at[k] + shift[k];
        const V e = turned({s.tramat[3 * k], s.tramat[3 * k + 1], s.tramat[3 * k + 2]}, axis, angle);
        std::copy(e.begin(), e.end(), w.tramat + 3 * k);
      }
      ASSERT_EQ(vdsim_tire_sti(b.get(), &w), 0) << vdsim_error();
      for (int k = 0; k < 3; ++k) {
        EXPECT_NEAR(w.force[k], s.force[k], 1e-6) << i;
        EXPECT_NEAR(w.torque[k], s.torque[k], 1e-6) << i;
      }
    }
    EXPECT_LT(s.force[0], -1000);  // it brakes by now
    EXPECT_GT(std::abs(s.force[1]), 100);
  }
}

TEST(Sti, TryKeepsNothingAndNothingAllocates) {
  vd::Tire t = tire();
  vdsim_sti s = rolling();
  ASSERT_EQ(vdsim_tire_sti(t.get(), &s), 0);
  const vd::Snapshot before = t.snapshot();
  moved(s, 0.01);
  s.jobflg = VDSIM_STI_TRY;
  vdsim_sti again = s;
  ASSERT_EQ(vdsim_tire_sti(t.get(), &s), 0);
  EXPECT_EQ(t.snapshot(), before);
  again.jobflg = VDSIM_STI_STEP;
  const long allocated = g_allocations;
  ASSERT_EQ(vdsim_tire_sti(t.get(), &again), 0);
  EXPECT_EQ(g_allocations, allocated);
  EXPECT_TRUE(std::equal(s.force, s.force + 3, again.force));
  EXPECT_NE(t.snapshot(), before);
  t.restore(before);
  ASSERT_EQ(vdsim_tire_sti(t.get(), &again), 0);
  EXPECT_TRUE(std::equal(s.force, s.force + 3, again.force));
}

TEST(Sti, BadCallsAreRefusedAndChangeNothing) {
  vd::Tire t = tire(), fresh = tire();
  vdsim_sti s = rolling();
  s.time = 1;
  ASSERT_EQ(vdsim_tire_sti(t.get(), &s), 0);
  const vd::Snapshot before = t.snapshot();
  const auto refused = [&](vd::Tire& on, vdsim_sti bad, int status, const char* word) {
    EXPECT_EQ(vdsim_tire_sti(on.get(), &bad), status) << word;
    EXPECT_NE(std::string(vdsim_error()).find(word), std::string::npos) << vdsim_error();
  };
  vdsim_sti bad = s;
  bad.jobflg = VDSIM_STI_STEP;
  refused(fresh, bad, 5, "VDSIM_STI_START");
  bad.time = 0.5;
  refused(t, bad, 2, "before that of the last call");
  bad = s, bad.jobflg = 7;
  refused(t, bad, 2, "jobflg");
  bad = s, bad.tramat[0] = 2;
  refused(t, bad, 2, "tramat");
  bad = s, bad.tramat[3] = -bad.tramat[3], bad.tramat[4] = -bad.tramat[4], bad.tramat[5] = -bad.tramat[5];
  refused(t, bad, 2, "tramat");  // left-handed
  bad = s, bad.vel[1] = NAN, bad.omegar = INFINITY, bad.pressure = -1, bad.wheel_mass = -1, bad.time = NAN;
  refused(t, bad, 2, "wheel_mass");
  EXPECT_EQ(vdsim_error_count(), 5u);
  bad = s, bad.size = 16;
  refused(t, bad, 5, "size");
  bad = s, bad.road = [](void*, double, double, double, vdsim_road_spot*) { return 1; };
  refused(t, bad, 2, "no road there");
  bad = s, bad.road = [](void*, double, double, double, vdsim_road_spot* spot) {
    spot->normal[2] = 0;
    return 0;
  };
  refused(t, bad, 2, "normal");
  EXPECT_EQ(vdsim_tire_sti(nullptr, &s), 5);
  EXPECT_EQ(vdsim_tire_sti(t.get(), nullptr), 5);
  EXPECT_EQ(t.snapshot(), before);
}
