// SPDX-License-Identifier: Apache-2.0
// Laws that every level obeys on every tire: energy, order, symmetry, rest, and agreement where the physics coincide.
// The state of a run is read from its snapshot, so the laws hold for what the library really runs.
#include <algorithm>
#include <utility>
#include <vector>

#include "tests/laws/rolling_rig.hpp"
#include "vdsim/engine/batch/kernels.hpp"
#include "vdsim/engine/car.hpp"
#include "vdsim/formats/tir.hpp"

using namespace laws;

namespace {

constexpr Level kLevels[] = {Level::L1, Level::L2, Level::L3, Level::L5};
constexpr Integrator kMethods[] = {Integrator::rk4, Integrator::euler, Integrator::implicit};
const char* name(Level l) { return EnumNames<Level>::names[std::size_t(l)]; }
const char* name(Integrator i) { return EnumNames<Integrator>::names[std::size_t(i)]; }

// What a tire leaves 2 s after a stop: nothing; the slow swing of weakly damped bristles; creep.
enum class Rest { stands, swings, creeps };
struct Family {
  const char* name;
  TireSpec tire;
  Rest rest;
  bool leans;  // its file has a side force at zero slip: L1, which has the left tire only, then pulls to one side
};
TireSpec touring(bool lugre = true, LugreLaw law = LugreLaw::rolling) {
  TireSpec t;
  t.load_sensitivity = 0.15;
  t.rolling_resistance = 0.015;
  t.camber_stiffness = 0.5;
  t.lugre.enabled = lugre;
  t.lugre.law = law;
  return t;
}
TireSpec from_file() {
  Errors errors;
  Warnings warnings;
  const auto s =
      read_tir_file(std::string(VDSIM_SOURCE_DIR) + "/configs/tir/typical_195_65R15_mf52.tir", errors, warnings);
  EXPECT_TRUE(s);
  TireSpec t = touring();
  t.backend = TireBackend::magic_formula;
  t.tir_path = "typical_195_65R15_mf52.tir";
  if (s) t.tir = *s;
  return t;
}
const std::vector<Family>& families() {
  static const std::vector<Family> all = [] {
    TireSpec belt = touring(), rally, patch;
    belt.belt.enabled = true;
    rally.schema = TireSchema::rally_v1;
    patch.schema = TireSchema::lugre_patch_v1;
    PatchSpec& p = patch.patch;  // the catalog's: equal load from both ends, damped
    p.length = 0.14, p.sigma0 = {400, 280}, p.sigma1 = {0.4, 0.4}, p.sigma2 = {5e-4, 5e-4};
    p.mu_s = 1.1, p.mu_k = 0.85, p.v_s = 6, p.gamma = 0.8;
    p.load = PatchLoad::trapezoidal, p.load_a = 0.03, p.load_b = 0.11;
    return std::vector<Family>{{"rolling", touring(), Rest::stands, false},
                               {"breakaway", touring(true, LugreLaw::breakaway), Rest::creeps, false},
                               {"fallback", touring(false), Rest::creeps, false},
                               {"belt", belt, Rest::stands, false},
                               {"tir", from_file(), Rest::stands, true},
                               {"rally", rally, Rest::stands, false},
                               {"patch", patch, Rest::swings, false}};
  }();
  return all;
}
// Without the grip pattern of the ground, which has its own heading and its own kinks.
Family even(Family f) {
  f.tire.rally.surface.noise_factor = 0;
  return f;
}
bool is(const Family& f, const char* what) { return std::string(f.name) == what; }

// A road car with everything on: air, anti-roll bars, roll centres, anti-dive, camber, rebound, Ackermann, engine.
VehicleSpec full_car(const Family& f) {
  VehicleSpec s;
  ChassisSpec& c = s.chassis;
  c.aero_lift_front = 0.1;
  c.aero_lift_rear = 0.2;
  c.roll_center_front = 0.05;
  c.roll_center_rear = 0.1;
  c.arb_front = 20000;
  c.arb_rear = 8000;
  c.anti_dive_front = 0.2;
  c.anti_squat_rear = 0.3;
  c.camber_per_roll = 0.6;
  c.camber_per_travel = -0.5;
  c.damper_rebound_ratio = 1.6;
  s.steering.ackerman_percent = 60;
  s.brake.brake_bias_front = 0.6;
  each_tire(s, [&](TireSpec& t) { t = f.tire; });
  return s;
}
std::string where(const Family& f, Level l) { return std::string(name(l)) + " " + f.name; }

// Every tire at every level; in short form every tire once, the levels in turn.
template <class F> void every(F&& f) {
  for (std::size_t l = 0; l < std::size(kLevels); ++l)
    for (std::size_t i = 0; i < families().size(); ++i) {
      if (short_form() && i % std::size(kLevels) != l) continue;
      SCOPED_TRACE(where(families()[i], kLevels[l]));
      f(families()[i], kLevels[l]);
    }
}

// ------------------------------------------------------------------------------------- the state in a snapshot

// f(std::integral_constant<Level, Lv>)
template <class F> void at_level(Level level, F&& f) {
  switch (level) {
    case Level::L1: return f(std::integral_constant<Level, Level::L1>{});
    case Level::L2: return f(std::integral_constant<Level, Level::L2>{});
    case Level::L3: return f(std::integral_constant<Level, Level::L3>{});
    case Level::L5: return f(std::integral_constant<Level, Level::L5>{});
  }
}
// A drift: side speed and yaw rate that no start pose gives.
void slide(Car& sim, double vy, double r) {
  at_level(sim.level(), [&](auto lv) {
    auto s = sim.motion<lv()>();
    s.vy = vy;
    s.r = r;
    sim.set_motion(s);
  });
}
// The car seen in a mirror along the x axis: side quantities change sign, left and right wheels change places.
template <Level Lv> State<double, Lv> mirrored(const State<double, Lv>& s) {
  State<double, Lv> q = s;
  q.y = -s.y;
  q.vy = -s.vy;
  q.r = -s.r;
  if constexpr (Lv != Level::L5) q.psi = -s.psi;
  if constexpr (Lv == Level::L3) q.phi = -s.phi;
  if constexpr (Lv == Level::L5) q.ex = -s.ex, q.ez = -s.ez;
  if constexpr (kSprung<Lv>) {
    q.p = -s.p;
    for (std::size_t i = 0; i < 4; ++i) q.travel[i] = s.travel[i ^ 1], q.speed[i] = s.speed[i ^ 1];
  } else {
    q.ay = -s.ay;
  }
  for (std::size_t i = 0; i < std::size_t(kWheels<Lv>); ++i) {
    q.wheel[i] = s.wheel[Lv == Level::L1 ? i : i ^ 1];
    q.wheel[i].zy = -q.wheel[i].zy;
    q.wheel[i].pivot = -q.wheel[i].pivot;
    q.wheel[i].alp = -q.wheel[i].alp;
  }
  q.rack.x = -s.rack.x, q.rack.v = -s.rack.v, q.rack.z = -s.rack.z;
  return q;
}
// Same numbers; 0 and -0 are the same number. The start of the load solution is no result.
template <Level Lv> bool same_numbers(State<double, Lv> a, State<double, Lv> b) {
  if constexpr (!kSprung<Lv>) a.ax = a.ay = b.ax = b.ay = 0;
  const auto *p = reinterpret_cast<const double*>(&a), *q = reinterpret_cast<const double*>(&b);
  return std::equal(p, p + sizeof a / sizeof(double), q);
}

// ---------------------------------------------------------------------------------------------- commands

// A drive with everything in it: steer in and out, launch, brake, handbrake; a function of time only.
Commands drive(double t) {
  Commands c{.steer = 0.2 * std::sin(2.1 * t)};
  const double phase = std::fmod(t, 1.5);
  if (phase < 0.6)
    c.throttle = phase;
  else if (phase < 1.0)
    c.brake = 1.5 * (phase - 0.6);
  else if (phase < 1.2)
    c.handbrake = 0.5;
  return c;
}
bool run(Car& s, const Commands& c, double time, double h) {
  for (long i = 0, n = std::lround(time / h); i < n; ++i)
    if (!s.step(c, h)) return false;
  return true;
}
bool run(Car& s, int from, int to, double h) {
  for (int i = from; i < to; ++i)
    if (!s.step(drive(i * h), drive((i + 1) * h), h)) return false;
  return true;
}

}  // namespace

