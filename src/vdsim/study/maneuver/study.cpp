// SPDX-License-Identifier: Apache-2.0
#include "vdsim/study/maneuver/study.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "vdsim/config/catalog.hpp"
#include "vdsim/config/write.hpp"
#include "vdsim/formats/files.hpp"
#include "vdsim/formats/readable.hpp"

namespace vdsim {
namespace {

class Student {
 public:
  Student(const Catalog& catalog, const Maneuver& maneuver, const ManeuverChanges& changes, const StudyOptions& options)
      : catalog_(catalog), maneuver_(maneuver), changes_(changes), options_(options) {
    study_.maneuver = maneuver;
  }

  Study run() {
    prepare();
    if (stopped()) return halted();
    ManeuverPlan plan = plan_maneuver(catalog_, maneuver_, changes_);
    if (options_.find_max && !plan.search)
      throw BadInput(fmt::format("{}: --find-max-speed: this manoeuvre has nothing to search for", maneuver_.id));
    if (options_.find_max && is_set(plan.search->parameter))
      throw BadInput(
          fmt::format("{}: --find-max-speed searches for {}, which --set gives", maneuver_.id, plan.search->parameter));
    if (plan.solve) solve(*plan.solve);
    if (stopped()) return halted();
    if (options_.find_max)
      search(*plan.search);
    else if (plan.series)
      series(*plan.series);
    else
      study_.runs.push_back(trial("", 0));
    study_.stopped = stopped();
    return std::move(study_);
  }

 private:
  bool stopped() const { return options_.stop && *options_.stop; }
  Study halted() {
    study_.stopped = true;
    return std::move(study_);
  }

  // Files that wait for this one, and this one. Throws BadInput if `next` is one of them.
  std::vector<std::string> needed_by(const Maneuver& next) const {
    std::vector<std::string> out = options_.needed_by;
    out.push_back(real_path(maneuver_.file));
    if (std::find(out.begin(), out.end(), real_path(next.file)) == out.end()) return out;
    const YamlNode& first = *maneuver_.root.find("first");
    throw BadInput(InputError{{maneuver_.file, first.line, first.column},
                              "first.maneuver",
                              fmt::format("{} would have to run before itself", next.id)}
                       .text());
  }

  bool is_set(const std::string& parameter) const {  // by the user
    return std::any_of(changes_.scene.sets.begin(), changes_.scene.sets.end(),
                       [&](const Assignment& set) { return set.path == parameter; });
  }

  void prepare() {
    auto first = first_of(catalog_, maneuver_, changes_);
    if (!first) return;
    std::erase_if(first->take, [&](const auto& each) { return is_set(each.first); });
    if (first->take.empty()) return;  // every value is given
    const Maneuver before = load_maneuver(catalog_, first->maneuver);
    ManeuverChanges changes = changes_;
    std::erase_if(changes.scene.sets, [&](const Assignment& set) {
      return std::any_of(maneuver_.parameters.begin(), maneuver_.parameters.end(),
                         [&](const ManeuverParameter& p) { return p.name == set.path; });
    });
    changes.parameters = first->parameters;
    const Study done = run_study(catalog_, before, changes, {{{}, options_.stop}, false, false, needed_by(before)});
    if (done.stopped) return;
    const StudyRun& run = done.runs[done.main];
    for (const auto& [parameter, metric] : first->take) {
      const double value = run.result.metric(run.plan, metric);
      if (!std::isfinite(value))
        throw BadInput(fmt::format("{}: {} of {} does not exist for this car, and {} is made of it", maneuver_.id,
                                   metric, before.id, parameter));
      take(parameter, value);
    }
  }

  void take(const std::string& parameter, double value) {
    changes_.parameters[parameter] = value;
    study_.before.emplace_back(parameter, value);
  }

  StudyRun trial(const std::string& parameter, double value) {
    ManeuverChanges changes = changes_;
    if (!parameter.empty()) changes.parameters[parameter] = value;
    StudyRun out{"", value, plan_maneuver(catalog_, maneuver_, changes), {}};
    if (!parameter.empty()) {
      const auto p = std::find_if(maneuver_.parameters.begin(), maneuver_.parameters.end(),
                                  [&](const ManeuverParameter& each) { return each.name == parameter; });
      out.name = fmt::format("{} = {}", parameter, in_both_units(value, p->unit, 5));
    }
    out.result = run_plan(out.plan, options_);
    return out;
  }

  void put_aside(StudyRun& run) {
    Recording& recording = run.result.recording;
    if (!options_.spool) return;
    if (!study_.rows) study_.rows = std::make_shared<ColumnSpool>(recording.columns.size());
    if (study_.rows->columns() != recording.columns.size()) return;  // of another car
    run.first_row = study_.rows->rows(), run.rows = recording.rows();
    std::vector<double> row(recording.columns.size());
    for (std::size_t i = 0; i < run.rows; ++i) {
      for (std::size_t k = 0; k < row.size(); ++k) row[k] = recording.data[k][i];
      study_.rows->row(row);
    }
    recording.data.clear();
  }

