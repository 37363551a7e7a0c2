#include "vdsim/formats/atomic_file.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <utility>

#include "vdsim/engine/errors.hpp"

namespace vdsim {

namespace fs = std::filesystem;

AtomicFile::AtomicFile(std::string path) : path_(std::move(path)) {
  const fs::path target(path_);
  if (std::error_code ec; fs::is_directory(target, ec))
    throw FileError(fmt::format("cannot write {}: it is a folder", path_));
  // Hidden, and with the process id, so that two runs into one folder do not share it.
  temporary_ = (target.parent_path() / fmt::format(".{}.{}.tmp", target.filename().string(), ::getpid())).string();
  fd_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (fd_ < 0) throw FileError(fmt::format("cannot write {}: {}", path_, std::strerror(errno)));
}

AtomicFile::~AtomicFile() {
  if (fd_ >= 0) ::close(fd_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void AtomicFile::fail(const char* action) {
  throw FileError(fmt::format("cannot {} {}: {}", action, path_, std::strerror(errno)));
}

void AtomicFile::write(std::string_view text) {
  buffer_ += text;
  if (buffer_.size() >= 1 << 16) flush();
}

void AtomicFile::flush() {
  for (std::size_t done = 0; done < buffer_.size();) {
    const ssize_t n = ::write(fd_, buffer_.data() + done, buffer_.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail("write");
    done += static_cast<std::size_t>(n);
  }
  buffer_.clear();
}

void AtomicFile::finish() {
  if (finished_) return;
  flush();
  if (::fsync(fd_) != 0 && errno != EINVAL) fail("write");
  const int fd = std::exchange(fd_, -1);
  if (::close(fd) != 0) fail("close");
  finished_ = true;
}

void AtomicFile::commit() {
  finish();
  if (std::rename(temporary_.c_str(), path_.c_str()) != 0) fail("replace");
  temporary_.clear();
}

void write_file(const std::string& path, std::string_view text) {
  AtomicFile file(path);
  file.write(text);
  file.commit();
}

void make_folder(const std::string& path) {
  std::error_code ec;
  fs::create_directories(path, ec);
  if (ec || !fs::is_directory(path, ec))
    throw FileError(
        fmt::format("cannot make the folder {}: {}", path, ec ? ec.message() : "a file of that name is in the way"));
}

}  // namespace vdsim
