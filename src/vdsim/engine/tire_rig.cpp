// SPDX-License-Identifier: Apache-2.0
#include "vdsim/engine/tire_rig.hpp"

#include <algorithm>
#include <cmath>

#include "vdsim/core/integrate_rk4.hpp"
#include "vdsim/core/vehicle/compile.hpp"
#include "vdsim/engine/car_state.hpp"
#include "vdsim/engine/reflect.hpp"
#include "vdsim/engine/same_math.hpp"

namespace vdsim {
namespace {

using S = WheelState<double>;
using A = WheelAffine<double>;

// States of the tire itself: the spin is prescribed.
template <class F> void each_tire_state(const TireKind& kind, F&& f) {
  each_affine<double>(kind, [&](double S::*state, Affine<double> A::*rate) {
    if (state != &S::w) f(state, rate);
  });
}

// All states that change, also those that the breakaway law and the contact patch advance themselves.
std::vector<double S::*> active_states(const TireKind& kind) {
  std::vector<double S::*> out;
  each_own_state<double>(kind, [&](double S::*state) { out.push_back(state); });
  each_tire_state(kind, [&](double S::*state, auto) { out.push_back(state); });
  return out;
}

RigInput mix(const RigInput& a, const RigInput& b, double share) {
  RigInput out;
  for_each_field<RigInput>([&](const auto& f) { out.*f.member = a.*f.member + (b.*f.member - a.*f.member) * share; });
  return out;
}

double radius_of(const TireSpec& spec) {
  VehicleSpec car;  // a part that gives none has that of the usual chassis
  car.tire_fl = spec;
  return radius_of(car, 0);
}

}  // namespace

TireRig::TireRig(const TireSpec& spec) : kind_(tire_kind(spec)), p_(compile_tire(spec, radius_of(spec))) {
  if (spec.schema == TireSchema::lugre_patch_v1)
    patch_ = PatchTire<double>{patch_kind(spec.patch), compile_patch(spec.patch), {}};
  if (spec.backend == TireBackend::magic_formula && spec.schema == TireSchema::pacejka_mf96_v1)
    usual_speed_ = spec.tir.model.LONGVL;
  fresh_tire(kind_, p_, fresh_);
  w_ = fresh_;
}

double TireRig::rolling_radius(const RigInput& in) const { return evaluate(w_, in).contact.Re; }

RigInput TireRig::at_slip(RigInput rest, double kappa, double alpha) const {
  const double roll = rest.vx + kappa * std::abs(rest.vx);
  rest.vy = vdsim::tan(alpha) * std::abs(rest.vx);
  rest.omega = roll / radius();
  for (int round = 0; round < 50; ++round) {  // the radius changes little with the spin: a few rounds settle it
    const double next = roll / rolling_radius(rest);
    if (next == rest.omega) break;
    rest.omega = next;
  }
  return rest;
}

TireRig::Instant TireRig::evaluate(WheelState<double> w, const RigInput& in) const {
  Instant o{};
  w.w = in.omega;
  Contact<double>& c = o.contact;
  c.Vx = in.vx;
  c.Vy = in.vy;
  c.Re = p_.R0;  // slip_loaded() knows better where it depends on load, spin or pressure
  c.Vr = c.Re * in.omega;
  c.psidot = in.psidot;
  c.mu_long = c.mu_lat = in.mu;
  c.gamma = in.gamma;
  c.pressure = in.pressure;
  if (patch_) c.patch = &*patch_;
  slip_free(kind_, p_, w, c, o.slip);
  slip_loaded(kind_, p_, w, in.fz, c, o.slip);
  o.force = tire_force(kind_, p_, w, c, o.slip, in.fz);
  o.moment = tire_rates(kind_, p_, w, c, o.slip, o.force, in.fz, o.rate);
  return o;
}

// Deflection beyond the friction limit of this instant is lost. The load of every instant is known here, so
// doing it where a step starts and where an output is made leaves nothing to do after a step.
void TireRig::keep_limits(const Instant& now) { keep_limit(kind_, now, w_); }

// Every state to the rest point of its own rate, y = v/L, in turn until none moves; limits act as in a step. Where a state
// turns with another (a standing wheel that yaws) the iteration is damped more and more.
void TireRig::start(const RigInput& in) {
  constexpr double far = 1e6;  // a state that nothing pulls back goes here and is caught by its limit
  w_ = fresh_;
  if (patch_) {
    patch_start(patch_->kind, patch_->p, motion(in), patch_->memory);
    return keep_patch(patch_force(patch_->kind, patch_->p, patch_->memory, motion(in), 0.0));
  }
  const auto watched = active_states(kind_);
  for (int round = 0; round < 2000; ++round) {
    const S before = w_;
    const double weight = round < 50 ? 1 : 50.0 / round;
    const Instant now = evaluate(w_, in);
    keep_limits(now);
    each_tire_state(kind_, [&](double S::*state, Affine<double> A::*rate) {
      if (wears(state)) return;  // a fresh tire, not a worn-out one
      const auto [L, v] = now.rate.*rate;
      if (v == 0 && L == 0) return;
      const double rest = std::clamp(v / std::max(L, 1e-300), -far, far);
      w_.*state += weight * (rest - w_.*state);
    });
    tire_advance(kind_, p_, now, far, w_);
    keep_limits(evaluate(w_, in));
    if (std::all_of(watched.begin(), watched.end(), [&](double S::*state) {
          return std::abs(w_.*state - before.*state) <= 1e-14 * std::abs(w_.*state);
        }))
      return;
  }
}

// RKMK4 on the tire's own states, as in a car (core/integrate_rk4.hpp); the breakaway law takes its quarter advances.
void TireRig::step(const RigInput& from, const RigInput& to, double h) {
  if (patch_) return step_patch(from, to, h);
  const int n = parts(from, to, h);
  for (int i = 0; i < n; ++i) step_part(mix(from, to, double(i) / n), mix(from, to, double(i + 1) / n), h / n);
}

// A slip that changes much within one relaxation length needs short steps: at most half a relaxation time each, so that
// 60 Hz and 1000 Hz give one result.
int TireRig::parts(const RigInput& from, const RigInput& to, double h) const {
  double leak = 0;
  for (const RigInput* in : {&from, &to}) {
    const A rate = evaluate(w_, *in).rate;
    leak = std::max(leak, relaxation_rate(kind_, rate));
  }
  return static_cast<int>(std::clamp(std::ceil(2 * leak * h), 1.0, 64.0));
}

void TireRig::step_part(const RigInput& from, const RigInput& to, double h) {
  const RigInput at[4] = {from, mix(from, to, 0.5), mix(from, to, 0.5), to};
  A rate[4]{};
  S y0 = w_;
  for (int stage = 0; stage < 4; ++stage) {
    const Instant now = evaluate(w_, at[stage]);
    if (stage == 0) {
      keep_limits(now);
      y0 = w_;
    }
    rate[stage] = now.rate;
    tire_advance(kind_, p_, now, 0.25 * h, w_);
    each_tire_state(kind_, [&](double S::*s, Affine<double> A::*r) {
      w_.*s = rkmk4(stage + 1, y0.*s, rate[0].*r, rate[1].*r, rate[2].*r, rate[3].*r, h);
    });
  }
}

// I w' = T - Re Fx - brake and rolling resistance, which are dry friction; the slope of Fx over the spin acts implicitly, as in a
// car [T07.3]. Short parts: at most a quarter of the time in which the road stops the wheel.
double TireRig::turn(const RigInput& from, RigInput to, const WheelTorque& t, double h) {
  double spin = from.omega;
  RigInput at = from;
  for (double done = 0; done < h;) {
    at = mix(from, to, done / h);
    at.omega = spin;
    const Instant now = evaluate(w_, at);
    const double Re = now.contact.Re, L = Re * Re * now.force.slope / t.inertia;
    const double leak = std::max(relaxation_rate(kind_, now.rate), L);
    const double dt = std::min(h - done, leak > 0 ? std::max(0.25 / leak, h / 256) : h);
    const double net = t.drive - Re * now.force.Fx, cap = t.brake + now.moment.roll;
    const double against = spin != 0 ? sign(spin) : std::clamp(net / std::max(cap, 1e-30), -1.0, 1.0);
    double next = spin + dt * (net - against * cap) / t.inertia / (1 + dt * L);
    if ((next * spin < 0 || spin == 0) && std::abs(net) <= cap) next = 0;  // dry friction stops it, and holds it
    RigInput end = mix(from, to, std::min((done + dt) / h, 1.0));
    end.omega = next;
    step(at, end, dt);
    spin = next;
    done = h - (done + dt) < 1e-12 * h ? h : done + dt;
  }
  return spin;
}

PatchMotion<double> TireRig::motion(const RigInput& in) const {
  const double U = p_.R0 * in.omega;
  return {U, U - in.vx, -in.vy, in.mu};
}

void TireRig::keep_patch(const PatchForce<double>& f) {
  w_.zx = f.zx;
  w_.zy = f.zy;
}

// The patch keeps the motion of the last step; a jump from it is taken as a change within a nanosecond.
void TireRig::step_patch(const RigInput& from, const RigInput& to, double h) {
  const PatchMotion<double> m = motion(from), last = patch_->memory.motion;
  if (m.U != last.U || m.vx != last.vx || m.vy != last.vy || m.mu != last.mu)
    patch_advance(patch_->kind, patch_->p, patch_->memory, m, 1e-9);
  keep_patch(patch_advance(patch_->kind, patch_->p, patch_->memory, motion(to), h));
}

RigOutput TireRig::output(const RigInput& in) const {
  const Instant now = evaluate(w_, in);
  const double my = -sign(in.omega) * now.moment.roll;
  return {now.force.Fx,
          now.force.Fy,
          in.fz,
          now.moment.Mx,
          my,
          now.moment.Mz,
          slip_ratio(now.contact.Vr, in.vx),
          slip_angle(in.vy, std::abs(in.vx))};
}

std::vector<Column> TireRig::state_columns() const {
  std::vector<Column> out;
  for (double S::*state : active_states(kind_))
    for_each_field<S>([&](const auto& field) {
      if (field.member == state) out.push_back({field.name, field.unit, field.meaning});
    });
  return out;
}

StateList TireRig::state() {
  StateList out{vdsim::state("wheel", w_, "", "of the tire")};
  if (patch_) out.push_back(vdsim::state("patch", patch_->memory, "", "contact patch"));
  return out;
}

void TireRig::states(const RigInput& in, std::vector<double>& append) const {
  TireRig now = *this;  // limits act on what is shown too
  now.keep_limits(evaluate(w_, in));
  for (double S::*state : active_states(kind_)) append.push_back(now.w_.*state);
}

}  // namespace vdsim
