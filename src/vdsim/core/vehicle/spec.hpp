// What a user edits: plain doubles in SI units, one struct per catalog part, each with its field table.
// compile() (vehicle/model.hpp) turns a VehicleSpec into the constant Model the step reads.
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
template <> struct EnumNames<LowSpeedMode> {
  static constexpr std::array names{"kinematic_blend", "tire_vlow", "none"};
};
template <> struct EnumNames<DriveType> { static constexpr std::array names{"RWD", "FWD", "AWD"}; };
template <> struct EnumNames<Differential> { static constexpr std::array names{"Open", "Locked", "LSD"}; };

// tire.*: lugre.rolling  (docs/theory/19_lugre_dynamic_tire.md)
struct RollingSpec {
  double sigma0_lat = 1e5, m_eff = 200, v_st = 0.05, v_d = 0.5, beta = 0.8, roll_memory = 0.03, kappa_cap = 1.5;
  double r_psi = 0.044, c_psi = 3500, L_psi = 0.06;

  static constexpr auto fields() {
    using S = RollingSpec;
    return std::tuple{
        field("sigma0_lat", &S::sigma0_lat, "N/m", above(0),
              "lateral bristle stiffness; relaxation length = slip stiffness / sigma0"),
        field("m_eff", &S::m_eff, "kg", above(0), "mass per wheel that the automatic sigma1 damps critically"),
        field("v_st", &S::v_st, "m/s", above(0), "speed below which friction is static"),
        field("v_d", &S::v_d, "m/s", above(0), "speed above which bristle damping fades"),
        field("beta", &S::beta, "-", Range{0, 1, false, true},
              "share of the peak force that is purely elastic at rest"),
        field("roll_memory", &S::roll_memory, "m", at_least(0),
              "distance of rolling that renews the contact patch; 0 = none"),
        field("kappa_cap", &S::kappa_cap, "-", Range{0.5, kInf, false, true},
              "largest slip ratio the steady curve is read at"),
        field("r_psi", &S::r_psi, "m", above(0), "radius of the parking torque: M_max = D r_psi"),
        field("c_psi", &S::c_psi, "N m/rad", at_least(0),
              "twist stiffness of the standing patch; 0 = no parking torque"),
        field("L_psi", &S::L_psi, "m", above(0), "rolling distance over which the twist unwinds")};
  }
};
VD_COMPLETE(RollingSpec);

// tire.*: belt  (docs/theory/21_belt_transient.md)
struct BeltSpec {
  bool enabled = false;
  double sigma_lat = 0.5, sigma_long = 0.5;

  static constexpr auto fields() {
    using S = BeltSpec;
    return std::tuple{
        field("enabled", &S::enabled, "carcass compliance: the force follows the slip after a rolled distance"),
        field("sigma_lat", &S::sigma_lat, "m", at_least(0), "lateral relaxation length of the carcass; 0 = rigid"),
        field("sigma_long", &S::sigma_long, "m", at_least(0),
              "longitudinal relaxation length of the carcass; 0 = rigid")};
  }
};
VD_COMPLETE(BeltSpec);

struct LugreSpec {
  bool enabled = true;
  LugreLaw law = LugreLaw::rolling;
  double sigma0 = 3e5, sigma1 = 0, sigma2 = 120, m_eff = 40;
  RollingSpec rolling;

