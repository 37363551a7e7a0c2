// SPDX-License-Identifier: Apache-2.0
// Random cars, roads and starts, each of one number: for what must hold for every car.
#pragma once
#include <string>

#include "tests/laws/rolling_rig.hpp"
#include "vdsim/engine/car.hpp"
#include "vdsim/engine/errors.hpp"
#include "vdsim/formats/tir.hpp"

namespace laws {

constexpr Level kLevels[] = {Level::L1, Level::L2, Level::L3, Level::L5};
inline const char* name(Level l) { return EnumNames<Level>::names[std::size_t(l)]; }
inline const char* name(Integrator i) { return EnumNames<Integrator>::names[std::size_t(i)]; }

enum Tire { rolling, linear, breakaway, fallback, belt, tir, rally, patch, kTires };
constexpr const char* kTireName[] = {"rolling", "linear", "breakaway", "fallback", "belt", "tir", "rally", "patch"};

// What one run is made of.
struct Case {
  Level level;
  Integrator method;
  double h;
  Tire tire;
  VehicleSpec car;
  RoadSpec road;
  StartPose pose;
  double vy = 0, r = 0, p = 0, q = 0;  // at the start, beyond the pose
  std::string what;
};

inline bool chance(Rng& r, double share) { return r(0, 1) < share; }
inline double factor(Rng& r) { return r.log(0.6, 1.6); }

inline TirSpec read_file(int which) {
  static const TirSpec files[2] = {
      [] {
        Errors e;
        Warnings w;
        return *read_tir_file(std::string(VDSIM_SOURCE_DIR) + "/configs/tir/typical_195_65R15_mf52.tir", e, w);
      }(),
      [] {
        Errors e;
        Warnings w;
        return *read_tir_file(std::string(VDSIM_SOURCE_DIR) + "/configs/tir/typical_235_45R18_mf62.tir", e, w);
      }()};
  return files[which];
}

inline TireSpec random_tire(Rng& r, Tire kind) {
  TireSpec t;
  t.B_long *= factor(r), t.C_long = r(1.1, 1.95), t.D_long *= factor(r), t.E_long = r(-2, 0.99);
  t.B_lat *= factor(r), t.C_lat = r(1.1, 1.95), t.D_lat *= factor(r), t.E_lat = r(-2, 0.99);
  t.load_sensitivity = r(0, 0.4), t.rolling_resistance = r(0, 0.03), t.cornering_stiffness *= factor(r);
  t.pneumatic_trail *= factor(r), t.camber_stiffness = r(0, 1), t.crown_radius = chance(r, 0.5) ? r(0, 0.2) : 0;
  t.tire_vertical_stiffness *= factor(r);
  t.lugre.sigma0 *= factor(r), t.lugre.rolling.sigma0_lat *= factor(r);
  if (kind == linear) t.backend = TireBackend::linear;
  if (kind == breakaway) t.lugre.law = LugreLaw::breakaway;
  if (kind == fallback) {
    t.lugre.enabled = false;
    t.relaxation_length_lat = chance(r, 0.5) ? r(0.1, 0.8) : 0;
    t.relaxation_length_long = chance(r, 0.5) ? r(0.05, 0.3) : 0;
  }
  if (kind == belt) {
    t.belt = {true, r(0.1, 0.8), r(0.1, 0.8)};
    if (chance(r, 0.5)) t.lugre.law = LugreLaw::breakaway;
  }
  if (kind == tir) {
    t.backend = TireBackend::magic_formula;
    t.tir_path = "a.tir";
    t.tir = read_file(chance(r, 0.5));
    t.tir.scaling.LMUX = r(0.6, 1.3), t.tir.scaling.LMUY = r(0.6, 1.3);
    t.tir.scaling.LKX = factor(r), t.tir.scaling.LKY = factor(r);
  }
  if (kind == rally) {
    t.schema = TireSchema::rally_v1;
    t.rally.mode = RallyMode(int(r(0, 3)) % 3);
    t.rally.magic_formula.longitudinal_b *= factor(r), t.rally.magic_formula.lateral_b *= factor(r);
    t.rally.friction.peak_friction_coefficient *= factor(r), t.rally.friction.load_sensitivity = r(0, 0.25);
    t.rally.wheel.vertical_stiffness *= factor(r), t.rally.patch.relaxation_length *= factor(r);
  }
  if (kind == patch) {
    t.schema = TireSchema::lugre_patch_v1;
    PatchSpec& s = t.patch;
    s.fidelity = chance(r, 0.8) ? PatchFidelity::exact : PatchFidelity::average;
    s.length = 0.14 * factor(r), s.sigma0 = {400 * factor(r), 280 * factor(r)}, s.sigma1 = {0.4, 0.4};
    s.mu_k = 0.85 * factor(r), s.mu_s = s.mu_k * r(1, 1.4), s.v_s = 6 * factor(r);
    s.load = PatchLoad::trapezoidal, s.load_a = 0.2 * s.length, s.load_b = 0.8 * s.length;
  }
  return t;
}

inline void random_chassis(Rng& r, ChassisSpec& c) {
  const double size = factor(r);
  c.mass *= size, c.mass_sprung = 0.9 * c.mass;
  for (double& I : c.inertia_diag) I *= size * r(0.7, 1.5);
  c.cg_to_front *= r(0.7, 1.4), c.cg_to_rear *= r(0.7, 1.4), c.wheelbase = c.cg_to_front + c.cg_to_rear;
  c.track_front *= r(0.8, 1.2), c.track_rear *= r(0.8, 1.2);
  c.cg_height *= factor(r);
  for (std::size_t i = 0; i < 4; ++i) {
    c.spring_stiffness[i] *= size * factor(r), c.damper_coefficient[i] *= size * factor(r);
    c.unsprung_mass[i] *= size * r(0.6, 1.2);
  }
  c.damper_rebound_ratio = r(0.6, 3), c.bump_travel = r(0.03, 0.12), c.droop_travel = r(0.03, 0.12);
  c.arb_front = r(0, 3e4), c.arb_rear = r(0, 3e4);
  c.roll_center_front = r(-0.05, 0.2), c.roll_center_rear = r(-0.05, 0.2);
  c.anti_dive_front = r(-0.3, 0.6), c.anti_squat_rear = r(-0.3, 0.6);
  c.camber_per_roll = r(0, 1), c.camber_per_travel = r(-1, 1);
  c.aero_drag_coeff *= factor(r), c.aero_lift_front = r(-0.2, 0.6), c.aero_lift_rear = r(-0.2, 0.6);
}

inline void random_equipment(Rng& r, VehicleSpec& s) {
  s.drivetrain.drive_type = DriveType(int(r(0, 3)) % 3);
  s.drivetrain.differential = Differential(int(r(0, 3)) % 3);
  s.drivetrain.max_motor_torque *= r(0.5, 3);
  s.brake.brake_bias_front = r(0.3, 0.8), s.brake.max_brake_torque *= factor(r);
  s.steering.ackerman_percent = r(-50, 150);
  if (chance(r, 0.4)) {
    s.powertrain.enabled = true;
    s.powertrain.type = chance(r, 0.6) ? PowertrainType::engine : PowertrainType::motor;
    s.powertrain.motor.regen = r(0, 1);
  }
  if (chance(r, 0.4)) {
    ControlSpec& c = s.control;
    for (bool* on :
         {&c.hydraulics.enabled, &c.abs.enabled, &c.ebd.enabled, &c.tc.enabled, &c.esc.enabled, &c.vectoring.enabled})
      *on = chance(r, 0.5);
  }
  s.steering.rack.steering_dynamic = chance(r, 0.3);
  if (s.steering.rack.steering_dynamic && chance(r, 0.2)) s.steering.rack.column_stiffness = 0;
  if (chance(r, 0.2)) s.actuator.steer_lag_s = r(0.01, 0.1), s.actuator.brake_rate_limit = r(2, 10);
}

inline RoadSpec random_road(Rng& r, std::string& what) {
  RoadSpec road;
  road.mu = r.log(0.05, 1.6);
  const int kind = int(r(0, 6));
  if (kind == 1) road.split_mu = {r.log(0.05, 1.2), r.log(0.05, 1.2), r(-1, 1), 0.1}, what += " split";
  if (kind == 2) road.iso_class = IsoClass::C, road.psd.seed = int(r(1, 1000)), what += " iso C";
  if (kind == 3) road.stunt.ramp = {r(5, 30), r(3, 10), r(0.2, 1.5), chance(r, 0.5) ? 0 : r(1, 5), 0}, what += " ramp";
  if (kind == 4) road.rough_amp = r(0.005, 0.05), road.rough_wl = r(1, 8), what += " bumps";
  if (chance(r, 0.3)) road.grade = r(-0.3, 0.3), road.bank = r(-0.2, 0.2), what += " slope";
  return road;
}

inline Case random_case(unsigned seed) {
  Rng r(seed);
  Case c;
  c.level = kLevels[seed % 4];
  // files are slow to evaluate: one car in 22
  constexpr Tire kOften[] = {rolling, linear, breakaway, fallback, belt, rally, patch};
  const unsigned slot = seed / 4 % 22;
  c.tire = slot == 21 ? tir : kOften[slot % 7];
  const int way = int(r(0, 4));
  c.method = way < 2 ? Integrator::rk4 : way == 2 ? Integrator::implicit : Integrator::euler;
  c.h = way == 1 ? 2e-3 : way == 2 ? 5e-3 : 1e-3;
  random_chassis(r, c.car.chassis);
  const TireSpec front = random_tire(r, c.tire), rear = chance(r, 0.5) ? front : random_tire(r, c.tire);
  c.car.tire_fl = c.car.tire_fr = front;
  c.car.tire_rl = c.car.tire_rr = rear;
  random_equipment(r, c.car);
  c.what = std::string(name(c.level)) + " " + kTireName[c.tire] + " " + name(c.method) + " " +
           std::to_string(int(c.h * 1e3)) + " ms";
  c.road = random_road(r, c.what);
  c.pose = {0, r(-2, 2), r(-kPi, kPi), chance(r, 0.2) ? 0 : chance(r, 0.2) ? r(-20, 0) : r(0, 60)};
  const bool sprung = c.level == Level::L3 || c.level == Level::L5;
  if (chance(r, 0.3)) c.pose.vx0 = r(-30, 30), c.vy = r(-30, 30), c.r = r(-4, 4), c.what += " spin";
  if (sprung && chance(r, 0.3)) {
    c.pose.z0 = r(0.01, 2), c.what += " in the air";
    if (chance(r, 0.5)) c.p = r(-1, 1), c.q = r(-1, 1);
  }
  return c;
}

}  // namespace laws
