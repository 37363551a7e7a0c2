// SPDX-License-Identifier: Apache-2.0
// The steering rack alone: equilibrium, stick, energy, order, symmetry, stability.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <vector>

#include "vdsim/core/steering/rack.hpp"

namespace vdsim {
namespace {

constexpr double kLimit = 0.5;  // road-wheel angle of the end stops [rad]

RackParams<double> sedan() { return compile_rack(RackSpec{}, kLimit); }
RackParams<double> without_friction() {
  RackSpec s;
  s.column_friction.friction = 0;
  return compile_rack(s, kLimit);
}
RackParams<double> hands_off() {
  RackSpec s;
  s.column_stiffness = 0;
  return compile_rack(s, kLimit);
}

// Numbers in [-1, 1) from an index.
double noise(std::uint64_t i) {
  i = (i + 1) * 0x9e3779b97f4a7c15u;
  i = (i ^ (i >> 30)) * 0xbf58476d1ce4e5b9u;
  i = (i ^ (i >> 27)) * 0x94d049bb133111ebu;
  return double((i ^ (i >> 31)) >> 11) * 0x1p-52 - 1;
}

using Of = std::function<double(double)>;
struct Drive {  // what acts on the rack over time
  Of hand = [](double) { return 0.0; }, rate = [](double) { return 0.0; }, torque = [](double) { return 0.0; };
};

double adv(double y, double L, double v, double h) {
  const double x = L * h, n = 1 + x * (1. / 2 + x * (1. / 6 + x / 24));
  return (y + v * h * n) / (1 + x * n);
}
double bound(double x) { return 1 / (1 + x * x / 36); }

// x, v by classical RK4, z by the affine rule of the integrator (docs/theory/02_integration.md); returns the mean of
// hand + tire - loss.
double rk4(const RackParams<double>& p, RackState<double>& s, const Drive& u, double t, double h) {
  RackRates<double> d[4];
  double power = 0;
  RackState<double> y = s;
  for (int i = 0; i < 4; ++i) {
    const double at = t + (i == 0 ? 0 : i == 3 ? h : h / 2);
    d[i] = rack_rates(p, y, u.hand(at), u.rate(at), u.torque(at));
    power += (i == 0 || i == 3 ? 1. / 6 : 1. / 3) * (d[i].hand + u.torque(at) * y.v / p.per_rad - d[i].loss);
    if (i == 3) break;
    const double step = i == 2 ? h : h / 2;
    const Affine<double>&a = d[i].z, &a0 = d[0].z;
    const double turn = i == 1 ? h / 4 * (a.L * a0.v - a0.L * a.v) * bound(a.L * h) : 0;
    y = {s.x + step * d[i].dx, s.v + step * d[i].dv, adv(s.z, a.L, a.v - turn, step)};
  }
  const auto mean = [&](auto get) { return (get(d[0]) + 2 * (get(d[1]) + get(d[2])) + get(d[3])) / 6; };
  const double L = mean([](auto&r) { return r.z.L; }), v = mean([](auto&r) { return r.z.v; });
  const double turn = h / 12 * (d[3].z.L * d[0].z.v - d[0].z.L * d[3].z.v) * bound(L * h);
  s = {s.x + h * mean([](auto& r) { return r.dx; }), s.v + h * mean([](auto& r) { return r.dv; }),
       adv(s.z, L, v - turn, h)};
  return power;
}
RackState<double> run(const RackParams<double>& p, RackState<double> s, const Drive& u, double T, double h,
                      const std::function<void(double, const RackState<double>&)>& see = {}) {
  const long n = std::lround(T / h);
  for (long k = 0; k < n; ++k) {
    rk4(p, s, u, double(k) * h, h);
    if (see) see(double(k + 1) * h, s);
  }
  return s;
}

// Spring of the torsion bar against the tires: e = -T/(i K), with the assist in K = (1 + A) c/r^2.
TEST(SteeringRack, SettlesWhereTorsionBarAndTiresBalance) {
  const auto p = without_friction();
  const double T = -200, hand = 0.05;
  const Drive u{[&](double) { return hand; }, [](double) { return 0.0; }, [&](double) { return T; }};
  const auto s = run(p, start_rack(p, hand), u, 0.2, 1e-3);
  const double K = 4 * 80 / (0.0075 * 0.0075);
  EXPECT_NEAR(road_wheel_angle(p, s), hand + T / (0.08 * 0.08 * K),
              1e-14);                       // 0.2 s are 38 time constants: rounding is left
  EXPECT_LT(road_wheel_angle(p, s), hand);  // tires that turn right give less angle
  const auto r = rack_rates(p, s, hand, 0.0, T);
  EXPECT_NEAR(r.torque * 4 / 0.0075, -T / 0.08, 1e-7);  // bar times (1 + assist) carries the rack force
  EXPECT_NEAR(r.dv, 0, 1e-8);
}

// A contact point behind the axis: a force to the left turns the wheels to the right, a moment to the left to the left.
TEST(SteeringRack, CasterTurnsTheWheelBack) {
  const auto p = sedan();
  EXPECT_DOUBLE_EQ(steering_axis_torque(p, 0.0, 1000.0), -30);
  EXPECT_DOUBLE_EQ(steering_axis_torque(p, 12.0, 0.0), 12);
}

// Linear rack: damped swing of a mass between two springs, closed form.
TEST(SteeringRack, SwingsAsADampedOscillator) {
  const auto p = without_friction();
  const double k = p.K, c = p.D + p.damping, a = c / (2 * p.mass), w = std::sqrt(k / p.mass - a * a), x0 = 1e-3;
  EXPECT_LT(std::sqrt(k / p.mass), 1000);  // [1/s] the fastest the rack does
  const auto s = run(p, {x0, 0, 0}, {}, 0.02, 1e-4);
  const double t = 0.02, exact = x0 * std::exp(-a * t) * (std::cos(w * t) + a / w * std::sin(w * t));
  EXPECT_NEAR(s.x, exact, 3e-6 * x0);  // (w h)^5/120 a step, 200 steps: 2.6e-7 of the start amplitude
}

// Below the elastic share nothing slides: under a constant torque with a vibration on top the rack does not creep at
// all.
TEST(SteeringRack, SticksUnderAConstantTorqueForEver) {
  const auto p = hands_off();
  const double kTurn = 20 * std::acos(-1.0);  // 10 Hz: a period is a whole number of steps
  const double most = 120 * 0.08;             // static friction at the steering axes [N m]
  const Drive u{[](double) { return 0.0; }, [](double) { return 0.0; },
                [&](double t) { return most * (0.5 + 0.1 * std::sin(kTurn * t)); }};
  const auto early = run(p, {}, u, 2.0, 1e-3);
  const auto late = run(p, early, u, 2.00, 1e-3);
  EXPECT_GT(early.x, 0.4 * 120 / 1e6);
  EXPECT_LT(early.x, 0.7 * 120 / 1e6);
  EXPECT_NEAR(late.x, early.x,
              1e-9);  // same phase of the vibration; creep would add up over 200 periods
}

TEST(SteeringRack, HoldsBelowStaticFrictionAndLetsGoAbove) {
  const auto p = hands_off();
  const auto at = [&](double share) {
    const Drive u{[](double) { return 0.0; }, [](double) { return 0.0; },
                  [=](double t) { return share * 120 * 0.08 * std::min(1.0, t / 0.5); }};
    return run(p, {}, u, 0.9, 1e-3);
  };
  EXPECT_NEAR(at(0.9).v, 0, 1e-9);
  EXPECT_LT(at(0.9).x, 1.2e-4);
  EXPECT_GT(at(1.1).x, 0.01);  // slides with (1.1 static - slide)/damping
  EXPECT_NEAR(at(1.1).v, (1.1 * 120 - 100) / 800, 2e-3 * 0.04);
}

// Turning slowly, stopping and turning back: the speed of the rack has the sign of the hand or is zero, it does not
// chatter.
TEST(SteeringRack, FollowsASlowHandWithoutChatter) {
  for (const double h : {2.5e-4, 1e-3, 5e-3}) {
    const auto p = sedan();
    const double rate = 0.05;  // [rad/s]
    const Drive u{[&](double t) { return rate * std::min(t, 1.0); }, [&](double t) { return t < 1 ? rate : 0.0; },
                  [](double) { return 0.0; }};
    double slowest = 1, after = 0, back = 0;
    run(p, {}, u, 2, h, [&](double t, const RackState<double>& s) {
      if (t > 0.2 && t < 0.999) slowest = std::min(slowest, s.v);
      if (t > 1.0) back = std::min(back, s.v);
      if (t > 1.2) after = std::max(after, std::abs(s.v));
    });
    EXPECT_NEAR(slowest, rate * 0.08, 0.02 * rate * 0.08) << h;  // settled: no stick-slip in it
    EXPECT_LT(after, 1e-7) << h;                                 // comes to rest
    EXPECT_GT(back, -0.4 * rate * 0.08) << h;                    // one swing of the stopped mass at most
  }
}

// Friction leaves the rack short of the command by at most F/K, on the side it came from: hysteresis of the steering.
TEST(SteeringRack, FrictionIsALostMotionOfItsForceOverTheStiffness) {
  const auto p = sedan();
  const auto end = [&](double from) {
    const Drive u{[=](double t) { return from * std::max(0.0, 1 - t); }, [=](double t) { return t < 1 ? -from : 0.0; },
                  [](double) { return 0.0; }};
    return run(p, start_rack(p, from), u, 3, 1e-3).x;
  };
  const double left = end(0.05), right = end(-0.05);
  EXPECT_EQ(left, -right);
  EXPECT_GT(left, 0);
  EXPECT_LE(left, 120 / p.K);
}

// The loss of friction and dampers is never negative, in any state: dry friction makes no energy.
TEST(SteeringRack, LossIsNeverNegative) {
  const auto p = sedan();
  for (std::uint64_t i = 0; i < 20000; ++i) {
    const double scale = std::pow(10.0, 2 * noise(7 * i + 5) - 1);
    const RackState<double> s{0.04 * noise(7 * i), scale * noise(7 * i + 1), 1.5e-4 * noise(7 * i + 2)};
    const auto r = rack_rates(p, s, 0.5 * noise(7 * i + 3), noise(7 * i + 4), 0.0);
    const double friction_only = r.loss - p.D * std::pow(p.per_rad * noise(7 * i + 4) - s.v, 2) - p.damping * s.v * s.v;
    ASSERT_GE(friction_only, -1e-11 * (std::abs(r.loss) + 100 * std::abs(s.v)))
        << s.v << ' ' << s.z;  // rounding of the sum
  }
}

// E' = hand + tires - loss. The residual is RK4's own error.
TEST(SteeringRack, EnergyBalanceCloses) {
  const auto p = sedan();
  const auto open = [&](double h) {
    const Drive u{[](double t) { return 0.1 * std::sin(6 * t); }, [](double t) { return 0.6 * std::cos(6 * t); },
                  [](double t) { return -150 * std::sin(6 * t - 0.3); }};
    RackState<double> s = start_rack(p, 0.0);
    s.v = 0.048;
    const double e0 = rack_energy(p, s, 0.0);
    double in = 0, moved = 0;
    const long n = std::lround(1 / h);
    for (long k = 0; k < n; ++k) {
      const double w = h * rk4(p, s, u, double(k) * h, h);
      in += w;
      moved += std::abs(w);
    }
    return std::abs(rack_energy(p, s, u.hand(1)) - e0 - in) / moved;
  };
  EXPECT_LT(open(1e-3), 5e-4);  // the friction bristle runs through its length in a millisecond
  EXPECT_LT(open(1e-4), 5e-7);
}

// Sliding all the time, through the Stribeck curve.
TEST(SteeringRack, FourthOrderInSmoothMotion) {
  const auto p = sedan();
  const auto from = [](double t0) {
    return Drive{[=](double t) { return 0.04 * (t + t0) + 0.2 * std::pow(t + t0, 2); },
                 [=](double t) { return 0.04 + 0.4 * (t + t0); },
                 [=](double t) { return -100 * std::cos(9 * (t + t0)); }};
  };
  const auto start = run(p, start_rack(p, 0.0), from(0), 0.1, 1e-5);
  const auto end = [&](double h) { return run(p, start, from(0.1), 0.1, h); };
  const auto a = end(1e-3), b = end(5e-4), c = end(2.5e-4);
  EXPECT_GT(std::log2(std::abs((a.v - b.v) / (b.v - c.v))), 3.7);
  EXPECT_GT(std::log2(std::abs((a.x - b.x) / (b.x - c.x))), 3.7);
}

TEST(SteeringRack, MirrorImageHasTheSameBits) {
  const auto p = sedan();
  RackState<double> l{0.01, 0.02, 5e-5}, r{-0.01, -0.02, -5e-5};
  for (int k = 0; k < 300; ++k) {
    const double hand = 0.3 * noise(std::uint64_t(k)), T = 200 * noise(std::uint64_t(k) + 1000);
    const Drive a{[=](double) { return hand; }, [](double) { return 0.0; }, [=](double) { return T; }};
    const Drive b{[=](double) { return -hand; }, [](double) { return 0.0; }, [=](double) { return -T; }};
    rk4(p, l, a, 0, 1e-3);
    rk4(p, r, b, 0, 1e-3);
    ASSERT_EQ(l.x, -r.x);
    ASSERT_EQ(l.v, -r.v);
    ASSERT_EQ(l.z, -r.z);
  }
}

// End stops: a torque that friction cannot hold pushes the free rack onto the stop, and no further than the stop gives.
TEST(SteeringRack, EndStopsHoldTheFreeRack) {
  const auto p = hands_off();
  const Drive u{[](double) { return 0.0; }, [](double) { return 0.0; },
                [](double t) { return std::min(300 * t, 300.0); }};
  const auto s = run(p, {}, u, 5, 1e-3);
  EXPECT_GT(s.x, p.travel);
  EXPECT_LT(s.x, p.travel + 300 / 0.08 / kRackStop);
  EXPECT_NEAR(s.v, 0, 1e-6);
}

// Backward Euler of the rack: any step is stable, the rest point is that of the true rack, and it converges to it.
TEST(SteeringRack, ImplicitStepIsStableAtAnyStepAndConverges) {
  const auto p = sedan();
  const auto by_euler = [&](double h, double T) {
    RackState<double> s{};
    const long n = std::lround(T / h);
    for (long k = 1; k <= n; ++k) {
      const double t = double(k) * h, hand = 0.1 * std::sin(5 * t);
      s = rack_implicit(p, s, hand, 0.5 * std::cos(5 * t), -1500 * s.x, h);
      EXPECT_LT(std::abs(s.x), 0.02);
      EXPECT_LT(std::abs(s.v), 0.2);
    }
    return s;
  };
  RackState<double> exact{};
  const double h0 = 1e-5;
  for (long k = 0; k < 40000; ++k) {
    const double x = exact.x;
    const Drive u{[](double t) { return 0.1 * std::sin(5 * t); }, [](double t) { return 0.5 * std::cos(5 * t); },
                  [=](double) { return -1500 * x; }};
    rk4(p, exact, u, double(k) * h0, h0);
  }
  const double e10 = std::abs(by_euler(1e-2, 0.4).x - exact.x), e1 = std::abs(by_euler(1e-3, 0.4).x - exact.x);
  EXPECT_LT(e10, 2e-5);  // 0.25 mrad at the road wheel
  EXPECT_LT(e1, 0.25 * e10);
  // rest: the torque within friction holds the rack where it is, whatever the step
  RackState<double> s{};
  for (int k = 0; k < 2000; ++k) s = rack_implicit(p, s, 0.0, 0.0, 5.0, 5e-3);
  const double there = s.x;
  for (int k = 0; k < 2000; ++k) s = rack_implicit(p, s, 0.0, 0.0, 5.0, 5e-3);
  EXPECT_NEAR(s.x, there, 1e-15);
  EXPECT_NEAR(rack_rates(p, s, 0.0, 0.0, 5.0).dv, 0, 1e-8);
}

// One lane of a pack gives the bits of the single car; float agrees to its precision.
TEST(SteeringRack, PackAndFloatAgreeWithDouble) {
  using P = Pack<float, 8, IsaBase>;
  const auto p = sedan();
  RackParams<float> pf;
  RackParams<P> pp;
  const double* from = reinterpret_cast<const double*>(&p);
  for (std::size_t i = 0; i < sizeof p / sizeof(double); ++i) {
    reinterpret_cast<float*>(&pf)[i] = float(from[i]);
    reinterpret_cast<P*>(&pp)[i] = P(from[i]);
  }
  RackState<P> s{P(0.0), P(0.0), P(0.0)};
  for (int i = 0; i < 8; ++i) {
    set_lane(s.x, i, float(0.02 * noise(std::uint64_t(i))));
    set_lane(s.v, i, float(0.1 * noise(std::uint64_t(i) + 50)));
    set_lane(s.z, i, float(1.1e-4 * noise(std::uint64_t(i) + 90)));
  }
  const auto r = rack_rates(pp, s, P(0.1), P(0.2), P(-50.0));
  const auto n = rack_implicit(pp, s, P(0.1), P(0.2), P(-50.0), P(0.005));
  for (int i = 0; i < 8; ++i) {
    const RackState<float> one{lane(s.x, i), lane(s.v, i), lane(s.z, i)};
    const auto q = rack_rates(pf, one, 0.1f, 0.2f, -50.0f);
    const auto m = rack_implicit(pf, one, 0.1f, 0.2f, -50.0f, 0.005f);
    EXPECT_EQ(lane(r.dv, i), q.dv);
    EXPECT_EQ(lane(r.z.L, i), q.z.L);
    EXPECT_EQ(lane(r.loss, i), q.loss);
    EXPECT_EQ(lane(n.x, i), m.x);
    EXPECT_EQ(lane(n.z, i), m.z);
    const auto d = rack_rates(p, RackState<double>{one.x, one.v, one.z}, 0.1, 0.2, -50.0);
    EXPECT_NEAR(q.dv, d.dv, 1e-5 * (std::abs(d.dv) + 8000));  // forces of 2e5 N over 30 kg cancel
  }
}

}  // namespace
}  // namespace vdsim