  static constexpr auto fields() {
    using S = LugreSpec;
    return std::tuple{
        field("enabled", &S::enabled, "bristle states on; off = kinematic fallback"),
        field("law", &S::law, "rolling: steady law at speed, true hold at rest; breakaway: classic LuGre on MF96"),
        field("sigma0", &S::sigma0, "N/m", above(0), "bristle stiffness (rolling: longitudinal)"),
        field("sigma1", &S::sigma1, "N s/m", at_least(0), "bristle damping; 0 = 2 sqrt(sigma0 m_eff)"),
        field("sigma2", &S::sigma2, "N s/m", at_least(0), "viscous friction (breakaway only)"),
        field("m_eff", &S::m_eff, "kg", above(0), "mass for the automatic sigma1 (breakaway only)"),
        field("rolling", &S::rolling, "parameters of law: rolling")};
  }
};
VD_COMPLETE(LugreSpec);

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

  static constexpr auto fields() {
    using S = TireSpec;
    return std::tuple{
        field("backend", &S::backend,
              "steady law: mf96; linear (saturated at the peak); magic_formula (from a .tir file)"),
        field("tir_path", &S::tir_path, "backend magic_formula: MF-Tyre property file, relative to this file"),
        field("tir_flavour", &S::tir_flavour, "where the MF-Tyre manual and the book differ: tno or book"),
        field("B_long", &S::B_long, "-", above(0), "stiffness factor, longitudinal"),
        field("C_long", &S::C_long, "-", Range{0, 2, true, false}, "shape factor, longitudinal"),
        field("D_long", &S::D_long, "-", above(0), "peak factor, longitudinal"),
        field("E_long", &S::E_long, "-", Range{-kInf, 1, true, false}, "curvature factor, longitudinal"),
        field("B_lat", &S::B_lat, "1/rad", above(0), "stiffness factor, lateral"),
        field("C_lat", &S::C_lat, "-", Range{0, 2, true, false}, "shape factor, lateral"),
        field("D_lat", &S::D_lat, "-", above(0), "peak factor, lateral"),
        field("E_lat", &S::E_lat, "-", Range{-kInf, 1, true, false}, "curvature factor, lateral"),
        field("mu_nominal", &S::mu_nominal, "-", above(0), "friction at the nominal load"),
        field("Fz_nominal", &S::Fz_nominal, "N", above(0), "nominal load"),
        field("load_sensitivity", &S::load_sensitivity, "-", between(0, 2),
              "loss of friction per unit of relative overload"),
        field("rolling_resistance", &S::rolling_resistance, "-", between(0, 1),
              "moment on the wheel / (Fz Re), dry at rest"),
        field("relaxation_length_lat", &S::relaxation_length_lat, "m", at_least(0),
              "slip angle lag, only with LuGre off"),
        field("relaxation_length_long", &S::relaxation_length_long, "m", at_least(0),
              "slip ratio lag, only with LuGre off"),
        field("cornering_stiffness", &S::cornering_stiffness, "N/rad", above(0),
              "at the nominal load, backend linear only"),
        field("combined_slip_enabled", &S::combined_slip_enabled, "false = combined: none"),
        field("combined", &S::combined, "combined slip; auto = similarity (law rolling) or ellipse (law breakaway)"),
        field("pneumatic_trail", &S::pneumatic_trail, "m", at_least(0), "trail at zero slip angle"),
        field("trail_falloff_alpha", &S::trail_falloff_alpha, "rad", above(0),
              "slip angle where the trail is down to 71 %"),
        field("camber_stiffness", &S::camber_stiffness, "1/rad", at_least(0),
              "camber thrust per load and camber angle"),
        field("crown_radius", &S::crown_radius, "m", at_least(0), "tread crown radius (levels with camber)"),
        field("tire_vertical_stiffness", &S::tire_vertical_stiffness, "N/m", above(0), "radial stiffness"),
        field("radius", &S::radius, "m", at_least(0), "free rolling radius; 0 = the chassis' wheel_radius_nominal"),
        field("reff_breff", &S::reff_breff, "-", at_least(0), "effective radius: low load stiffness"),
        field("reff_dreff", &S::reff_dreff, "-", at_least(0), "effective radius: peak value"),
        field("reff_freff", &S::reff_freff, "-", at_least(0), "effective radius: high load stiffness"),
        field("lugre", &S::lugre, "bristle dynamics"),
        field("belt", &S::belt, "carcass relaxation"),
        field("low_speed_mode", &S::low_speed_mode, "what carries the car near standstill when LuGre is off"),
        field("vlow_speed_eps", &S::vlow_speed_eps, "m/s", above(0), "tire_vlow: slip denominator floor"),
        field("vlow_damping", &S::vlow_damping, "N s/m", at_least(0), "tire_vlow: damping at rest")};
  }
};
VD_COMPLETE_BUT(TireSpec, 4);

