// SPDX-License-Identifier: Apache-2.0
// Ten thousand random cars, roads, starts and drivers, two seconds each (short form: 120): no number fails, no energy comes from nowhere,
// no tire pushes harder than friction lets it.
#include <cstdio>
#include <limits>
#include <string>

#include "tests/laws/rolling_rig.hpp"
#include "vdsim/engine/car.hpp"
#include "vdsim/engine/errors.hpp"
#include "vdsim/engine/step_limit.hpp"
#include "vdsim/formats/tir.hpp"

using namespace laws;

namespace {

constexpr Level kLevels[] = {Level::L1, Level::L2, Level::L3, Level::L5};
const char* name(Level l) { return EnumNames<Level>::names[std::size_t(l)]; }
const char* name(Integrator i) { return EnumNames<Integrator>::names[std::size_t(i)]; }

enum Tire { rolling, linear, breakaway, fallback, belt, tir, rally, patch, kTires };
constexpr const char* kTireName[] = {"rolling", "linear", "breakaway", "fallback", "belt", "tir", "rally", "patch"};

// What one run is made of.
struct Case {
  Level level;
  Integrator method;
  double h;
  Tire tire;
  VehicleSpec car;
  RoadSpec road;
  StartPose pose;
  double vy = 0, r = 0, p = 0, q = 0;  // at the start, beyond the pose
  std::string what;
};

bool chance(Rng& r, double share) { return r(0, 1) < share; }
double factor(Rng& r) { return r.log(0.6, 1.6); }

TirSpec read_file(int which) {
  static const TirSpec files[2] = {
      [] {
        Errors e;
        Warnings w;
        return *read_tir_file(std::string(VDSIM_SOURCE_DIR) + "/configs/tir/typical_195_65R15_mf52.tir", e, w);
      }(),
      [] {
        Errors e;
        Warnings w;
        return *read_tir_file(std::string(VDSIM_SOURCE_DIR) + "/configs/tir/typical_235_45R18_mf62.tir", e, w);
      }()};
  return files[which];
}

TireSpec random_tire(Rng& r, Tire kind) {
  TireSpec t;
  t.B_long *= factor(r), t.C_long = r(1.1, 1.95), t.D_long *= factor(r), t.E_long = r(-2, 0.99);
  t.B_lat *= factor(r), t.C_lat = r(1.1, 1.95), t.D_lat *= factor(r), t.E_lat = r(-2, 0.99);
  t.load_sensitivity = r(0, 0.4), t.rolling_resistance = r(0, 0.03), t.cornering_stiffness *= factor(r);
  t.pneumatic_trail *= factor(r), t.camber_stiffness = r(0, 1), t.crown_radius = chance(r, 0.5) ? r(0, 0.2) : 0;
  t.tire_vertical_stiffness *= factor(r);
  t.lugre.sigma0 *= factor(r), t.lugre.rolling.sigma0_lat *= factor(r);
  if (kind == linear) t.backend = TireBackend::linear;
  if (kind == breakaway) t.lugre.law = LugreLaw::breakaway;
  if (kind == fallback) {
    t.lugre.enabled = false;
    t.relaxation_length_lat = chance(r, 0.5) ? r(0.1, 0.8) : 0;
    t.relaxation_length_long = chance(r, 0.5) ? r(0.05, 0.3) : 0;
  }
  if (kind == belt) {
    t.belt = {true, r(0.1, 0.8), r(0.1, 0.8)};
    if (chance(r, 0.5)) t.lugre.law = LugreLaw::breakaway;
  }
  if (kind == tir) {
    t.backend = TireBackend::magic_formula;
    t.tir_path = "a.tir";
    t.tir = read_file(chance(r, 0.5));
    t.tir.scaling.LMUX = r(0.6, 1.3), t.tir.scaling.LMUY = r(0.6, 1.3);
    t.tir.scaling.LKX = factor(r), t.tir.scaling.LKY = factor(r);
  }
  if (kind == rally) {
    t.schema = TireSchema::rally_v1;
    t.rally.mode = RallyMode(int(r(0, 3)) % 3);
    t.rally.magic_formula.longitudinal_b *= factor(r), t.rally.magic_formula.lateral_b *= factor(r);
    t.rally.friction.peak_friction_coefficient *= factor(r), t.rally.friction.load_sensitivity = r(0, 0.25);
    t.rally.wheel.vertical_stiffness *= factor(r), t.rally.patch.relaxation_length *= factor(r);
  }
  if (kind == patch) {
    t.schema = TireSchema::lugre_patch_v1;
    PatchSpec& s = t.patch;
    s.fidelity = chance(r, 0.8) ? PatchFidelity::exact : PatchFidelity::average;
    s.length = 0.14 * factor(r), s.sigma0 = {400 * factor(r), 280 * factor(r)}, s.sigma1 = {0.4, 0.4};
    s.mu_k = 0.85 * factor(r), s.mu_s = s.mu_k * r(1, 1.4), s.v_s = 6 * factor(r);
    s.load = PatchLoad::trapezoidal, s.load_a = 0.2 * s.length, s.load_b = 0.8 * s.length;
  }
  return t;
}

void random_chassis(Rng& r, ChassisSpec& c) {
  const double size = factor(r);
  c.mass *= size, c.mass_sprung = 0.9 * c.mass;
  for (double& I : c.inertia_diag) I *= size * r(0.7, 1.5);
  c.cg_to_front *= r(0.7, 1.4), c.cg_to_rear *= r(0.7, 1.4), c.wheelbase = c.cg_to_front + c.cg_to_rear;
  c.track_front *= r(0.8, 1.2), c.track_rear *= r(0.8, 1.2);
  c.cg_height *= factor(r);
  for (std::size_t i = 0; i < 4; ++i) {
    c.spring_stiffness[i] *= size * factor(r), c.damper_coefficient[i] *= size * factor(r);
    c.unsprung_mass[i] *= size * r(0.6, 1.2);
  }
  c.damper_rebound_ratio = r(0.6, 3), c.bump_travel = r(0.03, 0.12), c.droop_travel = r(0.03, 0.12);
  c.arb_front = r(0, 3e4), c.arb_rear = r(0, 3e4);
  c.roll_center_front = r(-0.05, 0.2), c.roll_center_rear = r(-0.05, 0.2);
  c.anti_dive_front = r(-0.3, 0.6), c.anti_squat_rear = r(-0.3, 0.6);
  c.camber_per_roll = r(0, 1), c.camber_per_travel = r(-1, 1);
  c.aero_drag_coeff *= factor(r), c.aero_lift_front = r(-0.2, 0.6), c.aero_lift_rear = r(-0.2, 0.6);
}

void random_equipment(Rng& r, VehicleSpec& s) {
  s.drivetrain.drive_type = DriveType(int(r(0, 3)) % 3);
  s.drivetrain.differential = Differential(int(r(0, 3)) % 3);
  s.drivetrain.max_motor_torque *= r(0.5, 3);
  s.brake.brake_bias_front = r(0.3, 0.8), s.brake.max_brake_torque *= factor(r);
  s.steering.ackerman_percent = r(-50, 150);
  if (chance(r, 0.4)) {
    s.powertrain.enabled = true;
    s.powertrain.type = chance(r, 0.6) ? PowertrainType::engine : PowertrainType::motor;
    s.powertrain.motor.regen = r(0, 1);
  }
  if (chance(r, 0.4)) {
    ControlSpec& c = s.control;
    for (bool* on :
         {&c.hydraulics.enabled, &c.abs.enabled, &c.ebd.enabled, &c.tc.enabled, &c.esc.enabled, &c.vectoring.enabled})
      *on = chance(r, 0.5);
  }
  s.steering.rack.steering_dynamic = chance(r, 0.3);
  if (s.steering.rack.steering_dynamic && chance(r, 0.2)) s.steering.rack.column_stiffness = 0;
  if (chance(r, 0.2)) s.actuator.steer_lag_s = r(0.01, 0.1), s.actuator.brake_rate_limit = r(2, 10);
}

RoadSpec random_road(Rng& r, std::string& what) {
  RoadSpec road;
  road.mu = r.log(0.05, 1.6);
  const int kind = int(r(0, 6));
  if (kind == 1) road.split_mu = {r.log(0.05, 1.2), r.log(0.05, 1.2), r(-1, 1), 0.1}, what += " split";
  if (kind == 2) road.iso_class = IsoClass::C, road.psd.seed = int(r(1, 1000)), what += " iso C";
  if (kind == 3) road.stunt.ramp = {r(5, 30), r(3, 10), r(0.2, 1.5), chance(r, 0.5) ? 0 : r(1, 5), 0}, what += " ramp";
  if (kind == 4) road.rough_amp = r(0.005, 0.05), road.rough_wl = r(1, 8), what += " bumps";
  if (chance(r, 0.3)) road.grade = r(-0.3, 0.3), road.bank = r(-0.2, 0.2), what += " slope";
  return road;
}

Case random_case(unsigned seed) {
  Rng r(seed);
  Case c;
  c.level = kLevels[seed % 4];
  // files are slow to evaluate: one car in 22
  constexpr Tire kOften[] = {rolling, linear, breakaway, fallback, belt, rally, patch};
  const unsigned slot = seed / 4 % 22;
  c.tire = slot == 21 ? tir : kOften[slot % 7];
  const int way = int(r(0, 4));
  c.method = way < 2 ? Integrator::rk4 : way == 2 ? Integrator::implicit : Integrator::euler;
  c.h = way == 1 ? 2e-3 : way == 2 ? 5e-3 : 1e-3;
  random_chassis(r, c.car.chassis);
  const TireSpec front = random_tire(r, c.tire), rear = chance(r, 0.5) ? front : random_tire(r, c.tire);
  c.car.tire_fl = c.car.tire_fr = front;
  c.car.tire_rl = c.car.tire_rr = rear;
  random_equipment(r, c.car);
  c.what = std::string(name(c.level)) + " " + kTireName[c.tire] + " " + name(c.method) + " " +
           std::to_string(int(c.h * 1e3)) + " ms";
  c.road = random_road(r, c.what);
  c.pose = {0, r(-2, 2), r(-kPi, kPi), chance(r, 0.2) ? 0 : chance(r, 0.2) ? r(-20, 0) : r(0, 60)};
  const bool sprung = c.level == Level::L3 || c.level == Level::L5;
  if (chance(r, 0.3)) c.pose.vx0 = r(-30, 30), c.vy = r(-30, 30), c.r = r(-4, 4), c.what += " spin";
  if (sprung && chance(r, 0.3)) {
    c.pose.z0 = r(0.01, 2), c.what += " in the air";
    if (chance(r, 0.5)) c.p = r(-1, 1), c.q = r(-1, 1);
  }
  return c;
}

template <Level Lv> void push(const Case& c, Car& sim) {
  State<double, Lv> s = sim.motion<Lv>();
  s.vy = c.vy, s.r = c.r;
  if constexpr (kSprung<Lv>) s.p = c.p, s.q = c.q;
  sim.set_motion(s);
}
void push(const Case& c, Car& sim) {
  switch (c.level) {
    case Level::L1: return push<Level::L1>(c, sim);
    case Level::L2: return push<Level::L2>(c, sim);
    case Level::L3: return push<Level::L3>(c, sim);
    case Level::L5: return push<Level::L5>(c, sim);
  }
}

Commands random_commands(Rng& r) {
  Commands c;
  c.steer = chance(r, 0.3) ? 0 : r(-0.5, 0.5);
  const double pedal = r(0, 1);
  if (pedal < 0.4)
    c.throttle = r(0, 1);
  else if (pedal < 0.8)
    c.brake = r(0, 1);
  if (chance(r, 0.2)) c.handbrake = r(0, 1);
  c.gear = chance(r, 0.7) ? 1 : chance(r, 0.5) ? 0 : -1;
  if (chance(r, 0.1))
    for (double& T : c.torque) T = r(-500, 500);
  return c;
}

bool finite(const CarOutputs& s) {
  for (double v : {s.x,     s.y,  s.psi, s.vx, s.vy, s.r,     s.ax,           s.ay,       s.z,        s.roll,
                   s.pitch, s.vz, s.p,   s.q,  s.az, s.steer, s.engine_speed, s.alpha[0], s.alpha[1], s.alpha[2]})
    if (!std::isfinite(v)) return false;
  for (int i = 0; i < s.wheels; ++i) {
    const WheelOutputs& w = s.wheel[i];
    for (double v : {w.omega, w.kappa, w.alpha, w.fz, w.fx, w.fy, w.mz, w.zx, w.zy, w.t_tread, w.t_core, w.tread,
                     w.travel, w.camber})
      if (!std::isfinite(v)) return false;
  }
  return true;
}

// What came in beyond work: energy now, less that of the start, less what drive, gravity, steering and the hold of the
// fallback gave. Tires, brakes, dampers, air and rolling only take.
double gain(const EnergyBalance& b) {
  return (b.kinetic - b.kinetic0) + (b.stored - b.stored0) + (b.springs - b.springs0) -
         (b.changed + b.changed_tires + b.drive + b.gravity + b.steer + b.hold);
}
double turnover(const EnergyBalance& b) {
  return b.kinetic + std::fabs(b.kinetic0) + std::fabs(b.drive) + std::fabs(b.gravity) + std::fabs(b.brake) +
         std::fabs(b.contact) + std::fabs(b.damper) + std::fabs(b.hold) + std::fabs(b.steer) + 1e4;
}

// Friction of the tire at most, over the load; light loads grip better, and a wheel that leans pushes sideways on top.
// Wheels of a car on its side are left out.
// No bound for contact patches: the damping of their bristles adds to friction when the slip is sudden.
double most_friction(const Case& c, const TireSpec& t, const WheelOutputs& w) {
  const double mu = w.mu * std::fmax(t.D_long, t.D_lat) * (1 + t.load_sensitivity);
  switch (c.tire) {
    case patch: return std::numeric_limits<double>::infinity();
    case tir: return 2 * w.mu;
    case rally: return 3 * w.mu * t.rally.friction.peak_friction_coefficient;
    case fallback: return std::sqrt(2) * mu + t.camber_stiffness * std::fabs(w.camber);  // brake hold along x beside Fy
    default: return mu + t.camber_stiffness * std::fabs(w.camber);
  }
}
// The energy of a run is watched where its book is closed: that of contact patches leaves out what they hold, and with
// an engine a step of one evaluation takes the clutch torque of its start, which locks and slips by turns when the
// wheels are light. The belt of the breakaway law is not passive at standstill (theory page 21).
bool watched(const Case& c) {
  const TireSpec& t = c.car.tire_fl;
  if (t.belt.enabled && t.lugre.law == LugreLaw::breakaway) return false;
  return c.tire != patch && (c.method == Integrator::rk4 ||
                             !(c.car.powertrain.enabled && c.car.powertrain.type == PowertrainType::engine));
}

struct Verdict {
  std::string fault;    // "" = fine
  double gained = 0;    // largest gain / turnover
  double friction = 0;  // largest hypot(Fx, Fy)/(Fz most_friction)
};
Verdict run_case(unsigned seed) {
  const Case c = random_case(seed);
  Car sim(c.car, c.road, c.level, c.method, c.pose);
  push(c, sim);
  // the push changed the energy without work: the energy balance of this run begins here
  const double start = gain(sim.energy());
  Rng r(seed + 1000000);
  Verdict v;
  Commands now = random_commands(r), next = now;
  const int per = int(std::lround(0.2 / c.h));
  for (int k = 0; k < 10; ++k) {
    now = next;
    if (k > 0) next = random_commands(r);
    next.gear = now.gear;
    for (int i = 0; i < per; ++i) {
      const auto mix = [&](double a, double b, int n) { return i + n >= 20 ? b : a + (b - a) * (i + n) / 20; };
      const auto at = [&](int n) {
        Commands u = next;
        u.steer = mix(now.steer, next.steer, n), u.throttle = mix(now.throttle, next.throttle, n),
        u.brake = mix(now.brake, next.brake, n), u.handbrake = mix(now.handbrake, next.handbrake, n);
        return u;
      };
      if (!sim.step(at(0), at(1), c.h)) {
        // a landing that no tire takes ends the run, and so does a step that was too long
        const std::string why = sim.why();
        if (why.find("pressed in") == why.npos && (c.method == Integrator::rk4 || why.find("energy") == why.npos))
          v.fault = "step failed at " + std::to_string(sim.time()) + ": " + why;
        return v;
      }
      if (i % (per / 4)) continue;
      const CarOutputs s = sim.outputs(at(1));
      const EnergyBalance b = sim.energy();
      if (!finite(s) || !std::isfinite(gain(b))) {
        v.fault = "not finite at " + std::to_string(sim.time());
        return v;
      }
      // beyond small angles L3 says nothing any more: a car that tips over ends here
      if (c.level == Level::L3 && std::fmax(std::fabs(s.roll), std::fabs(s.pitch)) > 0.8) return v;
      if (watched(c)) v.gained = std::fmax(v.gained, (gain(b) - start) / turnover(b));
      for (int w = 0; w < s.wheels; ++w) {
        const WheelOutputs& q = s.wheel[w];
        const TireSpec& t = w < s.wheels / 2 ? c.car.tire_fl : c.car.tire_rl;
        const double most = std::fmax(q.fz, 200) * most_friction(c, t, q);
        if (std::fabs(q.camber) < 0.5) v.friction = std::fmax(v.friction, std::hypot(q.fx, q.fy) / most);
        if (q.fz < -1e-9) v.fault = "pulls at " + std::to_string(sim.time());
      }
    }
    Rng gears(seed * 31 + unsigned(k));
    next.gear = chance(gears, 0.8) ? next.gear : int(gears(0, 3)) - 1;
  }
  return v;
}

void torture(unsigned from, unsigned count) {
  int shown = 0;
  unsigned refused = 0;
  double gained[3] = {}, friction[kTires] = {};
  for (unsigned seed = from; seed < from + few(count, 30u); ++seed) {
    const Case c = random_case(seed);
    if (!check_step(c.car, c.level, c.method, c.h, false).works()) {
      ++refused;
      continue;
    }
    Verdict v;
    try {
      v = run_case(seed);
    } catch (const BadInput& e) {  // a start without balance is refused
      if (std::string(e.what()).find("no balance") == std::string::npos)
        ADD_FAILURE() << "seed " << seed << ": " << e.what();
      ++refused;
      continue;
    }
    gained[int(c.method)] = std::fmax(gained[int(c.method)], v.gained);
    friction[c.tire] = std::fmax(friction[c.tire], v.friction);
    // RK4 closes its book but for kinks (stops, landings, friction that lets go); the one-evaluation methods take the
    // power of the start of the step, which is first order
    const double tolerance = c.method == Integrator::rk4 ? 1e-3 : 0.02;
    std::string fault = v.fault;
    if (fault.empty() && v.gained > tolerance) fault = "gains " + std::to_string(v.gained);
    if (fault.empty() && v.friction > 1.02) fault = "friction " + std::to_string(v.friction);
    if (!fault.empty() && ++shown <= 200) ADD_FAILURE() << "seed " << seed << ": " << fault << ": " << c.what;
  }
  EXPECT_LT(refused, few(count, 30u) / 3);
  for (int i = 0; i < 3; ++i)
    measured(std::string("torture, energy gain / turnover, ") + name(Integrator(i)), gained[i], i ? 0.02 : 1e-3);
  for (int i = 0; i < kTires; ++i)
    measured(std::string("torture, force / friction, ") + kTireName[i], friction[i], 1.02);
}

}  // namespace

TEST(Torture, First) { torture(0, 1000); }
TEST(Torture, Second) { torture(1000, 3000); }
TEST(Torture, Third) { torture(4000, 3000); }
TEST(Torture, Fourth) { torture(7000, 3000); }
