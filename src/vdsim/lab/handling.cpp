// SPDX-License-Identifier: Apache-2.0
#include "vdsim/lab/handling.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "vdsim/engine/errors.hpp"
#include "vdsim/lab/handling_solve.hpp"

namespace vdsim {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr double kSlowest = 3.5, kFastest = 150;  // [m/s]; below, the low-speed fallback of some tires acts

std::unique_ptr<SteadyCar> make(const HandlingCar& c, unsigned without = 0) {
  return steady_car(c.vehicle, c.road, c.level, without);
}

std::optional<Vector> try_straight(SteadyCar& car, double V) { return solve_steady(car, car.guess(V), {V, 0, 0}); }
Vector straight(SteadyCar& car, double V) {
  auto u = try_straight(car, V);
  if (!u) throw BadInput(fmt::format("the car cannot run straight on at {} m/s", V));
  return *u;
}

LateralModes lateral_modes(std::complex<double> a, std::complex<double> b) {
  const bool pair = std::abs(a.imag()) > 1e-12 * std::abs(a);
  if (pair ? b.imag() > a.imag() : b.real() > a.real()) std::swap(a, b);
  const double product = (a * b).real();
  const double w = product > 0 ? std::sqrt(product) : kNone;
  return {a, b, w, -(a + b).real() / (2 * w)};
}

// Forces per slip of the car, yaw rate and steer angle (columns), with the tires in balance.
// Rows: Fy, Mz, Fy front, Fy rear, Mz front, Mz rear.
// [T31.2]  The wheels' own equations w(x, q) = 0 make q follow x: dF/dx = F_x - F_q (w_q)^-1 w_x
Matrix condense(SteadyCar& car, const Vector& u, double V) {
  const int n = car.size(), wheels = n - kWheelStates;
  Vector x{u[kBeta], 0, u[kSteer]}, step{1e-5, 1e-5, 1e-5};
  x.insert(x.end(), u.begin() + kWheelStates, u.end());
  for (int k = kWheelStates; k < n; ++k) step.push_back(1e-4 * car.scale()[std::size_t(k)]);
  const auto outputs = [&](const Vector& z) {
    Vector v(u);
    v[kBeta] = z[0], v[kSteer] = z[2];
    std::copy(z.begin() + 3, z.end(), v.begin() + kWheelStates);
    const Trim t{V, z[1], 0};
    const CarForces f = car.forces(car.state_of(v, t), v[kSteer], v[kTorque]);
    Vector out{f.Fy_sum, f.Mz_sum, f.Fy[0], f.Fy[1], f.Mz[0], f.Mz[1]};
    const Vector e = car.residual(v, t);
    out.insert(out.end(), e.begin() + kWheelStates, e.end());
    return out;
  };
  const Matrix J = jacobian(outputs, x, step);
  Matrix own(wheels, wheels), by(wheels, 3), slope(6, 3);
  for (int i = 0; i < wheels; ++i) {
    for (int j = 0; j < wheels; ++j) own(i, j) = J(6 + i, 3 + j);
    for (int j = 0; j < 3; ++j) by(i, j) = J(6 + i, j);
  }
  const Matrix follow = solve(own, by);
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 3; ++j) {
      slope(i, j) = J(i, j);
      for (int k = 0; k < wheels; ++k) slope(i, j) -= J(i, 3 + k) * follow(k, j);
    }
  return slope;
}

void add_derivatives(const ChassisSpec& c, const Matrix& s, LinearRange& o) {
  const double V = o.V, m = c.mass, L = c.wheelbase;
  o.Y_beta = s(0, 0), o.Y_r = s(0, 1), o.Y_delta = s(0, 2);
  o.N_beta = s(1, 0), o.N_r = s(1, 1), o.N_delta = s(1, 2);
  for (int a = 0; a < 2; ++a) {
    o.cornering_stiffness[a] = -s(2 + a, 0);
    o.trail[a] = -s(4 + a, 0) / s(2 + a, 0);
  }
  o.static_margin = -o.N_beta / o.Y_beta / L;
  // [T31.3]  0 = Y_beta b + (Y_r - m V) r + Y_delta d,  0 = N_beta b + N_r r + N_delta d
  const double turn = o.Y_r - m * V, det = o.Y_beta * o.N_r - turn * o.N_beta;
  o.yaw_gain = (o.N_beta * o.Y_delta - o.Y_beta * o.N_delta) / det;
  o.beta_gain = (turn * o.N_delta - o.N_r * o.Y_delta) / det;
  o.ay_gain = V * o.yaw_gain;
  o.K = (V / o.yaw_gain - L) / (V * V);
  // [T31.4]
  const double Iz = c.inertia_diag[2];
  Matrix A(2, 2);
  A(0, 0) = o.Y_beta / (m * V), A(0, 1) = o.Y_r / (m * V) - 1;
  A(1, 0) = o.N_beta / Iz, A(1, 1) = o.N_r / Iz;
  const Modes both = eigenvalues(A);
  o.single_track = lateral_modes(both.values[0], both.values[1]);
}

