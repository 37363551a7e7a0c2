// SPDX-License-Identifier: Apache-2.0
// The states of the body, listed once for every integrator.
#pragma once
#include "vdsim/core/vehicle/fourteen_dof.hpp"
#include "vdsim/core/vehicle/free_3d.hpp"
#include "vdsim/core/vehicle/planar.hpp"

namespace vdsim {

// The equations of motion at one instant, and what they were asked with.
template <class R, Level Lv> struct Evaluation {
  Stage<R, Lv> stage;
  Outputs<R, Lv> outputs;
  Rates<R, Lv> rates;
  Grip<R> grip[2];
  bool at_start = false;  // given to a step: it is the step's first evaluation, made already (RK4, no equipment)
};

// Calls f(state member, rate member) for every place and angle of the body,
template <class R, Level Lv, class F> VD_INLINE void each_pose(F&& f) {
  using S = State<R, Lv>;
  using D = Rates<R, Lv>;
  f(&S::x, &D::x);
  f(&S::y, &D::y);
  if constexpr (Lv != Level::L5) f(&S::psi, &D::psi);
  if constexpr (kSprung<Lv>) f(&S::z, &D::z);
  if constexpr (Lv == Level::L3) {
    f(&S::phi, &D::phi);
    f(&S::theta, &D::theta);
  }
  if constexpr (Lv == Level::L5) {
    f(&S::e0, &D::e0);
    f(&S::ex, &D::ex);
    f(&S::ey, &D::ey);
    f(&S::ez, &D::ez);
  }
}
// and for all of its states.
template <class R, Level Lv, class F> VD_INLINE void each_body(F&& f) {
  using S = State<R, Lv>;
  using D = Rates<R, Lv>;
  each_pose<R, Lv>(f);
  f(&S::vx, &D::vx);
  f(&S::vy, &D::vy);
  f(&S::r, &D::r);
  if constexpr (kSprung<Lv>) {
    f(&S::vz, &D::vz);
    f(&S::p, &D::p);
    f(&S::q, &D::q);
    f(&S::travel, &D::travel);
    f(&S::speed, &D::speed);
  }
}
template <class R> VD_INLINE R moved(const R& from, const R& rate, const R& h) { return from + h * rate; }
template <class R>
VD_INLINE std::array<R, 4> moved(const std::array<R, 4>& from, const std::array<R, 4>& rate, const R& h) {
  return {from[0] + h * rate[0], from[1] + h * rate[1], from[2] + h * rate[2], from[3] + h * rate[3]};
}
template <class R, Level Lv>
VD_FN void move_body(State<R, Lv>& s, const State<R, Lv>& from, const Rates<R, Lv>& d, R h) {
  each_body<R, Lv>([&](auto state, auto rate) { s.*state = moved(from.*state, d.*rate, h); });
}
// An attitude stays of length 1; the other levels have none.
template <class R, Level Lv> VD_FN void keep_unit([[maybe_unused]] State<R, Lv>& s) {
  if constexpr (Lv == Level::L5) {
    const R k = R(1.0) / sqrt((s.e0 * s.e0 + s.ex * s.ex) + (s.ey * s.ey + s.ez * s.ez));
    s.e0 = k * s.e0;
    s.ex = k * s.ex;
    s.ey = k * s.ey;
    s.ez = k * s.ez;
  }
}

// [T02.11]  Explicit, v' = -omega x v lets the speed of a spinning car grow by (omega h)^2/2 per step. Long steps turn the velocity
// instead (Cayley's rotation): v + 2/(1 + q^2) (q x v + q x (q x v)), q = -omega h/2.
template <class R, Level Lv> VD_FN void turn_velocity(const State<R, Lv>& from, R h, State<R, Lv>& s) {
  Vec3<R> v{from.vx, from.vy, R(0.0)}, w{R(0.0), R(0.0), from.r};
  if constexpr (Lv == Level::L5) v.z = from.vz, w.x = from.p, w.y = from.q;
  const Vec3<R> q = (R(-0.5) * h) * w, once = cross(q, v);
  const Vec3<R> more = (R(2.0) / (R(1.0) + dot(q, q))) * (once + cross(q, once)) - R(2.0) * once;
  s.vx += more.x;
  s.vy += more.y;
  if constexpr (Lv == Level::L5) s.vz += more.z;
}

// [T02.10]  Long steps (Euler, implicit) on springs: a travel gains speed as if its mass were m + h c + h^2 k, with the damping and
// stiffness of strut and tire, so that no step is too long for it; then places follow their new speeds.
template <class R, Level Lv, class Laws>
VD_FN void move_places(const Model<R, Lv, Laws>& m, const State<R, Lv>& from, R h, State<R, Lv>& s) {
  for (int i = 0; i < 4; ++i) {
    const CornerParams<R>& c = m.p.corner[i];
    const R damping = c.strut.c_mean + abs(c.strut.c_half) + c.strut.ct,
            out = select((s.travel[i] > c.strut.bump) | (s.travel[i] < -c.strut.droop), c.strut.stop, R(0.0)),
            stiffness = c.strut.k + abs(c.strut.bar) + c.strut.kt + out;
    const R late = R(1.0) / (R(1.0) + h * (damping + h * stiffness) * c.inv_mass);
    s.speed[i] = from.speed[i] + (s.speed[i] - from.speed[i]) * late;
    s.travel[i] = from.travel[i] + h * s.speed[i];
  }
  Rates<R, Lv> e;
  pose_rates(m, s, frame_of(m, from), Response<R>{}, e);
  each_pose<R, Lv>([&](auto state, auto rate) { s.*state = from.*state + h * (e.*rate); });
  keep_unit(s);
}

}  // namespace vdsim
