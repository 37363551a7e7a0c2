// SPDX-License-Identifier: Apache-2.0
#include "vdsim/lab/sensitivity.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "vdsim/config/document.hpp"
#include "vdsim/config/files.hpp"
#include "vdsim/config/write.hpp"
#include "vdsim/formats/file_text.hpp"
#include "vdsim/lab/sensitivity_exact.hpp"
#include "vdsim/study/maneuver/study.hpp"
#include "vdsim/study/run.hpp"

namespace vdsim {
namespace {

// A number that can be moved: its value, where it may lie, and how it is written.
struct Knob {
  SensitiveNumber number;
  Range range = any_finite();
  std::string path;          // of --set
  std::vector<double> list;  // of which it is one
  std::size_t element = 0;

  bool holds(double x) const { return range.holds(x); }
  std::string set_to(double x) const {
    if (list.empty()) return path + "=" + number_text(x);
    std::string out = path + "=[";
    for (std::size_t i = 0; i < list.size(); ++i) out += (i ? ", " : "") + number_text(i == element ? x : list[i]);
    return out + "]";
  }
};

// "a.b[2]": "a.b" and 1
bool split_element(const std::string& path, std::string& list, std::size_t& element) {
  const std::size_t open = path.find('[');
  if (open == std::string::npos || path.back() != ']') return false;
  const std::string digits = path.substr(open + 1, path.size() - open - 2);
  if (digits.empty() || digits.size() > 3 || digits.find_first_not_of("0123456789") != std::string::npos) return false;
  list = path.substr(0, open);
  element = std::stoul(digits) - 1;
  return element < 1000;
}

struct Stopped {};  // the user asked for the end

// The run that is differentiated: a manoeuvre or a scene, any number of times. Throws Stopped.
class Subject {
 public:
  Subject(const Catalog& catalog, const SensitivityQuestion& q, const RunControl& control)
      : catalog_(catalog), control_(control), changes_(q.changes) {
    const std::vector<std::string> maneuvers = ids_of(catalog.maneuvers());
    is_maneuver_ = std::find(maneuvers.begin(), maneuvers.end(), q.name) != maneuvers.end();
    if (!is_maneuver_ && names_file(q.name)) is_maneuver_ = is_maneuver_file(q.name);
    if (is_maneuver_)
      maneuver_ = load_maneuver(catalog, q.name);
    else
      scene_ = q.name;
  }

  // The run as it is; what it had to solve for, or to take from another manoeuvre, is held from here on.
  void first(std::vector<SensitiveResult>& results, Sensitivity& out) {
    if (is_maneuver_) {
      const Study study = run_study(catalog_, maneuver_, changes_, options());
      go_on();
      for (const auto& [name, value] : study.before) changes_.scene.set(name + "=" + number_text(value));
      const StudyRun& run = study.runs[study.main];
      if (study.runs.size() > 1) {
        changes_.scene.set(study.parameter + "=" + number_text(run.value));
        out.notes.push_back(fmt::format("of the run with {}", run.name));
      }
      refuse_failed(run.result);
      for (const auto& [name, value] : study.before)
        out.notes.push_back(fmt::format("{} is held at {:.6g}", name, value));
      for (std::size_t i = 0; i < run.plan.metrics.size(); ++i)
        results.push_back({run.plan.metrics[i].name, run.plan.metrics[i].unit, run.plan.metrics[i].meaning,
                           run.result.metrics[i].value});
      out.title = maneuver_.id, out.level = enum_name(run.plan.car().level);
      plan_ = run.plan;
      scenario_ = run.plan.scene;
    } else {
      scenario_ = load_scene(catalog_, scene_, changes_.scene);
      if (scenario_.cars.size() != 1)
        throw BadInput(fmt::format("{}: has {} cars: a scene with one is needed", scene_, scenario_.cars.size()));
      Recording rows = record();
      for (std::size_t k = 0; k < rows.columns.size(); ++k)
        results.push_back({rows.columns[k].name, rows.columns[k].unit, rows.columns[k].meaning + ", at the end",
                           rows.data[k].back()});
      out.title = scene_, out.level = enum_name(scenario_.cars.front().level);
    }
  }

