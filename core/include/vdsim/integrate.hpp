// One step of any car with any tire by any method; the switch is the same for every lane of a batch.
#pragma once
#include "vdsim/integrate_implicit.hpp"
#include "vdsim/integrate_rk4.hpp"

namespace vdsim {

// Advances `s` by h, commands linear from u0 to u1. Returns the mean power over the step (implicit, euler: at its start).
template <class R, int NW> VD_FN Power<R> integrate(Integrator method, const Model<R, NW>& m, State<R, NW>& s,
                                                    const Inputs<R>& u0, const Inputs<R>& u1, R h) {
  switch (method) {
    case Integrator::euler: return step_euler(m, s, u0, u1, h);
    case Integrator::implicit: return step_implicit(m, s, u0, u1, h);
    default: return step_rk4(m, s, u0, u1, h);
  }
}

// True where every number of the state is finite.
template <class R, int NW> VD_FN mask_t<R> finite(const State<R, NW>& s) {
  mask_t<R> ok =
      is_finite(s.x) & is_finite(s.y) & is_finite(s.psi) & is_finite(s.vx) & is_finite(s.vy) & is_finite(s.r);
  for (int i = 0; i < NW; ++i) {
    const WheelState<R>& w = s.wheel[i];
    ok = ok & is_finite(w.w) & is_finite(w.zx) & is_finite(w.zy) & is_finite(w.roll) & is_finite(w.pivot) &
         is_finite(w.kap) & is_finite(w.alp);
  }
  return ok;
}

}  // namespace vdsim
