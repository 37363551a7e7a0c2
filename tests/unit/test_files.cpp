// SPDX-License-Identifier: Apache-2.0
// A command reads each file once, whatever it makes of it: the kernel counts the opens in a copy of the catalog.
#include <gtest/gtest.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "vdsim/config/catalog.hpp"
#include "vdsim/config/files.hpp"
#include "vdsim/config/scenario.hpp"

namespace vdsim {
namespace {

namespace fs = std::filesystem;

// How often each file below a folder is opened, by this process or another.
class Opens {
 public:
  explicit Opens(const fs::path& folder) : queue_(inotify_init1(IN_NONBLOCK)) {
    watch(folder);
    for (const auto& each : fs::recursive_directory_iterator(folder))
      if (each.is_directory()) watch(each.path());
  }
  ~Opens() { ::close(queue_); }
  std::map<std::string, int> counted() {
    std::map<std::string, int> out;
    alignas(inotify_event) char some[4096];
    for (ssize_t n; (n = ::read(queue_, some, sizeof some)) > 0;)
      for (const char* at = some; at < some + n;) {
        const auto& event = *reinterpret_cast<const inotify_event*>(at);
        if (event.mask & IN_Q_OVERFLOW) ADD_FAILURE() << "too many events";
        if ((event.mask & IN_OPEN) && !(event.mask & IN_ISDIR)) ++out[(folders_[event.wd] / event.name).string()];
        at += sizeof(inotify_event) + event.len;
      }
    return out;
  }

 private:
  void watch(const fs::path& folder) {
    // closing is watched too: equal events in a row would be told as one
    const int id = inotify_add_watch(queue_, folder.c_str(), IN_OPEN | IN_CLOSE);
    ASSERT_GE(id, 0) << folder;
    folders_[id] = folder;
  }
  int queue_;
  std::map<int, fs::path> folders_;
};

class FilesOfACommand : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("vdsim_files_" + std::to_string(::getpid()));
    fs::create_directories(folder_);
    fs::copy(VDSIM_SOURCE_DIR "/configs", folder_ / "configs", fs::copy_options::recursive);
  }
  void TearDown() override { fs::remove_all(folder_); }

  void write(const std::string& id, const std::string& text) const {
    std::ofstream(folder_ / "configs/maneuvers" / (id + ".yaml")) << "id: " << id << "\nlevels: [L2]\n" << text;
    std::ofstream(folder_ / "configs/catalog/manifest.yaml", std::ios::app)  // manoeuvres stand last there
        << "  " << id << ": maneuvers/" << id << ".yaml\n";
  }
  // Runs a command on the copy; every file of it that was opened was opened once, and `needed` are among them.
  void expect_each_once(const std::string& command, const std::vector<std::string>& needed) const {
    Opens opens(folder_ / "configs");
    const std::string line = "VDSIM_CONFIGS='" + (folder_ / "configs").string() + "' '" VDSIM_BIN "' " + command +
                             " --quiet --out '" + (folder_ / "out").string() + "'";
    ASSERT_EQ(std::system(line.c_str()), 0) << line;
    const auto counted = opens.counted();
    for (const auto& [file, count] : counted) EXPECT_EQ(count, 1) << file;
    for (const std::string& each : needed) EXPECT_EQ(counted.count((folder_ / "configs" / each).string()), 1u) << each;
  }
  fs::path folder_;
};

// A blueprint with its parts, tires of a file that four wheels share, a terrain; the series changes the car itself.
constexpr const char* kSeries = R"(
scene: {rate: 100, terrain: ../roads/hill.asc}
parameters:
  load: {value: 1500, unit: kg, meaning: of the car}
car: {x0: 50, y0: 50, vx0: 10, overrides: {chassis: {mass: =load}, tire: {backend: magic_formula, tir_path: ../tir/book_205_60R15.tir}}}
series: {parameter: load, values: [1400, 1500, 1600]}
phases:
  - {name: roll, driver: {speed: 10}, lasts: 0.05}
metrics:
  weighed: {value: mass, unit: kg, meaning: of the car that was run}
)";
const std::vector<std::string> kSeriesFiles{"catalog/manifest.yaml", "blueprints/sedan_comfort.yaml", "roads/hill.asc",
                                            "tir/book_205_60R15.tir", "parts/chassis/sedan.yaml"};

TEST_F(FilesOfACommand, SeriesReadsEachOnce) {
  write("loads", kSeries);
  expect_each_once("maneuver run loads --set rate=50 --set tire_rear.mu_nominal=0.9", kSeriesFiles);
  const auto summary = nlohmann::json::parse(std::ifstream(folder_ / "out/summary.json"));
  ASSERT_EQ(summary["runs"].size(), 3u);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(summary["runs"][i]["metrics"]["weighed"], 1400 + 100 * i);
}

TEST_F(FilesOfACommand, RunBeforeReadsEachOnce) {
  write("loads", kSeries);
  write("after", R"(
parameters:
  load: {value: 1, unit: kg, meaning: taken from the run before}
first: {maneuver: loads, take: {load: weighed}}
phases:
  - {name: roll, driver: {speed: 10}, lasts: 0.05}
metrics:
  taken: {value: load, unit: kg, meaning: as it came}
)");
  std::vector<std::string> files = kSeriesFiles;
  files.push_back("maneuvers/after.yaml");
  files.push_back("maneuvers/loads.yaml");
  expect_each_once("maneuver run after", files);
  const auto summary = nlohmann::json::parse(std::ifstream(folder_ / "out/summary.json"));
  EXPECT_EQ(summary["metrics"][0]["value"], 1600);
}

TEST_F(FilesOfACommand, SceneOfSeveralCarsReadsEachOnce) {
  expect_each_once("run abs_stop --duration 0.05", {"scenes/abs_stop.yaml", "tir/book_205_60R15.tir"});
}

// A file with an error is not kept, so the next one who asks for it is told too.
TEST_F(FilesOfACommand, ErrorsAndWarningsAreToldToEveryCaller) {
  const std::string bad = (folder_ / "bad.yaml").string();
  std::ofstream(bad) << "a: [1\n";
  Files files;
  Errors first, second;
  EXPECT_EQ(files.yaml(bad, first), nullptr);
  EXPECT_EQ(files.yaml(bad, second), nullptr);
  EXPECT_EQ(first.lines(), second.lines());
  EXPECT_FALSE(first.empty());

  const std::string tir = (folder_ / "odd.tir").string();
  fs::copy_file(folder_ / "configs/tir/book_205_60R15.tir", tir);
  std::ofstream(tir, std::ios::app) << "[ODD_SECTION]\nODD_KEY = 1\n";
  Errors none;
  Warnings once, twice;
  ASSERT_NE(files.tir(tir, none, once), nullptr);
  EXPECT_EQ(files.tir(tir, none, twice), files.tir(tir, none, once));
  EXPECT_FALSE(once.empty());
  EXPECT_EQ(once.lines(), twice.lines());
}

}  // namespace
}  // namespace vdsim
