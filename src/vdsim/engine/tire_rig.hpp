// SPDX-License-Identifier: Apache-2.0
// One tire alone: its motion and load prescribed, its forces, moments and states returned.
// Frame W (ISO 8855): x forward in the wheel plane, y left, z up, at the contact point. Forces of the road on the tire.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "vdsim/core/tire/compile.hpp"
#include "vdsim/core/tire/tire.hpp"
#include "vdsim/engine/column.hpp"
#include "vdsim/engine/snapshot.hpp"

namespace vdsim {

constexpr Range kTireAngle{-1.5707963267948966, 1.5707963267948966, true, true};  // of slip and camber [rad]

// What the rig does to the tire at one instant.
struct RigInput {
  double omega = 0, vx = 0, vy = 0;  // spin [rad/s]; velocity of the contact point over the road [m/s]
  double fz = 0;                     // load [N]
  double gamma = 0;                  // inclination [rad], positive = top to the right
  double pressure = 0;               // inflation pressure [Pa]; 0 = the tire's own
  double mu = 1;                     // road friction factor
  double psidot = 0;                 // yaw rate of the wheel frame [rad/s]

  static constexpr auto fields() {
    using S = RigInput;
    return std::tuple{field("omega", &S::omega, "rad/s", any_finite(), "spin, positive rolls forward"),
                      field("vx", &S::vx, "m/s", any_finite(), "of the contact point over the road, forward"),
                      field("vy", &S::vy, "m/s", any_finite(), "of the contact point over the road, to the left"),
                      field("fz", &S::fz, "N", at_least(0), "load"),
                      field("gamma", &S::gamma, "rad", kTireAngle, "inclination, top to the right"),
                      field("pressure", &S::pressure, "Pa", at_least(0), "inflation pressure, 0 = the tire's own"),
                      field("mu", &S::mu, "-", at_least(0), "road friction factor"),
                      field("psidot", &S::psidot, "rad/s", any_finite(), "yaw rate of the wheel")};
  }
};
VD_COMPLETE(RigInput);

struct RigOutput {
  double fx, fy, fz, mx, my, mz;  // [N], [N m]
  double kappa, alpha;  // slip ratio (Re omega - vx)/|vx|, |vx| floored at 0.15 m/s; slip angle atan2(vy, |vx|)

  static constexpr auto fields() {
    using S = RigOutput;
    return std::tuple{field("fx", &S::fx, "N", any_finite(), "of the road on the tire, forward"),
                      field("fy", &S::fy, "N", any_finite(), "of the road on the tire, to the left"),
                      field("fz", &S::fz, "N", any_finite(), "load"),
                      field("mx", &S::mx, "N m", any_finite(), "overturning moment"),
                      field("my", &S::my, "N m", any_finite(), "rolling resistance moment"),
                      field("mz", &S::mz, "N m", any_finite(), "aligning moment"),
                      field("kappa", &S::kappa, "-", any_finite(), "slip ratio, -1 = locked"),
                      field("alpha", &S::alpha, "rad", any_finite(), "slip angle")};
  }
};
VD_COMPLETE(RigOutput);

// A wheel on the rig that turns by itself.
struct WheelTorque {
  double drive = 0, brake = 0;  // [N m]; the brake holds as well as it slows, whichever way the wheel turns
  double inertia = 1;           // about the axle [kg m^2]
};

class TireRig {
 public:
  explicit TireRig(const TireSpec&);

  double radius() const { return p_.R0; }              // free radius [m]
  double usual_speed() const { return usual_speed_; }  // of steady points that name none [m/s]
  double rolling_radius(const RigInput&) const;        // effective [m]
  // The motion with slip ratio kappa = (Re omega - vx)/|vx| and slip angle alpha at the speed, load, ... of `rest`.
  RigInput at_slip(RigInput rest, double kappa, double alpha) const;
  void start(const RigInput&);                                    // as if this input had lasted for ever
  void step(const RigInput& from, const RigInput& to, double h);  // inputs linear over h [s]
  // The same with torques in place of a prescribed spin: the wheel starts at from.omega; returns its spin at the end [rad/s].
  double turn(const RigInput& from, RigInput to, const WheelTorque&, double h);
  RigOutput output(const RigInput&) const;  // at the present states
  std::vector<Column> state_columns() const;
  void states(const RigInput&, std::vector<double>& append) const;
  StateList state();  // everything that persists, by name

 private:
  struct Instant : TireOut<double> {
    WheelAffine<double> rate;
  };
  Instant evaluate(WheelState<double>, const RigInput&) const;
  void keep_limits(const Instant&);
  PatchMotion<double> motion(const RigInput&) const;
  void keep_patch(const PatchForce<double>&);
  int parts(const RigInput& from, const RigInput& to, double h) const;
  void step_part(const RigInput& from, const RigInput& to, double h);
  void step_patch(const RigInput& from, const RigInput& to, double h);

  TireKind kind_;
  TireParams<double> p_;
  WheelState<double> fresh_{}, w_{};
  std::optional<PatchTire<double>> patch_;  // contact-patch LuGre
  double usual_speed_ = 16.7;
};

}  // namespace vdsim
