// SPDX-License-Identifier: Apache-2.0
// What a long step or one of first order costs: the same run with a finer one, beside it.  [T02.15]  docs/theory/02_integration.md, section 6.
#pragma once
#include <algorithm>
#include <cmath>
#include <memory>
#include <string>

#include "vdsim/config/scenario.hpp"
#include "vdsim/engine/outputs.hpp"
#include "vdsim/engine/reflect.hpp"
#include "vdsim/engine/step_limit.hpp"

namespace vdsim {

// RK4 is held against half its step; first order against RK4 with 1 ms or less, or it would not see what it has in common with itself.
inline SolverSpec finer_solver(SolverSpec s, const VehicleSpec& vehicle, Level level) {
  s.dt /= s.integrator == Integrator::rk4 ? 2 : std::ceil(s.dt / StepCheck::kUsualStep * (1 - 1e-9));
  s.integrator = Integrator::rk4;
  while (s.dt > 1e-5 && !step_fault(vehicle, level, s.integrator, s.dt, false).empty()) s.dt /= 2;
  return s;
}

// Watches a CarRun or a ManeuverRun at its rows. Without a finer one, as with RK4 at the usual step and below, it sees nothing.
template <class Run> class FinerRun {
 public:
  FinerRun(std::unique_ptr<Run> finer, Integrator method)
      : finer_(std::move(finer)), first_order_(method != Integrator::rk4) {}

  void row(const Run& run) {
    if (!finer_) return;
    while (!finer_->done() && finer_->time() < run.time() - 1e-9)
      if (!finer_->step()) return fail();
    const CarOutputs a = run.outputs(), b = finer_->outputs();
    if (rows_++ > 0) way_ += std::hypot(b.x - last_.x, b.y - last_.y);
    last_ = b;
    speed_.add(a.vx, b.vx), yaw_.add(a.r, b.r);
    place_ = std::max(place_, std::hypot(a.x - b.x, a.y - b.y));
  }
  Run* beside() { return finer_.get(); }
  // "" if the run is right to 1 %
  std::string fault() const {
    if (!finer_) return "";
    const struct {
      double off;
      const char* what;
    } found[] = {{place_ / way_, "place"}, {speed_.off / speed_.most, "speed"}, {yaw_.off / yaw_.most, "yaw rate"}};
    for (const auto& f : found)
      if (!(of_the_step(f.off) <= StepCheck::kMostError))
        return std::string("the step is too long for this run, the ") + f.what + " depends on it (" +
               percent(of_the_step(f.off)) + "): use " + (first_order_ ? "solver.integrator rk4 with " : "") +
               "solver.dt " + number_text(StepCheck::kUsualStep);
    return "";
  }

 private:
  struct Pair {
    double most, off = 0;  // below `most` as it begins nothing counts
    void add(double a, double b) { most = std::max(most, std::fabs(b)), off = std::max(off, std::fabs(a - b)); }
  };
  void fail() { place_ = HUGE_VAL; }
  double of_the_step(double difference) const { return first_order_ ? difference : 16.0 / 15 * difference; }
  static std::string percent(double share) {
    return share < 10 ? std::to_string(static_cast<int>(std::ceil(100 * share))) + " %" : "beyond measure";
  }

  std::unique_ptr<Run> finer_;
  bool first_order_;
  long rows_ = 0;
  CarOutputs last_{};
  double way_ = 0.1, place_ = 0;  // [m]
  Pair speed_{0.1}, yaw_{0.01};   // [m/s], [rad/s]
};

}  // namespace vdsim
