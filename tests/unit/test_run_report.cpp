// SPDX-License-Identifier: Apache-2.0
#include "vdsim/report/run_report.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numbers>
#include <set>

#include "vdsim/formats/atomic_file.hpp"
#include "vdsim/report/config_differences.hpp"

namespace vdsim {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

struct Folder {
  fs::path path = fs::path(testing::TempDir()) /
                  ("vdsim_report_" + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
  Folder() { fs::remove_all(path), fs::create_directories(path); }
  ~Folder() { fs::remove_all(path); }
  std::string file(const std::string& name, const std::string& text) const {
    fs::create_directories((path / name).parent_path());
    write_file((path / name).string(), text);
    return (path / name).string();
  }
};

std::string first_error(const std::string& path) {
  Errors errors;
  EXPECT_TRUE(read_run_folder(path, errors).empty());
  return errors.empty() ? "" : errors.lines()[0];
}

constexpr const char* kTable =
    "# vdsim: 0.1.0\n# config: abc\n# units: s,m,m,rad,m/s\nt,x,y,psi,vx\n0,0,0,0,10\n1,10,0,0.5,10\n";

// Rows of a made-up run: columns over time.
RunFolder made(std::vector<std::pair<std::string, std::vector<double>>> columns) {
  RunFolder out;
  out.name = "made";
  out.summary = json::object();
  for (auto& [name, values] : columns) {
    out.rows.names.push_back(name);
    out.rows.columns.push_back(values);
    out.head.columns.push_back({name, "", ""});
  }
  out.rows.lines.assign(columns[0].second.size(), 1);
  return out;
}

const ReportBlock* block(const std::vector<ReportBlock>& blocks, const std::string& heading) {
  for (const ReportBlock& each : blocks)
    if (each.heading == heading) return &each;
  return nullptr;
}

TEST(RunFolder, ReadsRowsUnitsNotesAndSummary) {
  const Folder folder;
  folder.file("run.csv", kTable);
  folder.file("summary.json", R"({"id":"a","verdict":"done"})");
  folder.file("resolved.yaml", "id: a\n");
  Errors errors;
  for (const std::string& path :
       {folder.path.string(), (folder.path / "run.csv").string(), folder.path.string() + "/"}) {
    const std::vector<RunFolder> runs = read_run_folder(path, errors);
    ASSERT_EQ(runs.size(), 1u) << path;
    EXPECT_EQ(runs[0].name, folder.path.filename().string());
    EXPECT_EQ(runs[0].unit("psi"), "rad");
    EXPECT_EQ(runs[0].unit("nothing"), "");
    EXPECT_EQ(*runs[0].find("x"), (std::vector<double>{0, 10}));
    EXPECT_EQ(runs[0].head.notes[1].second, "abc");
    EXPECT_EQ(runs[0].resolved, "id: a\n");
  }
  EXPECT_TRUE(errors.empty());
}

TEST(RunFolder, ErrorsNameFileAndLine) {
  const Folder folder;
  EXPECT_NE(first_error((folder.path / "none").string()).find("no such run folder"), std::string::npos);
  EXPECT_NE(first_error(folder.path.string()).find("no run.csv in this folder"), std::string::npos);
  folder.file("h/run.h5", "");
  EXPECT_NE(first_error((folder.path / "h").string()).find("reports read run.csv"), std::string::npos);
  EXPECT_NE(first_error((folder.path / "h/run.h5").string()).find("reports read run.csv"), std::string::npos);
  folder.file("bad/run.csv", "t,x\n0,1\n1,abc\n");
  EXPECT_NE(first_error((folder.path / "bad").string()).find("run.csv:3:3: x: expected a number"), std::string::npos);
  folder.file("back/run.csv", "t,x\n1,1\n0,1\n");
  EXPECT_NE(first_error((folder.path / "back").string()).find("run.csv:3:1: t:"), std::string::npos);
  folder.file("timeless/run.csv", "x\n1\n");
  EXPECT_NE(first_error((folder.path / "timeless").string()).find("missing column 't'"), std::string::npos);
  folder.file("units/run.csv", "# units: s\nt,x\n0,1\n");
  EXPECT_NE(first_error((folder.path / "units").string()).find("1 units for 2 columns"), std::string::npos);
  folder.file("json/run.csv", kTable);
  folder.file("json/summary.json", "{\n  \"id\": oops\n}\n");
  EXPECT_NE(first_error((folder.path / "json").string()).find("summary.json:2:9: this is not JSON"), std::string::npos);
  folder.file("json/summary.json", "[]");
  EXPECT_NE(first_error((folder.path / "json").string()).find("expected an object"), std::string::npos);
}

TEST(RunFolder, OneRunPerCarAndPerKeptRun) {
  const Folder folder;
  folder.file("scene/ego/run.csv", kTable);
  folder.file("scene/lead/run.csv", kTable);
  folder.file("scene/resolved.yaml", "both\n");
  folder.file("scene/summary.json",
              R"({"verdict":"diverged","cars":[{"id":"lead","verdict":"done"},{"id":"ego","verdict":"diverged"}]})");
  Errors errors;
  std::vector<RunFolder> runs = read_run_folder((folder.path / "scene").string(), errors);
  ASSERT_EQ(runs.size(), 2u);
  EXPECT_EQ(runs[0].name, "scene/lead");
  EXPECT_EQ(json_text(runs[0].summary, "verdict"), "done");
  EXPECT_EQ(json_text(runs[1].summary, "verdict"), "diverged");
  EXPECT_EQ(runs[1].resolved, "both\n");
  folder.file("series/summary.json", R"({"kind":"maneuver","runs":[{"name":"1","folder":"","verdict":"pass"}]})");
  runs = read_run_folder((folder.path / "series").string(), errors);
  ASSERT_EQ(runs.size(), 1u);
  EXPECT_EQ(runs[0].rows.rows(), 0u);
  EXPECT_NO_THROW(report_page("", "", run_report(runs)));
  EXPECT_TRUE(errors.empty());
}

TEST(RunFolder, NamesAreToldApart) {
  std::vector<RunFolder> runs(4);
  const char* folders[] = {"/a/one/run", "/a/two/run", "/b/two/run", "/c"};
  for (std::size_t i = 0; i < 4; ++i) runs[i].folder = folders[i], runs[i].name = i < 3 ? "run" : "c";
  name_apart(runs);
  EXPECT_EQ(runs[0].name, "one/run");
  EXPECT_EQ(runs[1].name, "two/run");
  EXPECT_EQ(runs[2].name, "two/run #2");
  EXPECT_EQ(runs[3].name, "c");
}

TEST(RunReport, SideSlipIsTheAngleOfTheVelocity) {
  const double v = 20, beta = 0.1;
  RunFolder run = made({{"t", {0, 1, 2}}, {"vx", {v * std::cos(beta), -v, 0.1}}, {"vy", {v * std::sin(beta), 0, 0}}});
  const std::vector<double> out = side_slip(run);
  EXPECT_NEAR(out[0], beta, 1e-15);
  EXPECT_EQ(out[1], 0);  // backward in a straight line
  EXPECT_TRUE(std::isnan(out[2]));
  run = made({{"t", {0}}, {"beta", {0.3}}, {"vx", {1}}, {"vy", {0}}});
  EXPECT_EQ(side_slip(run)[0], 0.3);
  EXPECT_TRUE(side_slip(made({{"t", {0}}})).empty());
}

TEST(RunReport, UtilisationIsOneOnTheFrictionCircle) {
  const RunFolder run = made({{"t", {0, 1, 2}},
                              {"fx_fl", {300, 0, 1}},
                              {"fy_fl", {-400, 0, 1}},
                              {"fz_fl", {1000, 1000, 0}},
                              {"mu_fl", {0.5, 1, 1}}});
  const std::vector<double> out = utilisation(run, "fl");
  EXPECT_DOUBLE_EQ(out[0], 1);  // hypot(300, 400) = 0.5 * 1000
  EXPECT_EQ(out[1], 0);
  EXPECT_TRUE(std::isnan(out[2]));  // in the air
  EXPECT_TRUE(utilisation(run, "fr").empty());
}

RunFolder maneuver() {
  RunFolder run = made({{"t", {0, 1, 2, 3}},
                        {"x", {0, 10, 20, 30}},
                        {"y", {0, 0, 1, 3}},
                        {"psi", {0, 0, 0.1, 0.2}},
                        {"ax", {0, 0, 0, 0}},
                        {"ay", {0, 1, 2, 1}},
                        {"r", {0, 0.1, 0.2, 0.1}}});
  run.resolved = "config\n";
  run.summary = json::parse(
      R"({"kind":"maneuver","id":"iso","label":"Lane change","standard":"ISO 3888-2","verdict":"fail","level":"L2","config":"abc","notes":["the driver was late"],"found":{"parameter":"speed","value":17.5,"unit":"m/s"},
    "metrics":[{"name":"a","label":"first","value":1.5,"unit":"m/s^2","limit":"<= 2","pass":true,"reference":1.6,"reference_label":"VDSim 0.7"},
               {"name":"b","value":null,"unit":"-","limit":"","pass":null,"reference":null},
               {"name":"c","value":3,"unit":"m","limit":"<= 2","pass":false,"reference":null}],
    "phases":[{"name":"in","from":0,"to":1},{"name":"out","from":1,"to":3}],"moments":[0,2],
    "parameters":[{"name":"speed","value":20,"unit":"m/s","meaning":"entry"}],
    "car":{"width":2,"length":4,"front":2},
    "course":{"cones":[[5,2,1],[15,-2,0]],"lanes":[{"from":0,"to":12,"right":-2,"left":2}],"path":[[0,0],[30,3]]},
    "hits":[{"t":1.25,"cone":[5,2],"corner":"front left"}],
    "runs":[{"name":"slow","folder":"","verdict":"pass","parameters":{"v":10},"metrics":{"a":1}}],
    "spectra":[{"name":"yaw","f":[0.1,1,10],"gain":[1,1,0.1],"phase":[0,-1.5707963267948966,-3.14159265358979],"coherence":[1,1,0.4],"gain_unit":"1/s"}]})");
  return run;
}

TEST(RunReport, SaysWhatTheSummarySays) {
  const std::vector<ReportBlock> blocks = run_report({maneuver()});
  EXPECT_EQ(blocks[0].verdict, "fail");
  EXPECT_EQ(blocks[0].text, "the driver was late");
  EXPECT_NE(std::find(blocks[0].facts.begin(), blocks[0].facts.end(),
                      std::pair<std::string, std::string>("found speed", "17.5 m/s (63 km/h)")),
            blocks[0].facts.end());
  const ReportTable& metrics = block(blocks, "Metrics")->tables[0];
  EXPECT_EQ(metrics.rows[0], (std::vector<std::string>{"metric", "value", "VDSim 0.7", "unit", "limit", "meaning"}));
  EXPECT_EQ(metrics.rows[1], (std::vector<std::string>{"a", "1.5", "1.6", "m/s²", "≤ 2", "first"}));
  EXPECT_EQ(metrics.rows[2][1], "–");  // a value that does not exist
  EXPECT_EQ(metrics.marks, (std::vector<int>{1, -1, 0}));
  const ReportBlock* motion = block(blocks, "Motion");
  ASSERT_EQ(motion->bands.size(), 2u);
  EXPECT_EQ(motion->bands[1].to, 3);
  const ReportBlock* spectra = block(blocks, "Frequency response");
  EXPECT_TRUE(spectra->log_x);
  ASSERT_EQ(spectra->figures[0].panels.size(), 3u);
  EXPECT_NEAR(spectra->figures[0].panels[1].series[0].y[1], -90, 1e-12);
  EXPECT_TRUE(std::isnan(spectra->figures[0].panels[0].series[0].y[2]));  // coherence 0.4
  EXPECT_EQ(spectra->figures[0].panels[2].series[0].y[2], 0.4);
  EXPECT_EQ(block(blocks, "Cones hit")->tables[0].rows[1][3], "front left");
  EXPECT_EQ(block(blocks, "Runs of the series")->tables[0].marks, (std::vector<int>{1}));
  EXPECT_TRUE(block(blocks, "Configuration")->folded);
  EXPECT_EQ(block(blocks, "Wheels"), nullptr);  // no wheel columns
  EXPECT_TRUE(block(blocks, "Grip")->figures[0].panels[0].equal_aspect);
}

TEST(RunReport, NothingIsShownThatTheInputDoesNotExcite) {
  RunFolder run = maneuver();
  run.summary["spectra"][0] = {{"name", "yaw"},
                               {"f", {0.1, 1, 10}},
                               {"gain", {1, 2, 3}},
                               {"phase", {0, 0, 0}},
                               {"coherence", {1, 1, 1}},
                               {"excitation", {1, 0.5, 1e-9}},
                               {"gain_unit", "(rad/s)/(rad)"}};
  const ReportBlock spectra = *block(run_report({run}), "Frequency response");
  const Panel& gain = spectra.figures[0].panels[0];
  EXPECT_TRUE(gain.log_y);
  EXPECT_EQ(gain.y_label, "gain [(deg/s)/deg]");
  EXPECT_EQ(gain.series[0].y[1], 2);
  EXPECT_TRUE(std::isnan(gain.series[0].x[2]));
}

TEST(RunReport, PeopleReadTheirUnits) {
  RunFolder run = maneuver();
  run.rows.names.push_back("vx"), run.rows.columns.push_back({10, 10, 10, 20});
  run.summary["metrics"][0] = {{"name", "turn"},           {"value", 0.5}, {"unit", "rad"},
                               {"limit", "<= 1"},          {"pass", true}, {"reference", 0.25},
                               {"reference_label", "book"}};
  const std::vector<ReportBlock> blocks = run_report({run});
  const Panel& speed = block(blocks, "Motion")->figures[0].panels[0];
  EXPECT_EQ(speed.y_label, "speed [km/h]");
  EXPECT_DOUBLE_EQ(speed.series[0].y[3], 72);
  const std::vector<std::string>& row = block(blocks, "Metrics")->tables[0].rows[1];
  EXPECT_EQ(row[1], "28.648");
  EXPECT_EQ(row[2], "14.324");  // the reference
  EXPECT_EQ(row[3], "deg");
  EXPECT_EQ(row[4], "≤ 57.296");
  EXPECT_EQ(block(blocks, "Parameters")->tables[0].rows[1], (std::vector<std::string>{"speed", "72", "km/h", "entry"}));
}

TEST(RunReport, ASeriesIsACurveOfEachMetricWithItsLimit) {
  RunFolder run = maneuver();
  run.summary["runs"] = json::array();
  for (const double v : {20.0, 10.0, 15.0})  // in the order of a search
    run.summary["runs"].push_back(
        {{"name", "x"}, {"parameters", {{"speed", v}}}, {"metrics", {{"a", v / 10}, {"b", nullptr}}}});
  run.series = {run, run};
  const ReportBlock series = *block(run_report({run}), "Series");
  ASSERT_EQ(series.figures.size(), 2u);  // metrics, overlay
  ASSERT_EQ(series.figures[0].panels.size(), 1u);
  const Panel& a = series.figures[0].panels[0];
  EXPECT_EQ(a.x_label, "speed [km/h]");
  EXPECT_EQ(a.series[0].x, (std::vector<double>{36, 54, 72}));
  EXPECT_EQ(a.series[0].y, (std::vector<double>{1, 1.5, 2}));
  EXPECT_EQ(a.series[2].y[0], 2);  // the limit
}

TEST(RunReport, WheelsAreToldApartWithoutColour) {
  RunFolder run = maneuver();
  for (const char* name : {"fz_fl", "fz_fr", "fz_rl", "fz_rr", "abs_fl", "abs_fr", "abs_rl", "abs_rr"})
    run.rows.names.emplace_back(name), run.rows.columns.push_back({1, 2, 3, 4});
  const ReportBlock wheels = *block(run_report({run}), "Wheels");
  ASSERT_EQ(wheels.figures[0].panels.size(), 2u);  // loads and ABS
  std::set<Stroke> strokes;
  for (const Series& s : wheels.figures[0].panels[0].series) strokes.insert(s.stroke);
  EXPECT_EQ(strokes.size(), 4u);
}

TEST(RunReport, SeveralRunsShareTheCharts) {
  std::vector<RunFolder> runs{maneuver(), maneuver()};
  runs[1].name = "other";
  runs[1].summary["metrics"][2]["pass"] = true;
  runs[1].resolved = "other\n";
  const std::vector<ReportBlock> blocks = run_report(runs);
  const ReportTable& metrics = block(blocks, "Metrics")->tables[0];
  EXPECT_EQ(metrics.rows[0],
            (std::vector<std::string>{"metric", "made", "other", "VDSim 0.7", "unit", "limit", "meaning"}));
  EXPECT_EQ(metrics.marks[2], 0);  // one failed
  EXPECT_EQ(metrics.rows[3][1], "3 ✗");
  EXPECT_EQ(metrics.rows[3][2], "3");
  for (const Panel& panel : block(blocks, "Motion")->figures[0].panels) {
    ASSERT_EQ(panel.series.size(), 2u);
    EXPECT_EQ(panel.series[1].name, "other");
    EXPECT_EQ(panel.series[1].color, 1);
  }
  EXPECT_NE(block(blocks, "Configuration of other"), nullptr);
}

TEST(RunReport, AnySummaryIsSurvived) {
  const json seed = maneuver().summary;
  for (const json& wrong : {json(), json(3), json("x"), json::array({1, "a", nullptr}), json::object({{"name", 4}})})
    for (const auto& [key, value] : seed.items()) {
      RunFolder run = maneuver();
      run.summary[key] = wrong;
      EXPECT_NO_THROW(report_page("", "", run_report({run, run}))) << key << " = " << wrong;
      if (!value.is_array()) continue;
      run.summary[key] = json::array({wrong, value.empty() ? json() : value[0]});
      EXPECT_NO_THROW(report_page("", "", run_report({run}))) << key << " = [" << wrong << "]";
    }
}

double number_after(const std::string& text, const std::string& word, std::size_t from = 0) {
  const std::size_t at = text.find(word, from);
  return at == std::string::npos ? NAN : std::strtod(text.c_str() + at + word.size(), nullptr);
}

TEST(RunReport, ViewHasOneScaleAndLeftIsUp) {
  RunFolder run =
      made({{"t", {0, 1, 2}}, {"x", {0, 30, 30}}, {"y", {0, 0, 30}}, {"psi", {0, 0, std::numbers::pi / 2}}});
  const std::string svg = birds_eye_svg({run});
  const std::size_t path = svg.find("<path d=\"M", svg.find("<title>made"));
  const char* at = svg.c_str() + path + 10;
  char* end = nullptr;
  double p[6];
  for (double& v : p) {
    v = std::strtod(at, &end);
    at = end + 1;
  }
  EXPECT_NEAR(p[2] - p[0], p[3] - p[5], 0.11);  // 30 m forward and 30 m to the left; 0.1 px is the last digit
  EXPECT_GT(p[1], p[5]);
  EXPECT_NEAR((p[2] - p[0]) / 30, number_after(svg, "data-scale=\""), 0.01);
  EXPECT_NEAR(p[0] / number_after(svg, "data-scale=\""), -number_after(svg, "data-x0=\""), 0.02);
  EXPECT_TRUE(birds_eye_svg({made({{"t", {0, 1}}})}).empty());
}

TEST(RunReport, ViewMarksHitConesAndMoments) {
  const std::string svg = birds_eye_svg({maneuver()});
  const auto count = [&](const std::string& word) {
    std::size_t n = 0;
    for (std::size_t i = svg.find(word); i != std::string::npos; i = svg.find(word, i + 1)) ++n;
    return n;
  };
  EXPECT_EQ(count("class=\"cone\""), 2u);
  EXPECT_EQ(count("<circle class=\"hit\""), 1u);
  EXPECT_EQ(count("<title>1.25 s, front left</title>"), 1u);
  EXPECT_EQ(count("fill-opacity=\"0.16\""), 2u);  // outlines at the two moments
  EXPECT_EQ(count("class=\"follow"), 1u);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
}

TEST(CompareRuns, ConstantOffsetIsMaximumAndRms) {
  const RunFolder a = made({{"t", {0, 1, 2, 3}}, {"x", {0, 1, 2, 3}}, {"y", {5, 5, 5, 5}}});
  // half the rate, over-long: linear signals interpolate exactly
  const RunFolder b = made({{"t", {0, 2, 4}}, {"x", {0.25, 2.25, 4.25}}, {"z", {0, 0, 0}}});
  const std::vector<ReportBlock> out = compare_runs(a, b);
  const ReportTable& signals = block(out, "Signal differences")->tables[0];
  ASSERT_EQ(signals.rows.size(), 2u);
  EXPECT_EQ(signals.rows[1], (std::vector<std::string>{"x", "", "3", "0.25", "0", "0.25"}));
  EXPECT_NE(out[0].text.find("Only in A: y."), std::string::npos);
  EXPECT_NE(out[0].text.find("Only in B: z."), std::string::npos);
}

TEST(CompareRuns, RunsThatNeverMeetHaveNoDifference) {
  const std::vector<ReportBlock> out =
      compare_runs(made({{"t", {0, 1}}, {"x", {0, 1}}}), made({{"t", {5, 6}}, {"x", {0, 1}}}));
  EXPECT_EQ(out.back().tables[0].rows[1][3], "–");
}

constexpr const char* kScene =
    "id: two\nmu: 0.6\nfleet:\n"
    "  - {id: abs, driver: {brake: [[0.5, 0], [0.6, 1]]}, overrides: {control: {abs: {slip_start: 0.08}}, tire: {D: "
    "1}}}\n"
    "  - {id: locked, overrides: {tire: {D: 1}}}\n";

std::vector<std::string> differences(const std::string& a, const std::string& b, const std::string& car) {
  std::vector<std::string> out;
  for (const ConfigDifference& each : config_differences(*config_values(a, car), *config_values(b, car)))
    out.push_back(text_of(each));
  return out;
}
std::string replaced(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

TEST(CompareRuns, ConfigurationsDifferByThePathThatSetTakes) {
  using Lines = std::vector<std::string>;
  EXPECT_EQ(differences(kScene, kScene, ""), Lines{});
  const std::string slip = replaced(kScene, "0.08", "0.1"), mu = replaced(slip, "mu: 0.6", "mu: 1");
  EXPECT_EQ(differences(kScene, mu, "abs"), (Lines{"mu: 0.6 -> 1", "control.abs.slip_start: 0.08 -> 0.1"}));
  EXPECT_EQ(differences(kScene, slip, "locked"), Lines{});
  EXPECT_EQ(differences(kScene, slip, ""), (Lines{"abs.control.abs.slip_start: 0.08 -> 0.1"}));
  EXPECT_EQ(differences(kScene, replaced(kScene, "[0.6, 1]", "[0.7, 1]"), "abs"),
            (Lines{"driver.brake: [[0.5, 0], [0.6, 1]] -> [[0.5, 0], [0.7, 1]]"}));
  EXPECT_EQ(config_values("- 1\n", ""), std::nullopt);
}

TEST(CompareRuns, TiresOfAllWheelsAreOneDifference) {
  using Lines = std::vector<std::string>;
  const std::string axles = replaced(kScene, "tire: {D: 1}}", "tire_front: {D: 1}, tire_rear: {D: 2}}");
  EXPECT_EQ(differences(kScene, replaced(kScene, "{D: 1}", "{D: 2}"), "abs"), (Lines{"tire.D: 1 -> 2"}));
  EXPECT_EQ(differences(kScene, axles, "abs"), (Lines{"tire_rear.D: 1 -> 2"}));
  EXPECT_EQ(differences(kScene, replaced(kScene, "tire: {D: 1}}", "tire: {D: 1, E: 3}}"), "abs"),
            (Lines{"tire.E: none -> 3"}));
}

TEST(CompareRuns, ParametersOfManeuversHaveTheirOwnNames) {
  const std::string a =
      "id: m\nparameters:\n  speed: {value: 20, unit: m/s, meaning: x}\nscene: {mu: 1}\n"
      "car: {overrides: {chassis: {mass: 1500}}}\nphases:\n  - {name: settle, lasts: 1}\n";
  EXPECT_EQ(differences(a, replaced(replaced(a, "value: 20", "value: 25"), "1500", "1600"), ""),
            (std::vector<std::string>{"speed: 20 -> 25", "chassis.mass: 1500 -> 1600"}));
  EXPECT_EQ(differences(a, replaced(a, "lasts: 1", "lasts: 2"), ""),
            (std::vector<std::string>{"phases.settle.lasts: 1 -> 2"}));
}

TEST(CompareRuns, AMissingConfigurationIsNotCalledTheSame) {
  RunFolder a = made({{"t", {0, 1}}, {"x", {0, 1}}}), b = a;
  b.resolved = kScene;
  EXPECT_NE(compare_runs(a, b)[0].text.find("not compared: A has no resolved.yaml"), std::string::npos);
}

TEST(CompareRuns, StoppingDistanceBeginsWithTheBrake) {  // 1 s at 10 m/s, then 1 s at -10 m/s^2: 5 m
  const RunFolder run = made({{"t", {0, 1, 1.5, 2, 3}}, {"vx", {10, 10, 5, 0, 0}}, {"brake", {0, 0, 1, 1, 1}}});
  EXPECT_DOUBLE_EQ(stopping_distance(run), 5);
  EXPECT_DOUBLE_EQ(driven_distance(run), 15);
  EXPECT_TRUE(std::isnan(stopping_distance(made({{"t", {0, 1}}, {"vx", {10, 5}}, {"brake", {0, 1}}}))));
}

TEST(RunReport, NumbersAreShort) {
  EXPECT_EQ(report_number(NAN), "–");
  EXPECT_EQ(report_number(0), "0");
  EXPECT_EQ(report_number(-0.0), "0");
  EXPECT_EQ(report_number(-2.4e-17), "0");
  EXPECT_EQ(report_number(1.25e91), "1.25e+91");
  EXPECT_EQ(report_number(123456), "123456");
  EXPECT_EQ(report_number(0.123456789), "0.12346");
  EXPECT_EQ(report_number(-1234567.8), "-1.2346e+06");
}

}  // namespace
}  // namespace vdsim
