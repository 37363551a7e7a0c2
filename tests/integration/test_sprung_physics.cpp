// SPDX-License-Identifier: Apache-2.0
// Cars on springs (L3, L5) against closed forms: modes, statics, flight, loop, uneven roads.
// The reference is a small linear model of its own, written from the geometry and the spec with libm.
#include <gtest/gtest.h>

#include <algorithm>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "tests/integration/cars.hpp"
#include "vdsim/engine/car.hpp"

using namespace cars;

namespace {

using Complex = std::complex<double>;
using Vec = std::array<double, 3>;

constexpr Level kBoth[] = {Level::L3, Level::L5};
const char* title(Level l) { return l == Level::L1 ? "L1" : l == Level::L2 ? "L2" : l == Level::L3 ? "L3" : "L5"; }
// [-] no force along the road: friction of 1e-9, dry at any slip, is seen by modes of 1e-6 m
constexpr double kSlippery = 1e-15;

void print(const char* what, const std::string& who, double value) {
  if (std::getenv("VDSIM_RESIDUALS")) std::printf("    %-34s %-30s %11.3e\n", what, who.c_str(), value);
}
double off(double value, double expected) { return value / expected - 1; }

// The sedan without air and rolling resistance: nothing but springs, dampers and weight.
VehicleSpec plain_sedan() { return without_losses(sedan(Law::mf_only)); }
VehicleSpec weak_dampers(VehicleSpec s) {
  s.chassis.damper_coefficient = {700, 700, 600, 600};
  return s;
}
VehicleSpec even_sedan() {  // front and rear alike: heave and pitch are apart
  VehicleSpec s = weak_dampers(plain_sedan());
  s.chassis.cg_to_front = s.chassis.cg_to_rear = 1.35;
  s.chassis.damper_coefficient = {800, 800, 800, 800};
  return s;
}
VehicleSpec linked_sedan() {  // bars, roll centres, wheels that lean, unlike axles
  VehicleSpec s = weak_dampers(plain_sedan());
  ChassisSpec& c = s.chassis;
  c.spring_stiffness = {34000, 34000, 27000, 27000};
  c.unsprung_mass = {44, 44, 36, 36};
  c.track_front = 1.58;
  c.arb_front = 18000, c.arb_rear = 7000;
  c.roll_center_front = 0.06, c.roll_center_rear = 0.12;
  c.camber_per_roll = 0.7, c.camber_per_travel = -0.3;
  return s;
}

// ---------------------------------------------------------------------------------------- the reference model

// Wheels on struts, small motion about rest: coordinates x, y, z, roll, pitch, yaw, four travels.
constexpr std::size_t kAll = 10, kFree = 7;  // kFree: z, roll, pitch, travels; nothing pulls at x, y, yaw
template <class T, std::size_t N> using Matrix = std::array<std::array<T, N>, N>;

struct Reference {
  ChassisSpec c;
  double m, h, ms, kt, R0, in0[4], load[4], tilt[4],
      tilt_other[4];  // inclination per travel of a wheel, of the other one
  Vec hub[4], body, Js;
  explicit Reference(const VehicleSpec& s) : c(s.chassis) {
    m = ms = c.mass, h = c.cg_height;
    kt = s.tire_fl.tire_vertical_stiffness;
    R0 = c.wheel_radius_nominal;
    body = {0, 0, 0};
    double yaw = c.inertia_diag[2];
    for (int i = 0; i < 4; ++i) {
      const double mu = c.unsprung_mass[std::size_t(i)], T = track(i);
      load[i] = static_load(s, i < 2);
      in0[i] = load[i] / kt;
      hub[i] = {i < 2 ? c.cg_to_front : -c.cg_to_rear, side(i) * T / 2, R0 - in0[i] - h};
      tilt_other[i] = -side(i) * (1 - c.camber_per_roll) / T;
      tilt[i] = -tilt_other[i] - side(i) * c.camber_per_travel;
      ms -= mu;
      for (std::size_t k = 0; k < 3; ++k) body[k] -= mu * hub[i][k];
      yaw -= mu * (hub[i][0] * hub[i][0] + hub[i][1] * hub[i][1]);
    }
    for (double& b : body) b /= ms;
    Js = {c.inertia_diag[0], c.inertia_diag[1], yaw - ms * body[0] * body[0]};
  }
  static double side(int i) { return i % 2 == 0 ? 1 : -1; }
  double track(int i) const { return i < 2 ? c.track_front : c.track_rear; }
  double rc(int i) const { return i < 2 ? c.roll_center_front : c.roll_center_rear; }
  double unsprung(int i) const { return c.unsprung_mass[std::size_t(i)]; }

