// SPDX-License-Identifier: Apache-2.0
// Every tire law on a car: launch, step steer, brake to a stop, hold on 20 %, reverse. The same verdicts for all;
// where a law cannot do better by its nature the number it keeps stands beside it. Mixed tires, energy, snapshots,
// lanes, memory.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string>

#include "tests/count_allocations.hpp"
#include "tests/integration/tires.hpp"
#include "vdsim/engine/reflect.hpp"

using namespace cars;

namespace {

enum class Rest {
  stands,
  swings,
  creeps
};  // what is left 2 s after a stop: nothing; the swing of undamped bristles; creep
struct Tires {
  std::string name;
  TireSpec front, rear;
  Rest rest;
};

TireSpec pacejka(TireBackend backend, Law law) {
  TireSpec t = default_pacejka();
  t.backend = backend;
  set_law(t, law);
  return t;
}
const std::vector<Tires>& every_tire() {
  static const std::vector<Tires> all = [] {
    std::vector<Tires> v;
    const auto both = [&](const char* name, const TireSpec& t, Rest rest) { v.push_back({name, t, t, rest}); };
    for (Law l : {Law::rolling, Law::breakaway, Law::fallback}) {
      const Rest rest = l == Law::rolling ? Rest::stands : Rest::creeps;
      const std::string on = std::string(" ") + name(l);
      both(("mf96" + on).c_str(), pacejka(TireBackend::mf96, l), rest);
      both(("linear" + on).c_str(), pacejka(TireBackend::linear, l), rest);
      both(("tir 6.1" + on).c_str(), file_tire("book_205_60R15", l), rest);
    }
    both("tir 5.2 rolling", file_tire("typical_195_65R15_mf52", Law::rolling), Rest::stands);
    both("tir 6.2 rolling", file_tire("typical_235_45R18_mf62", Law::rolling), Rest::stands);
    both("rally auto", rally_tire(RallyMode::Auto), Rest::stands);
    both("rally brush", rally_tire(RallyMode::BrushOnly), Rest::stands);
    both("rally pacejka", rally_tire(RallyMode::PacejkaOnly), Rest::stands);
    both("patch average", patch_tire(PatchFidelity::average), Rest::swings);
    both("patch exact", patch_tire(PatchFidelity::exact), Rest::swings);
    both("patch distributed", patch_tire(PatchFidelity::distributed), Rest::swings);
    v.push_back({"rally front, mf96 rear", rally_tire(RallyMode::Auto), pacejka(TireBackend::mf96, Law::rolling),
                 Rest::stands});
    v.push_back({"mf96 front, patch rear", pacejka(TireBackend::mf96, Law::rolling), patch_tire(PatchFidelity::exact),
                 Rest::swings});
    v.push_back({"tir front, rally rear", file_tire("book_205_60R15", Law::rolling), rally_tire(RallyMode::Auto),
                 Rest::stands});
    return v;
  }();
  return all;
}
VehicleSpec car_on(const Tires& t) {
  VehicleSpec s = sedan();
  s.tire_fl = s.tire_fr = t.front;
  s.tire_rl = s.tire_rr = t.rear;
  return s;
}
bool is_file(const TireSpec& t) {
  return t.schema == TireSchema::pacejka_mf96_v1 && t.backend == TireBackend::magic_formula;
}
bool lugre_off(const Tires& t) { return t.front.schema == TireSchema::pacejka_mf96_v1 && !t.front.lugre.enabled; }

struct Way {
  Level level;
  Integrator method;
  double dt;
};
// The bicycle for one method; the linearly implicit one at the step it is made for.
constexpr Way kWays[] = {{Level::L2, Integrator::rk4, 1e-3},
                         {Level::L2, Integrator::euler, 1e-3},
                         {Level::L2, Integrator::implicit, 1e-3},
                         {Level::L1, Integrator::rk4, 1e-3}};
std::string where(const Tires& t, const Way& k) { return t.name + ", " + name(k.level) + " " + name(k.method); }
template <class F> void every_car(F&& f) {
  for (const Tires& t : every_tire())
    for (const Way& k : kWays) {
      SCOPED_TRACE(where(t, k));
      f(t, k);
    }
}

void print(const char* what, const std::string& who, double value) {
  if (std::getenv("VDSIM_RESIDUALS")) std::printf("    %-34s %-40s %11.3e\n", what, who.c_str(), value);
}

}  // namespace

