// SPDX-License-Identifier: Apache-2.0
// Laws of the whole car: symmetry, determinism, energy, convergence, loads, differentials, brakes.
#include <atomic>
#include <new>
#include <vector>

#include "tests/count_allocations.hpp"
#include "tests/laws/rolling_rig.hpp"
#include "vdsim/engine/car.hpp"

using namespace laws;

namespace {

enum class Law { rolling, breakaway, fallback };
constexpr Law kLaws[] = {Law::rolling, Law::breakaway, Law::fallback};
constexpr Integrator kMethods[] = {Integrator::rk4, Integrator::euler, Integrator::implicit};
const char* name(Law l) { return l == Law::rolling ? "rolling" : l == Law::breakaway ? "breakaway" : "fallback"; }
const char* name(Integrator i) { return EnumNames<Integrator>::names[std::size_t(i)]; }

// A road car with everything on: air, rolling resistance, load sensitivity, engine, Ackermann, camber of the load path.
VehicleSpec full_car(Law law = Law::rolling) {
  VehicleSpec s;
  s.chassis.aero_lift_front = 0.1;
  s.chassis.aero_lift_rear = 0.2;
  s.chassis.roll_center_front = 0.05;
  s.chassis.roll_center_rear = 0.1;
  s.chassis.arb_front = 20000;
  s.steering.ackerman_percent = 60;
  s.brake.brake_bias_front = 0.6;
  each_tire(s, [&](TireSpec& t) {
    t.load_sensitivity = 0.15;
    t.rolling_resistance = 0.015;
    t.lugre.law = law == Law::breakaway ? LugreLaw::breakaway : LugreLaw::rolling;
    t.lugre.enabled = law != Law::fallback;
  });
  return s;
}

// A drive with everything in it: steer in and out, launch, brake, handbrake; a function of time only.
Inputs<double> drive(double t) {
  Inputs<double> u{0.25 * std::sin(2.1 * t), 0, 0, 0, 1};
  const double phase = std::fmod(t, 1.5);
  if (phase < 0.6)
    u.throttle = phase;
  else if (phase < 1.0)
    u.brake = 1.5 * (phase - 0.6);
  else if (phase < 1.2)
    u.handbrake = 0.5;
  return u;
}

template <Level Lv> State<double, Lv> mirrored(const State<double, Lv>& s) {
  State<double, Lv> q = s;
  q.y = -s.y;
  q.psi = -s.psi;
  q.vy = -s.vy;
  q.r = -s.r;
  q.ay = -s.ay;
  for (int i = 0; i < kWheels<Lv>; ++i) {
    q.wheel[i] = s.wheel[Lv != Level::L1 ? i ^ 1 : i];
    q.wheel[i].zy = -q.wheel[i].zy;
    q.wheel[i].pivot = -q.wheel[i].pivot;
    q.wheel[i].alp = -q.wheel[i].alp;
  }
  return q;
}
// Same numbers; 0 and -0 are the same number.
template <Level Lv> bool same_numbers(const State<double, Lv>& a, const State<double, Lv>& b) {
  const auto same = [](const auto& x, const auto& y) {
    const auto *p = reinterpret_cast<const double*>(&x), *q = reinterpret_cast<const double*>(&y);
    for (std::size_t i = 0; i < sizeof x / sizeof(double); ++i)
      if (!(p[i] == q[i])) return false;
    return true;
  };
  for (auto q : {&State<double, Lv>::x, &State<double, Lv>::y, &State<double, Lv>::psi, &State<double, Lv>::vx,
                 &State<double, Lv>::vy, &State<double, Lv>::r})
    if (!(a.*q == b.*q)) return false;
  return same(a.wheel, b.wheel);
}

template <Level Lv> void expect_mirror(const VehicleSpec& spec, Integrator method, const std::string& what) {
  CarRig<double, Lv> left(spec, {}, 15, method), right(spec, {}, 15, method);
  left.s.vy = 0.4;
  left.s.r = 0.2;
  right.s = mirrored(left.s);
  const double h = 2e-3;
  for (int i = 0; i < 1500; ++i) {
    Inputs<double> a = drive(i * h), b = drive((i + 1) * h), ma = a, mb = b;
    ma.steer = -a.steer;
    mb.steer = -b.steer;
    left.step(a, b, h);
    right.step(ma, mb, h);
    ASSERT_TRUE(same_numbers(left.s, mirrored(right.s))) << what << " step " << i;
  }
  EXPECT_GT(std::fabs(left.s.y), 0.1) << what;
}

}  // namespace

// Left turn and right turn are mirror images, to the bit.
TEST(Vehicle, MirrorSymmetric) {
  for (Integrator method : kMethods)
    for (Law law : kLaws)
      for (Differential diff : {Differential::Open, Differential::LSD, Differential::Locked})
        for (double height : {0.0, 0.55}) {
          VehicleSpec spec = full_car(law);
          spec.chassis.cg_height = height;
          spec.drivetrain.differential = diff;
          const std::string what = std::string(name(method)) + " " + name(law) + " differential " +
                                   std::to_string(int(diff)) + " height " + std::to_string(height);
          expect_mirror<Level::L2>(spec, method, "L2 " + what);
          if (diff == Differential::Open) expect_mirror<Level::L1>(spec, method, "L1 " + what);
        }
}

