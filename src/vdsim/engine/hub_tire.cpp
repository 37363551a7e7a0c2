// SPDX-License-Identifier: Apache-2.0
#include "vdsim/engine/hub_tire.hpp"

#include <cmath>

#include "vdsim/core/vehicle/compile_sprung.hpp"
#include "vdsim/core/wheel/torus.hpp"

namespace vdsim {

HubTire::HubTire(const TireSpec& tire)
    : rig_(tire), stiffness_(vertical_stiffness_of(tire)), crown_(crown_of(tire, rig_.radius())) {}

// The road is its tangent plane below the wheel: asked below the centre, and again at the foot on the plane found there.
HubTire::Touch HubTire::touch(const HubMotion& m, const RoadAt& road) const {
  RoadSpot spot = road(m.at.x, m.at.y);
  Vec3<double> n{}, below = m.at;
  double gap = 0;
  for (int i = 0; i < 2; ++i) {
    n = 1 / std::sqrt(dot(spot.n, spot.n)) * spot.n;
    gap = dot(n, m.at - Vec3<double>{below.x, below.y, spot.z});
    if (i == 1) break;
    below = m.at - gap * n;
    spot = road(below.x, below.y);
  }
  const TorusContact<double> c = torus_contact(m.at, m.axes.y, n, gap, rig_.radius(), crown_);
  const Vec3<double> omega = to_world(m.axes, m.omega), V = to_world(m.axes, m.v) + cross(omega, c.at - m.at);
  StrutParams<double> spring{};
  compile_tire_spring(stiffness_, m.wheel_mass, spring);
  RigInput in;
  in.omega = m.spin, in.vx = dot(V, c.ex), in.vy = dot(V, c.ey);
  in.fz = tire_load(spring, c.in, -dot(n, V));
  in.gamma = c.gamma, in.pressure = m.pressure, in.mu = spot.mu, in.psidot = dot(omega, n);
  return {in, c.at, c.ex, c.ey, n, c.in};
}

// [T09.8]
HubForce HubTire::force(const HubMotion& m, const Touch& c) const {
  const RigOutput o = rig_.output(c.in);
  const Vec3<double> F = o.fx * c.ex + o.fy * c.ey + o.fz * c.n;
  const Vec3<double> M = cross(c.at - m.at, F) + o.mx * c.ex + o.my * c.ey + o.mz * c.n;
  return {to_body(m.axes, F), to_body(m.axes, M), c.in, o, c.at, c.deflection};
}

HubForce HubTire::start(const HubMotion& m, const RoadAt& road, double time) {
  const Touch now = touch(m, road);
  rig_.start(now.in);
  last_ = now.in, time_ = time;
  return force(m, now);
}

HubForce HubTire::step(const HubMotion& m, const RoadAt& road, double time) {
  const Touch now = touch(m, road);
  if (time > time_) {
    rig_.step(last_, now.in, time - time_);
    last_ = now.in, time_ = time;
  }
  return force(m, now);
}

StateList HubTire::state() {
  StateList out = rig_.state();
  out.push_back(vdsim::state("last", last_, "", "what the tire was last given"));
  out.push_back(vdsim::state("time", time_, "s", "of that; below 0: not started"));
  return out;
}

}  // namespace vdsim
