// SPDX-License-Identifier: Apache-2.0
// The one loop that advances a car and records its rows: of a scene, of a manoeuvre, of a comparison in the lab.
#pragma once
#include <atomic>
#include <cmath>
#include <functional>

namespace vdsim {

// Which steps have a row: step 0, and the ones nearest to j / rate; every step if the rate exceeds 1/dt.
class RowClock {
 public:
  RowClock(double rate, double dt) : steps_per_row_(1 / (rate * dt)) {}
  bool due(long step) const { return static_cast<double>(step) >= std::round(row_ * steps_per_row_); }
  void written(long step) {
    row_ = std::floor((static_cast<double>(step) + 0.5) / steps_per_row_);
    while (due(step)) ++row_;
  }

 private:
  double steps_per_row_, row_ = 0;
};

struct RunControl {
  std::function<void(double)> progress;    // 0..1, often
  const std::atomic<int>* stop = nullptr;  // nonzero: end now
};

// Steps `run` (a CarRun or a ManeuverRun) to its end and writes a row where the clock says so, and at the end; a stop ends
// it at once. False if a step diverged, or if `write` gives false: a number of the row is not finite.
template <class Run, class Write> bool advance(Run& run, RowClock rows, const RunControl& control, Write&& write) {
  for (;;) {
    if (run.done() || rows.due(run.step_index())) {
      if (!write()) return false;
      rows.written(run.step_index());
      if (control.progress) control.progress(run.progress());
    }
    if (run.done() || (control.stop && *control.stop)) return true;
    if (!run.step()) return false;
  }
}

}  // namespace vdsim
