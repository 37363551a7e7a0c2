// SPDX-License-Identifier: Apache-2.0
#include "vdsim/config/plausible.hpp"

#include <fmt/core.h>

#include "vdsim/core/math/real.hpp"
#include "vdsim/engine/reflect.hpp"

namespace vdsim {
namespace {

struct Bounds {
  const char *path, *unit;
  double low, high;
  double (*value)(const VehicleSpec&);
};

// From a kart to a loaded truck.
constexpr Bounds kCar[] = {
    {"chassis.mass", "kg", 50, 60000, [](const VehicleSpec& v) { return v.chassis.mass; }},
    {"chassis.wheelbase", "m", 0.5, 15, [](const VehicleSpec& v) { return v.chassis.wheelbase; }},
    {"chassis.cg_height", "m", 0, 4, [](const VehicleSpec& v) { return v.chassis.cg_height; }},
    {"chassis.inertia_diag[2] / (mass cg_to_front cg_to_rear)", "-", 0.1, 10,
     [](const VehicleSpec& v) {
       const ChassisSpec& c = v.chassis;
       return c.inertia_diag[2] / (c.mass * c.cg_to_front * c.cg_to_rear);
     }},
    {"brake.max_brake_torque / (mass g wheel_radius_nominal)", "-", 0, 20,
     [](const VehicleSpec& v) {
       return v.brake.max_brake_torque / (v.chassis.mass * kGravity * v.chassis.wheel_radius_nominal);
     }},
};
constexpr Bounds kTire[] = {
    {"tire.mu_nominal", "-", 0.02, 4, [](const VehicleSpec& v) { return v.tire_fl.mu_nominal; }},
    {"tire.D_long", "-", 0.02, 4, [](const VehicleSpec& v) { return v.tire_fl.D_long; }},
    {"tire.D_lat", "-", 0.02, 4, [](const VehicleSpec& v) { return v.tire_fl.D_lat; }},
};
constexpr double kMostFriction = 3;  // of a road, over that of the tire's test track

std::string problem(double value, const char* unit, double low, double high, const char* of_what) {
  const std::string after = unit_after(unit);
  return fmt::format("{:.6g}{} is far from any {} ({:g} to {:g}{})", value, after, of_what, low, high, after);
}

}  // namespace

void warn_of_implausible(const Scenario& scene, const std::string& file, Errors& errors) {
  Errors found;
  const auto check = [&](const std::string& path, double value, const char* unit, double low, double high,
                         const char* of_what) {
    if (!(value >= low && value <= high)) found.add({file, 0, 0}, path, problem(value, unit, low, high, of_what));
  };
  check("mu", scene.road.mu, "-", 0, kMostFriction, "road");
  for (int i = 0; i < scene.road.section_count; ++i)
    check(fmt::format("sections[{}].mu", i), scene.road.sections[static_cast<std::size_t>(i)].mu, "-", -1,
          kMostFriction, "road");
  for (const CarSpec& car : scene.cars) {
    const std::string of = scene.cars.size() > 1 ? car.id + "." : "";
    for (const Bounds& b : kCar) check(of + b.path, b.value(car.vehicle), b.unit, b.low, b.high, "car");
    if (car.vehicle.tire_fl.schema == TireSchema::pacejka_mf96_v1)
      for (const Bounds& b : kTire) check(of + b.path, b.value(car.vehicle), b.unit, b.low, b.high, "tire");
  }
  errors.warn(found);
}

}  // namespace vdsim