// On a flat, uniform road the heading of the start changes nothing but the direction of the path.
TEST(Vehicle, RotationInvariant) {
  const double yaw = 0.7, h = 1e-3;
  for (Law law : kLaws) {
    CarRig<> a(full_car(law), {}, 15), b(full_car(law), {}, 15, Integrator::rk4, yaw);
    for (int i = 0; i < 3000; ++i) {
      a.step(drive(i * h), drive((i + 1) * h), h);
      b.step(drive(i * h), drive((i + 1) * h), h);
      // the heading does not enter any force: same bits
      ASSERT_EQ(a.s.vx, b.s.vx) << name(law) << i;
      ASSERT_EQ(a.s.vy, b.s.vy) << name(law) << i;
      ASSERT_EQ(a.s.r, b.s.r) << name(law) << i;
    }
    // 3000 sums of numbers up to 40, each rounded: 3000 x 40 x 1e-16, and as much in the heading
    EXPECT_NEAR(b.s.x, a.s.x * std::cos(yaw) - a.s.y * std::sin(yaw), 1e-11) << name(law);
    EXPECT_NEAR(b.s.y, a.s.x * std::sin(yaw) + a.s.y * std::cos(yaw), 1e-11) << name(law);
    EXPECT_NEAR(b.s.psi - yaw, a.s.psi, 1e-12) << name(law);
  }
}

// A car that is the same front and rear does backward what it does forward.
TEST(Vehicle, ReverseIsMirrorOfForward) {
  VehicleSpec spec = standard_car();
  spec.chassis.cg_to_front = spec.chassis.cg_to_rear = 1.35;
  spec.chassis.aero_drag_coeff = 0.3;
  spec.drivetrain.drive_type = DriveType::AWD;
  spec.drivetrain.engine_rotational_inertia = 0.25;
  const double h = 1e-3;
  CarRig<> f(spec, {}, 15), b(spec, {}, -15);
  f.s.vy = b.s.vy = 0.8;
  f.s.r = 0.5;
  b.s.r = -0.5;
  for (int i = 0; i < 2500; ++i) {
    const double t = i * h;
    Inputs<double> u{0, t < 0.5 ? 0.5 : 0, t > 0.7 ? 0.4 : 0, 0, 1};
    f.step(u, h);
    u.gear = -1;
    b.step(u, h);
    // rounding of the loads (rear = all - front) grows with the slide; 1e-9 is far below any asymmetry of the law
    ASSERT_NEAR(f.s.vx, -b.s.vx, 1e-9) << t;
    ASSERT_NEAR(f.s.vy, b.s.vy, 1e-9) << t;
    ASSERT_NEAR(f.s.r, -b.s.r, 1e-9) << t;
    for (int k = 0; k < 4; ++k) {
      ASSERT_NEAR(f.s.wheel[k].w, -b.s.wheel[k ^ 2].w, 1e-8) << t;
      ASSERT_NEAR(f.s.wheel[k].zx, -b.s.wheel[k ^ 2].zx, 1e-11) << t;
      ASSERT_NEAR(f.s.wheel[k].zy, b.s.wheel[k ^ 2].zy, 1e-11) << t;
    }
  }
  EXPECT_LT(std::fabs(f.s.vx), 10);  // it braked
}

// ---------------------------------------------------------------------------------------- determinism

namespace {
Commands commands(double t) {
  const Inputs<double> u = drive(t);
  return {u.steer, u.throttle, u.brake, u.handbrake, 1};
}
void run(Car& s, int from, int to, double h) {
  for (int i = from; i < to; ++i) ASSERT_TRUE(s.step(commands(i * h), commands((i + 1) * h), h));
}
}  // namespace

// A restored run is the run.
TEST(Vehicle, SnapshotRestoreToTheByte) {
  RoadSpec road;
  road.grade = 0.05;
  for (Level level : {Level::L1, Level::L2})
    for (Integrator method : kMethods)
      for (Law law : kLaws) {
        Car a(full_car(law), road, level, method, {0, 0, 0.3, 12});
        run(a, 0, 700, 1e-3);
        const auto middle = a.snapshot();
        run(a, 700, 1500, 1e-3);
        Car b(full_car(law), road, level, method, {});
        ASSERT_TRUE(b.restore(middle));
        EXPECT_EQ(b.snapshot(), middle);
        run(b, 700, 1500, 1e-3);
        EXPECT_EQ(a.snapshot(), b.snapshot()) << name(method) << " " << name(law);
        EXPECT_NE(a.snapshot(), middle);
        EXPECT_EQ(a.energy().contact, b.energy().contact);
      }
}

TEST(Vehicle, SnapshotOfAnotherCarIsRefused) {
  Car a(full_car(), {}, Level::L2, Integrator::rk4, {}), level(full_car(), {}, Level::L1, Integrator::rk4, {});
  VehicleSpec heavy = full_car();
  heavy.chassis.mass += 1;
  Car other(heavy, {}, Level::L2, Integrator::rk4, {});
  RoadSpec wet;
  wet.mu = 0.5;
  Car road(full_car(), wet, Level::L2, Integrator::rk4, {});
  const auto s = a.snapshot();
  for (Car* q : {&level, &other, &road}) {
    const auto before = q->snapshot();
    EXPECT_FALSE(q->restore(s));
    EXPECT_EQ(q->snapshot(), before);
  }
  EXPECT_FALSE(a.restore(std::span(s).first(s.size() - 1)));
}

TEST(Vehicle, TwoRunsSameBytes) {
  for (Level level : {Level::L1, Level::L2})
    for (Integrator method : kMethods) {
      Car a(full_car(), {}, level, method, {0, 0, 0.3, 12}), b(full_car(), {}, level, method, {0, 0, 0.3, 12});
      run(a, 0, 1000, 1e-3);
      run(b, 0, 1000, 1e-3);
      EXPECT_EQ(a.snapshot(), b.snapshot());
    }
}

