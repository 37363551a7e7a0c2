// SPDX-License-Identifier: Apache-2.0
// One step of any car with any tire by any method; the switch is the same for every lane of a batch.
#pragma once
#include "vdsim/core/integrate_implicit.hpp"
#include "vdsim/core/integrate_rk4.hpp"
#include "vdsim/core/vehicle/equipment.hpp"

namespace vdsim {

// Contact-patch LuGre: the step that was taken enters the memory of the patches, and its last load.
template <class R, Level Lv, class Laws> VD_FN void commit_patches(const Model<R, Lv, Laws>& m, State<R, Lv>& s,
                                                                   const Stage<R, Lv>& g, R h, PatchTire<R>* patch,
                                                                   const Evaluation<R, Lv>* eval) {
  Contact<R> c[kWheels<Lv>];
  contacts(m, s, g, c);
  for (int i = 0; i < kWheels<Lv>; ++i) {
    commit_patch(m.kind.tire[i], c[i], h, patch[i], s.wheel[i]);
    if (eval) patch[i].memory.load = max(R(0.0), eval->outputs.wheel[i].Fz);
  }
}

// Advances `s` by h, commands linear from u0 to u1. Returns the mean power over the step (implicit, euler: at its start).
// `patch`: the tires of a car on contact-patch LuGre tires (one car at a time), else null.
// `act`: what the equipment of the car delivers at start, middle and end, else null.
// `eval`: may hold the first evaluation of the step, gets the last one; may be null.
template <class R, Level Lv, class Laws>
VD_OUTLINE Power<R> integrate(Integrator method, const Model<R, Lv, Laws>& m, State<R, Lv>& s, const Inputs<R>& u0,
                              const Inputs<R>& u1, R h, PatchTire<scalar_t<R>>* patch = nullptr,
                              const Actuation<R>* act = nullptr, Evaluation<R, Lv>* eval = nullptr) {
  const Orders<R> u{u0, u1, patch, act};
  Power<R> power;
  switch (method) {
    case Integrator::euler: power = step_euler(m, s, u, h, eval); break;
    case Integrator::implicit: power = step_implicit(m, s, u, h, eval); break;
    default: power = step_rk4(m, s, u, h, eval);
  }
  if constexpr (Scalar<R>)
    if (patch) {
      Stage<R, Lv> g = stage_at(m, u, 2, h, h);
      point_wheels(m, s, g);
      commit_patches(m, s, g, h, patch, eval);
    }
  return power;
}

// True where every number of the state is finite: along its field tables.
template <class R, class S> VD_FN mask_t<R> all_finite(const S& s) {
  mask_t<R> ok(true);
  if constexpr (std::is_same_v<S, R>)
    ok = is_finite(s);
  else if constexpr (HasFields<S>)
    for_each_field<S>([&](const auto& field) { ok = ok & all_finite<R>(s.*field.member); });
  else
    for (const auto& each : s) ok = ok & all_finite<R>(each);
  return ok;
}
template <class R, Level Lv> VD_FN mask_t<R> finite(const State<R, Lv>& s) { return all_finite<R>(s); }

}  // namespace vdsim
