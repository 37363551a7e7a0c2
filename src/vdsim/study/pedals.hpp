// SPDX-License-Identifier: Apache-2.0
// Pedals for an acceleration: the observer, the stop and the pedal law that the speed controller and the acceleration level share.
// The disturbance is estimated by an observer that is fed the pedal really applied: integral action that cannot wind up.
// Pedals are continuous through zero, so throttle and brake do not alternate.
#pragma once
#include <algorithm>

namespace vdsim {

inline constexpr double kObserver = 5;         // bandwidth of the observer [1/s]
inline constexpr double kMostDisturbance = 6;  // bound of the estimate [m/s^2]: spinning wheels must not run it away
inline constexpr double kStandSpeed = 0.05;    // below it a car that is to stop has its brake pressed home [m/s]
inline constexpr double kHoldRate = 4;         // how fast [1/s]

// Remembered between steps; part of a run's snapshot.
struct PedalMemory {
  double speed = 0;        // estimated speed along the gear's direction [m/s]
  double disturbance = 0;  // estimated acceleration by what the model lacks [m/s^2]
  double pedal = 0;        // last demand, as the acceleration it should give [m/s^2]
  double hold = 0;         // brake pedal while standing
  enum Mode : int { fresh, driving, standing } mode = fresh;
};

// Accelerations that full pedals give [m/s^2].
struct PedalGain {
  double throttle, brake;
};
struct Pedals {
  double throttle = 0, brake = 0;
};

// Slow enough to stand; one that stands already is not woken by a little motion.
inline bool slow_enough(const PedalMemory& m, double v) {
  return v < (m.mode == PedalMemory::standing ? 10 * kStandSpeed : kStandSpeed);
}
// Brake of a car that stands; `needed`: pedal that balances the slope.
inline double stand_still(PedalMemory& m, double v, double needed, double done) {
  m.mode = PedalMemory::standing;
  m.hold = std::min(1.0, std::max(m.hold, needed) + kHoldRate * done);
  m.speed = v;  // the observer sleeps: how much of the brake is used is unknown
  m.pedal = 0;
  return m.hold;
}
// v^' = pedal + known + d + 2w (v - v^),  d' = w^2 (v - v^);  pedal: of the step just done
inline void observe(PedalMemory& m, double v, double known, double done) {
  const double error = v - m.speed;
  m.speed += done * (m.pedal + known + m.disturbance + 2 * kObserver * error);
  m.disturbance = std::clamp(m.disturbance + done * kObserver * kObserver * error, -kMostDisturbance, kMostDisturbance);
}
// The brake only ever slows down: rolling against the gear (v <= 0), the throttle or nothing is right.
inline Pedals press(PedalMemory& m, double ask, double v, const PedalGain& gain) {
  Pedals out;
  if (ask >= 0)
    out.throttle = gain.throttle > 0 ? std::min(1.0, ask / gain.throttle) : 0;
  else
    out.brake = gain.brake > 0 && v > 0 ? std::min(1.0, -ask / gain.brake) : 0;
  m.pedal = out.throttle * gain.throttle - out.brake * gain.brake;
  m.hold = out.brake;
  return out;
}

}  // namespace vdsim
