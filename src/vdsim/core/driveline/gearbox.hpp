// SPDX-License-Identifier: Apache-2.0
// Gearbox: ratios, losses, and when to shift. docs/theory/13_powertrain.md.
#pragma once
#include "vdsim/core/driveline/engine.hpp"

namespace vdsim {

template <class R> struct GearboxParams {
  R ratio[kMaxGears];  // forward gears, final drive included [-]
  R reverse;           // the same for reverse, positive
  R efficiency;
  R shift_time;      // [s]
  R up, down, most;  // engine speeds of upshift, downshift, and above which no gear is engaged [rad/s]
  R lowest;          // lowest gear of auto
};
struct GearboxKind {
  int gears;
  bool automatic;
  bool operator==(const GearboxKind&) const = default;
};
template <class R> struct GearboxState {
  R gear;        // -1, 0, 1 .. N: engaged, or being engaged
  R shift_left;  // time until it is in [s]; clutch open meanwhile

  static constexpr auto fields() {
    using S = GearboxState;
    return std::tuple{field("gear", &S::gear, "-", any_finite(), "gear engaged or being engaged"),
                      field("shift_left", &S::shift_left, "s", any_finite(), "time until it is engaged")};
  }
};
VD_COMPLETE(GearboxState<double>);

// Engine speed / axle speed; 0 in neutral, negative in reverse.
template <class R> VD_FN R gear_ratio(const GearboxKind& kind, const GearboxParams<R>& p, R gear) {
  R i = select(gear < R(0.0), -p.reverse, R(0.0));
  for (int n = 0; n < kind.gears; ++n) i = select(gear == R(double(n + 1)), p.ratio[n], i);
  return i;
}

// [T13.4]  Fixed efficiency: output power is eta times input power, whichever way it flows. T, w: torque and speed at
// the input.
template <class R> VD_FN R gear_factor(R efficiency, R T, R w) {
  return select(T * w >= R(0.0), efficiency, R(1.0) / efficiency);
}

// The lowest gear, not below `lowest`, in which an axle at speed w turns the engine no faster than the upshift speed.
template <class R> VD_FN R fitting_gear(const GearboxKind& kind, const GearboxParams<R>& p, R w) {
  R gear = R(double(kind.gears));
  for (int n = kind.gears - 1; n >= 0; --n) {
    const R g = R(double(n + 1));
    gear = select((g >= p.lowest) & (p.ratio[n] * w <= p.up), g, gear);
  }
  return gear;
}

// Gear wanted now. command: -1 reverse, 0 neutral, auto: above 0 drive, manual: n-th gear. w: axle speed [rad/s].
// settled: the clutch has closed since the last shift.
template <class R>
VD_FN R wanted_gear(const GearboxKind& kind, const GearboxParams<R>& p, R gear, R command, R w, mask_t<R> settled) {
  const R zero = R(0.0), one = R(1.0);
  const R asked = clamp(floor(command + R(0.5)), -one, R(double(kind.gears)));
  if (!kind.automatic) {
    const R speed = gear_ratio(kind, p, asked) * w;
    return select(speed <= p.most, asked, gear);
  }
  const R speed = gear_ratio(kind, p, gear) * w, last = R(double(kind.gears));
  const R up = select(settled & (speed > p.up) & (gear < last), gear + one, gear);
  const R drive = select(settled & (speed < p.down) & (gear > p.lowest), gear - one, up);
  const R forward = select(gear > zero, drive, fitting_gear(kind, p, w));
  return select(asked > zero, forward, asked);
}

// Gear decisions are taken at the start of a step; a shift lasts shift_time. Returns the lanes that began one.
template <class R> VD_FN mask_t<R> gearbox_decide(const GearboxKind& kind, const GearboxParams<R>& p,
                                                  GearboxState<R>& s, R command, R w, mask_t<R> settled) {
  const R gear = wanted_gear(kind, p, s.gear, command, w, settled);
  const mask_t<R> begins = gear != s.gear;
  s.shift_left = select(begins, p.shift_time, s.shift_left);
  s.gear = gear;
  return begins;
}

inline GearboxKind gearbox_kind(const PowertrainSpec& s) {
  return {s.gearbox.gear_ratios.count, s.shift.mode == ShiftMode::auto_rpm};
}
inline GearboxParams<double> compile_gearbox(const PowertrainSpec& s) {
  GearboxParams<double> p{};
  const GearboxSpec& g = s.gearbox;
  for (int i = 0; i < g.gear_ratios.count; ++i) p.ratio[i] = g.gear_ratios.v[i] * g.final_drive;
  p.reverse = g.reverse_ratio * g.final_drive;
  p.efficiency = g.efficiency;
  p.shift_time = g.shift_time;
  p.up = s.shift.upshift_rpm * kRpm;
  p.down = s.shift.downshift_rpm * kRpm;
  p.most = s.engine.redline_rpm * kRpm;
  p.lowest = s.shift.start_gear;
  return p;
}

}  // namespace vdsim
