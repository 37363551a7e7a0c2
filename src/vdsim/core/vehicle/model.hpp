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

template <class R> struct WheelParams {
  R x, y;  // position in the body frame [m]
  TireParams<R> tire;
};

struct Nothing {};
template <class R, Level Lv> struct VehicleParams : std::conditional_t<kSprung<Lv>, SprungParams<R>, Nothing> {
  R m, Iz, inv_m, inv_Iz;                     // [kg], [kg m^2]
  R inv_L, cg_to_rear, ackermann, max_steer;  // 1/wheelbase [1/m], [m], 0..1, [rad]
  AeroParams<R> aero;
  LoadParams<R> load;
  AxleParams<R> axle[2];
  WheelParams<R> wheel[kWheels<Lv>];
  RackParams<R> rack;
  Road<R> road;
};

template <Level Lv> struct VehicleKind {
  TireKind tire[kWheels<Lv>];
  AxleKind axle[2];
  RoadKind road;
  bool blend;  // low-speed fallback of the whole car
  bool rack;   // the steering moves by its own law
};

template <class R, Level Lv> struct Model {
  static constexpr int wheels = kWheels<Lv>, per_axle = kWheels<Lv> / 2;
  static constexpr double count = 4.0 / kWheels<Lv>;  // real wheels that one wheel of the model stands for
  VehicleKind<Lv> kind;
  VehicleParams<R, Lv> p;
  RoadData data;  // what the road keeps outside: not copied, not owned
};

// Driver commands at one instant.
template <class R> struct Inputs {
  R steer, throttle, brake, handbrake, gear;  // [rad], 0..1, 0..1, 0..1, -1|0|1 (gearbox by hand: the gear)
  R torque[4] = {R(0.0), R(0.0), R(0.0),
                 R(0.0)};  // asked of single wheels, beside the pedals (cars with equipment) [N m]
};

// The same for all wheels of R: reinterpreting a struct of R as an array lets batches fill it lane by lane.
template <class R, class S> constexpr int number_count = int(sizeof(S) / sizeof(R));

}  // namespace vdsim
