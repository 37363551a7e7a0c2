// SPDX-License-Identifier: Apache-2.0
#include "vdsim/study/maneuver/frequency.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>

#include "vdsim/engine/same_math.hpp"

namespace vdsim {
namespace {

using Complex = std::complex<double>;
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr double kTurn = 2 * std::numbers::pi;

// exp(sign * 2 pi i k / n); k is reduced first, so that the angle is as exact for large k as for small
Complex root(std::size_t k, std::size_t n, double sign) {
  const double angle = sign * kTurn * (static_cast<double>(k % n) / static_cast<double>(n));
  return {vdsim::cos(angle), vdsim::sin(angle)};
}

// In place, the length a power of 2; sign -1: transform, +1: inverse times the length.
void transform(std::vector<Complex>& a, double sign) {
  const std::size_t n = a.size();
  for (std::size_t i = 1, j = 0; i < n; ++i) {  // j: the bits of i reversed
    std::size_t bit = n >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) std::swap(a[i], a[j]);
  }
  std::vector<Complex> w(n / 2);
  for (std::size_t k = 0; k < n / 2; ++k) w[k] = root(k, n, sign);
  for (std::size_t length = 2; length <= n; length *= 2)
    for (std::size_t i = 0; i < n; i += length)
      for (std::size_t k = 0; k < length / 2; ++k) {
        const Complex even = a[i + k], odd = a[i + k + length / 2] * w[k * (n / length)];
        a[i + k] = even + odd;
        a[i + k + length / 2] = even - odd;
      }
}

// Any length: with 2kn = k^2 + n^2 - (k - n)^2 the transform is a convolution, done with powers of 2.
std::vector<Complex> chirp_transform(std::span<const double> x) {
  const std::size_t n = x.size();
  std::size_t m = 1;
  while (m < 2 * n - 1) m *= 2;
  std::vector<Complex> a(m), b(m);
  for (std::size_t k = 0; k < n; ++k) {
    a[k] = x[k] * root(k * k, 2 * n, -1);
    b[k] = b[(m - k) % m] = root(k * k, 2 * n, 1);
  }
  transform(a, -1);
  transform(b, -1);
  for (std::size_t k = 0; k < m; ++k) a[k] *= b[k] / static_cast<double>(m);
  transform(a, 1);
  for (std::size_t k = 0; k < n; ++k) a[k] *= root(k * k, 2 * n, -1);
  return a;
}

struct Spectra {
  std::vector<double> uu, yy;
  std::vector<Complex> uy;
  std::size_t segments = 0;

  explicit Spectra(std::size_t length) : uu(length / 2 + 1), yy(length / 2 + 1), uy(length / 2 + 1) {}
  void add(std::span<const double> u, std::span<const double> y) {
    const std::vector<Complex> U = real_fft(u), Y = real_fft(y);
    for (std::size_t k = 0; k < uu.size(); ++k) {
      uu[k] += std::norm(U[k]);
      yy[k] += std::norm(Y[k]);
      uy[k] += std::conj(U[k]) * Y[k];
    }
    ++segments;
  }
};

double nearest_turn(double phase, double to) { return phase - kTurn * std::round((phase - to) / kTurn); }

// From the lowest frequency with 1 % of the largest input power up and down: where the input has next to none the phase
// is noise, and an unwrapping that came from there would carry false turns along.
void unwrap(FrequencyResponse& r, const std::vector<double>& power) {
  const double enough = 0.01 * *std::max_element(power.begin(), power.end());
  const std::size_t start =
      std::find_if(power.begin(), power.end(), [&](double p) { return p >= enough; }) - power.begin();
  double last = r.phase[start];
  for (std::size_t k = start + 1; k < r.phase.size(); ++k)
    if (!std::isnan(r.phase[k])) last = r.phase[k] = nearest_turn(r.phase[k], last);
  last = r.phase[start];
  for (std::size_t k = start; k-- > 0;)
    if (!std::isnan(r.phase[k])) last = r.phase[k] = nearest_turn(r.phase[k], last);
}

// Without the mean (k = 0), which the segments have lost.
FrequencyResponse response(const Spectra& s, double df) {
  FrequencyResponse r;
  r.segments = s.segments;
  for (std::size_t k = 1; k < s.uu.size(); ++k) {
    const Complex h = s.uy[k] / s.uu[k];
    r.f.push_back(static_cast<double>(k) * df);
    r.gain.push_back(s.uu[k] > 0 ? std::abs(h) : kNone);
    r.phase.push_back(s.uu[k] > 0 ? std::arg(h) : kNone);
    r.coherence.push_back(std::norm(s.uy[k]) / (s.uu[k] * s.yy[k]));
  }
  const double most = *std::max_element(s.uu.begin() + 1, s.uu.end());
  for (std::size_t k = 1; k < s.uu.size(); ++k) r.excitation.push_back(most > 0 ? s.uu[k] / most : 0);
  unwrap(r, {s.uu.begin() + 1, s.uu.end()});
  return r;
}

void check(std::span<const double> u, std::span<const double> y) {
  if (u.size() != y.size()) throw std::invalid_argument("input and output differ in length");
}

double at(const FrequencyResponse& r, const std::vector<double>& values, double f) {
  if (r.f.empty() || !(f >= r.f.front() && f <= r.f.back())) return kNone;
  return value_at({r.f, values}, f);
}

}  // namespace