// [T31.5]  Slopes of all states; the lateral modes are the two that live most in vy and r.
void add_modes(SteadyCar& car, const Vector& u, LinearRange& o) {
  const Vector x = car.state_of(u, {o.V, 0, 0});
  Vector step(car.scale());
  step[0] = step[1] = 0.1 * o.V, step[2] = 0.1;
  for (double& h : step) h *= 1e-4;
  const Matrix A = jacobian([&](const Vector& z) { return car.forces(z, u[kSteer], u[kTorque]).rate; }, x, step);
  const Modes all = eigenvalues(A, {1, 2});
  std::vector<std::size_t> order(all.values.size());
  for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return all.share[a] > all.share[b]; });
  o.modes = lateral_modes(all.values[order[0]], all.values[order[1]]);
  o.largest_real = -1e300;
  for (std::size_t k = 0; k < order.size(); ++k)
    if (all.share[k] > 1e-3) o.largest_real = std::max(o.largest_real, all.values[k].real());
  const std::array<int, 2> lag = car.lateral_states();
  for (std::size_t a = 0; a < 2; ++a) o.relaxation[a] = lag[a] < 0 ? 0 : -o.V / A(lag[a], lag[a]);
}

LinearRange linear_range(const HandlingCar& c, double V, unsigned without, bool modes) {
  const auto car = make(c, without);
  const Vector u = straight(*car, V);
  LinearRange o{};
  o.V = V;
  add_derivatives(c.vehicle.chassis, condense(*car, u, V), o);
  if (modes) add_modes(*car, u, o);
  return o;
}

DiagramPoint diagram_point(const HandlingCar& c, const SteadyCar& car, const Vector& u, const Trim& t) {
  const ChassisSpec& q = c.vehicle.chassis;
  const Vector x = car.state_of(u, t);
  const CarForces f = car.forces(x, u[kSteer], u[kTorque]);
  DiagramPoint p{};
  p.ay = t.V * t.r, p.V = t.V, p.curvature = t.r / t.V;
  p.steer = u[kSteer], p.beta = u[kBeta], p.torque = u[kTorque];
  p.alpha[0] = u[kSteer] - std::atan2(x[1] + q.cg_to_front * t.r, x[0]);
  p.alpha[1] = -std::atan2(x[1] - q.cg_to_rear * t.r, x[0]);
  p.fz = f.fz, p.fx = f.fx, p.fy = f.fy;
  return p;
}

// Which axle saturates first: the one whose slip grows faster at the end.
std::string limit_word(const std::vector<DiagramPoint>& points) {
  if (points.size() < 2) return "neutral";
  const DiagramPoint &a = points[points.size() - 2], &b = points.back();
  const double front = b.alpha[0] - a.alpha[0], rear = b.alpha[1] - a.alpha[1];
  return front > 1.2 * rear ? "understeer" : rear > 1.2 * front ? "oversteer" : "neutral";
}

// What is left of steering, drive, brakes and of the slip ratio up to which a wheel counts as rolling; < 0: spent.
struct Room {
  double steer, drive, brakes, spin, lock;
  double least() const { return std::min({steer, drive, brakes, spin, lock}); }
  const char* spent() const {
    const double x = least();
    return x == steer    ? "steer stop"
           : x == drive  ? "drive"
           : x == brakes ? "brakes"
           : x == spin   ? "wheel spins"
                         : "wheel locks";
  }
};
Room room(const HandlingCar& c, const SteadyCar& car, const Vector& u, const Trim& t) {
  constexpr double kRolling = 0.5;
  const CarForces f = car.forces(car.state_of(u, t), u[kSteer], u[kTorque]);
  const auto [low, high] = std::minmax_element(f.kappa.begin(), f.kappa.end());
  const double most = std::max(largest_drive_torque(c.vehicle, t.V), 1e-9),
               brake = std::max(c.vehicle.brake.max_brake_torque, 1e-9);
  return {1 - std::abs(u[kSteer]) / c.vehicle.steering.max_steer_angle_wheel, 1 - u[kTorque] / most,
          1 + std::min(u[kTorque], 0.0) / brake, kRolling - *high, kRolling + *low};
}
std::string end_word(const SteadyPath& path, const Room& left) {
  return path.end == PathEnd::limit ? "grip" : path.end == PathEnd::margin ? left.spent() : "no steady turn found";
}

