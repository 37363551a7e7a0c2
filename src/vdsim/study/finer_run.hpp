// SPDX-License-Identifier: Apache-2.0
// What the step costs: the same run with a finer one, beside it.  [T02.15]  docs/theory/02_integration.md, section 6.
#pragma once
#include <algorithm>
#include <cmath>
#include <memory>
#include <string>

#include "vdsim/config/scenario.hpp"
#include "vdsim/engine/outputs.hpp"
#include "vdsim/engine/reflect.hpp"
#include "vdsim/engine/same_math.hpp"
#include "vdsim/engine/step_limit.hpp"

namespace vdsim {

// RK4 is held against half its step; first order against RK4 with 1 ms or less, or it would not see what it has in common with itself.
inline SolverSpec finer_solver(SolverSpec s, const VehicleSpec& vehicle, Level level) {
  s.dt /= s.integrator == Integrator::rk4 ? 2 : std::ceil(s.dt / StepCheck::kUsualStep * (1 - 1e-9));
  s.integrator = Integrator::rk4;
  while (s.dt > 1e-5 && !step_fault(vehicle, level, s.integrator, s.dt, false).empty()) s.dt /= 2;
  return s;
}

inline constexpr double kFineStep = 1e-5;  // RK4 with less needs nothing finer [s]
inline bool needs_finer(const SolverSpec& s) { return s.integrator != Integrator::rk4 || s.dt >= kFineStep; }

// Watches a CarRun or a ManeuverRun at its rows, if it needs a finer one.
template <class Run> class FinerRun {
 public:
  FinerRun(std::unique_ptr<Run> finer, const SolverSpec& solver) : finer_(std::move(finer)), solver_(solver) {}

  // Phase by phase: what a phase waits for may come a few steps later. Within one, what begins in the middle of a step
  // begins at its end: a run may be late by the usual step.
  void row(const Run& run) {
    if (!finer_) return;
    const auto behind = [&](double by) {
      return finer_->phase() < run.phase() ||
             (finer_->phase() == run.phase() && finer_->phase_time() < run.phase_time() - by - 1e-9);
    };
    Span speed, yaw;
    const auto look = [&] { speed.add(finer_->outputs().vx), yaw.add(finer_->outputs().r); };
    while (!finer_->done() && behind(0)) {
      if (!behind(StepCheck::kUsualStep)) look();
      if (!finer_->step()) return fail();
    }
    look();
    const CarOutputs a = run.outputs(), b = finer_->outputs();
    if (rows_++ > 0) way_ += vdsim::hypot(b.x - last_.x, b.y - last_.y);
    last_ = b;
    speed_.add(b.vx, speed.beyond(a.vx)), yaw_.add(b.r, yaw.beyond(a.r));
    place_ = std::max(place_, vdsim::hypot(a.x - b.x, a.y - b.y));
  }
  Run* beside() { return finer_.get(); }
  // A run that is not right to 1 % fails, with RK4 at the usual step and below it is doubted; "" if it is right.
  std::string fault() const {
    const std::string found = refuses() ? finding() : "";
    return found.empty() ? "" : "the step is too long for this run: " + found;
  }
  std::string doubt() const { return refuses() ? "" : finding(); }

 private:
  bool refuses() const { return is_doubtful_step(solver_.integrator, solver_.dt); }
  std::string finding() const {
    if (!finer_) return "";
    const struct {
      double off;
      const char* what;
    } found[] = {{place_ / way_, "place"}, {speed_.off / speed_.value, "speed"}, {yaw_.off / yaw_.value, "yaw rate"}};
    for (const auto& f : found)
      if (!(of_the_step(f.off) <= StepCheck::kMostError))
        return std::string("the ") + f.what + " depends on the step (" + percent(of_the_step(f.off)) +
               "): " + advice(of_the_step(f.off));
    return "";
  }

  struct Span {
    double least = HUGE_VAL, most = -HUGE_VAL;
    void add(double x) { least = std::min(least, x), most = std::max(most, x); }
    double beyond(double x) const { return std::max({0.0, least - x, x - most}); }
  };
  struct Largest {
    double value, off = 0;  // below `value` as it begins nothing counts
    void add(double x, double by) { value = std::max(value, std::fabs(x)), off = std::max(off, by); }
  };
  void fail() { place_ = HUGE_VAL; }
  bool first_order() const { return solver_.integrator != Integrator::rk4; }
  double of_the_step(double difference) const { return first_order() ? difference : 16.0 / 15 * difference; }
  std::string advice(double share) const {
    if (refuses())
      return std::string("use ") + (first_order() ? "solver.integrator rk4 with " : "") + "solver.dt " +
             number_text(std::min(solver_.dt, StepCheck::kUsualStep));
    if (share > 0.2) return "the smallest differences decide here, whatever the step";
    // where wheels lift and lock, the error falls with the step alone
    const double half_the_limit = solver_.dt * StepCheck::kMostError / 2 / share;
    const double decade = std::pow(10, std::floor(std::log10(half_the_limit))), digit = half_the_limit / decade;
    return "try solver.dt " + number_text((digit >= 5 ? 5 : digit >= 2 ? 2 : 1) * decade, 3);
  }
  static std::string percent(double share) {
    return share < 10 ? std::to_string(static_cast<int>(std::ceil(100 * share))) + " %" : "beyond measure";
  }

  std::unique_ptr<Run> finer_;
  SolverSpec solver_;
  long rows_ = 0;
  CarOutputs last_{};
  double way_ = 0.1, place_ = 0;    // [m]
  Largest speed_{0.1}, yaw_{0.01};  // [m/s], [rad/s]
};

}  // namespace vdsim
