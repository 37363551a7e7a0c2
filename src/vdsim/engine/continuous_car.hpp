// SPDX-License-Identifier: Apache-2.0
// Body of LevelCarOf, second part: the car as differential equations. Included by level_car_of.hpp.
#pragma once

namespace vdsim {

template <Level Lv> void LevelCarOf<Lv>::get_continuous(std::span<double> y) const {
  std::size_t k = 0;
  each_continuous(model_->model, state_.motion, evaluation_.rates, [&](double x, double) { y[k++] = x; });
}
template <Level Lv> void LevelCarOf<Lv>::set_continuous(std::span<const double> y) {
  std::size_t k = 0;
  each_continuous(model_->model, state_.motion, evaluation_.rates, [&](double& x, double) { x = y[k++]; });
  keep_unit(state_.motion);
  state_changed();
}
template <Level Lv> void LevelCarOf<Lv>::continuous_rates(const Commands& now, std::span<double> out) {
  outputs(now);
  std::size_t k = 0;
  each_continuous(model_->model, state_.motion, evaluation_.rates, [&](double, double rate) { out[k++] = rate; });
}
template <Level Lv> void LevelCarOf<Lv>::indicators(const Commands& now, std::span<double> out) {
  outputs(now);
  mode_margins(model_->model, state_.motion, evaluation_, out.data());
}

// The load solution starts from here on; the heading may have gone round once more.
template <Level Lv> bool LevelCarOf<Lv>::accept(const Commands& now) {
  outputs(now);
  const Model<double, Lv>& m = model_->model;
  double margin[kWheels<Lv> + 2];
  mode_margins(m, state_.motion, evaluation_, margin);
  bool due = beyond_limits(m, state_.motion, evaluation_);
  for (std::size_t i = 0; i < indicator_count(); ++i) due = due || margin[i] < 0;
  if constexpr (!kSprung<Lv>) state_.motion.ax = evaluation_.rates.ax, state_.motion.ay = evaluation_.rates.ay;
  if constexpr (Lv == Level::L5) {
    const double heading = heading_of(m, state_.motion);
    state_.clock.turns += std::round((accepted_heading_ - heading) / (2 * std::numbers::pi));
    accepted_heading_ = heading;
  }
  return due;
}

template <Level Lv> bool LevelCarOf<Lv>::settle(const Commands& now) {
  outputs(now);
  resting_ = false;
  const State<double, Lv> before = state_.motion;
  if (keeps_mode) stop_in_event(model_->model, evaluation_, state_.motion);
  keeps_mode = evaluated_ = false;  // decided anew
  evaluate(now);
  mode = mode_of(evaluation_.grip);
  keeps_mode = true, evaluated_ = false;
  accepted_heading_ = heading_of(model_->model, state_.motion);
  return std::memcmp(&before, &state_.motion, sizeof before) != 0;
}

}  // namespace vdsim
