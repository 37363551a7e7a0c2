#include "sim/rig.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "vdsim/integrate_rk4.hpp"
#include "vdsim/vehicle/compile.hpp"

namespace vdsim {
namespace {

constexpr double kMostRows = 2e8;

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
  if (kind.patch || (kind.lugre && !kind.rolling)) out = {&S::zx, &S::zy};
  if (kind.belt) out.insert(out.end(), {&S::kap, &S::alp});
  each_tire_state(kind, [&](double S::*state, auto) { out.push_back(state); });
  return out;
}

RigInput mix(const RigInput& a, const RigInput& b, double share) {
  const auto m = [&](double RigInput::*x) { return a.*x + (b.*x - a.*x) * share; };
  return {m(&RigInput::omega), m(&RigInput::vx),       m(&RigInput::vy), m(&RigInput::fz),
          m(&RigInput::gamma), m(&RigInput::pressure), m(&RigInput::mu), m(&RigInput::psidot)};
}

double radius_of(const TireSpec& spec) {
  VehicleSpec car;  // a part that gives none has that of the usual chassis
  car.tire_fl = spec;
  return radius_of(car, 0);
}

}  // namespace

TireRig::TireRig(const TireSpec& spec) : kind_(tire_kind(spec)), p_(compile_tire(spec, radius_of(spec))) {
  if (kind_.patch) patch_ = PatchTire<double>{patch_kind(spec.patch), compile_patch(spec.patch), {}};
  if (kind_.tir) usual_speed_ = spec.tir.model.LONGVL;
  if (kind_.rally) {
    const RallyState<double> state = rally_state(spec.rally);
    fresh_.T_tread = state.T_tread;
    fresh_.T_core = state.T_core;
    fresh_.tread = state.tread;
  }
  w_ = fresh_;
}

double TireRig::rolling_radius(const RigInput& in) const { return evaluate(w_, in).contact.Re; }

RigInput TireRig::at_slip(RigInput rest, double kappa, double alpha) const {
  const double roll = rest.vx + kappa * std::abs(rest.vx);
  rest.vy = std::tan(alpha) * std::abs(rest.vx);
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
  o.moments = tire_rates(kind_, p_, w, c, o.slip, o.force, in.fz, o.rate);
  return o;
}

// What the tire holds beyond the friction limit of this instant is lost. The load of every instant is known here, so
// doing it where a step starts and where an output is made leaves nothing to do after a step.
void TireRig::keep_limits(const Instant& now) {
  w_.zx = now.force.zx;
  w_.zy = now.force.zy;
  if (kind_.pivot) w_.pivot = now.moments.pivot;
}

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
      if (state == &S::T_tread || state == &S::T_core || state == &S::tread)
        return;  // a fresh tire, not a worn-out one
      const auto [L, v] = now.rate.*rate;
      if (v == 0 && L == 0) return;
      const double rest = std::clamp(v / std::max(L, 1e-300), -far, far);
      w_.*state += weight * (rest - w_.*state);
    });
    if (kind_.lugre && !kind_.rolling) breakaway_advance(kind_, p_, now.contact, now.slip, now.force, far, w_);
    keep_limits(evaluate(w_, in));
    if (std::all_of(watched.begin(), watched.end(), [&](double S::*state) {
          return std::abs(w_.*state - before.*state) <= 1e-14 * std::abs(w_.*state);
        }))
      return;
  }
}

// RKMK4 on the tire's own states, as in a car (vdsim/integrate_rk4.hpp); the breakaway law takes its quarter advances.
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
    if (kind_.lugre && kind_.rolling) leak = std::max({leak, rate.zx.L, rate.zy.L});
    if (kind_.relax_long) leak = std::max(leak, rate.kap.L);
    if (kind_.relax_lat) leak = std::max(leak, rate.alp.L);
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
    if (kind_.lugre && !kind_.rolling) breakaway_advance(kind_, p_, now.contact, now.slip, now.force, 0.25 * h, w_);
    each_tire_state(kind_, [&](double S::*s, Affine<double> A::*r) {
      w_.*s = rkmk4(stage + 1, y0.*s, rate[0].*r, rate[1].*r, rate[2].*r, rate[3].*r, h);
    });
  }
}

PatchMotion<double> TireRig::motion(const RigInput& in) const {
  const double U = p_.R0 * in.omega;
  return {U, U - in.vx, -in.vy, in.mu};
}

void TireRig::keep_patch(const PatchForce<double>& f) {
  w_.zx = f.zx;
  w_.zy = f.zy;
}

// The patch knows its motion from the last step; a jump from there is a change within a nanosecond.
void TireRig::step_patch(const RigInput& from, const RigInput& to, double h) {
  const PatchMotion<double> m = motion(from), last = patch_->memory.motion;
  if (m.U != last.U || m.vx != last.vx || m.vy != last.vy || m.mu != last.mu)
    patch_advance(patch_->kind, patch_->p, patch_->memory, m, 1e-9);
  keep_patch(patch_advance(patch_->kind, patch_->p, patch_->memory, motion(to), h));
}

