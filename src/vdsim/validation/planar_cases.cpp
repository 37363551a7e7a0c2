// SPDX-License-Identifier: Apache-2.0
// The sedan at L2 against statics and Newton's second law.
#include <algorithm>
#include <cmath>

#include "vdsim/validation/cases.hpp"

namespace vdsim::validation {
namespace {

constexpr auto kPlanar = ValidationGroup::analytic;

Measurement rolls_downhill(const VehicleSpec& s) {
  const double T = 4, angle = std::atan(0.1);
  Car sim(s, slope(-0.1), Level::L2, Integrator::rk4, {.vx0 = 5});
  drive(sim, {.gear = 0}, T);
  return {(sim.vx() - 5) / T, kGravity * std::sin(angle) * s.chassis.mass / rolling_mass(s, false)};
}
// Largest speed from 2 to 3 s after the stop.
double speed_after_stop(const VehicleSpec& s) {
  const Commands c{.steer = 0.1, .brake = 0.6};
  Car sim(s, {}, Level::L2, Integrator::rk4, {.vx0 = 10});
  while (sim.vx() > 0 && sim.time() < 20) sim.step(c, 1e-3);
  drive(sim, c, 2);
  double most = 0;
  for (int i = 0; i < 1000; ++i) {
    sim.step(c, 1e-3);
    const CarOutputs o = sim.outputs(c);
    most = std::max({most, std::hypot(o.vx, o.vy), std::fabs(o.r)});
  }
  return most;
}
struct Turn {
  double ay, moment;  // [m/s^2]; of the wheel loads about x [N m]
};
Turn turns(const VehicleSpec& s) {
  const Commands c{.steer = 0.03};
  Car sim(s, {}, Level::L2, Integrator::rk4, {.vx0 = 20});
  drive(sim, c, 3);
  const CarOutputs o = sim.outputs(c);
  const auto& w = o.wheel;
  return {o.ay, 0.5 * (s.chassis.track_front * (w[1].fz - w[0].fz) + s.chassis.track_rear * (w[3].fz - w[2].fz))};
}
Measurement load_under_braking(const VehicleSpec& s) {
  const Commands c{.brake = 0.3};
  Car sim(s, {}, Level::L2, Integrator::rk4, {.vx0 = 20});
  drive(sim, c, 1);
  const CarOutputs o = sim.outputs(c);
  return {o.wheel[0].fz + o.wheel[1].fz - 2 * static_load(s, true),
          -s.chassis.mass * o.ax * s.chassis.cg_height / s.chassis.wheelbase};
}

void add_coast_down(const Catalog& catalog, Cases& all) {
  const Trial trial{"coast_down", "", "", {}};
  const VehicleSpec s = sedan(catalog);
  const ChassisSpec& c = s.chassis;
  const double rr = s.tire_fl.rolling_resistance, q = 0.5 * kAir * c.frontal_area;
  const double f0 = rr * c.mass * kGravity, f2 = q * (c.aero_drag_coeff + rr * (c.aero_lift_front + c.aero_lift_rear));
  const auto run = once([&catalog, trial] { return run_trial(catalog, trial); });
  const std::string reason = "fit over rows at 20 1/s";
  all.push_back({"coast_down_f0", kPlanar, "coast-down, constant part of the road load", "N", "",
                 "rolling resistance m g; " + trial.command(), 2e-3, true, reason, [run, f0] {
                   return Measurement{run().at("f0"), f0};
                 }});
  all.push_back({"coast_down_f2", kPlanar, "coast-down, part that grows with the square of the speed", "N s^2/m^2", "",
                 "rho A (Cd + f Cl)/2; " + trial.command(), 2e-3, true, reason, [run, f2] {
                   return Measurement{run().at("f2"), f2};
                 }});
}
void add_braking(const Catalog& catalog, Cases& all) {
  const Trial trial{"iso21994",
                    "",
                    "",
                    {"pedal=0.3", "rise=0", "chassis.aero_drag_coeff=0", "chassis.aero_lift_front=0",
                     "chassis.aero_lift_rear=0", "tire.rolling_resistance=0"}};
  const VehicleSpec s = sedan(catalog);
  const double force = 0.3 * s.brake.max_brake_torque / s.chassis.wheel_radius_nominal;
  all.push_back({"braking_distance", kPlanar, "stop from 100 km/h at pedal 0.3, no losses", "m", "",
                 "m' v^2/(2 F), F = pedal T/R, m' = m + sum I/R^2; " + trial.command(), 5e-3, true,
                 "slip of the braked wheels", [&catalog, trial, s, force] {
                   const Metrics m = run_trial(catalog, trial);
                   const double v = m.at("initial_speed");
                   return Measurement{m.at("stopping_distance"), rolling_mass(s, false) * v * v / (2 * force)};
                 }});
}

}  // namespace

void add_planar_cases(const Catalog& catalog, Cases& all) {
  const VehicleSpec s = sedan(catalog), free = lossless(s);
  add_coast_down(catalog, all);
  add_braking(catalog, all);
  all.push_back({"load_transfer_braking", kPlanar, "load that braking moves to the front axle", "N", "",
                 "-m ax h/L at pedal 0.3", 1e-6, true, "the load solution",
                 [free] { return load_under_braking(free); }});
  all.push_back({"load_transfer_turn", kPlanar, "moment of the wheel loads in a turn, 4 m/s^2", "N m", "",
                 "m ay h, both axles together", 1e-6, true, "the load solution", [free] {
                   const Turn t = turns(free);
                   return Measurement{t.moment, free.chassis.mass * t.ay * free.chassis.cg_height};
                 }});
  all.push_back({"rolls_downhill", kPlanar, "rolls down 10 % in neutral, no losses", "m/s^2", "",
                 "g sin(atan 0.1) m/m'", 2e-4, true, "slip of the wheels as they spin up",
                 [free] { return rolls_downhill(free); }});
  for (const double grade : {0.08, 0.2}) {
    const bool steep = grade > 0.1;
    const Trial trial{"grade_hold", "", "", {steep ? "grade=0.2" : "grade=0.08", steep ? "pedal=1" : "pedal=0.3"}};
    all.push_back(
        {steep ? "grade_hold_20" : "grade_hold_8", steep ? kPlanar : ValidationGroup::published,
         steep ? "braked on 20 %, drift" : "braked on 8 % at pedal 0.3, drift", "m/h",
         steep ? "" : "36 to 72 m/h (1 to 2 cm/s), LuGre 850 m/h",
         "0: the brake sticks. In VDSim 0.7 its torque is a tanh of the wheel speed and lets the car creep; " +
             trial.command(),
         1e-6, false, "a micrometre in an hour", [&catalog, trial] {
           return Measurement{run_trial(catalog, trial).at("drift_per_hour"), 0};
         }});
  }
  all.push_back({"stop_residual", kPlanar, "braked to a stop in a turn, speed left after 2 s", "m/s", "",
                 "0, pedal 0.6, steer 0.1 rad, from 10 m/s", 1e-6, false, "no creep", [s] {
                   return Measurement{speed_after_stop(s), 0};
                 }});
}

}  // namespace vdsim::validation
