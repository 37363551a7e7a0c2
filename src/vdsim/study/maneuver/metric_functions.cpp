// SPDX-License-Identifier: Apache-2.0
#include "vdsim/study/maneuver/metric_functions.hpp"

#include <algorithm>
#include <cmath>

#include "vdsim/study/maneuver/frequency.hpp"
#include "vdsim/study/maneuver/signal_metrics.hpp"

namespace vdsim {
namespace {

// The arguments of one call, as the metric functions want them.
struct Call {
  std::span<const Trace> args;
  std::span<const double> t;
  std::vector<Trace> wide = {};  // keeps the rows of spread numbers alive

  std::span<const double> rows(std::size_t i) {
    wide.push_back(args[i].spread(t.size()));
    return wide.back().rows();
  }
  Signal signal(std::size_t i) { return {t, rows(i)}; }
  double number(std::size_t i) const { return args[i].number(); }
  // Arguments i, i + 1 are input and output; then from, to and the length of a segment [s].
  FrequencyResponse response(std::size_t i, std::size_t from) {
    const double dt = t.size() > 1 ? (t.back() - t.front()) / static_cast<double>(t.size() - 1) : 1;
    const auto u = resampled(signal(i), number(from), number(from + 1), dt);
    const auto y = resampled(signal(i + 1), number(from), number(from + 1), dt);
    return frequency_response(u, y, dt, samples(number(from + 2), dt));
  }
};

Reducer make(const char* name, const char* arguments, std::size_t signals, double (*call)(Call&)) {
  const std::string signature = std::string(name) + "(" + arguments + ")";
  const auto count = 1 + static_cast<std::size_t>(std::count(signature.begin(), signature.end(), ','));
  return {name,
          signature,
          count,
          count,
          [call](std::span<const Trace> args, std::span<const double> t) {
            Call c{args, t};
            c.wide.reserve(args.size());
            return call(c);
          },
          signals};
}

void add_windows(std::vector<Reducer>& out) {
  using C = Call&;
  const char* window = "signal, from, to";
  out.push_back(make("mean", window, 1, [](C c) { return mean(c.signal(0), c.number(1), c.number(2)); }));
  out.push_back(make("integral", window, 1, [](C c) { return integral(c.signal(0), c.number(1), c.number(2)); }));
  out.push_back(make("rms", window, 1, [](C c) { return rms(c.signal(0), c.number(1), c.number(2)); }));
  out.push_back(make("deviation", window, 1, [](C c) { return deviation(c.signal(0), c.number(1), c.number(2)); }));
  out.push_back(make("maximum", window, 1, [](C c) { return maximum(c.signal(0), c.number(1), c.number(2)); }));
  out.push_back(make("minimum", window, 1, [](C c) { return minimum(c.signal(0), c.number(1), c.number(2)); }));
  out.push_back(make("peak", window, 1, [](C c) { return peak(c.signal(0), c.number(1), c.number(2)); }));
  out.push_back(
      make("time_of_peak", window, 1, [](C c) { return time_of_peak(c.signal(0), c.number(1), c.number(2)); }));
  out.push_back(make("value_at", "signal, time", 1, [](C c) { return value_at(c.signal(0), c.number(1)); }));
  out.push_back(
      make("crossing", "signal, level, from", 1, [](C c) { return crossing(c.signal(0), c.number(1), c.number(2)); }));
  out.push_back(make("last_crossing", "signal, level, from", 1,
                     [](C c) { return last_crossing(c.signal(0), c.number(1), c.number(2)); }));
  out.push_back(make("mean_ratio", "signal, before_from, before_to, after_from, after_to", 1,
                     [](C c) { return mean_ratio(c.signal(0), c.number(1), c.number(2), c.number(3), c.number(4)); }));
}

void add_steps(std::vector<Reducer>& out) {
  using C = Call&;
  out.push_back(make("response_time", "signal, share, steady, from", 1,
                     [](C c) { return response_time(c.signal(0), c.number(1), c.number(2), c.number(3)); }));
  out.push_back(make("peak_response_time", "signal, steady, from, to", 1,
                     [](C c) { return peak_response_time(c.signal(0), c.number(1), c.number(2), c.number(3)); }));
  out.push_back(make("overshoot", "signal, steady, from, to", 1,
                     [](C c) { return overshoot(c.signal(0), c.number(1), c.number(2), c.number(3)); }));
  out.push_back(make("overshoot_share", "signal, steady, from, to", 1,
                     [](C c) { return overshoot_share(c.signal(0), c.number(1), c.number(2), c.number(3)); }));
  out.push_back(make("settling_time", "signal, band, steady, from", 1,
                     [](C c) { return settling_time(c.signal(0), c.number(1), c.number(2), c.number(3)); }));
  out.push_back(make("tb_factor", "peak_response_time, steady_slip_angle", 0,
                     [](C c) { return tb_factor(c.number(0), c.number(1)); }));
  out.push_back(make("slope", "over, signal, low, high", 2,
                     [](C c) { return slope(c.rows(0), c.rows(1), c.number(2), c.number(3)); }));
  out.push_back(make("understeer_radius", "ay, steer, low, high", 2,
                     [](C c) { return understeer_gradient_radius(c.rows(0), c.rows(1), c.number(2), c.number(3)); }));
  out.push_back(make("understeer_speed", "ay, steer, low, high, wheelbase, speed", 2, [](C c) {
    return understeer_gradient_speed(c.rows(0), c.rows(1), c.number(2), c.number(3), c.number(4), c.number(5));
  }));
  out.push_back(make("characteristic_speed", "wheelbase, gradient", 0,
                     [](C c) { return characteristic_speed(c.number(0), c.number(1)); }));
  out.push_back(
      make("critical_speed", "wheelbase, gradient", 0, [](C c) { return critical_speed(c.number(0), c.number(1)); }));
}

void add_stops(std::vector<Reducer>& out) {
  using C = Call&;
  out.push_back(make("stop_time", "speed, from", 1, [](C c) { return stop_time(c.signal(0), c.number(1)); }));
  out.push_back(
      make("stopping_distance", "speed, from", 1, [](C c) { return stopping_distance(c.signal(0), c.number(1)); }));
  out.push_back(make("corrected_distance", "distance, initial_speed, nominal_speed", 0,
                     [](C c) { return corrected_distance(c.number(0), c.number(1), c.number(2)); }));
  out.push_back(make("mfdd", "speed, from", 1, [](C c) { return mfdd(c.signal(0), c.number(1)); }));
  const char* road = "speed, mass, from, to";
  out.push_back(
      make("coast_f0", road, 1, [](C c) { return coast_down(c.signal(0), c.number(1), c.number(2), c.number(3)).f0; }));
  out.push_back(
      make("coast_f1", road, 1, [](C c) { return coast_down(c.signal(0), c.number(1), c.number(2), c.number(3)).f1; }));
  out.push_back(
      make("coast_f2", road, 1, [](C c) { return coast_down(c.signal(0), c.number(1), c.number(2), c.number(3)).f2; }));
}

void add_dwell(std::vector<Reducer>& out) {
  using C = Call&;
  out.push_back(make("beginning_of_steer", "steer_wheel", 1, [](C c) { return beginning_of_steer(c.signal(0)); }));
  out.push_back(make("completion_of_steer", "steer_wheel", 1, [](C c) { return completion_of_steer(c.signal(0)); }));
  out.push_back(
      make("second_yaw_peak", "r, steer_wheel", 2, [](C c) { return second_yaw_peak(c.signal(0), c.signal(1)); }));
  out.push_back(make("yaw_rate_ratio", "r, steer_wheel, after", 2,
                     [](C c) { return yaw_rate_ratio(c.signal(0), c.signal(1), c.number(2)); }));
  out.push_back(make("lateral_displacement", "x, y, psi, steer_wheel, after", 4, [](C c) {
    return lateral_displacement(c.signal(0), c.signal(1), c.signal(2), c.signal(3), c.number(4));
  }));
  out.push_back(make("steer_at", "ay, steer, low, high, at", 2, [](C c) {
    return steer_at_acceleration(c.rows(0), c.rows(1), c.number(2), c.number(3), c.number(4));
  }));
}

void add_spectra(std::vector<Reducer>& out) {
  using C = Call&;
  const char* at = "input, output, f, from, to, segment";
  out.push_back(make("gain", at, 2, [](C c) { return gain_at(c.response(0, 3), c.number(2)); }));
  out.push_back(make("phase_lag", at, 2, [](C c) { return -phase_at(c.response(0, 3), c.number(2)); }));
  out.push_back(make("coherence", at, 2, [](C c) { return coherence_at(c.response(0, 3), c.number(2)); }));
  out.push_back(make("equivalent_time", at, 2, [](C c) { return equivalent_time(c.response(0, 3), c.number(2)); }));
  const char* over = "input, output, steady_gain, from, to, segment, f_low, f_high";
  out.push_back(make("bandwidth", over, 2,
                     [](C c) { return bandwidth(band(c.response(0, 3), c.number(6), c.number(7)), c.number(2)); }));
  out.push_back(make("resonance_frequency", over, 2,
                     [](C c) { return resonance(band(c.response(0, 3), c.number(6), c.number(7)), c.number(2)).f; }));
  out.push_back(make("resonance_ratio", over, 2, [](C c) {
    return resonance(band(c.response(0, 3), c.number(6), c.number(7)), c.number(2)).ratio;
  }));
  out.push_back(make("sine_gain", "input, output, f, from, to", 2, [](C c) {
    return sine_response(c.signal(0), c.signal(1), c.number(2), c.number(3), c.number(4)).gain;
  }));
  out.push_back(make("sine_lag", "input, output, f, from, to", 2, [](C c) {
    return -sine_response(c.signal(0), c.signal(1), c.number(2), c.number(3), c.number(4)).phase;
  }));
}

}  // namespace

const std::vector<Reducer>& metric_functions() {
  static const std::vector<Reducer> all = [] {
    std::vector<Reducer> out;
    add_windows(out);
    add_steps(out);
    add_stops(out);
    add_dwell(out);
    add_spectra(out);
    return out;
  }();
  return all;
}

}  // namespace vdsim
