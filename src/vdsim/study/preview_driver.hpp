// SPDX-License-Identifier: Apache-2.0
// A driver who looks ahead and steers: optimal preview (MacAdam) on the bicycle of the car, with the limits of a human.
// docs/theory/32_preview_driver.md
#pragma once
#include "vdsim/config/driver_spec.hpp"
#include "vdsim/study/command_levels.hpp"
#include "vdsim/study/path.hpp"

namespace vdsim {

// What the driver remembers between steps. Doubles only: no padding, may be kept as bytes.
struct PreviewMemory {
  static constexpr int kPast = 128;              // samples of the demand, every kSample
  static constexpr double kSample = 5e-3;        // [s]
  double started = 0;                            // 0: look for the nearest point on the whole path
  double time = 0;                               // since the start [s]
  double station = 0;                            // of the point of the path nearest to the CG [m]
  double trim = 0;                               // learnt correction of the steer angle [rad]
  double demand = 0;                             // the newest, at `time` [rad]
  double past[kPast] = {};                       // demand at k kSample in past[k % kPast] [rad]
  double kept = 0;                               // k of the newest sample
  double told = 0, muscle = 0, muscle_rate = 0;  // input, state of the lag [rad], [rad/s]
  double hand = 0;                               // angle given out last [rad]
};

// Road-wheel angle that follows the path [rad], positive left. Once per step; `done`: length of the step just done [s],
// 0 at the start. An open path goes straight on at its end. A slow car that points against the path backs along it, its
// rear axle on the path.
double preview_steer(const Path&, const NominalCar&, const HumanSpec&, PreviewMemory&, double done, const CommandView&);

// Unrest of the hand at the time t, variance 1: depends on seed and t alone.
double hand_noise(int seed, double t);

}  // namespace vdsim
