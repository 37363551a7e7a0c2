// SPDX-License-Identifier: Apache-2.0
// Ops of roads, tires and manoeuvres.
#include <fmt/format.h>

#include "bindings/wasm/border.hpp"
#include "bindings/wasm/memory_files.hpp"
#include "vdsim/config/tire_argument.hpp"
#include "vdsim/config/write.hpp"
#include "vdsim/core/road/road.hpp"
#include "vdsim/core/vehicle/compile.hpp"
#include "vdsim/engine/steady_tire.hpp"
#include "vdsim/engine/tire_rig.hpp"
#include "vdsim/formats/files.hpp"
#include "vdsim/formats/tir.hpp"
#include "vdsim/study/maneuver/study.hpp"

namespace vdsim::wasm {
namespace {

constexpr int kMostPoints = 1 << 20;
template <class T> Answer place_of(const std::vector<T>& list) {
  return {reinterpret_cast<std::uintptr_t>(list.data()), list.size()};
}

// Heights above the plane and friction on the grid (x0 + i dx, y0 + j dy), row by row of j.
Answer road(const Question& q) {
  const RoadSpec& spec = engine().live().scene().road;
  const RoadKind kind = road_kind(spec);
  const Road<double> r = compile_road(spec);
  RoughTable rough{};
  if (kind.rough) rough = make_rough_table(spec);
  RoadData data{spec.grid, spec.crg, &rough, {}};
  for (int i = 0; i < kind.maps; ++i) data.map[i] = spec.maps[std::size_t(i)];
  const double x0 = q.at("x0"), y0 = q.at("y0"), dx = q.at("dx"), dy = q.at("dy");
  const int nx = q.at("nx"), ny = q.at("ny");
  if (nx < 1 || ny < 1 || nx > kMostPoints / ny) throw bad_value("nx", fmt::format("nx ny: 1 to {}", kMostPoints));
  engine().heights.clear(), engine().mu.clear();
  for (int j = 0; j < ny; ++j)
    for (int i = 0; i < nx; ++i) {
      const double x = x0 + i * dx, y = y0 + j * dy;
      Ground<double> ground{};
      engine().heights.push_back(static_cast<float>(road_height(kind, data, r, x, y).z));
      engine().mu.push_back(static_cast<float>(road_mu(kind, data, r, x, y, ground)));
    }
  return {{"heights", place_of(engine().heights)}, {"mu", place_of(engine().mu)}, {"flat", kind.flat}};
}

// {tire: id or file, surface, sets}, or {car, wheel} of the drive
TireSpec tire_of(const Question& q) {
  if (!q.contains("tire")) {
    const Scenario& scene = engine().live().scene();
    const std::size_t car = q.value("car", std::size_t(0));
    if (car >= scene.cars.size()) throw bad_value("car", "there is none such");
    return vdsim::tire_of(scene.cars[car].vehicle, q.value("wheel", 0) & 3);
  }
  TireArgument argument;
  argument.tire = q["tire"], argument.surface = q.value("surface", "");
  for (const Assignment& set : sets_of(q)) argument.sets.push_back(set.shown);
  Errors errors;
  const auto tire = load_tire(*catalog(), argument, errors);
  errors.throw_if_any();
  return *tire;
}

// {what: kappa | alpha | combined, loads: [N], from, to, count, speed, camber, mu}: curves over slip, one per load. combined: fx over fy
// round the circle of slip, kappa = s cos, tan(alpha) = s sin with s = `to`.
Answer tire_curves(const Question& q) {
  const TireSpec spec = tire_of(q);
  const SteadyTire tire(spec);
  const std::string what = q.value("what", "kappa");
  const bool by_kappa = what == "kappa", combined = what == "combined";
  if (!by_kappa && !combined && what != "alpha") throw bad_value("what", "expected kappa, alpha or combined");
  const double to = q.value("to", by_kappa ? 0.3 : 0.25), from = q.value("from", combined ? 0.0 : -to);
  const int count = q.value("count", 121);
  if (count < 2 || count > 10000) throw bad_value("count", "2 to 10000");
  Answer curves = Answer::array();
  for (const Question& load : q.at("loads")) {
    Answer x = Answer::array();
    std::vector<Answer> columns(tire.columns().size(), Answer::array());
    for (int i = 0; i < count; ++i) {
      const double share = double(i) / (count - 1), s = from + (to - from) * share, turn = 2 * M_PI * share;
      SteadyPoint at;
      at.fz = load, at.gamma = q.value("camber", 0.0), at.mu = q.value("mu", 1.0);
      if (q.contains("speed")) at.vx = q["speed"].get<double>();
      at.kappa = combined ? to * std::cos(turn) : by_kappa ? s : q.value("kappa", 0.0);
      at.alpha = combined ? std::atan(to * std::sin(turn)) : by_kappa ? q.value("alpha", 0.0) : s;
      const std::vector<double> row = tire(at);
      x.push_back(combined ? turn : s);
      for (std::size_t k = 0; k < columns.size(); ++k) columns[k].push_back(row[k]);
    }
    Answer curve{{"fz", load.get<double>()}, {"slip", std::move(x)}};
    for (std::size_t k = 0; k < columns.size(); ++k) curve[tire.columns()[k]] = std::move(columns[k]);
    curves.push_back(std::move(curve));
  }
  return {{"what", what}, {"columns", tire.columns()}, {"curves", std::move(curves)}};
}

Answer messages_of(const Errors& errors) {
  Answer out = Answer::array();
  for (const InputError& e : errors.sorted())
    out.push_back({{"line", e.place.line}, {"column", e.place.column}, {"path", e.path}, {"what", e.what}});
  return out;
}

// {text, name}: errors and warnings by line, findings; without an error the file is kept as `path`, which names a tire from now on.
Answer tir(const Question& q) {
  const std::string text = q.at("text"), path = "/dropped/" + q.value("name", "dropped.tir");
  Errors errors;
  Warnings warnings;
  const auto spec = read_tir(text, path, errors, warnings);
  Answer findings = Answer::array();
  if (spec)
    for (const LintFinding& each : lint_tir(*spec)) findings.push_back({{"error", each.error}, {"what", each.text()}});
  if (spec) memory_files()[whole_path(path)] = text;
  return {{"path", spec ? Answer(path) : Answer(nullptr)},
          {"errors", messages_of(errors)},
          {"warnings", messages_of(warnings)},
          {"findings", std::move(findings)}};
}

// {id, vehicle, tire, surface, level, sets, find_max_speed}: summary.json of `vdsim maneuver run`, and the rows of its main run.
Answer maneuver(const Question& q) {
  const Maneuver maneuver = load_maneuver(*catalog(), q.at("id"));
  ManeuverChanges changes;
  changes.scene = changes_of(q);
  changes.level = q.value("level", "");
  StudyOptions options;
  options.find_max = q.value("find_max_speed", false);
  const Study study = run_study(*catalog(), maneuver, changes, options);
  const Recording& rows = study.runs[study.main].result.recording;
  Answer columns = Answer::array();
  for (const Column& c : rows.columns) columns.push_back({{"name", c.name}, {"unit", c.unit}, {"meaning", c.meaning}});
  Answer out{{"summary", Answer::parse(study_json(study))}, {"columns", std::move(columns)}};
  engine().rows = rows.data;
  out["data"] = Answer::array();
  for (const std::vector<double>& column : engine().rows) out["data"].push_back(place_of(column));
  return out;
}

}  // namespace

std::span<const NamedOp> study_ops() {
  static constexpr NamedOp all[] = {{"road", road}, {"tire_curves", tire_curves}, {"tir", tir}, {"maneuver", maneuver}};
  return all;
}

}  // namespace vdsim::wasm
