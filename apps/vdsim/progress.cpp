// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>
#include <unistd.h>

#include <chrono>

#include "apps/vdsim/commands.hpp"

namespace vdsim::cli {
namespace {

double now_s() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

}  // namespace

void show_progress(const std::string& text) {
  if (::write(STDERR_FILENO, text.data(), text.size()) < 0) {
  }
}

Progress::Progress(bool quiet) : quiet_(quiet), terminal_(::isatty(2) == 1), start_(now_s()) {}

Progress::~Progress() {
  if (shown_ && terminal_) show_progress("\r\x1b[K");
}

void Progress::operator()(double fraction) {
  if (quiet_) return;
  const double now = now_s(), gone = now - start_;
  if (gone < 1) return;
  if (terminal_) {
    if (now - last_ < 0.1) return;
    last_ = now;
    shown_ = true;
    const auto filled = static_cast<std::size_t>(fraction * 40);
    show_progress(fmt::format("\r[{}{}] {:3.0f} %  {:.0f} s left\x1b[K", std::string(filled, '#'),
                              std::string(40 - filled, '.'), fraction * 100,
                              gone * (1 - fraction) / std::max(fraction, 1e-9)));
    return;
  }
  const int tenths = static_cast<int>(fraction * 10);
  if (tenths <= tenths_) return;
  tenths_ = tenths;
  show_progress(fmt::format("{} %\n", tenths * 10));
}

}  // namespace vdsim::cli