  // Values of the results with one number moved.
  std::vector<double> values(const std::string& assignment) {
    const ManeuverChanges before = changes_;
    changes_.scene.set(assignment);
    std::vector<double> out;
    try {
      if (is_maneuver_) {
        const ManeuverResult r = run_plan(plan_maneuver(catalog_, maneuver_, changes_), control_);
        go_on();
        refuse_failed(r);
        for (const MetricValue& m : r.metrics) out.push_back(m.value);
      } else {
        scenario_ = load_scene(catalog_, scene_, changes_.scene);
        for (const auto& column : record().data) out.push_back(column.back());
      }
    } catch (...) {
      changes_ = before;
      throw;
    }
    changes_ = before;
    return out;
  }

  // Exact derivatives of every result by each number, none where the number or the run has none; `why` of the run.
  std::vector<std::vector<ExactSlope>> exact(const std::vector<Knob>& knobs, double step, std::string& why) {
    std::vector<std::vector<ExactSlope>> out(knobs.size());
    if (!is_maneuver_) why = "it is a scene";
    if (why.empty()) why = no_exact_slopes(plan_);
    if (!why.empty()) return out;
    std::vector<MovedPlans> moved;
    std::vector<std::size_t> which;
    for (std::size_t k = 0; k < knobs.size(); ++k) {
      const double v = knobs[k].number.value, h = step * (v == 0 ? 1 : std::abs(v));
      if (!knobs[k].holds(v - 2 * h) || !knobs[k].holds(v + 2 * h)) continue;
      try {
        const auto plan = [&](double by) {
          ManeuverChanges changes = changes_;
          changes.scene.set(knobs[k].set_to(v + by * h));
          return plan_maneuver(catalog_, maneuver_, changes);
        };
        MovedPlans m{{plan(-2), plan(-1), plan(1), plan(2)}, h};
        if (!same_commands(plan_, m)) continue;
        moved.push_back(std::move(m)), which.push_back(k);
      } catch (const BadInput&) {
        continue;  // differences say why
      }
    }
    const std::vector<std::vector<ExactSlope>> slopes = exact_slopes(plan_, moved);
    for (std::size_t i = 0; i < which.size(); ++i) out[which[i]] = slopes[i];
    return out;
  }

  // Every fault into `errors`.
  std::vector<Knob> knobs(const std::vector<std::string>& paths, std::vector<std::string>& errors) const {
    const auto catalog = std::make_shared<const Catalog>(Catalog::default_folder());
    const Document document = Document::read(catalog, DocumentKind::scene, scenario_text(scenario_), "");
    std::vector<Knob> out;
    for (const std::string& path : paths) {
      try {
        out.push_back(knob(document, path));
      } catch (const BadInput& e) {
        errors.push_back(fmt::format("--wrt {}", e.what()));
      }
    }
    return out;
  }

