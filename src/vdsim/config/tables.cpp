// SPDX-License-Identifier: Apache-2.0
// Field tables: start, solver, clock and driver of a scene.
#include "vdsim/config/driver_spec.hpp"
#include "vdsim/config/scenario.hpp"
#include "vdsim/engine/tables/table.hpp"

namespace vdsim {

template <> std::vector<FieldRef> fields_of(StartSpec& s) {
  return table<StartSpec>(
      {field("x0", s.x0, "m", between(-1e7, 1e7), "CG along the road"),
       field("y0", s.y0, "m", between(-1e7, 1e7), "CG across the road, positive left"),
       field("yaw0", s.yaw0, "rad", between(-1e4, 1e4), "heading, 0 = +x"),
       field("vx0", s.vx0, "m/s", between(-150, 150), "speed; the wheels roll without slip"),
       field("z0", s.z0, "m", between(0, 1000), "L3, L5: dropped from this height above the road; 0 = stands on it")});
}

template <> std::vector<FieldRef> fields_of(SolverSpec& s) {
  return table<SolverSpec>(
      {field("integrator", s.integrator, "method"), field("dt", s.dt, "s", Range{1e-6, 0.02, false, false}, "step")});
}

template <> std::vector<FieldRef> fields_of(TimingSpec& s) {
  return table<TimingSpec>({field("duration", s.duration, "s", Range{0, 1e7, true, false}, "length of the run"),
                            field("rate", s.rate, "1/s", Range{0, 1e6, true, false}, "rows per second in the output"),
                            field("cmd_timeout", s.cmd_timeout, "s", above(0),
                                  "age at which outside commands are stale (control: external)")});
}

template <> std::vector<FieldRef> fields_of(HumanSpec& s) {
  return table<HumanSpec>(
      {field("preview", s.preview, "s", between(0.2, 5), "time over which a path error is closed"),
       field("delay", s.delay, "s", between(0, 0.5), "from seeing to acting"),
       field("bandwidth", s.bandwidth, "Hz", at_least(0),
             "of arms and muscles: half the power comes through; 0 = at once"),
       field("steer_rate", s.steer_rate, "rad/s", at_least(0), "fastest change of the road-wheel angle; 0 = no limit"),
       field("noise", s.noise, "rad", at_least(0), "unrest of the road-wheel angle, RMS"),
       field("seed", s.seed, "-", at_least(0), "of the noise; same seed, same hand")});
}

template <> std::vector<FieldRef> fields_of(DriverSpec& s) {
  return table<DriverSpec>(
      {other("steer", s.steer, "rad", any_finite(), "road-wheel angle of the equivalent single track, positive left"),
       other("throttle", s.throttle, "-", between(0, 1), "pedal"),
       other("brake", s.brake, "-", between(0, 1), "pedal, all wheels"),
       other("handbrake", s.handbrake, "-", between(0, 1), "lever, rear wheels"),
       other("gear", s.gear, "-", between(-1, 10),
             "1 forward, 0 neutral, -1 reverse (manual gearbox: the gear); held between its points"),
       other("speed", s.speed, "m/s", between(-150, 150),
             "hold this speed with throttle and brake; negative = reverse"),
       other("torque_fl", s.torque_fl, "N m", any_finite(), "torque of the front left wheel"),
       other("torque_fr", s.torque_fr, "N m", any_finite(), "torque of the front right wheel"),
       other("torque_rl", s.torque_rl, "N m", any_finite(), "torque of the rear left wheel"),
       other("torque_rr", s.torque_rr, "N m", any_finite(), "torque of the rear right wheel"),
       other("torque_front", s.torque_front, "N m", any_finite(), "torque of the front axle"),
       other("torque_rear", s.torque_rear, "N m", any_finite(), "torque of the rear axle"),
       other("force", s.force, "N", any_finite(), "sum of the longitudinal contact forces"),
       other("acceleration", s.acceleration, "m/s^2", any_finite(), "of the speed, by pedals"),
       other("curvature", s.curvature, "1/m", any_finite(), "of the path driven, positive left"),
       other("path", s.path, "way points [[x, y], ...] to follow"),
       field("lookahead", s.lookahead, "m", above(0), "distance over which a path error is closed"),
       field("path_closed", s.path_closed, "the path starts over after its last point"),
       block("human", s.human, "a driver who looks ahead along the path, with human limits")});
}

}  // namespace vdsim
