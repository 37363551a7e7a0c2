// SPDX-License-Identifier: Apache-2.0
// Every signal of a car at one instant, and the table that names them: columns of files, words of manoeuvre expressions, what
// drivers, sensors and reports read. A new signal is a member here and a line in outputs.cpp.
// Frames: ISO 8855, x forward, y left, z up; forces and moments of the road on the tire, wheel frame.
#pragma once
#include <string>
#include <vector>

#include "vdsim/core/road/spec.hpp"
#include "vdsim/core/vehicle/spec.hpp"
#include "vdsim/engine/column.hpp"

namespace vdsim {

// R: double, or a Dual where signals are differentiated (engine/linear).
template <class R> struct WheelNumbers {
  R omega, kappa, alpha, fz, fx, fy, mz, mu, zx, zy, mx, my;
  R t_tread, t_core, tread;                      // rally tire, else 0
  R surface_friction, deformation, water_depth;  // of what lies on the road, where it says so, else 0
  R travel, camber;                              // L3, L5: up against the body [m]; inclination against the road [rad]
  R drive_torque, brake_torque;                  // on the wheel, positive forward [N m]
  R fx_peak, fy_peak;                            // largest forces at this load and friction [N]
  R held;                                        // 1: dry friction holds the wheel, it does not turn
  R re;                                          // effective rolling radius [m]
  R brake_pressure, abs, control_brake;          // hydraulics and controllers, else 0
  R outside;                                     // 1: a .tir file was asked for a load or slip outside its ranges
};
using WheelOutputs = WheelNumbers<double>;

template <class R> struct CarNumbers {
  R t, x, y, psi, vx, vy, r;
  R ax, ay;  // time derivative of the velocity, body axes (vx' - r vy, vy' + r vx)
  WheelNumbers<R> wheel[4];
  // L3, L5: CG above the road plane [m], roll (left up), pitch (nose down) [rad], their rates, vertical speed, acceleration;
  // L5: velocities, rates and accelerations in body axes
  R z, roll, pitch, vz, p, q, az;
  R heading;             // psi without whole turns [rad]
  R steer, steer_wheel;  // where the front wheels point, single track; the hand wheel that goes with it [rad]
  R steer_command, throttle, brake, handbrake, gear_command;  // as driven
  R engine_speed, gear;                                       // powertrain [rad/s], else 0; gear that is in
  R beta, curvature;  // side slip angle of the CG [rad]; of its path [1/m]; 0 below 0.1 m/s
  R r_ref, v_ref,
      control_throttle;  // controllers: yaw rate and speed they go by, share of the throttle they leave
  R speed_error, path_offset,
      path_course;             // of the driver: set speed less vx; from the path, its direction; else 0
  R stale;                     // control: external: 1 where the commands are older than cmd_timeout
  R distance, phase;           // of a manoeuvre: travelled [m]; number of the phase
  R air_speed, air_angle;      // of the car through the air [m/s]; its direction, positive left [rad]
  R alpha[3];                  // angular acceleration, body axes [rad/s^2]
  R position[3], attitude[9];  // CG; body axes as columns, row by row; axes of the road plane
};
struct CarOutputs : CarNumbers<double> {
  int wheels;  // f, r (L1) or fl, fr, rl, rr
};

// What a car must have for a signal to exist.
enum class Needs {
  nothing,
  springs,
  powertrain,
  wind,
  ground,
  rally,
  tir,
  hydraulics,
  abs,
  traction,
  yaw_control,
  controllers,
  speed,
  path,
  external,
  maneuver
};

// What a car and its driver have.
struct SignalScope {
  Level level = Level::L2;
  bool powertrain = false, wind = false, ground = false, rally = false, tir = false;
  bool hydraulics = false, abs = false, traction = false, yaw_control = false;
  bool speed = false, path = false;  // the driver holds a speed, follows a path
  bool external = false;             // a program drives it
  bool maneuver = false;
  bool everything = false;  // whatever there is; 0 where the car lacks it
  bool has(Needs) const;
};
SignalScope signal_scope(const VehicleSpec&, const RoadSpec&, Level);

// Signals of a car in the order of its columns; those of wheels are named fx_fl, ...
std::vector<Column> signals(const SignalScope&);
void signal_values(const SignalScope&, const CarOutputs&, std::vector<double>& append);
std::vector<std::string> wheel_names(Level);  // f, r or fl, fr, rl, rr

}  // namespace vdsim
