// control.*  (schema control_v1): brake hydraulics and the controllers that act through them. All off by default.
#pragma once
#include "vdsim/core/math/fields.hpp"

namespace vdsim {

struct HydraulicsSpec {
  bool enabled = false;
  double lag = 0.015, build_rate = 6, release_rate = 15;

  static constexpr auto fields() {
    using S = HydraulicsSpec;
    return std::tuple{
        field("enabled", &S::enabled, "brake torque follows the command late; on with any brake controller"),
        field("lag", &S::lag, "s", between(1e-3, 1), "first-order lag"),
        field("build_rate", &S::build_rate, "1/s", above(0), "fastest rise, in full brake torques per second"),
        field("release_rate", &S::release_rate, "1/s", above(0), "fastest fall, in full brake torques per second")};
  }
};
VD_COMPLETE(HydraulicsSpec);

struct AbsSpec {
  bool enabled = false;
  double slip_low = 0.09, slip_high = 0.13, lock_decel = 20, recover_accel = 4, build_rate = 3, min_speed = 2;

  static constexpr auto fields() {
    using S = AbsSpec;
    return std::tuple{
        field("enabled", &S::enabled, "anti-lock brakes"),
        field("slip_low", &S::slip_low, "-", Range{0, 1, true, true}, "pressure is held from this slip"),
        field("slip_high", &S::slip_high, "-", Range{0, 1, true, true},
              "pressure is released from this slip; above slip_low"),
        field("lock_decel", &S::lock_decel, "m/s^2", above(0),
              "released already from slip_low if the rim slows this much faster than the car"),
        field("recover_accel", &S::recover_accel, "m/s^2", above(0),
              "held instead of released if the rim speeds up by this"),
        field("build_rate", &S::build_rate, "1/s", above(0), "relative rise of the torque per second after a release"),
        field("min_speed", &S::min_speed, "m/s", at_least(0), "off below")};
  }
};
VD_COMPLETE(AbsSpec);

struct EbdSpec {
  bool enabled = false;
  double slip_difference = 0.01;

  static constexpr auto fields() {
    using S = EbdSpec;
    return std::tuple{field("enabled", &S::enabled, "electronic brake force distribution"),
                      field("slip_difference", &S::slip_difference, "-", Range{0, 1, true, true},
                            "rear slip above front slip: held; twice that: released")};
  }
};
VD_COMPLETE(EbdSpec);

struct TcSpec {
  bool enabled = false;
  double slip = 0.1, gain = 6, damping = 1.5, recover = 0.8, brake_gain = 0.3, max_brake = 0.5;

  static constexpr auto fields() {
    using S = TcSpec;
    return std::tuple{field("enabled", &S::enabled, "traction control"),
                      field("slip", &S::slip, "-", Range{0, 1, true, true}, "drive slip that is allowed"),
                      field("gain", &S::gain, "1/s", above(0), "throttle taken per second and slip in excess"),
                      field("damping", &S::damping, "-", at_least(0), "throttle taken at once per slip in excess"),
                      field("recover", &S::recover, "1/s", above(0), "throttle given back per second"),
                      field("brake_gain", &S::brake_gain, "s/m", at_least(0),
                            "share of the brake on the faster driven wheel per m/s of difference"),
                      field("max_brake", &S::max_brake, "-", between(0, 1), "most of it")};
  }
};
VD_COMPLETE(TcSpec);

// The car the driver expects: reference of yaw control and torque vectoring.
struct YawReferenceSpec {
  double understeer_gradient = 0.001, max_lateral = 8.5, lateral_margin = 2.5, lag = 0.08, min_speed = 5;

