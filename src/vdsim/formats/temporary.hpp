// SPDX-License-Identifier: Apache-2.0
// Temporary files and folders beside a target: hidden, unguessable, and locked while their owner lives, so that those of a
// killed process are known.
#pragma once
#include <string>
#include <utility>
#include <vector>

namespace vdsim {

class Temporary {
 public:
  enum class Kind { file, folder };
  // `.NAME.RANDOM.tmp` in `folder`, NAME being the last name of `target`. Throws FileError.
  Temporary(Kind, const std::string& target, const std::string& folder);
  ~Temporary();  // closes, does not remove
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;

  const std::string& path() const { return path_; }
  int fd() const { return fd_; }

 private:
  std::string path_;
  int fd_ = -1;
};

bool is_temporary(const std::string& name);

// A temporary file or folder whose owner is gone; locked while it is being removed, so that one process alone does.
class Leftover {
 public:
  Leftover(std::string path, int fd) : path_(std::move(path)), fd_(fd) {}
  ~Leftover();
  Leftover(Leftover&& other) noexcept : path_(std::move(other.path_)), fd_(std::exchange(other.fd_, -1)) {}
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  int fd_;
};
std::vector<Leftover> leftovers(const std::string& target, const std::string& folder);

}  // namespace vdsim