namespace {
// True if this binary fuses a*b + c: then lanes and scalars may round differently and the test says nothing.
bool contracts() {
  volatile double a = 1 + 0x1p-30, b = 1 - 0x1p-30, c = -1;
  const double x = a, y = b, z = c;
  return x * y + z != 0;
}

template <class T> Inputs<T> lane_inputs(int lane, double t) {
  Inputs<double> u = drive(t + 0.37 * lane);
  return {T(u.steer), T(u.throttle), T(u.brake), T(u.handbrake), T(lane % 3 == 2 ? -1 : 1)};
}

template <class T, int N, Level Lv> void expect_lanes(Law law, Integrator method, const char* what) {
  using P = Pack<T, N>;
  std::vector<CarRig<T, Lv>> car;
  for (int k = 0; k < N; ++k) {
    VehicleSpec spec = full_car(law);
    spec.chassis.mass = 1300 + 60 * k;
    spec.chassis.cg_height = 0.4 + 0.05 * k;
    spec.drivetrain.differential = Differential::LSD;
    each_tire(spec, [&](TireSpec& t) {
      t.B_lat = 7 + k;
      t.load_sensitivity = 0.05 * k;
    });
    RoadSpec road;
    road.mu = 1.1 - 0.12 * k;
    road.grade = 0.03 * k;
    car.emplace_back(spec, road, k == 1 ? 0 : 25 - 4 * k, method, 0.4 * k);
    car[std::size_t(k)].s.vy = T(0.2 * k);
  }
  Model<P, Lv> m;
  State<P, Lv> s;
  m.kind = car[0].m.kind;
  const auto put = [](auto& pack, const auto& one, int k) {
    static_assert(sizeof pack / sizeof(P) == sizeof one / sizeof(T));
    auto* q = reinterpret_cast<P*>(&pack);
    auto* p = reinterpret_cast<const T*>(&one);
    for (std::size_t i = 0; i < sizeof one / sizeof(T); ++i) set_lane(q[i], k, p[i]);
  };
  for (int k = 0; k < N; ++k) {
    put(m.p, car[std::size_t(k)].m.p, k);
    put(s, car[std::size_t(k)].s, k);
  }
  const double h = 2e-3;
  for (int i = 0; i < few(500, 50); ++i) {
    Inputs<P> u0, u1;
    for (int k = 0; k < N; ++k) {
      const Inputs<T> a = lane_inputs<T>(k, i * h), b = lane_inputs<T>(k, (i + 1) * h);
      put(u0, a, k);
      put(u1, b, k);
      car[std::size_t(k)].step(a, b, h);
    }
    integrate(method, m, s, u0, u1, P(T(h)));
    for (int k = 0; k < N; ++k) {
      State<T, Lv> back;
      auto* q = reinterpret_cast<T*>(&back);
      auto* p = reinterpret_cast<const P*>(&s);
      for (std::size_t j = 0; j < sizeof back / sizeof(T); ++j) q[j] = lane(p[j], k);
      ASSERT_TRUE(same_bits(back, car[std::size_t(k)].s))
          << what << " " << name(law) << " " << name(method) << " L" << 1 + int(Lv) << " lane " << k << " step " << i;
    }
  }
}
}  // namespace

// A lane of a batch is the single car, to the bit, though its neighbours differ.
TEST(Vehicle, ScalarAndLanesSameBits) {
  if (contracts()) GTEST_SKIP() << "built with contraction";
  for (Law law : kLaws)
    for (Integrator method : kMethods) {
      expect_lanes<double, 4, Level::L2>(law, method, "double x 4");
      expect_lanes<double, 4, Level::L1>(law, method, "double x 4");
      expect_lanes<float, 8, Level::L2>(law, method, "float x 8");
      expect_lanes<float, 8, Level::L1>(law, method, "float x 8");
    }
}

// --------------------------------------------------------------------------------------------- energy

// Coasting without rolling resistance: 1/v = 1/v0 + c t/m_e, and the energy balance says the same in joules.
TEST(Vehicle, CoastDownLosesExactlyWhatDragTakes) {
  VehicleSpec spec = standard_car();
  spec.chassis.aero_drag_coeff = 0.35;
  const double c = 0.5 * 1.225 * 0.35 * spec.chassis.frontal_area, m_e = 1500 + 4 * 1.2 / (0.32 * 0.32);
  for (Level level : {Level::L1, Level::L2}) {
    Car s(spec, {}, level, Integrator::rk4, {0, 0, 0.4, 40});
    Commands coast;
    coast.gear = 0;
    double drag = 0;
    for (int i = 0; i < 20000; ++i) {
      const double before = s.vx();
      ASSERT_TRUE(s.step(coast, 1e-3));
      drag += 1e-3 * c * 0.5 * (std::pow(before, 3) + std::pow(s.vx(), 3));
    }
    const double exact = 1 / (1 / 40.0 + c * 20 / m_e);
    const EnergyBalance b = s.energy();
    measured("coast-down, v - closed form [m/s]", s.vx() - exact, 2e-5 * 40);
    // the wheels run slower than the car by the slip that decelerates them, 1e-5
    EXPECT_NEAR(s.vx(), exact, 2e-5 * 40);
    EXPECT_NEAR(b.drag, drag, 1e-8 * drag);  // trapezoid: h^2/12 of the third derivative
    EXPECT_NEAR(b.kinetic0 - b.kinetic, b.drag + b.contact, 1e-9 * b.kinetic0);
    EXPECT_GE(b.slip(), 0);
    EXPECT_LE(b.slip(), 1e-5 * b.drag);
  }
}

