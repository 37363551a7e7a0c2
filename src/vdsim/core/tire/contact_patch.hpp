// SPDX-License-Identifier: Apache-2.0
// The contact-patch LuGre tire in a car. Its memory is long (a history of the patch), so it stays outside the state that the
// integrators copy: each evaluation asks for the force at `since` seconds into the step, and the end of the step is
// committed. One car at a time: the lanes of a batch would each roll a different distance.  docs/theory/22_lugre_patch.md.
#pragma once
#include "vdsim/core/tire/contact_algebraic.hpp"

namespace vdsim {

template <class T> struct PatchTire {
  PatchKind kind;
  PatchParams<T> p;
  PatchMemory<T> memory;
};

template <class R> VD_FN PatchMotion<R> patch_motion(const Contact<R>& c) {
  return {c.Vr, c.Vr - c.Vx, -c.Vy, c.mu_long};
}
template <class R> VD_NOINLINE PatchForce<R> patch_now(const Contact<R>& c) {
  if constexpr (Scalar<R>)
    return patch_force(c.patch->kind, c.patch->p, c.patch->memory, patch_motion(c), c.since);
  else
    return PatchForce<R>{};
}

// Everything is proportional to the load.
template <class R>
VD_FN TireForce<R> patch_tire_force(const WheelState<R>& w, const Contact<R>& c, const PatchForce<R>& o, R Fz) {
  TireForce<R> f;
  f.Fx = Fz * o.fx;
  f.Fy = Fz * o.fy;
  f.slope = Fz * o.slope;
  f.Dx = f.Dy = Fz * c.mu_long;
  if constexpr (Scalar<R>) f.Dx = f.Dy = f.Dx * (c.patch->p.mu_k + c.patch->p.mu_drop);
  f.zx = w.zx;
  f.zy = w.zy;
  return f;
}

// Its states are in its memory: nothing here advances them but patch_commit(). Wheel and body feel it like a tire without bristles.
struct ContactPatch : ContactAlgebraic {
  template <class R, class K> VD_FN static void slip(const K&, const TireParams<R, K>&, const WheelState<R>&,
                                                     const Contact<R>& c, R, TireSlip<R>& o) {
    o.patch = patch_now(c);
  }
  template <class R, class K> VD_FN static TireForce<R> force(const K&, const TireParams<R, K>&, const WheelState<R>& w,
                                                              const Contact<R>& c, const TireSlip<R>& o, R Fz) {
    return patch_tire_force(w, c, o.patch, Fz);
  }
  template <class R, class K> VD_FN static TireMoments<R> rates(const K&, const TireParams<R, K>&, const WheelState<R>&,
                                                                const Contact<R>&, const TireSlip<R>& o,
                                                                const TireForce<R>&, R Fz, WheelAffine<R>&) {
    return {R(0.0), max(Fz, R(0.0)) * o.patch.mz, R(0.0), R(0.0)};
  }
};

}  // namespace vdsim
