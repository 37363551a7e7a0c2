// SPDX-License-Identifier: Apache-2.0
#include "bindings/fmi/plant.hpp"

#include <algorithm>
#include <cmath>

#include "vdsim/engine/continuous.hpp"
#include "vdsim/engine/errors.hpp"
#include "vdsim/engine/hash.hpp"
#include "vdsim/engine/validate.hpp"

namespace vdsim::fmi {
namespace {

RigInput rig_input(const Course& course, double done) {
  RigInput out;
  std::size_t i = 0;
  for_each_field<RigInput>([&](const auto& field) {
    out.*field.member = course.value[i] + course.rate[i] * done;
    ++i;
  });
  throw_if_any(validate(out));
  return out;
}

}  // namespace

void CarPlant::begin(const std::vector<double>& inputs) {
  if (reads_inputs()) sim_.drive(demand_of(inputs, level_));
}

bool CarPlant::step(const Course& course, double done, double h) {
  if (!reads_inputs()) return h == sim_.dt() ? sim_.advance(1) : sim_.run(sim_.time() + h);
  const auto demand = [&](double at) {
    work_.resize(course.value.size());
    for (std::size_t i = 0; i < work_.size(); ++i) work_[i] = course.value[i] + course.rate[i] * at;
    return demand_of(work_, level_);
  };
  Demand from = demand(done), to = demand(done + h);
  if (level_ == 4) return sim_.step(from.direct, to.direct, h);
  from.speed_rate = to.speed_rate = level_ >= 6 ? course.rate[13] : 0;
  return sim_.step(from, to, h);
}

void CarPlant::continuous(std::vector<double>& states, std::vector<double>& rates) {
  states.resize(continuous_states(sim_.car()).size()), rates.resize(states.size());
  read_continuous(sim_.car(), sim_.commands(), states, rates);
}

TirePlant::TirePlant(const Document& part) : rig_(part.part()->tire) {
  StateList list = rig_.state();
  list.push_back(vdsim::state("input", last_, "", "what acts on the tire"));
  list.push_back(vdsim::state("base", base_, "s", "where the grid of steps begins"));
  list.push_back(vdsim::state("steps", steps_, "", "since then", at_least(0)));
  image_ = StateImage(list, fnv1a(part.hash()));
}

void TirePlant::begin(const std::vector<double>& inputs) {
  const std::vector<double> held(inputs.size(), 0.0);
  const RigInput now = rig_input({inputs, held}, 0);
  rig_.start(last_ = now);
  values_.clear();
}

bool TirePlant::step(const Course& course, double done, double h) {
  const RigInput from = rig_input(course, done), to = rig_input(course, done + h);
  TireRig next = rig_;
  next.step(from, to, h);
  const RigOutput o = next.output(to);
  bool finite = true;
  for_each_field<RigOutput>([&](const auto& field) { finite = finite && std::isfinite(o.*field.member); });
  if (!finite) return false;
  if (h == kRigStep)
    ++steps_;
  else
    base_ = time() + h, steps_ = 0;
  rig_ = next, last_ = to;
  values_.clear();
  return true;
}

std::span<const double> TirePlant::values() {
  if (!values_.empty()) return values_;
  const RigOutput o = rig_.output(last_);
  for_each_field<RigOutput>([&](const auto& field) { values_.push_back(o.*field.member); });
  rig_.states(last_, values_);
  return values_;
}

bool TirePlant::restore(std::span<const std::byte> in) {
  if (!image_.restore(in)) return false;
  values_.clear();
  return true;
}

}  // namespace vdsim::fmi
