// SPDX-License-Identifier: Apache-2.0
// Tire force at a load, and the low-speed fallback of cars without bristles. Every level uses this.
#pragma once
#include "vdsim/core/wheel/spin.hpp"

namespace vdsim {

// [T20.1]  0 at rest, 1 above the blend speed
template <class R> VD_FN R blend_share(R vx, R vy) {
  const R q = min(sqrt(vx * vx + vy * vy) * R(1.0 / kStickBlend), R(1.0));
  return q * q * (R(3.0) - R(2.0) * q);
}

// What a contact has of the road at (x, y), and of its tire before the load is known.
template <class R, Level Lv, class Laws>
VD_FN void contact_on_road(const Model<R, Lv, Laws>& m, const State<R, Lv>& s, int i, R x, R y, Contact<R>& c) {
  const auto& tire = m.p.wheel[i].tire;
  c.Re = tire.R0;
  c.Vr = tire.R0 * s.wheel[i].w;
  c.pressure = R(0.0);
  if (m.kind.road.ground) own_ground(m.kind.tire[i], tire, c.ground);
  const R on = road_mu(m.kind.road, m.data, m.p.road, x, y, c.ground);
  const R mu = tire_mu(m.kind.tire[i], tire, c.ground, on, x, y);
  c.mu_long = mu;
  c.mu_lat = mu;
}

// Fills w from its contact and free slip; `fade`, `hold`: of the fallback.
template <class R, Level Lv, class Laws> VD_FN void wheel_force(const Model<R, Lv, Laws>& m, const State<R, Lv>& s,
                                                                const Stage<R, Lv>& g, int i, R fade, R hold, R Fz,
                                                                WheelOut<R>& w) {
  const auto& tire = m.p.wheel[i].tire;
  slip_loaded(m.kind.tire[i], tire, s.wheel[i], Fz, w.contact, w.slip);
  w.force = tire_force(m.kind.tire[i], tire, s.wheel[i], w.contact, w.slip, Fz);
  w.Fx = w.force.Fx;
  w.Fy = w.force.Fy;
  if (m.kind.blend) {
    w.Fy = w.force.Fy = w.force.Fy * fade;
    // [T20.3] along the body, within the grip the tire leaves
    const R most = max(w.force.Dx - abs(w.force.Fx), R(0.0));
    const R damper = clamp(-R(kStickC) * s.vx * hold, -most, most);
    w.Fx = select(hold > R(0.0), w.Fx + g.angle[i].c * damper, w.Fx);
    w.Fy = select(hold > R(0.0), w.Fy - g.angle[i].s * damper, w.Fy);
  }
}

// [T20.2]  fallback: below 3 m/s the lateral states are pulled onto the curve the steering geometry describes
template <class R, Level Lv, class Laws> VD_FN void kinematic_blend(const Model<R, Lv, Laws>& m, const State<R, Lv>& s,
                                                                    const Stage<R, Lv>& g, R lam, Outputs<R, Lv>& o,
                                                                    Rates<R, Lv>& d) {
  const R r_kin = s.vx * g.tan_delta * m.p.inv_L, vy_kin = r_kin * m.p.cg_to_rear, rest = R(1.0) - lam;
  const mask_t<R> acts = rest > R(0.0);  // above the blend speed every bit stays as it is
  const R vy = select(acts, lam * d.vy + rest * (vy_kin - s.vy) * R(1.0 / kKinTau), d.vy);
  const R r = select(acts, lam * d.r + rest * (r_kin - s.r) * R(1.0 / kKinTau), d.r);
  d.power.hold = m.p.m * (vy - d.vy) * s.vy + m.p.Iz * (r - d.r) * s.r;
  VD_UNROLL for (int i = 0; i < kWheels<Lv>; ++i) {
    const WheelOut<R>& w = o.wheel[i];
    d.power.hold += R(kCount<Lv>) * ((w.Fx - w.force.Fx) * w.contact.Vx + (w.Fy - w.force.Fy) * w.contact.Vy);
  }
  o.body_ay = select(acts, o.body_ay + (vy - d.vy), o.body_ay);
  d.vy = vy;
  d.r = r;
}

}  // namespace vdsim
