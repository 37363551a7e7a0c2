// SPDX-License-Identifier: Apache-2.0
// Rows of numbers to a file that appears whole or not at all, or to standard output. 17 digits: they read back to the bit.
#pragma once
#include <fmt/format.h>

#include <cstdio>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "vdsim/engine/errors.hpp"
#include "vdsim/formats/atomic_file.hpp"

namespace vdsim::cli {

class RowOutput {
 public:
  RowOutput(const std::string& path, const std::vector<std::string>& names) {  // path "": standard output
    if (!path.empty()) file_.emplace(path);
    text_ = fmt::format("{}\n", fmt::join(names, ","));
  }
  void row(std::span<const double> values) {
    for (std::size_t i = 0; i < values.size(); ++i)
      fmt::format_to(std::back_inserter(text_), "{}{:.17g}", i ? "," : "", values[i] + 0.0);  // + 0.0: no "-0"
    text_ += '\n';
    ++count_;
    if (file_ || text_.size() > kMostInMemory) flush();
  }
  std::size_t count() const { return count_; }
  void commit() {  // throws FileError
    if (file_) {
      flush();
      file_->commit();
      return;
    }
    if (aside_) print_aside();
    fmt::print("{}", text_);
  }

 private:
  // For standard output rows wait until all are made: in memory, then in a file without a name.
  void flush() {
    if (!file_ && !aside_) aside_.reset(std::tmpfile());
    if (file_)
      file_->write(text_);
    else if (!aside_ || std::fwrite(text_.data(), 1, text_.size(), aside_.get()) != text_.size())
      throw FileError("no room to keep the rows for standard output; --output writes them to a file");
    text_.clear();
  }
  void print_aside() {
    std::rewind(aside_.get());
    std::string piece(1 << 16, '\0');
    for (std::size_t n; (n = std::fread(piece.data(), 1, piece.size(), aside_.get())) > 0;)
      fmt::print("{}", std::string_view(piece).substr(0, n));
    if (std::ferror(aside_.get())) throw FileError("cannot read back the rows for standard output");
  }

  static constexpr std::size_t kMostInMemory = 16 << 20;  // [bytes]
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::unique_ptr<std::FILE, Close> aside_;

  std::optional<AtomicFile> file_;
  std::string text_;
  std::size_t count_ = 0;
};

}  // namespace vdsim::cli
