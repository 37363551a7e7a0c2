// SPDX-License-Identifier: Apache-2.0
#include "vdsim/study/fleet.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace vdsim {

Fleet::Fleet(const Scenario& scene, std::span<const CarSpec> cars, const Control& control) : control_(control) {
  members_.reserve(cars.size());
  for (const CarSpec& car : cars) members_.emplace_back(scene, car);
  steps_ = members_.front().run.steps();
  if (control_) listen();
}

Fleet::Control Fleet::in_turn(Control first, Control second) {
  if (!first || !second) return first ? first : second;
  struct Turn {
    Control control;
    long due = 0;  // the step at which it is asked again
  };
  return [turns = std::array<Turn, 2>{{{std::move(first)}, {std::move(second)}}}](Fleet& fleet) mutable -> long {
    const long now = fleet.step_index();
    long next = std::numeric_limits<long>::max();
    bool ends = false;
    for (Turn& turn : turns) {
      if (now >= turn.due || fleet.runs_out()) {
        const long granted = turn.control(fleet);
        ends |= granted == 0;
        turn.due = now + granted;
      }
      next = std::min(next, turn.due);
    }
    return ends ? 0 : next - now;
  };
}

bool Fleet::runs_out() const {
  return std::all_of(members_.begin(), members_.end(), [](const Member& m) { return m.failed() || m.run.done(); });
}

double Fleet::time() const {
  double out = 0;
  for (const Member& m : members_) out = std::max(out, m.run.time());
  return out;
}

bool Fleet::step() {
  for (Member& m : members_)
    if (!m.failed() && !m.run.step()) m.why = *m.run.car().why() ? m.run.car().why() : "the step has no finite result";
  ++step_;
  --granted_;
  if (control_ && (granted_ == 0 || runs_out())) listen();
  return std::any_of(members_.begin(), members_.end(), [](const Member& m) { return !m.failed(); });
}

void Fleet::listen() {
  granted_ = control_(*this);
  ended_ = granted_ == 0;
}

void Fleet::command(Member& m, const Demand& demand) {
  m.finer.row(m.run);  // it has driven up to here by the commands so far
  m.run.command(demand);
  if (CarRun* finer = m.finer.beside()) finer->command(demand);
}

}  // namespace vdsim
