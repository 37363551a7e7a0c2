// SPDX-License-Identifier: Apache-2.0
// What the tests of the manoeuvres share: running one with changes, its metrics, the linear bicycle.
#pragma once
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <fstream>
#include <initializer_list>
#include <iterator>
#include <string>
#include <vector>

#include "vdsim/config/catalog.hpp"
#include "vdsim/engine/errors.hpp"
#include "vdsim/study/maneuver/study.hpp"

// One executable holds all integration tests: names of its own.
namespace maneuver_case {

using namespace vdsim;

constexpr double kG = 9.80665, kAir = 1.225;
const double kPi = std::acos(-1.0);

using Sets = std::vector<std::string>;
inline Sets operator+(Sets a, const Sets& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

inline const Catalog& catalog() {
  static const Catalog it(Catalog::default_folder());
  return it;
}

// The plain sedan, which closed forms can follow: the same tires all round, no powertrain.
inline ManeuverChanges changes(const std::string& level, const Sets& sets = {},
                               const std::string& vehicle = "vehicle.sedan_vdsim07") {
  ManeuverChanges out;
  out.level = level;
  out.scene.vehicle = vehicle;
  for (const std::string& set : sets) out.scene.set(set);
  return out;
}

inline Study study(const std::string& id, const ManeuverChanges& c, bool find_max = false) {
  StudyOptions options;
  options.find_max = find_max;
  return run_study(catalog(), load_maneuver(catalog(), id), c, options);
}
inline Study study(const std::string& id, const std::string& level, const Sets& sets = {}) {
  return study(id, changes(level, sets));
}

// One run with the parameters as they are: no series, no run before it.
inline StudyRun single(const std::string& id, const ManeuverChanges& c) {
  StudyRun out{"", 0, plan_maneuver(catalog(), load_maneuver(catalog(), id), c), {}};
  out.result = run_plan(out.plan);
  return out;
}

inline double metric(const StudyRun& run, const std::string& name) { return run.result.metric(run.plan, name); }
inline double metric(const Study& s, const std::string& name) { return metric(s.runs[s.main], name); }
inline const VehicleSpec& vehicle(const StudyRun& run) { return run.plan.car().vehicle; }

// The row at or after t.
inline std::size_t row_at(const StudyRun& run, double t) {
  const auto time = run.result.recording.column("t");
  std::size_t i = 0;
  while (i + 1 < time.size() && time[i] < t - 1e-9) ++i;
  return i;
}
inline double at(const StudyRun& run, const std::string& column, double t) {
  return run.result.recording.column(column)[row_at(run, t)];
}
inline double phase_end(const StudyRun& run, const std::string& name) {
  for (const PhaseTime& p : run.result.phases)
    if (p.name == name) return p.to;
  return std::nan("");
}

inline std::string text_of(const std::string& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

#define EXPECT_SHARE(value, wanted, share) EXPECT_NEAR(value, wanted, (share)*std::fabs(wanted))

}  // namespace maneuver_case
