// SPDX-License-Identifier: Apache-2.0
// The pieces of ContinuousCar for one level: its states in a row, event indicators, what an event does.  [T02.17] to [T02.19]
#pragma once
#include <cmath>

#include "vdsim/engine/car_model.hpp"
#include "vdsim/engine/continuous.hpp"

namespace vdsim {

inline constexpr double kSpinBack = 1e-6;      // spin against its friction at which a wheel has stopped [rad/s]
inline constexpr double kHoldMore = 1e-6;      // of the capacity: beyond it a held wheel lets go
inline constexpr double kBeyond = 1e-4;        // of the deflection: beyond the limit by more, it returns
inline constexpr double kNoDeflection = 1e-9;  // [m], [rad]

// Usual sizes of states that are not about 1.
inline double nominal_size(std::string_view name) {
  if (name == "zx" || name == "zy" || name == "z") return 1e-3;
  if (name == "kap" || name == "alp" || name == "pivot" || name == "travel" || name == "roll") return 1e-2;
  return name == "w" ? 10 : name.starts_with("T_") ? 100 : 1;
}

// [T02.17]  Calls f(number, its rate) for every continuous state, in one order.
template <class R, Level Lv, class S, class F>
void each_continuous(const Model<R, Lv>& m, S& s, const Rates<R, Lv>& d, F&& f) {
  each_body<R, Lv>([&](auto state, auto rate) {
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(s.*state)>, R>)
      f(s.*state, d.*rate);
    else
      for (std::size_t i = 0; i < (s.*state).size(); ++i) f((s.*state)[i], (d.*rate)[i]);
  });
  for (std::size_t i = 0; i < s.wheel.size(); ++i)
    each_affine<R>(m.kind.tire[i], [&](auto state, auto rate) {
      const Affine<R>& a = d.wheel[i].*rate;
      f(s.wheel[i].*state, a.v - a.L * (s.wheel[i].*state));
    });
  if (!m.kind.rack) return;
  f(s.rack.x, d.rack.dx);
  f(s.rack.v, d.rack.dv);
  f(s.rack.z, d.rack.z.v - d.rack.z.L * s.rack.z);
}

// What they are called, in the same order.
template <Level Lv> std::vector<ContinuousState> continuous_states(const Model<double, Lv>& m) {
  std::vector<ContinuousState> out;
  const auto add = [&](const auto& field, const std::string& name) {
    out.push_back({name, field.unit, field.meaning, nominal_size(field.name)});
  };
  each_body<double, Lv>([&](auto state, auto) {
    using Member = decltype(state);  // named here: inside the lambda below g++ 12 takes it for a const one
    for_each_field<State<double, Lv>>([&](const auto& field) {
      if constexpr (std::is_same_v<std::remove_cvref_t<decltype(field.member)>, Member>) {
        if (field.member != state) return;
        if constexpr (std::is_same_v<Member, double State<double, Lv>::*>)
          add(field, field.name);
        else
          for (int i = 1; i <= 4; ++i) add(field, field.name + ("[" + std::to_string(i) + "]"));
      }
    });
  });
  for (int i = 0; i < kWheels<Lv>; ++i)
    each_affine<double>(m.kind.tire[i], [&](auto state, auto) {
      for_each_field<WheelState<double>>([&](const auto& field) {
        if (field.member == state) add(field, "wheel[" + std::to_string(i + 1) + "]." + field.name);
      });
    });
  if (m.kind.rack)
    for_each_field<RackState<double>>([&](const auto& field) { add(field, std::string("rack.") + field.name); });
  return out;
}

// --- the mode

inline void read_mode(const GripMode& from, Grip<double> to[2]) {
  for (std::size_t a = 0; a < 2; ++a) {
    const double* x = &from[8 * a];
    to[a] = {{x[0], x[1]}, {x[2] != 0, x[3] != 0}, {x[4] != 0, x[5] != 0}, x[6] != 0, x[7]};
  }
}
inline GripMode mode_of(const Grip<double> from[2]) {
  GripMode out;
  for (std::size_t a = 0; a < 2; ++a) {
    const Grip<double>& g = from[a];
    const double x[8] = {g.sgn[0],          g.sgn[1],          double(g.dry[0]), double(g.dry[1]),
                         double(g.held[0]), double(g.held[1]), double(g.lock),   g.clutch};
    std::copy(x, x + 8, &out[8 * a]);
  }
  return out;
}

template <Level Lv> constexpr int clutch_count(const Model<double, Lv>& m) {
  return kWheels<Lv> == 4 ? m.kind.axle[0].lsd + m.kind.axle[1].lsd : 0;
}

// [T02.18]  Above 0 while the mode holds: of every wheel, then of every LSD clutch.
template <Level Lv> void mode_margins(const Model<double, Lv>& m, const State<double, Lv>& s,
                                      const Evaluation<double, Lv>& now, double* out) {
  constexpr int n = kWheels<Lv> / 2;
  double* clutch = out + kWheels<Lv>;
  for (int a = 0; a < 2; ++a) {
    const int side[2] = {a * n, a * n + n - 1};
    const AxleParams<double>& p = m.p.axle[a];
    const Grip<double>& g = now.grip[a];
    const AxleTorque<double> t = axle_torque(m, s, now.stage, a, now.outputs);
    const double free[2] = {t.f[0] - g.sgn[0] * t.cap[0], t.f[1] - g.sgn[1] * t.cap[1]};
    for (int k = 0; k < n; ++k) {
      const int o = 1 - k;
      double need = t.f[k] - (g.held[o] ? 0 : t.e * free[o] / (p.I + t.e)), cap = t.cap[k];
      if (m.kind.axle[a].locked) need = t.f[0] + t.f[1], cap = t.cap[0] + t.cap[1];
      const double w = s.wheel[std::size_t(side[k])].w;
      out[side[k]] = g.held[k] ? cap * (1 + kHoldMore) - std::abs(need) : w * g.sgn[k] + kSpinBack;
    }
    if (n != 2 || !m.kind.axle[a].lsd) continue;
    const double apart = s.wheel[std::size_t(side[0])].w - s.wheel[std::size_t(side[1])].w;
    *clutch++ = g.lock ? lsd_capacity(p, t.T) * (1 + kHoldMore) - 0.5 * std::abs(free[0] - free[1])
                       : apart * g.clutch + kSpinBack;
  }
}

// Something is held beyond its friction limit by more than kBeyond of it.
template <Level Lv>
bool beyond_limits(const Model<double, Lv>& m, const State<double, Lv>& s, const Evaluation<double, Lv>& now) {
  State<double, Lv> kept = s;
  keep_limits(m, kept, now.outputs);
  for (std::size_t i = 0; i < kept.wheel.size(); ++i)
    for (const auto member : {&WheelState<double>::zx, &WheelState<double>::zy, &WheelState<double>::pivot}) {
      const double is = s.wheel[i].*member, limit = kept.wheel[i].*member;
      if (std::abs(is - limit) > kBeyond * std::abs(limit) + kNoDeflection) return true;
    }
  return false;
}

// [T02.19]  Dry friction stops a wheel that has turned back, a clutch joins wheels that have passed each other.
template <Level Lv>
void stop_in_event(const Model<double, Lv>& m, const Evaluation<double, Lv>& now, State<double, Lv>& s) {
  keep_limits(m, s, now.outputs);
  stop_at_zero(m, now.grip, s);
}

}  // namespace vdsim
