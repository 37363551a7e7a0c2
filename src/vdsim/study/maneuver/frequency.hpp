// SPDX-License-Identifier: Apache-2.0
// Frequency response from recorded input and output (ISO 7401: random, pulse and sinusoidal steer).
// Theory: docs/theory/30_manoeuvre_metrics.md. Phase: output minus input [rad], so a lag is negative.
#pragma once
#include <cmath>
#include <complex>
#include <span>
#include <vector>

#include "vdsim/study/maneuver/signal_metrics.hpp"

namespace vdsim {

// X_k = sum_n x_n exp(-2 pi i k n / N) for k = 0 .. N/2, any N >= 1.  [T30.19]
std::vector<std::complex<double>> real_fft(std::span<const double> x);

struct FrequencyResponse {
  std::vector<double> f;           // [Hz], evenly spaced from 1/(length of a segment) to half the sampling rate
  std::vector<double> gain;        // |y| / |u|
  std::vector<double> phase;       // [rad], unwrapped from the lowest frequency that the input really excites
  std::vector<double> coherence;   // 0 ... 1; NaN where either signal has no power
  std::vector<double> excitation;  // power of the input over its largest
  std::size_t segments = 0;        // averaged
};

// Welch's method: segments of segment_length samples, overlapping by that share, less their mean, under a Hann window;
// H1 = S_uy / S_uu. Without one full segment, or with segment_length < 2, all is empty; gain and phase are NaN where
// the input has no power. u and y sampled alike every dt [s].  [T30.20]
FrequencyResponse frequency_response(std::span<const double> u, std::span<const double> y, double dt,
                                     std::size_t segment_length, double overlap = 0.5);
// Samples in so many seconds; 0 if that is no number.
inline std::size_t samples(double seconds, double dt) {
  return seconds > 0 && seconds / dt < 1e9 ? static_cast<std::size_t>(std::lround(seconds / dt)) : 0;
}
// Y/U of the whole record without a window: a pulse or sweep from rest to rest. No coherence (NaN).  [T30.20]
FrequencyResponse transient_response(std::span<const double> u, std::span<const double> y, double dt);

FrequencyResponse band(const FrequencyResponse& r, double f_low, double f_high);  // the part with f_low <= f <= f_high

// Linear between the frequencies; NaN outside them.
double gain_at(const FrequencyResponse& r, double f);
double phase_at(const FrequencyResponse& r, double f);  // [rad]
double coherence_at(const FrequencyResponse& r, double f);
double equivalent_time(const FrequencyResponse& r, double f);  // -phase / (2 pi f) [s]  [T30.21]
// First frequency at which the gain has fallen to steady_gain / sqrt(2) [Hz]; NaN if it never does, or is below that
// from the start.  [T30.21]
double bandwidth(const FrequencyResponse& r, double steady_gain);

struct Resonance {
  double f;      // [Hz]
  double ratio;  // gain there over the steady gain
};
// Highest gain, by the parabola through it and its neighbours; NaN if it is highest at an end.  [T30.21]
Resonance resonance(const FrequencyResponse& r, double steady_gain);

struct SineFit {
  double amplitude, phase, offset;  // x = offset + amplitude sin(2 pi f t + phase), phase in (-pi, pi]
  double residual;                  // rms of the samples about it
};
// Least squares over the samples of the window, whole periods or not; NaN with fewer than 3 that differ.  [T30.22]
SineFit fit_sine(Signal s, double f, double from, double to);

struct SineResponse {
  double gain, phase;  // y over u; phase in (-pi, pi]
};
SineResponse sine_response(Signal u, Signal y, double f, double from, double to);  // steady sine of frequency f [Hz]

}  // namespace vdsim
