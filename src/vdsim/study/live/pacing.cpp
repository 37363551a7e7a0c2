// SPDX-License-Identifier: Apache-2.0
#include "vdsim/study/live/pacing.hpp"

#include <algorithm>
#include <cmath>

namespace vdsim {

void Pacer::restart(double now) { start_ = now, ticks_ = 0; }

void Pacer::set_scale(double now, double scale) {
  scale_ = scale;
  restart(now);
}

void Pacer::count(double late) {
  ++statistics_.ticks;
  statistics_.largest = std::max(statistics_.largest, late);
  ++late_[static_cast<std::size_t>(std::clamp(late / kBucket, 0.0, static_cast<double>(late_.size() - 1)))];
}

bool Pacer::due(double now) {
  if (free()) {
    ++statistics_.ticks, ++late_[0];
    return true;
  }
  const double late = now - deadline();
  if (late < 0) return false;
  count(late);
  if (late > kCatchUp) {
    ++statistics_.slips;
    statistics_.lost += late;
    restart(now);
  } else {
    ++ticks_;
  }
  return true;
}

double Pacer::late(double share) const {
  const auto wanted = static_cast<std::uint64_t>(std::ceil(share * static_cast<double>(statistics_.ticks)));
  std::uint64_t seen = 0;
  for (std::size_t i = 0; i < late_.size(); ++i)
    if ((seen += late_[i]) >= wanted && seen > 0) return kBucket * static_cast<double>(i + 1);
  return 0;
}

}  // namespace vdsim
