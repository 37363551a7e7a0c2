// SPDX-License-Identifier: Apache-2.0
#include "vdsim/study/preview_driver.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "vdsim/engine/same_math.hpp"
#include "vdsim/study/sensors.hpp"

namespace vdsim {
namespace {

const double kPi = std::acos(-1.0);
constexpr int kPoints = 24;           // at which the error ahead is looked at
constexpr double kNear = 1.5;         // wheelbases that are looked ahead at least
constexpr double kLearn = 0.3;        // how fast a steady offset is unlearnt [1/s]
constexpr double kLearnOffset = 0.3;  // offset that is learnt from at most [m]
constexpr double kSteady = 0.05;      // an offset that changes by more is not steady [m/s]
constexpr double kMostLead = 0.3;     // [s]
constexpr double kMostSlip = 0.12;    // of the front axle, from 10 m/s on [rad]
constexpr double kKnot = 0.15;        // between the independent numbers of the noise [s]
constexpr double kLongestOwn = 0.6;   // of delay and lag that the driver reckons with [s]; the past holds 0.63 s

double square(double x) { return x * x; }

// ----------------------------------------------------------------------------------------- the nominal model

// State y, psi, vy, r and the steer angle, which is held.
using Matrix = std::array<std::array<double, 5>, 5>;

Matrix times(const Matrix& A, const Matrix& B) {
  Matrix C{};
  for (std::size_t i = 0; i < 5; ++i)
    for (std::size_t k = 0; k < 5; ++k)
      for (std::size_t j = 0; j < 5; ++j) C[i][j] += A[i][k] * B[k][j];
  return C;
}

// exp(A h): Taylor series of exp(A h/2^n), squared n times
Matrix exponential(Matrix A, double h) {
  double size = 0;
  for (const auto& row : A)
    for (const double x : row) size = std::max(size, std::abs(x * h));
  int halvings = 0;
  for (; size > 0.05; size /= 2) ++halvings, h /= 2;
  for (auto& row : A)
    for (double& x : row) x *= h;
  Matrix sum{}, power{};
  for (std::size_t i = 0; i < 5; ++i) sum[i][i] = power[i][i] = 1;
  for (int n = 1; n <= 8; ++n) {
    power = times(power, A);
    for (std::size_t i = 0; i < 5; ++i)
      for (std::size_t j = 0; j < 5; ++j) sum[i][j] += (power[i][j] /= n);
  }
  for (; halvings > 0; --halvings) sum = times(sum, sum);
  return sum;
}

// [T32.1]  The bicycle with linear tires at the speed v, over the time h.
Matrix bicycle(const NominalCar& c, double v, double h) {
  const double m = c.mass, I = c.yaw_inertia, a = c.a, b = c.b, Cf = c.cornering_front, Cr = c.cornering_rear;
  Matrix A{};
  A[0] = {0, v, 1, 0, 0};
  A[1] = {0, 0, 0, 1, 0};
  A[2] = {0, 0, -(Cf + Cr) / (m * v), -v - (a * Cf - b * Cr) / (m * v), Cf / m};
  A[3] = {0, 0, -(a * Cf - b * Cr) / (I * v), -(a * a * Cf + b * b * Cr) / (I * v), a * Cf / I};
  return exponential(A, h);
}

struct Motion {
  std::array<double, 4> x{};  // y, psi, vy, r
  void step(const Matrix& E, double steer) {
    std::array<double, 4> n{};
    for (std::size_t i = 0; i < 4; ++i) {
      n[i] = E[i][4] * steer;
      for (std::size_t j = 0; j < 4; ++j) n[i] += E[i][j] * x[j];
    }
    x = n;
  }
};

// --------------------------------------------------------------------------------------------- the human

// Time the driver knows to pass until the wheels do as he wants: delay, and the mean lateness of the lag, sqrt(2)/w.
double own_time(const HumanSpec& h) {
  const double lag = h.bandwidth > 0 ? std::sqrt(2.0) / (2 * kPi * h.bandwidth) : 0;
  return std::min(h.delay + lag, kLongestOwn);
}

// Demand of the time q: linear between the samples kept and the newest; before the start: the first angle.
double past_demand(const PreviewMemory& m, double q) {
  if (q >= m.time) return m.demand;
  if (q <= 0) return m.past[0];
  const double k = std::min(std::floor(q / m.kSample), m.kept), from = k * m.kSample;
  const auto at = [&](double i) { return m.past[static_cast<std::size_t>(i) % m.kPast]; };
  const double end = k < m.kept ? from + m.kSample : m.time, after = k < m.kept ? at(k + 1) : m.demand;
  return at(k) + (after - at(k)) * ((q - from) / (end - from));
}

// Its mean over the time `during`. Single values would not do: the demand depends on itself by what is on its way, and a
// sum over few of them lets it swing from step to step.
double mean_demand(const PreviewMemory& m, double from, double during) {
  const int n = 1 + static_cast<int>(during / m.kSample);
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += past_demand(m, from + during * (i + 0.5) / n);
  return sum / n;
}

// The demand goes linearly to its new value over the step: keep what it is at the samples.
void remember(PreviewMemory& m, double demand, double done) {
  const double before = m.time, was = m.demand;
  m.time += done;
  for (; (m.kept + 1) * m.kSample <= m.time; ++m.kept)
    m.past[static_cast<std::size_t>(m.kept + 1) % m.kPast] =
        was + (demand - was) * (((m.kept + 1) * m.kSample - before) / done);
  m.demand = demand;
}

// [T32.8]  x'' + sqrt(2) w x' + w^2 x = w^2 u, exact for an input that goes linearly from m.told to `told`.
void move_muscle(PreviewMemory& m, double told, double bandwidth, double done) {
  const double w = 2 * kPi * bandwidth, s = w / std::sqrt(2.0);  // s: damping and damped frequency alike
  const double ramp = (told - m.told) / done, late = ramp * std::sqrt(2.0) / w;
  const double d = m.muscle - (m.told - late), v = m.muscle_rate - ramp;  // from the answer to the ramp
  const double e = vdsim::exp(-s * done), co = vdsim::cos(s * done), si = vdsim::sin(s * done);
  m.muscle = told - late + e * (d * co + (v + s * d) / s * si);
  m.muscle_rate = ramp + e * (v * co - (s * v + w * w * d) / s * si);
  m.told = told;
}

double act(const HumanSpec& h, const NominalCar& c, PreviewMemory& m, double demand, double done) {
  remember(m, demand, done);
  const double told = past_demand(m, m.time - h.delay);
  if (h.bandwidth <= 0)
    m.told = m.muscle = told;
  else if (done > 0)
    move_muscle(m, told, h.bandwidth, done);
  double angle = m.muscle;
  if (h.noise > 0) angle += h.noise * hand_noise(h.seed, m.time);
  angle = std::clamp(angle, -c.max_steer, c.max_steer);
  if (h.steer_rate > 0) angle = std::clamp(angle, m.hand - h.steer_rate * done, m.hand + h.steer_rate * done);
  return m.hand = angle;
}

// ------------------------------------------------------------------------------------------------ the path

struct PathPlace {
  double offset;     // of the car from the path, positive left [m]
  double heading;    // of the car less that of the path [rad]
  double curvature;  // of the path [1/m]
};
PathPlace place(const Path& path, double station, double x, double y, double psi) {
  const PathPoint p = path.at(station);
  return {vdsim::cos(p.heading) * (y - p.y) - vdsim::sin(p.heading) * (x - p.x),
          std::remainder(psi - p.heading, 2 * kPi), p.curvature};
}
// Sine up to a quarter turn, then as much as it can be.
double turned(double angle) { return std::abs(angle) < kPi / 2 ? vdsim::sin(angle) : std::copysign(1.0, angle); }

// [T32.6]  Steer needed for a curvature that changes slowly: that of this much further on. No division by v.
double lead(const NominalCar& c, double v) {
  const double m = c.mass, I = c.yaw_inertia, a = c.a, b = c.b, Cf = c.cornering_front, Cr = c.cornering_rear,
               L = a + b;
  const double damping = (Cf + Cr) / m + (a * a * Cf + b * b * Cr) / I;         // -trace(A) v
  const double stiffness = Cf * Cr * L * (L + c.understeer * v * v) / (m * I);  // det(A) v^2
  const double most = kMostLead * stiffness;  // an oversteering car near its critical speed
  return (damping * v < most ? damping * v / stiffness : kMostLead) * v - b;
}

struct Ahead {
  double correction;  // constant over the preview, to the steady steer angle of the path [rad]
  double lever;       // steady offset per steer angle that is missing [m/rad]
};
// [T32.3, T32.4, T32.5]  Error ahead without correction, and per unit of it; weighted least squares over kPoints.
// budget: what the driver sees, knows, remembers and is.
Ahead look_ahead(const Path& path, const NominalCar& c, const HumanSpec& h, const PreviewMemory& m, const PathPlace& p,
                 double v, const CommandView& view, double done) {
  const double rolls = vdsim::tan(view.steer) / c.wheelbase, pace = std::clamp(view.vx / v, 0.0, 1.0);
  const double own = pace * own_time(h), step = (h.preview + own) / kPoints, from = m.station + lead(c, v);
  const double gain = c.wheelbase + c.understeer * v * v;
  const Matrix E = bicycle(c, v, step);
  Motion free, unit;
  free.x = {0, 0, view.vy + (v - view.vx) * c.b * rolls, view.r + (v - view.vx) * rolls};
  double turn = 0, heading = path.at(m.station).heading, across = 0, eG = 0, GG = 0, G1 = 0;
  for (int k = 0; k < kPoints; ++k) {
    // what the hands still do of themselves in the beginning
    const double pending = std::clamp(own / step - k, 0.0, 1.0);
    double steer = (1 - pending) * gain * path.at(from + v * (k + 0.5) * step).curvature;
    if (pending > 0) steer += pending * mean_demand(m, m.time + done - (own - k * step) / pace, pending * step / pace);
    free.step(E, steer);
    unit.step(E, 1 - pending);
    const double t = (k + 1) * step, next = path.at(m.station + v * t).heading;
    const double more = std::remainder(next - heading, 2 * kPi);
    across += v * step * (turn + more / 2);
    turn += more;
    heading = next;
    const double e = p.offset + v * t * turned(p.heading) + free.x[0] - across, G = unit.x[0];
    const double w = square(1 - t / (kPoints * step));  // G = 0 at 0, w = 0 at the end: the trapezoidal rule
    eG += w * e * G;
    GG += w * G * G;
    G1 += w * G;
  }
  return {-eG / GG, GG / G1};
}

// [T32.7]  A steady offset is unlearnt.
void learn(PreviewMemory& m, const PathPlace& p, double lever, double plain, double done, double v,
           const CommandView& view) {
  const double drift = view.vx * turned(p.heading) + view.vy;
  const double steady = 1 / (1 + square(drift / kSteady)), pace = std::min(1.0, std::abs(view.vx) / v);
  const double offset = std::clamp(p.offset, -kLearnOffset, kLearnOffset), most = 0.02 + 0.5 * std::abs(plain);
  m.trim = std::clamp(m.trim - done * kLearn * pace * steady * offset / lever, -most, most);
}

// [T32.2]  A car of q^2 the mass goes at the speed v where the car itself goes at q v: same forces, same slips, same line.
NominalCar as_slow(NominalCar c, double q) {
  const double ratio = square(std::clamp(q, 0.1, 1.0));
  c.mass *= ratio, c.yaw_inertia *= ratio, c.understeer *= ratio;
  return c;
}

double forward_demand(const Path& path, const NominalCar& c, const HumanSpec& h, PreviewMemory& m, double done,
                      const CommandView& view) {
  const PathPlace p = place(path, m.station, view.x, view.y, view.psi);
  // A slow car is looked at as if it were faster, rolling as its wheels point: preview by distance, no division by vx.
  const double v = std::max(view.vx, kNear * c.wheelbase / h.preview);
  const NominalCar slowed = as_slow(c, view.vx / v);
  const Ahead ahead = look_ahead(path, slowed, h, m, p, v, view, done);
  const double coming = path.at(m.station + lead(slowed, v) + std::max(view.vx, 0.0) * own_time(h)).curvature;
  const double plain = steer_for_curvature(c, coming, view.vx);
  learn(m, p, ahead.lever, plain, done, v, view);
  // more slip than that gives no more force; a slow car has no need to care
  const double course = (view.vy + c.a * view.r) / v, most = kMostSlip * std::max(1.0, square(10 / v));
  const double demand = std::clamp(plain + ahead.correction + m.trim, course - most, course + most);
  return std::clamp(demand, -c.max_steer, c.max_steer);
}

// [T32.9]  Rear axle on the path, backing: tan(steer) = -L k, and k closes offset and heading over the distance D.
double backward_demand(const Path& path, const NominalCar& c, const HumanSpec& h, const PreviewMemory& m, double x,
                       double y, const CommandView& view) {
  const PathPlace p = place(path, m.station, x, y, view.psi + kPi);
  const double D = std::max(kNear * c.wheelbase, h.preview * std::abs(view.vx));
  const double k = p.curvature - 2 / D * (turned(p.heading) + std::clamp(p.offset / D, -0.7, 0.7));
  return std::clamp(vdsim::atan(-c.wheelbase * k), -c.max_steer, c.max_steer);
}

}  // namespace

// [T32.10]  Two independent normal numbers, mixed with weights whose squares add up to 1 and that rest at the knots.
double hand_noise(int seed, double t) {
  const std::uint64_t key = sensor_key(static_cast<std::uint64_t>(seed), 0, 0x68616e64);  // a stream of its own: "hand"
  const double k = std::floor(t / kKnot), u = t / kKnot - k, s = kPi / 2 * u * u * (3 - 2 * u);
  const auto i = static_cast<std::uint64_t>(k);
  return vdsim::cos(s) * sensor_normal(key, i) + vdsim::sin(s) * sensor_normal(key, i + 1);
}

double preview_steer(const Path& path, const NominalCar& c, const HumanSpec& h, PreviewMemory& m, double done,
                     const CommandView& view) {
  if (m.started == 0) {
    m.station = path.nearest(view.x, view.y);
    m.demand = m.told = m.muscle = m.hand = m.past[0] = view.steer;
  }
  m.station = path.nearest(view.x, view.y, m.station);
  const double along = vdsim::cos(view.psi - path.at(m.station).heading);
  double demand;
  if (along < 0 && view.vx < 1) {  // backs
    const double x = view.x - c.b * vdsim::cos(view.psi), y = view.y - c.b * vdsim::sin(view.psi);
    m.station = path.nearest(x, y, m.station);
    demand = backward_demand(path, c, h, m, x, y, view);
  } else {
    demand = forward_demand(path, c, h, m, done, view);
  }
  m.started = 1;
  return act(h, c, m, demand, done);
}

}  // namespace vdsim
