// Rows of numbers to a file that appears whole or not at all, or to standard output. 17 digits: they read back to the bit.
#pragma once
#include <fmt/format.h>

#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <vector>

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
    if (file_) flush();
  }
  std::size_t count() const { return count_; }
  void commit() {  // throws FileError
    if (!file_) {
      fmt::print("{}", text_);
      return;
    }
    flush();
    file_->commit();
  }

 private:
  void flush() {
    file_->write(text_);
    text_.clear();
  }

  std::optional<AtomicFile> file_;
  std::string text_;
  std::size_t count_ = 0;
};

}  // namespace vdsim::cli
