// SPDX-License-Identifier: Apache-2.0
#include "vdsim/study/fleet.hpp"

#include <algorithm>

namespace vdsim {

Fleet::Fleet(const Scenario& scene, std::span<const CarSpec> cars, const Control& control) : control_(control) {
  members_.reserve(cars.size());
  for (const CarSpec& car : cars) members_.emplace_back(scene, car);
  steps_ = members_.front().run.steps();
  if (control_) listen();
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