  using Point = std::array<double, kAll>;
  static Vec turned(const Point& q, const Vec& r) {  // roll, then pitch, then yaw
    const double a = q[3], b = q[4], y = q[5];
    const Vec u{r[0], r[1] * std::cos(a) - r[2] * std::sin(a), r[1] * std::sin(a) + r[2] * std::cos(a)};
    const Vec v{u[0] * std::cos(b) + u[2] * std::sin(b), u[1], u[2] * std::cos(b) - u[0] * std::sin(b)};
    return {v[0] * std::cos(y) - v[1] * std::sin(y), v[0] * std::sin(y) + v[1] * std::cos(y), v[2]};
  }
  // Inclination of a wheel against the body; its axis.
  double leans(const Point& q, int i) const {
    return tilt[i] * q[std::size_t(6 + i)] + tilt_other[i] * q[std::size_t(6 + (i ^ 1))];
  }
  Vec axis(const Point& q, int i) const { return {0, std::cos(leans(q, i)), std::sin(leans(q, i))}; }
  // Mass i (4: the body) in body axes: the contact goes out by the roll centre, the hub leans in over it, on an arc.
  Vec in_body(const Point& q, int i) const {
    if (i == 4) return body;
    const double s = q[std::size_t(6 + i)], R = R0 - in0[i], a = leans(q, i);
    return {hub[i][0], hub[i][1] + side(i) * rc(i) / (track(i) / 2) * s - R * a, hub[i][2] + s - 0.5 * R * a * a};
  }
  Vec place(const Point& q, int i) const {
    const Vec r = turned(q, in_body(q, i));
    return {q[0] + r[0], q[1] + r[1], q[2] + r[2]};
  }
  // How far a thin disc is pressed into a level road.
  double pressed(const Point& q, int i) const {
    const double up = turned(q, axis(q, i))[2];
    return R0 * std::sqrt(1 - up * up) - (place(q, i)[2] + h);
  }
  double contact_y(const Point& q, int i) const {  // where the wheel's carrier touches the road
    const Vec u = turned(q, axis(q, i));
    return place(q, i)[1] + (R0 - in0[i]) * u[2] * u[1] / std::sqrt(1 - u[2] * u[2]);
  }
  double potential(const Point& q, double gn = g) const {
    double V = ms * gn * (place(q, 4)[2] - body[2]);
    for (int i = 0; i < 4; ++i) {
      const double s = q[std::size_t(6 + i)], o = q[std::size_t(6 + (i ^ 1))], in = pressed(q, i) - in0[i];
      const double bar = (i < 2 ? c.arb_front : c.arb_rear) / (track(i) * track(i));
      V += unsprung(i) * gn * (place(q, i)[2] - hub[i][2]) + load[i] * in + 0.5 * kt * in * in +
           (load[i] - unsprung(i) * g) * s + 0.5 * c.spring_stiffness[std::size_t(i)] * s * s +
           0.25 * bar * (s - o) * (s - o);
    }
    return V;
  }
};

// Gaussian elimination with pivoting.
template <class T, std::size_t N> std::array<T, N> solve(Matrix<T, N> a, std::array<T, N> b) {
  for (std::size_t j = 0; j < N; ++j) {
    std::size_t best = j;
    for (std::size_t i = j; i < N; ++i)
      if (std::abs(a[i][j]) > std::abs(a[best][j])) best = i;
    std::swap(a[j], a[best]), std::swap(b[j], b[best]);
    for (std::size_t i = j + 1; i < N; ++i) {
      const T f = a[i][j] / a[j][j];
      for (std::size_t k = j; k < N; ++k) a[i][k] -= f * a[j][k];
      b[i] -= f * b[j];
    }
  }
  for (std::size_t j = N; j-- > 0;) {
    for (std::size_t k = j + 1; k < N; ++k) b[j] -= a[j][k] * b[k];
    b[j] /= a[j][j];
  }
  return b;
}
template <class T, std::size_t N> std::array<T, N> times(const Matrix<double, N>& a, const std::array<T, N>& x) {
  std::array<T, N> y{};
  for (std::size_t i = 0; i < N; ++i)
    for (std::size_t j = 0; j < N; ++j) y[i] += a[i][j] * x[j];
  return y;
}
template <class T, class U, std::size_t N> auto inner(const std::array<T, N>& a, const std::array<U, N>& b) {
  decltype(a[0] * b[0]) s{};
  for (std::size_t i = 0; i < N; ++i) s += a[i] * b[i];
  return s;
}

// M q'' + C q' + K q = 0 of z, roll, pitch, travels, once the momentum along x, y and about z is taken as 0.
constexpr std::size_t kHeld[3] = {0, 1, 5}, kMoves[kFree] = {2, 3, 4, 6, 7, 8, 9};
struct Linear {
  Matrix<double, kAll> whole{};
  Matrix<double, kFree> M{}, C{}, K{};
  std::array<std::array<double, kFree>, 3> follow{};  // speeds along x, y, about z per speed of the rest
};
void add_square(Matrix<double, kAll>& a, double k, const std::array<double, kAll>& v) {
  for (std::size_t i = 0; i < kAll; ++i)
    for (std::size_t j = 0; j < kAll; ++j) a[i][j] += k * v[i] * v[j];
}
template <class F> std::array<double, kAll> gradient(F&& f) {  // of f at rest
  std::array<double, kAll> d{};
  for (std::size_t j = 0; j < kAll; ++j) {
    Reference::Point a{}, b{};
    a[j] = 1e-6, b[j] = -1e-6;
    d[j] = (f(a) - f(b)) / 2e-6;
  }
  return d;
}
// Second differences of a potential: rounding 1e-16 V/e^2 and e^2 of the next derivatives are 1e-9 of the stiffness.
double curvature(const Reference& r, std::size_t i, std::size_t j, double gn = g) {
  const double e = 1e-4;
  double sum = 0;
  for (int a : {-1, 1})
    for (int b : {-1, 1}) {
      Reference::Point q{};
      q[i] += a * e, q[j] += b * e;
      sum += a * b * r.potential(q, gn);
    }
  return sum / (4 * e * e);
}
Linear linear_of(const Reference& r) {
  Linear o;
  Matrix<double, kAll> damp{};
  for (int i = 0; i < 5; ++i)
    for (std::size_t k = 0; k < 3; ++k)
      add_square(o.whole, i < 4 ? r.unsprung(i) : r.ms, gradient([&](const auto& q) { return r.place(q, i)[k]; }));
  for (std::size_t k = 0; k < 3; ++k) o.whole[3 + k][3 + k] += r.Js[k];
  for (int i = 0; i < 4; ++i) {
    // tires: damping ratio 0.08 with their unsprung mass, which sets in over the first millimetre
    const double ct = 2 * 0.08 * std::sqrt(r.kt * r.unsprung(i)) * sq(r.in0[i]) / (sq(r.in0[i]) + 1e-6);
    add_square(damp, ct, gradient([&](const auto& q) { return r.pressed(q, i); }));
    damp[std::size_t(6 + i)][std::size_t(6 + i)] += r.c.damper_coefficient[std::size_t(i)];
  }
  Matrix<double, 3> held;
  for (std::size_t a = 0; a < 3; ++a)
    for (std::size_t b = 0; b < 3; ++b) held[a][b] = o.whole[kHeld[a]][kHeld[b]];
  for (std::size_t j = 0; j < kFree; ++j) {
    std::array<double, 3> b;
    for (std::size_t a = 0; a < 3; ++a) b[a] = -o.whole[kHeld[a]][kMoves[j]];
    b = solve<double, 3>(held, b);
    for (std::size_t a = 0; a < 3; ++a) o.follow[a][j] = b[a];
  }
  for (std::size_t i = 0; i < kFree; ++i)
    for (std::size_t j = 0; j < kFree; ++j) {
      o.K[i][j] = curvature(r, kMoves[i], kMoves[j]);
      o.C[i][j] = damp[kMoves[i]][kMoves[j]];
      o.M[i][j] = o.whole[kMoves[i]][kMoves[j]];
      for (std::size_t a = 0; a < 3; ++a) o.M[i][j] += o.whole[kMoves[i]][kHeld[a]] * o.follow[a][j];
    }
  return o;
}

// One decaying mode Re(v exp(lambda t)).
struct Mode {
  Complex lambda;
  std::array<Complex, kFree> v;
};
// Without damping: K x = w^2 M x by Jacobi rotations of L^-1 K L^-T, M = L L'.
std::array<Mode, kFree> undamped(const Linear& s) {
  Matrix<double, kFree> L{}, A = s.K, V{};
  for (std::size_t i = 0; i < kFree; ++i)
    for (std::size_t j = 0; j <= i; ++j) {
      double x = s.M[i][j];
      for (std::size_t k = 0; k < j; ++k) x -= L[i][k] * L[j][k];
      L[i][j] = i == j ? std::sqrt(x) : x / L[j][j];
    }
  for (int turn = 0; turn < 2; ++turn) {  // A <- (L^-1 A)', twice
    Matrix<double, kFree> B{};
    for (std::size_t j = 0; j < kFree; ++j)
      for (std::size_t i = 0; i < kFree; ++i) {
        double x = A[i][j];
        for (std::size_t k = 0; k < i; ++k) x -= L[i][k] * B[j][k];
        B[j][i] = x / L[i][i];
      }
    A = B;
  }
  for (std::size_t i = 0; i < kFree; ++i) V[i][i] = 1;
  for (int sweep = 0; sweep < 30; ++sweep)
    for (std::size_t p = 0; p < kFree; ++p)
      for (std::size_t q = p + 1; q < kFree; ++q) {
        const double t = 0.5 * std::atan2(2 * A[p][q], A[p][p] - A[q][q]), c = std::cos(t), d = std::sin(t);
        for (std::size_t k = 0; k < kFree; ++k) {
          const double x = A[k][p], y = A[k][q], v = V[k][p], w = V[k][q];
          A[k][p] = c * x + d * y, A[k][q] = c * y - d * x;
          V[k][p] = c * v + d * w, V[k][q] = c * w - d * v;
        }
        for (std::size_t k = 0; k < kFree; ++k) {
          const double x = A[p][k], y = A[q][k];
          A[p][k] = c * x + d * y, A[q][k] = c * y - d * x;
        }
      }
  std::array<Mode, kFree> o{};
  for (std::size_t n = 0; n < kFree; ++n) {
    std::array<double, kFree> x{};
    for (std::size_t i = kFree; i-- > 0;) {  // L' x = column n
      x[i] = V[i][n];
      for (std::size_t k = i + 1; k < kFree; ++k) x[i] -= L[k][i] * x[k];
      x[i] /= L[i][i];
    }
    for (std::size_t i = 0; i < kFree; ++i) o[n].v[i] = x[i];
    const double w = std::sqrt(A[n][n]), decay = 0.5 * inner(x, times(s.C, x));  // x' M x = 1
    o[n].lambda = {-decay, std::sqrt(std::fmax(w * w - decay * decay, 1e-3 * w * w))};
  }
  return o;
}
// With it: inverse iteration on lambda^2 M + lambda C + K.
std::array<Mode, kFree> modes_of(const Linear& s) {
  std::array<Mode, kFree> modes = undamped(s);
  for (Mode& m : modes)
    for (int round = 0; round < 40; ++round) {
      Matrix<Complex, kFree> Q;
      for (std::size_t i = 0; i < kFree; ++i)
        for (std::size_t j = 0; j < kFree; ++j) Q[i][j] = m.lambda * (m.lambda * s.M[i][j] + s.C[i][j]) + s.K[i][j];
      std::array<Complex, kFree> d = times(s.M, m.v), c = times(s.C, m.v);
      for (std::size_t i = 0; i < kFree; ++i) d[i] = 2.0 * m.lambda * d[i] + c[i];
      const std::array<Complex, kFree> w = solve<Complex, kFree>(Q, d);
      const Complex step = inner(m.v, m.v) / inner(m.v, w);
      Complex norm = std::sqrt(inner(w, w));
      for (std::size_t i = 0; i < kFree; ++i) m.v[i] = w[i] / norm;
      m.lambda -= step;
      if (std::abs(step) < 1e-13 * std::abs(m.lambda)) break;
    }
  return modes;
}

// ------------------------------------------------------------------------------------------------- free modes

using Seven = std::array<double, kFree>;
template <Level Lv> void put_motion(Car& sim, const Linear& lin, const Seven& q, const Seven& rate) {
  State<double, Lv> s = sim.motion<Lv>();
  double slide[3] = {0, 0, 0}, drift[3] = {0, 0, 0};
  for (std::size_t a = 0; a < 3; ++a)
    for (std::size_t j = 0; j < kFree; ++j) slide[a] += lin.follow[a][j] * q[j], drift[a] += lin.follow[a][j] * rate[j];
  s.x += slide[0], s.y += slide[1], s.z += q[0];
  if constexpr (Lv == Level::L3) {
    s.phi += q[1], s.theta += q[2], s.psi += slide[2];
  } else {
    s.ex += 0.5 * q[1], s.ey += 0.5 * q[2], s.ez += 0.5 * slide[2];
  }
  s.vx += drift[0], s.vy += drift[1], s.vz += rate[0];
  s.p += rate[1], s.q += rate[2], s.r += drift[2];
  for (std::size_t i = 0; i < 4; ++i) s.travel[i] += q[3 + i], s.speed[i] += rate[3 + i], s.wheel[i].w -= rate[2];
  sim.set_motion(s);
}
// Displacements and speeds now, against `from`.
template <Level Lv> void get_motion(const State<double, Lv>& s, const State<double, Lv>& from, Seven& q, Seven& rate) {
  q[0] = s.z - from.z, rate[0] = s.vz, rate[1] = s.p, rate[2] = s.q;
  if constexpr (Lv == Level::L3)
    q[1] = s.phi - from.phi, q[2] = s.theta - from.theta;
  else
    q[1] = 2 * (s.ex - from.ex), q[2] = 2 * (s.ey - from.ey);
  for (std::size_t i = 0; i < 4; ++i) q[3 + i] = s.travel[i] - from.travel[i], rate[3 + i] = s.speed[i];
}
// Share of a mode in a motion: modes are orthogonal in this product, so it goes with exp(lambda t) and nothing else.
Complex share(const Linear& s, const Mode& m, const Seven& q, const Seven& rate) {
  const auto Cv = times(s.C, m.v), Mv = times(s.M, m.v);
  return inner(Cv, q) + inner(Mv, rate) + m.lambda * inner(Mv, q);
}

template <Level Lv> Complex simulated(const VehicleSpec& spec, const Linear& lin, const Mode& m) {
  Car sim(spec, flat(kSlippery), Lv, Integrator::rk4, {});
  const State<double, Lv> rest = sim.motion<Lv>();
  const double size = 1e-6;
  Seven q, rate;
  for (std::size_t i = 0; i < kFree; ++i) q[i] = size * m.v[i].real(), rate[i] = size * (m.lambda * m.v[i]).real();
  put_motion<Lv>(sim, lin, q, rate);
  get_motion<Lv>(sim.motion<Lv>(), rest, q, rate);
  const Complex before = share(lin, m, q, rate);
  // as long as it takes to fall to a tenth, two periods at most; RK4 at 0.2 ms is exact to 1e-8 of the fastest mode
  const double T = std::fmin(2 * 2 * M_PI / m.lambda.imag(), -2.3 / m.lambda.real()), dt = 2e-4;
  const double run_for = dt * std::round(T / dt);
  EXPECT_TRUE(run(sim, {.gear = 0}, run_for, dt));
  get_motion<Lv>(sim.motion<Lv>(), rest, q, rate);
  Complex grown = share(lin, m, q, rate) / before;
  const double turns = std::round((m.lambda.imag() * run_for - std::arg(grown)) / (2 * M_PI));
  return Complex(std::log(std::abs(grown)), std::arg(grown) + 2 * M_PI * turns) / run_for;
}
const char* mode_name(const Mode& m) {
  if (m.lambda.imag() > 40) return "hop";
  const double z = std::abs(m.v[0]), roll = 0.8 * std::abs(m.v[1]), pitch = 1.4 * std::abs(m.v[2]);  // at the wheels
  return roll > z && roll > pitch ? "roll" : z > pitch ? "heave" : "pitch";
}

}  // namespace