RigOutput TireRig::output(const RigInput& in) const {
  const Instant now = evaluate(w_, in);
  const double my = -sign(in.omega) * now.moments.roll;
  return {now.force.Fx,
          now.force.Fy,
          in.fz,
          now.moments.Mx,
          my,
          now.moments.Mz,
          slip_ratio(now.contact.Vr, in.vx),
          slip_angle(in.vy, std::abs(in.vx))};
}

std::vector<std::string> TireRig::state_names() const {
  std::vector<std::string> out;
  for (double S::*state : active_states(kind_))
    for_each_field<S>([&](const auto& field) {
      if (field.member == state) out.push_back(field.name);
    });
  return out;
}

void TireRig::states(const RigInput& in, std::vector<double>& append) const {
  TireRig now = *this;  // limits act on what is shown too
  now.keep_limits(evaluate(w_, in));
  for (double S::*state : active_states(kind_)) append.push_back(now.w_.*state);
}

// ------------------------------------------------------------------------------------------------ motion

namespace {

// Positions in RigMotion::index_; the time is the first.
enum Name { in_t, in_fz, in_vx, in_gamma, in_pressure, in_mu, in_psidot, in_omega, in_vy, in_kappa, in_alpha, names };
constexpr std::array<const char*, names> kNames{"t",      "fz",    "vx", "gamma", "pressure", "mu",
                                                "psidot", "omega", "vy", "kappa", "alpha"};
constexpr std::size_t kAbsent = static_cast<std::size_t>(-1);
constexpr Range kAngle{-1.5707963267948966, 1.5707963267948966, true, true};

bool is_sweep(const std::vector<std::string>& names) {
  const auto has = [&](const char* name) { return std::find(names.begin(), names.end(), name) != names.end(); };
  return (has("kappa") || has("alpha")) && !has("omega") && !has("vy");
}

ColumnRules rig_rules(const std::vector<std::string>& names) {
  ColumnRules rules{{"t", "s", any_finite(), true, true}};
  if (is_sweep(names)) {
    rules.push_back({"kappa", "-"});
    rules.push_back({"alpha", "rad", kAngle});
    rules.push_back(optional_column("vx", "m/s"));
  } else {
    rules.push_back({"omega", "rad/s"});
    rules.push_back({"vx", "m/s"});
    rules.push_back({"vy", "m/s"});
  }
  rules.push_back({"fz", "N", at_least(0)});
  rules.push_back(optional_column("gamma", "rad", kAngle));
  rules.push_back(optional_column("pressure", "Pa", above(0)));
  rules.push_back(optional_column("mu", "-", at_least(0)));
  rules.push_back(optional_column("psidot", "rad/s"));
  return rules;
}

}  // namespace

std::optional<RigMotion> RigMotion::read(std::string_view text, const std::string& file, Errors& errors) {
  auto table = read_table(text, file, rig_rules, errors);
  if (!table) return std::nullopt;
  RigMotion out;
  out.table_ = std::move(*table);
  out.sweep_ = is_sweep(out.table_.names);
  for (const char* name : kNames) {
    const auto at = std::find(out.table_.names.begin(), out.table_.names.end(), name);
    out.index_.push_back(at == out.table_.names.end() ? kAbsent
                                                      : static_cast<std::size_t>(at - out.table_.names.begin()));
  }
  const std::size_t before = errors.size();
  if (out.sweep_ && out.index_[in_vx] != kAbsent)  // between rows of unlike sign the speed would pass through zero
    for (std::size_t i = 0; i < out.rows(); ++i)
      if (const double v = out.column(in_vx)[i]; v == 0 || v * out.column(in_vx)[0] < 0)
        errors.add({file, out.table_.lines[i], 1}, "vx",
                   fmt::format("{} in a sweep of slip ratios: expected a speed that is not 0 and keeps its sign", v));
  if (errors.size() != before) return std::nullopt;
  return out;
}

RigInput RigMotion::at(const TireRig& rig, std::size_t row, double share) const {
  const auto value = [&](Name name, double otherwise) {
    if (index_[name] == kAbsent) return otherwise;
    const std::vector<double>& c = column(name);
    return share == 0 ? c[row] : share == 1 ? c[row + 1] : c[row] + (c[row + 1] - c[row]) * share;
  };
  RigInput in;
  in.omega = value(in_omega, 0);
  in.vx = value(in_vx, rig.usual_speed());
  in.vy = value(in_vy, 0);
  in.fz = value(in_fz, 0);
  in.gamma = value(in_gamma, 0);
  in.pressure = value(in_pressure, 0);
  in.mu = value(in_mu, 1);
  in.psidot = value(in_psidot, 0);
  return sweep_ ? rig.at_slip(in, value(in_kappa, 0), value(in_alpha, 0)) : in;
}