// Every joule is accounted for: the change of kinetic energy in a step is the work of that step, to 1e-9 of the energy.
TEST(Vehicle, EnergyBalanceClosesTo1em9) {
  RoadSpec hill;
  hill.grade = 0.06;
  hill.bank = 0.03;
  for (Level level : {Level::L1, Level::L2})
    for (Law law : {Law::rolling, Law::fallback})
      // the fallback's wheel spin has a pole at K R^2/(I v): 1100 1/s at 5 m/s, which 1 ms does not resolve
      for (double v : {20.0, law == Law::fallback ? 8.0 : 5.0}) {
        Car s(full_car(law), hill, level, Integrator::rk4, {0, 0, 0.3, v});
        const double E0 = s.energy().kinetic, h = 1e-3;
        const auto at = [&](double t) {
          Commands c;
          c.steer = 0.06 * std::sin(2 * t);
          if (t < 0.8)
            c.throttle = 0.4 * sq(std::sin(kPi * t / 0.8));
          else
            c.brake = 0.25 * sq(std::sin(kPi * (t - 0.8) / 0.8));
          return c;
        };
        double worst = 0, last = s.energy().residual();
        for (int i = 0; i < 1600; ++i) {
          ASSERT_TRUE(s.step(at(i * h), at((i + 1) * h), h));
          const double now = s.energy().residual();
          worst = std::fmax(worst, std::fabs(now - last) / E0);
          last = now;
        }
        const EnergyBalance b = s.energy();
        const std::string what =
            std::string(level == Level::L1 ? "L1 " : "L2 ") + name(law) + " " + std::to_string(v) + " m/s";
        measured("energy balance, worst step / E0, " + what, worst, 1e-9);
        EXPECT_LE(worst, 1e-9) << what;
        EXPECT_GT(b.drive, 1000);
        EXPECT_GT(b.brake, 1000);
        EXPECT_GT(b.slip(), 0);
      }
}

// Random drives from rest to 70 m/s, spinning, backward, on ice, with lifting wheels: numbers stay finite, and without drive
// no step adds energy beyond 1e-9 of what there was.
TEST(Vehicle, SweepNoNanNoEnergyGain) {
  Rng rnd(11);
  double worst = 0;
  for (int k = 0; k < few(200, 10); ++k) {
    VehicleSpec spec = full_car();
    spec.chassis.cg_height = rnd(0, 1) < 0.3 ? rnd(0.8, 1.5) : rnd(0, 0.7);  // the tall ones lift wheels
    spec.chassis.aero_lift_rear = rnd(0, 1) < 0.1 ? -2 : 0.1;                // and some take off
    spec.drivetrain.differential = Differential(k % 3);
    RoadSpec road;
    road.mu = rnd.log(0.05, 1.6);
    const double v = k % 5 == 0 ? 0 : rnd.sign() * rnd(0, 70);
    CarRig<> car(spec, road, k % 5 == 1 ? 0 : v);
    if (k % 5 == 1) car.s.vx = v;                           // wheels locked at speed
    if (k % 5 == 2) car.s.vy = rnd(-30, 30), car.s.vx = 0;  // sideways
    if (k % 5 >= 2) car.s.r = rnd(-4, 4);
    const double h = rnd.log(2e-4, 5e-3);
    Inputs<double> u{rnd(-0.5, 0.5), 0, k % 2 ? rnd(0, 1) : 0, k % 7 == 0 ? 1.0 : 0.0, double(k % 3) - 1};
    const bool in_gear = u.gear != 0;
    const auto total = [&] {
      const Energy e = energy_of(car.m, car.s, in_gear);
      return e.kinetic + e.stored;
    };
    const double E0 = total() + 1;
    double last = total();
    for (int i = 0, n = int(2 / h); i < n; ++i) {
      car.step(u, h);
      ASSERT_TRUE(finite(car.s)) << "case " << k << " step " << i;
      const double now = total();
      if ((now - last) / E0 > 1e-9 && (now - last) / E0 > worst)
        ADD_FAILURE() << "case " << k << " step " << i << " h " << h << " gain " << (now - last) / E0 << " mu "
                      << road.mu << " v " << car.s.vx << " " << car.s.vy << " " << car.s.r << " height "
                      << spec.chassis.cg_height << " brake " << u.brake << " steer " << u.steer;
      worst = std::fmax(worst, (now - last) / E0);
      last = now;
    }
  }
  measured("sweep, largest energy gain in a step / E0", worst, 1e-9);
}

// Without brake or rolling resistance nothing stops a wheel as it passes through zero: a car that rolls up a grade and back
// keeps its energy. The bristles lose next to nothing at this slip; 1e-6 of E0.
TEST(Vehicle, FreeCarRollsBackThroughZero) {
  RoadSpec road;
  road.grade = 0.1;
  const double a = kGravity * 0.1 / std::sqrt(1.01) * 1500 / (1500 + 4 * 1.2 / (0.32 * 0.32));
  for (double h : {1e-3, 5e-3}) {
    CarRig<> car(standard_car(), road, 1);
    for (int i = 0, n = int(std::lround(2 / h)); i < n; ++i) car.step({0, 0, 0, 0, 0}, h);
    measured("rolling back, v - closed form [m/s], h " + std::to_string(h), car.s.vx - (1 - a * 2), 1e-4);
    // slip of the free wheels: I a/R^2 / K = 1e-4 of the speed
    EXPECT_NEAR(car.s.vx, 1 - a * 2, 2e-4) << h;
  }
  const auto v = [&](double h) {
    CarRig<> car(standard_car(), road, 1);
    for (int i = 0, n = int(std::lround(2 / h)); i < n; ++i) car.step({0, 0, 0, 0, 0}, h);
    return car.s.vx;
  };
  const double coarse = v(5e-3), fine = v(1e-4);
  measured("rolling back, 5 ms - 0.1 ms [m/s]", coarse - fine, 1e-5);
  EXPECT_NEAR(coarse, fine, 1e-5);  // the tolerance of the launch: the law has its kinks at zero speed
}

