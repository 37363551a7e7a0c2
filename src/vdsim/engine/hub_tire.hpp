// SPDX-License-Identifier: Apache-2.0
// A tire on a hub that another program moves through space: the load comes from its deflection, as on L5.
// docs/theory/09_free_3d.md.
#pragma once
#include <functional>

#include "vdsim/core/math/vec.hpp"
#include "vdsim/engine/tire_rig.hpp"

namespace vdsim {

struct HubMotion {
  Vec3<double> at;        // centre of the wheel, world axes, z up [m]
  Rotation<double> axes;  // of the carrier: forward, left (the spin axis), up, in world axes
  Vec3<double> v, omega;  // of the centre and of the carrier, carrier axes [m/s], [rad/s]
  double spin = 0;        // of the wheel in the carrier, forward > 0 [rad/s]
  double pressure = 0;    // [Pa]; 0 = the tire's own
  double wheel_mass = 0;  // damps the deflection as on L3 and L5 [kg]; 0: undamped
};

struct RoadSpot {
  double z;        // height [m]
  Vec3<double> n;  // normal, upward; any length
  double mu;       // friction factor
};
using RoadAt = std::function<RoadSpot(double x, double y)>;

struct HubForce {
  Vec3<double> F, M;  // of the road, at the centre of the wheel, carrier axes [N], [N m]
  RigInput in;        // as the tire sees it
  RigOutput out;
  Vec3<double> contact;  // point, world axes [m]
  double deflection;     // [m]
};

class HubTire {
 public:
  explicit HubTire(const TireSpec&);
  TireRig& rig() { return rig_; }
  const TireRig& rig() const { return rig_; }

  HubForce start(const HubMotion&, const RoadAt&, double time);  // as if this had lasted for ever
  // Up to `time`, the motion linear since the last call; not before it. At that time: the force, and nothing changes.
  HubForce step(const HubMotion&, const RoadAt&, double time);
  bool started() const { return time_ >= 0; }
  double time() const { return time_; }  // [s]
  StateList state();                     // everything that persists, by name

 private:
  struct Touch {
    RigInput in;
    Vec3<double> at, ex, ey, n;
    double deflection;
  };
  Touch touch(const HubMotion&, const RoadAt&) const;
  HubForce force(const HubMotion&, const Touch&) const;

  TireRig rig_;
  double stiffness_, crown_;  // vertical [N/m]; of the tread [m]
  RigInput last_;
  double time_ = -1;
};

}  // namespace vdsim
