// SPDX-License-Identifier: Apache-2.0
#include "vdsim/formats/temporary.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <set>

#include "vdsim/engine/errors.hpp"

namespace vdsim {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLongestStem = 200;  // names may have 255 letters
constexpr std::size_t kRandom = 16;        // hexadecimal digits
constexpr const char* kEnding = ".tmp";

// What this process has made that has not taken its name. Never destroyed: a thread that ends the process may look when the
// others have gone.
struct Living {
  std::recursive_mutex mutex;
  std::set<std::string> temporaries;
  std::set<const FolderForResults*> folders;
  std::atomic<bool> written{false};
};
Living& living() {
  static Living& all = *new Living;
  return all;
}

std::string stem_of(const std::string& target) {
  return "." + fs::path(target).filename().string().substr(0, kLongestStem) + ".";
}

std::string random_text() {
  std::uint64_t bits = 0;
  if (::getrandom(&bits, sizeof bits, 0) != sizeof bits) throw FileError("no random numbers from the system");
  return fmt::format("{:016x}", bits);
}

int make(Temporary::Kind kind, const std::string& path) {
  if (kind == Temporary::Kind::file)
    return ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
  if (::mkdir(path.c_str(), kind == Temporary::Kind::folder ? 0777 : 0700) != 0) return -1;
  return ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

// The lock that nobody holds; -1 if somebody does, or where a file system has no locks.
int take_lock(const std::string& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (fd < 0 || ::flock(fd, LOCK_EX | LOCK_NB) == 0) return fd;
  ::close(fd);
  return -1;
}

bool is_at(int fd, const std::string& path) {
  struct stat mine {
  }, there{};
  return ::fstat(fd, &mine) == 0 && ::lstat(path.c_str(), &there) == 0 && mine.st_ino == there.st_ino &&
         mine.st_dev == there.st_dev;
}

}  // namespace

// Whoever finds one without a lock takes the lock and removes it: its owner is gone, or has not locked it yet and makes
// another.
Temporary::Temporary(Kind kind, const std::string& target, const std::string& folder) {
  const Uninterrupted whole;
  for (int tries = 0; tries < 100; ++tries) {
    path_ = (fs::path(folder) / (stem_of(target) + random_text() + kEnding)).string();
    fd_ = make(kind, path_);
    if (const int why = errno; fd_ < 0) {
      std::error_code ec;
      if (why == ENOENT && kind != Kind::file && fs::is_directory(folder, ec)) continue;  // removed before it was open
      throw FileError(fmt::format("cannot write {}: {}", target, std::strerror(why)));
    }
    const bool taken = ::flock(fd_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    if (!taken && is_at(fd_, path_)) {
      living().temporaries.insert(path_);
      return;
    }
    ::close(fd_);
  }
  throw FileError(fmt::format("cannot write {}: other processes remove what is made for it", target));
}

Temporary::~Temporary() {
  const Uninterrupted whole;
  living().temporaries.erase(path_);
  ::close(fd_);
}

void make_folder(const std::string& path) {
  std::error_code ec;
  fs::create_directories(path, ec);
  if (ec || !fs::is_directory(path, ec))
    throw FileError(
        fmt::format("cannot make the folder {}: {}", path, ec ? ec.message() : "a file of that name is in the way"));
}

FolderForResults::FolderForResults(const std::string& path) {
  const Uninterrupted whole;
  std::error_code ec;
  for (fs::path each = path; !each.empty() && fs::symlink_status(each, ec).type() == fs::file_type::not_found;
       each = each.parent_path())
    made_.push_back(each.string());
  try {
    if (!path.empty()) make_folder(path);
  } catch (...) {
    remove_made();
    throw;
  }
  living().folders.insert(this);
}

FolderForResults::~FolderForResults() {
  const Uninterrupted whole;
  living().folders.erase(this);
  remove_made();
}

void FolderForResults::remove_made() const {
  std::error_code ignored;
  for (const std::string& each : made_) fs::remove(each, ignored);  // only while they are empty
}

Uninterrupted::Uninterrupted() : lock_(living().mutex) {}

void remove_temporaries() {
  std::error_code ignored;
  for (const std::string& path : living().temporaries) fs::remove_all(path, ignored);
  for (const FolderForResults* folder : living().folders) folder->remove_made();
}
void note_written(const std::string& path) {
  const Uninterrupted whole;
  const auto& all = living().temporaries;
  if (std::none_of(all.begin(), all.end(), [&](const std::string& each) { return path.starts_with(each + "/"); }))
    living().written = true;
}
bool anything_written() { return living().written; }

bool is_temporary(const std::string& name) {
  const std::size_t dot = name.size() - std::min<std::size_t>(name.size(), 1 + kRandom + 4);  // before the random text
  return dot > 0 && name.starts_with('.') && name[dot] == '.' &&
         name.find_first_not_of("0123456789abcdef", dot + 1) == dot + 1 + kRandom && name.ends_with(kEnding);
}

Leftover::~Leftover() {
  if (fd_ >= 0) ::close(fd_);
}

std::vector<Leftover> leftovers(const std::string& target, const std::string& folder) {
  const std::string stem = stem_of(target);
  std::vector<Leftover> out;
  std::error_code ec;
  for (fs::directory_iterator each(folder.empty() ? "." : folder, ec), end; !ec && each != end; each.increment(ec)) {
    const std::string name = each->path().filename().string(), path = each->path().string();
    if (name.size() != stem.size() + kRandom + 4 || !name.starts_with(stem) || !is_temporary(name)) continue;
    if (const int fd = take_lock(path); fd >= 0) out.emplace_back(path, fd);
  }
  return out;
}

ScratchFolder::ScratchFolder(const std::string& name) {
  std::error_code ec;
  const std::string folder = fs::temp_directory_path(ec).string();
  if (ec) throw FileError(fmt::format("no folder for temporary files: {}; TMPDIR names one", ec.message()));
  for (const Leftover& left : leftovers(name, folder)) fs::remove_all(left.path(), ec);
  made_.emplace(Temporary::Kind::private_folder, name, folder);
}
ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  fs::remove_all(path(), ignored);
}

}  // namespace vdsim