// ---------------------------------------------------------------------------------------- convergence

namespace {
// All channels of a run at eight instants: body, loads, spins, bristles, twist. Commands run linearly in time, so every step
// size sees the same ones. The run begins in motion, from a state made at a fine step: at zero slip the sliding speed |v| has
// its cone tip, where no method has an order.
template <Level Lv> std::vector<std::vector<double>> channels(const VehicleSpec& spec, double v, int steps) {
  CarRig<double, Lv> car(spec, {}, v);
  const auto at = [](double t) { return Inputs<double>{0.15 * t, 0.1 + 0.6 * t, 0, 0, 1}; };
  for (int i = 0; i < 4000; ++i) car.step(at(i * 5e-5), at((i + 1) * 5e-5), 5e-5);
  const double h = 0.4 / steps;
  std::vector<std::vector<double>> c(12);
  for (int i = 0; i < steps; ++i) {
    car.step(at(0.2 + i * h), at(0.2 + (i + 1) * h), h);
    if ((i + 1) % (steps / 8)) continue;
    const auto o = car.out(at(0.2 + (i + 1) * h));
    const double body[] = {car.s.x, car.s.y, car.s.psi, car.s.vx, car.s.vy, car.s.r};
    for (std::size_t k = 0; k < 6; ++k) c[k].push_back(body[k]);
    for (int k = 0; k < kWheels<Lv>; ++k) {
      const WheelState<double>& w = car.s.wheel[std::size_t(k)];
      const double wheel[] = {w.w, o.wheel[k].Fz, w.zx, w.zy, w.pivot, o.wheel[k].Fy};
      for (std::size_t q = 0; q < 6; ++q) c[6 + q].push_back(wheel[q]);
    }
  }
  return c;
}
constexpr const char* kChannel[] = {"x", "y", "psi", "vx", "vy", "r", "w", "Fz", "zx", "zy", "pivot", "Fy"};

template <Level Lv> void expect_fourth_order(Law law, double v) {
  VehicleSpec spec = full_car(law);
  each_tire(spec, [](TireSpec& t) {
    t.lugre.rolling.L_psi = 0.2;
  });  // the twist unwinds at V/L_psi: 100 1/s, resolved by the steps below
  const auto exact = channels<Lv>(spec, v, 12800), a = channels<Lv>(spec, v, 1600), b = channels<Lv>(spec, v, 3200);
  for (std::size_t k = 0; k < exact.size(); ++k) {
    double ea = 0, eb = 0, size = 0;
    for (std::size_t i = 0; i < exact[k].size(); ++i) {
      ea = std::fmax(ea, std::fabs(a[k][i] - exact[k][i]));
      eb = std::fmax(eb, std::fabs(b[k][i] - exact[k][i]));
      size = std::fmax(size, std::fabs(exact[k][i]));
    }
    if (ea <= 2e-12 * size) continue;  // ten times the rounding of 12800 steps: no order left to see
    const std::string what = std::string("L") + std::to_string(1 + int(Lv)) + " " + name(law) + " " + kChannel[k] +
                             " at " + std::to_string(int(v));
    measured("order of " + what + ", error " + std::to_string(ea / size * 1e9) + "e-9", std::log2(ea / eb), 3.8);
    EXPECT_GE(std::log2(ea / eb), 3.8) << what << ", error " << ea / size;
  }
}
}  // namespace

// Observed order of every channel between 0.25 and 0.125 ms, with load transfer, air, rolling resistance and engine.
TEST(Vehicle, ConvergesAtFourthOrder) {
  for (double v : {20.0, 5.0})
    for (Law law : {Law::rolling, Law::fallback}) {
      expect_fourth_order<Level::L2>(law, v);
      expect_fourth_order<Level::L1>(law, v);
    }
}

// One-evaluation methods at 10 ms: a coasting wheel and its bristle settle, they do not excite each other. The road
// force is then rolling resistance, 58 N per wheel, and what drag adds to it as the wheels slow down with the car.
TEST(Vehicle, WheelAndBristleSettleAt10ms) {
  for (Integrator method : {Integrator::euler, Integrator::implicit, Integrator::rk4})
    for (double v : {2.0, 5.0, 20.0, 40.0}) {
      CarRig<> car(full_car(), {}, v, method);
      const Inputs<double> coast{0, 0, 0, 0, 0};
      double least = 1e9, most = -1e9;
      for (int i = 0; i < 300; ++i) {
        car.step(coast, 1e-2);
        if (i < 200) continue;
        const double Fx = car.out(coast).wheel[0].Fx;
        least = std::fmin(least, Fx);
        most = std::fmax(most, Fx);
      }
      measured(std::string("coasting at 10 ms, swing of Fx [N], ") + name(method) + " at " + std::to_string(int(v)),
               most - least, 1);
      EXPECT_LT(most - least, 1) << name(method) << " at " << v;
    }
}