// Throttle 0.5 from rest: m_e a = T/R - resistance, slip takes a few percent; then steered, and its mirror image, to
// the bit.
TEST(EveryTire, LaunchesAndTurns) {
  every_car([](const Tires& t, const Way& k) {
    const VehicleSpec s = car_on(t);
    Car sim(s, flat(), k.level, k.method, {});
    ASSERT_TRUE(run(sim, {.throttle = 0.5}, 1.5, k.dt));
    const double R = compile<Level::L2>(s, flat()).p.wheel[2].tire.R0;
    const double a = 0.5 * 300 * 5 / R / (1500 + 0.25 * 25 / (R * R));
    print("launch, v / (T/R t/m_e)", where(t, k), sim.vx() / (1.5 * a));
    EXPECT_GT(sim.vx(), 0.85 * 1.5 * a);
    EXPECT_LT(sim.vx(), 1.03 * 1.5 * a);
    // step steer at 15 m/s, to the left and to the right
    Car left(s, flat(), k.level, k.method, {.vx0 = 15}), right(s, flat(), k.level, k.method, {.vx0 = 15});
    const Commands l{.steer = 0.02}, r{.steer = -0.02};
    ASSERT_TRUE(run(left, l, 0.8, k.dt) && run(right, r, 0.8, k.dt));
    const CarOutputs p = left.outputs(l), q = right.outputs(r);
    print("step steer, r L/(v delta)", where(t, k), p.r * 2.7 / (p.vx * 0.02));
    EXPECT_GT(p.r * 2.7 / (p.vx * 0.02), 0.5);
    EXPECT_LT(p.r * 2.7 / (p.vx * 0.02), 1.3);
    EXPECT_GT(p.ay, 0);
    if (k.level == Level::L1 && is_file(t.front))
      return;  // the bicycle has the left tire only, and its file leans to one side
    EXPECT_EQ(p.vx, q.vx);
    EXPECT_EQ(p.r, -q.r);
    EXPECT_EQ(p.y, -q.y);
  });
}

// Wheels set outward turn the hub by Fx, to the left and to the right alike: a car that brakes straight ahead stays on
// its line.
TEST(EveryTire, WheelOffsetIsMirrored) {
  TireSpec t = rally_tire(RallyMode::Auto);
  t.rally.wheel.wheel_offset = 0.03;
  for (Level level : {Level::L1, Level::L2}) {
    Car sim(car_on({"rally", t, t, Rest::stands}), flat(), level, Integrator::rk4, {.vx0 = 15});
    ASSERT_TRUE(run(sim, {.brake = 0.5}, 1, 1e-3));
    EXPECT_EQ(sim.outputs({}).y, 0) << name(level);
    EXPECT_EQ(sim.heading(), 0) << name(level);
  }
}

