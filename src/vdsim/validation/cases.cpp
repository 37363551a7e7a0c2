// SPDX-License-Identifier: Apache-2.0
#include "vdsim/validation/cases.hpp"

#include <cmath>
#include <cstring>
#include <stdexcept>

#include "vdsim/study/maneuver/study.hpp"

namespace vdsim {

std::vector<ValidationCase> validation_cases(const Catalog& catalog) {
  std::vector<ValidationCase> all;
  for (const auto add : {validation::add_tire_cases, validation::add_planar_cases, validation::add_handling_cases,
                         validation::add_sprung_cases, validation::add_numeric_cases, validation::add_level_cases,
                         validation::add_published_cases, validation::add_reference_cases, validation::add_car_cases,
                         validation::add_control_cases})
    add(catalog, all);
  return all;
}

ValidationRow validate(const ValidationCase& c) {
  const Measurement m = c.measure();
  const double off = std::fabs(m.value - m.expected), difference = c.relative ? off / std::fabs(m.expected) : off;
  return {c, m, difference, difference <= c.limit};
}

namespace validation {

VehicleSpec sedan(const Catalog& catalog, TireLaw law) {
  SceneChanges changes;
  changes.vehicle = kSedan;
  VehicleSpec s = load_vehicle(catalog, changes);
  if (law == TireLaw::rolling) return s;
  return with_tires(s, [](TireSpec& t) {
    t.lugre.enabled = false;
    t.combined = Combined::similarity;  // as the rolling law
    t.relaxation_length_lat = t.relaxation_length_long = 0;
    t.low_speed_mode = LowSpeedMode::none;
  });
}
VehicleSpec lossless(VehicleSpec s) {
  s.chassis.aero_drag_coeff = s.chassis.aero_lift_front = s.chassis.aero_lift_rear = 0;
  return with_tires(s, [](TireSpec& t) { t.rolling_resistance = 0; });
}
double static_load(const VehicleSpec& s, bool front) {
  const ChassisSpec& c = s.chassis;
  return 0.5 * c.mass * kGravity * (front ? c.cg_to_rear : c.cg_to_front) / c.wheelbase;
}
double axle_stiffness(const VehicleSpec& s, bool front) {
  const TireSpec& t = front ? s.tire_fl : s.tire_rl;
  const double Fz = static_load(s, front), mu = t.mu_nominal * (1 - t.load_sensitivity * (Fz / t.Fz_nominal - 1));
  return 2 * t.B_lat * t.C_lat * t.D_lat * mu * Fz;
}
double wheel_inertia(const VehicleSpec& s) {
  return 0.5 * s.chassis.unsprung_mass[0] * std::pow(s.chassis.wheel_radius_nominal, 2);
}
double rolling_mass(const VehicleSpec& s, bool engine) {
  const DrivetrainSpec& d = s.drivetrain;
  const double I = 4 * wheel_inertia(s) + (engine ? d.engine_rotational_inertia * std::pow(d.final_drive_ratio, 2) : 0);
  return s.chassis.mass + I / std::pow(s.chassis.wheel_radius_nominal, 2);
}
RoadSpec slope(double grade, double bank, double mu) {
  RoadSpec r;
  r.grade = grade, r.bank = bank, r.mu = mu;
  return r;
}

bool drive(Car& sim, const Commands& c, double seconds, double dt) {
  for (long i = 0, n = std::lround(seconds / dt); i < n; ++i)
    if (!sim.step(c, dt)) return false;
  return true;
}
std::string Trial::command() const {
  std::string out = "`vdsim maneuver run " + maneuver + " --vehicle " + vehicle;
  if (!level.empty()) out += " --level " + level;
  if (!tire.empty()) out += " --tire " + tire;
  if (published_car) out += " $CAR";
  for (const std::string& s : sets) out += " --set " + s;
  return out + "`";
}
SceneChanges changes_of(const Trial& trial) {
  SceneChanges out;
  out.vehicle = trial.vehicle;
  out.tire = trial.tire;
  if (trial.published_car)
    for (const std::string& s : kPublishedCar) out.set(s);
  for (const std::string& s : trial.sets) out.set(s);
  return out;
}
Metrics run_trial(const Catalog& catalog, const Trial& trial) {
  ManeuverChanges changes;
  changes.level = trial.level;
  changes.scene = changes_of(trial);
  const Study study = run_study(catalog, load_maneuver(catalog, trial.maneuver), changes);
  const StudyRun& run = study.runs.at(study.main);
  Metrics out;
  for (std::size_t i = 0; i < run.plan.metrics.size(); ++i) out[run.plan.metrics[i].name] = run.result.metrics[i].value;
  return out;
}

}  // namespace validation
}  // namespace vdsim
