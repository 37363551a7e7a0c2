// SPDX-License-Identifier: Apache-2.0
// A planar car (L1, L2) as a set of equations: its rates at a state, and what a steady turn asks of them. The forces are
// those of deriv(), the function a run integrates; nothing is modelled twice. docs/theory/31_handling.md.
#pragma once
#include <array>
#include <memory>
#include <vector>

#include "vdsim/core/road/spec.hpp"
#include "vdsim/core/vehicle/spec.hpp"

namespace vdsim {

// What can be taken out of the car, one bit each.
enum Effect : unsigned {
  kLateralTransfer = 1,        // load that moves across the axles
  kPitchTransfer = 2,          // load that moves between the axles
  kAeroLoad = 4,               // lift or down-force
  kAligningMoment = 8,         // Mz of the tires in the yaw balance
  kRollingResistance = 16,     // at the wheels
  kDriveForce = 32,            // at the wheels; without it the speed is held by a force at the CG
  kAckermann = 64,             // wheels steered by different angles
  kLimitedDifferential = 128,  // locked or limited slip; without it: open
  kAllEffects = 255,
};

// A steady turn to the left: speed along the path V > 0 [m/s], yaw rate r [rad/s], acceleration along the path a_t [m/s^2].
struct Trim {
  double V = 0, r = 0, a_t = 0;
};

// Forces and rates at one state. Wheels FL FR RL RR; a wheel of L1 stands for both of its axle.
struct CarForces {
  std::vector<double> rate;          // of the states, in their order
  std::array<double, 2> Fy, Mz;      // of each axle's contacts, body axes [N]; aligning moments [N m]
  double Fy_sum, Mz_sum;             // on the car: contacts across [N]; all yaw moments [N m]
  std::array<double, 4> fz, fx, fy;  // road on tire [N], wheel frame
  std::array<double, 4> kappa;       // slip ratios
};

// Unknowns of a steady turn: slip of the car beta [rad], steer angle of the single track [rad], torque at the wheels
// (drive > 0, brakes < 0) [N m], then the states of wheels and tires.
enum { kBeta, kSteer, kTorque, kWheelStates };

class SteadyCar {
 public:
  virtual ~SteadyCar() = default;
  virtual int size() const = 0;  // unknowns, and equations; states: vx, vy, r and those of the wheels
  virtual std::vector<double> guess(double V) const = 0;  // of straight running
  virtual const std::vector<double>& scale() const = 0;   // size of each unknown
  virtual std::vector<double> state_of(const std::vector<double>& u, const Trim&) const = 0;
  virtual CarForces forces(const std::vector<double>& state, double steer, double torque) const = 0;
  // [T31.1]  0 in the steady turn
  virtual std::vector<double> residual(const std::vector<double>& u, const Trim&) const = 0;
  // A differential that must slip, or may lock, changes over; true if one did: solve again.
  virtual bool settle(const std::vector<double>& u, const Trim&) = 0;
  // States that turn lateral slip into force, one per axle: index, or -1 if the force follows at once.
  virtual std::array<int, 2> lateral_states() const = 0;
};

// Throws BadInput for levels on springs and tires without rates of their own (breakaway law, contact-patch LuGre).
std::unique_ptr<SteadyCar> steady_car(const VehicleSpec&, const RoadSpec&, Level, unsigned without = 0);

// Largest torque at the wheels at speed V, over all gears, wheels without slip [N m].
double largest_drive_torque(const VehicleSpec&, double V);

}  // namespace vdsim