// Linearly implicit Euler at 5 ms against RK4 at 0.1 ms: within 1 % of the largest value. The yaw rate within 0.3 %, as the
// side force is second order; with the side speed of the start it would be 0.7 %.
TEST(Vehicle, ImplicitWithinOnePercentAt5ms) {
  struct Trace {
    std::vector<double> r, ay, vx;
  };
  const auto trace = [](bool steer, Integrator method, double h) {
    VehicleSpec spec = full_car();
    Car s(spec, {}, Level::L2, method, {0, 0, 0, steer ? 20.0 : 0.0});
    Trace t;
    const int every = int(std::lround(0.05 / h)), n = int(std::lround(4 / h));
    for (int i = 0; i < n; ++i) {
      Commands c;
      const double now = i * h + 1e-9;
      if (steer)
        c.steer = now < 0.5 ? 0 : 0.04;
      else if (now < 2)
        c.throttle = 0.7;
      else
        c.brake = 0.5;
      EXPECT_TRUE(s.step(c, h));
      if ((i + 1) % every) continue;
      const CarOutputs q = s.outputs(c);
      t.r.push_back(q.r);
      t.ay.push_back(q.ay);
      t.vx.push_back(q.vx);
    }
    return t;
  };
  for (bool steer : {true, false}) {
    const Trace a = trace(steer, Integrator::implicit, 5e-3), b = trace(steer, Integrator::rk4, 1e-4);
    const auto compare = [&](const char* what, const std::vector<double>& x, const std::vector<double>& y,
                             double tolerance) {
      double e = 0, size = 0, when = 0;
      for (std::size_t i = 0; i < x.size(); ++i) {
        if (std::fabs(x[i] - y[i]) > e) when = 0.05 * double(i + 1);
        e = std::fmax(e, std::fabs(x[i] - y[i]));
        size = std::fmax(size, std::fabs(y[i]));
      }
      if (size < 1e-9) return;
      measured(std::string("implicit 5 ms, ") + (steer ? "step steer, " : "launch and brake, ") + what + ", worst at " +
                   std::to_string(when),
               e / size, tolerance);
      EXPECT_LE(e / size, tolerance) << what << (steer ? " step steer" : " launch and brake") << " at " << when;
    };
    compare("yaw rate", a.r, b.r, 0.003);
    compare("a_y", a.ay, b.ay, 0.01);
    compare("vx", a.vx, b.vx, 0.01);
  }
}

// With no height, no Ackermann and no track the four-wheel car is the bicycle. Track 1 mm leaves (y/L)^2 = 1e-7 per second.
TEST(Vehicle, LevelsAgree) {
  VehicleSpec spec = full_car();
  spec.chassis.cg_height = 0;
  spec.chassis.mass_sprung = spec.chassis.mass;
  spec.chassis.roll_center_front = spec.chassis.roll_center_rear = 0;
  spec.chassis.track_front = spec.chassis.track_rear = 1e-3;
  spec.steering.ackerman_percent = 0;
  CarRig<double, Level::L2> l2(spec, {}, 18);
  CarRig<double, Level::L1> l1(spec, {}, 18);
  const double h = 1e-3;
  double worst = 0;
  for (int i = 0; i < 3000; ++i) {
    // the bicycle starts every step where the car is
    l1.s.x = l2.s.x, l1.s.y = l2.s.y, l1.s.psi = l2.s.psi, l1.s.vx = l2.s.vx, l1.s.vy = l2.s.vy, l1.s.r = l2.s.r;
    const auto centre = [&](int a, auto q) {
      return 0.5 * (l2.s.wheel[std::size_t(2 * a)].*q + l2.s.wheel[std::size_t(2 * a + 1)].*q);
    };
    using W = WheelState<double>;
    for (int a = 0; a < 2; ++a)
      for (auto q : {&W::w, &W::zx, &W::zy, &W::roll, &W::pivot}) l1.s.wheel[std::size_t(a)].*q = centre(a, q);
    Inputs<double> u0 = drive(i * h), u1 = drive((i + 1) * h);
    u0.handbrake = u1.handbrake = 0;
    l1.step(u0, u1, h);
    l2.step(u0, u1, h);
    for (double e :
         {l1.s.x - l2.s.x, l1.s.y - l2.s.y, l1.s.psi - l2.s.psi, l1.s.vx - l2.s.vx, l1.s.vy - l2.s.vy, l1.s.r - l2.s.r})
      worst = std::fmax(worst, std::fabs(e));
    for (int a = 0; a < 2; ++a)
      worst = std::fmax(worst, std::fabs(l1.s.wheel[std::size_t(a)].w - centre(a, &W::w)) * 0.32);
  }
  measured("L1 - L2 per step", worst, 1e-9);
  EXPECT_LE(worst, 1e-9);
}

// ---------------------------------------------------------------------------------------------- loads

// Loads carry the weight and balance the moments of the contact forces, as long as the tires can push; they never pull.
TEST(Vehicle, LoadSumAndMomentsHold) {
  const VehicleSpec spec = full_car();
  const ChassisSpec& c = spec.chassis;
  const Model<double, Level::L2> m = compile<Level::L2>(spec, {});
  Rng rnd(12);
  int lifted = 0, axle_lifted = 0;
  for (int i = 0; i < 100000; ++i) {
    const double ax = rnd(-1, 1) < 0 ? rnd(-30, 30) : rnd(-10, 10), ay = rnd(0, 1) < 0.5 ? rnd(-25, 25) : rnd(-8, 8),
                 gn = rnd(5, 9.81), lf = rnd(0, 2000), lr = rnd(0, 2000);
    const AxleLoads<double> N = axle_loads(m.p.load, gn, lf, lr, ax);
    double Fz[4];
    wheel_loads(m.p.load, N, ay, Fz);
    const double all = c.mass * gn + lf + lr, tol = 1e-12 * (all + c.mass * 30);
    ASSERT_NEAR(Fz[0] + Fz[1] + Fz[2] + Fz[3], all, tol);
    for (double F : Fz) ASSERT_GE(F, -tol);
    // pitch: moment of the loads about the CG = m ax h and the lift, unless an axle is in the air
    const double pitch = c.cg_to_rear * (Fz[2] + Fz[3]) - c.cg_to_front * (Fz[0] + Fz[1]),
                 want = c.mass * ax * c.cg_height + c.cg_to_rear * lr - c.cg_to_front * lf;
    const double front = Fz[0] + Fz[1], rear = Fz[2] + Fz[3];
    if (front > tol && rear > tol)
      ASSERT_NEAR(pitch, want, 4 * tol);
    else {
      ++axle_lifted;
      ASSERT_GE(std::fabs(want), std::fabs(pitch) - 4 * tol);  // the loads do all they can
    }
    // roll: the other axle takes over what a lifted wheel cannot, until both inner wheels are up
    const double roll = (Fz[1] - Fz[0]) * c.track_front / 2 + (Fz[3] - Fz[2]) * c.track_rear / 2,
                 turn = c.mass * c.cg_height * ay;
    const double most = front * c.track_front / 2 + rear * c.track_rear / 2;
    ASSERT_NEAR(roll, std::fmax(-most, std::fmin(most, turn)), 4 * tol);
    if (std::fabs(turn) < most && (Fz[0] < tol || Fz[1] < tol || Fz[2] < tol || Fz[3] < tol)) ++lifted;
  }
  EXPECT_GT(lifted, 1000);  // the hard cases were there
  EXPECT_GT(axle_lifted, 1000);
}