// ------------------------------------------------------------------------------------------------ run

namespace {

// Walks along the rows of a motion; times must not go back.
class Cursor {
 public:
  Cursor(const TireRig& rig, const RigMotion& motion) : rig_(rig), motion_(motion) {}

  RigInput at(double time) {
    if (motion_.rows() == 1) return motion_.at(rig_, 0, 0);
    while (row_ + 2 < motion_.rows() && time >= motion_.time(row_ + 1)) ++row_;
    const double from = motion_.time(row_), to = motion_.time(row_ + 1);
    return motion_.at(rig_, row_, std::clamp((time - from) / (to - from), 0.0, 1.0));
  }
  // The first row after `time`; infinity behind the last.
  double next_row(double time) {
    while (next_ < motion_.rows() && motion_.time(next_) <= time) ++next_;
    return next_ < motion_.rows() ? motion_.time(next_) : kInf;
  }

 private:
  const TireRig& rig_;
  const RigMotion& motion_;
  std::size_t row_ = 0, next_ = 0;
};

class RigRun {
 public:
  RigRun(TireRig& rig, const RigMotion& motion, const RigOptions& options,
         const std::function<void(std::span<const double>)>& row)
      : rig_(rig), motion_(motion), options_(options), row_(row), cursor_(rig, motion) {}

  RigEnd sweep_rows() {
    for (std::size_t i = 0; i < motion_.rows(); ++i) {
      const RigInput in = motion_.at(rig_, i, 0);
      rig_.start(in);
      if (const RigEnd end = put(motion_.time(i), in, double(i) / double(motion_.rows())); end != RigEnd::done)
        return end;
    }
    return RigEnd::done;
  }

  RigEnd grid() {
    const double t0 = motion_.first(), dt = options_.dt;
    const auto steps = static_cast<std::int64_t>(std::floor((motion_.last() - t0) / dt * (1 + 1e-12) + 1e-9));
    RigInput now = cursor_.at(t0);
    rig_.start(now);
    for (std::int64_t k = 0;; ++k) {
      const double time = t0 + double(k) * dt;
      if (const RigEnd end = put(time, now, double(k) / double(steps + 1)); end != RigEnd::done) return end;
      if (k == steps) return RigEnd::done;
      const double next = t0 + double(k + 1) * dt;
      if (motion_.sweep())
        rig_.start(now = cursor_.at(next));
      else
        now = advance(now, time, next);
    }
  }

 private:
  // From one row of the output to the next; a step that a row of the input falls into is taken in pieces, so that
  // inputs are smooth over every step.
  RigInput advance(RigInput now, double time, double end) {
    const double close = 1e-9 * options_.dt;
    for (double knot = cursor_.next_row(time + close); knot < end - close; knot = cursor_.next_row(time + close)) {
      const RigInput to = cursor_.at(knot);
      rig_.step(now, to, knot - time);
      now = to;
      time = knot;
    }
    const RigInput to = cursor_.at(end);
    rig_.step(now, to, end - time);
    return to;
  }

  RigEnd put(double time, const RigInput& in, double share) {
    const RigOutput o = rig_.output(in);
    values_.assign({time, o.fx, o.fy, o.fz, o.mx, o.my, o.mz, o.kappa, o.alpha});
    if (options_.states) rig_.states(in, values_);
    if (!std::all_of(values_.begin(), values_.end(), [](double x) { return std::isfinite(x); }))
      return RigEnd::not_finite;
    row_(values_);
    if (options_.progress) options_.progress(share);
    return options_.stop && *options_.stop ? RigEnd::stopped : RigEnd::done;
  }

  TireRig& rig_;
  const RigMotion& motion_;
  const RigOptions& options_;
  const std::function<void(std::span<const double>)>& row_;
  Cursor cursor_;
  std::vector<double> values_;
};

}  // namespace

std::vector<std::string> rig_columns(const TireRig& rig, const RigOptions& options) {
  std::vector<std::string> out{"t", "fx", "fy", "fz", "mx", "my", "mz", "kappa", "alpha"};
  if (options.states)
    for (std::string& name : rig.state_names()) out.push_back(std::move(name));
  return out;
}

RigEnd run_rig(TireRig& rig, const RigMotion& motion, const RigOptions& options,
               const std::function<void(std::span<const double>)>& row) {
  RigRun run(rig, motion, options, row);
  if (motion.sweep() && options.dt == 0) return run.sweep_rows();
  const double span = motion.last() - motion.first();
  if (!(options.dt > 0) || !std::isfinite(options.dt))
    throw BadInput(fmt::format("--dt {}: expected a step above 0 s", options.dt));
  if (span / options.dt > kMostRows || motion.first() + options.dt == motion.first())
    throw BadInput(fmt::format("--dt {}: too small for {} s from t = {} s", options.dt, span, motion.first()));
  return run.grid();
}

}  // namespace vdsim
