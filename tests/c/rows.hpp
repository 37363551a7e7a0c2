// SPDX-License-Identifier: Apache-2.0
// The rows that the command line writes.
#pragma once
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

struct Rows {
  std::string config;
  std::vector<std::string> names, units;
  std::vector<std::vector<double>> rows;
};

inline std::vector<std::string> split(const std::string& line, char at) {
  std::vector<std::string> out;
  std::istringstream words(line);
  for (std::string word; std::getline(words, word, at);) out.push_back(word);
  return out;
}

inline Rows read_rows(const std::filesystem::path& file) {
  Rows out;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("# config: ")) out.config = line.substr(10);
    if (line.starts_with("# units: ")) out.units = split(line.substr(9), ',');
    if (line.starts_with("#")) continue;
    if (out.names.empty()) {
      out.names = split(line, ',');
      continue;
    }
    std::vector<double>& row = out.rows.emplace_back();
    for (const std::string& word : split(line, ',')) {
      double x = 0;
      std::from_chars(word.data(), word.data() + word.size(), x);
      row.push_back(x);
    }
  }
  return out;
}

// Runs a scene by the command line into a folder that ends with this object.
class CommandLine {
 public:
  CommandLine(const std::string& scene, const std::string& more = "") {
    std::string name = (std::filesystem::temp_directory_path() / "vdsim_c_XXXXXX").string();
    folder_ = mkdtemp(name.data());
    const std::string command = std::string(VDSIM_BIN) + " run " + scene +
                                " --precision 17 --no-report --quiet --out " + (folder_ / "out").string() + " " + more +
                                " 2>/dev/null";
    status = std::system(command.c_str());
  }
  ~CommandLine() { std::filesystem::remove_all(folder_); }
  Rows rows(const std::string& car) const {
    const auto one = folder_ / "out" / "run.csv";
    return read_rows(std::filesystem::exists(one) ? one : folder_ / "out" / car / "run.csv");
  }
  int status;

 private:
  std::filesystem::path folder_;
};
