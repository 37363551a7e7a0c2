// SPDX-License-Identifier: Apache-2.0
// What Car and the batches share: commands as the kernel takes them, the energy of a car.
#pragma once
#include "vdsim/core/tire/patch_energy.hpp"
#include "vdsim/core/vehicle/compile.hpp"
#include "vdsim/engine/car.hpp"
#include "vdsim/engine/step.hpp"

namespace vdsim {

inline Inputs<double> inputs(const Commands& c) {
  return {c.steer,     c.throttle,     c.brake,
          c.handbrake, double(c.gear), {c.torque[0], c.torque[1], c.torque[2], c.torque[3]}};
}

inline constexpr double kJump = 0.05;  // of the wheels in one step [rad]: [T02.16]

// Energy now [J]: body, wheels and reflected engine; bristles, patch twist, springs and tires.  [T07.6], [T08.8]
template <class R> struct EnergyNow { R kinetic, stored, springs; };
using Energy = EnergyNow<double>;
// Body, struts and spin of a car on springs; `steer`: where the wheels point.
template <class R, Level Lv, class Laws>
void add_sprung_energy(const Model<R, Lv, Laws>& m, const State<R, Lv>& s, R steer, EnergyNow<R>& e) {
  const R half = R(0.5), zero = R(0.0);
  const Stage<R, Lv> g = make_stage(m, Inputs<R>{steer, zero, zero, zero, R(1.0)}, zero);
  const Vec3<R> v{s.vx, s.vy, s.vz}, w{s.p, s.q, s.r}, body = v + cross(w, m.p.cs);
  e.kinetic +=
      half * m.p.ms * dot(body, body) + half * (m.p.Js.x * s.p * s.p + m.p.Js.y * s.q * s.q + m.p.Js.z * s.r * s.r);
  const auto frame = frame_of(m, s);
  for (int i = 0; i < 4; ++i) {
    const CornerParams<R>& c = m.p.corner[i];
    const std::size_t n = std::size_t(i);
    Corner<R> k;
    corner_of(m, s, g, frame, i, k);
    const bool moves = Lv == Level::L5;  // L3 has its masses where they are at rest
    const Hub<R> hub = hub_at(c, moves ? s.travel[n] : zero, moves ? s.travel[n ^ 1] : zero);
    const Vec3<R> u = v + cross(w, hub.at) + s.speed[n] * hub.own + s.speed[n ^ 1] * hub.other;
    const R spin = s.wheel[n].w + dot(k.spin, w);
    e.kinetic += half * c.mass * dot(u, u) + half * m.p.axle[i / 2].I * spin * spin;
    e.springs += strut_energy(c.strut, s.travel[n], s.travel[n ^ 1], k.in, i % 2 == 0);
  }
}
// `engine`: inertia that turns with each axle; null: in gear, as the drivetrain has it.
template <class R, Level Lv, class Laws> EnergyNow<R> energy_of(const Model<R, Lv, Laws>& m, const State<R, Lv>& s,
                                                                const std::type_identity_t<R>* engine,
                                                                std::type_identity_t<R> steer) {
  constexpr int n = kWheels<Lv> / 2;
  const R count = R(kCount<Lv>), half = R(0.5), zero = R(0.0);
  EnergyNow<R> e{zero, zero, zero};
  if constexpr (kSprung<Lv>)
    add_sprung_energy(m, s, steer, e);
  else
    e.kinetic = half * m.p.m * (s.vx * s.vx + s.vy * s.vy) + half * m.p.Iz * s.r * s.r;
  Contact<R> contact[kWheels<Lv>]{};
  if (m.kind.road.ground) contacts(m, s, make_stage(m, Inputs<R>{steer, zero, zero, zero, R(1.0)}, zero), contact);
  for (int a = 0; a < 2; ++a) {
    const R mean = half * (s.wheel[a * n].w + s.wheel[a * n + n - 1].w);
    e.kinetic += half * (engine ? engine[a] : m.p.axle[a].engine) * mean * mean;
    for (int i = a * n; i < a * n + n; ++i) {
      const WheelState<R>& w = s.wheel[i];
      if (!kSprung<Lv>) e.kinetic += count * half * m.p.axle[a].I * w.w * w.w;
      add_tire_energy(m.kind.tire[i], m.p.wheel[i].tire, w, contact[i].ground, count, e.stored);
    }
  }
  return e;
}
// [T22.20]  Energy in the bristles of contact-patch tires [J]; each stands for `count` wheels.
inline double patch_energy(const std::vector<PatchTire<double>>& tires, double count) {
  double sum = 0;
  for (const PatchTire<double>& t : tires) sum += count * t.memory.load * patch_stored(t.kind, t.p, t.memory);
  return sum;
}
// A planar car without equipment, in gear or not.
template <Level Lv> Energy energy_of(const Model<double, Lv>& m, const State<double, Lv>& s, bool in_gear) {
  const double none[2] = {0, 0};
  return energy_of(m, s, in_gear ? nullptr : none, 0.0);
}

}  // namespace vdsim
