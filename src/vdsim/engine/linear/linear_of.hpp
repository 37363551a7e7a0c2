// SPDX-License-Identifier: Apache-2.0
// Body of linear_l1.cpp ... linear_l5.cpp: each compiles the equations of one level in duals.
#pragma once
#include "vdsim/engine/car_outputs.hpp"
#include "vdsim/engine/continuous_of.hpp"
#include "vdsim/engine/level_car.hpp"
#include "vdsim/engine/linear/dual_car.hpp"
#include "vdsim/engine/linear/linearize.hpp"

namespace vdsim {

inline constexpr double kInstant = 1e-6;  // of equipment without memory: how long does not matter [s]

// f(y, u) at s and u with their derivatives.  [T33.3] (theory), with the decisions of now
template <Level Lv> void evaluate(const DualCar<Lv>& car, const SignalSource<double, Lv>& at, const Inputs<D8>& u,
                                  bool decide, State<D8, Lv>& s, Evaluation<D8, Lv>& e) {
  keep_unit(s);
  e.stage = make_stage(car.model, u, D8(0.0));
  if (at.car.units.any) {
    EquipmentState<D8> equipment;
    put_values<D8>(at.state.equipment, equipment);
    Actuation<D8> act[3];
    equipment_step(at.car.units.kind, car.units, equipment, u, u, view_of(car, at.state, s), D8(kInstant), act);
    e.stage = equipped_stage(car.model, u, act[0], nullptr, D8(0.0));
  }
  point_wheels(car.model, s, e.stage);
  for (int a = 0; a < 2; ++a) e.grip[a] = grip_of(at.now.grip[a]);
  deriv(car.model, s, e.stage, decide, e.grip, e.outputs, e.rates);
}

// Column `from` + k of a matrix is direction k.
inline void put_column(Matrix2& m, std::size_t row, std::size_t column, double x) {
  m.at[row * m.columns + column] = x;
}

// The signals' derivatives along direction k, as the table of signals reads them.
inline CarOutputs along(const CarNumbers<D8>& r, int k, int wheels) {
  CarOutputs out{};
  out.wheels = wheels;
  const D8* from = reinterpret_cast<const D8*>(&r);
  double* to = reinterpret_cast<double*>(static_cast<CarNumbers<double>*>(&out));
  static_assert(sizeof(CarNumbers<D8>) / sizeof(D8) == sizeof(CarNumbers<double>) / sizeof(double));
  for (std::size_t i = 0; i < sizeof(CarNumbers<double>) / sizeof(double); ++i) to[i] = from[i].d[k];
  return out;
}

template <Level Lv> void linear_of(LevelCar& level, const SignalScope& scope, const Commands& now, LinearCar& out) {
  const EquationsNow at = level.equations(now);
  const auto& car = *static_cast<const CarModel<Lv>*>(at.model);
  const auto& state = *static_cast<const CarState<Lv>*>(at.state);
  const auto& evaluation = *static_cast<const Evaluation<double, Lv>*>(at.evaluation);
  const Inputs<double> in = inputs(now);
  const SignalSource<double, Lv> point{car, state, car.model, state.motion, evaluation, in};
  const auto dual = std::make_unique<DualCar<Lv>>(car);
  const std::size_t n = out.states.size(), all = n + kLinearInputCount, z = out.outputs.size();
  out.rates.resize(n);
  out.A = {n, n, std::vector<double>(n * n)},
  out.B = {n, kLinearInputCount, std::vector<double>(n * kLinearInputCount)};
  out.C = {z, n, std::vector<double>(z * n)},
  out.D = {z, kLinearInputCount, std::vector<double>(z * kLinearInputCount)};
  for (std::size_t first = 0; first < all; first += kDirections) {
    State<D8, Lv> s;
    Inputs<D8> u;
    auto e = std::make_unique<Evaluation<D8, Lv>>();
    put_values<D8>(state.motion, s);
    put_values<D8>(in, u);
    D8* const commands[] = {&u.steer, &u.throttle, &u.brake, &u.handbrake};
    std::size_t row = 0;
    const auto seed = [&](D8& x) {
      if (row >= first && row < first + kDirections) x.d[row - first] = 1;
      ++row;
    };
    each_continuous(dual->model, s, e->rates, [&](D8& x, const D8&) { seed(x); });
    for (D8* x : commands) seed(*x);
    evaluate(*dual, point, u, !level.keeps_mode, s, *e);
    CarNumbers<D8> r{};
    add_signals(SignalSource<D8, Lv>{car, state, dual->model, s, *e, u}, r);
    for (std::size_t k = 0; k < kDirections && first + k < all; ++k) {
      const std::size_t column = first + k;
      const bool is_state = column < n;
      Matrix2 &rates = is_state ? out.A : out.B, &signals = is_state ? out.C : out.D;
      std::size_t i = 0;
      each_continuous(dual->model, s, e->rates, [&](const D8&, const D8& rate) {
        out.rates[i] = rate.v;
        put_column(rates, i++, is_state ? column : column - n, rate.d[k]);
      });
      std::vector<double> values;
      signal_values(scope, along(r, int(k), kWheels<Lv>), values);
      for (i = 0; i < z; ++i) put_column(signals, i, is_state ? column : column - n, values[i]);
    }
  }
}

}  // namespace vdsim