// ------------------------------------------------------------------------------------------------ energy

namespace {
struct Balance {
  double worst = 0, run = 0;  // residual of a step, of the run; over the kinetic energy of the start
  EnergyBalance end{};
};
Balance balance_of(const VehicleSpec& spec, Level level, double h) {
  RoadSpec hill;
  hill.grade = 0.06;
  hill.bank = 0.03;
  Car s(spec, hill, level, Integrator::rk4, {0, 0, 0.3, 20});
  const double E0 = s.energy().kinetic;
  const auto at = [](double t) {
    Commands c{.steer = 0.03 * sq(std::sin(kPi * t / 1.6))};
    (t < 0.8 ? c.throttle : c.brake) = 0.3 * sq(std::sin(kPi * t / 0.8));
    return c;
  };
  Balance b;
  double last = s.energy().residual();
  for (long i = 0, n = std::lround(1.6 / h); i < n; ++i) {
    EXPECT_TRUE(s.step(at(double(i) * h), at(double(i + 1) * h), h));
    const double now = s.energy().residual();
    b.worst = std::fmax(b.worst, std::fabs(now - last) / E0);
    last = now;
  }
  b.run = std::fabs(last) / E0;
  b.end = s.energy();
  return b;
}
}  // namespace

// A smooth drive at 1 ms: every joule of every step is accounted for, to 1e-9 of the kinetic energy. And the
// residual belongs to the step, not to the balance: half the step leaves less of it, or next to nothing (1e-11 of the energy).
TEST(Level, EnergyBalanceClosesEachStep) {
  every([](const Family& f, Level level) {
    const Balance a = balance_of(full_car(f), level, 1e-3), b = balance_of(full_car(f), level, 5e-4);
    measured("energy balance, worst step / E0, " + where(f, level), a.worst, 1e-9);
    measured("energy balance, run at 1 ms / E0, " + where(f, level), a.run, 1e-9);
    measured("energy balance, run at 0.5 ms / E0, " + where(f, level), b.run, 1e-11);
    EXPECT_LE(a.worst, 1e-9);
    EXPECT_LE(b.run, std::fmax(0.6 * a.run, 1e-11));
    EXPECT_GT(a.end.drive, 1000);
    EXPECT_GT(a.end.brake, 1000);
    EXPECT_GT(a.end.contact, 0);
  });
}

