// SPDX-License-Identifier: Apache-2.0
// The summary of a study.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "vdsim/config/vehicle.hpp"
#include "vdsim/config/write.hpp"
#include "vdsim/study/maneuver/study.hpp"

namespace vdsim {
namespace {

using Json = nlohmann::ordered_json;

Json number(double x) { return std::isfinite(x) ? Json(x) : Json(nullptr); }

Json parameters_of(const ManeuverPlan& plan) {
  Json out = Json::array();
  for (const ManeuverParameter& p : plan.parameters)
    out.push_back({{"name", p.name}, {"value", plan.parameter(p.name)}, {"unit", p.unit}, {"meaning", p.meaning}});
  return out;
}

Json metrics_of(const StudyRun& run) {
  Json out = Json::array();
  for (std::size_t i = 0; i < run.plan.metrics.size(); ++i) {
    const MetricPlan& m = run.plan.metrics[i];
    const MetricValue& v = run.result.metrics[i];
    out.push_back({{"name", m.name},
                   {"label", m.meaning},
                   {"value", number(v.value)},
                   {"unit", m.unit},
                   {"limit", m.limit ? m.comparison + " " + fmt::format("{:.6g}", v.limit) : ""},
                   {"pass", v.pass < 0 ? Json(nullptr) : Json(v.pass == 1)},
                   {"reference", m.reference ? Json(*m.reference) : Json(nullptr)},
                   {"reference_label", m.reference_label}});
  }
  return out;
}

Json course_of(const StudyRun& run) {
  const Course& course = run.plan.course;
  if (course.lanes.empty() && course.path.empty()) return nullptr;
  Json cones = Json::array(), lanes = Json::array(), path = Json::array();
  for (std::size_t i = 0; i < course.cones.size(); ++i) {
    const bool hit = std::any_of(run.result.hits.begin(), run.result.hits.end(),
                                 [&](const Hit& h) { return h.cone == static_cast<int>(i); });
    cones.push_back({course.cones[i].x, course.cones[i].y, hit ? 1 : 0});
  }
  for (const Lane& l : course.lanes)
    lanes.push_back({{"from", l.from}, {"to", l.to}, {"right", l.right}, {"left", l.left}});
  for (const auto& p : course.path) path.push_back({p[0], p[1]});
  return {{"cones", cones}, {"lanes", lanes}, {"path", path}};
}

Json hits_of(const StudyRun& run) {
  Json out = Json::array();
  for (const Hit& h : run.result.hits) {
    const Cone& cone = run.plan.course.cones[static_cast<std::size_t>(h.cone)];
    out.push_back({{"t", h.t}, {"cone", {cone.x, cone.y}}, {"corner", h.corner}});
  }
  return out;
}

// Where the outline of the car is drawn: the phases' ends, the hits, and evenly between.
Json moments_of(const ManeuverResult& result) {
  std::vector<double> t;
  const double end = result.phases.empty() ? 0 : result.phases.back().to;
  for (int i = 0; i <= 8; ++i) t.push_back(end * i / 8);
  for (const PhaseTime& p : result.phases) t.push_back(p.from);
  for (const Hit& h : result.hits) t.push_back(h.t);
  std::sort(t.begin(), t.end());
  t.erase(std::unique(t.begin(), t.end(), [&](double a, double b) { return b - a < 0.02 * end; }), t.end());
  return t;
}

Json spectra_of(const StudyRun& run) {
  Json out = Json::array();
  for (std::size_t i = 0; i < run.plan.spectra.size(); ++i) {
    const SpectrumPlan& s = run.plan.spectra[i];
    const FrequencyResponse shown = band(run.result.spectra[i], 0, 10);
    const auto list = [](const std::vector<double>& x) {
      Json numbers = Json::array();
      for (const double v : x) numbers.push_back(number(v));
      return numbers;
    };
    std::string units[2];
    for (const Column& c : run.result.recording.columns) {
      if (c.name == s.input) units[0] = c.unit;
      if (c.name == s.output) units[1] = c.unit;
    }
    out.push_back({{"name", s.name},
                   {"f", list(shown.f)},
                   {"gain", list(shown.gain)},
                   {"phase", list(shown.phase)},
                   {"coherence", list(shown.coherence)},
                   {"excitation", list(shown.excitation)},
                   {"gain_unit", fmt::format("({})/({})", units[1], units[0])}});
  }
  return out;
}

Json runs_of(const Study& study) {
  Json out = Json::array();
  if (study.runs.size() < 2) return out;
  for (std::size_t i = 0; i < study.runs.size(); ++i) {
    const StudyRun& run = study.runs[i];
    Json metrics = Json::object();
    for (std::size_t k = 0; k < run.plan.metrics.size(); ++k)
      metrics[run.plan.metrics[k].name] = number(run.result.metrics[k].value);
    out.push_back({{"name", run.name},
                   {"folder", run_folder(study, i)},
                   {"main", i == study.main},
                   {"verdict", run.result.passed() ? (run.result.has_limit() ? "pass" : "done") : "fail"},
                   {"parameters", {{study.parameter, run.value}}},
                   {"metrics", metrics}});
  }
  return out;
}

Json car_of(const CarSpec& car) {
  const ChassisSpec& c = car.vehicle.chassis;
  return {{"width", body_width(c)},    {"length", body_length(c)},     {"front", body_front(c)},
          {"wheelbase", c.wheelbase},  {"cg_to_front", c.cg_to_front}, {"track_front", c.track_front},
          {"track_rear", c.track_rear}};
}

}  // namespace

bool has_rows(const Study& study, std::size_t i) {
  if (!study.searched || i == study.main) return true;
  const auto fails_nearer = [&](const StudyRun& run) {
    return !run.result.passed() && run.value < study.runs[i].value;
  };
  return !study.runs[i].result.passed() && std::none_of(study.runs.begin(), study.runs.end(), fails_nearer);
}

std::string run_folder(const Study& study, std::size_t i) {
  return study.runs.size() == 1 || i == study.main || !has_rows(study, i) ? "" : fmt::format("run_{:02}", i + 1);
}

std::string study_text(const Study& study) { return plan_text(study.maneuver, study.runs[study.main].plan); }

std::string study_json(const Study& study, const std::vector<std::string>& files) {
  const StudyRun& run = study.runs[study.main];
  const CarSpec& car = run.plan.car();
  Json out{{"kind", "maneuver"},
           {"id", run.plan.id},
           {"label", run.plan.label},
           {"standard", run.plan.standard},
           {"vehicle", vehicle_name(car.origin)},
           {"tire", tire_name(car.origin)},
           {"level", enum_name(car.level)},
           {"config", hash_text(study_text(study))},
           {"vdsim", version_text()},
           {"git", git_text()},
           {"integrator", enum_name(run.plan.scene.solver.integrator)},
           {"dt_s", run.plan.scene.solver.dt},
           {"wall_s", study.wall_s},
           {"verdict", study.verdict()},
           {"notes", run.result.notes},
           {"parameters", parameters_of(run.plan)},
           {"metrics", metrics_of(run)}};
  if (study.searched)
    out["found"] = {{"parameter", study.parameter}, {"value", number(study.found)}, {"unit", study.parameter_unit()}};
  Json phases = Json::array();
  for (const PhaseTime& p : run.result.phases) phases.push_back({{"name", p.name}, {"from", p.from}, {"to", p.to}});
  out["phases"] = phases;
  out["moments"] = moments_of(run.result);
  out["car"] = car_of(car);
  out["course"] = course_of(run);
  out["hits"] = hits_of(run);
  out["runs"] = runs_of(study);
  out["spectra"] = spectra_of(run);
  out["files"] = files;
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace vdsim
