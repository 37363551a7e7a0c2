// SPDX-License-Identifier: Apache-2.0
// What fast numerics (FMA, float) promise: not the bits of `exact`, but its cars within stated bounds, the same symmetry
// up to rounding, and a braked car that stands still. The reference is the exact kernel of one car in double.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "vdsim/engine/batch/kernels.hpp"
#include "vdsim/engine/energy.hpp"

namespace vdsim {
namespace {

constexpr double kStep = 1e-3;

VehicleSpec car_spec() {
  VehicleSpec car;
  for (TireSpec* t : {&car.tire_fl, &car.tire_fr, &car.tire_rl, &car.tire_rr}) {
    t->lugre.enabled = true;
    t->lugre.law = LugreLaw::rolling;
    t->load_sensitivity = 0.1;
  }
  return car;
}

// VDSIM_RESIDUALS=1 prints what was measured, next to its bound.
void measured(const char* what, const char* number, int level, double value, double bound) {
  if (std::getenv("VDSIM_RESIDUALS"))
    std::printf("    %-34s %-8s L%d %11.3e   bound %.3g\n", what, number, level, value, bound);
}

// One register full of cars, each with its own speed and commands.
template <Level Lv> class Cars {
 public:
  struct One {
    double speed = 0;
    Inputs<double> commands{};
  };
  Cars(const char* number, Numeric numeric, const RoadSpec& road, const std::vector<One>& all)
      : k_(kernel<Lv>(number, numeric)),
        model_(room(k_.model_bytes)),
        state_(room(k_.state_bytes)),
        input_(room(k_.input_bytes)) {
    const Model<double, Lv> m = compile<Lv>(car_spec(), road);
    for (int i = 0; i < k_.lanes; ++i) {
      const One& one = all[std::size_t(i) % all.size()];
      k_.set_model(at(model_), i, m);
      k_.set_state(at(state_), i, start<Lv>(m, 0, 0, 0, one.speed));
      k_.set_input(at(input_), i, one.commands);
    }
  }
  int lanes() const { return k_.lanes; }
  void run(double seconds) {
    k_.run(Integrator::rk4, at(model_), at(state_), at(input_), kStep, int(std::lround(seconds / kStep)));
  }
  void command(const Inputs<double>& u) {
    for (int i = 0; i < k_.lanes; ++i) k_.set_input(at(input_), i, u);
  }
  State<double, Lv> operator[](int lane) const {
    State<double, Lv> s;
    k_.get_state(at(state_), lane, s);
    return s;
  }

 private:
  using Room = std::vector<double>;
  Room room(std::size_t bytes) const { return Room((bytes + k_.alignment) / sizeof(double) + 1); }
  void* at(const Room& v) const {
    const auto p = reinterpret_cast<std::uintptr_t>(v.data());
    return reinterpret_cast<void*>((p + k_.alignment - 1) / k_.alignment * k_.alignment);
  }
  const Kernel<Lv>& k_;
  Room model_, state_, input_;
};

template <Level Lv> bool all_finite(const State<double, Lv>& s) {
  const auto* p = reinterpret_cast<const double*>(&s);
  for (std::size_t i = 0; i < sizeof s / sizeof(double); ++i)
    if (!std::isfinite(p[i])) return false;
  return true;
}

// The exact car in double, alone, at the start and under the commands of one lane.
template <Level Lv> Cars<Lv> alone(const RoadSpec& road, const typename Cars<Lv>::One& one) {
  return Cars<Lv>("double", Numeric::exact, road, {one});
}

struct Wide {
  const char* number;
  bool is_float;
};
constexpr Wide kWide[] = {{"double4", false}, {"float8", true}};
template <Level Lv> constexpr int kLevel = Lv == Level::L5 ? 5 : 1 + int(Lv);

// --------------------------------------------------------------------------------------------- the kernels are the fast ones

template <Level Lv> void expect_wide() {
  EXPECT_EQ(kernel<Lv>("double4", Numeric::fast).lanes, 4);
  EXPECT_EQ(kernel<Lv>("float8", Numeric::fast).lanes, 8);
  EXPECT_EQ(kernel<Lv>("double", Numeric::exact).lanes, 1);
}
TEST(Fast, KernelsHaveTheirLanes) {
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) GTEST_SKIP() << "no AVX2 with FMA here";
  expect_wide<Level::L2>();
  expect_wide<Level::L3>();
  expect_wide<Level::L5>();
}

// ------------------------------------------------------------------------------------------------------------ manoeuvres

// A turn that has settled forgets its start, so errors of rounding do not add up. Double: 1e-13, some hundred roundings
// of 1e-16. Float: 1e-4, the load of a wheel and its slip each carry 6e-8 and slip stiffness multiplies by some hundred.
template <Level Lv> void steady_turn() {
  std::vector<typename Cars<Lv>::One> all;
  for (int i = 0; i < 8; ++i) all.push_back({12 + 0.8 * i, {0.02 + 0.002 * i, 0.1, 0, 0, 1}});
  for (const Wide& w : kWide) {
    Cars<Lv> fast(w.number, Numeric::fast, {}, all);
    fast.run(6);
    double worst = 0;
    for (int i = 0; i < fast.lanes(); ++i) {
      Cars<Lv> one = alone<Lv>({}, all[std::size_t(i)]);
      one.run(6);
      const auto a = fast[i], b = one[0];
      ASSERT_TRUE(all_finite<Lv>(a)) << w.number << " lane " << i;
      ASSERT_GT(b.r, 0.05) << "not a turn";
      worst = std::max({worst, std::abs(a.r / b.r - 1), std::abs(a.vx / b.vx - 1), std::abs(a.vy - b.vy) / b.vx});
    }
    const double bound = w.is_float ? 1e-4 : 1e-13;
    measured("steady turn, of the value", w.number, kLevel<Lv>, worst, bound);
    EXPECT_LE(worst, bound) << w.number << " L" << kLevel<Lv>;
  }
}
TEST(Fast, SteadyTurnIsThatOfExact) {
  steady_turn<Level::L2>();
  steady_turn<Level::L3>();
  steady_turn<Level::L5>();
}

// Braked to a standstill: the way it takes, and no metre after it. Float: 40 m in steps of 2 cm, each rounded to 2e-6 m.
template <Level Lv> void brakes_to_standstill() {
  std::vector<typename Cars<Lv>::One> all;
  for (int i = 0; i < 8; ++i) all.push_back({6 + 2.0 * i, {0, 0, 0.25 + 0.05 * i, 0, 1}});
  for (const Wide& w : kWide) {
    Cars<Lv> fast(w.number, Numeric::fast, {}, all);
    fast.run(8);
    std::vector<State<double, Lv>> stopped;
    for (int i = 0; i < fast.lanes(); ++i) stopped.push_back(fast[i]);
    fast.run(12);  // the springs come to rest too
    std::vector<State<double, Lv>> standing;
    for (int i = 0; i < fast.lanes(); ++i) standing.push_back(fast[i]);
    fast.run(10);
    double way = 0, drift = 0, speed = 0;
    for (int i = 0; i < fast.lanes(); ++i) {
      Cars<Lv> one = alone<Lv>({}, all[std::size_t(i)]);
      one.run(8);
      const auto a = stopped[std::size_t(i)], b = one[0], later = fast[i];
      ASSERT_TRUE(all_finite<Lv>(later)) << w.number << " lane " << i;
      ASSERT_GT(b.x, 2) << "it never drove";
      way = std::max(way, std::abs(a.x - b.x));
      drift = std::max(drift, std::hypot(later.x - standing[std::size_t(i)].x, later.y - standing[std::size_t(i)].y));
      speed = std::max(speed, std::abs(later.vx));
    }
    measured("way to the stop [m]", w.number, kLevel<Lv>, way, w.is_float ? 2e-3 : 1e-12);
    measured("drift in 10 s [m]", w.number, kLevel<Lv>, drift, w.is_float ? 1e-8 : 1e-12);
    measured("speed left [m/s]", w.number, kLevel<Lv>, speed, 1e-6);
    EXPECT_LE(way, w.is_float ? 2e-3 : 1e-12) << w.number << " L" << kLevel<Lv>;
    EXPECT_LE(drift, w.is_float ? 1e-8 : 1e-12) << w.number << " L" << kLevel<Lv>;
    EXPECT_LE(speed, 1e-6) << w.number << " L" << kLevel<Lv>;
  }
}
TEST(Fast, BrakesToTheSameStandstill) {
  brakes_to_standstill<Level::L2>();
  brakes_to_standstill<Level::L3>();
  brakes_to_standstill<Level::L5>();
}

// A braked car on a slope of 20 % stands. On the planar levels its position keeps its bits. On springs the loads tremble in
// their last digit and that moves it a little: by rounding in double; in float by up to 4e-6 m (exact float does so as well).
template <Level Lv> void holds_on_a_slope() {
  RoadSpec road;
  road.grade = 0.2;
  for (const Wide& w : kWide) {
    Cars<Lv> fast(w.number, Numeric::fast, road, {{0, {0, 0, 1, 0, 1}}, {0, {0, 0, 0, 1, 1}}});
    fast.run(20);
    const auto before = {fast[0], fast[1]};
    fast.run(20);
    int lane = 0;
    for (const State<double, Lv>& s : before) {
      const auto later = fast[lane++];
      const double drift = std::hypot(later.x - s.x, later.y - s.y);
      const double bound = !kSprung<Lv> ? 0 : w.is_float ? 1e-5 : 1e-13;
      measured("drift on a slope in 20 s [m]", w.number, kLevel<Lv>, drift, bound);
      EXPECT_LE(drift, bound) << w.number << " L" << kLevel<Lv>;
      EXPECT_LE(std::abs(later.x), 0.1) << "it slid before it stood";
    }
  }
}
TEST(Fast, HoldsOnASlope) {
  holds_on_a_slope<Level::L2>();
  holds_on_a_slope<Level::L3>();
  holds_on_a_slope<Level::L5>();
}

// Steering the other way mirrors the car. FMA rounds a b + c d differently from c d + a b, so only within rounding:
// in a bend of 3 s these differences stay at some ten units of the last digit, 6e-8 in float and 1e-16 in double.
template <Level Lv> void mirrors() {
  std::vector<typename Cars<Lv>::One> all;
  for (int i = 0; i < 8; ++i)
    all.push_back({14 + 3.0 * (i / 2), {(i % 2 ? -1 : 1) * (0.03 + 0.005 * (i / 2)), 0.2, 0, 0, 1}});
  for (const Wide& w : kWide) {
    Cars<Lv> fast(w.number, Numeric::fast, {}, all);
    fast.run(3);
    double worst = 0;
    for (int i = 0; i < fast.lanes(); i += 2) {
      const auto a = fast[i], b = fast[i + 1];
      ASSERT_GT(std::abs(a.y), 1) << "not a bend";
      worst =
          std::max({worst, std::abs((a.y + b.y) / a.y), std::abs((a.r + b.r) / a.r), std::abs((a.vx - b.vx) / a.vx)});
    }
    const double bound = w.is_float ? 5e-6 : 1e-14;
    measured("mirror image, of the value", w.number, kLevel<Lv>, worst, bound);
    EXPECT_LE(worst, bound) << w.number << " L" << kLevel<Lv>;
  }
}
TEST(Fast, LeftIsTheMirrorOfRight) {
  mirrors<Level::L2>();
  mirrors<Level::L3>();
  mirrors<Level::L5>();
}

}  // namespace
}  // namespace vdsim
