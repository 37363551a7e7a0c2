// SPDX-License-Identifier: Apache-2.0
// When the next tick of a live run is due. Deadlines are absolute, start + k period, so waiting a little too long each time adds up to
// nothing. Who is late by up to kCatchUp makes the missed ticks at once; who is later than that slips: the run goes on from now, the
// lost time is counted. No clock in here: times are given, in seconds of any clock that does not go back.
#pragma once
#include <array>
#include <cstdint>

namespace vdsim {

class Pacer {
 public:
  static constexpr double kCatchUp = 0.05;                   // [s]
  static constexpr double kSlowest = 0.05, kFastest = 10.0;  // of time_scale; 0 = as fast as it goes

  // period: simulated time of a tick [s]; scale: simulated / wall clock
  Pacer(double now, double period, double scale) : period_(period), scale_(scale), start_(now) {}

  bool free() const { return scale_ == 0; }
  double scale() const { return scale_; }
  double deadline() const { return free() ? start_ : start_ + static_cast<double>(ticks_ + 1) * period_ / scale_; }
  // Whether a tick is due; then it counts as made.
  bool due(double now);
  void restart(double now);  // after a pause: what passed meanwhile is nobody's lateness
  void set_scale(double now, double scale);

  struct Statistics {
    std::uint64_t ticks = 0, slips = 0;
    double lost = 0;     // by slips [s]
    double largest = 0;  // lateness [s]
  };
  const Statistics& statistics() const { return statistics_; }
  double late(double share) const;  // lateness that this share of the ticks stays below, to 0.01 ms [s]

 private:
  static constexpr double kBucket = 1e-5;  // [s]
  void count(double late);

  double period_, scale_, start_;
  std::int64_t ticks_ = 0;  // since start_
  Statistics statistics_;
  std::array<std::uint32_t, 5002> late_{};  // by 0.01 ms up to kCatchUp, and beyond
};

}  // namespace vdsim