// Each of the seven modes of a standing car, started alone, keeps to its frequency and its damping.
TEST(SprungModes, FrequencyAndDamping) {
  const struct {
    const char* name;
    VehicleSpec spec;
  } cars[] = {{"sedan", plain_sedan()},
              {"weak", weak_dampers(plain_sedan())},
              {"even", even_sedan()},
              {"linked", linked_sedan()}};
  for (const auto& car : cars) {
    const Reference ref(car.spec);
    const Linear lin = linear_of(ref);
    for (const Mode& m : modes_of(lin))
      for (Level level : kBoth) {
        const Complex got =
            level == Level::L3 ? simulated<Level::L3>(car.spec, lin, m) : simulated<Level::L5>(car.spec, lin, m);
        const std::string who = std::string(title(level)) + " " + car.name + " " + mode_name(m);
        print("mode [Hz]", who, m.lambda.imag() / (2 * M_PI));
        print("mode, frequency off by", who, off(got.imag(), m.lambda.imag()));
        print("mode, damping off by", who, off(got.real(), m.lambda.real()));
        const double most = level == Level::L5 ? 1e-6 : 1e-3;  // L3: a leaning wheel has the radius of the pressed tire
        EXPECT_NEAR(off(got.imag(), m.lambda.imag()), 0, most) << who;
        EXPECT_NEAR(off(got.real(), m.lambda.real()), 0, most) << who;
      }
  }
}

// Front and rear alike: heave is that of the textbook's quarter car, two masses on two springs.
//   (M x^2 + c x + k)(m x^2 + (c + d) x + k + kt) = (c x + k)^2 at every mode of it
TEST(SprungModes, HeaveIsTheQuarterCar) {
  VehicleSpec s = even_sedan();
  s.chassis.camber_per_roll = 1;  // wheels that do not tilt against the body: no other geometry
  const Reference r(s);
  const double M = r.ms / 4, m = 40, k = 30000, c = 800, kt = r.kt,
               d = 2 * 0.08 * std::sqrt(kt * m) * sq(r.in0[0]) / (sq(r.in0[0]) + 1e-6);
  const Linear lin = linear_of(r);
  int found = 0;
  for (const Mode& mode : modes_of(lin)) {
    const Complex x = mode.lambda, left = (M * x * x + c * x + k) * (m * x * x + (c + d) * x + k + kt),
                  right = (c * x + k) * (c * x + k);
    if (std::abs(left - right) > 1e-6 * std::abs(right)) continue;
    ++found;
    EXPECT_NEAR(std::abs(simulated<Level::L3>(s, lin, mode) / x - 1.0), 0, 1e-6);
    EXPECT_NEAR(std::abs(simulated<Level::L5>(s, lin, mode) / x - 1.0), 0, 1e-6);
  }
  EXPECT_EQ(found, 2);
}

// ---------------------------------------------------------------------------------------------------- statics

namespace {

// A car leans under a force per mass f to the right [m/s^2], its contacts held: weight gn, springs, tires; roll > 0.
// Wheels that turn about z with the car push, each as far as it leans when the body does (1) or the travels move
// (tilt); moments about z move lateral force from one axle to the other. Both are taken from `now`.
struct Lean {
  double phi, travel, transfer[2];  // [rad]; front, left less right, half [m]; loads, right less left, half [N]
};
Lean lean(const VehicleSpec& s, double f, double gn, const CarOutputs& now) {
  const Reference r(s);
  std::array<double, kAll> side{}, contact[2], pull = gradient([&](const auto&q) { return r.potential(q, gn); });
  for (int i = 0; i < 5; ++i) {
    const auto d = gradient([&](const auto& q) { return r.place(q, i)[1]; });
    for (std::size_t j = 0; j < kAll; ++j) side[j] += (i < 4 ? r.unsprung(i) : r.ms) * d[j];
  }
  for (int a = 0; a < 2; ++a)
    contact[a] = gradient([&](const auto& q) { return 0.5 * (r.contact_y(q, 2 * a) + r.contact_y(q, 2 * a + 1)); });
  // y and yaw follow from the contacts: contact . q = 0
  const double det = contact[0][1] * contact[1][5] - contact[0][5] * contact[1][1];
  double Mz = 0;
  for (const WheelOutputs& w : now.wheel) Mz += w.mz;
  Matrix<double, kFree> K;
  std::array<double, kFree> Q;
  for (std::size_t i = 0; i < kFree; ++i) {
    const std::size_t n = kMoves[i];
    const double y = -(contact[0][n] * contact[1][5] - contact[0][5] * contact[1][n]) / det,
                 yaw = -(contact[0][1] * contact[1][n] - contact[0][n] * contact[1][1]) / det;
    Q[i] = -pull[n] - f * (side[n] + y * side[1] + yaw * side[5]) + yaw * Mz;
    for (std::size_t j = 0; j < kFree; ++j) K[i][j] = curvature(r, n, kMoves[j], gn);
  }
  for (int i = 0; i < 4; ++i) {
    const double gyro = now.r * wheel_inertia(s) * now.wheel[i].omega;
    Q[1] += gyro, Q[std::size_t(3 + i)] += gyro * r.tilt[i], Q[std::size_t(3 + (i ^ 1))] += gyro * r.tilt_other[i];
  }
  const auto q = solve<double, kFree>(K, Q);
  Lean o{q[1], 0.5 * (q[3] - q[4]), {}};
  for (int a = 0; a < 2; ++a) {
    const std::size_t l = std::size_t(2 * a);
    o.transfer[a] = 0.5 * r.kt * ((q[l + 3] - q[l + 4]) + r.track(2 * a) * q[1]);
  }
  return o;
}
// The textbook, roll centres on the ground: each axle rolls by u on its tires, the body by phi about the ground.
//   sum Ks (phi - u) = ms hs (f + gn phi),     Ks (phi - u) + mu R (f + gn u) = Kt u
double textbook_roll(const VehicleSpec& s, double f, double gn) {
  const Reference r(s);
  const double A = r.ms * (r.h + r.body[2]);
  double stiff = 0, push = 0;
  for (int a = 0; a < 2; ++a) {
    const double T = r.track(2 * a), B = (r.unsprung(2 * a) + r.unsprung(2 * a + 1)) * (r.R0 - r.in0[2 * a]);
    const double Ks = r.c.spring_stiffness[std::size_t(2 * a)] * T * T / 2 + (a == 0 ? r.c.arb_front : r.c.arb_rear);
    const double give = Ks / (Ks + r.kt * T * T / 2 - gn * B);
    stiff += Ks * (1 - give), push += give * f * B;
  }
  return (f * A + push) / (stiff - gn * A);
}

// A car pitches under a force per mass f forward; each axle is a spring of strut and tire in series, the ground pushes
// under the hubs.
//   loads F = F_0 - K (z - x theta):  sum F = m gn,  sum F (x - (h - R) theta) = m f h + moment
struct Pitch {
  double theta, load[2];  // [rad], axle loads [N]
};
Pitch pitch(const VehicleSpec& s, double f, double gn, double moment = 0) {
  const Reference r(s);
  const double x[2] = {r.c.cg_to_front, -r.c.cg_to_rear};
  double K[2], free[2], R = 0;
  Matrix<double, 2> A{};
  std::array<double, 2> b{r.m * gn, r.m * f * r.h + moment};
  for (int a = 0; a < 2; ++a) {
    const double k = r.c.spring_stiffness[std::size_t(2 * a)];
    K[a] = 2 / (1 / k + 1 / r.kt);
    free[a] = 2 * r.load[2 * a] - K[a] * r.unsprung(2 * a) * (g - gn) / k;  // load at z = theta = 0
    R += 0.5 * (r.R0 - r.in0[2 * a]);
    b[0] -= free[a], b[1] -= x[a] * free[a];
    A[0][0] -= K[a], A[0][1] += K[a] * x[a];
    A[1][0] -= K[a] * x[a], A[1][1] += K[a] * x[a] * x[a];
  }
  A[1][1] -= (r.h - R) * r.m * gn;
  const auto q = solve<double, 2>(A, b);
  return {q[1], {free[0] - K[0] * (q[0] - x[0] * q[1]), free[1] - K[1] * (q[0] - x[1] * q[1])}};
}
VehicleSpec stiff_camber(VehicleSpec s) {  // wheels that do not tilt against the body: travel has no geometry
  s.chassis.camber_per_roll = 1;
  return s;
}

VehicleSpec soft_sedan() {  // front and rear unlike, bars, roll centres; wheels stay upright
  VehicleSpec s = without_losses(sedan());
  ChassisSpec& c = s.chassis;
  c.spring_stiffness = {32000, 32000, 28000, 28000};
  c.arb_front = 16000, c.arb_rear = 6000;
  c.roll_center_front = 0.05, c.roll_center_rear = 0.10;
  return s;
}
double transfer_of(const CarOutputs& o, int axle) { return 0.5 * (o.wheel[2 * axle + 1].fz - o.wheel[2 * axle].fz); }
double axle_load(const CarOutputs& o, int axle) { return o.wheel[2 * axle].fz + o.wheel[2 * axle + 1].fz; }

// Acceleration along the road and to the left of the heading, gravity not counted.
void level_acceleration(Level level, const CarOutputs& o, double a[2]) {
  a[0] = o.ax, a[1] = o.ay;
  if (level != Level::L5) return;
  const double* q = o.attitude;
  const double wx = q[0] * o.ax + q[1] * o.ay + q[2] * o.az, wy = q[3] * o.ax + q[4] * o.ay + q[5] * o.az;
  a[0] = wx * std::cos(o.psi) + wy * std::sin(o.psi);
  a[1] = wy * std::cos(o.psi) - wx * std::sin(o.psi);
}

}  // namespace

