// SPDX-License-Identifier: Apache-2.0
// The machinery of the manoeuvres: cones and the search, refusals, restarts, repeats, and every manoeuvre on every car.
#include <algorithm>
#include <cstring>
#include <functional>

#include "tests/integration/maneuver_case.hpp"

namespace maneuver_case {
namespace {

const std::string kCars[] = {"sedan_comfort", "sports_aggressive", "race_gt", "fsk_formula"};

bool same_bits(const Recording& a, const Recording& b) {
  if (a.data.size() != b.data.size()) return false;
  for (std::size_t i = 0; i < a.data.size(); ++i)
    if (a.data[i].size() != b.data[i].size() ||
        std::memcmp(a.data[i].data(), b.data[i].data(), a.data[i].size() * sizeof(double)) != 0)
      return false;
  return true;
}

std::string refusal(const std::function<void()>& what) {
  try {
    what();
  } catch (const BadInput& e) {
    std::string out;
    for (const std::string& line : e.lines) out += line + "\n";
    return out;
  }
  return "";
}

std::string maneuver_file(const std::string& id) { return catalog().folder() + "/maneuvers/" + id + ".yaml"; }

// The manoeuvre with one piece of its text replaced.
Maneuver edited(const std::string& id, const std::string& from, const std::string& to) {
  std::string text = text_of(maneuver_file(id));
  const std::size_t place = text.find(from);
  EXPECT_NE(place, std::string::npos) << from;
  if (place != std::string::npos) text.replace(place, from.size(), to);
  Errors errors;
  Maneuver out = read_maneuver(text, "edited.yaml", catalog().folder() + "/maneuvers", errors);
  errors.throw_if_any();
  return out;
}

// ------------------------------------------------------------------------------------------------ verdicts

// A sedan with snow tires behind is unstable at 80 km/h (critical speed below 40 km/h): it spins in the series. So does the
// plain sedan at the largest amplitudes. With yaw control both pass, as every other car of the catalog; the unstable one on its
// yaw rate: it reaches no amplitude at which a way to the side is asked, and its rear tires would not give it.
std::string car_file(const std::string& name, const std::string& more) {
  const std::string file = ::testing::TempDir() + "/" + name + ".yaml";
  std::ofstream(file)
      << "id: vehicle." << name << "\nversion: 1\nlabel: " << name
      << "\nparts: {chassis: chassis.sedan, tire: tire.default_pacejka, tire_front: tire.touring_front, "
         "brake: brake.sedan_default, steering: steering.sedan, drivetrain: drivetrain.sedan, powertrain: "
         "powertrain.sedan_drive"
      << more << "}\n";  // vehicle.sedan_comfort
  return file;
}
class SineWithDwell : public testing::TestWithParam<const char*> {};
TEST_P(SineWithDwell, VerdictFlipsWithYawControl) {
  const std::string snow = ", tire_rear: tire.low_mu", esc = ", control: control.esc";
  const auto verdict = [](const std::string& name, const std::string& more) {
    return study("sine_with_dwell", changes(GetParam(), {}, car_file(name + GetParam(), more))).verdict();
  };
  EXPECT_EQ(verdict("swd_snow", snow), "fail");
  const Study held =
      study("sine_with_dwell", changes(GetParam(), {}, car_file(std::string("swd_snow_esc") + GetParam(), snow + esc)));
  EXPECT_EQ(held.verdict(), "pass");
  EXPECT_GE(held.runs.size(), 5u);
  for (const StudyRun& run : held.runs) {
    EXPECT_LE(metric(run, "yaw_ratio_100"), 0.35) << run.name;
    EXPECT_LE(metric(run, "yaw_ratio_175"), 0.2) << run.name;
  }
  EXPECT_EQ(verdict("swd_plain", ""), "fail");
  EXPECT_EQ(verdict("swd_plain_esc", esc), "pass");
}
TEST_P(SineWithDwell, EveryCarPassesWithYawControl) {
  const Sets esc = {"control.hydraulics.enabled=true", "control.abs.enabled=true", "control.ebd.enabled=true",
                    "control.tc.enabled=true", "control.esc.enabled=true"};
  for (const CatalogEntry& car : catalog().blueprints())
    EXPECT_EQ(study("sine_with_dwell", changes(GetParam(), esc, car.id)).verdict(), "pass") << car.id;
}
INSTANTIATE_TEST_SUITE_P(Maneuver, SineWithDwell, testing::Values("L2", "L3", "L5"),
                         [](const auto& info) { return std::string(info.param); });

// -------------------------------------------------------------------------------------------- cones, search

// Start and path moved aside, the cones not: the whole trajectory is moved by just that. 1 cm less than the clearance
// touches nothing on either side, 1 cm more touches on the side of the nearest cone.
TEST(Maneuver, PathShiftedByTheClearanceHitsACone) {
  for (const char* id : {"iso3888_2", "iso3888_1"})
    for (const char* level : {"L2", "L3"}) {
      if (std::string(id) + level == "iso3888_1L3") continue;
      SCOPED_TRACE(std::string(id) + " " + level);
      const auto shifted = [&](double shift) {
        ManeuverChanges c = changes(level, {"speed=kmh(50)"});
        c.parameters["shift"] = shift;
        return single(id, c);
      };
      const StudyRun middle = shifted(0);
      const double clearance = metric(middle, "margin");
      ASSERT_EQ(metric(middle, "cone_hits"), 0);
      ASSERT_GT(clearance, 0.02);
      double deepest = 0;
      for (const double side : {1.0, -1.0}) {
        EXPECT_EQ(metric(shifted(side * (clearance - 0.01)), "cone_hits"), 0);
        const StudyRun beyond = shifted(side * (clearance + 0.01));
        EXPECT_NEAR(beyond.result.recording.column("y").back(),
                    middle.result.recording.column("y").back() + side * (clearance + 0.01), 1e-9);
        if (beyond.result.hits.empty()) continue;
        const Hit& hit = beyond.result.hits.front();
        const std::string corner = hit.corner;
        EXPECT_NE(corner.find(side > 0 ? "left" : "right"), std::string::npos) << corner;
        EXPECT_GT(hit.t, 0);
        EXPECT_LT(hit.t, beyond.result.phases.back().to);
        const Cone& cone = beyond.plan.course.cones[static_cast<std::size_t>(hit.cone)];
        EXPECT_NEAR(std::hypot(hit.x - cone.x, hit.y - cone.y), cone.radius, 1e-3);  // first contact
        deepest = std::min(deepest, metric(beyond, "margin"));
        EXPECT_FALSE(beyond.result.passed());
        std::printf("[ measured ] %s %s: clearance %.4f m; shifted by it %+.0f cm hit by the %s corner at %.3f s\n", id,
                    level, clearance, side, hit.corner, hit.t);
      }
      EXPECT_NEAR(deepest, -0.01, 2e-3);
    }
}

// On a grid of 0.1 km/h: the same twice, passes there, fails one step above.
TEST(Maneuver, LargestSpeedIsFoundTwice) {
  for (const char* id : {"iso3888_2"}) {
    const Study a = study(id, changes("L2"), true), b = study(id, changes("L2"), true);
    ASSERT_TRUE(a.searched);
    EXPECT_EQ(a.found, b.found);
    EXPECT_EQ(a.parameter, "speed");
    EXPECT_NEAR(std::remainder(a.found, 0.1 / 3.6), 0, 1e-9);
    const auto at_speed = [&](double v) {
      ManeuverChanges c = changes("L2");
      c.parameters["speed"] = v;
      return single(id, c).result.passed();
    };
    EXPECT_TRUE(at_speed(a.found));
    EXPECT_FALSE(at_speed(a.found + 0.1 / 3.6));
    EXPECT_EQ(a.runs[a.main].value, a.found);
    EXPECT_TRUE(a.runs[a.main].result.passed());
    std::printf("[ measured ] %s: largest speed %.1f km/h\n", id, a.found * 3.6);
  }
}

// -------------------------------------------------------------------------------------------------- refusals

TEST(Maneuver, RefusesLevelsItDoesNotName) {
  int refused = 0;
  for (const CatalogEntry& entry : catalog().maneuvers()) {
    const Maneuver m = load_maneuver(catalog(), entry.id);
    EXPECT_FALSE(m.levels.empty());
    for (const Level level : {Level::L1, Level::L2, Level::L3, Level::L5}) {
      if (std::find(m.levels.begin(), m.levels.end(), level) != m.levels.end()) continue;
      const std::string said = refusal([&] { run_study(catalog(), m, changes(enum_name(level))); });
      EXPECT_NE(said.find(level_names(m.levels)), std::string::npos) << entry.id << ": " << said;
      EXPECT_NE(said.find(enum_name(level)), std::string::npos) << said;
      ++refused;
    }
  }
  EXPECT_GT(refused, 8);
  const Maneuver m = load_maneuver(catalog(), "iso7401");
  EXPECT_NE(refusal([&] { run_study(catalog(), m, changes("L4")); }), "");
}

struct Bad {
  const char *from, *to;
  std::vector<const char*> says;
};

// Every error has its place and what to write instead.
TEST(Maneuver, RefusesBadFilesWithPlaceAndSuggestion) {
  const std::string phase =
      "  - {name: brake, driver: {brake: \"pedal*ramp(t, 0, rise)\", gear: 0}, until: v < 0.002, within: 60}";
  const std::vector<Bad> cases{
      {"phases:", "phasess:", {"edited.yaml:", "phasess", "'phases'"}},
      {"purpose:", "purpos:", {"edited.yaml:6:1", "purpos", "'purpose'"}},
      {"until: v < 0.002", "untill: v < 0.002", {"edited.yaml:16:", "untill", "'until'"}},
      {"brake: \"pedal", "brak: \"pedal", {"edited.yaml:16:", "brak", "'brake'"}},
      {"until: v < 0.002", "until: vxx < 0.002", {"edited.yaml:16:78", "vxx", "'vx'"}},
      {"mfdd(vx, brake.from)\"", "mfdd(vx, brakes.from)\"", {"edited.yaml:22:", "brakes.from", "'brake.from'"}},
      {"\"mfdd(vx,", "\"mffd(vx,", {"edited.yaml:22:", "mffd", "'mfdd'"}},
      {"until: v < 0.002, within: 60", "within: 60", {"edited.yaml:16:", "until"}},
      {", within: 60}", "}", {"edited.yaml:16:", "within"}},
      {"until: v < 0.002", "until: \"mean(vx, 0, 1) < 1\"", {"edited.yaml:16:", "mean"}},
      {"{value: kmh(100),", "{value: kmh(100), unt: x,", {"edited.yaml:10:", "unt", "'unit'"}},
      {"levels: [L2, L1, L3, L5]", "levels: [L2, L7]", {"edited.yaml:7:", "L7"}},
      {"car: {vx0: =speed}", "car: {vx0: =sped}", {"edited.yaml:13:", "sped", "'speed'"}},
  };
  for (const Bad& bad : cases) {
    const std::string said =
        refusal([&] { plan_maneuver(catalog(), edited("iso21994", bad.from, bad.to), changes("L2")); });
    for (const char* word : bad.says) EXPECT_NE(said.find(word), std::string::npos) << bad.to << "\n  " << said;
  }
  // all of them at once
  const std::string said = refusal([&] {
    plan_maneuver(catalog(), edited("iso21994", phase, "  - {name: brake, driver: {brak: 1}, until: vxx < 1}"),
                  changes("L2"));
  });
  for (const char* word : {"brak", "vxx", "within"}) EXPECT_NE(said.find(word), std::string::npos) << said;
  EXPECT_NE(refusal([&] { study("iso21994", changes("L2", {"sped=3"})); }), "");
  EXPECT_NE(refusal([&] { load_maneuver(catalog(), "iso740"); }).find("iso7401"), std::string::npos);
  EXPECT_NE(refusal([&] { study("iso7401", changes("L2"), true); }), "");  // nothing to search for
}

// ------------------------------------------------------------------------------------------ restart and repeat

// A driver with delay, slow arms and an unquiet hand: all he remembers is in the snapshot.
TEST(Maneuver, SnapshotContinuesByteForByte) {
  const Maneuver m = edited("iso3888_1", "bandwidth: =bandwidth}", "bandwidth: =bandwidth, noise: 0.003, seed: 7}");
  for (const char* level : {"L2", "L3"}) {
    const ManeuverPlan plan =
        plan_maneuver(catalog(), m, changes(level, {"delay=0.15", "bandwidth=3", "sensors.enabled=false"}));
    ASSERT_EQ(plan.car().driver.human.noise, 0.003);
    ManeuverRun whole(plan);
    std::vector<std::vector<double>> rows;
    std::vector<std::byte> kept;
    const long middle = 3300;  // in the second phase, between the lanes
    for (long i = 0; whole.step() && !whole.done(); ++i) {
      if (i == middle) kept = whole.snapshot();
      if (i >= middle) rows.push_back(whole.row());
    }
    ASSERT_GT(rows.size(), 1000u);
    ManeuverRun again(plan);
    ASSERT_TRUE(again.restore(kept));
    EXPECT_EQ(again.snapshot(), kept);
    EXPECT_EQ(again.phase(), 1u);
    std::size_t i = 0;
    do {
      ASSERT_LT(i, rows.size());
      const std::vector<double> row = again.row();
      ASSERT_EQ(std::memcmp(row.data(), rows[i].data(), row.size() * sizeof(double)), 0) << level << " row " << i;
      ++i;
    } while (again.step() && !again.done());
    EXPECT_EQ(i, rows.size());
    EXPECT_EQ(again.snapshot(), whole.snapshot());
    EXPECT_FALSE(again.restore(std::span(kept).first(kept.size() - 1)));
    EXPECT_FALSE(again.restore(std::span(kept).first(10)));
    // the same plan gives the same bits, another hand does not
    const ManeuverResult a = run_plan(plan), b = run_plan(plan);
    EXPECT_TRUE(same_bits(a.recording, b.recording));
    ManeuverPlan other = plan;
    other.scene.cars.front().driver.human.seed = 8;
    EXPECT_FALSE(same_bits(a.recording, run_plan(other).recording));
  }
}

// What is written as resolved.yaml is the same run: every row to the bit, and its own text again.
TEST(Maneuver, ResolvedFileRepeatsTheRun) {
  for (const char* id : {"iso7401", "iso3888_2", "iso7975", "ice_patch", "mu_split_braking", "parking", "jump",
                         "j_turn", "hill_start", "ice_corner"}) {
    SCOPED_TRACE(id);
    const Study first = study(id, changes("", {"tire.mu_nominal=0.93"}, "vehicle.sports_aggressive"));
    const StudyRun& run = first.runs.back();
    const std::string text = plan_text(first.maneuver, run.plan);
    Errors errors;
    const Maneuver written = read_maneuver(text, "resolved.yaml", "", errors);
    ASSERT_TRUE(errors.empty()) << errors.list().front().text();
    const Study again = run_study(catalog(), written, {});
    ASSERT_EQ(first.runs.size(), again.runs.size());
    EXPECT_TRUE(same_bits(run.result.recording, again.runs.back().result.recording));
    EXPECT_EQ(text, plan_text(written, again.runs.back().plan));
    EXPECT_TRUE(again.before.empty());  // nothing is looked for again
  }
}

// ------------------------------------------------------------------------------------- every one on every car

class EveryManeuver : public testing::TestWithParam<std::tuple<std::string, std::string>> {};

// Finishes with numbers at each of its levels.
TEST_P(EveryManeuver, FinishesOnEveryCar) {
  const auto& [id, car] = GetParam();
  const Maneuver m = load_maneuver(catalog(), id);
  for (const Level level : m.levels) {
    SCOPED_TRACE(enum_name(level));
    const Study s = run_study(catalog(), m, changes(enum_name(level), {}, "vehicle." + car));
    EXPECT_FALSE(s.failed());
    for (const StudyRun& run : s.runs) {
      EXPECT_GT(run.result.recording.rows(), 10u);
      for (std::size_t i = 0; i < run.result.recording.data.size(); ++i)
        EXPECT_TRUE(std::all_of(run.result.recording.data[i].begin(), run.result.recording.data[i].end(),
                                [](double v) { return std::isfinite(v); }))
            << run.name << " column " << run.result.recording.columns[i].name;
    }
  }
}

std::vector<std::string> ids() {
  std::vector<std::string> out;
  for (const CatalogEntry& entry : catalog().maneuvers()) out.push_back(entry.id);
  return out;
}
INSTANTIATE_TEST_SUITE_P(Maneuver, EveryManeuver, testing::Combine(testing::ValuesIn(ids()), testing::ValuesIn(kCars)),
                         [](const auto& info) { return std::get<0>(info.param) + "_on_" + std::get<1>(info.param); });

}  // namespace
}  // namespace maneuver_case
