// SPDX-License-Identifier: Apache-2.0
#include "vdsim/study/maneuver/signal_metrics.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "vdsim/engine/same_math.hpp"

namespace vdsim {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr double kDegree = 0.017453292519943295;  // [rad]
constexpr double kTimeSlack = 1e-9;               // sums of times round [s]

void check(Signal s) {
  if (s.t.empty() || s.t.size() != s.x.size())
    throw std::invalid_argument("a signal needs as many values as times, at least one");
}

void check(std::span<const double> u, std::span<const double> x) {
  if (u.size() != x.size()) throw std::invalid_argument("samples of two signals differ in number");
}

// The time on the line from (t0, x0) to (t1, x1) at which it is at the level, which lies between x0 and x1.
double time_at(double t0, double x0, double t1, double x1, double level) {
  if (level == x0) return t0;
  if (level == x1) return t1;
  return t0 + (t1 - t0) * ((level - x0) / (x1 - x0));
}

// Calls f(t0, x0, t1, x1) for each straight piece of the window until it returns false. A window of one instant is one
// piece without length; an empty one has none.
template <class F> void each_piece(Signal s, double from, double to, F&& f) {
  check(s);
  if (!(from <= to) || from > s.t.back() || to < s.t.front()) return;
  from = std::max(from, s.t.front());
  to = std::min(to, s.t.back());
  std::size_t i = std::upper_bound(s.t.begin(), s.t.end(), from) - s.t.begin();
  double t = from, x = value_at(s, from);
  for (;; ++i) {
    const bool last = i >= s.t.size() || s.t[i] >= to;
    const double t1 = last ? to : s.t[i], x1 = last ? value_at(s, to) : s.x[i];
    if (!f(t, x, t1, x1) || last) return;
    t = t1;
    x = x1;
  }
}

struct Extreme {
  double t = kNone, x = kNone;
};

// The first point of the window with the largest key(x).
template <class Key> Extreme extreme(Signal s, double from, double to, Key key) {
  Extreme best;
  each_piece(s, from, to, [&](double t0, double x0, double t1, double x1) {
    if (std::isnan(best.t)) best = {t0, x0};
    if (key(x1) > key(best.x)) best = {t1, x1};
    return true;
  });
  return best;
}

// Integral of (x - c)^2 and the length of the window; a window of one instant counts as if it had length 1.
std::pair<double, double> square_integral(Signal s, double from, double to, double c) {
  double sum = 0, length = 0, value = kNone;
  each_piece(s, from, to, [&](double t0, double x0, double t1, double x1) {
    const double a = x0 - c, b = x1 - c;
    sum += (t1 - t0) * ((a * a + a * b + b * b) / 3);
    length += t1 - t0;
    value = a * a;
    return true;
  });
  return length > 0 ? std::pair{sum, length} : std::pair{value, 1.0};
}

// First time >= from with side * x >= side * level.
double first_beyond(Signal s, double side, double level, double from) {
  double found = kNone;
  each_piece(s, from, kEndOfRecord, [&](double t0, double x0, double t1, double x1) {
    if (side * x0 >= side * level)
      found = t0;
    else if (side * x1 >= side * level)
      found = time_at(t0, x0, t1, x1, level);
    return std::isnan(found);
  });
  return found;
}

double side_of(double x) { return x < 0 ? -1.0 : 1.0; }

// +1 (left) or -1: the side of the first steer
double first_side(Signal steer, double threshold) {
  return side_of(value_at(steer, beginning_of_steer(steer, threshold)));
}

// line() over low <= |ay| <= high on the side of the largest |ay|, turned to the left.
Line line_of_turn(std::span<const double> ay, std::span<const double> x, double low, double high) {
  check(ay, x);
  const auto largest =
      std::max_element(ay.begin(), ay.end(), [](double a, double b) { return std::abs(a) < std::abs(b); });
  const double side = largest == ay.end() ? 1 : side_of(*largest);
  Line l = side > 0 ? line(ay, x, low, high) : line(ay, x, -high, -low);
  l.intercept *= side;
  return l;
}

Extreme second_peak(Signal yaw_rate, Signal steer, double drop) {
  const double side = -first_side(steer, kSteerThreshold);
  Extreme best{kNone, 0};
  each_piece(yaw_rate, reversal_of_steer(steer), kEndOfRecord, [&](double, double, double t1, double x1) {
    if (side * x1 > side * best.x) best = {t1, x1};
    return best.x == 0 || side * x1 > side * best.x * (1 - drop);
  });
  return std::isnan(best.t) ? Extreme{} : best;
}

}  // namespace

// ------------------------------------------------------------------------------------------------ values and windows

