// SPDX-License-Identifier: Apache-2.0
// Folders of results and files: whole or not at all, whatever was there before.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "vdsim/engine/errors.hpp"
#include "vdsim/formats/atomic_file.hpp"
#include "vdsim/formats/result_folder.hpp"

namespace vdsim {
namespace {

namespace fs = std::filesystem;

class ResultFolderTest : public ::testing::Test {
 protected:
  ResultFolderTest() : home_(fs::temp_directory_path() / ("vdsim_results_" + std::to_string(::getpid()))) {
    fs::remove_all(home_);
    fs::create_directories(home_);
  }
  ~ResultFolderTest() override { fs::remove_all(home_); }
  std::string at(const std::string& name) const { return (home_ / name).string(); }
  static std::string text(const fs::path& path) {
    std::ifstream in(path);
    std::stringstream out;
    out << in.rdbuf();
    return out.str();
  }
  // Two files that belong together, and one folder of a run.
  static void put(const ResultFolder& folder, const std::string& value) {
    for (const char* name : {"run.csv", "summary.json"}) write_file(folder.staging() + "/" + name, value);
    make_folder(folder.staging() + "/run_" + value);
    write_file(folder.staging() + "/run_" + value + "/run.csv", value);
  }
  static void replace(const std::string& path, const std::string& value) {
    ResultFolder folder(path);
    put(folder, value);
    folder.commit();
  }
  std::size_t entries(const std::string& name) const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(at(name)), fs::directory_iterator{}));
  }
  fs::path home_;
};

TEST_F(ResultFolderTest, NothingAppearsBeforeCommit) {
  {
    ResultFolder folder(at("a/b/c"));
    put(folder, "1");
    EXPECT_FALSE(fs::exists(at("a/b/c")));
  }
  EXPECT_FALSE(fs::exists(at("a")));  // nor folders above it
  replace(at("a/b/c"), "1");
  EXPECT_EQ(text(at("a/b/c/run.csv")), "1");
  {
    ResultFolder folder(at("a/b/c"));
    put(folder, "2");
    EXPECT_EQ(text(at("a/b/c/run.csv")), "1");
  }
  EXPECT_EQ(text(at("a/b/c/summary.json")), "1");
  EXPECT_EQ(entries("a/b"), 1u);
}

TEST_F(ResultFolderTest, OldResultsGoAndFilesOfOthersStay) {
  replace(at("r"), "1");
  std::ofstream(at("r/notes.txt")) << "mine";
  std::ofstream(at("r/report.html")) << "of run 1";
  std::ofstream(at("r/.draft.new")) << "hidden";
  fs::create_directories(at("r/thesis"));
  std::ofstream(at("r/thesis/chapter")) << "mine too";
  fs::permissions(at("r"), fs::perms(0750));
  replace(at("r"), "2");
  EXPECT_EQ(text(at("r/run.csv")), "2");
  EXPECT_TRUE(fs::exists(at("r/run_2")));
  EXPECT_FALSE(fs::exists(at("r/run_1")));
  EXPECT_FALSE(fs::exists(at("r/report.html")));
  EXPECT_EQ(text(at("r/notes.txt")), "mine");
  EXPECT_EQ(text(at("r/.draft.new")), "hidden");
  EXPECT_EQ(text(at("r/thesis/chapter")), "mine too");
  EXPECT_EQ(fs::status(at("r")).permissions(), fs::perms(0750));
  EXPECT_EQ(entries("."), 1u);
}

// Results of their own below, as those in results/ for `--out results`, stay.
TEST_F(ResultFolderTest, ResultsBelowStay) {
  replace(at("all/a"), "1");
  replace(at("all"), "2");
  replace(at("all/b"), "3");
  replace(at("all"), "4");
  EXPECT_EQ(text(at("all/run.csv")), "4");
  EXPECT_EQ(text(at("all/a/run.csv")), "1");
  EXPECT_EQ(text(at("all/b/run.csv")), "3");
  EXPECT_FALSE(fs::exists(at("all/run_2")));
  fs::remove(at("all/.vdsim_results"));  // as versions without a list left it
  replace(at("all"), "5");
  EXPECT_TRUE(fs::exists(at("all/a")) && fs::exists(at("all/b")));
  EXPECT_FALSE(fs::exists(at("all/run_4")));
}

