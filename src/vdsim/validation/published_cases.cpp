// SPDX-License-Identifier: Apache-2.0
// Figures that VDSim 0.7 published: repeated with its tire law, or what the present law gives instead and why.
#include <algorithm>
#include <cmath>

#include "vdsim/config/scenario.hpp"
#include "vdsim/lab/handling.hpp"
#include "vdsim/validation/cases.hpp"

namespace vdsim::validation {
namespace {

constexpr auto kPublished = ValidationGroup::published;

Trial published(const char* maneuver, const char* tire, std::vector<std::string> sets = {}) {
  return {maneuver, "", tire, std::move(sets), true};
}
const std::vector<std::string> kPlain = {"tire.lugre.enabled=false", "tire.combined=similarity"};

// ISO 7401 with the published tire: breakaway law, sigma0 9e4.
void add_signature(const Catalog& catalog, Cases& all) {
  const struct {
    const char *id, *metric, *what, *unit, *text;
    double value, limit;
  } rows[] = {{"iso7401_yaw_rate", "yaw_rate", "yaw rate", "rad/s", "0.528", 0.528, 0.02},
              {"iso7401_peak", "yaw_peak", "largest yaw rate", "rad/s", "0.6135", 0.6135, 0.05},
              {"iso7401_overshoot", "overshoot", "peak/steady", "", "1.162", 1.162, 0.05},
              {"iso7401_ay", "ay_steady", "lateral acceleration", "m/s^2", "8.336", 8.336, 0.05},
              {"iso7401_peak_time", "peak_time", "time of the peak", "s", "0.742", 0.742, 0.05},
              {"iso7401_response_time", "response_time", "time to 90 %", "s", "0.384", 0.384, 0.12},
              {"iso7401_settling", "settling_time", "settling time", "s", "2.786", 2.786, 0.12}};
  const Trial trial = published("step_steer", "tire.lugre_published");
  const auto run = once([&catalog, trial] { return run_trial(catalog, trial); });
  for (const auto& r : rows) {
    const std::string metric = r.metric;
    const double value = r.value;
    all.push_back({r.id, kPublished, std::string("ISO 7401, 6 deg at 80 km/h, breakaway law: ") + r.what, r.unit,
                   r.text, trial.command(), r.limit, true, "settings and step of VDSim 0.7 are not all known",
                   [run, metric, value] {
                     return Measurement{run().at(metric), value};
                   }});
  }
  const Trial stiff =
      published("step_steer", "tire.lugre_published", {"tire.lugre.sigma0=3e5", "tire.lugre.sigma2=120"});
  all.push_back({"iso7401_stiff_bristles", kPublished, "the same with sigma0 3e5: yaw rate", "rad/s", "0.304",
                 "a defect of that law: the steady turn depends on the bristle stiffness; " + stiff.command(), 0.02,
                 true, "as above", [&catalog, stiff] {
                   return Measurement{run_trial(catalog, stiff).at("yaw_rate"), 0.304};
                 }});
}

// Yaw rate of the steady turn at a steer angle, between the points of the diagram; NaN beyond them.
double yaw_rate_at(const HandlingCar& car, double speed, double steer) {
  const HandlingDiagram d = diagram_at_speed(car, speed);
  for (std::size_t i = 1; i < d.points.size(); ++i) {
    const DiagramPoint &a = d.points[i - 1], &b = d.points[i];
    if (b.steer >= steer) return (a.ay + (b.ay - a.ay) * (steer - a.steer) / (b.steer - a.steer)) / speed;
  }
  return std::nan("");
}
// The rolling law in the same manoeuvre: it gives the magic formula, whatever the bristles.
void add_own_signature(const Catalog& catalog, Cases& all) {
  const Trial rolling = published("step_steer", "tire.vdsim07_pacejka"),
              soft = published("step_steer", "tire.vdsim07_pacejka",
                               {"tire.lugre.sigma0=5e4", "tire.lugre.rolling.sigma0_lat=5e4"}),
              plain = published("step_steer", "tire.vdsim07_pacejka", kPlain);
  const auto run = once([&catalog, plain] { return run_trial(catalog, plain); });
  const auto formula = [run] { return run().at("yaw_rate"); };
  all.push_back({"iso7401_plain", kPublished, "the same with the plain magic formula: yaw rate", "rad/s", "",
                 "steady turn of `vdsim handling` at 6 deg and the mean speed, ay/r; " + plain.command(), 0.08, true,
                 "the run slows down by 1 m/s^2, the steady turn does not", [&catalog, plain, run] {
                   const double speed = run().at("ay_steady") / run().at("yaw_rate");
                   const VehicleSpec s = load_vehicle(catalog, changes_of(plain));
                   return Measurement{run().at("yaw_rate"), yaw_rate_at({s, {}, Level::L2}, speed, 6 * M_PI / 180)};
                 }});
  all.push_back(
      {"iso7401_rolling", kPublished, "the same with the rolling law: yaw rate", "rad/s", "0.528",
       "the plain magic formula. Differs from VDSim 0.7 on purpose: the static floor of its breakaway law makes "
       "the tire nine times too stiff at small slip; " +
           rolling.command(),
       0.02, true, "coasting: the speed history differs", [&catalog, rolling, formula] {
         return Measurement{run_trial(catalog, rolling).at("yaw_rate"), formula()};
       }});
  all.push_back({"iso7401_rolling_soft", kPublished, "the same with bristles of 5e4 N/m: yaw rate", "rad/s", "",
                 "the plain magic formula: the steady value does not depend on sigma0; " + soft.command(), 0.02, true,
                 "coasting: the speed history differs", [&catalog, soft, formula] {
                   return Measurement{run_trial(catalog, soft).at("yaw_rate"), formula()};
                 }});
}

// Slope of steer - L/R over ay between 1 and 4 m/s^2, of the steady turns the equations give [mrad/g].
double diagram_gradient(const HandlingCar& car, double speed) {
  const HandlingDiagram d = diagram_at_speed(car, speed);
  double n = 0, x = 0, y = 0, xx = 0, xy = 0;
  for (const DiagramPoint& p : d.points) {
    if (p.ay < 1 || p.ay > 4) continue;
    const double extra = p.steer - car.vehicle.chassis.wheelbase * p.ay / (speed * speed);
    n += 1, x += p.ay, y += extra, xx += p.ay * p.ay, xy += p.ay * extra;
  }
  return 1e3 * kGravity * (n * xy - x * y) / (n * xx - x * x);
}
void add_steady_turn(const Catalog& catalog, Cases& all) {
  const auto gradient = [&catalog](const Trial& t) {
    return 1e3 * kGravity * run_trial(catalog, t).at("understeer_gradient");
  };
  const Trial lugre = published("iso4138_speed", "tire.lugre_published");
  all.push_back({"iso4138_breakaway", kPublished, "ISO 4138, understeer gradient with the breakaway law", "mrad/g",
                 "24.8",
                 "0: the tires hardly slip. The published value is a fit artefact: samples after break-away fall back "
                 "into the window; " +
                     lugre.command(),
                 1, false, "accepted as neutral", [gradient, lugre] {
                   return Measurement{gradient(lugre), 0};
                 }});
  for (const bool same_car : {true, false}) {
    const Trial trial =
        same_car ? published("iso4138_speed", "tire.vdsim07_pacejka") : Trial{"iso4138_speed", "", "", {}};
    const VehicleSpec s = load_vehicle(catalog, changes_of(trial));
    all.push_back({same_car ? "iso4138_rolling" : "iso4138_sedan", kPublished,
                   same_car ? "the same with the rolling law"
                            : "the same for the sedan of the catalog: load sensitivity, down-force",
                   "mrad/g", same_car ? "about 9 with its plain magic formula" : "",
                   "steady turns of `vdsim handling` in the same window; " + trial.command(), 0.03, true,
                   "the two fits use different points", [gradient, trial, s] {
                     return Measurement{gradient(trial), diagram_gradient({s, {}, Level::L2}, 100 / 3.6)};
                   }});
  }
}

// Brake step: the torque that gives 3.36 m/s^2 without losses.
void add_brake_step(const Catalog& catalog, Cases& all) {
  const VehicleSpec s = lossless(sedan(catalog));
  struct Step {
    double ax, transfer, ratio;
  };
  const auto run = once([s] {
    const Commands c{.brake = 3.36 * rolling_mass(s, true) * s.chassis.wheel_radius_nominal / s.brake.max_brake_torque};
    Car sim(s, {}, Level::L2, Integrator::rk4, {.vx0 = 20});
    drive(sim, c, 1);
    const CarOutputs o = sim.outputs(c);
    const double front = o.wheel[0].fz + o.wheel[1].fz, rest = 2 * static_load(s, true);
    return Step{o.ax, front - rest, front / rest};
  });
  const std::string reason = "slip of the braked wheels";
  all.push_back({"brake_step_ax", kPublished, "brake step, deceleration", "m/s^2", "-3.36", "torque/(R m')", 0.005,
                 true, reason, [run] {
                   return Measurement{run().ax, -3.36};
                 }});
  all.push_back({"brake_step_load", kPublished, "load it moves to the front axle", "N", "1027", "m ax h/L", 0.005, true,
                 reason, [run] {
                   return Measurement{run().transfer, 1027};
                 }});
  all.push_back({"brake_step_ratio", kPublished, "front axle load / static", "", "1.125, analytic 1.126",
                 "1 + ax h/(g b)", 0.001, true, reason, [run] {
                   return Measurement{run().ratio, 1.126};
                 }});
}

void add_integrators(const Catalog& catalog, Cases& all) {
  const VehicleSpec s = sedan(catalog);
  const auto corner = [s](Integrator method, double dt) {
    const Commands c{.steer = 0.05};
    Car sim(s, {}, Level::L2, method, {.vx0 = 10});
    drive(sim, c, 4, dt);
    return sim.outputs(c);
  };
  const struct {
    const char *id, *what, *text;
    Integrator method;
    bool speed;
  } rows[] = {{"euler_yaw", "yaw rate, Euler at 10 ms", "+0.24 %", Integrator::euler, false},
              {"euler_speed", "speed, Euler at 10 ms", "+0.21 %", Integrator::euler, true},
              {"implicit_yaw", "yaw rate, linearly implicit at 10 ms", "", Integrator::implicit, false}};
  for (const auto& r : rows)
    all.push_back({r.id, kPublished, r.what, r.speed ? "m/s" : "rad/s", r.text, "RK4 at 1 ms, 0.05 rad at 10 m/s, 4 s",
                   0.0024, true, "the error VDSim 0.7 published", [=] {
                     const CarOutputs a = corner(r.method, 1e-2), b = corner(Integrator::rk4, 1e-3);
                     return r.speed ? Measurement{a.vx, b.vx} : Measurement{a.r, b.r};
                   }});
}

void add_differentials(const Catalog& catalog, Cases& all) {
  const auto spread = [car = sedan(catalog)](Differential d) {
    VehicleSpec s = car;
    s.drivetrain.differential = d;
    RoadSpec road;
    road.split_mu = {.mu_left = 0.9, .mu_right = 0.3};
    const Commands c{.throttle = 0.4};
    Car sim(s, road, Level::L2, Integrator::rk4, {.vx0 = 10});
    drive(sim, c, 2);
    const CarOutputs o = sim.outputs(c);
    return std::fabs(o.wheel[2].omega - o.wheel[3].omega);
  };
  all.push_back({"split_mu_locked", kPublished,
                 "rear wheels on split friction, locked differential: difference of spin", "rad/s",
                 "0.207 (open 0.605, LSD 0.353)",
                 "0: a locked axle turns as one. VDSim 0.7 shares the torque by a tanh and never locks", 1e-9, false,
                 "rounding", [spread] {
                   return Measurement{spread(Differential::Locked), 0};
                 }});
}

}  // namespace

void add_published_cases(const Catalog& catalog, Cases& all) {
  add_signature(catalog, all);
  add_own_signature(catalog, all);
  add_steady_turn(catalog, all);
  add_brake_step(catalog, all);
  add_integrators(catalog, all);
  add_differentials(catalog, all);
}

}  // namespace vdsim::validation
