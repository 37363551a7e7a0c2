// SPDX-License-Identifier: Apache-2.0
// Laws as constants: the fixed model takes the steps of the open one, to the bit, and is refused for any other car.
#include <gtest/gtest.h>

#include "rolling_rig.hpp"

namespace {
using namespace vdsim;
using namespace laws;

VehicleSpec usual_car() {
  VehicleSpec s;
  each_tire(s, [](TireSpec& t) { t.load_sensitivity = 0.15, t.rolling_resistance = 0.015; });
  s.steering.ackerman_percent = 60;
  return s;
}
RoadSpec plane() {
  RoadSpec r;
  r.grade = 0.08;
  r.bank = 0.03;
  r.mu = 0.9;
  return r;
}

// Accelerate, brake to a stop in a turn, roll back; lanes differ in steer.
template <class R> Inputs<R> commands(double t) {
  const double steer = t < 0.5 ? 0.2 * t : -0.05;
  Inputs<R> u{R(steer), R(t < 0.5 ? 0.6 : 0.0), R(t < 0.5 || t > 2.5 ? 0.0 : 0.8), R(0.0), R(1.0)};
  for (int k = 0; k < lanes<R>; ++k) set_lane(u.steer, k, scalar_t<R>(steer * (1 - 0.1 * k)));
  return u;
}

template <class R, Level Lv> void expect_same_bits(Integrator method, double h) {
  CarRig<R, Lv> open(usual_car(), plane(), 8, method);
  for (int k = 0; k < lanes<R>; ++k) set_lane(open.s.vx, k, scalar_t<R>(8 - 0.9 * k));
  Model<R, Lv, FixedMf96Rolling> fixed;
  ASSERT_TRUE(fix(open.m, fixed));
  State<R, Lv> s = open.s;
  for (int i = 0; i * h < 3; ++i) {
    const Inputs<R> u0 = commands<R>(i * h), u1 = commands<R>((i + 1) * h);
    open.step(u0, u1, h);
    integrate(method, fixed, s, u0, u1, R(h));
    ASSERT_TRUE(same_bits(s, open.s)) << EnumNames<Integrator>::names[std::size_t(method)] << " L" << 1 + int(Lv)
                                      << " step " << i;
  }
  EXPECT_TRUE(all(finite(s)));
  EXPECT_LT(double(lane(s.vx, 0)), 1);  // the run came to its interesting part, standstill on a slope
}

TEST(FixedLaws, SameBitsAsTheOpenModel) {
  for (const Integrator method : {Integrator::rk4, Integrator::implicit, Integrator::euler}) {
    const double h = method == Integrator::implicit ? 5e-3 : 1e-3;
    expect_same_bits<double, Level::L2>(method, h);
    expect_same_bits<float, Level::L2>(method, h);
    expect_same_bits<Pack<double, 4>, Level::L2>(method, h);
    expect_same_bits<Pack<float, 8>, Level::L2>(method, h);
    expect_same_bits<double, Level::L1>(method, h);
    expect_same_bits<double, Level::L3>(method, h);
    expect_same_bits<double, Level::L5>(method, h);
  }
}

TEST(FixedLaws, OtherCarsAreRefused) {
  const auto fixes = [](const VehicleSpec& s, const RoadSpec& r) {
    Model<double, Level::L2, FixedMf96Rolling> fixed;
    return fix(compile<Level::L2>(s, r), fixed);
  };
  EXPECT_TRUE(fixes(usual_car(), plane()));
  VehicleSpec s = usual_car();
  s.tire_rr.lugre.enabled = false;  // one tire is enough
  EXPECT_FALSE(fixes(s, plane()));
  s = usual_car();
  s.tire_fl.lugre.law = LugreLaw::breakaway;
  EXPECT_FALSE(fixes(s, plane()));
  s = usual_car();
  s.tire_fr.backend = TireBackend::linear;
  EXPECT_FALSE(fixes(s, plane()));
  s = usual_car();
  s.tire_rl.camber_stiffness = 0.5;  // wheels of L2 stand upright: it says nothing
  EXPECT_TRUE(fixes(s, plane()));
  s = usual_car();
  s.drivetrain.differential = Differential::LSD;
  EXPECT_FALSE(fixes(s, plane()));
  s = usual_car();
  s.steering.rack.steering_dynamic = true;
  EXPECT_FALSE(fixes(s, plane()));
  RoadSpec split = plane();
  split.split_mu.mu_left = 0.3, split.split_mu.mu_right = 0.9;
  EXPECT_FALSE(fixes(usual_car(), split));
  RoadSpec waves = plane();
  waves.rough_amp = 0.01;
  EXPECT_FALSE(fixes(usual_car(), waves));
}

// Parameters of laws that a car does not have take no room; in an open model they lie in a union.
TEST(FixedLaws, Size) {
  EXPECT_LE(sizeof(Model<double, Level::L2, FixedMf96Rolling>), 4096u);
  EXPECT_LT(sizeof(TireParams<double>), sizeof(TirTireParams<double>) + sizeof(RallyParams<double>));
}

}  // namespace
