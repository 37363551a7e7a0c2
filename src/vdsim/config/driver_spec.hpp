// What a driver is told to do, as written in a scene.
#pragma once
#include <array>
#include <vector>

#include "vdsim/core/math/fields.hpp"

namespace vdsim {

// A value over time: linear between the points, held outside. No points = not given.
struct Table {
  struct Point {
    double t, value;  // t [s], strictly increasing
  };
  std::vector<Point> points;
  bool given() const { return !points.empty(); }
};

// Way points to follow.
struct PathSpec {
  std::vector<std::array<double, 2>> points;  // [x, y] on the road plane [m]
  bool given() const { return !points.empty(); }
};

// 0 = ideal, except preview.
struct HumanSpec {
  double preview = 1.0;
  double delay = 0, bandwidth = 0, steer_rate = 0, noise = 0;
  int seed = 1;

  static constexpr auto fields() {
    using S = HumanSpec;
    return std::tuple{field("preview", &S::preview, "s", between(0.2, 5), "time over which a path error is closed"),
                      field("delay", &S::delay, "s", between(0, 0.5), "from seeing to acting"),
                      field("bandwidth", &S::bandwidth, "Hz", at_least(0),
                            "of arms and muscles: half the power comes through; 0 = at once"),
                      field("steer_rate", &S::steer_rate, "rad/s", at_least(0),
                            "fastest change of the road-wheel angle; 0 = no limit"),
                      field("noise", &S::noise, "rad", at_least(0), "unrest of the road-wheel angle, RMS"),
                      field("seed", &S::seed, "-", at_least(0), "of the noise; same seed, same hand")};
  }
};
VD_COMPLETE(HumanSpec);

// What the driver does, at any rung: one of pedals, wheel torques, axle torques, force, acceleration, speed; and one of
// steer, curvature, path.
struct DriverSpec {
  Table steer, throttle, brake, handbrake, gear, speed;
  Table torque_fl, torque_fr, torque_rl, torque_rr, torque_front, torque_rear, force, acceleration, curvature;
  PathSpec path;
  double lookahead = 8;
  bool path_closed = false;
  HumanSpec human{0};  // preview 0: nobody looks ahead, `lookahead` decides

  static constexpr auto fields() {
    using S = DriverSpec;
    return std::tuple{field("steer", &S::steer, "rad", any_finite(),
                            "road-wheel angle of the equivalent single track, positive left"),
                      field("throttle", &S::throttle, "-", between(0, 1), "pedal"),
                      field("brake", &S::brake, "-", between(0, 1), "pedal, all wheels"),
                      field("handbrake", &S::handbrake, "-", between(0, 1), "lever, rear wheels"),
                      field("gear", &S::gear, "-", between(-1, 10),
                            "1 forward, 0 neutral, -1 reverse (gearbox by hand: the gear); held between its points"),
                      field("speed", &S::speed, "m/s", between(-150, 150),
                            "hold this speed with throttle and brake; negative = reverse"),
                      field("torque_fl", &S::torque_fl, "N m", any_finite(), "torque of the front left wheel"),
                      field("torque_fr", &S::torque_fr, "N m", any_finite(), "torque of the front right wheel"),
                      field("torque_rl", &S::torque_rl, "N m", any_finite(), "torque of the rear left wheel"),
                      field("torque_rr", &S::torque_rr, "N m", any_finite(), "torque of the rear right wheel"),
                      field("torque_front", &S::torque_front, "N m", any_finite(), "torque of the front axle"),
                      field("torque_rear", &S::torque_rear, "N m", any_finite(), "torque of the rear axle"),
                      field("force", &S::force, "N", any_finite(), "sum of the longitudinal contact forces"),
                      field("acceleration", &S::acceleration, "m/s^2", any_finite(), "of the speed, by pedals"),
                      field("curvature", &S::curvature, "1/m", any_finite(), "of the path driven, positive left"),
                      field("path", &S::path, "way points [[x, y], ...] to follow"),
                      field("lookahead", &S::lookahead, "m", above(0), "distance over which a path error is closed"),
                      field("path_closed", &S::path_closed, "the path starts over after its last point"),
                      field("human", &S::human, "a driver who looks ahead along the path, with human limits")};
  }
};
VD_COMPLETE(DriverSpec);

}  // namespace vdsim
