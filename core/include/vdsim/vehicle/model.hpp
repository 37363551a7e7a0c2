// The compiled car: constants of type R (one lane per car) and the switches that all lanes of a batch share.
// NW = 2: bicycle (L1), one wheel per axle that stands for two.  NW = 4: seven_dof (L2), FL FR RL RR.
#pragma once
#include "vdsim/aero/aero.hpp"
#include "vdsim/body/loads.hpp"
#include "vdsim/driveline/axle.hpp"
#include "vdsim/road/road.hpp"
#include "vdsim/steering/ackermann.hpp"
#include "vdsim/tire/tire.hpp"

namespace vdsim {

template <class R> struct WheelParams {
  R x, y;  // position in the body frame [m]
  TireParams<R> tire;
};

template <class R, int NW> struct VehicleParams {
  R m, Iz, inv_m, inv_Iz;                     // [kg], [kg m^2]
  R inv_L, cg_to_rear, ackermann, max_steer;  // 1/wheelbase [1/m], [m], 0..1, [rad]
  AeroParams<R> aero;
  LoadParams<R> load;
  AxleParams<R> axle[2];
  WheelParams<R> wheel[NW];
  Road<R> road;
};

template <int NW> struct VehicleKind {
  TireKind tire[NW];
  AxleKind axle[2];
  RoadKind road;
  bool blend;  // low-speed fallback of the whole car
};

template <class R, int NW> struct Model {
  static constexpr int wheels = NW, per_axle = NW / 2;
  static constexpr double count = 4.0 / NW;  // real wheels that one wheel of the model stands for
  VehicleKind<NW> kind;
  VehicleParams<R, NW> p;
};

// Everything that must be saved. Nothing else persists between steps.
template <class R, int NW> struct State {
  R x, y, psi;  // CG on the road plane [m], heading [rad]
  R vx, vy, r;  // velocity in the body frame [m/s], yaw rate [rad/s]
  R ax, ay;     // contact force / mass [m/s^2]: where the load solution starts
  std::array<WheelState<R>, NW> wheel;

  static constexpr auto fields() {
    using S = State;
    return std::tuple{field("x", &S::x, "m", any_finite(), "position on the road plane"),
                      field("y", &S::y, "m", any_finite(), "position on the road plane"),
                      field("psi", &S::psi, "rad", any_finite(), "heading"),
                      field("vx", &S::vx, "m/s", any_finite(), "forward speed"),
                      field("vy", &S::vy, "m/s", any_finite(), "speed to the left"),
                      field("r", &S::r, "rad/s", any_finite(), "yaw rate"),
                      field("ax", &S::ax, "m/s^2", any_finite(), "start of the load solution"),
                      field("ay", &S::ay, "m/s^2", any_finite(), "start of the load solution"),
                      field("wheel", &S::wheel, "spin and tire states")};
  }
};
static_assert(member_count<State<double, 4>>() == std::tuple_size_v<decltype(State<double, 4>::fields())>);

// Driver commands at one instant.
template <class R> struct Inputs {
  R steer, throttle, brake, handbrake, gear;  // [rad], 0..1, 0..1, 0..1, -1|0|1
};

// The same for all wheels of R: reinterpreting a struct of R as an array lets batches fill it lane by lane.
template <class R, class S> constexpr int number_count = int(sizeof(S) / sizeof(R));

}  // namespace vdsim
