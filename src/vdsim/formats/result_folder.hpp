// SPDX-License-Identifier: Apache-2.0
// A folder of results that is replaced as a whole: written beside, then swapped in one step. Until then what was there stays;
// a run that ends early leaves nothing, a killed one a hidden folder that the next run removes. Files of others in the
// folder stay in it.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "vdsim/formats/temporary.hpp"

namespace vdsim {

class ResultFolder {
 public:
  explicit ResultFolder(std::string path);  // throws FileError
  ~ResultFolder();
  ResultFolder(const ResultFolder&) = delete;
  ResultFolder& operator=(const ResultFolder&) = delete;

  const std::string& path() const { return path_; }                // as the user named it
  const std::string& staging() const { return staging_->path(); }  // write here
  void add(const std::string& name, std::string_view text);        // writes a file; throws FileError
  std::string place(const std::string& name);                      // lists a file that the caller writes there
  // As the user will find them, in the order they were added.
  const std::vector<std::string>& files() const { return files_; }
  void commit();  // throws FileError

 private:
  void swap();
  void move_in();

  std::string path_, target_;  // target_: path_ without symbolic links
  std::vector<std::string> files_;
  std::optional<FolderForResults> parent_;
  std::optional<Temporary> staging_;
  bool inside_ = false;  // the staging folder stands in the target: it is a place that cannot be renamed
};

}  // namespace vdsim
