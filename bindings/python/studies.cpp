// SPDX-License-Identifier: Apache-2.0
// Whole runs: a scene, a manoeuvre, the handling analysis, the validation matrix.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "bindings/python/module.hpp"
#include "vdsim/engine/errors.hpp"
#include "vdsim/formats/atomic_file.hpp"
#include "vdsim/lab/handling_report.hpp"
#include "vdsim/report/run_report.hpp"
#include "vdsim/study/maneuver/study.hpp"
#include "vdsim/study/run.hpp"
#include "vdsim/validation/validation.hpp"

namespace vdsim::python {
namespace {

using Kept = std::shared_ptr<Recording>;

std::vector<std::string> warnings_of(const RunResult& result) {
  std::vector<std::string> out;
  for (const CarResult& car : result.cars) {
    if (car.tipped_at >= 0 && car.level == Level::L3)
      out.push_back(
          fmt::format("car {}: rolled over at {:.2f} s; L3 is for small angles, use level L5", car.id, car.tipped_at));
    if (car.rows_outside > 0)
      out.push_back(fmt::format("car {}: in {} of {} rows a tire was outside the ranges of its .tir file", car.id,
                                car.rows_outside, car.rows));
    for (const std::string& line : warnings_of(car)) out.push_back("car " + car.id + ": " + line);
  }
  return out;
}

// {rows of every car, summary.json, warnings, (time, why, snapshot) of the first that diverged or None}
py::tuple run(const Document& scene, const std::string& out, const std::string& format, int digits) {
  if (!scene.scene()) throw bad_value("scene", "is a " + enum_name(scene.kind()));
  if (digits < 1 || digits > 17) throw bad_value("digits", "expected 1 to 17, found " + std::to_string(digits));
  std::vector<Recording> recordings;
  RunResult result;
  std::string summary;
  {
    const DefaultFloats floats;
    Work work;
    RunOptions options;
    static_cast<RunControl&>(options) = work.control();
    options.out = out;
    options.format = format == "hdf5" ? Format::hdf5 : Format::csv;
    options.digits = digits;
    options.recordings = &recordings;
    if (!out.empty() && options.format == Format::csv)
      options.finish = [&](const std::string& staging) {
        const std::filesystem::path named = std::filesystem::path(out).lexically_normal();
        write_file(staging + "/report.html", run_report_page(staging, named.filename().string()));
      };
    result = run_scenario(*scene.scene(), options);
    work.done();
    summary = summary_json(*scene.scene(), result);
  }
  py::list rows;
  for (Recording& each : recordings) rows.append(std::make_shared<Recording>(std::move(each)));
  py::object failed = py::none();
  for (const CarResult& car : result.cars)
    if (car.failed && failed.is_none()) failed = py::make_tuple(car.id, car.end_time, car.why, bytes_of(car.failed_at));
  return py::make_tuple(rows, summary, warnings_of(result), failed);
}

// {study_json, runs (name, value, rows), main, warnings}
py::tuple maneuver(const Catalog& catalog, const std::string& name, const std::array<std::string, 4>& car,
                   const std::vector<std::string>& sets, bool find_max) {
  const Maneuver m = load_maneuver(catalog, name);
  ManeuverChanges changes;
  changes.scene.vehicle = car[0], changes.scene.tire = car[1], changes.scene.surface = car[2], changes.level = car[3];
  for (const std::string& set : sets) changes.scene.set(set);
  Study study;
  {
    const DefaultFloats floats;
    Work work;
    StudyOptions options;
    static_cast<RunControl&>(options) = work.control();
    options.find_max = find_max;
    study = run_study(catalog, m, changes, options);
    work.done();
  }
  py::list runs;
  for (StudyRun& each : study.runs)
    runs.append(py::make_tuple(each.name, each.value, Kept(std::make_shared<Recording>(each.result.recording)),
                               each.result.passed()));
  const StudyRun& main = study.runs[study.main];
  if (study.failed())
    for (const StudyRun& each : study.runs)
      if (each.result.status == ManeuverRun::Status::diverged)
        throw Diverged{each.result.phases.empty() ? 0 : each.result.phases.back().to, each.name + " diverged",
                       each.result.failed};
  std::vector<std::string> notes = main.plan.scene.warnings;
  return py::make_tuple(study_json(study), runs, study.main, notes);
}

std::string handling(const Document& vehicle, const std::string& tire, int level, double mu, const py::dict& opts) {
  if (!vehicle.vehicle()) throw bad_value("vehicle", "is a " + enum_name(vehicle.kind()));
  HandlingOptions options;
  options.speed = opts["speed"].cast<double>();
  options.radius = opts["radius"].cast<double>();
  options.budget_ay = opts["ay"].cast<double>();
  HandlingCar car;
  car.vehicle = *vehicle.vehicle();
  car.road.mu = mu;
  car.level = level == 1 ? Level::L1 : Level::L2;
  const DefaultFloats floats;
  const py::gil_scoped_release released;
  const Handling h = analyse_handling(car, options);
  return handling_json({vehicle.vehicle_id(), tire, car.level, mu, car.vehicle.chassis.wheelbase}, h);
}

std::vector<std::string> validation_ids(const Catalog& catalog) {
  std::vector<std::string> out;
  for (const ValidationCase& each : validation_cases(catalog)) out.push_back(each.id);
  return out;
}

std::string validation(const Catalog& catalog, const std::vector<std::string>& ids) {
  std::vector<ValidationRow> rows;
  const DefaultFloats floats;
  for (const ValidationCase& each : validation_cases(catalog)) {
    if (std::find(ids.begin(), ids.end(), each.id) == ids.end()) continue;
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    const py::gil_scoped_release released;
    rows.push_back(validate(each));
  }
  return validation_json(rows);
}

}  // namespace

void add_studies(py::module_& m) {
  m.def("run", &run);
  m.def("maneuver", &maneuver);
  m.def("handling", &handling);
  m.def("validation_ids", &validation_ids);
  m.def("validation", &validation);
}

}  // namespace vdsim::python