// ---------------------------------------------------------------------------------------- convergence

namespace {
struct Channel {
  std::string name;
  std::vector<double> v;
};
void add_channels(const Car& sim, const Commands& c, std::vector<Channel>& out) {
  const CarOutputs s = sim.outputs(c);
  std::size_t k = 0;
  const auto put = [&](const char* what, double v) {
    if (out.size() <= k) out.push_back({what, {}});
    out[k++].v.push_back(v);
  };
  put("x", s.x), put("y", s.y), put("psi", s.psi), put("vx", s.vx), put("vy", s.vy), put("r", s.r);
  put("z", s.z), put("roll", s.roll), put("pitch", s.pitch), put("vz", s.vz), put("p", s.p), put("q", s.q);
  const std::size_t body = k;
  for (int i = 0; i < s.wheels; ++i) {
    const WheelOutputs& w = s.wheel[i];
    k = body;
    put("omega", w.omega), put("fz", w.fz), put("fx", w.fx), put("fy", w.fy), put("mz", w.mz), put("zx", w.zx),
        put("zy", w.zy), put("travel", w.travel), put("camber", w.camber), put("tread", w.t_tread);
  }
}
// Commands run linearly in time, so every step size sees the same ones.
Commands ramp(double t) { return {.steer = 0.12 * t, .throttle = 0.1 + 0.5 * t}; }
// The run begins in motion, from a state made at a fine step: at zero slip the sliding speed has its cone tip, where no
// method has an order.
constexpr double kBegin = 0.2, kTime = 0.1;
std::vector<Channel> channels(Car& sim, const std::vector<std::byte>& begin, int steps) {
  EXPECT_TRUE(sim.restore(begin));
  const double h = kTime / steps;
  std::vector<Channel> c;
  for (int i = 0; i < steps; ++i) {
    EXPECT_TRUE(sim.step(ramp(kBegin + i * h), ramp(kBegin + (i + 1) * h), h));
    if ((i + 1) % (steps / 10) == 0) add_channels(sim, ramp(kBegin + (i + 1) * h), c);
  }
  return c;
}
double distance(const Channel& a, const Channel& b) {
  double e = 0;
  for (std::size_t i = 0; i < a.v.size(); ++i) e = std::fmax(e, std::fabs(a.v[i] - b.v[i]));
  return e;
}
}  // namespace

