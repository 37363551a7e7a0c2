// SPDX-License-Identifier: Apache-2.0
// The compiled car: constants of type R (one lane per car) and the switches that all lanes of a batch share.
#pragma once
#include "vdsim/core/aero/aero.hpp"
#include "vdsim/core/body/loads.hpp"
#include "vdsim/core/driveline/axle.hpp"
#include "vdsim/core/road/road.hpp"
#include "vdsim/core/steering/ackermann.hpp"
#include "vdsim/core/suspension/sprung_params.hpp"
#include "vdsim/core/tire/tire.hpp"
#include "vdsim/core/vehicle/state.hpp"

namespace vdsim {

// All laws of a car as constants: one for all tires, one for both differentials.
struct CarLaws {
  TireKind tire;
  AxleKind axle;
  bool rack;       // the steering moves by its own law
  bool equipment;  // may be given torques and brakes that come out of equipment
};

// Laws of a model. Open: read at run time, each tire its own. Fixed<L>: the constants L::laws, on a plane road.
struct Open {};
template <class L> struct Fixed {};

// A car on MF96 tires under the rolling law, open differentials, no equipment: the usual car of a batch.
struct Mf96Rolling {
  static constexpr CarLaws laws = [] {
    CarLaws l{};
    l.tire.steady = SteadyLaw::mf96;
    l.tire.contact = ContactLaw::rolling;
    l.tire.mu_shrinks = l.tire.similarity = l.tire.roll_memory = l.tire.pivot = true;
    return l;
  }();
};
using FixedMf96Rolling = Fixed<Mf96Rolling>;

template <Level Lv> struct VehicleKind {
  static constexpr bool equipment = true;
  TireKind tire[kWheels<Lv>];
  AxleKind axle[2];
  RoadKind road;
  bool blend;  // low-speed fallback of the whole car
  bool rack;   // the steering moves by its own law
  bool operator==(const VehicleKind&) const = default;
};
// The same names as constants.
template <class K> struct Same {
  VD_INLINE constexpr K operator[](int) const { return {}; }
};
template <class L> struct FixedAxle { static constexpr bool locked = L::laws.axle.locked, lsd = L::laws.axle.lsd; };
template <class L> struct FixedVehicleKind {
  static constexpr bool equipment = L::laws.equipment, blend = L::laws.tire.blend, rack = L::laws.rack;
  Same<FixedTire<L>> tire;
  Same<FixedAxle<L>> axle;
  PlaneKind road;
};

template <Level Lv, class Laws> struct LawsOf {
  using Kind = VehicleKind<Lv>;
  using Tire = TireKind;
  template <class R> using RoadParams = Road<R>;
};
template <Level Lv, class L> struct LawsOf<Lv, Fixed<L>> {
  using Kind = FixedVehicleKind<L>;
  using Tire = FixedTire<L>;
  template <class R> using RoadParams = PlaneRoad<R>;
};

template <class R, class K = TireKind> struct WheelParams {
  R x, y;  // position in the body frame [m]
  TireParams<R, K> tire;
};

struct Nothing {};
// What does not depend on the laws.
template <class R, Level Lv> struct CarParams : std::conditional_t<kSprung<Lv>, SprungParams<R>, Nothing> {
  R m, Iz, inv_m, inv_Iz;                     // [kg], [kg m^2]
  R inv_L, cg_to_rear, ackermann, max_steer;  // 1/wheelbase [1/m], [m], 0..1, [rad]
  AeroParams<R> aero;
  LoadParams<R> load;
  AxleParams<R> axle[2];
  RackParams<R> rack;
};
template <class R, Level Lv, class Laws = Open> struct VehicleParams : CarParams<R, Lv> {
  WheelParams<R, typename LawsOf<Lv, Laws>::Tire> wheel[kWheels<Lv>];
  typename LawsOf<Lv, Laws>::template RoadParams<R> road;
};

template <Level Lv> inline constexpr double kCount =
    4.0 / kWheels<Lv>;  // real wheels that one wheel of the model stands for

template <class R, Level Lv, class Laws = Open> struct Model {
  static constexpr int wheels = kWheels<Lv>, per_axle = kWheels<Lv> / 2;
  static constexpr double count = kCount<Lv>;
  typename LawsOf<Lv, Laws>::Kind kind;
  VehicleParams<R, Lv, Laws> p;
  RoadData data;  // what the road keeps outside: not copied, not owned
};

// The car follows these laws.
template <class L, Level Lv> bool follows(const VehicleKind<Lv>& k) {
  bool same = is_plane(k.road) && k.rack == L::laws.rack && k.blend == L::laws.tire.blend;
  for (const TireKind& tire : k.tire) same = same && tire == L::laws.tire;
  for (const AxleKind& axle : k.axle) same = same && axle == L::laws.axle;
  return same;
}
// The numbers of an open model that one of fixed laws has; the caller has asked follows().
template <class R, Level Lv, class L> void copy_fixed(const Model<R, Lv>& from, Model<R, Lv, Fixed<L>>& to) {
  static_cast<CarParams<R, Lv>&>(to.p) = from.p;
  static_cast<PlaneRoad<R>&>(to.p.road) = from.p.road;
  for (int i = 0; i < kWheels<Lv>; ++i) {
    to.p.wheel[i].x = from.p.wheel[i].x;
    to.p.wheel[i].y = from.p.wheel[i].y;
    fix_tire(from.p.wheel[i].tire, to.p.wheel[i].tire);
  }
  to.data = from.data;
}
// The open model with fixed laws; false, and nothing written, if it follows others.
template <class R, Level Lv, class L> bool fix(const Model<R, Lv>& from, Model<R, Lv, Fixed<L>>& to) {
  const bool same = follows<L>(from.kind);
  if (same) copy_fixed(from, to);
  return same;
}

// Driver commands at one instant.
template <class R> struct Inputs {
  R steer, throttle, brake, handbrake, gear;  // [rad], 0..1, 0..1, 0..1, -1|0|1 (manual gearbox: the gear)
  R torque[4] = {R(0.0), R(0.0), R(0.0),
                 R(0.0)};  // asked of single wheels, beside the pedals (cars with equipment) [N m]
};

// The same for all wheels of R: reinterpreting a struct of R as an array lets batches fill it lane by lane.
template <class R, class S> constexpr int number_count = int(sizeof(S) / sizeof(R));

}  // namespace vdsim
