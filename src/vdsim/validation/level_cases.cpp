// SPDX-License-Identifier: Apache-2.0
// The same motion at different levels.
#include <algorithm>
#include <cmath>

#include "vdsim/validation/cases.hpp"

namespace vdsim::validation {
namespace {

constexpr auto kLevel = ValidationGroup::cross_level;

CarOutputs corner(const VehicleSpec& s, Level level, double steer, double speed, double seconds) {
  const Commands c{.steer = steer};
  Car sim(s, {}, level, Integrator::rk4, {.vx0 = speed});
  drive(sim, c, seconds);
  return sim.outputs(c);
}
// Largest distance in yaw rate and lateral acceleration during a step to 0.4 g, over the largest values.
struct Distance {
  double r, ay;
};
Distance apart(const VehicleSpec& s) {
  const double h = 1e-3;
  Car a(s, {}, Level::L3, Integrator::rk4, {.vx0 = 22}), b(s, {}, Level::L5, Integrator::rk4, {.vx0 = 22});
  const auto at = [](double t) { return Commands{.steer = 0.028 * std::clamp((t - 0.2) / 0.2, 0.0, 1.0)}; };
  double r = 0, ay = 0;
  Distance d{0, 0};
  for (int i = 0; i < 2500; ++i) {
    a.step(at(i * h), at((i + 1) * h), h), b.step(at(i * h), at((i + 1) * h), h);
    if (i % 10) continue;
    const CarOutputs p = a.outputs(at((i + 1) * h)), q = b.outputs(at((i + 1) * h));
    // L5 measures along its rolled axes: yaw about the vertical, acceleration along the road
    const double yaw = q.attitude[6] * q.p + q.attitude[7] * q.q + q.attitude[8] * q.r,
                 side = q.ay * q.attitude[8] - q.az * q.attitude[7];
    r = std::max(r, std::fabs(p.r)), ay = std::max(ay, std::fabs(p.ay));
    d = {std::max(d.r, std::fabs(yaw - p.r)), std::max(d.ay, std::fabs(side - p.ay))};
  }
  return {d.r / r, d.ay / ay};
}

void add_pairs(const Catalog& catalog, Cases& all) {
  const VehicleSpec s = sedan(catalog);
  VehicleSpec narrow = s;  // a car that is a bicycle
  narrow.chassis.cg_height = 0;
  narrow.chassis.mass_sprung = narrow.chassis.mass;
  narrow.chassis.track_front = narrow.chassis.track_rear = 1e-3;
  narrow.steering.ackerman_percent = 0;
  all.push_back(
      {"l1_l2_narrow", kLevel, "yaw rate, L2 as L1: height 0, track 1 mm, parallel steer", "rad/s", "",
       "L1, 0.03 rad at 18 m/s, 2 s", 1e-6, true, "(track/wheelbase)^2", [narrow] {
         return Measurement{corner(narrow, Level::L2, 0.03, 18, 2).r, corner(narrow, Level::L1, 0.03, 18, 2).r};
       }});
  all.push_back({"l1_l2", kLevel, "yaw rate, L2 as L1, 0.04 rad at 15 m/s", "rad/s", "<= 0.5 % apart",
                 "L1: no load transfer, one steer angle", 0.02, true, "load transfer and Ackermann of L2", [s] {
                   return Measurement{corner(s, Level::L2, 0.04, 15, 3).r, corner(s, Level::L1, 0.04, 15, 3).r};
                 }});
  for (const Level level : {Level::L3, Level::L5}) {
    const std::string name = enum_name(level);
    all.push_back({level == Level::L3 ? "l3_l2_slow" : "l5_l2_slow", kLevel, "yaw rate in slow motion, " + name,
                   "rad/s", level == Level::L3 ? "~3e-6 apart" : "", "L2, 0.03 rad at 5 m/s, 5 s", 1e-3, true,
                   "springs do not matter in slow motion", [s, level] {
                     return Measurement{corner(s, level, 0.03, 5, 5).r, corner(s, Level::L2, 0.03, 5, 5).r};
                   }});
  }
  const auto step = once([s] { return apart(s); });
  all.push_back({"l5_l3_yaw", kLevel, "largest difference between L5 and L3 in a step to 0.4 g, yaw rate", "", "",
                 "0, relative to the largest value", 0.01, false, "small angles of L3", [step] {
                   return Measurement{step().r, 0};
                 }});
  all.push_back({"l5_l3_ay", kLevel, "the same for the lateral acceleration", "", "",
                 "0, relative to the largest value", 0.01, false, "small angles of L3", [step] {
                   return Measurement{step().ay, 0};
                 }});
}

struct Common {
  const char *maneuver, *metric, *what, *unit;
  double limit[3];  // L1, L3, L5
  const char* reason;
};
void add_maneuvers(const Catalog& catalog, Cases& all) {
  const Common common[] = {
      {"iso7401",
       "yaw_gain",
       "ISO 7401, yaw gain at 4 m/s^2",
       "1/s",
       {0.05, 0.03, 0.03},
       "L1 has no lateral load transfer; L3 and L5 lean outwards"},
      {"iso7401",
       "yaw_response_time",
       "ISO 7401, response time of the yaw rate",
       "s",
       {0.1, 0.1, 0.1},
       "L1 has no lateral load transfer; L3 and L5 lean outwards with a lag"},
      {"iso21994", "stopping_distance", "ISO 21994, stop from 100 km/h", "m", {0.01, 0.02, 0.02}, "L3 and L5 pitch"}};
  const char* levels[] = {"L1", "L3", "L5"};
  std::map<std::string, std::function<const Metrics&()>> runs;
  const auto run = [&](const char* maneuver, const char* level) {
    auto& r = runs[std::string(maneuver) + level];
    if (!r) r = once([&catalog, t = Trial{maneuver, level, "", {}}] { return run_trial(catalog, t); });
    return r;
  };
  for (const Common& c : common)
    for (std::size_t k = 0; k < 3; ++k) {
      const auto here = run(c.maneuver, levels[k]), there = run(c.maneuver, "L2");
      const std::string metric = c.metric, level = levels[k], id = metric + "_l" + level[1];
      all.push_back({id, kLevel, std::string(c.what) + ", " + level, c.unit,
                     metric == "yaw_gain" && level == "L5" ? "1.9 % from L2" : "",
                     "L2; " + Trial{c.maneuver, level, "", {}}.command(), c.limit[k], true, c.reason, [=] {
                       return Measurement{here().at(metric), there().at(metric)};
                     }});
    }
}

}  // namespace

void add_level_cases(const Catalog& catalog, Cases& all) {
  add_pairs(catalog, all);
  add_maneuvers(catalog, all);
}

}  // namespace vdsim::validation
