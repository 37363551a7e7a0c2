// SPDX-License-Identifier: Apache-2.0
#include "vdsim/formats/line_reader.hpp"

#include <algorithm>

namespace vdsim {

std::optional<LineReader::Line> LineReader::next() {
  buffer_.erase(0, given_);
  given_ = 0;
  bool too_long = false;
  for (std::size_t from = 0;;) {
    const std::size_t end = buffer_.find('\n', from);
    if (end != std::string::npos || ended_) {
      if (ended_ && buffer_.empty() && !too_long) return std::nullopt;
      const std::size_t length = std::min(end, buffer_.size());
      given_ = std::min(length + 1, buffer_.size());
      return Line{std::string_view(buffer_).substr(0, std::min(length, most_)), too_long || length > most_};
    }
    if (buffer_.size() > most_) buffer_.resize(most_), too_long = true;  // its beginning is enough to complain of
    from = buffer_.size();
    char piece[4096];
    const std::size_t n = source_(piece);
    ended_ = n == 0;
    buffer_.append(piece, n);
  }
}

}  // namespace vdsim
