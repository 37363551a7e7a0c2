// SPDX-License-Identifier: Apache-2.0
// Brake line of one wheel: the friction capacity follows its command with a lag and limited rates.
// docs/theory/14_brakes_and_control.md.
#pragma once
#include "vdsim/core/control/control_spec.hpp"
#include "vdsim/core/math/real.hpp"

namespace vdsim {

template <class R> struct LineParams {
  R lag;       // [s]
  R up, down;  // fastest rise and fall [N m/s], both positive
};

// [T14.1]  e = c - p, e' = c' - clamp(e/tau, -down, up).  With c' constant this is a scalar autonomous equation: e is
// monotone and crosses each of its three ranges at most once, each in closed form. Returns e after the time t.
template <class R> VD_NOINLINE R line_error(const LineParams<R>& p, R e, R rate, R t) {
  const R hi = p.up * p.lag, lo = -(p.down * p.lag), rest = rate * p.lag, zero = R(0.0), never = R(1e30);
  R left = t;
  for (int k = 0; k < 3; ++k) {
    const mask_t<R> over = (e > hi) | ((e >= hi) & (rate > p.up)), under = (e < lo) | ((e <= lo) & (rate < -p.down));
    const mask_t<R> limited = over | under;
    // limited: a straight line towards the edge of the range, or away from it
    const R q = rate - select(over, p.up, -p.down), edge = select(over, hi, lo);
    const mask_t<R> comes = (edge - e) * q > zero;
    const R t_line = select(comes, (edge - e) / select(comes, q, R(1.0)), never);
    // lag: exponential towards `rest`, which may lie beyond an edge
    const R gate = select(rest > e, hi, lo);
    const mask_t<R> leaves = (gate - e) * (rest - gate) > zero;
    const R x = select(leaves, (gate - rest) / select(leaves, e - rest, R(1.0)), R(1.0));
    const R t_lag = select(leaves, -(p.lag * log(x)), never);
    const R until = select(limited, t_line, t_lag), dt = min(left, until);
    const R moved = select(limited, e + q * dt, rest + (e - rest) * exp(-(dt / p.lag)));
    e = select(until <= left, select(limited, edge, gate), moved);
    left = left - dt;
    if (all(left <= zero)) break;
  }
  return e;
}

// Capacity at the start, middle and end of a step whose command goes linearly from c0 to c1.
template <class R> VD_FN void line_step(const LineParams<R>& p, R& torque, R c0, R c1, R h, R out[3]) {
  const R rate = (c1 - c0) / h, e = c0 - torque;
  out[0] = torque;
  out[1] = R(0.5) * (c0 + c1) - line_error(p, e, rate, R(0.5) * h);
  out[2] = c1 - line_error(p, e, rate, h);
  torque = out[2];
}

}  // namespace vdsim