// The same in motion: the loads of a car on a hill at speed carry m g cos and the lift, and balance what the tires do.
TEST(Vehicle, LoadsInMotionBalanceTheTires) {
  const VehicleSpec spec = full_car();
  const ChassisSpec& c = spec.chassis;
  RoadSpec road;
  road.grade = 0.1;
  road.bank = 0.05;
  const double gn = kGravity / std::sqrt(1 + 0.01 + 0.0025), h = 1e-3;
  for (Law law : kLaws) {
    CarRig<> car(full_car(law), road, 25);
    for (int i = 0; i < 1000; ++i) {
      car.step(drive(i * h), drive((i + 1) * h), h);
      if (i % 10) continue;
      const auto u = drive((i + 1) * h);
      const auto o = car.out(u);
      const auto g = make_stage(car.m, u, 0.0);
      double all = 0, fx = 0, fy = 0, pitch = 0, roll = 0;
      for (int k = 0; k < 4; ++k) {
        const auto& w = o.wheel[k];
        all += w.Fz;
        fx += g.angle[k].c * w.Fx - g.angle[k].s * w.Fy;
        fy += g.angle[k].s * w.Fx + g.angle[k].c * w.Fy;
        pitch -= w.Fz * car.m.p.wheel[k].x;
        roll -= w.Fz * car.m.p.wheel[k].y;
      }
      const double q = 0.5 * 1.225 * c.frontal_area * car.s.vx * car.s.vx, lf = q * c.aero_lift_front,
                   lr = q * c.aero_lift_rear;
      ASSERT_NEAR(all, c.mass * gn + lf + lr, 1e-8);
      // load transfer is solved to rounding: 4096 eps g m h = 7e-9 N m, and a hundredfold margin
      ASSERT_NEAR(pitch, fx * c.cg_height + c.cg_to_rear * lr - c.cg_to_front * lf, 1e-6) << name(law) << i;
      ASSERT_NEAR(roll, fy * c.cg_height, 1e-6) << name(law) << i;
    }
  }
}

// -------------------------------------------------------------------------------- differentials, brakes

namespace {
// Launch on split friction: ice under the left wheels.
VehicleSpec split_car(Differential d, double torque, double preload = 0.1) {
  VehicleSpec s = standard_car();
  s.drivetrain.differential = d;
  s.drivetrain.max_motor_torque = torque;
  s.drivetrain.final_drive_ratio = 1;
  s.drivetrain.lsd_preload = preload;
  s.drivetrain.lsd_ramp = 0.2;
  s.chassis.inertia_diag[2] = 1e9;  // it drives straight
  return s;
}
RoadSpec split_road() {
  RoadSpec r;
  r.split_mu = {0.05, 1.0, 0, 0.1};
  return r;
}
}  // namespace

TEST(Vehicle, LockedDifferentialTurnsAsOne) {
  for (Integrator method : kMethods) {
    CarRig<> car(split_car(Differential::Locked, 1500), split_road(), 3, method);
    double speed_difference = 0;
    for (int i = 0; i < 2000; ++i) {
      Inputs<double> u{0.3, i < 1000 ? 1.0 : 0.0, i < 1000 ? 0.0 : 0.3, 0, 1};
      car.step(u, 1e-3);
      ASSERT_EQ(car.s.wheel[2].w, car.s.wheel[3].w) << name(method) << i;
      speed_difference = std::fmax(speed_difference, std::fabs(car.s.wheel[0].w - car.s.wheel[1].w));
    }
    EXPECT_GT(speed_difference, 0.1);  // the free front axle did turn differently
  }
}

// I (dw_l - dw_r) = -R int (F_l - F_r) dt: an open differential gives both wheels the same torque.
TEST(Vehicle, OpenDifferentialSplitsEqually) {
  CarRig<> car(split_car(Differential::Open, 600), split_road(), 1);
  const Inputs<double> u{0, 1, 0, 0, 1};
  const double h = 1e-4;
  double impulse = 0;
  const auto F = [&](int k) { return car.out(u).wheel[k].Fx; };
  double last = F(2) - F(3);
  const double w0 = car.s.wheel[2].w - car.s.wheel[3].w;
  for (int i = 0; i < 5000; ++i) {
    car.step(u, h);
    const double now = F(2) - F(3);
    impulse += 0.5 * h * (last + now);
    last = now;
  }
  const double spun = car.s.wheel[2].w - car.s.wheel[3].w - w0;
  EXPECT_GT(spun, 50);                                          // the wheel on ice spins up
  EXPECT_NEAR(1.2 * spun, -0.32 * impulse, 1e-4 * 1.2 * spun);  // trapezoid over the first contact
  // and the one on asphalt, rolling, gets its half of the torque: R F = T/2 - I a/R
  const double a = car.out(u).body_ax;
  EXPECT_NEAR(0.32 * F(3), 0.5 * 600 - 1.2 * a / 0.32, 0.01 * 300);
}

