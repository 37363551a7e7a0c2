// SPDX-License-Identifier: Apache-2.0
// Field tables: brake hydraulics, ABS, traction and yaw control.
#include "vdsim/core/control/control_spec.hpp"
#include "vdsim/engine/tables/table.hpp"

namespace vdsim {

template <> std::vector<FieldRef> fields_of(HydraulicsSpec& s) {
  return table<HydraulicsSpec>(
      {field("enabled", s.enabled, "brake torque follows the command late; on with any brake controller"),
       field("lag", s.lag, "s", between(1e-3, 1), "first-order lag"),
       field("build_rate", s.build_rate, "1/s", above(0), "fastest rise, in full brake torques per second"),
       field("release_rate", s.release_rate, "1/s", above(0), "fastest fall, in full brake torques per second")});
}

template <> std::vector<FieldRef> fields_of(AbsSpec& s) {
  return table<AbsSpec>(
      {field("enabled", s.enabled, "anti-lock brakes"),
       field("slip_start", s.slip_start, "-", Range{0, 1, true, true}, "slip at which the search of the peak starts"),
       field("slip_most", s.slip_most, "-", Range{0, 1, true, true}, "largest slip of the search; above slip_start"),
       field("search_rate", s.search_rate, "1/s", above(0), "relative change of the slip that is aimed at"),
       field("drop", s.drop, "-", Range{0, 1, true, true}, "loss of friction that shows a peak passed"),
       field("response", s.response, "s", above(0), "time in which the slip reaches what is aimed at"),
       field("side_rate", s.side_rate, "1/s", at_least(0),
             "growth of the torque that a wheel may have beyond the other one of its axle, in full torques per second"),
       field("min_speed", s.min_speed, "m/s", at_least(0), "off below")});
}

template <> std::vector<FieldRef> fields_of(EbdSpec& s) {
  return table<EbdSpec>({field("enabled", s.enabled, "electronic brake force distribution"),
                         field("slip_difference", s.slip_difference, "-", Range{0, 1, true, true},
                               "rear slip above front slip: held; twice that: released")});
}

template <> std::vector<FieldRef> fields_of(TcSpec& s) {
  return table<TcSpec>(
      {field("enabled", s.enabled, "traction control"),
       field("slip", s.slip, "-", Range{0, 1, true, true}, "drive slip that is allowed"),
       field("gain", s.gain, "1/s", above(0), "throttle reduction per second and slip in excess"),
       field("damping", s.damping, "-", at_least(0), "immediate throttle reduction per slip in excess"),
       field("recover", s.recover, "1/s", above(0), "throttle given back per second"),
       field("brake_gain", s.brake_gain, "s/m", at_least(0),
             "share of the brake on the faster driven wheel per m/s of difference"),
       field("max_brake", s.max_brake, "-", between(0, 1), "largest share of the brake")});
}

template <> std::vector<FieldRef> fields_of(YawReferenceSpec& s) {
  return table<YawReferenceSpec>(
      {field("understeer_gradient", s.understeer_gradient, "rad s^2/m", at_least(0), "of the linear single-track car"),
       field("max_lateral", s.max_lateral, "m/s^2", above(0), "largest lateral acceleration it may ask for"),
       field("lateral_margin", s.lateral_margin, "m/s^2", above(0), "how far that may exceed the measured one"),
       field("lag", s.lag, "s", at_least(0), "of its yaw rate"),
       field("min_speed", s.min_speed, "m/s", above(0), "yaw control and vectoring off below")});
}

template <> std::vector<FieldRef> fields_of(EscSpec& s) {
  return table<EscSpec>(
      {field("enabled", s.enabled, "yaw control by single brakes"),
       field("oversteer", s.oversteer, "rad/s", above(0),
             "yaw rate in excess that is allowed; beyond: outer front brake"),
       field("understeer", s.understeer, "rad/s", above(0),
             "yaw rate missing that is allowed; beyond: inner rear brake"),
       field("understeer_gradient", s.understeer_gradient, "rad s^2/m", at_least(0),
             "a car that turns less than with this gradient understeers"),
       field("brake_gain", s.brake_gain, "s/rad", above(0), "share of the brake per rad/s beyond"),
       field("max_brake", s.max_brake, "-", between(0, 1), "largest share of the brake"),
       field("throttle_gain", s.throttle_gain, "s/rad", at_least(0), "throttle reduction per rad/s beyond"),
       field("slip_allowed", s.slip_allowed, "rad", above(0),
             "slip angle of the rear axle that is allowed, more below 80 km/h; beyond: front brake on the side it "
             "slides to"),
       field("slip_per_lateral", s.slip_per_lateral, "rad s^2/m", at_least(0),
             "more of it per lateral acceleration: what tires have that do not slide"),
       field("slip_gain", s.slip_gain, "1/rad", at_least(0), "share of the brake per rad beyond"),
       field("slip_lead", s.slip_lead, "s", at_least(0), "how far ahead the slip angle is predicted"),
       field("slip_fade", s.slip_fade, "s", above(0),
             "time in which its estimate returns to what the lateral acceleration explains"),
       field("brake_slip", s.brake_slip, "-", between(0, 1),
             "slip at which ABS releases a front wheel at full yaw control; 0 = as without it")
           .read_by(when(Switch::abs))});
}

template <> std::vector<FieldRef> fields_of(VectoringSpec& s) {
  return table<VectoringSpec>(
      {field("enabled", s.enabled, "torque vectoring between left and right"),
       field("gain", s.gain, "N m s/rad", above(0), "torque per error of the yaw rate"),
       field("max_torque", s.max_torque, "N m", at_least(0), "most at one side"),
       field("front_share", s.front_share, "-", between(0, 1), "share of the front axle; 0 = rear only")});
}

template <> std::vector<FieldRef> fields_of(ControlSpec& s) {
  return table<ControlSpec>(
      {field("sample_time", s.sample_time, "s", between(1e-3, 0.1), "of the controllers; at least the step")
           .read_by(when(Switch::controllers)),
       block("hydraulics", s.hydraulics, "brake hydraulics").read_by(when(Switch::hydraulics)),
       block("abs", s.abs, "anti-lock brakes").read_by(when(Switch::abs)),
       block("ebd", s.ebd, "brake force distribution").read_by(when(Switch::ebd)),
       block("tc", s.tc, "traction control").read_by(when(Switch::tc)),
       block("reference", s.reference, "reference of the yaw rate").read_by(when(Switch::reference)),
       block("esc", s.esc, "yaw control").read_by(when(Switch::esc)),
       block("vectoring", s.vectoring, "torque vectoring").read_by(when(Switch::vectoring) & kTwoTracks)});
}

}  // namespace vdsim
