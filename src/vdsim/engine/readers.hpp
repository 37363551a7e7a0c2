// SPDX-License-Identifier: Apache-2.0
// Who reads a field: the laws, levels, modes and switches a car must have for its value to count. Part of the field's line in
// its table:
//
//   field("sigma2", s.sigma2, "N s/m", at_least(0), "viscous friction").read_by(when(ContactLaw::breakaway))
//   field("sigma0", ...).read_by((when(ContactLaw::rolling) & curves) | when(ContactLaw::breakaway))
//
// A line without read_by is read by all. tests/integration/test_readers.cpp changes every field of every car it can make and
// compares what the tables say with what happens.
#pragma once
#include <string>
#include <tuple>
#include <type_traits>

#include "vdsim/core/tire/laws.hpp"
#include "vdsim/core/vehicle/spec.hpp"
#include "vdsim/engine/reflect.hpp"

namespace vdsim {

// What a car has or has not; readers.cpp says how a user sees it.
enum class Switch {
  belt,              // carcass relaxation
  vertical_radius,   // effective radius by load
  automatic_sigma1,  // bristle damping from a mass
  parking_torque,
  estimated_inertia,  // rally: of the wheel, from its rim
  power_law,          // rally: of friction over load
  water,
  retention,
  coupling,
  nominal_radius,   // some tire has no radius of its own
  chassis_inertia,  // some wheel has no inertia of its own
  wheel_estimate,   // some wheel inertia comes from the unsprung masses
  rack,
  powertrain,
  plain_torque,  // no powertrain
  controllers,   // any brake controller, traction control or vectoring
  hydraulics,
  abs,
  ebd,
  tc,
  reference,  // yaw control or vectoring
  esc,
  vectoring,
  count
};

// Choices of which a car has one each.
using ReaderChoices = std::tuple<Level, TireBackend, ContactLaw, Combined, LowSpeedMode, RallyMode, PatchFidelity,
                                 PatchLoad, Differential, DriveType, PowertrainType, ShiftMode>;
template <class E> inline constexpr int kChoiceCount = static_cast<int>(EnumNames<E>::names.size());
template <> inline constexpr int kChoiceCount<ContactLaw> = 4;

template <class E, class Tuple> struct FirstBit;
template <class E, class... Rest> struct FirstBit<E, std::tuple<E, Rest...>> { static constexpr int value = 0; };
template <class E, class F, class... Rest> struct FirstBit<E, std::tuple<F, Rest...>> {
  static constexpr int value = kChoiceCount<F> + FirstBit<E, std::tuple<Rest...>>::value;
};
template <> struct FirstBit<Switch, std::tuple<>> { static constexpr int value = 0; };  // switches come last

template <class E> constexpr ReaderBits reader_bit(std::type_identity_t<E> value) {
  return ReaderBits{1} << (FirstBit<E, ReaderChoices>::value + static_cast<int>(value));
}
static_assert(FirstBit<Switch, ReaderChoices>::value + static_cast<int>(Switch::count) <= 64);

// Any of these values of a choice; all of these switches.
template <class E, class... More> consteval Readers when(E value, More... more) {
  return {{(reader_bit<E>(value) | ... | reader_bit<E>(more))}};
}
consteval Readers operator&(Readers a, Readers b) {
  if (b.any[1]) throw "alternatives stand on the left of &";  // does not compile
  return {{a.any[0] | b.any[0], a.any[1] ? a.any[1] | b.any[0] : 0}};
}
consteval Readers operator|(Readers a, Readers b) {
  if (a.any[1] || b.any[1]) throw "more alternatives than Readers holds";
  return {{a.any[0], b.any[0]}};
}

inline constexpr Readers kTwoTracks = when(Level::L2, Level::L3, Level::L5), kOnSprings = when(Level::L3, Level::L5);
// Of a field of a block that has readers itself; its key `enabled` is read in any case. The block has one alternative.
Readers within(const Readers& block, const FieldRef& field);

// What a car chose. Bits of what is not known are all 1; so sets of a level, a tire and a car are joined by &.
ReaderBits chosen(Level);
ReaderBits chosen(const TireSpec&);
ReaderBits chosen(const SteeringSpec&);
ReaderBits chosen(const DrivetrainSpec&);
ReaderBits chosen(const PowertrainSpec&);
ReaderBits chosen(const ControlSpec&);
ReaderBits chosen(const VehicleSpec&);  // all but its level and the laws of its tires

bool reads(const Readers&, ReaderBits car);
std::string readers_text(const Readers&);                // "level L3, L5"; "" = all
std::string why_unread(const Readers&, ReaderBits car);  // "with level L2, only with L3, L5"

}  // namespace vdsim
