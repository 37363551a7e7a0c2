// SPDX-License-Identifier: Apache-2.0
// A car that starts at rest on a slope: its tires hold it from the first instant on, so that it stays where friction allows.
// docs/theory/19_lugre_dynamic_tire.md, section 9.
#pragma once
#include <cmath>

#include "vdsim/core/tire/carry.hpp"
#include "vdsim/engine/car_model.hpp"

namespace vdsim {

// A wheel as the body sees it: place, axes on the road; what it may carry; whether it can be held from rolling.
struct Foothold {
  double x, y, ex, ey;  // [m]; its forward axis, of length 1
  double share, most;   // of the load that is to be held; longitudinal force at which the brake gives way [N]
  bool held;
};
template <Level Lv> Foothold foothold(const Model<double, Lv>& m, const Evaluation<double, Lv>& now, int i) {
  const WheelOut<double>& w = now.outputs.wheel[i];
  Foothold f{m.p.wheel[i].x, m.p.wheel[i].y, now.stage.angle[i].c, now.stage.angle[i].s, std::fmax(w.Fz, 0.0), 0,
             false};
  if constexpr (kSprung<Lv>) {
    const auto& k = now.outputs.corner[i];
    const double size = std::hypot(k.ex.x, k.ex.y);
    f.x = k.at.x, f.y = k.at.y, f.ex = k.ex.x / size, f.ey = k.ex.y / size;
  }
  if (m.kind.tire[i].contact == ContactLaw::rolling) f.share = std::fmin(w.force.Dx, w.force.Dy);
  f.most = now.stage.cap[i] / w.contact.Re * (1 - 1e-9);
  f.held = f.most > 0;
  return f;
}

// [T19.35]  f_i = share_i P_i (l + l_r z x r_i): the forces of least sum f^2/share that make the force and moment r; P_i leaves a
// wheel that rolls its side force. Where no wheel is held nothing can be done along the car.
template <int N> void spread(const Foothold (&at)[N], double count, const double r[3], double f[N][2]) {
  double A[3][4] = {};
  bool held = false;
  const auto columns = [&](const Foothold& w, int k, double out[2]) {  // P G e_k
    const double g[2] = {k == 0 ? 1.0 : k == 1 ? 0.0 : -w.y, k == 0 ? 0.0 : k == 1 ? 1.0 : w.x};
    const double side = -w.ey * g[0] + w.ex * g[1];
    out[0] = w.held ? g[0] : -w.ey * side, out[1] = w.held ? g[1] : w.ex * side;
  };
  for (const Foothold& w : at) {
    held = held || w.held;
    double c[3][2];
    for (int k = 0; k < 3; ++k) columns(w, k, c[k]);
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 3; ++k) A[j][k] += count * w.share * (c[j][0] * c[k][0] + c[j][1] * c[k][1]);
  }
  for (int j = 0; j < 3; ++j) A[j][3] = r[j];
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
      columns(at[i], k, c);
      for (int n = 0; n < 2; ++n) f[i][n] += at[i].share * c[n] * A[k][3] / A[k][k];
    }
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
    if (!(at[i].share > 0)) return;
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
    double more[N][2];
    spread<N>(at, Model<double, Lv>::count, r, more);
    bool gives_way = false;
    for (int i = 0; i < N; ++i) {
      const Foothold& w = at[i];
      for (int n = 0; n < 2; ++n) F[i][n] += more[i][n];
      if (w.held && std::fabs(F[i][0] * w.ex + F[i][1] * w.ey) > w.most) at[i].held = false, gives_way = true;
    }
    if (gives_way) {  // from the beginning, without the brakes that slip
      s = free, round = -1, before = HUGE_VAL;
      for (auto& f : F) f[0] = f[1] = 0;
      continue;
    }
    for (int i = 0; i < N; ++i) {
      const WheelOut<double>& w = now.outputs.wheel[i];
      const WheelForces<double> want{F[i][0] * at[i].ex + F[i][1] * at[i].ey, F[i][1] * at[i].ex - F[i][0] * at[i].ey};
      carry_force(m.kind.tire[i], m.p.wheel[i].tire, w.contact, w.Fz, want, s.motion.wheel[std::size_t(i)],
                  s.patch.empty() ? nullptr : &s.patch[std::size_t(i)]);
    }
  }
}

}  // namespace vdsim
