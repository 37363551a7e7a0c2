// SPDX-License-Identifier: Apache-2.0
// The handling of a car from its equations, without a run: linear range, understeer budget, handling diagram, eigenvalues,
// g-g-V envelope. Levels L1 and L2. Turns are to the left; ISO 8855 signs; SI. docs/theory/31_handling.md.
#pragma once
#include <array>
#include <complex>
#include <string>
#include <vector>

#include "vdsim/core/road/spec.hpp"
#include "vdsim/core/vehicle/spec.hpp"

namespace vdsim {

struct HandlingCar {
  VehicleSpec vehicle;
  RoadSpec road;
  Level level = Level::L2;
};

// Two eigenvalues of the lateral motion. Real ones of opposite sign have no frequency: NaN.
struct LateralModes {
  std::complex<double> first, second;  // [1/s]; the first has the larger real part, or the positive frequency
  double frequency, damping;           // undamped, sqrt(s1 s2) [rad/s]; ratio [-]
};

// Straight running at speed V, tires steady (their lag condensed out), torque held.
struct LinearRange {
  double V;
  double cornering_stiffness[2];  // of the axles, front and rear [N/rad]
  double trail[2];                // aligning moment / side force of the axles [m]
  double relaxation[2];           // rolling distance in which the side force follows [m]; 0 = at once
  double Y_beta, Y_r, Y_delta;    // side force per slip of the car [N/rad], yaw rate [N s/rad], steer [N/rad]
  double N_beta, N_r, N_delta;    // the same of the yaw moment [N m ...]
  double static_margin;           // neutral steer point behind the CG, over the wheelbase; > 0 is stable at any speed
  double K;                       // understeer gradient [rad s^2/m]: V/yaw gain = L + K V^2
  double yaw_gain;                // [1/s]
  double ay_gain, beta_gain;      // [m/s^2 per rad], [-]
  LateralModes modes;             // of all states of the car
  LateralModes single_track;      // of the two-state car with the derivatives above
  double largest_real;            // of all eigenvalues that the lateral motion takes part in [1/s]
};
LinearRange linear_range(const HandlingCar&, double V);  // throws BadInput if the car cannot run straight at V

// Speeds at which the gain of the linear range peaks, and from which on it is unstable; NaN if there is none below 150 m/s.
double characteristic_speed(const HandlingCar&);
double critical_speed(const HandlingCar&);
double top_speed(const HandlingCar&);  // drive against drag and rolling resistance; at most 150 m/s

// Parts of the understeer gradient (steer - L/R)/ay at a lateral acceleration: of the linear bare car, of the curve of the
// tires, and of every effect: the mean of what changes when it is taken out of the whole car and when it is added to the
// bare one. The remainder is what three or more effects do to each other.
struct BudgetRow {
  std::string name;
  double K;  // [rad s^2/m]
};
struct UndersteerBudget {
  double V, ay;                 // [m/s], [m/s^2]
  std::vector<BudgetRow> rows;  // the last one is the remainder: they add up to `total`
  double total;                 // NaN, and no rows, if some car does not reach ay
  double bare_stiffness[2];     // axle cornering stiffnesses of the bare car [N/rad]
};
UndersteerBudget understeer_budget(const HandlingCar&, double V, double ay);

struct DiagramPoint {
  double ay, V, curvature;           // V^2/R, [m/s], 1/R
  double steer, beta;                // single track, of the car [rad]
  double alpha[2];                   // axle slip angles [rad], positive push into the turn; L/R + front - rear = steer
  double torque;                     // at the wheels [N m]
  std::array<double, 4> fz, fx, fy;  // [N]
};
struct HandlingDiagram {
  bool constant_radius = false;
  double held = 0;  // speed [m/s] or radius [m]
  std::vector<DiagramPoint> points;
  double limit_ay = 0;   // largest ay
  std::string end;       // what ends it: "grip", "steer stop", "wheel spins", "wheel locks", "no steady turn found"
  std::string limit;     // "understeer": the front axle slides, "oversteer": the rear one, "neutral"
  double unstable_from;  // constant speed: ay from which less steer makes more turn; NaN if never
};
HandlingDiagram diagram_at_speed(const HandlingCar&, double V);
HandlingDiagram diagram_at_radius(const HandlingCar&, double R);

// Largest combined acceleration along and across the path in trimmed quasi-steady motion: yaw and wheels in balance, drive
// and brakes shared as the car shares them.
struct EnvelopePoint {
  double angle;     // direction of the acceleration [rad]: 0 ahead, pi/2 left, pi brakes
  double ax, ay;    // along and across the path [m/s^2]
  std::string end;  // as of a diagram, and "drive", "brakes" where those give all they have
};
struct Envelope {
  double V;
  std::vector<EnvelopePoint> points;
};
Envelope acceleration_envelope(const HandlingCar&, double V, int rays);

struct HandlingOptions {
  double speed = 25;                    // of derivatives, budget and diagram [m/s]
  double radius = 100;                  // of the second diagram [m]
  double budget_ay = 4;                 // [m/s^2]
  std::vector<double> speeds;           // of gains and eigenvalues; empty: 5 .. 60 m/s
  std::vector<double> envelope_speeds;  // empty: 10, 20, .. below the top speed, at most 70 m/s
  int rays = 19;                        // of the envelope, 0 to 180 deg
};
struct Handling {
  LinearRange at_speed;
  std::vector<LinearRange> over_speed;
  double characteristic, critical, top;  // [m/s]
  UndersteerBudget budget;
  HandlingDiagram constant_speed, constant_radius;
  std::vector<Envelope> envelope;
};
Handling analyse_handling(const HandlingCar&, const HandlingOptions&);

}  // namespace vdsim