std::vector<Complex> real_fft(std::span<const double> x) {
  if (x.empty()) throw std::invalid_argument("a transform needs at least one value");
  std::vector<Complex> a;
  if ((x.size() & (x.size() - 1)) == 0) {
    a.assign(x.begin(), x.end());
    transform(a, -1);
  } else {
    a = chirp_transform(x);
  }
  a.resize(x.size() / 2 + 1);
  return a;
}

FrequencyResponse frequency_response(std::span<const double> u, std::span<const double> y, double dt,
                                     std::size_t segment_length, double overlap) {
  check(u, y);
  if (!(overlap >= 0 && overlap < 1)) throw std::invalid_argument("the overlap is a share from 0 to below 1");
  if (segment_length < 2 || u.size() < segment_length) return {};
  const double n = static_cast<double>(segment_length);
  const std::size_t hop = std::max<std::size_t>(1, static_cast<std::size_t>(std::lround(n * (1 - overlap))));
  const auto windowed = [&](std::span<const double> x) {
    double sum = 0;
    for (const double value : x) sum += value;
    std::vector<double> w(segment_length);
    for (std::size_t i = 0; i < segment_length; ++i)
      w[i] = (x[i] - sum / n) * (0.5 - 0.5 * vdsim::cos(kTurn * static_cast<double>(i) / n));
    return w;
  };
  Spectra s(segment_length);
  for (std::size_t i = 0; i + segment_length <= u.size(); i += hop)
    s.add(windowed(u.subspan(i, segment_length)), windowed(y.subspan(i, segment_length)));
  return response(s, 1 / (n * dt));
}

FrequencyResponse transient_response(std::span<const double> u, std::span<const double> y, double dt) {
  check(u, y);
  if (u.size() < 2) return {};
  Spectra s(u.size());
  s.add(u, y);
  FrequencyResponse r = response(s, 1 / (static_cast<double>(u.size()) * dt));
  std::fill(r.coherence.begin(), r.coherence.end(), kNone);
  return r;
}

FrequencyResponse band(const FrequencyResponse& r, double f_low, double f_high) {
  FrequencyResponse part;
  part.segments = r.segments;
  for (std::size_t k = 0; k < r.f.size(); ++k) {
    if (!(r.f[k] >= f_low && r.f[k] <= f_high)) continue;
    part.f.push_back(r.f[k]);
    part.gain.push_back(r.gain[k]);
    part.phase.push_back(r.phase[k]);
    part.coherence.push_back(r.coherence[k]);
    if (k < r.excitation.size()) part.excitation.push_back(r.excitation[k]);
  }
  return part;
}

double gain_at(const FrequencyResponse& r, double f) { return at(r, r.gain, f); }
double phase_at(const FrequencyResponse& r, double f) { return at(r, r.phase, f); }
double coherence_at(const FrequencyResponse& r, double f) { return at(r, r.coherence, f); }
double equivalent_time(const FrequencyResponse& r, double f) { return -phase_at(r, f) / (kTurn * f); }

double bandwidth(const FrequencyResponse& r, double steady_gain) {
  const double level = steady_gain / std::numbers::sqrt2;
  if (r.f.empty() || !(r.gain.front() >= level)) return kNone;
  return crossing({r.f, r.gain}, level, r.f.front());
}

Resonance resonance(const FrequencyResponse& r, double steady_gain) {
  const auto top = std::max_element(r.gain.begin(), r.gain.end());
  if (r.gain.size() < 3 || top == r.gain.begin() || top == r.gain.end() - 1) return {kNone, kNone};
  const double left = top[-1], middle = top[0], right = top[1];
  const double bend = left - 2 * middle + right;
  const double shift = bend < 0 ? 0.5 * (left - right) / bend : 0;  // of the vertex, in spacings; at most half of one
  const std::size_t k = top - r.gain.begin();
  return {r.f[k] + shift * (r.f[k + 1] - r.f[k]), (middle - 0.25 * (left - right) * shift) / steady_gain};
}

SineFit fit_sine(Signal s, double f, double from, double to) {
  if (s.t.size() != s.x.size()) throw std::invalid_argument("a signal needs as many values as times");
  std::vector<std::vector<double>> columns(3);
  std::vector<double> x;
  for (std::size_t i = 0; i < s.t.size(); ++i) {
    if (!(s.t[i] >= from && s.t[i] <= to)) continue;
    columns[0].push_back(vdsim::sin(kTurn * f * s.t[i]));
    columns[1].push_back(vdsim::cos(kTurn * f * s.t[i]));
    columns[2].push_back(1);
    x.push_back(s.x[i]);
  }
  if (x.size() < 3) return {kNone, kNone, kNone, kNone};
  const std::vector<double> c = least_squares(columns, x);
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double rest = x[i] - c[0] * columns[0][i] - c[1] * columns[1][i] - c[2];
    sum += rest * rest;
  }
  return {vdsim::hypot(c[0], c[1]), vdsim::atan2(c[1], c[0]), c[2], std::sqrt(sum / static_cast<double>(x.size()))};
}

SineResponse sine_response(Signal u, Signal y, double f, double from, double to) {
  const SineFit in = fit_sine(u, f, from, to), out = fit_sine(y, f, from, to);
  double phase = nearest_turn(out.phase - in.phase, 0);
  if (phase <= -std::numbers::pi) phase += kTurn;
  return {in.amplitude > 0 ? out.amplitude / in.amplitude : kNone, in.amplitude > 0 ? phase : kNone};
}

}  // namespace vdsim