namespace {
struct Stop {
  double t_stop = -1, early = 0, late = 0;  // largest speeds from 1 to 1.5 s and in the last half second after the stop
  int flips = 0;                            // sign changes of any Fx above 1 N from 1 s after the stop on
  int through = 0;                          // wheels that a brake turned from forward to backward, or the reverse
  double open = 0;                          // what the energy balance does not explain, over the energy at the start
};
Stop brake_to_stop(const Tires& t, const Way& k, double v0, int gear, double rest) {
  Stop out;
  const VehicleSpec s = car_on(t);
  const Commands c{.steer = 0.05, .brake = 0.6, .gear = gear};
  Car sim(s, flat(), k.level, k.method, {.vx0 = v0});
  double last[4] = {}, spin[4] = {};
  const long n = std::lround(8 / k.dt);
  for (long i = 1; i <= n; ++i) {
    if (!sim.step(c, k.dt)) return {};
    const double time = i * k.dt;
    const CarOutputs o = sim.outputs(c);
    for (int w = 0; w < o.wheels; ++w) {
      const double cap = 0.6 * 5000 * (w < o.wheels / 2 ? 0.62 : 0.38) / 2;
      if (spin[w] * o.wheel[w].omega < 0 && std::fabs(o.wheel[w].fx) * 0.3 < cap) ++out.through;
      spin[w] = o.wheel[w].omega;
    }
    if (out.t_stop < 0) {
      if (sim.vx() * v0 <= 0 || (t.rest == Rest::creeps && std::fabs(sim.vx()) < 0.02)) out.t_stop = time;
      continue;
    }
    if (time > out.t_stop + rest) break;
    const double speed = std::max(std::hypot(o.vx, o.vy), std::fabs(o.r));
    if (time >= out.t_stop + 1)
      for (int w = 0; w < o.wheels; ++w)
        if (std::fabs(o.wheel[w].fx) > 1) {
          out.flips += o.wheel[w].fx * last[w] < 0;
          last[w] = o.wheel[w].fx;
        }
    if (time >= out.t_stop + 1 && time < out.t_stop + 1.5) out.early = std::max(out.early, speed);
    if (time >= out.t_stop + rest - 0.5) out.late = std::max(out.late, speed);
  }
  out.open = sim.energy().residual() / sim.energy().kinetic0;
  return out;
}
void expect_stop(const Tires& t, Integrator method, const Stop& s) {
  ASSERT_GT(s.t_stop, 0.5);
  ASSERT_LT(s.t_stop, 5);
  EXPECT_EQ(s.through, 0);
  if (t.rest == Rest::stands) {
    EXPECT_LE(s.late, 1e-9);
    EXPECT_EQ(s.flips, 0);
  } else if (t.rest == Rest::swings) {
    // m v' = -sigma1 Fz v - sigma0 Fz x: the envelope falls as exp(-sigma1 g t/2), 0.02 in these 2 s; Euler takes omega^2 h/2
    // of that rate away, all but a tenth at 1 ms
    if (method != Integrator::euler) {
      EXPECT_LE(s.late, 0.05 * s.early);
    }
    EXPECT_LE(s.late, s.early);
    EXPECT_LE(s.late, 0.01);
  } else {
    EXPECT_LE(s.early, 0.03);  // creeps and rocks, centimetres per second
  }
}
}  // namespace

// Brakes to a stop while it turns, forward and backward, and stands.
TEST(EveryTire, BrakesToAStop) {
  every_car([](const Tires& t, const Way& k) {
    for (int gear : {1, -1}) {
      if (gear < 0 && k.method != Integrator::rk4) continue;
      SCOPED_TRACE(gear);
      const Stop s = brake_to_stop(t, k, gear * (gear > 0 ? 8.0 : 5.0), gear, 3.5);
      print(gear > 0 ? "stop, speed 3 s later" : "backward, speed 3 s later", where(t, k), s.late);
      if (t.rest == Rest::swings) print("stop, decay in 2 s", where(t, k), s.late / s.early);
      print("stop, energy open / E0", where(t, k), s.open);
      expect_stop(t, k.method, s);
      EXPECT_LE(std::fabs(s.open), k.method == Integrator::rk4 ? 1e-3 : 0.05);
    }
  });
}