// Observed order of every channel, with load transfer, air, rolling resistance and engine, from halved steps: 1 ms to
// 0.06 ms. The error of the finest step shows where rounding begins: a pair counts if its finer error is 8 times that.
// The error may change its sign with the step, and a rally tire has a few bends in its curves: the best pair counts.
// Breakaway advances its bristles in half steps and is of first order; the contact patch cuts its history where it has
// come down to 1e-8: for these two all channels together.
TEST(Level, ConvergesAtFourthOrder) {
  every([](const Family& each, Level level) {
    const Family f = even(each);
    const bool together = is(f, "breakaway") || is(f, "patch");
    VehicleSpec spec = full_car(f);
    each_tire(spec, [](TireSpec& t) { t.lugre.rolling.L_psi = 0.2; });  // unwinds at V/L_psi: 100 1/s, resolved below
    Car sim(spec, {}, level, Integrator::rk4, {.vx0 = 20});
    for (int i = 0; i < 4000; ++i) ASSERT_TRUE(sim.step(ramp(i * 5e-5), ramp((i + 1) * 5e-5), 5e-5));
    const auto begin = sim.snapshot();
    constexpr int kSteps[] = {100, 200, 400, 800, 1600};
    const std::vector<Channel> exact = channels(sim, begin, 6400);
    std::vector<std::vector<Channel>> c;
    for (int n : kSteps) c.push_back(channels(sim, begin, n));
    double coarse = 0, fine = 0;
    for (std::size_t k = 0; k < exact.size(); ++k) {
      double size = 0;
      for (double v : exact[k].v) size = std::fmax(size, std::fabs(v));
      if (size == 0) continue;
      const auto error = [&](std::size_t i) { return distance(c[i][k], exact[k]) / size; };
      coarse = std::fmax(coarse, error(0)), fine = std::fmax(fine, error(3));
      if (together) continue;
      double order = 0;
      for (std::size_t i = 0; i < 3; ++i)
        if (error(i + 1) > std::fmax(8 * error(4), 2e-13)) order = std::fmax(order, std::log2(error(i) / error(i + 1)));
      if (order == 0 && error(0) < 1e-10) continue;  // nothing but rounding
      measured("order of " + where(f, level) + " " + exact[k].name, order, 3.8);
      EXPECT_GE(order, 3.8) << exact[k].name << " errors " << error(0) << " " << error(1) << " " << error(2) << " "
                            << error(3) << " " << error(4);
    }
    if (!together) return;
    const double order = std::log2(coarse / fine) / 3, want = is(f, "breakaway") ? 0.9 : 1.8;
    measured("order of " + where(f, level) + ", all channels, error " + std::to_string(fine * 1e9) + "e-9", order,
             want);
    EXPECT_GE(order, want) << coarse << " " << fine;
  });
}

// ------------------------------------------------------------------------------------------- symmetry

// Left turn and right turn are mirror images, to the bit.
TEST(Level, MirrorSymmetric) {
  every([](const Family& f, Level level) {
    if (level == Level::L1 && f.leans) return;
    for (Integrator method : kMethods)
      for (Differential diff : {Differential::Open, Differential::LSD, Differential::Locked}) {
        if (level == Level::L1 && diff != Differential::Open) continue;
        VehicleSpec spec = full_car(f);
        spec.drivetrain.differential = diff;
        Car left(spec, {}, level, method, {.vx0 = 15}), right(spec, {}, level, method, {.vx0 = 15});
        slide(left, 0.4, 0.2);
        slide(right, -0.4, -0.2);
        const double h = 1e-3;
        at_level(level, [&](auto lv) {
          for (int i = 0; i < 800; ++i) {
            const Commands a = drive(i * h), b = drive((i + 1) * h);
            Commands ma = a, mb = b;
            ma.steer = -a.steer, mb.steer = -b.steer;
            ASSERT_TRUE(left.step(a, b, h) && right.step(ma, mb, h));
            if (i % 20) continue;
            ASSERT_TRUE(same_numbers<lv()>(left.motion<lv()>(), mirrored<lv()>(right.motion<lv()>())))
                << name(method) << " differential " << int(diff) << " step " << i;
          }
        });
        const CarOutputs p = left.outputs({}), q = right.outputs({});
        EXPECT_EQ(p.wheel[0].fz, q.wheel[level == Level::L1 ? 0 : 1].fz);
        EXPECT_GT(std::fabs(p.y), 0.1);
      }
  });
}

// On a flat, uniform road the heading of the start changes nothing but the direction of the path.
TEST(Level, RotationInvariant) {
  const double yaw = 0.7, h = 1e-3;
  every([&](const Family& each, Level level) {
    const Family f = even(each);
    Car a(full_car(f), {}, level, Integrator::rk4, {.vx0 = 15}),
        b(full_car(f), {}, level, Integrator::rk4, {.yaw0 = yaw, .vx0 = 15});
    ASSERT_TRUE(run(a, 0, 2000, h) && run(b, 0, 2000, h));
    const CarOutputs p = a.outputs({}), q = b.outputs({});
    // the heading enters no force of L1 to L3: same bits. L5 turns all by its attitude: rounding, grown in the slide
    const double tol = level == Level::L5 ? 1e-9 : 0;
    double worst = 0;
    const auto same = [&](double x, double y, double size) { worst = std::fmax(worst, std::fabs(x - y) / size); };
    same(p.vx, q.vx, 15), same(p.vy, q.vy, 1), same(p.r, q.r, 1), same(p.roll, q.roll, 0.1),
        same(p.pitch, q.pitch, 0.1), same(p.z, q.z, 0.1);
    for (int i = 0; i < p.wheels; ++i)
      same(p.wheel[i].fz, q.wheel[i].fz, 4000), same(p.wheel[i].omega, q.wheel[i].omega, 50);
    measured("rotation, body, " + where(f, level), worst, tol);
    EXPECT_LE(worst, tol);
    // 2000 sums of numbers up to 40, each rounded, and as much in the heading
    const double c = std::cos(yaw), s = std::sin(yaw), place = level == Level::L5 ? 1e-8 : 1e-11;
    EXPECT_NEAR(q.x, p.x * c - p.y * s, place);
    EXPECT_NEAR(q.y, p.x * s + p.y * c, place);
    EXPECT_NEAR(std::remainder(q.psi - yaw - p.psi, 2 * kPi), 0, place);
  });
}

