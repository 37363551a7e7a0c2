// SPDX-License-Identifier: Apache-2.0
// Watches the rows of one car for the figures of the summary.
#pragma once
#include <algorithm>
#include <cmath>
#include <deque>

#include "vdsim/engine/same_math.hpp"
#include "vdsim/study/run.hpp"

namespace vdsim {

class Watch {
 public:
  explicit Watch(CarResult& result) : result_(result) {}
  void row(const CarOutputs& s) {
    const double speed = vdsim::hypot(s.vx, s.vy);
    if (result_.rows > 0) result_.distance += vdsim::hypot(s.x - result_.last.x, s.y - result_.last.y);
    result_.max_ax = std::max(result_.max_ax, std::abs(s.ax));
    result_.max_ay = std::max(result_.max_ay, std::abs(s.ay));
    result_.max_speed = std::max(result_.max_speed, speed);
    stand(s, speed);
    bool outside = false;
    for (int i = 0; i < s.wheels; ++i) outside = outside || s.wheel[i].outside > 0;
    result_.rows_outside += outside;
    if (result_.tipped_at < 0 && std::abs(s.roll) > 1) result_.tipped_at = s.t;
    result_.last = s;
    ++result_.rows;
  }
  void put_at(const CarOutputs& s) {  // it did not drive there
    end();
    result_.last.x = s.x, result_.last.y = s.y;
  }
  void end() {  // of the run: the car still stands
    while (!recent_.empty()) take();
    close();
  }

 private:
  static constexpr double kStandSpeed = 0.05, kSettle = 1, kMoveOff = 0.5;  // [m/s], [s], [s]
  struct Glance {
    double t, drift, speed;
  };
  void take() {
    now_.drift = std::max(now_.drift, recent_.front().drift);
    now_.max_speed = std::max(now_.max_speed, recent_.front().speed);
    recent_.pop_front();
  }
  void close() {
    if (now_.from >= 0 && now_.to - now_.from >= kSettle) result_.standing.push_back(now_);
    now_.from = -1;
    settled_ = false;
    recent_.clear();
  }
  void stand(const CarOutputs& s, double speed) {
    if (speed >= kStandSpeed) return close();
    if (now_.from < 0) now_ = {s.t, s.t, 0, 0};
    now_.to = s.t;
    if (s.t - now_.from < kSettle) return;
    if (!settled_) x_ = s.x, y_ = s.y, settled_ = true;
    recent_.push_back({s.t, vdsim::hypot(s.x - x_, s.y - y_), speed});
    while (recent_.front().t <= s.t - kMoveOff) take();
  }
  CarResult& result_;
  Standing now_{-1, 0, 0, 0};
  bool settled_ = false;
  double x_ = 0, y_ = 0;
  std::deque<Glance> recent_;  // not counted yet: the car may be moving off
};

}  // namespace vdsim