// Full brake on 20 %, along and across: how far the car goes in 2 s, as if it went on for an hour. Undamped bristles
// get 12 s to settle (exp(-sigma1 g t/2) of the 0.5 mm they are dropped by), and no Euler.
TEST(EveryTire, HoldsOnAGrade) {
  every_car([](const Tires& t, const Way& k) {
    for (const RoadSpec& road : {slope(0.2), slope(-0.2), slope(0, 0.2)}) {
      if (road.bank != 0 && lugre_off(t)) continue;  // the kinematic blend pulls sideways onto its own curve
      if (t.rest == Rest::swings && k.method == Integrator::euler) continue;
      if (road.grade != 0.2 && (k.level == Level::L1 || k.method != Integrator::rk4)) continue;
      SCOPED_TRACE(testing::Message() << "grade " << road.grade << " bank " << road.bank);
      const Commands c{.brake = 1};
      Car sim(car_on(t), road, k.level, k.method, {});
      const double dt = t.rest == Rest::creeps ? k.dt : 2 * k.dt;
      ASSERT_TRUE(run(sim, c, t.rest == Rest::swings ? 12 : 4, dt));
      const CarOutputs a = sim.outputs(c);
      ASSERT_TRUE(run(sim, c, 2, dt));
      const CarOutputs b = sim.outputs(c);
      const double drift = std::hypot(b.x - a.x, b.y - a.y) * 3600 / 2, speed = std::hypot(b.vx, b.vy);
      print("grade, drift [m/h]", where(t, k), drift);
      if (t.rest == Rest::creeps) {
        EXPECT_LE(std::hypot(b.x - a.x, b.y - a.y) / 2, 0.03);  // the band of the fallback on 20 %
      } else {
        EXPECT_LE(drift, 1e-6);
        EXPECT_LE(speed, 1e-9);
        // and the tires carry the weight along the slope
        double F = 0;
        for (int i = 0; i < b.wheels; ++i) F += 4.0 / b.wheels * (road.bank != 0 ? b.wheel[i].fy : b.wheel[i].fx);
        const double grade = road.bank != 0 ? road.bank : road.grade;
        EXPECT_NEAR(F, 1500 * g * grade / std::hypot(1, grade), 1);
      }
    }
  });
}

// Reverse gear from rest, steered: backward, the right way round the curve, and to a stop.
TEST(EveryTire, DrivesBackward) {
  every_car([](const Tires& t, const Way& k) {
    Car sim(car_on(t), flat(), k.level, k.method, {});
    const Commands back{.steer = 0.1, .throttle = 0.4, .gear = -1}, brake{.steer = 0.1, .brake = 0.6, .gear = -1};
    ASSERT_TRUE(run(sim, back, 1.5, k.dt));
    const CarOutputs o = sim.outputs(back);
    EXPECT_LT(o.vx, -1);
    print("reverse, r L/(v tan delta)", where(t, k), o.r * 2.7 / (o.vx * std::tan(0.1)));
    EXPECT_NEAR(o.r * 2.7 / (o.vx * std::tan(0.1)), 1, 0.25);
    ASSERT_TRUE(run(sim, brake, 4, k.dt));
    EXPECT_LE(std::fabs(sim.vx()), t.rest == Rest::stands ? 1e-9 : t.rest == Rest::swings ? 1e-3 : 0.03);
  });
}

// ---------------------------------------------------------------------------------------------------- the book

// A steering jump under a braked car at rest: it gives the energy of the same turn in 10 ms, the contact loses or stores it,
// whatever the step and the method. Tires without bristles have no moment at rest.
TEST(EveryTire, SteeringJumpAtRestGivesItsWork) {
  for (const Tires& t : every_tire())
    for (const Level level : {Level::L2, Level::L3, Level::L5}) {
      const auto work = [&](Integrator method, double h, int steps) {
        Car sim(car_on(t), flat(), level, method, {});
        const auto turned = [&](int k) { return Commands{.steer = 0.3 * k / steps, .brake = 1}; };
        for (int k = 0; k < steps; ++k) EXPECT_TRUE(sim.step(turned(k), turned(k + 1), h));
        EXPECT_TRUE(run(sim, turned(steps), 0.05, h));
        const EnergyBalance e = sim.energy();
        EXPECT_GE(e.slip(), -1e-3 * e.steer - 1e-3) << t.name << " " << enum_name(method) << " " << h;
        return e.steer;
      };
      const double slowly = work(Integrator::rk4, 1e-4, 100);
      EXPECT_GE(slowly, -1e-9);
      for (const Integrator method : {Integrator::rk4, Integrator::implicit})
        for (const double h : {5e-4, 1e-3}) {
          const double jump = work(method, h, 1);
          if (level == Level::L2) print("steering jump at rest / slowly", t.name, jump / slowly);
          EXPECT_NEAR(jump, slowly, 0.15 * slowly + 0.01) << t.name << " " << enum_name(method) << " " << h;
        }
    }
}

