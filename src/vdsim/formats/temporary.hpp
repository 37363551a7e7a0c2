// SPDX-License-Identifier: Apache-2.0
// Temporary files and folders beside a target: hidden, unguessable, and locked while their owner lives, so that those of a
// killed process are known.
#pragma once
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace vdsim {

class Temporary {
 public:
  enum class Kind { file, folder, private_folder };  // private: for this user alone
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

void make_folder(const std::string& path);  // with parents; throws FileError

// A folder to write into, made with parents where it was not there; those made go again, while they are empty, unless kept.
class FolderForResults {
 public:
  explicit FolderForResults(const std::string& path);  // "": the current one; throws FileError
  ~FolderForResults();
  FolderForResults(const FolderForResults&) = delete;
  FolderForResults& operator=(const FolderForResults&) = delete;
  void keep() { made_.clear(); }
  void remove_made() const;

 private:
  std::vector<std::string> made_;
};

// While one lives, what is made or takes its name does so as a whole: remove_temporaries() in another thread comes before
// or after. Several in one thread are one.
class Uninterrupted {
 public:
  Uninterrupted();
  ~Uninterrupted() = default;
  Uninterrupted(const Uninterrupted&) = delete;
  Uninterrupted& operator=(const Uninterrupted&) = delete;

 private:
  std::unique_lock<std::recursive_mutex> lock_;
};

// For who ends the process while it works; to be called under an Uninterrupted that lasts to the end.
void remove_temporaries();
void note_written(const std::string& path);  // it has taken its name
bool anything_written();                     // outside of temporary folders

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

// A private folder where the system keeps such (TMPDIR), gone with this object. Throws FileError.
class ScratchFolder {
 public:
  explicit ScratchFolder(const std::string& name);
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  const std::string& path() const { return made_->path(); }

 private:
  std::optional<Temporary> made_;
};

}  // namespace vdsim
