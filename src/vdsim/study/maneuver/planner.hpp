// SPDX-License-Identifier: Apache-2.0
// How a plan is made of a manoeuvre file; used by plan*.cpp only.
#pragma once
#include "vdsim/config/catalog.hpp"
#include "vdsim/config/read.hpp"
#include "vdsim/study/maneuver/plan.hpp"

namespace vdsim {

class Planner {
 public:
  Planner(const Catalog&, const Maneuver&, const ManeuverChanges&, Errors&);
  ManeuverPlan plan();
  std::optional<FirstPlan> first();

 private:
  // plan.cpp: the car, the parameters, the scene
  Level level();
  std::optional<Scenario> scene(bool whole);
  std::string with_parameters(const InputError&) const;
  std::string path_here(const InputError&) const;
  YamlNode scene_tree(bool whole);
  YamlNode resolved(const YamlNode&, const std::string& path);  // every text "=expression" replaced by its value
  void take_car(const CarSpec&);
  void read_parameters(bool with_car);
  // plan_phases.cpp: what is run
  void read_phases(ManeuverPlan&);
  void read_phase(const YamlNode&, const std::string& path, PhasePlan&);
  void read_phase_driver(const YamlNode&, const std::string& path, PhasePlan&);
  void check_pedal(const YamlEntry&, const std::string& path);
  void check_phase(const YamlNode&, const std::string& path, const PhasePlan&);
  std::optional<Expression> phase_time(const YamlNode&, const std::string& path);
  // plan_course.cpp: where
  void read_course(ManeuverPlan&);
  void read_lanes(const YamlNode&, std::vector<Lane>&);
  void read_way_points(const YamlNode&, std::vector<std::array<double, 2>>&);
  void check_lanes(const YamlNode& place, const std::vector<Lane>&, double spacing);
  void take_path(ManeuverPlan&);
  double course_number(const YamlNode&, const std::string& path, const Range&, const char* unit);
  // plan_metrics.cpp: what is made of it
  void read_metrics(ManeuverPlan&);
  void read_metric(const YamlEntry&, const ExpressionScope&, const ExpressionScope& numbers, MetricPlan&);
  void read_reference(const YamlEntry&, const std::string& path, MetricPlan&);
  void read_spectra(ManeuverPlan&, const ExpressionScope&);
  void read_series(ManeuverPlan&);
  void read_solve(ManeuverPlan&);
  void read_search(ManeuverPlan&);

  std::optional<Expression> expression(const YamlNode&, const ExpressionScope&, const std::string& path);
  double constant(const YamlNode&, const std::string& path);  // of constants and parameters; NaN after an error
  double finite_constant(const YamlNode&, const std::string& path);
  bool is_parameter(const std::string&) const;
  bool is_set(const std::string& parameter) const;  // by the user
  // The entries of a block by key; every other key is refused. Empty where a needed one is missing.
  std::map<std::string, const YamlEntry*> block(const char* name, const std::vector<std::string>& keys,
                                                const std::vector<std::string>& needed);

  const Catalog& catalog_;
  const Maneuver& maneuver_;
  ManeuverChanges changes_;  // sets of parameters taken out
  std::vector<std::pair<std::string, Assignment>> parameter_sets_;
  Errors& errors_;
  Reader reader_;
  ExpressionScope constants_scope_;
  std::vector<double> constants_;
  Outline outline_{};  // of the car, when it is known
  Level level_ = Level::L2;
};

}  // namespace vdsim