// LSD on split friction: below its capacity both wheels turn as one; above it, it carries exactly its capacity across.
TEST(Vehicle, LsdHoldsUpToItsCapacity) {
  for (Integrator method : kMethods) {
    // as one, both wheels have the same slip and the ice carries 0.05 of the other's force: 0.45 T must go across
    CarRig<> mild(split_car(Differential::LSD, 200, 0.3), split_road(), 1, method);  // holds 0.3 T_max + 0.2 T >= 0.5 T
    for (int i = 0; i < 2000; ++i) {
      // the throttle opens in half a second, so that the bristles do not swing beyond what the clutch holds
      mild.step({0, std::fmin(1, i * 2e-3), 0, 0, 1}, {0, std::fmin(1, (i + 1) * 2e-3), 0, 0, 1}, 1e-3);
      ASSERT_NEAR(mild.s.wheel[2].w, mild.s.wheel[3].w, 1e-9) << name(method) << i;
    }
    EXPECT_GT(mild.s.vx, 1.2);
    // capacity 0.1 T + 0.2 T = 180 N m, and the ice spins up
    CarRig<> strong(split_car(Differential::LSD, 600), split_road(), 1, method);
    const Inputs<double> u{0, 1, 0, 0, 1};
    for (int i = 0; i < 1000; ++i) strong.step(u, 1e-3);
    ASSERT_GT(strong.s.wheel[2].w, strong.s.wheel[3].w + 10) << name(method);
    // I w' = T/2 - R F -+ c on each side
    const double w2 = strong.s.wheel[2].w, w3 = strong.s.wheel[3].w, F2 = strong.out(u).wheel[2].Fx,
                 F3 = strong.out(u).wheel[3].Fx;
    strong.step(u, 1e-3);
    const double G2 = strong.out(u).wheel[2].Fx, G3 = strong.out(u).wheel[3].Fx;
    const double c2 = 300 - 0.32 * 0.5 * (F2 + G2) - 1.2 * (strong.s.wheel[2].w - w2) / 1e-3,
                 c3 = -(300 - 0.32 * 0.5 * (F3 + G3) - 1.2 * (strong.s.wheel[3].w - w3) / 1e-3);
    EXPECT_NEAR(c2, 180, 0.5) << name(method);
    EXPECT_NEAR(c3, 180, 0.5) << name(method);
  }
}

// A brake brings a wheel to rest and holds it; only a road that overpowers it takes a wheel from forward to backward.
TEST(Vehicle, BrakeNeverTurnsTheWheelRound) {
  Rng rnd(13);
  for (int k = 0; k < 120; ++k) {
    const Integrator method = kMethods[k % 3];
    const Law law = kLaws[(k / 3) % 3];
    RoadSpec road;
    road.mu = rnd.log(0.1, 1.2);
    road.grade = rnd(-0.1, 0.1);
    CarRig<> car(full_car(law), road, rnd.sign() * rnd(0.5, 20), method);
    const double largest = law == Law::fallback          ? 1e-3
                           : method == Integrator::euler ? 2e-3
                                                         : 1e-2;  // its stiff slip needs 1 ms near rest
    const double h = rnd.log(5e-4, largest);
    const Inputs<double> u{rnd(-0.3, 0.3), 0, rnd(0.3, 1), rnd(0, 1) < 0.5 ? 0 : 1.0, 0};
    std::array<double, 4> last{};
    bool rested = false;
    for (int i = 0, n = int(10 / h); i < n && !(rested && i * h > 4); ++i) {  // a light pedal at 20 m/s needs its time
      for (std::size_t q = 0; q < 4; ++q) last[q] = car.s.wheel[q].w;
      car.step(u, h);
      for (std::size_t q = 0; q < 4; ++q) {
        if (last[q] * car.s.wheel[q].w < 0) {
          const AxleParams<double>& axle = car.m.p.axle[q / 2];
          ASSERT_GE(0.32 * std::fabs(car.out(u).wheel[q].Fx), u.brake * axle.brake + u.handbrake * axle.handbrake)
              << name(method) << " " << name(law) << " wheel " << q << " step " << i << " h " << h << " w " << last[q]
              << " -> " << car.s.wheel[q].w << " mu " << road.mu << " vx " << car.s.vx;
        }
        rested = rested || car.s.wheel[q].w == 0;
      }
    }
    EXPECT_TRUE(rested) << name(method) << " " << name(law) << " mu " << road.mu;
  }
}

// -------------------------------------------------------------------------------------------- memory

// A step allocates nothing.
TEST(Vehicle, NoHeapPerStep) {
  for (Level level : {Level::L1, Level::L2})
    for (Integrator method : kMethods)
      for (Law law : kLaws) {
        Car s(full_car(law), {}, level, method, {0, 0, 0, 10});
        bool ok = s.step(commands(0), commands(1e-3), 1e-3);  // the first asks whether the step is short enough
        const long before = g_allocations;
        for (int i = 1; i < 100; ++i) ok = s.step(commands(i * 1e-3), commands((i + 1) * 1e-3), 1e-3) && ok;
        const long after = g_allocations;
        EXPECT_EQ(after, before);
        EXPECT_TRUE(ok);
      }
  const long before = g_allocations;
  ::operator delete(::operator new(1));
  EXPECT_EQ(g_allocations - before, 1);  // the counter counts
}