 private:
  static bool is_maneuver_file(const std::string& file);
  StudyOptions options() const {
    StudyOptions out;
    static_cast<RunControl&>(out) = control_;
    return out;
  }
  static void refuse_failed(const ManeuverResult& r) {
    if (r.status == ManeuverRun::Status::diverged)
      throw BadInput(r.notes.empty() ? "the run diverged" : "the run " + r.notes.back());
  }
  void go_on() const {
    if (control_.stop && *control_.stop) throw Stopped{};
  }
  Recording record() const {
    std::vector<Recording> rows;
    RunOptions options;
    static_cast<RunControl&>(options) = control_;
    options.recordings = &rows;
    const RunResult result = run_scenario(scenario_, options);
    go_on();
    if (result.failed()) throw BadInput(fmt::format("{}: the run diverged: {}", scene_, result.cars.front().why));
    if (rows.empty() || rows.front().rows() == 0) throw BadInput(fmt::format("{}: no rows", scene_));
    return rows.front();
  }
  Knob knob(const Document& document, const std::string& path) const {
    Knob k;
    k.number.path = k.path = path;
    if (is_maneuver_)
      for (const ManeuverParameter& p : plan_.parameters)
        if (p.name == path) {
          k.number.unit = p.unit, k.number.value = plan_.parameter(path);
          return k;
        }
    std::string list;
    if (split_element(path, list, k.element)) {
      k.path = list;
      k.list = document.list(list);
      if (k.element >= k.list.size()) throw BadInput(fmt::format("{}: {} has {} numbers", path, list, k.list.size()));
      k.number.value = k.list[k.element];
    } else {
      const DocumentField f = document.field(path);
      if (f.kind == DocumentField::Kind::list)
        throw BadInput(fmt::format("{}: is a list: name one number of it, {}[1]", path, path));
      if (f.kind != DocumentField::Kind::number && f.kind != DocumentField::Kind::table)
        throw BadInput(fmt::format("{}: is a {}: only numbers have derivatives", path, enum_name(f.kind)));
      k.number.value = document.number(path);
      if (!f.said()) throw BadInput(fmt::format("{}: is not given", path));
    }
    const DocumentField f = document.field(k.path);
    k.number.unit = f.field.unit, k.range = f.field.range;
    return k;
  }

