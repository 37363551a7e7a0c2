// SPDX-License-Identifier: Apache-2.0
// What a user edits: plain doubles in SI units, one struct per catalog part, each with its field table.
// compile() (vehicle/compile.hpp) turns a VehicleSpec into the constant Model the step reads.
// Wheels are ordered FL 0, FR 1, RL 2, RR 3 everywhere.
#pragma once
#include "vdsim/core/actuator/actuator_spec.hpp"
#include "vdsim/core/control/control_spec.hpp"
#include "vdsim/core/driveline/powertrain_spec.hpp"
#include "vdsim/core/math/fields.hpp"
#include "vdsim/core/sensor/sensor_spec.hpp"
#include "vdsim/core/steering/rack_spec.hpp"
#include "vdsim/core/tire/patch_spec.hpp"
#include "vdsim/core/tire/rally_spec.hpp"
#include "vdsim/core/tire/tir_spec.hpp"
#include "vdsim/core/vehicle/chassis_spec.hpp"
#include "vdsim/core/vehicle/level.hpp"

namespace vdsim {

enum class Integrator { rk4, euler, implicit };
enum class TireBackend { mf96, linear, magic_formula };
enum class TirFlavour { tno, book };
enum class TireSchema { pacejka_mf96_v1, rally_v1, lugre_patch_v1 };
enum class LugreLaw { rolling, breakaway };
enum class Combined { automatic, similarity, ellipse, none };
enum class MuScaling { similarity, peak_only };
enum class LowSpeedMode { kinematic_blend, tire_vlow, none };
enum class DriveType { RWD, FWD, AWD };
enum class Differential { Open, Locked, LSD };

template <> struct EnumNames<Integrator> { static constexpr std::array names{"rk4", "euler", "implicit"}; };
template <> struct EnumNames<TireBackend> { static constexpr std::array names{"mf96", "linear", "magic_formula"}; };
template <> struct EnumNames<TirFlavour> { static constexpr std::array names{"tno", "book"}; };
template <> struct EnumNames<TireSchema> {
  static constexpr std::array names{"pacejka_mf96_v1", "rally_v1", "lugre_patch_v1"};
};
template <> struct EnumNames<LugreLaw> { static constexpr std::array names{"rolling", "breakaway"}; };
template <> struct EnumNames<Combined> { static constexpr std::array names{"auto", "similarity", "ellipse", "none"}; };
template <> struct EnumNames<MuScaling> { static constexpr std::array names{"similarity", "peak_only"}; };
template <> struct EnumNames<LowSpeedMode> {
  static constexpr std::array names{"kinematic_blend", "tire_vlow", "none"};
};
template <> struct EnumNames<DriveType> { static constexpr std::array names{"RWD", "FWD", "AWD"}; };
template <> struct EnumNames<Differential> { static constexpr std::array names{"Open", "Locked", "LSD"}; };

// tire.*: lugre.rolling  (docs/theory/19_lugre_dynamic_tire.md)
struct RollingSpec {
  double sigma0_lat = 1e5, m_eff = 200, v_st = 0.05, v_d = 0.5, beta = 0.8, roll_memory = 0.03, kappa_cap = 1.5;
  double r_psi = 0.044, c_psi = 3500, L_psi = 0.06;
};

// tire.*: belt  (docs/theory/21_belt_transient.md)
struct BeltSpec {
  bool enabled = false;
  double sigma_lat = 0.5, sigma_long = 0.5;
};

struct LugreSpec {
  bool enabled = true;
  LugreLaw law = LugreLaw::rolling;
  double sigma0 = 3e5, sigma1 = 0, sigma2 = 120, m_eff = 40;
  RollingSpec rolling;
};

// tire.*  One of three schemas. The field table is that of pacejka_mf96_v1; the others have their own block (tire_fields()).
struct TireSpec {
  TireBackend backend = TireBackend::mf96;
  PathText tir_path;
  TirFlavour tir_flavour = TirFlavour::tno;
  double B_long = 10, C_long = 1.65, D_long = 1, E_long = 0.97, B_lat = 8, C_lat = 1.30, D_lat = 1, E_lat = -1;
  double mu_nominal = 1, Fz_nominal = 4000, load_sensitivity = 0, rolling_resistance = 0;
  double relaxation_length_lat = 0, relaxation_length_long = 0, cornering_stiffness = 80000;
  bool combined_slip_enabled = true;
  Combined combined = Combined::automatic;
  MuScaling mu_scaling = MuScaling::similarity;
  double pneumatic_trail = 0.05, trail_falloff_alpha = 0.20, camber_stiffness = 0, crown_radius = 0,
         tire_vertical_stiffness = 220000;
  double radius = 0, reff_breff = 0, reff_dreff = 0, reff_freff = 0;
  LugreSpec lugre;
  BeltSpec belt;
  LowSpeedMode low_speed_mode = LowSpeedMode::kinematic_blend;
  double vlow_speed_eps = 0.15, vlow_damping = 2000;
  // outside the table of pacejka_mf96_v1
  TireSchema schema = TireSchema::pacejka_mf96_v1;
  TirSpec tir;      // content of tir_path
  RallySpec rally;  // body of rally_v1
  PatchSpec patch;  // body of lugre_patch_v1
};

// brake.*  (schema brake_subsystem_v1)
struct BrakeSpec {
  double max_brake_torque = 5000, brake_bias_front = 0.5, max_handbrake_torque = 2500;
};

// steering.*  (schema steering_subsystem_v1)
struct SteeringSpec {
  double steering_ratio = 15, max_steer_angle_wheel = 0.5, ackerman_percent = 0;
  RackSpec rack;
};

// drivetrain.*  (schema drivetrain_v1)
struct DrivetrainSpec {
  DriveType drive_type = DriveType::RWD;
  Differential differential = Differential::Open;
  double max_motor_torque = 300, final_drive_ratio = 5, engine_rotational_inertia = 0.25, lsd_preload = 0.10,
         lsd_ramp = 0.20, drive_split_front = 0.5;
};
// Share of the drive torque that goes to the front axle.
constexpr double front_drive_share(const DrivetrainSpec& d) {
  return d.drive_type == DriveType::FWD ? 1 : d.drive_type == DriveType::RWD ? 0 : d.drive_split_front;
}

struct VehicleSpec {
  ChassisSpec chassis;
  TireSpec tire_fl, tire_fr, tire_rl, tire_rr;
  BrakeSpec brake;
  SteeringSpec steering;
  DrivetrainSpec drivetrain;
  PowertrainSpec powertrain;
  ControlSpec control;
  ActuatorSpec actuator;
  SensorSuiteSpec sensors;
};

}  // namespace vdsim
