// SPDX-License-Identifier: Apache-2.0
// What the files of cases share: the reference sedan, runs of it, and manoeuvres with the command that repeats them.
#pragma once
#include <map>
#include <memory>
#include <optional>

#include "vdsim/config/catalog.hpp"
#include "vdsim/config/scenario.hpp"
#include "vdsim/engine/car.hpp"
#include "vdsim/engine/energy.hpp"
#include "vdsim/validation/validation.hpp"

namespace vdsim::validation {

using Cases = std::vector<ValidationCase>;
void add_tire_cases(const Catalog&, Cases&);
void add_planar_cases(const Catalog&, Cases&);
void add_handling_cases(const Catalog&, Cases&);
void add_sprung_cases(const Catalog&, Cases&);
void add_numeric_cases(const Catalog&, Cases&);
void add_level_cases(const Catalog&, Cases&);
void add_published_cases(const Catalog&, Cases&);
void add_reference_cases(const Catalog&, Cases&);
void add_car_cases(const Catalog&, Cases&);
void add_control_cases(const Catalog&, Cases&);

inline constexpr double kGravity = 9.80665,
                        kAir = 1.225;  // [m/s^2], [kg/m^3]; written out: the expected side is its own

// Computed at the first call, kept for the others.
template <class F> auto once(F f) {
  using T = decltype(f());
  return [f, kept = std::make_shared<std::optional<T>>()]() -> const T& {
    if (!*kept) *kept = f();
    return **kept;
  };
}

// --- the car: of the published figures and of every case that names no other
inline constexpr const char* kSedan = "vehicle.sedan_vdsim07";
enum class TireLaw { rolling, steady };  // steady: the magic formula, nothing lags
VehicleSpec sedan(const Catalog&, TireLaw = TireLaw::rolling);
VehicleSpec lossless(VehicleSpec);  // no air, no rolling resistance
template <class F> VehicleSpec with_tires(VehicleSpec s, F&& f) {
  for (TireSpec* t : {&s.tire_fl, &s.tire_fr, &s.tire_rl, &s.tire_rr}) f(*t);
  return s;
}
double static_load(const VehicleSpec&, bool front);     // of a wheel [N]
double axle_stiffness(const VehicleSpec&, bool front);  // 2 B C D of a wheel at that load [N/rad]
double wheel_inertia(const VehicleSpec&);               // [kg m^2]
double rolling_mass(const VehicleSpec&, bool engine);   // m + I/R^2 of what turns [kg]
RoadSpec slope(double grade, double bank = 0, double mu = 1);

// Holds the commands; false if the step diverged.
bool drive(Car&, const Commands&, double seconds, double dt = 1e-3);

// --- manoeuvres of the catalog
// Settings of the car behind the published figures.
inline const std::vector<std::string> kPublishedCar = {"tire.load_sensitivity=0", "tire.rolling_resistance=0",
                                                       "steering.ackerman_percent=0", "chassis.aero_lift_front=0",
                                                       "chassis.aero_lift_rear=0"};
using Metrics = std::map<std::string, double>;
struct Trial {
  std::string maneuver, level, tire;
  std::vector<std::string> sets;
  bool published_car = false;  // and kPublishedCar before them
  std::string vehicle = kSedan;
  std::string command() const;  // that repeats it; $CAR stands for kPublishedCar
};
SceneChanges changes_of(const Trial&);
Metrics run_trial(const Catalog&, const Trial&);

}  // namespace vdsim::validation