// 6 degrees of bank, held by the tires: springs and tires in series, the weight that leans helps. The reference is
// linear: half the square of the angles, 0.5 %, is beyond it.
TEST(SprungStatics, LeansOnABank) {
  const double b = 6 * M_PI / 180;
  for (const VehicleSpec& s : {without_losses(sedan()), soft_sedan()})
    for (Level level : kBoth) {
      Car sim(s, slope(0, std::tan(b)), level, Integrator::rk4, {});
      const CarOutputs first = sim.outputs({.gear = 0});
      ASSERT_TRUE(run(sim, {.gear = 0}, 4, 2e-3));
      const CarOutputs o = sim.outputs({.gear = 0});
      const Lean e = lean(s, g * std::sin(b), g * std::cos(b), o);
      print("bank, roll", title(level), off(o.roll, e.phi));
      print("bank, front transfer", title(level), off(transfer_of(o, 0), e.transfer[0]));
      print("bank, rear transfer", title(level), off(transfer_of(o, 1), e.transfer[1]));
      EXPECT_NEAR(off(o.roll, e.phi), 0, 0.005) << title(level);
      EXPECT_NEAR(off(transfer_of(o, 0), e.transfer[0]), 0, 0.005) << title(level);
      EXPECT_NEAR(off(transfer_of(o, 1), e.transfer[1]), 0, 0.005) << title(level);
      EXPECT_NEAR(off(first.roll, o.roll), 0, 0.005);  // where it is put is where it stays
      if (s.chassis.roll_center_front == 0) {
        print("bank, textbook", title(level), off(textbook_roll(s, g * std::sin(b), g * std::cos(b)), e.phi));
        EXPECT_NEAR(off(textbook_roll(s, g * std::sin(b), g * std::cos(b)), e.phi), 0, 0.002);
        EXPECT_GT(o.roll, 0);  // the road rises to the left, and so does the left side
      }
    }
}

// 10 % of grade, braked, uphill and downhill: pitch and axle loads.
TEST(SprungStatics, PitchesOnAGrade) {
  for (double grade : {0.1, -0.1})
    for (Level level : kBoth) {
      const VehicleSpec s = stiff_camber(without_losses(sedan()));
      const double a = std::atan(grade);
      Car sim(s, slope(grade), level, Integrator::rk4, {});
      ASSERT_TRUE(run(sim, {.brake = 1}, 4, 2e-3));
      const CarOutputs o = sim.outputs({.brake = 1});
      const Pitch e = pitch(s, -g * std::sin(a), g * std::cos(a));
      print("grade, pitch", title(level), off(o.pitch, e.theta));
      print("grade, load", title(level), axle_load(o, 0) - e.load[0]);
      EXPECT_NEAR(off(o.pitch, e.theta), 0, 0.005) << title(level);
      EXPECT_NEAR(axle_load(o, 0), e.load[0], 0.005 * std::fabs(e.load[0] - 2 * static_load(s, true))) << title(level);
      EXPECT_LT(o.pitch * grade, 0);  // nose up on the way up
    }
}

// Steady turn at 20 m/s, 1 m/s^2: roll, and the load each axle shifts. Wheels that turn with the car add their
// gyroscopic part.
TEST(SprungStatics, LeansInATurn) {
  const VehicleSpec soft = soft_sedan();
  VehicleSpec high = without_losses(sedan());  // roll centres at the height of the body's CG: its springs feel nothing
  {
    const Reference r(high);
    high.chassis.roll_center_front = high.chassis.roll_center_rear = r.h + r.body[2];
  }
  const struct {
    const char* name;
    VehicleSpec spec;
  } cars[] = {{"sedan", without_losses(sedan())}, {"bars", soft}, {"high", high}};
  for (const auto& car : cars)
    for (Level level : kBoth) {
      Car sim(car.spec, flat(), level, Integrator::rk4, {.vx0 = 20.5});
      const Commands c{.steer = 0.008, .gear = 0};
      ASSERT_TRUE(run(sim, {.steer = 0.008, .gear = 0}, 4, 1e-3));
      const CarOutputs o = sim.outputs(c);
      double a[2];
      level_acceleration(level, o, a);
      const Lean e = lean(car.spec, a[1], g, o);
      const std::string who = std::string(title(level)) + " " + car.name;
      print("turn, ay", who, a[1]);
      print("turn, roll", who, off(o.roll, e.phi));
      print("turn, front transfer", who, off(transfer_of(o, 0), e.transfer[0]));
      print("turn, rear transfer", who, off(transfer_of(o, 1), e.transfer[1]));
      const double travel = 0.5 * (o.wheel[0].travel - o.wheel[1].travel);
      print("turn, travel [m]", who, travel);
      EXPECT_NEAR(travel, e.travel, 1e-4) << who;
      if (&car == &cars[2]) {
        EXPECT_LT(std::fabs(travel), 3e-4);  // 3 % of that of the plain sedan
      }
      EXPECT_NEAR(o.roll, e.phi, 0.01 * textbook_roll(cars[0].spec, a[1], g)) << who;
      EXPECT_NEAR(off(transfer_of(o, 0), e.transfer[0]), 0, 0.01) << who;
      EXPECT_NEAR(off(transfer_of(o, 1), e.transfer[1]), 0, 0.01) << who;
    }
}

// Braking with 1 m/s^2: m d h and the slowing wheels on the wheelbase.
TEST(SprungStatics, PitchesUnderBraking) {
  const VehicleSpec s = stiff_camber(without_losses(sedan()));
  for (Level level : kBoth) {
    Car sim(s, flat(), level, Integrator::rk4, {.vx0 = 25});
    const Commands c{.brake = 0.1, .gear = 0};
    ASSERT_TRUE(run(sim, c, 2.5, 1e-3));
    const CarOutputs o = sim.outputs(c);
    double a[2];
    level_acceleration(level, o, a);
    const Pitch e = pitch(s, -a[0], g, -4 * wheel_inertia(s) * a[0] / radius(s));
    const double front = 2 * static_load(s, true);
    print("brake, ax", title(level), a[0]);
    print("brake, pitch", title(level), off(o.pitch, e.theta));
    print("brake, load", title(level), off(axle_load(o, 0) - front, e.load[0] - front));
    EXPECT_NEAR(off(o.pitch, e.theta), 0, 0.01) << title(level);
    EXPECT_NEAR(off(axle_load(o, 0) - front, e.load[0] - front), 0, 0.01) << title(level);
  }
}

