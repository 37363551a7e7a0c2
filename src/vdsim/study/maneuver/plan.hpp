// SPDX-License-Identifier: Apache-2.0
// A manoeuvre for one car at one level, with every value known: what is run.
#pragma once
#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "vdsim/config/expression.hpp"
#include "vdsim/config/maneuver.hpp"
#include "vdsim/config/scenario.hpp"
#include "vdsim/engine/outputs.hpp"
#include "vdsim/formats/table_writer.hpp"
#include "vdsim/study/maneuver/course.hpp"

namespace vdsim {

// What the command line or another manoeuvre changes. A set of a parameter's name changes it, any other set the scene.
struct ManeuverChanges {
  SceneChanges scene;
  std::string level;                         // "" = the default of the manoeuvre
  std::map<std::string, double> parameters;  // found by a series, a search or a run before; act last
};

// What a phase may look at, now and as start.NAME when the phase began: these, and every signal of the car (engine/outputs.hpp),
// 0 where the car lacks it. Their slots come in this order.
enum PhaseSlot { kT, kTime, kSpeed, kFzMin, kFzMax, kPhaseSlots };
inline constexpr const char* kPhaseSlotNames[kPhaseSlots] = {"t", "time", "v", "fz_min", "fz_max"};
std::vector<std::string> phase_signals(Level);  // all names, in the order of their slots

inline constexpr double kLongestManeuver = 3600;  // [s]

struct PhasePlan {
  enum Channel { steer, steer_wheel, throttle, brake, handbrake, gear, speed, acceleration, curvature, channels };
  std::string name;
  std::array<std::optional<Expression>, channels> driver;
  bool follow_path = false;
  std::optional<Expression> lasts;    // [s], or
  std::optional<Expression> until;    // not 0: the phase ends
  std::optional<Expression> within;   // [s]: a phase that has not ended by then fails, or
  std::optional<Expression> at_most;  // [s]: ends by then
};
inline constexpr const char* kChannelNames[PhasePlan::channels] = {
    "steer", "steer_wheel", "throttle", "brake", "handbrake", "gear", "speed", "acceleration", "curvature"};

struct MetricPlan {
  std::string name, unit, meaning;
  std::optional<Expression> value;
  std::string comparison;           // "<=", ">=", "<", ">"; "" = no limit
  std::optional<Expression> limit;  // of numbers known before this metric
  std::optional<double> reference;  // a published value
  std::string reference_label;
};

struct SpectrumPlan {
  std::string name, input, output;
  std::optional<Expression> from, to, segment;  // [s]
};

struct SeriesPlan {
  std::string parameter;
  std::vector<double> values;
};
// Find the parameter at which a metric has the value wanted.
struct SolvePlan {
  std::string parameter, metric;
  double target, low, high, tolerance;  // tolerance: of the metric, relative
};
// Find the largest value of the parameter at which the manoeuvre passes.
struct SearchPlan {
  std::string parameter;
  double low, high, resolution;
};

Outline outline_of(const ChassisSpec&);

struct Course {
  std::vector<Lane> lanes;
  std::vector<Cone> cones;
  std::vector<std::array<double, 2>> path;
};

struct ManeuverPlan {
  std::string id, label, standard;
  std::vector<ManeuverParameter> parameters;
  std::vector<std::string> constant_names;  // of the car, then the parameters
  std::vector<double> constants;            // their values: slots of every expression
  Scenario scene;                           // one car
  std::vector<PhasePlan> phases;
  std::vector<MetricPlan> metrics;
  std::vector<SpectrumPlan> spectra;
  Course course;
  std::optional<SeriesPlan> series;
  std::optional<SolvePlan> solve;
  std::optional<SearchPlan> search;

  const CarSpec& car() const { return scene.cars.front(); }
  double parameter(const std::string& name) const;
};

// What must be run before, and which of its metrics become which parameters.
struct FirstPlan {
  std::string maneuver;
  std::map<std::string, std::string> take;   // parameter of ours -> metric of its
  std::map<std::string, double> parameters;  // that it is run with
};
std::optional<FirstPlan> first_of(const Catalog&, const Maneuver&, const ManeuverChanges&);

// Throws BadInput with every error.
ManeuverPlan plan_maneuver(const Catalog&, const Maneuver&, const ManeuverChanges&);
// The manoeuvre again with every value written out: it repeats the run.
std::string plan_text(const Maneuver&, const ManeuverPlan&);

SignalScope recording_scope(const ManeuverPlan&);            // signals that a recording has
std::vector<Column> recording_columns(const ManeuverPlan&);  // they and the sensors

}  // namespace vdsim
