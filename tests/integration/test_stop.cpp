// SPDX-License-Identifier: Apache-2.0
// Rolling law: braking to a stop while steering ends at rest, for every step size, brake force and bristle stiffness.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>

#include "tests/integration/cars.hpp"

using namespace cars;

namespace {

struct Stop {
  double t_stop = -1, speed_2s = 0, Fz_2s = 0;  // speed and load ripple from 2 s after the stop on
  int flips_1s = 0;                             // sign changes of any Fx above 1 N from 1 s after the stop on
  bool ok = false;
};

Stop brake_to_stop(const VehicleSpec& s, Level level, Integrator method, double steer, double brake, double dt) {
  Stop out;
  const Commands c{.steer = steer, .brake = brake};
  Car sim(s, flat(), level, method, {.vx0 = 10});
  double last[4] = {}, Fz[4] = {};
  bool have = false;
  const long n = std::lround(9 / dt);
  for (long i = 1; i <= n; ++i) {
    if (!sim.step(c, dt)) return out;
    const double t = i * dt;
    if (out.t_stop < 0) {
      if (sim.vx() <= 0) out.t_stop = t;
      continue;
    }
    if (t > out.t_stop + 3) break;
    if (t < out.t_stop + 1) continue;
    const CarOutputs o = sim.outputs(c);
    for (int w = 0; w < o.wheels; ++w) {
      const double F = o.wheel[w].fx;
      if (std::fabs(F) > 1) {
        out.flips_1s += F * last[w] < 0;
        last[w] = F;
      }
    }
    if (t >= out.t_stop + 2) {
      out.speed_2s = std::max({out.speed_2s, std::hypot(o.vx, o.vy), std::fabs(o.r)});
      for (int w = 0; w < o.wheels; ++w) {
        if (have)
          out.Fz_2s = std::max(out.Fz_2s, std::fabs(o.wheel[w].fz - Fz[w]));
        else
          Fz[w] = o.wheel[w].fz;
      }
      have = true;
    }
  }
  out.ok = have;
  return out;
}

struct Scheme {
  Integrator method;
  double dt;
};
constexpr Scheme kSchemes[] = {{Integrator::rk4, 5e-4},     {Integrator::rk4, 1e-3}, {Integrator::rk4, 2e-3},
                               {Integrator::rk4, 5e-3},     {Integrator::rk4, 1e-2}, {Integrator::implicit, 5e-3},
                               {Integrator::implicit, 1e-2}};

void expect_clean_stops(Level level, double sigma0) {
  double worst = 0, ripple = 0, reference = 0;
  for (double steer : {0.1, 0.2})
    for (double brake : {0.3, 0.6, 1.0})
      for (const Scheme& k : kSchemes) {
        SCOPED_TRACE(testing::Message() << name(level) << " sigma0 " << sigma0 << " steer " << steer << " brake "
                                        << brake << " " << name(k.method) << " " << k.dt);
        const Stop s = brake_to_stop(with_sigma0(sedan(), sigma0), level, k.method, steer, brake, k.dt);
        ASSERT_TRUE(s.ok);
        EXPECT_LT(s.speed_2s, 1e-6);
        EXPECT_EQ(s.flips_1s, 0);
        EXPECT_LT(s.Fz_2s, 1e-3);
        if (k.dt == 5e-4) reference = s.t_stop;
        EXPECT_NEAR(s.t_stop, reference, 0.02 * reference + k.dt);  // the same stop at every step size
        worst = std::max(worst, s.speed_2s);
        ripple = std::max(ripple, s.Fz_2s);
      }
  std::printf("[ measured ] %s sigma0 %.0e: largest speed 2 s after the stop %.2e m/s, load ripple %.2e N\n",
              name(level), sigma0, worst, ripple);
}

}  // namespace

TEST(BrakeToStop, BicycleSoftBristles) { expect_clean_stops(Level::L1, 9e4); }
TEST(BrakeToStop, BicycleDefaultBristles) { expect_clean_stops(Level::L1, 3e5); }
TEST(BrakeToStop, BicycleStiffBristles) { expect_clean_stops(Level::L1, 1e6); }
TEST(BrakeToStop, SevenDofSoftBristles) { expect_clean_stops(Level::L2, 9e4); }
TEST(BrakeToStop, SevenDofDefaultBristles) { expect_clean_stops(Level::L2, 3e5); }
TEST(BrakeToStop, SevenDofStiffBristles) { expect_clean_stops(Level::L2, 1e6); }

// Only the sideways slope moves a car whose driver brakes it to a stop on one: it must stay where it stopped.
TEST(BrakeToStop, StaysStoppedOnASideSlope) {
  for (Level level : {Level::L1, Level::L2}) {
    SCOPED_TRACE(name(level));
    const Commands c{.steer = 0.1, .brake = 0.6};
    Car sim(sedan(), slope(0, 0.1), level, Integrator::rk4, {.vx0 = 10});
    ASSERT_TRUE(run(sim, c, 6, 1e-3));
    const CarOutputs a = sim.outputs(c);
    ASSERT_TRUE(run(sim, c, 10, 1e-3));
    const CarOutputs b = sim.outputs(c);
    EXPECT_LT(std::hypot(b.x - a.x, b.y - a.y), 1e-9);
    EXPECT_LT(std::hypot(b.vx, b.vy), 1e-9);
  }
}