// Links take their share of the load change: a strut carries what acts along its path, (anti h/(L share), 0, 1) in the
// body, share of the axle in the braking or drive. So the front's travel under braking, and the rear's under drive,
// goes to 1 - anti of it; what is left at anti = 1 is the inertia of the wheels, along the path and in spin (< 11 %).
TEST(SprungStatics, AntiDiveAndAntiSquat) {
  for (Level level : kBoth)
    for (int rear : {0, 1}) {
      double travel[3];
      for (int k = 0; k < 3; ++k) {
        VehicleSpec s = stiff_camber(without_losses(sedan()));
        s.drivetrain.engine_rotational_inertia = 0;
        (rear ? s.chassis.anti_squat_rear : s.chassis.anti_dive_front) = 0.5 * k;
        Car sim(s, flat(), level, Integrator::rk4, {.vx0 = rear ? 5.0 : 25.0});
        const Commands c = rear ? Commands{.throttle = 0.4} : Commands{.brake = 0.15, .gear = 0};
        ASSERT_TRUE(run(sim, c, 2.5, 1e-3));
        const CarOutputs o = sim.outputs(c);
        const WheelOutputs& w = o.wheel[2 * rear];
        travel[k] = w.travel;
        const double along = 0.5 * k * s.chassis.cg_height / s.chassis.wheelbase / (rear ? -1 : 0.62);
        const double force = w.fz - static_load(s, !rear) + o.pitch * w.fx + along * (w.fx - o.pitch * w.fz) +
                             along * 40 * (g * o.pitch - o.ax);  // road, weight and inertia of the wheel
        print("anti, strut law [N]", title(level), 30000 * w.travel - force);
        EXPECT_NEAR(30000 * w.travel, force, 5) << title(level) << rear;  // of 500; 4 are pitch times force
      }
      print("anti, travel at 0.5", title(level), travel[1] / travel[0]);
      print("anti, travel at 1", title(level), travel[2] / travel[0]);
      EXPECT_GT(travel[0], 0.005);
      EXPECT_NEAR(travel[1] / travel[0], 0.5, 0.055) << title(level) << rear;
      EXPECT_NEAR(travel[2] / travel[0], 0, 0.11) << title(level) << rear;
    }
}

// Wheels lean by camber_per_roll of the body's roll, and with the axle on its tires for the rest.
TEST(SprungStatics, CamberFollowsRoll) {
  for (double k : {0.0, 0.6, 1.0})
    for (Level level : kBoth) {
      VehicleSpec s = without_losses(sedan());
      s.chassis.camber_per_roll = k;
      Car sim(s, slope(0, std::tan(0.1)), level, Integrator::rk4, {});
      const CarOutputs o = sim.outputs({.brake = 1});
      for (int i = 0; i < 4; ++i) {
        const double axle = o.roll + (o.wheel[i & 2].travel - o.wheel[(i & 2) + 1].travel) / 1.55;
        EXPECT_NEAR(o.wheel[i].camber, k * o.roll + (1 - k) * axle, 0.01 * o.roll) << title(level) << k;
      }
    }
}

// Down-force presses all springs: k s until the stop begins, then k s + stop p^2/(p + 1 cm).
TEST(SprungStatics, StopsCarryWhatIsBeyondTheTravel) {
  for (double v : {20.0, 50.0})
    for (Level level : kBoth) {
      VehicleSpec s = stiff_camber(without_losses(sedan()));
      s.chassis.aero_lift_front = s.chassis.aero_lift_rear = 1.5;
      Car sim(s, flat(), level, Integrator::rk4, {.vx0 = v});
      ASSERT_TRUE(run(sim, {.gear = 0}, 3, 1e-3));
      const CarOutputs o = sim.outputs({.gear = 0});
      const double q = 0.5 * rho * s.chassis.frontal_area * o.vx * o.vx;
      for (int i = 0; i < 4; ++i) {
        const double more = o.wheel[i].fz - static_load(s, i < 2), x = o.wheel[i].travel, p = std::fmax(x - 0.08, 0);
        print("stop, force", title(level), off(30000 * x + 2e5 * p * p / (p + 0.01), more));
        EXPECT_NEAR(off(30000 * x + 2e5 * p * p / (p + 0.01), more), 0, 0.005) << title(level) << v;
      }
      EXPECT_NEAR(off(axle_load(o, 0) + axle_load(o, 1) - 1500 * g, 3 * q), 0, 0.005);
      EXPECT_EQ(o.wheel[0].travel > 0.08, v > 40);
    }
}

// Struts of a standing car set in motion, hubs at rest: s'' = -c s' (1/m + 1/M) at once, c of bump or of rebound.
TEST(SprungStatics, DampersOfBumpAndRebound) {
  VehicleSpec s = even_sedan();
  s.chassis.camber_per_roll = 1;
  s.chassis.damper_coefficient = {900, 900, 900, 900};
  s.chassis.damper_rebound_ratio = 2.5;
  const double M = (1500 - 160) / 4.0, dt = 1e-6;
  for (double v : {1.0, -1.0}) {
    Car a(s, flat(kSlippery), Level::L3, Integrator::rk4, {}), b(s, flat(kSlippery), Level::L5, Integrator::rk4, {});
    const auto set = [&](auto x) {
      x.vz = -v;
      x.speed = {v, v, v, v};
      return x;
    };
    a.set_motion(set(a.motion<Level::L3>()));
    b.set_motion(set(b.motion<Level::L5>()));
    ASSERT_TRUE(a.step({.gear = 0}, dt) && b.step({.gear = 0}, dt));
    const double turn = v / std::hypot(v, 0.05), c = 900 * (0.5 * (1 + 2.5) + 0.5 * (1 - 2.5) * turn);
    const double expected = -c * v * (1 / 40.0 + 1 / M);
    EXPECT_NEAR(off((a.motion<Level::L3>().speed[0] - v) / dt, expected), 0, 1e-3);
    EXPECT_NEAR(off((b.motion<Level::L5>().speed[0] - v) / dt, expected), 0, 1e-3);
  }
}

// ----------------------------------------------------------------------------------------------------- flight

namespace {

struct Flight {
  Vec cg, momentum;  // of the whole car, axes of the road: place [m], angular momentum about it [N m s]
};
Vec cross3(const Vec& a, const Vec& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
// Five masses and four turning wheels (steered straight ahead), from the state of L5.
Flight flight_of(const Car& sim, const VehicleSpec& spec) {
  const Reference r(spec);
  const State<double, Level::L5> s = sim.motion<Level::L5>();
  const CarOutputs o = sim.outputs({});
  const Vec w{s.p, s.q, s.r}, v{s.vx, s.vy, s.vz};
  Vec at[5], go[5], c{}, vc{}, H{};
  Reference::Point q{}, ahead{}, behind{};
  const double e = 1e-4;  // places are parabolas: differences are exact
  for (std::size_t k = 0; k < 4; ++k)
    q[6 + k] = s.travel[k], ahead[6 + k] = s.travel[k] + e * s.speed[k], behind[6 + k] = s.travel[k] - e * s.speed[k];
  for (int i = 0; i < 5; ++i) {
    const double m = i < 4 ? r.unsprung(i) : r.ms;
    const Vec a = r.in_body(ahead, i), b = r.in_body(behind, i);
    at[i] = r.in_body(q, i);
    const Vec turn = cross3(w, at[i]);
    for (std::size_t k = 0; k < 3; ++k) {
      go[i][k] = v[k] + turn[k] + (a[k] - b[k]) / (2 * e);
      c[k] += m * at[i][k] / r.m, vc[k] += m * go[i][k] / r.m;
    }
  }
  for (int i = 0; i < 5; ++i) {
    const double m = i < 4 ? r.unsprung(i) : r.ms;
    const Vec h = cross3({at[i][0] - c[0], at[i][1] - c[1], at[i][2] - c[2]},
                         {go[i][0] - vc[0], go[i][1] - vc[1], go[i][2] - vc[2]});
    for (std::size_t k = 0; k < 3; ++k) H[k] += m * h[k] + (i == 4 ? r.Js[k] * w[k] : 0);
    if (i == 4) continue;
    const Vec u = r.axis(q, i);
    const double spin = 0.5 * r.unsprung(i) * sq(r.R0) * (s.wheel[std::size_t(i)].w + u[1] * w[1] + u[2] * w[2]);
    for (std::size_t k = 0; k < 3; ++k) H[k] += spin * u[k];
  }
  Flight f;
  for (std::size_t k = 0; k < 3; ++k) {
    f.cg[k] = o.position[k], f.momentum[k] = 0;
    for (std::size_t j = 0; j < 3; ++j)
      f.cg[k] += o.attitude[3 * k + j] * c[j], f.momentum[k] += o.attitude[3 * k + j] * H[j];
  }
  return f;
}
double apart(const Vec& a, const Vec& b) { return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]); }

}  // namespace

