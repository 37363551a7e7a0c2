// SPDX-License-Identifier: Apache-2.0
// powertrain.*  (schema powertrain_v1): what stands between the pedal and the differentials.
// Off: the plain torque of drivetrain.*. Which axles are driven is said there in any case.
#pragma once
#include "vdsim/core/math/fields.hpp"
#include "vdsim/core/math/number_list.hpp"

namespace vdsim {

inline constexpr int kMaxEngineSpeeds = 16, kMaxThrottles = 8, kMaxGears = 10;

enum class PowertrainType { engine, motor };
enum class ShiftMode { manual, auto_rpm };
template <> struct EnumNames<PowertrainType> { static constexpr std::array names{"engine", "motor"}; };
template <> struct EnumNames<ShiftMode> { static constexpr std::array names{"manual", "auto_rpm"}; };

// The defaults are a typical naturally aspirated 2.0 l engine.
struct EngineSpec {
  double idle_rpm = 800, redline_rpm = 6500, inertia = 0.25;
  NumberList<kMaxEngineSpeeds> rpm_breaks{7, {800, 1500, 2500, 3500, 4500, 5500, 6500}};
  NumberList<kMaxThrottles> throttle_breaks{5, {0, 0.25, 0.5, 0.75, 1}};
  NumberList<kMaxEngineSpeeds * kMaxThrottles> torque_map{
      35, {0,   0,   0,   0,   0,   0,   0,                                      //
           70,  85,  80,  65,  50,  35,  20,  95,  130, 140, 135, 120, 100, 75,  //
           105, 145, 165, 175, 172, 155, 125, 110, 150, 175, 190, 195, 185, 160}};
  double drag_torque = 10, drag_slope = 4, idle_torque = 60;
};

struct GearboxSpec {
  NumberList<kMaxGears> gear_ratios{5, {3.5, 2.1, 1.4, 1.0, 0.8}};
  double reverse_ratio = 3.2, final_drive = 4.1, efficiency = 0.92, shift_time = 0.3;
};

struct ShiftSpec {
  ShiftMode mode = ShiftMode::auto_rpm;
  double upshift_rpm = 5500, downshift_rpm = 1800;
  int start_gear = 1;
};

struct ClutchSpec {
  double capacity = 350, engage_time = 0.25, launch_rpm = 2200;
};

struct MotorSpec {
  double max_torque = 310, max_power = 150e3, max_rpm = 15000, ratio = 9, efficiency = 0.95, inertia = 0.03, regen = 0;
};

struct PowertrainSpec {
  bool enabled = false;
  PowertrainType type = PowertrainType::engine;
  EngineSpec engine;
  GearboxSpec gearbox;
  ShiftSpec shift;
  ClutchSpec clutch;
  MotorSpec motor;
};

// What no single range can say. `key` is the path below the powertrain.
struct Complaint {
  const char *key, *what;
};
inline constexpr int kMaxComplaints = 8;
template <int N> constexpr bool rises(const NumberList<N>& list) {
  for (int i = 1; i < list.count; ++i)
    if (!(list.v[i] > list.v[i - 1])) return false;
  return true;
}
inline int powertrain_complaints(const PowertrainSpec& s, Complaint out[kMaxComplaints]) {
  int n = 0;
  const auto need = [&](bool fine, const char* key, const char* what) {
    if (!fine) out[n++] = {key, what};
  };
  const EngineSpec& e = s.engine;
  const NumberList<kMaxGears>& g = s.gearbox.gear_ratios;
  need(e.rpm_breaks.count >= 2 && rises(e.rpm_breaks), "engine.rpm_breaks", "needs at least two values, rising");
  need(e.throttle_breaks.count >= 2 && rises(e.throttle_breaks), "engine.throttle_breaks",
       "needs at least two values, rising");
  need(e.torque_map.count == e.rpm_breaks.count * e.throttle_breaks.count, "engine.torque_map",
       "needs one number per pair of throttle_breaks and rpm_breaks");
  need(e.redline_rpm > e.idle_rpm, "engine.redline_rpm", "must be above idle_rpm");
  need(s.clutch.launch_rpm > e.idle_rpm, "clutch.launch_rpm", "must be above engine.idle_rpm");
  bool falls = g.count >= 1, hunts = false;
  for (int i = 1; i < g.count; ++i) {
    falls = falls && g.v[i] < g.v[i - 1];
    hunts = hunts || s.shift.upshift_rpm * g.v[i] <= s.shift.downshift_rpm * g.v[i - 1];
  }
  need(falls, "gearbox.gear_ratios", "needs at least one value, falling");
  need(s.shift.start_gear <= g.count, "shift.start_gear", "there are fewer gears");
  need(s.shift.mode == ShiftMode::manual || !hunts, "shift.downshift_rpm",
       "an upshift would land below it and shift back at once");
  return n;
}

}  // namespace vdsim
