// What Simulation and the batches share: commands as the kernel takes them, the energy of a car.
#pragma once
#include "sim/simulation.hpp"
#include "vdsim/integrate.hpp"
#include "vdsim/vehicle/compile.hpp"

namespace vdsim {

inline Inputs<double> inputs(const Commands& c) { return {c.steer, c.throttle, c.brake, c.handbrake, double(c.gear)}; }

// Energy now [J]: body, wheels and reflected engine; bristles and patch twist.  [T07.6]
struct Energy {
  double kinetic, stored;
};
template <int NW> Energy energy_of(const Model<double, NW>& m, const State<double, NW>& s, bool in_gear) {
  constexpr int n = NW / 2;
  const double count = Model<double, NW>::count;
  Energy e{0.5 * m.p.m * (s.vx * s.vx + s.vy * s.vy) + 0.5 * m.p.Iz * s.r * s.r, 0};
  for (int a = 0; a < 2; ++a) {
    const double mean = 0.5 * (s.wheel[a * n].w + s.wheel[a * n + n - 1].w);
    e.kinetic += in_gear ? 0.5 * m.p.axle[a].engine * mean * mean : 0;
    for (int i = a * n; i < a * n + n; ++i) {
      const WheelState<double>& w = s.wheel[i];
      const TireParams<double>& t = m.p.wheel[i].tire;
      const TireKind& k = m.kind.tire[i];
      e.kinetic += count * 0.5 * m.p.axle[a].I * w.w * w.w;
      if (k.lugre) e.stored += count * 0.5 * (t.sigma0_x * w.zx * w.zx + t.sigma0_y * w.zy * w.zy);
      if (k.pivot) e.stored += count * 0.5 * t.c_psi * w.pivot * w.pivot;
    }
  }
  return e;
}

}  // namespace vdsim
