// SPDX-License-Identifier: Apache-2.0
// A run and its files: clock and rows, snapshot of car and driver, csv against hdf5, and what happens when things fail.
#include <gtest/gtest.h>
#include <hdf5.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "vdsim/config/catalog.hpp"
#include "vdsim/formats/atomic_file.hpp"
#include "vdsim/study/run.hpp"

namespace vdsim {
namespace {

namespace fs = std::filesystem;

class Run : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("vdsim_run_" + std::to_string(::getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  RunOptions into(const std::string& name) const {
    RunOptions options;
    options.out = (folder_ / name).string();
    return options;
  }
  fs::path folder_;
};

Scenario scene(const std::string& name, std::initializer_list<const char*> assignments) {
  static const Catalog catalog(VDSIM_SOURCE_DIR "/configs");
  SceneChanges changes;
  for (const char* each : assignments) changes.set(each);
  return load_scene(catalog, name, changes);
}

std::string text_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

struct Csv {
  std::vector<std::string> names;
  std::vector<std::vector<double>> rows;
};

Csv read_csv(const fs::path& file) {
  Csv out;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("#")) continue;
    std::istringstream cells(line);
    std::vector<double> row;
    for (std::string cell; std::getline(cells, cell, ',');) {
      if (out.rows.empty() && !(std::isdigit(cell[0]) || cell[0] == '-'))
        out.names.push_back(cell);
      else
        row.push_back(std::strtod(cell.c_str(), nullptr));
    }
    if (!row.empty()) out.rows.push_back(row);
  }
  return out;
}

int files_in(const fs::path& folder) {
  int n = 0;
  for (const auto& each : fs::recursive_directory_iterator(folder)) n += each.is_regular_file();
  return n;
}

// Names that scripts of users rely on, in their order; other columns may come between.
TEST_F(Run, ColumnsAreThoseOfTheContract) {
  const auto holds = [](const std::vector<std::string>& names, const std::vector<std::string>& wanted) {
    auto at = names.begin();
    for (const std::string& name : wanted) {
      at = std::find(at, names.end(), name);
      ASSERT_NE(at, names.end()) << name;
    }
  };
  const std::vector<std::string> car{"t",  "x",     "y",        "psi",   "vx",        "vy",   "r",        "ax",
                                     "ay", "steer", "throttle", "brake", "handbrake", "beta", "curvature"};
  for (const bool l1 : {false, true}) {
    std::vector<std::string> wanted = car;
    for (const char* w : l1 ? std::vector<const char*>{"f", "r"} : std::vector<const char*>{"fl", "fr", "rl", "rr"})
      for (const char* c : {"omega", "kappa", "alpha", "fz", "fx", "fy", "mx", "my", "mz", "mu", "zx", "zy",
                            "drive_torque", "brake_torque", "fx_peak", "fy_peak", "held", "re"})
        wanted.push_back(std::string(c) + "_" + w);
    run_scenario(scene("accel_brake", {"duration=0.1", l1 ? "level=L1" : "level=L2"}), into("a"));
    holds(read_csv(folder_ / "a/run.csv").names, wanted);
  }
}

TEST_F(Run, RowsAtTheRateAndAtTheEnd) {
  const RunResult result = run_scenario(scene("accel_brake", {"duration=0.1003", "rate=100"}), into("a"));
  const Csv csv = read_csv(folder_ / "a/run.csv");
  ASSERT_EQ(csv.rows.size(), 12u);  // 0, 0.01 ... 0.1 and the end
  for (int i = 0; i <= 10; ++i) EXPECT_NEAR(csv.rows[i][0], 0.01 * i, 1e-12);
  EXPECT_EQ(csv.rows[11][0], 0.1003);  // the last step is 0.3 ms
  EXPECT_EQ(result.cars[0].steps, 101);
  EXPECT_NEAR(result.cars[0].last.t, 0.1003, 1e-15);
}

TEST_F(Run, RateThatDoesNotFitTheStepTakesTheNearestStep) {
  run_scenario(scene("accel_brake", {"duration=0.1", "rate=300"}), into("a"));  // 3.33 steps per row
  const Csv csv = read_csv(folder_ / "a/run.csv");
  ASSERT_EQ(csv.rows.size(), 31u);
  const double expected[] = {0, 0.003, 0.007, 0.010, 0.013, 0.017};
  for (int i = 0; i < 6; ++i) EXPECT_NEAR(csv.rows[i][0], expected[i], 1e-12);
  run_scenario(scene("accel_brake", {"duration=0.1", "rate=1e5"}), into("b"));  // faster than the steps
  EXPECT_EQ(read_csv(folder_ / "b/run.csv").rows.size(), 101u);
}

TEST_F(Run, OneStepLongerThanTheRun) {
  const RunResult result = run_scenario(scene("accel_brake", {"duration=0.0004"}), into("a"));
  EXPECT_EQ(result.cars[0].steps, 1);
  EXPECT_EQ(read_csv(folder_ / "a/run.csv").rows.back()[0], 0.0004);
}

TEST_F(Run, TwoRunsGiveTheSameBytes) {
  for (const Format format : {Format::csv, Format::hdf5}) {
    const char* name = format == Format::csv ? "run.csv" : "run.h5";
    RunOptions a = into("a"), b = into("b");
    a.format = b.format = format;
    run_scenario(scene("parking_stop", {"duration=3"}), a);
    run_scenario(scene("parking_stop", {"duration=3"}), b);
    EXPECT_EQ(text_of(folder_ / "a" / name), text_of(folder_ / "b" / name));
    EXPECT_EQ(text_of(folder_ / "a/resolved.yaml"), text_of(folder_ / "b/resolved.yaml"));
    EXPECT_GT(text_of(folder_ / "a" / name).size(), 10000u);
  }
}

TEST_F(Run, ResolvedSceneRepeatsTheRun) {
  run_scenario(scene("parking_stop", {"duration=2", "tire_rl.D_lat=0.9"}), into("a"));
  run_scenario(scene((folder_ / "a/resolved.yaml").string(), {}), into("b"));
  EXPECT_EQ(text_of(folder_ / "a/run.csv"), text_of(folder_ / "b/run.csv"));  // config hash included
}

TEST_F(Run, Hdf5HoldsTheSameNumbersWithUnits) {
  RunOptions csv = into("a"), hdf = into("b");
  csv.digits = 17;
  hdf.format = Format::hdf5;
  run_scenario(scene("step_steer", {"duration=2"}), csv);
  run_scenario(scene("step_steer", {"duration=2"}), hdf);
  const Csv table = read_csv(folder_ / "a/run.csv");
  const hid_t file = H5Fopen((folder_ / "b/run.h5").c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  ASSERT_GE(file, 0);
  for (std::size_t i = 0; i < table.names.size(); ++i) {
    const hid_t set = H5Dopen2(file, table.names[i].c_str(), H5P_DEFAULT);
    ASSERT_GE(set, 0) << table.names[i];
    std::vector<double> column(table.rows.size());
    const hid_t space = H5Dget_space(set);
    ASSERT_EQ(H5Sget_simple_extent_npoints(space), static_cast<hssize_t>(column.size()));
    H5Sclose(space);
    ASSERT_GE(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, column.data()), 0);
    for (std::size_t k = 0; k < column.size(); ++k)
      ASSERT_EQ(column[k], table.rows[k][i]) << table.names[i] << " row " << k;
    EXPECT_GT(H5Aexists(set, "units"), 0);
    H5Dclose(set);
  }
  for (const char* note : {"vdsim", "scene", "car", "config"}) EXPECT_GT(H5Aexists(file, note), 0) << note;
  H5Fclose(file);
}

TEST_F(Run, SnapshotOfCarAndDriverContinuesToTheByte) {
  for (const char* name : {"reverse_slope", "parking_stop", "lugre_grade_demo"}) {
    const Scenario s = scene(name, {"duration=16"});
    CarRun whole(s, s.cars[0]), rest(s, s.cars[0]);
    while (whole.time() < 7) ASSERT_TRUE(whole.step());
    const auto middle = whole.snapshot();
    while (!whole.done()) ASSERT_TRUE(whole.step());
    ASSERT_TRUE(rest.restore(middle)) << name;
    while (!rest.done()) ASSERT_TRUE(rest.step());
    EXPECT_EQ(whole.snapshot(), rest.snapshot()) << name;
  }
}

TEST_F(Run, SnapshotOfAnotherCarIsRefusedAndChangesNothing) {
  const Scenario s = scene("parking_stop", {}), other = scene("parking_stop", {"chassis.mass=1600"});
  CarRun run(s, s.cars[0]), heavier(other, other.cars[0]);
  const auto before = run.snapshot();
  EXPECT_FALSE(run.restore(heavier.snapshot()));
  EXPECT_FALSE(run.restore(std::span(before).first(20)));
  EXPECT_EQ(run.snapshot(), before);
}

TEST_F(Run, SeveralCarsGetAFolderEach) {
  const RunResult result = run_scenario(scene("two_vehicle_race", {"duration=0.5"}), into("a"));
  EXPECT_TRUE(fs::exists(folder_ / "a/sedan/run.csv"));
  EXPECT_TRUE(fs::exists(folder_ / "a/sports/run.csv"));
  EXPECT_TRUE(fs::exists(folder_ / "a/resolved.yaml"));
  EXPECT_TRUE(fs::exists(folder_ / "a/summary.json"));
  EXPECT_EQ(files_in(folder_ / "a"), 5);  // and the list of what belongs to the results
  EXPECT_EQ(result.files.size(), 4u);
}

TEST_F(Run, StopLeavesNoFile) {
  std::atomic<int> stop{0};
  RunOptions options = into("a");
  options.stop = &stop;
  options.progress = [&](double fraction) { stop = fraction > 0.5; };
  EXPECT_TRUE(run_scenario(scene("parking_stop", {"duration=2"}), options).stopped);
  EXPECT_EQ(files_in(folder_), 0);
}

TEST_F(Run, AnOlderFileSurvivesAStoppedRun) {
  run_scenario(scene("parking_stop", {"duration=1"}), into("a"));
  const std::string before = text_of(folder_ / "a/run.csv");
  std::atomic<int> stop{1};
  RunOptions options = into("a");
  options.stop = &stop;
  run_scenario(scene("accel_brake", {"duration=1"}), options);
  EXPECT_EQ(text_of(folder_ / "a/run.csv"), before);
}

TEST_F(Run, RowsInMemoryAreThoseOfTheFileAndNeedNone) {
  const Scenario s = scene("two_vehicle_race", {"duration=0.5"});
  RunOptions options = into("a");
  options.digits = 17;
  std::vector<Recording> with_files, without;
  options.recordings = &with_files;
  run_scenario(s, options);
  options.out = "";
  options.recordings = &without;
  const RunResult result = run_scenario(s, options);
  EXPECT_TRUE(result.files.empty());
  ASSERT_EQ(without.size(), 2u);
  for (std::size_t i = 0; i < 2; ++i) {
    const Csv file = read_csv(folder_ / "a" / s.cars[i].id / "run.csv");
    ASSERT_EQ(without[i].rows(), file.rows.size());
    ASSERT_EQ(without[i].columns.size(), file.names.size());
    EXPECT_EQ(without[i].data, with_files[i].data);
    for (std::size_t row = 0; row < file.rows.size(); ++row)
      for (std::size_t c = 0; c < file.names.size(); ++c) EXPECT_EQ(without[i].data[c][row], file.rows[row][c]);
  }
}

TEST_F(Run, FailedNumbersKeepTheRowsAndLeaveASnapshot) {
  // From 20 m no tire takes the landing.
  const Scenario s = scene("accel_brake", {"duration=4", "level=L3", "z0=20"});
  const RunResult result = run_scenario(s, into("a"));
  ASSERT_TRUE(result.failed());
  EXPECT_LT(result.cars[0].end_time, 3);
  EXPECT_TRUE(fs::exists(folder_ / "a/failed.snapshot"));
  EXPECT_TRUE(fs::exists(folder_ / "a/run.csv"));
  EXPECT_NE(text_of(folder_ / "a/summary.json").find("diverged"), std::string::npos);
  EXPECT_EQ(text_of(folder_ / "a/run.csv").find("nan"), std::string::npos);
  run_scenario(scene("accel_brake", {"duration=0.1"}), into("a"));  // a good run clears the trace of the bad one
  EXPECT_FALSE(fs::exists(folder_ / "a/failed.snapshot"));
}

TEST_F(Run, AFileInPlaceOfTheFolderIsAClearError) {
  std::ofstream(folder_ / "a") << "x";
  EXPECT_THROW(run_scenario(scene("accel_brake", {"duration=0.1"}), into("a")), FileError);
  EXPECT_EQ(text_of(folder_ / "a"), "x");
}

TEST_F(Run, AtomicFileAppearsWholeOrNotAtAll) {
  const std::string path = (folder_ / "f").string();
  {
    AtomicFile file(path);
    file.write(std::string(200000, 'x'));
    EXPECT_FALSE(fs::exists(path));
  }
  EXPECT_EQ(files_in(folder_), 0);
  AtomicFile file(path);
  file.write("abc");
  file.commit();
  EXPECT_EQ(text_of(path), "abc");
  EXPECT_EQ(files_in(folder_), 1);
}

}  // namespace
}  // namespace vdsim