// A car that is the same front and rear does backward what it does forward: mirrored along x.
TEST(Level, ReverseIsMirrorOfForward) {
  const double h = 1e-3;
  every([&](const Family& each, Level level) {
    if (each.leans) return;  // the file has its own front and rear
    const Family f = even(each);
    VehicleSpec spec = full_car(f);
    ChassisSpec& c = spec.chassis;
    c.cg_to_front = c.cg_to_rear = 1.35;
    c.aero_lift_rear = c.aero_lift_front;
    c.roll_center_rear = c.roll_center_front;
    c.arb_rear = c.arb_front;
    c.anti_dive_front = c.anti_squat_rear = 0;
    spec.brake.brake_bias_front = 0.5;
    spec.drivetrain.drive_type = DriveType::AWD;
    Car a(spec, {}, level, Integrator::rk4, {.vx0 = 15}), b(spec, {}, level, Integrator::rk4, {.vx0 = -15});
    slide(a, 0.8, 0.5);
    slide(b, 0.8, -0.5);
    double worst = 0;
    const auto same = [&](double x, double y, double size) { worst = std::fmax(worst, std::fabs(x - y) / size); };
    for (int i = 0; i < 2000; ++i) {
      const double t = i * h;
      Commands u{.throttle = t < 0.5 ? 0.5 : 0, .brake = t > 0.7 ? 0.4 : 0}, v = u;
      v.gear = -1;
      ASSERT_TRUE(a.step(u, h) && b.step(v, h));
      if (i % 50) continue;
      const CarOutputs p = a.outputs(u), q = b.outputs(v);
      same(p.vx, -q.vx, 15), same(p.vy, q.vy, 1), same(p.r, -q.r, 1);
      same(p.roll, q.roll, 0.1), same(p.pitch, -q.pitch, 0.1), same(p.z, q.z, 0.5);
      for (int k = 0; k < p.wheels; ++k) {
        const WheelOutputs &x = p.wheel[k], &y = q.wheel[p.wheels == 2 ? 1 - k : k ^ 2];
        same(x.omega, -y.omega, 50), same(x.fz, y.fz, 4000), same(x.fx, -y.fx, 4000), same(x.fy, y.fy, 4000);
      }
    }
    measured("reverse, worst relative difference, " + where(f, level), worst, 1e-9);
    EXPECT_LE(worst, 1e-9);
    EXPECT_LT(a.vx(), 12);  // it braked
  });
}

// ------------------------------------------------------------------------------------ levels agree

// Slow planar motion: the car on springs is the car whose loads follow from statics. 5 m/s, 0.3 m/s^2.
TEST(Level, SpringsDoNotMatterInSlowMotion) {
  for (const Family& f : families()) {
    SCOPED_TRACE(f.name);
    VehicleSpec spec = full_car(f);
    spec.chassis.camber_per_roll = spec.chassis.camber_per_travel = 0;  // L2 has no camber
    CarOutputs s[2];
    const Commands c{.steer = 0.03};
    for (int k = 0; k < 2; ++k) {
      Car sim(spec, {}, k ? Level::L3 : Level::L2, Integrator::rk4, {.vx0 = 5});
      ASSERT_TRUE(run(sim, c, 5, 1e-3));  // the last swing of soft carcasses has gone
      s[k] = sim.outputs(c);
    }
    measured(std::string("L3/L2 - 1, yaw rate, ") + f.name, s[1].r / s[0].r - 1, 1e-3);
    measured(std::string("L3/L2 - 1, a_y, ") + f.name, s[1].ay / s[0].ay - 1, 1e-3);
    EXPECT_NEAR(s[1].r, s[0].r, 1e-3 * s[0].r);
    EXPECT_NEAR(s[1].ay, s[0].ay, 1e-3 * s[0].ay);
    EXPECT_GT(s[0].r, 0.04);
  }
}

