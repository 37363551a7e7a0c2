// SPDX-License-Identifier: Apache-2.0
#include "vdsim/engine/outputs.hpp"

#include "vdsim/core/vehicle/compile.hpp"
#include "vdsim/core/vehicle/equipment.hpp"

namespace vdsim {
namespace {

using C = CarOutputs;
using W = WheelOutputs;

template <class S> struct Signal {
  const char* name;
  double S::*value;
  const char *unit, *meaning;
  Needs needs = Needs::nothing;
};

constexpr Signal<C> kCarSignals[] = {
    {"t", &C::t, "s", "time"},
    {"x", &C::x, "m", "CG on the road plane, along the road"},
    {"y", &C::y, "m", "CG on the road plane, to the left"},
    {"psi", &C::psi, "rad", "heading, 0 = +x, positive left; counted on over whole turns"},
    {"vx", &C::vx, "m/s", "velocity of the CG, forward"},
    {"vy", &C::vy, "m/s", "velocity of the CG, to the left"},
    {"r", &C::r, "rad/s", "yaw rate"},
    {"ax", &C::ax, "m/s^2", "acceleration of the CG, forward (vx' - r vy)"},
    {"ay", &C::ay, "m/s^2", "acceleration of the CG, to the left (vy' + r vx)"},
    {"z", &C::z, "m", "CG above the road plane (L3, L5)", Needs::springs},
    {"roll", &C::roll, "rad", "left side up (L3, L5)", Needs::springs},
    {"pitch", &C::pitch, "rad", "nose down (L3, L5)", Needs::springs},
    {"vz", &C::vz, "m/s", "velocity of the CG, up (L3: from the plane, L5: body axis)", Needs::springs},
    {"p", &C::p, "rad/s", "roll rate (L3, L5)", Needs::springs},
    {"q", &C::q, "rad/s", "pitch rate (L3, L5)", Needs::springs},
    {"az", &C::az, "m/s^2", "acceleration of the CG, up (L3, L5)", Needs::springs},
    {"engine", &C::engine_speed, "rad/s", "engine or motor speed (cars with a powertrain)", Needs::powertrain},
    {"gear", &C::gear, "-", "gear engaged (cars with a powertrain)", Needs::powertrain},
    {"steer", &C::steer, "rad", "where the front wheels point, single track, positive left"},
    {"steer_wheel", &C::steer_wheel, "rad", "hand wheel"},
    {"steer_command", &C::steer_command, "rad", "steer angle the driver asks for, single track"},
    {"throttle", &C::throttle, "-", "pedal"},
    {"brake", &C::brake, "-", "pedal"},
    {"handbrake", &C::handbrake, "-", "lever"},
    {"gear_command", &C::gear_command, "-", "gear the driver asks for"},
    {"beta", &C::beta, "rad", "side slip angle of the CG, 0 below 0.1 m/s"},
    {"curvature", &C::curvature, "1/m", "of the path of the CG, positive left, 0 below 0.1 m/s"},
    {"air_speed", &C::air_speed, "m/s", "of the car through the air (wind)", Needs::wind},
    {"air_angle", &C::air_angle, "rad", "from where the air meets the car, 0 = ahead, positive from the left (wind)",
     Needs::wind},
    {"speed_error", &C::speed_error, "m/s", "set speed less vx (drivers that hold a speed)", Needs::speed},
    {"path_offset", &C::path_offset, "m", "of the CG from the path, positive left (drivers on a path)", Needs::path},
    {"path_course", &C::path_course, "rad", "direction of travel less that of the path (drivers on a path)",
     Needs::path},
    {"stale", &C::stale, "-", "1: commands are older than cmd_timeout, it brakes by itself (control: external)",
     Needs::external},
    {"v_ref", &C::v_ref, "m/s", "speed the controllers go by (ABS, traction, yaw control)", Needs::controllers},
    {"r_ref", &C::r_ref, "rad/s", "yaw rate that yaw control goes by", Needs::yaw_control},
    {"control_throttle", &C::control_throttle, "-", "share of the throttle that the controllers leave",
     Needs::traction},
    {"distance", &C::distance, "m", "travelled (manoeuvres)", Needs::maneuver},
    {"phase", &C::phase, "-", "number of the phase, from 0 (manoeuvres)", Needs::maneuver},
};

constexpr Signal<W> kWheelSignals[] = {
    {"omega", &W::omega, "rad/s", "spin"},
    {"kappa", &W::kappa, "-", "slip ratio, -1 = locked"},
    {"alpha", &W::alpha, "rad", "slip angle"},
    {"fz", &W::fz, "N", "load"},
    {"fx", &W::fx, "N", "force of the road on the tire, forward in the wheel plane"},
    {"fy", &W::fy, "N", "force of the road on the tire, to the left"},
    {"mx", &W::mx, "N m", "overturning moment of the road on the tire, about the wheel's x axis"},
    {"my", &W::my, "N m", "rolling resistance moment, negative when the wheel rolls forward"},
    {"mz", &W::mz, "N m", "aligning moment"},
    {"mu", &W::mu, "-", "friction of the road under the wheel"},
    {"surface_friction", &W::surface_friction, "-", "of what lies there (roads with surfaces)", Needs::ground},
    {"deformation", &W::deformation, "-", "how far the ground gives way (roads with surfaces)", Needs::ground},
    {"water_depth", &W::water_depth, "m", "under the wheel (roads with surfaces)", Needs::ground},
    {"zx", &W::zx, "m", "bristle deflection, longitudinal"},
    {"zy", &W::zy, "m", "bristle deflection, lateral"},
    {"travel", &W::travel, "m", "of the wheel against the body, up (L3, L5)", Needs::springs},
    {"camber", &W::camber, "rad", "inclination against the road, top to the right (L3, L5)", Needs::springs},
    {"t_tread", &W::t_tread, "degC", "tread temperature (cars with rally tires)", Needs::rally},
    {"t_core", &W::t_core, "degC", "carcass temperature (cars with rally tires)", Needs::rally},
    {"tread", &W::tread, "-", "tread life, 1 new, 0 bald (cars with rally tires)", Needs::rally},
    {"drive_torque", &W::drive_torque, "N m", "of motor or engine on the wheel, positive forward"},
    {"brake_torque", &W::brake_torque, "N m", "of the brake on the wheel, positive forward"},
    {"fx_peak", &W::fx_peak, "N", "largest longitudinal force at this load and friction"},
    {"fy_peak", &W::fy_peak, "N", "largest lateral force at this load and friction"},
    {"held", &W::held, "-", "1: brake or rolling resistance holds the wheel still"},
    {"re", &W::re, "m", "effective rolling radius"},
    {"brake_pressure", &W::brake_pressure, "-", "of the line, 1 = pedal 1 (cars with hydraulics)", Needs::hydraulics},
    {"abs", &W::abs, "-", "1: the valves let in less than is asked for (cars with ABS)", Needs::abs},
    {"control_brake", &W::control_brake, "-", "brake by traction or yaw control, share of the full torque",
     Needs::traction},
    {"outside", &W::outside, "-", "1: the .tir file is read outside its ranges", Needs::tir},
};

template <class S, class F> void each_signal(const SignalScope& scope, const S& table, F&& f) {
  for (const auto& signal : table)
    if (scope.has(signal.needs)) f(signal);
}

}  // namespace

bool SignalScope::has(Needs needs) const {
  if (everything) return true;
  switch (needs) {
    case Needs::nothing: return true;
    case Needs::springs: return on_springs(level);
    case Needs::powertrain: return powertrain;
    case Needs::wind: return wind;
    case Needs::ground: return ground;
    case Needs::rally: return rally;
    case Needs::tir: return tir;
    case Needs::hydraulics: return hydraulics;
    case Needs::abs: return abs;
    case Needs::traction: return traction || yaw_control;
    case Needs::yaw_control: return yaw_control;
    case Needs::controllers: return abs || traction || yaw_control;
    case Needs::speed: return speed;
    case Needs::path: return path;
    case Needs::external: return external;
    case Needs::maneuver: return maneuver;
  }
  return false;
}

SignalScope signal_scope(const VehicleSpec& v, const RoadSpec& road, Level level) {
  SignalScope out;
  const EquipmentKind kind = equipment_kind(v);
  out.level = level;
  out.ground = road_kind(road).ground;
  out.wind = road_kind(road).wind;
  out.powertrain = v.powertrain.enabled;
  out.hydraulics = kind.hydraulics, out.abs = kind.abs, out.traction = kind.tc;
  out.yaw_control = kind.esc || kind.vectoring;
  for (int corner = 0; corner < 4; ++corner) {
    const TireSpec& tire = tire_of(v, corner);
    out.rally = out.rally || tire.schema == TireSchema::rally_v1;
    out.tir = out.tir || (tire.schema == TireSchema::pacejka_mf96_v1 && tire.backend == TireBackend::magic_formula);
  }
  return out;
}

std::vector<std::string> wheel_names(Level level) {
  if (level == Level::L1) return {"f", "r"};
  return {"fl", "fr", "rl", "rr"};
}

std::vector<Column> signals(const SignalScope& scope) {
  std::vector<Column> out;
  each_signal(scope, kCarSignals, [&](const Signal<C>& s) { out.push_back({s.name, s.unit, s.meaning}); });
  for (const std::string& wheel : wheel_names(scope.level))
    each_signal(scope, kWheelSignals, [&](const Signal<W>& s) {
      out.push_back({s.name + ("_" + wheel), s.unit, s.meaning});
    });
  return out;
}

void signal_values(const SignalScope& scope, const CarOutputs& o, std::vector<double>& append) {
  each_signal(scope, kCarSignals, [&](const Signal<C>& s) { append.push_back(o.*s.value); });
  for (int i = 0; i < o.wheels; ++i)
    each_signal(scope, kWheelSignals, [&](const Signal<W>& s) { append.push_back(o.wheel[i].*s.value); });
}

}  // namespace vdsim
