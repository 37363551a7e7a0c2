// SPDX-License-Identifier: Apache-2.0
#include "vdsim/formats/result_folder.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <set>

#include "vdsim/engine/errors.hpp"
#include "vdsim/formats/atomic_file.hpp"

namespace vdsim {
namespace {

namespace fs = std::filesystem;

constexpr const char* kList = ".vdsim_results";   // the names that a command wrote into the folder, one a line; or
constexpr const char* kAll = "*";                 // before it is complete
constexpr std::uintmax_t kLongestList = 1 << 20;  // [bytes]
constexpr const char* kSummary = "summary.json";
constexpr const char* kFiles[] = {kList,    "run.csv",     "run.h5",         "resolved.yaml",
                                  kSummary, "report.html", "failed.snapshot"};

bool is_there(const fs::path& path) {
  std::error_code ec;
  return fs::symlink_status(path, ec).type() != fs::file_type::not_found;
}

// Temporary ones apart.
std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> out;
  std::error_code ec;
  for (fs::directory_iterator each(folder, ec), end; !ec && each != end; each.increment(ec))
    if (const std::string name = each->path().filename().string(); !is_temporary(name)) out.push_back(name);
  std::sort(out.begin(), out.end());
  return out;
}

// The lines of the list in a folder. Anybody may have written them.
std::set<std::string> listed(const fs::path& folder) {
  std::set<std::string> out;
  std::error_code ec;
  const fs::path list = folder / kList;
  if (!fs::is_regular_file(fs::symlink_status(list, ec)) || fs::file_size(list, ec) > kLongestList) return out;
  std::ifstream in(list);
  for (std::string line; std::getline(in, line);) out.insert(line);
  return out;
}

// A car or a run of a series, as versions without a list left them. A folder with a summary is a result of its own.
bool has_rows_alone(const fs::path& folder) {
  const std::vector<std::string> names = names_in(folder);
  return !names.empty() && std::all_of(names.begin(), names.end(), [](const std::string& name) {
    return name == "run.csv" || name == "run.h5" || name == "failed.snapshot";
  });
}

// What in the folder itself is of its result: the names of its list, and those that every version has written.
std::set<std::string> result_names(const fs::path& folder) {
  const std::set<std::string> list = listed(folder), always(std::begin(kFiles), std::end(kFiles));
  std::set<std::string> out;
  for (const std::string& name : names_in(folder))
    if (always.contains(name) || list.contains(name) || list.contains(kAll) ||
        (list.empty() && has_rows_alone(folder / name)))
      out.insert(name);
  return out;
}

// Calls f(name) for everything in the folder that is not of a result.
template <class F> void each_foreign(const fs::path& folder, F&& f) {
  const std::set<std::string> results = result_names(folder);
  for (const std::string& name : names_in(folder))
    if (!results.contains(name)) f(name);
}

// What is not of a result goes from `from` to `to`, unless the name is taken there.
void carry(const fs::path& from, const fs::path& to) {
  each_foreign(from, [&](const std::string& name) {
    std::error_code ignored;
    if (!is_there(to / name)) fs::rename(from / name, to / name, ignored);
    if (fs::equivalent(from / name, to / name, ignored)) fs::remove(from / name, ignored);  // linked before the swap
  });
}

// Results go, and the folder if nothing else is in it. The list goes last: until then it tells what may go.
void discard(const fs::path& folder) {
  std::error_code ignored;
  for (const std::string& name : result_names(folder))
    if (name != kList) fs::remove_all(folder / name, ignored);
  fs::remove(folder / kList, ignored);
  if (names_in(folder).empty()) fs::remove_all(folder, ignored);  // temporary ones too
}

void sync_folder(const std::string& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return;
  ::fsync(fd);
  ::close(fd);
}

// A folder that a process may stand in, or that is the root of a file system, stays where it is.
bool is_fixed(const fs::path& target) {
  std::error_code ec;
  const fs::path here = fs::current_path(ec);
  return ec || std::mismatch(target.begin(), target.end(), here.begin(), here.end()).first == target.end();
}

class FolderLock {
 public:
  explicit FolderLock(const std::string& path) : fd_(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
    while (fd_ >= 0 && ::flock(fd_, LOCK_EX) != 0 && errno == EINTR) {
    }
  }
  ~FolderLock() {
    if (fd_ >= 0) ::close(fd_);
  }
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;
  bool is_at(const std::string& path) const {  // it still has this name
    struct stat mine {
    }, there{};
    return fd_ >= 0 && ::fstat(fd_, &mine) == 0 && ::stat(path.c_str(), &there) == 0 && mine.st_ino == there.st_ino &&
           mine.st_dev == there.st_dev;
  }

