// SPDX-License-Identifier: Apache-2.0
// Figures of the standard manoeuvres, each a pure function of recorded signals.
// Theory: docs/theory/30_manoeuvre_metrics.md
//
// For all of them:
// - NaN: the answer does not exist (never reached, empty window, a NaN among the times). NaN in gives NaN out, so
//   figures can be built on figures.
// - A window [from, to] is cut to the record; nothing left is an empty window. Infinite ends are allowed.
// - Right turns: with every lateral signal negated, times and ratios stay the same, values change their sign.
// - ISO 8855 axes, SI units.
#pragma once
#include <limits>
#include <span>
#include <vector>

namespace vdsim {

inline constexpr double kEndOfRecord = std::numeric_limits<double>::infinity();

// t strictly increasing [s], x of the same length >= 1 (else std::invalid_argument), finite; linear between samples.
struct Signal {
  std::span<const double> t, x;
};

// ---- values and windows
double value_at(Signal s, double t);  // held before the first and after the last sample
bool recorded(Signal s, double t);    // t is within the record (and not NaN)
// Time integral, time mean, root mean square and standard deviation of the piecewise linear signal, exact, partial
// intervals included.  [T30.1], [T30.2]
double integral(Signal s, double from, double to);
double mean(Signal s, double from, double to);  // from == to: the value there
double rms(Signal s, double from, double to);
double deviation(Signal s, double from, double to);  // over the time mean of the window
double maximum(Signal s, double from, double to);
double minimum(Signal s, double from, double to);
double peak(Signal s, double from, double to);          // the value of largest magnitude, with its sign
double time_of_peak(Signal s, double from, double to);  // the first, if there are several [s]
// mean(after) / mean(before), as for braking in a turn (ISO 7975); NaN if the mean before is 0.  [T30.18]
double mean_ratio(Signal s, double before_from, double before_to, double after_from, double after_to);
// Values at from, from + dt, ... <= to, for spectra; empty if nothing of the window is recorded or dt <= 0.
std::vector<double> resampled(Signal s, double from, double to, double dt);

// ---- reaching a level
// First and last time >= from at which the signal is at the level or passes it [s].  [T30.3]
double crossing(Signal s, double level, double from);
double last_crossing(Signal s, double level, double from);

// ---- step response (ISO 7401)
// Time from `from` until the signal is first at or beyond share * steady, seen in the direction of steady; 0 if it is
// there at once; NaN for steady == 0.  [T30.4]
double response_time(Signal s, double share, double steady, double from);
// Time from `from` to the largest value in the direction of steady [s]; NaN without overshoot: it must lie more than
// kLeastOvershoot beyond steady (less is the ripple of a held speed), and the signal must come back to steady in the window.  [T30.23]
inline constexpr double kLeastOvershoot = 1e-3;
double peak_response_time(Signal s, double steady, double from, double to);
// Peak in the direction of steady over steady: 1 = none, below 1 if the window ends before steady is reached.  [T30.5]
double overshoot(Signal s, double steady, double from, double to);
double overshoot_share(Signal s, double steady, double from, double to);  // (peak - steady) / steady: 0 = none
// Time from `from` until it stays within steady +- band * |steady|; 0 if always; NaN if it is outside at the end of
// the record, or steady == 0.  [T30.6]
double settling_time(Signal s, double band, double steady, double from);
// Peak response time of the yaw rate [s] times the steady side slip angle [rad], in deg s, positive; NaN without a peak.  [T30.10]
double tb_factor(double peak_response_time, double steady_slip_angle);

// ---- steady turn (ISO 4138)
struct Line {
  double slope, intercept;  // x = intercept + slope * u
};
// Least squares over the samples with u_low <= u <= u_high on the branch on which u rises for the first time: it ends
// when u exceeds u_high, or at its maximum if it never does. What falls back into the window after the car has broken
// away does not count. A window below zero (u_low + u_high < 0) is mirrored: the branch falls to the minimum.
// NaN with fewer than two different u.  [T30.7]
Line line(std::span<const double> u, std::span<const double> x, double u_low, double u_high);
double slope(std::span<const double> u, std::span<const double> x, double u_low, double u_high);
// d(steer)/d(ay) [rad/(m/s^2)], steer at the road wheels [rad], over low <= |ay| <= high [m/s^2], 0 <= low; the side is
// that of the largest |ay|. Positive: understeer. Constant speed: less L/v^2.  [T30.8]
double understeer_gradient_radius(std::span<const double> ay, std::span<const double> steer, double low, double high);
double understeer_gradient_speed(std::span<const double> ay, std::span<const double> steer, double low, double high,
                                 double wheelbase, double speed);
double characteristic_speed(double wheelbase, double gradient);  // [m/s]; NaN unless gradient > 0  [T30.9]
double critical_speed(double wheelbase, double gradient);        // [m/s]; NaN unless gradient < 0  [T30.9]

// ---- braking (ECE R13H, ISO 21994); speed [m/s] of either sign
inline constexpr double kStandstill = 0.01;  // [m/s]; a stop that rocks or creeps has no sharper end
// First time >= from with |speed| <= standstill [s].
double stop_time(Signal speed, double from, double standstill = kStandstill);
double stopping_distance(Signal speed, double from, double standstill = kStandstill);    // from `from` on [m]  [T30.11]
double corrected_distance(double distance, double initial_speed, double nominal_speed);  // [m]  [T30.11]
// Mean fully developed deceleration [m/s^2], positive, between 0.8 and 0.1 of the speed at `from`; the distance is
// recorded [m] or the exact integral of the speed.  [T30.12]
double mfdd(Signal speed, Signal distance, double from);
double mfdd(Signal speed, double from);

// ---- sine with dwell (FMVSS 126, ECE R140); steer at the hand wheel [rad], zero before
inline constexpr double kSteerThreshold = 0.08726646259971647;  // 5 deg [rad]
double beginning_of_steer(Signal steer,
                          double threshold = kSteerThreshold);               // first |steer| >= threshold [s]  [T30.13]
double reversal_of_steer(Signal steer, double threshold = kSteerThreshold);  // first zero after that [s]
double completion_of_steer(Signal steer, double threshold = kSteerThreshold);  // zero after the second half wave [s]
// First peak of the yaw rate opposite to the first steer, after the reversal: the largest value before it falls by
// `drop` of itself (a ripple of the control is no peak). If it never falls so far, the largest of the record.  [T30.14]
inline constexpr double kPeakDrop = 0.02;
double second_yaw_peak(Signal yaw_rate, Signal steer, double drop = kPeakDrop);       // signed [rad/s]
double second_yaw_peak_time(Signal yaw_rate, Signal steer, double drop = kPeakDrop);  // [s]
// Yaw rate `after` seconds after the completion of steer over the second peak, signed share.  [T30.14]
double yaw_rate_ratio(Signal yaw_rate, Signal steer, double after);
// Displacement of the CG across the heading [rad] (positive left) between two recorded times [m].  [T30.15]
double path_displacement(Signal x, Signal y, double heading, double from, double to);
// The same `after` seconds after the beginning of steer, across the heading there, positive to the side of the first
// steer; and its definition in FMVSS 126, the double integral of the lateral acceleration (positive left).  [T30.15]
double lateral_displacement(Signal x, Signal y, Signal yaw, Signal steer, double after = 1.07);
double displacement_by_acceleration(Signal ay, double from, double to);
// Steer angle at |ay| = at, by line() through low <= |ay| <= high of a slowly increasing steer; positive.  [T30.16]
double steer_at_acceleration(std::span<const double> ay, std::span<const double> steer, double low = 0.1 * 9.80665,
                             double high = 0.375 * 9.80665, double at = 0.3 * 9.80665);

// ---- coast-down
struct RoadLoad {
  double f0, f1, f2;  // F = f0 + f1 v + f2 v^2 [N], [N s/m], [N s^2/m^2]; positive holds back
  double residual;    // rms of the speed not explained [m/s]
};
// From the speed of a car that rolls out on the level; mass with all that spins [kg]. NaN with fewer than 5 samples or
// if they do not tell the three terms apart.  [T30.17]
RoadLoad coast_down(Signal speed, double mass, double from, double to);

// Coefficients c of the least |sum c_k column_k - y|, by orthogonalisation; all NaN if the columns are dependent.
std::vector<double> least_squares(std::vector<std::vector<double>> columns, std::vector<double> y);

}  // namespace vdsim