// Step steer to 4 m/s^2 at 22 m/s on a flat road: small angles or any attitude, the same yaw rate and a_y at all times.
TEST(Level, AttitudeDoesNotMatterOnTheFlat) {
  for (const Family& f : families()) {
    SCOPED_TRACE(f.name);
    const VehicleSpec spec = full_car(f);
    Car a(spec, {}, Level::L3, Integrator::rk4, {.vx0 = 22}), b(spec, {}, Level::L5, Integrator::rk4, {.vx0 = 22});
    const double steer = is(f, "breakaway") ? 0.018 : 0.028;
    const auto at = [&](double t) { return Commands{.steer = steer * std::clamp((t - 0.2) / 0.2, 0.0, 1.0)}; };
    double r = 0, ay = 0, dr = 0, day = 0;
    for (int i = 0; i < 2500; ++i) {
      const Commands u = at(i * 1e-3), v = at((i + 1) * 1e-3);
      ASSERT_TRUE(a.step(u, v, 1e-3) && b.step(u, v, 1e-3));
      if (i % 10) continue;
      const CarOutputs p = a.outputs(v), q = b.outputs(v);
      // L5 measures along its rolled axes: yaw about the vertical, acceleration along the road
      const double yaw = (q.attitude[6] * q.p + q.attitude[7] * q.q + q.attitude[8] * q.r),
                   side = q.ay * q.attitude[8] - q.az * q.attitude[7];
      r = std::fmax(r, std::fabs(p.r)), ay = std::fmax(ay, std::fabs(p.ay));
      dr = std::fmax(dr, std::fabs(yaw - p.r)), day = std::fmax(day, std::fabs(side - p.ay));
    }
    measured(std::string("L5 - L3, yaw rate, ") + f.name, dr / r, 0.01);
    measured(std::string("L5 - L3, a_y, ") + f.name, day / ay, 0.01);
    EXPECT_LE(dr, 0.01 * r);
    EXPECT_LE(day, 0.01 * ay);
    EXPECT_GT(ay, 3);
    EXPECT_LT(ay, 5);
  }
}

// ---------------------------------------------------------------------------------------------- rest

namespace {
struct Creep {
  double per_hour, speed;
};
// 20 s to settle, then how far the car goes in 20 s, as if for an hour. A state that is the same bits one step later,
// its place included, stays there for ever.
Creep park(const VehicleSpec& spec, const RoadSpec& road, Level level, Integrator method, const Commands& c, double h) {
  Car sim(spec, road, level, method, {});
  bool stuck = false;
  const auto seconds = [&](int n) {
    for (int i = 0; i < n && !stuck; ++i) {
      if (!run(sim, c, 1, h)) return false;
      at_level(level, [&](auto lv) {
        const auto before = sim.motion<lv()>();
        sim.step(c, h);
        stuck = same_bits(before, sim.motion<lv()>());
      });
    }
    return true;
  };
  EXPECT_TRUE(seconds(20));
  const CarOutputs a = sim.outputs(c);
  const int watched = few(20, 2);
  EXPECT_TRUE(seconds(watched));
  const CarOutputs b = sim.outputs(c);
  return {3600.0 / watched * std::hypot(b.x - a.x, b.y - a.y), std::hypot(std::hypot(b.vx, b.vy), b.vz)};
}
RoadSpec slope(double grade, double bank = 0, double mu = 1) {
  RoadSpec r;
  r.grade = grade, r.bank = bank, r.mu = mu;
  return r;
}
}  // namespace

// Parked on a grade up to close to tan = mu, on a side slope, with one axle braked, in gear and in neutral: less than a
// micrometre in an hour.
TEST(Level, RestIsRest) {
  struct Case {
    const char* what;
    RoadSpec road;
    Commands c;
    bool all;  // with every tire that stands, else with the first
  };
  const Commands brake{.brake = 1, .gear = 0}, in_gear{.brake = 1}, lever{.handbrake = 1, .gear = 0};
  const Case cases[] = {
      {"grade 0.2", slope(0.2), brake, true},     {"grade 0.9", slope(0.9), in_gear, false},
      {"grade -0.9", slope(-0.9), brake, false},  {"bank 0.2", slope(0, 0.2), in_gear, true},
      {"bank 0.7", slope(0, 0.7), brake, false},  {"both, ice", slope(0.15, -0.15, 0.25), brake, false},
      {"rear axle up", slope(0.3), lever, false}, {"rear axle down", slope(-0.2), lever, false}};
  for (Level level : kLevels)
    for (const Family& f : families())
      for (const Case& k : cases) {
        if (f.rest != Rest::stands || !(k.all || is(f, "rolling"))) continue;
        if (short_form() && !is(f, "rolling")) continue;
        if (level == Level::L1 && f.leans && k.road.bank != 0) continue;
        SCOPED_TRACE(where(f, level) + " " + k.what);
        VehicleSpec spec = full_car(f);
        if (!k.all) each_tire(spec, [](TireSpec& t) { t.load_sensitivity = 0; });
        const Creep d = park(spec, k.road, level, Integrator::rk4, k.c, 2e-3);
        measured("parked, drift [m/h], " + where(f, level) + " " + k.what, d.per_hour, 1e-6);
        EXPECT_LE(d.per_hour, 1e-6);
        EXPECT_LE(d.speed, 1e-9);
      }
}

