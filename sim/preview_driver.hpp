// A driver who looks ahead and steers: optimal preview (MacAdam) on the bicycle of the car, with the limits of a human.
// docs/theory/32_preview_driver.md
#pragma once
#include "sim/command_ladder.hpp"
#include "sim/path.hpp"

namespace vdsim {

// 0 = ideal, except preview.
struct HumanSpec {
  double preview = 1.0;
  double delay = 0, bandwidth = 0, steer_rate = 0, noise = 0;
  int seed = 1;

  static constexpr auto fields() {
    using S = HumanSpec;
    return std::tuple{field("preview", &S::preview, "s", between(0.2, 5), "time over which a path error is closed"),
                      field("delay", &S::delay, "s", between(0, 0.5), "from seeing to acting"),
                      field("bandwidth", &S::bandwidth, "Hz", at_least(0),
                            "of arms and muscles: half the power comes through; 0 = at once"),
                      field("steer_rate", &S::steer_rate, "rad/s", at_least(0),
                            "fastest change of the road-wheel angle; 0 = no limit"),
                      field("noise", &S::noise, "rad", at_least(0), "unrest of the road-wheel angle, RMS"),
                      field("seed", &S::seed, "-", at_least(0), "of the noise; same seed, same hand")};
  }
};
VD_COMPLETE(HumanSpec);

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
double preview_steer(const Path&, const LadderCar&, const HumanSpec&, PreviewMemory&, double done, const LadderView&);

// Unrest of the hand at the time t, variance 1: depends on seed and t alone.
double hand_noise(int seed, double t);

}  // namespace vdsim
