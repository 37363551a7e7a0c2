// SPDX-License-Identifier: Apache-2.0
// What the step of a full car does (engine/level_car_of.hpp), for all cars in one register: equipment, energy, where a car cannot go on.
#pragma once
#include <cmath>
#include <numbers>

#include "vdsim/core/integrate.hpp"
#include "vdsim/engine/accelerometer.hpp"
#include "vdsim/engine/batch/kernels.hpp"
#include "vdsim/engine/energy.hpp"

namespace vdsim {

template <class R> unsigned lane_bits(const mask_t<R>& m) {
  unsigned bits = 0;
  for (int i = 0; i < lanes<R>; ++i) bits |= unsigned(lane(m, i)) << i;
  return bits;
}

// Coupling or freeing an engine adds or removes its energy; before the step, with the wheels where they were.
template <class R, Level Lv, class Laws>
void couple_engine(const Model<R, Lv, Laws>& m, const State<R, Lv>& motion, const R engine[2], LaneState<R, Lv>& s) {
  const mask_t<R> other = (engine[0] != s.engine[0]) | (engine[1] != s.engine[1]);
  if (!any(other)) return;
  const R more = energy_of(m, motion, engine, s.steer).kinetic - energy_of(m, motion, s.engine, s.steer).kinetic;
  s.changed = select(other, s.changed + more, s.changed);
  for (int a = 0; a < 2; ++a) s.engine[a] = engine[a];
}

// Whole turns of the heading, which L5 keeps within -pi .. pi.
template <class R, Level Lv, class Laws>
void count_turns(const Model<R, Lv, Laws>& m, const State<R, Lv>& from, const State<R, Lv>& to, double* turns) {
  const Vec3<R> a = frame_of(m, from).x, b = frame_of(m, to).x;
  const R one = R(1.0);
  if (!any(copysign(one, a.y) != copysign(one, b.y))) return;
  for (int i = 0; i < lanes<R>; ++i) {
    const double before = std::atan2(double(lane(a.y, i)), double(lane(a.x, i))),
                 after = std::atan2(double(lane(b.y, i)), double(lane(b.x, i)));
    turns[i] += std::round((before - after) / (2 * std::numbers::pi));
  }
}

// True where a tire is pressed in by more than its radius: no law holds there.
template <class R, Level Lv, class Laws>
mask_t<R> pressed_in(const Model<R, Lv, Laws>& m, const Evaluation<R, Lv>& last) {
  mask_t<R> in(false);
  for (int i = 0; i < 4; ++i) in = in | (last.outputs.corner[i].in > m.p.corner[i].R0);
  return in;
}

// A car whose commands go straight to it.
template <class R, Level Lv, class Laws> LaneFaults advance_plain(const LaneRun& run) {
  const auto& m = *static_cast<const Model<R, Lv, Laws>*>(run.model);
  auto& s = *static_cast<LaneState<R, Lv>*>(run.state);
  const auto& u = *static_cast<const Inputs<R>*>(run.input);
  const R h = R(run.h);
  mask_t<R> finite_so_far(true), pressed(false);
  const R engine[2] = {m.p.axle[0].engine * abs(u.gear), m.p.axle[1].engine * abs(u.gear)};
  couple_engine(m, s.motion, engine, s);
  for (int i = 0; i < run.steps; ++i) {
    Power<R> p;
    if constexpr (kSprung<Lv>) {
      Evaluation<R, Lv> last;
      const State<R, Lv> before = s.motion;
      const Actuation<R>* const straight = nullptr;
      p = integrate(run.method, m, s.motion, u, u, h, nullptr, straight, &last);
      pressed = pressed | pressed_in(m, last);
      if constexpr (Lv == Level::L5) count_turns(m, before, s.motion, run.turns);
    } else {
      p = integrate(run.method, m, s.motion, u, u, h);
    }
    add_power(s.work, h, p);
    finite_so_far = finite_so_far & finite(s.motion);
  }
  s.steer = m.kind.rack ? road_wheel_angle(m.p.rack, s.motion.rack) : u.steer;
  return {lane_bits<R>(!finite_so_far), lane_bits<R>(pressed)};
}

// [T02.16]  Steering that jumps is booked with the moments at the end of the step.
template <class R, Level Lv, class Laws>
void book_turn(const Model<R, Lv, Laws>& m, const Orders<R>& u, R h, const State<R, Lv>& next, Power<R>& p) {
  if (m.kind.rack) return;
  const Stage<R, Lv> g = stage_at(m, u, 2, h, R(0.0));
  const mask_t<R> jumps = abs(g.angle[0].rate) * h > R(kJump);
  if (!any(jumps)) return;
  Evaluation<R, Lv> end;
  deriv(m, next, g, true, end.grip, end.outputs, end.rates);
  const R later = end.rates.power.steer - p.steer;
  p.steer = select(jumps, p.steer + later, p.steer);
  p.contact = select(jumps, p.contact + later, p.contact);
}

// A car with equipment or actuators.
template <class R, Level Lv> LaneFaults advance_equipped(const LaneRun& run) {
  const auto& m = *static_cast<const Model<R, Lv>*>(run.model);
  auto& s = *static_cast<LaneState<R, Lv>*>(run.state);
  auto& unit = *static_cast<LaneUnits<R>*>(run.unit_state);
  const auto& numbers = *static_cast<const UnitNumbers<R>*>(run.unit_numbers);
  const auto& u = *static_cast<const Inputs<R>*>(run.input);
  LaneActuators<R> none;
  LaneActuators<R>& actuators = run.actuators ? *static_cast<LaneActuators<R>*>(run.actuators) : none;
  const R h = R(run.h);
  mask_t<R> finite_so_far(true), pressed(false);
  for (int i = 0; i < run.steps; ++i) {
    Inputs<R> u0 = u, u1 = u;
    Actuation<R> act[3];
    const CarView<R> view = view_of(m, s.motion, unit.ax, unit.ay, s.steer);
    actuate(*run.units, numbers, view, u0, u1, h, unit.equipment, actuators, act);
    State<R, Lv> next = s.motion;
    Evaluation<R, Lv> last;
    const Actuation<R>* const given = act;
    Power<R> p = integrate(run.method, m, next, u0, u1, h, nullptr, given, &last);
    if constexpr (kSprung<Lv>) pressed = pressed | pressed_in(m, last);
    finite_so_far = finite_so_far & finite(next);
    book_turn(m, {u0, u1, nullptr, act}, h, next, p);
    couple_engine(m, s.motion, act[0].engine, s);
    add_power(s.work, h, p);
    const SpecificForce<R> f = specific_force(m, s.motion, next, h);
    unit.ax = f.x, unit.ay = f.y;
    unit.act = act[2];
    s.steer = m.kind.rack ? road_wheel_angle(m.p.rack, next.rack) : act[2].steer;
    if constexpr (Lv == Level::L5) count_turns(m, s.motion, next, run.turns);
    s.motion = next;
  }
  return {lane_bits<R>(!finite_so_far), lane_bits<R>(pressed)};
}

template <class R, Level Lv, class Laws> LaneFaults advance_lanes(const LaneRun& run) {
  if constexpr (std::is_same_v<Laws, Open>)
    if (run.units) return advance_equipped<R, Lv>(run);
  return advance_plain<R, Lv, Laws>(run);
}

}  // namespace vdsim
