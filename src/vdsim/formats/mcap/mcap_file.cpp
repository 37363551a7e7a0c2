// SPDX-License-Identifier: Apache-2.0
#include "vdsim/formats/mcap/mcap_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "vdsim/engine/errors.hpp"
#include "vdsim/formats/temporary.hpp"

namespace vdsim {
namespace {

[[noreturn]] void fail_to_record(const std::string& path) {
  throw FileError("cannot write " + path + ": " + std::generic_category().message(errno));
}

int open_to_record(const std::string& path) {
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (fd < 0) fail_to_record(path);
  note_written(path);
  return fd;
}

}  // namespace

McapFile::McapFile(const std::string& path, McapWriter::Options options)
    : path_(path),
      fd_(open_to_record(path)),
      writer_([this](std::string_view bytes) { put(bytes); }, std::move(options)) {}

McapFile::~McapFile() {
  if (fd_ >= 0) ::close(fd_);
}

void McapFile::put(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(fd_, bytes.data(), bytes.size());
    if (n < 0 && errno != EINTR) fail_to_record(path_);
    if (n > 0) bytes.remove_prefix(static_cast<std::size_t>(n));
  }
}

void McapFile::close() {
  writer_.close();
  const int fd = std::exchange(fd_, -1);
  if (fd >= 0 && ::close(fd) != 0) fail_to_record(path_);
}

}  // namespace vdsim
