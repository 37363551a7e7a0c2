// SPDX-License-Identifier: Apache-2.0
// VehicleSpec + RoadSpec -> Model<double, Lv>; start(): the state a run begins with.
#pragma once
#include "vdsim/core/tire/compile.hpp"
#include "vdsim/core/vehicle/compile_sprung.hpp"
#include "vdsim/core/vehicle/equipment.hpp"
#include "vdsim/core/vehicle/rest.hpp"

namespace vdsim {

// [T05.2]  k_F Tf + k_R Tr = m h: unsprung masses act at their wheel centres, the sprung mass through roll centres and springs.
inline LoadParams<double> compile_loads(const VehicleSpec& s) {
  const ChassisSpec& c = s.chassis;
  const auto& k = c.spring_stiffness;
  const double L = c.wheelbase, a = c.cg_to_front, b = c.cg_to_rear, Tf = c.track_front, Tr = c.track_rear;
  const double Kf = (k[0] + k[1]) * Tf * Tf / 4 + c.arb_front, Kr = (k[2] + k[3]) * Tr * Tr / 4 + c.arb_rear;
  const double mu = c.mass - c.mass_sprung, uf = c.unsprung_mass[0] + c.unsprung_mass[1],
               ur = c.unsprung_mass[2] + c.unsprung_mass[3];
  const double at_front = c.mass_sprung * b / L * c.roll_center_front + mu * uf / (uf + ur) * radius_of(s, 0);
  const double at_rear = c.mass_sprung * a / L * c.roll_center_rear + mu * ur / (uf + ur) * radius_of(s, 2);
  const double springs = c.mass * c.cg_height - at_front - at_rear;
  return {b / L,
          a / L,
          c.mass,
          c.cg_height / L,
          (at_front + springs * Kf / (Kf + Kr)) / Tf,
          (at_rear + springs * Kr / (Kf + Kr)) / Tr,
          Tf,
          Tr,
          1 / Tf,
          1 / Tr};
}

// Spin inertia of one wheel of an axle [kg m^2].
inline double wheel_inertia_of(const VehicleSpec& s, int a) {
  const ChassisSpec& c = s.chassis;
  const TireSpec& tire = tire_of(s, 2 * a);
  if (tire.schema == TireSchema::rally_v1 && (tire.rally.wheel.wheel_inertia > 0 || c.wheel_inertia == 0))
    return rally_inertia(tire.rally);
  const double R0 = radius_of(s, 2 * a);
  const std::size_t left = std::size_t(2 * a);
  return c.wheel_inertia > 0 ? c.wheel_inertia : 0.25 * (c.unsprung_mass[left] + c.unsprung_mass[left + 1]) * R0 * R0;
}

inline AxleParams<double> compile_axle(const VehicleSpec& s, int a) {
  const DrivetrainSpec& d = s.drivetrain;
  const double front = front_drive_share(d);
  const double share = a == 0 ? front : 1 - front, drive = d.max_motor_torque * d.final_drive_ratio * share;
  AxleParams<double> p{};
  p.I = wheel_inertia_of(s, a);
  p.engine = d.engine_rotational_inertia * d.final_drive_ratio * d.final_drive_ratio * share;
  p.drive = drive;
  p.lsd_preload = d.lsd_preload * drive;
  p.lsd_ramp = d.lsd_ramp;
  p.brake = 0.5 * s.brake.max_brake_torque * (a == 0 ? s.brake.brake_bias_front : 1 - s.brake.brake_bias_front);
  p.handbrake = a == 0 ? 0 : 0.5 * s.brake.max_handbrake_torque;
  return p;
}

// A tire on a road that says what lies on it.
inline void lie_on(const RoadSpec& road, TireKind& k) {
  k.ground = road_kind(road).ground;
  k.ground_bristles = k.ground && k.steady == SteadyLaw::rally;
  if (!k.ground_bristles) return;
  each_cover(road, [&](const SurfaceOverride& o, double) {
    k.rally_law.water = k.rally_law.water || o.water_depth > 0;
    k.rally_law.texture = k.rally_law.texture || o.noise_factor > 0;
  });
}

template <Level Lv> Model<double, Lv> compile(const VehicleSpec& s, const RoadSpec& road) {
  const ChassisSpec& c = s.chassis;
  Model<double, Lv> m{};
  m.kind.road = road_kind(road);
  m.kind.blend = true;
  const double q = 0.5 * kAirDensity * c.frontal_area;
  m.p.m = c.mass;
  m.p.Iz = c.inertia_diag[2];
  m.p.inv_m = 1 / m.p.m;
  m.p.inv_Iz = 1 / m.p.Iz;
  m.p.inv_L = 1 / c.wheelbase;
  m.p.cg_to_rear = c.cg_to_rear;
  m.p.ackermann = s.steering.ackerman_percent / 100;
  m.p.max_steer = s.steering.max_steer_angle_wheel;
  m.p.aero = {q * c.aero_drag_coeff,
              q * c.aero_lift_front,
              q * c.aero_lift_rear,
              q * c.aero_side_coeff,
              q * c.aero_rise_front,
              q * c.aero_rise_rear,
              q * c.aero_yaw_coeff * c.wheelbase,
              0.5 * (c.cg_to_front - c.cg_to_rear)};
  m.p.load = compile_loads(s);
  m.p.road = compile_road(road);
  m.data.grid = road.grid;
  m.data.crg = road.crg;
  for (std::size_t i = 0; i < kMaxMaps; ++i) m.data.map[i] = road.maps[i];
  m.kind.rack = s.steering.rack.steering_dynamic;
  m.p.rack = compile_rack(s.steering.rack, m.p.max_steer);
  for (int a = 0; a < 2; ++a) {
    m.p.axle[a] = compile_axle(s, a);
    const bool driven = m.p.axle[a].drive > 0;
    m.kind.axle[a] = {driven && s.drivetrain.differential == Differential::Locked,
                      driven && s.drivetrain.differential == Differential::LSD};
  }
  for (int i = 0; i < kWheels<Lv>; ++i) {
    const int corner = Lv == Level::L1 ? 2 * i : i;  // the bicycle takes the left tire of each axle
    const double track = corner < 2 ? c.track_front : c.track_rear;
    m.kind.tire[i] = tire_kind(tire_of(s, corner));
    if constexpr (!kSprung<Lv>) stand_upright(m.kind.tire[i]);
    lie_on(road, m.kind.tire[i]);
    m.kind.blend = m.kind.blend && m.kind.tire[i].blend;
    TireSpec tire = tire_of(s, corner);
    // a file is of one side of the car: on the other side it acts mirrored
    const TireSide side = tire.tir.model.TYRESIDE;
    // outboard is to the left on the left side; a wheel that stands for both has no side
    tire.rally.wheel.wheel_offset *= Lv == Level::L1 ? 0 : corner % 2 == 0 ? 1 : -1;
    tire.tir.mirrored = side == (corner % 2 == 0 ? TireSide::right : TireSide::left);
    m.p.wheel[i] = {corner < 2 ? c.cg_to_front : -c.cg_to_rear,
                    Lv == Level::L1   ? 0
                    : corner % 2 == 0 ? track / 2
                                      : -track / 2,
                    compile_tire(tire, radius_of(s, corner))};
  }
  if constexpr (kSprung<Lv>) compile_sprung(s, m);
  return m;
}

// [T14.23]  K = sum k_i x_i^2 with tires in series, C = sum c_i x_i^2: w^2 = K/I_y, d = C/I_y; gravity g0 m h/K.
inline DiveParams<double> compile_dive(const VehicleSpec& s) {
  const ChassisSpec& c = s.chassis;
  double K = 0, C = 0;  // [N m/rad], [N m s/rad]
  for (int i = 0; i < 4; ++i) {
    const double k = c.spring_stiffness[std::size_t(i)], kt = vertical_stiffness_of(tire_of(s, i)),
                 x = i < 2 ? c.cg_to_front : c.cg_to_rear;
    K += k * kt / (k + kt) * x * x;
    C += 0.5 * (1 + c.damper_rebound_ratio) * c.damper_coefficient[std::size_t(i)] * x * x;
  }
  return {kGravity * c.mass * c.cg_height / K, K / c.inertia_diag[1], C / c.inertia_diag[1], C / K};
}

// The equipment of a car, its control unit made for the wheels that are fitted, the springs it stands on, if any, and one
// track or two.
inline EquipmentParams<double> compile_fitted_equipment(const VehicleSpec& s, Level level) {
  EquipmentParams<double> p = compile_equipment(s);
  if (on_springs(level)) p.abs.dive = compile_dive(s);
  if (level == Level::L1) p.abs.half_track[0] = p.abs.half_track[1] = 0;
  for (int a = 0; a < 2; ++a) {
    const double R0 = radius_of(s, 2 * a);
    p.abs.rim_mass[a] = wheel_inertia_of(s, a) / (R0 * R0);
    p.powertrain.inv_wheels += p.powertrain.share[a] * p.powertrain.share[a] / (2 * wheel_inertia_of(s, a));
  }
  return p;
}

// The contact-patch LuGre tires of a car that rolls at vx0; call it once, before the first step.
template <Level Lv> void start_patches(const VehicleSpec& s, const State<double, Lv>& state, PatchTire<double>* patch) {
  for (int i = 0; i < kWheels<Lv>; ++i) {
    const TireSpec& t = tire_of(s, Lv == Level::L1 ? 2 * i : i);
    patch[i] = {patch_kind(t.patch), compile_patch(t.patch), {}};
    const double U = state.wheel[std::size_t(i)].w * t.patch.radius;
    patch_start(patch[i].kind, patch[i].p, PatchMotion<double>{U, 0.0, 0.0, 1.0}, patch[i].memory);
  }
}
inline bool has_patches(const VehicleSpec& s) {
  for (int corner = 0; corner < 4; ++corner)
    if (tire_of(s, corner).schema == TireSchema::lugre_patch_v1) return true;
  return false;
}

// Loads of a car that stands, or rolls straight on at vx0.
template <Level Lv> void static_loads(const Model<double, Lv>& m, double vx0, double Fz[kWheels<Lv>]) {
  if constexpr (kSprung<Lv>)
    for (int i = 0; i < 4; ++i) Fz[i] = m.p.corner[i].strut.kt * m.p.corner[i].in_rest;
  else
    vertical_loads(m, m.p.road.gn, aero(m.p.aero, vx0), 0.0, 0.0, Fz);
}

// At t = 0 the wheels roll without slip at vx0, bristles at 0, and the patch has rolled (roll memory) if the car moves.
// A car on springs starts in equilibrium, as if held in the plane; z0 > 0 drops it from that height.
template <Level Lv>
State<double, Lv> start(const Model<double, Lv>& m, double x0, double y0, double yaw0, double vx0, double z0 = 0) {
  State<double, Lv> s{};
  if constexpr (kSprung<Lv>) {
    place(m, x0, y0, yaw0, z0, s);
    if (z0 > 0)
      s.vx = vx0;
    else
      move_off(m, yaw0, vx0, s);
  } else {
    s.x = x0;
    s.y = y0;
    s.psi = yaw0;
    s.vx = vx0;
  }
  double Fz[kWheels<Lv>];
  static_loads(m, vx0, Fz);
  for (int i = 0; i < kWheels<Lv>; ++i) start_tire(m.kind.tire[i], m.p.wheel[i].tire, vx0, Fz[i], s.wheel[i]);
  for (int a = 0; a < 2; ++a)  // tires of unequal radius on a locked axle: one speed all the same
    if (Lv != Level::L1 && m.kind.axle[a].locked)
      s.wheel[2 * a].w = s.wheel[2 * a + 1].w = 0.5 * (s.wheel[2 * a].w + s.wheel[2 * a + 1].w);
  return s;
}

}  // namespace vdsim