// The list of a folder that came from somebody else names nothing outside of it, and has an end.
TEST_F(ResultFolderTest, ListsOfOthersReachNothingOutside) {
  std::ofstream(at("mine")) << "x";
  for (const std::string& line :
       {at("mine"), std::string("../mine"), std::string(".."), std::string(), std::string("*")}) {
    replace(at("r"), "1");
    std::ofstream(at("r/notes.txt")) << "mine";
    std::ofstream(at("r/.vdsim_results")) << line << "\n";
    replace(at("r"), "2");
    EXPECT_EQ(text(at("mine")), "x") << line;
    EXPECT_EQ(text(at("r/notes.txt")), "mine") << line;
    EXPECT_EQ(text(at("r/run.csv")), "2") << line;
  }
  fs::remove(at("r/.vdsim_results"));
  fs::create_symlink("/dev/zero", at("r/.vdsim_results"));
  replace(at("r"), "3");
  EXPECT_EQ(text(at("r/run.csv")), "3");
}

TEST_F(ResultFolderTest, WorkingFolderAndLinks) {
  const fs::path before = fs::current_path();
  replace(at("r"), "1");
  fs::current_path(at("r"));
  replace(".", "2");
  EXPECT_EQ(text("run.csv"), "2");
  EXPECT_FALSE(fs::exists("run_1"));
  fs::current_path(before);
  fs::create_directory_symlink(at("r"), at("link"));
  replace(at("link"), "3");
  EXPECT_TRUE(fs::is_symlink(at("link")));
  EXPECT_EQ(text(at("r/run.csv")), "3");
  std::ofstream(at("file")) << "in the way";
  EXPECT_THROW(ResultFolder(at("file")), FileError);
  EXPECT_THROW(ResultFolder(at("file/below")), FileError);
}

// Several processes into one folder, some killed on the way: what is there is always of one of them, and nothing is left over.
TEST_F(ResultFolderTest, RacesAndKills) {
  replace(at("r"), "0");
  for (int round = 0; round < 40; ++round) {
    pid_t child[3];
    for (int k = 0; k < 3; ++k)
      if (child[k] = ::fork(); child[k] == 0) {
        replace(at("r"), std::to_string(3 * round + k));
        ::_exit(0);
      }
    ::usleep(static_cast<unsigned>(round * 40));
    ::kill(child[0], SIGKILL);
    EXPECT_EQ(text(at("r/run.csv")).empty(), false);
    for (const pid_t each : child) ::waitpid(each, nullptr, 0);
    const std::string value = text(at("r/run.csv"));
    EXPECT_EQ(text(at("r/summary.json")), value);
    EXPECT_TRUE(fs::exists(at("r/run_" + value)));
    std::string names;
    for (const auto& each : fs::directory_iterator(at("r"))) names += each.path().filename().string() + " ";
    EXPECT_EQ(entries("r"), 4u) << round << ": " << names;
  }
  replace(at("r"), "last");
  EXPECT_EQ(entries("."), 1u);
}

TEST_F(ResultFolderTest, FilesKeepPermissionsAndLinks) {
  std::ofstream(at("f")) << "old";
  fs::permissions(at("f"), fs::perms(0640));
  fs::create_symlink(at("f"), at("link"));
  write_file(at("link"), "new");
  EXPECT_TRUE(fs::is_symlink(at("link")));
  EXPECT_EQ(text(at("f")), "new");
  EXPECT_EQ(fs::status(at("f")).permissions(), fs::perms(0640));
  EXPECT_EQ(entries("."), 2u);
}

TEST_F(ResultFolderTest, PipesAndDevicesAreWrittenInto) {
  ASSERT_EQ(::mkfifo(at("pipe").c_str(), 0600), 0);
  const int reader = ::open(at("pipe").c_str(), O_RDONLY | O_NONBLOCK);
  write_file(at("pipe"), "through");
  char got[16] = {};
  EXPECT_EQ(::read(reader, got, sizeof got), 7);
  ::close(reader);
  EXPECT_TRUE(fs::is_fifo(at("pipe")));
  write_file("/dev/null", "away");
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
  EXPECT_THROW(write_file("/dev/full", "x"), FileError);
}

}  // namespace
}  // namespace vdsim