  static constexpr auto fields() {
    using S = YawReferenceSpec;
    return std::tuple{
        field("understeer_gradient", &S::understeer_gradient, "rad s^2/m", at_least(0),
              "of the linear single-track car"),
        field("max_lateral", &S::max_lateral, "m/s^2", above(0), "largest lateral acceleration it may ask for"),
        field("lateral_margin", &S::lateral_margin, "m/s^2", above(0), "and beyond the measured one"),
        field("lag", &S::lag, "s", at_least(0), "of its yaw rate"),
        field("min_speed", &S::min_speed, "m/s", above(0), "yaw control and vectoring off below")};
  }
};
VD_COMPLETE(YawReferenceSpec);

struct EscSpec {
  bool enabled = false;
  double oversteer = 0.06, understeer = 0.08, brake_gain = 3, max_brake = 0.8, throttle_gain = 6;
  double slip_allowed = 10, slip_per_lateral = 0, slip_gain = 20, slip_lead = 0, slip_fade = 6, brake_slip = 0;

  static constexpr auto fields() {
    using S = EscSpec;
    return std::tuple{
        field("enabled", &S::enabled, "yaw control by single brakes"),
        field("oversteer", &S::oversteer, "rad/s", above(0),
              "yaw rate in excess that is allowed; beyond: outer front brake"),
        field("understeer", &S::understeer, "rad/s", above(0),
              "yaw rate missing that is allowed; beyond: inner rear brake"),
        field("brake_gain", &S::brake_gain, "s/rad", above(0), "share of the brake per rad/s beyond"),
        field("max_brake", &S::max_brake, "-", between(0, 1), "most of it"),
        field("throttle_gain", &S::throttle_gain, "s/rad", at_least(0), "throttle taken per rad/s beyond"),
        field("slip_allowed", &S::slip_allowed, "rad", above(0),
              "side slip angle that is allowed; beyond: front brake on the side the car slides to; 10 = not watched"),
        field("slip_per_lateral", &S::slip_per_lateral, "rad s^2/m", at_least(0),
              "more of it per lateral acceleration: a car in a turn has some without sliding"),
        field("slip_gain", &S::slip_gain, "1/rad", at_least(0), "share of the brake per rad beyond"),
        field("slip_lead", &S::slip_lead, "s", at_least(0), "how far ahead the side slip angle is reckoned"),
        field("slip_fade", &S::slip_fade, "s", above(0), "in which its estimate forgets"),
        field("brake_slip", &S::brake_slip, "-", between(0, 1),
              "slip at which ABS lets go of a front wheel at full yaw control; 0 = as ever")};
  }
};
VD_COMPLETE(EscSpec);

struct VectoringSpec {
  bool enabled = false;
  double gain = 6000, max_torque = 500, front_share = 0;

  static constexpr auto fields() {
    using S = VectoringSpec;
    return std::tuple{
        field("enabled", &S::enabled, "torque vectoring between left and right"),
        field("gain", &S::gain, "N m s/rad", above(0), "torque per error of the yaw rate"),
        field("max_torque", &S::max_torque, "N m", at_least(0), "most at one side"),
        field("front_share", &S::front_share, "-", between(0, 1), "share of the front axle; 0 = rear only")};
  }
};
VD_COMPLETE(VectoringSpec);

struct ControlSpec {
  double sample_time = 0.005;
  HydraulicsSpec hydraulics;
  AbsSpec abs;
  EbdSpec ebd;
  TcSpec tc;
  YawReferenceSpec reference;
  EscSpec esc;
  VectoringSpec vectoring;

  static constexpr auto fields() {
    using S = ControlSpec;
    return std::tuple{
        field("sample_time", &S::sample_time, "s", between(1e-3, 0.1), "of the controllers; at least the step"),
        field("hydraulics", &S::hydraulics, "brake hydraulics"),
        field("abs", &S::abs, "anti-lock brakes"),
        field("ebd", &S::ebd, "brake force distribution"),
        field("tc", &S::tc, "traction control"),
        field("reference", &S::reference, "reference of the yaw rate"),
        field("esc", &S::esc, "yaw control"),
        field("vectoring", &S::vectoring, "torque vectoring")};
  }
};
VD_COMPLETE(ControlSpec);

}  // namespace vdsim