  const Catalog& catalog_;
  const RunControl& control_;
  ManeuverChanges changes_;
  bool is_maneuver_ = false;
  Maneuver maneuver_;
  ManeuverPlan plan_;
  std::string scene_;
  Scenario scenario_;
};

bool Subject::is_maneuver_file(const std::string& file) {
  Errors errors;
  const std::optional<std::string> text = read_text(file, errors);
  const std::optional<YamlNode> root = text ? parse_yaml(*text, file, errors) : std::nullopt;
  return root && root->find("phases");
}

// [T33.8]  Two central differences, h and h/2, extrapolated: the error is what the second one moved the result by, and rounding.
struct Stencil {
  double h;
  int side;  // 0 central; -1, 1: the number ends at its bound there
};
Stencil stencil_of(const Knob& k, double step) {
  const double v = k.number.value, h = step * (v == 0 ? 1 : std::abs(v));
  const bool up = k.holds(v + h), down = k.holds(v - h);
  return {h, up && down ? 0 : up ? 1 : -1};
}

std::vector<Derivative> differentiate(Subject& subject, const Knob& k, const Stencil& s,
                                      const std::vector<SensitiveResult>& at) {
  const double v = k.number.value;
  const auto f = [&](double share) { return subject.values(k.set_to(v + share * s.h)); };
  std::vector<Derivative> out;
  if (s.side == 0) {
    const auto up = f(1), down = f(-1), up2 = f(0.5), down2 = f(-0.5);
    for (std::size_t i = 0; i < at.size(); ++i) {
      const double wide = (up[i] - down[i]) / (2 * s.h), narrow = (up2[i] - down2[i]) / s.h,
                   best = narrow + (narrow - wide) / 3, rounding = 1e-12 * std::abs(at[i].value) / s.h,
                   right = (up2[i] - at[i].value) / (0.5 * s.h), left = (at[i].value - down2[i]) / (0.5 * s.h),
                   right1 = (up[i] - at[i].value) / s.h, left1 = (at[i].value - down[i]) / s.h,
                   error = std::abs(narrow - wide) / 3 + rounding;
      // of a smooth result the sides come together with h, at a kink they do not
      const double apart = std::abs(right - left), apart1 = std::abs(right1 - left1);
      const bool kink = apart > 10 * error + 1e-6 * std::abs(best) && apart > 0.8 * apart1;
      out.push_back({best, kink ? 0.5 * apart : error, kink, "differences"});
    }
    return out;
  }
  const double side = s.side;
  const auto one = f(0.5 * side), two = f(side), four = f(2 * side);
  for (std::size_t i = 0; i < at.size(); ++i) {  // second order with h/2 and h, extrapolated with h and 2h
    const double f0 = at[i].value, narrow = side * (-3 * f0 + 4 * one[i] - two[i]) / s.h,
                 wide = side * (-3 * f0 + 4 * two[i] - four[i]) / (2 * s.h);
    out.push_back({narrow + (narrow - wide) / 3, std::abs(narrow - wide) / 3 + 1e-12 * std::abs(f0) / s.h, false,
                   "one-sided differences"});
  }
  return out;
}

// By differences; a number that goes no further on one side, for reasons that no range says, from the other.
std::vector<Derivative> moved(Subject& subject, const Knob& k, double step, const std::vector<SensitiveResult>& at) {
  Stencil s = stencil_of(k, step);
  try {
    return differentiate(subject, k, s, at);
  } catch (const BadInput&) {
    if (s.side != 0) throw;
  }
  s.side = -1;
  return differentiate(subject, k, s, at);
}

}  // namespace

double Sensitivity::elasticity(std::size_t result, std::size_t number) const {
  return at[result][number].value * wrt[number].value / of[result].value;
}
double Sensitivity::swing(std::size_t result, std::size_t number) const {
  const double v = wrt[number].value;
  return at[result][number].value * (v == 0 ? 1 : 0.1 * v);
}

static void differentiate(const Catalog& catalog, const SensitivityQuestion& q, const RunControl& control,
                          Sensitivity& out) {
  Subject subject(catalog, q, control);
  std::vector<SensitiveResult> all;
  std::vector<std::string> errors, names;
  subject.first(all, out);
  for (const SensitiveResult& r : all) names.push_back(r.name);
  std::vector<std::size_t> chosen;
  for (const std::string& name : q.of.empty() ? names : q.of) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end())
      errors.push_back(fmt::format("--of {}: {} has no such result{}", name, out.title, suggestion(name, names)));
    else
      chosen.push_back(static_cast<std::size_t>(found - names.begin()));
  }
  const std::vector<Knob> knobs = subject.knobs(q.wrt, errors);
  if (!errors.empty()) throw BadInput(errors);
  for (const std::size_t i : chosen) out.of.push_back(all[i]);
  out.at.resize(chosen.size());
  std::string why;
  const std::vector<std::vector<ExactSlope>> exact = subject.exact(knobs, q.step, why);
  if (!why.empty()) out.notes.push_back("by differences, not exact: " + why);
  for (std::size_t k = 0; k < knobs.size(); ++k) {
    out.wrt.push_back(knobs[k].number);
    const auto is_exact = [&](std::size_t i) { return !exact[k].empty() && std::isfinite(exact[k][i].value); };
    std::vector<Derivative> column(all.size());
    try {
      if (!std::all_of(chosen.begin(), chosen.end(), is_exact)) column = moved(subject, knobs[k], q.step, all);
      for (std::size_t i = 0; i < chosen.size(); ++i)
        out.at[i].push_back(is_exact(chosen[i])
                                ? Derivative{exact[k][chosen[i]].value, exact[k][chosen[i]].error, false, "exact"}
                                : column[chosen[i]]);
    } catch (const BadInput& e) {
      errors.push_back(fmt::format("--wrt {}: cannot be moved by itself: {}", knobs[k].number.path, e.what()));
    }
    if (control.progress) control.progress(double(k + 1) / double(knobs.size()));
  }
  if (!errors.empty()) throw BadInput(errors);
}

Sensitivity sensitivity(const Catalog& catalog, const SensitivityQuestion& q, const RunControl& control) {
  Sensitivity out;
  try {
    differentiate(catalog, q, control, out);
  } catch (const Stopped&) {
  }
  return out;
}

}  // namespace vdsim
