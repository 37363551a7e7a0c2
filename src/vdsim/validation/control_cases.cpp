// SPDX-License-Identifier: Apache-2.0
// Controllers on every car and tire of the catalog: what the brakes reach of the best stop there is, what traction control
// does to a launch, whether yaw control passes the sine with dwell, and what all of them do in an ordinary bend: nothing.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <iterator>
#include <string>
#include <vector>

#include "vdsim/lab/handling.hpp"
#include "vdsim/study/maneuver/study.hpp"
#include "vdsim/validation/cases.hpp"

namespace vdsim::validation {
namespace {

constexpr auto kControl = ValidationGroup::control;
constexpr double kStep = 1e-3, kLongStep = 2e-3;
constexpr Level kLevels[] = {Level::L2, Level::L3, Level::L5};
const char* name(Level level) { return EnumNames<Level>::names[std::size_t(level)]; }
constexpr const char* kTestCar = "vehicle.sedan_comfort";
constexpr const char* kFrontTire = "tire.touring_front";  // made for one axle: it is on the car already
// control.esc: what is on; its numbers are the defaults
constexpr const char* kEscSets[] = {"control.hydraulics.enabled=true", "control.abs.enabled=true",
                                    "control.ebd.enabled=true", "control.tc.enabled=true", "control.esc.enabled=true"};
std::string short_name(const std::string& id) { return id.substr(id.find('.') + 1); }

enum class Fit { none, brakes, abs, tc, all };  // what of control.esc is on
void fit(ControlSpec& c, Fit what) {
  c.hydraulics.enabled = what != Fit::none;
  c.abs.enabled = c.ebd.enabled = what == Fit::abs || what == Fit::all;
  c.tc.enabled = what == Fit::tc || what == Fit::all;
  c.esc.enabled = what == Fit::all;
}
VehicleSpec car_of(const Catalog& catalog, const std::string& id, const std::string& tire, Fit what) {
  SceneChanges changes;
  changes.vehicle = id, changes.tire = tire;
  VehicleSpec s = load_vehicle(catalog, changes);
  fit(s.control, what);
  return s;
}

// --- roads
struct StopRoad {
  const char *id, *what, *surface;  // surface: part whose friction it has; "": dry
  double grade, left, speed;        // friction at the left over that at the right; speed of the stop [m/s]
  bool hard;                        // no loose stones or snow that heap up before a locked wheel
};
constexpr double kFast = 100 / 3.6, kSlow = 60 / 3.6;
constexpr StopRoad kStopRoads[] = {{"dry", "dry", "", 0, 1, kFast, true},
                                   {"wet", "wet tarmac", "surface.wet_tarmac", 0, 1, kFast, true},
                                   {"gravel", "gravel", "surface.gravel", 0, 1, kFast, false},
                                   {"snow", "snow", "surface.snow", 0, 1, kSlow, false},
                                   {"ice", "ice", "surface.ice", 0, 1, kSlow, true},
                                   {"down", "15 % down, dry", "", -0.15, 1, kFast, true},
                                   {"split", "left 0.3, right dry", "", 0, 0.3, kFast, true}};
SurfaceSpec surface_of(const Catalog& catalog, const std::string& id) {
  SceneChanges changes;
  changes.vehicle = kSedan, changes.tire = "tire.rally", changes.surface = id;
  return load_vehicle(catalog, changes).tire_fl.rally.surface;
}
bool knows_surfaces(const VehicleSpec& s) { return s.tire_fl.schema == TireSchema::rally_v1; }
// Gravel has the friction of wet tarmac; all else about it is known to tires that know surfaces.
bool differs(const StopRoad& g, const VehicleSpec& s) { return g.id != std::string("gravel") || knows_surfaces(s); }
// A tire that knows surfaces stands on the surface, any other one on its friction.
RoadSpec road_of(const Catalog& catalog, const StopRoad& g, const VehicleSpec& s) {
  RoadSpec r;
  r.grade = g.grade;
  if (g.left < 1) r.split_mu.mu_left = g.left, r.split_mu.mu_right = 1, r.split_mu.width = 0.2;
  if (*g.surface == 0) return r;
  const SurfaceSpec on = surface_of(catalog, g.surface);
  if (!knows_surfaces(s)) {
    r.mu = on.friction;
    return r;
  }
  r.surface = {on.friction,
               on.microtexture,
               on.macrotexture,
               on.water_depth,
               on.rolling_resistance,
               on.slip_stiffness_scale,
               on.relaxation_length_scale,
               on.peak_slip_ratio_scale,
               on.deformation,
               on.noise_factor};
  return r;
}

// --- stops
// A driver who keeps the car straight.
double steer_back(const CarOutputs& o) { return std::clamp(-0.5 * o.psi - 0.02 * o.y - 0.05 * o.r, -0.3, 0.3); }

// Way of a stop with the pedal down from `speed`, after half a second of rolling, scaled to that speed [m].
double stop(const VehicleSpec& s, const RoadSpec& road, double speed, Level level, double dt = kStep) {
  Car sim(s, road, level, Integrator::rk4, {.vx0 = speed});
  Commands c{.gear = 0};
  drive(sim, c, 0.5);
  const double from = sim.outputs(c).x, v = sim.vx();
  c.brake = 1;
  for (CarOutputs o = sim.outputs(c); o.vx > 0.05 && o.t < 60; o = sim.outputs(c)) {
    if (road.split_mu.mu_left != road.split_mu.mu_right) c.steer = steer_back(o);
    if (!sim.step(c, dt)) return NAN;
  }
  return (sim.outputs(c).x - from) * speed * speed / (v * v);
}

// Deceleration with all four wheels kept at one slip, by torques that follow from the true forces [m/s^2].
double deceleration_at(const VehicleSpec& s, const RoadSpec& road, double speed, double slip) {
  Car sim(s, road, Level::L2, Integrator::rk4, {.vx0 = speed});
  const double I = wheel_inertia(s), settle = 0.25, end = 0.45;
  Commands c{.gear = 0};
  double v = speed;
  while (sim.time() < end) {
    const CarOutputs o = sim.outputs(c);
    for (std::size_t i = 0; i < 4; ++i) {
      const WheelOutputs& w = o.wheel[i];
      const double aim = o.vx * (1 - slip) / w.re;  // its own radius: tires of other cars and files have one
      c.torque[i] = w.re * w.fx - w.my + I * (o.ax * (1 - slip) / w.re + (aim - w.omega) / 0.01);
    }
    if (sim.time() < settle) v = o.vx;
    if (!sim.step(c, kLongStep)) return NAN;
  }
  return (v - sim.vx()) / (sim.time() - settle);
}
constexpr double kSlips[] = {0.01, 0.018, 0.027, 0.04, 0.055, 0.075, 0.1, 0.125, 0.16, 0.25, 0.45, 0.9};

// [T14.20]  Largest deceleration at constant slip; at 0.71 of the speed, where the force of the air is its mean over the way.
double best_deceleration(const VehicleSpec& s, const RoadSpec& road, double speed) {
  double best = 0;
  for (const double slip : kSlips) best = std::fmax(best, deceleration_at(s, road, 0.75 * speed, slip));
  return best;
}
// [T14.21]  Split friction: front wheels each at its best, rear wheels both with the torque of the one with less grip.
double best_split(const VehicleSpec& s, double left, double speed) {
  const double low = best_deceleration(s, slope(0, 0, left), speed), high = best_deceleration(s, {}, speed);
  const ChassisSpec& c = s.chassis;
  double a = low;
  for (int k = 0; k < 50; ++k) {
    const double front = (c.cg_to_rear + a * c.cg_height / kGravity) / c.wheelbase;
    a = front * (low + high) / 2 + (1 - front) * low;
  }
  return a;
}
// A tire that keeps 95 % of its best force when locked leaves ABS nothing to gain: there it may need 3 % more.
constexpr double kFlat = 0.95, kFlatMargin = 1.03;
struct Braking {
  double efficiency;  // best way over the way
  bool longer;        // than locked wheels, on hard ground
};
Braking brake(const Catalog& catalog, const VehicleSpec& with, const StopRoad& g, Level level) {
  VehicleSpec none = with, locked = with;
  fit(none.control, Fit::none), fit(locked.control, Fit::brakes);
  const RoadSpec road = road_of(catalog, g, with);
  const double a = g.left < 1 ? best_split(none, g.left, g.speed) : best_deceleration(none, road, g.speed);
  const double way = stop(with, road, g.speed, level), efficiency = g.speed * g.speed / (2 * a) / way;
  if (!g.hard || g.left < 1)
    return {efficiency, false};  // locked on split friction the car spins and ends where it may
  const bool flat = deceleration_at(none, road, 0.75 * g.speed, kSlips[std::size(kSlips) - 1]) > kFlat * a;
  return {efficiency, way > (flat ? kFlatMargin : 1) * stop(locked, road, g.speed, level, kLongStep)};
}

// --- launches
struct Launch {
  double time, spin;  // 0 to 50 km/h [s]; largest drive slip after a second, above 3 m/s
};
Launch launch(const VehicleSpec& s, const RoadSpec& road) {
  Car sim(s, road, Level::L2, Integrator::rk4, {});
  Commands c{.throttle = 1};
  Launch out{NAN, 0};
  while (sim.vx() < 50 / 3.6 && sim.time() < 40) {
    if (!sim.step(c, kLongStep)) return out;
    const CarOutputs o = sim.outputs(c);
    c.steer = steer_back(o);
    if (o.t < 1 || o.vx < 3) continue;
    for (const WheelOutputs& w : o.wheel) out.spin = std::fmax(out.spin, w.kappa);
  }
  if (sim.vx() >= 50 / 3.6) out.time = sim.time();
  return out;
}

// --- sine with dwell
// Largest share of a limit of FMVSS 126 (yaw rate 1.00 s and 1.75 s after the steering, way to the side) over two amplitudes,
// the second one the largest of the standard.
double sine_with_dwell(const Catalog& catalog, const Maneuver& m, const ManeuverChanges& changes) {
  double worst = 0;
  for (const double degrees : {150.0, 270.0}) {
    ManeuverChanges c = changes;
    c.scene.set(fmt::format("amplitude=min(deg({}), 0.999*max_steer*steering_ratio)", degrees));
    const ManeuverPlan plan = plan_maneuver(catalog, m, c);
    const ManeuverResult r = run_plan(plan);
    worst = std::max({worst, r.metric(plan, "yaw_ratio_100") / 0.35, r.metric(plan, "yaw_ratio_175") / 0.2,
                      1.83 / r.metric(plan, "displacement")});
  }
  return worst;
}

// --- ordinary bends
// Brake force of the controllers [N]: a bend that grows to 0.5 g within 5 s, held for 3 s, and a lane change of 3.5 m in
// 3 s, all at 80 km/h. Infinite if they take throttle away.
double ordinary_force(const VehicleSpec& s, Level level) {
  const double v = 80 / 3.6, K = linear_range({s, {}, Level::L2}, v).K, gain = s.chassis.wheelbase / (v * v) + K;
  const double aside = 2 * M_PI * 3.5 / 9;  // y = 3.5 (t/3 - sin(2 pi t/3)/(2 pi))
  double most = 0;
  for (const bool bend : {true, false}) {
    Car sim(s, {}, level, Integrator::rk4, {.vx0 = v});
    Commands c;
    for (CarOutputs o = sim.outputs(c); o.t < (bend ? 8 : 5); o = sim.outputs(c)) {
      c.throttle = std::clamp(0.05 + 0.2 * (v - o.vx), 0.0, 1.0);
      const double t = o.t - 1;
      if (bend) c.steer = std::fabs(o.ay) < 0.5 * kGravity ? c.steer + gain * kGravity * 0.1 * kStep : c.steer;
      if (!bend) c.steer = t > 0 && t < 3 ? gain * aside * std::sin(2 * M_PI * t / 3) : 0;
      if (!sim.step(c, kStep)) return NAN;
      double force = o.control_throttle < 1 ? INFINITY : 0;
      for (int i = 0; i < o.wheels; ++i) {
        const double bias = i < 2 ? s.brake.brake_bias_front : 1 - s.brake.brake_bias_front;
        force += o.wheel[i].control_brake * 0.5 * s.brake.max_brake_torque * bias / s.chassis.wheel_radius_nominal;
      }
      most = std::fmax(most, force);
    }
  }
  return most;
}

// --- rows
struct Row {
  std::string id, what, unit, how;
  double low, high;  // limits of the value
  std::string reason;
  std::function<double()> value;
};
void add(Cases& all, const Row& r) {
  const double middle = (r.low + r.high) / 2;
  all.push_back(
      {r.id, kControl, r.what, r.unit, "", r.how, (r.high - r.low) / 2, false, r.reason, [value = r.value, middle] {
         return Measurement{value(), middle};
       }});
}

constexpr double kLeastEfficiency = 0.85, kMostForce = 50;
constexpr const char* kStopText =
    "way of the best stop at constant slip over the way with ABS, theory 14; full pedal from 100 km/h, on snow and ice "
    "60; none: longer than locked wheels on hard ground";
// Split friction: the rear wheels may have more than the torque of the one with less grip, which the best stop does not.
double largest(const StopRoad& g) { return g.left < 1 ? 1.2 : 1.05; }

void add_stops(const Catalog& catalog, const std::string& car, Cases& all) {
  const VehicleSpec s = car_of(catalog, car, "", Fit::abs);
  for (const StopRoad& g : kStopRoads)
    if (differs(g, s))
      add(all,
          {fmt::format("abs_{}_{}", short_name(car), g.id), fmt::format("ABS of `{}`, {}", car, g.what), "", kStopText,
           kLeastEfficiency, largest(g), fmt::format("at least {:g}", kLeastEfficiency), [&catalog, s, g] {
             const Braking b = brake(catalog, s, g, Level::L2);
             return b.longer ? NAN : b.efficiency;
           }});
}
void add_launches(const Catalog& catalog, const std::string& car, Cases& all) {
  const auto longest = [&catalog, car] {
    const VehicleSpec with = car_of(catalog, car, "", Fit::tc), without = car_of(catalog, car, "", Fit::none);
    double worst = 0;
    for (const StopRoad& g : kStopRoads) {
      if (g.grade != 0 || !differs(g, with)) continue;
      const RoadSpec road = road_of(catalog, g, with);
      const double limit = launch(without, road).time;
      if (!std::isnan(limit)) worst = std::fmax(worst, launch(with, road).time / limit);
    }
    return worst;
  };
  add(all, {fmt::format("tc_{}", short_name(car)),
            fmt::format("traction control of `{}`: longest launch over that without", car), "",
            "0 to 50 km/h, full throttle, on dry and wet tarmac, snow, ice and split friction; L2", 0, 1,
            "never slower than without", longest});
}
void add_swerves(const Catalog& catalog, const std::string& car, Cases& all) {
  const char* const ids[] = {"l2", "l3", "l5"};
  for (std::size_t k = 0; k < std::size(kLevels); ++k) {
    const Level level = kLevels[k];
    add(all,
        {fmt::format("esc_{}_{}", short_name(car), ids[k]),
         fmt::format("ESC of `{}`, {}: largest share of a limit of the sine with dwell", car, name(level)), "",
         "FMVSS 126: yaw rate 1.00 s and 1.75 s after the steering over 35 % and 20 % of its peak, 1.83 m over the "
         "way to the side; hand wheel 150 and 270 degrees",
         0, 1, "the limits of the standard", [&catalog, car, level] {
           ManeuverChanges c;
           c.scene.vehicle = car, c.level = name(level);
           for (const char* set : kEscSets) c.scene.set(set);
           return sine_with_dwell(catalog, load_maneuver(catalog, "sine_with_dwell"), c);
         }});
  }
}
void add_bends(const Catalog& catalog, const std::string& car, Cases& all) {
  add(all, {fmt::format("bend_{}", short_name(car)),
            fmt::format("all controllers of `{}` in ordinary bends: brake force", car), "N",
            "bend up to 0.5 g, lane change of 3.5 m in 3 s, 80 km/h; L2, L3, L5; infinite if throttle is taken away", 0,
            kMostForce, "none of their business", [&catalog, car] {
              double most = 0;
              for (const Level level : kLevels)
                most = std::fmax(most, ordinary_force(car_of(catalog, car, "", Fit::all), level));
              return most;
            }});
}
// On the sedan, its brakes at least a quarter stronger than the tires.
void add_tire(const Catalog& catalog, const std::string& tire, Cases& all) {
  add(all, {fmt::format("abs_{}", short_name(tire)), fmt::format("ABS on `{}`: least of all roads", tire), "",
            fmt::format("as above, `{}`, with brakes that can lock every wheel", kTestCar), kLeastEfficiency, 1.05,
            fmt::format("at least {:g}", kLeastEfficiency), [&catalog, tire]() -> double {
              VehicleSpec s = car_of(catalog, kTestCar, tire, Fit::none);
              const double needed = best_deceleration(s, {}, kFast) * s.chassis.mass * s.chassis.wheel_radius_nominal;
              s.brake.max_brake_torque = std::fmax(s.brake.max_brake_torque, 1.25 * needed);
              fit(s.control, Fit::abs);
              double least = 1;
              for (const StopRoad& g : kStopRoads) {
                if (!differs(g, s)) continue;
                const Braking b = brake(catalog, s, g, Level::L2);
                if (b.longer) return NAN;
                least = std::fmin(least, b.efficiency);
              }
              return least;
            }});
}

}  // namespace

void add_control_cases(const Catalog& catalog, Cases& all) {
  std::vector<std::array<double, 6>> seen;  // cars that differ in their drive alone stop and turn alike
  for (const CatalogEntry& car : catalog.blueprints()) {
    const VehicleSpec s = car_of(catalog, car.id, "", Fit::none);
    add_launches(catalog, car.id, all);
    const std::array<double, 6> key = {s.chassis.mass,           s.chassis.cg_to_front, s.brake.max_brake_torque,
                                       s.brake.brake_bias_front, s.tire_fl.mu_nominal,  s.tire_rl.B_lat};
    if (std::find(seen.begin(), seen.end(), key) != seen.end()) continue;
    seen.push_back(key);
    add_stops(catalog, car.id, all);
    add_swerves(catalog, car.id, all);
    add_bends(catalog, car.id, all);
  }
  for (const CatalogEntry& part : catalog.parts())
    if (part.id.starts_with("tire.") && part.id != kFrontTire) add_tire(catalog, part.id, all);
}

}  // namespace vdsim::validation
