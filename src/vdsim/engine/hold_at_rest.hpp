// SPDX-License-Identifier: Apache-2.0
// A car that starts at rest on a slope: its tires hold it from the first instant on, so that it stays where friction allows.
// docs/theory/19_lugre_dynamic_tire.md, section 9.
#pragma once
#include <cmath>

#include "vdsim/core/tire/carry.hpp"
#include "vdsim/engine/car_model.hpp"
#include "vdsim/engine/same_math.hpp"

namespace vdsim {

// A wheel as the body sees it: place, axes on the road; what friction and its brake let it carry.
struct Foothold {
  double x, y, ex, ey;  // [m]; its forward axis, of length 1
  double limit[2];      // of its friction, along and across [N]
  double most;          // longitudinal force at which the brake gives way [N]
  bool held;            // from rolling
  double weight = 1;    // its part of the load against that of the others, over their limits
  bool stands() const { return limit[0] > 0 && limit[1] > 0; }  // not lifted
  double along(const double f[2]) const { return f[0] * ex + f[1] * ey; }
  double across(const double f[2]) const { return f[1] * ex - f[0] * ey; }
  // force and moment of f about the CG, per unit of its k-th component: k of (x, y, yaw)
  void wrench(int k, double g[2]) const {
    g[0] = k == 0 ? 1.0 : k == 1 ? 0.0 : -y, g[1] = k == 0 ? 0.0 : k == 1 ? 1.0 : x;
  }
};
template <Level Lv>
void take_limits(const Model<double, Lv>& m, const Evaluation<double, Lv>& now, int i, Foothold& f) {
  const WheelOut<double>& w = now.outputs.wheel[i];
  const bool peaks = m.kind.tire[i].contact == ContactLaw::rolling;
  f.limit[0] = peaks ? w.force.Dx : std::fmax(w.Fz, 0.0), f.limit[1] = peaks ? w.force.Dy : f.limit[0];
}
template <Level Lv> Foothold foothold(const Model<double, Lv>& m, const Evaluation<double, Lv>& now, int i) {
  const WheelOut<double>& w = now.outputs.wheel[i];
  Foothold f{m.p.wheel[i].x, m.p.wheel[i].y, now.stage.angle[i].c, now.stage.angle[i].s, {}, 0, false};
  if constexpr (kSprung<Lv>) {
    const auto& k = now.outputs.corner[i];
    const double size = vdsim::hypot(k.ex.x, k.ex.y);
    f.x = k.at.x, f.y = k.at.y, f.ex = k.ex.x / size, f.ey = k.ex.y / size;
  }
  f.most = now.stage.cap[i] / w.contact.Re * (1 - 1e-9);
  f.held = f.most > 0;
  return f;
}

// [T19.35]  f_i = S_i (l + l_r z x r_i): the forces of least sum |f_i|^2/S_i that make the force and moment `load`; S_i leaves a wheel
// that rolls its side force. Where no wheel is held nothing can be done along the car.
template <int N> void spread(const Foothold (&at)[N], double count, const double load[3], double f[N][2]) {
  double A[3][4] = {};
  bool held = false;
  const auto column = [](const Foothold& w, int k, double out[2]) {  // S G e_k
    double g[2];
    out[0] = out[1] = 0;
    if (!w.stands()) return;
    w.wrench(k, g);
    const double least = std::fmin(w.limit[0], w.limit[1]), size = w.weight / least;
    const double along = w.held ? size * w.limit[0] * w.limit[0] * w.along(g) : 0.0,
                 across = size * w.limit[1] * w.limit[1] * w.across(g);
    out[0] = along * w.ex - across * w.ey, out[1] = along * w.ey + across * w.ex;
  };
  for (const Foothold& w : at) {
    held = held || w.held;
    for (int k = 0; k < 3; ++k) {
      double c[2], g[2];
      column(w, k, c);
      for (int j = 0; j < 3; ++j) w.wrench(j, g), A[j][k] += count * (g[0] * c[0] + g[1] * c[1]);
    }
  }
  for (int j = 0; j < 3; ++j) A[j][3] = load[j];
  if (!held) {
    for (int k = 1; k < 3; ++k) A[0][k] = A[k][0] = 0;
    A[0][0] = 1, A[0][3] = 0;
  }
  for (int j = 0; j < 3; ++j)  // positive definite: no pivoting
    for (int i = 0; i < 3; ++i) {
      if (i == j) continue;
      const double q = A[i][j] / A[j][j];
      for (int k = j; k < 4; ++k) A[i][k] -= q * A[j][k];
    }
  for (int i = 0; i < N; ++i) {
    f[i][0] = f[i][1] = 0;
    for (int k = 0; k < 3; ++k) {
      double c[2];
      column(at[i], k, c);
      for (int n = 0; n < 2; ++n) f[i][n] += c[n] * A[k][3] / A[k][k];
    }
  }
}
// [T19.36]  Near the limit of a wheel the others take over what they can (Lawson): least largest share of a limit.
template <int N> void spread_evenly(Foothold (&at)[N], double count, const double load[3], double f[N][2]) {
  constexpr double near = 0.9;
  for (Foothold& w : at) w.weight = 1;
  for (int round = 0; round < 12; ++round) {
    spread<N>(at, count, load, f);
    double used[N], most = 0;
    for (int i = 0; i < N; ++i) {
      const Foothold& w = at[i];
      used[i] = w.stands() ? vdsim::hypot(w.along(f[i]) / w.limit[0], w.across(f[i]) / w.limit[1]) : 0;
      most = std::fmax(most, used[i]);
    }
    if (!(most >= near)) return;
    for (int i = 0; i < N; ++i) at[i].weight *= most / std::fmax(used[i], 0.5 * most);
  }
}

// look(): the equations of motion of `s` with the commands of the start.
template <Level Lv, class Look> void hold_at_rest(const Model<double, Lv>& m, CarState<Lv>& s, Look&& look) {
  constexpr int N = kWheels<Lv>;
  const CarState<Lv> free = s;
  Foothold at[N];
  const Evaluation<double, Lv>& first = look();
  for (int i = 0; i < N; ++i) {
    const ContactLaw law = m.kind.tire[i].contact;
    if (law != ContactLaw::rolling && law != ContactLaw::patch) return;  // the others do not hold at rest
    at[i] = foothold(m, first, i);
  }
  double before = HUGE_VAL, F[N][2] = {};
  for (int round = 0, left = 40; left > 0; ++round, --left) {
    const Evaluation<double, Lv>& now = look();
    const double r[3] = {-m.p.m * now.rates.vx, -m.p.m * now.rates.vy, -m.p.Iz * now.rates.r};
    bool held = false;
    for (const Foothold& w : at) held = held || w.held;
    const double size = std::fmax(held ? std::fabs(r[0]) : 0.0, std::fmax(std::fabs(r[1]), std::fabs(r[2])));
    if (size < 1e-10 * m.p.m * kGravity || (round > 3 && size > 0.9 * before)) return;
    before = size;
    double load[3] = {r[0], r[1], r[2]}, g[2];
    int stand = 0;
    for (int i = 0; i < N; ++i) take_limits(m, now, i, at[i]), stand += at[i].stands();
    if (stand < 2) return;  // no way to hold it from turning
    for (int i = 0; i < N; ++i)
      for (int k = 0; k < 3; ++k)
        at[i].wrench(k, g), load[k] += Model<double, Lv>::count * (g[0] * F[i][0] + g[1] * F[i][1]);
    spread_evenly<N>(at, Model<double, Lv>::count, load, F);
    bool gives_way = false;
    for (int i = 0; i < N; ++i)
      if (at[i].held && std::fabs(at[i].along(F[i])) > at[i].most) at[i].held = false, gives_way = true;
    if (gives_way) {  // from the beginning, without the brakes that slip
      s = free, round = -1, before = HUGE_VAL;
      for (auto& f : F) f[0] = f[1] = 0;
      continue;
    }
    for (int i = 0; i < N; ++i) {
      const WheelOut<double>& w = now.outputs.wheel[i];
      const WheelForces<double> want{at[i].along(F[i]), at[i].across(F[i])};
      carry_force(m.kind.tire[i], m.p.wheel[i].tire, w.contact, w.Fz, want, s.motion.wheel[std::size_t(i)],
                  s.patch.empty() ? nullptr : &s.patch[std::size_t(i)]);
    }
  }
}

}  // namespace vdsim