// An engine that is coupled or freed brings or takes its energy; the start stays what it was.
TEST(EveryTire, CouplingAnEngineLeavesTheStartOfTheBalance) {
  VehicleSpec v = sedan();
  v.drivetrain.engine_rotational_inertia = 0.3;
  Car sim(v, flat(), Level::L2, Integrator::rk4, {});
  const double start = sim.energy().kinetic0;
  ASSERT_TRUE(run(sim, {.throttle = 0.5, .gear = 1}, 3, 1e-3) && run(sim, {.gear = 0}, 1, 1e-3) &&
              run(sim, {.throttle = 0.5, .gear = 1}, 1, 1e-3));
  const EnergyBalance e = sim.energy();
  EXPECT_EQ(e.kinetic0, start);
  EXPECT_NE(e.changed, 0);
  EXPECT_LT(std::fabs(e.residual()), 1e-5 * e.kinetic);
}

// A smooth drive at 1 ms: every joule of every step is accounted for.
TEST(EveryTire, EnergyBalanceCloses) {
  for (const Tires& t : every_tire()) {
    if (t.front.lugre.enabled && t.front.lugre.law == LugreLaw::breakaway &&
        t.front.schema == TireSchema::pacejka_mf96_v1)
      continue;  // first order in its bristles
    SCOPED_TRACE(t.name);
    Car s(car_on(t), slope(0.06, 0.03), Level::L2, Integrator::rk4, {0, 0, 0.3, 15});
    const double E0 = s.energy().kinetic, h = 1e-3;
    const auto at = [&](double u) {
      Commands c{.steer = 0.04 * std::sin(2 * u)};
      (u < 0.8 ? c.throttle : c.brake) = 0.3 * sq(std::sin(M_PI * u / 0.8));
      return c;
    };
    double worst = 0, last = 0;
    for (int i = 0; i < 1600; ++i) {
      ASSERT_TRUE(s.step(at(i * h), at((i + 1) * h), h));
      const double now = s.energy().residual();
      worst = std::max(worst, std::fabs(now - last) / E0);
      last = now;
    }
    const EnergyBalance b = s.energy();
    print("energy, worst step / E0", t.name, worst);
    print("energy, whole run / E0", t.name, b.residual() / E0);
    EXPECT_LE(worst, 1e-7);
    EXPECT_LE(std::fabs(b.residual()), 1e-5 * E0);
    EXPECT_GT(b.drive, 1000);
    EXPECT_GT(b.brake, 1000);
    EXPECT_GT(b.contact, 0);  // slip costs
  }
}

// ---------------------------------------------------------------------------------- determinism, memory, lanes

namespace {
Commands drive(double t) {
  Commands c{.steer = 0.15 * std::sin(2.1 * t)};
  const double phase = std::fmod(t, 1.0);
  if (phase < 0.4)
    c.throttle = phase;
  else if (phase < 0.7)
    c.brake = 2 * (phase - 0.4);
  else
    c.handbrake = 1;
  return c;
}
}  // namespace

