// SPDX-License-Identifier: Apache-2.0
// The cars and tires of the catalog beside the figures usual for their classes: a band each.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "vdsim/engine/steady_tire.hpp"
#include "vdsim/lab/handling.hpp"
#include "vdsim/validation/cases.hpp"

namespace vdsim::validation {
namespace {

constexpr auto kCars = ValidationGroup::cars;
constexpr double kDegrees = 180 / M_PI;
struct Band {
  double low, high;
};

// --- tires
struct TireClass {
  const char *id, *name;
  Band slip_ratio, slip_angle, locked, trail, camber;  // [-], [deg], locked/peak [-], [mm], [1/rad]
  const char* source;
};
constexpr Band kLocked = {0.70, 0.85}, kTrail = {25, 40}, kCamber = {0.8, 1.3};
constexpr TireClass kTires[] = {
    {"tire.default_pacejka", "touring", {0.10, 0.15}, {7, 9}, kLocked, kTrail, kCamber, "SAE 870421, Pacejka's book"},
    {"tire.sport_grip", "sport", {0.10, 0.15}, {6, 8}, kLocked, kTrail, kCamber, "class of 245/40 R18"},
    {"tire.race_slick", "race", {0.10, 0.15}, {5, 8}, kLocked, kTrail, kCamber, "Perantoni and Limebeer 2014"},
    {"tire.fsk_slick", "fsk", {0.10, 0.15}, {6, 9}, kLocked, kTrail, kCamber, "electric Formula Student cars"},
    {"tire.suv", "suv", {0.10, 0.15}, {7, 9}, kLocked, kTrail, kCamber, "class of 235/60 R18"},
    {"tire.light_truck", "truck", {0.10, 0.15}, {7, 9}, kLocked, kTrail, kCamber, "class of 245/70 R16"},
    {"tire.ioniq5", "crossover", {0.10, 0.15}, {7, 9}, kLocked, kTrail, kCamber, "class of 255/45 R20"}};
struct TireFigures {
  double slip_ratio, slip_angle, locked, trail, camber;
};
TireFigures figures(const TireSpec& t) {
  const SteadyTire steady(t);
  const auto force = [&](double kappa, double alpha, double gamma, std::size_t column) {
    SteadyPoint p;
    p.fz = t.Fz_nominal, p.kappa = kappa, p.alpha = alpha, p.gamma = gamma, p.vx = 16.7;
    return steady(p)[column];
  };
  TireFigures out{};
  double brake = 0, side = 0;
  for (double s = 1e-3; s < 0.5; s += 1e-3) {
    if (-force(-s, 0, 0, 0) > brake) brake = -force(-s, 0, 0, 0), out.slip_ratio = s;
    if (-force(0, s, 0, 1) > side) side = -force(0, s, 0, 1), out.slip_angle = s * kDegrees;
  }
  out.locked = -force(-1, 0, 0, 0) / brake;
  out.trail = -1e3 * force(0, 1e-4, 0, 4) / force(0, 1e-4, 0, 1);
  out.camber = -force(0, 0, 0.01, 1) / (0.01 * t.Fz_nominal);
  return out;
}
void add_tires(const Catalog& catalog, Cases& all) {
  const struct {
    const char *id, *what, *unit;
    Band TireClass::*band;
    double TireFigures::*value;
  } rows[] = {{"slip_ratio", "slip ratio of the peak, braking", "", &TireClass::slip_ratio, &TireFigures::slip_ratio},
              {"slip_angle", "slip angle of the peak", "deg", &TireClass::slip_angle, &TireFigures::slip_angle},
              {"locked", "force of the locked wheel over the peak", "", &TireClass::locked, &TireFigures::locked},
              {"trail", "pneumatic trail", "mm", &TireClass::trail, &TireFigures::trail},
              {"camber", "camber thrust over load and angle", "1/rad", &TireClass::camber, &TireFigures::camber}};
  for (const TireClass& tire : kTires) {
    SceneChanges changes;
    changes.tire = tire.id;
    const TireSpec t = load_vehicle(catalog, changes).tire_rl;
    for (const auto& r : rows) {
      const Band b = tire.*r.band;
      const auto value = r.value;
      all.push_back({fmt::format("{}_{}", tire.name, r.id), kCars, fmt::format("{}: {}", tire.id, r.what), r.unit, "",
                     fmt::format("{}; `vdsim tire eval --tire {}` at its nominal load", tire.source, tire.id),
                     (b.high - b.low) / 2, false, fmt::format("{:g} to {:g}", b.low, b.high), [t, value, b] {
                       return Measurement{figures(t).*value, (b.low + b.high) / 2};
                     }});
    }
  }
}

// --- cars
struct CarClass {
  const char *id, *name;
  Band top, to_100, stop, understeer, yaw, roll;  // [km/h], [s], [m], [deg/g], [Hz], [deg/g]
  const char* source;
};
constexpr CarClass kClasses[] = {
    {"vehicle.sedan_comfort",
     "sedan",
     {200, 220},
     {10, 12},
     {36, 40},
     {2, 4},
     {1, 1.3},
     {4, 6},
     "mid-size sedans, 100 kW"},
    {"vehicle.sports_aggressive",
     "sports",
     {280, 300},
     {4.2, 4.8},
     {32, 36},
     {1.5, 3},
     {1.5, 2.2},
     {2, 4},
     "two-seat coupes, 240 kW"},
    {"vehicle.race_gt", "gt", {270, 290}, {3, 3.6}, {26, 31}, {0.5, 1.5}, {2, 3.8}, {0.3, 1}, "GT race cars"},
    {"vehicle.fsk_formula",
     "fsk",
     {115, 125},
     {3.2, 3.8},
     {22, 27},
     {0.3, 1.5},
     {3, 4.5},
     {0.5, 1.5},
     "electric Formula Student cars"},
    {"vehicle.hatch_electric",
     "hatch",
     {135, 150},
     {8.5, 10.5},
     {36, 40},
     {2, 4},
     {1, 1.3},
     {4, 6},
     "small electric hatchbacks, 100 kW"},
    {"vehicle.ioniq5_awd",
     "crossover",
     {180, 190},
     {5.2, 6.2},
     {36, 40},
     {0.4, 1},
     {1.5, 1.9},
     {3, 5},
     "electric crossovers, 239 kW, loaded"},
    {"vehicle.suv", "suv", {195, 215}, {8.5, 10.5}, {36, 40}, {2, 4}, {1, 1.3}, {4.5, 6.5}, "mid-size SUVs, 145 kW"},
    {"vehicle.light_truck",
     "truck",
     {165, 185},
     {12, 15},
     {42, 47},
     {2, 4.5},
     {0.8, 1.2},
     {5, 7},
     "double-cab pick-ups, 120 kW"},
    {"vehicle.light_roadster",
     "roadster",
     {185, 205},
     {4.6, 5.4},
     {34, 38},
     {1, 2.5},
     {1.6, 2.4},
     {2, 3.5},
     "light open roadsters, 100 kW"}};

// Shortest stop from 100 km/h over the pedal: what a driver or an ABS that keeps the tires at their peak can reach.
double shortest_stop(const Catalog& catalog, const std::string& vehicle) {
  const auto stop = [&](double pedal) {
    return run_trial(catalog, {"iso21994", "", "", {fmt::format("pedal={}", pedal)}, false, vehicle})
        .at("corrected_distance");
  };
  double best = INFINITY, at = 1;
  const auto look = [&](double pedal) {
    const double d = stop(pedal);
    if (d < best) best = d, at = pedal;
  };
  for (int i = 10; i <= 20; ++i) look(0.05 * i);
  const double middle = at;
  for (const double d : {-0.03, -0.02, -0.01, 0.01, 0.02, 0.03}) look(std::min(1.0, middle + d));
  return best;
}
// Roll over lateral acceleration of a steady turn of about 3 m/s^2 at 20 m/s, outwards [deg/g].
double roll_gradient(const VehicleSpec& s, Level level) {
  const double K = linear_range({s, {}, Level::L2}, 20).K;
  const Commands c{.steer = 3 * (s.chassis.wheelbase / 400 + K)};
  Car sim(s, {}, level, Integrator::rk4, {.vx0 = 20});
  drive(sim, c, 4);
  const CarOutputs o = sim.outputs(c);
  return o.roll * kDegrees / (o.vx * o.r / kGravity);
}
// How many of ten frictions 0.1 .. 1 the front wheels lock at before the rear ones, the pedal pressed slowly at 25 m/s.
double front_locks_first(const VehicleSpec& s) {
  int count = 0;
  for (int i = 1; i <= 10; ++i) {
    Car sim(s, slope(0, 0, 0.1 * i), Level::L2, Integrator::rk4, {.vx0 = 25});
    const double h = 2e-3;
    for (double t = 0; t < 5; t += h) {
      const Commands c{.brake = t / 5, .gear = 0};
      if (!sim.step(c, h)) break;
      const CarOutputs o = sim.outputs(c);
      const bool front = o.wheel[0].omega == 0 || o.wheel[1].omega == 0,
                 rear = o.wheel[2].omega == 0 || o.wheel[3].omega == 0;
      if (!front && !rear) continue;
      count += front && !rear;
      break;
    }
  }
  return count;
}

struct CarRow {
  const char *id, *what, *unit;
  Band band;
  std::string command;
  std::function<double()> value;
};
std::vector<CarRow> rows_of(const Catalog& catalog, const CarClass& car) {
  const std::string id = car.id;
  SceneChanges changes;
  changes.vehicle = id;
  const VehicleSpec s = load_vehicle(catalog, changes);
  const Trial launch{"top_speed_and_acceleration", "", "", {"longest=120"}, false, id};
  const auto launched = once([&catalog, launch] { return run_trial(catalog, launch); });
  const auto linear = once([s] { return linear_range({s, {}, Level::L2}, 25); });
  const std::string handling = fmt::format("`vdsim handling {} --speed 25`", id),
                    brake = fmt::format("`vdsim maneuver run iso21994 --vehicle {} --set pedal=...`", id);
  return {
      {"top_speed", "top speed", "km/h", car.top, launch.command(),
       [launched] { return 3.6 * launched().at("top_speed"); }},
      {"to_100", "0 to 100 km/h", "s", car.to_100, launch.command(), [launched] { return launched().at("to_100"); }},
      {"stop", "100 km/h to 0 at the best pedal", "m", car.stop, brake,
       [&catalog, id] { return shortest_stop(catalog, id); }},
      {"lock",
       "frictions 0.1, 0.2 .. 1 at which the front wheels lock first",
       "",
       {10, 10},
       "ECE R13: at every one of the ten; pedal pressed slowly at 25 m/s",
       [s] { return front_locks_first(s); }},
      {"understeer", "understeer gradient at 25 m/s, L2", "deg/g", car.understeer, handling,
       [linear] { return linear().K * kDegrees * kGravity; }},
      {"yaw", "natural frequency of the lateral motion at 25 m/s, L2", "Hz", car.yaw, handling,
       [linear] { return linear().modes.frequency / (2 * M_PI); }},
      {"roll_l3", "roll in a turn, L3", "deg/g", car.roll, "steady turn of 3 m/s^2 at 20 m/s",
       [s] { return roll_gradient(s, Level::L3); }},
      {"roll_l5", "roll in a turn, L5", "deg/g", car.roll, "the same", [s] { return roll_gradient(s, Level::L5); }}};
}

}  // namespace

void add_car_cases(const Catalog& catalog, Cases& all) {
  for (const CarClass& car : kClasses)
    for (const CarRow& r : rows_of(catalog, car)) {
      const double middle = (r.band.low + r.band.high) / 2;
      all.push_back({fmt::format("{}_{}", car.name, r.id), kCars, fmt::format("{}: {}", car.id, r.what), r.unit, "",
                     fmt::format("{}; {}", car.source, r.command), (r.band.high - r.band.low) / 2, false,
                     fmt::format("{:g} to {:g}", r.band.low, r.band.high), [value = r.value, middle] {
                       return Measurement{value(), middle};
                     }});
    }
  add_tires(catalog, all);
}

}  // namespace vdsim::validation
