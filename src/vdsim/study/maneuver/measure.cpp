// SPDX-License-Identifier: Apache-2.0
// A run from its first to its last row, and what is measured on it.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

#include "vdsim/config/write.hpp"
#include "vdsim/study/energy_warnings.hpp"
#include "vdsim/study/finer_run.hpp"
#include "vdsim/study/maneuver/maneuver_run.hpp"
#include "vdsim/study/maneuver/metric_functions.hpp"

namespace vdsim {
namespace {

constexpr std::size_t kMostNumbers = 25000000;  // of a recording: 200 MB

constexpr const char* kCounts[] = {"end", "hits", "clearance", "finished"};

// In the order of metric_scope().
std::vector<Trace> metric_slots(const ManeuverPlan& plan, double end, double clearance, const ManeuverResult& result) {
  std::vector<Trace> out(plan.constants.begin(), plan.constants.end());
  for (const std::vector<double>& column : result.recording.data) out.push_back(Trace::view(column));
  for (const PhasePlan& phase : plan.phases) {
    const auto found = std::find_if(result.phases.begin(), result.phases.end(),
                                    [&](const PhaseTime& p) { return p.name == phase.name; });
    const bool was = found != result.phases.end();
    out.push_back(was ? found->from : std::nan(""));
    out.push_back(was ? found->to : std::nan(""));
  }
  out.push_back(end);
  out.push_back(static_cast<double>(result.hits.size()));
  out.push_back(clearance);
  out.push_back(result.status == ManeuverRun::Status::done ? 1.0 : 0.0);
  return out;
}

int compare(double value, const std::string& sign, double limit) {
  if (sign == "<=") return value <= limit;
  if (sign == ">=") return value >= limit;
  if (sign == "<") return value < limit;
  return value > limit;
}

std::vector<double> numbers(const std::vector<Trace>& slots) {
  std::vector<double> out;
  for (const Trace& slot : slots) out.push_back(slot.is_number() ? slot.number() : std::nan(""));
  return out;
}

void measure(const ManeuverPlan& plan, double end, double clearance, ManeuverResult& out) {
  const std::span<const double> t = out.recording.column("t");
  std::vector<Trace> slots = metric_slots(plan, end, clearance, out);
  for (const MetricPlan& metric : plan.metrics) {
    MetricValue v{metric.value->over(slots, t).number(), std::nan(""), -1};
    if (metric.limit) {
      v.limit = metric.limit->value(numbers(slots));
      v.pass = compare(v.value, metric.comparison, v.limit);
    }
    slots.push_back(v.value);
    out.metrics.push_back(v);
  }
  const std::vector<double> known = numbers(slots);
  for (const SpectrumPlan& s : plan.spectra) {
    const double from = s.from->value(known), to = s.to->value(known), segment = s.segment->value(known);
    const double dt = t.size() > 1 ? (t.back() - t.front()) / static_cast<double>(t.size() - 1) : 1;
    const auto u = resampled({t, out.recording.column(s.input)}, from, to, dt);
    const auto y = resampled({t, out.recording.column(s.output)}, from, to, dt);
    out.spectra.push_back(frequency_response(u, y, dt, samples(segment, dt)));
    if (out.spectra.back().segments == 0)
      out.notes.push_back(
          fmt::format("spectrum {}: no segment of {:.6g} s between {:.6g} s and {:.6g} s", s.name, segment, from, to));
  }
}

bool record(const ManeuverPlan& plan, const std::vector<double>& row, Recording& out) {
  if (out.rows() * row.size() > kMostNumbers)
    throw BadInput(fmt::format("{}: more than {} rows by t = {:.6g} s, the most a manoeuvre records; lower scene.rate",
                               plan.id, out.rows(), row.front()));
  for (std::size_t i = 0; i < row.size(); ++i) out.data[i].push_back(row[i]);
  return true;
}

void note_end(const ManeuverPlan& plan, const ManeuverRun& run, ManeuverResult& out) {
  for (std::size_t i = 0; i <= run.phase(); ++i) {
    const bool last = i == run.phase();
    const double from = run.phase_start(i), to = last ? run.time() : run.phase_start(i + 1);
    if (!std::isnan(from)) out.phases.push_back({plan.phases[i].name, from, to});
  }
  out.status = run.status();
  if (out.status == ManeuverRun::Status::not_finished)
    out.notes.push_back(fmt::format("phase {} did not reach its end ({})", plan.phases[run.phase()].name,
                                    plan.phases[run.phase()].until ? plan.phases[run.phase()].until->text() : ""));
  if (out.status == ManeuverRun::Status::diverged) {
    out.notes.push_back(fmt::format("diverged after t = {:.6g} s{}{}", run.time(), *run.car().car().why() ? ": " : "",
                                    run.car().car().why()));
    out.failed = run.snapshot();
  }
  if (run.steer_limited())
    out.notes.push_back(fmt::format("the steering was asked for more than steering.max_steer_angle_wheel = {} rad",
                                    number_text(plan.car().vehicle.steering.max_steer_angle_wheel)));
  if (run.pedal_limited()) out.notes.push_back("a pedal was asked for less than 0 or more than 1; it ends there");
}

}  // namespace

std::span<const double> Recording::column(const std::string& name) const {
  for (std::size_t i = 0; i < columns.size(); ++i)
    if (columns[i].name == name) return data[i];
  return {};
}

void measure_again(const ManeuverPlan& plan, ManeuverResult& result) {
  result.metrics.clear(), result.spectra.clear();
  measure(plan, result.phases.empty() ? 0 : result.phases.back().to, std::nan(""), result);
}

ExpressionScope metric_scope(const ManeuverPlan& plan) {
  ExpressionScope out;
  out.use = ExpressionScope::Use::recording;
  out.reducers = metric_functions();
  const auto add = [&](const std::string& name, bool signal) { out.names.push_back({name, out.names.size(), signal}); };
  for (const std::string& name : plan.constant_names) add(name, false);
  for (const Column& column : recording_columns(plan)) add(column.name, true);
  for (const PhasePlan& phase : plan.phases) add(phase.name + ".from", false), add(phase.name + ".to", false);
  for (const char* name : kCounts) add(name, false);
  return out;
}

ManeuverResult run_plan(const ManeuverPlan& plan, const RunControl& control) {
  ManeuverResult out;
  out.recording.columns = recording_columns(plan);
  out.recording.data.resize(out.recording.columns.size());
  ManeuverRun run(plan);
  const SolverSpec& solver = plan.scene.solver;
  std::optional<ManeuverPlan> beside;  // the finer run reads it
  // a study has many runs: RK4 at the usual step is taken on trust
  if (is_doubtful_step(solver.integrator, solver.dt)) {
    beside = plan;
    beside->scene.solver = finer_solver(solver, plan.car().vehicle, plan.car().level);
  }
  FinerRun<ManeuverRun> finer(beside ? std::make_unique<ManeuverRun>(*beside) : nullptr, solver);
  const RowClock rows(plan.scene.timing.rate, solver.dt);
  advance(run, rows, control, [&] {
    finer.row(run);
    return record(plan, run.row(), out.recording);
  });
  note_end(plan, run, out);
  if (const std::string fault = finer.fault(); !fault.empty() && out.status != ManeuverRun::Status::diverged) {
    out.status = ManeuverRun::Status::diverged;
    out.notes.push_back(fault);
    out.failed = run.snapshot();
  }
  out.hits = run.hits().hits();
  out.energy = run.car().car().energy();
  if (out.status != ManeuverRun::Status::diverged)
    for (const std::string& line : energy_warnings(out.energy)) out.notes.push_back(line);
  measure(plan, run.time(), run.hits().clearance(), out);
  return out;
}

bool ManeuverResult::has_limit() const {
  return std::any_of(metrics.begin(), metrics.end(), [](const MetricValue& m) { return m.pass >= 0; });
}

bool ManeuverResult::passed() const {
  return status == ManeuverRun::Status::done &&
         std::none_of(metrics.begin(), metrics.end(), [](const MetricValue& m) { return m.pass == 0; });
}

double ManeuverResult::metric(const ManeuverPlan& plan, const std::string& name) const {
  for (std::size_t i = 0; i < metrics.size(); ++i)
    if (plan.metrics[i].name == name) return metrics[i].value;
  return std::nan("");
}

}  // namespace vdsim
