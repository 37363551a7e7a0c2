// SPDX-License-Identifier: Apache-2.0
// Four FMUs of a tire under a car, the loop closed once per step: what that costs against the same tire in the car (docs/FMI.md).
//
// The host has tires whose force stands still over a step: the linear law with a lag that never ends, F = 50 Fz x its lagged slip, which
// is written before each step. It has no place for the aligning moment; the sum of the four is a couple of side forces instead.
#include <cmath>

#include "tests/fmi/fmus.hpp"
#include "vdsim/config/tire_argument.hpp"
#include "vdsim/core/vehicle/state.hpp"
#include "vdsim/engine/car.hpp"

namespace {

constexpr double kGain = 50;  // of the host's tires [-]

VehicleSpec sedan(const std::string& tire) {
  SceneChanges changes;
  changes.tire = tire;
  return load_vehicle(catalog(), changes);
}
VehicleSpec host_of(VehicleSpec v) {
  for (TireSpec* t : {&v.tire_fl, &v.tire_fr, &v.tire_rl, &v.tire_rr}) {
    t->backend = TireBackend::linear, t->lugre.enabled = false, t->low_speed_mode = LowSpeedMode::none;
    t->D_long = t->D_lat = kGain, t->B_long = t->C_long = t->mu_nominal = 1, t->load_sensitivity = 0;
    t->cornering_stiffness = kGain * t->Fz_nominal, t->combined_slip_enabled = false, t->pneumatic_trail = 0;
    t->relaxation_length_lat = t->relaxation_length_long = 1e15;
  }
  return v;
}

// A car on FMUs of its tires.
class Loop {
 public:
  Loop(const std::string& tire, const RoadSpec& road, double speed, const Commands& first)
      : spec_(sedan(tire)),
        exported_(Exported::of(tire)),
        fmu_(exported_.file),
        library_(fmu_.library()),
        car(host_of(spec_), road, Level::L2, Integrator::rk4, {0, 0, 0, speed, 0}) {
    for (std::size_t i = 0; i < 4; ++i) {
      tires_.push_back(std::make_unique<Instance2>(fmu_, library_));
      give(i, car.outputs(first));
      tires_.back()->start();
    }
    take(car.outputs(first));
  }
  void step(const Commands& from, const Commands& to, double t, double h) {
    ASSERT_TRUE(car.step(from, to, h)) << car.why();
    const CarOutputs now = car.outputs(to);
    for (std::size_t i = 0; i < 4; ++i) {
      give(i, now);
      ASSERT_EQ(tires_[i]->step(t, h), fmi2OK) << tires_[i]->text();
    }
    take(now);
  }

 private:
  // The motion of a wheel: RigInput.
  void give(std::size_t i, const CarOutputs& s) {
    const ChassisSpec& c = spec_.chassis;
    const double x = i < 2 ? c.cg_to_front : -c.cg_to_rear, track = i < 2 ? c.track_front : c.track_rear;
    const double vx = s.vx - s.r * (i % 2 == 0 ? 0.5 : -0.5) * track, vy = s.vy + s.r * x;
    const double a = i < 2 ? s.steer : 0;
    const WheelOutputs& w = s.wheel[i];
    for (const auto& [name, value] : std::map<std::string, double>{{"vx", vx * std::cos(a) + vy * std::sin(a)},
                                                                   {"vy", vy * std::cos(a) - vx * std::sin(a)},
                                                                   {"omega", w.omega},
                                                                   {"fz", w.fz},
                                                                   {"mu", w.mu},
                                                                   {"psidot", s.r}})
      ASSERT_EQ(tires_[i]->set(name, value), fmi2OK) << tires_[i]->text();
  }
  // The forces, as slips of the host's tires.
  void take(const CarOutputs& s) {
    auto motion = car.motion<Level::L2>();
    double moment = 0;
    for (const auto& tire : tires_) moment += tire->get("mz");
    for (std::size_t i = 0; i < 4; ++i) {
      const double couple = moment / (2 * spec_.chassis.wheelbase), load = kGain * s.wheel[i].fz;
      motion.wheel[i].kap = tires_[i]->get("fx") / load;
      motion.wheel[i].alp = -(tires_[i]->get("fy") + (i < 2 ? couple / std::cos(s.steer) : -couple)) / load;
    }
    car.set_motion<Level::L2>(motion);
  }

