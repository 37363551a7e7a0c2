// SPDX-License-Identifier: Apache-2.0
// Command levels, each translated into the one below: path -> curvature -> steer angle,
// acceleration -> pedals, or acceleration -> total force -> wheel torques. docs/theory/16_commands.md.
#pragma once
#include "vdsim/core/vehicle/spec.hpp"
#include "vdsim/study/path.hpp"
#include "vdsim/study/pedals.hpp"

namespace vdsim {

// What the command levels perceive of the car. Wheels FL FR RL RR; L1: the axle's values on both sides.
struct CommandView {
  double t = 0;
  double vx = 0, vy = 0, r = 0;  // body axes [m/s], [rad/s]
  double psi = 0, x = 0, y = 0;  // heading [rad], CG on the road plane [m]
  double ax = 0;                 // [m/s^2]
  double gravity = 0;            // acceleration by the slope along the car's x axis, positive pushes forward [m/s^2]
  double fz[4] = {};             // loads [N]
  double w[4] = {};              // spins [rad/s]
  double steer = 0;              // road-wheel angle of the single track [rad]
  bool in_gear = true;           // the motor turns with the wheels
};

// What it knows of the car.
struct NominalCar {
  double mass, yaw_inertia, wheelbase, a, b;  // [kg], [kg m^2], [m]; CG to front and rear axle [m]
  double drag;                                // [N s^2/m^2]: F = drag vx |vx|
  double inertia[4], motor[4], radius[4];     // spin; the motor's share, in gear [kg m^2]; [m]
  bool powertrain;                            // an engine or motor of its own law
  double rolling[4];                          // rolling resistance, moment/(Fz radius) [-]
  double drive_share[4], brake_share[4];      // of the sum of the wheel torques; each adds up to 1
  double max_drive, max_brake;                // sum of the wheel torques at full pedals [N m]
  double understeer;                          // d(steer)/d(ay) at constant radius [rad s^2/m]
  double cornering_front, cornering_rear;     // axle stiffnesses [N/rad]
  double max_steer;                           // [rad]
  double effective_mass;                      // with the spin of wheels and engine [kg]
  PedalGain gain;                             // acceleration that full pedals give [m/s^2]
};
NominalCar nominal_car(const VehicleSpec&);

// ---------------------------------------------------------------------------------------------- torques

struct WheelTorques {
  double torque[4];  // [N m], positive forward
};
WheelTorques axle_torques(double front, double rear);  // half to each side

// Total contact force -> wheel torques. Positive sums go where the car drives, negative ones where it brakes. The
// wheels' own inertia and rolling resistance are compensated: sum of force[] = the commanded force, in steady and in
// accelerated motion.
struct ForceSplit {
  double torque[4];  // [N m]
  double force[4];   // longitudinal contact forces, wheel frame [N]
  bool limited;      // more than motor or brakes can: the sum of force[] is what they give
};
ForceSplit split_force(const NominalCar&, double force, const CommandView&);

// Contact force that gives this acceleration of vx: slope and drag included [N].
double force_for_acceleration(const NominalCar&, double acceleration, const CommandView&);

// ----------------------------------------------------------------------------------------- acceleration

// `wanted`: along the gear's direction (gear 1 or -1) [m/s^2]; a negative one brakes to a stop and holds.
// Call once per step; `done`: length of the step just done [s], 0 at the start.
Pedals hold_acceleration(const NominalCar&, PedalMemory&, double wanted, int gear, double done, const CommandView&);

// ------------------------------------------------------------------------------------- curvature and path

// Steady road-wheel angle of a turn: geometry and understeer. Curvature of the CG's path, positive left; any sign of
// vx.
double steer_for_curvature(const NominalCar&, double curvature, double vx);

struct CurvatureMemory {
  double expected = 0;  // curvature the car should have by now [1/m]
  double trim = 0;      // learnt correction of the steer angle [rad]
};
// The same, with a correction by the measured motion: at speed the front wheels are turned partly with the course of
// their axle, which damps the yaw motion, and a slow one by the yaw rate: the turn has the commanded curvature in the
// end.
double hold_curvature(const NominalCar&, CurvatureMemory&, double curvature, double done, const CommandView&);

struct PathMemory {
  double station = 0;  // of the nearest point [m]
  int found = 0;       // 0: look for it on the whole path
};
struct PathDemand {
  double curvature;  // to command [1/m]
  double offset;     // of the CG from the path, positive left [m]
  double course;     // direction of travel less that of the path [rad]
  double left;       // to the end of an open path [m]; a closed one has no end: infinite
};
// Feed-forward of the curvature ahead and feedback of offset and course. lookahead: distance over which an error is
// closed [m]; at speed at least kPathTime vx. Forward driving only.
inline constexpr double kPathTime = 1.0;  // [s]
PathDemand follow_path(const Path&, const NominalCar&, PathMemory&, double lookahead, const CommandView&);

}  // namespace vdsim
