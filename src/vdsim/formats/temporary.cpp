// SPDX-License-Identifier: Apache-2.0
#include "vdsim/formats/temporary.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <filesystem>

#include "vdsim/engine/errors.hpp"

namespace vdsim {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLongestStem = 200;  // names may have 255 letters
constexpr const char *kUnlocked = ".new", *kLocked = ".tmp";

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
  if (::mkdir(path.c_str(), 0777) != 0) return -1;
  return ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

// The lock that nobody holds; -1 if somebody does, or where a file system has no locks.
int take_lock(const std::string& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (fd < 0 || ::flock(fd, LOCK_EX | LOCK_NB) == 0) return fd;
  ::close(fd);
  return -1;
}

bool is_old(const std::string& path) {
  struct stat about {};
  return ::stat(path.c_str(), &about) == 0 && ::time(nullptr) - about.st_mtime > 5;
}

}  // namespace

// Named .tmp only once it is locked: whoever finds a .tmp without a lock knows that its owner is gone.
Temporary::Temporary(Kind kind, const std::string& target, const std::string& folder) {
  const std::string name = (fs::path(folder) / (stem_of(target) + random_text())).string();
  fd_ = make(kind, name + kUnlocked);
  if (fd_ < 0) throw FileError(fmt::format("cannot write {}: {}", target, std::strerror(errno)));
  ::flock(fd_, LOCK_EX | LOCK_NB);
  path_ = name + kLocked;
  if (std::rename((name + kUnlocked).c_str(), path_.c_str()) == 0) return;
  const int why = errno;
  std::error_code ignored;
  fs::remove(name + kUnlocked, ignored);
  ::close(fd_);
  throw FileError(fmt::format("cannot write {}: {}", target, std::strerror(why)));
}

Temporary::~Temporary() { ::close(fd_); }

bool is_temporary(const std::string& name) {
  const std::size_t dot = name.size() - std::min<std::size_t>(name.size(), 1 + 16 + 4);  // before the random text
  return dot > 0 && name.starts_with('.') && name[dot] == '.' &&
         name.find_first_not_of("0123456789abcdef", dot + 1) == dot + 1 + 16 &&
         (name.ends_with(kLocked) || name.ends_with(kUnlocked));
}

Leftover::~Leftover() {
  if (fd_ >= 0) ::close(fd_);
}

std::vector<Leftover> leftovers(const std::string& target, const std::string& folder) {
  const std::string stem = stem_of(target);
  const std::size_t length = stem.size() + 16 + 4;
  std::vector<Leftover> out;
  std::error_code ec;
  for (fs::directory_iterator each(folder.empty() ? "." : folder, ec), end; !ec && each != end; each.increment(ec)) {
    const std::string name = each->path().filename().string(), path = each->path().string();
    if (name.size() != length || !name.starts_with(stem) ||
        name.find_first_not_of("0123456789abcdef", stem.size()) != length - 4)
      continue;
    if (!name.ends_with(kLocked) && !(name.ends_with(kUnlocked) && is_old(path))) continue;
    if (const int fd = take_lock(path); fd >= 0) out.emplace_back(path, fd);
  }
  return out;
}

}  // namespace vdsim
