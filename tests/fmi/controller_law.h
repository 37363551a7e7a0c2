/* SPDX-License-Identifier: Apache-2.0 */
/* A controller that holds a speed and a lane: in an FMU (controller.c), and in the test beside it. */
#pragma once

struct Law {
  double target, gain, integral; /* [m/s], [s/m], [m] */
};
struct LawInput {
  double vx, y, psi, r, fz_left, fz_right; /* fz of the front wheels */
};
struct LawOutput {
  double throttle, brake, steer;
};

/* h: since the last call [s]; 0 at the first one. */
static inline struct LawOutput law_step(struct Law* law, struct LawInput in, double h) {
  const double error = law->target - in.vx;
  law->integral += h * error;
  const double pedal = law->gain * error + 0.05 * law->integral;
  const double steer = -0.01 * in.y - 0.2 * in.psi - 0.02 * in.r + 1e-7 * (in.fz_left - in.fz_right);
  struct LawOutput out;
  out.throttle = pedal > 1 ? 1 : pedal > 0 ? pedal : 0;
  out.brake = pedal < -1 ? 1 : pedal < 0 ? -pedal : 0;
  out.steer = steer > 0.2 ? 0.2 : steer < -0.2 ? -0.2 : steer;
  return out;
}
