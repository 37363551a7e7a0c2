// SPDX-License-Identifier: Apache-2.0
#include "vdsim/study/demand.hpp"

#include <algorithm>

#include "vdsim/engine/errors.hpp"
#include "vdsim/study/command_levels.hpp"
#include "vdsim/study/driver.hpp"

namespace vdsim {
namespace {

double said(const Table& table, double t) { return table.given() ? table_at(table, t) : Demand::kUnsaid; }

struct DemandLevel {
  const char* name;
  double Demand::*value;
  Range range;
};
constexpr DemandLevel kLevels[] = {{"speed", &Demand::speed, between(-150, 150)},
                                   {"acceleration", &Demand::acceleration, any_finite()},
                                   {"force", &Demand::force, any_finite()},
                                   {"curvature", &Demand::curvature, any_finite()}};

bool same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

}  // namespace

Demand demand_at(const DriverSpec& d, double t) {
  Demand out;
  Commands& now = out.direct;
  now.steer = table_at(d.steer, t);
  now.throttle = table_at(d.throttle, t);
  now.brake = table_at(d.brake, t);
  now.handbrake = table_at(d.handbrake, t);
  now.gear = static_cast<int>(table_held_at(d.gear, t, 1));
  out.speed = said(d.speed, t), out.speed_rate = table_slope(d.speed, t);
  out.acceleration = said(d.acceleration, t);
  out.force = said(d.force, t);
  out.curvature = said(d.curvature, t);
  out.follow_path = d.path.given();
  if (d.torque_front.given() || d.torque_rear.given()) {
    const WheelTorques w = axle_torques(table_at(d.torque_front, t), table_at(d.torque_rear, t));
    std::copy(w.torque, w.torque + 4, now.torque.begin());
    out.wheel_torques = true;
  }
  const Table* wheels[4] = {&d.torque_fl, &d.torque_fr, &d.torque_rl, &d.torque_rr};
  for (std::size_t i = 0; i < 4; ++i)
    if (wheels[i]->given()) now.torque[i] = table_at(*wheels[i], t), out.wheel_torques = true;
  return out;
}

bool same(const Demand& a, const Demand& b) {
  bool out = a.direct == b.direct && a.speed_rate == b.speed_rate && a.follow_path == b.follow_path &&
             a.wheel_torques == b.wheel_torques;
  for (const DemandLevel& level : kLevels) out = out && same(a.*level.value, b.*level.value);
  return out;
}

Faults validate(const Demand& d, bool has_path) {
  Faults out = vdsim::validate(d.direct);
  for (const DemandLevel& level : kLevels)
    if (const double x = d.*level.value; !std::isnan(x) && !level.range.holds(x))
      out.push_back({"", {level.name}, number_text(x) + " is out of range, expected " + describe(level.range, "")});
  if (!std::isfinite(d.speed_rate)) out.push_back({"", {"speed_rate"}, "expected a finite number"});
  if (d.follow_path && !has_path) out.push_back({"", {"follow_path"}, "the driver of this scene has no path"});
  const int along = !std::isnan(d.speed) + !std::isnan(d.acceleration) + !std::isnan(d.force) + d.wheel_torques;
  if (along > 1) out.push_back({"", {"speed"}, "give one of speed, acceleration, force, wheel torques"});
  if (d.follow_path && !std::isnan(d.curvature))
    out.push_back({"", {"curvature"}, "give one of curvature, follow_path"});
  return out;
}

Faults overwritten(const Demand& d, const std::vector<std::string>& given) {
  Faults out;
  const auto refuse = [&](bool by_another, const char* key, const char* by) {
    if (by_another && std::find(given.begin(), given.end(), key) != given.end())
      out.push_back({"", {key}, std::string("cannot be combined with ") + by});
  };
  const char* const pedals = std::isnan(d.speed) ? "acceleration, which works the pedals" : "speed, which works it";
  for (const char* key : {"throttle", "brake"}) refuse(d.holds_pedals(), key, pedals);
  refuse(!std::isnan(d.speed), "gear", "speed, which works it");
  refuse(d.holds_steer(), "steer", d.follow_path ? "follow_path" : "curvature");
  refuse(std::isnan(d.speed), "speed_rate", "anything but speed");
  refuse(!std::isnan(d.force), "torque", "force");
  return out;
}

void check_demands(const Demand& now, const Demand& next, bool has_path) {
  throw_if_any(validate(now, has_path));
  throw_if_any(validate(next, has_path));
  bool alike = now.follow_path == next.follow_path && now.wheel_torques == next.wheel_torques;
  for (const DemandLevel& level : kLevels)
    alike = alike && std::isnan(now.*level.value) == std::isnan(next.*level.value);
  if (!alike) throw bad_value("next", "speaks at another command level than the demand of now");
}

// --- as lists
template <> StateList state_of_struct(Commands& s) {
  return {state("steer", s.steer, "rad", "road-wheel angle"),
          state("throttle", s.throttle, "-", "pedal"),
          state("brake", s.brake, "-", "pedal"),
          state("handbrake", s.handbrake, "-", "lever"),
          state("gear", s.gear, "", "asked for"),
          state("torque", s.torque, "N m", "of single wheels")};
}

template <> StateList state_of_struct(Demand& s) {
  return {state("direct", s.direct, "", "commands as they are"),
          state("speed", s.speed, "m/s", "NaN: not said, as below"),
          state("speed_rate", s.speed_rate, "m/s^2", "of the speed"),
          state("acceleration", s.acceleration, "m/s^2", "along the gear's direction"),
          state("force", s.force, "N", "sum of the longitudinal contact forces"),
          state("curvature", s.curvature, "1/m", "of the path driven"),
          state("follow_path", s.follow_path, "", "steer along the path"),
          state("wheel_torques", s.wheel_torques, "", "torques come from the wheels")};
}

StateList demand_fields(Demand& demand) {
  StateList out;
  for (const FieldRef& member : state_of_struct(demand))
    if (member.kind == FieldRef::Kind::block)
      for (const FieldRef& inner : member.block()) out.push_back(inner);
    else
      out.push_back(member);
  return out;
}

}  // namespace vdsim
