// SPDX-License-Identifier: Apache-2.0
// What a client may ask for, and how often.
#pragma once
#include <algorithm>
#include <cstddef>
#include <string_view>

namespace vdsim {

struct LiveLimits {
  static constexpr std::size_t kHeader = 8 * 1024, kBody = 1 << 20, kFrame = 64 * 1024;  // [bytes]
  static constexpr int kDepth = 16;                                                      // of JSON
  static constexpr int kConnections = 32, kClients = 8;
  static constexpr double kHeaderTime = 10, kPing = 20, kResume = 30;    // [s]
  static constexpr double kCommands = 500, kEdits = 20, kRequests = 50;  // per second and client
  static constexpr std::size_t kStates = 2;    // frames of a car that wait for a slow client; the newest are kept
  static constexpr std::size_t kEvents = 256;  // messages that wait; one more closes the connection
};

// So many a second; as many at once.
class RateLimit {
 public:
  explicit RateLimit(double per_second) : rate_(per_second), left_(per_second) {}
  bool take(double now) {
    left_ = std::min(rate_, left_ + std::max(0.0, now - last_) * rate_);
    last_ = now;
    if (left_ < 1) return false;
    left_ -= 1;
    return true;
  }

 private:
  double rate_, left_, last_ = 0;
};

// How deep braces and brackets of a JSON text go, those in texts left out.
inline int json_depth(std::string_view text) {
  int depth = 0, deepest = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c == '\\') ++i;
      if (c == '"') quoted = false;
    } else if (c == '"') {
      quoted = true;
    } else if (c == '{' || c == '[') {
      deepest = std::max(deepest, ++depth);
    } else if (c == '}' || c == ']') {
      --depth;
    }
  }
  return deepest;
}

}  // namespace vdsim
