// One step of any car with any tire by any method; the switch is the same for every lane of a batch.
#pragma once
#include "vdsim/integrate_implicit.hpp"
#include "vdsim/integrate_rk4.hpp"

namespace vdsim {

// Contact-patch LuGre: the step that was taken enters the memory of the patches, and the mean deflections the state.
template <class R, int NW>
VD_FN void commit_patches(const Model<R, NW>& m, State<R, NW>& s, const Stage<R, NW>& g, R h, PatchTire<R>* patch) {
  R cp, sp;
  sincos(s.psi, sp, cp);
  for (int i = 0; i < NW; ++i) {
    if (!m.kind.tire[i].patch) continue;
    Contact<R> c;
    contact_point(m, s, g, i, cp, sp, c);
    const PatchForce<R> f = patch_advance(patch[i].kind, patch[i].p, patch[i].memory, patch_motion(c), h);
    s.wheel[i].zx = f.zx;
    s.wheel[i].zy = f.zy;
  }
}

// Advances `s` by h, commands linear from u0 to u1. Returns the mean power over the step (implicit, euler: at its start).
// `patch`: the NW tires of a car on contact-patch LuGre tires (one car at a time), else null.
template <class R, int NW> VD_FN Power<R> integrate(Integrator method, const Model<R, NW>& m, State<R, NW>& s,
                                                    const Inputs<R>& u0, const Inputs<R>& u1, R h,
                                                    PatchTire<scalar_t<R>>* patch = nullptr) {
  Power<R> power;
  switch (method) {
    case Integrator::euler: power = step_euler(m, s, u0, u1, h, patch); break;
    case Integrator::implicit: power = step_implicit(m, s, u0, u1, h, patch); break;
    default: power = step_rk4(m, s, u0, u1, h, patch);
  }
  if constexpr (lanes<R> == 1)
    if (patch) commit_patches(m, s, make_stage(m, u1, (u1.steer - u0.steer) / h, patch, h), h, patch);
  return power;
}

// True where every number of the state is finite.
template <class R, int NW> VD_FN mask_t<R> finite(const State<R, NW>& s) {
  mask_t<R> ok =
      is_finite(s.x) & is_finite(s.y) & is_finite(s.psi) & is_finite(s.vx) & is_finite(s.vy) & is_finite(s.r);
  for (int i = 0; i < NW; ++i) {
    const WheelState<R>& w = s.wheel[i];
    ok = ok & is_finite(w.w) & is_finite(w.zx) & is_finite(w.zy) & is_finite(w.roll) & is_finite(w.pivot) &
         is_finite(w.kap) & is_finite(w.alp) & is_finite(w.T_tread) & is_finite(w.T_core) & is_finite(w.tread);
  }
  return ok;
}

}  // namespace vdsim
