// SPDX-License-Identifier: Apache-2.0
// Everything that must be saved of a car. Nothing else persists between steps (contact-patch tires and equipment keep their
// own memory beside it).
#pragma once
#include "vdsim/core/steering/rack.hpp"
#include "vdsim/core/tire/params.hpp"
#include "vdsim/core/vehicle/level.hpp"

namespace vdsim {

// L1, L2
template <class R, Level Lv> struct State {
  R x, y, psi;  // CG on the road plane [m], heading [rad]
  R vx, vy, r;  // velocity in the body frame [m/s], yaw rate [rad/s]
  R ax, ay;     // contact force / mass [m/s^2]: where the load solution starts
  std::array<WheelState<R>, kWheels<Lv>> wheel;
  RackState<R> rack;  // steering.rack, else 0

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
                      field("wheel", &S::wheel, "spin and tire states"),
                      field("rack", &S::rack, "steering rack")};
  }
};
static_assert(member_count<State<double, Level::L2>>() ==
              std::tuple_size_v<decltype(State<double, Level::L2>::fields())>);

// L3: the plane, and the motion on it. Velocities in the heading frame: x forward in the road plane, z normal to it.
template <class R> struct State<R, Level::L3> {
  R x, y, psi;              // CG on the road plane [m], heading [rad]
  R z, phi, theta;          // CG above its place at rest [m]; roll (left side up), pitch (nose down) [rad]
  R vx, vy, vz;             // [m/s]
  R p, q, r;                // rates of roll, pitch, yaw [rad/s]
  std::array<R, 4> travel;  // of each wheel against the body, up [m]
  std::array<R, 4> speed;   // its rate [m/s]
  std::array<WheelState<R>, 4> wheel;
  RackState<R> rack;  // steering.rack, else 0

  static constexpr auto fields() {
    using S = State;
    return std::tuple{field("x", &S::x, "m", any_finite(), "position on the road plane"),
                      field("y", &S::y, "m", any_finite(), "position on the road plane"),
                      field("psi", &S::psi, "rad", any_finite(), "heading"),
                      field("z", &S::z, "m", any_finite(), "CG above its place at rest"),
                      field("phi", &S::phi, "rad", any_finite(), "roll, left side up"),
                      field("theta", &S::theta, "rad", any_finite(), "pitch, nose down"),
                      field("vx", &S::vx, "m/s", any_finite(), "forward speed"),
                      field("vy", &S::vy, "m/s", any_finite(), "speed to the left"),
                      field("vz", &S::vz, "m/s", any_finite(), "speed away from the road"),
                      field("p", &S::p, "rad/s", any_finite(), "roll rate"),
                      field("q", &S::q, "rad/s", any_finite(), "pitch rate"),
                      field("r", &S::r, "rad/s", any_finite(), "yaw rate"),
                      field("travel", &S::travel, "m", any_finite(), "of the wheels against the body, up"),
                      field("speed", &S::speed, "m/s", any_finite(), "of the travel"),
                      field("wheel", &S::wheel, "spin and tire states"),
                      field("rack", &S::rack, "steering rack")};
  }
};
static_assert(member_count<State<double, Level::L3>>() ==
              std::tuple_size_v<decltype(State<double, Level::L3>::fields())>);

// L5: any attitude. Velocities in body axes.
template <class R> struct State<R, Level::L5> {
  R x, y, z;                // CG (of the car at rest) in the axes of the road plane [m]
  R e0, ex, ey, ez;         // attitude: quaternion that turns body axes into those of the plane
  R vx, vy, vz;             // [m/s]
  R p, q, r;                // [rad/s]
  std::array<R, 4> travel;  // of each wheel against the body, up [m]
  std::array<R, 4> speed;   // its rate [m/s]
  std::array<WheelState<R>, 4> wheel;
  RackState<R> rack;  // steering.rack, else 0

  static constexpr auto fields() {
    using S = State;
    return std::tuple{field("x", &S::x, "m", any_finite(), "position along the plane"),
                      field("y", &S::y, "m", any_finite(), "position along the plane"),
                      field("z", &S::z, "m", any_finite(), "position above the plane"),
                      field("e0", &S::e0, "-", any_finite(), "attitude"),
                      field("ex", &S::ex, "-", any_finite(), "attitude"),
                      field("ey", &S::ey, "-", any_finite(), "attitude"),
                      field("ez", &S::ez, "-", any_finite(), "attitude"),
                      field("vx", &S::vx, "m/s", any_finite(), "velocity along the body's x axis"),
                      field("vy", &S::vy, "m/s", any_finite(), "velocity along the body's y axis"),
                      field("vz", &S::vz, "m/s", any_finite(), "velocity along the body's z axis"),
                      field("p", &S::p, "rad/s", any_finite(), "rate about the body's x axis"),
                      field("q", &S::q, "rad/s", any_finite(), "rate about the body's y axis"),
                      field("r", &S::r, "rad/s", any_finite(), "rate about the body's z axis"),
                      field("travel", &S::travel, "m", any_finite(), "of the wheels against the body, up"),
                      field("speed", &S::speed, "m/s", any_finite(), "of the travel"),
                      field("wheel", &S::wheel, "spin and tire states"),
                      field("rack", &S::rack, "steering rack")};
  }
};
static_assert(member_count<State<double, Level::L5>>() ==
              std::tuple_size_v<decltype(State<double, Level::L5>::fields())>);

}  // namespace vdsim