double value_at(Signal s, double t) {
  check(s);
  if (std::isnan(t)) return kNone;
  const std::size_t i = std::upper_bound(s.t.begin(), s.t.end(), t) - s.t.begin();
  if (i == 0) return s.x.front();
  if (i == s.t.size()) return s.x.back();
  return s.x[i - 1] + (s.x[i] - s.x[i - 1]) * ((t - s.t[i - 1]) / (s.t[i] - s.t[i - 1]));
}

bool recorded(Signal s, double t) {
  check(s);
  return t >= s.t.front() - kTimeSlack && t <= s.t.back() + kTimeSlack;
}

double integral(Signal s, double from, double to) {
  double sum = kNone;
  each_piece(s, from, to, [&](double t0, double x0, double t1, double x1) {
    sum = (std::isnan(sum) ? 0 : sum) + (t1 - t0) * (0.5 * (x0 + x1));
    return true;
  });
  return sum;
}

double mean(Signal s, double from, double to) {
  check(s);
  const double length = std::min(to, s.t.back()) - std::max(from, s.t.front());
  return length > 0 ? integral(s, from, to) / length : integral(s, from, to) + value_at(s, from);
}

double rms(Signal s, double from, double to) {
  const auto [sum, length] = square_integral(s, from, to, 0);
  return std::sqrt(sum / length);
}

double deviation(Signal s, double from, double to) {
  const auto [sum, length] = square_integral(s, from, to, mean(s, from, to));
  return std::sqrt(sum / length);
}

double maximum(Signal s, double from, double to) {
  return extreme(s, from, to, [](double x) { return x; }).x;
}

double minimum(Signal s, double from, double to) {
  return extreme(s, from, to, [](double x) { return -x; }).x;
}

double peak(Signal s, double from, double to) {
  return extreme(s, from, to, [](double x) { return std::abs(x); }).x;
}

double time_of_peak(Signal s, double from, double to) {
  return extreme(s, from, to, [](double x) { return std::abs(x); }).t;
}

double mean_ratio(Signal s, double before_from, double before_to, double after_from, double after_to) {
  const double before = mean(s, before_from, before_to);
  return before != 0 ? mean(s, after_from, after_to) / before : kNone;
}

std::vector<double> resampled(Signal s, double from, double to, double dt) {
  check(s);
  from = std::max(from, s.t.front());
  to = std::min(to, s.t.back());
  std::vector<double> values;
  if (!(dt > 0) || !(from <= to)) return values;
  const std::size_t last = static_cast<std::size_t>((to - from + kTimeSlack) / dt);
  for (std::size_t i = 0; i <= last; ++i) values.push_back(value_at(s, from + static_cast<double>(i) * dt));
  return values;
}

// ------------------------------------------------------------------------------------------------ reaching a level

double crossing(Signal s, double level, double from) {
  double found = kNone;
  each_piece(s, from, kEndOfRecord, [&](double t0, double x0, double t1, double x1) {
    if (std::min(x0, x1) <= level && level <= std::max(x0, x1)) found = time_at(t0, x0, t1, x1, level);
    return std::isnan(found);
  });
  return found;
}

double last_crossing(Signal s, double level, double from) {
  double found = kNone;
  each_piece(s, from, kEndOfRecord, [&](double t0, double x0, double t1, double x1) {
    if (std::min(x0, x1) <= level && level <= std::max(x0, x1)) found = time_at(t1, x1, t0, x0, level);
    return true;
  });
  return found;
}

// ------------------------------------------------------------------------------------------------ step response

double response_time(Signal s, double share, double steady, double from) {
  if (steady == 0) return kNone;
  return first_beyond(s, side_of(steady), share * steady, from) - from;
}

double peak_response_time(Signal s, double steady, double from, double to) {
  const double side = side_of(steady);
  const Extreme top = extreme(s, from, to, [&](double x) { return side * x; });
  if (!(overshoot_share(s, steady, from, to) > kLeastOvershoot)) return kNone;
  return first_beyond(s, -side, steady, top.t) <= to ? top.t - from : kNone;
}

double overshoot(Signal s, double steady, double from, double to) {
  if (steady == 0) return kNone;
  return (steady > 0 ? maximum(s, from, to) : minimum(s, from, to)) / steady;
}

double overshoot_share(Signal s, double steady, double from, double to) { return overshoot(s, steady, from, to) - 1; }

double settling_time(Signal s, double band, double steady, double from) {
  const double width = band * std::abs(steady);
  if (steady == 0 || std::isnan(width)) return kNone;
  double settled = kNone;
  each_piece(s, from, kEndOfRecord, [&](double t0, double x0, double t1, double x1) {
    const bool out0 = std::abs(x0 - steady) > width, out1 = std::abs(x1 - steady) > width;
    if (out1)
      settled = kNone;
    else if (out0)
      settled = time_at(t0, x0, t1, x1, steady + std::copysign(width, x0 - steady));
    else if (std::isnan(settled))  // only the first piece can begin inside without having come in before
      settled = t0;
    return true;
  });
  return settled - from;
}

