// SPDX-License-Identifier: Apache-2.0
// Search of the slip with the most friction, from what friction is in use at what slip.
// docs/theory/14_brakes_and_control.md.
#pragma once
#include "vdsim/core/math/fields.hpp"
#include "vdsim/core/math/real.hpp"

namespace vdsim {

template <class R> struct SearchParams {
  R start, most;  // first and largest target [-]
  R rate;         // relative change of the target [1/s]; twice that on the way back
  R drop;         // loss of friction that shows a peak passed [-]
};

template <class R> struct PeakSearch {
  R use;        // friction in use, filtered [-]
  R peak;       // the most of it since the last turn [-]
  R peak_slip;  // where that was [-]
  R target;     // slip that is aimed at [-]
  R way;        // the search goes to more (1) or less (-1) slip

  static constexpr auto fields() {
    using S = PeakSearch;
    return std::tuple{field("use", &S::use, "-", any_finite(), "friction in use"),
                      field("peak", &S::peak, "-", any_finite(), "most friction since the last turn"),
                      field("peak_slip", &S::peak_slip, "-", any_finite(), "slip where that was"),
                      field("target", &S::target, "-", any_finite(), "slip that is aimed at"),
                      field("way", &S::way, "-", any_finite(), "search goes to more (1) or less (-1) slip")};
  }
};
VD_COMPLETE(PeakSearch<double>);

inline constexpr double kUseFilter = 0.012;                     // of the friction in use [s]
inline constexpr double kLeastTarget = 0.008;                   // slip
inline constexpr double kLeastDrop = 0.004, kLeastPeak = 0.03;  // friction
inline constexpr double kMostGrowth = 3;                        // of the friction, that speeds the search up [1/s]

// [T14.16]  The target moves while the slip follows it, up or down; friction lost since the peak: back to the peak and
// the other way. The steeper the friction still grows, the faster. Where nothing is asked it starts
// anew, where something else keeps the slip (not `rules`) it waits.
template <class R> VD_FN void search_peak(const SearchParams<R>& p, PeakSearch<R>& s, R slip, R use, mask_t<R> asked,
                                          mask_t<R> rules, R dt) {
  const R zero = R(0.0), one = R(1.0);
  s.use = s.use + (use - s.use) * dt / (R(kUseFilter) + dt);
  const mask_t<R> more = s.use > s.peak, up = s.way > zero;
  const R growth = clamp((s.use - s.peak) / (max(s.use, R(kLeastPeak)) * dt), zero, R(kMostGrowth));
  s.peak = select(more, s.use, s.peak);
  s.peak_slip = select(more, slip, s.peak_slip);
  const R side = s.way * slip;  // farther on the way of the search: greater
  const mask_t<R> beyond = side > s.way * s.peak_slip;
  const mask_t<R> lost = (s.use < (one - p.drop) * s.peak - R(kLeastDrop)) & beyond & (s.peak > R(kLeastPeak));
  // a wheel that slips far less than it may has found more friction
  const mask_t<R> least = mask_t<R>(s.target <= R(kLeastTarget)) | mask_t<R>(slip < R(0.5) * s.target);
  const mask_t<R> end = (up & mask_t<R>(s.target >= p.most)) | ((!up) & least);
  const mask_t<R> turn = (lost | end) & rules, anew = turn | !rules;
  const mask_t<R> follows = side > s.way * select(up, R(0.7), R(1.4)) * s.target;
  const R step = (p.rate + select(up, R(3.0) * growth, zero)) * dt;
  const R moved = s.target * select(up, one + step, one / (one + R(2.0) * step));
  const R next =
      clamp(select(turn & lost, s.peak_slip, select(follows & rules, moved, s.target)), R(kLeastTarget), p.most);
  s.target = select(asked, next, p.start);
  s.way = select(asked, select(turn, -s.way, s.way), one);
  s.peak = select(asked, select(anew, s.use, s.peak), zero);
  s.peak_slip = select(asked, select(anew, slip, s.peak_slip), zero);
}

inline PeakSearch<double> start_search(const SearchParams<double>& p) { return {0, 0, 0, p.start, 1}; }

}  // namespace vdsim
