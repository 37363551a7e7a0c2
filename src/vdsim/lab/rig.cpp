// SPDX-License-Identifier: Apache-2.0
#include "vdsim/lab/rig.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace vdsim {
namespace {

constexpr double kMostRows = 2e8;

// Positions in RigMotion::index_; the time is the first.
enum Name { in_t, in_fz, in_vx, in_gamma, in_pressure, in_mu, in_psidot, in_omega, in_vy, in_kappa, in_alpha, names };
constexpr std::array<const char*, names> kNames{"t",      "fz",    "vx", "gamma", "pressure", "mu",
                                                "psidot", "omega", "vy", "kappa", "alpha"};
constexpr std::size_t kAbsent = static_cast<std::size_t>(-1);

bool is_sweep(const std::vector<std::string>& names) {
  const auto has = [&](const char* name) { return std::find(names.begin(), names.end(), name) != names.end(); };
  return (has("kappa") || has("alpha")) && !has("omega") && !has("vy");
}

ColumnRules rig_rules(const std::vector<std::string>& names) {
  ColumnRules rules{{"t", "s", any_finite(), true, true}};
  if (is_sweep(names)) {
    rules.push_back({"kappa", "-"});
    rules.push_back({"alpha", "rad", kTireAngle});
    rules.push_back(optional_column("vx", "m/s"));
  } else {
    rules.push_back({"omega", "rad/s"});
    rules.push_back({"vx", "m/s"});
    rules.push_back({"vy", "m/s"});
  }
  rules.push_back({"fz", "N", at_least(0)});
  rules.push_back(optional_column("gamma", "rad", kTireAngle));
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
    values_.assign({time});
    for_each_field<RigOutput>([&](const auto& field) { values_.push_back(o.*field.member); });
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
  std::vector<std::string> out{"t"};
  for_each_field<RigOutput>([&](const auto& field) { out.emplace_back(field.name); });
  if (options.states)
    for (Column& column : rig.state_columns()) out.push_back(std::move(column.name));
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