double tb_factor(double peak_response_time, double steady_slip_angle) {
  return peak_response_time * std::abs(steady_slip_angle) / kDegree;
}

// ------------------------------------------------------------------------------------------------ steady turn

Line line(std::span<const double> u, std::span<const double> x, double u_low, double u_high) {
  check(u, x);
  const double side = side_of(u_low + u_high), far = side > 0 ? u_high : u_low;
  std::size_t end = 0;  // of the branch
  for (std::size_t i = 0; i < u.size(); ++i) {
    if (side * u[i] > side * far) break;
    if (i == 0 || side * u[i] > side * u[end - 1]) end = i + 1;
  }
  double n = 0, u_mean = 0, x_mean = 0, uu = 0, ux = 0;
  for (std::size_t i = 0; i < end; ++i) {  // means and sums about them, sample by sample
    if (!(u[i] >= u_low && u[i] <= u_high)) continue;
    n += 1;
    const double du = u[i] - u_mean, dx = x[i] - x_mean;
    u_mean += du / n;
    x_mean += dx / n;
    uu += du * (u[i] - u_mean);
    ux += du * (x[i] - x_mean);
  }
  if (!(uu > 0)) return {kNone, kNone};
  return {ux / uu, x_mean - ux / uu * u_mean};
}

double slope(std::span<const double> u, std::span<const double> x, double u_low, double u_high) {
  return line(u, x, u_low, u_high).slope;
}

double understeer_gradient_radius(std::span<const double> ay, std::span<const double> steer, double low, double high) {
  return line_of_turn(ay, steer, low, high).slope;
}

double understeer_gradient_speed(std::span<const double> ay, std::span<const double> steer, double low, double high,
                                 double wheelbase, double speed) {
  return line_of_turn(ay, steer, low, high).slope - wheelbase / (speed * speed);
}

double characteristic_speed(double wheelbase, double gradient) {
  return gradient > 0 ? std::sqrt(wheelbase / gradient) : kNone;
}

double critical_speed(double wheelbase, double gradient) {
  return gradient < 0 ? std::sqrt(-wheelbase / gradient) : kNone;
}

// ------------------------------------------------------------------------------------------------ braking

double stop_time(Signal speed, double from, double standstill) {
  const double side = side_of(value_at(speed, from));
  return first_beyond(speed, -side, side * standstill, from);
}

double stopping_distance(Signal speed, double from, double standstill) {
  return std::abs(integral(speed, from, stop_time(speed, from, standstill)));
}

double corrected_distance(double distance, double initial_speed, double nominal_speed) {
  const double ratio = nominal_speed / initial_speed;
  return distance * ratio * ratio;
}

double mfdd(Signal speed, Signal distance, double from) {
  const double v0 = value_at(speed, from), vb = 0.8 * v0, ve = 0.1 * v0;
  const double sb = value_at(distance, stop_time(speed, from, std::abs(vb)));
  const double se = value_at(distance, stop_time(speed, from, std::abs(ve)));
  return v0 != 0 ? (vb * vb - ve * ve) / (2 * std::abs(se - sb)) : kNone;
}

double mfdd(Signal speed, double from) {
  const double v0 = value_at(speed, from), vb = 0.8 * v0, ve = 0.1 * v0;
  const double tb = stop_time(speed, from, std::abs(vb)), te = stop_time(speed, from, std::abs(ve));
  return v0 != 0 ? (vb * vb - ve * ve) / (2 * std::abs(integral(speed, tb, te))) : kNone;
}

// ------------------------------------------------------------------------------------------------ sine with dwell

double beginning_of_steer(Signal steer, double threshold) {
  const double begin = -kEndOfRecord;
  return std::fmin(first_beyond(steer, 1, threshold, begin), first_beyond(steer, -1, -threshold, begin));
}

double reversal_of_steer(Signal steer, double threshold) {
  return crossing(steer, 0, beginning_of_steer(steer, threshold));
}

double completion_of_steer(Signal steer, double threshold) {
  const double side = -first_side(steer, threshold);
  return crossing(steer, 0, first_beyond(steer, side, side * threshold, reversal_of_steer(steer, threshold)));
}

double second_yaw_peak(Signal yaw_rate, Signal steer, double drop) { return second_peak(yaw_rate, steer, drop).x; }
double second_yaw_peak_time(Signal yaw_rate, Signal steer, double drop) { return second_peak(yaw_rate, steer, drop).t; }

