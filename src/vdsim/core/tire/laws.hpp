// SPDX-License-Identifier: Apache-2.0
// Which laws a tire follows. A tire is a steady law, a contact law, and extras:
//   steady law    force over slip at a load once everything has settled: steady_mf.hpp (mf96, linear), steady_tir.hpp, steady_rally.hpp
//   contact law   how the force comes about, and what is remembered: contact_{algebraic,rolling,breakaway,patch}.hpp
//   extras        flags of TireKind: belt and lag (belt.hpp), parking torque (pivot.hpp), roll memory, camber, low-speed mode
//
// A law is an empty struct of static functions, on its own parameters (params.hpp) and its own states (WheelState).
//   steady   prepare  what does not depend on the load                     read      what the contact law needs of it, once per load
//            curves   its curves                                           peak      largest forces
//            radius   effective radius at a load                           road      friction of the road as this tire meets it
//            own_ground where the road names none                          bristles  their stiffness on the ground over that in the parameters
//            fresh    states of a new tire                                 free_spin spin without slip
//            outside  was read outside the ranges of its file              apart     kept out of line, because few cars use it
//            curves_at, weigh, beyond, offset, rolling_moments             under the rolling law
//            read_plain, plain_force, clip, plain_moments                  under the algebraic and the breakaway law
//   contact  slip     slips and slip velocities                            force     Fx, Fy at a load
//            rates    moments, and the rates of the affine states          advance   states it advances itself
//            limit    what is held beyond the friction limit is lost       gained    force the bristles gained since an evaluation
//            energy   stored [J]                                           carry     (carry.hpp) states that make a given force
//            implicit step: line (Fx over the wheel speed), saturate (where that is beyond the limit), turned (the longitudinal
//            state once the wheel speed is known), finish (all other states, and the forces)
// A law inherits what it shares with another one, as ContactPatch does from ContactAlgebraic and SteadyTir from SteadyMf.
// tire.hpp calls them through by_steady() and by_contact(). Nothing outside this folder asks which law a tire has.
//
// Open: TireKind holds the choice as values, read at run time, wheel by wheel; parameters lie in a union of the laws.
// Fixed: FixedTire holds the same names as constants; the compiler drops all other laws, and their parameters take no room.
// The physics reads `kind.similarity` or `p.rolling.beta` and does not know which of the two it has: same lines, same bits.
//
// To add a law:
//   1. here: a value of the enum; whether it has_bristles() and a steady turn; a flag of TireKind also in FixedTire;
//   2. params.hpp, numbers: a struct of R alone (batches copy it as an array of R), a member of the union of TireParams, a SteadyPart
//      or ContactPart, and its line in fix_tire(): without it a car of fixed laws never gets them, and no compiler says so;
//   3. params.hpp, states, if it has new ones: WheelState; those the integrator advances in WheelAffine and each_affine(), the others in
//      each_own_state(); relaxation_rate() in tire.hpp if the force lags;
//   4. its header with the functions above; of a contact law carry() in carry.hpp, of a new state its line in hand_states() there;
//   5. both forms of by_contact() in tire.hpp, or of by_steady() and by_plain_steady() in steady.hpp: who is not named there is
//      algebraic, mf96 or rally;
//   6. compile.hpp: its choice in contact_law() or steady_law(), its flags in tire_kind(), its numbers in compile_contact() or
//      compile_tire().
// How a user asks for it, tests and pages: CONTRIBUTING.md.
#pragma once
#include "vdsim/core/tire/mf_tyre_params.hpp"
#include "vdsim/core/tire/rally_params.hpp"

namespace vdsim {

enum class SteadyLaw : unsigned char { mf96, linear, tir, rally };
enum class ContactLaw : unsigned char { algebraic, rolling, breakaway, patch };

struct TireKind {
  static constexpr bool fixed = false;
  SteadyLaw steady;
  ContactLaw contact;
  bool ellipse, similarity;    // combined slip (neither: none, the host clips)
  bool blend, vlow;            // low-speed mode of the algebraic law
  bool relax_long, relax_lat;  // algebraic: slips lag
  bool belt;                   // breakaway: slip velocities follow the belt
  bool reff, camber, roll_memory, pivot;
  bool mu_shrinks;       // mf96, linear: friction of the road shrinks the curve in slip as in force  [T03.8]
  bool ground;           // the road says what lies on it: Contact::ground is filled
  bool at_load;          // the curves of the steady law depend on the load
  bool offset;           // the steady law has more than its similarity form: camber thrust, shifts of a .tir file
  bool load_slip;        // the slip depends on the load: by the effective radius or by the curves
  bool ground_bristles;  // rolling: the ground changes the stiffness of the bristles
  TirKind tir_law;
  RallyKind rally_law;
  constexpr bool operator==(const TireKind&) const = default;
};

// The same names as constants. L::laws.tire is a constexpr TireKind.
template <class L> struct FixedTire {
  static constexpr bool fixed = true;
  static constexpr TireKind all = L::laws.tire;
  static constexpr SteadyLaw steady = all.steady;
  static constexpr ContactLaw contact = all.contact;
  static constexpr bool ellipse = all.ellipse, similarity = all.similarity, blend = all.blend, vlow = all.vlow;
  static constexpr bool relax_long = all.relax_long, relax_lat = all.relax_lat, belt = all.belt, reff = all.reff;
  static constexpr bool camber = all.camber, roll_memory = all.roll_memory, pivot = all.pivot;
  static constexpr bool at_load = all.at_load, offset = all.offset, load_slip = all.load_slip;
  static constexpr bool mu_shrinks = all.mu_shrinks;
  static constexpr bool ground = all.ground, ground_bristles = all.ground_bristles;
  static constexpr TirKind tir_law = all.tir_law;
  static constexpr RallyKind rally_law = all.rally_law;
};

template <class K> constexpr bool linear(const K& kind) { return kind.steady == SteadyLaw::linear; }
// A spring between rim and road, which holds at rest.
template <class K> constexpr bool has_bristles(const K& kind) {
  return kind.contact == ContactLaw::rolling || kind.contact == ContactLaw::breakaway;
}
// Why no steady turn can be solved for on this tire, nullptr if it can: its rates are zero in one.
template <class K> constexpr const char* no_steady_turn(const K& kind) {
  switch (kind.contact) {
    case ContactLaw::patch:
      return "a contact-patch LuGre tire keeps a history, not states; its steady turn cannot be solved for";
    case ContactLaw::breakaway:
      return "lugre.law breakaway advances its bristles step by step and has no steady turn to solve for; use "
             "lugre.law "
             "rolling or lugre.enabled false";
    default: return nullptr;
  }
}
// What the compiler knows: false only where the law is fixed to another one.
template <class K> inline constexpr bool may_have_bristles = !K::fixed || has_bristles(K{});
template <ContactLaw C, class K> constexpr bool may_be() {
  if constexpr (K::fixed)
    return K::contact == C;
  else
    return true;
}

}  // namespace vdsim