// Two runs give the same bytes, a restored one goes on as the first, and a step allocates nothing.
TEST(EveryTire, SameBytesAgainAndAfterRestoring) {
  for (const Tires& t : every_tire())
    for (const Way& k : kWays) {
      SCOPED_TRACE(where(t, k));
      const VehicleSpec s = car_on(t);
      Car a(s, flat(), k.level, k.method, {.vx0 = 6}), b(s, flat(), k.level, k.method, {.vx0 = 6}),
          c(s, flat(), k.level, k.method, {.vx0 = 6});
      const auto go = [&](Car& sim, int from, int to) {
        bool ok = true;
        for (int i = from; i < to; ++i) ok = sim.step(drive(i * k.dt), drive((i + 1) * k.dt), k.dt) && ok;
        return ok;
      };
      ASSERT_TRUE(go(a, 0, 300) && go(b, 0, 300));
      const auto half = a.snapshot();
      ASSERT_TRUE(half == b.snapshot());
      ASSERT_TRUE(go(c, 0, 7));  // has been elsewhere
      ASSERT_TRUE(c.restore(half));
      const long before = g_allocations;
      const bool ok = go(a, 300, 600);
      EXPECT_EQ(g_allocations - before, 0);
      ASSERT_TRUE(ok && go(c, 300, 600));
      const auto end = a.snapshot();
      EXPECT_TRUE(end == c.snapshot());
      const CarOutputs p = a.outputs({}), q = c.outputs({});
      EXPECT_EQ(std::memcmp(&p.wheel, &q.wheel, sizeof p.wheel), 0);
      // a snapshot of other tires is refused
      Tires other = t;
      other.front.B_lat += 1, other.front.rally.friction.load_sensitivity += 0.01, other.front.patch.mu_s += 0.01,
          other.front.tir.lateral.PKY1 *= 1.01;
      Car d(car_on(other), flat(), k.level, k.method, {.vx0 = 6});
      EXPECT_FALSE(d.restore(half));
    }
}

namespace {
bool contracts() {
  volatile double a = 1 + 0x1p-30, b = 1 - 0x1p-30, c = -1;
  const double x = a, y = b, z = c;
  return x * y + z != 0;
}
template <class To, class From> To lane_of(const From& from, int k) {
  To to;
  using T = std::decay_t<decltype(to.x)>;
  auto* q = reinterpret_cast<T*>(&to);
  auto* p = reinterpret_cast<const Pack<T, int(sizeof(From) / sizeof(To))>*>(&from);
  for (std::size_t i = 0; i < sizeof to / sizeof(T); ++i) q[i] = lane(p[i], k);
  return to;
}
template <class T, int N, Level Lv> void expect_lanes(const Tires& t, Integrator method, RoadSpec road = {}) {
  using P = Pack<T, N>;
  std::vector<Model<T, Lv>> m(N);
  std::vector<State<T, Lv>> s(N);
  Model<P, Lv> mp;
  State<P, Lv> sp;
  const auto put = [](auto& pack, const auto& one, int k) {
    auto* q = reinterpret_cast<P*>(&pack);
    auto* p = reinterpret_cast<const T*>(&one);
    for (std::size_t i = 0; i < sizeof one / sizeof(T); ++i) set_lane(q[i], k, p[i]);
  };
  for (int k = 0; k < N; ++k) {
    VehicleSpec spec = car_on(t);
    spec.chassis.mass = 1300 + 60 * k;
    for (TireSpec* tire : {&spec.tire_fl, &spec.tire_fr, &spec.tire_rl, &spec.tire_rr}) {
      tire->tir.scaling.LMUX *= 1 - 0.05 * k, tire->tir.scaling.LKY *= 1 + 0.05 * k;
      tire->rally.friction.peak_friction_coefficient *= 1 - 0.05 * k, tire->rally.magic_formula.lateral_b += k;
    }
    road.mu = 1.1 - 0.1 * k;
    const Model<double, Lv> md = compile<Lv>(spec, road);
    const State<double, Lv> sd = start<Lv>(md, 0, 0, 0.4 * k, k == 1 ? 0 : 22 - 3 * k);
    const std::size_t i = std::size_t(k);
    m[i].kind = md.kind;
    auto* pm = reinterpret_cast<T*>(&m[i].p);
    for (std::size_t j = 0; j < sizeof md.p / sizeof(double); ++j) pm[j] = T(reinterpret_cast<const double*>(&md.p)[j]);
    auto* ps = reinterpret_cast<T*>(&s[i]);
    for (std::size_t j = 0; j < sizeof sd / sizeof(double); ++j) ps[j] = T(reinterpret_cast<const double*>(&sd)[j]);
    put(mp.p, m[i].p, k);
    put(sp, s[i], k);
  }
  mp.kind = m[0].kind;
  const double h = 2e-3;
  for (int i = 0; i < 250; ++i) {
    Inputs<P> u0, u1;
    for (int k = 0; k < N; ++k) {
      const auto in = [&](double at) {
        const Commands c = drive(at + 0.37 * k);
        return Inputs<T>{T(c.steer), T(c.throttle), T(c.brake), T(c.handbrake), T(k % 3 == 2 ? -1 : 1)};
      };
      const Inputs<T> a = in(i * h), b = in((i + 1) * h);
      put(u0, a, k);
      put(u1, b, k);
      integrate(method, m[std::size_t(k)], s[std::size_t(k)], a, b, T(h));
    }
    integrate(method, mp, sp, u0, u1, P(T(h)));
    for (int k = 0; k < N; ++k) {
      const State<T, Lv> back = lane_of<State<T, Lv>>(sp, k);
      ASSERT_EQ(std::memcmp(&back, &s[std::size_t(k)], sizeof back), 0)
          << t.name << " " << name(method) << " L" << 1 + int(Lv) << (sizeof(T) == 4 ? " float" : " double") << " lane "
          << k << " step " << i;
      ASSERT_TRUE(finite(back)) << t.name << " lane " << k << " step " << i;
    }
  }
}
}  // namespace