// The other methods hold too.
TEST(Level, RestIsRestWithLongSteps) {
  for (Level level : {Level::L3, Level::L5})
    for (const auto& [method, h] : {std::pair{Integrator::implicit, 5e-3}, std::pair{Integrator::euler, 1e-3}})
      for (const RoadSpec& road : {slope(0.2), slope(0, 0.2)}) {
        SCOPED_TRACE(std::string(name(level)) + " " + name(method));
        const Creep d = park(full_car(families()[0]), road, level, method, {.brake = 1}, h);
        measured(std::string("parked, drift [m/h], ") + name(level) + " " + name(method), d.per_hour, 1e-6);
        EXPECT_LE(d.per_hour, 1e-6);
        EXPECT_LE(d.speed, 1e-9);
      }
}

// Brakes to a stop in a slight turn and stands. A planar car is still 2 s later; on springs the body swings out at the
// rate of its dampers, sum c/(2 m) = 5.2 1/s and more, e^-26 after 5 s.
TEST(Level, BrakesToAStopAndStands) {
  every([](const Family& f, Level level) {
    if (f.rest == Rest::creeps) return;
    const bool sprung = level == Level::L3 || level == Level::L5;
    const Commands c{.steer = 0.04, .brake = 0.5};
    Car sim(full_car(f), {}, level, Integrator::rk4, {.vx0 = 8});
    double stop = -1, speed = 0, fz_low[4], fz_high[4], last_fx[4] = {}, last_kappa[4] = {}, h = 1e-3;
    int flips = 0;
    std::fill(fz_low, fz_low + 4, 1e9), std::fill(fz_high, fz_high + 4, -1e9);
    for (int i = 1; i <= 12000; ++i) {
      ASSERT_TRUE(sim.step(c, h));
      const double t = i * h;
      if (stop < 0 && sim.vx() <= 0) stop = t;
      if (stop < 0 || t < stop + (sprung ? 5 : 2)) continue;
      if (t > stop + (sprung ? 6 : 3)) break;
      const CarOutputs o = sim.outputs(c);
      for (double v : {o.vx, o.vy, o.r, o.vz, o.p, o.q}) speed = std::fmax(speed, std::fabs(v));
      for (int w = 0; w < o.wheels; ++w) {
        fz_low[w] = std::fmin(fz_low[w], o.wheel[w].fz), fz_high[w] = std::fmax(fz_high[w], o.wheel[w].fz);
        if (std::fabs(o.wheel[w].fx) > 1) flips += o.wheel[w].fx * last_fx[w] < 0, last_fx[w] = o.wheel[w].fx;
        if (std::fabs(o.wheel[w].kappa) > 1e-4)
          flips += o.wheel[w].kappa * last_kappa[w] < 0, last_kappa[w] = o.wheel[w].kappa;
      }
    }
    double fz = 0;
    for (int w = 0; w < sim.wheels(); ++w) fz = std::fmax(fz, fz_high[w] - fz_low[w]);
    measured("stop, speed left, " + where(f, level), speed, 1e-6);
    measured("stop, change of Fz [N], " + where(f, level), fz, 0.1);
    ASSERT_GT(stop, 0.5);
    if (f.rest == Rest::swings) {
      EXPECT_LE(speed, 0.01);  // sigma1 g/2 = 2 1/s of a swing of centimetres per second
      return;
    }
    EXPECT_LE(speed, 1e-6);
    EXPECT_EQ(flips, 0);
    EXPECT_LE(fz, 0.1);
  });
}

// ------------------------------------------------------------------------------- determinism, lanes

namespace {
// Engine and gearbox, hydraulics, all controllers, a rack that moves, slow actuators.
VehicleSpec equipped_car(const Family& f) {
  VehicleSpec s = full_car(f);
  s.powertrain.enabled = true;
  ControlSpec& c = s.control;
  c.hydraulics.enabled = c.abs.enabled = c.ebd.enabled = c.tc.enabled = c.esc.enabled = c.vectoring.enabled = true;
  s.steering.rack.steering_dynamic = true;
  s.actuator.steer_deadtime_s = 0.02, s.actuator.steer_lag_s = 0.03, s.actuator.drive_lag_s = 0.05,
  s.actuator.brake_rate_limit = 8;
  return s;
}
}  // namespace