 private:
  int fd_;
};

[[noreturn]] void fail(const std::string& path, int why) {
  throw FileError(fmt::format("cannot replace {}: {}", path, std::strerror(why)));
}

}  // namespace

ResultFolder::ResultFolder(std::string path) : path_(std::move(path)) {
  const Uninterrupted whole;
  std::error_code ec;
  fs::path target = fs::absolute(path_, ec);
  if (!ec) target = fs::weakly_canonical(target, ec);
  if (ec) throw FileError(fmt::format("cannot make the folder {}: {}", path_, ec.message()));
  if (!target.has_filename()) target = target.parent_path();
  target_ = target.string();
  const bool there = fs::is_directory(target, ec);
  if (!there && is_there(target))
    throw FileError(fmt::format("cannot make the folder {}: a file of that name is in the way", path_));
  for (const char* name : kFiles)
    if (fs::is_directory(target / name, ec))
      throw FileError(fmt::format("cannot write {}: it is a folder", (fs::path(path_) / name).string()));
  if (there && listed(target).contains(kAll)) fs::remove(target / kList, ec);  // not ours: a folder in use is complete
  const fs::path parent = target.parent_path();
  parent_.emplace(parent.string());
  inside_ = there && (is_fixed(target) || ::access(parent.c_str(), W_OK) != 0);
  const std::string beside = inside_ ? target_ : parent.string();
  for (const Leftover& left : leftovers(target_, beside)) {
    if (there && !inside_) carry(left.path(), target);
    discard(left.path());
  }
  staging_.emplace(Temporary::Kind::folder, target_, beside);
  try {
    write_file((fs::path(staging()) / kList).string(), kAll);
  } catch (...) {
    fs::remove_all(staging(), ec);
    throw;
  }
  if (there && !inside_) fs::permissions(staging(), fs::status(target, ec).permissions(), ec);
}

ResultFolder::~ResultFolder() {
  if (staging_) discard(staging());
}

// The new folder takes the name, the old one the temporary name, in one step. Files of others are in both before. The old
// one is locked, so that nobody takes it for a leftover while it goes.
void ResultFolder::swap() {
  const fs::path target = target_, fresh = staging();
  for (int tries = 0; tries < 100; ++tries) {
    if (::renameat2(AT_FDCWD, fresh.c_str(), AT_FDCWD, target.c_str(), RENAME_NOREPLACE) == 0) return;
    if (errno != EEXIST) break;
    const FolderLock old(target_);
    if (!old.is_at(target_)) continue;  // another process has replaced it meanwhile
    each_foreign(target, [&](const std::string& name) {
      std::error_code ec;
      if (fs::is_regular_file(fs::symlink_status(target / name, ec)) && !is_there(fresh / name))
        fs::create_hard_link(target / name, fresh / name, ec);
    });
    if (::renameat2(AT_FDCWD, fresh.c_str(), AT_FDCWD, target.c_str(), RENAME_EXCHANGE) != 0) break;
    carry(fresh, target);
    discard(fresh);
    return;
  }
  if (errno != EINVAL && errno != ENOSYS && errno != EBUSY && errno != EXDEV) fail(path_, errno);
  move_in();  // a file system that cannot swap
}

// Old results go, the summary first; new ones come, the summary last: a folder without one is not taken for a result.
void ResultFolder::move_in() {
  const fs::path target = target_;
  make_folder(target_);
  std::error_code ec;
  fs::remove(target / kSummary, ec);
  for (const std::string& name : result_names(target)) fs::remove_all(target / name, ec);
  std::vector<std::string> names = names_in(staging());
  std::stable_partition(names.begin(), names.end(), [](const std::string& name) { return name != kSummary; });
  for (const std::string& name : names)
    if (std::rename((fs::path(staging()) / name).c_str(), (target / name).c_str()) != 0) fail(path_, errno);
}

std::string ResultFolder::place(const std::string& name) {
  files_.push_back((fs::path(path_) / name).lexically_normal().string());
  return (fs::path(staging()) / name).string();
}

void ResultFolder::add(const std::string& name, std::string_view text) { write_file(place(name), text); }

void ResultFolder::commit() {
  std::string list;
  for (const std::string& name : names_in(staging())) list += name + "\n";
  write_file((fs::path(staging()) / kList).string(), list);
  sync_folder(staging());
  const Uninterrupted whole;
  inside_ ? move_in() : swap();
  parent_->keep();
  note_written(target_);
  sync_folder(fs::path(target_).parent_path().string());
  discard(staging());  // of a folder that could not be swapped
  staging_.reset();
}

}  // namespace vdsim