// Thrown tumbling, wheels falling out of their struts, throttle and brake: the CG of all masses flies a parabola and
// the angular momentum about it stays, whatever acts inside. Tolerances: RK4 at 0.5 ms with stops of 2e5 N/m.
TEST(SprungFlight, ParabolaAndAngularMomentum) {
  for (bool linked : {false, true}) {
    const VehicleSpec s = linked ? linked_sedan() : plain_sedan();
    Car sim(s, flat(), Level::L5, Integrator::rk4, {.yaw0 = 0.3, .vx0 = 20, .z0 = 6});
    State<double, Level::L5> start = sim.motion<Level::L5>();
    start.p = 0.7, start.q = -0.5, start.r = 1.1, start.vy = 2, start.vz = 1;
    sim.set_motion(start);
    const Flight f0 = flight_of(sim, s);
    // speed of that CG at the start, by the same parabola: from the first step
    const double dt = 5e-4, size = std::hypot(f0.momentum[0], f0.momentum[1], f0.momentum[2]);
    ASSERT_TRUE(sim.step({.gear = 0}, dt));
    const Flight f1 = flight_of(sim, s);
    Vec v;
    for (std::size_t k = 0; k < 3; ++k) v[k] = (f1.cg[k] - f0.cg[k]) / dt + (k == 2 ? 0.5 * g * dt : 0);
    double worst = 0, fall = 0;
    for (int i = 1; i < 1400; ++i) {
      Commands c;
      if (i > 300) c.throttle = 0.6;
      if (i > 700) c.throttle = 0, c.brake = 0.12;  // no wheel stops
      if (i > 1000) c.gear = 0;
      ASSERT_TRUE(sim.step(c, dt));
      const double t = sim.time();
      const Flight f = flight_of(sim, s);
      worst = std::max(worst, apart(f.momentum, f0.momentum) / size);
      fall = std::max(fall,
                      apart(f.cg, {f0.cg[0] + v[0] * t, f0.cg[1] + v[1] * t, f0.cg[2] + v[2] * t - 0.5 * g * t * t}));
    }
    const CarOutputs o = sim.outputs({});
    for (const WheelOutputs& w : o.wheel) EXPECT_EQ(w.fz, 0);
    print("flight, angular momentum", linked ? "linked" : "sedan", worst);
    print("flight, off the parabola [m]", linked ? "linked" : "sedan", fall);
    EXPECT_LT(worst, 1e-9);
    EXPECT_LT(fall, 1e-7);  // the start speed is known to 1e-8 m/s by differences
  }
}

// Angular momentum about y of the masses of L3, whose paths and places are those at rest [N m s].
double pitch_momentum(const State<double, Level::L3>& s, const VehicleSpec& spec) {
  const Reference r(spec);
  const double e = 1e-4;
  Reference::Point ahead{}, behind{};
  for (std::size_t k = 0; k < 4; ++k) ahead[6 + k] = e * s.speed[k], behind[6 + k] = -e * s.speed[k];
  Vec at[5], go[5], vc{};
  for (int i = 0; i < 5; ++i) {
    const Vec a = r.in_body(ahead, i), b = r.in_body(behind, i);
    at[i] = r.in_body({}, i);
    const Vec turn = cross3({s.p, s.q, s.r}, at[i]), v{s.vx, s.vy, s.vz};
    for (std::size_t k = 0; k < 3; ++k) {
      go[i][k] = v[k] + turn[k] + (a[k] - b[k]) / (2 * e);
      vc[k] += (i < 4 ? r.unsprung(i) : r.ms) * go[i][k] / r.m;
    }
  }
  double H = r.Js[1] * s.q;
  for (int i = 0; i < 5; ++i) {
    H += (i < 4 ? r.unsprung(i) : r.ms) *
         cross3(at[i], {go[i][0] - vc[0], go[i][1] - vc[1], go[i][2] - vc[2]})[1];  // the CG is the origin
    if (i < 4) H += 0.5 * r.unsprung(i) * sq(r.R0) * (s.wheel[std::size_t(i)].w + s.q);
  }
  return H;
}

// Braked to a stop in the air, the wheels leave all of their spin to the body: also the part of the last step in which they
// stopped, which friction did not use. That part was lost before: up to I |w'| dt a wheel, 0.6 to 1.3 % of the whole.
TEST(SprungFlight, StoppedWheelsLeaveTheirSpinToTheBody) {
  const VehicleSpec s = plain_sedan();
  for (const double dt : {1e-3, 5e-3})
    for (const Level level : kBoth) {
      Car sim(s, flat(), level, Integrator::rk4, {.vx0 = 30, .z0 = 5});
      const auto momentum = [&] {
        return level == Level::L3 ? pitch_momentum(sim.motion<Level::L3>(), s) : flight_of(sim, s).momentum[1];
      };
      const double start = momentum();
      ASSERT_TRUE(run(sim, {.brake = 1, .gear = 0}, 0.4, dt));
      for (const WheelOutputs& w : sim.outputs({.brake = 1, .gear = 0}).wheel) EXPECT_EQ(w.omega, 0);
      print("braked in the air, momentum", title(level), off(momentum(), start));
      // L5: the axes tilt with the travels, and the impulse has them where the last evaluation had them
      EXPECT_NEAR(off(momentum(), start), 0, level == Level::L3 ? 1e-12 : 1e-7) << title(level) << ' ' << dt;
    }
}

// It stays stopped: its bristles touch nothing. (The implicit step let them push the wheel, 30 m/s over the road, to 20 rad/s.)
TEST(SprungFlight, AStoppedWheelStaysStopped) {
  for (const Level level : kBoth)
    for (const Integrator method : {Integrator::rk4, Integrator::euler, Integrator::implicit})
      for (const Law law : {Law::rolling, Law::breakaway, Law::mf_only}) {
        Car sim(without_losses(sedan(law)), flat(), level, method, {.vx0 = 30, .z0 = 5});
        const Commands c{.brake = 1, .gear = 0};
        ASSERT_TRUE(run(sim, c, 0.25, 5e-3));
        double most = 0;
        ASSERT_TRUE(run(sim, c, 0.3, 5e-3, [&](const CarOutputs& o) {
          for (const WheelOutputs& w : o.wheel) most = std::max(most, std::fabs(w.omega));
        }));
        EXPECT_EQ(most, 0) << title(level) << ' ' << name(method) << ' ' << name(law);
      }
}

// Small angles too: L3 falls with g once the masses of the wheels are counted.
TEST(SprungFlight, L3FallsWithG) {
  const VehicleSpec s = plain_sedan();
  Car sim(s, flat(), Level::L3, Integrator::rk4, {.vx0 = 20, .z0 = 4});
  const auto height = [&] {
    const auto x = sim.motion<Level::L3>();
    return x.z + 40 * (x.travel[0] + x.travel[1] + x.travel[2] + x.travel[3]) / 1500;
  };
  const double z0 = height();
  ASSERT_TRUE(run(sim, {.gear = 0}, 0.7, 1e-3));
  EXPECT_NEAR((z0 - height()) / (0.5 * g * 0.49), 1, 1e-9);
}

// Wheels that spin up in the air lift the nose, wheels that are braked push it down: J q' = -I w'.
TEST(SprungFlight, ThrottleAndBrakePitchTheCar) {
  VehicleSpec s = stiff_camber(plain_sedan());
  s.drivetrain.engine_rotational_inertia = 0;
  const Linear lin = linear_of(Reference(s));
  for (Level level : kBoth)
    for (bool brake : {false, true}) {
      Car sim(s, flat(), level, Integrator::rk4, {.vx0 = 30, .z0 = 5}),
          still(s, flat(), level, Integrator::rk4, {.vx0 = 30, .z0 = 5});
      const Commands c = brake ? Commands{.brake = 1} : Commands{.throttle = 1};
      const double torque = brake ? -5000 : 300 * 5;
      // the struts are free at once, so the body turns in the mass matrix with them
      std::array<double, kFree> Q{};
      Q[2] = -torque;
      const double expected = solve<double, kFree>(lin.M, Q)[2];
      const double got = sim.outputs(c).alpha[1] - still.outputs({}).alpha[1];
      print("air, pitch acceleration", title(level), off(got, expected));
      EXPECT_NEAR(off(got, expected), 0, 1e-6) << title(level) << brake;
    }
}