// brake.*  (schema brake_subsystem_v1)
struct BrakeSpec {
  double max_brake_torque = 5000, brake_bias_front = 0.5, max_handbrake_torque = 2500;

  static constexpr auto fields() {
    using S = BrakeSpec;
    return std::tuple{
        field("max_brake_torque", &S::max_brake_torque, "N m", at_least(0), "pedal 1, sum over four wheels"),
        field("brake_bias_front", &S::brake_bias_front, "-", between(0, 1), "share of the front axle"),
        field("max_handbrake_torque", &S::max_handbrake_torque, "N m", at_least(0),
              "lever 1, sum over the rear wheels")};
  }
};
VD_COMPLETE(BrakeSpec);

// steering.*  (schema steering_subsystem_v1)
struct SteeringSpec {
  double steering_ratio = 15, max_steer_angle_wheel = 0.5, ackerman_percent = 0;
  RackSpec rack;

  static constexpr auto fields() {
    using S = SteeringSpec;
    return std::tuple{field("steering_ratio", &S::steering_ratio, "-", above(0), "hand wheel angle / road wheel angle"),
                      field("max_steer_angle_wheel", &S::max_steer_angle_wheel, "rad", Range{0, 1.4, true, false},
                            "limit of the road wheel angle"),
                      field("ackerman_percent", &S::ackerman_percent, "%", between(-100, 200),
                            "0 = parallel wheels, 100 = Ackermann"),
                      field("rack", &S::rack, "rack that moves by its own law")};
  }
};
VD_COMPLETE(SteeringSpec);

// drivetrain.*  (schema drivetrain_v1)
struct DrivetrainSpec {
  DriveType drive_type = DriveType::RWD;
  Differential differential = Differential::Open;
  double max_motor_torque = 300, final_drive_ratio = 5, engine_rotational_inertia = 0.25, lsd_preload = 0.10,
         lsd_ramp = 0.20, drive_split_front = 0.5;

  static constexpr auto fields() {
    using S = DrivetrainSpec;
    return std::tuple{
        field("drive_type", &S::drive_type, "driven wheels"),
        field("differential", &S::differential, "of every driven axle"),
        field("max_motor_torque", &S::max_motor_torque, "N m", at_least(0), "throttle 1, at the motor"),
        field("final_drive_ratio", &S::final_drive_ratio, "-", above(0), "motor speed / axle speed"),
        field("engine_rotational_inertia", &S::engine_rotational_inertia, "kg m^2", at_least(0),
              "at the motor, in gear"),
        field("lsd_preload", &S::lsd_preload, "-", between(0, 1), "LSD lock at zero torque / largest axle torque"),
        field("lsd_ramp", &S::lsd_ramp, "-", between(0, 1), "LSD lock per axle torque"),
        field("drive_split_front", &S::drive_split_front, "-", between(0, 1), "AWD: share of the front axle")};
  }
};
VD_COMPLETE(DrivetrainSpec);
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

  static constexpr auto fields() {
    using S = VehicleSpec;
    return std::tuple{field("chassis", &S::chassis, "masses, geometry, aero"),
                      field("tire_fl", &S::tire_fl, "front left tire"),
                      field("tire_fr", &S::tire_fr, "front right tire"),
                      field("tire_rl", &S::tire_rl, "rear left tire"),
                      field("tire_rr", &S::tire_rr, "rear right tire"),
                      field("brake", &S::brake, "brakes"),
                      field("steering", &S::steering, "steering"),
                      field("drivetrain", &S::drivetrain, "motor and differential"),
                      field("powertrain", &S::powertrain, "engine and gearbox, or a motor with its limits"),
                      field("control", &S::control, "brake hydraulics, ABS, traction and yaw control"),
                      field("actuator", &S::actuator, "dead time, lag, rate and limits of the commands"),
                      field("sensors", &S::sensors, "what is measured")};
  }
};
VD_COMPLETE(VehicleSpec);

}  // namespace vdsim
