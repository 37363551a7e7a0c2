// SPDX-License-Identifier: Apache-2.0
#include "vdsim/formats/atomic_file.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <deque>
#include <filesystem>
#include <utility>

#include "vdsim/engine/errors.hpp"

namespace vdsim {

namespace fs = std::filesystem;

AtomicFile::AtomicFile(std::string path) : path_(std::move(path)), target_(path_) {
  struct stat old {};
  const bool there = ::stat(path_.c_str(), &old) == 0;
  if (there && S_ISDIR(old.st_mode)) throw FileError(fmt::format("cannot write {}: it is a folder", path_));
  if (there && ::access(path_.c_str(), W_OK) != 0) fail("write");
  if (there && !S_ISREG(old.st_mode)) {
    direct_ = ::open(path_.c_str(), O_WRONLY | O_CLOEXEC);
    if (direct_ < 0) fail("write");
    return;
  }
  std::error_code ec;
  if (const fs::path real = fs::canonical(path_, ec); !ec) target_ = real.string();
  const std::string folder = fs::path(target_).parent_path().string();
  for (const Leftover& left : leftovers(target_, folder)) ::unlink(left.path().c_str());
  temporary_.emplace(Temporary::Kind::file, target_, folder);
  if (there && ::fchmod(temporary_->fd(), old.st_mode & 07777) != 0) {
  }  // the new one is readable at least
}

AtomicFile::~AtomicFile() {
  if (direct_ >= 0) ::close(direct_);
  if (temporary_) ::unlink(temporary_->path().c_str());
}

void AtomicFile::fail(const char* action) {
  throw FileError(fmt::format("cannot {} {}: {}", action, path_, std::strerror(errno)));
}

void AtomicFile::write(std::string_view text) {
  buffer_ += text;
  synced_ = false;
  if (buffer_.size() >= 1 << 16) flush();
}

void AtomicFile::flush() {
  for (std::size_t done = 0; done < buffer_.size();) {
    const ssize_t n = ::write(temporary_ ? temporary_->fd() : direct_, buffer_.data() + done, buffer_.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail("write");
    done += static_cast<std::size_t>(n);
  }
  buffer_.clear();
}

void AtomicFile::sync() {
  if (synced_) return;
  flush();
  if (temporary_ && ::fsync(temporary_->fd()) != 0 && errno != EINVAL) fail("write");
  synced_ = true;
}

void AtomicFile::commit() {
  sync();
  const Uninterrupted whole;
  if (temporary_ && std::rename(temporary_->path().c_str(), target_.c_str()) != 0) fail("replace");
  temporary_.reset();
  note_written(target_);
}

void need_writable(const std::string& path) {
  struct stat old {};
  if (::stat(path.c_str(), &old) == 0 && !S_ISREG(old.st_mode) && !S_ISDIR(old.st_mode))
    return;  // not to be opened twice
  const AtomicFile probe(path);
}

void write_file(const std::string& path, std::string_view text) {
  AtomicFile file(path);
  file.write(text);
  file.commit();
}

void write_together(const std::vector<NamedText>& texts) {
  std::deque<FolderForResults> folders;
  std::deque<AtomicFile> files;
  for (const auto& [path, text] : texts) {
    folders.emplace_back(fs::path(path).parent_path().string());
    files.emplace_back(path).write(text);
  }
  for (AtomicFile& file : files) file.sync();
  const Uninterrupted whole;
  for (AtomicFile& file : files) file.commit();
  for (FolderForResults& folder : folders) folder.keep();
}

}  // namespace vdsim
