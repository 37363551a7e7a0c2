// SPDX-License-Identifier: Apache-2.0
// Sensitivities of manoeuvres: exact ones against runs with the number moved, what is differenced, what is refused.
#include <gtest/gtest.h>

#include "vdsim/engine/errors.hpp"
#include "vdsim/lab/sensitivity.hpp"
#include "vdsim/study/maneuver/maneuver_run.hpp"

using namespace vdsim;

// Central differences of fourth order of runs: 1e-6 of the result per number. h is small: a time of crossing has kinks at the rows.
TEST(Sensitivity, ExactEqualsRunsWithTheNumberMoved) {
  const Catalog catalog(Catalog::default_folder());
  SensitivityQuestion q;
  q.name = "step_steer";
  q.wrt = {"chassis.mass", "angle"};
  q.of = {"yaw_rate", "response_time"};
  const Sensitivity s = sensitivity(catalog, q);
  const Maneuver maneuver = load_maneuver(catalog, q.name);
  const double x = s.wrt[0].value, h = 1e-4 * x;
  const auto metric = [&](double by, const std::string& name) {
    ManeuverChanges changes;
    changes.scene.set("chassis.mass=" + std::to_string(x + by));
    const ManeuverPlan plan = plan_maneuver(catalog, maneuver, changes);
    return run_plan(plan).metric(plan, name);
  };
  for (std::size_t i = 0; i < q.of.size(); ++i) {
    const std::string& name = q.of[i];
    const double by =
        (8 * (metric(h, name) - metric(-h, name)) - (metric(2 * h, name) - metric(-2 * h, name))) / (12 * h);
    EXPECT_EQ(s.at[i][0].how, "exact") << name;
    EXPECT_NEAR(s.at[i][0].value * x / s.of[i].value, by * x / s.of[i].value, 1e-6) << name;
    EXPECT_EQ(s.at[i][1].how, "differences") << name;  // the angle is a command
  }
}

TEST(Sensitivity, EveryFaultAtOnce) {
  const Catalog catalog(Catalog::default_folder());
  SensitivityQuestion q;
  q.name = "step_steer";
  q.wrt = {"chasis.mass", "tire.lugre.law", "chassis.inertia_diag"};
  q.of = {"yaw_rat"};
  try {
    sensitivity(catalog, q);
    FAIL() << "not refused";
  } catch (const BadInput& e) {
    ASSERT_EQ(e.lines.size(), 4u);
    EXPECT_NE(e.lines[0].find("yaw_rate"), std::string::npos);
    EXPECT_NE(e.lines[1].find("chassis.mass"), std::string::npos);
  }
}