// Two runs give the same bytes, and a restored run is the run: on springs, with everything on.
TEST(Level, SnapshotRestoreToTheByte) {
  RoadSpec road;
  road.grade = 0.05;
  road.iso_class = IsoClass::C;
  every([&](const Family& f, Level level) {
    for (Integrator method : kMethods)
      for (bool equipped : {false, true}) {
        const VehicleSpec spec = equipped ? equipped_car(f) : full_car(f);
        Car a(spec, road, level, method, {0, 0, 0.3, 12}), b(spec, road, level, method, {});
        ASSERT_TRUE(run(a, 0, 700, 1e-3));
        const auto middle = a.snapshot();
        ASSERT_TRUE(run(a, 700, 1200, 1e-3));
        ASSERT_TRUE(run(b, 0, 7, 1e-3));  // has been elsewhere
        ASSERT_TRUE(b.restore(middle));
        EXPECT_TRUE(b.snapshot() == middle);
        ASSERT_TRUE(run(b, 700, 1200, 1e-3));
        EXPECT_TRUE(a.snapshot() == b.snapshot()) << name(method) << equipped;
        EXPECT_FALSE(a.snapshot() == middle);
        EXPECT_EQ(a.energy().residual(), b.energy().residual());
        const CarOutputs p = a.outputs({}), q = b.outputs({});
        EXPECT_EQ(std::memcmp(&p, &q, sizeof p), 0);
      }
  });
}

namespace {
// Four or eight cars that differ in mass, height, tires, grip, grade and command, in lanes of one register and alone.
template <Level Lv> void expect_lanes(const Family& f, Integrator method, const char* many, const char* one) {
  const Kernel<Lv>&batch = kernel<Lv>(many, Numeric::exact), &single = kernel<Lv>(one, Numeric::exact);
  const auto memory = [](std::size_t bytes, std::size_t alignment) {
    return std::vector<double>(bytes / sizeof(double) + alignment / sizeof(double));
  };
  const auto aligned = [](std::vector<double>& v, std::size_t alignment) {
    const auto p = reinterpret_cast<std::uintptr_t>(v.data());
    return reinterpret_cast<void*>((p + alignment - 1) / alignment * alignment);
  };
  auto m = memory(batch.model_bytes, batch.alignment), s = memory(batch.state_bytes, batch.alignment),
       u = memory(batch.input_bytes, batch.alignment), m1 = memory(single.model_bytes, single.alignment),
       s1 = memory(single.state_bytes, single.alignment), u1 = memory(single.input_bytes, single.alignment);
  void *pm = aligned(m, batch.alignment), *ps = aligned(s, batch.alignment), *pu = aligned(u, batch.alignment);
  void *pm1 = aligned(m1, single.alignment), *ps1 = aligned(s1, single.alignment), *pu1 = aligned(u1, single.alignment);
  std::vector<State<double, Lv>> alone;
  for (int k = 0; k < batch.lanes; ++k) {
    VehicleSpec spec = full_car(f);
    spec.chassis.mass = 1300 + 60 * k;
    spec.chassis.cg_height = 0.4 + 0.05 * k;
    spec.chassis.spring_stiffness[0] = spec.chassis.spring_stiffness[1] = 20000 + 3000 * k;
    spec.drivetrain.differential = Differential::LSD;
    each_tire(spec, [&](TireSpec& t) { t.B_lat = 7 + k; });
    RoadSpec road;
    road.mu = 1.1 - 0.1 * k;
    road.grade = 0.03 * k;
    const Model<double, Lv> md = compile<Lv>(spec, road);
    State<double, Lv> sd = start<Lv>(md, 0, 0, 0.4 * k, k == 1 ? 0 : 25 - 3 * k, k == 3 ? 0.3 : 0.0);
    sd.vy = 0.2 * k;
    const Inputs<double> in{0.1 * std::sin(k + 1.0), k % 2 ? 0.4 : 0.0, k % 2 ? 0.0 : 0.3, 0, k % 3 == 2 ? -1.0 : 1.0};
    batch.set_model(pm, k, md), batch.set_state(ps, k, sd), batch.set_input(pu, k, in);
    single.set_model(pm1, 0, md), single.set_state(ps1, 0, sd), single.set_input(pu1, 0, in);
    single.run(method, pm1, ps1, pu1, 1e-3, 500);
    single.get_state(ps1, 0, sd);
    alone.push_back(sd);
  }
  batch.run(method, pm, ps, pu, 1e-3, 500);
  for (int k = 0; k < batch.lanes; ++k) {
    State<double, Lv> back;
    batch.get_state(ps, k, back);
    EXPECT_TRUE(same_bits(back, alone[std::size_t(k)]))
        << many << " " << f.name << " " << name(method) << " lane " << k;
  }
}
}  // namespace

// A lane of a batch is the single car, to the bit, though its neighbours differ: one stands, one falls, one reverses.
TEST(Level, LanesAreSingleCars) {
  for (const Family& f : families()) {
    if (short_form() && !is(f, "rolling")) continue;
    if (is(f, "patch")) continue;  // its memory lies beside the state, batches have none
    for (Integrator method : kMethods) {
      expect_lanes<Level::L3>(f, method, "double4", "double");
      expect_lanes<Level::L5>(f, method, "double4", "double");
      expect_lanes<Level::L3>(f, method, "float8", "float");
      expect_lanes<Level::L5>(f, method, "float8", "float");
    }
  }
}
