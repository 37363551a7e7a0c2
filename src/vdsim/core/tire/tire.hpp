// SPDX-License-Identifier: Apache-2.0
// The tire chain: one function per phase, each passes the question on to the laws of the tire (laws.hpp).
//   slip_free, slip_loaded   what does not depend on the load (once per stage); for laws read at a load the rest of it
//   tire_force               Fx, Fy at a load (iterated until load and force agree)
//   tire_rates               moments and the rates of the tire's own states
// and what integrators and energy balance ask: tire_advance, keep_limit, apply_limit, force_line, ..., tire_energy.
#pragma once
#include "vdsim/core/tire/contact_breakaway.hpp"
#include "vdsim/core/tire/contact_patch.hpp"

namespace vdsim {

// Calls f(law) with the contact law of this tire.
template <class K, class F> VD_INLINE decltype(auto) by_contact(const K& kind, F&& f) {
  if constexpr (K::fixed) {
    if constexpr (K::contact == ContactLaw::rolling)
      return f(ContactRolling{});
    else if constexpr (K::contact == ContactLaw::breakaway)
      return f(ContactBreakaway{});
    else if constexpr (K::contact == ContactLaw::patch)
      return f(ContactPatch{});
    else
      return f(ContactAlgebraic{});
  } else {
    if (kind.contact == ContactLaw::rolling) return f(ContactRolling{});
    if (kind.contact == ContactLaw::breakaway) return f(ContactBreakaway{});
    if (kind.contact == ContactLaw::patch) return f(ContactPatch{});
    return f(ContactAlgebraic{});
  }
}

template <class R, class K> VD_FN void slip_at(const K& kind, const TireParams<R, K>& p, const WheelState<R>& w,
                                               const Contact<R>& c, R Fz, TireSlip<R>& o) {
  o.vx = c.Vr - c.Vx;
  o.vy = -c.Vy;
  by_contact(kind, [&](auto law) { law.slip(kind, p, w, c, Fz, o); });
}
// Once for all loads: everything, or (kind.load_slip) what does not depend on the load.
template <class R, class K> VD_FN void slip_free(const K& kind, const TireParams<R, K>& p, const WheelState<R>& w,
                                                 const Contact<R>& c, TireSlip<R>& o) {
  by_steady(kind, [&](auto law) { law.prepare(kind, p, w, c, o.at); });
  if (!kind.load_slip) slip_at(kind, p, w, c, R(0.0), o);
}
// At one load: effective radius and rolling speed of the contact, then the slip.
template <class R, class K> VD_FN void slip_loaded(const K& kind, const TireParams<R, K>& p, const WheelState<R>& w,
                                                   R Fz, Contact<R>& c, TireSlip<R>& o) {
  if (!kind.load_slip) return;
  c.Re = by_steady(kind, [&](auto law) { return law.radius(kind, p, w, c, o.at, Fz); });
  c.Vr = c.Re * w.w;
  slip_at(kind, p, w, c, Fz, o);
}
// One tire at a given load, of a contact that has the rolling speed Vr of this load.
template <class R, class K> VD_FN TireSlip<R> tire_slip(const K& kind, const TireParams<R, K>& p,
                                                        const WheelState<R>& w, const Contact<R>& c, R Fz) {
  TireSlip<R> o;
  slip_free(kind, p, w, c, o);
  if (kind.load_slip) slip_at(kind, p, w, c, Fz, o);
  return o;
}

template <class R, class K> VD_FN TireForce<R> tire_force(const K& kind, const TireParams<R, K>& p,
                                                          const WheelState<R>& w, const Contact<R>& c,
                                                          const TireSlip<R>& o, R load) {
  const R Fz = max(load, R(0.0));
  return by_contact(kind, [&](auto law) { return law.force(kind, p, w, c, o, Fz); });
}

// Moments; `rate` gets the rates of the tire states.
template <class R, class K>
VD_FN TireMoments<R> tire_rates(const K& kind, const TireParams<R, K>& p, const WheelState<R>& w, const Contact<R>& c,
                                const TireSlip<R>& o, const TireForce<R>& f, R Fz, WheelAffine<R>& rate) {
  return by_contact(kind, [&](auto law) { return law.rates(kind, p, w, c, o, f, Fz, rate); });
}

// What the tire lies on where the road names nothing.
template <class R, class K> VD_FN void own_ground(const K& kind, const TireParams<R, K>& p, Ground<R>& g) {
  by_steady(kind, [&](auto law) { law.own_ground(p, g); });
}
// Friction of the road at (x, y) as this tire meets it.
template <class R, class K>
VD_FN R tire_mu(const K& kind, const TireParams<R, K>& p, const Ground<R>& ground, R mu, R x, R y) {
  return by_steady(kind, [&](auto law) { return law.road(kind, p, ground, mu, x, y); });
}

// States that a law advances itself, over dt at the contact of `o`.
template <class R, class K>
VD_FN void tire_advance(const K& kind, const TireParams<R, K>& p, const TireOut<R>& o, R dt, WheelState<R>& w) {
  by_contact(kind, [&](auto law) { law.advance(kind, p, o, dt, w); });
}

// [T19.7]  Deflection beyond the friction limit of this instant is lost for good. At the start of a step the
// evaluation has done it at the true load;
template <class R, class K> VD_FN void keep_limit(const K& kind, const TireOut<R>& o, WheelState<R>& w) {
  w.zx = o.force.zx;
  w.zy = o.force.zy;
  if (kind.pivot) w.pivot = o.moment.pivot;
}
// after the step it is done at the load of the last evaluation.
template <class R, class K>
VD_FN void apply_limit(const K& kind, const TireParams<R, K>& p, const TireForce<R>& f, WheelState<R>& w) {
  by_contact(kind, [&](auto law) { law.limit(kind, p, f, w); });
}
// Force that the bristles have gained since the evaluation that gave f.
template <class R, class K> VD_FN WheelForces<R> force_gained(const K& kind, const TireParams<R, K>& p,
                                                              const TireForce<R>& f, const WheelState<R>& w) {
  return by_contact(kind, [&](auto law) { return law.gained(p, f, w); });
}

// Implicit step: Fx at its end as a line over the wheel speed;
template <class R, class K> VD_FN ForceLine<R> force_line(const K& kind, const TireParams<R, K>& p,
                                                          const WheelState<R>& w, const TireOut<R>& o,
                                                          const WheelAffine<R>& rate, R h) {
  return by_contact(kind, [&](auto law) { return law.line(kind, p, w, o, rate, h); });
}
// where the line is beyond what the law allows at the spin w it becomes flat (true if in any lane);
template <class R, class K> VD_FN bool saturate(const K& kind, const TireOut<R>& o, R w, ForceLine<R>& line) {
  return by_contact(kind, [&](auto law) { return law.saturate(o, w, line); });
}
// the longitudinal state once the wheel speed u is known;
template <class R, class K> VD_FN void tire_turned(const K& kind, const ForceLine<R>& line, R u, WheelState<R>& w) {
  by_contact(kind, [&](auto law) { law.turned(line, u, w); });
}
// and the rest: all other states, and the force kept within the friction limit.
template <class R, class K> VD_FN void tire_finish(const K& kind, const TireParams<R, K>& p, const TireOut<R>& o,
                                                   const WheelAffine<R>& rate, R Fz, R h, WheelState<R>& w,
                                                   WheelForces<R>& F) {
  by_contact(kind, [&](auto law) { law.finish(kind, p, o, rate, Fz, h, w, F); });
}

// The slip velocity changes after the rates were made: what of it reaches the bristles.  [T23.31]
template <class R, class K> VD_FN void add_slip_x(const K& kind, const TireSlip<R>& o, R dv, WheelAffine<R>& rate) {
  rate.zx.v += kind.ground_bristles ? o.rolling.gx * dv : dv;
}
template <class R, class K> VD_FN void add_slip_y(const K& kind, R dv, TireSlip<R>& o, WheelAffine<R>& rate) {
  o.vy += dv;
  rate.zy.v += kind.ground_bristles ? o.rolling.gy * dv : dv;
}

// Fastest relaxation of the force [1/s], 0 if it follows the slip at once.
template <class R, class K> VD_FN R relaxation_rate(const K& kind, const WheelAffine<R>& rate) {
  R leak = R(0.0);
  if (kind.contact == ContactLaw::rolling) leak = max(leak, max(rate.zx.L, rate.zy.L));
  if (kind.relax_long) leak = max(leak, rate.kap.L);
  if (kind.relax_lat) leak = max(leak, rate.alp.L);
  return leak;
}

template <class R, class K> VD_FN void fresh_tire(const K& kind, const TireParams<R, K>& p, WheelState<R>& w) {
  by_steady(kind, [&](auto law) { law.fresh(p, w); });
}
// A tire at the start of a run: fresh, rolling without slip at vx under Fz; the patch has rolled (roll memory) if it moves.
template <class R, class K>
VD_FN void start_tire(const K& kind, const TireParams<R, K>& p, R vx, R Fz, WheelState<R>& w) {
  fresh_tire(kind, p, w);
  w.w = by_steady(kind, [&](auto law) { return law.free_spin(kind, p, w, vx, Fz); });
  if (kind.roll_memory) w.roll = sign(vx) / p.inv_b;
}
// Adds the energy that `count` tires store on this ground (kind.ground) [J].
template <class R, class K> VD_FN void add_tire_energy(const K& kind, const TireParams<R, K>& p, const WheelState<R>& w,
                                                       const Ground<R>& ground, R count, R& sum) {
  by_contact(kind, [&](auto law) { law.energy(kind, p, w, ground, count, sum); });
}
// The steady law was read outside the ranges of its file.
template <class R, class K>
VD_FN bool outside_file(const K& kind, const TireParams<R, K>& p, R spin, const TireOut<R>& o, R Fz) {
  return by_steady(kind, [&](auto law) { return law.outside(p, spin, o, Fz); });
}
// Contact-patch LuGre: the step that was taken enters the memory of the patch, and the mean deflections the state.
template <class R, class K>
VD_FN void commit_patch(const K& kind, const Contact<R>& c, R h, PatchTire<R>& patch, WheelState<R>& w) {
  if (kind.contact != ContactLaw::patch) return;
  const PatchForce<R> f = patch_advance(patch.kind, patch.p, patch.memory, patch_motion(c), h);
  w.zx = f.zx;
  w.zy = f.zy;
}

}  // namespace vdsim