double yaw_rate_ratio(Signal yaw_rate, Signal steer, double after) {
  const double t = completion_of_steer(steer) + after;
  return recorded(yaw_rate, t) ? value_at(yaw_rate, t) / second_yaw_peak(yaw_rate, steer) : kNone;
}

double path_displacement(Signal x, Signal y, double heading, double from, double to) {
  if (!recorded(x, from) || !recorded(x, to)) return kNone;
  const double dx = value_at(x, to) - value_at(x, from), dy = value_at(y, to) - value_at(y, from);
  return vdsim::cos(heading) * dy - vdsim::sin(heading) * dx;
}

double lateral_displacement(Signal x, Signal y, Signal yaw, Signal steer, double after) {
  const double begin = beginning_of_steer(steer);
  return first_side(steer, kSteerThreshold) * path_displacement(x, y, value_at(yaw, begin), begin, begin + after);
}

double displacement_by_acceleration(Signal ay, double from, double to) {
  if (!(from <= to) || !recorded(ay, from) || !recorded(ay, to)) return kNone;
  double sum = 0;  // integral of (to - t) ay: the order of the two integrations exchanged
  each_piece(ay, from, to, [&](double t0, double a0, double t1, double a1) {
    const double h = t1 - t0;
    sum += h * ((to - t0) * (0.5 * (a0 + a1)) - h * (a0 + 2 * a1) / 6);
    return true;
  });
  return sum;
}

double steer_at_acceleration(std::span<const double> ay, std::span<const double> steer, double low, double high,
                             double at) {
  const Line l = line_of_turn(ay, steer, low, high);
  return l.intercept + l.slope * at;
}

// ------------------------------------------------------------------------------------------------ coast-down

std::vector<double> least_squares(std::vector<std::vector<double>> columns, std::vector<double> y) {
  const std::size_t m = columns.size(), n = y.size();
  const auto dot = [n](const std::vector<double>& a, const std::vector<double>& b) {
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) sum += a[i] * b[i];
    return sum;
  };
  const auto subtract = [n](std::vector<double>& a, double factor, const std::vector<double>& b) {
    for (std::size_t i = 0; i < n; ++i) a[i] -= factor * b[i];
  };
  std::vector<std::vector<double>> r(m, std::vector<double>(m, 0.0));
  std::vector<double> c(m, kNone), projected(m);
  for (std::size_t k = 0; k < m; ++k) {
    check(columns[k], y);
    const double before = std::sqrt(dot(columns[k], columns[k]));
    for (std::size_t j = 0; j < k; ++j) {
      r[j][k] = dot(columns[j], columns[k]);
      subtract(columns[k], r[j][k], columns[j]);
    }
    r[k][k] = std::sqrt(dot(columns[k], columns[k]));
    if (!(r[k][k] > 1e-12 * before)) return c;  // nothing but rounding is left: dependent
    for (double& value : columns[k]) value /= r[k][k];
    projected[k] = dot(columns[k], y);
    subtract(y, projected[k], columns[k]);  // as if y were one more column: stable without orthogonality to the bit
  }
  for (std::size_t k = m; k-- > 0;) {
    c[k] = projected[k];
    for (std::size_t j = k + 1; j < m; ++j) c[k] -= r[k][j] * c[j];
    c[k] /= r[k][k];
  }
  return c;
}

RoadLoad coast_down(Signal speed, double mass, double from, double to) {
  // v(t) = c - (f0 t + f1 int v + f2 int v^2) / m: no derivative of a noisy speed is needed, and v(0) is free.
  std::vector<std::vector<double>> columns(4);
  std::vector<double> v;
  double s1 = 0, s2 = 0, start = kNone;
  const auto add = [&](double t, double x) {
    columns[0].push_back(1);
    columns[1].push_back(-(t - start) / mass);
    columns[2].push_back(-s1 / mass);
    columns[3].push_back(-s2 / mass);
    v.push_back(x);
  };
  each_piece(speed, from, to, [&](double t0, double v0, double t1, double v1) {
    if (v.empty()) add(start = t0, v0);
    s1 += (t1 - t0) * (0.5 * (v0 + v1));
    s2 += (t1 - t0) * ((v0 * v0 + v0 * v1 + v1 * v1) / 3);
    add(t1, v1);
    return true;
  });
  if (v.size() < 5) return {kNone, kNone, kNone, kNone};
  const std::vector<double> c = least_squares(columns, v);
  double sum = 0;
  for (std::size_t i = 0; i < v.size(); ++i) {
    double rest = v[i];
    for (std::size_t k = 0; k < 4; ++k) rest -= c[k] * columns[k][i];
    sum += rest * rest;
  }
  return {c[1], c[2], c[3], std::sqrt(sum / static_cast<double>(v.size()))};
}

}  // namespace vdsim
