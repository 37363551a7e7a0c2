// SPDX-License-Identifier: Apache-2.0
// Ten thousand random cars, roads, starts and drivers, two seconds each (short form: 120): no number fails, no energy comes from nowhere,
// no tire pushes harder than friction lets it.
#include <cstdio>
#include <limits>

#include "tests/laws/random_cars.hpp"
#include "vdsim/engine/step_limit.hpp"

using namespace laws;

namespace {

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
