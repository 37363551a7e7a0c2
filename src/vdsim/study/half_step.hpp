// SPDX-License-Identifier: Apache-2.0
// What a long step costs: the same run with steps of half the length, beside it.  [T02.15]  docs/theory/02_integration.md, section 6.
#pragma once
#include <algorithm>
#include <cmath>
#include <memory>
#include <string>

#include "vdsim/engine/outputs.hpp"
#include "vdsim/engine/reflect.hpp"
#include "vdsim/engine/step_limit.hpp"

namespace vdsim {

// Watches a CarRun or a ManeuverRun at its rows. Without a half, as at the usual step and below, it sees nothing.
template <class Run> class HalfStep {
 public:
  HalfStep(std::unique_ptr<Run> half, Integrator method)
      : half_(std::move(half)), first_order_(method != Integrator::rk4) {}

  void row(const Run& run) {
    if (!half_) return;
    while (!half_->done() && half_->time() < run.time() - 1e-9)
      if (!half_->step()) return fail();
    const CarOutputs a = run.outputs(), b = half_->outputs();
    if (rows_++ > 0) way_ += std::hypot(b.x - last_.x, b.y - last_.y);
    last_ = b;
    speed_.add(a.vx, b.vx), yaw_.add(a.r, b.r);
    place_ = std::max(place_, std::hypot(a.x - b.x, a.y - b.y));
  }
  Run* beside() { return half_.get(); }
  // "" if the run is right to 1 %
  std::string fault() const {
    if (!half_) return "";
    const struct {
      double off;
      const char* what;
    } found[] = {{place_ / way_, "place"}, {speed_.off / speed_.most, "speed"}, {yaw_.off / yaw_.most, "yaw rate"}};
    for (const auto& f : found)
      if (!(of_the_step(f.off) <= StepCheck::kMostError))
        return std::string("the step is too long for this run, the ") + f.what + " depends on it (" +
               percent(of_the_step(f.off)) + "): use solver.dt " + number_text(StepCheck::kUsualStep);
    return "";
  }

 private:
  struct Pair {
    double most, off = 0;  // below `most` as it begins nothing counts
    void add(double a, double b) { most = std::max(most, std::fabs(b)), off = std::max(off, std::fabs(a - b)); }
  };
  void fail() { place_ = HUGE_VAL; }
  double of_the_step(double difference) const { return first_order_ ? 2 * difference : 16.0 / 15 * difference; }
  static std::string percent(double share) {
    return share < 10 ? std::to_string(static_cast<int>(std::ceil(100 * share))) + " %" : "beyond measure";
  }

  std::unique_ptr<Run> half_;
  bool first_order_;
  long rows_ = 0;
  CarOutputs last_{};
  double way_ = 0.1, place_ = 0;  // [m]
  Pair speed_{0.1}, yaw_{0.01};   // [m/s], [rad/s]
};

}  // namespace vdsim
