// SPDX-License-Identifier: Apache-2.0
// Lines of a stream of bytes, each bounded in length.
#pragma once
#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace vdsim {

class LineReader {
 public:
  // Fills the front of what it is given and says how much; waits for the first byte. 0: there is no more.
  using Source = std::function<std::size_t(std::span<char>)>;
  LineReader(Source source, std::size_t most) : source_(std::move(source)), most_(most) {}

  struct Line {
    std::string_view text;  // without its end; until the next call
    bool too_long = false;  // longer than `most`: the text is its beginning, the rest is passed over
  };
  // Nothing at the end. What stands behind the last line end counts as a line.
  std::optional<Line> next();

 private:
  Source source_;
  std::size_t most_;
  std::string buffer_;     // what came and was not given out
  std::size_t given_ = 0;  // of its front, by the last call
  bool ended_ = false;
};

}  // namespace vdsim