HandlingDiagram diagram(const HandlingCar& c, bool constant_radius, double held) {
  const auto car = make(c);
  const double least = constant_radius ? kSlowest * kSlowest / held : 0;  // ay where the path begins
  const auto trim = [&](double p) {
    const double ay = least + p, V = constant_radius ? std::sqrt(std::max(ay, 1e-3) * held) : held;
    return Trim{V, ay / V, 0};
  };
  Vector u = straight(*car, trim(0).V);
  if (constant_radius) {  // into the turn at the lowest speed
    const auto enter = [&](double p) { return Trim{trim(0).V, p * trim(0).r, 0}; };
    const SteadyPath path = follow(*car, u, enter, {1, 0.05, 0.3, 1, {}});
    if (!path.points.empty()) u = path.points.back().u;
  }
  PathOptions o{2, 0.02, 0.12, 1e9, {}};
  // the drive may give what it takes: the diagram is of the tires
  const auto left = [&](const Vector& v, double p) {
    Room r = room(c, *car, v, trim(p));
    r.drive = r.brakes = 1;
    return r;
  };
  o.margin = [&](const Vector& v, double p) { return left(v, p).least(); };
  const SteadyPath path = follow(*car, u, trim, o);
  HandlingDiagram out;
  out.constant_radius = constant_radius, out.held = held, out.unstable_from = kNone;
  out.end = "no steady turn found", out.limit = "neutral";
  if (path.points.empty()) return out;  // too slippery for this radius
  for (const SteadyTurnPoint& p : path.points) out.points.push_back(diagram_point(c, *car, p.u, trim(p.p)));
  for (std::size_t k = 1; k < out.points.size(); ++k) {
    const DiagramPoint &a = out.points[k - 1], &b = out.points[k];
    out.limit_ay = std::max(out.limit_ay, b.ay);
    if (!constant_radius && b.steer < a.steer && std::isnan(out.unstable_from)) out.unstable_from = a.ay;
  }
  out.end = end_word(path, left(path.points.back().u, path.points.back().p));
  out.limit = limit_word(out.points);
  return out;
}

// (steer - L/R)/ay of the steady turn; NaN if there is none. `limit`: how far the path went.
double secant_gradient(const HandlingCar& c, double V, double ay, unsigned without) {
  const auto car = make(c, without);
  const auto trim = [&](double p) { return Trim{V, p / V, 0}; };
  const SteadyPath path = follow(*car, straight(*car, V), trim, {2, 0.05, 0.25, ay, {}});
  if (path.end != PathEnd::until) return kNone;
  const auto u = solve_steady(*car, path.points.back().u, trim(ay));
  return u ? (*u)[kSteer] / ay - c.vehicle.chassis.wheelbase / (V * V) : kNone;
}

// First root of f on a grid of speeds, by bisection; NaN if f keeps its sign up to where it is NaN itself.
template <class F> double first_root(F&& f) {
  double low = kSlowest, f_low = f(low);
  for (double high = 5; high <= kFastest; high += 5) {
    const double f_high = f(high);
    if (std::isnan(f_high)) return kNone;
    if ((f_low > 0) != (f_high > 0)) {
      for (int k = 0; k < 40; ++k) {
        const double mid = 0.5 * (low + high);
        ((f(mid) > 0) == (f_low > 0) ? low : high) = mid;
      }
      return 0.5 * (low + high);
    }
    low = high, f_low = f_high;
  }
  return kNone;
}

// NaN where the car cannot run straight on.
double yaw_gain(const HandlingCar& c, SteadyCar& car, double V) {
  const auto u = try_straight(car, V);
  if (!u) return kNone;
  LinearRange o{};
  o.V = V;
  add_derivatives(c.vehicle.chassis, condense(car, *u, V), o);
  return o.yaw_gain;
}

}  // namespace

LinearRange linear_range(const HandlingCar& c, double V) { return linear_range(c, V, 0, true); }

// [T31.6]  d(yaw gain)/dV = 0
double characteristic_speed(const HandlingCar& c) {
  const auto car = make(c);
  const double V = first_root([&](double v) { return yaw_gain(c, *car, v * 1.001) - yaw_gain(c, *car, v * 0.999); });
  return V < critical_speed(c) || std::isnan(critical_speed(c)) ? V : kNone;
}
// [T31.7]  L + K V^2 = 0
double critical_speed(const HandlingCar& c) {
  const auto car = make(c);
  return first_root([&](double V) { return 1 / yaw_gain(c, *car, V); });
}
double top_speed(const HandlingCar& c) {
  const auto car = make(c);
  const double V = first_root([&](double v) {
    const auto u = try_straight(*car, v);
    return u ? room(c, *car, *u, {v, 0, 0}).drive : -1;
  });
  return std::isnan(V) ? kFastest : V;
}

