// SPDX-License-Identifier: Apache-2.0
// Body of tangent_l2.cpp: the step of one level in duals.
#pragma once
#include "vdsim/core/integrate.hpp"
#include "vdsim/engine/linear/linear_of.hpp"
#include "vdsim/engine/linear/tangent.hpp"

namespace vdsim {

// Four places of one number, -2h, -h, h, 2h: the slope of everything that a struct of numbers holds.  O(h^4)
template <class S, class SD> void put_slopes(const S* const at[4], double h, int k, SD& to) {
  const double* f[4];
  for (int j = 0; j < 4; ++j) f[j] = reinterpret_cast<const double*>(at[j]);
  D8* t = reinterpret_cast<D8*>(&to);
  for (int i = 0; i < number_count<double, S>; ++i) {
    const double d = (8 * (f[2][i] - f[1][i]) - (f[3][i] - f[0][i])) / (12 * h);
    if (std::isfinite(d)) t[i].d[k] = d;  // a bound that is infinite stays so
  }
}

template <Level Lv> class TangentOf final : public TangentCar {
 public:
  TangentOf(const CarSetup& base, const std::vector<SetupSlope>& slopes)
      : model_(make_car_model<Lv>(base.vehicle, base.road, base.integrator)),
        state_(start_state(*model_, base.vehicle, base.start)),
        dual_(*model_),
        count_(slopes.size()),
        ratio_(model_->steering_ratio) {
    put_values<D8>(state_.motion, s_);
    put_values<D8>(state_.equipment, equipment_);
    for (std::size_t k = 0; k < slopes.size(); ++k) add_slopes(slopes[k], int(k));
  }

  void step(const Commands& from, const Commands& to, double dt) override {
    const bool equipped = model_->units.any || from.torque != to.torque || from.torque != std::array<double, 4>{};
    Inputs<D8> u0, u1;
    put_values<D8>(inputs(from), u0);
    put_values<D8>(inputs(to), u1);
    Actuation<D8> act[3];
    if (equipped)
      equipment_step(model_->units.kind, dual_.units, equipment_, u0, u1, view_of(dual_, state_, s_), D8(dt), act);
    integrate(model_->integrator, dual_.model, s_, u0, u1, D8(dt), nullptr, equipped ? act : nullptr);
    if (equipped) act_ = act[2];
    state_.last.equipped = equipped;
    state_.clock.time += dt;
    ++state_.clock.steps;
  }

  CarOutputs outputs(const Commands& now, std::vector<CarOutputs>& slopes) override {
    Inputs<D8> u;
    put_values<D8>(inputs(now), u);
    const auto e = std::make_unique<Evaluation<D8, Lv>>();
    e->stage = make_stage(dual_.model, u, D8(0.0));
    if (state_.last.equipped) {
      if (state_.clock.steps == 0) {
        EquipmentState<D8> equipment = equipment_;
        Actuation<D8> act[3];
        equipment_step(model_->units.kind, dual_.units, equipment, u, u, view_of(dual_, state_, s_), D8(kInstant), act);
        act_ = act[0];
      }
      e->stage = equipped_stage(dual_.model, u, act_, nullptr, D8(0.0));
    }
    point_wheels(dual_.model, s_, e->stage);
    deriv(dual_.model, s_, e->stage, true, e->grip, e->outputs, e->rates);
    CarNumbers<D8> r{};
    add_signals(SignalSource<D8, Lv>{*model_, state_, dual_.model, s_, *e, u}, r);
    r.steer_wheel = u.steer * ratio_;
    slopes.clear();
    for (std::size_t k = 0; k < count_; ++k) slopes.push_back(along(r, int(k), kWheels<Lv>));
    CarOutputs out{};
    const D8* f = reinterpret_cast<const D8*>(&r);
    double* t = reinterpret_cast<double*>(static_cast<CarNumbers<double>*>(&out));
    for (std::size_t i = 0; i < sizeof(CarNumbers<double>) / sizeof(double); ++i) t[i] = f[i].v;
    out.wheels = kWheels<Lv>;
    return out;
  }

 private:
  void add_slopes(const SetupSlope& slope, int k) {
    std::shared_ptr<CarModel<Lv>> m[4];
    std::unique_ptr<CarState<Lv>> s[4];
    for (int j = 0; j < 4; ++j) {
      const CarSetup& at = slope.at[std::size_t(j)];
      m[j] = make_car_model<Lv>(at.vehicle, at.road, at.integrator);
      s[j] = std::make_unique<CarState<Lv>>(start_state(*m[j], at.vehicle, at.start));
    }
    const auto each = [&](auto&& of, auto& to) {
      using S = std::remove_cvref_t<decltype(of(0))>;
      const S* const at[4] = {&of(0), &of(1), &of(2), &of(3)};
      put_slopes(at, slope.h, k, to);
    };
    each(
        [&](int j) -> const auto& { return m[j]->model.p; }, dual_.model.p);
    each(
        [&](int j) -> const auto& { return m[j]->units.p; }, dual_.units);
    each(
        [&](int j) -> const auto& { return m[j]->steering_ratio; }, ratio_);
    each(
        [&](int j) -> const auto& { return s[j]->motion; }, s_);
    each(
        [&](int j) -> const auto& { return s[j]->equipment; }, equipment_);
  }

  std::shared_ptr<const CarModel<Lv>> model_;
  CarState<Lv> state_;  // clock and what has no derivatives
  DualCar<Lv> dual_;
  std::size_t count_;
  D8 ratio_;
  State<D8, Lv> s_;
  EquipmentState<D8> equipment_;
  Actuation<D8> act_;
};

}  // namespace vdsim