// A yaw rate swings the axes of spinning wheels: H r on the body about x, to the outside of the turn, in the air at
// once.
// A wheel that tilts with its travel hands its part to the travel.
TEST(SprungFlight, GyroscopicRoll) {
  for (bool tilting : {false, true})
    for (Level level : kBoth) {
      const VehicleSpec s = tilting ? plain_sedan() : stiff_camber(plain_sedan());
      const Reference r(s);
      const Linear lin = linear_of(r);
      const auto roll_acceleration = [&](double yaw_rate) {
        Car sim(s, flat(), level, Integrator::rk4, {.vx0 = 40, .z0 = 5});
        const auto turn = [&](auto x) {
          x.r = yaw_rate;
          return x;
        };
        if (level == Level::L3)
          sim.set_motion(turn(sim.motion<Level::L3>()));
        else
          sim.set_motion(turn(sim.motion<Level::L5>()));
        return sim.outputs({.gear = 0}).alpha[0];
      };
      std::array<double, kFree> Q{};
      for (int i = 0; i < 4; ++i) {
        const double gyro = 0.5 * wheel_inertia(s) * 40 / 0.32;
        Q[1] += gyro, Q[std::size_t(3 + i)] += gyro * r.tilt[i], Q[std::size_t(3 + (i ^ 1))] += gyro * r.tilt_other[i];
      }
      const double got = 0.5 * (roll_acceleration(0.5) - roll_acceleration(-0.5));
      const double expected = solve<double, kFree>(lin.M, Q)[1];
      print("gyroscope, roll acceleration", title(level), off(got, expected));
      EXPECT_GT(got, 0);
      EXPECT_NEAR(off(got, expected), 0, 1e-6) << title(level) << tilting;
    }
}

// Dropped from half a metre at 15 m/s and slightly tilted: energy only goes down.
TEST(SprungFlight, LandingGainsNoEnergy) {
  for (Level level : kBoth)
    for (double dt : {1e-3, 2e-3}) {
      const VehicleSpec s = without_losses(sedan());
      Car sim(s, flat(), level, Integrator::rk4, {.vx0 = 15, .z0 = 0.5});
      const auto tilt = [](auto x) {
        x.p = 0.4, x.q = -0.3;
        return x;
      };
      if (level == Level::L3)
        sim.set_motion(tilt(sim.motion<Level::L3>()));
      else
        sim.set_motion(tilt(sim.motion<Level::L5>()));
      const auto total = [&] {
        const EnergyBalance b = sim.energy();
        return b.kinetic + b.springs + b.stored - b.gravity;
      };
      const double start = total(), open = sim.energy().residual();
      double last = start, gain = 0;
      for (int i = 0; i < int(3 / dt); ++i) {
        ASSERT_TRUE(sim.step({.gear = 0}, dt));
        gain = std::max(gain, total() - last);
        last = total();
      }
      print("landing, largest gain of a step", title(level), gain / start);
      print("landing, lost", title(level), (start - last) / start);
      print("landing, book open", title(level), (sim.energy().residual() - open) / start);
      EXPECT_LT(gain, 2e-6 * start) << title(level) << dt;
      EXPECT_GT(start - last, 0.6 * 1500 * g * 0.5);
      EXPECT_LT(std::fabs(sim.energy().residual() - open), 1e-4 * start);
    }
}

// ------------------------------------------------------------------------------------------------------ roads

namespace {

// What is left of a wave over a contact patch of half length a.
double felt(double wave_number, double a) { return std::sin(wave_number * a) / (wave_number * a); }

// Motion over h = exp(i k x) per amplitude, as factors of exp(i k x) at the CG: tires push with kt + i w ct, the slope
// with the load.
std::array<Complex, kFree> sine_response(const VehicleSpec& s, double k, double v) {
  const Reference r(s);
  const Linear lin = linear_of(r);
  const Complex i(0, 1), w = i * k * v;
  Matrix<Complex, kFree> A;
  for (std::size_t a = 0; a < kFree; ++a)
    for (std::size_t b = 0; b < kFree; ++b) A[a][b] = w * (w * lin.M[a][b] + lin.C[a][b]) + lin.K[a][b];
  std::array<Complex, kFree> Q{};
  for (int n = 0; n < 4; ++n) {
    const double a = std::sqrt(r.R0 * r.in0[n]);
    const double ct = 2 * 0.08 * std::sqrt(r.kt * r.unsprung(n)) * sq(r.in0[n]) / (sq(r.in0[n]) + 1e-6);
    const Complex h = felt(k, a) * std::exp(i * k * r.hub[n][0]);  // at this wheel
    const auto d = gradient([&](const auto& q) { return r.pressed(q, n); });
    for (std::size_t j = 0; j < kFree; ++j) Q[j] -= d[kMoves[j]] * (r.kt + w * ct) * h;
    Q[2] -= r.hub[n][2] * r.load[n] * i * k * h;  // along the road at the height of the hub
  }
  return solve<Complex, kFree>(A, Q);
}

// Least squares of y = c + Re(z exp(i k x)).
Complex fitted(const std::vector<double>& x, const std::vector<double>& y, double k) {
  Matrix<double, 3> A{};
  std::array<double, 3> b{};
  for (std::size_t n = 0; n < x.size(); ++n) {
    const double row[3] = {1, std::cos(k * x[n]), std::sin(k * x[n])};
    for (std::size_t i = 0; i < 3; ++i) {
      b[i] += row[i] * y[n];
      for (std::size_t j = 0; j < 3; ++j) A[i][j] += row[i] * row[j];
    }
  }
  b = solve<double, 3>(A, b);
  return {b[1], -b[2]};
}

}  // namespace

// A sine road of 0.1 mm: heave, pitch and the travel of a wheel, amplitude and phase, around both resonances.
TEST(SprungRoads, SineRoadTransferFunction) {
  const VehicleSpec s = plain_sedan();
  const struct { double wl, v; } ways[] = {{6, 7.5}, {5, 16}, {2, 19}, {1.6, 22}};  // 1.25, 3.2, 9.5, 13.75 Hz
  for (Level level : kBoth)
    for (const auto& way : ways) {
      RoadSpec road = flat(kSlippery);
      road.rough_amp = 1e-4, road.rough_wl = way.wl;
      const double k = 2 * M_PI / way.wl;
      Car sim(s, road, level, Integrator::rk4, {.vx0 = way.v});
      ASSERT_TRUE(run(sim, {.gear = 0}, 3, 1e-3));
      std::vector<double> x, z, pitch_of, travel;
      ASSERT_TRUE(run(sim, {.gear = 0}, 8 * way.wl / way.v, 1e-3, [&](const CarOutputs& o) {
        x.push_back(o.x), z.push_back(o.z), pitch_of.push_back(o.pitch), travel.push_back(o.wheel[0].travel);
      }));
      const auto e = sine_response(s, k, way.v);
      const Complex size = Complex(0, -1) * 1e-4;  // sin = Re(-i exp)
      const std::string who = std::string(title(level)) + " " + std::to_string(way.v / way.wl) + " Hz";
      const double worst[3] = {std::abs(fitted(x, z, k) / (size * e[0]) - 1.0),
                               std::abs(fitted(x, pitch_of, k) / (size * e[2]) - 1.0),
                               std::abs(fitted(x, travel, k) / (size * e[3]) - 1.0)};
      print("sine road, heave", who, worst[0]);
      print("sine road, pitch", who, worst[1]);
      print("sine road, travel", who, worst[2]);
      for (double w : worst) EXPECT_LT(w, 1e-3) << who;  // 0.1 mm: the squares of slopes and angles are 1e-4
    }
}

// ISO C at 20 m/s for 12 s: about 1 m/s^2 at the CG, and both levels say the same.
TEST(SprungRoads, IsoClassC) {
  double rms[2];
  for (int n = 0; n < 2; ++n) {
    RoadSpec road = flat();
    road.iso_class = IsoClass::C;
    Car sim(without_losses(sedan()), road, kBoth[n], Integrator::rk4, {.vx0 = 20});
    ASSERT_TRUE(run(sim, {}, 1, 1e-3));
    double sum = 0;
    ASSERT_TRUE(run(sim, {}, 12, 1e-3, [&](const CarOutputs& o) { sum += o.az * o.az; }));
    rms[n] = std::sqrt(sum / 12000);
    print("ISO C, rms az", title(kBoth[n]), rms[n]);
    EXPECT_GT(rms[n], 0.6);
    EXPECT_LT(rms[n], 1.6);
  }
  EXPECT_NEAR(off(rms[1], rms[0]), 0, 0.05);
}

namespace {

// `stiff`: next to nothing is lost in springs and tires when the car meets the circle at 6 g.
VehicleSpec loop_car(double stiff) {
  VehicleSpec s = stiff_camber(without_losses(sedan()));
  for (double& k : s.chassis.spring_stiffness) k = 150e3 * stiff;
  for (double& c : s.chassis.damper_coefficient) c = 6000 * std::sqrt(stiff);
  s.chassis.droop_travel = 0.02 / stiff;
  return with_tires(s, [&](TireSpec& t) { t.tire_vertical_stiffness *= stiff; });
}
struct LoopRun {
  double top;    // sum of the loads when the car is upside down [N]; < 0: it never came there
  double least;  // smallest load of a wheel between 3 and 9 o'clock, over the top [N]
  double end_x, end_z;
};
LoopRun drive_loop(const VehicleSpec& s, double v, double R, double drift) {
  RoadSpec road = flat();
  road.stunt.loop = {.x0 = 5, .radius = R, .width = 4, .drift = drift};
  const double yaw = std::atan(drift / (2 * M_PI * R));
  Car sim(s, road, Level::L5, Integrator::rk4, {.y0 = -5 * std::tan(yaw), .yaw0 = yaw, .vx0 = v});
  LoopRun o{-1, 1e9, 0, 0};
  double before = 0;
  const bool ok = run(sim, {.gear = 0}, (drift > 0 ? 2.3 : 1.2) * 2 * M_PI * R / v, 5e-4, [&](const CarOutputs& n) {
    double sum = 0, least = 1e9;
    for (const WheelOutputs& w : n.wheel) sum += w.fz, least = std::min(least, w.fz);
    const double phi = std::atan2(n.x - 5, R - n.z), turned = phi < 0 ? phi + 2 * M_PI : phi;
    if (n.z > R && n.x > 5 - R) o.least = std::min(o.least, least);
    if (before > 2 && before < M_PI && turned >= M_PI && n.z > 1.5 * R) o.top = sum;
    before = turned;
    o.end_x = n.x, o.end_z = n.z;
  });
  EXPECT_TRUE(ok);
  return o;
}

}  // namespace

