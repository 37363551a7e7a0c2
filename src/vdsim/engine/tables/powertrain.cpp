// SPDX-License-Identifier: Apache-2.0
// Field tables: engine, gearbox, clutch, motor.
#include "vdsim/core/driveline/powertrain_spec.hpp"
#include "vdsim/engine/tables/table.hpp"

namespace vdsim {

template <> std::vector<FieldRef> fields_of(EngineSpec& s) {
  return table<EngineSpec>(
      {field("idle_rpm", s.idle_rpm, "rpm", above(0), "speed the idle controller holds"),
       field("redline_rpm", s.redline_rpm, "rpm", above(0), "the limiter closes the throttle from here to 3 % above"),
       field("inertia", s.inertia, "kg m^2", above(0), "crankshaft and flywheel"),
       field("rpm_breaks", s.rpm_breaks, "rpm", at_least(0), "speeds of the torque map, rising; held outside"),
       field("throttle_breaks", s.throttle_breaks, "-", between(0, 1), "throttles of the torque map, rising"),
       field("torque_map", s.torque_map, "N m", any_finite(), "at the flywheel, one row per throttle, row by row"),
       field("drag_torque", s.drag_torque, "N m", at_least(0), "drag at closed throttle; fades to 0 at full throttle"),
       field("drag_slope", s.drag_slope, "N m/1000 rpm", at_least(0), "its growth with speed"),
       field("idle_torque", s.idle_torque, "N m", above(0), "most that the idle controller gives")});
}

template <> std::vector<FieldRef> fields_of(GearboxSpec& s) {
  return table<GearboxSpec>(
      {field("gear_ratios", s.gear_ratios, "-", above(0), "forward gears, first gear first, falling"),
       field("reverse_ratio", s.reverse_ratio, "-", above(0), "reverse gear"),
       field("final_drive", s.final_drive, "-", above(0), "multiplies every gear"),
       field("efficiency", s.efficiency, "-", Range{0, 1, true, false}, "power out / power in, either way"),
       field("shift_time", s.shift_time, "s", at_least(0), "clutch open during a shift")});
}

template <> std::vector<FieldRef> fields_of(ShiftSpec& s) {
  return table<ShiftSpec>(
      {field("mode", s.mode, "manual: command gear n is the n-th gear; auto_rpm: gear 1 is drive"),
       field("upshift_rpm", s.upshift_rpm, "rpm", above(0), "auto: next gear above this engine speed")
           .read_by(when(ShiftMode::auto_rpm)),
       field("downshift_rpm", s.downshift_rpm, "rpm", at_least(0), "auto: next lower gear below this engine speed")
           .read_by(when(ShiftMode::auto_rpm)),
       field("start_gear", s.start_gear, "-", Range{1, kMaxGears, false, false},
             "lowest gear of auto; first gear of a run")});
}

template <> std::vector<FieldRef> fields_of(ClutchSpec& s) {
  return table<ClutchSpec>(
      {field("capacity", s.capacity, "N m", above(0), "friction torque, fully closed"),
       field("engage_time", s.engage_time, "s", above(0), "time to close after a shift"),
       field("launch_rpm", s.launch_rpm, "rpm", above(0), "fully closed from this engine speed, open at idle")});
}

template <> std::vector<FieldRef> fields_of(MotorSpec& s) {
  return table<MotorSpec>(
      {field("max_torque", s.max_torque, "N m", above(0), "throttle 1, below the corner speed"),
       field("max_power", s.max_power, "W", above(0), "torque = power / speed beyond the corner speed"),
       field("max_rpm", s.max_rpm, "rpm", above(0), "torque fades to 0 over the last 5 %"),
       field("ratio", s.ratio, "-", above(0), "motor speed / axle speed"),
       field("efficiency", s.efficiency, "-", Range{0, 1, true, false}, "of the gears, either way"),
       field("inertia", s.inertia, "kg m^2", at_least(0), "rotor"),
       field("regen", s.regen, "-", between(0, 1),
             "share of the torque that may brake; comes first, the friction brakes give the rest")});
}

template <> std::vector<FieldRef> fields_of(PowertrainSpec& s) {
  return table<PowertrainSpec>(
      {field("enabled", s.enabled, "off: max_motor_torque x final_drive_ratio of the drivetrain"),
       field("type", s.type, "engine with clutch and gearbox, or electric motor").read_by(when(Switch::powertrain)),
       block("engine", s.engine, "combustion engine").read_by(when(Switch::powertrain) & when(PowertrainType::engine)),
       block("gearbox", s.gearbox, "ratios and losses")
           .read_by(when(Switch::powertrain) & when(PowertrainType::engine)),
       block("shift", s.shift, "who shifts, and when").read_by(when(Switch::powertrain) & when(PowertrainType::engine)),
       block("clutch", s.clutch, "automatic clutch").read_by(when(Switch::powertrain) & when(PowertrainType::engine)),
       block("motor", s.motor, "electric motor").read_by(when(Switch::powertrain) & when(PowertrainType::motor))});
}

}  // namespace vdsim