// A lane of a batch is the single car, to the bit: files and rally tires, whose curves depend on the load.
TEST(EveryTire, LanesAreSingleCars) {
  if (contracts()) GTEST_SKIP() << "built with contraction";
  for (const Tires& t : every_tire()) {
    if (!is_file(t.front) && t.front.schema != TireSchema::rally_v1) continue;
    expect_lanes<double, 4, Level::L2>(t, Integrator::rk4);
    expect_lanes<float, 8, Level::L2>(t, Integrator::implicit);
    expect_lanes<float, 8, Level::L1>(t, Integrator::euler);
  }
}

// The same where each lane is on another ground.
TEST(EveryTire, LanesOnSurfacesAreSingleCars) {
  if (contracts()) GTEST_SKIP() << "built with contraction";
  RoadSpec road;
  road.section_count = 2;
  road.sections[0] = {.from = -1, .to = 2, .edge = 1.5};
  road.sections[0].surface = {.friction = 0.7,
                              .rolling_resistance = 0.05,
                              .slip_stiffness_scale = 0.5,
                              .relaxation_length_scale = 1.4,
                              .peak_slip_ratio_scale = 2,
                              .deformation = 0.4};
  road.sections[1] = {.from = 2, .to = 30, .edge = 3, .temperature = 55};
  road.patch_count = 1;
  road.patches[0].surface = {.water_depth = 0.003, .noise_factor = 0.2};
  road.patches[0].count = 4;
  road.patches[0].polygon = {{{0, -2}, {8, -2}, {8, 4}, {0, 4}}};
  for (const Tires& t : every_tire()) {
    if (t.front.schema == TireSchema::lugre_patch_v1 || t.rear.schema == TireSchema::lugre_patch_v1)
      continue;  // one car at a time
    expect_lanes<double, 4, Level::L2>(t, Integrator::rk4, road);
    expect_lanes<float, 8, Level::L3>(t, Integrator::implicit, road);
    expect_lanes<float, 8, Level::L1>(t, Integrator::euler, road);
  }
}