  VehicleSpec spec_;
  Exported exported_;
  Unpacked fmu_;
  Library2 library_;
  std::vector<std::unique_ptr<Instance2>> tires_;

 public:
  Car car;
};

struct Apart {
  double r = 0, ay = 0, ax = 0;              // largest of the native car,
  double off_r = 0, off_ay = 0, off_ax = 0;  // and largest difference
  double off_place = 0, end_place = 0, end_speed = 0;
};
Apart compare(const std::string& tire, double grade, double speed, double h, Commands (*command)(double t)) {
  RoadSpec road;
  road.grade = grade;
  Car native(sedan(tire), road, Level::L2, Integrator::rk4, {0, 0, 0, speed, 0});
  Loop loop(tire, road, speed, command(0));
  Apart out;
  for (int k = 0; k < std::lround(3 / h); ++k) {
    const double t = k * h;
    EXPECT_TRUE(native.step(command(t), command(t + h), h));
    loop.step(command(t), command(t + h), t, h);
    if (testing::Test::HasFatalFailure()) break;
    const CarOutputs a = native.outputs(command(t + h)), b = loop.car.outputs(command(t + h));
    const auto most = [](double& most, double x) { most = std::max(most, std::abs(x)); };
    most(out.r, a.r), most(out.ay, a.ay), most(out.ax, a.ax);
    most(out.off_r, a.r - b.r), most(out.off_ay, a.ay - b.ay), most(out.off_ax, a.ax - b.ax);
    most(out.off_place, std::hypot(a.x - b.x, a.y - b.y));
    out.end_place = b.x, out.end_speed = std::hypot(b.vx, b.vy);
  }
  return out;
}

// Steer to 0.04 rad within 0.1 s, at 20 m/s. The force of a step is that of its start: the error falls with the step, to what the host
// adds (its aligning moment is a couple).
TEST(TireLoop, StepSteerToOnePercent) {
  const auto steer = [](double t) {
    Commands c;
    c.steer = t < 0.5 ? 0 : std::min(0.04, 0.4 * (t - 0.5));
    return c;
  };
  for (const char* tire : {"tire.default_pacejka", "tire.belt"}) {
    SCOPED_TRACE(tire);
    const Apart one = compare(tire, 0, 20, 1e-3, steer), half = compare(tire, 0, 20, 5e-4, steer);
    EXPECT_GT(one.ay, 3);
    EXPECT_LT(one.off_r, 0.0025 * one.r);   // found: 0.13 to 0.15 %
    EXPECT_LT(one.off_ay, 0.005 * one.ay);  // found: 0.2 to 0.31 %
    EXPECT_LT(half.off_ay, one.off_ay);
    EXPECT_LT(half.off_r, 0.0025 * half.r);
  }
}

// Brakes to 0.6 within 0.2 s: first order in the step.
TEST(TireLoop, BrakingIsOfFirstOrder) {
  const auto brake = [](double t) {
    Commands c;
    c.brake = t < 0.5 ? 0 : std::min(0.6, 3 * (t - 0.5));
    return c;
  };
  const Apart one = compare("tire.default_pacejka", 0, 20, 1e-3, brake),
              half = compare("tire.default_pacejka", 0, 20, 5e-4, brake);
  EXPECT_LT(one.off_ax, 0.005 * one.ax);  // found: 0.34 %
  EXPECT_LT(one.off_place, 1e-5);
  EXPECT_NEAR(half.off_ax / one.off_ax, 0.5, 0.05);
}

// Held by the brakes on 15 %: it settles by what bristles without load give way, and stands.
TEST(TireLoop, HoldsOnAHill) {
  const auto hold = [](double) {
    Commands c;
    c.brake = 0.5;
    return c;
  };
  const Apart found = compare("tire.default_pacejka", 0.15, 0, 1e-3, hold);
  EXPECT_LT(found.off_place, 0.003);
  EXPECT_LT(found.end_speed, 1e-6);
}

}  // namespace
