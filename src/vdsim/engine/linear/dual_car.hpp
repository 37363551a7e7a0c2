// SPDX-License-Identifier: Apache-2.0
// A compiled car in duals: its parameters, its state and what it is commanded, each with N derivatives.
#pragma once
#include "vdsim/core/math/dual.hpp"
#include "vdsim/engine/car_model.hpp"

namespace vdsim {

using D8 = Dual<double, 8>;
inline constexpr int kDirections = 8;

template <Level Lv> struct DualCar {
  Model<D8, Lv> model;
  EquipmentParams<D8> units;

  explicit DualCar(const CarModel<Lv>& car) {
    model.kind = car.model.kind;
    model.data = car.model.data;
    put_values<D8>(car.model.p, model.p);
    put_values<D8>(car.units.p, units);
  }
};

template <Level Lv> CarView<D8> view_of(const DualCar<Lv>& car, const CarState<Lv>& state, const State<D8, Lv>& s) {
  CarView<D8> v{};
  v.vx = s.vx, v.vy = s.vy, v.r = s.r;
  v.ax = state.last.ax, v.ay = state.last.ay, v.steer = state.last.steer;
  for (int i = 0; i < 4; ++i) {
    const int w = Lv == Level::L1 ? i / 2 : i;
    v.w[i] = s.wheel[std::size_t(w)].w;
    v.radius[i] = car.model.p.wheel[w].tire.R0;
  }
  return v;
}

inline Grip<D8> grip_of(const Grip<double>& g) {
  return {{g.sgn[0], g.sgn[1]}, {g.dry[0], g.dry[1]}, {g.held[0], g.held[1]}, g.lock, g.clutch};
}

}  // namespace vdsim