// [T31.8]
UndersteerBudget understeer_budget(const HandlingCar& c, double V, double ay) {
  struct Part {
    unsigned bit;
    const char* name;
    bool planar;  // also of L1
  };
  constexpr Part parts[] = {{kLateralTransfer, "lateral load transfer", false},
                            {kPitchTransfer, "load transfer along the car", true},
                            {kAeroLoad, "aerodynamic load", true},
                            {kAligningMoment, "aligning moment of the tires", true},
                            {kRollingResistance, "rolling resistance", true},
                            {kDriveForce, "drive force at the wheels", true},
                            {kAckermann, "Ackermann angle", false},
                            {kLimitedDifferential, "locked or limited differential", false}};
  UndersteerBudget out{V, ay, {}, secant_gradient(c, V, ay, 0), {}};
  const LinearRange bare = linear_range(c, V, kAllEffects, false);
  for (int a = 0; a < 2; ++a) out.bare_stiffness[a] = bare.cornering_stiffness[a];
  out.rows.push_back({"weight and cornering stiffness", bare.K});
  const double bare_secant = secant_gradient(c, V, ay, kAllEffects);
  out.rows.push_back({"curve of the tires", bare_secant - bare.K});
  for (const Part& part : parts)
    if (part.planar || c.level != Level::L1)
      out.rows.push_back({part.name, 0.5 * (out.total - secant_gradient(c, V, ay, part.bit) +
                                            secant_gradient(c, V, ay, kAllEffects & ~part.bit) - bare_secant)});
  double sum = 0;
  for (const BudgetRow& row : out.rows) sum += row.K;
  if (std::isnan(sum)) return {V, ay, {}, kNone, {bare.cornering_stiffness[0], bare.cornering_stiffness[1]}};
  out.rows.push_back({"remainder: effects on each other", out.total - sum});
  return out;
}

HandlingDiagram diagram_at_speed(const HandlingCar& c, double V) { return diagram(c, false, V); }
HandlingDiagram diagram_at_radius(const HandlingCar& c, double R) { return diagram(c, true, R); }

Envelope acceleration_envelope(const HandlingCar& c, double V, int rays) {
  Envelope out{V, {}};
  for (int k = 0; k < rays; ++k) {
    const double angle = std::numbers::pi * k / std::max(rays - 1, 1);
    const auto car = make(c);
    const double along = std::cos(angle), across = k == 0 || k == rays - 1 ? 0 : std::sin(angle);
    const auto trim = [&](double p) { return Trim{V, p * across / V, p * along}; };
    PathOptions o{2, 0.1, 0.5, 1e9, {}};
    o.margin = [&](const Vector& u, double p) { return room(c, *car, u, trim(p)).least(); };
    const SteadyPath path = follow(*car, straight(*car, V), trim, o);
    const SteadyTurnPoint last = path.points.empty() ? SteadyTurnPoint{0, car->guess(V)} : path.points.back();
    out.points.push_back({angle, last.p * along, last.p * across, end_word(path, room(c, *car, last.u, trim(last.p)))});
  }
  return out;
}

Handling analyse_handling(const HandlingCar& c, const HandlingOptions& o) {
  Handling h{};
  h.at_speed = linear_range(c, o.speed);
  h.top = top_speed(c);
  std::vector<double> speeds = o.speeds;
  if (speeds.empty())
    for (double V = 5; V <= std::min(60.0, h.top); V += 2.5) speeds.push_back(V);
  for (const double V : speeds) h.over_speed.push_back(linear_range(c, V));
  h.characteristic = characteristic_speed(c);
  h.critical = critical_speed(c);
  h.constant_speed = diagram_at_speed(c, o.speed);
  h.constant_radius = diagram_at_radius(c, o.radius);
  h.budget = understeer_budget(c, o.speed, std::min(o.budget_ay, 0.6 * h.constant_speed.limit_ay));
  std::vector<double> envelope = o.envelope_speeds;
  if (envelope.empty())
    for (double V = 10; V <= std::min(70.0, 0.95 * h.top); V += 10) envelope.push_back(V);
  for (const double V : envelope) h.envelope.push_back(acceleration_envelope(c, V, o.rays));
  return h;
}

}  // namespace vdsim
