// SPDX-License-Identifier: Apache-2.0
// control.*  (schema control_v1): brake hydraulics and the controllers that act through them. All off by default.
#pragma once
#include "vdsim/core/math/fields.hpp"

namespace vdsim {

struct HydraulicsSpec {
  bool enabled = false;
  double lag = 0.015, build_rate = 6, release_rate = 15;
};

struct AbsSpec {
  bool enabled = false;
  double slip_start = 0.15, slip_most = 0.5, search_rate = 2.5, drop = 0.04, response = 0.05, side_rate = 0.7,
         min_speed = 2;
};

struct EbdSpec {
  bool enabled = false;
  double slip_difference = 0.01;
};

struct TcSpec {
  bool enabled = false;
  double slip = 0.1, gain = 6, damping = 1.5, recover = 0.8, brake_gain = 0.3, max_brake = 0.5;
};

// The car the driver expects: reference of yaw control and torque vectoring.
struct YawReferenceSpec {
  double understeer_gradient = 0.001, max_lateral = 20, lateral_margin = 2.5, lag = 0.08, min_speed = 5;
};

struct EscSpec {
  bool enabled = false;
  double oversteer = 0.03, understeer = 0.08, understeer_gradient = 0.012, brake_gain = 10, max_brake = 1,
         throttle_gain = 6;
  double slip_allowed = 0.01, slip_per_lateral = 0.009, slip_gain = 80, slip_lead = 0.05, slip_fade = 1,
         brake_slip = 0.9;
};

struct VectoringSpec {
  bool enabled = false;
  double gain = 6000, max_torque = 500, front_share = 0;
};

struct ControlSpec {
  double sample_time = 0.005;
  HydraulicsSpec hydraulics;
  AbsSpec abs;
  EbdSpec ebd;
  TcSpec tc;
  YawReferenceSpec reference;
  EscSpec esc;
  VectoringSpec vectoring;
};

}  // namespace vdsim
