// SPDX-License-Identifier: Apache-2.0
#include "vdsim/formats/column_spool.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "vdsim/engine/errors.hpp"

namespace vdsim {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kBlock = 4096, kKept = 6;  // rows of a block, columns

int open_nameless(const std::string& folder) {
#ifdef O_TMPFILE
  if (const int fd = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600); fd >= 0) return fd;
#endif
  std::string name = (fs::path(folder) / ".vdsim_rows.XXXXXX").string();
  const int fd = ::mkstemp(name.data());
  if (fd >= 0) ::unlink(name.c_str());
  return fd;
}

}  // namespace

ColumnSpool::ColumnSpool(std::size_t columns, std::string folder)
    : columns_(columns), folder_(std::move(folder)), block_(columns) {
  std::error_code ec;
  if (folder_.empty()) folder_ = fs::temp_directory_path(ec).string();
  if (folder_.empty()) folder_ = ".";
}

ColumnSpool::~ColumnSpool() {
  if (fd_ >= 0) ::close(fd_);
}

void ColumnSpool::fail(const char* action) const {
  throw FileError(fmt::format("cannot {} rows in the folder {}: {}; TMPDIR names another one", action, folder_,
                              std::strerror(errno)));
}

void ColumnSpool::row(std::span<const double> values) {
  for (std::size_t i = 0; i < columns_; ++i) block_[i].push_back(values[i]);
  ++rows_;
  if (rows_ % kBlock == 0) write_block();
}

void ColumnSpool::write_block() {
  if (fd_ < 0 && (fd_ = open_nameless(folder_)) < 0) fail("keep");
  for (std::vector<double>& column : block_) {
    const char* from = reinterpret_cast<const char*>(column.data());
    for (std::size_t left = kBlock * sizeof(double); left > 0;) {
      const ssize_t n = ::write(fd_, from, left);
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) fail("keep");
      from += n, left -= static_cast<std::size_t>(n);
    }
    column.clear();
  }
}

std::span<const double> ColumnSpool::piece_of(std::size_t block, std::size_t column,
                                              std::vector<double>& buffer) const {
  if (block == rows_ / kBlock) return block_[column];
  buffer.resize(kBlock);
  char* to = reinterpret_cast<char*>(buffer.data());
  std::size_t at = (block * columns_ + column) * kBlock * sizeof(double);
  for (std::size_t left = kBlock * sizeof(double); left > 0;) {
    const ssize_t n = ::pread(fd_, to, left, static_cast<off_t>(at));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) fail("read");
    to += n, at += static_cast<std::size_t>(n), left -= static_cast<std::size_t>(n);
  }
  return buffer;
}

void ColumnSpool::each(std::size_t column, const std::function<void(std::span<const double>)>& take) const {
  std::vector<double> buffer;
  for (std::size_t block = 0; block * kBlock < rows_; ++block) take(piece_of(block, column, buffer));
}

void ColumnSpool::each_row(std::size_t first, std::size_t count,
                           const std::function<void(std::span<const double>)>& take) const {
  std::vector<std::vector<double>> buffers(columns_);
  std::vector<std::span<const double>> pieces(columns_);
  std::vector<double> row(columns_);
  std::size_t at = rows_;  // block in `pieces`: none
  for (std::size_t i = first; i < first + count; ++i) {
    if (i / kBlock != at) {
      at = i / kBlock;
      for (std::size_t c = 0; c < columns_; ++c) pieces[c] = piece_of(at, c, buffers[c]);
    }
    for (std::size_t c = 0; c < columns_; ++c) row[c] = pieces[c][i % kBlock];
    take(row);
  }
}

std::vector<double> ColumnSpool::column(std::size_t column) const {
  std::vector<double> out;
  out.reserve(rows_);
  each(column, [&](std::span<const double> piece) { out.insert(out.end(), piece.begin(), piece.end()); });
  return out;
}

const std::vector<double>& ColumnSpool::kept(std::size_t wanted) const {
  const auto found = std::find_if(kept_.begin(), kept_.end(), [&](const auto& each) { return each.first == wanted; });
  if (found != kept_.end()) {
    kept_.splice(kept_.begin(), kept_, found);
  } else {
    if (kept_.size() >= kKept) kept_.pop_back();
    kept_.emplace_front(wanted, column(wanted));
  }
  return kept_.front().second;
}

}  // namespace vdsim
