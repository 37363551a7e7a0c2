// SPDX-License-Identifier: Apache-2.0
// Derivatives of whole runs with respect to every number of the sedan, against differences of runs.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "tests/integration/cars.hpp"
#include "vdsim/engine/errors.hpp"
#include "vdsim/engine/linear/tangent.hpp"
#include "vdsim/engine/reflect.hpp"

using namespace cars;

namespace {

struct Number {
  std::string path;
  std::vector<std::ptrdiff_t> at;  // bytes into the spec; of a tire: in all four
  double value;
};

void walk(const std::vector<FieldRef>& fields, const std::string& path,
          const std::function<void(const std::string&, const double*)>& f) {
  using Kind = FieldRef::Kind;
  for (const FieldRef& field : fields) {
    const std::string name = path + field.name;
    if (field.kind == Kind::block) walk(field.block(0), name + ".", f);
    if (field.kind == Kind::number && field.given()) f(name, static_cast<const double*>(field.data));
    if (field.kind == Kind::list)
      for (int i = 0; i < field.length(); ++i)
        f(name + "[" + std::to_string(i + 1) + "]", static_cast<const double*>(field.data) + i);
  }
}

// Every number of the car; those of the tires move in all four.
std::vector<Number> numbers_of(VehicleSpec& spec) {
  std::vector<Number> out;
  const auto offset = [&](const void* p) { return static_cast<const char*>(p) - reinterpret_cast<const char*>(&spec); };
  const auto all = [&](auto& block, const std::string& name) {
    walk(fields_of(block), name, [&](const std::string& path, const double* x) {
      out.push_back({path, {offset(x)}, *x});
    });
  };
  all(spec.chassis, "chassis."), all(spec.brake, "brake."), all(spec.steering, "steering."),
      all(spec.drivetrain, "drivetrain.");
  all(spec.powertrain.motor, "powertrain.motor.");
  const std::size_t first = out.size();
  all(spec.tire_fl, "tire.");
  for (std::size_t i = first; i < out.size(); ++i)
    for (const TireSpec* tire : {&spec.tire_fr, &spec.tire_rl, &spec.tire_rr})
      out[i].at.push_back(out[i].at[0] + (offset(tire) - offset(&spec.tire_fl)));
  return out;
}
CarSetup moved(const CarSetup& base, const Number& n, double by) {
  CarSetup out = base;
  for (const std::ptrdiff_t at : n.at)
    *reinterpret_cast<double*>(reinterpret_cast<char*>(&out.vehicle) + at) = n.value + by;
  return out;
}

struct Drive {
  const char* name;
  double vx0;
  Commands now;
  int steps;
  double CarOutputs::*result;
};
double result_of(const CarSetup& setup, const Drive& drive) {
  Car car(setup);
  for (int i = 0; i < drive.steps; ++i)
    if (!car.step(drive.now, 1e-3)) throw std::runtime_error("diverged");
  return car.outputs(drive.now).*drive.result;
}

}  // namespace

// Change of the result by the number, in shares of both: to 1e-6 of the differences, whose own error is what two steps of them differ by.
TEST(Tangent, EveryNumberOfTheSedan) {
  Commands steer, brake;
  steer.steer = 0.03;
  brake.brake = 0.5, brake.gear = 0;
  // the yaw rate after a step of the steering angle; the way to standstill
  const Drive drives[] = {{"yaw rate", 22, steer, 700, &CarOutputs::r},
                          {"stopping distance", 6, brake, 1800, &CarOutputs::x}};
  for (const Drive& drive : drives) {
    const bool motor = drive.vx0 < 10;
    CarSetup base;
    base.vehicle = sedan();
    base.vehicle.powertrain.enabled = motor, base.vehicle.powertrain.type = PowertrainType::motor;
    base.start.vx0 = drive.vx0;
    const double f0 = result_of(base, drive);
    int compared = 0, zero = 0, kinks = 0, refused = 0;
    double worst = 0;
    std::vector<Number> chosen;
    std::vector<SetupSlope> slopes;
    const auto flush = [&] {
      if (slopes.empty()) return;
      const auto car = tangent_car(base, slopes);
      for (int i = 0; i < drive.steps; ++i) car->step(drive.now, drive.now, 1e-3);
      std::vector<CarOutputs> along;
      EXPECT_EQ(car->outputs(drive.now, along).*drive.result, f0) << "the bits of the car";
      for (std::size_t k = 0; k < slopes.size(); ++k) {
        const double h = slopes[k].h, exact = along[k].*drive.result;
        if (exact == 0) {  // then it does nothing at all
          ++compared, ++zero;
          EXPECT_EQ(result_of(slopes[k].at[3], drive), f0) << drive.name << " over " << chosen[k].path;
          continue;
        }
        double f[4], wide[2];
        for (std::size_t j = 0; j < 4; ++j) f[j] = result_of(slopes[k].at[j], drive);
        for (int j = 0; j < 2; ++j) wide[j] = result_of(moved(base, chosen[k], (j ? 1 : -1) * 0.5 * h), drive);
        const double by = (8 * (f[2] - f[1]) - (f[3] - f[0])) / (12 * h),
                     narrow = (8 * (wide[1] - wide[0]) - (f[2] - f[1])) / (6 * h);
        const double share = std::fabs(chosen[k].value) / std::fabs(f0);
        if (std::fabs(by - narrow) * share > 1e-7) {
          ++kinks;
          continue;
        }
        ++compared;
        const double off = std::fabs(exact - narrow) * share;
        EXPECT_LT(off, 1e-6) << drive.name << " over " << chosen[k].path << ": " << exact << ", by differences "
                             << narrow;
        worst = std::fmax(worst, off);
      }
      chosen.clear(), slopes.clear();
    };
    for (const Number& n : numbers_of(base.vehicle)) {
      SetupSlope slope;
      slope.h = 1e-3 * std::fabs(n.value);
      try {
        if (n.value == 0) throw BadInput("a number that is off");
        for (std::size_t j = 0; j < 4; ++j) {
          slope.at[j] = moved(base, n, (j < 2 ? double(j) - 2 : double(j) - 1) * slope.h);
          const Car car(slope.at[j]);
        }
      } catch (const BadInput&) {
        ++refused;
        continue;
      }
      chosen.push_back(n), slopes.push_back(slope);
      if (slopes.size() == kSlopesAtOnce) flush();
    }
    flush();
    std::printf("    %s%s: %d numbers, %d of them without effect, worst %.1e; %d at kinks, %d off or not movable\n",
                drive.name, motor ? ", motor" : "", compared, zero, worst, kinks, refused);
    EXPECT_GT(compared - zero, 25);
    EXPECT_LT(kinks, 10);
  }
}

TEST(Tangent, OtherLevelsAreRefused) {
  CarSetup base;
  base.vehicle = sedan();
  base.level = Level::L3;
  EXPECT_THROW(tangent_car(base, {}), BadInput);
}
