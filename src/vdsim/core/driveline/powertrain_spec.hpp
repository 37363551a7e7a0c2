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

  static constexpr auto fields() {
    using S = EngineSpec;
    return std::tuple{
        field("idle_rpm", &S::idle_rpm, "rpm", above(0), "speed the idle controller holds"),
        field("redline_rpm", &S::redline_rpm, "rpm", above(0),
              "the limiter closes the throttle from here to 3 % above"),
        field("inertia", &S::inertia, "kg m^2", above(0), "crankshaft and flywheel"),
        field("rpm_breaks", &S::rpm_breaks, "rpm", at_least(0), "speeds of the torque map, rising; held outside"),
        field("throttle_breaks", &S::throttle_breaks, "-", between(0, 1), "throttles of the torque map, rising"),
        field("torque_map", &S::torque_map, "N m", any_finite(), "at the flywheel, one row per throttle, row by row"),
        field("drag_torque", &S::drag_torque, "N m", at_least(0),
              "drag at closed throttle; fades to 0 at full throttle"),
        field("drag_slope", &S::drag_slope, "N m/1000 rpm", at_least(0), "its growth with speed"),
        field("idle_torque", &S::idle_torque, "N m", above(0), "most that the idle controller gives")};
  }
};
VD_COMPLETE(EngineSpec);

struct GearboxSpec {
  NumberList<kMaxGears> gear_ratios{5, {3.5, 2.1, 1.4, 1.0, 0.8}};
  double reverse_ratio = 3.2, final_drive = 4.1, efficiency = 0.92, shift_time = 0.3;

  static constexpr auto fields() {
    using S = GearboxSpec;
    return std::tuple{
        field("gear_ratios", &S::gear_ratios, "-", above(0), "forward gears, first gear first, falling"),
        field("reverse_ratio", &S::reverse_ratio, "-", above(0), "reverse gear"),
        field("final_drive", &S::final_drive, "-", above(0), "multiplies every gear"),
        field("efficiency", &S::efficiency, "-", Range{0, 1, true, false}, "power out / power in, either way"),
        field("shift_time", &S::shift_time, "s", at_least(0), "clutch open during a shift")};
  }
};
VD_COMPLETE(GearboxSpec);

struct ShiftSpec {
  ShiftMode mode = ShiftMode::auto_rpm;
  double upshift_rpm = 5500, downshift_rpm = 1800;
  int start_gear = 1;

  static constexpr auto fields() {
    using S = ShiftSpec;
    return std::tuple{
        field("mode", &S::mode, "manual: command gear n is the n-th gear; auto_rpm: gear 1 is drive"),
        field("upshift_rpm", &S::upshift_rpm, "rpm", above(0), "auto: next gear above this engine speed"),
        field("downshift_rpm", &S::downshift_rpm, "rpm", at_least(0), "auto: gear below under this engine speed"),
        field("start_gear", &S::start_gear, "-", Range{1, kMaxGears, false, false},
              "lowest gear of auto; first gear of a run")};
  }
};
VD_COMPLETE(ShiftSpec);

struct ClutchSpec {
  double capacity = 350, engage_time = 0.25, launch_rpm = 2200;

  static constexpr auto fields() {
    using S = ClutchSpec;
    return std::tuple{
        field("capacity", &S::capacity, "N m", above(0), "friction torque, fully closed"),
        field("engage_time", &S::engage_time, "s", above(0), "time to close after a shift"),
        field("launch_rpm", &S::launch_rpm, "rpm", above(0), "fully closed from this engine speed, open at idle")};
  }
};
VD_COMPLETE(ClutchSpec);

struct MotorSpec {
  double max_torque = 310, max_power = 150e3, max_rpm = 15000, ratio = 9, efficiency = 0.95, inertia = 0.03, regen = 0;

  static constexpr auto fields() {
    using S = MotorSpec;
    return std::tuple{
        field("max_torque", &S::max_torque, "N m", above(0), "throttle 1, below the corner speed"),
        field("max_power", &S::max_power, "W", above(0), "torque = power / speed beyond the corner speed"),
        field("max_rpm", &S::max_rpm, "rpm", above(0), "torque fades to 0 over the last 5 %"),
        field("ratio", &S::ratio, "-", above(0), "motor speed / axle speed"),
        field("efficiency", &S::efficiency, "-", Range{0, 1, true, false}, "of the gears, either way"),
        field("inertia", &S::inertia, "kg m^2", at_least(0), "rotor"),
        field("regen", &S::regen, "-", between(0, 1),
              "share of the torque that may brake; comes first, the friction brakes give the rest")};
  }
};
VD_COMPLETE(MotorSpec);

struct PowertrainSpec {
  bool enabled = false;
  PowertrainType type = PowertrainType::engine;
  EngineSpec engine;
  GearboxSpec gearbox;
  ShiftSpec shift;
  ClutchSpec clutch;
  MotorSpec motor;

  static constexpr auto fields() {
    using S = PowertrainSpec;
    return std::tuple{field("enabled", &S::enabled, "off: max_motor_torque x final_drive_ratio of the drivetrain"),
                      field("type", &S::type, "engine with clutch and gearbox, or electric motor"),
                      field("engine", &S::engine, "combustion engine"),
                      field("gearbox", &S::gearbox, "ratios and losses"),
                      field("shift", &S::shift, "who shifts, and when"),
                      field("clutch", &S::clutch, "automatic clutch"),
                      field("motor", &S::motor, "electric motor")};
  }
};
VD_COMPLETE(PowertrainSpec);

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