  // Regula falsi with Illinois weights, then bisection's safety: the bracket always holds the solution.
  void solve(const SolvePlan& s) {
    const auto miss = [&](double value) {
      const StudyRun run = trial(s.parameter, value);
      const double got = run.result.metric(run.plan, s.metric);
      return std::isfinite(got) ? got - s.target : s.target;  // past the limit the car spins: too much
    };
    double a = s.low, b = s.high, fa = miss(a), fb = miss(b);
    for (int i = 0; i < 8 && fa * fb > 0 && !stopped(); ++i)  // past the limit the metric may have fallen again
      b = 0.5 * (a + b), fb = miss(b);
    const double small = s.tolerance * std::abs(s.target);
    double x = std::abs(fa) < std::abs(fb) ? a : b, fx = std::min(std::abs(fa), std::abs(fb));
    for (int i = 0; i < 40 && fx > small && fa * fb < 0 && !stopped(); ++i) {
      x = i % 8 == 7 ? 0.5 * (a + b) : a - fa * (b - a) / (fb - fa);
      const double f = miss(x);
      fx = std::abs(f);
      if (f * fb < 0)
        a = b, fa = fb;
      else
        fa *= 0.5;
      b = x, fb = f;
    }
    if (fx > small && !stopped())
      throw BadInput(fmt::format("{}: no {} between {:.6g} and {:.6g} gives {} = {:.6g}; set {} yourself", maneuver_.id,
                                 s.parameter, s.low, s.high, s.metric, s.target, s.parameter));
    take(s.parameter, x);
  }

  void series(const SeriesPlan& s) {
    study_.parameter = s.parameter;
    for (const double value : s.values) {
      if (stopped()) return;
      study_.runs.push_back(trial(s.parameter, value));
      put_aside(study_.runs.back());
      if (options_.progress)
        options_.progress(static_cast<double>(study_.runs.size()) / static_cast<double>(s.values.size()));
    }
    study_.main = study_.runs.size() - 1;
    for (std::size_t i = study_.runs.size(); i-- > 0;)
      if (!study_.runs[i].result.passed()) study_.main = i;  // the first that fails
  }

  // Bisection on a grid of `resolution`, so that the answer does not depend on where it was begun.
  void search(const SearchPlan& s) {
    study_.parameter = s.parameter, study_.searched = true;
    long low = static_cast<long>(std::ceil(s.low / s.resolution - 1e-9));
    long high = static_cast<long>(std::floor(s.high / s.resolution + 1e-9));
    std::size_t best = SIZE_MAX;
    const auto passes = [&](long k) {
      study_.runs.push_back(trial(s.parameter, static_cast<double>(k) * s.resolution));
      put_aside(study_.runs.back());
      const bool pass = study_.runs.back().result.passed();
      if (pass && (best == SIZE_MAX || study_.runs[best].value < study_.runs.back().value))
        best = study_.runs.size() - 1;
      return pass;
    };
    if (!passes(low)) {
      study_.found = std::nan("");
      return;
    }
    if (!passes(high))
      while (high - low > 1 && !stopped()) {
        const long middle = low + (high - low) / 2;
        (passes(middle) ? low : high) = middle;
      }
    study_.main = best;
    study_.found = study_.runs[best].value;
  }

  const Catalog& catalog_;
  const Maneuver& maneuver_;
  ManeuverChanges changes_;
  StudyOptions options_;
  Study study_;
};

}  // namespace

Study run_study(const Catalog& catalog, const Maneuver& maneuver, const ManeuverChanges& changes,
                const StudyOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  Study out = Student(catalog, maneuver, changes, options).run();
  out.wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return out;
}

std::string Study::parameter_unit() const {
  for (const ManeuverParameter& p : maneuver.parameters)
    if (p.name == parameter) return p.unit;
  return "";
}

bool Study::failed() const {
  return std::any_of(runs.begin(), runs.end(),
                     [](const StudyRun& run) { return run.result.status == ManeuverRun::Status::diverged; });
}

bool Study::passed() const {
  if (searched) return std::isfinite(found);
  return std::all_of(runs.begin(), runs.end(), [](const StudyRun& run) { return run.result.passed(); });
}

bool Study::has_limit() const {
  return std::any_of(runs.begin(), runs.end(), [](const StudyRun& run) {
    return run.result.has_limit() || run.result.status == ManeuverRun::Status::not_finished;
  });
}

std::string Study::verdict() const {
  if (failed()) return "diverged";
  if (!passed()) return "fail";
  return has_limit() ? "pass" : "done";
}

}  // namespace vdsim