// A loop without drive: at the critical speed the load at the top is 0. With the CG on a circle of Rc inside the loop,
//   v^2 (m + J) = g Rc (m + Iyy/Rc^2 + J (R/Rc)^2) + 4 m g Rc,  J = sum I/R_e^2
TEST(SprungRoads, LoopCriticalSpeed) {
  const double R = 8;
  for (double stiff : {1.0, 8.0}) {
    const VehicleSpec s = loop_car(stiff);
    const Reference r(s);
    double Iyy = r.Js[1] + r.ms * (sq(r.body[0]) + sq(r.body[2]));
    for (int i = 0; i < 4; ++i) Iyy += r.unsprung(i) * (sq(r.hub[i][0]) + sq(r.hub[i][2]));
    const double Rc = std::sqrt(R * R - sq(s.chassis.wheelbase / 2)) - s.chassis.cg_height,
                 J = 4 * wheel_inertia(s) / sq(radius(s));
    const double expected =
        std::sqrt((g * Rc * (1500 + Iyy / sq(Rc) + J * sq(R / Rc)) + 4 * 1500 * g * Rc) / (1500 + J));
    double low = 0.9 * expected, high = 1.1 * expected;
    for (int i = 0; i < 7; ++i) {  // to 0.16 %
      const double mid = 0.5 * (low + high);
      (drive_loop(s, mid, R, 0).top > 0 ? high : low) = mid;
    }
    print("loop, critical speed [m/s]", "closed form", expected);
    print("loop, critical speed off by", "L5", off(high, expected));
    EXPECT_NEAR(off(high, expected), 0, stiff > 1 ? 0.01 : 0.03);
    const LoopRun fast = drive_loop(s, 1.1 * expected, R, 0), slow = drive_loop(s, 0.9 * expected, R, 0);
    print("loop, least load, 10 % faster", "L5", fast.least);
    EXPECT_GT(fast.least, 0);
    EXPECT_LE(slow.least, 0);
    if (stiff > 1) continue;
    const LoopRun through = drive_loop(s, 1.1 * expected, R, 5);
    print("loop, least load, with drift", "L5", through.least);
    EXPECT_GT(through.least, 0);
    EXPECT_GT(through.end_x, 3 * R);  // out again on the other side
    EXPECT_NEAR(through.end_z, s.chassis.cg_height, 0.1);
  }
}

// A turn banked for its speed, v^2 = g R tan(bank): steered by the curvature of the road in its own plane, no side
// force is left.
TEST(SprungRoads, BankedTurnAtItsNeutralSpeed) {
  VehicleSpec s = without_losses(sedan());
  s.steering.ackerman_percent = 100;
  for (Level level : kBoth) {
    const double bank = level == Level::L3 ? 0.08 : 0.25;
    RoadSpec road = flat();
    road.stunt.oval = {.radius = 60, .straight = 0, .width = 14, .bank = bank};
    // small angles (L3): the curvature is that of the map
    const double v = std::sqrt(g * 60 * std::tan(bank)),
                 steer = std::atan(2.7 * (level == Level::L5 ? std::cos(bank) : 1) / 60);
    // from the start round the axis of the turn, the rear axle rolling straight ahead
    Car sim(s, road, level, Integrator::rk4, {.yaw0 = -std::asin(1.5 / 60), .vx0 = v});
    const Commands c{.steer = steer, .gear = 0};
    const CarOutputs start = sim.outputs(c);
    const auto turning = [&](auto x) {
      x.vy = v * 1.5 / 60;
      x.p = start.attitude[6] * v / 60, x.q = start.attitude[7] * v / 60, x.r = start.attitude[8] * v / 60;
      if (level == Level::L3) x.p = x.q = 0;
      return x;
    };
    if (level == Level::L3)
      sim.set_motion(turning(sim.motion<Level::L3>()));
    else
      sim.set_motion(turning(sim.motion<Level::L5>()));
    ASSERT_TRUE(run(sim, c, 4, 2e-3));
    double side = 0, load = 0, line = 0, n = 0;
    ASSERT_TRUE(run(sim, c, 6, 2e-3, [&](const CarOutputs& o) {
      for (const WheelOutputs& w : o.wheel) side += w.fy, load += w.fz;
      line = std::max(line, std::fabs(std::hypot(o.x, o.y - 60) - 60));
      n += 1;
    }));
    print("bank, side force / load", title(level), side / load);
    print("bank, load / (m g / cos)", title(level), load / n / (1500 * g / std::cos(bank)));
    print("bank, off the line [m]", title(level), line);
    EXPECT_LT(std::fabs(side / load), 0.02 * std::tan(bank)) << title(level);
    EXPECT_LT(line, 0.3) << title(level);
    EXPECT_NEAR(load / n / (1500 * g / std::cos(bank)), 1, 0.005) << title(level);
  }
}

// Coasting over a hill of 3 m: slower by its height at the top, and as fast as before behind it.
TEST(SprungRoads, HillGivesBackWhatItTook) {
  std::vector<double> z;
  const int nx = 121, ny = 9;
  for (int j = 0; j < ny; ++j)
    for (int i = 0; i < nx; ++i) {
      const double u = (2.0 * i - 20) / 200;
      z.push_back(u > 0 && u < 1 ? 3 * sq(std::sin(M_PI * u)) * sq(std::sin(M_PI * u)) : 0);
    }
  const RoadGrid grid{nx, ny, -20, -8, 2, 2, z.data()};
  RoadSpec road = flat();
  road.grid = &grid;
  road.interpolation = Interpolation::bicubic;
  const VehicleSpec s = without_losses(sedan());
  for (Level level : {Level::L1, Level::L2, Level::L3, Level::L5}) {
    Car sim(s, road, level, Integrator::rk4, {.x0 = -10, .vx0 = 15});
    double slowest = 15;
    ASSERT_TRUE(run(sim, {.gear = 0}, 16.5, 2e-3, [&](const CarOutputs& o) { slowest = std::min(slowest, o.vx); }));
    const CarOutputs o = sim.outputs({.gear = 0});
    const double top = std::sqrt(225 - 2 * g * 3 * 1500 / effective_mass(s, false));
    print("hill, speed at the top", title(level), off(slowest, top));
    print("hill, speed behind", title(level), off(o.vx, 15));
    print("hill, x", title(level), o.x);
    EXPECT_GT(o.x, 205);
    EXPECT_NEAR(off(slowest, top), 0, 0.005) << title(level);
    EXPECT_NEAR(off(o.vx, 15), 0, 0.002) << title(level);
    EXPECT_LE(o.vx, 15 * (1 + 1e-6)) << title(level);
  }
}

// Every joule of a smooth drive on a slope and over waves, with everything that moves a wheel sideways, along and
// about: links, camber, gyroscopes.
TEST(SprungRoads, EnergyBalanceOfALinkedCar) {
  VehicleSpec s = linked_sedan();
  s.chassis.anti_dive_front = 0.3, s.chassis.anti_squat_rear = 0.25;
  s = with_tires(s, [](TireSpec& t) { set_law(t, Law::rolling); });
  for (Level level : kBoth)
    for (double waves : {0.0, 0.01}) {
      RoadSpec road = slope(0.04, 0.03);
      road.rough_amp = waves, road.rough_wl = 12;
      Car sim(s, road, level, Integrator::rk4, {.yaw0 = 0.2, .vx0 = 15});
      const double E0 = sim.energy().kinetic, h = 1e-3;
      const auto at = [&](double u) {
        Commands c{.steer = 0.04 * sq(std::sin(2 * u))};
        (u < 0.8 ? c.throttle : c.brake) = 0.3 * sq(sq(std::sin(M_PI * u / 0.8)));
        return c;
      };
      double worst = 0, last = 0;
      for (int i = 0; i < 1600; ++i) {
        ASSERT_TRUE(sim.step(at(i * h), at((i + 1) * h), h));
        const double now = sim.energy().residual();
        if (i > 20) worst = std::max(worst, std::fabs(now - last) / E0);  // tires take up the slope first
        last = now;
      }
      print("book, worst step / E0", title(level), worst);
      print("book, whole run / E0", title(level), last / E0);
      // waves: that the normal turns while a wheel goes on is not in the speed of its deflection (curvature x radius)
      EXPECT_LT(worst, waves > 0 ? 1e-8 : 1e-9) << title(level);
      EXPECT_LT(std::fabs(last), 1e-6 * E0) << title(level);
    }
}
