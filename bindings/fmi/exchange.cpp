// SPDX-License-Identifier: Apache-2.0
#include "bindings/fmi/exchange.hpp"

#include <algorithm>
#include <cmath>

#include "vdsim/engine/errors.hpp"
#include "vdsim/engine/validate.hpp"

namespace vdsim::fmi {
namespace {

Car car_of(const Scenario& scene) {
  const CarSpec& car = scene.cars.at(0);
  const StartSpec& s = car.start;
  return {car.vehicle, scene.road, car.level, scene.solver.integrator, {s.x0, s.y0, s.yaw0, s.vx0, s.z0}};
}

}  // namespace

ExchangePlant::ExchangePlant(Scenario scene)
    : scene_(std::move(scene)), scope_(car_scope(scene_.cars.at(0), scene_.road)), car_(car_of(scene_)), view_(car_) {
  StateList list = car_.state();
  list.push_back(vdsim::state("commands", now_, "", "in effect"));
  list.push_back(vdsim::state("now", time_, "s", "of the importer"));
  list.push_back(vdsim::state("mode", mode_, "", "of dry friction and clutches"));
  list.push_back(vdsim::state("begun", begun_, "", "1: the mode has been decided", between(0, 1)));
  image_ = StateImage(list, car_.model_hash());
}

std::unique_ptr<ExchangePlant> ExchangePlant::changed(Scenario scene) const {
  auto out = std::make_unique<ExchangePlant>(std::move(scene));
  std::vector<double> y(state_count());
  get_states(y);
  out->view_.set(y);
  out->now_ = now_, out->time_ = time_, out->mode_ = mode_, out->begun_ = begun_;
  if (begun_) out->view_.set_mode(mode_);
  return out;
}

void ExchangePlant::begin(const std::vector<double>& inputs) {
  const Commands next = demand_of(inputs, 4).direct;
  throw_if_any(validate(next));
  now_ = next;
  values_.clear();
}

std::span<const double> ExchangePlant::values() {
  if (values_.empty()) {
    CarOutputs now = car_.outputs(now_);
    now.t = time_;
    signal_values(scope_, now, values_);
  }
  return values_;
}

void ExchangePlant::continuous(std::vector<double>& states, std::vector<double>& rates) {
  states.resize(state_count()), rates.resize(state_count());
  view_.rates(now_, rates);  // first: a car at rest on a slope finds its hold
  view_.get(states);
}

void ExchangePlant::set_time(double t) {
  time_ = t;
  values_.clear();
}

void ExchangePlant::set_states(std::span<const double> y) {
  view_.set(y);
  values_.clear();
}

bool ExchangePlant::rates(std::span<double> out) {
  view_.rates(now_, out);
  return std::all_of(out.begin(), out.end(), [](double x) { return std::isfinite(x); });
}

bool ExchangePlant::settle() {
  const bool changed = view_.settle(now_);
  mode_ = view_.mode(), begun_ = 1;
  values_.clear();
  return changed;
}

bool ExchangePlant::restore(std::span<const std::byte> in) {
  if (!image_.restore(in)) return false;
  if (begun_)
    view_.set_mode(mode_);
  else
    car_.state_changed();
  values_.clear();
  return true;
}

}  // namespace vdsim::fmi
